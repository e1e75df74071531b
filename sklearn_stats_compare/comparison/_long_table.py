"""A long table, a row for each model and split → scores of one metric, models × splits.

Nothing is paired by its position: a row names its model and its split, and each pair must occur
once.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from sklearn_stats_compare._messages import shown, shown_list
from sklearn_stats_compare.comparison._caret_values import with_metrics
from sklearn_stats_compare.comparison._chosen_by_scores import (
    NO_ERROR_RATES,
    UNSEEN_SPLITS,
    ChosenByScores,
)
from sklearn_stats_compare.comparison._columns import is_absent, numbers
from sklearn_stats_compare.comparison._found import Found, Sizes, chosen_metric
from sklearn_stats_compare.comparison._long_columns import (
    METRIC,
    LongColumns,
    LongNames,
    data_set_columns,
    find_columns,
    is_tidy,
    parts_of,
)
from sklearn_stats_compare.comparison._long_models import labels_of, params_of_models
from sklearn_stats_compare.comparison._long_sizes import design_of_table
from sklearn_stats_compare.comparison._long_splits import check_no_training_scores, in_order
from sklearn_stats_compare.comparison._other_frames import as_pandas, is_frame
from sklearn_stats_compare.stats import SplitScores

_MOST_SHOWN = 3
_CHOSEN = f"Scores chose later candidates, as the column .iter shows, {NO_ERROR_RATES}"

Name = tuple[str, ...]


def read_long(table: pd.DataFrame, metric: str | None, sizes: Sizes, names: LongNames) -> Found:
    """A long table: models in the order of the rows, splits in the order of their names."""
    table = with_plain_columns(table)
    columns = find_columns(table, names, metric)
    if columns.metric is None and len(columns.models) == 1:
        table = with_metrics(table, columns.models[0])
        if METRIC in table:
            columns = replace(columns, metric=METRIC)
    _check_test_scores(table, columns)
    whole = table
    table, name = of_one_metric(table, columns, metric)
    if table.empty:
        raise ValueError("`obj` must hold the scores of at least one model and split; got none.")
    _check_every_model(whole, table, columns, name)
    _check_one_data_set(table, columns)
    _check_one_resampling(table, columns)
    of_rows = (
        names_of_rows(table, columns.models, "model"),
        names_of_rows(table, columns.splits, "split"),
    )
    models, splits = dict.fromkeys(of_rows[0]), in_order(list(set(of_rows[1])), columns.splits)
    check_no_training_scores(splits)
    _check_every_pair(table, columns, of_rows, list(models), splits)
    places = [{key: i for i, key in enumerate(keys)} for keys in (models, splits)]
    i, k = (
        np.array([place[key] for key in keys]) for place, keys in zip(places, of_rows, strict=True)
    )
    values = np.full((len(models), len(splits)), np.nan)
    values[i, k] = numbers(without_gaps(table[columns.value]), columns.value)
    design = design_of_table(table, k, splits, columns.splits, sizes)
    # A row of each model, for what is the same in all of its rows.
    params = params_of_models(table, i, columns) if is_tidy(table.columns) else None
    labels = labels_of(list(models), columns.models, params)
    is_tuned = ".iter" in table and pd.to_numeric(table[".iter"], errors="coerce").gt(0).any()
    arguments = {"note": ChosenByScores(_CHOSEN, UNSEEN_SPLITS)} if is_tuned else {}
    return Found(
        SplitScores(values, design),
        name,
        labels=labels,
        params=params,
        arguments=arguments,
        may_be_loss=True,
    )


def is_named_tables(obj: Any) -> bool:
    """Whether an object maps names to tables of single models, such as caret's ``$resample``."""
    return (
        isinstance(obj, Mapping)
        and bool(obj)
        and all(is_frame(value) and "Resample" in value.columns for value in obj.values())
    )


def joined(tables: Mapping[Any, Any]) -> pd.DataFrame:
    """Tables of single models, one below the other, with the model in a column."""
    parts = [as_pandas(table).assign(model=str(name)) for name, table in tables.items()]
    return pd.concat(parts, ignore_index=True)


def with_plain_columns(table: pd.DataFrame) -> pd.DataFrame:
    """The table with names of columns as text; ValueError unless they are unique, in one level."""
    if table.columns.nlevels > 1:
        raise ValueError(
            "`obj` must have columns in one level in a long table; got a column "
            f"{shown(table.columns[0])}."
        )
    plain = pd.Index([str(column) for column in table.columns])
    if not plain.is_unique:
        raise ValueError(
            "`obj` must have columns of different names in a long table; got "
            f"{shown(plain[plain.duplicated()][0])} twice."
        )
    return table.set_axis(plain, axis=1).reset_index(drop=True)


def of_one_metric(
    table: pd.DataFrame, columns: LongColumns, metric: str | None
) -> tuple[pd.DataFrame, str]:
    """The rows of the metric, and its name."""
    if columns.metric is None:
        return table, columns.metric_name or "score"
    found = table[columns.metric]
    names = list(dict.fromkeys(str(cell) for cell in found if not is_absent(cell)))
    empty = [k for k, cell in enumerate(found) if cell is None or is_absent(cell)]
    if empty or not names:
        row = f"row {empty[0]}" if empty else "any row"
        raise ValueError(
            f"`obj` must name the metric of every row; column {shown(columns.metric)} does not in "
            f"{row}."
        )
    # `metric` may also be the name of the column, if there is one metric.
    name = chosen_metric(None if metric == columns.metric else metric, names)
    return table[found.astype(str) == name].reset_index(drop=True), name


def _check_test_scores(table: pd.DataFrame, columns: LongColumns) -> None:
    """Raise ValueError if a column says that some scores are of training samples."""
    for column in table.columns:
        parts = [] if column in columns.models else parts_of(table[column])
        if not {"train", "training"}.isdisjoint(parts):
            raise ValueError(
                "`obj` must have the scores of test samples alone; got a column "
                f"{shown(column)} with {shown_list(parts)}. Keep the rows of the test samples."
            )


def _check_every_model(
    whole: pd.DataFrame, table: pd.DataFrame, columns: LongColumns, metric: str
) -> None:
    """Raise ValueError if a model of the whole table has no score by the metric."""
    if len(whole) == len(table):
        return
    known = set(names_of_rows(table, columns.models, "model"))
    for model in names_of_rows(whole, columns.models, "model"):
        if model not in known:
            raise ValueError(
                f"`obj` must have scores by {shown(metric)} of every model; {_shown(model)} has "
                "none. Leave out the rows of that model, or compare by another metric."
            )


def _check_one_data_set(table: pd.DataFrame, columns: LongColumns) -> None:
    for column in data_set_columns(table, {*columns.models, *columns.splits}):
        found = list(dict.fromkeys(map(str, table[column])))
        if len(found) > 1:
            raise ValueError(
                "`obj` must hold scores on one data set at a time; column "
                f"{shown(column)} names {len(found)}: {shown_list(found)}. Keep the rows of one, "
                "or compare over several by compare_datasets."
            )


def _check_one_resampling(table: pd.DataFrame, columns: LongColumns) -> None:
    # mlr3 numbers the splits of every scheme from 1.
    if "resampling_id" in table and "resampling_id" not in columns.splits:
        found = list(dict.fromkeys(map(str, table["resampling_id"])))
        if len(found) > 1:
            raise ValueError(
                "`obj` must hold the same splits for every model; column 'resampling_id' names "
                f"different schemes: {shown_list(found)}. Keep the rows of one."
            )


def names_of_rows(table: pd.DataFrame, columns: Sequence[str], what: str) -> list[Name]:
    """The model, or the split, of every row."""
    texts = []
    for column in columns:
        cells = table[column].tolist()
        absent = next((k for k, cell in enumerate(cells) if cell is None or is_absent(cell)), None)
        if absent is not None:
            raise ValueError(
                f"`obj` must name the {what} of every row; column {shown(column)} is empty in row "
                f"{absent}."
            )
        texts.append([_text(cell) for cell in cells])
    return list(zip(*texts, strict=True))


def _text(cell: Any) -> str:
    # A column of whole numbers with an empty cell elsewhere has become one of floats.
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell)


def without_gaps(column: pd.Series) -> list[Any]:
    """The cells of a column, NaN for R's and Python's words for an absent value."""
    gaps = ("NA", "N/A", "None", "null", "NULL", "<NA>")
    return [np.nan if isinstance(cell, str) and cell in gaps else cell for cell in column]


def _check_every_pair(
    table: pd.DataFrame,
    columns: LongColumns,
    of_rows: tuple[list[Name], list[Name]],
    models: list[Name],
    splits: list[Name],
) -> None:
    """Raise ValueError unless each model has each split in one row."""
    pairs = Counter(zip(*of_rows, strict=True))
    pair, times = pairs.most_common(1)[0]
    if times > 1:
        rows = [k for k, own in enumerate(zip(*of_rows, strict=True)) if own == pair]
        raise ValueError(
            f"`obj` must have one row for each model and split; got {times} for "
            f"{_shown(pair[0])} on {_shown(pair[1])}.{_differ(table.iloc[rows], columns)}"
        )
    if len(pairs) == len(models) * len(splits):
        return
    own: dict[Name, set[Name]] = {model: set() for model in models}
    for model, split in zip(*of_rows, strict=True):
        own[model].add(split)
    fullest = max(models, key=lambda model: len(own[model]))
    for model in models:
        if own[model] - own[fullest]:
            here, there = min(own[model] - own[fullest]), min(own[fullest] - own[model])
            raise ValueError(
                "`obj` must hold the same splits for every model, because scores on different "
                f"splits are not paired; only {_shown(model)} of these two has {_shown(here)}, and "
                f"only {_shown(fullest)} has {_shown(there)}."
            )
    absent = [
        f"{_shown(model)} on {_shown(split)}"
        for model in models
        if len(own[model]) < len(splits)
        for split in splits
        if split not in own[model]
    ]
    more = f" and {len(absent) - _MOST_SHOWN} more" if len(absent) > _MOST_SHOWN else ""
    raise ValueError(
        "`obj` must have a row for every model and split; absent are "
        f"{shown_list(absent[:_MOST_SHOWN])}{more}. Add rows with an empty score for runs that "
        "failed: the model is then missing. Otherwise leave out the model, or the split."
    )


def _differ(rows: pd.DataFrame, columns: LongColumns) -> str:
    """A sentence on the columns that distinguish rows of the same model and split."""
    used = {*columns.models, *columns.splits, columns.value}
    found = [
        name for name in rows if name not in used and len(set(map(str, rows[name]))) == len(rows)
    ]
    if not found:
        return " Keep one of them."
    return (
        f" These rows differ in {shown_list(map(repr, found))}: add the column to `split` if it "
        "names a repeat, or to `model` if it names a model, or keep the rows of one."
    )


def _shown(name: Name) -> str:
    return shown(name[0] if len(name) == 1 else " / ".join(name))
