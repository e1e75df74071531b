"""Pair tests: references, invariances, agreement of all ways to call them; the 5×2cv tests."""

import pickle
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from sklearn_stats_compare.stats._design import SplitDesign
from sklearn_stats_compare.stats._family import PAIR_TESTS, Family, Settings, pair_test
from sklearn_stats_compare.stats._pair_tests import (
    CORRECTED_T,
    DIETTERICH_T,
    FiveByTwo,
    SplitTTest,
    is_five_by_two,
)
from sklearn_stats_compare.stats._sample_scores import SampleScores
from sklearn_stats_compare.stats._scores import SplitScores

HALVES = SplitDesign([50] * 10, [50] * 10, np.arange(10) // 2, complementary_halves=True)
OF_SPLITS = [test for test in PAIR_TESTS.values() if test.has_std_err and test.of_splits]
every_test = pytest.mark.parametrize("test", PAIR_TESTS.values(), ids=str)


def scores_of(n_candidates=5, seed=0):
    """Scores with values of 100 samples in five repeats, which vary around the scores."""
    rng = np.random.default_rng(seed)
    values = rng.normal(0.8, 0.05, (n_candidates, 10))
    noise = rng.normal(0.0, 0.1, (n_candidates, 10, 50))
    noise -= noise.mean(axis=2, keepdims=True)
    samples = (values[:, :, None] + noise).reshape(n_candidates, 5, 100)
    return SplitScores(values, HALVES, SampleScores(samples, 2))


def test_list_of_pair_tests():
    assert list(PAIR_TESTS) == ["corrected_t", "uncorrected_t", "samples", "5x2cv_t", "5x2cv_f"]
    assert all(pair_test(name) is test for name, test in PAIR_TESTS.items())
    assert pair_test(CORRECTED_T) is CORRECTED_T
    for unknown in ("welch", None, 3):
        with pytest.raises(ValueError, match=r"`test` must be .*corrected_t.*5x2cv_f"):
            pair_test(unknown)


def test_uncorrected_test_matches_scipy_and_corrected_is_a_multiple():
    scores = scores_of(2)
    best, other = scores.values[scores.order]
    expected = stats.ttest_rel(best, other)
    found = PAIR_TESTS["uncorrected_t"].all_pairs(scores)
    assert found.statistic == pytest.approx([expected.statistic], rel=1e-12)
    assert found.pvalue("two-sided") == pytest.approx([expected.pvalue], rel=1e-12)
    # s/√J against s·√(1/J + q), J = 10, q = 1
    corrected = CORRECTED_T.all_pairs(scores).statistic
    assert corrected == pytest.approx([expected.statistic * np.sqrt(0.1 / 1.1)], rel=1e-12)


@every_test
def test_all_ways_to_test_a_pair_agree(test):
    scores = scores_of()
    pairs = test.all_pairs(scores)
    chunks = list(test.in_chunks(scores, 3))
    leader = test.against_leader(scores)
    for name in ("first", "second", "mean_diff", "std_err", "statistic", "direction"):
        whole = getattr(pairs, name)
        joined = np.concatenate([getattr(chunk, name) for chunk in chunks])
        np.testing.assert_array_equal(joined, whole)
        np.testing.assert_array_equal(getattr(leader, name), whole[:4])
    for alternative in ("greater", "less", "two-sided"):
        joined = np.concatenate([chunk.pvalue(alternative) for chunk in chunks])
        np.testing.assert_array_equal(joined, pairs.pvalue(alternative))
    (chunk,) = test.in_chunks(scores_of(1), 10)  # no pair
    assert len(chunk.mean_diff) == len(chunk.pvalue("two-sided")) == 0


@every_test
@given(seed=st.integers(0, 50), shift=st.integers(-3, 3), scale=st.sampled_from([0.25, 2.0]))
def test_p_values_are_invariant_to_shift_and_scale_and_flip_with_the_pair(test, seed, shift, scale):
    scores = scores_of(2, seed)
    found = test.against(scores, 0, np.array([1]))
    samples = SampleScores(scale * scores.samples.values + shift, 2)
    moved = SplitScores(scale * scores.values + shift, HALVES, samples)
    other = test.against(moved, 0, np.array([1]))
    assert other.pvalue("two-sided") == pytest.approx(found.pvalue("two-sided"), rel=1e-6)
    assert other.mean_diff == pytest.approx(scale * found.mean_diff, rel=1e-6, abs=1e-12)
    turned = test.against(scores, 1, np.array([0]))
    assert turned.mean_diff == pytest.approx(-found.mean_diff)
    assert turned.direction == pytest.approx(-found.direction)
    assert turned.pvalue("two-sided") == pytest.approx(found.pvalue("two-sided"))


@every_test
def test_pair_tests_are_hashable_values(test):
    again = pickle.loads(pickle.dumps(test))
    assert again == test
    assert hash(again) == hash(test)
    assert str(test) == test.name
    assert test != CORRECTED_T or test is CORRECTED_T
    assert test.words in test.line(scores_of())


@pytest.mark.parametrize("test", OF_SPLITS, ids=str)
def test_std_errs_match_the_variance_of_the_test(test):
    scores = scores_of()
    s = scores.values.std(axis=1, ddof=1)
    expected = s * np.sqrt(1 / 10 + test.overlap_ratio(HALVES))
    np.testing.assert_allclose(test.std_errs(scores), expected, rtol=1e-12)


@dataclass(frozen=True)
class WithPairDf(SplitTTest):
    """A test with different degrees of freedom for each pair."""

    def _with_own_factor(self, tests, design):
        tests = super()._with_own_factor(tests, design)
        object.__setattr__(tests, "df", 3.0 + np.arange(len(tests.mean_diff)))
        return tests


@pytest.mark.parametrize("p_adjust", ["bonferroni", "holm", "maxt"])
def test_degrees_of_freedom_may_differ_between_pairs(p_adjust):
    scores, test = scores_of(), WithPairDf("own", "t-test")
    tests = test.all_pairs(scores)
    t, df = tests.statistic, 3.0 + np.arange(10)
    expected = 2 * stats.t.sf(np.abs(t), df)
    np.testing.assert_allclose(tests.pvalue("two-sided"), expected, rtol=1e-10)
    family = Family(scores, tests, Settings("two-sided", p_adjust, (-0.01, 0.01), 0.05, test))
    assert (family.pvalue("two-sided") >= expected - 1e-4).all()
    if p_adjust == "bonferroni":
        half_widths = np.array([[-1], [1]]) * stats.t.isf(0.05 / 20, df) * tests.std_err
        found = np.array(family.interval()) - tests.mean_diff
        np.testing.assert_allclose(found, half_widths, rtol=1e-10)


def of(first, second):
    return FiveByTwo.of(SplitScores([first, second], HALVES), np.array([0]), np.array([1]))


def test_five_by_two_matches_hand_computation():
    # Differences: (0.1, 0.3), then (0.2, 0.2) four times. Only the first repeat varies:
    # s² = (0.1 − 0.2)² + (0.3 − 0.2)² = 0.02; mean of five 0.004; t = 0.1/√0.004 = 1.5811.
    # F = (0.01 + 0.09 + 8·0.04) / (2·0.02) = 0.42/0.04 = 10.5
    # Differences of 0.1 and 0.3 in every repeat: each variance (0.2)²/2 = 0.02, so t = 0.1/√0.02;
    # squares (0.01 + 0.09)·5 = 0.5, so F = 0.5/(2·5·0.02) = 2.5.
    for differences, t_expected, f_expected in (
        ([0.1, 0.3] + [0.2] * 8, 1.5811388, 10.5),
        ([0.1, 0.3] * 5, 0.1 / np.sqrt(0.02), 2.5),
    ):
        scores = SplitScores([np.array(differences) + 0.5, np.full(10, 0.5)], HALVES)
        tests = of(*scores.values)
        assert tests.mean_diff == pytest.approx([0.2])
        assert tests.t_statistic == pytest.approx([t_expected])
        assert tests.f_statistic == pytest.approx([f_expected])
        assert tests.f_pvalue() == pytest.approx([stats.f.sf(f_expected, 10, 5)])
        t, f = (PAIR_TESTS[name].all_pairs(scores) for name in ("5x2cv_t", "5x2cv_f"))
        assert (t.statistic, f.statistic) == (tests.t_statistic, tests.f_statistic)
        tail = stats.t.sf(t_expected, 5)
        for alternative, p in (("two-sided", 2 * tail), ("greater", tail), ("less", 1 - tail)):
            assert t.pvalue(alternative) == pytest.approx([p])
        assert f.pvalue("greater") == pytest.approx(tests.f_pvalue())
        assert 2 * f.tail == pytest.approx(f.pvalue("two-sided"))


def test_equal_differences_in_every_repeat_count_as_two_equal_signs():
    row, pair = np.linspace(0.5, 0.7, 10), np.array([1])
    same = row + 0.1, row
    varying = np.repeat([0.1, 0.2, -0.1, 0.3, 0.1], 2), np.zeros(10)
    for rows in (same, varying):  # 2 · 2^−2
        tests, t = of(*rows), DIETTERICH_T.against(SplitScores(rows, HALVES), 0, pair)
        assert t.pvalue("two-sided") == pytest.approx([0.5])
        assert tests.f_pvalue() == pytest.approx([0.5])
        assert np.isfinite([tests.t_statistic, tests.f_statistic]).all()
    identical = of(row, row)
    t = DIETTERICH_T.against(SplitScores([row, row], HALVES), 0, pair)
    assert (identical.t_statistic[0], t.pvalue("two-sided")[0]) == (0, 1)
    assert (identical.f_statistic[0], identical.f_pvalue()[0]) == (0, 1)
    missing = of(np.r_[np.nan, np.ones(9)], np.zeros(10))
    assert np.isnan([missing.t_statistic[0], missing.f_statistic[0], missing.f_pvalue()[0]]).all()


def test_five_by_two_t_depends_on_the_first_split_and_f_does_not():
    first, second = np.random.default_rng(0).random((2, 10))
    turned = [np.roll(row, -2) for row in (first, second)]
    assert of(*turned).t_statistic[0] != pytest.approx(of(first, second).t_statistic[0])
    assert of(*turned).f_statistic[0] == pytest.approx(of(first, second).f_statistic[0])
    # It has no direction if the first split contradicts the mean.
    values = np.array([[0.4] + [0.9] * 9, [0.5] * 10])
    found = PAIR_TESTS["5x2cv_t"].all_pairs(SplitScores(values, HALVES))
    assert found.statistic[0] < 0 < found.mean_diff[0]
    assert found.direction[0] == 0


def test_five_by_two_error_rates_of_independent_normal_differences():
    # The first difference d₁ is part of the variance of its repeat, and so t is not t-distributed
    # even for independent differences. With u = (d₁ + d₂)/√2, v = (d₁ − d₂)/√2 and W ~ χ²₄ of the
    # other four repeats,
    # t² = (u + v)²/2 / ((W + v²)/5): its tail is the integral of a normal tail over v and W.
    c = stats.t.isf(0.025, 5)
    w, v = np.linspace(0, 60, 3001), np.linspace(-8, 8, 401)[:, None]
    reach = c * np.sqrt(2 * (w + v**2) / 5)
    outside = stats.norm.sf(reach - v) + stats.norm.cdf(-reach - v)
    density = stats.norm.pdf(v) * stats.chi2.pdf(w, 4)
    exact = (outside * density).sum() * 0.02 * 0.04
    n = 20_000
    differences = np.random.default_rng(3).normal(size=(n, 10))
    values = np.vstack([np.zeros(10), -differences])
    scores, others = SplitScores(values, HALVES), np.arange(1, n + 1)
    tests = FiveByTwo.of(scores, np.zeros(n, dtype=int), others)
    t = DIETTERICH_T.against(scores, 0, others)
    three_errors = 3 * np.sqrt(exact * (1 - exact) / n)
    assert np.mean(t.pvalue("two-sided") < 0.05) == pytest.approx(exact, abs=three_errors)
    assert np.mean(tests.f_pvalue() < 0.05) < 0.05  # Alpaydın: the F is conservative


def test_five_by_two_is_detected_from_the_splits_and_its_tests_raise_for_others():
    assert is_five_by_two(HALVES)
    assert not is_five_by_two(SplitDesign([50] * 10, [50] * 10, np.arange(10) // 2))
    four = SplitDesign([50] * 8, [50] * 8, np.arange(8) // 2, complementary_halves=True)
    assert not is_five_by_two(four)
    for name in ("5x2cv_t", "5x2cv_f"):
        test = PAIR_TESTS[name]
        test.check(HALVES)
        with pytest.raises(ValueError, match="`test` must be 'corrected_t' for these splits"):
            test.check(SplitDesign([90] * 10, [10] * 10))
        with pytest.raises(ValueError, match="`p_adjust` must not be 'maxt'"):
            Settings("greater", "maxt", (-0.01, 0.01), 0.05, test)
