"""compare recognises reports of skore by the module of their class; no package is imported.

The classes here have the attributes that are read; tests/interop/test_skore.py has the real ones.
"""

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, log_loss
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from sklearn_stats_compare import compare, cross_validate_models, evaluation

X, y = (array[::2] for array in load_breast_cancer(return_X_y=True))
MODELS = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "tree": DecisionTreeClassifier(max_depth=3, random_state=0),
}
CV = StratifiedKFold(10, shuffle=True, random_state=0)


@dataclass
class CrossValidationReport:
    """What skore 0.28 says of a cross-validation."""

    model: Any
    y: Any = field(default_factory=lambda: y)
    cv: Any = CV
    X: Any = field(default_factory=lambda: X)
    pos_label: Any = None
    ml_task: str = "binary-classification"

    def __post_init__(self):
        self.estimator_name_ = type(self.model).__name__
        self.split_indices = tuple(self.cv.split(self.X, self.y))
        self.reports_ = [
            SimpleNamespace(
                estimator_=clone(self.model).fit(np.asarray(self.X)[train], self.y[train])
            )
            for train, _ in self.split_indices
        ]
        self.metrics = self

    def available(self):
        return ["accuracy", "log_loss", "precision", "fit_time"]

    def get_predictions(self, *, data_source, response_method="predict"):
        assert data_source == "test"
        found = self.responses(response_method)
        if self.pos_label is None or response_method == "predict":
            return found
        return [part[:, self.pos_label] for part in found]  # labels are 0 and 1

    def responses(self, method):
        return [
            getattr(report.estimator_, method)(np.asarray(self.X)[test])
            for report, (_, test) in zip(self.reports_, self.split_indices, strict=True)
        ]

    def summarize(self, *, data_source="test", metric):
        method = "predict_proba" if metric == "log_loss" else "predict"
        score = log_loss if metric == "log_loss" else accuracy_score
        found = self.responses(method)
        rows = [
            {"split": k, "label": label, "score": score(self.y[test], part)}
            for k, (part, (_, test)) in enumerate(zip(found, self.split_indices, strict=True))
            for label in ([0, 1] if metric == "precision" else [None])
        ]
        better = metric in ("accuracy", "precision")
        return SimpleNamespace(summary=pd.DataFrame(rows).assign(greater_is_better=better))


class ComparisonReport(SimpleNamespace):
    pass


class EstimatorReport(SimpleNamespace):
    pass


for kind in (CrossValidationReport, ComparisonReport, EstimatorReport):
    kind.__module__ = "skore._reports"
REPORTS = {name: CrossValidationReport(model) for name, model in MODELS.items()}


@pytest.mark.parametrize(("metric", "scoring"), [("accuracy",) * 2, ("log_loss", "neg_log_loss")])
# Probabilities of the tree are 0 or 1, at a log loss of 36.
@pytest.mark.filterwarnings("ignore:Three samples make:sklearn_stats_compare.ComparisonWarning")
@pytest.mark.parametrize("test", ["corrected_t", "samples"])
def test_numbers_are_those_of_cross_validate_models(metric, scoring, test):
    options = {"scoring": scoring, "cv": CV, "test": test, "return_predictions": True}
    expected = cross_validate_models(MODELS, X, y, **options)
    found = compare(ComparisonReport(reports_=REPORTS), metric=metric, test=test)
    assert (found.metric, found._settings.test.name) == (scoring, test)
    tables = (one.frequentist() for one in (found, expected))
    pd.testing.assert_frame_equal(*tables, rtol=1e-10, atol=1e-12)
    # A further test or metric of the predictions needs no second reading.
    other = found.with_settings(test="samples").with_settings(metric=scoring)
    np.testing.assert_allclose(other.scores.values, expected.scores.values, atol=1e-12)
    assert found.note == (
        "" if metric == "accuracy" else
        "Lower values of skore's log_loss are better: scores are its values times −1."
    )  # fmt: skip


def test_a_list_is_named_by_estimators():
    found = compare(list(REPORTS.values()), metric="accuracy")
    assert set(found.ranking()["label"]) == {"Pipeline", "DecisionTreeClassifier"}
    assert found.scores.design.n_samples == len(y)


@pytest.mark.parametrize("pos_label", [0, 1])
def test_the_positive_class_does_not_turn_the_predictions_round(pos_label):
    # skore returns probabilities of `pos_label` alone; an area under the curve is the same for both
    # classes, and a log loss needs those of the right class.
    of_class = {n: CrossValidationReport(model, pos_label=pos_label) for n, model in MODELS.items()}
    found, known = (compare(reports, metric="log_loss") for reports in (of_class, REPORTS))
    areas = [c.with_settings(metric="roc_auc") for c in (found, known)]
    np.testing.assert_allclose(areas[0].scores.values, areas[1].scores.values, atol=1e-12)
    assert evaluation.delong_of(areas[0], "logistic", "tree").auc1 > 0.9
    samples = found.with_settings(test="samples")
    np.testing.assert_allclose(samples.scores.values, known.scores.values, atol=1e-12)


TREE = REPORTS["tree"]


def tree_beside(other):
    return {"a": TREE, "b": other}


def tree(**options):
    return CrossValidationReport(MODELS["tree"], **options)


OTHER_SPLITS = tree(cv=StratifiedKFold(10, shuffle=True, random_state=1))


@pytest.mark.parametrize(
    ("obj", "message"),
    [
        (TREE, "reports of at least two models; got one CrossValidationReport, of Dec"),
        (tree_beside(OTHER_SPLITS), "same splits; those of 'a' and 'b' differ"),
        (tree_beside(tree(cv=StratifiedKFold(5))), "same splits; those of 'a' and 'b' differ"),
        (ComparisonReport(reports_=tree_beside(OTHER_SPLITS)), "differ, which skore accepts"),
        (tree_beside(tree(y=1 - y)), "with the same `y`; those of 'a' and 'b' differ"),
        (tree_beside(tree(pos_label=1)), "same `pos_label`; those of 'a' and 'b' have None and 1"),
        (
            {name: tree(X=pd.DataFrame(X).iloc[::step]) for name, step in (("a", 1), ("b", -1))},
            "with the same samples in `X`; the index of those of 'a' and 'b' differs",
        ),
        ([TREE, TREE], "a mapping of names to reports if several"),
        (EstimatorReport(estimator_name_="tree"), "EstimatorReport for 'tree': one test set has"),
        (
            ComparisonReport(reports_={"a": EstimatorReport(), "b": EstimatorReport()}),
            "Compare the fitted models by `mcnemar`, `cochrans_q` or `delong`",
        ),
        (tree_beside([0.5] * 10), "only CrossValidationReport if it contains one"),
    ],
)
def test_what_cannot_be_compared_is_refused(obj, message):
    with pytest.raises((TypeError, ValueError), match=message):
        compare(obj, metric="accuracy")


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        (None, "`metric` must be one of accuracy, log_loss, precision"),
        ("roc", "`metric` must be one of 'accuracy', 'log_loss'"),
        ("precision", "got 'precision', which has one for each class"),
    ],
)
def test_a_metric_must_be_chosen_and_have_one_value_for_each_split(metric, message):
    with pytest.raises(ValueError, match=message):
        compare(REPORTS, metric=metric)


def test_other_objects_with_such_names_are_not_reports():
    other = type("CrossValidationReport", (), {"__module__": "elsewhere"})()
    with pytest.raises(TypeError, match="`obj` must be a fitted search"):
        compare(other)
