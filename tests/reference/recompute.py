"""Make the reference numbers again from the score files: plain loops, no code of the package."""

import itertools
import json
from pathlib import Path

import numpy as np
from scipy import stats
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
