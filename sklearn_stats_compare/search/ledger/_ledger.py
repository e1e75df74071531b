"""Ledger: the outcome of every candidate on every split, filled as fits come in."""

from __future__ import annotations

import math
import zlib
from base64 import b64decode, b64encode
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare._utils._validation import shown, shown_list
from sklearn_stats_compare.predictions._responses import Responses

Block = tuple[NDArray[np.intp], NDArray[np.intp]]
"""Candidates, and splits."""


class Ledger:
    """Outcomes, candidates × splits; a cell that was not run is empty.

    Parameters
    ----------
    n_candidates, n_splits : int
        Its size.
    responses : Responses, optional
        Where what the candidates predicted is kept. Default: it is not.
    """

    def __init__(
        self, n_candidates: int, n_splits: int, responses: Responses | None = None
    ) -> None:
        self.responses = responses
        # Apart from the scores: that of a fit that ran may be NaN too.
        self._ran = np.zeros((n_candidates, n_splits), dtype=bool)
        self._columns: dict[Column, NDArray[np.float64]] = {}
        self._errors: dict[tuple[int, int], str] = {}

    # Lists: skops refuses mappings with pairs as keys.
    def __getstate__(self) -> dict[str, Any]:
        columns = [
            [part, metric, moments_of(values, self._ran) if part in TIMES else values]
            for (part, metric), values in self._columns.items()
        ]
        cells: dict[str, list[list[int]]] = defaultdict(list)  # a text is some kilobytes
        for cell, error in self._errors.items():
            cells[error].append(list(cell))
        return {
            "responses": self.responses,
            "shape": self._ran.shape,
            "ran": np.packbits(self._ran),
            "columns": columns,
            "errors": [[error, failed] for error, failed in cells.items()],
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        m, n_splits = state["shape"]
        self.__init__(m, n_splits, state["responses"])  # type: ignore[misc]
        self._ran[:] = np.unpackbits(state["ran"], count=m * n_splits).reshape(m, n_splits)
        for part, metric, values in state["columns"]:
            times = part in TIMES
            self._columns[part, metric] = with_moments(values, self._ran) if times else values
        self._errors = {(i, j): error for error, failed in state["errors"] for i, j in failed}

    def without_scores(self, known: Mapping[Column, NDArray[np.float64]]) -> Ledger:
        """The same without scores that `known` has to the last bit, by part and metric."""
        part = _like(self)
        for column, values in self._columns.items():
            if np.array_equal(values, known.get(_named(column), ()), equal_nan=True):
                part._columns[column] = np.empty(0)
        return part

    def with_scores(self, known: Mapping[Column, NDArray[np.float64]]) -> Ledger:
        """The same with the scores of `known` where `without_scores` left them out."""
        whole = _like(self)
        for column, values in self._columns.items():
            if not values.size:
                whole._columns[column] = known[_named(column)]
        return whole

    @property
    def n_candidates(self) -> int:
        """Number of candidates."""
        return self._ran.shape[0]

    @property
    def n_splits(self) -> int:
        """Number of splits, J."""
        return self._ran.shape[1]

    @property
    def ran(self) -> NDArray[np.bool_]:
        """Whether each cell was run, (n_candidates, n_splits)."""
        return self._ran.copy()

    @property
    def n_ran(self) -> int:
        """Number of cells that were run."""
        return int(np.count_nonzero(self._ran))

    @property
    def complete(self) -> NDArray[np.bool_]:
        """Whether each candidate was run on every split, (n_candidates,)."""
        return np.asarray(self._ran.all(axis=1))

    def lacks(self, candidates: Indices, splits: Indices) -> NDArray[np.bool_]:
        """Whether each cell of a block is empty."""
        return ~self._ran[_cells(candidates, splits)]

    def lacking(self, candidates: NDArray[np.intp], splits: NDArray[np.intp]) -> list[Block]:
        """The empty cells of a block, as blocks.

        Candidates that lack the same splits go together: scikit-learn fits every candidate that it
        is given on every split.
        """
        lacks = self.lacks(candidates, splits)
        alike: dict[bytes, list[int]] = {}
        for k in np.flatnonzero(lacks.any(axis=1)):
            # As bytes, which have a hash; arrays have none.
            alike.setdefault(lacks[k].tobytes(), []).append(int(k))
        return [(candidates[rows], splits[lacks[rows[0]]]) for rows in alike.values()]

    def block_size(self, candidates: Indices, splits: Indices) -> int:
        """Largest number of splits that divides what each candidate lacks of a block.

        scikit-learn wants the same number of splits at every call of `evaluate_candidates`: its
        `fit` compares it with ``get_n_splits``, which it asks once.
        """
        # gcd() of nothing is 0, and so is that of a block without an empty cell.
        return math.gcd(*self.lacks(candidates, splits).sum(axis=1).tolist()) or 1

    @property
    def failed(self) -> NDArray[np.bool_]:
        """Whether each cell was run and has no score: its fit failed, or its scoring did."""
        failed = np.zeros(self._ran.shape, dtype=bool)
        for cell in self._errors:
            failed[cell] = True
        for (part, _), values in self._columns.items():
            # With `error_score=np.nan` a scorer that raises leaves a NaN and no `fit_error`.
            if part == "test_scores":
                failed |= np.isnan(values)
        return failed & self._ran

    def non_finite(self, part: str) -> NDArray[np.bool_]:
        """Whether a cell of each candidate was run and has a score that is not finite."""
        bad = np.zeros(self._ran.shape, dtype=bool)
        for (of, _), values in self._columns.items():
            if of == part:
                bad |= ~np.isfinite(values)
        return np.asarray((bad & self._ran).any(axis=1))

    @property
    def errors(self) -> Counter[str]:
        """The errors of fits that failed, and how often each occurred."""
        return Counter(self._errors.values())

    def widened(
        self, n_more: int, tests: Sequence[NDArray[np.intp]] = (), n_samples: int = 0
    ) -> Ledger:
        """A ledger with the same outcomes and room for `n_more` splits.

        `tests` are their test samples, of `n_samples`, where responses are kept.
        """
        kept = None if self.responses is None else self.responses.widened(tests, n_samples)
        wider = Ledger(self.n_candidates, self.n_splits + n_more, kept)
        every, known = range(self.n_candidates), range(self.n_splits)
        wider._enter(every, known, self._columns, self._errors)
        # `_enter` marks whole blocks, and here some cells were not run.
        wider._ran[:, known] = self._ran
        return wider

    def only(self, cells: NDArray[np.bool_]) -> Ledger:
        """A ledger of the same size, with the outcomes of some cells alone."""
        kept = None if self.responses is None else self.responses.only(cells)
        part = Ledger(self.n_candidates, self.n_splits, kept)
        part._ran = self._ran & cells
        for column, values in self._columns.items():
            # NaN and not the score: whoever reads a cell that was not run must not find one.
            part._columns[column] = np.where(part._ran, values, np.nan)
        part._errors = {cell: error for cell, error in self._errors.items() if cells[cell]}
        return part

    def of_splits(self, splits: NDArray[np.intp]) -> Ledger:
        """The outcomes on some splits, which are numbered anew."""
        kept = None if self.responses is None else self.responses.of_splits(splits)
        part = Ledger(self.n_candidates, len(splits), kept)
        part._ran = self._ran[:, splits]
        part._columns = {column: values[:, splits] for column, values in self._columns.items()}
        place = {split: k for k, split in enumerate(splits.tolist())}
        part._errors = {(i, place[j]): text for (i, j), text in self._errors.items() if j in place}
        return part

    def without_responses(self) -> Ledger:
        """The same outcomes, without what the candidates predicted."""
        part = self.only(self._ran)
        part.responses = None
        return part

    def fill(self, candidates: Indices, splits: Indices, outcomes: Sequence[Outcome]) -> None:
        """Enter a block of outcomes, a candidate's splits together, as scikit-learn returns it."""
        self._enter(candidates, splits, *tables_of(outcomes, len(candidates), len(splits)))
        if self.responses is not None:
            self.responses.fill(candidates, splits, outcomes)

    def fail(self, candidates: Indices, splits: Indices, error_score: float, error: str) -> None:
        """Enter a block of which every fit failed, so that scikit-learn returned nothing."""
        shape = len(candidates), len(splits)
        columns = {column: np.full(shape, error_score) for column in self._columns}
        self._enter(candidates, splits, columns, dict.fromkeys(np.ndindex(shape), error))

    def block(self, candidates: Indices, splits: Indices) -> dict[str, Any]:
        """The outcomes of a block of cells that were run, as lists and numbers that JSON has."""
        cells = _cells(candidates, splits)
        columns = [
            [part, metric, values[cells].tolist()]
            for (part, metric), values in self._columns.items()
        ]
        # By place in the block: JSON has no pairs as keys, and another search other numbers.
        errors = [
            [i, j, self._errors[row, split]]
            for i, row in enumerate(candidates)
            for j, split in enumerate(splits)
            if (row, split) in self._errors
        ]
        block: dict[str, Any] = {"columns": columns, "errors": errors}
        if self.responses is not None:
            block["responses"] = self.responses.packed(candidates, splits)
        return block

    def fill_block(
        self, rows: Mapping[str, int], columns: Mapping[int, int], saved: Mapping[str, Any]
    ) -> tuple[NDArray[np.intp], ...]:
        """Enter the cells of a saved block that are in this search; return what indexes them.

        Parameters
        ----------
        rows, columns : mapping
            Key of a candidate → its row, and number of a split in the file → its column.
        saved : mapping
            Keys of its candidates, numbers of its splits, and outcomes as `block` returned them.
        """
        # A file may hold candidates and splits that are not in this search.
        candidates = {k: rows[key] for k, key in enumerate(saved["candidates"]) if key in rows}
        splits = {k: columns[n] for k, n in enumerate(saved["splits"]) if n in columns}
        chosen, over = list(candidates.values()), list(splits.values())
        cells = _cells(chosen, over)
        if not chosen or not over:
            return cells
        block, of_block = saved["outcomes"], np.ix_(list(candidates), list(splits))
        tables = {
            (part, metric): np.array(values, float)[of_block]
            for part, metric, values in block["columns"]
        }
        row, column = ({at: k for k, at in enumerate(places)} for places in (candidates, splits))
        errors = {
            (row[i], column[j]): error
            for i, j, error in block["errors"]
            if i in row and j in column
        }
        self._enter(chosen, over, tables, errors)
        if self.responses is not None:
            self.responses.unpack(candidates, splits, block.get("responses", ()))
            # Saved by a search that did not keep them: such fits are to be made again.
            scored = np.zeros_like(self._ran)
            scored[cells] = True
            self._ran &= ~self.responses.lacks(scored & ~self.failed)
        return cells

    def metrics(self) -> list[str]:
        """Names of the metrics; a single one is called "score"."""
        return [metric or "score" for part, metric in self._columns if part == "test_scores"]

    def scores(self, candidates: Indices, splits: Indices, metric: str) -> NDArray[np.float64]:
        """Test scores of one metric in a block of cells."""
        # A single metric has no name in scikit-learn's outcomes: `test_scores` is a number.
        several = ("test_scores", metric) in self._columns
        column = self._columns["test_scores", metric if several else None]
        return column[_cells(candidates, splits)]

    def rows(self) -> list[Outcome]:
        """All outcomes as scikit-learn lists them; cells not run have NaN for every metric."""
        # `_aggregate_score_dicts` takes the metrics from the first outcome, which may not have run.
        # It tests for `numbers.Number`, hence Python's floats from `tolist`.
        flat = {column: values.ravel().tolist() for column, values in self._columns.items()}
        rows: list[Outcome] = [{"fit_error": None} for _ in range(self._ran.size)]
        for (part, metric), values in flat.items():
            for outcome, value in zip(rows, values, strict=True):
                if metric is None:
                    outcome[part] = value
                else:
                    outcome.setdefault(part, {})[metric] = value
        for (i, j), error in self._errors.items():
            rows[i * self.n_splits + j]["fit_error"] = error
        return rows

    def _enter(
        self,
        candidates: Indices,
        splits: Indices,
        columns: Mapping[Column, NDArray[np.float64]],
        errors: Mapping[tuple[int, int], str],
    ) -> None:
        """Enter a block; the keys of `errors` are places in the block."""
        cells = _cells(candidates, splits)
        self._ran[cells] = True
        if self._errors:  # fits that failed before and were tried again
            again = np.zeros_like(self._ran)
            again[cells] = True
            self._errors = {cell: text for cell, text in self._errors.items() if not again[cell]}
        for column, values in columns.items():
            if column not in self._columns:
                self._columns[column] = np.full(self._ran.shape, np.nan)
            self._columns[column][cells] = values
        known = {error: error for error in self._errors.values()}
        # Fits that failed alike share one text: it is a traceback of some kilobytes.
        for (i, j), error in errors.items():
            self._errors[int(candidates[i]), int(splits[j])] = known.setdefault(error, error)


def _like(ledger: Ledger) -> Ledger:
    """Another ledger of the same outcomes, whose columns can be replaced."""
    other = Ledger(ledger.n_candidates, ledger.n_splits, ledger.responses)
    other._ran, other._errors = ledger._ran, ledger._errors
    other._columns = dict(ledger._columns)
    return other


def _named(column: Column) -> Column:
    return column[0], column[1] or "score"


def _cells(candidates: Indices, splits: Indices) -> tuple[NDArray[np.intp], ...]:
    """What indexes a block."""
    # `np.asarray([])` is of floats, which cannot index.
    return np.ix_(np.asarray(candidates, dtype=np.intp), np.asarray(splits, dtype=np.intp))


Outcome = dict[str, Any]
"""What scikit-learn's ``_fit_and_score`` returns: scores, times, sizes, and the error if any."""

TIMES = ("fit_time", "score_time")

PARTS = ("test_scores", "train_scores", *TIMES)

Column = tuple[str, str | None]
"""A part of an outcome, and a metric where the part has several: ("test_scores", "roc_auc")."""

Errors = dict[tuple[int, int], str]
"""Place in a block → the error of the fit there."""


def tables_of(
    outcomes: Sequence[Outcome], n_candidates: int, n_splits: int
) -> tuple[dict[Column, NDArray[np.float64]], Errors]:
    """Numbers of a block, candidates × splits for each column, and its errors.

    Raises ValueError if a score is no number, or a fit has other metrics than the first one.
    """
    shape = n_candidates, n_splits
    tables = {
        # `_fit_and_score` may return NumPy scalars, of the scorer's own type.
        column: np.array([_value_at(outcome, column) for outcome in outcomes], float).reshape(shape)
        for column in _columns_of(outcomes[0])
    }
    errors = {
        divmod(k, n_splits): outcome["fit_error"]
        for k, outcome in enumerate(outcomes)
        if outcome["fit_error"] is not None
    }
    return tables, errors


def _columns_of(outcome: Outcome) -> list[Column]:
    """Columns of an outcome, apart from the error and sizes."""
    columns: list[Column] = []
    for part, value in outcome.items():
        # The sizes of splits are in `SplitDesign`.
        if part in ("fit_error", "n_test_samples"):
            continue
        columns += (
            [(part, metric) for metric in value] if isinstance(value, dict) else [(part, None)]
        )
    return columns


def _value_at(outcome: Outcome, column: Column) -> float:
    """One number of an outcome; ValueError where it is none."""
    part, metric = column
    value = outcome[part]
    if metric is not None:
        if metric not in value:
            raise ValueError(
                f"`scoring` must return the same metrics for every fit; {metric!r} is not among "
                f"{shown_list(value)}."
            )
        value = value[metric]
    try:
        return float(value)
    except TypeError:
        raise ValueError(f"`scoring` must return real numbers; got {shown(value)}.") from None


Indices = Sequence[int] | NDArray[np.intp]

_MOST_OF_SAMPLES = 64
"""A split that was saved has at most this many times as many indices as there are samples."""


def packed_indices(indices: Indices) -> str:
    # Little-endian whatever the machine: a ledger may be read on another one.
    return b64encode(zlib.compress(np.asarray(indices, dtype="<i8").tobytes())).decode()


def unpacked_indices(packed: str, n_samples: int) -> NDArray[np.int64]:
    # `decompress` stops there: a crafted text of some kilobytes could fill the memory.
    most = 8 * _MOST_OF_SAMPLES * n_samples
    reader = zlib.decompressobj()
    raw = reader.decompress(b64decode(packed), most + 8)
    indices = np.frombuffer(raw, dtype="<i8").astype(np.int64)
    # `eof` is False where the text was cut off.
    if len(raw) > most or not reader.eof or (indices < 0).any() or (indices >= n_samples).any():
        raise ValueError("indices of a split that are none of the data")
    return indices


def moments_of(times: NDArray[np.float64], ran: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Mean and standard deviation of the times of each candidate, shape (n_candidates, 2)."""
    n = np.maximum(ran.sum(axis=1), 1)
    # NaN and infinities are an `error_score` of fits that scikit-learn gave no outcomes of.
    with np.errstate(invalid="ignore", over="ignore"):
        mean = np.where(ran, times, 0).sum(axis=1) / n
        squares = np.where(ran, (times - mean[:, None]) ** 2, 0).sum(axis=1)
        return np.column_stack([mean, np.sqrt(squares / n)])


def with_moments(moments: NDArray[np.float64], ran: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Times of these means and standard deviations; NaN in cells that were not run.

    ``cv_results_`` shows only these two, also after an extension, so these times give the same
    results as the true ones.
    """
    n = ran.sum(axis=1, keepdims=True)
    place = np.cumsum(ran, axis=1) - 1
    # One standard deviation above and below in turns; of an odd number the last is the mean, and
    # the others lie further out.
    even = n - n % 2
    sign = np.where(place >= even, 0.0, np.where(place % 2, -1.0, 1.0))
    mean, std = moments[:, :1], moments[:, 1:]
    with np.errstate(invalid="ignore"):
        times = mean + std * np.sqrt(n / np.maximum(even, 1)) * sign
    return np.asarray(np.where(ran, times, np.nan))
