"""A blocked Gibbs sampler of the hierarchical model, all chains at once."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy import special

Numbers = NDArray[np.float64]

NU_SHAPE = (0.5, 5.0)
NU_RATE = (0.05, 0.15)
"""Ranges of the uniform hyperpriors of ν − 1 ~ Gamma(shape, rate)."""

_LARGEST_POWER = 0.5


@dataclass(frozen=True, eq=False)
class Model:
    """Sufficient statistics of the data sets, and upper limits of the uniform priors.

    `mean`, `sum_squares`, `n_splits` and `rho` have shape (n_datasets,). |δ₀|, σ₀ and every σᵢ are
    uniform up to `mean_limit`, `spread_limit` and `noise_limit`.
    """

    mean: Numbers
    sum_squares: Numbers
    n_splits: Numbers
    rho: Numbers
    mean_limit: float
    spread_limit: float
    noise_limit: float

    @property
    def inflation(self) -> Numbers:
        """Variance of the mean of each data set over σᵢ²."""
        inflated: Numbers = (1 + (self.n_splits - 1) * self.rho) / self.n_splits
        return inflated


@dataclass(frozen=True, eq=False)
class Chains:
    """Draws of δ₀, σ₀, ν, shape (n_chains, n_draws), of δ, and the conditional means of δ.

    Shapes of `delta` and `delta_mean`: (n_chains, n_draws, n_datasets) and (n_datasets,).
    """

    delta0: Numbers
    sigma0: Numbers
    nu: Numbers
    delta: Numbers
    delta_mean: Numbers


def sample(model: Model, n_chains: int, n_draws: int, n_warmup: int, rng: Generator) -> Chains:
    """Draw from the posterior, in three blocks that are each drawn jointly.

    The variances of the data sets; ν with σ₀, and the mixing weights; and σ₀, δ₀ and δ, in this
    order, each with the later ones integrated out. Mixing thus does not slow down if σ₀ is near 0.
    """
    n = model.mean.size
    typical = _typical_spread(model)
    shape = (n_chains, n_draws)
    three = (np.empty(shape), np.empty(shape), np.empty(shape))
    kept = Chains(*three, np.empty((*shape, n)), np.zeros(n))
    # Chains start at different spreads, from far below to far above the typical one.
    sigma0 = typical * np.exp(np.linspace(-2, 2, n_chains))[:, None]
    sigma0 = np.minimum(sigma0, model.spread_limit / 2)
    nu_at = rng.uniform(size=(n_chains, 1))
    delta0 = np.full((n_chains, 1), model.mean.mean())
    delta = np.tile(model.mean, (n_chains, 1))
    for step in range(-n_warmup, n_draws):
        noise = _noise(model, delta, rng)
        nu_at, sigma0, weight = _tails(model, nu_at, sigma0, delta - delta0, rng)
        sigma0, delta0 = _population(model, noise, weight, sigma0, typical, rng)
        kept_share = sigma0**2 / (sigma0**2 + weight * noise)
        centre = delta0 + kept_share * (model.mean - delta0)
        delta = centre + np.sqrt(kept_share * noise) * rng.standard_normal(centre.shape)
        if step >= 0:
            kept.delta0[:, step] = delta0[:, 0]
            kept.sigma0[:, step] = sigma0[:, 0]
            kept.nu[:, step] = 1 + np.exp(_log_excess(nu_at)[:, 0])
            kept.delta[:, step] = delta
            kept.delta_mean[:] += centre.mean(axis=0)
    kept.delta_mean[:] /= n_draws
    return kept


def _typical_spread(model: Model) -> float:
    """A scale of σ₀: the standard deviation of the means, or the error of one."""
    of_errors = np.mean(model.sum_squares / (model.n_splits - 1) * model.inflation)
    typical = float(np.sqrt(np.var(model.mean, ddof=1) + of_errors))
    return min(typical, model.spread_limit / 2)


def _noise(model: Model, delta: Numbers, rng: Generator) -> Numbers:
    """Variance of the mean of each data set, σᵢ²·inflation, given δᵢ.

    1/σᵢ² is a gamma variable above 1/noise_limit².
    """
    shape = (model.n_splits - 1) / 2
    deviation = (model.mean - delta) ** 2 / model.inflation
    rate = (model.sum_squares / (1 - model.rho) + deviation) / 2
    least = rate / model.noise_limit**2
    precision = rng.standard_gamma(shape, delta.shape)
    low = precision < least
    if low.any():
        shapes = np.broadcast_to(shape, delta.shape)[low]
        tail = rng.uniform(size=shapes.size) * special.gammaincc(shapes, least[low])
        precision[low] = special.gammainccinv(shapes, tail)
    noise: Numbers = rate / precision * model.inflation
    return noise


def _tails(
    model: Model, nu_at: Numbers, sigma0: Numbers, deviation: Numbers, rng: Generator
) -> tuple[Numbers, Numbers, Numbers]:
    """ν given δ − δ₀, as a probability under its prior, with σ₀, and the mixing weights.

    Half the time, σ₀ rises with a random power of ν − 1: an outlier may be due to few degrees of
    freedom or to a large scale, and neither would move far without the other.
    """
    squares, n = deviation**2, deviation.shape[1]
    power = np.maximum(rng.uniform(-_LARGEST_POWER, _LARGEST_POWER, nu_at.shape), 0.0)
    origin = np.log(sigma0) - power * _log_excess(nu_at)
    log_limit = np.log(model.spread_limit)

    def at(probability: Numbers) -> tuple[Numbers, Numbers]:
        log_excess = _log_excess(probability)
        return 1 + np.exp(log_excess), origin + power * log_excess

    def log_density(probability: Numbers) -> Numbers:
        nu, log_spread = at(probability)
        half = (nu + 1) / 2
        constant = special.gammaln(half) - special.gammaln(nu / 2) - np.log(nu) / 2
        terms = np.log1p(squares / (nu * np.exp(2 * log_spread))).sum(axis=1, keepdims=True)
        density = n * (constant - log_spread) - half * terms + log_spread
        return np.where(log_spread < log_limit, density, -np.inf)

    nu_at = _slice(log_density, nu_at, rng)
    nu, log_spread = at(nu_at)
    rate = (nu + squares / np.exp(2 * log_spread)) / 2
    weight = rng.standard_gamma((nu + 1) / 2, squares.shape) / rate
    return nu_at, np.exp(log_spread), weight


def _population(
    model: Model,
    noise: Numbers,
    weight: Numbers,
    sigma0: Numbers,
    typical: float,
    rng: Generator,
) -> tuple[Numbers, Numbers]:
    """σ₀ and δ₀, with δ integrated out.

    σ₀ = typical·u/(1 − u), so that the slice is a sizeable part of the range of u.
    """
    highest = model.spread_limit / (model.spread_limit + typical)

    def moments(spread: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        precision = weight / (weight * noise + spread**2)
        total = precision.sum(axis=1, keepdims=True)
        return precision, total, (precision * model.mean).sum(axis=1, keepdims=True) / total

    def ends(total: Numbers, mean: Numbers) -> tuple[Numbers, Numbers]:
        """Log probabilities below −mean_limit and mean_limit, mirrored to a mean ≥ 0."""
        root, distance = np.sqrt(total), np.abs(mean)
        high = special.log_ndtr(root * (model.mean_limit - distance))
        return special.log_ndtr(-root * (model.mean_limit + distance)), high

    def log_density(at: Numbers) -> Numbers:
        u = highest * at
        precision, total, mean = moments(typical * u / (1 - u))
        terms = np.log(precision) - precision * (model.mean - mean) ** 2
        low, high = ends(total, mean)
        density: Numbers = terms.sum(axis=1, keepdims=True) / 2 - np.log(total) / 2
        return density + high + np.log(-np.expm1(low - high)) - 2 * np.log1p(-u)

    start = sigma0 / (sigma0 + typical) / highest
    u = highest * _slice(log_density, start, rng)
    spread = typical * u / (1 - u)
    _, total, mean = moments(spread)
    low, high = ends(total, mean)
    share = np.exp(low - high)
    within = high + np.log(share + (1 - share) * rng.uniform(size=low.shape))
    deviation = special.ndtri_exp(within) / np.sqrt(total)
    return spread, mean + np.where(mean < 0, -deviation, deviation)


def _slice(log_density: Callable[[Numbers], Numbers], current: Numbers, rng: Generator) -> Numbers:
    """One step of Neal's (2003) slice sampler on (0, 1), shrinking from the whole interval."""
    level = log_density(current) - rng.standard_exponential(current.shape)
    low, high = np.zeros_like(current), np.ones_like(current)
    found, pending = current, np.ones(current.shape, dtype=bool)
    while pending.any():
        proposal = low + (high - low) * rng.uniform(size=current.shape)
        # Where the interval has shrunk to the current point, rounding decides.
        inside = (log_density(proposal) >= level) | (high - low <= 1e-15)
        found = np.where(pending & inside, proposal, found)
        pending &= ~inside
        low = np.where(pending & (proposal < current), proposal, low)
        high = np.where(pending & (proposal >= current), proposal, high)
    return found


def _log_excess(probability: Numbers) -> Numbers:
    """Logarithm of ν − 1 at a probability under its prior, from a table."""
    found: Numbers = np.interp(probability, *_nu_table())
    return found


@cache
def _nu_table() -> tuple[Numbers, Numbers]:
    """Prior distribution function of ν, and log(ν − 1) there, shape and rate integrated out."""
    log_excess = np.linspace(np.log(1e-12), np.log(2000.0), 500)
    nodes, weights = np.polynomial.legendre.leggauss(12)
    shape, rate = (low + (high - low) * (nodes + 1) / 2 for low, high in (NU_SHAPE, NU_RATE))
    at = rate[:, None] * np.exp(log_excess)
    below = special.gammainc(shape[:, None, None], at)
    return np.einsum("srx,s,r->x", below, weights / 2, weights / 2), log_excess
