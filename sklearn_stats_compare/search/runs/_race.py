"""The plan of a race, whose statistics are in stats/_race.py."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils import check_random_state, indexable

from sklearn_stats_compare._sklearn_private import take_rows
from sklearn_stats_compare._utils._formatting import count, visible
from sklearn_stats_compare._utils._progress import Progress
from sklearn_stats_compare._utils._validation import check_option
from sklearn_stats_compare.comparison._labels import candidate_labels
from sklearn_stats_compare.comparison.readers._searches import inferior_in
from sklearn_stats_compare.predictions._predicted import are_large_values
from sklearn_stats_compare.predictions._responses import VALUES, by_metric, values_in_split
from sklearn_stats_compare.predictions._scorers import (
    is_of_scikit_learn,
    name_of_scorer,
    read_scorer,
)
from sklearn_stats_compare.search._selection import SelectionRule
from sklearn_stats_compare.search.ledger._ledger import Cell
from sklearn_stats_compare.search.runs import _plans
from sklearn_stats_compare.stats import _race
from sklearn_stats_compare.stats._sample_scores import type_of_values
from sklearn_stats_compare.stats._score_range import metric_range

if TYPE_CHECKING:
    from sklearn_stats_compare.search.runs._run import Run

_RANKS_PER_SPLIT = 2
"""The best candidate gets a second further split when the one two ranks below gets its first."""


class Race(_plans.Plan):
    """The plan of a race: a few splits at a time, for candidates that may still win.

    A worker that would wait for the last fits before an analysis takes a further split of a
    candidate that is likely to be left, the best so far first. An outcome of a candidate that is
    dropped meanwhile is kept in the ledger, and does not enter the results.

    Parameters
    ----------
    given : FitContext
        What ``fit`` was given, with the options of a race.

    Raises
    ------
    ValueError
        If `refit` is a callable other than a rule of this package, or several metrics are scored
        and neither `race_metric` nor `refit` names one.
    """

    def __init__(self, given: _plans.FitContext) -> None:
        self._given, self._options = given, given.options
        self._schedule: _race.Schedule
        self._by_samples = True
        self._rules: tuple[_race.SampleElimination | None, _race.SplitElimination] | None = None
        self._limit = given.limit
        self._metric: str | None = None
        self._state: _race.RaceState
        self.order: _plans.Chosen
        self._labels: Sequence[str] = ()
        self._demanded: set[Cell] | None = None  # without an outcome, before the next analysis
        self._n_analyses = 0
        refit, scoring = given.options.refit, given.options.scoring
        if callable(refit) and not isinstance(refit, SelectionRule):
            raise ValueError(
                "`refit` must be a metric's name, a bool or a rule such as "
                "Simplest('C') in a race, because another callable might choose a "
                f"candidate that was dropped; got {refit!r}."
            )
        # scikit-learn refuses a `refit` that several metrics do not allow, in its own words.
        if given.options.race_metric is not None or refit is False:
            # Now rather than after the first fit, where the names of metrics are known already.
            if isinstance(scoring, list | tuple | set | dict):
                self._metric_of(list(scoring))
            elif not callable(scoring):
                self._metric_of(["score"])

    is_adaptive = True

    def begin(self, run: Run) -> None:
        """Take all splits, and draw their order."""
        options = self._options
        if run.ledger.responses is not None:
            run.ledger.responses.runs_ahead = True
        n_splits = run.take(self._given.cv).size
        self.n_fits = int(np.count_nonzero(~run.ledger.ran))
        self._schedule = self._planned(run)
        # The standard errors of the race are those of a simple random sample of all splits, which
        # a random order within each repeat would not be: an effect that the splits of a repeat
        # share would then look like certainty.
        order = check_random_state(options.random_state).permutation(n_splits)
        # A number draws the same order in every process. Any other order is kept in the ledger.
        if not isinstance(options.random_state, int | np.integer):
            order = run.order(order)
        self.order = order
        self._labels = candidate_labels(run.candidates)  # of all, before any is dropped
        # A candidate that cannot catch up on these splits may still be the best on new data.
        hopeless = options.eliminate == "futility"
        self._state = _race.RaceState(
            len(run.candidates),
            n_splits,
            schedule=self._schedule,
            pvalues=partial(self._pvalues, run),
            alpha=self._level,
            tolerance=options.tolerance or 0.0,
            bounds=self._bounds(run.candidates) if hopeless else None,
            columns=order,
        )

    def keeps(self, run: Run) -> bool:
        """Whether looks take values of samples, or the user does."""
        return not (self._options.keeps_for_looks and self._why_not_samples(run))

    def cells(self, run: Run) -> Iterator[Cell]:
        """Those before the next look, then further ones of candidates that may be left."""
        self._settle(run)
        while self._state.demand is not None:
            analyses = self._n_analyses
            for cell in self._in_order(run):
                yield cell
                if analyses != self._n_analyses:  # an outcome came meanwhile
                    break
            else:
                return

    def n_ahead(self, run: Run, handed: Collection[Cell]) -> int:
        """Number of cells before the next analysis that are not handed out."""
        return sum(cell not in handed for cell in self._demanded or ())

    def take(self, run: Run, cell: Cell) -> None:
        """Analyse if all cells before the next analysis have outcomes."""
        if self._demanded is not None:
            self._demanded.discard(cell)
            if not self._demanded:
                self._settle(run)

    def end(self, run: Run, *, cut: bool) -> _plans.PlanResult:
        """Results of the splits that were raced."""
        state, order = self._state, self.order
        ran = run.ledger.ran
        result = state.result()
        n_run = state.n_splits_run
        columns: dict[str, Any] = {}
        if not n_run:  # `max_time` was over within the first splits
            n_left = int(np.count_nonzero(~ran))
            part = _plans.cut_short(run, order[:0], order, n_left, at_most=True)
            asked, partial, columns = part.asked, part.cut, part.columns
            order = np.zeros(1, dtype=np.intp)
        else:
            asked = np.zeros_like(ran)
            asked[:, order] = np.arange(order.size) < result.n_evaluated[:, np.newaxis]
            partial = None
            if n_run < order.size and result.alive.any():  # not where no candidate was left
                splits, left = np.sort(order[:n_run]), order[n_run:]
                n_left = int(run.ledger.lacks(np.flatnonzero(result.alive), left).sum())
                n_fits, n_full = int(result.n_evaluated.sum()), int(result.alive.sum()) * left.size
                partial = _plans.PartialResult(
                    splits, order.size, n_fits, n_fits + n_full, n_left, at_most=True
                )
                order = np.searchsorted(splits, order[:n_run])
        n_evaluated = result.n_evaluated if n_run else asked.sum(axis=1)
        columns |= {
            "n_splits_evaluated": n_evaluated,
            # A candidate was evaluated until it was dropped, so the two numbers are the same.
            "eliminated_at": np.where(result.alive, np.nan, result.n_evaluated),
            "elimination_pvalue": result.pvalue,
            "elimination": self._reasons(result, run.ledger.metrics()),
        }
        attributes = {
            "race_metric_": self._metric,
            "race_order_": order,
            "race_labels_": self._labels,
            "race_history_": _history(result, self._labels),
            "n_fits_": int(n_evaluated.sum()),
            "n_fits_full_": len(run.candidates) * order.size,
            "n_fits_speculative_": run.n_made_besides(asked),
        }
        return _plans.PlanResult(asked, columns, attributes, partial)

    def _planned(self, run: Run) -> _race.Schedule:
        """When to look, and in `_by_samples` whether at samples or at the scores of splits."""
        n_splits, interim = run.n_splits, self._options.interim
        why = self._why_not_samples(run)
        self._by_samples = not why
        if why and interim == "samples":
            raise ValueError(
                f'`interim` must be "splits" or "auto" for this search, because {why}; got '
                '"samples".'
            )
        if not why:
            return _race.Schedule.by_samples(n_splits)
        try:
            return _race.Schedule.of(n_splits)
        except ValueError as error:
            samples = f"It cannot look at samples here: {why}."
            if interim == "splits":
                samples = f'interim="samples" needs {_race.FEWEST_SPLITS_BY_SAMPLES}.'
            raise ValueError(f"{error} {samples}") from None

    def _why_not_samples(self, run: Run) -> str:
        """Why it must look at the scores of splits; empty if it can look at values of samples."""
        given, options = self._given, self._options
        if options.interim == "splits":
            return '`interim` is "splits"'
        scorers = by_metric(given.scorers())
        names = list(scorers)
        with suppress(ValueError):  # the metric of the race is known after the first fit
            names = [self._metric_of(names)]
        for name in names:
            reading = read_scorer(scorers[name], options.estimator)
            if reading.how == "none":
                return f"{name} has no values of samples: {reading.reason}"
        if run.groups is not None:
            return "samples of one group are not independent"
        assert run.design is not None
        n_tested = int(run.design.n_test.sum())
        if (
            options.interim == "auto"
            and options.keeps_for_looks
            and are_large_values(len(scorers), len(run.candidates), n_tested)
        ):
            return "their values would take more than 1 GB"
        return ""

    def _pvalues(self, run: Run, look: _race.Look) -> NDArray[np.float64]:
        # All failed, so that no metric has a name, unless a fit ahead of this look gave it one.
        looked_at = np.ix_(look.rows, self.order[look.positions])
        if run.ledger.fit_failed[looked_at].all():
            return np.ones(look.rows.size)
        if self._rules is None:
            self._rules = self._rules_of(run, self._metric or "score")
        by_samples, by_splits = self._rules
        if by_samples is None:
            return by_splits.pvalues(look)
        try:
            return by_samples.pvalues(look)
        except ValueError:
            if self._options.interim == "samples":
                raise
            return by_splits.pvalues(look)  # some values of samples were not kept

    def _rules_of(
        self, run: Run, metric: str
    ) -> tuple[_race.SampleElimination | None, _race.SplitElimination]:
        options, order, m = self._options, self.order, len(run.candidates)
        assert run.design is not None
        assert options.strategy is not None
        ratio = run.design.overlap_ratio if options.eliminate == "inferiority" else None
        by_splits = _race.SplitElimination(m, options.strategy, ratio)
        if not self._by_samples:
            return None, by_splits
        reading = read_scorer(by_metric(self._given.scorers())[metric], options.estimator)
        (y,) = indexable(self._given.y)  # as `BaseSearchCV.fit` makes it
        kept = run.ledger.responses
        assert kept is not None
        tests = kept.tests

        def values(candidate: int, position: int) -> NDArray[np.floating]:
            split = int(order[position])
            responses = run.ledger.responses
            assert responses is not None
            score = float(run.ledger.scores([candidate], [split], metric)[0, 0])
            cell = responses.arrays(candidate, split)
            if VALUES + metric in cell:
                return cell[VALUES + metric]
            try:
                y_test = take_rows(y, tests[split])
                found, _ = values_in_split(reading, cell, y_test, score, None, metric)
            except ValueError:
                if cell:
                    raise
                return np.full(tests[split].size, score)  # `error_score`
            # As fits keep them: a ledger may have values of some and predictions of others.
            return found.astype(type_of_values(found, single=True))

        in_order = [tests[j] for j in order]
        return _race.SampleElimination(values, in_order, m, options.strategy, ratio), by_splits

    def _settle(self, run: Run) -> None:
        """Analyse as long as all cells before the next analysis have outcomes."""
        while (demand := self._state.demand) is not None:
            rows, positions = demand
            columns = self.order[positions]
            lacks = run.ledger.lacks(rows, columns)
            self._demanded = {
                (int(rows[i]), int(columns[j])) for i, j in np.argwhere(lacks).tolist()
            }
            if self._demanded:
                break
            self._n_analyses += 1
            scores = self._scores(run, rows, columns)
            step = self._state.advance(scores, partial(self._is_over, run, rows))
            if step is not None:
                _report_step(run.progress, step, self.order.size, self._labels)

    def _in_order(self, run: Run) -> Iterator[Cell]:
        """Cells before the next look, then further ones of the candidates that are best so far."""
        assert self._state.demand is not None
        rows, positions = self._state.demand
        raises = self._options.error_score == "raise"  # what decides nothing must not end a race
        n_certain = int(positions[-1]) + 1 if raises else self._state.next_look
        for column in self.order[positions[0] : n_certain].tolist():
            for row in rows.tolist():
                yield row, column
        if raises:
            return
        # Not before a worker asks for one: by then most of the cells above have outcomes.
        with np.errstate(over="ignore", invalid="ignore"):
            scores = np.ma.masked_invalid(self._scores(run, rows, self.order))
            above = (scores - scores.mean(axis=0)).mean(axis=1).filled(-np.inf)
        best = rows[np.argsort(-above, kind="stable")[: self._state.n_expected]]
        further = self.order[n_certain:]
        late = np.add.outer(np.arange(best.size), _RANKS_PER_SPLIT * np.arange(further.size))
        i, j = np.unravel_index(np.argsort(late, axis=None, kind="stable"), late.shape)
        yield from zip(best[i].tolist(), further[j].tolist(), strict=True)

    def _scores(self, run: Run, rows: _plans.Chosen, columns: _plans.Chosen) -> NDArray[np.float64]:
        metrics = run.ledger.metrics()
        if not metrics:  # all fits failed so far
            return np.full((rows.size, columns.size), float(self._options.error_score))
        self._metric = self._metric or self._metric_of(metrics)
        return run.ledger.scores(rows, columns, self._metric)

    def _is_over(self, run: Run, rows: _plans.Chosen, n: int) -> bool:
        following = self.order[n : n + self._schedule.block]
        return self._limit.refuses() and bool(run.ledger.lacks(rows, following).any())

    def _reasons(self, result: _race.RaceResult, metrics: list[str]) -> NDArray[np.object_]:
        """Why each candidate was dropped, in words that `survivors` reads; "" if it was not."""
        reason = _race.ELIMINATE[self._options.eliminate or "futility"]
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
        return alpha / 2 if self._options.eliminate == "inferiority" else alpha

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
        name, error_score = name_of_scorer(scoring), self._options.error_score
        bounds = metric_range(name if is_of_scikit_learn(name) else "")
        if np.isinf(bounds).any():
            return None
        # A failed fit has `error_score`, which may lie outside the range of the metric.
        if error_score == "raise" or np.isnan(error_score):
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


def _report_step(
    progress: Progress, step: _race.RaceStep, n_splits: int, labels: Sequence[str]
) -> None:
    progress.expect(step.n_alive * (n_splits - step.n_splits))
    if not progress.shown:
        return
    leader = "" if step.leader is None else f", leader {visible(labels[step.leader])}"
    progress.say(
        f"[race] after {step.n_splits} of {n_splits} splits: {step.dropped.size} dropped, "
        f"{count(step.n_alive, 'candidate')} left{leader}"
    )


def _history(result: _race.RaceResult, labels: Sequence[str]) -> pd.DataFrame:
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
