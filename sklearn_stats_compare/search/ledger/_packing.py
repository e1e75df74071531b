"""Indices and responses ↔ what an entry of a ledger holds; what is unpacked is bounded."""

import zlib
from base64 import b64decode, b64encode
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Indices = Sequence[int] | NDArray[np.intp]

_MOST_OF_SAMPLES = 64
"""A split that was saved has at most this many times as many indices as there are samples."""

_MOST_BYTES = 2**34
"""Of the responses of one candidate to one split."""


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


def packed_array(array: NDArray[Any], dtype: np.dtype[Any] | None = None) -> dict[str, Any]:
    """An array of numbers or of labels, as JSON has it; `dtype`, as whole numbers came.

    Raises ValueError where labels are something else than text, whole numbers and truth values.
    """
    if array.dtype.kind in "biuf":
        little = array.astype(array.dtype.newbyteorder("<"), copy=False)
        raw = b64encode(zlib.compress(np.ascontiguousarray(little).tobytes())).decode()
        was = (dtype or array.dtype).str
        return {"dtype": little.dtype.str, "was": was, "shape": list(array.shape), "raw": raw}
    labels = list(dict.fromkeys(array.ravel().tolist()))
    if not all(type(label) in (str, int, bool) for label in labels):
        raise ValueError(
            "`return_predictions` with a `ledger` must be of labels that are text or whole "
            f"numbers; got {type(labels[0]).__name__}."
        )
    number = {label: k for k, label in enumerate(labels)}
    codes = np.array([number[label] for label in array.ravel().tolist()], dtype=np.int32)
    return {
        "labels": labels,
        "is_object": array.dtype.kind == "O",
        **packed_array(codes.reshape(array.shape)),
    }


def unpacked_array(body: Any, n_rows: int | None) -> NDArray[Any]:
    """What `packed_array` was given; ValueError where it is not of so many rows."""
    dtype, shape = np.dtype(body["dtype"]), tuple(body["shape"])
    if dtype.kind not in "biuf" or not all(type(n) is int and n >= 0 for n in shape):
        raise ValueError("responses that are no numbers")
    if n_rows is not None and (not shape or shape[0] != n_rows):
        raise ValueError("responses that are not of the samples of their split")
    most = dtype.itemsize * int(np.prod(shape, dtype=object))
    if most > _MOST_BYTES:
        raise ValueError("responses that are too large")
    reader = zlib.decompressobj()
    raw = reader.decompress(b64decode(body["raw"]), most + 1)
    if len(raw) != most or not reader.eof:
        raise ValueError("responses of another size than they say")
    array = np.frombuffer(raw, dtype=dtype).reshape(shape)
    if "labels" not in body:
        was = np.dtype(body["was"])
        return array.astype(was if was.kind in "iu" else dtype.newbyteorder("="))
    labels = np.array(body["labels"], dtype=object if body["is_object"] else None)
    return np.asarray(labels[array])
