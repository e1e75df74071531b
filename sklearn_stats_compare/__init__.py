"""Statistical comparison of the candidates of a cross-validated search."""

from typing import TYPE_CHECKING, Any

from sklearn_stats_compare._lazy import FOLDERS, asked_for, pictures, pictures_of_datasets
from sklearn_stats_compare.comparison import (
    Choice,
    Comparison,
    ComparisonWarning,
    SubgroupComparison,
    add_marks,
    add_reader,
    add_splitting,
    compare,
    possibly_pareto,
    register_plot_and_report,
)
from sklearn_stats_compare.datasets import (
    DatasetsComparison,
    compare_datasets,
    register_pictures_of_datasets,
)
from sklearn_stats_compare.evaluation import (
    BootstrapScoreResult,
    BootstrapSplit,
    CostScorer,
    LearningCurveComparison,
    NestedComparison,
    NestedScoreResult,
    TwoEstimatorsResult,
    bootstrap_score,
    combined_ftest_5x2cv,
    compare_learning_curves,
    compare_predictions,
    cross_validate_models,
    is_skore,
    make_cost_scorer,
    misclassification_cost,
    nested_score,
    paired_ttest_5x2cv,
    paired_ttest_kfold_cv,
    paired_ttest_resampled,
    read_skore,
)
from sklearn_stats_compare.search import (
    BestSubjectTo,
    LedgerStatus,
    RacingGridSearchCV,
    RacingRandomizedSearchCV,
    SimplestNotPracticallyWorse,
    SimplestPossiblyBest,
    SimplestWithin,
    SimplestWithinOneStandardError,
    SimplestWithinPercentLoss,
    StatisticalGridSearchCV,
    StatisticalRandomizedSearchCV,
    is_sqlite,
    ledger_status,
    marks_of_data,
    read_ledger,
    split_as_search,
    with_statistics,
)
from sklearn_stats_compare.stats import (
    CochransQResult,
    CorrectedTTestResult,
    DeLongResult,
    ErrorRatesResult,
    McNemarPairs,
    McNemarResult,
    OptimismResult,
    Posterior,
    RopeProbabilities,
    SampleScores,
    SampleTTest,
    SplitDesign,
    SplitScores,
    accuracy_interval,
    cochrans_q,
    compare_error_rates,
    corrected_ttest,
    delong,
    mcnemar,
)

if TYPE_CHECKING:  # at run time `__getattr__` imports them
    from sklearn_stats_compare.displays import (
        CriticalDifferenceDisplay,
        DatasetDifferencesDisplay,
        DatasetRanksDisplay,
        LeaderDisplay,
        LearningCurveComparisonDisplay,
        MetricScatterDisplay,
        PairwiseDisplay,
        ParameterHeatmapDisplay,
        ParameterProfileDisplay,
        PosteriorDisplay,
        RaceDisplay,
        RankDisplay,
        RocComparisonDisplay,
        RopeSensitivityDisplay,
        SimplexDisplay,
        SplitScoresDisplay,
        SubgroupDisplay,
    )
    from sklearn_stats_compare.reports import log_mlflow, report
    from sklearn_stats_compare.search import StatisticalHalvingGridSearchCV

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
    "StatisticalHalvingGridSearchCV",
    "StatisticalRandomizedSearchCV",
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
    "with_statistics",
]

# comparison/ lies below search/, which knows what a ledger is, and what a search was fitted on, and
# below evaluation/, which scores the predictions of a report.
add_reader(is_sqlite, read_ledger)
add_reader(is_skore, read_skore)
add_marks(marks_of_data)
# comparison/ imports no scikit-learn, which knows the splits of a number of folds.
add_splitting(split_as_search)

__version__ = "0.1.0"

register_plot_and_report(pictures=pictures, report=lambda: asked_for("report"))
register_pictures_of_datasets(pictures_of_datasets)


def __getattr__(name: str) -> Any:
    if name in FOLDERS:
        return asked_for(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
