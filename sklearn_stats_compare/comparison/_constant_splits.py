"""Whether a splitter gives the same splits at every call, as far as its parameters show it.

Splitters are recognised by the module of their code, so that no package need be imported here.
"""

from numbers import Integral
from typing import Any

import numpy as np

ABSENT = object()
_KNOWN_SPLITTERS = ("sklearn", "sklearn_stats_compare")


def is_constant(cv: Any) -> bool:
    """Whether every call to split is known to give the same splits.

    A number of folds does not shuffle, and an iterable becomes a list. scikit-learn's splitters
    without a `random_state` draw nothing; for other splitters this is unknown.
    """
    if cv is ABSENT:
        return False
    # `check_cv` of scikit-learn also uses this attribute to distinguish splitters from lists.
    if not hasattr(cv, "split"):
        return True
    # A generator goes on drawing at every call to split, under whatever name it is kept.
    draws = getattr(cv, "__dict__", {}).values()
    if any(isinstance(value, np.random.RandomState | np.random.Generator) for value in draws):
        return False
    seed = getattr(cv, "random_state", ABSENT)
    # As `_yields_constant_splits` of scikit-learn's model_selection._split, 1.6 to 1.9.
    if isinstance(seed, Integral) or not getattr(cv, "shuffle", True):
        return True
    # That function treats a splitter without `random_state` as constant. scikit-learn's are, but
    # those of other packages may draw from NumPy's global state.
    return seed is ABSENT and package_of(type(cv)) in _KNOWN_SPLITTERS


def package_of(owner: type, method: str | None = None) -> str:
    """The package of a class, or of its method; "" if there is no such method."""
    code = owner if method is None else getattr(owner, method, None)
    return str(getattr(code, "__module__", "")).partition(".")[0]
