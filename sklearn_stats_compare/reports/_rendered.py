"""Report: the text of a report, which a notebook renders in its format."""

from html import escape
from typing import Any, Self


class Report(str):
    """A report: a string that notebooks render in its format.

    As the last expression of a cell, an HTML report is shown as a page in a frame, Markdown as
    formatted text, and other formats as printed.

    Attributes
    ----------
    kind : str
        Its format; the name `format` is a method of every string.
    """

    kind: str

    def __new__(cls, text: str, kind: str = "text") -> Self:
        """Create from a text and its format."""
        made = super().__new__(cls, text)
        made.kind = kind
        return made

    def _repr_html_(self) -> str | None:
        if self.kind != "html":
            return None
        # In a frame, the style sheet and script of the page do not affect the notebook.
        return (
            f'<iframe srcdoc="{escape(self)}" title="Report" sandbox="allow-scripts" '
            'style="width: 100%; height: 40rem; box-sizing: border-box; border: 1px solid #8c8c8c">'
            "</iframe>"
        )

    def _repr_markdown_(self) -> str | None:
        return str(self) if self.kind == "markdown" else None

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        # IPython calls this for plain text; without it, the repr with quotes and "\\n" is shown.
        printer.text(str(self))
