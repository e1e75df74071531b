"""The normal distribution: the quantile of an interval, and the z-test of a difference."""

from math import sqrt

import numpy as np
from scipy import special


def two_sided_z(level: float) -> float:
    """The normal quantile of a two-sided interval of this level."""
    # By the small tail: (1 + level)/2 may round to 1, whose quantile is infinite.
    return float(-special.ndtri((1 - level) / 2))


def z_test(difference: float, variance: float, alternative: str) -> tuple[float, float]:
    """z and its p-value; z = 0 for no difference and ±inf for one without variance."""
    if difference == 0:
        statistic = 0.0
    elif variance == 0:
        # Two sets without any error or any right answer have no estimated variance.
        statistic = float(np.copysign(np.inf, difference))
    else:
        statistic = difference / sqrt(variance)
    if alternative == "two-sided":
        # The small tail of both, never 1 − cdf.
        return statistic, min(1.0, 2 * float(special.ndtr(-abs(statistic))))
    return statistic, float(special.ndtr(-statistic if alternative == "greater" else statistic))
