"""LedgerFile: what was saved is found again, or the file is refused; never half of it."""

import multiprocessing
import os
import resource
import sqlite3
import stat

import numpy as np
import pytest

from sklearn_stats_compare.search._ledger import Ledger
from sklearn_stats_compare.search._ledger_file import LedgerFile

OWN = {"the data": ("a1", "X of 8 × 2"), "`scoring`": ("b1", "'accuracy'")}
CANDIDATES = ["c0", "c1", "c2"]
SPLITS = ["s0", "s1"]
# Numbers whose shortest decimal is long, and those that JSON does not know.
SCORES = [0.1 + 0.2, float("nan"), float("inf"), -1e300, 5e-324, 1 / 3]


def outcome(score, error=None):
    return {"fit_error": error, "test_scores": score, "fit_time": 1.0, "score_time": 2.0}


def filled():
    ledger = Ledger(3, 2)
    outcomes = [outcome(score) for score in SCORES]
    outcomes[1]["fit_error"] = "ValueError: \u20ac \ud800 'no'"
    ledger.fill(range(3), range(2), outcomes)
    return ledger


@pytest.fixture
def path(tmp_path):
    return tmp_path / "search.sqlite"


@pytest.fixture
def saved(path):
    file = LedgerFile(path, OWN)
    file.add_batch(0, SPLITS)
    file.save(filled(), dict(enumerate(CANDIDATES[:2])), dict(enumerate(SPLITS)))
    file.save(filled(), {2: "c2"}, dict(enumerate(SPLITS)))
    file.close()
    return path


def read(path, candidates=CANDIDATES, splits=SPLITS):
    file = LedgerFile(path, OWN)
    ledger = Ledger(len(candidates), len(splits))
    file.load(ledger, candidates, splits)
    file.close()
    return ledger


def test_what_is_saved_comes_back_to_the_last_bit(saved):
    ledger = read(saved)
    assert ledger.ran.all()
    assert repr(ledger.rows()) == repr(filled().rows())
    assert list(ledger.errors) == ["ValueError: \u20ac \ud800 'no'"]


def test_candidates_and_splits_are_found_by_their_keys(saved):
    ledger = read(saved, ["new", "c2", "c0"], ["s1", "other", "s0"])
    assert ledger.ran.tolist() == [[False] * 3, [True, False, True], [True, False, True]]
    np.testing.assert_array_equal(
        ledger.scores([1, 2], [0, 2], "score"), [[SCORES[5], SCORES[4]], [np.nan, SCORES[0]]]
    )


def test_several_metrics_come_back(path):
    ledger = Ledger(1, 1)
    ledger.fill([0], [0], [{**outcome({"a": 0.5, "b": 0.25}), "train_scores": {"a": 1.0, "b": 1}}])
    file = LedgerFile(path, OWN)
    file.add_batch(0, ["s0"])
    file.save(ledger, {0: "c0"}, {0: "s0"})
    file.close()
    assert read(path, ["c0"], ["s0"]).rows() == ledger.rows()


def test_the_file_holds_json_and_nothing_that_is_executed(saved):
    db = sqlite3.connect(saved)
    rows = db.execute("SELECT kind, typeof(body), json_valid(body) FROM entries").fetchall()
    db.close()
    kinds, types, valid = zip(*rows, strict=True)
    assert set(kinds) == {"search", "splits", "block"}
    assert set(types) == {"text"}
    assert "pickle" not in saved.read_bytes().decode("latin1")
    assert len(valid) == 4


@pytest.mark.parametrize(
    ("other", "told"),
    [
        ({"the data": ("a2", "X of 9 × 2")}, "the data (X of 8 × 2 there, X of 9 × 2 here)"),
        ({"the data": ("a2", "X of 8 × 2")}, "the data (another X of 8 × 2)"),
        ({"`scoring`": ("b2", "'r2'")}, "`scoring` ('accuracy' there, 'r2' here)"),
        ({"`error_score`": ("0", "0")}, "`error_score` (nothing there, 0 here)"),
    ],
)
def test_the_file_of_another_search_is_refused_and_kept(saved, other, told):
    before = saved.read_bytes()
    with pytest.raises(ValueError, match="`ledger` must belong to this search") as refused:
        LedgerFile(saved, OWN | other)
    assert told in str(refused.value)
    assert "search.sqlite" in str(refused.value)
    assert saved.read_bytes() == before


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


@pytest.mark.parametrize("kept", [1, 15, 50, 100, 1000, 4096, 5000, 8000])
def test_a_truncated_file_is_refused(saved, kept):
    whole = saved.read_bytes()
    assert kept < len(whole)
    saved.write_bytes(whole[:kept])
    with pytest.raises(ValueError, match="`ledger` must be a file that a search wrote, and whole"):
        LedgerFile(saved, OWN)
    assert saved.read_bytes() == whole[:kept]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET body = replace(body, '0.3', '0.4')",
        "UPDATE entries SET id = id + 1 WHERE id = (SELECT max(id) FROM entries)",
        "DELETE FROM entries WHERE kind = 'search'",
        "DROP TABLE entries",
        "PRAGMA application_id = 1",
        "PRAGMA user_version = 2",
    ],
)
def test_a_file_that_was_edited_is_refused(saved, statement):
    db = sqlite3.connect(saved)
    db.execute(statement)
    db.commit()
    db.close()
    with pytest.raises(ValueError, match="`ledger` must be a file that a search"):
        LedgerFile(saved, OWN)


def test_other_files_are_refused_and_kept(tmp_path):
    text = tmp_path / "notes.txt"
    text.write_text("scores are in the other file" * 200)
    with pytest.raises(ValueError, match="file is not a database"):
        LedgerFile(text, OWN)
    assert text.read_text().startswith("scores")
    other = tmp_path / "other.sqlite"
    db = sqlite3.connect(other)
    db.execute("CREATE TABLE people (name TEXT)")
    db.commit()
    db.close()
    with pytest.raises(ValueError, match="SQLite file of something else"):
        LedgerFile(other, OWN)


def test_an_empty_file_is_a_new_one(path):
    path.touch()  # as tempfile makes them, and a search that is killed in its first moment
    LedgerFile(path, OWN).close()
    assert path.stat().st_size > 0


def test_places_where_no_file_can_be_are_refused(tmp_path):
    with pytest.raises(ValueError, match=r"`ledger` must lie in a folder that exists; got '.*nix"):
        LedgerFile(str(tmp_path / "nix" / "l.sqlite"), OWN)
    with pytest.raises(ValueError, match="`ledger` must be a file; got the folder"):
        LedgerFile(tmp_path, OWN)


def test_a_second_user_of_a_file_is_refused(saved):
    first = LedgerFile(saved, OWN)
    with pytest.raises(RuntimeError, match=r"one search at a time; 'search\.sqlite' is in use"):
        LedgerFile(saved, OWN)
    first.close()
    LedgerFile(saved, OWN).close()


def open_in_another_process(path, told):
    try:
        LedgerFile(path, OWN).close()
    except RuntimeError as error:
        told.put(str(error))
    else:
        told.put("opened")


def test_a_second_process_is_refused(saved):
    context = multiprocessing.get_context("spawn")
    told = context.Queue()
    first = LedgerFile(saved, OWN)
    for expected in ("in use by another", "opened"):
        process = context.Process(target=open_in_another_process, args=(saved, told))
        process.start()
        assert expected in told.get(timeout=60)
        process.join()
        first.close()


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="a folder where nobody can write")
def test_a_path_that_cannot_be_written_to_is_told_and_not_an_error():
    with pytest.warns(UserWarning, match="not being saved: 'l.sqlite' cannot be written to"):
        file = LedgerFile("/proc/self/l.sqlite", OWN)
    assert not file.is_saving
    file.add_batch(0, SPLITS)
    file.save(filled(), {0: "c0"}, {0: "s0"})
    ledger = Ledger(3, 2)
    file.load(ledger, CANDIDATES, SPLITS)
    assert not ledger.n_ran
    file.close()


@pytest.fixture(params=["permission", "sqlite"])
def read_only(request, saved, monkeypatch):
    """A file that can only be read; root can write everywhere, so SQLite itself is told."""
    if request.param == "permission":
        if os.geteuid() == 0:
            pytest.skip("root writes everywhere")
        saved.chmod(stat.S_IRUSR)
    else:
        connect = sqlite3.connect
        monkeypatch.setattr(
            sqlite3, "connect", lambda name, **how: connect(name.replace("=rwc", "=ro"), **how)
        )
    return saved


def test_a_file_that_can_only_be_read_is_read_and_told(read_only):
    assert read(read_only).ran.all()
    file = LedgerFile(read_only, OWN)
    with pytest.warns(UserWarning, match="not being saved.*readonly"):
        file.save(filled(), {0: "c0"}, {0: "s0"})
    file.close()


def test_a_full_disk_ends_the_saving_and_spoils_nothing(saved):
    """The limit on the size of a file stands for the disk."""
    file = LedgerFile(saved, OWN)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (saved.stat().st_size, limits[1]))
    big = Ledger(1, 2000)
    big.fill([0], range(2000), [outcome(k / 7) for k in range(2000)])
    keys = {k: f"t{k}" for k in range(2000)}
    try:
        with pytest.warns(UserWarning, match="goes on, but it is not being saved") as told:
            file.add_batch(1, list(keys.values()))
        file.save(big, {0: "c0"}, keys)  # no second warning
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert len(told) == 1
    assert not file.is_saving
    file.close()
    assert repr(read(saved).rows()) == repr(filled().rows())


def test_splits_that_cannot_be_made_again_are_replayed(path):
    splits = [(np.array([2, 0, 1]), np.array([3])), (np.array([3, 1]), np.array([0, 2]))]
    file = LedgerFile(path, OWN)
    file.add_batch(0, SPLITS, "drawn so", splits)
    file.close()
    file = LedgerFile(path, OWN)
    assert file.batch(0) == SPLITS
    for (train, test), (train_2, test_2) in zip(splits, file.replayed(0, "drawn so"), strict=True):
        np.testing.assert_array_equal(train, train_2)
        np.testing.assert_array_equal(test, test_2)
    assert file.batch(1) is None
    assert file.replayed(1, "drawn so") is None
    assert file.replayed(0, "drawn otherwise") is None
    file.close()


def test_the_order_of_a_race_is_kept(path):
    file = LedgerFile(path, OWN)
    assert file.order([2, 0, 1]) == [2, 0, 1]
    file.close()
    file = LedgerFile(path, OWN)
    assert file.order([0, 1, 2]) == [2, 0, 1]
    file.close()
