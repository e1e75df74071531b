"""Grids that a race is replayed on: their values of samples are computed once."""

from dataclasses import dataclass

import numpy as np
from sklearn.datasets import (
    load_breast_cancer,
    load_diabetes,
    load_digits,
    load_wine,
    make_classification,
    make_friedman1,
    make_hastie_10_2,
)
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.model_selection import (
    KFold,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    StratifiedKFold,
)
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR
from sklearn.tree import DecisionTreeClassifier

STRATIFIED = RepeatedStratifiedKFold(n_splits=10, n_repeats=3, random_state=0)
PLAIN = RepeatedKFold(n_splits=10, n_repeats=3, random_state=0)
FIVE = StratifiedKFold(5, shuffle=True, random_state=0)
TEN = StratifiedKFold(10, shuffle=True, random_state=0)
FIVE_PLAIN = KFold(5, shuffle=True, random_state=0)


@dataclass
class Goals:
    """Largest share of the fits, of orders whose winner is dropped, and of fits with tolerance."""

    fits: float
    with_tolerance: float = 1.0
    lost: float = 0.01


def grids():
    """Name → (model, grid, data, cv, scoring, bounds, goals)."""
    cancer = load_breast_cancer(return_X_y=True)
    digits = tuple(part[:500] for part in load_digits(return_X_y=True))
    large = make_classification(
        8000, 20, n_informative=8, n_redundant=4, flip_y=0.05, class_sep=0.8, random_state=0
    )
    svc = {"svc__C": np.logspace(-2, 3, 12), "svc__gamma": np.logspace(-5, 1, 12)}
    svr = {"svr__C": np.logspace(-1, 4, 12), "svr__gamma": np.logspace(-5, 1, 12)}
    tree = {
        "max_depth": [1, 2, 3, 4, 5, 6, 8, None],
        "min_samples_leaf": [1, 2, 3, 5, 8, 12, 20],
        "criterion": ["gini", "entropy"],
        "max_features": [None, "sqrt"],
    }
    boosting = {
        "learning_rate": [0.01, 0.03, 0.1, 0.3, 1.0],
        "max_leaf_nodes": [3, 7, 15, 31],
        "min_samples_leaf": [5, 20, 80],
    }
    neighbours = {
        "kneighborsclassifier__n_neighbors": [1, 2, 3, 5, 9, 15, 25, 40],
        "kneighborsclassifier__weights": ["uniform", "distance"],
    }
    trees = DecisionTreeClassifier(random_state=0)
    boosted = HistGradientBoostingClassifier(max_iter=60, random_state=0)
    squared = HistGradientBoostingRegressor(max_iter=60, random_state=0)
    accuracy, error = ("accuracy", (0, 1)), ("neg_mean_squared_error", None)
    return {
        "SVC, breast cancer": (_scaled(SVC()), svc, cancer, STRATIFIED, *accuracy, Goals(0.28)),
        "SVC, 500 digits": (_scaled(SVC()), svc, digits, STRATIFIED, *accuracy, Goals(0.28)),
        "trees, breast cancer": (trees, tree, cancer, STRATIFIED, *accuracy, Goals(0.60, 0.38)),
        "SVR, diabetes": (
            _scaled(SVR()), svr, load_diabetes(return_X_y=True), PLAIN, *error, Goals(0.45),
        ),
        "trees, 8,000 samples": (trees, tree, large, FIVE, *accuracy, Goals(0.50, 0.50)),
        "boosting, 10,000 samples": (
            boosted, boosting, make_hastie_10_2(10_000, random_state=1), FIVE, *accuracy,
            Goals(0.50, 0.50),
        ),
        "boosting, squared error, 8,000": (
            squared, boosting, make_friedman1(8000, noise=1.0, random_state=0), FIVE_PLAIN, *error,
            Goals(0.50),
        ),
        # A class without neighbours has the largest loss: rare, and it decides.
        "k-NN, wine, log loss": (
            _scaled(KNeighborsClassifier()), neighbours, load_wine(return_X_y=True), TEN,
            "neg_log_loss", None, Goals(1.0, lost=0.05),
        ),
    }  # fmt: skip


def _scaled(model):
    return make_pipeline(StandardScaler(), model)


@dataclass
class Replay:
    """All values of a grid.

    Attributes
    ----------
    table : ndarray, shape (n_candidates, n_splits)
        Scores.
    values : callable
        ``values(candidate, split)`` returns those of the test samples.
    tests : list of ndarray
        Test samples of each split.
    """

    table: np.ndarray
    values: object
    tests: list
    bounds: tuple | None = None

    @property
    def overlap_ratio(self):
        """n_test/n_train of the first split, as the corrected t-test uses it."""
        n_samples = np.unique(np.concatenate(self.tests)).size
        return self.tests[0].size / (n_samples - self.tests[0].size)


def replay_of(search, scoring, bounds):
    """The values of a fitted search that kept them."""
    n_splits = search.n_splits_
    table = np.column_stack([search.cv_results_[f"split{k}_test_score"] for k in range(n_splits)])
    responses = search._record.evaluated.ledger.responses

    def values(candidate, split):
        return responses.cells[candidate, split]["values of score"].array

    return Replay(table, values, responses.tests, bounds)
