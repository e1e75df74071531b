"""R̂ and effective sample size of chains of draws (Vehtari et al., 2021)."""

import numpy as np
from numpy.typing import NDArray
from scipy import special, stats

Draws = NDArray[np.float64]  # shape (n_chains, n_draws, n_quantities)


def rank_rhat(draws: Draws) -> Draws:
    """Rank-normalised split R̂ of each quantity: the larger of bulk and folded."""
    halves = _halves(draws)
    folded = np.abs(halves - np.median(halves, axis=(0, 1)))
    found: Draws = np.maximum(_rhat(_normal_scores(halves)), _rhat(_normal_scores(folded)))
    return found


def bulk_ess(draws: Draws) -> Draws:
    """Bulk effective sample size of each quantity, by Geyer's initial monotone sequence."""
    z = _normal_scores(_halves(draws))
    n_chains, n, n_quantities = z.shape
    centred = z - z.mean(axis=1, keepdims=True)
    size = 2 * n  # zeros that keep the ends of a chain apart
    power = np.abs(np.fft.rfft(centred, size, axis=1)) ** 2
    covariance = np.fft.irfft(power.mean(axis=0), size, axis=0)[:n] / n
    within = covariance[0] * n / (n - 1)
    total = covariance[0] + z.mean(axis=1).var(axis=0, ddof=1)
    with np.errstate(invalid="ignore", divide="ignore"):  # a quantity that does not vary
        correlation = 1 - (within - covariance) / total
    correlation[0] = 1
    even = correlation[: n - n % 2 : 2]
    pairs = even + correlation[1:n:2][: len(even)]
    positive = np.logical_and.accumulate(pairs > 0, axis=0)
    last = np.minimum(positive.sum(axis=0), len(even) - 1)
    decreasing = np.minimum.accumulate(np.where(positive, pairs, np.inf), axis=0)
    time = 2 * np.where(positive, decreasing, 0.0).sum(axis=0) - 1
    time += np.maximum(even[last, np.arange(n_quantities)], 0.0)
    n_all = n_chains * n
    found: Draws = n_all / np.maximum(time, 1 / np.log10(n_all))
    return found


def _halves(draws: Draws) -> Draws:
    """Both halves of each chain as chains; of an odd number of draws, without the middle one."""
    half = draws.shape[1] // 2
    return np.concatenate([draws[:, :half], draws[:, draws.shape[1] - half :]])


def _normal_scores(draws: Draws) -> Draws:
    """Normal quantiles of the ranks among all draws of a quantity."""
    flat = draws.reshape(-1, draws.shape[2])
    ranks = stats.rankdata(flat, axis=0)
    found: Draws = special.ndtri((ranks - 3 / 8) / (len(flat) + 1 / 4)).reshape(draws.shape)
    return found


def _rhat(draws: Draws) -> Draws:
    """Square root of the pooled variance over that within chains; 1 without variance."""
    n = draws.shape[1]
    within = draws.var(axis=1, ddof=1).mean(axis=0)
    between = draws.mean(axis=1).var(axis=0, ddof=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Draws = np.sqrt((n - 1) / n + between / within)
    return np.where((within == 0) & (between == 0), 1.0, found)
