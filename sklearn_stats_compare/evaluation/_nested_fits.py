"""NestedFits: the outer fits of a nested cross-validation, in one parallel pool and a ledger."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sklearn.exceptions import FitFailedWarning

from sklearn_stats_compare._messages import count, outside_level
from sklearn_stats_compare.evaluation._model_fits import Outcome, is_finite
from sklearn_stats_compare.evaluation._pooled_fits import Fit, pooled
from sklearn_stats_compare.evaluation._procedures import params_of_fit
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
        cells = [(i, j) for i in range(len(procedures)) for j in range(len(every))]
        lacking = [cell for cell in cells if cell not in outcomes]
        fits = (
            Fit(
                (0, i, j),
                procedures[i],
                None if self.ledger is None else self.ledger.of_search(i, j),
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
            for (_, i, j), outcome, seconds in pooled(fits, self.n_jobs, self.pre_dispatch):
                outcomes[i, j], self.seconds[i, j] = outcome, seconds
                scores, arrays = outcome
                # Fits and scores that failed are tried again: their cause may be the machine.
                if self.ledger is not None and not isinstance(scores, str) and is_finite(scores):
                    trouble = (
                        self.ledger.save(i, j, FinishedFit(scores, seconds, arrays)) or trouble
                    )
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

    def _warn_of_further(self, outcomes: Mapping[Cell, Outcome], n_splits: int) -> None:
        failed = [
            scores
            for (_, j), (scores, _) in outcomes.items()
            if j >= n_splits and (isinstance(scores, str) or not is_finite(scores))
        ]
        if failed:
            why = next((f", one with {scores}" for scores in failed if isinstance(scores, str)), "")
            warnings.warn(
                f'{count(len(failed), "further fit")} failed that `interval` "bates" needs{why}. '
                "There is no interval.",
                FitFailedWarning,
                stacklevel=outside_level(),
            )
