"""Bayesian sign and signed-rank tests: definitions in loops, symmetric cases, SciPy's beta."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats

from sklearn_stats_compare.stats.datasets import _bayesian
from sklearn_stats_compare.stats.datasets._bayesian import (
    bayesian_sign_test,
    bayesian_signed_rank,
    bayesian_signed_rank_pairs,
)

# Multiples of 1/64, whose sums are exact: ties with each other and with a ROPE of 1/16.
COARSE = st.lists(st.integers(-16, 16), min_size=1, max_size=8).map(lambda z: np.array(z) / 64)
ROPES = st.sampled_from([0.0, 1 / 16, (-1 / 16, 1 / 32), (1 / 64, 1 / 8), (-1 / 8, -1 / 64)])


@pytest.mark.parametrize(("wins", "losses"), [(7, 3), (500_300, 499_700)])
def test_two_regions_are_the_tail_of_a_beta_distribution(wins, losses):
    # No prior and no difference inside: the share of "better" is Beta(wins, losses) above 1/2. Of
    # a million data sets it is nearly normal, ± 0.0005 around 1/2.
    found = bayesian_sign_test(np.repeat([0.1, -0.1], [wins, losses]), prior_strength=0)
    expected = stats.beta(wins, losses).sf(0.5)
    error = 1e-12 if wins == 7 else 1e-9
    assert found.probabilities == pytest.approx((1 - expected, 0, expected), abs=error)


def test_equal_counts_share_and_one_data_set_without_a_prior_decides():
    found = bayesian_sign_test([-0.1, -0.1, 0.1, 0.1, 0], rope=0.05).probabilities
    assert found == pytest.approx((1 / 3, 1 / 3, 1 / 3), abs=1e-12)
    assert bayesian_sign_test([0.1], prior_strength=0).probabilities == (0, 0, 1)


@pytest.mark.parametrize("counts", [(3, 5, 2), (40, 30, 45), (0, 1, 0), (400, 350, 410)])
def test_probabilities_are_those_of_dirichlet_draws(counts):
    z = np.repeat([-1.0, 0.0, 1.0], counts)
    found = bayesian_sign_test(z, rope=0.5)
    parameters = np.array(counts) + np.array([1e-9, 1, 1e-9])  # one pseudo-observation inside
    draws = np.random.default_rng(0).dirichlet(parameters, 100_000)
    expected = np.bincount(draws.argmax(axis=1), minlength=3) / len(draws)
    # 4.5 standard errors, at most 0.0016 each
    assert np.array(found.probabilities) == pytest.approx(expected, abs=0.0072)
    assert found.shares == pytest.approx(draws.mean(axis=0), abs=0.005)


def test_the_prior_is_counted_in_its_region_and_boundaries_are_inside_in_spite_of_rounding():
    for k, place in enumerate(("worse", "rope", "better")):
        found = bayesian_sign_test([-1, 0, 1], 0.5, prior_strength=2, prior_place=place)
        assert found.concentration.tolist() == (1 + 2 * np.eye(3)[k]).tolist()
    # 0.8 − 0.7 is slightly above 0.1 in double precision.
    assert bayesian_sign_test([0.8 - 0.7], rope=0.1).concentration.tolist() == [0, 2, 0]


@given(COARSE, ROPES, st.sampled_from([0.0, 0.5, 2.0]))
@example(np.array([-3, 1]) / 16, 0.0, 0.5)  # only the prior's zero is at the limit
def test_every_draw_is_the_double_sum_of_the_definition(z, rope, strength):
    low, high = rope if isinstance(rope, tuple) else (-rope, rope)
    regions = _bayesian.Regions(z, low, high, 1e-15)
    (block,) = _bayesian.blocks(z.size, strength, 5, 0)
    prior, cumulated = block
    weights = np.vstack([prior, np.diff(cumulated, axis=0)])
    sums = np.add.outer(np.append(0.0, np.sort(z)), np.append(0.0, np.sort(z)))
    for limit, staircases in ((low, regions.low), (high, regions.high)):
        below = np.heaviside(2 * limit - sums, 0.5)
        expected = np.einsum("id,ij,jd->d", weights, below, weights)
        found = _bayesian._below(staircases, prior, cumulated)
        assert found == pytest.approx(expected, abs=1e-13)


def test_without_a_rope_the_mean_share_is_wilcoxons_statistic():
    # E[w_i·w_j] is 1/((n+s)(n+s+1)), twice that on the diagonal; s = 0.
    z = np.random.default_rng(0).normal(0.3, 1, 12)
    walsh = np.add.outer(z, z) > 0
    expected = (walsh.sum() + np.diag(walsh).sum()) / (12 * 13)
    found = bayesian_signed_rank(z, prior_strength=0)
    assert found.shares.better == pytest.approx(expected, abs=0.003)


def test_no_difference_is_shared_without_a_rope_and_equivalent_with_one():
    found = bayesian_signed_rank(np.zeros(6))
    assert found.probabilities == (0.5, 0, 0.5)
    assert found.std_err == (0, 0, 0)
    assert bayesian_signed_rank(np.zeros(6), rope=0.01).probabilities == (0, 1, 0)


@given(COARSE, st.randoms())
def test_the_order_of_the_data_sets_does_not_matter(z, random):
    shuffled = list(z)
    random.shuffle(shuffled)
    results = [bayesian_signed_rank(d, 1 / 16, n_draws=200) for d in (z, shuffled)]
    assert results[0].probabilities == results[1].probabilities


def test_swapping_the_models_swaps_worse_and_better_and_rescaling_changes_nothing():
    z = np.random.default_rng(1).normal(0.02, 0.05, 20)
    one, turned = bayesian_signed_rank(z, 0.02), bayesian_signed_rank(-z, 0.02)
    # Five standard errors of a difference of two estimates with 50,000 draws.
    assert one.probabilities == pytest.approx(turned.probabilities[::-1], abs=0.016)
    rescaled = bayesian_signed_rank(z * 2**40, 0.02 * 2**40)
    assert one.probabilities == rescaled.probabilities


def test_each_of_all_pairs_is_the_pair_alone(monkeypatch):
    monkeypatch.setattr(_bayesian, "_PAIRS_AT_ONCE", 4)
    scores = np.random.default_rng(2).normal(0.8, 0.05, (5, 9))
    every = bayesian_signed_rank_pairs(scores, 0.02, n_draws=500, rng=3)
    assert len(every.first) == 10  # 5·4/2
    for p, (i, j) in enumerate(zip(every.first, every.second, strict=True)):
        alone = bayesian_signed_rank(scores[i] - scores[j], 0.02, n_draws=500, rng=3)
        for found, expected in zip(every.probabilities, alone.probabilities, strict=True):
            assert found[p] == pytest.approx(expected, abs=1e-12)


def test_blocks_of_draws_have_the_standard_error_that_is_stated(monkeypatch):
    monkeypatch.setattr(_bayesian, "_NUMBERS_AT_ONCE", 5_000)
    z = np.random.default_rng(3).normal(0.01, 0.05, 10)
    found = [bayesian_signed_rank(z, 0.01, n_draws=1_000, rng=seed) for seed in range(40)]
    scatter = np.std([f.probabilities.better for f in found], ddof=1)
    # A standard deviation of 40 values is known to 11 %: three of them.
    assert scatter == pytest.approx(found[0].std_err.better, rel=0.35)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"differences": []}, "`differences` must be a vector of at least one finite number"),
        ({"differences": [np.nan]}, "`differences` must be a vector"),
        ({"differences": [[1.0]]}, "`differences` must be a vector"),
        ({"rope": -1}, "`rope` must be a finite half-width ≥ 0; got -1"),
        ({"prior_strength": -1}, "`prior_strength` must be a number ≥ 0; got -1"),
        ({"n_draws": 0}, "`n_draws` must be a whole number ≥ 1; got 0"),
        ({"rng": "a"}, "`rng` must be"),
    ],
)
def test_bad_input_is_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        bayesian_signed_rank(**{"differences": [0.1], **arguments})


def test_bad_tables_and_places_are_named():
    with pytest.raises(ValueError, match="`scores` must be a table"):
        bayesian_signed_rank_pairs([[1.0, 2.0]])
    with pytest.raises(ValueError, match="`prior_place` must be"):
        bayesian_sign_test([0.1], prior_place="left")
