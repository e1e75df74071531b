"""What a ledger belongs to: data, estimator, scoring; and in what another search differs."""

from collections.abc import Mapping, Sequence
from typing import Any

import sklearn
from sklearn.base import clone

from sklearn_stats_compare.search._keys import data_key, key

Identity = Mapping[str, Sequence[str]]
"""A thing's name → its key, and how a person would call it."""


def identity(search: Any, X: Any, y: Any, params: Mapping[str, Any]) -> Identity:
    """What the outcomes of a search belong to, apart from candidates and splits.

    Raises
    ------
    ValueError
        If something has no key, because it cannot be pickled.
    """
    version = sklearn.__version__
    return {
        "the version of scikit-learn": (version, version),
        "the data": (data_key(X, "`X`"), _told_data(X)),
        "`y`": (data_key(y, "`y`"), _told_data(y)),
        **{f"`{name}`": (data_key(params[name], f"`{name}`"), "array") for name in sorted(params)},
        # Of a clone: whether the estimator was fitted before does not matter.
        "`estimator`": (key(clone(search.estimator), "`estimator`"), _told(search.estimator)),
        "`scoring`": (key(search.scoring, "`scoring`"), _told(search.scoring)),
        "`error_score`": (repr(search.error_score),) * 2,
        "`return_train_score`": (repr(search.return_train_score),) * 2,
    }


def differences(there: Identity, here: Identity) -> str:
    """In what two searches differ, for a person to read; empty where they do not."""
    found = []
    nothing = ("", "nothing")
    for name in dict.fromkeys([*here, *there]):
        (other_key, other), (own_key, own) = there.get(name, nothing), here.get(name, nothing)
        if other_key != own_key:
            values = f"{other} there, {own} here" if other != own else f"another {own}"
            found.append(f"{name} ({values})")
    return "; ".join(found)


def _told(thing: Any) -> str:
    words = " ".join(repr(thing).split())
    return words if len(words) <= 200 else f"{words[:200]}…"


def _told_data(data: Any) -> str:
    if data is None:
        return "None"
    shape = getattr(data, "shape", None) or (len(data) if hasattr(data, "__len__") else "?",)
    size = " × ".join(f"{n:,}" if isinstance(n, int) else str(n) for n in shape)
    return f"{type(data).__name__} of {size}"
