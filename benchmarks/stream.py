"""What ledgers, progress lines, time limits and races cost beside GridSearchCV; ratios of one run.

python -m benchmarks.stream [many] [short] [limit] [dask]

`many`: 16, 64 and 100 threads that sleep as fits of log-normal length do, 96 candidates × 5 splits.
A plain fit, a progress line, a ledger and a time limit that is not reached should take what
GridSearchCV takes, and a race its share of the fits, or what GridSearchCV takes for the two splits
that come before a race can drop anything. `short`: fits of 2 ms, one after the other and
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
TWO = list(CV.split(X, y))[:2]
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
    "two splits": lambda *args, **kw: GridSearchCV(*args, **kw | {"cv": TWO}),
}


def seconds_of(search):
    with warnings.catch_warnings(), redirect_stdout(StringIO()):
        warnings.simplefilter("ignore")
        start = time.perf_counter()
        search.fit(X, y)
        return time.perf_counter() - start


def ratios_of(make, n_runs, names=tuple(KINDS)):
    """Medians of {name: time over GridSearchCV's}, its seconds and a race's share of the fits."""
    taken = {name: [] for name in names}
    share = 1.0
    for run in range(n_runs):
        for name in names:  # in turn: a slow moment of the machine hits all
            search = make(KINDS[name])
            # Which long fit comes last is luck, and another one in each order of the fits.
            search.estimator.set_params(seed=run)
            taken[name].append(seconds_of(search))
            if name == "race":
                share = search.n_fits_ / search.n_fits_full_
    plain = taken.pop("GridSearchCV")
    ratios = {
        name: statistics.median(a / b for a, b in zip(own, plain, strict=True))
        for name, own in taken.items()
    }
    return ratios, statistics.median(plain), share


def compared(title, bound, found):
    """Print what `ratios_of` found beside its bounds; whether all are met."""
    ratios, seconds, share = found
    print(f"{title}: GridSearchCV {seconds:.2f} s")
    met = True
    for name, ratio in ratios.items():
        most = bound.get(name) if isinstance(bound, dict) else bound
        said = "" if most is None else f"at most {most:.2f}"
        if name == "race":
            most = max(share * RACE, ratios["two splits"] * bound)
            said = f"at most {most:.2f}: {share:.2f} of the fits × {RACE}, or two splits × {bound}"
        elif name == "two splits":
            most, said = None, ""
        met &= most is None or ratio <= most
        print(f"  {name:10} {ratio:6.3f} ×  {said}")
    return met


def on_threads(n_workers, n_runs=5):
    with joblib.parallel_config(backend="threading", n_jobs=n_workers):
        return ratios_of(
            lambda kind: kind(Sleeper(), {"number": list(range(96))}, cv=CV, refit=False), n_runs
        )


def many():
    met = True
    for n in (16, 64, 100):
        title = f"{n} threads, 96 × 5 fits of 0.2 s on average, log-normal"
        met &= compared(title, TIMES["many"], on_threads(n))
    return met


def of_short_fits(n_jobs, n_candidates, n_runs=5):
    grid = {"number": list(range(n_candidates))}
    return ratios_of(
        lambda kind: kind(Quick(), grid, cv=CV, refit=False, n_jobs=n_jobs),
        n_runs,
        ("GridSearchCV", "plain", "verbose=1", "ledger"),
    )


def short():
    met = True
    for n_jobs, n_candidates, plain in ((1, 200, 1.02), (2, 1000, 1.05)):
        n_fits = n_candidates * 5
        # Half a millisecond a fit.
        ledger = 1 + 0.0005 * n_fits / (0.0025 * n_fits / n_jobs)
        bounds = {"plain": plain, "verbose=1": 1.10, "ledger": ledger}
        title = f"{n_jobs} processes, {n_fits:,} fits of 2 ms"
        met &= compared(title, bounds, of_short_fits(n_jobs, n_candidates))
    return met


def overruns(max_time=3):
    """Workers, backend, length of a fit on average, seconds over, and the longest mean fit."""
    for n_jobs, mean in ((1, 0.05), (2, 0.002), (2, 0.5), (16, 0.5)):
        backend = "threading" if n_jobs > 2 else "loky"
        with joblib.parallel_config(backend=backend, n_jobs=n_jobs):
            search = StatisticalGridSearchCV(
                Sleeper(mean=mean), {"number": list(range(1000))}, cv=CV, refit=False,
                max_time=max_time,
            )  # fmt: skip
            over = seconds_of(search) - max_time
        yield n_jobs, backend, mean, over, float(np.nanmax(search.cv_results_["mean_fit_time"]))


def limit():
    met = True
    print("max_time = 3 s, 1,000 candidates: seconds over, and the longest fit")
    for n_jobs, backend, mean, over, longest in overruns():
        met &= over <= longest + 0.2
        print(f"  {n_jobs:2} {backend:9} fits of {mean:5.3f} s: {over:6.2f}, {longest:5.2f}")
    return met


def on_dask(n_runs=3):
    from dask.distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=4, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster),
        joblib.parallel_config(backend="dask"),
    ):
        return ratios_of(
            lambda kind: kind(Sleeper(mean=0.1), {"number": list(range(96))}, cv=CV, refit=False),
            n_runs,
        )


def dask():
    title = "four processes of dask, 96 × 5 fits of 0.1 s on average, log-normal"
    try:
        return compared(title, TIMES["dask"], on_dask())
    except ImportError:
        print("dask: distributed is not installed")
        return True


PARTS = {"many": many, "short": short, "limit": limit, "dask": dask}

if __name__ == "__main__":
    chosen = sys.argv[1:] or list(PARTS)
    sys.exit(0 if all([PARTS[name]() for name in chosen]) else 1)
