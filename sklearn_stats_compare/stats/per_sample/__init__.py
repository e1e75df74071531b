"""Values of the test samples of one split; their mean is the split's score."""

from sklearn_stats_compare.stats.per_sample._by_group import group_values
from sklearn_stats_compare.stats.per_sample._jackknife import MOST_GROUPS, jackknife_values
from sklearn_stats_compare.stats.per_sample._registry import (
    SAMPLE_METRICS,
    SampleMetric,
    refused_weights,
    sample_values,
)
from sklearn_stats_compare.stats.per_sample._shift import shifted

__all__ = [
    "MOST_GROUPS",
    "SAMPLE_METRICS",
    "SampleMetric",
    "group_values",
    "jackknife_values",
    "refused_weights",
    "sample_values",
    "shifted",
]
