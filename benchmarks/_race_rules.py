"""Races of this package, and rules that others use, over the values of a grid."""

import itertools

import numpy as np
from scipy import stats

from sklearn_stats_compare.stats._race import (
    RaceState,
    SampleElimination,
    Schedule,
    SplitElimination,
)

ALPHA = 0.05
TOLERANCE = 0.01


def race(
    evaluate, n_candidates, n_splits, *, schedule, elimination, alpha=0.05, tolerance=0.0,
    bounds=None, columns=None,
):  # fmt: skip
    """A race over scores: ``evaluate(candidates, positions)`` returns those of some cells.

    `elimination` has the method `pvalues`; the other parameters are those of `RaceState`.
    """
    state = RaceState(
        n_candidates,
        n_splits,
        schedule=schedule,
        pvalues=elimination.pvalues,
        alpha=alpha,
        tolerance=tolerance,
        bounds=bounds,
        columns=columns,
    )
    while state.demand is not None:
        state.advance(evaluate(*state.demand))
    return state.result()


def ours(*, by_samples, tolerance=0.0, strategy="pooled", inferior=False):
    """A race of this package as a function of a replay and an order of its splits."""

    def raced(replay, order):
        m, n_splits = replay.table.shape
        ratio = replay.overlap_ratio if inferior else None
        if by_samples:
            schedule = Schedule.by_samples(n_splits)
            tests = [replay.tests[j] for j in order]
            rule = SampleElimination(
                lambda i, at: replay.values(i, order[at]), tests, m, strategy, ratio
            )
        else:
            schedule, rule = Schedule.of(n_splits), SplitElimination(m, strategy, ratio)
        result = race(
            lambda rows, at: replay.table[np.ix_(rows, order[at])], m, n_splits,
            schedule=schedule, elimination=rule, tolerance=tolerance,
            alpha=ALPHA / 2 if inferior else ALPHA, bounds=None if inferior else replay.bounds,
        )  # fmt: skip
        return result.alive, result.n_evaluated.sum()

    return raced


def uncorrected(replay, order):
    """Drops whatever an ordinary paired t-test calls worse after any split from the third on."""
    values, alive, fits = replay.table[:, order], np.ones(len(replay.table), dtype=bool), 0
    for n in range(1, values.shape[1] + 1):
        fits += alive.sum()
        if n < 3 or n == values.shape[1]:
            continue
        rows = np.flatnonzero(alive)
        seen = values[rows, :n]
        behind = seen[np.argmax(seen.mean(axis=1))] - seen
        with np.errstate(invalid="ignore", divide="ignore"):
            t = behind.mean(axis=1) / (behind.std(axis=1, ddof=1) / np.sqrt(n))
        alive[rows[stats.t.sf(t, n - 1) < ALPHA]] = False
    return alive, fits


def signed_rank_pvalues(d):
    """As scipy.stats.wilcoxon(d, alternative="less", zero_method="zsplit", axis=1) with ties.

    Up to 13 differences SciPy enumerates all signs of each row; for all rows together it is faster.
    """
    n = d.shape[1]
    if n > 13:
        return stats.wilcoxon(
            d, alternative="less", zero_method="zsplit", axis=1, method="asymptotic"
        ).pvalue
    ranks = stats.rankdata(np.abs(d), axis=1)
    observed = (ranks * ((d > 0) + 0.5 * (d == 0))).sum(axis=1)
    signs = np.array(list(itertools.product((0, 1), repeat=n)))
    zero = (d == 0)[:, :, None] * 0.5  # zeros count for half with either sign
    sums = np.einsum("sn,mn->ms", signs, ranks * (d != 0)) + (ranks[:, :, None] * zero).sum(axis=1)
    return (sums <= observed[:, None] + 1e-9).mean(axis=1)


def wilcoxon(p_threshold):
    """Optuna's WilcoxonPruner: candidates one after another, each against the best so far."""

    def pruned(replay, order):
        table = replay.table[:, order]
        m, n_splits = table.shape
        rng = np.random.default_rng(order)
        alive, best, fits = np.zeros(m, dtype=bool), None, 0
        ends = np.full(m, n_splits)  # where a candidate would stop against the best so far
        for row in rng.permutation(m):
            fits += ends[row]
            alive[row] = ends[row] == n_splits
            if alive[row] and (best is None or table[row].mean() > table[best].mean()):
                best, ends = row, np.full(m, n_splits)
                # Two start-up steps, and never where its mean so far is the better one.
                for n in range(n_splits - 1, 1, -1):
                    d = table[:, :n] - table[best, :n]
                    ends[(signed_rank_pvalues(d) < p_threshold) & (d.mean(axis=1) < 0)] = n
        return alive, fits

    return pruned


RULES = {
    "splits, pooled": ours(by_samples=False),
    "splits, strict": ours(by_samples=False, strategy="strict"),
    "samples, pooled": ours(by_samples=True),
    "samples, strict": ours(by_samples=True, strategy="strict"),
    f"samples, tolerance {TOLERANCE}": ours(by_samples=True, tolerance=TOLERANCE),
    "samples, inferior": ours(by_samples=True, inferior=True),
    "uncorrected t": uncorrected,
    "Wilcoxon, p < 0.1": wilcoxon(0.1),
    "Wilcoxon, p < 0.01": wilcoxon(0.01),
}
