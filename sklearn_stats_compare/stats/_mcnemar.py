"""McNemar's test of the four counts that two classifiers make on one test set."""

from collections.abc import Callable
from dataclasses import dataclass

from scipy import special, stats

from sklearn_stats_compare._messages import check_probability
from sklearn_stats_compare.stats._accuracy_interval import two_sided_z
from sklearn_stats_compare.stats._pair import StatisticPair


@dataclass(frozen=True)
class McNemarResult(StatisticPair):
    """Result of `mcnemar`; unpacks as ``statistic, pvalue``.

    Attributes
    ----------
    statistic : float
        χ², or of "exact" and "mid-p" the smaller of the two discordant counts.
    pvalue : float
        Two-sided p-value.
    n_both_right, n_only_1_right, n_only_2_right, n_both_wrong : int
        Samples by which of the two models predicted them correctly.
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

        One sample is added to each discordant count, which keeps its coverage in small test sets.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Chance that the interval covers the difference.

        Returns
        -------
        low, high : float
            Limits of the difference, within −1 and 1.

        References
        ----------
        Bonett, D. G. and Price, R. M. (2012). Adjusted Wald confidence interval for a difference of
        binomial proportions based on paired data. Journal of Educational and Behavioral Statistics
        37, 479–488. https://doi.org/10.3102/1076998611411915
        """
        level = check_probability("confidence_level", confidence_level)
        first = (self.n_only_1_right + 1) / (self.n + 2)
        second = (self.n_only_2_right + 1) / (self.n + 2)
        middle = first - second
        variance = (first + second - middle**2) / (self.n + 2)
        half_width = two_sided_z(level) * variance**0.5
        return max(-1.0, middle - half_width), min(1.0, middle + half_width)


def of_counts(both: int, only_1: int, only_2: int, n: int, method: str) -> McNemarResult:
    """McNemar's test, from the samples that both predicted right, and one of them alone."""
    statistic, pvalue = MCNEMAR_METHODS[method](int(only_1), int(only_2))
    return McNemarResult(
        statistic=float(statistic),
        pvalue=min(1.0, float(pvalue)),
        n_both_right=int(both),
        n_only_1_right=int(only_1),
        n_only_2_right=int(only_2),
        n_both_wrong=int(n - both - only_1 - only_2),
    )


def _exact(only_1: int, only_2: int) -> tuple[float, float]:
    return min(only_1, only_2), 2 * stats.binom.cdf(min(only_1, only_2), only_1 + only_2, 0.5)


def _mid_p(only_1: int, only_2: int) -> tuple[float, float]:
    least, n = min(only_1, only_2), only_1 + only_2
    if only_1 == only_2:  # the two tails share this count, so that half of it is taken off once
        return least, 1 - stats.binom.pmf(least, n, 0.5) / 2 if n else 1.0
    return least, 2 * stats.binom.cdf(least, n, 0.5) - stats.binom.pmf(least, n, 0.5)


def _chi2(only_1: int, only_2: int) -> tuple[float, float]:
    return _of_chi2((only_1 - only_2) ** 2, only_1 + only_2)


def _chi2_corrected(only_1: int, only_2: int) -> tuple[float, float]:
    # As R has it: equal counts are not made to differ by the correction.
    return _of_chi2(max(0, abs(only_1 - only_2) - 1) ** 2, only_1 + only_2)


def _of_chi2(squared: int, n_discordant: int) -> tuple[float, float]:
    statistic = squared / n_discordant if n_discordant else 0.0
    return statistic, float(special.chdtrc(1, statistic))


MCNEMAR_METHODS: dict[str, Callable[[int, int], tuple[float, float]]] = {
    "exact": _exact,
    "mid-p": _mid_p,
    "chi2": _chi2,
    "chi2_corrected": _chi2_corrected,
}
