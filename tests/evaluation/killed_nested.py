"""A nested cross-validation that is to be killed: run in a process of its own."""

import time
import zlib

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, RepeatedKFold

from sklearn_stats_compare import StatisticalGridSearchCV, nested_score
from sklearn_stats_compare.search import OuterLedger

rng = np.random.default_rng(0)
X = rng.standard_normal((80, 3))
y = (X[:, 0] + rng.standard_normal(80) > 0).astype(int)
CV = RepeatedKFold(n_splits=5, n_repeats=2, random_state=0)
GRID = {"C": [0.01, 0.1, 1.0, 10.0]}
SAVED, INNER = "saved", "inner"


class Slow(LogisticRegression):
    """Writes down every fit, and takes a while for it."""

    def __init__(self, *, C=1.0, log=None):
        super().__init__(C=C)
        self.log = log

    def fit(self, X, y, sample_weight=None):
        if self.log is not None:
            with open(self.log, "a") as log:
                log.write(f"{INNER} {self.C} {zlib.crc32(X.tobytes())}\n")
            time.sleep(0.02)
        return super().fit(X, y, sample_weight)


def procedures(log=None):
    return {
        "ours": StatisticalGridSearchCV(Slow(log=log), GRID, cv=3),
        "scikit-learn's": GridSearchCV(Slow(log=log), GRID, cv=3),
    }


def nested(log, ledger, n_jobs):
    """Run it, to be killed meanwhile; write down every outer fit that is in the file for good."""
    save = OuterLedger.save

    def save_and_say(self, *args):
        found = save(self, *args)
        with open(log, "a") as said:
            said.write(f"{SAVED}\n")
        return found

    OuterLedger.save = save_and_say
    return nested_score(procedures(log), X, y, cv=CV, ledger=ledger, n_jobs=n_jobs)
