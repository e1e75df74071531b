"""Which columns of a long table hold the models, the splits and the scores, by their names.

The spellings are those of tidymodels, mlr3, caret, MOABB and `Comparison.to_long`.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import pandas as pd

from sklearn_stats_compare._messages import check_text, shown, shown_list
from sklearn_stats_compare.comparison._axis_names import is_metric, is_time, letters
from sklearn_stats_compare.comparison._columns import is_absent
from sklearn_stats_compare.comparison._found import chosen_metric

METRIC, ESTIMATE, CONFIG, WORKFLOW = ".metric", ".estimate", ".config", "wflow_id"
"""Columns of tidymodels' ``collect_metrics``."""

# Compared by letters and digits only: learner_id is learnerid.
_MODELS = {
    "model", "models", "modelname", "modelid", "estimator", "algorithm", "classifier", "regressor",
    "learner", "learnerid", "method", "candidate", "pipeline", "wflowid", "flow", "flowname",
    "flowid",
}  # fmt: skip
_REPEATS = {"repeat", "repeats", "rep", "repetition"}
_FOLDS = {
    "split", "splits", "splitid", "fold", "folds", "foldid", "cvfold", "outerfold", "resample",
    "resamples",
}  # fmt: skip
# Also the name of a step of boosting, so it counts only if no other column names the splits.
_ITERATIONS = {"iteration", "iter"}
_VALUES = {"score", "scores", "value", "values", "estimate", "testscore", "metricvalue"}
_METRICS = {"metric", "metrics", "metricname", "measure", "measureid", "scorer", "scoring"}
_DATA_SETS = {"taskid", "task", "dataset", "datasetid", "datasetname", "dataname"}
_PARTS = {"train", "training", "test", "testing", "val", "valid", "validation", "dev", "holdout"}
# rsample's id of a split: of a repeat, of a fold in it, and of nested schemes.
_TIDY_SPLITS = ("id", "id2", "id3")
# mlr3 puts the type of task before a measure.
_MEASURE = re.compile(r"(classif|regr|surv|clust|dens)\.\w+(\.\w+)*")


@dataclass(frozen=True)
class LongNames:
    """Columns of a long table as the caller names them."""

    model: str | Sequence[str] | None = None
    split: str | Sequence[str] | None = None
    value: str | None = None

    @property
    def given(self) -> bool:
        """Whether any column is named."""
        return any(name is not None for name in (self.model, self.split, self.value))

    def check_none(self) -> None:
        """Raise ValueError if a column is named for an object that is no long table."""
        for argument in ("model", "split", "value"):
            name = getattr(self, argument)
            if name is not None:
                raise ValueError(
                    f"`{argument}` must be left out where `obj` is not a long table, which has a "
                    f"row for each model and split; got {shown(name)}."
                )


@dataclass(frozen=True)
class LongColumns:
    """Names of the columns of a long table; `metric` names the column of metrics, if any.

    `metric_name` is the metric of the scores, if the columns show it.
    """

    models: tuple[str, ...]
    splits: tuple[str, ...]
    value: str
    metric: str | None
    metric_name: str | None


def is_tidy(columns: Iterable[Any]) -> bool:
    """Whether these columns are those of tidymodels' ``collect_metrics``."""
    return not {METRIC, CONFIG}.isdisjoint(map(str, columns))


def is_long(table: pd.DataFrame, names: LongNames) -> bool:
    """Whether a frame is a long table: it names models and splits in rows, next to scores."""
    if names.given or is_tidy(table.columns):
        return True
    if table.columns.nlevels > 1 or not table.columns.is_unique:
        return False
    table = table.set_axis([str(column) for column in table.columns], axis=1)
    models, splits = spelled_models(table), spelled_splits(table)
    if not (models and splits and _spelled_values(table, {*models, *splits})):
        return False
    # Candidates may be named 0.1 and 1. In a matrix such a column has scores, a row per split.
    repeated = bool(table.duplicated(splits).any())
    return repeated or not all(_is_measured(table[name]) for name in models)


def find_columns(table: pd.DataFrame, names: LongNames, metric: str | None) -> LongColumns:
    """The columns that are named or spelled so; ValueError if several could be meant, or none."""
    if METRIC in table and ESTIMATE not in table and names.value is None:
        raise ValueError(
            "`obj` must have a row for each model and split; got a column '.metric' without "
            "'.estimate', as in the table of means of collect_metrics(). In R, use "
            "collect_metrics(summarize = FALSE)."
        )
    models = _named(table, "model", names.model) or _guessed_models(table)
    splits = _named(table, "split", names.split) or _guessed_splits(table)
    if not models:
        _refuse_none("model", "models", table)
    if not splits:
        _refuse_none("split", "splits", table)
    taken = {*models, *splits}
    column = _metric_column(table, taken, metric)
    if names.value is not None:
        value = _named(table, "value", check_text("value", names.value))[0]
        return LongColumns(models, splits, value, column, metric or _own_metric(value))
    values = _spelled_values(table, taken | {column})
    if column is not None:
        values = [name for name in values if letters(name) in _VALUES]
    elif metric in values or len(values) > 1:
        value = chosen_metric(metric, values)
        return LongColumns(models, splits, value, None, value)
    if not values:
        _refuse_none("value", "scores", table)
    if len(values) > 1:
        _refuse_several("value", values)
    own = _own_metric(values[0])
    if own is not None and metric is not None:
        chosen_metric(metric, values)
    return LongColumns(models, splits, values[0], column, metric or own)


def data_set_columns(table: pd.DataFrame, taken: Iterable[str]) -> list[str]:
    """The columns that name data sets."""
    return [
        name
        for name in map(str, table.columns)
        if letters(name) in _DATA_SETS and name not in taken
    ]


def parts_of(column: pd.Series) -> list[str]:
    """The parts of the data, such as "train" and "test", if a column has no other entries."""
    found = {str(cell).strip().lower() for cell in column.unique() if not is_absent(cell)}
    return sorted(found) if found and found <= _PARTS else []


def is_repeat(column: str) -> bool:
    """Whether a column numbers repeats."""
    return letters(column) in _REPEATS


def is_fold(column: str) -> bool:
    """Whether a column numbers the folds of a cross-validation."""
    return letters(column) in ("fold", "folds", "foldid", "cvfold", "outerfold")


def _named(table: pd.DataFrame, argument: str, name: Any) -> tuple[str, ...]:
    if name is None:
        return ()
    names = [name] if isinstance(name, str) else name
    is_list = isinstance(names, list | tuple) and all(isinstance(item, str) for item in names)
    if not is_list or not names:
        raise TypeError(f"`{argument}` must be the name of a column, or a list; got {shown(name)}.")
    for item in names:
        if item not in table:
            raise ValueError(
                f"`{argument}` must be one of the columns {shown_list(table.columns)}; got "
                f"{shown(item)}."
            )
    return tuple(dict.fromkeys(names))


def spelled_models(table: pd.DataFrame) -> list[str]:
    """The columns that are spelled as those of models."""
    if is_tidy(table.columns) and WORKFLOW in table:
        return [WORKFLOW]  # its column `model` is the kind of model
    # A name with a dot is of tidymodels: .estimator says how a metric is averaged.
    found = [
        name
        for name in map(str, table.columns)
        if letters(name) in _MODELS and not name.startswith(".")
    ]
    return ["learner_id"] if "learner_id" in found and "learner" in found else found


def _guessed_models(table: pd.DataFrame) -> tuple[str, ...]:
    found = spelled_models(table)
    # Two columns with the same grouping, such as an id and a name, are no choice.
    if len(found) > 1 and table.groupby(found, dropna=False, observed=True).ngroups != max(
        table[name].nunique(dropna=False) for name in found
    ):
        _refuse_several("model", found)
    return (*found[:1], *([CONFIG] if CONFIG in table else []))


def spelled_splits(table: pd.DataFrame) -> list[str]:
    """The columns that are spelled as those of splits."""
    if is_tidy(table.columns):
        found = [name for name in _TIDY_SPLITS if name in table]
        if found:
            return found
    found = [
        name
        for name in map(str, table.columns)
        if letters(name) in _REPEATS | _FOLDS and not _is_part(table[name], name)
    ]
    return found or [name for name in map(str, table.columns) if letters(name) in _ITERATIONS]


def _is_part(column: pd.Series, name: str) -> bool:
    """Whether a column says which part of the data was scored; ValueError unless it is one."""
    parts = parts_of(column)
    if len(parts) > 1 or parts == ["train"] or parts == ["training"]:
        raise ValueError(
            f"`obj` must have the scores of test samples alone; got a column {shown(name)} with "
            f"{shown_list(parts)}. Keep the rows of the test samples, and name the column of the "
            "splits in `split`."
        )
    return bool(parts)


def _guessed_splits(table: pd.DataFrame) -> tuple[str, ...]:
    found = spelled_splits(table)
    more = [
        name
        for name in map(str, table.columns)
        if letters(name) in _ITERATIONS and name not in found and table[name].nunique() > 1
    ]
    if found and more and not is_tidy(table.columns):
        _refuse_several("split", found + more)
    # The order of the columns in the table means nothing.
    return tuple(found if is_tidy(table.columns) else sorted(found))


def _spelled_values(table: pd.DataFrame, taken: set[Any]) -> list[str]:
    if ESTIMATE in table:
        return [ESTIMATE]
    free = [name for name in map(str, table.columns) if name not in taken and not is_time(name)]
    return [
        name
        for name in free
        if letters(name) in _VALUES
        or ((is_metric(name) or _MEASURE.fullmatch(name)) and not _holds_names(table[name]))
    ]


def _metric_column(table: pd.DataFrame, taken: set[str], metric: str | None) -> str | None:
    """The column with the names of metrics; `metric` may name it."""
    if METRIC in table:
        return METRIC
    free = [
        name for name in map(str, table.columns) if name not in taken and _holds_names(table[name])
    ]
    found = [name for name in free if letters(name) in _METRICS]
    if len(found) > 1:
        _refuse_several("metric", found)
    if not found and metric in free:
        return metric
    return found[0] if found else None


def _own_metric(value: str) -> str | None:
    """The metric after which a column of scores is named; None for "score" and the like."""
    return None if letters(value) in _VALUES | _METRICS else value


def _holds_names(column: pd.Series) -> bool:
    """Whether the first cell that is not empty is text and no number."""
    first = next((cell for cell in column if cell is not None and not is_absent(cell)), None)
    if not isinstance(first, str):
        return False
    try:
        float(first)
    except ValueError:
        return True
    return False


def _is_measured(column: pd.Series) -> bool:
    """Whether a column has numbers with a fraction, as scores and no names."""
    read = pd.to_numeric(column, errors="coerce")
    return bool(read.notna().any() and (read.dropna() % 1 != 0).any())


def _refuse_several(argument: str, found: list[str]) -> NoReturn:
    raise ValueError(
        f"`{argument}` must name its column of the long table, because several could be meant: "
        f"{shown_list(map(repr, found))}; got None."
    )


def _refuse_none(argument: str, what: str, table: pd.DataFrame) -> NoReturn:
    raise ValueError(
        f"`{argument}` must name the column of the {what} in a long table, because no column is "
        f"spelled so; got None, and columns {shown_list(map(repr, table.columns))}."
    )
