"""Given models on data: fits what it is given and compares it. Adds scikit-learn."""

from sklearn_stats_compare.evaluation._models import cross_validate_models
from sklearn_stats_compare.evaluation._paired_tests import (
    TwoEstimatorsResult,
    combined_ftest_5x2cv,
    paired_ttest_5x2cv,
    paired_ttest_kfold_cv,
    paired_ttest_resampled,
)

__all__ = [
    "TwoEstimatorsResult",
    "combined_ftest_5x2cv",
    "cross_validate_models",
    "paired_ttest_5x2cv",
    "paired_ttest_kfold_cv",
    "paired_ttest_resampled",
]
