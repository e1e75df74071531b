"""5×2cv t and F: by hand, against scipy, degenerate cases, invariances, how often they reject."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import integrate, stats

from sklearn_stats_compare import SplitDesign, SplitScores
from sklearn_stats_compare.stats._five_by_two import FiveByTwo, is_five_by_two

HALVES = SplitDesign([50] * 10, [50] * 10, np.arange(10) // 2, complementary_halves=True)
PAIR = np.array([0]), np.array([1])


def of(first, second):
    return FiveByTwo.of(SplitScores(np.stack([first, second]), HALVES), *PAIR)


def test_matches_hand_computation():
    # Differences: (0.1, 0.3), then (0.2, 0.2) four times. Only the first repeat varies:
    # s² = (0.1 − 0.2)² + (0.3 − 0.2)² = 0.02; mean of five 0.004; t = 0.1/√0.004 = 1.5811.
    differences = np.array([0.1, 0.3] + [0.2] * 8)
    tests = of(differences + 0.5, np.full(10, 0.5))
    assert tests.t_statistic[0] == pytest.approx(1.5811388)
    assert tests.t_pvalue("two-sided")[0] == pytest.approx(2 * stats.t.sf(1.5811388, 5))
    assert tests.t_pvalue("greater")[0] == pytest.approx(stats.t.sf(1.5811388, 5))
    assert tests.t_pvalue("less")[0] == pytest.approx(stats.t.cdf(1.5811388, 5))
    # F = (0.01 + 0.09 + 8·0.04) / (2·0.02) = 0.42/0.04 = 10.5
    assert tests.f_statistic[0] == pytest.approx(10.5)
    assert tests.f_pvalue()[0] == pytest.approx(stats.f.sf(10.5, 10, 5))
    assert tests.mean_diff[0] == pytest.approx(0.2)


def test_identical_models_have_zero_difference():
    tests = of(np.linspace(0.5, 0.7, 10), np.linspace(0.5, 0.7, 10))
    assert (tests.t_statistic[0], tests.t_pvalue("two-sided")[0]) == (0, 1)
    assert (tests.f_statistic[0], tests.f_pvalue()[0]) == (0, 1)


def test_equal_differences_in_every_repeat_count_as_two_equal_signs():
    same = of(np.linspace(0.5, 0.7, 10) + 0.1, np.linspace(0.5, 0.7, 10))
    varying = of(np.repeat([0.1, 0.2, -0.1, 0.3, 0.1], 2), np.zeros(10))
    for tests in (same, varying):  # 2 · 2^−2
        assert tests.t_pvalue("two-sided") == pytest.approx([0.5])
        assert tests.f_pvalue() == pytest.approx([0.5])
        assert np.isfinite([tests.t_statistic, tests.f_statistic]).all()


def test_missing_scores_give_nan():
    tests = of(np.r_[np.nan, np.ones(9)], np.zeros(10))
    assert np.isnan([tests.t_statistic[0], tests.f_statistic[0], tests.f_pvalue()[0]]).all()


@given(
    arrays(float, (2, 10), elements=st.integers(0, 64)), st.permutations(range(5)),
    st.sampled_from([0.5, 2.0, 4.0]),
)  # fmt: skip
def test_invariance_to_swap_shift_scale_and_order_of_repeats(scores, order, scale):
    one, other = scores / 64
    tests, swapped = of(one, other), of(other, one)
    assert swapped.t_statistic[0] == pytest.approx(-tests.t_statistic[0])
    assert swapped.f_statistic[0] == pytest.approx(tests.f_statistic[0])
    moved = of(scale * (one + 1), scale * (other + 1))
    assert moved.t_statistic[0] == pytest.approx(tests.t_statistic[0])
    assert moved.f_statistic[0] == pytest.approx(tests.f_statistic[0])
    shuffled = of(*(row.reshape(5, 2)[list(order)].ravel() for row in (one, other)))
    assert shuffled.f_statistic[0] == pytest.approx(tests.f_statistic[0])


def test_t_depends_on_the_first_split_and_f_does_not():
    first, second = np.random.default_rng(0).random((2, 10))
    turned = [np.roll(row, -2) for row in (first, second)]
    assert of(*turned).t_statistic[0] != pytest.approx(of(first, second).t_statistic[0])
    assert of(*turned).f_statistic[0] == pytest.approx(of(first, second).f_statistic[0])


def test_error_rates_of_independent_normal_differences():
    # The first difference d₁ is part of the variance of its repeat, and so t is not t-distributed
    # even for independent differences. With u = (d₁ + d₂)/√2, v = (d₁ − d₂)/√2 and W ~ χ²₄ of the
    # other four repeats,
    # t² = (u + v)²/2 / ((W + v²)/5): its tail is the integral of a normal tail over v and W.
    c = stats.t.isf(0.025, 5)

    def tail(w, v):
        reach = c * np.sqrt(2 * (w + v**2) / 5)
        outside = stats.norm.sf(reach - v) + stats.norm.cdf(-reach - v)
        return outside * stats.norm.pdf(v) * stats.chi2.pdf(w, 4)

    exact = integrate.dblquad(tail, -8, 8, 0, 60, epsabs=1e-4)[0]
    n = 20_000
    differences = np.random.default_rng(3).normal(size=(n, 10))
    values = np.vstack([np.zeros(10), -differences])
    tests = FiveByTwo.of(SplitScores(values, HALVES), np.zeros(n, dtype=int), np.arange(1, n + 1))
    three_errors = 3 * np.sqrt(exact * (1 - exact) / n)
    assert np.mean(tests.t_pvalue("two-sided") < 0.05) == pytest.approx(exact, abs=three_errors)
    assert np.mean(tests.f_pvalue() < 0.05) < 0.05  # Alpaydın: the F is conservative


def test_five_by_two_is_detected_from_the_splits():
    assert is_five_by_two(HALVES)
    assert not is_five_by_two(SplitDesign([50] * 10, [50] * 10, np.arange(10) // 2))
    four = SplitDesign([50] * 8, [50] * 8, np.arange(8) // 2, complementary_halves=True)
    assert not is_five_by_two(four)
