"""Keys of objects without the user's code in them, and whether code is the user's.

Equal objects have equal keys in every process.
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
_INSTALLED = {"site-packages", "dist-packages"}  # the second on Debian and Ubuntu


@functools.cache
def is_own(module_name: str | None) -> bool:
    """Whether a module is the user's, and not of an installed distribution or of Python.

    An editable installation lies outside site-packages: its code changes under the same version.
    """
    top = (module_name or "").partition(".")[0]
    if top == "__main__":  # a script or a notebook, which need not have a file
        return True
    if top == _PACKAGE:
        return False
    file = getattr(sys.modules.get(module_name or ""), "__file__", None)
    # Modules that are built into Python, such as sys, have none; nor has one made by hand.
    if file is None:
        return top not in sys.stdlib_module_names
    # In a virtual environment "platstdlib" lies inside it, and "stdlib" in the base Python.
    stdlib = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib")}
    path = Path(file)
    return not (_INSTALLED & set(path.parts) or any(path.is_relative_to(at) for at in stdlib))


def module_of(thing: Any) -> str | None:
    """Name of the module that has the code of a class or a function.

    For a function it is in the globals: ``functools.wraps`` copies another's ``__module__``.
    """
    if isinstance(thing, FunctionType):
        return thing.__globals__.get("__name__")
    return getattr(thing, "__module__", None)


def has_own_code(thing: Any) -> bool:
    """Whether a class or a function is the user's, or a wrapper that may hold one that is."""
    return is_own(module_of(thing)) or (isinstance(thing, FunctionType) and bool(thing.__closure__))


def versions_of(modules: Iterable[str]) -> dict[str, str]:
    """Loaded versions of the distributions of top-level modules."""
    found = (_version_of(module) for module in sorted(modules))
    return dict(pair for pair in found if pair is not None)


def _version_of(top: str) -> tuple[str, str] | None:
    if top in sys.stdlib_module_names:
        return None
    name = "scikit-learn" if top == "sklearn" else top
    # The module in memory: an upgrade while Python runs changes the metadata alone.
    version = getattr(sys.modules.get(top), "__version__", None)
    if isinstance(version, str):
        return name, version
    for found in _distributions().get(top, ()):
        return found, importlib.metadata.version(found)
    return None


@functools.cache  # it reads the metadata of every installed distribution
def _distributions() -> Mapping[str, list[str]]:
    return importlib.metadata.packages_distributions()


_NOT_SETTINGS = ("_sklearn_version", "_skl_callbacks")
"""In the state of an estimator, and no settings of its own."""


class _Hasher(NumpyHasher):
    """`joblib.hash`, but it identifies classes and functions by name, and collects them in `found`.

    A lambda has no name to pickle. `CodeReader` also reads the code of the user's own.
    """

    def __init__(self) -> None:
        # joblib's default; it passes usedforsecurity=False, as FIPS builds of OpenSSL require.
        super().__init__("md5")
        self.found: list[Any] = []
        self.holds_code = False

    def save(self, obj: Any) -> None:
        if isinstance(obj, functools._lru_cache_wrapper):  # pickled by name, without its function
            obj = obj.__wrapped__
        # `joblib.hashing.Hasher.save` takes the name and the object of a method, not its code.
        if isinstance(obj, MethodType):
            self.found.append(obj.__func__)
            self.holds_code |= has_own_code(obj.__func__)
        if isinstance(obj, ModuleType):  # pickle refuses modules
            self.found.append(obj)
            obj = "module", obj.__name__
        if isinstance(obj, FunctionType | type):
            self.found.append(obj)
            if has_own_code(obj):
                self.holds_code = True
                obj = "own", obj.__qualname__
            else:
                obj = module_of(obj), obj.__qualname__
        # The order of a frozenset differs between processes, as hashes of text do. joblib sorts
        # sets alone (`Hasher.save_set`).
        elif isinstance(obj, frozenset):
            obj = "frozenset", set(obj)
        # `BaseEstimator.__getstate__` adds it to scikit-learn's classes. A ledger keeps versions
        # apart, so that `ledger_strict=False` can accept another one.
        # Callbacks (scikit-learn 1.9) only watch.
        elif type(obj) is dict and any(name in obj for name in _NOT_SETTINGS):
            obj = {name: value for name, value in obj.items() if name not in _NOT_SETTINGS}
        super().save(obj)

    def memoize(self, obj: Any) -> None:
        # The pickle of an object that occurs again is a reference to the first one, so two equal
        # objects would differ from one that is used twice. joblib avoids that for text and bytes.
        if not isinstance(obj, tuple | date | time | timedelta | Decimal):
            super().memoize(obj)


class Hashed(NamedTuple):
    """Key of an object without the code in it.

    Attributes
    ----------
    key : str
        Key of values, and of the names of classes and functions.
    found : list
        The classes, functions and modules in it.
    holds_code : bool
        Whether one of them is the user's, or may contain one that is.
    """

    key: str
    found: list[Any]
    holds_code: bool


def hashed(thing: Any) -> Hashed:
    """Key of anything picklable; lets errors of pickling pass."""
    hasher = _Hasher()
    return Hashed(str(hasher.hash(thing)), hasher.found, hasher.holds_code)


def key_and_code(thing: Any, what: str) -> Hashed:
    """Key of `thing` without the code in it, and its classes and functions.

    Raises
    ------
    ValueError
        If it is neither picklable nor a function; `what` names it.
    """
    try:
        return hashed(thing)
    # The __reduce__ of another library may raise anything.
    except Exception as error:
        raise ValueError(
            f"{what} must be picklable, so that the ledger can recognise it; got "
            f"{type(thing).__name__}: {error}"
        ) from error


def kind_and_size(data: Any) -> str:
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
        # Without `has_sorted_indices` and `has_canonical_format`, which scipy finds out when they
        # are first used, and then keeps on the matrix.
        parts = ("data", "indices", "indptr", "row", "col", "offsets")
        # These two keep Python objects: a dict, and arrays of lists.
        whole = data if data.format not in ("dok", "lil") else data.tocoo()
        arrays = [values_of(getattr(whole, part), what) for part in parts if hasattr(whole, part)]
        return data.format, data.shape, arrays
    # `joblib.hashing.NumpyHasher` reads the buffer of an array: it would leave out the mask, and
    # count the values under it.
    if isinstance(data, np.ma.MaskedArray):
        return np.ascontiguousarray(data.filled(0)), np.ma.getmaskarray(data)
    # joblib hashes the strides too, so that an array and its copy in another order would differ.
    if isinstance(data, np.ndarray):
        return np.ascontiguousarray(data)
    if isinstance(data, tuple):
        return tuple(values_of(part, what) for part in data)
    if isinstance(data, dict):
        return {name: values_of(value, what) for name, value in data.items()}
    return data


def _column(values: pd.Series | pd.Index, what: str) -> Any:
    """The values of a column, or hashes of them if pandas keeps more than values."""
    if isinstance(values, pd.MultiIndex):
        levels = range(values.nlevels)
        return "levels", [_column(values.get_level_values(level), what) for level in levels]
    if isinstance(values.dtype, np.dtype) and values.dtype != object:
        return np.ascontiguousarray(values.to_numpy())
    # pandas hashes a categorical by its values: unused categories and their order do not count.
    categories = None
    if isinstance(values.dtype, pd.CategoricalDtype):
        categories = _column(values.dtype.categories, what), values.dtype.ordered
    # pandas hashes a column of mixed objects as their text (`_hash_ndarray`): 1 like "1", and an
    # object without a repr by its address in memory.
    is_text = pd.api.types.infer_dtype(values, skipna=False) == "string"
    if values.dtype != object or is_text:
        try:
            hashes = pd.util.hash_pandas_object(values, index=False).to_numpy()
            return str(values.dtype), categories, hashes
        except TypeError:  # an extension type that holds objects
            pass
    return str(values.dtype), categories, key_and_code(list(values), what).key


def numbered(keys: Iterable[str]) -> list[str]:
    seen: Counter[str] = Counter()
    numbered = []
    for own in keys:
        seen[own] += 1
        numbered.append(own if seen[own] == 1 else f"{own}-{seen[own]}")
    return numbered
