"""Two models on several data sets: one difference per data set, or its mean and sum of squares."""

from sklearn_stats_compare.stats.datasets._hierarchical import (
    HierarchicalResult,
    bayesian_hierarchical,
)
from sklearn_stats_compare.stats.datasets._sign_test_bayes import (
    BayesianSignTestResult,
    bayesian_sign_test,
)
from sklearn_stats_compare.stats.datasets._signed_rank_bayes import (
    BayesianSignedRankResult,
    bayesian_signed_rank,
    bayesian_signed_rank_pairs,
)

__all__ = [
    "BayesianSignTestResult",
    "BayesianSignedRankResult",
    "HierarchicalResult",
    "bayesian_hierarchical",
    "bayesian_sign_test",
    "bayesian_signed_rank",
    "bayesian_signed_rank_pairs",
]
