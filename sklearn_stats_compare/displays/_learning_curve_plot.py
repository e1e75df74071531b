"""LearningCurveComparisonDisplay: learning curves with corrected intervals and best models."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
import pandas as pd

from sklearn_stats_compare._messages import level_words
from sklearn_stats_compare.displays._base import (
    LINE_COLOURS,
    Display,
    in_short,
    in_short_each,
    styled,
)


class LearningCurveComparisonDisplay(Display):
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

    def __init__(self, curves: pd.DataFrame, *, metric: str = "score", alpha: float = 0.05) -> None:
        self.curves = curves
        self.metric = metric
        self.alpha = alpha

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

    def plot(
        self,
        ax: Any = None,
        *,
        line_kw: Mapping[str, Any] | None = None,
        band_kw: Mapping[str, Any] | None = None,
    ) -> Self:
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
        names = in_short_each(map(str, models))
        for position, model in enumerate(models):
            own = self.curves[self.curves["model"] == model]
            colour = LINE_COLOURS[position % len(LINE_COLOURS)]
            marker = _MARKERS[position % len(_MARKERS)]
            style = styled({"color": colour, "linewidth": 1.4}, line_kw)
            sizes = own["n_train"].to_numpy(dtype=float)
            if len(models) <= _MOST_BANDS:
                band = {"color": colour, "alpha": 0.13, "linewidth": 0}
                limits = own["ci_low"], own["ci_high"]
                ax.fill_between(sizes, *limits, **styled(band, band_kw, "band_kw"))
            else:
                # By a factor, because the axis is logarithmic if sizes double.
                sizes *= 1 + 0.02 * (position - len(models) / 2)
                spread = [own["mean"] - own["ci_low"], own["ci_high"] - own["mean"]]
                bars = {"fmt": "none", "ecolor": colour, "alpha": 0.5, "linewidth": 1}
                ax.errorbar(
                    sizes, own["mean"], np.array(spread), **styled(bars, band_kw, "band_kw")
                )
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
        ax.set(xlabel="training samples", ylabel=f"mean {in_short(self.metric)}")
        title = f"filled: may be the best there\n{level_words(self.alpha)} intervals"
        # `count` ignores NaN.
        known = self.curves.groupby("n_train")["mean"].count()
        if (known == 0).any():
            unknown = [f"{size:,}" for size in known.index[known == 0]]
            title += f"\nno scores with {', '.join(unknown)} training samples"
        ax.set_title(title, loc="left", fontsize="medium")
        ax.spines[["right", "top"]].set_visible(False)
        self._legend(ax)
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
