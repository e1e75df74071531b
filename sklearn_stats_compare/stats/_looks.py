"""The level of one look, if scores are tested repeatedly while splits are added."""

import numpy as np

from sklearn_stats_compare.stats._splits import SplitDesign
from sklearn_stats_compare.stats._student import small_tail

_N_DRAWS = 200_000
# Below this level too few draws reach the boundary to estimate it.
_LOWEST_LEVEL = 1e-3
# The statistic converges as repeats of the same data are added, so that later looks add nothing.
_MOST_LOOKS = 50


def level_of_a_look(
    design: SplitDesign, step: int, n_looks: int, alpha: float, n_pairs: int
) -> float:
    """Level of each look for which all looks together have the level `alpha`.

    A constant level (Pocock's boundary), found by simulation. In the model of the correction the
    difference on a split is the sum of a component of variance q, which all splits of a data set
    share, and an independent one of variance 1. Later looks reuse most of the data of earlier ones,
    and so the level is much higher than `alpha` divided by the number of looks.

    Parameters
    ----------
    design : SplitDesign
        The splits at the first look.
    step : int
        Number of splits added from one look to the next.
    n_looks : int
        Largest number of looks, including the first.
    alpha : float
        Level of all looks together.
    n_pairs : int
        Number of pairs that share alpha. The boundary is computed for one pair at alpha/n_pairs,
        but at 0.001 or above. For hundreds of pairs and ten looks the level is therefore about a
        tenth too high. An adjustment such as Bonferroni's is more conservative than that.

    Returns
    -------
    float
        At most `alpha`.

    References
    ----------
    Pocock, S. J. (1977). Group sequential methods in the design and analysis of clinical trials.
    Biometrika 64, 191–199. https://doi.org/10.1093/biomet/64.2.191
    """
    q = design.overlap_ratio
    if n_looks < 2 or not np.isfinite(q):
        return alpha
    level = max(alpha / max(n_pairs, 1), min(alpha, _LOWEST_LEVEL))
    rng = np.random.default_rng(0)
    shared = np.sqrt(q) * rng.standard_normal(_N_DRAWS)
    n = design.n_splits
    mean = rng.standard_normal(_N_DRAWS) / np.sqrt(n)
    squares = rng.chisquare(n - 1, _N_DRAWS)
    smallest = np.ones(_N_DRAWS)
    for look in range(min(n_looks, _MOST_LOOKS)):
        if look:
            # Update mean and sum of squares from n splits to n + `step`.
            more = rng.standard_normal(_N_DRAWS) / np.sqrt(step)
            squares += (more - mean) ** 2 * n * step / (n + step)
            if step > 1:
                squares += rng.chisquare(step - 1, _N_DRAWS)
            mean += (more - mean) * step / (n + step)
            n += step
        t = (mean + shared) / np.sqrt(squares / (n - 1) * (1 / n + q))
        np.minimum(smallest, 2 * small_tail(t, n - 1), out=smallest)
    return float(alpha * min(1.0, np.quantile(smallest, level) / level))
