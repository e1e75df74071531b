"""ParameterHeatmapDisplay: mean scores over two hyper-parameters, with verdict marks."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
import pandas as pd

from sklearn_stats_compare._messages import shown_decimals, shown_list, shown_number
from sklearn_stats_compare.comparison import Comparison, parameter_grid, varying_parameters
from sklearn_stats_compare.displays._base import (
    ComparisonDisplay,
    check_comparison,
    in_short,
    in_short_each,
    ink,
    on_colour,
    styled,
)

# Of the candidate, against the leader; the verdict itself is of the leader.
_MARKS = {"leader": "★", "better": "−", "worse": "+", "equivalent": "=", "undecided": "",
          "missing": "×", "": ""}  # fmt: skip
_LEGEND = {
    "leader": "★ leader",
    "better": "− worse",
    "worse": "+ better",
    "equivalent": "= practically equivalent",
    "undecided": "no mark: undecided",
    "missing": "× failed",
}
# More columns would leave too little room for a number in each cell.
_MOST_NUMBERED = 8
_LARGEST = 24


class ParameterHeatmapDisplay(ComparisonDisplay):
    """Heat map of mean scores over two hyper-parameters, with the leader's verdict on each cell.

    Where several candidates have the same two values, the best of them is shown. Colours show
    means. Only the marks show whether means differ, and only from the leader's.

    Parameters
    ----------
    means : DataFrame, shape (n_values_of_y, n_values_of_x)
        Mean score at each pair of values; NaN where there is none.
    verdicts : DataFrame of str, the same shape
        The leader's verdict on the candidate, "leader", or "" where there is none.
    labels : DataFrame of str, the same shape
        Label of the candidate.
    x, y : str
        Names of the hyper-parameters.
    metric : str, default="score"
        Name of the score, for the colour bar.
    several : bool, default=False
        Whether a cell may show the best of several candidates.
    """

    def __init__(
        self,
        means: pd.DataFrame,
        verdicts: pd.DataFrame,
        labels: pd.DataFrame,
        *,
        x: str,
        y: str,
        metric: str = "score",
        several: bool = False,
    ) -> None:
        self.means = means
        self.verdicts = verdicts
        self.labels = labels
        self.x = x
        self.y = y
        self.metric = metric
        self.several = several

    @classmethod
    def from_comparison(
        cls,
        comparison: Comparison,
        x: str | None = None,
        y: str | None = None,
        *,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Draw mean scores over two hyper-parameters.

        Parameters
        ----------
        comparison : Comparison
            What to draw; it must know its candidates' parameters, as a search's does.
        x, y : str, optional
            Names of the hyper-parameters, as in the grid. Default: the two that vary, where there
            are just two.
        ax : matplotlib axes, optional
            Where to draw. Default: a new figure, as large as its cells need.
        **options
            As for `plot`.

        Returns
        -------
        display : ParameterHeatmapDisplay

        Raises
        ------
        ValueError
            If the comparison knows no parameters, none of these names, more or fewer than two vary
            and they are not named, no candidate has both, or all candidates failed.
        """
        check_comparison(comparison)
        if x is None or y is None:
            varying = [name for name in varying_parameters(comparison.params) if name not in (x, y)]
            missing = (x is None) + (y is None)
            if comparison.params is not None and len(varying) != missing:
                raise ValueError(
                    "`x` and `y` must be named where other than two hyper-parameters vary in all "
                    f"candidates; got {shown_list(varying) or 'none'} to choose from."
                )
            if comparison.params is not None:
                x, y = (varying.pop(0) if name is None else name for name in (x, y))
        grid = parameter_grid(comparison, x, y)  # type: ignore[arg-type]
        return cls(
            grid.means,
            grid.verdicts,
            grid.labels,
            x=str(x),
            y=str(y),
            metric=comparison.metric,
            several=grid.several,
        ).plot(ax=ax, **options)

    def frame(self) -> pd.DataFrame:
        """Both values, the candidate, its mean and the verdict on it, a row for each cell."""
        rows, columns = np.nonzero(self.verdicts.to_numpy() != "")
        return pd.DataFrame(
            {
                self.x: np.asarray(self.means.columns)[columns],
                self.y: np.asarray(self.means.index)[rows],
                "label": self.labels.to_numpy()[rows, columns],
                "mean": self.means.to_numpy()[rows, columns],
                "verdict": self.verdicts.to_numpy()[rows, columns],
            }
        )

    def plot(self, ax: Any = None, *, image_kw: Mapping[str, Any] | None = None) -> Self:
        """Draw the heat map.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw. Default: a new figure, as large as its cells need.
        image_kw : dict, optional
            Style of the image.

        Returns
        -------
        self : ParameterHeatmapDisplay
        """
        n_rows, n_columns = self.means.shape
        # In axes that were given there may be no room for numbers.
        numbered = ax is None and n_columns <= _MOST_NUMBERED
        across = _names(self.means.columns)
        down = _names(self.means.index)
        # Inches: a number of some six letters, or a mark alone; 0.075 for a letter beside it.
        cell = 0.75 if numbered else 0.3
        beside = 1.9 + 0.075 * max(map(len, down))
        ax = self._set_axes(
            ax,
            width=min(max(5.4, cell * n_columns + beside), _LARGEST),
            height=min(1.9 + max(0.36 * n_rows, 1.2), _LARGEST),
        )
        values = self.means.to_numpy()
        image = ax.imshow(
            values, **styled({"cmap": "cividis", "aspect": "auto"}, image_kw, "image_kw")
        )
        bar = ax.get_figure().colorbar(image, ax=ax)
        bar.set_label(f"mean {in_short(self.metric)}")
        # Values side by side: at 45° long ones need less room below.
        crowded = sum(map(len, across)) > 8 * cell * n_columns
        turned = {"rotation": 45, "ha": "right", "rotation_mode": "anchor"} if crowded else {}
        ax.set_xticks(range(n_columns), across, **turned)
        ax.set_yticks(range(n_rows), down)
        ax.set(xlabel=in_short(self.x, 60), ylabel=in_short(self.y, 40))
        ax.tick_params(length=0)
        ax.spines[:].set_visible(False)
        self._mark(ax, image, values, numbered)
        ax.set_title(self._legend_words(), loc="left", fontsize="medium")
        return self

    def _mark(self, ax: Any, image: Any, values: np.ndarray, numbered: bool) -> None:
        # Two digits of how far the means lie apart.
        decimals = max(shown_decimals(np.array([np.nanstd(values)])) - 1, 0)
        for row, column in np.argwhere(self.verdicts.to_numpy() != ""):
            mean, mark = values[row, column], _MARKS[str(self.verdicts.iat[row, column])]
            known = np.isfinite(mean)
            if numbered and known:
                mark = f"{shown_number(mean, decimals).replace('-', '−')} {mark}".strip()
            if mark:
                # Of the image itself: the user's `image_kw` may have changed map and limits.
                colour = on_colour(image.cmap(image.norm(mean))) if known else ink()
                ax.text(column, row, mark, ha="center", va="center", color=colour, clip_on=True,
                        fontsize="small" if numbered else "medium")  # fmt: skip

    def _legend_words(self) -> str:
        found = set(self.verdicts.to_numpy().ravel())
        words = [told for verdict, told in _LEGEND.items() if verdict in found]
        # Two lines, which fit a figure of the usual width.
        lines = ["   ".join(words[:3]), "   ".join(words[3:])]
        if self.several:
            lines.append("the best candidate of each cell")
        return "\n".join(filter(None, lines))


def _names(values: Any) -> list[str]:
    names = in_short_each(map(str, values), 20)
    return [names[str(value)] for value in values]
