"""plot(), report() and help() of a comparison, from folders that this one may not import.

On import, the package registers functions that import those folders on first use. Each public
function but `register_plot_and_report` is a method of `Comparison`.
"""

from collections.abc import Callable, Mapping
from typing import Any

from sklearn_stats_compare._messages import check_option
from sklearn_stats_compare.comparison._help import help_tree

_ABOVE: dict[str, Callable[[], Any]] = {}


def register_plot_and_report(
    *,
    pictures: Callable[[], Mapping[str, Any]],
    report: Callable[[], Callable[..., str]],
) -> None:
    """Register the displays by kind, and the function `report`."""
    _ABOVE.update(pictures=pictures, report=report)


def plot(self: Any, kind: str = "leader", **options: Any) -> Any:
    """Draw the comparison; `help` lists the kinds of pictures.

    Parameters
    ----------
    kind : {"leader", "pairwise", "parameter_heatmap", "parameter_profile", "posterior", \
            "ranks", "rope_sensitivity", "split_scores", "subgroups"}, default="leader"
        What to draw: the kind ``"leader"`` is `displays.LeaderDisplay`, and so on.
    **options
        As for ``from_comparison`` of the display, such as ``ax``, ``parameter="C"`` for a parameter
        profile or ``groups`` for subgroups. To leave room for labels around your own `ax`, use
        constrained layout: ``fig, ax = plt.subplots(layout="constrained")``.

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


def help(self: Any) -> None:
    """Print what can be asked of the comparison, as a tree."""
    print(help_tree(self, _ABOVE["pictures"]()))
