"""Reports as LaTeX: paragraphs, and tables with booktabs or siunitx."""

import re
import zlib

from sklearn_stats_compare.reports._datasets_document import DatasetsDocument
from sklearn_stats_compare.reports._document import Document, Heading
from sklearn_stats_compare.reports._latex_text import (
    WIDE,
    breakable,
    escaped,
    mathematical,
    sentence,
)
from sklearn_stats_compare.reports._report_tables import ReportTable

# Rows that fit on a page, and rows that fit if labels need a second line. A `table` cannot break
# over pages, and LaTeX moves a table that is too long to the end.
_LONG, _LONG_OF_WIDE = 40, 30
_COLUMNS_NOTE = "% A longtable needs \\onecolumn where the document has two columns."
# Columns with other names in LaTeX: a symbol, and the caption's name of a probability.
_TITLES = {
    "p": "$p$",
    "t": "$t$",
    "unadj. p": "unadj. $p$",
    "P(worse)": "worse",
    "P(equiv.)": "equiv.",
    "P(better)": "better",
}


def latex_report(document: Document | DatasetsDocument) -> str:
    """The report in LaTeX, for a document that loads the packages in its first line.

    A table with more rows than fit on a page is a ``longtable``.
    """
    blocks = list(document.blocks())
    tables = [block for block in blocks if isinstance(block, ReportTable)]
    style = document.options.latex_tables
    packages = ["textcomp"]
    if tables:
        packages.append("array")  # for >{…} in columns
        # siunitx does not define rules.
        packages += {"booktabs": ["booktabs"], "siunitx": ["booktabs", "siunitx"]}.get(style, [])
    if any(_is_long(table) for table in tables):
        packages.append("longtable")
    needs = " ".join(f"\\usepackage{{{name}}}" for name in sorted(packages))
    # \textquotedbl exists in T1 only.
    parts = [f"% needs \\usepackage[T1]{{fontenc}} {needs}"]
    for block, following in zip(blocks, [*blocks, None][1:], strict=True):
        if isinstance(block, Heading):
            # Tables float away from a heading, and their captions name the metric.
            if isinstance(following, str):
                parts.append(f"\\paragraph{{{escaped(block.text).strip()}}}")
        elif isinstance(block, ReportTable):
            parts.append(_table(block, document))
        else:
            parts.append(sentence(block, cites=document.cites))
    if document.cites and document.bibtex:
        # LaTeX cannot read entries in the text, and the author writes the .bib file.
        entries = [f"% {line}".rstrip() for line in document.bibtex.splitlines()]
        parts.append("\n".join(["% The works cited, to be copied into a .bib file:", *entries]))
    return "\n\n".join(parts) + "\n"


def _table(table: ReportTable, document: Document | DatasetsDocument) -> str:
    caption = sentence(table.caption, cites=document.cites)
    opening = f"\\caption{{{caption}}}\\label{{{_label(table, document)}}}"
    plain = document.options.latex_tables == "plain"
    top, middle, bottom = ("\\hline",) * 3 if plain else ("\\toprule", "\\midrule", "\\bottomrule")
    measured = document.options.latex_tables == "siunitx"
    # Metrics name the columns of their table, and may have any name.
    ours = {} if table.name == "metrics" else _TITLES
    titles = [ours.get(name, escaped(name)) for name in table.header]
    if measured:
        # siunitx does not parse numbers in braces.
        titles = [f"{{{title}}}" for title in titles]
    header = f"{_row(titles)}\n{middle}"
    rows = "\n".join(
        _row([_cell(table, row, column, measured) for column in range(len(cells))])
        for row, cells in enumerate(table.cells)
    )
    # Nine columns fit on a page of the usual width only in small type, with long labels broken.
    tight = "\\footnotesize\\setlength{\\tabcolsep}{2.5pt}"
    columns = _columns(table, measured)
    if _is_long(table):
        return (
            f"{_COLUMNS_NOTE}\n{{{tight}\n\\begin{{longtable}}{{{columns}}}\n{opening} \\\\\n"
            f"{top}\n{header}\n\\endfirsthead\n{top}\n{header}\n\\endhead\n{rows}\n{bottom}\n"
            "\\end{longtable}}"
        )
    floating = {"column": "table", "page": "table*"}[document.options.latex_width]
    return (
        f"\\begin{{{floating}}}\n\\centering\n{opening}\n{tight}\n\\begin{{tabular}}{{{columns}}}\n"
        f"{top}\n{header}\n{rows}\n{bottom}\n\\end{{tabular}}\n\\end{{{floating}}}"
    )


def _is_long(table: ReportTable) -> bool:
    two_lines = any(_wide(table, k) for k in table.labels)
    return len(table.cells) > (_LONG_OF_WIDE if two_lines else _LONG)


def _wide(table: ReportTable, column: int) -> bool:
    return max(len(row[column]) for row in table.cells) > WIDE


def _label(table: ReportTable, document: Document | DatasetsDocument) -> str:
    """The requested label, or one that no other table has."""
    of_metric = _slug(table.metric) if document.several and table.name != "metrics" else ""
    ending = "-".join(filter(None, [of_metric, table.name]))
    if document.options.label is not None:
        return f"{document.options.label}-{ending}"
    # Two reports in one document differ in numbers or candidates.
    content = "\n".join([table.caption, *("\t".join(row) for row in table.cells)])
    content_hash = f"{zlib.crc32(content.encode('utf-8', 'surrogatepass')):08x}"
    return f"tab:{_slug(table.metric)}-{table.name}-{content_hash[:6]}"


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:40] or "score"


def _columns(table: ReportTable, measured: bool) -> str:
    columns = list(table.aligns)
    for k, align in enumerate(table.aligns):
        if measured and align == "r":
            columns[k] = _number_column([row[k] for row in table.cells])
    for k in table.labels:
        if _wide(table, k):
            # \raggedright redefines \\; \arraybackslash restores it as the end of a row.
            columns[k] = r">{\raggedright\arraybackslash}p{0.20\linewidth}"
    return "".join(columns)


def _number_column(cells: list[str]) -> str:
    """A siunitx column with room for the most digits before and after the decimal point."""
    found = [match for cell in cells if (match := re.fullmatch(r"(−?)(\d+)(?:\.(\d+))?", cell))]
    if not found:
        return "r"
    whole = max(len(match[2]) for match in found)
    decimals = max(len(match[3] or "") for match in found)
    sign = "-" if any(match[1] for match in found) else ""
    return f"S[table-format={sign}{whole}.{decimals}]"


def _row(cells: list[str]) -> str:
    return " & ".join(cells) + r" \\"


def _cell(table: ReportTable, row: int, column: int, measured: bool) -> str:
    text, bold = table.cells[row][column], (row, column) in table.bold
    if table.aligns[column] != "r":
        return breakable(text)
    number = mathematical(text)
    if measured and not bold and number is not None and re.fullmatch(r"-?[\d.]+", number):
        return number
    if number is None:
        shown = escaped(text).strip()
    elif "pm" in number:
        # \textbf does not apply to mathematics.
        shown = f"$\\mathbf{{{number}}}$" if bold else f"${number}$"
        bold = False
    else:
        # Digits look the same as text, to which bold type applies.
        shown = number if number.replace(".", "").isdigit() else f"${number}$"
    shown = f"\\textbf{{{shown}}}" if bold else shown
    return f"{{{shown}}}" if measured else shown
