"""Posterior: the Student t of a mean score difference, with its region of practical equivalence."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import optimize, stats

from sklearn_stats_compare._messages import (
    check_count,
    check_interval,
    check_numbers,
    check_probability,
    check_seed,
    is_number,
    shown,
)
from sklearn_stats_compare.stats._student import small_tail, standardise

_MOST_DRAWS = 10**10
_PAIRS_AT_ONCE = 20_000


class RopeProbabilities(NamedTuple):
    """Probabilities, summing to 1, that model 1 is worse, practically equivalent, or better."""

    worse: Any
    rope: Any
    better: Any


def rope_probabilities(
    loc: NDArray[np.float64], scale: NDArray[np.float64], df: Any, rope: tuple[float, float]
) -> RopeProbabilities:
    """Probabilities below, inside and above the ROPE for many posteriors at once.

    Each tail is evaluated on its small side, so neither tail, nor a ROPE far out in one of them,
    loses its digits. A point mass lies inside a ROPE whose boundary it touches.
    """
    n = np.size(loc)
    if n > _PAIRS_AT_ONCE:
        # A few at a time, whose dozen intermediate arrays a processor's cache holds.
        found = RopeProbabilities(*(np.empty(n) for _ in range(3)))
        for start in range(0, n, _PAIRS_AT_ONCE):
            part = slice(start, start + _PAIRS_AT_ONCE)
            own_df = df[part] if np.ndim(df) else df
            some = rope_probabilities(loc[part], scale[part], own_df, rope)
            for every, found_here in zip(found, some, strict=True):
                every[part] = found_here
        return found
    low, high = rope
    below = standardise(low - loc, scale)
    above = standardise(high - loc, scale)
    # A point mass on a boundary is inside: its outer tail is empty, not a half.
    below_tail = np.where((scale == 0) & (below == 0), 0.0, small_tail(below, df))
    above_tail = np.where((scale == 0) & (above == 0), 0.0, small_tail(above, df))
    worse = np.where(below <= 0, below_tail, 1 - below_tail)
    better = np.where(above >= 0, above_tail, 1 - above_tail)
    inside = _between(below, above, below_tail, above_tail)
    return RopeProbabilities(worse, np.maximum(inside, 0.0), better)


def _between(
    below: NDArray[np.float64],
    above: NDArray[np.float64],
    below_tail: NDArray[np.float64],
    above_tail: NDArray[np.float64],
) -> NDArray[np.float64]:
    """P(below ≤ T ≤ above) from the small tails of both ends, which keep their digits."""
    return np.where(
        below > 0,
        below_tail - above_tail,
        np.where(above < 0, above_tail - below_tail, 1 - below_tail - above_tail),
    )


@dataclass(frozen=True)
class Posterior:
    """Posterior distribution of the mean difference between two models, model 1 − model 2.

    With the corrected variance and a non-informative prior the posterior is Student's t. Its
    methods are those of a frozen SciPy distribution. Two identical candidates have `scale` 0:
    all probability at one point, and every method still answers.

    Parameters
    ----------
    df : float
        Degrees of freedom, n_splits − 1.
    loc : float
        Mean difference, in score units.
    scale : float
        Corrected standard error of the mean difference, in score units, ≥ 0.
    rope : float or (float, float), default=0.0
        Region of practical equivalence that `probabilities()` uses unless told otherwise: a
        half-width or (low, high), in score units.

    Raises
    ------
    ValueError
        If `df`, `loc` or `scale` is no number, `df` or `scale` is negative, or `rope` is not a
        half-width ≥ 0 or low ≤ high; of a method, if what it is given are no numbers.

    Notes
    -----
    Valid where the corrected t-test is: scores of both models on the same splits of one data set.
    It speaks of the mean score of the learning procedure for data sets like this one, not of the
    score of one fitted model. NaN parameters (a failed candidate, one split) give NaN.

    References
    ----------
    Corani, G. and Benavoli, A. (2015). A Bayesian approach for comparing cross-validated
    algorithms on multiple data sets. Machine Learning 100, 285–304.
    https://doi.org/10.1007/s10994-015-5486-z

    Benavoli, A., Corani, G., Demšar, J. and Zaffalon, M. (2017). Time for a change: a tutorial
    for comparing multiple classifiers through Bayesian analysis. JMLR 18(77), 1–36.
    http://jmlr.org/papers/v18/16-305.html

    Examples
    --------
    The best two candidates of scikit-learn's published example:

    >>> from sklearn_stats_compare import Posterior
    >>> posterior = Posterior(df=99, loc=0.01, scale=0.013327776619887863, rope=0.01)
    >>> print(*(f"{p:.3f}" for p in posterior.probabilities()))
    0.068 0.432 0.500
    >>> print(f"{posterior.sf(0):.3f}")
    0.773

    The first model scores higher with probability 0.773, but by more than 0.01 only with
    probability 0.5: nothing is decided.
    """

    df: float
    loc: float
    scale: float
    rope: float | tuple[float, float] = 0.0

    def __post_init__(self) -> None:
        # Below 1 SciPy's inverse is off by any amount, and there are no such splits.
        rules = {"df": "≥ 1, or 0 of one split", "loc": "a number", "scale": "≥ 0"}
        for name, rule in rules.items():
            value = getattr(self, name)
            beyond = name != "loc" and is_number(value) and value < 0
            if not is_number(value) or beyond or (name == "df" and 0 < value < 1):
                raise ValueError(f"`{name}` must be {rule}; got {shown(value)}.")
            if not isinstance(value, int):  # also of a fraction, which SciPy does not know
                object.__setattr__(self, name, float(value))
        if not _is_nan_pair(self.rope):
            object.__setattr__(self, "rope", check_interval("rope", self.rope))

    @property
    def _is_point(self) -> bool:
        return self.scale == 0

    @property
    def _student(self) -> Any:
        return stats.t(self.df, loc=self.loc, scale=self.scale)

    def pdf(self, x: ArrayLike) -> Any:
        """Probability density at `x`; for a point mass inf at the point and 0 elsewhere."""
        x = check_numbers("x", x)
        if self._is_point:
            return self._at_point(x, lambda x: np.where(x == self.loc, np.inf, 0.0))
        with _far_out():
            return self._student.pdf(x)

    def cdf(self, x: ArrayLike) -> Any:
        """P(difference ≤ x)."""
        x = check_numbers("x", x)
        if self._is_point:
            return self._at_point(x, lambda x: np.where(x >= self.loc, 1.0, 0.0))
        with _far_out():
            return self._student.cdf(x)

    def sf(self, x: ArrayLike) -> Any:
        """P(difference > x); for a small tail more accurate than ``1 - cdf(x)``."""
        x = check_numbers("x", x)
        if self._is_point:
            return self._at_point(x, lambda x: np.where(x < self.loc, 1.0, 0.0))
        with _far_out():
            return self._student.sf(x)

    def ppf(self, q: ArrayLike) -> Any:
        """Difference below which a share `q` of the probability lies; NaN outside [0, 1]."""
        q = check_numbers("q", q)
        if self._is_point:
            return self._at_point(q, lambda q: np.where((q >= 0) & (q <= 1), self.loc, np.nan))
        with _far_out():
            return self._student.ppf(q)

    def mean(self) -> float:
        """Mean of the distribution; as SciPy has it, infinite for one degree of freedom."""
        with _far_out():
            return self.loc if self._is_point else float(self._student.mean())

    def std(self) -> float:
        """Standard deviation; wider than `scale`, and infinite for two degrees of freedom."""
        with _far_out():
            return 0.0 if self._is_point else float(self._student.std())

    def rvs(self, size: int | tuple[int, ...] | None = None, random_state: Any = None) -> Any:
        """Random draws; a scalar without `size`, as SciPy's frozen distributions give."""
        if not isinstance(random_state, np.random.Generator):
            check_seed("random_state", random_state)
        if size is not None:
            for n in size if isinstance(size, tuple) else (size,):
                check_count("size", n, least=0, limit=_MOST_DRAWS)
        if self._is_point or np.isnan(self.loc) or np.isnan(self.scale) or not self.df > 0:
            constant = self.loc if self._is_point else float("nan")
            return constant if size is None else np.full(size, constant)
        with _far_out():
            return self._student.rvs(size=size, random_state=random_state)

    def interval(self, confidence: ArrayLike) -> tuple[Any, Any]:
        """Ends of the central region that holds a share `confidence`, in [0, 1], of probability."""
        share = check_numbers("confidence", confidence)
        if ((share < 0) | (share > 1)).any():
            raise ValueError(f"`confidence` must be in [0, 1]; got {shown(confidence)}.")
        tail = (1 - share) / 2
        return self.ppf(tail), self.ppf(1 - tail)

    def probabilities(self, rope: float | tuple[float, float] | None = None) -> RopeProbabilities:
        """Probabilities that model 1 is worse, practically equivalent, and better.

        Parameters
        ----------
        rope : float or (float, float), optional
            Half-width ≥ 0 or (low, high) in score units. Default: the posterior's own `rope`.

        Returns
        -------
        RopeProbabilities
            Named tuple (worse, rope, better) of floats: P(difference < low),
            P(low ≤ difference ≤ high), P(difference > high).
        """
        region: Any = self.rope if rope is None else check_interval("rope", rope)
        found = rope_probabilities(np.asarray(self.loc), np.asarray(self.scale), self.df, region)
        return RopeProbabilities(*(float(p) for p in found))

    def break_even_rope(self, probability: float = 0.95) -> float:
        """Half-width of the ROPE beyond which the pair counts as equivalent.

        Parameters
        ----------
        probability : float, default=0.95
            Probability, in (0, 1), that the ROPE must hold for the pair to count as equivalent.

        Returns
        -------
        float
            The half-width r, in score units, with P(−r ≤ difference ≤ r) = `probability`. A user
            to whom differences below r do not matter may treat the two models as equivalent.
        """
        probability = check_probability("probability", probability)
        distance = abs(self.loc)
        if self._is_point or not self.df > 0 or np.isnan(distance) or np.isnan(self.scale):
            return distance if self._is_point else float("nan")
        # In standard units, shifted by the distance so that no digits are lost when it is large.
        # The mass within ±r is at most P(T ≤ r − distance) and at least P(|T| ≤ r − distance).
        with _far_out():
            shift = float(np.divide(distance, self.scale))
        standard = stats.t(self.df)
        most = float(standard.isf((1 - probability) / 2))
        if np.isinf(self.scale) or np.isinf(most):
            return float("inf")
        if np.isinf(shift):
            return distance

        def lacking(u: float) -> float:
            ends = (np.asarray(-u - 2 * shift), np.asarray(u))
            return probability - float(_between(*ends, *(small_tail(z, self.df) for z in ends)))

        least = max(float(standard.ppf(probability)), -shift)
        if lacking(least) <= 0:  # the other tail is empty at double precision
            return float(distance + self.scale * least)
        while lacking(most) > 0:  # by rounding alone
            most += 1e-9 * (1 + most)
        # Of the smallest probabilities the ends may be hundreds of orders of magnitude apart.
        u = optimize.brentq(lacking, least, most, xtol=1e-14, maxiter=5000)
        with _far_out():
            return float(distance + np.multiply(self.scale, u))

    def _at_point(self, x: ArrayLike, value: Any) -> Any:
        """`value` where x is a number, NaN where it is not; a scalar for a scalar, as in SciPy."""
        x = np.asarray(x, dtype=float)
        return np.where(np.isnan(x), np.nan, value(x))[()]


def _far_out() -> np.errstate:
    """Where SciPy overflows on its way to what is right: 0, 1 or infinite far out, or NaN."""
    return np.errstate(over="ignore", invalid="ignore", divide="ignore", under="ignore")


def _is_nan_pair(rope: Any) -> bool:
    """A relative ROPE has no width where no candidate has a mean."""
    return (
        isinstance(rope, tuple)
        and len(rope) == 2
        and all(isinstance(v, float) and np.isnan(v) for v in rope)
    )
