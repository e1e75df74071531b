"""What scheduling costs on dask beside loky, two workers each; ratios of one run.

python -m benchmarks.distributed

Fits take 20 ms each and do nothing, so the rest of the time is that of handing them out. The floor
is what two workers cannot go below: 20 ms × fits / 2.
"""

import statistics
import sys
import tempfile
import time
import warnings
from pathlib import Path

import joblib
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import RepeatedStratifiedKFold

from sklearn_stats_compare import RacingGridSearchCV, StatisticalGridSearchCV

try:
    from dask.distributed import Client, LocalCluster
except ImportError:
    Client = None

SECONDS = 0.02
N_RUNS = 3
N_WORKERS = 2
rng = np.random.default_rng(0)
X = rng.standard_normal((1000, 20))
y = np.arange(1000) % 2
X[:, 0] = y
CV = RepeatedStratifiedKFold(n_splits=10, n_repeats=1, random_state=0)
GRID = {"number": list(range(20))}


class Sleeper(ClassifierMixin, BaseEstimator):
    """A fit that takes its time; the higher `number`, the worse it predicts."""

    def __init__(self, number=0):
        self.number = number

    def fit(self, X, y):
        time.sleep(SECONDS)
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        wrong = abs(X[:, 1]) < self.number / 10
        return np.where(wrong, 1 - X[:, 0], X[:, 0]).astype(int)


def plain():
    return StatisticalGridSearchCV(Sleeper(), GRID, cv=CV, refit=False)


def saved():
    return plain().set_params(ledger=Path(tempfile.mkdtemp()) / "search.sqlite")


def race():
    return RacingGridSearchCV(Sleeper(), GRID, cv=CV, refit=False, random_state=0)


SEARCHES = {
    "plain": plain,
    "ledger": saved,
    "race": race,
}


def timed(make, **backend):
    search = make()
    with joblib.parallel_config(**backend):
        start = time.perf_counter()
        search.fit(X, y)
        seconds = time.perf_counter() - start
    return seconds, getattr(search, "n_fits_", 10 * len(GRID["number"]))


def main():
    if Client is None:
        print("distributed is not installed: nothing measured")
        return 0
    warnings.simplefilter("ignore")
    backends = {
        "loky": {"backend": "loky", "n_jobs": N_WORKERS},
        "dask": {"backend": "dask"},
    }
    times = {(what, name): [] for what in SEARCHES for name in backends}
    n_fits = {}
    with (
        LocalCluster(
            n_workers=N_WORKERS, threads_per_worker=1, processes=True, dashboard_address=":0"
        ) as cluster,
        Client(cluster),
    ):
        for backend in backends.values():
            timed(plain, **backend)  # the workers warm up
        for _ in range(N_RUNS):
            for what, make in SEARCHES.items():
                for name, backend in backends.items():  # in turn: a slow moment hits all
                    seconds, n_fits[what] = timed(make, **backend)
                    times[what, name].append(seconds)
    print(f"Fits of 20 ms on {N_WORKERS} workers, as multiples of the floor; medians of {N_RUNS}")
    print(f"{'':24}{'fits':>6}{'floor, s':>10}{'loky':>8}{'dask':>8}{'dask / loky':>13}")
    for what in SEARCHES:
        floor = SECONDS * n_fits[what] / N_WORKERS
        loky, dask = (statistics.median(times[what, name]) / floor for name in backends)
        print(f"{what:24}{n_fits[what]:6}{floor:10.2f}{loky:8.2f}{dask:8.2f}{dask / loky:13.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
