"""Whether several fitted searches are known to have scored on the same splits, by one metric."""

from collections.abc import Mapping
from numbers import Integral
from typing import Any

import numpy as np

from sklearn_stats_compare._messages import shown, shown_list
from sklearn_stats_compare.comparison._constant_splits import is_constant

# Five folds since scikit-learn 0.22.
_DEFAULT_FOLDS = 5


def check_same_splits(searches: Mapping[Any, Any]) -> None:
    """Raise ValueError unless all searches split and score alike, as far as known.

    Fewer than two searches always pass.
    """
    names = list(searches)
    for name, search in searches.items():
        results = search.cv_results_
        if "iter" in results and "n_resources" in results:
            raise ValueError(
                "`obj` must hold searches that scored all candidates on the same splits; "
                f"{shown(name)} is a {type(search).__name__}, which drew samples for each "
                "iteration. Compare it by itself, or search its best candidates again."
            )
    first = searches[names[0]] if names else None
    for name in names[1:]:
        pair = shown_list([shown(names[0]), shown(name)])
        other = searches[name]
        n_splits = [getattr(search, "n_splits_", None) for search in (first, other)]
        if n_splits[0] != n_splits[1] and None not in n_splits:
            raise ValueError(
                "`obj` must hold searches on the same splits; those of "
                f"{pair} have {n_splits[0]} and {n_splits[1]} splits. Give every search the same "
                "splitter, and extend all of them or none."
            )
        if not _split_alike(first, other):
            raise ValueError(
                "`obj` must hold searches on the same splits; those of "
                f"{pair} may differ, with cv={shown(getattr(first, 'cv', None))} and "
                f"cv={shown(getattr(other, 'cv', None))}. Give every search the same splitter "
                "with an integer `random_state`, or the same list of splits."
            )
        if not _score_alike(first, other):
            raise ValueError(
                "`obj` must hold searches with the same metric; those of "
                f"{pair} have scoring={shown(getattr(first, 'scoring', None))} and "
                f"scoring={shown(getattr(other, 'scoring', None))}. Give every search the same "
                "`scoring`, such as 'accuracy'."
            )


def _split_alike(one: Any, other: Any) -> bool:
    cvs = [getattr(search, "cv", np.nan) for search in (one, other)]
    # One search exhausts a generator, so that of another search is a different one.
    if not all(is_constant(cv) and not hasattr(cv, "__next__") for cv in cvs):
        return False
    if getattr(one, "n_splits_", None) != getattr(other, "n_splits_", None):
        return False
    # `check_cv` of scikit-learn stratifies a number of folds where the estimator is a classifier.
    if _is_number(cvs[0]) and _is_number(cvs[1]):
        folds = [_DEFAULT_FOLDS if cv is None else int(cv) for cv in cvs]
        return folds[0] == folds[1] and _kind(one) == _kind(other)
    return _alike(*cvs)


def _score_alike(one: Any, other: Any) -> bool:
    scorings = [getattr(search, "scoring", None) for search in (one, other)]
    if scorings == [None, None]:  # the estimators' own scores
        return _kind(one) == _kind(other)
    named = [isinstance(scoring, str) for scoring in scorings]
    if all(named):
        return bool(scorings[0] == scorings[1])
    single = [not getattr(search, "multimetric_", False) for search in (one, other)]
    # With several metrics, the name of the compared one identifies it. The representation of a
    # scorer shows the function and its arguments, and that of a function its address.
    if not any(single):
        return True
    return all(single) and repr(scorings[0]) == repr(scorings[1])


def _is_number(cv: Any) -> bool:
    return cv is None or (isinstance(cv, Integral) and not isinstance(cv, bool))


def _kind(search: Any) -> Any:
    """Kind of a search's estimator, classifier or regressor, by scikit-learn's tags."""
    estimator = getattr(search, "estimator", None)
    tags = getattr(estimator, "__sklearn_tags__", None)
    try:
        return tags().estimator_type if tags is not None else None
    except Exception:  # an estimator from outside scikit-learn may raise anything
        return None


def _alike(one: Any, other: Any) -> bool:
    """Whether two splitters, or their attributes, have the same type and content."""
    if one is other:
        return True
    if isinstance(one, np.ndarray | list | tuple) and isinstance(other, np.ndarray | list | tuple):
        if all(isinstance(side, np.ndarray) for side in (one, other)):
            return np.array_equal(one, other)
        return len(one) == len(other) and all(map(_alike, one, other))
    if type(one) is not type(other):
        return False
    if isinstance(one, Mapping):
        return one.keys() == other.keys() and all(_alike(one[key], other[key]) for key in one)
    if hasattr(one, "split") and hasattr(one, "__dict__"):
        return _alike(vars(one), vars(other))
    try:
        return bool(one == other)
    except Exception:  # values of other packages may raise anything
        return False
