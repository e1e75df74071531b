"""cross_validate_models: scikit-learn's own scores, on the same splits, failures kept."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.cluster import KMeans
from sklearn.datasets import load_breast_cancer, load_diabetes, make_classification
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LogisticRegression, LogisticRegressionCV, Ridge, RidgeCV
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

from sklearn_stats_compare import Comparison, ComparisonWarning, cross_validate_models
from sklearn_stats_compare.evaluation._own_scores import check_one_score

MODELS = {
    "lr": make_pipeline(StandardScaler(), LogisticRegression()),
    "tree": DecisionTreeClassifier(max_depth=3, random_state=0),
    "bayes": GaussianNB(),
}


@pytest.fixture(scope="module")
def cancer():
    X, y = load_breast_cancer(return_X_y=True)
    return X[:200], y[:200]


class FailsOnFewZeros(ClassifierMixin, BaseEstimator):
    """Fails on training sets without the first sample; otherwise predicts the majority."""

    def fit(self, X, y):
        if 17.99 not in X[:, 0]:
            raise RuntimeError("the first sample is not here")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


def test_scores_are_those_of_cross_validate_on_the_same_splits(cancer):
    cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
    metrics = ["accuracy", "roc_auc"]
    found = cross_validate_models(MODELS, *cancer, cv=cv, scoring=metrics)
    assert list(found) == metrics
    for metric in metrics:
        assert isinstance(found[metric], Comparison)
        assert found[metric].labels == ("lr", "tree", "bayes")
        assert found[metric].metric == metric
        for row, model in zip(found[metric].scores.values, MODELS.values(), strict=True):
            own = cross_validate(model, *cancer, cv=cv, scoring=metrics)
            np.testing.assert_array_equal(row, own[f"test_{metric}"])
    design = found["accuracy"].scores.design
    assert design.n_test.tolist() == [40] * 10
    assert design.repeat.tolist() == [0] * 5 + [1] * 5


@pytest.mark.parametrize(
    ("scoring", "name"),
    [(None, "accuracy"), ("roc_auc", "roc_auc"), (make_scorer(accuracy_score), "score")],
)
def test_a_single_metric_is_called_score_and_shown_by_its_name(cancer, scoring, name):
    found = cross_validate_models(MODELS, *cancer, cv=KFold(10), scoring=scoring)
    assert list(found) == ["score"]
    assert found["score"].metric == name


def test_settings_go_to_every_comparison(cancer):
    found = cross_validate_models(
        MODELS, *cancer, cv=10, alternative="two-sided", p_adjust=None, rope=0.02, alpha=0.1
    )
    comparison = found["score"]
    settings = (comparison.alternative, comparison.p_adjust, comparison.rope, comparison.alpha)
    assert settings == ("two-sided", None, 0.02, 0.1)


def test_few_splits_warn_once_for_all_metrics(cancer):
    with pytest.warns(ComparisonWarning, match="only 5 splits") as record:
        cross_validate_models(MODELS, *cancer, scoring=["accuracy", "roc_auc"])
    assert len(record) == 1
    assert record[0].filename == __file__


def test_an_unseeded_shuffle_and_a_generator_are_split_once_for_all(cancer):
    for cv in (
        ShuffleSplit(10, test_size=0.2),
        StratifiedKFold(10, shuffle=True).split(*cancer),
    ):
        twice = {"one": GaussianNB(), "other": GaussianNB()}
        comparison = cross_validate_models(twice, *cancer, cv=cv)["score"]
        # Not the verdict: it depends on the drawn splits, even of equal scores.
        one, other = comparison.scores.values
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(
    ("models", "labels"),
    [
        ([GaussianNB(), DummyClassifier()], ("GaussianNB", "DummyClassifier")),
        ([SVC(C=1.0), SVC(C=10)], ("SVC()", "SVC(C=10)")),
        ([GaussianNB(), GaussianNB()], ("GaussianNB #0", "GaussianNB #1")),
    ],
)
def test_models_in_a_list_are_named_by_what_differs(cancer, models, labels):
    comparison = cross_validate_models(models, *cancer, cv=10)["score"]
    shown = tuple(label.removeprefix("model=") for label in comparison.labels)
    assert shown == labels


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_failed_fits_are_missing_and_warn_once(cancer, n_jobs):
    models = {"fails": FailsOnFewZeros(), **MODELS}
    with pytest.warns(FitFailedWarning) as record:
        found = cross_validate_models(models, *cancer, cv=KFold(10), n_jobs=n_jobs)
    assert len(record) == 1
    message = str(record[0].message)
    assert message.startswith("1 of 40 fits failed. fails: 1 of 10, the first with RuntimeError")
    assert "the first sample is not here" in message
    comparison = found["score"]
    assert np.isnan(comparison.scores.values[0]).sum() == 1
    assert comparison.scores.missing.tolist() == [True, False, False, False]
    assert comparison.ranking["label"].iloc[-1] == "fails"
    assert comparison.scores.n_pairs == 3


class Counted(GaussianNB):
    fits = 0

    def fit(self, X, y):
        Counted.fits += 1
        return super().fit(X, y)


@pytest.mark.parametrize(
    ("models", "settings", "match"),
    [
        ({"a": Counted()}, {"p_adjust": "holms"}, "`p_adjust` must be one of"),
        ({"a": Counted()}, {"alpha": 5}, "`alpha` must be in"),
        ({"a": Counted()}, {"rope": -1}, "`rope` must be"),
        ({1: Counted(), "1": Counted()}, {}, "`models` must have different names"),
        ({"a": Counted()}, {"cv": iter([])}, "`cv` must give at least one split; got none"),
    ],
)
def test_invalid_settings_raise_before_any_fit(cancer, models, settings, match):
    with pytest.raises(ValueError, match=match):
        cross_validate_models(models, *cancer, **{"cv": 10, **settings})
    assert Counted.fits == 0


def test_the_reason_is_the_exception_and_its_first_line(cancer):
    class Talks(GaussianNB):
        def fit(self, X, y):
            raise RuntimeError("out of memory.\nSee the docs\n  for more.")

    models = [Talks(), Talks(var_smoothing=0.1), GaussianNB()]
    with pytest.warns(FitFailedWarning) as record:
        cross_validate_models(models, *cancer, cv=10)
    message = str(record[0].message)
    assert "model=Talks(): 10 of 10, the first with RuntimeError: out of memory; model=" in message
    assert message.endswith("RuntimeError: out of memory. Their scores are set to nan.")


def test_a_callable_that_fails_for_one_model_affects_only_that_model(cancer):
    def scorer(estimator, X, y):
        if isinstance(estimator, GaussianNB):
            raise ValueError("not for this one")
        return {"a": 1.0, "b": estimator.score(X, y)}

    models = {"bayes": GaussianNB(), "dummy": DummyClassifier()}
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Scoring failed", UserWarning)
        found = cross_validate_models(models, *cancer, cv=10, scoring=scorer)
    assert list(found) == ["a", "b"]
    assert found["b"].scores.missing.tolist() == [True, False]


def test_a_number_as_error_score_and_raise_are_scikit_learns(cancer):
    models = {"fails": FailsOnFewZeros(), "bayes": GaussianNB()}
    with pytest.warns(FitFailedWarning, match="set to 0"):
        found = cross_validate_models(models, *cancer, cv=KFold(10), error_score=0.0)
    assert found["score"].scores.values[0, 0] == 0.0
    with pytest.raises(RuntimeError, match="not here"):
        cross_validate_models(models, *cancer, cv=KFold(10), error_score="raise")


def test_the_error_gives_the_reason_if_every_fit_fails(cancer):
    class Never(FailsOnFewZeros):
        def fit(self, X, y):
            raise RuntimeError("never")

    with pytest.raises(ValueError, match=r"fitted: 20 of 20 fits failed.*RuntimeError: never"):
        cross_validate_models({"a": Never(), "b": Never()}, *cancer, cv=KFold(10))


def test_a_scorer_that_raises_affects_only_its_own_metric(cancer):
    def broken(estimator, X, y):
        raise RuntimeError("no score")

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Scoring failed", UserWarning)
        found = cross_validate_models(
            MODELS, *cancer, cv=KFold(10), scoring={"good": "accuracy", "broken": broken}
        )
    assert found["broken"].scores.missing.all()
    assert not found["good"].scores.missing.any()


def test_estimators_are_not_fitted_in_place(cancer):
    model = GaussianNB()
    cross_validate_models({"bayes": model}, *cancer, cv=10)
    assert not hasattr(model, "classes_")
    clone(model)


def test_groups_go_to_the_splitter_and_params_to_fit(cancer):
    X, y = cancer
    groups = np.arange(200) % 10
    weights = np.where(y == 1, 1.0, 50.0)
    model = {"lr": LogisticRegression(solver="liblinear")}
    kwargs = {"cv": GroupKFold(10), "groups": groups, "params": {"sample_weight": weights}}
    comparison = cross_validate_models(model, X, y, **kwargs)["score"]
    own = cross_validate(model["lr"], X, y, **kwargs)
    np.testing.assert_array_equal(comparison.scores.values[0], own["test_score"])
    with config_context(enable_metadata_routing=True):
        asking = clone(model["lr"]).set_fit_request(sample_weight=True)
        asks = {"lr": asking.set_score_request(sample_weight=False)}
        routed = cross_validate_models(asks, X, y, **kwargs)["score"]
    np.testing.assert_array_equal(routed.scores.values, comparison.scores.values)


def test_frames_and_regressors_are_accepted():
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    models = {"ridge": Ridge(), "more": Ridge(100.0)}
    comparison = cross_validate_models(models, X, y, cv=10, scoring="r2")["score"]
    assert comparison.leader == "ridge"
    assert isinstance(comparison.pairwise_bayesian, pd.DataFrame)
    assert comparison.scores.design.n_test.sum() == len(X)


def test_whether_to_stratify_must_be_known(cancer):
    mixed = {"bayes": GaussianNB(), "ridge": Ridge()}
    with pytest.raises(ValueError, match=r"`cv` must be a splitter.*got 5"):
        cross_validate_models(mixed, *cancer, cv=5)
    found = cross_validate_models(mixed, *cancer, cv=KFold(10), scoring="neg_mean_squared_error")
    assert not found["score"].scores.missing.any()


class OwnScore(ClassifierMixin, BaseEstimator):
    """A classifier whose `score` is its own: the share of right answers, in percent."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])

    def score(self, X, y):
        return 100 * np.mean(self.predict(X) == y)


class OfNoKind(BaseEstimator):
    """Says neither that it is a classifier nor that it is a regressor."""

    def fit(self, X, y):
        return self

    def score(self, X, y):
        return 0.5


@pytest.mark.parametrize(
    ("models", "expected"),
    [
        ({"bayes": GaussianNB(), "ridge": Ridge()}, "accuracy for bayes; r2 for ridge"),
        (
            {"a": make_pipeline(StandardScaler(), Ridge()), "b": make_pipeline(GaussianNB())},
            "r2 for a; accuracy for b",
        ),
        ({"bayes": GaussianNB(), "k": KMeans(2)}, "accuracy for bayes; the score of a clusterer"),
        ({"bayes": GaussianNB(), "own": OfNoKind()}, "accuracy for bayes; a score of its own for"),
        (
            {"bayes": GaussianNB(), "s": GridSearchCV(SVC(), {"C": [1]}, scoring="roc_auc")},
            "accuracy for bayes; roc_auc for s",
        ),
        (
            {
                "a": GridSearchCV(SVC(), {"C": [1]}, scoring=["f1", "roc_auc"], refit="f1"),
                "b": make_pipeline(GridSearchCV(SVC(), {"C": [1]}, scoring="roc_auc")),
            },
            "f1 for a; roc_auc for b",
        ),
        (
            {"lr": LogisticRegressionCV(scoring="roc_auc"), "bayes": GaussianNB()},
            "roc_auc for lr; accuracy for bayes",
        ),
    ],
)
def test_own_scores_of_different_metrics_raise(cancer, models, expected):
    """Accuracy and R² are on different scales: a difference of the two means nothing."""
    with pytest.raises(ValueError, match=r"`scoring` must be given if .*; got None") as error:
        cross_validate_models(models, *cancer, cv=KFold(10))
    assert expected in str(error.value)


@pytest.mark.parametrize(
    "models",
    [
        {"own": OwnScore(), "bayes": GaussianNB()},
        {"one": OfNoKind(), "other": OfNoKind()},
        {"bayes": GaussianNB(), "s": GridSearchCV(SVC(), {"C": [1]})},
        {"bayes": GaussianNB(), "s": GridSearchCV(SVC(), {"C": [1]}, scoring="accuracy")},
        {"ridge": Ridge(), "cv": RidgeCV(scoring="neg_mean_squared_error")},  # its score is R²
        {"bayes": GaussianNB(), "boost": HistGradientBoostingClassifier(max_iter=2, scoring="f1")},
    ],
)
def test_own_scores_of_one_metric_need_no_scoring(cancer, models):
    found = cross_validate_models(models, *cancer, cv=KFold(10))["score"]
    for row, model in zip(found.scores.values, models.values(), strict=True):
        own = cross_validate(model, *cancer, cv=KFold(10))["test_score"]
        np.testing.assert_array_equal(row, own)


def test_scoring_warn_counts_as_the_default():
    # The default of scikit-learn 1.9, which stands for accuracy until it changes.
    models = [LogisticRegressionCV(scoring="warn"), GaussianNB()]
    check_one_score(["lr", "bayes"], models)


def test_one_scoring_for_all_allows_mixed_kinds(cancer):
    mixed = {"own": OwnScore(), "s": GridSearchCV(SVC(), {"C": [1]}, scoring="roc_auc")}
    found = cross_validate_models(mixed, *cancer, cv=10, scoring="accuracy")["score"]
    assert found.metric == "accuracy"


@pytest.mark.parametrize(
    ("models", "error", "match"),
    [
        ({}, ValueError, "`models` must contain at least one estimator"),
        ([], ValueError, "`models` must contain at least one estimator"),
        ("lr", TypeError, "`models` must be a mapping of names .* got str"),
        (GaussianNB(), TypeError, "`models` must be a mapping of names .* got GaussianNB"),
        ([GaussianNB], TypeError, "`models` must contain estimator instances"),
        ([("bayes", GaussianNB())], TypeError, "`models` must contain estimator instances"),
    ],
)
def test_an_object_that_is_not_a_collection_of_estimators_raises(cancer, models, error, match):
    with pytest.raises(error, match=match):
        cross_validate_models(models, *cancer)


def test_an_unknown_scoring_raises_scikit_learns_error(cancer):
    with pytest.raises(ValueError, match="nonsense"):
        cross_validate_models(MODELS, *cancer, scoring="nonsense")


def test_a_single_metric_is_found_by_its_name_and_a_wrong_one_lists_what_there_is():
    X, y = make_classification(random_state=0)
    models = {"lr": LogisticRegression(), "tree": DecisionTreeClassifier(random_state=0)}
    found = cross_validate_models(models, X, y, scoring="roc_auc", cv=10)
    assert list(found) == ["score"]
    assert found["roc_auc"] is found["score"]
    with pytest.raises(KeyError, match="no metric 'f1'; the keys are 'score', 'roc_auc'"):
        found["f1"]
    assert "score: roc_auc" in repr(found)
    assert repr(found).startswith("['score']\n2 candidates on 10 splits")
    several = cross_validate_models(models, X, y, scoring=["roc_auc", "f1"], cv=10)
    assert several._repr_html_().count('class="ssc-glance"') == 2
    assert pickle.loads(pickle.dumps(several))["f1"].metric == "f1"
    with pytest.raises(KeyError, match="'roc_auc', 'f1'"):
        several["score"]


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_an_error_among_several_metrics_names_its_model(n_jobs):
    X, y = make_classification(random_state=0)
    models = {"lr": LogisticRegression(), "svm": LinearSVC()}
    with pytest.raises(AttributeError, match="predict_proba") as caught:
        cross_validate_models(
            models, X, y, scoring=["accuracy", "neg_log_loss"], cv=10, n_jobs=n_jobs
        )
    assert "This was the model 'svm'." in caught.value.__notes__
