"""Procedures: estimators that may tune within each training set, and what they chose there."""

import json
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.compose import TransformedTargetRegressor
from sklearn.pipeline import Pipeline

from sklearn_stats_compare._messages import ComparisonWarning, outside_level, shortened
from sklearn_stats_compare.comparison import single_metric_name

_LONGEST_VALUE = 200


def search_in(procedure: Any) -> tuple[Any, str] | None:
    """The search that a procedure is or ends in, and the prefix of its parameters of ``fit``."""
    prefix = ""
    while True:
        if hasattr(procedure, "best_params_") or type(procedure).__name__.endswith("SearchCV"):
            return procedure, prefix
        if isinstance(procedure, Pipeline):
            name, procedure = procedure.steps[-1]
            prefix += f"{name}__"
        elif isinstance(procedure, TransformedTargetRegressor):
            # Its own ``fit`` passes parameters on as they are.
            procedure = getattr(procedure, "regressor_", procedure.regressor)
        else:
            return None


def for_one_split(procedure: Any, *, one_job: bool, ledger: str | None) -> Any:
    """A clone for an outer split.

    With `one_job`, nothing in it runs in parallel, because outer splits do. Its search is given
    `ledger` if it takes one and has none.
    """
    own = clone(procedure)
    if one_job:
        found = own.get_params(deep=True).items()
        jobs = {k: 1 for k, v in found if k.rpartition("__")[2] == "n_jobs" and v not in (None, 1)}
        own.set_params(**jobs)
    found_search = search_in(own)
    if ledger is not None and found_search is not None:
        search, _ = found_search
        if search.get_params(deep=False).get("ledger", ledger) is None:
            search.set_params(ledger=ledger)
    return own


def params_of_fit(procedure: Any, params: Mapping[str, Any] | None, groups: Any) -> dict[str, Any]:
    """Arguments of a procedure's ``fit``, with groups if its search splits by groups."""
    found = search_in(procedure)
    given = dict(params or {})
    if groups is not None and found is not None and _uses_groups(found[0]):
        given.setdefault(f"{found[1]}groups", groups)
    return given


def warn_of_ungrouped(procedures: Mapping[str, Any]) -> None:
    """Warn of searches that split without the groups that the outer splits keep together."""
    searches = {name: search_in(procedure) for name, procedure in procedures.items()}
    named = [
        name for name, found in searches.items() if found is not None and not _uses_groups(found[0])
    ]
    if named:
        warnings.warn(
            f"The outer splits use `groups`, but the search in {', '.join(named)} splits without "
            "them: it tunes on samples of groups that it was trained on. Give it a splitter such "
            "as GroupKFold.",
            ComparisonWarning,
            stacklevel=outside_level(),
        )


def _uses_groups(search: Any) -> bool:
    try:
        requests = search.cv.get_metadata_routing().split.requests
    except AttributeError:  # a number, an iterable, or a splitter of another package
        return False
    return bool(requests.get("groups"))


def choice_of(fitted: Any) -> NDArray[np.uint8] | None:
    """What the search in a fitted procedure chose, as JSON in UTF-8; None without a search."""
    found = search_in(fitted)
    if found is None or not hasattr(found[0], "best_params_"):
        return None
    search, _ = found
    chosen = {
        "params": {name: _plain(value) for name, value in search.best_params_.items()},
        "score": _inner_score(search),
        "metric": _inner_metric(search),
    }
    return np.frombuffer(json.dumps(chosen).encode(), dtype=np.uint8)


def _inner_score(search: Any) -> float | None:
    score = getattr(search, "best_score_", None)
    if score is None:  # scikit-learn sets none where `refit` is a callable
        results = getattr(search, "cv_results_", {})
        means = [name for name in results if name.startswith("mean_test_")]
        if len(means) == 1:
            score = results[means[0]][search.best_index_]
    return None if score is None or not np.isfinite(score) else float(score)


def _inner_metric(search: Any) -> str:
    refit = getattr(search, "refit", None)
    several = isinstance(refit, str) and not isinstance(getattr(search, "scoring", None), str)
    return str(refit) if several else single_metric_name(search)


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if np.isfinite(value) else str(value)
    return shortened(" ".join(repr(value).split()), _LONGEST_VALUE)
