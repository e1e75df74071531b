"""Stream: hands the fits of a plan to joblib's workers one after the other, as these are free."""

from __future__ import annotations

import copy
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, CancelledError
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import check_cv
from sklearn.utils.parallel import delayed as configured

from sklearn_stats_compare._sklearn_private import count_samples, fit_and_score, unordered
from sklearn_stats_compare._utils._formatting import count
from sklearn_stats_compare._utils._validation import shown, warn_user
from sklearn_stats_compare.search.ledger._fingerprint import splitter_key
from sklearn_stats_compare.search.ledger._ledger import Cell, Outcome
from sklearn_stats_compare.search.runs._settings import Options
from sklearn_stats_compare.stats._design import as_index, split_keys, stratifies

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
    given : mapping
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
    given: Mapping[str, Any]
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
    ) -> Fits:
        """Read what all fits share off the first of scikit-learn's own tasks."""
        _, (estimator, X, y), keywords = task
        given = {name: value for name, value in keywords.items() if name not in _OF_A_FIT}
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
        # Not to change what the user's own fits draw (`random_state=None`).
        state = np.random.get_state()  # noqa: NPY002  # the generator that estimators draw from
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # the same fits gave the same warnings before
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
        options: Options,
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
            finally:
                # joblib warns of tasks that it drops; an error, or Ctrl-C, says enough.
                if hasattr(outcomes, "close"):
                    with warnings.catch_warnings():
                        warnings.simplefilter("ignore")
                        outcomes.close()
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
    suspects : set of int
        Candidates that are fitted alone.
    given_up : dict
        Candidates that are no longer fitted, and the error recorded for their fits.
    """

    suspects: set[int] = field(default_factory=set)
    given_up: dict[int, str] = field(default_factory=dict)
    _of_cell: Counter[Cell] = field(default_factory=Counter)
    _alone: Counter[int] = field(default_factory=Counter)

    def should_continue(
        self,
        error: BaseException,
        under_way: set[Cell],
        candidates: Sequence[Mapping[str, Any]],
        options: Options,
        n_saved: int,
        n_left: Callable[[int], int],
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
            if options.error_score == "raise":
                return False
            # The first loss may be the fault of the machine; the second is blamed on a candidate.
            alone = len(again) == 1 and again <= self.suspects
            self.suspects |= again
            self._alone.update(again if alone else ())
            (row, *_) = again
            if alone and self._alone[row] > 1:
                # If even a trivial task kills its worker, the fault is not the candidate's.
                if not _workers_work(options.n_jobs):
                    return False
                self.given_up[row] = f"{name}: the worker of this candidate was lost, twice."
                params = ", ".join(f"{k}={shown(v)}" for k, v in candidates[row].items())
                message = (
                    f"Candidate {row} ({params}) ended its worker twice ({name}). Its fits on "
                    f"{count(n_left(row), 'split')} are marked as failed, and the search goes on."
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
    return [samples[as_index(test)] for _, test in splits]


def keys_of(splits: Sequence[tuple[Any, Any]], n_samples: int) -> list[str]:
    """Keys of splits; ValueError if they are no indices."""
    try:
        return split_keys(splits, n_samples)
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
        return not np.iterable(self._cv) and stratifies(self._checked(self._cv))

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
            if split_keys(splits, count_samples(self._X)) == keys:
                return ""
        return splitter_key(self._checked(self._cv))

    def _checked(self, cv: Any) -> Any:
        return check_cv(cv, self._y, classifier=self._classifier)
