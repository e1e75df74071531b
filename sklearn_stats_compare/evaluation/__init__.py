"""Fit given models on data and compare them. Adds scikit-learn."""

from sklearn_stats_compare.evaluation._bootstrap import BootstrapScoreResult, bootstrap_score
from sklearn_stats_compare.evaluation._bootstrap_split import BootstrapSplit
from sklearn_stats_compare.evaluation._compare_predictions import compare_predictions
from sklearn_stats_compare.evaluation._costs import (
    CostScorer,
    make_cost_scorer,
    misclassification_cost,
)
from sklearn_stats_compare.evaluation._five_by_two_cv import (
    combined_ftest_5x2cv,
    paired_ttest_5x2cv,
)
from sklearn_stats_compare.evaluation._learning_curve_comparison import LearningCurveComparison
from sklearn_stats_compare.evaluation._learning_curves import compare_learning_curves
from sklearn_stats_compare.evaluation._models import cross_validate_models
from sklearn_stats_compare.evaluation._nested_result import NestedComparison, NestedScoreResult
from sklearn_stats_compare.evaluation._nested_score import nested_score
from sklearn_stats_compare.evaluation._paired_ttests import (
    paired_ttest_kfold_cv,
    paired_ttest_resampled,
)
from sklearn_stats_compare.evaluation._skore_reports import is_skore, read_skore
from sklearn_stats_compare.evaluation._two_estimators import TwoEstimatorsResult

__all__ = [
    "BootstrapScoreResult",
    "BootstrapSplit",
    "CostScorer",
    "LearningCurveComparison",
    "NestedComparison",
    "NestedScoreResult",
    "TwoEstimatorsResult",
    "bootstrap_score",
    "combined_ftest_5x2cv",
    "compare_learning_curves",
    "compare_predictions",
    "cross_validate_models",
    "is_skore",
    "make_cost_scorer",
    "misclassification_cost",
    "nested_score",
    "paired_ttest_5x2cv",
    "paired_ttest_kfold_cv",
    "paired_ttest_resampled",
    "read_skore",
]
