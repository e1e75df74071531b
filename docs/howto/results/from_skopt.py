"""BayesSearchCV splits again for each batch of candidates: its splitter needs an integer seed."""

from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier
from skopt import BayesSearchCV

from sklearn_stats_compare import compare

X, y = load_breast_cancer(return_X_y=True)
search = BayesSearchCV(
    DecisionTreeClassifier(random_state=0),
    {"max_depth": (1, 8), "min_samples_leaf": (1, 20)},
    cv=StratifiedKFold(10, shuffle=True, random_state=0),
    n_iter=5,
    random_state=0,
).fit(X, y)

comparison = compare(search)
print(comparison.note)
print(comparison.against()[["model_2", "mean_diff", "verdict"]])

assert comparison.scores.values[0, 0] == search.cv_results_["split0_test_score"][0]
assert abs(comparison.scores.means.max() - search.best_score_) < 1e-12
