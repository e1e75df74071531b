"""What a race saves and risks: real grids replayed in many orders, tables made to mislead, time.

python -m benchmarks.racing [n_orders]

For each grid the full table, candidates × 30 splits, is computed once. A race over it is replayed
in random orders of the splits: the share of the fits that it uses, and the share of the orders in
which it drops the candidate with the best mean over all splits. Exits with 1 where a bound is
passed. The results are recorded in docs/guide/fewer_fits.rst.
"""

import sys
import time
import warnings

import numpy as np
from scipy import stats
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.model_selection import (
    GridSearchCV,
    HalvingGridSearchCV,
    RepeatedKFold,
    RepeatedStratifiedKFold,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR
from sklearn.tree import DecisionTreeClassifier

from benchmarks._adversarial import ADVERSARIAL, OUT_OF_REACH, adversarial_table
from sklearn_stats_compare import (
    RacingGridSearchCV,
    SplitDesign,
    SplitScores,
    StatisticalGridSearchCV,
)
from sklearn_stats_compare.stats import Schedule, SplitElimination, possibly_best_pvalues, race

ALPHA = 0.05
MOST_DROPPED = {"real": 0.01, "adversarial": 0.05}
STRATIFIED = RepeatedStratifiedKFold(n_splits=10, n_repeats=3, random_state=0)
PLAIN = RepeatedKFold(n_splits=10, n_repeats=3, random_state=0)


def grids():
    """Name → (model, grid, data, cv, bounds of the score, most share of the fits)."""
    cancer = load_breast_cancer(return_X_y=True)
    digits = tuple(part[:500] for part in load_digits(return_X_y=True))
    svc = {"svc__C": np.logspace(-2, 3, 12), "svc__gamma": np.logspace(-5, 1, 12)}
    svr = {"svr__C": np.logspace(-1, 4, 12), "svr__gamma": np.logspace(-5, 1, 12)}
    tree = {
        "max_depth": [1, 2, 3, 4, 5, 6, 8, None],
        "min_samples_leaf": [1, 2, 3, 5, 8, 12, 20],
        "criterion": ["gini", "entropy"],
        "max_features": [None, "sqrt"],
    }
    return {
        "SVC, breast cancer": (_scaled(SVC()), svc, cancer, STRATIFIED, (0, 1), 0.45),
        "SVC, 500 digits": (_scaled(SVC()), svc, digits, STRATIFIED, (0, 1), 0.45),
        "trees, breast cancer": (
            DecisionTreeClassifier(random_state=0), tree, cancer, STRATIFIED, (0, 1), 0.65,
        ),
        "SVR, diabetes": (
            _scaled(SVR()), svr, load_diabetes(return_X_y=True), PLAIN, None, 0.45,
        ),
    }  # fmt: skip


def _scaled(model):
    return make_pipeline(StandardScaler(), model)


def uncorrected(table, order):
    """A race that drops whatever an ordinary paired t-test calls worse after any split."""
    values, alive, fits = table[:, order], np.ones(len(table), dtype=bool), 0
    for n in range(1, table.shape[1] + 1):
        fits += alive.sum()
        if n < 3 or n == table.shape[1]:
            continue
        rows = np.flatnonzero(alive)
        seen = values[rows, :n]
        behind = seen[np.argmax(seen.mean(axis=1))] - seen
        with np.errstate(invalid="ignore", divide="ignore"):
            t = behind.mean(axis=1) / (behind.std(axis=1, ddof=1) / np.sqrt(n))
        alive[rows[stats.t.sf(t, n - 1) < ALPHA]] = False
    return alive, fits


def replayed(table, design, n_orders, bounds):
    """Mean share of the fits, and share of the orders that drop the winner, by strategy."""
    found = {name: [] for name in ("pooled", "strict", "uncorrected t")}
    rng = np.random.RandomState(0)
    winner = np.argmax(table.mean(axis=1))
    for _ in range(n_orders):
        order = rng.permutation(design.n_splits)
        for name, outcomes in found.items():
            if name == "uncorrected t":
                alive, fits = uncorrected(table, order)
            else:
                result = race(
                    lambda rows, at, order=order: table[np.ix_(rows, order[at])],
                    *table.shape, schedule=Schedule.of(table.shape[1]), alpha=ALPHA, bounds=bounds,
                    elimination=SplitElimination(len(table), name),
                )  # fmt: skip
                alive, fits = result.alive, result.n_evaluated.sum()
            outcomes.append((fits / table.size, not alive[winner]))
    return {name: np.mean(outcomes, axis=0) for name, outcomes in found.items()}


def halving(model, grid, data, means):
    """Fits of three halving searches, and how far behind their choices are in full-CV mean."""
    fits, regrets = [], []
    for seed in range(3):
        search = HalvingGridSearchCV(model, grid, random_state=seed, refit=False)
        with warnings.catch_warnings():  # R² of a fold of one sample is undefined
            warnings.simplefilter("ignore")
            search.fit(*data)
        fits.append(sum(search.n_candidates_) * search.n_splits_)
        chosen = search.cv_results_["params"][search.best_index_]
        params = means["params"]
        regrets.append(means["mean"].max() - means["mean"][params.index(chosen)])
    return fits, regrets


def real_grids(n_orders):
    passed = True
    for name, (model, grid, data, cv, bounds, most) in grids().items():
        full = StatisticalGridSearchCV(model, grid, cv=cv, refit=False, n_jobs=2).fit(*data)
        table = np.column_stack([full.cv_results_[f"split{k}_test_score"] for k in range(30)])
        m = len(table)
        print(f"\n{name}: {m} candidates × 30 splits, {n_orders} orders")
        shares = replayed(table, full._record.design, n_orders, bounds)
        for strategy, (used, dropped) in shares.items():
            error = np.sqrt(dropped * (1 - dropped) / n_orders)
            told = f"winner dropped {dropped:.1%} ± {error:.1%}"
            print(f"  {strategy:15}{used:6.1%} of the fits, {told}")
        fits, regrets = halving(
            model, grid, data, {"params": full.cv_results_["params"], "mean": table.mean(axis=1)}
        )
        print(
            f"  {'halving':15}{', '.join(f'{n / table.size:.1%}' for n in fits)} of the fits, most "
            f"of them on part of the data; behind the best full-CV mean by "
            f"{', '.join(f'{r:.4f}' for r in regrets)}"
        )
        used, dropped = shares["pooled"]
        passed &= used <= most and dropped <= MOST_DROPPED["real"]
        passed &= shares["strict"][1] <= MOST_DROPPED["real"]
    return passed


def adversarial_tables(n_tables):
    print(f"\ntables made to mislead, 60 candidates × 30 splits, {n_tables} of each")
    passed = True
    for kind in ADVERSARIAL + OUT_OF_REACH:
        rng = np.random.default_rng(11)
        told = []
        for strategy in ("pooled", "strict"):
            outcomes = []
            for _ in range(n_tables):
                table = adversarial_table(kind, rng)
                order = rng.permutation(30)
                result = race(
                    lambda rows, at, table=table, order=order: table[np.ix_(rows, order[at])],
                    *table.shape, schedule=Schedule.of(table.shape[1]), alpha=ALPHA,
                    elimination=SplitElimination(len(table), strategy),
                )  # fmt: skip
                outcomes.append(not result.alive[np.argmax(table.mean(axis=1))])
            rate = np.mean(outcomes)
            error = np.sqrt(rate * (1 - rate) / n_tables)
            told.append(f"{strategy} {rate:.1%} ± {error:.1%}")
            passed &= kind in OUT_OF_REACH or rate <= MOST_DROPPED["adversarial"]
        bound = "no bound" if kind in OUT_OF_REACH else "at most 5 %"
        print(f"  {kind:20} winner dropped ({bound}): {', '.join(told)}")
    return passed


def missed(n_candidates, n_tables, n_splits=30, n_folds=10, strategy="pooled"):
    """How often a given one of equal candidates is not in the possibly-best set.

    The splits of a candidate share what its training and test samples have in common, a variance
    of q beside 1 of each split's own, as the corrected test assumes.

    Returns
    -------
    dict of str to float
        Shares of `n_tables` tables, after the "full" search and after the "race".
    """
    rng = np.random.default_rng(0)
    design = SplitDesign([n_folds - 1] * n_splits, [1] * n_splits)
    counts = {"full": 0, "race": 0}
    for _ in range(n_tables):
        shared = np.sqrt(design.overlap_ratio) * rng.standard_normal((n_candidates, 1))
        table = shared + rng.standard_normal((n_candidates, n_splits))
        alive = race(
            lambda rows, at, table=table: table[np.ix_(rows, at)],
            *table.shape, schedule=Schedule.of(n_splits), alpha=ALPHA,
            elimination=SplitElimination(n_candidates, strategy),
        ).alive  # fmt: skip
        for name, kept in (("full", np.ones_like(alive)), ("race", alive)):
            pvalues = possibly_best_pvalues(SplitScores(table[kept], design))
            # Candidate 0 is the given one, and so the first of those that are kept.
            counts[name] += not (kept[0] and pvalues[0] >= ALPHA)
    return {name: count / n_tables for name, count in counts.items()}


def sets_of_the_best(n_tables):
    print("\nequal candidates, 30 splits: a given true best is not in the possibly-best set")
    for n_candidates in (5, 10, 20, 50):
        found = missed(n_candidates, n_tables)
        told = ", ".join(
            f"{name} {rate:.1%} ± {np.sqrt(rate * (1 - rate) / n_tables):.1%}"
            for name, rate in found.items()
        )
        print(f"  {n_candidates:3} candidates: {told}")


def wall_clock():
    model, grid, data, cv, *_ = grids()["SVC, breast cancer"]
    print("\nwall clock of a race beside the full search, SVC on breast cancer")
    for n_jobs in (1, 2):
        seconds = []
        for kind, options in ((RacingGridSearchCV, {"random_state": 0}), (GridSearchCV, {})):
            search = kind(model, grid, cv=cv, n_jobs=n_jobs, **options)
            start = time.perf_counter()
            search.fit(*data)
            seconds.append(time.perf_counter() - start)
            fits = getattr(search, "n_fits_", 144 * 30)
            if kind is RacingGridSearchCV:
                share = fits / (144 * 30)
        ratio = seconds[0] / seconds[1]
        print(f"  n_jobs={n_jobs}: {ratio:.2f} of the time for {share:.2f} of the fits")


def main(n_orders):
    start = time.perf_counter()
    passed = real_grids(n_orders)
    passed &= adversarial_tables(25 * n_orders)
    sets_of_the_best(5 * n_orders)
    wall_clock()
    print(f"\n{time.perf_counter() - start:.0f} s")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 200))
