"""GridSearchCV of dask-ml; its Hyperband has one test set, and is refused."""

from dask_ml.model_selection import GridSearchCV
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import GroupKFold
from sklearn.tree import DecisionTreeClassifier

from sklearn_stats_compare import compare

X, y = load_breast_cancer(return_X_y=True)
groups = [i // 10 for i in range(len(X))]
search = GridSearchCV(
    DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2, 4, 8]}, cv=GroupKFold(10)
).fit(X, y, groups=groups)

comparison = compare(search, X=X, y=y, groups=groups)  # counts the sizes of the grouped splits
print(comparison.against()[["model_2", "mean_diff", "verdict"]])

assert comparison.scores.design.n_samples == len(X)
assert (comparison.scores.design.n_train + comparison.scores.design.n_test == len(X)).all()
assert comparison.scores.values[0, 0] == search.cv_results_["split0_test_score"][0]
