"""Reports as plain text, and as Markdown in GitHub's dialect."""

import re
import textwrap

from sklearn_stats_compare._messages import shortened
from sklearn_stats_compare.reports._facts import Facts
from sklearn_stats_compare.reports._prose import paragraphs
from sklearn_stats_compare.reports._report_tables import ReportTable, report_tables

# Columns of a terminal; wider ones are hard to read as text.
_WIDTH = 88
_LABEL_WIDTH = 40


def text_report(facts: Facts) -> str:
    """The report for a terminal: wrapped paragraphs, aligned columns, long labels shortened."""
    parts = [textwrap.fill(paragraph, _WIDTH) for paragraph in paragraphs(facts)]
    for table in report_tables(facts):
        parts.append(textwrap.fill(table.caption, _WIDTH) + "\n\n" + _aligned(table))
    return "\n\n".join(parts) + "\n"


def markdown_report(facts: Facts) -> str:
    """The report in Markdown; labels are escaped, so that they show as they are."""
    parts = [_markdown_escaped(paragraph) for paragraph in paragraphs(facts)]
    for table in report_tables(facts):
        parts.append(f"**{_markdown_escaped(table.caption)}**")
        # GitHub's dialect aligns a column by its rule.
        rules = ["---:" if align == "r" else ":---" for align in table.aligns]
        rows = [table.header, rules, *([_markdown_escaped(c) for c in row] for row in table.cells)]
        parts.append("\n".join(f"| {' | '.join(row)} |" for row in rows))
    return "\n\n".join(parts) + "\n"


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
    # The last three would make links of addresses, and call people by their names.
    special = r"([\\`*_{}\[\]<>|#~&$@]|:(?=//)|(?<=www)\.)"
    return re.sub(special, r"\\\1", " ".join(text.split()), flags=re.IGNORECASE)
