"""The corrected t: references, what SciPy knows, invariances, degenerate scores, error rate."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from sklearn_stats_compare import SplitDesign, SplitScores
from sklearn_stats_compare.stats import corrected_ttest
from sklearn_stats_compare.stats._corrected_t import PairedTTests
from sklearn_stats_compare.stats._multitest import adjust_pvalues
from sklearn_stats_compare.stats._pair_tests import UNCORRECTED_T

finite = st.floats(-100, 100, allow_nan=False).map(lambda x: round(x, 6))
two_models = st.integers(3, 30).flatmap(lambda n: arrays(float, (2, n), elements=finite))


def of_sizes(values, n_train=90, n_test=10):
    n = np.shape(values)[1]
    return SplitScores(values, SplitDesign([n_train] * n, [n_test] * n))


def all_pairs(*args):
    return PairedTTests.all_pairs(of_sizes(*args))


def tenfold(*scores, **options):
    return corrected_ttest(*scores, **{"n_train": 9, "n_test": 1} | options)


def test_six_candidates_match_the_reference_and_every_way_to_test_them_agrees(multi, multi_scores):
    tests = PairedTTests.all_pairs(multi_scores)
    pairs = [*zip(tests.first, tests.second, strict=True)]
    assert pairs == [tuple(p) for p in multi["pairs"]]
    np.testing.assert_allclose(tests.statistic, multi["t"], rtol=1e-12)
    np.testing.assert_allclose(tests.pvalue("two-sided"), multi["p"], rtol=1e-10)
    assert tests.df == 19
    for k, (i, j) in enumerate(pairs):
        one = corrected_ttest(multi_scores.values[i], multi_scores.values[j], n_train=80, n_test=20)
        assert tests.statistic[k] == one.statistic
    order = multi_scores.order
    row = PairedTTests.against(multi_scores, order[0], order[1:])
    assert (row.statistic == tests.statistic[:5]).all()
    assert (row.second == tests.second[:5]).all()


def test_one_pair_matches_hand_computation():
    # d = 3, 1, 2, 1, 3 (%); mean 2; s² = (1 + 1 + 0 + 1 + 1) / 4 = 1 %², q = 100/400
    scores = [0.83, 0.81, 0.86, 0.80, 0.85], [0.80, 0.80, 0.84, 0.79, 0.82]
    result = corrected_ttest(*scores, n_train=400, n_test=100)
    assert result.mean_diff == pytest.approx(0.02)
    assert result.std_err == pytest.approx(0.01 * np.sqrt(1 / 5 + 1 / 4))
    assert result.statistic == pytest.approx(2 / np.sqrt(0.45))
    assert result.df == 4
    low, high = result.confidence_interval(0.95)
    assert (low + high) / 2 == pytest.approx(0.02)
    assert (high - low) / 2 == pytest.approx(stats.t.ppf(0.975, 4) * result.std_err)


def test_ratio_of_uneven_folds_and_of_a_larger_pool():
    rng = np.random.default_rng(0)
    a, b = rng.normal(0.8, 0.05, (2, 10))
    n_test = np.array([11] * 3 + [10] * 7)
    result = corrected_ttest(a, b, n_train=103 - n_test, n_test=n_test)
    d = a - b
    assert result.statistic == pytest.approx(d.mean() / (d.std(ddof=1) * np.sqrt(1 / 10 + 1 / 9)))
    part = corrected_ttest(a, b, n_train=20, n_test=10, n_samples=100)
    # q = 10/(100 − 10); 10/20 would imply larger overlaps
    assert part.std_err == pytest.approx(d.std(ddof=1) * np.sqrt(1 / 10 + 10 / 90))
    assert part.pvalue == pytest.approx(tenfold(a, b).pvalue)
    with pytest.raises(ValueError, match="`n_samples` must be a whole number ≥ 20"):
        corrected_ttest(a, b, n_train=20, n_test=10, n_samples=19)


@given(two_models)
def test_zero_overlap_matches_scipys_paired_t(scores):
    a, b = scores
    if np.ptp(a - b) < 1e-3:
        return
    for alternative in ("two-sided", "greater", "less"):
        ours = tenfold(a, b, n_test=0, alternative=alternative)
        theirs = stats.ttest_rel(a, b, alternative=alternative)
        assert ours.statistic == pytest.approx(theirs.statistic, rel=1e-9, abs=1e-12)
        assert ours.pvalue == pytest.approx(theirs.pvalue, rel=1e-9)


@given(two_models, st.integers(0, 1000), st.sampled_from([0.5, 4.0, 1024.0]), st.floats(-10, 10))
def test_order_units_and_shifts_change_nothing_and_a_swap_the_sign(scores, seed, scale, shift):
    a, b = scores
    one = tenfold(a, b)
    order = np.random.default_rng(seed).permutation(a.size)
    shuffled = tenfold(a[order], b[order])
    assert shuffled.mean_diff == pytest.approx(one.mean_diff, rel=1e-9, abs=1e-12)
    assert shuffled.std_err == pytest.approx(one.std_err, rel=1e-9, abs=1e-12)
    swapped = tenfold(b, a)
    assert (swapped.statistic, swapped.pvalue) == (-one.statistic, one.pvalue)
    less = tenfold(b, a, alternative="less")
    assert tenfold(a, b, alternative="greater").pvalue == less.pvalue
    scaled = tenfold(a * scale, b * scale)
    assert scaled.statistic == one.statistic  # powers of two: bit-identical
    assert scaled.std_err == one.std_err * scale
    a, b = np.random.default_rng(0).normal(0, 1, (2, 12))  # the same differences after rounding
    moved = tenfold(a + shift, b + shift)
    assert moved.statistic == pytest.approx(tenfold(a, b).statistic, rel=1e-9)


@pytest.mark.parametrize("power", [-1000, -560, -300, 300, 480])
def test_result_does_not_depend_on_extreme_units(power):
    rng = np.random.default_rng(0)
    a, b = rng.normal(0.8, 0.05, (2, 20))
    unit = 2.0**power
    one, extreme = tenfold(a, b), tenfold(a * unit, b * unit)
    assert extreme.statistic == pytest.approx(one.statistic, rel=1e-9)
    assert extreme.mean_diff == pytest.approx(one.mean_diff * unit)


def test_subnormal_scores():
    """Multiples of 2^-1040, which have 34 binary digits: t is that of the multiples."""
    multiples = np.array([[3.0, 0.0, 5.0, 2.0], [1.0, 1.0, 1.0, 1.0], [1.0, 0.0, 1.0, 0.0]])
    tiny, whole = all_pairs(multiples * 2.0**-1040), all_pairs(multiples)
    np.testing.assert_allclose(tiny.statistic, whole.statistic, rtol=2**-30)
    np.testing.assert_array_equal(tiny.first, whole.first)
    smallest = np.nextafter(0, 1)  # does not overflow
    assert (all_pairs([[smallest, 0, smallest]] * 3).statistic == 0).all()


def test_moments_of_differences_of_a_billionth_near_one_are_bit_identical_to_numpys():
    rng = np.random.default_rng(3)
    values = 0.999999 + 1e-9 * rng.standard_normal((7, 100))
    against = PairedTTests.against(of_sizes(values), 0, np.arange(1, 7))
    for tests in (all_pairs(values), against):
        for k, (i, j) in enumerate(zip(tests.first, tests.second, strict=True)):
            d = values[i] - values[j]
            assert tests.mean_diff[k] == d.mean()
            assert tests.std[k] == np.sqrt(np.var(d, ddof=1))


def test_identical_candidates_have_zero_difference():
    scores = [0.9, 0.8, 0.7]
    result = tenfold(scores, scores)
    assert (result.statistic, result.pvalue, result.std_err) == (0, 1, 0)
    assert tenfold(scores, scores, alternative="less").pvalue == 0.5
    # Three test sets of ten (multiples of 1/10): 30 samples agree by chance with probability 0.025
    # if the true difference is 1 − 0.025^(1/30).
    limit = 1 - 0.025 ** (1 / 30)
    assert result.confidence_interval() == pytest.approx((-limit, limit))
    losses = [-9.0, -8.0, -7.0]  # beyond ±1 the contribution of a sample is unknown
    assert tenfold(losses, losses).confidence_interval() == (0, 0)
    # Rounding error is not a difference.
    a = np.array([0.1, 0.7, 0.3, 0.9])
    b = a + np.array([1, -1, 1, 1]) * 1e-16
    assert tenfold(a, b).pvalue == 1


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
        # At the level of the p-value the interval ends at 0; at a lower one, before it.
        low, high = result.confidence_interval(1 - result.pvalue - 1e-9)
        assert (low, high) == (pytest.approx(0, abs=1e-6), pytest.approx(0.5))
    turned = corrected_ttest(worse, better, **sizes, alternative="greater")
    assert turned.statistic == -result.statistic
    assert turned.pvalue == pytest.approx(1 - result.pvalue / 2)


def test_constant_difference_counts_splits_of_one_repeat():
    # Three repeats of five folds test on the same samples three times: 5 signs, not 15.
    values = np.array([np.full(15, 0.9), np.full(15, 0.8)])
    repeats = SplitScores(values, SplitDesign([80] * 15, [20] * 15, np.arange(15) // 5))
    for scores, test, n_signs in (
        (repeats, PairedTTests, 5),
        # Also if splits are assumed to be independent.
        (repeats, UNCORRECTED_T, 5),
        # If the repeats are unknown, it is the number of test sets that fit in the data: 100
        # samples with test sets of 20. A matrix of scores then has the p-value of its search.
        (of_sizes(values, 80, 20), PairedTTests, 5),
        (SplitScores(values, SplitDesign.from_ratio(1 / 4, 15)), PairedTTests, 5),
        (of_sizes(values[:, :3], 80, 20), PairedTTests, 3),
    ):
        assert test.all_pairs(scores).pvalue("two-sided") == pytest.approx([2.0 ** (1 - n_signs)])


def test_equal_counts_on_uneven_folds_are_a_constant_difference():
    # One more correct in every fold: 1/11 and 1/10, which vary by 5 % of their mean. As continuous
    # scores they would have t = 0.0964/(0.0049·√(1/5 + 1/4)) ≈ 29, p < 1e-5.
    for n_test in np.array([[11, 11, 10, 10, 10], [41, 40, 40, 40, 39], [22, 22, 20, 20, 20]]):
        for sizes in (SplitDesign(202 - n_test, n_test), SplitDesign.from_ratio(1 / 4, 5)):
            for right in (3, 7):
                scores = SplitScores([(right + 1) / n_test, right / n_test], sizes)
                found = PairedTTests.all_pairs(scores).pvalue("two-sided")
                assert found == pytest.approx([2**-4])


def test_scores_that_are_not_counts_need_exactly_constant_differences():
    # 0.3 ± 0.01 on 1,000 samples a fold: t = 0.3/(0.01·√(1/5 + 1/4)) ≈ 45.
    score = np.array([0.512345678, 0.523456789, 0.5178912345, 0.5298765, 0.50123])
    continuous = np.array([score + 0.3 + 0.01 * np.array([-1, 0, 1, 1, -1]), score])
    # Costs in whole units are not counts of test samples, and sizes of a ratio are not real sizes.
    costs = np.array([[-100.0, -90, -80, -95, -85], [-160.0, -155, -150, -150, -145]])
    for values, n_test in ((continuous, 1000), (costs, 1)):
        difference = values[0] - values[1]
        expected = difference.mean() / (difference.std(ddof=1) * np.sqrt(1 / 5 + 1 / 4))
        unknown = SplitScores(values, SplitDesign.from_ratio(1 / 4, 5))
        for scores in (unknown, of_sizes(values, 4 * n_test, n_test)):
            assert PairedTTests.all_pairs(scores).statistic == pytest.approx([expected])


def test_a_good_model_beats_chance_by_a_difference_that_varies():
    # ROC AUC 0.97 to 1 against 0.5, and 29 or 30 right answers of 30 against 15: the difference
    # varies by less than 1/30 of itself, and is not the same on all splits.
    auc = np.array([0.99, 1.0, 0.98, 1.0, 0.995])
    accuracy = np.array([30, 29, 30, 30, 29]) / 30
    for values in ([auc, np.full(5, 0.5)], [accuracy, np.full(5, 0.5)]):
        scores = of_sizes(values, 120, 30)
        difference = np.subtract(*values)
        expected = difference.mean() / (difference.std(ddof=1) * np.sqrt(1 / 5 + 1 / 4))
        assert PairedTTests.all_pairs(scores).statistic == pytest.approx([expected])


@pytest.mark.parametrize("unknown", [False, True])
def test_only_equal_counts_on_uneven_folds_are_a_constant_difference(unknown):
    # Lead of 9 right answers of 10 or 11 samples on every fold, but 8 on one: it varies by 7 %.
    n_test = np.array([11, 11, 10, 10, 10])
    lead = np.array([9, 9, 9, 9, 8])
    sizes = SplitDesign.from_ratio(1 / 4, 5) if unknown else SplitDesign(52 - n_test, n_test)
    scores = SplitScores([(lead + 1) / n_test, 1 / n_test], sizes)
    difference = lead / n_test
    expected = difference.mean() / (difference.std(ddof=1) * np.sqrt(sizes.variance_factor))
    assert PairedTTests.all_pairs(scores).statistic == pytest.approx([expected])


def test_leads_of_equally_many_samples_of_a_class_are_constant():
    # Balanced accuracies of folds with 11 or 10 positives: two more are recognised on every fold.
    positives = np.array([11, 11, 10, 10, 10])
    n_test = positives + 10
    right = np.array([[9, 10, 8, 9, 8], [7, 8, 6, 7, 6]])
    scores = SplitScores((right / positives + 0.9) / 2, SplitDesign(102 - n_test, n_test))
    assert PairedTTests.all_pairs(scores).pvalue("two-sided") == pytest.approx([2**-4])


def coarse_table(rng, n_candidates, n_test, alike):
    """Accuracies of equal candidates, some of which give identical predictions."""
    columns = []
    for n in n_test:
        shared = rng.random(n) < 0.8
        own = rng.random((n_candidates, n)) < 0.8
        columns.append(np.where(rng.random((n_candidates, n)) < alike, shared, own).mean(axis=1))
    return np.column_stack(columns)


# The coarsest scores, which constant differences are likeliest in, run always.
ALWAYS = {(2, 10, 1), (5, 10, 0), (10, 10, 1)}


@pytest.mark.parametrize(
    ("n_splits", "n_test", "uneven", "n"),
    [
        *((*size, 120) for size in sorted(ALWAYS)),
        *(
            pytest.param(*size, 400, marks=pytest.mark.slow)
            for size in itertools.product((2, 3, 5, 10), (10, 20, 50), (0, 1))
        ),
    ],
)
def test_equal_candidates_with_coarse_scores_keep_the_level(n_splits, n_test, uneven, n):
    # Independent samples, so that Bonferroni rejects in at most 5 % of tables, n of each size, and
    # the bound has two standard errors of them. If constant differences had variance 0, it would be
    # 58 % (50 candidates, 5 splits of 10 samples), and up to 98 % if all differences of equal
    # counts had.
    rng = np.random.default_rng(n_splits * n_test)
    sizes = np.full(n_splits, n_test)
    sizes[: n_splits // 2] += uneven
    design = SplitDesign(sizes.sum() - sizes, sizes, np.zeros(n_splits, dtype=int))
    for n_candidates, n_tables in ((2, n), (10, n), (100, n // 8)):
        false = 0
        for table in range(n_tables):
            values = coarse_table(rng, n_candidates, sizes, alike=0.8 * (table % 2))
            tests = PairedTTests.all_pairs(SplitScores(values, design))
            adjusted = adjust_pvalues(tests.pvalue("two-sided"), "bonferroni")
            false += adjusted.min() < 0.05
        standard_error = np.sqrt(0.05 * 0.95 / n_tables)
        assert false / n_tables <= 0.05 + 2 * standard_error, n_candidates


def test_equal_candidates_with_coarse_balanced_accuracies_keep_the_level():
    # As above, of 50 candidates: it was 29 % while leads counted as equal only if they varied by
    # less than 1/n_test.
    rng = np.random.default_rng(0)
    n_test = np.array([21, 21, 20, 20, 20])
    design = SplitDesign(n_test.sum() - n_test, n_test, np.zeros(5, dtype=int))
    false = 0
    for _ in range(100):
        parts = n_test // 2, n_test - n_test // 2
        halves = [coarse_table(rng, 50, sizes, 0.8) for sizes in parts]
        tests = PairedTTests.all_pairs(SplitScores(np.mean(halves, axis=0), design))
        false += adjust_pvalues(tests.pvalue("two-sided"), "bonferroni").min() < 0.05
    assert false / 100 <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 100)


def test_pairs_are_in_rank_order_and_missing_only_with_a_missing_candidate():
    rng = np.random.default_rng(0)
    values = rng.normal([[0.5], [0.9], [0.7]], 0.01, (3, 20))
    tests = all_pairs(values)
    assert list(zip(tests.first, tests.second, strict=True)) == [(1, 2), (1, 0), (2, 0)]
    assert (tests.mean_diff > 0).all()
    values[1, 4] = np.nan
    tests = all_pairs(values)
    has_missing = (tests.first == 1) | (tests.second == 1)
    assert np.isnan(tests.statistic[has_missing]).all()
    assert np.isfinite(tests.statistic[~has_missing]).all()


TWO = [0, 1], [1, 0]


@pytest.mark.parametrize(
    ("scores", "options", "message"),
    [
        (([0.1], [0.2]), {}, "at least 2"),
        (([0.1, 0.2], [0.2]), {}, "vectors of equal length"),
        ((np.ones((2, 2)), np.ones((2, 2))), {}, "vectors of equal length"),
        (TWO, {"alternative": "bigger"}, "one of 'greater', 'less', 'two-sided'; got 'bigger'"),
        (TWO, {"n_train": [9] * 3, "n_test": [1] * 3}, "one column per split of `design`, 3; got"),
        (TWO, {"n_train": [[1, 2], [3]]}, "`n_train` must be whole numbers ≥ 0, one"),
        ((["a", "b"], [1, 0]), {}, "must be numbers; got"),
    ],
)
def test_invalid_arguments_raise(scores, options, message):
    with pytest.raises(ValueError, match=message):
        tenfold(*scores, **options)


def test_without_training_samples_only_identical_scores_are_decided():
    a, b = np.random.default_rng(0).random((2, 12))
    result = corrected_ttest(a, b, n_train=0, n_test=10)
    assert (result.statistic, result.pvalue) == (0, 1)
    assert corrected_ttest(a, a, n_train=0, n_test=10).std_err == 0


def test_equal_means_differ_by_zero_and_not_by_rounding_error():
    right = np.array([[49, 57, 55, 44, 46], [54, 48, 43, 56, 50], [40, 40, 40, 40, 40]])
    values = right / 60  # in floats, the differences of the first two sum to −2e-16
    assert (values[0] - values[1]).mean() != 0
    scores = SplitScores(values, SplitDesign([240] * 5, [60] * 5))
    found = PairedTTests.all_pairs(scores)
    assert (found.mean_diff[0], found.statistic[0]) == (0, 0)
    assert PairedTTests.against(scores, 1, np.array([0])).mean_diff[0] == 0
