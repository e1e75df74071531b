"""Draws of the Bayesian signed-rank test: weights of data sets → shares of three regions."""

from collections.abc import Iterator
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare.stats._posterior import RopeProbabilities

# Cumulated weights of one block take 3 MB, which a processor's cache may contain.
_NUMBERS_AT_ONCE = 400_000
# Two probabilities this close are tied: rounding of sums of products of weights.
_TIED = 1e-12


class Regions:
    """Limits of the ROPE of one pair, as positions in its sorted differences."""

    def __init__(
        self, differences: NDArray[np.float64], low: float, high: float, rounding: float
    ) -> None:
        ascending = np.sort(differences)
        self.low = _limit(ascending, low, rounding)
        self.high = self.low if low == high else _limit(ascending, high, rounding)


class _Staircase:
    """Pairs i, j of data sets with z_i + z_j below twice a limit.

    Rows i before `n_rows` have z_i below the limit itself and pair with all j before a position
    that does not increase with i. Rows with one position are a step.
    """

    def __init__(
        self, n_rows: int, positions: NDArray[np.intp], n_alone: int, is_zero_below: bool
    ) -> None:
        starts = np.flatnonzero(np.diff(positions, prepend=-1))
        self.n_rows = n_rows
        self.edges = np.append(starts, n_rows)
        self.positions = positions[starts]
        self.n_alone = n_alone  # that are below the limit when paired with z₀ = 0
        self.is_zero_below = is_zero_below

    def probability(
        self, prior: NDArray[np.float64], cumulated: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Posterior draws of P(mean of two data sets < limit), shape (n_draws,)."""
        weights = np.diff(cumulated[self.edges], axis=0)
        doubled = np.einsum("id,id->d", weights, cumulated[self.positions])
        found: NDArray[np.float64] = 2 * (doubled + prior * cumulated[self.n_alone])
        found -= cumulated[self.n_rows] ** 2
        return found + prior**2 if self.is_zero_below else found


def _limit(ascending: NDArray[np.float64], limit: float, rounding: float) -> list[_Staircase]:
    """Staircases of means below the limit, and at most at the limit; one if there are no ties."""
    found: list[_Staircase] = []
    sides: tuple[tuple[Literal["left", "right"], float], ...]
    sides = (("left", -rounding), ("right", rounding))
    for side, shift in sides:
        n_rows = int(np.searchsorted(ascending, limit + shift, side))
        positions = np.searchsorted(ascending, 2 * (limit + shift) - ascending[:n_rows], side)
        n_alone = int(np.searchsorted(ascending, 2 * (limit + shift), side))
        is_zero_below = limit + shift >= 0 if side == "right" else limit + shift > 0
        found.append(_Staircase(n_rows, positions, n_alone, is_zero_below))
    strict, at_most = found
    tied = strict.n_rows != at_most.n_rows or strict.is_zero_below != at_most.is_zero_below
    tied = tied or strict.n_alone != at_most.n_alone
    tied = tied or not np.array_equal(strict.positions, at_most.positions)
    tied = tied or not np.array_equal(strict.edges, at_most.edges)
    return found if tied else [strict]


def _below(
    limit: list[_Staircase], prior: NDArray[np.float64], cumulated: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Posterior draws of the probability below a limit; half of that at the limit."""
    found = limit[0].probability(prior, cumulated)
    return found if len(limit) == 1 else (found + limit[1].probability(prior, cumulated)) / 2


def blocks(
    n_datasets: int, strength: float, n_draws: int, seed: int
) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Weights of the pseudo-observation and cumulated weights of the data sets, by draws."""
    generator = np.random.default_rng(seed)
    size = max(1, min(n_draws, _NUMBERS_AT_ONCE // n_datasets))
    for start in range(0, n_draws, size):
        n = min(size, n_draws - start)
        # Gamma variables over their sum are a draw from a Dirichlet distribution.
        cumulated = np.zeros((n_datasets + 1, n))
        np.cumsum(generator.standard_exponential((n_datasets, n)), axis=0, out=cumulated[1:])
        prior = generator.standard_gamma(strength, n)
        total = prior + cumulated[-1]
        yield prior / total, cumulated / total


def of_pair(
    pair: Regions, prior: NDArray[np.float64], cumulated: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Posterior draws of the three regions, shape (3, n_draws)."""
    theta = np.empty((3, prior.size))
    theta[0] = _below(pair.low, prior, cumulated)
    theta[1] = theta[0] if pair.high is pair.low else _below(pair.high, prior, cumulated)
    theta[2] = 1 - theta[1]
    theta[1] -= theta[0]
    return theta


def summaries(
    pairs: list[Regions], n_datasets: int, strength: float, n_draws: int, seed: int
) -> tuple[RopeProbabilities, RopeProbabilities, RopeProbabilities]:
    """Probabilities, shares and Monte Carlo standard errors of pairs, each of shape (n_pairs,)."""
    shape = (3, len(pairs))
    sums, wins, squares = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    for prior, cumulated in blocks(n_datasets, strength, n_draws, seed):
        for p, pair in enumerate(pairs):
            theta = of_pair(pair, prior, cumulated)
            best = theta >= theta.max(axis=0) - _TIED
            won = best / best.sum(axis=0)  # tied regions share
            sums[:, p] += theta.sum(axis=1)
            wins[:, p] += won.sum(axis=1)
            squares[:, p] += (won**2).sum(axis=1)
    probabilities = wins / n_draws
    variance = np.maximum(squares / n_draws - probabilities**2, 0.0) / n_draws
    found = (probabilities, np.clip(sums / n_draws, 0.0, 1.0), np.sqrt(variance))
    return tuple(RopeProbabilities(*rows) for rows in found)  # type: ignore[return-value]
