"""Watched: a wrapper that a scorer gets instead of an estimator, to note its responses."""

import copy
import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.pipeline import Pipeline

from sklearn_stats_compare.predictions._responses import RESPONSES

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
