"""Student's t: the one place where it is divided out, and where its tail is evaluated."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special


def small_tail(z: NDArray[np.float64], df: Any) -> NDArray[np.float64]:
    """P(T > |z|) for Student's t with `df` degrees of freedom; NaN where `df` is not positive.

    `df` is a number, or one for each `z`. The distribution function at −|z| keeps every digit of a
    small tail, which 1 − cdf does not.
    """
    if np.ndim(df) == 0 and not df > 0:
        return np.full_like(z, np.nan)
    # stdtr rather than stats.t.cdf: the same Cephes routine without a distribution's argument
    # checks, which cost more than the numbers do where a table has few pairs.
    result: Any = special.stdtr(df, -np.abs(z))
    return result


def standardise(
    difference: NDArray[np.float64], std_err: NDArray[np.float64]
) -> NDArray[np.float64]:
    """difference / std_err, where nothing over nothing is 0 and something over nothing is ±inf."""
    # An infinite end of a ROPE is beyond even an infinite error.
    certain = (std_err == 0) | (np.isinf(difference) & np.isinf(std_err))
    limit = np.where(difference == 0, 0.0, np.copysign(np.inf, difference))
    with np.errstate(over="ignore"):  # something over almost nothing is as good as ±inf
        return np.divide(difference, std_err, out=np.where(certain, limit, np.nan), where=~certain)
