"""DatasetDifferencesDisplay: differences of two models on each data set, as a forest plot."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._messages import (
    check_count,
    check_interval,
    check_probability,
    count,
    level_words,
)
from sklearn_stats_compare.displays._base import (
    BLUE,
    GREY,
    check_names,
    draw_band,
    in_short,
    in_short_each,
    ink,
    row_height,
    styled,
)
from sklearn_stats_compare.displays._over_datasets import (
    DatasetsDisplay,
    check_datasets_comparison,
    check_table,
    chosen_models,
    label_width,
    legend_columns,
    room_of_rows,
)

_RAW = ("mean_diff", "ci_low", "ci_high")
_SHRUNKEN = ("shrunken", "shrunken_low", "shrunken_high")


class DatasetDifferencesDisplay(DatasetsDisplay):
    """Difference of two models on each data set, as measured and as shrunken.

    The measured differences scatter more than the true ones. The hierarchical model moves each of
    them towards the mean over data sets, the more, the less precise it is. Below the data sets are
    the mean over data sets and the next data set, if given.

    Parameters
    ----------
    table : DataFrame
        A row for each data set, with the columns ``dataset``; ``mean_diff``, the first model minus
        the second, in score units; ``ci_low`` and ``ci_high``, optional, the limits of its
        interval; ``shrunken``, ``shrunken_low`` and ``shrunken_high``, optional, the shrunken
        difference and the limits of its interval. Intervals may be NaN.
    names : sequence of two str
        Labels of the first and of the second model.
    rope : float or (float, float)
        The ROPE: a half-width or (low, high), in score units.
    summary : DataFrame, optional
        Rows to draw below the data sets, with the columns ``dataset``, the words for the row, and
        ``mean_diff``, ``ci_low`` and ``ci_high``.
    metric : str, default="score"
        Name of the score, for the axis.
    alpha : float, default=0.05
        Level of the intervals, shown below the axis.

    Raises
    ------
    ValueError
        If a column is missing, a difference is not finite, or an option is out of range.

    References
    ----------
    Corani, G., Benavoli, A., Demšar, J., Mangili, F. and Zaffalon, M. (2017). Statistical
    comparison of classifiers through Bayesian hierarchical modelling. Machine Learning 106,
    1817–1837. https://doi.org/10.1007/s10994-017-5641-9
    """

    def __init__(
        self,
        table: pd.DataFrame,
        names: Sequence[str],
        *,
        rope: float | tuple[float, float],
        summary: pd.DataFrame | None = None,
        metric: str = "score",
        alpha: float = 0.05,
    ) -> None:
        columns: tuple[str, ...] = ("dataset", "mean_diff")
        for optional in (_RAW[1:], _SHRUNKEN):
            if any(column in table for column in optional):
                columns += optional  # all of them, or none
        check_table("table", table, columns)
        if not np.isfinite(table["mean_diff"]).all():
            raise ValueError(
                "`table` must have a finite number in the column 'mean_diff' for each data set; "
                f"got {count(int((~np.isfinite(table['mean_diff'])).sum()), 'other value')}."
            )
        if summary is not None:
            check_table("summary", summary, ("dataset", *_RAW))
        self.table = table
        self.names = check_names(names)
        self.rope = check_interval("rope", rope)
        self.summary = summary
        self.metric = metric
        self.alpha = check_probability("alpha", alpha)

    @classmethod
    def from_comparison(
        cls,
        comparison: Any,
        i: int | str | None = None,
        j: int | str | None = None,
        *,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Draw model `i` minus model `j` on the data sets of a comparison.

        The hierarchical model is part of the picture if the split scores of all data sets are
        known.

        Parameters
        ----------
        comparison : comparison over data sets
            What to draw.
        i, j : int or str, optional
            Rows or labels of two models. Default: the leader, and the best of the others.
        ax : matplotlib axes, optional
            Where to draw. Default: a new figure.
        **options
            As for `plot`.

        Returns
        -------
        display : DatasetDifferencesDisplay

        Raises
        ------
        ValueError
            If there is no such model, or `i` and `j` are the same.
        """
        rows, names = chosen_models(check_datasets_comparison(comparison), i, j)
        table, summary = comparison.on_each(*rows), None
        if len(comparison.comparisons) == len(comparison.datasets):
            result = comparison.hierarchical(*rows)
            table = table.assign(**{name: getattr(result, name) for name in _SHRUNKEN})
            summary = result.summary
        return cls(
            table,
            names,
            rope=comparison.rope_bounds,
            summary=summary,
            metric=comparison.metric,
            alpha=comparison.alpha,
        ).plot(ax=ax, **options)

    def frame(self) -> pd.DataFrame:
        """The table from the largest difference to the smallest, then the rows of `summary`."""
        table = self.table.sort_values("mean_diff", ascending=False, kind="stable")
        parts = [table] if self.summary is None else [table, self.summary]
        return pd.concat(parts, ignore_index=True)

    def plot(
        self, ax: Any = None, *, top: int = 60, errorbar_kw: Mapping[str, Any] | None = None
    ) -> Self:
        """Draw the differences.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw. Default: a new figure, as high as its rows need. To leave room for labels
            around your own axes, use ``fig, ax = plt.subplots(layout="constrained")``.
        top : int, default=60
            How many data sets to draw: half of them those with the largest differences, half of
            them those with the smallest. The title counts the others, which are between these.
        errorbar_kw : dict, optional
            Style of the intervals.

        Returns
        -------
        self : DatasetDifferencesDisplay
        """
        frame = self.frame()
        n, most = len(self.table), check_count("top", top)
        n_out = max(0, n - most)
        above = n if not n_out else (most + 1) // 2
        shown = frame.drop(index=range(above, above + n_out))
        is_summary = shown.index >= n
        # A row is left free where data sets are left out, and half a row above the summary.
        at = -np.arange(len(shown), dtype=float) - 0.5 * is_summary
        at[above:] -= bool(n_out)
        ax = self._set_axes(ax, width=8.0, height=row_height(0) + 0.25 * (1 - at.min()))
        ax.axvline(0, color=GREY, linewidth=0.8)
        drawn = self._draw(ax, shown, is_summary, at, errorbar_kw)
        labels = in_short_each([*self.names, *map(str, shown["dataset"])], label_width(ax))
        ticks = [labels[str(name)] for name in shown["dataset"]]
        if n_out:
            at, ticks = np.append(at, -float(above)), [*ticks, "⋮"]
            words = f"and {count(n_out, 'data set')} between these not shown"
            ax.set_title(words, loc="left", fontsize="medium")
        ax.set_yticks(at, ticks)
        ax.set_ylim(at.min() - 0.7, 0.7)
        if is_summary.any():
            ax.axhline(at[: len(shown)][is_summary].max() + 0.75, color=GREY, linewidth=0.8)
        ax.spines[["left", "right", "top"]].set_visible(False)
        ax.tick_params(axis="y", length=0)
        draw_band(ax, self.rope, label="ROPE")
        first, second = (labels[name] for name in self.names)
        bars = f"bars: {level_words(self.alpha)} intervals" if _has_intervals(shown) else ""
        words = f"difference in {in_short(self.metric)}:\n{first} − {second}"
        ax.set_xlabel(f"{words}\n{bars}".rstrip())
        self._legend(ax, above=True, **legend_columns(ax))
        size = room_of_rows(ax, 1.4 - at.min())
        ax.tick_params(axis="y", labelsize=size)
        for points, bars in drawn:
            points.set_markersize(min(points.get_markersize(), 0.5 * size))
            for lines in bars:
                lines.set_linewidth(np.minimum(lines.get_linewidth(), 0.2 * size))
        return self

    def _draw(
        self,
        ax: Any,
        shown: pd.DataFrame,
        is_summary: NDArray[np.bool_],
        at: NDArray[np.float64],
        errorbar_kw: Mapping[str, Any] | None,
    ) -> list[tuple[Any, Any]]:
        """Points with intervals in the rows; returns the lines of both."""
        both = _SHRUNKEN[0] in shown
        sets = [
            (_RAW, ~is_summary, 0.16 * both, "measured",
             {"fmt": "o", "color": GREY, "markerfacecolor": ax.get_facecolor(), "markersize": 4}),
            (_SHRUNKEN, ~is_summary, -0.16, "shrunken",
             {"fmt": "o", "color": BLUE, "markersize": 4}),
            (_RAW, is_summary, 0.0, "over data sets",
             {"fmt": "D", "color": ink(), "markersize": 5, "elinewidth": 2.0}),
        ]  # fmt: skip
        lines = []
        for columns, which, offset, words, style in sets:
            if columns[0] not in shown or not which.any():
                continue
            part = shown[which]
            point = part[columns[0]].to_numpy(dtype=float)
            spread = None
            if columns[1] in part:
                low, high = (part[name].to_numpy(dtype=float) for name in columns[1:])
                spread = np.array([point - low, high - point])
            # A point may be outside an interval that is not around it.
            drawn = ax.errorbar(
                point,
                at[which] + offset,
                xerr=spread,
                **styled({**style, "label": words}, errorbar_kw, "errorbar_kw"),
            )
            lines.append((drawn.lines[0], drawn.lines[2]))
        return lines


def _has_intervals(table: pd.DataFrame) -> bool:
    return any(name in table and table[name].notna().any() for name in (_RAW[1], _SHRUNKEN[1]))
