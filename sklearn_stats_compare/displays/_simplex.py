"""SimplexDisplay: draws of the probabilities worse, equivalent and better, in a triangle."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from sklearn_stats_compare._messages import check_numbers, count
from sklearn_stats_compare.displays._base import (
    BLUE,
    GREY,
    ORANGE,
    VERMILLION,
    check_names,
    font_size,
    in_short,
    in_short_each,
    ink,
    styled,
)
from sklearn_stats_compare.displays._over_datasets import (
    DatasetsDisplay,
    check_datasets_comparison,
    chosen_models,
)

_COLUMNS = ("worse_prob", "rope_prob", "better_prob")
_COLOURS = (VERMILLION, ORANGE, BLUE)
_HEIGHT = np.sqrt(3) / 2
_CORNERS = np.array([[0.0, 0.0], [0.5, _HEIGHT], [1.0, 0.0]])
_TOLERANCE = 1e-6


class SimplexDisplay(DatasetsDisplay):
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

    Raises
    ------
    ValueError
        If `draws` has another shape, a number is not in [0, 1], or a row does not sum to 1.

    References
    ----------
    Benavoli, A., Corani, G., Demšar, J. and Zaffalon, M. (2017). Time for a change: a tutorial for
    comparing multiple classifiers through Bayesian analysis. JMLR 18(77), 1–36.
    http://jmlr.org/papers/v18/16-305.html

    Examples
    --------
    >>> from sklearn_stats_compare import SimplexDisplay
    >>> draws = [[0.1, 0.2, 0.7], [0.2, 0.2, 0.6], [0.1, 0.5, 0.4], [0.0, 0.1, 0.9]]
    >>> SimplexDisplay(draws, ["forest", "tree"]).shares()
    worse         0.00
    equivalent    0.25
    better        0.75
    dtype: float64

    In three of four draws, "forest is better" is the most probable of the three outcomes.
    """

    def __init__(self, draws: ArrayLike, names: Sequence[str], *, metric: str = "score") -> None:
        values = check_numbers("draws", draws)
        if values.ndim != 2 or values.shape[1] != 3 or not len(values):
            raise ValueError(
                "`draws` must have three columns, the probabilities worse, equivalent and better, "
                f"and at least one row; got shape {values.shape}."
            )
        # Also False for NaN.
        if not ((values >= -_TOLERANCE) & (values <= 1 + _TOLERANCE)).all():
            raise ValueError("`draws` must be probabilities in [0, 1]; got other numbers.")
        off = abs(values.sum(axis=1) - 1) > _TOLERANCE
        if off.any():
            raise ValueError(
                "`draws` must sum to 1 in each row; got a sum of "
                f"{values[off][0].sum():.6g} in row {int(off.argmax())}."
            )
        self.draws = values
        self.names = check_names(names)
        self.metric = metric

    @classmethod
    def from_comparison(
        cls,
        comparison: Any,
        i: int | str | None = None,
        j: int | str | None = None,
        *,
        ax: Any = None,
        **options: Any,
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
        rows, names = chosen_models(check_datasets_comparison(comparison), i, j)
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

    def plot(self, ax: Any = None, *, scatter_kw: Mapping[str, Any] | None = None) -> Self:
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
        style = styled(
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
        outline = _CORNERS[[0, 1, 2, 0]]
        ax.plot(*outline.T, color=ink(), linewidth=1.0, clip_on=False)
        centre = _CORNERS.mean(axis=0)
        for k in range(3):
            middle = (_CORNERS[k] + _CORNERS[k - 1]) / 2
            ax.plot(*np.array([centre, middle]).T, color=GREY, linewidth=0.8, zorder=3)
        ax.set_axis_off()
        words = f"{in_short(self.metric, 20)}: shares of {count(len(self.draws), 'draw')}"
        ax.set_title(words, fontsize="medium")
        self._write(ax)
        return self

    def _write(self, ax: Any) -> None:
        """Names of the corners with the shares of their regions, and limits with room for them."""
        # Known only after the layout. The canvas of a subfigure is that of its figure.
        ax.figure.canvas.figure.draw_without_rendering()
        box = ax.get_window_extent()
        width, height = 72 * box.width / ax.figure.dpi, 72 * box.height / ax.figure.dpi
        size = float(font_size())
        longest = int(np.clip(0.34 * width / (0.55 * size), 8, 20))
        first, second = self.names
        short = in_short_each([first, second], longest)
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
                    color=ink(),
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
