"""SampleSums: standard errors of all pairs of candidates, from one product of matrices."""

import hashlib
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare.stats._sample_scores import SampleScores
from sklearn_stats_compare.stats._sample_variance import SampleVariance, standard_errors, unit_of

# A squared distance loses the digits by which it is below the squared lengths: with less than this
# share of them left it is computed from explicit differences. That keeps 10 digits.
_CLOSE = 1e-5
# The same for digits that are lost when candidates of very different level are centred.
_FAR_OFF = 1e-13
# Candidates whose products with all others are made at once.
ROWS_AT_ONCE = 128
_NUMBERS_AT_ONCE = 4_000_000


class SampleSums:
    """Standard errors of differences between some candidates, as distances of points.

    Candidates are points (`SampleVariance.coordinates`). Held are their products with each other,
    or the points themselves where these are fewer numbers.

    Parameters
    ----------
    samples : SampleScores
        Values per sample.
    variance : SampleVariance
        The squared standard error of a mean.
    candidates : ndarray of int, shape (m,)
        Candidates that are not missing; positions below refer to it.
    """

    def __init__(
        self, samples: SampleScores, variance: SampleVariance, candidates: NDArray[np.intp]
    ) -> None:
        self.samples, self.variance, self.candidates = samples, variance, candidates
        self._unit = unit_of(samples, candidates)
        # Squared size of what a point is centred from, of which a share is lost to rounding.
        self._levels = np.empty(len(candidates))

    @cached_property
    def _points(self) -> NDArray[np.float64]:
        """(m, columns), in units."""
        m, values = len(self.candidates), self.samples.values
        # Less what the first of them has: scores like 0.999999 ± 1e-9 lose no digits this way, as
        # the difference of two numbers is rounded relative to itself.
        first = values[self.candidates[:1]].astype(np.float64)
        step = max(1, _NUMBERS_AT_ONCE // first.size)
        points = np.empty((m, self.variance.n_coordinates))
        for start in range(0, m, step):
            difference = values[self.candidates[start : start + step]] - first
            difference /= self._unit
            level = np.einsum("mri,mri->m", difference, difference)
            self._levels[start : start + step] = level / (first.size * self.variance.n_samples)
            points[start : start + step] = self.variance.coordinates(difference)
        return points

    @cached_property
    def _products(self) -> NDArray[np.float64] | None:
        """Products of all points with each other, or None where the points are fewer numbers."""
        points = self._points
        if points.shape[1] <= len(points):
            return None
        products: NDArray[np.float64] = points @ points.T
        del self._points  # not needed any more, and the larger of the two
        return products

    @cached_property
    def _squares(self) -> NDArray[np.float64]:
        """Squared length of each point."""
        if self._products is not None:
            return self._products.diagonal().copy()
        points = self._points
        return np.einsum("mc,mc->m", points, points)

    def standard_errors(self, rows: slice, columns: slice) -> NDArray[np.float64]:
        """Standard errors of candidates `rows` minus `columns`, in score units."""
        if self._products is not None:
            found = -2 * self._products[rows, columns]
        else:
            found = -2 * self._points[rows] @ self._points[columns].T
        lengths = self._squares[rows, None] + self._squares[columns]
        found += lengths
        lengths *= _CLOSE
        lengths += _FAR_OFF * (self._levels[rows, None] + self._levels[columns])
        lost = np.nonzero(found < lengths)
        found[lost] = 0.0
        errors = np.sqrt(found, out=found)
        errors *= self._unit
        first, second = self.candidates[rows][lost[0]], self.candidates[columns][lost[1]]
        pairs = first != second
        errors[lost[0][pairs], lost[1][pairs]] = standard_errors(
            self.samples, self.variance, first[pairs], second[pairs]
        )
        return errors

    def root(self) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
        """A square root, (u, r), of the products of different candidates; and which each one is.

        Its rows times independent standard normal numbers are draws of the candidates' means, up to
        what they have in common. Copies are one row, so that they are tied in every draw.
        """
        copies: dict[bytes, int] = {}
        number = np.array(
            [
                copies.setdefault(hashlib.blake2b(self.samples.values[c]).digest(), len(copies))
                for c in self.candidates
            ]
        )
        different = np.unique(number, return_index=True)[1]
        if self._products is None:
            return self._points[different] * self._unit, number
        size, vectors = np.linalg.eigh(self._products[np.ix_(different, different)])
        kept = size > size.max(initial=0.0) * len(size) * np.finfo(float).eps
        root: NDArray[np.float64] = vectors[:, kept] * (np.sqrt(size[kept]) * self._unit)
        return root, number
