"""SplitScoresDisplay: every candidate's score on each split."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
import pandas as pd

from sklearn_stats_compare._messages import check_count
from sklearn_stats_compare.comparison import Comparison
from sklearn_stats_compare.displays._base import (
    GREY,
    LINE_COLOURS,
    ComparisonDisplay,
    check_comparison,
    in_short,
    in_short_each,
    naming_lines,
    styled,
)
from sklearn_stats_compare.stats import LARGEST


class SplitScoresDisplay(ComparisonDisplay):
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

    def __init__(
        self,
        scores: pd.DataFrame,
        correlations: Sequence[float],
        *,
        repeat: Sequence[int] | None = None,
        metric: str = "score",
        naming: str = "",
        n_splits: int | None = None,
    ) -> None:
        self.scores = scores
        self.correlations = correlations
        self.repeat = repeat
        self.metric = metric
        self.naming = naming
        self.n_splits = n_splits

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
        check_comparison(comparison)
        scores = comparison.scores
        shown = min(check_count("n_splits", n_splits), scores.n_splits)
        return cls(
            pd.DataFrame(
                scores.values[scores.order, :shown],
                index=pd.Index(comparison.ranking["label"], name="candidate"),
            ),
            # Over all splits, not only over those drawn.
            scores.correlation(scores.order[:1])[0].tolist(),
            repeat=scores.design.repeat[:shown].tolist(),
            metric=comparison.metric,
            naming=comparison.naming,
            n_splits=scores.n_splits,
        ).plot(ax=ax, **options)

    def frame(self) -> pd.DataFrame:
        """Correlation with the leader, then the plotted scores, a row per candidate."""
        frame = self.scores.rename(columns=lambda split: f"split{split}")
        frame.insert(0, "correlation_with_leader", self.correlations)
        return frame

    def plot(
        self,
        ax: Any = None,
        *,
        n_coloured: int = len(LINE_COLOURS),
        line_kw: Mapping[str, Any] | None = None,
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
        n_named = min(
            check_count("n_coloured", n_coloured, least=0), len(LINE_COLOURS), len(self.scores)
        )
        # Extreme scores of a failed candidate would determine the scale.
        values = self.scores.to_numpy()
        values = np.where(np.abs(values) <= LARGEST, values, np.nan)
        for row in values[n_named:]:
            ax.plot(splits, row, color=GREY, linewidth=0.7, alpha=0.5, zorder=1)
        names = in_short_each(map(str, self.scores.index[:n_named]))
        for k in range(n_named - 1, -1, -1):  # the leader last, on top
            defaults = {"color": LINE_COLOURS[k], "marker": "o", "markersize": 3, "zorder": 2}
            label = names[str(self.scores.index[k])]
            if not np.isfinite(values[k]).all():
                label += " (failed)"
            ax.plot(splits, values[k], **styled({**defaults, "label": label}, line_kw))
        self._separate_repeats(ax)
        splits_text = "split"
        if self.n_splits is not None and len(splits) < self.n_splits:
            splits_text += f" (the first {len(splits):,} of {self.n_splits:,})"
        ax.set(xlabel=splits_text, ylabel=in_short(self.metric))
        # Split numbers are whole; matplotlib would put ticks at halves.
        ax.xaxis.get_major_locator().set_params(integer=True)
        # The legend is in reverse drawing order: the leader on top, as in the plot.
        handles, labels = ax.get_legend_handles_labels()
        n_grey = len(values) - n_named
        title_lines = [naming_lines(self.naming, 30), f"and {n_grey} more, grey" if n_grey else ""]
        title = "\n".join(filter(None, title_lines)) or None
        if handles:
            self._legend(ax, handles=handles[::-1], labels=labels[::-1], title=title)
        return self

    def _separate_repeats(self, ax: Any) -> None:
        if self.repeat is None or -1 in self.repeat:
            return
        for split in np.flatnonzero(np.diff(self.repeat)) + 0.5:
            ax.axvline(split, color=GREY, linewidth=0.6, linestyle=":", zorder=0)
