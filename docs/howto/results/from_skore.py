"""Reports of cross-validations by skore: scores, splits and predictions are read from them."""

import skore
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from sklearn_stats_compare import compare

X, y = load_breast_cancer(return_X_y=True)
folds = StratifiedKFold(10, shuffle=True, random_state=0)
models = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "tree": DecisionTreeClassifier(random_state=0),
}
report = skore.ComparisonReport(
    {name: skore.CrossValidationReport(m, X, y, splitter=folds) for name, m in models.items()}
)

comparison = compare(report, metric="log_loss", test="samples")
print(comparison.note)
print(comparison.against()[["model_1", "model_2", "mean_diff", "verdict"]])

of_skore = report.reports_["tree"].metrics.log_loss(aggregate=None).to_numpy().ravel()
assert abs(comparison.scores.values[1] + of_skore).max() < 1e-12
assert comparison.metric == "neg_log_loss"
