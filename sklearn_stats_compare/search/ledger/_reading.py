"""The scores in a ledger, of a search that has ended or not → what compare() compares."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare._messages import count, printable
from sklearn_stats_compare.comparison import CandidateLabels, DataMarks, Stored
from sklearn_stats_compare.search.ledger._entries import (
    MAGIC,
    Entries,
    absolute,
    opened_to_read,
)
from sklearn_stats_compare.search.ledger._identity import Lines
from sklearn_stats_compare.search.ledger._ledger import Ledger
from sklearn_stats_compare.search.ledger._lock import is_locked
from sklearn_stats_compare.search.ledger._told import (
    design_of,
    labels_of,
    mark_of_splits,
    part_of,
)
from sklearn_stats_compare.stats import SplitDesign


def is_sqlite(path: str | os.PathLike[Any]) -> bool:
    """Whether a path is that of an SQLite file; a ledger is one, and no CSV file is."""
    try:
        with open(path, "rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except (OSError, ValueError):  # no file; what else reads the path says so in its own words
        return False


def read_ledger(path: str | os.PathLike[Any]) -> Stored:
    """Scores of the search that was started last in a ledger, where there are enough.

    Raises
    ------
    ValueError
        If it is no ledger, or is damaged, or no two candidates have a score on the same split.
    """
    file = absolute(os.fsdecode(path))
    entries = opened_to_read(file)
    try:
        with entries.reading():
            last = _last_search(entries)
        return _stored(entries.name, last, is_locked(file))
    finally:
        entries.close()


@dataclass(frozen=True, eq=False)
class _Search:
    """The search that was started last in a ledger.

    Attributes
    ----------
    outcomes : Ledger
        Of all its fits that are in the file.
    finished : bool
        Whether it came to its end.
    n_data : int
        Number of data sets in the file.
    design : SplitDesign or None
        Of its splits; None where the file does not say.
    words : mapping or None
        What `told_search` told of it.
    labels : CandidateLabels or None
        Of its candidates.
    data : mapping
        Marks of X, y and what else it was given.
    splits : list of str
        Keys of its splits.
    """

    outcomes: Ledger
    finished: bool
    n_data: int
    design: SplitDesign | None
    words: Mapping[str, Any] | None
    labels: CandidateLabels | None
    data: Lines
    splits: list[str]


def _last_search(entries: Entries) -> _Search | None:
    """What a file has of the search that was started last; an error in here means damage."""
    start: Any = None
    finished = False
    data: list[Lines] = []
    told: dict[tuple[str, ...], Any] = {}
    for kind, body in entries.of_kinds("data", "start", "end"):
        if kind == "data":
            data.append(body["data"])
        elif kind == "end":
            finished = finished or (start is not None and body["of"] == start["of"])
        else:
            start, finished = body, False
            if "told" in body:
                told[tuple(body["candidates"])] = body["told"]
    if start is None:
        return None
    words = told.get(tuple(start["candidates"]))
    return _Search(
        outcomes=_filled(entries, start),
        finished=finished,
        n_data=len(data),
        design=_design_of(entries, start["of"], start["splits"]),
        words=words,
        labels=None if words is None else labels_of(words),
        data=data[start["of"]],
        splits=_keys_of(entries, start["of"], start["splits"]),
    )


# Apart from the reading: that a search has too few scores yet is no damage of its file.
def _stored(name: str, last: _Search | None, running: bool) -> Stored:
    if last is None:
        raise ValueError(f"`obj` must hold scores; {name} has no search yet.")
    ledger, words, design = last.outcomes, last.words, last.design
    rows, columns = _complete(ledger.ran, last.finished)
    state = "running" if running else "finished" if last.finished else "stopped"
    if rows.size < min(2, ledger.n_candidates) or not columns.size:
        raise ValueError(
            f"`obj` must hold scores of two candidates on the same split; in the ledger "
            f"{name}, of a search that is {state}, {ledger.n_ran:,} of "
            f"{ledger.n_candidates * ledger.n_splits:,} fits are done "
            f"({count(ledger.n_candidates, 'candidate')} × {count(ledger.n_splits, 'split')})."
        )
    note = _note(name, state, ledger.ran, rows, columns, last.n_data)
    further: dict[str, Any] = {"note": note, "candidates": rows.tolist()}
    if rows.size < ledger.n_candidates:
        further["n_entered"] = ledger.n_candidates
    scores = {metric: ledger.scores(rows, columns, metric) for metric in ledger.metrics()}
    return Stored(
        scores,
        None if words is None else words.get("metric"),
        None if design is None else part_of(design, columns.tolist()),
        None if last.labels is None else last.labels.of(rows.tolist()),
        None if words is None else [words["params"][row] for row in rows],
        further,
        None if words is None else words.get("settings"),
        None if words is None else words.get("refit"),
        DataMarks("ledger", {**last.data, **mark_of_splits([last.splits[k] for k in columns])}),
    )


def _filled(entries: Entries, start: Mapping[str, Any]) -> Ledger:
    """The outcomes of a search; of a fit that was tried again the last."""
    ledger = Ledger(len(start["candidates"]), len(start["splits"]))
    rows = {key: row for row, key in enumerate(start["candidates"])}
    columns = {number: column for column, number in enumerate(start["splits"])}
    for body in entries.of_kind("block"):
        if body["of"] == start["of"]:
            ledger.fill_block(rows, columns, body)
    return ledger


def _keys_of(entries: Entries, of: int, splits: Sequence[int]) -> list[str]:
    bodies = (body for body in entries.of_kind("splits") if body["of"] == of)
    keys = list(dict.fromkeys(key for body in bodies for key in body["keys"]))
    return [keys[number] for number in splits]


def _complete(ran: NDArray[np.bool_], finished: bool) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Candidates and splits of which every cell was run.

    Of a search that has ended, the candidates that ran on every split: a race or an extension left
    out the others. Else the block of the most cells, among those of the splits that most candidates
    have.
    """
    whole = np.flatnonzero(ran.all(axis=1))
    if finished and whole.size:
        return whole, np.arange(ran.shape[1])
    order = np.argsort(-ran.sum(axis=0), kind="stable")
    # Candidates that have the first splits of that order, for each number of splits.
    n_rows = np.logical_and.accumulate(ran[:, order], axis=1).sum(axis=0)
    least = min(2, len(ran))
    n_cells = np.where(n_rows >= least, n_rows * np.arange(1, ran.shape[1] + 1), 0)
    if not n_cells.any():
        return np.arange(0), np.arange(0)
    columns = np.sort(order[: int(np.argmax(n_cells)) + 1])
    return np.flatnonzero(ran[:, columns].all(axis=1)), columns


def _design_of(entries: Entries, of: int, splits: Sequence[int]) -> SplitDesign | None:
    """Of the splits of a search; None where an earlier version wrote the file."""
    # Each extension is a batch; another search may have been extended otherwise, or have been
    # extended with this file and not been fitted with it.
    batches: list[tuple[list[int], SplitDesign | None]] = []
    numbers: dict[str, int] = {}
    for body in entries.of_kind("splits"):
        if body["of"] == of:
            own = [numbers.setdefault(key, len(numbers)) for key in body["keys"]]
            batches.append((own, design_of(body["design"]) if "design" in body else None))
    design: SplitDesign | None = None
    left = list(splits)
    # A split that comes again, or twice, has one number, and a place for each time.
    while left and len(set(splits)) == len(splits):
        begins = [more for own, more in batches if left[: len(own)] == own and more is not None]
        if not begins:
            return None
        # The longest: a shorter extension may have begun with the same splits.
        more = max(begins, key=lambda design: design.n_splits)
        design = more if design is None else design.followed_by(more)
        left = left[more.n_splits :]
    return design


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
