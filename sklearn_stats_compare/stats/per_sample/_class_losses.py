"""Per-sample values of classification metrics that are means: hits, log loss, Brier score, costs.

Each function has the arguments of scikit-learn's metric and returns one number per sample. The
mean of these numbers is the metric.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import xlogy

from sklearn_stats_compare.stats.per_sample._class_labels import as_labels, classes_of, codes

Values = NDArray[np.float64]


def hits(y_true: Any, y_pred: Any) -> Values:
    """1 for each sample whose labels are all predicted correctly, else 0."""
    truth, predicted = as_labels(y_true), as_labels(y_pred)
    right = np.asarray(truth == predicted)
    return np.asarray(right if right.ndim == 1 else right.all(axis=1), dtype=np.float64)


def misses(y_true: Any, y_pred: Any) -> Values:
    """1 for each sample with any wrong label, else 0."""
    return 1.0 - hits(y_true, y_pred)


def label_misses(y_true: Any, y_pred: Any) -> Values:
    """The share of wrong labels of each sample: the Hamming loss."""
    wrong = np.asarray(as_labels(y_true) != as_labels(y_pred), dtype=np.float64)
    return wrong if wrong.ndim == 1 else wrong.mean(axis=1)


def log_losses(y_true: Any, y_proba: ArrayLike, *, labels: ArrayLike | None = None) -> Values:
    """Negative logarithm of the predicted probability of the true class."""
    probabilities = _columns(y_proba)
    # scikit-learn clips probabilities to this distance from 0 and 1, by their own precision.
    eps = np.finfo(probabilities.dtype).eps
    clipped = np.clip(probabilities, eps, 1 - eps).astype(np.float64)
    return -xlogy(one_hot(y_true, clipped.shape[1], labels), clipped).sum(axis=1)


def brier_losses(
    y_true: Any,
    y_proba: ArrayLike,
    *,
    labels: ArrayLike | None = None,
    pos_label: Any = None,
    scale_by_half: bool | str = "auto",
) -> Values:
    """Squared distance of the probabilities from 1 for the true class and 0 for the others.

    With two classes, half of it: the squared error of one probability.
    """
    probabilities = _columns(y_proba).astype(np.float64)
    truth = brier_truth(y_true, y_proba, labels=labels, pos_label=pos_label)
    losses = ((truth - probabilities) ** 2).sum(axis=1)
    is_half = probabilities.shape[1] < 3 if scale_by_half == "auto" else scale_by_half
    return losses / 2 if is_half else losses


def brier_truth(
    y_true: Any, y_proba: ArrayLike, *, labels: ArrayLike | None, pos_label: Any
) -> Values:
    """Indicators of the true classes with which `brier_losses` compares the probabilities."""
    array = np.asarray(y_proba)
    if array.ndim == 1 or array.shape[1] == 1:
        positive = np.asarray(as_labels(y_true) == _positive(y_true, pos_label))
        return np.column_stack([~positive, positive]).astype(np.float64)
    return one_hot(y_true, array.shape[1], labels)


def top_k_hits(
    y_true: Any, y_score: ArrayLike, *, k: int = 2, labels: ArrayLike | None = None
) -> Values:
    """1 if the true class is among the `k` with the highest scores, else 0."""
    truth, scores = as_labels(y_true), np.asarray(y_score)
    classes = np.unique(truth if labels is None else np.asarray(labels))
    true_codes = codes(truth, classes)
    if scores.ndim == 1 or scores.shape[1] == 1:
        if k > 1:
            return np.ones(len(truth))
        scores = scores.ravel()
        # scikit-learn distinguishes probabilities from decision values in this way.
        threshold = 0.5 if scores.min() >= 0 and scores.max() <= 1 else 0
        return ((scores > threshold) == true_codes).astype(np.float64)
    # Among equal scores scikit-learn takes the class with the higher number first.
    highest = np.argsort(scores, axis=1, kind="stable")[:, ::-1][:, :k]
    return (highest == true_codes[:, None]).any(axis=1).astype(np.float64)


def costs(
    y_true: Any, y_pred: Any, *, cost_matrix: ArrayLike, labels: ArrayLike | None = None
) -> Values:
    """Cost of each prediction: `cost_matrix` at the row of the true class and predicted column."""
    matrix = np.asarray(cost_matrix, dtype=np.float64)
    classes = classes_of(y_true, y_pred) if labels is None else np.asarray(labels)
    return matrix[codes(as_labels(y_true), classes), codes(as_labels(y_pred), classes)]


def one_hot(y_true: Any, n_columns: int, labels: ArrayLike | None = None) -> Values:
    """1 in the column of each sample's class and 0 elsewhere; columns are sorted classes.

    A multilabel sample has a 1 in the column of each of its labels.
    """
    truth = as_labels(y_true)
    if truth.ndim == 2:
        return truth.astype(np.float64)
    classes = np.unique(truth if labels is None else np.asarray(labels))
    if len(classes) != n_columns:
        raise ValueError(
            f"`labels` must be given where not every class of the probabilities, {n_columns}, "
            f"occurs; got {len(classes)}."
        )
    return np.eye(n_columns)[codes(truth, classes)]


def _columns(probabilities: ArrayLike) -> NDArray[Any]:
    """Return a column per class; for two classes the input may be the positive column alone."""
    array = np.asarray(probabilities)
    if array.dtype.kind != "f":
        array = array.astype(np.float64)
    array = array[:, None] if array.ndim == 1 else array
    return np.column_stack([1 - array, array]) if array.shape[1] == 1 else array


def _positive(y_true: Any, pos_label: Any) -> Any:
    """The positive class as in scikit-learn: 1 in {0, 1} and {-1, 1}, else the greater."""
    if pos_label is not None:
        return pos_label
    classes = np.unique(as_labels(y_true))
    # In a fold of zeros only, 1 is still the positive class.
    return (
        1 if classes.dtype.kind in "iufb" and set(classes.tolist()) <= {-1, 0, 1} else classes[-1]
    )
