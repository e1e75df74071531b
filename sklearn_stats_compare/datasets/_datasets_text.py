"""A comparison over data sets at a glance: its text in a terminal, and its page in a notebook."""

import textwrap
from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np

from sklearn_stats_compare._messages import (
    count,
    one_line,
    short_labels,
    shown_decimals,
    shown_number,
    visible,
)
from sklearn_stats_compare.comparison import GLANCE_STYLE, verdict_counts, verdict_words
from sklearn_stats_compare.datasets._datasets_strain import strained_datasets
from sklearn_stats_compare.datasets._next_dataset_step import next_step

# To fit a terminal, as for a comparison on one data set.
_ROWS = 12
_ROWS_OF_PAGE = 60
_LABEL_WIDTH = 40
_WIDTH = 88


def datasets_text(comparison: Any) -> str:
    """Design, settings, and the best models with the leader's verdict on each."""
    header, rows = _table(comparison, _ROWS)
    names = short_labels([row[1] for row in rows], _LABEL_WIDTH)
    cells = [header, *([row[0], names[row[1]], *row[2:]] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    aligns = [">", "<", ">", ">", "<"]
    lines = [
        "  ".join(
            f"{cell:{align}{width}}" for cell, align, width in zip(row, aligns, widths, strict=True)
        ).rstrip()
        for row in cells
    ]
    if comparison.n_models > _ROWS:
        lines.append(_rest(comparison, _ROWS))
    notes = _notes(comparison)
    return "\n".join(
        [
            *(textwrap.shorten(line, _WIDTH, placeholder=" …") for line in facts(comparison)),
            "",
            *lines,
            *([""] if notes else []),
            *(line for note in notes for line in textwrap.wrap(visible(note), _WIDTH)),
        ]
    )


def datasets_html(comparison: Any) -> str:
    """The same as a small page; all text in it is escaped."""
    header, rows = _table(comparison, _ROWS_OF_PAGE)
    sides = [' class="ssc-r"', "", ' class="ssc-r"', ' class="ssc-r"', ""]
    head = "".join(
        f"<th{side}>{_safe(name)}</th>" for name, side in zip(header, sides, strict=True)
    )
    names = short_labels([row[1] for row in rows], 3 * _LABEL_WIDTH)
    body = "".join(
        "<tr>"
        + "".join(
            f'<td{side} title="{_safe(cell)}">{_safe(names.get(cell, cell))}</td>'
            for cell, side in zip(row, sides, strict=True)
        )
        + "</tr>"
        for row in rows
    )
    listed = "".join(f"<li>{_safe(fact)}</li>" for fact in facts(comparison))
    more = (
        f"<p>{_safe(_rest(comparison, _ROWS_OF_PAGE))}</p>"
        if comparison.n_models > _ROWS_OF_PAGE
        else ""
    )
    notes = "".join(f'<p class="ssc-note">{_safe(note)}</p>' for note in _notes(comparison))
    return (
        f'<div class="ssc-glance"><style>{GLANCE_STYLE}</style>'
        f'<p class="ssc-lead">{_safe(leading(comparison))}</p><ul>{listed}</ul>'
        f'<div class="ssc-scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody>'
        f"</table></div>{more}{notes}</div>"
    )


def leading(comparison: Any) -> str:
    """A sentence on the leader."""
    rank = comparison.ranking["mean_rank"].iloc[0]
    label = one_line(comparison.leader, 100)
    return f"{label} leads, with a mean rank of {rank:.2f} among {comparison.n_models} models."


def facts(comparison: Any) -> list[str]:
    """Design, test, family and ROPE, a line each."""
    settings = comparison.settings
    n_pairs = comparison.n_models * (comparison.n_models - 1) // 2
    how = "not adjusted" if settings.p_adjust is None else f"adjusted by {settings.p_adjust}"
    if settings.row.adjusted:
        how = "adjusted by the test itself"
    low, high = settings.rope
    rope = f"±{high:.4g}" if low == -high else f"{low:.4g} to {high:.4g}"
    known = len(comparison.comparisons)
    splits = (
        ""
        if not known
        else f", split scores of {'all' if known == comparison.n_datasets else known}"
    )
    return [
        f"{count(comparison.n_models, 'model')} on {count(comparison.n_datasets, 'data set')}"
        f"{splits}, score: {one_line(comparison.metric, _WIDTH)}",
        f"{comparison.test_words}",
        f"{count(n_pairs, 'pair')}, {how}, verdicts two-sided at alpha = {settings.alpha:g}",
        f"ROPE {rope}",
    ]


def _table(comparison: Any, n_rows: int) -> tuple[list[str], list[list[str]]]:
    """Header and rows: rank, label, mean rank, mean score, and the leader's verdict."""
    shown = comparison._ranking.head(n_rows)
    verdicts = ["leader", *map(str, comparison._leader_table["verdict"].map(verdict_words))]
    # As of standard errors of means over the data sets.
    spread = comparison.values.std(axis=1, ddof=1) / np.sqrt(comparison.n_datasets)
    decimals = shown_decimals(spread)
    rows = [
        [
            str(row.rank),
            str(row.label),
            f"{row.mean_rank:.2f}",
            shown_number(row.mean, decimals),
            verdict,
        ]
        for row, verdict in zip(shown.itertuples(), verdicts, strict=False)
    ]
    return ["rank", "model", "mean rank", "mean", "verdict"], rows


def _rest(comparison: Any, n_rows: int) -> str:
    verdicts = comparison._leader_table["verdict"].iloc[n_rows - 1 :]
    return f"… and {comparison.n_models - n_rows:,} more: {verdict_counts(verdicts)}"


def _notes(comparison: Any) -> Sequence[str]:
    note = [comparison.note] if comparison.note else []
    strained = strained_datasets(comparison.values, comparison.settings)
    return [*note, *strained, f"Next: {next_step(comparison)}"]


def _safe(text: str) -> str:
    return escape(visible(text))
