"""Simultaneous confidence sets of the ranks of all candidates."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare._messages import check_option, check_probability
from sklearn_stats_compare.stats._maxt import MaxT
from sklearn_stats_compare.stats._multiplicity import adjust_pvalues
from sklearn_stats_compare.stats._pair_test import PairTest
from sklearn_stats_compare.stats._scores import SplitScores
from sklearn_stats_compare.stats._split_t import CORRECTED_T

RANK_METHODS = ("holm", "bonferroni", "maxt")


def rank_limits(
    scores: SplitScores,
    *,
    alpha: float = 0.05,
    method: str = "holm",
    rng: Any = 0,
    test: PairTest = CORRECTED_T,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Lowest and highest rank that each candidate may have, by its true mean.

    The rank of a candidate is 1 plus the number of candidates with a higher true mean. With
    probability at least 1 − alpha, the sets contain the ranks of all candidates: a candidate's set
    starts at 1 plus the number of candidates that are shown to be better, and ends at m minus the
    number that are shown to be worse (Mogstad, Romano, Shaikh and Wilhelm, 2024).

    Parameters
    ----------
    scores : SplitScores
        Scores of the candidates.
    alpha : float, default=0.05
        Probability that some set lacks the true rank, in (0, 1).
    method : {"holm", "bonferroni", "maxt"}, default="holm"
        Adjustment for the m(m − 1) one-sided tests of all ordered pairs. "maxt" uses the joint null
        distribution of their statistics in a single step.
    rng : None, int or numpy.random.Generator, default=0
        Source of the 20,000 draws of "maxt".
    test : PairTest, default=CORRECTED_T
        The test of each pair.

    Returns
    -------
    low, high : ndarray of float, shape (n_candidates,)
        Limits of the ranks; 1 is the best. NaN for a missing candidate; from 1 to m with one split.

    References
    ----------
    Mogstad, M., Romano, J. P., Shaikh, A. M. and Wilhelm, D. (2024). Inference for ranks with
    applications to mobility across neighbourhoods and academic achievement across countries. Review
    of Economic Studies 91, 476–518. https://doi.org/10.1093/restud/rdad006
    """
    check_probability("alpha", alpha)
    check_option("method", method, RANK_METHODS)
    m = scores.n_available
    low = np.where(scores.missing, np.nan, 1.0)
    high = np.where(scores.missing, np.nan, float(m))
    if m < 2 or scores.n_splits < 2:
        return low, high
    tests = test.all_pairs(scores)
    if method == "maxt":
        family = MaxT(scores, tests, rng, test)
        # A two-sided test at alpha is both one-sided tests of the joint family.
        differs = np.fmax(family.single_step(np.abs(tests.statistic)), 2 * tests.tail) < alpha
        better, worse = differs & (tests.mean_diff > 0), differs & (tests.mean_diff < 0)
    else:
        one_sided = [tests.pvalue("greater"), tests.pvalue("less")]
        adjusted = adjust_pvalues(np.concatenate(one_sided), method)
        better, worse = np.split(adjusted < alpha, 2)
        # At a level above one half both directions of a pair may be rejected.
        better, worse = better & (tests.mean_diff > 0), worse & (tests.mean_diff < 0)
    for first_wins, winner, loser in (
        (better, tests.first, tests.second),
        (worse, tests.second, tests.first),
    ):
        low += np.bincount(loser[first_wins], minlength=low.size)
        high -= np.bincount(winner[first_wins], minlength=high.size)
    return low, high
