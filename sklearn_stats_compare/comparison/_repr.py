"""A comparison at a glance, in a terminal or a notebook, of what can be computed quickly."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from html import escape
from itertools import count as counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._utils import _formatting
from sklearn_stats_compare.comparison import _tables
from sklearn_stats_compare.comparison._labels import Reader, params_in_full
from sklearn_stats_compare.comparison._planning import LABEL_WIDTH, next_step
from sklearn_stats_compare.stats._family import Settings
from sklearn_stats_compare.stats._scores import SplitScores

if TYPE_CHECKING:
    from sklearn_stats_compare.comparison._comparison import Comparison

# A table of more pairs takes seconds, too long for a repr; pairs that are drawn take even longer.
_QUICK_PAIRS_DRAWN = 20_000

_QUICK_PAIRS = 500_000


def text_repr(comparison: Comparison) -> str:
    """Design, settings, and the best candidates with the leader's verdict on each."""
    leader_table = _leader_table(comparison)
    design, *others = _facts(comparison)
    notes = _notes(comparison, leader_table)
    lines = [
        *_wrapped([design, comparison._naming, *others]),
        "",
        *_candidate_lines(comparison._ranking, leader_table),
        *([""] if notes else []),
        *_wrapped(notes),
    ]
    return "\n".join(lines)


def _wrapped(texts: list[str]) -> list[str]:
    # `visible`: a note may hold labels of the user, with control characters in them.
    return [line for text in texts for line in textwrap.wrap(_formatting.visible(text), _WIDTH)]


def html_repr(comparison: Comparison) -> str:
    """The same as a small page, with intervals, parameters in full, and the leader table.

    An HTML fragment; all text in it is escaped.
    """
    leader_table, alpha = _leader_table(comparison), comparison._settings.alpha
    design, *others = _facts(comparison)
    named = _formatting.sentence(comparison._naming).rstrip(".")
    facts = [design, *([named] if named else []), *others]
    notes = _notes(comparison, leader_table)
    members: frozenset[str] = frozenset()
    if _counts_quickly(comparison) and comparison.scores.n_available > 1:
        labels = comparison._candidate_names.labels
        members = frozenset(np.array(labels, dtype=object)[comparison._possibly_best_members])
    if not comparison.scores.n_available:  # there is no leader
        leader_table = None
    parts = [
        f'<p class="ssc-lead">{" ".join(map(_text, headline(comparison)))}</p>',
        f"<ul>{''.join(f'<li>{_text(fact)}</li>' for fact in facts)}</ul>",
        _ranking(comparison, leader_table, members),
    ]
    if leader_table is not None and "ci_low" in leader_table and len(leader_table):
        parts.append(f"<p>{_text(_legend(members, alpha))}</p>")
    parts += [f'<p class="ssc-note">{_text(note)}</p>' for note in notes]
    if leader_table is not None and len(leader_table):
        parts.append(_folded(leader_table))
    return f'<div class="ssc-glance"><style>{STYLE}</style>{"".join(parts)}</div>'


def _leader_table(comparison: Comparison) -> pd.DataFrame | None:
    """The leader table; None if it takes too long to compute for a repr."""
    row, scores = comparison._settings.adjustment, comparison.scores
    quick = scores.n_pairs <= (_QUICK_PAIRS_DRAWN if row.joint else _QUICK_PAIRS)
    if not comparison._settings.test.has_std_err:
        # Such a test has no leader table. The verdicts are those of the first rows of all pairs.
        return comparison._pairwise_frequentist.iloc[: scores.n_candidates - 1] if quick else None
    if quick or row.closed_form or "_leader_table" in vars(comparison):
        return comparison._leader_table
    return None


# To fit a terminal: 24 lines, notes included, of usually 80 columns or more.
_ROWS = 12

_WIDTH = 88


def _facts(comparison: Comparison) -> list[str]:
    """Design, test, family and ROPE, a line each."""
    scores, settings = comparison.scores, comparison._settings
    return [
        _design_line(scores, comparison.metric),
        settings.test.line(scores),
        f"{_formatting.count(scores.n_pairs, 'pair')}, {settings.adjustment.line}, verdicts "
        f"two-sided at alpha = {settings.alpha:g}",
        f"ROPE {_rope_text(scores, settings.rope)}",
    ]


def _design_line(scores: SplitScores, metric: str) -> str:
    repeat = scores.design.repeat
    # SplitDesign marks splits that form no repeats with −1. Repeats of several sizes, as from group
    # splitters, are not "10 × 10 folds".
    sizes = np.bincount(repeat) if (repeat >= 0).all() else np.empty(0)
    folds = f" ({sizes.size} × {sizes[0]} folds)" if sizes.size and np.ptp(sizes) == 0 else ""
    return (
        f"{_formatting.count(scores.n_candidates, 'candidate')} on "
        f"{_formatting.count(scores.n_splits, 'split')}{folds}, score: "
        f"{_formatting.one_line(metric, _WIDTH)}"
    )


def _rope_text(scores: SplitScores, rope: tuple[float, float]) -> str:
    low, high = rope
    if np.isnan(high):  # a share such as "1%" of a mean that does not exist
        return "of no width: it is a share of the leader's mean, and there is no leader"
    text = f"±{high:.4g}" if low == -high else f"{low:.4g} to {high:.4g}"
    if _tables.scores_of_zero_to_one(scores):  # a width in score units is clear there
        return text
    # A width of 0.01 is a convention for accuracies; the share of the mean shows its width here.
    text += " score units"
    mean = abs(float(scores.means[scores.order[0]]))
    widest = (
        max(abs(end) for end in rope if np.isfinite(end)) if np.isfinite(rope).any() else np.nan
    )
    if mean > 0 and np.isfinite(widest):
        text += f", {_formatting.two_digits(100 * widest / mean)} % of the leader's |mean|"
    return text


def _candidate_lines(ranking: pd.DataFrame, leader_table: pd.DataFrame | None) -> list[str]:
    shown = ranking.head(_ROWS)
    names = _formatting.short_labels(shown["label"], LABEL_WIDTH)
    # One number of decimals for all rows, so that the decimal points stand below each other.
    decimals = _formatting.shown_decimals(ranking["std_err"].to_numpy())
    columns = [
        ["rank", *("-" if pd.isna(rank) else str(rank) for rank in shown["rank"])],
        ["candidate", *(names[label] for label in shown["label"])],
        ["mean", *(_formatting.shown_number(mean, decimals) for mean in shown["mean"])],
        ["std_err", *(_formatting.shown_number(std_err, decimals) for std_err in shown["std_err"])],
    ]
    if leader_table is not None and len(leader_table):
        words = map(_tables.verdict_words, leader_table["verdict"].head(_ROWS - 1))
        # The table has no row for the leader, hence one more word and one verdict fewer.
        first = "missing" if pd.isna(shown["rank"].iloc[0]) else "leader"
        columns.append(["verdict", first, *words])
    # Without verdicts there is one column fewer than alignments.
    lines = _formatting.aligned([*zip(*columns, strict=True)], "><>><")
    if len(ranking) > _ROWS:
        lines.append(_rest(len(ranking), _ROWS, leader_table))
    return lines


def _rest(n: int, n_shown: int, leader_table: pd.DataFrame | None) -> str:
    """How many candidates are not shown, and the leader's verdicts on them."""
    words = f"… and {n - n_shown:,} more"
    if leader_table is not None:
        words += f": {_tables.verdict_counts(leader_table['verdict'].iloc[n_shown - 1 :])}"
    return words


def _no_verdicts(scores: SplitScores, settings: Settings) -> str:
    """A sentence on where to find verdicts that take too long to compute here."""
    has_std_err = settings.test.has_std_err
    if _tables.too_many_pairs(scores):
        other = 'p_adjust="bonferroni"' if has_std_err else 'test="corrected_t"'
        refused = settings.p_adjust if has_std_err else settings.test
        return (
            f"Verdicts: none, as there are too many pairs for {refused}; "
            f"with_settings({other}) has some."
        )
    table = "against()" if has_std_err else "frequentist()"
    return f"Verdicts: see {table}, which takes a while for so many pairs."


def _notes(comparison: Comparison, leader_table: pd.DataFrame | None) -> list[str]:
    """Notes for readers of the ranking, such as that a candidate is missing."""
    scores, settings = comparison.scores, comparison._settings
    quick = leader_table is not None and _counts_quickly(comparison)
    advice = next_step(comparison) if quick else ""
    strained = _tables.check_assumptions(
        scores, settings.test, advising=not advice,
        params=comparison.params, metric=comparison.metric, kept=comparison._keeps_values,
    )  # fmt: skip
    notes = [comparison.note, *strained]
    notes.append(_tables.doubtful_rope(scores, settings.rope) or "")
    n_missing = scores.n_candidates - scores.n_available
    if n_missing:
        notes.append(f"{_formatting.count(n_missing, 'candidate')} missing: {scores.why_missing}.")
    if leader_table is None:
        notes.append(_no_verdicts(scores, settings))
    if advice:
        notes.append(f"Next: {advice}")
    return list(filter(None, notes))


# The set of possibly best candidates takes a pass over the scores, about 50 ms at this many: a repr
# must be fast.
_QUICK_SCORES = 1_000_000

_LABEL_WIDTH_IN_HEADLINE = 100


def headline(comparison: Comparison, *, counting: bool = True) -> list[str]:
    """Sentences such as "rbf leads, with a mean roc_auc of 0.9395." and how many may be the best.

    No table is computed. `counting` False leaves the number out, as for a comparison that replaces
    one by another test.
    """
    scores = comparison.scores
    if not scores.n_available:
        return ["No candidate has a score on every split."]
    means = scores.means
    first = scores.order[0]
    name = comparison._candidate_names.labels[first]
    label = _formatting.one_line(name, _LABEL_WIDTH_IN_HEADLINE)
    n_tied = int(np.sum(means == means[first]))
    decimals = _formatting.shown_decimals(comparison._settings.test.std_errs(scores))
    mean = _formatting.shown_number(means[first], decimals)
    metric = _formatting.one_line(comparison.metric, 40)
    if scores.n_candidates == 1:
        return [f"{label} is the only candidate, with a mean {metric} of {mean}."]
    tied = f", tied with {_formatting.count(n_tied - 1, 'other')}" if n_tied > 1 else ""
    said = [f"{label} leads{tied}, with a mean {metric} of {mean}."]
    if counting:
        said += _possibly_best(comparison)
    return said


def _counts_quickly(comparison: Comparison) -> bool:
    """Whether the possibly best candidates can be computed, and quickly."""
    return comparison.scores.values.size <= _QUICK_SCORES and comparison._settings.test.has_std_err


def _possibly_best(comparison: Comparison) -> list[str]:
    scores, settings = comparison.scores, comparison._settings
    if not _counts_quickly(comparison):
        return []
    n = int(comparison._possibly_best_members.sum())
    among = _formatting.count(scores.n_candidates, "candidate")
    if comparison._may_lack_the_best:
        among += " that were compared to the end"
    if n == 0:  # with one split there is no standard error
        return []
    if n == 1:
        return [f"Of {among} it alone may be the best, at alpha = {settings.alpha:g}."]
    return [f"{n:,} of {among} may be the best, at alpha = {settings.alpha:g}."]


ROWS = 60
"""Maximum number of candidates shown."""

_LABEL_WIDTH_IN_PAGE = 120

_LABEL_WIDTH_IN_TABLE = 40

_PARAMS_WIDTH = 1000

# A checkbox and its label belong together by an id, unique in a page of many cells.
_ids = counter()

Head = list[tuple[str, str]]


def _legend(members: frozenset[str], alpha: float) -> str:
    words = (
        f"Bars: the leader minus the candidate, with its adjusted {_formatting.level_words(alpha)} "
        "interval; to the right of the dashed zero the leader is better. Shaded: the ROPE."
    )
    return f"{words} ★: may be the best." if members else words


def _ranking(
    comparison: Comparison, leader_table: pd.DataFrame | None, members: frozenset[str]
) -> str:
    ranking, read, params = comparison._ranking, Reader(), None
    if comparison.params is not None:
        best = comparison.scores.order[:ROWS]
        params = [params_in_full(comparison.params[row], read) for row in best]
    shown = ranking.head(ROWS)
    decimals = _formatting.shown_decimals(ranking["std_err"].to_numpy())
    settings = comparison._settings
    verdict_head, interval_head, axis, against = _against(leader_table, len(shown), settings)
    head = [("rank", "r"), ("candidate", "")]
    head += verdict_head
    head += [("mean", "r"), ("std. err.", "r ssc-wide"), *interval_head]
    cells = "".join(_cell("th", _text(name), side) for name, side in head) + axis
    names = _formatting.short_labels(shown["label"], _LABEL_WIDTH_IN_PAGE)
    rows = []
    row: Any
    for k, row in enumerate(shown.itertuples()):
        in_full = None if params is None else params[k]
        star = " ★" if row.label in members else ""
        name = f"{_text(names[row.label])}{star}"
        # All parameters of the candidate, or the whole label if it was shortened.
        full_text = _formatting.visible(_formatting.shortened(in_full or row.label, _PARAMS_WIDTH))
        verdict, interval = against[k]
        # Under the name: a column of its own would unfold beyond a narrow screen.
        unfolded = "" if in_full is None else _cell("div", escape(full_text), "params")
        rows.append(
            f"<tr>{_cell('td', '–' if pd.isna(row.rank) else str(row.rank), 'r')}"
            f'<td class="ssc-name" title="{escape(full_text)}">{name}{unfolded}</td>{verdict}'
            f"{_number(row.mean, decimals)}{_number(row.std_err, decimals, ' ssc-wide')}{interval}"
            "</tr>"
        )
    table = _table(cells, rows)
    if params is not None:
        name = f"ssc-params-{next(_ids)}"
        table = (
            f'<input type="checkbox" id="{name}"><label for="{name}">parameters in full</label>'
            f"{table}"
        )
    if len(ranking) > ROWS:
        table += f"<p>{_text(_rest(len(ranking), ROWS, leader_table))}</p>"
    return table


def _table(head: str, rows: Sequence[str]) -> str:
    return (
        f'<div class="ssc-scroll"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _against(
    table: pd.DataFrame | None, n_rows: int, settings: Settings
) -> tuple[Head, Head, str, list[tuple[str, str]]]:
    """How the leader, the first row, stands against the others.

    The heads of the verdicts and of the differences, the axis of the intervals, and for each row
    the cell of the verdict and those of the difference with its interval.
    """
    if table is None or not len(table):
        return [], [], "", [("", "")] * n_rows
    shown = table.head(n_rows - 1)
    kinds = ["leader", *shown["verdict"]]
    words = ["leader", *map(_tables.verdict_words, shown["verdict"])]
    verdicts = [
        f'<td><span class="ssc-word ssc-{kind}">{escape(said)}</span></td>'
        for kind, said in zip(kinds, words, strict=True)
    ]
    head = [("verdict", "")]
    if "ci_low" not in shown:
        return head, [], "", [(verdict, "") for verdict in verdicts]
    level = _formatting.level_words(settings.alpha)
    decimals = _formatting.shown_decimals(shown["std_err"].to_numpy())
    ends = shown[["ci_low", "mean_diff", "ci_high"]].to_numpy()
    bars = IntervalBars(ends[:, 0], ends[:, 2], settings.rope)
    cells = [_cell("td", "", "") * 2]
    for (low, middle, high), kind, said in zip(ends.tolist(), kinds[1:], words[1:], strict=True):
        bar = ""
        if not np.isnan(middle):
            texts = [_formatting.shown_number(end, decimals) for end in (middle, low, high)]
            title = f"{texts[0]}, {level} interval {texts[1]} to {texts[2]}: {said}"
            bar = bars.bar(low, middle, high, kind, title)
        cells.append(_number(middle, decimals) + _cell("td", bar, ""))
    axis = _cell("th", bars.axis(decimals), "")
    return head, [("behind", "r")], axis, list(zip(verdicts, cells, strict=True))


def _folded(table: pd.DataFrame) -> str:
    """The table that the ranking is taken from, as it is."""
    shown = table.head(ROWS)
    names = _formatting.short_labels(
        [str(label) for model in ("model_1", "model_2") for label in shown[model]],
        _LABEL_WIDTH_IN_TABLE,
    )
    is_number = [pd.api.types.is_float_dtype(table[name]) for name in table]
    head = "".join(
        _cell("th", _text(str(name)), "r" if number else "")
        for name, number in zip(table, is_number, strict=True)
    )
    rows = []
    for values in shown.itertuples(index=False):
        cells = (
            _value(value, number, names) for value, number in zip(values, is_number, strict=True)
        )
        rows.append(f"<tr>{''.join(cells)}</tr>")
    more = len(table) - len(shown)
    rest = f"<p>… and {more:,} more rows</p>" if more else ""
    return (
        "<details><summary>The leader against every other candidate</summary>"
        f"{_table(head, rows)}{rest}</details>"
    )


def _value(value: object, is_number: bool, names: Mapping[str, str]) -> str:
    if is_number:
        return _cell("td", f"{value:.4g}", "r")
    whole = str(value)
    return f'<td title="{_text(whole)}">{_text(names.get(whole, whole))}</td>'


def _number(value: float, decimals: int, also: str = "") -> str:
    text = "–" if np.isnan(value) else _formatting.shown_number(value, decimals)
    return _cell("td", text, f"r{also}")


def _cell(tag: str, content: str, side: str) -> str:
    return f'<{tag} class="ssc-{side}">{content}</{tag}>' if side else f"<{tag}>{content}</{tag}>"


def _text(words: str) -> str:
    return escape(_formatting.visible(words))


_SPAN, _HEIGHT = 180, 16

_MARGIN = 8


class IntervalBars:
    """Draw intervals of differences with zero and the ROPE.

    The scale includes zero and most intervals. Intervals that are far longer or farther away than
    the others are cut, with an arrowhead. A far wider ROPE is cut without one.

    Parameters
    ----------
    low, high : ndarray
        Ends of all intervals that are drawn.
    rope : (float, float)
        The ROPE.
    """

    def __init__(
        self, low: NDArray[np.float64], high: NDArray[np.float64], rope: tuple[float, float]
    ) -> None:
        self._rope = rope
        ends, of_rope = _finite(np.concatenate([low, high])), _finite(np.array(rope))
        # One very bad candidate, or a wide ROPE, would squeeze all others into a line.
        limit = 3 * np.quantile(np.abs(ends), 0.75) if ends.any() else np.inf
        shown = np.clip([*ends, *of_rope, 0.0], -limit, limit)
        room = 0.04 * (shown.max() - shown.min())
        self._low, self._high = float(shown.min() - room), float(shown.max() + room)
        if not self._high - self._low > 1e-300:
            self._low, self._high = -1e-3, 1e-3

    def axis(self, decimals: int) -> str:
        """Zero, and the ends of the scale in words, for the head of the column."""
        zero = self._at(0.0)
        marks = [(zero, "0", "middle")]
        # Only where there is room next to the 0.
        if zero > _SPAN / 3:
            marks.append((_MARGIN, f"{self._low:.{decimals}f}", "start"))
        if zero < 2 * _SPAN / 3:
            marks.append((_SPAN - _MARGIN, f"{self._high:.{decimals}f}", "end"))
        words = "".join(
            f'<text x="{x:.1f}" y="11" text-anchor="{anchor}">{escape(text)}</text>'
            for x, text, anchor in marks
            if len(text) < 14
        )
        return _svg(words, "difference of the leader and the candidate")

    def bar(self, low: float, middle: float, high: float, kind: str, words: str) -> str:
        """Draw one interval as SVG; `words` are its tooltip and its text for screen readers."""
        y = _HEIGHT / 2
        left, right = self._at(self._rope[0]), self._at(self._rope[1])
        zero = self._at(0.0)
        parts = [
            # A ROPE of zero width stays visible as a line.
            f'<rect x="{left:.1f}" y="0" width="{max(right - left, 0.5):.1f}" height="{_HEIGHT}"/>',
            f'<line class="ssc-zero" x1="{zero:.1f}" x2="{zero:.1f}" y1="0" y2="{_HEIGHT}"/>',
        ]
        # For ends near the largest float, or infinite ones.
        with np.errstate(over="ignore", invalid="ignore"):
            known = not np.isnan(low + high)
        if known:
            start, end = self._at(low), self._at(high)
            drawn = f'<line x1="{start:.1f}" x2="{end:.1f}" y1="{y}" y2="{y}"/>'
            if low < self._low:
                drawn += f'<path d="M{start - 5:.1f},{y} l6,-4 l0,8 Z"/>'
            if high > self._high:
                drawn += f'<path d="M{end + 5:.1f},{y} l-6,-4 l0,8 Z"/>'
            if self._low <= middle <= self._high:
                drawn += f'<circle cx="{self._at(middle):.1f}" cy="{y}" r="3"/>'
            parts.append(f'<g class="ssc-{kind}">{drawn}</g>')
        return _svg("".join(parts), words)

    def _at(self, value: Any) -> float:
        inside = min(max(float(value), self._low), self._high)
        share = (inside - self._low) / (self._high - self._low)
        return _MARGIN + share * (_SPAN - 2 * _MARGIN)


def _finite(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The finite values; next to float64's largest, the width would be infinite."""
    return np.clip(values[np.isfinite(values)], -1e300, 1e300)


def _svg(content: str, words: str) -> str:
    return (
        f'<svg width="{_SPAN}" height="{_HEIGHT}" viewBox="0 0 {_SPAN} {_HEIGHT}" role="img" '
        f'aria-label="{escape(words)}"><title>{escape(words)}</title>{content}</svg>'
    )


# The theme follows the reader's system, unless the page declares its own: JupyterLab, VS Code and
# sites made by Sphinx. The fragment has its own background, because a page that does not follow the
# system would be white under light text. JupyterLab's rules for tables have one class and two
# elements. With the class twice, ours take precedence in any order.
STYLE = Path(__file__).with_name("repr.css").read_text(encoding="utf-8")
