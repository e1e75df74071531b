"""Searches with a ledger that are killed at any moment, and resumed until they are done."""

import contextlib
import os
import signal
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks._attacked import DONE, STARTED, fit_killed, fit_until_killed
from benchmarks._children import SECONDS, in_child, start
from benchmarks._entries import copied, n_successful
from benchmarks._verdicts import SAME, WRONG, Verdict, judged

N_KILLS = {"whole": 15, "race": 15, "extension": 15, "two jobs": 5}
N_FITS_BEFORE = 130
"""A search is killed before it has begun as many fits; there are 160, with an extension 240."""
N_COMMITS_BEFORE = 5
BEHIND, SPOT_CHECK = 0.75, 10
"""Seconds of fits that may be lost, because a ledger is half a second behind, and a transaction
takes a while; and fits that may be made once more."""


def kills(only=""):
    """After each kill the search is resumed in two ways: from a copy to its end, and to be killed.

    Wrong is an end that is not that of a search which was never killed, in its scores, in what it
    predicted or in the values of its samples; one that reused less than had been saved at the kill;
    and a kill that lost fits that had ended long before it.
    """
    for seed, (kind, n_kills) in enumerate(N_KILLS.items()):
        if only in kind:
            with tempfile.TemporaryDirectory() as folder:
                yield from _kills_of(kind, n_kills, Path(folder), np.random.default_rng(seed))


def _kills_of(kind, n_kills, folder, rng):
    ledger, log = folder / "search.sqlite", folder / "log"
    log.touch()
    expected = in_child(fit_killed, kind, str(log), None)
    n = n_saved = 0
    while n < n_kills:
        if n % 2:
            commit, delay = int(rng.integers(N_COMMITS_BEFORE)), 0.001 * rng.random()
            when = f"{1000 * delay:.2f} ms into its transaction {commit}"
            exitcode, end = _killed(kind, log, ledger, commit=commit, delay=delay)
        else:
            n_fits, delay = int(rng.integers(N_FITS_BEFORE)), 0.03 * rng.random()
            when = f"{1000 * delay:.1f} ms after its fit {n_fits} began"
            exitcode, end = _killed(kind, log, ledger, n_fits=n_fits, delay=delay)
        if exitcode == 0:
            ledger.unlink()  # it was done: another one
            n_saved = 0
            continue
        n += 1
        case = f"{kind}, kill {n}, {when}"
        if exitcode != -signal.SIGKILL:
            ledger.unlink(missing_ok=True)
            n_saved = 0
            yield Verdict(case, WRONG, f"it ended by itself, with {exitcode}, and not as planned")
            continue
        n_due = n_saved + _n_fitted(log, end - BEHIND) - SPOT_CHECK
        n_saved = n_successful(copied(ledger, folder))
        outcome = in_child(fit_killed, kind, str(log), str(copied(ledger, folder)))
        verdict = judged(case, outcome, expected, allowed=(SAME,))
        lost = ""
        if n_saved < n_due:
            lost = f"{n_saved} fits were saved, of at least {n_due} that were done"
        elif outcome.n_reused < n_saved:
            lost = f"{n_saved} fits were saved, and {outcome.n_reused} reused"
        yield Verdict(case, WRONG, lost) if verdict.kind == SAME and lost else verdict


def _last_start(log):
    return log.read_text().rsplit(f"{STARTED}\n", 1)[-1].splitlines()


def _n_fitted(log, before):
    """Fits of the last start that were begun before a time, of candidates that do not fail."""
    fits = [line.split() for line in _last_start(log) if line[0].isdigit()]
    return sum(number not in ("5", "7") and float(when) < before for number, when in fits)


def _killed(kind, log, ledger, *, n_fits=None, commit=None, delay):
    """Kill a search that was seen to begin `n_fits`, or have it kill itself while it writes.

    Returns its exit code, 0 if it was done before, and the time of its death.
    """
    n_starts = log.read_text().count(STARTED)
    itself = () if commit is None else (commit, delay)
    process = start(fit_until_killed, kind, str(log), str(ledger), *itself)
    end = time.monotonic() + SECONDS
    while process.is_alive() and time.monotonic() < end:
        text = log.read_text()
        begun = text.count(STARTED) > n_starts
        if commit is None and begun and len(_last_start(log)) >= n_fits:
            time.sleep(delay)
            break
        time.sleep(0.0005)
    with contextlib.suppress(ProcessLookupError):  # it has ended, or has no group yet
        os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.join()
    # A search that is done may be killed while its process ends.
    exitcode = 0 if log.read_text().endswith(f"{DONE}\n") else process.exitcode
    return exitcode, time.monotonic()
