"""Predictions of fitted estimators: recorded during scoring, stored, and turned into values.

May import scikit-learn and the exports of stats/. The folders that fit estimators use it.
"""

from sklearn_stats_compare.predictions._memory import are_large_values, check_memory
from sklearn_stats_compare.predictions._packed_arrays import check_labels
from sklearn_stats_compare.predictions._predicted import Predicted, Scoring
from sklearn_stats_compare.predictions._read_scorer import read_scorer, values_suffice
from sklearn_stats_compare.predictions._recording import (
    Keeping,
    by_metric,
    not_recording,
    recording,
)
from sklearn_stats_compare.predictions._responses import (
    CHOICE,
    CLASSES,
    VALUES,
    Responses,
    Scored,
    responses_of,
)
from sklearn_stats_compare.predictions._scorer_reading import ScorerReading, response_in
from sklearn_stats_compare.predictions._tested_by_samples import tested_by_samples
from sklearn_stats_compare.predictions._values_of_cells import ValuesOfCells

__all__ = [
    "CHOICE",
    "CLASSES",
    "VALUES",
    "Keeping",
    "Predicted",
    "Responses",
    "Scored",
    "ScorerReading",
    "Scoring",
    "ValuesOfCells",
    "are_large_values",
    "by_metric",
    "check_labels",
    "check_memory",
    "not_recording",
    "read_scorer",
    "recording",
    "response_in",
    "responses_of",
    "tested_by_samples",
    "values_suffice",
]
