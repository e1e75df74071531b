"""The repr of a comparison over data sets: text, a page in a notebook, and the next step."""

import textwrap
from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
from scipy import stats

from sklearn_stats_compare._utils import _formatting
from sklearn_stats_compare.comparison._repr import STYLE as GLANCE_STYLE
from sklearn_stats_compare.comparison._tables import verdict_counts, verdict_words
from sklearn_stats_compare.datasets._tests import check_dataset_assumptions

# To fit a terminal, as for a comparison on one data set.
_ROWS = 12

_ROWS_OF_PAGE = 60

_LABEL_WIDTH = 40

_WIDTH = 88


def datasets_text(comparison: Any) -> str:
    """Design, settings, and the best models with the leader's verdict on each."""
    header, rows = _table(comparison, _ROWS)
    names = _formatting.short_labels([row[1] for row in rows], _LABEL_WIDTH)
    cells = [header, *([row[0], names[row[1]], *row[2:]] for row in rows)]
    lines = _formatting.aligned(cells, "><>><")
    if comparison.n_models > _ROWS:
        lines.append(_rest(comparison, _ROWS))
    notes = _notes(comparison)
    return "\n".join(
        [
            *(textwrap.shorten(line, _WIDTH, placeholder=" …") for line in facts(comparison)),
            "",
            *lines,
            *([""] if notes else []),
            *(line for note in notes for line in textwrap.wrap(_formatting.visible(note), _WIDTH)),
        ]
    )


def datasets_html(comparison: Any) -> str:
    """The same as a small page; all text in it is escaped."""
    header, rows = _table(comparison, _ROWS_OF_PAGE)
    sides = [' class="ssc-r"', "", ' class="ssc-r"', ' class="ssc-r"', ""]
    head = "".join(
        f"<th{side}>{_safe(name)}</th>" for name, side in zip(header, sides, strict=True)
    )
    names = _formatting.short_labels([row[1] for row in rows], 3 * _LABEL_WIDTH)
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
    rank = comparison.ranking()["mean_rank"].iloc[0]
    label = _formatting.one_line(comparison.leader, 100)
    return f"{label} leads, with a mean rank of {rank:.2f} among {comparison.n_models} models."


def facts(comparison: Any) -> list[str]:
    """Design, test, family and ROPE, a line each."""
    settings = comparison._settings
    n_pairs = comparison.n_models * (comparison.n_models - 1) // 2
    how = "not adjusted" if settings.p_adjust is None else f"adjusted by {settings.p_adjust}"
    if settings.row.adjusted:
        how = "adjusted by the test itself"
    low, high = settings.rope
    rope = f"±{high:.4g}" if low == -high else f"{low:.4g} to {high:.4g}"
    known = len(comparison.comparisons)
    splits = ""
    if known:
        splits = f", split scores of {'all' if known == comparison.n_datasets else known}"
    return [
        f"{_formatting.count(comparison.n_models, 'model')} on "
        f"{_formatting.count(comparison.n_datasets, 'data set')}{splits}, score: "
        f"{_formatting.one_line(comparison.metric, _WIDTH)}",
        comparison.test_words,
        f"{_formatting.count(n_pairs, 'pair')}, {how}, verdicts two-sided at alpha = "
        f"{settings.alpha:g}",
        f"ROPE {rope}",
    ]


def _table(comparison: Any, n_rows: int) -> tuple[list[str], list[list[str]]]:
    """Header and rows: rank, label, mean rank, mean score, and the leader's verdict."""
    shown = comparison._ranking.head(n_rows)
    verdicts = ["leader", *map(str, comparison._leader_table["verdict"].map(verdict_words))]
    # As of standard errors of means over the data sets.
    spread = comparison.values.std(axis=1, ddof=1) / np.sqrt(comparison.n_datasets)
    decimals = _formatting.shown_decimals(spread)
    rows = [
        [
            str(row.rank),
            str(row.label),
            f"{row.mean_rank:.2f}",
            _formatting.shown_number(row.mean, decimals),
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
    problems = check_dataset_assumptions(comparison.values, comparison._settings)
    return [*note, *problems, f"Next: {next_step(comparison)}"]


def _safe(text: str) -> str:
    return escape(_formatting.visible(text))


_MOST = 10
"""Times the data sets so far; beyond that, their number is no advice."""


def next_step(comparison: Any) -> str:
    """See `DatasetsComparison.next_step`."""
    table = comparison._leader_table
    verdict = table["verdict"].to_numpy()
    undecided = np.flatnonzero(verdict == "undecided")
    leader = _formatting.short_labels([comparison.leader], 40)[comparison.leader]
    worse = table["model_2"][verdict == "worse"].astype(str).tolist()
    if worse:
        other = _formatting.short_labels(worse, 40)[worse[0]]
        return (
            f"{leader} has the best mean rank, but is worse than {other} by the test of the "
            "pair. Choose by the sizes of the differences, or by data sets like your own."
        )
    if not undecided.size:
        n_equivalent = int((verdict == "equivalent").sum())
        if not n_equivalent:
            return f"Decided: {leader} is better than every other model on data sets like these."
        others = _formatting.count(n_equivalent, "equivalent model")
        return f"Decided: {leader} has {others} on data sets like these; take the cheapest."
    rows = table.iloc[undecided]
    first = str(rows["model_2"].iloc[0])
    others = f" and {_formatting.count(len(rows) - 1, 'other model')}" if len(rows) > 1 else ""
    opening = f"Undecided against {_formatting.short_labels([first], 40)[first]}{others}"
    needed = datasets_needed(comparison, rows.iloc[0])
    if needed is None or needed > _MOST * comparison.n_datasets:
        return (
            f"{opening}. The difference from {_formatting.short_labels([first], 40)[first]} is too "
            f"small for {_MOST} times as many data sets to show. Choose by cost, or ask "
            "`bayesian()` whether it matters."
        )
    return (
        f"{opening}. About {needed:,} data sets in all would find a difference as large as the "
        "observed one, with a probability of one half."
    )


def datasets_needed(comparison: Any, row: Any) -> int | None:
    """Number of data sets at which the z of a row of the leader's table would reach the level.

    None if z is 0.
    """
    settings, n = comparison._settings, comparison.n_datasets
    if settings.row.adjusted:
        # The statistic is z of two mean ranks, and the critical difference that of all pairs.
        z = abs(float(row["statistic"]))
        per_z = float(np.sqrt(comparison.n_models * (comparison.n_models + 1) / (6 * n)))
        critical = comparison.critical_difference() / per_z
    else:
        pvalue = float(row["p_unadjusted"])
        two_sided = pvalue if settings.alternative == "two-sided" else 2 * min(pvalue, 1 - pvalue)
        z = stats.norm.isf(min(two_sided, 1.0) / 2)
        n_pairs = comparison.n_models * (comparison.n_models - 1) // 2
        level = settings.alpha / (n_pairs if settings.p_adjust is not None else 1)
        critical = stats.norm.isf(level / 2)
    if not z > 0:
        return None
    # z is above its expectation with probability one half.
    return max(n + 1, int(np.ceil(n * (critical / z) ** 2)))
