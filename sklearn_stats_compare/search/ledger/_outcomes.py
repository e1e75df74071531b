"""What scikit-learn returns of a fit, and the columns of numbers in it."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare._messages import shown, shown_list

Outcome = dict[str, Any]
"""What scikit-learn's ``_fit_and_score`` returns: scores, times, sizes, and the error if any."""

TIMES = ("fit_time", "score_time")
PARTS = ("test_scores", "train_scores", *TIMES)

Column = tuple[str, str | None]
"""A part of an outcome, and a metric where the part has several: ("test_scores", "roc_auc")."""

Errors = dict[tuple[int, int], str]
"""Place in a block → the error of the fit there."""


def tables_of(
    outcomes: Sequence[Outcome], n_candidates: int, n_splits: int
) -> tuple[dict[Column, NDArray[np.float64]], Errors]:
    """Numbers of a block, candidates × splits for each column, and its errors.

    Raises ValueError if a score is no number, or a fit has other metrics than the first one.
    """
    shape = n_candidates, n_splits
    tables = {
        # `_fit_and_score` may return NumPy scalars, of the scorer's own type.
        column: np.array([_value_at(outcome, column) for outcome in outcomes], float).reshape(shape)
        for column in _columns_of(outcomes[0])
    }
    errors = {
        divmod(k, n_splits): outcome["fit_error"]
        for k, outcome in enumerate(outcomes)
        if outcome["fit_error"] is not None
    }
    return tables, errors


def _columns_of(outcome: Outcome) -> list[Column]:
    """Columns of an outcome, apart from the error and sizes."""
    columns: list[Column] = []
    for part, value in outcome.items():
        # The sizes of splits are in `SplitDesign`.
        if part in ("fit_error", "n_test_samples"):
            continue
        columns += (
            [(part, metric) for metric in value] if isinstance(value, dict) else [(part, None)]
        )
    return columns


def _value_at(outcome: Outcome, column: Column) -> float:
    """One number of an outcome; ValueError where it is none."""
    part, metric = column
    value = outcome[part]
    if metric is not None:
        if metric not in value:
            raise ValueError(
                f"`scoring` must return the same metrics for every fit; {metric!r} is not among "
                f"{shown_list(value)}."
            )
        value = value[metric]
    try:
        return float(value)
    except TypeError:
        raise ValueError(f"`scoring` must return real numbers; got {shown(value)}.") from None
