"""Outcomes and LedgerFile: what was fitted and saved is found again, or the file is refused.

Whatever is done to a file, never is half of it read.
"""

import hashlib
import json
import multiprocessing
import os
import re
import shutil
import signal
import sqlite3
import stat
import threading
import time
import zlib
from base64 import b64encode
from contextlib import closing
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from sklearn_stats_compare.search.ledger import _storage
from sklearn_stats_compare.search.ledger._file import LedgerFile
from sklearn_stats_compare.search.ledger._fingerprint import Identity
from sklearn_stats_compare.search.ledger._ledger import Outcomes
from sklearn_stats_compare.stats._design import SplitDesign, split_keys

try:
    import resource
except ImportError:  # Windows limits neither memory nor files
    resource = None
    ATTACKS = {}
else:
    from benchmarks.ledger_attacks import ATTACKS

posix_only = pytest.mark.skipif(os.name != "posix", reason="Windows has no such files")

OWN = Identity(
    data={"the data": ("a1", "X of 8 × 2")},
    settings={"`scoring`": ("b1", "'accuracy'")},
    code={"`T` in `score`": ("value: c1", "0.5"), "`score`": ("code: d1", "code")},
    versions={"Python": "3.11", "numpy": "2.4.6"},
)
CANDIDATES = ["c0", "c1", "c2"]
SPLITS = ["s0", "s1"]
# Numbers whose shortest decimal is long, and those that JSON does not know.
SCORES = [0.1 + 0.2, float("nan"), float("inf"), -1e300, 5e-324, 1 / 3]


def outcome(score, error=None):
    return {"fit_error": error, "test_scores": score, "fit_time": 1.0, "score_time": 2.0}


def save(file, ledger, candidates, splits):
    """Save cells of a ledger: rows and columns → their keys."""
    cells = [(row, column) for row in candidates for column in splits]
    return file.save([file.outcomes(cells, candidates, splits, ledger)])


def enter(ledger, rows, columns, outcomes):
    """Enter outcomes in cells, a row after the other."""
    cells = [(row, column) for row in rows for column in columns]
    for cell, found in zip(cells, outcomes, strict=True):
        ledger.enter(cell, found)


def filled():
    ledger = Outcomes(3, 2)
    outcomes = [outcome(score) for score in SCORES]
    outcomes[1]["fit_error"] = "ValueError: \u20ac \ud800 'no'"
    enter(ledger, range(3), range(2), outcomes)
    return ledger


def opened(path, own=OWN):
    return closing(LedgerFile(path, own))


@pytest.fixture
def saved(path):
    with opened(path) as file:
        file.add_batch(0, SPLITS)
        save(file, filled(), dict(enumerate(CANDIDATES[:2])), dict(enumerate(SPLITS)))
        save(file, filled(), {2: "c2"}, dict(enumerate(SPLITS)))
    return path


def read(path, candidates=CANDIDATES, splits=SPLITS):
    ledger = Outcomes(len(candidates), len(splits))
    with opened(path) as file:
        file.load(ledger, candidates, splits)
    return ledger


def execute(path, statement, values=()):
    """Execute SQL on a file as another program might, and return the rows."""
    with closing(sqlite3.connect(path)) as db, db:
        return db.execute(statement, values).fetchall()


def test_outcomes_land_in_their_cells_and_come_back_in_rows():
    ledger = Outcomes(3, 4)
    enter(ledger, [2, 0], [3, 1], [outcome(s) for s in (0.23, 0.21, 0.03, 0.01)])
    assert ledger.ran.sum() == 4
    assert ledger.scores([0, 2], [1, 3], "score").tolist() == [[0.01, 0.03], [0.21, 0.23]]
    rows = ledger.rows()
    assert len(rows) == 12
    assert rows[1]["test_scores"] == 0.01
    assert rows[11]["test_scores"] == 0.23
    ledger.ran[:] = True  # a copy
    assert ledger.ran.sum() == 4
    with pytest.raises(IndexError):
        enter(ledger, [3], [0], [outcome(1.0)])


def test_cells_not_run_are_nan_in_the_shape_of_run_ones():
    ledger = Outcomes(1, 2)
    scores = {"a": 0.5, "b": 0.6}
    enter(ledger, [0], [1], [{**outcome(scores), "train_scores": scores}])
    empty = ledger.rows()[0]
    assert list(empty["test_scores"]) == list(empty["train_scores"]) == ["a", "b"]
    assert np.isnan([*empty["test_scores"].values(), empty["fit_time"]]).all()
    assert empty["fit_error"] is None
    assert ledger.metrics() == ["a", "b"]
    assert ledger.scores([0], [1], "b").tolist() == [[0.6]]


def test_candidates_with_scores_that_are_not_finite_among_what_was_run():
    ledger = Outcomes(4, 2)
    scores = (0.5, 0.6, np.nan, 0.5, 0.5, np.inf)
    enter(ledger, [0, 1, 2], [0, 1], [outcome({"a": 1.0, "b": score}) for score in scores])
    # Candidate 3 was not run: its cells are NaN, and no score.
    assert ledger.non_finite("test_scores").tolist() == [False, True, True, False]
    assert not ledger.non_finite("train_scores").any()


@pytest.mark.parametrize("first", ["sound", "failed"])
def test_a_fit_that_failed_has_the_error_score_of_every_metric(first):
    ledger = Outcomes(2, 2)
    found = [
        ((0, 0), outcome({"a": 0.5, "b": 0.6})),
        ((1, 1), {**outcome(-1.0, "no convergence"), "train_scores": -1.0}),
    ]
    for cell, of_cell in found if first == "sound" else found[::-1]:
        ledger.enter(cell, of_cell)
    assert ledger.ran.tolist() == [[True, False], [False, True]]
    assert ledger.metrics() == ["a", "b"]
    assert [ledger.scores([1], [1], metric)[0, 0] for metric in "ab"] == [-1.0, -1.0]
    assert ledger.rows()[3]["fit_error"] == "no convergence"
    assert np.isnan(ledger.scores([0], [1], "a")).all()


def test_a_fit_that_is_repeated_has_its_last_outcome():
    ledger = Outcomes(1, 1)
    ledger.enter((0, 0), outcome(np.nan, "no"))
    ledger.enter((0, 0), outcome(0.5))
    assert ledger.fit_errors() == [{"fit_error": None}]
    assert ledger.scores([0], [0], "score").tolist() == [[0.5]]
    assert not ledger.failed.any()


@pytest.mark.parametrize("seed", range(5))
def test_outcomes_in_any_order_make_the_same_ledger(seed, path):
    outcomes = {
        (i, j): outcome({"a": i / 7, "b": j / 7}) if (i + j) % 3 else outcome(np.nan, "no")
        for i in range(4)
        for j in range(5)
    }
    # A callable scorer may have further metrics for some candidates: those of the first count.
    outcomes[2, 3] = outcome({"a": 0.1, "b": 0.2, "c": 0.3})
    in_order, shuffled = Outcomes(4, 5), Outcomes(4, 5)
    cells = list(outcomes)
    for cell in cells:
        in_order.enter(cell, outcomes[cell])
    in_order.check_metrics()
    np.random.default_rng(seed).shuffle(cells)
    keys = [f"c{i}" for i in range(4)], [f"s{j}" for j in range(5)]
    waiting = []  # for the names of the metrics
    with opened(path) as file:
        file.add_batch(0, keys[1])
        for cell in cells:
            shuffled.enter(cell, outcomes[cell])
            waiting.append(cell)
            if shuffled.metrics():
                assert file.save([file.outcomes(waiting, *keys, shuffled)])
                waiting = []
    for found in (shuffled, read(path, *keys)):
        found.check_metrics()
        assert sorted(found.metrics()) == sorted(in_order.metrics()) == ["a", "b"]
        np.testing.assert_equal(
            [sorted(row.items()) for row in found.rows()],
            [sorted(row.items()) for row in in_order.rows()],
        )
        assert found.fit_errors().count({"fit_error": "no"}) == 7


@pytest.mark.parametrize("last", [0, 1])
def test_a_metric_that_is_missing_is_named_whatever_came_first(last):
    ledger = Outcomes(2, 1)
    scores = [{"a": 1.0, "b": 1.0}, {"a": 1.0, "c": 1.0}]
    for row in (1 - last, last):
        ledger.enter((row, 0), outcome(scores[row]))
    with pytest.raises(ValueError, match="same metrics for every fit; 'b' is not among a, c"):
        ledger.check_metrics()


def test_a_wider_ledger_keeps_what_there_is():
    ledger = Outcomes(2, 1)
    enter(ledger, [0, 1], [0], [outcome(0.5), outcome(0.6, "no")])
    wider = ledger.widened(2)
    assert wider.ran.tolist() == [[True, False, False]] * 2
    assert wider.scores([0, 1], [0], "score").tolist() == [[0.5], [0.6]]
    assert wider.rows()[3]["fit_error"] == "no"
    assert ledger.n_splits == 1


def test_a_part_of_a_ledger_has_forgotten_the_rest():
    ledger = Outcomes(2, 2)
    enter(ledger, [0, 1], [0, 1], [outcome(k / 10, "no" if k > 1 else None) for k in range(4)])
    part = ledger.only(np.array([[True, False], [False, True]]))
    assert part.ran.tolist() == [[True, False], [False, True]]
    assert part.fit_errors() == [{"fit_error": "no"}, {"fit_error": None}]
    scores = [row["test_scores"] for row in part.rows()]
    np.testing.assert_array_equal(scores, [0.0, np.nan, np.nan, 0.3])
    assert ledger.n_ran == 4


def test_what_is_lacking_complete_and_failed():
    ledger = Outcomes(3, 2)
    enter(ledger, [0, 2], [0], [outcome(0.1), outcome(0.2, "no")])
    enter(ledger, [0], [1], [outcome(0.3)])
    assert ledger.lacks([1, 2], [0, 1]).tolist() == [[True, True], [False, True]]
    assert ledger.complete.tolist() == [True, False, False]
    assert ledger.failed[:, 0].tolist() == [False, False, True]
    assert not ledger.failed[:, 1].any()


def test_what_is_saved_comes_back_to_the_last_bit(saved):
    ledger = read(saved)
    assert ledger.ran.all()
    assert repr(ledger.rows()) == repr(filled().rows())
    assert {"fit_error": "ValueError: \u20ac \ud800 'no'"} in ledger.fit_errors()
    # As JSON, and nothing that is executed.
    rows = execute(saved, "SELECT kind, typeof(body), json_valid(body) FROM entries")
    kinds, types, valid = zip(*rows, strict=True)
    assert set(kinds) == {"search", "versions", "data", "splits", "outcomes"}
    assert set(types) == {"text"}
    assert "pickle" not in saved.read_bytes().decode("latin1")
    assert len(valid) == 6


def test_candidates_and_splits_are_found_by_their_keys(saved):
    ledger = read(saved, ["new", "c2", "c0"], ["s1", "other", "s0"])
    assert ledger.ran.tolist() == [[False] * 3, [True, False, True], [True, False, True]]
    np.testing.assert_array_equal(
        ledger.scores([1, 2], [0, 2], "score"), [[SCORES[5], SCORES[4]], [np.nan, SCORES[0]]]
    )


def test_a_distribution_that_was_not_used_before_is_another_matter(saved):
    LedgerFile(saved, replace(OWN, versions={**OWN.versions, "xgboost": "3.0"})).close()
    with pytest.raises(ValueError, match=r"differs in xgboost 3\.0 → 3\.1"):
        LedgerFile(saved, replace(OWN, versions={**OWN.versions, "xgboost": "3.1"}))
    LedgerFile(saved, OWN).close()


def test_another_version_of_python_can_be_accepted_and_then_code_is_not_compared(saved):
    upgraded = replace(
        OWN, versions={**OWN.versions, "Python": "3.13"},
        code={**OWN.code, "`score`": ("code: d2", "code")},
    )  # fmt: skip
    with pytest.raises(ValueError, match=r"differs in Python 3\.11 → 3\.13"):
        LedgerFile(saved, upgraded)
    with pytest.warns(UserWarning, match=r"Python 3\.11 → 3\.13\. Its scores are kept"):
        LedgerFile(saved, upgraded, strict=False).close()
    other = replace(upgraded, code={**OWN.code, "`T` in `score`": ("value: c2", "0.6")})
    with pytest.raises(ValueError, match=r"0\.5 there, 0\.6 here"):
        LedgerFile(saved, other, strict=False)


def test_other_data_have_a_section_of_their_own(saved):
    other = replace(OWN, data={"the data": ("a2", "X of 9 × 2")})
    with pytest.warns(UserWarning, match=r"unfinished search of other data.*X of 8 × 2 there"):
        file = LedgerFile(saved, other)
    ledger = Outcomes(3, 2)
    with closing(file):
        file.add_batch(0, SPLITS)
        file.load(ledger, CANDIDATES, SPLITS)
        assert not ledger.n_ran
        file.end()
    assert repr(read(saved).rows()) == repr(filled().rows())
    LedgerFile(saved, replace(OWN, data={"the data": ("a3", "X of 7 × 2")})).close()  # no warning


def spoilt(whole, rng):
    """One byte changed, somewhere."""
    at = rng.integers(len(whole))
    return whole[:at] + bytes([whole[at] ^ rng.integers(1, 256)]) + whole[at + 1 :]


def test_a_file_with_one_byte_changed_is_refused_or_reads_the_same(saved):
    """Much of an SQLite file is free space; what is not must be noticed."""
    whole = saved.read_bytes()
    rng = np.random.default_rng(0)
    as_it_was = repr(read(saved).rows())
    refused = []
    for _ in range(300):
        saved.write_bytes(spoilt(whole, rng))
        try:
            ledger = read(saved)
        except ValueError as error:
            refused.append(str(error))
        else:
            assert repr(ledger.rows()) == as_it_was
    assert len(refused) > 20
    assert all(said.startswith("`ledger` must be") for said in refused)


def truncated(n_bytes):
    return lambda path: path.write_bytes(path.read_bytes()[:n_bytes])


def edited(statement):
    return lambda path: execute(path, statement)


@pytest.mark.parametrize(
    "spoil",
    [
        *[truncated(n_bytes) for n_bytes in (1, 15, 50, 100, 1000, 4096, 5000, 8000)],
        edited("UPDATE entries SET body = replace(body, '0.3', '0.4')"),
        edited("UPDATE entries SET id = id + 1 WHERE id = (SELECT max(id) FROM entries)"),
        edited("DELETE FROM entries WHERE kind = 'search'"),
        edited("DROP TABLE entries"),
        edited("PRAGMA application_id = 1"),
        edited("PRAGMA user_version = 2"),
        edited("DELETE FROM entries WHERE id = (SELECT max(id) - 1 FROM entries)"),
        edited("CREATE TRIGGER t AFTER INSERT ON entries BEGIN DELETE FROM entries; END"),
        edited("CREATE VIEW v AS SELECT * FROM entries"),
        edited("CREATE TABLE other (id)"),
    ],
)
def test_a_file_that_was_truncated_or_edited_is_refused_and_kept(saved, spoil):
    whole = saved.read_bytes()
    spoil(saved)
    spoilt = saved.read_bytes()
    assert spoilt != whole
    words = " wrote, and whole" if len(spoilt) < len(whole) else ""
    with pytest.raises(ValueError, match=f"`ledger` must be a file that a search{words}"):
        LedgerFile(saved, OWN)
    assert saved.read_bytes() == spoilt


def test_other_files_are_refused_and_kept(tmp_path):
    for name, text in (
        ("notes.txt", "scores are in the other file" * 200),
        ("nightly.py", "import this\n"),
        ("long.csv", "a,b\n" * 100),
    ):
        (tmp_path / name).write_text(text)
        with pytest.raises(ValueError, match=r"is neither, and was not changed") as refused:
            LedgerFile(tmp_path / name, OWN)
        assert re.search(r"^`ledger` must be .* Use another path", str(refused.value))
        assert "elete" not in str(refused.value)  # it is never to be deleted
        assert (tmp_path / name).read_text() == text
    execute(tmp_path / "other.sqlite", "CREATE TABLE people (name TEXT)")
    with pytest.raises(ValueError, match="SQLite file of another program"):
        LedgerFile(tmp_path / "other.sqlite", OWN)


def test_an_empty_file_is_a_new_one_with_a_warning(path):
    path.touch()  # as tempfile makes them, and a search that is killed in its first moment
    with pytest.warns(UserWarning, match=r"'search\.sqlite' was an empty file: the search starts"):
        LedgerFile(path, OWN).close()
    assert path.stat().st_size > 0


def test_a_file_that_another_thread_is_making_is_in_use_not_empty(path, monkeypatch):
    made = threading.Event()
    seen = []
    lock = _storage.FileLock

    def slow(path):  # a thread that is stopped between making its file and locking it
        if threading.current_thread() is maker:
            made.set()
            time.sleep(0.2)  # the other one waits for this
        return lock(path)

    def make():
        seen.append(LedgerFile(path, OWN))

    monkeypatch.setattr(_storage, "FileLock", slow)
    maker = threading.Thread(target=make)
    maker.start()
    made.wait(10)
    with pytest.raises(RuntimeError, match="in use"):  # and no warning that it was empty
        LedgerFile(path, OWN)
    maker.join()
    seen[0].close()


@posix_only
def test_nobody_else_can_read_a_new_file(path):
    before = os.umask(0)
    try:
        LedgerFile(path, OWN).close()
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_places_where_no_file_can_be_are_refused(tmp_path):
    with pytest.raises(ValueError, match=r"`ledger` must lie in a folder that exists; got '.*nix"):
        LedgerFile(str(tmp_path / "nix" / "l.sqlite"), OWN)
    with pytest.raises(ValueError, match="`ledger` must be a file; got the folder"):
        LedgerFile(tmp_path, OWN)
    with pytest.raises(ValueError, match="`ledger` must be a path without null characters"):
        LedgerFile("a\0b", OWN)


def open_when_told(path, orders):
    """In another process: open a file again and again, and answer whether that went well."""
    while orders.recv():
        try:
            LedgerFile(path, OWN).close()
        except RuntimeError as error:
            orders.send(str(error))
        else:
            orders.send("opened")


def test_a_second_user_of_a_file_is_refused_whoever_opens_and_closes_it(saved, tmp_path):
    context = multiprocessing.get_context("forkserver")  # which starts once, for all tests
    context.set_forkserver_preload(["sklearn_stats_compare"])
    orders, theirs = context.Pipe()
    process = context.Process(target=open_when_told, args=(saved, theirs))
    process.start()

    def answer():
        orders.send(True)
        assert orders.poll(600)
        return orders.recv()

    first = LedgerFile(saved, OWN)
    with pytest.raises(RuntimeError, match=r"one search at a time; 'search\.sqlite' is in use"):
        LedgerFile(saved, OWN)
    assert "in use by another" in answer()
    # The lock of POSIX would be lost with the first descriptor that is closed.
    saved.read_bytes()
    shutil.copy(saved, tmp_path / "copy.sqlite")
    sqlite3.connect(saved).close()
    assert "in use by another" in answer()
    first.close()
    assert answer() == "opened"
    LedgerFile(saved, OWN).close()
    orders.send(False)
    process.join()


def test_an_extension_may_be_saved_before_the_fit_whose_order_is_kept(path):
    with opened(path) as file:
        file.add_batch(1, ["s5", "s6", "s7"])
        file.add_batch(0, SPLITS)
        assert file.order([1, 0]) == [1, 0]
    with opened(path) as file:
        assert file.order([0, 1]) == [1, 0]


def test_on_windows_one_byte_past_the_end_is_locked_and_unlocked(saved, monkeypatch):
    """The module `msvcrt` is replaced by one that keeps a table of locked bytes."""
    held = set()

    def locking(file, mode, n_bytes):
        at = os.lseek(file, 0, os.SEEK_CUR)
        assert n_bytes == 1
        assert at > saved.stat().st_size  # on Windows nobody can read a byte that is locked
        if mode == "lock" and at in held:
            raise PermissionError(13, "Permission denied")
        (held.add if mode == "lock" else held.remove)(at)

    windows = SimpleNamespace(locking=locking, LK_NBLCK="lock", LK_UNLCK="unlock")
    monkeypatch.setattr(_storage, "fcntl", None)
    monkeypatch.setattr(_storage, "msvcrt", windows, raising=False)
    for _ in range(2):
        first = _storage.FileLock(saved)
        with pytest.raises(_storage.InUseError, match="Permission denied"):
            _storage.FileLock(saved)
        assert _storage.is_locked(saved)
        first.release()
        first.release()  # a second time does nothing
        assert not held


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore:.*use of fork")
def test_a_child_does_not_keep_the_file_of_a_parent_that_was_killed(saved):
    begin, end = os.pipe()
    ready, answers = os.pipe()
    parent = os.fork()
    if parent == 0:
        first = LedgerFile(saved, OWN)
        if os.fork() == 0:
            os.close(end)
            os.write(answers, b".")
            os.read(begin, 1)  # lives on until the test is done
            os._exit(0)
        os.kill(os.getpid(), signal.SIGKILL)  # without an unlocking `close`
        first.close()
    os.waitpid(parent, 0)
    os.read(ready, 1)
    LedgerFile(saved, OWN).close()
    os.close(end)


@posix_only  # where symbolic links need no privilege
def test_a_link_to_a_folder_that_does_not_exist_is_an_error(tmp_path):
    (tmp_path / "nowhere").symlink_to(tmp_path / "nix" / "l.sqlite")
    with pytest.raises(OSError, match="`ledger` must be a file that can be read and written"):
        LedgerFile(tmp_path / "nowhere", OWN)


def test_a_file_that_can_only_be_read_is_refused_when_it_is_opened(saved, monkeypatch):
    """Root can write everywhere, so SQLite itself opens the file read-only."""
    connect = sqlite3.connect
    monkeypatch.setattr(
        sqlite3, "connect", lambda name, **how: connect(name.replace("=rw", "=ro"), **how)
    )
    with (
        opened(saved) as file,
        pytest.raises(OSError, match="cannot: attempt to write a readonly database"),
    ):
        file.start(CANDIDATES, SPLITS)


@posix_only  # Windows deletes no file that is open
@pytest.mark.parametrize("how", ["deleted", "replaced"])
def test_a_file_that_is_gone_is_noticed(saved, how):
    with opened(saved) as file:
        saved.unlink()
        if how == "replaced":
            saved.write_bytes(b"another")
        assert not file.is_in_place
        assert not save(file, filled(), {0: "c0"}, {0: "s0"})
        assert file.trouble == "it was deleted, moved or replaced"


@pytest.mark.skipif(resource is None, reason="Windows has no limit on the size of a file")
def test_a_full_disk_ends_the_saving_and_spoils_nothing(saved):
    """The limit on the size of a file stands for the disk."""
    file = LedgerFile(saved, OWN)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (saved.stat().st_size, limits[1]))
    big = Outcomes(1, 2000)
    enter(big, [0], range(2000), [outcome(k / 7) for k in range(2000)])
    keys = {k: f"t{k}" for k in range(2000)}
    try:
        file.add_batch(1, list(keys.values()))
        assert not save(file, big, {0: "c0"}, keys)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert file.trouble
    file.close()
    assert repr(read(saved).rows()) == repr(filled().rows())


DRAWN = [(np.array([2, 0, 1]), np.array([3])), (np.array([3, 1]), np.array([0, 2]))]


def settled(file, number, splits, drawn):
    """Keys and splits that a file has in place of these, of 4 samples; None where it has none."""
    design = SplitDesign.from_indices(splits, 4)
    return file.settle(number, split_keys(splits, 4), splits, design, 4, drawn)


def test_splits_that_cannot_be_made_again_are_replayed(path):
    keys = split_keys(DRAWN, 4)
    with opened(path) as file:
        file.add_batch(0, keys, "drawn so", DRAWN)
    now = DRAWN[::-1]  # what an unseeded splitter makes this time
    with opened(path) as file:
        found, splits = settled(file, 0, now, lambda keys: "drawn so")
        assert found == keys
        np.testing.assert_equal(splits, DRAWN)
        for drawn in ("drawn otherwise", ""):  # the latter: the same at every call
            with pytest.raises(ValueError, match="has 2 splits that are not the 2 of this `cv`"):
                settled(file, 0, now, lambda keys, drawn=drawn: drawn)
        assert settled(file, 1, now, lambda keys: "drawn so") is None  # there was no extension
        assert settled(file, 1, now, lambda keys: pytest.fail("asked for nothing")) is None


def test_splits_under_other_keys_are_refused(path):
    with opened(path) as file:
        file.add_batch(0, split_keys(DRAWN[::-1], 4), "drawn so", DRAWN)
        with pytest.raises(ValueError, match="splits are not those of their keys"):
            settled(file, 0, DRAWN, lambda keys: "drawn so")


def crafted(path, kind, change):
    """The body of the first entry of a kind, changed and digested as if a search had written it."""
    number, body = execute(path, "SELECT id, body FROM entries WHERE kind = ?", (kind,))[0]
    body = change(body)
    digest = hashlib.sha256(f"{number} {kind} {body}".encode()).hexdigest()
    values = body, digest, number
    execute(path, "UPDATE entries SET body = ?, sha256 = ? WHERE id = ?", values)


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("outcomes", lambda body: "[" * 100_000 + "]" * 100_000),
        ("outcomes", lambda body: body[:-1]),
        ("outcomes", lambda body: body.replace("NaN", "null")),
        ("outcomes", lambda body: body.replace('"test_scores"', '"__class__"')),
        ("outcomes", lambda body: body.replace('"splits": [0, 1]', '"splits": [0, 1, 0, 1, 7]')),
        ("outcomes", lambda body: body.replace("0.30000000000000004", "1" * 5000)),
        ("outcomes", lambda body: body.replace("0.30000000000000004", "1" * 400)),
        ("outcomes", lambda body: '{"of": 0}'),
        ("outcomes", lambda body: "[]"),
        ("splits", lambda body: '{"of": 0, "batch": [], "keys": 3, "drawn": {}}'),
        ("search", lambda body: "[1, 2]"),
        ("search", lambda body: '{"settings": [], "code": 3}'),
        ("data", lambda body: '{"data": 3}'),
        ("versions", lambda body: '{"versions": [1]}'),
    ],
)
def test_entries_of_another_form_are_refused_in_words(saved, kind, change):
    crafted(saved, kind, change)
    with pytest.raises(ValueError, match=r"`ledger` must b.*'search\.sqlite'"):
        read(saved)


def test_control_characters_of_a_stranger_are_escaped(saved):
    crafted(saved, "search", lambda body: body.replace("'accuracy'", "\\u001b[31m\\u0007x"))
    with pytest.raises(ValueError, match="must belong") as refused:
        LedgerFile(saved, replace(OWN, settings={"`scoring`": ("b2", "'r2'")}))
    assert r"\x1b[31m\x07x" in str(refused.value)
    assert str(refused.value).isprintable()


@pytest.mark.parametrize("bomb", ["large", "outside"])
def test_indices_are_bounded_before_they_are_unpacked(path, bomb):
    with opened(path) as file:
        file.add_batch(0, SPLITS, "drawn", [(np.arange(3), np.array([3]))] * 2)
    raw = bytes(10**8) if bomb == "large" else np.array([10**12]).tobytes()
    packed = b64encode(zlib.compress(raw)).decode()
    crafted(path, "indices", lambda body: json.dumps({**json.loads(body), "train": packed}))
    with (
        opened(path) as file,
        pytest.raises(ValueError, match="indices of a split that are none of the data"),
    ):
        settled(file, 0, DRAWN, lambda keys: "drawn so")


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL")
@pytest.mark.parametrize("name", ATTACKS)
def test_no_attack_on_a_ledger_does_harm(name, capsys):
    """A search refuses the file, or ends as it does without one."""
    attack, n_cases = ATTACKS[name]
    verdicts = list(attack())
    with capsys.disabled():
        kinds = [verdict.kind for verdict in verdicts]
        print(f"\n{name}: {', '.join(f'{kinds.count(k)} {k}' for k in sorted(set(kinds)))}")
    assert len(verdicts) == n_cases
    wrong = [f"{verdict.case}: {verdict.words}" for verdict in verdicts if verdict.kind == "wrong"]
    assert not wrong, "\n".join(wrong)
