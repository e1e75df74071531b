"""plot() of a comparison over data sets, from a folder above this one."""

from collections.abc import Callable, Mapping
from typing import Any

from sklearn_stats_compare._messages import check_option

_ABOVE: dict[str, Callable[[], Mapping[str, Any]]] = {}


def register_pictures_of_datasets(pictures: Callable[[], Mapping[str, Any]]) -> None:
    """Register the displays by kind."""
    _ABOVE["pictures"] = pictures


def plot(self: Any, kind: str = "critical_difference", **options: Any) -> Any:
    """Draw the comparison.

    Parameters
    ----------
    kind : {"critical_difference", "ranks", "differences", "simplex"}, \
            default="critical_difference"
        What to draw: the kind ``"critical_difference"`` is `displays.CriticalDifferenceDisplay`,
        and so on.
    **options
        As for ``from_comparison`` of the display, such as ``ax``, or ``i`` and ``j`` of a pair.

    Returns
    -------
    display
        The display, drawn; ``display.figure_`` is the figure.

    Raises
    ------
    ValueError
        If `kind` is unknown, or the display cannot draw this comparison.
    ImportError
        If matplotlib is not installed.
    """
    pictures = _ABOVE["pictures"]()
    return pictures[check_option("kind", kind, pictures)].from_comparison(self, **options)
