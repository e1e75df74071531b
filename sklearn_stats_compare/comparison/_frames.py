"""Matrices of scores → which axis holds the models; a DataFrame must show it by its names.

Most tables of numbers hold something else: metrics of one model, splits of several, run times.
"""

import re
from typing import Any, NoReturn

import pandas as pd

from sklearn_stats_compare._messages import shown
from sklearn_stats_compare.comparison._axis_names import (
    has_split,
    is_bookkeeping,
    is_metric,
    is_of_models,
    is_of_trial,
    is_split,
    is_summary,
    is_text,
    is_time,
    kind_of,
    may_be_metric,
    may_be_time,
)
from sklearn_stats_compare.comparison._columns import is_split_column, matrix_of
from sklearn_stats_compare.comparison._found import Found, Sizes
from sklearn_stats_compare.stats import SplitScores

ROWS, COLUMNS = "models in rows", "models in columns"
# The last two are the former names: the axis of a DataFrame that holds the models.
ORIENTATIONS = {None: None, ROWS: ROWS, COLUMNS: COLUMNS, "index": ROWS, "columns": COLUMNS}

# Columns of scikit-learn's cv_results_.
_RESULTS = ("mean_test_", "std_test_", "rank_test_")
_ONE_METRIC = "Take the scores of several models by one metric."
_NO_SCORES = (
    "Make it the index, or drop it. If the table has a row for each model and split, name its "
    "columns in `model`, `split` and `value`."
)
_ROWS_ARE_MODELS = f"If the rows are models, say orient={ROWS!r}."
_COLUMNS_ARE_MODELS = f"If the columns are models and the rows splits, say orient={COLUMNS!r}."


def read_matrix(obj: Any, metric: str | None, sizes: Sizes, orient: str | None) -> Found:
    """A matrix of scores: an array, a list of rows, or a DataFrame whose names show its axes."""
    labels = None
    # Arrays and lists are models × splits by their documentation; frames come in both forms.
    if isinstance(obj, pd.DataFrame):
        orient = _orientation(obj, orient)
        labels = [str(label) for label in (obj.index if orient == ROWS else obj.columns)]
    scores = matrix_of(obj)
    if orient == COLUMNS:
        scores = scores.T
    design = sizes.design(scores.shape[1])
    return Found(SplitScores(scores, design), metric or "score", labels=labels, may_be_loss=True)


def _orientation(frame: pd.DataFrame, orient: str | None) -> str:
    """Which axis holds the models, `ROWS` or `COLUMNS`; ValueError if that is not clear."""
    if frame.empty:
        return ROWS  # either will do: `matrix_of` refuses an empty frame
    _check_columns(frame.columns)
    axes = {"column": frame.columns, "row": frame.index}
    # The first error names the likeliest mistake: an Optuna table also has columns of times.
    for check in (_check_trials, _check_scores):
        for what, axis in axes.items():
            for label in axis:
                check(what, label)
    if orient is None:
        return _read_orientation(frame.index, frame.columns)
    of_models, of_splits = ("row", "column") if orient == ROWS else ("column", "row")
    splits = axes[of_splits]
    for label in filter(is_metric, splits):
        _refuse(of_splits, label, "which is a metric and no split", _ONE_METRIC)
    # skore's reports name the splits of several models like svm_split_0.
    mixed = {re.sub(r"\d+", "", str(label)) for label in splits if has_split(label)}
    if len(mixed) > 1:
        _refuse(
            of_splits, splits[0], f"which is of one of {len(mixed)} sets of splits", _ONE_METRIC
        )
    models = axes[of_models]
    if len(models) and all(map(is_metric, models)):
        _refuse(of_models, models[0], "which is a metric and no model", _ONE_METRIC)
    # caret names its resamples like RF~Accuracy.
    metrics = {str(label).rpartition("~")[2] for label in models if "~" in str(label)}
    if len(metrics) > 1:
        _refuse(of_models, models[0], f"which is of one of {len(metrics)} metrics", _ONE_METRIC)
    return orient


def _check_columns(columns: pd.Index) -> None:
    """Raise ValueError for columns of results, of several levels, or of the same name."""
    for column in columns:
        # A MultiIndex has tuples as labels; a plain Index made of tuples may have them too.
        parts = column if isinstance(column, tuple) else (column,)
        named = [str(part) for part in parts]
        if any(is_split_column(name) or name.startswith(_RESULTS) for name in named):
            raise ValueError(
                "`obj` must have columns such as split0_test_score, in one level, or be a matrix "
                f"of scores; got a column {shown(column)}."
            )
        # `DataFrame.to_csv` writes the index without a header, which `pandas.read_csv` reads as a
        # column "Unnamed: 0".
        if named[0].startswith("Unnamed: "):
            raise ValueError(
                "`obj` must be a matrix of scores alone, with labels as its index; got a column "
                f"{shown(column)}, as an index that was saved to a file. Read it with index_col=0."
            )
    if columns.nlevels > 1 or any(isinstance(column, tuple) for column in columns):
        _refuse(
            "column", columns[0], "which has several levels",
            "Take one metric, and unstack it to a row per model and a column per split.",
        )  # fmt: skip
    if not columns.is_unique:
        twice = columns[columns.duplicated()][0]
        _refuse("column", twice, "which occurs twice", "Give each column a name of its own.")


def _check_trials(what: str, label: Any) -> None:
    """Raise ValueError for a row or column of a table of trials."""
    if is_of_trial(label):
        _refuse(
            what, label, "which belongs to a table of trials",
            "Columns of results are called such as split0_test_score. Of Optuna's trials_dataframe "
            "take off the prefix: frame.rename(columns=lambda name: "
            "name.removeprefix('user_attrs_')).",
        )  # fmt: skip


def _check_scores(what: str, label: Any) -> None:
    """Raise ValueError for a row or column that holds no single scores, whatever `orient` says."""
    if is_summary(label):
        _refuse(what, label, "which sums up the others", "Drop it, or rename a model of that name.")
    if is_time(label):
        _refuse(what, label, "which is a time and no score", "Drop it.")
    if what == "column" and is_bookkeeping(label):
        _refuse(what, label, "which holds no scores", _NO_SCORES)


def _read_orientation(rows: pd.Index, columns: pd.Index) -> str:
    """Which axis holds the models, by the names of rows and columns."""
    of_rows, of_columns = kind_of(rows), kind_of(columns)
    if of_columns == "named":
        _check_model_columns(columns)
        # Numbered rows, and columns with names, are what pandas makes of a dict of scores by model.
        # Numbers as names, such as values of a parameter, may be anything.
        are_models = is_of_models(columns) or all(map(is_text, columns))
        if are_models and of_rows in ("plain", "splits"):
            return COLUMNS
    split = next(filter(is_split, rows), rows[0] if of_rows == "splits" else None)
    if split is not None:
        _refuse("row", split, "which names a split", f"{_COLUMNS_ARE_MODELS} {_ROWS_ARE_MODELS}")
    if of_columns == "named" or of_rows == of_columns == "plain":
        raise ValueError(
            "`obj` must say whether its rows or its columns are the models; got rows such as "
            f"{shown(rows[0])} and columns such as {shown(columns[0])}, which could be either. Say "
            f"orient={ROWS!r} where the rows are models, orient={COLUMNS!r} where the columns are."
        )
    for label in filter(is_metric, rows):
        _refuse("row", label, "which is a metric", f"{_ONE_METRIC} {_ROWS_ARE_MODELS}")
    return ROWS


def _check_model_columns(columns: pd.Index) -> None:
    """Raise ValueError if one of these columns may not be a model."""
    # One column of a split makes all others suspect: they may be times, sizes or a name.
    split = next(filter(is_split, columns), None)
    for label in columns:
        if split is not None:
            if not is_split(label):
                why = f"which is no split, beside {shown(split)}"
                _refuse("column", label, why, "Make it the index, or drop it.")
        elif has_split(label):
            why = "which names a split and more"
            remedy = "Name the columns of splits such as split0 or fold_1."
            _refuse("column", label, why, f"{remedy} {_COLUMNS_ARE_MODELS}")
        elif may_be_time(label):
            _refuse("column", label, "which may be a time", f"Drop it. {_COLUMNS_ARE_MODELS}")
        elif may_be_metric(label):
            _refuse(
                "column", label, "which may be a metric", f"{_ONE_METRIC} {_COLUMNS_ARE_MODELS}"
            )


def _refuse(what: str, label: Any, why: str, remedy: str) -> NoReturn:
    raise ValueError(
        "`obj` must be a matrix of scores by one metric, models × splits; got a "
        f"{what} {shown(label)}, {why}. {remedy}"
    )
