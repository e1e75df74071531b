"""Ledgers that somebody made to do harm, with digests that are right, and paths of that kind."""

import functools
import json
import multiprocessing
import os
import re
import socket
import tempfile
import time
import unicodedata
import zlib
from base64 import b64encode
from pathlib import Path

import numpy as np

from benchmarks import _entries, _projects
from benchmarks._attacked import fit_own
from benchmarks._children import SECONDS, in_child, start
from benchmarks._verdicts import REFUSED, SAME, WRONG, Verdict, judged

PROJECTS = {
    "whole": "",
    # Entries of splits that cannot be made again, and of the order of a race.
    "unseeded": "cv = KFold(4, shuffle=True)\n",
    "race": "kind, cv, arguments = 'race', KFold(12), {'random_state': None}\n",
}
N_FIRST, N_ALL, N_SPLITS = 6, 8, 4
"""The search is not done, so that more is added to whatever passes for its ledger."""


def crafted(only=""):
    """Each must be refused in words, without harm to anything, in bounded time and memory.

    A path that is merely strange may be used; nothing beside it must be made.
    """
    with tempfile.TemporaryDirectory() as home:
        contents = {}
        for kind, text in PROJECTS.items():
            _projects.write(Path(home) / kind, text, 0)
            path = Path(home) / f"{kind}.sqlite"
            begun = in_child(fit_own, str(Path(home) / kind), str(path), N_FIRST)
            assert begun.results, begun.words
            contents[kind] = path.read_bytes()
        expected = in_child(fit_own, str(Path(home) / "whole"), None, N_ALL)
        for case, (kind, craft) in FILES.items():
            if only in case:
                yield _tried(case, Path(home), kind, contents[kind], craft, expected, (REFUSED,))
        for case, craft in PATHS.items():
            if only in case:
                allowed = (SAME, REFUSED) if case.startswith("the name") else (REFUSED,)
                yield _tried(case, Path(home), "whole", contents["whole"], craft, expected, allowed)


def _tried(case, home, kind, content, craft, expected, allowed):
    path = Path(tempfile.mkdtemp(dir=home)) / "search.sqlite"
    path.write_bytes(content)
    try:
        made = craft(path)  # another path, or a process that has it open
    except _entries.UNKNOWN as error:
        return Verdict(case, WRONG, f"it could not be made: {type(error).__name__}: {error}")
    ledger = made if isinstance(made, str) else str(path)
    before = _contents(path.parent)
    try:
        outcome = in_child(fit_own, str(home / kind), ledger, N_ALL)
    finally:
        if isinstance(made, multiprocessing.process.BaseProcess):
            made.kill()
            made.join()
    verdict = judged(case, outcome, expected, allowed=allowed)
    after = _contents(path.parent)
    if any(unicodedata.category(sign) == "Cc" for sign in outcome.message):
        return Verdict(case, WRONG, f"its message has control characters: {outcome.message!r}")
    if verdict.kind == REFUSED and after != before:
        return Verdict(case, WRONG, "it was refused, but not left as it was")
    beside = {name for name in after if name != os.path.basename(ledger)}
    if not beside <= set(before):
        return Verdict(case, WRONG, f"beside it was made {', '.join(sorted(beside))}")
    if verdict.kind == SAME and _entries.n_successful(Path(ledger)) < N_SPLITS * N_ALL:
        return Verdict(case, WRONG, "it went on, but was not saved")
    if verdict.kind == SAME and before and outcome.n_reused < N_SPLITS * N_FIRST:
        return Verdict(case, WRONG, "it went on, but without what was saved")
    return verdict


def _contents(folder):
    return {
        path.name: path.read_bytes() if path.is_file() else "no file" for path in folder.iterdir()
    }


# What the table is.


def _run(*statements):
    def craft(path):
        with _entries.opened(path) as db:
            for statement in statements:
                db.execute(statement)

    return craft


_SAME_COLUMNS = "id INTEGER PRIMARY KEY, kind TEXT NOT NULL, body TEXT NOT NULL, sha256 TEXT"


def _made_anew(columns):
    """The same entries in a table that was declared otherwise."""

    def craft(path):
        with _entries.opened(path) as db:
            db.execute("ALTER TABLE entries RENAME TO old")
            db.execute(f"CREATE TABLE entries ({columns})")
            db.execute(
                "INSERT INTO entries (id, kind, body, sha256) "
                "SELECT id, kind, body, sha256 FROM old"
            )
            db.execute("DROP TABLE old")

    return craft


# What the bodies are.


def _body(kind, change, *, of_all=False):
    """Change the first body of a kind, or all of them."""

    def craft(path):
        numbers = [number for number, found, _ in _entries.read(path) if found == kind]
        assert numbers, f"there are no entries of kind {kind}"
        for number, found, body in _entries.read(path):
            if number in numbers[: None if of_all else 1]:
                changed = change(body)
                _entries.write(path, number, found, body if changed is None else changed)

    return craft


def _order(change):
    """Change the order of a race."""
    return lambda body: {**body, "order": change(body["order"])}


def _set(*place_and_value):
    """Set something within a body."""
    *place, last, value = place_and_value

    def change(body):
        inside = body
        for name in place:
            inside = inside[name]
        inside[last] = value

    return change


def _outcome(*place_and_value):
    """Set something within the first outcome."""
    return _body("outcomes", _set(*place_and_value))


def _columns(change):
    return _body("outcomes", lambda body: change(body["outcomes"]["columns"]))


def _score(value):
    """The first score, alone in its column."""

    def change(columns):
        (column,) = (column for column in columns if column[0] == "test_scores")
        column[2] = [value]

    return _columns(change)


def _errors(value):
    return _outcome("outcomes", "errors", value)


def _fewer_columns(columns):
    columns[:] = [column for column in columns if column[0] != "test_scores"]


def _nested(body):
    return "[" * 100_000 + "]" * 100_000


def _packed(indices):
    return b64encode(zlib.compress(np.asarray(indices, dtype="<i8").tobytes())).decode()


def _bomb(body):
    """Three gigabytes of zeros in three megabytes."""
    deflate = zlib.compressobj(9)
    head = deflate.compress(bytes(2**20)) + deflate.flush(zlib.Z_FULL_FLUSH)
    piece = deflate.compress(bytes(2**20)) + deflate.flush(zlib.Z_FULL_FLUSH)
    body["train"] = b64encode(head + piece * 3000 + deflate.flush()).decode()


def _swapped(path):
    """Each split's key has the indices of another."""
    entries = [entry for entry in _entries.read(path) if entry[1] == "indices"]
    others = [entries[-1], *entries[:-1]]
    for (number, kind, body), (_, _, other) in zip(entries, others, strict=True):
        _entries.write(path, number, kind, other | {"key": body["key"]})


def _to_be_printed(value, *, names):
    """Control characters in every text that a message might tell, and other keys than here."""
    bad = "\x1b[2J\x07\r\n\x9b31m\x00"
    if isinstance(value, dict):
        return {
            name + bad * names: _to_be_printed(part, names=names) for name, part in value.items()
        }
    if isinstance(value, list):
        return [_to_be_printed(part, names=names) for part in value]
    return value + bad if isinstance(value, str) else value


_INSERTED = "CREATE TRIGGER t AFTER INSERT ON entries BEGIN"

FILES = {
    # name: (project, what is done to its ledger)
    "a trigger that empties it": ("whole", _run(f"{_INSERTED} DELETE FROM entries; END")),
    "a trigger that rewrites it": (
        "whole",
        _run(f"{_INSERTED} UPDATE entries SET body = 'x' WHERE id = new.id; END"),
    ),
    "a trigger that drops what is added": (
        "whole",
        _run(
            "CREATE TRIGGER t BEFORE INSERT ON entries "
            "BEGIN SELECT RAISE(IGNORE); END"
        ),
    ),
    "a view in place of the table": (
        "whole",
        _run("ALTER TABLE entries RENAME TO e", "CREATE VIEW entries AS SELECT * FROM e"),
    ),
    "a view that takes what is added": (
        "whole",
        _run(
            "ALTER TABLE entries RENAME TO e",
            "CREATE VIEW entries AS SELECT * FROM e",
            "CREATE TRIGGER t INSTEAD OF INSERT ON entries BEGIN SELECT 1; END",
        ),
    ),
    "a view that never ends": (
        "whole",
        _run(
            "ALTER TABLE entries RENAME TO e",
            "CREATE VIEW entries AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 "
            "FROM n) SELECT n.id, e.kind, e.body, e.sha256 FROM n JOIN e ON e.id = n.id % 5 + 1",
        ),
    ),
    "a column that is computed, of a gigabyte": (
        "whole",
        _made_anew(f"{_SAME_COLUMNS}, more TEXT GENERATED ALWAYS AS (hex(zeroblob(490000000)))"),
    ),
    "a column that is computed, in place of another": (
        "whole",
        _run(
            "ALTER TABLE entries RENAME COLUMN body TO real",
            "ALTER TABLE entries ADD COLUMN body TEXT GENERATED ALWAYS AS (real)",
        ),
    ),
    "numbers that are not unique": (
        "whole",
        _made_anew(_SAME_COLUMNS.replace("INTEGER PRIMARY KEY", "")),
    ),
    "a highest number": (
        "whole",
        lambda path: _entries.add(path, "note", "{}", 2**63 - 1),
    ),
    "splits of gigabytes, compressed": ("unseeded", _body("indices", _bomb)),
    "splits of samples that there are not": (
        "unseeded", _body("indices", _set("train", _packed([0, 1, 1000])))
    ),
    "splits of samples below nothing": (
        "unseeded", _body("indices", _set("train", _packed([0, 1, -1])))
    ),
    "splits that are not compressed": ("unseeded", _body("indices", _set("train", "AAAA"))),
    "splits that are no numbers": (
        "unseeded", _body("indices", _set("train", b64encode(zlib.compress(b"abc")).decode()))
    ),
    "splits under the keys of others": ("unseeded", _swapped),
    "an order that repeats": ("race", _body("order", _set("order", 0, 11))),
    "an order of splits that there are not": ("race", _body("order", _set("order", 0, 1000))),
    "an order below nothing": ("race", _body("order", _set("order", 0, -1))),
    "an order of text": ("race", _body("order", _order(lambda order: [str(k) for k in order]))),
    "an order of fractions": (
        "race",
        _body("order", _order(lambda order: [k + 0.25 for k in order])),
    ),
    "an order that is a number": ("race", _body("order", _set("order", 7))),
    "an order that is too long": ("race", _body("order", _order(lambda order: [*order, 12]))),
    "lists 100,000 deep in an outcome": ("whole", _body("outcomes", _nested)),
    "lists 100,000 deep in what it belongs to": ("whole", _body("search", _nested)),
    "lists 100,000 deep in the splits": ("whole", _body("splits", _nested)),
    "no JSON": ("whole", _body("outcomes", lambda body: "{'a': 1}")),
    "half of a character": ("whole", _body("splits", _set("keys", 0, "\ud800"))),
    "a batch of 5,000 digits": (
        "whole", _body("splits", lambda body: re.sub(
            r'"batch": 0', '"batch": ' + "9" * 5000, json.dumps(body)))
    ),
    "a batch of 300 digits": ("whole", _body("splits", _set("batch", 10**300))),
    "a batch below nothing": ("whole", _body("splits", _set("batch", -1))),
    "a batch that is no number": ("whole", _body("splits", _set("batch", float("nan")))),
    "a batch of text": ("whole", _body("splits", _set("batch", "0"))),
    "a batch that is infinite": ("whole", _body("splits", _set("batch", float("inf")))),
    "keys that are text": ("whole", _body("splits", _set("keys", "abcd"))),
    "the number of a split of 300 digits": ("whole", _outcome("splits", 0, 10**300)),
    "the number of a split that is no number": ("whole", _outcome("splits", 0, float("nan"))),
    "the number of a split below nothing": ("whole", _outcome("splits", 0, -1)),
    "the number of a split that there is not": ("whole", _outcome("splits", 0, 1000)),
    "the number of a split as text": ("whole", _outcome("splits", 0, "0")),
    "the number of a split that is null": ("whole", _outcome("splits", 0, None)),
    "a cell of a split that there is not": ("whole", _outcome("cells", 0, [0, 1])),
    "a cell of a candidate below nothing": ("whole", _outcome("cells", 0, [-1, 0])),
    "a cell of fractions": ("whole", _outcome("cells", 0, [0.0, 0.5])),
    "a cell that is true": ("whole", _outcome("cells", 0, [False, False])),
    "a cell without a split": ("whole", _outcome("cells", 0, [0])),
    "a cell twice": ("whole", _outcome("cells", [[0, 0], [0, 0]])),
    "a score of text": ("whole", _score("0.5")),
    "a score that is null": ("whole", _score(None)),
    "a score that is true": ("whole", _score(True)),
    "a score of 400 digits": ("whole", _score(10**400)),
    "a score that is a list": ("whole", _score([0.5])),
    "a candidate that is a number": ("whole", _outcome("candidates", 0, 5)),
    "a candidate that is a list": ("whole", _outcome("candidates", 0, ["a"])),
    "an error of another fit": ("whole", _errors([["it failed", [99]]])),
    "an error below nothing": ("whole", _errors([["it failed", [-1]]])),
    "an error that is no text": ("whole", _errors([[{"a": 1}, [0]]])),
    "errors that are text": ("whole", _errors("abc")),
    "no scores": ("whole", _columns(_fewer_columns)),
    "a column that would be an error": (
        "whole", _columns(lambda columns: columns.append(["fit_error", None, [1.0]]))
    ),
    "a column of a name that is a list": (
        "whole", _columns(lambda columns: columns.append([["a"], None, [1.0]]))
    ),
    "outcomes that are a list": ("whole", _outcome("outcomes", [])),
    "control characters in what it belongs to": (
        "whole", _body("search", functools.partial(_to_be_printed, names=False))
    ),
    "control characters in the names of what it belongs to": (
        "whole", _body("search", functools.partial(_to_be_printed, names=True))
    ),
    "what it belongs to as a list": ("whole", _body("search", list)),
    "what it belongs to of numbers": (
        "whole", _body("search", lambda body: dict.fromkeys(body, 1))
    ),
}  # fmt: skip


# What the path is.


def _renamed(name):
    def craft(path):
        new = path.with_name(name)
        path.rename(new)
        return str(new)

    return craft


def _new(name):
    def craft(path):
        path.unlink()
        return str(path.parent) + "/" + name

    return craft


def _linked(make):
    """A link of the ledger's name to something else."""

    def craft(path):
        path.unlink()
        target = path.with_name("target")
        make(target)
        path.symlink_to(target)

    return craft


def _text(path):
    path.write_text("scores are in the other file\n" * 100)


def _socket(path):
    with socket.socket(socket.AF_UNIX) as made:
        here = os.getcwd()
        os.chdir(path.parent)  # its name may be of 100 characters at most
        try:
            made.bind(path.name)
        finally:
            os.chdir(here)


def _in_use(*statements):
    """Another process has it open; it would be a lock on nobody in this one."""

    def craft(path):
        done, doing = multiprocessing.Pipe(duplex=False)
        process = start(_hold, str(path), statements, doing)
        done.recv()
        return process

    return craft


def _hold(path, statements, doing):
    with _entries.opened(path) as db:
        for statement in statements:
            db.execute(statement).fetchone()
        doing.send("held")
        time.sleep(SECONDS)


PATHS = {
    "a NUL in the path": _new("search.sqlite\0x"),
    "a folder": lambda path: path.unlink() or path.mkdir(),
    "a link to text": _linked(_text),
    "a link to a folder": _linked(Path.mkdir),
    "a link to a pipe": _linked(os.mkfifo),
    "a link to a socket": _linked(_socket),
    "a link to itself": _linked(lambda path: path.symlink_to("search.sqlite")),
    "a link into a folder that does not exist": _linked(lambda path: path.symlink_to("no/where")),
    "a folder that does not exist": _new("nowhere/search.sqlite"),
    "a folder that is a file": lambda path: str(path) + "/search.sqlite",
    "a folder where no file can be made": lambda path: path.unlink() or "/proc/self/search.sqlite",
    "a name that is too long": _new("x" * 300),
    "no name": lambda path: path.unlink() or "",
    "the name attaches": _renamed("x'; ATTACH DATABASE 'evil.sqlite' AS evil; --"),
    "the name is a URI": _renamed("file:evil.sqlite?mode=memory&cache=shared#evil"),
    "the name asks to be read alone": _renamed("search.sqlite?mode=ro&immutable=1"),
    "the name is coded": _renamed("%00%2e%2e%2fevil.sqlite"),
    "the name is that of memory": _renamed(":memory:"),
    "the name has control characters": _renamed("\x1b[2J\n.sqlite"),
    "the name is a new one of several lines": _new("a\nb\r.sqlite"),
    "the name is not of UTF-8": _renamed("\udcff.sqlite"),
}  # fmt: skip
N_CRAFTED = len(FILES) + len(PATHS)
