"""What a fitted search shows besides its scores: splits, metric, how it chose candidates.

Searches are recognised by the module of their code, so that no package need be
imported here.
"""

from collections.abc import Iterable
from typing import Any

from sklearn_stats_compare._messages import check_option, shown
from sklearn_stats_compare.comparison._chosen_by_scores import chosen_by_search
from sklearn_stats_compare.comparison._constant_splits import ABSENT, is_constant, package_of
from sklearn_stats_compare.comparison._found import chosen_metric
from sklearn_stats_compare.comparison._own_metric import single_metric_name

_FIXED_SEARCHES = ("GridSearch", "RandomizedSearch", "RandomSearch")
# Optuna's samplers that use no scores: random, grid, quasi-random, brute force.
FIXED_SAMPLERS = ("RandomSampler", "GridSampler", "QMCSampler", "BruteForceSampler")


def check_splits(search: Any) -> None:
    """Raise ValueError unless all candidates of a search are known to have the same splits.

    A search that runs scikit-learn's own `fit` and `_run_search` splits once for all candidates, or
    is a halving search, which rejects a splitter that may change. Any other search may split anew
    for each candidate or batch, so it needs splits that are the same at every call.
    """
    # Both methods, because a subclass elsewhere may override either. scikit-learn's `fit` splits
    # once for each batch of candidates. Its grid and randomized searches have one batch; halving
    # has several, and raises unless `_yields_constant_splits(cv)`.
    if package_of(type(search), "fit") == package_of(type(search), "_run_search") == "sklearn":
        return
    cv = getattr(search, "cv", ABSENT)
    if is_constant(cv):
        return
    of = "no `cv`" if cv is ABSENT else f"cv={shown(cv)}"
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
    else:
        chose = "Optuna" if is_of_optuna(results) else None
    return "" if chose is None else chosen_by_search(chose)


def is_of_optuna(results: Iterable[Any]) -> bool:
    """Whether columns are those of Optuna's trials_dataframe; scikit-learn's are param_C."""
    return any(str(key).startswith("params_") for key in results)


def _chose_by_scores(search: Any) -> bool:
    if package_of(type(search), "_run_search") == "sklearn":
        return False
    # By name, because other packages have no common class: they name their grid and random searches
    # after scikit-learn's.
    if is_fixed(type(search).__name__):
        return False
    sampler = getattr(getattr(search, "study_", None), "sampler", None)  # of Optuna
    return type(sampler).__name__ not in FIXED_SAMPLERS


def is_fixed(name: str) -> bool:
    """Whether a search of this name lists its candidates before it sees a score."""
    return any(word in name for word in _FIXED_SEARCHES)
