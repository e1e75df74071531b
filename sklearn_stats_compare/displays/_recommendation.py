"""RecommendationDisplay: what candidates cost, and how much worse than the best they may be."""

from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
import pandas as pd

from sklearn_stats_compare._utils._validation import check_count
from sklearn_stats_compare.comparison._recommend import Recommendation, places_of
from sklearn_stats_compare.displays import _base

_WIDE_RANGE = 4
"""Costs whose largest is this many times the smallest are drawn on a logarithmic axis."""


@dataclass(eq=False, repr=False)
class RecommendationDisplay(_base.Display):
    """Cost of each candidate against the bound on how much worse than the best it may be.

    The line joins the frontier: no other candidate is as cheap and has as small a bound. Its
    members are numbered, and the legend names them. The dashed line is the loss that the rule
    accepts.

    Parameters
    ----------
    candidates : DataFrame
        As of a `Recommendation`.
    by : str
        What the column ``cost`` is.
    metric : str, default="score"
        Name of the score, for the axis.
    loss : float, optional
        The loss that the rule accepts, in score units.
    naming : str, default=""
        What labels are made of, shown with them.
    """

    candidates: pd.DataFrame
    _: KW_ONLY
    by: str
    metric: str = "score"
    loss: float | None = None
    naming: str = ""

    @classmethod
    def from_recommendation(
        cls, recommendation: Recommendation, *, ax: Any = None, **options: Any
    ) -> Self:
        """Draw a recommendation.

        Parameters
        ----------
        recommendation : Recommendation
            What `Comparison.recommend` returned.
        ax : matplotlib axes, optional
            Where to draw. Default: a new figure.
        **options
            As for `plot`.

        Returns
        -------
        display : RecommendationDisplay

        Raises
        ------
        TypeError
            If `recommendation` is not one.
        ValueError
            If there is no bound to draw, as with one split.
        """
        if not isinstance(recommendation, Recommendation):
            raise TypeError(
                "`recommendation` must be what recommend() returns; got "
                f"{type(recommendation).__name__}."
            )
        within = recommendation.within
        return cls(
            recommendation.candidates,
            by=recommendation.by,
            metric=recommendation.metric,
            loss=None if isinstance(within, str) else float(within),
            naming=recommendation.naming,
        ).plot(ax=ax, **options)

    def frame(self) -> pd.DataFrame:
        """The plotted data, a row per candidate."""
        return self.candidates.copy()

    def plot(self, ax: Any = None, *, top: int = 12, scatter_kw: _base.Style = None) -> Self:
        """Draw the candidates.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw. Default: a new figure.
        top : int, default=12
            How many members of the frontier to number and name: those with the smallest bounds.
        scatter_kw : dict, optional
            Style of the points.

        Returns
        -------
        self : RecommendationDisplay
        """
        check_count("top", top)
        table = self.candidates.dropna(subset="at_most")
        if table.empty:
            raise ValueError("There is nothing to draw: one split gives no bounds.")
        cost = table["cost"]
        in_units = pd.api.types.is_numeric_dtype(cost) and np.isfinite(cost).all()
        x = cost.to_numpy(dtype=float) if in_units else places_of(cost.tolist())
        y, front = table["at_most"].to_numpy(), table["frontier"].to_numpy(dtype=bool)
        ax = self._set_axes(ax, width=8.0, height=4.4)
        sizes = {"s": 26, "linewidths": 1.2, "zorder": 3}
        kept, chosen = (table[name].to_numpy(dtype=bool) for name in ("kept", "chosen"))
        for which, colour, face in ((~kept, _base.GREY, "none"), (kept, _base.BLUE, _base.BLUE)):
            ax.scatter(
                x[which], y[which],
                **_base.styled(
                    {"edgecolors": colour, "facecolors": face, **sizes}, scatter_kw, "scatter_kw"
                ),
            )  # fmt: skip
        ax.scatter(x[chosen], y[chosen], s=130, facecolors="none", edgecolors=_base.VERMILLION,
                   linewidths=2, zorder=4, label="recommended")  # fmt: skip
        rows = np.flatnonzero(front)[np.lexsort((y[front], x[front]))]
        ax.plot(x[rows], y[rows], color=_base.ink(), linewidth=0.9, zorder=2, label="frontier")
        if self.loss is not None and np.isfinite(self.loss):
            ax.axhline(self.loss, color=_base.GREY, linestyle="--", linewidth=0.9, zorder=1,
                       label=f"accepted loss, {self.loss:.3g}")  # fmt: skip
        named = rows[np.sort(np.argsort(y[rows], kind="stable")[:top])]
        names = _base.in_short_each(map(str, table["label"].iloc[named]), 36)
        numbers: dict[tuple[float, float], list[int]] = {}  # of members at the same point
        for number, row in enumerate(named, start=1):
            numbers.setdefault((x[row], y[row]), []).append(number)
            ax.plot([], [], " ", label=f"{number}  {names[table['label'].iloc[row]]}")
        for point, of in numbers.items():
            words = str(of[0]) if len(of) == 1 else f"{of[0]}–{of[-1]}"
            ax.annotate(words, point, xytext=(6, 5), textcoords="offset points",
                        fontsize="small", zorder=5)  # fmt: skip
        if in_units and x.min() > 0 and x.max() >= _WIDE_RANGE * x.min():
            ax.set_xscale("log")
            # By default labels of minor ticks overlap within two powers of ten.
            ax.xaxis.get_major_locator().set_params(subs=(1, 3))
            ax.xaxis.set_major_formatter("{x:g}")
            ax.xaxis.set_minor_formatter("")
        by = _base.in_short(self.by, 40)
        ax.set(
            xlabel=(by if in_units else f"place by {by}") if by else "no order is known",
            ylabel=f"below the best by at most, {_base.in_short(self.metric)}",
        )
        ax.set_ylim(bottom=min(0.0, y.min()))
        lacking = self.loss is not None and not (y <= self.loss).any()
        enough = (
            "the leader, as no candidate is shown to be good enough"
            if lacking
            else "those good enough"
        )
        self._write_above(f"filled: {enough}")
        ax.spines[["right", "top"]].set_visible(False)
        more = f"and {rows.size - named.size} more" if rows.size > named.size else ""
        self._legend(_base.naming_lines(self.naming, 36), more)
        return self
