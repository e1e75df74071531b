"""Distances between many points, from one matrix product."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

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
    points : ndarray of float, shape (m, columns)
        One point per candidate.
    levels : ndarray of float, shape (m,)
        Squared size of each point before it was centred, which determines its rounding error.
    """

    def __init__(self, points: NDArray[np.float64], levels: NDArray[np.float64]) -> None:
        self._levels = levels
        m, n_columns = points.shape
        self._products = points @ points.T if n_columns > m else None
        self._points = points if self._products is None else None
        if self._products is None:
            self._squares: NDArray[np.float64] = np.einsum("mc,mc->m", points, points)
        else:
            self._squares = self._products.diagonal().copy()

    def __call__(
        self, rows: slice, columns: slice
    ) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
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
        lost: NDArray[np.bool_] = found < lengths
        found[lost] = 0.0
        return np.sqrt(found, out=found), lost

    def root(self, which: NDArray[np.intp]) -> NDArray[np.float64]:
        """A square root of the matrix of products of some points: rows with the same products."""
        if self._points is not None:
            return self._points[which]
        assert self._products is not None
        size, vectors = np.linalg.eigh(self._products[np.ix_(which, which)])
        kept = size > size.max(initial=0.0) * len(size) * np.finfo(float).eps
        root: NDArray[np.float64] = vectors[:, kept] * np.sqrt(size[kept])
        return root


class Rows:
    """Rows of a table of all pairs; one block of rows is computed and stored at a time.

    Parameters
    ----------
    block : callable
        Maps slices of rows and of columns to numbers of shape (…, rows, columns).
    m : int
        Number of rows and of columns.
    """

    def __init__(self, block: Callable[[slice, slice], NDArray[np.float64]], m: int) -> None:
        self._block, self._m = block, m
        self._height = max(1, min(_ROWS_AT_ONCE, _NUMBERS_AT_ONCE // max(m, 1)))
        self._held, self._above = np.empty((0, 0)), -1

    def __call__(self, i: int, columns: slice) -> NDArray[np.float64]:
        """Columns behind `i` of row `i`."""
        # Blocks, and so their last bits, do not depend on the order in which rows are requested.
        above = i - i % self._height
        if self._above != above:
            rows = slice(above, min(above + self._height, self._m))
            self._held = np.empty((0, 0))  # frees the old block before the new one is computed
            self._held, self._above = self._block(rows, slice(above, self._m)), above
        return self._held[..., i - above, columns.start - above : columns.stop - above]
