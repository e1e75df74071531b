"""The searches on ray: the same results. Skipped without ray, which is several hundred MB large."""

import os
from pathlib import Path

import joblib
import pytest

from sklearn_stats_compare import Ledger

ray = pytest.importorskip("ray")

from logged_search import (  # noqa: E402  # beside this file
    KINDS,
    LARGE,
    assert_same,
    n_fits_of,
    search_of,
)
from ray.util.joblib import register_ray  # noqa: E402

PATH = os.pathsep.join(map(str, (Path(__file__).parent, Path(__file__).parents[2])))

pytestmark = [
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning"),
    pytest.mark.filterwarnings("ignore:One or more of the test scores are non-finite"),
]


@pytest.fixture(scope="module")
def on_ray():
    environment = {"env_vars": {"PYTHONPATH": PATH}}
    ray.init(num_cpus=2, include_dashboard=False, runtime_env=environment)
    register_ray()
    # Without n_jobs ray's backend fits here, in this process.
    yield lambda: joblib.parallel_config(backend="ray", n_jobs=-1)
    ray.shutdown()


@pytest.mark.parametrize("kind", KINDS)
def test_every_search_ends_as_in_one_process(kind, on_ray, tmp_path):
    log = tmp_path / "log"
    with on_ray():
        search = search_of(kind, log).fit(*LARGE)
    assert str(os.getpid()) not in {line.split()[0] for line in log.read_text().splitlines()}
    assert_same(search, search_of(kind).fit(*LARGE))


@pytest.mark.parametrize("kind", ["grid", "race"])
def test_with_a_ledger_it_is_resumed_from_its_file_and_extended(kind, on_ray, tmp_path):
    log, ledger = tmp_path / "log", tmp_path / "search.sqlite"
    search = search_of(kind, log, asks_for=str(ledger), ledger=Ledger(ledger, retry_failed=False))
    reference = search_of(kind).fit(*LARGE)
    with on_ray():
        assert_same(search.fit(*LARGE), reference)
        fits = [line.split() for line in log.read_text().splitlines()]
        assert len(fits) == n_fits_of(reference)
        # Written by another process than this, which did not have the file open.
        assert not [fit for fit in fits if int(fit[0]) == os.getpid() or fit[3] == "1"]
        assert search.fit(*LARGE).n_reused_ == n_fits_of(reference)
        assert_same(search, reference)
        if kind == "grid":
            search.extend(*LARGE, n_repeats=1)
            assert_same(search, reference.extend(*LARGE, n_repeats=1))
