"""The one place where a Student t tail is evaluated, always on its small side."""

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
