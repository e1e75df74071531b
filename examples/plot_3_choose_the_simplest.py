"""
Choose the simplest candidate that may be the best
==================================================

Claim: take the simplest candidate that the data do not separate from the best; nothing is lost.
Three tenths of the data are set aside before the search, and judge the choice at the end.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold, train_test_split
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from sklearn_stats_compare import Simplest, StatisticalGridSearchCV

X, y = load_breast_cancer(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3, stratify=y, random_state=2)


def complexity(params):
    """What is simple is for you to say: a linear model before a tree, then the freedom in each."""
    if "model__C" in params:
        return 0, params["model__C"]
    return 1, params["model__max_leaf_nodes"]


pipeline = Pipeline([("scale", StandardScaler()), ("model", LogisticRegression(max_iter=1000))])
tree = DecisionTreeClassifier(random_state=0)
search = StatisticalGridSearchCV(
    pipeline,
    [
        {"model__C": [0.001, 0.01, 0.03, 0.1, 0.3, 1.0, 10.0]},
        {"model": [tree], "model__max_leaf_nodes": [2, 4, 8, 16]},
    ],
    cv=RepeatedStratifiedKFold(n_splits=10, n_repeats=5, random_state=0),
    refit=Simplest(complexity),
    n_jobs=2,
).fit(X_train, y_train)
search.comparison_.plot("leader")
plt.show()

# %%
# The rule's report: every candidate, whether it may be the best, and which was taken.

print(search.selection_report_.to_string())

# %%
# The untouched test set: the simple model beside the one with the best mean.

best_mean = search.cv_results_["params"][search.comparison_.ranking().index[0]]
with_best_mean = pipeline.set_params(**best_mean).fit(X_train, y_train)
print(f"best mean, {best_mean}: accuracy {with_best_mean.score(X_test, y_test):.4f}")
print(f"chosen, {search.best_params_}: accuracy {search.score(X_test, y_test):.4f}")
