"""How often statements on all candidates at once, or on the one that leads, are true.

python -m benchmarks.simultaneous [n_data_sets]

Logistic regressions on features of their own, compared by accuracy: the interval of the leader's
score, the bounds of all shortfalls, the intervals of all ranks. Nominal 95 %. The truth is the
expected accuracy of a model that trains on nine tenths of the samples.
"""

import sys
import time

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import ExtraTreeClassifier

from benchmarks._cells import _split_scores, folds, true_accuracy
from benchmarks._logistic import accuracies, decisions, equal_blocks, masks
from sklearn_stats_compare.stats._best import rank_limits, regret_bounds
from sklearn_stats_compare.stats._nested import selection_optimism

# Name: candidates, samples, repeats of ten folds, standard deviation of the shifts between classes.
CELLS = {
    "30 equal, 60 samples, 10×1": (30, 60, 1, 0.0),
    "30 that differ, 60 samples, 10×1": (30, 60, 1, 0.1),
    "30 that differ, 300 samples, 10×1": (30, 300, 1, 0.1),
    "5 that differ, 300 samples, 10×3": (5, 300, 3, 0.1),
    "2 that differ little, 60 samples, 10×1": (2, 60, 1, 0.02),
}


def of_one_data_set(rng, n_candidates, n_samples, n_repeats, spread):
    """Whether each statement is true."""
    shifts = np.clip(rng.normal(0.4, spread, n_candidates), 0.05, 0.7)
    X, y = equal_blocks(rng, n_samples=n_samples, n_models=n_candidates, shift=0.0)
    X += shifts[:, None, None] * np.where(y, 1.0, -1.0)[:, None]
    train, test = masks(folds(rng, 10, n_repeats), y)
    scores = _split_scores(accuracies(decisions(X, y, train), y, test), train, test, 10)
    truth = true_accuracy(shifts, n_samples)
    found = selection_optimism(scores, rng=rng, metric="accuracy")
    low, high = found.limits(0.025)
    first, last = rank_limits(scores)
    rank = 1 + (shifts[:, None] < shifts).sum(axis=1)
    return {
        "interval of the leader's score covers": low <= truth[scores.order[0]] <= high,
        "all shortfalls are within their bounds": np.all(
            truth.max() - truth <= regret_bounds(scores)
        ),
        "all ranks are within their intervals": np.all((first <= rank) & (rank <= last)),
    }


def rates(name, n_data_sets, *, seed=31):
    """Share of data sets in which each statement is true, with its standard error."""
    rng = np.random.default_rng(seed)
    found = pd.DataFrame([of_one_data_set(rng, *CELLS[name]) for _ in range(n_data_sets)])
    rate = found.mean()
    return pd.DataFrame({"rate": rate, "se": np.sqrt(rate * (1 - rate) / n_data_sets)})


def equal_trees(n):
    """Six random trees that are equal but for their seeds, on five folds of 100 samples."""
    rng = np.random.default_rng(2)
    tables = np.empty((n, 6, 5))
    for values in tables:
        y = rng.permutation(np.repeat([0, 1], 50))
        X = rng.normal(size=(100, 5)) + 0.5 * y[:, None]
        for k, (train, test) in enumerate(StratifiedKFold(5).split(X, y)):
            for seed in range(6):
                fitted = ExtraTreeClassifier(random_state=seed).fit(X[train], y[train])
                values[seed, k] = fitted.score(X[test], y[test])
    return tables


def main(n_data_sets):
    for name in CELLS:
        start = time.perf_counter()
        print(f"{name}, {n_data_sets} data sets\n{(100 * rates(name, n_data_sets)).round(1)}")
        print(f"{time.perf_counter() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 400)
