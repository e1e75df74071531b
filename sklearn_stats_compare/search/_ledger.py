"""Ledger: the outcome of every candidate on every split, filled as fits come in."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Indices = Sequence[int] | NDArray[np.intp]
Outcome = dict[str, Any]
"""What scikit-learn's ``_fit_and_score`` returns: scores, times, sizes, and the error if any."""


class Ledger:
    """Outcomes, candidates × splits; a cell that was not run is empty.

    Parameters
    ----------
    n_candidates, n_splits : int
        Its size.
    """

    def __init__(self, n_candidates: int, n_splits: int) -> None:
        self._cells: NDArray[np.object_] = np.empty((n_candidates, n_splits), dtype=object)
        self._ran = np.zeros((n_candidates, n_splits), dtype=bool)

    @property
    def n_candidates(self) -> int:
        """Number of candidates."""
        return self._cells.shape[0]

    @property
    def n_splits(self) -> int:
        """Number of splits, J."""
        return self._cells.shape[1]

    @property
    def ran(self) -> NDArray[np.bool_]:
        """Whether each cell was run, (n_candidates, n_splits)."""
        return self._ran.copy()

    def fill(self, candidates: Indices, splits: Indices, outcomes: Sequence[Outcome]) -> None:
        """Enter a block of outcomes, a candidate's splits together, as scikit-learn returns it."""
        block = np.empty(len(outcomes), dtype=object)
        block[:] = outcomes
        cells = np.ix_(np.asarray(candidates), np.asarray(splits))
        self._cells[cells] = block.reshape(len(candidates), len(splits))
        self._ran[cells] = True

    def fail(self, candidates: Indices, splits: Indices, error_score: float, error: str) -> None:
        """Enter a block of which every fit failed, so that scikit-learn returned nothing."""
        outcome = self._like_others(error_score, error)
        self.fill(candidates, splits, [outcome] * (len(candidates) * len(splits)))

    def metrics(self) -> list[str]:
        """Names of the metrics; a single one is called "score"."""
        scores = self._first()["test_scores"]
        return list(scores) if isinstance(scores, dict) else ["score"]

    def scores(self, candidates: Indices, splits: Indices, metric: str) -> NDArray[np.float64]:
        """Test scores of one metric in a block of cells that were run."""

        def one(outcome: Outcome) -> float:
            found = outcome["test_scores"]
            return float(found[metric] if isinstance(found, dict) else found)

        cells = self._cells[np.ix_(np.asarray(candidates), np.asarray(splits))]
        values = [one(outcome) for outcome in cells.ravel()]
        return np.array(values, dtype=np.float64).reshape(cells.shape)

    def rows(self) -> list[Outcome]:
        """All outcomes as scikit-learn lists them; cells not run are NaN in the shape of run ones.

        A bare NaN would not do: scikit-learn takes the metrics from the first outcome.
        """
        if self._ran.all():
            return list(self._cells.ravel())
        nothing = self._like_others(float("nan"), None)
        return [nothing if outcome is None else outcome for outcome in self._cells.ravel()]

    def _first(self) -> Outcome:
        found: Outcome = self._cells[self._ran][0]
        return found

    def _like_others(self, value: float, error: str | None) -> Outcome:
        """An outcome in which every number is `value`."""
        like: Outcome = {}
        for key, known in self._first().items():
            like[key] = dict.fromkeys(known, value) if isinstance(known, dict) else value
        return {**like, "fit_error": error}
