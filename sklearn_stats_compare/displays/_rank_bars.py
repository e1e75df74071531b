"""Bars of a critical-difference diagram, which join groups of models: check, levels, drawing."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare._messages import check_listed, shown
from sklearn_stats_compare.displays._base import BLUE, styled


def check_groups(groups: Any, labels: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the labels in each group, else raise."""
    listed = check_listed("groups", groups, "a sequence of groups of labels")
    checked = []
    for group in listed:
        names = tuple(str(name) for name in check_listed("groups", group, "groups of labels"))
        unknown = [name for name in names if name not in labels]
        if unknown:
            raise ValueError(f"`groups` must name models of `mean_ranks`; got {shown(unknown[0])}.")
        checked.append(names)
    return checked


def bar_levels(
    bars: Sequence[tuple[int, ...]], places: NDArray[np.float64], gap: float
) -> list[int]:
    """Level of each bar: the first on which it is at least `gap` from the others.

    Bars are given from the left, each by the positions of its models.
    """
    ends: list[float] = []
    levels = []
    for bar in bars:
        start, end = places[bar[0]], places[bar[-1]]
        level = next((k for k, last in enumerate(ends) if start - last > gap), len(ends))
        ends[level : level + 1] = [end]
        levels.append(level)
    return levels


def draw_bar(
    ax: Any,
    places: NDArray[np.float64],
    group: Sequence[int],
    at: float,
    overhang: float,
    size: float,
    bar_kw: Mapping[str, Any] | None,
) -> None:
    """Draw the bar of a group at a height, `overhang` longer than the group on each side.

    Between neighbours it is thick. Where it passes others it is thin, and its members have dots.
    """
    style = styled(
        {"color": BLUE, "linewidth": 0.4 * size, "solid_capstyle": "butt", "zorder": 3},
        bar_kw,
        "bar_kw",
    )
    runs = np.split(np.asarray(group), np.flatnonzero(np.diff(group) > 1) + 1)
    for run in runs:
        if len(run) > 1:
            ends = [places[run[0]] - overhang, places[run[-1]] + overhang]
            ax.plot(ends, [at, at], **style)
    if len(runs) > 1:
        thin = {**style, "linewidth": 0.1 * size}
        ax.plot(places[[group[0], group[-1]]], [at, at], **thin)
        dots = {"color": style["color"], "markersize": 0.5 * size, "zorder": style["zorder"]}
        ax.plot(places[list(group)], [at] * len(group), "o", **dots)
