"""Rules for ``refit=``: choose one of the candidates that are good enough."""

from sklearn_stats_compare.search.selection._best_subject_to import BestSubjectTo
from sklearn_stats_compare.search.selection._rule import SelectionRule
from sklearn_stats_compare.search.selection._rules import (
    SimplestNotPracticallyWorse,
    SimplestPossiblyBest,
    SimplestWithin,
    SimplestWithinOneStandardError,
    SimplestWithinPercentLoss,
)

__all__ = [
    "BestSubjectTo",
    "SelectionRule",
    "SimplestNotPracticallyWorse",
    "SimplestPossiblyBest",
    "SimplestWithin",
    "SimplestWithinOneStandardError",
    "SimplestWithinPercentLoss",
]
