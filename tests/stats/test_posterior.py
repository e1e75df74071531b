"""The posterior: SciPy's frozen t, the ROPE, point masses, and calibration."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from sklearn_stats_compare.stats import Posterior
from sklearn_stats_compare.stats._corrected_t import rope_probabilities

MOONS = Posterior(df=99, loc=0.009999999999999986, scale=0.013327776619887863, rope=0.01)

locs = st.floats(-5, 5)
scales = st.floats(1e-3, 10)
dfs = st.integers(1, 200)
half_widths = st.floats(0, 5)


def test_matches_the_published_pair(moons):
    pair = moons["pairs"][0]
    worse, rope, better = MOONS.probabilities()
    assert worse == pytest.approx(pair["p_left_rope"], abs=1e-14)
    assert rope == pytest.approx(pair["rope_prob"], abs=1e-14)
    assert better == pytest.approx(pair["p_right_rope"], abs=1e-14)
    assert MOONS.sf(0) == pytest.approx(pair["better_prob"], abs=1e-14)
    for level, expected in moons["credible_intervals_first_vs_second"].items():
        # SciPy 1.11 computes a quantile of t to ten digits, newer versions to all.
        assert MOONS.interval(float(level)) == pytest.approx(expected, rel=1e-9)
    assert MOONS.break_even_rope(0.95) == pytest.approx(0.032264, abs=5e-7)


def test_every_method_matches_scipys_frozen_t():
    ours, theirs = Posterior(7, 0.3, 0.2), stats.t(7, loc=0.3, scale=0.2)
    x = np.linspace(-1, 2, 13)
    q = np.linspace(0, 1, 11)
    for name in ("pdf", "cdf", "sf"):
        np.testing.assert_array_equal(getattr(ours, name)(x), getattr(theirs, name)(x))
        assert np.isscalar(getattr(ours, name)(0.1))
    np.testing.assert_array_equal(ours.ppf(q), theirs.ppf(q))
    assert (ours.mean(), ours.std()) == (theirs.mean(), theirs.std())
    np.testing.assert_array_equal(ours.rvs(5, random_state=1), theirs.rvs(5, random_state=1))
    assert ours.rvs(random_state=1) == theirs.rvs(random_state=1)
    assert np.isscalar(ours.rvs(random_state=1))
    assert ours.rvs(1, random_state=1).shape == theirs.rvs(1, random_state=1).shape == (1,)
    assert ours.rvs(size=(2, 3), random_state=np.random.default_rng(0)).shape == (2, 3)
    assert ours.interval(0.9) == pytest.approx(theirs.interval(0.9))


def test_far_tail_keeps_its_digits():
    posterior = Posterior(99, 1.0, 0.05)
    assert posterior.probabilities(0.01).worse == stats.t.sf(1.01 / 0.05, 99)
    assert 0 < posterior.probabilities(0.01).worse < 1e-30
    # The probability of the ROPE is equally small; 1 − worse − better would be 0.
    inside = stats.t.sf(0.99 / 0.05, 99) - stats.t.sf(1.01 / 0.05, 99)
    assert posterior.probabilities(0.01).rope == pytest.approx(inside, rel=1e-9, abs=0)


@given(loc=locs, scale=scales, df=dfs, low=locs, width=half_widths)
def test_probabilities_are_areas_under_the_density(loc, scale, df, low, width):
    posterior = Posterior(df, loc, scale)
    worse, rope, better = posterior.probabilities((low, low + width))
    assert worse == pytest.approx(posterior.cdf(low), abs=1e-12)
    assert better == pytest.approx(posterior.sf(low + width), abs=1e-12)
    assert worse + rope + better == pytest.approx(1, abs=1e-12)
    assert min(worse, rope, better) >= 0
    # Swapping the models swaps worse and better.
    other = Posterior(df, -loc, scale).probabilities((-low - width, -low))
    assert (worse, rope, better) == pytest.approx(other[::-1], rel=1e-12, abs=1e-15)


@given(loc=locs, scale=scales, df=dfs, probability=st.floats(0.01, 0.999))
def test_break_even_rope_contains_exactly_the_probability(loc, scale, df, probability):
    posterior = Posterior(df, loc, scale)
    width = posterior.break_even_rope(probability)
    assert width >= 0
    assert posterior.probabilities(width).rope == pytest.approx(probability, abs=1e-9)


def test_break_even_rope_of_a_far_difference_is_one_sided():
    far = Posterior(99, 1e6, 1e-6)
    # The other tail is empty, so it is the one-sided bound.
    assert far.break_even_rope(0.95) == pytest.approx(1e6 + 1e-6 * stats.t.ppf(0.95, 99), rel=1e-15)
    assert Posterior(99, -0.25, 0.0).break_even_rope(0.95) == 0.25


def test_identical_candidates_are_a_point_mass_at_zero():
    point = Posterior(99, 0.0, 0.0, rope=0.01)
    assert point.probabilities() == (0, 1, 0)
    assert point.probabilities(0.0) == (0, 1, 0)  # a ROPE of width 0 contains 0
    assert point.probabilities((0.01, 0.02)) == (1, 0, 0)
    assert point.break_even_rope(0.95) == 0
    assert (point.mean(), point.std()) == (0, 0)
    assert point.cdf([-1e-9, 0, 1e-9]).tolist() == [0, 1, 1]
    assert point.sf([-1e-9, 0, 1e-9]).tolist() == [1, 0, 0]
    assert point.pdf([0, 1]).tolist() == [np.inf, 0]
    assert point.ppf([0, 0.5, 1]).tolist() == [0, 0, 0]
    assert np.isnan(point.ppf([-0.1, 1.1])).all()
    assert np.isnan(point.cdf(np.nan))
    assert point.interval(0.95) == (0, 0)
    assert point.rvs() == 0
    assert point.rvs(3).tolist() == [0, 0, 0]


def test_point_mass_is_on_one_side_and_boundaries_are_inside():
    for constant, expected in ((0.01, 1), (-0.01, 1), (0.02, 2), (-0.02, 0)):
        assert Posterior(9, constant, 0.0).probabilities(0.01) == tuple(np.eye(3)[expected])


def test_unknown_parameters_give_nan_everywhere():
    for unknown in (Posterior(99, np.nan, np.nan), Posterior(0, np.nan, np.nan, rope=0.1)):
        numbers = [unknown.break_even_rope(), unknown.cdf(0), unknown.mean(), unknown.rvs()]
        intervals = [*unknown.probabilities(), *unknown.interval(0.9), *unknown.rvs(3)]
        assert np.isnan([*numbers, *intervals]).tolist() == [True] * 12


def test_one_sided_rope_gives_non_inferiority():
    worse, rope, better = MOONS.probabilities((-0.01, np.inf))
    assert better == 0
    assert worse + rope == 1


def test_vectorised_probabilities_equal_each_posterior():
    loc = np.array([0.01, -0.2, 0.0, 0.5, np.nan])
    scale = np.array([0.02, 0.1, 0.0, 0.0, np.nan])
    found = rope_probabilities(loc, scale, 19, (-0.02, 0.01))
    for k in range(5):
        one = Posterior(19, loc[k], scale[k]).probabilities((-0.02, 0.01))
        np.testing.assert_array_equal([p[k] for p in found], one)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"scale": -1.0}, "`scale` must be ≥ 0; got -1.0"),
        ({"rope": -0.1}, "`rope` must be a finite half-width ≥ 0; got -0.1"),
        ({"rope": (0.1, -0.1)}, r"low ≤ high; got \(0.1, -0.1\)"),
        ({"rope": (0.1, 0.2, 0.3)}, "`rope` must be a half-width ≥ 0 or"),
        ({"rope": True}, "`rope` must be a half-width ≥ 0 or"),
    ],
)
def test_invalid_parameters_raise(arguments, message):
    with pytest.raises(ValueError, match=message):
        Posterior(**{"df": 9, "loc": 0.0, "scale": 1.0, **arguments})


def test_levels_outside_0_and_1_raise():
    for probability in (0, 1, 1.5, "0.95"):
        with pytest.raises(ValueError, match=r"`probability` must be in \(0, 1\)"):
            MOONS.break_even_rope(probability)
    for confidence in (1.5, -0.2, [0.5, 2.0]):
        with pytest.raises(ValueError, match=r"`confidence` must be in \[0, 1\]; got"):
            MOONS.interval(confidence)
    assert MOONS.interval(1) == (-np.inf, np.inf)


@pytest.mark.parametrize("probability", [1e-8, 1e-4, 1 - 1e-9])
@pytest.mark.parametrize("posterior", [Posterior(9, 0, 1), Posterior(1, 0.0, 1e-200), MOONS])
def test_break_even_rope_of_extreme_probabilities(posterior, probability):
    width = posterior.break_even_rope(probability)
    assert np.isfinite(width)
    # SciPy 1.17's distribution function of t has nine digits near its centre.
    assert posterior.probabilities(width).rope == pytest.approx(probability, rel=1e-9, abs=2e-9)
