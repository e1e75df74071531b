"""Adjusted p-values: statsmodels, NaN and larger families, error rates."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests

from sklearn_stats_compare.stats import adjust_pvalues
from sklearn_stats_compare.stats._multiplicity import critical_value

STATSMODELS = {
    "bonferroni": "bonferroni",
    "sidak": "sidak",
    "holm": "holm",
    "hochberg": "simes-hochberg",
    "bh": "fdr_bh",
    "by": "fdr_by",
}
pvalue_lists = st.lists(st.floats(0, 1), min_size=1, max_size=40)


@pytest.mark.parametrize("method", STATSMODELS)
@settings(max_examples=25)  # statsmodels' Holm collects garbage at every call
@given(p=pvalue_lists)
def test_every_adjustment_matches_statsmodels(method, p):
    with np.errstate(divide="ignore"):  # statsmodels takes log1p(-1) for p = 1
        expected = multipletests(p, method=STATSMODELS[method])[1]
    np.testing.assert_allclose(adjust_pvalues(p, method), expected, rtol=1e-10, atol=1e-14)


@pytest.mark.parametrize(
    ("method", "name"),
    [
        ("bonferroni", "bonferroni"),
        ("holm", "holm"),
        ("hochberg", "simes-hochberg"),
        ("bh", "fdr_bh"),
        ("by", "fdr_by"),
    ],
)
def test_every_adjustment_matches_the_reference(multi, method, name):
    np.testing.assert_allclose(adjust_pvalues(multi["p"], method), multi[name], rtol=1e-12)


def test_sidak_keeps_the_digits_of_a_tiny_p_value():
    # 1 − (1 − p)^n of p = 1e-20 would be 0; it is n·p to the first order.
    assert adjust_pvalues([1e-20, 1.0], "sidak").tolist() == [pytest.approx(2e-20), 1.0]


@pytest.mark.parametrize("method", [None, *STATSMODELS])
@given(p=pvalue_lists, where=st.integers(0, 100))
def test_nan_does_not_count_in_the_family(method, p, where):
    position = where % (len(p) + 1)
    with_nan = np.insert(np.array(p), position, np.nan)
    adjusted = adjust_pvalues(with_nan, method)
    assert np.isnan(adjusted[position])
    np.testing.assert_array_equal(np.delete(adjusted, position), adjust_pvalues(p, method))


@pytest.mark.parametrize("method", STATSMODELS)
@given(p=pvalue_lists, seed=st.integers(0, 100))
def test_adjusted_p_values_are_larger_and_follow_the_order_of_tests(method, p, seed):
    p = np.array(p)
    adjusted = adjust_pvalues(p, method)
    assert (adjusted >= p * (1 - 1e-12)).all()
    assert (adjusted <= 1).all()
    order = np.random.default_rng(seed).permutation(p.size)
    np.testing.assert_array_equal(adjust_pvalues(p[order], method), adjusted[order])


@pytest.mark.parametrize("method", [None, *STATSMODELS])
def test_empty_family_and_family_of_nan_are_unchanged(method):
    assert adjust_pvalues([], method).size == 0
    assert np.isnan(adjust_pvalues([np.nan, np.nan], method)).all()


def test_n_tests_may_be_larger_if_other_p_values_are_not_needed():
    assert adjust_pvalues([0.01], "bonferroni", n_tests=6).tolist() == [pytest.approx(0.06)]
    assert adjust_pvalues([0.01], "sidak", n_tests=6)[0] == pytest.approx(1 - 0.99**6)
    assert adjust_pvalues([0.01], None, n_tests=6).tolist() == [0.01]
    with pytest.raises(ValueError, match="one of None, 'bonferroni', 'sidak'; got 'holm'"):
        adjust_pvalues([0.01], "holm", n_tests=6)


@pytest.mark.parametrize(
    ("p", "method", "message"),
    [
        ([0.1], "tukey", "`method` must be one of None, 'bonferroni'.*got 'tukey'"),
        ([1.2], "holm", r"numbers in \[0, 1\]"),
        ([[0.1]], "holm", "`pvalues` must be a vector"),
    ],
)
def test_invalid_adjustments_raise(p, method, message):
    with pytest.raises(ValueError, match=message):
        adjust_pvalues(p, method)


@pytest.mark.parametrize("method", ["bonferroni", "sidak"])
@pytest.mark.parametrize("t", [2.5, 3.0, 3.4])
def test_interval_excludes_zero_if_and_only_if_adjusted_p_is_below_alpha(method, t):
    p = adjust_pvalues([2 * stats.t.sf(t, 19)], method, n_tests=15)[0]
    beyond = t > critical_value(method, alpha=0.05, n_tests=15, df=19)
    assert beyond == (p < 0.05)


def test_other_methods_have_marginal_intervals():
    marginal = stats.t.ppf(0.975, 19)
    for method in (None, "hochberg", "bh", "by"):
        assert critical_value(method, alpha=0.05, n_tests=15, df=19) == pytest.approx(marginal)
    holm, bonferroni = (
        critical_value(m, alpha=0.05, n_tests=15, df=19) for m in ("holm", "bonferroni")
    )
    assert holm == bonferroni == pytest.approx(stats.t.ppf(1 - 0.05 / 30, 19))


def test_error_rates_of_twenty_true_nulls_and_five_effects():
    # 2,000 families: family-wise error ≤ 5 %, false discoveries ≤ 5 %; standard error 0.5 %.
    rng = np.random.default_rng(0)
    z = rng.standard_normal((2000, 25))
    z[:, 20:] += 3.5
    p = 2 * stats.norm.sf(np.abs(z))
    for method in STATSMODELS:
        rejected = np.array([adjust_pvalues(row, method) < 0.05 for row in p])
        false = rejected[:, :20].sum(axis=1)
        power = rejected[:, 20:].mean()
        assert power > 0.4, method
        if method in ("bh", "by"):
            assert np.mean(false / np.maximum(rejected.sum(axis=1), 1)) < 0.05 + 0.015, method
        else:
            assert np.mean(false > 0) < 0.05 + 0.015, method
            assert np.mean(false > 0) > 0.03, method  # independent tests: nearly exact


def test_n_tests_below_the_number_of_p_values_raises():
    with pytest.raises(ValueError, match=r"`n_tests` must be at least .*, 2; got -1"):
        adjust_pvalues([0.5, 0.5], "bonferroni", n_tests=-1)
