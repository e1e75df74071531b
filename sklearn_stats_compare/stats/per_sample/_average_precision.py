"""Influences on average precision."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from sklearn_stats_compare.stats.per_sample._class_labels import Flags, as_labels
from sklearn_stats_compare.stats.per_sample._over_classes import over_classes

Values = NDArray[np.float64]
Scored = tuple[float, Values]


def average_precision(
    y_true: Any, y_score: ArrayLike, *, average: str = "macro", pos_label: Any = 1
) -> Scored:
    """Average precision: the mean over positives of the precision at their score.

    N_i samples score as high as sample i or higher, TP_i of them positive: the precision at its
    score is TP_i/N_i. With P positives in the fold, the influence of sample k is
    (n/P)·[y_k(TP_k/N_k − AP) + Σ (y_k − TP_i/N_i)/N_i]. The sum is over positives that score no
    higher than k, which are ranked after it.
    """
    truth, scores = as_labels(y_true), np.asarray(y_score, dtype=np.float64)
    if truth.ndim == 2:
        return over_classes(_of_two, truth != 0, scores, average)
    classes = np.unique(truth)
    if len(classes) > 2:
        return over_classes(_of_two, truth[:, None] == classes, scores, average)
    return _of_two(np.asarray(truth == pos_label), scores.reshape(len(truth), -1)[:, -1])


def _of_two(positive: Flags, scores: Values) -> Scored:
    n, n_positive = len(positive), int(positive.sum())
    if not n_positive:
        return 0.0, np.zeros(n)  # scikit-learn's, with a warning
    # Ranks from the highest score; ties all get the last of their ranks.
    above = stats.rankdata(-scores, method="max").astype(np.intp)
    order = np.argsort(-scores, kind="stable")
    true_above = np.cumsum(positive[order])[above - 1]
    precision = true_above / above
    score = float(precision[positive].mean())
    # For each sample the sum over positives that score no higher: from its own tie on.
    first_of_tie = stats.rankdata(-scores, method="min").astype(np.intp) - 1
    sums = []
    for terms in (positive / above, positive * precision / above):
        from_place = np.cumsum(terms[order][::-1])[::-1]
        sums.append(from_place[first_of_tie])
    influences = positive * (precision - score) + positive * sums[0] - sums[1]
    return score, influences * n / n_positive
