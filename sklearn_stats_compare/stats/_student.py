"""The one place where a Student t tail is evaluated, always on its small side."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special


def small_tail(z: NDArray[np.float64], df: float) -> NDArray[np.float64]:
    """P(T > |z|) for Student's t with `df` degrees of freedom; NaN where `df` is not positive.

    The distribution function at −|z| keeps every digit of a small tail, which 1 − cdf does not.
    """
    if not df > 0:
        return np.full_like(z, np.nan)
    result: Any = special.stdtr(df, -np.abs(z))
    return result
