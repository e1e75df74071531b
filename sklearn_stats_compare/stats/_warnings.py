"""The package's one warning, and how it points at the user's own line."""

import sys
from pathlib import Path

_PACKAGE = str(Path(__file__).parents[1])


class ComparisonWarning(UserWarning):
    """The numbers are as good as the splits allow, and the splits do not allow much."""


def outside_level() -> int:
    """The `stacklevel` that lets a warning of the caller point at the user's line.

    That is the first frame whose file is not the package's, past the generated ``__init__`` of a
    dataclass. From Python 3.12 on `warnings.warn` has ``skip_file_prefixes`` for this.
    """
    level, frame = 1, sys._getframe(1)
    while frame.f_back and frame.f_code.co_filename.startswith((_PACKAGE, "<string>")):
        level, frame = level + 1, frame.f_back
    return level
