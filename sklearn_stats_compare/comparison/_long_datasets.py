"""Long tables of several data sets: the column that names them, and a score of each model."""

from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._messages import shown, shown_list
from sklearn_stats_compare.comparison._columns import numbers
from sklearn_stats_compare.comparison._long_columns import (
    LongNames,
    data_set_columns,
    find_columns,
    spelled_models,
    spelled_splits,
)
from sklearn_stats_compare.comparison._long_models import labels_of
from sklearn_stats_compare.comparison._long_table import (
    names_of_rows,
    of_one_metric,
    with_plain_columns,
    without_gaps,
)


def names_datasets(table: pd.DataFrame) -> bool:
    """Whether a frame spells a column of data sets and one of models."""
    if table.columns.nlevels > 1 or not table.columns.is_unique:
        return False
    plain = with_plain_columns(table)
    return bool(data_set_columns(plain, ()) and spelled_models(plain))


def spelled_datasets(table: pd.DataFrame) -> list[str]:
    """The columns of a frame that are spelled as names of data sets."""
    if table.columns.nlevels > 1 or not table.columns.is_unique:
        return []
    return [name for name in data_set_columns(table, ()) if name in table]


def dataset_column(table: pd.DataFrame, given: str | None) -> str:
    """The column that names the data sets; ValueError if none is spelled so, or several are."""
    if given is not None:
        if not isinstance(given, str) or given not in table:
            raise ValueError(
                f"`dataset` must be one of the columns {shown_list(map(str, table.columns))}; got "
                f"{shown(given)}."
            )
        return given
    found = data_set_columns(table, ())
    # An id and a name of the same data sets are no choice.
    if len(found) > 1 and table.groupby(found, dropna=False, observed=True).ngroups == max(
        table[name].nunique(dropna=False) for name in found
    ):
        found = found[:1]
    if len(found) != 1:
        what = (
            f"several could be meant: {shown_list(map(repr, found))}"
            if found
            else f"no column is spelled so: {shown_list(map(repr, table.columns))}"
        )
        raise ValueError(
            f"`dataset` must name the column of the data sets, because {what}; got None."
        )
    return found[0]


def by_dataset(table: pd.DataFrame, column: str) -> dict[str, pd.DataFrame]:
    """The rows of each data set, without its column, in the order in which they first occur."""
    names = [name[0] for name in names_of_rows(table, [column], "data set")]
    left = table.drop(columns=[column, *(data_set_columns(table, (column,)))])
    rows: dict[str, list[int]] = {}
    for row, name in enumerate(names):
        rows.setdefault(name, []).append(row)
    return {name: left.iloc[own].reset_index(drop=True) for name, own in rows.items()}


def has_splits(table: pd.DataFrame, names: LongNames) -> bool:
    """Whether rows are named by splits too."""
    return names.split is not None or bool(spelled_splits(table))


def scores_by_dataset(
    table: pd.DataFrame, column: str, metric: str | None, names: LongNames
) -> tuple[NDArray[np.float64], list[str], list[str], str]:
    """Scores of models × data sets, NaN where there is no row; models, data sets and the metric."""
    columns = find_columns(table, LongNames(names.model, column, names.value), metric)
    table, name = of_one_metric(table, columns, metric)
    model_of = names_of_rows(table, columns.models, "model")
    dataset_of = names_of_rows(table, [column], "data set")
    twice, times = Counter(zip(model_of, dataset_of, strict=True)).most_common(1)[0]
    if times > 1:
        raise ValueError(
            f"`split` must name the column of the splits: there are {times} rows for "
            f"{shown(' '.join(twice[0]))} on {shown(twice[1][0])}, where one score is expected; "
            "got None."
        )
    models: list[Any] = list(dict.fromkeys(model_of))
    datasets: list[Any] = list(dict.fromkeys(dataset_of))
    values = np.full((len(models), len(datasets)), np.nan)
    rows = [models.index(own) for own in model_of]
    places = [datasets.index(own) for own in dataset_of]
    values[rows, places] = numbers(without_gaps(table[columns.value]), columns.value)
    labels = [str(label) for label in labels_of(models, columns.models, None)]
    return values, labels, [own[0] for own in datasets], name
