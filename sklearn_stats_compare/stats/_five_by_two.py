"""The 5×2cv tests: Dietterich's paired t and Alpaydın's combined F."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from sklearn_stats_compare.stats._limits import ROUNDING
from sklearn_stats_compare.stats._scores import SplitScores
from sklearn_stats_compare.stats._splits import SplitDesign
from sklearn_stats_compare.stats._student import small_tail, standardise

N_REPEATS = 5
_F_DF = (10, 5)


@dataclass(frozen=True, eq=False)
class FiveByTwo:
    """Both tests for many pairs of candidates at once, each as first − second.

    Attributes
    ----------
    mean_diff : ndarray of float, shape (n_pairs,)
        Mean of the ten differences.
    first_diff : ndarray of float, shape (n_pairs,)
        Difference on the first split, the numerator of the t-test.
    std : ndarray of float, shape (n_pairs,)
        Root of the mean of the five variances, one for the two differences of each repeat.
    f_statistic : ndarray of float, shape (n_pairs,)
        Alpaydın's F with 10 and 5 degrees of freedom.

    Notes
    -----
    If the two differences of every repeat are equal, or almost equal, their spread is unknown. They
    count as two equal signs, with a two-sided p-value of 1/2.
    """

    mean_diff: NDArray[np.float64]
    first_diff: NDArray[np.float64]
    std: NDArray[np.float64]
    f_statistic: NDArray[np.float64]

    @classmethod
    def of(
        cls, scores: SplitScores, first: NDArray[np.intp], second: NDArray[np.intp]
    ) -> "FiveByTwo":
        """The tests of candidates `first` against `second` on five complementary halvings."""
        one, other = scores.comparable(first), scores.comparable(second)
        differences = one - other
        # Rounding error of scores that are equal.
        rounding = ROUNDING * np.maximum(np.abs(one), np.abs(other)).max(axis=1, keepdims=True)
        differences[np.abs(differences) <= rounding] = 0.0
        halves = differences.reshape(-1, N_REPEATS, 2)
        # (d1 − mean)² + (d2 − mean)² is half the squared difference of the two.
        within = halves[:, :, 0] - halves[:, :, 1]
        within[np.abs(within) <= rounding] = 0.0
        variances = within**2 / 2
        squares = (differences**2).sum(axis=1)
        std = np.sqrt(variances.mean(axis=1))
        f_statistic = standardise(squares, 2 * variances.sum(axis=1))
        size = np.sqrt(squares / (2 * N_REPEATS))
        constant = (std <= size / scores.n_tested) & (squares > 0)
        t_of_two_signs = float(special.stdtrit(N_REPEATS, 0.75))
        std = np.where(constant, np.abs(differences[:, 0]) / t_of_two_signs, std)
        f_statistic = np.where(constant, special.fdtri(*_F_DF, 0.5), f_statistic)
        return cls(
            mean_diff=differences.mean(axis=1),
            first_diff=differences[:, 0],
            std=std,
            f_statistic=f_statistic,
        )

    @property
    def t_statistic(self) -> NDArray[np.float64]:
        """Dietterich's t with 5 degrees of freedom; 0 if there is no difference."""
        return standardise(self.first_diff, self.std)

    def t_pvalue(self, alternative: str) -> NDArray[np.float64]:
        """p-values of the t-test."""
        statistic = self.t_statistic
        tail = small_tail(statistic, N_REPEATS)
        if alternative == "two-sided":
            return 2 * tail
        with_direction = statistic >= 0 if alternative == "greater" else statistic <= 0
        return np.where(with_direction, tail, 1 - tail)

    def f_pvalue(self) -> NDArray[np.float64]:
        """p-values of the F-test, which has no direction."""
        pvalue: NDArray[np.float64] = special.fdtrc(*_F_DF, self.f_statistic)
        return pvalue


def is_five_by_two(design: SplitDesign) -> bool:
    """Whether the splits are five pairs that swap two halves of the data."""
    return design.complementary_halves and design.n_splits == 2 * N_REPEATS
