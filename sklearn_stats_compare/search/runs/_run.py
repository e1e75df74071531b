"""Run: one fit of a search, which evaluates the cells that a plan asks for as workers are free."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier

from sklearn_stats_compare._sklearn_private import (
    count_samples,
    in_place_of_parallel,
    take_rows,
    warn_or_raise_about_failures,
)
from sklearn_stats_compare._utils._formatting import count
from sklearn_stats_compare._utils._validation import warn_user
from sklearn_stats_compare.predictions._responses import Responses
from sklearn_stats_compare.search.ledger._ledger import Cell, Ledger, Outcome
from sklearn_stats_compare.search.runs._extension import InterimAnalyses, check_alike, check_new
from sklearn_stats_compare.search.runs._plans import Chosen, Evaluated, Hooks, Plan, PlanResult
from sklearn_stats_compare.search.runs._restart import Saving
from sklearn_stats_compare.search.runs._settings import (
    FitContext,
    PartialResult,
    Progress,
    warn_of_part_of_a_repeat,
)
from sklearn_stats_compare.search.runs._stream import (
    Fits,
    PlannedSplits,
    SplitSource,
    Stream,
    WorkerFailures,
    keys_of,
    tested_samples,
)
from sklearn_stats_compare.stats._design import SplitDesign, n_repeated
from sklearn_stats_compare.stats._family import pair_test


class Run:
    """A fit of a search whose candidates are known.

    It is called where scikit-learn's ``fit`` would evaluate all tasks at once. A `Stream` evaluates
    the cells that the plan names instead, in its order; the outcomes go to a `Ledger`, from which
    ``cv_results_`` is made in the end.

    Parameters
    ----------
    given : FitContext
        What ``fit`` was given.
    plan : Plan
        Which candidates are evaluated on which splits.
    """

    def __init__(self, given: FitContext, plan: Plan) -> None:
        self.candidates: Sequence[dict[str, Any]] = list(given.candidates or ())
        self.design: SplitDesign | None = None
        keeps = given.options.return_predictions
        kept = Responses(are_values=keeps == "values") if keeps else None
        self.ledger = Ledger(len(self.candidates), 0, kept)
        self.split_keys: list[str] = []
        self.n_batches = 0
        self.cv = PlannedSplits(given.cv, self._begin)
        self.data: tuple[Any, Any, Mapping[str, Any]] = (None, None, {})
        self.groups: Any = None  # of samples, that the splitter was given
        self.fitted_attributes: dict[str, Any] = {"stopped_": None}
        self.note = ""
        self.progress = Progress("", 0, shown=False)
        self._given = given
        self._plan = plan
        self._failures = WorkerFailures()
        self._saving: Saving | None = None
        self._name = ""
        self._hooks: Hooks | None = None
        self._fits: Fits | None = None
        self._contexts: Mapping[Cell, Any] = {}
        self._results: dict[str, Any] = {}
        self._done = self.ledger  # without cells that this search did not ask for
        self._splits: list[tuple[Any, Any]] = []
        self._retried: NDArray[np.bool_] = np.zeros((len(self.candidates), 0), dtype=bool)
        self._apart: set[Cell] = set()  # of candidates that are fitted alone
        self._waiting: list[Cell] = []  # failed before any fit had named the metrics
        # Plan, ledger and the set below change while joblib's threads ask for the next cell.
        self._lock = threading.RLock()
        self._handed: set[Cell] = set()
        self._refused = False  # a cell, because the time is over

    @property
    def interim(self) -> InterimAnalyses | None:
        """The interim analyses of an extension."""
        return self._plan.interim

    @property
    def evaluated(self) -> Evaluated:
        """The outcomes of this search; the file may have others."""
        return Evaluated(self.design, tuple(self.split_keys), self._done, self.n_batches)

    @property
    def n_splits(self) -> int:
        """Number of splits so far."""
        return len(self.split_keys)

    def n_made_besides(self, asked: NDArray[np.bool_]) -> int:
        """Number of fits of this run that are none of `asked`."""
        return sum(1 for cell in self._handed if self.ledger.has(cell) and not asked[cell])

    def take(self, cv: Any, *, of_any_size: bool = True) -> Chosen:
        """Add the splits of `cv` to those so far; return their columns.

        ``of_any_size=False`` refuses splits that train on more or fewer samples than those so far.
        It also raises ValueError if `cv` makes no splits, repeats earlier ones, or yields something
        other than indices; or if the ledger has other splits.
        """
        source = self._source(cv)
        splits = source.splits()
        if not splits or not self.candidates:
            raise ValueError(  # in the words of scikit-learn
                "No fits were performed. Was the CV iterator empty? Were there no candidates?"
            )
        n_samples = count_samples(self.data[0])
        try:
            keys = keys_of(splits, n_samples)
        except ValueError:
            for indices in (part for split in splits for part in split):
                take_rows(self.data[0], indices)  # raises scikit-learn's own error
            raise
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
        design = replace(design, stratified=source.stratified)
        # `fit` itself may repeat a split, as scikit-learn allows.
        if self.n_batches:
            check_new(keys, set(self.split_keys))
        n_before = self.n_splits
        columns = np.arange(n_before, n_before + len(splits))
        self.design = design if self.design is None else self.design.followed_by(design)
        self.split_keys += keys
        self._splits += [(None, None)] * (n_before - len(self._splits)) + splits
        tests: Sequence[NDArray[np.intp]] = ()
        if self.ledger.responses is not None:
            tests = tested_samples(splits, n_samples)
            self._given.check_keeping(len(self.candidates), design)
        self.ledger = self.ledger.widened(len(splits), tests, n_samples)
        self._retried = np.pad(self._retried, ((0, 0), (0, self.n_splits - self._retried.shape[1])))
        self.n_batches += 1
        if self._saving is not None:
            rows = self._plan.rows
            rows = np.arange(len(self.candidates)) if rows is None else rows
            self.ledger = self._saving.load(self.ledger, self.split_keys, columns, rows)
            self._retried = self._saving.retried
        return columns

    def order(self, drawn: Chosen) -> Chosen:
        """The order of splits that the file has, or else the one that was drawn."""
        return drawn if self._saving is None else np.array(self._saving.file.order(drawn.tolist()))

    def search(self, evaluate_candidates: Callable[..., Any], context: Any, hooks: Hooks) -> None:
        """Have scikit-learn call `_evaluate` in place of its own loop."""
        hooks.search.verbose = 0  # scikit-learn would print another number of fits
        self._name = type(hooks.search).__name__
        contexts = Contexts.begun(context, hooks.search, len(self.candidates), self.n_splits)
        options = {} if contexts is None else {"callback_ctx": contexts}
        self._contexts = {} if contexts is None else contexts.of_cells
        self._hooks, self.cv.is_searched = hooks, True
        with in_place_of_parallel(evaluate_candidates, self._evaluate):
            evaluate_candidates(self.candidates, **options)
        if contexts is not None:
            contexts.end(hooks.search)

    def format_results(
        self, hooks: Hooks, candidates: Any, n_splits: int, outcomes: Any, more: Any
    ) -> dict[str, Any]:
        """``cv_results_``, which `_evaluate` has made."""
        return self._results

    def note_saved(self, error: BaseException) -> None:
        """Add to an error that ends the search how many fits are saved."""
        if self._saving is not None and self.ledger.n_ran:
            self._saving.flush()
            self._saving.note_saved(error)

    def close(self, changed: Collection[str]) -> None:
        """Release the file, and the splits, which may be larger than the data."""
        self.data, self._splits = (None, None, {}), []
        self._contexts, self._hooks, self._fits = {}, None, None
        if self._saving is not None:
            self._saving.close(changed)

    def _begin(self, X: Any, y: Any, params: Mapping[str, Any]) -> tuple[int, Sequence[Any]]:
        # Only here: metadata routing is done, and `groups` are where the splitter wants them.
        self.data, self.groups = (X, y, params), params.get("groups")
        known = self._given.known
        announced: int | None = None  # an extension has the splits so far, and others
        if known is not None:
            self.design, self.ledger = known.design, known.ledger
            self.split_keys, self.n_batches = list(known.split_keys), known.n_batches
            self._retried = np.zeros(known.ledger.ran.shape, dtype=bool)
        else:
            announced = self._source(self._given.cv).n_splits()
        if self._given.identity is not None:
            settings = self._plan.settings or self._given.options.settings
            self._saving = Saving(self._given, settings=settings)
        self._plan.begin(self)
        return self.n_splits if announced is None else announced, list(self._splits)

    def _source(self, cv: Any) -> SplitSource:
        classifier = is_classifier(self._given.options.estimator)
        return SplitSource(cv, *self.data, classifier=classifier)

    def _evaluate(self, parallel: Any, tasks: Iterator[Any]) -> Sequence[Any]:
        """Evaluate what the plan asks for, where scikit-learn would evaluate its tasks."""
        task = next(iter(tasks), None)
        if task is None:
            return []
        if self.cv.get_n_splits() != self.n_splits:  # scikit-learn refuses such a `cv`
            return [{}] * (len(self.candidates) * self.n_splits)
        self._fits = Fits.of(task, self.candidates, self._splits, self._contexts)
        options, plan = self._given.options, self._plan
        # From 2 on scikit-learn prints a line for each fit.
        verbose = options.verbose
        with Progress(
            self._name, plan.n_fits, shown=verbose > 0, has_bar=verbose < 2
        ) as self.progress:
            self.progress.begin(*(plan.size or (len(self.candidates), self.n_splits, None)))
            try:
                self._stream_all(parallel)
            finally:
                if self._saving is not None:
                    self._saving.flush()
            result = plan.end(self, cut=self._refused)
            if result.cut is not None:
                self.progress.stop(f"[stopped] {self._given.limit.stopped(result.cut)}")
        return self._finished(result)

    def _stream_all(self, parallel: Any) -> None:
        options, fits = self._given.options, self._fits
        plan, limit = self._plan, self._given.limit
        assert fits is not None
        saves = self._saving is not None
        stream = Stream(
            parallel,
            fits,
            options,
            adaptive=plan.is_adaptive,
            bounded=plan.is_adaptive or limit.is_set or saves or options.verbose > 0,
            alone=saves and options.error_score == "raise",
        )
        while True:
            if self._saving is not None:
                self._saving.start(self.ledger, fits, parallel)
            self._apart.clear()  # `_wanted` finds those that are left
            cells = self._wanted(plan.cells(self))
            with self._lock:
                first = next(cells, None)
            if first is not None:
                self._consume(stream, _before(first, cells))
            elif self._apart:
                # One at a time, after all others, whose outcomes are saved by then.
                cell = min(self._apart)
                self._handed.add(cell)
                self._consume(stream, iter([(cell, limit.deadline)]))
            else:
                return

    def _consume(self, stream: Stream, cells: Iterator[tuple[Cell, float | None]]) -> None:
        try:
            for cell, outcome in stream.run(cells, self._n_ahead, self._lock):
                self._take(cell, outcome)
        except BaseException as error:
            if not self._continues_after(error, stream):
                raise

    def _wanted(self, cells: Iterator[Cell]) -> Iterator[tuple[Cell, float | None]]:
        """The cells that are to be handed out now, and when it is too late for each."""
        limit = self._given.limit
        for cell in cells:
            if cell in self._handed or self.ledger.has(cell):
                continue
            if cell[0] in self._failures.given_up:
                self._give_up(cell)
            elif limit.refuses():
                self._refused = True
                return
            elif cell[0] in self._failures.suspects:
                self._apart.add(cell)
            else:
                self._handed.add(cell)
                yield cell, limit.hand(is_new=not self._retried[cell])

    def _n_ahead(self) -> int:
        return self._plan.n_ahead(self, self._handed)

    def _take(self, cell: Cell, outcome: Outcome | None) -> None:
        """Store an outcome, save it, move the progress line, and tell the plan."""
        with self._lock:
            if outcome is None:  # the time was over
                self._handed.discard(cell)
                self._refused = True
                return
            if outcome["test_scores"] == {}:
                raise ValueError("`scoring` must return at least one score; got {}.")
            self.ledger.enter(cell, outcome)
            self._given.limit.count()
            self.progress.add(1)
        # joblib's threads need not wait for the file, nor for a fit that is made again.
        if self._saving is not None:
            self._save(cell)
        with self._lock:
            self._plan.take(self, cell)

    def _save(self, cell: Cell) -> None:
        assert self._saving is not None
        assert self._fits is not None
        self._waiting.append(cell)
        if not self.ledger.metrics():
            return  # all fits failed so far
        self._saving.save(self._waiting, self.ledger)
        self._waiting = []
        if self._saving.may_draw and not self.ledger.failed[cell]:
            self._saving.check_seed(self.ledger, cell, self._fits)

    def _continues_after(self, error: BaseException, stream: Stream) -> bool:
        """Whether to continue from the file, after a loss of workers."""
        lost, stream.under_way = set(stream.under_way), set()
        if self._saving is None or not self._saving.is_working:
            return False
        self._saving.flush()
        self._handed.clear()
        columns = np.arange(self.n_splits)
        return self._failures.should_continue(
            error,
            lost,
            self.candidates,
            self._given.options,
            self._saving.n_saved,
            lambda row: int(self.ledger.lacks(np.array([row]), columns).sum()),
        )

    def _give_up(self, cell: Cell) -> None:
        text = self._failures.given_up[cell[0]]
        score = float(self._given.options.error_score)
        outcome = {"fit_error": text, "fit_time": score, "score_time": score, "test_scores": score}
        if self._given.options.return_train_score:
            outcome["train_scores"] = score
        self._take(cell, outcome)

    def _finished(self, result: PlanResult) -> Sequence[Any]:
        """Make the results; return outcomes that scikit-learn does not have to complain of."""
        options, hooks = self._given.options, self._hooks
        assert hooks is not None
        asked = self.ledger.only(result.asked)
        _warned(lambda: warn_or_raise_about_failures(asked.fit_errors(), options.error_score))
        asked.check_metrics()
        self._done = asked
        if self._saving is not None:
            self.fitted_attributes |= self._saving.end(result.asked, cut=result.cut is not None)
        if result.cut is not None:
            self._keep(result.cut)
        self.fitted_attributes |= {"n_splits_": self.n_splits, **result.attributes}
        self._results = rendered(self._done, self.candidates, result.columns, hooks)
        outcomes = self._done.rows()
        n_expected = len(self.candidates) * self.cv.get_n_splits()
        sound = [{**outcome, "fit_error": None} for outcome in outcomes[:n_expected]]
        return sound + sound[:1] * (n_expected - len(sound))

    def _keep(self, cut: PartialResult) -> None:
        """Keep some splits, as if `cv` had made no others."""
        assert self.design is not None
        whole, limit, options = self.design, self._given.limit, self._given.options
        splits = [self._splits[column] for column in cut.splits.tolist()]
        design = SplitDesign.from_indices(splits, count_samples(self.data[0]))
        self.design = replace(design, stratified=whole.stratified)
        self.split_keys = [self.split_keys[column] for column in cut.splits]
        self._done = self._done.of_splits(cut.splits)
        self.note = f"The search was cut: {limit.clause(cut)}."
        self.fitted_attributes["stopped_"] = limit.stopped(cut)
        warn_of_part_of_a_repeat(pair_test(options.settings["test"]), whole, self.design)


def _before(first: Any, cells: Iterator[Any]) -> Iterator[Any]:
    yield first
    yield from cells


def _warned(call: Callable[[], Any]) -> Any:
    """What a function of scikit-learn returns; its warnings name the user's line."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = call()
    for warning in caught:
        warn_user(str(warning.message), warning.category)
    return found


_MOST_NAMED = 20  # candidates in a warning


def rendered(
    ledger: Ledger, candidates: Sequence[Mapping[str, Any]], more: Mapping[str, Any], hooks: Hooks
) -> dict[str, Any]:
    """``cv_results_`` as scikit-learn makes it of all outcomes, with `more` columns."""
    results: dict[str, Any]
    if ledger.ran.all():
        results = _warned(
            lambda: hooks.format_results(candidates, ledger.n_splits, ledger.rows(), more)
        )
        return results
    with warnings.catch_warnings():
        # scikit-learn (`_format_results`, 1.6 to 1.9) says this of every NaN, also of cells that a
        # race or an extension did not run.
        warnings.filterwarnings("ignore", message="One or more of the .* scores are non-finite")
        results = hooks.format_results(candidates, ledger.n_splits, ledger.rows(), more)
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


class Contexts:
    """Contexts for the callbacks of scikit-learn 1.9, by cell.

    scikit-learn makes them before the first fit, because making one changes the search, which is
    pickled with every task. It numbers them by candidate, then by split.

    Parameters
    ----------
    context : CallbackContext
        Of all fits.
    n_splits : int
        Number of splits.
    """

    def __init__(self, context: Any, n_splits: int) -> None:
        self._context, self._n_splits = context, n_splits
        self.of_cells: dict[Cell, Any] = {}

    @classmethod
    def begun(cls, context: Any, search: Any, n_candidates: int, n_splits: int) -> Contexts | None:
        """Begin the task of all fits, as ``GridSearchCV._run_search`` does; None before 1.9."""
        if context is None:
            return None
        most = n_candidates * n_splits
        sub = context.subcontext(task_name="search", max_subtasks=most, sequential_subtasks=False)
        return cls(sub.call_on_fit_task_begin(estimator=search), n_splits)

    def subcontext(self, task_name: str = "", task_id: int = 0) -> Any:
        """A context for the fit of this number."""
        made = self._context.subcontext(task_name=task_name, task_id=task_id)
        self.of_cells[divmod(task_id, self._n_splits)] = made
        return made

    def end(self, search: Any) -> None:
        """Say that all fits have ended."""
        self._context.call_on_fit_task_end(estimator=search)
