"""Sizes of splits: as the splitter of a search shows them, and as counted from its data."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn import model_selection as ms
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.linear_model import LogisticRegression

from sklearn_stats_compare import StatisticalGridSearchCV, compare

# Few splits are enough to count.
pytestmark = pytest.mark.filterwarnings("ignore::sklearn_stats_compare.ComparisonWarning")

X, y = make_classification(n_samples=103, weights=[0.7], random_state=0)
GROUPS = np.arange(103) // 9
FOLD = np.repeat([-1, 0, 1, 2], [3, 50, 30, 20])
HALF = {"test_size": 0.25, "train_size": 0.5, "random_state": 0}


def search(cv, kind=ms.GridSearchCV, **fit):
    """What it fits is no matter for sizes."""
    return kind(DummyClassifier(), {"strategy": ["prior"]}, cv=cv).fit(X, y, **fit)


@pytest.mark.parametrize(
    ("cv", "ratio", "given"),
    [
        (None, 1 / 4, {}),
        (10, 1 / 9, {}),
        (ms.KFold(7), 1 / 6, {}),
        (ms.StratifiedKFold(3), 1 / 2, {}),
        (ms.RepeatedKFold(n_splits=4, n_repeats=3, random_state=0), 1 / 3, {}),
        (ms.LeaveOneOut(), 1 / 102, {}),
        (ms.ShuffleSplit(12, test_size=20, train_size=60, random_state=0), 1 / 3, {}),
        (ms.ShuffleSplit(12, random_state=0), 11 / 92, {"n_samples": 103}),
        (ms.ShuffleSplit(12, test_size=0.3, random_state=0), 31 / 72, {"n_samples": 103}),
        (ms.ShuffleSplit(12, train_size=0.5, random_state=0), 52 / 51, {"n_samples": 103}),
        (ms.StratifiedShuffleSplit(12, **HALF), 26 / 51, {"n_samples": 103}),
        # The splitter alone does not show them.
        (ms.TimeSeriesSplit(6), None, {}),
        (ms.PredefinedSplit(FOLD), None, {}),
        (ms.GroupKFold(6), None, {}),
        (ms.GroupShuffleSplit(6, random_state=0), None, {}),
        (list(ms.StratifiedKFold(5).split(X, y)), None, {}),
    ],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_the_sizes_are_those_that_our_own_search_records(cv, ratio, given):
    """The search of this package saw the splits themselves while it scored."""
    groups = GROUPS if "Group" in type(cv).__name__ else None
    recorded = search(cv, StatisticalGridSearchCV, groups=groups).comparison_.scores.design
    plain = search(cv, groups=groups)
    found = compare(plain, X=X, y=y, groups=groups).scores.design
    for name in ("n_train", "n_test", "repeat", "overlap_ratio", "expanding"):
        np.testing.assert_array_equal(getattr(found, name), getattr(recorded, name))
    if ratio is not None:
        shown = compare(plain, **given).scores.design.test_train_ratio
        assert shown == pytest.approx(recorded.test_train_ratio, rel=1e-12)
        assert shown == pytest.approx(ratio, rel=1e-12)


TWELFTHS = ms.PredefinedSplit(np.arange(103) % 12)


@pytest.mark.parametrize("cv", [TWELFTHS, ms.ShuffleSplit(12), list(ms.KFold(12).split(X))])
def test_unknown_sizes_raise_an_error_that_names_the_arguments(cv):
    fitted = search(cv)
    with pytest.raises(ValueError, match=r"`test_train_ratio` must be given"):
        compare(fitted)
    assert compare(fitted, test_train_ratio=1 / 11).scores.n_splits == 12
    assert compare(fitted, n_train=[94] * 12, n_test=[9] * 12).scores.design.sizes_known


def test_shuffle_splits_without_a_seed_have_sizes_that_do_not_depend_on_the_draw():
    cv = ms.ShuffleSplit(5, test_size=0.2, random_state=np.random.RandomState(3))
    fitted = search(cv)
    state = cv.random_state.get_state()[1].copy()
    found = compare(fitted, X=X, y=y).scores.design
    assert found.n_test.tolist() == [21] * 5  # 0.2 · 103 = 20.6, rounded up
    assert found.n_train.tolist() == [82] * 5
    # The generator is the user's.
    np.testing.assert_array_equal(cv.random_state.get_state()[1], state)


def test_a_sparse_matrix_has_its_rows_counted():
    fitted = search(ms.TimeSeriesSplit(6))
    design = compare(fitted, X=csr_matrix(X), y=y).scores.design
    assert design.n_train.tolist() == [19, 33, 47, 61, 75, 89]  # 103 // 7 = 14 samples each


DATA = {"X": X, "y": y}
DRAWN = {**DATA, "groups": GROUPS}


@pytest.mark.parametrize(
    ("cv", "given", "match"),
    [
        (ms.GroupShuffleSplit(5), DRAWN, "`X` must be left out where the sizes depend on a draw"),
        (ms.KFold(5).split(X), DATA, "`cv` is a generator, which the search used up"),
        (ms.PredefinedSplit(FOLD), {"X": X[:50], "y": y[:50]}, "cannot split them"),
        (ms.GroupKFold(6), DATA, "The 'groups' parameter should not be None"),
        (5, {"y": y}, "`y` must be given together with `X`"),
        (5, {"groups": GROUPS}, "`groups` must be given together with `X`"),
        (5, {"X": X, "test_train_ratio": 0.2}, "`X` must be left out where"),
        (5, {"X": X, "n_train": 80, "n_test": 20}, "`X` must be left out where"),
        (5, {"X": X, "n_samples": 103}, "`n_samples` must be left out"),
    ],
)
def test_other_data_than_those_of_the_fit_are_refused(cv, given, match):
    fitted = search(cv, groups=GROUPS if "Group" in type(cv).__name__ else None)
    with pytest.raises(ValueError, match=match):
        compare(fitted, **given)


def test_data_are_refused_where_they_say_nothing():
    results = {"model": ms.cross_validate(DummyClassifier(), X, y, cv=5, return_indices=True)}
    for scores in (np.ones((2, 5)), results):
        with pytest.raises(ValueError, match="got scores without a search"):
            compare(scores, X=X)
    with pytest.raises(ValueError, match=r"`n_samples` must be left out for .* recorded the sizes"):
        compare(search(5, StatisticalGridSearchCV), n_samples=100)
    with pytest.raises(ValueError, match="which recorded the sizes"):
        compare(search(5, StatisticalGridSearchCV), X=X)
    fitted = search(ms.PredefinedSplit(FOLD))
    with pytest.raises(TypeError, match="`X` must be the data"):
        compare(fitted, X=3)
    fitted.cv = ms.PredefinedSplit(FOLD % 2)
    with pytest.raises(ValueError, match="makes 2 splits of them, and the search has scores of 3"):
        compare(fitted, X=X, y=y)
    halving = ms.HalvingGridSearchCV(
        LogisticRegression(), {"C": [0.01, 0.1, 1, 10, 100]}, cv=5, factor=3, random_state=0
    ).fit(X, y)
    assert halving.n_resources_[-1] < 103
    with pytest.raises(ValueError, match="scored its last candidates on about"):
        compare(halving, X=X, y=y)


def test_a_splitter_of_the_user_is_not_taken_for_scikit_learns_of_the_same_name():
    class KFold(ms.KFold):
        def split(self, X, y=None, groups=None):
            for train, test in super().split(X, y, groups):
                yield train[::2], test

    fitted = search(KFold(5))
    with pytest.raises(ValueError, match="`test_train_ratio` must be given"):
        compare(fitted)
    assert compare(fitted, test_train_ratio=0.5).scores.design.test_train_ratio == 0.5


@pytest.mark.parametrize(
    ("sizes", "match"),
    [
        ({"n_train": "30", "n_test": "10"}, "`n_train` must be whole numbers"),
        ({"test_train_ratio": 0.5, "n_samples": 90}, "`n_samples` must be left out where"),
    ],
)
def test_sizes_that_say_nothing_are_refused(sizes, match):
    with pytest.raises(ValueError, match=match):
        compare({"a": [0.1, 0.2, 0.3], "b": [0.2, 0.3, 0.3]}, **sizes)


def test_a_cv_that_was_set_after_the_fit_has_no_sizes():
    fitted = search(ms.RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0))
    assert compare(fitted).scores.design.test_train_ratio == 0.25
    for cv in (3, ms.StratifiedKFold(3), ms.RepeatedKFold(n_splits=2, n_repeats=2)):
        with pytest.raises(ValueError, match="`test_train_ratio` must be given"):
            compare(fitted.set_params(cv=cv))


def test_given_sizes_must_be_those_that_were_recorded():
    results = {"a": ms.cross_validate(DummyClassifier(), X, y, return_indices=True)}
    # Of scikit-learn's search, the splitter shows them. 1/5 is a common mistake for 1/4.
    for obj in (search(5, StatisticalGridSearchCV), results, search(5)):
        compare(obj, test_train_ratio=0.25)
        with pytest.raises(ValueError, match=r"^`test_train_ratio`.*is 0.25; got 0.2\."):
            compare(obj, n_train=100, n_test=20)
        with pytest.raises(
            ValueError, match=r"of the splits of `obj`, whose ratio is 0.25; got 99"
        ):
            compare(obj, test_train_ratio=99)
