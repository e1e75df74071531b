"""Reference scores and small searches that several tests use."""

import gc
import inspect
import json
import os
import shutil
import sys
import time
import warnings
from functools import cache, partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import settings
from sklearn.base import BaseEstimator
from sklearn.datasets import make_moons
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.svm import SVC
from sklearn.utils import _param_validation
from threadpoolctl import threadpool_limits

from sklearn_stats_compare import (
    Comparison,
    ComparisonWarning,
    SplitDesign,
    SplitScores,
    StatisticalGridSearchCV,
)
from sklearn_stats_compare.displays import _base

# Fewer examples than Hypothesis' hundred, for many of them fit searches; HYPOTHESIS_PROFILE=long
# has more. No deadline: a test must not depend on the speed of the machine.
settings.register_profile("short", max_examples=10, deadline=None)
settings.register_profile("long", max_examples=400, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "short"))

REFERENCE = Path(__file__).parent / "reference"


def pytest_configure():
    os.environ["MPLBACKEND"] = "Agg"
    # Small products gain nothing from threads, and those of several processes wait for each other.
    # So do those of the processes that tests start.
    threadpool_limits(1)
    os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    # scikit-learn looks up with each fit and each score which arguments a function takes and, from
    # 1.9 on, whether an array is a data frame: half of the time of a quick fit.
    _param_validation.signature = cache(inspect.signature)
    # From 1.9 on it also asks of each array of labels whether `numpy.unique` knows `equal_nan`.
    BaseEstimator._get_param_names = classmethod(cache(BaseEstimator._get_param_names.__func__))
    if compat := sys.modules.get("sklearn.externals.array_api_compat.common._aliases"):
        compat.inspect = SimpleNamespace(signature=cache(inspect.signature))
    if narwhals := sys.modules.get("narwhals.stable.v2.dependencies"):
        for name in ("is_into_dataframe", "is_into_series"):
            setattr(narwhals, name, partial(unless_an_array, getattr(narwhals, name)))


def unless_an_array(asked, thing):
    return type(thing) is not np.ndarray and asked(thing)


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Look for no garbage among modules and tests, which stay to the end: a third of this time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


def pytest_collection_modifyitems(items):
    """Put what needs a browser first, so that one process starts it."""
    items.sort(key=lambda item: "chromium" not in getattr(item, "fixturenames", ()))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Give a process that is done the rest of another's tests, in order: fixtures are shared."""
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log)


@pytest.fixture(scope="session")
def moons():
    """Every number of scikit-learn's published example."""
    return json.loads((REFERENCE / "sklearn_moons.json").read_text())


@pytest.fixture(scope="session")
def moons_comparison():
    rows = np.loadtxt(REFERENCE / "sklearn_moons_scores.csv", delimiter=",", skiprows=1)
    scores = SplitScores(rows[:, 1:].T, SplitDesign([90] * 100, [10] * 100))
    return Comparison(scores, ["linear", "2_poly", "3_poly", "rbf"])


@pytest.fixture(scope="session")
def multi():
    """Numbers of six candidates on 20 splits."""
    return json.loads((REFERENCE / "multi_6x20.json").read_text())


@pytest.fixture(scope="session")
def multi_scores():
    rows = np.loadtxt(REFERENCE / "multi_scores_6x20.csv", delimiter=",", skiprows=1)
    return SplitScores(rows, SplitDesign([80] * 20, [20] * 20))


@pytest.fixture(scope="session")
def moons_data():
    return make_moons(noise=0.352, random_state=1, n_samples=100)


@pytest.fixture(scope="session")
def moons_search(moons_data):
    """The published example, fitted."""
    return StatisticalGridSearchCV(
        SVC(random_state=0),
        [{"kernel": ["linear"]}, {"kernel": ["poly"], "degree": [2, 3]}, {"kernel": ["rbf"]}],
        scoring="roc_auc",
        cv=RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0),
    ).fit(*moons_data)


@pytest.fixture
def make_comparison():
    """Comparison of scores, of 10-fold sizes unless given, without the warning of few splits."""

    def make(scores, *, n_train=90, n_test=10, **settings):
        scores = np.asarray(scores, dtype=float)
        sizes = [np.broadcast_to(n, scores.shape[1]) for n in (n_train, n_test)]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ComparisonWarning)
            return Comparison(SplitScores(scores, SplitDesign(*sizes)), **settings)

    return make


@pytest.fixture
def no_pictures(monkeypatch):
    """Pages whose pictures, which take most of their time, are empty; captions are there."""
    monkeypatch.setattr(_base, "as_svg", lambda draw, words: "")


@pytest.fixture(scope="session")
def baycomp():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # baycomp's own, about old matplotlib calls
        return pytest.importorskip("baycomp")


@pytest.fixture(scope="session")
def chromium(tmp_path_factory):
    pytest.importorskip("selenium")
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    program, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not (program and driver):
        if os.environ.get("REQUIRE_CHROMIUM"):
            pytest.fail("REQUIRE_CHROMIUM is set, and chromium or chromedriver is not installed.")
        pytest.skip("chromium and chromedriver are not installed")
    options = webdriver.ChromeOptions()
    options.binary_location = program
    switches = ["headless=new", "no-sandbox", "disable-gpu", "disable-quic", "no-first-run",
                "disable-background-networking", "disable-component-update", "disable-sync",
                f"user-data-dir={tmp_path_factory.mktemp('profile')}"]  # fmt: skip
    for switch in switches:
        options.add_argument(f"--{switch}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    running = webdriver.Chrome(options=options, service=Service(driver))
    yield running
    running.quit()


@pytest.fixture
def browser(chromium):
    """Chromium as if it had just started: its own size, the system's theme, nothing logged."""
    chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
    chromium.get_log("browser")
    return chromium


@pytest.fixture
def contradicted():
    """Names of the rates that, ± 2 standard errors, lie wholly outside their band."""

    def contradicted(found, bands):
        names = []
        for name, (low, high) in bands.items():
            rate, error = found[name]
            if rate + 2 * error < low or rate - 2 * error > high:
                names.append(name)
        return names

    return contradicted


@pytest.fixture
def show(capsys):
    """Print what a simulation found, and the time since its test began."""
    start = time.perf_counter()

    def show(*lines):
        with capsys.disabled():
            print("", *lines, f"{time.perf_counter() - start:.0f} s", sep="\n")

    return show


@pytest.fixture(autouse=True)
def closed_figures():
    """Close figures after each test: matplotlib warns of more than 20, whichever test drew them."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
