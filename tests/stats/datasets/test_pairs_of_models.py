"""Wilcoxon's and the sign test of all pairs: SciPy, all signs enumerated, ties, invariances."""

import warnings
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from sklearn_stats_compare.stats.datasets._signed_rank import ZEROS, sign_test_pairs, wilcoxon_pairs

SHAPES = st.tuples(st.integers(2, 4), st.integers(1, 40))
COARSE = SHAPES.flatmap(lambda shape: arrays(int, shape, elements=st.integers(0, 9)))
FEW_LEVELS = SHAPES.flatmap(lambda shape: arrays(int, shape, elements=st.integers(0, 5)))


def scipys(difference, **options):
    with warnings.catch_warnings():
        # Until SciPy 1.12, for fewer than 10 differences.
        warnings.filterwarnings("ignore", "Sample size too small for normal approximation")
        return stats.wilcoxon(difference, method="approx", **options)


@pytest.mark.parametrize("zeros", ZEROS)
@given(counts=COARSE)
def test_approximation_is_scipys_pair_by_pair(zeros, counts):
    found = wilcoxon_pairs(counts, zeros=zeros, method="approx")
    for k, (i, j) in enumerate(zip(found.first, found.second, strict=True)):
        difference = counts[i] - counts[j]
        assert found.n_zeros[k] == (difference == 0).sum()
        if not difference.any():  # SciPy divides by 0, or refuses
            assert (found.z[k], found.pvalue[k]) == (0, 1)
            continue
        theirs = scipys(difference, zero_method=zeros)
        assert min(found.r_plus[k], found.r_minus[k]) == theirs.statistic
        assert found.pvalue[k] == pytest.approx(theirs.pvalue, rel=1e-10)
        assert abs(found.z[k]) == pytest.approx(abs(theirs.zstatistic), rel=1e-10, abs=1e-12)
        assert found.z[k] * (found.r_plus[k] - found.r_minus[k]) >= 0


@given(arrays(float, st.integers(1, 60), elements=st.floats(-1, 1), unique=True))
def test_exact_p_values_without_ties_are_scipys(difference):
    sizes = np.sort(np.abs(difference))
    if sizes[0] < 1e-6 or (np.diff(sizes) < 1e-6).any():
        return
    found = wilcoxon_pairs([difference, np.zeros_like(difference)], method="exact")
    theirs = stats.wilcoxon(difference, method="exact")
    assert found.exact[0]
    assert found.pvalue[0] == pytest.approx(theirs.pvalue, rel=1e-10)


def by_all_signs(difference, zeros):
    """The two-sided p-value over all signs, straight from the definition."""
    if zeros == "wilcox":
        difference = difference[difference != 0]
    ranks = stats.rankdata(np.abs(difference))
    ranks[difference == 0] = 0  # with either sign it adds to neither sum, or half to both
    observed = abs((np.sign(difference) * ranks).sum())
    signs = np.array(list(product([-1, 1], repeat=len(difference))))
    return np.mean(np.abs(signs @ ranks) >= observed - 1e-9)


@pytest.mark.parametrize("zeros", ZEROS)
def test_exact_p_values_with_ties_and_zeros_are_those_over_all_signs(zeros):
    rng = np.random.default_rng(0)
    values = rng.integers(0, 6, (6, 11))
    found = wilcoxon_pairs(values, zeros=zeros)
    assert found.exact.all()
    assert found.n_zeros.max() > 2
    assert found.n_ties.max() > 4
    for k, (i, j) in enumerate(zip(found.first, found.second, strict=True)):
        expected = by_all_signs(values[i] - values[j], zeros)
        assert found.pvalue[k] == pytest.approx(expected, rel=1e-12)


@given(arrays(int, (3, 12), elements=st.integers(0, 4)))
def test_half_of_the_zeros_ranks_on_either_side_changes_no_exact_p_value(counts):
    pratt, split = (wilcoxon_pairs(counts, zeros=zeros) for zeros in ("pratt", "zsplit"))
    np.testing.assert_array_equal(pratt.pvalue, split.pvalue)
    shared = split.n_zeros * (split.n_zeros + 1) / 4
    np.testing.assert_allclose(split.r_plus, pratt.r_plus + shared)


@given(FEW_LEVELS)
def test_the_sign_test_is_scipys_binomtest(counts):
    pairs = sign_test_pairs(counts / 30)
    turned = sign_test_pairs(-counts)
    np.testing.assert_array_equal(turned.wins, pairs.losses)
    np.testing.assert_array_equal(turned.pvalue, pairs.pvalue)
    for k, (i, j) in enumerate(zip(pairs.first, pairs.second, strict=True)):
        wins, losses = int((counts[i] > counts[j]).sum()), int((counts[i] < counts[j]).sum())
        ties = counts.shape[1] - wins - losses
        assert (pairs.wins[k], pairs.n_ties[k], pairs.losses[k]) == (wins, ties, losses)
        expected = stats.binomtest(wins, wins + losses).pvalue if wins + losses else 1
        assert pairs.pvalue[k] == pytest.approx(expected, rel=1e-12)


def test_six_wins_of_six_are_the_fewest_that_suffice_and_small_p_values_keep_their_digits():
    for n in (5, 6, 500):
        p = sign_test_pairs([np.ones(n), np.zeros(n)]).pvalue[0]
        assert p == (2.0 ** (1 - n) if n < 500 else pytest.approx(2.0**-499))
        assert (p < 0.05) == (n >= 6)


def test_differences_of_one_size_are_the_sign_test():
    values = np.array([[1, 1, 1, 0, 1, 1, 1, 1, 0.5], [0, 0, 0, 1, 0, 0, 0, 0, 0.5]])
    expected = sign_test_pairs(values).pvalue
    for zeros in ZEROS:
        np.testing.assert_allclose(wilcoxon_pairs(values, zeros=zeros).pvalue, expected)


def test_sums_of_ranks_by_hand():
    # Differences 0, 0.1, −0.1, 0.3, 0.4: ranks 1, 2.5, 2.5, 4, 5.
    values = [[0.5, 0.6, 0.5, 0.9, 0.8], [0.5, 0.5, 0.6, 0.6, 0.4]]
    pratt = wilcoxon_pairs(values)
    assert (pratt.r_plus[0], pratt.r_minus[0]) == (11.5, 2.5)
    # Differences other than 0 alone: ranks 1.5, 1.5, 3, 4.
    wilcox = wilcoxon_pairs(values, zeros="wilcox")
    assert (wilcox.r_plus[0], wilcox.r_minus[0]) == (8.5, 1.5)
    split = wilcoxon_pairs(values, zeros="zsplit")
    assert (split.r_plus[0], split.r_minus[0]) == (12, 3)
    for pairs in (pratt, wilcox, split):
        assert (pairs.n_zeros[0], pairs.n_ties[0]) == (1, 2)
        # 2 of the 16 signs are as extreme on either side: only the tied ones or one are negative.
        assert pairs.pvalue[0] == 6 / 16


def test_auto_is_exact_up_to_25_differences_that_are_not_zero():
    rng = np.random.default_rng(1)
    one = rng.normal(size=40)
    other = one.copy()
    other[:25] += rng.normal(size=25)
    third = one + rng.normal(size=40)
    third[:14] = one[:14]
    found = wilcoxon_pairs([one, other, third])
    assert (40 - found.n_zeros[:2]).tolist() == [25, 26]
    assert found.exact[:2].tolist() == [True, False]
    exact, approx = (wilcoxon_pairs([one, other, third], method=m) for m in ("exact", "approx"))
    assert exact.exact.all()
    assert not approx.exact.any()
    np.testing.assert_array_equal(found.pvalue, np.where(found.exact, exact.pvalue, approx.pvalue))
    np.testing.assert_allclose(exact.pvalue, approx.pvalue, rtol=0.25)


def test_exact_p_values_of_many_pairs_and_patterns_of_ties_are_independent_of_each_other():
    rng = np.random.default_rng(2)
    values = rng.binomial(30, 0.8, (30, 22)) / 30
    together = wilcoxon_pairs(values)
    for k in range(0, 435, 29):
        pair = [together.first[k], together.second[k]]
        alone = wilcoxon_pairs(values[pair])
        assert together.pvalue[k] == alone.pvalue[0]
        assert together.r_plus[k] == alone.r_plus[0]


def test_an_exact_small_p_value_keeps_its_digits():
    found = wilcoxon_pairs([np.arange(1, 101), np.zeros(100)], method="exact")
    assert found.pvalue[0] == pytest.approx(2.0**-99, rel=1e-12)


def test_differences_that_are_equal_but_for_rounding_are_tied():
    # 0.1 twice, −0.1, and 0: as floating-point numbers no two of the sizes are equal.
    values = np.array([[0.9, 0.8, 0.3, 0.1 + 0.2], [0.8, 0.7, 0.4, 0.3]])
    assert len(set(np.abs(values[0] - values[1]))) == 4
    found = wilcoxon_pairs(values)
    assert (found.n_zeros[0], found.n_ties[0]) == (1, 3)
    assert (found.r_plus[0], found.r_minus[0]) == (6, 3)
    # In units of millionths the same.
    assert wilcoxon_pairs(1e6 * values).r_plus[0] == 6
    # 1/8192 = 122070312.5e-12 is on the border of two numbers of 12 decimals.
    base = np.linspace(0.1, 0.9, 24)
    assert wilcoxon_pairs([base + 1 / 8192, base]).n_ties[0] == 24


def test_a_pair_does_not_depend_on_the_other_models():
    rng = np.random.default_rng(3)
    values = rng.normal(0.8, 0.03, (2, 18))
    broken = np.full((1, 18), -1e120)
    alone, among = wilcoxon_pairs(values), wilcoxon_pairs(np.vstack([values, broken]))
    assert among.pvalue[0] == alone.pvalue[0]
    assert among.n_ties[0] == 0
    assert among.n_zeros[0] == 0


@given(arrays(int, (3, 15), elements=st.integers(0, 40)), st.sampled_from(ZEROS))
def test_invariances(counts, zeros):
    one = wilcoxon_pairs(counts, zeros=zeros)
    turned = wilcoxon_pairs(-counts, zeros=zeros)
    np.testing.assert_array_equal(one.r_plus, turned.r_minus)
    np.testing.assert_array_equal(one.z, -turned.z)
    np.testing.assert_array_equal(one.pvalue, turned.pvalue)
    for same in (counts[:, ::-1], 3.7 * counts, counts / 7 + 100):
        other = wilcoxon_pairs(same, zeros=zeros)
        np.testing.assert_array_equal(one.r_plus, other.r_plus)
        np.testing.assert_array_equal(one.pvalue, other.pvalue)
    assert ((one.pvalue > 0) & (one.pvalue <= 1)).all()
    swapped = wilcoxon_pairs(counts[::-1], zeros=zeros)
    np.testing.assert_array_equal(one.pvalue, swapped.pvalue[::-1])
