"""RankDisplay: which ranks each candidate may have."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
import pandas as pd

from sklearn_stats_compare._messages import check_count
from sklearn_stats_compare.comparison import Comparison
from sklearn_stats_compare.displays._base import (
    BLUE,
    ORANGE,
    ComparisonDisplay,
    check_comparison,
    in_short,
    in_short_each,
    naming_lines,
    row_height,
    styled,
)


class RankDisplay(ComparisonDisplay):
    """The rank of every candidate by its mean, and the interval of its true rank.

    All intervals together contain the true ranks with probability 1 − alpha. If the intervals of
    many candidates reach rank 1, the scores do not show which of them is best.

    Parameters
    ----------
    table : DataFrame
        The table of `Comparison.rank_intervals`.
    metric : str, default="score"
        Name of the score, for the axis.
    alpha : float, default=0.05
        Level of the intervals, for the legend.
    naming : str, default=""
        What labels are made of, shown with them.
    """

    def __init__(
        self,
        table: pd.DataFrame,
        *,
        metric: str = "score",
        alpha: float = 0.05,
        naming: str = "",
    ) -> None:
        self.table = table
        self.metric = metric
        self.alpha = alpha
        self.naming = naming

    @classmethod
    def from_comparison(
        cls,
        comparison: Comparison,
        *,
        alpha: float | None = None,
        method: str = "holm",
        rng: Any = 0,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Draw the ranks of a comparison.

        Parameters
        ----------
        comparison : Comparison
            What to draw.
        alpha : float, optional
            Level, in (0, 1). Default: the comparison's.
        method : {"holm", "bonferroni", "maxt"}, default="holm"
            As for `Comparison.rank_intervals`.
        rng : None, int or numpy.random.Generator, default=0
            Source of the 20,000 draws of "maxt".
        ax : matplotlib axes, optional
            Where to draw. Default: a new figure.
        **options
            As for `plot`.

        Returns
        -------
        display : RankDisplay

        Raises
        ------
        ValueError
            If all candidates failed, or as `Comparison.rank_intervals` does.
        """
        check_comparison(comparison)
        if not comparison.scores.n_available:
            raise ValueError("There are no ranks to draw: every candidate failed on some split.")
        return cls(
            comparison.rank_intervals(alpha, method=method, rng=rng),
            metric=comparison.metric,
            alpha=comparison.alpha if alpha is None else alpha,
            naming=comparison.naming,
        ).plot(ax=ax, **options)

    def frame(self) -> pd.DataFrame:
        """The table of ranks, all candidates."""
        return self.table.copy()

    def plot(
        self, ax: Any = None, *, top: int = 25, errorbar_kw: Mapping[str, Any] | None = None
    ) -> Self:
        """Draw the ranks.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw. Default: a new figure, as high as its rows need.
        top : int, default=25
            How many candidates to draw, the best first; the title counts the others.
        errorbar_kw : dict, optional
            Style of the intervals.

        Returns
        -------
        self : RankDisplay
        """
        known = self.table.dropna(subset="rank")
        shown = known.iloc[: check_count("top", top)]
        n, m = len(shown), len(known)
        ax = self._set_axes(ax, width=8.0, height=row_height(n))
        rows = np.arange(n)[::-1]  # the best on top: the axis grows upwards
        rank, low, high = (
            shown[name].to_numpy(dtype=float) for name in ("rank", "rank_low", "rank_high")
        )
        style = {
            "fmt": "none",
            "capsize": 5,
            "label": f"joint {100 * (1 - self.alpha):.4g} % interval",
        }
        middle, half = (low + high) / 2, (high - low) / 2
        ax.errorbar(
            middle, rows, xerr=half, **styled({"color": BLUE, **style}, errorbar_kw, "errorbar_kw")
        )
        ax.plot(rank, rows, "o", color=ORANGE, markersize=5, label="by the mean")
        names = in_short_each(map(str, shown["label"]))
        ax.set_yticks(rows, [names[str(label)] for label in shown["label"]])
        ax.set_ylim(-0.7, n - 0.3)
        ax.set_xlim(0.5, m + 0.5)
        locator = ax.xaxis.get_major_locator()
        locator.set_params(integer=True, min_n_ticks=1)
        # Ranks begin at 1, where a locator has no tick; one that is close would overlap it.
        ax.set_xticks([1, *(tick for tick in locator.tick_values(1, m) if 1 + m / 15 < tick <= m)])
        ax.spines[["left", "right", "top"]].set_visible(False)
        ax.tick_params(axis="y", length=0)
        words = f"rank by {in_short(self.metric)}\n1 is the best of {m:,}"
        ax.set_xlabel(f"{words}\n{naming_lines(self.naming, 60)}".rstrip())
        if m > n:
            ax.set_title(f"and {m - n:,} not shown", loc="left", fontsize="medium")
        self._legend(ax, above=True)
        return self
