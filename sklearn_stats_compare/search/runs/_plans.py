"""Given, Plan, Run and Evaluated: input of a fit, what it evaluates, how, and its outcomes."""

import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare._utils._validation import ComparisonWarning, outside_level
from sklearn_stats_compare.predictions._predicted import check_memory
from sklearn_stats_compare.predictions._recording import by_metric
from sklearn_stats_compare.predictions._scorers import read_scorer
from sklearn_stats_compare.search.ledger._fingerprint import Identity
from sklearn_stats_compare.search.ledger._ledger import Ledger
from sklearn_stats_compare.search.runs._settings import (
    Cut,
    Looked,
    Options,
    Progress,
    Stage,
    TimeLimit,
    stages,
)
from sklearn_stats_compare.stats._design import SplitDesign
from sklearn_stats_compare.stats._family import pair_test
from sklearn_stats_compare.stats._pair_tests import PairTest

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


@dataclass(frozen=True, eq=False)
class Given:
    """Arguments of a fit.

    Attributes
    ----------
    X, y, params : object
        As ``fit`` was.
    options : Options
        Of the search.
    cv : int, splitter, iterable or None
        The search's own, an iterable of splits in a form that can be read more than once.
    candidates : sequence of dict or None
        Candidates of a fit by blocks; None where scikit-learn lists them itself.
    path : Path or None
        The ledger's file, where there is an identity.
    identity : Identity or None
        What the file must belong to.
    scorers : callable
        Returns what the search scores with, of several metrics a mapping, where what estimators
        predict is kept.
    known : Evaluated or None
        What is extended.
    limit : TimeLimit
        Of the call of ``fit``, whatever the number of its runs.
    """

    X: Any
    y: Any
    params: Mapping[str, Any]
    options: Options
    cv: Any
    candidates: Sequence[dict[str, Any]] | None = None
    path: Path | None = None
    identity: Identity | None = None
    scorers: Callable[[], Any] = dict
    known: Evaluated | None = None
    limit: TimeLimit = field(default_factory=TimeLimit)

    def check_keeping(self, n_candidates: int, design: SplitDesign) -> None:
        """Warn before the first fit of what will take much memory, or cannot be tested.

        Raises ValueError if it would take more memory than there is.
        """
        options, scorers = self.options, by_metric(self.scorers())
        if options.keeps_for_looks and options.look == "auto":
            return  # the race decides whether to keep them
        check_memory(
            scorers,
            options.estimator,
            self.y,
            keeps=options.return_predictions,
            n_candidates=n_candidates,
            n_tested=int(design.n_test.sum()),
        )
        test = pair_test(options.settings["test"])
        why = "" if test.of_splits else _why_untestable(test, design, scorers, options.estimator)
        if why:
            warnings.warn(
                f'{why} The fits continue; compare(test="corrected_t") can compare the candidates.',
                ComparisonWarning,
                stacklevel=outside_level(),
            )


def _why_untestable(
    test: PairTest, design: SplitDesign, scorers: Mapping[str, Any], estimator: Any
) -> str:
    """Why the test of samples will have nothing to test; empty where it will."""
    try:
        test.check(design)
    except ValueError as error:
        return str(error)
    readings = {name: read_scorer(scorer, estimator) for name, scorer in scorers.items()}
    without = [f"{name}: {r.reason}" for name, r in readings.items() if r.how == "none"]
    if not without:
        return ""
    return f'`test` "samples" has no per-sample values for {"; ".join(without)}.'


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


class Run(Protocol):
    """One attempt to evaluate what a fit asks for, from within scikit-learn's `fit`."""

    @property
    def groups(self) -> Any:
        """Groups of samples that the splitter was given."""

    @property
    def cv(self) -> Any:
        """The `cv` of the search while scikit-learn fits it."""

    @property
    def verbose(self) -> int:
        """The `verbose` of the search while scikit-learn fits it."""

    def search(self, evaluate_candidates: Callable[..., Any], context: Any, hooks: Hooks) -> None:
        """Evaluate all candidates: the body of ``_run_search``."""

    def format_results(self, hooks: Hooks, candidates: Any, n_splits: int, outcomes: Any,
                       more: Any) -> Any:  # fmt: skip
        """``cv_results_`` of the outcomes so far: the body of ``_format_results``."""

    @property
    def design(self) -> SplitDesign | None:
        """Of the splits, as soon as they are known."""

    @property
    def evaluated(self) -> Evaluated:
        """The outcomes, when the search is over."""

    @property
    def looked(self) -> Looked | None:
        """The looks of an extension at the scores."""

    @property
    def fitted_attributes(self) -> Mapping[str, Any]:
        """Fitted attributes, in addition to those of scikit-learn's searches."""

    @property
    def note(self) -> str:
        """Where `max_time` cut the search, for the note of a comparison."""

    def continues_after(self, error: BaseException) -> bool:
        """Whether another run should continue from the file of this one."""

    def note_saved(self, error: BaseException) -> None:
        """Add to an error that ends the search how much of it is saved."""

    def close(self, changed: Collection[str]) -> None:
        """Release files and data; `changed` names the user's values that fits changed."""


# Defined here, so that plans need not import `_block_run`, which imports this file.
class PlanRun(Protocol):
    """The part of a run by blocks that a plan may use."""

    candidates: Sequence[dict[str, Any]]
    design: SplitDesign | None
    ledger: Ledger
    split_keys: list[str]
    n_batches: int
    data: tuple[Any, Any, Mapping[str, Any]]
    """X, y and what is routed to the splitter, while the search runs."""
    progress: Progress
    """Of `Plan.evaluate`."""
    retried: NDArray[np.bool_] | None
    """Cells that failed in an earlier start; None without a ledger."""

    @property
    def n_evaluated(self) -> NDArray[np.int64]:
        """Number of splits that each candidate was asked to be evaluated on."""

    def take(self, cv: Any, *, of_any_size: bool = True) -> Chosen:
        """Add the splits of `cv` to those so far; return their columns."""

    def run(self, rows: Chosen, columns: Chosen) -> None:
        """Fill these cells, a block of splits."""

    def run_all(self, rows: Chosen, columns: Chosen) -> None:
        """Fill those of these cells that are empty."""

    def order(self, drawn: Chosen) -> Chosen:
        """The order of splits that the file has, or else the one that was drawn."""

    @property
    def groups(self) -> Any:
        """Groups of samples that the splitter was given."""


def count_new(run: PlanRun, rows: Chosen, columns: Chosen) -> int:
    """Number of cells of a block that no start has tried."""
    lacks = run.ledger.lacks(rows, columns)
    if run.retried is not None:
        lacks &= ~run.retried[np.ix_(rows, columns)]
    return int(lacks.sum())


class PlanResult(NamedTuple):
    """Results of a plan for the search, in addition to the outcomes.

    Attributes
    ----------
    columns : dict
        Further columns of ``cv_results_``.
    attributes : dict
        Fitted attributes, in addition to those of scikit-learn's searches.
    cut : Cut or None
        What there is, if `max_time` was over before the end.
    """

    columns: dict[str, Any]
    attributes: dict[str, Any]
    cut: Cut | None = None


class Plan(Protocol):
    """Which candidates are evaluated on which splits, and in what order."""

    n_fits: int
    """Most fits that `evaluate` will make, from `begin` on."""

    @property
    def rows(self) -> Chosen | None:
        """The candidates that are evaluated; None if all are."""

    @property
    def settings(self) -> Mapping[str, Any] | None:
        """Settings of later comparisons; None if they are those of the search."""

    def size(self, run: PlanRun) -> tuple[int, int, int | None]:
        """Numbers of candidates and of splits, from `begin` on.

        The third value, for a plan that adds splits in steps, is the largest number of fits.
        """

    @property
    def looked(self) -> Looked | None:
        """The looks at the scores, if there were any."""

    def begin(self, run: PlanRun) -> int:
        """Take the splits; return how many of them make a block."""

    def evaluate(self, run: PlanRun) -> PlanResult:
        """Evaluate block by block."""


class EveryCandidate:
    """Every candidate on every split of `cv`, as scikit-learn's searches do, in blocks."""

    looked: Looked | None = None
    rows: Chosen | None = None
    settings: Mapping[str, Any] | None = None

    def __init__(self, given: Given) -> None:
        self._cv = given.cv
        self._cells: tuple[Chosen, Chosen]
        self.n_fits = 0

    def size(self, run: PlanRun) -> tuple[int, int, int | None]:
        """All candidates, on all splits."""
        return len(run.candidates), len(run.split_keys), None

    def begin(self, run: PlanRun) -> int:
        """Take all splits; a block has them all, or a number that divides the missing ones."""
        rows, columns = self._cells = np.arange(len(run.candidates)), run.take(self._cv)
        self.n_fits = int(run.ledger.lacks(rows, columns).sum())
        return run.ledger.block_size(rows, columns)

    def evaluate(self, run: PlanRun) -> PlanResult:
        """Fit the cells that the ledger does not have."""
        run.run_all(*self._cells)
        return PlanResult({}, {})


class SplitBySplit:
    """Every candidate on the first splits, then on the next ones, until the time is over.

    All candidates have the same splits whenever it stops.

    Parameters
    ----------
    given : Given
        What ``fit`` was given.
    """

    looked: Looked | None = None
    rows: Chosen | None = None
    settings: Mapping[str, Any] | None = None

    def __init__(self, given: Given) -> None:
        self._given = given
        self._stages: list[Chosen] = []
        self.n_fits = 0

    def size(self, run: PlanRun) -> tuple[int, int, int | None]:
        """All candidates, on all splits."""
        return len(run.candidates), len(run.split_keys), None

    def begin(self, run: PlanRun) -> int:
        """Take all splits; a block has few of them."""
        columns = run.take(self._given.cv)
        lacks = run.ledger.lacks(np.arange(len(run.candidates)), columns)
        self.n_fits = int(lacks.sum())
        block, self._stages = stages(lacks, self._given.options)
        return block

    def evaluate(self, run: PlanRun) -> PlanResult:
        """Fit the cells that the ledger does not have, until the time is over."""
        limit, rows = self._given.limit, np.arange(len(run.candidates))
        for columns in self._stages:
            if limit.refuses(int(run.ledger.lacks(rows, columns).sum())):
                break
            n_new = count_new(run, rows, columns)
            run.run_all(rows, columns)
            limit.add(n_new)
        else:
            return PlanResult({}, {})
        return PlanResult({}, {}, self._cut(run, rows))

    def _cut(self, run: PlanRun, rows: Chosen) -> Cut | None:
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
        return Cut(
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
