"""Several metrics of the same candidates, from a search or comparisons → criteria."""

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sklearn_stats_compare._messages import (
    ComparisonWarning,
    check_listed,
    check_text,
    is_number,
    shown,
    shown_list,
)
from sklearn_stats_compare.comparison._columns import numbers
from sklearn_stats_compare.comparison._compare import compare
from sklearn_stats_compare.comparison._comparison import Comparison
from sklearn_stats_compare.stats import Criterion, ScoreCriterion, SplitDesign, TimeCriterion

TIMES = ("mean_fit_time", "mean_score_time")
"""Columns of ``cv_results_`` that may be among the metrics; less is better."""


_COLUMNS = ("label", "p_val", "in_set", "rival")
"""Other columns of the table of metrics."""


@dataclass(frozen=True, eq=False)
class SeveralMetrics:
    """Metrics of the same candidates.

    Parameters
    ----------
    comparison : Comparison
        One of them, for labels, level and notes.
    criteria : dict of str to Criterion
        The metrics by name.
    """

    comparison: Comparison
    criteria: Mapping[str, Criterion]

    @classmethod
    def of(cls, obj: Any, metrics: Any, settings: Mapping[str, Any]) -> "SeveralMetrics":
        """Read the metrics of `obj`, which `possibly_pareto` describes."""
        names = _checked_metrics(metrics)
        scored = [name for name in names if name not in TIMES]
        if not scored:
            raise ValueError(
                "`metrics` must name at least one score: the comparison of scores knows the "
                f"candidates and the splits; got {shown_list(names)}."
            )
        comparisons = (
            _given(obj, names, settings)
            if _are_comparisons(obj)
            else _compared(obj, scored, settings)
        )
        first = comparisons[scored[0]]
        for name in scored[1:]:
            _check_same_candidates(first, comparisons[name], scored[0], name)
        for name in scored:
            comparisons[name].settings.check_has_std_err("possibly_pareto")
        results = getattr(obj, "cv_results_", None)
        rows = list(first.candidates or ())
        design = first.scores.design
        criteria: dict[str, Criterion] = {}
        for name in names:
            if name in TIMES:
                criteria[name] = times_of(results, name, design, rows)
            else:
                own = comparisons[name]
                criteria[name] = ScoreCriterion(own.scores, own.settings.test)
        return cls(first, criteria)

    def ropes(self, rope: Any) -> list[float]:
        """The half-width of each metric, from a number or a mapping of names to numbers."""
        names = list(self.criteria)
        if not isinstance(rope, Mapping):
            width = _check_width("rope", rope)
            if width and any(name in TIMES for name in names):
                raise ValueError(
                    "`rope` must be a mapping of metrics to half-widths where a time is among the "
                    "metrics, because seconds and scores have different units, such as "
                    f"{{{shown(names[0])}: {width:g}}}; got {shown(rope)}."
                )
            return [width] * len(names)
        unknown = [name for name in rope if name not in names]
        if unknown:
            raise ValueError(
                f"`rope` must be of the metrics {shown_list(map(repr, names))}; got "
                f"{shown(unknown[0])}."
            )
        return [_check_width(f"rope[{name!r}]", rope.get(name, 0.0)) for name in names]


def times_of(results: Any, name: str, design: SplitDesign, rows: Sequence[int]) -> TimeCriterion:
    """The times of some rows of ``cv_results_``."""
    std_name = name.replace("mean_", "std_", 1)
    if results is None or name not in results or std_name not in results:
        raise ValueError(
            f"`metrics` must be scores where there is no cv_results_ with {name} and {std_name}; "
            f"got {shown(name)}. Pass the fitted search."
        )
    n = design.n_splits
    means, stds = (numbers(results[key], key)[list(rows)] for key in (name, std_name))
    # scikit-learn divides by the number of splits.
    return TimeCriterion(means, stds * np.sqrt(n / max(n - 1, 1)), design)


def _checked_metrics(metrics: Any) -> list[str]:
    names = [check_text("metrics", name)
             for name in check_listed("metrics", metrics, "a sequence of names")]  # fmt: skip
    if not names or len(set(names)) < len(names):
        raise ValueError(f"`metrics` must be one or more different names; got {shown(metrics)}.")
    for name in names:
        if name in _COLUMNS:
            raise ValueError(
                f"`metrics` must not be named as the columns {shown_list(_COLUMNS)}; got {name!r}."
            )
    return names


def _check_width(name: str, value: Any) -> float:
    if not is_number(value) or not 0 <= float(value) < np.inf:
        raise ValueError(f"`{name}` must be a finite half-width ≥ 0; got {shown(value)}.")
    return float(value)


def _are_comparisons(obj: Any) -> bool:
    return (
        isinstance(obj, Mapping)
        and bool(obj)
        and all(isinstance(value, Comparison) for value in obj.values())
    )


def _given(
    comparisons: Mapping[str, Comparison], names: Iterable[str], settings: Mapping[str, Any]
) -> dict[str, Comparison]:
    if settings:
        raise ValueError(
            "`obj` must not be comparisons where settings are given, because they have their own; "
            f"got {shown_list(settings)}."
        )
    found = {}
    for name in names:
        if name in TIMES:
            continue
        try:
            found[name] = comparisons[name]  # a single metric has its own name beside "score"
        except KeyError:
            raise ValueError(
                f"`metrics` must be among {shown_list(map(repr, comparisons))}; got {name!r}."
            ) from None
    return found


def _compared(obj: Any, names: Sequence[str], settings: Mapping[str, Any]) -> dict[str, Comparison]:
    if not hasattr(obj, "cv_results_") and not hasattr(obj, "_run_search"):
        raise TypeError(
            "`obj` must be a fitted search, or a mapping of metrics to comparisons; got "
            f"{type(obj).__name__}."
        )
    found = {}
    with warnings.catch_warnings():
        for k, name in enumerate(names):
            if k == 1:  # what is said of the splits is the same for every metric
                warnings.simplefilter("ignore", ComparisonWarning)
            # This statement has its own ROPE; the usual one may not suit these scores.
            found[name] = compare(obj, metric=name, **{"rope": 0.0, **settings})
    return found


def _check_same_candidates(one: Comparison, other: Comparison, name: str, other_name: str) -> None:
    is_same = (
        list(one.labels or ()) == list(other.labels or ())
        and list(one.candidates or ()) == list(other.candidates or ())
        and one.scores.design.n_splits == other.scores.design.n_splits
        and one.scores.design.n_samples == other.scores.design.n_samples
        and all(
            np.array_equal(getattr(one.scores.design, part), getattr(other.scores.design, part))
            for part in ("n_train", "n_test", "repeat")
        )
    )
    if not is_same:
        raise ValueError(
            "`obj` must hold comparisons of the same candidates on the same splits; those of "
            f"{name!r} and {other_name!r} differ."
        )
