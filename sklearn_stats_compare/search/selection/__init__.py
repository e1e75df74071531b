"""Rules for ``refit=``: which candidate to deploy, the simplest of those that will do."""

from sklearn_stats_compare.search.selection._rule import SelectionRule
from sklearn_stats_compare.search.selection._rules import (
    SimplestNotPracticallyWorse,
    SimplestPossiblyBest,
    SimplestWithinOneStandardError,
    SimplestWithinPercentLoss,
)

__all__ = [
    "SelectionRule",
    "SimplestNotPracticallyWorse",
    "SimplestPossiblyBest",
    "SimplestWithinOneStandardError",
    "SimplestWithinPercentLoss",
]
