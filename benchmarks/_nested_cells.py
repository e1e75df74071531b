"""Cells of the study of intervals for one score: a procedure, its data, and a value per sample.

A procedure is ``values(X, y, train, X_test, y_test)`` → scores of all test samples by the model of
every training set, shape (n_test, n_splits), higher is better.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import expit
from sklearn.tree import DecisionTreeClassifier

from benchmarks._logistic import decisions, equal_blocks

PENALTIES = np.geomspace(1e-3, 10, 5)
INNER_FOLDS = 5


@dataclass(frozen=True)
class NestedCell:
    """One procedure on data of one kind.

    Attributes
    ----------
    values : callable
        The procedure.
    data : callable
        ``data(rng, n_samples)`` → (X, y).
    sizes : tuple of int
        Numbers of samples.
    pairs_of_ten : bool
        Whether ten folds are nested too, which takes 550 fits per data set.
    """

    values: Callable[..., np.ndarray]
    data: Callable[[np.random.Generator, int], Any]
    sizes: tuple[int, ...] = (60, 100, 300)
    pairs_of_ten: bool = True


def labels(rng, y, n_folds):
    """The fold of each sample, at random; folds have equal shares of both classes."""
    order = rng.permutation(len(y))
    if y.dtype == bool:
        order = order[np.argsort(y[order], kind="stable")]
    found = np.empty(len(y), dtype=int)
    found[order] = np.arange(len(y)) % n_folds
    return found


def _with_intercept(X):
    return np.column_stack([X, np.ones(len(X))])


def _coefficients(X, y, train, C):
    """Coefficients of logistic regressions, (n_penalties, n_features + 1, n_splits)."""
    C = np.atleast_1d(C)
    value = decisions(np.broadcast_to(X, (len(C), *X.shape)), y, train, C)
    # Decision values are linear in the features, so that they determine the coefficients.
    return np.linalg.pinv(_with_intercept(X)) @ value


def _right(value, y):
    return ((value > 0) == y[:, None]).astype(float)


def _minus_log_loss(value, y):
    return -np.logaddexp(0, np.where(y[:, None], -value, value))


def logistic(score, C=1.0):
    """Logistic regression with one penalty."""

    def values(X, y, train, X_test, y_test):
        (coef,) = _coefficients(X, y, train, C)
        return score(_with_intercept(X_test) @ coef, y_test)

    return values


def tuned(score, chosen_by=_minus_log_loss):
    """Logistic regression; the penalty is chosen by five folds within each training set."""

    def values(X, y, train, X_test, y_test):
        # Inner folds are new for each training set, and the same for all penalties.
        rng = np.random.default_rng(0)
        inner = np.full(train.shape, -1)
        for k, some in enumerate(train):
            inner[k, some] = labels(rng, y[some], INNER_FOLDS)
        masks = [train & (inner != fold) for fold in range(INNER_FOLDS)]
        coef = _coefficients(X, y, np.concatenate([*masks, train]), PENALTIES)
        design, n = _with_intercept(X), len(train)
        total = np.zeros((len(PENALTIES), n))
        for fold in range(INNER_FOLDS):
            own = coef[:, :, fold * n : (fold + 1) * n]
            for row, each in enumerate(own):
                tested = (inner == fold).T
                total[row] += (chosen_by(design @ each, y) * tested).sum(axis=0)
        best = total.argmax(axis=0)
        refitted = coef[best, :, INNER_FOLDS * n + np.arange(n)].T
        return score(_with_intercept(X_test) @ refitted, y_test)

    return values


def tree(X, y, train, X_test, y_test):
    """Accuracy of an unpruned tree, which changes much with its training set."""
    found = np.empty((len(X_test), len(train)))
    X, X_test = (np.ascontiguousarray(each, dtype=np.float32) for each in (X, X_test))
    for k, some in enumerate(train):
        fitted = DecisionTreeClassifier(random_state=0).fit(X[some], y[some], check_input=False)
        found[:, k] = fitted.predict(X_test, check_input=False) == y_test
    return found


def nearest(X, y, train, X_test, y_test):
    """Accuracy of the nearest neighbour."""
    distance = ((X_test**2).sum(axis=1)[:, None] + (X**2).sum(axis=1)) - 2 * X_test @ X.T
    order = distance.argsort(axis=1)
    columns = [
        y[order[np.arange(len(X_test)), some[order].argmax(axis=1)]] == y_test for some in train
    ]
    return np.column_stack(columns).astype(float)


def least_squares(X, y, train, X_test, y_test):
    """The negative squared error of a linear regression."""
    design = _with_intercept(X)
    p = design.shape[1]
    products = (design[:, :, None] * design[:, None, :]).reshape(len(X), p * p)
    weight = train.astype(float)
    gram = (weight @ products).reshape(-1, p, p)
    coef = np.linalg.solve(gram, (weight @ (design * y[:, None]))[..., None])[..., 0]
    return -((y_test[:, None] - _with_intercept(X_test) @ coef.T) ** 2)


def block(shift=0.4, n_features=5):
    """Two classes, the features of which are shifted normals."""

    def data(rng, n_samples):
        X, y = equal_blocks(
            rng, n_samples=n_samples, n_models=1, n_features=n_features, shift=shift
        )
        return X[0], y

    return data


def sparse(rng, n_samples):
    """10 features, of which 4 matter."""
    X = rng.standard_normal((n_samples, 10))
    return X, rng.random(n_samples) < expit(X[:, :4].sum(axis=1) / 2)


def linear(rng, n_samples):
    """A target that is the sum of 20 features and as much noise, with five degrees of freedom."""
    X = rng.standard_normal((n_samples, 20))
    return X, X.sum(axis=1) / np.sqrt(20) + rng.standard_t(5, size=n_samples) * np.sqrt(3 / 5)


SMALL = (30, 60, 100, 300)
NESTED_CELLS = {
    "logistic, accuracy": NestedCell(logistic(_right), block(), SMALL),
    "logistic, log loss": NestedCell(logistic(_minus_log_loss), block(), SMALL),
    "logistic of noise, accuracy": NestedCell(logistic(_right), block(shift=0.0)),
    "weak penalty, log loss": NestedCell(
        logistic(_minus_log_loss, C=100.0), block(n_features=10), (100, 300)
    ),
    "least squares, squared error": NestedCell(least_squares, linear, (60, 100, 300)),
    "nearest neighbour, accuracy": NestedCell(nearest, block()),
    "tree, accuracy": NestedCell(tree, block(), (100, 300), pairs_of_ten=False),
    "tuned, accuracy": NestedCell(tuned(_right), sparse, (100, 300), pairs_of_ten=False),
    "tuned, log loss": NestedCell(tuned(_minus_log_loss), sparse, (100,), pairs_of_ten=False),
}
