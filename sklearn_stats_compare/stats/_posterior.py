"""Posterior: Student's t posterior of a mean score difference, and its ROPE probabilities."""

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
from sklearn_stats_compare.stats._agreed_samples import AGREED, agreement_tail
from sklearn_stats_compare.stats._student import small_tail, standardise

_MOST_DRAWS = 10**10
_PAIRS_AT_ONCE = 20_000


class RopeProbabilities(NamedTuple):
    """Probabilities, summing to 1, that model 1 is worse, practically equivalent, or better."""

    worse: Any
    rope: Any
    better: Any


def rope_probabilities(
    loc: NDArray[np.float64],
    scale: NDArray[np.float64],
    df: Any,
    rope: tuple[float, float],
    n_agreed: float = np.inf,
) -> RopeProbabilities:
    """Probabilities below, inside and above the ROPE for many posteriors at once.

    Each tail is evaluated on its small side, so that small probabilities keep their digits, also
    for a ROPE far out in a tail. A posterior with `scale` 0 is that of `n_agreed` samples on which
    two models agree, or a point mass if their number is infinite. A point mass on the boundary of a
    ROPE is inside.
    """
    n = np.size(loc)
    if n > _PAIRS_AT_ONCE:
        # In chunks whose dozen intermediate arrays fit in the processor's cache.
        found = RopeProbabilities(*(np.empty(n) for _ in range(3)))
        for start in range(0, n, _PAIRS_AT_ONCE):
            part = slice(start, start + _PAIRS_AT_ONCE)
            own_df = df[part] if np.ndim(df) else df
            some = rope_probabilities(loc[part], scale[part], own_df, rope, n_agreed)
            for every, found_here in zip(found, some, strict=True):
                every[part] = found_here
        return found
    low, high = rope
    below = standardise(low - loc, scale)
    above = standardise(high - loc, scale)
    below_tail, above_tail = small_tail(below, df), small_tail(above, df)
    same = scale == 0
    if not np.any(same):
        pass
    elif np.isinf(n_agreed):
        # A point mass on a boundary is inside: the outer tail is 0, not 1/2.
        below_tail = np.where(same & (below == 0), 0.0, below_tail)
        above_tail = np.where(same & (above == 0), 0.0, above_tail)
    else:
        below_tail = np.where(same, agreement_tail(low - loc, n_agreed), below_tail)
        above_tail = np.where(same, agreement_tail(high - loc, n_agreed), above_tail)
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
    """P(below ≤ T ≤ above), from the small tails at both ends, which keep their digits."""
    return np.where(
        below > 0,
        below_tail - above_tail,
        np.where(above < 0, above_tail - below_tail, 1 - below_tail - above_tail),
    )


@dataclass(frozen=True)
class Posterior:
    """Posterior distribution of the mean difference between two models, model 1 − model 2.

    With the corrected variance and a non-informative prior, the posterior is a Student t
    distribution. The class has the methods of a frozen SciPy distribution. Two candidates with the
    same score on every split have `scale` 0, and `n_agreed` determines the posterior.

    Parameters
    ----------
    df : float
        Degrees of freedom, n_splits − 1.
    loc : float
        Mean difference, in score units.
    scale : float
        Corrected standard error of the mean difference, in score units, ≥ 0.
    rope : float or (float, float), default=0.0
        Default region of practical equivalence for `probabilities()`: a half-width or
        (low, high), in score units.
    n_agreed : float, default=inf
        Number of samples, ≥ 0, on which two candidates with `scale` 0 agree. Not used for any other
        `scale`. If it is infinite, the posterior is a point mass at `loc`.

    Raises
    ------
    ValueError
        If `df`, `loc`, `scale` or `n_agreed` is not a number, `df`, `scale` or `n_agreed` is
        negative, or `rope` is neither a half-width ≥ 0 nor a pair low ≤ high. Methods raise
        ValueError if an argument is not a number.

    Notes
    -----
    The posterior is valid under the conditions of the corrected t-test: scores of both models on
    the same splits of one data set. It describes the difference in mean score between two learning
    procedures on data sets like this one, not between two fitted models. NaN parameters (a failed
    candidate, one split) give NaN.

    Two models that agree on n samples may still differ on others. Their difference may have either
    sign, with probability 1/2 each. With a uniform prior of its size between 0 and 1, the size has
    a Beta(1, n + 1) distribution, and is at least h with probability (1 − h)^(n + 1).

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
    The two best candidates of scikit-learn's published example:

    >>> from sklearn_stats_compare import Posterior
    >>> posterior = Posterior(df=99, loc=0.01, scale=0.013327776619887863, rope=0.01)
    >>> print(*(f"{p:.3f}" for p in posterior.probabilities()))
    0.068 0.432 0.500
    >>> print(f"{posterior.sf(0):.3f}")
    0.773

    The first model scores higher with probability 0.773, and by more than 0.01 with probability
    0.5: the comparison is undecided.
    """

    df: float
    loc: float
    scale: float
    rope: float | tuple[float, float] = 0.0
    n_agreed: float = np.inf

    def __post_init__(self) -> None:
        # No splits have `df` between 0 and 1, where SciPy's inverse is inaccurate.
        rules = {
            "df": "≥ 1, or 0 of one split",
            "loc": "a number",
            "scale": "≥ 0",
            "n_agreed": "≥ 0",
        }
        for name, rule in rules.items():
            value = getattr(self, name)
            beyond = name != "loc" and is_number(value) and value < 0
            if not is_number(value) or beyond or (name == "df" and 0 < value < 1):
                raise ValueError(f"`{name}` must be {rule}; got {shown(value)}.")
            if not isinstance(value, int):  # also a Fraction, which SciPy does not accept
                object.__setattr__(self, name, float(value))
        if not _is_nan_pair(self.rope):
            object.__setattr__(self, "rope", check_interval("rope", self.rope))

    @property
    def _is_point(self) -> bool:
        return self.scale == 0 and np.isinf(self.n_agreed)

    @property
    def _distribution(self) -> Any:
        if self.scale == 0:
            return AGREED(self.n_agreed, loc=self.loc)
        return stats.t(self.df, loc=self.loc, scale=self.scale)

    def pdf(self, x: ArrayLike) -> Any:
        """Probability density at `x`; a point mass is inf at its point and 0 elsewhere."""
        x = check_numbers("x", x)
        if self._is_point:
            return self._at_point(x, lambda x: np.where(x == self.loc, np.inf, 0.0))
        with _no_overflow_errors():
            return self._distribution.pdf(x)

    def cdf(self, x: ArrayLike) -> Any:
        """P(difference ≤ x)."""
        x = check_numbers("x", x)
        if self._is_point:
            return self._at_point(x, lambda x: np.where(x >= self.loc, 1.0, 0.0))
        with _no_overflow_errors():
            return self._distribution.cdf(x)

    def sf(self, x: ArrayLike) -> Any:
        """P(difference > x), which is more accurate than ``1 - cdf(x)`` for a small tail."""
        x = check_numbers("x", x)
        if self._is_point:
            return self._at_point(x, lambda x: np.where(x < self.loc, 1.0, 0.0))
        with _no_overflow_errors():
            return self._distribution.sf(x)

    def ppf(self, q: ArrayLike) -> Any:
        """Quantile at probability `q`; NaN outside [0, 1]."""
        q = check_numbers("q", q)
        if self._is_point:
            return self._at_point(q, lambda q: np.where((q >= 0) & (q <= 1), self.loc, np.nan))
        with _no_overflow_errors():
            return self._distribution.ppf(q)

    def mean(self) -> float:
        """Mean of the distribution; infinite for one degree of freedom, as in SciPy."""
        with _no_overflow_errors():
            return self.loc if self._is_point else float(self._distribution.mean())

    def std(self) -> float:
        """Standard deviation; larger than `scale`, and infinite for two degrees of freedom."""
        with _no_overflow_errors():
            return 0.0 if self._is_point else float(self._distribution.std())

    def rvs(self, size: int | tuple[int, ...] | None = None, random_state: Any = None) -> Any:
        """Random draws; a scalar without `size`, as in SciPy's frozen distributions."""
        if not isinstance(random_state, np.random.Generator):
            check_seed("random_state", random_state)
        if size is not None:
            for n in size if isinstance(size, tuple) else (size,):
                check_count("size", n, least=0, limit=_MOST_DRAWS)
        if self._is_point or np.isnan(self.loc) or np.isnan(self.scale) or not self.df > 0:
            constant = self.loc if self._is_point else float("nan")
            return constant if size is None else np.full(size, constant)
        with _no_overflow_errors():
            return self._distribution.rvs(size=size, random_state=random_state)

    def interval(self, confidence: ArrayLike) -> tuple[Any, Any]:
        """Limits of the central interval with probability `confidence` in [0, 1]."""
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
            Half-width ≥ 0 or (low, high) in score units. Default: `rope` of the posterior.

        Returns
        -------
        RopeProbabilities
            Named tuple (worse, rope, better) of floats: P(difference < low),
            P(low ≤ difference ≤ high), P(difference > high).
        """
        region: Any = self.rope if rope is None else check_interval("rope", rope)
        found = rope_probabilities(
            np.asarray(self.loc), np.asarray(self.scale), self.df, region, self.n_agreed
        )
        return RopeProbabilities(*(float(p) for p in found))

    def break_even_rope(self, probability: float = 0.95) -> float:
        """Smallest half-width of a ROPE at which the pair counts as equivalent.

        Parameters
        ----------
        probability : float, default=0.95
            Probability, in (0, 1), that the ROPE must contain for the pair to count as equivalent.

        Returns
        -------
        float
            The half-width r, in score units, with P(−r ≤ difference ≤ r) = `probability`. If
            differences below r do not matter, the two models may be treated as equivalent.
        """
        probability = check_probability("probability", probability)
        distance = abs(self.loc)
        if self._is_point or not self.df > 0 or np.isnan(distance) or np.isnan(self.scale):
            return distance if self._is_point else float("nan")
        if self.scale == 0:
            missing = lambda r: probability - self.probabilities(r).rope  # noqa: E731
            return float(optimize.brentq(missing, 0.0, distance + 1, xtol=1e-15))
        # In standard units, shifted by the distance so that a large distance loses no digits. The
        # probability within ±r is between P(|T| ≤ r − distance) and P(T ≤ r − distance).
        with _no_overflow_errors():
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
        if lacking(least) <= 0:  # the other tail is 0 in double precision
            return float(distance + self.scale * least)
        while lacking(most) > 0:  # only because of rounding
            most += 1e-9 * (1 + most)
        # For the smallest probabilities the bracket may span hundreds of orders of magnitude.
        u = optimize.brentq(lacking, least, most, xtol=1e-14, maxiter=5000)
        with _no_overflow_errors():
            return float(distance + np.multiply(self.scale, u))

    def _at_point(self, x: ArrayLike, value: Any) -> Any:
        """`value`, or NaN where x is NaN; a scalar for a scalar, as in SciPy."""
        x = np.asarray(x, dtype=float)
        return np.where(np.isnan(x), np.nan, value(x))[()]


def _no_overflow_errors() -> np.errstate:
    """Silence overflow in SciPy far out in a tail, where results are still correct."""
    return np.errstate(over="ignore", invalid="ignore", divide="ignore", under="ignore")


def _is_nan_pair(rope: Any) -> bool:
    """Whether a relative ROPE is undefined because no candidate has a mean."""
    return (
        isinstance(rope, tuple)
        and len(rope) == 2
        and all(isinstance(v, float) and np.isnan(v) for v in rope)
    )
