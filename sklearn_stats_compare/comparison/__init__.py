"""Named models: labels, tables, verdicts over the numbers of `stats`. Adds pandas."""

from sklearn_stats_compare._messages import ComparisonWarning
from sklearn_stats_compare.comparison._assumptions import (
    doubtful_rope,
    strained_assumptions,
    strained_structure,
    warn_of_survivors,
)
from sklearn_stats_compare.comparison._best import possibly_best_members
from sklearn_stats_compare.comparison._compare import compare
from sklearn_stats_compare.comparison._comparison import Comparison
from sklearn_stats_compare.comparison._labels import CandidateLabels, candidate_labels
from sklearn_stats_compare.comparison._profile import has_a_place, parameter_profile
from sklearn_stats_compare.comparison._results import (
    metrics_of,
    n_split_columns,
    split_scores,
    survivors,
)
from sklearn_stats_compare.comparison._rope import check_rope
from sklearn_stats_compare.comparison._split_columns import split_and_metric, split_column
from sklearn_stats_compare.comparison._stored import Stored, add_reader
from sklearn_stats_compare.comparison._stream import too_many_pairs
from sklearn_stats_compare.comparison._subgroup_comparison import SubgroupComparison
from sklearn_stats_compare.comparison._tables import PairNames, frequentist_table
from sklearn_stats_compare.comparison._undecided import Undecided
from sklearn_stats_compare.comparison._verdicts import verdict_counts, verdict_words

__all__ = [
    "CandidateLabels",
    "Comparison",
    "ComparisonWarning",
    "PairNames",
    "Stored",
    "SubgroupComparison",
    "Undecided",
    "add_reader",
    "candidate_labels",
    "check_rope",
    "compare",
    "doubtful_rope",
    "frequentist_table",
    "has_a_place",
    "metrics_of",
    "n_split_columns",
    "parameter_profile",
    "possibly_best_members",
    "split_and_metric",
    "split_column",
    "split_scores",
    "strained_assumptions",
    "strained_structure",
    "survivors",
    "too_many_pairs",
    "verdict_counts",
    "verdict_words",
    "warn_of_survivors",
]
