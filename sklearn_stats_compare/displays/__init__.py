"""Pictures of results. matplotlib is imported when something is drawn, and not before."""

from typing import Any

from sklearn_stats_compare.displays._differences import (
    DatasetDifferencesDisplay,
    LeaderDisplay,
    PairwiseDisplay,
)
from sklearn_stats_compare.displays._parameters import (
    ParameterHeatmapDisplay,
    ParameterProfileDisplay,
    SubgroupDisplay,
)
from sklearn_stats_compare.displays._posterior import (
    PosteriorDisplay,
    RopeSensitivityDisplay,
    SimplexDisplay,
)
from sklearn_stats_compare.displays._race import RaceDisplay
from sklearn_stats_compare.displays._ranks import (
    CriticalDifferenceDisplay,
    DatasetRanksDisplay,
    RankDisplay,
)
from sklearn_stats_compare.displays._recommendation import RecommendationDisplay
from sklearn_stats_compare.displays._scores import (
    LearningCurveComparisonDisplay,
    MetricScatterDisplay,
    RocComparisonDisplay,
    SplitScoresDisplay,
)

PICTURES: dict[str, Any] = {
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

DATASETS_PICTURES: dict[str, Any] = {
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
    "RecommendationDisplay",
    "RocComparisonDisplay",
    "RopeSensitivityDisplay",
    "SimplexDisplay",
    "SplitScoresDisplay",
    "SubgroupDisplay",
]
