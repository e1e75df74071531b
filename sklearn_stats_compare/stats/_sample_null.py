"""SampleNull: the joint null distribution of the tests of per-sample differences."""

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from sklearn_stats_compare.stats._corrected_t import PairedTTests
from sklearn_stats_compare.stats._joint_null import JointNull
from sklearn_stats_compare.stats._sample_scores import SampleScores
from sklearn_stats_compare.stats._sample_sums import SampleSums
from sklearn_stats_compare.stats._sample_variance import SampleVariance
from sklearn_stats_compare.stats._scores import SplitScores

# Draws per batch. Another size would give other draws for the same seed.
_DRAWS_AT_ONCE = 1_000
# Numbers in one array at a time, small enough for the processor's cache.
_NUMBERS_AT_ONCE = 64_000
# Candidates × draws of means in memory at a time.
_MEANS_AT_ONCE = 500_000
# Below it Gaver and Kafadar's approximation is off by more than 1 % at z = 4.
_FEWEST_APPROXIMATED = 9
# Pairs whose error is a smaller share of their candidates' errors are not drawn: only three of the
# seven digits of single precision would remain.
_CLOSE = 1e-4


class SampleNull(JointNull):
    """Draws of the t statistics of all pairs, each with the standard error of its test.

    The means of candidates are drawn from a normal distribution. Its covariance reproduces the
    squared standard errors of all pairs: it has the sums of products of their per-sample values,
    including the variation of refits. The difference of a pair over its standard error is then
    standard normal. This z is converted to the t of n − 1 degrees of freedom with the same tail
    probability, so that a family of one pair has the p-value of that pair. The covariance is not
    shrunk because there are many samples.

    The conversion is Gaver and Kafadar's approximation t² = (n − 1)·(exp(g·z²) − 1), which is
    accurate to 0.1 % from 30 samples on.

    Parameters
    ----------
    scores : SplitScores
        The scores.
    samples : SampleScores
        Values of the samples.
    variance : SampleVariance
        The squared standard error of their mean.
    rng : None, int or numpy.random.Generator
        Source of the draws, as for `JointNull`.
    n_draws : int
        Number of draws.

    References
    ----------
    Gaver, D. P. and Kafadar, K. (1984). A retrievable recipe for inverse t. The American
    Statistician 38, 308–311.
    """

    def __init__(
        self,
        scores: SplitScores,
        samples: SampleScores,
        variance: SampleVariance,
        rng: Any,
        n_draws: int,
    ) -> None:
        super().__init__(scores, rng, n_draws)
        self._df = samples.n_samples - 1
        self._dtype = np.float64 if len(self.candidates) <= 200 else np.float32
        self._sums = SampleSums(samples, variance, self.candidates)
        self._level = samples.rounding * samples.root_mean_squares[self.candidates]

    @cached_property
    def _errors(self) -> NDArray[np.float64]:
        """Standard errors of all pairs, (m, m)."""
        every = slice(None)
        return self._sums.standard_errors(every, every)

    @cached_property
    def excluded(self) -> NDArray[np.bool_]:
        """Pairs that are not drawn, shape (m, m)."""
        n = self._df + 1
        own = self._errors[0]
        rounding = np.maximum(self._level[:, None], self._level) / n**0.5
        close: NDArray[np.bool_] = self._errors <= _CLOSE * np.hypot(own[:, None], own)
        close |= self._errors <= rounding
        np.fill_diagonal(close, True)
        return close

    @cached_property
    def _weights(self) -> NDArray[Any]:
        """1/standard error of every drawn pair, 0 for the others."""
        weights = np.zeros_like(self._errors)
        np.divide(1.0, self._errors, out=weights, where=~self.excluded)
        return weights.astype(self._dtype)

    @cached_property
    def _root(self) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
        return self._sums.root()

    def means(self, tests: PairedTTests) -> Iterator[NDArray[np.float64]]:
        """Yield draws of the means of equal candidates, (draws, candidates) per batch.

        Multivariate t of n − 1 degrees of freedom, one χ² for a whole draw; see `JointNull.means`.
        """
        generator = np.random.default_rng(self._rng)
        root, copy_of = self._root
        position = np.empty(self._scores.n_candidates, dtype=np.intp)
        position[self.candidates] = np.arange(len(self.candidates))
        which = copy_of[position[tests.second]]
        # If candidates differ from the leader by a constant, one more number gives these
        # differences the standard errors of the posteriors of the pairs.
        own_error = np.where(tests.constant, tests.std_err, 0.0)
        width = max(1, _MEANS_AT_ONCE // len(which))
        for start in range(0, self.n_draws, _DRAWS_AT_ONCE):
            n = min(_DRAWS_AT_ONCE, self.n_draws - start)
            chi = np.sqrt(generator.chisquare(self._df, n) / self._df)
            student = generator.standard_normal((root.shape[1] + 1, n)) / chi
            for part in range(0, n, width):
                some = student[:, part : part + width].T
                draws = (some[:, :-1] @ root.T)[:, which]
                if tests.constant.any():
                    draws += some[:, -1:] * own_error
                yield draws

    def squares(self) -> Iterator[NDArray[np.float64]]:
        """Yield signed squares T*·|T*| of all pairs, row minus column, (draws, m, m) per batch."""
        m = len(self.candidates)
        at_once = max(1, _NUMBERS_AT_ONCE // m**2)
        for drawn in self._drawn_means():
            for start in range(0, drawn.shape[1], at_once):
                z = drawn[:, start : start + at_once].T
                pairs = (z[:, :, None] - z[:, None, :]) * self._weights
                yield np.copysign(self._squared_t(pairs), pairs)

    def row_extremes(
        self, order: NDArray[np.intp], *, everyone: bool = False
    ) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float64]]]:
        """Lowest and highest T* of the candidates before each one in `order`, minus that one.

        See `JointNull.row_extremes`.
        """
        m = len(order)
        weights = np.ascontiguousarray(self._weights[np.ix_(order, order)])
        for drawn in self._drawn_means():
            z = np.ascontiguousarray(drawn[order])
            low, high = np.zeros((2, m, z.shape[1]), dtype=self._dtype)
            height = max(1, _NUMBERS_AT_ONCE // z.shape[1])
            buffer = np.empty((height, z.shape[1]), dtype=self._dtype)
            for i in range(1, m):
                for start in range(0, i, height):
                    before = slice(start, min(i, start + height))
                    pairs = buffer[: before.stop - start]
                    np.subtract(z[before], z[i], out=pairs)
                    np.multiply(pairs, weights[before, i, None], out=pairs)
                    np.minimum(low[i], pairs.min(axis=0), out=low[i])
                    np.maximum(high[i], pairs.max(axis=0), out=high[i])
                    if everyone:
                        np.negative(pairs, out=pairs)
                        np.minimum(low[before], pairs, out=low[before])
                        np.maximum(high[before], pairs, out=high[before])
            lowest, highest = (np.sqrt(self._squared_t(end.T.astype(float))) for end in (low, high))
            yield -lowest, highest

    def _drawn_means(self) -> Iterator[NDArray[Any]]:
        """Yield means of the candidates, (m, draws) per batch."""
        root, copy_of = self._root
        generator = np.random.default_rng(self._rng)  # an int restarts: every pass is the same
        for start in range(0, self.n_draws, _DRAWS_AT_ONCE):
            n = min(_DRAWS_AT_ONCE, self.n_draws - start)
            drawn = root @ generator.standard_normal((root.shape[1], n))
            yield drawn.astype(self._dtype)[copy_of]

    def _squared_t(self, z: NDArray[Any]) -> NDArray[Any]:
        """The square of the t with the same tail probability as the standard normal z."""
        df = self._df
        if df < _FEWEST_APPROXIMATED:
            exact: NDArray[Any] = special.stdtrit(df, special.ndtr(-np.abs(z))) ** 2
            return exact
        squares = z * z
        squares *= (df - 1.5) / (df - 1) ** 2
        np.expm1(squares, out=squares)
        squares *= df
        return squares
