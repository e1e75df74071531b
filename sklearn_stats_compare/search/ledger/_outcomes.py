"""What scikit-learn returns of a fit, and the columns of numbers in it."""

from typing import Any

from sklearn_stats_compare._messages import shown, shown_list

Outcome = dict[str, Any]
"""What scikit-learn's ``_fit_and_score`` returns: scores, times, sizes, and the error if any."""

TIMES = ("fit_time", "score_time")
PARTS = ("test_scores", "train_scores", *TIMES)

Column = tuple[str, str | None]
"""A part of an outcome, and a metric where the part has several: ("test_scores", "roc_auc")."""


def columns_of(outcome: Outcome) -> list[Column]:
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


def value_at(outcome: Outcome, column: Column) -> float:
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
