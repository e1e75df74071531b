"""A mapping of data sets to results → scores of models × data sets, with split scores."""

import warnings
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from sklearn_stats_compare._messages import (
    ComparisonWarning,
    outside_level,
    shown,
    shown_list,
)
from sklearn_stats_compare.comparison import (
    Comparison,
    UnknownSizesError,
    compare,
    marks_of,
    strained_assumptions,
)
from sklearn_stats_compare.datasets._found_datasets import FoundDatasets

_FEWEST_DISTINCT = 5


def read_mapping(
    obj: Mapping[Any, Any],
    metric: str | None,
    sizes: Mapping[str, Any],
    lower_is_better: bool | None,
    options: Mapping[str, Any] = MappingProxyType({}),
) -> FoundDatasets:
    """Results by data set: comparisons, searches, results by metric or matrices of scores.

    `options` are further arguments of `compare`.
    """
    names = [str(name) for name in obj]
    if len(set(names)) < len(names):
        raise ValueError(f"`obj` must have different names of data sets; got {shown(list(obj))}.")
    _check_other_data(obj)
    if lower_is_better is not None:
        options = {**options, "lower_is_better": lower_is_better}
    comparisons, unsized = _compared(obj, metric, sizes, options)
    _check_other_scores(comparisons)
    metrics = {own.metric for own in comparisons.values()}
    if len(metrics) > 1:
        raise ValueError(
            "`obj` must hold scores by one metric; got "
            f"{shown_list(f'{own.metric} for {name}' for name, own in comparisons.items())}. Give "
            "`metric`."
        )
    models = _models(comparisons)
    values = np.full((len(models), len(names)), np.nan)
    for column, own in enumerate(comparisons.values()):
        row_of = {label: row for row, label in enumerate(own.labels or ())}
        for row, label in enumerate(models):
            if label in row_of:
                values[row, column] = own.scores.means[row_of[label]]
    known = {name: own for name, own in comparisons.items() if name not in unsized}
    notes = dict.fromkeys(own.note for own in comparisons.values() if own.note)
    return FoundDatasets(values, models, names, metrics.pop(), known, " ".join(notes))


def _compared(
    obj: Mapping[Any, Any],
    metric: str | None,
    sizes: Mapping[str, Any],
    options: Mapping[str, Any],
) -> tuple[dict[str, Comparison], set[str]]:
    """A comparison for each data set, and those for which the sizes of the splits are unknown."""
    found: dict[str, Comparison] = {}
    unsized: set[str] = set()
    for key, value in obj.items():
        name = str(key)
        own = {size: _of_dataset(size, given, key) for size, given in sizes.items()}
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", ComparisonWarning)
            try:
                found[name] = _comparison(key, value, metric, {**own, **options})
            except UnknownSizesError:
                # Means need no sizes; the comparison of these splits is not kept.
                own["test_train_ratio"] = 1.0
                found[name] = _comparison(key, value, metric, {**own, **options})
                unsized.add(name)
        _warn_again(caught, name, found[name])
    return found, unsized


def _warn_again(
    caught: Iterable[warnings.WarningMessage], name: str, comparison: Comparison
) -> None:
    """Issue warnings again, but for those on the splits of one data set.

    The tests over data sets use means; the comparison on the data set itself shows its strains.
    """
    strained = strained_assumptions(comparison.scores, comparison.settings.test)
    for each in caught:
        text = str(each.message)
        if strained and text.startswith(strained[0]):
            continue
        warnings.warn(f"{name}: {text}", each.category, stacklevel=outside_level())


def _comparison(
    name: Any, value: Any, metric: str | None, options: Mapping[str, Any]
) -> Comparison:
    by_metric = _by_metric(value)
    if by_metric is not None:
        if metric is None and len(by_metric) > 1:
            raise ValueError(f"`metric` must be one of {shown_list(by_metric)}; got None.")
        try:
            value = by_metric[next(iter(by_metric)) if metric is None else metric]
        except KeyError:
            raise ValueError(
                f"`metric` must be one of {shown_list(map(repr, by_metric))}, the metrics of "
                f"{shown(name)}; got {shown(metric)}."
            ) from None
    if isinstance(value, Comparison):
        if by_metric is None and metric is not None and metric != value.metric:
            raise ValueError(
                f"`metric` must be {value.metric!r}, that of the comparison of {shown(name)}; got "
                f"{shown(metric)}."
            )
        return value
    try:
        return compare(value, metric=metric, **options)
    except UnknownSizesError:
        raise
    except (TypeError, ValueError) as error:
        raise type(error)(f"Of the data set {shown(name)}: {error}") from None


def _by_metric(value: Any) -> Mapping[str, Comparison] | None:
    """The result of cross_validate_models, comparisons by metric; None if it is none."""
    is_mapping = isinstance(value, Mapping) and bool(value)
    return value if is_mapping and all(isinstance(v, Comparison) for v in value.values()) else None


def _of_dataset(key: str, given: Any, name: Any) -> Any:
    """The size of one data set, from one for all or a mapping of data sets."""
    if not isinstance(given, Mapping):
        return given
    if name not in given:
        raise ValueError(f"`{key}` must name every data set; {shown(name)} is not in it.")
    return given[name]


def _models(comparisons: Mapping[str, Comparison]) -> list[str]:
    """All models, in the order in which they first occur."""
    found = dict.fromkeys(label for own in comparisons.values() for label in own.labels or ())
    first, *others = ([*(own.labels or ())] for own in comparisons.values())
    for name, labels in zip(list(comparisons)[1:], others, strict=True):
        if not set(first) & set(labels):
            raise ValueError(
                "`obj` must hold the same models for each data set; "
                f"{shown(next(iter(comparisons)))} has {shown_list(map(repr, first))}, and "
                f"{shown(name)} has {shown_list(map(repr, labels))}."
            )
    return list(found)


def _check_other_scores(comparisons: Mapping[str, Comparison]) -> None:
    """Raise ValueError if two data sets have the same split scores, and not by chance."""
    seen: dict[tuple[Any, ...], str] = {}
    for name, own in comparisons.items():
        values = own.scores.values
        # A few coarse scores may agree.
        if len(np.unique(values)) < _FEWEST_DISTINCT:
            continue
        other = seen.setdefault((own.labels, values.shape, values.tobytes()), name)
        if other != name:
            raise ValueError(
                f"`obj` must hold different data sets; {shown(other)} and {shown(name)} have the "
                "same scores of every model on every split."
            )


def _check_other_data(obj: Mapping[Any, Any]) -> None:
    """Raise ValueError if two searches are known to have been fitted on the same data."""
    seen: dict[tuple[str, str], Any] = {}
    for name, value in obj.items():
        marks = marks_of(value)
        data = None if marks is None else marks.lines.get("the data")
        if marks is None or data is None:
            continue
        other = seen.setdefault((marks.kind, data[0]), name)
        if other != name:
            raise ValueError(
                f"`obj` must hold different data sets; {shown(other)} and {shown(name)} have the "
                "same X. Splits or repeats of one data set are not independent: compare them with "
                "`compare`."
            )
