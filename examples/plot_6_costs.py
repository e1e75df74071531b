"""
Choose by cost: what accuracy would not choose
==============================================

Claim: where one kind of error costs more, the candidate with the best accuracy is the wrong one,
and a search can rank, test and select by the cost itself. A screening: 8 % of 1,500 people are
sick. To miss one of them costs ten times as much as to alarm a healthy one.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold

from sklearn_stats_compare import StatisticalGridSearchCV
from sklearn_stats_compare.evaluation import make_cost_scorer

X, y = make_classification(
    1500, 8, n_informative=4, weights=[0.92], flip_y=0.01, class_sep=1.2, random_state=0
)
costs = [[0, 1], [10, 0]]  # truth × prediction: healthy, sick
weights = [1, 2, 5, 10, 20, 40]
search = StatisticalGridSearchCV(
    LogisticRegression(),
    {"class_weight": [{0: 1, 1: weight} for weight in weights]},
    scoring={"cost": make_cost_scorer(costs), "accuracy": "accuracy"},
    refit="cost",
    cv=RepeatedStratifiedKFold(n_splits=10, n_repeats=5, random_state=0),
    test="samples",  # the candidates favour one class, and the folds are stratified
    rope=0.02,  # two hundredths of a false alarm per person would not matter
    n_jobs=2,
).fit(X, y)
labels = [f"weight {weight}" for weight in weights]

# %%
# By accuracy, sick people are best forgotten; by cost, they are not.

by_cost = search.compare(labels=labels)
by_accuracy = search.compare(metric="accuracy", rope=0.01, labels=labels)
print(by_cost)
print("best by accuracy:", by_accuracy.leader, "- best by cost:", by_cost.leader)

# %%
# What the accurate one would cost more, with its interval and verdict.

row = by_cost.against().set_index("model_2").loc[by_accuracy.leader]
print(
    f"{by_accuracy.leader} costs {row['mean_diff']:.2f} more per person "
    f"({row['ci_low']:.2f} to {row['ci_high']:.2f}); {by_cost.leader} is {row['verdict']}"
)
print("may be the best by cost:", by_cost.possibly_best()["label"].tolist())
by_cost.plot("leader")
plt.show()
