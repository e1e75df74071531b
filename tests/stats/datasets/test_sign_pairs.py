"""The sign test of all pairs: SciPy's binomial test, counts by hand, invariances."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from sklearn_stats_compare.stats import sign_test_pairs

SHAPES = st.tuples(st.integers(2, 5), st.integers(1, 40))
COARSE = SHAPES.flatmap(lambda shape: arrays(int, shape, elements=st.integers(0, 5)))


@given(COARSE)
def test_matches_scipys_binomtest(counts):
    pairs = sign_test_pairs(counts / 30)
    split = sign_test_pairs(counts / 30, ties="split")
    for k, (i, j) in enumerate(zip(pairs.first, pairs.second, strict=True)):
        wins, losses = int((counts[i] > counts[j]).sum()), int((counts[i] < counts[j]).sum())
        ties = counts.shape[1] - wins - losses
        assert (pairs.wins[k], pairs.n_ties[k], pairs.losses[k]) == (wins, ties, losses)
        expected = stats.binomtest(wins, wins + losses).pvalue if wins + losses else 1
        assert pairs.pvalue[k] == pytest.approx(expected, rel=1e-12)
        half = ties // 2
        n = wins + losses + 2 * half
        expected = stats.binomtest(wins + half, n).pvalue if n else 1
        assert split.pvalue[k] == pytest.approx(expected, rel=1e-12)
        assert split.pvalue[k] >= pairs.pvalue[k] * (1 - 1e-12)


def test_six_wins_of_six_are_the_fewest_that_suffice():
    for n in (5, 6):
        p = sign_test_pairs([np.ones(n), np.zeros(n)]).pvalue[0]
        assert p == 2 / 2**n
        assert (p < 0.05) == (n == 6)


def test_a_small_p_value_keeps_its_digits():
    assert sign_test_pairs([np.ones(500), np.zeros(500)]).pvalue[0] == pytest.approx(2.0**-499)


def test_equal_models_have_p_one():
    for ties in ("drop", "split"):
        pairs = sign_test_pairs(np.full((3, 4), 0.3), ties=ties)
        assert pairs.pvalue.tolist() == [1, 1, 1]
        assert pairs.n_ties.tolist() == [4, 4, 4]


@given(COARSE)
def test_turning_all_scores_around_swaps_wins_and_losses(counts):
    one, other = sign_test_pairs(counts), sign_test_pairs(-counts)
    np.testing.assert_array_equal(one.wins, other.losses)
    np.testing.assert_array_equal(one.pvalue, other.pvalue)


def test_an_unknown_way_of_ties_is_refused():
    with pytest.raises(ValueError, match="`ties` must be one of 'drop', 'split'; got 'half'"):
        sign_test_pairs(np.eye(2), ties="half")
