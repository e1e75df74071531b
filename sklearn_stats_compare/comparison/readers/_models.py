"""Mappings of names to scores, results or searches → scores on the same splits."""

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import replace
from pathlib import PurePath
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._utils._formatting import count
from sklearn_stats_compare._utils._validation import (
    ComparisonWarning,
    shown,
    shown_list,
    without_warnings,
)
from sklearn_stats_compare.comparison._comparison import Comparison
from sklearn_stats_compare.comparison._labels import candidate_labels
from sklearn_stats_compare.comparison._saving import settings_for_splits, settings_note, to_save
from sklearn_stats_compare.comparison._tables import (
    BEST_OF_SEARCHES,
    NO_ERROR_RATES,
    ChosenByScores,
    joined_notes,
)
from sklearn_stats_compare.comparison.readers import _matrix, _metrics, _names
from sklearn_stats_compare.comparison.readers._searches import read_search
from sklearn_stats_compare.comparison.readers._sizes import (
    DataFingerprint,
    ParsedScores,
    Sizes,
    check_same_data,
    check_same_splits,
    chosen_metric,
    fingerprint_of,
    is_ours,
    metrics_apart,
)
from sklearn_stats_compare.stats._design import tested_rows
from sklearn_stats_compare.stats._scores import SplitDesign, SplitScores

_RESULT, _SEARCH, _SCORES = "results of cross_validate", "fitted searches", "vectors of scores"


def read_named(
    named: Mapping[Any, Any], metric: str | None, sizes: Sizes, read: "Reader"
) -> ParsedScores:
    """Models by name, all in the same form; `read` reads a path as `compare` does."""
    if not named:
        raise ValueError("`obj` must hold at least one model; it is empty.")
    values = {
        name: _matrix.with_split_names(_matrix.as_pandas(v)) if _matrix.is_frame(v) else v
        for name, v in named.items()
    }
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
        hasattr(item, "cv_results_")
        or _matrix.is_frame(item)
        or (isinstance(item, Mapping) and any(str(key).startswith("test_") for key in item))
        or is_saved_search(item)
        for item in obj
    )


def read_listed(searches: Any, metric: str | None, sizes: Sizes, read: "Reader") -> ParsedScores:
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


def _read_vectors(vectors: Mapping[Any, Any], metric: str | None, sizes: Sizes) -> ParsedScores:
    """Scores by model, one vector each, as cross_val_score returns them."""
    # The result of cross_validate for one model is a mapping of vectors too.
    names = list(vectors)
    for name in names:
        if _names.is_time(name) or (metric is None and _metrics.is_metric(name)):
            _refuse(name)
    for name, vector in vectors.items():
        if getattr(vector, "ndim", 1) != 1:
            raise ValueError(
                "`obj` must map each name to a vector, one score per split; "
                f"{shown(name)} has {vector.ndim} dimensions."
            )
    for vector in vectors.values():
        if isinstance(vector, pd.Series) and _matrix.is_permuted(vector.index):
            sizes.check_labels(vector.index)
    _check_indices(vectors)
    in_order = _matrix.aligned(vectors).items()
    scores = stacked([_matrix.numbers(vector, shown(name)) for name, vector in in_order])
    _matrix.check_names(names, _labels_of_splits(vectors), scores)
    _matrix.refuse_counts("model", names, scores)
    _matrix.check_splits(_names_of_splits(vectors, scores.shape[1]), scores)
    names_of = (getattr(own, "name", None) for own in vectors.values())  # also those of polars
    called = {name if name is None else str(name) for name in names_of}
    for name in called:
        is_training = "train" in _names.words_of(name) and _metrics.may_be_metric(name)
        if _names.is_time(name) or is_training or str(name).startswith(_matrix.OF_RESULTS):
            _refuse(name)
    # One name of all is a metric's if it says so; several may be those of models, such as rmse_gbm.
    is_named = _metrics.says_metric if len(called) == 1 else _metrics.is_metric
    metrics = sorted({own.removeprefix("test_") for own in called if own and is_named(own)})
    if metric is None and len(metrics) > 1:
        raise ValueError(
            f"`obj` must hold the same metric for every model; got {shown_list(metrics)}."
        )
    if metric is None and metrics and all(own is None or is_named(own) for own in called):
        metric = metrics[0]
    design = sizes.design(scores.shape[1], hint=HINT)
    labels = [str(name) for name in names]
    return ParsedScores(
        SplitScores(scores, design), metric or "score", labels=labels, may_be_loss=True
    )


def _names_of_splits(columns: Mapping[Any, Any], n_splits: int) -> pd.Index:
    """The labels of the splits in the first index that has other than numbers."""
    for own in columns.values():
        if isinstance(own, pd.Series) and not all(map(_names.is_whole, own.index)):
            return pd.Index([str(label) for label in own.index])
    return pd.RangeIndex(n_splits)


def _check_indices(columns: Mapping[Any, Any]) -> None:
    """Raise ValueError for Series by data set, metric or model, which are no splits."""
    for name, own in columns.items():
        if not isinstance(own, pd.Series):
            continue
        for axis in own.index.names:
            _matrix.check_no_datasets(axis)
        index = [str(label) for label in own.index]
        if len(index) > 1 and all(map(_metrics.is_metric, index)):
            raise ValueError(
                "`obj` must map each name to a vector, one score per split; that of "
                f"{shown(name)} has one for each metric, {shown_list(index)}."
            )
        texts = len(index) > 1 and all(map(_names.is_text, index))
        are_named = texts and not any(map(_names.has_split, index))
        if _names.names_models(own.index.name) or (
            are_named and own.index.name is None and all(map(_names.is_whole, columns))
        ):
            raise ValueError(
                "`obj` must map names of models to their scores by split; got a Series with the "
                f"index {shown_list(index)}, which may be models. Pass a DataFrame of them, with "
                "`orient`."
            )


def _labels_of_splits(columns: Mapping[Any, Any]) -> set[Any]:
    """Names of splits in the indices of Series."""
    indices = [own.index for own in columns.values() if isinstance(own, pd.Series)]
    parts = [part for index in indices for label in index for part in np.atleast_1d(label)]
    return {str(part) for part in parts}


def _refuse(name: Any) -> None:
    raise ValueError(
        "`obj` must map names of models to their scores by one metric; got "
        f"{shown(name)}, as in the results of one model. Name the models: "
        "{'svm': cross_validate(…), 'forest': cross_validate(…)}. If it is a model, give `metric`."
    )


# Frames and cross_val_score do not have the indices.
HINT = " The mapping that cross_validate(…, return_indices=True) returns contains them."


def read_cross_validations(
    results: Mapping[Any, Any], metric: str | None, sizes: Sizes
) -> ParsedScores:
    """Results of ``cross_validate`` by model, as mappings or as frames of pandas."""
    columns, designs = {}, []
    of_all: str | None = None
    for name, result in results.items():
        metrics = [k[5:] for k in result if isinstance(k, str) and k.startswith("test_")]
        if not metrics and any(map(_matrix.is_split_column, result)):
            raise ValueError(
                "`obj` must hold the scores of one model under each name; "
                f"{shown(name)} is a cv_results_, of many. Give the fitted search itself."
            )
        if not metrics:
            raise ValueError(f"`obj` must hold test scores of every model; {shown(name)} has none.")
        chosen = chosen_metric(metric, metrics)
        if of_all is not None and chosen != of_all:
            raise ValueError(
                "`obj` must hold the same metric for every model; got "
                f"{shown_list([of_all, chosen])}."
            )
        of_all = chosen
        columns[name] = result[f"test_{chosen}"]
        axes = [
            axis
            for axis in _matrix.split_axes(result)
            if _matrix.is_vector(result[axis]) and len(result[axis]) == len(columns[name])
        ]
        if axes and not isinstance(columns[name], pd.Series):
            index = pd.MultiIndex.from_arrays([list(result[axis]) for axis in axes], names=axes)
            columns[name] = pd.Series(list(columns[name]), index)
        designs.append(result.get("indices"))
    _check_indices(columns)
    in_order = _matrix.aligned(columns).items()
    scores = stacked([_matrix.numbers(column, shown(name)) for name, column in in_order])
    _matrix.check_names(results, _labels_of_splits(columns), scores)
    _matrix.check_splits(_names_of_splits(columns, scores.shape[1]), scores)
    labels = [str(name) for name in results]
    given = (indices for indices in designs if indices is not None)
    known = [_matrix.splits_of(indices, scores.shape[1]) for indices in given]
    if known:
        for other in known[1:]:
            for (train, test), (other_train, other_test) in zip(known[0], other, strict=True):
                if not (np.array_equal(train, other_train) and np.array_equal(test, other_test)):
                    raise ValueError(
                        "`obj` must hold the same splits for every model; those of "
                        f"{shown_list(labels)} differ. Give cross_validate a splitter with a "
                        "`random_state`, or a list of splits."
                    )
    if known and len(known) == len(designs) and sizes.data is None:
        design = SplitDesign.from_indices(known[0], sizes.pool(_matrix.n_samples_of(known[0])))
        sizes.check(design)
    else:
        design = sizes.design(scores.shape[1], hint=HINT)
    n_tested = np.inf
    if known:
        n = tested_rows(known[0], _matrix.n_samples_of(known[0])).size
        n_tested = n if n < np.floor(design.samples_per_repeat) else np.inf
    return ParsedScores(
        SplitScores(scores, design, n_independent=n_tested),
        of_all or "score",
        labels=labels,
        may_be_loss=True,
        of_scorer=True,
    )


def stacked(rows: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Stack vectors of scores, one per model, into a matrix."""
    lengths = {row.size for row in rows}
    if len(lengths) > 1:
        listed = shown_list(map(str, sorted(lengths)))
        raise ValueError(
            "`obj` must hold the same splits for every model; got models with different "
            f"numbers of scores: {listed}."
        )
    if lengths == {0}:
        raise ValueError("`obj` must hold the scores of at least one split; got none.")
    return np.stack(rows)


_FILE = re.compile(r"\w\.[A-Za-z]\w{1,6}$")

Reader = Callable[[Any, str | None, Sizes], ParsedScores]


def is_saved_search(value: Any) -> bool:
    """Whether a value represents a compared or saved search: a path or a Comparison."""
    if isinstance(value, str):
        # Other text, such as the name of a model, is not the path of a missing file.
        return os.path.isfile(value) or _FILE.search(value) is not None
    return isinstance(value, os.PathLike | Comparison)


def read_searches(
    searches: Mapping[Any, Any], metric: str | None, sizes: Sizes, read: Reader
) -> ParsedScores:
    """The best candidate of each search, and a note on the effect of choosing them by scores.

    `read` reads a path as `compare` does.
    """
    names = [str(name) for name in searches]
    fitted = {name: s for name, s in searches.items() if not is_saved_search(s)}
    check_same_splits(fitted, metric)
    # Before any scores: "different data" explains more than the errors that follow from it.
    check_same_data({str(name): fingerprint_of(search) for name, search in fitted.items()})
    found = _each(list(searches.values()), metric, sizes, read)
    is_known = check_same_data(
        {name: best.fingerprint for name, best in zip(names, found, strict=True)}
    )
    splits = {
        name: list(best.splits) for name, best in zip(names, found, strict=True) if best.splits
    }
    first = next(iter(splits), "")
    for name, own in splits.items():
        if own != splits[first]:
            raise ValueError(
                "`obj` must hold the same splits, in the same order, for every search; "
                f"{shown(first)} has {shown_list(map(repr, splits[first]))}, and {shown(name)} has "
                f"{shown_list(map(repr, own))}."
            )
    all_scores = [best.scores for best in found]
    metrics = dict.fromkeys(metrics_apart([best.metric for best in found], all_scores))
    if len(metrics) > 1:
        raise ValueError(
            f"`obj` must hold the same metric for every search; got {shown_list(metrics)}."
        )
    design = _common_design(names, found)
    said = [_note(names, found)]
    if not is_known and len(names) > 1:
        of = "data" if len(fitted) == len(names) else "splits of the same data"
        said.append(f"That all were scored on the same {of} could not be checked.")
    notes = [best.arguments["note"] for best in found]
    said += [f"Of {name}: {note}" for name, note in zip(names, notes, strict=True) if note]
    if any(best.settings and "test" not in best.settings for best in found):
        said.append(
            "Where the call names no test, it is corrected_t: values of samples are compared "
            "within one search, or by cross_validate_models."
        )
    settings, of_settings = ({}, "") if len(fitted) == len(names) else _common_settings(found)
    ranges = [r for best in found if np.isfinite(r := best.scores.sample_range)]
    failed = [e for best in found if np.isfinite(e := best.scores.error_score)]
    return ParsedScores(
        SplitScores(
            np.concatenate([best.scores.values for best in found]),
            design,
            n_independent=min(best.scores.n_independent for best in found),
            sample_range=max(ranges, default=np.inf),
            error_score=failed[0] if failed else np.inf,
            scorer_name=max(best.scores.scorer_name for best in found),
        ),
        found[0].metric,
        labels=names,
        params=[params for best in found for params in best.params or [{}]],
        arguments={"note": joined_notes(*said)},
        settings=settings,
        settings_note=of_settings,
    )


def _each(
    searches: Sequence[Any], metric: str | None, sizes: Sizes, read: Reader
) -> list[ParsedScores]:
    found = {k: _best_of_saved(s, metric, sizes, read) for k, s in enumerate(searches)
             if is_saved_search(s)}  # fmt: skip
    found |= {k: _best_of_ours(s, metric) for k, s in enumerate(searches) if is_ours(s)}
    # Searches of this package record the sizes; searches on the same splits share them.
    if found and not sizes.given:
        sizes = replace(sizes, recorded=next(iter(found.values())).scores.design)
    return [
        found[k] if k in found else _best_of_other(search, metric, sizes)
        for k, search in enumerate(searches)
    ]


def _best_of_saved(saved: Any, metric: str | None, sizes: Sizes, read: Reader) -> ParsedScores:
    if isinstance(saved, Comparison):
        chosen_metric(metric, [saved.metric])
        found = _of_comparison(saved)
    else:
        found = read(saved, metric, sizes)
        if found.may_be_loss:
            found = _metrics.higher_is_better(found, None)
    n = found.arguments.get("_n_entered") or found.scores.n_candidates
    return _best(found, int(found.scores.order[0]), n, found.arguments.get("note", ""))


def _of_comparison(own: Comparison, fingerprint: DataFingerprint | None = None) -> ParsedScores:
    settings = to_save(own.alternative, own.p_adjust, own.rope, own.alpha, own._settings.test)
    return ParsedScores(
        own.scores,
        own.metric,
        params=own.params,
        arguments={"note": own.note, "_n_entered": own._n_entered},
        settings=settings_for_splits(settings)[0],
        fingerprint=fingerprint,
    )


def _best(found: ParsedScores, row: int, n_candidates: int, note: str = "") -> ParsedScores:
    """One candidate of a search, with the number of candidates and a note as arguments."""
    return replace(
        found,
        scores=found.scores.subset(np.array([row])),
        params=None if found.params is None else [found.params[row]],
        arguments={"_n_entered": n_candidates, "note": note},
    )


def _best_of_ours(search: Any, metric: str | None) -> ParsedScores:
    # What strains the splits is said of the comparison of all.
    with without_warnings(ComparisonWarning):
        own = search.compare(metric=metric)
    row = _row(search, metric, own._candidates, own.scores)
    return _best(_of_comparison(own, fingerprint_of(search)), row, _n_rows(search))


def _best_of_other(search: Any, metric: str | None, sizes: Sizes) -> ParsedScores:
    found = read_search(search, metric, sizes)
    candidates = found.arguments.get("_candidates", range(found.scores.n_candidates))
    return _best(found, _row(search, metric, candidates, found.scores), _n_rows(search))


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


def _common_design(names: Sequence[str], found: Sequence[ParsedScores]) -> SplitDesign:
    designs = [best.scores.design for best in found]
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
    ratios = [design.overlap_ratio for design in designs]
    if max(ratios) > 1.05 * min(ratios):  # a ratio may be rounded
        raise ValueError(
            "`obj` must hold searches on the same splits of the same data; those of "
            f"{shown_list(names)} have different ratios of test to training samples, "
            f"{shown_list(f'{ratio:.3g}' for ratio in dict.fromkeys(ratios))}."
        )
    # Recorded splits know their repeats; sizes given by the user do not.
    recorded = [design for design in known if (design.repeat >= 0).all()]
    return (recorded or known or designs)[0]


def _common_settings(every: Sequence[ParsedScores]) -> tuple[dict[str, Any], str]:
    """Settings that all searches share, and a sentence on these and on the ones that differ."""
    found = [best for best in every if best.settings]  # a search of scikit-learn has none
    if not found:
        return {}, ""
    names = dict.fromkeys(name for best in found for name in best.settings)
    common = {
        name: setting
        for name, setting in found[0].settings.items()
        if all(name in best.settings and best.settings[name] == setting for best in found)
    }
    said = settings_note(common, "")
    differing = [name for name in names if name not in common]
    if differing:
        said += (
            f" The searches differ in {shown_list(differing)}: the usual ones stand where the call "
            "gives none."
        )
    return common, said.strip()


def _note(names: Sequence[str], found: Sequence[ParsedScores]) -> str:
    sizes = [best.arguments["_n_entered"] for best in found]
    if set(sizes) == {1}:
        return ""
    of = [f"{name} of {count(n, 'candidate')}" for name, n in zip(names, sizes, strict=True)]
    return ChosenByScores(
        f"Each is the choice of its search, made by these very scores: {shown_list(of)}. The "
        "choice flatters every mean, and more so the more candidates a search had, "
        f"{NO_ERROR_RATES} Nested cross-validation, or splits that no search has seen, compare "
        "them fairly.",
        BEST_OF_SEARCHES,
    )
