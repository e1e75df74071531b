"""Conversion of arrays to and from JSON; unpacking checks sizes first."""

import zlib
from base64 import b64decode, b64encode
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare._messages import shown

_RAW = "biufmM"
"""Kinds of arrays stored as bytes; dates and timedeltas are stored as integers."""
_MOST_BYTES = 2**34
"""Largest size of the responses of one candidate to one split."""


def packed_array(array: NDArray[Any], dtype: np.dtype[Any]) -> dict[str, Any]:
    """Pack an array of numbers, dates or labels for JSON; `dtype` is its original type.

    Raises ValueError unless the labels are text, numbers, booleans or None.
    """
    if array.dtype.kind in _RAW:
        little = array.astype(array.dtype.newbyteorder("<"), copy=False)
        raw = b64encode(zlib.compress(np.ascontiguousarray(little).tobytes())).decode()
        return {"dtype": little.dtype.str, "was": dtype.str, "shape": list(array.shape), "raw": raw}
    numbers: dict[tuple[type, Any], int] = {}  # True and 1 are equal but are two labels
    codes = [
        numbers.setdefault((type(label), label), len(numbers)) for label in array.ravel().tolist()
    ]
    labels = [label_as_json(label) for _, label in numbers]
    whole = np.array(codes, dtype=np.int32).reshape(array.shape)
    return {
        "labels": labels,
        "is_object": array.dtype.kind == "O",
        **packed_array(whole, whole.dtype),
    }


def check_labels(y: Any) -> None:
    """Raise ValueError if a target has labels that `packed_array` would refuse."""
    labels = np.asarray(y)
    if labels.dtype.kind == "O":
        for label in labels.ravel().tolist():
            label_as_json(label)


def label_as_json(label: Any) -> Any:
    """Return a label in a form that JSON restores exactly; ValueError if it has none."""
    if isinstance(label, str):  # also np.str_
        return str(label)
    if type(label) in (int, bool, float, type(None)):
        return label
    raise ValueError(
        "`y` must hold text, numbers or booleans so that a `ledger` can store its predictions; got "
        f"{shown(label)}."
    )


def unpacked_array(body: Any, n_rows: int | None) -> NDArray[Any]:
    """Return the array given to `packed_array`; ValueError unless it has `n_rows` rows."""
    dtype, shape = np.dtype(body["dtype"]), tuple(body["shape"])
    if dtype.kind not in _RAW or not all(type(n) is int and n >= 0 for n in shape):
        raise ValueError("responses that are not numbers")
    if n_rows is not None and (not shape or shape[0] != n_rows):
        raise ValueError("responses whose number of samples is not that of their split")
    most = dtype.itemsize * int(np.prod(shape, dtype=object))
    if most > _MOST_BYTES:
        raise ValueError("responses that are too large")
    reader = zlib.decompressobj()
    raw = reader.decompress(b64decode(body["raw"]), most + 1)
    if len(raw) != most or not reader.eof:
        raise ValueError("responses whose size does not match their shape")
    array = np.frombuffer(raw, dtype=dtype).reshape(shape)
    if "labels" not in body:
        was = np.dtype(body["was"])
        return array.astype(was if was.kind in "iu" else dtype.newbyteorder("="))
    labels = np.array(body["labels"], dtype=object if body["is_object"] else None)
    return np.asarray(labels[array])
