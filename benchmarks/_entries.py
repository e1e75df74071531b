"""The entries of a ledger as anyone can read and write them, with `sqlite3` alone."""

import json
import shutil
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from sklearn_stats_compare.search.ledger import _storage

UNKNOWN = (AssertionError, LookupError, TypeError, ValueError, sqlite3.Error)
"""What comes of a format that has changed since the attacks were written."""


def digest_of(number, kind, text):
    """What the file has of an entry as it was written; the one thing that only the package knows.

    With it an entry that was edited passes for one that was not.
    """
    return _storage._digest(number, kind, text)


def opened(path):
    """A connection that writes each statement at once, and is closed after a `with`."""
    return closing(sqlite3.connect(path, isolation_level=None))


def read(path):
    """(id, kind, body) of every entry."""
    with opened(path) as db:
        if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'entries'").fetchone():
            return []  # killed while it was being made
        found = db.execute("SELECT id, kind, body FROM entries ORDER BY id").fetchall()
    return [(number, kind, json.loads(body)) for number, kind, body in found]


def write(path, number, kind, body):
    """Write an entry's body, which may be text that JSON does not have, and its digest."""
    text = body if isinstance(body, str) else json.dumps(body)
    values = text, digest_of(number, kind, text), number
    with opened(path) as db:
        db.execute("UPDATE entries SET body = ?, sha256 = ? WHERE id = ?", values)


def renumbered(path, numbers):
    """Give entries other numbers, and the digests that belong to them."""
    with opened(path) as db:
        rows = db.execute("SELECT id, kind, body FROM entries ORDER BY id").fetchall()
        db.execute("UPDATE entries SET id = -id")
        for (number, kind, body), new in zip(rows, numbers, strict=True):
            digest = digest_of(new, kind, body)
            values = new, digest, -number
            db.execute("UPDATE entries SET id = ?, sha256 = ? WHERE id = ?", values)


def add(path, kind, body, number=None):
    """Add an entry, by default as the next; other columns of the table as in the first."""
    with opened(path) as db:
        names = [row[1] for row in db.execute("PRAGMA table_info(entries)")]
        first = dict(zip(names, db.execute("SELECT * FROM entries").fetchone(), strict=True))
        (last,) = db.execute("SELECT max(id) FROM entries").fetchone()
        number = last + 1 if number is None else number
        text = body if isinstance(body, str) else json.dumps(body)
        digest = digest_of(number, kind, text)
        entry = first | {"id": number, "kind": kind, "body": text, "sha256": digest}
        marks = ", ".join("?" * len(names))
        db.execute(f"INSERT INTO entries VALUES ({marks})", list(entry.values()))


def copied(path, folder):
    """A copy with whatever lies beside a file that was being written to, in a new folder."""
    folder = Path(tempfile.mkdtemp(dir=folder))
    for file in path.parent.glob(f"{path.name}*"):
        shutil.copy(file, folder)
    return folder / path.name


def n_successful(path):
    """Number of cells of a ledger whose fit did not fail."""
    if not path.exists():
        return 0
    cells = {}
    for _, kind, body in read(path):
        if kind != "outcomes":
            continue
        failed = {place for _, places in body["outcomes"]["errors"] for place in places}
        for place, (candidate, split) in enumerate(body["cells"]):
            cell = body["of"], body["candidates"][candidate], body["splits"][split]
            cells[cell] = place not in failed
    return sum(cells.values())
