"""The scores and the progress of a search, read from its ledger, whether or not it has ended."""

import os
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare._utils._formatting import count, duration
from sklearn_stats_compare._utils._validation import check_flag, printable, shown
from sklearn_stats_compare.comparison._labels import CandidateLabels
from sklearn_stats_compare.comparison._saving import begins_with, settings_for_splits, settings_note
from sklearn_stats_compare.comparison.readers._matrix import cell_value
from sklearn_stats_compare.comparison.readers._searches import metric_of
from sklearn_stats_compare.comparison.readers._sizes import DataFingerprint, ParsedScores, Sizes
from sklearn_stats_compare.search.ledger import _storage
from sklearn_stats_compare.search.ledger._fingerprint import Lines
from sklearn_stats_compare.search.ledger._ledger import Outcomes
from sklearn_stats_compare.stats._design import SplitDesign
from sklearn_stats_compare.stats._scores import SplitScores


def is_sqlite(path: Any) -> bool:
    """Whether an object is the path of an SQLite file, as ledgers are and CSV files are not."""
    return begins_with(path, _storage.MAGIC)


def read_ledger(path: str | os.PathLike[Any], metric: str | None, sizes: Sizes) -> ParsedScores:
    """Return the scores of the last search in a ledger.

    Raises
    ------
    ValueError
        If the file is damaged or not a ledger, or no two candidates have scores on the same split.
    """
    file = _storage.absolute(os.fsdecode(path))
    with closing(_storage.opened_to_read(file)) as entries:
        with entries.reading():
            last = _last_search(entries)
        return _parsed(entries.name, last, _storage.is_locked(file), metric, sizes)


class _Search(NamedTuple):
    """The last search that was started in a ledger: what its fits gave, and what they belong to."""

    start: Mapping[str, Any]
    outcomes: Outcomes
    finished: bool
    n_data: int
    """Number of data sets in the file."""
    design: SplitDesign | None
    words: Mapping[str, Any]
    """Of `search_description`; empty if the file has none."""
    labels: CandidateLabels | None
    data: Lines
    splits: list[str]


def _last_search(entries: _storage.Entries) -> _Search | None:
    """Return the last search in a file; an error in here means that the file is damaged."""
    start: Any = None
    finished = False
    data: list[Lines] = []
    descriptions: dict[tuple[str, ...], Any] = {}
    for kind, body in entries.of_kinds("data", "start", "end"):
        if kind == "data":
            data.append(body["data"])
        elif kind == "end":
            # A search that `max_time` cut goes on at its next start.
            finished = not body.get("cut")
        else:
            start, finished = body, False
            if "told" in body:
                descriptions[tuple(body["candidates"])] = body["told"]
    if start is None:
        return None
    words = descriptions.get(tuple(start["candidates"]), {})
    keys, design = _splits_of(entries, start["of"], start["splits"])
    return _Search(
        start=start,
        outcomes=_filled(entries, start),
        finished=finished,
        n_data=len(data),
        design=design,
        words=words,
        labels=CandidateLabels(words["labels"], words["naming"]) if words else None,
        data=data[start["of"]],
        splits=keys,
    )


# Apart from the reading: that a search has too few scores yet is no damage of its file.
def _parsed(
    name: str, last: _Search | None, running: bool, metric: str | None, sizes: Sizes
) -> ParsedScores:
    if last is None:
        raise ValueError(f"`obj` must hold scores; {name} has no search yet.")
    ledger, words, design = last.outcomes, last.words, last.design
    rows, columns = _complete(ledger.ran, last.finished)
    state = "running" if running else "finished" if last.finished else "stopped"
    # A race may end with one survivor.
    fewest = 1 if last.finished else min(2, ledger.n_candidates)
    if rows.size < fewest or not columns.size:
        raise ValueError(
            f"`obj` must hold scores of two candidates on the same split; in the ledger "
            f"{name}, of a search that is {state}, {ledger.n_ran:,} of "
            f"{ledger.n_candidates * ledger.n_splits:,} fits are done "
            f"({count(ledger.n_candidates, 'candidate')} × {count(ledger.n_splits, 'split')})."
        )
    note = _note(name, state, ledger.ran, rows, columns, last.n_data)
    further: dict[str, Any] = {"note": note, "_candidates": rows.tolist()}
    if rows.size < ledger.n_candidates:
        further["_n_entered"] = ledger.n_candidates
    searched = SimpleNamespace(scoring=words.get("metric"), refit=words.get("refit"))
    ledger.check_metrics()
    column, shown_name = metric_of(searched, metric, list(ledger.metrics()))
    units = dict(words.get("units", {}).get(column, {}))
    part = None if design is None else _storage.part_of(design, columns.tolist())
    if part is not None and "n_independent" in units and columns.size < ledger.n_splits:
        # Of a whole repeat, or the first that were taken, up to one that is not done; else one of
        # each.
        is_whole = bool((part.repeat >= 0).any())
        n = float(min(units["n_independent"], np.inf if is_whole else part.splits_per_repeat))
        for split, own in words.get("units_of_first", ()):
            if split not in columns:
                break
            n = own.get(column, {}).get("n_independent", n)
        units["n_independent"] = n
    design = sizes.design(columns.size) if part is None or sizes.given else part
    saved = words.get("settings")
    settings, left_out = settings_for_splits(saved or {})
    return ParsedScores(
        SplitScores(ledger.scores(rows, columns, column), design, **units),
        shown_name,
        labels=None if last.labels is None else last.labels.of(rows.tolist()),
        params=[_in_types(words["params"][row]) for row in rows] if words else None,
        arguments=further,
        settings=settings,
        settings_note=settings_note(None if saved is None else settings, left_out),
        fingerprint=DataFingerprint(
            "ledger", {**last.data, **_storage.mark_of_splits([last.splits[k] for k in columns])}
        ),
    )


def _filled(entries: _storage.Entries, start: Mapping[str, Any]) -> Outcomes:
    """Return the outcomes of a search; for a fit that was repeated, the last one."""
    ledger = Outcomes(len(start["candidates"]), len(start["splits"]))
    rows = {key: row for row, key in enumerate(start["candidates"])}
    columns = {number: column for column, number in enumerate(start["splits"])}
    for body in entries.of_kind("outcomes"):
        if body["of"] == start["of"]:
            ledger.unpack(rows, columns, body)
    return ledger


def _in_types(params: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters with sequences and mappings, which JSON has as text, as what they were."""
    return {
        name: cell_value(own) if str(own).startswith(("(", "[", "{")) else own
        for name, own in params.items()
    }


def _complete(ran: NDArray[np.bool_], finished: bool) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Choose candidates and splits so that every cell was run.

    If the search has ended, these are the candidates that ran on every split: a race or an
    extension left out the others. Otherwise it is the largest block of cells among the splits that
    most candidates have.
    """
    whole = np.flatnonzero(ran.all(axis=1))
    if finished and whole.size:
        return whole, np.arange(ran.shape[1])
    order = np.argsort(-ran.sum(axis=0), kind="stable")
    # Candidates that have the first splits of that order, for each number of splits.
    n_rows = np.logical_and.accumulate(ran[:, order], axis=1).sum(axis=0)
    n_cells = np.where(n_rows >= min(2, len(ran)), n_rows * np.arange(1, ran.shape[1] + 1), 0)
    if not n_cells.any():
        return np.arange(0), np.arange(0)
    columns = np.sort(order[: int(np.argmax(n_cells)) + 1])
    return np.flatnonzero(ran[:, columns].all(axis=1)), columns


def _splits_of(
    entries: _storage.Entries, of: int, splits: Sequence[int]
) -> tuple[list[str], SplitDesign | None]:
    """Return the keys of splits and their design; None where the file does not have it."""
    # Each extension is a batch. Another search may have had other extensions, or may have used
    # this file only for its extension.
    batches: list[tuple[list[int], SplitDesign | None]] = []
    numbers: dict[str, int] = {}
    for body in entries.of_kind("splits"):
        if body["of"] == of:
            own = [numbers.setdefault(key, len(numbers)) for key in body["keys"]]
            batches.append((own, _storage.design_of(body["design"]) if "design" in body else None))
    names = list(numbers)
    keys = [names[number] for number in splits]
    design: SplitDesign | None = None
    left = list(splits)
    # A repeated split has one number, and a place for each time.
    while left and len(set(splits)) == len(splits):
        begins = [more for own, more in batches if left[: len(own)] == own and more is not None]
        if not begins:
            return keys, None
        # Take the longest: a shorter extension may begin with the same splits.
        more = max(begins, key=lambda design: design.n_splits)
        design = more if design is None else design.followed_by(more)
        left = left[more.n_splits :]
    return keys, design


def _note(
    name: str,
    state: str,
    ran: NDArray[np.bool_],
    rows: NDArray[np.intp],
    columns: NDArray[np.intp],
    n_data: int,
) -> str:
    m, n_splits = ran.shape
    of_data = f", the last of {count(n_data, 'data set')}" if n_data > 1 else ""
    said = [f"These are the scores in the ledger {name} of a search that is {state}{of_data}."]
    if not ran.all():
        said.append(
            f"{int(ran.sum()):,} of its {ran.size:,} fits are done: compared are {rows.size:,} of "
            f"{count(m, 'candidate')} on {columns.size:,} of {count(n_splits, 'split')}."
        )
    if rows.size < m:
        said.append(
            f"Of the other {count(m - rows.size, 'candidate')} not all of these fits are there; "
            "statements about the best refer to those compared only."
        )
    return printable(" ".join(said))


_SHORTEST = 1e-9
"""Seconds: a clock that was set back, or a coarse one, must not divide by zero or less."""


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
        Fits per second since the last start; None before its first fit is saved.
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
            lines.append(f"{self.rate:.3g} fits per second, {duration(self.time_left)} left")
        return "\n".join(lines)


@dataclass(frozen=True)
class Ledger:
    """The file of a search that saves every fit, and what to do with what it holds.

    For the parameter `ledger` of a search, in place of the path.

    Parameters
    ----------
    path : str or path-like
        The file.
    strict : bool, default=True
        Whether to refuse a file that other versions of Python or of a library wrote, or whose
        scores differ when the same fits are repeated. If False, a warning says so, and the saved
        scores are kept.
    retry_failed : bool, default=True
        Whether to repeat fits that failed, or that were scored NaN or `error_score`, when a search
        is started again. If False, they stay failed.

    Notes
    -----
    A search uses saved scores only if nothing has changed that it can see and that may affect them:

    - **Settings**: estimator, ``scoring``, ``error_score``, ``return_train_score``, the splits of
      ``cv``, and the settings of ``sklearn.set_config`` that can change a score. Objects are
      compared by their attributes, so a scorer that counts its calls differs each time.
      Candidates, ``n_jobs``, backend and settings of the statistics may change.
    - **Your own code**: source, defaults, closures, base classes and class attributes of classes
      and functions outside installed packages, and what they refer to in your modules. Comments,
      docstrings and layout may change, and so may values of modules that changed during an earlier
      search with this file. The source must be readable: put code from ``exec`` or the prompt into
      a module or a notebook cell, and import a module again after you edit it.
    - **Versions** of Python, NumPy, SciPy, scikit-learn, and the packages of the estimator, scorer,
      splitter and candidates.
    - **Data**: values, types, names and index of all arguments of ``fit``. Other data get their own
      section of the file.

    It first repeats three saved fits, or one in a hundred if that is more. If a score differs, it
    repeats these up to four times. If the new scores do not vary, an error names the candidate, the
    split and both scores; if they vary, a warning says that fits draw random numbers. Only this
    check can find changes in files, databases and environment variables that your code reads,
    ``numpy.seterr``, a frame's ``attrs``, compiled code, functions that NumPy wraps, names looked
    up as text, methods replaced in a library's class, and hardware.

    The file is an SQLite table ``entries(id, kind, body, sha256)`` of JSON: reading it runs no
    code. It contains the splits of a `cv` without a seed, so a restart has the same, and what
    `return_predictions` keeps of each test sample. Only the process that calls ``fit`` writes it,
    and locks it until ``fit`` ends. On POSIX only its owner can read a new file. Fits of the last
    half second are lost in a crash, and ``refit`` runs again.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from sklearn.datasets import make_moons
    >>> from sklearn.svm import SVC
    >>> from sklearn_stats_compare import Ledger, StatisticalGridSearchCV
    >>> X, y = make_moons(noise=0.352, random_state=1, n_samples=100)
    >>> ledger = Ledger(Path(tempfile.mkdtemp()) / "moons.sqlite", retry_failed=False)
    >>> search = StatisticalGridSearchCV(SVC(), {"C": [1, 10]}, cv=10, ledger=ledger).fit(X, y)
    >>> print(ledger.status())
    moons.sqlite: finished
    20 of 20 fits done (2 candidates × 10 splits)
    """

    path: str | os.PathLike[str]
    strict: bool = field(default=True, kw_only=True)
    retry_failed: bool = field(default=True, kw_only=True)

    def __post_init__(self) -> None:
        if not isinstance(self.path, str | os.PathLike):
            raise TypeError(f"`path` must be the path of a ledger; got {shown(self.path)}.")
        check_flag("strict", self.strict)
        check_flag("retry_failed", self.retry_failed)

    def __fspath__(self) -> str:
        return os.fspath(self.path)

    def status(self) -> LedgerStatus:
        """Read the progress of the search, even while it runs in another process.

        Returns
        -------
        LedgerStatus
            It prints as a few lines, and has the attributes ``path``; ``running``, whether a search
            holds the file at this moment; ``finished``; ``n_candidates``, ``n_splits`` and
            ``n_fits`` of the last search that was started; ``n_done`` and ``n_failed``, its saved
            fits and those among them that failed or were scored NaN; ``rate``, fits per second
            since the last start; ``time_left``, seconds at that rate (for a race, at most);
            ``n_data``, data sets in the file, of which the attributes refer to the last.
            ``to_dict()`` has them for JSON.

        Raises
        ------
        FileNotFoundError
            If there is no such file.
        ValueError
            If the file is damaged or not a ledger.

        Notes
        -----
        Reading does not disturb the search, which writes for some milliseconds at a time and
        waits that long for readers. All counted fits are saved. A new file has no search yet: all
        counts are 0.
        """
        file = _storage.absolute(self.path)
        if not file.exists():
            raise FileNotFoundError(f"`path` must be a ledger that exists; got {str(self.path)!r}.")
        running = _storage.is_locked(file)
        # Between making a file and its first write a search has an empty one.
        if file.stat().st_size == 0:
            return LedgerStatus(file, running, False, 0, 0, 0, 0, None, None, 0)
        with closing(_storage.opened_to_read(file)) as entries, entries.reading():
            return _read(file, entries, running)


def _read(path: Path, entries: _storage.Entries, running: bool) -> LedgerStatus:
    """The status of the search that was started last."""
    last = _last_search(entries)
    if last is None:
        n_data = sum(1 for _ in entries.of_kind("data"))
        return LedgerStatus(path, running, False, 0, 0, 0, 0, None, None, n_data)
    # A repeated split has one number, whose outcomes are in its last place.
    columns = list({number: column for column, number in enumerate(last.start["splits"])}.values())
    done = last.outcomes.ran[:, columns]
    n_done, n_left = int(done.sum()), int((~done).sum())
    # The rate of a restarted search is counted from its last start.
    since: list[tuple[float, int]] = []
    for kind, body in entries.of_kinds("start", "outcomes"):
        if kind == "start":
            since = []
        else:
            since.append((body["time"], len(body["cells"])))
    rate = None
    if since:
        rate = sum(n for _, n in since) / max(since[-1][0] - last.start["time"], _SHORTEST)
    return LedgerStatus(
        path=path,
        running=running,
        finished=last.finished,
        n_candidates=len(done),
        n_splits=len(columns),
        n_done=n_done,
        n_failed=int(last.outcomes.failed[:, columns].sum()),
        rate=rate,
        time_left=0.0 if last.finished else n_left / rate if running and rate else None,
        n_data=last.n_data,
    )
