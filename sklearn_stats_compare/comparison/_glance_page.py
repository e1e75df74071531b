"""A comparison in a notebook: headline, facts, and a ranking with verdicts and intervals."""

from collections.abc import Mapping, Sequence
from html import escape
from itertools import count as counter
from typing import Any

import numpy as np
import pandas as pd

from sklearn_stats_compare._messages import (
    level_words,
    short_labels,
    shortened,
    shown_decimals,
    shown_number,
    visible,
)
from sklearn_stats_compare.comparison._glance_style import STYLE
from sklearn_stats_compare.comparison._interval_bars import IntervalBars
from sklearn_stats_compare.comparison._verdicts import verdict_counts, verdict_words

ROWS = 60
"""Maximum number of candidates shown."""
_LABEL_WIDTH = 120
_LABEL_WIDTH_IN_TABLE = 40
_PARAMS_WIDTH = 1000
# A checkbox and its label belong together by an id, unique in a page of many cells.
_ids = counter()


def glance_page(
    ranking: pd.DataFrame,
    leader_table: pd.DataFrame | None,
    *,
    headline: Sequence[str],
    facts: Sequence[str],
    notes: Sequence[str],
    params: Sequence[str] | None,
    members: frozenset[str],
    rope: tuple[float, float],
    alpha: float,
) -> str:
    """An HTML fragment; all text in it is escaped.

    Parameters
    ----------
    ranking : DataFrame
        All candidates.
    leader_table : DataFrame or None
        The leader against the others, or the verdicts alone; None if it takes too long.
    headline, facts, notes : sequences of str
        Sentences above and below the ranking, and lines between.
    params : sequence of str or None
        Parameters in full, of the first candidates of the ranking.
    members : frozenset of str
        Labels of the candidates that may be the best.
    rope : (float, float)
        The ROPE in score units.
    alpha : float
        Level of the intervals.
    """
    if pd.isna(ranking["rank"].iloc[0]):  # all failed: there is no leader
        leader_table = None
    has_intervals = leader_table is not None and "ci_low" in leader_table and len(leader_table)
    parts = [
        f'<p class="ssc-lead">{" ".join(map(_text, headline))}</p>',
        f"<ul>{''.join(f'<li>{_text(fact)}</li>' for fact in facts)}</ul>",
        _ranking(ranking, leader_table, params, members, rope, alpha),
    ]
    if has_intervals:
        parts.append(f"<p>{_text(_legend(members, alpha))}</p>")
    parts += [f'<p class="ssc-note">{_text(note)}</p>' for note in notes]
    if leader_table is not None and len(leader_table):
        parts.append(_folded(leader_table))
    return f'<div class="ssc-glance"><style>{STYLE}</style>{"".join(parts)}</div>'


def _legend(members: frozenset[str], alpha: float) -> str:
    words = (
        f"Bars: the leader minus the candidate, with its adjusted {level_words(alpha)} interval; "
        "to the right of the dashed zero the leader is better. Shaded: the ROPE."
    )
    return f"{words} ★: may be the best." if members else words


def _ranking(
    ranking: pd.DataFrame,
    leader_table: pd.DataFrame | None,
    params: Sequence[str] | None,
    members: frozenset[str],
    rope: tuple[float, float],
    alpha: float,
) -> str:
    shown = ranking.head(ROWS)
    decimals = shown_decimals(ranking["std_err"].to_numpy())
    against = _Against(leader_table, len(shown), rope, alpha)
    head = [("rank", "r"), ("candidate", "")]
    # Next to the candidate: after the bars it would unfold beyond a narrow screen.
    head += [("parameters", "params")] if params is not None else []
    head += against.verdict_head
    head += [("mean", "r"), ("std. err.", "r ssc-wide"), *against.interval_head]
    cells = "".join(_cell("th", _text(name), side) for name, side in head) + against.axis
    names = short_labels(shown["label"], _LABEL_WIDTH)
    rows = []
    row: Any
    for k, row in enumerate(shown.itertuples()):
        in_full = None if params is None else params[k]
        star = " ★" if row.label in members else ""
        name = f"{_text(names[row.label])}{star}"
        # All parameters of the candidate, or the whole label if it was shortened.
        full_text = visible(shortened(in_full or row.label, _PARAMS_WIDTH))
        verdict, interval = against.row(k)
        rows.append(
            f"<tr>{_cell('td', '–' if pd.isna(row.rank) else str(row.rank), 'r')}"
            f'<td class="ssc-name" title="{escape(full_text)}">{name}</td>'
            f"{'' if in_full is None else _cell('td', escape(full_text), 'params')}{verdict}"
            f"{_number(row.mean, decimals)}{_number(row.std_err, decimals, ' ssc-wide')}{interval}"
            "</tr>"
        )
    table = (
        f'<div class="ssc-scroll"><table><thead><tr>{cells}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )
    if params is not None:
        name = f"ssc-params-{next(_ids)}"
        table = (
            f'<input type="checkbox" id="{name}"><label for="{name}">parameters in full</label>'
            f"{table}"
        )
    return table + _rest(len(ranking) - len(shown), leader_table)


def _rest(n: int, leader_table: pd.DataFrame | None) -> str:
    if not n:
        return ""
    words = f"… and {n:,} more"
    if leader_table is not None:
        words += f": {verdict_counts(leader_table['verdict'].iloc[ROWS - 1 :])}"
    return f"<p>{_text(words)}</p>"


class _Against:
    """The columns of the ranking that say how the leader stands against a candidate."""

    def __init__(
        self, table: pd.DataFrame | None, n_rows: int, rope: tuple[float, float], alpha: float
    ) -> None:
        self.verdict_head: list[tuple[str, str]] = []
        self.interval_head: list[tuple[str, str]] = []
        self.axis = ""
        self._verdicts: list[str] = []
        self._bars: IntervalBars | None = None
        if table is None or not len(table):
            return
        self.verdict_head = [("verdict", "")]
        shown = table.head(n_rows - 1)
        self._verdicts = shown["verdict"].tolist()
        if "ci_low" not in shown:
            return
        self._level = level_words(alpha)
        self._ends = shown[["ci_low", "mean_diff", "ci_high"]].to_numpy()
        self._bars = IntervalBars(self._ends[:, 0], self._ends[:, 2], rope)
        self._decimals = shown_decimals(shown["std_err"].to_numpy())
        self.interval_head = [("behind", "r")]
        self.axis = _cell("th", self._bars.axis(self._decimals), "")

    def row(self, k: int) -> tuple[str, str]:
        """Cells of the verdict, and of the difference with its interval; row 0 is the leader."""
        if not self._verdicts:
            return "", ""
        if k == 0:
            blank = "" if self._bars is None else _cell("td", "", "") * 2
            return '<td><span class="ssc-word ssc-leader">leader</span></td>', blank
        kind = self._verdicts[k - 1]
        words = verdict_words(kind)
        verdict = f'<td><span class="ssc-word ssc-{kind}">{escape(words)}</span></td>'
        if self._bars is None:
            return verdict, ""
        low, middle, high = map(float, self._ends[k - 1])
        number = _number(middle, self._decimals)
        if np.isnan(middle):
            return verdict, number + _cell("td", "", "")
        texts = [shown_number(end, self._decimals) for end in (middle, low, high)]
        title = f"{texts[0]}, {self._level} interval {texts[1]} to {texts[2]}: {words}"
        bar = self._bars.bar(low, middle, high, kind, title)
        return verdict, number + _cell("td", bar, "")


def _folded(table: pd.DataFrame) -> str:
    """The table that the ranking is taken from, as it is."""
    shown = table.head(ROWS)
    names = short_labels(
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
        f'<div class="ssc-scroll"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>{rest}</details>"
    )


def _value(value: object, is_number: bool, names: Mapping[str, str]) -> str:
    if is_number:
        return _cell("td", f"{value:.4g}", "r")
    whole = str(value)
    return f'<td title="{_text(whole)}">{_text(names.get(whole, whole))}</td>'


def _number(value: float, decimals: int, also: str = "") -> str:
    return _cell("td", "–" if np.isnan(value) else shown_number(value, decimals), f"r{also}")


def _cell(tag: str, content: str, side: str) -> str:
    return f'<{tag} class="ssc-{side}">{content}</{tag}>' if side else f"<{tag}>{content}</{tag}>"


def _text(words: str) -> str:
    return escape(visible(words))
