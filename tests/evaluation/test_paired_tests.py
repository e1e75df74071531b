"""Tests of two estimators: mlxtend's numbers, live and as recorded, and what it cannot do."""

import json
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import RepeatedKFold, RepeatedStratifiedKFold
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import sklearn_stats_compare as ssc

KFOLD, RESAMPLED, T_5X2, F_5X2 = (
    partial(ssc.evaluation.paired_cv_test, method=method)
    for method in ("kfold", "resampled", "5x2cv_t", "5x2cv_f")
)
# The functions of mlxtend, and what they call `n_splits`.
MLXTEND = {
    "kfold": ("paired_ttest_kfold_cv", "cv"),
    "resampled": ("paired_ttest_resampled", "num_rounds"),
    "5x2cv_t": ("paired_ttest_5x2cv", ""),
    "5x2cv_f": ("combined_ftest_5x2cv", ""),
}
CORRECTED = [KFOLD, RESAMPLED]
ALL = [T_5X2, F_5X2, *CORRECTED]
UNCORRECTED = pytest.mark.filterwarnings("ignore:Without a correction")
REFERENCE = Path(__file__).parents[1] / "reference" / "mlxtend_iris_5x2cv.json"

LINEAR = OneVsRestClassifier(LogisticRegression(solver="liblinear", random_state=1))
TREE = DecisionTreeClassifier(random_state=1)
STUMP = DecisionTreeClassifier(max_depth=1, random_state=1)
BAYES = GaussianNB()
GROUPS = np.arange(150) % 30


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
        "t5x2": T_5X2(LINEAR, other, *iris, random_seed=1),
        "F5x2": F_5X2(LINEAR, other, *iris, random_seed=1),
        "kfold10_noshuffle_t": KFOLD(LINEAR, other, *iris, correction=None),
        "resampled30_t": RESAMPLED(LINEAR, other, *iris, random_seed=1, correction=None),
    }
    for key, result in found.items():
        statistic, pvalue = result
        np.testing.assert_allclose([statistic, pvalue], recorded[key], rtol=1e-10)
    differences = np.subtract(*found["t5x2"].scores.values).reshape(5, 2)
    np.testing.assert_allclose(differences, recorded["diffs_5x2"], atol=1e-12)


@UNCORRECTED
@pytest.mark.parametrize(
    ("ours", "options"),
    [
        (T_5X2, {}),
        (F_5X2, {"scoring": "f1_macro"}),
        (KFOLD, {"n_splits": 5, "shuffle": True}),
        (RESAMPLED, {"n_splits": 12, "test_size": 0.25}),
    ],
)
@pytest.mark.parametrize("seed", [7, pytest.param(0, marks=pytest.mark.slow)])
def test_mlxtend_live(mlxtend, iris, ours, options, seed):
    uncorrected = {"correction": None} if ours in CORRECTED else {}
    name, count = MLXTEND[ours.keywords["method"]]
    theirs_options = {count if key == "n_splits" else key: v for key, v in options.items()}
    theirs = getattr(mlxtend, name)(LINEAR, STUMP, *iris, random_seed=seed, **theirs_options)
    found = ours(LINEAR, STUMP, *iris, random_seed=seed, **options, **uncorrected)
    np.testing.assert_allclose(tuple(found), theirs, rtol=1e-10)


def test_regressors_are_scored_by_r2(mlxtend):
    arguments = (LinearRegression(), Ridge(), *load_diabetes(return_X_y=True))
    theirs = mlxtend.paired_ttest_5x2cv(*arguments, random_seed=3)
    found = T_5X2(*arguments, random_seed=3)
    np.testing.assert_allclose(tuple(found), theirs, rtol=1e-10)


@pytest.mark.parametrize("test", ALL)
def test_identical_estimators_do_not_differ(iris, test):
    assert tuple(test(STUMP, STUMP, *iris, random_seed=0)) == (0, 1)


def test_corrected_tests_are_the_corrected_t(iris):
    for test, n_train, n_test, df in ((KFOLD, 135, 15, 9), (RESAMPLED, 105, 45, 29)):
        found = test(BAYES, STUMP, *iris, random_seed=0)
        expected = ssc.stats.corrected_ttest(*found.scores.values, n_train=n_train, n_test=n_test)
        assert found.statistic == pytest.approx(expected.statistic)
        assert found.pvalue == pytest.approx(expected.pvalue)
        assert found.df == (df,)


@pytest.mark.parametrize("test", CORRECTED)
def test_the_textbook_number_comes_with_a_warning(iris, test):
    with pytest.warns(ssc.ComparisonWarning, match="treats the splits as independent") as record:
        plain = test(BAYES, STUMP, *iris, random_seed=0, correction=None)
    assert record[0].filename == __file__
    assert abs(plain.statistic) > abs(test(BAYES, STUMP, *iris, random_seed=0).statistic)


@pytest.mark.parametrize("test", ALL)
def test_frames_strata_groups_jobs_and_estimators_left_alone(test):
    X, y = load_iris(return_X_y=True, as_frame=True)
    stump = DecisionTreeClassifier(max_depth=1, random_state=0)
    estimators = (stump, DummyClassifier(), X, y)
    one = test(*estimators, random_seed=0, stratify=True)
    assert test(*estimators, random_seed=0, stratify=True, n_jobs=2) == one
    assert not hasattr(stump, "tree_")
    assert len(set(np.round(one.scores.values[1], 12))) == 1  # strata: a third is right
    grouped = test(*estimators, random_seed=0, groups=GROUPS)
    assert (grouped.scores.design.n_test % 5 == 0).all()


@pytest.mark.parametrize(
    ("test", "options", "message"),
    [
        (T_5X2, {"scoring": ["accuracy", "f1_macro"]}, "`scoring` must be a single m"),
        (KFOLD, {"shuffle": True, "groups": GROUPS}, "`shuffle` must be False where `groups` are"),
        (T_5X2, {"stratify": True, "groups": GROUPS}, "`stratify` must be False where `groups`"),
        (RESAMPLED, {"n_splits": 1}, "`n_splits` must be a whole number ≥ 2; got 1"),
        (F_5X2, {"n_splits": 5}, "`n_splits` must be None with '5x2cv_f'; got 5"),
        (KFOLD, {"n_splits": 2.5}, r"`n_splits` must be a whole number ≥ 2; got 2.5"),
        (KFOLD, {"correction": "bonferroni"}, "`correction` must be one of 'nadeau_bengio', None"),
        (
            KFOLD,
            {"scoring": lambda model, X, y: 0.5 if model.max_depth == 1 else np.nan},
            r"on every split; got others for `estimator2` on splits 0, 1, 2",
        ),
        (T_5X2, {"estimator2": DecisionTreeClassifier(max_depth=-1)}, "max_depth"),
    ],
)
def test_failures_and_several_metrics_raise(iris, test, options, message):
    X, y = iris
    arguments = {"estimator1": STUMP, "estimator2": TREE, "X": X, "y": y, **options}
    with pytest.raises(ValueError, match=message):
        test(**arguments)


def test_groups_that_cannot_be_halved_warn(iris):
    groups = np.repeat([0, 1, 2], [120, 20, 10])
    X, y = (part[np.random.default_rng(0).permutation(150)] for part in iris)
    for test in (T_5X2, F_5X2):
        with pytest.warns(ssc.ComparisonWarning, match="These groups cannot be halved") as record:
            test(TREE, STUMP, X, y, groups=groups, random_seed=0)
        assert len(record) == 1
        assert record[0].filename == __file__
    with pytest.warns(ssc.ComparisonWarning, match="Test sizes differ more than twofold"):
        KFOLD(TREE, STUMP, X, y, n_splits=3, groups=groups)


@pytest.mark.parametrize("kind", [RepeatedKFold, RepeatedStratifiedKFold])
def test_a_search_over_five_halvings_has_the_same_tests(kind):
    X, y = load_iris(return_X_y=True)
    cv = kind(n_splits=2, n_repeats=5, random_state=0)
    search = ssc.StatisticalGridSearchCV(TREE, {"max_depth": [1, 2, 3]}, cv=cv)
    comparison = search.fit(X, y).comparison_
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


def test_the_result_is_frozen_and_says_what_it_compared(iris):
    result = T_5X2(LINEAR, STUMP, *iris, random_seed=1)
    assert repr(result).startswith("TwoEstimatorsResult(statistic=5.386")
    assert "labels=('OneVsRestClassifier', 'DecisionTreeClassifier')" in repr(result)
    with pytest.raises(AttributeError):
        result.pvalue = 0
    assert result.scores.design.complementary_halves
    again = F_5X2(BAYES, GaussianNB(var_smoothing=1.0), *iris, random_seed=0)
    assert again.labels == ("GaussianNB 1", "GaussianNB 2")


def test_a_number_of_jobs_that_joblib_refuses_is_refused_by_name(iris):
    with pytest.raises(ValueError, match=r"`n_jobs` must be None or a whole number.*got 0"):
        KFOLD(TREE, STUMP, *iris, n_jobs=0)
