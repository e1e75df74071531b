"""A long table of several data sets → scores of models × data sets, with split scores."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from sklearn_stats_compare.comparison import (
    LongNames,
    by_dataset,
    dataset_column,
    has_splits,
    names_datasets,
    scores_by_dataset,
    turned,
    with_plain_columns,
)
from sklearn_stats_compare.datasets._found_datasets import FoundDatasets
from sklearn_stats_compare.datasets._read_mapping import read_mapping
from sklearn_stats_compare.datasets._read_wide import check_no_splits


def is_long_of_datasets(table: pd.DataFrame, columns: Mapping[str, Any]) -> bool:
    """Whether a frame has a row for each data set and model: columns are given or spelled so."""
    return any(given is not None for given in columns.values()) or names_datasets(table)


def read_long(
    table: pd.DataFrame,
    metric: str | None,
    columns: Mapping[str, Any],
    sizes: Mapping[str, Any],
    lower_is_better: bool | None,
) -> FoundDatasets:
    """A row for each data set, model and score, and split if there are several."""
    table = with_plain_columns(table)
    column = dataset_column(table, columns["dataset"])
    check_no_splits(pd.Index(table[column].unique()), "data set")
    names = LongNames(columns["model"], columns["split"], columns["value"])
    without = table.drop(columns=column)
    if has_splits(without, names):
        options = {key: columns[key] for key in ("model", "split", "value")}
        return read_mapping(by_dataset(table, column), metric, sizes, lower_is_better, options)
    values, models, datasets, name = scores_by_dataset(table, column, metric, names)
    name, values, note = turned(name, values, lower_is_better)
    return FoundDatasets(values, models, datasets, name, note=note)
