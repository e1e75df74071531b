"""ComparisonWarning, and the stacklevel that makes a warning point at the user's line."""

import sys
from types import CodeType
from typing import Any

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


def _is_user_frame(names: dict[str, Any], code: CodeType) -> bool:
    if code.co_filename.startswith("<doctest "):  # a doctest's `__name__` is that of its module
        return True
    # The generated `__init__` of a dataclass, also of a user's subclass.
    if code.co_qualname.startswith("__create_fn__."):
        return False
    return str(names.get("__name__")).partition(".")[0] not in _INTERNAL_PACKAGES
