"""The line that shows how much of the fits is done."""

from __future__ import annotations

import sys
import time
from typing import Any, Self

_WIDTH = 40

_LINES = 10
"""Lines of a whole search if the output cannot be redrawn: in a log, a file or a pipe."""


class Progress:
    """How many fits of a search are done, in the form of scikit-learn's ``ProgressBar``.

    A terminal redraws one line. Other outputs get a line for each tenth. It is a context manager:
    leaving it prints the last line.

    Parameters
    ----------
    name : str
        What runs: the class of a search, or a function.
    n_fits : int
        Largest possible number of fits.
    shown : bool
        Whether to print at all.
    has_bar : bool, default=True
        Whether to print this line; False where each fit has a line of its own.
    """

    def __init__(self, name: str, n_fits: int, *, shown: bool, has_bar: bool = True) -> None:
        self._name, self._n_fits = name, n_fits
        self.shown = shown and n_fits > 0
        self._has_bar = has_bar
        self._n_done = self._n_shown = 0
        self._begun = time.monotonic()
        self._step = 0
        self._is_drawn = self._is_stopped = False

    def begin(self, n_candidates: int, n_splits: int, at_most: int | None = None) -> None:
        """Print the size of the search, in the words of scikit-learn.

        `at_most` is the limit of an extension that adds `n_splits` splits at a time.
        """
        total = f", totalling {n_candidates * n_splits} fits"
        if at_most is not None:
            total = f" at a time, at most {at_most} fits"
        self.say(f"Fitting {n_splits} folds for each of {n_candidates} candidates{total}")

    def add(self, n_fits: int) -> None:
        """Count fits that are done."""
        self._n_done += n_fits
        # More than expected: fits that a look drops may exist already.
        self._n_fits = max(self._n_fits, self._n_done)
        self._draw()

    def expect(self, n_left: int) -> None:
        """Count on this many further fits instead of those that were counted on before."""
        self._n_fits = self._n_done + n_left

    def stop(self, why: str) -> None:
        """End the line where it is, and print `why` on its own line."""
        self._is_stopped = True
        # A terminal has this line already, and a log perhaps only the one of the last tenth.
        if self._n_done > self._n_shown:
            self._step = -1
            self._draw()
        self.say(why)

    def say(self, text: str) -> None:
        """Print a separate line, if `shown`."""
        if self.shown:
            self._end_line()
            print(text, flush=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, error: type[BaseException] | None, *_: Any) -> None:
        # Without an error no fits remain: the others were dropped or found in a file.
        if error is None and self._n_done and not self._is_stopped:
            self.expect(0)
            self._draw()
        self._end_line()

    def _draw(self) -> None:
        if not self.shown or not self._has_bar:
            return
        redrawn = sys.stdout.isatty()
        step = _LINES * self._n_done // max(1, self._n_fits)
        if redrawn:
            print(f"\r{self._line()}", end="", flush=True)
            self._is_drawn, self._n_shown = True, self._n_done
        elif step > self._step:
            print(self._line(), flush=True)
            self._n_shown = self._n_done
        self._step = max(step, self._step)

    def _line(self) -> str:
        share = self._n_done / max(1, self._n_fits)
        full = int(_WIDTH * share)
        done, left = "━╺"
        # Not every terminal has these, and a search must not end for that.
        try:
            "━╺".encode(sys.stdout.encoding or "utf-8")
        except (UnicodeError, LookupError):
            done, left = "#-"
        bar = done * full + left * (_WIDTH - full)
        passed = time.monotonic() - self._begun
        # The time left while it runs, and the total time at the end.
        seconds = passed if share >= 1 else passed * (1 / share - 1) if share else 0.0
        minutes, second = divmod(round(seconds), 60)
        clock = f"{minutes // 60}:{minutes % 60:02}:{second:02}"
        counted = f"{self._n_done:,} of {self._n_fits:,} fits"
        return f"{self._name} - fit {bar} {100 * share:3.0f}% {clock} ({counted})"

    def _end_line(self) -> None:
        if self._is_drawn:
            print(flush=True)
            self._is_drawn = False
