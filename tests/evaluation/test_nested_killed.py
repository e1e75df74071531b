"""A nested cross-validation that is killed at any moment goes on, and ends the same."""

import multiprocessing
import os
import signal
import time
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from killed_nested import CV, INNER, SAVED, X, nested, procedures, y

from sklearn_stats_compare import nested_score

N_KILLS = {1: 10, 2: 3}  # by n_jobs

pytestmark = [
    pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL"),
    pytest.mark.filterwarnings("ignore:There are only"),
]


def run(log, ledger, n_jobs):
    os.setpgrp()  # so that workers are killed too
    nested(log, ledger, n_jobs)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_kills_change_nothing(tmp_path, n_jobs):
    log, ledger = tmp_path / "log", tmp_path / "run"
    log.touch()
    rng = np.random.default_rng(n_jobs)
    n_killed = 0
    context = multiprocessing.get_context("forkserver")
    # The package by its own name: the server does not find modules of this folder.
    context.set_forkserver_preload(["sklearn_stats_compare", "killed_nested"])
    while n_killed < N_KILLS[n_jobs]:
        process = context.Process(target=run, args=(log, ledger, n_jobs))
        lines = log.read_text().count("\n")
        process.start()
        # Some fits after those before, inner or outer; an outer fit makes 13 of its own.
        more, end = int(rng.integers(1, 20)), time.monotonic() + 600
        while process.is_alive() and log.read_text().count("\n") < lines + more:
            assert time.monotonic() < end
            time.sleep(0.001)
        assert process.is_alive(), "it ended before the last kill"
        os.killpg(process.pid, signal.SIGKILL)
        process.join()
        n_killed += 1
    saved = log.read_text().count(SAVED)
    again = nested_score(procedures(), X, y, cv=CV)
    # The procedures must be the same, the path of their log among the parameters.
    resumed = nested_score(procedures(log), X, y, cv=CV, ledger=ledger)
    np.testing.assert_array_equal(resumed["score"].scores.values, again["score"].scores.values)
    for name, result in resumed.results.items():
        pd.testing.assert_frame_equal(
            result.scores.drop(columns=["seconds", "param_log"], errors="ignore"),
            again.results[name].scores.drop(columns=["seconds", "param_log"], errors="ignore"),
        )
    # What was seen to be saved was not fitted again.
    assert sum(result.n_reused for result in resumed.results.values()) >= saved
    fits = Counter(line for line in log.read_text().splitlines() if line.startswith(INNER))
    # Of each inner fit of 20 outer ones at most what was running was lost, once for each kill.
    assert sum(fits.values()) < 20 * 13 + 13 * n_jobs * N_KILLS[n_jobs]
