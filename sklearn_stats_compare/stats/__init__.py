"""Numbers: arrays in, small frozen results out. Imports NumPy and SciPy only."""

from sklearn_stats_compare.stats._corrected_t import CorrectedTTestResult, corrected_ttest
from sklearn_stats_compare.stats._delong import DeLongResult, delong
from sklearn_stats_compare.stats._multiplicity import adjust_pvalues
from sklearn_stats_compare.stats._one_test_set import (
    CochransQResult,
    McNemarPairs,
    McNemarResult,
    cochrans_q,
    mcnemar,
)
from sklearn_stats_compare.stats._optimism import OptimismResult
from sklearn_stats_compare.stats._posterior import Posterior, RopeProbabilities
from sklearn_stats_compare.stats._proportions import (
    ErrorRatesResult,
    accuracy_interval,
    compare_error_rates,
)
from sklearn_stats_compare.stats._scores import SplitScores
from sklearn_stats_compare.stats._splits import SplitDesign

__all__ = [
    "CochransQResult",
    "CorrectedTTestResult",
    "DeLongResult",
    "ErrorRatesResult",
    "McNemarPairs",
    "McNemarResult",
    "OptimismResult",
    "Posterior",
    "RopeProbabilities",
    "SplitDesign",
    "SplitScores",
    "accuracy_interval",
    "adjust_pvalues",
    "cochrans_q",
    "compare_error_rates",
    "corrected_ttest",
    "delong",
    "mcnemar",
]
