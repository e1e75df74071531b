"""Checks of predictions of several models for one test set."""

import warnings

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sklearn_stats_compare._messages import (
    ComparisonWarning,
    check_classes,
    check_flag,
    check_same_kind,
    outside_level,
)

# Pooled predictions come from `cross_val_predict`. Its documentation also warns against using them
# to measure generalisation error.
_POOLED = (
    "Predictions pooled over folds come from several fits of each model, but this test assumes a "
    "single fit: it ignores how the models vary with their training data. For models under "
    'cross-validation use test="samples", which includes that variation, or compare scores per '
    "split with cross_validate_models or corrected_ttest."
)


def correct_predictions(y_true: ArrayLike, preds: dict[str, ArrayLike]) -> NDArray[np.bool_]:
    """Which samples each model predicted correctly, shape (n_models, n_samples)."""
    truth = check_classes("y_true", y_true)
    rows = []
    for name, pred in preds.items():
        row = check_classes(name, pred)
        if row.shape != truth.shape:
            raise ValueError(
                f"`{name}` must have one prediction per entry of `y_true`, {truth.size}; "
                f"got {row.size}."
            )
        check_same_kind(name, row, truth)
        # The check is needed because NumPy compares text with numbers as False everywhere.
        rows.append(truth == row)
    return np.array(rows, dtype=bool)


def warn_if_pooled(pooled_over_folds: bool) -> None:
    """Check the flag, and warn if the predictions come from several fits of each model."""
    if check_flag("pooled_over_folds", pooled_over_folds):
        warnings.warn(_POOLED, ComparisonWarning, stacklevel=outside_level())
