"""Cells of the study of per-sample tests: equal or known models with a value for every sample."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier

from benchmarks._cells import folds
from benchmarks._logistic import decisions, equal_blocks, masks
from sklearn_stats_compare import SplitDesign, SplitScores
from sklearn_stats_compare.stats import SampleScores

N_MODELS = 10


@dataclass(frozen=True)
class SampleCell:
    """Models of one kind under one score, on data sets of one size.

    Attributes
    ----------
    values : callable
        ``values(rng, train, test, X, y)`` → values per sample, (models, samples, splits): of what a
        split did not test on they are never read.
    data : callable
        ``data(rng)`` → (X, y).
    form : str
        That of `SampleScores`.
    """

    values: Callable[..., np.ndarray]
    data: Callable[[np.random.Generator], Any]
    form: str = "mean"

    def scores(self, rng, n_folds, n_repeats):
        """SplitScores, with their samples, of one data set."""
        X, y = self.data(rng)
        train, test = masks(folds(rng, n_folds, n_repeats), y)
        return with_samples(self.values(X, y, train, test), train, test, n_folds, self.form)


def with_samples(values, train, test, n_folds, form="mean"):
    """Scores of the splits and values of the samples, from (models, samples, splits)."""
    n_models, n_samples, n_splits = values.shape
    repeat = np.arange(n_splits) // n_folds
    splits = (values * test.T).sum(axis=1) / test.sum(axis=1)
    by_repeat = (values * test.T).reshape(n_models, n_samples, -1, n_folds).sum(axis=3)
    design = SplitDesign(train.sum(axis=1), test.sum(axis=1), repeat)
    return SplitScores(splits, design, SampleScores(by_repeat.transpose(0, 2, 1), n_folds, form))


def of_accuracy(X, y, train, test):
    """1 where a logistic regression is right."""
    return ((decisions(X, y, train) > 0) == y[:, None]).astype(float)


def of_log_loss(X, y, train, test, C=1.0):
    """The negative log loss of logistic regressions."""
    value = decisions(X, y, train, C)
    return -np.logaddexp(0, np.where(y[:, None], -value, value))


def of_area(X, y, train, test):
    """The area of each split plus the influence of the sample on it."""
    value = decisions(X, y, train)
    phi = np.zeros_like(value)
    for k, tested in enumerate(test):
        up, down = np.flatnonzero(tested & y), np.flatnonzero(tested & ~y)
        own = value[:, :, k]
        ahead = np.sign(own[:, up, None] - own[:, None, down]) / 2 + 0.5
        area = ahead.mean(axis=(1, 2))[:, None]
        n = tested.sum()
        phi[:, up, k] = area + n / len(up) * (ahead.mean(axis=2) - area)
        phi[:, down, k] = area + n / len(down) * (ahead.mean(axis=1) - area)
    return phi


def ratio(numerator, denominator):
    """Ratio of two counts in each split plus the influence of the sample on it; 0 for 0/0."""

    def values(X, y, train, test):
        predicted = decisions(X, y, train) > 0
        phi = np.zeros(predicted.shape)
        for k, tested in enumerate(test):
            own, truth = predicted[:, tested, k], np.broadcast_to(y[tested], (len(X), tested.sum()))
            above, below = (1.0 * count(own, truth) for count in (numerator, denominator))
            mean = below.mean(axis=1, keepdims=True)
            mean[mean == 0] = 1.0
            score = above.mean(axis=1, keepdims=True) / mean
            phi[:, tested, k] = score + (above - score * below) / mean
        return phi

    return values


of_f1 = ratio(lambda own, truth: 2 * (own & truth), lambda own, truth: 1 * own + truth)
of_precision = ratio(lambda own, truth: own & truth, lambda own, truth: own)
of_recall = ratio(lambda own, truth: own & truth, lambda own, truth: truth)


def by(make):
    """1 where a model of scikit-learn is right; it sees nothing but its own block."""

    def values(X, y, train, test):
        right = np.zeros((len(X), len(y), len(train)))
        for k in range(len(train)):
            for model, own in enumerate(X):
                fitted = make(model).fit(own[train[k]], y[train[k]])
                right[model, test[k], k] = fitted.predict(own[test[k]]) == y[test[k]]
        return right

    return values


def of_nearest(X, y, train, test):
    """1 where the nearest sample that is trained on is of the same class."""
    distance = ((X[:, :, None] - X[:, None]) ** 2).sum(axis=3)
    columns = [y[np.where(some, distance, np.inf).argmin(axis=2)] == y for some in train]
    return np.stack(columns, axis=2).astype(float)


def blocks(n_samples, n_models=N_MODELS, **options):
    """Data of models that are equal: `equal_blocks`."""
    return lambda rng: equal_blocks(rng, n_samples=n_samples, n_models=n_models, **options)


def near_duplicates(n_samples):
    """Ten models on one signal, each with a little noise of its own."""

    def data(rng):
        X, y = equal_blocks(rng, n_samples=n_samples, n_models=1)
        return X + 0.1 * rng.standard_normal((N_MODELS, *X.shape[1:])), y

    return data


def unpruned(model):
    """An unpruned tree."""
    return DecisionTreeClassifier(random_state=0)


SAMPLE_CELLS = {
    "logistic, accuracy, n = 100": SampleCell(of_accuracy, blocks(100)),
    "logistic, accuracy, n = 300": SampleCell(of_accuracy, blocks(300)),
    "logistic, log loss, n = 100": SampleCell(of_log_loss, blocks(100)),
    "logistic, log loss, n = 300": SampleCell(of_log_loss, blocks(300)),
    "logistic, ROC AUC, n = 100": SampleCell(of_area, blocks(100), "auc"),
    "noise, ROC AUC, n = 100": SampleCell(of_area, blocks(100, shift=0.0), "auc"),
    "logistic, F1, 10 % positives, n = 300": SampleCell(of_f1, blocks(300, share=0.1)),
    "logistic, F1, 20 % positives, n = 300": SampleCell(of_f1, blocks(300, share=0.2)),
    "logistic, precision, 20 % positives, n = 300": SampleCell(
        of_precision, blocks(300, share=0.2)
    ),
    "logistic, recall, 20 % positives, n = 300": SampleCell(of_recall, blocks(300, share=0.2)),
    "logistic, recall, 20 % positives, n = 1,000": SampleCell(of_recall, blocks(1000, share=0.2)),
    "near-duplicates, accuracy, n = 300": SampleCell(of_accuracy, near_duplicates(300)),
    "trees, accuracy, n = 100": SampleCell(by(unpruned), blocks(100, 4)),
    "trees, accuracy, n = 300": SampleCell(by(unpruned), blocks(300, 4)),
    "random-split trees, accuracy, n = 100": SampleCell(
        by(lambda model: ExtraTreeClassifier(random_state=model)), blocks(100, 4)
    ),
    "1-NN, accuracy, n = 100": SampleCell(of_nearest, blocks(100)),
}

FAMILY_CELLS = {
    "30 logistic, accuracy, n = 100": SampleCell(of_accuracy, blocks(100, 30)),
    "30 logistic, log loss, n = 100": SampleCell(of_log_loss, blocks(100, 30)),
}
"""Many models, of which any pair counts."""

N_LARGE = 10_000
LARGE_CELLS = {
    f"logistic, accuracy, n = {N_LARGE:,}": SampleCell(of_accuracy, blocks(N_LARGE, 4)),
    f"trees, accuracy, n = {N_LARGE:,}": SampleCell(by(unpruned), blocks(N_LARGE, 4)),
}
