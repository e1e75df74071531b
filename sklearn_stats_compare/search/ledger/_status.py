"""ledger_status: the progress of a search, read from its ledger, also while it runs."""

import math
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sklearn_stats_compare._messages import count, printable
from sklearn_stats_compare.search.ledger._entries import Entries, absolute, opened_to_read
from sklearn_stats_compare.search.ledger._lock import is_locked

_SHORTEST = 1e-9
"""Seconds: a clock that was set back, or a coarse one, must not divide by zero or less."""
_MINUTE, _HOUR, _DAY = 60, 3600, 86400


@dataclass(frozen=True)
class LedgerStatus:
    """Progress of a search with a `ledger`; it prints as a few lines.

    Attributes
    ----------
    path : Path
        The ledger.
    running : bool
        Whether a search holds the file at this moment.
    finished : bool
        Whether the search has ended.
    n_candidates, n_splits : int
        Number of candidates and of splits of the last search that was started.
    n_done, n_failed : int
        Number of its saved fits, and of those among them that failed or were scored NaN.
    rate : float or None
        Fits per second since the last start; None before its first block is saved.
    time_left : float or None
        Seconds that the remaining fits take at that rate (for a race, at most); None if there is no
        rate or the search is not running; 0 if it is finished.
    n_data : int
        Number of data sets in the ledger, such as the folds of a nested cross-validation. The
        attributes refer to the last.
    """

    path: Path
    running: bool
    finished: bool
    n_candidates: int
    n_splits: int
    n_done: int
    n_failed: int
    rate: float | None
    time_left: float | None
    n_data: int

    @property
    def n_fits(self) -> int:
        """Number of fits of every candidate on every split."""
        return self.n_candidates * self.n_splits

    def to_dict(self) -> dict[str, Any]:
        """The attributes and `n_fits` for JSON, with `path` as text."""
        return {**asdict(self), "path": str(self.path), "n_fits": self.n_fits}

    def __str__(self) -> str:
        state = "running" if self.running else "finished" if self.finished else "stopped"
        of_data = f", the last of {count(self.n_data, 'data set')}" if self.n_data > 1 else ""
        size = f"{count(self.n_candidates, 'candidate')} × {count(self.n_splits, 'split')}"
        failed = f", {self.n_failed:,} of them failed" if self.n_failed else ""
        lines = [
            f"{printable(self.path.name)}: {state}{of_data}",
            f"{self.n_done:,} of {count(self.n_fits, 'fit')} done ({size}){failed}",
        ]
        if self.running and self.rate is not None and self.time_left is not None:
            lines.append(f"{self.rate:.3g} fits per second, {_duration(self.time_left)} left")
        return "\n".join(lines)


def ledger_status(path: str | os.PathLike[str]) -> LedgerStatus:
    """Read the progress of a search from its `ledger`, even while it runs in another process.

    Parameters
    ----------
    path : str or path-like
        The `ledger` of the search.

    Returns
    -------
    LedgerStatus

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If the file is damaged or not a ledger.

    Notes
    -----
    Reading does not disturb the search, which writes for some milliseconds after each block and
    waits that long for readers. All counted fits are saved. A new file has no search yet: all
    counts are 0.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from sklearn.datasets import make_moons
    >>> from sklearn.svm import SVC
    >>> from sklearn_stats_compare import StatisticalGridSearchCV, ledger_status
    >>> X, y = make_moons(noise=0.352, random_state=1, n_samples=100)
    >>> ledger = Path(tempfile.mkdtemp()) / "moons.sqlite"
    >>> search = StatisticalGridSearchCV(SVC(), {"C": [1, 10]}, cv=10, ledger=ledger).fit(X, y)
    >>> print(ledger_status(ledger))
    moons.sqlite: finished
    20 of 20 fits done (2 candidates × 10 splits)
    """
    file = absolute(path)
    if not file.exists():
        raise FileNotFoundError(f"`path` must be a ledger that exists; got {str(path)!r}.")
    running = is_locked(file)
    # Between making a file and its first write a search has an empty one.
    if file.stat().st_size == 0:
        return LedgerStatus(file, running, False, 0, 0, 0, 0, None, None, 0)
    entries = opened_to_read(file)
    try:
        with entries.reading():
            return _read(file, entries, running)
    finally:
        entries.close()


def _read(path: Path, entries: Entries, running: bool) -> LedgerStatus:
    """The status of the search that was started last."""
    n_data = sum(1 for _ in entries.of_kind("data"))
    start: Any = None
    end: Any = None
    since: list[tuple[float, int]] = []
    for kind, body in entries.of_kinds("start", "block", "end"):
        # The rate of a restarted search is counted from its last start.
        if kind == "start":
            start, end, since = body, None, []
        elif kind == "end":
            # A search that `max_time` cut goes on at its next start.
            end = None if body.get("cut") else body
        else:
            since.append((body["time"], len(body["candidates"]) * len(body["splits"])))
    if start is None:
        return LedgerStatus(path, running, False, 0, 0, 0, 0, None, None, n_data)
    # Read a second time rather than kept: all blocks at once may take much memory.
    wanted, splits = set(start["candidates"]), set(start["splits"])
    # Cells of earlier starts count too; a repeated cell has its last outcome.
    failed_by_cell: dict[tuple[str, int], bool] = {}
    for body in entries.of_kind("block"):
        if body["of"] == start["of"]:
            failed = _failed_cells(body["outcomes"])
            for i, candidate in enumerate(body["candidates"]):
                for j, split in enumerate(body["splits"]):
                    if candidate in wanted and split in splits:
                        failed_by_cell[candidate, split] = (i, j) in failed
    n_done, n_failed = len(failed_by_cell), sum(failed_by_cell.values())
    n_left = len(wanted) * len(splits) - n_done
    rate = None
    if since:
        rate = sum(n for _, n in since) / max(since[-1][0] - start["time"], _SHORTEST)
    time_left = 0.0 if end else n_left / rate if running and rate else None
    return LedgerStatus(
        path=path,
        running=running,
        finished=end is not None,
        n_candidates=len(wanted),
        n_splits=len(splits),
        n_done=n_done,
        n_failed=n_failed,
        rate=rate,
        time_left=time_left,
        n_data=n_data,
    )


def _failed_cells(outcomes: Mapping[str, Any]) -> set[tuple[int, int]]:
    """Places in a block of fits that failed or were scored NaN, as in `Ledger.failed`."""
    failed = {(i, j) for i, j, _ in outcomes["errors"]}
    for part, _, table in outcomes["columns"]:
        if part == "test_scores":
            failed |= {
                (i, j)
                for i, row in enumerate(table)
                for j, score in enumerate(row)
                if math.isnan(score)
            }
    return failed


def _duration(seconds: float) -> str:
    """A span of time in its two largest units."""
    whole = round(seconds)
    if whole >= _DAY:
        return f"{whole // _DAY} d {whole % _DAY // _HOUR} h"
    if whole >= _HOUR:
        return f"{whole // _HOUR} h {whole % _HOUR // _MINUTE} min"
    if whole >= _MINUTE:
        return f"{whole // _MINUTE} min {whole % _MINUTE} s"
    return f"{whole} s"
