"""What a design can detect: statsmodels' power, limits, and simulation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.power import TTestPower

from sklearn_stats_compare import SplitDesign, SplitScores
from sklearn_stats_compare.stats._corrected_t import PairedTTests
from sklearn_stats_compare.stats._detectable import (
    detectable_difference,
    repeats_needed,
    repeats_of,
    two_sided_power,
)


@pytest.mark.parametrize("n", [5, 10, 100, 1000])
@pytest.mark.parametrize(("power", "alpha"), [(0.8, 0.05), (0.95, 0.05), (0.5, 0.001)])
def test_zero_overlap_matches_statsmodels_paired_t_power(n, power, alpha):
    # With q = 0 the standard error is s/√n, and δ/s is the effect size of a one-sample t-test.
    ours = detectable_difference(n, 0.0, power=power, alpha=alpha)
    assert TTestPower().power(ours, n, alpha) == pytest.approx(power, abs=1e-6)


def test_limit_is_2_80_times_the_root_of_the_ratio():
    # z_0.975 + z_0.8 = 1.959964 + 0.841621 = 2.801585
    limit = detectable_difference(np.inf, 0.25, power=0.8, alpha=0.05)
    assert limit == pytest.approx(2.801585 * 0.5, abs=1e-6)


def test_more_splits_approach_the_limit_from_above():
    found = [
        detectable_difference(n, 1 / 9, power=0.8, alpha=0.05) for n in (10, 100, 10**4, np.inf)
    ]
    assert sorted(found, reverse=True) == found
    assert found[2] == pytest.approx(found[3], rel=1e-3)


@pytest.mark.parametrize("power", [0.5, 0.8])
def test_detectable_difference_is_detected_with_the_stated_power(power):
    # The model of the corrected test: normal differences, any two splits correlated by
    # ρ = q/(1 + q). Then s² estimates (1 − ρ)σ², so δ is in units of √(1 − ρ)·σ.
    n_splits, ratio, alpha, n_simulations = 20, 0.25, 0.05, 20_000
    rho = ratio / (1 + ratio)
    delta = detectable_difference(n_splits, ratio, power=power, alpha=alpha) * np.sqrt(1 - rho)
    rng = np.random.default_rng(0)
    common = rng.normal(size=(n_simulations, 1)) * np.sqrt(rho)
    differences = delta + common + rng.normal(size=(n_simulations, n_splits)) * np.sqrt(1 - rho)
    # n simulations are n candidates against one with scores of 0.
    scores = SplitScores(
        np.vstack([np.zeros(n_splits), -differences]),
        SplitDesign([80] * n_splits, [20] * n_splits),
    )
    tests = PairedTTests.against(scores, 0, np.arange(1, n_simulations + 1))
    rate = np.mean(tests.pvalue("two-sided") < alpha)
    standard_error = np.sqrt(power * (1 - power) / n_simulations)
    assert rate == pytest.approx(power, abs=3 * standard_error)


@given(
    st.lists(st.floats(0.2, 50), min_size=1, max_size=5),
    st.integers(2, 20),
    st.floats(0.001, 0.05),
)
def test_needed_repeats_suffice_and_one_fewer_does_not(differences, n_folds, alpha):
    ratio = 1 / (n_folds - 1)
    limit = detectable_difference(np.inf, ratio, power=0.8, alpha=alpha)
    needed = repeats_needed(np.array(differences), n_folds, ratio, power=0.8, alpha=alpha)
    for difference, n in zip(differences, needed, strict=True):
        assert np.isinf(n) == (difference <= limit)
        if np.isfinite(n):
            found = detectable_difference(n * n_folds, ratio, power=0.8, alpha=alpha)
            assert not found > difference * (1 + 1e-9)  # NaN with one degree of freedom
            if n > 1:
                fewer = detectable_difference((n - 1) * n_folds, ratio, power=0.8, alpha=alpha)
                assert not fewer < difference * (1 - 1e-9)


def test_one_repeat_suffices_for_constant_scores():
    needed = repeats_needed(np.array([np.inf, np.nan]), 10, 1 / 9, power=0.8, alpha=0.05)
    assert needed[0] == 1
    assert np.isnan(needed[1])


def test_limit_is_a_lower_bound_at_low_power():
    for power in (0.06, 0.1, 0.4, 0.6):
        limit = detectable_difference(np.inf, 1 / 9, power=power, alpha=0.05)
        near = detectable_difference(10**5, 1 / 9, power=power, alpha=0.05)
        assert limit < near < 1.001 * limit


def test_one_degree_of_freedom_may_detect_no_difference():
    level = 0.05 / 999
    needed = repeats_needed(np.array([2_000.0, 1e9]), 2, 1.0, power=0.8, alpha=level)
    assert needed.tolist() == [2, 1]


def test_power_without_a_difference_equals_the_level():
    assert two_sided_power(0.0, 9, 0.05) == pytest.approx(0.05)


def test_undefined_cases_are_nan():
    assert np.isnan(detectable_difference(1, 0.1, power=0.8, alpha=0.05))
    assert np.isnan(detectable_difference(2, 0.1, power=0.8, alpha=1e-9))
    assert np.isnan(detectable_difference(10, np.inf, power=0.8, alpha=0.05))


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
