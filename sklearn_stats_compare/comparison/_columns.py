"""Columns of results as people keep them → vectors of numbers, or a refusal in words.

What a column holds is never guessed: a mapping or a piece of text would iterate as something else,
and NumPy would drop an imaginary part, a mask or a date's unit without an error.
"""

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._messages import shown

_SPLIT = re.compile(r"\s*split(\d+)_test_(.*?)\s*", re.DOTALL)
# Types that np.array converts as they are; anything else in a column is looked at one by one.
_PLAIN = {float, int, bool, np.float64, np.float32, np.int64, np.bool_}
_MOST_DIGITS = 9

Splits = list[tuple[NDArray[np.intp], NDArray[np.intp]]]


def is_split_column(key: Any) -> bool:
    """Whether a key is one such as ``split0_test_score``."""
    return _SPLIT.fullmatch(str(key)) is not None


def split_columns(keys: Iterable[Any]) -> dict[str, list[tuple[int, Any]]]:
    """The (split, key) of every split score, for each metric, in the order of the splits."""
    found: dict[str, list[tuple[int, Any]]] = {}
    for key in keys:
        match = _SPLIT.fullmatch(str(key))
        if match:
            digits = match[1]
            # Python refuses to read an int of more than 4,300 digits, and takes long for fewer.
            split = int(digits) if len(digits) <= _MOST_DIGITS else 10**_MOST_DIGITS
            found.setdefault(match[2], []).append((split, key))
    for columns in found.values():
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
    if isinstance(results, pd.DataFrame):  # at once: one of a million columns takes a while
        block = results[[key for _, key in columns]]
        if block.shape[1] != len(columns):
            raise ValueError("`obj` must hold every split once; a column's name occurs twice.")
        values = block.to_numpy()
        if values.dtype.kind in "biuf":  # not complex, dates or text, which astype would convert
            return _filled(values)
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
        # A nullable Float64 is of kind "f" too, and older pandas make an array of objects of it.
        column = column.to_numpy(dtype=float, na_value=np.nan)
    if isinstance(column, np.ndarray) and column.ndim == 1 and column.dtype.kind in "biuf":
        return _filled(column)
    values = entries(column, what)
    try:
        if set(map(type, values)) <= _PLAIN:
            return np.array(values, dtype=np.float64)
        return np.array([_number(value) for value in values], dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        first = next(value for value in values if not _is_score(value))
        raise ValueError(
            f"`obj` must hold numbers as scores; {what} does not: got {shown(first)}."
        ) from None


def entries(column: Any, what: str, n: int | None = None) -> list[Any]:
    """A column's entries, one per candidate, `n` of them if given."""
    no_column = isinstance(column, str | bytes | Mapping | Set | pd.DataFrame)
    if not isinstance(column, Iterable) or no_column or _is_array_of_other_shape(column):
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
    """Number of samples that splits point into: the highest index, and one."""
    parts = [part for split in splits for part in split]
    n_samples = 1 + max(int(part.max(initial=-1)) for part in parts)
    n_named = sum(part.size for part in parts)
    if not 0 < n_samples <= 1000 * n_named:  # as much memory will be taken
        raise ValueError(
            f"`obj` must hold indices of samples; got {n_named} of them, up to {n_samples - 1}."
        )
    return n_samples


def _samples(part: Any) -> NDArray[np.intp]:
    try:
        array = np.asarray(part)
    except ValueError:  # rows of different lengths
        array = np.empty((0, 0))
    if array.ndim == 1 and array.dtype.kind == "b":  # a mask, which scikit-learn takes as well
        return np.flatnonzero(array)
    if array.ndim == 1 and array.size == 0:  # np.asarray([]) is of floats
        return np.empty(0, dtype=np.intp)
    if array.ndim != 1 or array.dtype.kind not in "iu" or (array < 0).any():
        raise ValueError(f"`obj` must hold indices of samples, ≥ 0; got {shown(part)}.")
    return array.astype(np.intp)


def is_absent(value: Any) -> bool:
    """Whether a cell is empty: NaN, None's stand-ins and masked ones."""
    return (
        value is np.ma.masked
        or value is pd.NA
        or (isinstance(value, float | np.floating) and bool(np.isnan(value)))
    )


def _filled(values: NDArray[Any]) -> NDArray[np.float64]:
    """Floats, NaN where masked."""
    # np.asarray drops a mask without a word, and leaves what was beneath it.
    floats = np.asarray(values).astype(np.float64)
    floats[np.ma.getmaskarray(values)] = np.nan
    return floats


def _is_row(row: Any) -> bool:
    return isinstance(row, Iterable) and not isinstance(row, str | bytes | Mapping | Set)


def _is_array_of_other_shape(column: Any) -> bool:
    """Whether it is an array but no vector: even one without axes has an ``__iter__``."""
    return isinstance(column, np.ndarray) and column.ndim != 1


def _number(value: Any) -> float:
    if value is None or is_absent(value):
        return float("nan")
    # Decimal is registered as no Real, nor is np.bool_; text is what a CSV file holds.
    if isinstance(value, Real | Decimal | np.bool_ | str):
        return float(value)
    raise TypeError


def _is_score(value: Any) -> bool:
    try:
        _number(value)
    except (TypeError, ValueError, OverflowError):
        return False
    return True
