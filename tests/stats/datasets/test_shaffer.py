"""Shaffer's factors counted over all partitions, and how the procedure stands beside Holm's."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sklearn_stats_compare.stats._multitest import adjust_pvalues
from sklearn_stats_compare.stats.datasets._rank_tests import shaffer_factors, shaffer_pvalues


def partitions(n, most=None):
    """All ways to write n as a sum of whole numbers."""
    if n == 0:
        yield []
    for first in range(min(n, most or n), 0, -1):
        for rest in partitions(n - first, first):
            yield [first, *rest]


@pytest.mark.parametrize("m", range(2, 13))
def test_factors_are_the_largest_numbers_of_equal_pairs_over_all_partitions(m):
    possible = {sum(j * (j - 1) // 2 for j in groups) for groups in partitions(m)}
    n = m * (m - 1) // 2
    expected = [max(s for s in possible if s <= n - i) for i in range(n)]
    assert shaffer_factors(m).tolist() == expected


def test_factors_of_few_models_are_those_of_the_papers():
    assert shaffer_factors(3).tolist() == [3, 1, 1]
    assert shaffer_factors(4).tolist() == [6, 3, 3, 3, 2, 1]
    # García and Herrera (2008), section 2.2: S(5) = {0, 1, 2, 3, 4, 6, 10}.
    assert shaffer_factors(5).tolist() == [10, 6, 6, 6, 6, 4, 4, 3, 2, 1]


@pytest.mark.parametrize("m", [2, 30, 100, 200])
def test_factors_fall_from_all_pairs_to_one_and_never_exceed_holms(m):
    factors = shaffer_factors(m)
    n = m * (m - 1) // 2
    assert factors[0] == n
    assert factors[-1] == 1
    assert (np.diff(factors) <= 0).all()
    assert (factors <= np.arange(n, 0, -1)).all()
    # After one rejection all models but one may be equal.
    assert factors[1:2].tolist() == [(m - 1) * (m - 2) // 2][: n - 1]


@given(st.integers(2, 7).flatmap(
    lambda m: arrays(float, m * (m - 1) // 2, elements=st.floats(0, 1))
))  # fmt: skip
def test_adjusted_values_are_at_most_holms_and_in_order(pvalues):
    m = round((1 + (1 + 8 * len(pvalues)) ** 0.5) / 2)
    found = shaffer_pvalues(pvalues, m)
    assert (found <= adjust_pvalues(pvalues, "holm") + 1e-15).all()
    assert (found >= pvalues).all()
    assert (found <= 1).all()
    order = np.argsort(pvalues, kind="stable")
    assert all(one <= other for one, other in pairwise(found[order]))
    assert found[order[0]] == pytest.approx(min(1, len(pvalues) * pvalues[order[0]]))
    shuffled = np.random.default_rng(0).permutation(len(pvalues))
    np.testing.assert_array_equal(shaffer_pvalues(pvalues[shuffled], m), found[shuffled])


def test_three_models_by_hand():
    # One pair differs, so that at most one other is equal: factors 3, 1, 1.
    assert shaffer_pvalues([0.04, 0.01, 0.02], 3) == pytest.approx([0.04, 0.03, 0.03])


def test_numbers_of_models_that_cannot_be_are_refused():
    for m in (1, 2.5, True, 1001):
        with pytest.raises(ValueError, match="`n_models` must be "):
            shaffer_pvalues([0.1], m)
