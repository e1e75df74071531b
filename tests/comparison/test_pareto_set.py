"""possibly_pareto(): searches, comparisons and times; what it refuses."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, ShuffleSplit
from sklearn.tree import DecisionTreeClassifier

import sklearn_stats_compare as ssc

X, y = make_classification(n_samples=150, n_features=8, flip_y=0.2, random_state=0)
GRID = {"max_depth": [1, 2, 4, 8]}
SCORING = ["roc_auc", "recall"]
TREE = DecisionTreeClassifier(random_state=0)


def searched(kind, cv=10, refit=False):
    return kind(TREE, GRID, cv=cv, scoring=SCORING, refit=refit).fit(X, y)


@pytest.fixture(scope="module")
def search():
    return searched(ssc.StatisticalGridSearchCV, refit="roc_auc")


@pytest.mark.parametrize("metric", SCORING)
def test_with_one_metric_it_is_possibly_best(search, metric):
    found = ssc.possibly_pareto(search, [metric]).rename(columns={metric: "mean"})
    best = search.compare(metric=metric).possibly_best()
    pd.testing.assert_frame_equal(found, best.drop(columns="behind"))


def test_searches_of_scikit_learn_and_comparisons_give_the_same(search):
    found = ssc.possibly_pareto(search, SCORING, rope=0.01)
    assert list(found.columns) == ["label", *SCORING, "p_val"]
    assert found.index.name == "candidate"
    for name in SCORING:
        means = search.cv_results_[f"mean_test_{name}"][found.index]
        np.testing.assert_allclose(found[name], means)
    theirs = searched(GridSearchCV)
    pd.testing.assert_frame_equal(ssc.possibly_pareto(theirs, SCORING, rope=0.01), found)
    given = {name: search.compare(metric=name) for name in SCORING}
    pd.testing.assert_frame_equal(ssc.possibly_pareto(given, SCORING, rope=0.01), found)
    turned = ssc.possibly_pareto(given, SCORING[::-1], rope={"recall": 0.01, "roc_auc": 0.01})
    pd.testing.assert_series_equal(turned["p_val"].sort_index(), found["p_val"].sort_index())
    assert turned["recall"].is_monotonic_decreasing


def test_models_of_cross_validate_models():
    models = {"tree": TREE, "logistic": LogisticRegression(), "copy": LogisticRegression()}
    by_metric = ssc.cross_validate_models(models, X, y, cv=10, scoring=SCORING)
    found = ssc.possibly_pareto(by_metric, SCORING)
    assert {"logistic", "copy"} <= set(found["label"])  # copies stay or go together
    assert found.set_index("label")["p_val"][["logistic", "copy"]].nunique() == 1


def test_times_are_those_of_the_results(search, monkeypatch):
    times = {"mean_fit_time": np.array([1.0, 2.0, 3.0, 4.0]), "std_fit_time": np.full(4, 0.1)}
    monkeypatch.setattr(search, "cv_results_", {**search.cv_results_, **times})
    asked = ["recall", "mean_fit_time"]
    found = ssc.possibly_pareto(search, asked, rope={"recall": 1000.0}, alpha=1e-12)
    # No recall is worse by more than 1,000: the first drops whoever is shown to take longer. A
    # standard deviation of 0.1 is one of 0.1·√(10/9) with ddof=1, and 0.2·√(10/9) of a difference.
    t = np.array([1, 2, 3]) / (0.2 * np.sqrt(10 / 9) * np.sqrt(1 / 10 + 1 / 9))
    expected = [1, *(3 * stats.t.sf(t, 9))]
    np.testing.assert_allclose(found["p_val"].sort_index(), expected)
    np.testing.assert_allclose(found["mean_fit_time"].sort_index(), [1, 2, 3, 4])


def test_level_and_settings(search):
    bold, usual = (ssc.possibly_pareto(search, SCORING, alpha=alpha) for alpha in (0.3, 0.05))
    assert set(bold.index) <= set(usual.index)
    own = search.compare(metric="roc_auc", alpha=0.3)
    given = {"roc_auc": own, "recall": search.compare(metric="recall")}
    assert ssc.possibly_pareto(given, SCORING)["p_val"].min() >= 0.3  # of the first metric
    labels = list("abcd")
    assert set(ssc.possibly_pareto(search, SCORING, labels=labels)["label"]) <= set(labels)
    shuffled = searched(GridSearchCV, cv=list(ShuffleSplit(10, random_state=0).split(X)))
    with pytest.raises(ValueError, match="`test_train_ratio` must be given"):
        ssc.possibly_pareto(shuffled, SCORING)
    assert len(ssc.possibly_pareto(shuffled, SCORING, test_train_ratio=1 / 9))


def test_few_splits_are_said_once():
    search = searched(ssc.StatisticalGridSearchCV, cv=5)
    with pytest.warns(ssc.ComparisonWarning) as caught:
        ssc.possibly_pareto(search, SCORING)
    assert len(caught) == 1
    assert "only 5 splits" in str(caught[0].message)


def test_after_a_race_it_speaks_of_the_survivors():
    race = ssc.RacingGridSearchCV(
        TREE, {"max_depth": [1, 2, 3, 5, 8]}, cv=20, scoring=SCORING, refit="roc_auc"
    ).fit(np.c_[y + np.random.default_rng(0).normal(0, 0.4, len(y)), X], y)
    survivors = set(race.comparison_._candidates)
    assert len(survivors) < 5
    with pytest.warns(ssc.ComparisonWarning, match="The possibly-Pareto set refers to these only"):
        found = ssc.possibly_pareto(race, ["roc_auc", "mean_score_time"])
    assert set(found.index) <= survivors
    times = race.cv_results_["mean_score_time"][found.index]
    np.testing.assert_allclose(found["mean_score_time"], times)


@pytest.mark.parametrize(
    ("metrics", "options", "error", "message"),
    [
        ("recall", {}, TypeError, "`metrics` must be a sequence of names; got 'recall'"),
        ([], {}, ValueError, "`metrics` must be one or more different names"),
        (["recall", "recall"], {}, ValueError, "`metrics` must be one or more different names"),
        ([3], {}, TypeError, "`metrics` must be text; got 3"),
        (["f1"], {}, ValueError, "`metrics` must be among roc_auc, recall, mean_fit_time"),
        (["mean_fit_time"], {}, ValueError, "`metrics` must name at least one score"),
        (SCORING, {"rope": -1}, ValueError, "`rope` must be a finite half-width ≥ 0; got -1"),
        (SCORING, {"rope": {"f1": 1}}, ValueError, "`rope` must be of the metrics .*; got 'f1'"),
        (SCORING, {"rope": {"recall": "1%"}}, ValueError, r"`rope\['recall'\]` must be a finite"),
        (
            ["recall", "mean_fit_time"], {"rope": 0.01}, ValueError,
            "`rope` must be a mapping of metrics to half-widths where a time.*got 0.01",
        ),
        (SCORING, {"alpha": 2}, ValueError, r"`alpha` must be in \(0, 1\); got 2"),
        (SCORING, {"colour": 2}, TypeError, "colour"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_is_refused(search, metrics, options, error, message):
    with pytest.raises(error, match=message):
        ssc.possibly_pareto(search, metrics, **options)


def test_objects_that_are_no_searches_or_do_not_match(search):
    given = {name: search.compare(metric=name) for name in SCORING}
    design = ssc.SplitDesign([90] * 10, [10] * 10)
    mixed = {**given, "f1": ssc.Comparison(ssc.SplitScores(np.eye(2, 10), design), metric="f1")}
    for obj, metrics, options, error, message in (
        ([1, 2], SCORING, {}, TypeError, "`obj` must be a fitted search, or a mapping of metrics"),
        (GridSearchCV(TREE, GRID), SCORING, {}, ValueError, "is not fitted"),
        (given, ["f1"], {}, ValueError, "`metrics` must be among 'roc_auc', 'recall'; got 'f1'"),
        (
            search,
            ["roc_auc", "f1"],
            {},
            ValueError,
            "`metrics` must be among roc_auc, recall, mean",
        ),
        (given, ["recall", "mean_fit_time"], {}, ValueError, "no cv_results_ with mean_fit_time"),
        (mixed, ["recall", "f1"], {}, ValueError, "same candidates, .*splits.*'recall' and 'f1'"),
        (given, SCORING, {"labels": "abcd"}, ValueError, "`obj` must not be comparisons where se"),
    ):
        with pytest.raises(error, match=message):
            ssc.possibly_pareto(obj, metrics, **options)
