"""
What five folds can say
=======================

Most people search with ``cv=5``. Five scores per candidate leave the corrected t-test four degrees
of freedom: intervals are wide, and nearly every verdict is undecided. The same five folds hold a
prediction for every sample. ``test="samples"`` keeps the predictions, and tests there.
"""

import warnings

import pandas as pd
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_stats_compare import ComparisonWarning, StatisticalGridSearchCV

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
grid = {"logisticregression__C": [0.001, 0.01, 0.1, 1, 10, 100]}


def search(cv, test):
    """Fit a search by log loss; a difference of 0.01 would not matter."""
    return StatisticalGridSearchCV(
        model, grid, scoring="neg_log_loss", cv=cv, test=test, rope=0.01
    ).fit(X, y)


# %%
# Thirty fits, and the test of five splits. A warning says what is wrong with it; here it is
# silenced.

five = StratifiedKFold(5, shuffle=True, random_state=0)
with warnings.catch_warnings():
    warnings.simplefilter("ignore", ComparisonWarning)
    by_splits = search(five, "corrected_t").comparison_
    print(by_splits.against()[["model_2", "mean_diff", "ci_low", "ci_high", "verdict"]].round(3))

# %%
# The same thirty fits, and the test of 569 samples.

by_samples = search(five, "samples").comparison_
print(by_samples)
print(by_samples.against()[["model_2", "mean_diff", "ci_low", "ci_high", "verdict"]].round(3))

# %%
# Ten repeats of ten folds, 600 fits, are the judge.

judge = search(RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0), "corrected_t")
print(judge.comparison_)

# %%
# How often do the verdicts on the leader agree with the judge's?

verdicts = {
    "5 splits": by_splits,
    "569 samples": by_samples,
    "100 splits": judge.comparison_,
}
for name, comparison in verdicts.items():
    decided = comparison.against().set_index("model_2")["verdict"]
    print(f"{name:12}", dict(decided.sort_index()))

# %%
# Five splits leave C = 0.01 undecided. With the same fits 569 samples show that the leader is
# better, and so do 100 splits.
#
# Samples also tell where the leader wins: here within bins of the mean radius of the nuclei.

size = pd.cut(X["mean radius"], [0, 12, 16, 40], labels=["small", "medium", "large"])
print(by_samples.by(size))
