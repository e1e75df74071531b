"""compare reads the reports of skore as the matrix of their scores, and their predictions."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import RepeatedStratifiedKFold, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from sklearn_stats_compare import compare, cross_validate_models, evaluation

skore = pytest.importorskip("skore")
# skore and what it imports warn of their own plans.
pytestmark = pytest.mark.filterwarnings("ignore")

X, y = (array[::2] for array in load_breast_cancer(return_X_y=True))
MODELS = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "tree": DecisionTreeClassifier(max_depth=3, random_state=0),
}
CV = StratifiedKFold(10, shuffle=True, random_state=0)


def reports_of(models, X, y, cv, **options):
    return {
        name: skore.CrossValidationReport(model, X, y, splitter=cv, **options)
        for name, model in models.items()
    }


@pytest.fixture(scope="module")
def reports():
    return reports_of(MODELS, X, y, CV, pos_label=1)


METRICS = {
    "accuracy": "accuracy",
    "roc_auc": "roc_auc",
    "log_loss": "neg_log_loss",
    "brier_score": "neg_brier_score",
    "precision": "precision",
    "recall": "recall",
}


@pytest.mark.parametrize(("metric", "scoring"), METRICS.items())
def test_scores_are_those_of_the_table_that_skore_shows(reports, metric, scoring):
    sign = -1 if scoring.startswith("neg_") else 1
    by_hand = np.stack(
        [
            getattr(report.metrics, metric)(aggregate=None).to_numpy(float).ravel()
            for report in reports.values()
        ]
    )
    sizes = [(len(train), len(test)) for train, test in CV.split(X, y)]
    n_train, n_test = zip(*sizes, strict=True)
    expected = compare(
        pd.DataFrame(sign * by_hand, index=list(MODELS), columns=[f"split{k}" for k in range(10)]),
        n_train=n_train,
        n_test=n_test,
    )
    given = (reports, list(reports.values()), skore.ComparisonReport(reports))
    for obj in given:
        found = compare(obj, metric=metric)
        assert found.metric == scoring
        assert ("times −1" in found.note) is (sign == -1)
        columns = expected.against().columns[2:]
        # A table of recalls does not show on how many positives candidates agree.
        scores = replace(expected.scores, n_independent=found.scores.n_independent)
        same = replace(expected, scores=scores).against()
        pd.testing.assert_frame_equal(found.against()[columns], same[columns])


@pytest.mark.parametrize(("metric", "scoring"), METRICS.items())
def test_samples_are_those_of_cross_validate_models(reports, metric, scoring):
    expected = cross_validate_models(
        MODELS, X, y, scoring=scoring, cv=CV, test="samples", return_predictions=True
    )
    found = compare(skore.ComparisonReport(reports), metric=metric, test="samples")
    pd.testing.assert_frame_equal(
        found.frequentist(), expected.frequentist(), rtol=1e-10, atol=1e-12
    )
    assert found.by(np.arange(len(y)) % 2).table["n_samples"].sum() == len(y)


def test_the_positive_class_may_be_the_first():
    names = np.array(["benign", "malign"])[1 - y]  # a positive class that is the first
    reports = reports_of(MODELS, X, names, CV, pos_label="benign")
    assert compare(reports, metric="log_loss", test="samples")._settings.test.name == "samples"
    found = compare(reports, metric="roc_auc")
    # As in skore, and the same for both classes.
    np.testing.assert_allclose(
        found.with_settings(metric="roc_auc").scores.values, found.scores.values
    )
    areas = evaluation.delong_of(found, "logistic", "tree")
    assert areas.auc1 > areas.auc2 > 0.5


def test_regressors_and_repeats_and_three_classes():
    data = load_diabetes(return_X_y=True)
    models = {"ridge": Ridge(), "mean": DummyRegressor()}
    reports = reports_of(models, *data, 10)
    for metric, scoring in {"r2": "r2", "rmse": "neg_root_mean_squared_error"}.items():
        expected = cross_validate_models(
            models, *data, scoring=scoring, cv=10, test="samples", return_predictions=True
        )
        found = compare(reports, metric=metric, test="samples")
        pd.testing.assert_frame_equal(
            found.frequentist(), expected.frequentist(), rtol=1e-10, atol=1e-12
        )
    cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
    iris = reports_of(MODELS, *load_iris(return_X_y=True), cv)
    expected = cross_validate_models(
        MODELS, *load_iris(return_X_y=True), scoring="neg_log_loss", cv=cv, test="samples",
        return_predictions=True,
    )  # fmt: skip
    found = compare(iris, metric="log_loss", test="samples")
    pd.testing.assert_frame_equal(
        found.frequentist(), expected.frequentist(), rtol=1e-10, atol=1e-12
    )
    with pytest.raises(ValueError, match="`metric` must have one value for each split; got 'prec"):
        compare(iris, metric="precision")


def test_times_and_added_metrics_are_compared_by_splits(reports):
    times = compare(reports, metric="fit_time")
    assert times.metric == "neg_fit_time"
    assert (times.scores.values < 0).all()
    with pytest.raises(ValueError, match="`test` must not be 'samples'"):
        compare(reports, metric="fit_time", test="samples")


def test_refusals(reports):
    one = reports["logistic"]
    other_splits = skore.CrossValidationReport(
        MODELS["tree"], X, y, pos_label=1,
        splitter=StratifiedKFold(10, shuffle=True, random_state=1),
    )  # fmt: skip
    other_y = skore.CrossValidationReport(MODELS["tree"], X, 1 - y, splitter=CV, pos_label=1)
    other_class = skore.CrossValidationReport(MODELS["tree"], X, y, splitter=CV, pos_label=0)
    hold_out = skore.EstimatorReport(
        LogisticRegression(), X_train=X[:99], y_train=y[:99], X_test=X[99:], y_test=y[99:]
    )
    second = skore.EstimatorReport(
        DecisionTreeClassifier(), X_train=X[:99], y_train=y[:99], X_test=X[99:], y_test=y[99:]
    )
    # skore compares the first two; it checks `y` itself.
    mixed = skore.ComparisonReport({"a": one, "b": other_splits})
    for obj, message in {
        "splits": (mixed, "same splits; those of 'a' and 'b' differ, which skore accepts"),
        "y": ({"a": one, "b": other_y}, "with the same `y`; those of 'a' and 'b' differ"),
        "class": ({"a": one, "b": other_class}, "the same `pos_label`; those of 'a' and 'b' have"),
        "one": (one, "reports of at least two models; got one CrossValidationReport"),
        "names": ([one, one], "a mapping of names to reports if several have the same name"),
        "hold-out": (skore.ComparisonReport([hold_out, second]), "one test set has no splits"),
        "one hold-out": (hold_out, "`mcnemar`, `cochrans_q` or `delong`"),
    }.values():
        with pytest.raises(ValueError, match=message):
            compare(obj, metric="accuracy")
    with pytest.raises(TypeError, match="only CrossValidationReport if it contains one; got int"):
        compare({"a": one, "b": 3}, metric="accuracy")
    with pytest.raises(ValueError, match="`metric` must be one of default_score, accuracy, "):
        compare(reports)
    with pytest.raises(ValueError, match="`orient` must be left out"):
        compare(reports, metric="accuracy", orient="index")


def test_a_long_table_of_a_report_says_which_scores_are_better(reports):
    table = skore.ComparisonReport(reports).metrics.summarize(metric="log_loss").summary
    names = {"model": "estimator", "split": "split", "value": "score"}
    found = compare(table, test_train_ratio=1 / 9, **names)
    own = compare(reports, metric="log_loss")
    assert found.leader == own.leader
    assert found.scores.values == pytest.approx(own.scores.values)
