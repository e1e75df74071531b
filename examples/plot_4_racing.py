"""
Race: the full search's winner for a part of the fits
=====================================================

Claim: candidates that cannot become the winner need not be fitted on every split, and the risk to
drop the winner can be stated.

A grid of 84 support vector machines on scikit-learn's breast cancer data, 30 splits each. Most of
them are out after five splits.
"""

from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from sklearn_stats_compare import RacingGridSearchCV, StatisticalGridSearchCV
from sklearn_stats_compare.displays import RaceDisplay

pictures = Path("pictures")
pictures.mkdir(exist_ok=True)

X, y = load_breast_cancer(return_X_y=True)
model = make_pipeline(StandardScaler(), SVC())
grid = {"svc__C": np.logspace(-2, 3, 12), "svc__gamma": np.logspace(-5, 1, 7)}
cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=3, random_state=0)

race = RacingGridSearchCV(model, grid, cv=cv, random_state=0, n_jobs=2).fit(X, y)
print(race.race_history_.to_string(index=False))
share = race.n_fits_ / race.n_fits_full_
print(f"{race.n_fits_:,} fits in place of {race.n_fits_full_:,} ({share:.0%})")

# %%
# Lines end where a candidate was dropped. What is close to the leader runs to the end.

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
