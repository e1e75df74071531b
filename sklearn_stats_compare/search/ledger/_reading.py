"""Read the scores in a ledger for compare(), whether or not the search has ended."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare._messages import count, printable
from sklearn_stats_compare.comparison import CandidateLabels, DataMarks, Stored
from sklearn_stats_compare.search.ledger._description import (
    design_of,
    labels_of,
    mark_of_splits,
    part_of,
)
from sklearn_stats_compare.search.ledger._entries import (
    MAGIC,
    Entries,
    absolute,
    opened_to_read,
)
from sklearn_stats_compare.search.ledger._identity import Lines
from sklearn_stats_compare.search.ledger._ledger import Ledger
from sklearn_stats_compare.search.ledger._lock import is_locked
from sklearn_stats_compare.stats import SplitDesign


def is_sqlite(path: Any) -> bool:
    """Whether an object is the path of an SQLite file, as ledgers are and CSV files are not."""
    if not isinstance(path, str | os.PathLike):
        return False
    try:
        with open(path, "rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except (OSError, ValueError):  # no file; the next reader of the path raises its own error
        return False


def read_ledger(path: str | os.PathLike[Any]) -> Stored:
    """Return the scores of the last search in a ledger.

    Raises
    ------
    ValueError
        If the file is damaged or not a ledger, or no two candidates have scores on the same split.
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
    """The last search that was started in a ledger.

    Attributes
    ----------
    outcomes : Ledger
        The outcomes of all its fits in the file.
    finished : bool
        Whether the search has ended.
    n_data : int
        Number of data sets in the file.
    design : SplitDesign or None
        The design of its splits; None if the file has none.
    words : mapping or None
        The result of `search_description`.
    labels : CandidateLabels or None
        The labels of its candidates.
    data : mapping
        Fingerprints of X, y and the other arguments of ``fit``.
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
    """Return the last search in a file; an error in here means that the file is damaged."""
    start: Any = None
    finished = False
    data: list[Lines] = []
    descriptions: dict[tuple[str, ...], Any] = {}
    for kind, body in entries.of_kinds("data", "start", "end"):
        if kind == "data":
            data.append(body["data"])
        elif kind == "end":
            ended = start is not None and body["of"] == start["of"] and not body.get("cut")
            finished = finished or ended
        else:
            start, finished = body, False
            if "told" in body:
                descriptions[tuple(body["candidates"])] = body["told"]
    if start is None:
        return None
    words = descriptions.get(tuple(start["candidates"]))
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
    """Return the outcomes of a search; for a fit that was repeated, the last one."""
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
    least = min(2, len(ran))
    n_cells = np.where(n_rows >= least, n_rows * np.arange(1, ran.shape[1] + 1), 0)
    if not n_cells.any():
        return np.arange(0), np.arange(0)
    columns = np.sort(order[: int(np.argmax(n_cells)) + 1])
    return np.flatnonzero(ran[:, columns].all(axis=1)), columns


def _design_of(entries: Entries, of: int, splits: Sequence[int]) -> SplitDesign | None:
    """Return the design of the splits; None if an earlier version wrote the file."""
    # Each extension is a batch. Another search may have had other extensions, or may have used
    # this file only for its extension.
    batches: list[tuple[list[int], SplitDesign | None]] = []
    numbers: dict[str, int] = {}
    for body in entries.of_kind("splits"):
        if body["of"] == of:
            own = [numbers.setdefault(key, len(numbers)) for key in body["keys"]]
            batches.append((own, design_of(body["design"]) if "design" in body else None))
    design: SplitDesign | None = None
    left = list(splits)
    # A repeated split has one number, and a place for each time.
    while left and len(set(splits)) == len(splits):
        begins = [more for own, more in batches if left[: len(own)] == own and more is not None]
        if not begins:
            return None
        # Take the longest: a shorter extension may begin with the same splits.
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
