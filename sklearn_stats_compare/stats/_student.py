"""Student's t: the statistic and its tail probability, computed only here."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special


def small_tail(z: NDArray[np.float64], df: Any) -> NDArray[np.float64]:
    """P(T > |z|) for Student's t with `df` degrees of freedom; NaN where `df` is not positive.

    `df` is a number, or one for each `z`. The distribution function at −|z| keeps the digits of a
    small tail; 1 − cdf does not.
    """
    if np.ndim(df) == 0 and not df > 0:
        return np.full_like(z, np.nan)
    # stdtr is the Cephes routine of stats.t.cdf without its argument checks, which take longer than
    # the computation for few pairs.
    result: Any = special.stdtr(df, -np.abs(z))
    return result


def standardise(
    difference: NDArray[np.float64], std_err: NDArray[np.float64]
) -> NDArray[np.float64]:
    """difference / std_err, with 0/0 = 0 and ±inf for any other difference over 0."""
    # An infinite limit of a ROPE is beyond even an infinite error.
    certain = (std_err == 0) | (np.isinf(difference) & np.isinf(std_err))
    limit = np.where(difference == 0, 0.0, np.copysign(np.inf, difference))
    with np.errstate(over="ignore"):  # overflow is ±inf
        return np.divide(difference, std_err, out=np.where(certain, limit, np.nan), where=~certain)
