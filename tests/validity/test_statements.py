"""How often statements of other kinds are wrong, on simulated scores and real learners.

The leader's interval, and all shortfalls and all ranks at once, of thirty candidates and accuracies
of six samples a fold among others; the possibly-best set after a race, compared with a full search;
a candidate named beforehand against its equals (`against`; the figures are in docs/evidence);
and the leader of equal candidates within a subgroup. All at nominal 5 %.
"""

import numpy as np
import pytest

from benchmarks import simultaneous
from benchmarks._sample_cells import SAMPLE_CELLS
from benchmarks.racing import ALPHA, missed
from sklearn_stats_compare import Comparison, SplitDesign, SplitScores
from sklearn_stats_compare.stats import SampleScores, _family

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("cell", simultaneous.CELLS)
def test_statements_on_all_candidates_and_on_the_leader_hold(cell, show):
    table = simultaneous.rates(cell, 400)
    show(cell, (100 * table).round(2).to_string())
    # A rate contradicts its level of 95 % only if it ± 2 standard errors is below. The standard
    # error is that of a rate of 95 %: a rate of 100 % has none of its own.
    assert (table["rate"] + 2 * (0.05 * 0.95 / 400) ** 0.5 >= 0.95).all()


@pytest.mark.parametrize("n_candidates", [5, 20])
def test_race_drops_a_true_best_that_a_full_search_keeps(n_candidates, show):
    n_tables = 1000
    found = missed(n_candidates, n_tables)
    show(f"{n_candidates} equal candidates: not in the possibly-best set {found}")
    error = np.sqrt(ALPHA * (1 - ALPHA) / n_tables)
    assert found["full"] <= ALPHA + 2 * error
    # As documented, a race drops most of several equal candidates, so that a given one is more
    # often out than in.
    assert found["hopeless"] > 0.5
    # A race by inferiority keeps the guarantee.
    assert found["inferior"] <= ALPHA + 2 * error


ADJUSTMENTS = ("bonferroni", "maxt")
N_TABLES = 500


def rates_of(tables, design):
    """Share of tables in which the first candidate differs from any other."""
    rejected = dict.fromkeys(ADJUSTMENTS, 0)
    for values in tables:
        scores = SplitScores(values, design)
        for p_adjust in ADJUSTMENTS:
            table = Comparison(scores, p_adjust=p_adjust, warn=False).against(0)
            rejected[p_adjust] += table["p_val"].min() < 0.05
    return {p_adjust: count / N_TABLES for p_adjust, count in rejected.items()}


def check(rates, what):
    for p_adjust, rate in rates.items():
        error = np.sqrt(max(rate, 1 / N_TABLES) * (1 - rate) / N_TABLES)
        print(f"{what}, {p_adjust}: {100 * rate:.1f} ± {100 * error:.1f} %")
        assert rate <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / N_TABLES)


@pytest.mark.parametrize("coarse", [False, True])
@pytest.mark.parametrize(("m", "n_splits"), [(6, 5), (30, 5), (30, 10)])
def test_equal_candidates_with_the_dependence_that_the_correction_assumes(
    m, n_splits, coarse, monkeypatch
):
    monkeypatch.setattr(_family, "N_DRAWS", 500)  # (1 + count)/(1 + draws) keeps the level
    rng = np.random.default_rng(1)
    tables = np.sqrt(0.2) * rng.standard_normal((N_TABLES, m, 1))
    tables = tables + np.sqrt(0.8) * rng.standard_normal((N_TABLES, m, n_splits))
    if coarse:  # as the accuracy of a handful of samples is
        tables = np.round(tables / 2)
    design = SplitDesign([4] * n_splits, [1] * n_splits)
    check(rates_of(tables, design), f"{m} candidates, {n_splits} splits, coarse: {coarse}")


def test_equal_unpruned_trees_on_five_folds(monkeypatch):
    monkeypatch.setattr(_family, "N_DRAWS", 500)
    tables = simultaneous.equal_trees(N_TABLES)
    check(rates_of(tables, SplitDesign([80] * 5, [20] * 5)), "6 random trees, 5 folds")


def test_equal_trees_are_rarely_rejected_in_any_subgroup():
    cell, rng = SAMPLE_CELLS["trees, accuracy, n = 300"], np.random.default_rng(2)
    groups = np.arange(300) % 3
    claims = 0
    for _ in range(60):
        comparison = Comparison(cell.scores(rng, 5, 2), test="samples", warn=False)
        claims += comparison.by(groups).table["verdict"].isin(["better", "worse"]).any()
    assert claims / 60 <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 60)


@pytest.mark.parametrize(("m", "n_groups"), [(2, 4), (10, 2), (10, 8)])
def test_leader_of_equal_candidates_is_rarely_significant_in_any_subgroup(m, n_groups):
    rng, n = np.random.default_rng(0), 240
    design = SplitDesign([n - n // 5] * 5, [n // 5] * 5, [0] * 5)
    claims = 0
    for _ in range(400):
        # Correlated 0/1 values: candidates differ on some samples. They are drawn, not fitted:
        # without variance between refits the test is exact.
        values = rng.normal(size=(1, 1, n)) + rng.normal(size=(m, 1, n)) > -1
        samples = SampleScores(values.astype(float), 5)
        scores = SplitScores(values.reshape(m, 5, -1).mean(axis=2), design, samples)
        found = Comparison(scores, test="samples", warn=False).by(np.arange(n) % n_groups)
        claims += found.table["verdict"].isin(["better", "worse"]).any()
    assert claims / 400 <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 400)
