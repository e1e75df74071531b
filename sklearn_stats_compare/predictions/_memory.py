"""The memory that kept predictions will take, checked before the first fit."""

import os
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.utils.multiclass import type_of_target

from sklearn_stats_compare._messages import outside_level
from sklearn_stats_compare.predictions._read_scorer import read_scorer

_LARGE_SIZE = 10**9
_FLOAT = 8
"""Bytes of a probability, of a decision value, and of a predicted number."""
_VALUE = 4
"""Bytes of a value of a sample, stored in single precision."""


def are_large_values(n_metrics: int, n_candidates: int, n_tested: int) -> bool:
    """Whether the values of samples would take so much memory that `check_memory` warns."""
    return 2 * n_metrics * n_candidates * n_tested * _VALUE > _LARGE_SIZE


def check_memory(
    scorers: Mapping[str, Any],
    estimator: Any,
    y: Any,
    *,
    keeps: bool | str,
    n_candidates: int,
    n_tested: int,
) -> None:
    """Warn or raise if the predictions of all candidates would take much memory.

    Parameters
    ----------
    scorers : mapping of str to callable
        The scorer of each metric.
    estimator : estimator
        The estimator that is scored.
    y : array-like
        The truth.
    keeps : True or "values"
        As `return_predictions`.
    n_candidates, n_tested : int
        Number of candidates, and total number of test samples over all splits.

    Raises
    ------
    ValueError
        If they would take more memory than is free.

    Warns
    -----
    UserWarning
        If they will take more than 1 GB.
    """
    try:
        of_sample = _bytes_per_sample(scorers, estimator, y, keeps)
    except Exception:  # a target or an estimator of a kind that scikit-learn does not know
        of_sample = 2 * _FLOAT
    # Twice: scikit-learn keeps all outcomes until its `fit` ends.
    size = 2 * n_candidates * n_tested * of_sample
    what = "values" if keeps == "values" else "predictions"
    estimate = (
        f"The {what} of {n_candidates:,} candidates for {n_tested:,} test samples take about "
        f"{size / 1e9:.3g} GB"
    )
    free = _available()
    if free is not None and size > free:
        raise ValueError(
            "`return_predictions` must be False if the predictions do not fit in memory. "
            f"{estimate}, and {free / 1e9:.3g} GB are free."
        )
    if size > _LARGE_SIZE:
        warnings.warn(
            f"{estimate} of memory. Call `drop_predictions()` to free it.",
            UserWarning,
            stacklevel=outside_level(),
        )


def _bytes_per_sample(scorers: Mapping[str, Any], estimator: Any, y: Any, keeps: bool | str) -> int:
    """Bytes of a candidate's responses to one sample."""
    if keeps == "values":
        return _VALUE * len(scorers)
    n_classes = 1
    labels = _FLOAT
    n_outputs = np.shape(y)[1] if y is not None and np.ndim(y) == 2 else 1
    if is_classifier(estimator) and y is not None and type_of_target(y) in ("binary", "multiclass"):
        classes = np.unique(np.asarray(y))
        n_classes = classes.size
        # Integer labels are stored in the smallest type that holds them.
        labels = classes.dtype.itemsize  # NumPy's text has four bytes per character
        if classes.dtype.kind in "iub":
            labels = np.min_scalar_type(classes.max(initial=0)).itemsize
    sizes = {
        "predict": labels,
        "predict_proba": _FLOAT * n_classes,
        "predict_log_proba": _FLOAT * n_classes,
        "decision_function": _FLOAT * _n_decisions(estimator, n_classes),
    }
    needed = set()
    for scorer in scorers.values():
        reading = read_scorer(scorer, estimator)
        method = reading.response_method(estimator)
        # A function of the estimator may call any of its methods.
        needed |= {method} if method else {"predict", "predict_proba"}
    return n_outputs * sum(sizes[method] for method in needed)


def _n_decisions(estimator: Any, n_classes: int) -> int:
    if n_classes <= 2:
        return 1
    one_vs_one = getattr(estimator, "decision_function_shape", None) == "ovo"
    return n_classes * (n_classes - 1) // 2 if one_vs_one else n_classes


def _available() -> int | None:
    """Bytes of free memory; None where the system does not report it."""
    try:
        with open("/proc/meminfo") as file:  # Linux
            for line in file:
                if line.startswith("MemAvailable:"):
                    return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    try:  # other systems report the installed memory only
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):  # Windows
        return None
