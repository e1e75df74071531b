"""Cells of the calibration study: equal or known models, a cross-validation, a score."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from sklearn.model_selection import (
    KFold,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
)
from sklearn.tree import DecisionTreeClassifier

from benchmarks._logistic import accuracies, areas, decisions, equal_blocks, masks
from sklearn_stats_compare import SplitDesign, SplitScores

N_MODELS = 10
SPREAD = 0.04
"""Standard deviation of the shifts of models that differ."""


@dataclass(frozen=True)
class Cell:
    """One design under one cross-validation.

    Attributes
    ----------
    scores : callable
        ``scores(rng)`` → (SplitScores of one data set, true means of its models or None where
        they are equal).
    n_data_sets : int
        How many are simulated.
    """

    scores: Callable[[np.random.Generator], tuple[SplitScores, np.ndarray | None]]
    n_data_sets: int


def folds(rng, n_splits, n_repeats):
    return RepeatedStratifiedKFold(
        n_splits=n_splits, n_repeats=n_repeats, random_state=int(rng.integers(2**31))
    )


def subsamples(rng):
    return ShuffleSplit(30, test_size=0.3, random_state=int(rng.integers(2**31)))


def ten_by_ten(rng):
    return folds(rng, 10, 10)


def one_by_ten(rng):
    return folds(rng, 10, 1)


def _split_scores(values, train, test, n_folds):
    repeat = np.arange(len(train)) // n_folds if n_folds else None
    halves = n_folds == 2
    design = SplitDesign(train.sum(axis=1), test.sum(axis=1), repeat, complementary_halves=halves)
    return SplitScores(values, design)


def blocks(rng, cv=ten_by_ten, n_folds=10, n_samples=300, shift=0.4, score=accuracies, share=0.5):
    """Logistic regressions, each on features of its own that are alike given the class."""
    X, y = equal_blocks(rng, n_samples=n_samples, n_models=N_MODELS, shift=shift, share=share)
    train, test = masks(cv(rng), y)
    return _split_scores(score(decisions(X, y, train), y, test), train, test, n_folds), None


def near_duplicates(rng):
    """Ten logistic regressions on one signal, each with a little noise of its own."""
    X, y = equal_blocks(rng, n_samples=300, n_models=1)
    X = X + 0.1 * rng.standard_normal((N_MODELS, *X.shape[1:]))
    train, test = masks(ten_by_ten(rng), y)
    return _split_scores(accuracies(decisions(X, y, train), y, test), train, test, 10), None


def trees(rng, n_models=4):
    """Unpruned trees on blocks: they change much with their training set."""
    X, y = equal_blocks(rng, n_samples=300, n_models=n_models)
    train, test = masks(ten_by_ten(rng), y)
    values = np.empty((n_models, len(train)))
    for model in range(n_models):
        tree = DecisionTreeClassifier(random_state=0)
        for k in range(len(train)):
            predicted = tree.fit(X[model][train[k]], y[train[k]]).predict(X[model][test[k]])
            values[model, k] = np.mean(predicted == y[test[k]])
    return _split_scores(values, train, test, 10), None


def ridge(rng):
    """Ridge regressions on blocks of a target that depends on all of them alike, scored by R²."""
    n_samples, n_features = 300, 5
    X = rng.standard_normal((N_MODELS, n_samples, n_features))
    y = X.sum(axis=(0, 2)) / np.sqrt(n_features) + rng.standard_normal(n_samples)
    train, test = masks(
        RepeatedKFold(n_splits=10, n_repeats=10, random_state=int(rng.integers(2**31))), y
    )
    values = np.empty((N_MODELS, len(train)))
    for k in range(len(train)):
        centre = X[:, train[k]].mean(axis=1, keepdims=True)
        level = y[train[k]].mean()
        Z = X[:, train[k]] - centre
        gram = Z.transpose(0, 2, 1) @ Z + np.eye(n_features)
        coef = np.linalg.solve(gram, (Z.transpose(0, 2, 1) @ (y[train[k]] - level))[..., None])
        predicted = ((X[:, test[k]] - centre) @ coef)[..., 0] + level
        own = y[test[k]]
        values[:, k] = 1 - ((own - predicted) ** 2).sum(axis=1) / ((own - own.mean()) ** 2).sum()
    return _split_scores(values, train, test, 10), None


def differing(rng, cv=ten_by_ten, n_folds=10):
    """Blocks whose shifts differ, and the accuracy that each model has on average over data."""
    shifts = np.maximum(0.05, rng.normal(0.4, SPREAD, N_MODELS))
    X, y = equal_blocks(rng, n_samples=300, n_models=N_MODELS, shift=0.0)
    X += shifts[:, None, None] * np.where(y, 1.0, -1.0)[:, None]
    train, test = masks(cv(rng), y)
    values = accuracies(decisions(X, y, train), y, test)
    return _split_scores(values, train, test, n_folds), true_accuracy(shifts)


def true_accuracy(shifts, n_samples=300):
    """Expected accuracy of a logistic regression that trains on 9/10 of such a block's samples."""
    grid, accuracy = _accuracy_of_shift(n_samples)
    return np.interp(shifts, grid, accuracy)


@cache
def _accuracy_of_shift(n_samples):
    """A smooth curve through simulated accuracies of 18,000 samples and 10 models each."""
    rng = np.random.default_rng(7)
    grid = np.linspace(0.05, 0.7, 14)
    found = []
    for shift in grid:
        values = []
        for _ in range(18_000 // n_samples):
            X, y = equal_blocks(rng, n_samples=n_samples, n_models=N_MODELS, shift=shift)
            train, test = masks(KFold(10), y)
            values.append(accuracies(decisions(X, y, train), y, test).mean())
        found.append(np.mean(values))
    return grid, np.polynomial.Polynomial.fit(grid, found, 5)(grid)


def _blocks(**options):
    return lambda rng: blocks(rng, **options)


CELLS: dict[str, Any] = {
    "blocks, N = 300, 10×10, accuracy": Cell(blocks, 1500),
    "N = 100": Cell(_blocks(n_samples=100), 300),
    "near chance (accuracy 0.57)": Cell(_blocks(shift=0.1), 300),
    "near-duplicates": Cell(near_duplicates, 300),
    "unpruned trees": Cell(trees, 300),
    "ridge regression, R²": Cell(ridge, 300),
    "ROC AUC, 10 % positives": Cell(_blocks(score=areas, share=0.1), 300),
    "10×1": Cell(_blocks(cv=one_by_ten), 500),
    "5×5": Cell(_blocks(cv=lambda rng: folds(rng, 5, 5), n_folds=5), 300),
    "10×3": Cell(_blocks(cv=lambda rng: folds(rng, 10, 3)), 300),
    "30 × 70/30": Cell(_blocks(cv=subsamples, n_folds=0), 300),
    "5×2": Cell(_blocks(cv=lambda rng: folds(rng, 2, 5), n_folds=2), 500),
    "differing blocks": Cell(differing, 500),
    "differing blocks, 10×1": Cell(lambda rng: differing(rng, one_by_ten), 500),
    "differing blocks, 5×1": Cell(lambda rng: differing(rng, lambda r: folds(r, 5, 1), 5), 500),
}
MAIN = next(iter(CELLS))
