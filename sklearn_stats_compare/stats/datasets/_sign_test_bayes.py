"""bayesian_sign_test(): shares of data sets on which one model is worse, equivalent and better."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from sklearn_stats_compare._messages import (
    check_interval,
    check_numbers,
    check_option,
    is_number,
    shown,
)
from sklearn_stats_compare.stats._limits import LARGEST, ROUNDING
from sklearn_stats_compare.stats._posterior import RopeProbabilities

_REGIONS = ("worse", "rope", "better")
# The trapezoid's error is below 1e-13 from 200 points on, for 1 to 10⁶ data sets.
_N_POINTS = 1_001
_BEYOND = 1e-18


@dataclass(frozen=True, eq=False)
class BayesianSignTestResult:
    """Result of `bayesian_sign_test`.

    Attributes
    ----------
    probabilities : RopeProbabilities
        Probability (worse, rope, better) that each region contains the largest share of the
        population of data sets. They sum to 1.
    shares : RopeProbabilities
        Posterior mean of each share: also the probability that the next data set is in the region.
    concentration : ndarray of float, shape (3,)
        Parameters of the Dirichlet posterior of the shares: counts plus prior.
    n_datasets : int
        Number of data sets.
    """

    probabilities: RopeProbabilities
    shares: RopeProbabilities
    concentration: NDArray[np.float64] = field(repr=False)
    n_datasets: int = field(repr=False)


def bayesian_sign_test(
    differences: ArrayLike,
    rope: float | tuple[float, float] = 0.0,
    *,
    prior_strength: float = 1.0,
    prior_place: str = "rope",
) -> BayesianSignTestResult:
    """Bayesian sign test of two models on several data sets.

    Parameters
    ----------
    differences : array-like of float, shape (n_datasets,)
        Difference in mean score on each data set, model 1 − model 2, in score units.
    rope : float or (float, float), default=0.0
        Region of practical equivalence, in score units: a half-width or (low, high). Differences
        on its boundary are inside, also those that differ from it only by rounding.
    prior_strength : float, default=1.0
        Number of pseudo-observations, ≥ 0. They need not be whole.
    prior_place : {"worse", "rope", "better"}, default="rope"
        Region of the pseudo-observations.

    Returns
    -------
    BayesianSignTestResult
        With `probabilities`, `shares` and `concentration`.

    Raises
    ------
    ValueError
        If `differences` is not a vector of at least one finite number, `rope` is not a region,
        `prior_strength` is negative or `prior_place` is unknown.

    Notes
    -----
    Each data set is in one region. The posterior of the shares of the regions is a Dirichlet
    distribution with the counts plus the prior as parameters. The probability that a share is the
    largest is an integral over one variable, because Dirichlet shares are independent gamma
    variables over their sum; it is computed without draws, to about 1e-12.

    baycomp's SignTest estimates the same probabilities from 50,000 draws. It adds 0.0001 to each
    parameter, and without a ROPE it divides by the probabilities of the two other regions.

    Valid for independent data sets from one population. The test ignores the sizes of the
    differences and their uncertainty. With no ROPE and the default prior, ties count for "rope", as
    does the pseudo-observation.

    References
    ----------
    Benavoli, A., Corani, G., Demšar, J. and Zaffalon, M. (2017). Time for a change: a tutorial
    for comparing multiple classifiers through Bayesian analysis. JMLR 18(77), 1–36.
    http://jmlr.org/papers/v18/16-305.html

    Examples
    --------
    One model is better by more than 0.01 on seven of ten data sets and worse on one:

    >>> from sklearn_stats_compare.stats.datasets import bayesian_sign_test
    >>> differences = [0.04, 0.02, 0.03, 0.05, 0.02, 0.02, 0.06, 0.004, -0.006, -0.03]
    >>> result = bayesian_sign_test(differences, rope=0.01)
    >>> print(*(f"{share:.3f}" for share in result.shares))
    0.091 0.273 0.636
    >>> print(f"{result.probabilities.better:.3f}")
    0.905

    The model is better on the next data set with probability 0.636. With probability 0.905, it is
    better on more data sets than in either other region.
    """
    values, low, high, rounding = checked_differences(differences, rope)
    strength = check_strength(prior_strength)
    check_option("prior_place", prior_place, _REGIONS)
    worse = np.count_nonzero(values < low - rounding)
    better = np.count_nonzero(values > high + rounding)
    concentration = np.array([worse, values.size - worse - better, better], dtype=float)
    concentration[_REGIONS.index(prior_place)] += strength
    shares = concentration / concentration.sum()
    return BayesianSignTestResult(
        probabilities=RopeProbabilities(*(float(p) for p in _largest(concentration))),
        shares=RopeProbabilities(*(float(p) for p in shares)),
        concentration=concentration,
        n_datasets=values.size,
    )


def checked_differences(
    differences: Any, rope: Any
) -> tuple[NDArray[np.float64], float, float, float]:
    """Differences, both limits of the ROPE, and the size of rounding error."""
    rule = "a vector of at least one finite number"
    values = check_numbers("differences", differences, rule)
    if values.ndim != 1 or not values.size or not (np.abs(values) <= LARGEST).all():
        raise ValueError(f"`differences` must be {rule}; got {shown(differences)}.")
    low, high = check_interval("rope", rope)
    return values, low, high, ROUNDING * float(np.abs(values).max())


def check_strength(strength: Any) -> float:
    """Return `prior_strength` as a float if it is a finite number ≥ 0, else raise ValueError."""
    if not (is_number(strength) and 0 <= strength <= LARGEST):
        raise ValueError(f"`prior_strength` must be a number ≥ 0; got {shown(strength)}.")
    return float(strength)


def _largest(concentration: NDArray[np.float64]) -> NDArray[np.float64]:
    """P(each share of a Dirichlet is the largest), by the trapezoidal rule on a log scale.

    The integrand, a gamma density times two distribution functions, is analytic and vanishes at
    both ends of the range, so that the rule converges faster than any power of its step.
    """
    largest = np.max(concentration)
    ends = special.gammaincinv(largest, _BEYOND), special.gammainccinv(largest, _BEYOND)
    log_x = np.linspace(np.log(ends[0]), np.log(ends[1]), _N_POINTS)
    x = np.exp(log_x)
    positive = concentration > 0  # a share with parameter 0 is 0
    a = concentration[positive, None]
    log_density = a * log_x - x - special.gammaln(a)
    below = special.gammainc(a, x)
    n = len(a)
    others = [np.prod(below[np.arange(n) != i], axis=0) for i in range(n)]
    found = np.zeros(concentration.size)
    found[positive] = np.sum(np.exp(log_density) * others, axis=1)
    return found / found.sum()
