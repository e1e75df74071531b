"""Pictures of scores: on each split, by two metrics, as ROC curves, and by training-set size."""

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from sklearn_stats_compare._utils._formatting import level_words
from sklearn_stats_compare._utils._validation import check_count, wrong
from sklearn_stats_compare.comparison._comparison import Comparison
from sklearn_stats_compare.comparison._pareto import TIMES, SeveralMetrics, pareto_table
from sklearn_stats_compare.displays import _base
from sklearn_stats_compare.displays._base import Style
from sklearn_stats_compare.stats._best import observed_front
from sklearn_stats_compare.stats._numeric import LARGEST
from sklearn_stats_compare.stats.test_set._classifiers import DeLongResult, delong


@dataclass(eq=False, repr=False)
class SplitScoresDisplay(_base.ComparisonDisplay):
    """Scores per split as lines, one line per candidate.

    Lines that rise and fall together show the fold effect: an easy split is easy for all
    candidates. Therefore candidates are compared split by split, and splits are not independent.

    Parameters
    ----------
    scores : DataFrame, shape (n_candidates, n_shown_splits)
        Scores, candidates' labels as index in rank order, split numbers as columns.
    correlations : sequence of float, shape (n_candidates,)
        Correlation of each candidate's scores with the leader's, over all splits.
    repeat : sequence of int, shape (n_shown_splits,), optional
        Repeat of each shown split; thin lines separate repeats.
    metric : str, default="score"
        Name of the score, for the axis.
    naming : str, default=""
        What labels are made of, shown with them.
    n_splits : int, optional
        Total number of splits. Default: the number shown.
    """

    scores: pd.DataFrame
    correlations: Sequence[float]
    _: KW_ONLY
    repeat: Sequence[int] | None = None
    metric: str = "score"
    naming: str = ""
    n_splits: int | None = None

    @classmethod
    def from_comparison(
        cls, comparison: Comparison, *, n_splits: int = 25, ax: Any = None, **options: Any
    ) -> Self:
        """Draw the scores of a comparison.

        Parameters
        ----------
        comparison : Comparison
            What to draw.
        n_splits : int, default=25
            Number of splits to draw, from the first on. The axis label says if there are more.
        ax : matplotlib axes, optional
            Where to draw. Default: a new figure.
        **options
            As for `plot`.

        Returns
        -------
        display : SplitScoresDisplay
        """
        _base.check_comparison(comparison)
        scores = comparison.scores
        shown = min(check_count("n_splits", n_splits), scores.n_splits)
        return cls(
            pd.DataFrame(
                scores.values[scores.order, :shown],
                index=pd.Index(comparison.ranking()["label"], name="candidate"),
            ),
            # Over all splits, not only over those drawn.
            scores.correlation(scores.order[:1])[0].tolist(),
            repeat=scores.design.repeat[:shown].tolist(),
            metric=comparison.metric,
            naming=comparison._naming,
            n_splits=scores.n_splits,
        ).plot(ax=ax, **options)

    def frame(self) -> pd.DataFrame:
        """Correlation with the leader, then the plotted scores, a row per candidate."""
        frame = self.scores.rename(columns=lambda split: f"split{split}")
        frame.insert(0, "correlation_with_leader", self.correlations)
        return frame

    def plot(
        self, ax: Any = None, *, n_coloured: int = len(_base.LINE_COLOURS), line_kw: Style = None
    ) -> Self:
        """Draw the lines.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw. Default: a new figure.
        n_coloured : int, default=6
            Number of best candidates with a colour and a name, at most 6; the others are grey.
        line_kw : dict, optional
            Style of the lines of named candidates.

        Returns
        -------
        self : SplitScoresDisplay
        """
        ax = self._set_axes(ax, width=8.0)
        splits = np.arange(self.scores.shape[1])
        most = min(len(_base.LINE_COLOURS), len(self.scores))
        n_named = min(check_count("n_coloured", n_coloured, least=0), most)
        # Extreme scores of a failed candidate would determine the scale.
        values = self.scores.to_numpy()
        values = np.where(np.abs(values) <= LARGEST, values, np.nan)
        for row in values[n_named:]:
            ax.plot(splits, row, color=_base.GREY, linewidth=0.7, alpha=0.5, zorder=1)
        names = zip(_base.in_short_list(self.scores.index[:n_named]), values, strict=False)
        lines = {name if np.isfinite(row).all() else f"{name} (failed)": row for name, row in names}
        self._draw_named(splits, lines, {"marker": "o", "markersize": 3, "zorder": 2}, line_kw)
        if self.repeat is not None and -1 not in self.repeat:
            for split in np.flatnonzero(np.diff(self.repeat)) + 0.5:
                ax.axvline(split, color=_base.GREY, linewidth=0.6, linestyle=":", zorder=0)
        splits_text = "split"
        if self.n_splits is not None and len(splits) < self.n_splits:
            splits_text += f" (the first {len(splits):,} of {self.n_splits:,})"
        ax.set(xlabel=splits_text, ylabel=_base.in_short(self.metric))
        # Split numbers are whole; matplotlib would put ticks at halves.
        ax.xaxis.get_major_locator().set_params(integer=True)
        n_grey = len(values) - n_named
        more = f"and {n_grey} more, grey" if n_grey else ""
        # In reverse drawing order: the leader on top, as in the plot.
        self._legend(_base.naming_lines(self.naming, 30), more, reverse=True)
        return self


_WIDE_RANGE = 20
"""Times whose largest is this many times the smallest are drawn on a logarithmic axis."""


@dataclass(eq=False, repr=False)
class MetricScatterDisplay(_base.Display):
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

    table: pd.DataFrame
    _: KW_ONLY
    x: str
    y: str
    alpha: float = 0.05
    naming: str = ""

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
        rows = pd.Index(several.comparison._candidates or ()).get_indexer(table.index)
        for axis, name in (("x", x), ("y", y)):
            low, high = several.criteria[name].limits(1 - level)
            table = table.assign(**{f"{axis}_low": low[rows], f"{axis}_high": high[rows]})
        return cls(table, x=x, y=y, alpha=level, naming=several.comparison._naming)

    def frame(self) -> pd.DataFrame:
        """The plotted data of all candidates, with the rival of each that is shown dominated."""
        return self.table.copy()

    def plot(self, ax: Any = None, *, top: int = 8, errorbar_kw: Style = None) -> Self:
        """Draw the candidates.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw. Default: a new figure. The names stand to the right of the axes: to leave
            room for them around your own, use ``fig, ax = plt.subplots(layout="constrained")``.
        top : int, default=8
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
            (
                ~members,
                "shown to be dominated",
                {"color": _base.GREY, "markersize": 4, "zorder": 2},
            ),
            (
                members & ~front,
                "possibly Pareto",
                {"color": _base.BLUE, "markerfacecolor": ax.get_facecolor(), "zorder": 3},
            ),
            (members & front, "on the observed front", {"color": _base.BLUE, "zorder": 4}),
        ):
            part = known[which]
            if part.empty:
                continue
            drawn = {"fmt": "o", "markersize": 5, "label": words, **style}
            bars = ax.errorbar(
                part[self.x],
                part[self.y],
                xerr=_base.arms(part[self.x], part["x_low"], part["x_high"]),
                yerr=_base.arms(part[self.y], part["y_low"], part["y_high"]),
                **_base.styled({"elinewidth": 0.8, **drawn}, errorbar_kw, "errorbar_kw"),
            )
            for lines in bars[2]:  # many intervals would hide the points
                lines.set(alpha=min(0.8, max(0.15, 12 / len(known))), zorder=1)
        self._scale(ax, known)
        ax.spines[["right", "top"]].set_visible(False)
        words = f"bars: {level} intervals{unnamed}"
        naming = _base.naming_lines(self.naming, 60)
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
        # The limits and the height of the axes, in which the names need their room.
        self._lay_out()
        points = ax.transData.transform(named[[self.x, self.y]].to_numpy(dtype=float))
        heights = ax.transAxes.inverted().transform(points)[:, 1]
        size = 0.9 * _base.font_size()
        places = _base.spread(heights, 1.3 * size / max(self._size()[1], 7.2))
        names = _base.in_short_each(map(str, named["label"]))
        for k, (_, row) in enumerate(named.iterrows()):
            ax.annotate(
                names[str(row["label"])],
                (row[self.x], row[self.y]),
                (1.03, places[k]),
                textcoords="axes fraction",
                va="center",
                fontsize=size,
                color=_base.ink(),
                arrowprops={
                    "arrowstyle": "-",
                    "color": _base.GREY,
                    "linewidth": 0.5,
                    "alpha": 0.6,
                    "shrinkA": 1,
                    "shrinkB": 3,
                    "relpos": (0, 0.5),
                },
                annotation_clip=False,
            )


def _axis_words(name: str) -> str:
    if name in TIMES:
        return f"{name} in seconds (lower is better)"
    return f"{_base.in_short(name)} (higher is better)"


@dataclass(eq=False, repr=False)
class RocComparisonDisplay(_base.Display):
    """Two ROC curves on one test set, both areas, and their difference with interval and p-value.

    Parameters
    ----------
    result : DeLongResult
        What `delong` found.
    names : sequence of str, default=("model 1", "model 2")
        Names of the two models.
    confidence_level : float, default=0.95
        Level of the interval of the difference.
    """

    result: DeLongResult
    _: KW_ONLY
    names: Sequence[str] = ("model 1", "model 2")
    confidence_level: float = 0.95

    @classmethod
    def from_result(cls, result: DeLongResult, *, ax: Any = None, **options: Any) -> Self:
        """Draw what `delong` found.

        Parameters
        ----------
        result : DeLongResult
            Of `delong`.
        ax : matplotlib axes, optional
            Where to draw. Default: a new figure.
        **options
            `names` and `confidence_level`.

        Returns
        -------
        display : RocComparisonDisplay
        """
        if not isinstance(result, DeLongResult):
            raise wrong("result", "be what `delong` returned", result)
        return cls(result, **options).plot(ax=ax)

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        score1: ArrayLike,
        score2: ArrayLike,
        *,
        pos_label: Any = None,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Draw the curves of two models from their scores of the same samples.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            Classes, two of them.
        score1 : array-like of float, shape (n_samples,)
            Scores of model 1, higher for the positive class.
        score2 : array-like of float, shape (n_samples,)
            Scores of model 2.
        pos_label : object, optional
            The positive class. Default: the greater of the two.
        ax : matplotlib axes, optional
            Where to draw. Default: a new figure.
        **options
            `names` and `confidence_level`.

        Returns
        -------
        display : RocComparisonDisplay

        Raises
        ------
        ValueError
            As `delong` does.
        """
        result = delong(y_true, score1, score2, pos_label=pos_label)
        return cls.from_result(result, ax=ax, **options)

    def frame(self) -> pd.DataFrame:
        """Points of both curves: ``model``, ``false_positive_rate``, ``true_positive_rate``."""
        curves = zip(self.names, (self.result.curve1, self.result.curve2), strict=True)
        return pd.concat(
            [
                pd.DataFrame({"model": name, "false_positive_rate": x, "true_positive_rate": y})
                for name, (x, y) in curves
            ],
            ignore_index=True,
        )

    def plot(self, ax: Any = None, *, line_kw: Style = None) -> Self:
        """Draw the curves.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw. Default: a new figure.
        line_kw : dict, optional
            Style of both curves.

        Returns
        -------
        self : RocComparisonDisplay
        """
        ax = self._set_axes(ax, width=5.2, height=5.4)
        result = self.result
        # Chance: scores independent of the classes.
        ax.plot([0, 1], [0, 1], color=_base.GREY, linewidth=0.8, linestyle=":")
        # Model 1 last, on top; the legend is reversed below.
        parts = (
            (self.names[1], result.curve2, result.auc2, {"color": _base.ORANGE, "linestyle": "--"}),
            (self.names[0], result.curve1, result.auc1, {"color": _base.BLUE, "linestyle": "-"}),
        )
        names = _base.in_short_each(self.names)
        for name, (x, y), area, defaults in parts:
            label = f"{names[name]}: AUC {area:.3f}"
            ax.plot(x, y, **_base.styled({**defaults, "label": label}, line_kw))
        low, high = result.confidence_interval(self.confidence_level)
        p = "p < 0.001" if result.pvalue < 0.001 else f"p = {result.pvalue:.3f}"
        interval = f"{100 * self.confidence_level:g} % interval {low:+.3f} to {high:+.3f}"
        self._write_above(f"AUC difference {result.difference:+.3f}, {p}\n{interval}")
        ax.set(xlabel="false positive rate", ylabel="true positive rate")
        # The edge would hide half of a curve that runs along it.
        ax.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), aspect="equal")
        ax.spines[["right", "top"]].set_visible(False)
        ax.legend(reverse=True, loc="lower right", frameon=False)
        return self


@dataclass(eq=False, repr=False)
class LearningCurveComparisonDisplay(_base.Display):
    """Mean score over the size of the training set, a line and a band of intervals per model.

    Filled points are models that may be the best at that size; hollow points are the others. For
    more than four models the intervals are bars, side by side.

    Parameters
    ----------
    curves : DataFrame
        Columns ``n_train``, ``model``, ``mean``, ``ci_low``, ``ci_high``, and ``may_be_best``.
    metric : str, default="score"
        Name of the score, for the axis.
    alpha : float, default=0.05
        The intervals have level 1 − alpha.
    """

    curves: pd.DataFrame
    _: KW_ONLY
    metric: str = "score"
    alpha: float = 0.05

    @classmethod
    def from_learning_curves(cls, compared: Any, *, ax: Any = None, **options: Any) -> Self:
        """Draw the result of `compare_learning_curves`.

        Parameters
        ----------
        compared : LearningCurveComparison
            What to draw.
        ax : matplotlib axes, optional
            Where to draw. Default: a new figure.
        **options
            As for `plot`.

        Returns
        -------
        display : LearningCurveComparisonDisplay
        """
        if not hasattr(compared, "comparisons") or not hasattr(compared, "curves"):
            raise TypeError(
                "`compared` must be what `compare_learning_curves` returns; got "
                f"{type(compared).__name__}."
            )
        best: list[bool] = []
        for comparison in compared.comparisons.values():
            # If all failed, there is no such set.
            available = comparison.scores.n_available
            names = set(comparison.possibly_best()["label"]) if available else set()
            best.extend(label in names for label in comparison.labels)
        alpha = next(iter(compared.comparisons.values())).alpha
        curves = compared.curves.assign(may_be_best=best)
        return cls(curves, metric=compared.metric, alpha=alpha).plot(ax=ax, **options)

    def frame(self) -> pd.DataFrame:
        """The plotted numbers, a row per size and model."""
        return self.curves.copy()

    def plot(self, ax: Any = None, *, line_kw: Style = None, band_kw: Style = None) -> Self:
        """Draw the curves.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw. Default: a new figure.
        line_kw : dict, optional
            Style of the lines.
        band_kw : dict, optional
            Style of the bands.

        Returns
        -------
        self : LearningCurveComparisonDisplay
        """
        ax = self._set_axes(ax, width=7.5)
        models = list(dict.fromkeys(self.curves["model"]))
        names = _base.in_short_each(map(str, models))
        for position, model in enumerate(models):
            own = self.curves[self.curves["model"] == model]
            colour = _base.LINE_COLOURS[position % len(_base.LINE_COLOURS)]
            marker = _MARKERS[position % len(_MARKERS)]
            style = _base.styled({"color": colour, "linewidth": 1.4}, line_kw)
            sizes = own["n_train"].to_numpy(dtype=float)
            if len(models) <= _MOST_BANDS:
                band = {"color": colour, "alpha": 0.13, "linewidth": 0}
                limits = own["ci_low"], own["ci_high"]
                ax.fill_between(sizes, *limits, **_base.styled(band, band_kw, "band_kw"))
            else:
                # By a factor, because the axis is logarithmic if sizes double.
                sizes *= 1 + 0.02 * (position - len(models) / 2)
                spread = _base.arms(own["mean"], own["ci_low"], own["ci_high"])
                bars = {"fmt": "none", "ecolor": colour, "alpha": 0.5, "linewidth": 1}
                ax.errorbar(sizes, own["mean"], spread, **_base.styled(bars, band_kw, "band_kw"))
            ax.plot(sizes, own["mean"], **style)
            # The legend entry, with line and marker; the points are drawn separately, filled or
            # hollow.
            ax.plot([], [], marker=marker, label=names[str(model)], **style)
            filled = own["may_be_best"].to_numpy(dtype=bool)
            points = {"linestyle": "", "marker": marker, "color": colour, "zorder": 3}
            ax.plot(sizes[filled], own["mean"][filled], **points)
            # In the colour of the axes, not transparent, so that the line does not show through.
            hollow = {**points, "markerfacecolor": ax.get_facecolor()}
            ax.plot(sizes[~filled], own["mean"][~filled], **hollow)
        self._set_sizes(ax, sorted(set(self.curves["n_train"])))
        ax.set(xlabel="training samples", ylabel=f"mean {_base.in_short(self.metric)}")
        title = f"filled: may be the best there\n{level_words(self.alpha)} intervals"
        # `count` ignores NaN.
        known = self.curves.groupby("n_train")["mean"].count()
        if (known == 0).any():
            unknown = [f"{size:,}" for size in known.index[known == 0]]
            title += f"\nno scores with {', '.join(unknown)} training samples"
        self._write_above(title)
        ax.spines[["right", "top"]].set_visible(False)
        self._legend()
        return self

    def _set_sizes(self, ax: Any, sizes: Sequence[int]) -> None:
        """Ticks at the sizes; on a logarithmic axis if they grow by factors."""
        # At both ends: sizes in equal steps, such as 1, 2, 3, 4, 5, grow by a factor at first only.
        if len(sizes) > 2 and sizes[-1] / sizes[-2] > 1.5 and sizes[1] / sizes[0] > 1.5:
            ax.set_xscale("log")
            # matplotlib labels the minor ticks of a logarithmic axis that spans less than a decade.
            ax.minorticks_off()
        if len(sizes) <= _MOST_TICKS:
            ax.set_xticks(sizes, [f"{size:,}" for size in sizes])


# Shapes too, for readers who cannot distinguish the colours and for more models than colours.
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "*", "h", "d")

# More overlapping bands cannot be distinguished.
_MOST_BANDS = 4

# As many five-digit sizes as fit next to each other.
_MOST_TICKS = 9
