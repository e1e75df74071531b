"""Ranks, Friedman's, Nemenyi's and Bonferroni–Dunn's tests: SciPy and exact distributions."""

import itertools
from math import factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from sklearn_stats_compare.stats._multitest import adjust_pvalues
from sklearn_stats_compare.stats.datasets._rank_tests import (
    average_ranks,
    bonferroni_dunn_critical_difference,
    dataset_ranks,
    friedman_test,
    nemenyi_critical_difference,
    nemenyi_pvalues,
    rank_pairs,
)
from sklearn_stats_compare.stats.datasets._signed_rank import sign_test_pairs

SHAPES = st.tuples(st.integers(2, 7), st.integers(2, 12))
COARSE = SHAPES.flatmap(lambda shape: arrays(int, shape, elements=st.integers(0, 6)))


@given(COARSE)
def test_ranks_are_scipys(counts):
    ranks = dataset_ranks(counts)
    np.testing.assert_array_equal(ranks, stats.rankdata(-counts, axis=0))
    np.testing.assert_allclose(average_ranks(counts), ranks.mean(axis=1))


def test_scores_that_differ_by_rounding_share_a_rank():
    folds = np.array([0.7, 0.8, 0.9, 0.65, 0.81, 0.77, 0.1])
    means = [np.add.reduce(folds[::-1]) / 7, sum(folds) / 7, np.mean(np.sort(folds))]
    assert len({float(mean) for mean in means}) > 1
    ranks = dataset_ranks([[mean, 1e6 * mean] for mean in means])
    assert (ranks == 2).all()
    # But log likelihoods that differ in the tenth digit do not.
    assert dataset_ranks([[-1e6], [-1e6 - 1e-4]]).ravel().tolist() == [1, 2]


def test_the_scale_of_one_data_set_does_not_join_scores_of_another():
    # A regressor that diverges has an enormous negative score on one data set.
    ranks = dataset_ranks([[-1e20, 0.1], [-0.3, 0.2], [-0.2, 0.3]])
    assert ranks.T.tolist() == [[3, 2, 1], [3, 2, 1]]


@given(COARSE)
def test_friedman_is_scipys(counts):
    result = friedman_test(counts)
    if len(counts) < 3 or (counts == counts[0]).all():
        return  # SciPy wants three models, and has NaN where all are tied
    theirs = stats.friedmanchisquare(*counts)
    assert tuple(result) == pytest.approx(tuple(theirs), rel=1e-9, abs=1e-12)


def test_f_is_that_of_a_two_way_analysis_of_variance_of_the_ranks():
    rng = np.random.default_rng(0)
    values = rng.integers(0, 8, (4, 9))
    ranks = stats.rankdata(-values, axis=0)
    between = 9 * ((ranks.mean(axis=1) - 2.5) ** 2).sum()
    residual = ((ranks - 2.5) ** 2).sum() - between  # data sets all have the mean rank 2.5
    f = (between / 3) / (residual / 24)
    result = friedman_test(values)
    assert result.f_statistic == pytest.approx(f)
    assert result.f_pvalue == pytest.approx(stats.f.sf(f, 3, 24))


def test_kendalls_w_is_the_mean_rank_correlation_of_the_data_sets():
    # Without ties W = (1 + (n − 1)·ρ)/n, with ρ the mean of Spearman's correlations of all pairs.
    values = np.random.default_rng(1).normal(size=(6, 5))
    correlation = stats.spearmanr(values).statistic
    rho = correlation[np.triu_indices(5, 1)].mean()
    assert friedman_test(values).kendalls_w == pytest.approx((1 + 4 * rho) / 5)


def test_of_two_models_it_is_the_sign_test_without_continuity_correction():
    # χ² = (wins − losses)²/n
    values = np.random.default_rng(2).normal(size=(2, 20))
    pairs = sign_test_pairs(values)
    expected = (pairs.wins[0] - pairs.losses[0]) ** 2 / 20
    assert friedman_test(values).statistic == pytest.approx(expected)


def test_ties_everywhere_are_no_difference():
    result = friedman_test(np.full((3, 5), 0.7))
    found = (*result, result.f_statistic, result.f_pvalue, result.kendalls_w)
    assert found == (0, 1, 0, 1, 0)


@pytest.mark.parametrize(("m", "n"), [(2, 3), (3, 4), (5, 2), (10, 30), (100, 3)])
def test_perfect_agreement_has_the_probability_of_equal_orders(m, n):
    values = np.arange(m)[:, None] + np.zeros(n)
    result = friedman_test(values)
    assert result.kendalls_w == 1
    assert result.f_statistic == np.inf
    assert result.f_pvalue == pytest.approx(float(factorial(m)) ** (1 - n))


@given(COARSE, st.randoms())
def test_invariances(counts, random):
    result = friedman_test(counts)
    models, datasets = list(range(len(counts))), list(range(counts.shape[1]))
    random.shuffle(models)
    random.shuffle(datasets)
    other = friedman_test(counts[models][:, datasets])
    assert tuple(other) == pytest.approx(tuple(result), abs=1e-9)
    np.testing.assert_allclose(other.mean_ranks, result.mean_ranks[models])
    # Ranks do not depend on the scale of a data set, and turn around with the sign.
    scale = np.arange(1, counts.shape[1] + 1)
    again = friedman_test(np.exp(counts / scale) - scale)
    assert tuple(again) == pytest.approx(tuple(result), abs=1e-9)
    turned = friedman_test(-counts)
    assert turned.f_pvalue == pytest.approx(result.f_pvalue)
    np.testing.assert_allclose(turned.mean_ranks, len(counts) + 1 - result.mean_ranks)
    assert 0 <= result.kendalls_w <= 1
    assert friedman_test(counts, tie_correction=False).statistic <= result.statistic + 1e-9


def test_two_models_need_no_adjustment():
    # The range of two normals is √2·|z|.
    pairs = rank_pairs([1.2, 1.8], 25)
    assert pairs.z[0] == pytest.approx(0.6 / (6 / 150) ** 0.5)
    assert nemenyi_pvalues([1.2, 1.8], 25)[0] == pytest.approx(2 * stats.norm.sf(pairs.z[0]))
    critical = nemenyi_critical_difference(2, 25, 0.05)
    assert critical == pytest.approx(bonferroni_dunn_critical_difference(2, 25, 0.05))
    assert critical == pytest.approx(stats.norm.isf(0.025) * (6 / 150) ** 0.5)


def test_nemenyi_is_the_range_of_independent_normals():
    rng = np.random.default_rng(0)
    spans = np.ptp(rng.standard_normal((200_000, 6)), axis=1)
    ranks = np.array([1.5, 2.5, 3.0, 3.9, 4.6, 5.5])
    found = nemenyi_pvalues(ranks, 12)
    pairs = rank_pairs(ranks, 12)
    simulated = [(spans > abs(z) * 2**0.5).mean() for z in pairs.z]
    # Standard error at most 0.0011.
    np.testing.assert_allclose(found, simulated, atol=0.0045)


@pytest.mark.parametrize(("m", "alpha"), [(3, 0.1), (10, 0.001), (100, 0.05)])
def test_a_difference_of_the_critical_one_has_p_alpha(m, alpha):
    n = 5000
    ranks = np.full(m, (m + 1) / 2)
    half = nemenyi_critical_difference(m, n, alpha) / 2
    ranks[:2] = (m + 1) / 2 - half, (m + 1) / 2 + half
    assert nemenyi_pvalues(ranks, n)[0] == pytest.approx(alpha, rel=1e-6)


def test_small_p_values_keep_their_digits():
    # Of z = 15 Bonferroni's bound for 3 pairs, 3·2Φ(−15) = 2.2e-50, is the tail of the range.
    # 15 = 2/√(12/(6·112.5))
    pairs, found = rank_pairs([1, 2, 3], 113), nemenyi_pvalues([1, 2, 3], 113)
    assert found[1] == pytest.approx(3 * pairs.pvalue[1])
    assert 0 < found[1] < 1e-49
    # Where one gives way to the other, the p-value still falls with z.
    n = np.arange(10, 40)
    z = [rank_pairs([1.0, 2.0, 3.0], int(k)).z[1] for k in n]
    p = [nemenyi_pvalues([1.0, 2.0, 3.0], int(k))[1] for k in n]
    assert (np.diff(z) > 0).all()
    assert (np.diff(p) < 0).all()
    assert max(p) > 1e-9 > min(p)


def test_bonferroni_dunn_is_bonferronis_adjustment_for_the_pairs_of_a_control():
    ranks = [2.1, 3.25, 2.2, 4.35, 3.1]
    pairs = rank_pairs(ranks, 17)
    nemenyi = nemenyi_pvalues(ranks, 17)  # between no adjustment and Bonferroni's of all pairs
    assert (nemenyi > pairs.pvalue).all()
    assert (nemenyi <= adjust_pvalues(pairs.pvalue, "bonferroni")).all()
    own = (pairs.first == 2) | (pairs.second == 2)
    larger = np.abs(pairs.rank_difference) > bonferroni_dunn_critical_difference(5, 17, 0.05)
    adjusted = adjust_pvalues(pairs.pvalue[own], "bonferroni")
    assert ((adjusted < 0.05) == larger[own]).all()


def test_options_are_checked():
    with pytest.raises(ValueError, match="`n_models` must be a whole number ≥ 2; got 1"):
        nemenyi_critical_difference(1, 5, 0.05)
    with pytest.raises(ValueError, match="`tie_correction` must be True or False; got 'yes'"):
        friedman_test(np.eye(3), tie_correction="yes")


@pytest.mark.parametrize(("m", "n"), [(2, 6), (3, 3), (3, 4), (4, 3)])
def test_the_p_value_of_few_data_sets_keeps_its_level_over_all_orders(m, n):
    # The F distribution rejects up to 19 % of equal models here.
    orders = np.array(list(itertools.permutations(range(m))), dtype=float)
    others = itertools.product(range(len(orders)), repeat=n - 1)
    p = [friedman_test(orders[[0, *rows]].T).f_pvalue for rows in others]
    for alpha in (0.01, 0.05, 0.1, 0.2):
        assert np.mean(np.array(p) <= alpha) <= alpha
    # It is exact: the share of tables with so small a p-value is the p-value.
    assert np.mean(np.array(p) <= np.median(p)) == pytest.approx(np.median(p))
