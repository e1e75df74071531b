"""What a race looks at: the values of samples, or the scores of splits."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare.predictions import ValuesOfCells, are_large_values, by_metric
from sklearn_stats_compare.search.runs._plan import Chosen, Given, PlanRun
from sklearn_stats_compare.stats import (
    Elimination,
    Look,
    SampleElimination,
    Schedule,
    SplitElimination,
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
