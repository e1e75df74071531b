"""SampleVariance: the squared standard error of a mean of per-sample differences."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare.stats._sample_scores import SampleScores

# Numbers in double precision in memory at a time.
_NUMBERS_AT_ONCE = 250_000


@dataclass(frozen=True)
class SampleVariance:
    """The squared standard error of the mean of d_ir, sample i in repeat r.

    Form "mean" is (1/n)·[s̄²·K/(K − 1) + ê²/R], with s̄² the mean over repeats of Var_i(d_ir) and
    ê² the mean over samples of Var_r(d_ir). Form "auc" is K/(K − 1)·[Var_i(d̄_i)/n + s_R²/R], with
    s_R² the variance of the means of the repeats. With one repeat, both assume
    ê² = `instability`·s̄².

    Attributes
    ----------
    form : {"mean", "auc"}
        Form of the variance.
    n_folds, n_repeats, n_samples : int
        K, R and n.
    instability : float
        Assumed ê²/s̄² if there is one repeat.
    times : float
        Multiplies the number of repeats R in the formula; may be infinite. Because each fold's area
        has its own pairs, repeats also reduce Var_i(d̄_i), by ê²·(1/R − 1/later). This can be
        estimated from two repeats; with one the variance is NaN.
    """

    form: str
    n_folds: int
    n_repeats: int
    n_samples: int
    instability: float
    times: float = 1.0

    @classmethod
    def of(cls, samples: SampleScores, instability: float, times: float = 1.0) -> "SampleVariance":
        """Return the variance for values of this form and shape."""
        shape = samples.n_folds, samples.n_repeats, samples.n_samples
        return cls(samples.form, *shape, instability, times)

    @property
    def _inflation(self) -> float:
        return self.n_folds / (self.n_folds - 1)

    def __call__(self, d: NDArray[np.float64]) -> NDArray[np.float64]:
        """Variance for differences (pairs, R, n), explicitly in two passes; overwrites `d`."""
        n, repeats = self.n_samples, self.n_repeats
        later = repeats * self.times
        if repeats > 1 and self.form == "auc":
            of_samples = d.mean(axis=1).var(axis=1, ddof=1)
            of_repeats = d.mean(axis=2).var(axis=1, ddof=1)
            if self.times != 1:
                # Not in `coordinates`, which represent sums: this is a difference.
                own = d - d.mean(axis=1, keepdims=True)
                # s_R² contains what all samples of a repeat share; Var_i(d̄_i) does not.
                own -= own.mean(axis=2, keepdims=True)
                anew = _sum_of_squares(own) / ((n - 1) * (repeats - 1))
                of_samples = np.maximum(of_samples - anew * (1 / repeats - 1 / later), 0.0)
            either: NDArray[np.float64] = self._inflation * (of_samples / n + of_repeats / later)
            return either
        if self.form == "auc" and self.times != 1:
            return np.full(len(d), np.nan)
        refits = None
        if repeats > 1:
            refits = _sum_of_squares(d - d.mean(axis=1, keepdims=True)) / (n * (repeats - 1))
        d -= d.mean(axis=2, keepdims=True)
        spread = _sum_of_squares(d) / (repeats * (n - 1))
        if refits is None:
            refits = self.instability * spread
        mean: NDArray[np.float64] = (spread * self._inflation + refits / later) / n
        return mean

    @property
    def n_coordinates(self) -> int:
        """Number of columns of `coordinates`."""
        n, repeats = self.n_samples, self.n_repeats
        if repeats > 1 and self.form == "auc":
            return n + repeats
        return n * repeats + repeats - 1

    def coordinates(self, d: NDArray[np.float64]) -> NDArray[np.float64]:
        """Vectors of candidates, (m, columns); squared distances are the variances of pairs.

        Overwrites the values, (m, R, n), from which a common part may have been subtracted. Both
        sums of squares of the form "mean" are over the same numbers. In Helmert's orthonormal
        coordinates, the first of which is the mean over repeats, they share all others, so that
        there are hardly more columns than numbers.
        """
        m, repeats, n = d.shape
        inflation, later = self._inflation, repeats * self.times
        if repeats == 1:
            d -= d.mean(axis=2, keepdims=True)
            d *= np.sqrt((inflation + self.instability / later) / (n * (n - 1)))
            return d[:, 0]
        if self.form == "auc":
            of_samples, of_repeats = d.mean(axis=1), d.mean(axis=2)
            of_samples -= of_samples.mean(axis=1, keepdims=True)
            of_repeats -= of_repeats.mean(axis=1, keepdims=True)
            of_samples *= np.sqrt(inflation / (n * (n - 1)))
            of_repeats *= np.sqrt(inflation / (repeats * (repeats - 1)))
            return np.concatenate([of_samples, of_repeats], axis=1)
        d = _helmert(repeats) @ d
        means = d.mean(axis=2, keepdims=True)
        d -= means
        within = inflation / (repeats * (n - 1) * n)
        between = 1 / (n**2 * later * (repeats - 1))
        d[:, 0] *= np.sqrt(within)
        d[:, 1:] *= np.sqrt(within + between)
        last = means[:, 1:, 0] * np.sqrt(between * n)
        return np.concatenate([d.reshape(m, -1), last], axis=1)


def unit_of(samples: SampleScores, candidates: NDArray[np.intp]) -> float:
    """A power of two as unit, 1 unless squares would underflow or overflow."""
    largest = float(samples.largest[candidates].max(initial=0.0))
    extreme = largest > 0 and not 1e-100 < largest < 1e100
    return float(2.0 ** np.floor(np.log2(largest))) if extreme else 1.0


def standard_errors(
    samples: SampleScores,
    variance: SampleVariance,
    first: NDArray[np.intp],
    second: NDArray[np.intp] | None,
) -> NDArray[np.float64]:
    """Standard errors of pairs of candidates that are not missing, from explicit differences.

    If `second` is None, standard errors of the means of candidates `first`.
    """
    found = np.empty(len(first))
    unit = unit_of(samples, first if second is None else np.union1d(first, second))
    # One candidate for all pairs, which is converted once.
    one = second is not None and len(first) > 0 and bool((first == first[0]).all())
    row = samples.values[first[:1]].astype(np.float64) if one else None
    step = max(1, _NUMBERS_AT_ONCE // (variance.n_repeats * variance.n_samples))
    for start in range(0, len(first), step):
        part = slice(start, start + step)
        d = samples.values[first[part]].astype(np.float64) if row is None else row
        if second is not None:
            d = d - samples.values[second[part]]
        if unit != 1.0:
            d /= unit
        found[part] = variance(d)
    errors: NDArray[np.float64] = np.sqrt(found, out=found)
    errors *= unit
    return errors


def _sum_of_squares(d: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum of squares of each pair, in an order that does not depend on the number of pairs."""
    flat = d.reshape(len(d), -1)
    squares: NDArray[np.float64] = np.multiply(flat, flat).sum(axis=1)
    return squares


def _helmert(n: int) -> NDArray[np.float64]:
    """An orthonormal matrix whose first row is constant."""
    matrix = np.tri(n, k=-1) - np.diag(np.arange(n, dtype=float))
    matrix[0] = 1.0
    rows: NDArray[np.float64] = matrix / np.sqrt((matrix**2).sum(axis=1, keepdims=True))
    return rows
