"""Predictions of cross_val_predict → compare_predictions: the same folds, nothing is refitted."""

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from sklearn_stats_compare import compare_predictions, cross_validate_models

X, y = load_breast_cancer(return_X_y=True)
folds = StratifiedKFold(5, shuffle=True, random_state=0)
models = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "tree": DecisionTreeClassifier(random_state=0),
}
predictions = {
    name: cross_val_predict(model, X, y, cv=folds, method="predict_proba")
    for name, model in models.items()
}

comparison = compare_predictions(y, predictions, metric="roc_auc", folds=folds)
print(comparison.against()[["model_1", "model_2", "mean_diff", "verdict"]])

refitted = cross_validate_models(models, X, y, scoring="roc_auc", cv=folds, test="samples")
assert abs(comparison.scores.means - refitted.scores.means).max() < 1e-12
assert comparison.against()["verdict"].tolist() == ["better"]
