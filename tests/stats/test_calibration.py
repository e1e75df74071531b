"""Simulated verdicts: rates known from SciPy, covariances, and the table of calibrate."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from sklearn_stats_compare import Comparison, SplitDesign, SplitScores
from sklearn_stats_compare.stats._simulated import split_simulator

DESIGN = SplitDesign([80] * 20, [20] * 20)
RNG = np.random.default_rng(0)
COMMON = RNG.normal(size=20) * 0.05
SCORES = 0.8 + COMMON + RNG.normal(size=(4, 20)) * np.array([[0.01], [0.02], [0.03], [0.04]])
EQUAL = SplitScores(SCORES, DESIGN)


def comparison(values=SCORES, **options):
    return Comparison(SplitScores(values, DESIGN), **options)


def test_rates_of_one_pair_follow_students_t():
    # With one pair and a negligible ROPE nothing is adjusted. Under the corrected dependence the
    # test is exact. Under the naive one the standard error is too large by √(1/J + q)·√J:
    # P(|T| > t₀.₉₇₅·√(1 + J·q)).
    n = 4000
    found = comparison(SCORES[:2], rope=0).calibrate(n_simulations=n, rng=1)
    critical = stats.t.isf(0.025, 19)
    expected = [0.05, 2 * stats.t.sf(critical * np.sqrt(1 + 20 / 4), 19)]
    for row, rate in zip(found.query("truth == 'equal'").itertuples(), expected, strict=True):
        error = np.sqrt(max(rate, 1e-4) * (1 - rate) / n)
        assert row.any_false == pytest.approx(rate, abs=3 * error)
        assert row.claimed == row.any_false


def test_power_of_one_pair_follows_the_noncentral_t():
    n = 3000
    values = SCORES[:2] - SCORES[:2].mean(axis=1, keepdims=True)
    differences = values[0] - values[1]
    std_err = differences.std(ddof=1) * np.sqrt(1 / 20 + 1 / 4)
    values[0] += 2.5 * std_err
    found = comparison(values, rope=0).calibrate(n_simulations=n, rng=2)
    row = found.query("truth == 'as observed' and dependence == 'corrected'").iloc[0]
    critical = stats.t.isf(0.025, 19)
    power = stats.nct.sf(critical, 19, 2.5) + stats.nct.cdf(-critical, 19, 2.5)
    assert row["claimed"] == pytest.approx(power, abs=3 * np.sqrt(power * (1 - power) / n))


@pytest.mark.parametrize("p_adjust", ["bonferroni", "sidak", "holm", "hochberg", "maxt"])
def test_adjustments_keep_the_rate_of_false_claims(p_adjust):
    n = 100 if p_adjust == "maxt" else 1500  # max-t draws 100,000 maxima for each
    found = comparison(p_adjust=p_adjust).calibrate(n_simulations=n, rng=3)
    rate = found["any_false"].iloc[0]
    assert rate - 3 * np.sqrt(0.05 * 0.95 / n) <= 0.05
    none = comparison(p_adjust=None).calibrate(n_simulations=n, rng=3)["any_false"].iloc[0]
    assert none > rate


def test_simulated_scores_have_the_expected_covariance():
    rng = np.random.default_rng(4)
    means = np.array([0.1, 0.2, 0.3, 0.4])
    expected = np.cov(SCORES)
    for dependence, factor in (("corrected", 1 / 20 + 1 / 4), ("naive", 1 / 20)):
        draw = split_simulator(EQUAL, dependence)
        drawn = [draw(means, rng) for _ in range(4000)]
        of_means = np.array([one.values.mean(axis=1) for one in drawn])
        np.testing.assert_allclose(of_means.mean(axis=0), means, atol=0.002)
        # A relative standard error of √(2/4000) = 2.2 % for variances.
        np.testing.assert_allclose(np.cov(of_means.T), factor * expected, rtol=0.15, atol=2e-5)
        within = np.mean([np.cov(one.values) for one in drawn[:500]], axis=0)
        np.testing.assert_allclose(within, expected, rtol=0.05, atol=2e-5)


@settings(deadline=None, max_examples=15)
@given(st.floats(0.5, 100), st.floats(-5, 5))
def test_calibration_does_not_depend_on_units(scale, shift):
    one = comparison(rope=0.01).calibrate(n_simulations=20, rng=5)
    other = comparison(scale * SCORES + shift, rope=0.01 * scale).calibrate(n_simulations=20, rng=5)
    numbers = one.columns[2:]
    # Rounding may change a verdict on the boundary, in one of 6 pairs and 20 tables.
    np.testing.assert_allclose(one[numbers], other[numbers], atol=0.06)


def test_calibration_table():
    found = comparison(rope=0.02).calibrate(n_simulations=50, rng=0)
    assert found[["truth", "dependence"]].to_numpy().tolist() == [
        ["equal", "corrected"], ["equal", "naive"],
        ["as observed", "corrected"], ["as observed", "naive"],
    ]  # fmt: skip
    shares = found[["claimed", "equivalent", "undecided"]]
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    assert found.notna().all(axis=None)
    again = comparison(rope=0.02).calibrate(n_simulations=50, rng=0)
    assert found.equals(again)


def test_calibration_ignores_failed_candidates():
    values = np.vstack([SCORES, np.full(20, np.nan)])
    found = comparison(values).calibrate(n_simulations=50, rng=0)
    assert found.equals(comparison().calibrate(n_simulations=50, rng=0))


def test_calibration_of_more_candidates_than_splits():
    values = np.random.default_rng(6).normal(size=(40, 20))
    found = comparison(values, rope=0).calibrate(n_simulations=200, rng=0)
    assert found["any_false"].iloc[0] <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 200)


def test_invalid_simulations_raise():
    with pytest.raises(ValueError, match="`n_simulations` must be a whole number ≥ 2; got 1"):
        comparison().calibrate(n_simulations=1)
    with pytest.raises(ValueError, match=r"at least two candidates .* got 1 and 20"):
        comparison(SCORES[:1]).calibrate()
    nothing = SplitDesign([0] * 20, [20] * 20)
    with pytest.raises(ValueError, match="splits that train on something"):
        Comparison(SplitScores(SCORES, nothing), warn=False).calibrate()


def test_false_equivalence_counts_as_a_false_verdict():
    # The true difference, 3 standard errors, is just outside a ROPE that ends at 2.9 of them: one
    # pair is called equivalent if t is below 2.9 − 1.73 and above −2.9 + 1.73. "Better" would be
    # correct; "worse" almost never occurs.
    values = SCORES[:2] - SCORES[:2].mean(axis=1, keepdims=True)
    std_err = (values[0] - values[1]).std(ddof=1) * np.sqrt(1 / 20 + 1 / 4)
    values[0] += 3 * std_err
    n = 3000
    found = comparison(values, rope=2.9 * std_err).calibrate(n_simulations=n, rng=7)
    row = found.query("truth == 'as observed' and dependence == 'corrected'").iloc[0]
    assert row["equivalent"] > 0.02
    assert row["any_false"] == pytest.approx(row["equivalent"])
    # Two one-sided tests at a false null on the boundary: at most 5 %.
    assert row["any_false"] <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / n)
