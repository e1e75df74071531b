"""The max-t correction: reference simulation, special cases with known answers, its error rate."""

import dataclasses

import numpy as np
import pytest
from scipy import stats

from sklearn_stats_compare import SplitDesign, SplitScores
from sklearn_stats_compare.stats import _maxt
from sklearn_stats_compare.stats._corrected_t import PairedTTests
from sklearn_stats_compare.stats._maxt import N_DRAWS, MaxT


def maxt_of(values, rng=0, n_train=80, n_test=20):
    n = np.shape(values)[1]
    scores = SplitScores(values, SplitDesign([n_train] * n, [n_test] * n))
    tests = PairedTTests.all_pairs(scores)
    return MaxT(scores, tests, rng)


def monte_carlo_error(p, n_reference):
    """Four standard errors of the difference of two simulated p-values, and a count's worth."""
    p = np.asarray(p)
    return 4 * np.sqrt(p * (1 - p) * (1 / N_DRAWS + 1 / n_reference)) + 4 / N_DRAWS


@pytest.mark.parametrize("rng", [0, 1, 2])
def test_the_reference_simulation_is_met(multi, multi_scores, rng):
    maxt = MaxT(multi_scores, PairedTTests.all_pairs(multi_scores), rng)
    step_down = np.array(multi["maxT_stepdown_p_mc2e5"])
    assert (np.abs(maxt.pvalue("two-sided") - step_down) <= monte_carlo_error(step_down, 2e5)).all()
    single = np.array(multi["maxT_single_step_p_mc2e5"])
    found = maxt.single_step(np.abs(multi["t"]))
    assert (np.abs(found - single) <= monte_carlo_error(single, 2e5)).all()


def test_one_pair_needs_no_adjustment():
    rng = np.random.default_rng(0)
    maxt = maxt_of(rng.normal([[0.82], [0.8]], 0.02, (2, 20)))
    for alternative in ("two-sided", "greater", "less"):
        exact = maxt.tests.pvalue(alternative)
        found = maxt.pvalue(alternative)
        assert (np.abs(found - exact) <= monte_carlo_error(exact, np.inf)).all()
    assert maxt.critical_value(0.05) == pytest.approx(stats.t.ppf(0.975, 19), abs=0.06)


def test_candidates_that_vary_alike_make_tukeys_range():
    # Independent scores of equal variance on very many splits: the joint null of all pairs is the
    # studentised range.
    rng = np.random.default_rng(0)
    maxt = maxt_of(rng.standard_normal((4, 2000)))
    tukey = stats.studentized_range.ppf(0.95, 4, 1999) / np.sqrt(2)
    assert maxt.critical_value(0.05) == pytest.approx(tukey, rel=0.02)


def test_it_is_never_more_conservative_than_bonferroni(multi, multi_scores):
    maxt = MaxT(multi_scores, PairedTTests.all_pairs(multi_scores))
    bonferroni = np.array(multi["bonferroni"])
    assert (maxt.pvalue("two-sided") <= bonferroni + monte_carlo_error(bonferroni, np.inf)).all()


def test_step_down_is_below_single_step_and_keeps_the_order_of_the_statistics(multi_scores):
    maxt = MaxT(multi_scores, PairedTTests.all_pairs(multi_scores))
    p = maxt.pvalue("two-sided")
    statistic = np.abs(maxt.tests.statistic)
    assert (p <= maxt.single_step(statistic)).all()
    assert (np.diff(p[np.argsort(-statistic)]) >= 0).all()


def test_no_interval_excludes_zero_where_the_single_step_p_does_not_decide(multi_scores):
    maxt = MaxT(multi_scores, PairedTTests.all_pairs(multi_scores))
    statistic = np.linspace(0, 12, 500)
    for alpha in (0.01, 0.05, 0.2):
        decided = maxt.single_step(statistic) < alpha
        assert (decided == (statistic > maxt.critical_value(alpha))).all()


def test_the_same_seed_repeats_and_the_size_of_chunks_changes_nothing(multi_scores, monkeypatch):
    tests = PairedTTests.all_pairs(multi_scores)
    first = MaxT(multi_scores, tests, 3).pvalue("two-sided")
    monkeypatch.setattr(_maxt, "_PAIRS_AT_ONCE", 2)
    monkeypatch.setattr(_maxt, "_DRAWS_AT_ONCE", 4000)
    np.testing.assert_array_equal(MaxT(multi_scores, tests, 3).pvalue("two-sided"), first)
    assert (MaxT(multi_scores, tests, 4).pvalue("two-sided") != first).any()
    generator = np.random.default_rng(3)
    np.testing.assert_array_equal(MaxT(multi_scores, tests, generator).pvalue("two-sided"), first)


def test_zero_variance_and_missing_pairs_stay_outside_the_family(multi_scores):
    alone = MaxT(multi_scores, PairedTTests.all_pairs(multi_scores)).pvalue("two-sided")
    # After the six: a copy of the last, and one that failed on one split.
    failed = multi_scores.values[5].copy() - 0.1
    failed[3] = np.nan
    grown = SplitScores(
        np.vstack([multi_scores.values, multi_scores.values[5], failed]), multi_scores.design
    )
    tests = PairedTTests.all_pairs(grown)
    p = MaxT(grown, tests).pvalue("two-sided")
    both_first_six = (tests.first < 6) & (tests.second < 6)
    # The copy doubles pairs and changes no maximum.
    np.testing.assert_array_equal(p[both_first_six], alone)
    assert p[(tests.first == 5) & (tests.second == 6)].tolist() == [1.0]
    assert np.isnan(p[tests.second == 7]).all()


def test_a_family_in_which_nothing_varies_has_its_own_p():
    maxt = maxt_of([[0.5] * 12, [0.5] * 12, [0.4] * 12])
    assert maxt.pvalue("two-sided").tolist() == [1.0, 0.0, 0.0]
    assert np.isnan(maxt.critical_value(0.05))


def test_one_sided_p_values_follow_the_rank_order(multi_scores):
    maxt = MaxT(multi_scores, PairedTTests.all_pairs(multi_scores))
    greater, two_sided = maxt.pvalue("greater"), maxt.pvalue("two-sided")
    assert (greater <= two_sided).all()
    flipped = dataclasses.replace(
        maxt.tests,
        first=maxt.tests.second,
        second=maxt.tests.first,
        mean_diff=-maxt.tests.mean_diff,
    )
    np.testing.assert_array_equal(MaxT(multi_scores, flipped).pvalue("less"), greater)


def test_the_family_wise_error_rate_is_the_stated_one():
    # Five equal candidates, split scores with the common correlation 1/k that the correction
    # assumes between splits: 5 % of 1,000 families, standard error 0.7 %.
    rng = np.random.default_rng(0)
    n, k, n_families = 25, 5, 1000
    rejections = 0
    for family in range(n_families):
        common = rng.standard_normal((5, 1))
        values = np.sqrt(1 / k) * common + np.sqrt(1 - 1 / k) * rng.standard_normal((5, n))
        scores = SplitScores(values, SplitDesign([k - 1] * n, [1] * n))
        tests = PairedTTests.all_pairs(scores)
        # With (1 + count)/(1 + draws) the test keeps its level at any number of draws: 500 are
        # quick, and a seed of its own for every family lets their error average out.
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(_maxt, "N_DRAWS", 500)
            rejections += MaxT(scores, tests, family).pvalue("two-sided").min() < 0.05
    assert rejections / n_families == pytest.approx(0.05, abs=4 * 0.0069)
