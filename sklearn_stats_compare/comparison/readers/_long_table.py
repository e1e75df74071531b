"""A long table, a row for each model and split → scores of one metric, models × splits.

Nothing is paired by its position: a row names its model and its split, and each pair must occur
once.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NoReturn

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._utils._validation import check_text, shown, shown_list
from sklearn_stats_compare.comparison._labels import candidate_labels
from sklearn_stats_compare.comparison._saving import POOL, RATIO, STRUCTURE
from sklearn_stats_compare.comparison._tables import NO_ERROR_RATES, UNSEEN_SPLITS, ChosenByScores
from sklearn_stats_compare.comparison.readers._matrix import (
    as_pandas,
    cell_value,
    is_absent,
    is_frame,
    is_metric,
    is_time,
    letters,
    numbers,
)
from sklearn_stats_compare.comparison.readers._sizes import Found, Sizes, chosen_metric
from sklearn_stats_compare.stats._design import SplitDesign
from sklearn_stats_compare.stats._scores import SplitScores

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


# The spellings are those of tidymodels, mlr3, caret, MOABB and `Comparison.to_long`.

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


# Of workflow sets, of summaries and of `tune_bayes`; rsample's and yardstick's begin with a dot.
_NO_PARAMETERS = {"id", "id2", "id3", "wflow_id", "preproc", "model", "n", "mean", "std_err"}


def params_of_models(
    table: pd.DataFrame, model: NDArray[np.intp], columns: LongColumns
) -> list[dict[str, Any]] | None:
    """What tidymodels' further columns hold: the parameters of each candidate; None without any.

    `model` is the candidate of each row. A column that varies within a candidate is no parameter.
    """
    used = {*columns.models, *columns.splits, columns.value, columns.metric}
    _, first = np.unique(model, return_index=True)
    params: list[dict[str, Any]] = [{} for _ in first]
    for name in map(str, table.columns):
        if name in used or name in _NO_PARAMETERS or name.startswith(".") or not name:
            continue
        cells = table[name].tolist()
        texts = np.array([str(cell) for cell in cells], dtype=object)
        if (texts != texts[first][model]).any():
            continue
        for own, row in zip(params, first, strict=True):
            # R's word for a parameter that another model of the table has.
            if cells[row] is not None and not is_absent(cells[row]) and cells[row] != "NA":
                own[name] = cell_value(cells[row])
    return params if any(params) else None


def labels_of(
    models: Sequence[Name], columns: Sequence[str], params: list[dict[str, Any]] | None
) -> Sequence[str]:
    """A label of each model: its name, or its parameters if it has no name but its .config."""
    if columns[-1] == CONFIG:
        names = [name[:-1] for name in models]
        if len(set(names)) == len(names) and names[0]:
            return [" ".join(name) for name in names]
        if params is not None:
            named = [
                {"model": " ".join(name), **own} if name else own
                for name, own in zip(names, params, strict=True)
            ]
            return candidate_labels(named, named=bool(names[0]))
    return [" ".join(name) for name in models]


# caret names the folds of repeated cross-validation so; rsample has the parts in two columns.
_FOLD_OF_REPEAT = re.compile(r"(Fold\d+)\.(Rep\d+)")

_FOLD, _REPEAT = re.compile(r"Fold\d+"), re.compile(r"Repeat\d+")

_BOOTSTRAP = re.compile(r"Bootstrap\d+")

# rsample's bootstraps(apparent = TRUE) adds one split that tests the training samples.
_APPARENT = "Apparent"

_MOST_DIGITS = 18

# A ratio may be rounded, such as 0.11 for ten folds.
_TOLERANCE = 0.05


def in_order(splits: Sequence[Name], columns: Sequence[str]) -> list[Name]:
    """The splits by name, Fold2 before Fold10, with repeats one after another."""

    def place(split: Name) -> tuple[object, ...]:
        # caret's names, such as Fold01.Rep1, have the repeat last.
        repeat, _ = _repeat_and_fold(split, columns)
        return _natural((repeat or "", *split)), split

    return sorted(splits, key=place)


def repeats_of(
    splits: Sequence[Name], columns: Sequence[str], overlap_ratio: float
) -> NDArray[np.int64] | None:
    """The repeat of each split, if the names are folds that partition the data; else None.

    The names alone do not show this: the sizes must be those of as many folds too.
    """
    named = [_repeat_and_fold(split, columns) for split in splits]
    if any(fold is None for _, fold in named):
        return None
    repeats = [repeat or "" for repeat, _ in named]
    sizes = set(Counter(repeats).values())
    k = next(iter(sizes))
    if len(sizes) > 1 or k < 2 or len(set(named)) < len(named):
        return None
    if not abs(overlap_ratio * (k - 1) - 1) <= _TOLERANCE:
        return None
    numbers = {repeat: i for i, repeat in enumerate(dict.fromkeys(repeats))}
    return np.array([numbers[repeat] for repeat in repeats])


def are_bootstraps(splits: Sequence[Name]) -> bool:
    """Whether all splits are named as rsample names bootstraps."""
    return all(any(map(_BOOTSTRAP.fullmatch, split)) for split in splits)


def check_no_training_scores(splits: Sequence[Name]) -> None:
    """Raise ValueError for a split that tests the training samples."""
    if any(_APPARENT in split for split in splits):
        raise ValueError(
            f"`obj` must have the scores of test samples alone; got a split {shown(_APPARENT)}, "
            "which tests the training samples. Drop its rows."
        )


def n_folds(splits: Sequence[Name], columns: Sequence[str]) -> int | None:
    """The number of folds of each repeat, if all splits are named as folds."""
    named = [_repeat_and_fold(split, columns) for split in splits]
    sizes = set(Counter(repeat for repeat, _ in named).values())
    known = all(fold is not None for _, fold in named) and len(sizes) == 1
    return next(iter(sizes)) if known else None


def _repeat_and_fold(split: Name, columns: Sequence[str]) -> tuple[str | None, str | None]:
    repeat = fold = None
    for column, part in zip(columns, split, strict=True):
        both = _FOLD_OF_REPEAT.fullmatch(part)
        if both is not None:
            fold, repeat = both.groups()
        elif is_repeat(column) or _REPEAT.fullmatch(part):
            repeat = part
        elif is_fold(column) or _FOLD.fullmatch(part):
            fold = part
    return repeat, fold


def _natural(parts: Sequence[str]) -> tuple[tuple[tuple[int, int, str], ...], ...]:
    """A key by which numbers within text are sorted as numbers."""
    return tuple(tuple(map(_piece, re.split(r"(\d+)", part))) for part in parts)


def _piece(text: str) -> tuple[int, int, str]:
    # `isdigit` is true of superscripts too, and Python reads no text of thousands of digits.
    if re.fullmatch(r"[0-9]+", text) and len(text) <= _MOST_DIGITS:
        return 0, int(text), ""
    return 1, 0, text


def design_of_table(
    table: pd.DataFrame,
    split: NDArray[np.intp],
    splits: Sequence[tuple[str, ...]],
    columns: Sequence[str],
    sizes: Sizes,
) -> SplitDesign:
    """The design of the splits: from given sizes, or from the table's own columns.

    `split` is the split of each row. Sizes are never guessed from the number of folds.
    """
    n_splits = len(splits)
    design = None if sizes.given else _own_design(table, split, n_splits, sizes)
    if design is None:
        folds = n_folds(splits, columns)
        hint = "" if folds is None or folds < 2 else (
            f" If the {folds} folds partition the data, pass test_train_ratio=1 / {folds - 1}."
        )  # fmt: skip
        design = sizes.design(n_splits, hint=hint)
    flags: dict[str, Any] = {"resampled": are_bootstraps(splits)}
    flags |= {name: _is_true(table[name]) for name in STRUCTURE if name in table}
    repeat = repeats_of(splits, columns, design.overlap_ratio)
    return replace(design, **flags) if repeat is None else replace(design, repeat=repeat, **flags)


def _own_design(
    table: pd.DataFrame, split: NDArray[np.intp], n_splits: int, sizes: Sizes
) -> SplitDesign | None:
    named = {letters(name): name for name in map(str, table.columns)}
    if "ntrain" in named and "ntest" in named:
        n_train, n_test = (
            _per_split(table, named[part], split, n_splits) for part in ("ntrain", "ntest")
        )
        pool = sizes.n_samples
        if pool is None and POOL in table:
            pool = int(_per_split(table, POOL, np.zeros_like(split), 1)[0])
        return SplitDesign(n_train, n_test, n_samples=pool)
    if RATIO in table:
        values = numbers(table[RATIO], RATIO)
        if not np.all(values == values[0]):
            raise ValueError(
                f"`obj` must have the same {RATIO} in all rows; got {values.min():g} and "
                f"{values.max():g}."
            )
        return SplitDesign.from_ratio(float(values[0]), n_splits)
    return None


def _per_split(
    table: pd.DataFrame, column: str, split: NDArray[np.intp], n_splits: int
) -> NDArray[np.int64]:
    """A size of each split; ValueError if models differ in it, or if it is no whole number."""
    values = numbers(table[column], column)
    whole = np.isfinite(values) & (values % 1 == 0) & (values >= 0) & (values <= 1e15)
    if not whole.all():
        raise ValueError(
            f"`obj` must have whole numbers of samples in column {shown(column)}; got "
            f"{values[~whole][0]:g}."
        )
    found = np.empty(n_splits)
    found[split] = values
    differs = found[split] != values
    if differs.any():
        raise ValueError(
            "`obj` must hold the same splits for every model; the sizes in column "
            f"{shown(column)} differ within a split, such as {found[split][differs][0]:g} and "
            f"{values[differs][0]:g}."
        )
    return found.astype(np.int64)


def _is_true(column: Any) -> bool:
    return all(str(cell).lower() == "true" for cell in column)


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
