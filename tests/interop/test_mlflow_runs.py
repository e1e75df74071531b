"""log_mlflow() to runs in a store of files; skipped without MLflow."""

import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_moons
from sklearn.model_selection import GridSearchCV, RepeatedStratifiedKFold, ShuffleSplit
from sklearn.svm import SVC

from sklearn_stats_compare import StatisticalGridSearchCV, compare, report
from sklearn_stats_compare.reports import log_mlflow

# MLflow warns of its own dependencies.
pytestmark = pytest.mark.filterwarnings("ignore")

X, y = make_moons(noise=0.352, random_state=1, n_samples=100)
CV = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
GRID = {"C": [1e-3, 0.1, 1, 10]}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """One for all tests: MLflow takes seconds to make its tables."""
    return tmp_path_factory.mktemp("store") / "runs.sqlite"


@pytest.fixture
def mlflow(store, tmp_path, monkeypatch):
    found = pytest.importorskip("mlflow", reason="it is installed by `nox -s interop`")
    monkeypatch.chdir(tmp_path)
    found.set_tracking_uri(f"sqlite:///{store}")
    return found


def artifact(mlflow, run, path):
    return mlflow.artifacts.download_artifacts(run_id=run.info.run_id, artifact_path=path)


def test_a_run_has_the_report_the_table_and_the_scores(mlflow, tmp_path):
    search = StatisticalGridSearchCV(SVC(), GRID, cv=CV).fit(X, y)
    with mlflow.start_run() as run:
        log_mlflow(search)
    with open(artifact(mlflow, run, "comparison/report.html"), encoding="utf-8") as file:
        assert file.read() == report(search, format="html")
    table = pd.read_csv(artifact(mlflow, run, "comparison/leader_table.csv"))
    own = search.compare(alternative="two-sided").against()
    np.testing.assert_allclose(table["mean_diff"], own["mean_diff"])
    np.testing.assert_allclose(table["p_val"], own["p_val"])
    logged = mlflow.get_run(run.info.run_id).data
    optimism = search.comparison_.optimism(rng=0)
    possibly_best = search.comparison_.possibly_best()
    assert logged.metrics == {
        "comparison.leader_mean": pytest.approx(search.best_score_),
        "comparison.leader_corrected_mean": pytest.approx(optimism.corrected_mean),
        "comparison.optimism": pytest.approx(optimism.optimism),
        "comparison.n_candidates": 4,
        "comparison.n_possibly_best": len(possibly_best),
    }
    assert logged.tags["comparison.leader"] == search.comparison_.leader
    assert logged.tags["comparison.metric"] == "accuracy"
    assert logged.tags["comparison.optimism_method"] == "fold_bootstrap"
    assert logged.tags["comparison.p_adjust"] == "bonferroni"
    assert "comparison.note" not in logged.tags


def test_several_metrics_are_logged_under_their_names(mlflow):
    search = StatisticalGridSearchCV(
        SVC(), GRID, cv=CV, scoring=["accuracy", "roc_auc"], refit="roc_auc"
    ).fit(X, y)
    with mlflow.start_run() as run:
        log_mlflow(search, prefix="grid")
    logged = mlflow.get_run(run.info.run_id).data
    for metric in ("accuracy", "roc_auc"):
        best = search.cv_results_[f"mean_test_{metric}"].max()
        assert logged.metrics[f"grid.{metric}.leader_mean"] == pytest.approx(best)
        assert len(pd.read_csv(artifact(mlflow, run, f"grid/leader_table.{metric}.csv"))) == 3


def test_names_that_are_alike_in_mlflow_are_numbered(mlflow):
    scoring = {"准确率": "accuracy", "召回率": "recall", "f1": "f1"}
    search = StatisticalGridSearchCV(SVC(), GRID, cv=CV, scoring=scoring, refit="f1").fit(X, y)
    with mlflow.start_run() as run:
        log_mlflow(search)
    logged = mlflow.get_run(run.info.run_id).data
    for metric, name in (("准确率", "____0"), ("召回率", "____1"), ("f1", "f1")):
        best = search.cv_results_[f"mean_test_{metric}"].max()
        assert logged.metrics[f"comparison.{name}.leader_mean"] == pytest.approx(best)


def test_an_ended_run_and_a_search_of_others(mlflow):
    """Shuffle splits form no repeats, so only Tibshirani's correction is possible."""
    cv = ShuffleSplit(10, random_state=0)
    other = GridSearchCV(SVC(), GRID, cv=cv).fit(X, y)
    with mlflow.start_run() as run:
        pass
    comparison = compare(other, X=X, y=y)
    log_mlflow(comparison, run_id=run.info.run_id)
    log_mlflow(comparison, run_id=run.info.run_id)
    logged = mlflow.get_run(run.info.run_id).data
    assert logged.tags["comparison.optimism_method"] == "tibshirani"
    table = pd.read_csv(artifact(mlflow, run, "comparison/leader_table.csv"))
    assert len(table) == 3  # replaced


def test_one_candidate_has_no_optimism(mlflow):
    with mlflow.start_run() as run:
        log_mlflow(StatisticalGridSearchCV(SVC(), {"C": [1]}, cv=CV).fit(X, y))
    logged = mlflow.get_run(run.info.run_id).data
    assert "comparison.leader_mean" in logged.metrics
    assert "comparison.optimism" not in logged.metrics


def test_without_a_run_nothing_is_started(mlflow):
    scores = np.random.default_rng(0).normal(size=(2, 10))
    comparison = compare(scores, test_train_ratio=1 / 9)
    with pytest.raises(ValueError, match="`run_id` must be given if no run is active"):
        log_mlflow(comparison)
    assert mlflow.active_run() is None
    with pytest.raises(TypeError, match="`comparison` must be a Comparison or have one"):
        log_mlflow(scores)


@pytest.mark.parametrize("prefix", ["", "a b", "a/b", "é*"])
def test_a_prefix_that_mlflow_would_refuse_raises(prefix):
    comparison = compare(np.eye(2, 10), test_train_ratio=1 / 9)
    with pytest.raises(ValueError, match="`prefix` must be letters, digits"):
        log_mlflow(comparison, prefix=prefix)
    with pytest.raises(TypeError, match="`prefix` must be text"):
        log_mlflow(comparison, prefix=1)
    with pytest.raises(TypeError, match="`run_id` must be text"):
        log_mlflow(comparison, run_id=1)


def test_without_mlflow_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "mlflow", None)  # what Python takes for a failed import
    comparison = compare(np.eye(2, 10), test_train_ratio=1 / 9)
    with pytest.raises(ImportError, match="pip install mlflow"):
        log_mlflow(comparison)


def test_the_results_that_autologging_logs_give_the_same_tables(mlflow):
    mlflow.sklearn.autolog(log_models=False)
    try:
        with mlflow.start_run() as run:
            search = StatisticalGridSearchCV(SVC(), GRID, cv=CV).fit(X, y)
    finally:
        mlflow.sklearn.autolog(disable=True)
    results = artifact(mlflow, run, "cv_results.csv")
    again = compare(results, test_train_ratio=search.test_train_ratio_)
    pd.testing.assert_frame_equal(again.frequentist(), search.compare().frequentist(), rtol=1e-12)
