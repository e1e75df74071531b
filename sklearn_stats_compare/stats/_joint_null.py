"""JointNull: draws of the t statistics of all pairs under the null hypothesis of equal means."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from sklearn_stats_compare.stats._corrected_t import PairedTTests
from sklearn_stats_compare.stats._numeric import ROUNDING, Flags, Numbers, Places, small_tail
from sklearn_stats_compare.stats._scores import SplitScores

# Numbers in one array at a time, small enough for the processor's cache.
_NUMBERS_AT_ONCE = 120_000

# Draws of means per batch. Another size would give other draws for the same seed.
_DRAWS_AT_ONCE = 2_000

# Candidates × draws of means in memory at a time.
_MEANS_AT_ONCE = 1_000_000

# Up to this many candidates statistics are drawn in double precision. With more, single precision
# saves time: 20,000 draws for 1,000 candidates take about half a minute.
_MOST_IN_DOUBLE = 200

# With fewer splits some drawn standard deviations are so small that single precision would lose
# them when it subtracts large squares.
_FEWEST_IN_SINGLE = 5


class JointNull:
    """Draws of the t statistics of all pairs of candidates, were their means equal.

    Each draw is a whole table of scores, C·G. C holds the split-centred scores, and G is a J × J
    matrix of independent standard normal numbers. The rows of a drawn table have the covariance of
    the candidates. As in the observed table, every pair has its own mean and standard deviation:
    T*_ij = mean/(sd/√J) of row i minus row j.

    J splits contain little information on the correlations of many candidates. Without shrinkage
    the test would reject too often: with 30 equal candidates on 5 to 30 splits, it would call some
    pair different in 7 to 11 % of cases at a nominal 5 %. The covariance is therefore shrunk, with
    Ledoit and Wolf's weight, towards that of independent candidates of equal variance. Among
    all-pairs comparisons of means, independence gives the largest maxima: a conjecture of Tukey and
    Kramer that Hayter (1989) proved for three means and for some correlations of more.

    Nadeau and Bengio's correction multiplies every standard error by the same factor. The observed
    statistics include it, and so the drawn ones need not. Flipping the signs of splits is not valid
    because the splits of one data set are not independent.

    Parameters
    ----------
    scores : SplitScores
        The scores, on at least two splits.
    rng : None, int or numpy.random.Generator
        Source of the draws; the same int gives the same draws, whatever the order of candidates.
    n_draws : int
        Number of draws.

    Attributes
    ----------
    candidates : ndarray of int, shape (m,)
        The candidates that are not missing, in rank order. Positions refer to this array.
    excluded : ndarray of bool, shape (m, m)
        Pairs that are not drawn: the diagonal, and pairs whose difference is constant up to
        rounding. `pvalue` accounts for them.

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
        self._scores = scores
        self._rng = rng
        self._df = scores.n_splits - 1
        single = len(self.candidates) > _MOST_IN_DOUBLE and scores.n_splits >= _FEWEST_IN_SINGLE
        self._dtype: Any = np.float32 if single else np.float64

    @cached_property
    def _shape(self) -> "CandidateShape":
        """The covariance between candidates; draws of means do not need it."""
        return CandidateShape.of(self._scores.comparable(self.candidates), self._df)

    @cached_property
    def excluded(self) -> Flags:
        """Pairs that are not drawn, shape (m, m)."""
        # Computed after shrinking, which may separate pairs that were close.
        shape = self._shape
        return close_pairs(shape.factor, rounding_limit(self._dtype), shape.own, shape.copy_of)

    def pvalue(
        self,
        statistic: Numbers,
        reached: Any,
        *,
        drawn: Any,
        n_undrawn: Any,
        df: Any,
        two_sided: bool,
    ) -> Numbers:
        """P(max T* ≥ statistic) over a family of pairs, for each statistic.

        A pair that differs but is `excluded` adds its own tail probability (Bonferroni's
        inequality). If no pair of the family differs, the p-value is 1.

        Parameters
        ----------
        statistic : ndarray of float, shape (n,)
            Observed statistics; larger is more extreme.
        reached : ndarray of int, shape (n,)
            Number of draws whose maximum over the family reaches the statistic; see `count`.
        drawn : bool or ndarray of bool, shape (n,)
            Whether the family has a pair that is drawn.
        n_undrawn : int or ndarray of int, shape (n,)
            Number of pairs in the family that differ but are not drawn.
        df : int or ndarray of float
            Degrees of freedom of these pairs.
        two_sided : bool
            Whether the maximum is taken over |T*|.
        """
        # An upper bound: the pair with the fewest degrees of freedom has the heaviest tail. It is
        # hardly conservative because few pairs are not drawn.
        tail = small_tail(statistic, np.min(df))
        own = np.where(statistic > 0, 2 * tail if two_sided else tail, 1.0)
        # (1 + count)/(1 + draws) includes the observed table as a draw under the null, so that no
        # p-value is 0 (Davison and Hinkley, 1997, section 4.2).
        # If nothing is drawn, the Monte Carlo term is 0; a count of 0 alone would give 1/20,001.
        p = np.where(drawn, (1 + reached) / (1 + self.n_draws), 0.0) + n_undrawn * own
        return np.where(np.logical_or(drawn, n_undrawn), np.minimum(p, 1.0), 1.0)

    def means(self, tests: PairedTTests) -> Iterator[Numbers]:
        """Yield draws of the means of equal candidates, (draws, candidates) per batch.

        The means are multivariate t: one χ² for a whole draw, whereas each of the statistics above
        has its own standard deviation. Shifted to the observed means they are draws from the joint
        posterior with a non-informative prior.

        Parameters
        ----------
        tests : PairedTTests
            The leader minus each candidate to draw, itself included. The drawn differences have
            the standard errors of these tests.
        """
        generator = np.random.default_rng(self._rng)
        spread = _spread(self._scores.comparable(tests.second), tests)
        # Copies must be tied exactly, but a matrix product may round equal rows differently.
        different, copy_of = np.unique(spread, axis=0, return_inverse=True)
        has_copies = len(different) < len(spread)
        root = (different if has_copies else spread).T
        width = max(1, _MEANS_AT_ONCE // len(spread))
        for start in range(0, self.n_draws, _DRAWS_AT_ONCE):
            n = min(_DRAWS_AT_ONCE, self.n_draws - start)
            # χ² is drawn before the normal numbers; the other order would change all draws.
            chi = np.sqrt(generator.chisquare(self._df, n))
            student = generator.standard_normal((spread.shape[1], n)) / chi
            for part in range(0, n, width):
                draws = student[:, part : part + width].T @ root
                # NumPy 2.0 returns the inverse of rows as a column.
                yield draws[:, copy_of.ravel()] if has_copies else draws

    def squares(self) -> Iterator[Numbers]:
        """Yield signed squares T*·|T*| of all pairs, row minus column, (draws, m, m) per batch.

        Excluded pairs are 0.
        """
        for table in self._tables(np.arange(len(self.candidates))):
            yield self._df * table.squares(slice(None), slice(None), self.excluded)

    def row_extremes(
        self, order: Places, *, everyone: bool = False
    ) -> Iterator[tuple[Numbers, Numbers]]:
        """Lowest and highest T* of the candidates before each one in `order`, minus that one.

        Parameters
        ----------
        order : ndarray of int, shape (m,)
            Positions in `candidates`.
        everyone : bool
            Whether to use all other candidates, not only those before it.

        Yields
        ------
        lowest, highest : ndarray of float, shape (draws, m)
            In `order`; clipped to at most 0 and at least 0. No p-value below a half depends on an
            extreme on the other side.
        """
        m = len(order)
        excluded = self.excluded[np.ix_(order, order)]
        height = max(1, _NUMBERS_AT_ONCE // m)
        for table in self._tables(order):
            low, high = np.zeros((2, len(table.mean), m), dtype=self._dtype)
            for start in range(0, m, height):
                rows = slice(start, min(m, start + height))
                before = slice(0, rows.stop)
                # The negative of row minus column: the column's candidate minus the row's.
                block = table.squares(rows, before, excluded[rows, before])
                block[:, :, rows] *= np.tri(rows.stop - start, k=-1, dtype=self._dtype)
                np.minimum(low[:, rows], -block.max(axis=2), out=low[:, rows])
                np.maximum(high[:, rows], -block.min(axis=2), out=high[:, rows])
                if everyone:
                    np.minimum(low[:, before], block.min(axis=1), out=low[:, before])
                    np.maximum(high[:, before], block.max(axis=1), out=high[:, before])
            lowest, highest = (np.sqrt(self._df * np.abs(end)) for end in (low, high))
            yield -lowest, highest

    def _tables(self, order: Places) -> "Iterator[_DrawnTables]":
        """Yield batches of drawn tables with the candidates in `order`.

        C = factor · Qᵀ, where Q is orthonormal with r columns. The means times √J are factor · z
        with z standard normal. The deviations have the covariance factor · W · factorᵀ, where W is
        an independent Wishart matrix of J − 1 degrees of freedom. Bartlett's triangle A with
        W = A·Aᵀ replaces J − 1 columns of normal numbers. Shrinkage adds an independent component
        for each candidate. It is part of the factor, or a separate draw if candidates outnumber
        splits.
        """
        shape = self._shape
        m, rank = shape.factor.shape
        factor, copy_of = shape.factor[order].astype(self._dtype), shape.copy_of[order]
        width = max(m, rank, self._df if shape.own else 0)
        at_once = max(1, _NUMBERS_AT_ONCE // (m * width))
        rng = np.random.default_rng(self._rng)  # an int restarts: every pass has the same draws
        diagonal = np.arange(rank)
        below = np.tri(rank, k=-1, dtype=self._dtype)
        # There are many small products: on a busy machine BLAS threads that wait for each other
        # take up to a hundred times as long as a single one.
        blas = ThreadpoolController()
        for start in range(0, self.n_draws, at_once):
            n = min(at_once, self.n_draws - start)
            z = rng.standard_normal((n, rank, 1), dtype=self._dtype)
            triangle = rng.standard_normal((n, rank, rank), dtype=self._dtype) * below
            chi_square = rng.chisquare(self._df - diagonal, (n, rank))
            triangle[:, diagonal, diagonal] = np.sqrt(chi_square)
            with blas.limit(limits=1, user_api="blas"):
                mean, deviations = factor @ z, factor @ triangle
                if shape.own:
                    own = rng.standard_normal((n, m, 1 + self._df), dtype=self._dtype)
                    own = own[:, copy_of] * self._dtype(shape.own)
                    own[:, :, :1] += mean
                    own[:, :, 1 : 1 + rank] += deviations
                    mean, deviations = own[:, :, :1], own[:, :, 1:]
                yield _DrawnTables(mean[:, :, 0], deviations)


def count(reached: Iterator[Flags], n: int) -> NDArray[np.int64]:
    """Count the draws that reach each statistic, given batches of shape (draws, n)."""
    counted = np.zeros(n, dtype=np.int64)
    for some in reached:
        counted += np.count_nonzero(some, axis=0)
    return counted


def critical_value_of_draws(pvalue: Callable[[float], float], alpha: float, high: float) -> float:
    """Largest statistic whose p-value is not below `alpha`, by bisection; inf if it exceeds `high`.

    Parameters
    ----------
    pvalue : callable
        The p-value of a statistic, which falls as the statistic grows.
    alpha : float
        Level.
    high : float
        A statistic that should be significant.
    """
    if not pvalue(high) < alpha:
        return float("inf")
    low = 0.0
    while low < (middle := (low + high) / 2) < high:
        low, high = (low, middle) if pvalue(middle) < alpha else (middle, high)
    return low


class _DrawnTables:
    """Means × √J of drawn tables, (draws, m), and deviations from them, (draws, m, r)."""

    def __init__(self, mean: NDArray[Any], deviations: NDArray[Any]) -> None:
        self.mean = mean
        # Squared distances |a|² + |b|² − 2ab of all pairs take one matrix product. Pairs for which
        # rounding would dominate are excluded.
        length = np.einsum("dmr,dmr->dm", deviations, deviations)[:, :, None]
        one = np.ones_like(length)
        self._left = np.concatenate([-2 * deviations, length, one], axis=2)
        self._right = np.concatenate([deviations, one, length], axis=2).transpose(0, 2, 1)

    def squares(self, rows: slice, columns: slice, excluded: Flags) -> NDArray[Any]:
        """(mean/|deviations|)², with the sign of the mean, of `rows` minus `columns`."""
        squared_lengths = self._left[:, rows] @ self._right[:, :, columns]
        where = np.nonzero(excluded)
        squared_lengths[:, where[0], where[1]] = np.inf
        np.maximum(squared_lengths, np.finfo(squared_lengths.dtype).tiny, out=squared_lengths)
        squares = self.mean[:, rows, None] - self.mean[:, None, columns]
        squares *= np.abs(squares)
        squares /= squared_lengths
        return squares


def _spread(values: Numbers, tests: PairedTTests) -> Numbers:
    """A square root of the joint posterior's scale times √(J − 1), one row per candidate.

    The split-centred scores, widened by the correction. If candidates differ from the leader by a
    constant, one more column gives these differences the standard errors of the posteriors of the
    pairs.
    """
    centred = values - values.mean(axis=1, keepdims=True)
    spread = centred * np.sqrt(tests.variance_factor)
    if not tests.constant.any():
        return spread
    # If training sets are almost empty, errors may be too large to be squared.
    largest = float(np.max(tests.std_err[tests.constant]))
    unit = 2.0**512 if largest > 1e150 else 1.0
    leader = tests.second == tests.first
    known = (((spread - spread[leader]) / unit) ** 2).sum(axis=1)
    lacking = np.where(tests.constant, (tests.std_err / unit) ** 2 * tests.df - known, 0.0)
    return np.column_stack([spread, unit * np.sqrt(np.maximum(lacking, 0.0))])


@dataclass(frozen=True, eq=False)
class CandidateShape:
    """The covariance between candidates that draws have, up to a constant.

    Attributes
    ----------
    factor : ndarray of float, shape (m, r)
        A square root of the covariance without the independent component of each candidate.
    own : float
        Standard deviation of the independent component of each candidate, which copies share; 0 if
        `factor` includes it.
    copy_of : ndarray of int, shape (m,)
        Number of the distinct candidate that each candidate equals up to a constant.
    """

    factor: Numbers
    own: float
    copy_of: Places

    @classmethod
    def of(cls, values: Numbers, df: int) -> "CandidateShape":
        """Shrink the covariance of scores, (m, J)."""
        centred = _centred(values)
        factor = _factor(centred, df)  # rounding might add a column
        # Copies up to a constant are one candidate, also after the covariance is shrunk.
        copies = close_pairs(factor, rounding_limit(np.float64))
        different, copy_of = np.unique(copies.argmax(axis=1), return_inverse=True)
        shrinkage, variance = _shrunk(centred[different])
        factor = np.sqrt(1 - shrinkage) * factor
        own = float(np.sqrt(shrinkage * variance))
        if len(values) <= df:  # then fewer numbers are drawn
            each = own * np.eye(len(different))[copy_of]
            return cls(_factor(np.hstack([factor, each])), 0.0, copy_of)
        return cls(factor, own, copy_of)


def _centred(values: Numbers) -> Numbers:
    """Split-centred scores in units of the largest, without the fold effect common to all.

    The common fold effect cancels in every difference. Without it the squared distances of pairs
    lose fewer digits.
    """
    centred = values - values.mean(axis=1, keepdims=True)
    centred -= centred.mean(axis=0)
    largest = np.abs(centred).max(initial=0.0)
    if largest <= ROUNDING * np.abs(values).max(initial=0.0):
        return np.zeros_like(centred)
    return centred / largest


def _factor(rows: Numbers, most: int | None = None) -> Numbers:
    """The fewest coordinates in which the rows have the same inner products."""
    left, singular, _ = np.linalg.svd(rows, full_matrices=False)
    threshold = singular.max(initial=0.0) * max(rows.shape) * np.finfo(float).eps
    rank = int((singular > threshold).sum())
    rank = rank if most is None else min(rank, most)
    return left[:, :rank] * singular[:rank]


def _shrunk(centred: Numbers) -> tuple[float, float]:
    """Shrinkage weight, and variance of the independent candidates that are the target.

    The weight is Ledoit and Wolf's estimate in the m − 1 dimensions of differences. The variance is
    J times that of a split, on the scale of the products of centred scores.
    """
    centred = centred - centred.mean(axis=0)
    m, n = centred.shape
    lengths = (centred**2).sum(axis=0)
    variance = lengths.sum() / max(m - 1, 1)
    squared_norm = ((centred.T @ centred) ** 2).sum() / n**2
    distance = squared_norm - (m - 1) * (variance / n) ** 2
    error = (lengths**2).sum() / n**2 - squared_norm / n
    if n == 2 and m > 2:  # two splits have one direction and no information on correlations
        return 1.0, float(variance)
    if not distance > 1e-12 * squared_norm:  # already independent, or a single pair
        return 0.0, 0.0
    return float(np.clip(error / distance, 0.0, 1.0)), float(variance)


def rounding_limit(dtype: Any) -> float:
    """Squared distance, as a share of the squared lengths, below which it is rounding error."""
    return 1e3 * float(np.finfo(dtype).eps)


def close_pairs(
    factor: Numbers, limit: float, own: float = 0.0, copy_of: Places | None = None
) -> Flags:
    """The diagonal, and pairs whose squared distance is at most `limit` of their squared lengths.

    `own` is the coordinate of each candidate's independent component, which copies share.
    """
    length = (factor**2).sum(axis=1) + own**2
    close = np.empty((len(factor), len(factor)), dtype=bool)
    for i, row in enumerate(factor):
        distance = ((factor - row) ** 2).sum(axis=1)
        if copy_of is not None:
            distance += 2 * own**2 * (copy_of != copy_of[i])
        close[i] = distance <= limit * (length + length[i])
    return close
