"""Whether halving should drop candidates by a test instead of a fixed share: replayed tables.

python -m benchmarks.halving [n_seeds] [name]

For each data set and seed, the value of every test sample is computed once for all candidates at
every rung. A rung has a third of the samples of the next one, subsampled as by scikit-learn's
HalvingGridSearchCV; the last has all. Rules are replayed over these tables. After every rung but
the last each keeps some of the best candidates: a fixed rule a share, a race as many as are not
significantly worse than the leader on the samples of the rung, and at least one in nine.

A rule loses the winner if it drops the candidate with the best mean on all samples. The cost is
samples times fits, as a percentage of a full search. As a race costs what it costs, each is
compared with fixed shares at the same mean cost: with the mixture of the two neighbouring shares
that has this cost, seed by seed. Standard errors are over the seeds. The results are recorded in
docs/evidence.
"""

import sys

import numpy as np
from scipy import stats
from scipy.spatial.distance import cdist
from sklearn.datasets import load_breast_cancer, load_digits, make_classification
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler
from sklearn.utils import resample

FOLDS = 5
FACTOR = 3
NEAR = 0.005
SHARES = (1 / 9, 1 / 6, 1 / 5, 1 / 4, 1 / 3, 1 / 2, 2 / 3, 4 / 5, 1.0)
NEIGHBOURS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 60)
GAMMAS = np.logspace(-4, 0, 6)
PENALTIES = np.logspace(-3, 2, 6)


def neighbours(X, y, X_test, n_classes):
    """Predictions of 60 k-NN classifiers: neighbours × metrics × weights."""
    predicted = []
    for metric in ("euclidean", "cityblock"):
        distances = cdist(X_test, X, metric)
        nearest = np.argsort(distances, axis=1)[:, : NEIGHBOURS[-1]]
        votes = np.eye(n_classes)[y[nearest]]
        near = np.take_along_axis(distances, nearest, axis=1)[:, :, None]
        for weights in (np.ones_like(near), 1 / np.maximum(near, 1e-9)):
            counted = np.cumsum(weights * votes, axis=1)
            predicted += [counted[:, min(k, len(X)) - 1].argmax(axis=1) for k in NEIGHBOURS]
    return np.array(predicted)


def kernel_ridge(X, y, X_test, n_classes):
    """Predictions of 36 kernel ridge classifiers: widths of the kernel × penalties."""
    predicted = []
    inner, outer = cdist(X, X, "sqeuclidean"), cdist(X_test, X, "sqeuclidean")
    targets = 2 * np.eye(n_classes)[y] - 1
    for gamma in GAMMAS:
        values, vectors = np.linalg.eigh(np.exp(-gamma * inner))
        projected, kernel = vectors.T @ targets, np.exp(-gamma * outer) @ vectors
        for penalty in PENALTIES:
            scores = kernel @ (projected / (values + penalty)[:, None])
            predicted.append(scores.argmax(axis=1))
    return np.array(predicted)


def cases():
    """Name → (models, X, y, samples of the first rung)."""
    digits = tuple(part[:300] for part in load_digits(return_X_y=True))
    cancer = tuple(part[:270] for part in load_breast_cancer(return_X_y=True))
    noisy = make_classification(
        270, 12, n_informative=5, n_redundant=2, flip_y=0.1, class_sep=0.8, random_state=0
    )
    # scikit-learn's first rung has at least two samples of each class and fold.
    for data, (X, y), first in (
        ("300 digits", digits, 100),
        ("breast cancer", cancer, 30),
        ("270 noisy samples", noisy, 30),
    ):
        yield f"60 k-NN, {data}", neighbours, X, y, first
        yield f"36 kernel ridge, {data}", kernel_ridge, X, y, first


def rungs_of(n, first):
    """Numbers of samples, up to all of them."""
    n_rungs = 1 + round(np.log(n / first) / np.log(FACTOR))
    return [round(n / FACTOR**k) for k in range(n_rungs)][::-1]


def table_of(models, X, y, rungs, seed):
    """For each rung, whether candidates predicted each test sample: (candidates, tests), folds."""
    order = np.random.RandomState(seed).permutation(len(y))
    X, y = X[order], y[order]
    n_classes = len(np.unique(y))
    tables = []
    for n in rungs:
        values, fold = [], []
        for k, split in enumerate(StratifiedKFold(FOLDS).split(X, y)):
            # As `_SubsampleMetaSplitter` of scikit-learn.
            train, test = (
                resample(part, replace=False, random_state=seed, n_samples=n * len(part) // len(y))
                for part in split
            )
            scale = StandardScaler().fit(X[train])
            predicted = models(scale.transform(X[train]), y[train], scale.transform(X[test]),
                               n_classes)  # fmt: skip
            values.append((predicted == y[test]).astype(float))
            fold.append(np.full(len(test), k))
        tables.append((np.concatenate(values, axis=1), np.concatenate(fold)))
    return tables


def fold_means(values, fold):
    return np.stack([values[:, fold == k].mean(axis=1) for k in range(FOLDS)], axis=1)


def behind_by_samples(values, fold):
    """p-values of each candidate against the leader, by the samples that the rung tests."""
    means = fold_means(values, fold).mean(axis=1)
    d = values[np.argmax(means)] - values
    # `SampleTTest` for one repeat, whose instability is taken as that of the samples.
    variance = d.var(axis=1, ddof=1) * (FOLDS / (FOLDS - 1) + 1) / d.shape[1]
    return pvalues(d.mean(axis=1), variance, d.shape[1] - 1)


def behind_by_splits(values, fold):
    """As `behind_by_samples`, by the corrected t-test of the folds."""
    scores = fold_means(values, fold)
    d = scores[np.argmax(scores.mean(axis=1))] - scores
    variance = d.var(axis=1, ddof=1) * (1 / FOLDS + 1 / (FOLDS - 1))
    return pvalues(d.mean(axis=1), variance, FOLDS - 1)


def pvalues(mean, variance, df):
    # No variance: the leader and its ties, and candidates that are behind on every sample.
    t = np.divide(mean, np.sqrt(variance), out=np.where(mean > 0, np.inf, 0.0), where=variance > 0)
    return stats.t.sf(t, df)


def fixed(share):
    """Keeps the best ones, a share."""
    return lambda values, fold: max(1, int(np.ceil(share * len(values) - 1e-9)))


def raced(test, alpha, most=1.0, least=1 / 9):
    """Keeps as many as are not significantly worse, between two shares."""

    def number(values, fold):
        plausible = int((test(values, fold) >= alpha / max(1, len(values) - 1)).sum())
        few, many = fixed(least)(values, fold), fixed(most)(values, fold)
        return int(np.clip(plausible, few, many))

    return number


# The level is divided among the rivals of the leader; above 1 it no longer bounds an error rate.
RACES = {
    "race, samples, 0.05, at least 1/3": raced(behind_by_samples, 0.05, least=1 / 3),
    "race, samples, 0.05": raced(behind_by_samples, 0.05),
    "race, samples, 0.5": raced(behind_by_samples, 0.5),
    "race, samples, 2": raced(behind_by_samples, 2.0),
    "race, samples, 4": raced(behind_by_samples, 4.0),
    "race, samples, 8": raced(behind_by_samples, 8.0),
    "race, samples, 0.5, at most 1/2": raced(behind_by_samples, 0.5, most=1 / 2),
    "race, splits, 0.05": raced(behind_by_splits, 0.05),
}


def replayed(tables, rungs, number):
    """(cost, winner lost, lost more than NEAR, regret) of one rule."""
    alive = np.arange(len(tables[0][0]))
    cost = 0.0
    for n, (values, fold) in zip(rungs, tables, strict=True):
        cost += len(alive) * n
        if n < rungs[-1]:
            means = fold_means(values[alive], fold).mean(axis=1)
            # Ties fall at random in scikit-learn's unstable sort; here to the first candidate.
            best = np.argsort(-means, kind="stable")
            alive = alive[best[: number(values[alive], fold)]]
    means = fold_means(*tables[-1]).mean(axis=1)
    regret = means.max() - means[alive].max()
    full = len(means) * rungs[-1]
    return cost / full, regret > 1e-12, regret > NEAR + 1e-12, regret


def measured(name, models, X, y, first, n_seeds):
    rungs = rungs_of(len(y), first)
    tables = [table_of(models, X, y, rungs, seed) for seed in range(n_seeds)]
    found = {
        rule: np.array([replayed(table, rungs, number) for table in tables])
        for rule, number in (*((share, fixed(share)) for share in SHARES), *RACES.items())
    }
    print(f"\n{name}: rungs of {rungs} samples, {n_seeds} seeds")
    print(f"  {'rule':36}{'cost':>12}{'winner lost':>16}{f'by > {NEAR}':>16}{'regret':>16}")
    for rule, outcomes in found.items():
        shown = rule if isinstance(rule, str) else f"fixed, {rule:.2f}"
        print(f"  {shown:36}{_percent(outcomes[:, 0])}{_percent(outcomes[:, 1]):>16}"
              f"{_percent(outcomes[:, 2]):>16}{_percent(outcomes[:, 3], 2):>16}")  # fmt: skip
    print("  minus fixed shares of the same cost, in points:")
    differences = {rule: against(found, rule) for rule in RACES}
    for rule, of_seeds in differences.items():
        print(f"  {rule:36}{'':12}" + "".join(f"{_percent(d):>16}" for d in of_seeds.T[:2])
              + f"{_percent(of_seeds[:, 2], 2):>16}", flush=True)  # fmt: skip
    return differences


def against(found, rule):
    """Differences of a rule from the mixture of fixed shares that has its mean cost, by seed."""
    costs = np.array([found[share][:, 0].mean() for share in SHARES])
    own = found[rule]
    k = int(np.clip(np.searchsorted(costs, own[:, 0].mean()), 1, len(SHARES) - 1))
    weight = np.clip((own[:, 0].mean() - costs[k - 1]) / (costs[k] - costs[k - 1]), 0, 1)
    mixed = (1 - weight) * found[SHARES[k - 1]] + weight * found[SHARES[k]]
    return (own - mixed)[:, 1:]


def _percent(values, digits=1):
    error = np.std(values, ddof=1) / np.sqrt(len(values))
    return f"{100 * np.mean(values):.{digits}f} ± {100 * error:.{digits}f}"


def main(n_seeds, only=""):
    found = [measured(*case, n_seeds) for case in cases() if only in case[0]]
    print("\nall data sets, minus fixed shares of the same cost, in points:")
    for rule in RACES:
        of_seeds = np.concatenate([differences[rule] for differences in found])
        print(f"  {rule:36}{'':12}" + "".join(f"{_percent(d):>16}" for d in of_seeds.T[:2])
              + f"{_percent(of_seeds[:, 2], 2):>16}")  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 60, *sys.argv[2:3]))
