"""How often the leader of equal candidates is significant within a subgroup, at nominal 5 %."""

import numpy as np
import pytest

from benchmarks._sample_cells import SAMPLE_CELLS
from sklearn_stats_compare import Comparison, SampleScores, SplitDesign, SplitScores


def false_claims(m, n_groups, n_data_sets, seed=0, n=240):
    """Share of data sets in which any verdict within a subgroup is better or worse."""
    rng = np.random.default_rng(seed)
    n_test = np.full(5, n // 5)
    design = SplitDesign(n - n_test, n_test, np.zeros(5, dtype=int))
    groups = np.arange(n) % n_groups
    claims = 0
    for _ in range(n_data_sets):
        # Correlated 0/1 values: candidates differ on some samples.
        values = rng.normal(size=(1, 1, n)) + rng.normal(size=(m, 1, n)) > -1
        values = values.astype(float)
        splits = values.reshape(m, 5, -1).mean(axis=2)
        scores = SplitScores(splits, design, SampleScores(values, 5))
        # Values are drawn, not fitted: without variance between refits the test is exact.
        comparison = Comparison(scores, test="samples", warn=False)
        verdicts = comparison.by(groups).table["verdict"]
        claims += verdicts.isin(["better", "worse"]).any()
    return claims / n_data_sets


@pytest.mark.slow
def test_equal_trees_are_rarely_rejected_in_any_subgroup():
    cell, rng = SAMPLE_CELLS["trees, accuracy, n = 300"], np.random.default_rng(2)
    groups = np.arange(300) % 3
    claims = 0
    for _ in range(60):
        comparison = Comparison(cell.scores(rng, 5, 2), test="samples", warn=False)
        claims += comparison.by(groups).table["verdict"].isin(["better", "worse"]).any()
    assert claims / 60 <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 60)


@pytest.mark.slow
@pytest.mark.parametrize(("m", "n_groups"), [(2, 4), (10, 2), (10, 8)])
def test_leader_of_equal_candidates_is_rarely_significant_in_any_subgroup(m, n_groups):
    rate = false_claims(m, n_groups, 400)
    assert rate <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 400)
