"""MetricScatterDisplay: the candidates by two metrics, and who may be on the Pareto front."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._messages import check_count
from sklearn_stats_compare.comparison import TIMES, Comparison, SeveralMetrics, pareto_table
from sklearn_stats_compare.displays._base import (
    BLUE,
    GREY,
    Display,
    font_size,
    in_short,
    in_short_each,
    ink,
    naming_lines,
    styled,
)
from sklearn_stats_compare.displays._spreading import spread
from sklearn_stats_compare.stats import observed_front

_WIDE_RANGE = 20
"""Times whose largest is this many times the smallest are drawn on a logarithmic axis."""


class MetricScatterDisplay(Display):
    """Means of two metrics with their intervals, and the candidates that may be on the front.

    The named candidates are in the possibly-Pareto set: see `possibly_pareto`. Filled points are on
    the observed front: no other candidate has better means in both metrics. The intervals are those
    of single means. An overlap of two says little about their difference, because all scores rise
    and fall with the split.

    Parameters
    ----------
    table : DataFrame
        A row for each candidate, with the columns ``label``, the two metrics, ``x_low``,
        ``x_high``, ``y_low``, ``y_high``, and ``in_set``.
    x, y : str
        Names of the metrics.
    alpha : float, default=0.05
        Level of the set and of the intervals, for the legend.
    naming : str, default=""
        What labels are made of, shown with them.
    """

    def __init__(
        self, table: pd.DataFrame, *, x: str, y: str, alpha: float = 0.05, naming: str = ""
    ) -> None:
        self.table = table
        self.x = x
        self.y = y
        self.alpha = alpha
        self.naming = naming

    @classmethod
    def from_search(
        cls,
        search: Any,
        x: str,
        y: str,
        *,
        rope: float | Mapping[str, float] = 0.0,
        alpha: float | None = None,
        settings: Mapping[str, Any] | None = None,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Draw two metrics of a fitted search.

        Parameters
        ----------
        search : fitted search
            As for `possibly_pareto`: of this package, or another that `compare` reads.
        x, y : str
            Metrics on the two axes, as for `possibly_pareto`. Times are possible.
        rope : float or mapping of str to float, default=0.0
            As for `possibly_pareto`.
        alpha : float, optional
            Level, in (0, 1). Default: that of the search, or 0.05.
        settings : mapping, optional
            As for `possibly_pareto`, such as ``{"test_train_ratio": 1 / 9}``.
        ax : matplotlib axes, optional
            Where to draw. Default: a new figure.
        **options
            As for `plot`.

        Returns
        -------
        display : MetricScatterDisplay

        Raises
        ------
        ValueError
            If all candidates failed in one of the metrics, or as `possibly_pareto` does.
        """
        several = SeveralMetrics.of(search, [x, y], settings or {})
        return cls._of(several, rope, alpha).plot(ax=ax, **options)

    @classmethod
    def from_comparisons(
        cls,
        comparisons: Mapping[str, Comparison],
        x: str,
        y: str,
        *,
        rope: float | Mapping[str, float] = 0.0,
        alpha: float | None = None,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Draw two metrics of comparisons by metric, such as those of `cross_validate_models`.

        Parameters
        ----------
        comparisons : mapping of str to Comparison
            Comparisons of the same candidates on the same splits.
        x, y : str
            Metrics on the two axes.
        rope : float or mapping of str to float, default=0.0
            As for `possibly_pareto`.
        alpha : float, optional
            Level, in (0, 1). Default: that of the comparisons.
        ax : matplotlib axes, optional
            Where to draw. Default: a new figure.
        **options
            As for `plot`.

        Returns
        -------
        display : MetricScatterDisplay

        Raises
        ------
        ValueError
            If all candidates failed in one of the metrics, or as `possibly_pareto` does.
        """
        several = SeveralMetrics.of(comparisons, [x, y], {})
        return cls._of(several, rope, alpha).plot(ax=ax, **options)

    @classmethod
    def _of(cls, several: SeveralMetrics, rope: Any, alpha: float | None) -> Self:
        table = pareto_table(several, rope, alpha)
        x, y = several.criteria
        if table[[x, y]].isna().any(axis=1).all():
            raise ValueError("There is nothing to draw: every candidate failed on some split.")
        if table["p_val"].isna().all():
            raise ValueError("There is nothing to draw: one split has no standard errors.")
        level = several.comparison.alpha if alpha is None else alpha
        row_of = {index: row for row, index in enumerate(several.comparison.candidates or ())}
        rows = [row_of[index] for index in table.index]
        for axis, name in (("x", x), ("y", y)):
            low, high = several.criteria[name].limits(1 - level)
            table = table.assign(**{f"{axis}_low": low[rows], f"{axis}_high": high[rows]})
        naming = several.comparison.naming
        return cls(table, x=x, y=y, alpha=level, naming=naming)

    def frame(self) -> pd.DataFrame:
        """The plotted data of all candidates, with the rival of each that is shown dominated."""
        return self.table.copy()

    def plot(
        self, ax: Any = None, *, top: int = 25, errorbar_kw: Mapping[str, Any] | None = None
    ) -> Self:
        """Draw the candidates.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw. Default: a new figure. The names stand to the right of the axes: to leave
            room for them around your own, use ``fig, ax = plt.subplots(layout="constrained")``.
        top : int, default=25
            How many members of the set to name: those of the observed front first, then the best by
            `x`. The others are counted.
        errorbar_kw : dict, optional
            Style of the intervals.

        Returns
        -------
        self : MetricScatterDisplay
        """
        check_count("top", top)
        known = self.table.dropna(subset=[self.x, self.y, "p_val"])
        members = known["in_set"].to_numpy(dtype=bool)
        signs = np.array([-1.0 if name in TIMES else 1.0 for name in (self.x, self.y)])
        front = observed_front(signs * known[[self.x, self.y]].to_numpy(dtype=float))
        # Of a large set, those on the observed front have names before the others.
        first = np.argsort(~front[members], kind="stable")[:top]
        named = known[members].iloc[np.sort(first)]
        n_unnamed = int(members.sum()) - len(named)
        ax = self._set_axes(ax, width=8.0, height=max(4.8, 1.8 + 0.22 * len(named)))
        unnamed = f", {n_unnamed:,} without a name" if n_unnamed else ""
        level = f"{100 * (1 - self.alpha):.4g} %"
        for which, words, style in (
            (~members, "shown to be dominated", {"color": GREY, "markersize": 4, "zorder": 2}),
            (
                members & ~front,
                "possibly Pareto",
                {"color": BLUE, "markerfacecolor": ax.get_facecolor(), "zorder": 3},
            ),
            (members & front, "on the observed front", {"color": BLUE, "zorder": 4}),
        ):
            part = known[which]
            if part.empty:
                continue
            drawn = {"fmt": "o", "markersize": 5, "label": words, **style}
            bars = ax.errorbar(
                part[self.x],
                part[self.y],
                xerr=_distances(part, self.x, "x"),
                yerr=_distances(part, self.y, "y"),
                **styled({"elinewidth": 0.8, **drawn}, errorbar_kw, "errorbar_kw"),
            )
            for lines in bars[2]:  # many intervals would hide the points
                lines.set(alpha=min(0.8, max(0.15, 12 / len(known))), zorder=1)
        self._scale(ax, known)
        ax.spines[["right", "top"]].set_visible(False)
        words = f"bars: {level} intervals{unnamed}"
        naming = naming_lines(self.naming, 60)
        ax.set_xlabel("\n".join(filter(None, (_axis_words(self.x), words, naming))))
        ax.set_ylabel(_axis_words(self.y))
        # Above the axes: the names are beside them.
        ax.legend(
            loc="lower left",
            bbox_to_anchor=(0, 1),
            ncols=3 if self._own_figure else 1,
            frameon=False,
            fontsize="small",
            columnspacing=1.0,
            handletextpad=0.3,
        )
        self._name(ax, named)
        return self

    def _scale(self, ax: Any, known: pd.DataFrame) -> None:
        for name, axis in ((self.x, "x"), (self.y, "y")):
            least, most = known[name].min(), known[name].max()
            if name in TIMES and least > 0 and most > _WIDE_RANGE * least:
                getattr(ax, f"set_{axis}scale")("log", nonpositive="clip")
                # Limits of intervals may be 0, which has no place on the axis.
                getattr(ax, f"set_{axis}lim")(least / 2, 1.2 * known[f"{axis}_high"].max())

    def _name(self, ax: Any, named: pd.DataFrame) -> None:
        """Names to the right of the axes in the order of the points, with a line to each."""
        if named.empty:
            return
        # The limits and the height of the axes, in which the names need their room, are known only
        # after the layout. The canvas of a subfigure is that of its figure.
        ax.figure.canvas.figure.draw_without_rendering()
        points = ax.transData.transform(named[[self.x, self.y]].to_numpy(dtype=float))
        heights = ax.transAxes.inverted().transform(points)[:, 1]
        size = 0.9 * font_size()
        inches = ax.get_window_extent().height / ax.figure.dpi
        places = spread(heights, 1.3 * size / 72 / max(inches, 0.1))
        names = in_short_each(map(str, named["label"]))
        for k, (_, row) in enumerate(named.iterrows()):
            ax.annotate(
                names[str(row["label"])],
                (row[self.x], row[self.y]),
                (1.03, places[k]),
                textcoords="axes fraction",
                va="center",
                fontsize=size,
                color=ink(),
                arrowprops={
                    "arrowstyle": "-",
                    "color": GREY,
                    "linewidth": 0.5,
                    "alpha": 0.6,
                    "shrinkA": 1,
                    "shrinkB": 3,
                    "relpos": (0, 0.5),
                },
                annotation_clip=False,
            )


def _distances(table: pd.DataFrame, name: str, axis: str) -> NDArray[np.float64]:
    """Distances from the points to the ends of their intervals, shape (2, n)."""
    ends = [table[name] - table[f"{axis}_low"], table[f"{axis}_high"] - table[name]]
    return np.array(ends, dtype=float)


def _axis_words(name: str) -> str:
    if name in TIMES:
        return f"{name} in seconds (lower is better)"
    return f"{in_short(name)} (higher is better)"
