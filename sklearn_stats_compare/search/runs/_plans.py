"""Plan and Evaluated: which candidates a fit evaluates on which splits, and the outcomes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare.search.ledger._ledger import Cell, Ledger
from sklearn_stats_compare.search.runs._settings import FitContext, PartialResult, Stage
from sklearn_stats_compare.stats._design import SplitDesign
from sklearn_stats_compare.stats._family import pair_test

if TYPE_CHECKING:
    from sklearn_stats_compare.search.runs._extension import InterimAnalyses
    from sklearn_stats_compare.search.runs._run import Run

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


@dataclass(frozen=True, eq=False)
class PlanResult:
    """Results of a plan for the search, in addition to the outcomes.

    Attributes
    ----------
    asked : ndarray of bool, shape (n_candidates, n_splits)
        The cells that are of the search; the file may have more.
    columns : dict
        Further columns of ``cv_results_``.
    attributes : dict
        Fitted attributes, in addition to those of scikit-learn's searches.
    cut : PartialResult or None
        What there is, if `max_time` was over before the end.
    """

    asked: NDArray[np.bool_]
    columns: dict[str, Any] = field(default_factory=dict)
    attributes: dict[str, Any] = field(default_factory=dict)
    cut: PartialResult | None = None


class Plan:
    """Which candidates are evaluated on which splits, and in what order.

    A run begins it, asks for `cells` when a worker is free, and tells it by `take` that a cell has
    an outcome. Where `cells` ends, and cells are under way, it may name others when these are
    done.

    Attributes
    ----------
    n_fits : int
        Most fits that there will be, from `begin` on.
    is_adaptive : bool
        Whether outcomes decide which cells are evaluated.
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
    is_adaptive = False
    rows: Chosen | None = None
    size: tuple[int, int, int | None] | None = None
    settings: Mapping[str, Any] | None = None
    interim: InterimAnalyses | None = None

    def begin(self, run: Run) -> None:
        """Take the splits."""
        raise NotImplementedError

    def cells(self, run: Run) -> Iterator[Cell]:
        """The cells that are wanted now, in order; the run leaves out those that it has."""
        raise NotImplementedError

    def n_ahead(self, run: Run, handed: Collection[Cell]) -> int:
        """Number of cells that are wanted whatever the outcomes under way will be."""
        return max(0, self.n_fits - len(handed))

    def take(self, run: Run, cell: Cell) -> None:
        """Take note that a cell has an outcome."""

    def end(self, run: Run, *, cut: bool) -> PlanResult:
        """The results; `cut` says that `max_time` was over before all cells were evaluated."""
        raise NotImplementedError


class EveryCandidate(Plan):
    """Every candidate on every split of `cv`, in scikit-learn's order."""

    def __init__(self, given: FitContext) -> None:
        self._given = given
        self._shape = 0, 0

    def begin(self, run: Run) -> None:
        """Take all splits."""
        columns = run.take(self._given.cv)
        self._shape = len(run.candidates), columns.size
        self.n_fits = int(np.count_nonzero(~run.ledger.ran))

    def cells(self, run: Run) -> Iterator[Cell]:
        """All splits of a candidate, then those of the next."""
        return iter(np.ndindex(self._shape))

    def end(self, run: Run, *, cut: bool) -> PlanResult:
        """All cells."""
        return PlanResult(np.ones(self._shape, dtype=bool))


class SplitBySplit(EveryCandidate):
    """Every candidate on the first split, then on the next one, until the time is over.

    All candidates that are compared have the same splits whenever it stops.
    """

    def cells(self, run: Run) -> Iterator[Cell]:
        """All candidates on a split, then on the next."""
        m, n_splits = self._shape
        return ((row, column) for column in range(n_splits) for row in range(m))

    def end(self, run: Run, *, cut: bool) -> PlanResult:
        """The splits that all candidates have."""
        if not cut:
            return super().end(run, cut=cut)
        ran = run.ledger.ran
        whole = np.flatnonzero(ran.all(axis=0))
        assert run.design is not None
        if whole.size and not pair_test(self._given.options.settings["test"]).of_splits:
            whole = _whole_repeats(run.design, whole)
        return cut_short(run, whole, np.arange(self._shape[1]), int((~ran).sum()))


def cut_short(
    run: Run, whole: Chosen, order: Chosen, n_left: int, *, at_most: bool = False
) -> PlanResult:
    """Results on splits that all candidates have or, without one, of those with the first split.

    Parameters
    ----------
    run : Run
        The run.
    whole : ndarray of int
        The splits that all candidates have.
    order : ndarray of int
        Order in which the splits are evaluated.
    n_left, at_most : int, bool
        As of `PartialResult`.
    """
    ran = run.ledger.ran
    asked = np.zeros_like(ran)
    columns: dict[str, Any] = {}
    if not whole.size:
        # Some split that a candidate has: the first in the order, unless a file has others.
        whole = order[ran[:, order].any(axis=0)][:1]
        columns["n_splits_evaluated"] = ran[:, whole].sum(axis=1)
    asked[:, whole] = ran[:, whole]
    rows = int(np.count_nonzero(asked.any(axis=1)))
    cut = PartialResult(
        splits=np.sort(whole),
        n_splits=order.size,
        n_fits=int(np.count_nonzero(asked)),
        n_fits_full=ran.size,
        n_left=n_left,
        at_most=at_most,
        n_candidates=rows if rows < len(ran) else None,
    )
    return PlanResult(asked, columns, cut=cut)


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
