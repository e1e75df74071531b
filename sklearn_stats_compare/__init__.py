"""Statistical comparison of the candidates of a cross-validated search.

Submodules: `stats` (tests of arrays), `evaluation` (models on data), `displays` and `reports`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sklearn_stats_compare import evaluation as evaluation
from sklearn_stats_compare import stats as stats
from sklearn_stats_compare._utils._validation import ComparisonWarning
from sklearn_stats_compare.comparison._comparison import Comparison
from sklearn_stats_compare.comparison._pareto import possibly_pareto
from sklearn_stats_compare.comparison.readers._compare import compare
from sklearn_stats_compare.datasets._comparison import DatasetsComparison
from sklearn_stats_compare.datasets._read import compare_datasets
from sklearn_stats_compare.evaluation._compare_predictions import compare_predictions
from sklearn_stats_compare.evaluation._cross_validate import cross_validate_models
from sklearn_stats_compare.evaluation._nested import nested_score
from sklearn_stats_compare.evaluation._nested_result import NestedScoreResult
from sklearn_stats_compare.search._search import (
    RacingGridSearchCV,
    RacingRandomizedSearchCV,
    StatisticalGridSearchCV,
    StatisticalRandomizedSearchCV,
    StatisticalSearchMixin,
)
from sklearn_stats_compare.search._selection import BestSubjectTo, Simplest
from sklearn_stats_compare.search.ledger._read import Ledger
from sklearn_stats_compare.stats._design import SplitDesign
from sklearn_stats_compare.stats._scores import SplitScores

if TYPE_CHECKING:  # at run time `__getattr__` imports them
    from sklearn_stats_compare import displays as displays
    from sklearn_stats_compare import reports as reports
    from sklearn_stats_compare.reports import report

__all__ = [
    "BestSubjectTo",
    "Comparison",
    "ComparisonWarning",
    "DatasetsComparison",
    "Ledger",
    "NestedScoreResult",
    "RacingGridSearchCV",
    "RacingRandomizedSearchCV",
    "Simplest",
    "SplitDesign",
    "SplitScores",
    "StatisticalGridSearchCV",
    "StatisticalRandomizedSearchCV",
    "StatisticalSearchMixin",
    "compare",
    "compare_datasets",
    "compare_predictions",
    "cross_validate_models",
    "nested_score",
    "possibly_pareto",
    "report",
]

_SUBMODULES = ("displays", "evaluation", "reports", "stats")

__version__ = "1.0.0"


def __getattr__(name: str) -> Any:
    # Searching and comparing need neither displays/ nor reports/.
    if name in ("displays", "reports"):
        return import_module(f"{__name__}.{name}")
    if name == "report":
        return import_module(f"{__name__}.reports").report
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    # What completion shows: the folders that are not public are left out.
    return sorted({*__all__, *_SUBMODULES, "__all__", "__doc__", "__version__"})
