"""PairwiseDisplay: all pairs as a heat map with verdict marks."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import pandas as pd

from sklearn_stats_compare._messages import check_count, check_option
from sklearn_stats_compare.comparison import Comparison, too_many_pairs
from sklearn_stats_compare.displays._base import (
    ComparisonDisplay,
    check_comparison,
    in_short,
    in_short_each,
    ink,
    naming_lines,
    on_colour,
    styled,
)

_MARKS = {"better": "+", "worse": "−", "equivalent": "=", "undecided": "", "missing": "×"}
_LEGEND = "+ row better   − row worse\n= equivalent   blank: undecided"


@dataclass(frozen=True)
class _Value:
    """What a cell shows, its value for the reversed pair, and its colours."""

    column: str
    words: str
    cmap: str
    low: float | None
    high: float | None
    mirrored: Any


# RdBu diverges from white, which means no difference; cividis is sequential and keeps its order for
# colour-blind readers and in grey.
_VALUES = {
    "difference": _Value("mean_diff", "difference (row − column)\nin {}", "RdBu", None, None,
                         lambda x: -x),
    "p_val": _Value("p_val", "two-sided p-value, {}", "cividis", 0.0, 1.0, lambda x: x),
    "better_prob": _Value("better_prob", "P(row better than column)", "RdBu", 0.0, 1.0, None),
}  # fmt: skip


class PairwiseDisplay(ComparisonDisplay):
    """Heat map of all pairs of candidates, in rank order, with a mark for each verdict.

    Parameters
    ----------
    values : DataFrame, shape (n_shown, n_shown)
        What the cells show, row against column; NaN on the diagonal and for failed candidates.
    marks : DataFrame of str, shape (n_shown, n_shown)
        Verdict of row against column.
    n_candidates : int
        Number of candidates, including those not shown.
    value : {"difference", "p_val", "better_prob"}, default="difference"
        What `values` are.
    metric : str, default="score"
        Name of the score, for the colour bar.
    adjusted : str, default="adjusted"
        How p-values are adjusted, for the colour bar.
    naming : str, default=""
        What labels are made of, shown with them.
    """

    def __init__(
        self,
        values: pd.DataFrame,
        marks: pd.DataFrame,
        *,
        n_candidates: int,
        value: str = "difference",
        metric: str = "score",
        adjusted: str = "adjusted",
        naming: str = "",
    ) -> None:
        self.values = values
        self.marks = marks
        self.n_candidates = n_candidates
        self.value = value
        self.metric = metric
        self.adjusted = adjusted
        self.naming = naming

    @classmethod
    def from_comparison(
        cls,
        comparison: Comparison,
        *,
        value: str = "difference",
        top: int = 40,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Draw all pairs of a comparison.

        Parameters
        ----------
        comparison : Comparison
            What to draw.
        value : {"difference", "p_val", "better_prob"}, default="difference"
            What the cells show: the difference in score, the two-sided p-value with the
            comparison's adjustment, or the posterior probability that the row is better by more
            than the ROPE, with the verdicts of the Bayesian table as marks. A pair is tested once,
            the better-ranked candidate minus the other. Below the diagonal the pair and its ROPE
            are reversed: (low, high) becomes (−high, −low).
        top : int, default=40
            Number of candidates to show, the best first; a line says how many are not shown.
        ax : matplotlib axes, optional
            Where to draw. Default: a new figure, as large as its labels need.
        **options
            As for `plot`.

        Returns
        -------
        display : PairwiseDisplay

        Raises
        ------
        ValueError
            If `value` is unknown, there are fewer than two candidates, or the adjustment needs all
            pairs and these are too many for a table.
        """
        check_comparison(comparison)
        check_option("value", value, _VALUES)
        labels = comparison.ranking["label"].tolist()
        if len(labels) < 2:
            raise ValueError("A pair needs two candidates; there is only 1.")
        if not comparison.scores.n_available:
            raise ValueError("A pair needs two candidates that did not fail; there are 0.")
        # More than about 40 × 40 cells are not readable.
        n = min(check_count("top", top), len(labels))
        bayesian = value == "better_prob"
        table = _pairs_of_best(comparison, n, value)
        first, second = (table[name].cat.codes.to_numpy() for name in ("model_1", "model_2"))
        shown = (first < n) & (second < n)
        rows, columns, part = first[shown], second[shown], table[shown]
        # The diagonal stays NaN, which imshow leaves blank.
        values, marks = np.full((n, n), np.nan), np.full((n, n), "", dtype=object)
        chosen = _VALUES[value]
        values[rows, columns] = part[chosen.column]
        # P(row better) of the reversed pair is P(row worse); 1 − p would include the ROPE.
        below = part["worse_prob"] if bayesian else chosen.mirrored(part[chosen.column])
        values[columns, rows] = below
        turned = {"better": "worse", "worse": "better"}
        words = part["verdict"].astype(str)
        marks[rows, columns] = words
        marks[columns, rows] = words.map(lambda word: turned.get(word, word))
        names = pd.Index(labels[:n])
        return cls(
            pd.DataFrame(values, index=names, columns=names),
            pd.DataFrame(marks, index=names, columns=names),
            n_candidates=len(labels),
            value=value,
            metric=comparison.metric,
            adjusted=comparison.settings.adjustment.line,
            naming=comparison.naming,
        ).plot(ax=ax, **options)

    def frame(self) -> pd.DataFrame:
        """Value and verdict of every shown ordered pair, a row each."""
        labels = np.asarray(self.values.index)
        rows, columns = np.nonzero(~np.eye(len(labels), dtype=bool))
        return pd.DataFrame(
            {
                "model_1": labels[rows],
                "model_2": labels[columns],
                self.value: self.values.to_numpy()[rows, columns],
                "verdict": self.marks.to_numpy()[rows, columns],
            }
        )

    def plot(self, ax: Any = None, *, image_kw: Mapping[str, Any] | None = None) -> Self:
        """Draw the heat map.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw. Default: a new figure, as large as its labels need.
        image_kw : dict, optional
            Style of the image.

        Returns
        -------
        self : PairwiseDisplay
        """
        n = len(self.values)
        labels = list(in_short_each(map(str, self.values.index)).values())
        # Inches: a cell holds a mark of the usual size; the labels need 0.075 per letter.
        side = 1.8 + 0.3 * max(n, 7)
        names = 0.075 * max(map(len, labels))
        # Some ten letters to an inch; a line of them is 0.2 high.
        naming = naming_lines(self.naming, int(10 * side))
        height = side + names + (0.1 + 0.2 * len(naming.splitlines()) if naming else 0.0)
        ax = self._set_axes(ax, width=side + names + 1.0, height=height)
        chosen = _VALUES[self.value]
        values = self.values.to_numpy()
        low, high = chosen.low, chosen.high
        if low is None:
            # Symmetric, so that white is zero.
            largest = np.nanmax(np.abs(values)) if np.isfinite(values).any() else 1.0
            low, high = -largest or -1.0, largest or 1.0
        image = ax.imshow(
            values, **styled({"cmap": chosen.cmap, "vmin": low, "vmax": high}, image_kw, "image_kw")
        )
        # Next to a large map, a colour bar of full height is too long.
        bar = ax.get_figure().colorbar(image, ax=ax, shrink=min(1.0, 6 / n + 0.25))
        words = self.adjusted if self.value == "p_val" else in_short(self.metric)
        bar.set_label(chosen.words.format(words))
        ax.set_xlabel(naming)
        ax.set_xticks(range(n), labels, rotation=90)
        ax.set_yticks(range(n), labels)
        ax.tick_params(length=0)
        ax.spines[:].set_visible(False)
        for row in range(n):
            for column in range(n):
                mark = "" if row == column else _MARKS[str(self.marks.iat[row, column])]
                if mark:
                    known = np.isfinite(values[row, column])
                    # From the image itself, because `image_kw` may have changed colour map and
                    # limits.
                    rgba = image.cmap(image.norm(values[row, column]))
                    colour = on_colour(rgba) if known else ink()
                    ax.text(column, row, mark, ha="center", va="center", color=colour)
        title = _LEGEND if self.value != "better_prob" else f"{_LEGEND}, by posterior"
        if n < self.n_candidates:
            title += f"\nthe best {n} of {self.n_candidates:,} candidates"
        ax.set_title(title, loc="left", fontsize="medium")
        return self


def _pairs_of_best(comparison: Comparison, n: int, value: str) -> pd.DataFrame:
    """A table with the pairs of the best `n`; with others too, if a table is cached."""
    if value == "p_val":  # two-sided like the verdicts, so the same for the reversed pair
        comparison = comparison.with_settings(alternative="two-sided")
    bayesian = value == "better_prob"
    # The comparison caches the table, so it may exist already.
    if not too_many_pairs(comparison.scores):
        return comparison.pairwise_bayesian if bayesian else comparison.pairwise_frequentist
    found = []
    for pairs in comparison.iter_pairs():
        first, second = (pairs[name].cat.codes.to_numpy() for name in ("model_1", "model_2"))
        found.append(pairs[second < n])
        # Pairs are in rank order: from here on, the first of the pair is not shown.
        if first[-1] >= n:
            break
    table = pd.concat(found)
    return table.assign(verdict=table["bayesian_verdict"]) if bayesian else table
