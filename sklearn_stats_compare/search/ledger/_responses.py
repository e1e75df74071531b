"""Responses: what every candidate predicted for the test samples of every split."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._messages import check_option
from sklearn_stats_compare.search.ledger._packing import Indices, packed_array, unpacked_array

RESPONSES = ("predict", "predict_proba", "decision_function", "predict_log_proba")
CLASSES = "classes"
"""Beside responses, the classes that the estimator knows."""
Cell = tuple[int, int]
"""Candidate and split."""

_NULLABLE = {"i": "Int", "u": "UInt", "b": "boolean"}
"""pandas' types that have a missing value, where NumPy's have none."""

# What scikit-learn's `cross_val_predict` fills in for classes that a training set lacked
# (`_enforce_prediction_order`, 1.6 to 1.9).
_OF_UNKNOWN_CLASSES = {
    "predict_proba": 0.0,
    "predict_log_proba": float(np.finfo(float).min),
    "decision_function": float(np.finfo(float).min),
}


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
        self.dtypes: dict[str, np.dtype[Any]] = {}  # of whole numbers, as they came

    @property
    def n_bytes(self) -> int:
        """What the arrays take in memory."""
        kept = sum(a.nbytes for cell in self.cells.values() for a in cell.values())
        return kept + sum(test.nbytes for test in self.tests)

    def widened(self, tests: Sequence[NDArray[np.intp]], n_samples: int) -> "Responses":
        """The same with room for further splits, of which the test samples are given."""
        wider = Responses(n_samples)
        wider.tests = [*self.tests, *tests]
        wider.cells, wider.dtypes = dict(self.cells), dict(self.dtypes)
        return wider

    def only(self, cells: NDArray[np.bool_]) -> "Responses":
        """The responses of some cells alone."""
        part = Responses(self.n_samples)
        part.tests, part.dtypes = list(self.tests), dict(self.dtypes)
        part.cells = {cell: kept for cell, kept in self.cells.items() if cells[cell]}
        return part

    def fill(
        self, candidates: Indices, splits: Indices, outcomes: Sequence[Mapping[str, Any]]
    ) -> None:
        """Take what a block of outcomes carries, a candidate's splits together."""
        for k, outcome in enumerate(outcomes):
            row, column = divmod(k, len(splits))
            found = responses_of(outcome)
            if found:
                cell = int(candidates[row]), int(splits[column])
                self._enter(cell, {name: np.asarray(value) for name, value in found.items()})

    def packed(self, candidates: Indices, splits: Indices) -> list[Any]:
        """What is kept of a block of cells, for JSON: [row, column, name → array] of each."""
        return [
            [
                i,
                j,
                {name: packed_array(array, self.dtypes.get(name)) for name, array in kept.items()},
            ]
            for i, row in enumerate(candidates)
            for j, column in enumerate(splits)
            if (kept := self.cells.get((int(row), int(column)))) is not None
        ]

    def unpack(
        self, candidates: Mapping[int, int], splits: Mapping[int, int], packed: Sequence[Any]
    ) -> None:
        """Enter cells of what `packed` returned; row → candidate, column → split."""
        for i, j, arrays in packed:
            if i in candidates and j in splits:
                split = splits[j]
                n_rows = {name: self.tests[split].size for name in RESPONSES}
                self._enter(
                    (candidates[i], split),
                    {name: unpacked_array(body, n_rows.get(name)) for name, body in arrays.items()},
                )

    def lacks(self, cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which of these cells have nothing kept."""
        kept = np.zeros_like(cells)
        for cell in self.cells:
            kept[cell] = True
        return cells & ~kept

    def methods(self, candidate: int) -> list[str]:
        """Names of the methods whose responses are kept of a candidate."""
        found = {name for (i, _), cell in self.cells.items() if i == candidate for name in cell}
        return [name for name in RESPONSES if name in found]

    def frame(self, candidate: int, splits: Sequence[int], method: str | None) -> pd.DataFrame:
        """Responses of a candidate on splits that share no test sample, a row per sample.

        <NA> or NaN where a sample was not tested on these splits, or its fit failed.
        """
        known = self.methods(candidate)
        if not known:
            raise ValueError(
                f"No predictions of candidate {candidate} were kept: its fits failed, or the "
                "scorer asked the estimator for none."
            )
        method = known[0] if method is None else check_option("method", method, known)
        parts = [
            (self.tests[j], self.cells[candidate, j])
            for j in splits
            if method in self.cells.get((candidate, j), ())
        ]
        columns, tables = _in_common_columns(method, parts)
        rows = np.concatenate([test for test, _ in parts]) if parts else np.empty(0, dtype=np.intp)
        if np.unique(rows).size < rows.size:
            raise ValueError("`cv` must test no sample twice in a split, for its predictions.")
        values = np.concatenate(tables) if tables else np.empty((0, len(columns)))
        values = values.astype(self.dtypes.get(method, values.dtype), copy=False)
        frame = pd.DataFrame(values, index=rows, columns=columns)
        if rows.size < self.n_samples and values.dtype.kind in _NULLABLE:
            bits = "" if values.dtype.kind == "b" else 8 * values.dtype.itemsize
            nullable: Any = f"{_NULLABLE[values.dtype.kind]}{bits}"
            frame = frame.astype(nullable)
        return frame.reindex(np.arange(self.n_samples))

    def _enter(self, cell: Cell, arrays: Mapping[str, NDArray[Any]]) -> None:
        self.cells[cell] = {name: compact(array) for name, array in arrays.items()}
        for name, array in arrays.items():
            if array.dtype.kind in "iu":
                self.dtypes.setdefault(name, array.dtype)


class Scored(float):
    """A score, and the responses that it was computed from."""

    __slots__ = ("responses",)

    responses: dict[str, Any]

    def __new__(cls, score: float, responses: dict[str, Any]) -> "Scored":
        """Make a float that carries responses."""
        scored = super().__new__(cls, score)
        scored.responses = responses
        return scored

    def __reduce__(self) -> tuple[type, tuple[float, dict[str, Any]]]:
        return Scored, (float(self), self.responses)


def responses_of(outcome: Mapping[str, Any]) -> dict[str, Any]:
    """What the test scores of an outcome carry; the scores become plain numbers."""
    scores: Any = outcome["test_scores"]
    found: dict[str, Any] = {}
    for score in scores.values() if isinstance(scores, dict) else [scores]:
        if isinstance(score, Scored):
            found = score.responses
    return found


def compact(array: NDArray[Any]) -> NDArray[Any]:
    """An array of the smallest type that holds the same values.

    Whole numbers, such as the classes of most data, take a byte each instead of eight.
    """
    if array.dtype.kind in "iu" and array.size:
        smallest = np.result_type(np.min_scalar_type(array.min()), np.min_scalar_type(array.max()))
        return array.astype(smallest)
    return np.array(array)


def _in_common_columns(
    method: str, parts: Sequence[tuple[NDArray[np.intp], Mapping[str, NDArray[Any]]]]
) -> tuple[list[Any], list[NDArray[Any]]]:
    """Names of the columns of responses, and the responses in these columns."""
    tables = [cell[method] for _, cell in parts]
    if all(table.ndim == 1 for table in tables):
        return [method], [table[:, None] for table in tables]
    of_classes = all(
        CLASSES in cell
        and cell[CLASSES].ndim == 1
        and cell[method].shape[1:] == cell[CLASSES].shape
        for _, cell in parts
    )
    if not of_classes or method not in _OF_UNKNOWN_CLASSES:
        return list(range(tables[0].shape[1])), list(tables)
    classes = np.unique(np.concatenate([cell[CLASSES] for _, cell in parts]))
    aligned = []
    for table, (_, cell) in zip(tables, parts, strict=True):
        whole = np.full((len(table), classes.size), _OF_UNKNOWN_CLASSES[method], table.dtype)
        whole[:, np.searchsorted(classes, cell[CLASSES])] = table
        aligned.append(whole)
    return classes.tolist(), aligned
