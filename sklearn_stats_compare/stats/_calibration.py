"""How often the verdicts on a set of scores would be correct: simulation from their covariance."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare.stats._family import Family
from sklearn_stats_compare.stats._scores import SplitScores
from sklearn_stats_compare.stats._settings import Settings
from sklearn_stats_compare.stats._simulated import DEPENDENCE


def verdict_rates(
    scores: SplitScores,
    means: NDArray[np.float64],
    dependence: str,
    settings: Settings,
    n_simulations: int,
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Rates of the verdicts on simulated scores, one row per simulation.

    Returns
    -------
    ndarray of float, shape (n_simulations, 4)
        Whether any verdict is false, and the shares of pairs that are called better or worse,
        equivalent, and undecided. False verdicts are "better" or "worse" in the wrong direction or
        for equal means, and "equivalent" for a true difference outside the ROPE.
    """
    outcomes = np.empty((n_simulations, 4))
    draw = settings.test.simulator(scores, dependence)
    for k in range(n_simulations):
        drawn = draw(means, rng)
        tests = settings.test.all_pairs(drawn)
        family = Family(drawn, tests, settings, rng)
        outside = tests.rope_probabilities(settings.rope)
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

    The truths are equal candidates and the observed differences.
    """
    generator = np.random.default_rng(rng)
    rows = []
    for truth, means in (("equal", np.zeros(scores.n_candidates)), ("as observed", scores.means)):
        for dependence in DEPENDENCE:
            found = verdict_rates(scores, means, dependence, settings, n_simulations, generator)
            error = found.std(axis=0, ddof=1) / np.sqrt(n_simulations)
            rows.append((truth, dependence, found.mean(axis=0), error))
    return rows
