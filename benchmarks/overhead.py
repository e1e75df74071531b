"""What `fit` costs beside GridSearchCV's, on the grid of example 1; ratios of one run.

python benchmarks/overhead.py
"""

import statistics
import sys
import time

from sklearn.datasets import make_moons
from sklearn.model_selection import GridSearchCV, RepeatedStratifiedKFold
from sklearn.svm import SVC

from sklearn_stats_compare import StatisticalGridSearchCV

N_RUNS = 41
BOUNDS = {"fit": 1.02, "fit and tables": 1.05}
X, y = make_moons(noise=0.352, random_state=1, n_samples=100)
GRID = [{"kernel": ["linear"]}, {"kernel": ["poly"], "degree": [2, 3]}, {"kernel": ["rbf"]}]


def search_of(kind):
    cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)
    return kind(SVC(random_state=0), GRID, scoring="roc_auc", cv=cv)


def plain():
    search_of(GridSearchCV).fit(X, y)


def fit():
    search_of(StatisticalGridSearchCV).fit(X, y)


def fit_and_tables():
    search = search_of(StatisticalGridSearchCV).fit(X, y)
    return search.pairwise_frequentist_, search.pairwise_bayesian_


def main():
    kinds = {"GridSearchCV": plain, "fit": fit, "fit and tables": fit_and_tables}
    times = {name: [] for name in kinds}
    for run in range(N_RUNS + 1):
        for name, function in kinds.items():  # in turn: a slow moment of the machine hits all
            start = time.perf_counter()
            function()
            if run:  # the first warms up
                times[name].append(time.perf_counter() - start)
    median = {name: statistics.median(values) for name, values in times.items()}
    print(f"Grid of example 1, 400 fits; medians of {N_RUNS} runs in turn")
    print(f"{'':16}{'seconds':>10}{'ratio':>10}{'bound':>10}")
    print(f"{'GridSearchCV':16}{median['GridSearchCV']:10.4f}")
    met = True
    for name, bound in BOUNDS.items():
        ratio = median[name] / median["GridSearchCV"]
        met &= ratio <= bound
        print(f"{name:16}{median[name]:10.4f}{ratio:10.4f}{'≤':>5}{bound:5.2f}")
    print("all within bounds" if met else "OUT OF BOUNDS")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
