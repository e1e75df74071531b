"""Other settings for the same scores over data sets; a method of `DatasetsComparison`."""

import dataclasses
from typing import Any

_SETTINGS = ("test", "zeros", "alternative", "p_adjust", "rope", "alpha")


def with_settings(self: Any, **settings: Any) -> Any:
    """The same scores under other settings.

    Parameters
    ----------
    **settings
        Any of `test`, `zeros`, `alternative`, `p_adjust`, `rope` and `alpha`.

    Returns
    -------
    DatasetsComparison

    Raises
    ------
    TypeError
        If a setting is unknown.
    ValueError
        If a value is out of range.
    """
    for name in settings:
        if name not in _SETTINGS:
            raise TypeError(f"A setting must be one of {', '.join(_SETTINGS)}; got {name!r}.")
    return dataclasses.replace(self, **settings, warn=False)
