"""Responses: what estimators predict, recorded while a scorer asks for it, and kept.

The records travel from the worker to the search with the score: scikit-learn's
``_fit_and_score`` returns the number that a scorer returns, and a subclass of float can carry more.
"""

import copy
import inspect
import threading
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from typing import Any, NamedTuple, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn import get_config
from sklearn.base import clone
from sklearn.pipeline import Pipeline
from sklearn.utils import indexable
from sklearn.utils.metadata_routing import get_routing_for_object

from sklearn_stats_compare._sklearn_private import (
    MultimetricScorer,
    count_samples,
    estimator_passed_through,
    parts_of_scorer,
    take_rows,
    takes_weights,
)
from sklearn_stats_compare._utils._validation import check_option, shown_list, wrong
from sklearn_stats_compare.predictions._scorers import ScorerReading, read_scorer
from sklearn_stats_compare.stats._design import SplitDesign
from sklearn_stats_compare.stats._sample_scores import type_of_values
from sklearn_stats_compare.stats._sample_t import MANY_SPLITS

RESPONSES = ("predict", "predict_proba", "decision_function", "predict_log_proba")

Indices = Sequence[int] | NDArray[np.intp]

CLASSES = "classes"
"""Key of the classes that the estimator knows."""

AVAILABLE = "available"
"""Key of those of `RESPONSES` that the estimator has, where the user asked for predictions."""

WEIGHTS = "sample_weight"
"""Key of the weights with which the samples were scored."""

UNWEIGHTED = "unweighted"
"""Key of the metrics that took no weights, beside others that did."""

CHOICE = "choice"
"""Key of what a search chose during a fit, as UTF-8 bytes: for nested cross-validation."""

VALUES = "values of "
"""Prefix of a metric's name, for its values of samples instead of responses."""

_SMALL_SIZE = 64 * 10**6
"""Bytes that responses may take if no one asked for them."""

_BYTES_OF_A_CELL = 1_000
"""Of the objects that keep the responses of one candidate on one split."""

_NOT_PER_SAMPLE = (CLASSES, AVAILABLE, CHOICE, UNWEIGHTED)

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
        Whether only values of samples are wanted, which may be kept instead of responses.
    by_default : bool, default=False
        Whether no one asked for them: a fit that has none is not made again, and no file of a
        fitted search has them.
    runs_ahead : bool, default=False
        Whether they may hold some of fits that are not of the search in the end.
    tests : list of array
        Test samples of each split.
    cells : dict
        What is kept of each cell, a candidate on a split, by name.
    """

    n_samples: int = 0
    are_values: bool = field(default=False, kw_only=True)
    by_default: bool = field(default=False, kw_only=True)
    runs_ahead: bool = field(default=False, kw_only=True)
    tests: list[NDArray[np.intp]] = field(default_factory=list, kw_only=True)
    cells: dict[Cell, dict[str, Kept]] = field(default_factory=dict, kw_only=True)

    _n_bytes = 0

    def __post_init__(self) -> None:
        if self.by_default:
            self._n_bytes = sum(map(_size, self.cells.values()))

    @property
    def are_too_large(self) -> bool:
        """Whether they take so much memory that no one would want them by default."""
        most = _SMALL_SIZE * (4 if self.runs_ahead else 1)
        return self.by_default and self._n_bytes > most

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
        kept = self.cells[candidate, split] = {
            name: kept_as(array)
            for name, array in arrays.items()
            if name in _NOT_PER_SAMPLE or array.shape[:1] == (n_rows,)
        }
        self._n_bytes += _size(kept)

    def packed(self, cells: Sequence[Cell]) -> list[Any]:
        """Pack cells for JSON, each as [place among `cells`, name → array]."""
        packed: list[Any] = []
        for k, cell in enumerate(cells):
            # Nothing may fail because of what no one asked for, such as labels that are dates.
            with suppress(ValueError) if self.by_default else nullcontext():
                arrays = self.cells[cell].items() if cell in self.cells else ()
                packed += [[k, {name: packed_array(*kept) for name, kept in arrays}]]
        return packed

    def unpack(self, cells: Mapping[int, Cell], packed: Sequence[Any]) -> None:
        """Enter what `packed` returned, for some places and their cells."""
        for k, arrays in packed:
            if k in cells:
                n_rows = self.tests[cells[k][1]].size
                kept = self.cells[cells[k]] = {
                    name: kept_as(unpacked_array(body, None if name in _NOT_PER_SAMPLE else n_rows))
                    for name, body in arrays.items()
                }
                self._n_bytes += _size(kept)

    def lacks(self, cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Which of these cells are absent, or have less than the predictions that are kept."""
        if self.by_default:
            return np.zeros_like(cells)
        kept = np.zeros_like(cells)
        for cell, arrays in self.cells.items():
            kept[cell] = self.are_values or not arrays or AVAILABLE in arrays
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
        if () in widths:
            raise ValueError(
                "`method` must have responses of one form for every candidate; got "
                f"{method!r}, of which some return vectors and others columns."
            )
        if len(widths) > 1:
            raise ValueError(
                "`method` must have responses with the same number of columns on every split; got "
                f"{method!r}, which has fewer where the training samples lack a class."
            )
        (width,) = widths.pop()
        return list(range(width))


def _size(kept: Mapping[str, Kept]) -> int:
    """Bytes of a cell."""
    of_samples = (k.array.nbytes for name, k in kept.items() if name not in _NOT_PER_SAMPLE)
    return sum(of_samples) + _BYTES_OF_A_CELL


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
    for small in ("u1", "i1", "u2", "i2", "u4", "i4") if array.dtype.kind in "iu" else ():
        if (kept := array.astype(small)).itemsize < array.itemsize and (kept == array).all():
            return Kept(kept, array.dtype)
    return Kept(np.array(array), array.dtype)


def _in_columns(cell: Mapping[str, Kept], method: str, columns: Sequence[Any]) -> NDArray[Any]:
    """Arrange a response in these columns; fill those of absent classes as scikit-learn does."""
    table = cell[method].whole()
    if table.ndim == 1:
        return table[:, None]
    if table.shape[1] == len(columns):
        return table
    filler = 0.0 if _FOR_ABSENT_CLASSES[method] == "zero" else np.finfo(table.dtype).min
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
    labels = y.data if sparse.issparse(y) else np.asarray(y)
    if labels.dtype.kind == "O":
        for label in labels.ravel().tolist():
            label_as_json(label)


def label_as_json(label: Any) -> Any:
    """Return a label in a form that JSON restores exactly; ValueError if it has none."""
    if isinstance(label, str):  # also np.str_
        return str(label)
    if type(label) in (int, bool, float, type(None)):
        return label
    raise wrong(
        "y", "hold text, numbers or booleans so that a `ledger` can store its predictions", label
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


def _can_be_sorted(units: NDArray[Any]) -> bool:
    """Whether no unit is absent, and they are not a mixture of text and numbers."""
    try:
        np.unique(units)
    except TypeError:
        return False
    return not pd.isna(units).any()


@dataclass(frozen=True, eq=False)
class Scoring:
    """The data and scorers with which the predictions of a fit were scored.

    Attributes
    ----------
    y : array-like
        The truth.
    scorers : mapping of str to callable
        The scorer of each metric.
    estimator : estimator
        The unfitted estimator, for its own `score`.
    groups : array-like or None
        Groups of samples that belong together. A sample whose group is missing is one by itself.
    index : Index or None
        Index of the rows if the data were a frame.
    by_name : bool
        Whether rows have names only, as those of a long table, and no order.
    error_score : float
        Score that a scorer that failed leaves.
    weights : mapping of str to ndarray, or None
        The weight of each sample in the score, by metric; none where samples have no weights.
    """

    y: Any
    scorers: Mapping[str, Any]
    estimator: Any
    groups: Any
    index: pd.Index | None = None
    by_name: bool = False
    error_score: float = np.nan
    weights: Mapping[str, NDArray[np.float64]] | None = None  # of pickles, too, that have none

    @classmethod
    def of(
        cls,
        X: Any,
        y: Any,
        scorers: Mapping[str, Any],
        estimator: Any,
        groups: Any,
        error_score: Any = np.nan,
        weights: Mapping[str, NDArray[np.float64]] | None = None,
    ) -> Self:
        """Copies of the arguments of ``fit``, because values are computed later, on request."""
        truth, units = (
            None if given is None else take_rows(given, np.arange(count_samples(given)))
            for given in indexable(y, groups)  # as `BaseSearchCV.fit` makes them
        )
        if units is not None and np.ndim(units) > 1:
            columns = pd.DataFrame(np.asarray(units))
            units = columns.groupby([*columns], dropna=False).ngroup().to_numpy()
        if units is not None and not _can_be_sorted(np.asarray(units)):
            codes = pd.factorize(np.asarray(units))[0]
            units = np.where(codes < 0, -1 - np.arange(codes.size), codes)
        indexed = [own for own in (X, y) if isinstance(own, pd.DataFrame | pd.Series)]
        index = indexed[0].index if indexed else None
        left = np.nan if error_score == "raise" else float(error_score)
        shape = (count_samples(y if X is None else X),) if weights else ()
        weights = {name: own for name, own in (weights or {}).items() if own.shape == shape}
        return cls(truth, scorers, estimator, units, index, error_score=left, weights=weights)


class _Turns(threading.local):
    """Which samples are scored next in this thread: test samples or training samples.

    ``_fit_and_score`` scores test samples and then training samples in one thread, even if the
    first scoring fails.
    """

    of_test = True

    def __reduce__(self) -> Any:
        return _Turns, ()  # each worker starts at test samples


@dataclass(frozen=True, eq=False)
class Keeping:
    """What to keep from the calls of scorers, and where.

    Parameters
    ----------
    in_turns : bool, default=False
        Whether training samples are scored too, always after the test samples.
    of_values : bool, default=False
        Whether to keep the values of samples instead of responses.
    by_default : bool, default=False
        Whether no one asked for the responses.
    into : dict, optional
        Also put the arrays of the last call here, for callers in the same process that lose the
        number that carries them.
    """

    in_turns: bool = False
    of_values: bool = False
    by_default: bool = False
    into: dict[str, Any] | None = None

    def carried(
        self,
        scores: Any,
        responses: dict[str, Any],
        scorers: Mapping[str, Any],
        estimator: Any,
        args: tuple[Any, ...],
        kwargs: Mapping[str, Any],
    ) -> Any:
        """Return the scores; the first of them carries the records."""
        # For a single scorer scikit-learn has routed them already.
        routes = isinstance(scores, dict) and get_config()["enable_metadata_routing"]
        names = {
            metric: name_of_weights(scorer) if routes else WEIGHTS
            for metric, scorer in scorers.items()
        }
        name = next((name for name in names.values() if name in kwargs), None)
        if responses and name is not None:
            responses[WEIGHTS] = np.asarray(kwargs[name])
            plain = [metric for metric, own in names.items() if own != name]
            if plain:
                responses[UNWEIGHTED] = np.array(plain)
        if self.of_values and responses:
            # In single precision where that is enough, for metrics that have values of samples.
            named = scores if isinstance(scores, dict) else {"score": scores}
            y = args[0] if args else kwargs.get("y")
            found: dict[str, Any] = {}
            for metric, scorer in scorers.items():
                score = _as_float(named.get(metric))  # a text if one of several scorers failed
                reading = read_scorer(scorer, estimator)
                if score is None or not np.isfinite(score) or reading.how == "none":
                    continue
                with suppress(ValueError):  # the comparison raises it later
                    values, weights = values_in_split(reading, responses, y, score, None, metric)
                    found[VALUES + metric] = values.astype(type_of_values(values, single=True))
                    if weights is not None:  # records that weights were used
                        found[WEIGHTS] = weights
            responses = found
        if self.into is not None:
            self.into.update(responses)
        return _with_responses(scores, responses)


def name_of_weights(scorer: Any) -> str | None:
    """Name of the metadata that are the weights of a scorer; None if it takes none."""
    if not hasattr(scorer, "get_metadata_routing"):
        return WEIGHTS
    routing = get_routing_for_object(scorer)
    alias = routing.score.requests.get(WEIGHTS) if hasattr(routing, "score") else None
    if isinstance(alias, str):
        return alias
    return WEIGHTS if routing.consumes("score", [WEIGHTS]) else None


def weights_by_metric(
    scorers: Mapping[str, Any], params: Mapping[str, Any], *, of_search: bool
) -> Mapping[str, NDArray[np.float64]]:
    """Weights that scorers take of the metadata of a fit, by metric.

    Without metadata routing only a search passes them, not ``cross_validate``.
    """
    names: dict[str, str | None] = {}
    if get_config()["enable_metadata_routing"]:
        routed = {m: own for m, own in scorers.items() if hasattr(own, "get_metadata_routing")}
        names = {metric: name_of_weights(scorer) for metric, scorer in routed.items()}
    elif of_search and params.get(WEIGHTS) is not None:
        names = {metric: WEIGHTS for metric, scorer in scorers.items() if takes_weights(scorer)}
    found = {}
    for metric, name in names.items():
        if name is not None and params.get(name) is not None:
            with suppress(TypeError, ValueError):  # the fits say what is wrong with them
                found[metric] = np.array(params[name], float)
    return found


class _ScorerWrapper:
    """A wrapper that replaces a scorer, and passes all other attributes through to it.

    Parameters
    ----------
    scorer : callable
        Called as ``scorer(estimator, X, y)``.
    keeping : Keeping
        What to keep.
    """

    def __init__(self, scorer: Callable[..., Any], keeping: Keeping) -> None:
        self._recorded_scorer = scorer
        self._keeping = keeping
        with suppress(TypeError, ValueError):
            # scikit-learn 1.9 checks there whether a function takes `sample_weight`.
            self.__signature__ = inspect.signature(scorer)

    def __getattr__(self, name: str) -> Any:
        # For metadata routing and scikit-learn's checks of a scorer. Not during unpickling, when
        # no attribute is set yet.
        if name == "_recorded_scorer" or name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._recorded_scorer, name)

    def __reduce__(self) -> Any:
        return type(self), (self._recorded_scorer, self._keeping)

    def __repr__(self) -> str:
        return repr(self._recorded_scorer)


class RecordingScorer(_ScorerWrapper):
    """A scorer that records the responses of estimators to test samples."""

    def __init__(self, scorer: Callable[..., Any], keeping: Keeping) -> None:
        super().__init__(scorer, keeping)
        self._wrapped_scorer = _wrapped(scorer, keeping)
        self._turns = _Turns()

    def __call__(self, estimator: Any, X: Any, *args: Any, **kwargs: Any) -> Any:
        """Score; the first score carries the responses."""
        with _recorded(estimator, X, self._turns, self._keeping) as (recorded, responses):
            scores = self._wrapped_scorer(recorded, X, *args, **kwargs)
        named = {"score": self._recorded_scorer}
        return self._keeping.carried(scores, responses, named, estimator, args, kwargs)


class RecordingMultimetricScorer(MultimetricScorer):
    """A `RecordingScorer` for several metrics.

    `_score` of scikit-learn 1.6 to 1.9 checks ``isinstance(scorer, _MultimetricScorer)`` before it
    reads the errors of single metrics.
    """

    def __init__(self, keeping: Keeping, *, scorers: Any, raise_exc: bool) -> None:
        asked = {name: _wrapped(scorer, keeping) for name, scorer in scorers.items()}
        super().__init__(scorers=asked, raise_exc=raise_exc)
        self._recorded_scorers = scorers
        self._keeping = keeping
        self._turns = _Turns()

    def __call__(self, estimator: Any, X: Any, *args: Any, **kwargs: Any) -> Any:
        """Score by all metrics; the first score carries the responses."""
        with _recorded(estimator, X, self._turns, self._keeping) as (recorded, responses):
            scores = super().__call__(recorded, X, *args, **kwargs)
        return self._keeping.carried(
            scores, responses, self._recorded_scorers, estimator, args, kwargs
        )


class _FunctionScorer(_ScorerWrapper):
    """A scorer that is a function of the estimator, and may check its type exactly."""

    def __call__(self, estimator: Any, *args: Any, **kwargs: Any) -> Any:
        """Score, a second time with the estimator itself if the first call fails."""
        itself, scorer = estimator, self._recorded_scorer
        if isinstance(estimator, RecordingEstimator):
            itself = estimator._recorded_estimator
        if self._keeping.of_values or self._keeping.by_default:  # such a scorer has no values
            return scorer(itself, *args, **kwargs)
        try:
            return scorer(estimator, *args, **kwargs)
        except Exception:
            if itself is estimator:
                raise
            return scorer(itself, *args, **kwargs)


def _wrapped(scorer: Any, keeping: Keeping) -> Any:
    if parts_of_scorer(scorer) is None and estimator_passed_through(scorer) is None:
        return _FunctionScorer(scorer, keeping)
    return scorer


def recording(scorers: Any, keeping: Keeping) -> Any:
    """Wrap scorers so that they record responses, or values of samples."""
    if isinstance(scorers, MultimetricScorer):
        return RecordingMultimetricScorer(
            keeping, scorers=scorers._scorers, raise_exc=scorers._raise_exc
        )
    return RecordingScorer(scorers, keeping)


def keeps_by_default(scorers: Mapping[str, Any], n_candidates: int, design: SplitDesign) -> bool:
    """Whether responses are kept although no one asked for them.

    They are if scikit-learn's code alone reads them, the test of samples can use them, the splits
    are few, and the responses may take at most 64 MB. Whether a metric has values of samples is
    asked by the first table.
    """
    n_bytes = n_candidates * (int(design.n_test.sum()) + design.n_splits * _BYTES_OF_A_CELL)
    if n_bytes > _SMALL_SIZE or design.n_splits >= MANY_SPLITS or (design.repeat < 0).any():
        return False
    standard = False
    for scorer in scorers.values():
        own, parts = estimator_passed_through(scorer), parts_of_scorer(scorer)
        if own is not None:
            while isinstance(own, Pipeline):
                own = own.steps[-1][1]
            if not _is_standard(getattr(type(own), "score", None)):
                return False  # the user's, who may count on the type of the estimator
            standard = True
        elif parts is not None:
            function: Any = parts[0]
            while isinstance(function, partial):
                function = function.func
            standard |= _is_standard(function)
    return standard


def _is_standard(function: Any) -> bool:
    module = str(getattr(function, "__module__", ""))
    return module.partition(".")[0] in ("sklearn", "sklearn_stats_compare")


def by_metric(scorers: Any) -> Mapping[str, Any]:
    """Return scorers by metric; scikit-learn calls a single one "score"."""
    if isinstance(scorers, MultimetricScorer):
        scorers = scorers._scorers
    return scorers if isinstance(scorers, dict) else {"score": scorers}


def not_recording(scorers: Any) -> Any:
    """Return the scorers given to `recording`; a mapping if there are several metrics."""
    if isinstance(scorers, MultimetricScorer):
        scorers = scorers._scorers
    if isinstance(scorers, dict):  # the form in which a search stores several
        return {name: not_recording(scorer) for name, scorer in scorers.items()}
    return scorers._recorded_scorer if isinstance(scorers, _ScorerWrapper) else scorers


def as_given(scorer: Any) -> Any:
    """Return the scorer given to `recording`, in the form that a fit takes."""
    if isinstance(scorer, RecordingMultimetricScorer):
        return MultimetricScorer(scorers=scorer._recorded_scorers, raise_exc=scorer._raise_exc)
    return scorer if isinstance(scorer, MultimetricScorer) else not_recording(scorer)


@contextmanager
def _recorded(
    estimator: Any, X: Any, turns: _Turns, keeping: Keeping
) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Return the recording estimator for scoring, and the record of its responses to `X`."""
    of_test, turns.of_test = turns.of_test, not keeping.in_turns or not turns.of_test
    if not of_test or isinstance(estimator, type):
        yield estimator, {}
        return
    record = Record(X, {})
    yield recording_estimator(estimator, record), record.responses
    if record.responses:
        if not keeping.by_default:  # for other metrics
            record.responses[AVAILABLE] = np.array([hasattr(estimator, name) for name in RESPONSES])
        with suppress(Exception):  # the classes of the columns: a fold may lack some
            record.responses[CLASSES] = np.array(estimator.classes_)


def _with_responses(scores: Any, responses: dict[str, Any]) -> Any:
    """Attach the responses to the first score that is a number."""
    if not responses:
        return scores
    for name, score in scores.items() if isinstance(scores, dict) else [("", scores)]:
        plain = _as_float(score)
        if plain is not None:
            carrier = Scored(plain, responses)
            return {**scores, name: carrier} if isinstance(scores, dict) else carrier
    return scores


def _as_float(score: Any) -> float | None:
    """Return a score as a float as scikit-learn does; None if it is not a number."""
    if hasattr(score, "item"):
        with suppress(ValueError):
            score = score.item()
    return float(score) if isinstance(score, int | float) else None


ANY = object()
"""Any samples: the last step of a pipeline gets them transformed."""


@dataclass(frozen=True, eq=False)
class Record:
    """The responses of an estimator to the samples `X`, by method."""

    X: Any
    responses: dict[str, Any]

    def of(self, method: Callable[..., Any], name: str, *args: Any, **kwargs: Any) -> Any:
        """Call a method, and record what it returns if it was called for the scored samples."""
        found = method(*args, **kwargs)
        is_asked = self.X is ANY or (args[:1] or (kwargs.get("X"),))[0] is self.X
        if is_asked and name not in self.responses:
            array = _as_array(found)
            if array is not None:
                self.responses[name] = array
        return found


def _as_array(found: Any) -> NDArray[Any] | None:
    """Copy a response, because a scorer may change it in place; None if it cannot be kept."""
    if isinstance(found, list) and found and all(_is_table(item) for item in found):
        # A table of probabilities per label: scikit-learn's scorers take the last column of each
        # (`_process_predict_proba` in sklearn.utils._response, 1.6 to 1.9).
        return np.column_stack([table[:, -1] for table in found])
    is_array = isinstance(found, np.ndarray | pd.Series | pd.DataFrame)
    return np.array(found) if is_array and not isinstance(found, np.ma.MaskedArray) else None


def _is_table(found: Any) -> bool:
    return isinstance(found, np.ndarray) and found.ndim == 2 and found.shape[1] > 0


class RecordingEstimator:
    """Base of the classes of estimators that record what their response methods return.

    `recording_estimator` derives such a class from that of the estimator. Its instance shares the
    attributes of the estimator, which is not changed, because others may use it too:
    FrozenEstimator is its own clone. The response methods run on the estimator itself, so that
    checks of its own type work. A copy, a clone or a pickle is one of the estimator.
    """

    # Slots, because the attributes are shared.
    __slots__ = ("_record", "_recorded_estimator")

    _record: Record
    _recorded_estimator: Any

    def __init_subclass__(cls) -> None:
        """Skip what the class of the estimator does with its subclasses."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        """Make another estimator, as in ``type(estimator)()``."""
        return cls.__bases__[1](*args, **kwargs)

    def __del__(self) -> None:
        """Leave what the estimator needs until it is deleted itself."""

    def __getattribute__(self, name: str) -> Any:
        if name not in RESPONSES and name != "score":
            return super().__getattribute__(name)
        estimator = self._recorded_estimator
        if name != "score":
            return _RecordedMethod(getattr(estimator, name), name, self._record)
        kind: Any = type(estimator)
        if name not in vars(estimator) and _scores_as_pipelines_do(kind):
            return _with_recorded_end(estimator, self._record).score
        return super().__getattribute__(name)  # calls the methods that record

    def __copy__(self) -> Any:
        return copy.copy(self._recorded_estimator)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return copy.deepcopy(self._recorded_estimator, memo)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self._recorded_estimator.__reduce_ex__(protocol)

    def __sklearn_clone__(self) -> Any:
        return clone(self._recorded_estimator)


_SCORE_OF_PIPELINE = inspect.getattr_static(Pipeline, "score")


@lru_cache
def _scores_as_pipelines_do(kind: type) -> bool:
    return inspect.getattr_static(kind, "score", None) is _SCORE_OF_PIPELINE


@lru_cache
def _recording_class(kind: type) -> type:
    return type(kind.__name__, (RecordingEstimator, kind), {"__module__": kind.__module__})


def recording_estimator(estimator: Any, record: Record) -> Any:
    """Return an estimator that records, or the same one if its class cannot be derived from."""
    kind: Any = type(estimator)
    try:
        recording: Any = object.__new__(_recording_class(kind))
        recording.__dict__ = estimator.__dict__
    except (AttributeError, TypeError):  # a class written in C
        return estimator
    recording._record, recording._recorded_estimator = record, estimator
    return recording


def _with_recorded_end(pipeline: Pipeline, record: Record) -> Pipeline:
    """The same pipeline with a recording last step, whose methods its `score` calls."""
    same = object.__new__(type(pipeline))
    *first, (name, last) = pipeline.steps
    recording = recording_estimator(last, Record(ANY, record.responses))
    vars(same).update(vars(pipeline), steps=[*first, (name, recording)])
    return same


class _RecordedMethod:
    """A bound method that records what it returns."""

    def __init__(self, method: Callable[..., Any], name: str, record: Record) -> None:
        self.__wrapped__, self._record = method, record  # `inspect.signature` follows the first
        self.__name__ = name  # scikit-learn's scorers read the name of the method

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._record.of(self.__wrapped__, self.__name__, *args, **kwargs)

    def __reduce__(self) -> Any:
        return _itself, (self.__wrapped__,)


def _itself(thing: Any) -> Any:
    return thing


def first_response(reading: ScorerReading, cell: Mapping[str, NDArray[Any]]) -> str | None:
    """Return the response that a scorer takes from this estimator; None if it is not known."""
    if AVAILABLE not in cell:
        return None
    has = dict(zip(RESPONSES, cell[AVAILABLE].tolist(), strict=True))
    return next((name for name in reading.response_methods if has[name]), None)


_THAT_USES = {
    "predict": "'accuracy' or 'r2'",
    "predict_proba": "'neg_log_loss'",
    "decision_function": "'roc_auc', for two classes",
}


def response_in(
    reading: ScorerReading, cell: Mapping[str, NDArray[Any]]
) -> tuple[NDArray[Any], NDArray[Any] | None]:
    """Return the kept response that a scorer takes, and the classes of the estimator.

    Raises ValueError if no such response was kept.
    """
    classes = cell.get(CLASSES)
    methods = reading.response_methods
    asked_method = first_response(reading, cell)
    # For two classes decision values and probabilities rank samples nearly alike; for more not.
    if asked_method is not None and (classes is None or classes.shape != (2,)):
        methods = (asked_method,)
    method = next((name for name in methods if name in cell), None)
    if method is None:
        asked = " or ".join(f"`{name}`" for name in methods)
        kept = shown_list([f"`{name}`" for name in RESPONSES if name in cell])
        raise ValueError(
            f"no response of {asked} was kept{f', only of {kept}' if kept else ''}. A search "
            "keeps what its scorers ask for: add one to `scoring` that uses this response, such as "
            f"{_THAT_USES[methods[0]]}. Your own scorer must call "
            "the method with the `X` that it was given, not with a copy, and the method must "
            "return an array. Values that could not be computed, such as of weighted areas or F1, "
            "are not kept either: return_predictions=True says why."
        )
    response = cell[method]
    if method != "predict" and classes is not None and classes.shape == (2,):
        # With two classes a scorer takes only the values for the positive one.
        positive = classes[1] if reading.pos_label is None else reading.pos_label
        if positive not in classes.tolist():
            raise ValueError(
                f"`pos_label` must be one of the classes {classes.tolist()}; got {positive!r}."
            )
        first = positive == classes[0]
        if response.ndim == 2:
            response = response[:, 0 if first else 1]
        elif first:
            response = -response
    return response, classes


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
            take_rows(y, inside),
            response[inside],
            sample_weight=None if weights is None else weights[inside],
            classes=classes,
            units=None if units is None else take_rows(units, inside),
        )
    except ValueError:  # a class without samples
        return np.full(inside.size, np.nan)


def values_in_split(
    reading: ScorerReading,
    cell: Mapping[str, NDArray[Any]],
    y: Any,
    score: float,
    units: ArrayLike | None,
    metric: str,
) -> tuple[NDArray[np.float64], NDArray[Any] | None]:
    """Values of samples of one candidate in one split, and their weights.

    Raises
    ------
    ValueError
        If no response for the scorer was kept, or it does not give the score.
    """
    response, classes = response_in(reading, cell)
    weights = None if metric in cell.get(UNWEIGHTED, ()) else cell.get(WEIGHTS)

    def values(sample_weight: Any) -> NDArray[np.float64]:
        return reading.values(
            y, response, score=score, sample_weight=sample_weight, classes=classes, units=units
        )

    if weights is None:
        return values(None), None
    try:
        return values(weights), weights
    except ValueError:
        with suppress(ValueError):  # a score that ignores weights
            return values(None), None
        raise
