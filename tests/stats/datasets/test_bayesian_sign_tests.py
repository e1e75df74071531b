"""Bayesian sign and signed-rank tests: definitions in loops, symmetric cases, SciPy's beta."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats

from sklearn_stats_compare.stats.datasets import _bayesian
from sklearn_stats_compare.stats.datasets._bayesian import (
    bayesian_sign_test,
    bayesian_signed_rank_draws,
    bayesian_signed_rank_pairs,
)

# Multiples of 1/64, whose sums are exact: ties with each other and with a ROPE of 1/16.
COARSE = st.lists(st.integers(-16, 16), min_size=1, max_size=8).map(lambda z: np.array(z) / 64)
ROPES = st.sampled_from([0.0, 1 / 16, (-1 / 16, 1 / 32), (1 / 64, 1 / 8), (-1 / 8, -1 / 64)])


def signed_rank(differences, rope=0.0):
    """The probabilities of one pair."""
    z = np.asarray(differences)
    found = bayesian_signed_rank_pairs([z, 0 * z], rope, n_draws=50_000)
    return tuple(float(p[0]) for p in found)


@pytest.mark.parametrize(("wins", "losses"), [(7, 3), (500_300, 499_700)])
def test_two_regions_are_the_tail_of_a_beta_distribution(wins, losses):
    # No prior and no difference inside: the share of "better" is Beta(wins, losses) above 1/2. Of
    # a million data sets it is nearly normal, ± 0.0005 around 1/2.
    found = bayesian_sign_test(np.repeat([0.1, -0.1], [wins, losses]), prior_strength=0)
    expected = stats.beta(wins, losses).sf(0.5)
    error = 1e-12 if wins == 7 else 1e-9
    assert found == pytest.approx((1 - expected, 0, expected), abs=error)


def test_equal_counts_share_and_one_data_set_without_a_prior_decides():
    found = bayesian_sign_test([-0.1, -0.1, 0.1, 0.1, 0], rope=0.05)
    assert found == pytest.approx((1 / 3, 1 / 3, 1 / 3), abs=1e-12)
    assert bayesian_sign_test([0.1], prior_strength=0) == (0, 0, 1)


@pytest.mark.parametrize("counts", [(3, 5, 2), (40, 30, 45), (0, 1, 0), (400, 350, 410)])
def test_probabilities_are_those_of_dirichlet_draws(counts):
    z = np.repeat([-1.0, 0.0, 1.0], counts)
    found = bayesian_sign_test(z, rope=0.5)
    parameters = np.array(counts) + np.array([1e-9, 1, 1e-9])  # one pseudo-observation inside
    draws = np.random.default_rng(0).dirichlet(parameters, 100_000)
    expected = np.bincount(draws.argmax(axis=1), minlength=3) / len(draws)
    # 4.5 standard errors, at most 0.0016 each
    assert np.array(found) == pytest.approx(expected, abs=0.0072)


def test_the_prior_is_counted_in_its_region_and_boundaries_are_inside_in_spite_of_rounding():
    for k, place in enumerate(("worse", "rope", "better")):
        found = bayesian_sign_test([-1, 0, 1], 0.5, prior_strength=2, prior_place=place)
        # The same counts without a prior.
        counted = np.repeat([-1, 0, 1], (1 + 2 * np.eye(3, dtype=int)[k]))
        assert found == bayesian_sign_test(counted, 0.5, prior_strength=0)
    # 0.8 − 0.7 is slightly above 0.1 in double precision.
    assert bayesian_sign_test([0.8 - 0.7], rope=0.1) == (0, 1, 0)


@given(COARSE, ROPES)
@example(np.array([-3, 1]) / 16, 0.0)  # only the prior's zero is at the limit
def test_every_draw_is_the_double_sum_of_the_definition(z, rope):
    low, high = rope if isinstance(rope, tuple) else (-rope, rope)
    regions = _bayesian.Regions(z, low, high, 1e-15)
    (block,) = _bayesian.blocks(z.size, 5, 0)
    prior, cumulated = block
    weights = np.vstack([prior, np.diff(cumulated, axis=0)])
    sums = np.add.outer(np.append(0.0, np.sort(z)), np.append(0.0, np.sort(z)))
    for limit, staircases in ((low, regions.low), (high, regions.high)):
        below = np.heaviside(2 * limit - sums, 0.5)
        expected = np.einsum("id,ij,jd->d", weights, below, weights)
        found = _bayesian._below(staircases, prior, cumulated)
        assert found == pytest.approx(expected, abs=1e-13)


def test_without_a_rope_the_mean_share_is_wilcoxons_statistic():
    z = np.random.default_rng(0).normal(0.3, 1, 12)
    # Of a Dirichlet with parameters a, E[w_i·w_j] is a_i·a_j/(n+s)/(n+s+1), with a_i·(a_i+1) on
    # the diagonal.
    a = np.append(0.5, np.ones(12))
    weights = (np.outer(a, a) + np.diag(a)) / (12.5 * 13.5)
    zeros = np.append(0.0, z)
    expected = (weights * np.heaviside(np.add.outer(zeros, zeros), 0.5)).sum()
    shares = bayesian_signed_rank_draws(z, n_draws=50_000).mean(axis=0)
    assert shares[2] == pytest.approx(expected, abs=0.003)


def test_no_difference_is_shared_without_a_rope_and_equivalent_with_one():
    assert signed_rank(np.zeros(6)) == (0.5, 0, 0.5)
    assert signed_rank(np.zeros(6), rope=0.01) == (0, 1, 0)


@given(COARSE, st.randoms())
def test_the_order_of_the_data_sets_does_not_matter(z, random):
    shuffled = list(z)
    random.shuffle(shuffled)
    one, other = (
        bayesian_signed_rank_pairs([d, 0 * z], 1 / 16, n_draws=200) for d in (z, np.array(shuffled))
    )
    assert one == other


def test_swapping_the_models_swaps_worse_and_better_and_rescaling_changes_nothing():
    z = np.random.default_rng(1).normal(0.02, 0.05, 20)
    one, turned = signed_rank(z, 0.02), signed_rank(-z, 0.02)
    # Five standard errors of a difference of two estimates with 50,000 draws.
    assert one == pytest.approx(turned[::-1], abs=0.016)
    assert one == signed_rank(z * 2**40, 0.02 * 2**40)


def test_each_of_all_pairs_is_the_pair_alone(monkeypatch):
    monkeypatch.setattr(_bayesian, "_PAIRS_AT_ONCE", 4)
    scores = np.random.default_rng(2).normal(0.8, 0.05, (5, 9))
    every = bayesian_signed_rank_pairs(scores, 0.02, n_draws=500, rng=3)
    pairs = list(zip(*np.triu_indices(5, 1), strict=True))
    assert every.rope.shape == (len(pairs),)
    for p, (i, j) in enumerate(pairs):
        alone = bayesian_signed_rank_pairs(scores[[i, j]], 0.02, n_draws=500, rng=3)
        for found, expected in zip(every, alone, strict=True):
            assert found[p] == pytest.approx(expected[0], abs=1e-12)


def test_blocks_of_draws_have_the_standard_error_that_is_stated(monkeypatch):
    monkeypatch.setattr(_bayesian, "_NUMBERS_AT_ONCE", 5_000)
    z = np.random.default_rng(3).normal(0.01, 0.05, 10)
    draws = [bayesian_signed_rank_pairs([z, 0 * z], 0.01, n_draws=1_000, rng=k) for k in range(40)]
    found = [each.better[0] for each in draws]
    # Draws that have no tie: a share of 1,000. A standard deviation of 40 values is known to 11 %:
    # three of them.
    p = np.mean(found)
    assert np.std(found, ddof=1) == pytest.approx(np.sqrt(p * (1 - p) / 1_000), rel=0.35)


def test_bad_options_are_named():
    no_region = "`rope` must be a finite half-width ≥ 0; got -1"
    with pytest.raises(ValueError, match=no_region):
        bayesian_sign_test([0.1], rope=-1)
    for test, values in (
        (bayesian_signed_rank_pairs, [[0.1], [0.2]]),
        (bayesian_signed_rank_draws, [0.1]),
    ):
        with pytest.raises(ValueError, match=no_region):
            test(values, rope=-1)
        with pytest.raises(ValueError, match="`rng` must be"):
            test(values, rng="a")
    with pytest.raises(ValueError, match="`n_draws` must be a whole number ≥ 1; got 0"):
        bayesian_signed_rank_draws([0.1], n_draws=0)
