"""Elimination by the values of samples: which candidates of a race are unlikely to win.

The score of a split is the mean of a value per test sample (`SampleScores`). The splits so far are
a simple random sample of the J columns of the table of scores, as for `SplitElimination`, and a
mean difference after n splits has the standard error τ·√(1/n − 1/J). Few splits estimate τ² badly,
but their many samples estimate the part of it that the choice of test samples causes: the variance
of a value over the size of a test set. The scores of the splits then show how much larger τ² is,
because all values of a split share a training set. This factor is the dispersion.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from sklearn_stats_compare.stats._effective_number import effective_number
from sklearn_stats_compare.stats._race_loop import Look
from sklearn_stats_compare.stats._student import small_tail, standardise

_LEVEL_OF_DISPERSION = 0.05
"""If the dispersion of a rival is significant, it has the few degrees of freedom of its splits."""
_ASSUMED_DISPERSION = 5.0
"""One degree of freedom of the dispersion is assumed: the first splits of few candidates may agree
by chance. With 0, races of two unstable models dropped the winner in 6 %, with 5 in 1 to 3 %."""
_ROUNDING = 8 * float(np.finfo(np.float32).eps)
"""Values are kept in single precision: smaller differences between them are rounding errors."""
_VALUES_AT_ONCE = 2_000_000
"""Numbers in double precision in memory at a time."""
_MOST_VALUES = 2000
"""Values per candidate from which the correlation of rivals is computed."""


@dataclass(frozen=True, eq=False)
class SampleElimination:
    """Drops candidates by the values of the samples tested so far.

    Parameters
    ----------
    values : callable
        ``values(candidate, position)`` returns the values of a candidate on the test samples of the
        split at this position of the race, in the order of `tests`.
    tests : sequence of ndarray of int
        Test samples of every split of the race, by position.
    n_candidates : int
        Number of candidates at the start of the race, m.
    strategy : {"pooled", "strict"}, default="pooled"
        With "pooled" the dispersion is the mean over all rivals, as if they were independent, or a
        rival's own if that is larger. With "strict" its degrees of freedom are those of one rival:
        if the leader is the unstable one, all rivals show the same few differences.
    overlap_ratio : float, optional
        Share n_test/n_train with which the race drops candidates that are worse on new data,
        instead of those that cannot win.
    """

    values: Callable[[int, int], NDArray[np.floating]]
    tests: Sequence[NDArray[np.intp]]
    n_candidates: int
    strategy: str = "pooled"
    overlap_ratio: float | None = None

    def pvalues(self, look: Look) -> NDArray[np.float64]:
        """p-value of each remaining candidate against having the best mean.

        Raises
        ------
        ValueError
            If a value is not finite although the score is.
        """
        n_alive, n = look.values.shape
        if n_alive < 2 or n < 2:
            return np.ones(n_alive)
        means = look.values.mean(axis=1)
        leader = int(np.argmax(means))
        rivals = np.delete(np.arange(n_alive), leader)
        of_samples, df_of_samples, thinned = self._variances(look, leader, rivals)
        n_tests = min(self.n_candidates - 1.0, effective_number(thinned))
        dispersion, df_of_splits = _dispersion(
            look.values[leader] - look.values[rivals],
            of_samples,
            n_tests if self.strategy == "pooled" else 1.0,
        )
        unknown = self._unknown(look)
        behind = means[leader] - means[rivals] + look.tolerance[rivals]
        std_err = np.sqrt(dispersion * of_samples * unknown)
        excess = 1 - 1 / dispersion  # the part of the variance that only scores of splits show
        df = 1 / (excess**2 / df_of_splits + (1 - excess) ** 2 / df_of_samples)
        adjusted = n_tests * small_tail(standardise(behind, std_err), df)
        # Without variation, n equal differences count as n equal signs.
        adjusted = np.where(of_samples == 0, n_tests * 2.0**-n, adjusted)
        found = np.ones(n_alive)
        found[rivals] = np.where(behind > 0, np.minimum(1.0, adjusted), 1.0)
        return found

    def _unknown(self, look: Look) -> float:
        """Variance of what is unknown of a mean, over that of the score of a split."""
        n, n_splits = look.positions.size, look.n_splits
        if self.overlap_ratio is not None:
            return 1 / n + self.overlap_ratio
        # The rest of the full mean; 1/n − 1/J if all test sets have the same size.
        seen = 1 / np.array([self.tests[p].size for p in look.positions])
        rest = 1 / np.array([test.size for test in self.tests[len(self.tests) - (n_splits - n) :]])
        variance = (1 / n - 1 / n_splits) ** 2 * seen.sum() + rest.sum() / n_splits**2
        return float(variance / seen.mean())

    def _variances(
        self, look: Look, leader: int, rivals: NDArray[np.intp]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Variance of the score of a split that its samples cause, its df, and values of rivals."""
        n_seen = np.unique(np.concatenate([self.tests[p] for p in look.positions])).size
        sizes = np.array([self.tests[p].size for p in look.positions])
        n_values = int(sizes.sum())
        best = self._values_of(int(look.rows[leader]), look.positions)
        low, high = best.copy(), best.copy()
        variance, fourth, largest = np.empty((3, rivals.size))
        thinned = []  # of all values, those of many candidates would not fit into memory
        step = max(1, _VALUES_AT_ONCE // n_values)
        for start in range(0, rivals.size, step):
            part = slice(start, start + step)
            rows = np.stack(
                [self._values_of(int(row), look.positions) for row in look.rows[rivals[part]]]
            )
            low, high = np.minimum(low, rows.min(axis=0)), np.maximum(high, rows.max(axis=0))
            differences = best - rows
            mean = differences.mean(axis=1, keepdims=True)
            rounding = _ROUNDING * np.maximum(np.abs(best), np.abs(rows))
            constant = (np.abs(differences - mean) <= rounding).all(axis=1)
            differences[constant] = mean[constant]
            thinned.append(differences[:, :: max(1, n_values // _MOST_VALUES)])
            variance[part] = np.where(constant, 0.0, differences.var(axis=1, ddof=1))
            fourth[part] = ((differences - mean) ** 4).mean(axis=1)
            largest[part] = np.abs(differences).max(axis=1)
        # A larger difference than those seen, such as a costly error, counts as seen once more.
        widest = (high - low).max()
        unseen = (variance > 0) & (largest < widest)
        variance += np.where(unseen, widest**2 - largest**2, 0.0) / n_values
        fourth += np.where(unseen, widest**4, 0.0) / n_values
        # Satterthwaite: the variance of a variance is (κ − 1)·σ⁴/n, where κ is the kurtosis. If few
        # samples decide, n values say little.
        kurtosis = np.divide(fourth, variance**2, out=np.ones_like(fourth), where=variance > 0)
        df = 2 * n_values / np.maximum(kurtosis - 1, 2 / n_values)
        return (
            variance * (1 / sizes).mean(),
            np.clip(df, 1, max(1, n_seen - 1)),
            np.concatenate(thinned),
        )

    def _values_of(self, row: int, positions: NDArray[np.intp]) -> NDArray[np.float64]:
        found = np.concatenate([self.values(row, int(p)) for p in positions]).astype(np.float64)
        if not np.isfinite(found).all():
            raise ValueError(f"`values` must be finite; got others for candidate {row}.")
        return found


def _dispersion(
    differences: NDArray[np.float64], expected: NDArray[np.float64], n_rivals: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How many times the variance of independent samples the scores of splits have, at least 1.

    It is the mean over all rivals, or a rival's own if that is larger.

    Parameters
    ----------
    differences : ndarray of float, shape (n_rivals, n_splits)
        Differences of scores.
    expected : ndarray of float, shape (n_rivals,)
        Their variances if samples were independent.
    n_rivals : float
        Number of independent rivals that the mean counts for.

    Returns
    -------
    dispersion, df : ndarray of float, shape (n_rivals,)
        The dispersion and its degrees of freedom.
    """
    n = differences.shape[1]
    found = differences.var(axis=1, ddof=1)
    ratio = np.divide(found, expected, out=np.ones_like(found), where=expected > 0)
    df = (n - 1) * n_rivals
    pooled = max(1.0, float(df * ratio.mean() + _ASSUMED_DISPERSION) / (df + 1))
    own = (ratio > pooled) & (special.chdtrc(n - 1, ratio * (n - 1)) < _LEVEL_OF_DISPERSION)
    return np.maximum(ratio, pooled), np.where(own, n - 1.0, df + 1)
