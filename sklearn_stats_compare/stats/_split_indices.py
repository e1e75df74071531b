"""Indices of splits in any form that indexes an array: checks, conversion and keys."""

import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare._messages import shown

# Sizes are summed as int64, whose largest value is 9.2e18.
LARGEST_SIZE = 10**18


def check_splits(name: str, splits: Any, n_samples: int) -> list[tuple[Any, Any]]:
    """Return `splits` as a list of (train, test) if they index `n_samples`, else raise ValueError.

    Parameters
    ----------
    name : str
        Name of the argument.
    splits : iterable of (train, test)
        Indices in any form that indexes an array of samples.
    n_samples : int
        Size of that array.
    """
    rule = "(train, test) pairs of indices of samples, at least one pair"
    checked = []
    try:
        if isinstance(splits, Mapping):  # iterates over keys, which may be pairs
            raise TypeError
        for split in splits:
            train, test = split
            # "01", {0: …, 1: …} and {0, 1} also unpack into two items.
            if isinstance(split, str | bytes | Mapping | Set):
                raise TypeError
            _check_index(train, n_samples)
            _check_index(test, n_samples)
            checked.append((train, test))
    except (TypeError, ValueError):
        checked = []
    if not checked:
        raise ValueError(
            f"`{name}` must be {rule}; got {shown(splits)}. The indices of {n_samples} samples are "
            f"whole numbers from 0 to {n_samples - 1}, masks, ranges or slices."
        )
    return checked


def as_index(indices: Any) -> Any:
    """Convert indices of any form to one that indexes an array."""
    if isinstance(indices, slice):
        return indices
    array = np.asarray(indices)
    # np.array([]) has a float type, which NumPy does not accept as an index.
    return array if array.size else array.astype(np.intp)


def samples_of(n_samples: int) -> NDArray[np.intp]:
    """Return the numbers of all samples, to be indexed."""
    try:
        # NumPy raises MemoryError, or ValueError for sizes beyond the address space.
        return np.arange(n_samples)
    except (MemoryError, ValueError):
        raise ValueError(
            f"`n_samples` must be small enough for an index in memory; got {n_samples}."
        ) from None


def _check_index(index: Any, n_samples: int) -> None:
    """Raise TypeError or ValueError unless `index` is valid for `n_samples` samples."""
    if isinstance(index, slice):
        # Raises TypeError unless the ends of the slice are integers.
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
        # Negative indices count from the end, as in NumPy.
        right = array.dtype.kind in "iu" and -n_samples <= array.min() and array.max() < n_samples
    if not right:
        raise ValueError


def split_keys(splits: Sequence[tuple[Any, Any]], n_samples: int) -> list[str]:
    """Return a key for each split, from its training and test samples and their order.

    The key of a repeated split ends with a counter. Keys are CRC-32 checksums, which take a tenth
    of the time of a hash: every fit computes them over samples × splits indices.
    """
    samples = np.arange(n_samples, dtype=np.int64)
    seen: Counter[str] = Counter()
    keys = []
    for split in splits:
        sides = (np.ascontiguousarray(samples[as_index(side)]) for side in split)
        key = ".".join(f"{side.size:x}.{zlib.crc32(side.data):08x}" for side in sides)
        seen[key] += 1
        keys.append(key if seen[key] == 1 else f"{key}-{seen[key]}")
    return keys


def n_repeated(keys: Iterable[str], known: Collection[str] = ()) -> int:
    """Number of splits that are in `known` or earlier in the list."""
    return sum("-" in key or key in known for key in keys)
