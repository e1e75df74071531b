"""RankedMoments: means and spreads of the differences of all pairs, a row of them at a time."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare.stats._distances import Distances, Rows
from sklearn_stats_compare.stats._limits import ROUNDING
from sklearn_stats_compare.stats._moments import Moments, in_units
from sklearn_stats_compare.stats._scores import SplitScores

# Differences of all pairs, counted with their splits, below which explicit ones take no time.
_FEW = 50_000_000
# A mean of differences below this share of what it is made of has lost more than 10 digits, and a
# spread that is this near to that of equal counts may be on either side of it.
_LOST = 1e-6
# Explicit differences that are held at once, which a processor's cache holds too.
_NUMBERS_AT_ONCE = 100_000


class RankedMoments:
    """Moments of the differences between a candidate and those that are ranked below it.

    Those of many pairs come from products of matrices; from explicit differences where these have
    lost digits, which they would all have for scores like 0.999999 ± 1e-9, where there are few, and
    for the leader, whose rows are to be those of `PairedTTests.against` to the last bit.

    Parameters
    ----------
    scores : SplitScores
        The scores.

    Attributes
    ----------
    unit : float
        Unit of what is computed.
    moments : Moments
        Of the design of `scores`.
    """

    def __init__(self, scores: SplitScores) -> None:
        self.unit, (self._values,) = in_units(scores.comparable(scores.order))
        self.moments = Moments.of(scores)
        self._largest = np.abs(self._values).max(axis=1)
        m, n_splits = self._values.shape
        self._few = n_splits < 2 or m * (m - 1) // 2 * n_splits < _FEW
        self._rows = Rows(self._block, m)

    def __call__(
        self, i: int, others: slice
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_]]:
        """Means, standard deviations and which are constant, of row `i` minus rows `others`."""
        threshold = ROUNDING * np.maximum(self._largest[i], self._largest[others])
        if self._few or i == 0:
            return self.moments(self._values[i] - self._values[others], threshold)
        mean, std = self._rows(i, others)
        return mean, std, self.moments.settle(mean, std, threshold)

    @cached_property
    def _centred(self) -> tuple[Distances, NDArray[np.float64], NDArray[np.float64]]:
        """Distances that are standard deviations; means beside the leader; and sizes of these."""
        # Less what the leader has: the difference of two numbers is rounded relative to itself.
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
        lost |= size < _LOST * np.add.outer(sizes[rows], sizes[columns])
        lost |= np.abs(std - size / self.moments.n_tested) <= _LOST * std
        first, second = np.nonzero(np.triu(lost, 1))
        step = max(1, _NUMBERS_AT_ONCE // self._values.shape[1])
        for start in range(0, len(first), step):
            part = first[start : start + step], second[start : start + step]
            differences = self._values[rows][part[0]] - self._values[columns][part[1]]
            mean[part] = differences.mean(axis=1)
            std[part] = self.moments.spread(differences, mean[part])
        return np.stack([mean, std])
