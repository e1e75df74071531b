"""MLflow logs a search by itself; log_mlflow adds the comparison, and cv_results.csv is read."""

import mlflow
import pandas as pd
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from sklearn_stats_compare import StatisticalGridSearchCV, compare
from sklearn_stats_compare.reports import log_mlflow

X, y = load_breast_cancer(return_X_y=True)
search = StatisticalGridSearchCV(
    DecisionTreeClassifier(random_state=0),
    {"max_depth": [1, 2, 4, 8]},
    cv=StratifiedKFold(10, shuffle=True, random_state=0),
)

mlflow.sklearn.autolog(log_models=False)
with mlflow.start_run() as run:
    search.fit(X, y)
    log_mlflow(search)

# Later, perhaps on another machine: the scores, and what was logged about them.
path = mlflow.artifacts.download_artifacts(run_id=run.info.run_id, artifact_path="cv_results.csv")
again = compare(path, n_train=search.n_train_, n_test=search.n_test_)
logged = mlflow.get_run(run.info.run_id).data
print(logged.tags["comparison.leader"], logged.metrics["comparison.leader_corrected_mean"])

assert again.leader == search.comparison_.leader == logged.tags["comparison.leader"]
pd.testing.assert_frame_equal(again.against(), search.comparison_.against(), rtol=1e-9)
assert abs(logged.metrics["comparison.leader_mean"] - search.best_score_) < 1e-12
