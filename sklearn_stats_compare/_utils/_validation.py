"""Checks of arguments, whose errors have the form name, rule, value; and the warning class."""

import math
import sys
import threading
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from functools import wraps
from numbers import Integral, Real
from types import CodeType
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

_LONGEST = 200

_MOST_LISTED = 20

_LARGEST_SEED = 2**32 - 1

# Conversion to float would accept each of these without an error.
_NOT_REAL = (complex, np.complexfloating, np.datetime64, np.timedelta64, bytes)

Alternative = Literal["greater", "less", "two-sided"]
ALTERNATIVES: tuple[Alternative, ...] = get_args(Alternative)


def shown(value: Any) -> str:
    """Return the repr of a value for a message, cut if it is long."""
    try:
        text = repr(value.item() if isinstance(value, np.number | np.bool_) else value)
    except Exception:  # integers of thousands of digits, and classes whose repr raises
        return f"{type(value).__name__} that cannot be shown"
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def printable(text: str) -> str:
    """Return text from outside the package with its control characters escaped."""
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in text
    )


def encodable(text: str) -> str:
    """Return text with lone surrogates escaped, which no file and no terminal can show."""
    return text.encode("utf-8", "backslashreplace").decode()


def shown_list(items: Iterable[str]) -> str:
    """Join items for a message; cut long items and count those beyond the first 20."""
    texts = list(items)
    cut = [text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
           for text in texts[:_MOST_LISTED]]  # fmt: skip
    more = f" and {len(texts) - _MOST_LISTED} more" if len(texts) > _MOST_LISTED else ""
    return ", ".join(cut) + more


def meant(value: Any, options: Iterable[Any]) -> str:
    """A question that names the option nearest to `value`, after a space; "" if none is near."""
    words = {str(option).lower(): option for option in options if option is not None}
    near = get_close_matches(value.lower(), words, 1) if isinstance(value, str) else []
    return f" Did you mean {words[near[0]]!r}?" if near else ""


def wrong(name: str, rule: str, value: Any, then: str = "") -> ValueError:
    """The error of an argument: its name, the rule, the value, and what to do instead."""
    return ValueError(f"`{name}` must {rule}; got {shown(value)}.{f' {then}' if then else ''}")


def refuse(name: str, value: Any, where: str) -> None:
    """Raise ValueError if an argument is given `where` it has no place."""
    if value is not None:
        raise ValueError(f"`{name}` must be left out {where}; got {shown(value)}.")


def check_option(name: str, value: Any, options: Iterable[Any], *, or_else: str = "") -> Any:
    """Return `value` if it is one of `options`, else raise ValueError that lists them.

    `or_else` is what else is allowed, in words.
    """
    options = tuple(options)
    # Options are plain values only: an array would be compared element by element.
    if (value is None or isinstance(value, str)) and value in options:
        return value
    listed = f"one of {shown_list(map(repr, options))}" + (f", {or_else}" if or_else else "")
    raise ValueError(f"`{name}` must be {listed}; got {shown(value)}.{meant(value, options)}")


def check_probability(name: str, value: Any) -> float:
    """Return `value` as a float if it lies strictly between 0 and 1, else raise ValueError."""
    # Converted first: a Fraction may round to 0 or 1.
    if not (is_number(value) and 0 < float(value) < 1):
        raise ValueError(f"`{name}` must be in (0, 1); got {shown(value)}.")
    return float(value)


def check_count(
    name: str, value: Any, least: int = 1, most: int | None = None, limit: int | None = None
) -> int:
    """Return `value` if it is a whole number from `least` to `most`, else raise ValueError.

    `limit` is far above any sensible value; only the error of a value above it mentions it.
    """
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not whole or value < least or (most is not None and value > most):
        allowed = f"≥ {least}" if most is None else f"from {least} to {most}"
        raise ValueError(f"`{name}` must be a whole number {allowed}; got {shown(value)}.")
    if limit is not None and value > limit:
        raise ValueError(f"`{name}` must be at most {limit:,}; got {shown(value)}.")
    return int(value)


def check_flag(name: str, value: Any) -> bool:
    """Return `value` if it is True or False, else raise ValueError."""
    if not isinstance(value, bool | np.bool_):
        raise ValueError(f"`{name}` must be True or False; got {shown(value)}.")
    return bool(value)


def check_text(name: str, value: Any) -> str:
    """Return `value` if it is text, else raise TypeError."""
    if not isinstance(value, str):
        raise TypeError(f"`{name}` must be text; got {shown(value)}.")
    return value


def check_written(name: str, value: Any) -> str:
    """Return `value` if it is text, with lone surrogates escaped; else raise TypeError."""
    escaped = encodable(check_text(name, value))
    return value if escaped == value else escaped  # a subclass of str stays one


def check_listed(name: str, values: Any, what: str) -> list[Any]:
    """Return the items of `values` as a list, else raise TypeError.

    Text and mappings are refused: they iterate over characters and keys. So are sets: their order
    is another one at each start of Python.
    """
    try:
        if isinstance(values, str | bytes | Mapping | Set):
            raise TypeError
        return list(values)
    except TypeError:  # also raised by a zero-dimensional array
        raise TypeError(f"`{name}` must be {what}; got {shown(values)}.") from None


def check_rng(rng: Any) -> Any:
    """Return `rng` if `numpy.random.default_rng` accepts it, else raise ValueError."""
    try:
        if isinstance(rng, bool | np.bool_):
            raise TypeError
        np.random.default_rng(rng)
    except Exception:  # of any type: NumPy may also fail while it formats its own error
        raise wrong("rng", "be None, a whole number ≥ 0 or a numpy.random.Generator", rng) from None
    return rng


def check_seed(name: str, seed: Any) -> Any:
    """Return `seed` if scikit-learn accepts it as a `random_state`, else raise ValueError."""
    whole = isinstance(seed, Integral) and not isinstance(seed, bool)
    if not (
        seed is None
        or (whole and 0 <= seed <= _LARGEST_SEED)
        or isinstance(seed, np.random.RandomState)
    ):
        raise ValueError(
            f"`{name}` must be None, a whole number from 0 to {_LARGEST_SEED} or a "
            f"numpy.random.RandomState; got {shown(seed)}."
        )
    return seed


def check_numbers(name: str, values: Any, rule: str = "numbers") -> NDArray[np.float64]:
    """Return `values` as an array of floats, NaN where masked or None, else raise ValueError.

    NumPy alone would silently drop an imaginary part, a mask or the unit of a date.
    """
    try:
        array = np.asarray(_without_masks(values))
        if array.dtype.kind == "O":
            for value in array.flat:
                if isinstance(value, _NOT_REAL):
                    raise TypeError
        elif array.dtype.kind not in "biufU":
            raise TypeError
        with np.errstate(over="ignore"):  # numbers too large for a float become infinite
            return array.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"`{name}` must be {rule}; got {shown(values)}.") from None


def real_score(value: Any) -> float:
    """Return a score as a float; raise TypeError or OverflowError if it cannot be one."""
    if isinstance(value, _NOT_REAL):
        raise TypeError("a score must be a real number")
    return float(value)


def check_interval(name: str, value: Any) -> tuple[float, float]:
    """Return `value`, a half-width ≥ 0 or a (low, high) pair with low ≤ high, as (low, high)."""
    if is_number(value):
        if not (math.isfinite(value) and value >= 0):
            raise ValueError(f"`{name}` must be a finite half-width ≥ 0; got {shown(value)}.")
        return -float(value), float(value)
    if isinstance(value, tuple | list) and len(value) == 2 and all(is_number(v) for v in value):
        low, high = float(value[0]), float(value[1])
        if not low <= high:
            raise ValueError(f"`{name}` must be (low, high) with low ≤ high; got {shown(value)}.")
        return low, high
    raise wrong(name, "be a half-width ≥ 0 or a (low, high) pair of numbers", value)


def check_finite(name: str, value: Any) -> float:
    """Return `value` as a float if it is a finite number, else raise ValueError."""
    if not (is_number(value) and math.isfinite(float(value))):
        raise ValueError(f"`{name}` must be a finite number; got {shown(value)}.")
    return float(value)


def check_classes(name: str, values: Any) -> NDArray[Any]:
    """Return `values`, one class per sample and none missing, as a vector, else raise ValueError.

    A single column is a vector too.
    """
    try:
        array = np.asarray(values)
    except ValueError:  # rows of different lengths
        raise ValueError(f"`{name}` must be a vector, not empty; got {shown(values)}.") from None
    if array.ndim == 2 and array.shape[1] == 1:
        array = array.ravel()
    if array.ndim != 1 or not array.size:
        raise ValueError(f"`{name}` must be a vector, not empty; got shape {array.shape}.")
    n_missing = sum(_is_missing(value) for value in array) if array.dtype.kind in "fOMm" else 0
    if isinstance(values, np.ma.MaskedArray):
        n_missing += int(np.count_nonzero(np.ma.getmaskarray(values)))
    if n_missing:
        raise ValueError(f"`{name}` must not hold missing values or NaN; got {n_missing} of them.")
    return array


def check_same_index(given: Collection[tuple[str, Any]]) -> None:
    """Raise ValueError if two arguments have different indices of pandas, which pair their entries.

    Other values are paired by position, which the labels 0, 1, 2, … in another order contradict.
    This layer knows pandas by its methods only.
    """
    every: list[tuple[str, Any]] = [(name, getattr(value, "index", None)) for name, value in given]
    # A list has a method of that name.
    indices = [(name, index) for name, index in every if hasattr(index, "equals")]
    for name, index in indices[1:]:
        if not index.equals(indices[0][1]) or are_other_levels(index, indices[0][1]):
            raise ValueError(
                f"`{name}` must have the index of `{indices[0][0]}`, because rows are paired by "
                f"position; got {shown(index)}. Sort both alike, or pass arrays."
            )
    if indices and len(indices) < sum(value is not None for _, value in given):
        name, index = indices[0]
        places = index.to_numpy()
        in_order = np.arange(len(places))
        with suppress(TypeError):  # text beside numbers has no order
            ordered = index.sort_values().to_numpy()
            if (places != in_order).any() and np.array_equal(ordered, in_order):
                raise ValueError(
                    f"`{name}` must have its labels 0, 1, 2, … in order beside an array, because "
                    f"rows are paired by position; got {shown(index)}. Sort it, or pass arrays."
                )


def are_other_levels(one: Any, other: Any) -> bool:
    """Whether two indices of pandas have several levels with other names, or in another order."""
    names = [*one.names], [*other.names]
    return names[0] != names[1] and len(names[0]) > 1 and None not in names[0] + names[1]


def check_one_kind(name: str, values: Any, where: str = "") -> None:
    """Raise ValueError if labels cannot be sorted, as text beside numbers, or lists, cannot."""
    labels = np.asarray(values)
    try:
        sorted({*labels.ravel().tolist()} if labels.dtype.kind == "O" else ())
    except TypeError:
        kinds = shown_list(sorted({type(label).__name__ for label in labels.ravel().tolist()}))
        raise ValueError(
            f"`{name}` must hold labels of one kind{where}, such as text; got {kinds}."
        ) from None


def check_same_kind(name: str, predicted: NDArray[Any], truth: NDArray[Any]) -> None:
    """Raise ValueError if the predictions cannot be classes of `truth`."""
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
            raise wrong(name, "be classes, not scores or probabilities", float(broken[0]))


def _without_masks(values: Any) -> Any:
    """Replace masked numbers by NaN, because NumPy's conversion drops the mask."""
    if isinstance(values, np.ma.MaskedArray):
        covered = np.ma.getmaskarray(values)
        if not covered.any():
            return np.ma.getdata(values)
        return np.where(covered, np.nan, np.ma.getdata(values))
    is_nested = isinstance(values, list | tuple) and any(
        isinstance(value, np.ma.MaskedArray | list | tuple) for value in values
    )
    return [_without_masks(value) for value in values] if is_nested else values


def _is_missing(value: Any) -> bool:
    try:
        return value is None or bool(value != value)
    except (TypeError, ValueError):  # pandas' NA has no truth value
        return True


def is_number(value: Any) -> bool:
    """Whether `value` is a real number that fits in a float; a bool is not."""
    if not isinstance(value, Real) or isinstance(value, bool):
        return False
    try:
        float(value)
    except OverflowError:  # an integer of hundreds of digits
        return False
    return True


# Packages whose frames may lie between a warning and the user's line: this one, those that call it
# during a fit, and the wrappers of the standard library. Compared by name, because the path of a
# user's folder may begin like that of a package.
_INTERNAL_PACKAGES = frozenset(
    {
        __name__.partition(".")[0],
        *("sklearn", "joblib"),
        *("contextlib", "copy", "dataclasses", "functools"),
    }
)


class ComparisonWarning(UserWarning):
    """The results are computed correctly, but the splits or samples limit how far to trust them."""


def outside_level() -> int:
    """Return the `stacklevel` with which a warning of the caller points at the user's line.

    The user's line is in the nearest frame outside this package, scikit-learn and joblib. Where
    there is no such frame, as in a worker, the outermost frame is used. `warnings.warn` has
    ``skip_file_prefixes`` from Python 3.12 on, but it compares paths, and so would also skip a
    user's folder whose path begins like that of a package.
    """
    level, frame = 1, sys._getframe(1)
    while frame.f_back and not _is_user_frame(frame.f_globals, frame.f_code):
        level, frame = level + 1, frame.f_back
    return level


def warn_user(message: str, entry: str | None, category: type[Warning] = ComparisonWarning) -> None:
    """Warn at the user's line.

    `entry` is the anchor of what docs/troubleshooting.rst says about this warning, with which the
    text ends. None is for a warning that another function made.
    """
    text = message if entry is None else f"{message} [troubleshooting#{entry}]"
    warnings.warn(text, category, stacklevel=outside_level())


WARNINGS_LOCK = threading.RLock()
"""The filters of warnings are the process's: our threads change them one at a time."""

_here = threading.local()


class _Ignored(type):
    """Makes a category of what the thread that asks ignores at the moment.

    Until Python 3.14, `catch_warnings` in another thread may put filters back that are over. This
    one is then without effect.
    """

    def __subclasscheck__(cls, category: type) -> bool:
        return issubclass(category, getattr(_here, "ignored", ()))


class _OfThisThread(Warning, metaclass=_Ignored):
    pass


@contextmanager
def without_warnings(category: type[Warning] = Warning, message: str = "") -> Iterator[None]:
    """Ignore some warnings of this thread; `message` is a pattern of their beginning."""
    before = getattr(_here, "ignored", ())
    with WARNINGS_LOCK, warnings.catch_warnings():
        _here.ignored = (*before, category)
        warnings.filterwarnings("ignore", message, _OfThisThread)
        try:
            yield
        finally:
            _here.ignored = before


def deprecated(since: str, removed: str, instead: str) -> Callable[[Any], Any]:
    """Mark a function, method or class that goes: each call warns with a FutureWarning.

    scikit-learn has such a decorator, but `stats` does not import it.
    """

    def mark(obj: Any) -> Any:
        call = obj.__init__ if isinstance(obj, type) else obj  # type: ignore[misc]

        @wraps(call)
        def warning(*args: Any, **kwargs: Any) -> Any:
            warn_user(
                f"`{obj.__qualname__}` is deprecated since version {since}, and version {removed} "
                f"removes it. Use {instead}.",
                "deprecated",
                FutureWarning,
            )
            return call(*args, **kwargs)

        if isinstance(obj, type):
            obj.__init__ = warning  # type: ignore[misc]
            return obj
        return warning

    return mark


def _is_user_frame(names: dict[str, Any], code: CodeType) -> bool:
    if code.co_filename.startswith("<doctest "):  # a doctest's `__name__` is that of its module
        return True
    # The generated `__init__` of a dataclass, also of a user's subclass.
    if code.co_qualname.startswith("__create_fn__."):
        return False
    return str(names.get("__name__")).partition(".")[0] not in _INTERNAL_PACKAGES
