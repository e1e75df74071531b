"""Stage: the candidates that a search evaluated on the same splits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sklearn_stats_compare.stats import SplitDesign


@dataclass(frozen=True, eq=False)
class Stage:
    """Candidates that were evaluated on the same splits, perhaps in several batches.

    Attributes
    ----------
    rows : tuple of int
        The candidates, as rows of ``cv_results_``.
    design : SplitDesign
        Of the splits.
    split_keys : tuple of str
        Of the same splits.
    n_batches : int
        Number of calls of `evaluate_candidates`: from the second on, scores may have chosen the
        candidates.
    n_resources : object
        Resources of each candidate in a halving search; None in others.
    """

    rows: tuple[int, ...]
    design: SplitDesign
    split_keys: tuple[str, ...]
    n_batches: int = 1
    n_resources: Any = None

    def of(self, results: Mapping[str, Any]) -> dict[str, Any]:
        """The columns of ``cv_results_`` for these candidates only."""
        return {name: _chosen(column, self.rows) for name, column in results.items()}


def _chosen(column: Any, rows: Sequence[int]) -> Any:
    # `params` is a list; scores and masked arrays of parameters are arrays.
    return column[list(rows)] if isinstance(column, np.ndarray) else [column[i] for i in rows]
