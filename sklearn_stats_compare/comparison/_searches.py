"""What a fitted search shows besides its scores: splits, metric, how it chose candidates.

Searches and splitters are recognised by the module of their code, so that no package need be
imported here.
"""

from collections.abc import Iterable
from numbers import Integral
from typing import Any

import numpy as np

from sklearn_stats_compare._messages import check_option, shown
from sklearn_stats_compare.comparison._chosen_by_scores import chosen_by_search
from sklearn_stats_compare.comparison._found import chosen_metric
from sklearn_stats_compare.comparison._own_metric import single_metric_name

_ABSENT = object()
_FIXED_SEARCHES = ("GridSearch", "RandomizedSearch", "RandomSearch")
# Optuna's samplers that use no scores: random, grid, quasi-random, brute force.
_FIXED_SAMPLERS = ("RandomSampler", "GridSampler", "QMCSampler", "BruteForceSampler")
_KNOWN_SPLITTERS = ("sklearn", "sklearn_stats_compare")


def check_splits(search: Any) -> None:
    """Raise ValueError unless all candidates of a search are known to have the same splits.

    A search that runs scikit-learn's own `fit` and `_run_search` splits once for all candidates, or
    is a halving search, which rejects a splitter that may change. Any other search may split anew
    for each candidate or batch, so it needs splits that are the same at every call.
    """
    # Both methods, because a subclass elsewhere may override either. scikit-learn's `fit` splits
    # once for each batch of candidates. Its grid and randomized searches have one batch; halving
    # has several, and raises unless `_yields_constant_splits(cv)`.
    if _root(type(search), "fit") == _root(type(search), "_run_search") == "sklearn":
        return
    cv = getattr(search, "cv", _ABSENT)
    if is_constant(cv):
        return
    of = "no `cv`" if cv is _ABSENT else f"cv={shown(cv)}"
    raise ValueError(
        "`obj` must be a search whose candidates were scored on the same splits; got "
        f"{type(search).__name__} with {of}, which may have split anew for each candidate. Give "
        "the search a splitter with an integer `random_state`, or a list of splits. Where you "
        "know that the splits were the same, compare its `cv_results_`."
    )


def metric_of(search: Any, metric: str | None, metrics: list[str]) -> tuple[str, str]:
    """The metric to compare by: its name in ``cv_results_`` and its display name.

    A single metric is "score" there, whatever the search's `scoring` is; of several metrics, the
    default is the refit metric.
    """
    refit = getattr(search, "refit", None)
    # scikit-learn calls a single metric "score" in ``cv_results_``, whatever it is.
    if metrics == ["score"]:
        name = single_metric_name(search)
        if metric is not None:
            check_option("metric", metric, dict.fromkeys((name, "score")))
        return "score", name
    if metric is None and len(metrics) > 1:
        # A rule of this package as `refit` names its metric; the metric of other callables is
        # unknown.
        by = refit if isinstance(refit, str) else getattr(refit, "metric", None)
        if isinstance(by, str) and by in metrics:
            return by, by
    chosen = chosen_metric(metric, metrics)
    return chosen, chosen


def adaptive_note(search: Any, results: Iterable[Any]) -> str:
    """A note on error rates if candidates were chosen by scores; "" otherwise."""
    if search is not None:
        chose = type(search).__name__ if _chose_by_scores(search) else None
    else:  # the columns of Optuna's trials_dataframe; scikit-learn's are param_C
        chose = "Optuna" if any(str(key).startswith("params_") for key in results) else None
    return "" if chose is None else chosen_by_search(chose)


def _chose_by_scores(search: Any) -> bool:
    if _root(type(search), "_run_search") == "sklearn":
        return False
    # By name, because other packages have no common class: they name their grid and random searches
    # after scikit-learn's.
    if is_fixed(type(search).__name__):
        return False
    sampler = getattr(getattr(search, "study_", None), "sampler", None)  # of Optuna
    return type(sampler).__name__ not in _FIXED_SAMPLERS


def is_fixed(name: str) -> bool:
    """Whether a search of this name lists its candidates before it sees a score."""
    return any(word in name for word in _FIXED_SEARCHES)


def is_constant(cv: Any) -> bool:
    """Whether every call to split is known to give the same splits.

    A number of folds does not shuffle, and an iterable becomes a list. scikit-learn's splitters
    without a `random_state` draw nothing; for other splitters this is unknown.
    """
    if cv is _ABSENT:
        return False
    # `check_cv` of scikit-learn also uses this attribute to distinguish splitters from lists.
    if not hasattr(cv, "split"):
        return True
    # A generator goes on drawing at every call to split, under whatever name it is kept.
    draws = getattr(cv, "__dict__", {}).values()
    if any(isinstance(value, np.random.RandomState | np.random.Generator) for value in draws):
        return False
    seed = getattr(cv, "random_state", _ABSENT)
    # As `_yields_constant_splits` of scikit-learn's model_selection._split, 1.6 to 1.9.
    if isinstance(seed, Integral) or not getattr(cv, "shuffle", True):
        return True
    # That function treats a splitter without `random_state` as constant. scikit-learn's are, but
    # those of other packages may draw from NumPy's global state.
    return seed is _ABSENT and _root(type(cv)) in _KNOWN_SPLITTERS


def _root(owner: type, method: str | None = None) -> str:
    """The package of a class, or of its method; "" if there is no such method."""
    code = owner if method is None else getattr(owner, method, None)
    return str(getattr(code, "__module__", "")).partition(".")[0]
