"""Several fitted searches → the best candidate of each, where all were scored on equal splits."""

import os
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from sklearn_stats_compare._messages import ComparisonWarning, count, shown_list
from sklearn_stats_compare.comparison._chosen_by_scores import (
    NO_ERROR_RATES,
    ChosenByScores,
    joined_notes,
)
from sklearn_stats_compare.comparison._comparison import Comparison
from sklearn_stats_compare.comparison._cv_results import read_search
from sklearn_stats_compare.comparison._found import Found, Sizes, chosen_metric, is_ours
from sklearn_stats_compare.comparison._same_data import DataMarks, check_same_data, marks_of
from sklearn_stats_compare.comparison._same_splits import check_same_splits
from sklearn_stats_compare.comparison._saved_settings import (
    settings_for_splits,
    settings_note,
    to_save,
)
from sklearn_stats_compare.stats import SplitDesign, SplitScores

_ABSENT = object()
_FILE = re.compile(r"\w\.[A-Za-z]\w{1,6}$")
Reader = Callable[[Any, str | None, Sizes], Found]


@dataclass(frozen=True, eq=False)
class _Best:
    """The best candidate of a search, on its splits."""

    values: np.ndarray
    params: Mapping[str, Any]
    metric: str
    design: SplitDesign
    n_candidates: int
    settings: Mapping[str, Any] = field(default_factory=dict)
    marks: DataMarks | None = None
    note: str = ""


def is_saved_search(value: Any) -> bool:
    """Whether a value represents a compared or saved search: a path or a Comparison."""
    if isinstance(value, str):
        # Other text, such as the name of a model, is not the path of a missing file.
        return os.path.isfile(value) or _FILE.search(value) is not None
    return isinstance(value, os.PathLike | Comparison)


def read_searches(
    searches: Mapping[Any, Any], metric: str | None, sizes: Sizes, read: Reader
) -> Found:
    """The best candidate of each search, and a note on the effect of choosing them by scores.

    `read` reads a path as `compare` does.
    """
    names = [str(name) for name in searches]
    fitted = {name: s for name, s in searches.items() if not is_saved_search(s)}
    check_same_splits(fitted)
    # Before any scores: "different data" explains more than the errors that follow from it.
    check_same_data({str(name): marks_of(search) for name, search in fitted.items()})
    found = _each(list(searches.values()), metric, sizes, read)
    is_known = check_same_data(dict(zip(names, (best.marks for best in found), strict=True)))
    metrics = dict.fromkeys(best.metric for best in found)
    if len(metrics) > 1:
        raise ValueError(
            f"`obj` must hold the same metric for every search; got {shown_list(metrics)}."
        )
    design = _common_design(names, found)
    said = [_note(names, found)]
    if not is_known and len(names) > 1:
        of = "data" if len(fitted) == len(names) else "splits of the same data"
        said.append(f"That all were scored on the same {of} could not be checked.")
    said += [
        f"Of {name}: {best.note}" for name, best in zip(names, found, strict=True) if best.note
    ]
    settings, of_settings = ({}, "") if len(fitted) == len(names) else _common_settings(found)
    return Found(
        SplitScores(np.stack([best.values for best in found]), design),
        found[0].metric,
        labels=names,
        params=[best.params for best in found],
        arguments={"note": joined_notes(*said)},
        settings=settings,
        settings_note=of_settings,
    )


def _each(searches: Sequence[Any], metric: str | None, sizes: Sizes, read: Reader) -> list[_Best]:
    found = {k: _best_of_saved(s, metric, sizes, read) for k, s in enumerate(searches)
             if is_saved_search(s)}  # fmt: skip
    found |= {k: _best_of_ours(s, metric) for k, s in enumerate(searches) if is_ours(s)}
    # Searches of this package record the sizes; searches on the same splits share them.
    if found and not sizes.given:
        sizes = Sizes.of(next(iter(found.values())).design)
    return [
        found[k] if k in found else _best_of_other(search, metric, sizes)
        for k, search in enumerate(searches)
    ]


def _best_of_saved(saved: Any, metric: str | None, sizes: Sizes, read: Reader) -> _Best:
    if isinstance(saved, Comparison):
        chosen_metric(metric, [saved.metric])
        return _of_comparison(saved, int(saved.scores.order[0]), saved.note)
    found = read(saved, metric, sizes)
    row, n = int(found.scores.order[0]), found.scores.n_candidates
    return _Best(
        found.scores.values[row],
        found.params[row] if found.params is not None else {},
        found.metric,
        found.scores.design,
        found.arguments.get("n_entered") or n,
        found.settings,
        found.marks,
        found.arguments.get("note", ""),
    )


def _of_comparison(
    own: Comparison, row: int, note: str = "", marks: DataMarks | None = None
) -> _Best:
    settings = to_save(own.alternative, own.p_adjust, own.rope, own.alpha, own.settings.test)
    return _Best(
        own.scores.values[row],
        own.params[row] if own.params is not None else {},
        own.metric,
        own.scores.design,
        own.n_entered or own.scores.n_candidates,
        settings_for_splits(settings)[0],
        marks,
        note,
    )


def _best_of_ours(search: Any, metric: str | None) -> _Best:
    with warnings.catch_warnings():  # what strains the splits is said of the comparison of all
        warnings.simplefilter("ignore", ComparisonWarning)
        own = search.compare(metric=metric)
    row = _row(search, metric, own.candidates, own.scores)
    best = _of_comparison(own, row, marks=marks_of(search))
    return replace(best, n_candidates=_n_rows(search))


def _best_of_other(search: Any, metric: str | None, sizes: Sizes) -> _Best:
    found = read_search(search, metric, sizes)
    candidates = found.arguments.get("candidates", range(found.scores.n_candidates))
    row = _row(search, metric, candidates, found.scores)
    own = found.params[row] if found.params is not None else {}
    return _Best(found.scores.values[row], own, found.metric, found.scores.design, _n_rows(search))


def _n_rows(search: Any) -> int:
    return len(next(iter(search.cv_results_.values())))


def _row(search: Any, metric: str | None, candidates: Sequence[int], scores: SplitScores) -> int:
    """The refitted candidate, or under another metric the one with the best mean."""
    index, refit = getattr(search, "best_index_", None), getattr(search, "refit", None)
    by = refit if isinstance(refit, str) else getattr(refit, "metric", None)
    is_refitted = not getattr(search, "multimetric_", False) or metric in (None, by)
    if is_refitted and index is not None and index in candidates:
        return list(candidates).index(index)
    return int(scores.order[0])


def _common_design(names: Sequence[str], found: Sequence[_Best]) -> SplitDesign:
    designs = [best.design for best in found]
    if len({design.n_splits for design in designs}) > 1:
        n_splits = shown_list([str(design.n_splits) for design in designs])
        raise ValueError(
            "`obj` must hold searches on the same splits of the same data; those of "
            f"{shown_list(names)} have {n_splits} splits."
        )
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
    # Recorded splits know their repeats; sizes given by the user do not.
    recorded = [design for design in known if (design.repeat >= 0).all()]
    return (recorded or known or designs)[0]


def _common_settings(found: Sequence[_Best]) -> tuple[dict[str, Any], str]:
    """Settings that all searches share, and a sentence on these and on the ones that differ."""
    names = dict.fromkeys(name for best in found for name in best.settings)
    common = {
        name: found[0].settings[name]
        for name in names
        if all(best.settings.get(name, _ABSENT) == found[0].settings.get(name) for best in found)
    }
    said = settings_note(common, "")
    differing = [name for name in names if name not in common]
    if differing:
        said += (
            f" The searches differ in {shown_list(differing)}: the usual ones stand where the call "
            "gives none."
        )
    return common, said.strip()


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
