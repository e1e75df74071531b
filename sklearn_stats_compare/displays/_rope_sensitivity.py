"""RopeSensitivityDisplay: how the three probabilities depend on the ROPE's half-width."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
import pandas as pd

from sklearn_stats_compare.comparison import Comparison
from sklearn_stats_compare.displays._base import (
    BLUE,
    GREEN,
    GREY,
    VERMILLION,
    ComparisonDisplay,
    check_comparison,
    chosen_pair,
    in_short,
    in_short_each,
    ink,
    naming_lines,
    styled,
)
from sklearn_stats_compare.stats import Posterior


class RopeSensitivityDisplay(ComparisonDisplay):
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

    def __init__(
        self,
        posterior: Posterior,
        pair: tuple[str, str],
        half_widths: Any,
        *,
        probability: float = 0.95,
        metric: str = "score",
        naming: str = "",
    ) -> None:
        self.posterior = posterior
        self.pair = pair
        self.half_widths = np.asarray(half_widths, dtype=float)
        self.probability = probability
        self.metric = metric
        self.naming = naming

    @classmethod
    def from_comparison(
        cls,
        comparison: Comparison,
        i: int | str | None = None,
        j: int | str | None = None,
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
        check_comparison(comparison)
        first, second = chosen_pair(comparison, i, j)
        names = comparison.ranking["label"]
        posterior = comparison.posterior(first, second)
        # Some room to the right of the break-even width; for identical candidates this width is 0,
        # and an axis needs a width.
        widest = 1.6 * posterior.break_even_rope(probability) or 0.01
        return cls(
            posterior,
            (names[first], names[second]),
            np.linspace(0, widest, 201),
            probability=probability,
            metric=comparison.metric,
            naming=comparison.naming,
        ).plot(ax=ax, **options)

    def frame(self) -> pd.DataFrame:
        """The plotted probabilities, a row per half-width."""
        found = [self.posterior.probabilities(width) for width in self.half_widths]
        frame = pd.DataFrame(found, columns=["worse_prob", "rope_prob", "better_prob"])
        frame.insert(0, "half_width", self.half_widths)
        return frame

    def plot(self, ax: Any = None, *, line_kw: Mapping[str, Any] | None = None) -> Self:
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
        names = in_short_each(self.pair, 20)
        first, second = (names[label] for label in self.pair)
        # Dashes too, for readers who cannot distinguish the colours and for print in grey.
        for column, words, colour, dashes in (
            ("rope_prob", "equivalent", GREEN, "-"),
            ("better_prob", f"{first} better", BLUE, "--"),
            ("worse_prob", f"{second} better", VERMILLION, ":"),
        ):
            style = {"color": colour, "linestyle": dashes, "linewidth": 2.0, "label": words}
            ax.plot(frame["half_width"], frame[column], **styled(style, line_kw))
        width = self.posterior.break_even_rope(self.probability)
        ax.axvline(width, color=GREY, linewidth=1.0)
        ax.plot([width], [self.probability], "o", color=ink(), markersize=5)
        # In points from the mark, so that the number is next to it in every style.
        ax.annotate(
            f"±{width:.3g}",
            (width, self.probability),
            xytext=(6, -6),
            textcoords="offset points",
            va="top",
        )
        ax.set(
            xlabel=f"half-width of the ROPE, in {in_short(self.metric)}",
            ylabel="probability",
            ylim=(-0.02, 1.02),
            xlim=(0, self.half_widths[-1]),
        )
        ax.spines[["right", "top"]].set_visible(False)
        self._legend(ax, title=naming_lines(self.naming, 30) or None)
        return self
