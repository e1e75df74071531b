"""Sizes and repeats of the splits in a long table → their design."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._messages import shown
from sklearn_stats_compare.comparison._axis_names import letters
from sklearn_stats_compare.comparison._columns import numbers
from sklearn_stats_compare.comparison._found import Sizes
from sklearn_stats_compare.comparison._long_splits import are_bootstraps, n_folds, repeats_of
from sklearn_stats_compare.stats import SplitDesign

RATIO, POOL = "test_train_ratio", "n_samples"
STRUCTURE = ("complementary_halves", "expanding", "sliding", "resampled")
"""Columns of `Comparison.to_long` that are the same in all rows."""


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
