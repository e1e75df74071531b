"""
What five folds can say
=======================

Most people search with ``cv=5``. Five scores per candidate leave the corrected t-test four degrees
of freedom: intervals are wide, and nearly every verdict is undecided. The same five folds hold a
prediction for every sample, and the search keeps what the test needs of them.
"""

import warnings

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_stats_compare import ComparisonWarning, StatisticalGridSearchCV

warnings.simplefilter("ignore", ComparisonWarning)  # it says that five splits are few
X, y = load_breast_cancer(return_X_y=True)
model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
grid = {"logisticregression__C": [0.001, 0.01, 0.1, 1, 10, 100]}
five = StratifiedKFold(5, shuffle=True, random_state=0)
search = StatisticalGridSearchCV(model, grid, scoring="neg_log_loss", cv=five, rope=0.01)
search.fit(X, y)

# %%
# Thirty fits, and the test of five splits.

columns = ["model_2", "mean_diff", "ci_low", "ci_high", "verdict"]
print(search.comparison_.against()[columns].round(3))

# %%
# The same thirty fits, and the test of 569 samples.

by_samples = search.compare(test="samples")
print(by_samples.against()[columns].round(3))

# %%
# The candidate to deploy, and what each may cost at most.

print(search.recommend())
search.recommend().plot()
plt.show()

# %%
# Four repeats of ten folds, 240 fits, are the judge.

search.set_params(cv=RepeatedStratifiedKFold(n_splits=10, n_repeats=4, random_state=0))
print(search.fit(X, y).comparison_.against()[columns].round(3))
