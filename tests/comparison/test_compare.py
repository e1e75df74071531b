"""compare(): each kind of result that exists already gives the search's own tables."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_classification
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.linear_model import LogisticRegression, LogisticRegressionCV
from sklearn.model_selection import (
    GridSearchCV,
    HalvingGridSearchCV,
    KFold,
    LeaveOneOut,
    PredefinedSplit,
    RandomizedSearchCV,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    StratifiedShuffleSplit,
    cross_validate,
)
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from sklearn_stats_compare import ComparisonWarning, StatisticalGridSearchCV, compare
from sklearn_stats_compare.reports import report

X, y = make_classification(n_samples=103, n_features=6, flip_y=0.1, random_state=0)
GRID = [{"kernel": ["linear"]}, {"kernel": ["poly"], "degree": [2, 3]}, {"kernel": ["rbf"]}]
CV = RepeatedStratifiedKFold(n_splits=5, n_repeats=3, random_state=0)


@pytest.fixture(scope="module")
def ours():
    return StatisticalGridSearchCV(SVC(random_state=0), GRID, cv=CV).fit(X, y)


@pytest.fixture(scope="module")
def plain():
    return GridSearchCV(SVC(random_state=0), GRID, cv=CV).fit(X, y)


def assert_same_tables(comparison, search):
    for name in ("pairwise_frequentist", "pairwise_bayesian", "leader_table", "ranking"):
        pd.testing.assert_frame_equal(
            getattr(comparison, name),
            getattr(search.comparison_, name),
            rtol=1e-12,
            atol=1e-14,
            check_dtype=False,
        )


def test_a_search_of_ours_is_its_own_comparison(ours):
    assert_same_tables(compare(ours), ours)
    assert compare(ours, p_adjust="holm").p_adjust == "holm"


def test_a_plain_search_is_read_with_its_splitter(ours, plain):
    assert_same_tables(compare(plain), ours)
    assert compare(plain).scores.design.repeat.tolist() == np.repeat([0, 1, 2], 5).tolist()
    random = RandomizedSearchCV(SVC(random_state=0), GRID, n_iter=4, cv=CV, random_state=0)
    found = compare(random.fit(X, y)).leader_table
    expected = ours.comparison_.leader_table
    numbers = ["mean_diff", "t_stat", "p_val", "rope_prob"]
    np.testing.assert_allclose(found[numbers], expected[numbers], rtol=1e-12)


def test_results_as_mapping_frame_and_csv(ours, plain, tmp_path):
    results = plain.cv_results_
    assert_same_tables(compare(results, test_train_ratio=1 / 4), ours)
    frame = pd.DataFrame(results)
    assert_same_tables(compare(frame, test_train_ratio=1 / 4), ours)
    path = tmp_path / "results.csv"
    frame.to_csv(path, index=False)
    assert_same_tables(compare(path, test_train_ratio=1 / 4), ours)
    assert_same_tables(compare(str(path), n_train=80, n_test=20), ours)
    without = tmp_path / "without.csv"
    frame.drop(columns="params").to_csv(without, index=False)
    labels = compare(without, test_train_ratio=1 / 4).labels
    assert labels == ("linear", "poly_2.0", "poly_3.0", "rbf")  # a CSV column knows no integers


def test_results_of_cross_validate_supply_their_sizes(ours):
    models = {
        "linear": SVC(kernel="linear", random_state=0),
        "2_poly": SVC(kernel="poly", degree=2, random_state=0),
        "3_poly": SVC(kernel="poly", degree=3, random_state=0),
        "rbf": SVC(random_state=0),
    }
    results = {
        name: cross_validate(model, X, y, cv=CV, return_indices=True)
        for name, model in models.items()
    }
    comparison = compare(results)
    assert_same_tables(comparison, ours)
    assert comparison.scores.design.n_train.tolist() == ours.n_train_.tolist()
    for result in results.values():
        del result["indices"]
    with pytest.raises(ValueError, match=r"must be given.*do not contain.*return_indices=True"):
        compare(results)
    assert_same_tables(compare(results, test_train_ratio=0.25), ours)


def test_results_on_different_splits_raise():
    results = {
        str(seed): cross_validate(
            LogisticRegression(),
            X,
            y,
            cv=KFold(5, shuffle=True, random_state=seed),
            return_indices=True,
        )
        for seed in (0, 1)
    }
    with pytest.raises(ValueError, match=r"`obj` must hold the same splits .* of 0, 1 differ"):
        compare(results)
    shorter = {"a": {"test_score": [1, 2, 3]}, "b": {"test_score": [1, 2]}}
    with pytest.raises(ValueError, match=r"same splits for every model; got .*: 2, 3"):
        compare(shorter, test_train_ratio=1)


def test_plain_scores_as_frame_and_array(ours):
    scores = ours.comparison_.scores.values
    frame = pd.DataFrame(scores, index=ours.comparison_.labels)
    assert_same_tables(compare(frame, test_train_ratio=0.25), ours)
    comparison = compare(scores, test_train_ratio=0.25, labels=ours.comparison_.labels)
    assert_same_tables(comparison, ours)
    with pytest.raises(ValueError, match="`test_train_ratio` must be given"):
        compare(scores)


@pytest.mark.parametrize(
    ("cv", "n_samples", "ratio"),
    [
        (None, None, 1 / 4),
        (10, None, 1 / 9),
        (KFold(7), None, 1 / 6),
        (StratifiedKFold(3), None, 1 / 2),
        (RepeatedKFold(n_splits=4, n_repeats=3, random_state=0), None, 1 / 3),
        (LeaveOneOut(), None, 1 / 102),
        (ShuffleSplit(12, test_size=20, train_size=60, random_state=0), None, 1 / 3),
        (ShuffleSplit(12, random_state=0), 103, 11 / 92),
        (ShuffleSplit(12, test_size=0.3, random_state=0), 103, 31 / 72),
        (ShuffleSplit(12, train_size=0.5, random_state=0), 103, 52 / 51),
        (StratifiedShuffleSplit(12, test_size=0.25, train_size=0.5, random_state=0), 103, 26 / 51),
    ],
)
def test_sizes_that_follow_from_the_splitter_are_those_that_our_search_records(
    cv, n_samples, ratio
):
    arguments = {"cv": cv}
    tree, grid = DecisionTreeClassifier(random_state=0), {"max_depth": [1, 3]}
    recorded = StatisticalGridSearchCV(tree, grid, **arguments).fit(X, y).test_train_ratio_
    search = GridSearchCV(tree, grid, **arguments).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)
        found = compare(search, n_samples=n_samples).scores.design.test_train_ratio
    assert found == pytest.approx(recorded, rel=1e-12)
    assert found == pytest.approx(ratio, rel=1e-12)


def test_the_pool_is_known_where_the_number_of_samples_is():
    cv = ShuffleSplit(12, train_size=0.2, test_size=0.1, random_state=0)
    tree, grid = DecisionTreeClassifier(random_state=0), {"max_depth": [1, 3]}
    recorded = StatisticalGridSearchCV(tree, grid, cv=cv).fit(X, y)
    search = GridSearchCV(tree, grid, cv=cv).fit(X, y)
    found = compare(search, n_samples=103)
    given = compare(search, n_train=20, n_test=11, n_samples=103)
    for comparison in (recorded.comparison_, found, given):
        design = comparison.scores.design
        assert (design.test_train_ratio, design.overlap_ratio) == (11 / 20, 11 / 92)
    assert_same_tables(found, recorded)
    limit = found.resolution()["detectable_limit"] / found.resolution()["std"]
    # (z_{0.975} + z_{0.8})·√q: 1.95996 + 0.84162
    np.testing.assert_allclose(limit, 2.80159 * np.sqrt(11 / 92), rtol=1e-5)
    assert "corrected t-test, n_test/(n − n_test) = 0.1196" in repr(found)
    assert "1/12 + 0.1196 for the overlap of the splits, n_test/(n − n_test), because" in (
        " ".join(report(found).split())
    )


@pytest.mark.parametrize(
    "cv",
    [
        PredefinedSplit(np.arange(103) % 12),
        ShuffleSplit(12, random_state=0),
        list(KFold(12).split(X)),
    ],
)
def test_unknown_sizes_raise_an_error_that_names_the_arguments(cv):
    search = GridSearchCV(DecisionTreeClassifier(), {"max_depth": [1, 3]}, cv=cv).fit(X, y)
    with pytest.raises(ValueError, match=r"`test_train_ratio` must be given"):
        compare(search)
    assert compare(search, test_train_ratio=1 / 11).scores.n_splits == 12
    assert compare(search, n_train=[94] * 12, n_test=[9] * 12).scores.design.sizes_known


def test_the_last_iteration_of_a_halving_search_is_compared():
    search = HalvingGridSearchCV(
        LogisticRegression(), {"C": [0.001, 0.01, 0.1, 1, 10]}, cv=10, factor=2, random_state=0
    ).fit(X, y)
    last = search.cv_results_["iter"] == search.n_iterations_ - 1
    with pytest.warns(ComparisonWarning, match=f"Only the last .* {last.sum()} of {last.size}"):
        comparison = compare(search)
    assert len(comparison.ranking) == last.sum()
    kept = [p for p, is_last in zip(search.cv_results_["params"], last, strict=True) if is_last]
    assert [dict(p) for p in comparison.params] == kept


def test_several_metrics_need_one_by_name():
    search = GridSearchCV(
        LogisticRegression(), {"C": [0.01, 1]}, scoring=["accuracy", "roc_auc"], refit=False, cv=10
    ).fit(X, y)
    assert compare(search, metric="roc_auc").metric == "roc_auc"
    with pytest.raises(ValueError, match="`metric` must be one of accuracy, roc_auc; got None"):
        compare(search)
    with pytest.raises(ValueError, match="`metric` must be one of 'accuracy', 'roc_auc'; got 'f1'"):
        compare(search, metric="f1")


@pytest.mark.parametrize(
    ("obj", "arguments", "error", "message"),
    [
        (3, {}, TypeError, "`obj` must be a fitted search.*got int"),
        ([1, 2, 3], {"test_train_ratio": 1}, ValueError, "candidates × splits; got 1 dim"),
        ({}, {}, ValueError, "at least one model; it is empty"),
        (
            {"a": 3},
            {},
            TypeError,
            "mapping that cross_validate returns.*; 'a' is mapped to int",
        ),
        ({"a": {"fit_time": [1]}}, {}, ValueError, "test scores of every model; 'a' has none"),
        (
            {"split0_test_score": [1.0], "split2_test_score": [1.0]},
            {"test_train_ratio": 1},
            ValueError,
            "every split of 'score'; split 1 of 3 is missing",
        ),
        (
            {"split0_test_score": ["good"], "split1_test_score": [1.0]},
            {"test_train_ratio": 1},
            ValueError,
            "numbers as scores; split0 does not",
        ),
        ([[1.0, 2.0]], {"test_train_ratio": 0}, ValueError, "`test_train_ratio` must be a number"),
        ([[1.0, 2.0]], {"n_train": 9}, ValueError, "`n_train` and `n_test` must be given together"),
        (
            [[1.0, 2.0]],
            {"n_train": 9, "n_test": 1, "test_train_ratio": 1},
            ValueError,
            "`test_train_ratio` must be left out",
        ),
        ([[1.0, 2.0]], {"n_train": [9] * 3, "n_test": [1] * 3}, ValueError, "one column per split"),
    ],
)
def test_unreadable_objects_raise_an_error_that_explains_why(obj, arguments, error, message):
    with pytest.raises(error, match=message):
        compare(obj, **arguments)


def test_parameters_that_are_not_literals_are_read_from_their_columns(tmp_path):
    search = GridSearchCV(
        SVC(), {"C": [1, 2], "gamma": ["scale", "auto"], "kernel": [np.dot, "rbf"]}, cv=10
    )
    search.set_params(param_grid={"C": [1, 2], "gamma": ["scale", 0.5]}).fit(X, y)
    frame = pd.DataFrame(search.cv_results_).assign(params="SVC(C=1)")
    path = tmp_path / "results.csv"
    frame.to_csv(path, index=False)
    assert len(set(compare(path, test_train_ratio=1 / 9).labels)) == 4


def test_a_search_that_is_not_fitted_raises():
    search = GridSearchCV(DecisionTreeClassifier(), {"max_depth": [1, 2]})
    with pytest.raises(ValueError, match="got a GridSearchCV that is not fitted"):
        compare(search)
    # An estimator that tunes itself is no search, fitted or not.
    with pytest.raises(TypeError, match=r"must be a fitted search, .*; got LogisticRegressionCV"):
        compare(LogisticRegressionCV(cv=3))
