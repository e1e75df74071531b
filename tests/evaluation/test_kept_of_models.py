"""cross_validate_models keeps the predictions of the very fits that it scores."""

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import get_scorer, median_absolute_error
from sklearn.metrics import make_scorer as scorer_of
from sklearn.model_selection import GroupKFold, RepeatedStratifiedKFold, cross_val_predict
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from sklearn_stats_compare import StatisticalGridSearchCV, cross_validate_models, delong

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
X, y = X.iloc[::2, :4], y.iloc[::2]
MODELS = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "knn": KNeighborsClassifier(9),
    "svm": make_pipeline(StandardScaler(), SVC()),
}
CV = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)


@pytest.mark.parametrize("n_jobs", [None, 2])
@pytest.mark.parametrize("scoring", [None, "roc_auc", ["accuracy", "roc_auc"]])
def test_scores_are_those_without_and_values_those_of_predictions(scoring, n_jobs):
    plain = cross_validate_models(MODELS, X, y, scoring=scoring, cv=CV)
    kept = cross_validate_models(
        MODELS, X, y, scoring=scoring, cv=CV, return_predictions=True, n_jobs=n_jobs
    )
    assert list(kept) == list(plain)
    for metric, comparison in kept.items():
        np.testing.assert_array_equal(comparison.scores.values, plain[metric].scores.values)
        by_samples = comparison.with_settings(test="samples")
        samples = by_samples.scores.samples
        for k, (_, test) in enumerate(CV.split(X, y)):
            means = samples.values[:, k // 5, test].mean(axis=1)
            np.testing.assert_allclose(means, comparison.scores.values[:, k], atol=1e-12)
    if scoring is None:
        first = list(CV.split(X, y))[:5]
        right = [cross_val_predict(clone(m), X, y, cv=first) == y for m in MODELS.values()]
        np.testing.assert_array_equal(samples.values[:, 0], np.array(right, dtype=float))


def test_results_equal_those_of_a_search_over_the_same_models():
    grid = {"n_neighbors": [1, 9, 25]}
    search = StatisticalGridSearchCV(
        KNeighborsClassifier(), grid, scoring="accuracy", cv=CV, test="samples"
    ).fit(X, y)
    models = {str(k): KNeighborsClassifier(k) for k in grid["n_neighbors"]}
    found = cross_validate_models(models, X, y, scoring="accuracy", cv=CV, test="samples")
    pd.testing.assert_frame_equal(found["score"].pairwise_frequentist, search.pairwise_frequentist_)
    assert found["score"].predicted.responses.are_values


def test_further_methods_need_no_fit():
    kept = cross_validate_models(
        {"logistic": MODELS["logistic"], "knn": MODELS["knn"]}, X, y,
        scoring="neg_log_loss", cv=CV, test="samples", return_predictions=True,
    )["score"]  # fmt: skip
    table = kept.by(pd.cut(X["mean radius"], [0, 14, 40], labels=["small", "large"])).table
    assert table["n_samples"].tolist() == [
        ((X["mean radius"] <= 14).sum()),
        (X["mean radius"] > 14).sum(),
    ]
    by_area = kept.with_metric("roc_auc")
    direct = cross_validate_models(MODELS, X, y, scoring="roc_auc", cv=CV)["score"]
    np.testing.assert_allclose(by_area.scores.values, direct.scores.values[:2], atol=1e-12)
    first = list(CV.split(X, y))[:5]
    p = [
        cross_val_predict(MODELS[name], X, y, cv=first, method="predict_proba")[:, 1]
        for name in ("logistic", "knn")
    ]
    areas = [delong(y.iloc[t], p[0][t], p[1][t]).auc1 for _, t in first]
    assert kept.delong("logistic", "knn").auc1 == pytest.approx(np.mean(areas))


def test_failures_groups_and_weights():
    class Fails(KNeighborsClassifier):
        def fit(self, X, y):
            raise ValueError("no")

    with pytest.warns(FitFailedWarning, match="10 of 30 fits failed"):
        found = cross_validate_models(
            {"knn": MODELS["knn"], "logistic": MODELS["logistic"], "fails": Fails()}, X, y,
            scoring=["accuracy", "f1"], cv=CV, test="samples",
        )  # fmt: skip
    assert found["f1"].scores.missing.tolist() == [False, False, True]
    patients = np.arange(len(y)) // 3
    rough = scorer_of(median_absolute_error, greater_is_better=False)  # by jackknife
    grouped = cross_validate_models(
        {"ridge": Ridge(), "knn": KNeighborsRegressor()}, X, y.astype(float), groups=patients,
        scoring=rough, cv=GroupKFold(5), test="samples",
    )["score"]  # fmt: skip
    assert grouped.scores.samples.n_samples == patients.max() + 1
    weights = np.linspace(0.5, 2, len(y))
    with config_context(enable_metadata_routing=True):
        scorer = get_scorer("accuracy").set_score_request(sample_weight=True)
        model = LogisticRegression(C=0.1).set_fit_request(sample_weight=False)
        weighted = cross_validate_models(
            {"one": model, "other": clone(model).set_params(C=10.0)},
            StandardScaler().fit_transform(X), y, scoring=scorer, cv=CV,
            params={"sample_weight": weights}, test="samples",
        )["score"]  # fmt: skip
    assert weighted.scores.samples.means == pytest.approx(weighted.scores.means, abs=0.01)


def test_invalid_options_raise_before_any_fit():
    with pytest.raises(ValueError, match="`return_predictions` must be"):
        cross_validate_models(MODELS, X, y, return_predictions="all")
    with pytest.raises(ValueError, match="`test` must be"):
        cross_validate_models(MODELS, X, y, test="nothing")
