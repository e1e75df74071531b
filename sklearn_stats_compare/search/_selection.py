"""Rules for ``refit=``: which candidate to deploy, the simplest of those that will do."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._messages import check_option, check_probability
from sklearn_stats_compare.comparison import (
    Comparison,
    metrics_of,
    split_scores,
    survivors,
    warn_of_survivors,
)
from sklearn_stats_compare.stats import (
    PairedTTests,
    SplitDesign,
    possibly_best_pvalues,
    rope_probabilities,
)


@dataclass(frozen=True)
class SelectionRule:
    """A rule that keeps the candidates that will do and takes the simplest of them.

    A rule is called by a search with ``cv_results_`` and returns the index of the candidate to
    refit, so it can stand as ``refit=`` in any of scikit-learn's searches. In the searches of this
    package it reads the recorded split sizes and the metric; in others it must be given
    `test_train_ratio`.

    Parameters
    ----------
    complexity : str, sequence of str, mapping or callable
        What makes a candidate complex, in order of importance: a parameter's name, several, or a
        mapping of names to "ascending" (larger is more complex, the default) or "descending"; a
        numeric column of ``cv_results_`` such as ``"mean_score_time"``; or a function of a
        candidate's parameters that returns something that can be ordered.
    metric : str, optional
        Metric to choose by, for a search that scored several. Default: the only one.
    test_train_ratio : float, optional
        Σ n_test / Σ n_train of the splits, > 0, for searches that do not record it: 1/(k − 1) for
        k-fold cross-validation, repeated or not; n_test/(n − n_test) where splits use only a part
        of n samples.
    """

    complexity: Any
    metric: str | None = field(default=None, kw_only=True)
    test_train_ratio: float | None = field(default=None, kw_only=True)

    _reads_sizes: ClassVar[bool] = True

    def __call__(self, cv_results: Mapping[str, Any]) -> int:
        """Index of the candidate to deploy, for a search without recorded sizes."""
        metric = self.chosen_metric(cv_results)
        n_splits = sum(key.startswith("split") and key.endswith(f"_test_{metric}")
                       for key in cv_results)  # fmt: skip
        return self.choose(cv_results, metric, self._design(n_splits))[0]

    def choose(
        self, cv_results: Mapping[str, Any], metric: str, design: SplitDesign
    ) -> tuple[int, pd.DataFrame]:
        """Index of the chosen candidate, and a report on all of them.

        The report has a row per candidate, in rank order, indexed by candidate, with the columns
        ``label``, ``mean``, ``kept`` (whether it will do), ``why``, ``complexity``, ``chosen``.
        After a race it chooses among the survivors, with a warning.
        """
        finished, told = survivors(cv_results)
        comparison = Comparison(
            split_scores(cv_results, metric, design), params=cv_results["params"], warn=False
        )
        scores = comparison.scores
        if not scores.n_available:
            raise ValueError(
                f"{type(self).__name__} cannot choose: every candidate failed on some split."
            )
        order = scores.order
        keep, why = self._keep(comparison)
        keep = np.asarray(keep) & ~scores.missing
        keep[order[0]] = True  # the leader will always do
        keys = _complexity_keys(self.complexity, cv_results)
        rank = np.empty(len(order), dtype=int)
        rank[order] = np.arange(len(order))
        # Ties fall to the better mean, then to the lower index: together, to the better rank.
        chosen = min(np.flatnonzero(keep), key=lambda i: (keys[i], rank[i]))
        absent = _why_absent(cv_results, len(order))
        if told:
            why = [f"among those compared: {words}" for words in why]
        warn_of_survivors(
            told.get("n_entered"), len(finished), f"The choice of {type(self).__name__}"
        )
        report = pd.DataFrame(
            {
                "label": comparison.ranking["label"].to_numpy(),
                "mean": scores.means[order],
                "kept": keep[order],
                "why": [absent[i] if scores.missing[i] else why[i] for i in order],
                "complexity": [_shown(keys[i]) for i in order],
                "chosen": order == chosen,
            },
            index=pd.Index(order, name="candidate"),
        )
        return int(chosen), report

    def _keep(self, comparison: Comparison) -> tuple[NDArray[np.bool_], list[str]]:
        """Which candidates will do, and a few words on each, in the order of candidates."""
        raise NotImplementedError

    def chosen_metric(self, cv_results: Mapping[str, Any]) -> str:
        """Metric of `cv_results` to choose by; ValueError where that is not clear."""
        metrics = metrics_of(cv_results)
        if self.metric is not None:
            return str(check_option("metric", self.metric, metrics))
        if len(metrics) > 1:
            raise ValueError(
                f"`metric` must name one of {', '.join(metrics)}, because the search scored "
                "several; got None."
            )
        return metrics[0]

    def _design(self, n_splits: int) -> SplitDesign:
        ratio = self.test_train_ratio
        if ratio is None and not self._reads_sizes:
            ratio = 1.0
        if ratio is None:
            raise ValueError(
                "`test_train_ratio` must be given, Σ n_test / Σ n_train of the splits, because "
                "this search does not record it: 1/(k - 1) for k-fold. StatisticalGridSearchCV "
                "and StatisticalRandomizedSearchCV record it."
            )
        return SplitDesign.from_ratio(ratio, n_splits)


@dataclass(frozen=True)
class SimplestPossiblyBest(SelectionRule):
    """Take the simplest candidate that may be the best.

    A given true best is among the candidates it chooses from with probability at least 1 − alpha.
    After a race that holds for its survivors alone, and a warning says so.

    Parameters
    ----------
    complexity : str, sequence of str, mapping or callable
        As for `SelectionRule`.
    metric : str, optional
        As for `SelectionRule`.
    test_train_ratio : float, optional
        As for `SelectionRule`.
    alpha : float, default=0.05
        Level of the possibly-best set, in (0, 1); see `Comparison.possibly_best`.
    """

    alpha: float = 0.05

    def _keep(self, comparison: Comparison) -> tuple[NDArray[np.bool_], list[str]]:
        alpha = check_probability("alpha", self.alpha)
        p = possibly_best_pvalues(comparison.scores)
        return p >= alpha, [f"p against being the best {value:.3g}" for value in p]


@dataclass(frozen=True)
class SimplestWithinOneStandardError(SelectionRule):
    """Take the simplest candidate whose mean is within one standard error of the leader's.

    The standard error is the corrected one of the paired difference between leader and candidate.
    This is a heuristic for parsimony, not a test: it states no error rate. The common form, which
    takes std/√J of the leader's scores, is so narrow that it nearly always returns the leader.

    After a race it chooses among the survivors alone, and a warning says so.

    Parameters
    ----------
    complexity : str, sequence of str, mapping or callable
        As for `SelectionRule`.
    metric : str, optional
        As for `SelectionRule`.
    test_train_ratio : float, optional
        As for `SelectionRule`.
    """

    def _keep(self, comparison: Comparison) -> tuple[NDArray[np.bool_], list[str]]:
        tests = _against_all(comparison)
        with np.errstate(invalid="ignore"):
            keep = tests.mean_diff <= tests.std_err
        return keep, [
            f"behind by {d:.3g}, standard error {s:.3g}"
            for d, s in zip(tests.mean_diff, tests.std_err, strict=True)
        ]


@dataclass(frozen=True)
class SimplestNotPracticallyWorse(SelectionRule):
    """Take the simplest candidate that is not probably worse than the leader by more than a ROPE.

    After a race it chooses among the survivors alone, and a warning says so.

    Parameters
    ----------
    complexity : str, sequence of str, mapping or callable
        As for `SelectionRule`.
    metric : str, optional
        As for `SelectionRule`.
    test_train_ratio : float, optional
        As for `SelectionRule`.
    rope : float
        Half-width, ≥ 0, in score units: a loss up to this does not matter.
    probability : float, default=0.95
        A candidate is dropped when it is worse than the leader by more than `rope` with at least
        this posterior probability, in (0, 1).
    """

    rope: float
    probability: float = 0.95

    def _keep(self, comparison: Comparison) -> tuple[NDArray[np.bool_], list[str]]:
        if not isinstance(self.rope, Real) or isinstance(self.rope, bool) or not self.rope >= 0:
            raise ValueError(f"`rope` must be a half-width ≥ 0; got {self.rope!r}.")
        probability = check_probability("probability", self.probability)
        tests = _against_all(comparison)
        bounds = (-float(self.rope), float(self.rope))
        worse = rope_probabilities(tests.mean_diff, tests.std_err, tests.df, bounds).better
        return ~(worse >= probability), [f"P(worse by more than the ROPE) {p:.3g}" for p in worse]


@dataclass(frozen=True)
class SimplestWithinPercentLoss(SelectionRule):
    """Take the simplest candidate whose mean is within some per cent of the leader's.

    A rule of thumb that looks at means alone; it states no error rate.

    After a race it chooses among the survivors alone, and a warning says so.

    Parameters
    ----------
    complexity : str, sequence of str, mapping or callable
        As for `SelectionRule`.
    metric : str, optional
        As for `SelectionRule`.
    test_train_ratio : float, optional
        As for `SelectionRule`.
    percent : float
        Loss that is tolerated, ≥ 0, in per cent of the leader's mean without its sign.

    Raises
    ------
    ValueError
        When called, if scores of both signs, or a leader's mean of 0, make a percentage
        meaningless.
    """

    percent: float

    _reads_sizes: ClassVar[bool] = False

    def _keep(self, comparison: Comparison) -> tuple[NDArray[np.bool_], list[str]]:
        if not isinstance(self.percent, Real) or not 0 <= self.percent < np.inf:
            raise ValueError(f"`percent` must be a number ≥ 0; got {self.percent!r}.")
        means = comparison.scores.means
        known = means[~comparison.scores.missing]
        best = known.max()
        if best == 0 or (known.min() < 0 < best):
            raise ValueError(
                "A percentage of the leader's mean has no meaning where means are 0 or of both "
                f"signs; they go from {known.min():.4g} to {best:.4g}. Use "
                "SimplestNotPracticallyWorse with a `rope` in score units."
            )
        loss = 100 * (best - means) / abs(best)
        with np.errstate(invalid="ignore"):
            return loss <= self.percent, [f"loss {value:.3g} %" for value in loss]


def _against_all(comparison: Comparison) -> PairedTTests:
    """The leader minus every candidate, itself included, in the order of candidates."""
    scores = comparison.scores
    return PairedTTests.against(scores, int(scores.order[0]), np.arange(scores.n_candidates))


def _complexity_keys(complexity: Any, cv_results: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """A key for each candidate that sorts by complexity, the simplest first."""
    params: Sequence[Mapping[str, Any]] = cv_results["params"]
    if callable(complexity):
        return _orderable([(complexity(candidate),) for candidate in params], "complexity")
    if isinstance(complexity, str):
        directions = {complexity: "ascending"}
    elif isinstance(complexity, Mapping):
        directions = dict(complexity)
    elif isinstance(complexity, Sequence) and complexity:
        directions = dict.fromkeys(complexity, "ascending")
    else:
        raise ValueError(
            "`complexity` must be a parameter's name, several, a mapping of names to 'ascending' "
            f"or 'descending', a column of cv_results_, or a function; got {complexity!r}."
        )
    columns = []
    for name, direction in directions.items():
        check_option(f"complexity[{name!r}]", direction, ("ascending", "descending"))
        columns.append(_column(name, direction, cv_results))
    return _orderable(list(zip(*columns, strict=True)), ", ".join(map(str, directions)))


def _column(name: Any, direction: str, cv_results: Mapping[str, Any]) -> list[Any]:
    params = cv_results["params"]
    names = sorted({key for candidate in params for key in candidate})
    if name in names:
        lacking = [i for i, candidate in enumerate(params) if name not in candidate]
        if lacking:
            raise ValueError(
                f"`complexity` names {name!r}, which candidate {lacking[0]} does not have; give a "
                "function of the parameters."
            )
        values = [candidate[name] for candidate in params]
    elif name in cv_results and np.asarray(cv_results[name]).dtype.kind in "iuf":
        values = np.asarray(cv_results[name]).tolist()
    else:
        raise ValueError(
            f"`complexity` must name a parameter, one of {', '.join(names)}, or a numeric column "
            f"of cv_results_; got {name!r}."
        )
    if direction == "ascending":
        return values
    if not all(isinstance(value, Real) for value in values):
        raise ValueError(
            f"`complexity` can be descending in numbers only, and {name!r} has other values; give "
            "a function of the parameters."
        )
    return [-value for value in values]


def _orderable(keys: list[tuple[Any, ...]], what: str) -> list[tuple[Any, ...]]:
    try:
        sorted(keys)
    except (TypeError, ValueError):
        raise ValueError(
            f"`complexity` must be something that can be ordered, and the values of {what} cannot "
            f"be: {', '.join(sorted({type(v).__name__ for key in keys for v in key}))}. Give a "
            "function of the parameters that returns numbers."
        ) from None
    return keys


def _shown(key: tuple[Any, ...]) -> Any:
    return key[0] if len(key) == 1 else key


def _why_absent(cv_results: Mapping[str, Any], n_candidates: int) -> list[str]:
    """Why a candidate without a score on every split has none: dropped, left out, or failed."""
    at = np.asarray(cv_results.get("eliminated_at", np.full(n_candidates, np.nan)))
    pvalue = np.asarray(cv_results.get("elimination_pvalue", np.full(n_candidates, np.nan)))
    evaluated = np.asarray(cv_results.get("n_splits_evaluated", np.zeros(n_candidates)))
    left_out = np.isnan(at) & (evaluated < evaluated.max())
    return [
        f"dropped in the race after {n:.0f} splits"
        if p == p
        else ("left out of the last splits" if left else "failed on some split")
        for n, p, left in zip(at, pvalue, left_out, strict=True)
    ]
