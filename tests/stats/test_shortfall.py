"""Bounds of the distance from the best: SciPy's interval, Hsu's formula, agreement, coverage."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import integrate, optimize, stats

from sklearn_stats_compare import SplitDesign, SplitScores
from sklearn_stats_compare.stats import possibly_best_pvalues, shortfall_bounds
from sklearn_stats_compare.stats._pair_tests import PAIR_TESTS


def scores_of(values, k=5):
    n = np.shape(values)[1]
    return SplitScores(values, SplitDesign([k - 1] * n, [1] * n))


def test_of_two_candidates_it_is_the_one_sided_interval():
    rng = np.random.default_rng(0)
    values = rng.normal([[0.80], [0.81]], 0.03, (2, 20))
    uncorrected = PAIR_TESTS["uncorrected_t"]
    for a, b in ((values[0], values[1]), (values[1], values[0])):
        bound = shortfall_bounds(scores_of([a, b]), test=uncorrected)[0]
        expected = stats.ttest_rel(b, a).confidence_interval(0.90).high  # 95 % on one side
        assert bound == pytest.approx(max(0, expected), rel=1e-9)


def test_it_is_the_formula_of_hsu_for_three_candidates():
    # The middle candidate may be the best, the worst may not; x_j - x_i + t·SE by hand.
    rng = np.random.default_rng(1)
    values = np.array([[0.9], [0.895], [0.7]]) + 0.01 * rng.standard_normal((3, 10))
    x = values.mean(axis=1)
    critical = stats.t.isf(0.05 / 2, 9)
    reach = {
        (j, i): x[j] - x[i] + critical * (values[j] - values[i]).std(ddof=1) * np.sqrt(0.1 + 0.25)
        for j in range(3)
        for i in range(3)
    }
    found = shortfall_bounds(scores_of(values))
    members = possibly_best_pvalues(scores_of(values)) >= 0.05
    assert members.tolist() == [True, True, False]
    expected = [reach[1, 0], reach[0, 1], max(reach[0, 2], reach[1, 2])]
    np.testing.assert_allclose(found, expected, rtol=1e-9)


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
    found = shortfall_bounds(SplitScores(values, SplitDesign.from_ratio(1e-9, 5000)), method="maxt")
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


@pytest.mark.parametrize("method", ["bonferroni", "maxt"])
def test_the_only_possibly_best_candidate_has_no_shortfall(method):
    rng = np.random.default_rng(3)
    values = np.array([[0.9], [0.5], [0.4]]) + 0.01 * rng.standard_normal((3, 10))
    found = shortfall_bounds(scores_of(values), method=method)
    assert found[0] == 0
    assert 0.4 < found[1] < 0.45


@pytest.mark.parametrize("method", ["bonferroni", "maxt"])
@given(seed=st.integers(0, 500), alpha=st.sampled_from([0.01, 0.05, 0.2]))
def test_bounds_agree_with_the_possibly_best_set(method, seed, alpha):
    rng = np.random.default_rng(seed)
    values = np.linspace(0, 0.03, 5)[:, None] + 0.02 * rng.standard_normal((5, 8))
    scores = scores_of(values)
    found = shortfall_bounds(scores, method=method, alpha=alpha, rng=seed)
    members = possibly_best_pvalues(scores, method=method, rng=seed) >= alpha
    behind = values.mean(axis=1).max() - values.mean(axis=1)
    assert (found >= behind).all()
    assert (found[members] == 0).all() == (members.sum() == 1)


def test_scale_shift_and_order():
    rng = np.random.default_rng(4)
    values = rng.normal(size=(6, 10))
    one = shortfall_bounds(scores_of(values))
    np.testing.assert_allclose(shortfall_bounds(scores_of(3 * values + 7)), 3 * one)
    turned = rng.permutation(6)
    np.testing.assert_allclose(shortfall_bounds(scores_of(values[turned])), one[turned])


def test_bounds_of_some_candidates_are_those_of_all():
    values = np.random.default_rng(7).normal(size=(6, 10))
    for method in ("bonferroni", "maxt"):
        every = shortfall_bounds(scores_of(values), method=method)
        some = shortfall_bounds(scores_of(values), method=method, candidates=[4, 1])
        np.testing.assert_array_equal(some[[1, 4]], every[[1, 4]])
        assert np.isnan(some[[0, 2, 3, 5]]).all()


def test_without_training_samples_no_bound_is_known():
    values = np.random.default_rng(8).normal(size=(2, 4))
    scores = SplitScores(values, SplitDesign([0] * 4, [5] * 4))
    assert np.isinf(shortfall_bounds(scores)).all()
    assert np.isinf(shortfall_bounds(scores, alpha=0.5)).all()  # the critical value is 0


def test_levels_that_the_draws_of_maxt_cannot_reach_are_refused():
    scores = scores_of(np.random.default_rng(8).normal(size=(3, 10)))
    with pytest.raises(ValueError, match=r"`alpha` must be above 1/20,001 with .*; got 4e-05"):
        shortfall_bounds(scores, alpha=4e-5, method="maxt")
    assert np.isfinite(shortfall_bounds(scores, alpha=4e-5)).all()
    assert np.isfinite(shortfall_bounds(scores, alpha=2e-4, method="maxt")).all()


def test_no_bound_is_below_the_difference_seen():
    values = np.random.default_rng(9).normal(size=(2, 10))
    means = values.mean(axis=1)
    for method in ("bonferroni", "maxt"):
        found = shortfall_bounds(scores_of(values), alpha=0.9, method=method)
        assert (found >= means.max() - means - 1e-12).all()


def test_missing_candidates_and_copies():
    rng = np.random.default_rng(5)
    values = rng.normal(size=(4, 10))
    values[2, 3] = np.nan
    values[3] = values[0]
    found = shortfall_bounds(scores_of(values))
    assert np.isnan(found[2])
    np.testing.assert_allclose(found[[0, 1, 3]], shortfall_bounds(scores_of(values[[0, 1, 3]])))
    assert found[0] == found[3]
    assert np.isnan(shortfall_bounds(SplitScores(values[:, :1], SplitDesign([4], [1])))).all()
    only = shortfall_bounds(scores_of(values[:1]), method="maxt")
    assert only.tolist() == [0.0]
    for method in ("bonferroni", "maxt"):
        # Beyond ±1 the contribution of a sample is unknown, and copies are taken as equal.
        apart = scores_of(3 + values[[0, 3]])
        assert shortfall_bounds(apart, method=method).tolist() == [0.0, 0.0]
        # Otherwise a true difference of h stays unseen in n samples with probability (1 − h)ⁿ.
        within = scores_of(values[[0, 3]] / 10)
        expected = 1 - 0.05 ** (1 / within.n_agreed)
        found = shortfall_bounds(within, method=method)
        np.testing.assert_allclose(found, [expected, expected])


@pytest.mark.parametrize("method", ["bonferroni", "maxt"])
@pytest.mark.parametrize("spread", [0.0, 0.3, 2.0])  # in standard deviations of a split
@pytest.mark.parametrize("n_splits", [5, 30])
def test_all_bounds_hold_together(method, spread, n_splits):
    # The model of the correction: splits of a candidate share a variance of q beside their own, 1.
    rng, m, n_tables = np.random.default_rng(6), 6, 400 if method == "bonferroni" else 60
    true = spread * np.linspace(0, 1, m)
    held = 0
    for _ in range(n_tables):
        common = np.sqrt(0.25) * rng.standard_normal((m, 1))
        values = true[:, None] + common + rng.standard_normal((m, n_splits))
        bounds = shortfall_bounds(scores_of(values), method=method)
        held += (true.max() - true <= bounds).all()
    error = np.sqrt(0.05 * 0.95 / n_tables)
    assert held / n_tables >= 0.95 - 2.5 * error
