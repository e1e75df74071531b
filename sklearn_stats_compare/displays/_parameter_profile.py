"""ParameterProfileDisplay: mean score over the values of one hyper-parameter."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
import pandas as pd

from sklearn_stats_compare._messages import check_option
from sklearn_stats_compare.comparison import Comparison, fits_number_axis, parameter_profile
from sklearn_stats_compare.displays._base import (
    BLUE,
    ComparisonDisplay,
    check_comparison,
    in_short,
    in_short_each,
    styled,
)

_SCALES = ("auto", "linear", "log", "categorical")


class ParameterProfileDisplay(ComparisonDisplay):
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

    def __init__(
        self, profile: pd.DataFrame, *, parameter: str, others: str, metric: str = "score"
    ) -> None:
        self.profile = profile
        self.parameter = parameter
        self.others = others
        self.metric = metric

    @classmethod
    def from_comparison(
        cls,
        comparison: Comparison,
        parameter: str,
        *,
        others: str = "best",
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
        check_comparison(comparison)
        found = parameter_profile(comparison, parameter, others)
        display = cls(
            found.table, parameter=parameter, others=found.others, metric=comparison.metric
        )
        return display.plot(ax=ax, **options)

    def frame(self) -> pd.DataFrame:
        """Value, mean, interval and candidate, a row per value."""
        return self.profile.copy()

    def plot(
        self, ax: Any = None, *, scale: str = "auto", errorbar_kw: Mapping[str, Any] | None = None
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
            raise ValueError(
                f"`scale` must be 'categorical' where values are not all numbers; got {scale!r}."
            )
        profile = self.profile
        if scale != "categorical":
            # A line joins the points in the order of the axis. Categories keep the order of the
            # grid.
            profile = profile.sort_values("value")
        places = len(profile) if scale == "categorical" else 0
        # Thousands of values would need a figure larger than matplotlib can draw.
        ax = self._set_axes(ax, width=min(max(6.4, 0.6 * places), 24))
        x = np.arange(len(profile)) if scale == "categorical" else profile["value"].astype(float)
        # Distances from the mean: `errorbar` expects these instead of limits.
        spread = [profile["mean"] - profile["ci_low"], profile["ci_high"] - profile["mean"]]
        # No line between categories: nothing lies between them.
        defaults = {"fmt": "o" if scale == "categorical" else "o-", "color": BLUE, "capsize": 3}
        ax.errorbar(
            x,
            profile["mean"],
            yerr=np.array(spread),
            **styled(defaults, errorbar_kw, "errorbar_kw"),
        )
        if scale == "categorical":
            # Values may be estimators or arrays, whose text is long.
            names = in_short_each(map(str, profile["value"]))
            labels = [names[str(value)] for value in profile["value"]]
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
        ax.set(xlabel=in_short(self.parameter, 60), ylabel=f"mean {in_short(self.metric)}")
        ax.set_title(words[self.others], loc="left", fontsize="medium")
        ax.spines[["right", "top"]].set_visible(False)
        return self


def _fitting_scale(values: pd.Series) -> str:
    lowest, highest = values.min(), values.max()
    # As floats: Python raises if the quotient of integers is too large for a float.
    return "log" if lowest > 0 and float(highest) / float(lowest) >= 100 else "linear"
