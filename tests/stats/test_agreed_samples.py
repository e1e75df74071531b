"""Agreement on few samples: the bound of every equivalence test, and its posterior."""

import numpy as np
import pytest
from scipy import integrate, stats
from sklearn.model_selection import RepeatedKFold, ShuffleSplit, TimeSeriesSplit

from benchmarks import hard_cells
from sklearn_stats_compare import SplitDesign, SplitScores
from sklearn_stats_compare.stats import Posterior
from sklearn_stats_compare.stats._corrected_t import limit_pvalue, upper_limit
from sklearn_stats_compare.stats._family import PAIR_TESTS, Family, Settings
from sklearn_stats_compare.stats._pair_tests import CORRECTED_T
from sklearn_stats_compare.stats._sample_scores import SampleScores
from sklearn_stats_compare.stats._sample_t import SampleTTest


def folds(n, n_folds, n_repeats=1):
    n_test = np.full(n_folds * n_repeats, n // n_folds)
    return SplitDesign(n - n_test, n_test, np.repeat(np.arange(n_repeats), n_folds), n_samples=n)


def equivalent(scores, rope, test=CORRECTED_T):
    """Whether candidate 0 is equivalent to each of the others, without adjustment."""
    settings = Settings("two-sided", None, (-rope, rope), 0.05, test)
    tests = test.against(scores, 0, np.arange(1, scores.n_candidates))
    family = Family(scores, tests, settings, n_tests=1)
    return family.decisions(tests.rope_probabilities(settings.rope)).equivalent


def agreement_pvalue(difference, n, rope):
    """Both limits without any spread: the binomial part of the p-value alone."""
    low, high = rope
    none = np.zeros_like(difference)
    above = limit_pvalue(difference, none, np.inf, high, n)
    return np.maximum(above, limit_pvalue(-difference, none, np.inf, -low, n))


@pytest.mark.parametrize(("n", "differing"), [(10, 0), (300, 0), (300, 1), (300, 4)])
def test_the_p_value_is_the_lower_tail_of_the_binomial(n, differing):
    difference = np.array([differing, differing]) / n
    expected = stats.binom.cdf(differing, n, 0.02)
    np.testing.assert_allclose(agreement_pvalue(difference, n, (-0.02, 0.02)), expected)
    # The other limit is further away.
    assert agreement_pvalue(-difference, n, (-0.02, 0.3))[1] == pytest.approx(expected)
    # The limit is the inverse, and that of Clopper and Pearson.
    limit = upper_limit(difference, np.zeros(2), 2.0, 0.05, n)
    np.testing.assert_allclose(limit, stats.beta.isf(0.05, differing + 1, n - differing))
    np.testing.assert_allclose(stats.binom.cdf(differing, n, limit), 0.05)


def test_a_region_beside_zero_uses_both_tails():
    # Differences from 0.02 to 0.05, of which 10 in 300 are observed: at most 10 for 0.05, and at
    # least 10 for 0.02.
    expected = max(stats.binom.cdf(10, 300, 0.05), stats.binom.sf(9, 300, 0.02))
    for sign, region in ((1, (0.02, 0.05)), (-1, (-0.05, -0.02))):
        found = agreement_pvalue(np.array([sign * 10 / 300]), 300, region)
        assert found[0] == pytest.approx(expected)
    assert agreement_pvalue(np.zeros(1), 300, (0.02, 0.05)).tolist() == [1.0]


def test_no_sample_shows_a_difference_of_exactly_zero_or_beyond_every_limit():
    assert agreement_pvalue(np.zeros(1), 10**9, (0.0, 0.0)).tolist() == [1.0]
    assert agreement_pvalue(np.zeros(1), 5, (-np.inf, np.inf)).tolist() == [0.0]
    assert agreement_pvalue(np.array([0.0, 1.0]), 5, (-1.0, 1.0)).tolist() == [0.0, 1.0]


def test_folds_and_windows_test_every_sample_once_and_shuffle_splits_as_many_as_expected():
    X = np.zeros((103, 1))
    design = SplitDesign.from_indices(list(RepeatedKFold(n_splits=5, n_repeats=3).split(X)), 103)
    assert design.samples_per_repeat == 103
    assert SplitDesign([80] * 10, [20] * 10).samples_per_repeat == 100  # five test sets fit
    windows = list(TimeSeriesSplit(5).split(np.zeros((120, 1))))
    assert SplitDesign.from_indices(windows, 120).samples_per_repeat == 100
    # Seven draws of 20 of 100: a sample is in none of them with probability 0.8^7.
    cv = [ShuffleSplit(7, test_size=20, random_state=k) for k in range(200)]
    X = np.zeros((100, 1))
    design = SplitDesign.from_indices(list(cv[0].split(X)), 100)
    tested = [len(set(np.concatenate([test for _, test in each.split(X)]))) for each in cv]
    assert design.samples_per_repeat == pytest.approx(100 * (1 - 0.8**7))
    error = np.std(tested) / np.sqrt(200)
    assert design.samples_per_repeat == pytest.approx(np.mean(tested), abs=4 * error)


def test_number_of_samples_on_which_scores_agree():
    values = np.tile([0.9, 0.7, 0.8, 0.85, 0.95], (2, 1))
    assert SplitScores(values, folds(100, 5)).n_agreed == 100
    assert SplitScores(values, SplitDesign.from_ratio(0.25, 5)).n_agreed == 100  # multiples of 1/20
    # Unknown sizes of continuous scores: a split has at least one sample.
    assert SplitScores(values / np.pi, SplitDesign.from_ratio(0.25, 5)).n_agreed == 5
    # Beyond ±1 the contribution of a sample is unknown.
    assert SplitScores(values + 1, folds(100, 5)).n_agreed == np.inf
    assert SplitScores(np.full((2, 5), np.nan), folds(100, 5)).n_agreed == np.inf


def test_counts_are_multiples_of_the_number_of_test_samples():
    uneven = SplitDesign([89, 90], [11, 10])
    assert SplitScores([[9 / 11, 0.7], [1.0, 0.0]], uneven).n_shared == 21
    assert SplitScores([[9 / 11, 0.71], [1.0, 0.0]], uneven).n_shared == np.inf
    assert SplitScores([[9 / 11, 0.7], [np.nan, 0.71]], uneven).n_shared == 21  # one is missing
    # In a unit in which all scores are tiny they are no counts of 0.
    assert SplitScores([[9e-12 / 11, 7e-13], [1e-12, 0.0]], uneven).n_shared == np.inf
    # Recall: 4 and 5 positives of 21 and 26 samples, of which at most 5 in each of two folds.
    recalls = SplitScores([[3 / 4, 4 / 5], [2 / 4, 1.0]], SplitDesign([26, 21], [21, 26], [0, 0]))
    assert recalls.n_shared == 10


@pytest.mark.parametrize(("n", "expected"), [(290, False), (300, True)])
@pytest.mark.parametrize("test", [CORRECTED_T, SampleTTest()])
def test_models_that_agree_are_equivalent_from_three_over_the_rope_on(n, expected, test):
    # 0.99ⁿ < 0.05 from n = 299 on.
    correct = np.random.default_rng(0).random((1, 1, n)) < 0.8
    values = np.tile(correct.astype(float), (2, 1, 1))
    splits = values.reshape(2, 5, -1).mean(axis=2)
    scores = SplitScores(splits, folds(n, 5), SampleScores(values, 5))
    assert equivalent(scores, 0.01, test).tolist() == [expected]
    probability = test.against(scores, 0, np.array([1])).rope_probabilities((-0.01, 0.01)).rope
    assert probability[0] == pytest.approx(1 - 0.99 ** (n + 1))


@pytest.mark.parametrize("p_adjust", ["bonferroni", "holm", "maxt", "bh"])
def test_agreement_is_adjusted_like_every_other_test(p_adjust):
    # Four candidates, six pairs: 0.99^n is below 0.05/6 from n = 477 on.
    rng = np.random.default_rng(0)
    for n, expected in ((400, False), (600, True)):
        row = (rng.random((5, n // 5)) < 0.8).mean(axis=1)
        worse = np.maximum(row - rng.integers(20, 40, (2, 5)) / (n // 5), 0)
        scores = SplitScores(np.vstack([row, row, worse]), folds(n, 5))
        settings = Settings("two-sided", p_adjust, (-0.01, 0.01), 0.05, CORRECTED_T)
        tests = CORRECTED_T.all_pairs(scores)
        family = Family(scores, tests, settings)
        found = family.decisions(tests.rope_probabilities(settings.rope)).equivalent
        assert found.tolist() == [expected] + [False] * 5


def test_losses_that_agree_and_continuous_scores_with_a_spread_have_no_bound():
    losses = -3 - np.random.default_rng(0).random((1, 10))
    scores = SplitScores(np.tile(losses, (2, 1)), folds(50, 5, 2))
    assert equivalent(scores, 0.01).tolist() == [True]
    # In 50 samples rare differences can hide, but differences that are small everywhere cannot.
    rng = np.random.default_rng(0)
    row = 0.7 + 0.1 * rng.random(50)
    scores = SplitScores([row, row + 1e-4 * rng.standard_normal(50)], folds(50, 5, 10))
    assert equivalent(scores, 0.01).tolist() == [True]


@pytest.mark.parametrize(("n", "rope"), [(50, 0.02), (100, 0.05), (300, 0.01), (300, 0.02)])
@pytest.mark.parametrize("n_repeats", [1, 10])
def test_a_difference_at_the_edge_of_the_rope_is_rarely_equivalent(n, rope, n_repeats):
    # A reference that is always right, and 2,000 models that err on a share `rope` of all samples.
    # Without the bound, 5 to 36 % were called equivalent.
    rng, n_models, n_folds = np.random.default_rng(0), 2000, 10 if n_repeats > 1 else 5
    right = rng.random((n_models, n)) >= rope
    orders = [rng.permuted(right, axis=1) for _ in range(n_repeats)]
    splits = [order.reshape(n_models, n_folds, -1).mean(axis=2) for order in orders]
    models = np.vstack([np.ones(n_folds * n_repeats), np.concatenate(splits, axis=1)])
    scores = SplitScores(models, folds(n, n_folds, n_repeats))
    rate = equivalent(scores, rope).mean()
    assert rate <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / n_models)


@pytest.mark.parametrize("test", ["corrected_t", "samples"])
@pytest.mark.parametrize("name", hard_cells.MARGINS)
def test_no_claim_of_a_margin_takes_agreement_as_proof(name, test):
    # Every claim is false, because the difference is the margin. All samples agree with probability
    # (1 − margin)ⁿ: 0.97¹⁰⁰ = 0.99³⁰⁰ = 5 %, and the data set with the fewest differences must not
    # support any claim. Before, all five did (not the interval of n − 1 degrees of freedom around
    # 0, which had the bound).
    cell = hard_cells.MARGINS[name]
    n, margin = cell["n_samples"], cell["share"]
    for count in (0, 1):
        values = np.ones((2, n))
        values[1, :count] = 0.0
        scores = hard_cells.two_models(values, cell["n_folds"], cell["n_repeats"])
        found = hard_cells.claims_of_a_margin(scores, margin, PAIR_TESTS[test])
        expected = stats.binom.cdf(count, n, margin)  # the smallest p-value of any claim
        if expected >= 0.05:
            assert not any(found.values())


@pytest.mark.slow
@pytest.mark.parametrize("test", ["corrected_t", "samples"])
@pytest.mark.parametrize("name", hard_cells.MARGINS)
def test_claims_of_a_margin_keep_their_level(name, test):
    n_tables = 1500
    found = hard_cells.margin_rates(name, PAIR_TESTS[test], n_tables)
    # Before: 18 to 21 % (shortfall), 13 to 17 % (domination), 13 to 15 % (bounds of a metric).
    # With differences both ways the Wilson-like limit is approximate: one point more.
    assert (found["rate"] <= 0.06 + 2 * np.sqrt(0.06 * 0.94 / n_tables)).all()


def test_the_upper_limit_is_where_the_p_value_is_the_tail():
    rng = np.random.default_rng(0)
    difference = rng.integers(-6, 7, 50) / 100
    std_err = 0.01 + 0.03 * rng.random(50)
    for n_counted, weight in ((np.inf, 0.0), (100, 0.0), (100, 0.011), (np.inf, 0.011)):
        own = n_counted, weight
        limits = upper_limit(difference, std_err, stats.t.isf(0.025, 99), 0.025, *own)
        for k in np.flatnonzero(limits > 0):
            one = difference[[k]], std_err[[k]], 99
            assert limit_pvalue(*one, limits[k], *own)[0] == pytest.approx(0.025, rel=1e-6) or (
                # Where the t-test of 0 decides, the limit is the first positive one.
                limit_pvalue(*one, 0.0, *own)[0] == pytest.approx(0.025, rel=1e-6)
            )
        # A difference shown to be below 0 has a limit below 0, whatever the margin.
        shown = stats.t.sf(-difference / std_err, 99) < 0.025
        assert ((limits < 0) == shown).all()


@pytest.mark.parametrize("n", [0, 5, 300])
def test_the_size_of_the_difference_has_a_beta_posterior(n):
    posterior, size = Posterior(9, 0.0, 0.0, 0.01, n_agreed=n), stats.beta(1, n + 1)
    x = np.array([1e-4, 0.01, 0.3, 0.999, 1.0])
    np.testing.assert_allclose(posterior.sf(x), size.sf(x) / 2, atol=1e-300)
    np.testing.assert_allclose(posterior.cdf(-x), size.sf(x) / 2, atol=1e-300)
    np.testing.assert_allclose(posterior.pdf(x[:-1]), size.pdf(x[:-1]) / 2)
    np.testing.assert_allclose(posterior.sf(posterior.ppf([0.01, 0.5, 0.9])), [0.99, 0.5, 0.1])
    worse, rope, better = posterior.probabilities()
    assert worse == better == pytest.approx(0.99 ** (n + 1) / 2)
    assert rope == pytest.approx(size.cdf(0.01))
    beside = posterior.probabilities((0.01, 0.02)).rope
    assert beside == pytest.approx((size.cdf(0.02) - size.cdf(0.01)) / 2)
    assert posterior.break_even_rope(0.95) == pytest.approx(size.ppf(0.95))
    assert posterior.mean() == 0
    moment = integrate.quad(lambda v: v**2 * size.pdf(v), 0, 1)[0]
    assert posterior.std() == pytest.approx(np.sqrt(moment))
    assert posterior.interval(0.9) == pytest.approx((-size.ppf(0.9), size.ppf(0.9)))
    draws = posterior.rvs(4000, random_state=0)
    assert stats.kstest(np.abs(draws), size.cdf).pvalue > 0.001
    assert np.mean(draws > 0) == pytest.approx(0.5, abs=4 * 0.5 / np.sqrt(4000))


def test_a_zero_width_rope_has_probability_zero_and_a_wrong_number_of_samples_raises():
    assert Posterior(9, 0.0, 0.0, n_agreed=1000).probabilities() == (0.5, 0.0, 0.5)
    with pytest.raises(ValueError, match="`n_agreed` must be ≥ 0; got -1"):
        Posterior(9, 0.0, 0.0, n_agreed=-1)
