"""A search that is killed at any moment goes on from what was saved, and ends the same."""

import multiprocessing
import os
import re
import signal
import time
import zlib

import numpy as np
import pandas as pd
import pytest
from counted import assert_same_results
from killed_search import CV, GRID, SAVED, STARTED, X, fit, search, y

from sklearn_stats_compare.search.ledger._file import LedgerFile
from sklearn_stats_compare.search.ledger._fingerprint import candidate_keys, identity
from sklearn_stats_compare.search.ledger._ledger import Outcomes
from sklearn_stats_compare.stats._design import split_keys

SPLITS = list(CV.split(X, y))
CANDIDATES = [{"number": number} for number in GRID["number"]]
# What a fit writes down of its split.
TRAINED_ON = [zlib.crc32(X[train].tobytes()) for train, _ in SPLITS]

pytestmark = [
    pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL"),
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning"),
    pytest.mark.filterwarnings("ignore:One or more of the test scores are non-finite"),
]


def cells_in(path, log):
    """(candidate, split) that the file has, whatever it belongs to."""
    if not path.exists() or not path.stat().st_size:
        return set()
    file = LedgerFile(path, identity(search("whole", log=log), X, y, {}, CANDIDATES))
    ledger = Outcomes(len(CANDIDATES), len(SPLITS))
    file.load(ledger, candidate_keys(CANDIDATES), split_keys(SPLITS, len(X)))
    file.close()
    return set(zip(*np.nonzero(ledger.ran), strict=True))


def fits_in(log):
    """(candidate, split) of every fit that was written down, for each start of the search."""
    starts = log.read_text().split(f"{STARTED}\n")[1:]
    # The last line may have been cut off by the kill.
    lines = [re.findall(r"^(\d+) (\d+)\n", start, re.MULTILINE) for start in starts]
    place = {crc: k for k, crc in enumerate(TRAINED_ON)}
    return [[(int(number), place[int(crc)]) for number, crc in fitted] for fitted in lines]


def wait_until(found, seconds=600):
    end = time.monotonic() + seconds
    while not found():
        assert time.monotonic() < end
        time.sleep(0.001)


def killed_after(process, log, n_saves, delay, signal_number):
    """Kill a search that was seen to save `n_saves` blocks; False if it was done before."""
    starts = log.read_text().count(STARTED)
    process.start()

    def far_enough():
        now = log.read_text().split(f"{STARTED}\n")[1:]
        return len(now) > starts and now[-1].count(SAVED) >= n_saves

    # How long a block takes depends on the machine; a time to wait would be right on one of them.
    wait_until(lambda: far_enough() or not process.is_alive())
    time.sleep(delay)
    if process.is_alive():
        os.killpg(process.pid, signal_number)
    process.join()
    return process.exitcode == -signal_number


@pytest.mark.usefixtures("unchecked")
@pytest.mark.parametrize(
    ("kind", "n_jobs", "n_kills"),  # `python -m benchmarks.ledger_attacks` kills more often
    [
        ("whole", 1, 1),
        pytest.param("whole", 2, 1, marks=pytest.mark.slow),
        pytest.param("race", 1, 3, marks=pytest.mark.slow),
        pytest.param("whole", 1, 10, marks=pytest.mark.slow),
        pytest.param("whole", 2, 5, marks=pytest.mark.slow),
        pytest.param("race", 1, 10, marks=pytest.mark.slow),
        pytest.param("race", 2, 5, marks=pytest.mark.slow),
    ],
)
def test_a_search_that_is_killed_again_and_again(kind, n_jobs, n_kills, tmp_path):
    ledger, log = tmp_path / "search.sqlite", tmp_path / "log"
    log.touch()
    context = multiprocessing.get_context("forkserver")
    # The package by its own name: the server does not find modules of this folder.
    context.set_forkserver_preload(["sklearn_stats_compare", "killed_search"])
    rng = np.random.default_rng(0)
    saved = [set()]
    n_killed = 0
    while n_killed < n_kills:
        process = context.Process(target=fit, args=(kind, log, ledger, n_jobs))
        # From the first moments to some blocks later, and anywhere in a block from there.
        n_saves, delay = int(rng.integers(0, 5)), rng.uniform(0, 0.03)
        # As by a machine without memory, and as by one that is shut down.
        signal_number = rng.choice([signal.SIGKILL, signal.SIGTERM])
        killed = killed_after(process, log, n_saves, delay, signal_number)
        saved.append(cells_in(ledger, log))
        if killed:
            n_killed += 1
            assert saved[-1] >= saved[-2]
            assert n_saves == 0 or len(saved[-1]) > len(saved[-2])
        else:
            assert process.exitcode == 0
            ledger.unlink()  # it was done: another one
            saved.append(set())
            with open(log, "a") as file:
                file.write(f"{STARTED}\n")  # as long as `saved`

    with open(log, "a") as file:
        file.write(f"{STARTED}\n")
    resumed = search(kind, log=log, ledger=ledger, n_jobs=n_jobs).fit(X, y)
    # Nothing that was saved before a start was fitted again in it, and nothing twice.
    for before, fitted in zip(saved, fits_in(log), strict=True):
        assert not before & set(fitted)
        assert len(fitted) == len(set(fitted))
    assert sum(len(before) > 0 for before in saved) > n_kills / 2

    never_killed = search(kind).fit(X, y)
    assert_same_results(resumed, never_killed)
    assert resumed.best_index_ == never_killed.best_index_
    assert resumed.n_reused_ == len(saved[-1])
    assert_same_predictions(resumed, never_killed)


def assert_same_predictions(resumed, never_killed):
    """To the last bit, and so are the values of samples that are made of them."""
    n_predicted = 0
    for i in range(len(CANDIDATES)):
        found, expected = (predicted_by(one, i) for one in (resumed, never_killed))
        pd.testing.assert_frame_equal(found, expected, check_exact=True)
        n_predicted += int(expected.notna().to_numpy().sum())
    assert n_predicted > 10 * len(X)
    found, expected = (one.comparison_.scores.samples for one in (resumed, never_killed))
    np.testing.assert_array_equal(found.values, expected.values)
    pd.testing.assert_frame_equal(
        resumed.pairwise_frequentist_, never_killed.pairwise_frequentist_, check_exact=True
    )


def predicted_by(fitted, i):
    try:
        return fitted.predictions(i)
    except ValueError as error:
        assert "its fits failed" in str(error)  # noqa: PT017
        return pd.DataFrame()
