"""next_step(): what to do about a comparison over data sets, in a sentence or two."""

from typing import Any

import numpy as np
from scipy import stats

from sklearn_stats_compare._messages import count, short_labels

_MOST = 10
"""Times the data sets so far; beyond that, their number is no advice."""


def next_step(self: Any) -> str:
    """What to do next, in a sentence or two.

    Returns
    -------
    str
        If the pair's test finds the leader by mean rank worse than another model, the text says so.
        If models are undecided against the leader, it estimates how many data sets would find a
        difference as large as the observed one with a probability of one half, at the level of the
        verdicts.

    Notes
    -----
    The number of data sets is a rough extrapolation: z grows with the square root of their number.
    It is for the first undecided model and Bonferroni's level, the lowest that a step-down method
    may need; Nemenyi's test has its own critical value.
    """
    table = self._leader_table
    verdict = table["verdict"].to_numpy()
    undecided = np.flatnonzero(verdict == "undecided")
    leader = short_labels([self.leader], 40)[self.leader]
    worse = table["model_2"][verdict == "worse"].astype(str).tolist()
    if worse:
        other = short_labels(worse, 40)[worse[0]]
        return (
            f"{leader} has the best mean rank, but is worse than {other} by the test of the "
            "pair. Choose by the sizes of the differences, or by data sets like your own."
        )
    if not undecided.size:
        n_equivalent = int((verdict == "equivalent").sum())
        if not n_equivalent:
            return f"Decided: {leader} is better than every other model on data sets like these."
        others = count(n_equivalent, "equivalent model")
        return f"Decided: {leader} has {others} on data sets like these; take the cheapest."
    rows = table.iloc[undecided]
    first = str(rows["model_2"].iloc[0])
    others = f" and {count(len(rows) - 1, 'other model')}" if len(rows) > 1 else ""
    opening = f"Undecided against {short_labels([first], 40)[first]}{others}"
    needed = datasets_needed(self, rows.iloc[0])
    if needed is None or needed > _MOST * self.n_datasets:
        return (
            f"{opening}: the difference from {short_labels([first], 40)[first]} is too small for "
            f"{_MOST} times as many data sets to show. Choose by cost, or ask `bayesian()` whether "
            "it matters."
        )
    return (
        f"{opening}: about {needed:,} data sets in all would find a difference as large as the "
        "observed one, with a probability of one half."
    )


def datasets_needed(self: Any, row: Any) -> int | None:
    """Number of data sets at which the z of a row of the leader's table would reach the level.

    None if z is 0.
    """
    settings, n = self.settings, self.n_datasets
    if settings.row.adjusted:
        # The statistic is z of two mean ranks, and the critical difference that of all pairs.
        z = abs(float(row["statistic"]))
        per_z = float(np.sqrt(self.n_models * (self.n_models + 1) / (6 * n)))
        critical = self.critical_difference() / per_z
    else:
        pvalue = float(row["p_unadjusted"])
        two_sided = pvalue if settings.alternative == "two-sided" else 2 * min(pvalue, 1 - pvalue)
        z = stats.norm.isf(min(two_sided, 1.0) / 2)
        n_pairs = self.n_models * (self.n_models - 1) // 2
        level = settings.alpha / (n_pairs if settings.p_adjust is not None else 1)
        critical = stats.norm.isf(level / 2)
    if not z > 0:
        return None
    # z is above its expectation with probability one half.
    return max(n + 1, int(np.ceil(n * (critical / z) ** 2)))
