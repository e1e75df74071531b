"""Where the mean of two data sets is below a limit, as positions in sorted differences."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray


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


def below(
    limit: list[_Staircase], prior: NDArray[np.float64], cumulated: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Posterior draws of the probability below a limit; half of that at the limit."""
    found = limit[0].probability(prior, cumulated)
    return found if len(limit) == 1 else (found + limit[1].probability(prior, cumulated)) / 2
