"""Possibly-best set, model confidence set, and probability of being best."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare._messages import check_count, check_option
from sklearn_stats_compare.stats._corrected_t import PairedTTests
from sklearn_stats_compare.stats._joint_null import JointNull, count
from sklearn_stats_compare.stats._maxt import N_DRAWS
from sklearn_stats_compare.stats._pair_test import PairTest
from sklearn_stats_compare.stats._scores import SplitScores
from sklearn_stats_compare.stats._split_t import CORRECTED_T

BEST_METHODS = ("bonferroni", "maxt")


@dataclass(frozen=True, eq=False)
class BestProbabilities:
    """Result of `probability_best`.

    Attributes
    ----------
    best : ndarray of float, shape (n_candidates,)
        Probability that each candidate's mean is the highest. The probabilities sum to 1; tied
        candidates share theirs. NaN for a missing candidate; all NaN with one split or without
        training samples.
    within_rope : ndarray of float, shape (n_candidates,)
        Probability that each candidate's mean is within the ROPE of the highest.
    """

    best: NDArray[np.float64]
    within_rope: NDArray[np.float64]


def possibly_best_pvalues(
    scores: SplitScores,
    *,
    method: str = "bonferroni",
    rng: Any = 0,
    test: PairTest = CORRECTED_T,
    drawn: tuple[JointNull, Iterable[NDArray[np.float64]]] | None = None,
) -> NDArray[np.float64]:
    """p-value of each candidate for the hypothesis that it is the best (Hsu, 1981).

    Keep every candidate whose p-value is not below alpha. A given true best is excluded with
    probability at most alpha, although the sample best, against which it is tested, was chosen
    from the data.

    Parameters
    ----------
    scores : SplitScores
        Scores of the candidates.
    method : {"bonferroni", "maxt"}, default="bonferroni"
        Adjustment for the m − 1 one-sided tests that could exclude a candidate. "bonferroni" uses
        their number; "maxt" uses the joint null distribution of their statistics, like Dunnett's
        test, and has more power.
    rng : None, int or numpy.random.Generator, default=0
        Source of the 20,000 draws of "maxt".
    test : PairTest, default=CORRECTED_T
        The test of each pair.
    drawn : tuple of JointNull and iterable of ndarray, optional
        Draws for "maxt" that exist already, with `rivals_maxima` of them. Default: new ones.

    Returns
    -------
    ndarray of float, shape (n_candidates,)
        1 for the sample best and its ties. NaN for a missing candidate; all NaN with one split.

    References
    ----------
    Hsu, J. C. (1981). Simultaneous confidence intervals for all distances from the "best".
    Annals of Statistics 9, 1026–1034. https://doi.org/10.1214/aos/1176345582
    """
    check_option("method", method, BEST_METHODS)
    pvalues = np.full(scores.n_candidates, np.nan)
    available = scores.order[: scores.n_available]
    if not available.size or scores.n_splits < 2:
        return pvalues
    best, others = int(available[0]), available[1:]
    tests = test.against(scores, best, others)
    if method == "bonferroni":
        pvalues[others] = np.minimum(1.0, others.size * tests.pvalue("greater"))
    else:
        if drawn is None:
            null = test.joint_null(scores, rng, N_DRAWS)
            drawn = null, rivals_maxima(null)
        pvalues[others] = _dunnett_pvalues(scores, tests, *drawn, test)
    ties = others[tests.mean_diff == 0]
    pvalues[ties] = 1.0
    pvalues[best] = 1.0
    return pvalues


def model_confidence_set_pvalues(
    scores: SplitScores, *, rng: Any = 0, test: PairTest = CORRECTED_T
) -> NDArray[np.float64]:
    """Model confidence set p-value of each candidate, with the range statistic T_R.

    The set of candidates whose p-value is not below alpha contains every best one with probability
    1 − alpha. The algorithm starts from all candidates. While max |t_ij| over the set is
    significant, it removes the candidate that is most clearly worse than another. The t statistics
    have the corrected variance, and the null distribution is that of the max-t adjustment
    (`JointNull`).

    Parameters
    ----------
    scores : SplitScores
        Scores of the candidates.
    rng : None, int or numpy.random.Generator, default=0
        Source of the 20,000 draws.
    test : PairTest, default=CORRECTED_T
        The test of each pair.

    Returns
    -------
    ndarray of float, shape (n_candidates,)
        1 for the last candidate and those identical to it. NaN for a missing candidate; all NaN
        with one split.

    References
    ----------
    Hansen, P. R., Lunde, A. and Nason, J. M. (2011). The model confidence set. Econometrica 79,
    453–497. https://doi.org/10.3982/ECTA5771
    """
    pvalues = np.full(scores.n_candidates, np.nan)
    available = scores.order[: scores.n_available]
    if not available.size or scores.n_splits < 2:
        return pvalues
    m = available.size
    statistic = np.zeros((m, m))
    differs = np.zeros((m, m), dtype=bool)
    df = np.inf  # replaced by the fewest of all pairs; a single candidate does not need it
    for row in range(m - 1):
        tests = test.against(scores, int(available[row]), available[row + 1 :])
        statistic[row, row + 1 :] = tests.statistic
        statistic[row + 1 :, row] = -tests.statistic
        differs[row, row + 1 :] = differs[row + 1 :, row] = tests.std > 0
        df = min(df, float(np.min(tests.df)))
    removed, observed = _elimination(statistic)
    # The sets are nested. In reverse order of removal each set adds one candidate to the previous
    # set, and only the pairs of this candidate can raise the maximum.
    order = removed[::-1]
    null = test.joint_null(scores, rng, N_DRAWS)
    maxima = (
        np.maximum.accumulate(np.maximum(-lowest, highest), axis=1)
        for lowest, highest in null.row_extremes(order)
    )
    excluded = null.excluded[np.ix_(order, order)]
    undrawn = np.tril(excluded & differs[np.ix_(order, order)], -1).sum(axis=1)
    step = null.pvalue(
        observed[::-1],
        count((some >= observed[::-1] for some in maxima), m),
        drawn=np.tril(~excluded, -1).any(axis=1).cumsum() > 0,
        n_undrawn=np.cumsum(undrawn),
        df=df,
        two_sided=True,
    )
    # The MCS p-value of a candidate is the largest p-value up to its removal (Hansen, Lunde and
    # Nason), so that the sets of all levels are nested.
    pvalues[available[removed]] = np.maximum.accumulate(step[::-1])
    return pvalues


def probability_best(
    scores: SplitScores,
    *,
    most_behind: float,
    n_draws: int = N_DRAWS,
    rng: Any = None,
    test: PairTest = CORRECTED_T,
) -> BestProbabilities:
    """Probability that each candidate has the highest mean, from the joint posterior.

    The joint posterior of the means is multivariate t with J − 1 degrees of freedom. Its location
    is the observed means and its scale matrix is cov(scores)·(1/J + q). Its pairwise differences
    are those of `Posterior`. Draws use the split-centred scores (`JointNull.means`): they need no
    candidates × candidates matrix, and candidates may outnumber splits.

    Parameters
    ----------
    scores : SplitScores
        Scores of the candidates.
    most_behind : float
        Upper end of the ROPE, ≥ 0: means at most this far below the highest are practically
        equivalent to it.
    n_draws : int, default=20,000
        Number of draws; the standard error of a probability is at most 0.5/√n_draws.
    rng : None, int or numpy.random.Generator, optional
        Source of the draws. Default: fresh entropy.
    test : PairTest, default=CORRECTED_T
        The test of each pair.

    Returns
    -------
    BestProbabilities

    Raises
    ------
    ValueError
        If `n_draws` is not a whole number ≥ 1.
    """
    n_draws = check_count("n_draws", n_draws)
    best = np.full(scores.n_candidates, np.nan)
    within = best.copy()
    available = np.sort(scores.order[: scores.n_available])
    if not available.size or scores.n_splits < 2:
        return BestProbabilities(best, within)
    tests = test.against(scores, int(scores.order[0]), available)
    if not np.isfinite(tests.variance_factor).all():
        # Without training samples the variance is infinite, and nothing is known about the best.
        return BestProbabilities(best, within)
    means = scores.means[available]
    times_best, times_within = np.zeros(available.size), np.zeros(available.size)
    for draws in test.joint_null(scores, rng, n_draws).means(tests):
        draws += means
        highest = draws.max(axis=1, keepdims=True)
        # np.nonzero of the table would take fifteen times as long.
        draw, candidate = np.divmod(np.flatnonzero(draws == highest), available.size)
        share = 1 / np.bincount(draw)  # copies are tied in every draw and share it
        np.add.at(times_best, candidate, share[draw])
        within_rope = (draws >= highest - most_behind).view(np.uint8)
        # Sums below 256 fit in one byte; wider numbers take four times as long.
        wide = np.uint8 if len(draws) < 256 else np.intp
        times_within += np.add.reduce(within_rope, axis=0, dtype=wide)
    best[available], within[available] = times_best / n_draws, times_within / n_draws
    return BestProbabilities(best, within)


def rivals_maxima(null: JointNull) -> Iterator[NDArray[np.float64]]:
    """Yield draws of max over j ≠ i of T*_ji for each candidate i in rank order, (draws, m)."""
    for _, highest in null.row_extremes(np.arange(len(null.candidates)), everyone=True):
        yield highest


def _dunnett_pvalues(
    scores: SplitScores,
    tests: PairedTTests,
    null: JointNull,
    maxima: Iterable[NDArray[np.float64]],
    test: PairTest,
) -> NDArray[np.float64]:
    """P(max over j ≠ i of T*_ji ≥ t_bi) for every other candidate i, b the sample best."""
    statistic = tests.statistic
    n = len(statistic)
    reached = count((highest[:, 1:] >= statistic for highest in maxima), n)
    n_undrawn = np.zeros(n, dtype=np.int64)
    for k in range(n):
        rivals = null.candidates[null.excluded[k + 1]]
        own = test.against(scores, int(null.candidates[k + 1]), rivals)
        n_undrawn[k] = np.count_nonzero(own.std > 0)
    return null.pvalue(
        statistic,
        reached,
        drawn=(~null.excluded[1:]).any(axis=1),
        n_undrawn=n_undrawn,
        df=tests.df,
        two_sided=False,
    )


def _elimination(
    statistic: NDArray[np.float64],
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Order in which candidates are removed, and max |t| over the set before each removal."""
    m = len(statistic)
    order = np.empty(m, dtype=np.intp)
    observed = np.zeros(m)
    left = np.ones(m, dtype=bool)
    for k in range(m):
        members = np.flatnonzero(left)
        # The largest t by which another member is better than each candidate.
        worst_of = statistic[np.ix_(members, members)].max(axis=0)
        # Of ties the last in rank is removed first.
        position = members.size - 1 - int(np.argmax(worst_of[::-1]))
        order[k], observed[k] = members[position], max(worst_of[position], 0.0)
        left[order[k]] = False
    return order, observed
