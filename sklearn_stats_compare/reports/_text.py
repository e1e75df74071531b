"""Reports as plain text, as Markdown in GitHub's dialect, and as LaTeX with booktabs or siunitx."""

import re
import textwrap
import unicodedata
import zlib

from sklearn_stats_compare._utils._formatting import aligned, short_labels, shortened
from sklearn_stats_compare.reports._document import Document, Heading, ReportTable
from sklearn_stats_compare.reports._facts import filled, laid_out

# Columns of a terminal; wider ones are hard to read as text.
_WIDTH = 88

_LABEL_WIDTH = 40


def text_report(document: Document) -> str:
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


def markdown_report(document: Document) -> str:
    """The report in Markdown; labels are escaped, so that they show unchanged."""
    parts = []
    for block in document.blocks():
        if isinstance(block, Heading):
            parts.append(f"## {markdown_escaped(block.text).strip()}")
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
        text, markdown_escaped, lambda piece: markdown_escaped(piece).replace(" ", "\u00a0")
    ).strip()


def _markdown_table(table: ReportTable) -> str:
    # In GitHub's dialect, the rule line aligns a column.
    rows = [
        [markdown_escaped(name).strip() for name in table.header],
        ["---:" if align == "r" else ":---" for align in table.aligns],
    ]
    for k, cells in enumerate(table.cells):
        words = [markdown_escaped(cell).strip() for cell in cells]
        rows.append([f"**{c}**" if (k, j) in table.bold else c for j, c in enumerate(words)])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _aligned(table: ReportTable) -> str:
    names = short_labels(
        [row[k] for row in table.cells for k in sorted(table.labels)], _LABEL_WIDTH
    )
    rows = [table.header] + [
        [
            names[cell] if k in table.labels else shortened(" ".join(cell.split()), _LABEL_WIDTH)
            for k, cell in enumerate(row)
        ]
        for row in table.cells
    ]
    rules = ["-" * max(map(len, column)) for column in zip(*rows, strict=True)]
    sides = table.aligns.replace("l", "<").replace("r", ">")
    return "\n".join(aligned([rows[0], rules, *rows[1:]], sides))


def markdown_escaped(text: str) -> str:
    # The last three would turn addresses into links and mention users.
    special = r"([\\`*_{}\[\]<>|#~&$@]|:(?=//)|(?<=www)\.)"
    return re.sub(special, r"\\\1", re.sub(r"\s+", " ", text), flags=re.IGNORECASE)


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


def latex_report(document: Document) -> str:
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


def _table(table: ReportTable, document: Document) -> str:
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


def _label(table: ReportTable, document: Document) -> str:
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
    # In OT1, LaTeX's default encoding, these three are other signs: ¡, ¿ and a dash.
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
    "≤": r"$\le$",
    "≥": r"$\ge$",
    "≠": r"$\ne$",
    "≈": r"$\approx$",
    "→": r"$\to$",
    "√": r"$\surd$",
    "Δ": r"$\Delta$",
    "Σ": r"$\Sigma$",
    "Ω": r"$\Omega$",
    "λ": r"$\lambda$",  # which Unicode calls "lamda"
    "…": r"\ldots{}",
    # For Šidák: they are not among the first 256 characters of Unicode; others are shown by code
    # point.
    "š": r"\v{s}",
    "Š": r"\v{S}",
}

# Small letters with a command of their own.
_GREEK = {
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta",
    "iota", "kappa", "lambda", "mu", "nu", "xi", "pi", "rho",
    "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega",
}  # fmt: skip

WIDE = 14
"""Characters; a longer label may need a second line."""

# Unbroken parts of a sentence. Anything else between marks is part of a label, and text.
_NUMBER = r"−?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|∞)"

_STATISTIC = re.compile(rf"(?:(t)\((\d+)\)|(p|alpha)) ([=<]) ({_NUMBER})")

_PERCENT = re.compile(r"(\d+(?:\.\d+)?(?:e[+-]?\d+)?) %")

_NAMED = re.compile(r"([pt])(-[a-z]+)")

_SUM = re.compile(r"1/\d+ \+ \d+(?:\.\d+)?")

_LEVEL = re.compile(rf"1 − ({_NUMBER})")

_SYMBOLS = {"alpha": r"\alpha"}


def escaped(text: str) -> str:
    """Text that LaTeX shows unchanged, in one line."""
    return "".join(character(c) for c in re.sub(r"\s+", " ", text))


def breakable(text: str) -> str:
    """Text of a cell; a long label may break after every sign except a decimal point."""
    text = " ".join(text.split())
    return _broken(text) if len(text) > WIDE else escaped(text)


def sentence(text: str, *, cites: bool = False) -> str:
    """A sentence of prose or of a caption; with `cites` its works are cited by their keys."""
    # An unbreakable space keeps the number of a work on the line of its name.
    cite = (lambda keys: f"~\\cite{{{','.join(keys)}}}") if cites else (lambda keys: "")
    return laid_out(text, _prose, _mathematics, cite).strip()


def mathematical(text: str) -> str | None:
    """A number in a table as mathematics, without dollar signs; None if it is not a number."""
    if match := re.fullmatch(rf"({_NUMBER}) ± ({_NUMBER})", text):
        return rf"{_number(match[1])} \pm {_number(match[2])}"
    match = re.fullmatch(rf"(<? ?)({_NUMBER})", text)
    return f"{match[1]}{_number(match[2])}" if match else None


def _prose(text: str) -> str:
    """Text in which long words are names or labels and may break as in a cell."""
    words = re.split(r"\s+", text)
    return " ".join(_broken(word) if len(word) > WIDE else escaped(word) for word in words)


def _broken(text: str) -> str:
    return "".join(
        # TeX hyphenates words only, and long labels have none: C=0.001,kernel=rbf.
        character(c) if c.isalnum() or c in " .…" else character(c) + r"\allowbreak{}"
        for c in text
    )


def _mathematics(text: str) -> str:
    if match := _STATISTIC.fullmatch(text):
        of = f"{match[1]}({match[2]})" if match[1] else _SYMBOLS.get(match[3], match[3])
        return f"${of} {match[4]} {_number(match[5])}$"
    if match := _PERCENT.fullmatch(text):
        number = match[1] if match[1].replace(".", "").isdigit() else f"${_number(match[1])}$"
        return rf"{number}\,\%"
    if match := _NAMED.fullmatch(text):
        return f"${match[1]}${match[2]}"
    if _SUM.fullmatch(text):
        return f"${text}$"
    if match := _LEVEL.fullmatch(text):
        return f"$1 - {_number(match[1])}$"
    return escaped(text)


def _number(text: str) -> str:
    digits, _, power = text.replace("−", "-").replace("∞", r"\infty").partition("e")
    return rf"{digits} \times 10^{{{int(power)}}}" if power else digits


def character(character: str) -> str:
    """One character as LaTeX shows it."""
    if character in _ESCAPES:
        return _ESCAPES[character]
    # In T1, because LaTeX reads UTF-8; it rejects control characters.
    if ord(character) <= 0xFF and character.isprintable():
        return character
    kind, _, name = unicodedata.name(character, "").lower().rpartition(" letter ")
    if kind == "greek small" and name in _GREEK:
        return f"$\\{name}$"
    return f"U+{ord(character):04X}"  # shown as what it is, since no font may have it
