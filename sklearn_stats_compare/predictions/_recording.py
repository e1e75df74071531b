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
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
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


class _Turns(threading.local):
    """Which samples are scored next in this thread: test samples or training samples.

    ``_fit_and_score`` scores test samples and then training samples in one thread, even if the
    first scoring fails.
    """

    of_test = True


@dataclass(frozen=True, eq=False)
class Keeping:
    """What to keep from the calls of scorers, and where.

    Parameters
    ----------
    in_turns : bool, default=False
        Whether training samples are scored too, always after the test samples.
    of_values : bool, default=False
        Whether to keep the values of samples instead of responses.
    into : dict, optional
        Also put the arrays of the last call here, for callers in the same process that lose the
        number that carries them.
    """

    in_turns: bool = False
    of_values: bool = False
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
            named = scores if isinstance(scores, dict) else {"score": scores}
            responses = _values(scorers, estimator, args, kwargs, named, responses)
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
        # Recreated when unpickled: each worker starts at test samples.
        self._turns = _Turns()

    def __call__(self, estimator: Any, X: Any, *args: Any, **kwargs: Any) -> Any:
        """Score; the first score carries the responses."""
        with _recorded(estimator, X, self._turns, self._keeping.in_turns) as (watched, responses):
            scores = self._wrapped_scorer(watched, X, *args, **kwargs)
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

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_turns": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update({**state, "_turns": _Turns()})

    def __call__(self, estimator: Any, X: Any, *args: Any, **kwargs: Any) -> Any:
        """Score by all metrics; the first score carries the responses."""
        with _recorded(estimator, X, self._turns, self._keeping.in_turns) as (watched, responses):
            scores = super().__call__(watched, X, *args, **kwargs)
        return self._keeping.carried(
            scores, responses, self._recorded_scorers, estimator, args, kwargs
        )


class _FunctionScorer(_ScorerWrapper):
    """A scorer that is a function of the estimator, and may check its type.

    If it fails with the wrapper of the estimator, it is called again with the estimator itself.
    """

    def __call__(self, estimator: Any, *args: Any, **kwargs: Any) -> Any:
        """Score, a second time with the estimator itself if the first call fails."""
        itself, scorer = unwatched(estimator), self._recorded_scorer
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


@contextmanager
def _recorded(
    estimator: Any, X: Any, turns: _Turns, in_turns: bool
) -> Iterator[tuple[Any, dict[str, Any]]]:
    """Return the estimator's wrapper for scoring, and the notes of its responses to `X`."""
    of_test, turns.of_test = turns.of_test, not in_turns or not turns.of_test
    if not of_test or isinstance(estimator, type):
        yield estimator, {}
        return
    notes = Notes(X)
    yield Watched(estimator, notes), notes.responses
    if notes.responses:
        available = [hasattr(estimator, name) for name in RESPONSES]
        notes.responses[AVAILABLE] = np.array(available)
        with suppress(Exception):  # the classes of the columns: a fold may lack some
            notes.responses[CLASSES] = np.array(estimator.classes_)


def _values(
    scorers: Mapping[str, Any],
    estimator: Any,
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    scores: Mapping[str, Any],
    responses: Mapping[str, Any],
) -> dict[str, Any]:
    """Values of samples by metric, in single precision, for metrics that have them."""
    y = args[0] if args else kwargs.get("y")
    found: dict[str, Any] = {}
    for metric, scorer in scorers.items():
        score = _as_float(scores.get(metric))  # an error's text if one of several scorers failed
        reading = read_scorer(scorer, estimator)
        if score is None or not np.isfinite(score) or reading.how == "none":
            continue
        with suppress(ValueError):  # the comparison raises it later
            values, weights = values_in_split(reading, responses, y, score, None)
            with np.errstate(over="ignore"):  # an infinite value says that it was too large
                found[VALUES + metric] = values.astype(np.float32)
            if weights is not None:  # records that weights were used
                found[WEIGHTS] = weights
    return found


def _with_responses(scores: Any, responses: dict[str, Any]) -> Any:
    """Attach the responses to the first score that is a number."""
    if not responses:
        return scores
    if isinstance(scores, dict):
        for name, score in scores.items():
            plain = _as_float(score)
            if plain is not None:
                return {**scores, name: Scored(plain, responses)}
        return scores
    plain = _as_float(scores)
    return scores if plain is None else Scored(plain, responses)


def _as_float(score: Any) -> float | None:
    """Return a score as a float as scikit-learn does; None if it is not a number."""
    if hasattr(score, "item"):
        with suppress(ValueError):
            score = score.item()
    return float(score) if isinstance(score, int | float) else None


ANY = object()
"""Any samples: the last step of a pipeline gets them transformed."""


class Notes:
    """The responses of an estimator to one set of samples."""

    def __init__(self, X: Any, responses: dict[str, Any] | None = None) -> None:
        self.X = X
        self.responses: dict[str, Any] = {} if responses is None else responses

    def call(self, method: Callable[..., Any], name: str, *args: Any, **kwargs: Any) -> Any:
        """Call a method, and note what it returns if it was called for the scored samples."""
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


class Watched:
    """A wrapper of an estimator whose response methods note what they return.

    The estimator is not changed, because others may use it too: FrozenEstimator is its own clone.
    Its methods run on the estimator and not on the wrapper, so that checks of its own type work.
    A copy or a pickle of the wrapper is one of the estimator.
    """

    __slots__ = ("_estimator", "_notes")

    def __init__(self, estimator: Any, notes: Notes) -> None:
        object.__setattr__(self, "_estimator", estimator)
        object.__setattr__(self, "_notes", notes)

    @property  # type: ignore[misc]
    def __class__(self) -> Any:  # for isinstance, and for `super()` in `score`
        return type(self._estimator)

    @property
    def __dict__(self) -> Any:  # type: ignore[override]  # for `vars`
        return vars(self._estimator)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._estimator, name)
        if name in RESPONSES and callable(found):
            return _NotingMethod(found, name, self._notes)
        if name == "score" and "score" not in vars(self._estimator):
            score = inspect.getattr_static(type(self._estimator), "score", None)
            if inspect.isfunction(score):
                # With the wrapper as `self`, it calls the methods that note.
                return score.__get__(self)
            if score is inspect.getattr_static(Pipeline, "score"):
                return self._with_watched_end().score
        return found

    def _with_watched_end(self) -> Any:
        """The same pipeline with a watched last step, whose methods its `score` calls."""
        pipeline = object.__new__(type(self._estimator))
        vars(pipeline).update(vars(self._estimator))
        *first, (name, last) = self._estimator.steps
        pipeline.steps = [*first, (name, Watched(last, Notes(ANY, self._notes.responses)))]
        return pipeline

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._estimator, name, value)

    def __delattr__(self, name: str) -> None:
        delattr(self._estimator, name)

    def __dir__(self) -> Any:
        return dir(self._estimator)

    def __repr__(self) -> str:
        return repr(self._estimator)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Watched):
            other = other._estimator
        return bool(self._estimator == other)

    def __hash__(self) -> int:
        return hash(self._estimator)

    def __bool__(self) -> bool:
        return bool(self._estimator)

    def __len__(self) -> int:  # for pipelines and ensembles, like the next three
        return len(self._estimator)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._estimator)

    def __contains__(self, item: object) -> bool:
        return item in self._estimator

    def __getitem__(self, item: Any) -> Any:
        return self._estimator[item]

    def __copy__(self) -> Any:
        return copy.copy(self._estimator)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return copy.deepcopy(self._estimator, memo)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self._estimator.__reduce_ex__(protocol)


def unwatched(estimator: Any) -> Any:
    """Return the estimator that a `Watched` wraps; anything else unchanged."""
    return (
        object.__getattribute__(estimator, "_estimator")
        if type(estimator) is Watched
        else estimator
    )


class _NotingMethod:
    """A bound method that notes what it returns."""

    def __init__(self, method: Callable[..., Any], name: str, notes: Notes) -> None:
        self.__wrapped__, self._notes = method, notes  # `inspect.signature` follows the first
        self.__name__ = name  # scikit-learn's scorers read the name of the method
        self.__doc__ = method.__doc__

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._notes.call(self.__wrapped__, self.__name__, *args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        if name == "__wrapped__":  # not set yet
            raise AttributeError(name)
        return getattr(self.__wrapped__, name)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return _identity, (self.__wrapped__,)


def _identity(thing: Any) -> Any:
    return thing
