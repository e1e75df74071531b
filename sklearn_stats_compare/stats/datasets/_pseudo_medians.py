"""Pseudo-medians of differences over data sets, and intervals that the signed-rank test inverts."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

# Up to here the null distribution is counted exactly; beyond, the normal one is as good.
_MOST_COUNTED = 100
_BLOCK = 10_000_000
"""Walsh averages in memory at a time."""


class PseudoMedians(NamedTuple):
    """Pseudo-medians with intervals, arrays of shape (n_pairs,).

    Attributes
    ----------
    middle, low, high : ndarray of float
        In score units; the ends are infinite if there are too few data sets for the level.
    """

    middle: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


def pseudo_medians(differences: NDArray[np.float64], tail: float) -> PseudoMedians:
    """Hodges and Lehmann's pseudo-median of each row, with an interval.

    Parameters
    ----------
    differences : ndarray of float, shape (n_pairs, n_datasets)
        Differences of two models on each data set.
    tail : float
        Probability of each tail, such as 0.025.

    Returns
    -------
    PseudoMedians
        The median of all means of two differences (Walsh averages, each difference with itself
        too), and the interval of shifts that the two-sided signed-rank test does not reject. It is
        exact for continuous differences that are symmetric about their median, up to 100 data sets,
        and at most as wide as needed for ties.

    References
    ----------
    Hodges, J. L. and Lehmann, E. L. (1963). Estimates of location based on rank tests. Annals of
    Mathematical Statistics 34, 598–611. https://doi.org/10.1214/aoms/1177704172
    """
    n_pairs, n = differences.shape
    i, j = np.triu_indices(n)
    n_walsh = len(i)
    k = _cutoff(n, tail)
    upper = n_walsh // 2
    lower = (n_walsh - 1) // 2
    found = np.empty((3, n_pairs))
    size = max(1, _BLOCK // n_walsh)
    for start in range(0, n_pairs, size):
        block = differences[start : start + size]
        walsh = (block[:, i] + block[:, j]) / 2
        ends = {lower, upper, *((k - 1, n_walsh - k) if k else ())}
        walsh.partition(sorted(ends), axis=1)
        own = slice(start, start + len(block))
        found[0, own] = (walsh[:, lower] + walsh[:, upper]) / 2
        found[1, own] = walsh[:, k - 1] if k else -np.inf
        found[2, own] = walsh[:, n_walsh - k] if k else np.inf
    return PseudoMedians(*found)


def _cutoff(n: int, tail: float) -> int:
    """Number of the Walsh average, from 1, at which the interval begins; 0 if there is none.

    The largest k with P(T < k) ≤ tail, for the sum T of the positive ranks of n differences.
    """
    if n > _MOST_COUNTED:
        mean, sd = n * (n + 1) / 4, np.sqrt(n * (n + 1) * (2 * n + 1) / 24)
        return max(0, int(np.floor(mean + 0.5 + stats.norm.ppf(tail) * sd)))
    chance = np.zeros(n * (n + 1) // 2 + 1)
    chance[0] = 1.0
    for rank in range(1, n + 1):
        shifted = np.zeros_like(chance)
        shifted[rank:] = chance[:-rank]
        chance = (chance + shifted) / 2
    return int(np.searchsorted(np.cumsum(chance), tail, side="right"))
