"""Calibration of the hierarchical model on populations that it assumes, and where it may fail.

δ₀ = 0.01, σ₀ = 0.02, ν = 5, σᵢ from 0.02 to 0.06, ρ = 0.1 unless a cell says otherwise. A band
fails only if the share ± 3 standard errors lies wholly outside.
"""

from dataclasses import dataclass

import numpy as np
import pytest
from scipy import special

from sklearn_stats_compare.stats.datasets._hierarchical import bayesian_hierarchical

CENTRE, SPREAD, ROPE = 0.01, 0.02, 0.01


@dataclass(frozen=True)
class Cell:
    """A population of data sets, and what the model assumes about their splits."""

    n_datasets: int = 10
    n_splits: int = 100
    centre: float = CENTRE
    spread: float = SPREAD
    df: float = 5.0
    rho: float = 0.1
    decimals: int | None = None
    n_times: int = 200

    def draw(self, rng):
        """True differences, those of the next data set last; means and sums of squares."""
        n, j = self.n_datasets, self.n_splits
        delta = self.centre + self.spread * rng.standard_t(self.df, n + 1)
        sigma = rng.uniform(0.02, 0.06, n)[:, None]
        shared = np.sqrt(self.rho) * rng.standard_normal((n, 1))
        own = np.sqrt(1 - self.rho) * rng.standard_normal((n, j))
        scores = delta[:n, None] + sigma * (shared + own)
        if self.decimals is not None:
            scores = np.round(scores, self.decimals)
        mean = scores.mean(axis=1)
        return delta, mean, ((scores - mean[:, None]) ** 2).sum(axis=1)


def simulated(cell, seed=0):
    """Shares over `n_times` populations, and root mean squared errors, by name."""
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(cell.n_times):
        delta, mean, squares = cell.draw(rng)
        found = bayesian_hierarchical(
            mean, squares, cell.n_splits, 0.1, ROPE, n_draws=100, n_warmup=60, rng=rng
        )
        low, high = found.average_interval(0.95)
        pit = special.stdtr(found.nu, (delta[-1] - found.delta0) / found.sigma0).mean()
        within = (found.delta_low <= delta[:-1]) & (delta[:-1] <= found.delta_high)
        zero_rope = max(np.mean(found.delta0 > 0), np.mean(found.delta0 < 0))
        rows.append({
            "δ₀ in 95 %": low <= cell.centre <= high,
            "next in 90 %": 0.05 <= pit <= 0.95,
            "δᵢ in 95 %": within.mean(),
            "better predicted": found.next_dataset.better,
            "better": delta[-1] > ROPE,
            "average beyond ROPE": max(found.average.worse, found.average.better) > 0.95,
            "δ₀ beyond 0": zero_rope > 0.95,
            "next beyond ROPE": max(found.next_dataset.worse, found.next_dataset.better) > 0.95,
            "mse": np.mean((found.delta - delta[:-1]) ** 2),
            "mse raw": np.mean((mean - delta[:-1]) ** 2),
        })  # fmt: skip
    table = {name: np.array([row[name] for row in rows], dtype=float) for name in rows[0]}
    errors = {name: x.std(ddof=1) / np.sqrt(len(x)) for name, x in table.items()}
    return {name: (x.mean(), errors[name]) for name, x in table.items()}


ASSUMED = {"δ₀ in 95 %": (0.93, 1), "next in 90 %": (0.86, 0.97), "δᵢ in 95 %": (0.93, 0.97)}
NULL = {"δ₀ beyond 0": (0, 0.05), "average beyond ROPE": (0, 0.01), "next beyond ROPE": (0, 0.01)}
BANDS = {
    Cell(5, 10): ASSUMED,
    Cell(10, 10): ASSUMED,
    Cell(10): ASSUMED,
    Cell(20): ASSUMED,
    Cell(50, n_times=80): ASSUMED,
    # The prior of σ₀ is far wider than what three data sets say.
    Cell(3, 10): {"δ₀ in 95 %": (0.98, 1), "next in 90 %": (0.98, 1)},
    # A Cauchy population, and scores rounded to 0.01 with a standard deviation of 0.02 to 0.06.
    Cell(20, df=1.0, n_times=100): ASSUMED,
    Cell(10, 10, decimals=2, n_times=100): ASSUMED,
    # No difference on any data set.
    Cell(10, 10, 0.0, 0.0): NULL,
    Cell(20, 10, 0.0, 0.0, n_times=100): NULL,
    # The model assumes ρ = 0.1: the population is as before, single data sets are not.
    Cell(rho=0.3, n_times=100): {"δ₀ in 95 %": (0.93, 1), "δᵢ in 95 %": (0.6, 0.85)},
}


@pytest.mark.slow
@pytest.mark.parametrize("cell", BANDS, ids=str)
def test_shares_are_in_their_bands(cell):
    found = simulated(cell)
    beyond = {}
    for name, (low, high) in BANDS[cell].items():
        share, error = found[name]
        if share + 3 * error < low or share - 3 * error > high:
            beyond[name] = share
    assert not beyond
    # Shrunken differences are closer to the truth than the means.
    assert found["mse"][0] < found["mse raw"][0]
    predicted, error = found["better predicted"][0], found["better"][1]
    if cell.spread:
        assert abs(predicted - found["better"][0]) < 3 * error + 0.02
