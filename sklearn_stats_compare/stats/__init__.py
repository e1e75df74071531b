"""Statistics: functions of arrays with small frozen results. Imports NumPy and SciPy only."""

from sklearn_stats_compare.stats._corrected_t import (
    CorrectedTTestResult,
    Posterior,
    RopeProbabilities,
    corrected_ttest,
)
from sklearn_stats_compare.stats._nested import OptimismResult
from sklearn_stats_compare.stats._pair_tests import PairTest
from sklearn_stats_compare.stats._sample_scores import SampleScores
from sklearn_stats_compare.stats._sample_t import SampleTTest
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

__all__ = [
    "CochransQResult",
    "CorrectedTTestResult",
    "DeLongResult",
    "ErrorRatesResult",
    "McNemarPairs",
    "McNemarResult",
    "OptimismResult",
    "PairTest",
    "Posterior",
    "RopeProbabilities",
    "SampleScores",
    "SampleTTest",
    "accuracy_interval",
    "cochrans_q",
    "compare_error_rates",
    "corrected_ttest",
    "delong",
    "mcnemar",
]
