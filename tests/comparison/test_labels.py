"""Labels: short where they can be, unique always."""

import copy
import functools
import pickle
from functools import partial

import cloudpickle
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.compose import ColumnTransformer
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import ParameterGrid, RepeatedKFold
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import sklearn_stats_compare as ssc
from sklearn_stats_compare import Comparison, SplitDesign, SplitScores
from sklearn_stats_compare.comparison._labels import candidate_labels, identity
from sklearn_stats_compare.displays import ParameterProfileDisplay
from sklearn_stats_compare.reports import shared_by


def triple(x):
    return 3 * x


class Callable:
    def __call__(self, x):
        return x


class Plain:
    """Its repr holds an address."""


SCALER = StandardScaler(with_mean=False)


def test_the_published_example():
    grid = [{"kernel": ["linear"]}, {"kernel": ["poly"], "degree": [2, 3]}, {"kernel": ["rbf"]}]
    assert candidate_labels(list(ParameterGrid(grid))) == ("linear", "2_poly", "3_poly", "rbf")


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        # What is constant is left out, but not what some lack.
        ([{"C": 1, "gamma": 2}, {"C": 3, "gamma": 2}], ("1", "3")),
        ([{"C": 1, "k": "rbf"}, {"C": 1}, {"C": 2}], ("1_rbf", "1", "2")),
        # A single candidate keeps its parameters, and one without any is the default.
        ([{"C": 1, "kernel": "rbf"}], ("1_rbf",)),
        ([{}], ("default",)),
        ([{}, {"C": 2}], ("default", "2")),
        # Names are added where values alone collide, or are empty.
        ([{"a": 1}, {"b": 1}], ("a=1", "b=1")),
        ([{"clf__C": 1}, {"clf__gamma": 1}], ("C=1", "gamma=1")),
        ([{"a__C": 1}, {"b__C": 1}], ("a__C=1", "b__C=1")),
        ([{"x": 1, "y": "1_2"}, {"x": "1_1", "y": 2}], ("x=1, y=1_2", "x=1_1, y=2")),
        ([{"a": ""}, {"a": "x"}], ("a=", "a=x")),
        # Numbers that round alike are shown in full, as are estimators of one class.
        ([{"a": 0.123456789}, {"a": 0.123456788}], ("a=0.123456789", "a=0.123456788")),
        (
            [{"clf": LogisticRegression(C=3)}, {"clf": LogisticRegression(C=9)}],
            ("clf=LogisticRegression(C=3)", "clf=LogisticRegression(C=9)"),
        ),
        # Those drawn twice have their index.
        ([{"C": 1}, {"C": 2}, {"C": 1}], ("C=1 #0", "C=2", "C=1 #2")),
        ([{"C": 1}, {"C": 1}], ("C=1 #0", "C=1 #1")),
    ],
)
def test_labels_are_values_with_what_tells_them_apart(params, expected):
    assert candidate_labels(params) == expected


@pytest.mark.parametrize(
    ("grid", "k", "expected"),
    [
        (
            {"pipe__clf": [LogisticRegression(C=3), LogisticRegression(C=9)], "pipe__n": [1, 2]},
            *(0, "clf=LogisticRegression(C=3), n=1"),
        ),
        (
            {"logisticregression__C": [0.1, 1.0], "scaler": [StandardScaler(), SCALER]},
            *(1, "C=0.1, scaler=StandardScaler(with_mean=False)"),
        ),
    ],
)
def test_names_stay_short_if_only_values_need_full_text(grid, k, expected):
    assert candidate_labels(list(ParameterGrid(grid)))[k] == expected


@pytest.mark.parametrize(
    ("value", "label"),
    [
        (LogisticRegression(C=3), "LogisticRegression"),
        (SVC, "SVC"),
        (triple, "triple"),
        (Callable(), "Callable"),
        (functools.partial(triple, 1), "partial"),
        (None, "p=None"),
        (True, "p=True"),
        (np.bool_(False), "p=False"),
        (0.1, "0.1"),
        (np.float64(0.1), "0.1"),
        (0.30000000000000004, "0.3"),
        (1234567.891, "1.235e+06"),
        ("a\n  b", "a b"),
        ("x" * 60 + "end", "x" * 26 + "…" + "x" * 10 + "end"),
        ((10, 10), "(10, 10)"),
        ((np.float64(1.0), 2), "(1.0, 2)"),
        ([1, triple], "[1, triple]"),
        (Plain(), "Plain"),
    ],
)
def test_values_are_shown_in_their_usual_notation(value, label):
    assert candidate_labels([{"p": value}, {"p": "other"}])[0] == label


def test_very_long_values_and_those_that_look_like_an_index_stay_short_and_unique():
    labels = candidate_labels([{"words": "x" * 5000 + "a"}, {"words": "x" * 5000 + "b"}])
    assert len(set(labels)) == 2
    assert max(map(len, labels)) <= 200 + len(" #1")
    assert len(set(candidate_labels([{"a": "1"}, {"a": "1"}, {"a": "1 #0"}]))) == 3


texts = st.text(alphabet="1a _#=,", max_size=3)
values = st.one_of(st.none(), st.booleans(), st.integers(-2, 2), st.floats(), texts)


@given(st.lists(st.dictionaries(st.sampled_from(["a", "b__c", "d__c"]), values), min_size=1))
def test_labels_are_always_unique_one_each_and_not_empty(params):
    labels = candidate_labels(params)
    assert len(labels) == len(set(labels)) == len(params)
    assert all(labels)


@pytest.mark.parametrize(
    ("grid", "naming"),
    [
        ({"C": [14.38, 1], "gamma": [0.004642, 1]}, "candidates are named C_gamma"),
        ({"svc__C": [1, 2]}, "candidates are named by C"),
        ({"a__C": [1, 2], "b__C": [0.1, 0.2]}, "candidates are named by a__C and b__C"),
        ({"warm": [True, False]}, ""),
        ({"depth": [None, 3], "kept": ["1", "2"]}, "candidates are named depth_kept"),
        # What is the same for all is in no label.
        ({"C": [1, 2], "gamma": [3], "nu": [0.1, 0.2]}, "candidates are named C_nu"),
        # One value among them that is a number, where others say what they are.
        ({"clf": [SVC(), LogisticRegression()], "clf__C": [1, 2]}, "candidates are named clf_C"),
        (
            [{"kernel": ["linear"]}, {"kernel": ["poly"], "degree": [2, 3]}],
            "candidates are named degree_kernel; parameters that a candidate lacks are omitted",
        ),
        (
            {"max_depth": [1, 2], "min_samples_leaf": [1, 5], "C": [1, 2]},
            "candidates are named by C, max_depth and min_samples_leaf",
        ),
        ({"kernel": ["linear", "rbf"]}, ""),
        ({"clf": [SVC(), LogisticRegression()]}, ""),
        # name=value says it.
        ([{"a": [1]}, {"b": [1]}], ""),
    ],
)
def test_labels_say_what_they_are_made_of(grid, naming):
    assert candidate_labels(list(ParameterGrid(grid))).naming == naming


def test_names_are_in_the_order_of_the_values_if_they_have_one():
    params = [{"C": 1, "gamma": 3}, {"B": 4, "gamma": 2}, {"C": 2, "B": 5, "gamma": 2}]
    labels = candidate_labels(params)
    assert labels[2] == "2_5_2"
    assert labels.naming.startswith("candidates are named C_B_gamma")
    labels = candidate_labels([{"a": 1, "b": 2}, {"b": 1, "a": 3}])
    assert (labels, labels.naming) == (("1_2", "1_3"), "")


def test_the_naming_survives_copies_of_labels():
    labels = candidate_labels([{"C": 1}, {"C": 2}, {"C": 3}])
    assert labels.of([2, 0]) == ("3", "1")
    for kept in (labels.of([2, 0]), pickle.loads(pickle.dumps(labels)), copy.deepcopy(labels)):
        assert kept.naming == "candidates are named by C"


def test_labels_with_names_have_every_name_that_varies():
    grid = {"svc__C": [1, 10.0], "svc__gamma": [1e-3], "svc__kernel": ["rbf", "poly"]}
    labels = candidate_labels(list(ParameterGrid(grid)), named=True)
    assert labels[:2] == ("C=1, kernel=rbf", "C=1, kernel=poly")
    assert labels[2:] == ("C=10.0, kernel=rbf", "C=10.0, kernel=poly")
    assert labels.naming == ""  # they say it themselves
    params = [{"kernel": "rbf"}, {"kernel": "poly", "degree": 2}, {}]
    expected = ("kernel=rbf", "kernel=poly, degree=2", "default")
    assert candidate_labels(params, named=True) == expected


def test_labels_with_names_are_a_setting(moons_search):
    named = ("kernel=linear", "degree=2, kernel=poly", "degree=3, kernel=poly", "kernel=rbf")
    plain, setting = moons_search.comparison_, {"labels": "name=value"}
    results = moons_search.cv_results_
    for found in (
        moons_search.compare(**setting),
        plain.with_settings(**setting),
        plain.with_settings(**setting).with_settings(alpha=0.1),
        ssc.Comparison(plain.scores, params=plain.params, **setting),
        ssc.compare(moons_search, **setting),
        ssc.compare(results, test_train_ratio=1 / 9, **setting),
    ):
        assert found.labels == named


def test_a_setting_of_ten_letters_is_not_a_list_of_ten_labels():
    params = [{"C": C} for C in range(10)]
    scores = ssc.SplitScores(np.eye(10, 12), ssc.SplitDesign([9] * 12, [1] * 12))
    named = tuple(f"C={C}" for C in range(10))
    assert ssc.Comparison(scores, "name=value", params=params).labels == named
    assert ssc.Comparison(scores, params=params).with_settings(labels="name=value").labels == named


def test_survivors_of_a_race_have_the_names_that_vary_among_all():
    X, y = make_classification(n_samples=120, random_state=0, flip_y=0)
    grid = {"C": [1e-8, 1.0], "kernel": ["linear"]}
    race = ssc.RacingGridSearchCV(
        SVC(), grid, cv=RepeatedKFold(n_splits=5, n_repeats=6, random_state=0)
    )
    labels = race.fit(X, y).compare(labels="name=value").labels
    assert labels == ("C=1.0",)


@pytest.mark.parametrize("labels", ["values", "", "name = value", "name=value"])
def test_text_for_labels_must_be_name_equals_value_of_known_parameters(moons_comparison, labels):
    error, words = TypeError, 'one per candidate, or "name=value"; got'
    if labels == "name=value":
        error, words = ValueError, '`labels` "name=value" needs parameters'
    with pytest.raises(error, match=words):
        ssc.compare(np.eye(2, 12), labels=labels, test_train_ratio=0.1)
    with pytest.raises(error, match=words):
        moons_comparison.with_settings(labels=labels)


def times(n):
    return lambda x: n * x


LONG = [f"x{k:02d}" for k in range(60)]
ALIKE = {
    "lists in an estimator": [
        ColumnTransformer([("keep", "passthrough", LONG[:k])]) for k in (35, 45)
    ],
    "long arrays": [np.r_[np.zeros(1000), k, np.zeros(1000)] for k in (1, 2)],
    "closures": [times(2), times(3)],
    "partials": [partial(np.clip, a_min=k) for k in (0, 1)],
    "numbers beyond four digits": [0.12341111, 0.12343333],
    "estimators of one class": [LogisticRegression(C=1), LogisticRegression(C=10)],
    "long texts": ["a" * 300 + "b" + "a" * 300, "a" * 300 + "c" + "a" * 300],
}


@pytest.mark.parametrize("values", ALIKE.values(), ids=ALIKE)
def test_values_that_look_alike_are_told_apart(values):
    """By all that they hold, as `repr` elides what is long; copies of a value are that value."""
    params = [
        {"value": value, "C": C} for value in [*values, copy.deepcopy(values[0])] for C in (1, 2)
    ]
    scores = np.arange(60).reshape(6, 10) / 60
    design = SplitDesign([90] * 10, [10] * 10)
    comparison = Comparison(SplitScores(scores, design), params=params)
    profile = ParameterProfileDisplay.from_comparison(comparison, "value").frame()
    assert len(profile) == 2
    held = ParameterProfileDisplay.from_comparison(comparison, "C", others="held").frame()
    assert held["mean"].tolist() == pytest.approx([scores[4].mean(), scores[5].mean()])
    assert shared_by(comparison, [0, 1]).startswith("value=")
    assert shared_by(comparison, [0, 2]).startswith(("value is one of", "every value of value"))
    assert identity(values[0]) == identity(pickle.loads(cloudpickle.dumps(values[0])))
