"""A search that is to be killed: run in a process of its own by test_killed.py."""

import os
import time
import zlib

import numpy as np
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import RepeatedStratifiedKFold

import sklearn_stats_compare as ssc
from sklearn_stats_compare.search.ledger import _saving
from sklearn_stats_compare.search.ledger._file import LedgerFile

rng = np.random.default_rng(0)
X = rng.standard_normal((60, 2))
y = np.arange(60) % 2
CV = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
GRID = {"number": list(range(24))}
STARTED = "started"
SAVED = "saved"


class Logged(ClassifierMixin, BaseEstimator):
    """Writes down every fit, takes a while for it, and fails for some candidates."""

    def __init__(self, number=0, log=os.devnull):
        self.number = number
        self.log = log

    def fit(self, X, y):
        line = f"{self.number} {zlib.crc32(X.tobytes())}\n"
        with open(self.log, "a") as log:
            log.write(line)
        time.sleep(0.002)
        if self.number == 5 or (self.number == 7 and X[0, 0] > 0):
            raise ValueError(f"number {self.number} fails")
        self.classes_ = np.unique(y)
        self.shift_ = X[:, 0].mean() + self.number / 24
        return self

    def predict_proba(self, X):
        positive = expit(X[:, 0] - self.shift_ + 0.5)
        return np.column_stack([1 - positive, positive])


def search(kind, *, log=os.devnull, **arguments):
    """A search over them all, or a race; it keeps what candidates predict."""
    kinds = {"whole": ssc.StatisticalGridSearchCV, "race": ssc.RacingGridSearchCV}
    if kind == "race":
        arguments = {"random_state": 0, **arguments}
    # A fit that failed would be tried again at each start.
    kept = {"scoring": "neg_log_loss", "test": "samples", "return_predictions": True}
    arguments = {**kept, **arguments}
    if "ledger" in arguments:
        arguments["ledger"] = ssc.Ledger(arguments["ledger"], retry_failed=False)
    return kinds[kind](Logged(log=log), GRID, cv=CV, refit=False, **arguments)


def fit(kind, log, ledger, n_jobs):
    """Fit it, to be killed meanwhile; write down every block that is in the file for good."""
    os.setpgid(0, 0)  # a group of its own: its workers are killed with it

    def note(line):
        with open(log, "a") as file:
            file.write(f"{line}\n")

    save = LedgerFile.save

    def save_and_note(*arguments):
        safe = save(*arguments)
        note(SAVED)
        return safe

    LedgerFile.save = save_and_note
    # Every fit that is written down is one that was lacking.
    _saving.SPOT_CHECKS, _saving._SHARE = 0, 0
    note(STARTED)
    search(kind, log=log, ledger=ledger, n_jobs=n_jobs).fit(X, y)
