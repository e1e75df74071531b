"""Means and standard deviations of split differences, and what constant differences are worth."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from sklearn_stats_compare.stats._scores import SplitScores


@dataclass(frozen=True)
class Moments:
    """Means and standard deviations of split differences, for scores of one design.

    Attributes
    ----------
    df : int
        Degrees of freedom, J − 1.
    variance_factor : float
        1/J + q.
    n_tested : float
        Number of samples that a split tests on, on average; infinite where unknown.
    n_signs : int
        Number of splits that a constant difference counts as equal signs.
    """

    df: int
    variance_factor: float
    n_tested: float
    n_signs: int

    @classmethod
    def of(cls, scores: SplitScores) -> "Moments":
        """Those of the design of `scores`."""
        design = scores.design
        return cls(
            df=design.n_splits - 1,
            variance_factor=design.variance_factor,
            n_signs=design.splits_per_repeat,
            n_tested=scores.n_tested,
        )

    def __call__(
        self, differences: NDArray[np.float64], threshold: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_]]:
        """Row means, standard deviations (ddof=1) and which rows are constant, in place."""
        mean = differences.mean(axis=1)
        if self.df < 1:  # one difference has no spread: nothing can be said of it
            nothing = np.full_like(mean, np.nan)
            return nothing, nothing, np.zeros(mean.shape, dtype=bool)
        std = self.spread(differences, mean)
        return mean, std, self.settle(mean, std, threshold)

    def spread(
        self, differences: NDArray[np.float64], mean: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Standard deviations of rows whose means are known, in place."""
        # np.var's own two passes, to the last bit, on the same buffer.
        np.subtract(differences, mean[:, None], out=differences)
        np.multiply(differences, differences, out=differences)
        std: NDArray[np.float64] = np.sqrt(differences.sum(axis=1) / self.df)
        return std

    def settle(
        self, mean: NDArray[np.float64], std: NDArray[np.float64], threshold: NDArray[np.float64]
    ) -> NDArray[np.bool_]:
        """Which differences are constant, their spread being set to what that is worth.

        Changes `mean` and `std`; what is not above `threshold` is rounding error, and zero.
        """
        std[std <= threshold] = 0.0
        size = np.abs(mean)
        mean[(std == 0) & (size <= threshold)] = 0.0
        # A mean over n samples varies by far more than a share 1/n of itself, unless its samples
        # are few and their counts happen to be equal: c/10 and c/11 where folds differ in size.
        constant: NDArray[np.bool_] = (std <= size / self.n_tested) & (mean != 0)
        if constant.any():
            std[constant] = np.maximum(std[constant], self._std_of_equal_signs * size[constant])
        return constant

    @property
    def _std_of_equal_signs(self) -> float:
        """Standard deviation, as a share of the mean, with which p is that of equal signs."""
        if not np.isfinite(self.variance_factor):
            return 1.0  # any: the standard error is infinite
        # 1e-300 rather than nothing for a thousand splits of one repeat (leave-one-out).
        t = float(stats.t.isf(max(2.0**-self.n_signs, 1e-300), self.df))
        return float(1 / (t * np.sqrt(self.variance_factor)))


def in_units(*arrays: NDArray[np.float64]) -> tuple[float, list[NDArray[np.float64]]]:
    """A power of two as unit, and the scores in it; 1 unless their squares would vanish."""
    largest = max((float(np.nanmax(np.abs(a), initial=0.0)) for a in arrays), default=0.0)
    if not 0 < largest < 1e-100:
        return 1.0, list(arrays)
    # Not below the smallest normal number: NumPy's division by others may overflow on the way.
    unit = max(float(2.0 ** np.floor(np.log2(largest))), float(np.finfo(float).tiny))
    return unit, [array / unit for array in arrays]
