"""A long table, a row for each model and split → scores of one metric, models × splits.

Nothing is paired by its position: a row names its model and its split, and each pair must occur
once.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._utils._validation import check_text, refuse, shown, shown_list, wrong
from sklearn_stats_compare.comparison._saving import POOL, RATIO, STRUCTURE
from sklearn_stats_compare.comparison.readers._matrix import (
    PARTS,
    cell_values,
    check_names,
    check_no_datasets,
    check_split_names,
    check_splits,
    numbers,
    refuse_counts,
)
from sklearn_stats_compare.comparison.readers._metrics import (
    check_metric_column,
    is_arithmetic,
    is_called_metric,
    is_loss,
    is_metric,
    is_score,
    names_a_score,
    names_metrics,
    says_metric,
)
from sklearn_stats_compare.comparison.readers._names import (
    holds_names,
    letters,
    names_datasets,
)
from sklearn_stats_compare.comparison.readers._sizes import (
    ParsedScores,
    Sizes,
    chosen_metric,
    with_growth,
)
from sklearn_stats_compare.stats._scores import UNITS, SplitDesign, SplitScores

_MOST_SHOWN = 3

Name = tuple[str, ...]

# The columns of `Comparison.to_long` and `DatasetsComparison.to_long`, read where the call names
# no others.
_MODEL, _SPLITS, _VALUE, _METRIC = "model", ("repeat", "fold", "split"), "score", "metric"

DATASET = "dataset"


@dataclass(frozen=True)
class LongNames:
    """Columns of a long table as the caller names them."""

    model: str | Sequence[str] | None = None
    split: str | Sequence[str] | None = None
    value: str | None = None
    dataset: str | None = None

    def __post_init__(self) -> None:
        for argument, given in (("model", self.model), ("split", self.split)):
            is_list = isinstance(given, list | tuple) and len(given) > 0
            if not (given is None or isinstance(given, str)) and not (
                is_list and all(isinstance(item, str) for item in given)
            ):
                raise TypeError(
                    f"`{argument}` must be the name of a column, or a list; got {shown(given)}."
                )
        for argument, given in (("value", self.value), ("dataset", self.dataset)):
            if given is not None:
                check_text(argument, given)

    @property
    def given(self) -> bool:
        """Whether any column is named."""
        return any(name is not None for name in vars(self).values())

    def check_none(self) -> None:
        """Raise ValueError if a column is named for an object that is no long table."""
        for argument, name in vars(self).items():
            table = "a long table, which has a row for each model and split"
            refuse(argument, name, f"where `obj` is not {table}")

    def in_table(self, table: pd.DataFrame, metric: str | None) -> "LongColumns":
        """The columns that are named, or else those of `Comparison.to_long`.

        Raises
        ------
        ValueError
            If the table lacks one of them.
        """
        models = self._columns(table, "model", [_MODEL])
        splits = self._columns(table, "split", _own_splits(table))
        taken = {*models, *splits}
        # A metric may have a column of scores for itself.
        own = _VALUE
        if metric is not None and metric in table and not holds_names(table[metric]):
            own = metric
        value = self._columns(table, "value", [own])[0]
        if own not in (_VALUE, value):
            raise ValueError(
                f"`metric` must be left out, or be the column of `value`, {shown(value)}; got "
                f"{shown(metric)}, another column of scores."
            )
        return LongColumns(models, splits, value, _metric_column(table, taken, value, metric))

    def _columns(self, table: pd.DataFrame, argument: str, own: Sequence[str]) -> tuple[str, ...]:
        given = getattr(self, argument)
        names = own if given is None else [given] if isinstance(given, str) else given
        absent = [item for item in names if item not in table]
        if given is None and (absent or not names):
            raise ValueError(
                f"`{argument}` must name the column of the {_CONTENTS[argument]} in a long table; "
                f"got None, and columns {shown_list(map(repr, table.columns))}."
            )
        if absent:
            raise wrong(argument, f"be one of the columns {shown_list(table.columns)}", absent[0])
        return tuple(dict.fromkeys(names))


_CONTENTS = {"model": "models", "split": "splits", "value": "scores"}


@dataclass(frozen=True)
class LongColumns:
    """Names of the columns of a long table; `metric` names the column of metrics, if any."""

    models: tuple[str, ...]
    splits: tuple[str, ...]
    value: str
    metric: str | None


def is_long(table: pd.DataFrame, names: LongNames) -> bool:
    """Whether a frame is a long table: its columns are named, or are those of `to_long`."""
    return names.given or ({_MODEL, _VALUE} <= {*table.columns} and bool(_own_splits(table)))


def read_long(
    table: pd.DataFrame, metric: str | None, sizes: Sizes, names: LongNames
) -> ParsedScores:
    """A long table: models in the order of the rows, splits in the order of their names."""
    table = with_plain_columns(table)
    columns = names.in_table(table, metric)
    for column in columns.splits:
        check_no_datasets(column)
    _check_test_scores(table, columns)
    whole = table
    table, name = _of_one_metric(table, columns, metric)
    if table.empty:
        raise ValueError("`obj` must hold the scores of at least one model and split; got none.")
    # Raise ValueError if a model of the whole table has no score by the metric.
    known = set(names_of_rows(table, columns.models, "model"))
    absent = [own for own in names_of_rows(whole, columns.models, "model") if own not in known]
    if absent:
        raise ValueError(
            f"`obj` must have scores by {shown(name)} of every model; {_shown(absent[0])} has "
            "none. Leave out the rows of that model, or compare by another metric."
        )
    for column in table.columns.difference([*columns.models, *columns.splits], sort=False):
        if names_datasets(column):
            check_one_dataset(column, table[column])
    row, models = _numbered(names_of_rows(table, columns.models, "model"))
    named = names_of_rows(table, columns.splits, "split")
    splits = _in_order(list(set(named)), columns.splits)
    place, _ = _numbered(named, splits)
    _check_every_pair(table, columns, (row, place), (models, splits))
    values = np.full((len(models), len(splits)), np.nan)
    values[row, place] = scores_of_rows(table, columns)
    labels = [" ".join(own) for own in models]
    check_names(labels, {part for own in splits for part in own}, values)
    refuse_counts("model", labels, values)
    check_splits(pd.Index([" ".join(own) for own in splits]), values)
    for parts in zip(*splits, strict=True):
        check_split_names(parts)
    design = _design(table, place, splits, columns.splits, sizes)
    # What several columns name together are the parameters of a candidate.
    of_column = [cell_values(parts) for parts in zip(*models, strict=True)]
    params = [
        dict(zip(columns.models, parts, strict=True)) for parts in zip(*of_column, strict=True)
    ]
    return ParsedScores(
        SplitScores(values, design, **_units(table, sizes)),
        name,
        labels=labels,
        params=params if len(columns.models) > 1 else None,
        may_be_loss=True,
        lower_is_better=_direction(table, columns, name),
        splits=[" ".join(own) for own in splits],
    )


def check_one_dataset(column: str, cells: Iterable[Any], argument: str = "obj") -> None:
    """Raise ValueError if a column of data sets names several."""
    found = list(dict.fromkeys(map(str, cells)))
    if len(found) > 1:
        raise ValueError(
            f"`{argument}` must hold scores on one data set at a time; column "
            f"{shown(column)} names {len(found)}: {shown_list(found)}. Keep the rows of one, "
            "or compare over several by compare_datasets."
        )


def _direction(table: pd.DataFrame, columns: LongColumns, name: str) -> bool | None:
    """What a table says, or the name of its column of scores beside that of another metric."""
    own = direction_of(table.drop(columns=[*columns.models, *columns.splits]))
    is_error = is_loss(columns.value) and not is_loss(name) and not name.startswith("neg_")
    # Else they have been negated already.
    above = is_error and bool((pd.to_numeric(table[columns.value], errors="coerce") > 0).any())
    return True if own is None and name != columns.value and above else own


def direction_of(table: Any) -> bool | None:
    """Whether lower scores are better, if the table says so, as that of skore and `to_long` do."""
    found: set[str] = set()
    columns = []
    for name in table:
        is_text = re.fullmatch(r"(objective|metric|optimi[sz]ation)?direction", letters(name))
        says = _says_higher(name)
        if says is None and not is_text:
            continue
        own = _flags(pd.Series(np.ravel(np.asarray(table[name], dtype=object))))
        if is_text:  # or of something else
            said = {_says_higher(cell, of_cell=True) for cell in own} - {None}
            own = {str(higher).lower() for higher in said}
        elif says is False:
            own = {{"true": "false", "false": "true"}.get(flag, flag) for flag in own}
        columns.append(name)
        found |= own
    if len(found) > 1 or not found <= {"true", "false"}:
        raise ValueError(
            f"`obj` must have one direction for all scores; column {shown(columns[0])} "
            f"has {shown_list(sorted(found))}."
        )
    return "false" in found if found else None


def _says_higher(text: Any, *, of_cell: bool = False) -> bool | None:
    """Whether a name says that higher scores are better, or lower ones.

    A cell may say it in a word; columns called "max" or "lower" are limits, or parameters.
    """
    own = letters(text).removeprefix("studydirection")  # Optuna's
    for says, words, end in (
        (True, "greater|higher|larger|bigger", "max"),
        (False, "lower|smaller|less", "min"),
    ):
        if re.fullmatch(rf"({words})(is)?better|{end}imi[sz]e", own):
            return says
        if of_cell and re.fullmatch(f"{words}|{end}", own):
            return says
    return None


def _flags(column: pd.Series) -> set[str]:
    """What a column of True and False has; rows that were added by hand may have neither."""
    # As databases, spreadsheets and R write them.
    known = {"1": "true", "1.0": "true", "t": "true", "yes": "true",
             "0": "false", "0.0": "false", "f": "false", "no": "false"}  # fmt: skip
    texts = (str(cell).strip().lower() for cell in column.dropna())
    return {known.get(text, text) for text in texts}


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


def _own_splits(table: pd.DataFrame) -> list[str]:
    found = [name for name in _SPLITS if name in table]
    return [] if found == [_SPLITS[0]] else found


def _metric_column(
    table: pd.DataFrame, taken: set[str], value: str, metric: str | None
) -> str | None:
    """The column with the names of metrics; `metric` is its name, or one of the names in it."""
    taken = {*taken, value}
    free = [name for name in table.columns if name not in taken and holds_names(table[name])]
    for own in free:
        if letters(own) == _METRIC:  # also ".metric" of tidymodels
            cells = [*dict.fromkeys(table[own].dropna().astype(str))]
            # Distances of neighbours, for example, where the metric of the scores is given.
            if metric not in (None, own, *cells) and not any(map(says_metric, cells)):
                continue
            # By which models were trained or tuned.
            if metric == value and len(cells) == 1 and names_a_score(value):
                return None
            is_other = names_a_score(value) and {*map(letters, cells)} != {letters(value)}
            is_other |= bool(is_loss(value)) and not all(map(is_loss, cells))
            is_named = is_metric(value) or bool(is_loss(value))
            is_named &= _METRIC not in letters(value)
            if metric is None and is_named and is_other:
                raise ValueError(
                    f"`metric` must be given for scores in a column {shown(value)}, because column "
                    f"{shown(own)} names {shown_list(cells)}; got None. Drop that column if models "
                    "were only trained or tuned by it."
                )
            return own
    if metric in free:
        return metric
    named = (name for name in free if (table[name].astype(str) == metric).any())
    # Whatever it is called, a column of metrics alone names those of the rows, unless the column
    # of scores names theirs, as "r2" beside the metric that a booster watched.
    of_metrics = (
        name
        for name in free
        if is_score(value)
        and (metric in (None, value) or is_called_metric(name))
        and names_metrics(name, table[name].dropna().astype(str).unique())
    )
    if (found := next(named, None)) is None and (found := next(of_metrics, None)) is not None:
        check_metric_column(found, table[found])
    return found


def _of_one_metric(
    table: pd.DataFrame, columns: LongColumns, metric: str | None
) -> tuple[pd.DataFrame, str]:
    """The rows of the metric, and its name."""
    # Scores called "1-AUC" are none by "auc", whatever else names that.
    value = columns.value if is_arithmetic(columns.value) else None
    if columns.metric is None:
        return table, value or metric or columns.value
    found = table[columns.metric]
    empty = np.flatnonzero(found.isna())
    if empty.size:
        raise ValueError(
            f"`obj` must name the metric of every row; column {shown(columns.metric)} does not in "
            f"row {empty[0]}."
        )
    # `metric` may also be the name of the column, if there is one metric.
    found = found.astype(str)
    name = chosen_metric(None if metric == columns.metric else metric, found.unique().tolist())
    return table[found == name].reset_index(drop=True), value or name


def _check_test_scores(table: pd.DataFrame, columns: LongColumns) -> None:
    """Raise ValueError if a column says that the scores are of several parts of the data."""
    for column in table.columns.difference(list(columns.models), sort=False):
        if not holds_names(table[column]):
            continue
        parts = sorted(
            {str(cell).strip().lower() for cell in table[column].dropna().astype(str).unique()}
        )
        of_training = not {"train", "training"}.isdisjoint(parts)
        if PARTS.issuperset(parts) and (of_training or len(parts) > 1):
            raise ValueError(
                "`obj` must have the scores of test samples alone; got a column "
                f"{shown(column)} with {shown_list(parts)}. Keep the rows of the test samples."
            )


def names_of_rows(table: pd.DataFrame, columns: Sequence[str], what: str) -> list[Name]:
    """The model, or the split, of every row."""
    for column in columns:
        absent = np.flatnonzero(table[column].isna())
        if absent.size:
            raise ValueError(
                f"`obj` must name the {what} of every row; column {shown(column)} is empty in row "
                f"{absent[0]}."
            )
    return list(zip(*(map(cell_text, table[column]) for column in columns), strict=True))


def _numbered(
    names: Sequence[Name], known: Sequence[Name] | None = None
) -> tuple[NDArray[np.intp], list[Name]]:
    """The place of each name among the known ones, by default in the order of the rows."""
    found = list(dict.fromkeys(names)) if known is None else list(known)
    places = {name: k for k, name in enumerate(found)}
    return np.array([places[name] for name in names], dtype=np.intp), found


def cell_text(cell: Any) -> str:
    """A cell as the name of a model, a split or a class."""
    # A column of whole numbers with an empty cell elsewhere has become one of floats.
    is_whole = isinstance(cell, float | np.floating) and float(cell).is_integer()
    return str(int(cell)) if is_whole else str(cell)


def scores_of_rows(table: pd.DataFrame, columns: LongColumns) -> NDArray[np.float64]:
    """The score of each row, NaN for R's and Python's words for an absent value."""
    gaps = ("NA", "N/A", "None", "null", "NULL", "<NA>")
    cells = table[columns.value]
    if cells.dtype.kind in "biuf":  # pyarrow's numbers cannot be compared with text
        return numbers(cells, columns.value)
    cells = cells.astype(object)  # pyarrow's decimals cannot be compared with text
    return numbers(cells.mask(cells.isin(gaps)), columns.value)


def _check_every_pair(
    table: pd.DataFrame,
    columns: LongColumns,
    places: tuple[NDArray[np.intp], NDArray[np.intp]],
    names: tuple[list[Name], list[Name]],
) -> None:
    """Raise ValueError unless each model has each split in one row."""
    models, splits = names
    times = np.zeros((len(models), len(splits)), dtype=int)
    np.add.at(times, places, 1)
    if times.max() > 1:
        i, k = divmod(int(times.argmax()), len(splits))
        rows = table[(places[0] == i) & (places[1] == k)]
        raise ValueError(
            f"`obj` must have one row for each model and split; got {times[i, k]} for "
            f"{_shown(models[i])} on {_shown(splits[k])}.{_differ(rows, columns)}"
        )
    fullest = int(times.sum(axis=1).argmax())
    for model, own in zip(models, times, strict=True):
        only, lacking = np.flatnonzero(own > times[fullest]), own < times[fullest]
        if only.size:
            raise ValueError(
                "`obj` must hold the same splits for every model, because scores on different "
                f"splits are not paired; only {_shown(model)} of these two has "
                f"{_shown(splits[only[0]])}, and only {_shown(models[fullest])} has "
                f"{_shown(splits[int(lacking.argmax())])}."
            )
    absent = [f"{_shown(models[i])} on {_shown(splits[k])}" for i, k in np.argwhere(times == 0)]
    if absent:
        more = f" and {len(absent) - _MOST_SHOWN} more" if len(absent) > _MOST_SHOWN else ""
        raise ValueError(
            "`obj` must have a row for every model and split; absent are "
            f"{shown_list(absent[:_MOST_SHOWN])}{more}. Add rows with an empty score for runs that "
            "failed: the model is then missing. Otherwise leave out the model, or the split."
        )


def _differ(rows: pd.DataFrame, columns: LongColumns) -> str:
    """A sentence on the columns that distinguish rows of the same model and split."""
    used = {*columns.models, *columns.splits, columns.value}
    found = [name for name in rows if name not in used and rows[name].astype(str).is_unique]
    if not found:
        return " Keep one of them."
    return (
        f" These rows differ in {shown_list(map(repr, found))}: add the column to `split` if it "
        "names a repeat, or to `model` if it names a model, or keep the rows of one."
    )


def _shown(name: Name) -> str:
    return shown(" / ".join(name))


# Folds and bootstraps are known by these names, or by the name of their column.
_FOLD, _REPEAT = re.compile(r"Fold\d+"), re.compile(r"Repeat\d+")

_BOOTSTRAP = re.compile(r"Bootstrap\d+")

# rsample's bootstraps(apparent = TRUE) adds one split that tests the training samples.
_APPARENT = "Apparent"

# A ratio may be rounded, such as 0.11 for ten folds.
_TOLERANCE = 0.05


def natural(text: str) -> str:
    """A key by which numbers within text are sorted as numbers: Fold2 before Fold10."""
    return re.sub(r"[0-9]+", lambda digits: digits[0].zfill(18), text)


def _in_order(splits: Sequence[Name], columns: Sequence[str]) -> list[Name]:
    """The splits by name, with repeats one after another."""
    if any(_APPARENT in split for split in splits):
        raise ValueError(
            f"`obj` must have the scores of test samples alone; got a split {shown(_APPARENT)}, "
            "which tests the training samples. Drop its rows."
        )
    repeat, _ = _repeat_and_fold(splits, columns)
    order = [
        (natural(own), [*map(natural, split)], split)
        for own, split in zip(repeat, splits, strict=True)
    ]
    return [split for *_, split in sorted(order)]


def _repeat_and_fold(splits: Sequence[Name], columns: Sequence[str]) -> tuple[Name, Name | None]:
    """The repeat of each split, and its fold in there, if their names or columns say so."""
    repeat, fold = ("",) * len(splits), None
    for column, cells in zip(columns, zip(*splits, strict=True), strict=True):
        if column == "repeat" or all(map(_REPEAT.fullmatch, cells)):
            repeat = cells
        elif column == "fold" or all(map(_FOLD.fullmatch, cells)):
            fold = cells
    return repeat, fold


def _design(
    table: pd.DataFrame,
    split: NDArray[np.intp],
    splits: Sequence[Name],
    columns: Sequence[str],
    sizes: Sizes,
) -> SplitDesign:
    """The design of the splits: from given sizes, or from the table's own columns.

    `split` is the split of each row. Sizes are never guessed from the number of folds.
    """
    own, folds = _repeat_and_fold(splits, columns)
    repeat, names = pd.factorize(np.array(own, dtype=object))
    n_folds = len(splits) // len(names)
    is_even = folds is not None and n_folds > 1 and set(np.bincount(repeat)) == {n_folds}
    design = _own_design(table, split, len(splits), sizes)  # also refuses models that differ
    if design is None or sizes.given:
        hint = (
            f" If the {n_folds} folds partition the data, pass test_train_ratio=1 / {n_folds - 1}."
        )
        design = sizes.design(len(splits), hint=hint if is_even else "")
    flags: dict[str, Any] = {
        "resampled": all(any(map(_BOOTSTRAP.fullmatch, name)) for name in splits)
    }
    for name in STRUCTURE:
        found = _flags(table[name]) if name in table else set()
        if len(found) > 1:
            raise ValueError(
                f"`obj` must have one value in column {shown(name)}, which is of the splits; got "
                f"{shown_list(sorted(found))}."
            )
        if not found <= {"true", "false"}:
            raise ValueError(
                f"`obj` must have True or False in column {shown(name)}; got "
                f"{shown_list(sorted(found))}."
            )
        if found:
            flags[name] = found == {"true"}
    # The names alone do not show a partition: the sizes must be those of as many folds too.
    if is_even and abs(design.overlap_ratio * (n_folds - 1) - 1) <= _TOLERANCE:
        flags["repeat"] = repeat
    return replace(design, **flags)


def _units(table: pd.DataFrame, sizes: Sizes) -> dict[str, Any]:
    """The number of independent units and the like, which `to_long` writes if not usual."""
    known = {name: table[name].dropna() for name in UNITS if name in table}
    if sizes.given and RATIO in table:  # it was not known
        known.pop("n_independent", None)
    named = {*map(str, known.pop("scorer_name", ()))}
    found = {name: float(numbers(own, name).min()) for name, own in known.items() if len(own)}
    return {**found, "scorer_name": named.pop()} if len(named) == 1 else found


def _own_design(
    table: pd.DataFrame, split: NDArray[np.intp], n_splits: int, sizes: Sizes
) -> SplitDesign | None:
    if "n_train" in table and "n_test" in table:
        n_train, n_test = (
            _per_split(table, part, split, n_splits) for part in ("n_train", "n_test")
        )
        pool = sizes.n_samples
        if pool is None and POOL in table:
            pool = int(_per_split(table, POOL, np.zeros_like(split), 1)[0])
        design = SplitDesign(n_train, n_test, n_samples=pool)
        return design if "expanding" in table else with_growth(design)
    if RATIO in table:
        values = numbers(table[RATIO].dropna(), RATIO)
        if not values.size:
            return None
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
    least = int(column == "n_test")  # without test samples there is no score
    whole = np.isfinite(values) & (values % 1 == 0) & (values >= least) & (values <= 1e15)
    if not whole.all():
        raise ValueError(
            f"`obj` must have whole numbers ≥ {least} of samples in column {shown(column)}; got "
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


def dataset_column(table: pd.DataFrame, given: str | None) -> str:
    """The column that names the data sets; ValueError if the table has no such column."""
    column = DATASET if given is None else given
    if isinstance(column, str) and column in table:
        return column
    raise wrong("dataset", f"be one of the columns {shown_list(map(str, table.columns))}", given)


def by_dataset(table: pd.DataFrame, column: str) -> dict[str, pd.DataFrame]:
    """The rows of each data set, without its column, in the order in which they first occur."""
    row, names = _numbered(names_of_rows(table, [column], "data set"))
    left = table.drop(columns=column)
    parts = {name: left[row == k].reset_index(drop=True) for k, (name,) in enumerate(names)}
    # What is known of the splits of some data sets leaves empty columns for the others.
    known = {*_SPLITS, RATIO, "n_train", "n_test", POOL, *UNITS, *STRUCTURE}
    return {
        name: part.drop(columns=[c for c in part if c in known and part[c].isna().all()])
        for name, part in parts.items()
    }


def has_splits(table: pd.DataFrame, names: LongNames) -> bool:
    """Whether rows are named by splits too."""
    return names.split is not None or bool(_own_splits(table))


def scores_by_dataset(
    table: pd.DataFrame, column: str, metric: str | None, names: LongNames
) -> tuple[NDArray[np.float64], list[str], list[str], str, bool | None]:
    """Scores of models × data sets, NaN where there is no row; models, data sets, the metric.

    Also whether lower ones are better, if the table says so.
    """
    columns = replace(names, split=column).in_table(table, metric)
    _check_test_scores(table, columns)
    table, name = _of_one_metric(table, columns, metric)
    row, models = _numbered(names_of_rows(table, columns.models, "model"))
    place, datasets = _numbered(names_of_rows(table, [column], "data set"))
    times = np.zeros((len(models), len(datasets)), dtype=int)
    np.add.at(times, (row, place), 1)
    if times.max() > 1:
        i, k = divmod(int(times.argmax()), len(datasets))
        raise ValueError(
            f"`split` must name the column of the splits: there are {times.max()} rows for "
            f"{shown(' '.join(models[i]))} on {shown(datasets[k][0])}, where one score is "
            "expected; got None."
        )
    values = np.full(times.shape, np.nan)
    values[row, place] = scores_of_rows(table, columns)
    labels, names_of = [" ".join(own) for own in models], [own[0] for own in datasets]
    check_names(labels, names_of, values)
    refuse_counts("model", labels, values, many=True)
    return values, labels, names_of, name, _direction(table, columns, name)
