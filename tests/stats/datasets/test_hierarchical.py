"""The hierarchical model: quadrature, the paper's Stan program, its prior, and special cases."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import signal, special, stats

from sklearn_stats_compare.stats.datasets._hierarchical import (
    NU_RATE,
    NU_SHAPE,
    Model,
    _noise,
    _nu_table,
    bayesian_hierarchical,
    bulk_ess,
    rank_rhat,
    sample,
)

REFERENCE = Path(__file__).parents[2] / "reference"

SIX = (
    np.array([0.012, 0.018, 0.060, 0.020, 0.015, -0.014]),
    np.array([0.04, 0.05, 1.00, 0.03, 0.06, 0.02]),
    np.array([100, 100, 50, 30, 100, 10]),
    np.array([0.1, 0.1, 0.2, 0.1, 0.1, 0.25]),
)
FEW = {"n_draws": 100, "n_warmup": 60}
# Of the grid. (51, 50, 12, 121) change the three moments by less than 0.002.
SIZES = (35, 34, 12, 61)


@pytest.fixture(scope="module")
def six():
    return bayesian_hierarchical(*SIX, rope=0.01, **FEW)


def flat(result):
    """Numbers of a result that have the units of probabilities."""
    return np.array([*result.next_dataset, *result.average, *result.most_probable])


def by_quadrature(model):
    """E δ₀, E 1/(1 + σ₀) and E 1/ν on a grid of (δ₀, σ₀, ν), δ and σᵢ integrated out.

    With σᵢ ~ U(0, ∞), the mean of a data set is δᵢ plus Student's t with J − 2 degrees of freedom.
    """
    j = model.n_splits
    scale = np.sqrt(model.sum_squares / (1 - model.rho) * model.inflation / (j - 2))
    middles = [(np.arange(n) + 0.5) / n for n in SIZES]
    delta0 = model.mean_limit * (2 * middles[0] - 1)
    highest = model.spread_limit / (1 + model.spread_limit)
    sigma0 = highest * middles[1] / (1 - highest * middles[1])
    nu = 1 + np.exp(np.interp(middles[2], *_nu_table()))
    log_density = np.log((1 + sigma0) ** 2)[:, None] * np.ones(SIZES[:3])
    for i in range(j.size):
        delta = model.mean[i] + scale[i] * stats.t.ppf(middles[3], j[i] - 2)
        z = (delta - delta0[:, None, None, None]) / sigma0[:, None, None]
        density = stats.t.pdf(z, nu[:, None]).mean(axis=3) / sigma0[:, None]
        log_density += np.log(density)
    weight = np.exp(log_density - log_density.max())
    weight /= weight.sum()
    return [
        weight.sum(axis=(1, 2)) @ delta0,
        weight.sum(axis=(0, 2)) @ (1 / (1 + sigma0)),
        weight.sum(axis=(0, 1)) @ (1 / nu),
    ]


def test_moments_are_those_of_quadrature():
    model = Model(
        mean=np.array([0.3, -0.4, 0.8]),
        sum_squares=np.array([20.0, 12, 30]),
        n_splits=np.array([20.0, 12, 20]),
        rho=np.array([0.1, 0.2, 0.0]),
        mean_limit=2.0,
        spread_limit=6.0,
        noise_limit=1000.0,
    )
    chains = sample(model, 16, 600, 100, np.random.default_rng(0))
    found = [chains.delta0.mean(), (1 / (1 + chains.sigma0)).mean(), (1 / chains.nu).mean()]
    # Standard deviations 0.5, 0.2 and 0.1, about 4,000 effective draws: four standard errors.
    expected = by_quadrature(model)
    assert found == pytest.approx(expected, abs=0.03)
    assert found[1:] == pytest.approx(expected[1:], abs=0.013)


@pytest.mark.parametrize("name", ["ten", "four", pytest.param("fifteen", marks=pytest.mark.slow)])
def test_matches_the_stan_program_of_the_paper(name):
    case = json.loads((REFERENCE / "hierarchical_stan.json").read_text())[name]
    data = [case[key] for key in ("mean_diff", "sum_squares", "n_splits", "rho")]
    found = bayesian_hierarchical(*data, rope=0.01, mean_limit=1, n_draws=800)
    # Both have Monte Carlo errors: "ten" has two modes, of few degrees of freedom and of many, and
    # Stan's 1 to 2 % too few draws near σ₀ = 0 lower P(rope) of "four".
    assert found.next_dataset == pytest.approx(case["next"], abs=0.02)
    assert found.average == pytest.approx(case["average"], abs=0.03)
    assert found.most_probable == pytest.approx(case["most"], abs=0.04)
    assert found.delta == pytest.approx(case["delta"], abs=0.0015)


def test_the_table_of_degrees_of_freedom_is_its_prior():
    rng = np.random.default_rng(0)
    excess = rng.gamma(rng.uniform(*NU_SHAPE, 100_000)) / rng.uniform(*NU_RATE, 100_000)
    below, log_excess = _nu_table()
    found = np.interp(np.log(excess), log_excess, below)
    assert stats.kstest(found, "uniform").pvalue > 0.001


def test_variances_are_gamma_above_the_limit_of_the_noise():
    # 1/σ² has shape (J − 1)/2 and rate (SS/(1 − ρ) + (mean − δ)²/inflation)/2, above 1/limit².
    model = Model(*(np.array([x]) for x in (0.5, 3.0, 4.0, 0.2)), 1.0, 1.0, 1.2)
    inflation = (1 + 3 * 0.2) / 4
    noise = _noise(model, np.zeros((20_000, 1)), np.random.default_rng(0))
    precision = inflation / noise.ravel()
    law = stats.gamma(1.5, scale=2 / (3 / 0.8 + 0.25 / inflation))
    assert precision.min() >= 1 / 1.2**2
    ranks = 1 - law.sf(precision) / law.sf(1 / 1.2**2)
    assert stats.kstest(ranks, "uniform").pvalue > 0.001


def test_rescaling_scores_and_rope_rescales_the_result(six):
    for factor in (2.0**60, 2.0**-60):
        mean, squares = SIX[0] * factor, SIX[1] * factor**2
        other = bayesian_hierarchical(mean, squares, *SIX[2:], rope=0.01 * factor, **FEW)
        assert flat(other) == pytest.approx(flat(six), abs=1e-12)
        assert other.delta == pytest.approx(six.delta * factor, rel=1e-9)


def test_results_repeat_whatever_the_order_of_the_data_sets(six):
    order = np.array([3, 0, 5, 1, 2, 4])
    other = bayesian_hierarchical(*(x[order] for x in SIX), rope=0.01, **FEW)
    assert flat(six).tolist() == flat(other).tolist()
    assert six.delta[order].tolist() == other.delta.tolist()
    assert six.by_dataset.better[order].tolist() == other.by_dataset.better.tolist()


def test_probabilities_sum_to_one_and_those_of_the_next_are_tails_of_the_population(six):
    assert flat(six).reshape(3, 3).sum(axis=1) == pytest.approx(1)
    assert np.sum(six.by_dataset, axis=0) == pytest.approx(1)
    z = (six.delta0 - 0.01) / six.sigma0
    assert six.next_dataset.better == pytest.approx(special.stdtr(six.nu, z).mean(), abs=1e-9)


def test_swapping_the_models_swaps_worse_and_better():
    one = bayesian_hierarchical(*SIX, rope=(-0.01, 0.02))
    other = bayesian_hierarchical(-SIX[0], *SIX[1:], rope=(-0.02, 0.01))
    # About 3,000 effective draws each: four standard errors.
    assert one.next_dataset == pytest.approx(other.next_dataset[::-1], abs=0.025)
    assert one.average == pytest.approx(other.average[::-1], abs=0.05)
    assert one.delta == pytest.approx(-other.delta, abs=0.001)


def test_differences_are_shrunken_towards_the_others_and_intervals_are_narrower():
    # The third mean, 0.06, has a standard error of 0.066: √(1/49)·√(0.2 + 0.8/50).
    found = bayesian_hierarchical(*SIX, rope=0.01)
    assert found.converged
    assert found.delta[2] < 0.03
    assert found.delta_high[2] - found.delta_low[2] < 2 * 1.96 * 0.066
    assert (found.delta_low < found.delta).all()
    assert (found.delta < found.delta_high).all()


@pytest.mark.parametrize(
    ("means", "squares", "n_splits", "error"),
    [
        # Standard errors of 1e-5 next to a spread of 0.02, and none at all without a ROPE.
        ([0.01, -0.02, 0.03, 0.02], 1e-7, 100, 1e-5),
        ([0.01, 0.02, 0.03, 0.01], 0.0, 10, 1e-4),
    ],
)
def test_precise_means_are_not_shrunken(means, squares, n_splits, error):
    found = bayesian_hierarchical(means, np.full(4, squares), n_splits, 0.1, **FEW)
    assert found.delta == pytest.approx(means, abs=error)


@pytest.mark.parametrize("n", [2, 3])
def test_few_data_sets_leave_the_next_one_open(n):
    found = bayesian_hierarchical(np.full(n, 0.02), np.full(n, 0.01), 10, 0.1, rope=0.01, **FEW)
    assert np.isfinite(flat(found)).all()
    assert found.next_dataset.better < 0.95


def test_data_sets_without_variance_keep_their_means():
    # Their variance is that of the ROPE, 0.02²/12, which leaves a standard error of 0.002.
    mean, squares = np.full(8, 0.05), np.zeros(8)
    found = bayesian_hierarchical(mean, squares, 100, 0.1, rope=0.01)
    assert found.delta == pytest.approx(mean, abs=0.002)
    assert found.average.better > 0.99


@pytest.mark.parametrize(
    ("rope", "expected"), [(0.0, (0, 1, 0)), ((0.1, 0.1), (1, 0, 0)), (0.01, (0, 1, 0))]
)
def test_models_with_the_same_scores_are_a_point(rope, expected):
    found = bayesian_hierarchical(np.zeros(30), np.zeros(30), 100, 0.1, rope=rope, n_draws=400)
    assert found.average == pytest.approx(expected, abs=0.01)
    assert found.next_dataset == pytest.approx(expected, abs=0.05)


def test_two_splits_are_enough_and_one_is_refused():
    found = bayesian_hierarchical(*SIX[:2], 2, 0.5, rope=0.01, **FEW)
    assert np.isfinite(flat(found)).all()
    with pytest.raises(ValueError, match="`n_splits` must be whole numbers ≥ 2"):
        bayesian_hierarchical(*SIX[:2], 1, 0.5)


def test_too_few_draws_are_seen():
    assert not bayesian_hierarchical(*SIX, rope=0.01, n_chains=2, n_draws=8, n_warmup=0).converged


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"mean_diff": [0.1]}, "`mean_diff` must be a vector of ≥ 2 data sets"),
        ({"mean_diff": [0.1, np.nan]}, "`mean_diff` must be finite numbers"),
        ({"sum_squares": [0.1]}, "`sum_squares` must be finite numbers ≥ 0, one per data set"),
        ({"sum_squares": [0.1, -1]}, "`sum_squares` must be finite numbers ≥ 0"),
        ({"n_splits": [10, 2.5]}, "`n_splits` must be whole numbers ≥ 2"),
        ({"rho": 1.0}, r"`rho` must be numbers in \[0, 1\)"),
        ({"rope": -1}, "`rope` must be a finite half-width"),
        ({"mean_limit": 0.05}, "`mean_limit` must be a number ≥ the largest"),
        ({"confidence_level": 95}, r"`confidence_level` must be in \(0, 1\); got 95"),
        ({"n_chains": 1}, "`n_chains` must be a whole number from 2"),
        ({"n_draws": 7}, "`n_draws` must be a whole number ≥ 8"),
        ({"rng": "a"}, "`rng` must be"),
    ],
)
def test_bad_input_is_named(changed, message):
    valid = {"mean_diff": [0.1, 0.2], "sum_squares": [0.1, 0.1], "n_splits": 10, "rho": 0.1}
    with pytest.raises(ValueError, match=message):
        bayesian_hierarchical(**{**valid, **changed})


@pytest.mark.parametrize("a", [0.0, 0.8])
def test_autocorrelated_draws_have_the_effective_size_of_theory(a):
    # AR(1) with coefficient a: n·(1 − a)/(1 + a).
    noise = np.random.default_rng(1).standard_normal((4, 20_000, 3))
    x = signal.lfilter([1], [1, -a], noise, axis=1)
    assert bulk_ess(x) == pytest.approx(80_000 * (1 - a) / (1 + a), rel=0.1)
    assert rank_rhat(x) == pytest.approx(1, abs=0.003)


def test_chains_apart_or_of_different_spread_raise_rhat():
    draws = np.random.default_rng(2).standard_normal((4, 500, 2))
    draws[0, :, 0] += 1
    draws[0, :, 1] *= 4
    assert (rank_rhat(draws) > 1.05).all()


def test_the_next_data_set_of_constant_differences_is_that_constant():
    # Without a ROPE there is no variance anywhere, and the degrees of freedom are unknown.
    for mean in (0.0, 0.02):
        result = bayesian_hierarchical([mean, mean], [0, 0], 10, 0.1)
        assert result.next_dataset_interval() == (mean, mean)
        assert result.average_interval() == (mean, mean)
