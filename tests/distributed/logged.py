"""An estimator that writes down who fitted it; a module of its own, for workers to import."""

import os
import time
import zlib
from pathlib import Path

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin


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
