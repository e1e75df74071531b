"""The difference of two accuracies on independent test sets."""

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from numbers import Real
from typing import Any

import numpy as np
from scipy import special, stats

from sklearn_stats_compare._messages import (
    ALTERNATIVES,
    check_count,
    check_option,
    check_probability,
    shown,
)
from sklearn_stats_compare.stats._accuracy_interval import two_sided_z, wilson
from sklearn_stats_compare.stats._pair import StatisticPair

_LARGEST = 10**18  # samples; floats that are computed with could not tell more of them apart
_MOST_TABLES = 10**8
_WHOLE = 1e-6  # how far a rate times its size may be from a whole count


@dataclass(frozen=True)
class ErrorRatesResult(StatisticPair):
    """Result of `compare_error_rates`; unpacks as ``statistic, pvalue``.

    Attributes
    ----------
    statistic : float
        z of the difference; of the exact tests what scipy gives: an odds ratio ("exact"; NaN where
        all are errors or none), or Fisher's p-value of the alternative, two-sided the smaller
        of both ("boschloo").
    pvalue : float
        p-value of the alternative that was asked for.
    difference : float
        `error1` − `error2`.
    variance : float
        Variance of the difference, each set's own: e₁(1 − e₁)/n₁ + e₂(1 − e₂)/n₂.
    error1, n1, error2, n2 : float, int, float, int
        What was given.
    """

    difference: float
    variance: float
    error1: float
    n1: int
    error2: float
    n2: int

    def confidence_interval(
        self, confidence_level: float = 0.95, method: str = "wald"
    ) -> tuple[float, float]:
        """Two-sided interval of the difference.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Chance that the interval covers the difference, near enough for "newcombe". That of
            "wald" is far lower where a set is expected to have few errors: with a true rate of
            0.02 in both of 500 and 50 samples, 95 % cover in 64 % of cases, by "newcombe" in 96 %.
        method : {"wald", "newcombe"}, default="wald"
            "wald" is difference ± z·√variance, as in textbooks; "newcombe" is made of both rates'
            Wilson intervals (Newcombe's method 10), which is the one to take for small counts.

        Returns
        -------
        low, high : float
            Limits of the difference `error1` − `error2`, within −1 and 1.
        """
        level = check_probability("confidence_level", confidence_level)
        if check_option("method", method, ("wald", "newcombe")) == "wald":
            below = above = two_sided_z(level) * sqrt(self.variance)
        else:
            low1, high1 = wilson(self.error1, self.n1, level)
            low2, high2 = wilson(self.error2, self.n2, level)
            below = sqrt((self.error1 - low1) ** 2 + (high2 - self.error2) ** 2)
            above = sqrt((high1 - self.error1) ** 2 + (self.error2 - low2) ** 2)
        return max(-1.0, self.difference - below), min(1.0, self.difference + above)


def compare_error_rates(
    error1: float,
    n1: int,
    error2: float,
    n2: int,
    *,
    method: str = "wald",
    alternative: str = "two-sided",
) -> ErrorRatesResult:
    """Compare the error rates of two models that were tested on different, independent test sets.

    On one common test set this is the wrong test, since both models meet the same hard samples:
    there use `mcnemar`.

    Parameters
    ----------
    error1 : float
        Share of errors of model 1, from 0 to 1. Given accuracies, the difference is theirs.
    n1 : int
        Number of samples in model 1's test set.
    error2 : float
        Share of errors of model 2.
    n2 : int
        Number of samples in model 2's test set.
    method : {"wald", "pooled", "exact", "boschloo"}, default="wald"
        "wald" is z with each set's own variance, the same as its interval's; "pooled" is z with the
        variance under equal rates; "exact" is Fisher's exact test and "boschloo" Boschloo's, which
        is exact too and finds more (seconds for hundreds of samples). The exact ones need whole
        counts and are for small ones.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        "greater": model 1 has the higher error rate.

    Returns
    -------
    ErrorRatesResult
        Unpacks as ``statistic, pvalue``; with `difference`, `variance` and
        `confidence_interval()`.

    Raises
    ------
    ValueError
        If a rate is not from 0 to 1, a size is not a whole number ≥ 1, an exact test is asked for
        of rates that are no whole counts, "boschloo" of too many samples, or an option is unknown.

    See Also
    --------
    mcnemar : For two models on one common test set.
    corrected_ttest : For two models over the splits of one data set.

    Notes
    -----
    Valid for two fitted models and independent test samples. "wald" and "pooled" are normal
    approximations: with fewer than about five errors or five right answers in a set take an exact
    test. With a true rate of 0.02 in both of 500 and 50 samples "wald" rejects in 36 % of cases at
    a nominal 5 %, because a set without an error has no variance.

    References
    ----------
    Newcombe, R. G. (1998). Interval estimation for the difference between independent proportions.
    Statistics in Medicine 17, 873–890.

    Boschloo, R. D. (1970). Raised conditional level of significance for the 2×2-table when testing
    the equality of two probabilities. Statistica Neerlandica 24, 1–9.
    https://doi.org/10.1111/j.1467-9574.1970.tb00104.x

    Examples
    --------
    15 % errors on 30 samples, 25 % on 5,000. The first looks ten points better, but a difference of
    that size is what 30 samples give by chance: the interval contains 0.

    >>> from sklearn_stats_compare import compare_error_rates
    >>> result = compare_error_rates(0.15, 30, 0.25, 5000)
    >>> round(result.difference, 3), round(result.variance, 4)
    (-0.1, 0.0043)
    >>> [round(limit, 3) for limit in result.confidence_interval()]
    [-0.228, 0.028]
    """
    for name, rate in (("error1", error1), ("error2", error2)):
        if not isinstance(rate, Real) or isinstance(rate, bool) or not 0 <= rate <= 1:
            raise ValueError(f"`{name}` must be a rate from 0 to 1; got {shown(rate)}.")
    n1, n2 = check_count("n1", n1, limit=_LARGEST), check_count("n2", n2, limit=_LARGEST)
    check_option("method", method, _TESTS)
    check_option("alternative", alternative, ALTERNATIVES)
    error1, error2 = float(error1), float(error2)
    statistic, pvalue = _TESTS[method](error1, n1, error2, n2, alternative)
    return ErrorRatesResult(
        statistic=float(statistic),
        pvalue=float(pvalue),
        difference=error1 - error2,
        variance=error1 * (1 - error1) / n1 + error2 * (1 - error2) / n2,
        error1=error1,
        n1=n1,
        error2=error2,
        n2=n2,
    )


def z_test(difference: float, variance: float, alternative: str) -> tuple[float, float]:
    """z and its p-value; z = 0 for no difference and ±inf for one without variance."""
    if difference == 0:
        statistic = 0.0
    elif variance == 0:
        statistic = float(np.copysign(np.inf, difference))
    else:
        statistic = difference / sqrt(variance)
    if alternative == "two-sided":
        return statistic, min(1.0, 2 * float(special.ndtr(-abs(statistic))))
    return statistic, float(special.ndtr(-statistic if alternative == "greater" else statistic))


def _unpooled(e1: float, n1: int, e2: float, n2: int, alternative: str) -> tuple[float, float]:
    return z_test(e1 - e2, e1 * (1 - e1) / n1 + e2 * (1 - e2) / n2, alternative)


def _pooled(e1: float, n1: int, e2: float, n2: int, alternative: str) -> tuple[float, float]:
    rate = (n1 * e1 + n2 * e2) / (n1 + n2)
    return z_test(e1 - e2, rate * (1 - rate) * (1 / n1 + 1 / n2), alternative)


def _fisher(e1: float, n1: int, e2: float, n2: int, alternative: str) -> tuple[float, float]:
    result = stats.fisher_exact(_counts(e1, n1, e2, n2), alternative=alternative)
    return result.statistic, result.pvalue


def _boschloo(e1: float, n1: int, e2: float, n2: int, alternative: str) -> tuple[float, float]:
    # scipy's columns are the samples that are compared.
    table = _counts(e1, n1, e2, n2).T
    if not table.sum(axis=1).all():  # all right or all wrong: no table could be less extreme
        return 1.0, 1.0
    if (n1 + 1) * (n2 + 1) > _MOST_TABLES:
        raise ValueError(
            f"`method` must be 'exact' or 'wald' for {n1:,} and {n2:,} samples: 'boschloo' holds "
            f"every table of so many, and has room for {_MOST_TABLES:,}."
        )
    result = stats.boschloo_exact(table, alternative=alternative)
    return result.statistic, min(1.0, result.pvalue)


def _counts(e1: float, n1: int, e2: float, n2: int) -> Any:
    """Errors and right answers of both sets, a row each."""
    rows = []
    for name, rate, n in (("error1", e1, n1), ("error2", e2, n2)):
        count = round(rate * n)
        if abs(rate * n - count) > _WHOLE:
            raise ValueError(
                f"`{name}` must be a whole number of errors for an exact test; got {rate!r} of "
                f"{n}, which is {rate * n:g}."
            )
        rows.append([count, n - count])
    return np.array(rows)


_TESTS: dict[str, Callable[..., tuple[float, float]]] = {
    "wald": _unpooled,
    "pooled": _pooled,
    "exact": _fisher,
    "boschloo": _boschloo,
}
