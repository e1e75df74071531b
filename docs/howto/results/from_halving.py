"""A halving search of scikit-learn: the candidates of its last iteration, with a warning."""

import warnings

from sklearn.datasets import load_breast_cancer
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.model_selection import HalvingGridSearchCV, StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from sklearn_stats_compare import ComparisonWarning, compare

X, y = load_breast_cancer(return_X_y=True)
search = HalvingGridSearchCV(
    DecisionTreeClassifier(random_state=0),
    {"max_depth": [1, 2, 3, 4, 5, 6]},
    cv=StratifiedKFold(5, shuffle=True, random_state=0),
    factor=2,
    random_state=0,
).fit(X, y)

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always", ComparisonWarning)
    comparison = compare(search)
print(*(each.message for each in caught))
print(comparison.against()[["model_2", "mean_diff", "verdict"]])

assert "Only the last iteration" in str(caught[0].message)
assert comparison.scores.n_candidates == search.n_candidates_[-1]
