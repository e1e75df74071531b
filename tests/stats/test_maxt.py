"""The max-t correction: reference simulation, special cases with known answers, its error rate."""

import dataclasses
import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from scipy import linalg, stats
from sklearn.covariance import ledoit_wolf_shrinkage

from sklearn_stats_compare import SplitDesign, SplitScores
from sklearn_stats_compare.stats import _family, _joint_null
from sklearn_stats_compare.stats._corrected_t import PairedTTests
from sklearn_stats_compare.stats._family import N_DRAWS, MaxT
from sklearn_stats_compare.stats._joint_null import JointNull

REFERENCE = Path(__file__).parents[1] / "reference"
slow = pytest.mark.slow


def of_sizes(values, n_train=80, n_test=20):
    n = np.shape(values)[1]
    return SplitScores(values, SplitDesign([n_train] * n, [n_test] * n))


def of(scores, rng=0):
    return MaxT(scores, PairedTTests.all_pairs(scores), rng)


@pytest.fixture(scope="module")
def maxt(multi_scores):
    """Six candidates on 20 splits."""
    return of(multi_scores)


def monte_carlo_error(p, n_reference):
    """Four standard errors of the difference of two simulated p-values, plus one count."""
    p = np.asarray(p)
    return 4 * np.sqrt(p * (1 - p) * (1 / N_DRAWS + 1 / n_reference)) + 4 / N_DRAWS


@pytest.mark.parametrize("rng", [0, 1, 2])
def test_matches_the_reference_simulation(multi, multi_scores, rng):
    # tests/reference/recompute.py: whole tables, and scipy's t-test of every pair of each.
    reference = json.loads((REFERENCE / "multi_maxt.json").read_text())
    maxt = of(multi_scores, rng)
    p = maxt.pvalue("two-sided")
    step_down = np.array(reference["step_down"])
    assert (np.abs(p - step_down) <= monte_carlo_error(step_down, 2e5)).all()
    single = np.array(reference["single_step"])
    found = maxt.single_step(np.abs(multi["t"]))
    assert (np.abs(found - single) <= monte_carlo_error(single, 2e5)).all()
    # Never more conservative than Bonferroni; the step-down never more than the single step.
    bonferroni = np.array(multi["bonferroni"])
    assert (p <= bonferroni + monte_carlo_error(bonferroni, np.inf)).all()
    statistic = np.abs(maxt.tests.statistic)
    assert (p <= maxt.single_step(statistic)).all()
    assert (np.diff(p[np.argsort(-statistic)]) >= 0).all()


def test_one_pair_needs_no_adjustment():
    rng = np.random.default_rng(0)
    maxt = of(of_sizes(rng.normal([[0.82], [0.8]], 0.02, (2, 20))))
    for alternative in ("two-sided", "greater", "less"):
        exact = maxt.tests.pvalue(alternative)
        found = maxt.pvalue(alternative)
        assert (np.abs(found - exact) <= monte_carlo_error(exact, np.inf)).all()
    assert maxt.critical_value(0.05) == pytest.approx(stats.t.ppf(0.975, 19), abs=0.06)


def test_independent_candidates_on_many_splits_match_tukeys_range_with_little_memory():
    # Independent scores of equal variance on very many splits: the joint null of all pairs is the
    # studentised range. A table of four candidates has 8,000 numbers. Draws use the shrunk
    # covariance, which has 16.
    scores = of_sizes(np.random.default_rng(0).standard_normal((4, 2000)))
    tukey = stats.studentized_range.ppf(0.95, 4, 1999) / np.sqrt(2)
    assert of(scores).critical_value(0.05) == pytest.approx(tukey, rel=0.02)
    for table in JointNull(scores, 0, 100)._tables(np.arange(4)):
        assert table.mean.size + table._left.size < 100 * 4 * 10


def test_intervals_exclude_zero_only_if_the_single_step_test_rejects(maxt):
    statistic = np.linspace(0, 12, 500)
    for alpha in (0.01, 0.05, 0.2):
        decided = maxt.single_step(statistic) < alpha
        assert (decided == (statistic > maxt.critical_value(alpha))).all()


def test_draws_are_reproducible_and_depend_on_the_seed(multi_scores):
    first = of(multi_scores, 3).pvalue("two-sided")
    for same in (3, np.random.default_rng(3)):
        np.testing.assert_array_equal(of(multi_scores, same).pvalue("two-sided"), first)
    assert (of(multi_scores, 4).pvalue("two-sided") != first).any()


def extremes(scores, n_draws, order, **options):
    chunks = list(JointNull(scores, 0, n_draws).row_extremes(order, **options))
    return [np.vstack(part) for part in zip(*chunks, strict=True)]


def test_undrawn_pairs_add_their_own_tails(multi_scores):
    null, own = JointNull(multi_scores, 0, 999), 2 * stats.t.sf(2.0, 19)
    for t, reached, n_undrawn, two_sided, expected in (
        (2.0, 30, 0, True, 0.031),  # 30 of 999 draws reach it: (1 + 30)/(1 + 999)
        (2.0, 30, 2, True, 0.031 + 2 * own),
        (2.0, 0, 1, True, own),
        (2.0, 0, 1, False, own / 2),
        # Without a pair that differs, or for a negative one-sided statistic, the p-value is 1.
        (2.0, 0, 0, True, 1.0),
        (-2.0, 0, 1, False, 1.0),
    ):
        options = {"drawn": reached > 0, "n_undrawn": n_undrawn, "df": 19, "two_sided": two_sided}
        assert null.pvalue(np.array([t]), reached, **options) == pytest.approx([expected])


def test_means_are_drawn_with_the_covariance_of_the_test(multi_scores):
    null = JointNull(multi_scores, 0, 200_000)
    order = multi_scores.order
    tests = PairedTTests.against(multi_scores, int(order[0]), order)
    drawn = np.concatenate(list(null.means(tests))).T
    assert drawn.shape == (len(order), 200_000)
    # Multivariate t with 19 degrees of freedom: its covariance is 19/17 of its scale.
    scale = np.cov(multi_scores.values[order]) * tests.variance_factor
    np.testing.assert_allclose(np.cov(drawn), scale * 19 / 17, rtol=0.02, atol=0.01 * scale.max())
    again = np.concatenate(list(null.means(tests))).T
    np.testing.assert_array_equal(again, drawn)


def test_draws_do_not_depend_on_the_block_size(monkeypatch):
    # 30 candidates fit in one block; 100 numbers at a time hold 3 rows of one table.
    scores, found = of_sizes(np.random.default_rng(0).normal(size=(30, 25))), []
    for everyone, at_once in itertools.product((False, True), (900, 100)):
        monkeypatch.setattr(_joint_null, "_NUMBERS_AT_ONCE", at_once)
        found.append(extremes(scores, 50, np.arange(30), everyone=everyone))
    np.testing.assert_allclose(found[1::2], found[::2], rtol=1e-12)


def test_extremes_match_those_of_all_pairs():
    rng = np.random.default_rng(0)
    scores = of_sizes(rng.normal(size=(7, 25)))
    squares = np.vstack(list(JointNull(scores, 0, 200).squares()))
    statistic = np.sign(squares) * np.sqrt(np.abs(squares))  # row minus column
    lowest, highest = extremes(scores, 200, np.arange(7))
    for k in range(7):
        before = statistic[:, :k, k]
        np.testing.assert_allclose(highest[:, k], before.max(axis=1, initial=0), atol=1e-12)
        np.testing.assert_allclose(lowest[:, k], before.min(axis=1, initial=0), atol=1e-12)
    # With another order of candidates the draws are the same tables with permuted rows.
    order = np.array([3, 1, 0, 6, 5, 2, 4])
    _, highest = extremes(scores, 200, order, everyone=True)
    expected = np.maximum(statistic, 0).max(axis=1)[:, order]
    np.testing.assert_allclose(highest, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("m", "n"), [(2, 10), (5, 5), (30, 10), (6, 100)])
def test_shrinkage_matches_scikit_learn(m, n):
    rng = np.random.default_rng(m)
    values = rng.normal(size=(m, 2)) @ rng.normal(size=(2, n)) + rng.normal(size=(m, n))
    centred = values - values.mean(axis=1, keepdims=True)
    centred -= centred.mean(axis=0)
    # The effect common to all candidates is not a dimension of their differences.
    differences = linalg.helmert(m) @ centred
    expected = ledoit_wolf_shrinkage(differences.T, assume_centered=True)
    assert _joint_null._shrunk(centred)[0] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("n_candidates", "n_splits", "n_families"),
    [
        (20, 5, 100),
        (20, 30, 50),  # no more candidates than degrees of freedom: shrinkage is part of the factor
        (5, 25, 120),
        *(pytest.param(20, n, 300, marks=slow) for n in (5, 10, 30)),
        pytest.param(5, 25, 1000, marks=slow),
    ],
)
def test_families_of_equal_candidates_keep_their_level(
    n_candidates, n_splits, n_families, monkeypatch
):
    # Independent candidates (the worst case) under the correction's dependence. The standard error
    # is √(0.05·0.95/n): 0.7 % of 1,000 families, 2.2 % of 100. Of 20 candidates on few splits it is
    # 7 to 10 % without shrinkage, of five the level is exact. With (1 + count)/(1 + draws) it is
    # kept at any number of draws, and other draws for every family average out their error.
    monkeypatch.setattr(_family, "N_DRAWS", 300)
    rng = np.random.default_rng(0)
    k = min(n_splits, 10)
    rejections = 0
    for _ in range(n_families):
        shared = np.sqrt(1 / (k - 1)) * rng.standard_normal((n_candidates, 1))
        values = shared + rng.standard_normal((n_candidates, n_splits))
        family = of(of_sizes(values, 100 * (k - 1), 100), rng)
        rejections += family.pvalue("two-sided").min() < 0.05
    error = np.sqrt(0.05 * 0.95 / n_families)
    assert rejections / n_families <= 0.05 + 2 * error
    assert rejections / n_families >= 0.05 - 4 * error or n_candidates > 5


def test_each_drawn_pair_follows_students_t():
    # With its own mean and standard deviation a pair is exactly t with J − 1 degrees of freedom,
    # whatever the number and the correlations of other candidates.
    rng = np.random.default_rng(0)
    values = rng.standard_normal((4, 2)) @ rng.standard_normal((2, 20))
    values += 0.1 * rng.standard_normal((4, 20))
    null = JointNull(of_sizes(values), 0, 20_000)
    squares = np.vstack(list(null.squares()))
    for i, j in ((0, 1), (1, 3), (2, 0)):
        statistic = np.sign(squares[:, i, j]) * np.sqrt(np.abs(squares[:, i, j]))
        assert stats.kstest(statistic, stats.t(19).cdf).pvalue > 1e-3


def test_large_family_is_single_step_and_single_precision_agrees(monkeypatch):
    rng = np.random.default_rng(0)
    scores = of_sizes(rng.normal(size=(20, 12)) + np.arange(20)[:, None] / 10)
    family = of(scores)
    single = family.single_step(np.abs(family.tests.statistic))
    monkeypatch.setattr(_family, "MOST_STEPPED_DOWN", 100)
    monkeypatch.setattr(_joint_null, "_MOST_IN_DOUBLE", 10)
    p = of(scores).pvalue("two-sided")
    assert (np.abs(p - single) <= monte_carlo_error(single, N_DRAWS)).all()
    assert (of(scores).pvalue("greater") <= p + monte_carlo_error(p, N_DRAWS)).all()


def test_missing_pairs_and_copies_are_not_in_the_family(multi_scores, maxt):
    alone = maxt.pvalue("two-sided")
    # After the six: a copy of the last, and one that failed on one split.
    failed = multi_scores.values[5].copy() - 0.1
    failed[3] = np.nan
    grown = of(of_sizes(np.vstack([multi_scores.values, multi_scores.values[5], failed])))
    tests, p = grown.tests, grown.pvalue("two-sided")
    both_first_six = (tests.first < 6) & (tests.second < 6)
    # The copy doubles pairs and does not change any maximum.
    assert (np.abs(p[both_first_six] - alone) <= monte_carlo_error(alone, N_DRAWS)).all()
    assert p[(tests.first == 5) & (tests.second == 6)].tolist() == [1.0]
    assert np.isnan(p[tests.second == 7]).all()


def test_constant_differences_are_adjusted_for_their_number():
    # Two pairs differ by the same on 12 splits: two-sided p = 2^−11 each, 2^−10 for either.
    constant = of(of_sizes([[0.5] * 12, [0.5] * 12, [0.4] * 12], n_train=220))
    p = constant.pvalue("two-sided")
    assert p[0] == 1
    assert p[1:] == pytest.approx(2**-10)
    # Above the critical value 2·P(|T| ≥ t) is below alpha.
    assert constant.critical_value(0.05) == pytest.approx(stats.t.isf(0.05 / 4, 11))


def test_constant_difference_adds_its_tail_to_other_pairs(multi_scores, maxt):
    copy = multi_scores.values[5] - 0.002
    statistic = np.array([2.0, 3.0, 4.0])
    expected = maxt.single_step(statistic) + 2 * stats.t.sf(statistic, 19)
    found = of(of_sizes(np.vstack([multi_scores.values, copy]))).single_step(statistic)
    assert (np.abs(found - expected) <= monte_carlo_error(expected, N_DRAWS)).all()


def test_one_sided_p_values_follow_the_rank_order(multi_scores, maxt):
    greater, two_sided = maxt.pvalue("greater"), maxt.pvalue("two-sided")
    assert (greater <= two_sided).all()
    tests = maxt.tests
    turned = {"first": tests.second, "second": tests.first, "mean_diff": -tests.mean_diff}
    flipped = dataclasses.replace(tests, **turned)
    np.testing.assert_array_equal(MaxT(multi_scores, flipped).pvalue("less"), greater)


def test_two_splits_still_adjust_for_all_pairs():
    # The centred scores on two splits are multiples of one vector. Without shrinkage every drawn
    # pair would have the same |T*|, and the adjusted p-value would equal the unadjusted one.
    family = of(of_sizes(np.random.default_rng(0).normal(size=(6, 2))))
    alone, bonferroni = stats.t.isf([0.025, 0.025 / 15], 1)
    assert 3 * alone < family.critical_value(0.05) < 1.1 * bonferroni


@pytest.mark.parametrize(
    ("n_splits", "spread"),
    [
        (5, 0.002),
        *(pytest.param(5, spread, marks=slow) for spread in (0.005, 0.02)),
        *(pytest.param(10, spread, marks=slow) for spread in (0.002, 0.005, 0.02)),
    ],
)
def test_near_duplicates_among_many_candidates_give_finite_statistics(
    n_splits, spread, monkeypatch
):
    # More than 200 candidates are drawn in single precision, which loses near-duplicates.
    rng = np.random.default_rng(0)
    values = rng.normal(size=(1, n_splits)) + spread * rng.normal(size=(210, n_splits))
    values[:20] = rng.normal(size=(20, n_splits))
    lowest, highest = extremes(of_sizes(values), 200, np.arange(210))
    assert np.isfinite([lowest, highest]).all()
    monkeypatch.setattr(_joint_null, "_MOST_IN_DOUBLE", 1000)
    in_double = extremes(of_sizes(values), 200, np.arange(210))
    both = [np.maximum(-low, high).max(axis=1) for low, high in ((lowest, highest), in_double)]
    largest, exact = np.quantile(both, 0.9, axis=1)
    assert largest == pytest.approx(exact, rel=0.25)  # the 90 % quantile of 200 draws each
