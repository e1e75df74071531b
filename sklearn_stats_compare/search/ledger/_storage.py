"""Entries: an SQLite file to which JSON is only ever added, its lock, and its schema."""

import contextlib
import hashlib
import json
import math
import os
import sqlite3
import threading
import time
import weakref
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from sklearn_stats_compare._utils._formatting import count, shortened
from sklearn_stats_compare._utils._validation import printable, shown, warn_user
from sklearn_stats_compare.comparison._labels import candidate_labels, identity
from sklearn_stats_compare.comparison._saving import SIZES, STRUCTURE, to_save
from sklearn_stats_compare.comparison.readers._sizes import SPLITS
from sklearn_stats_compare.search.ledger._ledger import PARTS
from sklearn_stats_compare.stats._design import SplitDesign
from sklearn_stats_compare.stats._family import PAIR_TESTS

# "SSCL". SQLite keeps both numbers in the header of a file for the application that owns it:
# https://www.sqlite.org/fileformat2.html, 1.3
_APPLICATION = 0x5353434C

_FORMAT = 4

_HEADER = 100  # bytes of that header

MAGIC = b"SQLite format 3\0"
"""The first bytes of an SQLite file: 1.3 there."""

_TABLE = (
    "CREATE TABLE entries (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, body TEXT NOT NULL, "
    "sha256 TEXT NOT NULL)"
)

_WAIT = 60.0
"""Seconds that a write waits for readers, and a reader for a write."""

_TRIES, _PAUSE = 5, 0.05

_PRIMARY_CODE = 0xFF
"""The byte of an extended result code that holds the primary one."""

# Primary result codes: https://www.sqlite.org/rescode.html. SQLITE_ERROR is also "no such table".
_IN_USE = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)

_NOT_OURS = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)

# What reading JSON of any other form raises.
_NO_SUCH_FORM = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, zlib.error)

Entry = tuple[str, Any]
"""Kind and body."""


class DamagedError(ValueError):
    """A file is not what a search wrote."""


class Entries:
    """A file of entries, read whole and checked when it is opened.

    Nothing in it is unpickled or executed: its schema is compared word for word, and bodies are
    JSON. Whoever writes holds a lock until `close`; others may read meanwhile.

    Parameters
    ----------
    path : Path
        An absolute one.
    write : bool, default=True
        Whether to add entries; such a file is made where there is none.

    Raises
    ------
    ValueError
        If it is no such file, or damaged.
    RuntimeError
        If it is to be written, and another search does.
    OSError
        If it cannot be opened, or not be written to.
    """

    def __init__(self, path: Path, *, write: bool = True) -> None:
        self._path = path
        self.trouble = ""  # why nothing more can be saved
        self._lock: FileLock | None = None
        self._db: sqlite3.Connection | None = None
        try:
            is_new = False
            if write:
                self._lock, is_new = locked(path)
            self._open(write, is_new)
        except InUseError as error:
            raise RuntimeError(
                f"`ledger` must be used by one search at a time; {self.name} is in use by another."
            ) from error
        # SQLite does not check that text is UTF-8; `sqlite3` decodes it when it reads a row.
        except (sqlite3.Error, UnicodeDecodeError) as error:
            self.close()
            raise self._refusal(error) from error
        except OSError as error:
            self.close()
            raise self.unwritable(error) from error
        except BaseException:
            self.close()
            raise

    @property
    def name(self) -> str:
        """Name of the file, as messages have it."""
        return repr(printable(self._path.name))

    def of_kinds(self, *kinds: str) -> Iterator[Entry]:
        """Entries of some kinds in the order that they were added."""
        if self._db is not None:
            marks = ", ".join("?" * len(kinds))
            query = f"SELECT kind, body FROM entries WHERE kind IN ({marks}) ORDER BY id"
            for kind, body in self._db.execute(query, kinds):
                yield kind, _parsed(body, self)

    def of_kind(self, kind: str) -> Iterator[Any]:
        """Bodies of one kind."""
        return (body for _, body in self.of_kinds(kind))

    def add(self, entries: Sequence[Entry]) -> bool:
        """Add entries, all or none; whether they are safe. After a first failure none is."""
        if self.trouble or self._db is None:
            return False
        # On POSIX a deleted file can be written to until it is closed, and would be lost then.
        if not self.is_in_place:
            self.trouble = "it was deleted, moved or replaced"
            return False
        try:
            self._write(entries)
        except sqlite3.Error as error:
            self.trouble = str(error)
        finally:
            # Also after Ctrl-C. SQLite rolls back by itself after some errors, as of a full disk.
            if self._db.in_transaction:
                with contextlib.suppress(sqlite3.Error):  # the file was damaged meanwhile
                    self._db.execute("ROLLBACK")
        return not self.trouble

    @property
    def is_in_place(self) -> bool:
        """Whether the file is still where it was opened."""
        return self._lock is not None and _identity_of(self._path) == self._lock.identity

    @contextlib.contextmanager
    def reading(self) -> Iterator[None]:
        """Around code that reads entries: an error in it means that the file is damaged."""
        try:
            yield
        except DamagedError:
            raise
        except _NO_SUCH_FORM as error:
            name = type(error).__name__
            raise self.damaged(f"an entry has another form ({name}: {error})") from error

    def damaged(self, how: str) -> DamagedError:
        """What to raise where an entry is not what a search writes."""
        return DamagedError(
            f"`ledger` must be a file that a search wrote, and whole; {self.name} is not: "
            f"{printable(how)}. Nothing of it was used. Delete it to start again."
        )

    def close(self) -> None:
        """Let go of the file, for other searches to use."""
        if self._db is not None:
            self._db.close()
            self._db = None
        # Last: on POSIX, closing this handle earlier would drop the locks of SQLite's own handle
        # (https://www.sqlite.org/howtocorrupt.html, 2.2).
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def _open(self, write: bool, is_new: bool) -> None:
        size = self._path.stat().st_size
        with self._path.open("rb") as file:
            first = file.read(len(MAGIC))
        # Never "delete it": this may be a script or a table of somebody's.
        if not MAGIC.startswith(first):
            raise ValueError(
                f"`ledger` must be a file that a search wrote, or a new file; {self.name} is "
                "neither, and was not changed. Use another path."
            )
        if 0 < size < _HEADER:
            raise self.damaged("it is too short")  # SQLite would take it for a new file
        # A search that was killed while it wrote leaves a journal, which must be rolled back before
        # anything can be read, by a connection that may write (SQLITE_READONLY_ROLLBACK). What a
        # running search is writing is not to be rolled back by a reader.
        may_undo = write or (os.access(self._path, os.W_OK) and not is_locked(self._path))
        uri = self._path.as_uri() + ("?mode=rw" if may_undo else "?mode=ro")
        # `isolation_level=None`: the `sqlite3` module begins no transactions of its own.
        db = sqlite3.connect(
            uri, uri=True, isolation_level=None, timeout=_WAIT, check_same_thread=False
        )
        self._db = db
        # For files from elsewhere: https://www.sqlite.org/security.html
        db.execute("PRAGMA trusted_schema = OFF")
        db.execute("PRAGMA cell_size_check = ON")
        (application,) = db.execute("PRAGMA application_id").fetchone()
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if size == 0 and write:
            if not is_new:
                warn_user(
                    f"The ledger {self.name} was an empty file: the search starts from the "
                    "beginning.",
                    "empty-file",
                    UserWarning,
                )
            db.execute("BEGIN IMMEDIATE")
            db.execute(_TABLE)
            # A PRAGMA takes no bound parameters.
            db.execute(f"PRAGMA application_id = {_APPLICATION}")
            db.execute(f"PRAGMA user_version = {_FORMAT}")
            db.execute("COMMIT")
            return
        if application != _APPLICATION or version != _FORMAT:
            raise ValueError(
                f"`ledger` must be a file that a search of this kind wrote; {self.name} is an "
                "SQLite file of another program, or of another version of this package."
            )
        self._check(db)

    def _check(self, db: sqlite3.Connection) -> None:
        """Refuse a file that is damaged anywhere, before anything of it is used."""
        tables = db.execute("SELECT type, name, sql FROM sqlite_master").fetchall()
        if tables != [("table", "entries", _TABLE)]:
            raise self.damaged("it has other tables, views or triggers than a ledger")
        # It stops at the first fault. It finds damage of SQLite's structure, not of the text in a
        # row: hence the SHA-256.
        (state,) = db.execute("PRAGMA integrity_check(1)").fetchone()
        if state != "ok":
            raise self.damaged(state)
        rows = db.execute("SELECT * FROM entries ORDER BY id")
        schema = Schema()
        for expected, (number, kind, body, digest) in enumerate(rows, start=1):
            if number != expected:
                raise self.damaged(f"entry {expected} is missing")
            if _digest(number, kind, body) != digest:
                raise self.damaged(f"entry {number} is not as it was written")
            with self.reading():
                schema.check(kind, _parsed(body, self))

    def _write(self, entries: Sequence[Entry]) -> None:
        assert self._db is not None
        # It takes the lock for writing at once, and waits for it as long as `timeout` says.
        self._db.execute("BEGIN IMMEDIATE")
        (last,) = self._db.execute("SELECT coalesce(max(id), 0) FROM entries").fetchone()
        for number, (kind, body) in enumerate(entries, start=last + 1):
            # A float is written as its repr, and so read back to the last bit; NaN and infinities
            # as NaN and Infinity, which are no standard JSON, but Python's `json` reads them.
            text = json.dumps(body)
            entry = number, kind, text, _digest(number, kind, text)
            self._db.execute("INSERT INTO entries VALUES (?, ?, ?, ?)", entry)
        self._db.execute("COMMIT")

    def _refusal(self, error: Exception) -> Exception:
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & _PRIMARY_CODE
        if code in _IN_USE:
            return RuntimeError(
                f"`ledger` must not be locked; another program keeps {self.name} locked."
            )
        return self.damaged(str(error)) if code in _NOT_OURS else self.unwritable(error)

    def unwritable(self, error: Exception | str) -> OSError:
        """What to raise where nothing could be saved from the start."""
        return OSError(
            f"`ledger` must be a file that can be read and written; {self.name} cannot: {error}. "
            "Nothing was fitted."
        )


def opened_to_read(path: Path) -> Entries:
    """Entries of a file, also while a search writes to it; the errors are those of `Entries`."""
    for tries_left in reversed(range(_TRIES if is_locked(path) else 1)):
        try:
            return Entries(path, write=False)
        # While a search writes, its pages may be read half old and half new: SQLite's own locks end
        # when somebody in the search's process closes the file.
        except (OSError, ValueError):
            if not tries_left:
                raise
            time.sleep(_PAUSE)
    raise AssertionError  # for mypy: the last try returns or raises


def absolute(path: str | os.PathLike[str]) -> Path:
    """Where a ledger is or will be.

    Raises
    ------
    ValueError
        If no file can be there.
    """
    # Of such a path `Path.exists` is False; only opening it would raise.
    if "\0" in os.fspath(path):
        raise ValueError(f"`ledger` must be a path without null characters; got {str(path)!r}.")
    try:
        os.fsencode(path)
    except UnicodeEncodeError:  # half of a character
        raise ValueError(f"`ledger` must be a path; got {str(path)!r}.") from None
    found = Path(path).absolute()
    try:
        found.exists()
    except OSError as error:  # ENAMETOOLONG, say
        raise ValueError(f"`ledger` must be a path; got {shown(str(path))}: {error}.") from error
    if not found.parent.is_dir():
        raise ValueError(f"`ledger` must lie in a folder that exists; got {str(path)!r}.")
    if found.is_dir():
        raise ValueError(f"`ledger` must be a file; got the folder {str(path)!r}.")
    if found.exists() and not found.is_file():
        raise ValueError(f"`ledger` must be a regular file; got {str(path)!r}.")
    return found


def _identity_of(path: Path) -> tuple[int, int] | None:
    """Device and number of a file; None where there is none."""
    try:
        stat = os.stat(path)
    except OSError:
        return None
    return stat.st_dev, stat.st_ino


def _parsed(body: Any, entries: Entries) -> Any:
    try:
        return json.loads(body)
    # A RecursionError comes of deeply nested brackets, which only a crafted file has.
    except (ValueError, TypeError, RecursionError) as error:
        raise entries.damaged(f"an entry is no JSON: {error}") from error


def _digest(number: int, kind: str, body: str) -> str:
    # With the number, so that entries cannot be exchanged for each other.
    return hashlib.sha256(f"{number} {kind} {body}".encode()).hexdigest()


_MOST = 2**62
"""Counts stay below: NumPy's int64 ends at 2⁶³, and Python's `json` reads any number of digits."""


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _count(value: Any) -> bool:
    # `type(value) is int`, because True is an instance of int.
    return type(value) is int and 0 <= value < _MOST


def _number(value: Any) -> bool:
    # float() of an int above 1.8e308 raises OverflowError, which counts as another form.
    return type(value) is float or (type(value) is int and math.isfinite(float(value)))


def _optional_text(value: Any) -> bool:
    return isinstance(value, str | None)


_Form = Any
"""A predicate; or [form] for a list, (form, …) for one of that length, {str: form} for a mapping,
and {name: form, …} for an object, of which a name that ends in "?" may be missing."""

_LINES = {str: (_text, _text)}
_RESPONSES = {"dtype": _text, "was": _text, "raw": _text, "shape": [_count]}
_UNITS = {
    "n_independent?": _number, "sample_range?": _number, "error_score?": _number,
    "scorer_name?": _text,
}  # fmt: skip
_DESCRIPTION = {
    "labels": [_text],
    "naming": _text,
    "params": [{str: lambda _: True}],
    "metric?": _text,
    "refit?": _optional_text,
    "settings?": {str: lambda _: True},
    "units?": {str: _UNITS},
    "units_of_first?": [(_count, {str: _UNITS})],
}
_OUTCOMES = {
    "columns": [(PARTS.__contains__, _optional_text, [_number])],
    "errors": [(_text, [_count])],
    "responses?": [(_count, {str: _RESPONSES})],
}
_SCHEMA: dict[str, _Form] = {
    "search": {"settings": _LINES, "code": _LINES},
    "versions": {"versions": {str: _text}},
    "data": {"data": _LINES},
    # These three are of the whole file; all others belong to the data of one section.
    "state": {"of": _count, "names": [_text]},
    "start": {
        "of": _count, "candidates": [_text], "splits": [_count], "time": _number,
        "told?": _DESCRIPTION,
    },
    "splits": {
        "of": _count, "batch": _count, "keys": [_text], "drawn": _text,
        "design?": {str: lambda _: True},
    },
    "indices": {"of": _count, "key": _text, "train": _text, "test": _text},
    "order": {"of": _count, "order": [_count]},
    "outcomes": {
        "of": _count, "candidates": [_text], "splits": [_count], "cells": [(_count, _count)],
        "outcomes": _OUTCOMES, "time": _number,
    },
    "end": {"of": _count, "time": _number, "cut?": lambda value: isinstance(value, bool)},
}  # fmt: skip


def _check_form(value: Any, form: _Form, name: str) -> None:
    """Raise ValueError unless a value has a form; `name` is the nearest one in the entry."""
    if isinstance(form, list | tuple):
        _check(isinstance(value, list), name)
        forms = form * len(value) if isinstance(form, list) else form
        _check(len(forms) == len(value), name)
        for part, of_part in zip(value, forms, strict=True):
            _check_form(part, of_part, name)
    elif isinstance(form, dict):
        _check(isinstance(value, dict), name)
        fields = dict.fromkeys(value, form[str]) if str in form else form
        for field, of_field in fields.items():
            wanted = field if str in form else field.removesuffix("?")
            if wanted in value or wanted == field:
                _check_form(value[wanted], of_field, name if str in form else wanted)
    else:
        _check(form(value), name)


def _check(holds: bool, what: str) -> None:
    if not holds:
        raise ValueError(f"{what} in another form than a search writes")


class Schema:
    """Checks entries in the order that they were added, each against those before it.

    `check` raises a ValueError that says what is wrong, or the error of reading another form.
    """

    def __init__(self) -> None:
        self._splits: list[set[str]] = []  # of each section
        self._n_first: dict[int, int] = {}

    def check(self, kind: Any, body: Any) -> None:
        """Check the next entry."""
        if kind not in _SCHEMA:
            raise ValueError(f"no search writes entries of kind {kind!r}")
        _check_form(body, _SCHEMA[kind], "an entry")
        if kind == "data":
            self._splits.append(set())
        if "of" not in _SCHEMA[kind]:
            return
        of = body["of"]
        _check(of < len(self._splits), "a section")
        # `LedgerFile` numbers the keys of a section in the order in which they first came.
        known = len(self._splits[of])
        _check(all(number < known for number in body.get("splits", ())), "splits")
        if kind == "start" and "told" in body:
            told, n = body["told"], len(body["candidates"])
            _check(len(told["labels"]) == len(told["params"]) == n, "labels")
        elif kind == "splits":
            if "design" in body:
                _check(design_of(body["design"]).n_splits == len(body["keys"]), "sizes of splits")
            self._splits[of] |= set(body["keys"])
            if body["batch"] == 0:  # a race orders the splits of `fit`, not those of extensions
                self._n_first.setdefault(of, len(body["keys"]))
        elif kind == "order":
            _check(sorted(body["order"]) == list(range(self._n_first[of])), "order")
        elif kind == "outcomes":
            self._check_outcomes(body)

    def _check_outcomes(self, body: Any) -> None:
        candidates, splits, outcomes = body["candidates"], body["splits"], body["outcomes"]
        cells = [tuple(cell) for cell in body["cells"]]
        # Of a cell that came twice `Outcomes.unpack` would keep one of two outcomes.
        for each in (candidates, splits, cells):
            _check(len(set(each)) == len(each), "cells")
        _check(all(i < len(candidates) and j < len(splits) for i, j in cells), "cells")
        names = [(part, metric) for part, metric, _ in outcomes["columns"]]
        # Without scores `Outcomes.failed` would take every fit for a sound one.
        _check(any(part == "test_scores" for part, _ in names), "scores")
        _check(all(len(values) == len(cells) for _, _, values in outcomes["columns"]), "a column")
        # Entries may differ: a scorer may return further metrics for some candidates.
        _check(len(set(names)) == len(names), "metrics")
        places = [k for _, failed in outcomes["errors"] for k in failed]
        places += [k for k, _ in outcomes.get("responses", ())]
        _check(all(k < len(cells) for k in places), "errors or responses")


try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]
    import msvcrt

_HELD: "weakref.WeakSet[FileLock]" = weakref.WeakSet()

_making = threading.Lock()
"""Held from when a file is made until it is locked: no other thread sees it in between."""

_FAR = 2**31 - 2
"""Position of a byte past the end of any ledger: Windows does not let others read locked bytes."""


class InUseError(OSError):
    """Another search holds the lock."""


class FileLock:
    """An exclusive lock on a file that exists, until it is released or the process ends.

    It uses ``flock``, which belongs to the open file. SQLite's own locks on POSIX belong to the
    process, and are lost when any code in it closes the file, such as ``shutil.copy``
    (https://www.sqlite.org/howtocorrupt.html, 2.2).

    Raises
    ------
    InUseError
        If another process, or another search in this one, holds it.
    OSError
        If the file cannot be opened, or its file system has no locks.
    """

    def __init__(self, path: Path) -> None:
        self._file: int | None = os.open(path, os.O_RDWR)
        # A process that is being started has its parent's open files until it runs its own program,
        # which closes them (PEP 446). So a lock may outlive its owner by some milliseconds.
        for tries_left in reversed(range(_TRIES)):
            try:
                self._lock(self._file)
                break
            # flock fails with EWOULDBLOCK, and `msvcrt.locking` with EACCES.
            except (BlockingIOError, PermissionError) as error:
                if not tries_left:
                    self._close()
                    raise InUseError(str(error)) from error
                time.sleep(_PAUSE)
            except OSError:
                self._close()
                raise
        stat = os.fstat(self._file)
        self.identity = stat.st_dev, stat.st_ino
        _HELD.add(self)

    def release(self) -> None:
        """Release the lock."""
        if self._file is not None:
            # A child that was forked shares the lock: closing the file here would leave it there,
            # LOCK_UN takes it from both (flock(2)).
            if fcntl is not None:
                fcntl.flock(self._file, fcntl.LOCK_UN)
            else:
                # Windows too unlocks a file that is closed, but says not when.
                os.lseek(self._file, _FAR, os.SEEK_SET)
                msvcrt.locking(self._file, msvcrt.LK_UNLCK, 1)
            self._close()

    def _lock(self, file: int) -> None:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            # LK_LOCK would try for ten seconds before it gives up.
            os.lseek(file, _FAR, os.SEEK_SET)
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)

    def _close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None


def locked(path: Path) -> tuple[FileLock, bool]:
    """Lock of a file, which is made where there is none, and whether it was.

    Its owner alone can read a file that is made here.

    Raises
    ------
    InUseError
        If another process, or another search in this one, holds the lock.
    OSError
        If the file cannot be made or opened, or its file system knows no locks.
    """
    with _making:
        # With O_EXCL one of several processes makes the file; the others get FileExistsError.
        try:
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
            return FileLock(path), True
        except FileExistsError:
            pass
    return FileLock(path), False


def is_locked(path: Path) -> bool:
    """Whether somebody holds the lock of a file."""
    try:
        FileLock(path).release()
    except InUseError:
        return True
    except OSError:  # a file that may only be read, say
        return False
    return False


def _release_in_child() -> None:
    # A process that was forked, such as a worker of multiprocessing, has the open file too, and
    # would keep it locked after its parent was killed. It closes the file without LOCK_UN, which
    # would take the lock from the parent. The thread that held `_making` may not exist here.
    global _making
    _making = threading.Lock()
    for lock in list(_HELD):
        with contextlib.suppress(OSError):
            lock._close()


if hasattr(os, "register_at_fork"):  # not on Windows, which has no fork
    os.register_at_fork(after_in_child=_release_in_child)

_LONGEST_VALUE = 200


def search_description(
    candidates: Sequence[Mapping[str, Any]], metric: str, settings: Mapping[str, Any], refit: Any
) -> dict[str, Any]:
    """Labels, parameters, settings and metrics for an entry; values unknown to JSON become text.

    `metric` is the name of a single metric; with several, `refit` may name one.
    """
    params = [
        {name: _plain(value) for name, value in candidate.items()} for candidate in candidates
    ]
    labels = candidate_labels(candidates)
    test = PAIR_TESTS.get(settings["test"], settings["test"])
    by = refit if isinstance(refit, str) else getattr(refit, "metric", None)
    return {
        "labels": list(labels),
        "naming": labels.naming,
        "params": params,
        "metric": metric,
        "settings": to_save(**{**settings, "test": test}),
        "refit": by if isinstance(by, str) else None,
    }


def mark_of_splits(keys: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return a line of `DataFingerprint` for the splits; empty if their keys were not recorded."""
    if not keys:
        return {}
    digest = hashlib.sha256(" ".join(keys).encode()).hexdigest()
    return {SPLITS: (digest, count(len(keys), "split"))}


def design_of(described: Mapping[str, Any]) -> SplitDesign:
    """Invert `design_description`; raise ValueError or KeyError for anything else."""
    # Not in the first ledgers.
    known = {"stratified": False, "repeated": False, "tests_training": False, **described}
    return SplitDesign(**{name: known[name] for name in (*SIZES, "n_samples", *STRUCTURE)})


def part_of(design: SplitDesign, columns: Sequence[int]) -> SplitDesign:
    """The design of some of the splits."""
    chosen = np.asarray(columns, dtype=np.intp)
    if np.array_equal(chosen, np.arange(design.n_splits)):
        return design
    repeat = design.repeat[chosen]
    # A repeat that lacks a split no longer partitions the data.
    for number in np.unique(repeat[repeat >= 0]):
        if np.count_nonzero(repeat == number) < np.count_nonzero(design.repeat == number):
            repeat[repeat == number] = -1
    _, numbered = np.unique(repeat[repeat >= 0], return_inverse=True)
    repeat[repeat >= 0] = numbered
    return replace(
        design,
        n_train=design.n_train[chosen],
        n_test=design.n_test[chosen],
        repeat=repeat,
        complementary_halves=design.complementary_halves and bool((repeat >= 0).all()),
    )


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | int | float):
        return value
    text = value if isinstance(value, str) else " ".join(repr(value).split())
    short = shortened(text, _LONGEST_VALUE)
    # What is cut, here or by scikit-learn's and NumPy's `repr`, must stay different from others.
    if short == text and "..." not in text:
        return text
    return f"{short} #{hashlib.sha256(identity(value).encode()).hexdigest()[:8]}"
