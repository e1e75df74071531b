"""Reports as one self-contained HTML page: no network access, no external script."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

import numpy as np

from sklearn_stats_compare._utils._formatting import shortened
from sklearn_stats_compare.comparison._parameters import parameter_grid, varying_parameters
from sklearn_stats_compare.reports import _facts
from sklearn_stats_compare.reports._document import Document, ReportTable

_NONE: Mapping[str, str] = {}

_SWITCH = '<input type="checkbox" class="unfold">'


def html_report(document: Document) -> str:
    """The report as a page with sortable tables, and with pictures if matplotlib is installed."""
    title = escape(document.title)
    body = [f"<h1>{title}</h1>"]
    for block in document.opening():
        body.append(_table(block) if isinstance(block, ReportTable) else _paragraph(block))
    why_not = _no_pictures() if document.has("pictures") else ""
    body.append(why_not)
    for facts in document.facts:
        body += _section(document, facts, pictures=document.has("pictures") and not why_not)
    if document.cites and document.bibtex:
        body += ["<h2>BibTeX</h2>", f"<pre>{escape(document.bibtex)}</pre>"]
    content = "\n".join(filter(None, body))
    style, script = _file("report.css"), _file("report.js")
    return (
        # Classes on html and body: a notebook that displays the page drops both elements and their
        # style.
        '<!DOCTYPE html>\n<html lang="en" class="ssc-page">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        # The browser loads nothing from elsewhere, whatever a label contains. Style and script are
        # in the page, which a policy allows as 'unsafe-inline' only; a heat map is data.
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n"
        f"<title>{title}</title>\n<style>\n{style}</style>\n</head>\n"
        f'<body class="ssc-page">\n<main class="ssc-report">\n{content}\n</main>\n'
        f"<script>\n{script}</script>\n</body>\n</html>\n"
    )


@cache
def _file(name: str) -> str:
    return (files("sklearn_stats_compare.reports") / name).read_text(encoding="utf-8")


def _section(document: Document, facts: _facts.AnyFacts, pictures: bool) -> list[str]:
    """One metric: paragraphs, tables, pictures; for several metrics, headings one level lower."""
    tag = "h3" if document.several else "h2"
    body = [_paragraph(paragraph) for paragraph in document.paragraphs_of(facts)]
    above, below = {}, {}
    if pictures and isinstance(facts, _facts.Facts):
        body.append(_heat_map(facts, tag))
        if facts.has_rivals:
            above, below = {"leader": _forest(facts)}, {"leader": _posteriors(facts, tag)}
    tables = {table.name: table for table in document.tables_of(facts)}
    for name, heading in document.headings(facts).items():
        parts = [above.get(name, "")]
        if name in tables:
            parts.append(_table(tables[name], facts.params, unfolds=name == "ranking"))
        parts.append(below.get(name, ""))
        if any(parts):
            # Escaped like all text from users: a label may be HTML.
            body += [f"<{tag}>{escape(heading)}</{tag}>", *parts]
    if document.several and any(body):
        body.insert(0, f"<h2>{escape(facts.metric)}</h2>")
    return body


def _paragraph(text: str) -> str:
    return f"<p>{html_sentence(text)}</p>"


def _table(table: ReportTable, params: Mapping[str, str] = _NONE, unfolds: bool = False) -> str:
    """The table; candidates' parameters are tooltips and, if it unfolds, under names."""
    sides = ["r" if align == "r" else "" for align in table.aligns]
    head = "".join(
        f'<th scope="col" class="{side}">{_button(name)}</th>'
        for name, side in zip(table.header, sides, strict=True)
    )
    unfolds = unfolds and bool(params)
    rows = []
    for row, (cells, values) in enumerate(zip(table.cells, table.values, strict=True)):
        columns: list[str] = []
        for k, (cell, value, side) in enumerate(zip(cells, values, sides, strict=True)):
            if (row, k) in table.bold:
                side += " bold"
            # Text has no `data-v`, so the script sorts it as text.
            if isinstance(value, str):
                classes = "label" if k in table.labels else side
                # A label may contain all parameters of an estimator: shortened, longer in the
                # tooltip.
                in_full = params.get(cell, cell) if k in table.labels else cell
                title = escape(shortened(in_full, 500))
                words = escape(shortened(cell, 200))
                if unfolds and k == min(table.labels):  # under the name
                    words += f'<div class="params">{escape(shortened(params[cell], 2_000))}</div>'
                columns.append(f'<td class="{classes}" title="{title}">{words}</td>')
            else:
                columns.append(
                    f'<td class="{side}" data-v="{_sortable(value)}">{escape(cell)}</td>'
                )
        rows.append(f"<tr>{''.join(columns)}</tr>")
    # A checkbox before the table unfolds them without a script.
    switch = f"<label>{_SWITCH} parameters in full</label>" if unfolds else ""
    return (
        f'<p class="caption">{html_sentence(table.caption)}</p>{switch}'
        f'<div class="scroll" tabindex="0"><table data-table="{table.name}">'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _button(name: str) -> str:
    # A column of marks has no name and is not sortable.
    return f'<button type="button">{escape(name)}</button>' if name else ""


def _sortable(value: float) -> str:
    """A number as JavaScript reads it."""
    if np.isinf(value):
        # In the form of JavaScript's Number(), which turns "inf" into NaN.
        return "Infinity" if value > 0 else "-Infinity"
    return "NaN" if np.isnan(value) else f"{value:.8g}"


def html_sentence(text: str) -> str:
    """A sentence as HTML; unbreakable parts stay on one line."""
    return _facts.laid_out(text, escape, lambda piece: escape(piece).replace(" ", "\u00a0"))


_POSTERIORS = 11
"""Most candidates of which the posterior is drawn."""

_HEAT_MAP_VALUES = 30


def _no_pictures() -> str:
    """Why there are no pictures, as a paragraph; empty if there are."""
    # Inside the functions, here and below, because most reports draw nothing.
    from sklearn_stats_compare.displays._base import pyplot

    try:
        pyplot()
    except ImportError as error:
        return _paragraph(f"There are no pictures. {error}")
    return ""


def _picture(
    display: Any, facts: _facts.Facts, words: str, caption: str, *args: Any, **options: Any
) -> str:
    """The picture of a display with a caption; `words` name it for screen readers."""
    from sklearn_stats_compare.displays._base import as_svg

    comparison = facts.comparison
    if comparison.metric != facts.metric:  # a mapping may name it otherwise
        comparison = replace(comparison, metric=facts.metric, warn=False)

    def draw(figure: Any) -> None:
        display.from_comparison(comparison, *args, ax=figure, **options)

    return (
        f'<figure><div class="picture" tabindex="0">{as_svg(draw, words)}</div>'
        f"<figcaption>{html_sentence(caption)}</figcaption></figure>"
    )


def _heat_map(facts: _facts.Facts, tag: str) -> str:
    """Means over two hyper-parameters, if exactly two vary and at least half their pairs exist."""
    from sklearn_stats_compare.displays import ParameterHeatmapDisplay

    comparison = facts.comparison
    varying = varying_parameters(comparison.params)
    if len(varying) != 2 or comparison.leader is None:
        return ""
    # The cost of `parameter_grid` is quadratic in the number of values: high for random searches.
    sizes = [len({repr(params[name]) for params in comparison.params or ()}) for name in varying]
    if max(sizes) > _HEAT_MAP_VALUES:
        return ""
    verdicts = parameter_grid(comparison, *varying).verdicts.to_numpy()
    if min(verdicts.shape) < 2 or 2 * (verdicts != "").sum() < verdicts.size:
        return ""
    caption = (
        f"Mean {facts.metric} by {varying[0]} and {varying[1]}, and what the test says of each "
        f"against the leader, by two-sided p-values {_facts.adjusted(facts)}."
    )
    # Without interpolation a cell is one dot of the picture, which stays sharp at any size.
    options = {"image_kw": {"interpolation": "none"}}
    words = f"mean {facts.metric}"
    picture = _picture(ParameterHeatmapDisplay, facts, words, caption, *varying, **options)
    return f"<{tag}>Means over two parameters</{tag}>{picture}"


def _forest(facts: _facts.Facts) -> str:
    """The leader against the best of the others."""
    from sklearn_stats_compare.displays import LeaderDisplay

    # Candidates that failed have no interval to draw.
    if facts.leader_table["ci_low"].isna().all():
        return ""
    intervals, rope = _facts.interval_words(facts), _facts.rope_words(facts)
    caption = f"Difference and {intervals}; the band is the ROPE, {rope}."
    return _picture(LeaderDisplay, facts, f"difference in {facts.metric}", caption)


def _posteriors(facts: _facts.Facts, tag: str) -> str:
    """The posteriors of the leader against the best of the others."""
    from sklearn_stats_compare.displays import PosteriorDisplay

    leader, *others = facts.ranking["label"][facts.ranking["std_err"].notna()].tolist() or [""]
    if not others:
        return ""
    bounds = []
    for rival in others[:_POSTERIORS]:
        posterior = facts.comparison.posterior(leader, rival)
        bounds.append(f"{posterior.break_even_rope(0.95):.3g} from {rival}")
    caption = (
        "Posterior of the leader's difference and its probabilities, not adjusted for the number "
        "of pairs. With probability 0.95 the difference is at most "
        f"{_facts.listed(bounds, most=_POSTERIORS)} in absolute value."
    )
    if len(bounds) < len(others):
        caption += f" The best {len(bounds)} of {len(others):,} are drawn."
    words = f"posterior of the difference in {facts.metric}"
    picture = _picture(PosteriorDisplay, facts, words, caption, ridge=len(bounds))
    return f"<{tag}>Posteriors</{tag}>{picture}"
