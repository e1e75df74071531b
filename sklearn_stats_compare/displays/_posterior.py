"""Pictures of posteriors: divided by the ROPE, by the ROPE's half-width, and in a triangle."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._utils._formatting import count
from sklearn_stats_compare._utils._validation import check_count, check_probability
from sklearn_stats_compare.comparison._comparison import Comparison
from sklearn_stats_compare.displays import _base
from sklearn_stats_compare.displays._base import Style, Which
from sklearn_stats_compare.stats._corrected_t import Posterior

_COLOURS = (_base.VERMILLION, _base.ORANGE, _base.BLUE)  # worse, equivalent, better

_POINTS = 401

_MOST_ROWS = 40

_COLUMN = 4.2  # sizes of text, for the six letters of a column

_POINT = 1e-290  # the scale below which a density is too high to be drawn as one


@dataclass(eq=False, repr=False)
class PosteriorDisplay(_base.ComparisonDisplay):
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
    naming : str, default=""
        What labels are made of, shown with them.
    """

    posteriors: Sequence[Posterior]
    pairs: Sequence[tuple[str, str]]
    _: KW_ONLY
    metric: str = "score"
    naming: str = ""

    @classmethod
    def from_comparison(
        cls,
        comparison: Comparison,
        i: Which = None,
        j: Which = None,
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
            Draw the leader against this many of the best others instead, at most 40.
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
        _base.check_comparison(comparison)
        if ridge is None:
            pairs = [_base.chosen_pair(comparison, i, j)]
        else:
            leader, _ = _base.chosen_pair(comparison, None, None)
            available = comparison.ranking().dropna(subset="rank").index
            n = check_count("ridge", ridge, most=_MOST_ROWS)
            pairs = [(leader, other) for other in available[1 : n + 1]]
        names = comparison.ranking()["label"]
        return cls(
            [comparison.posterior(first, second) for first, second in pairs],
            [(names[first], names[second]) for first, second in pairs],
            metric=comparison.metric,
            naming=comparison._naming,
        ).plot(ax=ax, **options)

    def frame(self) -> pd.DataFrame:
        """Location, scale and the three probabilities, a row per pair."""
        rows = [
            (*pair, posterior.loc, posterior.scale, posterior.df, *posterior.probabilities())
            for pair, posterior in zip(self.pairs, self.posteriors, strict=True)
        ]
        columns = ["model_1", "model_2", "loc", "scale", "df", *_COLUMNS]
        return pd.DataFrame(rows, columns=columns)

    def plot(self, ax: Any = None, *, interval: float | None = None, line_kw: Style = None) -> Self:
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
        if interval is not None:
            interval = check_probability("interval", interval)
        if len(self.posteriors) == 1:
            return self._plot_one(ax, interval, line_kw)
        return self._plot_ridge(ax, interval, line_kw)

    def _plot_one(self, ax: Any, interval: float | None, line_kw: Style) -> Self:
        ax = self._set_axes(ax, width=7.0)
        (posterior,), ((first, second),) = self.posteriors, self.pairs
        x, density = self._curve(posterior)
        _draw(ax, x, density, 0.0, posterior, line_kw)
        # Room for the text above and for the interval's bar below.
        top = density.max()
        ax.set_ylim(-0.1 * top, 1.45 * top)
        # Before the band, which ends at the limits if the ROPE is one-sided.
        ax.set_xlim(x[0], x[-1])
        self._draw_band(_rope(posterior))
        if interval is not None:
            low, high = posterior.interval(interval)
            ax.plot([low, high], [-0.04 * top] * 2, color=_base.ink(), linewidth=3,
                    solid_capstyle="butt", label=_interval_words(interval))  # fmt: skip
            ax.legend(loc="center right", frameon=False)
        worse, rope, better = posterior.probabilities()
        # Names are above the areas if there is room for them.
        named = self._own_figure
        areas = _base.in_short_each([first, second], 14)
        for position, align, words, p, colour in (
            (0.02, "left", f"{areas[second]} better" if named else "worse", worse,
             _base.VERMILLION),
            (0.50, "center", "equivalent", rope, _base.ORANGE),
            (0.98, "right", f"{areas[first]} better" if named else "better", better, _base.BLUE),
        ):  # fmt: skip
            ax.text(position, 0.96, f"{words}\n{p:.3f}", transform=ax.transAxes, ha=align,
                    va="top", color=_readable(colour), fontweight="bold")  # fmt: skip
        # The height of a density has no meaning by itself.
        ax.set_yticks([])
        ax.spines[["left", "right", "top"]].set_visible(False)
        names = _base.in_short_each([first, second])
        words = f"difference in {_base.in_short(self.metric)}:\n{names[first]} − {names[second]}"
        self._label_below(words, self.naming)
        return self

    def _plot_ridge(self, ax: Any, interval: float | None, line_kw: Style) -> Self:
        n = len(self.posteriors)
        ax = self._set_axes(ax, width=7.5, height=_base.row_height(1) + 0.55 * n)
        # One axis for all rows, wide enough for each.
        ends = np.array([self._curve(posterior)[0][[0, -1]] for posterior in self.posteriors])
        low, high = ends[:, 0].min(), ends[:, 1].max()
        for row, posterior in enumerate(self.posteriors):
            baseline = float(n - 1 - row)
            x = _points(low, high, posterior)
            density = _density(posterior, x)
            # Scale all rows to the same height: a narrow density would flatten all others.
            _draw(ax, x, 0.85 * density / density.max(), baseline, posterior, line_kw)
            if interval is not None:
                bounds = posterior.interval(interval)
                # A projecting cap would lengthen the interval.
                words = "" if row else f"{_interval_words(interval)}, not adjusted"
                style = {"color": _base.ink(), "linewidth": 3, "solid_capstyle": "butt"}
                ax.plot(bounds, [baseline] * 2, label=words, **style)
            self._beside(ax, baseline, [f"{p:.2f}" for p in posterior.probabilities()])
        self._beside(ax, n, ["worse", "equiv.", "better"])
        # Room for the columns within axes that the figure shares: at most half of narrow ones.
        share = min(3.2 * _COLUMN * float(_base.font_size()) / self._size()[0], 0.5)
        room = 0.0 if self._own_figure else (high - low) * share / (1 - share)
        ax.set_xlim(low, high + room)
        self._draw_band(_rope(self.posteriors[0]), label="ROPE")
        ax.axvline(0, color=_base.GREY, linewidth=0.8)
        # Above the axes, where no density is.
        ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2, frameon=False, borderaxespad=0)
        names = _base.in_short_each([self.pairs[0][0], *(second for _, second in self.pairs)])
        ax.set_yticks(range(n), [names[second] for _, second in self.pairs][::-1])
        ax.set_ylim(-0.15, n + (0.05 if self._own_figure else 0.4))
        ax.spines[["left", "right", "top"]].set_visible(False)
        ax.tick_params(axis="y", length=0)
        leader = names[self.pairs[0][0]]
        words = f"difference in {_base.in_short(self.metric)}: {leader} − the other"
        self._label_below(words, self.naming)
        return self

    def _beside(self, ax: Any, y: float, words: Sequence[str]) -> None:
        """Three columns to the right of a row; inside given axes, which may have no room beyond."""
        step = _COLUMN * float(_base.font_size())
        first = 0.7 * step if self._own_figure else -2.6 * step
        for k, (word, colour) in enumerate(zip(words, _COLOURS, strict=True)):
            # In points from the right edge of the axes, whatever their width.
            ax.annotate(word, (1, y), xycoords=ax.get_yaxis_transform(), va="bottom", ha="center",
                        xytext=(first + k * step, 0), textcoords="offset points",
                        color=_readable(colour), annotation_clip=False)  # fmt: skip

    def _curve(self, posterior: Posterior) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Density over the central 99.8 % and the ROPE, with a margin."""
        low, high = posterior.interval(0.998)
        # Wide enough for any score, and such that the width stays finite.
        known = [v for v in (low, high, *_rope(posterior), 0.0) if np.isfinite(v)]
        ends = np.clip(known, -1e300, 1e300).tolist()
        # All ends may be 0, for identical candidates with a ROPE of zero width.
        room = 0.08 * (max(ends) - min(ends)) or 1e-3
        x = _points(min(ends) - room, max(ends) + room, posterior)
        return x, _density(posterior, x)


def _points(low: float, high: float, posterior: Posterior) -> NDArray[np.float64]:
    """Places to draw a density at: evenly over the axis, and over its peak, however narrow."""
    # sinh spaces the points like the tails of a t: dense at the peak, and out to about 1,500
    # scales.
    peak = posterior.loc + _width(posterior) * np.sinh(np.linspace(-8, 8, _POINTS))
    places = np.concatenate([np.linspace(low, high, _POINTS), peak, _rope(posterior)])
    # Sorted, as fill_between needs them; the ROPE's ends are points, so that the areas meet there.
    return np.unique(places[(places >= low) & (places <= high)])


def _density(posterior: Posterior, x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Density at `x`; a point mass becomes a spike of height 1."""
    if _width(posterior) > _POINT:
        return np.asarray(posterior.pdf(x))
    density = np.zeros_like(x)
    density[np.abs(x - posterior.loc).argmin()] = 1.0
    return density


def _rope(posterior: Posterior) -> Any:
    return posterior.rope  # its bounds


def _width(posterior: Posterior) -> float:
    """The scale; for models that agree on every split the standard deviation, 0 for a point."""
    return posterior.scale or posterior.std()


def _draw(
    ax: Any,
    x: NDArray[np.float64],
    density: NDArray[np.float64],
    baseline: float,
    posterior: Posterior,
    line_kw: Style,
) -> None:
    """One density, its three areas in the colours of their meaning."""
    low, high = _rope(posterior)
    areas = x <= low, (x >= low) & (x <= high), x >= high
    for where, colour in zip(areas, _COLOURS, strict=True):
        # No outline: two areas share an edge, which would be drawn twice.
        ax.fill_between(x, baseline, baseline + density, where=where, color=colour, alpha=0.45,
                        linewidth=0)  # fmt: skip
    style = {"color": _base.ink(), "linewidth": 1.0}
    ax.plot(x, baseline + density, **_base.styled(style, line_kw))


def _interval_words(interval: float) -> str:
    return f"{100 * interval:g} % interval"


def _readable(colour: str) -> Any:
    """The colour as text: darker, unless the user's style writes in a light colour."""
    # Inside the function, because importing this package must not import matplotlib.
    from matplotlib.colors import to_rgb

    # Colours that are readable as areas are too pale for text on white.
    light = sum(to_rgb(_base.ink())) > 1.5
    return to_rgb(colour) if light else tuple(0.7 * part for part in to_rgb(colour))


@dataclass(eq=False, repr=False)
class RopeSensitivityDisplay(_base.ComparisonDisplay):
    """P(equivalent), P(better) and P(worse) over the half-width of the ROPE.

    Use it if you cannot choose a width: from the marked width on, the pair is equivalent.

    Parameters
    ----------
    posterior : Posterior
        Of the difference, first model − second.
    pair : (str, str)
        Labels of the two models.
    half_widths : array-like of float, shape (n,)
        Half-widths of the ROPE, in score units.
    probability : float, default=0.95
        Probability at which the break-even width is marked.
    metric : str, default="score"
        Name of the score, for the axis.
    naming : str, default=""
        What labels are made of, shown with them.
    """

    posterior: Posterior
    pair: tuple[str, str]
    half_widths: Any
    _: KW_ONLY
    probability: float = 0.95
    metric: str = "score"
    naming: str = ""

    def __post_init__(self) -> None:
        self.half_widths = np.asarray(self.half_widths, dtype=float)

    @classmethod
    def from_comparison(
        cls,
        comparison: Comparison,
        i: Which = None,
        j: Which = None,
        *,
        probability: float = 0.95,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Draw the probabilities of candidate `i` against candidate `j`.

        Parameters
        ----------
        comparison : Comparison
            What to draw.
        i, j : int or str, optional
            Candidate indices or labels. Default: the leader, and the best of the others.
        probability : float, default=0.95
            Probability, in (0, 1), at which the break-even width is marked.
        ax : matplotlib axes, optional
            Where to draw. Default: a new figure.
        **options
            As for `plot`.

        Returns
        -------
        display : RopeSensitivityDisplay

        Raises
        ------
        ValueError
            If there is no such candidate, no second one, or no posterior because one failed.
        """
        _base.check_comparison(comparison)
        first, second = _base.chosen_pair(comparison, i, j)
        names = comparison.ranking()["label"]
        posterior = comparison.posterior(first, second)
        if not np.isfinite(posterior.scale):
            raise ValueError(
                "`comparison` must have a finite standard error; nothing is trained on, or there "
                "is only one split."
            )
        # Some room to the right of the break-even width; for identical candidates this width is 0,
        # and an axis needs a width.
        widest = 1.6 * posterior.break_even_rope(probability) or 0.01
        return cls(
            posterior,
            (names[first], names[second]),
            np.linspace(0, widest, 201),
            probability=probability,
            metric=comparison.metric,
            naming=comparison._naming,
        ).plot(ax=ax, **options)

    def frame(self) -> pd.DataFrame:
        """The plotted probabilities, a row per half-width."""
        found = [self.posterior.probabilities(width) for width in self.half_widths]
        frame = pd.DataFrame(found, columns=list(_COLUMNS))
        frame.insert(0, "half_width", self.half_widths)
        return frame

    def plot(self, ax: Any = None, *, line_kw: Style = None) -> Self:
        """Draw the three curves.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw. Default: a new figure.
        line_kw : dict, optional
            Style of the curves.

        Returns
        -------
        self : RopeSensitivityDisplay
        """
        ax = self._set_axes(ax, width=8.0)
        frame = self.frame()
        names = _base.in_short_each(self.pair, 20)
        first, second = (names[label] for label in self.pair)
        # Dashes too, for readers who cannot distinguish the colours and for print in grey.
        for column, words, colour, dashes in (
            ("rope_prob", "equivalent", _base.GREEN, "-"),
            ("better_prob", f"{first} better", _base.BLUE, "--"),
            ("worse_prob", f"{second} better", _base.VERMILLION, ":"),
        ):
            style = {"color": colour, "linestyle": dashes, "linewidth": 2.0, "label": words}
            ax.plot(frame["half_width"], frame[column], **_base.styled(style, line_kw))
        width = self.posterior.break_even_rope(self.probability)
        ax.axvline(width, color=_base.GREY, linewidth=1.0)
        ax.plot([width], [self.probability], "o", color=_base.ink(), markersize=5)
        # In points from the mark, so that the number is next to it in every style.
        ax.annotate(
            f"±{width:.3g}",
            (width, self.probability),
            xytext=(6, -6),
            textcoords="offset points",
            va="top",
        )
        ax.set(
            xlabel=f"half-width of the ROPE, in {_base.in_short(self.metric)}",
            ylabel="probability",
            ylim=(-0.02, 1.02),
            xlim=(0, self.half_widths[-1]),
        )
        ax.spines[["right", "top"]].set_visible(False)
        self._legend(_base.naming_lines(self.naming, 30))
        return self


_COLUMNS = ("worse_prob", "rope_prob", "better_prob")

_HEIGHT = np.sqrt(3) / 2

_CORNERS = np.array([[0.0, 0.0], [0.5, _HEIGHT], [1.0, 0.0]])


@dataclass(eq=False, repr=False)
class SimplexDisplay(_base.Display):
    """Posterior draws of the probabilities worse, equivalent and better of two models.

    Each point is a draw: the three probabilities on a data set of the population. The closer it is
    to a corner, the larger is the probability of that corner. The lines from the centre separate
    the regions in which one of the three is the largest. The share of draws in a region is the
    posterior probability that this outcome is the most probable one.

    Parameters
    ----------
    draws : array-like of float, shape (n_draws, 3)
        Draws of the probabilities worse, equivalent and better, of the first model against the
        second. Each row sums to 1.
    names : sequence of two str
        Labels of the first and of the second model.
    metric : str, default="score"
        Name of the score, for the title.

    References
    ----------
    Benavoli, A., Corani, G., Demšar, J. and Zaffalon, M. (2017). Time for a change: a tutorial for
    comparing multiple classifiers through Bayesian analysis. JMLR 18(77), 1–36.
    http://jmlr.org/papers/v18/16-305.html

    Examples
    --------
    >>> from sklearn_stats_compare.displays import SimplexDisplay
    >>> draws = [[0.1, 0.2, 0.7], [0.2, 0.2, 0.6], [0.1, 0.5, 0.4], [0.0, 0.1, 0.9]]
    >>> SimplexDisplay(draws, ["forest", "tree"]).shares()
    worse         0.00
    equivalent    0.25
    better        0.75
    dtype: float64

    In three of four draws, "forest is better" is the most probable of the three outcomes.
    """

    draws: Any
    names: Sequence[str]
    _: KW_ONLY
    metric: str = "score"

    def __post_init__(self) -> None:
        self.draws = np.asarray(self.draws, dtype=float)

    @classmethod
    def from_comparison(
        cls, comparison: Any, i: Which = None, j: Which = None, *, ax: Any = None, **options: Any
    ) -> Self:
        """Draw the posterior of model `i` against model `j` of a comparison over data sets.

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
        display : SimplexDisplay

        Raises
        ------
        ValueError
            If there is no such model, or `i` and `j` are the same.
        """
        rows, names = _base.chosen_models(_base.check_datasets_comparison(comparison), i, j)
        draws = comparison.posterior_draws(*rows)
        return cls(draws, names, metric=comparison.metric).plot(ax=ax, **options)

    def frame(self) -> pd.DataFrame:
        """The draws, with the columns ``worse_prob``, ``rope_prob`` and ``better_prob``."""
        return pd.DataFrame(self.draws, columns=list(_COLUMNS))

    def shares(self) -> pd.Series:
        """Share of the draws in which each outcome is the most probable one; ties are divided.

        Returns
        -------
        Series of float
            With the index ``worse``, ``equivalent``, ``better``. It sums to 1.
        """
        largest = self.draws == self.draws.max(axis=1, keepdims=True)
        parts = largest / largest.sum(axis=1, keepdims=True)
        return pd.Series(parts.mean(axis=0), ["worse", "equivalent", "better"])

    def plot(self, ax: Any = None, *, scatter_kw: Style = None) -> Self:
        """Draw the triangle.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw. Default: a new figure.
        scatter_kw : dict, optional
            Style of the points.

        Returns
        -------
        self : SimplexDisplay
        """
        ax = self._set_axes(ax, width=6.0, height=5.4)
        places = self.draws @ _CORNERS
        region = self.draws.argmax(axis=1)
        style = _base.styled(
            {
                "s": 9,
                # Of many draws, darker where there are more.
                "alpha": float(np.clip(1000 / len(places), 0.08, 0.6)),
                "linewidth": 0,
                "zorder": 2,
                "clip_on": False,
                # Thousands of points would make a vector file large.
                "rasterized": True,
            },
            scatter_kw,
            "scatter_kw",
        )
        for k, colour in enumerate(_COLOURS):
            which = region == k
            if which.any():
                ax.scatter(*places[which].T, **{"color": colour, **style})
        ax.plot(*_CORNERS[[0, 1, 2, 0]].T, color=_base.ink(), linewidth=1.0, clip_on=False)
        centre = _CORNERS.mean(axis=0)
        for k in range(3):
            middle = (_CORNERS[k] + _CORNERS[k - 1]) / 2
            ax.plot(*np.array([centre, middle]).T, color=_base.GREY, linewidth=0.8, zorder=3)
        ax.set_axis_off()
        words = f"{_base.in_short(self.metric, 20)}: shares of {count(len(self.draws), 'draw')}"
        ax.set_title(words, fontsize="medium")
        self._write(ax)
        return self

    def _write(self, ax: Any) -> None:
        """Names of the corners with the shares of their regions, and limits with room for them."""
        self._lay_out()
        width, height = self._size()
        size = float(_base.font_size())
        longest = int(np.clip(0.34 * width / (0.55 * size), 8, 20))
        first, second = self.names
        short = _base.in_short_each([first, second], longest)
        words = (f"{short[second]}\nbetter", "equivalent", f"{short[first]}\nbetter")
        texts = []
        for corner, text, share in zip(_CORNERS, words, self.shares(), strict=True):
            above = corner[1] > 0
            texts.append(
                ax.annotate(
                    f"{text}\n{_share(share)}",
                    corner,
                    xytext=(0, 0.5 * size if above else -0.5 * size),
                    textcoords="offset points",
                    ha="center",
                    va="bottom" if above else "top",
                    color=_base.ink(),
                    annotation_clip=False,
                )
            )
        beside = max(72 * text.get_window_extent().width / ax.figure.dpi for text in texts)
        # Points from the corners to the edges, for two lines above and three below.
        above, below = 3.6 * size, 4.8 * size
        side = max(min((height - above - below) / _HEIGHT, width - beside), 1.0)
        middle = (_HEIGHT * side + above - below) / 2
        ax.set_xlim(0.5 - width / 2 / side, 0.5 + width / 2 / side)
        ax.set_ylim((middle - height / 2) / side, (middle + height / 2) / side)
        ax.set_aspect("equal")


def _share(value: float) -> str:
    """A share in percent; 0 and 100 only if exact."""
    percent = f"{100 * value:.1f}"
    if percent == "100.0" and value < 1:
        return "> 99.9 %"
    if percent == "0.0" and value > 0:
        return "< 0.1 %"
    return f"{percent} %"
