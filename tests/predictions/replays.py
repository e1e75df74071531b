"""Estimators that replay given responses, so that scorers can score any data."""

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin


class Replays(BaseEstimator):
    """Return the responses of the rows whose numbers are the column X."""

    def __init__(self, responses=None, classes=None):
        self.responses = responses
        self.classes = classes
        if classes is not None:
            self.classes_ = classes

    def fit(self, X, y=None):
        return self

    def predict(self, X):
        return self.responses["predict"][np.asarray(X)[:, 0]]


class ReplayingRegressor(RegressorMixin, Replays):
    pass


class ReplayingClassifier(ClassifierMixin, Replays):
    def predict_proba(self, X):
        return self.responses["predict_proba"][np.asarray(X)[:, 0]]

    def decision_function(self, X):
        return self.responses["decision_function"][np.asarray(X)[:, 0]]


def classification(classes, n=40, seed=0, shares=None):
    """Truth and a classifier for it; probabilities have few digits, and so ties."""
    rng = np.random.default_rng(seed)
    classes = np.asarray(classes)
    k = len(classes)
    shares = np.arange(1, k + 1) / (k * (k + 1) / 2) if shares is None else shares
    codes = rng.choice(k, n, p=shares)
    codes[:k] = np.arange(k)  # each class occurs
    scores = rng.normal(size=(n, k)) + 0.8 * np.eye(k)[codes]
    proba = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    proba = np.round(proba, 1) + 0.01
    proba /= proba.sum(axis=1, keepdims=True)
    responses = {
        "predict": classes[proba.argmax(axis=1)],
        "predict_proba": proba,
        "decision_function": np.round(scores[:, 1] - scores[:, 0], 1) if k == 2 else scores,
    }
    return classes[codes], ReplayingClassifier(responses, classes)


def multilabel(n=40, k=3, seed=0):
    """Indicators of several labels, some samples without any, and a classifier for them."""
    rng = np.random.default_rng(seed)
    truth = (rng.random((n, k)) < [0.6, 0.3, 0.2]).astype(int)
    truth[:2] = [[0] * k, [1] * k]
    scores = rng.normal(size=(n, k)) + truth
    proba = np.round(1 / (1 + np.exp(-scores)), 1)
    responses = {
        "predict": (proba > 0.6).astype(int),
        "predict_proba": proba,
        "decision_function": np.round(scores, 1),
    }
    return truth, ReplayingClassifier(responses, [np.array([0, 1])] * k)


def regression(n=40, k=1, seed=0):
    """Positive numbers, so that deviances and logarithms are defined, some of them tied."""
    rng = np.random.default_rng(seed)
    truth = np.round(rng.gamma(2, 2, (n, k)), 1) + 0.1
    predicted = np.round(truth * np.exp(rng.normal(0, 0.4, (n, k))), 1) + 0.1
    if k == 1:
        truth, predicted = truth.ravel(), predicted.ravel()
    return truth, ReplayingRegressor({"predict": predicted})


def response_of(estimator, methods, n, pos_label=None):
    """Return the response that scikit-learn's scorers pass to the score function."""
    method = next(name for name in methods if hasattr(estimator, name))
    values = getattr(estimator, method)(np.arange(n)[:, None])
    classes = getattr(estimator, "classes_", None)
    if method == "predict" or classes is None or isinstance(classes, list) or len(classes) != 2:
        return values
    if method == "predict_proba":
        return values[:, -1 if pos_label is None else list(classes).index(pos_label)]
    return -values if pos_label is not None and pos_label == classes[0] else values
