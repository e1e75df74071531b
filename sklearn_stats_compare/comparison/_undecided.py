"""Undecided: pairs of possibly best candidates without a verdict, and whether repeats can help."""

import dataclasses
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare.comparison._comparison import Comparison
from sklearn_stats_compare.stats import (
    Family,
    PairedTTests,
    Settings,
    SplitScores,
)


@dataclass(frozen=True)
class Undecided:
    """Pairs among the candidates that may be the best.

    Attributes
    ----------
    n_candidates : int
        Number of candidates that may be the best.
    n_pairs : int
        Number of pairs of these candidates.
    n_open : int
        Number of undecided pairs.
    n_out_of_reach : int
        Number of undecided pairs that infinitely many repeats would leave undecided as well, even
        if the mean difference moved two standard errors towards a verdict. The mean over J splits
        is within s/√J of its limit over all repeats of the same data. At that limit, its variance
        as an estimate for new data is q·s², the minimum. Tests of samples know both from the
        variance between repeats.
    """

    n_candidates: int
    n_pairs: int
    n_open: int
    n_out_of_reach: int

    @classmethod
    def of(cls, comparison: Comparison) -> "Undecided":
        """Count them, by the comparison's own settings: family, adjustment, ROPE, alpha."""
        scores, settings = comparison.scores, comparison.settings
        settings.check_has_std_err("Undecided")
        test = settings.test
        rows = np.flatnonzero(comparison._possibly_best_members)
        # The family size is still that of `scores`, although fewer pairs are tested.
        if settings.adjustment.closed_form:  # these need no p-value of another pair
            among = scores.subset(rows)
            tests = test.all_pairs(among)
            chosen = np.ones(tests.first.shape, dtype=bool)
        else:
            among = scores
            tests = test.all_pairs(scores)
            chosen = np.isin(tests.first, rows) & np.isin(tests.second, rows)
        is_open = _undecided(scores, tests, settings)[chosen]
        out_of_reach = is_open.copy()
        # "maxt" draws a number for every split, so the limit needs a method without draws.
        in_the_limit = dataclasses.replace(settings, p_adjust=settings.adjustment.in_the_limit)
        limit, step = test.in_the_limit(among, tests)
        for moved in _shifted_both_ways(limit, step, settings.rope):
            out_of_reach &= _undecided(scores, moved, in_the_limit)[chosen]
        return cls(len(rows), is_open.size, int(is_open.sum()), int(out_of_reach.sum()))


def _shifted_both_ways(
    tests: PairedTTests, step: NDArray[np.float64], rope: tuple[float, float]
) -> tuple[PairedTTests, PairedTTests]:
    """The same pairs shifted by `step`, once away from zero and once towards equivalence."""
    away = tests.mean_diff + np.copysign(step, tests.mean_diff)
    low, high = rope
    # A one-sided ROPE has no middle: shift towards its infinite end.
    if np.isinf(low) or np.isinf(high):
        nearer = tests.mean_diff + (np.isinf(high) * step - np.isinf(low) * step)
    else:
        middle = (low + high) / 2
        behind = tests.mean_diff - middle
        nearer = middle + np.copysign(np.maximum(np.abs(behind) - step, 0), behind)
    return (
        dataclasses.replace(tests, mean_diff=away),
        dataclasses.replace(tests, mean_diff=nearer),
    )


def _undecided(scores: SplitScores, tests: PairedTTests, settings: Settings) -> NDArray[np.bool_]:
    outside = tests.rope_probabilities(settings.rope)
    # A pair with a failed candidate has no verdict, and further splits cannot change that.
    decided = np.logical_or.reduce(Family(scores, tests, settings).decisions(outside))
    undecided: NDArray[np.bool_] = ~decided & ~np.isnan(tests.mean_diff)
    return undecided
