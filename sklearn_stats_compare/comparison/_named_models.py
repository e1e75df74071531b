"""Mappings of names to scores of models: vectors, cross_validate results, or searches."""

import os
from collections.abc import Iterable, Mapping, Sequence, Set
from pathlib import PurePath
from typing import Any

import pandas as pd

from sklearn_stats_compare._messages import shown, shown_list
from sklearn_stats_compare.comparison._axis_names import is_metric, is_summary, is_time
from sklearn_stats_compare.comparison._best_of_searches import (
    Reader,
    is_saved_search,
    read_searches,
)
from sklearn_stats_compare.comparison._columns import numbers
from sklearn_stats_compare.comparison._comparison import Comparison
from sklearn_stats_compare.comparison._cross_validations import (
    HINT,
    read_cross_validations,
    stacked,
)
from sklearn_stats_compare.comparison._found import Found, Sizes
from sklearn_stats_compare.comparison._labels import candidate_labels
from sklearn_stats_compare.comparison._other_frames import as_pandas, is_frame
from sklearn_stats_compare.stats import SplitScores

_RESULT, _SEARCH, _SCORES = "results of cross_validate", "fitted searches", "vectors of scores"


def read_named(named: Mapping[Any, Any], metric: str | None, sizes: Sizes, read: Reader) -> Found:
    """Models by name, all in the same form; `read` reads a path as `compare` does."""
    if not named:
        raise ValueError("`obj` must hold at least one model; it is empty.")
    values = {name: as_pandas(v) if is_frame(v) else v for name, v in named.items()}
    kinds = {name: _kind(name, value) for name, value in values.items()}
    if len(set(kinds.values())) > 1:
        raise TypeError(
            "`obj` must map every name to the same kind of value; got "
            f"{shown_list(dict.fromkeys(kinds.values()))}."
        )
    kind = next(iter(kinds.values()))
    if kind == _SEARCH:
        return read_searches(values, metric, sizes, read)
    if kind == _RESULT:
        return read_cross_validations(values, metric, sizes)
    return _read_vectors(values, metric, sizes)


def is_list_of_results(obj: Any) -> bool:
    """Whether an object is a list that contains searches, or results without names."""
    return isinstance(obj, list | tuple) and any(
        hasattr(item, "cv_results_") or is_frame(item) or _is_result(item) or is_saved_search(item)
        for item in obj
    )


def read_listed(searches: Any, metric: str | None, sizes: Sizes, read: Reader) -> Found:
    """Searches without names: fitted ones are named by estimator, files by file name."""
    for item in searches:
        if not hasattr(item, "cv_results_") and not is_saved_search(item):
            raise TypeError(
                "`obj` must be a list of fitted searches, comparisons or paths alone, or a mapping "
                "of names to them or to results of cross_validate; got a list with "
                f"{type(item).__name__}."
            )
    estimators = [getattr(search, "estimator", search) for search in searches]
    labels: Sequence[str] = [_search_name(*both) for both in zip(searches, estimators, strict=True)]
    if len(set(labels)) < len(labels):
        if any(map(is_saved_search, searches)):
            raise ValueError(
                "`obj` must be a mapping of names to searches where the items of a list have no "
                f"names of their own; got {shown_list(labels)}."
            )
        labels = candidate_labels([{"model": estimator} for estimator in estimators])
    return read_searches(dict(zip(labels, searches, strict=True)), metric, sizes, read)


def _search_name(search: Any, estimator: Any) -> str:
    if isinstance(search, Comparison):
        return search.leader or "Comparison"
    if is_saved_search(search):
        return PurePath(os.fsdecode(search)).stem
    # The last step of a pipeline says more than "Pipeline".
    return type(getattr(estimator, "steps", [(None, estimator)])[-1][1]).__name__


def _kind(name: Any, value: Any) -> str:
    if isinstance(value, pd.DataFrame | Mapping):
        return _RESULT
    # A saved search may be given next to a fitted one.
    if hasattr(value, "cv_results_") or is_saved_search(value):
        return _SEARCH
    if isinstance(value, Iterable) and not isinstance(value, str | bytes | Set):
        return _SCORES
    why = ", which is not fitted" if hasattr(value, "fit") else ""
    why = ", and there is no such file" if isinstance(value, str) else why
    raise TypeError(
        "`obj` must map each name to the mapping that cross_validate returns or its DataFrame, to "
        "a vector of scores, or to a fitted search, its Comparison or the path of its file; "
        f"{shown(name)} is mapped to "
        f"{type(value).__name__}{why}."
    )


def _is_result(item: Any) -> bool:
    return isinstance(item, Mapping) and any(str(key).startswith("test_") for key in item)


def _read_vectors(vectors: Mapping[Any, Any], metric: str | None, sizes: Sizes) -> Found:
    """Scores by model, one vector each, as cross_val_score returns them."""
    # The result of cross_validate for one model is a mapping of vectors too.
    names = list(vectors)
    for name in names:
        if is_time(name) or is_summary(name):
            _refuse(name)
    if all(map(is_metric, names)):
        _refuse(names[0])
    for name, vector in vectors.items():
        if getattr(vector, "ndim", 1) != 1:
            raise ValueError(
                "`obj` must map each name to a vector, one score per split; "
                f"{shown(name)} has {vector.ndim} dimensions."
            )
    scores = stacked([numbers(vector, shown(name)) for name, vector in vectors.items()])
    design = sizes.design(scores.shape[1], hint=HINT)
    labels = [str(name) for name in names]
    return Found(SplitScores(scores, design), metric or "score", labels=labels, may_be_loss=True)


def _refuse(name: Any) -> None:
    raise ValueError(
        "`obj` must map names of models to their scores by one metric; got "
        f"{shown(name)}, as in the results of one model. Name the models: "
        "{'svm': cross_validate(…), 'forest': cross_validate(…)}."
    )
