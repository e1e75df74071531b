"""PosteriorDisplay: the posterior of a difference, with the three areas that the ROPE makes."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare.comparison import Comparison
from sklearn_stats_compare.displays._base import (
    BAND,
    BLUE,
    GREY,
    ORANGE,
    VERMILLION,
    ComparisonDisplay,
    chosen_pair,
    row_height,
    shortened,
    styled,
)
from sklearn_stats_compare.stats import Posterior

_POINTS = 401


class PosteriorDisplay(ComparisonDisplay):
    """Posterior density of the difference of one pair, or of several as a ridge.

    The area below the ROPE is the probability that the first model is worse, the area inside it
    that the two are practically equivalent, the area above it that the first is better.

    Parameters
    ----------
    posteriors : sequence of Posterior
        One per pair, first model − second; all with the same ROPE.
    pairs : sequence of (str, str)
        Labels of the first and of the second model of each pair.
    metric : str, default="score"
        Name of the score, for the axis.
    """

    def __init__(
        self,
        posteriors: Sequence[Posterior],
        pairs: Sequence[tuple[str, str]],
        *,
        metric: str = "score",
    ) -> None:
        self.posteriors = posteriors
        self.pairs = pairs
        self.metric = metric

    @classmethod
    def from_comparison(
        cls,
        comparison: Comparison,
        i: int | str | None = None,
        j: int | str | None = None,
        *,
        ridge: int | None = None,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Draw the posterior of candidate `i` minus candidate `j`, or the leader's as a ridge.

        Parameters
        ----------
        comparison : Comparison
            What to draw.
        i, j : int or str, optional
            Candidate indices or labels. Default: the leader, and the best of the others.
        ridge : int, optional
            Draw the leader against this many of the best others instead.
        ax : matplotlib axes, optional
            Where to draw. Default: a new figure.
        **options
            As for `plot`.

        Returns
        -------
        display : PosteriorDisplay

        Raises
        ------
        ValueError
            If there is no such candidate, no second one, or no posterior because one failed.
        """
        if ridge is None:
            pairs = [chosen_pair(comparison, i, j)]
        else:
            leader, _ = chosen_pair(comparison, None, None)
            available = comparison.ranking.dropna(subset="rank").index
            pairs = [(leader, other) for other in available[1 : ridge + 1]]
        names = comparison.ranking["label"]
        return cls(
            [comparison.posterior(first, second) for first, second in pairs],
            [(names[first], names[second]) for first, second in pairs],
            metric=comparison.metric,
        ).plot(ax=ax, **options)

    def frame(self) -> pd.DataFrame:
        """Location, scale and the three probabilities, a row per pair."""
        return pd.DataFrame(
            [
                {
                    "model_1": first,
                    "model_2": second,
                    "loc": posterior.loc,
                    "scale": posterior.scale,
                    "df": posterior.df,
                    **{f"{k}_prob": v for k, v in posterior.probabilities()._asdict().items()},
                }
                for (first, second), posterior in zip(self.pairs, self.posteriors, strict=True)
            ]
        )

    def plot(
        self,
        ax: Any = None,
        *,
        interval: float | None = None,
        line_kw: Mapping[str, Any] | None = None,
    ) -> Self:
        """Draw the densities.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw. Default: a new figure.
        interval : float, optional
            Draw the central credible interval that holds this probability, in (0, 1).
        line_kw : dict, optional
            Style of the density's line.

        Returns
        -------
        self : PosteriorDisplay
        """
        if len(self.posteriors) == 1:
            return self._plot_one(ax, interval, line_kw)
        return self._plot_ridge(ax, interval, line_kw)

    def _plot_one(self, ax: Any, interval: float | None, line_kw: Any) -> Self:
        ax = self._set_axes(ax, width=7.0)
        (posterior,), ((first, second),) = self.posteriors, self.pairs
        x, density = self._curve(posterior)
        _draw(ax, x, density, 0.0, posterior, line_kw)
        top = density.max()
        if interval is not None:
            low, high = posterior.interval(interval)
            ax.plot([low, high], [-0.04 * top] * 2, color="black", linewidth=3,
                    solid_capstyle="butt", label=f"{interval:.0%} interval")  # fmt: skip
            ax.legend(loc="center right", frameon=False)
        rope_bounds: Any = posterior.rope
        ax.axvspan(*rope_bounds, **BAND)
        ax.set_ylim(-0.1 * top, 1.45 * top)
        ax.set_xlim(x[0], x[-1])
        worse, rope, better = posterior.probabilities()
        for position, align, words, p, colour in (
            (0.02, "left", f"{shortened(second, 16)} better", worse, VERMILLION),
            (0.50, "center", "equivalent", rope, ORANGE),
            (0.98, "right", f"{shortened(first, 16)} better", better, BLUE),
        ):
            ax.text(position, 0.96, f"{words}\n{p:.3f}", transform=ax.transAxes, ha=align,
                    va="top", color=_darker(colour), fontweight="bold")  # fmt: skip
        ax.set_yticks([])
        ax.spines[["left", "right", "top"]].set_visible(False)
        ax.set_xlabel(f"difference in {self.metric}: {shortened(first)} − {shortened(second)}")
        return self

    def _plot_ridge(self, ax: Any, interval: float | None, line_kw: Any) -> Self:
        n = len(self.posteriors)
        ax = self._set_axes(ax, width=7.5, height=row_height(1) + 0.55 * n)
        ends = np.array([self._curve(posterior)[0][[0, -1]] for posterior in self.posteriors])
        low, high = ends[:, 0].min(), ends[:, 1].max()
        x = np.linspace(low, high, 3 * _POINTS)
        for row, posterior in enumerate(self.posteriors):
            baseline = float(n - 1 - row)
            density = _density(posterior, x)
            _draw(ax, x, 0.85 * density / density.max(), baseline, posterior, line_kw)
            if interval is not None:
                bounds = posterior.interval(interval)
                ax.plot(bounds, [baseline] * 2, color="black", linewidth=3, solid_capstyle="butt")
            worse, rope, better = posterior.probabilities()
            ax.text(1.01, baseline, f"{worse:.2f}   {rope:.2f}   {better:.2f}",
                    transform=ax.get_yaxis_transform(), va="bottom")  # fmt: skip
        ax.text(1.01, n, "worse  equiv.  better", transform=ax.get_yaxis_transform(), va="bottom")
        rope_bounds: Any = self.posteriors[0].rope
        ax.axvspan(*rope_bounds, **BAND)
        ax.axvline(0, color=GREY, linewidth=0.8)
        ax.set_yticks(range(n), [shortened(second) for _, second in self.pairs][::-1])
        ax.set_ylim(-0.15, n + 0.05)
        ax.set_xlim(low, high)
        ax.spines[["left", "right", "top"]].set_visible(False)
        ax.tick_params(axis="y", length=0)
        leader = shortened(self.pairs[0][0])
        ax.set_xlabel(f"difference in {self.metric}: {leader} − the other")
        return self

    def _curve(self, posterior: Posterior) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Density over the middle 99.8 % and the ROPE with some room around."""
        low, high = posterior.interval(0.998)
        rope: Any = posterior.rope
        ends = [v for v in (low, high, *rope, 0.0) if np.isfinite(v)]
        room = 0.08 * (max(ends) - min(ends)) or 1e-3
        x = np.linspace(min(ends) - room, max(ends) + room, _POINTS)
        return x, _density(posterior, x)


def _density(posterior: Posterior, x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Density at `x`; a point mass becomes a spike of height 1 at its place."""
    if posterior.scale > 0:
        return np.asarray(posterior.pdf(x))
    density = np.zeros_like(x)
    density[np.abs(x - posterior.loc).argmin()] = 1.0
    return density


def _draw(
    ax: Any,
    x: NDArray[np.float64],
    density: NDArray[np.float64],
    baseline: float,
    posterior: Posterior,
    line_kw: Mapping[str, Any] | None,
) -> None:
    """One density, its three areas in the colours of their meaning."""
    rope: Any = posterior.rope
    areas = ((x <= rope[0], VERMILLION), ((x >= rope[0]) & (x <= rope[1]), ORANGE),
             (x >= rope[1], BLUE))  # fmt: skip
    for where, colour in areas:
        ax.fill_between(x, baseline, baseline + density, where=where, color=colour, alpha=0.45,
                        linewidth=0)  # fmt: skip
    ax.plot(x, baseline + density, **styled({"color": "black", "linewidth": 1.0}, line_kw))


def _darker(colour: str) -> Any:
    """The colour as text on white, with enough contrast to read."""
    return tuple(0.7 * int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))
