"""Statistical comparison of the candidates of a cross-validated search."""

# The displays in `__all__` come by a star import.
# ruff: noqa: F405

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sklearn_stats_compare._utils._validation import ComparisonWarning
from sklearn_stats_compare.comparison._comparison import Choice, Comparison
from sklearn_stats_compare.comparison._pareto import possibly_pareto
from sklearn_stats_compare.comparison._predictions import SubgroupComparison
from sklearn_stats_compare.comparison.readers._compare import compare
from sklearn_stats_compare.datasets._comparison import DatasetsComparison
from sklearn_stats_compare.datasets._read import compare_datasets
from sklearn_stats_compare.evaluation._bootstrap import (
    BootstrapScoreResult,
    BootstrapSplit,
    bootstrap_score,
)
from sklearn_stats_compare.evaluation._compare_predictions import compare_predictions
from sklearn_stats_compare.evaluation._costs import (
    CostScorer,
    make_cost_scorer,
    misclassification_cost,
)
from sklearn_stats_compare.evaluation._cross_validate import cross_validate_models
from sklearn_stats_compare.evaluation._learning_curve import (
    LearningCurveComparison,
    compare_learning_curves,
)
from sklearn_stats_compare.evaluation._nested import nested_score
from sklearn_stats_compare.evaluation._nested_result import NestedComparison, NestedScoreResult
from sklearn_stats_compare.evaluation._paired_tests import (
    TwoEstimatorsResult,
    combined_ftest_5x2cv,
    paired_ttest_5x2cv,
    paired_ttest_kfold_cv,
    paired_ttest_resampled,
)
from sklearn_stats_compare.search._search import (
    RacingGridSearchCV,
    RacingRandomizedSearchCV,
    StatisticalGridSearchCV,
    StatisticalRandomizedSearchCV,
    StatisticalSearchMixin,
)
from sklearn_stats_compare.search._selection import (
    BestSubjectTo,
    SimplestNotPracticallyWorse,
    SimplestPossiblyBest,
    SimplestWithin,
    SimplestWithinOneStandardError,
    SimplestWithinPercentLoss,
)
from sklearn_stats_compare.search.ledger._read import LedgerStatus, ledger_status
from sklearn_stats_compare.stats._corrected_t import (
    CorrectedTTestResult,
    Posterior,
    RopeProbabilities,
    corrected_ttest,
)
from sklearn_stats_compare.stats._design import SplitDesign
from sklearn_stats_compare.stats._nested import OptimismResult
from sklearn_stats_compare.stats._sample_scores import SampleScores
from sklearn_stats_compare.stats._sample_t import SampleTTest
from sklearn_stats_compare.stats._scores import SplitScores
from sklearn_stats_compare.stats.test_set._classifiers import (
    CochransQResult,
    DeLongResult,
    McNemarPairs,
    McNemarResult,
    cochrans_q,
    delong,
    mcnemar,
)
from sklearn_stats_compare.stats.test_set._proportions import (
    ErrorRatesResult,
    accuracy_interval,
    compare_error_rates,
)

if TYPE_CHECKING:  # at run time `__getattr__` imports them
    from sklearn_stats_compare.displays import *  # noqa: F403
    from sklearn_stats_compare.reports import log_mlflow, report

__all__ = [
    "BestSubjectTo",
    "BootstrapScoreResult",
    "BootstrapSplit",
    "Choice",
    "CochransQResult",
    "Comparison",
    "ComparisonWarning",
    "CorrectedTTestResult",
    "CostScorer",
    "CriticalDifferenceDisplay",
    "DatasetDifferencesDisplay",
    "DatasetRanksDisplay",
    "DatasetsComparison",
    "DeLongResult",
    "ErrorRatesResult",
    "LeaderDisplay",
    "LearningCurveComparison",
    "LearningCurveComparisonDisplay",
    "LedgerStatus",
    "McNemarPairs",
    "McNemarResult",
    "MetricScatterDisplay",
    "NestedComparison",
    "NestedScoreResult",
    "OptimismResult",
    "PairwiseDisplay",
    "ParameterHeatmapDisplay",
    "ParameterProfileDisplay",
    "Posterior",
    "PosteriorDisplay",
    "RaceDisplay",
    "RacingGridSearchCV",
    "RacingRandomizedSearchCV",
    "RankDisplay",
    "RocComparisonDisplay",
    "RopeProbabilities",
    "RopeSensitivityDisplay",
    "SampleScores",
    "SampleTTest",
    "SimplestNotPracticallyWorse",
    "SimplestPossiblyBest",
    "SimplestWithin",
    "SimplestWithinOneStandardError",
    "SimplestWithinPercentLoss",
    "SimplexDisplay",
    "SplitDesign",
    "SplitScores",
    "SplitScoresDisplay",
    "StatisticalGridSearchCV",
    "StatisticalRandomizedSearchCV",
    "StatisticalSearchMixin",
    "SubgroupComparison",
    "SubgroupDisplay",
    "TwoEstimatorsResult",
    "accuracy_interval",
    "bootstrap_score",
    "cochrans_q",
    "combined_ftest_5x2cv",
    "compare",
    "compare_datasets",
    "compare_error_rates",
    "compare_learning_curves",
    "compare_predictions",
    "corrected_ttest",
    "cross_validate_models",
    "delong",
    "ledger_status",
    "log_mlflow",
    "make_cost_scorer",
    "mcnemar",
    "misclassification_cost",
    "nested_score",
    "paired_ttest_5x2cv",
    "paired_ttest_kfold_cv",
    "paired_ttest_resampled",
    "possibly_pareto",
    "report",
]

# Searching and comparing need neither displays/ nor reports/.
_FOLDERS = {
    **{name: "displays" for name in __all__ if name.endswith("Display")},
    "log_mlflow": "reports",
    "report": "reports",
}
"""Where the names are that are imported when they are asked for."""

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    if name in _FOLDERS:
        return getattr(import_module(f"{__name__}.{_FOLDERS[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
