"""Influences on ratios of counts: precision, recall, F-beta, Jaccard, and their averages.

The influence of sample i on a ratio N/D of two means is (N_i − (N/D)·D_i)/D: n times the derivative
of the score with respect to the sample's weight (the infinitesimal jackknife).
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_stats_compare.stats.per_sample._class_labels import Flags, indicators

Values = NDArray[np.float64]
Scored = tuple[float, Values]


def precision(
    y_true: Any,
    y_pred: Any,
    *,
    labels: ArrayLike | None = None,
    pos_label: Any = 1,
    average: str = "binary",
    zero_division: Any = "warn",
) -> Scored:
    """Precision: TP over the number predicted to be in the class."""
    true, said = _classes(y_true, y_pred, labels, pos_label, average)
    return _score(true & said, said, true, average, zero_division)


def recall(
    y_true: Any,
    y_pred: Any,
    *,
    labels: ArrayLike | None = None,
    pos_label: Any = 1,
    average: str = "binary",
    zero_division: Any = "warn",
) -> Scored:
    """Recall: TP over the number in the class."""
    true, said = _classes(y_true, y_pred, labels, pos_label, average)
    return _score(true & said, true, true, average, zero_division)


def fbeta(
    y_true: Any,
    y_pred: Any,
    *,
    beta: float,
    labels: ArrayLike | None = None,
    pos_label: Any = 1,
    average: str = "binary",
    zero_division: Any = "warn",
) -> Scored:
    """F-beta: (1 + β²)·TP over β²·(number in the class) + (number predicted)."""
    true, said = _classes(y_true, y_pred, labels, pos_label, average)
    if np.isinf(beta):
        return _score(true & said, true, true, average, zero_division)
    square = float(beta) ** 2
    right = (1 + square) * (true & said)
    return _score(right, square * true + said, true, average, zero_division)


def f1(
    y_true: Any,
    y_pred: Any,
    *,
    labels: ArrayLike | None = None,
    pos_label: Any = 1,
    average: str = "binary",
    zero_division: Any = "warn",
) -> Scored:
    """F1: `fbeta` with beta = 1."""
    return fbeta(
        y_true,
        y_pred,
        beta=1,
        labels=labels,
        pos_label=pos_label,
        average=average,
        zero_division=zero_division,
    )


def jaccard(
    y_true: Any,
    y_pred: Any,
    *,
    labels: ArrayLike | None = None,
    pos_label: Any = 1,
    average: str = "binary",
    zero_division: Any = "warn",
) -> Scored:
    """Jaccard: TP over the number in the class or predicted to be."""
    true, said = _classes(y_true, y_pred, labels, pos_label, average)
    return _score(true & said, true | said, true, average, zero_division)


def balanced_accuracy(y_true: Any, y_pred: Any, *, adjusted: bool = False) -> Scored:
    """Balanced accuracy A, the mean recall of the classes, and (n/(C·n_c))(correct − recall_c)."""
    true, said = indicators(y_true, y_pred)
    occurs = true.any(axis=0)
    true, said = true[:, occurs], said[:, occurs]
    score, influences = averaged(*ratios(true & said, true, 0.0))
    if not adjusted:
        return score, influences
    chance = 1 / true.shape[1]
    if chance == 1:
        return np.nan, influences
    return (score - chance) / (1 - chance), influences / (1 - chance)


def positive_likelihood_ratio(y_true: Any, y_pred: Any) -> Scored:
    """LR+: the true positive rate over the false positive rate; NaN if the latter is 0."""
    true, said = _two_classes(y_true, y_pred)
    return _quotient(ratios(true & said, true, np.nan), ratios(~true & said, ~true, np.nan))


def negative_likelihood_ratio(y_true: Any, y_pred: Any) -> Scored:
    """LR−: the false negative rate over the true negative rate; NaN if the latter is 0."""
    true, said = _two_classes(y_true, y_pred)
    return _quotient(ratios(true & ~said, true, np.nan), ratios(~true & ~said, ~true, np.nan))


def ratios(numerator: Any, denominator: Any, undefined: float) -> tuple[Values, Values]:
    """Return ratios of the means of columns, and the influences on them, (n_samples, n_columns).

    A ratio with denominator 0 is `undefined`, and all influences on it are 0.
    """
    means = np.mean(denominator, axis=0)
    empty = means == 0
    safe = np.where(empty, 1, means)
    found = np.mean(numerator, axis=0) / safe
    influences = np.where(empty, 0.0, (numerator - found * denominator) / safe)
    return np.where(empty, undefined, found), influences


def averaged(scores: Values, influences: Values, members: Any = None) -> Scored:
    """Return the mean of the defined scores and the influences on it.

    `members` (n_samples, n_columns) have the weights of the columns as their means. Samples
    influence these weights too.
    """
    defined = ~np.isnan(scores)
    if not defined.any():
        return np.nan, np.zeros(len(influences))
    scores, influences = scores[defined], influences[:, defined]
    if members is None or not np.any(members[:, defined]):
        return float(scores.mean()), influences.mean(axis=1)
    members = np.asarray(members[:, defined], dtype=np.float64)
    weights = members.mean(axis=0)
    mean = float(scores @ weights / weights.sum())
    return mean, (influences @ weights + members @ (scores - mean)) / weights.sum()


def _classes(
    y_true: Any, y_pred: Any, labels: ArrayLike | None, pos_label: Any, average: str
) -> tuple[Flags, Flags]:
    return indicators(y_true, y_pred, [pos_label] if average == "binary" else labels)


def _two_classes(y_true: Any, y_pred: Any) -> tuple[Flags, Flags]:
    true, said = indicators(y_true, y_pred)
    # Classes are sorted; the greater is the positive one.
    return true[:, -1:], said[:, -1:]


def _quotient(one: tuple[Values, Values], other: tuple[Values, Values]) -> Scored:
    (above, by_above), (below, by_below) = one, other
    if not below[0] > 0:  # also if it is NaN
        return np.nan, np.zeros(len(by_above))
    quotient = above[0] / below[0]
    return float(quotient), (by_above[:, 0] - quotient * by_below[:, 0]) / below[0]


def _score(
    numerator: Any, denominator: Any, true: Flags, average: str, zero_division: Any
) -> Scored:
    undefined = 0.0 if isinstance(zero_division, str) else float(zero_division)
    if average == "samples":
        return _over_samples(numerator.sum(axis=1), denominator.sum(axis=1), undefined)
    if average == "micro":
        numerator = numerator.sum(axis=1, keepdims=True)
        denominator = denominator.sum(axis=1, keepdims=True)
    elif average not in ("binary", "macro", "weighted"):
        raise ValueError(f"`average` must give one number; got {average!r}.")
    members = true if average == "weighted" else None
    return averaged(*ratios(numerator, denominator, undefined), members)


def _over_samples(numerator: Any, denominator: Any, undefined: float) -> Scored:
    """The mean of a score per sample; samples with an undefined score are left out."""
    found = np.where(
        denominator == 0, undefined, numerator / np.where(denominator == 0, 1, denominator)
    )
    defined = ~np.isnan(found)
    if not defined.any():
        return np.nan, np.zeros(len(found))
    mean = float(found[defined].mean())
    return mean, np.where(defined, found - mean, 0.0) / defined.mean()
