"""One accuracy on a test set, and the error rates of two models on different test sets."""

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, inf, log, sqrt
from numbers import Real
from typing import Any, Literal

import numpy as np
from scipy import optimize, stats

from sklearn_stats_compare._utils import _validation as checks
from sklearn_stats_compare.stats._numeric import StatisticPair, two_sided_z, z_test

# Samples. SciPy's incomplete beta function keeps its digits up to here.
_MOST_SAMPLES = 10**9

# The formulas for error rates use floats, which cannot represent larger counts exactly.
_MOST_FOR_RATES = 10**18


IntervalMethod = Literal["wilson", "wilson_cc", "exact", "agresti_coull", "jeffreys", "wald"]


def accuracy_interval(
    n_correct: int, n: int, confidence_level: float = 0.95, method: IntervalMethod = "wilson"
) -> tuple[float, float]:
    """Confidence interval of a model's accuracy on a test set.

    Parameters
    ----------
    n_correct : int
        Number of test samples that were predicted correctly.
    n : int
        Number of test samples, at most 10⁹.
    confidence_level : float, default=0.95
        Chance that the interval covers the accuracy.
    method : {"wilson", "wilson_cc", "exact", "agresti_coull", "jeffreys", "wald"}, \
            default="wilson"
        "wilson" and "wilson_cc" are Wilson's score interval without and with continuity
        correction. "exact" is Clopper and Pearson's interval, whose coverage is at least nominal.
        "agresti_coull" is Agresti and Coull's. "jeffreys" is based on Jeffreys' prior; it ends at
        0 or 1 if no or all predictions are correct, and is extended to the accuracy if it would
        exclude it (at levels of a few per cent). "wald" is accuracy ± z·standard error, for
        comparison with textbooks; its coverage is too low for small `n` and accuracies near 1.

    Returns
    -------
    low, high : float
        Limits of the accuracy.

    Raises
    ------
    ValueError
        If `n` is not a whole number from 1 to 10⁹, `n_correct` is not a whole number from 0 to
        `n`, or an option is unknown.

    Notes
    -----
    Valid for one fitted model and test samples that are independent of each other and of the
    training data. At accuracies of about 1 − 0.2/n, Wilson's interval covers only 84 % and
    Jeffreys' 88 %, "exact" and "wilson_cc" at least 95 %, at a nominal 95 %. The interval does not
    include how the model varies with its training data. Do not use it for predictions pooled over
    the folds of a cross-validation, which come from several models.

    References
    ----------
    Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference. JASA
    22, 209–212. https://doi.org/10.1080/01621459.1927.10502953

    Brown, L. D., Cai, T. T. and DasGupta, A. (2001). Interval estimation for a binomial proportion.
    Statistical Science 16, 101–133. https://doi.org/10.1214/ss/1009213286

    Examples
    --------
    The model predicts 80 of 100 test samples correctly. The 95 % interval of its accuracy is 71 %
    to 87 %:

    >>> from sklearn_stats_compare.stats import accuracy_interval
    >>> low, high = accuracy_interval(80, 100)
    >>> round(low, 3), round(high, 3)
    (0.711, 0.867)
    """
    n = checks.check_count("n", n, limit=_MOST_SAMPLES)
    n_correct = checks.check_count("n_correct", n_correct, least=0, most=n)
    level = checks.check_probability("confidence_level", confidence_level)
    checks.check_option("method", method, INTERVALS)
    low, high = INTERVALS[method](n_correct, n, level)
    # The interval must contain the accuracy. Rounding may exclude it by a last digit, and Jeffreys'
    # interval excludes it at levels of a few per cent, where both tails lie on one side of it.
    accuracy = n_correct / n
    return min(max(0.0, float(low)), accuracy), max(min(1.0, float(high)), accuracy)


def _wilson(k: float, n: int, level: float) -> tuple[float, float]:
    # The limits are the roots of a quadratic; their product is k²/(n·(n + z²)). The lower limit is
    # computed from the product, because the textbook formula loses digits by cancellation.
    z = two_sided_z(level)
    high = (2 * k + z**2 + z * sqrt(z**2 + 4 * (k * (n - k) / n))) / (2 * (n + z**2))
    return (k / n) * (k / (n + z**2)) / high if k else 0.0, high


def _wilson_corrected(k: int, n: int, level: float) -> tuple[float, float]:
    # Method 4 of Newcombe (1998), Statistics in Medicine 17, 857–872, clipped to 0 and 1; the same
    # as SciPy's "wilsoncc".
    z = two_sided_z(level)
    low, high = 0.0, 1.0
    if k > 0:
        root = sqrt(z**2 - 2 - 1 / n + 4 * (k * (n - k + 1) / n))
        low = (2 * k - 1 + z**2 - z * root) / (2 * (n + z**2))
    if k < n:
        root = sqrt(z**2 + 2 - 1 / n + 4 * (k * (n - k - 1) / n))
        high = (2 * k + 1 + z**2 + z * root) / (2 * (n + z**2))
    return low, high


def _exact(k: int, n: int, level: float) -> tuple[float, float]:
    tail = (1 - level) / 2
    low = _beta_quantile(k, n - k + 1, tail, below=True) if k > 0 else 0.0
    high = _beta_quantile(k + 1, n - k, tail, below=False) if k < n else 1.0
    return low, high


def _agresti_coull(k: int, n: int, level: float) -> tuple[float, float]:
    z = two_sided_z(level)
    return _wald(k + z**2 / 2, n + z**2, level)


def _jeffreys(k: int, n: int, level: float) -> tuple[float, float]:
    # Brown, Cai and DasGupta (2001) set the limit to 0 or 1 if none or all are correct: otherwise
    # the interval would never cover accuracies at the ends.
    tail = (1 - level) / 2
    low = _beta_quantile(k + 0.5, n - k + 0.5, tail, below=True) if k > 0 else 0.0
    high = _beta_quantile(k + 0.5, n - k + 0.5, tail, below=False) if k < n else 1.0
    return low, high


def _wald(k: float, n: float, level: float) -> tuple[float, float]:
    rate = k / n
    half_width = two_sided_z(level) * sqrt(rate * (1 - rate) / n)
    return max(0.0, rate - half_width), min(1.0, rate + half_width)


INTERVALS: dict[str, Callable[[int, int, float], tuple[float, float]]] = {
    "wilson": _wilson,
    "wilson_cc": _wilson_corrected,
    "exact": _exact,
    "agresti_coull": _agresti_coull,
    "jeffreys": _jeffreys,
    "wald": _wald,
}

# SciPy's boschloo_exact allocates arrays of (n1 + 1) × (n2 + 1) floats, 800 MB each at this size.
_MOST_TABLES = 10**8

# Tolerance for rate × size as a whole number: a rate such as 1/3 is rounded.
_WHOLE = 1e-6


@dataclass(frozen=True)
class ErrorRatesResult(StatisticPair):
    """Result of `compare_error_rates`; unpacks as ``statistic, pvalue``.

    Attributes
    ----------
    statistic : float
        z of the difference. The exact tests have SciPy's statistics: for "exact" an odds ratio (NaN
        if all or no predictions are errors), for "boschloo" Fisher's p-value of the alternative
        (two-sided: the smaller of both one-sided ones).
    pvalue : float
        p-value for the chosen alternative; NaN for a z of ±inf, where no error rate varies.
    difference : float
        `error1` − `error2`.
    variance : float
        Unpooled variance of the difference, e₁(1 − e₁)/n₁ + e₂(1 − e₂)/n₂.
    error1, n1, error2, n2 : float, int, float, int
        The arguments.
    """

    difference: float
    variance: float
    error1: float
    n1: int
    error2: float
    n2: int

    def confidence_interval(
        self, confidence_level: float = 0.95, method: Literal["wald", "newcombe"] = "wald"
    ) -> tuple[float, float]:
        """Two-sided confidence interval of the difference.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Probability that the interval covers the difference. The coverage of "newcombe" is
            close to it; that of "wald" is far lower if a set is expected to have few errors. For
            500 and 50 samples with a true rate of 0.02 in both, nominal 95 % intervals cover in
            64 % of cases with "wald" and in 96 % with "newcombe".
        method : {"wald", "newcombe"}, default="wald"
            "wald" is difference ± z·√variance, as in textbooks. "newcombe" combines the Wilson
            intervals of both rates (Newcombe's method 10); use it for small counts.

        Returns
        -------
        low, high : float
            Limits for `error1` − `error2`, clipped to −1 and 1.
        """
        level = checks.check_probability("confidence_level", confidence_level)
        if checks.check_option("method", method, ("wald", "newcombe")) == "wald":
            below = above = two_sided_z(level) * sqrt(self.variance)
        else:
            low1, high1 = _wilson(self.error1 * self.n1, self.n1, level)
            low2, high2 = _wilson(self.error2 * self.n2, self.n2, level)
            # Newcombe (1998), method 10: adds the squared distances to both Wilson limits.
            below = sqrt((self.error1 - low1) ** 2 + (high2 - self.error2) ** 2)
            above = sqrt((high1 - self.error1) ** 2 + (self.error2 - low2) ** 2)
        return max(-1.0, self.difference - below), min(1.0, self.difference + above)


def compare_error_rates(
    error1: float,
    n1: int,
    error2: float,
    n2: int,
    *,
    method: Literal["wald", "pooled", "exact", "boschloo"] = "wald",
    alternative: checks.Alternative = "two-sided",
) -> ErrorRatesResult:
    """Compare the error rates of two models tested on different, independent test sets.

    If both models were tested on the same test set, use `mcnemar` instead: their errors are then
    correlated.

    Parameters
    ----------
    error1 : float
        Error rate of model 1, from 0 to 1. Accuracies are accepted too; the difference is then
        theirs.
    n1 : int
        Number of samples in the test set of model 1.
    error2 : float
        Error rate of model 2.
    n2 : int
        Number of samples in the test set of model 2.
    method : {"wald", "pooled", "exact", "boschloo"}, default="wald"
        "wald" is the z-test with the unpooled variance, which its interval has too. "pooled" is the
        z-test with the variance under equal rates. "exact" is Fisher's exact test. "boschloo" is
        Boschloo's exact test, which has more power but takes seconds for hundreds of samples. Use
        the exact tests for small counts; they need rates that are whole numbers of errors.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        "greater": model 1 has the higher error rate.

    Returns
    -------
    ErrorRatesResult
        Unpacks as ``statistic, pvalue``; has `difference`, `variance` and
        `confidence_interval()`.

    Raises
    ------
    ValueError
        If a rate is not from 0 to 1, a size is not a whole number ≥ 1, a rate is not a whole number
        of errors for an exact test, there are too many samples for "boschloo", or an option is
        unknown.

    See Also
    --------
    mcnemar : For two models on one common test set.
    corrected_ttest : For two models over the splits of one data set.

    Notes
    -----
    Valid for two fitted models and independent test samples. "wald" and "pooled" are normal
    approximations: use an exact test if a set has fewer than about five errors or five correct
    predictions. For 500 and 50 samples with a true rate of 0.02 in both, "wald" rejects in 36 % of
    cases at a nominal 5 %, because a set without errors has an estimated variance of 0. Its p-value
    is NaN if one set has only errors and the other none.

    References
    ----------
    Newcombe, R. G. (1998). Interval estimation for the difference between independent proportions.
    Statistics in Medicine 17, 873–890.

    Boschloo, R. D. (1970). Raised conditional level of significance for the 2×2-table when testing
    the equality of two probabilities. Statistica Neerlandica 24, 1–9.
    https://doi.org/10.1111/j.1467-9574.1970.tb00104.x

    Examples
    --------
    Model 1 has 15 % errors on 30 samples, model 2 has 25 % on 5,000. The first looks ten points
    better, but 30 samples often give such a difference by chance: the interval contains 0.

    >>> from sklearn_stats_compare.stats import compare_error_rates
    >>> result = compare_error_rates(0.15, 30, 0.25, 5000)
    >>> round(result.difference, 3), round(result.variance, 4)
    (-0.1, 0.0043)
    >>> [round(limit, 3) for limit in result.confidence_interval()]
    [-0.228, 0.028]
    """
    # A bool is a Real number too: True would be an error rate of 1.
    for name, rate in (("error1", error1), ("error2", error2)):
        if not isinstance(rate, Real) or isinstance(rate, bool) or not 0 <= rate <= 1:
            raise ValueError(f"`{name}` must be a rate from 0 to 1; got {checks.shown(rate)}.")
    n1 = checks.check_count("n1", n1, limit=_MOST_FOR_RATES)
    n2 = checks.check_count("n2", n2, limit=_MOST_FOR_RATES)
    checks.check_option("method", method, _TESTS)
    checks.check_option("alternative", alternative, checks.ALTERNATIVES)
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


def _unpooled(e1: float, n1: int, e2: float, n2: int, alternative: str) -> tuple[float, float]:
    return z_test(e1 - e2, e1 * (1 - e1) / n1 + e2 * (1 - e2) / n2, alternative)


def _pooled(e1: float, n1: int, e2: float, n2: int, alternative: str) -> tuple[float, float]:
    rate = (n1 * e1 + n2 * e2) / (n1 + n2)
    return z_test(e1 - e2, rate * (1 - rate) * (1 / n1 + 1 / n2), alternative)


def _fisher(e1: float, n1: int, e2: float, n2: int, alternative: str) -> tuple[float, float]:
    # SciPy's odds ratio is NaN if a column is 0; its p-value is then 1.
    result = stats.fisher_exact(_counts(e1, n1, e2, n2), alternative=alternative)
    return result.statistic, result.pvalue


def _boschloo(e1: float, n1: int, e2: float, n2: int, alternative: str) -> tuple[float, float]:
    # SciPy's `boschloo_exact` expects the two samples as columns.
    table = _counts(e1, n1, e2, n2).T
    # SciPy returns NaN if all or no predictions are errors; no table is less extreme.
    if not table.sum(axis=1).all():
        return 1.0, 1.0
    if (n1 + 1) * (n2 + 1) > _MOST_TABLES:
        raise ValueError(
            f"`method` must be 'exact' or 'wald' for {n1:,} and {n2:,} samples: 'boschloo' "
            f"computes every possible table, and is limited to {_MOST_TABLES:,} of them."
        )
    result = stats.boschloo_exact(table, alternative=alternative)
    return result.statistic, min(1.0, result.pvalue)


def _counts(e1: float, n1: int, e2: float, n2: int) -> Any:
    """Numbers of errors and of correct predictions, one row per set."""
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

_SMALLEST = 5e-324


def _beta_quantile(a: float, b: float, tail: float, *, below: bool) -> float:
    """The lower or upper quantile of Beta(`a`, `b`) at probability `tail` ≤ 1/2.

    SciPy's inverse is wrong by a factor of ten or more if one parameter is in the thousands and the
    other in the billions, and before 1.12 for much smaller parameters.
    """
    if a > b:  # the smaller quantile keeps all of its digits
        return 1 - _beta_quantile(b, a, tail, below=not below)
    share = stats.beta.cdf if below else stats.beta.sf
    wanted = log(tail)

    def excess(logarithm: float) -> float:
        found = float(share(exp(min(logarithm, 0.0)), a, b))
        return log(max(found, _SMALLEST)) - wanted

    middle = log(a / (a + b))
    ends = [middle, middle]
    # Bracket the root: move away from the mean until the excess changes its sign.
    for end, direction in ((0, -1.0), (1, 1.0)):
        step = 0.5
        while (excess(ends[end]) > 0) == (below == (direction < 0)) and ends[end] > -inf:
            ends[end] += direction * step
            step *= 2
    found = optimize.brentq(excess, *ends, xtol=1e-15, rtol=1e-15)
    return exp(min(found, 0.0))
