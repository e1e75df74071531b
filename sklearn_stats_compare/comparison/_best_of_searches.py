"""Several fitted searches → the best candidate of each, where all were scored on equal splits."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sklearn_stats_compare._messages import ComparisonWarning, count, shown_list
from sklearn_stats_compare.comparison._chosen_by_scores import ChosenByScores
from sklearn_stats_compare.comparison._cv_results import read_search
from sklearn_stats_compare.comparison._found import Found, Sizes, is_ours
from sklearn_stats_compare.comparison._same_splits import check_same_splits
from sklearn_stats_compare.comparison._searches import NO_ERROR_RATES
from sklearn_stats_compare.stats import SplitDesign, SplitScores


@dataclass(frozen=True, eq=False)
class _Best:
    """The best candidate of a search, on its splits."""

    values: np.ndarray
    params: Mapping[str, Any]
    metric: str
    design: SplitDesign
    n_candidates: int


def read_searches(searches: Mapping[Any, Any], metric: str | None, sizes: Sizes) -> Found:
    """The best candidate of each search, and a note on what it does that scores chose them."""
    names = [str(name) for name in searches]
    check_same_splits(searches)
    found = _each(list(searches.values()), metric, sizes)
    metrics = dict.fromkeys(best.metric for best in found)
    if len(metrics) > 1:
        raise ValueError(
            f"`obj` must hold the same metric for every search; got {shown_list(metrics)}."
        )
    return Found(
        SplitScores(np.stack([best.values for best in found]), _common_design(names, found)),
        found[0].metric,
        labels=names,
        params=[best.params for best in found],
        told={"note": _note(names, found)},
    )


def _each(searches: Sequence[Any], metric: str | None, sizes: Sizes) -> list[_Best]:
    found = {k: _best_of_ours(s, metric) for k, s in enumerate(searches) if is_ours(s)}
    # Searches of this package have recorded the sizes, which are those of all where splits are.
    if found and not sizes.given:
        sizes = Sizes.of(next(iter(found.values())).design)
    return [
        found[k] if k in found else _best_of_other(search, metric, sizes)
        for k, search in enumerate(searches)
    ]


def _best_of_ours(search: Any, metric: str | None) -> _Best:
    with warnings.catch_warnings():  # what strains the splits is said of the comparison of all
        warnings.simplefilter("ignore", ComparisonWarning)
        own = search.compare(metric=metric)
    row = _row(search, metric, own.candidates, own.scores)
    return _of_row(search, row, own.scores, own.params, own.metric)


def _best_of_other(search: Any, metric: str | None, sizes: Sizes) -> _Best:
    found = read_search(search, metric, sizes)
    candidates = found.told.get("candidates", range(found.scores.n_candidates))
    row = _row(search, metric, candidates, found.scores)
    return _of_row(search, row, found.scores, found.params, found.metric)


def _of_row(search: Any, row: int, scores: SplitScores, params: Any, metric: str) -> _Best:
    n = len(next(iter(search.cv_results_.values())))
    own = params[row] if params is not None else {}
    return _Best(scores.values[row], own, metric, scores.design, n)


def _row(search: Any, metric: str | None, candidates: Sequence[int], scores: SplitScores) -> int:
    """The candidate that the search refitted, or by another metric the one of the best mean."""
    index, refit = getattr(search, "best_index_", None), getattr(search, "refit", None)
    by = refit if isinstance(refit, str) else getattr(refit, "metric", None)
    is_refitted = not getattr(search, "multimetric_", False) or metric in (None, by)
    if is_refitted and index is not None and index in candidates:
        return list(candidates).index(index)
    return int(scores.order[0])


def _common_design(names: Sequence[str], found: Sequence[_Best]) -> SplitDesign:
    designs = [best.design for best in found]
    known = [design for design in designs if design.sizes_known]
    for design in known:
        if not (
            np.array_equal(design.n_train, known[0].n_train)
            and np.array_equal(design.n_test, known[0].n_test)
        ):
            raise ValueError(
                "`obj` must hold searches on the same splits of the same data; those of "
                f"{shown_list(names)} have other sizes."
            )
    # Recorded splits know their repeats, and sizes that were given do not.
    recorded = [design for design in known if (design.repeat >= 0).all()]
    return (recorded or known or designs)[0]


def _note(names: Sequence[str], found: Sequence[_Best]) -> str:
    if all(best.n_candidates == 1 for best in found):
        return ""
    of = [f"{name} of {count(best.n_candidates, 'candidate')}" for name, best in
          zip(names, found, strict=True)]  # fmt: skip
    return ChosenByScores(
        f"Each is the best of its search, chosen by these very scores: {shown_list(of)}. The "
        "choice flatters every mean, and more so the more candidates a search had, "
        f"{NO_ERROR_RATES} Nested cross-validation, or splits that no search has seen, compare "
        "them fairly.",
        "These scores chose the models. Nested cross-validation compares the searches fairly: "
        "cross_validate_models of the searches, or cross_val_score of each, on the same outer "
        "splits tunes them anew within every training set.",
    )
