"""What a run is given: its plan, the options of its search, time limit, sizes and progress."""

from __future__ import annotations

import math
import os
import time
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn.model_selection import ParameterGrid, ParameterSampler

from sklearn_stats_compare._utils._formatting import count, duration
from sklearn_stats_compare._utils._validation import warn_user
from sklearn_stats_compare.comparison._planning import InterimAnalyses
from sklearn_stats_compare.predictions._predicted import Independent, check_memory
from sklearn_stats_compare.predictions._responses import (
    Scoring,
    by_metric,
    keeps_by_default,
    weights_by_metric,
)
from sklearn_stats_compare.predictions._scorers import read_scorer
from sklearn_stats_compare.search.ledger._fingerprint import Identity
from sklearn_stats_compare.search.ledger._ledger import Cell, Outcomes
from sklearn_stats_compare.stats._design import SplitDesign
from sklearn_stats_compare.stats._family import PAIR_TESTS, pair_test
from sklearn_stats_compare.stats._pair_tests import PairTest

if TYPE_CHECKING:
    from sklearn_stats_compare.search.runs._run import Run


SETTINGS = ("alternative", "p_adjust", "rope", "alpha", "test")


@dataclass(frozen=True, eq=False)
class Options:
    """Parameters of a search as they were when a fit began.

    A run has these and not the search, so that nothing in it can write to the search, and a test
    can make one by hand.

    Attributes
    ----------
    estimator, scoring, refit, cv, n_jobs, pre_dispatch, verbose, error_score, return_train_score
        As scikit-learn's searches have them.
    settings : mapping
        Those of comparisons.
    random_state : int, RandomState or None
        Of a randomized search, or of a race.
    ledger_strict, retry_failed
        As `Ledger` has them.
    return_predictions
        As `StatisticalGridSearchCV` has them.
    strategy, race_metric, interim, tolerance, eliminate
        As `RacingGridSearchCV` has them; None for other searches.
    keeps_for_looks : bool
        Whether values of samples are kept only because a race looks at them.
    """

    estimator: Any
    scoring: Any
    refit: Any
    cv: Any
    n_jobs: int | None
    pre_dispatch: int | str
    verbose: int
    error_score: Any
    return_train_score: bool
    settings: Mapping[str, Any]
    random_state: Any
    ledger_strict: bool
    retry_failed: bool
    return_predictions: bool | str
    strategy: str | None
    race_metric: str | None
    interim: str | None
    tolerance: float | None
    eliminate: str | None
    keeps_for_looks: bool

    @classmethod
    def of(cls, search: Any) -> Self:
        """Options of a search, whose own parameters they are for the time of the fit."""
        settings = {name: getattr(search, name) for name in SETTINGS}
        # A user may change a list in place after the fit.
        if isinstance(search.rope, list):
            settings["rope"] = tuple(search.rope)
        keeps = search.return_predictions
        # What is no test, scikit-learn is to refuse.
        test = PAIR_TESTS.get(search.test) if isinstance(search.test, str) else search.test
        if keeps in (False, "auto") and isinstance(test, PairTest) and not test.of_splits:
            keeps = "values"
        asked = keeps not in (False, "auto")
        looks = getattr(search, "interim", None) in ("auto", "samples")
        own = {each.name: getattr(search, each.name, None) for each in fields(cls)}
        return cls(
            **own
            | {
                "settings": settings,
                # Of a `Ledger`; a path has neither.
                "ledger_strict": getattr(search.ledger, "strict", True),
                "retry_failed": getattr(search.ledger, "retry_failed", True),
                "return_predictions": "values" if looks and not asked else keeps,
                "keeps_for_looks": looks and not asked,
            }
        )


def candidates_of(search: Any) -> list[dict[str, Any]]:
    """All candidates of a search, in scikit-learn's order."""
    # As `_run_search` of RandomizedSearchCV and of GridSearchCV lists them.
    if hasattr(search, "param_distributions"):
        seed = search.random_state
        if seed is None and search.ledger is not None:
            # A start after a kill must draw the same candidates, or it reuses no fit.
            seed = zlib.crc32(os.path.basename(os.fspath(search.ledger)).encode("utf-8", "replace"))
        return list(ParameterSampler(search.param_distributions, search.n_iter, random_state=seed))
    return list(ParameterGrid(search.param_grid))


class ReadOnce:
    """An iterable of splits that reads another, perhaps a generator, once and then remembers.

    It reads nothing before the first iteration: a search that is refused for its parameters leaves
    the generator as it was.
    """

    def __init__(self, splits: Iterable[Any]) -> None:
        self._splits = splits

    def __iter__(self) -> Iterator[Any]:
        if not isinstance(self._splits, list):
            self._splits = list(self._splits)
        return iter(self._splits)


def read_once(cv: Any) -> Any:
    """`cv`, or where it is an iterable of splits, one that is read once and can be read again."""
    # The distinction that `check_cv` makes: an iterable without `split` is one of splits.
    is_splits = isinstance(cv, Iterable) and not isinstance(cv, str) and not hasattr(cv, "split")
    return ReadOnce(cv) if is_splits else cv


@dataclass(frozen=True, eq=False)
class PartialResult:
    """What a search has when `max_time` is over.

    Attributes
    ----------
    splits : ndarray of int
        Columns of the splits that all remaining candidates have.
    n_splits : int
        Number of splits of the whole search.
    n_fits, n_fits_full : int
        Number of fits on these splits, and of the whole search.
    n_left : int
        Number of fits that are not in the ledger.
    at_most : bool, default=False
        Whether the whole search may need fewer fits, as a race may.
    n_candidates : int or None
        Number of candidates that have the splits; None if all have.
    """

    splits: NDArray[np.intp]
    n_splits: int
    n_fits: int
    n_fits_full: int
    n_left: int
    at_most: bool = False
    n_candidates: int | None = None


class TimeLimit:
    """The `max_time` of one call of ``fit``; its clock starts when it is made.

    The first fit that no start has tried before may always begin. Otherwise a start that reads the
    ledger, and tries again what failed, might take all the time, and make no progress however often
    it was repeated.

    Parameters
    ----------
    seconds : float or None
        `max_time`; None for no limit.
    """

    def __init__(self, seconds: float | None = None) -> None:
        self._seconds = seconds
        self._began, self._end = monotonic(), time.time() + (seconds or 0)
        self._first: float | None = None
        self._n_fits = self._n_new = 0
        self._spent = 0.0

    @property
    def is_set(self) -> bool:
        """Whether there is a limit."""
        return self._seconds is not None

    @property
    def deadline(self) -> float | None:
        """The time, as of ``time.time()``, after which no fit may begin; None if any may."""
        return self._end if self._seconds is not None and self._n_new else None

    def refuses(self) -> bool:
        """Whether no further fit may begin."""
        if self._seconds is None or not self._n_new:
            return False
        return monotonic() - self._began >= self._seconds

    def hand(self, *, is_new: bool) -> float | None:
        """Count a fit that is handed to a worker; return its deadline."""
        deadline = self.deadline
        self._n_new += is_new
        self._first = monotonic() if self._first is None else self._first
        return deadline

    def count(self) -> None:
        """Count a fit that is done."""
        self._n_fits += 1
        self._spent = monotonic() - (self._first or self._began)

    def clause(self, cut: PartialResult) -> str:
        """How far the search got."""
        of = "of at most" if cut.at_most else "of"
        fits = f"({cut.n_fits:,} {of} {count(cut.n_fits_full, 'fit')})"
        if cut.n_candidates is not None:
            return (
                f"max_time={self._seconds:g} s was over within the first split, after "
                f"{count(cut.n_candidates, 'candidate')} {fits}"
            )
        return (
            f"max_time={self._seconds:g} s was over after {cut.splits.size:,} of "
            f"{count(cut.n_splits, 'split')} {fits}"
        )

    def stopped(self, cut: PartialResult) -> str:
        """How far the search got, and how much is left."""
        n_left = cut.n_splits - cut.splits.size
        takes = ""
        if self._n_fits:
            at_most = "at most " if cut.at_most else ""
            takes = f", {at_most}about {duration(cut.n_left * self._spent / self._n_fits)},"
        left = count(n_left, "split") if cut.n_candidates is None else count(cut.n_left, "fit")
        are = "is" if left.startswith("1 ") else "are"
        return f"{self.clause(cut)}; {left}{takes} {are} left."


def refit_words(fit_time: float, design: SplitDesign, n_samples: int) -> str:
    """How long a refit on all samples takes if the cost is linear; empty if unknown."""
    n_train = float(design.n_train.mean())
    if not n_train or not math.isfinite(fit_time):
        return ""
    return f"The refit on all samples takes about {duration(fit_time * n_samples / n_train)} more."


def warn_of_part_of_a_repeat(test: PairTest, whole: SplitDesign, part: SplitDesign) -> None:
    """Warn if a test could use all splits and cannot use those that were run."""
    try:
        test.check(whole)
    except ValueError:  # `FitContext.keeps` warned before the first fit
        return
    try:
        test.check(part)
    except ValueError:
        warn_user(
            f"`max_time` cut the search within a repeat, after {part.n_splits:,} of "
            f'{count(whole.n_splits, "split")}, and `test` "{test.name}" needs whole repeats. '
            'compare(test="corrected_t") compares the candidates on these splits; a fit with more '
            "time, which with a `ledger` goes on from here, completes the repeat.",
            "cut-within-a-repeat",
        )


@dataclass(frozen=True, eq=False)
class Stage:
    """Candidates that were evaluated on the same splits, perhaps in several batches.

    Attributes
    ----------
    rows : tuple of int
        The candidates, as rows of ``cv_results_``.
    design : SplitDesign
        Of the splits.
    split_keys : tuple of str
        Of the same splits.
    n_batches : int
        Number of calls of `evaluate_candidates`: from the second on, scores may have chosen the
        candidates.
    n_resources : object
        Resources of each candidate in a halving search; None in others.
    tested : ndarray of int, or None
        Rows of the data that are in a test set, until the fit has ended.
    independent : mapping of str to mappings
        As from `independent_units`.
    """

    rows: tuple[int, ...]
    design: SplitDesign
    split_keys: tuple[str, ...]
    n_batches: int = 1
    n_resources: Any = None
    tested: NDArray[np.intp] | None = None
    independent: Independent = field(default_factory=dict)

    def of(self, results: Mapping[str, Any]) -> dict[str, Any]:
        """The columns of ``cv_results_`` for these candidates only."""
        return {name: _chosen(column, self.rows) for name, column in results.items()}


def _chosen(column: Any, rows: Sequence[int]) -> Any:
    # `params` is a list; scores and masked arrays of parameters are arrays.
    return column[list(rows)] if isinstance(column, np.ndarray) else [column[i] for i in rows]


@dataclass(frozen=True, eq=False)
class FitContext:
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
        The candidates; None where the search lists them itself.
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
        Of this call of ``fit``.
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

    def scoring(self, scorers: Any, groups: Any) -> Scoring:
        """What the predictions are scored with."""
        scorers, options = by_metric(scorers), self.options
        weights = weights_by_metric(scorers, self.params, of_search=True)
        return Scoring.of(
            self.X, self.y, scorers, options.estimator, groups, options.error_score, weights
        )

    def keeps(self, n_candidates: int, design: SplitDesign) -> bool:
        """Whether to keep what candidates predict on these splits, which the user may leave open.

        Warns before the first fit of what will take much memory, or cannot be tested. Raises
        ValueError if it would take more memory than there is.
        """
        options, scorers = self.options, by_metric(self.scorers())
        if options.return_predictions == "auto":
            return keeps_by_default(scorers, n_candidates, design)
        if options.keeps_for_looks and options.interim == "auto":
            return True  # the race decides whether to keep them
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
            warn_user(
                f'{why} The fits continue; compare(test="corrected_t") can compare the candidates.',
                "no-sample-values",
            )
        return True


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
    ledger : Outcomes
        The outcomes, candidates × splits.
    n_batches : int
        Number of times that splits were taken: by ``fit``, and by each extension.
    stages : tuple of Stage
        Of a search that evaluates batches; `design` and `split_keys` are those of the last.
    """

    design: SplitDesign | None
    split_keys: tuple[str, ...]
    ledger: Outcomes
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
    order : ndarray of int or None
        In which order it takes the splits of `cv`, from `begin` on; None if in theirs.
    rows : ndarray of int or None
        The candidates that are evaluated; None if all are.
    size : (int, int, int or None) or None
        Of a plan that has not all candidates and splits, from `begin` on: numbers of its candidates
        and splits and, where it adds splits in steps, the largest number of fits.
    settings : mapping or None
        Settings of later comparisons; None if they are those of the search.
    interim : InterimAnalyses or None
        Those of an extension.
    adds_splits : bool
        Whether the search has these splits afterwards; not if they are for probes.
    """

    n_fits: int = 0
    adds_splits = True
    is_adaptive = False
    order: Chosen | None = None
    rows: Chosen | None = None
    size: tuple[int, int, int | None] | None = None
    settings: Mapping[str, Any] | None = None
    interim: InterimAnalyses | None = None

    def begin(self, run: Run) -> None:
        """Take the splits."""
        raise NotImplementedError

    def keeps(self, run: Run) -> bool:
        """Whether to keep what candidates predict, if all else allows it."""
        return True

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
        self._shape = len(run.candidates), run.take(self._given.cv).size
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
        """All candidates on a split, then on the next; with workers the slow ones first."""
        m, n_splits = self._shape
        # A slow fit at the end would keep one worker, and all others would wait. One worker alone
        # keeps the order, which decides what an unseeded estimator draws.
        are_several = effective_n_jobs(self._given.options.n_jobs) > 1
        for column in range(n_splits):
            for row in run.ledger.slowest_first() if column and are_several else range(m):
                yield row, column

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
