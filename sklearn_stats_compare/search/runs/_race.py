"""Race: a search that stops fitting candidates that can no longer win."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils import check_random_state

from sklearn_stats_compare._utils._formatting import count, visible
from sklearn_stats_compare._utils._validation import check_option
from sklearn_stats_compare.comparison._labels import candidate_labels
from sklearn_stats_compare.comparison.readers._searches import inferior_in
from sklearn_stats_compare.predictions._predicted import ValuesOfCells, are_large_values
from sklearn_stats_compare.predictions._recording import by_metric
from sklearn_stats_compare.search._selection import SelectionRule
from sklearn_stats_compare.search.runs._plans import Chosen, Given, PlanResult, PlanRun, count_new
from sklearn_stats_compare.search.runs._racing import (
    Elimination,
    Look,
    RaceResult,
    RaceStep,
    SampleElimination,
    Schedule,
    SplitElimination,
    race,
)
from sklearn_stats_compare.search.runs._settings import Cut, Looked, Progress

# Scorers whose lowest and highest score are known, by the beginning of their names: in addition to
# f1 and roc_auc, scikit-learn has f1_macro, roc_auc_ovr and so on.
_BOUNDS: dict[tuple[str, ...], tuple[float, float]] = {
    ("accuracy", "balanced_accuracy", "top_k_accuracy", "average_precision"): (0.0, 1.0),
    ("f1", "precision", "recall", "jaccard", "roc_auc"): (0.0, 1.0),
    ("matthews_corrcoef",): (-1.0, 1.0),
}


class Race:
    """The plan of a race: a block of splits at a time, for candidates that may still win.

    Parameters
    ----------
    given : Given
        What ``fit`` was given, with the options of a race.

    Raises
    ------
    ValueError
        If `refit` is a callable other than a rule of this package, or several metrics are scored
        and neither `race_metric` nor `refit` names one.
    """

    looked: Looked | None = None
    rows: NDArray[np.intp] | None = None
    settings: Mapping[str, Any] | None = None

    def __init__(self, given: Given) -> None:
        self._given, self._options = given, given.options
        self._looks: Looks
        self._cv = given.cv
        self._limit = given.limit
        self._block = 0
        self._metric: str | None = None
        self.n_fits = 0
        refit, scoring = given.options.refit, given.options.scoring
        if callable(refit) and not isinstance(refit, SelectionRule):
            raise ValueError(
                "`refit` must be a metric's name, a bool or a rule such as "
                "SimplestPossiblyBest('C') in a race, because another callable might choose a "
                f"candidate that was dropped; got {refit!r}."
            )
        # scikit-learn refuses a `refit` that several metrics do not allow, in its own words.
        if given.options.race_metric is not None or refit is False:
            # Now rather than after the first block, where the names of metrics are known already.
            if isinstance(scoring, list | tuple | set | dict):
                self._metric_of(list(scoring))
            elif not callable(scoring):
                self._metric_of(["score"])

    def size(self, run: PlanRun) -> tuple[int, int, int | None]:
        """All candidates on all splits, if none is dropped."""
        return len(run.candidates), len(run.split_keys), None

    def begin(self, run: PlanRun) -> int:
        """Take all splits; a block has a sixth of them or fewer, or one for looks at samples."""
        n_splits = run.take(self._cv).size
        # `run` fits a candidate on a whole block where it lacks any split of it.
        self.n_fits = int((~run.ledger.complete).sum()) * n_splits
        self._looks = Looks(self._given, run)
        if self._options.keeps_for_looks and not self._looks.at_samples:
            run.ledger = run.ledger.without_responses()
        self._block = self._looks.schedule.block
        return self._block

    def evaluate(self, run: PlanRun) -> PlanResult:
        """Race to the end."""
        options = self._options
        assert run.design is not None
        # The standard errors of the race are those of a simple random sample of all splits, which
        # a random order within each repeat would not be: an effect that the splits of a repeat
        # share would then look like certainty.
        order = check_random_state(options.random_state).permutation(run.design.n_splits)
        # A number draws the same order in every process. Any other order is kept in the ledger.
        if not isinstance(options.random_state, int | np.integer):
            order = run.order(order)
        # A candidate that cannot catch up on these splits may still be the best on new data.
        hopeless = options.eliminate == "hopeless"
        bounds = self._bounds(run.candidates) if hopeless else None
        labels = candidate_labels(run.candidates)  # of all, before any is dropped

        def scores(rows: NDArray[np.intp], positions: NDArray[np.intp]) -> NDArray[np.float64]:
            n_new = count_new(run, rows, order[positions])
            run.run(rows, order[positions])
            self._limit.add(n_new)
            # All fits failed so far: scikit-learn returned nothing, not even the names of metrics.
            if not run.ledger.n_ran:
                return np.full((rows.size, positions.size), float(options.error_score))
            self._metric = self._metric or self._metric_of(run.ledger.metrics())
            return run.ledger.scores(rows, order[positions], self._metric)

        def is_refused(rows: NDArray[np.intp], n: int) -> bool:
            lacks = run.ledger.lacks(rows, order[n : n + self._block])
            return self._limit.refuses(int(lacks.sum()))

        if is_refused(np.arange(len(run.candidates)), 0):
            raise self._limit.too_short()
        result = race(
            scores,
            len(run.candidates),
            order.size,
            schedule=self._looks.schedule,
            elimination=_Deferred(lambda: self._looks.elimination(order, self._metric or "score")),
            alpha=self._level,
            tolerance=options.tolerance or 0.0,
            bounds=bounds,
            columns=order,
            is_over=is_refused,
            after_step=lambda step: _report_step(run.progress, step, order.size, labels),
        )
        n_run = result.steps[-1].n_splits
        cut: Cut | None = None
        if n_run < order.size and result.alive.any():  # not where no candidate was left
            splits, left = np.sort(order[:n_run]), order[n_run:]
            n_left = int(run.ledger.lacks(np.flatnonzero(result.alive), left).sum())
            n_fits, n_full = int(result.n_evaluated.sum()), int(result.alive.sum()) * left.size
            cut = Cut(splits, order.size, n_fits, n_fits + n_full, n_left, at_most=True)
            order = np.searchsorted(splits, order[:n_run])
        columns = {
            "n_splits_evaluated": result.n_evaluated,
            # A candidate was evaluated until it was dropped, so the two numbers are the same.
            "eliminated_at": np.where(result.alive, np.nan, result.n_evaluated),
            "elimination_pvalue": result.pvalue,
            "elimination": self._reasons(result, run.ledger.metrics()),
        }
        attributes = {
            "race_metric_": self._metric,
            "race_order_": order,
            "race_labels_": labels,
            "race_history_": _history(result, labels),
            "n_fits_": int(result.n_evaluated.sum()),
            "n_fits_full_": len(run.candidates) * order.size,
        }
        return PlanResult(columns, attributes, cut)

    def _reasons(self, result: RaceResult, metrics: list[str]) -> NDArray[np.object_]:
        """Why each candidate was dropped, in words that `survivors` reads; "" if it was not."""
        reason: str = self._options.eliminate or "hopeless"
        if reason == "inferior":
            metric = "score" if len(metrics) < 2 else str(self._metric)
            # With a tolerance, a candidate that is dropped may be better by less than that.
            reason = "not superior" if self._options.tolerance else inferior_in(metric)
        failed = np.isnan(result.pvalue)
        found = np.where(result.alive, "", np.where(failed, "failed", reason))
        return found.astype(object)  # as pandas reads it from a CSV file

    @property
    def _level(self) -> float:
        """The level of the race: half of alpha where the sets of the best need the rest."""
        alpha = float(self._options.settings["alpha"])
        return alpha / 2 if self._options.eliminate == "inferior" else alpha

    def _metric_of(self, metrics: list[str]) -> str:
        refit, named = self._options.refit, self._options.race_metric
        if named is not None:
            if metrics == ["score"] and named == self._options.scoring:
                return "score"
            return str(check_option("race_metric", named, metrics))
        if len(metrics) == 1:
            return metrics[0]
        chosen = refit.metric if isinstance(refit, SelectionRule) else refit
        if isinstance(chosen, str) and chosen in metrics:
            return chosen
        raise ValueError(
            f"`race_metric` must be one of {', '.join(metrics)} if `refit` does not name a "
            f"metric; got {named!r}."
        )

    def _bounds(self, candidates: Sequence[dict[str, Any]]) -> tuple[float, float] | None:
        """Lowest and highest score of the metric, if known from the scorer's name."""
        scoring: Any = self._options.scoring
        if isinstance(scoring, list | tuple | set):
            scoring = self._metric_of(list(scoring))
        elif isinstance(scoring, dict):
            scoring = scoring[self._metric_of(list(scoring))]
        # Without `scoring` scikit-learn calls the estimator's `score`.
        if scoring is None and self._scores_by_accuracy(candidates):
            scoring = "accuracy"
        if not isinstance(scoring, str):
            return None
        bounds = next((b for names, b in _BOUNDS.items() if scoring.startswith(names)), None)
        error_score = self._options.error_score
        # A failed fit has `error_score`, which may lie outside the range of the metric.
        if bounds is None or error_score == "raise" or np.isnan(error_score):
            return bounds
        return min(bounds[0], error_score), max(bounds[1], error_score)

    def _scores_by_accuracy(self, candidates: Sequence[dict[str, Any]]) -> bool:
        """Whether the score of the estimator, or of a pipeline's last step, is a classifier's."""
        estimator: Any = self._options.estimator
        while hasattr(estimator, "steps"):
            estimator = estimator.steps[-1][1]
            if any(hasattr(value, "fit") for params in candidates for value in params.values()):
                return False  # a step may be another one in some candidate
        # A class may have a `score` of its own, whose range is unknown.
        return getattr(type(estimator), "score", None) is ClassifierMixin.score


class _Deferred:
    """A rule that is made at the first look, when the names of the metrics are known."""

    def __init__(self, make: Callable[[], Elimination]) -> None:
        self._make = make
        self._made: Elimination | None = None

    def pvalues(self, look: Look) -> NDArray[np.float64]:
        self._made = self._made or self._make()
        return self._made.pvalues(look)


def _report_step(progress: Progress, step: RaceStep, n_splits: int, labels: Sequence[str]) -> None:
    leader = "" if step.leader is None else f", leader {visible(labels[step.leader])}"
    text = (
        f"[race] after {step.n_splits} of {n_splits} splits: {step.dropped.size} dropped, "
        f"{count(step.n_alive, 'candidate')} left{leader}"
    )
    progress.expect(step.n_alive * (n_splits - step.n_splits))
    progress.say(text)


def _history(result: RaceResult, labels: Sequence[str]) -> pd.DataFrame:
    steps = result.steps
    return pd.DataFrame(
        {
            # Int64 has <NA> for the finish, which is no look; int64 has none.
            "look": pd.array([step.look for step in steps], dtype="Int64"),
            "n_splits": [step.n_splits for step in steps],
            "alive": [step.n_alive for step in steps],
            "dropped": [step.dropped.size for step in steps],
            "leader": [None if step.leader is None else labels[step.leader] for step in steps],
            "n_fits": [step.n_fits for step in steps],
        }
    )


def why_not_samples(given: Given, run: PlanRun) -> str:
    """Why a race must look at the scores of splits; empty if it can look at values of samples."""
    options = given.options
    if options.look == "splits":
        return '`look` is "splits"'
    scorers = by_metric(given.scorers())
    readings = {
        name: ValuesOfCells(scorer, options.estimator, name, given.y)
        for name, scorer in scorers.items()
    }
    raced = _raced(given, scorers)
    for name in [raced] if raced is not None else scorers:
        if readings[name].reason:
            return f"{name} has no values of samples: {readings[name].reason}"
    if run.groups is not None:
        return "samples of one group are not independent"
    assert run.design is not None
    n_tested = int(run.design.n_test.sum())
    if (
        options.look == "auto"
        and options.keeps_for_looks
        and are_large_values(len(scorers), len(run.candidates), n_tested)
    ):
        return "their values would take more than 1 GB"
    return ""


def _raced(given: Given, scorers: Mapping[str, Any]) -> str | None:
    """The metric of the race, if its name is known before the first block."""
    if len(scorers) == 1:
        return next(iter(scorers))
    named = given.options.race_metric or given.options.refit
    named = getattr(named, "metric", named)
    return named if isinstance(named, str) and named in scorers else None


@dataclass(eq=False)
class Looks:
    """Schedule and rule of a race.

    Parameters
    ----------
    given : Given
        What ``fit`` was given.
    run : PlanRun
        The run, whose splits are known.
    """

    given: Given
    run: PlanRun

    def __post_init__(self) -> None:
        n_splits = len(self.run.split_keys)
        why = why_not_samples(self.given, self.run)
        self.at_samples = not why
        if why and self.given.options.look == "samples":
            raise ValueError(
                f'`look` must be "splits" or "auto" for this search, because {why}; got "samples".'
            )
        if self.at_samples:
            self.schedule = Schedule.by_samples(n_splits)
            return
        try:
            self.schedule = Schedule.of(n_splits)
        except ValueError as error:
            if self.given.options.look == "splits":
                raise
            raise ValueError(f"{error} It cannot look at samples here: {why}.") from None

    def elimination(self, order: Chosen, metric: str) -> Elimination:
        """The rule for a metric, with splits in the order of the race."""
        options, run = self.given.options, self.run
        n_candidates = len(run.candidates)
        assert run.design is not None
        assert options.strategy is not None
        ratio = run.design.overlap_ratio if options.eliminate == "inferior" else None
        by_splits = SplitElimination(n_candidates, options.strategy, ratio)
        if not self.at_samples:
            return by_splits
        scorers = by_metric(self.given.scorers())
        values = ValuesOfCells(scorers[metric], options.estimator, metric, self.given.y)

        def of_cell(candidate: int, position: int) -> NDArray[np.floating]:
            split = int(order[position])
            if not run.ledger.n_ran:  # all fits failed, and no metric has a name yet
                return np.full(tests[split].size, float(options.error_score))
            responses = run.ledger.responses
            assert responses is not None
            score = float(run.ledger.scores([candidate], [split], metric)[0, 0])
            try:
                return values.of(responses, candidate, split, score)
            except ValueError:
                if not run.ledger.failed[candidate, split]:
                    raise
                return np.full(tests[split].size, score)  # `error_score`

        kept = run.ledger.responses
        assert kept is not None
        tests = kept.tests
        by_samples = SampleElimination(
            of_cell, [tests[j] for j in order], n_candidates, options.strategy, ratio
        )
        return by_samples if options.look == "samples" else _WithFallback(by_samples, by_splits)


@dataclass(frozen=True)
class _WithFallback:
    """Looks at the scores of splits where some values of samples were not kept."""

    by_samples: SampleElimination
    by_splits: SplitElimination

    def pvalues(self, look: Look) -> NDArray[np.float64]:
        try:
            return self.by_samples.pvalues(look)
        except ValueError:
            return self.by_splits.pvalues(look)
