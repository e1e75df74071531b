"""Reports of a comparison as strings: text, Markdown, LaTeX, HTML or JSON. Nothing prints."""

from sklearn_stats_compare.reports._report import report

__all__ = ["report"]
