"""Long tables of predictions, a row per model, fold and sample → arrays of predictions."""

import re
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._messages import check_text, shown, shown_list
from sklearn_stats_compare.evaluation._prediction_folds import Splits
from sklearn_stats_compare.stats import SplitDesign


@dataclass(frozen=True)
class ColumnNames:
    """Names of the columns of a table as the caller gives them; None if they are to be found.

    Attributes
    ----------
    model : str or sequence of str, optional
        Several columns together name a model.
    row, fold, repeat, truth, groups : str, optional
        Of the sample, its fold, its repeat, its true value and its group.
    response : str or mapping of class to str, optional
        Of the predicted values, or of the probabilities of each class.
    """

    model: Any = None
    row: Any = None
    fold: Any = None
    repeat: Any = None
    truth: Any = None
    response: Any = None
    groups: Any = None

    @property
    def given(self) -> list[str]:
        """Names of the arguments that are given."""
        return [name for name, value in vars(self).items() if value is not None]


@dataclass(frozen=True, eq=False)
class TableOfPredictions:
    """The same as the arguments of ``compare_predictions`` for arrays."""

    truth: pd.Series
    predictions: dict[str, list[Any]]
    folds: Splits
    groups: NDArray[Any] | None


def read_table(
    table: pd.DataFrame, names: ColumnNames, *, needs_labels: bool, metric: str
) -> TableOfPredictions:
    """Predictions, truth and folds of a table; ValueError if rows of two models are not paired.

    `needs_labels` says whether the metric takes predicted values rather than probabilities.
    """
    if table.columns.duplicated().any():
        twice = table.columns[table.columns.duplicated()]
        raise ValueError(f"`y` must be a table without repeated columns; got {shown_list(twice)}.")
    found = _completed(table, names)
    models = _models(table, found.model)
    keys = [column for column in (found.repeat, found.fold) if column is not None]
    used = [*keys, found.row, found.truth, *([found.groups] if found.groups else [])]
    for column in used:
        if table[column].isna().any():
            raise ValueError(
                f"`y` must have no missing values in {column!r}; got "
                f"{int(table[column].isna().sum())}."
            )
    responses = _response_columns(table, found, needs_labels=needs_labels, metric=metric)
    parts: dict[str, pd.DataFrame] = {}
    for name in pd.unique(models):
        part = table[models == name].set_index([*keys, found.row])
        if part.index.has_duplicates:
            where = part.index[part.index.duplicated()][0]
            raise ValueError(
                "`y` must have one row per model, fold and sample; got several for model "
                f"{name!r} at {[*keys, found.row]} = {shown(list(where))}. If several models "
                "share this name, `model` must name all columns that distinguish them. If folds of "
                "several repeats share a name, `repeat` must name the column of repeats."
            )
        parts[str(name)] = part
    _check_same_rows(parts, [found.truth, *([found.groups] if found.groups else [])])
    first = next(iter(parts.values()))
    by_row = first.reset_index().groupby(found.row, sort=True)
    for column in (found.truth, found.groups):
        if column is not None and (by_row[column].nunique() > 1).any():
            raise ValueError(f"`y` must have one {column!r} for each {found.row!r}; got several.")
    truth = by_row[found.truth].first()
    folds, places = _folds(first.index, truth.index)
    predictions = {}
    for name, part in parts.items():
        values = part[responses] if isinstance(responses, list) else part[responses[0]]
        predictions[name] = _by_repeat(values.loc[first.index].to_numpy(), places)
    groups = None if found.groups is None else by_row[found.groups].first().to_numpy()
    return TableOfPredictions(truth, predictions, folds, groups)


def _completed(table: pd.DataFrame, names: ColumnNames) -> ColumnNames:
    """The given names, checked, and those of the known formats."""
    columns = [str(column) for column in table.columns]
    for argument in names.given:
        value = getattr(names, argument)
        several = argument in ("model", "response") and not isinstance(value, str)
        if not several:
            check_text(argument, value)
        for column in (
            (value.values() if isinstance(value, dict) else value) if several else [value]
        ):
            if column not in columns:
                raise ValueError(
                    f"`{argument}` must be a column of the table, one of {shown_list(columns)}; "
                    f"got {shown(column)}."
                )
    known = _tidymodels(columns) or _mlr3(columns) or ColumnNames()
    found = replace(known, **{name: getattr(names, name) for name in names.given})
    if names.fold is not None and names.repeat is None:
        found = replace(found, repeat=None)
    if found.truth is None and known.row is not None:
        found = replace(found, truth=_only_other(table, columns, found))
    for argument in ("model", "row", "fold", "truth", "response"):
        if getattr(found, argument) is None:
            raise ValueError(
                f"`{argument}` must be the name of a column of the table, which has "
                f"{shown_list(columns)}; got None."
            )
    if ".case_weights" in columns:
        raise ValueError(
            "`y` must be a table without weights, which are not used here; got '.case_weights'. "
            "Drop that column for unweighted scores."
        )
    return found


def _tidymodels(columns: list[str]) -> ColumnNames | None:
    """Names of tune's ``collect_predictions``, of a workflow set or of bound results."""
    predicted = [name for name in columns if name == ".pred" or name.startswith(".pred_")]
    if ".row" not in columns or not predicted:
        return None
    named = next((name for name in ("wflow_id", "model") if name in columns), None)
    model = [name for name in (named, ".config") if name in columns]
    repeated = "id2" in columns
    return ColumnNames(
        model=model or None,
        row=".row",
        fold=("id2" if repeated else "id") if "id" in columns else None,
        repeat="id" if repeated else None,
        response=[name for name in predicted],
    )


def _mlr3(columns: list[str]) -> ColumnNames | None:
    """Names of mlr3's ``as.data.table(prediction)``, with those of a benchmark result."""
    if not {"row_ids", "truth", "response"} <= {*columns}:
        return None
    return ColumnNames(
        model="learner_id" if "learner_id" in columns else None,
        row="row_ids",
        fold="iteration" if "iteration" in columns else None,
        truth="truth",
        response=[name for name in columns if name == "response" or name.startswith("prob.")],
    )


def _only_other(table: pd.DataFrame, columns: list[str], found: ColumnNames) -> str:
    """The truth of tidymodels, which has the name of the outcome: the only other column."""
    model = [found.model] if isinstance(found.model, str) else list(found.model or ())
    known = {*model, found.row, found.fold, found.repeat, found.groups}
    known |= {"wflow_id", "model", "preproc", ".config", "id", "id2", ".iter"}
    other = [name for name in columns if name not in known and not name.startswith(".pred")]
    if len(other) != 1:
        raise ValueError(
            "`truth` must be the name of the column of true values if it is not the only one that "
            f"is unknown; got None, and the unknown columns {shown_list(other) or 'none'}."
        )
    return other[0]


def _models(table: pd.DataFrame, model: Any) -> pd.Series:
    """Name of the model of each row, from one or several columns."""
    columns = [model] if isinstance(model, str) else list(model)
    # A column that adds nothing to the names of the others, such as one .config per workflow.
    while len(columns) > 1 and not (table.groupby(columns[:-1])[columns[-1]].nunique() > 1).any():
        columns.pop()
    if table[columns].isna().to_numpy().any():
        raise ValueError(f"`y` must name the model of each row in {shown_list(columns)}.")
    names = table[columns[0]].astype(str)
    for column in columns[1:]:
        names = names + " " + table[column].astype(str)
    return names


def _response_columns(
    table: pd.DataFrame, found: ColumnNames, *, needs_labels: bool, metric: str
) -> Any:
    """A column of predicted values as a tuple, or the columns of the classes in sorted order."""
    response = found.response
    if isinstance(response, str):
        return (response,)
    if isinstance(response, dict):
        by_level = {_level(level): column for level, column in response.items()}
    else:
        labels = [name for name in response if name in (".pred", ".pred_class", "response")]
        if needs_labels:
            if not labels:
                raise ValueError(
                    f"`response` must be the column of predicted values for {metric!r}; the table "
                    f"has only {shown_list(response)}."
                )
            return (labels[0],)
        by_level = {
            re.sub(r"^(\.pred_|prob\.)", "", name): name for name in response if name not in labels
        }
    levels = [_level(level) for level in np.unique(table[found.truth].dropna())]
    if sorted(by_level) != sorted(levels):
        listed = shown_list(f"{column!r} of {level}" for level, column in by_level.items())
        raise ValueError(
            f"`response` must be a column of probabilities of each class of {found.truth!r} for "
            f"{metric!r}, {shown_list(levels)}; got {listed or 'none'}."
        )
    return [by_level[level] for level in levels]


def _level(value: Any) -> str:
    is_whole = isinstance(value, float | np.floating) and float(value).is_integer()
    return str(int(value)) if is_whole else str(value)


def _check_same_rows(parts: dict[str, pd.DataFrame], columns: list[str]) -> None:
    names = list(parts)
    first = parts[names[0]]
    for name in names[1:]:
        other = parts[name]
        only = first.index.symmetric_difference(other.index)
        if len(only):
            raise ValueError(
                "`y` must have the same samples in the same folds for every model; those of "
                f"{names[0]!r} and {name!r} differ, first at {list(first.index.names)} = "
                f"{shown(list(only[0]))}."
            )
        for column in columns:
            if (other[column].loc[first.index] != first[column]).any():
                raise ValueError(
                    f"`y` must have the same {column!r} for every model; those of {names[0]!r} and "
                    f"{name!r} differ."
                )


def _folds(
    index: Any, rows: pd.Index
) -> tuple[Splits, list[tuple[NDArray[np.intp], NDArray[np.intp]]]]:
    """The folds, and for each repeat the places of its predictions: in the table, and by sample."""
    key = index.droplevel(-1)
    codes, keys = pd.factorize(key)
    order = sorted(range(len(keys)), key=lambda k: _natural(keys[k]))
    samples = rows.get_indexer(index.get_level_values(-1))
    everything = np.arange(len(rows))
    places = [np.flatnonzero(codes == k) for k in order]
    tests = [samples[place] for place in places]
    folds = [(np.setdiff1d(everything, test), test) for test in tests]
    repeat = SplitDesign.from_indices(folds, len(rows)).repeat
    if (repeat < 0).any() or len(folds) < 2:
        raise ValueError(
            "`y` must have predictions of every sample once in each repeat of at least two folds; "
            f"got {len(folds)} folds, {shown_list(map(str, keys[:5]))}, that overlap or leave "
            "samples out, such as bootstraps or one test set. If the folds of several repeats "
            "share a name, `repeat` must name the column of repeats."
        )
    joined = []
    for number in range(int(repeat.max()) + 1):
        own = np.flatnonzero(repeat == number)
        joined.append(
            (np.concatenate([places[k] for k in own]), np.concatenate([tests[k] for k in own]))
        )
    return folds, joined


def _natural(key: Any) -> list[tuple[Any, ...]]:
    """Numbers within text sort by value: Fold2 before Fold10."""
    parts = key if isinstance(key, tuple) else (key,)
    return [
        tuple((0, int(piece), "") if piece.isdigit() else (1, 0, piece) for piece in pieces)
        for pieces in (re.split(r"(\d+)", str(part)) for part in parts)
    ]


def _by_repeat(values: NDArray[Any], places: list[Any]) -> list[Any]:
    found = []
    for rows, samples in places:
        array = np.empty(values.shape, values.dtype)[: len(samples)]
        array[samples] = values[rows]
        found.append(array)
    return found
