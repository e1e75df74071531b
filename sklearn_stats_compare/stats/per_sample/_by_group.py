"""Values of groups of samples, such as persons, where these are what was drawn."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


def group_values(values: ArrayLike, groups: ArrayLike) -> tuple[NDArray[np.float64], NDArray[Any]]:
    """Sum the values of samples within groups, so that the mean over groups stays the score.

    Parameters
    ----------
    values : array-like of float, shape (..., n_samples)
        Values of samples, of one model or of several.
    groups : array-like of shape (n_samples,)
        The group of each sample.

    Returns
    -------
    values : ndarray of float64, shape (..., n_groups)
        For group g (n_groups/n_samples)·Σ φ_i over its samples: the mean over groups is the mean
        over samples, exactly but for rounding. A group of many samples counts for more, as it does
        in the score.
    groups : ndarray of shape (n_groups,)
        The groups, sorted.

    Notes
    -----
    The variance of these values includes how the groups differ in size. It is meant for differences
    of two models, where that plays no part. For a single model's score it should be centred first:
    (n_groups/n_samples)·Σ (φ_i − score).

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
