"""Outline: a fingerprint of a fit without a ledger, to refuse an extension of another one."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.base import clone

from sklearn_stats_compare.search._sklearn_private import num_samples, safe_indexing
from sklearn_stats_compare.search.ledger._code import key
from sklearn_stats_compare.search.ledger._identity import differences
from sklearn_stats_compare.search.ledger._keys import (
    THE_DATA,
    key_and_code,
    kind_and_size,
    values_of,
)

_MOST_ROWS = 64
_MOST_VALUES = 100_000


@dataclass(frozen=True, eq=False)
class Outline:
    """Cheap fingerprint of the arguments of ``fit``; the data are neither kept nor hashed.

    Attributes
    ----------
    data : mapping of str to (str, str)
        Key of some rows, and kind and size, of X, y and the other arguments.
    settings : mapping of str to object
        Parameters of the estimator, and those of the search that change a score, at the fit.
    """

    data: Mapping[str, tuple[str, str]]
    settings: Mapping[str, Any]

    @classmethod
    def of(cls, search: Any, X: Any, y: Any, params: Mapping[str, Any]) -> "Outline":
        """Return the outline of a search and a few rows of its data."""
        named = {THE_DATA: X, "`y`": y, **{f"`{name}`": params[name] for name in sorted(params)}}
        own = _params(search.estimator)
        nested: dict[str, Any] = {
            name: type(value) for name, value in own.items() if hasattr(value, "get_params")
        }
        # Copies: a user may change these in place after the fit.
        nested |= {name: v.copy() for name, v in own.items() if isinstance(v, dict | list | set)}
        scoring = search.scoring
        return cls(
            {name: (_mark(data), kind_and_size(data)) for name, data in named.items()},
            {
                "`estimator`": (type(search.estimator), own | nested),
                "`scoring`": scoring.copy() if isinstance(scoring, dict | list) else scoring,
                "`error_score`": search.error_score,
                "`return_train_score`": search.return_train_score,
            },
        )

    def differences(self, other: "Outline") -> str:
        """Describe how another outline differs; empty if it does not."""
        found = [differences(self.data, other.data)]
        # A number, such as a misspelt option of `extend`, has no rows and so no key.
        found += [
            f"{name} (nothing there, {shown} here)"
            for name, (marked, shown) in other.data.items()
            if name not in self.data and not marked
        ]
        for name, value in self.settings.items():
            if not _alike(value, other.settings[name]):
                found.append(name)
        return "; ".join(filter(None, found))


def _params(estimator: Any) -> dict[str, Any]:
    """Parameters; empty if this is not an estimator, for which scikit-learn raises an error."""
    get_params = getattr(estimator, "get_params", None)
    return {} if get_params is None or isinstance(estimator, type) else get_params(deep=True)


def _mark(data: Any) -> str:
    """Key of up to 64 evenly spaced rows; empty if there is none."""
    try:
        n_samples = num_samples(data)
        width = np.prod(getattr(data, "shape", (1,))[1:], dtype=int)
        n_rows = int(np.clip(_MOST_VALUES // max(1, width), 1, min(_MOST_ROWS, n_samples)))
        # `_safe_indexing` takes rows, which coo and dia matrices do not have.
        data = data.tocsr() if issparse(data) else data
        rows = np.linspace(0, n_samples - 1, n_rows).astype(int)
        return key_and_code(values_of(safe_indexing(data, rows), ""), "").key
    except Exception:  # no rows, or no key; `fit` itself refuses what it cannot take
        return ""


def _alike(one: Any, other: Any) -> bool:
    """Whether two settings are the same, as far as this can be checked."""
    if isinstance(one, tuple) and isinstance(other, tuple):  # a class and its parameters
        (kind, own), (other_kind, others) = one, other
        same = kind is other_kind and own.keys() == others.keys()
        return same and all(_alike(value, others[name]) for name, value in own.items())
    if one is other:
        return True
    try:
        return key(clone(one, safe=False), "") == key(clone(other, safe=False), "")
    except Exception:  # another object that has no key, such as one with a lock
        return False
