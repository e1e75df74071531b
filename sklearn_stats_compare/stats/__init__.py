"""Numbers: arrays in, small frozen results out. Imports NumPy and SciPy only."""

from sklearn_stats_compare.stats._corrected_t import CorrectedTTestResult, corrected_ttest
from sklearn_stats_compare.stats._multiplicity import adjust_pvalues
from sklearn_stats_compare.stats._optimism import OptimismResult
from sklearn_stats_compare.stats._posterior import Posterior, RopeProbabilities
from sklearn_stats_compare.stats._scores import SplitScores
from sklearn_stats_compare.stats._splits import SplitDesign

__all__ = [
    "CorrectedTTestResult",
    "OptimismResult",
    "Posterior",
    "RopeProbabilities",
    "SplitDesign",
    "SplitScores",
    "adjust_pvalues",
    "corrected_ttest",
]
