"""Sizes belong to splits, or data sets, by their labels; the structure of splits is kept."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_regression
from sklearn.linear_model import Lasso, Ridge
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    TimeSeriesSplit,
    cross_val_score,
    cross_validate,
)

from sklearn_stats_compare import StatisticalGridSearchCV, compare, compare_datasets
from sklearn_stats_compare.stats import corrected_ttest

pytestmark = pytest.mark.filterwarnings("ignore::sklearn_stats_compare.ComparisonWarning")

N_TEST = np.arange(30, 42)
FOLDS = pd.DataFrame(
    {
        "a": np.random.default_rng(7).binomial(N_TEST, 0.8) / N_TEST,
        "b": np.random.default_rng(8).binomial(N_TEST, 0.8) / N_TEST,
        "n_train": N_TEST.sum() - N_TEST,
        "n_test": N_TEST,
    }
)
X, y = make_regression(200, 5, noise=60, random_state=0)
MODELS = {"lasso": Lasso(3), "ridge": Ridge(30)}


def table(folds):
    sizes = {"n_train": folds["n_train"], "n_test": folds["n_test"]}
    return compare({"a": folds["a"], "b": folds["b"]}, **sizes).frequentist()


def test_numbered_sizes_follow_the_numbers_of_the_splits():
    pd.testing.assert_frame_equal(table(FOLDS.sample(frac=1, random_state=0)), table(FOLDS))


def test_sizes_with_other_labels_are_refused():
    named = FOLDS.set_axis([f"fold{k}" for k in range(1, 13)])
    with pytest.raises(ValueError, match="labels such as 'fold1'"):
        table(named)
    for sizes in ({2014: 900, 2015: 900}, {900, 800}):
        with pytest.raises(ValueError, match="`n_train` and `n_test` must be one number, or one"):
            compare(np.ones((2, 2)), n_train=sizes, n_test=100)


@pytest.mark.parametrize("form", [dict, pd.Series])
def test_sizes_by_data_set_are_a_mapping_or_a_series(form):
    rng = np.random.default_rng(0)
    names = [f"set {k}" for k in range(10)]
    rows = [(n, m, k, rng.uniform()) for n in names for m in "ab" for k in range(10)]
    long = pd.DataFrame(rows, columns=["dataset", "model", "fold", "score"])
    n_test = {name: 15 + k for k, name in enumerate(names)}
    n_train = {name: 9 * n for name, n in n_test.items()}
    found = compare_datasets(long, n_train=form(n_train), n_test=form(n_test))
    for name, own in found.comparisons.items():
        assert set(own.scores.design.n_test) == {n_test[name]}


def test_growing_training_sets_are_known_from_their_sizes():
    cv = TimeSeriesSplit(10)
    parts = [(len(train), len(test)) for train, test in cv.split(X)]
    n_train, n_test = map(list, zip(*parts, strict=True))
    results = {
        name: cross_validate(model, X, y, cv=cv, return_indices=True)
        for name, model in MODELS.items()
    }
    vectors = {name: cross_val_score(model, X, y, cv=cv) for name, model in MODELS.items()}
    found = compare(vectors, n_train=n_train, n_test=n_test)
    assert found.scores.design.expanding
    pd.testing.assert_frame_equal(found.frequentist(), compare(results).frequentist())


def test_sizes_given_for_a_file_keep_what_it_says_of_the_splits(tmp_path):
    cv = TimeSeriesSplit(10)
    results = {
        name: cross_validate(model, X, y, cv=cv, return_indices=True)
        for name, model in MODELS.items()
    }
    kept = compare(results)
    kept.to_csv(tmp_path / "saved.csv")
    design = kept.scores.design
    again = compare(
        tmp_path / "saved.csv",
        n_train=design.n_train,
        n_test=design.n_test,
        n_samples=design.n_samples,
    )
    pd.testing.assert_frame_equal(again.frequentist(), kept.frequentist())
    compare(FOLDS[["a", "b"]], test_train_ratio=1 / 11).to_csv(tmp_path / "ratio.csv")
    with pytest.raises(ValueError, match="`n_samples` must be left out where `obj` was compared"):
        compare(tmp_path / "ratio.csv", n_samples=150)


@pytest.mark.parametrize("cv", [TimeSeriesSplit(6), GroupKFold(5)])
def test_a_search_shares_the_recorded_splits_in_any_order(cv):
    groups = {"groups": np.arange(200) % 30} if isinstance(cv, GroupKFold) else {}
    ours = StatisticalGridSearchCV(Lasso(), {"alpha": [3]}, cv=cv).fit(X, y, **groups)
    theirs = GridSearchCV(Ridge(), {"alpha": [30]}, cv=cv).fit(X, y, **groups)
    found = [
        compare(dict(pairs)).frequentist()
        for pairs in ([("lasso", ours), ("ridge", theirs)], [("ridge", theirs), ("lasso", ours)])
    ]
    columns = ["std_err", "p_val"]
    pd.testing.assert_frame_equal(found[0][columns], found[1][columns])
    q = ours.comparison_.scores.design.overlap_ratio
    assert compare({"lasso": ours, "ridge": theirs}).scores.design.overlap_ratio == q


def test_a_ratio_beside_a_search_makes_up_no_sizes():
    vector = cross_val_score(Ridge(30), X, y, cv=10)
    old = compare({"old": vector}, metric="r2", test_train_ratio=0.111)
    new = GridSearchCV(Ridge(), {"alpha": [30]}, cv=10, scoring="r2").fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = compare({"old": old, "new": new})
    assert not found.scores.design.sizes_known


def test_contradicting_ratios_are_other_splits():
    first = compare({"a": FOLDS["a"]}, test_train_ratio=1 / 9)
    second = compare({"b": FOLDS["b"]}, test_train_ratio=1 / 2)
    with pytest.raises(ValueError, match=r"different ratios .* 0\.111, 0\.5"):
        compare({"a": first, "b": second})


@pytest.mark.parametrize("turn", [lambda f: f, lambda f: f.T])
def test_a_frame_of_scores_is_in_the_order_of_its_sizes(turn):
    mixed = FOLDS.sample(frac=1, random_state=0)
    sizes = {"n_train": mixed["n_train"], "n_test": mixed["n_test"]}
    found = compare(turn(mixed[["a", "b"]]), **sizes)
    pd.testing.assert_frame_equal(found.frequentist(), table(FOLDS))
    with pytest.raises(ValueError, match="`n_train` must be a Series with the numbers"):
        compare(turn(mixed[["a", "b"]]), **{name: list(own) for name, own in sizes.items()})
    with pytest.raises(ValueError, match="`n_train` must be a Series with the numbers"):
        compare(dict(mixed[["a", "b"]].items()), **{n: own.to_numpy() for n, own in sizes.items()})


def test_two_vectors_and_their_sizes_have_one_index():
    mixed = FOLDS.sample(frac=1, random_state=0)
    given = {"n_train": FOLDS["n_train"], "n_test": FOLDS["n_test"]}
    expected = corrected_ttest(FOLDS["a"], FOLDS["b"], **given).pvalue
    own = {"n_train": mixed["n_train"], "n_test": mixed["n_test"]}
    assert corrected_ttest(mixed["a"], mixed["b"], **own).pvalue == pytest.approx(expected)
    with pytest.raises(ValueError, match="`n_train` must have the index of `scores_1`"):
        corrected_ttest(mixed["a"], mixed["b"], **given)
