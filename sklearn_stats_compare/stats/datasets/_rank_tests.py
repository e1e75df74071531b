"""Tests of mean ranks over data sets: Friedman, Nemenyi, Bonferroni–Dunn, Shaffer."""

from dataclasses import dataclass
from itertools import permutations
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special, stats

from sklearn_stats_compare._utils._validation import check_count, check_flag
from sklearn_stats_compare.stats._numeric import Numbers, Places, StatisticPair


@dataclass(frozen=True, eq=False)
class FriedmanResult(StatisticPair):
    """Result of `friedman_test`; unpacks as ``statistic, pvalue``.

    Attributes
    ----------
    statistic : float
        Friedman's χ².
    pvalue : float
        Its p-value, from χ².
    df : int
        Degrees of freedom of χ², the number of models minus 1.
    f_statistic : float
        Iman and Davenport's F; infinite if all data sets rank the models alike.
    f_pvalue : float
        Its p-value.
    f_df : tuple of int
        Degrees of freedom of F: n_models − 1 and (n_models − 1)(n_datasets − 1).
    kendalls_w : float
        Kendall's coefficient of concordance, from 0, no agreement between the data sets, to 1, the
        same ranks on all of them.
    mean_ranks : ndarray of float, shape (n_models,)
        Mean rank of each model; 1 is the best.
    n_datasets : int
        Number of data sets.
    tie_correction : bool
        Whether the statistics are corrected for ties.
    """

    df: int
    f_statistic: float
    f_pvalue: float
    f_df: tuple[int, int]
    kendalls_w: float
    mean_ranks: Numbers
    n_datasets: int
    tie_correction: bool


def friedman_test(values: Any, *, tie_correction: bool = True) -> FriedmanResult:
    """Test whether several models have the same ranks over data sets.

    Parameters
    ----------
    values : array-like of float, shape (n_models, n_datasets)
        One score of each model on each data set, higher is better; at least 2 models and 2 data
        sets. Each score is that of a whole data set, such as the mean of a cross-validation.
    tie_correction : bool, default=True
        Whether to divide by the variance that the ranks have with their ties, like SciPy's
        ``friedmanchisquare``. With False, it is that of ranks without ties, as in Demšar (2006),
        and χ² is too small if there are ties.

    Returns
    -------
    FriedmanResult
        Unpacks as ``statistic, pvalue``; with `f_statistic`, `f_pvalue`, `kendalls_w` and
        `mean_ranks`. If all models are tied on all data sets, χ² = F = W = 0 and p = 1.

    Notes
    -----
    Valid for independent data sets. The folds of one data set are not: their training sets
    overlap. The hypothesis is that on each data set all orders of the models are equally likely.

    Prefer F to χ²: the χ² distribution is conservative for few data sets (Iman and Davenport,
    1980). For up to 50,000 orders, (m!)^(n − 1), the p-value of F is that of all permutations,
    because with 3 data sets the F distribution rejects equal models in up to 19 % at a nominal 5 %.
    Otherwise it is never below the probability that n data sets rank m models alike.

    With two models χ² is that of a sign test without correction for continuity, whose level is
    6.5 % for 50 data sets at a nominal 5 %. Use `wilcoxon_pairs` or `sign_test_pairs` instead.

    References
    ----------
    Friedman, M. (1937). The use of ranks to avoid the assumption of normality implicit in the
    analysis of variance. JASA 32, 675–701. https://doi.org/10.1080/01621459.1937.10503522

    Iman, R. L. and Davenport, J. M. (1980). Approximations of the critical region of the Friedman
    statistic. Communications in Statistics - Theory and Methods 9, 571–595.
    https://doi.org/10.1080/03610928008827904

    Kendall, M. G. and Babington Smith, B. (1939). The problem of m rankings. Annals of Mathematical
    Statistics 10, 275–287. https://doi.org/10.1214/aoms/1177732186

    Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets. JMLR 7, 1–30.

    Examples
    --------
    Areas under the ROC curve of C4.5 and of three variants on 14 data sets (Demšar, 2006, Table 6):

    >>> import numpy as np
    >>> from sklearn_stats_compare.stats.datasets._rank_tests import friedman_test
    >>> values = np.array(
    ...     [
    ...         [0.763, 0.599, 0.954, 0.628, 0.882, 0.936, 0.661,
    ...          0.583, 0.775, 1.000, 0.940, 0.619, 0.972, 0.957],
    ...         [0.768, 0.591, 0.971, 0.661, 0.888, 0.931, 0.668,
    ...          0.583, 0.838, 1.000, 0.962, 0.666, 0.981, 0.978],
    ...         [0.771, 0.590, 0.968, 0.654, 0.886, 0.916, 0.609,
    ...          0.563, 0.866, 1.000, 0.965, 0.614, 0.9751, 0.946],
    ...         [0.798, 0.569, 0.967, 0.657, 0.898, 0.931, 0.685,
    ...          0.625, 0.875, 1.000, 0.962, 0.669, 0.975, 0.970],
    ...     ]
    ... )
    >>> result = friedman_test(values, tie_correction=False)
    >>> result.mean_ranks.round(3)
    array([3.143, 2.   , 2.893, 1.964])
    >>> round(result.statistic, 2), round(result.f_statistic, 2), round(result.f_pvalue, 3)
    (9.28, 3.69, 0.02)

    The test rejects the hypothesis that the four have the same ranks. With the correction for ties:

    >>> result = friedman_test(values)
    >>> round(result.statistic, 2), round(result.f_pvalue, 3), round(result.kendalls_w, 2)
    (10.23, 0.012, 0.24)
    """
    tie_correction = check_flag("tie_correction", tie_correction)
    ranks = dataset_ranks(values)
    m, n = ranks.shape
    mean_ranks = ranks.mean(axis=1)
    middle = (m + 1) / 2
    between = n * float(((mean_ranks - middle) ** 2).sum())
    untied = m * (m * m - 1) / 12
    # Twice a rank is a whole number, so that this sum of squares is exact.
    within = float(((2 * ranks - 2 * middle) ** 2).sum()) / 4 if tie_correction else n * untied
    # Between 0 and 1 exactly, where rounding would leave either.
    w = min(1.0, between / within) if within > 0 else 0.0
    statistic = n * (m - 1) * w
    f_statistic = (n - 1) * w / (1 - w) if w < 1 else np.inf
    f_df = (m - 1, (m - 1) * (n - 1))
    # Of orders of the models on all data sets but one.
    least = float(np.exp((1 - n) * special.gammaln(m + 1)))
    if least * _MOST_ORDERS > 1:
        f_pvalue = _permutation_pvalue(ranks)
    else:
        f_pvalue = max(least, float(special.fdtrc(*f_df, f_statistic)))
    return FriedmanResult(
        statistic=statistic,
        # The upper tails keep the digits of a small p-value.
        pvalue=float(special.chdtrc(m - 1, statistic)),
        df=m - 1,
        f_statistic=f_statistic,
        f_pvalue=f_pvalue,
        f_df=f_df,
        kendalls_w=w,
        mean_ranks=mean_ranks,
        n_datasets=n,
        tie_correction=tie_correction,
    )


_MOST_ORDERS = 50_000


def _permutation_pvalue(ranks: Numbers) -> float:
    """Share of the orders of the models on each data set whose rank sums vary as much."""
    # Twice a rank is a whole number. The first data set may keep its order.
    first, *others = (2 * ranks).astype(np.int64).T
    sums = first[None]
    for own in others:
        sums = (sums[:, None] + np.array(list(permutations(own)))).reshape(-1, len(first))
    spread = (sums**2).sum(axis=1)
    return float(np.mean(spread >= ((2 * ranks).sum(axis=1) ** 2).sum() - 0.5))


_MOST_MODELS = 10_000

# From here on SciPy's upper tail, 1 − cdf, has few digits. Bonferroni's bound of the tail is then
# at most 1 % above it.
_FEW_DIGITS = 1e-9


@dataclass(frozen=True, eq=False)
class RankPairs:
    """z-tests of the mean ranks of all pairs of models, in the order of the models.

    Attributes
    ----------
    first, second : ndarray of int, shape (n_pairs,)
        Numbers of the two models, from 0.
    rank_difference : ndarray of float, shape (n_pairs,)
        Mean rank of the second minus mean rank of the first: positive if the first is better.
    z : ndarray of float, shape (n_pairs,)
        The difference in standard errors.
    pvalue : ndarray of float, shape (n_pairs,)
        Two-sided p-values, not adjusted for the number of pairs.
    """

    first: Places
    second: Places
    rank_difference: Numbers
    z: Numbers
    pvalue: Numbers


def rank_pairs(mean_ranks: Any, n_datasets: int) -> RankPairs:
    """Test the mean ranks of all pairs of models by z.

    Parameters
    ----------
    mean_ranks : array-like of float, shape (n_models,)
        Mean rank of each model over the data sets; 1 is the best.
    n_datasets : int
        Number of data sets.

    Returns
    -------
    RankPairs
        Each array has one entry per pair, in the order (0, 1), (0, 2), …, (1, 2) and so on. Adjust
        `pvalue` by `shaffer_pvalues` or ``adjust_pvalues(pvalue, "holm")``.

    Notes
    -----
    z is the difference divided by √(m(m + 1)/(6n)), for m models on n data sets. This is the
    standard error if all models are equal and there are no ties. It is too large with ties. It is
    too small for two equal models that take turns as the best and the worst of the table: Nemenyi's
    test at 5 % found such a pair of 10 models on 50 data sets different in 12 % of tables. The
    difference in mean rank of two models also depends on the others in the table. `wilcoxon_pairs`
    uses only the scores of the two (Benavoli, Corani and Mangili, 2016).

    References
    ----------
    García, S. and Herrera, F. (2008). An extension on "Statistical comparisons of classifiers over
    multiple data sets" for all pairwise comparisons. JMLR 9, 2677–2694.

    Benavoli, A., Corani, G. and Mangili, F. (2016). Should we really use post-hoc tests based on
    mean-ranks? JMLR 17(5), 1–10.

    Examples
    --------
    Mean ranks of C4.5, 1-NN, naive Bayes, a kernel method and CN2 on 30 data sets (García and
    Herrera, 2008), and C4.5 against the other four:

    >>> from sklearn_stats_compare.stats.datasets._rank_tests import rank_pairs
    >>> pairs = rank_pairs([2.100, 3.250, 2.200, 4.333, 3.117], 30)
    >>> print(pairs.z[:4].round(2), pairs.pvalue[:4].round(3))
    [2.82 0.24 5.47 2.49] [0.005 0.806 0.    0.013]
    """
    ranks = np.asarray(mean_ranks, dtype=float)
    first, second = np.triu_indices(len(ranks), 1)
    difference = ranks[second] - ranks[first]
    z = difference / _standard_error(len(ranks), n_datasets)
    return RankPairs(first, second, difference, z, 2 * special.ndtr(-np.abs(z)))


def nemenyi_critical_difference(n_models: int, n_datasets: int, alpha: float) -> float:
    """Difference of mean ranks above which Nemenyi's test calls two models different.

    Parameters
    ----------
    n_models : int
        Number of models, at least 2.
    n_datasets : int
        Number of data sets.
    alpha : float
        Probability of any false rejection among all pairs of equal models, in (0, 1).

    Returns
    -------
    float
        The critical difference, in ranks.

    Raises
    ------
    ValueError
        If `n_models` is not a whole number from 2 to 10,000.

    Notes
    -----
    The quantile of the studentized range for infinitely many degrees of freedom, divided by √2,
    times the standard error of `rank_pairs`.

    References
    ----------
    Nemenyi, P. B. (1963). Distribution-free multiple comparisons. PhD thesis, Princeton University.

    Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets. JMLR 7, 1–30.

    Examples
    --------
    >>> from sklearn_stats_compare.stats.datasets._rank_tests import nemenyi_critical_difference
    >>> round(nemenyi_critical_difference(4, 14, 0.05), 2)
    1.25
    """
    check_count("n_models", n_models, least=2, limit=_MOST_MODELS)
    quantile = float(stats.studentized_range.isf(alpha, n_models, np.inf))
    return quantile / sqrt(2) * _standard_error(n_models, n_datasets)


def nemenyi_pvalues(mean_ranks: Any, n_datasets: int) -> Numbers:
    """p-values of all pairs of models by Nemenyi's test.

    Parameters
    ----------
    mean_ranks : array-like of float, shape (n_models,)
        Mean rank of each model over the data sets; 1 is the best.
    n_datasets : int
        Number of data sets.

    Returns
    -------
    ndarray of float, shape (n_pairs,)
        Two-sided p-values, adjusted for all pairs, in the order of `rank_pairs`.

    Notes
    -----
    The single-step test of `nemenyi_critical_difference`, with the limits of `rank_pairs`. Below
    1e-9 a p-value is Bonferroni's bound, because SciPy's distribution has no digits there.

    References
    ----------
    Nemenyi, P. B. (1963). Distribution-free multiple comparisons. PhD thesis, Princeton University.

    Examples
    --------
    >>> from sklearn_stats_compare.stats.datasets._rank_tests import nemenyi_pvalues
    >>> nemenyi_pvalues([3.143, 2.000, 2.893, 1.964], 14).round(3)
    array([0.089, 0.956, 0.074, 0.259, 1.   , 0.226])
    """
    pairs = rank_pairs(mean_ranks, n_datasets)
    n_models = len(np.asarray(mean_ranks))
    joint = stats.studentized_range.sf(np.sqrt(2) * np.abs(pairs.z), n_models, np.inf)
    bound = np.minimum(1.0, len(pairs.pvalue) * pairs.pvalue)
    return np.where(joint < _FEW_DIGITS, bound, np.clip(joint, 0.0, bound))


def bonferroni_dunn_critical_difference(n_models: int, n_datasets: int, alpha: float) -> float:
    """Difference of mean ranks above which Bonferroni–Dunn's test calls a model different.

    Parameters
    ----------
    n_models : int
        Number of models with the control, at least 2.
    n_datasets : int
        Number of data sets.
    alpha : float
        Probability of any false rejection among the comparisons with the control, in (0, 1).

    Returns
    -------
    float
        The critical difference, in ranks.

    Raises
    ------
    ValueError
        If `n_models` is not a whole number from 2 to 10,000.

    Notes
    -----
    The normal quantile of ``alpha / (n_models - 1)``, two-sided, times the standard error of
    `rank_pairs`.

    Examples
    --------
    >>> from sklearn_stats_compare.stats.datasets._rank_tests import (
    ...     bonferroni_dunn_critical_difference,
    ... )
    >>> round(bonferroni_dunn_critical_difference(4, 14, 0.05), 2)
    1.17
    """
    check_count("n_models", n_models, least=2, limit=_MOST_MODELS)
    return float(-special.ndtri(alpha / (n_models - 1) / 2)) * _standard_error(n_models, n_datasets)


def _standard_error(n_models: int, n_datasets: int) -> float:
    """Of the difference of two mean ranks if all models are equal, without ties."""
    return sqrt(n_models * (n_models + 1) / (6 * n_datasets))


def dataset_ranks(values: Any) -> Numbers:
    """Rank the models on each data set.

    Parameters
    ----------
    values : array-like of float, shape (n_models, n_datasets)
        Score of each model on each data set, higher is better.

    Returns
    -------
    ndarray of float, shape (n_models, n_datasets)
        Ranks from 1, the best. Tied models share their mean rank. Scores that differ by at most
        1e-12 of the larger one are tied.

    Examples
    --------
    >>> from sklearn_stats_compare.stats.datasets._rank_tests import dataset_ranks
    >>> dataset_ranks([[0.9, 0.7, 0.8], [0.8, 0.7, 0.9], [0.7, 0.6, 0.9]])
    array([[1. , 1.5, 3. ],
           [2. , 1.5, 1.5],
           [3. , 3. , 1.5]])
    """
    negative = -np.asarray(values, dtype=float).T
    order = np.argsort(negative, axis=-1, kind="stable")
    ordered = np.take_along_axis(negative, order, axis=-1)
    doubled, _ = doubled_ranks(ordered, TIED * np.abs(ordered))
    ranks = np.empty_like(negative)
    np.put_along_axis(ranks, order, doubled / 2, axis=-1)
    return ranks.T


def average_ranks(values: Any) -> Numbers:
    """Mean rank of each model over the data sets.

    Parameters
    ----------
    values : array-like of float, shape (n_models, n_datasets)
        Score of each model on each data set, higher is better.

    Returns
    -------
    ndarray of float, shape (n_models,)
        Mean of the ranks of `dataset_ranks`; 1 is a model that is the best on every data set.

    Notes
    -----
    A mean rank says how often a model is ahead, not by how much. It depends on all models of the
    table: adding a model can change the order of two others.

    Examples
    --------
    >>> from sklearn_stats_compare.stats.datasets._rank_tests import average_ranks
    >>> average_ranks([[0.9, 0.7, 0.8], [0.8, 0.7, 0.9], [0.7, 0.6, 0.9]]).round(3)
    array([1.833, 1.667, 2.5  ])
    """
    return dataset_ranks(values).mean(axis=1)


TIED = 1e-12
"""Share of the larger score; scores and differences that differ by at most this share are tied.

Equal scores rarely stay equal in floating point: 0.9 − 0.8 and 0.8 − 0.7 differ by 1e-16,
and so do means of the same folds in another order. The rounding error of a mean of thousands of
scores is below 1e-12 of the score. A larger share could join scores that differ: accuracies of one
error in 1e9 samples.
"""


def differences_from(values: Numbers, i: int, shift: float = 0.0) -> tuple[Numbers, Numbers]:
    """Scores of model `i` minus those of every later model, and their tolerances.

    `shift` is subtracted; differences are 0 where tied after that.

    The tolerance is relative to the two scores on the same data set: a pair's result does not
    depend on other models, and data sets may differ in scale.
    """
    first, second = values[i], values[i + 1 :]
    tolerance = TIED * np.maximum(np.maximum(np.abs(first), np.abs(second)), abs(shift))
    difference = first - second - shift
    difference[np.abs(difference) <= tolerance] = 0.0
    return difference, tolerance


def doubled_ranks(ordered: Numbers, tolerance: Numbers) -> tuple[Places, Places]:
    """Twice the ranks along the last axis, from 1 for the first, and the numbers of tied values.

    Tied values share their mean rank, so that twice a rank is a whole number. Neighbours are tied
    if they differ by at most the larger of their tolerances. Rounding to a grid would instead
    separate values on both sides of a grid point's border.

    Parameters
    ----------
    ordered : ndarray of float, shape (..., n)
        Values in ascending order.
    tolerance : ndarray of float, shape (..., n)
        Their tolerances.
    """
    n = ordered.shape[-1]
    position = np.arange(n)
    gap = np.diff(ordered) > np.maximum(tolerance[..., 1:], tolerance[..., :-1])
    edge = np.ones((*ordered.shape[:-1], 1), dtype=bool)
    starts, ends = np.concatenate([edge, gap], axis=-1), np.concatenate([gap, edge], axis=-1)
    first = np.maximum.accumulate(np.where(starts, position, 0), axis=-1)
    last = np.minimum.accumulate(np.where(ends, position, n)[..., ::-1], axis=-1)[..., ::-1]
    return first + last + 2, last - first + 1


_MOST_MODELS_OF_SHAFFER = 1000


def shaffer_pvalues(pvalues: ArrayLike, n_models: int) -> Numbers:
    """Adjust the p-values of all pairs of models by Shaffer's static procedure.

    Holm's method multiplies the smallest of 10 p-values by 10, the next by 9, then 8 and so on. But
    if one pair of 5 models differs, at most 6 of the other pairs can be equal: then four models are
    equal, and differ from the fifth. Shaffer's factors are these largest numbers of pairs that can
    be equal at once, here 10, 6, 6, 6, 6, 4, 4, 3, 2, 1.

    Parameters
    ----------
    pvalues : array-like of float, shape (n_models * (n_models - 1) / 2,)
        Unadjusted p-values of all pairs, in any order.
    n_models : int
        Number of models, from 2 to 1,000.

    Returns
    -------
    ndarray of float, shape (n_models * (n_models - 1) / 2,)
        Adjusted p-values, at most 1, in the same order; never above Holm's.

    Raises
    ------
    ValueError
        If `n_models` is below 2 or above 1,000.

    Notes
    -----
    Valid under any dependence, for all pairs of one set of models. It is not valid for some of the
    pairs, for comparisons with a control, or for one-sided tests. It controls the probability of
    any false rejection if equality is transitive, that is, if models 1 and 3 are equal when both
    equal model 2. Equality is transitive if effects of models add to those of the data sets. For
    the hypotheses of tests of pairs it need not be: the differences 1 − 2 and 2 − 3 may be
    symmetric about 0, and 1 − 3 may not. In such a case, with three models, the sign test at 5 %
    rejected one of two true hypotheses in 6.9 ± 0.4 % of 4,000 simulations with 100 data sets, and
    Wilcoxon's in 6.5 ± 0.4 % with 200; with Holm's method, in 4.4 and 4.2 %.

    References
    ----------
    Shaffer, J. P. (1986). Modified sequentially rejective multiple test procedures. JASA 81,
    826–831. https://doi.org/10.1080/01621459.1986.10478341

    García, S. and Herrera, F. (2008). An extension on "Statistical comparisons of classifiers over
    multiple data sets" for all pairwise comparisons. JMLR 9, 2677–2694.

    Examples
    --------
    Mean ranks of five classifiers on 30 data sets (García and Herrera, 2008). The pair of 1-NN and
    naive Bayes is at index 4:

    >>> from sklearn_stats_compare.stats._multitest import adjust_pvalues

    >>> from sklearn_stats_compare.stats.datasets._rank_tests import rank_pairs, shaffer_pvalues
    >>> pvalue = rank_pairs([63 / 30, 97.5 / 30, 66 / 30, 130 / 30, 93.5 / 30], 30).pvalue
    >>> print(adjust_pvalues(pvalue, "holm")[4].round(4), shaffer_pvalues(pvalue, 5)[4].round(4))
    0.0506 0.0478

    The test rejects that the two are equal with Shaffer's factors, and not with Holm's.
    """
    m = check_count("n_models", n_models, least=2, limit=_MOST_MODELS_OF_SHAFFER)
    p = np.asarray(pvalues, dtype=float)
    order = np.argsort(p)
    adjusted = np.empty_like(p)
    adjusted[order] = np.maximum.accumulate(p[order] * shaffer_factors(m))
    return np.minimum(adjusted, 1.0)


def shaffer_factors(n_models: int) -> NDArray[np.int64]:
    """Most pairs that can be equal after 0, 1, 2, … pairs are known to differ."""
    n_pairs = n_models * (n_models - 1) // 2
    packed = _numbers_of_equal_pairs(n_models).to_bytes(n_pairs // 8 + 1, "little")
    possible = np.unpackbits(np.frombuffer(packed, np.uint8), bitorder="little")[: n_pairs + 1]
    # The largest possible number up to each: n_pairs − i + 1 pairs remain at step i.
    return np.maximum.accumulate(np.where(possible, np.arange(n_pairs + 1), 0))[:0:-1]


def _numbers_of_equal_pairs(n_models: int) -> int:
    """The possible numbers of equal pairs among all, as the bits of an integer.

    Equality splits the models into groups: a group of j has j(j − 1)/2 equal pairs, and the other
    models any of their own possible numbers (Shaffer, 1986, section 3).
    """
    possible = [1]  # no model has 0 equal pairs: bit 0
    for m in range(1, n_models + 1):
        bits = 0
        for j in range(1, m + 1):
            bits |= possible[m - j] << (j * (j - 1) // 2)
        possible.append(bits)
    return possible[n_models]
