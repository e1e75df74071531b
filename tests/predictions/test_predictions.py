"""Predictions that a search keeps: bit-identical to those that were scored."""

import pickle
from copy import copy, deepcopy

import numpy as np
import pandas as pd
import pytest
from joblib import parallel_config
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris, make_moons, make_multilabel_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import (
    LinearRegression,
    LogisticRegression,
    LogisticRegressionCV,
    Ridge,
    RidgeClassifier,
)
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    LeaveOneGroupOut,
    PredefinedSplit,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    cross_val_predict,
)
from sklearn.multiclass import OneVsRestClassifier
from sklearn.neighbors import KernelDensity, KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from sklearn_stats_compare import (
    RacingGridSearchCV,
    RacingRandomizedSearchCV,
    StatisticalGridSearchCV,
    StatisticalRandomizedSearchCV,
)
from sklearn_stats_compare.predictions import Scored, _memory
from sklearn_stats_compare.predictions._packed_arrays import packed_array, unpacked_array

X, y = make_moons(120, noise=0.35, random_state=0)
IRIS, SPECIES = load_iris(return_X_y=True)
GRID = {"C": [0.01, 1.0, 100.0]}
CV = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)


def folds(cv, X, y, repeat):
    splits = list(cv.split(X, y))
    n = len(splits) // 2
    return splits[repeat * n : (repeat + 1) * n]


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize(
    ("scoring", "method"),
    [
        ("accuracy", "predict"),
        ("roc_auc", "decision_function"),
        ("neg_log_loss", "predict_proba"),
        (None, "predict"),
        (make_scorer(accuracy_score), "predict"),
        (["accuracy", "neg_brier_score"], "predict"),
        (["accuracy", "neg_brier_score"], "predict_proba"),
    ],
)
def test_predictions_match_cross_val_predict(scoring, method, n_jobs):
    refit = "accuracy" if isinstance(scoring, list) else True
    estimator = make_pipeline(StandardScaler(), LogisticRegression())
    grid = {"logisticregression__C": GRID["C"]}
    arguments = {"scoring": scoring, "refit": refit, "cv": CV, "n_jobs": n_jobs}
    search = StatisticalGridSearchCV(estimator, grid, **arguments, return_predictions=True)
    plain = GridSearchCV(estimator, grid, **arguments).fit(X, y)
    search.fit(X, y)
    for k, C in enumerate(GRID["C"]):
        model = clone(estimator).set_params(logisticregression__C=C)
        for repeat in (0, 1):
            there = cross_val_predict(model, X, y, cv=folds(CV, X, y, repeat), method=method)
            here = search.predictions(k, repeat=repeat, method=method).to_numpy()
            np.testing.assert_array_equal(here if there.ndim > 1 else here[:, 0], there)
            assert here.dtype == there.dtype
    for name, column in plain.cv_results_.items():
        if "score" in name and "time" not in name:
            np.testing.assert_array_equal(search.cv_results_[name], column)
    assert type(search.cv_results_["mean_test_score" if refit is True else "mean_test_accuracy"][0])
    assert type(search.scorer_) is type(plain.scorer_)


def test_predict_is_called_once_and_training_samples_are_not_kept():
    counts = {"predict": 0}

    class Counts(RidgeClassifier):
        def predict(self, X):
            counts["predict"] += 1
            return super().predict(X)

    search = StatisticalGridSearchCV(
        Counts(),
        {"alpha": [1.0]},
        cv=5,
        return_train_score=True,
        return_predictions=True,
        refit=False,
    ).fit(X, y)
    assert counts["predict"] == 10  # on test and training samples of 5 splits
    assert search.predictions(0).shape == (120, 1)
    assert search._record.evaluated.ledger.responses.n_bytes < 5_000


def test_absent_classes_are_filled_as_in_cross_val_predict():
    cv = KFold(3)  # classes are sorted: each fold lacks one
    model = LogisticRegression(max_iter=1000)
    search = StatisticalGridSearchCV(
        OneVsRestClassifier(model), {"estimator__C": [1.0]}, cv=cv, refit=False,
        scoring={"a": lambda e, X, y: float(e.predict_proba(X).max()), "b": "accuracy"},
        return_predictions=True,
    ).fit(IRIS, SPECIES)  # fmt: skip
    here = search.predictions(0, method="predict_proba")
    with pytest.warns(RuntimeWarning, match="Number of classes"):
        there = cross_val_predict(
            OneVsRestClassifier(model), IRIS, SPECIES, cv=cv, method="predict_proba"
        )
    np.testing.assert_array_equal(here.to_numpy(), there)
    assert here.columns.tolist() == [0, 1, 2]


def test_predictions_have_the_index_and_labels_of_the_user():
    frame = pd.DataFrame(IRIS, index=[f"flower {k}" for k in range(150)])
    names = np.array(["setosa", "versicolor", "virginica"])[SPECIES]
    cv = RepeatedKFold(n_splits=3, n_repeats=2, random_state=1)
    search = StatisticalGridSearchCV(SVC(), GRID, cv=cv, return_predictions=True)
    search.fit(frame, names)
    both = search.predictions("1.0")
    assert both.index.equals(frame.index)
    assert both.columns.tolist() == [(0, "predict"), (1, "predict")]
    assert (both[0]["predict"] == names).mean() > 0.9
    pd.testing.assert_frame_equal(both, search.predictions(1))
    pd.testing.assert_frame_equal(both[1], search.predictions(1, repeat=1), check_names=False)


def test_samples_outside_test_sets_are_missing():
    search = StatisticalGridSearchCV(
        SVC(), GRID, cv=ShuffleSplit(3, test_size=0.25, random_state=0), return_predictions=True
    ).fit(X, y)
    splits = search.predictions(0)
    assert splits.shape == (120, 3)  # each split separately
    assert splits.notna().sum().tolist() == [30, 30, 30]
    part = PredefinedSplit(np.where(np.arange(120) < 40, 0, -1))
    search.set_params(cv=part, scoring="roc_auc").fit(X, y)
    assert search.predictions(0)["decision_function"].notna().sum() == 40


class Fails(ClassifierMixin, BaseEstimator):
    """Fails in the fits given by `when`."""

    def __init__(self, when=0):
        self.when = when

    def fit(self, X, y):
        if (self.when == 1 and X[0, 0] == X[:, 0].max()) or self.when == 2:
            raise ValueError("this fit must fail")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.zeros(len(X), dtype=int)


@pytest.mark.filterwarnings("ignore")
def test_failed_fits_have_no_predictions():
    search = StatisticalGridSearchCV(Fails(), {"when": [0, 2]}, cv=5, return_predictions=True)
    search.fit(X, y)
    assert search.predictions(0).notna().all().all()
    with pytest.raises(ValueError, match="No predictions of candidate 1 were kept"):
        search.predictions(1)


def test_invalid_requests_for_predictions_raise():
    search = StatisticalGridSearchCV(SVC(), GRID, cv=CV).fit(X, y)
    with pytest.raises(AttributeError, match="`return_predictions` was False"):
        search.predictions(0)
    search.set_params(return_predictions=True).fit(X, y)
    with pytest.raises(ValueError, match="`repeat` must be a whole number from 0 to 1; got 2"):
        search.predictions(0, repeat=2)
    with pytest.raises(ValueError, match="`method` must be one of 'predict'; got 'predict_proba'"):
        search.predictions(0, method="predict_proba")
    with pytest.raises(ValueError, match="`i` must be a whole number from 0 to 2; got 3"):
        search.predictions(3)
    with pytest.raises(ValueError, match=r"or its label, one of '0.01', '1.0', '100.0'; got 'rbf'"):
        search.predictions("rbf")
    assert not hasattr(StatisticalGridSearchCV(SVC(), GRID), "predictions")


def test_predictions_are_pickled_with_the_search_and_can_be_dropped():
    search = StatisticalGridSearchCV(SVC(), GRID, cv=CV, return_predictions=True).fit(X, y)
    again = pickle.loads(pickle.dumps(search))
    pd.testing.assert_frame_equal(again.predictions(2), search.predictions(2))
    size = len(pickle.dumps(again))
    assert len(pickle.dumps(again.drop_predictions())) < size
    with pytest.raises(AttributeError, match="There are no predictions"):
        again.predictions(2)
    assert again.pairwise_frequentist_.equals(search.pairwise_frequentist_)


def test_race_keeps_predictions_of_dropped_candidates():
    grid = {"C": [1e-6, 1e-5, 1.0, 2.0]}
    cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=2, random_state=0)
    for kind, space in ((RacingGridSearchCV, grid), (RacingRandomizedSearchCV, grid)):
        options = {"n_iter": 4} if kind is RacingRandomizedSearchCV else {}
        race = kind(SVC(), space, cv=cv, random_state=0, return_predictions=True, **options)
        race.fit(X, y)
        dropped = np.flatnonzero(~np.isnan(race.cv_results_["eliminated_at"]))
        assert dropped.size
        for k in range(4):
            n = race.cv_results_["n_splits_evaluated"][k]
            found = race.predictions(k)
            assert found.notna().to_numpy().sum() == n * 12


def test_extension_keeps_predictions():
    first = RepeatedStratifiedKFold(n_splits=5, n_repeats=1, random_state=0)
    search = StatisticalGridSearchCV(SVC(), GRID, cv=first, return_predictions=True).fit(X, y)
    whole = StatisticalGridSearchCV(SVC(), GRID, cv=CV, return_predictions=True).fit(X, y)
    search.extend(X, y, n_repeats=1)
    pd.testing.assert_frame_equal(search.predictions(1), whole.predictions(1))
    without = StatisticalGridSearchCV(SVC(), GRID, cv=first).fit(X, y)
    without.set_params(return_predictions=True).extend(X, y, n_repeats=1)
    with pytest.raises(AttributeError, match="There are no predictions"):
        without.predictions(1)


@pytest.mark.parametrize("labels", ["whole", "text"])
@pytest.mark.parametrize("scoring", ["accuracy", "roc_auc", "neg_log_loss"])
def test_ledger_restores_predictions_bit_identically(scoring, labels, tmp_path):
    model = LogisticRegression()
    classes = y if labels == "whole" else np.where(y, "yes", "no")
    arguments = {"cv": CV, "scoring": scoring, "ledger": tmp_path / "search.sqlite"}
    fresh = StatisticalGridSearchCV(model, GRID, **{**arguments, "ledger": None},
                                    return_predictions=True).fit(X, classes)  # fmt: skip
    StatisticalGridSearchCV(model, GRID, **arguments, return_predictions=True).fit(X, classes)
    again = StatisticalGridSearchCV(model, GRID, **arguments, return_predictions=True)
    again.fit(X, classes)
    assert again.n_reused_ == 30
    for k in range(3):
        pd.testing.assert_frame_equal(again.predictions(k), fresh.predictions(k))


def test_scores_saved_without_predictions_are_refitted(tmp_path):
    arguments = {"cv": CV, "ledger": tmp_path / "search.sqlite"}
    StatisticalGridSearchCV(SVC(), GRID, **arguments).fit(X, y)
    search = StatisticalGridSearchCV(SVC(), GRID, **arguments, return_predictions=True).fit(X, y)
    assert search.n_reused_ == 0
    assert search.predictions(2).notna().all().all()
    again = StatisticalGridSearchCV(SVC(), GRID, **arguments).fit(X, y)
    assert again.n_reused_ == 30
    both = StatisticalRandomizedSearchCV(
        SVC(), {"C": [1.0, 7.0]}, n_iter=2, random_state=0, **arguments, return_predictions=True
    ).fit(X, y)
    assert both.n_reused_ == 10


def test_groups_and_metadata_reach_the_splitter():
    groups = np.arange(120) % 4
    search = StatisticalGridSearchCV(SVC(), GRID, cv=LeaveOneGroupOut(), return_predictions=True)
    found = search.fit(X, y, groups=groups).predictions(1)["predict"]
    there = cross_val_predict(SVC(), X, y, cv=LeaveOneGroupOut(), groups=groups)
    np.testing.assert_array_equal(found, there)


def test_scored_is_a_float_that_keeps_its_responses():
    score = Scored(0.1 + 0.2, {"predict": np.arange(3)})
    assert score == 0.1 + 0.2
    assert f"{score:.3f}" == "0.300"
    again = pickle.loads(pickle.dumps(score))
    assert again == score
    np.testing.assert_array_equal(again.responses["predict"], np.arange(3))


def test_much_memory_warns_and_too_much_raises_before_the_first_fit(monkeypatch):
    fitted = []

    class Notes(LogisticRegression):
        def fit(self, X, y):
            fitted.append(1)
            return super().fit(X, y)

    # 3 candidates × 240 test samples, held twice: a byte for each label, 16 for two probabilities
    for scoring, size in (("accuracy", 1_440), ("neg_log_loss", 23_040)):
        monkeypatch.setattr(_memory, "_LARGE_SIZE", size - 1)
        for kind in (StatisticalGridSearchCV, RacingGridSearchCV):
            search = kind(Notes(), GRID, cv=CV, scoring=scoring, return_predictions=True)
            if kind is RacingGridSearchCV:
                search.set_params(random_state=0)
            monkeypatch.setattr(_memory, "_available", lambda size=size: size - 1)
            fitted.clear()
            with pytest.raises(ValueError, match="`return_predictions` must be False"):
                search.fit(X, y)
            assert not fitted
            monkeypatch.setattr(_memory, "_available", lambda: None)
            with pytest.warns(UserWarning, match="predictions of 3 candidates for 240 test"):
                search.fit(X, y)
            monkeypatch.setattr(_memory, "_LARGE_SIZE", size)
            search.fit(X, y)
            monkeypatch.setattr(_memory, "_LARGE_SIZE", size - 1)


def test_predictions_keep_the_dtype_of_each_candidate_and_split():
    grid = {"m": [DecisionTreeClassifier(random_state=0), LinearRegression()]}
    search = StatisticalGridSearchCV(
        Pipeline([("m", LinearRegression())]), grid, scoring="neg_mean_absolute_error", cv=KFold(3),
        return_predictions=True,
    ).fit(IRIS, SPECIES)  # fmt: skip
    for k, model in enumerate(grid["m"]):
        there = cross_val_predict(model, IRIS, SPECIES, cv=KFold(3))
        np.testing.assert_array_equal(search.predictions(k)["predict"], there)


def test_64_bit_labels_remain_distinct(tmp_path):
    labels = np.array([-1, 2**60 + 1, 2**60 + 3])[SPECIES]
    dates = np.array(["2020-01-01", "2021-01-01", "2022-01-01"], "M8[ns]")[SPECIES]
    mixed = np.array([True, 1, "one"], dtype=object)
    for k, given in enumerate((labels, dates)):
        arguments = {"cv": 3, "ledger": tmp_path / f"{k}.sqlite", "return_predictions": True}
        for _ in range(2):
            search = StatisticalGridSearchCV(
                KNeighborsClassifier(), {"n_neighbors": [3]}, refit=False, **arguments
            ).fit(IRIS, given)
            there = cross_val_predict(KNeighborsClassifier(3), IRIS, given, cv=3)
            np.testing.assert_array_equal(search.predictions(0)["predict"].to_numpy(), there)
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


def permutes(estimator, X, y):
    order = np.arange(len(X))[::-1]
    return float((estimator.predict(X[order]) == y[order]).mean())


def one_number(estimator, X, y):
    return np.array([(estimator.predict(X) == y).mean()])


@pytest.mark.parametrize(
    "scorer",
    [copies, refits, pickles, weighted, clips, permutes, one_number],
    ids=lambda f: f.__name__,
)
def test_custom_scorers_give_the_same_scores(scorer):
    weights = np.linspace(0.5, 2, len(y))
    arguments = {"scoring": scorer, "cv": CV, "refit": False, "error_score": "raise"}
    plain = GridSearchCV(LogisticRegression(), GRID, **arguments)
    search = StatisticalGridSearchCV(
        LogisticRegression(), GRID, **arguments, return_predictions=True
    )
    options = {"sample_weight": weights} if scorer is weighted else {}
    scores = [one.fit(X, y, **options).cv_results_["mean_test_score"] for one in (plain, search)]
    np.testing.assert_array_equal(*scores)
    if scorer is clips:
        here = search.predictions(1, repeat=0).to_numpy()
        there = cross_val_predict(
            LogisticRegression(), X, y, cv=folds(CV, X, y, 0), method="predict_proba",
            params=None if not options else {"sample_weight": weights},
        )  # fmt: skip
        np.testing.assert_array_equal(here, there)
    if scorer is permutes:
        with pytest.raises(ValueError, match="No predictions of candidate 0 were kept"):
            search.predictions(0)


class Steps(LogisticRegression):
    """Has parameters and attributes whose names have another meaning elsewhere."""

    def __init__(self, C=1.0, steps=10, best_estimator_=None):
        super().__init__(C=C)
        self.steps = steps
        self.best_estimator_ = best_estimator_


def test_parameter_names_have_no_special_meaning():
    for estimator in (Steps(), Steps(steps=["a", "b"]), Steps(steps=(10, 20))):
        search = StatisticalGridSearchCV(estimator, GRID, cv=3, return_predictions=True)
        search.fit(X, y)
        there = cross_val_predict(LogisticRegression(), X, y, cv=3)
        np.testing.assert_array_equal(search.predictions(1)["predict"], there)


def test_shared_estimator_is_not_changed():
    frozen = FrozenEstimator(LogisticRegression().fit(X, y))
    before = dict(vars(frozen.estimator))
    for n_jobs in (1, 2):
        search = StatisticalGridSearchCV(
            Pipeline([("scale", StandardScaler(with_mean=False, with_std=False)), ("m", frozen)]),
            {"scale__copy": [True, False]}, cv=3, scoring="accuracy", n_jobs=n_jobs,
            return_predictions=True,
        )  # fmt: skip
        with parallel_config(backend="threading"):
            search.fit(X, y)
        for k in (0, 1):
            np.testing.assert_array_equal(search.predictions(k)["predict"], frozen.predict(X))
    assert vars(frozen.estimator).keys() == before.keys()


@pytest.mark.parametrize("model", [KMeans(n_clusters=2, random_state=0, n_init=1), KernelDensity()])
def test_ledger_resumes_cells_without_responses(model, tmp_path):
    grid = {"max_iter": [100, 200]} if hasattr(model, "max_iter") else {"bandwidth": [0.5, 1.0]}
    arguments = {"cv": 3, "ledger": tmp_path / "search.sqlite", "return_predictions": True}
    reused = [StatisticalGridSearchCV(model, grid, **arguments).fit(X).n_reused_ for _ in range(2)]
    assert reused == [0, 6]


def test_labels_that_a_ledger_cannot_store_raise_before_the_first_fit(tmp_path):
    fitted = []

    class Notes(KNeighborsClassifier):
        def fit(self, X, y):
            fitted.append(1)
            return super().fit(X, y)

    texts = np.array([np.str_("a"), np.str_("b")], dtype=object)[y]
    arguments = {"ledger": tmp_path / "search.sqlite", "return_predictions": True}
    grid = {"n_neighbors": [3]}
    for _ in range(2):
        search = StatisticalGridSearchCV(Notes(), grid, cv=3, **arguments).fit(X, texts)
    assert search.n_reused_ == 3
    assert set(search.predictions(0)["predict"]) == {"a", "b"}
    fitted.clear()
    stamps = np.array([pd.Timestamp("2020"), pd.Timestamp("2021")], dtype=object)[y]
    with pytest.raises(ValueError, match="`y` must hold text, numbers or booleans"):
        StatisticalGridSearchCV(Notes(), grid, cv=3, **arguments).fit(X, stamps)
    assert not fitted


def test_targets_of_any_kind():
    class Any(ClassifierMixin, BaseEstimator):
        def __init__(self, a=0):
            self.a = a

        def fit(self, X, y):
            return self

        def predict(self, X):
            return np.zeros(len(X))

        def score(self, X, y):
            return float(self.a)

    gaps = np.where(np.arange(120) % 5, y.astype(float), np.nan)
    nones = np.array(["a", None], dtype=object)[y]
    for target in (gaps, nones):
        StatisticalGridSearchCV(
            Any(), {"a": [0, 1]}, cv=KFold(3), return_predictions=True, refit=False
        ).fit(X, target)


def test_columns_do_not_depend_on_missing_predictions():
    cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=2, random_state=0)
    race = RacingGridSearchCV(
        LogisticRegression(), {"C": [1e-6, 1e-5, 1.0, 2.0]}, cv=cv, scoring="neg_log_loss",
        random_state=0, return_predictions=True,
    ).fit(X, y)  # fmt: skip
    for k in range(4):
        assert race.predictions(k).columns.tolist() == [(0, 0), (0, 1), (1, 0), (1, 1)]


def test_copy_can_drop_its_predictions():
    search = StatisticalGridSearchCV(SVC(), GRID, cv=3, return_predictions=True).fit(X, y)
    copy(search).drop_predictions()
    assert search.predictions(0).shape == (120, 1)


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
        (GridSearchCV(LogisticRegression(), GRID, scoring="neg_log_loss"), {"cv": [2, 3]}),
    ],
    ids=["swapped", "regressor", "no classes", "in a pipeline", "own score", "nested"],
)
@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_own_scores_of_estimators_match_grid_search(estimator, grid):
    plain = GridSearchCV(estimator, grid, cv=3, refit=False).fit(X, y)
    search = StatisticalGridSearchCV(estimator, grid, cv=3, refit=False, return_predictions=True)
    search.fit(X, y)
    for name in ("mean_test_score", "rank_test_score"):
        np.testing.assert_array_equal(search.cv_results_[name], plain.cv_results_[name])


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
@pytest.mark.parametrize("scoring", [None, "neg_log_loss", ["accuracy", "neg_brier_score"]])
def test_estimators_behave_the_same_when_watched(model, scoring):
    arguments = {"scoring": scoring, "cv": CV, "refit": False, "error_score": "raise"}
    plain = GridSearchCV(model, GRID, **arguments).fit(X, y).cv_results_
    search = StatisticalGridSearchCV(model, GRID, **arguments, return_predictions=True).fit(X, y)
    for name in plain:
        if name.startswith("split"):
            np.testing.assert_array_equal(search.cv_results_[name], plain[name])
    method = "predict" if scoring != "neg_log_loss" else "predict_proba"
    expected = cross_val_predict(
        clone(model).set_params(**search.cv_results_["params"][1]),
        X,
        y,
        cv=folds(CV, X, y, 0),
        method=method,
    )
    found = search.predictions(1, repeat=0, method=method).to_numpy()
    np.testing.assert_array_equal(found.reshape(expected.shape), expected)


def test_multilabel_probabilities_are_kept_in_the_form_for_scorers():
    many, labels = make_multilabel_classification(90, random_state=0)
    forest = RandomForestClassifier(5, random_state=0)  # `predict_proba` is a list of arrays
    search = StatisticalGridSearchCV(
        forest, {"max_depth": [2, 3]}, scoring="roc_auc", cv=3, return_predictions=True
    ).fit(many, labels)
    forest.set_params(max_depth=3)
    expected = cross_val_predict(forest, many, labels, cv=3, method="predict_proba")
    np.testing.assert_array_equal(
        search.predictions(1).to_numpy(), np.column_stack([each[:, 1] for each in expected])
    )
    assert search.compare(test="samples").scores.n_available == 2
