"""Influences on areas under ROC curves, for two classes or averaged over classes or pairs."""

from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_stats_compare.stats._delong import placements
from sklearn_stats_compare.stats.per_sample._class_labels import Flags, as_labels, codes
from sklearn_stats_compare.stats.per_sample._over_classes import over_classes
from sklearn_stats_compare.stats.per_sample._ratios import averaged

Values = NDArray[np.float64]
Scored = tuple[float, Values]


def roc_auc(
    y_true: Any,
    y_score: ArrayLike,
    *,
    average: str = "macro",
    multi_class: str = "raise",
    labels: ArrayLike | None = None,
) -> Scored:
    """Area A under the ROC curve and (n/n_c)·(V_i − mean V of the class).

    V_i is the placement value of sample i: the share of the other class in the fold that it is
    ranked correctly against, with ties as 1/2. For several classes scikit-learn averages the areas
    of each class against the rest ("ovr") or of each pair ("ovo"), and the influences are averaged
    alike.
    """
    truth, scores = as_labels(y_true), np.asarray(y_score, dtype=np.float64)
    if truth.ndim == 2:
        return over_classes(_area, truth != 0, scores, average)
    classes = np.unique(truth)
    n_columns = 1 if scores.ndim == 1 else scores.shape[1]
    if len(classes) <= 2 and n_columns <= 2:
        # A fold with a single class has no area.
        return _area(truth == classes[-1], scores.reshape(len(truth), -1)[:, -1])
    classes = classes if labels is None else np.asarray(labels)
    if multi_class == "ovo":
        return _of_pairs(codes(truth, classes), scores, average)
    if multi_class != "ovr":
        raise ValueError(f"`multi_class` must be 'ovr' or 'ovo'; got {multi_class!r}.")
    return over_classes(_area, truth[:, None] == classes, scores, average)


def _area(positive: Flags, scores: Values) -> Scored:
    n = len(positive)
    n_positive = int(positive.sum())
    influences = np.zeros(n)
    if n_positive in (0, n):
        return np.nan, influences
    below, above = placements(scores, positive)
    area = float(below.mean())
    influences[positive] = n / n_positive * (below - area)
    influences[~positive] = n / (n - n_positive) * (above - area)
    return area, influences


def _of_pairs(true_codes: NDArray[np.intp], scores: Values, average: str) -> Scored:
    # Hand and Till (2001): each class of a pair has its own column, among the pair's samples.
    n = len(true_codes)
    # Classes that do not occur in the fold form no pairs.
    pairs = list(combinations(np.unique(true_codes).tolist(), 2))
    areas, influences = np.empty(len(pairs)), np.zeros((n, len(pairs)))
    members = np.empty((n, len(pairs)), dtype=bool)
    for k, pair in enumerate(pairs):
        members[:, k] = inside = np.isin(true_codes, pair)
        found = [_area(true_codes[inside] == c, scores[inside, c]) for c in pair]
        areas[k] = np.mean([area for area, _ in found])
        # The influences are on n_pair samples, but the weight of a sample is a share of n.
        share = n / max(int(inside.sum()), 1)
        influences[inside, k] = share * np.mean([influence for _, influence in found], axis=0)
    if not pairs:
        return np.nan, np.zeros(n)
    return averaged(areas, influences, members if average == "weighted" else None)
