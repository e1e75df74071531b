"""Values of samples around their score: the mean is the score to the last digits."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def around(score: float, deviations: ArrayLike) -> NDArray[np.float64]:
    """Return score + deviations, moved so that the mean is the score; where that is not finite, it.

    Parameters
    ----------
    score : float
        Score of the test samples together.
    deviations : array-like of float, shape (n_samples,)
        What each sample adds, with a mean of 0 but for rounding.

    Returns
    -------
    ndarray of float64, shape (n_samples,)
        The values.
    """
    values = score + np.asarray(deviations, dtype=np.float64)
    if not np.isfinite(score):
        return np.full(values.shape, score)
    # The second time takes away what the first one rounded.
    for _ in range(2):
        values = values + (score - values.mean())
    return values
