"""Predictions are kept wherever a search can be fitted: other backends, searches, targets, frames.

What is expected is scikit-learn's own, by `cross_val_predict` on the same splits in one process.
"""

from itertools import product

import joblib
import numpy as np
import pandas as pd
import pytest
from race_cases import Fails
from sklearn import model_selection as ms
from sklearn.base import clone
from sklearn.datasets import load_iris, make_moons, make_multilabel_classification, make_regression
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import f1_score, log_loss
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import sklearn_stats_compare as ssc

X, y = make_moons(120, noise=0.35, random_state=0)
IRIS, SPECIES = load_iris(return_X_y=True)
MODEL = make_pipeline(StandardScaler(), LogisticRegression())
GRID = {"logisticregression__C": [0.01, 1.0, 100.0]}
CV = ms.RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
PREDICTED = {}
SEARCHES = {
    "grid": (ssc.StatisticalGridSearchCV, {}),
    "randomized": (ssc.StatisticalRandomizedSearchCV, {"n_iter": 3, "random_state": 0}),
    "race": (ssc.RacingGridSearchCV, {"random_state": 0}),
    "randomized race": (ssc.RacingRandomizedSearchCV, {"n_iter": 3, "random_state": 0}),
}


def search_of(kind="grid", model=MODEL, grid=GRID, *, cv=CV, **arguments):
    search, own = SEARCHES[kind]
    return search(model, grid, cv=cv, return_predictions=True, **own, **arguments)


def by_scikit_learn(model, X, y, cv, method="predict"):
    """One array per repeat of five folds; computed once for all tests."""
    key = joblib.hash((model, X, y, cv, method))
    if key not in PREDICTED:
        splits = list(cv.split(X, y))
        PREDICTED[key] = [
            ms.cross_val_predict(model, X, y, cv=splits[at : at + 5], method=method)
            for at in range(0, len(splits), 5)
        ]
    return PREDICTED[key]


def assert_scikit_learns(search, X, y, cv=CV, method="predict"):
    """Of every candidate and repeat, where it was evaluated at all (a race drops some)."""
    n_compared = 0
    for i, params in enumerate(search.cv_results_["params"]):
        model = clone(search.estimator).set_params(**params)
        for repeat, there in enumerate(by_scikit_learn(model, X, y, cv, method)):
            here = search.predictions(i, repeat=repeat, method=method)
            tested = here.notna().all(axis=1).to_numpy()
            found = here.to_numpy()[tested]
            np.testing.assert_array_equal(found if there.ndim > 1 else found[:, 0], there[tested])
            n_compared += int(tested.sum())
    return n_compared


QUICK = {("grid", "loky"), ("randomized", "threading"), ("race", "threading")}
QUICK |= {("randomized race", "loky")}


@pytest.mark.parametrize(
    ("kind", "backend"),
    [
        pytest.param(*which, marks=() if which in QUICK else pytest.mark.slow)
        for which in product(SEARCHES, ["threading", "loky"])
    ],
)
def test_every_search_with_two_jobs(kind, backend):
    search = search_of(kind, n_jobs=2, scoring="neg_log_loss")
    with joblib.parallel_config(backend=backend):
        search.fit(X, y)
    n_compared = assert_scikit_learns(search, X, y, method="predict_proba")
    evaluated = search.cv_results_.get("n_splits_evaluated", np.full(3, 10))
    assert n_compared == 24 * evaluated.sum()


def with_probabilities(estimator, X, y):
    return -log_loss(y, estimator.predict_proba(X))


def with_a_dict(estimator, X, y):
    return {"loss": with_probabilities(estimator, X, y), "f1": f1_score(y, estimator.predict(X))}


@pytest.mark.parametrize(
    ("scoring", "methods", "n_jobs"),
    [
        pytest.param(with_probabilities, ["predict_proba"], 1, marks=pytest.mark.slow),
        (with_a_dict, ["predict", "predict_proba"], 2),
        (["roc_auc", "neg_log_loss"], ["decision_function", "predict_proba"], 1),
    ],
    ids=["one number", "a dict", "several metrics"],
)
def test_scorers_with_responses_of_several_kinds(scoring, methods, n_jobs):
    arguments = {"scoring": scoring, "refit": False, "n_jobs": n_jobs, "return_train_score": True}
    search = search_of(**arguments).fit(X, y)
    for method in methods:
        assert assert_scikit_learns(search, X, y, method=method) == 3 * 2 * 120
    plain = ms.GridSearchCV(MODEL, GRID, cv=CV, **arguments).fit(X, y)
    assert list(search.cv_results_) == list(plain.cv_results_)
    for name, column in plain.cv_results_.items():
        if "score" in name and "time" not in name:
            np.testing.assert_array_equal(search.cv_results_[name], column)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning", "ignore:One or more")
@pytest.mark.parametrize(("n_jobs", "error_score"), [(1, np.nan), (2, 0.0)])
def test_fits_that_fail_leave_gaps_and_the_others_their_predictions(n_jobs, error_score):
    # The second fails where it trains on the last sample, which the last fold alone tests.
    grid, cv = {"on": [None, X[-1, 0], "all"]}, ms.KFold(5)
    search = search_of(
        model=Fails(at=0, from_mean=True), grid=grid, cv=cv, n_jobs=n_jobs, error_score=error_score
    ).fit(X, y)
    there = ms.cross_val_predict(Fails(at=0, from_mean=True), X, y, cv=cv)
    np.testing.assert_array_equal(search.predictions(0)["predict"], there)
    edge = search.predictions(1)["predict"]
    assert np.flatnonzero(edge.notna()).tolist() == list(range(96, 120))
    np.testing.assert_array_equal(edge[96:], there[96:])
    with pytest.raises(ValueError, match="No predictions of candidate 2 were kept"):
        search.predictions(2)


def test_a_frame_whose_index_is_shuffled_numbers():
    order = np.random.default_rng(0).permutation(150)
    frame = pd.DataFrame(IRIS, index=order)  # label 3 is not row 3
    target = pd.Series(np.array(["setosa", "versicolor", "virginica"])[SPECIES], index=order)
    for method, scoring in (("predict", "accuracy"), ("predict_proba", "neg_log_loss")):
        search = search_of(n_jobs=2, scoring=scoring, cv=ms.StratifiedKFold(5)).fit(frame, target)
        found = search.predictions(1)
        assert found.index.tolist() == order.tolist()
        there = by_scikit_learn(
            clone(MODEL).set_params(logisticregression__C=1.0),
            frame, target, ms.StratifiedKFold(5), method,
        )[0]  # fmt: skip
        np.testing.assert_array_equal(found.to_numpy().reshape(there.shape), there)
        samples = search.compare(test="samples").scores.samples.values[1, 0]
        if scoring == "accuracy":
            np.testing.assert_array_equal(samples, (there == target.to_numpy()).astype(float))
    assert found.columns.tolist() == ["setosa", "versicolor", "virginica"]


@pytest.mark.parametrize(
    ("data", "model", "grid"),
    [
        (make_regression(100, 4, n_targets=3, noise=5.0, random_state=0), Ridge(),
         {"alpha": [0.1, 10.0]}),
        (make_multilabel_classification(100, random_state=0), KNeighborsClassifier(),
         {"n_neighbors": [3, 5]}),
    ],
    ids=["numbers", "labels"],
)  # fmt: skip
def test_several_targets_for_every_sample(data, model, grid):
    search = search_of(model=model, grid=grid, cv=ms.KFold(5), n_jobs=2).fit(*data)
    assert search.predictions(1).shape == data[1].shape
    assert assert_scikit_learns(search, *data, ms.KFold(5)) == 200
