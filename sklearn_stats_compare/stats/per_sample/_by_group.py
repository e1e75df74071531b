"""Values of groups of samples, such as persons, if groups are the independent units."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


def group_values(values: ArrayLike, groups: ArrayLike) -> tuple[NDArray[np.float64], NDArray[Any]]:
    """Sum the values of samples within groups; the mean over groups is still the score.

    Parameters
    ----------
    values : array-like of float, shape (..., n_samples)
        Values of samples of one or more models.
    groups : array-like of shape (n_samples,)
        The group of each sample.

    Returns
    -------
    values : ndarray of float64, shape (..., n_groups)
        For group g, (n_groups/n_samples)·Σ φ_i over its samples: the mean over groups is the mean
        over samples up to rounding. Larger groups have more weight, as they have in the score.
    groups : ndarray of shape (n_groups,)
        The groups, sorted.

    Notes
    -----
    The variance of these values includes the variation of group sizes. Use it for differences
    between two models, where the sizes have little effect. For the score of a single model centre
    the values first: (n_groups/n_samples)·Σ (φ_i − score).

    Examples
    --------
    >>> from sklearn_stats_compare.stats import group_values
    >>> values, groups = group_values([1.0, 0.0, 1.0, 1.0], ["b", "a", "b", "b"])
    >>> values.tolist(), groups.tolist()  # means of 0.75: of 4 samples, and of 2 groups
    ([0.0, 1.5], ['a', 'b'])
    """
    array = np.asarray(values, dtype=np.float64)
    names, codes = np.unique(np.asarray(groups), return_inverse=True)
    codes = codes.ravel()
    if array.shape[-1:] != codes.shape:
        raise ValueError(
            f"`groups` must have one entry per sample, {array.shape[-1]}; got {codes.size}."
        )
    order = np.argsort(codes, kind="stable")
    starts = np.searchsorted(codes[order], np.arange(len(names)))
    sums = np.add.reduceat(array[..., order], starts, axis=-1)
    return sums * (len(names) / codes.size), names
