"""
Choose the simplest candidate that may be the best
==================================================

Claim: take the simplest candidate that the data do not separate from the best; nothing is lost.

A pipeline's grid spans two families, logistic regressions from strongly to hardly regularised and
decision trees from a stump to 31 leaves. Three tenths of the data are set aside before anything is
looked at, and judge the choice at the end.
"""

import tempfile
from pathlib import Path

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold, train_test_split
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from sklearn_stats_compare import Simplest, StatisticalGridSearchCV, compare
from sklearn_stats_compare.displays import LeaderDisplay
from sklearn_stats_compare.reports import shared_by

pictures = Path("pictures")
pictures.mkdir(exist_ok=True)

X, y = load_breast_cancer(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3, stratify=y, random_state=2)

# %%
# What is simple is for you to say. Here: a linear model before a tree, within the linear models the
# more regularised one, within the trees the one with fewer leaves.


def complexity(params):
    """A pair that is compared in order: the family, then the freedom within it."""
    if "model__C" in params:
        return 0, params["model__C"]
    return 1, params["model__max_leaf_nodes"]


pipeline = Pipeline([("scale", StandardScaler()), ("model", LogisticRegression(max_iter=1000))])
grid = [
    {"model__C": [0.001, 0.01, 0.03, 0.1, 0.3, 1.0, 10.0]},
    {
        "model": [DecisionTreeClassifier(random_state=0)],
        "model__max_leaf_nodes": [2, 4, 8, 16, 31],
    },
]
search = StatisticalGridSearchCV(
    pipeline,
    grid,
    cv=RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0),
    refit=Simplest(complexity),
    n_jobs=2,
).fit(X_train, y_train)

print(search.comparison_)
display = LeaderDisplay.from_search(search)
display.figure_.savefig(pictures / "plot_3_leader.png", dpi=150)

# %%
# The rule's report: every candidate, whether it may be the best, and which was taken.

print(search.selection_report_.to_string())

# %%
# What those that may be the best have in common, and how probably each is the best.

print(shared_by(search.comparison_, search.possibly_best_))
print(search.comparison_.possibly_best(method="bayes", everyone=True).head().round(3).to_string())

# %%
# The untouched test set: the simple model beside the one with the best mean. Other outer splits
# give one right answer of 171 more or less, in either direction.

best_mean = search.cv_results_["params"][search.comparison_.ranking().index[0]]
with_best_mean = pipeline.set_params(**best_mean).fit(X_train, y_train)
best_on_test = search.scorer_(with_best_mean, X_test, y_test)
chosen_on_test = search.scorer_(search.best_estimator_, X_test, y_test)
print(f"best mean, {best_mean}: accuracy {best_on_test:.4f} on the test set")
print(f"chosen, {search.best_params_}: accuracy {chosen_on_test:.4f} on the test set")

# %%
# The leader's mean was chosen for being the highest. How much of it is luck, and what could this
# cross-validation have detected at all?

optimism = search.comparison_.optimism(rng=0)
low, high = optimism.confidence_interval()
print(f"mean {optimism.mean:.4f}, corrected {optimism.corrected_mean:.4f}")
print(f"interval of its true score, which allows for the choice: [{low:.4f}, {high:.4f}]")
print(search.comparison_.plan().head().round(4).to_string())
print(search.comparison_.plan(0.02)[["label", "n_repeats", "answer"]].head().to_string())

# %%
# The same from the file that you kept, with the sizes and repeats of the splits.

with tempfile.TemporaryDirectory() as folder:
    file = Path(folder) / "scores.csv"
    search.comparison_.to_csv(file)
    again = compare(file)
print(again.ranking().head(3).round(4).to_string())
