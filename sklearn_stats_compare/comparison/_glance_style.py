"""The style sheet of a comparison in a notebook: every rule applies to the fragment only."""

_LIGHT = """color-scheme: light; --text: #1a1a1a; --page: #ffffff; --line: #d4d4d4; --soft: #f3f3f3;
--muted: #5f5f5f; --better: #0072b2; --worse: #c04a00; --equal: #00805c; --rope: #e69f00;"""
_DARK = """color-scheme: dark; --text: #e8e8e8; --page: #161616; --line: #444444; --soft: #242424;
--muted: #ababab; --better: #56b4e9; --worse: #ff9147; --equal: #2fc295; --rope: #e69f00;"""

# The theme follows the reader's system, unless the page declares its own: JupyterLab, VS Code and
# sites made by Sphinx. The fragment has its own background, because a page that does not follow the
# system would be white under light text. JupyterLab's rules for tables have one class and two
# elements. With the class twice, ours take precedence in any order.
STYLE = f"""
.ssc-glance {{ {_LIGHT} }}
@media (prefers-color-scheme: dark) {{ .ssc-glance {{ {_DARK} }} }}
[data-jp-theme-light="true"] .ssc-glance, [data-theme="light"] .ssc-glance,
.vscode-light .ssc-glance {{ {_LIGHT} }}
[data-jp-theme-light="false"] .ssc-glance, [data-theme="dark"] .ssc-glance,
.vscode-dark .ssc-glance {{ {_DARK} }}
.ssc-glance {{ container-type: inline-size; box-sizing: border-box; max-width: 72rem;
  padding: 0.75rem 1rem; color: var(--text);
  background: var(--page); border: 1px solid var(--line); border-radius: 4px; text-align: left;
  font: 14px/1.45 system-ui, sans-serif; overflow-wrap: anywhere; }}
.ssc-glance.ssc-glance .ssc-lead {{ margin: 0 0 0.4rem; font-size: 1.15em;
  color: var(--text); }}
.ssc-glance.ssc-glance ul {{ list-style: none; margin: 0 0 0.5rem; padding: 0;
  color: var(--muted); }}
.ssc-glance.ssc-glance li {{ margin: 0; }}
.ssc-glance.ssc-glance p {{ margin: 0.4rem 0; color: var(--muted); }}
.ssc-glance.ssc-glance .ssc-note {{ color: var(--text); border-left: 3px solid var(--rope);
  padding-left: 0.6rem; }}
.ssc-glance .ssc-scroll {{ overflow: auto; max-height: 26rem; }}
.ssc-glance.ssc-glance table {{ border-collapse: collapse; border: 0; margin: 0; width: auto;
  font: inherit; font-size: 0.93em; font-variant-numeric: tabular-nums; color: inherit; }}
.ssc-glance.ssc-glance tr:nth-child(n) {{ background: var(--page); }}
.ssc-glance.ssc-glance tbody tr:hover {{ background: var(--soft); }}
.ssc-glance.ssc-glance :is(td, th) {{ padding: 0.15rem 0.6rem; border: 0;
  border-bottom: 1px solid var(--line); text-align: left; vertical-align: middle;
  white-space: nowrap; max-width: none; color: inherit; background: inherit; }}
.ssc-glance.ssc-glance thead th {{ position: sticky; top: 0; font-weight: 600; z-index: 1;
  vertical-align: bottom; }}
.ssc-glance.ssc-glance :is(td, th).ssc-r {{ text-align: right; }}
.ssc-glance.ssc-glance td.ssc-name {{ white-space: normal; min-width: 6rem; max-width: 20rem;
  overflow-wrap: break-word; }}
.ssc-glance.ssc-glance :is(td, th).ssc-params {{ display: none; }}
.ssc-glance.ssc-glance td.ssc-params {{ white-space: normal; min-width: 16rem; max-width: 30rem;
  font: 0.9em/1.4 ui-monospace, monospace; }}
.ssc-glance.ssc-glance input:checked ~ .ssc-scroll .ssc-params {{ display: table-cell; }}
.ssc-glance input {{ margin: 0 0.35rem 0 0; vertical-align: middle; }}
.ssc-glance label {{ color: var(--muted); cursor: pointer; }}
.ssc-glance summary {{ cursor: pointer; margin-top: 0.5rem; }}
.ssc-glance .ssc-word::before {{ content: "\\25cf\\00a0"; color: var(--muted); }}
.ssc-glance .ssc-better::before {{ color: var(--better); }}
.ssc-glance .ssc-worse::before {{ color: var(--worse); }}
.ssc-glance .ssc-equivalent::before {{ color: var(--equal); }}
.ssc-glance .ssc-leader::before {{ color: var(--text); }}
.ssc-glance.ssc-glance svg {{ display: block; width: 180px; height: 16px; max-width: none;
  font: 10px system-ui, sans-serif; fill: var(--text);
  stroke: none; }}
@container (max-width: 46rem) {{
  .ssc-glance.ssc-glance :is(td, th) {{ padding: 0.15rem 0.35rem; }}
  .ssc-glance.ssc-glance .ssc-wide {{ display: none; }}
  .ssc-glance.ssc-glance td.ssc-name {{ max-width: 11rem; }}
  .ssc-glance.ssc-glance svg {{ width: 132px; font-size: 13px; }}
}}
.ssc-glance svg rect {{ fill: var(--rope); opacity: 0.3; }}
.ssc-glance svg .ssc-zero {{ stroke: var(--muted); stroke-dasharray: 2 2; }}
.ssc-glance svg g {{ stroke: var(--muted); fill: var(--muted); stroke-width: 2; }}
.ssc-glance svg .ssc-better {{ stroke: var(--better); fill: var(--better); }}
.ssc-glance svg .ssc-worse {{ stroke: var(--worse); fill: var(--worse); }}
.ssc-glance svg .ssc-equivalent {{ stroke: var(--equal); fill: var(--equal); }}
"""
