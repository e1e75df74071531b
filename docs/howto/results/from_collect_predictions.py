"""A CSV file of collect_predictions(…, summarize = FALSE) of tidymodels → compare_predictions."""

from io import StringIO

import pandas as pd
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from sklearn_stats_compare import compare_predictions

# In R: write.csv(collect_predictions(workflows, summarize = FALSE), "predictions.csv",
# row.names = FALSE). Here Python writes the same columns.
X, y = load_breast_cancer(return_X_y=True)
models = {
    "scale_logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "raw_tree": DecisionTreeClassifier(random_state=0),
}
parts = []
for name, model in models.items():
    for k, (train, test) in enumerate(StratifiedKFold(5).split(X, y), start=1):
        p = model.fit(X[train], y[train]).predict_proba(X[test])
        part = {"wflow_id": name, ".config": "pre0_mod0_post0", "id": f"Fold{k}", ".row": test + 1}
        part |= {".pred_class": p.argmax(axis=1), ".pred_0": p[:, 0], ".pred_1": p[:, 1]}
        parts.append(pd.DataFrame({**part, "diagnosis": y[test]}))
file = StringIO(pd.concat(parts).to_csv(index=False))

table = pd.read_csv(file)
names = {"model": "wflow_id", "row": ".row", "fold": "id", "truth": "diagnosis"}
comparison = compare_predictions(table, metric="accuracy", response=".pred_class", **names)
print(comparison.against()[["model_1", "model_2", "mean_diff", "verdict"]])

assert comparison.leader == "scale_logistic"
assert comparison.scores.samples.n_samples == len(y)
