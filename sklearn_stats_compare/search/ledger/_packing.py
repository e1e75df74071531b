"""Indices ↔ what an entry of a ledger holds; what is unpacked is bounded."""

import zlib
from base64 import b64decode, b64encode
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Indices = Sequence[int] | NDArray[np.intp]

_MOST_OF_SAMPLES = 64
"""A split that was saved has at most this many times as many indices as there are samples."""


def packed(indices: Indices) -> str:
    # Little-endian whatever the machine: a ledger may be read on another one.
    return b64encode(zlib.compress(np.asarray(indices, dtype="<i8").tobytes())).decode()


def unpacked(packed: str, n_samples: int) -> NDArray[np.int64]:
    # `decompress` stops there: a crafted text of some kilobytes could fill the memory.
    most = 8 * _MOST_OF_SAMPLES * n_samples
    reader = zlib.decompressobj()
    raw = reader.decompress(b64decode(packed), most + 8)
    indices = np.frombuffer(raw, dtype="<i8").astype(np.int64)
    # `eof` is False where the text was cut off.
    if len(raw) > most or not reader.eof or (indices < 0).any() or (indices >= n_samples).any():
        raise ValueError("indices of a split that are none of the data")
    return indices
