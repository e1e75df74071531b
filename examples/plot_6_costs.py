"""
Choose by cost: what accuracy would not choose
==============================================

Claim: where one kind of error costs more, the candidate with the best accuracy is the wrong one,
and a search can rank, test and select by the cost itself.

A screening: 8 % of 1,500 people are sick. To miss one of them costs ten times as much as to
alarm a healthy one.
"""

from pathlib import Path

import numpy as np
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import confusion_matrix
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_predict

from sklearn_stats_compare import StatisticalGridSearchCV
from sklearn_stats_compare.displays import LeaderDisplay
from sklearn_stats_compare.evaluation import make_cost_scorer, misclassification_cost

pictures = Path("pictures")
pictures.mkdir(exist_ok=True)

X, y = make_classification(
    n_samples=1500,
    n_features=8,
    n_informative=4,
    weights=[0.92],
    flip_y=0.01,
    class_sep=1.2,
    random_state=0,
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
print(by_accuracy)
print("best by accuracy:", by_accuracy.leader, "- best by cost:", by_cost.leader)

# %%
# What the accurate one would cost more, with its interval and verdict.

table = by_cost.against().set_index("model_2")
row = table.loc[by_accuracy.leader]
print(
    f"{by_accuracy.leader} costs {row['mean_diff']:.2f} more per person "
    f"({row['ci_low']:.2f} to {row['ci_high']:.2f}); {by_cost.leader} is {row['verdict']}"
)
print("may be the best by cost:", by_cost.possibly_best()["label"].tolist())
display = LeaderDisplay.from_comparison(by_cost)
display.figure_.savefig(pictures / "plot_6_costs.png", dpi=150)

# %%
# The errors behind the costs.

for comparison in (by_accuracy, by_cost):
    index = comparison.ranking().index[0]
    model = LogisticRegression(**search.cv_results_["params"][index])
    predicted = cross_val_predict(model, X, y, cv=10)
    healthy_alarmed, sick_missed = confusion_matrix(y, predicted)[[0, 1], [1, 0]]
    total = misclassification_cost(y, predicted, costs, [0, 1], normalize=False)
    print(
        f"{comparison.leader}: {healthy_alarmed} alarmed, {sick_missed} of {np.sum(y)} missed, "
        f"cost {total:,.0f}"
    )
