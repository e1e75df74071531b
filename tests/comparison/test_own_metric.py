"""What `scoring=None` is called: the default score of the estimator that a search fits."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.cluster import KMeans
from sklearn.datasets import make_classification
from sklearn.feature_selection import RFE
from sklearn.linear_model import LogisticRegression, LogisticRegressionCV, Ridge, RidgeCV
from sklearn.metrics import f1_score, make_scorer
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from sklearn_stats_compare import StatisticalGridSearchCV, compare, cross_validate_models
from sklearn_stats_compare.comparison._own_metric import estimator_kind, own_metric_name
from sklearn_stats_compare.reports import report

X, y = make_classification(n_samples=90, n_features=6, random_state=0)
GRID = {"max_depth": [1, 2, 3]}


class Balanced(ClassifierMixin, BaseEstimator):
    """A classifier whose `score` is its own."""

    def fit(self, X, y):
        return self

    def score(self, X, y):
        return 0.5


class Plain:
    """No estimator of scikit-learn's."""


@pytest.mark.parametrize(
    ("model", "kind"),
    [
        (SVC(), "classifier"),
        (make_pipeline(SVR()), "regressor"),
        (GridSearchCV(SVC(), {}), "classifier"),
        (Plain(), None),
    ],
)
def test_kinds_of_estimators(model, kind):
    assert estimator_kind(model) == kind


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
    ("model", "metric"),
    [
        (DecisionTreeClassifier(random_state=0), "accuracy"),
        (DecisionTreeRegressor(random_state=0), "r2"),
    ],
)
def test_a_search_without_scoring_says_what_it_was_scored_by(model, metric):
    search = StatisticalGridSearchCV(model, GRID, cv=10).fit(X, y)
    named = StatisticalGridSearchCV(model, GRID, cv=10, scoring=metric).fit(X, y)
    # The very scores of that name, so that the name is no claim.
    np.testing.assert_array_equal(search.comparison_.scores.values, named.comparison_.scores.values)
    own = search.comparison_
    assert own.metric == metric
    assert f"score: {metric}" in repr(own)
    assert f"scored by {metric}" in report(own)
    assert "score: score" not in repr(own)
    for asked in (metric, "score", None):
        assert search.compare(metric=asked) is own
        assert compare(search, metric=asked).metric == metric
    with pytest.raises(ValueError, match=f"`metric` must be one of '{metric}', 'score'; got 'f1'"):
        search.compare(metric="f1")


def test_searches_of_scikit_learn_and_models_name_metrics_alike():
    search = GridSearchCV(DecisionTreeClassifier(random_state=0), GRID, cv=10).fit(X, y)
    for asked in ("accuracy", "score", None):
        assert compare(search, metric=asked).metric == "accuracy"
    with pytest.raises(ValueError, match="`metric` must be one of 'accuracy', 'score'; got 'r2'"):
        compare(search, metric="r2")
    models = {"bayes": GaussianNB(), "line": make_pipeline(LogisticRegression())}
    assert cross_validate_models(models, X, y, cv=10)["score"].metric == "accuracy"


def test_a_scorer_without_a_name_is_a_score():
    scorer = make_scorer(f1_score)
    search = StatisticalGridSearchCV(
        DecisionTreeClassifier(random_state=0), GRID, cv=10, scoring=scorer
    ).fit(X, y)
    assert search.comparison_.metric == "score"
    assert compare(search.cv_results_, test_train_ratio=1 / 9).metric == "score"
