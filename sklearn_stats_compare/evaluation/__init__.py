"""Fit given models on data and compare them. Adds scikit-learn."""

from sklearn_stats_compare.comparison._comparison import Choice
from sklearn_stats_compare.comparison._planning import calibrate
from sklearn_stats_compare.comparison._predictions import SubgroupComparison
from sklearn_stats_compare.comparison._recommend import Recommendation
from sklearn_stats_compare.evaluation._bootstrap import (
    BootstrapScoreResult,
    BootstrapSplit,
    bootstrap_score,
)
from sklearn_stats_compare.evaluation._compare_predictions import delong_of, mcnemar_of
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
    "Recommendation",
    "SubgroupComparison",
    "TwoEstimatorsResult",
    "bootstrap_score",
    "calibrate",
    "compare_learning_curves",
    "delong_of",
    "make_cost_scorer",
    "mcnemar_of",
    "misclassification_cost",
    "paired_cv_test",
]
