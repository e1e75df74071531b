"""Classes of samples as arrays of labels, codes or indicators."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

Flags = NDArray[np.bool_]


def as_labels(values: Any) -> NDArray[Any]:
    """Return classes as a vector, or as an indicator matrix for multilabel targets."""
    array = values.toarray() if sparse.issparse(values) else np.asarray(values)
    return array.ravel() if array.ndim == 2 and array.shape[1] == 1 else array


def classes_of(truth: Any, predicted: Any) -> NDArray[Any]:
    """Return the classes of both vectors, sorted."""
    return np.unique(np.concatenate([np.unique(as_labels(truth)), np.unique(as_labels(predicted))]))


def indicators(truth: Any, predicted: Any, labels: ArrayLike | None = None) -> tuple[Flags, Flags]:
    """Return indicators of the true and of the predicted classes, both (n_samples, n_classes).

    For multilabel targets `labels` are columns, as in scikit-learn's metrics.
    """
    truth, predicted = as_labels(truth), as_labels(predicted)
    if truth.ndim == 2:
        columns = slice(None) if labels is None else np.asarray(labels)
        return truth[:, columns] != 0, predicted[:, columns] != 0
    classes = classes_of(truth, predicted) if labels is None else np.asarray(labels)
    return truth[:, None] == classes, predicted[:, None] == classes


def codes(values: Any, classes: NDArray[Any]) -> NDArray[np.intp]:
    """Return the position of each value in the classes; raise ValueError if one is not there."""
    order = np.argsort(classes, kind="stable")
    places = order[np.searchsorted(classes, values, sorter=order).clip(max=len(classes) - 1)]
    unknown = np.asarray(classes[places] != values)
    if unknown.any():
        raise ValueError(
            f"`labels` must name every class; got {classes.tolist()!r}, without "
            f"{np.asarray(values)[unknown][0]!r}."
        )
    return places
