"""Reports as LaTeX: paragraphs, and tables in the manner of booktabs."""

from sklearn_stats_compare.reports._facts import Facts
from sklearn_stats_compare.reports._prose import paragraphs
from sklearn_stats_compare.reports._tables import ReportTable, report_tables

_LONG = 45
_ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "−": "$-$",
    "–": "--",
    "×": r"$\times$",
    "±": r"$\pm$",
    "∞": r"$\infty$",
    "…": r"\ldots{}",
    "š": r"\v{s}",
    "Š": r"\v{S}",
}


def latex_report(facts: Facts) -> str:
    r"""The report in LaTeX, to be pasted where ``\usepackage{booktabs}`` is in force.

    A table of more rows than fit a page is set as a ``longtable``.
    """
    tables = report_tables(facts)
    packages = ["booktabs", "textcomp"]
    if any(len(table.cells) > _LONG for table in tables):
        packages.append("longtable")
    needs = " ".join(f"\\usepackage{{{name}}}" for name in packages)
    parts = [
        f"% needs \\usepackage[T1]{{fontenc}} {needs}",
        *(_escaped(paragraph) for paragraph in paragraphs(facts)),
        *(_table(table) for table in tables),
    ]
    return "\n\n".join(parts) + "\n"


def _table(table: ReportTable) -> str:
    caption = f"\\caption{{{_escaped(table.caption)}}}\\label{{tab:{table.name}}}"
    header = f"{_row(table.header)}\n\\midrule"
    rows = "\n".join(_row(row) for row in table.cells)
    if len(table.cells) > _LONG:
        return (
            f"\\begin{{longtable}}{{{table.aligns}}}\n{caption} \\\\\n\\toprule\n{header}\n"
            f"\\endfirsthead\n\\toprule\n{header}\n\\endhead\n{rows}\n\\bottomrule\n"
            "\\end{longtable}"
        )
    return (
        f"\\begin{{table}}\n\\centering\n{caption}\n\\begin{{tabular}}{{{table.aligns}}}\n"
        f"\\toprule\n{header}\n{rows}\n\\bottomrule\n\\end{{tabular}}\n\\end{{table}}"
    )


def _row(cells: list[str]) -> str:
    return " & ".join(_escaped(cell) for cell in cells) + r" \\"


def _escaped(text: str) -> str:
    return "".join(_ESCAPES.get(character, character) for character in text)
