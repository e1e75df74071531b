"""Indices of splits, in any form that indexes an array: checked, made to index, and their keys."""

import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare._messages import shown

# Sizes are summed as int64, which ends at 9.2e18.
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
        if isinstance(splits, Mapping):  # its keys may be pairs
            raise TypeError
        for split in splits:
            train, test = split
            # "01", {0: …, 1: …} and {0, 1} unpack into two things as well.
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


def as_index(indices: Any) -> Any:
    """Any form of indices as one that indexes an array."""
    if isinstance(indices, slice):
        return indices
    array = np.asarray(indices)
    # np.array([]) is float, which NumPy refuses as an index.
    return array if array.size else array.astype(np.intp)


def samples_of(n_samples: int) -> NDArray[np.intp]:
    """The numbers of all samples, which any form of indices picks from."""
    try:
        # NumPy raises MemoryError, and for sizes beyond the address space ValueError.
        return np.arange(n_samples)
    except (MemoryError, ValueError):
        raise ValueError(
            f"`n_samples` must be as many samples as memory has room for; got {n_samples}."
        ) from None


def _check_index(index: Any, n_samples: int) -> None:
    """Raise TypeError or ValueError unless `index` picks some of so many samples, or none."""
    if isinstance(index, slice):
        # Raises TypeError where the slice's ends are no whole numbers.
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
        # Negative ones count from the end, as in NumPy.
        right = array.dtype.kind in "iu" and -n_samples <= array.min() and array.max() < n_samples
    if not right:
        raise ValueError


def split_keys(splits: Sequence[tuple[Any, Any]], n_samples: int) -> list[str]:
    """A key for each split, of the samples that it trains on and tests on, in their order.

    A split that comes again has its number at the end. Every fit makes keys, of as many indices as
    there are samples times splits, and CRC-32 takes a tenth of the time of a hash.
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
    """Number of splits that are known, or that came before in the same list."""
    return sum("-" in key or key in known for key in keys)
