"""Values of samples with a given mean: the score, to the last digits."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

# Of the score: less is what rounding leaves, and hits may stay 0 and 1.
_NO_RESIDUE = 1e-14


def shifted(values: ArrayLike, score: float) -> NDArray[np.float64]:
    """Move values by the rounding residue, so that their mean is the score.

    Parameters
    ----------
    values : array-like of float, shape (n_samples,)
        Values with this mean but for rounding.
    score : float
        Score of the test samples together.

    Returns
    -------
    ndarray of float64, shape (n_samples,)
        The values; the score for each sample where it is not finite.
    """
    found = np.asarray(values, dtype=np.float64)
    if not np.isfinite(score):
        return np.full(found.shape, score)
    # The second time takes away what the first one rounded.
    for _ in range(2):
        residue = score - found.mean()
        if abs(residue) > _NO_RESIDUE * abs(score):
            found = found + residue
    return found


def around(score: float, deviations: ArrayLike) -> NDArray[np.float64]:
    """Add the score to deviations from it, whose mean is 0 but for rounding."""
    return shifted(score + np.asarray(deviations, dtype=np.float64), score)
