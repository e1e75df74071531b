"""Frames and CSV files → scores, by the reader of the form that their columns show."""

import os
from typing import Any

import pandas as pd

from sklearn_stats_compare._messages import shown
from sklearn_stats_compare.comparison._caret_values import as_long, is_caret
from sklearn_stats_compare.comparison._columns import is_split_column
from sklearn_stats_compare.comparison._cv_results import read_results
from sklearn_stats_compare.comparison._files import check_header, read_csv
from sklearn_stats_compare.comparison._found import Found, Sizes
from sklearn_stats_compare.comparison._frames import read_matrix
from sklearn_stats_compare.comparison._long_columns import LongNames, is_long
from sklearn_stats_compare.comparison._long_table import read_long
from sklearn_stats_compare.comparison._other_frames import as_pandas, with_row_names


def read_frame(
    frame: Any, metric: str | None, sizes: Sizes, orient: str | None, names: LongNames
) -> Found:
    """A frame of pandas, or of a package that converts to it."""
    table = as_pandas(frame)
    # pandas keeps the names of rows in the index, so no column of its frames is one.
    return _read(table, metric, sizes, orient, names, has_index=table is frame)


def read_csv_file(
    path: str | os.PathLike[Any],
    metric: str | None,
    sizes: Sizes,
    orient: str | None,
    names: LongNames,
) -> Found:
    """A CSV file."""
    table = read_csv(path)
    if _is_long(table, orient, names):
        # "None" and "NA" are names of models, as of max_depth=None.
        return _read(read_csv(path, gaps=False), metric, sizes, orient, names, has_index=False)
    if not any(map(is_split_column, table.columns)):
        check_header(table.columns)
    return _read(table, metric, sizes, orient, names, has_index=False)


def check_no_orientation(orient: str | None) -> None:
    """Raise ValueError if `orient` is given for an object that is no matrix of scores."""
    if orient is not None:
        raise ValueError(
            "`orient` must be left out where `obj` is not a matrix of scores: results name their "
            f"columns and models; got {shown(orient)}."
        )


def _read(
    table: pd.DataFrame,
    metric: str | None,
    sizes: Sizes,
    orient: str | None,
    names: LongNames,
    *,
    has_index: bool,
) -> Found:
    if names.given:
        check_no_orientation(orient)
    elif any(map(is_split_column, table.columns)):
        check_no_orientation(orient)
        return read_results(table, metric, sizes)
    if orient is None and not names.given and is_caret(table.columns):
        return read_long(as_long(table), metric, sizes, names)
    whole = _with_index(table) if has_index else table
    if _is_long(whole, orient, names):
        return read_long(whole, metric, sizes, names)
    return read_matrix(table if has_index else with_row_names(table), metric, sizes, orient)


def _is_long(table: pd.DataFrame, orient: str | None, names: LongNames) -> bool:
    # `orient` says that the table is a matrix.
    return orient is None and is_long(table, names)


def _with_index(table: pd.DataFrame) -> pd.DataFrame:
    """The frame with named levels of its index as columns, as `groupby` returns models."""
    named = [name for name in table.index.names if name is not None]
    is_plain = table.columns.nlevels == 1 and not set(named) & set(table.columns)
    return table.reset_index(named) if named and is_plain else table
