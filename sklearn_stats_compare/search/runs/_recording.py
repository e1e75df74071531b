"""Scorers that keep what a fitted estimator responds while it is scored.

The responses travel from the worker to the search with the score itself: scikit-learn's
``_fit_and_score`` returns whatever number a scorer returns, and a float may carry more.
"""

import inspect
import threading
from abc import ABCMeta
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.metrics import accuracy_score, r2_score
from sklearn.pipeline import Pipeline

from sklearn_stats_compare.search._sklearn_private import (
    MultimetricScorer,
    estimator_passed_through,
)
from sklearn_stats_compare.search.ledger import CLASSES, RESPONSES, Scored

_OWN_SCORES: dict[Any, Any] = {
    ClassifierMixin.score: accuracy_score,
    RegressorMixin.score: r2_score,
}


class _Turns(threading.local):
    """Whose turn it is in this thread: the test samples', or the training samples'.

    ``_fit_and_score`` scores the one and then the other in one thread, also where the scoring of
    the first fails.
    """

    of_test = True


class RecordingScorer:
    """A scorer that keeps the responses of estimators to test samples.

    In all other respects it is the scorer that it was made of.

    Parameters
    ----------
    scorer : callable
        With the arguments (estimator, X, y).
    in_turns : bool
        Whether training samples are scored too, each time after the test samples.
    """

    def __init__(self, scorer: Callable[..., Any], *, in_turns: bool) -> None:
        self._recorded_scorer = scorer
        self._in_turns = in_turns
        self._turns = _Turns()
        with suppress(TypeError, ValueError):
            # scikit-learn 1.9 looks there whether a function takes `sample_weight`.
            self.__signature__ = inspect.signature(scorer)

    def __getattr__(self, name: str) -> Any:
        # What metadata routing and scikit-learn's own checks ask of a scorer. Not while it is being
        # unpickled and has nothing yet.
        if name == "_recorded_scorer" or name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._recorded_scorer, name)

    def __getstate__(self) -> dict[str, Any]:
        # A thread-local object cannot be pickled; a worker begins with test samples.
        state = dict(vars(self))
        return {**state, "_turns": None, "__signature__": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["_recorded_scorer"], in_turns=state["_in_turns"])  # type: ignore[misc]

    def __repr__(self) -> str:
        return repr(self._recorded_scorer)

    def __call__(self, estimator: Any, X: Any, *args: Any, **kwargs: Any) -> Any:
        """Score, and let the first score carry the responses."""
        with _recorded(estimator, X, self._turns, self._in_turns) as (watched, responses):
            scorer = _answered_by(self._recorded_scorer, estimator)
            scores = scorer(watched, X, *args, **kwargs)
        return _with_responses(scores, responses)


class RecordingMultimetricScorer(MultimetricScorer):
    """The same for several metrics.

    `_score` of scikit-learn 1.6 to 1.9 asks ``isinstance(scorer, _MultimetricScorer)`` before it
    reads the errors of single metrics.
    """

    def __init__(self, *, scorers: Any, raise_exc: bool, in_turns: bool) -> None:
        super().__init__(scorers=scorers, raise_exc=raise_exc)
        self._in_turns = in_turns
        self._turns = _Turns()

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_turns": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update({**state, "_turns": _Turns()})

    def __call__(self, estimator: Any, X: Any, *args: Any, **kwargs: Any) -> Any:
        """Score by all metrics, and let the first score carry the responses."""
        with _recorded(estimator, X, self._turns, self._in_turns) as (watched, responses):
            scores = super().__call__(watched, X, *args, **kwargs)
        return _with_responses(scores, responses)


def recording(scorers: Any, *, in_turns: bool) -> Any:
    """The scorers of a search, made to keep responses."""
    if isinstance(scorers, MultimetricScorer):
        return RecordingMultimetricScorer(
            scorers=scorers._scorers, raise_exc=scorers._raise_exc, in_turns=in_turns
        )
    return RecordingScorer(scorers, in_turns=in_turns)


def not_recording(scorers: Any) -> Any:
    """The scorers that `recording` was given; of several metrics, a mapping."""
    if isinstance(scorers, MultimetricScorer):
        return scorers._scorers
    return scorers._recorded_scorer if isinstance(scorers, RecordingScorer) else scorers


def _answered_by(scorer: Any, estimator: Any) -> Any:
    """A scorer that asks a pipeline itself, in place of one that asks its last step.

    ``Pipeline.score`` transforms the samples and calls ``score`` of the last step. Where that is
    accuracy or R² of its predictions, those of the pipeline give the same number. All is read off
    the estimator that is scored: a candidate may have another last step than the others.
    """
    if estimator_passed_through(scorer) is None or not isinstance(estimator, Pipeline):
        return scorer
    # Statically: `available_if` makes another function of it at every look.
    if inspect.getattr_static(estimator, "score") is not inspect.getattr_static(Pipeline, "score"):
        return scorer
    score = _OWN_SCORES.get(getattr(type(estimator.steps[-1][1]), "score", None))
    if score is None:
        return scorer

    def answered(pipeline: Any, X: Any, y: Any = None, **params: Any) -> Any:
        if set(params) - {"sample_weight"} or y is None:  # metadata go their own ways to the steps
            return scorer(pipeline, X, y, **params)
        return score(y, pipeline.predict(X), **params)

    return answered


@contextmanager
def _recorded(
    estimator: Any, X: Any, turns: _Turns, in_turns: bool
) -> Iterator[tuple[Any, dict[str, Any]]]:
    """The estimator as an object that notes what it responds to `X`, and the notes."""
    notes = _Notes(X)
    of_test, turns.of_test = turns.of_test, not in_turns or not turns.of_test
    watched = _watched(estimator, notes) if of_test else estimator
    try:
        yield watched, notes.responses
    finally:
        _NOTES.pop(id(watched), None)
        if notes.responses:
            with suppress(Exception):  # of which class the columns are; a fold may lack some
                notes.responses[CLASSES] = np.array(estimator.classes_)


class _Notes:
    """What one estimator responded to one set of samples."""

    def __init__(self, X: Any) -> None:
        self.X = X
        self.depth = 0
        self.responses: dict[str, Any] = {}

    def call(self, method: Callable[..., Any], name: str, *args: Any, **kwargs: Any) -> Any:
        """Call a method, and note what it returns for the very samples that are scored."""
        self.depth += 1
        try:
            found = method(*args, **kwargs)
        finally:
            self.depth -= 1
        # `predict` of many estimators calls their own `decision_function`: no scorer asked for it.
        asked = self.depth == 0 and (args[:1] or (kwargs.get("X"),))[0] is self.X
        if asked and name not in self.responses and isinstance(found, _ARRAYS):
            # A copy, as a scorer may change what it gets in place.
            self.responses[name] = np.array(found)
        return found


_ARRAYS = (np.ndarray, pd.Series, pd.DataFrame)
_NOTES: dict[int, _Notes] = {}
"""Of estimators that are being scored, by their ids."""


def _watched(estimator: Any, notes: _Notes) -> Any:
    """An object with the same attributes, whose methods note what they return.

    It is of a subclass of the estimator's own class. A copy of it, pickled or not, is of the class
    itself and notes nothing. The estimator stays as it is, for it may be one that others use too:
    FrozenEstimator is its own clone.
    """
    kind: Any = type(estimator)
    if not hasattr(estimator, "__dict__") or isinstance(estimator, type):
        return estimator
    try:
        watched: Any = object.__new__(_noting(kind))
        object.__setattr__(watched, "__dict__", vars(estimator))
        for name in {n for base in kind.__mro__ for n in vars(base).get("__slots__", ())}:
            if name not in ("__dict__", "__weakref__") and hasattr(estimator, name):
                object.__setattr__(watched, name, getattr(estimator, name))
    except Exception:  # a class that cannot be subclassed, or not be made without arguments
        return estimator
    _NOTES[id(watched)] = notes
    return watched


@lru_cache(maxsize=16)  # scikit-learn inspects every class that is made; a cache keeps what it has
def _noting(kind: type) -> type:
    """A subclass whose methods note what they return, for objects that are in `_NOTES`.

    Raises TypeError for a class that does something of its own when it is subclassed.
    """
    known = {"object", "_MetadataRequester", "_SetOutputMixin", "Generic", "Protocol"}
    hooks = {base.__name__ for base in kind.__mro__ if "__init_subclass__" in vars(base)}
    if hooks - known or type(kind) not in (type, ABCMeta):
        raise TypeError(f"{kind.__name__} does something when it is subclassed")
    members: dict[str, Any] = {"__module__": kind.__module__, "__qualname__": kind.__qualname__}
    for name in RESPONSES:
        if hasattr(kind, name) or any(name in vars(base) for base in kind.__mro__):
            members[name] = _NotingMethod(name)

    def reduced(self: Any, protocol: Any) -> Any:
        plain: Any = object.__new__(kind)
        object.__setattr__(plain, "__dict__", dict(vars(self)))
        return plain.__reduce_ex__(protocol)

    # pickle compares it with the class that it is told to make.
    members["__class__"] = property(lambda self: kind)
    members["__reduce_ex__"] = reduced
    # The end of this object is not that of the estimator, whose attributes it has.
    members["__del__"] = lambda self: None
    noting = type(kind)(kind.__name__, (kind,), members)
    for name in RESPONSES:
        if name in members:
            members[name].below = noting
    return noting


class _NotingMethod:
    """A method of the class below, as that has it: `available_if`, property or plain."""

    below: type

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, estimator: Any, owner: type | None = None) -> Any:
        if estimator is None:
            return getattr(super(self.below, self.below), self._name)
        method = getattr(super(self.below, estimator), self._name)
        notes = _NOTES.get(id(estimator))
        if notes is None or not callable(method):
            return method
        return _Noted(method, self._name, notes)


class _Noted:
    """A bound method that notes. Scorers of scikit-learn look a method up, and then its name."""

    def __init__(self, method: Callable[..., Any], name: str, notes: _Notes) -> None:
        self._method, self._notes = method, notes
        self.__name__ = name
        self.__doc__ = method.__doc__

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._notes.call(self._method, self.__name__, *args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._method, name)


def _with_responses(scores: Any, responses: dict[str, Any]) -> Any:
    """Let the first score that is a number carry the responses."""
    if not responses:
        return scores
    if isinstance(scores, dict):
        for name, score in scores.items():
            plain = _plain(score)
            if plain is not None:
                return {**scores, name: Scored(plain, responses)}
        return scores
    plain = _plain(scores)
    return scores if plain is None else Scored(plain, responses)


def _plain(score: Any) -> float | None:
    """A score as scikit-learn takes it, if it is a number that a float holds."""
    if hasattr(score, "item"):
        with suppress(ValueError):
            score = score.item()
    return float(score) if isinstance(score, int | float) else None
