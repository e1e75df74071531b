"""The exact null distribution of a sum of signed ranks, with ties and zeros."""

import numpy as np
from numpy.typing import NDArray

# Numbers in one block of distributions: 32 MB.
_BLOCK = 2**22


def exact_tails(
    doubled: NDArray[np.intp], least_doubled: NDArray[np.intp]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Probability that a sum of signed ranks is at most, and exactly, the smaller observed one.

    Under the hypothesis each rank has either sign with probability 1/2, given the sizes of the
    differences. The distribution of the sum of positive ranks follows rank by rank. Twice the ranks
    are whole numbers, with ties too.

    Parameters
    ----------
    doubled : ndarray of int, shape (n_pairs, n)
        Twice the ranks of each pair; 0 for those that do not count.
    least_doubled : ndarray of int, shape (n_pairs,)
        Twice the smaller of the sums of positive and of negative ranks.
    """
    patterns, inverse = np.unique(np.sort(doubled, axis=1), axis=0, return_inverse=True)
    inverse = inverse.reshape(-1)  # NumPy 2.0 returned a column
    # Only sums up to the observed ones are needed, at most half of all.
    furthest = np.zeros(len(patterns), dtype=np.intp)
    np.maximum.at(furthest, inverse, least_doubled)
    at_most, exactly = np.empty(len(least_doubled)), np.empty(len(least_doubled))
    by_length = np.argsort(furthest, kind="stable")
    rank_of = np.empty_like(by_length)
    rank_of[by_length] = np.arange(len(by_length))
    size = max(1, _BLOCK // (int(furthest.max(initial=0)) + 1))
    for start in range(0, len(patterns), size):
        block = by_length[start : start + size]
        chance = _distribution(patterns[block], int(furthest[block[-1]]))
        cdf = chance.cumsum(axis=1)
        row = rank_of[inverse] - start
        own = (row >= 0) & (row < len(block))
        at_most[own] = cdf[row[own], least_doubled[own]]
        exactly[own] = chance[row[own], least_doubled[own]]
    return at_most, exactly


def _distribution(ranks: NDArray[np.intp], most: int) -> NDArray[np.float64]:
    """P(sum = 0, 1, …, `most`) of each row, if each rank counts with probability 1/2."""
    # Sums of positive numbers: a small probability keeps its digits.
    chance = np.zeros((len(ranks), most + 1))
    chance[:, 0] = 1.0
    sums = np.arange(most + 1)
    for rank in ranks.T:
        before = sums - rank[:, None]
        shifted = np.take_along_axis(chance, np.maximum(before, 0), axis=1)
        shifted[before < 0] = 0.0
        chance = (chance + shifted) / 2
    return chance
