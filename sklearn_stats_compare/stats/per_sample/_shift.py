"""Shift values of samples so that their mean is the score to the last digits."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

# Share of the score that counts as rounding: below it hits stay exactly 0 and 1.
_ROUNDING = 1e-14


def shifted(values: ArrayLike, score: float) -> NDArray[np.float64]:
    """Shift values by the rounding error, so that their mean is the score.

    Parameters
    ----------
    values : array-like of float, shape (n_samples,)
        Values whose mean is the score up to rounding.
    score : float
        Score of the test set.

    Returns
    -------
    ndarray of float64, shape (n_samples,)
        The values; if the score is not finite, the score for each sample.
    """
    found = np.asarray(values, dtype=np.float64)
    if not np.isfinite(score):
        return np.full(found.shape, score)
    # The second shift removes the rounding of the first.
    for _ in range(2):
        residue = score - found.mean()
        if abs(residue) > _ROUNDING * abs(score):
            found = found + residue
    return found


def around(score: float, deviations: ArrayLike) -> NDArray[np.float64]:
    """Add the score to deviations from it, whose mean is 0 up to rounding."""
    return shifted(score + np.asarray(deviations, dtype=np.float64), score)
