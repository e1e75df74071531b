"""Parity of the Bayesian tests of several data sets with baycomp, up to Monte Carlo errors."""

import warnings

import numpy as np
import pytest

from sklearn_stats_compare.stats.datasets import bayesian_sign_test, bayesian_signed_rank

N_DRAWS = 20_000
# Five standard errors of a probability near 1/2: baycomp's alone, and both.
ONE, BOTH = 5 * 0.5 / np.sqrt(N_DRAWS), 5 * 0.5 * np.sqrt(1 / N_DRAWS + 1 / 50_000)


@pytest.fixture(scope="module")
def baycomp():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # baycomp's own, about old matplotlib calls
        return pytest.importorskip("baycomp")


def differences(seed, n):
    """Multiples of 1/64, whose sums are exact: baycomp compares them with == for ties."""
    return np.round(np.random.default_rng(seed).normal(0.02, 0.08, n) * 64) / 64


@pytest.mark.parametrize(("n", "rope"), [(5, 1 / 32), (10, 1 / 16), (30, 1 / 64), (12, 0.0)])
def test_signed_rank_matches_baycomp(baycomp, n, rope):
    z = differences(n, n)
    # baycomp's difference is y − x
    theirs = baycomp.SignedRankTest(0 * z, z, rope, nsamples=N_DRAWS, random_state=1)
    ours = bayesian_signed_rank(z, rope)
    assert ours.probabilities == pytest.approx(theirs.probs(), abs=BOTH)
    assert ours.shares == pytest.approx(theirs.sample.mean(axis=0), abs=0.005)


@pytest.mark.parametrize(("n", "rope"), [(5, 1 / 32), (10, 1 / 16), (30, 1 / 64), (12, 0.0)])
@pytest.mark.parametrize(("place", "theirs"), [("worse", 0), ("rope", 1), ("better", 2)])
def test_sign_test_matches_baycomp(baycomp, n, rope, place, theirs):
    z = differences(n, n)
    prior = (1.5, theirs)
    drawn = baycomp.SignTest(0 * z, z, rope, prior=prior, nsamples=N_DRAWS, random_state=1)
    ours = bayesian_sign_test(z, rope, prior_strength=1.5, prior_place=place)
    assert ours.probabilities == pytest.approx(drawn.probs(), abs=ONE)
    assert ours.shares == pytest.approx(drawn.sample.mean(axis=0), abs=0.005)
