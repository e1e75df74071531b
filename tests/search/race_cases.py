"""What the tests of races share: estimators that fail, and what is equal in two races."""

import numpy as np
import pandas as pd
from counted import assert_same_results
from sklearn.base import BaseEstimator, ClassifierMixin


class Fails(ClassifierMixin, BaseEstimator):
    """Fails where the training set contains a sample, by its first feature, or on all of them.

    It predicts by whether column `at` is above its training mean (or 0) by more than `shift`.
    """

    def __init__(self, on=None, shift=0.0, *, at=1, from_mean=False):
        self.on, self.shift, self.at, self.from_mean = on, shift, at, from_mean

    def fit(self, X, y):
        if self.on == "all" or (self.on is not None and (X[:, 0] == self.on).any()):
            raise ValueError("cannot learn")
        self.classes_ = np.unique(y)
        self.above_ = self.shift + (X[:, self.at].mean() if self.from_mean else 0)
        return self

    def predict(self, X):
        return (X[:, self.at] > self.above_).astype(int)


def dropped(search):
    return ~np.isnan(search.cv_results_["eliminated_at"])


def assert_same_race(one, other):
    assert_same_results(one, other)
    pd.testing.assert_frame_equal(one.race_history_, other.race_history_)
    np.testing.assert_array_equal(one.race_order_, other.race_order_)
