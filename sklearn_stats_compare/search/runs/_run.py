"""Run: one fit of a search, which hands the cells of a plan to workers as these are free."""

from __future__ import annotations

import copy
import threading
import time
import warnings
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, CancelledError
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier
from sklearn.model_selection import check_cv
from sklearn.utils.parallel import delayed as configured

from sklearn_stats_compare._sklearn_private import (
    count_samples,
    fit_and_score,
    in_place_of_parallel,
    take_rows,
    unordered,
    warn_or_raise_about_failures,
)
from sklearn_stats_compare._utils._formatting import count
from sklearn_stats_compare._utils._progress import Progress
from sklearn_stats_compare._utils._validation import shown, warn_user, without_warnings
from sklearn_stats_compare.comparison._planning import InterimAnalyses
from sklearn_stats_compare.predictions._predicted import Independent, independent_units
from sklearn_stats_compare.predictions._responses import Responses, as_given
from sklearn_stats_compare.search.ledger._fingerprint import splitter_key
from sklearn_stats_compare.search.ledger._ledger import Cell, Outcome, Outcomes
from sklearn_stats_compare.search.ledger._saving import Saving
from sklearn_stats_compare.search.runs import _plans
from sklearn_stats_compare.search.runs._extension import check_alike, check_new
from sklearn_stats_compare.stats import _design
from sklearn_stats_compare.stats._family import pair_test

_MOST_OF_FIRST = 10**7  # samples × splits of which ledgers count what the first ones test


class Run:
    """A fit of a search whose candidates are known.

    It is called where scikit-learn's ``fit`` would evaluate all tasks at once. A `Stream` evaluates
    the cells that the plan names instead, in its order; they go to `Outcomes`, from which
    ``cv_results_`` is made in the end.

    Parameters
    ----------
    given : FitContext
        What ``fit`` was given.
    plan : Plan
        Which candidates are evaluated on which splits.
    """

    def __init__(self, given: _plans.FitContext, plan: _plans.Plan) -> None:
        self.candidates: Sequence[dict[str, Any]] = list(given.candidates or ())
        self.design: _design.SplitDesign | None = None
        keeps = given.options.return_predictions
        kept = Responses(are_values=keeps in ("auto", "values"), by_default=keeps == "auto")
        self.ledger = Outcomes(len(self.candidates), 0, kept if keeps else None)
        self.split_keys: list[str] = []
        self.n_batches = 0
        self.cv = PlannedSplits(given.cv, self._begin)
        self.data: tuple[Any, Any, Mapping[str, Any]] = (None, None, {})
        self.groups: Any = None  # of samples, that the splitter was given
        self.fitted_attributes: dict[str, Any] = {"stopped_": None}
        self.note = ""
        self.tested: NDArray[np.intp] | None = None  # rows of the data in the test sets of this run
        self.progress = Progress("", 0, shown=False)
        self._given = given
        self._plan = plan
        self._failures = WorkerFailures(self.candidates, given.options)
        self._saving: Saving | None = None
        self._name = ""
        self._hooks: _plans.Hooks | None = None
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
        self._loss: BaseException | None = None  # of workers, the last thing that happened

    @property
    def interim(self) -> InterimAnalyses | None:
        """The interim analyses of an extension."""
        return self._plan.interim

    @property
    def evaluated(self) -> _plans.Evaluated:
        """The outcomes of this search; the file may have others."""
        return _plans.Evaluated(self.design, tuple(self.split_keys), self._done, self.n_batches)

    @property
    def n_splits(self) -> int:
        """Number of splits so far."""
        return len(self.split_keys)

    def n_made_besides(self, asked: NDArray[np.bool_]) -> int:
        """Number of fits of this run that are none of `asked`."""
        return sum(1 for cell in self._handed if self.ledger.has(cell) and not asked[cell])

    def take(self, cv: Any) -> _plans.Chosen:
        """Add the splits of `cv` to those so far; return their columns.

        Raises ValueError if they train on more or fewer samples than those so far; if `cv` makes no
        splits, repeats earlier ones, or yields something other than indices; or if the ledger has
        other splits.
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
        stratified = source.stratified
        design = replace(_design.SplitDesign.from_indices(splits, n_samples), stratified=stratified)
        is_new = not _design.n_repeated(keys, set(self.split_keys))
        if self.design is not None and is_new:
            # Scores are averaged over both, so models must be trained on as much data. Before
            # `settle` saves the splits: the file would keep what was refused.
            check_alike(self.design, design)
        if self._saving is not None:
            file, number = self._saving.file, self.n_batches
            stored = file.settle(number, keys, splits, design, n_samples, source.drawn)
            if stored is not None:
                keys, splits = stored
                design = replace(
                    _design.SplitDesign.from_indices(splits, n_samples), stratified=stratified
                )
        # `fit` itself may repeat a split, as scikit-learn allows.
        if self.n_batches:
            check_new(keys, set(self.split_keys))
        n_before = self.n_splits
        columns = np.arange(n_before, n_before + len(splits))
        self.design = design if self.design is None else self.design.followed_by(design)
        self.split_keys += keys
        self._splits += [(None, None)] * (n_before - len(self._splits)) + splits
        in_tests = tested_samples(splits, n_samples)
        before = [] if self.tested is None else [self.tested]
        self.tested = np.unique(np.concatenate([*before, *in_tests]))
        tests: Sequence[NDArray[np.intp]] = ()
        if self.ledger.responses is not None:
            n_candidates = len(self.candidates)
            if self._given.keeps(n_candidates, self.design) and self._plan.keeps(self):
                tests = in_tests
            else:
                self.ledger = self.ledger.without_responses()
        self.ledger = self.ledger.widened(len(splits), tests, n_samples)
        self._retried = np.pad(self._retried, ((0, 0), (0, self.n_splits - self._retried.shape[1])))
        self.n_batches += 1
        if self._saving is not None:
            rows = self._plan.rows
            rows = np.arange(len(self.candidates)) if rows is None else rows
            self.ledger = self._saving.load(self.ledger, self.split_keys, columns, rows)
            self._retried = self._saving.retried
        return columns

    def order(self, drawn: _plans.Chosen) -> _plans.Chosen:
        """The order of splits that the file has, or else the one that was drawn."""
        return drawn if self._saving is None else np.array(self._saving.file.order(drawn.tolist()))

    def search(
        self, evaluate_candidates: Callable[..., Any], context: Any, hooks: _plans.Hooks
    ) -> None:
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
        self, hooks: _plans.Hooks, candidates: Any, n_splits: int, outcomes: Any, more: Any
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
            adds = self._plan.adds_splits
            self._saving = Saving(self._given, settings=settings, adds_splits=adds)
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
        keeps = self.ledger.responses is not None
        self._fits = Fits.of(task, self.candidates, self._splits, self._contexts, keeps=keeps)
        options, plan = self._given.options, self._plan
        # From 2 on scikit-learn prints a line for each fit.
        verbose = options.verbose
        shows = {"shown": verbose > 0, "has_bar": verbose < 2}
        with Progress(self._name, plan.n_fits, **shows) as self.progress:
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

    def _units(self) -> tuple[Independent, list[tuple[int, Independent]]]:
        """`independent_units` of all splits so far; if cheap, also after each that the plan takes.

        The latter with the split that is the last.
        """
        assert self.design is not None
        assert self.tested is not None
        own = self._given.scoring(self._given.scorers(), self.groups)
        units = independent_units(own, self.design, own.scorers, self.tested)
        firsts: list[tuple[int, Independent]] = []
        tested = np.zeros(count_samples(self.data[0]), dtype=bool)
        tests = [test for _, test in self._splits]
        is_cheap = tested.size * len(tests) <= _MOST_OF_FIRST
        if is_cheap and any(units.values()) and not any(test is None for test in tests):
            order = [] if self._plan.order is None else self._plan.order.tolist()
            for split in dict.fromkeys([*order, *range(len(tests))]):
                tested[_design.as_index(tests[split])] = True
                rows = np.flatnonzero(tested)
                firsts.append((split, independent_units(own, self.design, own.scorers, rows)))
        return units, firsts

    def _stream_all(self, parallel: Any) -> None:
        options, fits = self._given.options, self._fits
        plan, limit = self._plan, self._given.limit
        assert fits is not None
        saves = self._saving is not None
        adaptive, alone = plan.is_adaptive, saves and options.error_score == "raise"
        bounded = adaptive or limit.is_set or saves or options.verbose > 0
        stream = Stream(parallel, fits, options, adaptive=adaptive, bounded=bounded, alone=alone)
        while True:
            if self._saving is not None:
                self._saving.start(self.ledger, fits, parallel, self._units)
            self._apart.clear()  # `_wanted` finds those that are left
            cells = self._wanted(plan.cells(self))
            with self._lock:
                first = next(cells, None)
            if first is not None:
                self._consume(stream, chain([first], cells))
            elif self._apart:
                # One at a time, after all others, whose outcomes are saved by then.
                cell = min(self._apart)
                self._handed.add(cell)
                self._consume(stream, iter([(cell, limit.deadline)]))
            else:
                if self._saving is not None:  # the file has the splits that were taken meanwhile
                    self._saving.start(self.ledger, fits, parallel, self._units)
                return

    def _consume(self, stream: Stream, cells: Iterator[tuple[Cell, float | None]]) -> None:
        try:
            for cell, outcome in stream.run(cells, self._n_ahead, self._lock):
                self._take(cell, outcome)
        except BaseException as error:
            if not self._continues_after(error, stream):
                if self._loss is not None:  # no fit has ended since: a cluster may be closed
                    raise error from self._loss
                raise
            self._loss = error

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
        self._loss = None
        with self._lock:
            if outcome is None:  # the time was over
                self._handed.discard(cell)
                self._refused = True
                return
            if outcome["test_scores"] == {}:
                raise ValueError("`scoring` must return at least one score; got {}.")
            keeps = self.ledger.responses is not None
            self.ledger.enter(cell, outcome)
            if keeps and self.ledger.responses is None:  # they have become too large
                assert self._fits is not None
                self._fits.given["scorer"] = as_given(self._fits.given["scorer"])
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
        return self._failures.should_continue(error, lost, self.ledger, self._saving.n_saved)

    def _give_up(self, cell: Cell) -> None:
        text = self._failures.given_up[cell[0]]
        score = float(self._given.options.error_score)
        outcome = {"fit_error": text, "fit_time": score, "score_time": score, "test_scores": score}
        if self._given.options.return_train_score:
            outcome["train_scores"] = score
        self._take(cell, outcome)

    def _finished(self, result: _plans.PlanResult) -> Sequence[Any]:
        """Make the results; return outcomes that scikit-learn does not have to complain of."""
        options, hooks = self._given.options, self._hooks
        assert hooks is not None
        asked = self.ledger.only(result.asked)
        if (kept := asked.responses) is not None:
            kept.runs_ahead = False
            asked.responses = None if kept.are_too_large else kept
        warn_or_raise_about_failures(asked.fit_errors(), options.error_score)
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

    def _keep(self, cut: _plans.PartialResult) -> None:
        """Keep some splits, as if `cv` had made no others."""
        assert self.design is not None
        whole, limit, options = self.design, self._given.limit, self._given.options
        splits = [self._splits[column] for column in cut.splits.tolist()]
        self.tested = _design.tested_rows(splits, count_samples(self.data[0]))
        design = _design.SplitDesign.from_indices(splits, count_samples(self.data[0]))
        self.design = replace(design, stratified=whole.stratified)
        self.split_keys = [self.split_keys[column] for column in cut.splits]
        self._done = self._done.of_splits(cut.splits)
        self.note = f"The search was cut: {limit.clause(cut)}."
        self.fitted_attributes["stopped_"] = limit.stopped(cut)
        _plans.warn_of_part_of_a_repeat(pair_test(options.settings["test"]), whole, self.design)


_MOST_NAMED = 20  # candidates in a warning


def rendered(
    ledger: Outcomes,
    candidates: Sequence[Mapping[str, Any]],
    more: Mapping[str, Any],
    hooks: _plans.Hooks,
) -> dict[str, Any]:
    """``cv_results_`` as scikit-learn makes it of all outcomes, with `more` columns."""
    if ledger.ran.all():
        return _ranked(hooks.format_results(candidates, ledger.n_splits, ledger.rows(), more))
    # scikit-learn (`_format_results`, 1.6 to 1.9) says this of every NaN, also of cells that a race
    # or an extension did not run.
    with without_warnings(UserWarning, "One or more of the .* scores are non-finite"):
        results = hooks.format_results(candidates, ledger.n_splits, ledger.rows(), more)
    for part in ("test", "train"):
        bad = np.flatnonzero(ledger.non_finite(f"{part}_scores")).tolist()
        if bad:
            named = ", ".join(map(str, bad[:_MOST_NAMED]))
            rest = ", …" if len(bad) > _MOST_NAMED else ""
            warn_user(
                f"One or more of the {part} scores are non-finite, those of "
                f"{count(len(bad), 'candidate')}: {named}{rest}",
                "non-finite-scores",
                UserWarning,
            )
    return _ranked(results)


def _ranked(results: dict[str, Any]) -> dict[str, Any]:
    """The results, with candidates without a mean in the last place.

    scikit-learn ranks them by the lowest mean − 1. That is the lowest mean itself where it is
    beyond ±2⁵³, as squared errors of large amounts are, and may be the best one after a race.
    """
    for name in [key for key in results if key.startswith("rank_test_")]:
        unknown = np.isnan(np.asarray(results[f"mean_{name.removeprefix('rank_')}"], dtype=float))
        if not unknown.all():
            results[name][unknown] = np.count_nonzero(~unknown) + 1
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


_TARGET = 0.1
"""Seconds of a task: short fits go together, for their overhead. As long may a result be late."""

_ROUND = 2.0
"""Seconds of a list of tasks, where joblib's backend returns outcomes when all have ended."""


class Fits(NamedTuple):
    """Fits of a search, as scikit-learn's ``fit`` would make them.

    Attributes
    ----------
    estimator, X, y : object
        What is cloned and fitted, and the data.
    given : dict
        Keywords of ``_fit_and_score`` that all fits share.
    candidates : sequence of dict
        Parameters of each candidate.
    splits : sequence of (train, test)
        Training and test samples of each split.
    contexts : mapping of cell to CallbackContext
        For the callbacks of scikit-learn 1.9.
    """

    estimator: Any
    X: Any
    y: Any
    given: dict[str, Any]
    candidates: Sequence[Mapping[str, Any]]
    splits: Sequence[tuple[Any, Any]]
    contexts: Mapping[Cell, Any]

    @classmethod
    def of(
        cls,
        task: Any,
        candidates: Sequence[Any],
        splits: Sequence[Any],
        contexts: Mapping[Cell, Any],
        *,
        keeps: bool,
    ) -> Fits:
        """Read what all fits share off the first of scikit-learn's own tasks.

        `keeps` is whether what candidates predict is kept.
        """
        _, (estimator, X, y), keywords = task
        given = {name: value for name, value in keywords.items() if name not in _OF_A_FIT}
        if not keeps:
            given["scorer"] = as_given(given["scorer"])
        return cls(estimator, X, y, given, candidates, splits, contexts)

    def task(self, cells: Sequence[Cell], deadline: float | None) -> Any:
        """A task for joblib: some fits, none of which begins after `deadline`."""
        fits = [(clone(self.estimator), self._keywords(cell)) for cell in cells]
        # X and y by their places: dask sends large arguments of a task to each worker once.
        return configured(_fit_cells)(self.X, self.y, cells, fits, deadline, self.given)

    def again(self, cells: Sequence[Cell], parallel: Any = None) -> dict[Cell, Outcome]:
        """Make fits, by `parallel` or in this process, without a trace of them."""
        given = {**self.given, "verbose": 0}
        if given["error_score"] == "raise":
            given["error_score"] = np.nan  # a check must see a failure, and not end with it
        quiet = self._replace(given=given, contexts={})
        tasks = [quiet.task([cell], None) for cell in cells]
        # Other numbers each time, and not to change what the user's own fits draw
        # (`random_state=None`).
        state = np.random.get_state()  # noqa: NPY002  # the generator that estimators draw from
        try:
            np.random.seed()  # noqa: NPY002
            if parallel is None:
                done = [_fit_cells(*arguments) for _, arguments, _ in tasks]
            else:
                done = list(parallel(tasks))
        finally:
            np.random.set_state(state)  # noqa: NPY002
        return {of[0]: outcomes[0] for of, outcomes, _ in done if outcomes[0] is not None}

    def _keywords(self, cell: Cell) -> dict[str, Any]:
        row, column = cell
        train, test = self.splits[column]
        context = self.contexts.get(cell)
        return {
            "train": train,
            "test": test,
            "parameters": self.candidates[row],
            "split_progress": (column, len(self.splits)),
            "candidate_progress": (row, len(self.candidates)),
            # Versions of scikit-learn before 1.9 have no such parameter, and no context.
            **({} if context is None else {"callback_ctx": context}),
        }


_OF_A_FIT = ("train", "test", "parameters", "split_progress", "candidate_progress", "callback_ctx")


def _fit_cells(
    X: Any,
    y: Any,
    cells: Sequence[Cell],
    fits: Sequence[tuple[Any, Mapping[str, Any]]],
    deadline: float | None,
    given: Mapping[str, Any],
) -> tuple[Sequence[Cell], list[Outcome | None], float]:
    """Make fits in a worker; None for those after the deadline. Also how long they took."""
    began = time.perf_counter()
    outcomes: list[Outcome | None] = []
    for estimator, keywords in fits:
        # Not a monotonic clock, which another machine does not share.
        if deadline is not None and time.time() >= deadline:
            outcomes.append(None)
        else:
            outcomes.append(fit_and_score(estimator, X, y, **keywords, **given))
    return cells, outcomes, time.perf_counter() - began


class Stream:
    """Outcomes of fits as they come, in whatever order they end.

    Parameters
    ----------
    parallel : Parallel
        That of scikit-learn's ``fit``, within its context.
    fits : Fits
        How fits are made.
    options : Options
        Of the search.
    adaptive : bool
        Whether outcomes decide which fits are made, so that few may be under way.
    bounded : bool
        Whether outcomes are wanted soon, even if joblib's backend returns them all together.
    alone : bool
        Whether a task may hold one fit only.

    Attributes
    ----------
    under_way : set of (int, int)
        Cells that were handed to workers and have not come back.
    """

    def __init__(
        self,
        parallel: Any,
        fits: Fits,
        options: _plans.Options,
        *,
        adaptive: bool,
        bounded: bool,
        alone: bool,
    ) -> None:
        self._parallel, self._fits = parallel, fits
        self._n_jobs = max(1, effective_n_jobs(options.n_jobs))
        # A task that waited for a worker might be needless by the time one is free.
        ahead = "n_jobs" if adaptive else options.pre_dispatch
        self._returns_at_once = unordered(parallel, pre_dispatch=ahead)
        self._bounded = bounded
        self._alone = alone or self._n_jobs == 1
        self._seconds, self._n_fits = 0.0, 0
        self.under_way: set[Cell] = set()

    def run(
        self,
        cells: Iterator[tuple[Cell, float | None]],
        n_ahead: Callable[[], int],
        lock: Any,
    ) -> Iterator[tuple[Cell, Outcome | None]]:
        """Fit cells; yield each with its outcome, None for one that the deadline has prevented.

        Parameters
        ----------
        cells : iterator
            Which cells to fit, and the time after which each must not begin, or None. joblib's
            threads ask for the next one when a worker is free.
        n_ahead : callable
            Returns how many cells are certain to be wanted, before outcomes decide.
        lock : context manager
            Held while `cells` is asked.
        """
        tasks = self._tasks(cells, n_ahead, lock)
        while True:
            if self._returns_at_once:
                some: Iterable[Any] = tasks
            else:
                some = self._list(tasks, n_ahead)
                if not some:
                    return
            outcomes = self._parallel(some)
            try:
                for of_task, found, seconds in outcomes:
                    self._seconds += seconds
                    self._n_fits += sum(outcome is not None for outcome in found)
                    for cell, outcome in zip(of_task, found, strict=True):
                        self.under_way.discard(cell)
                        yield cell, outcome
            except BaseException:
                # joblib warns of tasks that it drops; an error, or Ctrl-C, says enough.
                if hasattr(outcomes, "close"):
                    with warnings.catch_warnings():  # without the lock: workers may wait for it
                        warnings.simplefilter("ignore")
                        outcomes.close()
                raise
            if self._returns_at_once:
                return

    def _tasks(
        self,
        cells: Iterator[tuple[Cell, float | None]],
        n_ahead: Callable[[], int],
        lock: Any,
    ) -> Iterator[Any]:
        while True:
            with lock:
                chosen: list[Cell] = []
                until: float | None = None
                for cell, deadline in cells:
                    until = deadline
                    chosen.append(cell)
                    self.under_way.add(cell)
                    if len(chosen) >= self._size(n_ahead()):
                        break
            if not chosen:
                return
            yield self._fits.task(chosen, until)

    def _size(self, n_ahead: int) -> int:
        """Number of fits of a task."""
        if self._alone or not self._n_fits:
            return 1
        enough = int(_TARGET * self._n_fits / max(self._seconds, 1e-9))
        # Towards the end all workers should end at about the same time.
        return max(1, min(enough, n_ahead // (2 * self._n_jobs)))

    def _list(self, tasks: Iterator[Any], n_ahead: Callable[[], int]) -> list[Any]:
        """Tasks of about `_ROUND` seconds; all of them if nothing depends on their outcomes."""
        found: list[Any] = []
        for task in tasks:
            found.append(task)
            mean = self._seconds / self._n_fits if self._n_fits else _ROUND
            enough = len(self.under_way) * mean >= _ROUND * self._n_jobs
            if self._bounded and (enough or not n_ahead()):
                break
        return found


@dataclass
class WorkerFailures:
    """Fits that were lost with their workers, in one call of ``fit``.

    The candidates of fits that were under way in two losses are fitted alone, after all others. A
    candidate that is lost twice when fitted alone is given up, provided that workers still run
    other tasks.

    Attributes
    ----------
    candidates, options : sequence of dict, Options
        Of the search.
    suspects : set of int
        Candidates that are fitted alone.
    given_up : dict
        Candidates that are no longer fitted, and the error recorded for their fits.
    """

    candidates: Sequence[Mapping[str, Any]]
    options: _plans.Options
    suspects: set[int] = field(default_factory=set)
    given_up: dict[int, str] = field(default_factory=dict)
    _of_cell: Counter[Cell] = field(default_factory=Counter)
    _alone: Counter[int] = field(default_factory=Counter)

    def should_continue(
        self, error: BaseException, under_way: set[Cell], ledger: Outcomes, n_saved: int
    ) -> bool:
        """Record that an error lost fits; return whether the search should continue."""
        if not is_loss(error):
            return False
        name = type(error).__name__
        message = (
            f"A worker was lost ({name}), and with it the fits that were under way. The search "
            f"goes on from its `ledger`, with {count(n_saved, 'fit')}."
        )
        self._of_cell.update(under_way)
        again = {row for row, column in under_way if self._of_cell[row, column] > 1}
        if again:
            # "raise" requires the error itself, not a score instead of the fits.
            if self.options.error_score == "raise":
                return False
            # The first loss may be the fault of the machine; the second is blamed on a candidate.
            alone = len(again) == 1 and again <= self.suspects
            self.suspects |= again
            self._alone.update(again if alone else ())
            (row, *_) = again
            if alone and self._alone[row] > 1:
                # If even a trivial task kills its worker, the fault is not the candidate's.
                if not _workers_work(self.options.n_jobs):
                    return False
                self.given_up[row] = f"{name}: the worker of this candidate was lost, twice."
                params = ", ".join(f"{k}={shown(v)}" for k, v in self.candidates[row].items())
                n_left = int(np.count_nonzero(~ledger.ran[row]))
                message = (
                    f"Candidate {row} ({params}) ended its worker twice ({name}). Its fits on "
                    f"{count(n_left, 'split')} are marked as failed, and the search goes on."
                )
        warn_user(message, "lost-worker", UserWarning)
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


CANDIDATES_OF_ITS_OWN = (
    "`ledger` and `max_time` must be None if a subclass overrides `_run_search`, because the "
    "candidates must be known beforehand."
)


class PlannedSplits:
    """Replaces a search's `cv` during a fit: it begins the plan, and serves its splits.

    Parameters
    ----------
    cv : int, splitter, iterable or None
        The user's own, for its metadata requests.
    begin : callable
        Called once with X, y and routed metadata; returns the number of splits that the user's own
        `cv` announces, and the splits.

    Attributes
    ----------
    is_searched : bool
        Whether the search that is fitted evaluates the candidates of the plan.
    """

    def __init__(
        self, cv: Any, begin: Callable[[Any, Any, Mapping[str, Any]], tuple[int, Sequence[Any]]]
    ) -> None:
        self._begin: Any = begin
        self._n_splits = 0
        self._splits: Sequence[Any] = ()
        self.is_searched = False
        # scikit-learn calls it on the search's `cv` to find out whether it needs `groups`.
        if hasattr(cv, "get_metadata_routing"):
            self.get_metadata_routing = cv.get_metadata_routing

    def __getstate__(self) -> dict[str, Any]:
        # From 1.9 on scikit-learn sends the search, and with it its cv, to the workers with every
        # task (`caller=self`). They split nothing, and splits may be larger than the data.
        return {"_begin": None, "_n_splits": self._n_splits, "_splits": (), "is_searched": True}

    def get_n_splits(self, X: Any = None, y: Any = None, **params: Any) -> int:
        """Number of splits."""
        # `fit` passes the data, and what is routed to the splitter, before it evaluates anything.
        if self._begin is not None:
            begin, self._begin = self._begin, None
            self._n_splits, self._splits = begin(X, y, params)
        return self._n_splits

    def split(self, X: Any, y: Any = None, **params: Any) -> Iterator[tuple[Any, Any]]:
        """Yield the splits once; scikit-learn 1.9 keeps its cv, and would keep them."""
        splits, self._splits = self._splits, ()
        if not splits or not self.is_searched:
            raise ValueError(CANDIDATES_OF_ITS_OWN)
        return iter(splits)


def tested_samples(splits: Sequence[tuple[Any, Any]], n_samples: int) -> list[NDArray[np.intp]]:
    """Test samples of splits, as whole numbers."""
    samples = np.arange(n_samples)
    return [samples[_design.as_index(test)] for _, test in splits]


def keys_of(splits: Sequence[tuple[Any, Any]], n_samples: int) -> list[str]:
    """Keys of splits; ValueError if they are no indices."""
    try:
        return _design.split_keys(splits, n_samples)
    except (IndexError, TypeError, ValueError):
        raise ValueError("`cv` must yield (train, test) indices of samples.") from None


class SplitSource:
    """A user's `cv`, and the data that it splits.

    Parameters
    ----------
    cv : int, splitter, iterable or None
        As for scikit-learn's searches.
    X, y, params : object
        What is split, and what metadata routing or ``groups=`` brings.
    classifier : bool
        Whether the estimator is a classifier, for which scikit-learn stratifies.
    """

    def __init__(
        self, cv: Any, X: Any, y: Any, params: Mapping[str, Any], *, classifier: bool
    ) -> None:
        self._cv = cv
        self._X, self._y, self._params = X, y, params
        self._classifier = classifier

    def n_splits(self) -> int:
        """The number of splits that it announces."""
        return int(self._checked(self._cv).get_n_splits(self._X, self._y, **self._params))

    def splits(self) -> list[tuple[Any, Any]]:
        """The splits that it makes now."""
        return list(self._checked(self._cv).split(self._X, self._y, **self._params))

    @property
    def stratified(self) -> bool:
        """Whether all test sets are known to have the same shares of the classes."""
        # An iterable of splits may be a generator, which `check_cv` would use up.
        return not np.iterable(self._cv) and _design.stratifies(self._checked(self._cv))

    def drawn(self, keys: list[str]) -> str:
        """Key of how it draws splits; empty where it makes those with these keys every time."""
        if not hasattr(self._cv, "split"):  # a number, or the splits themselves
            return ""
        try:
            # A copy: drawing from a RandomState in `cv` would change what the user draws next.
            again = self._checked(copy.deepcopy(self._cv))
        except Exception:  # it cannot be copied: it holds a generator, say
            again = None
        if again is not None:
            # An unseeded splitter makes other splits this time.
            splits = list(again.split(self._X, self._y, **self._params))
            if _design.split_keys(splits, count_samples(self._X)) == keys:
                return ""
        return splitter_key(self._checked(self._cv))

    def _checked(self, cv: Any) -> Any:
        return check_cv(cv, self._y, classifier=self._classifier)
