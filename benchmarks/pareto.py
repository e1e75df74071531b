"""How often `possibly_pareto` leaves out a candidate that no rival dominates, by simulation.

python -m benchmarks.pareto [share of the tables, default 1]

Scores follow the model of the correction: the splits of a candidate share a variance of q beside
their own, 1. The first candidate is on the true front of two metrics; every rate is that of tables
in which it is left out, at 5 %. Then the same of ten equal logistic regressions on features of
their own, N = 300: by accuracy and area, and by accuracy and a time of which the first needs most.
The results are in docs/evidence/rates.rst.
"""

import sys
import time

import numpy as np

from benchmarks._cells import N_MODELS, folds
from benchmarks._logistic import accuracies, areas, decisions, equal_blocks, masks
from sklearn_stats_compare import SplitDesign, SplitScores
from sklearn_stats_compare.stats._best import ScoreCriterion, TimeCriterion, possibly_pareto_pvalues

KINDS = ("equal", "close", "spread", "one decides", "edge of the ROPE")
N_TABLES = 1000


def truth(kind, m):
    """True means, metrics × candidates, in standard deviations of a split, and ROPEs."""
    k = np.arange(m)
    line = k / max(m - 1, 1)
    return {
        "equal": (np.zeros((2, m)), (0, 0)),
        "close": (np.array([0.5 * line, -0.5 * line]), (0, 0)),
        "spread": (np.array([4 * line, -4 * line]), (0, 0)),
        "one decides": (np.array([0.0 * k, 6.0 * (k > 0)]), (0, 0)),
        # Rivals are far better in one metric, and worse by just the ROPE in the other.
        "edge of the ROPE": (np.array([-0.5 * (k > 0), 6.0 * (k > 0)]), (0.5, 0.5)),
    }[kind]


def missed(kind, m, n_splits, correlation, n_tables, rng):
    """Share of tables in which the first candidate is left out."""
    means, ropes = truth(kind, m)
    design = SplitDesign([4] * n_splits, [1] * n_splits)
    out = 0
    for _ in range(n_tables):
        noise = 0.5 * rng.standard_normal((2, m, 1)) + rng.standard_normal((2, m, n_splits))
        noise[1] = correlation * noise[0] + np.sqrt(1 - correlation**2) * noise[1]
        criteria = [ScoreCriterion(SplitScores(own, design)) for own in means[:, :, None] + noise]
        out += possibly_pareto_pvalues(criteria, ropes)[0][0] < 0.05
    return out / n_tables


def missed_of_learners(n_folds, n_repeats, n_data_sets, rng):
    """Rates and standard errors: any given model by two scores, the slowest by a score and time."""
    seconds = np.append(2.0, np.linspace(0.5, 1, N_MODELS - 1))
    both, timed = np.empty(n_data_sets), np.empty(n_data_sets)
    for k in range(n_data_sets):
        X, y = equal_blocks(rng, n_samples=300)
        train, test = masks(folds(rng, n_folds, n_repeats), y)
        values = decisions(X, y, train)
        design = SplitDesign(train.sum(axis=1), test.sum(axis=1))
        accuracy, area = (
            ScoreCriterion(SplitScores(score(values, y, test), design))
            for score in (accuracies, areas)
        )
        time = TimeCriterion(seconds, np.full(N_MODELS, 0.01), design)
        both[k] = (possibly_pareto_pvalues([accuracy, area], (0, 0))[0] < 0.05).mean()
        timed[k] = possibly_pareto_pvalues([accuracy, time], (0, 0))[0][0] < 0.05
    return [(own.mean(), own.std(ddof=1) / np.sqrt(n_data_sets)) for own in (both, timed)]


def main(share):
    start = time.perf_counter()
    n = max(2, round(share * N_TABLES))
    rng = np.random.default_rng(20)
    error = 100 * np.sqrt(0.05 * 0.95 / n)
    print(f"{n:,} tables a cell; standard error at 5 %: {error:.2f} %")
    for n_splits in (5, 30):
        for correlation in (0.0, 0.9):
            print(f"\n{n_splits} splits, correlation of the metrics {correlation:g}")
            for kind in KINDS:
                rates = [missed(kind, m, n_splits, correlation, n, rng) for m in (2, 8, 30)]
                print(f"  {kind:18}", *(f"{100 * rate:6.1f} %" for rate in rates), flush=True)
    print("\nlogistic regressions: accuracy and area, accuracy and time")
    rng = np.random.default_rng(21)
    for n_folds, n_repeats in ((5, 1), (10, 1), (10, 10)):
        rates = missed_of_learners(n_folds, n_repeats, n, rng)
        shown = (f"{100 * rate:.2f} ± {100 * error:.2f} %" for rate, error in rates)
        print(f"  {n_folds} folds × {n_repeats:2}   ", *shown, flush=True)
    print(f"\n{time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0)
