"""Columns of results as users store them → vectors of numbers, or an error that explains why not.

The content of a column is never guessed: a mapping or text would iterate over keys or letters, and
NumPy would drop an imaginary part, a mask or a date's unit without an error.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._messages import shown
from sklearn_stats_compare.comparison._split_columns import split_and_metric

# Types that NumPy converts to floats without loss: their entries need not be checked one by one.
_PLAIN = {float, int, bool, np.float64, np.float32, np.int64, np.bool_}

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
        vectors = [numbers(values[:, k], f"split{s}") for k, (s, _) in enumerate(columns)]
        return np.column_stack(vectors)
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
        vectors = [numbers(row, f"row {k}") for k, row in enumerate(rows)]
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


def numbers(column: Any, what: str) -> NDArray[np.float64]:
    """A column as floats, NaN for what is missing; ValueError, naming `what`, for all else."""
    if isinstance(column, pd.Series) and column.dtype.kind in "biuf":
        # pandas' own types with missing values, such as Int64, have these kinds too. pandas 2
        # refuses to convert them to floats without `na_value`.
        column = column.to_numpy(dtype=float, na_value=np.nan)
    if isinstance(column, np.ndarray) and column.ndim == 1 and column.dtype.kind in "biuf":
        return _filled(column)
    values = entries(column, what)
    try:
        if set(map(type, values)) <= _PLAIN:
            return np.array(values, dtype=np.float64)
        # Text may be a number, because cells of a CSV file are text.
        return np.array([_number(value) for value in values], dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        # Searched only now, so that columns without an error take one pass.
        first = next(value for value in values if not _is_score(value))
        raise ValueError(
            f"`obj` must hold numbers as scores; {what} does not: got {shown(first)}."
        ) from None


def entries(column: Any, what: str, n: int | None = None) -> list[Any]:
    """A column's entries, one per candidate, `n` of them if given."""
    if not _has_an_entry_per_candidate(column):
        raise ValueError(
            f"`obj` must hold a sequence with one entry per candidate as {what}; "
            f"got {shown(column)}."
        )
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
        if not isinstance(parts, Sequence | np.ndarray) or len(parts) != n_splits:
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
    # A row may be an array of any shape here: `numbers` reports a wrong shape.
    return isinstance(row, Iterable) and not isinstance(row, str | bytes | Mapping | Set)


def _has_an_entry_per_candidate(column: Any) -> bool:
    """Whether iterating over `column` gives entries rather than rows, keys or letters."""
    if isinstance(column, np.ndarray):
        # An array without dimensions counts as Iterable too, and fails when it is iterated over.
        return column.ndim == 1
    # Iterating over a DataFrame gives the names of its columns, and a set has no order.
    return isinstance(column, Iterable) and not isinstance(
        column, str | bytes | Mapping | Set | pd.DataFrame
    )


def _number(value: Any) -> float:
    if value is None or is_absent(value):
        return float("nan")
    # Neither NumPy's bool nor Decimal is registered as a Real number.
    if isinstance(value, Real | Decimal | np.bool_ | str):
        return float(value)
    raise TypeError


def _is_score(value: Any) -> bool:
    try:
        _number(value)
    except (TypeError, ValueError, OverflowError):
        return False
    return True
