"""NestedFits: the outer fits of a nested cross-validation, in one parallel pool and a ledger."""

import time
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from joblib import effective_n_jobs
from sklearn.exceptions import FitFailedWarning
from sklearn.utils.parallel import Parallel, delayed

from sklearn_stats_compare._messages import count, outside_level
from sklearn_stats_compare.evaluation._model_fits import Outcome, outcome_of
from sklearn_stats_compare.evaluation._procedures import (
    choice_of,
    for_one_split,
    params_of_fit,
)
from sklearn_stats_compare.search import FinishedFit, OuterLedger, Progress

Cell = tuple[int, int]
"""Procedure and split."""


@dataclass(eq=False)
class NestedFits:
    """Fits procedures on outer splits, and remembers what they chose.

    Attributes
    ----------
    X, y, params, groups : object
        As `nested_score` was given.
    n_jobs, pre_dispatch : object
        For the pool of outer fits.
    verbose : int
        From 1 on, a progress line.
    ledger : OuterLedger or None
        The finished fits.
    further : sequence of (train, test)
        Splits after the outer ones, on which fits are needed too.
    seconds : dict
        How long each fit took.
    arrays : dict
        What each fit left: values of the test samples, and its choice.
    reused : set of (int, int)
        Fits that the ledger had.
    """

    X: Any
    y: Any
    params: Any
    groups: Any
    n_jobs: int | None
    pre_dispatch: int | str
    verbose: int
    ledger: OuterLedger | None
    further: Sequence[Any] = ()
    seconds: dict[Cell, float] = field(default_factory=dict)
    arrays: dict[Cell, dict[str, Any]] = field(default_factory=dict)
    reused: set[Cell] = field(default_factory=set)

    def __call__(
        self,
        names: Sequence[str],
        procedures: Sequence[Any],
        splits: Sequence[Any],
        options: dict[str, Any],
        of_values: bool | None,
    ) -> list[Outcome]:
        """Fit what the ledger lacks; outcomes on `splits`, procedure by procedure."""
        every = [*splits, *self.further]
        outcomes: dict[Cell, Outcome] = {}
        if self.ledger is not None:
            for cell, fit in self.ledger.found().items():
                outcomes[cell] = dict(fit.scores), dict(fit.arrays)
                self.seconds[cell] = fit.seconds
        self.reused = set(outcomes)
        is_parallel = effective_n_jobs(self.n_jobs) > 1
        cells = [(i, j) for i in range(len(procedures)) for j in range(len(every))]
        lacking = [cell for cell in cells if cell not in outcomes]
        tasks = (
            delayed(_fit)(
                (i, j),
                procedures[i],
                None if self.ledger is None else self.ledger.of_search(i, j),
                is_parallel,
                self.X,
                self.y,
                every[j],
                {**options, "params": params_of_fit(procedures[i], self.params, self.groups)},
                of_values,
                names[i],
            )
            for i, j in lacking
        )
        trouble = ""
        with Progress("nested_score", len(cells), shown=self.verbose > 0) as progress:
            progress.say(
                f"Fitting {count(len(procedures), 'procedure')} on {len(every)} outer splits"
            )
            if outcomes:
                progress.add(len(outcomes))
            for cell, outcome, seconds in self._pool()(tasks):
                outcomes[cell], self.seconds[cell] = outcome, seconds
                scores, arrays = outcome
                # Fits and scores that failed are tried again: their cause may be the machine.
                if self.ledger is not None and not _has_failed(scores):
                    fit = FinishedFit(scores, seconds, arrays)
                    trouble = self.ledger.save(cell[0], cell[1], fit) or trouble
                progress.add(1)
        if trouble:
            warnings.warn(
                f"The nested cross-validation went on, but it is no longer saved: {trouble}.",
                UserWarning,
                stacklevel=outside_level(),
            )
        if self.ledger is not None:
            self.ledger.end()
        self._warn_of_further(outcomes, len(splits))
        self.arrays = {cell: arrays for cell, (_, arrays) in outcomes.items()}
        return [outcomes[i, j] for i in range(len(procedures)) for j in range(len(splits))]

    def _pool(self) -> Parallel:
        """A pool that hands out outcomes as they come: each is saved at once, a run may take days.

        Without it, all outcomes come at the end: joblib has it from 1.4 on, and not for
        multiprocessing.
        """
        options = {"n_jobs": self.n_jobs, "pre_dispatch": self.pre_dispatch}
        try:
            return Parallel(return_as="generator_unordered", **options)
        except (TypeError, ValueError):
            return Parallel(**options)

    def _warn_of_further(self, outcomes: Mapping[Cell, Outcome], n_splits: int) -> None:
        failed = [
            scores
            for (_, j), (scores, _) in outcomes.items()
            if j >= n_splits and _has_failed(scores)
        ]
        if failed:
            why = next((f", one with {scores}" for scores in failed if isinstance(scores, str)), "")
            warnings.warn(
                f'{count(len(failed), "further fit")} failed that `interval` "bates" needs{why}. '
                "There is no interval.",
                FitFailedWarning,
                stacklevel=outside_level(),
            )


def _has_failed(scores: dict[str, float] | str) -> bool:
    return isinstance(scores, str) or not all(map(isfinite, scores.values()))


def _fit(
    cell: Cell,
    procedure: Any,
    path: str | None,
    one_job: bool,
    X: Any,
    y: Any,
    split: Any,
    options: Any,
    of_values: Any,
    name: str,
) -> tuple[Cell, Outcome, float]:
    """An outer fit, in a worker."""
    start = time.perf_counter()
    # Without its ledger rather than not at all.
    path = None if path is None or OuterLedger.is_in_use(path) else path
    own = for_one_split(procedure, one_job=one_job, ledger=path)
    outcome = outcome_of(own, X, y, split, options, of_values, name, choice_of)
    return cell, outcome, time.perf_counter() - start
