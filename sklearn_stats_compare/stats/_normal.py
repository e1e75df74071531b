"""The normal distribution: quantile of an interval, and z-test of a difference."""

from math import sqrt

import numpy as np
from scipy import special


def two_sided_z(level: float) -> float:
    """The normal quantile of a two-sided interval of this level."""
    # From the small tail: (1 + level)/2 may round to 1, whose quantile is infinite.
    return float(-special.ndtri((1 - level) / 2))


def z_test(difference: float, variance: float, alternative: str) -> tuple[float, float]:
    """z and its p-value; z = 0 if there is no difference, ±inf if the variance is 0."""
    if difference == 0:
        statistic = 0.0
    elif variance == 0:
        # Sets with no errors or only errors have an estimated variance of 0.
        statistic = float(np.copysign(np.inf, difference))
    else:
        statistic = difference / sqrt(variance)
    if alternative == "two-sided":
        # The small tail in both directions, never 1 − cdf.
        return statistic, min(1.0, 2 * float(special.ndtr(-abs(statistic))))
    return statistic, float(special.ndtr(-statistic if alternative == "greater" else statistic))
