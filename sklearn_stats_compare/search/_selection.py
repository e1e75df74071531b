"""Rules for ``refit=``: choose one of the candidates that are good enough."""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Integral, Real
from typing import Any, ClassVar, Literal, TypeGuard

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._utils import _validation as checks
from sklearn_stats_compare.comparison._comparison import Comparison
from sklearn_stats_compare.comparison._labels import identity
from sklearn_stats_compare.comparison._parameters import COUNTS_OR_SHARES
from sklearn_stats_compare.comparison._pareto import TIMES, times_of
from sklearn_stats_compare.comparison._saving import split_column
from sklearn_stats_compare.comparison._tables import (
    failed_on_some,
    leader_mean,
    resolve_rope,
    warn_of_survivors,
)
from sklearn_stats_compare.comparison.readers import _searches
from sklearn_stats_compare.stats._best import (
    Criterion,
    ScoreCriterion,
    possibly_best_pvalues,
    regret_bounds,
)
from sklearn_stats_compare.stats._corrected_t import PairedTTests
from sklearn_stats_compare.stats._design import SplitDesign
from sklearn_stats_compare.stats._multitest import adjust_pvalues
from sklearn_stats_compare.stats._pair_tests import CORRECTED_T, PairTest
from sklearn_stats_compare.stats._score_range import metric_range
from sklearn_stats_compare.stats._scores import SplitScores

# Which candidates are good enough, and why, in the order of candidates. A comparison of a NaN, of a
# candidate that failed, is False; the base leaves such candidates out.
Kept = tuple[NDArray[np.bool_], list[str]]

Preference = tuple[list[tuple[Any, ...]], dict[str, Any]]


class SelectionRule:
    """Keep the candidates that are good enough and take one of them.

    A rule is a callable that receives ``cv_results_`` and returns the index of the candidate to
    refit. It therefore works as the `refit` parameter of any scikit-learn search that accepts one,
    which its halving searches do not. The searches of this package pass the recorded split sizes
    and the metric to the rule; in other searches, a rule needs `test_train_ratio`. For a search
    that is already fitted, use ``comparison_.choose(rule)``.

    A rule is a frozen dataclass with at least these parameters.

    Parameters
    ----------
    metric : str, optional
        Metric to choose by; required if the search scored several.
    test_train_ratio : float, optional
        Σ n_test / Σ n_train over the splits, > 0, for searches that do not record it. It is
        1/(k − 1) for k-fold cross-validation, repeated or not. If the splits use only a part of the
        n samples, pass n_test/(n − n_test).
    """

    metric: str | None
    test_train_ratio: float | None

    example: ClassVar[str] = "('C')"
    """Arguments of a valid rule, for messages."""
    _reads_sizes: ClassVar[bool] = True
    _keeps_the_leader: ClassVar[bool] = True

    def __call__(self, cv_results: Mapping[str, Any]) -> int:
        """Index of the candidate to deploy, for a search without recorded sizes."""
        # `_select_best_index` of scikit-learn calls a `refit` with `cv_results_` alone.
        metric = self.chosen_metric(cv_results)
        if "iter" in cv_results and "n_resources" in cv_results:
            raise ValueError(
                "`cv_results` must have a row per candidate; got those of a halving search, with "
                "one for each iteration. Use compare(search).choose(rule)."
            )
        design = self._design(_searches.n_split_columns(cv_results, metric))
        return self.choose(cv_results, _searches.split_scores(cv_results, metric, design))[0]

    def check(self, params: Sequence[Mapping[str, Any]], scoring: Any) -> None:
        """Raise an error if the rule is invalid for candidates with these parameters.

        A search calls it before its first fit, with its `scoring`; `choose` checks what needs
        scores.
        """
        self._check_own()
        metrics = _metrics_of(scoring)
        if self.metric is not None and metrics:
            checks.check_option("metric", self.metric, metrics)
        elif len(metrics) > 1:
            raise ValueError(
                f"`metric` must name one of {checks.shown_list(metrics)}, because the search "
                "scores several; got None."
            )

    def choose(
        self,
        cv_results: Mapping[str, Any],
        scores: SplitScores,
        test: PairTest = CORRECTED_T,
    ) -> tuple[int, pd.DataFrame]:
        """Return the index of the chosen candidate by `scores`, and a report on all candidates.

        The report has a row per candidate, in rank order, indexed by candidate, with the columns
        ``label``, ``mean``, ``kept`` (whether it is good enough), ``why``, what the rule goes by
        further, such as ``complexity``, and ``chosen``. After a race it chooses among the
        survivors, with a warning unless the race dropped only candidates that are worse on new
        data.
        """
        if not scores.n_available:  # before a ROPE that is a share of no mean
            raise ValueError(
                f"{type(self).__name__} cannot choose: every candidate failed on some split."
            )
        self._check_own()
        metric = self.chosen_metric(cv_results) if "elimination" in cv_results else "score"
        finished, survived = _searches.survivors(cv_results, metric)
        comparison = Comparison(scores, params=cv_results["params"], test=test, warn=False)
        for sentence in failed_on_some(scores):
            checks.warn_user(sentence, "comparison-warnings")
        order = scores.order
        keep, why = self._judge(comparison, cv_results)
        # A rule keeps a candidate that it has no evidence against, such as one with NaN scores.
        keep = np.asarray(keep) & ~scores.missing
        if self._keeps_the_leader:
            keep[order[0]] = True  # whatever its comparison with itself gives
        among = np.flatnonzero(keep if keep.any() else self._fallback(scores, cv_results))
        keys, columns = self._preference(cv_results, among)
        rank = np.empty(len(order), dtype=int)
        rank[order] = np.arange(len(order))  # the inverse permutation
        means, costs = -_rounded_means(scores), columns.get("complexity", rank)
        # Ties fall to the better mean, then to the lower time, then to the lower index.
        chosen = min(among, key=lambda i: (keys[i], means[i], costs[i], rank[i]))
        absent = _why_absent(cv_results, len(order))
        if survived:
            why = [f"among those compared: {words}" for words in why]
        warn_of_survivors(
            survived.get("_n_entered"),
            len(finished),
            f"The choice of {type(self).__name__}",
            survived.get("_dropped_pvalue"),
            getattr(self, "alpha", None),
        )
        report = pd.DataFrame(
            {
                "label": comparison.ranking()["label"].to_numpy(),
                "mean": scores.means[order],
                "kept": keep[order],
                "why": [absent[i] if scores.missing[i] else why[i] for i in order],
                **{name: [values[i] for i in order] for name, values in columns.items()},
                "chosen": order == chosen,
            },
            index=pd.Index(order, name="candidate"),
        )
        return int(chosen), report

    def _check_own(self) -> None:
        """Raise ValueError if one of the rule's own parameters is out of range."""

    def _judge(self, comparison: Comparison, cv_results: Mapping[str, Any]) -> Kept:
        """Which candidates are good enough, and why, in the order of candidates."""
        raise NotImplementedError

    def _fallback(self, scores: SplitScores, cv_results: Mapping[str, Any]) -> NDArray[np.bool_]:
        """Those to choose among if the rule keeps none."""
        return with_best_mean(scores)

    def _preference(self, cv_results: Mapping[str, Any], among: NDArray[np.intp]) -> Preference:
        """A key for each candidate, the smallest the first choice, and columns of the report."""
        raise NotImplementedError

    def chosen_metric(self, cv_results: Mapping[str, Any]) -> str:
        """Metric of `cv_results` to choose by; ValueError if that is not clear."""
        metrics = _searches.metrics_of(cv_results)
        if self.metric is not None:
            return str(checks.check_option("metric", self.metric, metrics))
        if not metrics:
            raise ValueError(
                "`cv_results` must contain a column mean_test_score or mean_test_<metric>; got "
                f"{checks.shown_list(list(map(str, cv_results)))}."
            )
        if len(metrics) > 1:
            raise ValueError(
                f"`metric` must name one of {', '.join(metrics)}, because the search scored "
                "several; got None."
            )
        return metrics[0]

    def _design(self, n_splits: int) -> SplitDesign:
        ratio = self.test_train_ratio
        if ratio is None and not self._reads_sizes:
            ratio = 1.0  # any value works for a rule that uses only means
        if ratio is None:
            raise ValueError(
                "`test_train_ratio` must be given, because cv_results_ does not contain the sizes "
                "of the splits; got None. Pass Σ n_test / Σ n_train, which is 1/(k - 1) for "
                "k-fold. The searches of this package record the sizes: use the rule as their "
                "`refit`, or call comparison_.choose(rule) after `fit`."
            )
        return SplitDesign.from_ratio(ratio, n_splits)


Within = Literal["possibly_best", "rope", "1se"] | float | str | None


@dataclass(frozen=True)
class Simplest(SelectionRule):
    """Take the simplest of the candidates that are good enough.

    After a race, the rule chooses only among the survivors, and a warning says so.

    Parameters
    ----------
    by : str, sequence of str, mapping or callable, optional
        Which candidate is simpler. Default: by parameters whose order is known, such as ``C``, if
        candidates differ in no others; else by the time to fit and to score, where times less
        than twice the shortest count as equal, unless the means are; else the better mean.
        Otherwise

        - the name of a parameter, whose values are no text, or of a numeric column of
          ``cv_results_`` such as ``"mean_fit_time"``: the larger the value, the more complex the
          candidate, except for parameters such as ``n_neighbors`` and the penalty ``alpha``, whose
          larger values are simpler. Of another ``alpha``, such as a quantile, pass the direction;
        - ``"time"``: the time to fit and to score, as by default; times in a column that is named
          count as equal likewise;
        - a sequence of such names, the most important first;
        - a mapping of such names to "ascending" (larger is more complex) or "descending";
        - a function of a candidate's parameters whose results can be ordered.

        In `max_depth` and `max_leaf_nodes`, None is the largest value, and so is a number ≤ 0.
    within : {"possibly_best", "rope", "1se"}, float, str or None, default="possibly_best"
        Which candidates are good enough; None is the upper end of the ROPE as a number, the rule of
        `Comparison.recommend`:

        - "possibly_best": those that may be the best, see `Comparison.possibly_best`. The true
          best is among them with probability at least 1 − alpha; of several equally good
          candidates, this applies to each separately;
        - "rope": those not shown to be worse than the leader by more than `rope`, with posterior
          probability at least 1 − alpha;
        - "1se": those whose mean is within one standard error of the leader's. The standard error
          is that of the paired difference, corrected for overlapping splits. A heuristic that
          controls no error rate. (Its common form uses std/√J of the leader's scores. With many
          splits that is so small that it nearly always returns the leader; with five it does in
          about a third of the data sets.);
        - a number ≥ 0, in score units: those shown to be at most so much worse than the best, by
          `Comparison.shortfall`: with probability at least 1 − alpha none is worse by more. If no
          bound is that small, the rule takes the leader, and nothing is guaranteed;
        - a percentage such as "5%": those whose mean is within so many per cent of the leader's
          absolute mean. A heuristic that controls no error rate.
    alpha : float, default=0.05
        Level of "possibly_best", "rope" and a number, in (0, 1).
    rope : float, (float, float) or str, optional
        Of "rope" and None: the loss up to its upper end does not matter, as for `Comparison`.
        Default: 0.01, or that of the comparison in `Comparison.choose`; of None also that of the
        search.
    metric : str, optional
        As for `SelectionRule`.
    test_train_ratio : float, optional
        As for `SelectionRule`.

    Raises
    ------
    ValueError
        If a parameter is invalid, before the first fit of a search. When called, if `within` is a
        percentage and the leader's mean is 0 or the means have both signs.

    References
    ----------
    Hsu, J. C. (1981). Simultaneous confidence intervals for all distances from the "best".
    Annals of Statistics 9, 1026–1034. https://doi.org/10.1214/aos/1176345582

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from sklearn_stats_compare import Simplest, StatisticalGridSearchCV
    >>> search = StatisticalGridSearchCV(
    ...     DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2, 3, 4]}, cv=10,
    ...     refit=Simplest("max_depth"),
    ... ).fit(*load_iris(return_X_y=True))
    >>> search.best_params_
    {'max_depth': 2}
    """

    by: Any = None
    within: Within = "possibly_best"
    alpha: float = field(default=0.05, kw_only=True)
    rope: float | tuple[float, float] | str | None = field(default=None, kw_only=True)
    metric: str | None = field(default=None, kw_only=True)
    test_train_ratio: float | None = field(default=None, kw_only=True)

    def check(self, params: Sequence[Mapping[str, Any]], scoring: Any) -> None:
        """Raise an error if the rule is invalid for candidates with these parameters."""
        super().check(params, scoring)
        if self.by is not None and not time_columns(self.by):
            check_complexity(self.by, params, _metrics_of(scoring))

    @property
    def _percent(self) -> float | None:
        """The number of a percentage."""
        return float(self.within[:-1]) if _is_percentage(self.within) else None

    @property
    def _reads_sizes(self) -> bool:  # type: ignore[override]
        return self._percent is None

    @property
    def _keeps_the_leader(self) -> bool:  # type: ignore[override]
        # The bound of another candidate may be smaller than the leader's.
        return isinstance(self.within, str)

    def _check_own(self) -> None:
        checks.check_probability("alpha", self.alpha)
        if self.rope is not None:
            resolve_rope(self.rope, 1.0)
        is_loss = checks.is_number(self.within) and 0 <= self.within < np.inf  # type: ignore[operator]
        if self.within is not None and not is_loss and not _is_percentage(self.within):
            rule = "a number ≥ 0, a percentage such as '5%'"
            checks.check_option("within", self.within, _GOOD_ENOUGH, or_else=rule)

    def _judge(self, comparison: Comparison, cv_results: Mapping[str, Any]) -> Kept:
        keep = _GOOD_ENOUGH.get(self.within) if isinstance(self.within, str) else _within_loss
        return (keep or _within_percent)(self, comparison)

    def _preference(self, cv_results: Mapping[str, Any], among: NDArray[np.intp]) -> Preference:
        by = default_order(cv_results) if self.by is None else self.by
        columns = time_columns(by)
        if columns and all(name in cv_results for name in columns):
            times = np.sum([np.asarray(cv_results[name], dtype=float) for name in columns], axis=0)
            as_cheap = np.maximum(times, AS_CHEAP * np.min(times[among]))
            return [(time,) for time in as_cheap.tolist()], {"complexity": times.tolist()}
        if all(name in cv_results for name in TIMES):
            both = np.sum([np.asarray(cv_results[name], dtype=float) for name in TIMES], axis=0)
            cv_results = {**cv_results, BY_TIME: both}
        keys = complexity_keys(by, cv_results)
        shown = {"complexity": [key[0] if len(key) == 1 else key for key in keys]}
        as_cheap = {
            name: np.maximum(
                cv_results[name], AS_CHEAP * np.min(np.asarray(cv_results[name])[among])
            )
            for name in (*TIMES, BY_TIME)
            if name in cv_results
        }
        return complexity_keys(by, {**cv_results, **as_cheap}), shown


def with_best_mean(scores: SplitScores) -> NDArray[np.bool_]:
    """Which candidates have the leader's mean."""
    means = _rounded_means(scores)
    return np.asarray(means == means[scores.order[0]])


def _rounded_means(scores: SplitScores) -> NDArray[np.float64]:
    """Mean scores without the error by which equal means differ, each in its own units."""
    # Of a candidate that diverged, the others must not be ties.
    with np.errstate(divide="ignore", invalid="ignore"):
        units = 2.0 ** np.ceil(np.log2(np.abs(scores.comparable(slice(None))).max(axis=1)))
        units = np.where(units > 0, units, 1.0)
        return np.asarray(np.round(scores.means / units, 12) * units)


def _is_percentage(within: Any) -> TypeGuard[str]:
    return isinstance(within, str) and re.fullmatch(r"\d+(\.\d+)?\s*%", within) is not None


def _may_be_best(rule: Simplest, comparison: Comparison) -> Kept:
    p = possibly_best_pvalues(comparison.scores, test=comparison._settings.test)
    return p >= rule.alpha, [f"p = {one:.3g} for the hypothesis that it is the best" for one in p]


def _not_worse(rule: Simplest, comparison: Comparison) -> Kept:
    rope = resolve_rope(0.01 if rule.rope is None else rule.rope, leader_mean(comparison.scores))
    # Of the leader minus the candidate, "better" is the leader by more than the ROPE.
    worse = _against_all(comparison).rope_probabilities(rope).better.copy()
    worse[comparison.scores.order[0]] = 0.0  # itself; few samples may differ from others only
    # Negated: a NaN is no evidence against a candidate.
    return ~(worse >= 1 - rule.alpha), [f"P(worse by more than the ROPE) {p:.3g}" for p in worse]


def _within_one_std_err(rule: Simplest, comparison: Comparison) -> Kept:
    tests = _against_all(comparison)
    with np.errstate(invalid="ignore"):
        keep = tests.mean_diff <= tests.std_err
    return keep, [
        f"behind by {d:.3g}, standard error {s:.3g}"
        for d, s in zip(tests.mean_diff, tests.std_err, strict=True)
    ]


def _within_loss(rule: Simplest, comparison: Comparison) -> Kept:
    comparison._settings.check_has_std_err("Simplest")
    bounds = regret_bounds(comparison.scores, alpha=rule.alpha, test=comparison._settings.test)
    loss = rule.within
    if loss is None:
        rope = resolve_rope(
            0.01 if rule.rope is None else rule.rope, leader_mean(comparison.scores)
        )
        loss = rope[1]
    with np.errstate(invalid="ignore"):
        keep = bounds <= loss  # type: ignore[operator]
    why = [
        "one split gives no bound" if np.isnan(b) else f"at most {b:.3g} worse than the best"
        for b in bounds
    ]
    if not keep.any():
        why[comparison.scores.order[0]] += "; the leader, as no bound is small enough"
    return keep, why


def _within_percent(rule: Simplest, comparison: Comparison) -> Kept:
    scores = comparison.scores
    means, failed = scores.means, scores.failed
    ran = ~(scores.missing | failed.all(axis=1))
    best = means[ran if ran.any() else ~scores.missing].max()
    whole = ~(scores.missing | failed.any(axis=1))
    least = means[whole].min(initial=best)
    # Such as r2, whose mean may be near 0 or below: a share of it says nothing.
    if best == 0 or least < 0 < best:
        raise ValueError(
            "A percentage of the leader's mean has no meaning if that mean is 0 or the means "
            f"have both signs; they range from {least:.4g} to {best:.4g}. Use "
            "within='rope' with a `rope` in score units."
        )
    loss = 100 * (best - means) / abs(best)
    with np.errstate(invalid="ignore"):
        return loss <= rule._percent, [f"loss {value:.3g} %" for value in loss]


_GOOD_ENOUGH: dict[str, Callable[[Simplest, Comparison], Kept]] = {
    "possibly_best": _may_be_best,
    "rope": _not_worse,
    "1se": _within_one_std_err,
}


def _against_all(comparison: Comparison) -> PairedTTests:
    """The leader minus every candidate, itself included, in the order of candidates."""
    # With itself too, so that row i of the result is candidate i.
    scores = comparison.scores
    test = comparison._settings.test
    return test.against(scores, int(scores.order[0]), np.arange(scores.n_candidates))


@dataclass(frozen=True)
class BestSubjectTo(SelectionRule):
    """Take the best mean of the candidates that are not shown to violate a bound of another metric.

    By default the rule leaves out the candidates that are shown to violate a bound. A given
    candidate that satisfies all bounds is left out with probability at most alpha. With few splits
    this is lenient: a candidate whose mean is below a bound usually stays. With
    ``shown_to_satisfy=True`` the rule keeps only candidates that are shown to satisfy all bounds:
    with probability at least 1 − alpha all of them do, and so does the choice, unless none is kept.

    If no candidate is kept, the rule takes the one that comes closest to the bounds, in median
    standard errors of the candidates, with a warning.

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
    n_test/n_train. For shares of samples, such as accuracies, the p-value is at least the binomial
    one of the rarer outcome. If a score is the same on all splits, the t-test does not apply. The
    p-value is then the bound of Markov's inequality over the K folds of a repeat, and never below
    2^(−K). This needs a known limit of the score: a lower limit of 0 to show that a bound is
    satisfied, or an upper limit of 0 or 1 to show that it is violated. Otherwise, the p-value is 1.
    A perfect score on a few folds therefore shows little. By default, the p-value of a candidate is
    the smallest over the bounds, times the number of bounds. It is not adjusted for the number of
    candidates, because the rule must not lose one given candidate: the best that satisfies the
    bounds. With ``shown_to_satisfy=True`` it is the largest over the bounds (an intersection-union
    test), adjusted by Holm's method for the number of candidates. The rule is valid for bounds that
    were chosen before the scores were seen. Nothing is said about the choice by `metric`: it takes
    the best mean.

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
        if metrics := _metrics_of(scoring):
            for name in self.bounds:
                checks.check_option("bounds", name, [*metrics, *TIMES])

    def _check_own(self) -> None:
        checks.check_text("metric", self.metric)
        checks.check_probability("alpha", self.alpha)
        checks.check_flag("shown_to_satisfy", self.shown_to_satisfy)
        is_valid = (
            isinstance(self.bounds, Mapping)
            and bool(self.bounds)
            and all(isinstance(name, str) for name in self.bounds)
            and all(checks.is_number(b) and np.isfinite(b) for b in self.bounds.values())
        )
        if not is_valid:
            raise ValueError(
                "`bounds` must be a mapping of metrics to the lowest acceptable means, such as "
                f"{{'recall': 0.9}}; got {checks.shown(self.bounds)}."
            )
        for name, bound in self.bounds.items():
            if bound > (most := metric_range(name)[1]):
                raise ValueError(
                    f"`bounds` must be scores that can be reached; {name} is at most {most:g}, and "
                    f"higher is better; got {bound:g}."
                )

    def _judge(self, comparison: Comparison, cv_results: Mapping[str, Any]) -> Kept:
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

    def _fallback(self, scores: SplitScores, cv_results: Mapping[str, Any]) -> NDArray[np.bool_]:
        tests = [own.against_bound(bound) for own, bound in self._bounded(scores, cv_results)]
        # In units of each metric alone: of a constant score its own error would say nothing.
        errors = (each.std_err[~each.constant & (each.std_err > 0)] for each in tests)
        units = (np.median(own) if own.size else 1.0 for own in errors)
        closest = np.min([e.mean_diff / u for e, u in zip(tests, units, strict=True)], axis=0)
        closest[scores.missing | np.isnan(closest)] = -np.inf
        what = (
            "No candidate is shown to satisfy all bounds."
            if self.shown_to_satisfy
            else "Every candidate is shown to violate a bound, or has no score."
        )
        checks.warn_user(
            f"{what} The choice of BestSubjectTo is the candidate that comes closest to the "
            "bounds, in median standard errors; nothing is guaranteed of it.",
            "no-candidate-within-bounds",
        )
        row = scores.order[np.argmax(closest[scores.order])]
        return np.arange(scores.n_candidates) == row

    def _preference(self, cv_results: Mapping[str, Any], among: NDArray[np.intp]) -> Preference:
        means = {name: _means(cv_results, name) for name in self.bounds}
        return [()] * len(cv_results["params"]), means

    def _bounded(
        self, scores: SplitScores, cv_results: Mapping[str, Any]
    ) -> Iterator[tuple[Criterion, float]]:
        """The bounded metrics and their bounds."""
        design, rows = scores.design, range(scores.n_candidates)
        for name, bound in self.bounds.items():
            if name in TIMES and name in cv_results:
                yield times_of(cv_results, name, design, rows), float(bound)
                continue
            if not _searches.n_split_columns(cv_results, name):
                raise ValueError(
                    f"`bounds` must be of metrics in the results; got {name!r}. A comparison has "
                    "one metric. For a fitted search, call a rule that has "
                    "test_train_ratio=search.test_train_ratio_ with its cv_results_."
                )
            own = _searches.split_scores(cv_results, name, design)
            yield ScoreCriterion(own, metric=name), float(bound)


def _means(cv_results: Mapping[str, Any], name: str) -> NDArray[np.float64]:
    """Mean score or time of each candidate."""
    if name in TIMES and name in cv_results:
        return np.asarray(cv_results[name], dtype=float)
    # Not mean_test_<metric>, which a comparison does not have.
    n_splits = _searches.n_split_columns(cv_results, name)
    columns = [np.asarray(cv_results[split_column(k, name)]) for k in range(n_splits)]
    return np.asarray(np.mean(columns, axis=0))


def _why_absent(cv_results: Mapping[str, Any], n_candidates: int) -> list[str]:
    """Why a candidate without a score on every split has none: dropped, left out, or failed."""
    # A candidate that a race dropped for a failed split has `eliminated_at`, but no p-value.
    at = np.asarray(cv_results.get("eliminated_at", np.full(n_candidates, np.nan)))
    pvalue = np.asarray(cv_results.get("elimination_pvalue", np.full(n_candidates, np.nan)))
    evaluated = np.asarray(cv_results.get("n_splits_evaluated", np.zeros(n_candidates)))
    # An extension of some candidates evaluates the others on fewer splits, and eliminates none.
    left_out = np.isnan(at) & (evaluated < evaluated.max())
    return [
        f"dropped in the race after {n:.0f} splits"
        if was_dropped
        else ("left out of the last splits" if left else "failed on some split")
        for n, was_dropped, left in zip(at, ~np.isnan(pvalue), left_out, strict=True)
    ]


AS_CHEAP = 2.0
"""Times vary from run to run: what takes less than this many times as long is as cheap."""

BY_TIME = "time"
"""The order by the time of a fit and of scoring it."""

_KNOWN_ORDERS = {
    **dict.fromkeys(
        ("max_depth", "max_leaf_nodes", "degree", "n_components", "k", "n_estimators", "C"),
        "ascending",
    ),
    **dict.fromkeys(
        ("n_neighbors", "min_samples_leaf", "min_samples_split", "min_child_weight", "ccp_alpha",
         "min_impurity_decrease", "min_weight_fraction_leaf", "alpha", "reg_alpha", "reg_lambda",
         "l2_regularization", "min_df", "shrink_threshold", "var_smoothing", "min_child_samples",
         "min_split_gain"),
        "descending",
    ),
}  # fmt: skip
"""Parameters by which candidates are ordered, the most important first, by the last part of names.
"""

_UNLIMITED = ("max_depth", "max_leaf_nodes")
"""Parameters of which None is the largest value, and so is a number ≤ 0: LightGBM takes −1 and
XGBoost 0 for no limit."""


def default_order(cv_results: Mapping[str, Any]) -> Any:
    """The `by` of candidates that no one ordered; a function that finds all alike if none is known.

    Parameters count if candidates differ in them alone and each has a number of them.
    """
    params = cv_results["params"]
    names = {name for candidate in params for name in candidate}
    varying = [
        name
        for name in names
        if len({identity(candidate.get(name, "")) for candidate in params}) > 1
    ]
    last = {name: name.rpartition("__")[2] for name in varying}
    is_known = all(
        _order_of(name)
        and all(_is_ordered(candidate.get(name, ""), last[name]) for candidate in params)
        and not _has_counts_and_shares(last[name], [candidate[name] for candidate in params])
        for name in varying
    )
    if varying and is_known:
        order = list(_KNOWN_ORDERS)
        varying.sort(key=lambda name: (order.index(last[name]), name))
        return {name: _order_of(name) for name in varying}
    if all(name in cv_results for name in TIMES):
        return BY_TIME
    return lambda candidate: 0


def time_columns(by: Any) -> tuple[str, ...]:
    """Columns of ``cv_results_`` whose sum is the time that candidates are ordered by, if any."""
    if isinstance(by, Mapping) and list(by.values()) == ["ascending"]:
        (by,) = by
    if not isinstance(by, str):
        return ()
    return TIMES if by == BY_TIME else tuple(name for name in TIMES if name == by)


def _is_ordered(value: Any, name: str) -> bool:
    return checks.is_number(value) or (value is None and name in _UNLIMITED)


def _is_unlimited(value: Any) -> bool:
    return value is None or (checks.is_number(value) and value <= 0)


def _has_counts_and_shares(name: str, values: Sequence[Any]) -> bool:
    """Whether some values are counts and others shares, which have no common order."""
    return name in COUNTS_OR_SHARES and len({isinstance(v, Integral) for v in values}) > 1


_PARTS_OF_COLUMNS = ("mean_", "std_", "rank_", "split", "n_splits_", "n_resources")


def complexity_keys(complexity: Any, cv_results: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """A key for each candidate that sorts by complexity, the simplest first."""
    if callable(complexity):
        return _of_function(complexity, cv_results["params"])
    directions = directions_of(complexity)
    columns = [_column(name, direction, cv_results) for name, direction in directions.items()]
    return _orderable(list(zip(*columns, strict=True)), ", ".join(map(str, directions)))


def _metrics_of(scoring: Any) -> list[str]:
    """Names of the metrics in results; none if a callable may return several."""
    if callable(scoring):
        return []
    is_single = scoring is None or isinstance(scoring, str)
    return ["score"] if is_single else list(map(str, scoring))


def check_complexity(
    complexity: Any, params: Sequence[Mapping[str, Any]], metrics: Sequence[str] = ()
) -> None:
    """Raise what `complexity_keys` will raise of these parameters, before anything is fitted."""
    if isinstance(complexity, SelectionRule):
        raise TypeError(
            "`by` must say which candidates are simpler, such as 'C'; got the rule "
            f"{checks.shown(complexity)}. Pass it to `choose`, or as `refit`."
        )
    if callable(complexity):
        _of_function(complexity, params)
        return
    names = {key for candidate in params for key in candidate}
    for name, direction in directions_of(complexity).items():
        # Columns of results are not known yet: times and scores.
        is_column = name == BY_TIME or str(name).startswith(_PARTS_OF_COLUMNS)
        if name in names or not is_column:
            _orderable([(key,) for key in _column(name, direction, {"params": params})], str(name))
        elif metrics and str(name).startswith(("mean_", "std_", "rank_")):
            scores = [f"{part}_{metric}" for part in ("test", "train") for metric in metrics]
            of_fits = [f"{what}_{of}" for what in ("mean", "std")
                       for of in ("fit_time", "score_time", *scores)]  # fmt: skip
            ranks = [f"rank_test_{metric}" for metric in metrics]
            checks.check_option("by", name, [*of_fits, *ranks])


def _of_function(
    complexity: Callable[[Mapping[str, Any]], Any], params: Sequence[Mapping[str, Any]]
) -> list[tuple[Any, ...]]:
    keys = []
    for i, candidate in enumerate(params):
        try:
            keys.append((complexity(candidate),))
        except Exception as error:
            error.add_note(f"`by` was called with the parameters of candidate {i}.")
            raise
        _check_no_nan(keys[-1][0], f"the function gave NaN for candidate {i}")
    return _orderable(keys, "by")


def _check_no_nan(value: Any, what: str) -> None:
    # No order has a place for it, and `min` would take what comes first.
    if isinstance(value, tuple | list):
        for each in value:
            _check_no_nan(each, what)
    elif checks.is_number(value) and np.isnan(value):
        raise ValueError(f"`by` must have values that can be ordered; {what}.")


def directions_of(complexity: Any) -> dict[Any, str]:
    """Names of parameters or columns, and in which direction each is complex."""
    if isinstance(complexity, str):  # first: a string is a sequence of strings
        directions = {complexity: _direction_of(complexity)}
    elif isinstance(complexity, Mapping):
        directions = dict(complexity)
    elif isinstance(complexity, Sequence) and all(isinstance(name, str) for name in complexity):
        directions = {name: _direction_of(name) for name in complexity}
    else:
        directions = {}
    if not directions:
        raise ValueError(
            "`by` must be the name of a parameter or of a column of cv_results_, a "
            "sequence of names, a mapping of names to 'ascending' or 'descending', or a function; "
            f"got {checks.shown(complexity)}."
        )
    for name, direction in directions.items():
        checks.check_option(f"by[{name!r}]", direction, ("ascending", "descending"))
    return directions


def _direction_of(name: str) -> str:
    """The direction of a name alone; ValueError for one that may be one of two things."""
    if name.rpartition("__")[2] in ("alpha", "threshold") and _order_of(name) is None:
        raise ValueError(
            f"`by` must say whether a larger {name!r} is simpler, as a penalty or the least "
            f"importance of a feature is, or more complex, as the level of a test of features; got "
            f"{name!r}. Pass {{{name!r}: 'descending'}} if it is simpler."
        )
    return _order_of(name) or "ascending"


# Steps, as `make_pipeline` names them, of which `alpha` is a penalty: of others, such as tests of
# features, it may be a level.
_PENALISED = re.compile(r"ridge|lasso|elastic|lars|sgd|mlp|perceptron|regress|nb$|huber", re.I)


def _order_of(name: str) -> str | None:
    *steps, last = name.split("__")
    is_level = last == "alpha" and steps and not _PENALISED.search(steps[-1])
    return None if is_level else _KNOWN_ORDERS.get(last)


def _column(name: Any, direction: str, cv_results: Mapping[str, Any]) -> list[Any]:
    params = cv_results["params"]
    # The candidates of a list of grids may have different parameters.
    names = sorted({key for candidate in params for key in candidate})
    if name in names:  # a parameter goes before a column of that name
        lacking = [i for i, candidate in enumerate(params) if name not in candidate]
        if lacking:
            sign = "" if direction == "ascending" else "-"
            raise ValueError(
                f"`by` must name a parameter of every candidate; got {name!r}, which "
                f"candidate {lacking[0]} does not have. Pass a function of the parameters, such as "
                f"lambda params: {sign}params.get({name!r}, {sign}math.inf), with which those "
                "without it are the last."
            )
        _check_one_estimator(name, params)
        values = [candidate[name] for candidate in params]
        for value in values:
            _check_no_nan(value, f"{name!r} has NaN")
        # (10, 200) is before (50,), but no smaller network.
        if all(isinstance(v, tuple | list) and all(map(checks.is_number, v)) for v in values):
            sums = [sum(value) for value in sorted(map(tuple, values))]
            if sums != sorted(sums):
                raise ValueError(
                    f"`by` must have values that can be ordered; {name!r} has sequences, and the "
                    f"first entries do not order them: {checks.shown_list(map(repr, values))}. "
                    "Pass a function of the parameters."
                )
        if _has_counts_and_shares(str(name).rpartition("__")[2], values):
            raise ValueError(
                f"`by` must have values that can be ordered; {name!r} has counts and shares of "
                f"samples or variance: {checks.shown_list(map(repr, values))}. Pass a function of "
                "the parameters."
            )
        if str(name).rpartition("__")[2] in _UNLIMITED:
            values = [math.inf if _is_unlimited(value) else value for value in values]
    elif name in cv_results and np.asarray(cv_results[name]).dtype.kind in "iuf":
        values = np.asarray(cv_results[name]).tolist()  # Python's numbers, for the report
        # Such as another metric that is undefined for a candidate: it is the last.
        last = math.inf if direction == "ascending" else -math.inf
        values = [last if value != value else value for value in values]
    else:
        # The name in the step of a pipeline, whose own name is left out most often.
        meant = [full for full in names if full.endswith(f"__{name}")]
        meant += [column for column in TIMES if column.endswith(str(name)) and column != name]
        hint = f" Did you mean {meant[0]!r}?" if meant else ""
        known = f"a parameter, one of {', '.join(names)}, or " if names else ""
        raise ValueError(
            f"`by` must name {known}a numeric column of cv_results_; got {name!r}.{hint}"
        )
    # As of solvers, or of estimators in a file.
    if any(isinstance(value, str) for value in values):
        raise ValueError(
            f"`by` must have values that can be ordered; {name!r} has text: "
            f"{checks.shown_list(map(repr, dict.fromkeys(values)))}. Pass a function of the "
            "parameters that returns numbers."
        )
    if direction == "ascending":
        return values
    # The order is reversed by a minus, as keys of several columns are compared as tuples.
    if not all(isinstance(value, Real) for value in values):
        raise ValueError(
            f"`by` must have numbers to be 'descending'; {name!r} has other values. Pass a "
            "function of the parameters."
        )
    return [-value for value in values]


def _check_one_estimator(name: Any, params: Sequence[Mapping[str, Any]]) -> None:
    """Raise ValueError if a parameter belongs to estimators of several kinds."""
    step = str(name).rpartition("__")[0]
    while step:
        kinds = sorted({type(own[step]).__name__ for own in params if own.get(step) is not None})
        if len(kinds) > 1:
            raise ValueError(
                f"`by` must name a parameter of estimators of one kind; got {name!r}, of "
                f"{checks.shown_list(kinds)}: its values cannot be compared between these. Name a "
                "column such as 'mean_fit_time', or pass a function of the parameters."
            )
        step = step.rpartition("__")[0]


def _orderable(keys: list[tuple[Any, ...]], what: str) -> list[tuple[Any, ...]]:
    try:
        sorted(keys)  # now, with a message of its own; `min` would raise later
    # TypeError of None beside numbers; ValueError of arrays, whose comparison has no truth value.
    except (TypeError, ValueError):
        raise ValueError(
            f"`by` must have values that can be ordered; those of {what} cannot: "
            f"{', '.join(sorted({type(v).__name__ for key in keys for v in key}))}. Pass a "
            "function of the parameters that returns numbers."
        ) from None
    return keys
