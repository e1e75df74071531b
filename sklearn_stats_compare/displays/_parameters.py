"""Pictures of mean scores by values of hyper-parameters, and of subgroups."""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal, Self

import numpy as np
import pandas as pd

from sklearn_stats_compare._utils._formatting import count, shown_decimals, shown_number
from sklearn_stats_compare._utils._validation import check_count, check_option, shown_list, wrong
from sklearn_stats_compare.comparison._comparison import Comparison
from sklearn_stats_compare.comparison._parameters import (
    fits_number_axis,
    parameter_grid,
    parameter_profile,
    varying_parameters,
)
from sklearn_stats_compare.comparison._predictions import SubgroupComparison
from sklearn_stats_compare.comparison._tables import known_params
from sklearn_stats_compare.displays import _base

# The candidate against the leader; the verdict itself is on the leader.
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


@dataclass(eq=False, repr=False)
class ParameterHeatmapDisplay(_base.ComparisonDisplay):
    """Heat map of mean scores over two hyper-parameters, with the leader's verdict on each cell.

    If several candidates have the same two values, the best of them is shown. Colours show means.
    Only the marks show whether a candidate differs from the leader.

    Parameters
    ----------
    means : DataFrame, shape (n_values_of_y, n_values_of_x)
        Mean score at each pair of values; NaN if there is none.
    verdicts : DataFrame of str, the same shape
        The leader's verdict on the candidate, "leader", or "" if there is none.
    labels : DataFrame of str, the same shape
        Label of the candidate.
    x, y : str
        Names of the hyper-parameters.
    metric : str, default="score"
        Name of the score, for the colour bar.
    several : bool, default=False
        Whether a cell may show the best of several candidates.
    """

    means: pd.DataFrame
    verdicts: pd.DataFrame
    labels: pd.DataFrame
    _: KW_ONLY
    x: str
    y: str
    metric: str = "score"
    several: bool = False

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
            What to draw; it must have parameters of its candidates, as that of a search does.
        x, y : str, optional
            Names of the hyper-parameters, as in the grid. Default: the two that vary, if exactly
            two do.
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
            If the comparison has no parameters or none of these names; other than two parameters
            vary and none are named; no candidate has both; or all candidates failed.
        """
        _base.check_comparison(comparison)
        if x is None or y is None:
            params = known_params(comparison)
            varying = [name for name in varying_parameters(params) if name not in (x, y)]
            if len(varying) != (x is None) + (y is None):
                raise ValueError(
                    "`x` and `y` must be named where other than two hyper-parameters vary in all "
                    f"candidates; got {shown_list(varying) or 'none'} to choose from."
                )
            x, y = (varying.pop(0) if name is None else name for name in (x, y))
        grid = parameter_grid(comparison, x, y)
        return cls(
            grid.means,
            grid.verdicts,
            grid.labels,
            x=x,
            y=y,
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

    def plot(self, ax: Any = None, *, image_kw: _base.Style = None) -> Self:
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
        # Given axes may have no room for numbers.
        numbered = _base.is_own_figure(ax) and n_columns <= _MOST_NUMBERED
        across = _base.in_short_list(self.means.columns, 20)
        down = _base.in_short_list(self.means.index, 20)
        # Inches: a number of about six characters, or a mark alone; 0.075 for each further
        # character.
        cell = 0.75 if numbered else 0.3
        beside = 1.9 + 0.075 * max(map(len, down))
        ax = self._set_axes(
            ax,
            width=min(max(5.4, cell * n_columns + beside), _LARGEST),
            height=min(1.9 + max(0.36 * n_rows, 1.2), _LARGEST),
        )
        values = self.means.to_numpy()
        style = _base.styled({"cmap": "cividis", "aspect": "auto"}, image_kw, "image_kw")
        image = ax.imshow(values, **style)
        ax.get_figure().colorbar(image, ax=ax).set_label(f"mean {_base.in_short(self.metric)}")
        # Values side by side: at 45° long ones need less room below.
        crowded = sum(map(len, across)) > 8 * cell * n_columns
        turned = {"rotation": 45, "ha": "right", "rotation_mode": "anchor"} if crowded else {}
        ax.set_xticks(range(n_columns), across, **turned)
        ax.set_yticks(range(n_rows), down)
        ax.set(xlabel=_base.in_short(self.x, 60), ylabel=_base.in_short(self.y, 40))
        ax.tick_params(length=0)
        ax.spines[:].set_visible(False)
        # Two significant digits of the range of the means.
        decimals = max(shown_decimals(np.array([np.nanstd(values)])) - 1, 0)
        words = self.verdicts.replace(_MARKS).to_numpy(dtype=object, copy=True)
        for row, column in np.argwhere(np.isfinite(values)) if numbered else ():
            mean = shown_number(values[row, column], decimals).replace("-", "−")
            words[row, column] = f"{mean} {words[row, column]}".strip()
        self._write_marks(image, words, "small" if numbered else "medium")
        self._write_above(self._legend_words())
        return self

    def _legend_words(self) -> str:
        found = set(self.verdicts.to_numpy().ravel())
        words = [mark for verdict, mark in _LEGEND.items() if verdict in found]
        # Two lines, which fit a figure of the usual width.
        lines = ["   ".join(words[:3]), "   ".join(words[3:])]
        if self.several:
            lines.append("the best candidate of each cell")
        return "\n".join(filter(None, lines))


_SCALES = ("auto", "linear", "log", "categorical")


@dataclass(eq=False, repr=False)
class ParameterProfileDisplay(_base.ComparisonDisplay):
    """Mean score with its corrected interval at every value of one hyper-parameter.

    Each interval is for one mean. Two intervals may overlap although the difference is decided: see
    the pairwise tables.

    Parameters
    ----------
    profile : DataFrame
        A row per value, with the columns ``value``, ``mean``, ``ci_low``, ``ci_high``, ``label``.
    parameter : str
        Name of the hyper-parameter.
    others : {"best", "held", "averaged", "none"}
        What was done with the other hyper-parameters, if there are any.
    metric : str, default="score"
        Name of the score, for the axis.
    """

    profile: pd.DataFrame
    _: KW_ONLY
    parameter: str
    others: str
    metric: str = "score"

    @classmethod
    def from_comparison(
        cls,
        comparison: Comparison,
        parameter: str | None = None,
        *,
        others: Literal["best", "held", "averaged"] = "best",
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Draw the profile of one hyper-parameter.

        Parameters
        ----------
        comparison : Comparison
            What to draw; it must have parameters of its candidates, as that of a search does.
        parameter : str
            Name of the hyper-parameter, as in the grid, or its last part if unique, such as ``C``
            of ``svc__C``.
        others : {"best", "held", "averaged"}, default="best"
            What to do with the other hyper-parameters: at each value take the candidate with the
            best mean ("best"), only candidates that otherwise equal the leader ("held"), or average
            the scores of all candidates ("averaged").
        ax : matplotlib axes, optional
            Where to draw. Default: a new figure.
        **options
            As for `plot`.

        Returns
        -------
        display : ParameterProfileDisplay

        Raises
        ------
        ValueError
            If the comparison has no parameters or none of this name, or all candidates failed.
        """
        _base.check_comparison(comparison)
        found = parameter_profile(comparison, parameter, others)
        return cls(
            found.table, parameter=str(parameter), others=found.others, metric=comparison.metric
        ).plot(ax=ax, **options)

    def frame(self) -> pd.DataFrame:
        """Value, mean, interval and candidate, a row per value."""
        return self.profile.copy()

    def plot(
        self,
        ax: Any = None,
        *,
        scale: Literal["auto", "linear", "log", "categorical"] = "auto",
        errorbar_kw: _base.Style = None,
    ) -> Self:
        """Draw the profile.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw. Default: a new figure.
        scale : {"auto", "linear", "log", "categorical"}, default="auto"
            Scale of the values. "auto" takes a log scale for positive numbers that span at least
            two powers of ten, a linear one for other numbers, and one place per value otherwise.
        errorbar_kw : dict, optional
            Style of points and intervals.

        Returns
        -------
        self : ParameterProfileDisplay

        Raises
        ------
        ValueError
            If `scale` is unknown, or `scale` is numeric and a value is not a number.
        """
        check_option("scale", scale, _SCALES)
        # A single value that is not a number, such as "auto" or None, requires a categorical axis.
        numeric = all(fits_number_axis(value) for value in self.profile["value"])
        if scale == "auto":
            scale = _fitting_scale(self.profile["value"]) if numeric else "categorical"
        elif scale != "categorical" and not numeric:
            raise wrong("scale", "be 'categorical' where values are not all numbers", scale)
        profile = self.profile
        if scale != "categorical":
            # A line joins the points in the order of the axis. Categories keep the order of the
            # grid.
            profile = profile.sort_values("value")
        places = len(profile) if scale == "categorical" else 0
        # Thousands of values would need a figure larger than matplotlib can draw.
        ax = self._set_axes(ax, width=min(max(6.4, 0.6 * places), 24))
        x = np.arange(len(profile)) if scale == "categorical" else profile["value"].astype(float)
        spread = _base.arms(profile["mean"], profile["ci_low"], profile["ci_high"])
        # No line between categories: nothing lies between them.
        points = "o" if scale == "categorical" else "o-"
        defaults = {"fmt": points, "color": _base.BLUE, "capsize": 3}
        style = _base.styled(defaults, errorbar_kw, "errorbar_kw")
        ax.errorbar(x, profile["mean"], yerr=spread, **style)
        if scale == "categorical":
            # Values may be estimators or arrays, whose text is long.
            labels = _base.in_short_list(profile["value"])
            # Letters that fit below an axis of the usual width.
            crowded = sum(map(len, labels)) > 60
            turned = {"rotation": 45, "ha": "right"} if crowded else {}
            ax.set_xticks(x, labels, **turned)
            ax.margins(x=0.08)
        elif scale == "log":
            ax.set_xscale("log")
        words = {
            "best": "the best of the others at each value",
            "held": "the others as the leader has them",
            "averaged": "averaged over the others",
            "none": "",
        }
        ax.set_xlabel(_base.in_short(self.parameter, 60))
        ax.set_ylabel(f"mean {_base.in_short(self.metric)}")
        self._write_above(words[self.others])
        ax.spines[["right", "top"]].set_visible(False)
        return self


def _fitting_scale(values: pd.Series) -> Literal["log", "linear"]:
    lowest, highest = values.min(), values.max()
    # As floats: Python raises if the quotient of integers is too large for a float.
    return "log" if lowest > 0 and float(highest) / float(lowest) >= 100 else "linear"


@dataclass(eq=False, repr=False)
class SubgroupDisplay(_base.ComparisonDisplay):
    """Difference of the leader to its rivals on all samples, and within subgroups.

    Each rival has a block of rows. The intervals of subgroups are wider than that of all samples,
    because each has fewer samples, and is tested at alpha divided by the number of subgroups.

    Parameters
    ----------
    subgroups : SubgroupComparison
        What `Comparison.by` returns.
    """

    subgroups: SubgroupComparison

    @classmethod
    def from_comparison(
        cls,
        comparison: Comparison,
        groups: Any = None,
        *,
        min_samples: int = 30,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Compare within subgroups and draw the result.

        Parameters
        ----------
        comparison : Comparison
            What to draw; its test must be "samples".
        groups : array-like of shape (n_samples,)
            As for `Comparison.by`.
        min_samples : int, default=30
            As for `Comparison.by`.
        ax : matplotlib axes, optional
            Where to draw. Default: a new figure.
        **options
            As for `plot`.

        Returns
        -------
        display : SubgroupDisplay
        """
        subgroups = _base.check_comparison(comparison).by(groups, min_samples=min_samples)
        return cls(subgroups).plot(ax=ax, **options)

    def frame(self) -> pd.DataFrame:
        """The table of subgroups, with a row per rival for all samples before it.

        The group of these rows is NaN.
        """
        overall = self.subgroups.overall.copy()
        overall.insert(0, "group", np.nan)
        table = self.subgroups.table.astype({"group": object})
        return pd.concat([overall.astype({"group": object}), table], ignore_index=True)

    def plot(self, ax: Any = None, *, top: int = 5, errorbar_kw: _base.Style = None) -> Self:
        """Draw the differences.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw. Default: a new figure, as high as its rows need.
        top : int, default=5
            Number of rivals to draw, the best first.
        errorbar_kw : dict, optional
            Style of the intervals.

        Returns
        -------
        self : SubgroupDisplay

        Raises
        ------
        ValueError
            If the leader has no rival.
        """
        table = self.frame()
        block, rivals = pd.factorize(table["model_2"])
        if not len(rivals):
            raise ValueError("The leader needs another candidate to stand against.")
        n_blocks = min(check_count("top", top), len(rivals))
        order = np.argsort(block, kind="stable")
        order = order[block[order] < n_blocks]
        rows = table.iloc[order]
        # From the top, with half a row between the blocks.
        at = -(np.arange(len(rows)) + 0.6 * block[order])
        ax = self._set_axes(ax, width=8.0, height=_base.row_height(len(rows) + n_blocks // 2))
        ax.axvline(0, color=_base.GREY, linewidth=0.8)
        has_interval = rows["mean_diff"].notna().to_numpy()
        self._draw_differences(rows[has_interval], at[has_interval], errorbar_kw)
        leader = str(rows["model_1"].iloc[0])
        group_names = rows["group"].dropna()
        names = _base.in_short_each([leader, *map(str, rows["model_2"]), *map(str, group_names)])
        self._name_rows(at, [_row_label(row, names) for row in rows.itertuples()])
        self._draw_band(self.subgroups.rope, label="ROPE")
        metric = _base.in_short(self.subgroups.metric)
        words = f"difference in {metric}: {names[leader]} − the other"
        self._label_below(words, self.subgroups.naming)
        if len(rivals) > n_blocks:
            self._write_above(f"and {count(len(rivals) - n_blocks, 'other')} not shown")
        self._legend()
        return self


def _row_label(row: Any, names: Mapping[str, str]) -> str:
    if pd.isna(row.group):
        return f"{names[str(row.model_2)]}: all samples ({row.n_samples:,})"
    why = {"too few": ", too few", "undefined": ", not defined"}.get(row.verdict, "")
    return f"{names[str(row.group)]} ({row.n_samples:,}{why})"
