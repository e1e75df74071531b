"""The searches on a dask cluster of two worker processes: the same results, whoever dies."""

import os
import re
import signal
import threading
import time
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager

import joblib
import pytest

from sklearn_stats_compare import Ledger
from sklearn_stats_compare.search.ledger import _saving
from sklearn_stats_compare.search.ledger._file import LedgerFile

# Of `distributed` alone, Python would take this folder for a package of that name.
pytest.importorskip("distributed.client", reason="distributed is not installed")

import distributed
from logged_search import (  # beside this file
    KINDS,
    LARGE,
    SMALL,
    assert_same,
    assert_same_predictions,
    n_fits_of,
    search_of,
)

pytestmark = [
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning"),
    pytest.mark.filterwarnings("ignore:One or more of the test scores are non-finite"),
]


KEPT = {"return_predictions": True, "test": "samples"}


@contextmanager
def on_dask(client, **options):
    with client.as_current(), joblib.parallel_config(backend="dask", **options):
        yield


@contextmanager
def new_cluster():
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def shared_client():
    with ExitStack() as clusters:
        newest = []

        def give():
            if not newest or not has_two_workers(newest[-1]):
                newest.append(clusters.enter_context(new_cluster()))
            return newest[-1]

        yield give


def has_two_workers(client):
    # A worker that the test before has lost takes a moment to come back, and now and then dask
    # gives it up. With one alone joblib would run everything in this process.
    try:
        client.wait_for_workers(2, timeout=30)
    except TimeoutError:
        return False
    return True


@pytest.fixture
def client(shared_client):
    return shared_client()


def fits_in(log):
    """(process, candidate, split, whether it had the file open) of every fit."""
    return [tuple(map(int, line.split())) for line in log.read_text().splitlines()]


@contextmanager
def once(log, n_fits, act):
    """Does something as soon as so many fits were begun, beside what the block does."""
    done = []

    def wait():
        end = time.monotonic() + 600
        while time.monotonic() < end:
            if log.read_text().count("\n") >= n_fits:
                done.append(True)
                act()
                return
            time.sleep(0.002)

    log.touch()
    thread = threading.Thread(target=wait)
    thread.start()
    yield
    thread.join()
    assert done


def killer(client, n_workers=1):
    """Kills workers as the system does when memory runs out; dask starts others."""
    pids = list(client.run(os.getpid).values())[:n_workers]
    return lambda: [os.kill(pid, signal.SIGKILL) for pid in pids]


@pytest.fixture
def stopped_after(monkeypatch):
    """Has the process that called `fit` interrupted after so many transactions."""
    save = LedgerFile.save

    def stop_after(n_transactions):
        saved = []

        def save_and_stop(*arguments):
            is_safe = save(*arguments)
            saved.append(True)
            if len(saved) == n_transactions:
                monkeypatch.undo()
                raise KeyboardInterrupt
            return is_safe

        monkeypatch.setattr(LedgerFile, "save", save_and_stop)

    return stop_after


def assert_reused(search, n_saved):
    """All that was saved, but for fits that a race had made ahead and did not need."""
    is_race = hasattr(search, "n_fits_speculative_")
    assert search.n_reused_ <= n_saved if is_race else search.n_reused_ == n_saved


def n_made(search, n_saved):
    """Fits after a restart, with some that were saved, made once more to be compared."""
    ahead = getattr(search, "n_fits_speculative_", 0)
    n_again = max(_saving.SPOT_CHECKS, n_saved // 100)
    return n_fits_of(search) - search.n_reused_ + ahead + n_again


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("scatter", [False, True])
def test_every_search_ends_as_in_one_process(kind, scatter, client, tmp_path):
    log = tmp_path / "log"
    search = search_of(kind, log)
    with on_dask(client, **({"scatter": list(LARGE)} if scatter else {})):
        search.fit(*LARGE)
    assert_same(search, search_of(kind).fit(*LARGE))
    processes = {process for process, *_ in fits_in(log)}
    assert processes <= set(client.run(os.getpid).values())


@pytest.mark.parametrize("kind", KINDS)
def test_predictions_come_back_with_the_scores_and_from_the_ledger(kind, client, tmp_path):
    ledger = tmp_path / "search.sqlite"
    reference = search_of(kind, **KEPT).fit(*LARGE)
    with on_dask(client):
        search = search_of(kind, ledger=ledger, **KEPT).fit(*LARGE)
    again = search_of(kind, ledger=Ledger(ledger, retry_failed=False), **KEPT).fit(*LARGE)
    assert search.n_reused_ == 0
    assert again.n_reused_ == n_fits_of(reference)
    assert_same_predictions(search, reference)
    assert_same_predictions(again, reference)


@pytest.mark.parametrize("kind", ["grid", "race"])
@pytest.mark.parametrize("there_and_back", [("loky", "dask"), ("dask", "loky")])
def test_it_goes_on_elsewhere(kind, there_and_back, client, tmp_path, stopped_after):
    log, ledger = tmp_path / "log", tmp_path / "search.sqlite"
    search = search_of(kind, log, ledger=Ledger(ledger, retry_failed=False))
    stopped_after(3)
    backends = {
        "loky": lambda: joblib.parallel_config(backend="loky", n_jobs=2),
        "dask": lambda: on_dask(client),
    }
    there, here = there_and_back
    with backends[there](), pytest.raises(KeyboardInterrupt) as stopped:
        search.fit(*LARGE)
    n_saved = int(stopped.value.__notes__[0].split(" fits of this search are in its")[0])
    assert n_saved >= 3
    while any(client.processing().values()):  # workers end the fits that they have begun
        time.sleep(0.01)
    log.unlink()
    with backends[here]():
        search.fit(*LARGE)
    assert_same(search, search_of(kind).fit(*LARGE))
    assert_reused(search, n_saved)
    fits = [fit[1:3] for fit in fits_in(log)]
    assert len(set(fits)) == len(fits) == n_made(search, n_saved)


@pytest.mark.parametrize("saved", [False, True])
def test_it_is_extended(saved, client, tmp_path):
    arguments = {"ledger": tmp_path / "search.sqlite"} if saved else {}
    with on_dask(client):
        search = search_of("grid", **arguments).fit(*LARGE).extend(*LARGE, n_repeats=1)
    reference = search_of("grid").fit(*LARGE).extend(*LARGE, n_repeats=1)
    assert search.n_splits_ == 15
    assert_same(search, reference)


@pytest.mark.parametrize(("saved", "kept"), [(False, {}), (True, {}), (True, KEPT)])
@pytest.mark.parametrize("kind", ["grid", "race"])
def test_a_worker_that_is_killed_is_made_up_for(kind, saved, kept, client, tmp_path):
    log = tmp_path / "log"
    arguments = {"ledger": tmp_path / "search.sqlite"} if saved else {}
    search = search_of(kind, log, 0.01, **arguments, **kept)
    with once(log, 30, killer(client)), on_dask(client):
        search.fit(*SMALL)
    check = assert_same_predictions if kept else assert_same
    check(search, search_of(kind, **kept).fit(*SMALL))
    if saved:
        assert search.n_reused_ == 0


@pytest.mark.parametrize("kind", ["grid", "race"])
def test_data_that_died_with_the_workers_is_sent_again(kind, client, tmp_path):
    # dask spreads arrays of more than 1 kB, and cannot make again what nobody has.
    log, ledger = tmp_path / "log", tmp_path / "search.sqlite"
    search = search_of(kind, log, 0.01, ledger=ledger)
    with (
        once(log, 40, killer(client, n_workers=2)),
        on_dask(client),
        pytest.warns(UserWarning, match="A worker was lost .FutureCancelledError.") as record,
    ):
        search.fit(*LARGE)
    (lost,) = [str(w.message) for w in record if "was lost" in str(w.message)]
    assert int(re.search(r"with (\d+) fits", lost)[1]) >= 15
    assert search.n_reused_ == 0
    assert_same(search, search_of(kind).fit(*LARGE))


@pytest.mark.filterwarnings("ignore:A worker was lost")
@pytest.mark.parametrize("kind", ["grid", "race"])
def test_a_cluster_that_is_closed_meanwhile(kind, tmp_path):
    log, ledger = tmp_path / "log", tmp_path / "search.sqlite"
    search = search_of(kind, log, 0.01, ledger=Ledger(ledger, retry_failed=False))
    with (
        new_cluster() as client,
        once(log, 40, client.cluster.close),
        on_dask(client),
        pytest.raises((AttributeError, CancelledError, RuntimeError)) as closed,
    ):
        search.fit(*SMALL)
    assert isinstance(closed.value.__cause__, distributed.client.FutureCancelledError)
    n_saved = int(closed.value.__notes__[0].split()[0])
    assert n_saved >= 15
    log.unlink()
    search.fit(*SMALL)
    assert_same(search, search_of(kind).fit(*SMALL))
    assert_reused(search, n_saved)
    assert len(fits_in(log)) == n_made(search, n_saved)


def test_only_the_process_that_called_fit_has_the_ledger_open(client, tmp_path):
    log, ledger = tmp_path / "log", tmp_path / "search.sqlite"
    search = search_of("race", log, asks_for=str(ledger), ledger=ledger)
    with on_dask(client):
        search.fit(*SMALL)
    fits = fits_in(log)
    assert fits
    assert not [fit for fit in fits if fit[0] == os.getpid() or fit[3]]
    for file in (log, ledger):
        file.unlink()
    search.fit(*SMALL)
    fits = fits_in(log)
    assert fits
    assert not [fit for fit in fits if fit[0] != os.getpid() or not fit[3]]
