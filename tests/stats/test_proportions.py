"""Intervals of one accuracy, and tests of two rates from independent test sets."""

import json
from pathlib import Path

import numpy as np
import pytest
import scipy
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import (
    confint_proportions_2indep,
    proportion_confint,
    proportions_ztest,
)

from sklearn_stats_compare.stats import accuracy_interval, compare_error_rates
from sklearn_stats_compare.stats.test_set._proportions import INTERVALS

R = json.loads((Path(__file__).parents[1] / "reference" / "r_one_test_set.json").read_text())
RATES = st.integers(0, 40), st.integers(0, 60)
SMALL = 7 / 20, 20, 2 / 25, 25


def test_wilson_interval_of_80_of_100():
    # (0.8 + z²/200 ± z·√(0.8·0.2/100 + z²/40,000)) / (1 + z²/100) with z = 1.96
    #   = (0.8192 ± 0.0807) / 1.0384. A textbook rounds the upper limit to 0.866.
    z = 1.96
    half = z * np.sqrt(0.16 / 100 + z**2 / 40_000)
    by_hand = [(0.8 + z**2 / 200 + sign * half) / (1 + z**2 / 100) for sign in (-1, 1)]
    assert [round(limit, 3) for limit in by_hand] == [0.711, 0.867]
    assert accuracy_interval(80, 100) == pytest.approx(by_hand, abs=1e-5)  # z = 1.959964


@pytest.mark.parametrize(("k", "n"), [(80, 100), (1, 7), (30, 31), (499, 500)])
def test_intervals_match_statsmodels_and_scipy(k, n):
    for ours in ("wilson", "exact", "agresti_coull", "jeffreys", "wald"):
        theirs = {"exact": "beta", "wald": "normal"}.get(ours, ours)
        for level in (0.9, 0.95, 0.99):
            low, high = proportion_confint(k, n, alpha=1 - level, method=theirs)
            found = accuracy_interval(k, n, level, ours)
            assert found == pytest.approx((max(low, 0), min(high, 1)), abs=1e-12)
    for ours, theirs in [("wilson", "wilson"), ("wilson_cc", "wilsoncc"), ("exact", "exact")]:
        expected = stats.binomtest(k, n).proportion_ci(0.9, method=theirs)
        assert accuracy_interval(k, n, 0.9, method=ours) == pytest.approx(tuple(expected))


# SciPy 1.11 has twelve digits of the inverse of the incomplete beta function, the newest all.
ROUNDING = 1e-15 if tuple(map(int, scipy.__version__.split(".")[:2])) >= (1, 17) else 1e-12

EXTREMES = [
    (k, n)
    for n in (1, 2, 7, 10**3, 10**6, 10**9)
    for k in sorted({0, 1, min(n, 5), n // 3, n // 2, max(n - 5, 0), n - 1, n})
]


@pytest.mark.parametrize("method", INTERVALS)
@pytest.mark.parametrize(
    "level",
    [
        *(5e-324, 1e-10, 0.95, 1 - 1e-16),
        *(pytest.param(level, marks=pytest.mark.slow) for level in (1e-300, 0.01, 0.5, 1 - 1e-9)),
    ],
)
def test_intervals_contain_the_accuracy_at_any_size_and_level(method, level):
    for k, n in EXTREMES:
        low, high = accuracy_interval(k, n, level, method)
        assert 0 <= low <= k / n <= high <= 1
        mirrored = accuracy_interval(n - k, n, level, method)
        assert (1 - mirrored[1], 1 - mirrored[0]) == pytest.approx((low, high), abs=10 * ROUNDING)
        narrower = accuracy_interval(k, n, max(level / 2, 5e-324), method)
        assert low <= narrower[0] + ROUNDING
        assert high >= narrower[1] - ROUNDING


# Roots of the incomplete beta function's continued fraction in 40 digits of mpmath, by bisection.
@pytest.mark.parametrize(
    ("k", "n", "level", "exact", "jeffreys"),
    [
        (1000, 10**9, 0.95, (9.3897304658956095e-7, 1.0639521019952884e-6),
         (9.3945755234785437e-7, 1.0634366115602348e-6)),
        (10**8, 3 * 10**8, 0.95, (0.33327998981181124, 0.33338668007088419),
         (0.33327999147841121, 0.33338667840415086)),
        (10**9 - 1, 10**9, 0.99, (0.99999999256987052, 0.99999999999498746),
         (0.99999999358092179, 0.99999999996413911)),
        (5, 100, 1 - 1e-12, (9.2274553014873006e-5, 0.3529162057266018),
         (1.6655909451724408e-4, 0.34427514850415067)),
        (3 * 10**7, 10**8, 1 - 2**-52, (0.29962387738087049, 0.30037630367996399),
         (0.29962388237907676, 0.30037629867817479)),
    ],
)  # fmt: skip
def test_quantiles_for_huge_counts(k, n, level, exact, jeffreys):
    assert accuracy_interval(k, n, level, "exact") == pytest.approx(exact, rel=1e-11)
    assert accuracy_interval(k, n, level, "jeffreys") == pytest.approx(jeffreys, rel=1e-11)


def test_limits_for_very_many_match_the_normal_approximation():
    n = 10**9
    for method in INTERVALS:
        low, high = accuracy_interval(n // 2, n, method=method)
        # 0.5 ± 1.959964·√(0.25/n); corrections for continuity are 0.5/n
        assert (0.5 - low, high - 0.5) == pytest.approx((3.09897e-5, 3.09897e-5), rel=5e-5)


def test_exact_coverage_summed_over_all_counts():
    rates, counts = np.linspace(0.5, 0.98, 25), np.arange(51)

    def coverage(method):
        limits = np.array([accuracy_interval(k, 50, method=method) for k in counts])
        covered = (limits[:, :1] <= rates) & (rates <= limits[:, 1:])
        return (covered * stats.binom.pmf(counts[:, None], 50, rates)).sum(axis=0)

    assert coverage("exact").min() >= 0.95
    wilson = coverage("wilson")
    assert wilson.mean() == pytest.approx(0.95, abs=0.01)
    assert wilson.min() > 0.9  # Brown, Cai and DasGupta (2001), figure 5
    assert coverage("wald").min() < 0.8
    # Wald's interval of 20 of 20 is a point. Both are reasons why it is not the default.
    for method in INTERVALS:
        assert method == "wald" or accuracy_interval(20, 20, method=method)[0] < 0.95


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((101, 100), r"`n_correct` must be a whole number from 0 to 100; got 101"),
        ((-1, 100), "`n_correct` must be a whole number from 0 to 100"),
        ((80.5, 100), r"`n_correct` must be a whole number from 0 to 100; got 80.5"),
        ((0, 0), "`n` must be a whole number ≥ 1; got 0"),
        ((1, 10**400), "`n` must be at most 1,000,000,000; got 1000"),
        ((80, 100, 95), r"`confidence_level` must be in \(0, 1\); got 95"),
        ((80, 100, 0.95, "score"), "`method` must be one of 'wilson', 'wilson_cc', 'exact'"),
    ],
)
def test_invalid_counts_raise(arguments, message):
    with pytest.raises(ValueError, match=message):
        accuracy_interval(*arguments)


def test_matches_a_textbook_example_and_r():
    # 0.15·0.85/30 + 0.25·0.75/5000 = 0.00425 + 0.0000375 = 0.0042875; 1.96·√ = 0.128
    result = compare_error_rates(0.15, 30, 0.25, 5000)
    assert result.variance == pytest.approx(0.0042875)
    low, high = result.confidence_interval()
    assert (abs(result.difference), (high - low) / 2) == pytest.approx((0.1, 0.128), abs=5e-4)
    assert low < 0 < high
    z = -0.1 / np.sqrt(0.0042875)
    assert tuple(result) == pytest.approx((z, 2 * stats.norm.cdf(z)))
    assert compare_error_rates(*SMALL, method="exact").pvalue == pytest.approx(R["fisher"])
    greater = compare_error_rates(*SMALL, method="exact", alternative="greater")
    assert greater.pvalue == pytest.approx(R["fisher_greater"])
    pooled = compare_error_rates(*SMALL, method="pooled")
    assert pooled.statistic**2 == pytest.approx(R["pooled_z2"])
    assert pooled.pvalue == pytest.approx(R["pooled"])


@given(*RATES)
def test_tests_match_statsmodels_and_scipy(k1, k2):
    rates = k1 / 40, 40, k2 / 60, 60
    result = compare_error_rates(*rates)
    limits = confint_proportions_2indep(k1, 40, k2, 60, method="newcomb")
    assert result.confidence_interval(method="newcombe") == pytest.approx(limits, abs=1e-10)
    if 0 < k1 + k2 < 100:
        pooled = compare_error_rates(*rates, method="pooled", alternative="greater")
        theirs = proportions_ztest([k1, k2], [40, 60], alternative="larger")
        assert tuple(pooled) == pytest.approx(theirs, abs=1e-10)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_boschloo_matches_scipy(alternative):
    options = {"alternative": alternative}
    found = compare_error_rates(*SMALL, method="boschloo", **options).pvalue
    expected = stats.boschloo_exact([[7, 2], [13, 23]], **options)
    assert found == pytest.approx(expected.pvalue)
    assert found < compare_error_rates(*SMALL, method="exact", **options).pvalue


@example(40, 0, "wald")
@given(*RATES, st.sampled_from(["wald", "pooled", "exact"]))
def test_swapping_the_models_flips_the_sign(k1, k2, method):
    first, second = (k1 / 40, 40), (k2 / 60, 60)
    one = compare_error_rates(*first, *second, method=method)
    other = compare_error_rates(*second, *first, method=method)
    # NaN by "wald" for a set of errors only beside one without.
    assert other.pvalue == pytest.approx(one.pvalue, nan_ok=True)
    assert other.difference == -one.difference
    for interval in ("wald", "newcombe"):
        low, high = one.confidence_interval(method=interval)
        assert other.confidence_interval(method=interval) == pytest.approx((-high, -low))
    less = compare_error_rates(*second, *first, method=method, alternative="less")
    greater = compare_error_rates(*first, *second, method=method, alternative="greater")
    assert greater.pvalue == pytest.approx(less.pvalue, nan_ok=True)


def test_rates_of_0_and_1_and_the_docstring_refers_to_mcnemar_for_a_common_test_set():
    for method in ("wald", "pooled", "exact", "boschloo"):
        assert compare_error_rates(0, 20, 0, 30, method=method).pvalue == 1
        assert compare_error_rates(1, 20, 1, 30, method=method).pvalue == 1
    result = compare_error_rates(0, 20, 1, 30)
    assert result.statistic == -np.inf
    assert np.isnan(result.pvalue)  # of 2 and 2 samples Fisher's would be 1/3
    assert compare_error_rates(1, 20, 0, 30).statistic == np.inf
    assert "on the same test set, use `mcnemar` instead" in compare_error_rates.__doc__


@pytest.mark.parametrize(
    ("method", "n1", "n2", "low", "high"),
    [
        ("exact", 15, 20, 0, 0.05),
        ("wald", 15, 20, 0.06, 1),  # too liberal in small sets
        # The approximations are close for larger sets.
        ("pooled", 150, 200, 0.048, 0.052),
        ("wald", 150, 200, 0.045, 0.055),
    ],
)
def test_exact_error_rates_summed_over_all_pairs_of_counts(method, n1, n2, low, high):
    counts1, counts2 = np.arange(n1 + 1), np.arange(n2 + 1)
    chances = np.outer(stats.binom.pmf(counts1, n1, 0.3), stats.binom.pmf(counts2, n2, 0.3))
    rate = sum(
        chances[a, b]
        for a, b in np.argwhere(chances > 1e-9)
        if compare_error_rates(a / n1, n1, b / n2, n2, method=method).pvalue < 0.05
    )
    assert low < rate < high


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((1.5, 30, 0.2, 30), {}, r"`error1` must be a rate from 0 to 1; got 1.5"),
        ((0.5, 30, np.nan, 30), {}, "`error2` must be a rate from 0 to 1; got nan"),
        ((0.5, 30, 0.2, 30.5), {}, r"`n2` must be a whole number ≥ 1; got 30.5"),
        ((0.15, 30, 0.2, 30), {"method": "exact"}, r"whole number of errors .* which is 4.5"),
        ((0.1, 10**9, 0.25, 4), {"method": "boschloo"}, "`method` must be 'exact' or 'wald' for 1"),
        ((0.1, 30, 0.2, 30), {"method": "z"}, "`method` must be one of 'wald', 'pooled'"),
        ((0.1, 30, 0.2, 30), {"alternative": "larger"}, "`alternative` must be one of"),
    ],
)
def test_invalid_rates_raise(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        compare_error_rates(*arguments, **options)


@pytest.mark.parametrize("method", ["wald", "newcombe"])
def test_intervals_of_a_difference_are_clipped(method):
    # 9 of 10 against 1 of 10: 0.8 ± 1.96·√(2·0.09/10) = 0.8 ± 0.263
    found = compare_error_rates(0.9, 10, 0.1, 10)
    low, high = found.confidence_interval(method=method)
    assert 0 < low < 0.8 < high <= 1
    if method == "wald":
        assert high == 1
        assert low == pytest.approx(0.8 - stats.norm.isf(0.025) * np.sqrt(0.018))
    other = compare_error_rates(0.1, 10, 0.9, 10).confidence_interval(method=method)
    assert other == pytest.approx((-high, -low))
    assert compare_error_rates(1.0, 3, 0.0, 3).confidence_interval(method=method)[1] <= 1
