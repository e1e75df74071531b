"""Reports as one self-contained HTML page: no network access, no external script."""

from collections.abc import Mapping
from html import escape

import numpy as np

from sklearn_stats_compare._messages import shortened
from sklearn_stats_compare.reports._datasets_document import DatasetsDocument
from sklearn_stats_compare.reports._document import Document
from sklearn_stats_compare.reports._facts import Facts
from sklearn_stats_compare.reports._html_pictures import (
    forest,
    heat_map,
    html_sentence,
    posteriors,
)
from sklearn_stats_compare.reports._page import SCRIPT, STYLE
from sklearn_stats_compare.reports._report_tables import ReportTable

_NONE: Mapping[str, str] = {}
_SWITCH = '<input type="checkbox" class="unfold">'


def html_report(document: Document) -> str:
    """The report as a page with sortable tables, the leader view, and one pair from a menu."""
    title = escape(document.title)
    body = [f"<h1>{title}</h1>"]
    for block in document.opening():
        body.append(_table(block) if isinstance(block, ReportTable) else _paragraph(block))
    for facts in document.facts:
        body += _section(document, facts)
    return _page(title, body, document)


def datasets_html_report(document: DatasetsDocument) -> str:
    """The report on several data sets as a page with sortable tables."""
    title = escape(document.title)
    headings = {
        "ranking": "Ranking",
        "leader": f"The leader, {document.comparison.leader}, against the others",
        "reference": "The reference against the others",
        "pairs": "All pairs",
    }
    body = [f"<h1>{title}</h1>", *map(_paragraph, document.paragraphs)]
    for table in document.tables:
        body += [f"<h2>{escape(headings[table.name])}</h2>", _table(table)]
    return _page(title, body, document)


def _page(title: str, body: list[str], document: Document | DatasetsDocument) -> str:
    """The whole page."""
    if document.cites and document.bibtex:
        body += ["<h2>BibTeX</h2>", f"<pre>{escape(document.bibtex)}</pre>"]
    return (
        # Classes on html and body: a notebook that displays the page drops both elements and their
        # style.
        '<!DOCTYPE html>\n<html lang="en" class="ssc-page">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        # The browser loads nothing from elsewhere, whatever a label contains. Style and script are
        # in the page, which a policy allows as 'unsafe-inline' only.
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
        f"<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n"
        f'<body class="ssc-page">\n<main class="ssc-report">\n{chr(10).join(body)}\n</main>\n'
        f"<script>{SCRIPT}</script>\n</body>\n</html>\n"
    )


def _section(document: Document, facts: Facts) -> list[str]:
    """One metric: paragraphs, tables, pictures; for several metrics, headings one level lower."""
    tag = "h3" if document.several else "h2"
    body = [_paragraph(paragraph) for paragraph in document.paragraphs_of(facts)]
    pictures = document.has("pictures")
    if pictures:
        body.append(heat_map(facts, tag))
    tables = {table.name: table for table in document.tables_of(facts)}
    if "ranking" in tables:
        ranking = _table(tables["ranking"], facts.params, unfolds=True)
        body += [f"<{tag}>Ranking</{tag}>", ranking]
    rivals = len(facts.leader_table) and facts.comparison.leader is not None
    if "reference" in tables:
        heading = escape(f"{facts.reference}, named beforehand, against the others")
        body += [f"<{tag}>{heading}</{tag}>", _table(tables["reference"], facts.params)]
    if rivals and ("leader" in tables or pictures):
        # Escaped like all text from users: a label may be HTML.
        heading = escape(f"The leader, {facts.comparison.leader}, against the others")
        body += [f"<{tag}>{heading}</{tag}>", forest(facts) if pictures else ""]
        body.append(_table(tables["leader"], facts.params) if "leader" in tables else "")
        body.append(posteriors(facts, tag) if pictures else "")
    if "pairs" in tables:
        body += [f"<{tag}>All pairs</{tag}>", _table(tables["pairs"], facts.params)]
    body = list(filter(None, body))
    if document.several and body:
        body.insert(0, f"<h2>{escape(facts.metric)}</h2>")
    return body


def _paragraph(text: str) -> str:
    return f"<p>{html_sentence(text)}</p>"


def _table(table: ReportTable, params: Mapping[str, str] = _NONE, unfolds: bool = False) -> str:
    """The table; candidates' parameters are tooltips and, if it unfolds, a column."""
    sides = ["r" if align == "r" else "" for align in table.aligns]
    head = "".join(
        f'<th scope="col" class="{side}">{_button(name)}</th>'
        for name, side in zip(table.header, sides, strict=True)
    )
    unfolds = unfolds and bool(params)
    if unfolds:
        head += f'<th scope="col" class="params">{_button("parameters")}</th>'
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
                columns.append(f'<td class="{classes}" title="{title}">{words}</td>')
            else:
                columns.append(
                    f'<td class="{side}" data-v="{_sortable(value)}">{escape(cell)}</td>'
                )
        if unfolds:
            known = escape(shortened(params[cells[min(table.labels)]], 2_000))
            columns.append(f'<td class="params">{known}</td>')
        rows.append(f"<tr>{''.join(columns)}</tr>")
    # A checkbox before the table unfolds the column without a script.
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
