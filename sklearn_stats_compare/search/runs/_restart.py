"""Saving: reads and writes the ledger's file for a run by blocks, and checks what it found."""

import contextlib
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np
from joblib import parallel_config
from numpy.typing import NDArray

from sklearn_stats_compare._sklearn_private import BaseSearchCV
from sklearn_stats_compare._utils._formatting import count
from sklearn_stats_compare._utils._validation import shown, warn_user
from sklearn_stats_compare.comparison.readers._sizes import single_metric_name
from sklearn_stats_compare.search.ledger._file import LedgerFile
from sklearn_stats_compare.search.ledger._fingerprint import candidate_keys
from sklearn_stats_compare.search.ledger._ledger import Indices, Ledger
from sklearn_stats_compare.search.ledger._storage import search_description
from sklearn_stats_compare.search.runs._blocks import BlockSplitter, says_that_all_failed
from sklearn_stats_compare.search.runs._plans import Chosen
from sklearn_stats_compare.search.runs._settings import FitContext, Options

Splits = Mapping[int, tuple[Any, Any]]


class Saving:
    """The file of a run, and the outcomes found in it.

    Parameters
    ----------
    given : FitContext
        What ``fit`` was given.
    is_first : bool
        Whether this is the first run of a call of ``fit``, before any loss of workers: messages and
        spot checks come once.
    has_begun : callable
        Whether scikit-learn's own `Parallel` is running.
    settings : mapping
        Settings of comparisons.

    Attributes
    ----------
    retried : ndarray of bool, shape (n_candidates, n_splits)
        Whether each cell failed in an earlier start, and is tried again.
    may_draw : bool
        Whether fits may draw random numbers without a seed, and no block has been fitted twice yet
        to check this.
    """

    def __init__(
        self,
        given: FitContext,
        *,
        is_first: bool,
        has_begun: Callable[[], bool],
        settings: Mapping[str, Any],
    ) -> None:
        self._options = options = given.options
        self._is_first = is_first
        self._has_begun = has_begun
        assert given.candidates is not None
        assert given.path is not None
        assert given.identity is not None
        candidates = given.candidates
        self._keys = candidate_keys(candidates)  # before the file is opened: it may raise
        self._description = search_description(
            candidates, single_metric_name(options), settings, options.refit
        )
        self._split_keys: list[str] = []
        self.file = LedgerFile(given.path, given.identity, strict=options.ledger_strict)
        self._checks = SpotChecks(given)
        self._found: NDArray[np.bool_] = np.zeros((len(candidates), 0), dtype=bool)
        self.retried = self._found
        self._has_warned = False
        self.may_draw = False
        if is_first:
            warn_of_drawn_candidates(options)
            self.may_draw = is_unseeded(options.estimator, candidates)

    @property
    def is_working(self) -> bool:
        """Whether the next search will find newly saved outcomes."""
        return self.file.is_in_place and not self.file.trouble

    @property
    def n_saved(self) -> int:
        """Number of this search's fits in the file."""
        return self._saved().n_ran

    def load(
        self, ledger: Ledger, split_keys: Sequence[str], splits: Splits, rows: Chosen
    ) -> Ledger:
        """Return the ledger with the outcomes in the file, after spot checks of some of them.

        Only `rows` on `splits` are used: another search may have saved more, such as fits that the
        race that is now extended did not run.
        """
        self._split_keys = list(split_keys)
        before = ledger.ran
        starts = self.file.load(ledger, self._keys, self._split_keys)
        wanted = np.zeros_like(before)
        wanted[np.ix_(rows, np.array(list(splits), dtype=np.intp))] = True
        ledger = ledger.only(before | wanted)
        found = ledger.ran & ~before
        n_new = found.shape[1] - self._found.shape[1]
        self._found, self.retried = (
            np.pad(cells, ((0, 0), (0, n_new))) for cells in (self._found, self.retried)
        )
        # After a loss of workers, failures in the file are of this call, and were tried already.
        if self._options.retry_failed and self._is_first:
            failed = ledger.failed & found
            self.retried = self.retried | failed
            if failed.any():
                ledger = ledger.only(~failed)
                found &= ~failed
                warn_user(
                    f"{count(int(np.count_nonzero(failed)), 'fit')} that failed before will be "
                    "repeated. With `retry_failed=False` they stay failed.",
                    UserWarning,
                )
        self._found = self._found | found
        if found.any():
            if self._options.verbose > 0:
                n_wanted = np.count_nonzero(wanted & ~before)
                print(f"[ledger] {found.sum():,} of {n_wanted:,} fits are done already")
            if self._is_first:
                with self._sequential_backend():
                    # Not the failed ones: the machine may be the cause, such as lack of memory.
                    self._checks.compare(
                        ledger, splits, found & ~ledger.failed, starts, self.file.name
                    )
        # Again for each batch of splits: an extension that looks takes more while it runs.
        if not self.file.start(self._keys, self._split_keys, self._description):
            self._warn_of_trouble()
        return ledger

    def save(self, rows: Chosen, columns: Chosen, outcomes: Mapping[str, Any]) -> None:
        """Save a block of outcomes, as `Ledger.block` returns it."""
        candidates = [self._keys[row] for row in rows]
        if not self.file.save(candidates, [self._split_keys[k] for k in columns], outcomes):
            self._warn_of_trouble()

    def check_seeds(self, ledger: Ledger, rows: Chosen, columns: Chosen, splits: Splits) -> None:
        """Fit some cells of a block again, and warn if their scores are random."""
        with self._sequential_backend():
            self.may_draw = not self._checks.warn_if_random(ledger, splits, rows, columns)

    def note_saved(self, error: BaseException) -> None:
        """Add to an error that ends the search how many fits are saved."""
        saved = self._saved()
        # With `retry_failed` a new start fits the failed ones again.
        n_again = np.count_nonzero(saved.failed) if self._options.retry_failed else 0
        safe = count(saved.n_ran - int(n_again), "fit")
        error.add_note(
            f"{safe} of this search are in its `ledger` and will not be fitted again when it "
            "is started again."
        )

    def end(self, asked: NDArray[np.bool_], *, cut: bool) -> dict[str, Any]:
        """Save that the search has ended, or was cut; return its fitted attributes."""
        if not self.file.end(cut=cut):
            self._warn_of_trouble()
        n_reused = int(np.count_nonzero(self._found & asked))
        return {"n_reused_": n_reused, "n_retried_": int(np.count_nonzero(self.retried))}

    def close(self, changed: Collection[str]) -> None:
        """Save which values of the user's code the fits changed, and release the file."""
        # Known only now; after an error too, or the next start would refuse the file.
        self.file.add_state(changed)
        self.file.close()

    def _sequential_backend(self) -> contextlib.AbstractContextManager[Any]:
        """Run fits sequentially while scikit-learn's own `Parallel` is running."""
        # In a `joblib.parallel_config` both would have the same backend object, which the inner
        # `Parallel` terminates when it ends (`_terminate_and_reset`, joblib 1.6).
        if self._has_begun():
            return parallel_config(backend="sequential")
        return contextlib.nullcontext()

    def _saved(self) -> Ledger:
        """The outcomes in the file."""
        # Read again, because an interrupt may come between a save and an entry in the run's ledger.
        saved = Ledger(len(self._keys), len(self._split_keys))
        # A file that was moved or replaced may be open still, but no later search would find it.
        if self.file.is_in_place:
            self.file.load(saved, self._keys, self._split_keys)
        return saved

    def _warn_of_trouble(self) -> None:
        """Say once that nothing more is saved, and how much was."""
        if self._has_warned:  # a full disk fails after every block
            return
        self._has_warned = True
        warn_user(
            f"The search goes on, but it is no longer saved: {self.file.name} cannot be written to "
            f"({self.file.trouble}). It contains {count(self.n_saved, 'fit')} of this search; a "
            "restarted search will repeat the others.",
            UserWarning,
        )


SPOT_CHECKS = 3

_SHARE = 0.01

_MOST_SPLITS = 3

# With another number of threads BLAS adds in another order, which changes the last digits.
_RELATIVE, _ABSOLUTE = 1e-6, 1e-9

_TRIES = 4
"""How often fits are made again before differing scores are put down to something that changed."""

Cell = tuple[int, int]

Scores = dict[str, float]


class CellSearch(BaseSearchCV):
    """scikit-learn's own search over some candidates on one split, for their outcomes."""

    def __init__(self, options: Options, candidates: Sequence[Mapping[str, Any]], cv: Any) -> None:
        super().__init__(
            estimator=options.estimator,
            scoring=options.scoring,
            n_jobs=options.n_jobs,
            refit=False,  # the outcomes are all that is wanted
            cv=cv,
            pre_dispatch=options.pre_dispatch,
            # A check must see a failure as a failure, and not end the search with it.
            error_score=np.nan if options.error_score == "raise" else options.error_score,
        )
        self.options = options
        self.candidates = candidates
        self.outcomes: list[dict[str, Any]] = []

    def _run_search(self, evaluate_candidates: Any) -> None:
        evaluate_candidates(self.candidates)

    def _format_results(
        self, candidate_params: Any, n_splits: int, out: Any, more_results: Any = None
    ) -> Any:
        self.outcomes = out
        return super()._format_results(candidate_params, n_splits, out, more_results)

    def __getstate__(self) -> dict[str, Any]:
        # From 1.9 on scikit-learn sends the search with every task (`caller=self`); workers do not
        # need these.
        unwanted = {"options": None, "candidates": (), "cv": None}
        return {**super().__getstate__(), **unwanted}


class SpotChecks:
    """Makes some fits of a search again, and compares their scores with its ledger.

    Parameters
    ----------
    given : FitContext
        What ``fit`` was given.
    """

    def __init__(self, given: FitContext) -> None:
        self._given = given
        self._candidates = given.candidates or ()

    def compare(
        self,
        ledger: Ledger,
        splits: Splits,
        eligible: NDArray[np.bool_],
        starts: NDArray[np.int64],
        name: str,
    ) -> None:
        """Compare some of the eligible cells of a ledger, before anything of it is used.

        Parameters
        ----------
        ledger : Ledger
            The stored scores.
        splits : mapping of int to (train, test)
            Its splits.
        eligible : ndarray of bool, shape (n_candidates, n_splits)
            Cells to choose from.
        starts : ndarray of int, shape (n_candidates, n_splits)
            Number of the start of the search that saved each.
        name : str
            The file, as messages have it.

        Raises
        ------
        ValueError
            If a cell has another score, the same one each time it is fitted; a warning comes
            instead where `ledger_strict` is False, or the scores are random.
        """
        # Unseeded, and not NumPy's global generator: each start checks other cells, and the user's
        # random numbers stay as they were.
        cells = _chosen_cells(eligible, starts, np.random.default_rng())
        now = self._scores_again(splits, cells)
        for cell in cells:
            then = _scores_of(ledger, cell)
            metric = _differing_metric(then, now[cell])
            if metric is None:
                continue
            if self._are_random(splits, cells, now):
                self._warn_of_randomness(cell, metric, then[metric], now[cell].get(metric))
            else:
                self._refuse(name, cell, metric, then[metric], now[cell].get(metric))
            return

    def warn_if_random(
        self, ledger: Ledger, splits: Splits, rows: Indices, columns: Indices
    ) -> bool:
        """Make fits of a block again, and warn if they are random; False if there is none."""
        cells = [(int(i), int(j)) for i in rows for j in columns if not ledger.failed[i, j]]
        now = self._scores_again(splits, cells[:SPOT_CHECKS])
        if any(_differing_metric(_scores_of(ledger, cell), now[cell]) for cell in now):
            warn_user(
                "If this search is killed and started again, its `cv_results_` may differ: "
                "`random_state` of the estimator is None, and a repeated fit had other scores. Set "
                "it to an int.",
                UserWarning,
            )
        return bool(now)

    def _are_random(
        self, splits: Splits, cells: Sequence[Cell], now: Mapping[Cell, Scores]
    ) -> bool:
        """Whether the same fits have other scores each time they are made."""
        for _ in range(_TRIES):  # scores such as 9 of 10 right may agree by chance
            again = self._scores_again(splits, cells)
            if any(_differing_metric(now[cell], again[cell]) for cell in cells):
                return True
        return False

    def _refuse(self, name: str, cell: Cell, metric: str, then: float, now: float | None) -> None:
        params = ", ".join(f"{k}={shown(v)}" for k, v in self._candidates[cell[0]].items())
        message = (
            f"{name} has scores that the same fits no longer give: candidate {cell[0]} "
            f"({params}) on split {cell[1]} has {metric} = {then:.10g} in the ledger, and "
            f"{'fails' if now is None else f'{now:.10g}'} when it is fitted again. "
        )
        if self._given.options.ledger_strict:
            raise ValueError(
                f"`ledger` must belong to this search; {message}Something that the ledger cannot "
                "see has changed, such as a file that the estimator reads or a library that "
                "another library calls. Use another file, or delete it to start again. With "
                "`ledger_strict=False` the stored scores are accepted."
            )
        warn_user(
            f"The ledger {message}They are kept, because `ledger_strict` is False.", UserWarning
        )

    def _warn_of_randomness(self, cell: Cell, metric: str, then: float, now: float | None) -> None:
        difference = abs(then - (np.nan if now is None else now))
        warn_user(
            f"This search is not deterministic: the scores of candidate {cell[0]}, fitted again, "
            f"differ from those in the `ledger`, by {difference:.3g} in {metric}. The scores in "
            "the ledger were kept. Set `random_state` to an int, so that a restarted search gives "
            "the same `cv_results_`.",
            UserWarning,
        )

    def _scores_again(self, splits: Splits, cells: Sequence[Cell]) -> dict[Cell, Scores]:
        """Test scores of cells that are fitted now; none of those that fail."""
        found: dict[Cell, Scores] = {}
        options = self._given.options
        for split in dict.fromkeys(j for _, j in cells):
            rows = [i for i, j in cells if j == split]
            # One call for each split: `evaluate_candidates` fits all candidates on all splits.
            splitter = BlockSplitter(options.cv, lambda *_: 1)
            splitter.served = [splits[split]]
            again = CellSearch(options, [self._candidates[row] for row in rows], splitter)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # the same fits gave the same warnings before
                try:
                    again.fit(self._given.X, self._given.y, **self._given.params)
                except ValueError as error:
                    if not says_that_all_failed(error):
                        raise
            # If all fits failed, scikit-learn raised before it called `_format_results`.
            outcomes = again.outcomes or [{"fit_error": "all"}] * len(rows)
            for row, outcome in zip(rows, outcomes, strict=True):
                failed = outcome["fit_error"] is not None
                found[row, split] = {} if failed else _by_metric(outcome["test_scores"])
        return found


def _chosen_cells(
    eligible: NDArray[np.bool_], starts: NDArray[np.int64], rng: np.random.Generator
) -> list[Cell]:
    """Cells to fit again: three, or one in a hundred where that is more.

    They lie on three splits at most, as the candidates of one split are fitted in parallel, and are
    of as many starts of the search as can be: each may have been with other code.
    """
    splits = rng.permutation(np.flatnonzero(eligible.any(axis=0)))[:_MOST_SPLITS]
    cells = [(int(i), int(j)) for j in splits for i in np.flatnonzero(eligible[:, j])]
    size = min(len(cells), max(SPOT_CHECKS, int(_SHARE * np.count_nonzero(eligible))))
    seen: dict[int, int] = {}
    ranked = []
    for place in rng.permutation(len(cells)):
        start = int(starts[cells[place]])
        seen[start] = seen.get(start, 0) + 1
        # First one cell of each start, the latest start first, then a second one of each.
        ranked.append((seen[start], -start, cells[place]))
    return [cell for _, _, cell in sorted(ranked)[:size]]


def _scores_of(ledger: Ledger, cell: Cell) -> Scores:
    i, j = cell
    return {metric: float(ledger.scores([i], [j], metric)[0, 0]) for metric in ledger.metrics()}


def _differing_metric(then: Scores, now: Scores) -> str | None:
    """The metric in which the scores of a cell differ by more than rounding, or None."""
    # Of a fit that fails now, `now` is empty, and the first metric differs.
    for metric, score in then.items():
        if not np.isclose(
            score, now.get(metric, np.nan), rtol=_RELATIVE, atol=_ABSOLUTE, equal_nan=True
        ):
            return metric
    return None


def _by_metric(scores: Any) -> Scores:
    return dict(scores) if isinstance(scores, dict) else {"score": float(scores)}


def warn_of_drawn_candidates(options: Any) -> None:
    """Warn if a search that was killed and started again would draw other candidates."""
    if options.draws_candidates and options.random_state is None:
        warn_user(
            "If this search is killed and started again, its `cv_results_` may differ: "
            "`random_state` of the search is None, so a restart draws other candidates. Set it to "
            "an int.",
            UserWarning,
        )


def is_unseeded(estimator: Any, candidates: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a `random_state` of the estimator is None in any candidate.

    Few of these draw numbers: LogisticRegression with some solvers, SVC with `probability`. Only a
    second fit shows whether one does.
    """
    for name, value in estimator.get_params(deep=True).items():
        if name.rpartition("__")[2] == "random_state" and any(
            params.get(name, value) is None for params in candidates
        ):
            return True
    # Estimators among the values of a grid, once each: several candidates may share one.
    parts = {id(part): part for params in candidates for part in params.values()}
    return any(
        is_unseeded(part, [{}])
        for part in parts.values()
        # A class has an unbound `get_params`, which cannot be called.
        if hasattr(part, "get_params") and not isinstance(part, type)
    )
