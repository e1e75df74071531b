"""polars: a long table, a row for each model, repeat and fold, with the sizes of the splits."""

import polars as pl
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from sklearn_stats_compare import compare

X, y = load_breast_cancer(return_X_y=True)
splits = list(RepeatedStratifiedKFold(n_splits=5, n_repeats=4, random_state=0).split(X, y))
rows = [
    {
        "model": f"depth {depth}",
        "repeat": k // 5,
        "fold": k % 5,
        "accuracy": DecisionTreeClassifier(max_depth=depth, random_state=0)
        .fit(X[train], y[train])
        .score(X[test], y[test]),
        "n_train": len(train),
        "n_test": len(test),
    }
    for depth in (1, 5)
    for k, (train, test) in enumerate(splits)
]

comparison = compare(pl.DataFrame(rows), split=["repeat", "fold"], value="accuracy")
print(comparison)
again = compare(pl.DataFrame(comparison.to_long().to_dict("list")))

assert comparison.leader == "depth 5"
assert comparison.scores.design.repeat.tolist() == [k // 5 for k in range(20)]
assert again.frequentist().equals(comparison.frequentist())
