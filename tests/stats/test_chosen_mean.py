"""Intervals after the choice: SciPy's t far from rivals, truncation by simulation, coverage."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from sklearn_stats_compare import SplitDesign, SplitScores
from sklearn_stats_compare.stats._chosen_mean import AFTER_CHOICE, ChosenMean


def scores_of(values, k=5):
    n = np.shape(values)[1]
    return SplitScores(values, SplitDesign([k - 1] * n, [1] * n))


def independent(values):
    """Splits without overlap: the standard error is SciPy's."""
    return SplitScores(values, SplitDesign.from_ratio(1e-12, np.shape(values)[1]))


@pytest.mark.parametrize("method", ["conditional", "projection"])
def test_without_a_choice_it_is_the_t_interval_of_scipy(method):
    values = np.random.default_rng(0).normal(0.8, 0.05, (1, 12))
    expected = stats.ttest_1samp(values[0], 0).confidence_interval(0.9)
    found = ChosenMean.of(independent(values)).limits(0.05, method)
    assert found == pytest.approx(tuple(expected), rel=1e-9)


def test_far_from_all_rivals_conditional_is_the_t_interval():
    rng = np.random.default_rng(1)
    values = np.array([[5.0], [0.0], [0.1]]) + 0.1 * rng.normal(size=(3, 12))
    expected = stats.ttest_1samp(values[0], 0).confidence_interval(0.95)
    found = ChosenMean.of(independent(values)).limits(0.025, "conditional")
    assert found == pytest.approx(tuple(expected), rel=1e-6)


def test_projection_is_bonferronis_interval():
    values = np.random.default_rng(2).normal(size=(7, 15))
    best = values[values.mean(axis=1).argmax()]
    expected = stats.ttest_1samp(best, 0).confidence_interval(1 - 0.05 / 7)
    found = ChosenMean.of(independent(values)).limits(0.025, "projection")
    assert found == pytest.approx(tuple(expected), rel=1e-9)


def test_hybrid_is_within_the_projection_at_a_tenth_of_alpha():
    rng = np.random.default_rng(3)
    for _ in range(20):
        chosen = ChosenMean.of(scores_of(rng.normal(size=(5, 10))))
        outer, inner = chosen.limits(0.0025, "projection"), chosen.limits(0.025)
        assert outer[0] - 1e-9 <= inner[0] < inner[1] <= outer[1] + 1e-9


@pytest.mark.parametrize("correlation", [0.0, 0.7])
def test_limits_have_the_stated_tails_of_the_truncated_distribution(correlation):
    # Means of 4,000 splits, so that covariances are known. At the true mean that is the lower
    # limit, draws that choose the first candidate, given the rest of the second one's mean after
    # regression, exceed the observed mean in 20 %.
    rng, n = np.random.default_rng(4), 4000
    cov = np.array([[1.0, correlation * 1.5], [correlation * 1.5, 2.25]])
    values = np.linalg.cholesky(cov) @ rng.normal(size=(2, n))
    covariance = np.cov(values) / n
    error = np.sqrt(covariance[0, 0])
    values += (np.array([1.5, 0.0]) * error - values.mean(axis=1))[:, None]
    low, high = ChosenMean.of(independent(values)).limits(0.2, "conditional")
    observed = values.mean(axis=1)
    slope = covariance[0, 1] / covariance[0, 0]
    rest = observed[1] - slope * observed[0]
    for limit, tail in ((low, 0.2), (high, 0.8)):
        drawn = limit + error * rng.normal(size=2_000_000)
        leads = drawn >= rest + slope * drawn
        share = (drawn[leads] >= observed[0]).mean()
        n_leads = leads.sum()
        assert share == pytest.approx(tail, abs=4 * np.sqrt(0.2 * 0.8 / n_leads) + 0.002)


@given(st.integers(0, 1000), st.floats(0.01, 100), st.floats(-5, 5))
def test_scale_shift_order_and_copies(seed, scale, shift):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(5, 10))
    turned = rng.permutation(5)
    for method in AFTER_CHOICE:
        one = np.array(ChosenMean.of(scores_of(values)).limits(0.025, method))
        other = ChosenMean.of(scores_of(scale * values[turned] + shift)).limits(0.025, method)
        tolerance = 1e-6 * scale * (1 + np.abs(one).max() + abs(shift))
        np.testing.assert_allclose(other, scale * one + shift, atol=tolerance, rtol=1e-5)
    # A copy of the leader, and one that differs by rounding, say nothing about it.
    best = values[values.mean(axis=1).argmax()]
    copied = np.vstack([values, best, best * (1 + 1e-16)])
    one = ChosenMean.of(scores_of(values)).limits(0.025, "conditional")
    np.testing.assert_allclose(
        ChosenMean.of(scores_of(copied)).limits(0.025, "conditional"), one, rtol=1e-9
    )


def test_no_variation_and_levels_near_one():
    assert ChosenMean.of(scores_of(np.ones((3, 6)))).limits(0.025) == (1, 1)
    chosen = ChosenMean.of(scores_of(np.random.default_rng(5).normal(size=(3, 6))))
    assert chosen.limits(0.0) == (-np.inf, np.inf)
    with pytest.raises(ValueError, match="`method` must be one of"):
        chosen.limits(0.025, "naive")


def coverage(method, m, n_splits, margin, n_tables=300):
    """Share of tables whose interval contains the true mean of whatever leads."""
    rng, held = np.random.default_rng(6), 0
    true = np.r_[margin, np.zeros(m - 1)]
    for _ in range(n_tables):
        shared = np.sqrt(0.25) * (rng.standard_normal((m, 1)) + rng.standard_normal())
        own = rng.standard_normal((m, n_splits)) + rng.standard_normal(n_splits)
        scores = scores_of(true[:, None] + shared + own)
        low, high = ChosenMean.of(scores).limits(0.025, method)
        held += low <= true[scores.order[0]] <= high
    return held / n_tables


@pytest.mark.parametrize("method", AFTER_CHOICE)
@pytest.mark.parametrize("margin", [0.0, 0.5, 3.0])  # in standard deviations of a split
@pytest.mark.parametrize(("m", "n_splits"), [(2, 10), (100, 10), (10, 5), (10, 30)])
def test_the_true_score_of_the_chosen_candidate_is_covered(method, margin, m, n_splits):
    # With the variance of 2q that the two shared effects have, q = 0.25 is that of the correction.
    assert coverage(method, m, n_splits, margin) >= 0.95 - 2.5 * np.sqrt(0.05 * 0.95 / 300)
