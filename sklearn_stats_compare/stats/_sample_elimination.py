"""Elimination by the values of samples: which candidates of a race are unlikely to win.

The score of a split is the mean of a value per test sample (`SampleScores`). The full table has a
value for every sample in every repeat. The difference of two candidates on sample s in repeat r is
modelled as

    d_sr = δ + a_s + ε_sr,

where a_s is what the sample contributes in every repeat, and ε_sr what another training set
changes. After n splits, the race predicts the mean of all d_sr. It knows a_s of every sample tested
so far up to the mean of its ε_sr; this is why a race after one whole repeat knows more than a
random sample of as many values (finite-population prediction, Valliant, Dorfman and Royall, 2000).

Values of one split share a training set, which may shift all of them. The scores of the splits show
how much: their variance, relative to that which independent samples would have, is estimated over
all rivals, and for a single rival where its own is significantly larger.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special
from scipy.sparse import csr_array

from sklearn_stats_compare.stats._effective_number import effective_number
from sklearn_stats_compare.stats._race_loop import Look
from sklearn_stats_compare.stats._student import small_tail, standardise

_LEVEL_OF_DISPERSION = 0.05
"""A rival whose scores vary significantly more than independent samples has its own dispersion."""
_FEW_SPLITS = 5
"""With fewer, that test finds little, and every rival with a larger dispersion has its own."""
_ROUNDING = 8 * float(np.finfo(np.float32).eps)
"""Values are kept in single precision: smaller differences between them are rounding errors."""
_RARE = 0.25
"""Largest share of samples on which two candidates differ rarely; as for `SampleScores`."""
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
    new_data : bool, default=False
        The race drops candidates that are worse on new data, instead of those that cannot win.
    """

    values: Callable[[int, int], NDArray[np.floating]]
    tests: Sequence[NDArray[np.intp]]
    n_candidates: int
    new_data: bool = False

    def pvalues(self, look: Look) -> NDArray[np.float64]:
        """p-value of each remaining candidate against having the best mean."""
        n_alive, n = look.values.shape
        if n_alive < 2 or n < 2:
            return np.ones(n_alive)
        leader = int(np.argmax(look.values.mean(axis=1)))
        seen = _Seen(self.tests, look.positions)
        best = seen.of(self.values, int(look.rows[leader]))
        rivals = np.delete(np.arange(n_alive), leader)
        behind, variance, per_value = np.zeros((3, n_alive))
        thinned = []  # of all values, those of many candidates would not fit into memory
        step = max(1, _VALUES_AT_ONCE // seen.n_values)
        for start in range(0, rivals.size, step):
            part = rivals[start : start + step]
            rows = np.stack([seen.of(self.values, int(row)) for row in look.rows[part]])
            widest = max(rows.max(), best.max()) - min(rows.min(), best.min())
            differences = best - rows
            constant = np.ptp(differences, axis=1) <= _ROUNDING * np.abs(best).max()
            differences[constant] = differences[constant].mean(axis=1, keepdims=True)
            thinned.append(differences[:, :: max(1, seen.n_values // _MOST_VALUES)])
            behind[part], variance[part], per_value[part] = seen.predicted(
                differences, float(widest), new_data=self.new_data
            )
        dispersion = _dispersion(
            look.values[leader] - look.values[rivals], per_value[rivals] / seen.per_split
        )
        unknown = 1 / seen.n_values - (0 if self.new_data else 1 / seen.n_values_full)
        variance[rivals] += (dispersion - 1) * per_value[rivals] * unknown
        behind += look.tolerance
        found = small_tail(standardise(behind, np.sqrt(variance)), seen.n_samples - 1)
        # Without variation, n equal differences count as n equal signs.
        found = np.where((variance == 0) & (behind > 0), 2.0**-n, found)
        n_rivals = min(self.n_candidates - 1.0, effective_number(np.concatenate(thinned)))
        found = np.where(behind > 0, np.minimum(1.0, n_rivals * found), 1.0)
        found[leader] = 1.0
        return found


class _Seen:
    """The values seen after some splits, and what they say about the mean of all values."""

    def __init__(self, tests: Sequence[NDArray[np.intp]], positions: NDArray[np.intp]) -> None:
        self._positions = positions
        sizes = np.array([tests[p].size for p in positions])
        full = np.concatenate(tests)
        times = np.bincount(full)  # in the full table
        seen = np.concatenate([tests[p] for p in positions])
        known, column, b = np.unique(seen, return_inverse=True, return_counts=True)
        self._b, self._twice = b, b > 1
        self.n_samples, self.n_values, self.n_values_full = known.size, seen.size, full.size
        self.per_split = self.n_values / positions.size
        # The score of a split is its own mean: in smaller splits a value counts for more.
        self._scale = np.repeat(self.per_split / sizes, sizes)
        row = np.arange(self.n_values)
        self._to_means = csr_array((1 / b[column], (row, column)))
        self._in_twice = self._twice[column].astype(float)
        self._b_of_twice = np.where(self._twice, b, 0).astype(float)
        # The prediction weighs the mean of a sample by how often it is tested in all. Its error has
        # these factors of the variances of a_s and of ε_sr.
        full_size = self.n_values_full
        self._weight = times[known] / times[known].sum()
        unknown = np.delete(times, known) / full_size
        self._of_samples = ((self._weight - times[known] / full_size) ** 2).sum() + (
            unknown**2
        ).sum()
        self._of_training = (b * (self._weight / b - 1 / full_size) ** 2).sum() + (
            full_size - self.n_values
        ) / full_size**2
        self._of_samples_on_new_data = (self._weight**2).sum()
        self._of_training_on_new_data = (self._weight**2 / b).sum()

    def of(
        self, values: Callable[[int, int], NDArray[np.floating]], row: int
    ) -> NDArray[np.float64]:
        """The values of a candidate, whose mean is the mean of its scores."""
        found = np.concatenate([values(row, int(p)) for p in self._positions])
        return found.astype(np.float64) * self._scale

    def predicted(
        self, d: NDArray[np.float64], widest: float, *, new_data: bool
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Predict the mean of all values from those seen, (n_rivals, n_values).

        `widest` is the largest difference that two values can have. Returns the predictions, their
        variances if values are independent, and the variance of a value, each of shape (n_rivals,).
        """
        means = d @ self._to_means
        largest = np.abs(d).max(axis=1)
        per_value = d.var(axis=1, ddof=1)
        # Where candidates rarely differ, a larger difference may not have been seen, such as a
        # costly error: it counts as seen once more.
        is_rare = (d != 0).mean(axis=1) <= _RARE
        unseen = np.maximum(widest**2 - largest**2, 0) / self.n_values
        per_value = per_value + np.where(is_rare & (largest > 0), unseen, 0)
        of_training = per_value  # an upper limit
        if self._twice.any():
            # d² − b·mean² summed over the samples seen more than once.
            within = (d**2 @ self._in_twice) - (means**2 @ self._b_of_twice)
            # One more change than seen: where models rarely differ, the next may be the first.
            df = int((self._b[self._twice] - 1).sum())
            of_training = np.minimum(per_value, (np.maximum(within, 0) + largest**2) / (df + 1))
        factors = self._of_samples, self._of_training
        if new_data:
            factors = self._of_samples_on_new_data, self._of_training_on_new_data
        variance = (per_value - of_training) * factors[0] + of_training * factors[1]
        return means @ self._weight, variance, per_value


def _dispersion(
    differences: NDArray[np.float64], expected: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Variance of the scores of each rival relative to that of independent samples, at least 1."""
    n = differences.shape[1]
    found = differences.var(axis=1, ddof=1)
    ratio = np.divide(found, expected, out=np.ones_like(found), where=expected > 0)
    pooled = max(1.0, float(ratio.mean()))
    own = special.chdtrc(n - 1, ratio * (n - 1)) < _LEVEL_OF_DISPERSION
    own |= n < _FEW_SPLITS
    return np.where(own, np.maximum(ratio, pooled), pooled)
