"""Tails of Student's t and of the normal, limits of rounding, distances, and effective numbers."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

Numbers = NDArray[np.float64]

Places = NDArray[np.intp]
"""Positions in another array."""

Flags = NDArray[np.bool_]

LARGEST = 1e150
"""The largest absolute score that can be squared and summed."""

ROUNDING = 8 * float(np.finfo(np.float64).eps)
"""A standard deviation of at most this share of the largest score counts as zero."""

MANY = 10
"""As many independent errors show how far they vary; E of them have the standard error E/√E."""


def small_tail(z: Numbers, df: Any) -> Numbers:
    """P(T > |z|) for Student's t with `df` degrees of freedom; NaN where `df` is not positive.

    `df` is a number, or one for each `z`. The distribution function at −|z| keeps the digits of a
    small tail; 1 − cdf does not.
    """
    if np.ndim(df) == 0 and not df > 0:
        return np.full_like(z, np.nan)
    # stdtr is the Cephes routine of stats.t.cdf without its argument checks, which take longer than
    # the computation for few pairs.
    return special.stdtr(df, -np.abs(z))


def same_tail(t: Numbers, df: Any, other: Any) -> Numbers:
    """The t of `other` degrees of freedom that has the tail probability of `t` with `df`."""
    if np.ndim(df) == 0 and np.ndim(other) == 0 and df == other:
        return t
    found = np.copysign(special.stdtrit(other, small_tail(t, df)), t)
    return np.where(np.equal(df, other), t, found)


def standardise(difference: Numbers, std_err: Numbers) -> Numbers:
    """difference / std_err, with 0/0 = 0 and ±inf for any other difference over 0."""
    # An infinite limit of a ROPE is beyond even an infinite error.
    certain = (std_err == 0) | (np.isinf(difference) & np.isinf(std_err))
    limit = np.where(difference == 0, 0.0, np.copysign(np.inf, difference))
    with np.errstate(over="ignore"):  # overflow is ±inf
        return np.divide(difference, std_err, out=np.where(certain, limit, np.nan), where=~certain)


def two_sided_z(level: float) -> float:
    """The normal quantile of a two-sided interval of this level."""
    # From the small tail: (1 + level)/2 may round to 1, whose quantile is infinite.
    return float(-special.ndtri((1 - level) / 2))


def z_test(difference: float, variance: float, alternative: str) -> tuple[float, float]:
    """z and its p-value; z = 0 if there is no difference; ±inf and NaN if the variance is 0."""
    if variance == 0 and difference != 0:
        # Of sets with no errors or only errors, which say nothing of how errors vary.
        return float(np.copysign(np.inf, difference)), np.nan
    statistic = 0.0 if difference == 0 else difference / sqrt(variance)
    if alternative == "two-sided":
        # The small tail in both directions, never 1 − cdf.
        return statistic, min(1.0, 2 * float(special.ndtr(-abs(statistic))))
    return statistic, float(special.ndtr(-statistic if alternative == "greater" else statistic))


def parts(n: int, most: int) -> Iterator[slice]:
    """Consecutive slices of at most `most`, or of one, of `n`."""
    size = max(1, most)
    return (slice(start, min(start + size, n)) for start in range(0, n, size))


def effective_number(rows: Numbers) -> float:
    """Number of independent tests that correlated ones amount to, from 1 to their number.

    Parameters
    ----------
    rows : ndarray of float, shape (n_tests, n_values)
        Values whose means are tested. Rows without variation count as one test each.

    References
    ----------
    Li, J. and Ji, L. (2005). Adjusting multiple testing in multilocus analyses using the
    eigenvalues of a correlation matrix. Heredity 95, 221–227.
    https://doi.org/10.1038/sj.hdy.6800717
    """
    std = rows.std(axis=1)
    varies = std > 0
    n_constant = int((~varies).sum())
    if n_constant == len(rows):
        return float(max(1, n_constant))
    centred = rows[varies] - rows[varies].mean(axis=1, keepdims=True)
    centred /= std[varies, None]
    # The smaller of the two Gram matrices has the same eigenvalues other than 0.
    gram = centred @ centred.T if len(centred) <= centred.shape[1] else centred.T @ centred
    eigenvalues = np.linalg.eigvalsh(gram / centred.shape[1])
    # Rounding: 0.9999999999 of two identical rows would count for two tests, 1 and a fraction.
    eigenvalues = np.round(eigenvalues[eigenvalues > 0], 9)
    counted = (eigenvalues >= 1) + (eigenvalues - np.floor(eigenvalues))
    return max(1.0, n_constant + float(counted.sum()))


@dataclass(frozen=True)
class StatisticPair:
    """A test's statistic and p-value.

    Attributes
    ----------
    statistic : float
        The test's statistic.
    pvalue : float
        Its p-value.
    """

    statistic: float
    pvalue: float

    def __iter__(self) -> Iterator[float]:
        return iter((self.statistic, self.pvalue))


# A squared distance loses digits if it is small relative to the squared lengths. Below this share
# of them it is computed from explicit differences, which keeps 10 digits.
_LOST_BY_PRODUCTS = 1e-5

# The same for digits lost when points of very different level were centred.
_LOST_BY_CENTRING = 1e-13

# Rows of a table that are computed at once, and the numbers in them.
_ROWS_AT_ONCE = 128

_NUMBERS_AT_ONCE = 500_000


class Distances:
    """Distances between points; the matrix of products is stored if it is smaller than the points.

    Parameters
    ----------
    points : ndarray of float, shape (m, columns), or None
        One point per candidate.
    products : ndarray of float, shape (m, m), or None
        Their products, in place of the points.
    levels : ndarray of float, shape (m,)
        Squared size of each point before it was centred, which determines its rounding error.
    """

    def __init__(self, points: Numbers | None, products: Numbers | None, levels: Numbers) -> None:
        self._points, self._products, self._levels = points, products, levels
        self._squares: Numbers
        if products is None:
            assert points is not None
            self._squares = np.einsum("mc,mc->m", points, points)
        else:
            self._squares = products.diagonal().copy()

    @classmethod
    def of_points(cls, points: Numbers, levels: Numbers) -> "Distances":
        """Of points, or of their products if these are fewer numbers."""
        if points.shape[1] > len(points):
            return cls(None, points @ points.T, levels)
        return cls(points, None, levels)

    def __call__(self, rows: slice, columns: slice) -> tuple[Numbers, Flags]:
        """Distances of points `rows` from `columns`, and which of them are lost to rounding."""
        if self._products is not None:
            found = -2 * self._products[rows, columns]
        else:
            assert self._points is not None
            found = (-2 * self._points[rows]) @ self._points[columns].T
        lengths = self._squares[rows, None] + self._squares[columns]
        found += lengths
        lengths *= _LOST_BY_PRODUCTS
        lengths += _LOST_BY_CENTRING * (self._levels[rows, None] + self._levels[columns])
        lost: Flags = found < lengths
        found[lost] = 0.0
        return np.sqrt(found, out=found), lost

    def root(self, which: Places) -> Numbers:
        """A square root of the matrix of products of some points: rows with the same products."""
        if self._points is not None:
            return self._points[which]
        assert self._products is not None
        products = self._products[np.ix_(which, which)]
        scale = np.sqrt(products.diagonal())
        scale = np.where(scale > 0, scale, 1.0)
        # One point that is far away, as of a candidate that diverged, must not make those of the
        # others rounding errors.
        if scale.max(initial=1.0) < _FAR * scale.min(initial=1.0):
            scale[:] = 1.0
        size, vectors = np.linalg.eigh(products / np.multiply.outer(scale, scale))
        kept = size > size.max(initial=0.0) * len(size) * np.finfo(float).eps
        return scale[:, None] * vectors[:, kept] * np.sqrt(size[kept])


_FAR = 1e4


def ranked_pairs(m: int, chunk_size: int) -> Iterator[tuple[int, list[tuple[int, slice, slice]]]]:
    """Yield all pairs of ranks below `m`, row by row, in chunks: its size, and parts of rows.

    A part is the rank of the first candidate, those of the others, and the places of the pairs in
    the chunk. There is at least one chunk.
    """
    n_pairs = m * (m - 1) // 2
    i, j = 0, 1  # the next pair
    for start in range(0, max(n_pairs, 1), chunk_size):
        size, parts, done = min(chunk_size, n_pairs - start), [], 0
        while done < size:
            others = slice(j, min(m, j + size - done))
            places = slice(done, done + others.stop - j)
            parts.append((i, others, places))
            done, j = places.stop, others.stop
            if j == m:
                i, j = i + 1, i + 2
        yield size, parts


class Rows:
    """Rows of a table of all pairs; one block of rows is computed and stored at a time.

    Parameters
    ----------
    block : callable
        Maps slices of rows and of columns to numbers of shape (…, rows, columns).
    m : int
        Number of rows and of columns.
    """

    def __init__(self, block: Callable[[slice, slice], Numbers], m: int) -> None:
        self._block, self._m = block, m
        self._height = max(1, min(_ROWS_AT_ONCE, _NUMBERS_AT_ONCE // max(m, 1)))
        self._held, self._above = np.empty((0, 0)), -1

    def __call__(self, i: int, columns: slice) -> Numbers:
        """Columns behind `i` of row `i`."""
        # Blocks, and so their last bits, do not depend on the order in which rows are requested.
        above = i - i % self._height
        if self._above != above:
            rows = slice(above, min(above + self._height, self._m))
            self._held = np.empty((0, 0))  # frees the old block before the new one is computed
            self._held, self._above = self._block(rows, slice(above, self._m)), above
        return self._held[..., i - above, columns.start - above : columns.stop - above]
