"""Searches: scikit-learn's, with their split scores kept and compared. Adds scikit-learn."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sklearn_stats_compare.search._outer_ledger import FinishedFit, OuterLedger
from sklearn_stats_compare.search._racing import RacingGridSearchCV
from sklearn_stats_compare.search._racing_randomized import RacingRandomizedSearchCV
from sklearn_stats_compare.search._record import marks_of_data
from sklearn_stats_compare.search._splitting import split_as_search
from sklearn_stats_compare.search._statistical import StatisticalGridSearchCV
from sklearn_stats_compare.search._statistical_randomized import StatisticalRandomizedSearchCV
from sklearn_stats_compare.search._with_statistics import with_statistics
from sklearn_stats_compare.search.ledger import LedgerStatus, is_sqlite, ledger_status, read_ledger
from sklearn_stats_compare.search.runs import Progress, SplitSource
from sklearn_stats_compare.search.selection import (
    BestSubjectTo,
    SelectionRule,
    SimplestNotPracticallyWorse,
    SimplestPossiblyBest,
    SimplestWithin,
    SimplestWithinOneStandardError,
    SimplestWithinPercentLoss,
)

if TYPE_CHECKING:  # at run time `__getattr__` imports it
    from sklearn_stats_compare.search._halving import StatisticalHalvingGridSearchCV

__all__ = [
    "BestSubjectTo",
    "FinishedFit",
    "LedgerStatus",
    "OuterLedger",
    "Progress",
    "RacingGridSearchCV",
    "RacingRandomizedSearchCV",
    "SelectionRule",
    "SimplestNotPracticallyWorse",
    "SimplestPossiblyBest",
    "SimplestWithin",
    "SimplestWithinOneStandardError",
    "SimplestWithinPercentLoss",
    "SplitSource",
    "StatisticalGridSearchCV",
    "StatisticalHalvingGridSearchCV",
    "StatisticalRandomizedSearchCV",
    "is_sqlite",
    "ledger_status",
    "marks_of_data",
    "read_ledger",
    "split_as_search",
    "with_statistics",
]


def __getattr__(name: str) -> Any:
    if name == "StatisticalHalvingGridSearchCV":
        # Its import enables an experiment of scikit-learn.
        return import_module("sklearn_stats_compare.search._halving").StatisticalHalvingGridSearchCV
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
