"""Refuse a bad argument in one form of words, so that every error of the package reads alike."""

import math
from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

_LONGEST = 200
_MOST_LISTED = 20
ALTERNATIVES = ("greater", "less", "two-sided")


def shown(value: Any) -> str:
    """A value as a message shows it, cut where it would fill the screen."""
    try:
        text = repr(value)
    except ValueError:  # whole numbers of thousands of digits
        return f"{type(value).__name__} too long to show"
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def printable(text: str) -> str:
    """Text of a stranger as a message shows it, control characters as escapes."""
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in text
    )


def shown_list(items: Iterable[str]) -> str:
    """Items as a message lists them, each cut, and the last ones counted where there are many."""
    texts = list(items)
    cut = [text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
           for text in texts[:_MOST_LISTED]]  # fmt: skip
    more = f" and {len(texts) - _MOST_LISTED} more" if len(texts) > _MOST_LISTED else ""
    return ", ".join(cut) + more


def check_option(name: str, value: Any, options: Iterable[Any]) -> Any:
    """Return `value` if it is one of `options`, else raise ValueError that lists them."""
    options = tuple(options)
    # Only plain values can be options: an array would be compared element by element.
    if (value is None or isinstance(value, str)) and value in options:
        return value
    listed = shown_list(map(repr, options))
    raise ValueError(f"`{name}` must be one of {listed}; got {shown(value)}.")


def check_probability(name: str, value: Any) -> float:
    """Return `value` as a float if it lies strictly between 0 and 1, else raise ValueError."""
    if not (_is_number(value) and 0 < value < 1):
        raise ValueError(f"`{name}` must be in (0, 1); got {shown(value)}.")
    return float(value)


def check_count(name: str, value: Any, least: int = 1, most: int | None = None) -> int:
    """Return `value` if it is a whole number from `least` to `most`, else raise ValueError."""
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not whole or value < least or (most is not None and value > most):
        allowed = f"≥ {least}" if most is None else f"from {least} to {most}"
        raise ValueError(f"`{name}` must be a whole number {allowed}; got {shown(value)}.")
    return int(value)


def check_interval(name: str, value: Any) -> tuple[float, float]:
    """Return `value`, a half-width ≥ 0 or a (low, high) pair with low ≤ high, as (low, high)."""
    if _is_number(value):
        if not (math.isfinite(value) and value >= 0):
            raise ValueError(f"`{name}` must be a finite half-width ≥ 0; got {shown(value)}.")
        return -float(value), float(value)
    if isinstance(value, tuple | list) and len(value) == 2 and all(_is_number(v) for v in value):
        low, high = float(value[0]), float(value[1])
        if not low <= high:
            raise ValueError(f"`{name}` must be (low, high) with low ≤ high; got {shown(value)}.")
        return low, high
    raise ValueError(
        f"`{name}` must be a half-width ≥ 0 or a (low, high) pair of numbers; got {shown(value)}."
    )


def check_classes(name: str, values: Any) -> NDArray[Any]:
    """Return `values`, one class per sample and none missing, as a vector, else raise ValueError.

    A single column is a vector too.
    """
    array = np.asarray(values)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array.ravel()
    if array.ndim != 1 or not array.size:
        raise ValueError(f"`{name}` must be a vector, not empty; got shape {array.shape}.")
    n_missing = sum(_is_missing(value) for value in array) if array.dtype.kind in "fOMm" else 0
    if n_missing:
        raise ValueError(f"`{name}` must not hold missing values or NaN; got {n_missing} of them.")
    return array


def check_same_kind(name: str, predicted: NDArray[Any], truth: NDArray[Any]) -> None:
    """Raise ValueError where predictions cannot be of the classes of `truth`."""
    kinds = [
        "text" if all(isinstance(value, str) for value in array.tolist()) else "numbers"
        for array in (truth, predicted)
    ]
    if kinds[0] != kinds[1]:
        raise ValueError(
            f"`{name}` must be classes like those of `y_true`, which are {kinds[0]}; got "
            f"{kinds[1]}."
        )
    if truth.dtype.kind in "iub" and predicted.dtype.kind == "f":
        broken = predicted[predicted % 1 != 0]
        if broken.size:
            raise ValueError(
                f"`{name}` must be classes, not scores or probabilities; got {float(broken[0])!r}."
            )


def _is_missing(value: Any) -> bool:
    try:
        return value is None or bool(value != value)
    except (TypeError, ValueError):  # pandas' NA does not say whether it equals itself
        return True


def _is_number(value: Any) -> bool:
    if not isinstance(value, Real) or isinstance(value, bool):
        return False
    try:
        float(value)
    except OverflowError:  # a whole number of hundreds of digits
        return False
    return True
