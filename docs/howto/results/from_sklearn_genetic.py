"""GASearchCV splits again for each candidate, and lists candidates that it met again."""

from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier
from sklearn_genetic import GASearchCV
from sklearn_genetic.space import Continuous

from sklearn_stats_compare import compare

X, y = load_breast_cancer(return_X_y=True)
search = GASearchCV(
    DecisionTreeClassifier(random_state=0),
    param_grid={"ccp_alpha": Continuous(0, 0.05)},
    cv=StratifiedKFold(10, shuffle=True, random_state=0),
    population_size=4,
    generations=2,
    verbose=False,
).fit(X, y)

comparison = compare(search)
print(comparison.note)
print(comparison.against()[["model_2", "mean_diff", "verdict"]].head())

assert comparison.scores.n_candidates == len(search.cv_results_["params"])
assert comparison.scores.values[0, 0] == search.cv_results_["split0_test_score"][0]
