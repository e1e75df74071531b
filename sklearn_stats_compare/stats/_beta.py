"""Quantiles of beta distributions to full precision, for counts of any size."""

from math import exp, inf, log, sqrt

from scipy import optimize, special, stats

_LARGE = 1e7
_SMALLEST = 5e-324


def beta_below(a: float, b: float, tail: float) -> float:
    """The lower quantile of Beta(`a`, `b`) at probability `tail` ≤ 1/2.

    SciPy's inverse is wrong by a factor of ten or more if one parameter is in the thousands and the
    other in the billions, and before 1.12 for much smaller parameters.
    """
    return _quantile(a, b, tail, below=True) if a <= b else 1 - _quantile(b, a, tail, below=False)


def beta_above(a: float, b: float, tail: float) -> float:
    """The upper quantile of Beta(`a`, `b`) at probability `tail` ≤ 1/2."""
    return _quantile(a, b, tail, below=False) if a <= b else 1 - _quantile(b, a, tail, below=True)


def _quantile(a: float, b: float, tail: float, *, below: bool) -> float:
    """The quantile for a ≤ b, where it is typically below 1/2 and keeps all of its digits."""
    if a > _LARGE:
        return _cornish_fisher(a, b, float(special.ndtri(tail)) * (1 if below else -1))
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


def _cornish_fisher(a: float, b: float, z: float) -> float:
    """Cornish–Fisher's quantile at the normal quantile `z`; ten digits for large parameters."""
    n = a + b
    skewness = 2 * (b - a) * sqrt(n + 1) / ((n + 2) * sqrt(a * b))
    kurtosis = 6 * ((a - b) ** 2 * (n + 1) / (a * b) - (n + 2)) / ((n + 2) * (n + 3))
    turned = (
        z
        + skewness * (z**2 - 1) / 6
        + kurtosis * (z**3 - 3 * z) / 24
        - skewness**2 * (2 * z**3 - 5 * z) / 36
    )
    return a / n + turned * sqrt(a * b / (n + 1)) / n
