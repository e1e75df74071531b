"""Fit given models on data and compare them. Adds scikit-learn."""

from sklearn_stats_compare.comparison._comparison import Choice
from sklearn_stats_compare.comparison._predictions import SubgroupComparison
from sklearn_stats_compare.evaluation._bootstrap import (
    BootstrapScoreResult,
    BootstrapSplit,
    bootstrap_score,
)
from sklearn_stats_compare.evaluation._costs import (
    CostScorer,
    make_cost_scorer,
    misclassification_cost,
)
from sklearn_stats_compare.evaluation._learning_curve import (
    LearningCurveComparison,
    compare_learning_curves,
)
from sklearn_stats_compare.evaluation._nested_result import NestedComparison
from sklearn_stats_compare.evaluation._paired_tests import TwoEstimatorsResult, paired_cv_test

__all__ = [
    "BootstrapScoreResult",
    "BootstrapSplit",
    "Choice",
    "CostScorer",
    "LearningCurveComparison",
    "NestedComparison",
    "SubgroupComparison",
    "TwoEstimatorsResult",
    "bootstrap_score",
    "compare_learning_curves",
    "make_cost_scorer",
    "misclassification_cost",
    "paired_cv_test",
]
