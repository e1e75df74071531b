"""Plan and Evaluated: which candidates a fit evaluates on which splits, and the outcomes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare.search.ledger._ledger import Ledger
from sklearn_stats_compare.search.runs._settings import FitContext, PartialResult, Stage, stages
from sklearn_stats_compare.stats._design import SplitDesign
from sklearn_stats_compare.stats._family import pair_test

if TYPE_CHECKING:
    from sklearn_stats_compare.search.runs._block_run import BlockRun
    from sklearn_stats_compare.search.runs._extension import InterimAnalyses

Chosen = NDArray[np.intp]
"""Rows of candidates, or columns of splits."""


@dataclass(frozen=True, eq=False)
class Evaluated:
    """Outcomes of candidates, and their splits.

    Attributes
    ----------
    design : SplitDesign or None
        Of the splits; None if a subclass evaluates candidates with a splitter of its own.
    split_keys : tuple of str
        Of the same splits.
    ledger : Ledger
        The outcomes, candidates × splits.
    n_batches : int
        Number of times that splits were taken: by ``fit``, and by each extension.
    stages : tuple of Stage
        Of a search that evaluates batches; `design` and `split_keys` are those of the last.
    """

    design: SplitDesign | None
    split_keys: tuple[str, ...]
    ledger: Ledger
    n_batches: int = 1
    stages: tuple[Stage, ...] = ()


class Hooks(NamedTuple):
    """scikit-learn's own methods of a search, for a run to call.

    Attributes
    ----------
    search : BaseSearchCV
        Passed to the callbacks of scikit-learn 1.9.
    run_search, format_results : callable
        Methods of the search that the mixin overrides.
    """

    search: Any
    run_search: Callable[..., Any]
    format_results: Callable[..., Any]


class PlanResult(NamedTuple):
    """Results of a plan for the search, in addition to the outcomes.

    Attributes
    ----------
    columns : dict
        Further columns of ``cv_results_``.
    attributes : dict
        Fitted attributes, in addition to those of scikit-learn's searches.
    cut : PartialResult or None
        What there is, if `max_time` was over before the end.
    """

    columns: dict[str, Any]
    attributes: dict[str, Any]
    cut: PartialResult | None = None


class Plan:
    """Which candidates are evaluated on which splits, and in what order.

    Attributes
    ----------
    n_fits : int
        Most fits that `evaluate` will make, from `begin` on.
    rows : ndarray of int or None
        The candidates that are evaluated; None if all are.
    size : (int, int, int or None) or None
        Of a plan that has not all candidates and splits, from `begin` on: numbers of its candidates
        and splits and, where it adds splits in steps, the largest number of fits.
    settings : mapping or None
        Settings of later comparisons; None if they are those of the search.
    interim : InterimAnalyses or None
        Those of an extension.
    """

    n_fits: int = 0
    rows: Chosen | None = None
    size: tuple[int, int, int | None] | None = None
    settings: Mapping[str, Any] | None = None
    interim: InterimAnalyses | None = None

    def begin(self, run: BlockRun) -> int:
        """Take the splits; return how many of them make a block."""
        raise NotImplementedError

    def evaluate(self, run: BlockRun) -> PlanResult:
        """Evaluate block by block."""
        raise NotImplementedError


class EveryCandidate(Plan):
    """Every candidate on every split of `cv`, as scikit-learn's searches do, in blocks."""

    def __init__(self, given: FitContext) -> None:
        self._cv = given.cv
        self._cells: tuple[Chosen, Chosen]

    def begin(self, run: BlockRun) -> int:
        """Take all splits; a block has them all, or a number that divides the missing ones."""
        rows, columns = self._cells = np.arange(len(run.candidates)), run.take(self._cv)
        self.n_fits = int(run.ledger.lacks(rows, columns).sum())
        return run.ledger.block_size(rows, columns)

    def evaluate(self, run: BlockRun) -> PlanResult:
        """Fit the cells that the ledger does not have."""
        run.run_all(*self._cells)
        return PlanResult({}, {})


class SplitBySplit(Plan):
    """Every candidate on the first splits, then on the next ones, until the time is over.

    All candidates have the same splits whenever it stops.

    Parameters
    ----------
    given : FitContext
        What ``fit`` was given.
    """

    def __init__(self, given: FitContext) -> None:
        self._given = given
        self._stages: list[Chosen] = []

    def begin(self, run: BlockRun) -> int:
        """Take all splits; a block has few of them."""
        columns = run.take(self._given.cv)
        lacks = run.ledger.lacks(np.arange(len(run.candidates)), columns)
        self.n_fits = int(lacks.sum())
        block, self._stages = stages(lacks, self._given.options)
        return block

    def evaluate(self, run: BlockRun) -> PlanResult:
        """Fit the cells that the ledger does not have, until the time is over."""
        limit, rows = self._given.limit, np.arange(len(run.candidates))
        for columns in self._stages:
            if limit.refuses(int(run.ledger.lacks(rows, columns).sum())):
                break
            limit.add(run.run_all(rows, columns))
        else:
            return PlanResult({}, {})
        return PlanResult({}, {}, self._cut(run, rows))

    def _cut(self, run: BlockRun, rows: Chosen) -> PartialResult | None:
        lacks = run.ledger.lacks(rows, np.arange(len(run.split_keys)))
        done = np.flatnonzero(~lacks.any(axis=0))
        if not done.size:
            if self._given.limit.has_begun and not run.ledger.n_ran:
                return None  # all fits failed, which the run says
            raise self._given.limit.too_short()
        assert run.design is not None
        if not pair_test(self._given.options.settings["test"]).of_splits:
            done = _whole_repeats(run.design, done)
        run.run_all(rows, done)  # fits nothing: the file may have more than the stages so far
        return PartialResult(
            splits=done,
            n_splits=len(run.split_keys),
            n_fits=rows.size * done.size,
            n_fits_full=lacks.size,
            n_left=int(lacks.sum()),
        )


def _whole_repeats(design: SplitDesign, splits: Chosen) -> Chosen:
    """Splits of the repeats that are complete, which a test of samples needs; else all."""
    repeat = design.repeat
    complete = [
        number
        for number in range(int(repeat.max()) + 1)
        if np.isin(np.flatnonzero(repeat == number), splits).all()
    ]
    whole = splits[np.isin(repeat[splits], complete)]
    return whole if whole.size else splits
