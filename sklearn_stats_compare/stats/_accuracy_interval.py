"""accuracy_interval(): the confidence interval of one accuracy on a test set."""

from collections.abc import Callable
from math import sqrt

from sklearn_stats_compare._messages import check_count, check_option, check_probability
from sklearn_stats_compare.stats._beta import beta_above, beta_below
from sklearn_stats_compare.stats._normal import two_sided_z

# Samples. The formulas use floats, which cannot represent larger counts exactly.
LARGEST_TEST_SET = 10**18


def accuracy_interval(
    n_correct: int, n: int, confidence_level: float = 0.95, method: str = "wilson"
) -> tuple[float, float]:
    """Confidence interval of a model's accuracy on a test set.

    Parameters
    ----------
    n_correct : int
        Number of test samples that were predicted correctly.
    n : int
        Number of test samples.
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
        If `n` is not a whole number ≥ 1, `n_correct` is not a whole number from 0 to `n`, or an
        option is unknown.

    Notes
    -----
    Valid for one fitted model and test samples that are independent of each other and of the
    training data. The interval does not include how the model varies with its training data. Do
    not use it for predictions pooled over the folds of a cross-validation, which come from several
    models.

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

    >>> from sklearn_stats_compare import accuracy_interval
    >>> low, high = accuracy_interval(80, 100)
    >>> round(low, 3), round(high, 3)
    (0.711, 0.867)
    """
    n = check_count("n", n, limit=LARGEST_TEST_SET)
    n_correct = check_count("n_correct", n_correct, least=0, most=n)
    level = check_probability("confidence_level", confidence_level)
    check_option("method", method, INTERVALS)
    low, high = INTERVALS[method](n_correct, n, level)
    # The interval must contain the accuracy. Rounding may exclude it by a last digit, and Jeffreys'
    # interval excludes it at levels of a few per cent, where both tails lie on one side of it.
    accuracy = n_correct / n
    return min(max(0.0, float(low)), accuracy), max(min(1.0, float(high)), accuracy)


def _wilson_of_counts(k: int, n: int, level: float) -> tuple[float, float]:
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
    low = beta_below(k, n - k + 1, tail) if k > 0 else 0.0
    high = beta_above(k + 1, n - k, tail) if k < n else 1.0
    return low, high


def _agresti_coull(k: int, n: int, level: float) -> tuple[float, float]:
    z = two_sided_z(level)
    return _wald(k + z**2 / 2, n + z**2, level)


def _jeffreys(k: int, n: int, level: float) -> tuple[float, float]:
    # Brown, Cai and DasGupta (2001) set the limit to 0 or 1 if none or all are correct: otherwise
    # the interval would never cover accuracies at the ends.
    tail = (1 - level) / 2
    low = beta_below(k + 0.5, n - k + 0.5, tail) if k > 0 else 0.0
    high = beta_above(k + 0.5, n - k + 0.5, tail) if k < n else 1.0
    return low, high


def _wald(k: float, n: float, level: float) -> tuple[float, float]:
    rate = k / n
    half_width = two_sided_z(level) * sqrt(rate * (1 - rate) / n)
    return max(0.0, rate - half_width), min(1.0, rate + half_width)


def wilson_interval(rate: float, n: float, level: float) -> tuple[float, float]:
    """Wilson's interval of a rate; unlike SciPy's, `rate`·`n` need not be a whole number."""
    z = two_sided_z(level)
    middle = (rate + z**2 / (2 * n)) / (1 + z**2 / n)
    half_width = z * sqrt(rate * (1 - rate) / n + z**2 / (4 * n**2)) / (1 + z**2 / n)
    return max(0.0, middle - half_width), min(1.0, middle + half_width)


INTERVALS: dict[str, Callable[[int, int, float], tuple[float, float]]] = {
    "wilson": _wilson_of_counts,
    "wilson_cc": _wilson_corrected,
    "exact": _exact,
    "agresti_coull": _agresti_coull,
    "jeffreys": _jeffreys,
    "wald": _wald,
}
