"""Scores of several data sets: what they must be, and which of them are tied."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare._messages import check_numbers, shown
from sklearn_stats_compare.stats._limits import LARGEST

TIED = 1e-12
"""Share of the larger score; scores and differences that differ by at most this share are tied.

Equal scores rarely stay equal in floating point: 0.9 − 0.8 and 0.8 − 0.7 differ by 1e-16,
and so do means of the same folds in another order. The rounding error of a mean of thousands of
scores is below 1e-12 of the score. A larger share could join scores that differ: accuracies of one
error in 1e9 samples.
"""


def check_dataset_values(values: Any, *, fewest_datasets: int = 1) -> NDArray[np.float64]:
    """Return scores of models on data sets as an array, else raise ValueError."""
    array = check_numbers("values", values)
    if array.ndim != 2 or array.shape[0] < 2 or array.shape[1] < fewest_datasets:
        few = "1 data set" if fewest_datasets == 1 else f"{fewest_datasets} data sets"
        raise ValueError(
            "`values` must have shape (n_models, n_datasets), with at least 2 models and "
            f"{few}; got shape {array.shape}."
        )
    broken = array[~(np.abs(array) <= LARGEST)]
    if broken.size:
        raise ValueError(
            f"`values` must be finite and of absolute value at most {LARGEST:g}; got "
            f"{shown(float(broken[0]))}. Remove a data set or a model without a score from the "
            "table yourself."
        )
    return array


def differences_from(
    values: NDArray[np.float64], i: int, shift: float = 0.0
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Scores of model `i` minus those of every later model, and their tolerances.

    `shift` is subtracted; differences are 0 where tied after that.

    The tolerance is relative to the two scores on the same data set: a pair's result does not
    depend on other models, and data sets may differ in scale.
    """
    first, second = values[i], values[i + 1 :]
    tolerance = TIED * np.maximum(np.maximum(np.abs(first), np.abs(second)), abs(shift))
    difference = first - second - shift
    difference[np.abs(difference) <= tolerance] = 0.0
    return difference, tolerance


def doubled_ranks(
    ordered: NDArray[np.float64], tolerance: NDArray[np.float64]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Twice the ranks along the last axis, from 1 for the first, and the numbers of tied values.

    Tied values share their mean rank, so that twice a rank is a whole number. Neighbours are tied
    if they differ by at most the larger of their tolerances. Rounding to a grid would instead
    separate values on both sides of a grid point's border.

    Parameters
    ----------
    ordered : ndarray of float, shape (..., n)
        Values in ascending order.
    tolerance : ndarray of float, shape (..., n)
        Their tolerances.
    """
    n = ordered.shape[-1]
    position = np.arange(n)
    gap = np.diff(ordered) > np.maximum(tolerance[..., 1:], tolerance[..., :-1])
    edge = np.ones((*ordered.shape[:-1], 1), dtype=bool)
    starts, ends = np.concatenate([edge, gap], axis=-1), np.concatenate([gap, edge], axis=-1)
    first = np.maximum.accumulate(np.where(starts, position, 0), axis=-1)
    last = np.minimum.accumulate(np.where(ends, position, n)[..., ::-1], axis=-1)[..., ::-1]
    return first + last + 2, last - first + 1
