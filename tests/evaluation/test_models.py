"""cross_validate_models: scikit-learn's own scores and predictions, on the same splits."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context
from sklearn import model_selection as ms
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.cluster import KMeans
from sklearn.datasets import load_breast_cancer, make_classification
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.exceptions import FitFailedWarning
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.linear_model import LogisticRegression, LogisticRegressionCV, Ridge, RidgeCV
from sklearn.metrics import (
    accuracy_score,
    fbeta_score,
    get_scorer,
    make_scorer,
    median_absolute_error,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

import sklearn_stats_compare as ssc
from sklearn_stats_compare.evaluation._fits import check_one_score
from sklearn_stats_compare.stats import delong

MODELS = {
    "lr": make_pipeline(StandardScaler(), LogisticRegression()),
    "tree": DecisionTreeClassifier(max_depth=3, random_state=0),
    "bayes": GaussianNB(),
}
PLAIN = {"bayes": GaussianNB(), "dummy": DummyClassifier()}


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
    cv = ms.RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
    metrics = ["accuracy", "roc_auc"]
    found = ssc.cross_validate_models(MODELS, *cancer, cv=cv, scoring=metrics)
    assert list(found) == metrics
    for metric in metrics:
        assert isinstance(found[metric], ssc.Comparison)
        assert found[metric].labels == ("lr", "tree", "bayes")
        assert found[metric].metric == metric
        for row, model in zip(found[metric].scores.values, MODELS.values(), strict=True):
            own = ms.cross_validate(model, *cancer, cv=cv, scoring=metrics)
            np.testing.assert_array_equal(row, own[f"test_{metric}"])
    design = found["accuracy"].scores.design
    assert design.n_test.tolist() == [40] * 10
    assert design.repeat.tolist() == [0] * 5 + [1] * 5


@pytest.mark.parametrize(
    ("scoring", "name"),
    [(None, "accuracy"), ("roc_auc", "roc_auc"), (make_scorer(accuracy_score), "accuracy"),
     (make_scorer(fbeta_score, beta=2), "fbeta_score(beta=2)")],
)  # fmt: skip
def test_a_single_metric_is_called_score_and_shown_by_its_name(cancer, scoring, name):
    settings = {"alternative": "two-sided", "p_adjust": None, "rope": 0.02, "alpha": 0.1}
    found = ssc.cross_validate_models(PLAIN, *cancer, cv=ms.KFold(10), scoring=scoring, **settings)
    assert found.metric == name
    assert {each: getattr(found, each) for each in settings} == settings


@pytest.mark.filterwarnings("ignore::sklearn_stats_compare.ComparisonWarning")
@pytest.mark.parametrize(
    ("own", "refit", "name"),
    [(None, True, "accuracy"), ("roc_auc", True, "roc_auc"), (["accuracy", "f1"], "f1", "f1")],
)
def test_searches_are_compared_by_samples_of_their_own_score(cancer, own, refit, name):
    grids = {"depth": {"max_depth": [1, 3]}, "leaf": {"min_samples_leaf": [1, 20]}}
    tree = DecisionTreeClassifier(random_state=0)
    models = {
        key: ms.GridSearchCV(tree, grid, scoring=own, refit=refit, cv=3)
        for key, grid in grids.items()
    }
    found = ssc.cross_validate_models(models, *cancer, cv=5, test="samples")
    named = ssc.cross_validate_models(models, *cancer, cv=5, test="samples", scoring=name)
    assert found.metric == name
    np.testing.assert_array_equal(found.scores.samples.values, named.scores.samples.values)


def test_few_splits_warn_once_for_all_metrics(cancer):
    with pytest.warns(ssc.ComparisonWarning, match="only 5 splits") as record:
        ssc.cross_validate_models(MODELS, *cancer, scoring=["accuracy", "roc_auc"])
    assert len(record) == 1
    assert record[0].filename == __file__


def test_an_unseeded_shuffle_and_a_generator_are_split_once_for_all(cancer):
    for cv in (ms.ShuffleSplit(10), ms.StratifiedKFold(10, shuffle=True).split(*cancer)):
        twice = {"one": GaussianNB(), "other": GaussianNB()}
        comparison = ssc.cross_validate_models(twice, *cancer, cv=cv)
        assert np.ptp(comparison.scores.values, axis=0).max() == 0
        assert not hasattr(twice["one"], "classes_")  # estimators are not fitted in place


@pytest.mark.parametrize(
    ("models", "labels"),
    [
        ([GaussianNB(), DummyClassifier()], ("GaussianNB", "DummyClassifier")),
        ([SVC(C=1.0), SVC(C=10)], ("model=SVC()", "model=SVC(C=10)")),
        ([GaussianNB(), GaussianNB()], ("model=GaussianNB #0", "model=GaussianNB #1")),
    ],
)
def test_models_in_a_list_are_named_by_what_differs(cancer, models, labels):
    assert ssc.cross_validate_models(models, *cancer, cv=10).labels == labels


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_failed_fits_are_missing_and_warn_once(cancer, n_jobs):
    models = {"fails": FailsOnFewZeros(), **MODELS}
    with pytest.warns(FitFailedWarning) as record:
        found = ssc.cross_validate_models(models, *cancer, cv=ms.KFold(10), n_jobs=n_jobs)
    assert len(record) == 1
    message = str(record[0].message)
    assert message.startswith("1 of 40 fits failed. fails: 1 of 10, the first with RuntimeError")
    assert "the first sample is not here" in message
    assert np.isnan(found.scores.values[0]).sum() == 1
    assert found.scores.missing.tolist() == [True, False, False, False]


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
        ({"a": Counted()}, {"return_predictions": "all"}, "`return_predictions` must be"),
        ({"a": Counted()}, {"test": "nothing"}, "`test` must be"),
        ({"a": Counted()}, {"cv": iter([])}, "`cv` must give at least one split; got none"),
    ],
)
def test_invalid_settings_raise_before_any_fit(cancer, models, settings, match):
    with pytest.raises(ValueError, match=match):
        ssc.cross_validate_models(models, *cancer, **{"cv": 10, **settings})
    assert Counted.fits == 0


def test_the_reason_is_the_exception_and_its_first_line(cancer):
    class Talks(GaussianNB):
        def fit(self, X, y):
            raise RuntimeError("out of memory.\nSee the docs\n  for more.")

    models = [Talks(), Talks(var_smoothing=0.1), GaussianNB()]
    with pytest.warns(FitFailedWarning) as record:
        ssc.cross_validate_models(models, *cancer, cv=10)
    message = str(record[0].message)
    assert "model=Talks(): 10 of 10, the first with RuntimeError: out of memory; model=" in message
    assert "RuntimeError: out of memory. Their scores are set to nan." in message


@pytest.mark.filterwarnings("ignore:Scoring failed:UserWarning")
def test_a_scorer_that_fails_affects_only_its_own_model_and_metric(cancer):
    def scorer(estimator, X, y):
        if isinstance(estimator, GaussianNB):
            raise ValueError("not for this one")
        return {"a": 1.0, "b": estimator.score(X, y)}

    def broken(estimator, X, y):
        raise RuntimeError("no score")

    found = ssc.cross_validate_models(PLAIN, *cancer, cv=10, scoring=scorer)
    assert list(found) == ["a", "b"]
    assert found["b"].scores.missing.tolist() == [True, False]
    metrics = {"good": "accuracy", "broken": broken}
    found = ssc.cross_validate_models(PLAIN, *cancer, cv=ms.KFold(10), scoring=metrics)
    assert found["broken"].scores.missing.all()
    assert not found["good"].scores.missing.any()


def test_a_number_as_error_score_and_raise_are_scikit_learns(cancer):
    models = {"fails": FailsOnFewZeros(), "bayes": GaussianNB()}
    with (
        pytest.warns(FitFailedWarning, match="set to 0"),
        pytest.warns(ssc.ComparisonWarning, match="has the `error_score` 0 on some splits"),
    ):
        found = ssc.cross_validate_models(models, *cancer, cv=ms.KFold(10), error_score=0.0)
    assert found.scores.values[0, 0] == 0.0
    # A loss of 0 on all splits is above all others: nothing that did not fit leads in silence.
    models["fails"] = GaussianNB(priors=[2, 2])  # no distribution
    options = {"cv": ms.KFold(10), "error_score": 0.0, "scoring": "neg_log_loss"}
    with pytest.warns(FitFailedWarning), pytest.warns(ssc.ComparisonWarning, match="0 on all spl"):
        found = ssc.cross_validate_models(models, *cancer, **options)
    assert found.leader == "fails"
    assert "has the `error_score` 0 on all splits" in " ".join(str(found).split())
    models["fails"] = FailsOnFewZeros()
    with pytest.raises(RuntimeError, match="not here"):
        ssc.cross_validate_models(models, *cancer, cv=ms.KFold(10), error_score="raise")


def test_the_error_gives_the_reason_if_every_fit_fails(cancer):
    class Never(FailsOnFewZeros):
        def fit(self, X, y):
            raise RuntimeError("never")

    with pytest.raises(ValueError, match=r"fitted: 20 of 20 fits failed.*RuntimeError: never"):
        ssc.cross_validate_models({"a": Never(), "b": Never()}, *cancer, cv=ms.KFold(10))


def test_groups_go_to_the_splitter_and_params_to_fit(cancer):
    X, y = cancer
    groups = np.arange(200) % 10
    weights = np.where(y == 1, 1.0, 50.0)
    model = {"lr": LogisticRegression(solver="liblinear")}
    kwargs = {"cv": ms.GroupKFold(10), "groups": groups, "params": {"sample_weight": weights}}
    comparison = ssc.cross_validate_models(model, X, y, **kwargs)
    own = ms.cross_validate(model["lr"], X, y, **kwargs)
    np.testing.assert_array_equal(comparison.scores.values[0], own["test_score"])
    with config_context(enable_metadata_routing=True):
        asking = clone(model["lr"]).set_fit_request(sample_weight=True)
        asks = {"lr": asking.set_score_request(sample_weight=False)}
        routed = ssc.cross_validate_models(asks, X, y, **kwargs)
    np.testing.assert_array_equal(routed.scores.values, comparison.scores.values)


def test_whether_to_stratify_must_be_known_where_one_scoring_allows_mixed_kinds(cancer):
    mixed = {"bayes": GaussianNB(), "ridge": Ridge()}
    with pytest.raises(ValueError, match=r"`cv` must be a splitter.*got 5"):
        ssc.cross_validate_models(mixed, *cancer, cv=5)
    options = {"cv": ms.KFold(10), "scoring": "neg_mean_squared_error"}
    found = ssc.cross_validate_models(mixed, *cancer, **options)
    assert not found.scores.missing.any()


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


BY_AREA = ms.GridSearchCV(SVC(), {"C": [1]}, scoring="roc_auc")
BY_TWO = ms.GridSearchCV(SVC(), {"C": [1]}, scoring=["f1", "roc_auc"], refit="f1")
PRIORS = ms.GridSearchCV(GaussianNB(), {"priors": [None]}, cv=2)


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
        ({"bayes": GaussianNB(), "s": BY_AREA}, "accuracy for bayes; roc_auc for s"),
        ({"a": BY_TWO, "b": make_pipeline(BY_AREA)}, "f1 for a; roc_auc for b"),
        (
            {"lr": LogisticRegressionCV(scoring="roc_auc"), "bayes": GaussianNB()},
            "roc_auc for lr; accuracy for bayes",
        ),
    ],
)
def test_own_scores_of_different_metrics_raise(cancer, models, expected):
    """Accuracy and R² are on different scales: a difference of the two means nothing."""
    with pytest.raises(ValueError, match=r"`scoring` must be given if .*; got None") as error:
        ssc.cross_validate_models(models, *cancer, cv=ms.KFold(10))
    assert expected in str(error.value)


@pytest.mark.parametrize(
    "models",
    [
        {"own": OwnScore(), "bayes": GaussianNB()},
        {"one": OfNoKind(), "other": OfNoKind()},
        {"bayes": GaussianNB(), "s": PRIORS},
        {"bayes": GaussianNB(), "s": clone(PRIORS).set_params(scoring="accuracy")},
        {"ridge": Ridge(), "cv": RidgeCV(scoring="neg_mean_squared_error")},  # its score is R²
        {"bayes": GaussianNB(), "boost": HistGradientBoostingClassifier(max_iter=1, scoring="f1")},
    ],
)
def test_own_scores_of_one_metric_need_no_scoring(cancer, models):
    X, y = cancer
    data = X[:, :3], y
    found = ssc.cross_validate_models(models, *data, cv=ms.KFold(10))
    for row, model in zip(found.scores.values, models.values(), strict=True):
        own = ms.cross_validate(model, *data, cv=ms.KFold(10))["test_score"]
        np.testing.assert_array_equal(row, own)


def test_scoring_warn_counts_as_the_default():
    # The default of scikit-learn 1.9, which stands for accuracy until it changes.
    models = [LogisticRegressionCV(scoring="warn"), GaussianNB()]
    check_one_score(["lr", "bayes"], models)


@pytest.mark.parametrize(
    ("models", "error", "match"),
    [
        ({}, ValueError, "`models` must contain at least one estimator"),
        ("lr", TypeError, "`models` must be a mapping of names .* got str"),
        (GaussianNB(), TypeError, "`models` must be a mapping of names .* got GaussianNB"),
        ([GaussianNB], TypeError, "`models` must contain estimator instances"),
        ([("bayes", GaussianNB())], TypeError, "`models` must contain estimator instances"),
        (MODELS, ValueError, "nonsense"),  # scikit-learn's error
    ],
)
def test_an_object_that_is_not_a_collection_of_estimators_raises(cancer, models, error, match):
    with pytest.raises(error, match=match):
        ssc.cross_validate_models(models, *cancer, scoring="nonsense")


def test_several_metrics_are_a_mapping():
    X, y = make_classification(random_state=0)
    models = {"lr": LogisticRegression(), "tree": DecisionTreeClassifier(random_state=0)}
    several = ssc.cross_validate_models(models, X, y, scoring=["roc_auc", "f1"], cv=10)
    assert several._repr_html_().count('class="ssc-glance"') == 2
    assert pickle.loads(pickle.dumps(several))["f1"].metric == "f1"
    assert repr(several).startswith("['roc_auc']\n2 candidates on 10 splits")
    assert several.report("json") == ssc.report(several, "json")
    with pytest.raises(KeyError, match="'roc_auc', 'f1'"):
        several["score"]


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_an_error_among_several_metrics_names_its_model(n_jobs):
    X, y = make_classification(random_state=0)
    models = {"lr": LogisticRegression(), "svm": LinearSVC()}
    options = {"scoring": ["accuracy", "neg_log_loss"], "cv": 10, "n_jobs": n_jobs}
    with pytest.raises(AttributeError, match="predict_proba") as caught:
        ssc.cross_validate_models(models, X, y, **options)
    assert "This was the model 'svm'." in caught.value.__notes__


# Predictions that are kept.
FRAME, TARGET = load_breast_cancer(return_X_y=True, as_frame=True)
FRAME, TARGET = FRAME.iloc[::2, :4], TARGET.iloc[::2]
KEPT = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "knn": KNeighborsClassifier(9),
    "svm": make_pipeline(StandardScaler(), SVC()),
}
CV = ms.RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)


@pytest.mark.parametrize(("scoring", "n_jobs"), [(None, None), (["accuracy", "roc_auc"], 2)])
def test_scores_are_those_without_and_values_those_of_predictions(scoring, n_jobs):
    plain = ssc.cross_validate_models(KEPT, FRAME, TARGET, scoring=scoring, cv=CV)
    kept = ssc.cross_validate_models(
        KEPT, FRAME, TARGET, scoring=scoring, cv=CV, return_predictions=True, n_jobs=n_jobs
    )
    if scoring is None:  # one metric
        kept, plain = {"score": kept}, {"score": plain}
    assert list(kept) == list(plain)
    for metric, comparison in kept.items():
        np.testing.assert_array_equal(comparison.scores.values, plain[metric].scores.values)
        by_samples = comparison.with_settings(test="samples")
        samples = by_samples.scores.samples
        for k, (_, test) in enumerate(CV.split(FRAME, TARGET)):
            means = samples.values[:, k // 5, test].mean(axis=1)
            np.testing.assert_allclose(means, comparison.scores.values[:, k], atol=1e-12)
    if scoring is None:
        first = list(CV.split(FRAME, TARGET))[:5]
        right = [
            ms.cross_val_predict(clone(m), FRAME, TARGET, cv=first) == TARGET for m in KEPT.values()
        ]
        np.testing.assert_array_equal(samples.values[:, 0], np.array(right, dtype=float))


def test_results_equal_those_of_a_search_over_the_same_models():
    grid = {"n_neighbors": [1, 9, 25]}
    search = ssc.StatisticalGridSearchCV(
        KNeighborsClassifier(), grid, scoring="accuracy", cv=CV, test="samples"
    ).fit(FRAME, TARGET)
    models = {str(k): KNeighborsClassifier(k) for k in grid["n_neighbors"]}
    options = {"scoring": "accuracy", "cv": CV, "test": "samples"}
    found = ssc.cross_validate_models(models, FRAME, TARGET, **options)
    pd.testing.assert_frame_equal(found.frequentist(), search.pairwise_frequentist_)
    assert found._predicted.responses.are_values


# Some probabilities of the neighbours are 0, at a log loss of 36.
@pytest.mark.filterwarnings("ignore:Three samples make:sklearn_stats_compare.ComparisonWarning")
def test_further_methods_need_no_fit():
    two = {name: KEPT[name] for name in ("logistic", "knn")}
    kept = ssc.cross_validate_models(
        two, FRAME, TARGET, scoring="neg_log_loss", cv=CV, test="samples", return_predictions=True
    )
    table = kept.by(pd.cut(FRAME["mean radius"], [0, 14, 40], labels=["small", "large"])).table
    small = (FRAME["mean radius"] <= 14).sum()
    assert table["n_samples"].tolist() == [small, len(FRAME) - small]
    by_area = kept.with_settings(metric="roc_auc")
    direct = ssc.cross_validate_models(two, FRAME, TARGET, scoring="roc_auc", cv=CV)
    np.testing.assert_allclose(by_area.scores.values, direct.scores.values, atol=1e-12)
    first = list(CV.split(FRAME, TARGET))[:5]
    p = [
        ms.cross_val_predict(model, FRAME, TARGET, cv=first, method="predict_proba")[:, 1]
        for model in two.values()
    ]
    areas = [delong(TARGET.iloc[t], p[0][t], p[1][t]).auc1 for _, t in first]
    assert ssc.evaluation.delong_of(kept, "logistic", "knn").auc1 == pytest.approx(np.mean(areas))


def test_failures_groups_and_weights():
    class Fails(KNeighborsClassifier):
        def fit(self, X, y):
            raise ValueError("no")

    with pytest.warns(FitFailedWarning, match="10 of 30 fits failed"):
        found = ssc.cross_validate_models(
            {"knn": KEPT["knn"], "logistic": KEPT["logistic"], "fails": Fails()}, FRAME, TARGET,
            scoring=["accuracy", "f1"], cv=CV, test="samples",
        )  # fmt: skip
    assert found["f1"].scores.missing.tolist() == [False, False, True]
    patients = np.arange(len(TARGET)) // 3
    rough = make_scorer(median_absolute_error, greater_is_better=False)  # by jackknife
    grouped = ssc.cross_validate_models(
        {"ridge": Ridge(), "knn": KNeighborsRegressor()}, FRAME, TARGET.astype(float),
        groups=patients, scoring=rough, cv=ms.GroupKFold(5), test="samples",
    )  # fmt: skip
    assert grouped.scores.samples.n_samples == patients.max() + 1
    weights = np.linspace(0.5, 2, len(TARGET))
    with config_context(enable_metadata_routing=True):
        scorer = get_scorer("accuracy").set_score_request(sample_weight=True)
        model = LogisticRegression(C=0.1).set_fit_request(sample_weight=False)
        weighted = ssc.cross_validate_models(
            {"one": model, "other": clone(model).set_params(C=10.0)},
            StandardScaler().fit_transform(FRAME), TARGET, scoring=scorer, cv=CV,
            params={"sample_weight": weights}, test="samples",
        )  # fmt: skip
    assert weighted.scores.samples.means == pytest.approx(weighted.scores.means, abs=0.01)


@pytest.mark.filterwarnings("ignore:There are only")
def test_searches_among_the_models_get_groups_and_are_warned_of_without(cancer):
    X, y = cancer
    groups = np.arange(len(y)) // 5
    cv = ms.GroupKFold(5)
    tuned = ms.GridSearchCV(
        DecisionTreeClassifier(random_state=0), {"max_depth": [1, 3]}, cv=ms.GroupKFold(3)
    )
    stump = DecisionTreeClassifier(max_depth=1, random_state=0)
    found = ssc.cross_validate_models({"tuned": tuned, "stump": stump}, X, y, cv=cv, groups=groups)
    assert not found.scores.missing.any()
    given = {"groups": groups, "params": {"groups": groups}}
    expected = ms.cross_val_score(tuned, X, y, cv=cv, **given)
    np.testing.assert_array_equal(found.scores.values[0], expected)
    with pytest.warns(ssc.ComparisonWarning, match="the search in tuned splits without"):
        ssc.cross_validate_models(
            {"tuned": clone(tuned).set_params(cv=3), "stump": stump}, X, y, cv=cv, groups=groups
        )


def test_the_ledger_of_a_search_is_refused_for_two_jobs_before_a_fit(tmp_path, cancer):
    search = ssc.StatisticalGridSearchCV(
        DecisionTreeClassifier(), {"max_depth": [1, 3]}, cv=3, ledger=tmp_path / "own.sqlite"
    )
    with pytest.raises(ValueError, match="has a search with a `ledger` of its own"):
        ssc.cross_validate_models({"search": search}, *cancer, cv=4, n_jobs=2)


def test_searches_by_rules_of_other_metrics_do_not_score_alike(cancer):
    tree, grid = DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2]}
    searches = {
        metric: ssc.StatisticalGridSearchCV(
            tree, grid, scoring=["accuracy", "roc_auc"], refit=ssc.Simplest(metric=metric), cv=3
        )
        for metric in ("accuracy", "roc_auc")
    }
    with pytest.raises(ValueError, match="accuracy for accuracy; roc_auc for roc_auc"):
        ssc.cross_validate_models(searches, *cancer, cv=3)
    # Nor by a function that returns several; a list of one is that one.
    for metric, search in searches.items():
        search.set_params(scoring=several, refit=metric)
    with pytest.raises(ValueError, match="accuracy for accuracy; roc_auc for roc_auc"):
        ssc.cross_validate_models(searches, *cancer, cv=3)

    class Halving(ssc.StatisticalSearchMixin, ms.HalvingGridSearchCV):
        pass

    by_area = {"halving": Halving(tree, grid, scoring="roc_auc"), "tree": tree}
    with pytest.raises(ValueError, match="roc_auc for halving; accuracy for tree"):
        ssc.cross_validate_models(by_area, *cancer, cv=3)
    searches["accuracy"].set_params(scoring=["roc_auc"], refit=ssc.Simplest())
    searches["roc_auc"].set_params(scoring=["roc_auc"], refit="roc_auc")
    assert ssc.nested_score(searches, *cancer, cv=5)["roc_auc"].metric == "roc_auc"


def several(model, X, y):
    area = get_scorer("roc_auc")(model, X, y)
    return {"accuracy": accuracy_score(y, model.predict(X)), "roc_auc": area}
