"""
Race: the full search's winner for a part of the fits
=====================================================

Claim: candidates that cannot become the winner need not be fitted on every split, and the risk to
drop the winner can be stated.

Decision trees on 4,000 samples with scikit-learn's default five folds, then support vector
machines on scikit-learn's breast cancer data with 30 splits.
"""

from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer, make_classification
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from sklearn_stats_compare import RacingGridSearchCV, StatisticalGridSearchCV
from sklearn_stats_compare.displays import RaceDisplay

pictures = Path("pictures")
pictures.mkdir(exist_ok=True)


def fits(race):
    """How many fits a race needed."""
    share = race.n_fits_ / race.n_fits_full_
    return f"{race.n_fits_:,} fits instead of {race.n_fits_full_:,} ({share:.0%})"


# %%
# Five folds of 4,000 samples. After two folds each candidate has predicted 1,600 samples, which is
# enough to drop most of them.

X, y = make_classification(
    4_000, 20, n_informative=8, n_redundant=4, flip_y=0.05, class_sep=0.8, random_state=0
)
tree = DecisionTreeClassifier(random_state=0)
grid = {"max_depth": [2, 4, 6, 8, 12, None], "min_samples_leaf": [1, 2, 5, 10, 20, 50, 100]}
race = RacingGridSearchCV(tree, grid, cv=5, random_state=0, n_jobs=2, test="samples").fit(X, y)
print(race.race_history_.to_string(index=False))
print(fits(race))
print(race.comparison_)

# %%
# If a difference of 0.01 does not matter, a race may also drop what cannot beat the leader by more.

tolerant = RacingGridSearchCV(tree, grid, cv=5, random_state=0, n_jobs=2, tolerance=0.01).fit(X, y)
print(f"with tolerance=0.01: {fits(tolerant)}, {tolerant.best_params_}")

# %%
# 30 splits: lines end where a candidate was dropped. What is close to the leader runs to the end.

X, y = load_breast_cancer(return_X_y=True)
model = make_pipeline(StandardScaler(), SVC())
grid = {"svc__C": np.logspace(-2, 3, 8), "svc__gamma": np.logspace(-5, -1, 4)}
cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=3, random_state=0)

race = RacingGridSearchCV(model, grid, cv=cv, random_state=0, n_jobs=2).fit(X, y)
print(fits(race))
display = RaceDisplay.from_search(race)
display.figure_.savefig(pictures / "plot_4_race.png", dpi=150)

# %%
# The survivors were scored on all splits, and are compared like those of any search.

print(race.comparison_)

# %%
# The same grid in full chooses the same candidate.

full = StatisticalGridSearchCV(model, grid, cv=cv, n_jobs=2).fit(X, y)
print("race:", race.best_params_, f"{race.best_score_:.4f}")
print("full:", full.best_params_, f"{full.best_score_:.4f}")
