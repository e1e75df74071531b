"""Means and standard deviations of split differences, and the rule for constant differences."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from sklearn_stats_compare.stats._scores import SplitScores


@dataclass(frozen=True)
class Moments:
    """Means and standard deviations of split differences for scores of one design.

    Attributes
    ----------
    df : int
        Degrees of freedom, J − 1.
    variance_factor : float
        1/J + q.
    n_tested : float
        Mean number of test samples of a split; infinite if unknown.
    n_signs : int
        Number of equal signs as which a constant difference counts.
    """

    df: int
    variance_factor: float
    n_tested: float
    n_signs: int

    @classmethod
    def of(cls, scores: SplitScores) -> "Moments":
        """Return the settings for the design of `scores`."""
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
        """Return row means, standard deviations (ddof=1) and which rows are constant, in place."""
        mean = differences.mean(axis=1)
        if self.df < 1:  # one difference has no spread
            nothing = np.full_like(mean, np.nan)
            return nothing, nothing, np.zeros(mean.shape, dtype=bool)
        std = self.spread(differences, mean)
        return mean, std, self.set_constant_spread(mean, std, threshold)

    def spread(
        self, differences: NDArray[np.float64], mean: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return standard deviations of rows with known means, in place."""
        # The same two passes as np.var, bit-identical, without another buffer.
        np.subtract(differences, mean[:, None], out=differences)
        np.multiply(differences, differences, out=differences)
        std: NDArray[np.float64] = np.sqrt(differences.sum(axis=1) / self.df)
        return std

    def set_constant_spread(
        self, mean: NDArray[np.float64], std: NDArray[np.float64], threshold: NDArray[np.float64]
    ) -> NDArray[np.bool_]:
        """Return which differences are constant, and set their spread to that of equal signs.

        Changes `mean` and `std`; values up to `threshold` are rounding error and become zero.
        """
        std[std <= threshold] = 0.0
        size = np.abs(mean)
        mean[(std == 0) & (size <= threshold)] = 0.0
        # A mean over n samples varies by far more than 1/n of itself, unless there are few samples
        # and their counts happen to be equal, such as c/10 and c/11 in folds of different size.
        constant: NDArray[np.bool_] = (std <= size / self.n_tested) & (mean != 0)
        if constant.any():
            std[constant] = np.maximum(std[constant], self._std_of_equal_signs * size[constant])
        return constant

    @property
    def _std_of_equal_signs(self) -> float:
        """Standard deviation, relative to the mean, for which p is that of equal signs."""
        if not np.isfinite(self.variance_factor):
            return 1.0  # arbitrary, because the standard error is infinite
        # At least 1e-300: for a thousand splits of one repeat (leave-one-out) it would underflow.
        t = float(stats.t.isf(max(2.0**-self.n_signs, 1e-300), self.df))
        return float(1 / (t * np.sqrt(self.variance_factor)))


def in_units(*arrays: NDArray[np.float64]) -> tuple[float, list[NDArray[np.float64]]]:
    """Return a power of two and the scores in this unit; 1 unless their squares would underflow."""
    largest = max((float(np.nanmax(np.abs(a), initial=0.0)) for a in arrays), default=0.0)
    if not 0 < largest < 1e-100:
        return 1.0, list(arrays)
    # A normal number: NumPy's division by a subnormal one may overflow.
    unit = max(float(2.0 ** np.floor(np.log2(largest))), float(np.finfo(float).tiny))
    return unit, [array / unit for array in arrays]
