"""What ledgers, progress lines, time limits and races cost beside GridSearchCV; ratios of one run.

python -m benchmarks.stream [many] [short] [limit] [dask]

`many`: 16, 64 and 100 threads that sleep as fits of log-normal length do, 96 candidates × 5 splits.
A plain fit, a progress line, a ledger and a time limit that is not reached should take what
GridSearchCV takes, and a race its share of the fits. `short`: fits of 2 ms, one after the other and
with two processes. `limit`: by how much `max_time` is overrun, with 1,000 candidates. `dask`: four
real worker processes (needs distributed). Without arguments, all of them.
"""

import statistics
import sys
import tempfile
import time
import warnings
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import joblib
import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import GridSearchCV, StratifiedKFold

from sklearn_stats_compare import RacingGridSearchCV, StatisticalGridSearchCV

rng = np.random.default_rng(0)
X = rng.standard_normal((500, 2))
y = np.arange(500) % 2
X[:, 0] = y
CV = StratifiedKFold(5)
TIMES = {"many": 1.05, "dask": 1.10}
RACE = 1.15


class Sleeper(ClassifierMixin, BaseEstimator):
    """A fit of a log-normal length; the higher `number`, the worse it predicts."""

    def __init__(self, number=0, mean=0.2, spread=0.5, seed=0):
        self.number, self.mean, self.spread, self.seed = number, mean, spread, seed

    def fit(self, X, y):
        self.classes_ = np.array([0, 1])
        # The same length for the same candidate and split, whoever fits it.
        seed = [self.seed, self.number, int(abs(X[:20, 1]).sum() * 1e6)]
        length = np.random.default_rng(seed).lognormal(0, self.spread)
        time.sleep(self.mean * length / np.exp(self.spread**2 / 2))
        return self

    def predict(self, X):
        wrong = abs(X[:, 1]) < self.number / 60
        return np.where(wrong, 1 - X[:, 0], X[:, 0]).astype(int)


class Quick(Sleeper):
    """A fit of about 2 ms of computation."""

    def fit(self, X, y):
        self.classes_ = np.array([0, 1])
        until = time.perf_counter() + 0.002
        while time.perf_counter() < until:
            pass
        return self


def new_ledger():
    return Path(tempfile.mkdtemp()) / "search.sqlite"


KINDS = {
    "GridSearchCV": lambda *args, **kw: GridSearchCV(*args, **kw),
    "plain": lambda *args, **kw: StatisticalGridSearchCV(*args, **kw),
    "verbose=1": lambda *args, **kw: StatisticalGridSearchCV(*args, verbose=1, **kw),
    "ledger": lambda *args, **kw: StatisticalGridSearchCV(*args, ledger=new_ledger(), **kw),
    "max_time": lambda *args, **kw: StatisticalGridSearchCV(*args, max_time=1e6, **kw),
    "race": lambda *args, **kw: RacingGridSearchCV(*args, random_state=0, **kw),
}


def seconds_of(search):
    with warnings.catch_warnings(), redirect_stdout(StringIO()):
        warnings.simplefilter("ignore")
        start = time.perf_counter()
        search.fit(X, y)
        return time.perf_counter() - start


def compared(title, make, bound, n_runs, names=tuple(KINDS), race_bound=RACE):
    """Print the median of each kind of search over that of GridSearchCV, in turns."""
    taken = {name: [] for name in names}
    share = 1.0
    for run in range(n_runs):
        for name in names:
            search = make(KINDS[name])
            # Which long fit comes last is luck, and another one in each order of the fits.
            search.estimator.set_params(seed=run)
            taken[name].append(seconds_of(search))
            if name == "race":
                share = search.n_fits_ / search.n_fits_full_
    print(f"{title}: GridSearchCV {statistics.median(taken['GridSearchCV']):.2f} s")
    met = True
    for name in names[1:]:
        ratios = [a / b for a, b in zip(taken[name], taken["GridSearchCV"], strict=True)]
        ratio = statistics.median(ratios)
        most = bound.get(name) if isinstance(bound, dict) else bound
        said = "" if most is None else f"at most {most:.2f}"
        if name == "race":
            most = share * race_bound
            said = f"at most {most:.2f}: {share:.2f} of the fits × {race_bound}"
        met &= most is None or ratio <= most
        print(f"  {name:10} {ratio:6.3f} ×  {said}")
    return met


def many():
    met = True
    for n_workers in (16, 64, 100):
        with joblib.parallel_config(backend="threading", n_jobs=n_workers):
            met &= compared(
                f"{n_workers} threads, 96 × 5 fits of 0.2 s on average, log-normal",
                lambda kind: kind(Sleeper(), {"number": list(range(96))}, cv=CV, refit=False),
                TIMES["many"],
                5,
            )
    return met


def short():
    met = True
    names = ("GridSearchCV", "plain", "verbose=1", "ledger")
    for n_jobs, n_candidates, plain in ((1, 200, 1.02), (2, 1000, 1.05)):
        n_fits = n_candidates * 5
        # Half a millisecond a fit.
        ledger = 1 + 0.0005 * n_fits / (0.0025 * n_fits / n_jobs)
        met &= compared(
            f"{n_jobs} processes, {n_fits:,} fits of 2 ms",
            lambda kind, n=n_candidates, jobs=n_jobs: kind(
                Quick(), {"number": list(range(n))}, cv=CV, refit=False, n_jobs=jobs
            ),
            {"plain": plain, "verbose=1": 1.10, "ledger": ledger},
            5,
            names,
        )
    return met


def limit():
    met = True
    print("max_time = 3 s, 1,000 candidates: seconds over, and the longest fit")
    for n_jobs, mean in ((1, 0.05), (2, 0.002), (2, 0.5), (16, 0.5)):
        backend = "threading" if n_jobs > 2 else "loky"
        with joblib.parallel_config(backend=backend, n_jobs=n_jobs):
            search = StatisticalGridSearchCV(
                Sleeper(mean=mean), {"number": list(range(1000))}, cv=CV, refit=False, max_time=3
            )
            over = seconds_of(search) - 3
        longest = max(float(np.nanmax(search.cv_results_[name])) for name in ("mean_fit_time",))
        met &= over <= longest + 0.2
        print(f"  {n_jobs:2} {backend:9} fits of {mean:5.3f} s: {over:6.2f}, {longest:5.2f}")
    return met


def dask():
    try:
        from dask.distributed import Client, LocalCluster
    except ImportError:
        print("dask: distributed is not installed")
        return True
    with (
        LocalCluster(n_workers=4, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster),
        joblib.parallel_config(backend="dask"),
    ):
        return compared(
            "four processes of dask, 96 × 5 fits of 0.1 s on average, log-normal",
            lambda kind: kind(Sleeper(mean=0.1), {"number": list(range(96))}, cv=CV, refit=False),
            TIMES["dask"],
            3,
        )


PARTS = {"many": many, "short": short, "limit": limit, "dask": dask}

if __name__ == "__main__":
    chosen = sys.argv[1:] or list(PARTS)
    sys.exit(0 if all([PARTS[name]() for name in chosen]) else 1)
