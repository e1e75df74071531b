"""Finished ledgers of which bits were flipped, and files that were damaged in other ways."""

import functools
import gzip
import json
import struct
import tempfile
import zipfile
from pathlib import Path

import numpy as np

from benchmarks import _entries, _projects
from benchmarks._attacked import fit_own
from benchmarks._children import in_child, in_children
from benchmarks._verdicts import REFUSED, WRONG, Verdict, judged

N_FLIPS = 200
N_DAMAGED = 140
N_CANDIDATES = 24

PROJECT = """
    import itertools
    import time

    ticks = itertools.count()
    time.time = lambda: 1e9 + next(ticks) / 7  # times are in the file, and it is the same each time

    class Failing(Learner):
        def fit(self, X, y=None):
            if self.number == 5 or (self.number == 7 and X[0, 0] > 0.5):
                raise ValueError(f"number {self.number} fails")
            return super().fit(X, y)

    estimator = Failing()
    cv = KFold(6)
    values = list(range(24))
    arguments = {}
"""


def flips(only=""):
    """One bit of a finished ledger, and the search is run again; half of them in bytes not zero."""
    with tempfile.TemporaryDirectory() as folder:
        whole, expected = _finished(Path(folder))
        rng = np.random.default_rng(0)
        places = [
            *rng.integers(len(whole), size=N_FLIPS // 2),
            *rng.choice(np.flatnonzero(np.frombuffer(whole, np.uint8)), N_FLIPS // 2),
        ]
        files = {}
        for k, (at, bit) in enumerate(zip(places, rng.integers(8, size=N_FLIPS), strict=True)):
            flipped = whole[:at] + bytes([whole[at] ^ (1 << bit)]) + whole[at + 1 :]
            files[f"flip {k + 1}, bit {bit} of byte {at} of {len(whole)}"] = flipped
        yield from _run_again(Path(folder), files, expected, only)


def damage(only=""):
    """Files that are cut, overwritten, of something else, or edited."""
    with tempfile.TemporaryDirectory() as folder:
        whole, expected = _finished(Path(folder))
        files = {**_cut_and_overwritten(whole), **_foreign(whole), **_edited()}
        files |= _mutated(whole, Path(folder), N_DAMAGED - len(files))
        yield from _run_again(Path(folder), files, expected, only, whole)


def _finished(folder):
    _projects.write(folder, PROJECT, 0)
    ledger = folder / "search.sqlite"
    expected = in_child(fit_own, str(folder), None, N_CANDIDATES)
    found = in_child(fit_own, str(folder), str(ledger), N_CANDIDATES)
    verdict = judged("a whole ledger", found, expected)
    assert verdict.kind != WRONG, verdict.words
    return ledger.read_bytes(), expected


def _run_again(folder, files, expected, only, whole=b""):
    """Run the search with each file: its bytes, or what is done to a copy of the whole one."""
    files = {case: made for case, made in files.items() if only in case}
    paths = {}
    for case, made in files.items():
        path = Path(tempfile.mkdtemp(dir=folder)) / "search.sqlite"
        path.write_bytes(made if isinstance(made, bytes) else whole)
        try:
            if not isinstance(made, bytes):
                made(path)
        except _entries.UNKNOWN as error:
            told = f"it could not be made: {type(error).__name__}: {error}"
            yield Verdict(case, WRONG, told)
        else:
            paths[case] = path
    before = [path.read_bytes() for path in paths.values()]
    cases = [(str(folder), str(path), N_CANDIDATES) for path in paths.values()]
    outcomes = in_children(fit_own, cases)
    for (case, path), content, outcome in zip(paths.items(), before, outcomes, strict=True):
        verdict = judged(case, outcome, expected)
        # A journal is there to change a file.
        if verdict.kind == REFUSED and path.read_bytes() != content and "journal" not in case:
            verdict = Verdict(case, WRONG, "it was refused, but not left as it was")
        yield verdict


def _cut_and_overwritten(whole):
    rng = np.random.default_rng(1)
    size = struct.unpack(">H", whole[16:18])[0]  # of a page
    n_pages = len(whole) // size
    pages = [whole[size * k : size * (k + 1)] for k in range(n_pages)]

    def joined(changed):
        return b"".join(changed.get(k, page) for k, page in enumerate(pages))

    files = {f"cut to {at} bytes": whole[:at] for at in (1, 15, 16, 99, 100, size, size + 1)}
    for at in rng.integers(size, len(whole), 13):
        files[f"cut to {at} bytes"] = whole[:at]
    for k in rng.choice(n_pages, min(n_pages, 6), replace=False):
        files[f"page {k} of zeros"] = joined({k: bytes(size)})
        files[f"page {k} of anything"] = joined({k: rng.bytes(size)})
    swapped = [(i, j) for i in range(n_pages) for j in range(i)]
    for k in rng.choice(len(swapped), min(len(swapped), 8), replace=False):
        i, j = swapped[k]
        files[f"pages {j} and {i} swapped"] = joined({i: pages[j], j: pages[i]})
    for n in (1, 100, size, 2**20):
        files[f"{n} bytes appended"] = whole + rng.bytes(n)
    files["itself appended"] = whole + whole
    return files


def _foreign(whole):
    rng = np.random.default_rng(2)
    wal = bytearray(whole)
    wal[18:20] = b"\x02\x02"
    return {
        "empty": b"",
        "a line feed": b"\n",
        "text": b"scores are in the other file\n" * 500,
        "text of another encoding": ("größer\n" * 500).encode("utf-16"),
        "the header of SQLite and no more": whole[:100],
        "the header of SQLite and text": whole[:100] + b"scores " * 2000,
        "the header of a picture": b"\x89PNG\r\n\x1a\n" + rng.bytes(5000),
        "compressed": gzip.compress(whole),
        "another extension's archive": _archived,
        "JSON": json.dumps({"search": {"`X`": ["0", "0"]}}).encode() * 40,
        "zeros": bytes(20_000),
        "anything": rng.bytes(20_000),
        "another database": _replaced("CREATE TABLE people (name TEXT)"),
        "an empty database": _replaced("CREATE TABLE x (y)", "DROP TABLE x"),
        "another database with such a table": _replaced(
            "CREATE TABLE entries (name TEXT)", "INSERT INTO entries VALUES ('search')"
        ),
        "marked as a log that is written ahead": bytes(wal),
    }


def _archived(path):
    content = path.read_bytes()
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("search.sqlite", content)


def _replaced(*statements):
    def replace(path):
        path.unlink()
        _run(*statements)(path)

    return replace


def _run(*statements):
    def run(path):
        with _entries.opened(path) as db:
            for statement in statements:
                db.execute(statement)

    return run


def _edited():
    """Edits by SQL, by hand and of what lies beside the file."""
    statements = {
        "the first outcome removed": "DELETE FROM entries WHERE id = "
        "(SELECT min(id) FROM entries WHERE kind = 'outcomes')",
        "an outcome removed": "DELETE FROM entries WHERE id = 12",
        "the last entry removed": "DELETE FROM entries WHERE id = (SELECT max(id) FROM entries)",
        "all outcomes removed": "DELETE FROM entries WHERE kind = 'outcomes'",
        "the splits removed": "DELETE FROM entries WHERE kind = 'splits'",
        "what it belongs to removed": "DELETE FROM entries WHERE kind = 'search'",
        "everything removed": "DELETE FROM entries",
        "no table": "DROP TABLE entries",
        "another table beside it": "CREATE TABLE notes (text)",
        "one column more": "ALTER TABLE entries ADD COLUMN note TEXT",
        "another name of a column": "ALTER TABLE entries RENAME COLUMN body TO bodies",
        "another version of the format": "PRAGMA user_version = 99",
        "another application": "PRAGMA application_id = 1",
        "a score edited": "UPDATE entries SET body = replace(body, '.', '.9') WHERE id = 9",
        "a digest edited": "UPDATE entries SET sha256 = upper(sha256) WHERE id = 9",
        "no digest": "UPDATE entries SET sha256 = '' WHERE id = 9",
        "a body as bytes": "UPDATE entries SET body = CAST(body AS BLOB) WHERE id = 9",
        "bytes that are no text": "UPDATE entries SET body = CAST(x'ff00fe' AS TEXT) WHERE id = 9",
        "a kind edited": "UPDATE entries SET kind = 'outcome' WHERE id = 9",
        "a body of nothing": "UPDATE entries SET body = '' WHERE id = 9",
        "all numbers one higher": "UPDATE entries SET id = -id; UPDATE entries SET id = 1 - id",
        "an outcome once more under its digest": "INSERT INTO entries SELECT id + 900, kind, body, "
        "sha256 FROM entries WHERE id = 9",
        "packed anew": "VACUUM",
        "packed anew into small pages": "PRAGMA page_size = 512; VACUUM",
        "a log that is written ahead": "PRAGMA journal_mode = WAL",
    }
    files = {name: _run(*text.split("; ")) for name, text in statements.items()}
    return files | {
        "every outcome twice, sealed": functools.partial(_twice, kind="outcomes"),
        "the splits twice, sealed": functools.partial(_twice, kind="splits"),
        "what it belongs to twice, sealed": functools.partial(_twice, kind="search"),
        "numbers with gaps, sealed": lambda path: _renumber(path, lambda k: 10 * k),
        "numbers backwards, sealed": lambda path: _renumber(path, lambda k: 1000 - k),
        "numbers below nothing, sealed": lambda path: _renumber(path, lambda k: k - 5000),
        "a stale journal of anything": lambda path: _beside(path, "journal", b"\x07" * 3000),
        "an empty journal": lambda path: _beside(path, "journal", b""),
        "a stale journal of another database": _journal_of_another,
        "a stale journal of its past": _journal_of_the_past,
        "the journal of a transaction that was cut off": _cut_off,
        "a stale log of anything": lambda path: _beside(path, "wal", b"\x07" * 3000),
    }


def _twice(path, kind):
    for _, found, body in _entries.read(path):
        if found == kind:
            _entries.add(path, kind, body)


def _renumber(path, number):
    _entries.renumbered(path, [number(k) for k, *_ in _entries.read(path)])


def _beside(path, what, content):
    path.with_name(f"{path.name}-{what}").write_bytes(content)


def _journal_of_another(path):
    other = path.with_name("other.sqlite")
    _run("CREATE TABLE entries (body TEXT)", "INSERT INTO entries VALUES ('x')")(other)
    _cut_off(other)
    other.with_name("other.sqlite-journal").rename(path.with_name("search.sqlite-journal"))


def _journal_of_the_past(path):
    whole = path.read_bytes()
    _run("DELETE FROM entries WHERE id > 15", "VACUUM")(path)
    _cut_off(path)
    path.write_bytes(whole)


def _cut_off(path):
    """Leave a file half written and its journal beside it, as a power cut does."""
    journal = path.with_name(f"{path.name}-journal")
    with _entries.opened(path) as db:
        db.execute("PRAGMA cache_size = 1")
        db.execute("BEGIN")
        db.execute("UPDATE entries SET body = 'x' || body")
        db.execute("CREATE TABLE filling (text)")
        db.executemany("INSERT INTO filling VALUES (?)", [("x" * 4000,)] * 100)
        half, beside = path.read_bytes(), journal.read_bytes()
        db.execute("ROLLBACK")
    assert half != path.read_bytes(), "nothing was written before the end"
    path.write_bytes(half)
    journal.write_bytes(beside)


def _mutated(whole, folder, n):
    """Entries of which one thing is of another type or length, sealed anew, so that it must show.

    Another number, or another key that there is, would be a forgery: no file tells of that.
    """
    path = folder / "sample.sqlite"
    path.write_bytes(whole)
    entries = _entries.read(path)
    kinds = sorted({kind for _, kind, _ in entries})
    rng = np.random.default_rng(3)
    files = {}
    while len(files) < n:
        kind = kinds[rng.integers(len(kinds))]  # of the many blocks not more than of the others
        same = [entry for entry in entries if entry[1] == kind]
        number, _, body = same[rng.integers(len(same))]
        places = list(_places(body))
        place = places[rng.integers(len(places))]
        how = list(MUTATIONS)[rng.integers(len(MUTATIONS))]
        body = _replaced_at(body, place, MUTATIONS[how])
        name = f"entry {number} ({kind}), {how} at {'/'.join(map(str, place))}, sealed"
        files[name] = functools.partial(_entries.write, number=number, kind=kind, body=body)
    return files


MUTATIONS = {
    "null": lambda value: None,
    "text": lambda value: "x",
    "a mapping": lambda value: {"x": value},
    "a list around it": lambda value: [value],
    "one less": lambda value: value[:-1] if isinstance(value, list) else [],
    "one more": lambda value: [*value, value[-1]] if isinstance(value, list) and value else "x",
    "true": lambda value: True,
}


def _places(value, place=()):
    """Paths to everything in a body."""
    yield place
    if isinstance(value, dict | list):
        for name, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _places(part, (*place, name))


def _replaced_at(value, place, change):
    if not place:
        return change(value)
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[place[0]] = _replaced_at(value[place[0]], place[1:], change)
    return copy
