"""return_predictions="auto": what a search keeps that no one asked to keep."""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn import model_selection as ms
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.compose import TransformedTargetRegressor
from sklearn.datasets import load_breast_cancer, load_diabetes, make_classification, make_regression
from sklearn.linear_model import HuberRegressor, LogisticRegression, Ridge
from sklearn.metrics import make_scorer
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

import sklearn_stats_compare as ssc
from sklearn_stats_compare.evaluation import mcnemar_of
from sklearn_stats_compare.predictions import _responses

X, y = load_breast_cancer(return_X_y=True)
GRID = {"var_smoothing": [1e-9, 1e-3, 1.0]}

pytestmark = pytest.mark.filterwarnings("ignore:There are only")


def searched(cv=5, model=None, grid=GRID, data=(X, y), **options):
    model = GaussianNB() if model is None else model
    return ssc.StatisticalGridSearchCV(model, grid, cv=cv, **options).fit(*data)


def kept(search):
    return search._record.evaluated.ledger.responses


def test_labels_take_a_byte_each_and_probabilities_are_kept_as_they_are():
    # No value of a sample is computed during a fit.
    cells = kept(searched()).cells
    assert {cell["predict"].array.dtype for cell in cells.values()} == {np.dtype(np.uint8)}
    losses = kept(searched(scoring="neg_log_loss")).cells[0, 0]
    assert sorted(losses) == ["classes", "predict_proba"]
    assert losses["predict_proba"].array.dtype == np.float64


def test_what_happens_to_the_data_after_the_fit_changes_no_value():
    target = y.copy()
    search = searched(data=(X, target))
    target[:] = 0
    found = search.compare(test="samples").frequentist()
    pd.testing.assert_frame_equal(found, searched().compare(test="samples").frequentist())


REGRESSION = {
    "model": Ridge(), "grid": {"alpha": [0.01, 0.1, 1.0]}, "data": load_diabetes(return_X_y=True),
}  # fmt: skip


@pytest.mark.parametrize(
    ("scoring", "options"),
    [(name, {}) for name in (None, "accuracy", "neg_log_loss", "neg_brier_score", "roc_auc", "f1")]
    + [(name, REGRESSION) for name in ("r2", "neg_mean_squared_error", "neg_mean_absolute_error")],
)
def test_they_are_those_of_a_search_that_was_asked_for_them(scoring, options):
    found = searched(scoring=scoring, **options).compare(test="samples").frequentist()
    for asked in ({"test": "samples"}, {"return_predictions": True}):
        expected = searched(scoring=scoring, **asked, **options).compare(test="samples")
        pd.testing.assert_frame_equal(found, expected.frequentist(), rtol=1e-6)


@pytest.mark.filterwarnings("ignore:Scores vary more between splits")  # on one split
@pytest.mark.parametrize("keeps", ["auto", "values"])
@pytest.mark.parametrize("scoring", ["neg_mean_squared_error", "r2"])
def test_a_candidate_that_diverged_is_compared_as_by_its_predictions(scoring, keeps):
    # Squares of 1e25 are beyond single precision.
    diverged = TransformedTargetRegressor(
        Ridge(), func=np.copy, inverse_func=lambda z: 1e25 * z, check_inverse=False
    )
    options = {**REGRESSION, "model": Pipeline([("ridge", Ridge())]), "scoring": scoring}
    options["grid"] = {"ridge": [Ridge(0.01), Ridge(1.0), diverged]}
    search = searched(return_predictions=keeps, **options)
    exact = searched(return_predictions=True, **options).compare(test="samples")
    assert search.recommend().candidates["mean"].notna().all()
    found = search.compare(test="samples").frequentist()
    pd.testing.assert_frame_equal(found, exact.frequentist(), rtol=1e-5)


@pytest.mark.parametrize("unit", [1e-25, 1e25])
def test_a_change_of_units_changes_no_t(unit):
    def t(unit):
        X, y = REGRESSION["data"]
        options = {**REGRESSION, "data": (X, y * unit), "scoring": "neg_mean_squared_error"}
        return searched(**options).compare(test="samples").frequentist()["t_stat"].tolist()

    assert t(1.0) == pytest.approx(t(unit), rel=1e-5)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (
            {"cv": ms.RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)},
            "100 splits",
        ),
        ({"cv": ms.ShuffleSplit(4, random_state=0)}, "no repeats of folds"),
        ({"cv": ms.TimeSeriesSplit(4)}, "no repeats of folds"),
        ({"scoring": lambda estimator, X, y: 0.5}, "a function of the estimator"),
        ({"scoring": make_scorer(lambda y, found: float((y == found).mean()))}, "a jackknife"),
        ({"return_predictions": False}, "refused"),
    ],
)
def test_nothing_is_kept_where_it_is_of_no_use_or_not_cheap(options, why):
    assert kept(searched(**options)) is None, why


def test_nothing_is_kept_above_64_megabytes(monkeypatch):
    # 3 candidates, 569 tested samples of a byte, 5 splits with 1,000 bytes around them
    monkeypatch.setattr(_responses, "_SMALL_SIZE", 3 * (569 + 5 * 1_000))
    assert kept(searched()) is not None
    monkeypatch.setattr(_responses, "_SMALL_SIZE", 3 * (569 + 5 * 1_000) - 1)
    assert kept(searched()) is None


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_what_grows_beyond_that_during_the_fit_is_dropped_and_no_longer_recorded(
    monkeypatch, n_jobs
):
    # 16 bytes for two probabilities, where one a sample might have been enough
    monkeypatch.setattr(_responses, "_SMALL_SIZE", 3 * (16 * 569 + 5 * 1_000))
    options = {"scoring": "neg_log_loss", "n_jobs": n_jobs}
    assert kept(searched(**options)) is not None
    monkeypatch.setattr(_responses, "_SMALL_SIZE", 3 * (16 * 569 + 5 * 1_000) - 1)
    search = searched(**options)
    assert kept(search) is None
    plain = ms.GridSearchCV(GaussianNB(), GRID, cv=5, **options).fit(X, y)
    np.testing.assert_array_equal(
        search.cv_results_["mean_test_score"], plain.cv_results_["mean_test_score"]
    )
    with pytest.raises(ValueError, match="were not kept"):
        search.compare(test="samples")


class Own(ClassifierMixin, BaseEstimator):
    """Counts on its own type, as code of users may."""

    def __init__(self, shift=0):
        self.shift = shift

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.zeros(len(X), dtype=int)

    def score(self, X, y):
        assert type(self) is Own
        return 0.25


def test_a_score_of_the_users_own_sees_its_own_estimator():
    search = searched(model=Own(), grid={"shift": [0, 1]}, error_score="raise")
    assert search.cv_results_["mean_test_score"].tolist() == [0.25, 0.25]
    assert kept(search) is None


class Broken(GaussianNB):
    """Returns probabilities for which there is no value of a sample."""

    def predict_proba(self, X):
        return np.full((len(X), 2), 0.5)[:, ::-1].astype(object)


def test_no_failure_and_no_warning_comes_from_keeping():
    options = {"scoring": "neg_log_loss", "error_score": "raise"}
    search = searched(model=Broken(), **options)
    plain = ms.GridSearchCV(Broken(), GRID, cv=5, **options).fit(X, y)
    np.testing.assert_array_equal(
        search.cv_results_["mean_test_score"], plain.cv_results_["mean_test_score"]
    )


def test_pickles_and_copies_have_them_only_if_they_were_asked_for():
    search, lean = searched(), searched(return_predictions=False)
    size = {one: len(pickle.dumps(one)) for one in (search, lean)}
    assert abs(size[search] - size[lean]) < 100  # the word of the parameter, and times
    assert kept(copy.copy(search)) is kept(search)  # which shares the record
    for again in (pickle.loads(pickle.dumps(search)), copy.deepcopy(search)):
        assert kept(again) is None
        assert again.comparison_.leader == search.comparison_.leader
        for said in (again.comparison_, again.recommend()):
            assert "are not in this pickle" in " ".join(repr(said).split())
    assert kept(search) is not None
    assert "pickle" not in repr(search.comparison_)
    comparison = pickle.loads(pickle.dumps(search.comparison_))
    assert comparison._predicted is None
    asked = pickle.loads(pickle.dumps(searched(return_predictions="values")))
    assert asked.compare(test="samples").leader == search.comparison_.leader


@pytest.mark.filterwarnings("ignore:The splits of this search were not shuffled")
def test_an_extension_keeps_them_as_long_as_they_are_cheap(monkeypatch):
    search = searched()
    search.extend(X, y, n_repeats=1)
    assert search.compare(test="samples").scores.samples.values.shape[1] == 2
    monkeypatch.setattr(_responses, "_SMALL_SIZE", 10)
    search.extend(X, y, n_repeats=1)
    assert kept(search) is None
    assert search.n_splits_ == 15


def test_a_search_that_resumes_from_a_ledger_has_those_of_all_fits(tmp_path):
    path = tmp_path / "search.sqlite"
    first = searched(ledger=path, grid={"var_smoothing": [1e-9, 1e-3]})
    assert first.n_reused_ == 0
    again = searched(ledger=path)
    assert again.n_reused_ == 10
    whole = searched()
    pd.testing.assert_frame_equal(
        again.compare(test="samples").frequentist(), whole.compare(test="samples").frequentist()
    )
    # A file without them costs no second fit.
    other = tmp_path / "other.sqlite"
    searched(ledger=other, return_predictions=False)
    resumed = searched(ledger=other)
    assert resumed.n_reused_ == 15
    assert "by samples" not in resumed.comparison_.next_step()
    assert "5 splits" in str(resumed.recommend())


def test_a_race_that_looks_at_splits_keeps_them_and_its_default_is_unchanged():
    cv = ms.RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
    race = ssc.RacingGridSearchCV(GaussianNB(), GRID, cv=cv, random_state=0, interim="splits")
    assert kept(race.fit(X, y)).by_default
    assert not kept(race.set_params(interim="auto").fit(X, y)).by_default


def test_the_page_the_warning_and_the_next_step_say_what_the_same_fits_decide():
    model = make_pipeline(StandardScaler(), LogisticRegression())
    grid = {"logisticregression__C": [1e-5, 1e-4, 0.01, 1.0]}
    search = searched(model=model, grid=grid)
    with pytest.warns(ssc.ComparisonWarning, match=r'compare\(test="samples"\)') as caught:
        comparison = search.comparison_
    assert "Use more splits" not in str(caught[0].message)
    is_open = comparison.against()["verdict"].eq("undecided").to_numpy()
    by_samples = search.compare(test="samples").against()["verdict"].ne("undecided").to_numpy()
    n_open, n_decided = is_open.sum(), (is_open & by_samples).sum()
    assert n_open >= n_decided > 0
    said = (
        f'By samples the same fits decide {n_decided} of {n_open}: search.compare(test="samples")'
    )
    assert said in comparison.next_step()
    assert said in " ".join(repr(comparison).split())


def test_the_estimator_of_a_search_may_be_searched_itself():
    inner = ssc.StatisticalGridSearchCV(GaussianNB(), GRID, cv=3)
    outer = ssc.StatisticalGridSearchCV(inner, {"cv": [3, 4]}, cv=3, scoring="accuracy").fit(X, y)
    assert outer.compare(test="samples").scores.n_candidates == 2


def test_values_of_kept_responses_have_double_precision():
    # Of numbers around 1e9, single precision would lose differences below 60.
    data, target = make_regression(60, 3, noise=20.0, random_state=0)
    grid = {"alpha": [0.1, 0.1001]}
    how = {"scoring": "neg_mean_squared_error", "cv": 5}
    kept, asked = (
        ssc.StatisticalGridSearchCV(Ridge(), grid, **how, **options).fit(data, target * 1e5 + 1e9)
        for options in ({}, {"return_predictions": True})
    )
    tables = [search.compare(test="samples").frequentist() for search in (kept, asked)]
    assert tables[0]["std_err"][0] > 0
    pd.testing.assert_frame_equal(*tables)


@pytest.mark.filterwarnings("ignore::sklearn_stats_compare.ComparisonWarning")
def test_one_enormous_loss_does_not_hide_the_differences_of_all_others():
    data, target = make_regression(60, 3, noise=1.0, random_state=0)
    target[5] = 1e7
    models = {"alpha": [0.001, 30.0]}
    search = ssc.StatisticalGridSearchCV(
        HuberRegressor(max_iter=500), models, scoring="neg_mean_absolute_error", cv=ms.KFold(5),
        return_predictions="values",
    ).fit(data, target)  # fmt: skip
    losses = [
        np.abs(ms.cross_val_predict(clone(search.estimator).set_params(alpha=a), data, target,
                                 cv=ms.KFold(5)) - target)
        for a in models["alpha"]
    ]  # fmt: skip
    (row,) = search.compare(test="samples", p_adjust=None).frequentist().itertuples()
    assert row.mean_diff == pytest.approx(abs(np.mean(losses[1] - losses[0])), rel=1e-6)
    assert row.std_err > 0


@pytest.mark.filterwarnings("ignore::sklearn_stats_compare.ComparisonWarning")
def test_samples_without_a_group_are_groups_of_their_own():
    data, target = make_classification(90, random_state=0)
    groups = np.repeat(np.arange(30.0), 3)
    groups[:6] = np.nan
    folds = list(ms.KFold(5).split(data))
    search = ssc.StatisticalGridSearchCV(GaussianNB(), GRID, cv=folds, test="samples")
    samples = search.fit(data, target, groups=groups).comparison_.scores.samples
    assert samples.n_samples == 6 + 28


def test_tests_of_predictions_say_that_only_values_were_kept():
    comparison = searched(return_predictions="values").comparison_
    with pytest.raises(ValueError, match="There are no predictions, only values of samples"):
        mcnemar_of(comparison, 0, 1)


@pytest.mark.parametrize("scoring", ["accuracy", "recall"])
def test_a_pickle_knows_on_how_many_positives_candidates_agree(scoring):
    search = searched(scoring=scoring)
    again = pickle.loads(pickle.dumps(search))
    assert again.comparison_.scores.n_independent == search.comparison_.scores.n_independent
    assert np.isfinite(search.comparison_.scores.n_independent) == (scoring == "recall")
    pd.testing.assert_frame_equal(again.pairwise_frequentist_, search.pairwise_frequentist_)


@pytest.mark.parametrize("cv", [ms.ShuffleSplit(10, random_state=0), ms.TimeSeriesSplit(5)])
def test_splits_that_are_no_folds_are_the_reason_that_is_given(cv):
    search = searched(cv)
    with pytest.raises(ValueError, match="needs folds that test on every sample once"):
        search.compare(test="samples")
    with pytest.raises(AttributeError, match="fit with return_predictions=True"):
        search.predictions(0)


def test_groups_may_be_text_and_numbers_where_no_splitter_sorts_them():
    numbers = np.arange(len(y)) // 6
    mixed = np.array([f"a{k}" if k % 2 else int(k) for k in numbers], dtype=object)
    folds = list(ms.GroupKFold(5).split(X, y, numbers))
    tables = [
        ssc.StatisticalGridSearchCV(GaussianNB(), GRID, cv=folds, test="samples")
        .fit(X, y, groups=groups)
        .pairwise_frequentist_
        for groups in (numbers, mixed)
    ]
    pd.testing.assert_frame_equal(*tables)
