"""By what metric a search is compared: its own, also without `scoring`, or one of several."""

import io
import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.cluster import KMeans
from sklearn.datasets import make_classification
from sklearn.feature_selection import RFE
from sklearn.linear_model import LogisticRegressionCV, Ridge, RidgeCV
from sklearn.metrics import (
    accuracy_score,
    f1_score,
    fbeta_score,
    hamming_loss,
    make_scorer,
    matthews_corrcoef,
    mean_squared_error,
    precision_score,
    roc_auc_score,
)
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from sklearn_stats_compare import (
    Simplest,
    StatisticalGridSearchCV,
    compare,
    compare_datasets,
    cross_validate_models,
)
from sklearn_stats_compare.comparison.readers._sizes import own_metric_name
from sklearn_stats_compare.reports import report
from sklearn_stats_compare.stats._score_range import UNBOUNDED, metric_range

X, y = make_classification(n_samples=90, n_features=6, random_state=0)
GRID = {"max_depth": [1, 2, 3]}
TREE = DecisionTreeClassifier(random_state=0)
BOTH = ["accuracy", "roc_auc"]


class Balanced(ClassifierMixin, BaseEstimator):
    """A classifier whose `score` is its own."""

    def fit(self, X, y):
        return self

    def score(self, X, y):
        return 0.5


class Plain:
    """No estimator of scikit-learn's."""


@pytest.mark.parametrize(
    ("model", "name"),
    [
        (SVC(), "accuracy"),
        (SVR(), "r2"),
        (make_pipeline(StandardScaler(), Ridge()), "r2"),
        (RFE(SVC()), "accuracy"),
        (RidgeCV(scoring="neg_mean_squared_error"), "r2"),  # it chooses its penalty by that
        (LogisticRegressionCV(scoring="roc_auc"), "roc_auc"),
        (GridSearchCV(make_pipeline(SVC()), {}), "accuracy"),
        (GridSearchCV(SVC(), {}, scoring="roc_auc"), "roc_auc"),
        # Nobody knows what these measure, and no name is claimed for it.
        (KMeans(), "KMeans.score"),
        (Balanced(), "Balanced.score"),
        (make_pipeline(Balanced()), "Balanced.score"),
        (make_pipeline("passthrough"), "Pipeline.score"),
        (Plain(), "Plain.score"),
    ],
)
def test_the_name_of_a_score_is_that_of_the_method_that_computes_it(model, name):
    assert own_metric_name(model) == name


@pytest.mark.parametrize(
    ("model", "scoring", "metric"),
    [
        (TREE, None, "accuracy"),
        (DecisionTreeRegressor(random_state=0), None, "r2"),
        (TREE, "roc_auc", "roc_auc"),
    ],
)
def test_a_search_says_what_it_was_scored_by(model, scoring, metric):
    search = StatisticalGridSearchCV(model, GRID, cv=10, scoring=scoring).fit(X, y)
    plain = GridSearchCV(model, GRID, cv=10, scoring=scoring).fit(X, y)
    # The very scores of that name, so that the name is no claim.
    named = clone(plain).set_params(scoring=metric).fit(X, y)
    own = search.comparison_
    np.testing.assert_array_equal(own.scores.values, compare(named).scores.values)
    assert own.metric == metric
    assert f"score: {metric}" in repr(own)
    assert f"scored by {metric}" in report(own)
    for asked in (metric, "score", None):
        assert search.compare(metric=asked) is own
        for obj in (search, plain):
            found = compare(obj, metric=asked)
            assert found.metric == metric
            np.testing.assert_array_equal(found.scores.values, own.scores.values)
    known = f"`metric` must be one of '{metric}', 'score'"
    with pytest.raises(ValueError, match=f"{known}, or another, .*; got 'f1'"):
        search.compare(metric="f1")
    with pytest.raises(ValueError, match=f"{known}; got 'f1'"):
        compare(plain, metric="f1")


BY_RULE = Simplest("max_depth", metric="roc_auc", test_train_ratio=1 / 9)


@pytest.mark.parametrize(
    ("scoring", "refit", "metric", "name"),
    [
        (["roc_auc"], "roc_auc", None, "roc_auc"),
        ({"area": "roc_auc"}, "area", "area", "area"),
        (BOTH, "roc_auc", None, "roc_auc"),
        (BOTH, "roc_auc", "accuracy", "accuracy"),
        (BOTH, BY_RULE, None, "roc_auc"),
        (BOTH, False, "roc_auc", "roc_auc"),
    ],
)
def test_the_refit_metric_is_the_default(scoring, refit, metric, name):
    """The one that the search chose its best candidate by."""
    search = GridSearchCV(TREE, GRID, cv=10, scoring=scoring, refit=refit).fit(X, y)
    found = compare(search, metric=metric)
    assert found.metric == name
    expected = [search.cv_results_[f"split{k}_test_{name}"] for k in range(10)]
    np.testing.assert_array_equal(found.scores.values.T, expected)


@pytest.mark.parametrize("refit", [False, lambda results: 0])
def test_several_metrics_without_refit_need_a_name(refit):
    search = GridSearchCV(TREE, GRID, cv=10, scoring=BOTH, refit=refit).fit(X, y)
    with pytest.raises(ValueError, match="`metric` must be one of accuracy, roc_auc; got None"):
        compare(search)
    with pytest.raises(ValueError, match="`metric` must be one of 'accuracy', 'roc_auc'; got 'f1'"):
        compare(search, metric="f1")


def accuracy(y, said):
    return float(np.mean(y == said))


@pytest.mark.parametrize(
    ("scorer", "name"),
    [
        (make_scorer(f1_score), "f1"),
        (make_scorer(f1_score, pos_label=0), "f1(pos_label=0)"),
        (make_scorer(f1_score, average="macro", zero_division=0), "f1_macro(zero_division=0)"),
        (make_scorer(roc_auc_score), "roc_auc(response_method='predict')"),
        (make_scorer(roc_auc_score, response_method="predict_proba"), "roc_auc"),
        (make_scorer(mean_squared_error, greater_is_better=False), "neg_mean_squared_error"),
        (make_scorer(f1_score, pos_label=np.int64(1)), "f1"),
        (make_scorer(matthews_corrcoef), "matthews_corrcoef"),
        (make_scorer(fbeta_score, beta=2), "fbeta_score(beta=2)"),
        (make_scorer(hamming_loss, greater_is_better=False), "neg_hamming_loss"),
        (make_scorer(lambda y, said: float(np.mean(y == said))), "score"),
        (make_scorer(accuracy), "score"),  # perhaps not that of scikit-learn
    ],
)
def test_a_scorer_has_the_name_and_the_range_of_scikit_learns(scorer, name):
    search = StatisticalGridSearchCV(TREE, GRID, cv=10, scoring=scorer).fit(X, y)
    assert search.comparison_.metric == name
    is_known = name not in ("score", "fbeta_score(beta=2)", "neg_hamming_loss")
    assert (metric_range(name) != UNBOUNDED) == is_known
    # The saved table says which scores are better.
    again = compare(pd.read_csv(io.StringIO(search.comparison_.to_long().to_csv(index=False))))
    np.testing.assert_allclose(again.scores.values, search.comparison_.scores.values)
    assert compare(search.cv_results_, test_train_ratio=1 / 9).metric == "score"


def test_the_scorer_behind_a_name_is_known_wherever_the_scores_are(tmp_path):
    scoring = {"AUC": "roc_auc", "Precision": make_scorer(precision_score, average="micro")}
    options = {"cv": 10, "scoring": scoring, "refit": "AUC"}
    search = StatisticalGridSearchCV(TREE, GRID, ledger=tmp_path / "l.sqlite", **options)
    search.fit(X, y)
    plain = GridSearchCV(TREE, GRID, **options).fit(X, y)
    models = {f"{depth}": clone(TREE).set_params(max_depth=depth) for depth in GRID["max_depth"]}
    validated = cross_validate_models(models, X, y, cv=10, scoring=scoring)
    for metric, name in (("AUC", "roc_auc"), ("Precision", "precision_micro")):
        own = search.compare(metric=metric)
        own.to_csv(tmp_path / "own.csv")
        for found in (
            own, compare(tmp_path / "own.csv"), compare(own.to_long()), validated[metric],
            compare(tmp_path / "l.sqlite", metric=metric), pickle.loads(pickle.dumps(own)),
            compare(plain, metric=metric, X=X, y=y),
        ):  # fmt: skip
            assert found.metric == metric
            assert found.scores.scorer_name == name
            numbers = found.ranking().drop(columns="label")
            pd.testing.assert_frame_equal(numbers, own.ranking().drop(columns="label"))
    other = clone(plain).set_params(scoring={"AUC": "accuracy"}).fit(X, y)
    with pytest.raises(ValueError, match="the same metric"):
        compare({"a": search, "b": other}, metric="AUC", X=X, y=y)


def test_one_name_of_two_metrics_is_no_metric():
    def searched(data=0, **scoring):
        X, y = make_classification(n_samples=90, n_features=6, random_state=data)
        options = {"cv": 10, "scoring": scoring, "refit": next(iter(scoring))}
        return StatisticalGridSearchCV(TREE, GRID, **options).fit(X, y).comparison_

    plain, macro = searched(f1="f1"), searched(f1="f1_macro")
    with pytest.raises(ValueError, match="the same metric for every search; got f1, f1_macro"):
        compare({"a": plain, "b": macro})
    areas = {"one": searched(1, AUC="roc_auc"), "two": searched(2, AUC="average_precision")}
    with pytest.raises(ValueError, match="scores by one metric; got roc_auc for one, average_prec"):
        compare_datasets(areas)
    # The name of a single metric in scikit-learn is one of a user's own, too.
    own = searched(score="roc_auc", accuracy="accuracy")
    assert (own.metric, own.scores.scorer_name) == ("score", "roc_auc")
    scorer = make_scorer(f1_score, pos_label=0)
    single = StatisticalGridSearchCV(TREE, GRID, cv=10, scoring=scorer, return_predictions=True)
    found = single.fit(X, y).comparison_
    for name in ("score", "f1(pos_label=0)"):
        again = found.with_settings(metric=name)
        assert again.metric == "f1(pos_label=0)"
        np.testing.assert_array_equal(again.scores.values, found.scores.values)


def test_searches_by_one_metric_in_several_forms_are_of_one_metric():
    def searched(scoring, refit=True):
        return GridSearchCV(TREE, GRID, cv=10, scoring=scoring, refit=refit).fit(X, y)

    rules = [
        Simplest("max_depth", metric="f1", within=w, test_train_ratio=1 / 9) for w in (0.1, 0.2)
    ]
    for one, other in (
        (searched(None), searched("accuracy")),
        (searched("accuracy"), searched(make_scorer(accuracy_score))),
        (searched(["f1", "roc_auc"], rules[0]), searched(["f1", "roc_auc"], rules[1])),
        (searched(["f1", "roc_auc"], rules[0]), searched(["f1", "roc_auc"], "f1")),
    ):
        assert compare({"a": one, "b": other}, X=X, y=y).metric in ("accuracy", "f1")
    with pytest.raises(ValueError, match="same metric"):
        compare({"a": searched(None), "b": searched(make_scorer(accuracy))}, X=X, y=y)
