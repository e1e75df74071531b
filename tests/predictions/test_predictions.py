"""Predictions that a search keeps: bit-identical to those that were scored."""

import pickle
from copy import copy, deepcopy

import numpy as np
import pandas as pd
import pytest
from joblib import parallel_config
from sklearn import model_selection as ms
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris, make_moons, make_multilabel_classification
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import (
    LinearRegression,
    LogisticRegression,
    LogisticRegressionCV,
    Ridge,
    RidgeClassifier,
)
from sklearn.metrics import accuracy_score, get_scorer, make_scorer
from sklearn.multiclass import OneVsRestClassifier
from sklearn.neighbors import KernelDensity, KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import sklearn_stats_compare as ssc
from sklearn_stats_compare import StatisticalGridSearchCV
from sklearn_stats_compare.predictions import _predicted
from sklearn_stats_compare.predictions._responses import Scored, packed_array, unpacked_array

X, y = make_moons(120, noise=0.35, random_state=0)
IRIS, SPECIES = load_iris(return_X_y=True)
GRID = {"C": [0.01, 1.0, 100.0]}
CV = ms.RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)


def folds(cv, X, y, repeat):
    splits = list(cv.split(X, y))
    n = len(splits) // 2
    return splits[repeat * n : (repeat + 1) * n]


def keeping(estimator, grid=GRID, **options):
    """A search that keeps predictions."""
    options = {"cv": CV, "return_predictions": True, **options}
    return StatisticalGridSearchCV(estimator, grid, **options)


@pytest.fixture(scope="module")
def kept():
    """A fitted search, which no test may change."""
    return keeping(SVC()).fit(X, y)


def assert_equal_scores(search, plain):
    """All scores of scikit-learn's search, to the last digit."""
    for name, column in plain.cv_results_.items():
        if "score" in name and "time" not in name:
            np.testing.assert_array_equal(search.cv_results_[name], column)
            assert search.cv_results_[name].dtype == column.dtype


@pytest.mark.parametrize(
    ("scoring", "methods", "n_jobs"),
    [
        ("roc_auc", ["decision_function"], 2),
        ("neg_log_loss", ["predict_proba"], 1),
        (None, ["predict"], 1),
        (["accuracy", "neg_brier_score"], ["predict", "predict_proba"], 2),
    ],
)
def test_predictions_match_cross_val_predict(scoring, methods, n_jobs):
    refit = "accuracy" if isinstance(scoring, list) else True
    estimator = make_pipeline(StandardScaler(), LogisticRegression())
    grid = {"logisticregression__C": GRID["C"][:2]}
    arguments = {"scoring": scoring, "refit": refit, "cv": CV}
    plain = ms.GridSearchCV(estimator, grid, **arguments).fit(X, y)
    search = keeping(estimator, grid, **arguments, n_jobs=n_jobs).fit(X, y)
    for k, C in enumerate(GRID["C"][:2]):
        model = clone(estimator).set_params(logisticregression__C=C)
        for repeat in (0, 1):
            for method in methods:
                there = ms.cross_val_predict(model, X, y, cv=folds(CV, X, y, repeat), method=method)
                here = search.predictions(k, repeat=repeat, method=method).to_numpy()
                np.testing.assert_array_equal(here if there.ndim > 1 else here[:, 0], there)
                assert here.dtype == there.dtype
    assert_equal_scores(search, plain)
    assert type(search.scorer_) is type(plain.scorer_)


def test_predict_is_called_once_and_training_samples_are_not_kept():
    counts = {"predict": 0}

    class Counts(RidgeClassifier):
        def predict(self, X):
            counts["predict"] += 1
            return super().predict(X)

    search = keeping(Counts(), {"alpha": [1.0]}, cv=5, return_train_score=True, refit=False)
    search.fit(X, y)
    assert counts["predict"] == 10  # on test and training samples of 5 splits
    assert search.predictions(0).shape == (120, 1)
    cells = search._record.evaluated.ledger.responses.cells
    assert sum(kept.array.nbytes for cell in cells.values() for kept in cell.values()) < 4_000


def test_absent_classes_are_filled_as_in_cross_val_predict():
    cv = ms.KFold(3)  # classes are sorted: each fold lacks one
    model = OneVsRestClassifier(LogisticRegression(max_iter=1000))
    search = keeping(
        model, {"estimator__C": [1.0]}, cv=cv, refit=False,
        scoring={"a": lambda e, X, y: float(e.predict_proba(X).max()), "b": "accuracy"},
    ).fit(IRIS, SPECIES)  # fmt: skip
    here = search.predictions(0, method="predict_proba")
    with pytest.warns(RuntimeWarning, match="Number of classes"):
        there = ms.cross_val_predict(model, IRIS, SPECIES, cv=cv, method="predict_proba")
    np.testing.assert_array_equal(here.to_numpy(), there)
    assert here.columns.tolist() == [0, 1, 2]


def test_predictions_have_the_index_and_labels_of_the_user():
    frame = pd.DataFrame(IRIS, index=[f"flower {k}" for k in range(150)])
    names = np.array(["setosa", "versicolor", "virginica"])[SPECIES]
    cv = ms.RepeatedKFold(n_splits=3, n_repeats=2, random_state=1)
    search = keeping(SVC(), cv=cv).fit(frame, names)
    both = search.predictions("1.0")
    assert both.index.equals(frame.index)
    assert both.columns.tolist() == [(0, "predict"), (1, "predict")]
    assert (both[0]["predict"] == names).mean() > 0.9
    pd.testing.assert_frame_equal(both, search.predictions(1))
    pd.testing.assert_frame_equal(both[1], search.predictions(1, repeat=1), check_names=False)


def test_samples_outside_test_sets_are_missing():
    search = keeping(SVC(), cv=ms.ShuffleSplit(3, test_size=0.25, random_state=0)).fit(X, y)
    splits = search.predictions(0)
    assert splits.shape == (120, 3)  # each split separately
    assert splits.notna().sum().tolist() == [30, 30, 30]
    part = ms.PredefinedSplit(np.where(np.arange(120) < 40, 0, -1))
    search.set_params(cv=part, scoring="roc_auc").fit(X, y)
    assert search.predictions(0)["decision_function"].notna().sum() == 40


@pytest.mark.filterwarnings("ignore")
def test_failed_fits_have_no_predictions():
    class Fails(LogisticRegression):
        def fit(self, X, y):
            if self.C == 2:
                raise ValueError("this fit must fail")
            return super().fit(X, y)

    search = keeping(Fails(), {"C": [1, 2]}, cv=5).fit(X, y)
    assert search.predictions(0).notna().all().all()
    with pytest.raises(ValueError, match="No predictions of candidate 1 were kept"):
        search.predictions(1)


def test_invalid_requests_for_predictions_raise(kept):
    search = StatisticalGridSearchCV(SVC(), GRID, cv=3)
    with pytest.raises(NotFittedError):
        search.predictions(0)
    with pytest.raises(AttributeError, match="only the value of each metric"):
        search.fit(X, y).predictions(0)
    with pytest.raises(AttributeError, match="fit with return_predictions=True"):
        search.set_params(return_predictions=False).fit(X, y).predictions(0)
    for arguments, message in (
        ({"i": 0, "repeat": 2}, "`repeat` must be a whole number from 0 to 1; got 2"),
        ({"i": 0, "method": "predict_proba"}, "`method` must be one of 'predict'; got 'predict_p"),
        ({"i": 3}, "`i` must be a whole number from 0 to 2; got 3"),
        ({"i": "rbf"}, r"or its label, one of '0.01', '1.0', '100.0'; got 'rbf'"),
    ):
        with pytest.raises(ValueError, match=message):
            kept.predictions(**arguments)


def test_predictions_are_pickled_with_the_search_and_can_be_dropped(kept):
    again = pickle.loads(pickle.dumps(kept))
    pd.testing.assert_frame_equal(again.predictions(2), kept.predictions(2))
    copy(again).drop_predictions()
    assert again.predictions(0).shape == (120, 2)
    size = len(pickle.dumps(again))
    assert len(pickle.dumps(again.drop_predictions())) < size
    with pytest.raises(AttributeError, match="There are no predictions"):
        again.predictions(2)
    assert again.pairwise_frequentist_.equals(kept.pairwise_frequentist_)


def test_race_keeps_predictions_of_dropped_candidates():
    cv = ms.RepeatedStratifiedKFold(n_splits=10, n_repeats=2, random_state=0)
    race = ssc.RacingGridSearchCV(
        LogisticRegression(), {"C": [1e-6, 1e-5, 1.0, 2.0]}, cv=cv, random_state=0,
        scoring="neg_log_loss", return_predictions=True,
    ).fit(X, y)  # fmt: skip
    assert np.isfinite(race.cv_results_["eliminated_at"]).any()
    for k in range(4):
        n = race.cv_results_["n_splits_evaluated"][k]
        found = race.predictions(k)
        assert found.notna().to_numpy().sum() == n * 12 * 2
        # Columns do not depend on missing predictions.
        assert found.columns.tolist() == [(0, 0), (0, 1), (1, 0), (1, 1)]


def test_extension_keeps_predictions(kept):
    first = ms.RepeatedStratifiedKFold(n_splits=5, n_repeats=1, random_state=0)
    search = keeping(SVC(), cv=first).fit(X, y)
    search.extend(X, y, n_repeats=1)
    pd.testing.assert_frame_equal(search.predictions(1), kept.predictions(1))
    without = StatisticalGridSearchCV(SVC(), GRID, cv=first).fit(X, y)
    without.set_params(return_predictions=True).extend(X, y, n_repeats=1)
    with pytest.raises(AttributeError, match="There are no predictions"):
        without.predictions(1)


@pytest.mark.parametrize(
    ("scoring", "labels"),
    [
        pytest.param("accuracy", [0, 1], marks=pytest.mark.slow),
        ("accuracy", ["no", "yes"]),
        pytest.param("roc_auc", ["no", "yes"], marks=pytest.mark.slow),
        ("neg_log_loss", [0, 1]),
    ],
)
def test_ledger_restores_predictions_bit_identically(scoring, labels, tmp_path):
    classes = np.array(labels)[y]
    fresh, _, again = (
        keeping(LogisticRegression(), scoring=scoring, ledger=ledger).fit(X, classes)
        for ledger in (None, tmp_path / "search.sqlite", tmp_path / "search.sqlite")
    )
    assert again.n_reused_ == 30
    for k in range(3):
        pd.testing.assert_frame_equal(again.predictions(k), fresh.predictions(k))


def test_scores_saved_without_predictions_are_refitted(tmp_path):
    arguments = {"cv": CV, "ledger": tmp_path / "search.sqlite"}
    StatisticalGridSearchCV(SVC(), GRID, **arguments).fit(X, y)
    search = keeping(SVC(), **arguments).fit(X, y)
    assert search.n_reused_ == 0
    assert search.predictions(2).notna().all().all()
    again = StatisticalGridSearchCV(SVC(), GRID, **arguments).fit(X, y)
    assert again.n_reused_ == 30
    both = ssc.StatisticalRandomizedSearchCV(
        SVC(), {"C": [1.0, 7.0]}, n_iter=2, random_state=0, **arguments, return_predictions=True
    ).fit(X, y)
    assert both.n_reused_ == 10


def test_groups_and_metadata_reach_the_splitter():
    groups = np.arange(120) % 4
    found = keeping(SVC(), cv=ms.LeaveOneGroupOut()).fit(X, y, groups=groups).predictions(1)
    there = ms.cross_val_predict(SVC(), X, y, cv=ms.LeaveOneGroupOut(), groups=groups)
    np.testing.assert_array_equal(found["predict"], there)


def test_scored_is_a_float_that_keeps_its_responses():
    score = Scored(0.1 + 0.2, {"predict": np.arange(3)})
    assert score == 0.1 + 0.2
    assert f"{score:.3f}" == "0.300"
    again = pickle.loads(pickle.dumps(score))
    assert again == score
    np.testing.assert_array_equal(again.responses["predict"], np.arange(3))


def test_memory_estimate_uses_outputs_and_classes():
    many, model = np.zeros((10, 50)), LogisticRegression()
    scorers = {"score": get_scorer("neg_mean_squared_error")}
    for arguments, expected in (
        ((scorers, model, many, True), 50 * 8),
        (({"score": of_type}, model, np.arange(10) % 2, True), 1 + 16),
        ((scorers, clone(model), many, "values"), 4),
    ):
        assert _predicted._bytes_per_sample(*arguments) == expected


@pytest.fixture
def noted():
    """A model, and the list of its fits."""
    fitted = []

    class Notes(KNeighborsClassifier):
        def fit(self, X, y):
            fitted.append(1)
            return super().fit(X, y)

    return Notes(), fitted


# 3 candidates × 240 test samples, held twice: a byte for each label, 16 for two probabilities
@pytest.mark.parametrize(
    ("kind", "options", "scoring", "size"),
    [
        (StatisticalGridSearchCV, {}, "accuracy", 1_440),
        (ssc.RacingGridSearchCV, {"random_state": 0}, "neg_log_loss", 23_040),
    ],
)
def test_much_memory_warns_and_too_much_raises_before_the_first_fit(
    kind, options, scoring, size, noted, monkeypatch
):
    model, fitted = noted
    grid, options = {"n_neighbors": [1, 3, 5]}, {"return_predictions": True, **options}
    search = kind(model, grid, cv=CV, scoring=scoring, **options)
    monkeypatch.setattr(_predicted, "_LARGE_SIZE", size - 1)
    monkeypatch.setattr(_predicted, "_LARGEST_SIZE", size - 1)
    with pytest.raises(ValueError, match="`return_predictions` must be False"):
        search.fit(X, y)
    assert not fitted
    monkeypatch.setattr(_predicted, "_LARGEST_SIZE", size)
    with pytest.warns(UserWarning, match="predictions of 3 candidates for 240 test"):
        search.fit(X, y)
    monkeypatch.setattr(_predicted, "_LARGE_SIZE", size)
    search.fit(X, y)


def test_predictions_keep_the_dtype_of_each_candidate_and_split():
    grid = {"m": [DecisionTreeClassifier(random_state=0), LinearRegression()]}
    model, options = Pipeline([("m", LinearRegression())]), {"scoring": "neg_mean_absolute_error"}
    search = keeping(model, grid, cv=ms.KFold(3), **options).fit(IRIS, SPECIES)
    for k, model in enumerate(grid["m"]):
        there = ms.cross_val_predict(model, IRIS, SPECIES, cv=ms.KFold(3))
        np.testing.assert_array_equal(search.predictions(k)["predict"], there)


def test_64_bit_labels_remain_distinct(tmp_path):
    labels = np.array([-1, 2**60 + 1, 2**60 + 3])[SPECIES]
    dates = np.array(["2020-01-01", "2021-01-01", "2022-01-01"], "M8[ns]")[SPECIES]
    model = KNeighborsClassifier(3)
    for k, given in enumerate((labels, dates)):
        there = ms.cross_val_predict(model, IRIS, given, cv=3)
        options = {"cv": 3, "ledger": tmp_path / f"{k}.sqlite", "refit": False}
        for _ in range(2):
            search = keeping(model, {"n_neighbors": [3]}, **options).fit(IRIS, given)
            np.testing.assert_array_equal(search.predictions(0)["predict"].to_numpy(), there)
    mixed = np.array([True, 1, "one"], dtype=object)
    packed = packed_array(mixed, mixed.dtype)
    assert [type(label) for label in unpacked_array(packed, 3)] == [bool, int, str]


def copies(estimator, X, y):
    other = deepcopy(estimator)
    other.coef_ = 0 * other.coef_
    return float((other.predict(X) == y).mean())


def refits(estimator, X, y):
    return float((copy(estimator).fit(X, 1 - y).predict(X) == 1 - y).mean())


def pickles(estimator, X, y):
    again = pickle.loads(pickle.dumps(estimator))
    assert type(again) is LogisticRegression
    return float(len(pickle.dumps(estimator)))


def weighted(estimator, X, y, sample_weight=None):
    return accuracy_score(y, estimator.predict(X), sample_weight=sample_weight)


def clips(estimator, X, y):
    p = estimator.predict_proba(X)
    np.clip(p, 0.3, 0.4, out=p)
    return float(p.mean())


def of_type(estimator, X, y):
    assert type(estimator) is LogisticRegression
    return accuracy_score(y, estimator.predict(X))


def of_class(estimator, X, y):
    return accuracy_score(y, type(estimator).predict(estimator, X))


def permutes(estimator, X, y):
    order = np.arange(len(X))[::-1]
    return float((estimator.predict(X[order]) == y[order]).mean())


def one_number(estimator, X, y):
    return np.array([(estimator.predict(X) == y).mean()])


@pytest.mark.parametrize(
    "scorer",
    [copies, refits, pickles, weighted, clips, of_type, of_class, permutes, one_number],
    ids=lambda f: f.__name__,
)
def test_custom_scorers_give_the_same_scores(scorer):
    grid = {"C": [0.01, 1.0]}
    arguments = {"scoring": scorer, "cv": CV, "refit": False, "error_score": "raise"}
    options = {"sample_weight": np.linspace(0.5, 2, len(y))} if scorer is weighted else {}
    plain = ms.GridSearchCV(LogisticRegression(), grid, **arguments).fit(X, y, **options)
    search, values = (
        StatisticalGridSearchCV(LogisticRegression(), grid, **arguments, return_predictions=keeps)
        for keeps in (True, "values")
    )
    assert_equal_scores(search.fit(X, y, **options), plain)
    assert search.scorer_ is scorer
    if scorer in (of_type, of_class):
        assert_equal_scores(values.fit(X, y), plain)
    if scorer is clips:
        here = search.predictions(1, repeat=0).to_numpy()
        first = {"cv": folds(CV, X, y, 0), "method": "predict_proba"}
        there = ms.cross_val_predict(LogisticRegression(), X, y, **first)
        np.testing.assert_array_equal(here, there)
    if scorer is permutes:
        with pytest.raises(ValueError, match="No predictions of candidate 0 were kept"):
            search.predictions(0)


@pytest.mark.parametrize("keeps", [True, "values"])
def test_one_of_several_scorers_may_be_a_function(keeps):
    search = StatisticalGridSearchCV(
        LogisticRegression(), GRID, scoring={"one": of_type, "other": "accuracy"}, cv=5,
        refit=False, error_score="raise", return_predictions=keeps,
    ).fit(X, y)  # fmt: skip
    one, other = (search.cv_results_[f"mean_test_{name}"] for name in ("one", "other"))
    np.testing.assert_array_equal(one, other)
    assert search.scorer_["one"] is of_type
    assert search.compare(metric="other", test="samples").scores.samples.n_samples == 120


def test_scorer_that_overrides_scoring_has_no_values():
    class Halved(type(make_scorer(accuracy_score))):
        def _score(self, method_caller, estimator, X, y_true, **kwargs):
            return super()._score(method_caller, estimator, X, y_true, **kwargs) / 2

    halved = Halved(accuracy_score, 1, {}, "predict")
    search = keeping(LogisticRegression(), scoring=halved).fit(X, y)
    plain = ms.GridSearchCV(LogisticRegression(), GRID, scoring=halved, cv=CV).fit(X, y)
    assert_equal_scores(search, plain)
    with pytest.raises(ValueError, match="from predictions alone"):
        search.comparison_.with_settings(metric=halved)


class Steps(LogisticRegression):
    """Has parameters and attributes whose names have another meaning elsewhere."""

    def __init__(self, C=1.0, steps=10, best_estimator_=None):
        super().__init__(C=C)
        self.steps = steps
        self.best_estimator_ = best_estimator_


def test_parameter_names_have_no_special_meaning():
    there = ms.cross_val_predict(LogisticRegression(), X, y, cv=3)
    for estimator in (Steps(), Steps(steps=["a", "b"]), Steps(steps=(10, 20))):
        search = keeping(estimator, cv=3).fit(X, y)
        np.testing.assert_array_equal(search.predictions(1)["predict"], there)


def test_shared_estimator_is_not_changed():
    frozen = FrozenEstimator(LogisticRegression().fit(X, y))
    before = dict(vars(frozen.estimator))
    scale = StandardScaler(with_mean=False, with_std=False)
    for n_jobs in (1, 2):
        search = keeping(
            Pipeline([("scale", scale), ("m", frozen)]), {"scale__copy": [True, False]},
            cv=3, scoring="accuracy", n_jobs=n_jobs,
        )  # fmt: skip
        with parallel_config(backend="threading"):
            search.fit(X, y)
        for k in (0, 1):
            np.testing.assert_array_equal(search.predictions(k)["predict"], frozen.predict(X))
    assert vars(frozen.estimator).keys() == before.keys()


@pytest.mark.parametrize(
    ("model", "name"),
    [(KMeans(2, random_state=0, n_init=1), "max_iter"), (KernelDensity(), "leaf_size")],
)
def test_ledger_resumes_cells_without_responses(model, name, tmp_path):
    search = keeping(model, {name: [40, 50]}, cv=3, ledger=tmp_path / "search.sqlite")
    assert [clone(search).fit(X).n_reused_ for _ in range(2)] == [0, 6]


def test_labels_that_a_ledger_cannot_store_raise_before_the_first_fit(noted, tmp_path):
    model, fitted = noted

    def search():
        return keeping(model, {"n_neighbors": [3]}, cv=3, ledger=tmp_path / "search.sqlite")

    texts = np.array([np.str_("a"), np.str_("b")], dtype=object)[y]
    search().fit(X, texts)
    again = search().fit(X, texts)
    assert again.n_reused_ == 3
    assert set(again.predictions(0)["predict"]) == {"a", "b"}
    fitted.clear()
    stamps = np.array([pd.Timestamp("2020"), pd.Timestamp("2021")], dtype=object)[y]
    with pytest.raises(ValueError, match="`y` must hold text, numbers or booleans"):
        search().fit(X, stamps)
    assert not fitted


def test_targets_of_any_kind():
    class Any(NoClasses):
        def score(self, X, y):
            return float(self.a)

    gaps = np.where(np.arange(120) % 5, y.astype(float), np.nan)
    nones = np.array(["a", None], dtype=object)[y]
    for target in (gaps, nones):
        search = keeping(Any(), {"a": [0, 1]}, cv=ms.KFold(3), refit=False).fit(X, target)
        assert search.cv_results_["mean_test_score"].tolist() == [0, 1]


class NoClasses(ClassifierMixin, BaseEstimator):
    """A classifier that does not say which classes it knows."""

    def __init__(self, a=1):
        self.a = a

    def fit(self, X, y):
        self.fitted_ = True
        return self

    def predict(self, X):
        return (X[:, self.a] > 0).astype(int)


class Balanced(Pipeline):
    """A pipeline with a custom score."""

    def score(self, X, y):
        return 1 - super().score(X, y)


@pytest.mark.parametrize(
    ("estimator", "grid"),
    [
        (
            Pipeline([("s", StandardScaler()), ("m", LogisticRegression())]),
            {"m": [LogisticRegression(), LogisticRegressionCV(Cs=3, cv=2, scoring="neg_log_loss")]},
        ),
        (Pipeline([("m", Ridge())]), {"m": [LogisticRegression(), Ridge(), RidgeClassifier()]}),
        (NoClasses(), {"a": [0, 1]}),
        (Pipeline([("m", NoClasses())]), {"m__a": [0, 1]}),
        (Balanced([("m", LogisticRegression())]), {"m__C": [0.1, 1.0]}),
        (ms.GridSearchCV(LogisticRegression(), GRID, scoring="neg_log_loss"), {"cv": [2, 3]}),
    ],
    ids=["swapped", "regressor", "no classes", "in a pipeline", "own score", "nested"],
)
@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_own_scores_of_estimators_match_grid_search(estimator, grid):
    plain = ms.GridSearchCV(estimator, grid, cv=3, refit=False).fit(X, y)
    assert_equal_scores(keeping(estimator, grid, cv=3, refit=False).fit(X, y), plain)


@pytest.mark.parametrize(
    ("step", "name"),
    [
        (Pipeline([("m", KNeighborsClassifier())]), "m__n_neighbors"),
        (DummyClassifier(), "random_state"),
    ],
)
def test_pipelines_with_a_custom_score_in_the_last_step_have_values(step, name):
    model = Pipeline([("scale", StandardScaler()), ("last", step)])
    grid, arguments = {f"last__{name}": [1, 3]}, {"cv": CV, "refit": False}
    plain = ms.GridSearchCV(model, grid, **arguments).fit(X, y)
    search = StatisticalGridSearchCV(model, grid, test="samples", **arguments).fit(X, y)
    assert_equal_scores(search, plain)
    assert search.compare(metric="score").scores.samples.n_samples == 120


class Itself(LogisticRegression):
    """Checks its own type exactly, and has a `__del__`."""

    def predict(self, X):
        assert type(self) is Itself
        return super(type(self), self).predict(X)

    def __init_subclass__(cls):
        raise RuntimeError("not to be subclassed")

    def __del__(self):
        vars(self).clear()


class Property(LogisticRegression):
    """`predict_proba` is a property, as in scikit-learn before `available_if`."""

    @property
    def predict_proba(self):
        return super().predict_proba


@pytest.mark.parametrize("model", [Itself(), Property()])
@pytest.mark.parametrize(
    "scoring",
    [None, pytest.param("neg_log_loss", marks=pytest.mark.slow), ["accuracy", "neg_brier_score"]],
)
def test_estimators_behave_the_same_when_watched(model, scoring):
    arguments = {"scoring": scoring, "cv": CV, "refit": False, "error_score": "raise"}
    plain = ms.GridSearchCV(model, GRID, **arguments).fit(X, y)
    search = keeping(model, **arguments).fit(X, y)
    assert_equal_scores(search, plain)
    method = "predict" if scoring != "neg_log_loss" else "predict_proba"
    chosen = clone(model).set_params(**search.cv_results_["params"][1])
    expected = ms.cross_val_predict(chosen, X, y, cv=folds(CV, X, y, 0), method=method)
    found = search.predictions(1, repeat=0, method=method).to_numpy()
    np.testing.assert_array_equal(found.reshape(expected.shape), expected)


@pytest.mark.filterwarnings("ignore:A class has as few as")
def test_multilabel_probabilities_are_kept_in_the_form_for_scorers():
    many, labels = make_multilabel_classification(90, random_state=0)
    forest = RandomForestClassifier(5, random_state=0)  # `predict_proba` is a list of arrays
    search = keeping(forest, {"max_depth": [2, 3]}, scoring="roc_auc", cv=3).fit(many, labels)
    forest.set_params(max_depth=3)
    expected = ms.cross_val_predict(forest, many, labels, cv=3, method="predict_proba")
    expected = np.column_stack([each[:, 1] for each in expected])
    np.testing.assert_array_equal(search.predictions(1), expected)
    assert search.compare(test="samples").scores.n_available == 2
