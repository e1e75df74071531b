"""BootstrapSplit: what is drawn; bootstrap_score: its definition in loops, right on average."""

import warnings
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from joblib import parallel_config
from sklearn import config_context
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris, make_classification
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier

import sklearn_stats_compare as ssc
from sklearn_stats_compare.evaluation import BootstrapSplit, bootstrap_score

IRIS, SPECIES = load_iris(return_X_y=True)
DEPTHS = {"max_depth": [1, 2, 3]}
DEEP = DecisionTreeClassifier(random_state=0)


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
    bags = BootstrapSplit(200, random_state=0).split(np.zeros(1000))
    shares = [np.unique(train).size / 1000 for train, _ in bags]
    assert np.mean(shares) == pytest.approx(1 - (1 - 1 / 1000) ** 1000, abs=0.002)


def test_strata_keep_their_numbers():
    words = np.array(["a", "b", "c"])[SPECIES]
    for strata in (SPECIES, pd.Series(words)):
        for train, _ in BootstrapSplit(20, random_state=0, stratify=True).split(IRIS, strata):
            assert np.unique(words[train], return_counts=True)[1].tolist() == [50, 50, 50]


@pytest.mark.parametrize("seed", [4, None])
def test_a_seed_is_reproducible_and_none_is_not(seed):
    cv = BootstrapSplit(3, random_state=seed)
    one, two = ([train.tolist() for train, _ in cv.split(IRIS)] for _ in range(2))
    assert (one == two) == (seed == 4)


def test_one_sample_leaves_none_out():
    with pytest.raises(ValueError, match=r"1000 draws in a row left no sample out.*got 1 samples"):
        list(BootstrapSplit(2).split(np.zeros((1, 1))))
    with pytest.raises(ValueError, match="left no sample out"):
        list(BootstrapSplit(2, stratify=True).split(np.zeros((3, 1)), ["a", "b", "c"]))
    # Two samples leave one out in half of the draws: redrawn until they do.
    assert all(test.size == 1 for _, test in BootstrapSplit(50).split(np.zeros((2, 1))))


@pytest.mark.parametrize(
    ("options", "y", "message"),
    [
        ({"n_splits": 2.5}, SPECIES, r"`n_splits` must be a whole number ≥ 1; got 2.5"),
        ({"stratify": True}, IRIS[:, 0], r"`stratify` must be False .* `y` is continuous"),
        ({"stratify": True}, None, r"`stratify` must be False .* `y` is none"),
    ],
)
def test_bad_settings_are_refused(options, y, message):
    with pytest.raises(ValueError, match=message):
        list(BootstrapSplit(**{"n_splits": 2, **options}).split(IRIS, y))


def test_groups_are_ignored_with_a_warning():
    with pytest.warns(UserWarning, match="`groups` are ignored by BootstrapSplit"):
        list(BootstrapSplit(2).split(IRIS, SPECIES, groups=np.arange(150)))


def test_it_works_as_cv_throughout_scikit_learn():
    cv = BootstrapSplit(6, random_state=0)
    assert repr(cv) == "BootstrapSplit(n_splits=6, random_state=0, stratify=False)"
    scores = cross_val_score(DEEP, IRIS, SPECIES, cv=cv)
    expected = [
        clone(DEEP).fit(IRIS[train], SPECIES[train]).score(IRIS[test], SPECIES[test])
        for train, test in cv.split(IRIS)
    ]
    assert scores.tolist() == expected
    assert len(cross_validate(DEEP, IRIS, SPECIES, cv=cv)["test_score"]) == 6
    search = clone(GridSearchCV(DEEP, DEPTHS, cv=cv)).fit(IRIS, SPECIES)
    assert search.n_splits_ == 6
    with config_context(enable_metadata_routing=True):
        assert GridSearchCV(DEEP, DEPTHS, cv=cv).fit(IRIS, SPECIES).n_splits_ == 6


def test_sizes_count_different_samples_and_a_warning_says_what_the_correction_is():
    cv = BootstrapSplit(20, random_state=0)
    search = ssc.StatisticalGridSearchCV(DEEP, DEPTHS, cv=cv).fit(IRIS, SPECIES)
    expected = [np.unique(train).size for train, _ in cv.split(IRIS)]
    assert search.n_train_.tolist() == expected
    assert (search.n_train_ + search.n_test_ == 150).all()
    with pytest.warns(ssc.ComparisonWarning, match=r"\(a bootstrap\), for which the ") as record:
        table = search.pairwise_frequentist_
    assert len(record) == 1
    assert table["t_stat"].notna().all()
    assert search.comparison_.scores.design.resampled
    with pytest.warns(ssc.ComparisonWarning, match="a bootstrap"):
        ssc.cross_validate_models([LogisticRegression(max_iter=999), DEEP], IRIS, SPECIES, cv=cv)
    race = ssc.RacingGridSearchCV(DEEP, DEPTHS, cv=cv, random_state=0).fit(IRIS, SPECIES)
    assert race.n_splits_ == 20


# bootstrap_score
X, y = make_classification(n_samples=60, n_features=5, flip_y=0.2, random_state=0)
TREE = DecisionTreeClassifier(max_depth=3, random_state=0)


def by_definition(model, X, y, loss, n_splits):
    """Apparent, leave-one-out bootstrap and no-information error, sample by sample."""
    bags = list(BootstrapSplit(n_splits, random_state=1).split(X, y))
    fitted = [clone(model).fit(X[train], y[train]) for train, _ in bags]
    own = []
    for i in range(len(y)):
        unseen = [model for model, (train, _) in zip(fitted, bags, strict=True) if i not in train]
        own.append(np.mean([loss(y[i], model.predict(X[i : i + 1])[0]) for model in unseen]))
    predictions = clone(model).fit(X, y).predict(X)
    apparent = np.mean([loss(*pair) for pair in zip(y, predictions, strict=True)])
    none = np.mean([[loss(a, b) for b in predictions] for a in y])
    return apparent, np.mean(own), none


@pytest.mark.parametrize(
    ("model", "target", "loss", "metric", "best"),
    [
        (TREE, y, lambda a, b: float(a != b), "accuracy", 1),
        (KNeighborsRegressor(3), X[:, 0] + y, lambda a, b: (a - b) ** 2,
         "neg_mean_squared_error", 0),
    ],
)  # fmt: skip
def test_the_definition(model, target, loss, metric, best):
    data = model, X[:, 1:], target
    options = {"n_splits": 25, "random_state": 1}
    apparent, oob, none = by_definition(*data, loss, 25)
    found = bootstrap_score(*data, **options)
    assert found.metric == metric
    assert found.apparent == pytest.approx(best - apparent)
    assert found.out_of_bag == pytest.approx(best - oob)
    assert found.no_information == pytest.approx(best - none)
    r = (min(oob, none) - apparent) / (none - apparent)
    weight = 0.632 / (1 - 0.368 * r)
    assert oob < none
    assert found.score == pytest.approx(best - (1 - weight) * apparent - weight * oob)
    point = bootstrap_score(*data, method=".632", **options)
    assert point.score == pytest.approx(best - 0.368 * apparent - 0.632 * oob)
    plain = bootstrap_score(*data, method="oob", **options)
    assert plain.score == pytest.approx(best - oob)
    # One's own loss gives the same number, as a loss.
    own = bootstrap_score(*data, loss=lambda a, b: np.vectorize(loss)(a, b), **options)
    assert own.metric == "neg_mean_loss"
    assert own.score == pytest.approx(found.score - best)
    assert own.no_information == pytest.approx(found.no_information - best)


def test_invariances():
    words = np.array(["no", "yes"])[y]
    options = {"n_splits": 10, "random_state": 0}
    found = bootstrap_score(TREE, X, y, **options)
    assert bootstrap_score(TREE, X, words, **options) == found
    with parallel_config("threading"):
        assert bootstrap_score(TREE, X, y, n_jobs=2, **options) == found
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-learn's, of column vectors
        for column in (y[:, None], pd.DataFrame({"y": y})):
            assert bootstrap_score(TREE, X, column, **options) == found


def test_outputs_of_regressors():
    def of(target):
        return bootstrap_score(LinearRegression(), X, target, n_splits=30, random_state=0)

    plain, other = of(X[:, 0] ** 2), of(X[:, 1] ** 2)
    scaled = of(3 * X[:, 0] ** 2 + 7)
    assert scaled.score == pytest.approx(9 * plain.score)
    assert scaled.weight == pytest.approx(plain.weight)
    assert of(X[:, :1] ** 2).score == pytest.approx(plain.score)
    both = of(X[:, :2] ** 2)
    assert both.out_of_bag == pytest.approx((plain.out_of_bag + other.out_of_bag) / 2)


def test_estimators_are_not_fitted_in_place_and_frames_are_accepted():
    data, target = load_iris(return_X_y=True, as_frame=True)
    tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    found = bootstrap_score(tree, data, target, n_splits=20, stratify=True, random_state=0)
    assert not hasattr(tree, "tree_")
    assert 0.85 < found.score < 1
    assert found.no_information == pytest.approx(1 / 3, abs=0.01)


@pytest.mark.parametrize("runs", [12, pytest.param(40, marks=pytest.mark.slow)])
def test_on_average_632_plus_is_unbiased_where_632_is_optimistic(runs):
    # The true accuracy of one nearest neighbour on noise is 0.5, whatever the data.
    rng = np.random.default_rng(0)
    plus, point, oob = [], [], []
    for seed in range(runs):
        noise, labels = rng.normal(size=(40, 3)), rng.integers(0, 2, 40)
        model = KNeighborsClassifier(1)
        found = bootstrap_score(model, noise, labels, n_splits=30, random_state=seed)
        plus.append(found.score)
        oob.append(found.out_of_bag)
        # The other methods use the same numbers, as test_the_definition shows.
        point.append(0.368 * found.apparent + 0.632 * found.out_of_bag)
    # Standard error of each mean about 0.08/√40 = 0.013, and 0.023 in twelve runs: three of them.
    within = 0.04 if runs == 40 else 0.07
    assert np.mean(oob) == pytest.approx(0.5, abs=within)
    assert np.mean(plus) == pytest.approx(0.5, abs=within)
    assert np.mean(point) > 0.65


@pytest.mark.parametrize(
    ("model", "target", "options", "message"),
    [
        (TREE, y, {"method": "632"}, r"`method` must be one of 'oob', '\.632', '\.632\+'"),
        (KMeans(), y, {}, "`loss` must be given for an estimator"),
        (TREE, y, {"loss": lambda a, b: 1.0}, "`loss` must give one finite number per sample"),
        (TREE, y, {"n_splits": 2}, r"`n_splits` must be larger: \d+ of 60 samples"),
        (TREE, y, {"n_splits": 0}, "`n_splits` must be a whole number ≥ 1; got 0"),
        (LinearRegression(), X[:, 0], {"stratify": True}, "`stratify` must be False where `y` is"),
    ],
)
def test_what_cannot_be_scored_raises(model, target, options, message):
    with pytest.raises(ValueError, match=message):
        bootstrap_score(model, X, target, random_state=0, **options)


@pytest.mark.parametrize("number", [float, lambda value: Decimal(str(value))])
def test_targets_may_be_numbers_of_any_class(number):
    target = np.round(X[:, 0] * 10, 3)
    objects = np.array([number(value) for value in target], dtype=object)
    found, expected = (
        bootstrap_score(LinearRegression(), X[:, 1:], own, random_state=0).score
        for own in (objects, target)
    )
    assert found == pytest.approx(expected)
