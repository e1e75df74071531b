"""Checks of the arguments of `nested_score`, before its fits."""

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import get_config
from sklearn.metrics import check_scoring

from sklearn_stats_compare._messages import ComparisonWarning, count, outside_level, shown
from sklearn_stats_compare.evaluation._nested_result import AUTO, COLUMNS
from sklearn_stats_compare.evaluation._own_scores import check_one_score
from sklearn_stats_compare.evaluation._pairs_of_folds import check_folds
from sklearn_stats_compare.evaluation._procedures import scorer_name, search_in
from sklearn_stats_compare.predictions import by_metric, read_scorer
from sklearn_stats_compare.stats import SampleTTest, SplitDesign, as_index, check_splits

Split = tuple[NDArray[np.intp], NDArray[np.intp]]
"""Training and test samples."""
_FEW = 5
"""Fewer outer splits than this are warned of."""


def checked_splits(
    cv: Any, drawn: list[Any], n_samples: int, interval: str, groups: Any
) -> tuple[list[Split], SplitDesign]:
    """Splits as indices that the interval can use, and their design.

    Warns of few splits, and of splits that follow time.
    """
    if not drawn:
        raise ValueError(f"`cv` must give at least one split; got none from {shown(cv)}.")
    samples = np.arange(n_samples)
    splits = [
        (samples[as_index(train)], samples[as_index(test)])
        for train, test in check_splits("cv", drawn, n_samples)
    ]
    for k, (train, test) in enumerate(splits):
        if not test.size or not train.size:
            raise ValueError(f"`cv` must train and test on samples; got none in split {k}.")
        if np.isin(test, train).any():
            raise ValueError(
                "`cv` must test on samples that it does not train on; split "
                f"{k} has {np.count_nonzero(np.isin(test, train))} of them in both."
            )
    design = SplitDesign.from_indices(splits, n_samples)
    if interval == "bates":
        check_folds(design, groups)
    if interval == "samples":
        try:
            SampleTTest().check(design)
        except ValueError as error:
            raise ValueError(
                '`interval` "samples" needs a `cv` of repeats of folds, each of which tests every '
                f"sample once; got other splits: {shown(cv)}."
            ) from error
    trouble = []
    if design.n_splits < _FEW:
        trouble.append(
            f"There are only {count(design.n_splits, 'outer split')}: use one repeat of 5 or 10 "
            "folds, or read the interval as a guide."
        )
    if design.expanding or design.sliding:
        trouble.append("The outer splits follow time: read the interval as a guide.")
    if trouble:
        warnings.warn(" ".join(trouble), ComparisonWarning, stacklevel=outside_level())
    return splits, design


def check_refit(procedures: Mapping[str, Any]) -> None:
    for name, procedure in procedures.items():
        found = search_in(procedure)
        if found is not None and getattr(found[0], "refit", True) is False:
            raise ValueError(
                "`procedure` must refit what its search chose, to be scored on outer test sets; "
                f"got refit=False in {name!r}."
            )


def own_scoring(procedures: Mapping[str, Any]) -> str | None:
    """The metric of the procedures' `score` by name; None where none is known to give the same.

    A search hides its predictions behind its `score`. By name, the values of samples are known.
    """
    for name, procedure in procedures.items():
        found = search_in(procedure)
        if found is None:
            continue
        scoring, refit = getattr(found[0], "scoring", None), getattr(found[0], "refit", True)
        if isinstance(scoring, Mapping | list | tuple | set) and not isinstance(refit, str):
            raise ValueError(
                f"`scoring` must be given, because the search in {name!r} has several metrics and "
                f"its `refit` names none of them; got refit={shown(refit)}."
            )
    check_one_score(list(procedures), list(procedures.values()))
    if get_config()["enable_metadata_routing"]:
        return None  # a scorer by name has no requests for metadata
    names = {scorer_name(procedure) for procedure in procedures.values()}
    return names.pop() if len(names) == 1 else None


def scorer_names(scoring: Any) -> dict[str, str | None]:
    """Name of the scorer of each metric; None if it is no name."""
    if isinstance(scoring, str):
        return {"score": scoring}
    if isinstance(scoring, list | tuple | set):
        found: dict[str, str | None] = {str(name): str(name) for name in scoring}
    elif isinstance(scoring, Mapping):
        found = {
            str(name): scorer if isinstance(scorer, str) else None
            for name, scorer in scoring.items()
        }
    else:
        return {"score": None}
    for name in found:
        if name in COLUMNS:
            raise ValueError(
                f"`scoring` must not name a metric as a column of the results; got {name!r}."
            )
    return found


def check_values(interval: str, scoring: Any, procedure: Any) -> None:
    """Raise ValueError if a metric lacks the values that an interval needs."""
    if interval in (AUTO, "corrected_t"):
        return
    for name, scorer in by_metric(check_scoring(procedure, scoring=scoring)).items():
        reading = read_scorer(scorer, procedure)
        if reading.how == "none":
            raise ValueError(
                f"`interval` {interval!r} needs a metric with a value for every sample; got "
                f"{name}: {reading.reason}. Name a scorer in `scoring`, or use "
                'interval="corrected_t".'
            )
        if interval == "bates" and reading.how != "mean":
            raise ValueError(
                '`interval` "bates" needs a metric that is the mean of a value of every sample, '
                f"such as accuracy, log loss or squared error; got {reading.metric}."
            )
