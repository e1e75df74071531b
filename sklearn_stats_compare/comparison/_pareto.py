"""possibly_pareto(): the candidates that are not shown to be dominated by several metrics."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from sklearn_stats_compare._utils import _validation as checks
from sklearn_stats_compare.comparison._comparison import Comparison
from sklearn_stats_compare.comparison._tables import warn_of_survivors
from sklearn_stats_compare.comparison.readers._compare import compare
from sklearn_stats_compare.comparison.readers._searches import metrics_of
from sklearn_stats_compare.stats._best import (
    Criterion,
    ScoreCriterion,
    TimeCriterion,
    possibly_pareto_pvalues,
)
from sklearn_stats_compare.stats._design import SplitDesign


def possibly_pareto(
    obj: Any,
    metrics: Sequence[str],
    *,
    rope: float | Mapping[str, float] = 0.0,
    alpha: float | None = None,
    **settings: Any,
) -> pd.DataFrame:
    """Candidates that no rival is shown to dominate when several metrics count at once.

    With ``rope=0`` a candidate is left out if one rival is shown to be better in every metric. A
    given candidate that no rival truly dominates, such as one on the true Pareto front, is left out
    with probability at most alpha, although the rivals are chosen from the same data.

    Parameters
    ----------
    obj : fitted search or mapping of str to Comparison
        A search with ``cv_results_`` that `compare` reads and that scored all metrics on the same
        splits, or the comparisons of one `cross_validate_models` by metric.
    metrics : sequence of str
        Names of at least one score, higher is better, and possibly of ``"mean_fit_time"`` and
        ``"mean_score_time"`` of a search, in seconds, lower is better.
    rope : float or mapping of str to float, default=0.0
        Region of practical equivalence of each metric: a half-width ≥ 0, in its units. A number
        applies to all metrics, and must be 0 if a time is among them. A metric that a mapping does
        not name has 0.
    alpha : float, optional
        Level, in (0, 1). Default: that of the search or of the first metric's comparison; 0.05 for
        searches of scikit-learn.
    **settings
        As for `compare`, of a search only: `test`, `labels`, and for searches that do not record
        their splits `test_train_ratio`, or `n_train`, `n_test` and `n_samples`.

    Returns
    -------
    DataFrame
        The members, the best by the first metric first, indexed by candidate. The columns are
        ``label``, the mean of each metric under its name, and ``p_val``: of the hypothesis that no
        rival dominates the candidate, at least alpha. The table is empty if all candidates failed
        in some metric or there is only one split.

    Raises
    ------
    ValueError
        If a metric, `rope` or `alpha` is invalid, if no metric is a score, if the comparisons are
        of different candidates or splits, if the test knows no standard error, or as `compare`
        does.
    TypeError
        If `obj` is neither a search nor comparisons, or `metrics` is not a sequence of names.

    Warns
    -----
    ComparisonWarning
        After a race, or an extension of some candidates: others are not compared. Also as `compare`
        does, once for all metrics.

    Notes
    -----
    **Definition.** A rival dominates a candidate if, by true means, it is worse by more than the
    ROPE in no metric and better by more than the ROPE in at least one. If any ROPE is 0, better in
    the metrics with ROPE 0 is enough, and it must be better in all of these. So with all ROPEs 0
    the rival is better in every metric. A positive ROPE can make the set smaller, because a rival
    need no longer be better everywhere, or larger, because differences inside it count for nothing.

    **Guarantee.** A given candidate that no rival dominates is left out with probability at most
    alpha. If a ROPE is positive, a candidate on the true Pareto front may be dominated by this
    definition: it may be better than its rival, but by no more than the ROPE. For
    each candidate that is left out, the member of the set that dominates it is shown to be worse by
    no more than the ROPE in any metric. With at least two splits, the set is empty only if no
    candidate has scores in all metrics.

    **Method.** An intersection-union test compares each pair: the p-value is the largest over the
    metrics, so several metrics need no adjustment. If all ROPEs are positive, "better in at least
    one" is adjusted by Bonferroni's method for the number of metrics (Tamhane and Logan, 2004).
    Only members of the observed front are tested as rivals. The p-values are nevertheless
    multiplied by m − 1, where m is the number of candidates with scores in all metrics, because the
    same data choose the rivals. With one metric and a ROPE of 0, the table is that of
    `Comparison.possibly_best` with Bonferroni's method; if several candidates share the best mean,
    the smallest of the p-values against each counts. With one metric and a positive ROPE, the table
    leaves out only candidates that are shown to be worse than the leader by more than the ROPE, and
    so contains all members of `Comparison.possibly_best`.

    **Times.** ``cv_results_`` has the mean and standard deviation of the times over the splits, but
    not the times of each split. The standard deviation of a difference is taken to be the sum of
    the two standard deviations, which it cannot exceed. The p-value is therefore never smaller than
    that of the corrected t-test of the times of the splits, unless the differences are the same on
    all splits. The p-value takes into account only noise from split to split. It does not cover
    other machines, other numbers of jobs, or a load that slows some candidates down during all of
    their fits. The more metrics there are, the harder it is to show that a rival is better in all
    of them, and the larger is the set.

    The set is valid under the assumptions of the comparisons' test, for metrics and ROPEs that were
    chosen before the scores were seen. With positive ROPEs, the p-values depend on `alpha`, because
    a candidate that is left out is no rival.

    References
    ----------
    Tamhane, A. C. and Logan, B. R. (2004). A superiority-equivalence approach to one-sided tests on
    multiple endpoints in clinical trials. Biometrika 91, 715–727.
    https://doi.org/10.1093/biomet/91.3.715

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_stats_compare import Comparison, SplitDesign, SplitScores, possibly_pareto
    >>> means = {"auc": [0.90, 0.88, 0.80, 0.79], "recall": [0.70, 0.80, 0.85, 0.75]}
    >>> rng = np.random.default_rng(0)
    >>> ten_fold = SplitDesign([90] * 30, [10] * 30)
    >>> comparisons = {
    ...     name: Comparison(
    ...         SplitScores(np.c_[own] + 0.02 * rng.standard_normal((4, 30)), ten_fold),
    ...         labels=["a", "b", "c", "d"],
    ...         metric=name,
    ...     )
    ...     for name, own in means.items()
    ... }
    >>> print(possibly_pareto(comparisons, ["auc", "recall"]).round(3).to_string(index=False))
    label   auc  recall  p_val
        a 0.898   0.700    1.0
        b 0.886   0.797    1.0
        c 0.803   0.847    1.0

    The last candidate is left out: ``b`` is better in both metrics.
    """
    table = pareto_table(SeveralMetrics.of(obj, metrics, settings), rope, alpha)
    return table[table["in_set"]].drop(columns=["in_set", "rival"])


def pareto_table(several: "SeveralMetrics", rope: Any, alpha: float | None) -> pd.DataFrame:
    """All candidates, whether they are in the set, and the rival of each that is not."""
    ropes = several.ropes(rope)
    comparison = several.comparison
    level = comparison.alpha if alpha is None else checks.check_probability("alpha", alpha)
    criteria = list(several.criteria.values())
    pvalues, rivals = possibly_pareto_pvalues(criteria, ropes, alpha=level)
    order = np.argsort(-criteria[0].gains, kind="stable")
    names = comparison._candidate_names
    table = pd.DataFrame(
        {
            "label": [names.labels[i] for i in order],
            **{name: own.means[order] for name, own in several.criteria.items()},
            "p_val": pvalues[order],
            "in_set": pvalues[order] >= level,
            "rival": [names.labels[i] if i >= 0 else "" for i in rivals[order]],
        },
        index=pd.Index(names.indices_of(order), name="candidate"),
    )
    # A race drops candidates by one metric, which says nothing about the others.
    warn_of_survivors(comparison._n_entered, len(table), "The possibly-Pareto set", None, level)
    return table


TIMES = ("mean_fit_time", "mean_score_time")
"""Columns of ``cv_results_`` that may be among the metrics; less is better."""


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
                f"candidates and the splits; got {checks.shown_list(names)}."
            )
        are_given = isinstance(obj, Mapping) and all(
            isinstance(value, Comparison) for value in obj.values()
        )
        read = _given if are_given and obj else _compared
        comparisons = read(obj, scored, settings)
        first = comparisons[scored[0]]
        for name in scored[1:]:
            _check_same_candidates(first, comparisons[name], scored[0], name)
        for name in scored:
            comparisons[name]._settings.check_has_std_err("possibly_pareto")
        results = getattr(obj, "cv_results_", None)
        rows = list(first._candidates or ())
        design = first.scores.design
        criteria: dict[str, Criterion] = {}
        for name in names:
            if name in TIMES:
                criteria[name] = times_of(results, name, design, rows)
            else:
                own = comparisons[name]
                criteria[name] = ScoreCriterion(own.scores, own._settings.test, own.metric)
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
                    f"{{{checks.shown(names[0])}: {width:g}}}; got {checks.shown(rope)}."
                )
            return [width] * len(names)
        unknown = [name for name in rope if name not in names]
        if unknown:
            known = checks.shown_list(map(repr, names))
            raise checks.wrong("rope", f"be of the metrics {known}", unknown[0])
        return [_check_width(f"rope[{name!r}]", rope.get(name, 0.0)) for name in names]


def times_of(results: Any, name: str, design: SplitDesign, rows: Sequence[int]) -> TimeCriterion:
    """The times of some rows of ``cv_results_``."""
    std_name = name.replace("mean_", "std_", 1)
    if results is None or name not in results or std_name not in results:
        raise ValueError(
            f"`metrics` must be scores where there is no cv_results_ with {name} and {std_name}; "
            f"got {checks.shown(name)}. Pass the fitted search."
        )
    n = design.n_splits
    means, stds = (np.asarray(results[key], float)[list(rows)] for key in (name, std_name))
    # scikit-learn divides by the number of splits.
    return TimeCriterion(means, stds * np.sqrt(n / max(n - 1, 1)), design)


def _checked_metrics(metrics: Any) -> list[str]:
    listed = checks.check_listed("metrics", metrics, "a sequence of names")
    names = [checks.check_text("metrics", name) for name in listed]
    if not names or len(set(names)) < len(names):
        raise checks.wrong("metrics", "be one or more different names", metrics)
    return names


def _check_width(name: str, value: Any) -> float:
    if not checks.is_number(value) or not 0 <= float(value) < np.inf:
        raise ValueError(f"`{name}` must be a finite half-width ≥ 0; got {checks.shown(value)}.")
    return float(value)


def _given(
    comparisons: Mapping[str, Comparison], names: Iterable[str], settings: Mapping[str, Any]
) -> dict[str, Comparison]:
    if settings:
        raise ValueError(
            "`obj` must not be comparisons where settings are given, because they have their own; "
            f"got {checks.shown_list(settings)}."
        )
    found = {}
    for name in names:
        try:
            found[name] = comparisons[name]  # a single metric has its own name beside "score"
        except KeyError:
            known = checks.shown_list(map(repr, comparisons))
            raise checks.wrong("metrics", f"be among {known}", name) from None
    return found


def _compared(obj: Any, names: Sequence[str], settings: Mapping[str, Any]) -> dict[str, Comparison]:
    if not hasattr(obj, "cv_results_") and not hasattr(obj, "_run_search"):
        raise TypeError(
            "`obj` must be a fitted search, or a mapping of metrics to comparisons; got "
            f"{type(obj).__name__}."
        )
    known = metrics_of(getattr(obj, "cv_results_", {}))
    for name in names:
        if len(known) > 1 and name not in known:
            raise checks.wrong("metrics", f"be among {checks.shown_list([*known, *TIMES])}", name)
    # This statement has its own ROPE; the usual one may not suit these scores.
    settings = {"rope": 0.0, **settings}
    first, *others = names
    found = {first: compare(obj, metric=first, **settings)}
    # What is said of the splits is the same for every metric.
    with checks.without_warnings(checks.ComparisonWarning):
        found |= {name: compare(obj, metric=name, **settings) for name in others}
    return found


def _check_same_candidates(one: Comparison, other: Comparison, name: str, other_name: str) -> None:
    of_one, of_other = one.scores.design, other.scores.design
    is_same = (one.labels, one._candidates) == (other.labels, other._candidates) and all(
        np.array_equal(getattr(of_one, part), getattr(of_other, part))
        for part in ("n_splits", "n_samples", "n_train", "n_test", "repeat")
    )
    if not is_same:
        raise ValueError(
            "`obj` must hold comparisons of the same candidates, in one order, on the same splits; "
            f"those of {name!r} and {other_name!r} differ."
        )
