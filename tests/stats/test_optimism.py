"""Optimism of the leader's mean, and its interval after the choice: references, and simulation."""

from itertools import pairwise, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from sklearn_stats_compare import SplitDesign, SplitScores
from sklearn_stats_compare.stats._nested import (
    OPTIMISM_METHODS,
    interval_after_choice,
    selection_optimism,
)

every_method = pytest.mark.parametrize("method", OPTIMISM_METHODS)


def in_repeats(values, n_folds):
    """Scores on repeated k-fold splits of 100 samples."""
    n_test = np.full(np.shape(values)[1], 100 // n_folds)
    return SplitScores(values, SplitDesign(100 - n_test, n_test, np.arange(len(n_test)) // n_folds))


@pytest.fixture
def moons_scores(moons_comparison):
    return in_repeats(moons_comparison.scores.values, 10)


def test_tibshirani_subtracts_the_mean_lead_of_the_best_on_each_split(moons_scores):
    result = selection_optimism(moons_scores, method="tibshirani")
    assert result.optimism == pytest.approx(0.0100, abs=1e-12)
    assert result.corrected_mean == pytest.approx(0.9300, abs=1e-12)  # 0.9400 − 0.0100


def test_cross_selection_scores_the_best_of_the_other_folds_on_each_fold(moons_scores):
    # By hand: a loop over the splits, ties on the other nine folds averaged.
    values = moons_scores.values
    picked = []
    for split in range(100):
        repeat = np.arange(100) // 10 == split // 10
        repeat[split] = False
        elsewhere = np.round(values[:, repeat].mean(axis=1), 12)
        picked.append(values[elsewhere == elsewhere.max(), split].mean())
    result = selection_optimism(moons_scores, method="cross_selection")
    assert result.corrected_mean == pytest.approx(np.mean(picked), abs=1e-12)
    # These are the values if every tie is broken for the worse or for the better.
    assert 0.9328 < result.corrected_mean < 0.9368


def test_cross_selection_of_two_candidates_and_two_folds():
    # On fold 0 the other fold prefers B (0.9 > 0.5), which scores 0.1 there; on fold 1 it
    # prefers A (0.8 > 0.1), which scores 0.5 there.
    scores = in_repeats([[0.8, 0.5], [0.1, 0.9]], 2)
    result = selection_optimism(scores, method="cross_selection")
    assert result.mean == pytest.approx(0.65)
    assert result.corrected_mean == pytest.approx(0.3)  # (0.1 + 0.5) / 2
    assert result.optimism == pytest.approx(0.35)


def test_fold_bootstrap_converges_to_the_enumeration_of_resamples():
    rng = np.random.default_rng(3)
    values = rng.normal(size=(4, 3))
    picked = []
    for drawn in product(range(3), repeat=3):
        left = [k for k in range(3) if k not in drawn]
        if left:
            best = np.argmax(values[:, drawn].mean(axis=1))
            picked.append(values[best, left].mean())
    # The expected score of the leader on the other folds is its mean: only noise differs.
    result = selection_optimism(in_repeats(np.tile(values, 2_000), 3), rng=0)
    assert result.corrected_mean == pytest.approx(np.mean(picked), abs=0.02)  # 40,000 resamples


@every_method
def test_without_a_choice_or_with_a_leader_on_every_split_optimism_is_zero(method):
    for values in (np.ones((1, 10)), [[0.1 * k for k in range(10)]] * 3):
        result = selection_optimism(in_repeats(values, 5), method=method, rng=0)
        assert result.optimism == 0
        assert result.corrected_mean == result.mean
    noise = np.random.default_rng(0).normal(size=20)
    scores = in_repeats([noise, noise + 1, noise - 1], 10)
    assert selection_optimism(scores, method=method, rng=0).optimism == pytest.approx(0, abs=1e-12)


@given(
    arrays(float, (4, 12), elements=st.floats(-1, 1)),
    st.permutations(range(4)),
    st.sampled_from(OPTIMISM_METHODS),
)
def test_constants_and_the_order_of_candidates_do_not_change_optimism(values, order, method):
    # With quarters, every sum is exact: no tie is made or broken by rounding.
    values = np.round(4 * values) / 4
    one, moved, turned = (
        selection_optimism(in_repeats(each, 4), method=method, rng=0)
        for each in (values, values + 8, values[list(order)])
    )
    assert moved.optimism == pytest.approx(one.optimism, abs=1e-9)
    assert moved.corrected_mean == pytest.approx(one.corrected_mean + 8)
    # The choice among tied leaders only matters through Monte Carlo noise.
    tolerance = 1e-12 if method != "fold_bootstrap" else 1.0
    assert turned.optimism == pytest.approx(one.optimism, abs=tolerance)


def test_lead_in_pure_noise_is_all_optimism():
    # 50 candidates of independent noise around 0, 10 folds: the truth is 0. The mean of the
    # highest of 50 means of 10 standard normals is 2.25/√10 = 0.71.
    rng, naive, corrected = np.random.default_rng(5), [], []
    for _ in range(200):
        scores = in_repeats(rng.normal(size=(50, 10)), 10)
        results = {m: selection_optimism(scores, method=m, rng=rng) for m in OPTIMISM_METHODS}
        naive.append(results["tibshirani"].mean)
        corrected.append({m: found.corrected_mean for m, found in results.items()})
    assert np.mean(naive) == pytest.approx(0.71, abs=0.04)
    table = pd.DataFrame(corrected)
    means, errors = table.mean(), table.std() / np.sqrt(200)
    for method in ("fold_bootstrap", "cross_selection"):
        # Folds are independent here, so scores on folds not used for choosing are unbiased.
        assert abs(means[method]) < 3 * errors[method]
    assert means["tibshirani"] < -0.5  # corrects too much: 0.71 − (2.25 − 0.71)


@every_method
def test_missing_and_diverged_candidates_do_not_change_optimism(method):
    values = np.random.default_rng(1).normal(0.8, 0.05, size=(6, 20))
    missing = np.vstack([values[:1], values])
    missing[0, 3] = np.nan
    alone, diverged, found = (
        selection_optimism(in_repeats(table, 10), method=method, rng=0)
        for table in (values, np.vstack([values, np.full(20, -1e18)]), missing)
    )
    assert diverged.optimism == pytest.approx(alone.optimism)
    assert found == alone


@pytest.mark.parametrize("repeat", [None, [0, 0, 1, 1, -1, -1], [0, 1, 2, 3, 4, 5]])
def test_without_repeats_only_tibshirani_is_allowed(repeat):
    scores = SplitScores(np.eye(6)[:3], SplitDesign([50] * 6, [10] * 6, repeat))
    for method in ("fold_bootstrap", "cross_selection"):
        with pytest.raises(ValueError, match="`method` must be 'tibshirani' here; got"):
            selection_optimism(scores, method=method)
    assert selection_optimism(scores, method="tibshirani").optimism > 0


@pytest.mark.parametrize("values", [[[0.5], [0.6]], np.full((2, 4), np.nan)])
def test_one_split_or_no_candidate_gives_nan(values):
    scores = in_repeats(values, 2)
    result = selection_optimism(scores, method="tibshirani")
    assert np.isnan([result.mean, result.optimism, result.corrected_mean, result.std_err]).all()


def test_repeats_are_weighted_by_their_number_of_folds():
    # Repeat 0 has two folds and an optimism of 0.35 (see above), repeat 1 three folds and none.
    values = np.array([[0.8, 0.5, 0.5, 0.5, 0.5], [0.1, 0.9, 0.2, 0.2, 0.2]])
    scores = SplitScores(values, SplitDesign([8] * 5, [2] * 5, [0, 0, 1, 1, 1]))
    result = selection_optimism(scores, method="cross_selection")
    assert result.optimism == pytest.approx(0.35 * 2 / 5)


def test_the_interval_is_that_after_the_choice(moons_scores, moons_comparison):
    result = selection_optimism(moons_scores, rng=0)
    # 100 splits: none of four candidates is so far behind that it could not have led.
    critical = stats.t.isf([0.9 * 0.05 / 4, 0.05], 99)
    own = moons_comparison.ranking().iloc[0]
    expected = own["mean"] + np.array([-1, 1]) * critical * own["std_err"]
    np.testing.assert_allclose(result.confidence_interval(0.9), expected)
    with pytest.raises(ValueError, match="`confidence_level` must be in"):
        result.confidence_interval(95)
    with pytest.raises(ValueError, match=r"`method` must be one of 'fold_bootstrap', .*'nested'"):
        selection_optimism(moons_scores, method="nested")


def interval(values, level=0.95, ratio=0.25):
    scores = SplitScores(values, SplitDesign.from_ratio(ratio, np.shape(values)[1]))
    return selection_optimism(scores, method="tibshirani").confidence_interval(level)


def alone(row, level=0.95):
    """SciPy's t interval of one mean, for splits without overlap."""
    return tuple(stats.ttest_1samp(row, 0).confidence_interval(level))


def test_the_interval_of_one_or_of_equal_candidates_is_the_t_interval_of_scipy():
    row = np.random.default_rng(0).normal(0.8, 0.05, 12)
    assert interval([row], 0.9, ratio=1e-12) == pytest.approx(alone(row, 0.9), rel=1e-9)
    assert interval([row] * 7, ratio=1e-12) == pytest.approx(alone(row), rel=1e-9)


def test_far_from_all_others_the_interval_is_the_t_interval_but_for_the_share_that_finds_them():
    rng = np.random.default_rng(2)
    values = np.array([[9.0], [0.0], [0.1]]) + 0.1 * rng.normal(size=(3, 12))
    low, high = interval(values, ratio=1e-12)
    # The lower tail spends a tenth of 0.025 on that nobody else could have led.
    assert low == pytest.approx(alone(values[0], 1 - 2 * 0.0225)[0], rel=1e-9)
    assert high == pytest.approx(alone(values[0])[1], rel=1e-9)


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
def test_the_interval_follows_scale_and_shift_but_not_order_or_copies(seed, scale, shift):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(5, 10))
    one = np.array(interval(values))
    turned = rng.permutation(5)
    other = interval(scale * values[turned] + shift)
    np.testing.assert_allclose(other, scale * one + shift, rtol=1e-9, atol=1e-9 * scale)
    copied = np.vstack([values, values[[0, 3, 3]]])
    np.testing.assert_allclose(interval(copied), one, rtol=1e-12)


def test_levels_of_the_interval_are_nested_and_missing_candidates_do_not_count():
    values = np.random.default_rng(4).normal(size=(6, 10))
    limits = [interval(values, level) for level in (0.01, 0.5, 0.9, 0.99, 0.9999)]
    for inner, outer in pairwise(limits):
        assert outer[0] < inner[0] <= values.mean(axis=1).max() <= inner[1] < outer[1]
    missing = np.vstack([values, np.full(10, np.nan)])
    assert interval(missing) == interval(values)


def test_without_variation_the_interval_is_a_point_and_without_scores_it_is_unknown():
    assert interval(3 * np.ones((3, 6))) == (3, 3)
    constant = np.ones((2, 6)) * [[2.9], [2.8]]
    assert interval(constant) == pytest.approx((2.9, 2.9))
    # Shares have Wilson's limits: perfect scores on few samples are no proof.
    perfect = SplitScores(np.ones((3, 6)), SplitDesign([50] * 6, [10] * 6, [0] * 6))
    low, high = selection_optimism(perfect, rng=0).confidence_interval()
    # Copies count once: 1/(1 + t²·f/n), with f = 6·(1/6 + 1/5) and n = 60.
    assert low == pytest.approx(1 / (1 + stats.t.isf(0.025, 5) ** 2 * 2.2 / 60))
    assert high == 1
    # Areas near 1 stay below it; of an unknown score they would not.
    areas = SplitScores([[1.0, 0.93, 1.0, 1.0, 0.961]], SplitDesign([48] * 5, [12] * 5, [0] * 5))
    beyond = selection_optimism(areas, rng=0).confidence_interval()[1]
    bounded = selection_optimism(areas, rng=0, metric="roc_auc").confidence_interval()[1]
    assert bounded == 1 < beyond
    assert interval_after_choice(1.0, 0.0, 5, (0.0,), 0.0) == (1, 1)
    assert interval_after_choice(1.0, 0.1, 5, (0.0,), 0.0) == (-np.inf, np.inf)
    assert np.isnan(interval(np.full((2, 6), np.nan))).all()
    assert np.isnan(interval([[0.5], [0.6]])).all()


ALWAYS = {(2, 10, 0.0, 1), (100, 10, 0.5, 1), (10, 5, 3.0, 1), (10, 30, 0.0, 1), (5, 10, -0.3, 10)}


@pytest.mark.parametrize(
    ("m", "n_splits", "margin", "spread", "n_tables"),
    # The bound is wider for few tables only by their standard error.
    [(*case, 150) for case in sorted(ALWAYS)]
    + [
        pytest.param(*case, 300, marks=pytest.mark.slow)
        for case in (
            # Margins in standard deviations of a split.
            *product((2, 100), (10,), (0.0, 0.5, 3.0), (1,)),
            *product((10,), (5, 30), (0.0, 0.5, 3.0), (1,)),
            # The upper limit is exact only for equal standard errors.
            *product((5,), (10,), (-0.3, 0.3), (0.1, 10)),
        )
    ],
)
def test_the_true_score_of_the_chosen_candidate_is_covered(m, n_splits, margin, spread, n_tables):
    """The first candidate is better by `margin`, and its scores vary `spread` times as much."""
    # With the variance of 2q that two shared effects have, q = 0.25 is that of the correction.
    rng, held = np.random.default_rng(6), 0
    true = np.r_[margin, np.zeros(m - 1)]
    for _ in range(n_tables):
        shared = np.sqrt(0.25) * (rng.standard_normal((m, 1)) + rng.standard_normal())
        own = rng.standard_normal((m, n_splits)) + rng.standard_normal(n_splits)
        values = true[:, None] + np.r_[spread, np.ones(m - 1)][:, None] * (shared + own)
        low, high = interval(values)
        held += low <= true[values.mean(axis=1).argmax()] <= high
    assert held / n_tables >= 0.95 - 2.5 * np.sqrt(0.05 * 0.95 / n_tables)
