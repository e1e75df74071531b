"""Adapters between a user's cv and BaseSearchCV."""

from collections.abc import Iterable, Iterator
from typing import Any

from sklearn.model_selection import check_cv
from sklearn.utils.validation import _num_samples

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
    """

    def __init__(self, cv: Any, *, classifier: bool) -> None:
        self.cv = cv
        self.classifier = classifier
        self.design: SplitDesign | None = None

    def split(self, X: Any, y: Any = None, **params: Any) -> Iterator[tuple[Any, Any]]:
        """Split as `cv` does; `params` are what metadata routing, or `groups=`, brings."""
        splits = list(check_cv(self.cv, y, classifier=self.classifier).split(X, y, **params))
        if splits:  # none at all is for scikit-learn to refuse, in its own words
            self.design = SplitDesign.from_indices(splits, _num_samples(X))
        return iter(splits)


def read_once(cv: Any) -> Any:
    """A list for an iterable of splits, which may be a generator that can be read only once.

    Everything else, invalid values included, is returned as it is.
    """
    if isinstance(cv, Iterable) and not isinstance(cv, str) and not hasattr(cv, "split"):
        return list(cv)
    return cv
