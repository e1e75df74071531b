"""SampleSums: standard errors of all pairs of candidates, from one matrix product."""

import hashlib
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare.stats._distances import Distances
from sklearn_stats_compare.stats._sample_scores import SampleScores
from sklearn_stats_compare.stats._sample_variance import SampleVariance, standard_errors, unit_of

_NUMBERS_AT_ONCE = 4_000_000


class SampleSums:
    """Standard errors of differences between some candidates, as distances of points.

    Candidates are points (`SampleVariance.coordinates`).

    Parameters
    ----------
    samples : SampleScores
        Values of the samples.
    variance : SampleVariance
        The squared standard error of a mean.
    candidates : ndarray of int, shape (m,)
        Candidates that are not missing; positions refer to this array.
    """

    def __init__(
        self, samples: SampleScores, variance: SampleVariance, candidates: NDArray[np.intp]
    ) -> None:
        self.samples, self.variance, self.candidates = samples, variance, candidates
        self._unit = unit_of(samples, candidates)

    @cached_property
    def _distances(self) -> Distances:
        """Distances of the candidates, in units."""
        m, values = len(self.candidates), self.samples.values
        # The first candidate is subtracted: a difference of two numbers is rounded relative to
        # itself, so that scores like 0.999999 ± 1e-9 lose no digits.
        first = values[self.candidates[:1]].astype(np.float64)
        step = max(1, _NUMBERS_AT_ONCE // first.size)
        points, levels = np.empty((m, self.variance.n_coordinates)), np.empty(m)
        for start in range(0, m, step):
            difference = values[self.candidates[start : start + step]] - first
            difference /= self._unit
            level = np.einsum("mri,mri->m", difference, difference)
            levels[start : start + step] = level / (first.size * self.variance.n_samples)
            points[start : start + step] = self.variance.coordinates(difference)
        return Distances(points, levels)

    def standard_errors(self, rows: slice, columns: slice) -> NDArray[np.float64]:
        """Standard errors of candidates `rows` minus `columns`, in score units."""
        errors, digits_lost = self._distances(rows, columns)
        errors *= self._unit
        lost = np.nonzero(digits_lost)
        first, second = self.candidates[rows][lost[0]], self.candidates[columns][lost[1]]
        pairs = first != second
        errors[lost[0][pairs], lost[1][pairs]] = standard_errors(
            self.samples, self.variance, first[pairs], second[pairs]
        )
        return errors

    def root(self) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
        """A square root, (u, r), of the products of distinct candidates, and the row of each one.

        Its rows times independent standard normal numbers are draws of the candidates' means, up to
        a common shift. Copies share a row, so that they are tied in every draw.
        """
        copies: dict[bytes, int] = {}
        number = np.array(
            [
                copies.setdefault(hashlib.blake2b(self.samples.values[c]).digest(), len(copies))
                for c in self.candidates
            ]
        )
        different = np.unique(number, return_index=True)[1]
        return self._distances.root(different) * self._unit, number
