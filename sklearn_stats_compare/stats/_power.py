"""Differences that a design can detect, repeats that it needs, and the level of each look."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, reduce
from typing import Any

import numpy as np
from scipy import optimize, special, stats

from sklearn_stats_compare._utils._validation import without_warnings
from sklearn_stats_compare.stats._numeric import Flags, Numbers, small_tail
from sklearn_stats_compare.stats._sample_scores import SampleScores, SampleSums, SampleVariance
from sklearn_stats_compare.stats._scores import SplitDesign, SplitScores

_MOST_REPEATS = 2**40

_SMALLEST = 5e-324

# The time of SciPy's non-central t is proportional to the non-centrality: hours for millions.
_LARGE_SHIFT = 100.0

_LARGEST_SHIFT = 1e8

_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(100)
_WEIGHTS /= _WEIGHTS.sum()


def two_sided_power(shift: Any, df: Any, alpha: float) -> Numbers:
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
    # SciPy warns if it finds no number, and numpy.errstate does not silence that.
    with without_warnings(RuntimeWarning), np.errstate(all="ignore"):
        above = stats.nct.sf(critical[near], df[near], shift[near])
        below = stats.nct.cdf(-critical[near], df[near], shift[near])
    # SciPy may return NaN for the other tail if it is negligible: below Φ(−4) = 3e-5, and below
    # alpha/2.
    nothing = np.isnan(below) & ((shift[near] > 4) | (alpha < 1e-4))
    power[near] = above + np.where(nothing, 0.0, below)
    lost = np.isnan(power)  # where it is close to 0 or to 1
    power[lost] = _power_of_large_shift(shift[lost], df[lost], critical[lost])
    return power


def _power_of_large_shift(shift: Numbers, df: Numbers, critical: Numbers) -> Numbers:
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


@lru_cache(maxsize=256)  # every text and report asks again
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
    difference: Numbers, n_folds: int, test_train_ratio: float, *, power: float, alpha: float
) -> Numbers:
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

    def enough(repeats: Numbers) -> Flags:
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


DEPENDENCE = ("corrected", "naive")

Simulator = Callable[[Numbers, np.random.Generator], SplitScores]
"""Maps true means, shape (n_candidates,), and a random generator to scores."""


def split_simulator(scores: SplitScores, dependence: str) -> Simulator:
    """Return a simulator of split scores with the covariance of `scores`.

    The covariance between candidates is that of the given scores within splits. With "corrected"
    all splits share a component with q times this covariance. Their correlation is then
    n_test/(n_train + n_test), and the variance of a mean is Nadeau and Bengio's. With "naive"
    splits are independent.

    Parameters
    ----------
    scores : SplitScores
        Scores without missing candidates, on at least two splits, with a finite ratio of sizes.
    dependence : {"corrected", "naive"}
        Dependence between splits.
    """
    n_splits = scores.n_splits
    centred = scores.values - scores.means[:, None]
    shared = float(np.sqrt(scores.design.overlap_ratio))

    def draw(means: Numbers, rng: np.random.Generator) -> SplitScores:
        n_draws = n_splits + (dependence == "corrected")
        draws = centred @ rng.standard_normal((n_splits, n_draws)) / np.sqrt(n_splits - 1)
        values = means[:, None] + draws[:, :n_splits]
        if dependence == "corrected":
            values += shared * draws[:, n_splits:]
        return _counted_like(scores, SplitScores(values, scores.design, **scores.units))

    return draw


def _counted_like(scores: SplitScores, drawn: SplitScores) -> SplitScores:
    """Simulated scores, which are no shares, of as many samples as those that they are like."""
    vars(drawn).update(n_agreed=scores.n_agreed, n_shared=scores.n_shared)
    return drawn


def sample_simulator(
    scores: SplitScores, samples: SampleScores, variance: SampleVariance, dependence: str
) -> Simulator:
    """Return a simulator of values of samples by a bootstrap, which keeps their distribution.

    "naive" is only the bootstrap: the variance of a mean is that of independent samples and fixed
    models. "corrected" shifts all values of a candidate by another draw, so that the variance of
    every mean difference is the one that the test estimates.

    Parameters
    ----------
    scores : SplitScores
        Scores without missing candidates.
    samples : SampleScores
        Values of the samples.
    variance : SampleVariance
        The squared standard error of the test.
    dependence : {"corrected", "naive"}
        Whether to add the part of the estimated variance that is not due to samples.
    """
    n, own = samples.n_samples, samples.means[:, None, None]
    shared = _root_of_other_variance(samples, variance) if dependence == "corrected" else None

    def draw(means: Numbers, rng: np.random.Generator) -> SplitScores:
        values = samples.values[:, :, rng.integers(n, size=n)] - own
        values += means[:, None, None]
        if shared is not None:
            values += (shared @ rng.standard_normal(shared.shape[1]))[:, None, None]
        values.setflags(write=False)
        drawn = replace(samples, values=values)
        # Every split has the overall mean, because tests of samples use only the means.
        splits = np.repeat(drawn.means[:, None], scores.n_splits, axis=1)
        return _counted_like(scores, SplitScores(splits, scores.design, drawn, **scores.units))

    return draw


def _root_of_other_variance(samples: SampleScores, variance: SampleVariance) -> Numbers:
    """A square root of the covariance of means minus that of a bootstrap of samples."""
    points = SampleSums(samples, variance, np.arange(samples.n_candidates)).root()
    whole = points[0][points[1]]
    resampled = samples.values.mean(axis=1, dtype=np.float64)
    resampled -= resampled[0].copy()
    resampled -= resampled.mean(axis=1, keepdims=True)
    resampled /= samples.n_samples
    size, vectors = np.linalg.eigh(whole @ whole.T - resampled @ resampled.T)
    return vectors * np.sqrt(np.maximum(size, 0.0))


_N_DRAWS = 200_000

# Below this level too few draws reach the boundary to estimate it.
_LOWEST_LEVEL = 1e-3

# The statistic converges as repeats of the same data are added, so that later looks add nothing.
_MOST_LOOKS = 50


def level_of_interim_analysis(
    design: SplitDesign, looks: Sequence[int], alpha: float, n_pairs: int
) -> float:
    """Level of each look for which all looks together have the level `alpha`.

    A constant level (Pocock's boundary), found by simulation. In the model of the correction the
    difference on a split is the sum of a component of variance q, which all splits of a data set
    share, and an independent one of variance 1. Later looks reuse most of the data of earlier ones,
    and so the level is much higher than `alpha` divided by the number of looks.

    Parameters
    ----------
    design : SplitDesign
        Some of the splits.
    looks : sequence of int
        Number of splits at each look, in increasing order.
    alpha : float
        Level of all looks together.
    n_pairs : int
        Number of pairs that share alpha. The boundary is computed for one pair at alpha/n_pairs,
        but at 0.001 or above. For hundreds of pairs and ten looks the level is therefore about a
        tenth too high. An adjustment such as Bonferroni's is more conservative than that.

    Returns
    -------
    float
        At most `alpha`.

    References
    ----------
    Pocock, S. J. (1977). Group sequential methods in the design and analysis of clinical trials.
    Biometrika 64, 191–199. https://doi.org/10.1093/biomet/64.2.191
    """
    if len(looks) < 2 or not np.isfinite(design.overlap_ratio):
        return alpha
    level = max(alpha / max(n_pairs, 1), _LOWEST_LEVEL)
    smallest = reduce(np.minimum, _p_values_of_looks(design.overlap_ratio, looks))
    return float(alpha * min(1.0, np.quantile(smallest, level) / level))


def level_of_all_looks(
    design: SplitDesign, levels: Mapping[int, float], alpha: float, n_pairs: int
) -> float:
    """Level of looks together, of which each number of splits has a level.

    See `level_of_interim_analysis`; `alpha` is what the levels were made for.
    """
    if not np.isfinite(design.overlap_ratio):
        return alpha
    level = max(alpha / max(n_pairs, 1), _LOWEST_LEVEL)
    found = _p_values_of_looks(design.overlap_ratio, list(levels))
    reached = (p <= own / alpha * level for p, own in zip(found, levels.values(), strict=False))
    return float(alpha * reduce(np.logical_or, reached).mean() / level)


def _p_values_of_looks(q: float, looks: Sequence[int]) -> Iterator[Numbers]:
    """Draws of the p-value at each look, of equal candidates."""
    rng = np.random.default_rng(0)
    shared = np.sqrt(q) * rng.standard_normal(_N_DRAWS)
    n = looks[0]
    mean = rng.standard_normal(_N_DRAWS) / np.sqrt(n)
    squares = rng.chisquare(n - 1, _N_DRAWS)
    for n_splits in looks[:_MOST_LOOKS]:
        if step := n_splits - n:
            # Update mean and sum of squares from n splits to n + `step`.
            more = rng.standard_normal(_N_DRAWS) / np.sqrt(step)
            squares += (more - mean) ** 2 * n * step / (n + step)
            if step > 1:
                squares += rng.chisquare(step - 1, _N_DRAWS)
            mean += (more - mean) * step / (n + step)
            n += step
        t = (mean + shared) / np.sqrt(squares / (n - 1) * (1 / n + q))
        yield 2 * small_tail(t, n - 1)


def times_to_decide(difference: float, std_err: float, df: float, *, alpha: float) -> float:
    """Times the samples with which every other such difference is found.

    The variance of a mean difference falls as one over the number of samples, and the degrees of
    freedom are taken to stay as they are. A difference is found every other time where its
    statistic, were the difference the true one, is at its critical value. Not for differences
    within a ROPE, where equivalence may be shown first.

    Parameters
    ----------
    difference : float
        Mean difference, ≥ 0, in score units.
    std_err : float
        Its standard error.
    df : float
        Degrees of freedom.
    alpha : float
        Level of the pair.

    Returns
    -------
    float
        Below 1 where there are more than enough; infinite where no number is; NaN where the
        standard error is.
    """
    # By the small tail: 1 − alpha/2 may round to 1.
    critical = -float(special.stdtrit(df, alpha / 2))
    return (std_err * critical / difference) ** 2 if difference > 0 else float("inf")
