"""Keys of data, estimators, candidates and splits: equal in every process where the things are."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, time, timedelta
from decimal import Decimal
from types import CodeType, FunctionType
from typing import Any

import numpy as np
import pandas as pd
from joblib.hashing import NumpyHasher
from scipy.sparse import issparse
from sklearn.base import clone

from sklearn_stats_compare.stats._splits import as_index


class _Hasher(NumpyHasher):
    """`joblib.hash`, but a Python function is known by its code.

    By its name alone, as pickle has it, a scorer that was edited since would pass for the old one,
    and a lambda has no name.
    """

    def __init__(self) -> None:
        super().__init__("md5")
        self._inside: set[int] = set()

    def save(self, obj: Any) -> None:
        if isinstance(obj, FunctionType):
            obj = self._described(obj)
        elif isinstance(obj, frozenset):  # in another order in every process; sets, joblib sorts
            obj = "frozenset", set(obj)
        super().save(obj)

    def memoize(self, obj: Any) -> None:
        # By value and not by identity, as joblib has it for text: two equal tuples are like one.
        if not isinstance(obj, tuple | date | time | timedelta | Decimal):
            super().memoize(obj)

    def _described(self, function: FunctionType) -> Any:
        if id(function) in self._inside:  # one that calls itself
            return function.__qualname__
        self._inside.add(id(function))
        closed_over = [cell.cell_contents for cell in function.__closure__ or ()]
        defaults = function.__defaults__, function.__kwdefaults__
        return function.__qualname__, _code(function.__code__), defaults, closed_over


def _code(code: CodeType) -> tuple[Any, ...]:
    constants = [_code(c) if isinstance(c, CodeType) else c for c in code.co_consts]
    return code.co_code, code.co_names, constants


def key(thing: Any, what: str) -> str:
    """Key of `thing`; `what` says what it is where it has none.

    Raises
    ------
    ValueError
        If it cannot be pickled, and is no function.
    """
    try:
        return str(_Hasher().hash(thing))
    # Whatever a foreign __reduce__ raises.
    except Exception as error:
        raise ValueError(
            f"{what} must be of things that can be pickled, so that they are known again; got "
            f"{type(thing).__name__}: {error}"
        ) from error


def data_key(data: Any, what: str) -> str:
    """Key of something that was handed to ``fit``.

    It is of the values: not of how an array lies in memory, nor of how a frame keeps its columns.
    """
    return key(_values(data), what)


def splitter_key(splitter: Any) -> str:
    """Key of how splits are drawn, whatever the random numbers."""
    settings = {name: value for name, value in vars(splitter).items() if name != "random_state"}
    return key((type(splitter).__qualname__, settings), "`cv`")


def _values(data: Any) -> Any:
    if isinstance(data, pd.DataFrame):
        columns = [_column(data.iloc[:, k]) for k in range(data.shape[1])]
        return "frame", list(data.columns), _column(data.index), columns
    if isinstance(data, pd.Series):
        return "series", data.name, _column(data.index), _column(data)
    if isinstance(data, pd.Index):
        return "index", list(data.names), _column(data)
    if issparse(data):
        # What it remembers of its order changes with use.
        parts = ("data", "indices", "indptr", "row", "col", "offsets")
        whole = data if data.format not in ("dok", "lil") else data.tocoo()
        arrays = [_values(getattr(whole, part)) for part in parts if hasattr(whole, part)]
        return data.format, data.shape, arrays
    if isinstance(data, np.ma.MaskedArray):
        return np.ascontiguousarray(data.filled(0)), np.ma.getmaskarray(data)
    if isinstance(data, np.ndarray):
        return np.ascontiguousarray(data)
    if isinstance(data, tuple):
        return tuple(map(_values, data))
    if isinstance(data, dict):
        return {name: _values(value) for name, value in data.items()}
    return data


def _column(values: pd.Series | pd.Index) -> Any:
    """The values of a column; where pandas keeps more than values, hashes of them."""
    if isinstance(values.dtype, np.dtype) and values.dtype != object:
        return np.ascontiguousarray(values.to_numpy())
    categories = None
    if isinstance(values.dtype, pd.CategoricalDtype):
        categories = _column(values.dtype.categories), values.dtype.ordered
    try:
        hashes = pd.util.hash_pandas_object(values, index=False).to_numpy()
    except TypeError:  # things that cannot be hashed, such as lists
        return str(values.dtype), list(values)
    kind = None if isinstance(values, pd.MultiIndex) else pd.api.types.infer_dtype(values)
    return str(values.dtype), kind, categories, hashes


def candidate_keys(candidates: Sequence[Mapping[str, Any]]) -> list[str]:
    """A key for each candidate; a setting that comes again has its number at the end."""
    return _numbered(
        key({name: clone(value, safe=False) for name, value in params.items()}, "Candidates")
        for params in candidates
    )


def split_keys(splits: Sequence[tuple[Any, Any]], n_samples: int) -> list[str]:
    """A key for each split, of the samples that it trains on and tests on, in their order.

    A split that comes again has its number at the end.
    """
    samples = np.arange(n_samples)
    return _numbered(
        key((samples[as_index(train)], samples[as_index(test)]), "`cv`") for train, test in splits
    )


def _numbered(keys: Iterable[str]) -> list[str]:
    seen: Counter[str] = Counter()
    numbered = []
    for own in keys:
        seen[own] += 1
        numbered.append(own if seen[own] == 1 else f"{own}-{seen[own]}")
    return numbered
