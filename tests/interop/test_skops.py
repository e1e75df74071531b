"""Fitted searches in skops files and in MLflow's models; skipped without skops and MLflow."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_moons
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.svm import SVC

import sklearn_stats_compare as ssc
from sklearn_stats_compare.stats import _family

# `nox -s interop` installs both.
skops_io = pytest.importorskip("skops.io", reason="skops is installed by `nox -s interop`")

X, y = make_moons(noise=0.352, random_state=1, n_samples=100)
CV = RepeatedStratifiedKFold(n_splits=10, n_repeats=2, random_state=0)
GRID = {"C": [1e-6, 0.1, 1, 10], "kernel": ["rbf", "poly"]}
SEARCHES = {
    "whole": lambda path: ssc.StatisticalGridSearchCV(SVC(), GRID, cv=CV, refit=ssc.Simplest("C")),
    "two metrics": lambda path: ssc.StatisticalGridSearchCV(
        SVC(), GRID, cv=CV, scoring=["accuracy", "roc_auc"], refit="roc_auc", p_adjust="maxt"
    ),
    "predictions": lambda path: ssc.StatisticalGridSearchCV(
        SVC(), GRID, cv=CV, scoring="accuracy", return_predictions=True, test="samples"
    ),
    "some fits failed": lambda path: ssc.StatisticalGridSearchCV(SVC(), {"C": [0.1, 1, -1]}, cv=CV),
    "ledger": lambda path: ssc.StatisticalGridSearchCV(SVC(), GRID, cv=CV, ledger=str(path)),
    "race": lambda path: ssc.RacingGridSearchCV(SVC(), GRID, cv=CV, random_state=0),
    "random race": lambda path: ssc.RacingRandomizedSearchCV(
        SVC(), GRID, n_iter=5, cv=CV, random_state=0
    ),
}
FRAMES = ("pairwise_frequentist_", "pairwise_bayesian_", "selection_report_", "race_history_")

pytestmark = [
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning"),
    pytest.mark.filterwarnings("ignore:One or more of the test scores are non-finite"),
]


@pytest.mark.parametrize("kind", SEARCHES)
@pytest.mark.parametrize("extended", [pytest.param(False, marks=pytest.mark.slow), True])
def test_a_loaded_search_answers_the_same_to_the_last_bit(kind, extended, tmp_path, monkeypatch):
    monkeypatch.setattr(_family, "N_DRAWS", 2_000)  # it draws for each of many tables
    search = SEARCHES[kind](tmp_path / "search.sqlite").fit(X, y)
    if extended:
        search.extend(X, y, n_repeats=1)
    saved = skops_io.dumps(search)
    trusted = skops_io.get_untrusted_types(data=saved)
    # Of this package, of scikit-learn and NumPy: nothing that hides code.
    assert {name.split(".")[0] for name in trusted} <= {"sklearn_stats_compare", "sklearn", "numpy"}
    again = skops_io.loads(saved, trusted=trusted)
    for name in FRAMES:
        assert hasattr(again, name) == hasattr(search, name)
        if hasattr(search, name):
            pd.testing.assert_frame_equal(
                getattr(again, name), getattr(search, name), check_exact=True
            )
    # Values that were kept by default are not saved, and with them goes the advice to use them.
    parts = [repr(one.comparison_).split("\nNext:") for one in (again, search)]
    lost = "\n\nThe values of samples that fit kept by default are not in this pickle; those of\n"
    parts[0][0] = parts[0][0].replace(f'{lost}return_predictions="values" are.', "")
    assert parts[0][0].split() == parts[1][0].split()
    if search.return_predictions != "auto":
        assert parts[0] == parts[1]
    np.testing.assert_array_equal(again.predict(X), search.predict(X))
    if kind == "predictions":
        pd.testing.assert_frame_equal(again.predictions(2), search.predictions(2))
    if "race" in kind:
        assert again.race_labels_ == search.race_labels_
        assert again.race_labels_.naming == search.race_labels_.naming
    if kind != "ledger":  # the first file would be refused: it is on another machine, perhaps
        for one in (search, again):
            one.extend(X, y, n_repeats=2)
        pd.testing.assert_frame_equal(
            again.pairwise_frequentist_, search.pairwise_frequentist_, check_exact=True
        )


# MLflow warns of its own dependencies.
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", ["whole", "race"])
def test_mlflow_logs_it_by_skops(kind, tmp_path, monkeypatch):
    mlflow = pytest.importorskip("mlflow", reason="MLflow is installed by `nox -s interop`")
    monkeypatch.chdir(tmp_path)
    mlflow.set_tracking_uri(f"sqlite:///{tmp_path}/runs.sqlite")
    search = SEARCHES[kind](None).fit(X, y)
    trusted = skops_io.get_untrusted_types(data=skops_io.dumps(search))
    with mlflow.start_run():
        model = mlflow.sklearn.log_model(
            search,
            name="search",
            serialization_format="skops",
            skops_trusted_types=trusted,
            pip_requirements=[],
        )
    again = mlflow.sklearn.load_model(model.model_uri)
    pd.testing.assert_frame_equal(
        again.pairwise_frequentist_, search.pairwise_frequentist_, check_exact=True
    )
