"""Split scores of two models on all data sets → the next data set, the mean, and each data set.

Each public function is a method of `DatasetsComparison`.
"""

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare._messages import (
    ComparisonWarning,
    check_interval,
    check_rng,
    outside_level,
    shown_list,
)
from sklearn_stats_compare.datasets._pair_over_datasets import PairOverDatasets
from sklearn_stats_compare.stats import bayesian_hierarchical, bayesian_signed_rank_draws

_DRAWS = (500, 2_000, 8_000)
"""Draws of each chain: as many as converge."""


def hierarchical(
    self: Any,
    i: int | str,
    j: int | str,
    *,
    rope: float | tuple[float, float] | None = None,
    rng: Any = 0,
    **options: Any,
) -> PairOverDatasets:
    """Compare two models by the hierarchical model of all their split scores.

    Parameters
    ----------
    i, j : int or str
        Rows or labels of two models.
    rope : float or (float, float), optional
        Region of practical equivalence, in score units. Default: the comparison's.
    rng : None, int or numpy.random.Generator, default=0
        Source of the draws; the default makes results reproducible.
    **options
        As for `stats.bayesian_hierarchical`: `mean_limit`, `n_chains`, `n_draws` and `n_warmup`.
        Without `n_draws`, each chain keeps 500 draws; if they do not converge, 2,000, and then
        8,000.

    Returns
    -------
    PairOverDatasets
        Probabilities that model `i` is worse, practically equivalent or better than model `j` on
        the next data set and on average over data sets, and the difference on each data set,
        shrunken towards the others.

    Raises
    ------
    ValueError
        If there is no such model, `i` and `j` are the same, split scores are not known for every
        data set, or an option is invalid.

    Warns
    -----
    ComparisonWarning
        If the sampler has not converged.

    Notes
    -----
    The model assumes that the correlation of two splits of a data set is the share of samples in
    the test set, as the corrected t-test does. Data sets with precise scores count for more. It is
    valid for independent data sets of one population; with fewer than about five, the result
    depends on the prior. See `stats.bayesian_hierarchical`.

    References
    ----------
    Corani, G., Benavoli, A., Demšar, J., Mangili, F. and Zaffalon, M. (2017). Statistical
    comparison of classifiers through Bayesian hierarchical modelling. Machine Learning 106,
    1817–1837. https://doi.org/10.1007/s10994-017-5641-9
    """
    first, second = _two(self, i, j)
    bounds = self.settings.rope if rope is None else check_interval("rope", rope)
    known = [self.comparisons.get(name) for name in self.datasets]
    unknown = [name for name, own in zip(self.datasets, known, strict=True) if own is None]
    if unknown:
        raise ValueError(
            "`hierarchical` needs split scores of every data set, with the sizes of the splits; "
            f"they are not known for {shown_list(unknown)}."
        )
    names = [str(self.labels[row]) for row in (first, second)]
    differences = [_of_splits(own, *names) for own in known]
    overlaps = np.array([own.scores.design.overlap_ratio for own in known])
    sufficient = (
        [d.mean() for d in differences],
        [((d - d.mean()) ** 2).sum() for d in differences],
        [d.size for d in differences],
        # n_test/n_train → the share of the test set, n_test/(n_train + n_test).
        overlaps / (1 + overlaps),
        bounds,
    )
    check_rng(rng)
    # An outlying data set slows the chains of σ₀ and ν; more draws are cheap.
    for n_draws in (options.pop("n_draws"),) if "n_draws" in options else _DRAWS:
        found = bayesian_hierarchical(
            *sufficient, confidence_level=1 - self.alpha, rng=rng, n_draws=n_draws, **options
        )
        if found.converged:
            break
    if not found.converged:
        warnings.warn(
            f"The draws of the hierarchical model have not converged (R-hat {found.rhat:.3f}, "
            f"effective sample size {found.ess:.0f}): take more draws with `n_draws`.",
            ComparisonWarning,
            stacklevel=outside_level(),
        )
    return PairOverDatasets(
        names[0], names[1], self.metric, tuple(self.datasets), bounds, differences, found
    )


def posterior_draws(
    self: Any,
    i: int | str,
    j: int | str,
    *,
    rope: float | tuple[float, float] | None = None,
    n_draws: int = 10_000,
    rng: Any = 0,
) -> NDArray[np.float64]:
    """Draws from the posterior of the Bayesian signed-rank test of two models.

    Parameters
    ----------
    i, j : int or str
        Rows or labels of two models.
    rope : float or (float, float), optional
        Region of practical equivalence, in score units. Default: the comparison's.
    n_draws : int, default=10,000
        Number of draws.
    rng : None, int or numpy.random.Generator, default=0
        Source of the draws.

    Returns
    -------
    ndarray of float, shape (n_draws, 3)
        Probability that model `i` is worse, practically equivalent or better than model `j`, by the
        mean of two data sets; each row sums to 1.

    Raises
    ------
    ValueError
        If there is no such model, `i` and `j` are the same, or an option is invalid.
    """
    first, second = _two(self, i, j)
    bounds = self.settings.rope if rope is None else check_interval("rope", rope)
    differences = self.values[first] - self.values[second]
    return bayesian_signed_rank_draws(differences, bounds, n_draws=n_draws, rng=rng)


def _two(self: Any, i: int | str, j: int | str) -> tuple[int, int]:
    first, second = self._names.row(i, "i"), self._names.row(j, "j")
    if first == second:
        raise ValueError(f"`i` and `j` must be two models; got {self.labels[first]!r} twice.")
    return first, second


def _of_splits(own: Any, first: str, second: str) -> NDArray[np.float64]:
    """Differences of two models on the splits of one data set."""
    labels = list(own.labels)
    found: NDArray[np.float64] = (
        own.scores.values[labels.index(first)] - own.scores.values[labels.index(second)]
    )
    return found
