"""Ranks of the models on each data set, and their means."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare.stats.datasets._ties import (
    TIED,
    check_dataset_values,
    doubled_ranks,
)


def dataset_ranks(values: Any) -> NDArray[np.float64]:
    """Rank the models on each data set.

    Parameters
    ----------
    values : array-like of float, shape (n_models, n_datasets)
        Score of each model on each data set, higher is better.

    Returns
    -------
    ndarray of float, shape (n_models, n_datasets)
        Ranks from 1, the best. Tied models share their mean rank. Scores that differ by at most
        1e-12 of the larger one are tied.

    Raises
    ------
    ValueError
        If `values` is not a finite table of at least 2 models.

    Examples
    --------
    >>> from sklearn_stats_compare.stats import dataset_ranks
    >>> dataset_ranks([[0.9, 0.7, 0.8], [0.8, 0.7, 0.9], [0.7, 0.6, 0.9]])
    array([[1. , 1.5, 3. ],
           [2. , 1.5, 1.5],
           [3. , 3. , 1.5]])
    """
    negative = -check_dataset_values(values).T
    order = np.argsort(negative, axis=-1, kind="stable")
    ordered = np.take_along_axis(negative, order, axis=-1)
    doubled, _ = doubled_ranks(ordered, TIED * np.abs(ordered))
    ranks = np.empty_like(negative)
    np.put_along_axis(ranks, order, doubled / 2, axis=-1)
    return ranks.T


def average_ranks(values: Any) -> NDArray[np.float64]:
    """Mean rank of each model over the data sets.

    Parameters
    ----------
    values : array-like of float, shape (n_models, n_datasets)
        Score of each model on each data set, higher is better.

    Returns
    -------
    ndarray of float, shape (n_models,)
        Mean of the ranks of `dataset_ranks`; 1 is a model that is the best on every data set.

    Raises
    ------
    ValueError
        If `values` is not a finite table of at least 2 models.

    Notes
    -----
    A mean rank says how often a model is ahead, not by how much. It depends on all models of the
    table: adding a model can change the order of two others.

    Examples
    --------
    >>> from sklearn_stats_compare.stats import average_ranks
    >>> average_ranks([[0.9, 0.7, 0.8], [0.8, 0.7, 0.9], [0.7, 0.6, 0.9]]).round(3)
    array([1.833, 1.667, 2.5  ])
    """
    return dataset_ranks(values).mean(axis=1)
