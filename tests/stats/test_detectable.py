"""What a design can detect, and the level of a look: published tables, limits, and simulation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.power import TTestPower

from sklearn_stats_compare import SplitDesign, SplitScores
from sklearn_stats_compare.stats._corrected_t import PairedTTests
from sklearn_stats_compare.stats._power import (
    detectable_difference,
    level_of_all_looks,
    level_of_interim_analysis,
    repeats_needed,
    repeats_of,
    two_sided_power,
)


def detectable(n, ratio=1 / 9, power=0.8, alpha=0.05):
    return detectable_difference(n, ratio, power=power, alpha=alpha)


def needed(differences, n_folds, ratio, alpha=0.05):
    return repeats_needed(np.array(differences), n_folds, ratio, power=0.8, alpha=alpha)


@pytest.mark.parametrize("n", [5, 10, 100, 1000])
@pytest.mark.parametrize(("power", "alpha"), [(0.8, 0.05), (0.95, 0.05), (0.5, 0.001)])
def test_zero_overlap_matches_statsmodels_paired_t_power(n, power, alpha):
    # With q = 0 the standard error is s/√n, and δ/s is the effect size of a one-sample t-test.
    ours = detectable(n, 0.0, power, alpha)
    assert TTestPower().power(ours, n, alpha) == pytest.approx(power, abs=1e-6)


def test_limit_is_2_80_times_the_root_of_the_ratio_and_approached_from_above():
    # z_0.975 + z_0.8 = 1.959964 + 0.841621 = 2.801585
    assert detectable(np.inf, 0.25) == pytest.approx(2.801585 * 0.5, abs=1e-6)
    found = [detectable(n) for n in (10, 100, 10**4, np.inf)]
    assert sorted(found, reverse=True) == found
    assert found[2] == pytest.approx(found[3], rel=1e-3)
    for power in (0.06, 0.1, 0.4, 0.6):
        limit = detectable(np.inf, power=power)
        assert limit < detectable(10**5, power=power) < 1.001 * limit


@pytest.mark.parametrize("power", [0.5, 0.8])
def test_detectable_difference_is_detected_with_the_stated_power(power):
    # The model of the corrected test: normal differences, any two splits correlated by
    # ρ = q/(1 + q). Then s² estimates (1 − ρ)σ², so δ is in units of √(1 − ρ)·σ.
    n_splits, ratio, alpha, n_simulations = 20, 0.25, 0.05, 20_000
    rho = ratio / (1 + ratio)
    delta = detectable(n_splits, ratio, power, alpha) * np.sqrt(1 - rho)
    rng = np.random.default_rng(0)
    common = rng.normal(size=(n_simulations, 1)) * np.sqrt(rho)
    differences = delta + common + rng.normal(size=(n_simulations, n_splits)) * np.sqrt(1 - rho)
    # n simulations are n candidates against one with scores of 0.
    design = SplitDesign([80] * n_splits, [20] * n_splits)
    scores = SplitScores(np.vstack([np.zeros(n_splits), -differences]), design)
    tests = PairedTTests.against(scores, 0, np.arange(1, n_simulations + 1))
    rate = np.mean(tests.pvalue("two-sided") < alpha)
    standard_error = np.sqrt(power * (1 - power) / n_simulations)
    assert rate == pytest.approx(power, abs=3 * standard_error)


@given(
    st.lists(st.floats(0.2, 50), min_size=1, max_size=5), st.integers(2, 20), st.floats(0.001, 0.05)
)
def test_needed_repeats_suffice_and_one_fewer_does_not(differences, n_folds, alpha):
    ratio = 1 / (n_folds - 1)
    limit = detectable(np.inf, ratio, alpha=alpha)
    numbers = needed(differences, n_folds, ratio, alpha)
    for difference, n in zip(differences, numbers, strict=True):
        assert np.isinf(n) == (difference <= limit)
        if np.isfinite(n):
            found = detectable(n * n_folds, ratio, alpha=alpha)
            assert not found > difference * (1 + 1e-9)  # NaN with one degree of freedom
            if n > 1:
                fewer = detectable((n - 1) * n_folds, ratio, alpha=alpha)
                assert not fewer < difference * (1 - 1e-9)


def test_constant_scores_degrees_of_freedom_of_one_and_undefined_cases():
    np.testing.assert_array_equal(needed([np.inf, np.nan], 10, 1 / 9), [1, np.nan])
    # One degree of freedom may detect no difference.
    assert needed([2_000.0, 1e9], 2, 1.0, 0.05 / 999).tolist() == [2, 1]
    assert two_sided_power(0.0, 9, 0.05) == pytest.approx(0.05)  # without a difference, the level
    undefined = [detectable(1, 0.1), detectable(2, 0.1, alpha=1e-9), detectable(10, np.inf)]
    assert np.isnan(undefined).all()


@pytest.mark.parametrize(
    ("n_test", "repeat", "expected"),
    [
        ([5] * 6, [0, 0, 0, 1, 1, 1], (2, 3)),
        ([5] * 6, None, "not known"),
        ([5] * 6, [0, 0, 0, 0, 1, 1], "from 2 to 4"),
        ([5] * 6, [0, 1, 2, 3, 4, 5], "two folds"),
        ([1] * 6, [0] * 6, "leave-one-out"),
    ],
)
def test_repeats_of_returns_counts_or_a_reason(n_test, repeat, expected):
    scores = SplitScores(np.zeros((1, 6)), SplitDesign([10] * 6, n_test, repeat))
    found = repeats_of(scores)
    assert found == expected if isinstance(expected, tuple) else expected in found


def folds(n_splits, n_train, n_test):
    return SplitDesign([n_train] * n_splits, [n_test] * n_splits, np.zeros(n_splits, dtype=int))


def looks(step, n_looks):
    return range(step, step * (n_looks + 1), step)


@pytest.mark.parametrize(("n_looks", "level"), [(2, 0.0294), (3, 0.0221), (5, 0.0158)])
def test_independent_increments_match_pococks_levels(n_looks, level):
    # Pocock (1977), table 1: two-sided 0.05, groups of equal size, variance known. Here 10,000
    # splits at a time, for which the shared component is negligible.
    design = folds(10_000, 10**12, 1)
    found = level_of_interim_analysis(design, looks(10_000, n_looks), 0.05, 1)
    # 10,000 of 200,000 draws reach the boundary: 1 % standard error.
    assert found == pytest.approx(level, rel=0.04)


def test_looks_at_the_same_information_keep_the_full_level():
    # Ten thousand splits of the same data determine the shared component at the first look.
    found = level_of_interim_analysis(folds(10_000, 1, 1), looks(10_000, 5), 0.05, 1)
    assert found == pytest.approx(0.05, rel=0.05)
    assert level_of_interim_analysis(folds(5, 400, 100), [5], 0.05, 1) == 0.05
    assert level_of_interim_analysis(SplitDesign([0] * 5, [100] * 5), looks(5, 9), 0.05, 1) == 0.05


def test_level_of_a_look_decreases_with_looks_and_pairs():
    design = folds(5, 400, 100)
    levels = [level_of_interim_analysis(design, looks(5, n), 0.05, 1) for n in (1, 2, 5)]
    assert levels == sorted(levels, reverse=True)
    assert levels[-1] > 0.05 / 5
    assert level_of_interim_analysis(design, looks(5, 5), 0.05, 45) < levels[2]
    # A level that no draw reaches has the boundary of one that some do.
    assert level_of_interim_analysis(design, looks(5, 5), 1e-6, 1) < 0.5e-6


def test_all_looks_together_keep_the_level_for_two_equal_candidates():
    # Ten looks, a repeat of five folds each, under the correction's own dependence: 5 %, with a
    # standard error of √(0.05·0.95/2000) = 0.49 %. At 5 % a look it would be 12 %.
    rng = np.random.default_rng(0)
    k, n_looks, n_searches = 5, 10, 2000
    design = folds(k, 400, 100)
    level = level_of_interim_analysis(design, looks(k, n_looks), 0.05, 1)
    # The first five of them planned alone, as by an earlier extension: more than 5 % together.
    first = level_of_interim_analysis(design, looks(k, 5), 0.05, 1)
    levels = {k * look: first if look <= 5 else level for look in range(1, n_looks + 1)}
    assert level < first
    shared = np.sqrt(1 / (k - 1)) * rng.standard_normal((n_searches, 1))
    values = shared + rng.standard_normal((n_searches, k * n_looks))
    found, of_both = np.zeros((2, n_searches), dtype=bool)
    for look in range(1, n_looks + 1):
        n = k * look
        table = np.vstack([values[:, :n], np.zeros(n)])
        scores = SplitScores(table, SplitDesign([400] * n, [100] * n))
        tests = PairedTTests.against(scores, n_searches, np.arange(n_searches))
        found |= tests.pvalue("two-sided") < level
        of_both |= tests.pvalue("two-sided") < levels[n]
    assert found.mean() == pytest.approx(0.05, abs=4 * 0.0049)
    together = level_of_all_looks(design, levels, 0.05, 1)
    assert 0.052 < together < 0.065
    assert of_both.mean() == pytest.approx(together, abs=4 * 0.0049)
