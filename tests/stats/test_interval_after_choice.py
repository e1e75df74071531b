"""The interval after the choice: SciPy's t, Bonferroni by hand, invariances, simulated coverage."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from sklearn_stats_compare import SplitDesign, SplitScores
from sklearn_stats_compare.stats import selection_optimism
from sklearn_stats_compare.stats._interval_after_choice import interval_after_choice


def interval(values, level=0.95, ratio=0.25):
    scores = SplitScores(values, SplitDesign.from_ratio(ratio, np.shape(values)[1]))
    return selection_optimism(scores, method="tibshirani").confidence_interval(level)


def alone(row, level=0.95):
    """SciPy's t interval of one mean, for splits without overlap."""
    return tuple(stats.ttest_1samp(row, 0).confidence_interval(level))


def test_of_one_candidate_it_is_the_t_interval_of_scipy():
    values = np.random.default_rng(0).normal(0.8, 0.05, (1, 12))
    assert interval(values, 0.9, ratio=1e-12) == pytest.approx(alone(values[0], 0.9), rel=1e-9)


def test_of_equal_candidates_it_is_the_interval_of_one():
    row = np.random.default_rng(1).normal(0.8, 0.05, 12)
    assert interval([row] * 7, ratio=1e-12) == pytest.approx(alone(row), rel=1e-9)


def test_far_from_all_others_it_is_the_t_interval_but_for_the_share_that_finds_them():
    rng = np.random.default_rng(2)
    values = np.array([[9.0], [0.0], [0.1]]) + 0.1 * rng.normal(size=(3, 12))
    low, high = interval(values, ratio=1e-12)
    # The lower tail spends a tenth of 0.025 on that nobody else could have led.
    assert low == pytest.approx(alone(values[0], 1 - 2 * 0.0225)[0], rel=1e-9)
    assert high == pytest.approx(alone(values[0])[1], rel=1e-9)


def test_near_others_the_lower_limit_is_bonferronis_and_the_upper_one_that_of_a_fixed_candidate():
    values = np.random.default_rng(3).normal(size=(7, 15))
    best = values[values.mean(axis=1).argmax()]
    low, high = interval(values, ratio=1e-12)
    assert low == pytest.approx(alone(best, 1 - 2 * 0.0225 / 7)[0], rel=1e-9)
    assert high == pytest.approx(alone(best)[1], rel=1e-9)


def test_only_candidates_within_twice_the_critical_value_count():
    # Three candidates: a tenth of 0.025 over the 3·2 ordered differences.
    limit = 2 * stats.t.isf(0.0025 / 6, 9)
    for leads, n_plausible in (
        ([0.0, limit - 0.01], 3),
        ([0.0, limit + 0.01], 2),
        ([limit + 0.01, 50.0], 1),
    ):
        low, high = interval_after_choice(0.8, 0.02, 9, leads, 0.025)
        assert low == pytest.approx(0.8 - 0.02 * stats.t.isf(0.0225 / n_plausible, 9))
        assert high == pytest.approx(0.8 + 0.02 * stats.t.isf(0.025, 9))


@given(st.integers(0, 1000), st.floats(0.01, 100), st.floats(-5, 5))
def test_scale_shift_order_and_copies(seed, scale, shift):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(5, 10))
    one = np.array(interval(values))
    turned = rng.permutation(5)
    other = interval(scale * values[turned] + shift)
    np.testing.assert_allclose(other, scale * one + shift, rtol=1e-9, atol=1e-9 * scale)
    copied = np.vstack([values, values[[0, 3, 3]]])
    np.testing.assert_allclose(interval(copied), one, rtol=1e-12)


def test_levels_are_nested_and_missing_candidates_do_not_count():
    values = np.random.default_rng(4).normal(size=(6, 10))
    limits = [interval(values, level) for level in (0.01, 0.5, 0.9, 0.99, 0.9999)]
    for inner, outer in itertools.pairwise(limits):
        assert outer[0] < inner[0] <= values.mean(axis=1).max() <= inner[1] < outer[1]
    missing = np.vstack([values, np.full(10, np.nan)])
    assert interval(missing) == interval(values)


def test_without_variation_it_is_a_point_and_without_scores_it_is_unknown():
    assert interval(np.ones((3, 6))) == (1, 1)
    constant = np.ones((2, 6)) * [[0.9], [0.8]]
    assert interval(constant) == pytest.approx((0.9, 0.9))
    assert interval_after_choice(1.0, 0.0, 5, (0.0,), 0.0) == (1, 1)
    assert interval_after_choice(1.0, 0.1, 5, (0.0,), 0.0) == (-np.inf, np.inf)
    assert np.isnan(interval(np.full((2, 6), np.nan))).all()
    assert np.isnan(interval([[0.5], [0.6]])).all()


def coverage(m, n_splits, margin, spread=1.0, n_tables=300):
    """Share of tables whose interval contains the true mean of whatever leads.

    The first candidate is better by `margin`, and its scores vary `spread` times as much.
    """
    # With the variance of 2q that two shared effects have, q = 0.25 is that of the correction.
    rng, held = np.random.default_rng(6), 0
    true = np.r_[margin, np.zeros(m - 1)]
    for _ in range(n_tables):
        shared = np.sqrt(0.25) * (rng.standard_normal((m, 1)) + rng.standard_normal())
        own = rng.standard_normal((m, n_splits)) + rng.standard_normal(n_splits)
        values = true[:, None] + np.r_[spread, np.ones(m - 1)][:, None] * (shared + own)
        low, high = interval(values)
        held += low <= true[values.mean(axis=1).argmax()] <= high
    return held / n_tables


@pytest.mark.parametrize("margin", [0.0, 0.5, 3.0])  # in standard deviations of a split
@pytest.mark.parametrize(("m", "n_splits"), [(2, 10), (100, 10), (10, 5), (10, 30)])
def test_the_true_score_of_the_chosen_candidate_is_covered(margin, m, n_splits):
    assert coverage(m, n_splits, margin) >= 0.95 - 2.5 * np.sqrt(0.05 * 0.95 / 300)


@pytest.mark.parametrize("spread", [0.1, 10.0])
@pytest.mark.parametrize("margin", [-0.3, 0.3])
def test_it_is_covered_if_standard_errors_differ(margin, spread):
    # The upper limit is exact only for equal standard errors.
    assert coverage(5, 10, margin, spread) >= 0.95 - 2.5 * np.sqrt(0.05 * 0.95 / 300)
