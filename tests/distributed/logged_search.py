"""Searches whose fits write down who fitted them; a module of its own, for workers to import."""

import os
import time
import zlib
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import RepeatedStratifiedKFold

import sklearn_stats_compare as ssc

GRID = {"number": list(range(12))}
CV = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
KINDS = {
    "grid": (ssc.StatisticalGridSearchCV, {}),
    "random": (ssc.StatisticalRandomizedSearchCV, {"n_iter": 8, "random_state": 0}),
    "race": (ssc.RacingGridSearchCV, {"random_state": 0}),
    "random race": (ssc.RacingRandomizedSearchCV, {"n_iter": 8, "random_state": 0}),
}


class Logged(ClassifierMixin, BaseEstimator):
    """Writes down every fit, takes a while for it, and fails for some candidates.

    A line has the process, the candidate, the split that it was trained on, and 1 if the process
    has a file of `asks_for` open.
    """

    def __init__(self, number=0, log=os.devnull, seconds=0.0, asks_for=None):
        self.number = number
        self.log = log
        self.seconds = seconds
        self.asks_for = asks_for

    def fit(self, X, y):
        is_open = self.asks_for is not None and self._has_open(Path(self.asks_for))
        line = f"{os.getpid()} {self.number} {zlib.crc32(X.tobytes())} {int(is_open)}\n"
        with open(self.log, "a") as log:
            log.write(line)
        time.sleep(self.seconds)
        if self.number == 5 or (self.number == 7 and X[0, 0] > 0):
            raise ValueError(f"number {self.number} fails")
        self.classes_ = np.unique(y)
        self.shift_ = X[:, 0].mean() + self.number / 12
        return self

    def predict(self, X):
        return (X[:, 0] > self.shift_ - 0.5).astype(int)

    def _has_open(self, path):
        import psutil  # distributed brings it

        return path in [Path(file.path) for file in psutil.Process().open_files()]


def data(n_samples):
    """dask scatters arrays of more than 1 kB, and sends smaller ones with each task."""
    X = np.random.default_rng(0).standard_normal((n_samples, 2))
    return X, np.arange(n_samples) % 2


SMALL, LARGE = data(60), data(400)


def search_of(kind, log=os.devnull, seconds=0.0, asks_for=None, **arguments):
    search, own = KINDS[kind]
    estimator = Logged(log=log, seconds=seconds, asks_for=asks_for)
    return search(estimator, GRID, cv=CV, refit=False, **{**own, **arguments})


def n_fits_of(search):
    """Fits of a search over ten splits."""
    return getattr(search, "n_fits_", 10 * len(search.cv_results_["params"]))


def assert_same(search, reference):
    assert list(search.cv_results_) == list(reference.cv_results_)
    for name, values in reference.cv_results_.items():
        if not name.endswith("_time"):
            np.testing.assert_array_equal(search.cv_results_[name], values)
    assert search.best_index_ == reference.best_index_


def assert_same_predictions(search, reference):
    """Of every candidate, and the values of samples that are made of them."""
    assert_same(search, reference)
    for i in range(len(reference.cv_results_["params"])):
        found, expected = (_predicted_by(one, i) for one in (search, reference))
        pd.testing.assert_frame_equal(found, expected, check_exact=True)
    found, expected = (one.comparison_.scores.samples.values for one in (search, reference))
    np.testing.assert_array_equal(found, expected)


def _predicted_by(search, i):
    try:
        return search.predictions(i)
    except ValueError as error:
        assert "its fits failed" in str(error)  # noqa: PT017
        return pd.DataFrame()
