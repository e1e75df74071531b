"""Named models: labels, tables, verdicts over the numbers of `stats`. Adds pandas."""

from sklearn_stats_compare.comparison._compare import compare
from sklearn_stats_compare.comparison._comparison import Comparison
from sklearn_stats_compare.stats._warnings import ComparisonWarning

__all__ = ["Comparison", "ComparisonWarning", "compare"]
