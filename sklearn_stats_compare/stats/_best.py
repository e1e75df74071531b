"""Which candidates may be the best: sets, regret bounds, ranks, groups, and Pareto fronts."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from sklearn_stats_compare.stats._corrected_t import (
    PairedTTests,
    effective_number,
    limit_pvalue,
    upper_limit,
)
from sklearn_stats_compare.stats._family import N_DRAWS, MaxT
from sklearn_stats_compare.stats._joint_null import JointNull, count, critical_value_of_draws
from sklearn_stats_compare.stats._multitest import adjust_pvalues
from sklearn_stats_compare.stats._numeric import Flags, Numbers, Places, same_tail
from sklearn_stats_compare.stats._pair_tests import CORRECTED_T, PairTest
from sklearn_stats_compare.stats._score_range import ScoreRange, are_counts, mean_limits
from sklearn_stats_compare.stats._scores import SplitDesign, SplitScores

BEST_METHODS = ("mcb", "maxt")

_MOST_BY_DEFAULT = 100
"""Largest number of candidates for which "maxt" may be a default: it draws all their pairs."""


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

    best: Numbers
    within_rope: Numbers


def possibly_best_pvalues(
    scores: SplitScores,
    *,
    method: str | None = None,
    rng: Any = 0,
    test: PairTest = CORRECTED_T,
    drawn: tuple[JointNull, Iterable[Numbers]] | None = None,
) -> Numbers:
    """p-value of each candidate for the hypothesis that it is the best (Hsu, 1981).

    Keep every candidate whose p-value is not below alpha. A given true best is excluded with
    probability at most alpha, although the sample best, against which it is tested, was chosen
    from the data. If several are tied, the smallest p-value against one of them counts.

    Parameters
    ----------
    scores : SplitScores
        Scores of the candidates.
    method : {"mcb", "maxt"}, optional
        Adjustment for the m − 1 one-sided tests that could exclude a candidate. "mcb" uses
        their number; "maxt" uses the joint null distribution of their statistics, like Dunnett's
        test, and has more power. Default: that of the test for up to 100 candidates, which is
        "maxt" for values of samples; otherwise "mcb".
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
    if method is None:
        method = best_method(scores, test)
    pvalues = np.full(scores.n_candidates, np.nan)
    available = scores.order[: scores.n_available]
    if not available.size or scores.n_splits < 2:
        return pvalues
    best, others = int(available[0]), available[1:]
    tied = test.against(scores, best, others).mean_diff == 0
    leaders = [best, *others[tied].tolist()]
    if method != "mcb":
        if drawn is None:
            null = test.joint_null(scores, rng, N_DRAWS)
            drawn = null, rivals_maxima(null)
        null, maxima = drawn[0], drawn[1] if len(leaders) == 1 else list(drawn[1])
    pvalues[available] = 1.0
    # The adjustment counts all rivals, so which of tied leaders comes first must not matter.
    for leader in leaders if not tied.all() else ():
        tests = test.against(scores, leader, others)
        if method == "mcb":
            found = np.minimum(1.0, others.size * tests.pvalue("greater"))
        else:
            found = _dunnett_pvalues(scores, tests, null, maxima, test)
        pvalues[others[~tied]] = np.fmin(pvalues[others[~tied]], found[~tied])
    return pvalues


def best_method(scores: SplitScores, test: PairTest) -> str:
    """Default adjustment of the possibly-best set."""
    return test.best_method if scores.n_available <= _MOST_BY_DEFAULT else "mcb"


def model_confidence_set_pvalues(
    scores: SplitScores, *, rng: Any = 0, test: PairTest = CORRECTED_T
) -> Numbers:
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
        own = tests.statistic_at(test.df(scores))
        statistic[row, row + 1 :] = own
        statistic[row + 1 :, row] = -own
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


def rivals_maxima(null: JointNull) -> Iterator[Numbers]:
    """Yield draws of max over j ≠ i of T*_ji for each candidate i in rank order, (draws, m)."""
    for _, highest in null.row_extremes(np.arange(len(null.candidates)), everyone=True):
        yield highest


def _dunnett_pvalues(
    scores: SplitScores,
    tests: PairedTTests,
    null: JointNull,
    maxima: Iterable[Numbers],
    test: PairTest,
) -> Numbers:
    """P(max over j ≠ i of T*_ji ≥ t_bi) for every other candidate i, b a sample best."""
    statistic = tests.statistic_at(test.df(scores))
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


def _elimination(statistic: Numbers) -> tuple[Places, Numbers]:
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


def regret_bounds(
    scores: SplitScores,
    *,
    alpha: float = 0.05,
    method: str = "mcb",
    rng: Any = 0,
    test: PairTest = CORRECTED_T,
    candidates: Sequence[int] | Places | None = None,
) -> Numbers:
    """Simultaneous upper bounds of (true mean of the best − true mean of each candidate).

    With probability at least 1 − alpha, all bounds hold, in the manner of Hsu (1981). A candidate's
    bound is the largest one-sided confidence limit of its distance from a member of the
    possibly-best set, or 0 if that is larger: max over the members j of x_j − x_i + d_j·SE_ji,
    where d_j is the critical value that decides whether j is in the set. If few samples differ, the
    limit is larger: see `upper_limit`.

    Parameters
    ----------
    scores : SplitScores
        Scores of the candidates.
    alpha : float, default=0.05
        Probability that some bound is too small, in (0, 1).
    method : {"mcb", "maxt"}, default="mcb"
        As for `possibly_best_pvalues`.
    rng : None, int or numpy.random.Generator, default=0
        Source of the 20,000 draws of "maxt".
    test : PairTest, default=CORRECTED_T
        The test of each pair.
    candidates : sequence of int, optional
        Candidates whose bounds are needed. The others are NaN. Default: all.

    Returns
    -------
    ndarray of float, shape (n_candidates,)
        Bounds ≥ 0, in score units. NaN for a missing candidate; all NaN with one split.

    Raises
    ------
    ValueError
        If `alpha` is not in (0, 1), `method` is unknown, or `method` is "maxt" and `alpha` is not
        above 1/20,001, the smallest p-value of its draws.

    References
    ----------
    Hsu, J. C. (1981). Simultaneous confidence intervals for all distances from the "best".
    Annals of Statistics 9, 1026–1034. https://doi.org/10.1214/aos/1176345582
    """
    if method == "maxt" and not alpha > 1 / (1 + N_DRAWS):
        raise ValueError(
            f"`alpha` must be above 1/{1 + N_DRAWS:,} with method='maxt', the smallest p-value of "
            f"its {N_DRAWS:,} draws; got {alpha!r}. Use method='mcb'."
        )
    drawn = None
    if method == "maxt" and scores.n_available > 1 and scores.n_splits > 1:
        # Once: the bounds and the set must see the same draws.
        null = test.joint_null(scores, rng, N_DRAWS)
        drawn = null, [np.concatenate(list(rivals_maxima(null)))]
    pvalues = possibly_best_pvalues(scores, method=method, rng=rng, test=test, drawn=drawn)
    bounds = np.full(scores.n_candidates, np.nan)
    known = np.flatnonzero(~np.isnan(pvalues))
    members = known[pvalues[known] >= alpha]
    criticals = None
    if drawn is not None:
        criticals = _dunnett_critical(scores, members, alpha, null, drawn[1][0], test)
    for i in known if candidates is None else np.intersect1d(candidates, known):
        rivals = members != i
        tests = test.against(scores, int(i), members[rivals])
        # At a level above one half it would be negative, and a bound less than the difference seen.
        tail = alpha / max(1, known.size - 1)
        critical = np.maximum(stats.t.isf(tail, tests.df), 0.0)
        if criticals is not None:
            critical = same_tail(criticals[rivals], test.df(scores), tests.df)
        weight = test.weight_of_a_sample(scores, tests, np.arange(len(tests.first)))
        own = tests.std_err, critical, tail, tests.n_counted, weight, tests.unit
        bounds[i] = upper_limit(-tests.mean_diff, *own).max(initial=0.0)
    return bounds


def _dunnett_critical(
    scores: SplitScores,
    members: Places,
    alpha: float,
    null: JointNull,
    drawn: Numbers,
    test: PairTest,
) -> Numbers:
    """Critical value of max over i ≠ j of T*_ij for each member j of the possibly-best set."""
    rank = np.empty_like(scores.order)
    rank[scores.order] = np.arange(len(rank))
    positions = rank[members]
    maxima = np.sort(drawn[:, positions], axis=0)
    critical = np.empty(members.size)
    for k, (member, position) in enumerate(zip(members, positions, strict=True)):
        rivals = null.excluded[position]
        own = test.against(scores, int(member), null.candidates)
        undrawn = int(np.count_nonzero(own.std[rivals] > 0))

        def pvalue(
            value: float, k: int = k, rivals: Any = rivals, undrawn: int = undrawn, own: Any = own
        ) -> float:
            reached = N_DRAWS - np.searchsorted(maxima[:, k], value, side="left")
            p = null.pvalue(
                np.array([value]),
                np.array([reached]),
                drawn=not rivals.all(),
                n_undrawn=undrawn,
                df=own.df,
                two_sided=False,
            )
            return float(p[0])

        # Bonferroni's value for twice the rivals, or above the largest draw.
        high = float(stats.t.isf(alpha / 4 / len(null.candidates), np.min(own.df)))
        critical[k] = critical_value_of_draws(pvalue, alpha, max(high, 2 * float(maxima[-1, k])))
    return critical


RANK_METHODS = ("holm", "bonferroni", "maxt")


def rank_limits(
    scores: SplitScores,
    *,
    alpha: float = 0.05,
    method: str = "holm",
    rng: Any = 0,
    test: PairTest = CORRECTED_T,
) -> tuple[Numbers, Numbers]:
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
    m = scores.n_available
    low = np.where(scores.missing, np.nan, 1.0)
    high = np.where(scores.missing, np.nan, float(m))
    if m < 2 or scores.n_splits < 2:
        return low, high
    tests = test.all_pairs(scores)
    if method == "maxt":
        family = MaxT(scores, tests, rng, test)
        # A two-sided test at alpha is both one-sided tests of the joint family.
        statistic = np.abs(tests.statistic_at(test.df(scores)))
        differs = np.fmax(family.single_step(statistic), 2 * tests.tail) < alpha
        better, worse = differs & (tests.mean_diff > 0), differs & (tests.mean_diff < 0)
    else:
        one_sided = [tests.pvalue("greater"), tests.pvalue("less")]
        better, worse = np.split(adjust_pvalues(np.concatenate(one_sided), method) < alpha, 2)
        # At a level above one half both directions of a pair may be rejected.
        better, worse = better & (tests.mean_diff > 0), worse & (tests.mean_diff < 0)
    for first_wins, winner, loser in (
        (better, tests.first, tests.second),
        (worse, tests.second, tests.first),
    ):
        low += np.bincount(loser[first_wins], minlength=low.size)
        high -= np.bincount(winner[first_wins], minlength=high.size)
    return low, high


def possibly_pareto_pvalues(
    criteria: "Sequence[Criterion]", ropes: ArrayLike, *, alpha: float = 0.05
) -> tuple[Numbers, Places]:
    """p-value of each candidate for the hypothesis that no rival dominates it.

    A rival dominates a candidate if it is worse than it by more than the ROPE in no criterion, and
    better by more than the ROPE in at least one. If all ROPEs are 0, it is better in every one.
    Keep every candidate whose p-value is not below alpha: one that no rival dominates is left out
    with probability at most alpha.

    The p-value of a pair is that of an intersection-union test: the largest of the one-sided
    p-values of "worse by the ROPE or more", and of K times the smallest of "better by the ROPE or
    less", for K criteria. The second part is left out if some ROPE is 0, because the first then
    shows that the rival is better. The smallest of a candidate is multiplied by the number of its
    rivals.

    Rivals are the members of the observed front, the best sum of gains in units of the ROPEs first,
    and only those that are kept themselves. So no candidate is left out for a rival that is left
    out, and not all are. None of this raises an error rate: it only removes rejections.

    Parameters
    ----------
    criteria : sequence of Criterion
        Measures of the same candidates.
    ropes : array-like of float, shape (n_criteria,)
        Half-widths ≥ 0 of the regions of practical equivalence, in the units of the criteria.
    alpha : float, default=0.05
        Level below which a candidate is left out and is no rival, in (0, 1).

    Returns
    -------
    pvalues : ndarray of float, shape (n_candidates,)
        NaN for a candidate that is missing in some criterion; all NaN with one split.
    rivals : ndarray of int, shape (n_candidates,)
        The rival with the smallest p-value; −1 where no rival dominates the candidate as observed.

    References
    ----------
    Tamhane, A. C. and Logan, B. R. (2004). A superiority-equivalence approach to one-sided tests on
    multiple endpoints in clinical trials. Biometrika 91, 715–727.
    https://doi.org/10.1093/biomet/91.3.715
    """
    gains = np.column_stack([criterion.gains for criterion in criteria])
    widths = np.asarray(ropes, dtype=float)
    pvalues = np.full(len(gains), np.nan)
    rivals = np.full(len(gains), -1, dtype=np.intp)
    known = np.flatnonzero(np.isfinite(gains).all(axis=1))
    if not known.size or min(criterion.n_splits for criterion in criteria) < 2:
        return pvalues, rivals
    pvalues[known] = 1.0
    height = _height(gains, widths)
    front = known[observed_front(gains[known])]
    for rival in front[np.argsort(-height[front], kind="stable")]:
        if pvalues[rival] < alpha:
            continue
        others = known[height[known] < height[rival]]
        adjusted = (known.size - 1) * _domination_pvalues(criteria, widths, int(rival), others)
        smaller = adjusted < pvalues[others]
        pvalues[others[smaller]], rivals[others[smaller]] = adjusted[smaller], rival
    return pvalues, rivals


def observed_front(gains: Numbers) -> Flags:
    """Whether no other row is at least as high in every column, and higher in one."""
    front = np.ones(len(gains), dtype=bool)
    for row in np.argsort(-gains.sum(axis=1), kind="stable"):
        if front[row]:
            below = (gains <= gains[row]).all(axis=1) & (gains < gains[row]).any(axis=1)
            front &= ~below
    return front


def _height(gains: Numbers, ropes: Numbers) -> Numbers:
    """A number that is higher for a rival than for each candidate that it may dominate.

    Without it, three candidates could each dominate the next one, and all would be left out.
    """
    if (ropes > 0).all():
        return (gains / ropes).sum(axis=1)
    # A rival is better in every criterion whose ROPE is 0.
    return gains[:, int(np.argmin(ropes))]


def _domination_pvalues(
    criteria: "Sequence[Criterion]", ropes: Numbers, rival: int, others: Places
) -> Numbers:
    """p-value of each of `others` for the hypothesis that the rival does not dominate it."""
    tests = [criterion.against(rival, others) for criterion in criteria]
    difference = np.stack([each.mean_diff for each in tests])
    pairs = list(zip(criteria, tests, strict=True))

    def at_most(limits: Numbers) -> list[Numbers]:
        return [_at_most(*pair, limit) for pair, limit in zip(pairs, limits, strict=True)]

    pvalues = np.max(at_most(-ropes), axis=0)
    observed = (difference > -ropes[:, None]).all(axis=0)
    if (ropes > 0).all():
        pvalues = np.maximum(pvalues, len(tests) * np.min(at_most(ropes), axis=0))
        observed &= (difference > ropes[:, None]).any(axis=0)
    # At a level above one half, a p-value below it may be of a difference in the other direction.
    return np.where(observed, pvalues, 1.0)


def _at_most(criterion: "Criterion", tests: PairedTTests, value: float) -> Numbers:
    """p-values of the hypotheses that the differences are at most `value`."""
    if value == 0:
        return tests.pvalue("greater")
    weight = criterion.weight_of_a_sample(tests)
    own = tests.std_err, tests.df, -float(value), tests.n_counted, weight, tests.unit
    # Without any spread only a number of samples is evidence of a difference within the ROPE.
    unknown = (tests.std_err == 0) & np.isinf(tests.n_counted)
    return np.where(unknown, 1.0, limit_pvalue(-tests.mean_diff, *own))


@dataclass(frozen=True, eq=False)
class ScoreCriterion:
    """Scores on splits, higher is better.

    Parameters
    ----------
    scores : SplitScores
        Scores of the candidates.
    test : PairTest, default=CORRECTED_T
        The test of a pair.
    metric : str, default=""
        Name of the metric, whose range limits stay in.
    """

    scores: SplitScores
    test: PairTest = CORRECTED_T
    metric: str = ""

    @property
    def n_splits(self) -> int:
        """Number of splits, J."""
        return self.scores.n_splits

    @property
    def means(self) -> Numbers:
        """Mean score of each candidate, NaN where missing."""
        return self.scores.means

    @property
    def gains(self) -> Numbers:
        """The means: higher is better."""
        return self.scores.means

    def against(self, i: int, others: Places) -> PairedTTests:
        """Score of candidate `i` minus that of each of `others`."""
        return self.test.against(self.scores, i, others)

    def weight_of_a_sample(self, tests: PairedTTests) -> Numbers:
        """Change of each difference if the candidates differed on one more sample."""
        return self.test.weight_of_a_sample(self.scores, tests, np.arange(len(tests.first)))

    def against_bound(self, bound: float) -> PairedTTests:
        """Score of each candidate minus the bound, by the corrected t-test of one mean.

        The bound stands for a candidate that has it on every split, so that scores without any
        variation are treated as in a pair.
        """
        values = self.scores.values
        with_bound = np.vstack([values, np.full(values.shape[1], bound)])
        n = len(values)
        found = CORRECTED_T.against(SplitScores(with_bound, self.scores.design), n, np.arange(n))
        # The same pairs as second − first.
        return replace(
            found, first=found.second, second=found.first, mean_diff=-found.mean_diff,
            n_agreed=np.inf,
        )  # fmt: skip

    def pvalue_of_bound(self, bound: float, alternative: str) -> Numbers:
        """One-sided p-value of each candidate; "greater" shows that it reaches the bound."""
        known, tests = self.scores.typical, self.against_bound(bound)
        least = 0.0 if (known >= 0).all() and bound >= 0 else -np.inf
        most = np.inf if (known > 1).any() or bound > 1 else 1.0
        most = 0.0 if (known <= 0).all() and bound <= 0 else most
        found = _with_constants(
            tests, tests.constant, alternative, self.means, bound, least, most, self.scores.design
        )
        if least != 0 or most != 1:
            return found
        # Of shares, the count of the rarer outcome: few errors are not known to be stable.
        differs, limit = (
            (1 - self.means, 1 - bound) if alternative == "greater" else (self.means, bound)
        )
        n: Any = self.scores.n_shared
        if np.isinf(n) and are_counts(self.scores.scorer_name or self.metric):  # perhaps weighted
            n = self.scores.n_independent
        n = effective_number(differs, tests.std_err, n, self.scores.n_rows)
        own = tests.std_err, tests.df, limit, n
        return np.maximum(found, limit_pvalue(differs, *own))

    def limits(self, confidence_level: float) -> tuple[Numbers, Numbers]:
        """Two-sided confidence limits of each mean."""
        test, scores = self.test, self.scores
        critical = float(stats.t.isf((1 - confidence_level) / 2, test.df(scores)))
        errors = test.std_errs(scores)
        within = ScoreRange.of(scores, test.share_factor(scores), self.metric)
        return mean_limits(self.means, errors, critical, within)


@dataclass(frozen=True, eq=False)
class TimeCriterion:
    """Mean times over splits, lower is better, of which only the standard deviation is known.

    The standard deviation of a difference is at most the sum of the two, whatever the times of the
    single splits are. The sum replaces it, so that a difference in favour of a candidate is never
    more significant than the corrected t-test of the times of the splits would say.

    Parameters
    ----------
    means : ndarray of float, shape (n_candidates,)
        Mean time of each candidate over the splits, in seconds.
    stds : ndarray of float, shape (n_candidates,)
        Its standard deviation over the splits (ddof=1), in seconds.
    design : SplitDesign
        Sizes of the splits.
    """

    means: Numbers
    stds: Numbers
    design: SplitDesign

    @property
    def n_splits(self) -> int:
        """Number of splits, J."""
        return self.design.n_splits

    @property
    def gains(self) -> Numbers:
        """The negative means."""
        return -self.means

    def against(self, i: int, others: Places) -> PairedTTests:
        """Time of each of `others` minus that of candidate `i`."""
        return self._tests(i, others, self.means[others] - self.means[i],
                           self.stds[others] + self.stds[i])  # fmt: skip

    def weight_of_a_sample(self, tests: PairedTTests) -> Numbers:
        """Zeros: times are not values of samples."""
        return np.zeros(len(tests.first))

    def against_bound(self, bound: float) -> PairedTTests:
        """The bound, which the time must not exceed, minus the time of each candidate."""
        return self._tests(0, np.arange(len(self.means)), bound - self.means, self.stds)

    def pvalue_of_bound(self, bound: float, alternative: str) -> Numbers:
        """One-sided p-value of each candidate; "greater" shows that it keeps to the bound."""
        tests = self.against_bound(bound)
        # Of gains, whose least is −∞ and whose most is 0: no time is negative.
        return _with_constants(
            tests, tests.std == 0, alternative, self.gains, -bound, -np.inf, 0.0, self.design
        )

    def limits(self, confidence_level: float) -> tuple[Numbers, Numbers]:
        """Two-sided confidence limits of each mean; the lower one is not below 0."""
        errors = self.stds * np.sqrt(self.design.variance_factor)
        reach = stats.t.isf((1 - confidence_level) / 2, self.n_splits - 1) * errors
        return np.maximum(self.means - reach, 0.0), self.means + reach

    def _tests(self, i: int, others: Places, mean_diff: Numbers, std: Numbers) -> PairedTTests:
        constant = np.zeros(len(others), dtype=bool)
        factor = self.design.variance_factor
        first = np.full(len(others), i)
        return PairedTTests(first, others, mean_diff, std, constant, self.n_splits - 1, factor)


Criterion = ScoreCriterion | TimeCriterion
"""One of several measures of the same candidates, tested so that a positive gain is better."""


def _with_constants(
    tests: PairedTTests,
    constant: Flags,
    alternative: str,
    gains: Numbers,
    bound: float,
    least: float,
    most: float,
    design: SplitDesign,
) -> Numbers:
    """p-values; of scores that are the same on all splits those of Markov's inequality.

    K equal scores are no K equal signs here, as they are for a pair: proportions near 1 are often
    all 1 (recall 0.97 of 20 positives in more than half of all data sets). For scores ≥ `least`, a
    fold is at or above c > bound with probability (bound − least)/(c − least) at most, and likewise
    from above.
    """
    found = np.asarray(tests.pvalue(alternative))
    if alternative == "greater":
        reach, wanted, is_known = bound - least, gains - least, np.isfinite(least)
    else:
        reach, wanted, is_known = most - bound, most - gains, np.isfinite(most)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.clip(np.divide(reach, wanted), 0.0, 1.0) if is_known else np.ones(len(found))
    folds = design.splits_per_repeat
    # No smaller than that of equal signs.
    markov = np.maximum(0.5, np.where(wanted > reach, share, 1.0)) ** folds
    markov = np.where(wanted > reach, markov, 1.0)
    return np.where(constant & ~np.isnan(found), markov, found)


MOST_GROUPS = 60
"""More groups than this are not readable; there can be exponentially many."""


def groups_not_different(
    n: int, different: Iterable[tuple[int, int]]
) -> list[tuple[int, ...]] | None:
    """All largest groups of `n` candidates in which no pair was found different.

    Piepho's insert-and-absorb algorithm: two candidates share a group exactly when they are not
    among `different`, and no group is part of another.

    Parameters
    ----------
    n : int
        Number of candidates.
    different : iterable of (int, int)
        Pairs of positions that were found different.
    most : int, default=60
        Largest number of groups.

    Returns
    -------
    list of tuple of int, or None
        The positions in each group, in increasing order; None if there are more than `most`
        groups.

    References
    ----------
    Piepho, H.-P. (2004). An algorithm for a letter-based representation of all-pairwise
    comparisons. Journal of Computational and Graphical Statistics 13, 456–466.
    https://doi.org/10.1198/1061860043515
    """
    groups = [frozenset(range(n))] if n else []
    for i, j in different:
        apart: list[frozenset[int]] = []
        for group in groups:
            split = i in group and j in group
            apart.extend([group - {i}, group - {j}] if split else [group])
        groups = _absorbed(apart)
        # Checked at every pair, because the number may double with each.
        if len(groups) > MOST_GROUPS:
            return None
    return sorted(tuple(sorted(group)) for group in groups)


def _absorbed(groups: list[frozenset[int]]) -> list[frozenset[int]]:
    """Drop every group that another one contains."""
    # A group can be contained only in one of at least its size.
    largest_first = sorted(set(groups), key=len, reverse=True)
    kept: list[frozenset[int]] = []
    for group in largest_first:
        if not any(group <= other for other in kept):
            kept.append(group)
    return kept
