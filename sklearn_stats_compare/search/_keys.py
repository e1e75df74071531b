"""Keys of data, estimators, candidates and splits: equal in every process where the things are."""

import functools
import hashlib
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, time, timedelta
from decimal import Decimal
from types import FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np
import pandas as pd
from joblib.hashing import NumpyHasher
from scipy.sparse import issparse
from sklearn.base import clone

from sklearn_stats_compare.search._code import CodeReader, Parts, has_own_code, module_of
from sklearn_stats_compare.stats import as_index


class _Hasher(NumpyHasher):
    """`joblib.hash`, but classes and functions are known by name, and collected in `found`.

    A lambda is pickled by no name at all. Of the user's own the code counts too: `CodeReader`.
    """

    def __init__(self) -> None:
        super().__init__("md5")
        self.found: list[Any] = []

    def save(self, obj: Any) -> None:
        if isinstance(obj, functools._lru_cache_wrapper):
            obj = obj.__wrapped__
        if isinstance(obj, MethodType):  # joblib takes its name and its object
            self.found.append(obj.__func__)
        if isinstance(obj, ModuleType):
            self.found.append(obj)
            obj = "module", obj.__name__
        if isinstance(obj, FunctionType | type):
            self.found.append(obj)
            if has_own_code(obj):
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


def _hashed(thing: Any) -> tuple[str, list[Any]]:
    hasher = _Hasher()
    return str(hasher.hash(thing)), hasher.found


def new_code_reader(*, exempt: bool = False) -> CodeReader:
    """A reader of code whose values have keys as here."""
    return CodeReader(_hashed, exempt=exempt)


def key_and_code(thing: Any, what: str) -> tuple[str, list[Any]]:
    """Key of `thing` but for the code it holds, and its classes and functions.

    Raises
    ------
    ValueError
        If it cannot be pickled, and is no function; `what` says what it is.
    """
    try:
        return _hashed(thing)
    # Whatever a foreign __reduce__ raises.
    except Exception as error:
        raise ValueError(
            f"{what} must be picklable, so that the ledger can recognise it; got "
            f"{type(thing).__name__}: {error}"
        ) from error


def key(thing: Any, what: str) -> str:
    """Key of `thing`, and of the user's own code that it holds.

    Raises
    ------
    ValueError
        As by `key_and_code`.
    """
    own, found = key_and_code(thing, what)
    return _with_code(own, new_code_reader(exempt=True).parts(found))


def _with_code(own: str, code: Parts) -> str:
    if not code:
        return own
    both = repr((own, sorted(code.items()))).encode()
    return hashlib.md5(both, usedforsecurity=False).hexdigest()


def data_key(data: Any, what: str) -> str:
    """Key of something that was handed to ``fit``.

    It is of the values and their types: not of how an array lies in memory, nor of how a frame
    keeps its columns.
    """
    return key(_values(data, what), what)


def splitter_key(splitter: Any) -> str:
    """Key of how splits are drawn, whatever the random numbers."""
    own = getattr(splitter, "__dict__", None)
    if own is None:  # one with slots
        return key(splitter, "`cv`")
    settings = {name: value for name, value in own.items() if name != "random_state"}
    return key((type(splitter), settings), "`cv`")


def _values(data: Any, what: str) -> Any:
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
        arrays = [_values(getattr(whole, part), what) for part in parts if hasattr(whole, part)]
        return data.format, data.shape, arrays
    if isinstance(data, np.ma.MaskedArray):
        return np.ascontiguousarray(data.filled(0)), np.ma.getmaskarray(data)
    if isinstance(data, np.ndarray):
        return np.ascontiguousarray(data)
    if isinstance(data, tuple):
        return tuple(_values(part, what) for part in data)
    if isinstance(data, dict):
        return {name: _values(value, what) for name, value in data.items()}
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
    return str(values.dtype), categories, key_and_code(list(values), what)[0]


def candidate_keys(candidates: Sequence[Mapping[str, Any]]) -> list[str]:
    """A key for each candidate; a setting that comes again has its number at the end."""
    known: dict[tuple[int, ...], tuple[list[Any], Parts]] = {}

    def of(params: Mapping[str, Any]) -> str:
        values = {name: clone(value, safe=False) for name, value in params.items()}
        own, found = key_and_code(values, "Candidates")
        things = tuple(map(id, found))
        if things not in known:  # `found` keeps them alive, and so their ids
            known[things] = found, new_code_reader(exempt=True).parts(found)
        return _with_code(own, known[things][1])

    return _numbered(map(of, candidates))


def split_keys(splits: Sequence[tuple[Any, Any]], n_samples: int) -> list[str]:
    """A key for each split, of the samples that it trains on and tests on, in their order.

    A split that comes again has its number at the end. Checksums, as every fit makes them, of as
    many indices as there are samples times splits: they take a tenth of the time of a hash.
    """
    samples = np.arange(n_samples, dtype=np.int64)

    def checksum(index: Any) -> str:
        chosen = np.ascontiguousarray(samples[as_index(index)])
        return f"{chosen.size:x}.{zlib.crc32(chosen.data):08x}"

    return _numbered(f"{checksum(train)}.{checksum(test)}" for train, test in splits)


def _numbered(keys: Iterable[str]) -> list[str]:
    seen: Counter[str] = Counter()
    numbered = []
    for own in keys:
        seen[own] += 1
        numbered.append(own if seen[own] == 1 else f"{own}-{seen[own]}")
    return numbered
