"""plot() and report() of a comparison over data sets, from folders above this one."""

from collections.abc import Callable, Mapping
from typing import Any

from sklearn_stats_compare._messages import check_option

_ABOVE: dict[str, Callable[[], Any]] = {}


def register_for_datasets(
    *, pictures: Callable[[], Mapping[str, Any]], report: Callable[[], Callable[..., str]]
) -> None:
    """Register the displays by kind, and the function `report`."""
    _ABOVE.update(pictures=pictures, report=report)


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


def report(self: Any, format: str = "text", **options: Any) -> str:
    """Report the comparison in words and tables, to read or to paste into a paper.

    Parameters
    ----------
    format : {"text", "markdown", "latex", "html", "json", "bibtex"}, default="text"
        As for `report`.
    **options
        As for `report`.

    Returns
    -------
    str
        The report, as `report` makes it.

    Raises
    ------
    ValueError
        If `format` is unknown, or as `report` does.
    """
    return _ABOVE["report"]()(self, format, **options)
