"""BootstrapSplit: what is drawn, what is left out, and its life as a `cv` of scikit-learn."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import config_context
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate
from sklearn.tree import DecisionTreeClassifier

from sklearn_stats_compare import (
    BootstrapSplit,
    ComparisonWarning,
    RacingGridSearchCV,
    StatisticalGridSearchCV,
    cross_validate_models,
)

X, y = load_iris(return_X_y=True)
DEPTHS = {"max_depth": [1, 2, 3]}
TREE = DecisionTreeClassifier(random_state=0)


@given(st.integers(2, 30), st.integers(1, 5), st.integers(0, 99))
def test_in_bag_and_out_of_bag_make_up_the_samples(n, n_splits, seed):
    splits = list(BootstrapSplit(n_splits, random_state=seed).split(np.zeros((n, 1))))
    assert len(splits) == n_splits
    for train, test in splits:
        assert train.size == n
        assert test.size
        assert sorted({*train} | {*test}) == list(range(n))
        assert not {*train} & {*test}


def test_a_bag_holds_632_of_1000():
    shares = [
        np.unique(train).size / 1000
        for train, _ in BootstrapSplit(200, random_state=0).split(np.zeros(1000))
    ]
    assert np.mean(shares) == pytest.approx(1 - (1 - 1 / 1000) ** 1000, abs=0.002)


def test_strata_keep_their_numbers():
    for train, _ in BootstrapSplit(20, random_state=0, stratify=True).split(X, y):
        assert np.bincount(y[train]).tolist() == [50, 50, 50]
    words = pd.Series(np.array(["a", "b", "c"])[y])
    for train, _ in BootstrapSplit(3, random_state=0, stratify=True).split(X, words):
        assert words.iloc[train].value_counts().tolist() == [50, 50, 50]


def test_a_seed_is_reproducible_and_none_is_not():
    seeded = BootstrapSplit(3, random_state=4)
    one, two = ([train.tolist() for train, _ in seeded.split(X)] for _ in range(2))
    assert one == two
    fresh = BootstrapSplit(3)
    one, two = ([train.tolist() for train, _ in fresh.split(X)] for _ in range(2))
    assert one != two


def test_one_sample_leaves_none_out():
    with pytest.raises(ValueError, match=r"1000 draws in a row left no sample out.*got 1 samples"):
        list(BootstrapSplit(2).split(np.zeros((1, 1))))
    with pytest.raises(ValueError, match="left no sample out"):
        list(BootstrapSplit(2, stratify=True).split(np.zeros((3, 1)), ["a", "b", "c"]))
    # Two samples leave one out in half of the draws: redrawn until they do.
    assert all(test.size == 1 for _, test in BootstrapSplit(50).split(np.zeros((2, 1))))


def test_bad_settings_are_refused():
    with pytest.raises(ValueError, match=r"`n_splits` must be a whole number ≥ 1; got 2.5"):
        BootstrapSplit(2.5)
    with pytest.raises(ValueError, match=r"`stratify` must be False .* `y` is continuous"):
        list(BootstrapSplit(2, stratify=True).split(X, X[:, 0]))
    with pytest.raises(ValueError, match=r"`stratify` must be False .* `y` is none"):
        list(BootstrapSplit(2, stratify=True).split(X))
    with pytest.warns(UserWarning, match="`groups` are ignored by BootstrapSplit"):
        list(BootstrapSplit(2).split(X, y, groups=np.arange(150)))


def test_it_works_as_cv_throughout_scikit_learn():
    cv = BootstrapSplit(6, random_state=0)
    assert repr(cv) == "BootstrapSplit(n_splits=6, random_state=0, stratify=False)"
    scores = cross_val_score(TREE, X, y, cv=cv)
    expected = [
        clone(TREE).fit(X[train], y[train]).score(X[test], y[test]) for train, test in cv.split(X)
    ]
    assert scores.tolist() == expected
    assert len(cross_validate(TREE, X, y, cv=cv, n_jobs=2)["test_score"]) == 6
    search = clone(GridSearchCV(TREE, DEPTHS, cv=cv)).fit(X, y)
    assert search.n_splits_ == 6
    with config_context(enable_metadata_routing=True):
        assert GridSearchCV(TREE, DEPTHS, cv=cv).fit(X, y).n_splits_ == 6


def test_sizes_count_different_samples_and_a_warning_says_what_the_correction_is():
    cv = BootstrapSplit(20, random_state=0)
    search = StatisticalGridSearchCV(TREE, DEPTHS, cv=cv).fit(X, y)
    expected = [np.unique(train).size for train, _ in cv.split(X)]
    assert search.n_train_.tolist() == expected
    assert (search.n_train_ + search.n_test_ == 150).all()
    with pytest.warns(
        ComparisonWarning, match=r"\(a bootstrap\), for which the variance"
    ) as record:
        table = search.pairwise_frequentist_
    assert len(record) == 1
    assert table["t_stat"].notna().all()
    assert search.comparison_.scores.design.resampled
    with pytest.warns(ComparisonWarning, match="a bootstrap"):
        cross_validate_models([LogisticRegression(max_iter=999), TREE], X, y, cv=cv)
    race = RacingGridSearchCV(TREE, DEPTHS, cv=cv, random_state=0).fit(X, y)
    assert race.n_splits_ == 20
