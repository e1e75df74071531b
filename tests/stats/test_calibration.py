"""Simulated verdicts: rates known from SciPy, covariances, and the table of calibrate."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from sklearn_stats_compare import Comparison, SplitDesign, SplitScores
from sklearn_stats_compare.evaluation import calibrate
from sklearn_stats_compare.stats import _family
from sklearn_stats_compare.stats._power import split_simulator

DESIGN = SplitDesign([80] * 20, [20] * 20)
RNG = np.random.default_rng(0)
COMMON = RNG.normal(size=20) * 0.05
SCORES = 0.8 + COMMON + RNG.normal(size=(4, 20)) * np.array([[0.01], [0.02], [0.03], [0.04]])
STD_ERR = (SCORES[0] - SCORES[1]).std(ddof=1) * np.sqrt(1 / 20 + 1 / 4)


def comparison(values=SCORES, **options):
    return Comparison(SplitScores(values, DESIGN), **options)


def two_apart(std_errs):
    """Scores of two candidates whose means are so many standard errors apart."""
    values = SCORES[:2] - SCORES[:2].mean(axis=1, keepdims=True)
    values[0] += std_errs * STD_ERR
    return values


# Every bound follows from the number of simulations: it is wider where they are fewer.
def sizes(default, many):
    return pytest.mark.parametrize("n", [default, pytest.param(many, marks=pytest.mark.slow)])


@sizes(125, 4000)
def test_rates_of_one_pair_follow_students_t_and_its_power_the_noncentral_t(n):
    # With one pair and a negligible ROPE nothing is adjusted. Under the corrected dependence the
    # test is exact. Under the naive one the standard error is too large by √(1/J + q)·√J:
    # P(|T| > t₀.₉₇₅·√(1 + J·q)).
    found = calibrate(comparison(two_apart(2.5), rope=0), n_simulations=n, rng=1)
    critical = stats.t.isf(0.025, 19)
    expected = [0.05, 2 * stats.t.sf(critical * np.sqrt(1 + 20 / 4), 19)]
    for row, rate in zip(found.query("truth == 'equal'").itertuples(), expected, strict=True):
        # Tails of 0.135 %, as beyond three standard errors; those of a rare event are binomial.
        low, high = stats.binom.ppf([0.00135, 0.99865], n, rate)
        assert low <= round(row.any_false * n) <= high
        assert row.claimed == row.any_false
    row = found.query("truth == 'as observed' and dependence == 'corrected'").iloc[0]
    power = stats.nct.sf(critical, 19, 2.5) + stats.nct.cdf(-critical, 19, 2.5)
    assert row["claimed"] == pytest.approx(power, abs=3 * np.sqrt(power * (1 - power) / n))


@sizes(40, 1500)
def test_adjustments_keep_the_rate_of_false_claims(n, monkeypatch):
    # Any number of draws keeps the level: 20,000 for each table would take minutes.
    monkeypatch.setattr(_family, "N_DRAWS", 500)

    def rate(p_adjust, n):
        return calibrate(comparison(p_adjust=p_adjust), n_simulations=n, rng=3)["any_false"].iloc[0]

    for names, n_tables in ((("bonferroni", "sidak", "holm", "hochberg"), n), (("maxt",), n // 4)):
        none = rate(None, n_tables)
        for name in names:
            found = rate(name, n_tables)
            assert found - 3 * np.sqrt(0.05 * 0.95 / n_tables) <= 0.05, name
            assert none > found, name


def test_simulated_scores_have_the_expected_covariance():
    rng = np.random.default_rng(4)
    means = np.array([0.1, 0.2, 0.3, 0.4])
    expected = np.cov(SCORES)
    for dependence, factor in (("corrected", 1 / 20 + 1 / 4), ("naive", 1 / 20)):
        draw = split_simulator(SplitScores(SCORES, DESIGN), dependence)
        drawn = [draw(means, rng) for _ in range(4000)]
        of_means = np.array([one.values.mean(axis=1) for one in drawn])
        np.testing.assert_allclose(of_means.mean(axis=0), means, atol=0.002)
        # A relative standard error of √(2/4000) = 2.2 % for variances.
        np.testing.assert_allclose(np.cov(of_means.T), factor * expected, rtol=0.15, atol=2e-5)
        within = np.mean([np.cov(one.values) for one in drawn[:500]], axis=0)
        np.testing.assert_allclose(within, expected, rtol=0.05, atol=2e-5)


@settings(deadline=None, max_examples=4)
@given(st.floats(0.5, 100), st.floats(-5, 5))
def test_calibration_does_not_depend_on_units(scale, shift):
    changed = comparison(scale * SCORES + shift, rope=0.01 * scale)
    one, other = (calibrate(x, n_simulations=20, rng=5) for x in (comparison(rope=0.01), changed))
    numbers = one.columns[2:]
    # Rounding may change a verdict on the boundary, in one of 6 pairs and 20 tables.
    np.testing.assert_allclose(one[numbers], other[numbers], atol=0.06)


def test_calibration_table_is_reproducible_and_ignores_failed_candidates():
    found = calibrate(comparison(rope=0.02), n_simulations=50, rng=0)
    assert found[["truth", "dependence"]].to_numpy().tolist() == [
        ["equal", "corrected"], ["equal", "naive"],
        ["as observed", "corrected"], ["as observed", "naive"],
    ]  # fmt: skip
    shares = found[["claimed", "equivalent", "undecided"]]
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    assert found.notna().all(axis=None)
    for values in (SCORES, np.vstack([SCORES, np.full(20, np.nan)])):
        assert found.equals(calibrate(comparison(values, rope=0.02), n_simulations=50, rng=0))


@sizes(50, 200)
def test_calibration_of_more_candidates_than_splits(n):
    values = np.random.default_rng(6).normal(size=(40, 20))
    found = calibrate(comparison(values, rope=0), n_simulations=n, rng=0)
    assert found["any_false"].iloc[0] <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / n)


def test_invalid_simulations_raise():
    with pytest.raises(ValueError, match="`n_simulations` must be a whole number ≥ 2; got 1"):
        calibrate(comparison(), n_simulations=1)
    with pytest.raises(ValueError, match=r"at least two candidates .* got 1 and 20"):
        calibrate(comparison(SCORES[:1]))
    nothing = SplitDesign([0] * 20, [20] * 20)
    with pytest.raises(ValueError, match="splits that train on something"):
        calibrate(Comparison(SplitScores(SCORES, nothing), warn=False))


@sizes(150, 3000)
def test_false_equivalence_counts_as_a_false_verdict(n):
    # The true difference, 3 standard errors, is just outside a ROPE that ends at 2.9 of them: one
    # pair is called equivalent if t is below 2.9 − 1.73 and above −2.9 + 1.73. "Better" would be
    # correct; "worse" almost never occurs.
    found = calibrate(comparison(two_apart(3), rope=2.9 * STD_ERR), n_simulations=n, rng=7)
    row = found.query("truth == 'as observed' and dependence == 'corrected'").iloc[0]
    assert row["equivalent"] > 0.02
    assert row["any_false"] == pytest.approx(row["equivalent"])
    # Two one-sided tests at a false null on the boundary: at most 5 %.
    assert row["any_false"] <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / n)


def test_simulated_verdicts_need_as_many_samples_as_the_comparisons():
    # Accuracies of 100 samples: (1 − 0.01)^100 = 0.37, so that no pair can be equivalent.
    rng = np.random.default_rng(0)
    right = rng.random(100) < 0.9
    order = rng.permuted(np.tile(np.arange(100), (10, 1)), axis=1).reshape(50, 20)
    values = np.stack([right[order].mean(axis=1), np.r_[~right[:1], right[1:]][order].mean(axis=1)])
    design = SplitDesign([80] * 50, [20] * 50, np.repeat(np.arange(10), 5))
    found = calibrate(Comparison(SplitScores(values, design)), n_simulations=20, rng=0)
    assert (found["equivalent"] == 0).all()
