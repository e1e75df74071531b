"""Values of samples of one candidate in one split, or a part of it, from its responses."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_stats_compare.predictions._responses import WEIGHTS
from sklearn_stats_compare.predictions._scorer_reading import ScorerReading, response_in
from sklearn_stats_compare.predictions._sklearn_private import safe_indexing


def values_within(
    reading: ScorerReading,
    cell: Mapping[str, NDArray[Any]],
    y: Any,
    weights: NDArray[Any] | None,
    units: Any,
    inside: NDArray[np.intp],
) -> NDArray[np.float64]:
    """Values of some samples of a split, for the score within them; NaN if it is undefined."""
    response, classes = response_in(reading, cell)
    try:
        return reading.values(
            safe_indexing(y, inside),
            response[inside],
            sample_weight=None if weights is None else weights[inside],
            classes=classes,
            units=None if units is None else safe_indexing(units, inside),
        )
    except ValueError:  # a class without samples
        return np.full(inside.size, np.nan)


def values_in_split(
    reading: ScorerReading,
    cell: Mapping[str, NDArray[Any]],
    y: Any,
    score: float,
    units: ArrayLike | None,
) -> tuple[NDArray[np.float64], NDArray[Any] | None]:
    """Values of samples of one candidate in one split, and their weights.

    Raises
    ------
    ValueError
        If no response for the scorer was kept, or it does not give the score.
    """
    response, classes = response_in(reading, cell)
    weights = cell.get(WEIGHTS)

    def values(sample_weight: Any) -> NDArray[np.float64]:
        return reading.values(
            y, response, score=score, sample_weight=sample_weight, classes=classes, units=units
        )

    if weights is None:
        return values(None), None
    try:  # one of several scorers may take no weights
        return values(None), None
    except ValueError:
        return values(weights), weights
