"""SelectionRule: choose one of the candidates that a rule keeps."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._messages import check_option, shown_list
from sklearn_stats_compare.comparison import (
    Comparison,
    metrics_of,
    n_split_columns,
    split_scores,
    survivors,
    warn_of_survivors,
)
from sklearn_stats_compare.stats import CORRECTED_T, PairTest, SplitDesign, SplitScores


class SelectionRule:
    """Keep the candidates that are good enough and take one of them.

    A rule is a callable that receives ``cv_results_`` and returns the index of the candidate to
    refit. It therefore works as the `refit` parameter of any scikit-learn search. The searches of
    this package pass the recorded split sizes and the metric to the rule; in other searches, a rule
    needs `test_train_ratio`. For a search that is already fitted, use ``comparison_.choose(rule)``.

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
        design = self._design(n_split_columns(cv_results, metric))
        return self.choose(cv_results, split_scores(cv_results, metric, design))[0]

    def check(self, params: Sequence[Mapping[str, Any]], scoring: Any) -> None:
        """Raise an error if the rule is invalid for candidates with these parameters.

        A search calls it before its first fit, with its `scoring`; `choose` checks what needs
        scores.
        """
        self._check_own()

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
        self._check_own()
        metric = self.chosen_metric(cv_results) if "elimination" in cv_results else "score"
        finished, survived = survivors(cv_results, metric)
        comparison = Comparison(scores, params=cv_results["params"], test=test, warn=False)
        if not scores.n_available:
            raise ValueError(
                f"{type(self).__name__} cannot choose: every candidate failed on some split."
            )
        order = scores.order
        keep, why = self._judge(comparison, cv_results)
        # A rule keeps a candidate that it has no evidence against, such as one with NaN scores.
        keep = np.asarray(keep) & ~scores.missing
        if self._keeps_the_leader:
            keep[order[0]] = True  # whatever its comparison with itself gives
        elif not keep.any():
            keep[self._fallback(scores, cv_results)] = True
        keys, columns = self._preference(cv_results)
        rank = np.empty(len(order), dtype=int)
        rank[order] = np.arange(len(order))  # the inverse permutation
        # Ties fall to the better mean, then to the lower index: together, to the better rank.
        chosen = min(np.flatnonzero(keep), key=lambda i: (keys[i], rank[i]))
        absent = _why_absent(cv_results, len(order))
        if survived:
            why = [f"among those compared: {words}" for words in why]
        warn_of_survivors(
            survived.get("n_entered"),
            len(finished),
            f"The choice of {type(self).__name__}",
            survived.get("dropped_pvalue"),
            getattr(self, "alpha", None),
        )
        report = pd.DataFrame(
            {
                "label": comparison.ranking["label"].to_numpy(),
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

    def _judge(
        self, comparison: Comparison, cv_results: Mapping[str, Any]
    ) -> tuple[NDArray[np.bool_], list[str]]:
        """`_keep`, for rules that look at further columns of the results."""
        return self._keep(comparison)

    def _keep(self, comparison: Comparison) -> tuple[NDArray[np.bool_], list[str]]:
        """Which candidates are good enough, and why, in the order of candidates."""
        raise NotImplementedError

    def _fallback(self, scores: SplitScores, cv_results: Mapping[str, Any]) -> int:
        """The candidate to take if the rule keeps none."""
        return int(scores.order[0])

    def _preference(
        self, cv_results: Mapping[str, Any]
    ) -> tuple[list[tuple[Any, ...]], dict[str, Any]]:
        """A key for each candidate, the smallest the first choice, and columns of the report."""
        raise NotImplementedError

    def chosen_metric(self, cv_results: Mapping[str, Any]) -> str:
        """Metric of `cv_results` to choose by; ValueError if that is not clear."""
        metrics = metrics_of(cv_results)
        if self.metric is not None:
            return str(check_option("metric", self.metric, metrics))
        if not metrics:
            raise ValueError(
                "`cv_results` must contain a column mean_test_score or mean_test_<metric>; got "
                f"{shown_list(list(map(str, cv_results)))}."
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
