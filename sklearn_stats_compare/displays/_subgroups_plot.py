"""SubgroupDisplay: the leader against its rivals within subgroups, as a forest plot."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
import pandas as pd

from sklearn_stats_compare._messages import check_count, count
from sklearn_stats_compare.comparison import Comparison, SubgroupComparison
from sklearn_stats_compare.displays._base import (
    GREY,
    ComparisonDisplay,
    check_comparison,
    draw_band,
    draw_differences,
    in_short,
    in_short_each,
    naming_lines,
    row_height,
)


class SubgroupDisplay(ComparisonDisplay):
    """Difference of the leader to its rivals on all samples, and within subgroups.

    Each rival has a block of rows. The intervals of subgroups are wider than that of all samples,
    because each has fewer samples, and is tested at alpha divided by the number of subgroups.

    Parameters
    ----------
    subgroups : SubgroupComparison
        What `Comparison.by` returns.
    """

    def __init__(self, subgroups: SubgroupComparison) -> None:
        self.subgroups = subgroups

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
        subgroups = check_comparison(comparison).by(groups, min_samples=min_samples)
        return cls(subgroups).plot(ax=ax, **options)

    def frame(self) -> pd.DataFrame:
        """The table of subgroups, with a row per rival for all samples before it.

        The group of these rows is NaN.
        """
        overall = self.subgroups.overall.copy()
        overall.insert(0, "group", np.nan)
        table = self.subgroups.table.astype({"group": object})
        return pd.concat([overall.astype({"group": object}), table], ignore_index=True)

    def plot(
        self, ax: Any = None, *, top: int = 5, errorbar_kw: Mapping[str, Any] | None = None
    ) -> Self:
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
        rivals = table["model_2"].unique()
        if not len(rivals):
            raise ValueError("The leader needs another candidate to stand against.")
        rows = pd.concat(
            [table[table["model_2"] == rival] for rival in rivals[: check_count("top", top)]],
            ignore_index=True,
        )
        n_blocks = rows["model_2"].nunique()
        # From the top, with half a row between the blocks.
        block = rows["model_2"].map({rival: k for k, rival in enumerate(rivals)}).to_numpy()
        at = -(np.arange(len(rows)) + 0.6 * block)
        ax = self._set_axes(ax, width=8.0, height=row_height(len(rows) + n_blocks // 2))
        ax.axvline(0, color=GREY, linewidth=0.8)
        has_interval = rows["mean_diff"].notna().to_numpy()
        draw_differences(ax, rows[has_interval], at[has_interval], errorbar_kw)
        leader = str(rows["model_1"].iloc[0])
        group_names = rows["group"].dropna()
        names = in_short_each([leader, *map(str, rows["model_2"]), *map(str, group_names)])
        ax.set_yticks(at, [_row_label(row, names) for row in rows.itertuples()])
        ax.set_ylim(at.min() - 0.7, 0.7)
        ax.spines[["left", "right", "top"]].set_visible(False)
        ax.tick_params(axis="y", length=0)
        draw_band(ax, self.subgroups.rope, label="ROPE")
        title = f"difference in {in_short(self.subgroups.metric)}: {names[leader]} − the other"
        ax.set_xlabel(f"{title}\n{naming_lines(self.subgroups.naming, 60)}".rstrip())
        if len(rivals) > n_blocks:
            ax.set_title(f"and {count(len(rivals) - n_blocks, 'other')} not shown", loc="left",
                         fontsize="medium")  # fmt: skip
        self._legend(ax)
        return self


def _row_label(row: Any, names: Mapping[str, str]) -> str:
    if pd.isna(row.group):
        return f"{names[str(row.model_2)]}: all samples ({row.n_samples:,})"
    why = {"too few": ", too few", "undefined": ", not defined"}.get(row.verdict, "")
    return f"{names[str(row.group)]} ({row.n_samples:,}{why})"
