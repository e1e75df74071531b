"""RaceDisplay: how the candidates of a race fared, and where they were dropped."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
import pandas as pd

from sklearn_stats_compare.comparison import Comparison
from sklearn_stats_compare.displays._base import (
    GREY,
    LINE_COLOURS,
    VERMILLION,
    ComparisonDisplay,
    plain,
    shortened,
    styled,
)


class RaceDisplay(ComparisonDisplay):
    """Mean score so far over the splits of a race, one line per candidate.

    A line ends, with a cross, where its candidate was dropped. Lines of survivors reach the last
    split, where their means are those of a search that does not race.

    Parameters
    ----------
    means : DataFrame, shape (n_candidates, n_splits)
        Mean scores over the splits so far, in the order in which they were run; NaN after a
        candidate was dropped. Labels as index, survivors by their final mean first, numbers of
        splits as columns.
    looks : sequence of int
        Numbers of splits after which candidates could be dropped.
    n_fits, n_fits_full : int
        Fits of the race, and of a search that does not race.
    metric : str, default="score"
        Name of the score, for the axis.
    """

    def __init__(
        self,
        means: pd.DataFrame,
        *,
        looks: list[int],
        n_fits: int,
        n_fits_full: int,
        metric: str = "score",
    ) -> None:
        self.means = means
        self.looks = looks
        self.n_fits = n_fits
        self.n_fits_full = n_fits_full
        self.metric = metric

    @classmethod
    def from_comparison(cls, comparison: Comparison, *args: Any, **options: Any) -> Self:
        """Refused: a comparison holds the survivors and not the race; see `from_search`."""
        raise TypeError(
            "A race is drawn with `RaceDisplay.from_search(search)`: a comparison holds its "
            "survivors only."
        )

    @classmethod
    def from_search(
        cls, search: Any, *args: Any, metric: str | None = None, ax: Any = None, **options: Any
    ) -> Self:
        """Draw a fitted race.

        Parameters
        ----------
        search : RacingGridSearchCV or RacingRandomizedSearchCV
            A fitted search.
        *args
            None; there is nothing to choose.
        metric : str, optional
            Metric to draw. Default: the one that decided the race.
        ax : matplotlib axes, optional
            Where to draw. Default: a new figure.
        **options
            As for `plot`.

        Returns
        -------
        display : RaceDisplay

        Raises
        ------
        TypeError
            If the search is no race.
        ValueError
            If the metric is unknown.
        """
        if not hasattr(search, "race_order_"):
            raise TypeError(
                "`search` must be a fitted race, such as RacingGridSearchCV; "
                f"got {type(search).__name__}."
            )
        metric = search.race_metric_ if metric is None else metric
        results = search.cv_results_
        if f"split0_test_{metric}" not in results:
            raise ValueError(f"`metric` must be one that was scored; got {metric!r}.")
        scores = np.column_stack([results[f"split{k}_test_{metric}"] for k in search.race_order_])
        so_far = np.arange(1, scores.shape[1] + 1)
        means = np.cumsum(scores, axis=1) / so_far  # NaN from the first split that was not run
        labels = search.race_labels_
        last = np.array([row[~np.isnan(row)][-1] if row[0] == row[0] else np.nan for row in means])
        n_run = np.asarray(results["n_splits_evaluated"])
        order = np.lexsort((-last, -n_run))
        return cls(
            pd.DataFrame(
                means[order],
                index=pd.Index([labels[i] for i in order], name="candidate"),
                columns=so_far,
            ),
            looks=search.race_history_.dropna(subset="look")["n_splits"].tolist(),
            n_fits=search.n_fits_,
            n_fits_full=search.n_fits_full_,
            metric=metric,
        ).plot(ax=ax, **options)

    def frame(self) -> pd.DataFrame:
        """Mean so far, a row per candidate and a column per number of splits."""
        return self.means.copy()

    def plot(
        self,
        ax: Any = None,
        *,
        n_coloured: int = len(LINE_COLOURS),
        line_kw: Mapping[str, Any] | None = None,
    ) -> Self:
        """Draw the lines.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw. Default: a new figure.
        n_coloured : int, default=6
            How many of the best survivors, at most 6, get a colour and a name; other survivors are
            dark, dropped candidates pale.
        line_kw : dict, optional
            Style of the lines of named candidates.

        Returns
        -------
        self : RaceDisplay
        """
        ax = self._set_axes(ax, width=8.0)
        values, splits = self.means.to_numpy(), self.means.columns.to_numpy()
        n_run = (~np.isnan(values)).sum(axis=1)
        survives = n_run == splits.size
        for look in self.looks:
            ax.axvline(look, color=GREY, linewidth=0.6, linestyle=":", zorder=0)
        for row, end in zip(values[~survives], n_run[~survives], strict=True):
            ax.plot(splits[:end], row[:end], color=GREY, linewidth=0.6, alpha=0.4, zorder=1)
            if end:
                cross = {"marker": "x", "markersize": 4, "color": VERMILLION, "alpha": 0.7}
                ax.plot(splits[end - 1], row[end - 1], **cross, zorder=1)
        named = np.flatnonzero(survives)[: min(n_coloured, len(LINE_COLOURS))]
        for k in np.flatnonzero(survives)[len(named) :]:
            ax.plot(splits, values[k], color=GREY, linewidth=0.9, zorder=2)
        for position, k in reversed(list(enumerate(named))):  # the winner last, on top
            label = shortened(str(self.means.index[k]))
            defaults = {"color": LINE_COLOURS[position], "zorder": 3, "label": label}
            ax.plot(splits, values[k], **styled(defaults, line_kw))
        lowest, highest = _limits(values, self.looks)
        margin = 0.05 * (highest - lowest) or 0.5
        ax.set_ylim(lowest - margin, highest + margin)
        n_dropped, n = int((~survives).sum()), len(values)
        share = self.n_fits / self.n_fits_full
        ends = np.array([row[end - 1] for row, end in zip(values, n_run, strict=True) if end])
        n_below = int((ends < lowest - margin).sum())
        below = f"\n{n_below:,} of them below the picture" if n_below else ""
        ax.set(xlabel="splits run", ylabel=f"mean {plain(self.metric)} so far")
        ax.set_title(
            f"{n_dropped:,} of {n:,} candidates dropped (×), {share:.0%} of the fits{below}",
            loc="left",
            fontsize="medium",
        )
        ax.xaxis.get_major_locator().set_params(integer=True)
        ax.spines[["right", "top"]].set_visible(False)
        handles, labels = ax.get_legend_handles_labels()
        n_grey = int(survives.sum()) - len(named)
        title = "survivors" + (f"\nand {n_grey} more, grey" if n_grey else "")
        if handles:
            self._legend(ax, handles=handles[::-1], labels=labels[::-1], title=title)
        return self


def _limits(values: np.ndarray, looks: list[int]) -> tuple[float, float]:
    """Lowest and highest mean to show: what was dropped at the first look may lie far below."""
    finite = values[np.isfinite(values)]
    if not finite.size:
        return 0.0, 1.0
    lowest, highest = float(finite.min()), float(finite.max())
    later = values[~np.isnan(values[:, looks[0]])] if looks else values
    if later.size:
        decided = float(np.nanmin(later))
        if highest - lowest > 3 * (highest - decided):
            lowest = decided
    return lowest, highest
