"""What displays of a comparison over data sets share: its check, its pairs, rows that fit."""

from typing import Any, Self

import numpy as np
import pandas as pd

from sklearn_stats_compare._messages import shown, shown_list
from sklearn_stats_compare.comparison import CandidateNames
from sklearn_stats_compare.displays._base import Display, compares_datasets, font_size


class DatasetsDisplay(Display):
    """A picture of a comparison over data sets: `from_comparison` reads the data and draws."""

    @classmethod
    def from_comparison(cls, comparison: Any, *args: Any, **options: Any) -> Self:
        """Draw a comparison over data sets; each display documents its own arguments."""
        raise NotImplementedError


def check_datasets_comparison(comparison: Any) -> Any:
    """Return `comparison` if it compares models over data sets, else raise TypeError."""
    if not compares_datasets(comparison):
        raise TypeError(
            "`comparison` must be a comparison over data sets, which compare_datasets returns; got "
            f"{type(comparison).__name__}."
        )
    return comparison


def chosen_models(
    comparison: Any, i: int | str | None, j: int | str | None
) -> tuple[tuple[int, int], tuple[str, str]]:
    """Rows and labels of the pair to draw: by default the leader, and the best of the others."""
    labels = tuple(map(str, comparison.labels))
    names = CandidateNames(labels, tuple(range(len(labels))))
    order = [int(row) for row in comparison.order]
    first = order[0] if i is None else names.row(i, "i")
    others = [row for row in order if row != first]
    second = others[0] if j is None else names.row(j, "j")
    if first == second:
        raise ValueError(f"`i` and `j` must be two models; got {labels[first]!r} twice.")
    return (first, second), (labels[first], labels[second])


def check_table(name: str, table: Any, columns: tuple[str, ...]) -> pd.DataFrame:
    """Return `table` if it is a frame with rows and these columns, else raise."""
    if not isinstance(table, pd.DataFrame):
        raise TypeError(f"`{name}` must be a DataFrame; got {type(table).__name__}.")
    lacking = [column for column in columns if column not in table]
    if lacking:
        raise ValueError(
            f"`{name}` must have the columns {shown_list(columns)}; got none named "
            f"{shown_list(lacking)}."
        )
    if table.empty:
        raise ValueError(f"`{name}` must have at least one row; got none.")
    unnumbered = [
        column
        for column in columns
        if column not in ("label", "dataset") and not pd.api.types.is_numeric_dtype(table[column])
    ]
    if unnumbered:
        raise ValueError(
            f"`{name}` must have numbers in the column {unnumbered[0]!r}; got "
            f"{shown(table[unnumbered[0]].iloc[0])}."
        )
    return table


def label_width(ax: Any) -> int:
    """How many characters of a label fit next to the axes: fewer if these are narrow."""
    return int(np.clip(0.35 * _width(ax) / (0.55 * float(font_size())), 10, 28))


def legend_columns(ax: Any) -> dict[str, int]:
    """Options of a legend above the axes: a single column if these are narrow."""
    return {"ncols": 1} if _width(ax) < 28 * float(font_size()) else {}


def _width(ax: Any) -> float:
    points: float = 72 * ax.get_window_extent().width / ax.figure.dpi
    return points


def room_of_rows(ax: Any, n_rows: float, reserved: float = 0.0) -> float:
    """Size of text in points at which `n_rows` lines fit into the height of the axes.

    `reserved` points of the height are for something else. The size is at most that of the user's
    style; it is smaller in small axes only.
    """
    # The height is known only after the layout. The canvas of a subfigure is that of its figure.
    ax.figure.canvas.figure.draw_without_rendering()
    points = 72 * ax.get_window_extent().height / ax.figure.dpi - reserved
    return max(1.0, min(float(font_size()), points / (1.25 * n_rows)))
