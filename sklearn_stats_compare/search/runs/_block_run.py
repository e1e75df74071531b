"""BlockRun: a fit that goes block by block, and has scikit-learn fit only what is missing."""

from __future__ import annotations

import itertools
import warnings
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import BrokenExecutor, CancelledError
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.base import is_classifier
from sklearn.exceptions import FitFailedWarning

from sklearn_stats_compare._sklearn_private import count_samples
from sklearn_stats_compare._utils._formatting import count
from sklearn_stats_compare._utils._validation import shown, warn_user
from sklearn_stats_compare.predictions._responses import Responses
from sklearn_stats_compare.search.ledger._ledger import Ledger
from sklearn_stats_compare.search.runs._blocks import (
    BlockSplitter,
    SplitSource,
    all_failed,
    errors_of,
    keys_of,
    says_that_all_failed,
    tested_samples,
    warn_of_failures,
)
from sklearn_stats_compare.search.runs._extension import InterimAnalyses, check_alike, check_new
from sklearn_stats_compare.search.runs._plans import Chosen, Evaluated, Hooks, Plan
from sklearn_stats_compare.search.runs._restart import Saving
from sklearn_stats_compare.search.runs._settings import (
    FitContext,
    Options,
    PartialResult,
    Progress,
    candidates_at_once,
    warn_of_part_of_a_repeat,
)
from sklearn_stats_compare.stats._design import SplitDesign, n_repeated
from sklearn_stats_compare.stats._family import pair_test


class BlockRun:
    """A search that goes block by block: some candidates on some splits.

    It calls scikit-learn's `evaluate_candidates` for each block, and serves it the block's splits.
    The outcomes go to a `Ledger`, from which ``cv_results_`` is made in the end.

    Parameters
    ----------
    given : FitContext
        What ``fit`` was given.
    plan : Plan
        Which candidates are evaluated on which splits.
    failures : WorkerFailures
        Losses of workers in the same call of ``fit``.
    """

    progress: Progress  # of `search`

    def __init__(self, given: FitContext, plan: Plan, failures: WorkerFailures) -> None:
        self.candidates: Sequence[dict[str, Any]] = list(given.candidates or ())
        self.design: SplitDesign | None = None
        keeps = given.options.return_predictions
        kept = Responses(are_values=keeps == "values") if keeps else None
        self.ledger = Ledger(len(self.candidates), 0, kept)
        self.split_keys: list[str] = []
        self.n_batches = 0
        self.retried: NDArray[np.bool_] | None = None
        self.cv = BlockSplitter(given.cv, self._begin)
        # One line for the whole search, where scikit-learn and joblib have some for every block;
        # from 2 on scikit-learn has a line for every fit.
        self.verbose = given.options.verbose if given.options.verbose > 1 else 0
        self._given = given
        self._plan = plan
        self._worker_failures = failures
        self._saving: Saving | None = None
        self._results: dict[str, Any] = {}
        self.fitted_attributes: dict[str, Any] = {"stopped_": None}
        self.note = ""
        self._asked: NDArray[np.bool_] = np.zeros((len(self.candidates), 0), dtype=bool)
        self._done = self.ledger  # without cells of the file that this search does not use
        self._fitting: Block | None = None  # still set after an error: the block that was lost
        self._splits: dict[int, tuple[Any, Any]] = {}
        self.data: tuple[Any, Any, Mapping[str, Any]] = (None, None, {})
        self._evaluate: Callable[..., Any] | None = None
        self._search: Any = None
        self._context: Any = None
        self._n_seen = 0  # outcomes of earlier blocks, which scikit-learn hands in again
        self._outcomes: list[dict[str, Any]] = []
        self._unknown: list[tuple[Chosen, Chosen, Counter[str]]] = []
        self._answered = False  # whether `evaluate_candidates` has returned at least once

    @property
    def n_evaluated(self) -> NDArray[np.int64]:
        """Number of splits that each candidate was asked to be evaluated on."""
        return self._asked.sum(axis=1)

    @property
    def interim(self) -> InterimAnalyses | None:
        """The interim analyses of an extension."""
        return self._plan.interim

    @property
    def groups(self) -> Any:
        """Groups of samples that the splitter was given."""
        return self.data[2].get("groups")

    @property
    def evaluated(self) -> Evaluated:
        """The outcomes of this search; the file may have others."""
        return Evaluated(self.design, tuple(self.split_keys), self._done, self.n_batches)

    def take(self, cv: Any, *, of_any_size: bool = True) -> Chosen:
        """Add the splits of `cv` to those so far; return their columns.

        ``of_any_size=False`` refuses splits that train on more or fewer samples than those so far.
        It also raises ValueError if `cv` makes no splits, repeats earlier ones, or yields something
        other than indices; or if the ledger has other splits.
        """
        classifier = is_classifier(self._given.options.estimator)
        source = SplitSource(cv, *self.data, classifier=classifier)
        splits = source.splits()
        if not splits or not self.candidates:
            raise ValueError(  # in the words of scikit-learn
                "No fits were performed. Was the CV iterator empty? Were there no candidates?"
            )
        n_samples = count_samples(self.data[0])
        keys = keys_of(splits, n_samples)
        design = SplitDesign.from_indices(splits, n_samples)
        if (
            not of_any_size
            and self.design is not None
            and not n_repeated(keys, set(self.split_keys))
        ):
            # Before `settle` saves them: the file would keep splits that were refused.
            check_alike(self.design, design)
        if self._saving is not None:
            stored = self._saving.file.settle(
                self.n_batches, keys, splits, design, n_samples, source.drawn
            )
            if stored is not None:
                keys, splits = stored
                design = SplitDesign.from_indices(splits, n_samples)
        # `fit` itself may repeat a split, as scikit-learn allows.
        if self.n_batches:
            check_new(keys, set(self.split_keys))
        n_before = len(self.split_keys)
        columns = np.arange(n_before, n_before + len(splits))
        self.design = design if self.design is None else self.design.followed_by(design)
        self.split_keys += keys
        tests: Sequence[NDArray[np.intp]] = ()
        if self.ledger.responses is not None:
            tests = tested_samples(splits, n_samples)
            self._given.check_keeping(len(self.candidates), design)
        self.ledger = self.ledger.widened(len(splits), tests, n_samples)
        self._asked = np.pad(self._asked, ((0, 0), (0, len(splits))))
        self._splits.update(zip(columns.tolist(), splits, strict=True))
        self.n_batches += 1
        if self._saving is not None:
            rows = self._plan.rows
            rows = np.arange(len(self.candidates)) if rows is None else rows
            self.ledger = self._saving.load(self.ledger, self.split_keys, self._splits, rows)
            self.retried = self._saving.retried
        return columns

    def run_all(self, rows: Chosen, columns: Chosen) -> int:
        """Fit the cells of a block of any size that the ledger does not have.

        Returns the number of those that no start has tried.
        """
        n_new = self._n_new(rows, columns)
        self._asked[np.ix_(rows, columns)] = True
        # A block has as many splits as `get_n_splits` said: `evaluate_candidates` refuses any other
        # number. `block_size` chose one that divides the number of each part.
        for lacking, splits in self.ledger.lacking(rows, columns):
            for first in range(0, splits.size, self.cv.block):
                self._run_blocks(lacking, splits[first : first + self.cv.block])
        return n_new

    def run(self, rows: Chosen, columns: Chosen) -> int:
        """Fit the candidates that lack any of these `cv.block` splits; return as `run_all`."""
        n_new = self._n_new(rows, columns)
        # Marked even if not fitted: outcomes in the file are used only if the plan needs them.
        self._asked[np.ix_(rows, columns)] = True
        self._run_blocks(rows[self.ledger.lacks(rows, columns).any(axis=1)], columns)
        return n_new

    def _n_new(self, rows: Chosen, columns: Chosen) -> int:
        lacks = self.ledger.lacks(rows, columns)
        if self.retried is not None:
            lacks &= ~self.retried[np.ix_(rows, columns)]
        return int(lacks.sum())

    def _run_blocks(self, todo: Chosen, columns: Chosen) -> None:
        """Fit candidates on splits; with a ledger, some candidates at a time."""
        alone = np.isin(todo, list(self._worker_failures.suspects))
        together = todo[~alone]
        size = candidates_at_once(
            self._given.options,
            together.size,
            self.cv.block,
            saves=self._saving is not None,
            shown=self.progress.shown,
        )
        for start in range(0, together.size, max(1, size)):
            self._run_block(together[start : start + size], columns)
        for row in todo[alone]:  # last, so that the outcomes of the others are saved by then
            self._run_block(np.array([row]), columns)

    def order(self, drawn: Chosen) -> Chosen:
        """The order of splits that the file has, or else the one that was drawn."""
        return drawn if self._saving is None else np.array(self._saving.file.order(drawn.tolist()))

    def search(self, evaluate_candidates: Callable[..., Any], context: Any, hooks: Hooks) -> None:
        """Evaluate what the plan asks for; if all fits failed, raise scikit-learn's ValueError."""
        self._evaluate, self._search = evaluate_candidates, hooks.search
        n_fits = self._plan.n_fits
        self._search.verbose = 0  # scikit-learn prints at every block; `Fitting` sets it back
        self._context = Numbered.begun(context, self._search, n_fits, self.cv.block)
        shown = self._given.options.verbose > 0
        with Progress(type(self._search).__name__, n_fits, shown=shown) as self.progress:
            size = self._plan.size or (len(self.candidates), len(self.split_keys), None)
            self.progress.begin(*size)
            result = self._plan.evaluate(self)
            if not self.ledger.n_ran:
                raise all_failed(errors for _, _, errors in self._unknown)
            if not self._answered:  # the file had everything
                self._fit_one_block()
            if self._context is not None:
                self._context.end(self._search)
            if result.cut is not None:
                self.progress.stop(f"[stopped] {self._given.limit.stopped(result.cut)}")
        self._done = self.ledger.only(self._asked)
        if self._saving is not None:
            self.fitted_attributes |= self._saving.end(self._asked, cut=result.cut is not None)
        if result.cut is not None:
            self._keep(result.cut)
        asked = self._done
        warn_of_failures(asked.errors, asked.n_ran, self._given.options.error_score)
        self.fitted_attributes |= {"n_splits_": len(self.split_keys), **result.attributes}
        assert self.design is not None
        self._results.update(rendered(asked, self.candidates, result.columns, hooks))

    def format_results(
        self, hooks: Hooks, candidates: Any, n_splits: int, outcomes: Any, more: Any
    ) -> dict[str, Any]:
        """Take the outcomes of the newest block."""
        # `fit` hands in all outcomes so far after every block, and keeps the mapping that it gets
        # last as `cv_results_`: the same one each time, which `search` fills in the end.
        self._outcomes, self._n_seen = list(outcomes[self._n_seen :]), len(outcomes)
        return self._results

    def continues_after(self, error: BaseException) -> bool:
        """Whether another run should continue from the file, after a loss of workers."""
        if self._saving is None or not self._saving.is_working or self._fitting is None:
            return False
        return self._worker_failures.should_continue(
            error, self._fitting, self.candidates, self._given.options, self._saving.n_saved
        )

    def note_saved(self, error: BaseException) -> None:
        """Add to an error that ends the search how many fits are saved."""
        if self._saving is not None and self.ledger.n_ran:
            self._saving.note_saved(error)

    def close(self, changed: Collection[str]) -> None:
        """Release the file, and the splits, which may be larger than the data."""
        self.data, self._splits = (None, None, {}), {}
        self._evaluate = self._search = self._context = None
        if self._saving is not None:
            self._saving.close(changed)

    def _keep(self, cut: PartialResult) -> None:
        """Keep some splits, as if `cv` had made no others."""
        assert self.design is not None
        whole, limit, options = self.design, self._given.limit, self._given.options
        splits = [self._splits[column] for column in cut.splits.tolist()]
        self.design = SplitDesign.from_indices(splits, count_samples(self.data[0]))
        self.split_keys = [self.split_keys[column] for column in cut.splits]
        self._done = self._done.of_splits(cut.splits)
        self.note = f"The search was cut: {limit.clause(cut)}."
        self.fitted_attributes["stopped_"] = limit.stopped(cut)
        warn_of_part_of_a_repeat(pair_test(options.settings["test"]), whole, self.design)

    def _begin(self, X: Any, y: Any, params: Mapping[str, Any]) -> int:
        # Only here: metadata routing is done, and `groups` are where the splitter wants them.
        self.data = X, y, params
        known = self._given.known
        if known is not None:
            self.design, self.ledger = known.design, known.ledger
            self.split_keys, self.n_batches = list(known.split_keys), known.n_batches
            self._asked = known.ledger.ran
        if self._given.identity is not None:
            self._saving = Saving(
                self._given,
                is_first=not self._worker_failures.n,
                has_begun=lambda: self._evaluate is not None,
                settings=self._plan.settings or self._given.options.settings,
            )
        return self._plan.begin(self)

    def _run_block(self, rows: Chosen, columns: Chosen) -> None:
        self._fitting = block = rows.tobytes(), columns.tobytes()
        lost = self._worker_failures.given_up.get(block)
        if lost is not None:
            self._unknown.append((rows, columns, Counter({lost: rows.size * columns.size})))
        elif self._fit_and_count(rows, columns):
            if self._outcomes[0]["test_scores"] == {}:
                raise ValueError("`scoring` must return at least one score; got {}.")
            self.ledger.fill(rows, columns, self._outcomes)
            if self._saving is not None:
                # Before anything else may fail: these fits are not made again.
                self._saving.save(rows, columns, self.ledger.block(rows, columns))
                if self._saving.may_draw:
                    self._saving.check_seeds(self.ledger, rows, columns, self._splits)
        # scikit-learn raises if every fit of a call failed, and returns no outcomes. The metrics of
        # such a block are known as soon as one fit of another block has succeeded.
        if self._unknown and self.ledger.n_ran:
            while self._unknown:
                failed, on, why = self._unknown.pop()
                error_score = float(self._given.options.error_score)
                self.ledger.fail(failed, on, error_score, "\n".join(why))
                if self._saving is not None:
                    self._saving.save(failed, on, self.ledger.block(failed, on))
        self._fitting = None

    def _fit_and_count(self, rows: Chosen, columns: Chosen) -> bool:
        with self._given.limit.timed(rows.size * columns.size):
            fitted = self._fit(rows, columns)
        self.progress.add(rows.size * columns.size)
        return fitted

    def _fit(self, rows: Chosen, columns: Chosen) -> bool:
        """Have scikit-learn fit a block; False if every fit of it failed."""
        assert self._evaluate is not None
        self.cv.served = [self._splits[int(column)] for column in columns]
        candidates = [self.candidates[row] for row in rows]
        context = {} if self._context is None else {"callback_ctx": self._context}
        try:
            with warnings.catch_warnings():
                # scikit-learn warns after every block; `warn_of_failures` does it once.
                warnings.simplefilter("ignore", FitFailedWarning)
                self._evaluate(candidates, cv=self.cv, **context)
        except ValueError as failure:
            if not says_that_all_failed(failure) or self._given.options.error_score == "raise":
                raise
            self._unknown.append((rows, columns, errors_of(failure)))
            return False
        finally:
            self.cv.served = ()  # `split` refuses calls that no block asked for
        self._answered = True
        return True

    def _fit_one_block(self) -> None:
        """Fit one candidate on a block again."""
        # `fit` of scikit-learn reads `multimetric_` off the first outcome, and has none if
        # `evaluate_candidates` was never called.
        columns = np.array(sorted(self._splits)[: self.cv.block])
        fitted = ~self.ledger.lacks(np.arange(self.ledger.n_candidates), columns).any(axis=1)
        sound = fitted & ~self.ledger.failed[:, columns].any(axis=1)
        if not self._fit(np.flatnonzero(sound if sound.any() else fitted)[:1], columns):
            raise all_failed(errors for _, _, errors in self._unknown)


Block = tuple[bytes, bytes]
"""Candidates and splits of a block, as bytes."""


@dataclass
class WorkerFailures:
    """Blocks that were lost with the workers that fitted them, in one call of ``fit``.

    If a block is lost twice, its candidates are fitted one at a time. If a candidate is lost twice
    when fitted alone, it is given up, provided that workers still run other tasks.

    Attributes
    ----------
    n : int
        Number of losses.
    of_block : Counter
        Number of losses of each block.
    suspects : set of int
        Candidates that are fitted alone.
    given_up : dict
        Blocks that are no longer fitted, and the error recorded for their fits.
    """

    n: int = 0
    of_block: Counter[Block] = field(default_factory=Counter)
    suspects: set[int] = field(default_factory=set)
    given_up: dict[Block, str] = field(default_factory=dict)

    def should_continue(
        self,
        error: BaseException,
        block: Block,
        candidates: Sequence[Mapping[str, Any]],
        options: Options,
        n_saved: int,
    ) -> bool:
        """Record that an error lost a block; return whether the search should continue."""
        if not is_loss(error):
            return False
        # The bytes of two arrays can be counted and compared; arrays have no hash.
        rows = np.frombuffer(block[0], dtype=np.intp).tolist()
        self.n += 1
        self.of_block[block] += 1
        name = type(error).__name__
        message = (
            f"A worker was lost ({name}), and with it the block that was being fitted. The search "
            f"goes on from its `ledger`, with {count(n_saved, 'fit')}."
        )
        if self.of_block[block] > 1:
            # "raise" requires the error itself, not a score instead of the fits.
            if options.error_score == "raise":
                return False
            # The first loss may be the fault of the machine; the second is blamed on a candidate.
            if len(rows) > 1:
                self.suspects.update(rows)
            # If even a trivial task kills its worker, the fault is not the candidate's.
            elif not _workers_work(options.n_jobs):
                return False
            else:
                n_splits = np.frombuffer(block[1], dtype=np.intp).size
                self.given_up[block] = f"{name}: the worker of this candidate was lost, twice."
                params = candidates[rows[0]].items()
                message = (
                    f"Candidate {rows[0]} ({', '.join(f'{k}={shown(v)}' for k, v in params)}) "
                    f"ended its worker twice ({name}). Its fits on {count(n_splits, 'split')} are "
                    "marked as failed, and the search goes on."
                )
        warn_user(message, UserWarning)
        return True


def is_loss(error: BaseException) -> bool:
    """Whether joblib says that a worker of loky or dask died."""
    # loky's TerminatedWorkerError is a BrokenExecutor of the standard library. dask raises
    # CancelledError if the worker alone held data, and KilledWorker if a task ended several of
    # them; that goes by name, because dask need not be installed.
    return isinstance(error, BrokenExecutor | CancelledError) or (
        type(error).__name__ == "KilledWorker"
    )


def _workers_work(n_jobs: int | None) -> bool:
    """Whether workers run a trivial task."""
    try:
        return Parallel(n_jobs=n_jobs)(delayed(abs)(-k) for k in range(2)) == [0, 1]
    except Exception as error:
        if is_loss(error):
            return False
        raise


_MOST_NAMED = 20  # candidates in a warning


def rendered(
    ledger: Ledger, candidates: Sequence[Mapping[str, Any]], more: Mapping[str, Any], hooks: Hooks
) -> dict[str, Any]:
    """``cv_results_`` as scikit-learn makes it of all outcomes, with `more` columns."""
    with warnings.catch_warnings():
        # scikit-learn (`_format_results`, 1.6 to 1.9) says this of every NaN, also of cells that a
        # race or an extension did not run.
        warnings.filterwarnings("ignore", message="One or more of the .* scores are non-finite")
        results: dict[str, Any] = hooks.format_results(
            candidates, ledger.n_splits, ledger.rows(), more
        )
    for part in ("test", "train"):
        bad = np.flatnonzero(ledger.non_finite(f"{part}_scores")).tolist()
        if bad:
            named = ", ".join(map(str, bad[:_MOST_NAMED]))
            rest = ", …" if len(bad) > _MOST_NAMED else ""
            warn_user(
                f"One or more of the {part} scores are non-finite, those of "
                f"{count(len(bad), 'candidate')}: {named}{rest}",
                UserWarning,
            )
    return results


class Numbered:
    """What scikit-learn 1.9 makes the contexts of the fits of all blocks of.

    `evaluate_candidates` numbers them from 0 at every call, and siblings must differ. A context for
    each block, as BaseSuccessiveHalving has one for each iteration, would have a progress bar each,
    and a search with a ledger has hundreds of blocks.

    Parameters
    ----------
    context : CallbackContext
        Of all fits.
    """

    def __init__(self, context: Any) -> None:
        self._context, self._numbers = context, itertools.count()

    @classmethod
    def begun(cls, context: Any, search: Any, n_fits: int, n_again: int) -> Self | None:
        """Begin a subtask of so many fits at most, and `n_again` more; None before 1.9."""
        if context is None:
            return None
        # A context refuses more. Where nothing was lacking, or all that was failed, one candidate
        # is fitted on a block again.
        most = n_fits + n_again
        sub = context.subcontext(task_name="search", max_subtasks=most, sequential_subtasks=False)
        return cls(sub.call_on_fit_task_begin(estimator=search))

    def subcontext(self, task_name: str = "", task_id: int | None = None) -> Any:
        """A context for the next fit."""
        return self._context.subcontext(task_name=task_name, task_id=next(self._numbers))

    def end(self, search: Any) -> None:
        """Say that the subtask has ended."""
        self._context.call_on_fit_task_end(estimator=search)
