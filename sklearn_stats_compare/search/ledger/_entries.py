"""Entries: an SQLite file to which JSON is only ever added, each with its SHA-256."""

import contextlib
import hashlib
import json
import os
import sqlite3
import time
import warnings
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from sklearn_stats_compare._messages import outside_level, printable, shown
from sklearn_stats_compare.search.ledger._forms import Forms
from sklearn_stats_compare.search.ledger._lock import FileLock, InUseError, is_locked, locked

# "SSCL". SQLite keeps both numbers in the header of a file for the application that owns it:
# https://www.sqlite.org/fileformat2.html, 1.3
_APPLICATION = 0x5353434C
_FORMAT = 2
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

    def grouped(self, *kinds: str) -> dict[str, list[Any]]:
        """Bodies of each of some kinds, in the order that they were added."""
        found: dict[str, list[Any]] = {kind: [] for kind in kinds}
        for kind, body in self.of_kinds(*kinds):
            found[kind].append(body)
        return found

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
            # SQLite rolls back by itself after some errors, such as a full disk.
            if self._db.in_transaction:
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
                self._warn_of_empty_file()
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

    def _warn_of_empty_file(self) -> None:
        warnings.warn(
            f"The ledger {self.name} was an empty file: the search starts from the beginning.",
            UserWarning,
            stacklevel=outside_level(),
        )

    def _check(self, db: sqlite3.Connection) -> None:
        """Refuse a file that is damaged anywhere, before anything of it is used."""
        schema = db.execute("SELECT type, name, sql FROM sqlite_master").fetchall()
        if schema != [("table", "entries", _TABLE)]:
            raise self.damaged("it has other tables, views or triggers than a ledger")
        # It stops at the first fault. It finds damage of SQLite's structure, not of the text in a
        # row: hence the SHA-256.
        (state,) = db.execute("PRAGMA integrity_check(1)").fetchone()
        if state != "ok":
            raise self.damaged(state)
        rows = db.execute("SELECT * FROM entries ORDER BY id")
        forms = Forms()
        for expected, (number, kind, body, digest) in enumerate(rows, start=1):
            if number != expected:
                raise self.damaged(f"entry {expected} is missing")
            if _digest(number, kind, body) != digest:
                raise self.damaged(f"entry {number} is not as it was written")
            with self.reading():
                forms.check(kind, _parsed(body, self))

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
