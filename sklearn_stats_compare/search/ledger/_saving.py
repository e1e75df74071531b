"""Saving: reads and writes the ledger's file for a run, and checks what it found."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare._utils._formatting import count
from sklearn_stats_compare._utils._validation import shown, warn_user
from sklearn_stats_compare.comparison.readers._sizes import single_metric_name
from sklearn_stats_compare.predictions._predicted import Independent
from sklearn_stats_compare.search.ledger._file import LedgerFile
from sklearn_stats_compare.search.ledger._fingerprint import candidate_keys
from sklearn_stats_compare.search.ledger._ledger import Cell, Outcomes
from sklearn_stats_compare.search.ledger._storage import search_description

if TYPE_CHECKING:
    from sklearn_stats_compare.search.runs._plans import Chosen, FitContext
    from sklearn_stats_compare.search.runs._run import Fits

_LATEST = 0.5
"""Seconds after which an outcome is in the file at the latest."""

_PAUSE = 0.05
"""Seconds between two transactions: one takes milliseconds, as long as many a fit."""


class Saving:
    """The file of a run, and the outcomes found in it.

    Parameters
    ----------
    given : FitContext
        What ``fit`` was given.
    settings : mapping
        Settings of comparisons.
    adds_splits : bool, default=True
        As a `Plan` has it.

    Attributes
    ----------
    retried : ndarray of bool, shape (n_candidates, n_splits)
        Whether each cell failed in an earlier start, and is tried again.
    may_draw : bool
        Whether fits may draw random numbers without a seed, and none has been made twice yet to
        check this.
    """

    def __init__(
        self, given: FitContext, *, settings: Mapping[str, Any], adds_splits: bool = True
    ) -> None:
        self._options = options = given.options
        assert given.candidates is not None
        assert given.path is not None
        assert given.identity is not None
        self._candidates = candidates = given.candidates
        self._keys = candidate_keys(candidates)  # before the file is opened: it may raise
        self._description = search_description(
            candidates, single_metric_name(options), settings, options.refit
        )
        self._split_keys: list[str] = []
        known = None if adds_splits else given.known
        self._n_started = None if known is None else len(known.split_keys)
        self.file = LedgerFile(given.path, given.identity, strict=options.ledger_strict)
        self._found: NDArray[np.bool_] = np.zeros((len(candidates), 0), dtype=bool)
        self.retried = self._found
        self._unchecked: tuple[NDArray[np.bool_], NDArray[np.int64]] | None = None
        self._has_started = self._has_warned = False
        # Outcomes that are not in the file yet: the timer writes them, if no later outcome does.
        self._buffer: list[dict[str, Any]] = []
        self._timer: threading.Timer | None = None
        self._last = -np.inf
        self._writing = threading.RLock()
        self.may_draw = is_unseeded(options.estimator, candidates)

    @property
    def is_working(self) -> bool:
        """Whether the next search will find newly saved outcomes."""
        return self.file.is_in_place and not self.file.trouble

    @property
    def n_saved(self) -> int:
        """Number of this search's fits in the file."""
        saved = self._saved()
        return 0 if saved is None else saved.n_ran

    def load(
        self, ledger: Outcomes, split_keys: Sequence[str], columns: Chosen, rows: Chosen
    ) -> Outcomes:
        """Return the ledger with the outcomes in the file; `start` compares some of them.

        Only `rows` on `columns` are used: another search may have saved more, such as fits that the
        race that is now extended did not run.
        """
        self._split_keys = list(split_keys)
        before = ledger.ran
        starts = self.file.load(ledger, self._keys, self._split_keys)
        wanted = np.zeros_like(before)
        wanted[np.ix_(rows, columns)] = True
        ledger = ledger.only(before | wanted)
        found = ledger.ran & ~before
        n_new = found.shape[1] - self._found.shape[1]
        self._found, self.retried = (
            np.pad(cells, ((0, 0), (0, n_new))) for cells in (self._found, self.retried)
        )
        if self._options.retry_failed:
            failed = (ledger.failed | ledger.scored(self._options.error_score)) & found
            self.retried = self.retried | failed
            if failed.any():
                ledger = ledger.only(~failed)
                found &= ~failed
                warn_user(
                    f"{count(int(np.count_nonzero(failed)), 'fit')} that failed before will be "
                    "repeated. With `Ledger(path, retry_failed=False)` they stay failed.",
                    "failed-before",
                    UserWarning,
                )
        self._found = self._found | found
        if found.any():
            if self._options.verbose > 0:
                n_wanted = np.count_nonzero(wanted & ~before)
                print(f"[ledger] {found.sum():,} of {n_wanted:,} fits are done already")
            # Not the failed ones: the machine may be the cause, such as lack of memory.
            self._unchecked = found & ~ledger.failed, starts
        elif self._options.verbose > 0 and not before.any() and self.file.has_outcomes:
            print(
                "[ledger] none of the saved fits is used: they are of other candidates, splits or "
                "data, or without the predictions that are kept now"
            )
        self._has_started = False
        return ledger

    def start(
        self,
        ledger: Outcomes,
        fits: Fits,
        parallel: Any,
        units: Callable[[], tuple[Independent, list[tuple[int, Independent]]]],
    ) -> None:
        """Make some fits in the file again, before anything of it is used or added to it.

        Again for each batch of splits: an extension that looks takes more while it runs. `units`
        calls `independent_units`, of all splits together, and of the first, the first two, … that
        are taken, with the number of the last.

        Raises
        ------
        ValueError
            If one has another score, the same one each time it is fitted; a warning comes instead
            where `strict` is False, or the scores are random.
        """
        if self._has_started:
            return
        self._has_started = True
        if self._unchecked is not None:
            self._check(ledger, fits, parallel, *self._unchecked)
            self._unchecked = None
        # Readers of the file find the search that ends with these splits.
        whole, firsts = units()
        told = {
            **self._description,
            "units": _as_json(whole),
            "units_of_first": [(split, _as_json(each)) for split, each in firsts],
        }
        if not self.file.start(self._keys, self._split_keys[: self._n_started], told):
            self._warn_of_trouble()

    def _check(
        self,
        ledger: Outcomes,
        fits: Fits,
        parallel: Any,
        eligible: NDArray[np.bool_],
        starts: NDArray[np.int64],
    ) -> None:
        # Unseeded, and not NumPy's global generator: each start checks other cells, and the user's
        # random numbers stay as they were.
        cells = _chosen_cells(eligible, starts, np.random.default_rng())
        now, scales = _scores_again(fits, cells, parallel), _scales(ledger)
        for cell in cells:
            then = _scores_of(ledger, cell)
            metric = _differing_metric(then, now[cell], scales)
            if metric is None:
                continue
            if _are_random(fits, cells, now, scales, parallel):
                _warn_of_randomness(cell, metric, then[metric], now[cell].get(metric))
            else:
                self._refuse(cell, metric, then[metric], now[cell].get(metric))
            return

    def save(self, cells: Sequence[Cell], ledger: Outcomes) -> None:
        """Save outcomes of a ledger, with others that come within half a second."""
        # In a form that does not change while the timer's thread writes it.
        body = self.file.outcomes(cells, self._keys, self._split_keys, ledger)
        with self._writing:
            self._buffer.append(body)
            if time.monotonic() - self._last >= _PAUSE:
                self.flush()
            elif self._timer is None:
                self._timer = threading.Timer(_LATEST, self._write)
                self._timer.daemon = True
                self._timer.start()
        if self.file.trouble:
            self._warn_of_trouble()

    def flush(self) -> None:
        """Write what is not in the file yet."""
        self._write()
        if self.file.trouble:
            self._warn_of_trouble()

    def _write(self) -> None:
        # In the timer's thread too, in which no warning would reach the user.
        with self._writing:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            if self._buffer:
                self.file.save(self._buffer)
                self._last = time.monotonic()
            # Only now: what an interrupt kept from the file is written at the end.
            self._buffer = []

    def check_seed(self, ledger: Outcomes, cell: Cell, fits: Fits) -> None:
        """Make a fit that has succeeded again, and warn if its scores are random."""
        self.may_draw = False
        now = _scores_again(fits, [cell])[cell]
        if _differing_metric(_scores_of(ledger, cell), now, _scales(ledger)):
            warn_user(
                "If this search is killed and started again, its `cv_results_` may differ: "
                "`random_state` of the estimator is None, and a repeated fit had other scores. Set "
                "it to an int.",
                "may-not-repeat",
                UserWarning,
            )

    def note_saved(self, error: BaseException) -> None:
        """Add to an error that ends the search how many fits are saved."""
        saved = self._saved()
        if saved is None:
            why = self.file.trouble or "it was deleted, moved or replaced"
            error.add_note(f"How many fits of this search are in its `ledger` is not known: {why}.")
            return
        # With `retry_failed` a new start fits the failed ones again.
        n_again = np.count_nonzero(saved.failed) if self._options.retry_failed else 0
        safe = count(saved.n_ran - int(n_again), "fit")
        error.add_note(
            f"{safe} of this search are in its `ledger` and will not be fitted again when it "
            "is started again."
        )

    def end(self, asked: NDArray[np.bool_], *, cut: bool) -> dict[str, Any]:
        """Save that the search has ended, or was cut; return its fitted attributes."""
        self.flush()
        if not self.file.end(cut=cut):
            self._warn_of_trouble()
        n_reused = int(np.count_nonzero(self._found & asked))
        return {"n_reused_": n_reused, "n_retried_": int(np.count_nonzero(self.retried))}

    def close(self, changed: Collection[str]) -> None:
        """Save which values of the user's code the fits changed, and release the file."""
        self.flush()
        # Known only now; after an error too, or the next start would refuse the file.
        self.file.add_state(changed)
        self.file.close()

    def _refuse(self, cell: Cell, metric: str, then: float, now: float | None) -> None:
        params = ", ".join(f"{k}={shown(v)}" for k, v in self._candidates[cell[0]].items())
        message = (
            f"{self.file.name} has scores that the same fits no longer give: candidate {cell[0]} "
            f"({params}) on split {cell[1]} has {metric} = {then:.10g} in the ledger, and "
            f"{'fails' if now is None else f'{now:.10g}'} when it is fitted again. "
        )
        if self._options.ledger_strict:
            raise ValueError(
                f"`ledger` must belong to this search; {message}Something that the ledger cannot "
                "see has changed, such as a file that the estimator reads or a library that "
                "another library calls. Use another file, or delete it to start again. With "
                "`Ledger(path, strict=False)` the stored scores are accepted."
            )
        warn_user(
            f"The ledger {message}They are kept, because `strict` is False.",
            "changed-scores",
            UserWarning,
        )

    def _saved(self) -> Outcomes | None:
        """The outcomes in the file; None if a later search would not find them."""
        # Read again, because an interrupt may come between a save and an entry in the run's ledger.
        saved = Outcomes(len(self._keys), len(self._split_keys))
        # A file that was moved or replaced may be open still.
        if not self.file.is_in_place:
            return None
        try:
            self.file.load(saved, self._keys, self._split_keys)
        except (sqlite3.Error, ValueError):  # something has damaged it since
            return None
        return saved

    def _warn_of_trouble(self) -> None:
        """Say once that nothing more is saved, and how much was."""
        if self._has_warned:  # a full disk fails after every block
            return
        self._has_warned = True
        saved = self._saved()
        contains = "How many fits of this search it has is not known"
        if saved is not None:
            contains = f"It contains {count(saved.n_ran, 'fit')} of this search"
        warn_user(
            f"The search goes on, but it is no longer saved: {self.file.name} cannot be written to "
            f"({self.file.trouble}). {contains}; a restarted search will repeat the others.",
            "no-longer-saved",
            UserWarning,
        )


SPOT_CHECKS = 3

_SHARE = 0.01

_MOST_SPLITS = 3

# With another number of threads BLAS adds in another order, which changes the last digits.
_RELATIVE, _ABSOLUTE = 1e-6, 1e-9

_TRIES = 4
"""How often fits are made again before differing scores are put down to something that changed."""

Scores = dict[str, float]


def _are_random(
    fits: Fits, cells: Sequence[Cell], now: Mapping[Cell, Scores], scales: Scores, parallel: Any
) -> bool:
    """Whether the same fits have other scores each time they are made."""
    for _ in range(_TRIES):  # scores such as 9 of 10 right may agree by chance
        again = _scores_again(fits, cells, parallel)
        if any(_differing_metric(now[cell], again[cell], scales) for cell in cells):
            return True
    return False


def _warn_of_randomness(cell: Cell, metric: str, then: float, now: float | None) -> None:
    difference = abs(then - (np.nan if now is None else now))
    warn_user(
        f"This search is not deterministic: the scores of candidate {cell[0]}, fitted again, "
        f"differ from those in the `ledger`, by {difference:.3g} in {metric}. The scores in "
        "the ledger were kept. Set `random_state` to an int, so that a restarted search gives "
        "the same `cv_results_`.",
        "may-not-repeat",
        UserWarning,
    )


def _as_json(units: Independent) -> dict[str, dict[str, float | str]]:
    return {
        metric: {name: n if isinstance(n, str) else float(n) for name, n in of.items()}
        for metric, of in units.items()
    }


def _scores_again(fits: Fits, cells: Sequence[Cell], parallel: Any = None) -> dict[Cell, Scores]:
    """Test scores of cells that are fitted now; none of those that fail."""
    return {
        cell: {} if outcome["fit_error"] is not None else _by_metric(outcome["test_scores"])
        for cell, outcome in fits.again(cells, parallel).items()
    }


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


def _scores_of(ledger: Outcomes, cell: Cell) -> Scores:
    i, j = cell
    return {metric: float(ledger.scores([i], [j], metric)[0, 0]) for metric in ledger.metrics()}


def _scales(ledger: Outcomes) -> Scores:
    """The largest score by each metric, at most 1: that of squared errors may be tiny."""
    cells = range(ledger.ran.shape[0]), range(ledger.n_splits)
    largest = {m: np.nan_to_num(np.abs(ledger.scores(*cells, m))).max() for m in ledger.metrics()}
    return {metric: min(1.0, float(score)) for metric, score in largest.items()}


def _differing_metric(then: Scores, now: Scores, scales: Scores) -> str | None:
    """The metric in which the scores of a cell differ by more than rounding, or None."""
    # Of a fit that fails now, `now` is empty, and the first metric differs.
    for metric, score in then.items():
        atol = _ABSOLUTE * scales[metric]
        again = now.get(metric, np.nan)
        if not np.isclose(score, again, rtol=_RELATIVE, atol=atol, equal_nan=True):
            return metric
    return None


def _by_metric(scores: Any) -> Scores:
    return dict(scores) if isinstance(scores, dict) else {"score": float(scores)}


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
