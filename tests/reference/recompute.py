"""Make the reference numbers again from the score files: plain loops, no code of the package."""

import itertools
import json
from pathlib import Path

import numpy as np
from scipy import linalg, stats
from sklearn.covariance import ledoit_wolf_shrinkage
from statsmodels.stats.multitest import multipletests

HERE = Path(__file__).parent


def corrected_t(scores_1, scores_2, n_train, n_test):
    """t and degrees of freedom as Nadeau and Bengio (2003) print them."""
    differences = [a - b for a, b in zip(scores_1, scores_2, strict=True)]
    n = len(differences)
    variance = sum((d - sum(differences) / n) ** 2 for d in differences) / (n - 1)
    return (sum(differences) / n) / np.sqrt(variance * (1 / n + n_test / n_train)), n - 1


def moons():
    rows = np.genfromtxt(HERE / "sklearn_moons_scores.csv", delimiter=",", names=True)
    order = ["rbf", "linear", "3_poly", "2_poly"]
    columns = dict(zip(["linear", "2_poly", "3_poly", "rbf"], rows.dtype.names[1:], strict=True))
    pairs = []
    for model_1, model_2 in itertools.combinations(order, 2):
        scores_1, scores_2 = rows[columns[model_1]], rows[columns[model_2]]
        t, df = corrected_t(scores_1, scores_2, 90, 10)
        mean = np.mean(scores_1 - scores_2)
        posterior = stats.t(df, loc=mean, scale=mean / t)
        pairs.append(
            {
                "model_1": model_1,
                "model_2": model_2,
                "mean_diff": mean,
                "corrected_sd": mean / t,
                "t_stat": t,
                "p_right_abs_as_in_example": stats.t.sf(abs(t), df),
                "p_right_bonferroni_as_in_example": min(1, 6 * stats.t.sf(abs(t), df)),
                "p_two_sided": 2 * stats.t.sf(abs(t), df),
                "p_left_rope": posterior.cdf(-0.01),
                "p_right_rope": posterior.sf(0.01),
                "rope_prob": posterior.cdf(0.01) - posterior.cdf(-0.01),
                "ci95_lo": posterior.ppf(0.025),
                "ci95_hi": posterior.ppf(0.975),
                "t_uncorrected": stats.ttest_rel(scores_1, scores_2).statistic,
            }
        )
    return {"pairs": pairs}


def multi():
    scores = np.loadtxt(HERE / "multi_scores_6x20.csv", delimiter=",", skiprows=1)
    tests = [corrected_t(a, b, 80, 20) for a, b in itertools.combinations(scores, 2)]
    t, df = np.array([t for t, _ in tests]), tests[0][1]
    p = 2 * stats.t.sf(abs(t), df)
    adjusted = {
        name: multipletests(p, method=name)[1]
        for name in ("bonferroni", "holm", "simes-hochberg", "fdr_bh", "fdr_by")
    }
    mean = [np.mean(a - b) for a, b in itertools.combinations(scores, 2)]
    posteriors = [stats.t(df, loc=m, scale=m / s) for m, s in zip(mean, t, strict=True)]
    rope = [[d.cdf(-0.01), d.cdf(0.01) - d.cdf(-0.01), d.sf(0.01)] for d in posteriors]
    return {"t": t, "p": p, "rope01": rope, **adjusted}


def stored(name):
    """A reference file as it was recorded."""
    return json.loads((HERE / name).read_text())


def multi_maxt(n_draws, seed):
    """Max-t p-values: tables are drawn, and every pair has its own t in every table.

    A table is C·G, with the covariance shrunk as scikit-learn's Ledoit-Wolf estimate has it in the
    five dimensions of the differences.
    """
    scores = np.loadtxt(HERE / "multi_scores_6x20.csv", delimiter=",", skiprows=1)
    n = scores.shape[1]
    pairs = list(itertools.combinations(range(len(scores)), 2))
    t = np.array([corrected_t(scores[i], scores[j], 80, 20)[0] for i, j in pairs])
    centred = scores - scores.mean(axis=1, keepdims=True)
    differences = linalg.helmert(len(scores)) @ centred
    shrinkage = ledoit_wolf_shrinkage(differences.T, assume_centered=True)
    own = np.sqrt(shrinkage * (differences**2).sum() / (len(scores) - 1))
    rng = np.random.default_rng(seed)
    by_size = np.argsort(-abs(t))
    single, stepped = np.zeros(len(t)), np.zeros(len(t))
    for _ in range(n_draws // 1000):
        table = np.sqrt(1 - shrinkage) * (centred @ rng.standard_normal((1000, n, n)))
        table += own * rng.standard_normal(table.shape)
        drawn = np.column_stack(
            [abs(stats.ttest_rel(table[:, i], table[:, j], axis=1).statistic) for i, j in pairs]
        )
        single += (drawn.max(axis=1)[:, None] >= abs(t)).sum(axis=0)
        for position, pair in enumerate(by_size):
            stepped[pair] += (drawn[:, by_size[position:]].max(axis=1) >= abs(t[pair])).sum()
    stepped[by_size] = np.maximum.accumulate(stepped[by_size])
    return {"single_step": (single / n_draws).tolist(), "step_down": (stepped / n_draws).tolist()}


if __name__ == "__main__":  # as multi_maxt.json was made, in a minute
    found = {"n_draws": 200_000, "seed": 1, **multi_maxt(200_000, 1)}
    (HERE / "multi_maxt.json").write_text(json.dumps(found, indent=1) + "\n")
