"""LedgerFile: what a search has finished, in an SQLite file that survives it."""

import hashlib
import json
import os
import sqlite3
import warnings
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare.search._identity import Identity, differences
from sklearn_stats_compare.search._ledger import Indices, Ledger
from sklearn_stats_compare.stats._warnings import outside_level

_APPLICATION = 0x5353434C  # tells such a file from other SQLite files
_FORMAT = 1
_HEADER = 100  # bytes that every SQLite file begins with
_IN_USE = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)

Split = tuple[NDArray[np.int64], NDArray[np.int64]]


class LedgerFile:
    """An SQLite file of entries that are only ever added: JSON, and the SHA-256 of each.

    Entries are of five kinds: the search that the file belongs to; the splits of a fit or of an
    extension, by their keys; the indices of splits that cannot be made again; the order that a race
    drew; and finished blocks. Nothing in it is unpickled or executed. The process that called
    ``fit`` holds it alone, until it is closed or the process ends.

    Parameters
    ----------
    path : str or path-like
        Where it is, or will be.
    identity : mapping
        What it must belong to.

    Raises
    ------
    ValueError
        If its folder does not exist, it is damaged or no such file, or it belongs to something
        else.
    RuntimeError
        If another search is using it.
    """

    def __init__(self, path: str | os.PathLike[str], identity: Identity) -> None:
        self._path = Path(path).absolute()
        if not self._path.parent.is_dir():
            raise ValueError(f"`ledger` must lie in a folder that exists; got {str(path)!r}.")
        if self._path.is_dir():
            raise ValueError(f"`ledger` must be a file; got the folder {str(path)!r}.")
        self._split_numbers: dict[str, int] = {}
        self._batches: dict[int, list[str]] = {}
        self._drawn: dict[int, str] = {}
        self._writable = True
        self._connection: sqlite3.Connection | None = None
        try:
            self._open(identity)
        except (sqlite3.Error, UnicodeDecodeError) as error:  # in text, SQLite notices nothing
            self.close()
            raise self._refusal(error) from error
        except BaseException:
            self.close()
            raise

    @property
    def is_saving(self) -> bool:
        """Whether what is finished now will be found again."""
        return self._writable

    def batch(self, number: int) -> list[str] | None:
        """Keys of the splits of a fit (batch 0) or of its n-th extension, if there are any."""
        return self._batches.get(number)

    def replayed(self, number: int, drawn: str) -> list[Split] | None:
        """The splits of a batch themselves, where they were saved and `drawn` like that."""
        wanted = self._batches.get(number, []) if self._drawn.get(number) == drawn else []
        found = {
            body["key"]: (_unpacked(body["train"]), _unpacked(body["test"]))
            for body in self._bodies("indices")
            if body["key"] in set(wanted)
        }
        return [found[key] for key in wanted] if wanted and len(found) == len(set(wanted)) else None

    def add_batch(
        self, number: int, keys: Sequence[str], drawn: str = "", splits: Sequence[Split] = ()
    ) -> None:
        """Save the splits of a batch; how they were `drawn`, and they, if that may differ."""
        entries = [("splits", {"batch": number, "keys": list(keys), "drawn": drawn})]
        for key, (train, test) in zip(keys, splits, strict=False):
            entries.append(
                ("indices", {"key": key, "train": _packed(train), "test": _packed(test)})
            )
        self._add(entries)
        self._know(number, keys, drawn)

    def order(self, drawn: Sequence[int]) -> list[int]:
        """The order of splits that was saved before, else `drawn`, which is saved."""
        stored = next(self._bodies("order"), None)
        if stored is not None and len(stored) == len(drawn):
            return [int(position) for position in stored]
        self._add([("order", [int(position) for position in drawn])])
        return list(drawn)

    def load(self, ledger: Ledger, candidates: Sequence[str], splits: Sequence[str]) -> None:
        """Enter into `ledger` whatever is finished of these candidates and splits."""
        rows = {key: row for row, key in enumerate(candidates)}
        columns = {
            self._split_numbers[key]: column
            for column, key in enumerate(splits)
            if key in self._split_numbers
        }
        for body in self._bodies("block"):
            chosen = {k: rows[key] for k, key in enumerate(body["candidates"]) if key in rows}
            over = {k: columns[n] for k, n in enumerate(body["splits"]) if n in columns}
            if chosen and over:
                ledger.fill_block(chosen, over, body["outcomes"])

    def save(
        self, ledger: Ledger, candidates: Mapping[int, str], splits: Mapping[int, str]
    ) -> None:
        """Save a block of `ledger`, its cells and their keys, before the next begins."""
        body = {
            "candidates": list(candidates.values()),
            "splits": [self._split_numbers[key] for key in splits.values()],
            "outcomes": ledger.block(list(candidates), list(splits)),
        }
        self._add([("block", body)])

    def close(self) -> None:
        """Let go of the file, for other searches to use."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _open(self, identity: Identity) -> None:
        if self._path.exists() and 0 < self._path.stat().st_size < _HEADER:
            raise self._damaged("it is too short")  # which SQLite takes for a new one
        try:
            uri = self._path.as_uri() + "?mode=rwc"
            self._connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=0)
            # The lock of the first transaction is kept until the file is closed.
            self._db.execute("PRAGMA locking_mode = EXCLUSIVE")
            self._db.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if _code(error) in (*_IN_USE, *_DAMAGED):
                raise
            self._stop_saving(error)
            self.close()
            return
        db = self._db
        (application,) = db.execute("PRAGMA application_id").fetchone()
        (version,) = db.execute("PRAGMA user_version").fetchone()
        (n_tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if n_tables == 0 and application == 0:
            self._create(identity)
            return
        if application != _APPLICATION or version != _FORMAT:
            raise ValueError(
                f"`ledger` must be a file that a search of this kind wrote; {self._name} is an "
                "SQLite file of something else, or of another version of this package."
            )
        self._check()
        db.execute("COMMIT")
        stored = next(self._bodies("search"), None)
        if stored is None:
            raise self._damaged("it does not say what it belongs to")
        self._compare(stored, identity)
        for body in self._bodies("splits"):
            self._know(body["batch"], body["keys"], body["drawn"])

    def _create(self, identity: Identity) -> None:
        db = self._db
        try:
            db.execute(
                "CREATE TABLE entries (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, "
                "body TEXT NOT NULL, sha256 TEXT NOT NULL)"
            )
            db.execute(f"PRAGMA application_id = {_APPLICATION}")
            db.execute(f"PRAGMA user_version = {_FORMAT}")
            self._insert("search", {name: list(told) for name, told in identity.items()})
            db.execute("COMMIT")
        except sqlite3.OperationalError as error:
            self._stop_saving(error)
            self.close()

    def _check(self) -> None:
        """Refuse a file that is damaged anywhere, before anything of it is used."""
        (state,) = self._db.execute("PRAGMA integrity_check(1)").fetchone()
        if state != "ok":
            raise self._damaged(state)
        for number, kind, body, digest in self._db.execute("SELECT * FROM entries ORDER BY id"):
            if _digest(number, kind, body) != digest:
                raise self._damaged(f"entry {number} is not as it was written")

    def _compare(self, stored: Identity, identity: Identity) -> None:
        differing = differences(stored, identity)
        if differing:
            raise ValueError(
                f"`ledger` must belong to this search; {self._name} differs in {differing}. Take "
                "another file, or delete it to begin anew."
            )

    def _know(self, number: int, keys: Sequence[str], drawn: str) -> None:
        self._batches[number], self._drawn[number] = list(keys), drawn
        for key in keys:
            self._split_numbers.setdefault(key, len(self._split_numbers))

    def _bodies(self, kind: str) -> Iterator[Any]:
        if self._connection is None:
            return
        found = self._db.execute("SELECT body FROM entries WHERE kind = ? ORDER BY id", (kind,))
        for (body,) in found:
            yield json.loads(body)

    def _add(self, entries: Sequence[tuple[str, Any]]) -> None:
        """Add entries, all or none; trouble with the disk ends the saving and not the search."""
        if not self._writable:
            return
        try:
            self._db.execute("BEGIN")
            for kind, body in entries:
                self._insert(kind, body)
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            self._stop_saving(error)

    def _insert(self, kind: str, body: Any) -> None:
        (number,) = self._db.execute("SELECT coalesce(max(id), 0) + 1 FROM entries").fetchone()
        text = json.dumps(body)
        entry = number, kind, text, _digest(number, kind, text)
        self._db.execute("INSERT INTO entries VALUES (?, ?, ?, ?)", entry)

    def _stop_saving(self, error: sqlite3.Error) -> None:
        self._writable = False
        if self._connection is not None and self._connection.in_transaction:
            self._connection.execute("ROLLBACK")
        warnings.warn(
            f"The search goes on, but it is not being saved: {self._name} cannot be written to "
            f"({error}). What is finished from now on will be fitted again.",
            UserWarning,
            stacklevel=outside_level(),
        )

    def _refusal(self, error: Exception) -> Exception:
        if _code(error) in _IN_USE:
            return RuntimeError(
                f"`ledger` must be used by one search at a time; {self._name} is in use by another."
            )
        return self._damaged(str(error))

    def _damaged(self, how: str) -> ValueError:
        return ValueError(
            f"`ledger` must be a file that a search wrote, and whole; {self._name} is not: {how}. "
            "Nothing of it was used. Delete it to begin anew."
        )

    @property
    def _db(self) -> sqlite3.Connection:
        assert self._connection is not None
        return self._connection

    @property
    def _name(self) -> str:
        return repr(self._path.name)


def _code(error: Exception) -> int:
    """SQLite's primary result code."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF


def _digest(number: int, kind: str, body: str) -> str:
    return hashlib.sha256(f"{number} {kind} {body}".encode()).hexdigest()


def _packed(indices: Indices) -> str:
    return b64encode(zlib.compress(np.asarray(indices, dtype="<i8").tobytes())).decode()


def _unpacked(packed: str) -> NDArray[np.int64]:
    return np.frombuffer(zlib.decompress(b64decode(packed)), dtype="<i8").astype(np.int64)
