"""Scorers that record the responses of a fitted estimator, or values of samples made of them.

The records travel from the worker to the search with the score: scikit-learn's
``_fit_and_score`` returns the number that a scorer returns, and a subclass of float can carry more.
"""

import copy
import inspect
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from sklearn_stats_compare._sklearn_private import (
    MultimetricScorer,
    estimator_passed_through,
    parts_of_scorer,
)
from sklearn_stats_compare.predictions._responses import (
    AVAILABLE,
    CLASSES,
    RESPONSES,
    VALUES,
    WEIGHTS,
    Scored,
)
from sklearn_stats_compare.predictions._scorers import read_scorer, values_in_split
from sklearn_stats_compare.stats._sample_scores import type_of_values


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
        Whether no one asked for the values. Then only metrics whose values are quick count, none
        can raise an error, and those that are not a mean keep the response that they are of.
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
        if responses and "sample_weight" in kwargs:
            responses[WEIGHTS] = np.asarray(kwargs["sample_weight"])
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
                if self.by_default and reading.how != "mean":
                    if reading.how == "influence":
                        found |= responses
                    continue
                # The comparison raises it later; by default there is then none by samples.
                with suppress(Exception if self.by_default else ValueError):
                    with np.errstate(all="ignore" if self.by_default else None):
                        values, weights = values_in_split(reading, responses, y, score, None)
                    dtype = type_of_values(values, single=True)
                    found[VALUES + metric] = values.astype(dtype)
                    if weights is not None:  # records that weights were used
                        found[WEIGHTS] = weights
            responses = found
        if self.into is not None:
            self.into.update(responses)
        return _with_responses(scores, responses)


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
        with _recorded(estimator, X, self._turns, self._keeping.in_turns) as (recorded, responses):
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
        with _recorded(estimator, X, self._turns, self._keeping.in_turns) as (recorded, responses):
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
        if self._keeping.of_values:  # such a scorer has no values
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
    estimator: Any, X: Any, turns: _Turns, in_turns: bool
) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Return the recording estimator for scoring, and the record of its responses to `X`."""
    of_test, turns.of_test = turns.of_test, not in_turns or not turns.of_test
    if not of_test or isinstance(estimator, type):
        yield estimator, {}
        return
    record = Record(X, {})
    yield recording_estimator(estimator, record), record.responses
    if record.responses:
        available = [hasattr(estimator, name) for name in RESPONSES]
        record.responses[AVAILABLE] = np.array(available)
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
        if inspect.getattr_static(estimator, name, None) is _SCORE_OF_PIPELINE:
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
