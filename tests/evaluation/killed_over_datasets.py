"""Models over data sets, a run that is to be killed: in a process of its own."""

import time
import zlib

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import ShuffleSplit

from sklearn_stats_compare import StatisticalGridSearchCV, cross_validate_models

# Unseeded: a run that goes on must use the splits of the first.
CV = ShuffleSplit(4, test_size=0.25)


def data_set(seed, n):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 3))
    return X, (X[:, 0] + rng.standard_normal(n) > 0).astype(int)


DATA = {"a/b": data_set(0, 60), "a_b": data_set(1, 80), "A_b": data_set(2, 100)}


class Slow(LogisticRegression):
    """Writes down every fit, and takes a while for it."""

    def __init__(self, *, C=1.0, log=None):
        super().__init__(C=C)
        self.log = log

    def fit(self, X, y, sample_weight=None):
        with open(self.log, "a") as log:
            log.write(f"{self.C} {zlib.crc32(np.ascontiguousarray(X).tobytes())}\n")
        time.sleep(0.02)
        return super().fit(X, y, sample_weight)


def models(log):
    search = StatisticalGridSearchCV(Slow(log=log), {"C": [0.1, 10.0]}, cv=3, error_score="raise")
    return {"lr": Slow(log=log), "weak": Slow(C=1e-3, log=log), "tuned": search}


def run(log, ledger, n_jobs):
    return cross_validate_models(models(log), DATA, cv=CV, ledger=ledger, n_jobs=n_jobs)
