"""Times of fits for a pickle: mean and standard deviation of each candidate, as ``cv_results_``."""

import numpy as np
from numpy.typing import NDArray


def moments_of(times: NDArray[np.float64], ran: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Mean and standard deviation of the times of each candidate, shape (n_candidates, 2)."""
    n = np.maximum(ran.sum(axis=1), 1)
    # NaN and infinities are an `error_score` of fits that scikit-learn gave no outcomes of.
    with np.errstate(invalid="ignore", over="ignore"):
        mean = np.where(ran, times, 0).sum(axis=1) / n
        squares = np.where(ran, (times - mean[:, None]) ** 2, 0).sum(axis=1)
        return np.column_stack([mean, np.sqrt(squares / n)])


def with_moments(moments: NDArray[np.float64], ran: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Times of these means and standard deviations; NaN in cells that were not run.

    ``cv_results_`` shows only these two, also after an extension, so these times give the same
    results as the true ones.
    """
    n = ran.sum(axis=1, keepdims=True)
    place = np.cumsum(ran, axis=1) - 1
    # One standard deviation above and below in turns; of an odd number the last is the mean, and
    # the others lie further out.
    even = n - n % 2
    sign = np.where(place >= even, 0.0, np.where(place % 2, -1.0, 1.0))
    mean, std = moments[:, :1], moments[:, 1:]
    with np.errstate(invalid="ignore"):
        times = mean + std * np.sqrt(n / np.maximum(even, 1)) * sign
    return np.asarray(np.where(ran, times, np.nan))
