"""How many repeats bring the variance of a mean difference down to what a test asks for."""

from bisect import bisect_left
from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

_MOST_REPEATS = 1_000_000


def needed_repeats(
    std_err: NDArray[np.float64],
    lasting: NDArray[np.float64],
    most: NDArray[np.float64],
    n_repeats: int,
    variance: Callable[[int, int], float] | None,
) -> NDArray[np.float64]:
    """Smallest numbers of repeats with which squared standard errors are at most `most`.

    Parameters
    ----------
    std_err, lasting : ndarray of float, shape (n_pairs,)
        Standard errors with `n_repeats` repeats, and with infinitely many.
    most : ndarray of float, shape (n_pairs,)
        Largest variance that is small enough.
    n_repeats : int
        Number of repeats now.
    variance : callable or None
        Variance of a pair by its place and a number of repeats, where that is no line in one over
        the repeats: that of areas, whose lasting part may be estimated as 0, has a bend.

    Returns
    -------
    ndarray of float
        At least 1; inf where no number is enough, NaN where one repeat does not show what others
        leave.
    """
    passing = np.maximum(std_err**2 - lasting**2, 0.0) * n_repeats
    left = most - lasting**2
    with np.errstate(divide="ignore", invalid="ignore"):
        # Less a little, so that rounding makes no 3 repeats of 2.
        needed = np.maximum(np.ceil(passing / left * (1 - 1e-12)), 1.0)
    if variance is not None:
        for k in np.flatnonzero((lasting == 0) & (std_err > 0)):
            needed[k] = _smallest(partial(variance, int(k)), float(most[k]) * (1 + 1e-12))
    unknown = np.isnan(std_err) | np.isnan(left)
    return np.where(unknown, np.nan, np.where(left > 0, needed, np.inf))


def _smallest(variance: Callable[[int], float], most: float) -> float:
    def is_enough(repeats: int) -> bool:
        return variance(repeats) <= most

    found = 1 + bisect_left(range(1, _MOST_REPEATS), True, key=is_enough)
    return float(found) if found < _MOST_REPEATS else float("inf")
