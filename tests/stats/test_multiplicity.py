"""Families of tests: adjusted p-values, the table of adjustments, effective numbers, groups."""

from itertools import combinations
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests

from sklearn_stats_compare.stats._best import groups_not_different
from sklearn_stats_compare.stats._multitest import (
    ADJUSTMENTS,
    CLOSED_FORM,
    P_ADJUST,
    adjust_pvalues,
    critical_value,
)
from sklearn_stats_compare.stats._numeric import effective_number

STATSMODELS = {
    "bonferroni": "bonferroni",
    "sidak": "sidak",
    "holm": "holm",
    "hochberg": "simes-hochberg",
    "bh": "fdr_bh",
    "by": "fdr_by",
}
FROM_PVALUES = [name for name, row in ADJUSTMENTS.items() if not row.joint]
P = np.array([0.2, 0.001, 0.04, 0.03, 0.9, 0.012])
pvalue_lists = st.lists(st.floats(0, 1), min_size=1, max_size=40)


@pytest.mark.parametrize("method", FROM_PVALUES)
@given(p=pvalue_lists, where=st.integers(0, 100), seed=st.integers(0, 100))
def test_every_adjustment_matches_statsmodels_in_any_order_and_beside_nan(method, p, where, seed):
    p = np.array(p)
    adjusted = adjust_pvalues(p, method)
    assert (adjusted >= p * (1 - 1e-12)).all()
    assert (adjusted <= 1).all()
    if method is not None:
        # statsmodels takes log1p(-1) for p = 1, and its Holm collects garbage, which is slow.
        with np.errstate(divide="ignore"), mock.patch("gc.collect"):
            expected = multipletests(p, method=STATSMODELS[method])[1]
        np.testing.assert_allclose(adjusted, expected, rtol=1e-10, atol=1e-14)
    order = np.random.default_rng(seed).permutation(p.size)
    np.testing.assert_array_equal(adjust_pvalues(p[order], method), adjusted[order])
    # NaN does not count in the family.
    position = where % (len(p) + 1)
    with_nan = adjust_pvalues(np.insert(p, position, np.nan), method)
    assert np.isnan(with_nan[position])
    np.testing.assert_array_equal(np.delete(with_nan, position), adjusted)


def test_every_adjustment_matches_the_reference(multi):
    for method in STATSMODELS.keys() - {"sidak"}:
        expected = multi[STATSMODELS[method]]
        np.testing.assert_allclose(adjust_pvalues(multi["p"], method), expected, rtol=1e-12)


def test_sidak_keeps_the_digits_of_a_tiny_p_value_and_empty_families_are_unchanged():
    # 1 − (1 − p)^n of p = 1e-20 would be 0; it is n·p to the first order.
    assert adjust_pvalues([1e-20, 1.0], "sidak").tolist() == [pytest.approx(2e-20), 1.0]
    for method in FROM_PVALUES:
        assert adjust_pvalues([], method).size == 0
        assert np.isnan(adjust_pvalues([np.nan, np.nan], method)).all()


def test_table_of_adjustments():
    assert P_ADJUST == (None, "bonferroni", "sidak", "holm", "hochberg", "bh", "by", "maxt")
    assert CLOSED_FORM == (None, "bonferroni", "sidak")
    assert [name for name, row in ADJUSTMENTS.items() if row.joint] == ["maxt"]
    sentence = ADJUSTMENTS["holm"].sentence("6 pairs")
    assert sentence == "p-values were adjusted for 6 pairs by Holm's method"
    assert len({row.sentence("6 pairs") for row in ADJUSTMENTS.values()}) == len(ADJUSTMENTS)
    assert [ADJUSTMENTS[name].line for name in (None, "by")] == ["not adjusted", "adjusted by by"]
    for name, row in ADJUSTMENTS.items():
        assert row.name == name
        # Only drawn adjustments are replaced in the limit.
        assert (row.in_the_limit != name) == row.joint
        assert not ADJUSTMENTS[row.in_the_limit].joint


@pytest.mark.parametrize("name", CLOSED_FORM)
def test_closed_form_adjustments_do_not_depend_on_other_p_values(name):
    alone = [adjust_pvalues(P[i : i + 1], name, n_tests=len(P))[0] for i in range(len(P))]
    np.testing.assert_allclose(alone, adjust_pvalues(P, name), rtol=1e-12)


def test_intervals_fit_the_adjusted_p_values_and_only_simultaneous_ones_are_wider():
    marginal = stats.t.isf(0.025, 19)
    critical = {name: critical_value(name, alpha=0.05, n_tests=15, df=19) for name in FROM_PVALUES}
    for name in CLOSED_FORM:  # an interval that touches zero has p = alpha
        p = 2 * stats.t.sf(critical[name], 19)
        assert adjust_pvalues([p], name, n_tests=15) == pytest.approx([0.05], rel=1e-9)
    for name, found in critical.items():
        simultaneous = ADJUSTMENTS[name].simultaneous
        assert (found > marginal) == simultaneous
        assert simultaneous or found == pytest.approx(marginal)
    assert critical["holm"] == critical["bonferroni"]
    assert critical["holm"] == pytest.approx(stats.t.ppf(1 - 0.05 / 30, 19))


# The effective number of tests: special cases that have an exact answer


def uncorrelated(n_tests, n_values=64):
    """Rows of a Hadamard-like matrix: mean 0, correlation 0."""
    k = np.arange(1, n_tests + 1)[:, None]
    return np.cos(np.pi * k * (np.arange(n_values) + 0.5) / n_values)


def test_effective_number_of_tests_without_correlation_or_with_copies():
    assert effective_number(uncorrelated(12)) == pytest.approx(12)
    row = np.random.default_rng(0).normal(size=50)
    assert effective_number(np.tile(row, (7, 1))) == pytest.approx(1)
    assert effective_number(np.stack([row, 3 * row + 1, -row])) == pytest.approx(1)
    assert effective_number(np.repeat(uncorrelated(5), 4, axis=0)) == pytest.approx(5)
    # Two tests: eigenvalues 1 + r and 1 − r, 1 + (r) + (1 − r) = 2 for any r < 1; Li and Ji count
    # whole units.
    a, b = uncorrelated(2)
    assert effective_number(np.stack([a, a + b])) == pytest.approx(2)


def test_rows_without_variation_count_as_one_test_each():
    assert effective_number(np.ones((3, 10))) == 3
    assert effective_number(np.vstack([uncorrelated(2), np.zeros((2, 64))])) == pytest.approx(4)


def test_more_tests_than_values_give_the_same_number_by_the_smaller_matrix():
    rows = np.random.default_rng(0).normal(size=(30, 8))
    centred = (rows - rows.mean(axis=1, keepdims=True)) / rows.std(axis=1)[:, None]
    eigenvalues = np.linalg.eigvalsh(centred @ centred.T / 8)
    eigenvalues = np.round(eigenvalues[eigenvalues > 1e-9], 9)
    expected = ((eigenvalues >= 1) + eigenvalues % 1).sum()
    assert effective_number(rows) == pytest.approx(expected)


# Groups in which no pair was found different: all maximal ones, by definition

graphs = st.integers(1, 7).flatmap(
    lambda n: st.tuples(
        st.just(n), st.sets(st.sampled_from([*combinations(range(n), 2)] or [None]))
    )
)


@given(graphs)
def test_they_are_the_sets_that_no_other_contains(graph):
    n, different = graph
    different = different - {None}
    alike = [
        set(group)
        for size in range(1, n + 1)
        for group in combinations(range(n), size)
        if not different & {*combinations(group, 2)}
    ]
    maximal = [tuple(sorted(a)) for a in alike if not any(a < b for b in alike)]
    assert groups_not_different(n, different) == sorted(maximal)


def test_more_groups_than_allowed_are_given_up():
    # One of each pair: 2⁵ = 32 groups and 2⁶ = 64, where 60 are allowed.
    pairs = [(2 * k, 2 * k + 1) for k in range(6)]
    assert len(groups_not_different(10, pairs[:5])) == 32
    assert groups_not_different(12, pairs) is None
    assert groups_not_different(0, []) == []
