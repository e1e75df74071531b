"""Responses: what every candidate predicted for the test samples of every split."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare.search.ledger import Indices
from sklearn_stats_compare.search.runs._recording import RESPONSES, responses_of

Cell = tuple[int, int]
"""Candidate and split."""


class Responses:
    """Responses of candidates to the test samples of splits.

    Parameters
    ----------
    n_samples : int
        Number of samples of the data.
    """

    def __init__(self, n_samples: int = 0) -> None:
        self.n_samples = n_samples
        self.tests: list[NDArray[np.intp]] = []
        self.cells: dict[Cell, dict[str, NDArray[Any]]] = {}

    @property
    def n_bytes(self) -> int:
        """What the arrays take in memory."""
        kept = sum(a.nbytes for cell in self.cells.values() for a in cell.values())
        return kept + sum(test.nbytes for test in self.tests)

    @property
    def methods(self) -> list[str]:
        """Names of the methods whose responses are kept of any candidate."""
        found = {name for cell in self.cells.values() for name in cell}
        return [name for name in RESPONSES if name in found]

    def widened(self, tests: Sequence[NDArray[np.intp]], n_samples: int) -> "Responses":
        """The same with room for further splits, of which the test samples are given."""
        wider = Responses(n_samples)
        wider.tests = [*self.tests, *tests]
        wider.cells = dict(self.cells)
        return wider

    def fill(
        self, candidates: Indices, splits: Indices, outcomes: Sequence[Mapping[str, Any]]
    ) -> None:
        """Take what a block of outcomes carries, a candidate's splits together."""
        for k, outcome in enumerate(outcomes):
            row, column = divmod(k, len(splits))
            found = responses_of(outcome)
            if found:
                cell = int(candidates[row]), int(splits[column])
                self.cells[cell] = {name: compact(value) for name, value in found.items()}


def compact(values: Any) -> NDArray[Any]:
    """Responses as an array of the smallest type that holds them exactly.

    Whole numbers, such as the classes of most data, take a byte each instead of eight.
    """
    array = np.asarray(values)
    if array.dtype.kind in "iu" and array.size:
        smallest = np.result_type(np.min_scalar_type(array.min()), np.min_scalar_type(array.max()))
        return array.astype(smallest)
    return np.array(array)
