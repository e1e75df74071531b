"""RaceDisplay: means of the candidates of a race, and where candidates were dropped."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._utils._validation import check_count
from sklearn_stats_compare.comparison._saving import split_column
from sklearn_stats_compare.comparison.readers._sizes import single_metric_name
from sklearn_stats_compare.displays import _base
from sklearn_stats_compare.displays._base import Style
from sklearn_stats_compare.stats._numeric import LARGEST

_SHOWN_WHOLE = 10  # up to this many candidates, all are shown, however far apart they are

_MOST_LOOKS = 10
"""Most looks that are marked."""


@dataclass(eq=False, repr=False)
class RaceDisplay(_base.Display):
    """Mean score so far over the splits of a race, one line per candidate.

    A line ends with a cross where its candidate was dropped; an arrow at the lower edge marks a
    cross below the plot. Lines of survivors reach the last split, with the same means as in a
    search without a race.

    Parameters
    ----------
    means : DataFrame, shape (n_candidates, n_splits)
        Mean scores over the splits so far, in the order in which they were run; NaN after a
        candidate was dropped. Labels as index, survivors by their final mean first, numbers of
        splits as columns.
    survives : sequence of bool, shape (n_candidates,)
        Whether each candidate finished.
    looks : sequence of int
        Numbers of splits after which candidates could be dropped.
    n_fits, n_fits_full : int
        Fits of the race, and of a search without a race.
    metric : str, default="score"
        Name of the score, for the axis.
    naming : str, default=""
        What labels are made of, shown with them.
    cut : str, default=""
        Where `max_time` cut the race, for the title.
    """

    means: pd.DataFrame
    survives: Sequence[bool]
    _: KW_ONLY
    looks: Sequence[int]
    n_fits: int
    n_fits_full: int
    metric: str = "score"
    naming: str = ""
    cut: str = ""

    @classmethod
    def from_search(
        cls, search: Any, *, metric: str | None = None, ax: Any = None, **options: Any
    ) -> Self:
        """Draw a fitted race.

        Parameters
        ----------
        search : RacingGridSearchCV or RacingRandomizedSearchCV
            A fitted search.
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
            If the search is not a race.
        ValueError
            If the search is not fitted, or the metric is unknown.
        """
        # By its attributes, because displays/ may not import the searches.
        if not hasattr(search, "race_metric"):
            raise TypeError(
                "`search` must be a fitted race, such as RacingGridSearchCV; "
                f"got {type(search).__name__}."
            )
        if not hasattr(search, "race_order_"):
            raise ValueError("`search` must be fitted: call its `fit` first.")
        results = search.cv_results_
        single = single_metric_name(search)
        # A race that was cut before its first look may not know its metric.
        metric = (search.race_metric_ or "score") if metric is None else metric
        name = metric
        if metric in ("score", single) and split_column(0, "score") in results:
            metric, name = "score", single
        if split_column(0, metric) not in results:
            raise ValueError(f"`metric` must be one that was scored; got {metric!r}.")
        # In the order in which the race ran the splits, not by split number.
        scores = np.column_stack([results[split_column(k, metric)] for k in search.race_order_])
        # An extension adds splits that were no part of the race.
        n_run = np.minimum(results["n_splits_evaluated"], len(search.race_order_))
        survives = np.isnan(results["eliminated_at"])
        # For survivors from the table, where rounding does not depend on the order of splits.
        final = np.where(survives, results[f"mean_test_{metric}"], np.nan)
        means = _means_so_far(scores, n_run)
        # The last key of lexsort is the primary one: survivors, then the number of splits run.
        order = np.lexsort((-means[np.arange(len(means)), n_run - 1], -final, -n_run, ~survives))
        return cls(
            pd.DataFrame(
                means[order],
                index=pd.Index([search.race_labels_[i] for i in order], name="candidate"),
                columns=np.arange(1, scores.shape[1] + 1),
            ),
            survives[order].tolist(),
            looks=search.race_history_.dropna(subset="look")["n_splits"].tolist(),
            n_fits=int(n_run.sum()),
            n_fits_full=scores.size,
            metric=name,
            naming=getattr(search.race_labels_, "naming", ""),
            cut="" if search.stopped_ is None else search.stopped_.split(";")[0],
        ).plot(ax=ax, **options)

    def frame(self) -> pd.DataFrame:
        """Mean so far, a row per candidate and a column per number of splits."""
        return self.means.copy()

    def plot(
        self, ax: Any = None, *, n_coloured: int = len(_base.LINE_COLOURS), line_kw: Style = None
    ) -> Self:
        """Draw the lines.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw. Default: a new figure.
        n_coloured : int, default=6
            Number of best survivors with a colour and a name, at most 6. Other survivors are dark,
            dropped candidates pale.
        line_kw : dict, optional
            Style of the lines of named candidates.

        Returns
        -------
        self : RaceDisplay
        """
        ax = self._set_axes(ax, width=8.0)
        values, survives = self.means.to_numpy(), np.array(self.survives, dtype=bool)
        bottom, top = _limits(values, self.looks)
        # Before drawing: a cross at the bottom marks lines that leave the plot, and autoscaling
        # would include them.
        ax.set_ylim(bottom, top)
        ax.set_xlim(0.5, values.shape[1] + 0.5)
        # Looks after every split would hide the lines that they are to explain.
        for look in self.looks if len(self.looks) <= _MOST_LOOKS else ():
            ax.axvline(look, color=_base.GREY, linewidth=0.6, linestyle=":", zorder=0)
        n_below = self._draw_dropped(ax, values[~survives], bottom)
        splits, rows = np.arange(1, values.shape[1] + 1), np.flatnonzero(survives)
        named = rows[: min(check_count("n_coloured", n_coloured, least=0), len(_base.LINE_COLOURS))]
        for k in rows[len(named) :]:
            ax.plot(splits, values[k], color=_base.ink(), linewidth=0.9, alpha=0.55, zorder=3)
        names = _base.in_short_list(self.means.index[named])
        style: dict[str, Any] = {"zorder": 4, **({"marker": "o"} if len(splits) == 1 else {})}
        self._draw_named(splits, dict(zip(names, values[named], strict=True)), style, line_kw)
        if not np.isfinite(values).any():
            ax.text(0.5, 0.5, "no finite score", transform=ax.transAxes, ha="center", va="center")
            ax.set_yticks([])
        rest = f"\n{n_below:,} of them below the picture (▾)" if n_below else ""
        ax.set(xlabel="splits run", ylabel=f"mean {_base.in_short(self.metric)} so far")
        dropped = f"{int((~survives).sum()):,} of {len(values):,} candidates dropped (×)"
        fits = f", {self.n_fits / self.n_fits_full:.0%} of the fits"
        if self.cut:  # the fits of all splits are not known here
            fits = f"\n{self.cut}"
        self._write_above(f"{dropped}{fits}{rest}")
        # Splits are whole numbers; matplotlib would put ticks at halves.
        ax.xaxis.get_major_locator().set_params(integer=True)
        ax.spines[["right", "top"]].set_visible(False)
        n_dark = len(rows) - len(named)
        dark = f"and {n_dark} more, dark" if n_dark else ""
        # In reverse drawing order: the winner on top, as in the plot.
        self._legend("survivors", dark, _base.naming_lines(self.naming, 30), reverse=True)
        return self

    def _draw_dropped(self, ax: Any, values: NDArray[np.float64], bottom: float) -> int:
        """Draw pale lines that end in crosses; return how many end below the plot."""
        # Many pale lines add up to a dark background.
        faint = min(0.5, max(0.12, 15 / max(1, len(values))))
        n_below = 0
        for row in values:
            end = int((~np.isnan(row)).sum())
            if not end:
                continue
            ax.plot(range(1, end + 1), row[:end], color=_base.GREY, linewidth=0.6, alpha=faint,
                    zorder=1)  # fmt: skip
            hidden = row[end - 1] < bottom
            n_below += hidden
            ax.plot(
                end,
                bottom if hidden else row[end - 1],
                marker="v" if hidden else "x",
                markersize=4,
                color=_base.VERMILLION,
                alpha=0.7,
                clip_on=False,
                zorder=2,
            )
        return n_below


def _means_so_far(scores: NDArray[np.float64], n_run: NDArray[np.intp]) -> NDArray[np.float64]:
    """Mean of the scores so far; NaN without scores and after the last split run."""
    # The scores of a diverged candidate may overflow when summed; its line omits them. NaN compares
    # False.
    known = np.abs(scores) <= LARGEST  # small enough to be summed
    n_known = np.cumsum(known, axis=1)
    means = np.cumsum(np.where(known, scores, 0.0), axis=1) / np.maximum(n_known, 1)
    later = np.arange(scores.shape[1]) >= n_run[:, None]
    return np.where(later | (n_known == 0), np.nan, means)


def _limits(values: NDArray[np.float64], looks: Sequence[int]) -> tuple[float, float]:
    """Limits of the plot: the first dropped of many candidates may be far below."""
    finite = values[np.isfinite(values)]
    if not finite.size:
        return 0.0, 1.0
    lowest, highest = float(finite.min()), float(finite.max())
    later = values[~np.isnan(values[:, looks[0]])] if looks else values
    if later.size and len(values) > _SHOWN_WHOLE:
        decided = float(np.nanmin(later))
        # Only if candidates that passed the first look would have less than a third of the height.
        if highest - lowest > 3 * (highest - decided):
            lowest = decided
    # All means may be equal, and limits must differ.
    margin = 0.05 * (highest - lowest) or 0.5
    return lowest - margin, highest + margin
