"""Pictures of results. matplotlib is imported when something is drawn, and not before."""

from sklearn_stats_compare.displays._critical_difference import CriticalDifferenceDisplay
from sklearn_stats_compare.displays._dataset_differences import DatasetDifferencesDisplay
from sklearn_stats_compare.displays._dataset_ranks_plot import DatasetRanksDisplay
from sklearn_stats_compare.displays._leader import LeaderDisplay
from sklearn_stats_compare.displays._learning_curve_plot import LearningCurveComparisonDisplay
from sklearn_stats_compare.displays._metric_scatter import MetricScatterDisplay
from sklearn_stats_compare.displays._pairwise_plot import PairwiseDisplay
from sklearn_stats_compare.displays._parameter_heatmap import ParameterHeatmapDisplay
from sklearn_stats_compare.displays._parameter_profile import ParameterProfileDisplay
from sklearn_stats_compare.displays._posterior_plot import PosteriorDisplay
from sklearn_stats_compare.displays._race_plot import RaceDisplay
from sklearn_stats_compare.displays._rank_plot import RankDisplay
from sklearn_stats_compare.displays._roc_comparison import RocComparisonDisplay
from sklearn_stats_compare.displays._rope_sensitivity import RopeSensitivityDisplay
from sklearn_stats_compare.displays._simplex import SimplexDisplay
from sklearn_stats_compare.displays._split_scores import SplitScoresDisplay
from sklearn_stats_compare.displays._subgroups_plot import SubgroupDisplay

PICTURES = {
    "leader": LeaderDisplay,
    "pairwise": PairwiseDisplay,
    "parameter_heatmap": ParameterHeatmapDisplay,
    "parameter_profile": ParameterProfileDisplay,
    "posterior": PosteriorDisplay,
    "ranks": RankDisplay,
    "rope_sensitivity": RopeSensitivityDisplay,
    "split_scores": SplitScoresDisplay,
    "subgroups": SubgroupDisplay,
}
"""The displays of a comparison, by the kinds of ``comparison_.plot(kind)``."""

DATASETS_PICTURES = {
    "critical_difference": CriticalDifferenceDisplay,
    "differences": DatasetDifferencesDisplay,
    "ranks": DatasetRanksDisplay,
    "simplex": SimplexDisplay,
}
"""The displays of a comparison over data sets, by kind."""

__all__ = [
    "CriticalDifferenceDisplay",
    "DatasetDifferencesDisplay",
    "DatasetRanksDisplay",
    "LeaderDisplay",
    "LearningCurveComparisonDisplay",
    "MetricScatterDisplay",
    "PairwiseDisplay",
    "ParameterHeatmapDisplay",
    "ParameterProfileDisplay",
    "PosteriorDisplay",
    "RaceDisplay",
    "RankDisplay",
    "RocComparisonDisplay",
    "RopeSensitivityDisplay",
    "SimplexDisplay",
    "SplitScoresDisplay",
    "SubgroupDisplay",
]
