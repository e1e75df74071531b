"""The table ``resamples(…)$values`` of R's caret, columns such as RF~Accuracy → a long table."""

from typing import Any

import pandas as pd

from sklearn_stats_compare.comparison._axis_names import is_metric, letters
from sklearn_stats_compare.comparison._long_columns import METRIC

_SEPARATOR, _SPLIT = "~", "Resample"


def is_caret(columns: pd.Index) -> bool:
    """Whether columns are those of ``resamples(…)$values``; R may add one of row names."""
    names = [str(column) for column in columns]
    rest = [name for name in names if name != _SPLIT and not _is_row_names(name)]
    return _SPLIT in names and bool(rest) and all(_SEPARATOR in name for name in rest)


def as_long(table: pd.DataFrame) -> pd.DataFrame:
    """A row for each resample, model and metric."""
    parts = []
    for column in table.columns:
        model, separator, metric = str(column).rpartition(_SEPARATOR)
        if separator:
            part: dict[str, Any] = {
                "model": model,
                _SPLIT: table[_SPLIT],
                "metric": metric,
                "value": table[column],
            }
            parts.append(pd.DataFrame(part))
    return pd.concat(parts, ignore_index=True)


def with_metrics(table: pd.DataFrame, models: str) -> pd.DataFrame:
    """The table with model and metric apart, if all models are named such as RF~Accuracy."""
    parts = [str(name).rpartition(_SEPARATOR) for name in table[models]]
    if not parts or not all(model and is_metric(metric) for model, _, metric in parts):
        return table
    names = {models: [model for model, _, _ in parts], METRIC: [metric for *_, metric in parts]}
    return table.assign(**names)


def _is_row_names(name: str) -> bool:
    return not letters(name) or name.startswith("Unnamed: ") or letters(name) == "rownames"
