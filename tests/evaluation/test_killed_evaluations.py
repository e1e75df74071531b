"""Evaluations that are killed at any moment go on, and end the same."""

import multiprocessing
import os
import signal
import time
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from killed_evaluations import INNER, SAVED, nested, over_data_sets, to_be_killed

pytestmark = [
    pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL"),
    pytest.mark.filterwarnings("ignore:[0-9] data sets"),
    pytest.mark.filterwarnings("ignore:There are only"),
]


def kill(moments, log, *args, **options):
    """Run it as often as there are moments, each after so many lines of the log more."""
    log.touch()
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["sklearn_stats_compare"])
    for more in moments:
        lines, end = log.read_text().count("\n") + more, time.monotonic() + 600
        process = context.Process(target=to_be_killed, args=args, kwargs=options)
        process.start()
        while process.is_alive() and log.read_text().count("\n") < lines:
            assert time.monotonic() < end
            time.sleep(0.001)
        assert process.is_alive(), "it ended before the kill"
        os.killpg(process.pid, signal.SIGKILL)
        process.join()


def fits_in(log):
    return Counter(line for line in log.read_text().splitlines() if line.startswith(INNER))


@pytest.mark.parametrize(
    ("n_jobs", "n_repeats", "moments"),
    [
        pytest.param(1, 1, [20], marks=pytest.mark.slow),  # within the second outer fit
        pytest.param(1, 2, np.random.default_rng(1).integers(1, 20, 10), marks=pytest.mark.slow),
        pytest.param(2, 2, np.random.default_rng(2).integers(1, 20, 3), marks=pytest.mark.slow),
    ],
)
def test_kills_change_nothing_in_a_nested_cross_validation(tmp_path, n_jobs, n_repeats, moments):
    log, ledger = tmp_path / "log", tmp_path / "run"
    kill(moments, log, nested, log, n_repeats, ledger=ledger, n_jobs=n_jobs)
    saved = log.read_text().count(SAVED)
    assert saved or n_jobs > 1
    again = nested(None, n_repeats)
    # The procedures must be the same, the path of their log among the parameters.
    resumed = nested(log, n_repeats, ledger=ledger)
    np.testing.assert_array_equal(resumed["score"].scores.values, again["score"].scores.values)
    for name, result in resumed.results.items():
        pd.testing.assert_frame_equal(
            *(
                scores.drop(columns=["seconds", "param_log"], errors="ignore")
                for scores in (result.scores, again.results[name].scores)
            )
        )
    # What was seen to be saved was not fitted again.
    assert sum(result.n_reused for result in resumed.results.values()) >= saved
    # Of the inner fits of an outer one at most what was running was lost, once for each kill.
    n_outer = 2 * 5 * n_repeats
    assert sum(fits_in(log).values()) < 13 * n_outer + 13 * n_jobs * len(moments)


@pytest.mark.parametrize(
    ("n_jobs", "moments"),
    [
        # Within the second data set, of 36 fits each.
        (1, [50]),
        pytest.param(1, np.random.default_rng(1).integers(5, 25, 3), marks=pytest.mark.slow),
        pytest.param(2, np.random.default_rng(2).integers(5, 25, 3), marks=pytest.mark.slow),
    ],
)
def test_a_killed_run_over_data_sets_goes_on_with_the_same_splits(tmp_path, n_jobs, moments):
    log = tmp_path / "log"
    options = {"ledger": tmp_path / "run", "n_jobs": n_jobs}
    kill(moments, log, over_data_sets, log, **options)
    resumed = over_data_sets(log, **options)
    fits = fits_in(log)
    assert len(fits) <= 3 * 4 * 9  # more, if a run had drawn other splits
    assert sum(fits.values()) <= 3 * 4 * 9 + 2 * 9 * n_jobs * len(moments)
    lines = log.read_text().count("\n")
    again = over_data_sets(log, **options)
    assert log.read_text().count("\n") == lines
    assert resumed.datasets == again.datasets
    for name, comparison in resumed.comparisons.items():
        expected = again.comparisons[name].scores.values
        np.testing.assert_array_equal(comparison.scores.values, expected)
