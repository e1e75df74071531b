"""Adapters between a user's cv and a search: what it splits is recorded, or asked for."""

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import check_cv

from sklearn_stats_compare.search._sklearn_private import num_samples
from sklearn_stats_compare.search.ledger import splitter_key
from sklearn_stats_compare.stats import SplitDesign, as_index, split_keys


class SplitRecorder:
    """A splitter that hands on another's splits and keeps their sizes and structure.

    It splits once and describes the very splits that it hands on, so that an unseeded shuffle
    needs no second look and the indices need not be kept.

    Parameters
    ----------
    cv : int, splitter, iterable or None
        As for scikit-learn's searches.
    classifier : bool
        Whether the estimator is a classifier, for which scikit-learn stratifies.

    Attributes
    ----------
    design : SplitDesign or None
        Of the splits that were handed on; None before, and where their indices cannot be read.
    split_keys : tuple of str
        Of the same splits.
    tests : list of ndarray
        Test samples of the same splits, with `keep_tests`.
    n_samples : int
        Number of samples of the data.
    groups : array-like or None
        What the splitter was given as `groups`, whatever ``fit`` calls it.
    is_steady : bool
        Whether every call of `split` gave the same splits; a subclass may evaluate candidates in
        several calls, each of which splits.
    check : callable or None
        Called with the design, before the first fit.
    """

    def __init__(self, cv: Any, *, classifier: bool, keep_tests: bool = False) -> None:
        self.cv = cv
        self.classifier = classifier
        self.keep_tests = keep_tests
        self.tests: list[NDArray[np.intp]] = []
        self.n_samples = 0
        self.groups: Any = None
        self.check: Callable[[SplitDesign], None] | None = None
        self.is_steady = True
        self.design: SplitDesign | None = None
        self.split_keys: tuple[str, ...] = ()

    def split(self, X: Any, y: Any = None, **params: Any) -> Iterator[tuple[Any, Any]]:
        """Split as `cv` does; `params` are what metadata routing, or `groups=`, brings."""
        # With `y`, as `BaseSearchCV.fit` calls it: it stratifies if `y` holds classes.
        splits = list(check_cv(self.cv, y, classifier=self.classifier).split(X, y, **params))
        n_samples = num_samples(X)
        self.groups = params.get("groups")
        try:
            self.design = SplitDesign.from_indices(splits, n_samples) if splits else None
            keys = tuple(split_keys(splits, n_samples))
            self.is_steady = self.is_steady and self.split_keys in ((), keys)
            self.split_keys = keys
            if self.keep_tests:
                self.tests, self.n_samples = tested_samples(splits, n_samples), n_samples
        except (IndexError, TypeError, ValueError):
            self.design = None  # scikit-learn refuses bad indices, in its own words
        if self.check is not None and self.design is not None:
            self.check(self.design)
        return iter(splits)


def tested_samples(splits: Sequence[tuple[Any, Any]], n_samples: int) -> list[NDArray[np.intp]]:
    """Test samples of splits, as whole numbers."""
    samples = np.arange(n_samples)
    return [samples[as_index(test)] for _, test in splits]


def keys_of(splits: Sequence[tuple[Any, Any]], n_samples: int) -> list[str]:
    """Keys of splits; ValueError if they are no indices."""
    try:
        return split_keys(splits, n_samples)
    except (IndexError, TypeError, ValueError):
        raise ValueError("`cv` must yield (train, test) indices of samples.") from None


class SplitSource:
    """A user's `cv`, and the data that it splits.

    Parameters
    ----------
    cv : int, splitter, iterable or None
        As for scikit-learn's searches.
    X, y, params : object
        What is split, and what metadata routing or ``groups=`` brings.
    classifier : bool
        Whether the estimator is a classifier, for which scikit-learn stratifies.
    """

    def __init__(
        self, cv: Any, X: Any, y: Any, params: Mapping[str, Any], *, classifier: bool
    ) -> None:
        self._cv = cv
        self._X, self._y, self._params = X, y, params
        self._classifier = classifier

    def splits(self) -> list[tuple[Any, Any]]:
        """The splits that it makes now."""
        return list(self._checked(self._cv).split(self._X, self._y, **self._params))

    def drawn(self, keys: list[str]) -> str:
        """Key of how it draws splits; empty where it makes those with these keys every time."""
        if not hasattr(self._cv, "split"):  # a number, or the splits themselves
            return ""
        try:
            # A copy: drawing from a RandomState in `cv` would change what the user draws next.
            again = self._checked(copy.deepcopy(self._cv))
        except Exception:  # it cannot be copied: it holds a generator, say
            again = None
        if again is not None:
            # An unseeded splitter makes other splits this time.
            splits = list(again.split(self._X, self._y, **self._params))
            if split_keys(splits, num_samples(self._X)) == keys:
                return ""
        return splitter_key(self._checked(self._cv))

    def _checked(self, cv: Any) -> Any:
        return check_cv(cv, self._y, classifier=self._classifier)
