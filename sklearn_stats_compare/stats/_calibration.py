"""How often the verdicts on a set of scores would be right: simulation from their covariance."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare.stats._family import Family
from sklearn_stats_compare.stats._posterior import rope_probabilities
from sklearn_stats_compare.stats._scores import SplitScores
from sklearn_stats_compare.stats._settings import Settings

DEPENDENCE = ("corrected", "naive")


def simulated_scores(
    scores: SplitScores, means: NDArray[np.float64], dependence: str, rng: np.random.Generator
) -> SplitScores:
    """Scores of candidates with these true means and the covariance that `scores` have.

    Between candidates the covariance is that of the given scores within splits. Between splits
    "corrected" makes all of them share a component, of q times that covariance: their correlation
    is then n_test/(n_train + n_test), and the variance of a mean Nadeau and Bengio's. "naive" makes
    splits independent.

    Parameters
    ----------
    scores : SplitScores
        Scores without missing candidates, on at least two splits, with a finite ratio of sizes.
    means : ndarray of float, shape (n_candidates,)
        True means.
    dependence : {"corrected", "naive"}
        Between splits.
    rng : numpy.random.Generator
        Source of the draws.
    """
    n_splits = scores.n_splits
    centred = scores.values - scores.means[:, None]
    n_draws = n_splits + (dependence == "corrected")
    draws = centred @ rng.standard_normal((n_splits, n_draws)) / np.sqrt(n_splits - 1)
    values = means[:, None] + draws[:, :n_splits]
    if dependence == "corrected":
        values += np.sqrt(scores.design.overlap_ratio) * draws[:, n_splits:]
    return SplitScores(values, scores.design)


def verdict_rates(
    scores: SplitScores,
    means: NDArray[np.float64],
    dependence: str,
    settings: Settings,
    n_simulations: int,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """What the verdicts on simulated scores are, a row per simulation.

    Returns
    -------
    ndarray of float, shape (n_simulations, 4)
        Whether any verdict is false: better or worse of a pair that is not so, or equivalent of one
        whose true difference is outside the ROPE; shares of the pairs that are called better or
        worse, equivalent, and undecided.
    """
    outcomes = np.empty((n_simulations, 4))
    for k in range(n_simulations):
        drawn = simulated_scores(scores, means, dependence, rng)
        tests = settings.test.all_pairs(drawn)
        family = Family(drawn, tests, settings, rng)
        outside = rope_probabilities(tests.mean_diff, tests.std_err, tests.df, settings.rope)
        decided = family.decisions(outside)
        truth = means[tests.first] - means[tests.second]
        low, high = settings.rope
        false = (decided.better & (truth <= 0)) | (decided.worse & (truth >= 0))
        false |= decided.equivalent & ((truth < low) | (truth > high))
        claimed, equivalent = decided.better | decided.worse, decided.equivalent
        outcomes[k] = (
            false.any(),
            claimed.mean(),
            equivalent.mean(),
            1 - claimed.mean() - equivalent.mean(),
        )
    return outcomes


def calibration(
    scores: SplitScores, settings: Settings, n_simulations: int, rng: Any
) -> list[tuple[str, str, NDArray[np.float64], NDArray[np.float64]]]:
    """Rates with standard errors for each truth and dependence: (truth, dependence, rates, errors).

    The truths are equal candidates, and the observed differences.
    """
    generator = np.random.default_rng(rng)
    rows = []
    for truth, means in (("equal", np.zeros(scores.n_candidates)), ("as observed", scores.means)):
        for dependence in DEPENDENCE:
            found = verdict_rates(scores, means, dependence, settings, n_simulations, generator)
            error = found.std(axis=0, ddof=1) / np.sqrt(n_simulations)
            rows.append((truth, dependence, found.mean(axis=0), error))
    return rows
