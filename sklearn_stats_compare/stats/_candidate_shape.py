"""CandidateShape: the covariance between candidates, shrunk so that tests keep their level."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare.stats._limits import ROUNDING


@dataclass(frozen=True, eq=False)
class CandidateShape:
    """The covariance between candidates that draws have, up to a constant.

    Attributes
    ----------
    factor : ndarray of float, shape (m, r)
        A square root of the covariance without the independent component of each candidate.
    own : float
        Standard deviation of the independent component of each candidate, which copies share; 0 if
        `factor` includes it.
    copy_of : ndarray of int, shape (m,)
        Number of the distinct candidate that each candidate equals up to a constant.
    """

    factor: NDArray[np.float64]
    own: float
    copy_of: NDArray[np.intp]

    @classmethod
    def of(cls, values: NDArray[np.float64], df: int) -> "CandidateShape":
        """Shrink the covariance of scores, (m, J)."""
        centred = _centred(values)
        factor = _factor(centred, df)  # rounding might add a column
        # Copies up to a constant are one candidate, also after the covariance is shrunk.
        copies = close_pairs(factor, rounding_limit(np.float64))
        different, copy_of = np.unique(copies.argmax(axis=1), return_inverse=True)
        shrinkage, variance = _shrunk(centred[different])
        factor = np.sqrt(1 - shrinkage) * factor
        own = float(np.sqrt(shrinkage * variance))
        if len(values) <= df:  # then fewer numbers are drawn
            each = own * np.eye(len(different))[copy_of]
            return cls(_factor(np.hstack([factor, each])), 0.0, copy_of)
        return cls(factor, own, copy_of)


def _centred(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Split-centred scores in units of the largest, without the fold effect common to all.

    The common fold effect cancels in every difference. Without it the squared distances of pairs
    lose fewer digits.
    """
    centred = values - values.mean(axis=1, keepdims=True)
    centred -= centred.mean(axis=0)
    largest = np.abs(centred).max(initial=0.0)
    if largest <= ROUNDING * np.abs(values).max(initial=0.0):
        return np.zeros_like(centred)
    scaled: NDArray[np.float64] = centred / largest
    return scaled


def _factor(rows: NDArray[np.float64], most: int | None = None) -> NDArray[np.float64]:
    """The fewest coordinates in which the rows have the same inner products."""
    left, singular, _ = np.linalg.svd(rows, full_matrices=False)
    threshold = singular.max(initial=0.0) * max(rows.shape) * np.finfo(float).eps
    rank = int((singular > threshold).sum())
    rank = rank if most is None else min(rank, most)
    factor: NDArray[np.float64] = left[:, :rank] * singular[:rank]
    return factor


def _shrunk(centred: NDArray[np.float64]) -> tuple[float, float]:
    """Shrinkage weight, and variance of the independent candidates that are the target.

    The weight is Ledoit and Wolf's estimate in the m − 1 dimensions of differences. The variance is
    J times that of a split, on the scale of the products of centred scores.
    """
    centred = centred - centred.mean(axis=0)
    m, n = centred.shape
    lengths = (centred**2).sum(axis=0)
    variance = lengths.sum() / max(m - 1, 1)
    squared_norm = ((centred.T @ centred) ** 2).sum() / n**2
    distance = squared_norm - (m - 1) * (variance / n) ** 2
    error = (lengths**2).sum() / n**2 - squared_norm / n
    if n == 2 and m > 2:  # two splits have one direction and no information on correlations
        return 1.0, float(variance)
    if not distance > 1e-12 * squared_norm:  # already independent, or a single pair
        return 0.0, 0.0
    return float(np.clip(error / distance, 0.0, 1.0)), float(variance)


def rounding_limit(dtype: Any) -> float:
    """Squared distance, as a share of the squared lengths, below which it is rounding error."""
    return 1e3 * float(np.finfo(dtype).eps)


def close_pairs(
    factor: NDArray[np.float64],
    limit: float,
    own: float = 0.0,
    copy_of: NDArray[np.intp] | None = None,
) -> NDArray[np.bool_]:
    """The diagonal, and pairs whose squared distance is at most `limit` of their squared lengths.

    `own` is the coordinate of each candidate's independent component, which copies share.
    """
    length = (factor**2).sum(axis=1) + own**2
    close = np.empty((len(factor), len(factor)), dtype=bool)
    for i, row in enumerate(factor):
        distance = ((factor - row) ** 2).sum(axis=1)
        if copy_of is not None:
            distance += 2 * own**2 * (copy_of != copy_of[i])
        close[i] = distance <= limit * (length + length[i])
    return close
