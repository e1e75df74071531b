"""A classifier that is fitted in a tenth of the time that scikit-learn's take."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin


class Votes(ClassifierMixin, BaseEstimator):
    """All training samples vote, with weights exp(−gamma · distance ^ power).

    With a tiny `gamma` all have the same weight, and with a large one none has any: both are
    hopeless.
    """

    def __init__(self, gamma=0.05, power=2):
        self.gamma, self.power = gamma, power

    def fit(self, X, y):
        if self.gamma < 0:
            raise ValueError("gamma must not be negative")
        self.X_ = np.asarray(X, dtype=float)
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.votes_ = np.eye(len(self.classes_))[codes]
        return self

    def _counts(self, X):
        X = np.asarray(X, dtype=float)
        squares = (X**2).sum(axis=1)[:, None] + (self.X_**2).sum(axis=1) - 2 * X @ self.X_.T
        weights = np.exp(-self.gamma * np.maximum(squares, 0) ** (self.power / 2))
        return weights @ self.votes_

    def decision_function(self, X):
        counts = self._counts(X)
        return counts[:, 1] - counts[:, 0] if len(self.classes_) == 2 else counts

    def predict(self, X):
        counts = self._counts(X)
        counts[:, 0] += 1e-6  # where no sample has any weight
        return self.classes_[counts.argmax(axis=1)]
