"""Make hierarchical_stan.json again: the Stan program that baycomp contains, run by PyStan.

Needs baycomp and pystan, and a few minutes. Not run by the tests.
"""

import json
from pathlib import Path

import baycomp
import numpy as np
from scipy import stats

PROGRAM = Path(baycomp.__file__).with_name("hierarchical-t-test.stan").read_text()
ROPE = 0.01
# seed, data sets, splits, ρ, then degrees of freedom, centre and scale of the population
CASES = {
    "ten": (1, 10, 20, 0.1, 5, 0.01, 0.02),
    "four": (2, 4, 10, 0.2, 5, 0.0, 0.02),
    "fifteen": (3, 15, 10, 0.1, 1.5, -0.01, 0.01),
}


def scores(seed, n, j, rho, df, centre, spread):
    """Differences of splits with the correlation ρ."""
    rng = np.random.default_rng(seed)
    delta = centre + spread * rng.standard_t(df, n)
    sigma = rng.uniform(0.01, 0.05, n)[:, None]
    shared = np.sqrt(rho) * rng.standard_normal((n, 1))
    own = np.sqrt(1 - rho) * rng.standard_normal((n, j))
    return np.round(delta[:, None] + sigma * (shared + own), 6)


def recomputed(case):
    """Numbers of one case, with the priors of the paper's R program and 20,000 draws."""
    import stan  # pytest imports every file here to look for doctests

    x, rho = scores(*case), case[3]
    scale = np.std(x, axis=1, ddof=1).mean()
    y, rope = x / scale, ROPE / scale
    data = {
        "x": y,
        "Nsamples": y.shape[1],
        "q": len(y),
        "rho": rho,
        "deltaLow": -1 / scale,
        "deltaHi": 1 / scale,
        "lowerAlpha": 0.5,
        "upperAlpha": 5,
        "lowerBeta": 0.05,
        "upperBeta": 0.15,
        "stdLow": 0,
        "stdHi": 1000,
        "std0Low": 0,
        "std0Hi": 1000 * np.std(y.mean(axis=1), ddof=1),
    }
    fit = stan.build(PROGRAM, data=data, random_seed=1).sample(
        num_chains=4, num_samples=5000, num_warmup=1000
    )
    delta0, std0, nu = (fit[name][0] for name in ("delta0", "std0", "nu"))
    worse = stats.t.cdf(-rope, nu, delta0, std0)
    better = stats.t.sf(rope, nu, delta0, std0)
    regions = np.array([worse, 1 - worse - better, better])
    winner = regions.argmax(axis=0)
    return {
        "mean_diff": x.mean(axis=1).tolist(),
        "sum_squares": ((x - x.mean(axis=1, keepdims=True)) ** 2).sum(axis=1).tolist(),
        "n_splits": x.shape[1],
        "rho": rho,
        "next": regions.mean(axis=1).tolist(),
        "most": [float(np.mean(winner == k)) for k in range(3)],
        "average": [
            float(np.mean(delta0 < -rope)),
            float(np.mean(np.abs(delta0) <= rope)),
            float(np.mean(delta0 > rope)),
        ],
        "delta": (np.asarray(fit["delta"]) * scale).mean(axis=1).tolist(),
    }


if __name__ == "__main__":
    numbers = {name: recomputed(case) for name, case in CASES.items()}
    Path(__file__).with_suffix(".json").write_text(json.dumps(numbers, indent=1) + "\n")
