"""Report: the text of a report, which a notebook renders in its format."""

from html import escape
from typing import Any, Self


class Report(str):
    """A report: a string like any other, which notebooks show as what it is.

    As the last expression of a cell an HTML report is shown as a page in a frame of its own,
    Markdown as formatted text, and the other formats as they would be printed.

    Attributes
    ----------
    kind : str
        The format that it is in; `format` is a method of every string.
    """

    kind: str

    def __new__(cls, text: str, kind: str = "text") -> Self:
        """From a text, and the format that it is in."""
        made = super().__new__(cls, text)
        made.kind = kind
        return made

    def _repr_html_(self) -> str | None:
        if self.kind != "html":
            return None
        # In a frame the page's style sheet and script are its own, and leave the notebook alone.
        return (
            f'<iframe srcdoc="{escape(self)}" title="Report" sandbox="allow-scripts" '
            'style="width: 100%; height: 40rem; box-sizing: border-box; border: 1px solid #8c8c8c">'
            "</iframe>"
        )

    def _repr_markdown_(self) -> str | None:
        return str(self) if self.kind == "markdown" else None

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        # IPython asks this for plain text, and would show the quotes and "\\n" of a string's repr.
        printer.text(str(self))
