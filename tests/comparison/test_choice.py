"""choose(): a rule asked of scores that exist chooses what it chooses in a fit."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.tree import DecisionTreeClassifier

import sklearn_stats_compare as ssc

X, y = make_classification(n_samples=150, n_features=8, flip_y=0.2, random_state=0)
GRID = {"max_depth": [8, 5, 3, 2, 1]}
TREE = DecisionTreeClassifier(random_state=0)
RULES = [
    ssc.Simplest("max_depth", **options)
    for options in (
        {},
        {"within": "1se"},
        {"within": "rope", "rope": 0.01},
        {"within": 0.1},
        {"within": "2%"},
    )
]


@pytest.fixture(scope="module")
def search():
    return ssc.StatisticalGridSearchCV(TREE, GRID, cv=KFold(10)).fit(X, y)


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_chooses_the_same_candidate_after_the_fit(search, rule):
    refitted = clone(search).set_params(refit=rule).fit(X, y)
    choice = search.comparison_.choose(rule)
    assert choice.index == refitted.best_index_
    assert choice.params == refitted.best_params_
    assert choice.label == search.comparison_.ranking()["label"][choice.index]
    assert choice.report.equals(refitted.selection_report_)


def test_labels_and_indices_are_those_of_the_comparison_and_survivors_warn(make_comparison):
    scores, params = [[0.5, 0.6] * 6, [0.9, 0.8] * 6], [{"a": 1}, {"a": 2}]
    given = {"labels": ["one", "two"], "params": params, "_candidates": [4, 7]}
    choice = make_comparison(scores, **given).choose(ssc.Simplest("a", within="1%"))
    assert (choice.index, choice.label, choice.params) == (7, "two", {"a": 2})
    assert choice.report.index.tolist() == [7, 4]
    assert choice.report["label"].tolist() == ["two", "one"]
    race = make_comparison(scores, _n_entered=9, **given)
    with pytest.warns(ssc.ComparisonWarning, match="The choice of Simplest refers to"):
        race.choose(ssc.Simplest("a"))


def test_choose_works_for_searches_of_scikit_learn():
    plain = GridSearchCV(TREE, GRID, cv=KFold(10)).fit(X, y)
    rule = ssc.Simplest("max_depth", test_train_ratio=1 / 9)
    assert ssc.compare(plain).choose(RULES[0]).index == rule(plain.cv_results_)


def test_the_error_without_sizes_names_the_remedy(search):
    words = r"`test_train_ratio`.*comparison_\.choose\(rule\)"
    with pytest.raises(ValueError, match=words) as caught:
        RULES[0](search.cv_results_)
    assert "this search does not record it" not in str(caught.value)


@pytest.mark.parametrize("rule", [ssc.Simplest, "max_depth", None, len])
def test_an_object_that_is_not_a_rule_raises(search, rule):
    with pytest.raises(TypeError, match=r"`rule` must be a rule, such as Simplest"):
        search.comparison_.choose(rule)


def test_a_rule_for_another_metric_and_unknown_parameters_raise(search, moons_comparison):
    with pytest.raises(ValueError, match="metric that is compared, 'accuracy'; got one of 'f1'"):
        search.comparison_.choose(ssc.Simplest("max_depth", metric="f1"))
    with pytest.raises(ValueError, match="knows no parameters"):
        moons_comparison.choose(RULES[0])
    with pytest.raises(ValueError, match="must name a parameter"):
        search.comparison_.choose(ssc.Simplest("mean_scare_time"))


def test_a_column_of_the_results_is_a_complexity_here_too(search):
    report = search.comparison_.choose(ssc.Simplest("mean_fit_time")).report
    times = search.cv_results_["mean_fit_time"]
    np.testing.assert_array_equal(report["complexity"], np.asarray(times)[report.index])
