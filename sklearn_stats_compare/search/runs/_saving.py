"""Saving: reads and writes the ledger's file for a run by blocks."""

import contextlib
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from joblib import parallel_config
from numpy.typing import NDArray

from sklearn_stats_compare._messages import count, outside_level
from sklearn_stats_compare.comparison import single_metric_name
from sklearn_stats_compare.search.ledger import (
    Identity,
    Ledger,
    LedgerFile,
    candidate_keys,
    is_unseeded,
    search_description,
    warn_of_drawn_candidates,
)
from sklearn_stats_compare.search.runs._plan import Chosen, Given
from sklearn_stats_compare.search.runs._spot_checks import SpotChecks

Splits = Mapping[int, tuple[Any, Any]]


class Saving:
    """The file of a run, and the outcomes found in it.

    Parameters
    ----------
    given : Given
        What ``fit`` was given.
    candidates : sequence of dict
        Candidates of the search.
    identity : Identity
        The identity that the file must have.
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
        given: Given,
        candidates: Sequence[Mapping[str, Any]],
        identity: Identity,
        *,
        is_first: bool,
        has_begun: Callable[[], bool],
        settings: Mapping[str, Any],
    ) -> None:
        self._options = options = given.options
        self._is_first = is_first
        self._has_begun = has_begun
        self._keys = candidate_keys(candidates)  # before the file is opened: it may raise
        self._description = search_description(
            candidates, single_metric_name(options), settings, options.refit
        )
        self._split_keys: list[str] = []
        assert given.path is not None
        self.file = LedgerFile(given.path, identity, strict=options.ledger_strict)
        self._checks = SpotChecks(given, candidates)
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
                warnings.warn(
                    f"{count(int(np.count_nonzero(failed)), 'fit')} that failed before will be "
                    "repeated. With `retry_failed=False` they stay failed.",
                    UserWarning,
                    stacklevel=outside_level(),
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

    @contextlib.contextmanager
    def _sequential_backend(self) -> Iterator[None]:
        """Run fits sequentially while scikit-learn's own `Parallel` is running."""
        # In a `joblib.parallel_config` both would have the same backend object, which the inner
        # `Parallel` terminates when it ends (`_terminate_and_reset`, joblib 1.6).
        if not self._has_begun():
            yield
        else:
            with parallel_config(backend="sequential"):
                yield

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
        warnings.warn(
            f"The search goes on, but it is no longer saved: {self.file.name} cannot be written to "
            f"({self.file.trouble}). It contains {count(self.n_saved, 'fit')} of this search; a "
            "restarted search will repeat the others.",
            UserWarning,
            stacklevel=outside_level(),
        )
