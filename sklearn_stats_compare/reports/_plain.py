"""Reports as plain text, and as Markdown in GitHub's dialect."""

import re
import textwrap

from sklearn_stats_compare._messages import shortened
from sklearn_stats_compare.reports._datasets_document import DatasetsDocument
from sklearn_stats_compare.reports._document import Document, Heading
from sklearn_stats_compare.reports._report_tables import ReportTable
from sklearn_stats_compare.reports._spans import filled, laid_out

# Columns of a terminal; wider ones are hard to read as text.
_WIDTH = 88
_LABEL_WIDTH = 40


def text_report(document: Document | DatasetsDocument) -> str:
    """The report for a terminal: wrapped paragraphs, aligned columns, long labels shortened."""
    parts = []
    for block in document.blocks():
        if isinstance(block, Heading):
            name = shortened(" ".join(block.text.split()), _WIDTH)
            parts.append(f"{name}\n{'-' * len(name)}")
        elif isinstance(block, ReportTable):
            parts.append(_filled(block.caption) + "\n\n" + _aligned(block))
        else:
            parts.append(_filled(block))
    if document.cites and document.bibtex:
        parts.append(f"BibTeX\n------\n\n{document.bibtex.strip()}")
    return "\n\n".join(parts) + "\n"


def markdown_report(document: Document | DatasetsDocument) -> str:
    """The report in Markdown; labels are escaped, so that they show unchanged."""
    parts = []
    for block in document.blocks():
        if isinstance(block, Heading):
            parts.append(f"## {_markdown_escaped(block.text).strip()}")
        elif isinstance(block, ReportTable):
            parts += [f"**{_markdown_sentence(block.caption)}**", _markdown_table(block)]
        else:
            parts.append(_markdown_sentence(block))
    if document.cites and document.bibtex:
        parts.append(f"```bibtex\n{document.bibtex}```")
    return "\n\n".join(parts) + "\n"


def _filled(text: str) -> str:
    return filled(text, lambda held: textwrap.fill(held, _WIDTH))


def _markdown_sentence(text: str) -> str:
    # A no-break space, which Markdown keeps.
    return laid_out(
        text, _markdown_escaped, lambda piece: _markdown_escaped(piece).replace(" ", "\u00a0")
    ).strip()


def _markdown_table(table: ReportTable) -> str:
    # In GitHub's dialect, the rule line aligns a column.
    rows = [
        [_markdown_escaped(name).strip() for name in table.header],
        ["---:" if align == "r" else ":---" for align in table.aligns],
    ]
    for k, cells in enumerate(table.cells):
        words = [_markdown_escaped(cell).strip() for cell in cells]
        rows.append([f"**{c}**" if (k, j) in table.bold else c for j, c in enumerate(words)])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _aligned(table: ReportTable) -> str:
    rows = [
        [shortened(" ".join(cell.split()), _LABEL_WIDTH) for cell in row]
        for row in [table.header, *table.cells]
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    # Format specifications of Python's str.format.
    sides = {"l": "<", "r": ">"}
    lines = [
        "  ".join(
            f"{cell:{sides[align]}{width}}"
            for cell, align, width in zip(row, table.aligns, widths, strict=True)
        ).rstrip()
        for row in rows
    ]
    return "\n".join([lines[0], "  ".join("-" * width for width in widths), *lines[1:]])


def _markdown_escaped(text: str) -> str:
    # The last three would turn addresses into links and mention users.
    special = r"([\\`*_{}\[\]<>|#~&$@]|:(?=//)|(?<=www)\.)"
    return re.sub(special, r"\\\1", re.sub(r"\s+", " ", text), flags=re.IGNORECASE)
