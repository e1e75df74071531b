"""Ranks and Friedman's test: SciPy, special cases, exact distributions, invariances."""

from itertools import permutations, product
from math import factorial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from sklearn_stats_compare.stats import (
    average_ranks,
    dataset_ranks,
    friedman_test,
    nemenyi_critical_difference,
    sign_test_pairs,
)

SHAPES = st.tuples(st.integers(2, 7), st.integers(2, 12))
COARSE = SHAPES.flatmap(lambda shape: arrays(int, shape, elements=st.integers(0, 6)))


@given(COARSE)
def test_ranks_are_scipys(counts):
    ranks = dataset_ranks(counts)
    np.testing.assert_array_equal(ranks, stats.rankdata(-counts, axis=0))
    np.testing.assert_allclose(average_ranks(counts), ranks.mean(axis=1))
    m = len(counts)
    np.testing.assert_allclose(ranks.sum(axis=0), m * (m + 1) / 2)


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
    assert tuple(result) == (0, 1)
    assert (result.f_statistic, result.f_pvalue, result.kendalls_w) == (0, 1, 0)


@pytest.mark.parametrize(("m", "n"), [(2, 3), (3, 4), (5, 2), (10, 30), (100, 3)])
def test_perfect_agreement_has_the_probability_of_equal_orders(m, n):
    values = np.arange(m)[:, None] + np.zeros(n)
    result = friedman_test(values)
    assert result.kendalls_w == 1
    assert result.f_statistic == np.inf
    assert result.f_pvalue == pytest.approx(float(factorial(m)) ** (1 - n))


def test_the_distribution_of_three_models_on_four_data_sets():
    # All 6⁴ orders. P(χ² ≥ 6.5) = 0.042 and P(χ² ≥ 8) = 0.0046, as in tables of Friedman's test.
    orders = list(permutations([1.0, 2.0, 3.0]))
    found = [friedman_test(np.array(chosen).T).statistic for chosen in product(orders, repeat=4)]
    found = np.array(found)
    assert np.mean(found > 6.49) == pytest.approx(54 / 1296)
    assert np.mean(found > 7.99) == pytest.approx(6 / 1296)


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


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([0.1, 0.2], r"`values` must have shape \(n_models, n_datasets\), .* got shape \(2,\)"),
        ([[0.1, 0.2]], r"at least 2 models and 2 data sets; got shape \(1, 2\)"),
        ([[0.1], [0.2]], r"at least 2 models and 2 data sets; got shape \(2, 1\)"),
        ([[0.1, np.nan], [0.2, 0.3]], r"`values` must be finite .* got nan"),
        ([[0.1, np.inf], [0.2, 0.3]], r"`values` must be finite .* got inf"),
        ([[0.1, 1e200], [0.2, 0.3]], r"absolute value at most 1e\+150; got 1e\+200"),
        ([["a", "b"], ["c", "d"]], r"`values` must be numbers"),
    ],
)
def test_what_is_no_table_of_scores_is_refused(values, message):
    with pytest.raises(ValueError, match=message):
        friedman_test(values)


def test_options_are_checked():
    with pytest.raises(ValueError, match="`tie_correction` must be True or False; got 'yes'"):
        friedman_test(np.eye(3), tie_correction="yes")
    with pytest.raises(ValueError, match=r"`alpha` must be in \(0, 1\); got 5"):
        nemenyi_critical_difference(4, 14, 5)
