"""Tests of the mean ranks of models: z of pairs, Nemenyi's test, Bonferroni–Dunn's test."""

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats

from sklearn_stats_compare._messages import (
    check_count,
    check_numbers,
    check_probability,
    shown,
)

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

    first: NDArray[np.intp]
    second: NDArray[np.intp]
    rank_difference: NDArray[np.float64]
    z: NDArray[np.float64]
    pvalue: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class BonferroniDunnResult:
    """Result of `bonferroni_dunn`: a control against every other model, in their order.

    Attributes
    ----------
    control : int
        Number of the control.
    others : ndarray of int, shape (n_models - 1,)
        Numbers of the other models.
    rank_difference : ndarray of float, shape (n_models - 1,)
        Mean rank of the control minus mean rank of the other: positive if the other is better.
    z : ndarray of float, shape (n_models - 1,)
        The difference in standard errors.
    pvalue : ndarray of float, shape (n_models - 1,)
        Two-sided p-values, not adjusted.
    pvalue_adjusted : ndarray of float, shape (n_models - 1,)
        p-values times n_models − 1, at most 1.
    """

    control: int
    others: NDArray[np.intp]
    rank_difference: NDArray[np.float64]
    z: NDArray[np.float64]
    pvalue: NDArray[np.float64]
    pvalue_adjusted: NDArray[np.float64]


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

    Raises
    ------
    ValueError
        If the mean ranks are not a vector of at least 2 numbers from 1 to n_models, or `n_datasets`
        is not a whole number ≥ 1.

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

    >>> from sklearn_stats_compare.stats import rank_pairs
    >>> pairs = rank_pairs([2.100, 3.250, 2.200, 4.333, 3.117], 30)
    >>> print(pairs.z[:4].round(2), pairs.pvalue[:4].round(3))
    [2.82 0.24 5.47 2.49] [0.005 0.806 0.    0.013]
    """
    ranks, n = _checked_ranks(mean_ranks, n_datasets)
    first, second = np.triu_indices(len(ranks), 1)
    difference = ranks[second] - ranks[first]
    z = difference / _standard_error(len(ranks), n)
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
        If a number is not whole or too small, or `alpha` is outside (0, 1).

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
    >>> from sklearn_stats_compare.stats import nemenyi_critical_difference
    >>> round(nemenyi_critical_difference(4, 14, 0.05), 2)
    1.25
    """
    m, n = _checked_sizes(n_models, n_datasets)
    alpha = check_probability("alpha", alpha)
    quantile = float(stats.studentized_range.isf(alpha, m, np.inf))
    return quantile / sqrt(2) * _standard_error(m, n)


def nemenyi_pvalues(mean_ranks: Any, n_datasets: int) -> NDArray[np.float64]:
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

    Raises
    ------
    ValueError
        As for `rank_pairs`.

    Notes
    -----
    The single-step test of `nemenyi_critical_difference`, with the limits of `rank_pairs`. Below
    1e-9 a p-value is Bonferroni's bound, because SciPy's distribution has no digits there.

    References
    ----------
    Nemenyi, P. B. (1963). Distribution-free multiple comparisons. PhD thesis, Princeton University.

    Examples
    --------
    >>> from sklearn_stats_compare.stats import nemenyi_pvalues
    >>> nemenyi_pvalues([3.143, 2.000, 2.893, 1.964], 14).round(3)
    array([0.089, 0.956, 0.074, 0.259, 1.   , 0.226])
    """
    pairs = rank_pairs(mean_ranks, n_datasets)
    n_models = len(np.asarray(mean_ranks))
    joint = stats.studentized_range.sf(np.sqrt(2) * np.abs(pairs.z), n_models, np.inf)
    bound = np.minimum(1.0, len(pairs.pvalue) * pairs.pvalue)
    return np.where(joint < _FEW_DIGITS, bound, np.clip(joint, 0.0, bound))


def bonferroni_dunn(mean_ranks: Any, n_datasets: int, control: int) -> BonferroniDunnResult:
    """Test the mean rank of one model, named beforehand, against every other.

    Parameters
    ----------
    mean_ranks : array-like of float, shape (n_models,)
        Mean rank of each model over the data sets; 1 is the best.
    n_datasets : int
        Number of data sets.
    control : int
        Number of the control, from 0.

    Returns
    -------
    BonferroniDunnResult
        Each array has one entry per other model. ``adjust_pvalues(result.pvalue, "holm")`` rejects
        at least as often at the same level.

    Raises
    ------
    ValueError
        As for `rank_pairs`, or if `control` is not the number of a model.

    Notes
    -----
    Valid if the control was chosen before the scores were seen. If the control is the best model of
    the table, the test finds it better too often.

    References
    ----------
    Dunn, O. J. (1961). Multiple comparisons among means. JASA 56, 52–64.
    https://doi.org/10.1080/01621459.1961.10482090

    Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets. JMLR 7, 1–30.

    Examples
    --------
    C4.5 against its three variants (Demšar, 2006):

    >>> from sklearn_stats_compare.stats import bonferroni_dunn
    >>> result = bonferroni_dunn([3.143, 2.000, 2.893, 1.964], 14, control=0)
    >>> print(result.z.round(3), result.pvalue.round(3), result.pvalue_adjusted.round(3))
    [2.342 0.512 2.416] [0.019 0.608 0.016] [0.057 1.    0.047]

    Only the last variant has a significantly better mean rank.
    """
    ranks, n = _checked_ranks(mean_ranks, n_datasets)
    control = check_count("control", control, least=0, most=len(ranks) - 1)
    others = np.delete(np.arange(len(ranks)), control)
    difference = ranks[control] - ranks[others]
    z = difference / _standard_error(len(ranks), n)
    pvalue = 2 * special.ndtr(-np.abs(z))
    adjusted = np.minimum(1.0, len(others) * pvalue)
    return BonferroniDunnResult(control, others, difference, z, pvalue, adjusted)


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
        If a number is not whole or too small, or `alpha` is outside (0, 1).

    Notes
    -----
    The normal quantile of ``alpha / (n_models - 1)``, two-sided, times the standard error of
    `rank_pairs`.

    Examples
    --------
    >>> from sklearn_stats_compare.stats import bonferroni_dunn_critical_difference
    >>> round(bonferroni_dunn_critical_difference(4, 14, 0.05), 2)
    1.17
    """
    m, n = _checked_sizes(n_models, n_datasets)
    alpha = check_probability("alpha", alpha)
    return float(-special.ndtri(alpha / (m - 1) / 2)) * _standard_error(m, n)


def _standard_error(n_models: int, n_datasets: int) -> float:
    """Of the difference of two mean ranks if all models are equal, without ties."""
    return sqrt(n_models * (n_models + 1) / (6 * n_datasets))


def _checked_sizes(n_models: Any, n_datasets: Any) -> tuple[int, int]:
    m = check_count("n_models", n_models, least=2, limit=_MOST_MODELS)
    return m, check_count("n_datasets", n_datasets)


def _checked_ranks(mean_ranks: Any, n_datasets: Any) -> tuple[NDArray[np.float64], int]:
    ranks = check_numbers("mean_ranks", mean_ranks)
    if ranks.ndim != 1 or not ((ranks >= 1) & (ranks <= ranks.size)).all() or ranks.size < 2:
        raise ValueError(
            "`mean_ranks` must be a vector of at least 2 numbers from 1 to the number of models; "
            f"got {shown(mean_ranks)}."
        )
    return ranks, check_count("n_datasets", n_datasets)
