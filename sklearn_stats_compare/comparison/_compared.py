"""Compared: the attributes of a comparison that its methods read."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare.comparison._candidate_names import CandidateNames
from sklearn_stats_compare.comparison._tables import PairNames
from sklearn_stats_compare.stats import PairedTTests, RopeProbabilities, Settings, SplitScores


class Compared(Protocol):
    """Scores, names, settings, and results that are computed once and shared by methods."""

    @property
    def scores(self) -> SplitScores:
        """Test scores, candidates × splits."""

    @property
    def metric(self) -> str:
        """Name of the score."""

    @property
    def note(self) -> str:
        """Where the scores come from."""

    @property
    def naming(self) -> str:
        """What labels are made of, in words."""

    @property
    def settings(self) -> Settings:
        """Test, adjustment, ROPE in score units and level."""

    @property
    def params(self) -> Sequence[Mapping[str, Any]] | None:
        """Parameters of each candidate."""

    @property
    def n_entered(self) -> int | None:
        """Number of candidates that the leader was chosen from."""

    @property
    def dropped_pvalue(self) -> float | None:
        """Highest p-value of candidates that a race dropped as worse on new data."""

    @property
    def _candidate_names(self) -> CandidateNames: ...

    @property
    def _pair_names(self) -> PairNames: ...

    @property
    def _all_pairs(self) -> PairedTTests: ...

    @property
    def _probabilities(self) -> RopeProbabilities: ...

    @property
    def _pairwise_frequentist(self) -> pd.DataFrame: ...

    @property
    def _pairwise_bayesian(self) -> pd.DataFrame: ...

    @property
    def _ranking(self) -> pd.DataFrame: ...

    @property
    def _leader_table(self) -> pd.DataFrame: ...

    @property
    def _possibly_best_members(self) -> NDArray[np.bool_]: ...
