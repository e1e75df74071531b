"""Optimism of the leader's mean: published scores, exact enumeration, and noise."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from sklearn_stats_compare import SplitDesign, SplitScores
from sklearn_stats_compare.stats._optimism import OPTIMISM_METHODS, selection_optimism

FOLDED = ("fold_bootstrap", "cross_selection")


def in_repeats(values, n_folds):
    """Scores on repeated k-fold splits of 100 samples."""
    values = np.asarray(values, dtype=float)
    n_splits = values.shape[1]
    n_test = 100 // n_folds
    design = SplitDesign(
        [100 - n_test] * n_splits, [n_test] * n_splits, np.arange(n_splits) // n_folds
    )
    return SplitScores(values, design)


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
    repeats = 2_000
    scores = in_repeats(np.tile(values, repeats), 3)
    result = selection_optimism(scores, rng=0)
    assert result.corrected_mean == pytest.approx(np.mean(picked), abs=0.02)  # 40,000 resamples


def test_half_of_the_resamples_of_two_folds_can_be_scored():
    # Either fold 0 or fold 1 is drawn twice, which equals cross-selection.
    scores = in_repeats([[0.8, 0.5] * 50, [0.1, 0.9] * 50], 2)
    boot = selection_optimism(scores, rng=0)
    cross = selection_optimism(scores, method="cross_selection")
    assert boot.corrected_mean == pytest.approx(cross.corrected_mean, abs=0.02)


@pytest.mark.parametrize("method", OPTIMISM_METHODS)
@pytest.mark.parametrize("values", [np.ones((1, 10)), [[0.1 * k for k in range(10)]] * 3])
def test_without_a_choice_optimism_is_zero(method, values):
    result = selection_optimism(in_repeats(values, 5), method=method, rng=0)
    assert result.optimism == 0
    assert result.corrected_mean == result.mean


@pytest.mark.parametrize("method", OPTIMISM_METHODS)
def test_leader_on_every_split_has_zero_optimism(method):
    noise = np.random.default_rng(0).normal(size=20)
    scores = in_repeats([noise, noise + 1, noise - 1], 10)
    assert selection_optimism(scores, method=method, rng=0).optimism == pytest.approx(0, abs=1e-12)


@given(arrays(float, (4, 12), elements=st.floats(-1, 1)), st.sampled_from(OPTIMISM_METHODS))
def test_adding_a_constant_to_all_scores_does_not_change_optimism(values, method):
    values = np.round(4 * values) / 4  # sums are exact: rounding cannot change ties
    one = selection_optimism(in_repeats(values, 4), method=method, rng=0)
    other = selection_optimism(in_repeats(values + 8, 4), method=method, rng=0)
    assert other.optimism == pytest.approx(one.optimism, abs=1e-9)
    assert other.corrected_mean == pytest.approx(one.corrected_mean + 8)


@given(arrays(float, (4, 12), elements=st.floats(-1, 1)), st.permutations(range(4)))
def test_result_does_not_depend_on_the_order_of_candidates(values, order):
    # With quarters, every sum is exact: no tie is broken by rounding.
    values = np.round(4 * values) / 4
    for method in OPTIMISM_METHODS:
        one = selection_optimism(in_repeats(values, 4), method=method, rng=0)
        other = selection_optimism(in_repeats(values[list(order)], 4), method=method, rng=0)
        # The choice among tied leaders only matters through Monte Carlo noise.
        tolerance = 1e-12 if method != "fold_bootstrap" else 1.0
        assert other.optimism == pytest.approx(one.optimism, abs=tolerance)


def test_lead_in_pure_noise_is_all_optimism():
    # 50 candidates of independent noise around 0, 10 folds: the truth is 0. The mean of the
    # highest of 50 means of 10 standard normals is 2.25/√10 = 0.71.
    rng = np.random.default_rng(5)
    naive, boot, cross, tibshirani = [], [], [], []
    for _ in range(200):
        scores = in_repeats(rng.normal(size=(50, 10)), 10)
        results = {m: selection_optimism(scores, method=m, rng=rng) for m in OPTIMISM_METHODS}
        naive.append(results["tibshirani"].mean)
        boot.append(results["fold_bootstrap"].corrected_mean)
        cross.append(results["cross_selection"].corrected_mean)
        tibshirani.append(results["tibshirani"].corrected_mean)
    assert np.mean(naive) == pytest.approx(0.71, abs=0.04)
    standard_errors = [np.std(found, ddof=1) / np.sqrt(200) for found in (boot, cross)]
    # Folds are independent here, so scores on folds not used for choosing are unbiased.
    assert abs(np.mean(boot)) < 3 * standard_errors[0]
    assert abs(np.mean(cross)) < 3 * standard_errors[1]
    assert np.mean(tibshirani) < -0.5  # corrects too much: 0.71 − (2.25 − 0.71)


def test_selection_across_repeats_would_miss_most_of_the_optimism():
    # The same folds ten times: other repeats have the scores of this one.
    values = np.tile(np.random.default_rng(0).normal(size=(50, 10)), 10)
    one = selection_optimism(in_repeats(values[:, :10], 10), method="cross_selection")
    ten = selection_optimism(in_repeats(values, 10), method="cross_selection")
    assert ten.optimism == pytest.approx(one.optimism)
    assert ten.optimism > 0.3


def test_diverged_candidate_does_not_change_optimism():
    values = np.random.default_rng(1).normal(0.8, 0.05, size=(6, 20))
    diverged = np.vstack([values, np.full(20, -1e18)])
    for method in OPTIMISM_METHODS:
        alone = selection_optimism(in_repeats(values, 10), method=method, rng=0)
        with_diverged = selection_optimism(in_repeats(diverged, 10), method=method, rng=0)
        assert with_diverged.optimism == pytest.approx(alone.optimism)


def test_missing_candidate_is_ignored():
    values = np.random.default_rng(0).normal(size=(3, 10))
    values[0, 3] = np.nan
    some = selection_optimism(in_repeats(values, 5), rng=0)
    rest = selection_optimism(in_repeats(values[1:], 5), rng=0)
    assert some == rest


@pytest.mark.parametrize("method", FOLDED)
@pytest.mark.parametrize("repeat", [None, [0, 0, 1, 1, -1, -1], [0, 1, 2, 3, 4, 5]])
def test_without_repeats_only_tibshirani_is_allowed(method, repeat):
    scores = SplitScores(np.eye(6)[:3], SplitDesign([50] * 6, [10] * 6, repeat))
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
    own = moons_comparison.ranking.iloc[0]
    expected = own["mean"] + np.array([-1, 1]) * critical * own["std_err"]
    np.testing.assert_allclose(result.confidence_interval(0.9), expected)
    with pytest.raises(ValueError, match="`confidence_level` must be in"):
        result.confidence_interval(95)


def test_unknown_method_raises(moons_scores):
    with pytest.raises(ValueError, match=r"`method` must be one of 'fold_bootstrap', .*'nested'"):
        selection_optimism(moons_scores, method="nested")
