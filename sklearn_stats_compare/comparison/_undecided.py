"""Undecided: what is open among the candidates that may be the best, and whether it can close."""

import dataclasses
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare.comparison._comparison import Comparison
from sklearn_stats_compare.stats import (
    CLOSED_FORM,
    Family,
    PairedTTests,
    SplitScores,
    possibly_best_pvalues,
    rope_probabilities,
)

_ENDLESS = 10_000_000
"""Degrees of freedom at which Student's t is the normal distribution to all digits shown."""


@dataclass(frozen=True)
class Undecided:
    """Pairs among the candidates that may be the best.

    Attributes
    ----------
    n_candidates : int
        Number of candidates that may be the best.
    n_pairs : int
        Number of pairs of them.
    n_open : int
        Of those, how many are undecided.
    n_out_of_reach : int
        Of those, how many infinitely many repeats would leave undecided as well, whether their
        mean difference moves two standard errors towards a verdict or not. The mean of J splits is
        within s/√J of where all repeats of the same data would bring it; and there its variance as
        an estimate for new data is q·s², below which it does not fall.
    """

    n_candidates: int
    n_pairs: int
    n_open: int
    n_out_of_reach: int

    @classmethod
    def of(cls, comparison: Comparison) -> "Undecided":
        """Count them, by the comparison's own settings: family, adjustment, ROPE, alpha."""
        scores = comparison.scores
        rows = np.flatnonzero(possibly_best_pvalues(scores) >= comparison.alpha)
        if comparison.p_adjust in CLOSED_FORM:  # no other pair needs to be computed
            among = SplitScores(scores.values[rows], scores.design)
            tests = PairedTTests.all_pairs(among)
            chosen = np.ones(tests.first.shape, dtype=bool)
        else:
            tests = PairedTTests.all_pairs(scores)
            chosen = np.isin(tests.first, rows) & np.isin(tests.second, rows)
        is_open = _undecided(comparison, tests, comparison.p_adjust)[chosen]
        out_of_reach = is_open.copy()
        for moved in _as_far_as_they_may_move(tests, comparison.rope_bounds):
            limit = dataclasses.replace(
                moved, df=_ENDLESS, variance_factor=scores.design.overlap_ratio
            )
            # The joint null of "maxt" is drawn, a number for every split: Šidák's is a bit wider.
            in_the_limit = "sidak" if comparison.p_adjust == "maxt" else comparison.p_adjust
            out_of_reach &= _undecided(comparison, limit, in_the_limit)[chosen]
        return cls(len(rows), is_open.size, int(is_open.sum()), int(out_of_reach.sum()))


def _as_far_as_they_may_move(
    tests: PairedTTests, rope: tuple[float, float]
) -> tuple[PairedTTests, PairedTTests]:
    """The same pairs two standard errors further from no difference, or nearer to equivalence."""
    step = 2 * tests.std / np.sqrt(tests.df + 1)
    away = tests.mean_diff + np.copysign(step, tests.mean_diff)
    low, high = rope
    if np.isinf(low) or np.isinf(high):  # a ROPE without an end is entered by moving towards it
        nearer = tests.mean_diff + (np.isinf(high) * step - np.isinf(low) * step)
    else:
        middle = (low + high) / 2
        behind = tests.mean_diff - middle
        nearer = middle + np.copysign(np.maximum(np.abs(behind) - step, 0), behind)
    return (
        dataclasses.replace(tests, mean_diff=away),
        dataclasses.replace(tests, mean_diff=nearer),
    )


def _undecided(
    comparison: Comparison, tests: PairedTTests, p_adjust: str | None
) -> NDArray[np.bool_]:
    rope = comparison.rope_bounds
    outside = rope_probabilities(tests.mean_diff, tests.std_err, tests.df, rope)
    family = Family(comparison.scores, tests, p_adjust)
    decided = np.logical_or.reduce(family.decisions(outside, rope, comparison.alpha))
    undecided: NDArray[np.bool_] = ~decided & ~np.isnan(tests.mean_diff)
    return undecided
