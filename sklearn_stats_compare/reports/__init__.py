"""Words: a comparison as text, Markdown, LaTeX, HTML or JSON. Returns strings; nothing prints."""

from sklearn_stats_compare.reports._report import report

__all__ = ["report"]
