"""Drop-in means drop-in: whatever scikit-learn's searches take and give, ours take and give."""

from functools import partial

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from quick import Votes
from scipy import sparse
from scipy.stats import loguniform
from sklearn import model_selection as ms
from sklearn.base import clone
from sklearn.datasets import make_classification, make_regression
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import sklearn_stats_compare as ssc
from sklearn_stats_compare.stats import _race

X, y = make_classification(n_samples=90, n_features=6, random_state=0)
KERNELS = [{"kernel": ["linear"]}, {"C": [0.1, 1.0]}]
RATES = {"C": loguniform(1e-3, 1e3)}
# A race that drops nothing, of however few splits.
NO_DROPS = {"alpha": 1e-300, "random_state": 0}
MORE_RESULTS = {"n_splits_evaluated", "eliminated_at", "elimination_pvalue", "elimination"}


OurGridSearch, OurRandomizedSearch = ssc.StatisticalGridSearchCV, ssc.StatisticalRandomizedSearchCV


@pytest.fixture(params=["Statistical", "Racing"], autouse=True)
def kind(request, monkeypatch):
    """Each test is run with either kind of search as `OurGridSearch`."""
    if request.param == "Racing":
        races = {
            "OurGridSearch": partial(ssc.RacingGridSearchCV, **NO_DROPS),
            "OurRandomizedSearch": partial(ssc.RacingRandomizedSearchCV, **NO_DROPS),
        }
        monkeypatch.setattr(_race, "FEWEST_SPLITS", 1)
        monkeypatch.setattr(_race, "FEWEST_SPLITS_BY_SAMPLES", 1)
        for name, search in races.items():
            monkeypatch.setitem(globals(), name, search)
    return request.param


# What a race does with its data before it drops anything is what the other search does.
once = pytest.mark.parametrize(
    "kind", ["Statistical", pytest.param("Racing", marks=pytest.mark.slow)], indirect=True
)


def assert_same_search(ours, theirs):
    """Equal in everything but timings."""
    more = MORE_RESULTS if hasattr(ours, "race_history_") else set()
    assert set(ours.cv_results_) == set(theirs.cv_results_) | more
    for key, values in theirs.cv_results_.items():
        if "_time" not in key:
            np.testing.assert_array_equal(ours.cv_results_[key], values, err_msg=key)
    if hasattr(theirs, "scorer_"):
        assert type(ours.scorer_) is type(theirs.scorer_)
    public = {name for name in vars(theirs) if name.endswith("_") and not name.startswith("_")}
    assert public <= set(vars(ours))
    for name in ("best_index_", "best_score_", "best_params_", "n_splits_", "multimetric_"):
        assert hasattr(ours, name) == hasattr(theirs, name)
        if hasattr(theirs, name):
            np.testing.assert_equal(getattr(ours, name), getattr(theirs, name))


def both(estimator, grid, data=(X, y), fit_params=None, only_ours=None, **arguments):
    """Fit ours and scikit-learn's on the same input, and check that they agree."""
    searches = []
    for kind, more in ((OurGridSearch, only_ours or {}), (ms.GridSearchCV, {})):
        search = kind(estimator, grid, **arguments, **more)
        searches.append(search.fit(*data, **(fit_params or {})))
    assert_same_search(*searches)
    return searches


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"cv": 3, "scoring": "roc_auc", "return_train_score": True},
        {"cv": ms.TimeSeriesSplit(3)},
        {"cv": list(ms.StratifiedKFold(3).split(X, y))},
        {"scoring": ["accuracy", "roc_auc"], "refit": "roc_auc", "n_jobs": 2},
        {"scoring": {"a": "accuracy", "b": make_scorer(accuracy_score)}, "refit": False},
        {"scoring": lambda estimator, X, y: estimator.score(X, y)},
        {"scoring": lambda estimator, X, y: {"one": 1.0, "two": estimator.score(X, y)},
         "refit": "two"},
        {"refit": False},
        {"refit": lambda results: 2},
    ],
)  # fmt: skip
def test_results_are_grid_searchs(arguments, kind):
    if kind == "Racing" and callable(arguments.get("refit")):
        pytest.skip("a race refuses callables, which might choose what was dropped")
    if arguments:
        arguments = {"cv": 3, **arguments}
    only_ours = {}
    if kind == "Racing" and isinstance(arguments.get("scoring"), dict):
        only_ours["race_metric"] = "b"  # a race must be told which of several metrics decides
    ours, theirs = both(SVC(random_state=0), KERNELS, only_ours=only_ours, **arguments)
    if kind == "Racing":
        assert ours.n_fits_ == ours.n_fits_full_ == 3 * ours.n_splits_
    if theirs.refit:
        np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    if ours.refit and not callable(ours.refit):
        assert ours.score(X, y) == theirs.score(X, y)


def test_results_are_randomized_searchs():
    model, arguments = LogisticRegression(max_iter=500), {"n_iter": 4, "cv": 10}
    seed = partial(np.random.RandomState, 3)  # a state of its own for each
    ours, theirs = (
        search(model, RATES, random_state=seed(), scoring="neg_log_loss", **arguments).fit(X, y)
        for search in (OurRandomizedSearch, ms.RandomizedSearchCV)
    )
    assert_same_search(ours, theirs)
    np.testing.assert_array_equal(ours.predict_proba(X), theirs.predict_proba(X))
    assert len(ours.pairwise_frequentist_) == 6


def test_an_unseeded_shuffle_is_recorded_as_it_was_used():
    split_calls = []

    class Counting(ms.ShuffleSplit):
        def split(self, *args, **kwargs):
            split_calls.append(1)
            self.test_size = 0.1 * len(split_calls)  # the next call would give other sizes
            return super().split(*args, **kwargs)

    search = OurGridSearch(SVC(), {"C": [1, 2]}, cv=Counting(12)).fit(X, y)
    assert search.n_test_.tolist() == [9] * 12
    assert search.pairwise_frequentist_ is not None
    assert len(split_calls) == 1


def test_a_one_shot_generator_is_read_once():
    generator = ms.KFold(10).split(X, y)
    search = OurGridSearch(SVC(), {"C": [1, 2]}, cv=generator, n_jobs=2).fit(X, y)
    reference = ms.GridSearchCV(SVC(), {"C": [1, 2]}, cv=ms.KFold(10)).fit(X, y)
    assert_same_search(search, reference)
    assert search.test_train_ratio_ == 1 / 9
    assert search.cv is generator
    with pytest.raises(
        ValueError, match=r"No fits were performed|expected at least 1|inconsistent"
    ):
        search.fit(X, y)  # read to its end, as in scikit-learn


def test_metadata_routing_reaches_splitter_estimator_and_scorer(kind):
    groups, weights = np.repeat(np.arange(3), 30), np.linspace(0.1, 1, 90)
    with sklearn.config_context(enable_metadata_routing=True):
        estimator = LogisticRegression().set_fit_request(sample_weight=True)
        scorer = make_scorer(accuracy_score).set_score_request(sample_weight=True)
        given = {"groups": groups, "sample_weight": weights}
        grid, cv = {"C": [0.01, 1.0]}, ms.GroupKFold(3)
        ours, _ = both(estimator, grid, cv=cv, scoring=scorer, fit_params=given)
        assert ours.n_test_.tolist() == [30, 30, 30]
        assert ours.get_metadata_routing() is not None
        with pytest.raises(TypeError, match=rf"{kind}GridSearchCV\.fit got unexpected"):
            OurGridSearch(LogisticRegression(), {"C": [1.0]}).fit(X, y, foo=1)


@pytest.mark.filterwarnings("ignore:The scoring .* does not support sample_weight:UserWarning")
def test_sample_weight_without_routing():
    weights = np.linspace(0.1, 1, 90)
    both(LogisticRegression(), {"C": [0.01, 1.0]}, fit_params={"sample_weight": weights})


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning")
@pytest.mark.filterwarnings("ignore:One or more of the test scores:UserWarning")
def test_failed_fits_are_missing_and_a_numeric_error_score_is_a_score(kind):
    if kind == "Racing":
        pytest.skip("a race drops what fails; see test_racing.py")
    grid = {"gamma": [0.1, -1, 1, 10]}
    ours, _ = both(Votes(), grid, cv=10)
    table = ours.pairwise_frequentist_
    assert (table["verdict"] == "missing").sum() == 3
    assert ours.comparison_.against()["model_2"].tolist()[-1] == "-1"
    zero, _ = both(Votes(), grid, cv=10, error_score=0)
    assert "missing" not in zero.pairwise_frequentist_["verdict"].tolist()
    assert zero.comparison_.ranking().loc[1, "mean"] == 0
    with pytest.raises(ValueError, match="gamma must not be negative"):
        OurGridSearch(Votes(), grid, error_score="raise").fit(X, y)


@once
@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, sparse.csr_matrix, list])
def test_kinds_of_input(frame):
    if frame in (pd.DataFrame, pl.DataFrame):
        data = frame({f"x{k}": X[:, k] for k in range(X.shape[1])})
    else:
        data = frame(X)
    ours, theirs = both(SVC(), {"C": [1, 2]}, data=(data, y), cv=3)
    assert ours.n_train_.tolist() == [60] * 3
    if hasattr(theirs, "feature_names_in_"):
        assert ours.feature_names_in_.tolist() == theirs.feature_names_in_.tolist()


def test_regression_with_errors_as_scores():
    data = make_regression(n_samples=80, n_features=5, noise=10, random_state=0)
    ours, _ = both(
        Ridge(), {"alpha": [0.1, 1.0, 100.0]}, data=data, cv=10, scoring="neg_mean_squared_error"
    )
    # Higher is better although all scores are negative.
    assert ours.comparison_.ranking().index[0] == ours.best_index_
    assert (ours.pairwise_frequentist_["mean_diff"] >= 0).all()
    assert "score: neg_mean_squared_error" in repr(ours.comparison_)
    assert "% of the leader's |mean|" in repr(ours.comparison_)


def test_threads_and_verbose(capsys):
    with joblib.parallel_config(backend="threading", n_jobs=2):
        both(SVC(), KERNELS, verbose=1)
    assert capsys.readouterr().out.count("Fitting 5 folds for each of 3 candidates") == 2


def test_clone_and_parameters(kind):
    search = OurGridSearch(SVC(), KERNELS, alpha=0.1, rope=(-0.01, 0.02)).fit(X, y)
    copy = clone(search)
    assert copy.get_params()["rope"] == (-0.01, 0.02)
    assert not hasattr(copy, "cv_results_")
    copy.set_params(p_adjust="holm", estimator__C=3)
    assert (copy.p_adjust, copy.estimator.C) == ("holm", 3)
    parameters = {
        "alternative", "p_adjust", "rope", "alpha", "max_time",
        "ledger", "return_predictions", "test",
    }  # fmt: skip
    if kind == "Racing":
        parameters |= {"strategy", "race_metric", "random_state"}
        parameters |= {"interim", "tolerance", "eliminate"}
    assert (
        set(search.get_params(deep=False))
        == set(ms.GridSearchCV(SVC(), KERNELS).get_params(deep=False)) | parameters
    )


@once
def test_inside_a_pipeline_and_inside_cross_validation():
    search = OurGridSearch(SVC(), {"C": [0.1, 1.0]}, cv=10)
    pipeline = make_pipeline(StandardScaler(), search).fit(X, y)
    assert len(pipeline[-1].pairwise_bayesian_) == 1
    name = pipeline.steps[-1][0]
    inside = clone(pipeline).set_params(**{f"{name}__cv": 2, f"{name}__param_grid": {"C": [0.1]}})
    around = OurGridSearch(inside, {"standardscaler__with_mean": [True, False]}, cv=10)
    assert len(around.fit(X, y).pairwise_bayesian_) == 1
    reference = ms.GridSearchCV(SVC(), {"C": [0.1, 1.0]}, cv=10)
    np.testing.assert_array_equal(
        ms.cross_val_score(search, X, y, cv=2), ms.cross_val_score(reference, X, y, cv=2)
    )
