"""Pair tests: references, invariances, and agreement of all ways to call them."""

import pickle
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from sklearn_stats_compare.stats import (
    CORRECTED_T,
    PAIR_TESTS,
    Family,
    SampleScores,
    Settings,
    SplitDesign,
    SplitScores,
    pair_test,
)
from sklearn_stats_compare.stats._five_by_two import FiveByTwo
from sklearn_stats_compare.stats._split_t import SplitTTest

HALVES = SplitDesign([50] * 10, [50] * 10, np.arange(10) // 2, complementary_halves=True)
OF_SPLITS = [test for test in PAIR_TESTS.values() if test.has_std_err and test.of_splits]
every_test = pytest.mark.parametrize("test", PAIR_TESTS.values(), ids=str)


def scores_of(n_candidates=5, seed=0, design=HALVES):
    """Scores with values of 100 samples in five repeats, which vary around the scores."""
    rng = np.random.default_rng(seed)
    return with_samples(rng.normal(0.8, 0.05, (n_candidates, design.n_splits)), rng)


def with_samples(values, rng):
    values = np.asarray(values)
    noise = rng.normal(0.0, 0.1, (len(values), 10, 50))
    noise -= noise.mean(axis=2, keepdims=True)
    samples = (values[:, :, None] + noise).reshape(len(values), 5, 100)
    return SplitScores(values, HALVES, SampleScores(samples, 2))


def test_list_of_pair_tests():
    assert list(PAIR_TESTS) == ["corrected_t", "uncorrected_t", "samples", "5x2cv_t", "5x2cv_f"]
    assert all(pair_test(name) is test for name, test in PAIR_TESTS.items())
    assert pair_test(CORRECTED_T) is CORRECTED_T


@pytest.mark.parametrize("unknown", ["welch", None, 3])
def test_unknown_test_raises_and_lists_the_known_ones(unknown):
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


def test_five_by_two_tests_match_hand_computation():
    # Differences of 0.1 and 0.3 in every repeat: each variance (0.2)²/2 = 0.02, so t = 0.1/√0.02;
    # squares (0.01 + 0.09)·5 = 0.5, so F = 0.5/(2·5·0.02) = 2.5.
    scores = SplitScores([[0.6, 0.8] * 5, [0.5] * 10], HALVES)
    t, f = (PAIR_TESTS[name].all_pairs(scores) for name in ("5x2cv_t", "5x2cv_f"))
    assert t.statistic == pytest.approx([0.1 / np.sqrt(0.02)])
    assert t.pvalue("greater") == pytest.approx([stats.t.sf(0.1 / np.sqrt(0.02), 5)])
    assert f.statistic == pytest.approx([2.5])
    assert f.pvalue("greater") == pytest.approx([stats.f.sf(2.5, 10, 5)])
    assert 2 * f.tail == pytest.approx(f.pvalue("two-sided"))
    both = FiveByTwo.of(scores, np.array([0]), np.array([1]))
    assert (t.statistic, f.statistic) == (both.t_statistic, both.f_statistic)


def test_t_has_no_direction_if_the_first_split_contradicts_the_mean():
    values = np.array([[0.4] + [0.9] * 9, [0.5] * 10])
    found = PAIR_TESTS["5x2cv_t"].all_pairs(SplitScores(values, HALVES))
    assert found.statistic[0] < 0 < found.mean_diff[0]
    assert found.direction[0] == 0


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
        np.testing.assert_array_equal(
            np.concatenate([chunk.pvalue(alternative) for chunk in chunks]),
            pairs.pvalue(alternative),
        )


@every_test
def test_single_candidate_gives_an_empty_chunk(test):
    (chunk,) = test.in_chunks(scores_of(1), 10)
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


@pytest.mark.parametrize("name", ["5x2cv_t", "5x2cv_f"])
def test_five_by_two_tests_raise_for_other_splits(name):
    test = PAIR_TESTS[name]
    test.check(HALVES)
    with pytest.raises(ValueError, match="`test` must be 'corrected_t' for these splits"):
        test.check(SplitDesign([90] * 10, [10] * 10))
    with pytest.raises(ValueError, match="`p_adjust` must not be 'maxt'"):
        Settings("greater", "maxt", (-0.01, 0.01), 0.05, test)


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
        half_width = stats.t.isf(0.05 / 20, df) * tests.std_err
        np.testing.assert_allclose(family.half_width(), half_width, rtol=1e-10)
