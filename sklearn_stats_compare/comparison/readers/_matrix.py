"""Matrices and frames of scores → models × splits, or an error that explains why not."""

import ast
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from decimal import Decimal
from numbers import Real
from typing import Any, NoReturn

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from sklearn_stats_compare._utils._validation import (
    shown,
    shown_list,
    without_warnings,
    wrong,
)
from sklearn_stats_compare.comparison._saving import LONGEST_LITERAL, split_and_metric
from sklearn_stats_compare.comparison.readers._metrics import (
    is_metric,
    may_be_metric,
    names_parameter,
    says_metric,
)
from sklearn_stats_compare.comparison.readers._names import (
    MODEL_AXIS,
    SPLIT_AXIS,
    has_split,
    holds_names,
    is_bookkeeping,
    is_number,
    is_split,
    is_summary,
    is_text,
    is_time,
    is_whole,
    kind_of,
    letters,
    names_datasets,
    names_models,
    names_splits_alone,
    spreads_among,
    words_of,
)
from sklearn_stats_compare.comparison.readers._sizes import ParsedScores, Sizes
from sklearn_stats_compare.stats._scores import SplitDesign, SplitScores, denominator

# Most tables of numbers hold something else: metrics of one model, splits of several, run times.

ROWS, COLUMNS = "models in rows", "models in columns"

# The last two are the former names: the axis of a DataFrame that holds the models.
ORIENTATIONS = {None: None, ROWS: ROWS, COLUMNS: COLUMNS, "index": ROWS, "columns": COLUMNS}

# Columns of scikit-learn's cv_results_.
OF_RESULTS = ("mean_test_", "std_test_", "rank_test_")

_ONE_METRIC = "Take the scores of several models by one metric."

_NO_SCORES = (
    "Make it the index, or drop it. If the table has a row for each model and split, name its "
    "columns in `model`, `split` and `value`."
)

_ROWS_ARE_MODELS = f"If the rows are models, say orient={ROWS!r}."

_COLUMNS_ARE_MODELS = f"If the columns are models and the rows splits, say orient={COLUMNS!r}."


def read_matrix(obj: Any, metric: str | None, sizes: Sizes, orient: str | None) -> ParsedScores:
    """A matrix of scores: an array, a list of rows, or a DataFrame whose names show its axes."""
    labels = None
    # Arrays and lists are models × splits by their documentation; frames come in both forms.
    if isinstance(obj, pd.DataFrame):
        check_header(obj)
        orient = _orientation(obj, orient, metric)
        check_flags(obj)
        obj = _in_order(obj, orient, sizes)
        models, splits = (obj.index, obj.columns)[:: 1 if orient == ROWS else -1]
        labels = [str(label) for label in models]
        metric = metric or metric_of_axes(models, splits)
    scores = matrix_of(obj)
    if isinstance(obj, pd.DataFrame):
        refuse_counts("column", obj.columns, scores.T)
        refuse_counts("row", obj.index, scores)
    if orient == COLUMNS:
        scores = scores.T
    if labels is not None:
        check_names(labels, (), scores)
    check_splits(pd.RangeIndex(scores.shape[1]) if labels is None else splits, scores)
    design = sizes.design(scores.shape[1])
    return ParsedScores(
        SplitScores(scores, design),
        metric or "score",
        labels=labels,
        may_be_loss=True,
        splits=() if labels is None else [str(label) for label in splits],
    )


def metric_of_axes(models: pd.Index, *others: pd.Index) -> str | None:
    """The metric that the name of an axis is, if one is; ValueError if it may be a parameter."""
    for axis in (models, *others):
        name = axis.name
        # Values of a parameter such as loss or cost are names of models.
        is_parameter = names_parameter(name) or "function" in words_of(name)
        is_parameter |= not is_metric(name) and all(map(is_number, axis))
        if name is None or (is_parameter and axis is models and kind_of(axis) != "splits"):
            continue
        if is_metric(name) and "train" not in words_of(name):
            return str(name)
        if says_metric(name) or is_time(name):
            raise ValueError(
                f"`metric` must be given for an axis called {shown(name)}, which may be the metric "
                "of the scores, or a parameter of the models; got None."
            )
    return None


def _in_order(frame: pd.DataFrame, orient: str, sizes: Sizes) -> pd.DataFrame:
    """The frame with its splits in the order of their numbers, if they are 0, 1, 2, …."""
    splits = frame.index if orient == COLUMNS else frame.columns
    if not is_permuted(splits):
        return frame
    sizes.check_labels(splits)
    plain = pd.RangeIndex(len(splits))
    return frame.loc[plain] if orient == COLUMNS else frame[plain]


def is_permuted(splits: pd.Index) -> bool:
    """Whether labels are 0, 1, 2, … in another order."""
    plain = pd.RangeIndex(len(splits))
    if splits.nlevels > 1 or splits.equals(plain) or any(isinstance(own, bool) for own in splits):
        return False
    return bool(plain.isin(splits).all())


def check_flags(frame: pd.DataFrame) -> None:
    """Raise ValueError if some columns hold True and False, and others scores."""
    flags = [name for name, dtype in frame.dtypes.items() if dtype.kind == "b"]
    if 0 < len(flags) < frame.shape[1]:
        _refuse("column", flags[0], "which holds True and False beside scores", "Drop it.")


def _orientation(frame: pd.DataFrame, orient: str | None, metric: str | None) -> str:
    """Which axis holds the models, `ROWS` or `COLUMNS`; ValueError if that is not clear."""
    if frame.empty:
        return ROWS  # either will do: `matrix_of` refuses an empty frame
    _check_columns(frame.columns)
    axes = {"column": frame.columns, "row": frame.index}
    for name in (*frame.columns.names, *frame.index.names):
        check_no_datasets(name)
    # The first error names the likeliest mistake: an Optuna table also has columns of times.
    labels = [(what, label) for what, axis in axes.items() for label in axis]
    for what, label in labels:
        _check_trials(what, label)
    if orient is None:
        _check_not_long(frame)
    for what, label in labels:
        _check_scores(what, label)
    if orient is None:
        return _read_orientation(frame.index, frame.columns)
    of_models, of_splits = ("row", "column") if orient == ROWS else ("column", "row")
    splits = axes[of_splits]
    models = axes[of_models]
    for label in filter(is_metric, splits):
        _refuse(of_splits, label, "which is a metric and no split", _ONE_METRIC)
    contradicting = filter(names_splits_alone, models.names)
    for name in [*filter(names_models, splits.names), *contradicting]:
        _refuse("name", name, f"which contradicts orient={orient!r}", "Leave `orient` out.")
    _check_all_or_none(of_splits, splits, lambda label: is_split(label) or is_whole(label))
    # skore's reports name the splits of several models like svm_split_0, and caret its resamples
    # like RF~Accuracy.
    sets = {re.sub(r"\d+", "", str(label)) for label in splits if has_split(label)}
    metrics = {str(label).rpartition("~")[2] for label in models if "~" in str(label)}
    for what, axis, several in ((of_splits, splits, sets), (of_models, models, metrics)):
        if len(several) > 1:
            _refuse(what, axis[0], f"which is of one of {shown_list(sorted(several))}", _ONE_METRIC)
    if metric is None and all(map(is_metric, models)):
        _refuse(of_models, models[0], "which is a metric and no model", _ONE_METRIC)
    return orient


def _check_columns(columns: pd.Index) -> None:
    """Raise ValueError for columns of results, of several levels, or of the same name."""
    for column in columns:
        # A MultiIndex has tuples as labels; a plain Index made of tuples may have them too.
        parts = column if isinstance(column, tuple) else (column,)
        named = [str(part) for part in parts]
        if any(is_split_column(name) or name.startswith(OF_RESULTS) for name in named):
            raise ValueError(
                "`obj` must have columns such as split0_test_score, in one level, or be a matrix "
                f"of scores; got a column {shown(column)}."
            )
        check_no_saved_index(named[0])
    if columns.nlevels > 1 or any(isinstance(column, tuple) for column in columns):
        _refuse(
            "column", columns[0], "which has several levels",
            "Take one metric, and unstack it to a row per model and a column per split.",
        )  # fmt: skip
    if not columns.is_unique:
        twice = columns[columns.duplicated()][0]
        _refuse("column", twice, "which occurs twice", "Give each column a name of its own.")


def _check_not_long(frame: pd.DataFrame) -> None:
    """Raise ValueError if several rows have the same name of something other than a split."""
    whole = frame
    if any(frame.index.names) and kind_of(frame.columns) == "named":
        whole = pd.concat([frame.index.to_frame(), frame], axis=1)
    for name, column in whole.items():
        names = column.astype(str)
        # A column of one name describes the table, as that of a metric.
        repeats = holds_names(column) and 1 < names.nunique() < len(names)
        if repeats and not (SPLIT_AXIS.search(str(name)) or names.map(is_split).all()):
            raise ValueError(
                "`model`, `split` and `value` must name the columns of the models, the splits and "
                "the scores in a long table, which has a row for each model and split; got None, "
                f"and columns {shown_list(map(repr, whole.columns))}. If the rows have several "
                "metrics, `metric` must name one. If this is a matrix of scores, `orient` must say "
                "which axis holds the models."
            )


_TRIAL = ("param_", "params_", "user_attrs_", "system_attrs_")


def _check_trials(what: str, label: Any) -> None:
    """Raise ValueError for a row or column of a table of trials."""
    text = str(label)
    if text.startswith(_TRIAL) or ("_test_" in text and has_split(text)):
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
        named = any(map(names_models, columns.names))
        are_models = named or all(map(is_text, columns))
        if are_models and of_rows == "plain" and not named:
            stems = {letters(re.sub(r"\d+", "", str(label))) for label in columns}
            if len(stems) == 1 < len(columns) and not stems <= MODEL_AXIS:
                _refuse(
                    "column", columns[0], "which may be a model or a split", _COLUMNS_ARE_MODELS
                )
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
    _check_all_or_none("column", columns)
    for label in columns:
        if has_split(label) or "time" in words_of(label) or may_be_metric(label):
            why = "which may be a split, a time or a metric"
            _refuse("column", label, why, f"{_ONE_METRIC} {_COLUMNS_ARE_MODELS}")


def _check_all_or_none(
    what: str, labels: pd.Index, names_split: Callable[[Any], bool] = is_split
) -> None:
    """Raise ValueError if some labels name splits, and others may be times, sizes or names."""
    split = next(filter(names_split, labels), None)
    for label in labels:
        if split is not None and not names_split(label):
            why = f"which is no split, beside {shown(split)}"
            _refuse(what, label, why, "Make it the index, or drop it.")


def check_names(models: Iterable[Any], splits: Iterable[Any], scores: NDArray[np.float64]) -> None:
    """Raise ValueError for names of models or splits that sum up others, are times or splits.

    A model may be called mean, as a strategy is, or forest_var beside forest: the scores decide.
    """
    models = list(models)
    for label in splits:
        if is_summary(label):
            _refuse("split", label, "which sums up the others", _RENAME)
        if is_time(label):
            _refuse("split", label, "which is a time and no score", "Drop it.")
    check_companions(models, scores)
    for label in models:
        if is_summary(label) and letters(label) not in _MADE:
            _refuse("model", label, "which sums up the others", _RENAME)
        if is_time(label):
            _refuse("model", label, "which is a time and no score", "Drop it.")
        if is_bookkeeping(label) and not names_models(label):
            _refuse("model", label, "which holds no scores", _RENAME)
    if (made := made_of_others(models, scores)) is not None:
        _refuse("model", made, "which is made of the others", "Drop it.")
    if models and all(map(is_split, models)):
        _refuse("model", models[0], "which names a split", "Name the models, and not the splits.")


def check_rows(rows: pd.Index, scores: NDArray[np.float64]) -> None:
    """Raise ValueError if a row of candidates, or a split, sums up the others."""
    for label in filter(is_summary, rows):
        _refuse("row", label, "which sums up the others", "Drop it.")
    # Some may be left out, but none that sums up others.
    rows = rows if len(rows) == len(scores) else pd.RangeIndex(len(scores))
    if (place := mean_among(scores.T)) is not None:
        _refuse("row", rows[place], "which is made of the others", "Drop it.")
    check_splits(pd.RangeIndex(scores.shape[1]), scores)


_RENAME = "Drop it, or give it another name."


def check_companions(models: Sequence[Any], scores: NDArray[np.float64]) -> None:
    """Raise ValueError for a name such as forest_std or forest_train beside forest.

    A deviation has far smaller numbers, or every model has one.
    """
    spreads = spreads_among(models)
    of_all = 2 < 2 * len(spreads) == len(models)
    for k in spreads:
        label, others = models[k], np.abs(np.delete(scores, k, axis=0))
        if of_all or np.median(np.abs(scores[k])) < np.median(others) / 2:
            _refuse("model", label, "which sums up another", _RENAME)
    words = {label: {*words_of(label)} - {"score", "mean"} for label in models}
    tested = [own - PARTS for own in words.values() if not own & _OF_TRAINING]
    for label, own in words.items():
        if own & _OF_TRAINING and own - PARTS in tested:  # svm_train beside svm, or svm_test
            _refuse("model", label, "which has the scores of training samples", "Drop it.")


def made_of_others(models: Sequence[Any], scores: NDArray[np.float64]) -> Any:
    """The model that is a mean or a difference of others, the best or the worst; None if none is.

    Without such a name, only a mean of all, or a small difference that is none by chance, counts:
    models that often tie with others may be the best on every split.
    """
    scores = scores[:, np.isfinite(scores).all(axis=0)][:, :_ENOUGH]
    m, n_splits = scores.shape
    if n_splits < 2:
        return None
    if (place := mean_among(scores.T)) is not None:
        return models[place]
    unit, found = max(1 / denominator(scores), _smallest_step(scores)), []
    nothing = 1e-9 * min(1.0, np.abs(scores).max())
    for k, label in enumerate(models if 2 < m <= _MOST_MODELS else ()):
        own, others = scores[k], np.delete(scores, k, axis=0)
        ends = [each(others, axis=0) for each in (np.mean, np.median, np.max, np.min)]
        made = np.vstack([*ends, *(others[:, None] - others)])
        # Not a model that is always as far from another.
        new = np.ptp(made[:, None] - others, axis=2).min(axis=1) > nothing
        is_named = letters(label) in _MADE
        allowed = half_a_unit(own) if is_named else 1e-9 * np.abs(others).max()
        new &= np.abs(made - own).max(axis=1) <= allowed
        if not is_named:
            by_chance = len(made) * (unit / max(np.ptp(own), unit, nothing)) ** n_splits
            is_small = np.median(np.abs(own)) < np.median(others) / 2
            new[: len(ends)] = False
            new &= is_small and by_chance < _UNLIKELY
        if own.any() and new.any():
            found.append(k)
    # If a − b = c, then b = a − c.
    return models[min(found, key=lambda k: abs(scores[k].mean()))] if found else None


_ENOUGH = 200
"""Scores by which what was made of others is known."""

_MOST_MODELS = 20

_MADE = {
    "best", "worst", "diff", "difference", "gain", "delta", "improvement", "mean", "average",
    "median", "min", "max", "minimum", "maximum",
}  # fmt: skip


def half_a_unit(scores: NDArray[np.float64]) -> float:
    """Half a unit of the last decimal of scores."""
    scores = scores[np.isfinite(scores)]
    decimals = [n for n in range(8) if np.array_equal(scores, np.round(scores, n))]
    unit = 10.0 ** -decimals[0] if decimals else 1e-12 * min(1.0, np.abs(scores).max())
    return float(0.501 * unit)


PARTS = {"train", "training", "test", "testing", "val", "valid", "validation", "dev", "holdout"}
_OF_TRAINING = {"train", "training"}


def check_splits(splits: pd.Index, scores: NDArray[np.float64]) -> None:
    """Raise ValueError for splits that are the mean of all others, or occur twice."""
    splits = pd.Index([str(label) for label in splits])  # True and False would select rows
    words = [{*words_of(label)} for label in splits]
    if words and all(own & PARTS for own in words):
        for label, own in zip(splits, words, strict=True):
            if own & _OF_TRAINING:
                _refuse("split", label, "which has the scores of training samples", "Drop it.")
    # scikit-learn's columns, in a row each: split0_test_accuracy, split0_test_f1.
    stems = {re.sub(r"\d+", "", str(label)) for label in splits if has_split(label)}
    if len(stems) > 1 and any(map(may_be_metric, stems)):
        _refuse("split", splits[0], f"which is of one of {shown_list(sorted(stems))}", _ONE_METRIC)
    if (place := mean_among(scores)) is not None:
        _refuse("split", splits[place], "with the means of all others", "Drop it.")
    check_split_names(splits)
    again, of_splits = splits.duplicated(), pd.DataFrame(scores.T, splits)
    # A few coarse scores may agree.
    if np.unique(scores[:, again]).size < FEWEST_DISTINCT:
        return
    if of_splits[again].equals(of_splits[~again].loc[splits[again]]):
        label = str(splits[again][0])
        _refuse("split", label, "which occurs twice, with the same scores", "Drop one.")


def check_split_names(splits: Iterable[str]) -> None:
    """Raise ValueError for odd names, such as "pooled" beside the folds 1, 2, …, 5."""
    stems = {label: re.sub(r"\d+", "#", label) for label in splits}
    base, n = Counter(stems.values()).most_common(1)[0]
    usual = [label for label in stems if stems[label] == base]
    odd = [label for label in stems if stems[label] != base]
    fewest = 2 if is_number(usual[0]) or is_split(usual[0]) else 3
    for label in odd if "#" in base and n >= fewest else ():
        rest = label.removeprefix(base.partition("#")[0])
        starts = [own for own in usual if re.match(rf"{re.escape(label)}[\W_]", own)]
        is_odd = len(odd) <= 2 and _NO_LABEL.fullmatch(rest)
        if is_odd or _SUMS_UP.fullmatch(rest) or len(starts) > 1:
            why = f"beside {shown(usual[0])}, which may sum up the others"
            _refuse("split", label, why, "Drop it, or name all splits alike.")


_SUMS_UP = re.compile(
    r"(.*[\W\d_])?(all|pool(ed)?|oof|mean|avg|average|overall|total|combined|cv|folds?|splits?)"
    r"([\W\d_].*)?",
    re.I,
)

# Not the X of chromosomes 1 to 22, or the houses 3a and 3b.
_NO_LABEL = re.compile(r"\W*|\D*[^\W\d_]{3}\D*|.*%.*|\W*\d+\s*[-–:…]+\s*\d+\W*")


FEWEST_DISTINCT = 5


def mean_among(scores: NDArray[np.float64]) -> int | None:
    """A column that is the mean, the sum or the mean rank of the others, and not by chance.

    It is the first or the last column, perhaps beside two more that sum up the same others, such as
    their standard deviation. Accuracies of n samples are multiples of 1/n: one of them may be the
    mean of the others.
    """
    # Whose squares overflow.
    known = np.isfinite(scores).all(axis=1) & (np.abs(scores).max(axis=1, initial=0) < 1e150)
    scores = scores[known][:_ENOUGH]
    if not len(scores):
        return None
    columns = np.arange(scores.shape[1])
    for n in (1, 2, 3):
        for places in (columns[-n:], columns[:n]):
            body = np.delete(scores, places, axis=1)
            if body.shape[1] < 3:
                continue
            ranks = stats.rankdata(-body, axis=0).mean(axis=1)
            means = [body.mean(axis=1), np.median(body, axis=1), body.sum(axis=1), ranks]
            ends = [body.std(axis=1, ddof=1), body.std(axis=1), body.min(axis=1), body.max(axis=1)]
            at_ends = scores[:, places].T
            if not all(_equal_to(own, [*means, *ends]) for own in at_ends):
                continue
            for place, own in zip(places, at_ends, strict=True):
                rest = np.delete(scores, place, axis=1)
                if (rest == own[:, None]).all(axis=0).any():  # one of several equal models
                    continue
                equal = _equal_to(own, means)
                if equal and _sums_up(own, equal[-1], body):
                    return int(place)
    return None


def _equal_to(
    own: NDArray[np.float64], made: list[NDArray[np.float64]]
) -> list[NDArray[np.float64]]:
    """Those of the columns that were made of others that a column is, perhaps rounded."""
    return [each for each in made if np.abs(own - each).max() <= half_a_unit(own)]


def _sums_up(
    own: NDArray[np.float64], made: NDArray[np.float64], body: NDArray[np.float64]
) -> bool:
    """Whether a column equals what was made of others, `body`, and not by chance."""
    if len(own) > 1 and np.ptp(own) == 0:  # all right, or all wrong
        return False
    # Sums and ranks are far from scores.
    far = (made > body.max(axis=1)) | (made < body.min(axis=1))
    varied = np.ptp(body, axis=1).all() and np.unique(own).size > 1
    if far.all() and varied and np.abs(own - made).max() <= 0.005:
        return True
    both = np.unique(np.column_stack([own, body]), axis=0)  # equal models show it once
    shares, unit = SplitScores(both, SplitDesign.from_ratio(1.0, both.shape[1])).as_shares
    if shares.count_values is None:
        unit = _smallest_step(both)
    else:
        unit *= shares.count_values.max()
    allowed = max(2 * half_a_unit(own), unit)
    chances = allowed / np.maximum(np.ptp(both[:, 1:], axis=1), 1e-300)
    return bool(np.minimum(chances, 1).prod() < _UNLIKELY)


def _smallest_step(scores: NDArray[np.float64]) -> float:
    """Smallest difference of two scores: 50 of costs in steps of 50, whose denominator is 1."""
    steps = np.diff(np.unique(np.round(scores, 9)))
    return float(steps.min()) if steps.size else 0.0


_UNLIKELY = 1e-4


def refuse_counts(
    what: str, names: Iterable[Any], rows: NDArray[np.float64], *, many: bool = False
) -> None:
    """Raise ValueError if some scores by model, or by split, are `counts`."""
    for label, why in counts(names, rows, many=many):
        _refuse(what, label, why, "Drop it, or pass the scores as an array.")


def counts(
    names: Iterable[Any], rows: NDArray[np.float64], *, many: bool = False
) -> Iterator[tuple[Any, str]]:
    """Which of these are no scores but count or are sizes, whatever their name, and why.

    Whole numbers count if they go up by one, or are 0, 1, 2, … equally often beside fractions.
    Numbers beside shares, which are within ±1, are sizes if they are whole and above 1. Beside
    other fractions they are if they differ and some are far from those: of ten splits or five data
    sets, whose scores are means.
    """
    has_fractions = [bool((row[np.isfinite(row)] % 1).any()) for row in rows]
    largest = [float(np.abs(row[np.isfinite(row)]).max(initial=0)) for row in rows]
    for k, (name, row) in enumerate(zip(names, rows, strict=True)):
        # Nothing is counted below zero; a baseline may score 10 % on ten balanced classes.
        is_score = has_fractions[k] or largest[k] <= 1 or row.min() < 0
        if is_score or letters(name) in _BASELINES or not np.isfinite(row).all():
            continue
        found, times = np.unique(row, return_counts=True)
        beside = any(has_fractions[:k] + has_fractions[k + 1 :])
        goes_up = row.size > 3 and bool((np.diff(row) == 1).all())
        is_range = found[0] in (0, 1) and found[-1] - found[0] == found.size - 1
        goes_up |= beside and found.size > 2 and bool(is_range) and np.ptp(times) == 0
        others = np.delete(rows, k, axis=0)
        low, high = np.nanmin(others, initial=np.inf), np.nanmax(others, initial=-np.inf)
        far = found[0] < 2 * low - high or found[-1] > 2 * high - low
        differ = far and row.size > (4 if many else 9) and (found.size > 1 or largest[k] > 100)
        is_size = beside and (differ or max(-low, high) <= 1)
        if goes_up or is_size:
            why = "which counts" if goes_up else "which has whole numbers beside fractions"
            yield name, why


_BASELINES = {"baseline", "chance", "dummy", "majority", "naive", "random", "zeror"}


def _refuse(what: str, label: Any, why: str, remedy: str) -> NoReturn:
    raise ValueError(
        "`obj` must be a matrix of scores by one metric, models × splits; got a "
        f"{what} {shown(label)}, {why}. {remedy}"
    )


# The content of a column is never guessed: a mapping or text would iterate over keys or letters,
# and NumPy would drop an imaginary part, a mask or a date's unit without an error.

Splits = list[tuple[NDArray[np.intp], NDArray[np.intp]]]


def is_split_column(key: Any) -> bool:
    """Whether a key is a split column such as ``split0_test_score``."""
    return split_and_metric(key) is not None


def split_columns(keys: Iterable[Any]) -> dict[str, list[tuple[int, Any]]]:
    """The (split, key) of every split score, for each metric, in the order of the splits."""
    found: dict[str, list[tuple[int, Any]]] = {}
    for key in keys:
        column = split_and_metric(key)
        if column is not None:
            split, metric = column
            found.setdefault(metric, []).append((split, key))
    for columns in found.values():
        # Programs that sort columns as text put split10 before split2.
        columns.sort(key=lambda column: column[0])
    return found


def check_every_split(columns: Sequence[tuple[int, Any]], metric: str) -> None:
    """Raise ValueError unless the splits are 0, 1, 2, …, each once."""
    for expected, (split, _) in enumerate(columns):
        if split < expected:
            raise ValueError(
                f"`obj` must hold every split of {shown(metric)} once; split {split} occurs twice."
            )
        if split > expected:
            raise ValueError(
                f"`obj` must hold every split of {shown(metric)}; split {expected} of "
                f"{columns[-1][0] + 1} is missing."
            )


def score_matrix(results: Any, columns: Sequence[tuple[int, Any]]) -> NDArray[np.float64]:
    """Scores of these columns, candidates × splits."""
    if isinstance(results, pd.DataFrame):  # at once: one by one is slow for a million columns
        # A frame may have a name twice, and pandas then returns both columns.
        block = results[[key for _, key in columns]]
        if block.shape[1] != len(columns):
            raise ValueError("`obj` must hold every split once; a column's name occurs twice.")
        values = block.to_numpy()
        if values.dtype.kind in "biuf":
            return _filled(values)
        # Columns of different types make one array of objects, so each is read separately.
        results = {key: values[:, k] for k, (_, key) in enumerate(columns)}
    vectors = [numbers(results[key], f"split{split}") for split, key in columns]
    for (split, _), vector in zip(columns, vectors, strict=True):
        if vector.size != vectors[0].size:
            raise ValueError(
                "`obj` must hold one score per candidate in every split; split0 has "
                f"{vectors[0].size} and split{split} has {vector.size}."
            )
    return np.column_stack(vectors)


def matrix_of(values: Any) -> NDArray[np.float64]:
    """A matrix of scores, candidates × splits, from an array, a DataFrame or a list of rows."""
    if isinstance(values, pd.DataFrame):
        values = values.to_numpy()
    if not isinstance(values, np.ndarray):
        rows = list(values)
        if not rows or not all(_is_row(row) for row in rows):
            raise ValueError(
                "`obj` must be a matrix of scores, candidates × splits; got "
                f"{'nothing' if not rows else '1 dimension(s)'}."
            )
        # NumPy 1.24 and later reject rows of unequal lengths without naming the row.
        vectors = [numbers(row, f"row {k}") for k, row in aligned(dict(enumerate(rows))).items()]
        uneven = next((k for k, v in enumerate(vectors) if v.size != vectors[0].size), None)
        if uneven is not None:
            raise ValueError(
                "`obj` must be a matrix of scores with rows of one length; row 0 has "
                f"{vectors[0].size} and row {uneven} has {vectors[uneven].size}."
            )
        values = np.stack(vectors)
    if values.ndim != 2:
        raise ValueError(
            "`obj` must be a matrix of scores, candidates × splits; got "
            f"{values.ndim} dimension(s)."
        )
    if not values.size:
        raise ValueError(
            "`obj` must be a matrix of at least one candidate and one split; got shape "
            f"{values.shape}."
        )
    if values.dtype.kind in "biuf":
        return _filled(values)
    return np.stack([numbers(row, f"row {k}") for k, row in enumerate(values)])


def aligned(columns: Mapping[Any, Any]) -> dict[Any, Any]:
    """Columns with their entries in the order of the first one's index, whose labels pair them.

    What has no index has the labels 0, 1, 2, …, as pandas gives them. Such labels have that order,
    which is that of the sizes of splits.

    Raises
    ------
    ValueError
        If two columns of one length have different labels, or the same ones several times in
        another order.
    """
    indexed = [column for column in columns.values() if isinstance(column, pd.Series)]
    listed = {
        name: column if isinstance(column, pd.Series | np.ndarray) else list(column)
        for name, column in columns.items()
        if indexed and is_vector(column)
    }
    if not listed:
        return dict(columns)
    # Others are not read, or refused by the reader.
    usual = Counter(map(len, listed.values())).most_common(1)[0][0]
    listed = {name: column for name, column in listed.items() if len(column) == usual}
    indices = {
        name: column.index if isinstance(column, pd.Series) else pd.RangeIndex(len(column))
        for name, column in listed.items()
    }
    first, labels = next(iter(indices.items()))
    order, plain = labels, pd.RangeIndex(len(labels))
    with suppress(TypeError):  # labels that are lists
        order = plain if plain.isin(labels).all() else labels
    for name, own in indices.items():
        contradicts = False
        if isinstance(own, pd.MultiIndex) and any(own.names) and any(order.names):
            contradicts = {*own.names} != {*order.names} or None in own.names
            own = own if contradicts else own.reorder_levels(order.names)
        if own.equals(order) and not contradicts:
            continue
        try:
            places = np.array([-1]) if contradicts else own.get_indexer(order)
        except (TypeError, ValueError, pd.errors.InvalidIndexError):  # not unique or not hashable
            places = np.array([-1])
        if not np.array_equal(np.sort(places), np.arange(len(labels))):
            what, there, here = "labels", map(repr, labels), map(repr, own)
            if contradicts:
                what, there, here = "names of levels", *(map(str, i.names) for i in (order, own))
            raise ValueError(
                f"`obj` must have the same {what} in every index, because they pair the entries; "
                f"{shown(first)} has {shown_list(there)}, and {shown(name)} has "
                f"{shown_list(here)}. Where the order pairs them, pass arrays, as `to_numpy` "
                "returns."
            )
        column = listed[name]
        if isinstance(column, pd.Series):
            listed[name] = column.iloc[places]
        else:
            is_array = isinstance(column, np.ndarray)
            listed[name] = column[places] if is_array else [column[place] for place in places]
    return {name: listed.get(name, column) for name, column in columns.items()}


def numbers(column: Any, what: str) -> NDArray[np.float64]:
    """A column as floats, NaN for what is missing; ValueError, naming `what`, for all else."""
    if isinstance(column, pd.Series) and column.dtype.kind in "biuf":
        # pandas' own types with missing values, such as Int64, have these kinds too. pandas 2
        # refuses to convert them to floats without `na_value`.
        column = column.to_numpy(dtype=float, na_value=np.nan)
    if isinstance(column, np.ndarray) and column.ndim == 1 and column.dtype.kind in "biuf":
        return _filled(column)
    values = entries(column, what)
    found = np.empty(len(values))
    for k, value in enumerate(values):
        try:
            found[k] = _number(value)
        except (TypeError, ValueError, OverflowError):
            raise ValueError(
                f"`obj` must hold numbers as scores; {what} does not: got {shown(value)}."
            ) from None
    return found


def entries(column: Any, what: str, n: int | None = None) -> list[Any]:
    """A column's entries, one per candidate, `n` of them if given."""
    if not is_vector(column):
        raise wrong("obj", f"hold a sequence with one entry per candidate as {what}", column)
    found = list(column)
    if n is not None and len(found) != n:
        raise ValueError(
            f"`obj` must hold one entry per candidate as {what}, {n}; got {len(found)}."
        )
    return found


def splits_of(indices: Any, n_splits: int) -> Splits:
    """The (train, test) samples of each split, from the ``indices`` that cross_validate returns."""
    sides = []
    for side in ("train", "test"):
        parts = indices.get(side) if isinstance(indices, Mapping) else None
        if isinstance(parts, np.ndarray):  # an array without dimensions has no length
            parts = list(np.atleast_1d(parts))
        if not isinstance(parts, Sequence) or len(parts) != n_splits:
            raise ValueError(
                f"`obj` must hold indices as cross_validate returns them, {side} samples of each "
                f"of {n_splits} splits; got {shown(parts)}."
            )
        sides.append([_samples(part) for part in parts])
    return list(zip(*sides, strict=True))


def n_samples_of(splits: Splits) -> int:
    """Number of samples that the splits refer to: the highest index plus one."""
    parts = [part for split in splits for part in split]
    n_samples = 1 + max(int(part.max(initial=-1)) for part in parts)
    n_named = sum(part.size for part in parts)
    # A single index of 10**12 would make `SplitDesign` allocate an array of that size.
    if not 0 < n_samples <= 1000 * n_named:
        raise ValueError(
            f"`obj` must hold indices of samples; got {n_named} of them, up to {n_samples - 1}."
        )
    return n_samples


def _samples(part: Any) -> NDArray[np.intp]:
    try:
        array = np.asarray(part)
    except ValueError:  # rows of different lengths
        array = np.empty((0, 0))
    if array.ndim == 1 and array.dtype.kind == "b":
        return np.flatnonzero(array)
    if array.ndim == 1 and array.size == 0:
        return np.empty(0, dtype=np.intp)
    # Negative ones count from an unknown end: no results say how many samples there are.
    if array.ndim != 1 or array.dtype.kind not in "iu" or (array < 0).any():
        raise ValueError(f"`obj` must hold indices of samples, ≥ 0; got {shown(part)}.")
    return array.astype(np.intp)


def is_absent(value: Any) -> bool:
    """Whether a cell is empty: NaN, None, pandas' NA or masked."""
    return (
        # scikit-learn masks ``param_C`` where another grid of the list has no C; pandas marks a
        # missing cell of its own types by NA, and an empty cell of a CSV file by NaN.
        value is np.ma.masked
        or value is pd.NA
        or (isinstance(value, float | np.floating) and bool(np.isnan(value)))
    )


def _filled(values: NDArray[Any]) -> NDArray[np.float64]:
    """Floats, NaN where masked."""
    floats = np.asarray(values).astype(np.float64)
    # `np.asarray` returns the values below a mask.
    floats[np.ma.getmaskarray(values)] = np.nan
    return floats


def _is_row(row: Any) -> bool:
    # A row may be an array of any shape here: `numbers` reports a wrong shape. A set has no order.
    return isinstance(row, Iterable) and not isinstance(row, str | bytes | Mapping | Set)


def is_vector(column: Any) -> bool:
    """Whether iterating over `column` gives entries rather than rows, keys or letters."""
    if isinstance(column, np.ndarray):
        # An array without dimensions counts as Iterable too, and fails when it is iterated over.
        return column.ndim == 1
    # Iterating over a DataFrame gives the names of its columns.
    return _is_row(column) and not isinstance(column, pd.DataFrame)


def _number(value: Any) -> float:
    if value is None or is_absent(value):
        return float("nan")
    if isinstance(value, np.timedelta64 | np.datetime64):
        raise TypeError
    # Cells of a CSV file are text. Neither NumPy's bool nor Decimal is registered as a Real number.
    if isinstance(value, Real | Decimal | np.bool_ | str):
        return float(value)
    raise TypeError


# NumPy 2 writes its scalars in a dict as np.float64(0.1), and NumPy 1 as 0.1.
_SCALAR = re.compile(r"(np|numpy)\.((float|int|uint|complex)\d+|longdouble|bool_?|str_|bytes_)")
_CONSTANTS = {"nan": float("nan"), "inf": float("inf"), "True_": True, "False_": False}

# The name in the representation of a function or class. The address in it changes between runs.
_NAMED = re.compile(r"<(?:function|built-in function|class) '?([^\s']+?)'?(?: .*)?>", re.DOTALL)


def params_of(results: Any, n_candidates: int) -> list[dict[str, Any]] | None:
    """Parameters of the candidates; from a CSV file, those that are literals.

    Nothing is evaluated: `ast.literal_eval` reads literals such as ``{'C': 1}`` and nothing else.
    """
    known: list[dict[str, Any]] = []
    if "params" in results:
        params = entries(results["params"], "params", n_candidates)
        read = [p if isinstance(p, Mapping) else params_from_text(p) for p in params]
        if all(isinstance(p, Mapping) for p in read):
            known = [{str(name): value for name, value in p.items()} for p in read]
    columns = {
        name[1]: entries(results[key], str(key)[:100], n_candidates)
        for key in results
        # params_C in the frames of Optuna
        if (name := re.fullmatch("params?_(.+)", str(key), re.DOTALL))
        and not any(name[1] in own for own in known)
    }
    if not columns and not known:
        return None
    columns = {name: cell_values(values) for name, values in columns.items()}
    return [
        {**{name: values[i] for name, values in columns.items() if not is_absent(values[i])}, **own}
        for i, own in enumerate(known or [{}] * n_candidates)
    ]


def params_from_text(text: Any) -> Any:
    """The mapping that a text represents; None for any other text.

    A value that is not a literal, such as an estimator, stays text.
    """
    node = _parsed(text)
    if not isinstance(node, ast.Dict) or None in node.keys:
        return None
    try:
        return {
            ast.literal_eval(key): _value(value, text)
            for key, value in zip(node.keys, node.values, strict=True)
            if key is not None
        }
    except (ValueError, TypeError, MemoryError, RecursionError):  # {[]: 1} has an invalid key
        return None


# As R, Excel and `to_csv(float_format=…)` write numbers; a zero in front is part of a name.
_NUMBER = re.compile(r"[-+]?(0|[1-9]\d*)?(\.\d+|\.)?(e[-+]?\d+)?", re.I)


def cell_values(values: Sequence[Any]) -> list[Any]:
    """Cells of a parameter's column, as numbers or constants if their texts are some."""
    filled = {value for value in values if isinstance(value, str)}
    numbers = {}
    with suppress(ValueError):  # of a sign or a point alone
        numbers = {
            text: int(text) if text.lstrip("+-").isdigit() else float(text)
            for text in filled
            if _NUMBER.fullmatch(text)
        }
    if len(numbers) < len(filled):  # beside words, 1e5 may be one
        numbers = {text: number for text, number in numbers.items() if "e" not in text.lower()}
    # Two texts of one number, such as 1 and 1.0, are two values.
    if len({*numbers.values()}) < len(numbers):
        numbers = {}
    return [
        numbers[value] if isinstance(value, str) and value in numbers else cell_value(value)
        for value in values
    ]


def cell_value(value: Any) -> Any:
    """A cell as a literal, if its text is one, or the name of a function or class."""
    if not isinstance(value, str):
        return value
    node = _parsed(value)
    if node is None:
        found = _NAMED.fullmatch(value)
        return value if found is None else found[1].rpartition(".")[2]
    read = _value(node, value)
    # pandas writes numbers as Python shows them. Other text, such as 1e5, 007 or 1_000, is the
    # user's.
    return read if repr(read) == value else value


def _parsed(text: Any) -> ast.expr | None:
    """The expression in a text; None if it is not one."""
    if not isinstance(text, str) or len(text) > LONGEST_LITERAL:
        return None
    try:
        with without_warnings(SyntaxWarning):  # of odd escapes
            return ast.parse(text, mode="eval").body
    # Deeply nested text exhausts the parser, and a null character is an error.
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


def _value(node: ast.expr, text: str) -> Any:
    """The value of a literal, or its text."""
    try:
        return ast.literal_eval(_WithoutNumPy().visit(node))
    except (ValueError, TypeError, MemoryError, RecursionError):
        source = ast.get_source_segment(text, node) or text
        found = _NAMED.fullmatch(source)
        return " ".join(source.split()) if found is None else found[1].rpartition(".")[2]


class _WithoutNumPy(ast.NodeTransformer):
    """Replace NumPy scalars by their values, and nan and inf by numbers."""

    def visit_Call(self, node: ast.Call) -> ast.AST:  # the name that ast calls
        is_scalar = _SCALAR.fullmatch(ast.unparse(node.func))
        if is_scalar and len(node.args) == 1 and not node.keywords:
            return self.visit(node.args[0])
        return node

    def visit_Name(self, node: ast.Name | ast.Attribute) -> ast.AST:
        name = re.sub(r"^(np|numpy)\.", "", ast.unparse(node))
        return ast.Constant(_CONSTANTS[name]) if name in _CONSTANTS else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        return self.visit_Name(node)


def is_frame(obj: Any) -> bool:
    """Whether an object is a pandas frame, or one of a package that converts to pandas.

    Tested by attributes, so that no package need be imported. A search has none of them.
    """
    if isinstance(obj, pd.DataFrame) or _is_lazy(obj):
        return True
    return hasattr(obj, "columns") and callable(getattr(obj, "to_pandas", None))


def _is_lazy(obj: Any) -> bool:
    return type(obj).__name__ == "LazyFrame"  # of polars, whose `columns` warn of their cost


def as_pandas(frame: Any) -> pd.DataFrame:
    """A pandas frame; one of another package has the column of row names as its index."""
    if isinstance(frame, pd.DataFrame):
        # pandas has no index of half precision.
        half = {k: np.float32 for k, own in enumerate(frame.dtypes) if own == np.float16}
        if half:
            plain = frame.set_axis(range(frame.shape[1]), axis=1)
            frame = plain.astype(half).set_axis(frame.columns, axis=1)
        return frame
    frame = frame.collect() if _is_lazy(frame) else frame
    try:
        converted: pd.DataFrame = frame.to_pandas()
    except ImportError:
        # polars converts by pyarrow, on which neither package depends, and polars 2 has no
        # interchange protocol (`__dataframe__`).
        converted = pd.DataFrame({name: list(frame[name]) for name in frame.columns})
    return converted


def is_plain(obj: Any, table: pd.DataFrame) -> bool:
    """Whether a table has no index, as it comes from a file or a package that has none."""
    return table is not obj and isinstance(table.index, pd.RangeIndex)


def split_axes(names: Iterable[Any]) -> list[Any]:
    """Names of columns that say which split, fold or repeat a row is of."""
    return [name for name in names if isinstance(name, str) and SPLIT_AXIS.fullmatch(name)]


def with_split_names(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame of one model with all columns that name the split of a row as its index."""
    if axes := split_axes(frame.columns):
        frame = frame.set_index(axes, append=any(frame.index.names))
    for name in map(str, frame.columns):
        check_no_saved_index(name)
    frame = frame if axes else with_row_names(frame)
    for column in frame.columns if any(str(c).startswith("test_") for c in frame) else ():
        known = str(column).startswith(("test_", "train_")) or is_time(column)
        if not known and str(column) not in ("estimator", "indices"):
            raise ValueError(
                "`obj` must have columns as cross_validate returns them for each model; got "
                f"{shown(column)}. Make it the index if it names the splits, or drop it."
            )
    return frame


def check_no_datasets(name: Any) -> None:
    """Raise ValueError for an axis of data sets, which are no splits of one."""
    if names_datasets(name):
        raise ValueError(
            f"`obj` must hold scores on one data set; {shown(name)} names several. Compare over "
            "data sets by compare_datasets."
        )


def check_no_saved_index(column: str) -> None:
    """Raise ValueError for the name of an index that was saved to a file."""
    # `DataFrame.to_csv` writes the index without a header, which `pandas.read_csv` reads as a
    # column "Unnamed: 0".
    if column.startswith("Unnamed: ") or not column.strip():
        raise ValueError(
            "`obj` must be scores alone, with labels as the index; got a column "
            f"{shown(column)}, as an index that was saved to a file. Read it with index_col=0."
        )


def with_row_names(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with its first column as the index if that column names the rows.

    Files and polars frames have no index. An index written by pandas has its name as the header, or
    none.
    """
    if frame.shape[1] < 2:
        return frame
    name = str(frame.columns[0])
    first = frame.iloc[:, 0]
    names_rows = is_bookkeeping(name) or SPLIT_AXIS.fullmatch(name) is not None
    if name and not names_rows and all(map(is_number, first)):
        return frame
    if (nameless := np.flatnonzero(first.isna())).size:
        raise ValueError(
            f"`obj` must have a name in each row; got none in row {nameless[0]}, which may be one "
            "of means. Name the row, or drop it."
        )
    if name and not names_rows:
        check_row_names(first)
    index = pd.Index([str(label) for label in first], name=name or None)
    return frame.iloc[:, 1:].set_axis(index, axis=0)


def check_row_names(column: pd.Series) -> None:
    """Raise ValueError if some of the cells of a column are text and some are scores."""
    is_text = [not is_number(cell) for cell in column]
    if any(is_text) and any(float(cell) % 1 for cell in column[~np.array(is_text)]):
        raise ValueError(
            "`obj` must have names or scores in its first column, not both; got "
            f"{shown(column[is_text].iloc[0])} in row {is_text.index(True)} of {column.name!r}. "
            "Leave the cell of a missing score empty."
        )


def read_csv(path: str | os.PathLike[Any], *, gaps: bool = True) -> pd.DataFrame:
    """Cells of a file as text, under the unchanged names of its first row.

    With `gaps`, pandas' words for an absent value, such as "NA" and "None", are read as NaN.

    Reading as text keeps every bit of a number, which pandas' parser does not guarantee. That
    parser would also rename a duplicate column, and use the first column as the index if rows are
    longer than the header.
    """
    # An absolute path: pandas would download text that looks like a URL.
    whole = os.path.abspath(os.fsdecode(path))
    if os.path.isdir(whole):
        raise ValueError(
            f"`obj` must be the path of a file; {shown(path)} is a folder. With the ledger of "
            "`cross_validate_models` or `nested_score`, call these again: saved fits are not "
            "repeated."
        )
    plain: Any = {"dtype": str, "header": None, "keep_default_na": False, "na_values": [""]}
    try:
        first = pd.read_csv(whole, nrows=1, **plain)  # a model may be called None
        table = pd.read_csv(whole, **(plain | {"keep_default_na": gaps}))
    except (FileNotFoundError, PermissionError):
        raise
    # pandas raises ValueError for files it cannot parse or decode; OSError is of a name that is
    # too long.
    except (ValueError, OSError) as error:
        raise ValueError(
            f"`obj` must be the path of a CSV file; {shown(path)} cannot be read as one: "
            f"{shown(str(error))}. {_OTHER_FILES}"
        ) from None
    names = first.iloc[0].fillna("").astype(str)
    is_json = re.match(r'[\[{]\s*(["{}\[\]\d]|$)', names[0])
    if is_json or (len(names) == 1 and re.search("[;\t]", names[0])):
        raise ValueError(
            f"`obj` must be the path of a CSV file, with commas; {shown(path)} starts with "
            f"{shown(names[0])}. {_OTHER_FILES}"
        )
    return table.iloc[1:].set_axis(pd.Index(names.to_list()), axis=1).reset_index(drop=True)


_OTHER_FILES = (
    "Pass the table of other files, as of pandas.read_csv(path, sep=';'), read_excel(path) or "
    "read_json(path)."
)

_ABSENT = {"", "na", "n/a", "nan", "none", "null", "<na>"}


def check_header(table: pd.DataFrame) -> None:
    """Raise ValueError if the first row of a matrix of scores holds scores, not names.

    `numpy.savetxt` writes no header. pandas names columns without names by whole numbers. A row of
    scores may have empty cells, and 0 and 1 may be scores of single samples.
    """
    names = [str(name).strip() for name in table.columns]
    filled = [name for name in names if name.lower() not in _ABSENT]
    if not filled or not all(isinstance(name, str) for name in table.columns):
        return
    if all(map(is_text, filled)):
        return
    is_header = all(map(is_whole, filter(is_number, filled)))
    if is_header and not any(map(is_text, filled)):
        found = [int(name) for name in filled]
        # Values of a parameter go up; beside whole numbers only those of splits are names.
        are_whole = table.astype(str).map(is_whole).all(axis=None)
        is_header = bool((np.diff(found) > 0).all())
        if are_whole:
            is_header = found in ([*range(len(found))], [*range(1, len(found) + 1)])
    if not is_header:
        raise ValueError(
            "`obj` must have a first row, or columns, that are names and not scores; got "
            f"{shown_list(filled)}. Read scores as an array, such as with numpy.loadtxt."
        )
