"""RocComparisonDisplay: two ROC curves on one test set, and the difference of their areas."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

import pandas as pd
from numpy.typing import ArrayLike

from sklearn_stats_compare._messages import check_probability
from sklearn_stats_compare.displays._base import (
    BLUE,
    GREY,
    ORANGE,
    Display,
    check_names,
    in_short_each,
    styled,
)
from sklearn_stats_compare.stats import DeLongResult, delong


class RocComparisonDisplay(Display):
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

    def __init__(
        self,
        result: DeLongResult,
        *,
        names: Sequence[str] = ("model 1", "model 2"),
        confidence_level: float = 0.95,
    ) -> None:
        if not isinstance(result, DeLongResult):
            raise TypeError(f"`result` must be what `delong` returns; got {type(result).__name__}.")
        self.result = result
        self.names = check_names(names)
        self.confidence_level = check_probability("confidence_level", confidence_level)

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

    def plot(self, ax: Any = None, *, line_kw: Mapping[str, Any] | None = None) -> Self:
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
        ax.plot([0, 1], [0, 1], color=GREY, linewidth=0.8, linestyle=":")
        # Model 1 last, on top; the legend is reversed below.
        parts = (
            (self.names[1], result.curve2, result.auc2, {"color": ORANGE, "linestyle": "--"}),
            (self.names[0], result.curve1, result.auc1, {"color": BLUE, "linestyle": "-"}),
        )
        names = in_short_each(self.names)
        for name, (x, y), area, defaults in parts:
            label = f"{names[name]}: AUC {area:.3f}"
            ax.plot(x, y, **styled({**defaults, "label": label}, line_kw))
        low, high = result.confidence_interval(self.confidence_level)
        p = "p < 0.001" if result.pvalue < 0.001 else f"p = {result.pvalue:.3f}"
        ax.set_title(
            f"AUC difference {result.difference:+.3f}, {p}\n"
            f"{100 * self.confidence_level:g} % interval {low:+.3f} to {high:+.3f}",
            loc="left",
            fontsize="medium",
        )
        ax.set(xlabel="false positive rate", ylabel="true positive rate")
        # The edge would hide half of a curve that runs along it.
        ax.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), aspect="equal")
        ax.spines[["right", "top"]].set_visible(False)
        handles, labels = ax.get_legend_handles_labels()
        ax.legend(handles[::-1], labels[::-1], loc="lower right", frameon=False)
        return self
