"""What a table such as ``cv_results_``, also one of a person, says of its rows."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._utils._validation import shown, shown_list
from sklearn_stats_compare.comparison._labels import CandidateLabels, Reader
from sklearn_stats_compare.comparison._saving import DIRECTION, NAMES
from sklearn_stats_compare.comparison.readers import _matrix, _metrics, _names
from sklearn_stats_compare.comparison.readers._long_table import cell_text, check_one_dataset

READ = (
    r"split\d+_test_.*|params?(_.*)?|iter|n_resources|eliminated_at|elimination(_pvalue)?"
    r"|n_splits_evaluated"
)
"""Names of columns that are read; others may have any length."""

# All that searches write; others were added, and say what a row is.
_WRITTEN = re.compile(
    rf"{READ}|(mean|std|rank|split\d+)_(test|train)_.*|(mean|std)_(fit|score)_time|{DIRECTION}",
    re.DOTALL,
)

_OF_TRIALS = re.compile(
    r"number|state|values?(_\d+)?|duration|datetime_(start|complete)|(user|system)_attrs_.*"
)

NUMBERED = "candidates are named after the rows of the table"
"""The naming of candidates for which a table with further columns has no names."""

Column = tuple[str, list[Any]]


@dataclass(frozen=True)
class Rows:
    """Names and cells of what describes rows, and which rows are candidates.

    Attributes
    ----------
    levels, columns : list of (str, list)
        Levels of an index that names rows, and columns that no search writes.
    metric : str or None
        The metric of all rows, if the table names it.
    is_saved : bool
        Whether `Comparison.to_csv` wrote the table.
    trials : list
        Number of the trial in each row of a `trials_dataframe` of Optuna; empty for others.
    """

    levels: list[Column]
    columns: list[Column]
    metric: str | None = None
    is_saved: bool = False
    trials: list[Any] = field(default_factory=list)

    @classmethod
    def of(cls, results: Any) -> "Rows":
        """Collect them; ValueError if rows are of several data sets, metrics or splits."""
        index, of_trials = index_of(results), {"number", "state"} <= {*results}
        levels: list[Column] = []
        if not is_numbered(index) or any(map(_names.names_models, index.names)):
            for k, name in enumerate(index.names):
                levels.append(("" if name is None else str(name), [*index.get_level_values(k)]))
        columns = [
            (str(name), list(cells))
            for name, cells in results.items()
            if _matrix.is_vector(cells)
            and hasattr(cells, "__len__")  # others are read once
            and len(cells) == len(index)
            and not _is_written(str(name), cells, results)
            and not (of_trials and _OF_TRIALS.fullmatch(str(name)))
        ]
        # Also the numbers of an index that names no candidate.
        numbers = [(str(name), list(index)) for name in index.names if not levels]
        for name, cells in [*levels, *numbers, *columns]:
            if _names.names_datasets(name):
                check_one_dataset(name, cells)
            _check_no_repeats(name, cells)
        unnamed = any(str(name).endswith("_test_score") for name in results)
        metric = _metric([*levels, *columns]) if unnamed else None
        if metric is None and isinstance(results, pd.DataFrame):
            metric = _matrix.metric_of_axes(results.index, results.columns)
        # Levels and columns with one text name no candidate.
        has_names = {*NAMES} <= {*results}
        is_saved = has_names and all(map(_names.is_whole, results["candidate"]))
        trials = list(results["number"]) if of_trials else []
        return cls(_varying(levels), _varying(columns), metric, is_saved, trials)

    def among(self, rows: Iterable[int]) -> "Rows":
        """What is known of some of the rows."""
        rows = list(rows)
        levels, columns = (
            [(name, [cells[i] for i in rows]) for name, cells in own]
            for own in (self.levels, self.columns)
        )
        trials = [self.trials[i] for i in rows] if self.trials else []
        return replace(self, levels=_varying(levels), columns=_varying(columns), trials=trials)

    @property
    def models(self) -> list[Column]:
        """Columns and levels that name models; ValueError if a row has no name."""
        found = [own for own in self.columns if _names.names_models(own[0])]
        for name, cells in found:
            if absent := [k for k, cell in enumerate(cells) if _is_empty(cell)]:
                raise ValueError(
                    "`obj` must name the model of every row; column "
                    f"{shown(name)} is empty in row {absent[0]}."
                )
        of_text = [
            (name or "model", cells)
            for name, cells in self.levels
            if any(map(_is_name, cells)) or _names.names_models(name)
        ]
        return [*of_text, *found]

    @property
    def _labels(self) -> list[Column]:
        """The column of labels that `Comparison.to_csv` writes, if every cell has one."""
        found = [own for own in self.columns if self.is_saved and own[0] == "label"]
        return [own for own in found if not any(map(_is_empty, own[1]))]

    def with_names(
        self, params: list[dict[str, Any]], scores: NDArray[np.float64]
    ) -> list[dict[str, Any]]:
        """Parameters of the candidates, with the models that have them and all texts that name.

        With all columns, if several candidates have the same parameters otherwise, and other
        scores: equal ones are of a candidate that was drawn twice.
        """
        labels, models = self._labels, self.models
        texts = [own for own in self.columns if _holds_names(own)]
        named = [*models, *(own for own in texts if own not in [*models, *labels])]
        read = Reader()

        def joined() -> list[dict[str, Any]]:
            taken = {name for own in params for name in own}
            names = [f"{name} (row)" if name in taken else name for name, _ in named]
            return [
                {
                    **{
                        name: cell_text(cells[i])
                        for name, (_, cells) in zip(names, named, strict=True)
                        if not _is_empty(cells[i])
                    },
                    **own,
                }
                for i, own in enumerate(params)
            ]

        # Keys of frames that were put together, before the numbers of their rows.
        levels = sorted(self.levels, key=lambda own: {*own[1]} == {*range(len({*own[1]}))})
        columns = [own for own in self.columns if own not in labels and not _counts_rows(own)]
        others = [columns, *([own] for own in levels if not _counts_rows(own))]
        found = joined()
        if self.trials:
            check_equal_trials(list(zip(self.trials, found, strict=True)), scores)
        for more in others:
            known = [tuple(sorted((k, read.identity(v)) for k, v in own.items())) for own in found]
            scored = {(own, row.tobytes()) for own, row in zip(known, scores, strict=True)}
            if len(scored) == len({*known}):
                break
            named += [("key" if not own[0] else own[0], own[1]) for own in more if own not in named]
            found = joined()
        return found

    def names(self) -> Sequence[str] | None:
        """Names of candidates without parameters; None if the table has none.

        They are in the column of `Comparison.to_csv`, in an index of text, in columns of models, in
        all columns of names, or in all columns: which of several names the models is not known.
        Numbers alone are those of rows, and pair no models.
        """
        texts = [own for own in self.columns if _holds_names(own)]
        full = [own for own in self.columns if not _counts_rows(own)]
        for named, must_differ in (
            (self._labels, False),
            (self.models, True),
            (texts, False),
            (full if texts else [], False),
            (self.levels, False),
        ):
            if not named:
                continue
            more = [own for own in texts if own not in named] if must_differ else []
            if found := _joined(named) or _joined([*named, *more]):
                return CandidateLabels(found, NUMBERED) if named is self.levels else found
            if must_differ:
                names = _words(named)
                twice = next(name for name in names if names.count(name) > 1)
                raise ValueError(
                    f"`obj` must have another name in each row; got {shown(twice)} in several. "
                    "Name parameters that distinguish them as param_C, or keep one row."
                )
        return None

    def labels(self) -> list[str] | None:
        """Labels of `Comparison.to_csv`, which stand beside parameters."""
        return _joined(self._labels)


def _is_written(name: str, cells: Any, results: Any) -> bool:
    """Whether a search or `Comparison.to_csv` wrote a column."""
    if name in ("param", "params"):
        first = next(iter(cells), None)
        has_columns = any(str(key).startswith(("param_", "params_")) for key in results)
        return has_columns or not isinstance(first, str) or first.lstrip().startswith("{")
    if name == "candidate":
        return "label" in results and all(map(_names.is_whole, cells))
    return _WRITTEN.fullmatch(name) is not None


def index_of(results: Any) -> pd.Index:
    """The labels of the rows of results, a mapping or a frame."""
    if isinstance(results, pd.DataFrame):
        return results.index
    split = next(filter(_matrix.is_split_column, results), None)
    if split is None:
        return pd.RangeIndex(0)
    if isinstance(results[split], pd.Series):
        return results[split].index  # to which `aligned` has put all others
    return pd.RangeIndex(len(_matrix.entries(results[split], str(split))))


def is_numbered(index: pd.Index) -> bool:
    """Whether an index has the numbers 0, 1, 2, … in any order, and so names no candidate."""
    return index.equals(pd.RangeIndex(len(index))) or _matrix.is_permuted(index)


def with_saved_index(table: pd.DataFrame) -> pd.DataFrame:
    """The table with an index that was saved to a file, columns without a name, as its index."""
    n = 0
    while n < table.shape[1] and re.fullmatch(r"\s*|Unnamed: \d+.*", str(table.columns[n])):
        n += 1
    if n == 0 or not table.index.equals(pd.RangeIndex(len(table))):
        return table
    levels = []
    for k in range(n):
        cells = table.iloc[:, k].to_list()
        # 007 is a name.
        plain = all(_names.is_whole(cell) and str(int(cell)) == str(cell) for cell in cells)
        levels.append([int(cell) for cell in cells] if plain else cells)
    index = pd.Index(levels[0]) if n == 1 else pd.MultiIndex.from_arrays(levels)
    return table.iloc[:, n:].set_axis(index, axis=0)


def with_plain_names(table: pd.DataFrame, plain: pd.DataFrame) -> pd.DataFrame:
    """A table whose names are those of another that has no gaps: "None" is a name, and no gap."""
    kept = [
        (table if _WRITTEN.fullmatch(str(name)) else plain).iloc[:, k]
        for k, name in enumerate(table.columns)
    ]
    return pd.concat(kept, axis=1)


def _check_no_repeats(name: str, cells: Sequence[Any]) -> None:
    """Raise ValueError if rows are those of splits or repeats."""
    found = list(dict.fromkeys(map(str, cells)))
    if len(found) > 1 and _names.names_splits_alone(name):
        raise ValueError(
            "`obj` must have a row for each candidate, with its splits in columns; "
            f"{shown(name)} names several in rows: {shown_list(found)}. Make it a long table, with "
            "a row for each model and split."
        )


def _metric(columns: Sequence[Column]) -> str | None:
    """The metric of all rows, in a column of that name, or of metrics alone."""
    for name, cells in columns:
        if _names.names_models(name) or not any(map(_names.is_text, cells)):
            continue
        if not _metrics.names_metrics(name, cells):
            continue
        _metrics.check_metric_column(name, cells)
        found = list(dict.fromkeys(map(str, cells)))
        if len(found) > 1:
            raise ValueError(
                f"`obj` must hold scores by one metric; column {shown(name)} names "
                f"{len(found)}: {shown_list(found)}. Keep the rows of one."
            )
        return found[0]
    return None


def _varying(columns: list[Column]) -> list[Column]:
    return [own for own in columns if len(own[1]) < 2 or len({*map(str, own[1])}) > 1]


_NO_NAME = re.compile(r"[\W_]*|\W*\d+\W*(st|nd|rd|th)?\W*|.*\d.*(±|\+/?-).*\d.*")


def _is_name(cell: Any) -> bool:
    """Whether a text may be a name, and no place such as "1st" or #1, or mean ± deviation."""
    return isinstance(cell, bool | np.bool_) or (
        _names.is_text(cell) and _NO_NAME.fullmatch(cell) is None
    )


def _holds_names(column: Column) -> bool:
    """Whether a column may name rows, and is none of times, places or states of runs."""
    name, cells = column
    is_other = _names.is_time(name) or _names.letters(name) in _OF_RUNS
    return any(map(_is_name, cells)) and not is_other


_OF_RUNS = {"date", "elapsed", "started", "finished", "state", "status", "host", "rank", "place"}


def _counts_rows(column: Column) -> bool:
    """Whether a column has the numbers 0, 1, 2, … or 1, 2, 3, … of rows, in any order."""
    cells = {cell for cell in map(str, column[1]) if _names.is_whole(cell)}
    n = len(column[1])
    return cells in ({*map(str, range(n))}, {*map(str, range(1, n + 1))})


def _is_empty(cell: Any) -> bool:
    return cell is None or _matrix.is_absent(cell)


def _words(columns: Sequence[Column]) -> list[str]:
    """The cells of each row in these columns together."""
    cells = zip(*(own for _, own in columns), strict=True)
    return [" ".join(cell_text(cell) for cell in own if not _is_empty(cell)) for own in cells]


def _joined(columns: Sequence[Column]) -> list[str] | None:
    """The same; None unless all rows have a name, and all differ."""
    names = _words(columns)
    return names if names and all(names) and len({*names}) == len(names) else None


def direction_by_rank(ranks: Any, scores: NDArray[np.float64]) -> bool | None:
    """Whether lower scores are better by the ranks of a table; None if these do not agree.

    Ranks of several tables in one, or of scores before they were rounded, may contradict the means.
    """
    found = _matrix.numbers(ranks, "rank")
    means = scores.mean(axis=1)
    with np.errstate(invalid="ignore"):
        differs = np.subtract.outer(means, means) > 2 * _matrix.half_a_unit(scores)
        lowest_first = np.subtract.outer(found, found)[differs]  # of the higher mean, first
    known = lowest_first[np.isfinite(lowest_first)]
    if not known.size or not ((known > 0).all() or (known < 0).all()):
        return None
    return bool(known[0] > 0)


def check_equal_trials(
    trials: Sequence[tuple[Any, Mapping[str, Any]]], found: NDArray[np.float64]
) -> None:
    """Raise ValueError if trials with the same parameters have different scores.

    `trials` are numbers and parameters.
    """
    by_params: dict[str, list[int]] = {}
    for row, (_, params) in enumerate(trials):
        if params:
            by_params.setdefault(repr(sorted(params.items())), []).append(row)
    for one, other in (pair for rows in by_params.values() for pair in pairwise(rows)):
        # A NaN is a fit that failed, which may have other causes.
        both = np.isfinite(found[[one, other]]).all(axis=0)
        differing = np.flatnonzero(both & ~np.isclose(found[one], found[other], atol=0))
        if differing.size:
            k = differing[0]
            raise ValueError(
                "`obj` must be a study whose trials were scored on the same splits; trials "
                f"{trials[one][0]} and {trials[other][0]} have the same parameters, and "
                f"scores of {found[one, k]:.4g} and {found[other, k]:.4g} in split {k}. Either "
                "each trial drew its splits anew, and then the scores are not paired, or the model "
                "is random. Give the splitter and the model an integer `random_state`. "
                "If you know that all trials had the same splits, compare a matrix of their "
                "scores, trials × splits."
            )
