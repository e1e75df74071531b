"""The package's one warning, and how it points at the user's own line."""

import sys
from types import CodeType
from typing import Any

# Whoever stands between a warning and the user's line: this package, those that call it back from
# within a fit, and what the standard library puts around a function. By their names, since a folder
# of the user's may begin like one of theirs.
_BETWEEN = frozenset(
    {
        __name__.partition(".")[0],
        *("sklearn", "joblib"),
        *("contextlib", "copy", "dataclasses", "functools"),
    }
)


class ComparisonWarning(UserWarning):
    """The numbers are as good as the splits allow, and the splits do not allow much."""


def outside_level() -> int:
    """The `stacklevel` that lets a warning of the caller point at the user's line.

    That is the nearest frame that is neither of this package nor of scikit-learn or joblib, which
    call it back while they fit; where there is none, as in a worker, the outermost frame. The
    ``skip_file_prefixes`` of `warnings.warn`, from Python 3.12 on, compares paths and would also
    skip a user's folder that begins like a package's.
    """
    level, frame = 1, sys._getframe(1)
    while frame.f_back and not _is_users(frame.f_globals, frame.f_code):
        level, frame = level + 1, frame.f_back
    return level


def _is_users(names: dict[str, Any], code: CodeType) -> bool:
    if code.co_filename.startswith("<doctest "):  # under the name of the module that it is of
        return True
    # A dataclass's generated `__init__`, of a subclass of the user's too.
    if code.co_qualname.startswith("__create_fn__."):
        return False
    return str(names.get("__name__")).partition(".")[0] not in _BETWEEN
