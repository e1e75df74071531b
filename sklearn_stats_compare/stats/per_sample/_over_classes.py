"""Averages over classes of a binary score: ROC AUC and average precision."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare.stats.per_sample._class_labels import Flags
from sklearn_stats_compare.stats.per_sample._ratios import averaged

Values = NDArray[np.float64]
Scored = tuple[float, Values]


def over_classes(
    binary: Callable[[Flags, Values], Scored], true: Flags, scores: Values, average: str
) -> Scored:
    """Return the average of a binary score over columns, and the influences on it."""
    if average == "micro":
        score, influences = binary(true.ravel(), scores.ravel())
        # Each sample is in n_columns of the n·n_columns pooled entries.
        return score, influences.reshape(true.shape).mean(axis=1)
    if average == "samples":
        own = np.array([binary(*row)[0] for row in zip(true, scores, strict=True)])
        return float(own.mean()), own - own.mean()
    if average not in ("macro", "weighted"):
        raise ValueError(f"`average` must give one number; got {average!r}.")
    found = [binary(true[:, c], scores[:, c]) for c in range(true.shape[1])]
    of_class = np.array([score for score, _ in found])
    influences = np.column_stack([influence for _, influence in found])
    if average == "weighted":
        if not true.any():
            return 0.0, np.zeros(len(true))
        of_class[~true.any(axis=0)] = 0.0  # as in scikit-learn: the class has weight 0
    if np.isnan(of_class).any():
        return np.nan, np.zeros(len(true))
    return averaged(of_class, influences, true if average == "weighted" else None)
