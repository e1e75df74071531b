"""Evaluations that are to be killed: run in processes of their own."""

import os
import time
import zlib

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, RepeatedKFold, ShuffleSplit

from sklearn_stats_compare import StatisticalGridSearchCV, cross_validate_models, nested_score
from sklearn_stats_compare.search._outer_ledger import OuterLedger

INNER, SAVED = "inner", "saved"


def data_set(seed, n):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 3))
    return X, (X[:, 0] + rng.standard_normal(n) > 0).astype(int)


X, y = data_set(0, 80)
DATA = {"a/b": data_set(0, 60), "a_b": data_set(1, 80), "A_b": data_set(2, 100)}
# Unseeded: a run that goes on must use the splits of the first.
UNSEEDED = ShuffleSplit(4, test_size=0.25)


class Slow(LogisticRegression):
    """Writes down every fit, and takes a while for it."""

    def __init__(self, *, C=1.0, log=None):
        super().__init__(C=C)
        self.log = log

    def fit(self, X, y, sample_weight=None):
        if self.log is not None:
            with open(self.log, "a") as log:
                log.write(f"{INNER} {self.C} {zlib.crc32(np.ascontiguousarray(X).tobytes())}\n")
            time.sleep(0.01)
        return super().fit(X, y, sample_weight)


def nested(log, n_repeats, **options):
    """Two procedures, of 13 fits in each outer one."""
    grid = {"C": [0.01, 0.1, 1.0, 10.0]}
    procedures = {
        "ours": StatisticalGridSearchCV(Slow(log=log), grid, cv=3),
        "scikit-learn's": GridSearchCV(Slow(log=log), grid, cv=3),
    }
    cv = RepeatedKFold(n_splits=5, n_repeats=n_repeats, random_state=0)
    return nested_score(procedures, X, y, cv=cv, **options)


def over_data_sets(log, **options):
    """Three data sets of 4 splits: two models, and a search of 6 inner fits and a refit."""
    search = StatisticalGridSearchCV(Slow(log=log), {"C": [0.1, 10.0]}, cv=3, error_score="raise")
    models = {"lr": Slow(log=log), "weak": Slow(C=1e-3, log=log), "tuned": search}
    return cross_validate_models(models, DATA, cv=UNSEEDED, **options)


def to_be_killed(evaluation, log, *args, **options):
    """Run it; write down every outer fit that is in the file for good."""
    os.setpgrp()  # so that workers are killed too
    save = OuterLedger.save

    def save_and_say(self, *args):
        found = save(self, *args)
        with open(log, "a") as said:
            said.write(f"{SAVED}\n")
        return found

    OuterLedger.save = save_and_say
    evaluation(log, *args, **options)
