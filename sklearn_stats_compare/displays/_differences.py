"""Pictures of differences: from the leader, of all pairs, and on each data set."""

import textwrap
from collections.abc import Collection, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal, NamedTuple, Self

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._utils import _validation as checks
from sklearn_stats_compare._utils._formatting import count, level_words
from sklearn_stats_compare.comparison._comparison import Comparison
from sklearn_stats_compare.comparison._tables import TURNED, too_many_pairs, verdict_counts
from sklearn_stats_compare.displays import _base
from sklearn_stats_compare.displays._base import Style, Which


@dataclass(eq=False, repr=False)
class LeaderDisplay(_base.ComparisonDisplay):
    """Difference of the leader to every other candidate, with intervals and verdicts.

    If an interval lies to the right of zero, the leader is better. If it lies inside the ROPE band,
    the two are practically equivalent. Otherwise the pair is undecided, which does not mean equal.

    Parameters
    ----------
    table : DataFrame
        A comparison's table from `Comparison.against`.
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

    table: pd.DataFrame
    _: KW_ONLY
    rope: tuple[float, float]
    metric: str = "score"
    marked: Collection[str] = ()
    marked_as: str = "marked"
    role: str = "leader"
    naming: str = ""

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
        _base.check_comparison(comparison)
        if comparison.scores.n_available < 2:
            raise ValueError(
                "The leader needs another candidate to stand against; of "
                f"{comparison.scores.n_candidates} only {comparison.scores.n_available} did not "
                "fail."
            )
        names = comparison.ranking()["label"]
        if marked is None:
            # Not the table, which would warn about survivors of a race: the legend says so here.
            members = comparison._possibly_best_members
            labels = comparison.labels or ()
            stars = [label for label, member in zip(labels, members, strict=True) if member]
            marked_as = "possibly best"
            if comparison._may_lack_the_best:
                marked_as += " of those compared"
            table = comparison._leader_table
            apart = table["verdict"].isin(["better", "worse"]).to_numpy()
            if (apart == table["model_2"].isin(stars).to_numpy()).any():
                # Where a verdict and a star do not say the same.
                marked_as += ", by one-sided tests against the best"
        else:
            listed = checks.check_listed("marked", marked, "a sequence of candidates")
            stars = [names[comparison._candidate(which, name="marked")] for which in listed]
            marked_as = "marked"
        return cls(
            comparison.against(reference),
            rope=comparison._settings.rope,
            metric=comparison.metric,
            marked=stars,
            marked_as=marked_as,
            role="leader" if reference is None else "reference",
            naming=comparison._naming,
        ).plot(ax=ax, **options)

    def frame(self) -> pd.DataFrame:
        """The leader table, all candidates, and whether each is marked."""
        return self.table.assign(marked=self.table["model_2"].isin(list(self.marked)))

    def plot(
        self, ax: Any = None, *, top: int = 25, label_width: int = 40, errorbar_kw: Style = None
    ) -> Self:
        """Draw the differences.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw. Default: a new figure, as high as its rows need. To leave room for labels
            around your own axes, use ``fig, ax = plt.subplots(layout="constrained")``.
        top : int, default=25
            How many candidates to draw, the best first; the verdicts on the others are counted.
        label_width : int, default=40
            Most letters of a candidate's name. The names take up to two fifths of the width.
        errorbar_kw : dict, optional
            Style of the intervals.

        Returns
        -------
        self : LeaderDisplay
        """
        # A candidate that failed has no interval.
        known = self.table[self.table["verdict"] != "missing"]
        shown = known.iloc[: checks.check_count("top", top)]
        n = len(shown)
        stars = ["★ " if label in self.marked else "" for label in shown["model_2"]]
        leader = str(self.table["model_1"].iloc[0])
        longest = checks.check_count("label_width", label_width, least=8)
        names = _base.in_short_each([leader, *map(str, shown["model_2"])], longest)
        labels = [
            star + names[str(label)] for star, label in zip(stars, shown["model_2"], strict=True)
        ]
        # Inches: names need 0.08 per letter, the intervals and the legend 6.4.
        width = max(8.0, 6.4 + 0.08 * max(map(len, labels), default=0))
        ax = self._set_axes(ax, width=width, height=_base.row_height(n))
        ax.axvline(0, color=_base.GREY, linewidth=0.8)
        # The best on top: the axis grows upwards.
        rows = np.arange(n)[::-1]
        self._draw_differences(shown, rows, errorbar_kw, self.role)
        self._name_rows(rows, labels)
        # After all intervals, when the axes have their limits: an open ROPE ends there.
        self._draw_band(self.rope, label="ROPE")
        if any(stars):
            # Without points: a legend entry for the stars in the labels.
            ax.plot([], [], "*", color=_base.ink(), label=textwrap.fill(self.marked_as, 28))
        words = f"difference in {_base.in_short(self.metric)}: {names[leader]} − the other"
        self._label_below(words, self.naming)
        rest = self.table.drop(shown.index)
        if not rest.empty:
            counts = verdict_counts(rest["verdict"], self.role)
            self._write_above(f"and {len(rest):,} not shown: {counts}")
        self._legend(above=True)
        return self


_MARKS = {"better": "+", "worse": "−", "equivalent": "=", "undecided": "", "missing": "×"}

_LEGEND = "+ row better   − row worse\n= equivalent   blank: undecided"


class _Value(NamedTuple):
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


@dataclass(eq=False, repr=False)
class PairwiseDisplay(_base.ComparisonDisplay):
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

    values: pd.DataFrame
    marks: pd.DataFrame
    _: KW_ONLY
    n_candidates: int
    value: str = "difference"
    metric: str = "score"
    adjusted: str = "adjusted"
    naming: str = ""

    @classmethod
    def from_comparison(
        cls,
        comparison: Comparison,
        *,
        value: Literal["difference", "p_val", "better_prob"] = "difference",
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
        _base.check_comparison(comparison)
        checks.check_option("value", value, _VALUES)
        labels = comparison.ranking()["label"].tolist()
        if len(labels) < 2:
            raise ValueError("A pair needs two candidates; there is only 1.")
        if not comparison.scores.n_available:
            raise ValueError("A pair needs two candidates that did not fail; there are 0.")
        # More than about 40 × 40 cells are not readable.
        n = min(checks.check_count("top", top), len(labels))
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
        words = part["verdict"].astype(str)
        marks[rows, columns] = words
        marks[columns, rows] = words.replace(TURNED)
        names = pd.Index(labels[:n])
        return cls(
            pd.DataFrame(values, index=names, columns=names),
            pd.DataFrame(marks, index=names, columns=names),
            n_candidates=len(labels),
            value=value,
            metric=comparison.metric,
            adjusted=comparison._settings.adjustment.line,
            naming=comparison._naming,
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

    def plot(self, ax: Any = None, *, image_kw: Style = None) -> Self:
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
        labels = _base.in_short_list(self.values.index)
        # Inches: a cell holds a mark of the usual size; the labels need 0.075 per letter.
        side = 1.8 + 0.3 * max(n, 7)
        names = 0.075 * max(map(len, labels))
        # Some ten letters to an inch; a line of them is 0.2 high.
        naming = _base.naming_lines(self.naming, int(10 * side))
        height = side + names + (0.1 + 0.2 * len(naming.splitlines()) if naming else 0.0)
        ax = self._set_axes(ax, width=side + names + 1.0, height=height)
        chosen = _VALUES[self.value]
        values = self.values.to_numpy()
        low, high = chosen.low, chosen.high
        if low is None:
            # Symmetric, so that white is zero.
            largest = np.nanmax(np.abs(values)) if np.isfinite(values).any() else 1.0
            low, high = -largest or -1.0, largest or 1.0
        style = {"cmap": chosen.cmap, "vmin": low, "vmax": high}
        image = ax.imshow(values, **_base.styled(style, image_kw, "image_kw"))
        # Next to a large map, a colour bar of full height is too long.
        bar = ax.get_figure().colorbar(image, ax=ax, shrink=min(1.0, 6 / n + 0.25))
        words = self.adjusted if self.value == "p_val" else _base.in_short(self.metric)
        bar.set_label(chosen.words.format(words))
        ax.set_xlabel(naming)
        ax.set_xticks(range(n), labels, rotation=90)
        ax.set_yticks(range(n), labels)
        ax.tick_params(length=0)
        ax.spines[:].set_visible(False)
        self._write_marks(image, self.marks.replace(_MARKS).to_numpy())
        title = _LEGEND if self.value != "better_prob" else f"{_LEGEND}, by posterior"
        if n < self.n_candidates:
            title += f"\nthe best {n} of {self.n_candidates:,} candidates"
        self._write_above(title)
        return self


def _pairs_of_best(comparison: Comparison, n: int, value: str) -> pd.DataFrame:
    """A table with the pairs of the best `n`; with others too, if a table is cached."""
    if value == "p_val":  # two-sided like the verdicts, so the same for the reversed pair
        comparison = comparison.with_settings(alternative="two-sided")
    bayesian = value == "better_prob"
    # The comparison caches the table, so it may exist already.
    if not too_many_pairs(comparison.scores):
        return comparison.bayesian() if bayesian else comparison.frequentist()
    found = []
    for pairs in comparison.frequentist(chunk_size=100_000):
        first, second = (pairs[name].cat.codes.to_numpy() for name in ("model_1", "model_2"))
        found.append(pairs[second < n])
        # Pairs are in rank order: from here on, the first of the pair is not shown.
        if first[-1] >= n:
            break
    table = pd.concat(found)
    return table.assign(verdict=table["bayesian_verdict"]) if bayesian else table


_RAW = ("mean_diff", "ci_low", "ci_high")

_SHRUNKEN = ("shrunken", "shrunken_low", "shrunken_high")


@dataclass(eq=False, repr=False)
class DatasetDifferencesDisplay(_base.Display):
    """Difference of two models on each data set, as measured and as shrunken.

    The measured differences scatter more than the true ones. The hierarchical model moves each of
    them towards the mean over data sets, the more, the less precise it is. Below the data sets are
    the mean over data sets and the next data set, if given.

    Parameters
    ----------
    table : DataFrame
        A row for each data set, with the columns ``dataset``; ``mean_diff``, the first model minus
        the second, in score units; ``ci_low`` and ``ci_high``, optional, the limits of its
        interval; ``shrunken``, ``shrunken_low`` and ``shrunken_high``, optional, the shrunken
        difference and the limits of its interval. Intervals may be NaN.
    names : sequence of two str
        Labels of the first and of the second model.
    rope : float or (float, float)
        The ROPE: a half-width or (low, high), in score units.
    summary : DataFrame, optional
        Rows to draw below the data sets, with the columns ``dataset``, the words for the row, and
        ``mean_diff``, ``ci_low`` and ``ci_high``.
    metric : str, default="score"
        Name of the score, for the axis.
    alpha : float, default=0.05
        Level of the intervals, shown below the axis.

    Raises
    ------
    ValueError
        If `rope` is no region.

    References
    ----------
    Corani, G., Benavoli, A., Demšar, J., Mangili, F. and Zaffalon, M. (2017). Statistical
    comparison of classifiers through Bayesian hierarchical modelling. Machine Learning 106,
    1817–1837. https://doi.org/10.1007/s10994-017-5641-9
    """

    table: pd.DataFrame
    names: Sequence[str]
    _: KW_ONLY
    rope: Any
    summary: pd.DataFrame | None = None
    metric: str = "score"
    alpha: float = 0.05

    def __post_init__(self) -> None:
        self.rope = checks.check_interval("rope", self.rope)

    @classmethod
    def from_comparison(
        cls, comparison: Any, i: Which = None, j: Which = None, *, ax: Any = None, **options: Any
    ) -> Self:
        """Draw model `i` minus model `j` on the data sets of a comparison.

        The hierarchical model is part of the picture if the split scores of all data sets are
        known.

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
        display : DatasetDifferencesDisplay

        Raises
        ------
        ValueError
            If there is no such model, or `i` and `j` are the same.
        """
        rows, names = _base.chosen_models(_base.check_datasets_comparison(comparison), i, j)
        table, summary = comparison.on_each(*rows), None
        if len(comparison.comparisons) == len(comparison.datasets):
            result = comparison.hierarchical(*rows)
            table = table.assign(**{name: getattr(result, name) for name in _SHRUNKEN})
            summary = result.summary
        return cls(
            table,
            names,
            rope=comparison._settings.rope,
            summary=summary,
            metric=comparison.metric,
            alpha=comparison.alpha,
        ).plot(ax=ax, **options)

    def frame(self) -> pd.DataFrame:
        """The table from the largest difference to the smallest, then the rows of `summary`."""
        table = self.table.sort_values("mean_diff", ascending=False, kind="stable")
        parts = [table] if self.summary is None else [table, self.summary]
        return pd.concat(parts, ignore_index=True)

    def plot(self, ax: Any = None, *, top: int = 60, errorbar_kw: Style = None) -> Self:
        """Draw the differences.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw. Default: a new figure, as high as its rows need. To leave room for labels
            around your own axes, use ``fig, ax = plt.subplots(layout="constrained")``.
        top : int, default=60
            How many data sets to draw: half of them those with the largest differences, half of
            them those with the smallest. The title counts the others, which are between these.
        errorbar_kw : dict, optional
            Style of the intervals.

        Returns
        -------
        self : DatasetDifferencesDisplay
        """
        frame = self.frame()
        n, most = len(self.table), checks.check_count("top", top)
        n_out = max(0, n - most)
        above = n if not n_out else (most + 1) // 2
        shown = frame.drop(index=range(above, above + n_out))
        is_summary = shown.index >= n
        # A row is left free where data sets are left out, and half a row above the summary.
        at = -np.arange(len(shown), dtype=float) - 0.5 * is_summary
        at[above:] -= bool(n_out)
        ax = self._set_axes(ax, width=8.0, height=_base.row_height(0) + 0.25 * (1 - at.min()))
        ax.axvline(0, color=_base.GREY, linewidth=0.8)
        drawn = self._draw(ax, shown, is_summary, at, errorbar_kw)
        every = [*self.names, *map(str, shown["dataset"])]
        labels = _base.in_short_each(every, self._label_width())
        ticks = [labels[str(name)] for name in shown["dataset"]]
        if n_out:
            at, ticks = np.append(at, -float(above)), [*ticks, "⋮"]
            self._write_above(f"and {count(n_out, 'data set')} between these not shown")
        self._name_rows(at, ticks)
        if is_summary.any():
            ax.axhline(at[: len(shown)][is_summary].max() + 0.75, color=_base.GREY, linewidth=0.8)
        self._draw_band(self.rope, label="ROPE")
        first, second = (labels[name] for name in self.names)
        known = [shown[end].notna().any() for end in (_RAW[1], _SHRUNKEN[1]) if end in shown]
        bars = f"bars: {level_words(self.alpha)} intervals" if any(known) else ""
        words = f"difference in {_base.in_short(self.metric)}:\n{first} − {second}"
        ax.set_xlabel(f"{words}\n{bars}".rstrip())
        self._legend(above=True, **self._legend_columns())
        size = self._room_of_rows(1.4 - at.min())
        ax.tick_params(axis="y", labelsize=size)
        for points, bars in drawn:
            points.set_markersize(min(points.get_markersize(), 0.5 * size))
            for lines in bars:
                lines.set_linewidth(np.minimum(lines.get_linewidth(), 0.2 * size))
        return self

    def _draw(
        self,
        ax: Any,
        shown: pd.DataFrame,
        is_summary: NDArray[np.bool_],
        at: NDArray[np.float64],
        errorbar_kw: Style,
    ) -> list[tuple[Any, Any]]:
        """Points with intervals in the rows; returns the lines of both."""
        both = _SHRUNKEN[0] in shown
        sets = [
            (_RAW, ~is_summary, 0.16 * both, "measured",
             {"fmt": "o", "color": _base.GREY, "markerfacecolor": ax.get_facecolor(),
              "markersize": 4}),
            (_SHRUNKEN, ~is_summary, -0.16, "shrunken",
             {"fmt": "o", "color": _base.BLUE, "markersize": 4}),
            (_RAW, is_summary, 0.0, "over data sets",
             {"fmt": "D", "color": _base.ink(), "markersize": 5, "elinewidth": 2.0}),
        ]  # fmt: skip
        lines = []
        for columns, which, offset, words, style in sets:
            if columns[0] not in shown or not which.any():
                continue
            part = shown[which]
            point = part[columns[0]].to_numpy(dtype=float)
            spread = None
            if columns[1] in part:
                ends = (part[name].to_numpy(dtype=float) for name in columns[1:])
                spread = _base.arms(point, *ends)
            # A point may be outside an interval that is not around it.
            chosen = _base.styled({**style, "label": words}, errorbar_kw, "errorbar_kw")
            drawn = ax.errorbar(point, at[which] + offset, xerr=spread, **chosen)
            lines.append((drawn.lines[0], drawn.lines[2]))
        return lines
