"""RankedMoments: means and standard deviations of the differences of all pairs, row by row."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare.stats._distances import Distances, Rows
from sklearn_stats_compare.stats._limits import ROUNDING
from sklearn_stats_compare.stats._moments import Moments, in_units
from sklearn_stats_compare.stats._scores import SplitScores

# Number of pairs × splits below which explicit differences are fast.
_FEW_DIFFERENCES = 50_000_000
# A mean difference below this share of its terms has lost more than 10 digits. A spread this close
# to that of equal counts may be on either side of it.
_LOST_DIGITS = 1e-6
# Explicit differences in memory at a time, which fit in the processor's cache.
_NUMBERS_AT_ONCE = 100_000


class RankedMoments:
    """Moments of the differences between a candidate and those ranked below it.

    Moments of many pairs come from matrix products. Explicit differences are used where products
    lose digits (as for scores like 0.999999 ± 1e-9), if there are few pairs, and for the leader,
    whose rows must be bit-identical to those of `PairedTTests.against`.

    Parameters
    ----------
    scores : SplitScores
        The scores.

    Attributes
    ----------
    unit : float
        Unit of the computations.
    moments : Moments
        Moments for the design of `scores`.
    """

    def __init__(self, scores: SplitScores) -> None:
        self.unit, (self._values,) = in_units(scores.comparable(scores.order))
        self.moments = Moments.of(scores)
        self._largest = np.abs(self._values).max(axis=1)
        m, n_splits = self._values.shape
        self._few = n_splits < 2 or m * (m - 1) // 2 * n_splits < _FEW_DIFFERENCES
        self._rows = Rows(self._block, m)

    def __call__(
        self, i: int, others: slice
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_]]:
        """Means and standard deviations of row `i` minus rows `others`, and which are constant."""
        threshold = ROUNDING * np.maximum(self._largest[i], self._largest[others])
        if self._few or i == 0:
            return self.moments(self._values[i] - self._values[others], threshold)
        mean, std = self._rows(i, others)
        return mean, std, self.moments.set_constant_spread(mean, std, threshold)

    @cached_property
    def _centred(self) -> tuple[Distances, NDArray[np.float64], NDArray[np.float64]]:
        """Distances that are standard deviations, means relative to the leader, and their sizes."""
        # The leader is subtracted first: a difference of two numbers is rounded relative to itself.
        points = self._values - self._values[0]
        levels = np.einsum("mj,mj->m", points, points) / points.shape[1]
        means = points.mean(axis=1)
        points -= means[:, None]
        points /= np.sqrt(self.moments.df)
        return Distances(points, levels), means, np.sqrt(levels)

    def _block(self, rows: slice, columns: slice) -> NDArray[np.float64]:
        """Means and standard deviations, (2, rows, columns)."""
        distances, means, sizes = self._centred
        std, lost = distances(rows, columns)
        mean = np.subtract.outer(means[rows], means[columns])
        size = np.abs(mean)
        lost |= size < _LOST_DIGITS * np.add.outer(sizes[rows], sizes[columns])
        lost |= np.abs(std - size / self.moments.n_tested) <= _LOST_DIGITS * std
        first, second = np.nonzero(np.triu(lost, 1))
        step = max(1, _NUMBERS_AT_ONCE // self._values.shape[1])
        for start in range(0, len(first), step):
            part = first[start : start + step], second[start : start + step]
            differences = self._values[rows][part[0]] - self._values[columns][part[1]]
            mean[part] = differences.mean(axis=1)
            std[part] = self.moments.spread(differences, mean[part])
        return np.stack([mean, std])
