"""Report: the text of a report, which a notebook renders in its format."""

from html import escape
from typing import Any, Self


class Report(str):
    """A report: a string like any other, which notebooks show as what it is.

    As the last expression of a cell an HTML report is shown as a page in a frame of its own,
    Markdown as formatted text, and the other formats as they would be printed.

    Attributes
    ----------
    format : str
        The format that it is in.
    """

    format: str

    def __new__(cls, text: str, format: str = "text") -> Self:
        """From a text, and the format that it is in."""
        made = super().__new__(cls, text)
        made.format = format
        return made

    def _repr_html_(self) -> str | None:
        if self.format != "html":
            return None
        # In a frame the page's style sheet and script are its own, and leave the notebook alone.
        return (
            f'<iframe srcdoc="{escape(self)}" title="Report" '
            'sandbox="allow-scripts" loading="lazy" '
            'style="width: 100%; height: 40rem; border: 1px solid #8c8c8c; box-sizing: border-box">'
            "</iframe>"
        )

    def _repr_markdown_(self) -> str | None:
        return str(self) if self.format == "markdown" else None

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        # IPython asks this for plain text, and would show the quotes and "\\n" of a string's repr.
        printer.text(str(self))
