"""Labels: short where they can be, unique always."""

import copy
import functools
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import ParameterGrid, RepeatedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC

from sklearn_stats_compare import (
    Comparison,
    RacingGridSearchCV,
    StatisticalGridSearchCV,
    compare,
)
from sklearn_stats_compare.comparison._labels import candidate_labels


def triple(x):
    return 3 * x


class Callable:
    def __call__(self, x):
        return x


class Plain:
    """Its repr holds an address."""


def test_the_published_example():
    grid = [{"kernel": ["linear"]}, {"kernel": ["poly"], "degree": [2, 3]}, {"kernel": ["rbf"]}]
    assert candidate_labels(list(ParameterGrid(grid))) == ("linear", "2_poly", "3_poly", "rbf")


def test_constant_parameters_are_left_out():
    assert candidate_labels([{"C": 1, "gamma": 2}, {"C": 3, "gamma": 2}]) == ("1", "3")


def test_a_parameter_that_some_lack_is_not_constant():
    assert candidate_labels([{"C": 1, "k": "rbf"}, {"C": 1}, {"C": 2}]) == ("1_rbf", "1", "2")


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ([{"a": 1}, {"b": 1}], ("a=1", "b=1")),
        ([{"clf__C": 1}, {"clf__gamma": 1}], ("C=1", "gamma=1")),
        ([{"a__C": 1}, {"b__C": 1}], ("a__C=1", "b__C=1")),
        ([{"x": 1, "y": "1_2"}, {"x": "1_1", "y": 2}], ("x=1, y=1_2", "x=1_1, y=2")),
    ],
)
def test_names_are_added_where_values_alone_collide(params, expected):
    assert candidate_labels(params) == expected


@pytest.mark.parametrize(
    ("value", "label"),
    [
        (LogisticRegression(C=3), "LogisticRegression"),
        (SVC, "SVC"),
        (triple, "triple"),
        (Callable(), "Callable"),
        (functools.partial(triple, 1), "partial"),
        (None, "None"),
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


def test_labels_of_estimators_of_one_class_differ_by_their_parameters():
    labels = candidate_labels([{"clf": LogisticRegression(C=3)}, {"clf": LogisticRegression(C=9)}])
    assert labels == ("clf=LogisticRegression(C=3)", "clf=LogisticRegression(C=9)")
    nested = candidate_labels(
        [{"pipe__clf": LogisticRegression(C=c), "pipe__pca__n": n} for c in (3, 9) for n in (1, 2)]
    )
    assert nested[0] == "clf=LogisticRegression(C=3), n=1"


def test_numbers_that_round_alike_are_shown_in_full():
    assert candidate_labels([{"a": 0.123456789}, {"a": 0.123456788}]) == (
        "a=0.123456789",
        "a=0.123456788",
    )


def test_labels_of_candidates_drawn_twice_have_their_index():
    labels = candidate_labels([{"C": 1}, {"C": 2}, {"C": 1}])
    assert labels == ("C=1 #0", "C=2", "C=1 #2")


def test_identical_candidates_show_all_parameters():
    assert candidate_labels([{"C": 1}, {"C": 1}]) == ("C=1 #0", "C=1 #1")


def test_one_candidate_keeps_its_parameters():
    assert candidate_labels([{"C": 1, "kernel": "rbf"}]) == ("1_rbf",)
    assert candidate_labels([{}]) == ("default",)
    assert candidate_labels([{}, {"C": 2}]) == ("default", "2")


def test_very_long_values_that_differ_at_the_end_stay_short_and_unique():
    labels = candidate_labels([{"words": "x" * 5000 + "a"}, {"words": "x" * 5000 + "b"}])
    assert len(set(labels)) == 2
    assert max(map(len, labels)) <= 200 + len(" #1")


def test_a_value_that_looks_like_an_index_makes_no_collision():
    labels = candidate_labels([{"a": "1"}, {"a": "1"}, {"a": "1 #0"}])
    assert len(set(labels)) == 3


texts = st.text(alphabet="1a _#=,", max_size=3)
values = st.one_of(st.none(), st.booleans(), st.integers(-2, 2), st.floats(), texts)


@given(st.lists(st.dictionaries(st.sampled_from(["a", "b__c", "d__c"]), values), min_size=1))
def test_labels_are_always_unique_one_each_and_not_empty(params):
    labels = candidate_labels(params)
    assert len(labels) == len(set(labels)) == len(params)
    assert all(labels)


def test_an_empty_text_is_named():
    assert candidate_labels([{"a": ""}, {"a": "x"}]) == ("a=", "a=x")


def test_names_stay_short_if_only_values_need_full_text():
    from sklearn.preprocessing import StandardScaler

    labels = candidate_labels(
        [
            {"logisticregression__C": c, "standardscaler": StandardScaler(with_mean=m)}
            for c in (0.1, 1.0)
            for m in (True, False)
        ]
    )
    assert labels[1] == "C=0.1, standardscaler=StandardScaler(with_mean=False)"


@pytest.mark.parametrize(
    ("grid", "naming"),
    [
        ({"C": [14.38, 1], "gamma": [0.004642, 1]}, "candidates are named C_gamma"),
        ({"svc__C": [1, 2]}, "candidates are named by C"),
        ({"a__C": [1, 2], "b__C": [0.1, 0.2]}, "candidates are named by a__C and b__C"),
        ({"warm": [True, False]}, "candidates are named by warm"),
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


def test_names_are_in_the_order_of_the_values():
    params = [{"C": 1, "gamma": 3}, {"B": 4, "gamma": 2}, {"C": 2, "B": 5, "gamma": 2}]
    assert candidate_labels(params)[2] == "2_5_2"
    assert candidate_labels(params).naming.startswith("candidates are named C_B_gamma")


def test_values_in_no_common_order_have_no_pattern():
    labels = candidate_labels([{"a": 1, "b": 2}, {"b": 1, "a": 3}])
    assert labels == ("1_2", "1_3")
    assert labels.naming == ""


def test_names_of_sixty_letters_are_shown_in_full():
    names = [letter * 60 for letter in "abcdef"]
    naming = candidate_labels(list(ParameterGrid({name: [1, 2] for name in names}))).naming
    assert naming == f"candidates are named by {', '.join(names[:5])} and {names[5]}"


def test_the_naming_survives_copies_of_labels():
    labels = candidate_labels([{"C": 1}, {"C": 2}, {"C": 3}])
    assert labels.of([2, 0]) == ("3", "1")
    for kept in (labels.of([2, 0]), pickle.loads(pickle.dumps(labels)), copy.deepcopy(labels)):
        assert kept.naming == "candidates are named by C"


def test_labels_with_names_have_every_name_that_varies():
    grid = {"svc__C": [1, 10.0], "svc__gamma": [0.1, 1e-3], "svc__kernel": ["rbf"]}
    labels = candidate_labels(list(ParameterGrid(grid)), named=True)
    assert labels == (
        "C=1, gamma=0.1",
        "C=1, gamma=0.001",
        "C=10.0, gamma=0.1",
        "C=10.0, gamma=0.001",
    )
    assert labels.naming == ""  # they say it themselves


def test_clear_values_get_names_too_with_name_equals_value():
    params = [{"kernel": "rbf"}, {"kernel": "poly", "degree": 2}, {}]
    assert candidate_labels(params, named=True) == (
        "kernel=rbf",
        "kernel=poly, degree=2",
        "default",
    )


def test_labels_with_names_are_a_setting(moons_search):
    named = ("kernel=linear", "degree=2, kernel=poly", "degree=3, kernel=poly", "kernel=rbf")
    plain = moons_search.comparison_
    assert moons_search.compare(labels="name=value").labels == named
    assert plain.with_settings(labels="name=value").labels == named
    assert plain.with_settings(labels="name=value").with_settings(alpha=0.1).labels == named
    assert Comparison(plain.scores, "name=value", params=plain.params).labels == named
    assert compare(moons_search, labels="name=value").labels == named
    results = moons_search.cv_results_
    assert compare(results, labels="name=value", test_train_ratio=1 / 9).labels == named


def test_a_setting_of_ten_letters_is_not_a_list_of_ten_labels():
    X, y = make_classification(n_samples=60, random_state=0)
    search = StatisticalGridSearchCV(GaussianNB(), {"var_smoothing": np.logspace(-9, 0, 10)}, cv=10)
    labels = search.fit(X, y).compare(labels="name=value").labels
    assert labels[0] == "var_smoothing=1e-09"
    assert len(labels) == 10


def test_survivors_of_a_race_have_the_names_that_vary_among_all():
    X, y = make_classification(n_samples=120, random_state=0, flip_y=0)
    grid = {"C": [1e-8, 1.0], "kernel": ["linear"]}
    race = RacingGridSearchCV(
        SVC(), grid, cv=RepeatedKFold(n_splits=5, n_repeats=6, random_state=0)
    )
    labels = race.fit(X, y).compare(labels="name=value").labels
    assert labels == ("C=1.0",)


@pytest.mark.parametrize("labels", ["values", "", "name = value"])
def test_any_other_text_for_labels_raises(moons_comparison, labels):
    with pytest.raises(TypeError, match='one per candidate, or "name=value"; got'):
        moons_comparison.with_settings(labels=labels)


def test_labels_with_names_need_parameters(moons_comparison):
    with pytest.raises(ValueError, match='`labels` "name=value" needs parameters'):
        moons_comparison.with_settings(labels="name=value")
    with pytest.raises(ValueError, match='`labels` "name=value" needs parameters'):
        compare(np.eye(2, 12), labels="name=value", test_train_ratio=0.1)
