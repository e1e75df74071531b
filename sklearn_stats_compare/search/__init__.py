"""Searches: scikit-learn's, with their split scores kept and compared. Adds scikit-learn."""

from sklearn_stats_compare.search._statistical import (
    StatisticalGridSearchCV,
    StatisticalRandomizedSearchCV,
)

__all__ = ["StatisticalGridSearchCV", "StatisticalRandomizedSearchCV"]
