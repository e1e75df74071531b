"""JointNull: draws of the t statistics of all pairs under the hypothesis that nothing differs."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from sklearn_stats_compare.stats._scores import ROUNDING, SplitScores

# Numbers of one array that are held at once: small enough for the processor's cache.
_NUMBERS_AT_ONCE = 120_000
# Up to this many candidates statistics are drawn in double precision. Beyond it the time matters
# more: in single precision 20,000 draws for 1,000 candidates take about half a minute.
_MOST_IN_DOUBLE = 200
# On fewer splits the drawn standard deviations of some pairs are so small that single precision,
# which subtracts large squares, would lose them.
_FEWEST_IN_SINGLE = 5


class JointNull:
    """Draws of the t statistics of all pairs of candidates, were their means equal.

    Each draw is a whole table of scores, C·G: C holds the split-centred scores, G is a J × J matrix
    of independent standard normal numbers. A drawn table has the covariance between candidates
    that the scores have, and every pair in it has its own mean and its own standard deviation, as
    the observed pairs have: T*_ij = mean/(sd/√J) of row i minus row j.

    J splits say little of the correlations of many candidates: drawn as they stand, of 30 equal
    candidates on 5 to 30 splits some pair would be called different in 7 to 11 % of cases at a
    nominal 5 %. So the covariance is shrunk, by Ledoit and Wolf's estimate of how much, towards
    that of independent candidates of equal variance. Among comparisons of all pairs of means that
    is the one with the largest maxima: a conjecture of Tukey and Kramer that Hayter (1989) proved
    for three means and for some correlations of more.

    Nadeau and Bengio's correction multiplies every standard error by the same factor. It is in the
    observed statistics, so it need not be in the drawn ones. Flipping signs of splits would not do:
    the splits of one data set are not independent.

    Parameters
    ----------
    scores : SplitScores
        The scores, on at least two splits.
    rng : None, int or numpy.random.Generator
        Source of the draws; the same int gives the same draws, in whatever order the candidates
        come.
    n_draws : int
        Number of draws.

    Attributes
    ----------
    candidates : ndarray of int, shape (m,)
        The candidates that are not missing, in rank order. Positions below refer to it.
    excluded : ndarray of bool, shape (m, m)
        Pairs that are not drawn: the diagonal, and those whose difference is constant, or varies so
        little that rounding would decide. Whoever uses the draws accounts for them otherwise.

    References
    ----------
    Westfall, P. H. and Young, S. S. (1993). Resampling-Based Multiple Testing. Wiley.

    Ledoit, O. and Wolf, M. (2004). A well-conditioned estimator for large-dimensional covariance
    matrices. Journal of Multivariate Analysis 88, 365–411.
    https://doi.org/10.1016/S0047-259X(03)00096-4

    Hayter, A. J. (1989). Pairwise comparisons of generally correlated means. JASA 84, 208–213.
    https://doi.org/10.1080/01621459.1989.10478758
    """

    def __init__(self, scores: SplitScores, rng: Any, n_draws: int) -> None:
        self.candidates = scores.order[: scores.n_available]
        self.n_draws = n_draws
        self._rng = rng
        self._df = scores.n_splits - 1
        single = len(self.candidates) > _MOST_IN_DOUBLE and scores.n_splits >= _FEWEST_IN_SINGLE
        self._dtype: Any = np.float32 if single else np.float64
        centred = _centred(scores.comparable(self.candidates))
        factor = _factor(centred, self._df)  # by rounding alone it might have J columns
        # Copies, up to a constant, are one candidate: they stay so when the covariance is shrunk.
        copies = _close(factor, _limit(np.float64))
        different, self._copy_of = np.unique(copies.argmax(axis=1), return_inverse=True)
        shrinkage, variance = _shrunk(centred[different])
        self._factor = np.sqrt(1 - shrinkage) * factor
        self._own = float(np.sqrt(shrinkage * variance))
        if len(self.candidates) <= self._df:  # fewer numbers to draw than a table has
            own = self._own * np.eye(len(different))[self._copy_of]
            self._factor, self._own = _factor(np.hstack([self._factor, own])), 0.0
        # In the geometry that is drawn: what was close before it was shrunk need not be so now.
        self.excluded = _close(self._factor, _limit(self._dtype), self._own, self._copy_of)

    def squares(self) -> Iterator[NDArray[np.float64]]:
        """Signed squares T*·|T*| of all pairs, row minus column, (draws, m, m) at a time.

        Excluded pairs have 0.
        """
        for table in self._tables(np.arange(len(self.candidates))):
            yield self._df * table.squares(slice(None), slice(None), self.excluded)

    def row_extremes(
        self, order: NDArray[np.intp], *, everyone: bool = False
    ) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float64]]]:
        """Lowest and highest T* of the candidates before each one in `order`, minus that one.

        Parameters
        ----------
        order : ndarray of int, shape (m,)
            Positions in `candidates`.
        everyone : bool
            Of all other candidates, not only of those before it.

        Yields
        ------
        lowest, highest : ndarray of float, shape (draws, m)
            In `order`, at most and at least 0: no p-value below a half depends on an extreme on the
            other side.
        """
        m = len(order)
        excluded = self.excluded[np.ix_(order, order)]
        height = max(1, _NUMBERS_AT_ONCE // m)
        for table in self._tables(order):
            low, high = np.zeros((2, len(table.mean), m), dtype=self._dtype)
            for start in range(0, m, height):
                rows = slice(start, min(m, start + height))
                before = slice(0, rows.stop)
                # Row minus column: turned round, a column's candidate minus the row's.
                block = table.squares(rows, before, excluded[rows, before])
                block[:, :, rows] *= np.tri(rows.stop - start, k=-1, dtype=self._dtype)
                np.minimum(low[:, rows], -block.max(axis=2), out=low[:, rows])
                np.maximum(high[:, rows], -block.min(axis=2), out=high[:, rows])
                if everyone:
                    np.minimum(low[:, before], block.min(axis=1), out=low[:, before])
                    np.maximum(high[:, before], block.max(axis=1), out=high[:, before])
            lowest, highest = (np.sqrt(self._df * np.abs(end)) for end in (low, high))
            yield -lowest, highest

    def _tables(self, order: NDArray[np.intp]) -> Iterator["_DrawnTables"]:
        """Draw tables with the candidates in `order`, some at a time.

        With C = factor · Qᵀ (Q orthonormal, r columns), the means times √J are factor · z with z
        standard normal, and the deviations have the covariance factor · W · factorᵀ with W an
        independent Wishart matrix of J − 1 degrees of freedom. Bartlett's triangle A, W = A·Aᵀ,
        stands for J − 1 columns of normal numbers. What shrinking adds is each candidate's own:
        part of the factor, or drawn as a table of its own where candidates outnumber splits.
        """
        m, rank = self._factor.shape
        factor, copy_of = self._factor[order].astype(self._dtype), self._copy_of[order]
        width = max(m, rank, self._df if self._own else 0)
        at_once = max(1, _NUMBERS_AT_ONCE // (m * width))
        rng = np.random.default_rng(self._rng)  # an int begins anew: every pass has the same draws
        diagonal = np.arange(rank)
        below = np.tri(rank, k=-1, dtype=self._dtype)
        # The products are small and many: on a busy machine several BLAS threads that wait for each
        # other take up to a hundred times as long as one.
        blas = ThreadpoolController()
        for start in range(0, self.n_draws, at_once):
            n = min(at_once, self.n_draws - start)
            z = rng.standard_normal((n, rank, 1), dtype=self._dtype)
            triangle = rng.standard_normal((n, rank, rank), dtype=self._dtype) * below
            chi_square = rng.chisquare(self._df - diagonal, (n, rank))
            triangle[:, diagonal, diagonal] = np.sqrt(chi_square)
            with blas.limit(limits=1, user_api="blas"):
                mean, deviations = factor @ z, factor @ triangle
                if self._own:
                    own = rng.standard_normal((n, m, 1 + self._df), dtype=self._dtype)
                    own = own[:, copy_of] * self._dtype(self._own)
                    own[:, :, :1] += mean
                    own[:, :, 1 : 1 + rank] += deviations
                    mean, deviations = own[:, :, :1], own[:, :, 1:]
                yield _DrawnTables(mean[:, :, 0], deviations)


class _DrawnTables:
    """Means × √J of some drawn tables, (draws, m), and deviations from them, (draws, m, r)."""

    def __init__(self, mean: NDArray[Any], deviations: NDArray[Any]) -> None:
        self.mean = mean
        # Squared distances |a|² + |b|² − 2ab of all pairs are one matrix product. Where rounding
        # would spoil them the pair is excluded.
        length = np.einsum("dmr,dmr->dm", deviations, deviations)[:, :, None]
        one = np.ones_like(length)
        self._left = np.concatenate([-2 * deviations, length, one], axis=2)
        self._right = np.concatenate([deviations, one, length], axis=2).transpose(0, 2, 1)

    def squares(self, rows: slice, columns: slice, excluded: NDArray[np.bool_]) -> NDArray[Any]:
        """(mean/|deviations|)², with the sign of the mean, of `rows` minus `columns`."""
        squared_lengths = self._left[:, rows] @ self._right[:, :, columns]
        where = np.nonzero(excluded)
        squared_lengths[:, where[0], where[1]] = np.inf
        np.maximum(squared_lengths, np.finfo(squared_lengths.dtype).tiny, out=squared_lengths)
        squares = self.mean[:, rows, None] - self.mean[:, None, columns]
        squares *= np.abs(squares)
        squares /= squared_lengths
        return squares


def _centred(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Split-centred scores in units of the largest, less what all candidates share.

    The fold effect that all candidates share cancels in every difference: without it the squared
    distances of pairs lose fewer digits.
    """
    centred = values - values.mean(axis=1, keepdims=True)
    centred -= centred.mean(axis=0)
    largest = np.abs(centred).max(initial=0.0)
    if largest <= ROUNDING * np.abs(values).max(initial=0.0):
        return np.zeros_like(centred)
    scaled: NDArray[np.float64] = centred / largest
    return scaled


def _factor(rows: NDArray[np.float64], most: int | None = None) -> NDArray[np.float64]:
    """Coordinates, as few as possible, in which the rows have the same products."""
    left, singular, _ = np.linalg.svd(rows, full_matrices=False)
    threshold = singular.max(initial=0.0) * max(rows.shape) * np.finfo(float).eps
    rank = int((singular > threshold).sum())
    rank = rank if most is None else min(rank, most)
    factor: NDArray[np.float64] = left[:, :rank] * singular[:rank]
    return factor


def _shrunk(centred: NDArray[np.float64]) -> tuple[float, float]:
    """Weight and variance of the independent candidates towards which a covariance is shrunk.

    By Ledoit and Wolf's estimate, in the m − 1 dimensions of the candidates' differences. The
    variance is J times that of a split, as the products of centred scores are.
    """
    centred = centred - centred.mean(axis=0)
    m, n = centred.shape
    lengths = (centred**2).sum(axis=0)
    variance = lengths.sum() / max(m - 1, 1)
    squared_norm = ((centred.T @ centred) ** 2).sum() / n**2
    distance = squared_norm - (m - 1) * (variance / n) ** 2
    error = (lengths**2).sum() / n**2 - squared_norm / n
    if n == 2 and m > 2:  # two splits have a single direction, and say nothing of correlations
        return 1.0, float(variance)
    if not distance > 1e-12 * squared_norm:  # independent already, or a single pair
        return 0.0, 0.0
    return float(np.clip(error / distance, 0.0, 1.0)), float(variance)


def _limit(dtype: Any) -> float:
    """Squared distance, as a share of the squared lengths, below which rounding would decide."""
    return 1e3 * float(np.finfo(dtype).eps)


def _close(
    factor: NDArray[np.float64],
    limit: float,
    own: float = 0.0,
    copy_of: NDArray[np.intp] | None = None,
) -> NDArray[np.bool_]:
    """The diagonal, and pairs whose squared distance is at most `limit` of their lengths'.

    `own` is a coordinate that each candidate has for itself, up to copies.
    """
    length = (factor**2).sum(axis=1) + own**2
    close = np.empty((len(factor), len(factor)), dtype=bool)
    for i, row in enumerate(factor):
        distance = ((factor - row) ** 2).sum(axis=1)
        if copy_of is not None:
            distance += 2 * own**2 * (copy_of != copy_of[i])
        close[i] = distance <= limit * (length + length[i])
    return close
