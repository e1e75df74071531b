"""Wilcoxon's signed-rank test of all pairs of models over data sets."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from sklearn_stats_compare._messages import check_finite, check_flag, check_option
from sklearn_stats_compare.stats.datasets._signed_rank_null import exact_tails
from sklearn_stats_compare.stats.datasets._ties import (
    check_dataset_values,
    differences_from,
    doubled_ranks,
)

ZEROS = ("pratt", "wilcox", "zsplit")
WILCOXON_METHODS = ("auto", "exact", "approx")
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

    first: NDArray[np.intp]
    second: NDArray[np.intp]
    r_plus: NDArray[np.float64]
    r_minus: NDArray[np.float64]
    z: NDArray[np.float64]
    pvalue: NDArray[np.float64]
    greater: NDArray[np.float64]
    less: NDArray[np.float64]
    n_zeros: NDArray[np.intp]
    n_ties: NDArray[np.intp]
    exact: NDArray[np.bool_]


def wilcoxon_pairs(
    values: Any,
    *,
    zeros: str = "pratt",
    method: str = "auto",
    correction: bool = False,
    tie_correction: bool = True,
    shift: float = 0.0,
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
    correction : bool, default=False
        Whether z has a correction for continuity, which moves the sums of ranks by 1/2 towards each
        other. Exact p-values do not need it.
    tie_correction : bool, default=True
        Whether the variance of z is that of the ranks with their ties. With False it is that of
        ranks without ties, as in Demšar (2006), which is never smaller.
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
        If `values` is not a finite table of at least 2 models, or an option is unknown.

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

    >>> from sklearn_stats_compare.stats import wilcoxon_pairs
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
    table = check_dataset_values(values)
    check_option("zeros", zeros, ZEROS)
    check_option("method", method, WILCOXON_METHODS)
    correction = check_flag("correction", correction)
    tie_correction = check_flag("tie_correction", tie_correction)
    shift = check_finite("shift", shift)
    blocks = [
        _signed_ranks(*differences_from(table, i, shift), zeros, method, tie_correction)
        for i in range(len(table) - 1)
    ]
    r_plus, r_minus, variance, n_zeros, n_ties, exact = map(
        np.concatenate, zip(*[block[:6] for block in blocks], strict=True)
    )
    doubled = np.concatenate([block.doubled for block in blocks])
    first, second = np.triu_indices(len(table), 1)
    z = _z(r_plus - r_minus, variance, correction)
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


class _SignedRanks(NamedTuple):
    """Ingredients of the tests of several pairs, and twice the ranks of those that are exact."""

    r_plus: NDArray[np.float64]
    r_minus: NDArray[np.float64]
    variance: NDArray[np.float64]
    n_zeros: NDArray[np.intp]
    n_ties: NDArray[np.intp]
    exact: NDArray[np.bool_]
    doubled: NDArray[np.intp]


def _signed_ranks(
    difference: NDArray[np.float64],
    tolerance: NDArray[np.float64],
    zeros: str,
    method: str,
    tie_correction: bool,
) -> _SignedRanks:
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
    if tie_correction:
        squares = (doubled.astype(np.float64) ** 2).sum(axis=1) / 4
        if zeros == "zsplit":  # each zero counts with its mean rank, as in SciPy
            squares += n_zeros * ((n_zeros + 1) / 2) ** 2
    else:
        squares = _squares_without_ties(n, n_zeros, zeros)
    n_ties = np.count_nonzero((sign != 0) & (n_alike > 1), axis=1)
    few = n - n_zeros <= MOST_EXACT
    exact = few if method == "auto" else np.full(len(few), method == "exact")
    return _SignedRanks(r_plus, r_minus, squares / 4, n_zeros, n_ties, exact, doubled[exact])


def _squares_without_ties(n: int, n_zeros: NDArray[np.intp], zeros: str) -> NDArray[np.float64]:
    """Sum of the squared ranks that count, if no two sizes were tied."""
    last = n - n_zeros if zeros == "wilcox" else np.full_like(n_zeros, n)
    left_out = n_zeros if zeros == "pratt" else np.zeros_like(n_zeros)
    # 1² + 2² + … + k² = k(k + 1)(2k + 1)/6
    total, without = (k * (k + 1) * (2 * k + 1) / 6 for k in (last, left_out))
    return total - without


def _z(
    difference: NDArray[np.float64], variance: NDArray[np.float64], correction: bool
) -> NDArray[np.float64]:
    """z of R⁺ − R⁻, twice the distance of either from its expectation."""
    distance = np.abs(difference) / 2
    if correction:
        distance = np.maximum(distance - 0.5, 0.0)
    z = np.zeros(len(distance))
    np.divide(distance, np.sqrt(variance), out=z, where=variance > 0)
    return np.copysign(z, difference) + 0.0
