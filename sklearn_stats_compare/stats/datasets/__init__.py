"""Tests of several models over several data sets. Arrays in, small frozen results out.

A score is one number of a model on a data set, and data sets are independent. The hierarchical
model takes the mean and the sum of squares of the split scores. Imports NumPy and SciPy only.
"""

from sklearn_stats_compare.stats.datasets._friedman import FriedmanResult, friedman_test
from sklearn_stats_compare.stats.datasets._hierarchical import (
    HierarchicalResult,
    bayesian_hierarchical,
)
from sklearn_stats_compare.stats.datasets._mean_rank_tests import (
    BonferroniDunnResult,
    RankPairs,
    bonferroni_dunn,
    bonferroni_dunn_critical_difference,
    nemenyi_critical_difference,
    nemenyi_pvalues,
    rank_pairs,
)
from sklearn_stats_compare.stats.datasets._pseudo_medians import PseudoMedians, pseudo_medians
from sklearn_stats_compare.stats.datasets._ranks_by_dataset import average_ranks, dataset_ranks
from sklearn_stats_compare.stats.datasets._shaffer import shaffer_pvalues
from sklearn_stats_compare.stats.datasets._sign_pairs import (
    SIGN_TIES,
    SignTestPairs,
    sign_test_pairs,
)
from sklearn_stats_compare.stats.datasets._sign_test_bayes import (
    BayesianSignTestResult,
    bayesian_sign_test,
)
from sklearn_stats_compare.stats.datasets._signed_rank_bayes import (
    BayesianSignedRankResult,
    bayesian_signed_rank,
    bayesian_signed_rank_draws,
    bayesian_signed_rank_pairs,
)
from sklearn_stats_compare.stats.datasets._ties import check_dataset_values
from sklearn_stats_compare.stats.datasets._wilcoxon_pairs import (
    WILCOXON_METHODS,
    ZEROS,
    WilcoxonPairs,
    wilcoxon_pairs,
)

__all__ = [
    "SIGN_TIES",
    "WILCOXON_METHODS",
    "ZEROS",
    "BayesianSignTestResult",
    "BayesianSignedRankResult",
    "BonferroniDunnResult",
    "FriedmanResult",
    "HierarchicalResult",
    "PseudoMedians",
    "RankPairs",
    "SignTestPairs",
    "WilcoxonPairs",
    "average_ranks",
    "bayesian_hierarchical",
    "bayesian_sign_test",
    "bayesian_signed_rank",
    "bayesian_signed_rank_draws",
    "bayesian_signed_rank_pairs",
    "bonferroni_dunn",
    "bonferroni_dunn_critical_difference",
    "check_dataset_values",
    "dataset_ranks",
    "friedman_test",
    "nemenyi_critical_difference",
    "nemenyi_pvalues",
    "pseudo_medians",
    "rank_pairs",
    "shaffer_pvalues",
    "sign_test_pairs",
    "wilcoxon_pairs",
]
