"""Responses: predictions of every candidate for the test samples of every split."""

import zlib
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._utils._validation import check_option, shown

RESPONSES = ("predict", "predict_proba", "decision_function", "predict_log_proba")

Indices = Sequence[int] | NDArray[np.intp]

CLASSES = "classes"
"""Key of the classes that the estimator knows."""

AVAILABLE = "available"
"""Key of those of `RESPONSES` that the estimator has."""

WEIGHTS = "sample_weight"
"""Key of the weights with which the samples were scored."""

CHOICE = "choice"
"""Key of what a search chose during a fit, as UTF-8 bytes: for nested cross-validation."""

VALUES = "values of "
"""Prefix of a metric's name, for its values of samples instead of responses."""

_NOT_PER_SAMPLE = (CLASSES, AVAILABLE, CHOICE)

Cell = tuple[int, int]
"""Candidate and split."""


class Kept(NamedTuple):
    """An array in the smallest type that holds its values, and its original type."""

    array: NDArray[Any]
    dtype: np.dtype[Any]

    def whole(self) -> NDArray[Any]:
        """The array in its original type."""
        return self.array.astype(self.dtype, copy=False)


_NULLABLE = {"i": "Int", "u": "UInt", "b": "boolean"}
"""pandas' types with a missing value, for NumPy types that have none."""

# The values that scikit-learn's `cross_val_predict` uses for classes that a training set lacks
# (`_enforce_prediction_order`, 1.6 to 1.9).
_FOR_ABSENT_CLASSES = {
    "predict_proba": "zero",
    "predict_log_proba": "least",
    "decision_function": "least",
}


@dataclass(eq=False, repr=False)
class Responses:
    """Responses of candidates to the test samples of splits.

    A cell that was fitted but has no response that can be kept is present, without arrays.

    Parameters
    ----------
    n_samples : int
        Number of samples of the data.
    are_values : bool, default=False
        Whether values of samples are kept instead of responses.
    by_default : bool, default=False
        Whether no one asked for them: a fit that has none is not made again, and no file of a
        fitted search has them.
    tests : list of array
        Test samples of each split.
    cells : dict
        What is kept of each cell, a candidate on a split, by name.
    """

    n_samples: int = 0
    are_values: bool = field(default=False, kw_only=True)
    by_default: bool = field(default=False, kw_only=True)
    tests: list[NDArray[np.intp]] = field(default_factory=list, kw_only=True)
    cells: dict[Cell, dict[str, Kept]] = field(default_factory=dict, kw_only=True)

    # Lists, because skops refuses mappings whose keys are pairs.
    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "cells": [[*cell, kept] for cell, kept in self.cells.items()]}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, cells={(i, j): kept for i, j, kept in state["cells"]})

    def widened(self, tests: Sequence[NDArray[np.intp]], n_samples: int) -> "Responses":
        """Return a copy with room for further splits, given their test samples."""
        more = [*self.tests, *tests]
        return replace(self, n_samples=n_samples, tests=more, cells=dict(self.cells))

    def only(self, cells: NDArray[np.bool_]) -> "Responses":
        """Return only the responses of these cells."""
        kept = {cell: k for cell, k in self.cells.items() if cells[cell]}
        return replace(self, tests=list(self.tests), cells=kept)

    def of_splits(self, splits: NDArray[np.intp]) -> "Responses":
        """Return the responses on some splits, which are numbered anew."""
        place = {split: k for k, split in enumerate(splits.tolist())}
        cells = {(i, place[j]): kept for (i, j), kept in self.cells.items() if j in place}
        return replace(self, tests=[self.tests[split] for split in splits], cells=cells)

    def enter(self, candidate: int, split: int, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Store the arrays of a cell that have a row per test sample, and the classes."""
        n_rows = self.tests[split].size
        self.cells[candidate, split] = {
            name: kept_as(array)
            for name, array in arrays.items()
            if name in _NOT_PER_SAMPLE or array.shape[:1] == (n_rows,)
        }

    def packed(self, cells: Sequence[Cell]) -> list[Any]:
        """Pack cells for JSON, each as [place among `cells`, name → array]."""
        return [
            [k, {name: packed_array(*kept) for name, kept in self.cells[cell].items()}]
            for k, cell in enumerate(cells)
            if cell in self.cells
        ]

    def unpack(self, cells: Mapping[int, Cell], packed: Sequence[Any]) -> None:
        """Enter what `packed` returned, for some places and their cells."""
        for k, arrays in packed:
            if k in cells:
                n_rows = self.tests[cells[k][1]].size
                self.cells[cells[k]] = {
                    name: kept_as(unpacked_array(body, None if name in _NOT_PER_SAMPLE else n_rows))
                    for name, body in arrays.items()
                }

    def lacks(self, cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which of these cells are absent, or hold only values although responses are kept."""
        if self.by_default:
            return np.zeros_like(cells)
        kept = np.zeros_like(cells)
        for cell, arrays in self.cells.items():
            kept[cell] = self.are_values or not any(name.startswith(VALUES) for name in arrays)
        return cells & ~kept

    def arrays(self, candidate: int, split: int) -> dict[str, NDArray[Any]]:
        """The arrays of a cell in their original types."""
        return {name: kept.whole() for name, kept in self.cells.get((candidate, split), {}).items()}

    def methods(self, candidate: int) -> list[str]:
        """Names of the methods whose responses are kept for a candidate."""
        found = {name for (i, _), cell in self.cells.items() if i == candidate for name in cell}
        return [name for name in RESPONSES if name in found]

    def frame(self, candidate: int, splits: Sequence[int], method: str | None) -> pd.DataFrame:
        """Responses of a candidate on splits that share no test sample, a row per sample.

        <NA> or NaN if a sample is in no test set of these splits, or its fit failed.
        """
        known = self.methods(candidate)
        if not known:
            raise ValueError(
                f"No predictions of candidate {candidate} were kept: its fits failed, or the "
                "scorer did not use the estimator itself for an array. Name a scorer in `scoring`, "
                "such as 'accuracy'."
            )
        method = known[0] if method is None else check_option("method", method, known)
        rows = np.concatenate([self.tests[j] for j in splits])
        if np.unique(rows).size < rows.size:
            raise ValueError("`cv` must not test a sample twice in a split to return predictions.")
        columns = self._columns(method)
        parts = [
            (self.tests[j], _in_columns(self.cells[candidate, j], method, columns))
            for j in splits
            if method in self.cells.get((candidate, j), ())
        ]
        empty = np.empty((0, len(columns)))
        values = np.concatenate([table for _, table in parts]) if parts else empty
        tested = np.concatenate([test for test, _ in parts]) if parts else np.empty(0, dtype=int)
        frame = pd.DataFrame(values, index=tested, columns=columns)
        if tested.size < self.n_samples and values.dtype.kind in _NULLABLE:
            bits = "" if values.dtype.kind == "b" else 8 * values.dtype.itemsize
            nullable: Any = f"{_NULLABLE[values.dtype.kind]}{bits}"
            frame = frame.astype(nullable)
        return frame.reindex(np.arange(self.n_samples))

    def _columns(self, method: str) -> list[Any]:
        """Names of the columns of a response, the same for all candidates and splits."""
        cells = [cell for cell in self.cells.values() if method in cell]
        widths = {cell[method].array.shape[1:] for cell in cells}
        if widths == {()}:
            return [method]
        of_classes = method in _FOR_ABSENT_CLASSES and all(
            CLASSES in cell and cell[method].array.shape[1:] == cell[CLASSES].array.shape
            for cell in cells
        )
        if of_classes:
            known = np.unique(np.concatenate([cell[CLASSES].whole() for cell in cells]))
            return list(known.tolist())
        if len(widths) > 1:
            raise ValueError(
                "`method` must have responses with the same number of columns on every split; got "
                f"{method!r}, which has fewer where the training samples lack a class."
            )
        (width,) = widths.pop()
        return list(range(width))


class Scored(float):
    """A score that carries the responses from which it was computed."""

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
    """Return the responses that the test scores of an outcome carry."""
    scores: Any = outcome["test_scores"]
    found: dict[str, Any] = {}
    for score in scores.values() if isinstance(scores, dict) else [scores]:
        if isinstance(score, Scored):
            found = score.responses
    return found


def kept_as(array: NDArray[Any]) -> Kept:
    """Store an array in the smallest type that holds the same values.

    Integers, such as the class labels of most data, then take one byte each instead of eight.
    """
    if array.dtype.kind in "iu" and array.size and array.dtype.itemsize > 1:
        low, high = np.min_scalar_type(array.min()), np.min_scalar_type(array.max())
        smallest = np.result_type(low, high)
        if smallest.kind in "iu":  # NumPy promotes int8 and uint64 to a float, which loses digits
            return Kept(array.astype(smallest), array.dtype)
    return Kept(np.array(array), array.dtype)


def _in_columns(cell: Mapping[str, Kept], method: str, columns: Sequence[Any]) -> NDArray[Any]:
    """Arrange a response in these columns; fill those of absent classes as scikit-learn does."""
    table = cell[method].whole()
    if table.ndim == 1:
        return table[:, None]
    if table.shape[1] == len(columns):
        return table
    is_zero = _FOR_ABSENT_CLASSES[method] == "zero"
    filler = 0.0 if is_zero else np.finfo(table.dtype).min
    whole = np.full((len(table), len(columns)), filler, table.dtype)
    whole[:, np.searchsorted(np.array(columns), cell[CLASSES].whole())] = table
    return whole


_RAW = "biufmM"
"""Kinds of arrays stored as bytes; dates and timedeltas are stored as integers."""

_MOST_BYTES = 2**34
"""Largest size of the responses of one candidate to one split."""


def packed_array(array: NDArray[Any], dtype: np.dtype[Any]) -> dict[str, Any]:
    """Pack an array of numbers, dates or labels for JSON; `dtype` is its original type.

    Raises ValueError unless the labels are text, numbers, booleans or None.
    """
    if array.dtype.kind in _RAW:
        little = array.astype(array.dtype.newbyteorder("<"), copy=False)
        raw = b64encode(zlib.compress(np.ascontiguousarray(little).tobytes())).decode()
        return {"dtype": little.dtype.str, "was": dtype.str, "shape": list(array.shape), "raw": raw}
    numbers: dict[tuple[type, Any], int] = {}  # True and 1 are equal but are two labels
    codes = [
        numbers.setdefault((type(label), label), len(numbers)) for label in array.ravel().tolist()
    ]
    labels = [label_as_json(label) for _, label in numbers]
    whole = np.array(codes, dtype=np.int32).reshape(array.shape)
    return {
        "labels": labels,
        "is_object": array.dtype.kind == "O",
        **packed_array(whole, whole.dtype),
    }


def check_labels(y: Any) -> None:
    """Raise ValueError if a target has labels that `packed_array` would refuse."""
    labels = np.asarray(y)
    if labels.dtype.kind == "O":
        for label in labels.ravel().tolist():
            label_as_json(label)


def label_as_json(label: Any) -> Any:
    """Return a label in a form that JSON restores exactly; ValueError if it has none."""
    if isinstance(label, str):  # also np.str_
        return str(label)
    if type(label) in (int, bool, float, type(None)):
        return label
    raise ValueError(
        "`y` must hold text, numbers or booleans so that a `ledger` can store its predictions; got "
        f"{shown(label)}."
    )


def unpacked_array(body: Any, n_rows: int | None) -> NDArray[Any]:
    """Return the array given to `packed_array`; ValueError unless it has `n_rows` rows."""
    dtype, shape = np.dtype(body["dtype"]), tuple(body["shape"])
    if dtype.kind not in _RAW or not all(type(n) is int and n >= 0 for n in shape):
        raise ValueError("responses that are not numbers")
    if n_rows is not None and (not shape or shape[0] != n_rows):
        raise ValueError("responses whose number of samples is not that of their split")
    most = dtype.itemsize * int(np.prod(shape, dtype=object))
    if most > _MOST_BYTES:
        raise ValueError("responses that are too large")
    reader = zlib.decompressobj()
    raw = reader.decompress(b64decode(body["raw"]), most + 1)
    if len(raw) != most or not reader.eof:
        raise ValueError("responses whose size does not match their shape")
    array = np.frombuffer(raw, dtype=dtype).reshape(shape)
    if "labels" not in body:
        was = np.dtype(body["was"])
        return array.astype(was if was.kind in "iu" else dtype.newbyteorder("="))
    labels = np.array(body["labels"], dtype=object if body["is_object"] else None)
    return np.asarray(labels[array])
