"""Tests of two estimators: mlxtend's numbers, live and as recorded, and what it cannot do."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_diabetes, load_iris
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import RepeatedKFold, RepeatedStratifiedKFold
from sklearn.multiclass import OneVsRestClassifier
from sklearn.tree import DecisionTreeClassifier

from sklearn_stats_compare import (
    ComparisonWarning,
    StatisticalGridSearchCV,
    combined_ftest_5x2cv,
    corrected_ttest,
    paired_ttest_5x2cv,
    paired_ttest_kfold_cv,
    paired_ttest_resampled,
)

ALL = [paired_ttest_5x2cv, combined_ftest_5x2cv, paired_ttest_kfold_cv, paired_ttest_resampled]
UNCORRECTED = pytest.mark.filterwarnings("ignore:Without a correction")
REFERENCE = Path(__file__).parents[1] / "reference" / "mlxtend_iris_5x2cv.json"

LINEAR = OneVsRestClassifier(LogisticRegression(solver="liblinear", random_state=1))
TREE = DecisionTreeClassifier(random_state=1)
STUMP = DecisionTreeClassifier(max_depth=1, random_state=1)


@pytest.fixture(scope="module")
def mlxtend():
    return pytest.importorskip("mlxtend.evaluate")


@pytest.fixture(scope="module")
def iris():
    """mlxtend's iris, which differs from scikit-learn's in a few cells."""
    return pytest.importorskip("mlxtend.data").iris_data()


@UNCORRECTED
@pytest.mark.parametrize(("name", "other"), [("tree", TREE), ("stump", STUMP)])
def test_recorded_numbers(iris, name, other):
    recorded = json.loads(REFERENCE.read_text())[f"ovr_liblinear(old default)__{name}"]
    found = {
        "t5x2": paired_ttest_5x2cv(LINEAR, other, *iris, random_seed=1),
        "F5x2": combined_ftest_5x2cv(LINEAR, other, *iris, random_seed=1),
        "kfold10_noshuffle_t": paired_ttest_kfold_cv(LINEAR, other, *iris, correction=None),
        "resampled30_t": paired_ttest_resampled(
            LINEAR, other, *iris, random_seed=1, correction=None
        ),
    }
    for key, result in found.items():
        statistic, pvalue = result
        np.testing.assert_allclose([statistic, pvalue], recorded[key], rtol=1e-10)
    differences = np.subtract(*found["t5x2"].scores.values).reshape(5, 2)
    np.testing.assert_allclose(differences, recorded["diffs_5x2"], atol=1e-12)


@UNCORRECTED
@pytest.mark.parametrize("seed", [0, 7])
@pytest.mark.parametrize(
    ("ours", "options"),
    [
        (paired_ttest_5x2cv, {}),
        (combined_ftest_5x2cv, {"scoring": "f1_macro"}),
        (paired_ttest_kfold_cv, {"cv": 5, "shuffle": True}),
        (paired_ttest_resampled, {"num_rounds": 12, "test_size": 0.25}),
    ],
)
def test_mlxtend_live(mlxtend, iris, ours, options, seed):
    theirs = getattr(mlxtend, ours.__name__)(LINEAR, STUMP, *iris, random_seed=seed, **options)
    if ours in (paired_ttest_kfold_cv, paired_ttest_resampled):
        options = {**options, "correction": None}
    found = ours(LINEAR, STUMP, *iris, random_seed=seed, **options)
    np.testing.assert_allclose(tuple(found), theirs, rtol=1e-10)


@UNCORRECTED
def test_regressors_are_scored_by_r2(mlxtend):
    X, y = load_diabetes(return_X_y=True)
    found = paired_ttest_5x2cv(LinearRegression(), Ridge(), X, y, random_seed=3)
    theirs = mlxtend.paired_ttest_5x2cv(LinearRegression(), Ridge(), X, y, random_seed=3)
    np.testing.assert_allclose(tuple(found), theirs, rtol=1e-10)


@pytest.mark.parametrize("test", ALL)
def test_identical_estimators_do_not_differ(iris, test):
    assert tuple(test(STUMP, STUMP, *iris, random_seed=0)) == (0, 1)


def test_corrected_tests_are_the_corrected_t(iris):
    kfold = paired_ttest_kfold_cv(LINEAR, STUMP, *iris)
    first, second = kfold.scores.values
    expected = corrected_ttest(first, second, n_train=135, n_test=15)
    assert kfold.statistic == pytest.approx(expected.statistic)
    assert kfold.pvalue == pytest.approx(expected.pvalue)
    resampled = paired_ttest_resampled(LINEAR, STUMP, *iris, random_seed=0)
    first, second = resampled.scores.values
    expected = corrected_ttest(first, second, n_train=105, n_test=45)
    assert resampled.statistic == pytest.approx(expected.statistic)
    assert resampled.df == (29,)


@pytest.mark.parametrize("test", [paired_ttest_kfold_cv, paired_ttest_resampled])
def test_the_textbook_number_comes_with_a_warning(iris, test):
    with pytest.warns(ComparisonWarning, match="treats the splits as independent") as record:
        plain = test(LINEAR, TREE, *iris, random_seed=0, correction=None)
    assert record[0].filename == __file__
    assert abs(plain.statistic) > abs(test(LINEAR, TREE, *iris, random_seed=0).statistic)
    with pytest.raises(ValueError, match="`correction` must be one of 'nadeau_bengio', None"):
        test(LINEAR, TREE, *iris, correction="bonferroni")


@pytest.mark.parametrize("test", ALL)
def test_frames_strata_groups_jobs_and_estimators_left_alone(test):
    X, y = load_iris(return_X_y=True, as_frame=True)
    groups = np.arange(150) % 30
    stump = DecisionTreeClassifier(max_depth=1, random_state=0)
    one = test(stump, DummyClassifier(), X, y, random_seed=0, stratify=True)
    two = test(stump, DummyClassifier(), X, y, random_seed=0, stratify=True, n_jobs=2)
    assert one == two
    assert not hasattr(stump, "tree_")
    assert len(set(np.round(one.scores.values[1], 12))) == 1  # strata: a third is right
    grouped = test(stump, DummyClassifier(), X, y, random_seed=0, groups=groups)
    assert (grouped.scores.design.n_test % 5 == 0).all()
    with pytest.raises(ValueError, match="`stratify` must be False where `groups` are given"):
        test(stump, DummyClassifier(), X, y, stratify=True, groups=groups)


def test_the_halves_are_complementary(iris):
    scores = paired_ttest_5x2cv(LINEAR, STUMP, *iris, random_seed=0).scores
    assert scores.design.complementary_halves
    assert scores.design.n_splits == 10


def test_failures_and_several_metrics_raise(iris):
    with pytest.raises(ValueError, match="`scoring` must be a single metric"):
        paired_ttest_5x2cv(LINEAR, STUMP, *iris, scoring=["accuracy", "f1_macro"])
    with pytest.raises(ValueError, match="`shuffle` must be False where `groups` are given"):
        paired_ttest_kfold_cv(LINEAR, STUMP, *iris, shuffle=True, groups=np.arange(150))
    with pytest.raises(ValueError, match="`num_rounds` must be a whole number ≥ 2; got 1"):
        paired_ttest_resampled(LINEAR, STUMP, *iris, num_rounds=1)
    with pytest.raises(ValueError, match=r"`cv` must be a whole number ≥ 2; got 2.5"):
        paired_ttest_kfold_cv(LINEAR, STUMP, *iris, cv=2.5)
    with pytest.raises(
        ValueError, match=r"on every split; got others for `estimator2` on splits 0, 1, 2"
    ):
        paired_ttest_kfold_cv(STUMP, TREE, *iris, scoring=_nan_for_trees)
    with pytest.raises(ValueError, match="max_depth"):
        paired_ttest_5x2cv(LINEAR, DecisionTreeClassifier(max_depth=-1), *iris)


def _nan_for_trees(estimator, X, y):
    return 0.5 if estimator.get_params()["max_depth"] == 1 else np.nan


def test_groups_that_cannot_be_halved_warn(iris):
    groups = np.repeat([0, 1, 2], [120, 20, 10])
    X, y = (part[np.random.default_rng(0).permutation(150)] for part in iris)
    for test in (paired_ttest_5x2cv, combined_ftest_5x2cv):
        with pytest.warns(ComparisonWarning, match="These groups cannot be halved") as record:
            test(TREE, STUMP, X, y, groups=groups, random_seed=0)
        assert len(record) == 1
        assert record[0].filename == __file__
    with pytest.warns(ComparisonWarning, match="Test sizes differ more than twofold"):
        paired_ttest_kfold_cv(TREE, STUMP, X, y, cv=3, groups=groups)


@pytest.mark.parametrize("kind", [RepeatedKFold, RepeatedStratifiedKFold])
def test_a_search_over_five_halvings_has_the_same_tests(kind):
    X, y = load_iris(return_X_y=True)
    cv = kind(n_splits=2, n_repeats=5, random_state=0)
    search = StatisticalGridSearchCV(
        DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2, 3]}, cv=cv
    ).fit(X, y)
    comparison = search.comparison_
    table = comparison.frequentist(test="5x2cv_t", p_adjust=None, alternative="two-sided")
    scores = comparison.scores.values
    order = comparison.scores.order
    differences = (scores[order[0]] - scores[order[1]]).reshape(5, 2)
    variance = differences.var(axis=1, ddof=1).mean()  # of two: the sum of squares
    assert table["t_stat"].iloc[0] == pytest.approx(differences[0, 0] / np.sqrt(variance))
    f = comparison.frequentist(test="5x2cv_f")
    assert f["t_stat"].iloc[0] == pytest.approx((differences**2).sum() / (10 * variance))
    assert (f["p_val"] >= f["p_unadjusted"]).all()
    assert f["verdict"].isin(["better", "worse", "undecided"]).all()
    assert table[["ci_low", "ci_high"]].isna().all(axis=None)
    with pytest.raises(ValueError, match="`p_adjust` must not be 'maxt'"):
        comparison.frequentist(test="5x2cv_t", p_adjust="maxt")


def test_ten_splits_that_are_not_halvings_raise(moons_search):
    with pytest.raises(ValueError, match="needs five pairs of splits that swap two halves"):
        moons_search.comparison_.frequentist(test="5x2cv_t")


def test_the_result_is_frozen_and_reads_well(iris):
    result = paired_ttest_5x2cv(LINEAR, STUMP, *iris, random_seed=1)
    assert repr(result).startswith("TwoEstimatorsResult(statistic=5.386")
    assert isinstance(pd.Series(tuple(result)).iloc[1], float)
    with pytest.raises(AttributeError):
        result.pvalue = 0
