"""Style and script of a report's page; both affect nothing outside the report."""

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
