"""The corrected t: references, what SciPy knows, invariances, degenerate scores, error rate."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from sklearn_stats_compare import SplitDesign, SplitScores, corrected_ttest
from sklearn_stats_compare.stats import adjust_pvalues
from sklearn_stats_compare.stats._corrected_t import PairedTTests
from sklearn_stats_compare.stats._split_t import UNCORRECTED_T

finite = st.floats(-100, 100, allow_nan=False).map(lambda x: round(x, 6))
two_models = st.integers(3, 30).flatmap(lambda n: arrays(float, (2, n), elements=finite))


def all_pairs(values, n_train=90, n_test=10):
    n = np.shape(values)[1]
    return PairedTTests.all_pairs(SplitScores(values, SplitDesign([n_train] * n, [n_test] * n)))


def test_six_candidates_match_the_reference_t_and_p(multi, multi_scores):
    tests = PairedTTests.all_pairs(multi_scores)
    assert list(zip(tests.first, tests.second, strict=True)) == [tuple(p) for p in multi["pairs"]]
    np.testing.assert_allclose(tests.statistic, multi["t"], rtol=1e-12)
    np.testing.assert_allclose(tests.pvalue("two-sided"), multi["p"], rtol=1e-10)
    assert tests.df == 19


def test_one_pair_matches_hand_computation():
    # d = 3, 1, 2, 1, 3 (%); mean 2; s² = (1 + 1 + 0 + 1 + 1) / 4 = 1 %², q = 100/400
    result = corrected_ttest(
        [0.83, 0.81, 0.86, 0.80, 0.85], [0.80, 0.80, 0.84, 0.79, 0.82], n_train=400, n_test=100
    )
    assert result.mean_diff == pytest.approx(0.02)
    assert result.std_err == pytest.approx(0.01 * np.sqrt(1 / 5 + 1 / 4))
    assert result.statistic == pytest.approx(2 / np.sqrt(0.45))
    assert result.df == 4
    low, high = result.confidence_interval(0.95)
    assert (low + high) / 2 == pytest.approx(0.02)
    assert (high - low) / 2 == pytest.approx(stats.t.ppf(0.975, 4) * result.std_err)


def test_ratio_of_uneven_folds_uses_all_split_sizes():
    rng = np.random.default_rng(0)
    a, b = rng.normal(0.8, 0.05, (2, 10))
    n_test = np.array([11] * 3 + [10] * 7)
    result = corrected_ttest(a, b, n_train=103 - n_test, n_test=n_test)
    d = a - b
    assert result.statistic == pytest.approx(d.mean() / (d.std(ddof=1) * np.sqrt(1 / 10 + 1 / 9)))


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@given(scores=two_models)
def test_zero_overlap_matches_scipys_paired_t(alternative, scores):
    a, b = scores
    if np.ptp(a - b) < 1e-3:
        return
    ours = corrected_ttest(a, b, n_train=1, n_test=0, alternative=alternative)
    theirs = stats.ttest_rel(a, b, alternative=alternative)
    assert ours.statistic == pytest.approx(theirs.statistic, rel=1e-9, abs=1e-12)
    assert ours.pvalue == pytest.approx(theirs.pvalue, rel=1e-9)


@given(scores=two_models, seed=st.integers(0, 1000))
def test_result_does_not_depend_on_the_order_of_splits(scores, seed):
    a, b = scores
    order = np.random.default_rng(seed).permutation(a.size)
    one = corrected_ttest(a, b, n_train=9, n_test=1)
    other = corrected_ttest(a[order], b[order], n_train=9, n_test=1)
    assert one.mean_diff == pytest.approx(other.mean_diff, rel=1e-9, abs=1e-12)
    assert one.std_err == pytest.approx(other.std_err, rel=1e-9, abs=1e-12)


@given(scores=two_models)
def test_swapping_the_models_only_flips_the_sign(scores):
    a, b = scores
    one = corrected_ttest(a, b, n_train=9, n_test=1)
    other = corrected_ttest(b, a, n_train=9, n_test=1)
    assert one.statistic == -other.statistic
    assert one.pvalue == other.pvalue
    greater = corrected_ttest(a, b, n_train=9, n_test=1, alternative="greater")
    less = corrected_ttest(b, a, n_train=9, n_test=1, alternative="less")
    assert greater.pvalue == less.pvalue


@given(scores=two_models, scale=st.sampled_from([0.5, 4.0, 1024.0]))
def test_result_does_not_depend_on_the_unit_of_scores(scores, scale):
    a, b = scores
    one = corrected_ttest(a, b, n_train=9, n_test=1)
    scaled = corrected_ttest(a * scale, b * scale, n_train=9, n_test=1)
    assert scaled.statistic == one.statistic  # powers of two: bit-identical
    assert scaled.std_err == one.std_err * scale


@given(shift=st.floats(-10, 10))
@settings(max_examples=30)
def test_adding_a_constant_to_both_models_changes_nothing(shift):
    rng = np.random.default_rng(0)
    a, b = rng.normal(0, 1, (2, 12))
    one = corrected_ttest(a, b, n_train=9, n_test=1)
    moved = corrected_ttest(a + shift, b + shift, n_train=9, n_test=1)
    assert moved.statistic == pytest.approx(one.statistic, rel=1e-9)


def test_variance_is_bit_identical_to_numpys():
    rng = np.random.default_rng(3)
    values = 0.999999 + 1e-9 * rng.standard_normal((7, 100))
    tests = all_pairs(values)
    for k, (i, j) in enumerate(zip(tests.first, tests.second, strict=True)):
        d = values[i] - values[j]
        assert tests.mean_diff[k] == d.mean()
        assert tests.std[k] == np.sqrt(np.var(d, ddof=1))


def test_against_the_leader_equals_the_first_rows_of_all_pairs(multi_scores):
    pairs = PairedTTests.all_pairs(multi_scores)
    order = multi_scores.order
    row = PairedTTests.against(multi_scores, order[0], order[1:])
    assert (row.statistic == pairs.statistic[:5]).all()
    assert (row.second == pairs.second[:5]).all()


def test_pairs_are_in_rank_order_if_the_best_is_not_first():
    rng = np.random.default_rng(0)
    values = rng.normal([[0.5], [0.9], [0.7]], 0.01, (3, 20))
    tests = all_pairs(values)
    assert list(zip(tests.first, tests.second, strict=True)) == [(1, 2), (1, 0), (2, 0)]
    assert (tests.mean_diff > 0).all()


def test_identical_candidates_have_zero_difference():
    scores = [0.9, 0.8, 0.7]
    result = corrected_ttest(scores, scores, n_train=2, n_test=1)
    assert (result.statistic, result.pvalue, result.std_err) == (0, 1, 0)
    assert corrected_ttest(scores, scores, n_train=2, n_test=1, alternative="less").pvalue == 0.5
    # Three test sets of ten (multiples of 1/10): 30 samples agree by chance with probability 0.025
    # if the true difference is 1 − 0.025^(1/30).
    assert result.confidence_interval() == pytest.approx(
        np.array([-1, 1]) * (1 - 0.025 ** (1 / 30))
    )
    losses = [-9.0, -8.0, -7.0]  # beyond ±1 the contribution of a sample is unknown
    result = corrected_ttest(losses, losses, n_train=2, n_test=1)
    assert result.confidence_interval() == (0, 0)


def test_rounding_error_is_not_a_difference():
    a = np.array([0.1, 0.7, 0.3, 0.9])
    b = a + np.array([1, -1, 1, 1]) * 1e-16
    assert corrected_ttest(a, b, n_train=3, n_test=1).pvalue == 1


@pytest.mark.parametrize("level", [0.2, -1e8])
@pytest.mark.parametrize("n_splits", [2, 3, 5, 10, 100])
def test_constant_difference_counts_as_equal_signs(level, n_splits):
    better = np.full(n_splits, level) + 0.25
    worse = np.full(n_splits, level)
    sizes = {"n_train": 20 * (n_splits - 1), "n_test": 20}
    result = corrected_ttest(better, worse, **sizes)
    # The sign test: J equal signs of J.
    assert result.pvalue == pytest.approx(stats.binomtest(n_splits, n_splits).pvalue)
    # One standard error: t, p and the interval all follow from it.
    assert result.statistic == pytest.approx(0.25 / result.std_err)
    if n_splits < 100:  # 1 − 2^−99 is 1
        low, high = result.confidence_interval(1 - result.pvalue)
        assert (low, high) == (pytest.approx(0, abs=1e-9), pytest.approx(0.5))
    turned = corrected_ttest(worse, better, **sizes, alternative="greater")
    assert turned.statistic == -result.statistic
    assert turned.pvalue == pytest.approx(1 - result.pvalue / 2)


def test_constant_difference_counts_splits_of_one_repeat():
    # Three repeats of five folds test on the same samples three times: 5 signs, not 15.
    values = [np.full(15, 0.9), np.full(15, 0.8)]
    repeat = np.arange(15) // 5
    scores = SplitScores(values, SplitDesign([80] * 15, [20] * 15, repeat))
    tests = PairedTTests.all_pairs(scores)
    assert tests.pvalue("two-sided") == pytest.approx([2**-4])
    # Also if splits are assumed to be independent.
    assert UNCORRECTED_T.all_pairs(scores).pvalue("two-sided") == pytest.approx([2**-4])
    # If the repeats are unknown, it is the number of test sets that fit in the data: 100 samples
    # with test sets of 20. A matrix of scores then has the p-value of its search.
    unknown = SplitScores(values, SplitDesign([80] * 15, [20] * 15))
    assert PairedTTests.all_pairs(unknown).pvalue("two-sided") == pytest.approx([2**-4])
    ratio = SplitScores(values, SplitDesign.from_ratio(1 / 4, 15))
    assert PairedTTests.all_pairs(ratio).pvalue("two-sided") == pytest.approx([2**-4])
    few = SplitScores(np.array(values)[:, :3], SplitDesign([80] * 3, [20] * 3))
    assert PairedTTests.all_pairs(few).pvalue("two-sided") == pytest.approx([2**-2])


def test_equal_counts_on_uneven_folds_are_a_constant_difference():
    # One more correct in every fold: 1/11 and 1/10, which vary by 5 % of their mean. As continuous
    # scores they would have t = 0.0964/(0.0049·√(1/5 + 1/4)) ≈ 29, p < 1e-5.
    n_test = np.array([11, 11, 10, 10, 10])
    for sizes in (SplitDesign(52 - n_test, n_test), SplitDesign.from_ratio(1 / 4, 5)):
        for right in (3, 7):
            values = [(right + 1) / n_test, right / n_test]
            assert PairedTTests.all_pairs(SplitScores(values, sizes)).pvalue("two-sided") == (
                pytest.approx([2**-4])
            )


def test_scores_that_are_not_counts_need_exactly_constant_differences():
    # 0.3 ± 0.01 on 1,000 samples a fold: t = 0.3/(0.01·√(1/5 + 1/4)) ≈ 45.
    difference = 0.3 + 0.01 * np.array([-1, 0, 1, 1, -1])
    s = difference.std(ddof=1)
    expected = 0.3 / (s * np.sqrt(1 / 5 + 1 / 4))
    score = np.array([0.512345678, 0.523456789, 0.5178912345, 0.5298765, 0.50123])
    for sizes in (SplitDesign([4000] * 5, [1000] * 5), SplitDesign.from_ratio(1 / 4, 5)):
        tests = PairedTTests.all_pairs(SplitScores([score + difference, score], sizes))
        assert tests.statistic == pytest.approx([expected])
    # Costs in whole units are not counts of test samples, and sizes of a ratio are not real sizes.
    costs = np.array([[-100.0, -90, -80, -95, -85], [-160.0, -155, -150, -150, -145]])
    for sizes in (SplitDesign.from_ratio(1 / 4, 5), SplitDesign([4] * 5, [1] * 5)):
        tests = PairedTTests.all_pairs(SplitScores(costs, sizes))
        s = (costs[0] - costs[1]).std(ddof=1)  # 5.7 of a mean of 62
        assert tests.statistic == pytest.approx([62 / (s * np.sqrt(0.45))])


def coarse_table(rng, n_candidates, n_test, alike):
    """Accuracies of equal candidates, some of which give identical predictions."""
    columns = []
    for n in n_test:
        shared = rng.random(n) < 0.8
        own = rng.random((n_candidates, n)) < 0.8
        columns.append(np.where(rng.random((n_candidates, n)) < alike, shared, own).mean(axis=1))
    return np.column_stack(columns)


@pytest.mark.parametrize("uneven", [0, 1])
@pytest.mark.parametrize("n_splits", [2, 3, 5, 10])
@pytest.mark.parametrize("n_test", [10, 20, 50])
def test_equal_candidates_with_coarse_scores_keep_the_level(n_splits, n_test, uneven):
    # Independent samples, so that Bonferroni rejects in at most 5 % of tables; 400 tables of each
    # size. If constant differences had variance 0, it would be 58 % (50 candidates, 5 splits of 10
    # samples), and up to 98 % if all differences of equal counts had.
    rng = np.random.default_rng(n_splits * n_test)
    sizes = np.full(n_splits, n_test)
    sizes[: n_splits // 2] += uneven
    design = SplitDesign(sizes.sum() - sizes, sizes, np.zeros(n_splits, dtype=int))
    for n_candidates, n_tables in ((2, 400), (10, 400), (100, 50)):
        false = 0
        for table in range(n_tables):
            values = coarse_table(rng, n_candidates, sizes, alike=0.8 * (table % 2))
            tests = PairedTTests.all_pairs(SplitScores(values, design))
            adjusted = adjust_pvalues(tests.pvalue("two-sided"), "bonferroni")
            false += adjusted.min() < 0.05
        standard_error = np.sqrt(0.05 * 0.95 / n_tables)
        assert false / n_tables <= 0.05 + 2 * standard_error, n_candidates


def test_differences_of_a_billionth_near_one_are_detected():
    rng = np.random.default_rng(0)
    d = rng.normal(2e-9, 1e-9, 50)
    base = np.full(50, 0.999999)
    result = corrected_ttest(base + d, base, n_train=90, n_test=10)
    exact = d.mean() / (d.std(ddof=1) * np.sqrt(1 / 50 + 1 / 9))
    # Scores near 1 are stored to 1e-16, a millionth of the differences.
    assert result.statistic == pytest.approx(exact, rel=1e-5)


def test_missing_candidate_gives_nan_only_in_its_pairs():
    rng = np.random.default_rng(0)
    values = rng.normal(0.8, 0.05, (3, 12))
    values[1, 4] = np.nan
    tests = all_pairs(values)
    has_missing = (tests.first == 1) | (tests.second == 1)
    assert np.isnan(tests.statistic[has_missing]).all()
    assert np.isfinite(tests.statistic[~has_missing]).all()


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        (([0.1], [0.2]), "at least 2"),
        (([0.1, 0.2], [0.2]), "vectors of equal length"),
        ((np.ones((2, 2)), np.ones((2, 2))), "vectors of equal length"),
    ],
)
def test_invalid_score_vectors_raise(scores, message):
    with pytest.raises(ValueError, match=message):
        corrected_ttest(*scores, n_train=9, n_test=1)


def test_unknown_alternative_raises_and_lists_the_known_ones():
    with pytest.raises(ValueError, match="one of 'greater', 'less', 'two-sided'; got 'bigger'"):
        corrected_ttest([0, 1], [1, 0], n_train=9, n_test=1, alternative="bigger")


@pytest.mark.parametrize(("n_splits", "k"), [(10, 10), (50, 5), (100, 10)])
def test_error_rate_is_nominal_under_the_assumed_dependence(n_splits, k):
    # Differences with common correlation ρ = n_test / (n_train + n_test) = 1/k are what the
    # correction assumes. Then it is exact: 5 % of 20,000, with a standard error of 0.15 %.
    rng = np.random.default_rng(0)
    rho, n_simulations = 1 / k, 20_000
    common = rng.standard_normal((n_simulations, 1))
    own = rng.standard_normal((n_simulations, n_splits))
    differences = np.sqrt(rho) * common + np.sqrt(1 - rho) * own
    naive = differences.mean(axis=1) / differences.std(axis=1, ddof=1) * np.sqrt(n_splits)
    corrected = naive / np.sqrt(1 + n_splits / (k - 1))
    # The vectorised formula above is the package's own:
    zero = np.zeros(n_splits)
    for row in range(3):
        result = corrected_ttest(differences[row], zero, n_train=k - 1, n_test=1)
        assert result.statistic == pytest.approx(corrected[row])
    critical = stats.t.ppf(0.975, n_splits - 1)
    assert np.mean(np.abs(corrected) > critical) == pytest.approx(0.05, abs=4 * 0.00154)
    assert np.mean(np.abs(naive) > critical) > 0.15  # the reason for the correction


def test_all_pairs_equals_the_test_of_each_pair(multi_scores):
    tests = PairedTTests.all_pairs(multi_scores)
    for k, (i, j) in enumerate(itertools.combinations(range(6), 2)):
        one = corrected_ttest(multi_scores.values[i], multi_scores.values[j], n_train=80, n_test=20)
        assert tests.statistic[k] == one.statistic


@pytest.mark.parametrize("power", [-1000, -560, -300, 300, 480])
def test_result_does_not_depend_on_extreme_units(power):
    rng = np.random.default_rng(0)
    a, b = rng.normal(0.8, 0.05, (2, 20))
    unit = 2.0**power
    one = corrected_ttest(a, b, n_train=9, n_test=1)
    extreme = corrected_ttest(a * unit, b * unit, n_train=9, n_test=1)
    assert extreme.statistic == pytest.approx(one.statistic, rel=1e-9)
    assert extreme.mean_diff == pytest.approx(one.mean_diff * unit)


def test_without_training_samples_only_identical_scores_are_decided():
    a, b = np.random.default_rng(0).random((2, 12))
    result = corrected_ttest(a, b, n_train=0, n_test=10)
    assert (result.statistic, result.pvalue) == (0, 1)
    assert corrected_ttest(a, a, n_train=0, n_test=10).std_err == 0


def test_sizes_of_other_length_and_text_raise():
    with pytest.raises(ValueError, match="one column per split of `design`, 3; got 2"):
        corrected_ttest([0, 1], [1, 0], n_train=[9, 9, 9], n_test=[1, 1, 1])
    with pytest.raises(ValueError, match="must be numbers; got"):
        corrected_ttest(["a", "b"], [1, 0], n_train=9, n_test=1)


def test_subnormal_scores():
    """Multiples of 2^-1040, which have 34 binary digits: t is that of the multiples."""
    multiples = np.array([[3.0, 0.0, 5.0, 2.0], [1.0, 1.0, 1.0, 1.0], [1.0, 0.0, 1.0, 0.0]])
    tiny, whole = all_pairs(multiples * 2.0**-1040), all_pairs(multiples)
    np.testing.assert_allclose(tiny.statistic, whole.statistic, rtol=2**-30)
    np.testing.assert_array_equal(tiny.first, whole.first)


def test_smallest_float_as_a_score_does_not_overflow():
    smallest = np.nextafter(0, 1)
    same = all_pairs(np.array([[smallest, 0, smallest]] * 3))
    assert (same.statistic == 0).all()


def test_ratio_of_a_larger_pool_divides_by_the_samples_outside_the_test_set():
    values = np.random.default_rng(0).random((2, 12))
    part = corrected_ttest(*values, n_train=20, n_test=10, n_samples=100)
    differences = values[0] - values[1]
    # q = 10/(100 − 10); 10/20 would imply larger overlaps
    assert part.std_err == pytest.approx(differences.std(ddof=1) * np.sqrt(1 / 12 + 10 / 90))
    whole = corrected_ttest(*values, n_train=90, n_test=10)
    assert part.pvalue == pytest.approx(whole.pvalue)
    with pytest.raises(ValueError, match="`n_samples` must be a whole number ≥ 20"):
        corrected_ttest(*values, n_train=20, n_test=10, n_samples=19)
