"""LeaderDisplay: every candidate against the leader, as a forest plot."""

from collections.abc import Collection, Mapping
from typing import Any, Self

import numpy as np
import pandas as pd

from sklearn_stats_compare._messages import check_count, check_listed
from sklearn_stats_compare.comparison import (
    Comparison,
    may_lack_the_best,
    verdict_counts,
)
from sklearn_stats_compare.displays._base import (
    GREY,
    ComparisonDisplay,
    check_comparison,
    draw_band,
    draw_differences,
    in_short,
    in_short_each,
    ink,
    naming_lines,
    row_height,
)


class LeaderDisplay(ComparisonDisplay):
    """Difference of the leader to every other candidate, with intervals and verdicts.

    If an interval lies to the right of zero, the leader is better. If it lies inside the ROPE band,
    the two are practically equivalent. Otherwise the pair is undecided, which does not mean equal.

    Parameters
    ----------
    table : DataFrame
        A comparison's ``leader_table``, or the table from `Comparison.against`.
    rope : (float, float)
        The ROPE in score units.
    metric : str, default="score"
        Name of the score, for the axis.
    marked : collection of str, default=()
        Labels to mark with a star.
    marked_as : str, default="marked"
        What the star means, for the legend.
    role : {"leader", "reference"}, default="leader"
        Role of ``model_1``, for the legend.
    naming : str, default=""
        What labels are made of, shown with them.
    """

    def __init__(
        self,
        table: pd.DataFrame,
        *,
        rope: tuple[float, float],
        metric: str = "score",
        marked: Collection[str] = (),
        marked_as: str = "marked",
        role: str = "leader",
        naming: str = "",
    ) -> None:
        self.table = table
        self.rope = rope
        self.metric = metric
        self.marked = marked
        self.marked_as = marked_as
        self.role = role
        self.naming = naming

    @classmethod
    def from_comparison(
        cls,
        comparison: Comparison,
        *,
        reference: int | str | None = None,
        marked: Collection[int | str] | None = None,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Draw the leader of a comparison against the others.

        Parameters
        ----------
        comparison : Comparison
            What to draw.
        reference : int or str, optional
            A candidate that was named before the scores were seen, instead of the leader: see
            `Comparison.against`. Default: the leader.
        marked : collection of int or str, optional
            Candidates, by index or label, to mark with a star. Default: the possibly-best set at
            the comparison's alpha.
        ax : matplotlib axes, optional
            Where to draw. Default: a new figure.
        **options
            As for `plot`.

        Returns
        -------
        display : LeaderDisplay

        Raises
        ------
        ValueError
            If `reference` or `marked` names no candidate, there is no second candidate, or all
            failed.
        """
        check_comparison(comparison)
        if comparison.scores.n_available < 2:
            raise ValueError(
                "The leader needs another candidate to stand against; of "
                f"{comparison.scores.n_candidates} only {comparison.scores.n_available} did not "
                "fail."
            )
        names = comparison.ranking["label"]
        if marked is None:
            # Not the table, which would warn about survivors of a race: the legend says so here.
            members = comparison._possibly_best_members
            labels = comparison.labels or ()
            stars = [label for label, member in zip(labels, members, strict=True) if member]
            marked_as = "possibly best"
            if may_lack_the_best(
                comparison.n_entered,
                comparison.scores.n_candidates,
                comparison.dropped_pvalue,
                comparison.alpha,
            ):
                marked_as += " of those compared"
        else:
            listed = check_listed("marked", marked, "a sequence of candidates")
            stars = [names[comparison.candidate(which, name="marked")] for which in listed]
            marked_as = "marked"
        table = comparison.leader_table
        if reference is not None:
            table = comparison.against(reference)
        return cls(
            table,
            rope=comparison.rope_bounds,
            metric=comparison.metric,
            marked=stars,
            marked_as=marked_as,
            role="leader" if reference is None else "reference",
            naming=comparison.naming,
        ).plot(ax=ax, **options)

    def frame(self) -> pd.DataFrame:
        """The leader table, all candidates, and whether each is marked."""
        return self.table.assign(marked=self.table["model_2"].isin(list(self.marked)))

    def plot(
        self, ax: Any = None, *, top: int = 25, errorbar_kw: Mapping[str, Any] | None = None
    ) -> Self:
        """Draw the differences.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw. Default: a new figure, as high as its rows need. To leave room for labels
            around your own axes, use ``fig, ax = plt.subplots(layout="constrained")``.
        top : int, default=25
            How many candidates to draw, the best first; the verdicts on the others are counted.
        errorbar_kw : dict, optional
            Style of the intervals.

        Returns
        -------
        self : LeaderDisplay
        """
        # A candidate that failed has no interval.
        shown = self.table[self.table["verdict"] != "missing"].iloc[: check_count("top", top)]
        n = len(shown)
        ax = self._set_axes(ax, width=8.0, height=row_height(n))
        ax.axvline(0, color=GREY, linewidth=0.8)
        # The best on top: the axis grows upwards.
        rows = np.arange(n)[::-1]
        draw_differences(ax, shown, rows, errorbar_kw, self.role)
        stars = ["★ " if label in self.marked else "" for label in shown["model_2"]]
        leader = str(self.table["model_1"].iloc[0])
        names = in_short_each([leader, *map(str, shown["model_2"])])
        labels = [
            star + names[str(label)] for star, label in zip(stars, shown["model_2"], strict=True)
        ]
        ax.set_yticks(rows, labels)
        ax.set_ylim(-0.7, n - 0.3)
        ax.spines[["left", "right", "top"]].set_visible(False)
        ax.tick_params(axis="y", length=0)
        # After all intervals, when the axes have their limits: an open ROPE ends there.
        draw_band(ax, self.rope, label="ROPE")
        if any(stars):
            # Without points: a legend entry for the stars in the labels.
            ax.plot([], [], "*", color=ink(), label=self.marked_as)
        words = f"difference in {in_short(self.metric)}: {names[leader]} − the other"
        ax.set_xlabel(f"{words}\n{naming_lines(self.naming, 60)}".rstrip())
        self._count_the_rest(ax, shown)
        self._legend(ax, above=True)
        return self

    def _count_the_rest(self, ax: Any, shown: pd.DataFrame) -> None:
        rest = self.table.drop(shown.index)
        if rest.empty:
            return
        ax.set_title(f"and {len(rest):,} not shown: {verdict_counts(rest['verdict'], self.role)}",
                     loc="left", fontsize="medium")  # fmt: skip
