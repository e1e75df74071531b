"""Size, power and coverage of the test of per-sample values beside that of splits.

    python -m benchmarks.samples [share of the data sets, default 1]

Equal models: how often a pair is told apart at a nominal 5 %, by the corrected t-test of the split
scores and by the test of the samples, on the same fits; and the instability ê²/s̄², which one repeat
cannot show. Models that differ: how often that is found, for which number of fits. And what the
intervals cover: the difference between the fitted models, and that between the algorithms over new
training sets. Every number with its standard error over data sets.
"""

import sys
import time

import numpy as np
from scipy import stats

from benchmarks._cells import folds
from benchmarks._logistic import equal_blocks, masks
from benchmarks._sample_cells import SAMPLE_CELLS, of_accuracy, of_log_loss, with_samples
from sklearn_stats_compare import SampleTTest
from sklearn_stats_compare.stats import (
    CORRECTED_T,
    PAIR_TESTS,
    Family,
    Settings,
    model_confidence_set_pvalues,
    possibly_best_pvalues,
)

ALPHA = 0.05
SAMPLES, STABLE = PAIR_TESTS["samples"], SampleTTest(instability=0.0)
DESIGNS = ((5, 1), (10, 1), (5, 2), (10, 2))
DIFFERENT = (0.4, 0.318)
"""Shifts of two models, the accuracies of which differ by about 0.05 at 300 samples."""


def size(name, n_folds, n_repeats, n_data_sets, *, seed=0):
    """{what: (rate, standard error)} of one cell whose models are equal."""
    cell, rng = SAMPLE_CELLS[name], np.random.default_rng(seed)
    rows = []
    for _ in range(n_data_sets):
        scores = cell.scores(rng, n_folds, n_repeats)
        row = {"splits": _rejected(CORRECTED_T, scores), "samples": _rejected(SAMPLES, scores)}
        if n_repeats == 1:
            row["samples, instability 0"] = _rejected(STABLE, scores)
        else:
            row["ê²/s̄²"] = _instability(scores)
        rows.append(row)
    return _means(rows)


def families(name, n_folds, n_repeats, n_data_sets, *, seed=0):
    """How often any pair of equal models is told apart, and how often a set leaves a model out."""
    cell, rng = SAMPLE_CELLS[name], np.random.default_rng(seed)
    rows = []
    for _ in range(n_data_sets):
        scores = cell.scores(rng, n_folds, n_repeats)
        tests = SAMPLES.all_pairs(scores)
        row = {}
        for method in ("bonferroni", "maxt"):
            settings = Settings("two-sided", method, (-0.01, 0.01), ALPHA, SAMPLES)
            pvalues = Family(scores, tests, settings).pvalue("two-sided")
            row[f"any of all pairs, {method}"] = float(pvalues.min() < ALPHA)
            left_out = possibly_best_pvalues(scores, method=method, test=SAMPLES) < ALPHA
            row[f"possibly-best set leaves out, {method}"] = float(left_out.mean())
        left_out = model_confidence_set_pvalues(scores, test=SAMPLES) < ALPHA
        row["model confidence set leaves out"] = float(left_out.mean())
        rows.append(row)
    return _means(rows)


def power(n_folds, n_repeats, n_data_sets, *, n_samples=300, values=of_accuracy, seed=0):
    """The same of two models that differ, with the mean difference."""
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(n_data_sets):
        X, y = _different(rng, n_samples)
        train, test = masks(folds(rng, n_folds, n_repeats), y)
        scores = with_samples(values(X, y, train, test), train, test, n_folds)
        row = {"splits": _rejected(CORRECTED_T, scores), "samples": _rejected(SAMPLES, scores)}
        if n_repeats == 1:
            row["samples, instability 0"] = _rejected(STABLE, scores)
        rows.append({**row, "difference": float(scores.means[0] - scores.means[1])})
    return _means(rows)


def coverage(C, n_folds, n_repeats, n_data_sets, *, n_samples=100, n_fresh=4000, seed=0):
    """How often 95 % intervals miss the difference of the fitted models, and of the algorithms.

    Two logistic regressions under log loss, with penalties `C`, on equal features of their own: the
    algorithms do not differ where these are one. The
    fitted models are judged on fresh samples, which no split trains on; the algorithms by the mean
    of that over data sets.
    """
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(n_data_sets):
        X, y = equal_blocks(rng, n_samples=n_samples + n_fresh, n_models=2)
        train, test = np.zeros((2, n_folds * n_repeats, len(y)), dtype=bool)
        own = slice(0, n_samples)
        train[:, own], test[:, own] = masks(folds(rng, n_folds, n_repeats), y[own])
        values = of_log_loss(X, y, train, test, np.array(C))
        scores = with_samples(values[:, own], train[:, own], test[:, own], n_folds)
        fitted = values[:, n_samples:].mean(axis=(1, 2))
        tests = [test.against(scores, 0, np.array([1])) for test in (SAMPLES, CORRECTED_T)]
        errors = [float(test.std_err[0]) for test in tests]
        found.append([fitted[0] - fitted[1], float(tests[0].mean_diff[0]), *errors])
    fitted, mean, of_samples, of_splits = np.array(found).T
    half_widths = {
        "samples": stats.t.isf(ALPHA / 2, n_samples - 1) * of_samples,
        "splits": stats.t.isf(ALPHA / 2, n_folds * n_repeats - 1) * of_splits,
    }
    missed = {
        f"{name}, {target} missed": np.abs(mean - truth) > half_width
        for target, truth in (("fitted models", fitted), ("algorithms", fitted.mean()))
        for name, half_width in half_widths.items()
    }
    rows = [dict(zip(missed, row, strict=True)) for row in zip(*missed.values(), strict=True)]
    return _means(rows)


def _different(rng, n_samples):
    y = rng.random(n_samples) < 0.5
    X = rng.standard_normal((2, n_samples, 5))
    X += np.array(DIFFERENT)[:, None, None] * np.where(y, 1.0, -1.0)[:, None]
    return X, y


def _rejected(test, scores):
    return float(np.mean(test.all_pairs(scores).pvalue("two-sided") < ALPHA))


def _instability(scores):
    """ê²/s̄² of the differences, over all pairs."""
    values = scores.samples.values
    shares = []
    for i in range(len(values) - 1):
        d = values[i] - values[i + 1 :]
        shares.append((d.var(axis=1, ddof=1).mean(), d.var(axis=2, ddof=1).mean()))
    refits, samples = np.sum(shares, axis=0)
    return float(refits / samples)


def _means(rows):
    table = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    return {
        name: (float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values))))
        for name, values in table.items()
    }


def _print(title, found, began):
    print(f"{title} ({time.perf_counter() - began:.0f} s)")
    for name, (rate, error) in found.items():
        unit, sign = (1, "") if name in ("ê²/s̄²", "difference") else (100, " %")
        print(f"  {name:50}{unit * rate:8.3f} ± {unit * error:.3f}{sign}")
    sys.stdout.flush()


def main(share):
    n = max(2, round(1000 * share))
    print("Size: equal models, per pair, nominal 5 %")
    for name in SAMPLE_CELLS:
        for n_folds, n_repeats in DESIGNS:
            began = time.perf_counter()
            found = size(name, n_folds, n_repeats, n)
            _print(f"{name}, {n_folds}×{n_repeats}, {n:,} data sets", found, began)
    began = time.perf_counter()
    name = next(iter(SAMPLE_CELLS))
    _print(f"{name}, 10×2, families of 45 pairs", families(name, 10, 2, n // 2), began)
    print("\nPower: two logistic regressions, n = 300, nominal 5 %")
    for values in (of_accuracy, of_log_loss):
        for n_folds, n_repeats in (*DESIGNS, (10, 3), (10, 10)):
            began = time.perf_counter()
            found = power(n_folds, n_repeats, 3 * n, values=values)
            _print(f"{values.__name__}, {n_folds}×{n_repeats}, {3 * n:,} data sets", found, began)
    print("\nCoverage: 95 % intervals, log loss, n = 100, 10×2")
    for C in ((1.0, 1.0), (0.01, 0.01)):
        began = time.perf_counter()
        _print(f"C = {C[0]:g} against {C[1]:g}, {n:,} data sets", coverage(C, 10, 2, n), began)


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0)
