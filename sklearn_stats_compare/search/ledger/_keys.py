"""Keys of things but for the user's code that they hold, and whose code that is.

Equal in every process where the things are equal.
"""

import functools
import importlib.metadata
import sys
import sysconfig
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date, time, timedelta
from decimal import Decimal
from pathlib import Path
from types import FunctionType, MethodType, ModuleType
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from joblib.hashing import NumpyHasher
from scipy.sparse import issparse

THE_DATA = "the data"
"""What messages call `X`."""


_PACKAGE = __name__.partition(".")[0]
_INSTALLED = {"site-packages", "dist-packages"}


@functools.cache
def is_own(module_name: str | None) -> bool:
    """Whether a module is the user's: of no installed distribution, nor Python's own.

    An editable installation lies outside site-packages: its code changes under the same version.
    """
    top = (module_name or "").partition(".")[0]
    if top == "__main__":
        return True
    if top == _PACKAGE:
        return False
    file = getattr(sys.modules.get(module_name or ""), "__file__", None)
    if file is None:  # of C, or made by hand
        return top not in sys.stdlib_module_names
    stdlib = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib")}
    path = Path(file)
    return not (_INSTALLED & set(path.parts) or any(path.is_relative_to(at) for at in stdlib))


def module_of(thing: Any) -> str | None:
    """Name of the module where the code of a class or a function is written.

    Of a function its globals tell it: ``functools.wraps`` copies another's ``__module__``.
    """
    if isinstance(thing, FunctionType):
        return thing.__globals__.get("__name__")
    return getattr(thing, "__module__", None)


def has_own_code(thing: Any) -> bool:
    """Whether a class or a function is the user's, or a wrapper that may hold one that is."""
    return is_own(module_of(thing)) or (isinstance(thing, FunctionType) and bool(thing.__closure__))


def version_of(top: str) -> tuple[str, str] | None:
    """Name and version of the distribution that a top-level module comes from, as it is loaded."""
    if top in sys.stdlib_module_names:
        return None
    name = "scikit-learn" if top == "sklearn" else top
    version = getattr(sys.modules.get(top), "__version__", None)
    if isinstance(version, str):
        return name, version
    for found in _distributions().get(top, ()):
        return found, importlib.metadata.version(found)
    return None


@functools.cache
def _distributions() -> Mapping[str, list[str]]:
    return importlib.metadata.packages_distributions()


class _Hasher(NumpyHasher):
    """`joblib.hash`, but classes and functions are known by name, and collected in `found`.

    A lambda is pickled by no name at all. Of the user's own the code counts too: `CodeReader`.
    """

    def __init__(self) -> None:
        super().__init__("md5")
        self.found: list[Any] = []
        self.holds_code = False

    def save(self, obj: Any) -> None:
        if isinstance(obj, functools._lru_cache_wrapper):
            obj = obj.__wrapped__
        if isinstance(obj, MethodType):  # joblib takes its name and its object
            self.found.append(obj.__func__)
            self.holds_code |= has_own_code(obj.__func__)
        if isinstance(obj, ModuleType):
            self.found.append(obj)
            obj = "module", obj.__name__
        if isinstance(obj, FunctionType | type):
            self.found.append(obj)
            if has_own_code(obj):
                self.holds_code = True
                obj = "own", obj.__qualname__
            else:
                obj = module_of(obj), obj.__qualname__
        elif isinstance(obj, frozenset):  # in another order in every process; sets, joblib sorts
            obj = "frozenset", set(obj)
        elif type(obj) is dict and "_sklearn_version" in obj:  # has a line of its own
            obj = {name: value for name, value in obj.items() if name != "_sklearn_version"}
        super().save(obj)

    def memoize(self, obj: Any) -> None:
        # By value and not by identity, as joblib has it for text: two equal tuples are like one.
        if not isinstance(obj, tuple | date | time | timedelta | Decimal):
            super().memoize(obj)


class Hashed(NamedTuple):
    """Key of a thing but for the code that it holds.

    Attributes
    ----------
    key : str
        Of values, and of classes and functions by name.
    found : list
        The classes, functions and modules that it holds.
    holds_code : bool
        Whether one of them is the user's, or may hold one that is.
    """

    key: str
    found: list[Any]
    holds_code: bool


def hashed(thing: Any) -> Hashed:
    """Key of anything that can be pickled; raises whatever pickling raises."""
    hasher = _Hasher()
    return Hashed(str(hasher.hash(thing)), hasher.found, hasher.holds_code)


def key_and_code(thing: Any, what: str) -> Hashed:
    """Key of `thing` but for the code it holds, and its classes and functions.

    Raises
    ------
    ValueError
        If it cannot be pickled, and is no function; `what` says what it is.
    """
    try:
        return hashed(thing)
    # Whatever a foreign __reduce__ raises.
    except Exception as error:
        raise ValueError(
            f"{what} must be picklable, so that the ledger can recognise it; got "
            f"{type(thing).__name__}: {error}"
        ) from error


def told_data(data: Any) -> str:
    """Kind and size of data."""
    if data is None:
        return "None"
    shape = getattr(data, "shape", None) or (len(data) if hasattr(data, "__len__") else "?",)
    size = " × ".join(f"{n:,}" if isinstance(n, int) else str(n) for n in shape)
    return f"{type(data).__name__} of {size}"


def values_of(data: Any, what: str) -> Any:
    if isinstance(data, pd.DataFrame):
        columns = [
            _column(data.iloc[:, k], f"{what}, column {name!r},")
            for k, name in enumerate(data.columns)
        ]
        return "frame", list(data.columns), _column(data.index, f"{what}, index,"), columns
    if isinstance(data, pd.Series):
        return "series", data.name, _column(data.index, f"{what}, index,"), _column(data, what)
    if isinstance(data, pd.Index):
        return "index", list(data.names), _column(data, what)
    if issparse(data):
        # What it remembers of its order changes with use.
        parts = ("data", "indices", "indptr", "row", "col", "offsets")
        whole = data if data.format not in ("dok", "lil") else data.tocoo()
        arrays = [values_of(getattr(whole, part), what) for part in parts if hasattr(whole, part)]
        return data.format, data.shape, arrays
    if isinstance(data, np.ma.MaskedArray):
        return np.ascontiguousarray(data.filled(0)), np.ma.getmaskarray(data)
    if isinstance(data, np.ndarray):
        return np.ascontiguousarray(data)
    if isinstance(data, tuple):
        return tuple(values_of(part, what) for part in data)
    if isinstance(data, dict):
        return {name: values_of(value, what) for name, value in data.items()}
    return data


def _column(values: pd.Series | pd.Index, what: str) -> Any:
    """The values of a column; where pandas keeps more than values, hashes of them."""
    if isinstance(values, pd.MultiIndex):
        levels = range(values.nlevels)
        return "levels", [_column(values.get_level_values(level), what) for level in levels]
    if isinstance(values.dtype, np.dtype) and values.dtype != object:
        return np.ascontiguousarray(values.to_numpy())
    categories = None
    if isinstance(values.dtype, pd.CategoricalDtype):
        categories = _column(values.dtype.categories, what), values.dtype.ordered
    # pandas hashes other objects as text: 1 like "1", and an object by where it lies in memory.
    is_text = pd.api.types.infer_dtype(values, skipna=False) == "string"
    if values.dtype != object or is_text:
        try:
            hashes = pd.util.hash_pandas_object(values, index=False).to_numpy()
            return str(values.dtype), categories, hashes
        except TypeError:  # extension types that hold objects
            pass
    return str(values.dtype), categories, key_and_code(list(values), what).key


def numbered(keys: Iterable[str]) -> list[str]:
    seen: Counter[str] = Counter()
    numbered = []
    for own in keys:
        seen[own] += 1
        numbered.append(own if seen[own] == 1 else f"{own}-{seen[own]}")
    return numbered
