"""Scorers that keep what a fitted estimator responds while it is scored.

The responses travel from the worker to the search with the score itself: scikit-learn's
``_fit_and_score`` returns whatever number a scorer returns, and a float may carry more.
"""

import copy
import inspect
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
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
        scorer = _answered_by(self._recorded_scorer, estimator)
        with _recorded(estimator, X, self._turns, self._in_turns) as (watched, responses):
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
    """What stands for the estimator while it is scored, and what that responds to `X`."""
    of_test, turns.of_test = turns.of_test, not in_turns or not turns.of_test
    if not of_test or isinstance(estimator, type):
        yield estimator, {}
        return
    notes = _Notes(X)
    yield _Watched(estimator, notes), notes.responses
    if notes.responses:
        with suppress(Exception):  # of which class the columns are; a fold may lack some
            notes.responses[CLASSES] = np.array(estimator.classes_)


class _Notes:
    """What an estimator responded to one set of samples."""

    def __init__(self, X: Any) -> None:
        self.X = X
        self.responses: dict[str, Any] = {}

    def call(self, method: Callable[..., Any], name: str, *args: Any, **kwargs: Any) -> Any:
        """Call a method, and note what it returns for the very samples that are scored."""
        found = method(*args, **kwargs)
        if (args[:1] or (kwargs.get("X"),))[0] is self.X and name not in self.responses:
            array = _as_array(found)
            if array is not None:
                self.responses[name] = array
        return found


def _as_array(found: Any) -> NDArray[Any] | None:
    """A copy, as a scorer may change what it gets in place; None of what cannot be kept."""
    if isinstance(found, list) and found and all(_is_table(item) for item in found):
        # Of several labels, the probabilities of each: scikit-learn's scorers take the last column
        # of each (`_process_predict_proba` in sklearn.utils._response, 1.6 to 1.9).
        return np.column_stack([table[:, -1] for table in found])
    is_array = isinstance(found, np.ndarray | pd.Series | pd.DataFrame)
    return np.array(found) if is_array and not isinstance(found, np.ma.MaskedArray) else None


def _is_table(found: Any) -> bool:
    return isinstance(found, np.ndarray) and found.ndim == 2 and found.shape[1] > 0


class _Watched:
    """What a scorer gets in place of an estimator: all that it has, and methods that note.

    The estimator itself stays as it is: its methods run on it and not on this, so that no estimator
    notices, whatever it asks of its own type. It may be one that others use too: FrozenEstimator is
    its own clone. A copy of this, pickled or not, is one of the estimator.
    """

    __slots__ = ("_estimator", "_notes")

    def __init__(self, estimator: Any, notes: _Notes) -> None:
        object.__setattr__(self, "_estimator", estimator)
        object.__setattr__(self, "_notes", notes)

    @property
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
                # With this as `self`, it asks the methods that note.
                return score.__get__(self)
        return found

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._estimator, name, value)

    def __delattr__(self, name: str) -> None:
        delattr(self._estimator, name)

    def __dir__(self) -> Any:
        return dir(self._estimator)

    def __repr__(self) -> str:
        return repr(self._estimator)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, _Watched):
            other = other._estimator
        return bool(self._estimator == other)

    def __hash__(self) -> int:
        return hash(self._estimator)

    def __bool__(self) -> bool:
        return bool(self._estimator)

    def __len__(self) -> int:  # of a pipeline or an ensemble, as the next three are
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


class _NotingMethod:
    """A bound method that notes what it returns."""

    def __init__(self, method: Callable[..., Any], name: str, notes: _Notes) -> None:
        self.__wrapped__, self._notes = method, notes  # `inspect.signature` follows the first
        self.__name__ = name  # scikit-learn's scorers look a method up, and then its name
        self.__doc__ = method.__doc__

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._notes.call(self.__wrapped__, self.__name__, *args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        if name == "__wrapped__":  # an object that is being made
            raise AttributeError(name)
        return getattr(self.__wrapped__, name)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return _itself, (self.__wrapped__,)


def _itself(thing: Any) -> Any:
    return thing


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
