"""Size of a pickled search beside GridSearchCV's, before and after a look at its tables.

python -m benchmarks.pickles
"""

import pickle
import sys
import warnings

import numpy as np
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV

from sklearn_stats_compare import StatisticalGridSearchCV

MOST = 1.5
X, y = make_classification(100, 4, random_state=0)
GRID = {"C": np.logspace(-3, 3, 20).tolist(), "tol": np.logspace(-5, -1, 10).tolist()}


def size(value):
    return len(pickle.dumps(value))


def main():
    warnings.simplefilter("ignore")  # of few splits, and of fits that end early
    met = True
    print(f"{'200 candidates':16}{'GridSearchCV':>14}{'ours':>10}{'ratio':>8}{'with tables':>13}")
    for n_splits in (5, 10, 50):
        plain, ours = (
            kind(LogisticRegression(max_iter=5), GRID, cv=n_splits).fit(X, y)
            for kind in (GridSearchCV, StatisticalGridSearchCV)
        )
        before = size(ours)
        len(ours.pairwise_frequentist_), len(ours.pairwise_bayesian_)
        after, ratio = size(ours), before / size(plain)
        met &= ratio <= MOST and after == before
        print(
            f"{f'{n_splits} splits':16}{size(plain) / 1000:11.1f} kB{before / 1000:7.1f} kB"
            f"{ratio:8.2f}{after / 1000:10.1f} kB"
        )
    print(f"bounds: ratio ≤ {MOST}, and the same with tables: {'met' if met else 'NOT MET'}")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
