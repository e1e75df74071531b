"""Odd uses of GridSearchCV: ours does the same in every mode, whether it works or is refused."""

import functools
import warnings

import numpy as np
import pandas as pd
import pytest
from quick import Votes
from scipy import sparse
from sklearn import model_selection as ms
from sklearn.base import BaseEstimator
from sklearn.cluster import KMeans
from sklearn.datasets import make_moons
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from sklearn_stats_compare import StatisticalGridSearchCV

X, y = make_moons(noise=0.35, random_state=1, n_samples=60)
TREE = DecisionTreeClassifier(random_state=0)
DEPTHS = {"max_depth": [1, 2, 3]}
FOLDS = ms.KFold(3)


class Miscounted(ms.KFold):
    def get_n_splits(self, X=None, y=None, groups=None):
        return super().get_n_splits(X, y, groups) + 1


class Any1(BaseEstimator):
    """Takes a parameter whose name is a number."""

    def get_params(self, deep=True):
        return {1: 1}

    def set_params(self, **params):
        return self

    def fit(self, X, y=None):
        return self

    def score(self, X, y=None):
        return 1.0


def raises(estimator, X, y):
    if estimator.max_depth == 2:
        raise ValueError("no score")
    return estimator.score(X, y)


def use(estimator=TREE, grid=DEPTHS, data=(X, y), fit=None, **options):
    """One use: the estimator, the grid, the data, arguments of ``fit`` and of the search."""
    return estimator, grid, data, fit or {}, {"cv": FOLDS, **options}


SCALED = Pipeline([("scale", StandardScaler()), ("model", SVC())])
MISSING = pd.DataFrame(X, columns=["a", "b"])
USES = {
    "a cv that announces another number of splits": use(cv=Miscounted(3)),
    "other metrics for some candidates": use(
        scoring=lambda tree, X, y: {"a": 1.0} if tree.max_depth == 3 else {"a": 1.0, "b": 1.0},
        refit="a",
    ),
    "fewer metrics for the first": use(
        scoring=lambda tree, X, y: {"a": 1.0} if tree.max_depth == 1 else {"a": 1.0, "b": 1.0},
        refit="a",
    ),
    "a parameter that is a number": use(Any1(), {1: [1]}),
    "a masked value": use(grid={"max_depth": np.ma.masked_array([1, 2, 3], mask=[0, 1, 0])}),
    "a class as estimator": use(DecisionTreeClassifier),
    "an instance among classes": use(SCALED, {"scale": [MinMaxScaler, MinMaxScaler()]}),
    "no fit": use(object()),
    "an unknown parameter": use(grid={"depth": [1]}),
    "an empty grid": use(grid={}),
    "an empty list of grids": use(grid=[]),
    "no values": use(grid={"max_depth": []}),
    "a text as values": use(grid={"criterion": "gini"}),
    "a number as values": use(grid={"max_depth": 3}),
    "two-dimensional values": use(grid={"max_depth": np.ones((2, 2))}),
    "candidates twice": use(grid={"max_depth": [2, 2]}),
    "a list of grids": use(grid=[DEPTHS, {"criterion": ["entropy"], "max_depth": [1]}]),
    "arrays as values": use(GaussianNB(), {"priors": [None, np.array([0.1, 0.9])]}),
    "None and bools": use(grid={"max_depth": [None, 1], "ccp_alpha": [False, 0.0]}),
    "steps of a pipeline": use(SCALED, {"scale": ["passthrough", MinMaxScaler()], "model__C": [1]}),
    "one split": use(cv=ms.ShuffleSplit(1, random_state=0)),
    "a generator of splits": use(cv=lambda: iter(list(FOLDS.split(X)))),
    "a list of splits": use(cv=list(FOLDS.split(X))),
    "masks as splits": use(
        cv=[(np.arange(60) < 30, np.arange(60) >= 30), (np.arange(60) >= 30, np.arange(60) < 30)]
    ),
    "indices that are none": use(cv=[(np.array([0.5]), np.array([1.5]))] * 2),
    "indices beyond the data": use(cv=[(np.arange(60), np.arange(60, 70))] * 2),
    "no splits": use(cv=[]),
    "one split twice": use(cv=[*FOLDS.split(X)] * 2),
    "cv=1": use(cv=1),
    "a text as cv": use(cv="three"),
    "a predefined split": use(cv=ms.PredefinedSplit(np.arange(60) % 3)),
    "groups": use(cv=ms.GroupKFold(3), fit={"groups": np.arange(60) // 5}),
    "groups that are missing": use(cv=ms.GroupKFold(3)),
    "sample weights": use(fit={"sample_weight": np.arange(60.0)}),
    "weights of another length": use(fit={"sample_weight": np.arange(7.0)}),
    "y of another length": use(data=(X, y[:7])),
    "an unknown argument of fit": use(fit={"colour": 1}),
    "lists": use(data=(X.tolist(), y.tolist())),
    "a frame": use(data=(pd.DataFrame(X), pd.Series(y))),
    "a sparse matrix": use(data=(sparse.csr_matrix(X), y)),
    "labels that are text": use(data=(X, np.array(["no", "yes"])[y])),
    "several outputs": use(data=(X, np.column_stack([y, 1 - y]))),
    "no y": use(KMeans(n_init=1, random_state=0), {"n_clusters": [2, 3]}, data=(X, None)),
    "a kernel matrix": use(SVC(kernel="precomputed"), {"C": [0.1, 1]}, data=(X @ X.T, y)),
    "a regression": use(Ridge(), {"alpha": [1, 10]}, data=(X, X[:, 0])),
    "some fits fail": use(Votes(), {"gamma": [0.1, -1]}),
    "some fits fail, with a number": use(Votes(), {"gamma": [0.1, -1]}, error_score=-1),
    "the first fits fail": use(Votes(), {"gamma": [-1, 0.1]}),
    "all fits fail": use(Votes(), {"gamma": [-1, -2]}),
    "a failure is raised": use(Votes(), {"gamma": [0.1, -1]}, error_score="raise"),
    "a bad error_score": use(error_score="loud"),
    "a scorer that raises": use(scoring=raises),
    "a scorer of text": use(scoring=lambda tree, X, y: "good"),
    "infinite scores": use(scoring=lambda tree, X, y: np.inf if tree.max_depth == 2 else 0.5),
    "whole numbers as scores": use(scoring=lambda tree, X, y: int(10 * tree.score(X, y))),
    "no scores": use(scoring=lambda tree, X, y: {}),
    "an unknown scorer": use(scoring="speed"),
    "several scorers": use(scoring=["accuracy", "roc_auc"], refit="roc_auc"),
    "several scorers, refit=True": use(scoring=["accuracy", "roc_auc"]),
    "several scorers, no refit": use(scoring=["accuracy", "roc_auc"], refit=False),
    "scorers by name": use(scoring={"mine": make_scorer(accuracy_score)}, refit="mine"),
    "an empty list of scorers": use(scoring=[]),
    "a callable refit": use(refit=lambda results: int(np.argmin(results["mean_test_score"]))),
    "a refit out of range": use(refit=lambda results: 99),
    "a refit that is no index": use(refit=lambda results: "best"),
    "train scores": use(return_train_score=True),
    "train scores of several": use(
        return_train_score=True, scoring=["accuracy", "roc_auc"], refit="accuracy"
    ),
    "all dispatched": use(pre_dispatch="all"),
    "one dispatched": use(pre_dispatch=1),
    "n_jobs=0": use(n_jobs=0),
    "a classifier that draws": use(DummyClassifier(), {"strategy": ["uniform", "stratified"]}),
    "an unseeded tree": use(DecisionTreeClassifier(max_features=1), DEPTHS),
    "a seed that is an instance": use(
        grid={"random_state": [np.random.RandomState(0), 1], "max_features": [1]}
    ),
    "an unseeded splitter": use(cv=ms.KFold(3, shuffle=True)),
    "a splitter with an instance": use(
        cv=lambda: ms.KFold(3, shuffle=True, random_state=np.random.RandomState(0))
    ),
    "classes that a fold lacks": use(LogisticRegression(), {"C": [1]}, data=(X, np.sort(y))),
    "rare classes": use(cv=ms.StratifiedKFold(3), data=(X, np.r_[np.zeros(58), 1, 2])),
    "one class": use(DummyClassifier(), {"strategy": ["prior"]}, data=(X, np.zeros(60))),
    "NaN in X": use(KNeighborsClassifier(), {"n_neighbors": [1]}, data=(X * np.nan, y)),
    "no samples": use(data=(X[:0], y[:0])),
    "one sample": use(data=(X[:1], y[:1])),
}  # fmt: skip

# The order of the fits, split by split, decides which fit draws what.
OTHER_ORDER = {"a classifier that draws", "an unseeded tree"}

MODES = {
    "plain": {},
    "verbose": {"verbose": 1},
    "ledger": {"ledger": "search.sqlite"},
    "time": {"max_time": 1e6},
    "predictions": {"return_predictions": True},
}


def outcome(kind, use, **mode):
    """What a search ends in: the class and words of its error, or its results without times."""
    estimator, grid, (X, y), fit, options = use
    # A splitter that can be used up, or changes as it is used, is made anew.
    cv = options["cv"]() if callable(options["cv"]) else options["cv"]
    np.random.seed(0)  # noqa: NPY002  # what unseeded estimators draw from
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            search = kind(estimator, grid, **{**options, "cv": cv, **mode}).fit(X, y, **fit)
        except Exception as error:
            return type(error), str(error)
    return {
        # Of parameters their text: arrays among them have no single truth value.
        name: repr(list(column)) if name.startswith("param") else column
        for name, column in search.cv_results_.items()
        if "time" not in name
    } | {"best_index_": getattr(search, "best_index_", None), "n_splits_": search.n_splits_}


@functools.cache
def expected(name):
    return outcome(ms.GridSearchCV, USES[name])


# By default each use in one mode, the modes in turn; all others at night.
CASES = [
    pytest.param(name, mode, marks=[pytest.mark.slow] if (i + j) % len(MODES) else [])
    for i, name in enumerate(USES)
    for j, mode in enumerate(MODES)
]


@pytest.mark.parametrize(("name", "mode"), CASES)
def test_every_mode_does_what_grid_search_does(name, mode, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    theirs, ours = expected(name), outcome(StatisticalGridSearchCV, USES[name], **MODES[mode])
    if mode == "time" and name in OTHER_ORDER:
        assert list(ours) == list(theirs)
        return
    if isinstance(theirs, tuple):
        assert isinstance(ours, tuple), f"accepted, where GridSearchCV raises {theirs}"
        # scikit-learn's KeyError has only the name of the metric that a candidate lacks.
        assert ours[0] is (ValueError if theirs[0] is KeyError else theirs[0]), ours
        return
    assert not isinstance(ours, tuple), f"refused, where GridSearchCV works: {ours}"
    assert list(ours) == list(theirs)
    for key, column in theirs.items():
        np.testing.assert_array_equal(ours[key], column, err_msg=key)
