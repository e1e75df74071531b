"""Differences that a design can detect: power of the corrected t-test, and repeats needed."""

import warnings
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, special, stats

from sklearn_stats_compare.stats._scores import SplitScores

_MOST_REPEATS = 2**40
_SMALLEST = 5e-324
# The time of SciPy's non-central t is proportional to the non-centrality: hours for millions.
_LARGE_SHIFT = 100.0
_LARGEST_SHIFT = 1e8
_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(100)
_WEIGHTS /= _WEIGHTS.sum()
# SciPy warns if it finds no number, and numpy.errstate does not silence that. Warning filters are
# global to all threads: threads that restore them in the wrong order would leave ours in force.
_WARNINGS_LOCK = Lock()


def two_sided_power(shift: Any, df: Any, alpha: float) -> NDArray[np.float64]:
    """Probability that a two-sided t-test rejects.

    Parameters
    ----------
    shift : array-like of float
        True difference over its standard error: the non-centrality of t, ≥ 0.
    df : array-like of int
        Degrees of freedom.
    alpha : float
        Level of the test.

    Returns
    -------
    ndarray of float
        NaN if the critical value at this `df` and `alpha` is too large for a float.
    """
    shift, df = np.broadcast_arrays(np.asarray(shift, dtype=float), np.asarray(df, dtype=float))
    critical = stats.t.isf(_half_of(alpha), df)
    power = np.empty(shift.shape)
    far = (critical > _LARGE_SHIFT) | (shift > _LARGE_SHIFT)
    power[far] = _power_of_large_shift(shift[far], df[far], critical[far])
    near = ~far
    with _WARNINGS_LOCK, warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore", RuntimeWarning)
        above = stats.nct.sf(critical[near], df[near], shift[near])
        below = stats.nct.cdf(-critical[near], df[near], shift[near])
    # SciPy may return NaN for the other tail if it is negligible: below Φ(−4) = 3e-5, and below
    # alpha/2.
    nothing = np.isnan(below) & ((shift[near] > 4) | (alpha < 1e-4))
    power[near] = above + np.where(nothing, 0.0, below)
    lost = np.isnan(power)  # where it is close to 0 or to 1
    power[lost] = _power_of_large_shift(shift[lost], df[lost], critical[lost])
    return power


def _power_of_large_shift(
    shift: NDArray[np.float64], df: NDArray[np.float64], critical: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The power for a large shift or critical value, where SciPy's series does not converge.

    P(Z + shift > c·s) is the mean over the normal Z of the probability that s < (Z + shift)/c. As a
    function of Z this probability is smooth if c is large, and close to 1 if only the shift is.
    Accurate to 1e-9.
    """
    with np.errstate(invalid="ignore", over="ignore"):
        ends = [
            np.maximum(side * shift[:, None] + _NODES, 0.0) / critical[:, None] for side in (1, -1)
        ]
        below = [special.chdtr(df[:, None], df[:, None] * end**2) for end in ends]
    power = (below[0] + below[1]) @ _WEIGHTS
    return np.where(np.isinf(critical), np.nan, np.minimum(power, 1.0))


def _half_of(alpha: float) -> float:
    """Half of `alpha`, but above 0 for the smallest float."""
    return max(alpha / 2, _SMALLEST)


def detectable_difference(
    n_splits: float, test_train_ratio: float, *, power: float, alpha: float
) -> float:
    """True difference that the test detects with a given power, in standard deviations s of splits.

    From the non-central t with J − 1 degrees of freedom and non-centrality δ/(s·√(1/J + q)). The
    limit for infinitely many splits is (z_{1−α/2} + z_power)·√q: more repeats cannot detect less.

    Parameters
    ----------
    n_splits : float
        Number of splits J ≥ 2; infinity for the limit.
    test_train_ratio : float
        The ratio q = Σ n_test / Σ n_train.
    power : float
        Probability to detect the difference, above `alpha`.
    alpha : float
        Two-sided level of one test.

    Returns
    -------
    float
        NaN with fewer than two splits, or if only a difference above a hundred million standard
        errors could be detected (very few splits at a very small level).
    """
    if np.isinf(n_splits):
        return _normal_shift(power, alpha) * test_train_ratio**0.5
    df = n_splits - 1
    if df < 1 or np.isinf(test_train_ratio):
        return float("nan")
    # An upper bound by the union bound: s and the mean are each within their limits with
    # probability (1 + power)/2.
    unlikely = (1 - power) / 2
    widest = float(stats.t.isf(_half_of(alpha), df) * np.sqrt(stats.chi2.isf(unlikely, df) / df))
    highest = widest - float(special.ndtri(unlikely))

    def excess(shift: float) -> float:
        return float(two_sided_power(shift, df, alpha)) - power

    if not highest < _LARGEST_SHIFT:
        return float("nan")
    # For a power close to 1 or to alpha, rounding may hide the change of sign.
    if excess(highest) <= 0:
        shift = highest
    elif excess(0.0) >= 0:
        shift = 0.0
    else:
        shift = optimize.brentq(excess, 0.0, highest)
    return float(shift * np.sqrt(1 / n_splits + test_train_ratio))


def _normal_shift(power: float, alpha: float) -> float:
    """Shift of a normal statistic that a two-sided test detects with `power`."""
    critical = -float(special.ndtri(_half_of(alpha)))
    found = critical + float(special.ndtri(power))
    if power >= 0.5:  # the other tail is then negligible
        return found

    def excess(shift: float) -> float:
        return float(special.ndtr(shift - critical) + special.ndtr(-shift - critical)) - power

    return float(optimize.brentq(excess, 0.0, critical))


def repeats_needed(
    difference: NDArray[np.float64],
    n_folds: int,
    test_train_ratio: float,
    *,
    power: float,
    alpha: float,
) -> NDArray[np.float64]:
    """Smallest number of repeats of `n_folds` that detects each difference with a given power.

    Parameters
    ----------
    difference : ndarray of float
        True differences, in standard deviations s of the split differences.
    n_folds : int
        Number of folds of a repeat, ≥ 2.
    test_train_ratio, power, alpha : float
        As for `detectable_difference`.

    Returns
    -------
    ndarray of float
        Whole numbers; inf if the difference does not exceed the limit, NaN if it is NaN.
    """
    limit = detectable_difference(np.inf, test_train_ratio, power=power, alpha=alpha)

    def enough(repeats: NDArray[np.float64]) -> NDArray[np.bool_]:
        n_splits = repeats * n_folds
        with np.errstate(invalid="ignore"):
            shift = difference / np.sqrt(1 / n_splits + test_train_ratio)
        shift = np.where(np.isinf(difference), np.inf, shift)  # also if there is no training set
        return two_sided_power(shift, n_splits - 1, alpha) >= power

    high = np.ones_like(difference)
    beyond = (difference > limit) | np.isinf(difference)
    waiting = beyond & ~enough(high)
    while waiting.any():
        high = np.where(waiting, 2 * high, high)
        waiting &= ~enough(high) & (high < _MOST_REPEATS)
    low = np.where(high > 1, high / 2, 0.0)  # 0 repeats are never enough
    while (high - low > 1).any():
        middle = np.where(high - low > 1, np.floor((low + high) / 2), high)
        reached = enough(middle)
        low, high = np.where(reached, low, middle), np.where(reached, middle, high)
        low = np.where(low >= high, high - 1, low)
    return np.where(np.isnan(difference), np.nan, np.where(beyond, high, np.inf))


def repeats_of(scores: SplitScores) -> tuple[int, int] | str:
    """(Number of repeats, folds of each), or a text that says why repeats cannot be added."""
    design = scores.design
    if (design.repeat < 0).any():
        return "the repeats of the splits are not known"
    folds = np.bincount(design.repeat)
    if np.ptp(folds):
        return f"repeats differ in their number of folds, from {folds.min()} to {folds.max()}"
    if folds[0] < 2:
        return "a repeat needs at least two folds"
    if design.sizes_known and (design.n_test == 1).all():
        return "leave-one-out cannot be repeated: its splits are always the same"
    return len(folds), int(folds[0])
