"""Sets and probabilities of the best: references, special cases, invariances, guarantees."""

import numpy as np
import pytest

from sklearn_stats_compare import Comparison, SplitDesign, SplitScores
from sklearn_stats_compare.stats import Posterior, _joint_null
from sklearn_stats_compare.stats._best import model_confidence_set_pvalues as confidence_set_pvalues
from sklearn_stats_compare.stats._best import possibly_best_pvalues, probability_best
from sklearn_stats_compare.stats._corrected_t import PairedTTests
from sklearn_stats_compare.stats._family import MaxT

SETS = [
    possibly_best_pvalues,
    lambda scores: possibly_best_pvalues(scores, method="maxt"),
    confidence_set_pvalues,
]


def scores_of(values, k=5):
    n = np.shape(values)[1]
    return SplitScores(values, SplitDesign([k - 1] * n, [1] * n))


def equal_candidates(rng, m, n, k):
    """Split scores with the correlation 1/k between splits that the correction assumes."""
    common = rng.standard_normal((m, 1))
    return scores_of(np.sqrt(1 / k) * common + np.sqrt(1 - 1 / k) * rng.standard_normal((m, n)), k)


def test_possibly_best_matches_the_reference(multi, multi_scores):
    p = possibly_best_pvalues(multi_scores)
    one_sided = np.array(multi["p_worse_than_best_one_sided"])
    np.testing.assert_allclose(p[1:], np.minimum(1, 5 * one_sided[1:]), rtol=1e-10)
    assert p[0] == 1
    assert np.flatnonzero(p >= 0.05).tolist() == multi["possibly_best_alpha05"]


def test_maxt_set_is_between_unadjusted_and_bonferroni(multi, multi_scores):
    bonferroni = possibly_best_pvalues(multi_scores)
    sharper = possibly_best_pvalues(multi_scores, method="maxt")
    alone = np.array(multi["p_worse_than_best_one_sided"])
    error = 4 * np.sqrt(sharper * (1 - sharper) / 20_000) + 4 / 20_000
    assert (sharper <= bonferroni + error).all()
    assert (sharper >= alone - error).all()


def test_with_two_candidates_all_methods_equal_the_one_sided_test():
    rng = np.random.default_rng(0)
    scores = scores_of(rng.normal([[0.80], [0.81]], 0.03, (2, 20)))
    b, other = scores.order
    p = PairedTTests.against(scores, b, np.array([other])).pvalue("greater")[0]
    assert possibly_best_pvalues(scores)[other] == p
    assert possibly_best_pvalues(scores, method="maxt")[other] == pytest.approx(p, abs=0.014)
    # The range of two is the two-sided test.
    assert confidence_set_pvalues(scores)[other] == pytest.approx(2 * p, abs=0.014)


@pytest.mark.parametrize("pvalues", SETS)
def test_sets_with_ties_constant_differences_and_failures(pvalues):
    row = np.random.default_rng(0).normal(0.8, 0.02, 12)
    failed = row.copy()
    failed[0] = np.nan
    p = pvalues(scores_of([row - 0.1, row, row, failed], k=12))
    assert p[1:3].tolist() == [1, 1]  # ties of the leader are always in
    # Worse on all 12 splits by the same, twice: 12 equal signs have two-sided p = 2^−11, and two
    # pairs are two chances (one-sided 2 · 2^−12 for `possibly_best`, two-sided 2 · 2^−11).
    assert p[0] == pytest.approx([2**-11, 2**-10][pvalues is confidence_set_pvalues])
    assert np.isnan(p[3])
    assert pvalues(scores_of([row])).tolist() == [1]
    assert np.isnan(pvalues(scores_of(np.full((2, 12), np.nan)))).all()
    assert np.isnan(pvalues(scores_of([[0.1], [0.2]]))).all()


@pytest.mark.parametrize("pvalues", SETS)
def test_sets_do_not_depend_on_the_order_of_candidates(multi_scores, pvalues):
    shuffle = np.array([4, 2, 0, 5, 1, 3])
    moved = SplitScores(multi_scores.values[shuffle], multi_scores.design)
    np.testing.assert_allclose(pvalues(moved), pvalues(multi_scores)[shuffle], atol=1e-12)


def test_first_step_of_the_confidence_set_equals_the_single_step_maximum(multi_scores):
    tests = PairedTTests.all_pairs(multi_scores)
    largest = np.abs(tests.statistic).max()
    expected = MaxT(multi_scores, tests).single_step(np.array([largest]))[0]
    p = confidence_set_pvalues(multi_scores)
    assert p.min() == pytest.approx(expected, abs=4 * np.sqrt(expected / 20_000) + 4 / 20_000)
    # p-values do not decrease in order of removal, and the leader is removed last.
    assert (np.diff(p[multi_scores.order]) <= 0).all()
    assert p[multi_scores.order[0]] == 1


def test_duplicate_does_not_change_other_p_values(multi_scores):
    values = np.vstack([multi_scores.values, multi_scores.values[2]])
    found = confidence_set_pvalues(SplitScores(values, multi_scores.design))
    assert found[6] == found[2]
    np.testing.assert_allclose(found[:6], confidence_set_pvalues(multi_scores), atol=0.02)


def test_probability_best_matches_the_published_example(moons_comparison):
    found = probability_best(moons_comparison.scores, most_behind=0.01, n_draws=200_000, rng=0)
    # Published to three digits from another simulation: 0.741, 0.218, 0.041, 0.
    assert found.best[[3, 0, 2, 1]] == pytest.approx([0.741, 0.218, 0.041, 0.0], abs=0.004)
    assert found.best.sum() == pytest.approx(1)
    assert (found.within_rope >= found.best).all()


def posterior_of_the_first_pair(scores):
    pair = PairedTTests.against(scores, 0, np.array([1]))
    return Posterior(scores.n_splits - 1, pair.mean_diff[0], pair.std_err[0])


def test_probability_best_of_two_equals_their_posterior():
    rng = np.random.default_rng(0)
    scores = scores_of(rng.normal([[0.80], [0.81]], 0.03, (2, 20)))
    posterior = posterior_of_the_first_pair(scores)
    found = probability_best(scores, most_behind=0.005, n_draws=100_000, rng=1)
    error = 4 * np.sqrt(0.25 / 100_000)
    assert found.best[0] == pytest.approx(posterior.sf(0), abs=error)
    assert found.within_rope[0] == pytest.approx(posterior.sf(-0.005), abs=error)


def test_probability_best_with_many_candidates_copies_and_failures():
    rng = np.random.default_rng(0)
    values = rng.normal(0.8, 0.02, (40, 12))
    values[0] = values[values.mean(axis=1).argmax()]  # a copy of the leader, or the leader
    values[5, 3] = np.nan
    found = probability_best(scores_of(values), most_behind=0.01, rng=0)
    assert np.isnan(found.best[5])
    assert np.nansum(found.best) == pytest.approx(1)
    copies = np.flatnonzero((values == values[0]).all(axis=1))
    assert len(set(found.best[copies])) == 1
    identical = probability_best(scores_of([[0.5] * 12, [0.5] * 12]), most_behind=0.0, rng=0)
    assert identical.best.tolist() == [0.5, 0.5]
    assert identical.within_rope.tolist() == [1, 1]


@pytest.mark.parametrize("m", [3, 7, 1001])
@pytest.mark.parametrize("n_splits", [10, 30])
def test_copies_have_equal_probabilities_despite_rounding(m, n_splits):
    # BLAS sums the last rows of a product in another order than the others.
    values = np.tile(np.random.default_rng(0).standard_normal(n_splits), (m, 1))
    found = probability_best(scores_of(values), most_behind=0.0, n_draws=500, rng=0)
    np.testing.assert_allclose(found.best, 1 / m, rtol=1e-12)


def test_constant_difference_from_the_leader_has_the_posterior_of_the_pair():
    # Better on all 5 splits by the same: 5 equal signs, P(worse) = 2^−5; the third candidate is
    # too far behind to matter.
    row = np.random.default_rng(0).normal(0.8, 0.02, 5)
    scores = scores_of([row, row - 0.1, row - 5 + np.arange(5) / 50])
    found = probability_best(scores, most_behind=0.05, n_draws=200_000, rng=0)
    assert found.best[1] == pytest.approx(2**-5, abs=4 * np.sqrt(0.03 / 200_000))
    within = posterior_of_the_first_pair(scores).cdf(0.05)
    assert found.within_rope[1] == pytest.approx(within, abs=4 * np.sqrt(0.25 / 200_000))


def test_rope_of_probability_best_uses_its_upper_end():
    # The ROPE of model_1 − model_2 ends at 0.01 above: a candidate that is 0.084 behind the
    # highest is not within it, whatever the lower end is.
    noise = np.random.default_rng(0).normal(0, 0.001, (2, 10))
    scores = scores_of(np.array([[0.9], [0.816]]) + noise)
    comparison = Comparison(scores, rope=(-np.inf, 0.01))
    table = comparison.possibly_best(method="bayes", everyone=True, rng=0)
    assert table["within_rope_prob"].tolist() == [1, 0]


def test_as_many_draws_as_overflow_a_byte_are_counted(multi_scores):
    # 256 draws, all within a ROPE as wide as this.
    found = probability_best(multi_scores, most_behind=1e3, n_draws=256, rng=0)
    assert found.within_rope.tolist() == [1] * 6


def test_probabilities_of_many_candidates_match_whole_draws(monkeypatch):
    rng = np.random.default_rng(0)
    values = rng.normal(0.8, 0.03, (300, 12))
    values[7] = values[11]
    monkeypatch.setattr(_joint_null, "_MEANS_AT_ONCE", 300 * 64)  # 64 draws at once, of 2,000
    found = probability_best(scores_of(values), most_behind=0.01, n_draws=3_000, rng=5)
    # The same draws without chunks: normal over √χ² from the centred scores, in blocks of 2,000.
    generator, draws = np.random.default_rng(5), []
    centred = values - values.mean(axis=1, keepdims=True)
    for n in (2_000, 1_000):
        chi = np.sqrt(generator.chisquare(11, n))
        normal = generator.standard_normal((12, n))
        draws.append(np.sqrt(1 / 12 + 1 / 4) * (centred @ normal / chi))
    means = values.mean(axis=1)[:, None] + np.hstack(draws)
    others = np.delete(np.arange(300), [7, 11])
    winner = np.where(means[7] >= means[others].max(axis=0), -1, means[others].argmax(axis=0))
    counts = np.bincount(winner + 1, minlength=299)
    np.testing.assert_allclose(found.best[others], counts[1:] / 3_000, rtol=1e-12)
    np.testing.assert_allclose(found.best[[7, 11]], counts[0] / 6_000, rtol=1e-12)
    within = (means - means.max(axis=0) >= -0.01).mean(axis=1)
    np.testing.assert_array_equal(found.within_rope, within)


@pytest.mark.parametrize("n", [500, pytest.param(3000, marks=pytest.mark.slow)])
def test_given_best_is_kept_with_nominal_probability(n):
    # Ten equal candidates: each is "a given true best". The standard error is √(0.05·0.95/n):
    # 0.4 % of 3,000 data sets, 1 % of 500.
    rng = np.random.default_rng(0)
    pvalues = [possibly_best_pvalues(equal_candidates(rng, 10, 25, 5)) for _ in range(n)]
    left_out = (np.array(pvalues) < 0.05).mean(axis=0)
    assert (left_out < 0.05 + 3 * np.sqrt(0.05 * 0.95 / n)).all()
    assert left_out.mean() < 0.045  # Bonferroni is conservative
    assert left_out.mean() > 0.005


def test_diverged_candidate_makes_maxt_equal_bonferroni():
    # Relative to scores of 1e20 all other candidates are equal up to rounding: their pairs cannot
    # be drawn, and each adds its own tail.
    rng = np.random.default_rng(0)
    values = 0.8 + 0.01 * rng.normal(size=(8, 5))
    values[0] += 0.03
    values[7] = -1e20 * (1 + 0.1 * rng.normal(size=5))
    sharper = possibly_best_pvalues(scores_of(values), method="maxt")
    tests = PairedTTests.against(scores_of(values), 0, np.arange(1, 7))
    # Six candidates may be better than a given one: the leader and five others.
    expected = np.minimum(1, 6 * tests.pvalue("greater"))
    assert (sharper[1:7] >= expected * (1 - 1e-9)).all()
    assert (sharper[1:7] <= expected + 0.03).all()


@pytest.mark.parametrize("method", ["mcb", "maxt"])
def test_the_order_of_tied_leaders_does_not_matter(method):
    """The smallest p-value counts: the adjustment is for all rivals, whichever of them rejects."""
    rng = np.random.default_rng(0)
    first = rng.permutation(np.arange(10) / 10)
    # The third resembles the first, and so is shown to be worse than it, not than the second.
    scores = np.array(
        [first, rng.permutation(first), first - 0.05 + 0.03 * rng.standard_normal(10)]
    )
    for order in ([0, 1, 2], [1, 0, 2]):
        p = possibly_best_pvalues(scores_of(scores[order]), method=method)
        assert p[:2].tolist() == [1, 1]
        against_first = possibly_best_pvalues(scores_of(scores[[0, 2]]), method="mcb")[1]
        assert against_first < p[2] <= 2.2 * against_first < 0.05
