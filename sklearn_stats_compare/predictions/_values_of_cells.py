"""Values of the test samples of a candidate on a split, while a search runs."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import indexable

from sklearn_stats_compare.predictions._read_scorer import read_scorer
from sklearn_stats_compare.predictions._responses import VALUES, Responses
from sklearn_stats_compare.predictions._sklearn_private import safe_indexing
from sklearn_stats_compare.predictions._values_in_split import values_in_split


class ValuesOfCells:
    """Values of samples under one metric, cell by cell.

    Parameters
    ----------
    scorer : callable
        The scorer of the metric.
    estimator : estimator
        The unfitted estimator, for its own `score`.
    metric : str
        Name of the metric.
    y : array-like
        The truth.
    """

    def __init__(self, scorer: Any, estimator: Any, metric: str, y: Any) -> None:
        self._reading = read_scorer(scorer, estimator)
        self._metric = metric
        # As `BaseSearchCV.fit` makes targets that cannot be indexed indexable.
        (self._y,) = indexable(y)

    @property
    def reason(self) -> str:
        """Why the metric has no values of samples; empty if it has."""
        return self._reading.reason if self._reading.how == "none" else ""

    def of(
        self, responses: Responses, candidate: int, split: int, score: float
    ) -> NDArray[np.floating]:
        """Values of a cell, whose mean is the score; ValueError if they were not kept."""
        cell = responses.arrays(candidate, split)
        found = cell.get(VALUES + self._metric)
        if found is None:
            truth = safe_indexing(self._y, responses.tests[split])
            found, _ = values_in_split(self._reading, cell, truth, score, None)
        return found
