"""McNemar's test of two classifiers on one common test set."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special, stats

from sklearn_stats_compare._messages import check_option, check_probability
from sklearn_stats_compare.stats._normal import two_sided_z
from sklearn_stats_compare.stats._pair import StatisticPair
from sklearn_stats_compare.stats._predictions import correct_predictions, warn_if_pooled


@dataclass(frozen=True)
class McNemarResult(StatisticPair):
    """Result of `mcnemar`; unpacks as ``statistic, pvalue``.

    Attributes
    ----------
    statistic : float
        χ²; for "exact" and "mid-p" the smaller of the two discordant counts.
    pvalue : float
        Two-sided p-value.
    n_both_right, n_only_1_right, n_only_2_right, n_both_wrong : int
        Numbers of samples that both, only one, or neither model predicted correctly.
    """

    n_both_right: int
    n_only_1_right: int
    n_only_2_right: int
    n_both_wrong: int

    @property
    def n(self) -> int:
        """Number of samples."""
        return self.n_both_right + self.n_only_1_right + self.n_only_2_right + self.n_both_wrong

    @property
    def difference(self) -> float:
        """Accuracy of model 1 minus accuracy of model 2."""
        return (self.n_only_1_right - self.n_only_2_right) / self.n

    def confidence_interval(self, confidence_level: float = 0.95) -> tuple[float, float]:
        """Bonett and Price's interval of the difference of the two accuracies.

        It adds one sample to each discordant count, which keeps the coverage in small test sets.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Probability that the interval covers the difference.

        Returns
        -------
        low, high : float
            Limits for the difference, clipped to −1 and 1.

        References
        ----------
        Bonett, D. G. and Price, R. M. (2012). Adjusted Wald confidence interval for a difference of
        binomial proportions based on paired data. Journal of Educational and Behavioral Statistics
        37, 479–488. https://doi.org/10.3102/1076998611411915
        """
        level = check_probability("confidence_level", confidence_level)
        # Wald's variance of a paired difference with one sample added to each discordant count.
        first = (self.n_only_1_right + 1) / (self.n + 2)
        second = (self.n_only_2_right + 1) / (self.n + 2)
        middle = first - second
        variance = (first + second - middle**2) / (self.n + 2)
        half_width = two_sided_z(level) * variance**0.5
        return max(-1.0, middle - half_width), min(1.0, middle + half_width)


def mcnemar(
    y_true: ArrayLike,
    pred1: ArrayLike,
    pred2: ArrayLike,
    *,
    method: str = "exact",
    pooled_over_folds: bool = False,
) -> McNemarResult:
    """Test whether two classifiers have the same accuracy, from predictions on one test set.

    The test uses only discordant samples, which exactly one of the two models predicts correctly.
    If the accuracies are equal, each model is equally likely to be the correct one.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        True classes.
    pred1, pred2 : array-like of shape (n_samples,)
        Predictions of both models for the same samples in the same order.
    method : {"exact", "mid-p", "chi2", "chi2_corrected"}, default="exact"
        "exact" is the binomial test, which never exceeds its level. "mid-p" gives half weight to
        the observed count; it is less conservative and in practice keeps its level (at equal counts
        it is 1 − P(count)/2). "chi2" and "chi2_corrected" are approximations for about 25 or more
        discordant samples, the latter with Edwards' continuity correction, which does not apply to
        equal counts.
    pooled_over_folds : bool, default=False
        Whether the predictions are pooled over the folds of a cross-validation, like those of
        scikit-learn's ``cross_val_predict``. If True, a warning says what the test ignores.

    Returns
    -------
    McNemarResult
        Unpacks as ``statistic, pvalue``; has the four counts, `difference` and
        `confidence_interval()`. Without discordant samples p = 1.

    Raises
    ------
    ValueError
        If the arrays are not vectors of equal length ≥ 1 or have missing values, `method` is
        unknown, or predictions cannot be classes of `y_true` (text for numbers, probabilities).

    Warns
    -----
    ComparisonWarning
        With `pooled_over_folds`.

    See Also
    --------
    cochrans_q : For more than two models.
    compare_error_rates : For different, independent test sets.

    Notes
    -----
    Valid for two fitted models and independent test samples. The test compares these two fits, not
    the learning procedures.

    References
    ----------
    McNemar, Q. (1947). Note on the sampling error of the difference between correlated proportions
    or percentages. Psychometrika 12, 153–157. https://doi.org/10.1007/BF02295996

    Fagerland, M. W., Lydersen, S. and Laake, P. (2013). The McNemar test for binary matched-pairs
    data: mid-p and asymptotic are better than exact conditional. BMC Medical Research Methodology
    13, 91. https://doi.org/10.1186/1471-2288-13-91

    Examples
    --------
    Only model 1 is right on one sample, only model 2 on seven, and both on thirteen:

    >>> import numpy as np
    >>> from sklearn_stats_compare import mcnemar
    >>> truth = np.ones(21)
    >>> right_1 = np.repeat([1, 0, 1], [1, 7, 13])
    >>> right_2 = np.repeat([0, 1, 1], [1, 7, 13])
    >>> result = mcnemar(truth, right_1, right_2)
    >>> round(result.pvalue, 3), round(result.difference, 3)
    (0.07, -0.286)

    Seven against one is not enough to conclude that model 2 is better.
    """
    check_option("method", method, MCNEMAR_METHODS)
    correct = correct_predictions(y_true, {"pred1": pred1, "pred2": pred2})
    warn_if_pooled(pooled_over_folds)
    first, second = correct
    return mcnemar_of_counts(
        int(np.sum(first & second)),
        int(np.sum(first & ~second)),
        int(np.sum(~first & second)),
        first.size,
        method,
    )


def mcnemar_of_counts(both: int, only_1: int, only_2: int, n: int, method: str) -> McNemarResult:
    """McNemar's test from the numbers of samples that both or only one predicted correctly."""
    # Python integers, because squares of NumPy's overflow from 3·10⁹ samples on.
    statistic, pvalue = MCNEMAR_METHODS[method](int(only_1), int(only_2))
    return McNemarResult(
        statistic=float(statistic),
        # Twice the tail exceeds 1 if both counts are equal or nearly so.
        pvalue=min(1.0, float(pvalue)),
        n_both_right=int(both),
        n_only_1_right=int(only_1),
        n_only_2_right=int(only_2),
        n_both_wrong=int(n - both - only_1 - only_2),
    )


def _exact(only_1: int, only_2: int) -> tuple[float, float]:
    # The binomial with p = 1/2 is symmetric: both tails together are twice the smaller one.
    return min(only_1, only_2), 2 * stats.binom.cdf(min(only_1, only_2), only_1 + only_2, 0.5)


def _mid_p(only_1: int, only_2: int) -> tuple[float, float]:
    least, n = min(only_1, only_2), only_1 + only_2
    if only_1 == only_2:  # the two tails share this count, so that half of it is subtracted once
        return least, 1 - stats.binom.pmf(least, n, 0.5) / 2 if n else 1.0
    return least, 2 * stats.binom.cdf(least, n, 0.5) - stats.binom.pmf(least, n, 0.5)


def _chi2(only_1: int, only_2: int) -> tuple[float, float]:
    return _of_chi2((only_1 - only_2) ** 2, only_1 + only_2)


def _chi2_corrected(only_1: int, only_2: int) -> tuple[float, float]:
    # Like R's mcnemar.test, which corrects only if the counts differ.
    return _of_chi2(max(0, abs(only_1 - only_2) - 1) ** 2, only_1 + only_2)


def _of_chi2(squared: int, n_discordant: int) -> tuple[float, float]:
    statistic = squared / n_discordant if n_discordant else 0.0
    # The upper tail, because 1 − cdf loses the digits of a small p-value.
    return statistic, float(special.chdtrc(1, statistic))


MCNEMAR_METHODS: dict[str, Callable[[int, int], tuple[float, float]]] = {
    "exact": _exact,
    "mid-p": _mid_p,
    "chi2": _chi2,
    "chi2_corrected": _chi2_corrected,
}
