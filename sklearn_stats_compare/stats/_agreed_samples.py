"""What agreement on few samples can show: the smallest p-value and a posterior of a difference."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special, stats


def agreement_pvalue(
    mean_diff: NDArray[np.float64], n_samples: float, rope: tuple[float, float]
) -> NDArray[np.float64]:
    """Smallest p-values that a test of equivalence can have for differences of so few samples.

    Two models may differ in one direction only: one of them is right on every sample on which the
    other is right, and also on a further share δ. The number of differing samples is then binomial
    with n and δ, and no test of δ ≥ h can have a smaller p-value than P(Bin(n, h) ≤ n·mean_diff).
    For two models that agree on all samples it is (1 − h)ⁿ.

    Parameters
    ----------
    mean_diff : ndarray of float, shape (n_pairs,)
        Mean differences of scores to which a sample contributes at most 1/n.
    n_samples : float
        Number of different samples, n.
    rope : (float, float)
        The region of practical equivalence, (low, high).

    Returns
    -------
    ndarray of float, shape (n_pairs,)
        The larger of the p-values for the two limits of the ROPE. If n·mean_diff is not a whole
        number, the beta distribution interpolates the binomial one.
    """
    low, high = rope
    if low == -high:  # the nearer limit has the larger p-value
        return _not_below(np.abs(mean_diff), n_samples, high)
    return np.maximum(
        _not_below(mean_diff, n_samples, high), _not_below(-mean_diff, n_samples, -low)
    )


def _not_below(
    difference: NDArray[np.float64], n_samples: float, limit: float
) -> NDArray[np.float64]:
    """p-values of "the true difference is at least `limit`"."""
    share = min(abs(limit), 1.0)
    # Below zero the other model is ahead, and a larger count is further from the limit.
    differing = np.maximum(n_samples * (difference if limit >= 0 else -difference), 0.0)
    inside = np.minimum(differing, n_samples)
    with np.errstate(invalid="ignore"):
        if limit >= 0:
            found = special.betainc(n_samples - inside, inside + 1, 1 - share)
            return np.where(differing >= n_samples, 1.0, found)
        found = special.betainc(inside, n_samples - inside + 1, share)
        return np.where(differing == 0, 1.0, found)


def agreement_tail(distance: NDArray[np.float64], n_samples: float) -> NDArray[np.float64]:
    """P(difference > |distance|) for models that agree on all of n samples, by `AGREED`."""
    tail: NDArray[np.float64] = 0.5 * (1 - np.minimum(np.abs(distance), 1.0)) ** (n_samples + 1)
    return tail


def agreement_reach(tail: Any, n_samples: float) -> Any:
    """The difference h with (1 − h)ⁿ = `tail`: larger ones make agreement on n samples rarer."""
    with np.errstate(divide="ignore"):  # a level divided by a family may be 0, for a reach of 1
        return -np.expm1(np.log(tail) / n_samples)


class _Agreed(stats.rv_continuous):
    """Posterior of the difference of two models that agree on all of n samples.

    Either direction has probability 1/2. With a uniform prior of its size between 0 and 1, the size
    has a Beta(1, n + 1) distribution.
    """

    def _argcheck(self, n: ArrayLike) -> Any:
        return np.asarray(n) >= 0

    def _pdf(self, x: Any, n: Any) -> Any:
        return 0.5 * (n + 1) * (1 - np.abs(x)) ** n

    def _cdf(self, x: Any, n: Any) -> Any:
        tail = agreement_tail(x, n)
        return np.where(x < 0, tail, 1 - tail)

    def _sf(self, x: Any, n: Any) -> Any:
        return self._cdf(-x, n)

    def _ppf(self, q: Any, n: Any) -> Any:
        size = -np.expm1(np.log(2 * np.minimum(q, 1 - q)) / (n + 1))
        return np.copysign(size, q - 0.5)

    def _isf(self, q: Any, n: Any) -> Any:
        return -self._ppf(q, n)

    def _stats(self, n: Any) -> Any:
        return 0.0, 2 / ((n + 2) * (n + 3)), 0.0, None


AGREED = _Agreed(a=-1.0, b=1.0, name="agreed", shapes="n")
