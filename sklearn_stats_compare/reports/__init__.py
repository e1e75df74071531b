"""Reports of a comparison as strings: text, Markdown, LaTeX, HTML or JSON. Nothing prints."""

from sklearn_stats_compare.comparison._shared import shared_by
from sklearn_stats_compare.reports._report import log_mlflow, report

__all__ = ["log_mlflow", "report", "shared_by"]
