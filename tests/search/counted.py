"""Searches whose fits are counted, and what several test files compare searches by."""

import multiprocessing
import os
import signal
from collections import Counter
from contextlib import suppress
from typing import ClassVar

import numpy as np
import pandas as pd
from quick import Votes
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_moons
from sklearn.model_selection import RepeatedStratifiedKFold

import sklearn_stats_compare as ssc

# `os.kill` on Windows, which has no SIGKILL, ends a process at once for any signal.
KILL = getattr(signal, "SIGKILL", signal.SIGTERM)
X, y = make_moons(n_samples=60, noise=0.35, random_state=1)
CV = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)


class Counted(ClassifierMixin, BaseEstimator):
    """Remembers each fit, and does what it is told for some parameters."""

    fits: ClassVar[Counter] = Counter()

    def __init__(self, number=0, does="learn"):
        self.number = number
        self.does = does

    def fit(self, X, y):
        type(self).fits[self.number] += 1
        if self.does == "fail" or (self.does == "fail on some" and X[0, 0] > 0.5):
            raise ValueError("cannot learn")
        if self.does == "interrupt":
            raise KeyboardInterrupt
        if self.does == "die" and multiprocessing.current_process().name != "MainProcess":
            os.kill(os.getpid(), KILL)
        if str(self.does).startswith("die once"):
            # Of fits at the same time, the one that makes the file.
            with suppress(FileExistsError), open(self.does.split(": ")[1], "x"):
                os.kill(os.getpid(), KILL)
        self.classes_ = np.unique(y)
        self.at_ = X[:, 0].mean() + self.number / 10
        return self

    def predict(self, X):
        return (X[:, 0] > self.at_).astype(int)

    def score(self, X, y):
        """Accuracy without scikit-learn's checks, which take twice as long as the rest."""
        return float(np.mean(self.predict(X) == y))


class Stops(Votes):
    """Is interrupted, as by Ctrl-C, when as many fits are made as `n_left` says."""

    n_left = 10**9

    def fit(self, X, y):
        Stops.n_left -= 1
        if Stops.n_left < 0:
            raise KeyboardInterrupt
        return super().fit(X, y)


def counted(path=None, numbers=4, cv=CV, **arguments):
    grid = {"number": range(numbers)} if isinstance(numbers, int) else numbers
    arguments = {"refit": False, **arguments}
    return ssc.StatisticalGridSearchCV(Counted(), grid, cv=cv, ledger=path, **arguments)


def assert_same_results(one, other):
    """To the last bit, and in the same order, but for times."""
    assert list(one.cv_results_) == list(other.cv_results_)
    for name, values in one.cv_results_.items():
        if not name.endswith("_time"):
            np.testing.assert_array_equal(values, other.cv_results_[name], err_msg=name)


def assert_same_search(one, other):
    """Results, splits and their design."""
    assert_same_results(one, other)
    assert one.n_splits_ == other.n_splits_
    for name in ("n_train_", "n_test_", "test_train_ratio_"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    one, other = (search.comparison_.scores.design for search in (one, other))
    for name in ("repeat", "complementary_halves", "n_samples", "overlap_ratio"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def assert_same_tables(one, other):
    for name in ("pairwise_frequentist_", "pairwise_bayesian_"):
        pd.testing.assert_frame_equal(getattr(one, name), getattr(other, name), check_exact=True)
