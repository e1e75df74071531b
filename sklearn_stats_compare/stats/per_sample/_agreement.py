"""Influences on measures of agreement: Matthews' correlation and Cohen's kappa."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_stats_compare.stats.per_sample._class_labels import (
    as_labels,
    classes_of,
    codes,
    indicators,
)

Scored = tuple[float, NDArray[np.float64]]


def matthews(y_true: Any, y_pred: Any) -> Scored:
    """Matthews' correlation: covariance of the classes over the root of both variances."""
    true, said = (flags.astype(np.float64) for flags in indicators(y_true, y_pred))
    of_true, of_said = true.mean(axis=0), said.mean(axis=0)
    right = (true * said).sum(axis=1)
    covariance = right.mean() - of_true @ of_said
    variances = [1 - share @ share for share in (of_true, of_said)]
    # scikit-learn counts in integers, so that the variance of a single class is exactly 0.
    if any((flags == flags[0]).all() for flags in (true, said)):
        return 0.0, np.zeros(len(true))
    scale = np.sqrt(variances[0] * variances[1])
    score = covariance / scale
    by_covariance = (right - right.mean()) - (true - of_true) @ of_said - (said - of_said) @ of_true
    # The derivative of 1 − p·p is −2p.
    by_variances = sum(
        -2 * (flags - share) @ share / variance
        for flags, share, variance in zip((true, said), (of_true, of_said), variances, strict=True)
    )
    return float(score), by_covariance / scale - score / 2 * by_variances


def kappa(
    y1: Any, y2: Any, *, labels: ArrayLike | None = None, weights: str | None = None
) -> Scored:
    """Cohen's kappa: 1 − disagreement over the disagreement expected by chance."""
    classes = classes_of(y1, y2) if labels is None else np.asarray(labels)
    one, other = (codes(as_labels(values), classes) for values in (y1, y2))
    steps = np.abs(np.subtract.outer(np.arange(len(classes)), np.arange(len(classes))))
    distance = {None: steps != 0, "linear": steps, "quadratic": steps**2}[weights] * 1.0
    of_one, of_other = (
        np.bincount(rater, minlength=len(classes)) / len(rater) for rater in (one, other)
    )
    found, by_chance = distance[one, other], of_one @ distance @ of_other
    if by_chance == 0:
        return np.nan, np.zeros(len(one))
    ratio = found.mean() / by_chance
    expected = (distance @ of_other)[one] + (of_one @ distance)[other] - 2 * by_chance
    return float(1 - ratio), -((found - found.mean()) - ratio * expected) / by_chance
