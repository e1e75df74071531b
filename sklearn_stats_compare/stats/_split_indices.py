"""Indices of splits → whether they point into the samples, and what they have in common."""

from collections.abc import Mapping, Set
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare._messages import check_count, check_listed, shown

LARGEST_SIZE = 10**18


def check_splits(name: str, splits: Any, n_samples: int) -> list[tuple[Any, Any]]:
    """Return `splits` as a list of (train, test) if they point into `n_samples`, else ValueError.

    Parameters
    ----------
    name : str
        What the user calls them.
    splits : iterable of (train, test)
        In any form that indexes an array of samples.
    n_samples : int
        Size of that array.
    """
    rule = "(train, test) pairs of indices of samples, at least one pair"
    checked = []
    try:
        for split in check_listed(name, splits, rule):
            train, test = split
            if isinstance(split, str | bytes | Mapping | Set):
                raise TypeError
            _check_index(train, n_samples)
            _check_index(test, n_samples)
            checked.append((train, test))
    except (TypeError, ValueError):
        checked = []
    if not checked:
        raise ValueError(
            f"`{name}` must be {rule}; got {shown(splits)}. Of {n_samples} samples the indices are "
            f"whole numbers from 0 to {n_samples - 1}, or masks, ranges or slices."
        )
    return checked


def _check_index(index: Any, n_samples: int) -> None:
    """Raise TypeError or ValueError unless `index` picks some of so many samples, or none."""
    if isinstance(index, slice):
        index.indices(n_samples)
        return
    if isinstance(index, str | bytes | Mapping | Set):
        raise TypeError
    array = np.asarray(index)
    if array.ndim != 1:
        raise ValueError
    if not array.size:
        return
    if array.dtype.kind == "b":
        right = array.size == n_samples
    else:
        right = array.dtype.kind in "iu" and -n_samples <= array.min() and array.max() < n_samples
    if not right:
        raise ValueError


def sample_numbers(n_samples: Any) -> NDArray[np.intp]:
    """0, 1, …, one per sample, if there may be so many, else ValueError."""
    n_samples = check_count("n_samples", n_samples, limit=LARGEST_SIZE)
    try:
        return np.arange(n_samples)
    except (MemoryError, ValueError):
        raise ValueError(
            f"`n_samples` must be as many samples as memory has room for; got {n_samples}."
        ) from None


def pool(
    n_train: list[Any], tests: list[NDArray[np.intp]], touched: NDArray[np.bool_]
) -> int | None:
    """Number of samples that the splits draw from.

    All of them, unless more are untouched than splits of these sizes leave by chance: four standard
    deviations. Then a part was set aside, and only what was touched is the pool.
    """
    n_samples = touched.size
    used = np.array(n_train) + np.array([test.size for test in tests])
    share = float(np.prod(np.clip(1 - used / n_samples, 0.0, 1.0)))
    by_chance = n_samples * share + 4 * (n_samples * share * (1 - share)) ** 0.5 + 1
    n_touched = int(touched.sum())
    pool = n_samples if n_samples - n_touched <= by_chance else n_touched
    # Test sets that were drawn with replacement may be larger than what they are drawn from.
    return pool if pool >= max(test.size for test in tests) else None


def as_index(indices: Any) -> Any:
    """Any form of indices as one that indexes; an empty list would index as float."""
    if isinstance(indices, slice):
        return indices
    array = np.asarray(indices)
    return array if array.size else array.astype(np.intp)


def number_repeats(tests: list[NDArray[np.intp]], n_samples: int) -> NDArray[np.int64]:
    """Number the runs of test sets that partition the data; −1 outside them.

    One pass: `start` is the first split of the longest run without a sample tested twice that ends
    at the present one.
    """
    repeat = np.full(len(tests), -1)
    last_tested_by = np.full(n_samples, -1)
    start = number = n_covered = 0
    for k, test in enumerate(tests):
        # Drawn twice, as in a bootstrap. On ten million samples np.unique takes 50 times as long.
        if np.count_nonzero(np.bincount(test)) != test.size:
            start, n_covered = k + 1, 0
            continue
        clash = last_tested_by[test].max(initial=-1)
        if clash >= start:
            n_covered -= sum(tests[i].size for i in range(start, clash + 1))
            start = int(clash) + 1
        last_tested_by[test] = k
        n_covered += test.size
        if n_covered == n_samples:
            repeat[start : k + 1] = number
            number += 1
            start, n_covered = k + 1, 0
    return repeat


def swap_halves(
    one: tuple[NDArray[np.intp], NDArray[np.intp]], other: tuple[NDArray[np.intp], NDArray[np.intp]]
) -> bool:
    """Whether each of two splits trains on what the other tests on, and the halves are halves."""
    (train_1, test_1), (train_2, test_2) = one, other
    return (
        abs(test_1.size - test_2.size) <= 1
        and np.array_equal(np.sort(train_1), np.sort(test_2))
        and np.array_equal(np.sort(train_2), np.sort(test_1))
    )


def grows(before: NDArray[np.intp], after: NDArray[np.intp]) -> bool:
    """Whether a training set contains the one before it, and more."""
    return before.size < after.size and bool(np.isin(before, after).all())
