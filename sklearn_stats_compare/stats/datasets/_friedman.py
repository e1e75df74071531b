"""Friedman's test of several models over data sets, with Iman and Davenport's F and Kendall's W."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from sklearn_stats_compare._messages import check_flag
from sklearn_stats_compare.stats._pair import StatisticPair
from sklearn_stats_compare.stats.datasets._ranks_by_dataset import dataset_ranks
from sklearn_stats_compare.stats.datasets._ties import check_dataset_values


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
    mean_ranks: NDArray[np.float64]
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

    Raises
    ------
    ValueError
        If `values` is not a finite table of at least 2 models and 2 data sets.

    Notes
    -----
    Valid for independent data sets. The folds of one data set are not: their training sets
    overlap. The hypothesis is that on each data set all orders of the models are equally likely.

    Prefer F to χ²: the χ² distribution is conservative for few data sets (Iman and Davenport,
    1980). If all data sets agree, F is infinite. Its p-value is never below (m!)^(1 − n), the
    probability that n data sets rank m models alike.

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
    >>> from sklearn_stats_compare.stats import friedman_test
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
    table = check_dataset_values(values, fewest_datasets=2)
    tie_correction = check_flag("tie_correction", tie_correction)
    ranks = dataset_ranks(table)
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
    least = float(np.exp((1 - n) * special.gammaln(m + 1)))
    return FriedmanResult(
        statistic=statistic,
        # The upper tails keep the digits of a small p-value.
        pvalue=float(special.chdtrc(m - 1, statistic)),
        df=m - 1,
        f_statistic=f_statistic,
        f_pvalue=max(least, float(special.fdtrc(*f_df, f_statistic))),
        f_df=f_df,
        kendalls_w=w,
        mean_ranks=mean_ranks,
        n_datasets=n,
        tie_correction=tie_correction,
    )
