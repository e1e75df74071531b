"""Adapters between a user's cv and BaseSearchCV."""

from collections.abc import Iterable, Iterator
from typing import Any

from sklearn.model_selection import check_cv
from sklearn.utils.validation import _num_samples

from sklearn_stats_compare.search._keys import split_keys
from sklearn_stats_compare.search._ledger import Ledger
from sklearn_stats_compare.search._outline import Outline
from sklearn_stats_compare.search._plan import FitRecord
from sklearn_stats_compare.stats import SplitDesign


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
    """

    def __init__(self, cv: Any, *, classifier: bool) -> None:
        self.cv = cv
        self.classifier = classifier
        self.design: SplitDesign | None = None
        self.split_keys: tuple[str, ...] = ()

    def record(self, ledger: Ledger, outline: Outline) -> FitRecord | None:
        """What the fit leaves; None where the splits are not known."""
        if self.design is None:
            return None
        return FitRecord(self.design, self.split_keys, ledger, outline)

    def split(self, X: Any, y: Any = None, **params: Any) -> Iterator[tuple[Any, Any]]:
        """Split as `cv` does; `params` are what metadata routing, or `groups=`, brings."""
        splits = list(check_cv(self.cv, y, classifier=self.classifier).split(X, y, **params))
        n_samples = _num_samples(X)
        try:
            self.design = SplitDesign.from_indices(splits, n_samples) if splits else None
            self.split_keys = tuple(split_keys(splits, n_samples))
        except (IndexError, TypeError, ValueError):
            self.design = None  # bad indices are for scikit-learn to refuse, in its own words
        return iter(splits)


class ReadOnce:
    """An iterable of splits that reads another, perhaps a generator, once and then remembers.

    Nothing is read before somebody iterates: a search that is refused for its parameters leaves
    the generator as it was.
    """

    def __init__(self, splits: Iterable[Any]) -> None:
        self._splits = splits

    def __iter__(self) -> Iterator[Any]:
        if not isinstance(self._splits, list):
            self._splits = list(self._splits)
        return iter(self._splits)


def read_once(cv: Any) -> Any:
    """`cv`, or where it is an iterable of splits, one that is read once and can be read again."""
    is_splits = isinstance(cv, Iterable) and not isinstance(cv, str) and not hasattr(cv, "split")
    return ReadOnce(cv) if is_splits else cv
