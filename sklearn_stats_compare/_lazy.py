"""Names at the top of the package that are imported when they are asked for.

Searching and comparing need neither displays/ nor reports/.
"""

from importlib import import_module
from typing import Any

FOLDERS = {
    "CriticalDifferenceDisplay": "displays",
    "DatasetDifferencesDisplay": "displays",
    "DatasetRanksDisplay": "displays",
    "LeaderDisplay": "displays",
    "LearningCurveComparisonDisplay": "displays",
    "MetricScatterDisplay": "displays",
    "PairwiseDisplay": "displays",
    "ParameterHeatmapDisplay": "displays",
    "ParameterProfileDisplay": "displays",
    "PosteriorDisplay": "displays",
    "RaceDisplay": "displays",
    "RankDisplay": "displays",
    "RocComparisonDisplay": "displays",
    "RopeSensitivityDisplay": "displays",
    "SimplexDisplay": "displays",
    "SplitScoresDisplay": "displays",
    "SubgroupDisplay": "displays",
    "log_mlflow": "reports",
    "report": "reports",
}
"""Where each name is."""


def asked_for(name: str) -> Any:
    """What a name of `FOLDERS` stands for."""
    return getattr(import_module(f"sklearn_stats_compare.{FOLDERS[name]}"), name)


def pictures() -> dict[str, Any]:
    """The displays of a comparison, by kind."""
    found: dict[str, Any] = import_module("sklearn_stats_compare.displays").PICTURES
    return found


def pictures_of_datasets() -> dict[str, Any]:
    """The displays of a comparison over data sets, by kind."""
    found: dict[str, Any] = import_module("sklearn_stats_compare.displays").DATASETS_PICTURES
    return found
