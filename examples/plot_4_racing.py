"""
Race: the full search's winner for a part of the fits
=====================================================

Claim: candidates that cannot become the winner need not be fitted on every split, and the risk to
drop the winner can be stated.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer, make_classification
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from sklearn_stats_compare import RacingGridSearchCV
from sklearn_stats_compare.displays import RaceDisplay


def fits(race):
    """How many fits a race needed."""
    share = race.n_fits_ / race.n_fits_full_
    return f"{race.n_fits_:,} fits instead of {race.n_fits_full_:,} ({share:.0%})"


# %%
# Five folds of 4,000 samples. After two folds each candidate has predicted 1,600 samples, which is
# enough to drop most of them.

X, y = make_classification(4_000, 20, n_informative=8, flip_y=0.05, random_state=0)
tree = DecisionTreeClassifier(random_state=0)
grid = {"max_depth": [2, 4, 6, 8, 12, None], "min_samples_leaf": [1, 5, 20, 50, 100]}
race = RacingGridSearchCV(tree, grid, cv=5, random_state=0, n_jobs=2, test="samples").fit(X, y)
print(fits(race))
print(race.race_history_.to_string(index=False))

# %%
# The survivors were scored on all splits, and are compared like those of any search.

print(race.comparison_)

# %%
# 30 splits: lines end where a candidate was dropped. What is close to the leader runs to the end.

model = make_pipeline(StandardScaler(), SVC())
grid = {"svc__C": np.logspace(-2, 3, 8), "svc__gamma": np.logspace(-5, -1, 4)}
cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=3, random_state=0)
race = RacingGridSearchCV(model, grid, cv=cv, random_state=0, n_jobs=2)
race.fit(*load_breast_cancer(return_X_y=True))
print(fits(race))
RaceDisplay.from_search(race)
plt.show()
