"""Pictures of ranks: those a candidate may have, critical differences, ranks on data sets."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._utils._formatting import count
from sklearn_stats_compare._utils._validation import check_count
from sklearn_stats_compare.comparison._comparison import Comparison, RankMethod
from sklearn_stats_compare.displays import _base
from sklearn_stats_compare.displays._base import Style
from sklearn_stats_compare.stats._best import groups_not_different


@dataclass(eq=False, repr=False)
class RankDisplay(_base.ComparisonDisplay):
    """The rank of every candidate by its mean, and the interval of its true rank.

    All intervals together contain the true ranks with probability 1 − alpha. If the intervals of
    many candidates reach rank 1, the scores do not show which of them is best.

    Parameters
    ----------
    table : DataFrame
        The table of `Comparison.ranking`.
    metric : str, default="score"
        Name of the score, for the axis.
    alpha : float, default=0.05
        Level of the intervals, for the legend.
    naming : str, default=""
        What labels are made of, shown with them.
    """

    table: pd.DataFrame
    _: KW_ONLY
    metric: str = "score"
    alpha: float = 0.05
    naming: str = ""

    @classmethod
    def from_comparison(
        cls,
        comparison: Comparison,
        *,
        alpha: float | None = None,
        method: RankMethod = "holm",
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
            As for `Comparison.ranking`.
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
            If all candidates failed, or as `Comparison.ranking` does.
        """
        _base.check_comparison(comparison)
        if not comparison.scores.n_available:
            raise ValueError("There are no ranks to draw: every candidate failed on some split.")
        own = comparison if alpha is None else comparison.with_settings(alpha=alpha)
        return cls(
            own.ranking(rank_intervals=method, rng=rng)[
                ["label", "mean", "rank", "rank_low", "rank_high"]
            ],
            metric=own.metric,
            alpha=own.alpha,
            naming=comparison._naming,
        ).plot(ax=ax, **options)

    def frame(self) -> pd.DataFrame:
        """The table of ranks, all candidates."""
        return self.table.copy()

    def plot(
        self, ax: Any = None, *, top: int = 25, label_width: int = 40, errorbar_kw: Style = None
    ) -> Self:
        """Draw the ranks.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw. Default: a new figure, as high as its rows need.
        top : int, default=25
            How many candidates to draw, the best first; the title counts the others.
        label_width : int, default=40
            Most letters of a candidate's name. The names take up to two fifths of the width.
        errorbar_kw : dict, optional
            Style of the intervals.

        Returns
        -------
        self : RankDisplay
        """
        known = self.table.dropna(subset="rank")
        shown = known.iloc[: check_count("top", top)]
        n, m = len(shown), len(known)
        ax = self._set_axes(ax, width=8.0, height=_base.row_height(n))
        rows = np.arange(n)[::-1]  # the best on top: the axis grows upwards
        rank, low, high = (
            shown[name].to_numpy(dtype=float) for name in ("rank", "rank_low", "rank_high")
        )
        words = f"joint {100 * (1 - self.alpha):.4g} % interval"
        style = {"fmt": "none", "color": _base.BLUE, "capsize": 5, "label": words}
        middle, half = (low + high) / 2, (high - low) / 2
        ax.errorbar(middle, rows, xerr=half, **_base.styled(style, errorbar_kw, "errorbar_kw"))
        ax.plot(rank, rows, "o", color=_base.ORANGE, markersize=5, label="by the mean")
        longest = check_count("label_width", label_width, least=8)
        self._name_rows(rows, _base.in_short_list(shown["label"], longest))
        ax.set_xlim(0.5, m + 0.5)
        self._rank_axis(m)
        metric = _base.in_short(self.metric)
        self._label_below(f"rank by {metric}\n1 is the best of {m:,}", self.naming)
        unseen = f"and {m - n:,} not shown" if m > n else ""
        is_open = m > 2 and bool(((known["rank_low"] == 1) & (known["rank_high"] == m)).all())
        words = "the ranks are open: each candidate may have any of them" if is_open else ""
        self._write_above("\n".join(filter(None, [words, unseen])))
        self._legend(above=True)
        return self


# In rows of labels: from the axis to the first bar, and between bars.
_TO_BARS, _LEVEL = 0.7, 0.5

# In shares of the axis: between the lines of tied models, between bars on one level, and what a bar
# is longer than its group.
_TIED, _GAP, _OVERHANG = 0.01, 0.03, 0.008

_LABELS = 0.7  # share of the width of the axes, at most

_TICK = 0.45  # inches of the axis for each of its numbers

_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


@dataclass(eq=False, repr=False)
class CriticalDifferenceDisplay(_base.Display):
    """Mean ranks of models over data sets, with bars that join models not found different.

    The best rank, 1, is on the left. A bar joins the models of a group if no pair of them was found
    different. Where a bar passes models that are not in its group, it is thin, and dots mark its
    members: pairwise tests may find a pair different, and not another that is further apart in mean
    rank. A bar does not show that its models are equivalent.

    Parameters
    ----------
    mean_ranks : DataFrame
        A row for each model, with the columns ``label`` and ``mean_rank``, 1 the best.
    groups : sequence of sequences of str
        Labels of the models that each bar joins. A group of one model needs no bar.
    critical_difference : float, optional
        Nemenyi's critical difference in ranks, drawn above the axis as a bar of this length.
        Default: none, for tests of pairs that do not depend on mean ranks.
    metric : str, default="score"
        Name of the score, for the axis.
    test : str, default=""
        How pairs were tested, shown below the axis.

    Notes
    -----
    Models with the same mean rank have lines next to each other, a hundredth of the axis apart. The
    number next to each label is the mean rank.

    References
    ----------
    Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets. JMLR 7, 1–30.
    https://www.jmlr.org/papers/v7/demsar06a.html
    """

    mean_ranks: pd.DataFrame
    groups: Sequence[Sequence[str]]
    _: KW_ONLY
    critical_difference: float | None = None
    metric: str = "score"
    test: str = ""

    @classmethod
    def from_comparison(
        cls,
        comparison: Any,
        *,
        critical_difference: float | None = None,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Draw the mean ranks and the verdicts of a comparison over data sets.

        Parameters
        ----------
        comparison : comparison over data sets
            What to draw. Its verdicts ``better`` and ``worse`` separate models.
        critical_difference : float, optional
            Nemenyi's critical difference, if the comparison tests mean ranks.
        ax : matplotlib axes, optional
            Where to draw. Default: a new figure.
        **options
            As for `plot`.

        Returns
        -------
        display : CriticalDifferenceDisplay

        Raises
        ------
        ValueError
            If the models form more than 60 groups.
        """
        ranking = _base.check_datasets_comparison(comparison).ranking()
        labels = [str(label) for label in ranking["label"]]
        place = {label: k for k, label in enumerate(labels)}
        pairs = comparison.frequentist()
        differ = pairs[pairs["verdict"].isin(["better", "worse"])]
        first, second = (differ[name].astype(str).map(place) for name in ("model_1", "model_2"))
        groups = groups_not_different(len(labels), zip(first, second, strict=True))
        if groups is None:
            raise ValueError(
                "There are too many bars to draw: the models form more than 60 groups in which no "
                "pair was found different. `frequentist()` has the pairs."
            )
        return cls(
            ranking[["label", "mean_rank"]],
            [[labels[k] for k in group] for group in groups],
            critical_difference=critical_difference,
            metric=comparison.metric,
            test=getattr(comparison, "test_words", ""),
        ).plot(ax=ax, **options)

    def frame(self) -> pd.DataFrame:
        """The mean ranks from the best to the worst, and the numbers of each model's bars.

        Bars are numbered from 1, in the order of the picture from the left. A model without a bar
        was found different from all others.
        """
        table, bars = self._read()
        numbers = [
            tuple(k for k, group in enumerate(bars, 1) if row in group) for row in range(len(table))
        ]
        return table[["label", "mean_rank"]].assign(
            groups=pd.Series(numbers, table.index, dtype=object)
        )

    def plot(self, ax: Any = None, *, line_kw: Style = None, bar_kw: Style = None) -> Self:
        """Draw the diagram.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw. Default: a new figure, as high as its models and bars need. Text is
            smaller where your own axes have less room.
        line_kw : dict, optional
            Style of the lines from the axis to the labels.
        bar_kw : dict, optional
            Style of the bars.

        Returns
        -------
        self : CriticalDifferenceDisplay
        """
        table, bars = self._read()
        ranks = table["mean_rank"].to_numpy(dtype=float)
        m = len(ranks)
        low, high = self._limits(ranks)
        places = low + (high - low) * _base.spread((ranks - low) / (high - low), _TIED)
        levels = bar_levels(bars, places, (high - low) * (_GAP + 2 * _OVERHANG))
        n_left = (m + 1) // 2
        # The best is the first on the left, the worst the first on the right: no lines cross.
        first_row = _TO_BARS + _LEVEL * (max(levels, default=-1) + 1) + 0.5
        rows = first_row + np.r_[np.arange(n_left), np.arange(m - n_left)[::-1]]
        names = _base.in_short_each(map(str, table["label"]))
        width = 3.5 + min(0.15 * m, 4.0) + 0.16 * (7 + max(map(len, names.values())))
        n_rows = rows.max() + 0.6
        above = 2.0 if self.critical_difference is None else 5.0  # sizes of text
        height = 0.8 + 0.26 * n_rows + above * 10 / 72
        ax = self._set_axes(ax, width=width, height=height)
        ax.set_xlim(low, high)
        self._draw_axis(ax, low, min(high, float(m)), m, bars)
        above *= float(_base.font_size())
        size = self._room_of_rows(n_rows, above)
        # All in the axes, so that nothing is cut off in a figure without a layout engine.
        points = self._size()[1]
        ax.set_ylim(n_rows, -n_rows * above / max(points - above, 0.2 * points))
        self._draw_labels(ax, table, places, rows, low, high, size, line_kw)
        for group, level in zip(bars, levels, strict=True):
            at = _TO_BARS + _LEVEL * level
            # Draw the bar of a group at a height, `overhang` longer than the group on each side.
            overhang = _OVERHANG * (high - low)
            style = {"color": _base.BLUE, "linewidth": 0.4 * size, "solid_capstyle": "butt"}
            style = _base.styled({**style, "zorder": 3}, bar_kw, "bar_kw")
            runs = np.split(np.asarray(group), np.flatnonzero(np.diff(group) > 1) + 1)
            for run in runs:
                if len(run) > 1:
                    ends = [places[run[0]] - overhang, places[run[-1]] + overhang]
                    ax.plot(ends, [at, at], **style)
            if len(runs) > 1:
                thin = {**style, "linewidth": 0.1 * size}
                ax.plot(places[[group[0], group[-1]]], [at, at], **thin)
                dots = {name: style[name] for name in ("color", "zorder")}
                ax.plot(places[list(group)], [at] * len(group), "o", markersize=0.5 * size, **dots)
        if self.critical_difference is not None:
            self._draw_critical_difference(ax, low)
        # Whole ranks, as many as have room on the part of the axes that is the axis.
        last = min(high, float(m))
        first, end = ax.get_xlim()
        inches = self._size()[0] / 72 * (last - low) / (end - first)
        n = max(2.0, inches / (_TICK * float(_base.font_size()) / 10))
        step = next((step for step in _STEPS if (last - low) / step <= n), _STEPS[-1])
        multiples = np.arange(step * np.ceil(low / step), last + 1e-9, step)
        # The axis begins with the best rank, which need not be a multiple.
        ax.set_xticks([low, *multiples[multiples >= low + 0.6 * step]])
        return self

    def _read(self) -> tuple[pd.DataFrame, list[tuple[int, ...]]]:
        """The table by mean rank, and the rows in it of each group of at least two."""
        table = self.mean_ranks.sort_values("mean_rank", kind="stable")
        row_of = {str(label): row for row, label in enumerate(table["label"])}
        bars = {tuple(sorted(row_of[label] for label in group)) for group in self.groups}
        return table, sorted(bar for bar in bars if len(bar) > 1)

    def _limits(self, ranks: NDArray[np.float64]) -> tuple[float, float]:
        low, high = np.floor(ranks.min()), np.ceil(ranks.max())
        if low == high:  # all models tie
            low, high = max(1.0, low - 1), high + 1
        return float(low), float(max(high, low + (self.critical_difference or 0)))

    def _draw_axis(self, ax: Any, low: float, last: float, m: int, bars: Sequence[Any]) -> None:
        ax.xaxis.tick_top()
        ax.spines[["left", "right", "bottom"]].set_visible(False)
        ax.spines["top"].set(bounds=(low, last), position=("data", 0))
        ax.set_yticks([])
        ax.set_xticks([low])  # room for the numbers, which `_draw_ticks` chooses
        if not bars:
            words = "every pair of models was found different"
        elif any(len(bar) <= bar[-1] - bar[0] for bar in bars):
            words = "bars join models not found different; dots mark those of a thin bar"
        else:
            words = "bars join models not found different"
        ax.xaxis.set_label_position("bottom")
        ranks = f"mean rank by {_base.in_short(self.metric)}, 1 is the best of {m:,}"
        n = int(1.1 * self._size()[0] / (0.5 * float(_base.font_size())))
        lines = [_base.naming_lines(part, n) for part in (ranks, words, self.test)]
        ax.set_xlabel("\n".join(filter(None, lines)))

    def _draw_labels(
        self,
        ax: Any,
        table: pd.DataFrame,
        places: NDArray[np.float64],
        rows: NDArray[np.float64],
        low: float,
        high: float,
        size: float,
        line_kw: Style,
    ) -> None:
        """Lines and labels; the limits of the axes are set so that labels are inside them."""
        n_left = (len(rows) + 1) // 2
        inches = self._size()[0] / 72
        # Characters, for at most about a third of the axes; 7 are those of a mean rank.
        longest = int(_LABELS / 2 * inches * 72 / (0.55 * size)) - 7
        names = _base.in_short_each(map(str, table["label"]), max(12, min(28, longest)))
        style = _base.styled({"color": _base.GREY, "linewidth": 0.9, "zorder": 2}, line_kw)
        of_text = {"fontsize": size, "color": _base.ink()}
        margin = 0.02 * (high - low)
        texts = []
        for k, (label, rank) in enumerate(zip(table["label"], table["mean_rank"], strict=True)):
            left = k < n_left
            end = low - margin if left else high + margin
            ax.plot([places[k], places[k], end], [0, rows[k], rows[k]], clip_on=False, **style)
            name = names[str(label)].strip()
            words = f"{name}  {rank:.2f} " if left else f" {rank:.2f}  {name}"
            side = "right" if left else "left"
            texts.append(ax.text(end, rows[k], words, ha=side, va="center_baseline", **of_text))
        widths = [text.get_window_extent().width / ax.figure.dpi for text in texts]
        left, right = max(widths[:n_left]), max(widths[n_left:], default=0.1)
        smaller = min(1.0, _LABELS * inches / (left + right))
        for text in texts:
            text.set_fontsize(smaller * size)
        left, right = smaller * left, smaller * right
        unit = (high - low + 2 * margin) / (inches - left - right)
        ax.set_xlim(low - margin - left * unit, high + margin + right * unit)

    def _draw_critical_difference(self, ax: Any, low: float) -> None:
        # Inside the function, because importing this package must not import matplotlib.
        from matplotlib.transforms import ScaledTranslation

        cd = float(self.critical_difference or 0)
        points = 2.4 * float(_base.font_size())  # above the axis and its numbers
        above = ScaledTranslation(0, points / 72, ax.figure.dpi_scale_trans)
        ax.plot([low, low + cd], [0, 0], "|-", color=_base.ink(), linewidth=1.5, markersize=7,
                markeredgewidth=1.5, transform=ax.transData + above, clip_on=False)  # fmt: skip
        ax.annotate(f"critical difference {cd:.2f}", (low, 0), xytext=(0, points + 6),
                    textcoords="offset points", va="bottom", ha="left", color=_base.ink(),
                    annotation_clip=False)  # fmt: skip


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


# Visible on light and on dark backgrounds.
_DOTS = {"color": _base.SKY, "alpha": 0.5, "linewidth": 0}

_HALF = 0.34  # rows; half the height of the largest dot


@dataclass(eq=False, repr=False)
class DatasetRanksDisplay(_base.Display):
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
    """

    ranks: pd.DataFrame
    _: KW_ONLY
    metric: str = "score"

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
        _base.check_datasets_comparison(comparison)
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

    def plot(self, ax: Any = None, *, top: int = 30, errorbar_kw: Style = None) -> Self:
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
        ax = self._set_axes(ax, width=8.0, height=_base.row_height(n))
        rows = np.arange(n)[::-1]  # the best on top: the axis grows upwards
        self._name_rows(rows, _base.in_short_list(shown["label"], self._label_width()))
        ax.set_xlim(min(0.5, 1 - 0.02 * m), max(m + 0.5, 1.02 * m))
        self._rank_axis(m)
        words = f"{_base.in_short(self.metric)} on {count(self.ranks.shape[1], 'data set')}"
        self._label_below(f"rank by {words}\n1 is the best of {m:,}", "")
        if m > n:
            self._write_above(f"and {m - n:,} not shown")
        points = self._draw_bars(ax, shown, rows, errorbar_kw)
        size = self._room_of_rows(n)
        ax.tick_params(axis="y", labelsize=size)
        points.set_markersize(min(5.0, 0.6 * size))
        self._draw_dots(ax, shown, rows)
        return self

    def _draw_bars(self, ax: Any, shown: pd.DataFrame, rows: Any, errorbar_kw: Style) -> Any:
        """Quartiles, mean ranks and the legend; returns the line of the mean ranks."""
        # The dots are drawn last, when the height of a row is known; the legend needs its entry.
        ax.plot([], [], "o", label="data sets (area)", **_DOTS)
        low, high = shown["rank_q1"].to_numpy(), shown["rank_q3"].to_numpy()
        style = {"fmt": "none", "color": _base.BLUE, "elinewidth": 2.0, "label": "quartiles"}
        style = _base.styled(style, errorbar_kw, "errorbar_kw")
        ax.errorbar((low + high) / 2, rows, xerr=(high - low) / 2, **style)
        style = {"color": _base.ORANGE, "markersize": 5, "label": "mean rank", "zorder": 4}
        edge = {"markeredgecolor": _base.ink(), "markeredgewidth": 0.6}
        (points,) = ax.plot(shown["mean_rank"], rows, "D", **style, **edge)
        self._legend(above=True, **self._legend_columns())
        return points

    def _draw_dots(self, ax: Any, shown: pd.DataFrame, rows: Any) -> None:
        row_of = {str(label): row for row, label in enumerate(self.ranks.index)}
        values = self.ranks.to_numpy(dtype=float)
        across, down = self._size()
        counted = [
            (rank, row, times)
            for label, row in zip(shown["label"], rows, strict=True)
            for rank, times in zip(
                *np.unique(values[row_of[label]], return_counts=True), strict=True
            )
        ]
        at, heights, times = np.array(counted, dtype=float).T
        low, high = ax.get_xlim()
        # The largest dot has nearly the height of a row, in points; `s` is an area.
        row, step = down / (len(rows) + 0.4), across / (high - low)
        largest = (2 * _HALF * min(row, 1.3 * step, 40.0)) ** 2
        ax.scatter(at, heights, s=largest * times / times.max(), zorder=1.5, **_DOTS)  # fmt: skip
