"""What a design can detect: the power of the two-sided corrected t-test, and what repeats buy."""

import warnings
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, special, stats

from sklearn_stats_compare.stats._scores import SplitScores

_MOST_REPEATS = 2**40
_SMALLEST = 5e-324
# SciPy's non-central t takes time in proportion to its non-centrality, hours for millions.
_FAR = 100.0
_TOO_FAR = 1e8
_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(100)
_WEIGHTS /= _WEIGHTS.sum()
# Python's warning filters belong to all threads: two that put them back in the wrong order would
# leave ours in force. SciPy warns here where it finds no number, and numpy.errstate does not help.
_FILTERING = Lock()


def two_sided_power(shift: Any, df: Any, alpha: float) -> NDArray[np.float64]:
    """Probability that a two-sided t-test rejects.

    Parameters
    ----------
    shift : array-like of float
        True difference divided by its standard error: the non-centrality of t, ≥ 0.
    df : array-like of int
        Degrees of freedom.
    alpha : float
        Level of the test.

    Returns
    -------
    ndarray of float
        NaN where a t of so few degrees of freedom has no critical value that a float can hold.
    """
    shift, df = np.broadcast_arrays(np.asarray(shift, dtype=float), np.asarray(df, dtype=float))
    critical = stats.t.isf(_tail_of(alpha), df)
    power = np.empty(shift.shape)
    far = (critical > _FAR) | (shift > _FAR)
    power[far] = _power_far_out(shift[far], df[far], critical[far])
    near = ~far
    with _FILTERING, warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore", RuntimeWarning)
        above = stats.nct.sf(critical[near], df[near], shift[near])
        below = stats.nct.cdf(-critical[near], df[near], shift[near])
    # SciPy may return NaN for the other tail where it is next to nothing: less than Φ(−4) = 3e-5,
    # and less than alpha/2.
    nothing = np.isnan(below) & ((shift[near] > 4) | (alpha < 1e-4))
    power[near] = above + np.where(nothing, 0.0, below)
    lost = np.isnan(power)  # where it is next to 0 or to 1
    power[lost] = _power_far_out(shift[lost], df[lost], critical[lost])
    return power


def _power_far_out(
    shift: NDArray[np.float64], df: NDArray[np.float64], critical: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The same where the shift or the critical value is large, for which SciPy's series has no end.

    P(Z + shift > c·s) is the mean over the normal Z of the probability that s < (Z + shift)/c; as a
    function of Z that is smooth where c is large, and next to 1 where only the shift is. To 1e-9.
    """
    with np.errstate(invalid="ignore", over="ignore"):
        ends = [
            np.maximum(side * shift[:, None] + _NODES, 0.0) / critical[:, None] for side in (1, -1)
        ]
        below = [special.chdtr(df[:, None], df[:, None] * end**2) for end in ends]
    power = (below[0] + below[1]) @ _WEIGHTS
    return np.where(np.isinf(critical), np.nan, np.minimum(power, 1.0))


def _tail_of(alpha: float) -> float:
    """Half of `alpha`, which at the smallest of all floats would be nothing."""
    return max(alpha / 2, _SMALLEST)


def detectable_difference(
    n_splits: float, test_train_ratio: float, *, power: float, alpha: float
) -> float:
    """True difference that is found with the stated power, in standard deviations s of splits.

    By the non-central t with J − 1 degrees of freedom and non-centrality δ/(s·√(1/J + q)); with
    infinitely many splits (z_{1−α/2} + z_power)·√q, which no number of repeats passes.

    Parameters
    ----------
    n_splits : float
        J ≥ 2; infinity for the limit.
    test_train_ratio : float
        The ratio q = Σ n_test / Σ n_train.
    power : float
        Probability to find it, above `alpha`.
    alpha : float
        Two-sided level of one test.

    Returns
    -------
    float
        NaN with fewer than two splits, or where these are so few for so small a level that nothing
        short of a hundred million standard errors would be found.
    """
    if np.isinf(n_splits):
        return _normal_shift(power, alpha) * test_train_ratio**0.5
    df = n_splits - 1
    if df < 1 or np.isinf(test_train_ratio):
        return float("nan")
    # A shift this large is found with `power` whatever s turns out to be within its own
    # (1 + power)/2, and the mean within its: a union bound.
    unlikely = (1 - power) / 2
    widest = float(stats.t.isf(_tail_of(alpha), df) * np.sqrt(stats.chi2.isf(unlikely, df) / df))
    highest = widest - float(special.ndtri(unlikely))

    def excess(shift: float) -> float:
        return float(two_sided_power(shift, df, alpha)) - power

    if not highest < _TOO_FAR:
        return float("nan")
    # Of a power next to 1, or next to alpha, rounding may say that it is reached already, or never.
    if excess(highest) <= 0:
        shift = highest
    elif excess(0.0) >= 0:
        shift = 0.0
    else:
        shift = optimize.brentq(excess, 0.0, highest)
    return float(shift * np.sqrt(1 / n_splits + test_train_ratio))


def _normal_shift(power: float, alpha: float) -> float:
    """Shift of a normal statistic that a two-sided test finds with `power`."""
    critical = -float(special.ndtri(_tail_of(alpha)))
    found = critical + float(special.ndtri(power))
    if power >= 0.5:  # the other tail is then next to nothing
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
    """Smallest number of repeats of `n_folds` that find each difference with the stated power.

    Parameters
    ----------
    difference : ndarray of float
        True differences, in standard deviations s of the split differences.
    n_folds : int
        Folds of a repeat, ≥ 2.
    test_train_ratio, power, alpha : float
        As for `detectable_difference`.

    Returns
    -------
    ndarray of float
        Whole numbers; inf where the difference does not exceed the limit, NaN where it is NaN.
    """
    limit = detectable_difference(np.inf, test_train_ratio, power=power, alpha=alpha)

    def enough(repeats: NDArray[np.float64]) -> NDArray[np.bool_]:
        n_splits = repeats * n_folds
        with np.errstate(invalid="ignore"):
            shift = difference / np.sqrt(1 / n_splits + test_train_ratio)
        shift = np.where(np.isinf(difference), np.inf, shift)  # also where nothing is trained on
        return two_sided_power(shift, n_splits - 1, alpha) >= power

    high = np.ones_like(difference)
    beyond = (difference > limit) | np.isinf(difference)
    waiting = beyond & ~enough(high)
    while waiting.any():
        high = np.where(waiting, 2 * high, high)
        waiting &= ~enough(high) & (high < _MOST_REPEATS)
    low = np.where(high > 1, high / 2, 0.0)  # never enough
    while (high - low > 1).any():
        middle = np.where(high - low > 1, np.floor((low + high) / 2), high)
        reached = enough(middle)
        low, high = np.where(reached, low, middle), np.where(reached, middle, high)
        low = np.where(low >= high, high - 1, low)
    return np.where(np.isnan(difference), np.nan, np.where(beyond, high, np.inf))


def repeats_of(scores: SplitScores) -> tuple[int, int] | str:
    """(Number of repeats, folds of each), or in words why repeats cannot be added."""
    design = scores.design
    if (design.repeat < 0).any():
        return "the repeats of the splits are not known"
    folds = np.bincount(design.repeat)
    if np.ptp(folds):
        return f"repeats differ in their number of folds, from {folds.min()} to {folds.max()}"
    if folds[0] < 2:
        return "a repeat needs at least two folds"
    if design.sizes_known and (design.n_test == 1).all():
        return "leave-one-out has no second repeat: its splits are always the same"
    return len(folds), int(folds[0])
