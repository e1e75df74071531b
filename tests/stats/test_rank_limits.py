"""Confidence sets of ranks: verdicts counted by hand, special cases, invariances, coverage."""

import numpy as np
import pytest
from scipy import stats

from sklearn_stats_compare import SplitDesign, SplitScores
from sklearn_stats_compare.stats import RANK_METHODS, rank_limits
from sklearn_stats_compare.stats._pair_tests import PAIR_TESTS


def scores_of(values, k=5):
    n = np.shape(values)[1]
    return SplitScores(values, SplitDesign([k - 1] * n, [1] * n))


@pytest.mark.parametrize("method", RANK_METHODS)
def test_clear_differences_give_the_ranks_and_equal_scores_give_none(method):
    rng = np.random.default_rng(0)
    values = np.array([[0.5], [0.9], [0.7]]) + 0.01 * rng.standard_normal((3, 20))
    low, high = rank_limits(scores_of(values), method=method)
    assert low.tolist() == high.tolist() == [3, 1, 2]
    low, high = rank_limits(scores_of(np.tile(values[:1], (4, 1))), method=method)
    assert low.tolist() == [1] * 4
    assert high.tolist() == [4] * 4


def test_of_two_candidates_it_is_the_two_sided_test_of_scipy():
    uncorrected = PAIR_TESTS["uncorrected_t"]
    rng, decided = np.random.default_rng(1), 0
    for _ in range(50):
        values = rng.normal([[0.80], [0.82]], 0.03, (2, 15))
        low, high = rank_limits(scores_of(values), test=uncorrected)
        is_decided = stats.ttest_rel(*values).pvalue < 0.05
        decided += is_decided
        assert (low == high).all() == is_decided
    assert 10 < decided < 40


def test_holm_counts_ordered_pairs_by_hand():
    # Three candidates: of the six one-sided p-values the smallest is multiplied by 6, then by 5.
    rng = np.random.default_rng(2)
    values = np.array([[0.0], [0.6], [1.1]]) + rng.standard_normal((3, 40))
    scores = SplitScores(values, SplitDesign.from_ratio(1e-9, 40))
    p = {
        (i, j): stats.ttest_rel(values[i], values[j], alternative="greater").pvalue
        for i in range(3)
        for j in range(3)
        if i != j
    }
    order = sorted(p, key=p.get)
    shown = []
    for k, pair in enumerate(order):
        if p[pair] * (6 - k) >= 0.05:
            break
        shown.append(pair)
    assert 0 < len(shown) < 3
    low, high = rank_limits(scores, method="holm")
    expected_low = [1 + sum(loser == i for _, loser in shown) for i in range(3)]
    expected_high = [3 - sum(winner == i for winner, _ in shown) for i in range(3)]
    assert low.tolist() == expected_low
    assert high.tolist() == expected_high


def test_holm_is_never_wider_than_bonferroni():
    rng = np.random.default_rng(3)
    for _ in range(20):
        scores = scores_of(np.linspace(0, 0.1, 8)[:, None] + 0.03 * rng.standard_normal((8, 12)))
        wide, narrow = rank_limits(scores, method="bonferroni"), rank_limits(scores, method="holm")
        assert (narrow[0] >= wide[0]).all()
        assert (narrow[1] <= wide[1]).all()


@pytest.mark.parametrize("method", RANK_METHODS)
def test_order_scale_shift_and_missing_candidates(method):
    rng = np.random.default_rng(4)
    values = np.linspace(0, 0.2, 6)[:, None] + 0.03 * rng.standard_normal((6, 12))
    one = np.array(rank_limits(scores_of(values), method=method))
    turned = rng.permutation(6)
    other = np.array(rank_limits(scores_of(3 * values[turned] - 1), method=method))
    np.testing.assert_array_equal(other, one[:, turned])
    more = np.vstack([values, np.full(12, np.nan)])
    low, high = rank_limits(scores_of(more), method=method)
    np.testing.assert_array_equal([low[:6], high[:6]], one)
    assert np.isnan([low[6], high[6]]).all()


def test_limits_are_in_order_at_any_level():
    values = np.random.default_rng(6).normal(size=(2, 10))
    for method in RANK_METHODS:
        low, high = rank_limits(scores_of(values), method=method, alpha=0.9)
        assert (low <= high).all()


def test_one_split_and_one_candidate_know_nothing():
    low, high = rank_limits(SplitScores(np.ones((3, 1)), SplitDesign([4], [1])))
    assert (low.tolist(), high.tolist()) == ([1] * 3, [3] * 3)
    low, high = rank_limits(scores_of(np.ones((1, 5))))
    assert (low.tolist(), high.tolist()) == ([1], [1])


@pytest.mark.parametrize("method", RANK_METHODS)
@pytest.mark.parametrize("spread", [0.0, 1.0, 4.0])  # in standard deviations of a split
@pytest.mark.parametrize("n_splits", [5, 30])
def test_all_sets_contain_the_ranks_together(method, spread, n_splits):
    rng, m, n_tables = np.random.default_rng(5), 6, 60 if method == "maxt" else 400
    true = spread * np.array([0, 0, 0.3, 0.6, 0.6, 1])  # with ties
    rank = 1 + (true[:, None] < true).sum(axis=1)
    held = 0
    for _ in range(n_tables):
        common = np.sqrt(0.25) * rng.standard_normal((m, 1))
        values = true[:, None] + common + rng.standard_normal((m, n_splits))
        low, high = rank_limits(scores_of(values), method=method)
        held += ((low <= rank) & (rank <= high)).all()
    assert held / n_tables >= 0.95 - 2.5 * np.sqrt(0.05 * 0.95 / n_tables)
