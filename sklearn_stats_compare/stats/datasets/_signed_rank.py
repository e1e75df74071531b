"""Wilcoxon's signed-rank test and the sign test of all pairs of models over data sets."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats

from sklearn_stats_compare._utils._validation import check_finite
from sklearn_stats_compare.stats._numeric import Flags, Numbers, Places, parts
from sklearn_stats_compare.stats.datasets._rank_tests import differences_from, doubled_ranks

ZEROS = ("pratt", "wilcox", "zsplit")

MOST_EXACT = 25
"""The most differences that are not zero for which "auto" is exact."""


@dataclass(frozen=True, eq=False)
class WilcoxonPairs:
    """Wilcoxon's signed-rank tests of all pairs of models, in the order of the models.

    Attributes
    ----------
    first, second : ndarray of int, shape (n_pairs,)
        Numbers of the two models, from 0.
    r_plus, r_minus : ndarray of float, shape (n_pairs,)
        Sums of the ranks of the data sets on which the first is better, and worse.
    z : ndarray of float, shape (n_pairs,)
        Normal approximation, positive if the first is better; 0 if all scores are tied.
    pvalue : ndarray of float, shape (n_pairs,)
        Two-sided p-values, not adjusted for the number of pairs.
    greater, less : ndarray of float, shape (n_pairs,)
        One-sided p-values: "greater" is small if the first is better.
    n_zeros : ndarray of int, shape (n_pairs,)
        Numbers of data sets on which the two are tied.
    n_ties : ndarray of int, shape (n_pairs,)
        Numbers of differences other than 0 that have the size of another one.
    exact : ndarray of bool, shape (n_pairs,)
        Whether the p-value is exact, or that of z.
    """

    first: Places
    second: Places
    r_plus: Numbers
    r_minus: Numbers
    z: Numbers
    pvalue: Numbers
    greater: Numbers
    less: Numbers
    n_zeros: Places
    n_ties: Places
    exact: Flags


def wilcoxon_pairs(
    values: Any, *, zeros: str = "pratt", method: str = "auto", shift: float = 0.0
) -> WilcoxonPairs:
    """Test all pairs of models by Wilcoxon's signed-rank test over data sets.

    Parameters
    ----------
    values : array-like of float, shape (n_models, n_datasets)
        One score of each model on each data set, higher is better. Each score is that of a whole
        data set, such as the mean of a cross-validation.
    zeros : {"pratt", "wilcox", "zsplit"}, default="pratt"
        How differences of 0 are treated. "pratt" ranks them and then leaves out their ranks (Pratt,
        1959). "wilcox" leaves them out before ranking. "zsplit" ranks them and gives half of their
        ranks to each side (Demšar, 2006).
    method : {"auto", "exact", "approx"}, default="auto"
        "exact" is the distribution over all signs of the differences, given their sizes, which is
        also exact with ties and zeros. "approx" is that of z. "auto" is exact for a pair with at
        most 25 differences other than 0.
    shift : float, default=0.0
        The difference that is tested, in score units: it is subtracted from every difference.

    Returns
    -------
    WilcoxonPairs
        Each array has one entry per pair, in the order (0, 1), (0, 2), …, (1, 2) and so on. Adjust
        `pvalue` by `shaffer_pvalues` or ``adjust_pvalues(pvalue, "holm")``. If two models are tied
        on all data sets, z = 0 and p = 1.

    Raises
    ------
    ValueError
        If `shift` is not finite.

    See Also
    --------
    sign_test_pairs : Uses only which model is better, so the data sets need no common scale.

    Notes
    -----
    Valid for independent data sets on which differences are comparable: a difference of 0.02 should
    mean as much on one as on another. The hypothesis is that the differences are symmetric about 0.
    The splits of one data set are not independent: over the 100 splits of 10×10-fold
    cross-validation this test at 5 % rejected equal logistic regressions in 53 % of data sets.

    Scores that differ by at most 1e-12 of the larger one are tied, and so are differences that
    differ by as much. SciPy's ``wilcoxon`` ranks the floating-point numbers as they are; round them
    for the same results.

    Fewer than 6 differences other than 0 cannot give p < 0.05. If most sizes are tied, or there are
    many zeros, z is that of a sign test without correction for continuity: its level is 7.6 % for
    26 differences at a nominal 5 %, and nearer to 5 % for more. An exact p-value of n differences
    with ties takes about n³ operations, and the approximation is as good for hundreds.

    References
    ----------
    Wilcoxon, F. (1945). Individual comparisons by ranking methods. Biometrics Bulletin 1, 80–83.
    https://doi.org/10.2307/3001968

    Pratt, J. W. (1959). Remarks on zeros and ties in the Wilcoxon signed rank procedures. JASA 54,
    655–667. https://doi.org/10.1080/01621459.1959.10501526

    Cureton, E. E. (1967). The normal approximation to the signed-rank sampling distribution when
    zero differences are present. JASA 62, 1068–1069.
    https://doi.org/10.1080/01621459.1967.10500917

    Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets. JMLR 7, 1–30.

    Examples
    --------
    Areas under the ROC curve of C4.5 with and without a tuned number of samples per leaf, on 14
    data sets (Demšar, 2006, Table 2):

    >>> from sklearn_stats_compare.stats.datasets._signed_rank import wilcoxon_pairs
    >>> tuned = [0.768, 0.591, 0.971, 0.661, 0.888, 0.931, 0.668,
    ...          0.583, 0.838, 1.000, 0.962, 0.666, 0.981, 0.978]
    >>> plain = [0.763, 0.599, 0.954, 0.628, 0.882, 0.936, 0.661,
    ...          0.583, 0.775, 1.000, 0.940, 0.619, 0.972, 0.957]
    >>> pairs = wilcoxon_pairs([tuned, plain], zeros="zsplit", method="approx")
    >>> print(pairs.r_plus, pairs.r_minus, pairs.n_zeros, pairs.pvalue.round(3))
    [93.] [12.] [2] [0.011]

    The test rejects that the two are equally good. The defaults lead to the same conclusion:

    >>> print(wilcoxon_pairs([tuned, plain]).pvalue.round(3))
    [0.008]
    """
    table = np.asarray(values, dtype=float)
    shift = check_finite("shift", shift)
    blocks = [
        _signed_ranks(*differences_from(table, i, shift), zeros, method)
        for i in range(len(table) - 1)
    ]
    r_plus, r_minus, variance, n_zeros, n_ties, exact, doubled = map(
        np.concatenate, zip(*blocks, strict=True)
    )
    first, second = np.triu_indices(len(table), 1)
    difference = r_plus - r_minus
    # Twice the distance of either sum from its expectation.
    z = np.zeros(len(difference))
    np.divide(difference / 2, np.sqrt(variance), out=z, where=variance > 0)
    # Of the smaller sum of ranks, and of the larger one in the same direction.
    near, far = special.ndtr(-np.abs(z)), special.ndtr(np.abs(z))
    if exact.any():
        split = n_zeros * (n_zeros + 1) / 2 if zeros == "zsplit" else 0
        least = np.rint(2 * np.minimum(r_plus, r_minus) - split).astype(np.intp)
        at_most, exactly = exact_tails(doubled, least[exact])
        # The distribution is symmetric: of equal sums both tails are the same.
        tied = (r_plus == r_minus)[exact]
        near[exact], far[exact] = at_most, np.where(tied, at_most, 1 - at_most + exactly)
    is_better = r_plus > r_minus
    return WilcoxonPairs(
        first,
        second,
        r_plus,
        r_minus,
        z,
        np.minimum(1.0, 2 * near),
        np.where(is_better, near, far),
        np.where(is_better, far, near),
        n_zeros,
        n_ties,
        exact,
    )


def _signed_ranks(
    difference: Numbers, tolerance: Numbers, zeros: str, method: str
) -> tuple[NDArray[Any], ...]:
    """Sums of ranks, variances, and numbers of zeros and ties of several pairs.

    Also which are exact, and twice the ranks of those.
    """
    order = np.argsort(np.abs(difference), axis=1)
    ordered = np.take_along_axis(difference, order, axis=1)
    size, sign = np.abs(ordered), np.sign(ordered)
    n_zeros = np.count_nonzero(sign == 0, axis=1)
    # A zero's tolerance may be larger than the smallest difference on another data set.
    own = np.where(sign == 0, 0.0, np.take_along_axis(tolerance, order, axis=1))
    doubled, n_alike = doubled_ranks(size, own)
    if zeros == "wilcox":
        doubled = doubled - 2 * n_zeros[:, None]
    doubled = np.where(sign == 0, 0, doubled)
    shared = n_zeros * (n_zeros + 1) / 4 if zeros == "zsplit" else 0.0
    r_plus = np.where(sign > 0, doubled, 0).sum(axis=1) / 2 + shared
    r_minus = np.where(sign < 0, doubled, 0).sum(axis=1) / 2 + shared
    n = difference.shape[1]
    squares = (doubled.astype(np.float64) ** 2).sum(axis=1) / 4
    if zeros == "zsplit":  # each zero counts with its mean rank, as in SciPy
        squares += n_zeros * ((n_zeros + 1) / 2) ** 2
    n_ties = np.count_nonzero((sign != 0) & (n_alike > 1), axis=1)
    few = n - n_zeros <= MOST_EXACT
    exact = few if method == "auto" else np.full(len(few), method == "exact")
    return r_plus, r_minus, squares / 4, n_zeros, n_ties, exact, doubled[exact]


# Numbers in one block of distributions: 32 MB.
_BLOCK = 2**22


def exact_tails(doubled: Places, least_doubled: Places) -> tuple[Numbers, Numbers]:
    """Probability that a sum of signed ranks is at most, and exactly, the smaller observed one.

    Under the hypothesis each rank has either sign with probability 1/2, given the sizes of the
    differences. The distribution of the sum of positive ranks follows rank by rank. Twice the ranks
    are whole numbers, with ties too.

    Parameters
    ----------
    doubled : ndarray of int, shape (n_pairs, n)
        Twice the ranks of each pair; 0 for those that do not count.
    least_doubled : ndarray of int, shape (n_pairs,)
        Twice the smaller of the sums of positive and of negative ranks.
    """
    patterns, inverse = np.unique(np.sort(doubled, axis=1), axis=0, return_inverse=True)
    inverse = inverse.reshape(-1)  # NumPy 2.0 returned a column
    # Only sums up to the observed ones are needed, at most half of all.
    furthest = np.zeros(len(patterns), dtype=np.intp)
    np.maximum.at(furthest, inverse, least_doubled)
    at_most, exactly = np.empty(len(least_doubled)), np.empty(len(least_doubled))
    by_length = np.argsort(furthest, kind="stable")
    rank_of = np.empty_like(by_length)
    rank_of[by_length] = np.arange(len(by_length))
    for part in parts(len(patterns), _BLOCK // (int(furthest.max(initial=0)) + 1)):
        block = by_length[part]
        chance = _distribution(patterns[block], int(furthest[block[-1]]))
        cdf = chance.cumsum(axis=1)
        row = rank_of[inverse] - part.start
        own = (row >= 0) & (row < len(block))
        at_most[own] = cdf[row[own], least_doubled[own]]
        exactly[own] = chance[row[own], least_doubled[own]]
    return at_most, exactly


def _distribution(ranks: Places, most: int) -> Numbers:
    """P(sum = 0, 1, …, `most`) of each row, if each rank counts with probability 1/2."""
    # Sums of positive numbers: a small probability keeps its digits.
    chance = np.zeros((len(ranks), most + 1))
    chance[:, 0] = 1.0
    sums = np.arange(most + 1)
    for rank in ranks.T:
        before = sums - rank[:, None]
        shifted = np.take_along_axis(chance, np.maximum(before, 0), axis=1)
        shifted[before < 0] = 0.0
        chance = (chance + shifted) / 2
    return chance


# Up to here the null distribution is counted exactly; beyond, the normal one is as good.
_MOST_COUNTED = 100

_WALSH_AVERAGES_AT_ONCE = 10_000_000
"""Walsh averages in memory at a time."""


class PseudoMedians(NamedTuple):
    """Pseudo-medians with intervals, arrays of shape (n_pairs,).

    Attributes
    ----------
    middle, low, high : ndarray of float
        In score units; the ends are infinite if there are too few data sets for the level.
    """

    middle: Numbers
    low: Numbers
    high: Numbers


def pseudo_medians(differences: Numbers, tail: float) -> PseudoMedians:
    """Hodges and Lehmann's pseudo-median of each row, with an interval.

    Parameters
    ----------
    differences : ndarray of float, shape (n_pairs, n_datasets)
        Differences of two models on each data set.
    tail : float
        Probability of each tail, such as 0.025.

    Returns
    -------
    PseudoMedians
        The median of all means of two differences (Walsh averages, each difference with itself
        too), and the interval of shifts that the two-sided signed-rank test does not reject. It is
        exact for continuous differences that are symmetric about their median, up to 100 data sets,
        and at most as wide as needed for ties.

    References
    ----------
    Hodges, J. L. and Lehmann, E. L. (1963). Estimates of location based on rank tests. Annals of
    Mathematical Statistics 34, 598–611. https://doi.org/10.1214/aoms/1177704172
    """
    n_pairs, n = differences.shape
    i, j = np.triu_indices(n)
    n_walsh = len(i)
    k = _cutoff(n, tail)
    upper = n_walsh // 2
    lower = (n_walsh - 1) // 2
    found = np.empty((3, n_pairs))
    for own in parts(n_pairs, _WALSH_AVERAGES_AT_ONCE // n_walsh):
        block = differences[own]
        walsh = (block[:, i] + block[:, j]) / 2
        walsh.partition(sorted({lower, upper, *((k - 1, n_walsh - k) if k else ())}), axis=1)
        found[0, own] = (walsh[:, lower] + walsh[:, upper]) / 2
        found[1, own] = walsh[:, k - 1] if k else -np.inf
        found[2, own] = walsh[:, n_walsh - k] if k else np.inf
    return PseudoMedians(*found)


def _cutoff(n: int, tail: float) -> int:
    """Number of the Walsh average, from 1, at which the interval begins; 0 if there is none.

    The largest k with P(T < k) ≤ tail, for the sum T of the positive ranks of n differences.
    """
    if n > _MOST_COUNTED:
        mean, sd = n * (n + 1) / 4, np.sqrt(n * (n + 1) * (2 * n + 1) / 24)
        return max(0, int(np.floor(mean + 0.5 + stats.norm.ppf(tail) * sd)))
    chance = np.zeros(n * (n + 1) // 2 + 1)
    chance[0] = 1.0
    for rank in range(1, n + 1):
        shifted = np.zeros_like(chance)
        shifted[rank:] = chance[:-rank]
        chance = (chance + shifted) / 2
    return int(np.searchsorted(np.cumsum(chance), tail, side="right"))


@dataclass(frozen=True, eq=False)
class SignTestPairs:
    """Sign tests of all pairs of models, in the order of the models.

    Attributes
    ----------
    first, second : ndarray of int, shape (n_pairs,)
        Numbers of the two models, from 0.
    wins, n_ties, losses : ndarray of int, shape (n_pairs,)
        Numbers of data sets on which the first is better, tied, or worse.
    pvalue : ndarray of float, shape (n_pairs,)
        Two-sided p-values, not adjusted for the number of pairs.
    greater, less : ndarray of float, shape (n_pairs,)
        One-sided p-values: "greater" is small if the first is better.
    """

    first: Places
    second: Places
    wins: Places
    n_ties: Places
    losses: Places
    pvalue: Numbers
    greater: Numbers
    less: Numbers


def sign_test_pairs(values: Any, *, shift: float = 0.0) -> SignTestPairs:
    """Test all pairs of models by their wins and losses over data sets.

    Parameters
    ----------
    values : array-like of float, shape (n_models, n_datasets)
        One score of each model on each data set, higher is better.
    shift : float, default=0.0
        The difference that is tested, in score units: it is subtracted from every difference.

    Returns
    -------
    SignTestPairs
        Each array has one entry per pair, in the order (0, 1), (0, 2), …, (1, 2) and so on. Adjust
        `pvalue` by `shaffer_pvalues` or ``adjust_pvalues(pvalue, "holm")``.

    Raises
    ------
    ValueError
        If `shift` is not finite.

    See Also
    --------
    wilcoxon_pairs : Uses the sizes of the differences too, and has more power.

    Notes
    -----
    Valid for independent data sets. The test is the exact binomial test with probability 1/2, on
    the data sets without a tie, for the hypothesis that the first model is as often better as
    worse. It needs no common scale of the data sets. Fewer than 6 data sets without ties cannot
    give p < 0.05.

    References
    ----------
    Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets. JMLR 7, 1–30.

    Examples
    --------
    >>> from sklearn_stats_compare.stats.datasets._signed_rank import sign_test_pairs
    >>> better = [0.90, 0.81, 0.75, 0.70, 0.93, 0.66, 0.82]
    >>> worse = [0.88, 0.80, 0.75, 0.66, 0.90, 0.65, 0.80]
    >>> pairs = sign_test_pairs([better, worse])
    >>> print(pairs.wins, pairs.n_ties, pairs.losses, pairs.pvalue)
    [6] [1] [0] [0.03125]

    The first model is better on all six data sets without a tie: p = 2/2⁶.
    """
    table = np.asarray(values, dtype=float)
    shift = check_finite("shift", shift)
    n_models, n_datasets = table.shape
    signs = [np.sign(differences_from(table, i, shift)[0]) for i in range(n_models - 1)]
    wins = np.concatenate([np.count_nonzero(sign > 0, axis=1) for sign in signs])
    losses = np.concatenate([np.count_nonzero(sign < 0, axis=1) for sign in signs])
    n = wins + losses
    first, second = np.triu_indices(n_models, 1)
    greater, less = _at_least(wins, n), _at_least(losses, n)
    # Both tails together; they share the middle count.
    pvalue = np.minimum(1.0, 2 * np.minimum(greater, less))
    return SignTestPairs(first, second, wins, n_datasets - n, losses, pvalue, greater, less)


def _at_least(k: Places, n: Places) -> Numbers:
    """P(X ≥ k) of the binomial with p = 1/2."""
    some = np.maximum(k, 1)
    return np.where(k > 0, special.betainc(some, np.maximum(n - some, 0) + 1.0, 0.5), 1.0)
