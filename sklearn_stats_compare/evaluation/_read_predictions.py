"""Existing predictions, arrays or long tables, and their folds → what a scorer takes."""

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.utils.multiclass import type_of_target

from sklearn_stats_compare._utils._validation import (
    check_listed,
    check_one_kind,
    check_text,
    shown,
    shown_list,
)
from sklearn_stats_compare.comparison.readers._long_table import (
    cell_text,
    check_one_dataset,
    natural,
)
from sklearn_stats_compare.comparison.readers._matrix import as_pandas, is_frame
from sklearn_stats_compare.comparison.readers._names import names_datasets
from sklearn_stats_compare.comparison.readers._sizes import are_alike
from sklearn_stats_compare.predictions._responses import CLASSES
from sklearn_stats_compare.predictions._scorers import ScorerReading
from sklearn_stats_compare.stats._design import SplitDesign, check_splits


@dataclass(frozen=True)
class ColumnNames:
    """Names of the columns of a table as the caller gives them.

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


def read_table(
    table: pd.DataFrame, names: ColumnNames, metric: str
) -> "tuple[pd.Series, dict[str, list[Any]], Splits, NDArray[Any] | None]":
    """Return the truth, predictions, folds and groups of a table, as for arrays.

    ValueError if rows of two models are not paired.
    """
    table = table.set_axis([str(column) for column in table.columns], axis=1)
    if table.columns.duplicated().any():
        twice = table.columns[table.columns.duplicated()]
        raise ValueError(f"`y` must be a table without repeated columns; got {shown_list(twice)}.")
    if isinstance(names.response, dict):  # a frame of `predict_proba` has numbers as names
        of_classes = {
            level: str(column) if isinstance(column, int | np.integer) else column
            for level, column in names.response.items()
        }
        names = replace(names, response=of_classes)
    _check_names(table, names)
    if table.empty:
        raise ValueError("`y` must be a table with a row per model, fold and sample; got no row.")
    models = _models(table, names.model)
    keys = [column for column in (names.repeat, names.fold) if column is not None]
    facts = [names.truth, *([names.groups] if names.groups else [])]
    for column in [*keys, names.row, *facts]:
        if table[column].isna().any():
            raise ValueError(
                f"`y` must have no missing values in {column!r}; got "
                f"{int(table[column].isna().sum())}."
            )
        check_one_kind("y", table[column], f" in {column!r}")
    responses = _response_columns(table, names, metric)
    given = [names.model] if isinstance(names.model, str) else [*names.model]
    for column in map(str, table.columns.difference([*keys, names.row, *facts, *given])):
        if names_datasets(column):
            check_one_dataset(column, table[column], "y")
    parts: dict[str, pd.DataFrame] = {}
    for name in pd.unique(models):
        part = table[models == name].set_index([*keys, names.row])
        if part.index.has_duplicates:
            where = part.index[part.index.duplicated()][0]
            raise ValueError(
                "`y` must have one row per model, fold and sample; got several for model "
                f"{name!r} at {[*keys, names.row]} = {shown(list(where))}. If several models "
                "share this name, `model` must name all columns that distinguish them. If folds of "
                "several repeats share a name, `repeat` must name the column of repeats."
            )
        parts[str(name)] = part
    _check_same_rows(parts, facts)
    first = next(iter(parts.values()))
    by_row = first.reset_index().groupby(names.row, sort=True, observed=True)
    for column in facts:
        if (by_row[column].nunique() > 1).any():
            raise ValueError(f"`y` must have one {column!r} for each {names.row!r}; got several.")
    truth = by_row[names.truth].first()
    folds, places = _folds(first.index, truth.index)
    predictions = {}
    for name, part in parts.items():
        values = part[responses].loc[first.index].to_numpy()
        predictions[name] = [values[rows] for rows in places]
    groups = None if names.groups is None else by_row[names.groups].first().to_numpy()
    return truth, predictions, folds, groups


def _check_names(table: pd.DataFrame, names: ColumnNames) -> None:
    """Raise ValueError or TypeError unless the names are of columns, and none is lacking."""
    columns = [str(column) for column in table.columns]
    for argument in names.given:
        value = getattr(names, argument)
        several = argument in ("model", "response") and not isinstance(value, str)
        if not several:
            value = [check_text(argument, value)]
        elif argument == "model":
            value = check_listed(argument, value, "the name of a column, or a list of them")
        elif not isinstance(value, dict):
            raise TypeError(
                "`response` must be the name of a column, or a dict of classes to columns; got "
                f"{shown(value)}."
            )
        if not len(value):
            raise ValueError(f"`{argument}` must name at least one column; got {shown(value)}.")
        for column in value.values() if isinstance(value, dict) else value:
            if not isinstance(column, str) or column not in columns:
                raise ValueError(
                    f"`{argument}` must be a column of the table, one of {shown_list(columns)}; "
                    f"got {shown(column)}."
                )
    for argument in ("model", "row", "fold", "truth", "response"):
        if getattr(names, argument) is None:
            raise ValueError(
                f"`{argument}` must be the name of a column of the table, which has "
                f"{shown_list(columns)}; got None."
            )
    read: dict[str, str] = {}
    for argument in names.given:
        column = getattr(names, argument)
        if isinstance(column, str) and read.setdefault(column, argument) != argument:
            raise ValueError(
                f"`{argument}` must be another column than `{read[column]}`; got {shown(column)}."
            )
    if ".case_weights" in columns:
        raise ValueError(
            "`y` must be a table without weights, which are not used here; got '.case_weights'. "
            "Drop that column for unweighted scores."
        )


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


def _response_columns(table: pd.DataFrame, names: ColumnNames, metric: str) -> str | list[str]:
    """The column of predicted values, or those of the classes in sorted order."""
    if isinstance(names.response, str):
        return names.response
    by_level = {cell_text(level): column for level, column in names.response.items()}
    levels = [cell_text(level) for level in np.unique(table[names.truth].dropna())]
    if sorted(by_level) != sorted(levels):
        listed = shown_list(f"{column!r} of {level}" for level, column in by_level.items())
        raise ValueError(
            f"`response` must be a column of probabilities of each class of {names.truth!r} for "
            f"{metric!r}, {shown_list(levels)}; got {listed or 'none'}."
        )
    return [by_level[level] for level in levels]


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


def _folds(index: Any, rows: pd.Index) -> "tuple[Splits, list[NDArray[np.intp]]]":
    """Return the folds, and for each repeat the row of the table that predicts each sample."""
    key = index.droplevel(-1)
    codes, keys = pd.factorize(key)
    names = [key if isinstance(key, tuple) else (key,) for key in keys]
    # Folds of one repeat after another, also if they are called Fold01.Rep1.
    repeats = [re.findall(r"rep\D*\d+", " ".join(map(str, name)), re.I) for name in names]
    order = sorted(
        range(len(keys)),
        key=lambda k: [natural(str(part)) for part in (*repeats[k], *names[k])],
    )
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
    of_samples = np.empty((int(repeat.max()) + 1, len(rows)), dtype=np.intp)
    for place, test, number in zip(places, tests, repeat, strict=True):
        of_samples[number, test] = place
    return folds, list(of_samples)


_TOLERANCE = 1e-3
"""Of sums of probabilities, which files round."""


class ArrayReader:
    """Reads predictions of models for one truth, as one metric needs them.

    Parameters
    ----------
    reading : ScorerReading
        What the metric needs.
    metric : str
        Its name, for messages.
    truth : ndarray of shape (n_samples,) or (n_samples, n_outputs)
        The truth.
    classes : array-like, optional
        Order of the columns of probabilities. Default: the sorted classes of `truth`.
    outputs : pandas.Index, optional
        Names of the columns of a truth of several outputs.
    """

    def __init__(
        self,
        reading: ScorerReading,
        metric: str,
        truth: NDArray[Any],
        classes: Any,
        outputs: pd.Index | None,
    ) -> None:
        self._methods, self._metric = reading.response_methods, metric
        self._shape = truth.shape
        self._labels = self._methods == ("predict",)
        # A function of the user may also compare text, and take any numbers.
        of_text = truth.ndim == 1 and any(isinstance(label, str) for label in truth.tolist())
        of_classes = not self._labels or of_text or takes_classes(reading)
        if self._methods and not self._labels and truth.ndim == 1:
            kind = type_of_target(truth)
            if kind not in ("binary", "multiclass"):
                raise ValueError(
                    f"`metric` {metric!r} needs classes as the truth; got a target of kind "
                    f"{kind!r}."
                )
        self.classes = self._given = None
        self._outputs = outputs if truth.ndim == 2 else None
        if of_classes and truth.ndim == 1:
            self._given = _checked_classes(truth, classes)
            self._order = np.argsort(self._given)
            # Sorted, as those of scikit-learn's classifiers.
            self.classes = self._given[self._order]
        elif classes is not None:
            raise ValueError(
                f"`classes` must be left out for {metric!r} and this truth, which have no classes."
            )

    def read(self, name: str, given: Any, n_repeats: int) -> list[dict[str, NDArray[Any]]]:
        """Responses of a model in each repeat, by name of the response, with the classes."""
        words = f"`predictions[{name!r}]`"
        for part in given if isinstance(given, list | tuple) else [given]:
            self.check_column(words, getattr(part, "name", None))
        return [self._response(words, part) for part in self._repeats(words, given, n_repeats)]

    def check_column(self, words: str, column: Any) -> None:
        """Raise ValueError if a column of probabilities is not of the second of two classes.

        Such as ".pred_bad" of tidymodels, whose event is the first class.
        """
        if self._labels or self._given is None or len(self._given) != 2:
            return
        if column == "prediction_score":
            raise ValueError(
                f"{words} must be scores or probabilities of the second class; PyCaret's column "
                f"{column!r} has those of the predicted one. Use predict_model(raw_score=True)."
            )
        first, second = (_own_words(cell_text(label)) for label in self._given)
        if isinstance(column, str) and _own_words(column) == first != second:
            raise ValueError(
                f"{words} must be scores or probabilities of the second class, "
                f"{str(self._given[1])!r}; got a column {column!r}. Pass those of that class, or a "
                "column for each class."
            )

    def _repeats(self, words: str, given: Any, n_repeats: int) -> list[NDArray[Any]]:
        n = self._shape[0]
        if isinstance(given, list | tuple) and any(
            is_frame(item) or isinstance(item, pd.Series) for item in given
        ):
            parts = [self._array(words, item) for item in given]
            array = np.stack(parts) if len({part.shape for part in parts}) == 1 else np.empty(0)
        else:
            array = self._array(words, given)
        if n_repeats == 1 and array.shape[:1] == (n,) and array.shape[:2] != (1, n):
            array = array[None]
        if array.shape[:2] != (n_repeats, n):
            rule = f"({n}, …)" if n_repeats == 1 else f"({n_repeats}, {n}, …), repeats × samples"
            raise ValueError(f"{words} must have the shape {rule}; got {array.shape}.")
        missing = pd.isna(array)
        if missing.any():
            n_missing = int(missing.reshape(n_repeats, n, -1).any(axis=(0, 2)).sum())
            raise ValueError(
                f"{words} must have no missing values; got NaN for {n_missing} of {n} samples. "
                "Predict them too, or leave these samples out for every model."
            )
        return list(array)

    def _array(self, words: str, given: Any) -> NDArray[Any]:
        if is_frame(given):
            given = self._in_order(words, as_pandas(given))
        if isinstance(given, pd.DataFrame | pd.Series):
            given = given.to_numpy()
        if isinstance(given, np.ma.MaskedArray) and np.ma.getmaskarray(given).any():
            raise ValueError(f"{words} must have no missing values; got masked ones.")
        try:
            return np.asarray(given)
        except ValueError:  # rows of different lengths
            return np.empty(0)

    def _in_order(self, words: str, table: pd.DataFrame) -> pd.DataFrame:
        """Columns in the order of the classes or outputs that they are named after."""
        named = self._outputs if self._given is None else self._given
        # Columns without names are numbered from 0; others were chosen by their numbers.
        plain = pd.RangeIndex(table.shape[1])
        named = plain if named is None else named
        unnamed = isinstance(named, pd.RangeIndex) and not plain.isin(table.columns).all()
        if unnamed or (isinstance(table.columns, pd.RangeIndex) and plain.equals(table.columns)):
            return table
        known = {str(label): label for label in table.columns}
        wanted = [str(label) for label in named.tolist()]
        if sorted(known) != sorted(wanted):
            each = "column of `y`" if self._given is None else "class"
            raise ValueError(
                f"{words} must have a column named after each {each}, {shown_list(wanted)}; got "
                f"{shown_list(known)}."
            )
        return table[[known[label] for label in wanted]]

    def _response(self, words: str, array: NDArray[Any]) -> dict[str, NDArray[Any]]:
        if self._labels:
            method, array = "predict", self._labelled(words, array)
        elif self.classes is None:  # several labels per sample
            self._check_shape(words, array, "a value of each label")
            self._refuse_classes(words, array, {0, 1})
            method = "predict_proba" if "predict_proba" in self._methods else self._methods[0]
        else:
            method, array = self._scored(words, self._numeric(words, array))
        return {method: array} if self.classes is None else {method: array, CLASSES: self.classes}

    def _labelled(self, words: str, array: NDArray[Any]) -> NDArray[Any]:
        what = "the predicted class" if self.classes is not None else "the predicted value"
        self._check_shape(words, array, f"{what} of each sample")
        if self.classes is None:
            return self._numeric(words, array)
        known = set(self.classes.tolist())
        strange = [
            value
            for value in array.tolist()
            if not isinstance(value, Hashable) or value not in known
        ]
        if strange:
            raise ValueError(
                f"{words} must be classes for {self._metric!r}, one of "
                f"{shown_list(map(repr, self.classes.tolist()))}; got {shown(strange[0])}. Turn "
                "probabilities and scores into classes with the threshold that the model uses."
            )
        return array.astype(self.classes.dtype) if array.dtype.kind == "O" else array

    def _scored(self, words: str, array: NDArray[Any]) -> tuple[str, NDArray[Any]]:
        """Name of the response that these scores or probabilities are, and the response."""
        assert self.classes is not None
        n_classes, methods = len(self.classes), self._methods
        if array.ndim == 1 and n_classes == 2:
            self._refuse_classes(words, array, set(self.classes.tolist()))
            if "decision_function" in methods:
                sign = 1.0 if self._order[0] == 0 else -1.0
                return "decision_function", sign * array.astype(np.float64)
            positive = array.astype(np.float64)
            array = np.column_stack([1 - positive, positive])
        self._check_shape(words, array, f"a column for each of the {n_classes} classes", n_classes)
        array = array[:, self._order]
        problem = _not_probabilities(array)
        if "predict_proba" in methods and not problem:
            return "predict_proba", array
        if "decision_function" in methods and n_classes > 2:
            return "decision_function", array
        raise ValueError(
            f"{words} must be probabilities for {self._metric!r}, a column for each of the classes "
            f"{shown_list(map(repr, self.classes.tolist()))} or, with two classes, those of the "
            f"second; got {problem or 'probabilities, but it needs ' + methods[0]}."
        )

    def _refuse_classes(self, words: str, array: NDArray[Any], classes: set[Any]) -> None:
        if array.dtype.kind in "biu" and set(array.ravel().tolist()) <= classes:
            raise ValueError(
                f"{words} must be scores or probabilities for {self._metric!r}; got only "
                f"classes. Predict with method={self._methods[0]!r}."
            )

    def _numeric(self, words: str, array: NDArray[Any]) -> NDArray[Any]:
        if array.dtype.kind == "O":
            with suppress(TypeError, ValueError):
                array = array.astype(np.float64)
        if array.dtype.kind not in "biuf":
            raise ValueError(
                f"{words} must be numbers for {self._metric!r}; got {shown(array.ravel()[0])}."
            )
        return array

    def _check_shape(
        self, words: str, array: NDArray[Any], what: str, n_classes: int | None = None
    ) -> None:
        shape = self._shape if n_classes is None else (self._shape[0], n_classes)
        if array.shape != shape:
            raise ValueError(
                f"{words} must have {what}, shape {shape}, for {self._metric!r}; got shape "
                f"{array.shape}."
            )


def _own_words(column: str) -> list[str]:
    """The words of a column of probabilities that may name its class."""
    of_all = {"pred", "predict", "predicted", "prediction", "prob", "proba", "probability", "p",
              "score", "raw", "confidence", "conf", "class", "truth", "y"}  # fmt: skip
    return [word for word in re.findall(r"[^\W\d_]+|\d+", column.lower()) if word not in of_all]


def takes_classes(reading: ScorerReading) -> bool:
    """Whether a score of `predict` compares classes: such functions refuse fractions."""
    try:
        reading.score(np.array([1, 2]), np.array([1.25, 1.75]))
    except Exception:  # of the user's function, such as the KeyError of a table of costs
        return True
    return False


def _checked_classes(truth: NDArray[Any], classes: Any) -> NDArray[Any]:
    found = np.unique(truth)
    if classes is None:
        return found
    is_vector = isinstance(classes, np.ndarray | pd.Index | pd.Series) and classes.ndim == 1
    given = list(classes) if isinstance(classes, Sequence) or is_vector else []
    try:
        n_different = 0 if isinstance(classes, str) else len({*given})
    except TypeError:  # not hashable
        n_different = 0
    if n_different < max(len(given), 2):
        raise ValueError(f"`classes` must be at least two different classes; got {shown(classes)}.")
    absent = [label for label in found.tolist() if label not in given]
    if absent:
        raise ValueError(
            f"`classes` must contain every class of `y`; got {shown(classes)}, without "
            f"{shown_list(map(repr, absent))}."
        )
    return np.asarray(given)


def _not_probabilities(array: NDArray[Any]) -> str:
    """Why rows are not probabilities; empty if they are."""
    outside = (array < 0) | (array > 1)
    if outside.any():
        return f"{float(array[outside][0])!r}"
    sums = array.sum(axis=1)
    worst = float(sums[np.abs(sums - 1).argmax()])
    return f"a row with the sum {worst!r}" if abs(worst - 1) > _TOLERANCE else ""


Splits = list[tuple[NDArray[np.intp], NDArray[np.intp]]]

ONE_TEST_SET = (
    "Predictions of one fitted model each for one test set do not show how models vary with their "
    "training data: compare these fitted models with `mcnemar` or `cochrans_q` (classes) or "
    "`delong` (areas under ROC curves)."
)

_FORMS = (
    "the fold of each sample (n_samples,), with repeats (n_repeats, n_samples), or a list of "
    "(train, test) indices, or the splitter that made the folds"
)


def splits_of_folds(folds: Any, y: Any, groups: Any, n_samples: int) -> tuple[Splits, SplitDesign]:
    """Return the splits and their design, in which every repeat tests every sample once.

    Raises
    ------
    ValueError
        If the folds are unknown, change from call to call, or are not repeats of a partition.
    """
    if folds is None:
        raise ValueError(f"`folds` must be {_FORMS}; got None. {ONE_TEST_SET}")
    if isinstance(folds, str | bytes | int | np.integer | Mapping | Set):
        raise ValueError(f"`folds` must be {_FORMS}; got {shown(folds)}.")
    if hasattr(folds, "split"):
        pairs = _drawn(folds, y, groups, n_samples)
    else:
        if isinstance(folds, Iterable) and not hasattr(folds, "__len__"):  # a generator
            folds = list(folds)
        pairs = folds if are_pairs(folds) else _numbered(folds, n_samples)
    samples = np.arange(n_samples)
    splits = [
        (samples[train], samples[test]) for train, test in check_splits("folds", pairs, n_samples)
    ]
    design = SplitDesign.from_indices(splits, n_samples)
    # One fold that tests all samples is a repeat by itself, without a training set.
    if len(splits) == 1 or not all(train.size for train, _ in splits):
        raise ValueError(
            f"`folds` must be at least two folds in each repeat; got one. {ONE_TEST_SET}"
        )
    if (design.repeat < 0).any():
        raise ValueError(
            "`folds` must test every sample once in each repeat, as cross_val_predict requires; "
            f"got {len(splits)} splits whose test sets overlap or leave samples out. For these, "
            "compare scores of splits: compare({'name': cross_validate(…, return_indices=True)})."
        )
    return splits, design


def are_pairs(folds: Any) -> bool:
    """Whether these are (train, test) pairs; rows of fold numbers hold numbers, not arrays."""
    return (
        isinstance(folds, list | tuple)
        and len(folds) > 0
        and all(
            isinstance(pair, list | tuple)
            and len(pair) == 2
            and all(isinstance(side, slice) or np.ndim(side) == 1 for side in pair)
            for pair in folds
        )
    )


def _drawn(splitter: Any, y: Any, groups: Any, n_samples: int) -> list[Any]:
    """The splits of a splitter; no scikit-learn splitter looks at `X` beyond its length."""
    X = np.zeros((n_samples, 1))
    first, second = (list(splitter.split(X, y, groups)) for _ in range(2))
    if not are_alike(first, second):
        raise ValueError(
            "`folds` must be a splitter with the same splits at every call, those that the "
            f"predictions were made with; got {shown(splitter)}, which draws new ones. Give it an "
            "integer `random_state` before you predict, or pass the list of its splits."
        )
    return first


def _numbered(folds: Any, n_samples: int) -> list[Any]:
    try:
        table = np.asarray(folds)
    except ValueError:  # rows of different lengths
        table = np.empty(0)
    if table.shape == (n_samples,):
        table = table[None, :]
    if (
        table.ndim != 2
        or table.shape[1] != n_samples
        or (table.dtype.kind == "f" and not _whole(table))
    ):
        raise ValueError(
            f"`folds` must be {_FORMS}, of {n_samples} samples; got shape {table.shape} "
            f"in {shown(folds)}."
        )
    check_one_kind("folds", table)
    without = pd.isna(table) | (table == -1 if table.dtype.kind in "if" else False)
    if without.any():
        raise ValueError(
            "`folds` must give every sample a fold; got none (−1 or a missing value) for "
            f"{int(without.any(axis=0).sum())} of {n_samples} samples. Leave out samples that are "
            "never tested, in `y` and in all predictions."
        )
    return [
        (np.flatnonzero(row != fold), np.flatnonzero(row == fold))
        for row in table
        for fold in np.unique(row)
    ]


def _whole(table: NDArray[Any]) -> bool:
    with np.errstate(invalid="ignore"):
        return bool((np.isnan(table) | (table % 1 == 0)).all())
