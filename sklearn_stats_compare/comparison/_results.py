"""Results of a search → the scores that a comparison is made of."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from sklearn_stats_compare.stats import SplitDesign, SplitScores

_PREFIX = "mean_test_"


def metrics_of(cv_results: Mapping[str, Any]) -> list[str]:
    """Names of the metrics in `cv_results`; a single metric is called "score"."""
    return [key.removeprefix(_PREFIX) for key in cv_results if str(key).startswith(_PREFIX)]


def split_scores(cv_results: Mapping[str, Any], metric: str, design: SplitDesign) -> SplitScores:
    """The split scores of one metric of `cv_results`, candidates × splits."""
    columns = [cv_results[f"split{k}_test_{metric}"] for k in range(design.n_splits)]
    return SplitScores(np.column_stack(columns), design)
