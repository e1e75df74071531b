"""
Which number goes into the paper
================================

A search reports the mean of its best candidate. It chose that candidate because its mean is high,
so the mean tends to be too high. This example compares three estimates with the true score: the
best mean, the corrected mean, and the nested score with its interval.

The candidates are random trees that differ only in their seeds. No seed is better than another in
general, so the search chooses by luck.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.datasets import make_classification
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from sklearn_stats_compare import StatisticalGridSearchCV, nested_score

N_DATA_SETS, N_SAMPLES = 6, 100
X, y = make_classification(
    n_samples=N_DATA_SETS * N_SAMPLES + 20_000, n_features=10, n_informative=3, flip_y=0.2,
    random_state=0,
)  # fmt: skip
X_new, y_new = X[-20_000:], y[-20_000:]
search = StatisticalGridSearchCV(
    DecisionTreeClassifier(max_depth=4, max_features=1),
    {"random_state": list(range(12))},
    cv=StratifiedKFold(10, shuffle=True, random_state=0),
)

# %%
# One data set. The nested score fits the whole search on the training set of each outer split, and
# scores it on samples that the search never saw.

outer = StratifiedKFold(5, shuffle=True, random_state=1)
nested = nested_score(search, X[:N_SAMPLES], y[:N_SAMPLES], cv=outer)
print(nested)

# %%
# The choice is a lottery: the outer splits do not agree on a seed.

print(nested.choices.head()[["chosen", "n_splits", "accuracy"]])

# %%
# The same for six data sets. The truth is the accuracy of what the search refits, on 20,000 new
# samples.

rows = []
for k in range(N_DATA_SETS):
    own = slice(k * N_SAMPLES, (k + 1) * N_SAMPLES)
    search.fit(X[own], y[own])
    corrected = search.comparison_.optimism(rng=0)
    nested = nested_score(search, X[own], y[own], cv=outer)
    rows.append(
        {
            "best mean": search.best_score_,
            "corrected": corrected.corrected_mean,
            "nested": nested.score,
            "truth": search.score(X_new, y_new),
            "low": nested.confidence_interval()[0],
            "high": nested.confidence_interval()[1],
        }
    )
table = pd.DataFrame(rows)
print(table.round(3).to_string())
errors = table[["best mean", "corrected", "nested"]].sub(table["truth"], axis=0)
print(errors.agg(["mean", "std"]).round(3))

# %%
# All of them in one picture. The best mean is above the truth on nearly every data set. The nested
# score lies on both sides of it, and its interval shows how little one hundred samples say. An
# interval at 95 % misses the truth now and then.

fig, ax = plt.subplots(figsize=(8, 4.5), layout="constrained")
place = np.arange(N_DATA_SETS)
ax.vlines(
    place, table["low"], table["high"], color="C0", alpha=0.35, lw=6, label="nested, 95 % interval"
)
ax.plot(place, table["nested"], "o", color="C0", label="nested")
ax.plot(place - 0.18, table["best mean"], "^", color="C3", label="best mean of the search")
ax.plot(place + 0.18, table["corrected"], "s", color="C2", label="corrected mean")
ax.plot(place, table["truth"], "_", color="black", ms=22, mew=2, label="truth")
ax.set(xlabel="data set", ylabel="accuracy", xticks=place)
ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.15), ncols=5, frameon=False, fontsize="small")
plt.show()
