"""Reports as one self-contained HTML page: no network, no script from elsewhere."""

from html import escape
from itertools import combinations

import numpy as np

from sklearn_stats_compare._messages import count, shortened
from sklearn_stats_compare.comparison import verdict_words
from sklearn_stats_compare.reports._facts import Facts
from sklearn_stats_compare.reports._prose import interval_words, paragraphs, rope_words
from sklearn_stats_compare.reports._report_tables import ReportTable, report_tables
from sklearn_stats_compare.reports._svg import forest_svg, posterior_svg

_FOREST_ROWS = 25
_MENU_CANDIDATES = 12

# Colours are variables, so that one block changes them all where the reader's system is dark. The
# header of a table sticks to its scrolling box, not to the page, which is why the box has a height.
# `all: unset` takes a button's outline in focus away too, and `:focus-visible` gives it back.
_STYLE = """
:root { color-scheme: light dark; --text: #1a1a1a; --page: #ffffff; --line: #d4d4d4;
  --soft: #f3f3f3; --muted: #6a6a6a; --better: #0072b2; --worse: #c04a00; --equal: #00805c;
  --rope: #e69f00; }
@media (prefers-color-scheme: dark) { :root { --text: #e8e8e8; --page: #161616; --line: #444444;
  --soft: #242424; --muted: #a5a5a5; --better: #56b4e9; --worse: #ff9147; --equal: #2fc295;
  --rope: #e69f00; } }
body { margin: 0; color: var(--text); background: var(--page); line-height: 1.5;
  font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2rem; }
h1, h2, p, figcaption { overflow-wrap: anywhere; }
.key span::before { content: "\\25cf\\00a0"; }
.scroll { overflow-x: auto; max-height: 32rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 0.9rem; }
.caption, figcaption { color: var(--muted); font-size: 0.95rem; }
th, td { padding: 0.25rem 0.6rem; border-bottom: 1px solid var(--line); text-align: left;
  white-space: nowrap; }
td.r, th.r { text-align: right; }
td.label { max-width: 20rem; overflow: hidden; text-overflow: ellipsis; }
thead th { position: sticky; top: 0; background: var(--page); }
th button { all: unset; cursor: pointer; font-weight: 600; }
th button:focus-visible, select:focus-visible { outline: 2px solid var(--better); }
th button::after { content: "\\00a0\\2195"; color: var(--muted); }
th[aria-sort=ascending] button::after { content: "\\00a0\\2191"; }
th[aria-sort=descending] button::after { content: "\\00a0\\2193"; }
tbody tr:hover { background: var(--soft); }
figure { margin: 1rem 0; max-width: 40rem; }
svg { width: 100%; height: auto; font: 13px system-ui, sans-serif; fill: var(--text); }
select { font: inherit; max-width: 100%; }
svg line { stroke: var(--muted); }
.rope { fill: var(--rope); opacity: 0.2; } .zero { stroke-dasharray: 3 3; }
.better line { stroke: var(--better); stroke-width: 2; } .better circle { fill: var(--better); }
.worse line { stroke: var(--worse); stroke-width: 2; } .worse circle { fill: var(--worse); }
.equivalent line { stroke: var(--equal); stroke-width: 2; }
.equivalent circle { fill: var(--equal); }
.undecided line { stroke-width: 2; } .undecided circle { fill: var(--muted); }
path.curve { fill: none; } .curve { stroke: var(--text); stroke-width: 1.5; }
.key .better { color: var(--better); } .key .worse { color: var(--worse); }
.key .equivalent { color: var(--equal); }
.area { opacity: 0.5; } .area.better { fill: var(--better); } .area.worse { fill: var(--worse); }
.area.inside { fill: var(--rope); }
"""

# Without it the page shows everything but the pairs after the first. A cell's `data-v` holds the
# number that its text rounds, and rows without a number stay last in both directions: NaN compares
# false with everything, and a comparison function that is not consistent leaves the order of
# Array.sort to the browser. A tie in numbers keeps the order, as sort is stable from ECMAScript
# 2019 on.
_SCRIPT = """
"use strict";
for (const button of document.querySelectorAll("th button")) {
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
const menu = document.getElementById("pair");
if (menu) menu.addEventListener("change", () => {
  for (const figure of document.querySelectorAll("figure[data-pair]"))
    figure.hidden = figure.dataset.pair !== menu.value;
});
"""


def html_report(facts: Facts) -> str:
    """The report as a page with sorting tables, the leader view, and one pair from a menu."""
    comparison = facts.comparison
    title = f"{count(comparison.scores.n_candidates, 'candidate')} by {comparison.metric}"
    ranking, *leader = report_tables(facts)
    body = [
        f"<h1>{escape(title)}</h1>",
        *(f"<p>{escape(paragraph)}</p>" for paragraph in paragraphs(facts)),
        "<h2>Ranking</h2>",
        _table(ranking),
    ]
    if leader:
        # Escaped like all that users or their candidates name: a label may be HTML.
        heading = f"The leader, {comparison.leader}, against the others"
        body += [f"<h2>{escape(heading)}</h2>", _forest(facts), _table(leader[0])]
        body.append(_pairs(facts))
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        # The browser loads nothing from elsewhere, whatever a label holds. Style and script stand
        # in the page, which a policy allows as 'unsafe-inline' only.
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n"
        f"<body>\n<main>\n{chr(10).join(body)}\n</main>\n<script>{_SCRIPT}</script>\n"
        "</body>\n</html>\n"
    )


def _table(table: ReportTable) -> str:
    sides = ["r" if align == "r" else "" for align in table.aligns]
    head = "".join(
        f'<th scope="col" class="{side}"><button type="button">{escape(name)}</button></th>'
        for name, side in zip(table.header, sides, strict=True)
    )
    rows = []
    for cells, values in zip(table.cells, table.values, strict=True):
        columns = []
        for name, cell, value, side in zip(table.header, cells, values, sides, strict=True):
            # Text has no `data-v`, by which the script sorts it as text.
            if isinstance(value, str):
                classes = "label" if name == "candidate" else side
                # A label may hold a whole estimator's parameters: cut, and longer in the tooltip.
                title = escape(cell[:500])
                words = escape(shortened(cell, 200))
                columns.append(f'<td class="{classes}" title="{title}">{words}</td>')
            else:
                columns.append(
                    f'<td class="{side}" data-v="{_sortable(value)}">{escape(cell)}</td>'
                )
        rows.append(f"<tr>{''.join(columns)}</tr>")
    return (
        f'<p class="caption">{escape(table.caption)}</p>'
        f'<div class="scroll" tabindex="0"><table id="{table.name}"><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>"
    )


def _sortable(value: float) -> str:
    """A number as JavaScript reads it."""
    if np.isinf(value):
        # What JavaScript's Number() reads; of "inf" it makes NaN.
        return "Infinity" if value > 0 else "-Infinity"
    return "NaN" if np.isnan(value) else f"{value:.8g}"


def _forest(facts: Facts) -> str:
    comparison = facts.comparison
    table = facts.leader_table
    # Candidates that failed have no interval to draw.
    known = table[table["ci_low"].notna()]
    if known.empty:
        return ""
    axis = f"difference in {comparison.metric}: leader − candidate"
    words = f"Difference and {interval_words(facts)}; shaded: ROPE, {rope_words(facts)}."
    if len(known) > _FOREST_ROWS:
        words += f" The best {_FOREST_ROWS} of {len(known):,} are drawn."
    svg = forest_svg(known.head(_FOREST_ROWS), comparison.rope_bounds, axis)
    # Each verdict once, in the order of the rows; of a categorical column pandas gives its own.
    shown = dict.fromkeys(map(str, known["verdict"].head(_FOREST_ROWS)))
    key = " ".join(f'<span class="{v}">{verdict_words(v)}</span>' for v in shown)
    return (
        f'<figure>{svg}<figcaption><span class="key">{key}</span> {escape(words)}</figcaption>'
        "</figure>"
    )


def _pairs(facts: Facts) -> str:
    comparison = facts.comparison
    known = facts.ranking[facts.ranking["std_err"].notna()]
    # By labels, which are unique and which the menu shows.
    best = known["label"].head(_MENU_CANDIDATES).tolist()
    if len(best) < 2:
        return ""
    options, figures = [], []
    # All of them are in the page, at most 66 of twelve candidates, since it may fetch nothing.
    for k, (first, second) in enumerate(combinations(best, 2)):
        posterior = comparison.posterior(first, second)
        worse, rope, better = posterior.probabilities()
        pair = f"{first} − {second}"
        options.append(f'<option value="{k}">{escape(pair)}</option>')
        words = (
            f"P({second} better) = {worse:.3f}, P(equivalent) = {rope:.3f}, "
            f"P({first} better) = {better:.3f}. With probability 0.95 the difference is at most "
            f"{posterior.break_even_rope(0.95):.3g}."
        )
        axis = f"difference in {comparison.metric}"
        figures.append(
            f'<figure data-pair="{k}"{" hidden" if k else ""}>{posterior_svg(posterior, axis)}'
            f"<figcaption>{escape(pair)}: {escape(words)}</figcaption></figure>"
        )
    note = ""
    if len(best) < len(known):
        note = f"<p>The menu holds the pairs of the best {len(best)} candidates.</p>"
    return (
        '<h2>One pair</h2><p><label for="pair">Posterior of the difference '
        f'</label><select id="pair">{"".join(options)}</select></p>{note}{"".join(figures)}'
    )
