"""A delete-a-group jackknife: values of samples for any score."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_stats_compare.stats.per_sample._shift import around

MOST_GROUPS = 50
"""Scores that one split costs at most, besides its own."""


def jackknife_values(
    score: Callable[[NDArray[np.intp]], float],
    n_samples: int,
    *,
    whole: float | None = None,
    units: ArrayLike | None = None,
    n_groups: int = MOST_GROUPS,
) -> NDArray[np.float64]:
    """Return values of samples from the scores without each of at most 50 groups of them.

    Parameters
    ----------
    score : callable
        The score of the samples at some places, ``score(places)``. `places` are sorted.
    n_samples : int
        Number of samples.
    whole : float, optional
        The score of all samples. Default: it is computed.
    units : array-like of shape (n_samples,), optional
        Samples that belong together, such as those of one person, and leave together. Default:
        each is on its own.
    n_groups : int, default=50
        Into how many groups the units are dealt out at most, at random, always in the same way.

    Returns
    -------
    ndarray of float64, shape (n_samples,)
        The values. NaN where the score is, or where a score without one group is: how much that
        group counts for is then unknown.

    Notes
    -----
    T is the score of all, T_g that without group g of n_g samples, and
    (n/n_g − 1)·(T − T_g) what the group adds. For a mean over samples this is the group's mean
    less T, exactly. Its samples share it, times the root of the number of units in the group.

    - Exact: the mean of the values is T. Up to 50 units each is a group of its own, and the values
      of a mean are then the samples' own.
    - Approximate: for other smooth scores the values are the influences but for terms of order 1/n.
    - With more than 50 units the values of single samples are not known. Thanks to the root their
      variance is on average what it would be for single samples; it comes from 50 groups, and so
      has 49 degrees of freedom, fewer than samples. Sums of such values over groups other than
      `units` are without meaning.
    - Wider than it should be for scores that few samples decide: of absolute errors of normal
      numbers it gives 2.0 times the variance of the median with 30 samples and 1.4 times with 100
      to 1,000, and 1.2 to 1.3 times that of the maximum (means over 300 data sets).

    References
    ----------
    Efron, B. and Tibshirani, R. J. (1993). An Introduction to the Bootstrap. Chapman & Hall,
    chapter 11. https://doi.org/10.1201/9780429246593

    Busing, F. M. T. A., Meijer, E. and van der Leeden, R. (1999). Delete-m jackknife for unequal m.
    Statistics and Computing 9, 3–8. https://doi.org/10.1023/A:1008800423698
    """
    places = np.arange(n_samples)
    whole = float(score(places)) if whole is None else float(whole)
    own = places if units is None else np.unique(np.asarray(units), return_inverse=True)[1].ravel()
    n_units = int(own.max()) + 1
    if n_units < 2 or not np.isfinite(whole):
        # Nothing can be left out.
        return np.full(n_samples, whole if not np.isfinite(whole) else np.nan)
    # Neighbours are often alike (sorted data): groups are dealt out at random, and to every
    # candidate in the same way.
    order = np.random.default_rng(0).permutation(n_units)
    groups = np.empty(n_units, dtype=np.intp)
    groups[order] = np.arange(n_units) % min(n_groups, n_units)
    group_of, units_in = groups[own], np.bincount(groups)
    n_in = np.bincount(group_of)
    without = np.array([float(score(places[group_of != g])) for g in range(len(n_in))])
    if not np.isfinite(without).all():
        return np.full(n_samples, np.nan)
    added = (n_samples / n_in - 1) * (whole - without) * np.sqrt(units_in)
    # The mean of scores without a group is not the score, which is biased by the difference.
    deviations = added[group_of]
    return around(whole, deviations - deviations.mean())
