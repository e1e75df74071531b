"""
Which number goes into the paper
================================

A search reports the mean of its best candidate. It chose that candidate because its mean is high,
so the mean tends to be too high. This example compares three estimates with the true score. The
candidates are random trees that differ only in their seeds, so the search chooses by luck.
"""

import matplotlib.pyplot as plt
import pandas as pd
from sklearn.datasets import make_classification
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from sklearn_stats_compare import StatisticalGridSearchCV, nested_score

n = 100
X, y = make_classification(20_600, n_features=10, n_informative=3, flip_y=0.2, random_state=0)
search = StatisticalGridSearchCV(
    DecisionTreeClassifier(max_depth=4, max_features=1),
    {"random_state": list(range(12))},
    cv=StratifiedKFold(10, shuffle=True, random_state=0),
)

# %%
# One data set. The nested score fits the whole search on the training set of each outer split, and
# scores it on samples that the search never saw. The outer splits do not agree on a seed.

outer = StratifiedKFold(5, shuffle=True, random_state=1)
nested = nested_score(search, X[:n], y[:n], cv=outer)
print(nested)

# %%
# Six data sets. The truth is the accuracy of what the search refits, on 20,000 new samples.

rows = []
for start in range(0, 6 * n, n):
    own = slice(start, start + n)
    search.fit(X[own], y[own])
    nested = nested_score(search, X[own], y[own], cv=outer)
    rows.append(
        {
            "best mean": search.best_score_,
            "corrected": search.comparison_.optimism(rng=0).corrected_mean,
            "nested": nested.score,
            "truth": search.score(X[600:], y[600:]),
        }
    )
table = pd.DataFrame(rows)
print(table.round(3).to_string())

# %%
# The best mean is above the truth on nearly every data set, the nested score on both sides of it.

axes = table.plot(style=["^", "s", "o", "k_"], markersize=9, xticks=table.index)
axes.set(xlabel="data set", ylabel="accuracy")
plt.show()
