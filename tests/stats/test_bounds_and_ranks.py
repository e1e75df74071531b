"""Bounds of the distance from the best and sets of ranks: SciPy, formulas by hand, coverage."""

from itertools import permutations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import integrate, optimize, stats
from statsmodels.stats.multitest import multipletests

from sklearn_stats_compare import SplitDesign, SplitScores
from sklearn_stats_compare.stats import _best, _family
from sklearn_stats_compare.stats._best import (
    RANK_METHODS,
    possibly_best_pvalues,
    rank_limits,
    regret_bounds,
)
from sklearn_stats_compare.stats._family import PAIR_TESTS

UNCORRECTED = PAIR_TESTS["uncorrected_t"]
BOUND_METHODS = ("mcb", "maxt")


def scores_of(values, k=5):
    n = np.shape(values)[1]
    return SplitScores(values, SplitDesign([k - 1] * n, [1] * n))


@pytest.fixture
def fewer_draws(monkeypatch):
    for module in (_family, _best):
        monkeypatch.setattr(module, "N_DRAWS", 2_500)


def test_of_two_candidates_the_bound_is_the_one_sided_interval():
    rng = np.random.default_rng(0)
    values = rng.normal([[0.80], [0.81]], 0.03, (2, 20))
    for a, b in permutations(values):
        bound = regret_bounds(scores_of([a, b]), test=UNCORRECTED)[0]
        expected = stats.ttest_rel(b, a).confidence_interval(0.90).high  # 95 % on one side
        assert bound == pytest.approx(max(0, expected), rel=1e-9)


def test_the_bound_is_the_formula_of_hsu_for_three_candidates():
    # The middle candidate may be the best, the worst may not; x_j - x_i + t·SE by hand.
    rng = np.random.default_rng(1)
    values = np.array([[0.9], [0.895], [0.7]]) + 0.01 * rng.standard_normal((3, 10))
    x = values.mean(axis=1)
    critical = stats.t.isf(0.05 / 2, 9)
    reach = {
        (j, i): x[j] - x[i] + critical * (values[j] - values[i]).std(ddof=1) * np.sqrt(0.1 + 0.25)
        for j, i in permutations(range(3), 2)
    }
    found = regret_bounds(scores_of(values))
    members = possibly_best_pvalues(scores_of(values)) >= 0.05
    assert members.tolist() == [True, True, False]
    expected = [reach[1, 0], reach[0, 1], max(reach[0, 2], reach[1, 2])]
    assert_allclose(found, expected, rtol=1e-9)


def test_maxt_has_dunnetts_critical_value():
    # Independent candidates, equal variances, many splits that do not overlap: the maximum of three
    # differences from one candidate has the distribution that Dunnett (1955) tabulates, 2.06 at one
    # side and 5 %. Computed here, because SciPy's `dunnett` draws its interval and has no seed for
    # it.
    def distribution(c):
        return integrate.quad(
            lambda z: stats.norm.pdf(z) * stats.norm.cdf(np.sqrt(2) * c + z) ** 3, -9, 9
        )[0]

    critical = optimize.brentq(lambda c: distribution(c) - 0.95, 0, 5)
    assert critical == pytest.approx(2.06, abs=0.005)
    rng = np.random.default_rng(2)
    values = rng.normal(size=(4, 5000)) + np.array([[0.0], [0.02], [0.01], [0.03]])
    found = regret_bounds(SplitScores(values, SplitDesign.from_ratio(1e-9, 5000)), method="maxt")
    for i in range(4):
        differences = np.delete(values, i, axis=0) - values[i]
        std_err = differences.std(axis=1, ddof=1) / np.sqrt(5000)
        # Of 20,000 draws, the 5 % point has a standard error of 0.015; correlations of 5,000 splits
        # are off by 0.014.
        limits = [
            (differences.mean(axis=1) + c * std_err).max()
            for c in (critical - 0.06, critical + 0.06)
        ]
        assert limits[0] <= found[i] <= limits[1]


def test_of_two_candidates_the_ranks_are_the_two_sided_test_of_scipy():
    rng, decided = np.random.default_rng(1), 0
    for _ in range(50):
        values = rng.normal([[0.80], [0.82]], 0.03, (2, 15))
        low, high = rank_limits(scores_of(values), test=UNCORRECTED)
        is_decided = stats.ttest_rel(*values).pvalue < 0.05
        decided += is_decided
        assert (low == high).all() == is_decided
    assert 10 < decided < 40


def test_holm_counts_ordered_pairs_as_statsmodels_does():
    # Three candidates: of the six one-sided p-values the smallest is multiplied by 6, then by 5.
    rng = np.random.default_rng(2)
    values = np.array([[0.0], [0.6], [1.1]]) + rng.standard_normal((3, 40))
    pairs = [*permutations(range(3), 2)]
    p = [stats.ttest_rel(values[i], values[j], alternative="greater").pvalue for i, j in pairs]
    shown = [pairs[k] for k in np.flatnonzero(multipletests(p, 0.05, "holm")[0])]
    assert 0 < len(shown) < 3
    low, high = rank_limits(SplitScores(values, SplitDesign.from_ratio(1e-9, 40)), method="holm")
    assert low.tolist() == [1 + sum(loser == i for _, loser in shown) for i in range(3)]
    assert high.tolist() == [3 - sum(winner == i for winner, _ in shown) for i in range(3)]


@pytest.mark.parametrize("method", RANK_METHODS)
def test_clear_differences_are_found_and_equal_scores_give_no_ranks(method):
    rng = np.random.default_rng(0)
    values = np.array([[0.5], [0.9], [0.7]]) + 0.01 * rng.standard_normal((3, 20))
    low, high = rank_limits(scores_of(values), method=method)
    assert low.tolist() == high.tolist() == [3, 1, 2]
    low, high = rank_limits(scores_of(np.tile(values[:1], (4, 1))), method=method)
    assert low.tolist() == [1] * 4
    assert high.tolist() == [4] * 4
    if method in BOUND_METHODS:
        found = regret_bounds(scores_of(values), method=method)
        assert found[1] == 0  # the only one that may be the best
        assert 0.4 < found[0] < 0.45


@pytest.mark.parametrize("method", BOUND_METHODS)
@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
@pytest.mark.usefixtures("fewer_draws")
def test_bounds_agree_with_the_possibly_best_set(method, alpha):
    for seed in range(4 if method == "maxt" else 12):  # which draws, for each
        rng = np.random.default_rng(seed)
        values = np.linspace(0, 0.03, 5)[:, None] + 0.02 * rng.standard_normal((5, 8))
        scores = scores_of(values)
        found = regret_bounds(scores, method=method, alpha=alpha, rng=seed)
        members = possibly_best_pvalues(scores, method=method, rng=seed) >= alpha
        behind = values.mean(axis=1).max() - values.mean(axis=1)
        assert (found >= behind).all()
        assert (found[members] == 0).all() == (members.sum() == 1)


@pytest.mark.parametrize("method", RANK_METHODS)
def test_order_scale_shift_subsets_and_missing_candidates(method):
    rng = np.random.default_rng(4)
    values = np.linspace(0, 0.2, 6)[:, None] + 0.03 * rng.standard_normal((6, 12))
    turned = rng.permutation(6)
    changed = scores_of(3 * values[turned] - 1)
    more = scores_of(np.vstack([values, np.full(12, np.nan)]))
    one = np.array(rank_limits(scores_of(values), method=method))
    assert_array_equal(rank_limits(changed, method=method), one[:, turned])
    assert_array_equal(rank_limits(more, method=method), np.column_stack([one, [np.nan, np.nan]]))
    if method == "bonferroni":  # draws depend on the order
        one = regret_bounds(scores_of(values))
        assert_allclose(regret_bounds(changed), 3 * one[turned])
        assert_allclose(regret_bounds(more), [*one, np.nan])
    if method in BOUND_METHODS:
        every = regret_bounds(scores_of(values), method=method)
        some = regret_bounds(scores_of(values), method=method, candidates=[4, 1])
        assert_array_equal(some[[1, 4]], every[[1, 4]])
        assert np.isnan(some[[0, 2, 3, 5]]).all()


def test_limits_are_in_order_and_bounds_not_below_the_difference_seen_at_any_level():
    values = np.random.default_rng(6).normal(size=(2, 10))
    means = values.mean(axis=1)
    for method in RANK_METHODS:
        low, high = rank_limits(scores_of(values), method=method, alpha=0.9)
        assert (low <= high).all()
    for method in BOUND_METHODS:
        found = regret_bounds(scores_of(values), alpha=0.9, method=method)
        assert (found >= means.max() - means - 1e-12).all()


def test_one_split_one_candidate_or_no_training_samples_know_nothing():
    one_split = SplitScores(np.ones((3, 1)), SplitDesign([4], [1]))
    low, high = rank_limits(one_split)
    assert (low.tolist(), high.tolist()) == ([1] * 3, [3] * 3)
    assert np.isnan(regret_bounds(one_split)).all()
    low, high = rank_limits(scores_of(np.ones((1, 5))))
    assert (low.tolist(), high.tolist()) == ([1], [1])
    assert regret_bounds(scores_of(np.ones((1, 5))), method="maxt").tolist() == [0.0]
    values = np.random.default_rng(8).normal(size=(2, 4))
    untrained = SplitScores(values, SplitDesign([0] * 4, [5] * 4))
    assert np.isinf(regret_bounds(untrained)).all()
    assert np.isinf(regret_bounds(untrained, alpha=0.5)).all()  # the critical value is 0


def test_levels_that_the_draws_of_maxt_cannot_reach_are_refused():
    scores = scores_of(np.random.default_rng(8).normal(size=(3, 10)))
    with pytest.raises(ValueError, match=r"`alpha` must be above 1/20,001 with .*; got 4e-05"):
        regret_bounds(scores, alpha=4e-5, method="maxt")
    assert np.isfinite(regret_bounds(scores, alpha=4e-5)).all()
    assert np.isfinite(regret_bounds(scores, alpha=2e-4, method="maxt")).all()


@pytest.mark.parametrize("method", BOUND_METHODS)
def test_copies_have_one_bound_that_depends_on_the_number_of_samples(method):
    values = np.random.default_rng(5).normal(size=(3, 10))
    values[2] = values[0]
    found = regret_bounds(scores_of(values), method=method)
    assert found[0] == found[2]
    # Beyond ±1 the contribution of a sample is unknown, and copies are taken as equal.
    apart = scores_of(3 + values[[0, 2]])
    assert regret_bounds(apart, method=method).tolist() == [0.0, 0.0]
    # Otherwise a true difference of h stays unseen in n samples with probability (1 − h)ⁿ.
    within = scores_of(values[[0, 2]] / 10)
    expected = 1 - 0.05 ** (1 / within.n_agreed)
    found = regret_bounds(within, method=method)
    assert_allclose(found, [expected, expected])


def all_bounds_hold(true, scores, method):
    return (true.max() - true <= regret_bounds(scores, method=method)).all()


def all_sets_contain_the_ranks(true, scores, method):
    rank = 1 + (true[:, None] < true).sum(axis=1)
    low, high = rank_limits(scores, method=method)
    return ((low <= rank) & (rank <= high)).all()


@pytest.mark.parametrize(
    ("holds", "method"),
    [(all_bounds_hold, method) for method in BOUND_METHODS]
    + [(all_sets_contain_the_ranks, method) for method in RANK_METHODS],
)
@pytest.mark.parametrize(  # in standard deviations of a split
    "spread", [0.5, *(pytest.param(x, marks=pytest.mark.slow) for x in (0.0, 4.0))]
)
@pytest.mark.parametrize(
    ("n_splits", "n_tables"),
    # The bound is wider for few tables only by their standard error.
    [(5, 20), *(pytest.param(n, 400, marks=pytest.mark.slow) for n in (5, 30))],
)
@pytest.mark.usefixtures("fewer_draws")
def test_all_limits_hold_together(holds, method, spread, n_splits, n_tables):
    # The model of the correction: splits of a candidate share a variance of q beside their own, 1.
    rng, held = np.random.default_rng(6), 0
    true = spread * np.array([0, 0, 0.3, 0.6, 0.6, 1])  # with ties
    for _ in range(n_tables):
        common = np.sqrt(0.25) * rng.standard_normal((6, 1))
        values = true[:, None] + common + rng.standard_normal((6, n_splits))
        held += holds(true, scores_of(values), method)
    assert held / n_tables >= 0.95 - 2.5 * np.sqrt(0.05 * 0.95 / n_tables)
