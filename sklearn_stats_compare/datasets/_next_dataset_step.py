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
        If models are undecided against the leader: about how many data sets would find a difference
        as large as the observed one with a probability of one half, at the level of the verdicts.

    Notes
    -----
    The number of data sets is a rough extrapolation: z grows with the square root of their number.
    """
    table = self._leader_table
    verdict = table["verdict"].to_numpy()
    undecided = np.flatnonzero(verdict == "undecided")
    leader = short_labels([self.leader], 40)[self.leader]
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
    needed = datasets_needed(self, rows["p_unadjusted"].to_numpy(dtype=float)[0])
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


def datasets_needed(self: Any, pvalue: float) -> int | None:
    """Number of data sets at which the observed z would reach the level; None if z is 0."""
    settings = self.settings
    two_sided = pvalue if settings.alternative == "two-sided" else 2 * min(pvalue, 1 - pvalue)
    z = stats.norm.isf(two_sided / 2)
    if not z > 0:
        return None
    n_pairs = self.n_models * (self.n_models - 1) // 2
    # Bonferroni's level is the highest that a step-down method may need.
    level = settings.alpha / (n_pairs if settings.p_adjust is not None else 1)
    critical = stats.norm.isf(level / 2)  # a power of one half
    return max(self.n_datasets + 1, int(np.ceil(self.n_datasets * (critical / z) ** 2)))
