"""Statistical comparison of the candidates of a cross-validated search."""

from sklearn_stats_compare.comparison import Comparison, ComparisonWarning, compare
from sklearn_stats_compare.evaluation import (
    TwoEstimatorsResult,
    combined_ftest_5x2cv,
    cross_validate_models,
    paired_ttest_5x2cv,
    paired_ttest_kfold_cv,
    paired_ttest_resampled,
)
from sklearn_stats_compare.search import (
    RacingGridSearchCV,
    RacingRandomizedSearchCV,
    SimplestNotPracticallyWorse,
    SimplestPossiblyBest,
    SimplestWithinOneStandardError,
    SimplestWithinPercentLoss,
    StatisticalGridSearchCV,
    StatisticalRandomizedSearchCV,
)
from sklearn_stats_compare.stats import (
    CorrectedTTestResult,
    OptimismResult,
    Posterior,
    RopeProbabilities,
    SplitDesign,
    SplitScores,
    corrected_ttest,
)

__all__ = [
    "Comparison",
    "ComparisonWarning",
    "CorrectedTTestResult",
    "OptimismResult",
    "Posterior",
    "RacingGridSearchCV",
    "RacingRandomizedSearchCV",
    "RopeProbabilities",
    "SimplestNotPracticallyWorse",
    "SimplestPossiblyBest",
    "SimplestWithinOneStandardError",
    "SimplestWithinPercentLoss",
    "SplitDesign",
    "SplitScores",
    "StatisticalGridSearchCV",
    "StatisticalRandomizedSearchCV",
    "TwoEstimatorsResult",
    "combined_ftest_5x2cv",
    "compare",
    "corrected_ttest",
    "cross_validate_models",
    "paired_ttest_5x2cv",
    "paired_ttest_kfold_cv",
    "paired_ttest_resampled",
]

__version__ = "0.1.0"
