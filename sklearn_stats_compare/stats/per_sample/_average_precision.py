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

    The precision at the score of sample i is TP_i/N_i, of the N_i samples that score as high or
    higher. With P positives in the fold, the influence of sample k is
    (n/P)·[y_k(TP_k/N_k − AP) + Σ (y_k − TP_i/N_i)/N_i], the sum over positives that score no
    higher than k: it stands before them in the ranking.
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
    # Ranks from the highest score, all of a tie as the last of them.
    above = stats.rankdata(-scores, method="max").astype(np.intp)
    order = np.argsort(-scores, kind="stable")
    true_above = np.cumsum(positive[order])[above - 1]
    precision = true_above / above
    score = float(precision[positive].mean())
    # Sums over positives that score no higher than each sample: those from its own tie on.
    first_of_tie = stats.rankdata(-scores, method="min").astype(np.intp) - 1
    sums = []
    for terms in (positive / above, positive * precision / above):
        from_place = np.cumsum(terms[order][::-1])[::-1]
        sums.append(from_place[first_of_tie])
    influences = positive * (precision - score) + positive * sums[0] - sums[1]
    return score, influences * n / n_positive
