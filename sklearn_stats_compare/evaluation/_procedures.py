"""Procedures: estimators that may tune within each training set, and what they chose there."""

import inspect
import json
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import get_config
from sklearn.base import ClassifierMixin, RegressorMixin, clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline

from sklearn_stats_compare._messages import ComparisonWarning, outside_level, shortened

_LONGEST_VALUE = 200
_LONGEST_LABEL = 60
_SCORERS = ((ClassifierMixin, "accuracy"), (RegressorMixin, "r2"))
"""Classes whose `score` is that of a scorer."""
# By name: with sklearn.neighbors the import of this package would take longer.
_ACCURACIES = ("KNeighborsClassifier.score", "RadiusNeighborsClassifier.score")
"""Methods of scikit-learn that only allow X to be None, and call that of `ClassifierMixin`."""


def search_in(procedure: Any) -> tuple[Any, str] | None:
    """The search that a procedure is or ends in, and the prefix of its parameters of ``fit``."""
    prefix = ""
    while True:
        # Also searches of other packages, and those that are fitted.
        if hasattr(procedure, "_run_search") or hasattr(procedure, "best_params_"):
            return procedure, prefix
        if type(procedure).__name__.endswith("SearchCV"):
            return procedure, prefix
        if isinstance(procedure, Pipeline):
            name, procedure = procedure.steps[-1]
            prefix += f"{name}__"
        elif _transforms_target(procedure):
            # Its own ``fit`` passes parameters on as they are.
            procedure = getattr(procedure, "regressor_", procedure.regressor)
        else:
            return None


def _transforms_target(procedure: Any) -> bool:
    # Here, because sklearn.compose imports all linear models.
    from sklearn.compose import TransformedTargetRegressor

    return isinstance(procedure, TransformedTargetRegressor)


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
    if groups is None:
        return given
    if get_config()["enable_metadata_routing"]:
        # scikit-learn routes them itself, without a prefix, to who asks for them.
        router = getattr(procedure, "get_metadata_routing", None)
        if router is not None and router().consumes("fit", ["groups"]):
            given.setdefault("groups", groups)
    elif found is not None and _uses_groups(found[0]):
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


def check_own_ledgers(procedures: Mapping[str, Any]) -> None:
    """Raise ValueError if parallel fits would share the ledger of a search."""
    for name, procedure in procedures.items():
        found = search_in(procedure)
        if found is not None and getattr(found[0], "ledger", None) is not None:
            raise ValueError(
                f"`procedure` {name!r} has a search with a `ledger` of its own, which one fit at a "
                "time can use; got more than one job. Give nested_score the `ledger` instead."
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
    # A transformed target has scores in other units.
    is_comparable = not _transforms_target(fitted)
    chosen = {
        "params": {name: _plain(value) for name, value in search.best_params_.items()},
        "score": _inner_score(search),
        "metric": scorer_name(search) if is_comparable else None,
        "is_own": is_comparable,
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


def scorer_name(model: Any) -> str | None:
    """Name of the scorer that gives what ``model.score`` does; None if none is known to."""
    own = inspect.getattr_static(type(model), "score", None)
    if own is inspect.getattr_static(Pipeline, "score"):
        return scorer_name(model.steps[-1][1])
    if own is inspect.getattr_static(GridSearchCV, "score"):  # BaseSearchCV's
        scoring, refit = model.scoring, model.refit
        if scoring is None:
            return scorer_name(model.estimator)
        if isinstance(scoring, Mapping):
            scoring = scoring.get(refit) if isinstance(refit, str) else None
        elif isinstance(scoring, list | tuple | set):
            scoring = refit
        return scoring if isinstance(scoring, str) else None
    for mixin, name in _SCORERS:
        if own is inspect.getattr_static(mixin, "score"):
            return name
    is_known = getattr(own, "__module__", "").startswith("sklearn.")
    return "accuracy" if is_known and own.__qualname__ in _ACCURACIES else None


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if np.isfinite(value) else str(value)
    return shortened(" ".join(repr(value).split()), _LONGEST_VALUE)


def labels_of(distinct: Sequence[Mapping[str, Any]]) -> list[str]:
    """A label in the form ``C=1, gamma=0.1`` for each choice, with all its parameters.

    Unlike the labels of a comparison, these include parameters that all choices share.
    """
    names = {name for one in distinct for name in one}
    last = Counter(name.rpartition("__")[2] for name in names)
    found: list[str] = []
    for one in distinct:
        parts = []
        for name, value in one.items():
            short = name.rpartition("__")[2]
            parts.append(f"{short if last[short] == 1 else name}={value}")
        label = shortened(", ".join(parts) or "no parameters", _LONGEST_LABEL)
        found.append(label if label not in found else f"{label} ({len(found) + 1})")
    return found
