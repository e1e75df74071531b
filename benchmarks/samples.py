"""Size, power and coverage of the test of per-sample values beside that of splits.

    python -m benchmarks.samples [share of the data sets, default 1] [sections, default all]

Sections: size, price, large, coverage.
Equal models: how often a pair differs at a nominal 5 %, by the corrected t-test of the split
scores and by the test of the samples, on the same fits; and the instability ê²/s̄², which one repeat
cannot show. Models that differ: how often that is found, for which number of fits, at 300 samples
and at 10,000, where one repeat is enough. And what the intervals cover: the difference between the
fitted models, and that between the algorithms over new training sets. Every number with its
standard error over data sets.
"""

import sys
import time

import numpy as np
from scipy import stats

from benchmarks._cells import folds
from benchmarks._logistic import equal_blocks, masks
from benchmarks._sample_cells import (
    FAMILY_CELLS,
    LARGE_CELLS,
    N_LARGE,
    SAMPLE_CELLS,
    of_accuracy,
    of_log_loss,
    with_samples,
)
from sklearn_stats_compare.stats import SampleTTest
from sklearn_stats_compare.stats._best import model_confidence_set_pvalues, possibly_best_pvalues
from sklearn_stats_compare.stats._family import PAIR_TESTS, Family, Settings
from sklearn_stats_compare.stats._pair_tests import CORRECTED_T

ALPHA = 0.05
SAMPLES = PAIR_TESTS["samples"]
OF_ONE_REPEAT = {
    f"samples, instability {share:g}": SampleTTest(instability=share) for share in (0.0, 1.0)
}
DESIGNS = ((5, 1), (10, 1), (5, 2), (10, 2))
DIFFERENT = (0.4, 0.318)
"""Shifts of two models, the accuracies of which differ by about 0.05 at 300 samples."""
PLAIN = (0.4, 0.25)
"""The same by 0.10, which a table of ten candidates may still show."""
DIFFERENT_IF_LARGE = (0.4, 0.366)
"""The same by 0.02, of which 10,000 samples are to say whether it is one."""


def size(name, n_folds, n_repeats, n_data_sets, *, seed=0):
    """{what: (rate, standard error)} of one cell whose models are equal.

    Per pair; and of the table, adjusted for all pairs by Bonferroni.
    """
    cell, rng = {**SAMPLE_CELLS, **LARGE_CELLS}[name], np.random.default_rng(seed)
    rows = []
    for _ in range(n_data_sets):
        scores = cell.scores(rng, n_folds, n_repeats)
        row = {}
        for what, test in _tests_of(n_repeats).items():
            pvalues = test.all_pairs(scores).pvalue("two-sided")
            row[what] = float(np.mean(pvalues < ALPHA))
            row[f"{what}, any of all pairs"] = float(pvalues.min() < ALPHA / pvalues.size)
        if n_repeats > 1:
            row["ê²/s̄²"] = _instability(scores)
        rows.append(row)
    return _means(rows)


def families(name, n_folds, n_repeats, n_data_sets, *, seed=0):
    """How often a pair of equal models differs, and how often a set leaves a model out."""
    cell, rng = {**SAMPLE_CELLS, **FAMILY_CELLS}[name], np.random.default_rng(seed)
    rows = []
    for _ in range(n_data_sets):
        scores = cell.scores(rng, n_folds, n_repeats)
        tests = SAMPLES.all_pairs(scores)
        row = {}
        for method, of_the_best in (("bonferroni", "mcb"), ("maxt", "maxt")):
            settings = Settings("two-sided", method, (-0.01, 0.01), ALPHA, SAMPLES)
            pvalues = Family(scores, tests, settings).pvalue("two-sided")
            row[f"any of all pairs, {method}"] = float(pvalues.min() < ALPHA)
            left_out = possibly_best_pvalues(scores, method=of_the_best, test=SAMPLES) < ALPHA
            row[f"possibly-best set leaves out, {method}"] = float(left_out.mean())
        left_out = model_confidence_set_pvalues(scores, test=SAMPLES) < ALPHA
        row["model confidence set leaves out"] = float(left_out.mean())
        rows.append(row)
    return _means(rows)


def power(
    n_folds,
    n_repeats,
    n_data_sets,
    *,
    n_samples=300,
    values=of_accuracy,
    shifts=DIFFERENT,
    alpha=ALPHA,
    seed=0,
):
    """The same of two models that differ, with the mean difference and half-widths of intervals."""
    rng = np.random.default_rng(seed)
    tests = _tests_of(n_repeats)
    rows = []
    for _ in range(n_data_sets):
        X, y = _different(rng, n_samples, shifts)
        train, test = masks(folds(rng, n_folds, n_repeats), y)
        scores = with_samples(values(X, y, train, test), train, test, n_folds)
        row = {what: _rejected(test, scores, alpha) for what, test in tests.items()}
        row |= {f"{what}, half-width": _half_width(test, scores) for what, test in tests.items()}
        rows.append({**row, "difference": float(scores.means[0] - scores.means[1])})
    return _means(rows)


def coverage(C, n_folds, n_repeats, n_data_sets, *, n_samples=100, n_fresh=4000, seed=0):
    """How often 95 % intervals miss the difference of the fitted models, and of the algorithms.

    Two logistic regressions under log loss, with penalties `C`: if these are one, on equal features
    of their own, so that the algorithms do not differ, and otherwise on the same features. The
    fitted models are judged on fresh samples, which no split trains on; the algorithms by the mean
    of that over data sets.
    """
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(n_data_sets):
        X, y = equal_blocks(rng, n_samples=n_samples + n_fresh, n_models=1 + (C[0] == C[1]))
        X = np.broadcast_to(X, (2, *X.shape[1:]))  # other penalties on the same features
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


def _different(rng, n_samples, shifts):
    y = rng.random(n_samples) < 0.5
    X = rng.standard_normal((2, n_samples, 5))
    X += np.array(shifts)[:, None, None] * np.where(y, 1.0, -1.0)[:, None]
    return X, y


def _tests_of(n_repeats):
    tests = {"splits": CORRECTED_T, "samples": SAMPLES}
    return tests | OF_ONE_REPEAT if n_repeats == 1 else tests


def _rejected(test, scores, alpha):
    return float(np.mean(test.all_pairs(scores).pvalue("two-sided") < alpha))


def _half_width(test, scores):
    """Half the width of the 95 % interval of the difference of two models."""
    found = test.all_pairs(scores)
    return float(stats.t.isf(ALPHA / 2, test.df(scores)) * found.std_err[0])


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
        is_rate = name not in ("ê²/s̄²", "difference") and not name.endswith("half-width")
        line = (
            f"{100 * rate:8.2f} ± {100 * error:.2f} %" if is_rate else f"{rate:8.4f} ± {error:.4f}"
        )
        print(f"  {name:50}{line}")
    sys.stdout.flush()


def _sizes(n):
    print("Size: equal models, per pair, nominal 5 %")
    for name in SAMPLE_CELLS:
        for n_folds, n_repeats in DESIGNS:
            began = time.perf_counter()
            found = size(name, n_folds, n_repeats, n)
            _print(f"{name}, {n_folds}×{n_repeats}, {n:,} data sets", found, began)
    began = time.perf_counter()
    name = next(iter(SAMPLE_CELLS))
    _print(f"{name}, 10×2, families of 45 pairs", families(name, 10, 2, n // 2), began)
    for name in FAMILY_CELLS:
        _print(f"{name}, 5×2, families of 435 pairs", families(name, 5, 2, n // 2), began)


def _price(n):
    """Fits for equal power: what each fit of a cross-validation buys, by splits and by samples."""
    print("\nPrice: logistic regressions, n = 300, nominal 5 %")
    for values in (of_accuracy, of_log_loss):
        score = "accuracy" if values is of_accuracy else "log loss"
        for n_folds, n_repeats in (*DESIGNS, (10, 3), (10, 10)):
            design = f"{score}, {n_folds}×{n_repeats}, {n_folds * n_repeats} fits per candidate"
            began = time.perf_counter()
            found = size(f"logistic, {score}, n = 300", n_folds, n_repeats, n)
            _print(f"level: {design}, {n:,} data sets", found, began)
            began = time.perf_counter()
            found = power(n_folds, n_repeats, 3 * n, values=values)
            _print(f"power: {design}, {3 * n:,} data sets", found, began)
    for n_folds, n_repeats in (*DESIGNS, (10, 3), (10, 10)):
        began = time.perf_counter()
        found = power(n_folds, n_repeats, 3 * n, shifts=PLAIN, alpha=ALPHA / 45)
        design = f"accuracy, {n_folds}×{n_repeats}, {n_folds * n_repeats} fits per candidate"
        _print(f"power, adjusted for 45 pairs: {design}, {3 * n:,} data sets", found, began)


def _large(n):
    print(f"\nLarge: n = {N_LARGE:,}, accuracy, nominal 5 %")
    for shifts in ((0.4, 0.4), DIFFERENT_IF_LARGE):
        for n_folds, n_repeats in DESIGNS:
            began = time.perf_counter()
            found = power(n_folds, n_repeats, n, n_samples=N_LARGE, shifts=shifts)
            title = f"logistic, shifts {shifts}, {n_folds}×{n_repeats}, {n:,} data sets"
            _print(title, found, began)
    # A data set of trees takes seconds; two repeats of a few of them tell ê²/s̄² well enough.
    for name in LARGE_CELLS:
        for n_folds, n_repeats, n_data_sets in ((5, 1, max(2, n // 5)), (5, 2, max(2, n // 50))):
            began = time.perf_counter()
            found = size(name, n_folds, n_repeats, n_data_sets)
            _print(f"{name}, {n_folds}×{n_repeats}, {n_data_sets:,} data sets", found, began)


def _coverages(n):
    print("\nCoverage: 95 % intervals, log loss, n = 100, 10×2")
    for C in ((1.0, 1.0), (0.01, 0.01), (1.0, 100.0)):
        began = time.perf_counter()
        _print(f"C = {C[0]:g} against {C[1]:g}, {n:,} data sets", coverage(C, 10, 2, n), began)


SECTIONS = {"size": _sizes, "price": _price, "large": _large, "coverage": _coverages}


def main(share, sections=SECTIONS):
    n = max(2, round(1000 * share))
    for name in sections:
        SECTIONS[name](n)


if __name__ == "__main__":
    share, *sections = sys.argv[1:] or ["1"]
    main(float(share), sections or SECTIONS)
