"""Levels and power of the test of samples if a second repeat of a few candidates measures refits.

    python -m benchmarks.probes [share of the data sets, default 1] [cells, default all]

One repeat of five folds, and a second one for a few candidates, the probes. The ratio ê²/s̄² of
their pairs is used for all pairs (`SampleTTest(instability="measured")`). Compared are ways to
choose the probes and to estimate the ratio. All candidates have equal expectations, except in cells
of power, so that every claim is false: kinds of models are shifted to the same mean over all data
sets. Prints, at a nominal 5 %, the share of pairs found different, and the share of data sets in
which a given best candidate is left out of the set (max-t).
"""

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from joblib import Parallel, delayed
from scipy import stats
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from benchmarks._logistic import decisions, equal_blocks, masks
from benchmarks._sample_cells import (
    by,
    near_duplicates,
    of_accuracy,
    of_area,
    of_log_loss,
    of_nearest,
    unpruned,
    with_samples,
)
from sklearn_stats_compare.stats import SampleTTest, _best, _family
from sklearn_stats_compare.stats._best import possibly_best_pvalues

ALPHA = 0.05
N_FOLDS = 5
N_DRAWS = 1000
N_DATA_SETS = 1000
INFLATION = N_FOLDS / (N_FOLDS - 1)


@dataclass(frozen=True)
class ProbeCell:
    """Candidates on data sets of one kind.

    Attributes
    ----------
    values : callable
        ``values(X, y, train, test)`` → values per sample, (models, samples, splits).
    data : callable
        ``data(rng)`` → (X, y).
    kinds : tuple of int or None
        Kind of each candidate; kinds are shifted to equal means. None: no shift.
    form : str
        That of `SampleScores`.
    worse : tuple of int
        Candidates that are worse, for power.
    group : int
        Samples that belong together and are tested together.
    """

    values: Callable
    data: Callable
    kinds: tuple | None = None
    form: str = "mean"
    worse: tuple = ()
    group: int = 1
    n_data_sets: int = N_DATA_SETS

    def draw(self, seed):
        """Values of one data set, (models, 2 repeats, samples), and its masks."""
        rng = np.random.default_rng(seed)
        X, y = self.data(rng)
        # Folds of whole groups, if there are any: of their first samples.
        own = y[:: self.group]
        parts = [
            masks(StratifiedKFold(N_FOLDS, shuffle=True, random_state=r), own)
            if own.dtype == bool
            else masks(_Folds(rng), own)
            for r in (2 * seed, 2 * seed + 1)
        ]
        train, test = (
            np.repeat(np.concatenate(each), self.group, axis=1) for each in zip(*parts, strict=True)
        )
        values = self.values(X, y, train, test)
        if self.group > 1:
            shape = len(values), -1, self.group, values.shape[2]
            values = values.reshape(shape).mean(axis=2)
            train, test = train[:, :: self.group], test[:, :: self.group]
        by_repeat = (values * test.T).reshape(*values.shape[:2], 2, N_FOLDS).sum(axis=3)
        return by_repeat.transpose(0, 2, 1), test


class _Folds:
    """Random folds of a numeric target."""

    def __init__(self, rng):
        self.rng = rng

    def split(self, X, y):
        order = self.rng.permutation(len(y))
        for part in np.array_split(order, N_FOLDS):
            yield np.setdiff1d(order, part), part


# Ways to choose probes: rows of the candidates from the values of the first repeat.


def best(k):
    """The best `k`."""
    return lambda first, rng: np.argsort(-first.mean(axis=1), kind="stable")[:k]


def at_random(k):
    """Any `k`."""
    return lambda first, rng: rng.permutation(len(first))[:k]


def unlike(k):
    """The leader, and those that disagree most with it among the better half."""

    def chosen(first, rng):
        order = np.argsort(-first.mean(axis=1), kind="stable")
        better = order[: max(k, len(order) // 2)]
        spread = (first[better] - first[order[0]]).var(axis=1)
        return np.r_[order[0], better[1:][np.argsort(-spread[1:])][: k - 1]]

    return chosen


CHOICES = {
    "best 3": best(3),
    "best 5": best(5),
    "best 8": best(8),
    "unlike 3": unlike(3),
    "random 3": at_random(3),
    "random 5": at_random(5),
    "first 3": lambda first, rng: np.arange(3),  # of one kind, where there are two
    "all": best(1000),
}


def pooled(values):
    """Squared refits, and squares around the mean, of all pairs, as two sums for each sample.

    Σ over pairs of (a_i − a_j)² is m·Σ (a_i − ā)².
    """
    own = values - values.mean(axis=0)
    spread = ((own - own.mean(axis=2, keepdims=True)) ** 2).mean(axis=1).sum(axis=0)
    return own.var(axis=1, ddof=1).sum(axis=0), spread


def of_pool(refits, spread):
    """The pooled ratio."""
    return refits.sum() / spread.sum()


def upper(refits, spread):
    """Upper 95 % limit of the pooled ratio, by the delta method."""
    ratio = refits.sum() / spread.sum()
    return ratio + 1.645 * np.sqrt(((refits - ratio * spread) ** 2).sum()) / spread.sum()


def shrunk(k):
    """The pooled ratio with `k` further samples of the largest spread, with a ratio of one half."""

    def ratio(refits, spread):
        more = k * spread.max()
        return (refits.sum() + 0.5 * more) / (spread.sum() + more)

    return ratio


def limit(refits, spread):
    """The upper limit, at least Wilson's for no change on the samples on which probes differ."""
    few = 1.645**2 * (spread**2).sum() / spread.sum() ** 2
    return max(upper(refits, spread), few / (1 + few))


def if_stable(estimate):
    """An upper limit up to 0.2, or else the ratio or 0.5."""

    def ratio(refits, spread):
        found = estimate(refits, spread)
        return found if found <= 0.2 else max(of_pool(refits, spread), 0.5)

    return ratio


used = if_stable(limit)
"""What the package uses."""

ESTIMATES = {
    "pooled": of_pool,
    "upper": upper,
    "delta": if_stable(upper),
    "used": used,
    "shrunk 3": shrunk(3),
    "shrunk 10": shrunk(10),
}


def critical(first, rng):
    """95 % quantiles of max over j ≠ i of z_ji for each i, and which pairs differ."""
    own = first - first.mean(axis=1, keepdims=True)
    n = own.shape[1]
    z = own @ rng.standard_normal((n, N_DRAWS)) / n
    squares = np.einsum("mn,mn->m", own, own) / n**2
    error = np.sqrt(np.maximum(squares[:, None] + squares - 2 * own @ own.T / n**2, 0))
    same = error < 1e-9
    error[same] = np.inf
    found = [
        np.quantile(((z - z[i]) / error[:, i, None]).max(axis=0), 1 - ALPHA)
        for i in range(len(first))
    ]
    return np.array(found)


def of_data_set(values, test, form, worse, seed):
    """{(what, ratio rule): rate} of one data set."""
    rng = np.random.default_rng(seed)
    m, _, n = values.shape
    found, ratios = {}, {}
    for choice, choose in CHOICES.items():
        parts = pooled(values[choose(values[:, 0], rng)])
        for name, estimate in ESTIMATES.items():
            # As assumed, if probes do not differ.
            ratios[f"{choice}, {name}"] = estimate(*parts) if parts[1].any() else 0.5
    ratios |= {"assumed 0": 0.0, "assumed 0.5": 0.5, "assumed 1": 1.0}
    own = test[:N_FOLDS]
    wide = values[:, :1].transpose(0, 2, 1).repeat(N_FOLDS, axis=2)
    scores = with_samples(wide, ~own, own, N_FOLDS, form)
    tests = SampleTTest(instability=0).all_pairs(scores)
    limits = critical(values[:, 0], rng)
    equal = np.setdiff1d(np.arange(m), worse)
    pairs = np.isin(tests.first, equal) & np.isin(tests.second, equal)
    leads = tests.first == scores.order[0]
    for name, ratio in ratios.items():
        std = tests.std * np.sqrt((INFLATION + ratio) / INFLATION)
        with np.errstate(divide="ignore", invalid="ignore"):
            t = np.where(std > 0, tests.mean_diff / (std / np.sqrt(n)), 0.0)
        tail = stats.t.sf(t, tests.df)
        found["pair", name] = (2 * tail[pairs] < ALPHA).mean()
        out = np.zeros(m, bool)
        out[tests.second[leads]] = stats.norm.isf(tail[leads]) > limits[tests.second[leads]]
        found["set", name] = out[equal].mean()
        if len(worse):
            found["power", name] = out[list(worse)].mean()
        found["ratio", name] = ratio
    return found


def of_full(values, test, form, worse):
    """The same by a second repeat of all candidates."""
    _family.N_DRAWS = _best.N_DRAWS = N_DRAWS
    m = len(values)
    wide = values.transpose(0, 2, 1).repeat(N_FOLDS, axis=2)
    scores = with_samples(wide, ~test, test, N_FOLDS, form)
    tests = SampleTTest().all_pairs(scores)
    equal = np.setdiff1d(np.arange(m), worse)
    pairs = np.isin(tests.first, equal) & np.isin(tests.second, equal)
    out = possibly_best_pvalues(scores, method="maxt", test=SampleTTest()) < ALPHA
    found = {("pair", "5×2"): (tests.pvalue("two-sided")[pairs] < ALPHA).mean()}
    found["set", "5×2"] = out[equal].mean()
    if len(worse):
        found["power", "5×2"] = out[list(worse)].mean()
    return found


def rates(cell, share=1.0, n_jobs=1):
    """Means and standard errors over the data sets of a cell."""
    n = max(2, round(share * cell.n_data_sets))
    drawn = Parallel(n_jobs=n_jobs)(delayed(cell.draw)(seed) for seed in range(n))
    shift = np.zeros(len(drawn[0][0]))
    if cell.kinds is not None:
        means = np.mean([values.mean(axis=(1, 2)) for values, _ in drawn], axis=0)
        for kind in set(cell.kinds):
            own = np.array(cell.kinds) == kind
            shift[own] = means[own].mean()
    rows = Parallel(n_jobs=n_jobs)(
        delayed(_both)(values - shift[:, None, None], test, cell.form, cell.worse, seed)
        for seed, (values, test) in enumerate(drawn)
    )
    table = pd.DataFrame(rows).astype(float)
    table.columns = pd.MultiIndex.from_tuples(table.columns)
    found = pd.DataFrame({"rate": table.mean(), "se": table.std(ddof=1) / np.sqrt(n)})
    found["10 %"], found["90 %"] = table.quantile(0.1), table.quantile(0.9)
    return found


def _both(values, test, form, worse, seed):
    one = of_data_set(values, test, form, worse, seed)
    return one | of_full(values, test, form, worse)


# Cells


def blocks(n_samples, n_models=10, **options):
    return lambda rng: equal_blocks(rng, n_samples=n_samples, n_models=n_models, **options)


def better_and_worse(n_samples, shifts=(0.4, 0.3)):
    """Five candidates with more signal than the other five."""

    def data(rng):
        y = rng.random(n_samples) < 0.5
        X = rng.standard_normal((10, n_samples, 5))
        X += np.repeat(shifts, 5)[:, None, None] * np.where(y, 1.0, -1.0)[:, None]
        return X, y

    return data


def halves(one, other):
    """The first half of the candidates by `one`, the second by `other`."""

    def values(X, y, train, test):
        half = len(X) // 2
        return np.concatenate([one(X[:half], y, train, test), other(X[half:], y, train, test)])

    return values


def shallow(model):
    """A tree of depth 2."""
    return DecisionTreeClassifier(max_depth=2, random_state=0)


def half_alike(n_samples):
    """Five near-duplicates beside five candidates with features of their own."""

    def data(rng):
        X, y = equal_blocks(rng, n_samples=n_samples, n_models=6)
        alike = X[:1] + 0.1 * rng.standard_normal((5, *X.shape[1:]))
        return np.concatenate([alike, X[1:]]), y

    return data


def overconfident(n_samples):
    """Log loss with 2 % of the samples far out, on the side of either class."""

    def data(rng):
        X, y = equal_blocks(rng, n_samples=n_samples, n_models=10)
        far = rng.random((10, n_samples)) < 0.02
        X[far] *= 8 * np.sign(rng.standard_normal(far.sum()))[:, None]
        return X, y

    return data


def heavy_targets(n_samples, n_models=10):
    """A linear signal with t-distributed noise of 3 degrees of freedom, equal for all models."""

    def data(rng):
        X = rng.standard_normal((n_models, n_samples, 3))
        return X, X.sum(axis=(0, 2)) / np.sqrt(n_models * 3) + rng.standard_t(3, n_samples)

    return data


def of_ridge(X, y, train, test):
    """Negative squared errors of ridge regressions."""
    found = np.zeros((len(X), len(y), len(train)))
    for k, own in enumerate(train):
        A, b = X[:, own], y[own] - y[own].mean()
        G = A.transpose(0, 2, 1) @ A + np.eye(X.shape[2])
        coef = np.linalg.solve(G, (A.transpose(0, 2, 1) @ b)[..., None])
        found[:, :, k] = -(((X @ coef)[..., 0] + y[own].mean() - y) ** 2)
    return found


def of_nearest_target(X, y, train, test):
    """Negative squared errors of the nearest neighbour's target."""
    distance = ((X[:, :, None] - X[:, None]) ** 2).sum(axis=3)
    columns = [-((y[np.where(some, distance, np.inf).argmin(axis=2)] - y) ** 2) for some in train]
    return np.stack(columns, axis=2)


def of_thresholds(X, y, train, test):
    """One logistic regression with ten thresholds, as `class_weight` moves them."""
    value = decisions(X[:1], y, train)
    shifts = np.array([-1.4, -1.2, -1, -0.8, -0.6, 0.6, 0.8, 1, 1.2, 1.4])
    return ((value > shifts[:, None, None]) == y[:, None]).astype(float)


def in_groups(n_groups, size=5):
    """Samples of a group have the same class and a common part of their features."""

    def data(rng):
        X, y = equal_blocks(rng, n_samples=n_groups, n_models=10, shift=0.3)
        X = np.repeat(X, size, axis=1)
        X += rng.standard_normal(X.shape)
        return X, np.repeat(y, size)

    return data


HALVES = (0,) * 5 + (1,) * 5
WORSE = tuple(range(5, 10))
CELLS = {
    "logistic, accuracy, n = 60": ProbeCell(of_accuracy, blocks(60)),
    "logistic, accuracy, n = 100": ProbeCell(of_accuracy, blocks(100)),
    "logistic, accuracy, n = 300": ProbeCell(of_accuracy, blocks(300)),
    "logistic, accuracy, n = 1,000": ProbeCell(of_accuracy, blocks(1000), n_data_sets=500),
    "30 logistic, accuracy, n = 100": ProbeCell(of_accuracy, blocks(100, 30)),
    "100 logistic, accuracy, n = 100": ProbeCell(of_accuracy, blocks(100, 100), n_data_sets=400),
    "logistic, log loss, n = 60": ProbeCell(of_log_loss, blocks(60)),
    "logistic, log loss, n = 100": ProbeCell(of_log_loss, blocks(100)),
    "logistic, log loss, n = 300": ProbeCell(of_log_loss, blocks(300)),
    "rare large losses, n = 100": ProbeCell(of_log_loss, overconfident(100)),
    "rare large losses, n = 300": ProbeCell(of_log_loss, overconfident(300)),
    "near-duplicates, accuracy, n = 100": ProbeCell(of_accuracy, near_duplicates(100)),
    "near-duplicates, accuracy, n = 300": ProbeCell(of_accuracy, near_duplicates(300)),
    "near-duplicates, log loss, n = 100": ProbeCell(of_log_loss, near_duplicates(100)),
    "half near-duplicates, accuracy, n = 100": ProbeCell(of_accuracy, half_alike(100), HALVES),
    "thresholds (class_weight), n = 100": ProbeCell(
        of_thresholds, blocks(100), (4, 3, 2, 1, 0, 0, 1, 2, 3, 4)
    ),
    "thresholds (class_weight), n = 300": ProbeCell(
        of_thresholds, blocks(300), (4, 3, 2, 1, 0, 0, 1, 2, 3, 4)
    ),
    "1-NN, accuracy, n = 100": ProbeCell(of_nearest, blocks(100)),
    "logistic and 1-NN, n = 100": ProbeCell(halves(of_accuracy, of_nearest), blocks(100), HALVES),
    "logistic and 1-NN, noise, n = 100": ProbeCell(
        halves(of_accuracy, of_nearest), blocks(100, shift=0.0), HALVES
    ),
    "ridge, heavy tails, n = 100": ProbeCell(of_ridge, heavy_targets(100)),
    "ridge and 1-NN, heavy tails, n = 100": ProbeCell(
        halves(of_ridge, of_nearest_target), heavy_targets(100), HALVES
    ),
    "groups, accuracy, 60 groups": ProbeCell(of_accuracy, in_groups(60), group=5),
    "ROC AUC, n = 100": ProbeCell(of_area, blocks(100), form="auc"),
    "ROC AUC of noise, n = 100": ProbeCell(of_area, blocks(100, shift=0.0), form="auc"),
    "trees, accuracy, n = 60": ProbeCell(by(unpruned), blocks(60, 6)),
    "trees, accuracy, n = 300": ProbeCell(by(unpruned), blocks(300, 6)),
    "depth 2 and unpruned, n = 100": ProbeCell(
        halves(by(shallow), by(unpruned)), blocks(100), HALVES
    ),
    "depth 2 and unpruned, n = 300": ProbeCell(
        halves(by(shallow), by(unpruned)), blocks(300), HALVES, n_data_sets=500
    ),
    "power, logistic, accuracy, n = 300": ProbeCell(
        of_accuracy, better_and_worse(300), worse=WORSE
    ),
    "power, logistic, log loss, n = 300": ProbeCell(
        of_log_loss, better_and_worse(300), worse=WORSE
    ),
    "power, trees, accuracy, n = 300": ProbeCell(
        by(unpruned), better_and_worse(300, (0.4, 0.24)), worse=WORSE
    ),
}


def main(share=1.0, *parts):
    """Print the rates of the cells whose name contains one of `parts`."""
    for name, cell in CELLS.items():
        if parts and not any(part in name for part in parts):
            continue
        began = time.perf_counter()
        found = rates(cell, share, n_jobs=2)
        n = max(2, round(share * cell.n_data_sets))
        print(f"\n{name}: {n:,} data sets, {time.perf_counter() - began:.0f} s", flush=True)
        wide = {
            what: found.loc[what].apply(
                lambda r: f"{100 * r['rate']:.1f}±{100 * r['se']:.1f}", axis=1
            )
            for what in ("pair", "set", "power")
            if what in found.index.get_level_values(0)
        }
        wide["ratio 10, 50(mean), 90 %"] = found.loc["ratio"].apply(
            lambda r: f"{r['10 %']:.2f} {r['rate']:.2f} {r['90 %']:.2f}", axis=1
        )
        print(pd.DataFrame(wide).to_string())
        for (what, rule), row in found.iterrows():
            if what in ("pair", "set") and row["rate"] > 0.06:
                print(f"FAILURE {what} {rule}: {row['rate']:.3f} ± {row['se']:.3f}")


if __name__ == "__main__":
    main(*(float(a) if k == 0 else a for k, a in enumerate(sys.argv[1:])))
