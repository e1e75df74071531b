"""The data of a search, given again → the design of its splits, made by its own splitter.

The code that makes splits of any `cv` lies in a layer that this one must not import.
"""

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from typing import Any

from sklearn_stats_compare._messages import shown
from sklearn_stats_compare.comparison._constant_splits import is_constant
from sklearn_stats_compare.stats import SplitDesign

# The draw decides which samples are in a split of these, and not how many.
_SAME_SIZES = {
    "KFold",
    "StratifiedKFold",
    "RepeatedKFold",
    "RepeatedStratifiedKFold",
    "ShuffleSplit",
    "StratifiedShuffleSplit",
}
Splitting = Callable[[Any, Any, Any, Any, Any], list[tuple[Any, Any]]]
_SPLITTINGS: list[Splitting] = []


def add_splitting(split: Splitting) -> None:
    """Register the function that splits data as a search does: (cv, estimator, X, y, groups)."""
    _SPLITTINGS.append(split)


@dataclass(frozen=True, eq=False)
class Data:
    """The data that a search was fitted on, as the caller of `compare` gives them again."""

    X: Any
    y: Any = None
    groups: Any = None

    @classmethod
    def given(cls, X: Any, y: Any, groups: Any) -> "Data | None":
        """The data; None if none were given.

        Raises
        ------
        ValueError
            If there is no `X`.
        """
        if X is None:
            for name, value in (("y", y), ("groups", groups)):
                if value is not None:
                    raise ValueError(f"`{name}` must be given together with `X`; got no `X`.")
            return None
        return cls(X, y, groups)

    def design(self, search: Any, n_splits: int) -> SplitDesign:
        """The design of the splits of a search with this number of columns of scores."""
        if not hasattr(search, "cv"):
            what = "scores without a search" if search is None else type(search).__name__
            raise ValueError(
                "`X` must be given with a fitted search, whose splitter makes the splits; got "
                f"{what}, which has no `cv`. Give `n_train` and `n_test`, or `test_train_ratio`."
            )
        n_samples = _n_samples(self.X)
        _check_same_samples(search, n_samples)
        splitter = _repeatable(search.cv)
        rule = "`X`, `y` and `groups` must be those that the search was fitted on; "
        cv = shown(search.cv)
        try:
            splits = _SPLITTINGS[-1](
                splitter, getattr(search, "estimator", None), self.X, self.y, self.groups
            )
            if len(splits) == n_splits:
                return SplitDesign.from_indices(splits, n_samples)
        except (ValueError, TypeError, IndexError) as error:
            raise ValueError(f"{rule}its cv={cv} cannot split them: {error}") from error
        raise ValueError(
            f"{rule}cv={cv} makes {len(splits)} splits of them, and the search has "
            f"scores of {n_splits}."
        )


def _n_samples(X: Any) -> int:
    # A sparse matrix has no length.
    shape = getattr(X, "shape", None)
    try:
        return int(shape[0]) if shape else len(X)
    except TypeError:
        raise TypeError(
            f"`X` must be the data that the search was fitted on; got {shown(X)}."
        ) from None


def _check_same_samples(search: Any, n_samples: int) -> None:
    """Raise ValueError if the search scored on fewer samples, as far as it says."""
    # A halving search draws from each split; only the last iteration is compared.
    resources = getattr(search, "n_resources_", None)
    if resources and getattr(search, "resource", None) == "n_samples" and resources[-1] < n_samples:
        raise ValueError(
            f"`X` must be left out for {type(search).__name__}, which scored its last candidates "
            f"on about {resources[-1]} of the {n_samples} samples. Give `test_train_ratio`."
        )
    drawn = getattr(search, "sample_indices_", None)  # of OptunaSearchCV
    if drawn is not None and len(drawn) != n_samples:
        raise ValueError(
            f"`X` must be the {len(drawn)} samples that {type(search).__name__} drew, "
            f"X[search.sample_indices_]; got {n_samples} samples."
        )


def _repeatable(cv: Any) -> Any:
    """A splitter that makes splits of the same sizes, and draws from no generator of the user's."""
    if hasattr(cv, "__next__"):
        raise ValueError(
            "`X` must be left out where `cv` is a generator, which the search used up; got "
            f"cv={shown(cv)}. Give `n_train` and `n_test`, or `test_train_ratio`."
        )
    if is_constant(cv):
        return cv
    is_known = type(cv).__module__.partition(".")[0] == "sklearn"
    if is_known and type(cv).__name__ in _SAME_SIZES:
        seeded = copy(cv)
        seeded.random_state = 0
        return seeded
    raise ValueError(
        "`X` must be left out where the sizes depend on a draw that is not repeated; got "
        f"cv={shown(cv)}. Give `n_train` and `n_test`, or `test_train_ratio`, or fit the search "
        "with an integer `random_state` in its splitter."
    )
