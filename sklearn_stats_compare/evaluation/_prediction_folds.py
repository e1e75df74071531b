"""Folds of existing predictions, in any form → (train, test) indices of repeats of folds."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._messages import shown
from sklearn_stats_compare.stats import SplitDesign, check_splits

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
    if hasattr(folds, "split"):
        pairs = _drawn(folds, y, groups, n_samples)
    elif isinstance(folds, str | bytes | int | np.integer):
        raise ValueError(f"`folds` must be {_FORMS}; got {shown(folds)}.")
    else:
        given = folds
        if isinstance(folds, Iterable) and not hasattr(folds, "__len__"):  # a generator
            given = list(folds)
        pairs = given if _are_pairs(given) else _numbered(given, n_samples)
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


def _are_pairs(folds: Any) -> bool:
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
    same = len(first) == len(second) and all(
        np.array_equal(one, other)
        for pair, again in zip(first, second, strict=True)
        for one, other in zip(pair, again, strict=True)
    )
    if not same:
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
