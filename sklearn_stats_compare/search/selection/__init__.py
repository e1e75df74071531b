"""Rules for ``refit=``: choose the simplest of the candidates that are good enough."""

from sklearn_stats_compare.search.selection._rule import SelectionRule
from sklearn_stats_compare.search.selection._rules import (
    SimplestNotPracticallyWorse,
    SimplestPossiblyBest,
    SimplestWithin,
    SimplestWithinOneStandardError,
    SimplestWithinPercentLoss,
)

__all__ = [
    "SelectionRule",
    "SimplestNotPracticallyWorse",
    "SimplestPossiblyBest",
    "SimplestWithin",
    "SimplestWithinOneStandardError",
    "SimplestWithinPercentLoss",
]
