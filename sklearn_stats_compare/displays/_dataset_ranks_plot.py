"""DatasetRanksDisplay: the ranks of each model on the data sets, with their mean and quartiles."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
import pandas as pd

from sklearn_stats_compare._messages import check_count, check_numbers, count
from sklearn_stats_compare.displays._base import (
    BLUE,
    ORANGE,
    SKY,
    in_short,
    in_short_each,
    ink,
    row_height,
    styled,
)
from sklearn_stats_compare.displays._over_datasets import (
    DatasetsDisplay,
    check_datasets_comparison,
    label_width,
    legend_columns,
    room_of_rows,
)

# Visible on light and on dark backgrounds.
_DOTS = {"color": SKY, "alpha": 0.5, "linewidth": 0}
_HALF = 0.34  # rows; half the height of the largest dot


class DatasetRanksDisplay(DatasetsDisplay):
    """How often each model has each rank over data sets, with its mean rank and quartiles.

    The area of a dot is the number of data sets on which the model has this rank. Bars are the
    quartiles of its ranks over data sets: they describe the data sets at hand and are no confidence
    intervals. A wide bar belongs to a model that is good on some data sets and poor on others.

    Parameters
    ----------
    ranks : DataFrame, shape (n_models, n_datasets)
        Rank of each model on each data set, 1 the best, ties averaged; a row for each model,
        indexed by its label.
    metric : str, default="score"
        Name of the score, for the axis.

    Raises
    ------
    ValueError
        If labels are not unique, or a rank is missing or not from 1 to n_models.
    """

    def __init__(self, ranks: pd.DataFrame, *, metric: str = "score") -> None:
        if not isinstance(ranks, pd.DataFrame):
            raise TypeError(f"`ranks` must be a DataFrame; got {type(ranks).__name__}.")
        values = check_numbers("ranks", ranks)
        if not values.size:
            raise ValueError(f"`ranks` must not be empty; got shape {values.shape}.")
        if not ((values >= 1) & (values <= len(values))).all():
            raise ValueError(
                f"`ranks` must be ranks of {count(len(values), 'model')}, from 1 to "
                f"{len(values)}; got values from {values.min():g} to {values.max():g}."
            )
        if not ranks.index.is_unique:
            raise ValueError(
                "`ranks` must have unique labels; got more than one "
                f"{str(ranks.index[ranks.index.duplicated()][0])!r}."
            )
        self.ranks = ranks
        self.metric = metric

    @classmethod
    def from_comparison(cls, comparison: Any, *, ax: Any = None, **options: Any) -> Self:
        """Draw the ranks of a comparison over data sets.

        Parameters
        ----------
        comparison : comparison over data sets
            What to draw.
        ax : matplotlib axes, optional
            Where to draw. Default: a new figure.
        **options
            As for `plot`.

        Returns
        -------
        display : DatasetRanksDisplay
        """
        check_datasets_comparison(comparison)
        order = list(comparison.order)  # which also orders tied models
        labels = [str(comparison.labels[row]) for row in order]
        ranks = pd.DataFrame(np.asarray(comparison.ranks)[order], labels, list(comparison.datasets))
        return cls(ranks, metric=comparison.metric).plot(ax=ax, **options)

    def frame(self) -> pd.DataFrame:
        """Mean rank and quartiles of the ranks of each model, from the best mean rank.

        Columns: ``label``, ``mean_rank``, ``rank_q1``, ``rank_median`` and ``rank_q3``. Quartiles
        interpolate linearly, as ``numpy.quantile`` does.
        """
        values = self.ranks.to_numpy(dtype=float)
        quartiles = np.quantile(values, [0.25, 0.5, 0.75], axis=1)
        table = pd.DataFrame(
            {
                "label": [str(label) for label in self.ranks.index],
                "mean_rank": values.mean(axis=1),
                **dict(zip(("rank_q1", "rank_median", "rank_q3"), quartiles, strict=True)),
            }
        )
        # Rounded, because sums of tied ranks may differ in their last digit.
        order = np.argsort(table["mean_rank"].to_numpy().round(12), kind="stable")
        return table.iloc[order].reset_index(drop=True)

    def plot(
        self, ax: Any = None, *, top: int = 30, errorbar_kw: Mapping[str, Any] | None = None
    ) -> Self:
        """Draw the ranks.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw. Default: a new figure, as high as its rows need. To leave room for labels
            around your own axes, use ``fig, ax = plt.subplots(layout="constrained")``.
        top : int, default=30
            How many models to draw, the best first; the title counts the others.
        errorbar_kw : dict, optional
            Style of the bars, from the lower to the upper quartile.

        Returns
        -------
        self : DatasetRanksDisplay
        """
        table = self.frame()
        shown = table.iloc[: check_count("top", top)]
        n, m = len(shown), len(table)
        ax = self._set_axes(ax, width=8.0, height=row_height(n))
        rows = np.arange(n)[::-1]  # the best on top: the axis grows upwards
        names = in_short_each(shown["label"], label_width(ax))
        ax.set_yticks(rows, [names[label] for label in shown["label"]])
        ax.set_ylim(-0.7, n - 0.3)
        ax.set_xlim(min(0.5, 1 - 0.02 * m), max(m + 0.5, 1.02 * m))
        locator = ax.xaxis.get_major_locator()
        locator.set_params(integer=True, min_n_ticks=1)
        # Ranks begin at 1, where a locator has no tick; one that is close would overlap it.
        ax.set_xticks([1, *(tick for tick in locator.tick_values(1, m) if 1 + m / 15 < tick <= m)])
        ax.spines[["left", "right", "top"]].set_visible(False)
        ax.tick_params(axis="y", length=0)
        n_datasets = self.ranks.shape[1]
        ax.set_xlabel(
            f"rank by {in_short(self.metric)} on {count(n_datasets, 'data set')}\n"
            f"1 is the best of {m:,}"
        )
        if m > n:
            ax.set_title(f"and {m - n:,} not shown", loc="left", fontsize="medium")
        points = self._draw_bars(ax, shown, rows, errorbar_kw)
        size = room_of_rows(ax, n)
        ax.tick_params(axis="y", labelsize=size)
        points.set_markersize(min(5.0, 0.6 * size))
        self._draw_dots(ax, shown, rows)
        return self

    def _draw_bars(self, ax: Any, shown: pd.DataFrame, rows: Any, errorbar_kw: Any) -> Any:
        """Quartiles, mean ranks and the legend; returns the line of the mean ranks."""
        # The dots are drawn last, when the height of a row is known; the legend needs its entry.
        ax.plot([], [], "o", label="data sets (area)", **_DOTS)
        low, high = shown["rank_q1"].to_numpy(), shown["rank_q3"].to_numpy()
        style = {"fmt": "none", "color": BLUE, "elinewidth": 2.0, "label": "quartiles"}
        ax.errorbar(
            (low + high) / 2,
            rows,
            xerr=(high - low) / 2,
            **styled(style, errorbar_kw, "errorbar_kw"),
        )
        (points,) = ax.plot(
            shown["mean_rank"],
            rows,
            "D",
            color=ORANGE,
            markeredgecolor=ink(),
            markeredgewidth=0.6,
            markersize=5,
            label="mean rank",
            zorder=4,
        )
        self._legend(ax, above=True, **legend_columns(ax))
        return points

    def _draw_dots(self, ax: Any, shown: pd.DataFrame, rows: Any) -> None:
        row_of = {str(label): row for row, label in enumerate(self.ranks.index)}
        values = self.ranks.to_numpy(dtype=float)
        points = 72 * ax.get_window_extent().height / ax.figure.dpi / (len(rows) + 0.4)
        counted = [
            (rank, row, times)
            for label, row in zip(shown["label"], rows, strict=True)
            for rank, times in zip(
                *np.unique(values[row_of[label]], return_counts=True), strict=True
            )
        ]
        at, heights, times = np.array(counted, dtype=float).T
        low, high = ax.get_xlim()
        across = 72 * ax.get_window_extent().width / ax.figure.dpi / (high - low)
        # The largest dot has nearly the height of a row, in points; `s` is an area.
        largest = (2 * _HALF * min(points, 1.3 * across, 40.0)) ** 2
        ax.scatter(at, heights, s=largest * times / times.max(), zorder=1.5, **_DOTS)  # fmt: skip
