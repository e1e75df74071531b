"""cross_validate_models over several data sets: as on each alone, and its ledger."""

import warnings

import numpy as np
import pandas as pd
import pytest
from quick import Votes
from sklearn.datasets import load_iris, load_wine, make_classification
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import FitFailedWarning
from sklearn.model_selection import GroupKFold, KFold, RepeatedStratifiedKFold, ShuffleSplit
from sklearn.tree import DecisionTreeClassifier

import sklearn_stats_compare as ssc

# Few data sets, and few splits for single ones.
pytestmark = [
    pytest.mark.filterwarnings("ignore:[0-9] data sets"),
    pytest.mark.filterwarnings("ignore:There are only"),
]

SMALL = make_classification(60, random_state=0)
DATA = {
    "iris": load_iris(return_X_y=True),
    "wine": load_wine(return_X_y=True),
    "made": make_classification(90, random_state=1),
}
MODELS = {
    "tree": DecisionTreeClassifier(max_depth=2, random_state=0),
    "votes": Votes(),
    "dummy": DummyClassifier(),
}
TWO = {name: DATA[name] for name in ("wine", "iris")}
SHUFFLED = ShuffleSplit(4, test_size=0.3, random_state=0)
FITS = []


class Counted(DecisionTreeClassifier):
    """Writes down its fits."""

    def fit(self, X, y, sample_weight=None, check_input=True):
        FITS.append(len(X))
        return super().fit(X, y, sample_weight, check_input)


class Large(DecisionTreeClassifier):
    """Cannot be fitted to fewer than 50 samples."""

    def fit(self, X, y, sample_weight=None, check_input=True):
        if len(X) < 50:
            raise ValueError("too few samples")
        return super().fit(X, y, sample_weight, check_input)


def counted(depth=2):
    return Counted(max_depth=depth, random_state=0)


COUNTED = {"a": counted(2), "b": counted(3)}


def fits_of(call):
    FITS.clear()
    return call(), len(FITS)


def run_counted(data=DATA, models=COUNTED, **options):
    """The comparison, and how many fits it took."""
    return fits_of(lambda: ssc.cross_validate_models(models, data, **options))


def assert_same_scores(*found):
    assert found[0].datasets == found[1].datasets
    for name in found[0].datasets:
        np.testing.assert_array_equal(*(one.comparisons[name].scores.values for one in found))


@pytest.mark.parametrize(
    ("options", "n_jobs"),
    [
        ({"cv": RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0)}, None),
        ({"cv": SHUFFLED, "scoring": ["accuracy", "f1_macro"]}, 2),
        ({"cv": 4, "test": "samples", "alternative": "two-sided", "p_adjust": "holm"}, None),
        ({"cv": 3, "return_predictions": "values"}, 2),
        ({"cv": 3, "return_predictions": True}, None),
    ],
)
def test_each_data_set_is_as_alone(options, n_jobs):
    found = ssc.cross_validate_models(MODELS, DATA, n_jobs=n_jobs, **options)
    for name, (X, y) in DATA.items():
        alone = ssc.cross_validate_models(MODELS, X, y, **options)
        is_one = "scoring" not in options
        by_metric, alone = ({"score": found}, {"score": alone}) if is_one else (found, alone)
        assert list(by_metric) == list(alone)
        for metric, own in alone.items():
            among = by_metric[metric].comparisons[name]
            np.testing.assert_array_equal(among.scores.values, own.scores.values)
            np.testing.assert_array_equal(among.scores.design.n_test, own.scores.design.n_test)
            pd.testing.assert_frame_equal(among.frequentist(), own.frequentist())
            assert (among._predicted is None) == (own._predicted is None)
            assert among.metric == own.metric


def test_the_score_of_a_data_set_is_the_mean_over_its_splits():
    data = {"iris": load_iris(), "wine": load_wine(), "made": DATA["made"]}
    found = ssc.cross_validate_models(MODELS, data, cv=3)
    assert isinstance(found, ssc.DatasetsComparison)
    assert (found.datasets, found.labels) == (tuple(DATA), tuple(MODELS))
    assert (found.test, found.p_adjust, found.metric) == ("wilcoxon", "holm", "accuracy")
    for k, name in enumerate(DATA):
        means = found.comparisons[name].scores.values.mean(axis=1)
        np.testing.assert_array_equal(found.values[:, k], means)
    # Bunches are read like tuples.
    assert_same_scores(found, ssc.cross_validate_models(MODELS, DATA, cv=3))


def test_groups_are_those_of_their_data_set():
    # Whole groups are tested: of 6 groups of 15 and 5 of 30, 3 folds of 2 groups, and 2, 2 and 1.
    data = {"made": DATA["made"], "iris": DATA["iris"]}
    groups = {"iris": np.arange(150) % 5, "made": np.arange(90) % 6}
    found = ssc.cross_validate_models(MODELS, data, groups=groups, cv=GroupKFold(3))
    sizes = {name: sorted(found.comparisons[name].scores.design.n_test) for name in data}
    assert sizes == {"made": [30, 30, 30], "iris": [30, 60, 60]}
    own = {"groups": groups["iris"], "cv": GroupKFold(3)}
    alone = ssc.cross_validate_models(MODELS, *data["iris"], **own)
    np.testing.assert_array_equal(found.comparisons["iris"].scores.values, alone.scores.values)


def test_a_data_set_on_which_a_model_fails_is_left_out_and_named():
    with pytest.warns(FitFailedWarning, match="3 of 9 fits failed on 'small'. large: 3 of 3"):
        found = ssc.cross_validate_models(
            {"large": Large(), "tree": MODELS["tree"], "dummy": MODELS["dummy"]},
            {**DATA, "small": SMALL},
            cv=3,
        )
    assert found.datasets == tuple(DATA)
    assert found.note == "1 of 4 data sets left out, because scores are missing: small."


def test_models_that_fail_are_left_out_if_fewer_than_two_data_sets_would_remain():
    data = {"small": SMALL, "less": make_classification(50, random_state=2), "iris": DATA["iris"]}
    with pytest.warns(FitFailedWarning):
        found = ssc.cross_validate_models({"large": Large(), **MODELS}, data, cv=3)
    assert (found.labels, found.datasets) == (tuple(MODELS), tuple(data))
    assert "1 of 4 models left out, because scores are missing: large." in found.note
    with (
        pytest.warns(FitFailedWarning),
        pytest.raises(ValueError, match="`models` must contain at least two that can be fitted"),
    ):
        ssc.cross_validate_models({"large": Large(), "dummy": DummyClassifier()}, data, cv=3)


def test_an_error_names_its_data_set():
    with pytest.raises(ValueError, match="can be fitted: 6 of 6 fits failed on 'small'"):
        ssc.cross_validate_models({"a": Large(), "b": Large()}, {**DATA, "small": SMALL}, cv=3)
    with pytest.raises(ValueError, match="inconsistent") as caught:
        ssc.cross_validate_models(MODELS, {**DATA, "bad": (SMALL[0], SMALL[1][:-1])})
    assert caught.value.__notes__ == ["This was the data set 'bad'."]


@pytest.mark.parametrize(
    ("data", "options", "match"),
    [
        ({"iris": DATA["iris"]}, {}, "`X` must hold at least 2 data sets"),
        ({}, {}, "`X` must hold at least 2 data sets"),
        ({"a": 3, "b": SMALL}, {}, "`X` must map each data set to .*'int' for 'a'"),
        ({1: SMALL, "1": DATA["iris"]}, {}, "`X` must name its data sets differently"),
        ({"a": SMALL, "b": SMALL}, {}, "'a' and 'b' are the same X and y"),
        (DATA, {"y": [0]}, "`y` must be left out"),
        (DATA, {"groups": [0]}, "`groups` must be a mapping"),
        (DATA, {"groups": {"unknown": [0]}}, "`groups` must be named after data sets"),
        (DATA, {"rope": "relative"}, "`rope` must be in score units"),
        (DATA, {"n_jobs": 0}, "`n_jobs` must be"),
        (DATA, {"verbose": "much"}, "`verbose` must be"),
        (DATA, {"ledger": 3}, "`ledger` must be the path of a folder"),
        # A list of splits would use only some samples of a larger data set.
        (DATA, {"cv": list(KFold(3).split(np.zeros(60)))}, "`cv` must be an int or a splitter"),
        (DATA, {"cv": KFold(3).split(np.zeros(60))}, "`cv` must be an int or a splitter"),
        (DATA, {"ledger": "x", "return_predictions": True}, "`return_predictions` must be"),
        (DATA, {"models": {"a": counted()}}, "`models` must contain at least 2"),
    ],
)
def test_what_is_refused_is_refused_before_any_fit(data, options, match, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    FITS.clear()
    with pytest.raises(ValueError, match=match):
        ssc.cross_validate_models(X=data, **{"models": COUNTED, **options})
    assert not FITS


def test_metrics_must_be_the_same_on_every_data_set():
    def scoring(estimator, X, y):
        return {"one": 1.0, "wide" if X.shape[1] > 10 else "narrow": 2.0}

    with pytest.raises(ValueError, match="`scoring` must give the same metrics on every data set"):
        ssc.cross_validate_models(MODELS, DATA, cv=3, scoring=scoring)


def test_a_second_run_fits_nothing_and_uses_the_splits_of_the_first(tmp_path):
    run = {"cv": ShuffleSplit(4, test_size=0.3), "ledger": tmp_path}  # without a seed
    first, n_fits = run_counted(**run)
    assert n_fits == 2 * 3 * 4
    again, n_fits = run_counted(**run)
    assert n_fits == 0
    assert_same_scores(first, again)
    pd.testing.assert_frame_equal(first.frequentist(), again.frequentist())


def test_further_models_and_data_sets_are_all_that_is_fitted(tmp_path):
    run = {"cv": 3, "ledger": tmp_path}
    ssc.cross_validate_models(COUNTED, TWO, **run)
    assert run_counted(**run)[1] == 2 * 3  # two models on "made"
    three = {"c": counted(1), **COUNTED}
    more, n_fits = run_counted(models=three, **run)
    assert n_fits == 3 * 3  # the third model on three data sets
    assert_same_scores(more, ssc.cross_validate_models(three, DATA, cv=3))


def test_failed_fits_are_tried_again(tmp_path):
    data = {**DATA, "small": SMALL}
    run = {"cv": 3, "ledger": tmp_path}
    for _ in range(2):
        with pytest.warns(FitFailedWarning, match="on 'small'"):
            found = ssc.cross_validate_models({"large": Large(), **MODELS}, data, **run)
        assert found.datasets == tuple(DATA)


@pytest.mark.parametrize("options", [{"return_predictions": "values"}, {"test": "samples"}])
def test_values_of_samples_are_kept_and_fitted_again_if_a_former_run_had_none(tmp_path, options):
    run = {"cv": 3, "ledger": tmp_path}
    ssc.cross_validate_models(COUNTED, TWO, **run)
    without = ssc.cross_validate_models(COUNTED, TWO, cv=3, **options)
    for expected in (2 * 2 * 3, 0):
        own, n_fits = run_counted(TWO, **run, **options)
        assert n_fits == expected
        for name in TWO:
            tables = (found.comparisons[name].against() for found in (own, without))
            pd.testing.assert_frame_equal(*tables)


def test_other_settings_are_refused_and_other_data_are_fitted(tmp_path):
    ssc.cross_validate_models(COUNTED, DATA, cv=3, ledger=tmp_path)
    with pytest.raises(ValueError, match="differs in `scoring`") as caught:
        ssc.cross_validate_models(COUNTED, DATA, cv=3, ledger=tmp_path, scoring="f1_macro")
    assert caught.value.__notes__ == ["This was the data set 'iris'."]
    with pytest.raises(ValueError, match="3 splits that are not the 4 of this `cv`"):
        ssc.cross_validate_models(COUNTED, DATA, cv=4, ledger=tmp_path)
    X, y = DATA["iris"]
    other = {**DATA, "iris": (X + 1, y)}
    found, n_fits = run_counted(other, cv=3, ledger=tmp_path)
    assert n_fits == 2 * 3
    assert_same_scores(found, ssc.cross_validate_models(COUNTED, other, cv=3))


XS = 70 * "x"


@pytest.mark.parametrize(
    "names",
    [("a/b", "a_b"), ("Iris", "iris"), ("..", "con"), (XS + "1", XS + "2"), ("é", "e"), ("", " ")],
)
def test_data_sets_have_folders_of_their_own(tmp_path, names):
    data = dict(zip(names, (DATA["iris"], DATA["wine"]), strict=True))
    first = ssc.cross_validate_models(COUNTED, data, cv=3, ledger=tmp_path)
    folders = [folder.name.lower() for folder in tmp_path.iterdir()]
    assert len(set(folders)) == 2  # also on a system that ignores case
    assert all(set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789_-") for name in folders)
    again, n_fits = run_counted(data, cv=3, ledger=tmp_path)
    assert n_fits == 0
    assert_same_scores(first, again)


def test_a_single_data_set_with_a_ledger_is_as_without_one(tmp_path):
    X, y = DATA["wine"]
    run = {"cv": GroupKFold(5), "groups": np.arange(len(y)) % 7}
    with pytest.warns(ssc.ComparisonWarning, match="There are only 5 splits"):
        without = ssc.cross_validate_models(COUNTED, X, y, **run)
    for expected in (10, 0):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found, n_fits = run_counted(X, y=y, ledger=tmp_path, **run)
        assert n_fits == expected
        assert ["There are only 5" in str(each.message) for each in caught] == [True]
        pd.testing.assert_frame_equal(found.against(), without.against())
    with pytest.raises(ValueError, match="`models` must contain one that can be fitted: 6 of 6"):
        ssc.cross_validate_models({"a": Large(), "b": Large()}, *SMALL, cv=3, ledger=tmp_path)


def test_searches_within_go_on_from_their_own_ledgers(tmp_path):
    search = ssc.StatisticalGridSearchCV(counted(), {"max_depth": [1, 2]}, cv=2)
    models = {"search": search, "tree": counted(2)}
    without = ssc.cross_validate_models(models, TWO, cv=3)
    for expected in (2 * 3 * (2 * 2 + 1 + 1), 0):  # inner fits, the refit, and the tree
        found, n_fits = run_counted(TWO, models, cv=3, ledger=tmp_path)
        assert n_fits == expected
        assert_same_scores(found, without)


def test_what_so_few_data_sets_cannot_show_is_said_before_the_fits():
    class Refuses(DummyClassifier):
        def fit(self, X, y):
            raise KeyboardInterrupt

    data = {str(k): (np.zeros((20, 1)), np.arange(20) % 2) for k in range(5)}
    with (
        pytest.warns(ssc.ComparisonWarning, match="5 data sets cannot show any difference"),
        pytest.raises(KeyboardInterrupt),
    ):
        ssc.cross_validate_models({"a": Refuses(), "b": Refuses()}, data)


def test_parameters_of_fits_are_the_same_for_all_data_sets():
    weights = {name: np.ones(len(own[1])) for name, own in TWO.items()}
    with pytest.raises(
        ValueError, match=r"`params` must hold the same for all data sets; .*weight"
    ):
        ssc.cross_validate_models(COUNTED, TWO, params={"sample_weight": weights})
