"""Models over several data sets: ranks, tests, posteriors and tables.

May import comparison/ and the exports of stats/. displays/, reports/ and evaluation/ use it.
"""

from sklearn_stats_compare.datasets._compare_datasets import compare_datasets
from sklearn_stats_compare.datasets._datasets_comparison import DatasetsComparison
from sklearn_stats_compare.datasets._datasets_shown import register_pictures_of_datasets
from sklearn_stats_compare.datasets._datasets_strain import strained_datasets

__all__ = [
    "DatasetsComparison",
    "compare_datasets",
    "register_pictures_of_datasets",
    "strained_datasets",
]
