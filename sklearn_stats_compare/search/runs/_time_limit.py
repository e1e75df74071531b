"""TimeLimit: whether a search may begin another block of fits, and what it says when it may not."""

import math
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare._messages import ComparisonWarning, count, outside_level
from sklearn_stats_compare.stats import PairTest, SplitDesign


@dataclass(frozen=True, eq=False)
class Cut:
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
    """

    splits: NDArray[np.intp]
    n_splits: int
    n_fits: int
    n_fits_full: int
    n_left: int
    at_most: bool = False


class TimeLimit:
    """The `max_time` of one call of ``fit``; its clock starts when it is made.

    Parameters
    ----------
    seconds : float or None
        `max_time`; None for no limit.
    saves : bool, default=False
        Whether blocks are saved. Then blocks may begin until one had fits that no start before has
        tried. Otherwise a start that reads the ledger, and tries again what failed, might take all
        the time, and make no progress however often it was repeated.
    """

    def __init__(self, seconds: float | None = None, *, saves: bool = False) -> None:
        self._seconds, self._saves = seconds, saves
        self._began = monotonic()
        self._n_fits = self._n_new = 0
        self._spent = 0.0

    @property
    def is_set(self) -> bool:
        """Whether there is a limit."""
        return self._seconds is not None

    @property
    def has_begun(self) -> bool:
        """Whether any block of fits has ended."""
        return self._n_fits > 0

    def refuses(self, n_fits: int) -> bool:
        """Whether a block that takes this many fits may not begin."""
        if self._seconds is None or not n_fits or (self._saves and not self._n_new):
            return False
        return monotonic() - self._began >= self._seconds

    def add(self, n_new: int) -> None:
        """Count fits that are done, of cells that were not tried before."""
        self._n_new += n_new

    @contextmanager
    def timed(self, n_fits: int) -> Iterator[None]:
        """Measure a block of fits."""
        began = monotonic()
        yield
        self._spent += monotonic() - began
        self._n_fits += n_fits

    def too_short(self) -> TimeoutError:
        """The error if no block could begin."""
        passed = monotonic() - self._began
        return TimeoutError(
            f"`max_time` must leave time for a first block of fits; got {self._seconds:g} s, which "
            f"were over {duration(passed)} after `fit` began, when the splits were made but no "
            "candidate had been fitted. Take a longer `max_time`, or a `ledger`, with which every "
            "`fit` evaluates at least one block."
        )

    def clause(self, cut: Cut) -> str:
        """How far the search got."""
        of = "of at most" if cut.at_most else "of"
        return (
            f"max_time={self._seconds:g} s was over after {cut.splits.size:,} of "
            f"{count(cut.n_splits, 'split')} ({cut.n_fits:,} {of} {count(cut.n_fits_full, 'fit')})"
        )

    def stopped(self, cut: Cut) -> str:
        """How far the search got, and how much is left."""
        n_left = cut.n_splits - cut.splits.size
        takes = ""
        if self._n_fits:
            at_most = "at most " if cut.at_most else ""
            takes = f", {at_most}about {duration(cut.n_left * self._spent / self._n_fits)},"
        are = "is" if n_left == 1 else "are"
        return f"{self.clause(cut)}; {count(n_left, 'split')}{takes} {are} left."


def duration(seconds: float) -> str:
    """Seconds with two digits, or whole ones from 10 on."""
    return f"{seconds:,.0f} s" if seconds >= 10 else f"{seconds:.2g} s"


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
    except ValueError:  # `Given.check_keeping` warned before the first fit
        return
    try:
        test.check(part)
    except ValueError:
        warnings.warn(
            f"`max_time` cut the search within a repeat, after {part.n_splits:,} of "
            f'{count(whole.n_splits, "split")}, and `test` "{test.name}" needs whole repeats. '
            'compare(test="corrected_t") compares the candidates on these splits; a fit with more '
            "time, which with a `ledger` goes on from here, completes the repeat.",
            ComparisonWarning,
            stacklevel=outside_level(),
        )
