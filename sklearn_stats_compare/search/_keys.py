"""Keys of data, estimators, candidates and splits: equal in every process where the things are."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import CodeType, FunctionType
from typing import Any

import numpy as np
import pandas as pd
from joblib.hashing import NumpyHasher
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


def data_key(X: Any, y: Any, params: Mapping[str, Any]) -> str:
    """Key of everything that was handed to ``fit``.

    It is of the values: not of how an array lies in memory, nor of how a frame keeps its columns.
    """
    return key(_values((X, y, dict(params))), "The data")


def _values(data: Any) -> Any:
    if isinstance(data, pd.DataFrame):
        columns = [_values(data.iloc[:, k]) for k in range(data.shape[1])]
        return "frame", list(data.columns), columns
    if isinstance(data, pd.Series):
        plain = isinstance(data.dtype, np.dtype)
        values = np.ascontiguousarray(data.to_numpy()) if plain else data.array
        return data.name, _values(data.index), values
    if isinstance(data, pd.Index):
        return list(data.names), np.asarray(data)
    if isinstance(data, np.ndarray):
        return np.ascontiguousarray(data)
    if isinstance(data, tuple):
        return tuple(map(_values, data))
    if isinstance(data, dict):
        return {name: _values(value) for name, value in data.items()}
    return data


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
