"""Sizes of splits that compare() counts from the data of a search: compare(search, X=, y=)."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.datasets import make_classification
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    GroupShuffleSplit,
    HalvingGridSearchCV,
    KFold,
    PredefinedSplit,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_validate,
)

from sklearn_stats_compare import StatisticalGridSearchCV, compare

# Few splits are enough to count.
pytestmark = pytest.mark.filterwarnings("ignore::sklearn_stats_compare.ComparisonWarning")

X, y = make_classification(n_samples=103, weights=[0.7], random_state=0)
GROUPS = np.arange(103) // 9
GRID = {"C": [0.1, 1.0]}
FOLD = np.repeat([-1, 0, 1, 2], [3, 50, 30, 20])


def search(cv, kind=GridSearchCV, **fit):
    return kind(LogisticRegression(), GRID, cv=cv).fit(X, y, **fit)


@pytest.mark.parametrize(
    "cv",
    [
        ShuffleSplit(6, test_size=0.3, random_state=0),
        TimeSeriesSplit(6),
        PredefinedSplit(FOLD),
        GroupKFold(6),
        GroupShuffleSplit(6, random_state=0),
        7,
        KFold(7),
        list(StratifiedKFold(5).split(X, y)),
    ],
    ids=lambda cv: type(cv).__name__,
)
def test_the_sizes_are_those_that_our_own_search_records(cv):
    """The search of this package saw the splits themselves while it scored."""
    groups = GROUPS if "Group" in type(cv).__name__ else None
    recorded = search(cv, StatisticalGridSearchCV, groups=groups).comparison_.scores.design
    found = compare(search(cv, groups=groups), X=X, y=y, groups=groups).scores.design
    np.testing.assert_array_equal(found.n_train, recorded.n_train)
    np.testing.assert_array_equal(found.n_test, recorded.n_test)
    np.testing.assert_array_equal(found.repeat, recorded.repeat)
    assert found.overlap_ratio == recorded.overlap_ratio
    assert found.expanding == recorded.expanding


def test_shuffle_splits_without_a_seed_have_sizes_that_do_not_depend_on_the_draw():
    cv = ShuffleSplit(5, test_size=0.2, random_state=np.random.RandomState(3))
    fitted = search(cv)
    state = cv.random_state.get_state()[1].copy()
    found = compare(fitted, X=X, y=y).scores.design
    assert found.n_test.tolist() == [21] * 5  # 0.2 · 103 = 20.6, rounded up
    assert found.n_train.tolist() == [82] * 5
    # The generator is the user's.
    np.testing.assert_array_equal(cv.random_state.get_state()[1], state)


def test_grouped_splits_that_are_drawn_anew_are_refused():
    fitted = search(GroupShuffleSplit(5), groups=GROUPS)
    with pytest.raises(ValueError, match="`X` must be left out where the sizes depend on a draw"):
        compare(fitted, X=X, y=y, groups=GROUPS)


def test_a_generator_that_the_search_used_up_is_refused():
    fitted = search(KFold(5).split(X))
    with pytest.raises(ValueError, match="`cv` is a generator, which the search used up"):
        compare(fitted, X=X, y=y)


@pytest.mark.parametrize(
    ("cv", "given", "match"),
    [
        (PredefinedSplit(FOLD), {"X": X[:50], "y": y[:50]}, "cannot split them"),
        (GroupKFold(6), {"X": X, "y": y}, "The 'groups' parameter should not be None"),
    ],
)
def test_other_data_than_those_of_the_fit_are_refused(cv, given, match):
    groups = GROUPS if isinstance(cv, GroupKFold) else None
    with pytest.raises(ValueError, match=match):
        compare(search(cv, groups=groups), **given)


def test_another_number_of_splits_is_refused_with_both_numbers():
    fitted = search(PredefinedSplit(FOLD))
    fitted.cv = PredefinedSplit(FOLD % 2)
    with pytest.raises(ValueError, match="makes 2 splits of them, and the search has scores of 3"):
        compare(fitted, X=X, y=y)


def test_a_sparse_matrix_has_its_rows_counted():
    fitted = search(TimeSeriesSplit(6))
    design = compare(fitted, X=csr_matrix(X), y=y).scores.design
    assert design.n_train.tolist() == [19, 33, 47, 61, 75, 89]  # 103 // 7 = 14 samples each


def test_a_halving_search_that_ended_below_all_samples_is_refused():
    halving = HalvingGridSearchCV(
        LogisticRegression(), {"C": [0.01, 0.1, 1, 10, 100]}, cv=5, factor=3, random_state=0
    ).fit(X, y)
    assert halving.n_resources_[-1] < 103
    with pytest.raises(ValueError, match="scored its last candidates on about"):
        compare(halving, X=X, y=y)


@pytest.mark.parametrize(
    ("obj", "given", "match"),
    [
        (np.ones((2, 5)), {"X": X}, "got scores without a search"),
        ("results", {"X": X}, "got scores without a search"),
        ("search", {"y": y}, "`y` must be given together with `X`"),
        ("search", {"groups": GROUPS}, "`groups` must be given together with `X`"),
        ("search", {"X": X, "test_train_ratio": 0.2}, "`X` must be left out where"),
        ("search", {"X": X, "n_train": 80, "n_test": 20}, "`X` must be left out where"),
        ("search", {"X": X, "n_samples": 103}, "`n_samples` must be left out"),
        ("ours", {"X": X}, "which recorded the sizes"),
    ],
)
def test_data_where_they_say_nothing_are_refused(obj, given, match):
    made = {
        "search": lambda: search(5),
        "ours": lambda: search(5, StatisticalGridSearchCV),
        "results": lambda: {
            "model": cross_validate(LogisticRegression(), X, y, cv=5, return_indices=True)
        },
    }
    with pytest.raises(ValueError, match=match):
        compare(made[obj]() if isinstance(obj, str) else obj, **given)


def test_data_without_a_length_are_refused():
    with pytest.raises(TypeError, match="`X` must be the data"):
        compare(search(5), X=3)
