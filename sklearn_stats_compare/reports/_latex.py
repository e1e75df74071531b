"""Reports as LaTeX: paragraphs, and tables in the manner of booktabs."""

import unicodedata

from sklearn_stats_compare.reports._facts import Facts
from sklearn_stats_compare.reports._prose import paragraphs
from sklearn_stats_compare.reports._report_tables import ReportTable, report_tables

# Rows. A `table` cannot break over pages, and LaTeX pushes one too long to the end.
_LONG = 30
# Letters, from which on the column is a paragraph that may break.
_WIDE = 14
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
    # In OT1, LaTeX's encoding where none is asked for, these three are other signs: ¡, ¿ and a
    # dash.
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "[": "{[}",  # after \\ it would open an optional argument
    "]": "{]}",
    "*": "{*}",  # and this would star it
    '"': r"\textquotedbl{}",
    "−": "$-$",
    "–": "--",
    "×": r"$\times$",
    "±": r"$\pm$",
    "∞": r"$\infty$",
    "…": r"\ldots{}",
    # For Šidák: the first 256 characters of Unicode lack them, and others are shown by number.
    "š": r"\v{s}",
    "Š": r"\v{S}",
}

# Small letters with a command of their own.
_GREEK = {
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta",
    "iota", "kappa", "lambda", "mu", "nu", "xi", "pi", "rho",
    "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega",
}  # fmt: skip


def latex_report(facts: Facts) -> str:
    r"""The report in LaTeX, to be pasted where ``\usepackage{booktabs}`` is in force.

    A table of more rows than fit a page is set as a ``longtable``.
    """
    tables = report_tables(facts)
    # `array` for >{…} in columns; booktabs for the rules.
    packages = ["array", "booktabs", "textcomp"]
    if any(len(table.cells) > _LONG for table in tables):
        packages.append("longtable")
    needs = " ".join(f"\\usepackage{{{name}}}" for name in packages)
    parts = [
        # \textquotedbl exists in T1 alone.
        f"% needs \\usepackage[T1]{{fontenc}} {needs}",
        *(_escaped(paragraph) for paragraph in paragraphs(facts)),
        *(_table(table) for table in tables),
    ]
    return "\n\n".join(parts) + "\n"


def _table(table: ReportTable) -> str:
    caption = f"\\caption{{{_escaped(table.caption)}}}\\label{{tab:{table.name}}}"
    # P(worse) → worse: the caption says what they are.
    names = [name.removeprefix("P(").removesuffix(")") for name in table.header]
    header = f"{_row(names)}\n\\midrule"
    rows = "\n".join(_row(row) for row in table.cells)
    # Nine columns fit a page of the usual width only in small type, with long labels broken.
    tight = "\\footnotesize\\setlength{\\tabcolsep}{2.5pt}"
    columns = _columns(table)
    if len(table.cells) > _LONG:
        return (
            f"{{{tight}\n\\begin{{longtable}}{{{columns}}}\n{caption} \\\\\n\\toprule\n{header}\n"
            f"\\endfirsthead\n\\toprule\n{header}\n\\endhead\n{rows}\n\\bottomrule\n"
            "\\end{longtable}}"
        )
    return (
        f"\\begin{{table}}\n\\centering\n{caption}\n{tight}\n\\begin{{tabular}}{{{columns}}}\n"
        f"\\toprule\n{header}\n{rows}\n\\bottomrule\n\\end{{tabular}}\n\\end{{table}}"
    )


def _columns(table: ReportTable) -> str:
    columns = list(table.aligns)
    where = table.header.index("candidate")
    if max(len(row[where]) for row in table.cells) > _WIDE:
        # \raggedright redefines \\, which \arraybackslash makes an end of row again.
        columns[where] = r">{\raggedright\arraybackslash}p{0.20\linewidth}"
    return "".join(columns)


def _row(cells: list[str]) -> str:
    return " & ".join(_cell(cell) for cell in cells) + r" \\"


def _cell(text: str) -> str:
    """A cell; a long label may break behind every sign but a decimal point."""
    if len(text) <= _WIDE:
        return _escaped(text)
    return "".join(
        # TeX hyphenates words only, and long labels have none: C=0.001,kernel=rbf.
        _character(c) if c.isalnum() or c in " .…" else _character(c) + r"\allowbreak{}"
        for c in " ".join(text.split())
    )


def _escaped(text: str) -> str:
    return "".join(_character(character) for character in " ".join(text.split()))


def _character(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    # In T1, as LaTeX reads UTF-8; it refuses control characters.
    if ord(character) <= 0xFF and character.isprintable():
        return character
    kind, _, name = unicodedata.name(character, "").lower().rpartition(" letter ")
    if kind == "greek small" and name in _GREEK:
        return f"$\\{name}$"
    return f"U+{ord(character):04X}"  # shown as what it is, since no font may have it
