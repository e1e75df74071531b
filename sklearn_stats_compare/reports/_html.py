"""Reports as one self-contained HTML page: no network access, no external script."""

from collections.abc import Mapping, Sequence
from html import escape
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare._utils._formatting import shortened
from sklearn_stats_compare.comparison._parameters import (
    ParameterGrid,
    parameter_grid,
    varying_parameters,
)
from sklearn_stats_compare.comparison._tables import verdict_words
from sklearn_stats_compare.reports._document import DatasetsDocument, Document, ReportTable
from sklearn_stats_compare.reports._facts import (
    Facts,
    adjusted,
    interval_words,
    laid_out,
    number,
    rope_words,
)
from sklearn_stats_compare.stats._corrected_t import Posterior

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


_FOREST_ROWS = 25

_MENU_CANDIDATES = 12

_HEAT_MAP_VALUES = 30


def html_sentence(text: str) -> str:
    """A sentence as HTML; unbreakable parts stay on one line."""
    return laid_out(text, escape, lambda piece: escape(piece).replace(" ", "\u00a0"))


def heat_map(facts: Facts, tag: str) -> str:
    """Means over two hyper-parameters, if exactly two vary and at least half their pairs exist."""
    comparison = facts.comparison
    varying = varying_parameters(comparison.params)
    if len(varying) != 2 or comparison.leader is None:
        return ""
    # The cost of `parameter_grid` is quadratic in the number of values: high for random searches.
    sizes = [len({repr(params[name]) for params in comparison.params or ()}) for name in varying]
    if max(sizes) > _HEAT_MAP_VALUES:
        return ""
    grid = parameter_grid(comparison, *varying)
    verdicts = grid.verdicts.to_numpy()
    if min(verdicts.shape) < 2 or 2 * (verdicts != "").sum() < verdicts.size:
        return ""
    means = grid.means.to_numpy()
    low, high = (number(end, facts.decimals) for end in (np.nanmin(means), np.nanmax(means)))
    key = [words for verdict, words in MARK_WORDS.items() if (verdicts == verdict).any()]
    caption = (
        f"Mean {facts.metric} by {varying[0]} and {varying[1]}, from {low} (pale) to {high} "
        f"(strong), and what the test says of each against the leader: {', '.join(key)}, by "
        f"two-sided p-values {adjusted(facts)}."
    )
    if grid.several:
        caption += " Of several candidates with the same two values the best is shown."
    svg = heat_map_svg(grid, facts.decimals, f"mean {facts.metric}")
    return (
        f"<{tag}>Means over two parameters</{tag}><figure>{svg}"
        f"<figcaption>{html_sentence(caption)}</figcaption></figure>"
    )


def forest(facts: Facts) -> str:
    """The leader against the best of the others, with a key of colours and a caption."""
    comparison = facts.comparison
    table = facts.leader_table
    # Candidates that failed have no interval to draw.
    known = table[table["ci_low"].notna()]
    if known.empty:
        return ""
    axis = f"difference in {facts.metric}: leader − candidate"
    words = f"Difference and {interval_words(facts)}; the band is the ROPE, {rope_words(facts)}."
    if len(known) > _FOREST_ROWS:
        words += f" The best {_FOREST_ROWS} of {len(known):,} are drawn."
    svg = forest_svg(known.head(_FOREST_ROWS), comparison.rope_bounds, axis)
    # Each verdict once, in the order of rows; pandas orders a categorical column by category.
    shown = dict.fromkeys(map(str, known["verdict"].head(_FOREST_ROWS)))
    key = "".join(f'<span class="{v}">{verdict_words(v)}</span>' for v in shown)
    return (
        f'<figure><p class="key">{key}<span class="band">ROPE</span></p>{svg}'
        f"<figcaption>{html_sentence(words)}</figcaption></figure>"
    )


def posteriors(facts: Facts, tag: str) -> str:
    """The posterior of one pair of the best candidates, chosen from a menu."""
    comparison = facts.comparison
    known = facts.ranking[facts.ranking["std_err"].notna()]
    # By labels, which are unique and shown in the menu.
    best = known["label"].head(_MENU_CANDIDATES).tolist()
    if len(best) < 2:
        return ""
    options, figures = [], []
    # All of them are in the page, at most 66 for twelve candidates, because it may fetch nothing.
    for k, (first, second) in enumerate(combinations(best, 2)):
        posterior = comparison.posterior(first, second)
        worse, rope, better = posterior.probabilities()
        pair = f"{first} − {second}"
        options.append(f'<option value="{k}">{escape(pair)}</option>')
        words = (
            f"P({second} better) = {worse:.3f}, P(equivalent) = {rope:.3f}, "
            f"P({first} better) = {better:.3f}, not adjusted for the number of pairs. With "
            "probability 0.95 the difference is at most "
            f"{posterior.break_even_rope(0.95):.3g} in absolute value."
        )
        axis = f"difference in {facts.metric}"
        figures.append(
            f'<figure data-pair="{k}"{" hidden" if k else ""}>{posterior_svg(posterior, axis)}'
            f"<figcaption>{escape(pair)}: {escape(words)}</figcaption></figure>"
        )
    note = ""
    if len(best) < len(known):
        note = f"<p>The menu holds the pairs of the best {len(best)} candidates.</p>"
    return (
        f'<div class="pairs"><{tag}>One pair</{tag}><p><label>Posterior of the difference '
        f"<select>{''.join(options)}</select></label></p>{note}{''.join(figures)}</div>"
    )


_LIGHT = """color-scheme: light; --text: #1a1a1a; --page: #ffffff; --line: #d4d4d4;
  --soft: #f3f3f3; --muted: #6a6a6a; --better: #0072b2; --worse: #c04a00; --equal: #00805c;
  --rope: #e69f00;"""

_DARK = """color-scheme: dark; --text: #e8e8e8; --page: #161616; --line: #444444;
  --soft: #242424; --muted: #a5a5a5; --better: #56b4e9; --worse: #ff9147; --equal: #2fc295;
  --rope: #e69f00;"""

# Every selector begins with a class of the report or of its page: a notebook that displays the
# report keeps its own look. Colours are variables, so that one block changes them all where the
# reader's system is dark, or the notebook's theme, which goes before the system's. The header of
# a table sticks to its scrolling box, not to the page, which is why the box has a height.
# `all: unset` takes a button's outline in focus away too, and `:focus-visible` gives it back.
# Notebooks set tables in small type to the right and images with margins, hence what is repeated.
# On paper nothing scrolls, sorts or unfolds, and ink is dark on white whatever the theme.
STYLE = (
    f".ssc-page, .ssc-report {{ {_LIGHT} }}\n"
    f"@media (prefers-color-scheme: dark) {{ .ssc-page, .ssc-report {{ {_DARK} }} }}\n"
    'body[data-jp-theme-light="true"] .ssc-report, body.vscode-light .ssc-report '
    f"{{ {_LIGHT} }}\n"
    'body[data-jp-theme-light="false"] .ssc-report, body.vscode-dark .ssc-report '
    f"{{ {_DARK} }}"
    """
.ssc-page { margin: 0; background: var(--page); }
.ssc-report { color: var(--text); background: var(--page); font: 16px/1.5 system-ui, sans-serif;
  max-width: 60rem; margin: 0 auto; padding: 1rem; box-sizing: border-box; }
.ssc-report h1 { font-size: 1.5rem; }
.ssc-report h2 { font-size: 1.2rem; margin: 2rem 0 0.5rem; }
.ssc-report h3 { font-size: 1.05rem; margin: 1.5rem 0 0.5rem; }
.ssc-report h1, .ssc-report h2, .ssc-report h3, .ssc-report p, .ssc-report figcaption {
  overflow-wrap: anywhere; }
.ssc-report .scroll { overflow-x: auto; max-height: 32rem; }
.ssc-report table { border-collapse: collapse; font-variant-numeric: tabular-nums;
  font-size: 0.9rem; margin: 0; color: inherit; }
.ssc-report .caption, .ssc-report figcaption { color: var(--muted); font-size: 0.95rem; }
.ssc-report th, .ssc-report td { padding: 0.25rem 0.6rem; text-align: left; white-space: nowrap;
  border: 0; border-bottom: 1px solid var(--line); max-width: none; }
.ssc-report td.r, .ssc-report th.r { text-align: right; }
.ssc-report td.label { max-width: 20rem; overflow: hidden; text-overflow: ellipsis; }
.ssc-report :is(td, th).params { display: none; }
.ssc-report label:has(input.unfold:checked) + .scroll .params { display: table-cell; }
.ssc-report td.params { white-space: normal; min-width: 16rem; max-width: 30rem;
  overflow-wrap: anywhere; font: 0.85rem/1.4 ui-monospace, monospace; }
.ssc-report label { color: var(--muted); font-size: 0.95rem; cursor: pointer; }
.ssc-report td.bold { font-weight: 700; }
.ssc-report thead th { position: sticky; top: 0; background: var(--page); z-index: 1; }
.ssc-report th button { all: unset; cursor: pointer; font-weight: 600; }
.ssc-report th button:focus-visible, .ssc-report select:focus-visible {
  outline: 2px solid var(--better); }
.ssc-report th button::after { content: "\\00a0\\2195"; color: var(--muted); }
.ssc-report th[aria-sort=ascending] button::after { content: "\\00a0\\2191"; }
.ssc-report th[aria-sort=descending] button::after { content: "\\00a0\\2193"; }
.ssc-report tbody tr { background: var(--page); }
.ssc-report tbody tr:hover { background: var(--soft); }
.ssc-report figure { margin: 1rem 0; max-width: 40rem; }
.ssc-report pre { overflow-x: auto; font-size: 0.8rem; padding: 0.5rem; color: inherit;
  background: var(--soft); }
.ssc-report svg { width: 100%; height: auto; font: 13px system-ui, sans-serif; fill: var(--text); }
.ssc-report select { font: inherit; max-width: 100%; }
.ssc-report svg line { stroke: var(--muted); }
.ssc-report .rope { fill: var(--rope); opacity: 0.2; }
.ssc-report .cell { fill: var(--better); stroke: var(--line); }
.ssc-report .zero { stroke-dasharray: 3 3; }
.ssc-report svg .better line { stroke: var(--better); stroke-width: 2; }
.ssc-report .better circle { fill: var(--better); }
.ssc-report svg .worse line { stroke: var(--worse); stroke-width: 2; }
.ssc-report .worse circle { fill: var(--worse); }
.ssc-report svg .equivalent line { stroke: var(--equal); stroke-width: 2; }
.ssc-report .equivalent circle { fill: var(--equal); }
.ssc-report svg .undecided line { stroke-width: 2; }
.ssc-report .undecided circle { fill: var(--muted); }
.ssc-report path.curve { fill: none; }
.ssc-report svg .curve { stroke: var(--text); stroke-width: 1.5; }
.ssc-report .key { margin: 0 0 0.25rem; font-size: 0.95rem; }
.ssc-report .key span { margin-right: 1rem; white-space: nowrap; }
.ssc-report .key span::before { content: "\\25cf\\00a0"; }
.ssc-report .key .undecided::before { color: var(--muted); }
.ssc-report .key .band::before { content: "\\25a0\\00a0"; color: var(--rope); opacity: 0.5; }
.ssc-report .key .better { color: var(--better); } .ssc-report .key .worse { color: var(--worse); }
.ssc-report .key .equivalent { color: var(--equal); }
.ssc-report .area { opacity: 0.5; } .ssc-report .area.better { fill: var(--better); }
.ssc-report .area.worse { fill: var(--worse); } .ssc-report .area.inside { fill: var(--rope); }
@media print {
.ssc-page, .ssc-report, body[data-jp-theme-light="false"] .ssc-report,
"""
    f"body.vscode-dark .ssc-report {{ {_LIGHT} }}"
    """
.ssc-report { max-width: none; padding: 0; font-size: 10pt; }
.ssc-report .scroll { overflow: visible; max-height: none; }
.ssc-report table { font-size: 7.5pt; }
.ssc-report th, .ssc-report td { padding: 1pt 4pt; }
.ssc-report td.label { max-width: none; white-space: normal; overflow-wrap: anywhere; }
.ssc-report td.params { min-width: 8rem; font-size: 7pt; }
.ssc-report thead th { position: static; white-space: normal; }
.ssc-report th button::after { content: none !important; }
.ssc-report pre { white-space: pre-wrap; }
.ssc-report h1, .ssc-report h2, .ssc-report h3, .ssc-report .caption { break-after: avoid; }
.ssc-report tr, .ssc-report figure, .ssc-report .pairs, .ssc-report .scroll, .ssc-report .caption {
  break-inside: avoid; }
.ssc-report .caption, .ssc-report figcaption, .ssc-report .key { font-size: 9pt; }
.ssc-report figure { max-width: 15cm; }
.ssc-report label, .ssc-report .pairs > p { display: none; }
}
"""
)

# Without it the page shows everything but the pairs after the first. A cell's `data-v` holds the
# number that its text rounds, and rows without a number stay last in both directions: NaN compares
# false with everything, and a comparison function that is not consistent leaves the order of
# Array.sort to the browser. A tie in numbers keeps the order, as sort is stable from ECMAScript
# 2019 on. A notebook may hold several reports, each with this script: each report is made ready
# once. In a block, for names of two scripts would collide.
SCRIPT = """
{
"use strict";
const ready = report => {
  for (const button of report.querySelectorAll("th button")) {
    button.addEventListener("click", () => {
      const head = button.parentElement, table = head.closest("table");
      const column = head.cellIndex, up = head.getAttribute("aria-sort") !== "ascending";
      const key = row => row.cells[column].dataset.v ?? row.cells[column].textContent;
      const numeric = row => row.cells[column].dataset.v !== undefined;
      const compare = (a, b) => {
        if (!numeric(a) || !numeric(b)) return key(a).localeCompare(key(b));
        const x = Number(key(a)), y = Number(key(b));
        if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y);
        return x === y ? 0 : x - y;
      };
      const last = row => numeric(row) && Number.isNaN(Number(key(row)));
      const rows = [...table.tBodies[0].rows];
      rows.sort((a, b) => (last(a) || last(b)) ? last(a) - last(b) : (up ? 1 : -1) * compare(a, b));
      for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      table.tBodies[0].append(...rows);
    });
  }
  for (const pairs of report.querySelectorAll(".pairs")) {
    const menu = pairs.querySelector("select");
    menu.addEventListener("change", () => {
      for (const figure of pairs.querySelectorAll("figure[data-pair]"))
        figure.hidden = figure.dataset.pair !== menu.value;
    });
  }
};
for (const report of document.querySelectorAll(".ssc-report:not([data-ready])")) {
  report.dataset.ready = "";
  ready(report);
}
}
"""

WIDTH = 480

_LABELS, _MARGIN = 170, 14

_ROW, _AXIS = 22, 34


def forest_svg(table: pd.DataFrame, rope: tuple[float, float], axis: str) -> str:
    """The leader against others: a row per line of a leader table, its interval and verdict."""
    # The axis includes every interval, zero, and the ROPE if it is two-sided.
    bounds = table[["ci_low", "ci_high"]].to_numpy()
    scale = _Scale(_spread([*bounds.ravel(), *rope, 0.0]), _LABELS, WIDTH - _MARGIN)
    height = _ROW * len(table) + _AXIS
    bottom = height - _AXIS
    parts = [_band(scale, rope, bottom), _vertical(scale(0.0), bottom)]
    for k, row in enumerate(table.itertuples()):
        # In SVG y grows downwards, so the first row is on top.
        y = _ROW * (k + 0.5)
        low, middle, high = scale(row.ci_low), scale(row.mean_diff), scale(row.ci_high)
        parts.append(
            f'<g class="{row.verdict}"><title>{escape(str(row.model_2))}: {row.verdict}</title>'
            f"{svg_text(_LABELS - 8, y + 4, 'end', str(row.model_2), _LABELS - 14)}"
            f'<line x1="{low:.1f}" x2="{high:.1f}" y1="{y:.1f}" y2="{y:.1f}"/>'
            f'<circle cx="{middle:.1f}" cy="{y:.1f}" r="4"/></g>'
        )
    parts.append(_axis(scale, bottom, axis))
    return svg(parts, height, axis)


def posterior_svg(posterior: Posterior, axis: str) -> str:
    """The density of a difference, its areas below, inside and above the ROPE."""
    rope: Any = posterior.rope
    # The tails beyond have no visible height.
    low, high = posterior.interval(0.998)
    scale = _Scale(_spread([low, high, *rope, 0.0]), _MARGIN, WIDTH - _MARGIN)
    height, top = 230, 14
    bottom = height - _AXIS
    parts = [_band(scale, rope, bottom)]
    # The density of a subnormal scale overflows: it is drawn as a point.
    width = posterior.scale or posterior.std()  # models may agree on every split
    if np.finfo(float).tiny < width < np.inf:
        x = np.linspace(scale.low, scale.high, 61)
        # Extra points for the peak, however narrow.
        peak = posterior.loc + width * np.sinh(np.linspace(-6, 6, 81))
        x = np.concatenate([x, peak[(peak > scale.low) & (peak < scale.high)]])
        # The ends of the areas are points of the curve, so that they meet.
        x = np.unique(np.concatenate([x, [v for v in rope if scale.low < v < scale.high]]))
        density = posterior.pdf(x)
        y = bottom - (bottom - top) * density / density.max()
        areas = (("worse", x <= rope[0]), ("inside", (x >= rope[0]) & (x <= rope[1])),
                 ("better", x >= rope[1]))  # fmt: skip
        for name, where in areas:
            if where.any():
                parts.append(_area(scale(x[where]), y[where], bottom, name))
        parts.append(f'<path class="curve" d="M{_points(scale(x), y)}"/>')
    elif width < np.inf:  # no curve for an infinite scale
        at = scale(posterior.loc)
        parts.append(f'<line class="curve" x1="{at:.1f}" x2="{at:.1f}" y1="{top}" y2="{bottom}"/>')
    parts += [_vertical(scale(0.0), bottom), _axis(scale, bottom, axis)]
    return svg(parts, height, axis)


class _Scale:
    """Linear map from score units to pixels."""

    def __init__(self, ends: tuple[float, float], left: float, right: float) -> None:
        self.low, self.high = ends
        self.left, self.right = left, right

    def __call__(self, value: Any) -> Any:
        # An interval or a ROPE may be infinite, but SVG has no infinite numbers.
        share = (np.clip(value, self.low, self.high) - self.low) / (self.high - self.low)
        return self.left + share * (self.right - self.left)


def _spread(values: Sequence[float]) -> tuple[float, float]:
    """Lowest and highest of the finite values, with a margin."""
    # Wide enough for any score, and such that the width stays finite.
    finite = [float(np.clip(value, -1e300, 1e300)) for value in values if np.isfinite(value)]
    width = max(finite) - min(finite)
    room = 0.06 * width if width > 1e-300 else 1e-3  # no ticks lie within less
    return min(finite) - room, max(finite) + room


def _ticks(low: float, high: float) -> tuple[NDArray[np.float64], int]:
    """Three to six round numbers between the ends, and the decimals they need."""
    # At most six steps; the next round number is at most 2.5 times as large.
    raw = (high - low) / 6
    power = 10.0 ** np.floor(np.log10(raw))
    step = power * next(m for m in (1, 2, 5, 10) if m * power >= raw)
    ticks = np.arange(np.ceil(low / step), np.floor(high / step) + 1) * step
    # A step of 0.001 is a product of floats, and its logarithm may be just below −3.
    return ticks, max(0, -int(np.floor(np.log10(step) + 1e-9)))


def _axis(scale: _Scale, y: float, words: str) -> str:
    ticks, decimals = _ticks(scale.low, scale.high)
    marks = "".join(
        f'<line x1="{scale(t):.1f}" x2="{scale(t):.1f}" y1="{y}" y2="{y + 4}"/>'
        # t + 0.0 turns −0 into 0, because −0 would be written with its sign.
        f"{svg_text(scale(t), y + 16, 'middle', number(t + 0.0, decimals), 60)}"
        for t in ticks
    )
    middle = (scale.left + scale.right) / 2
    return (
        f'<g class="axis"><line x1="{scale.left}" x2="{scale.right}" y1="{y}" y2="{y}"/>{marks}'
        f"{svg_text(middle, y + 30, 'middle', words, 2 * min(middle, WIDTH - middle) - 8)}</g>"
    )


def svg_text(x: float, y: float, anchor: str, words: str, room: float) -> str:
    """Text within `room` pixels: shortened, and squeezed if letters may be wide."""
    words = shortened(words, int(room / 6.0))
    # An average letter is 7 pixels wide at this size, a wide one 9. Only the browser knows the
    # width of text: letters and system fonts differ.
    squeeze = f' textLength="{room:.0f}" lengthAdjust="spacingAndGlyphs"'
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
        f"{squeeze if 7.0 * len(words) > room else ''}>{escape(words)}</text>"
    )


def _band(scale: _Scale, rope: tuple[float, float], bottom: float) -> str:
    left, right = scale(rope[0]), scale(rope[1])
    # A ROPE of zero width stays visible as a line.
    width = max(right - left, 0.5)
    return f'<rect class="rope" x="{left:.1f}" y="0" width="{width:.1f}" height="{bottom}"/>'


def _vertical(x: float, bottom: float) -> str:
    return f'<line class="zero" x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="{bottom}"/>'


def _area(x: NDArray[np.float64], y: NDArray[np.float64], bottom: float, name: str) -> str:
    return (
        f'<path class="area {name}" d="M{x[0]:.1f},{bottom} L{_points(x, y)} '
        f'L{x[-1]:.1f},{bottom} Z"/>'
    )


def _points(x: NDArray[np.float64], y: NDArray[np.float64]) -> str:
    return " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True))


def svg(parts: list[str], height: float, words: str) -> str:
    return (
        # With a viewBox and no size, the style sheet scales it; the label is for screen readers.
        f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(words)}">'
        f"{''.join(parts)}</svg>"
    )


# Marks for the leader's verdict, from the candidate's point of view.
_MARKS = {"leader": "★", "better": "−", "worse": "+", "equivalent": "=", "missing": "×"}

MARK_WORDS = {
    "leader": "★ leader",
    "better": "− worse",
    "worse": "+ better",
    "equivalent": "= practically equivalent",
    "undecided": "no mark undecided",
    "missing": "× failed",
}

_MAP_LABELS, _MAP_ROW, _MAP_BELOW = 90, 30, 44

# Maximum opacity at which text stays readable in the light and the dark theme.
_PALEST, _STRONGEST = 0.06, 0.6


def heat_map_svg(grid: ParameterGrid, decimals: int, words: str) -> str:
    """A cell for each pair of values, with its mark, and its mean if there is room."""
    means, verdicts = grid.means.to_numpy(), grid.verdicts.to_numpy()
    width = (WIDTH - _MAP_LABELS - 4) / means.shape[1]
    low, spread = np.nanmin(means), np.nanmax(means) - np.nanmin(means)
    bottom = 22 + _MAP_ROW * means.shape[0]
    y_name, x_name = str(grid.means.index.name), str(grid.means.columns.name)
    parts = [svg_text(4, 14, "start", y_name, _MAP_LABELS + 60)]
    for row, name in enumerate(grid.means.index):
        middle = 22 + _MAP_ROW * (row + 0.5) + 4
        parts.append(svg_text(_MAP_LABELS - 8, middle, "end", str(name), _MAP_LABELS - 12))
        for column, verdict in enumerate(verdicts[row]):
            if not verdict:
                continue
            mean, x = means[row, column], _MAP_LABELS + width * column
            share = (mean - low) / spread if spread > 0 else 1.0
            shade = 0.0 if np.isnan(mean) else _PALEST + (_STRONGEST - _PALEST) * share
            mark = _MARKS.get(str(verdict), "")
            text = mark if np.isnan(mean) else f"{number(mean, decimals)} {mark}".strip()
            # About 8 pixels for a digit; else only the mark, with the mean as a tooltip.
            shown = text if 8 * len(text) <= width else mark
            label = escape(str(grid.labels.iat[row, column]))
            parts.append(
                f"<g><title>{label}: {text}</title>"
                f'<rect class="cell" x="{x:.1f}" y="{22 + _MAP_ROW * row}" width="{width - 2:.1f}" '
                f'height="{_MAP_ROW - 2}" fill-opacity="{shade:.2f}"/>'
                f"{svg_text(x + width / 2 - 1, middle, 'middle', shown, width)}</g>"
            )
    for column, name in enumerate(grid.means.columns):
        # With many narrow columns, only every second or third is named.
        if column % max(1, int(np.ceil(34 / width))) == 0:
            x = _MAP_LABELS + width * (column + 0.5) - 1
            parts.append(svg_text(x, bottom + 15, "middle", str(name), max(width, 34) - 2))
    parts.append(
        svg_text((_MAP_LABELS + WIDTH) / 2, bottom + 34, "middle", x_name, WIDTH - _MAP_LABELS)
    )
    return svg(parts, bottom + _MAP_BELOW, words)
