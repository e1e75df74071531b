"""BestSubjectTo: the best mean among the candidates that satisfy bounds of other metrics."""

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare._messages import (
    ComparisonWarning,
    check_flag,
    check_option,
    check_probability,
    check_text,
    is_number,
    outside_level,
    shown,
)
from sklearn_stats_compare.comparison import (
    TIMES,
    Comparison,
    n_split_columns,
    split_column,
    split_scores,
    times_of,
)
from sklearn_stats_compare.search.selection._rule import SelectionRule
from sklearn_stats_compare.stats import Criterion, ScoreCriterion, SplitScores, adjust_pvalues


@dataclass(frozen=True)
class BestSubjectTo(SelectionRule):
    """Take the best mean of the candidates that are not shown to violate a bound of another metric.

    By default the rule leaves out the candidates that are shown to violate a bound. A given
    candidate that satisfies all bounds is left out with probability at most alpha. With few splits
    this is lenient: a candidate whose mean is below a bound usually stays. With
    ``shown_to_satisfy=True`` the rule keeps only candidates that are shown to satisfy all bounds:
    with probability at least 1 − alpha all of them do, and so does the choice, unless none is kept.

    If no candidate is kept, the rule takes the one that comes closest to the bounds, in standard
    errors, with a warning.

    Parameters
    ----------
    metric : str
        Metric to choose by; "score" if the search scored one.
    bounds : mapping of str to float
        Lowest acceptable mean of other metrics that the search scored, in their units; negative for
        scorers such as "neg_log_loss". For ``"mean_fit_time"`` and ``"mean_score_time"``, the
        highest, in seconds.
    alpha : float, default=0.05
        Level, in (0, 1).
    shown_to_satisfy : bool, default=False
        Whether to keep only candidates that are shown to satisfy all bounds, rather than all that
        are not shown to violate one.
    test_train_ratio : float, optional
        As for `SelectionRule`.

    Raises
    ------
    ValueError
        Before the first fit, if a parameter is invalid or the search does not score a metric that
        `metric` or `bounds` names, unless its `scoring` is a function.

    Warns
    -----
    ComparisonWarning
        If no candidate is kept. After a race, which drops candidates by one metric, including those
        that might have been the only ones to satisfy the bounds.

    Notes
    -----
    A mean is tested against its bound by a one-sided corrected t-test on the splits (also in a
    search with ``test="samples"``). Its standard error is s·√(1/J + q), for J splits and q =
    n_test/n_train. If a score is the same on all splits, the t-test does not apply. The p-value is
    then the bound of Markov's inequality over the K folds of a repeat, and never below 2^(−K). This
    needs a known limit of the score: a lower limit of 0 to show that a bound is satisfied, or an
    upper limit of 0 or 1 to show that it is violated. Otherwise, the p-value is 1. A perfect score
    on a few folds therefore shows little. By default, the p-value of a candidate is the smallest
    over the bounds, times the number of bounds. It is not adjusted for the number of candidates,
    because the rule must not lose one given candidate: the best that satisfies the bounds. With
    ``shown_to_satisfy=True``
    it is the largest over the bounds (an intersection-union test), adjusted by Holm's method for
    the number of candidates. The rule is valid for bounds that were chosen before the scores were
    seen. Nothing is said about the choice by `metric`: it takes the best mean.

    References
    ----------
    Nadeau, C. and Bengio, Y. (2003). Inference for the generalization error. Machine Learning
    52, 239–281. https://doi.org/10.1023/A:1024068626366

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_stats_compare import BestSubjectTo, StatisticalGridSearchCV
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> search = StatisticalGridSearchCV(
    ...     DecisionTreeClassifier(random_state=0),
    ...     {"max_depth": [1, 2, 4]},
    ...     scoring=["roc_auc", "recall"],
    ...     refit=BestSubjectTo("roc_auc", {"recall": 0.9}, shown_to_satisfy=True),
    ...     cv=10,
    ... ).fit(X, y)
    >>> report = search.selection_report_[["label", "mean", "recall", "kept", "chosen"]]
    >>> print(report.round(3).to_string(index=False))
    label  mean  recall  kept  chosen
        2 0.932   0.944  True    True
        4 0.918   0.938 False   False
        1 0.874   0.950 False   False

    Only the tree of depth 2 is shown to have a recall of at least 0.9. The tree of depth 1 has a
    higher mean recall, but its recall varies more between the folds.
    """

    metric: str
    bounds: Mapping[str, float]
    alpha: float = field(default=0.05, kw_only=True)
    shown_to_satisfy: bool = field(default=False, kw_only=True)
    test_train_ratio: float | None = field(default=None, kw_only=True)

    example: ClassVar[str] = "('roc_auc', {'recall': 0.9})"
    _keeps_the_leader: ClassVar[bool] = False

    def check(self, params: Sequence[Mapping[str, Any]], scoring: Any) -> None:
        """Raise an error if the rule is invalid, or `scoring` lacks a metric that it names."""
        super().check(params, scoring)
        if callable(scoring):  # which may return a score for each of several metrics
            return
        is_single = scoring is None or isinstance(scoring, str)
        metrics = ["score"] if is_single else list(map(str, scoring))
        check_option("metric", self.metric, metrics)
        for name in self.bounds:
            check_option("bounds", name, [*metrics, *TIMES])

    def _check_own(self) -> None:
        check_text("metric", self.metric)
        check_probability("alpha", self.alpha)
        check_flag("shown_to_satisfy", self.shown_to_satisfy)
        is_valid = (
            isinstance(self.bounds, Mapping)
            and bool(self.bounds)
            and all(isinstance(name, str) for name in self.bounds)
            and all(is_number(bound) and np.isfinite(bound) for bound in self.bounds.values())
        )
        if not is_valid:
            raise ValueError(
                "`bounds` must be a mapping of metrics to the lowest acceptable means, such as "
                f"{{'recall': 0.9}}; got {shown(self.bounds)}."
            )

    def _judge(
        self, comparison: Comparison, cv_results: Mapping[str, Any]
    ) -> tuple[NDArray[np.bool_], list[str]]:
        bounded = list(self._bounded(comparison.scores, cv_results))
        gains = np.array([own.against_bound(bound).mean_diff for own, bound in bounded])
        known = ~np.isnan(gains).any(axis=0)
        alternative = "greater" if self.shown_to_satisfy else "less"
        pvalues = np.array([own.pvalue_of_bound(bound, alternative) for own, bound in bounded])
        if self.shown_to_satisfy:
            p = np.max(pvalues, axis=0)
            known &= ~comparison.scores.missing & ~np.isnan(p)
            p[known] = adjust_pvalues(p[known], "holm")
            keep, hypothesis = p < self.alpha, "violates a bound"
        else:
            p = np.minimum(1, len(bounded) * np.min(pvalues, axis=0))
            # At a level above one half, a p-value may be below it on the right side of the bounds.
            keep = ~(p < self.alpha) | (gains >= 0).all(axis=0)
            hypothesis = "satisfies all bounds"
        why = [
            f"p = {value:.3g} for the hypothesis that it {hypothesis}"
            if is_known
            else "a bounded metric has no score on some split"
            for value, is_known in zip(p, known, strict=True)
        ]
        return keep & known, why

    def _fallback(self, scores: SplitScores, cv_results: Mapping[str, Any]) -> int:
        tests = [own.against_bound(bound) for own, bound in self._bounded(scores, cv_results)]
        closest = np.min([each.statistic for each in tests], axis=0)
        closest[scores.missing | np.isnan(closest)] = -np.inf
        what = (
            "No candidate is shown to satisfy all bounds."
            if self.shown_to_satisfy
            else "Every candidate is shown to violate a bound, or has no score."
        )
        warnings.warn(
            f"{what} The choice of BestSubjectTo is the candidate that comes closest to the "
            "bounds, in standard errors; nothing is guaranteed of it.",
            ComparisonWarning,
            stacklevel=outside_level(),
        )
        return int(scores.order[np.argmax(closest[scores.order])])

    def _preference(
        self, cv_results: Mapping[str, Any]
    ) -> tuple[list[tuple[Any, ...]], dict[str, Any]]:
        n = len(cv_results["params"])
        means = {name: _means(cv_results, name) for name in self.bounds}
        return [()] * n, means

    def _bounded(
        self, scores: SplitScores, cv_results: Mapping[str, Any]
    ) -> Iterator[tuple[Criterion, float]]:
        """The bounded metrics and their bounds."""
        design, rows = scores.design, range(scores.n_candidates)
        for name, bound in self.bounds.items():
            if name in TIMES and name in cv_results:
                yield times_of(cv_results, name, design, rows), float(bound)
                continue
            if not n_split_columns(cv_results, name):
                raise ValueError(
                    f"`bounds` must be of metrics in the results; got {name!r}. A comparison has "
                    "one metric. For a fitted search, call the rule with its cv_results_, with "
                    "test_train_ratio=search.test_train_ratio_."
                )
            own = split_scores(cv_results, name, design)
            yield ScoreCriterion(own), float(bound)


def _means(cv_results: Mapping[str, Any], name: str) -> NDArray[np.float64]:
    """Mean score or time of each candidate."""
    if name in TIMES and name in cv_results:
        return np.asarray(cv_results[name], dtype=float)
    # Not mean_test_<metric>, which a comparison does not have.
    n_splits = n_split_columns(cv_results, name)
    columns = [np.asarray(cv_results[split_column(k, name)]) for k in range(n_splits)]
    means: NDArray[np.float64] = np.mean(columns, axis=0)
    return means
