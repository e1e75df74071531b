"""Parity over several data sets with SciPy, scikit-posthocs, autorank and baycomp.

baycomp draws: probabilities are equal up to Monte Carlo errors. scikit-posthocs and autorank are
not in the test extra: tests that need them are skipped without.
"""

import warnings

import numpy as np
import pandas as pd
import pytest
import scipy
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from sklearn_stats_compare.stats._multitest import adjust_pvalues
from sklearn_stats_compare.stats.datasets._bayesian import (
    bayesian_sign_test,
    bayesian_signed_rank_draws,
    bayesian_signed_rank_pairs,
)
from sklearn_stats_compare.stats.datasets._rank_tests import (
    average_ranks,
    friedman_test,
    nemenyi_critical_difference,
    nemenyi_pvalues,
)
from sklearn_stats_compare.stats.datasets._signed_rank import ZEROS, wilcoxon_pairs

CLOSE = {"rtol": 1e-8, "atol": 1e-10}
# Four models on 12 data sets, with ties and zeros.
COARSE = arrays(int, (4, 12), elements=st.integers(0, 30))
N_DRAWS = 20_000
# Five standard errors of a probability near 1/2: baycomp's alone, and both.
ONE, BOTH = 5 * 0.5 / np.sqrt(N_DRAWS), 5 * 0.5 * np.sqrt(1 / N_DRAWS + 1 / 50_000)
SCIPY = tuple(map(int, scipy.__version__.split(".")[:2]))


def peer(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # their own, when they are imported
        return pytest.importorskip(name)


@pytest.fixture(scope="module")
def posthocs():
    return peer("scikit_posthocs")


@pytest.fixture(scope="module")
def autorank():
    return peer("autorank")


@pytest.fixture
def ranked(autorank):
    """Function that asks autorank for its non-parametric results."""

    def ranked(values, names):
        frame = pd.DataFrame(values.T, columns=list(names))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return autorank.autorank(frame, alpha=0.05, force_mode="nonparametric")

    return ranked


def upper(table):
    """The pairs of a square table in our order."""
    return np.asarray(table, dtype=float)[np.triu_indices(len(table), 1)]


@pytest.mark.skipif(SCIPY < (1, 13), reason="`wilcoxon` takes a PermutationMethod from 1.13 on")
@pytest.mark.parametrize("zeros", ZEROS)
def test_exact_p_values_with_ties_match_scipys_permutations(zeros):
    values = np.random.default_rng(0).integers(0, 6, (3, 8))
    found = wilcoxon_pairs(values, zeros=zeros)
    for i, j, p in zip(found.first, found.second, found.pvalue, strict=True):
        method = stats.PermutationMethod(n_resamples=np.inf)
        theirs = stats.wilcoxon(values[i] - values[j], zero_method=zeros, method=method)
        assert p == pytest.approx(theirs.pvalue, rel=1e-10)


@given(counts=COARSE)
def test_matches_scikit_posthocs_nemenyi(posthocs, counts):
    theirs = posthocs.posthoc_nemenyi_friedman(counts.T)
    found = nemenyi_pvalues(average_ranks(counts), 12)
    np.testing.assert_allclose(found, upper(theirs), **CLOSE)


def all_wilcoxon(posthocs, values, **options):
    frame = pd.DataFrame(values.T).melt(var_name="model", value_name="score")
    table = posthocs.posthoc_wilcoxon(frame, val_col="score", group_col="model", **options)
    return upper(table)


@pytest.mark.parametrize("seed", range(5))
def test_matches_scikit_posthocs_wilcoxon(posthocs, seed):
    values = np.random.default_rng(seed).normal(size=(4, 12)) + np.arange(4)[:, None] / 3
    found = wilcoxon_pairs(values)  # exact, as SciPy's without ties
    for adjust in (None, "holm"):
        theirs = all_wilcoxon(posthocs, values, p_adjust=adjust)
        np.testing.assert_allclose(adjust_pvalues(found.pvalue, adjust), theirs, **CLOSE)


@pytest.mark.parametrize("zeros", ZEROS)
@given(counts=COARSE)
def test_matches_scikit_posthocs_wilcoxon_with_ties(posthocs, zeros, counts):
    assume(len(np.unique(counts, axis=0)) == 4)
    found = wilcoxon_pairs(counts, zeros=zeros, method="approx")
    theirs = all_wilcoxon(posthocs, counts, zero_method=zeros, method="approx")
    np.testing.assert_allclose(found.pvalue, theirs, **CLOSE)


def test_matches_autoranks_ranks_and_critical_difference(ranked):
    rng = np.random.default_rng(2)
    values = np.round(rng.gamma(1, 0.2, (5, 30)) + np.arange(5)[:, None] / 10, 2)
    theirs = ranked(values, "abcde")
    assert theirs.omnibus == "friedman"
    own = friedman_test(values)
    assert own.pvalue == pytest.approx(theirs.pvalue, rel=1e-8)
    ranks = theirs.rankdf["meanrank"].loc[list("abcde")]
    np.testing.assert_allclose(own.mean_ranks, ranks, **CLOSE)
    assert nemenyi_critical_difference(5, 30, 0.05) == pytest.approx(theirs.cd, rel=1e-3)


def test_matches_autoranks_wilcoxon_for_two_models(ranked):
    rng = np.random.default_rng(3)
    values = rng.gamma(1, 0.2, (2, 20)) + np.array([[0.0], [0.1]])
    theirs = ranked(values, "ab")
    assert theirs.omnibus == "wilcoxon"
    # autorank's test is one-sided, in the direction that the data have.
    assert wilcoxon_pairs(values).pvalue[0] == pytest.approx(2 * theirs.pvalue, rel=1e-8)


def differences(seed, n):
    """Multiples of 1/64, whose sums are exact: baycomp compares them with == for ties."""
    return np.round(np.random.default_rng(seed).normal(0.02, 0.08, n) * 64) / 64


@pytest.mark.parametrize(("n", "rope"), [(5, 1 / 32), (10, 1 / 16), (30, 1 / 64), (12, 0.0)])
def test_bayesian_tests_match_baycomp(baycomp, n, rope):
    z = differences(n, n)
    # baycomp's difference is y − x
    theirs = baycomp.SignedRankTest(0 * z, z, rope, nsamples=N_DRAWS, random_state=1)
    ours = bayesian_signed_rank_pairs([z, 0 * z], rope, n_draws=50_000)
    assert np.ravel(ours) == pytest.approx(theirs.probs(), abs=BOTH)
    draws = bayesian_signed_rank_draws(z, rope)
    assert draws.mean(axis=0) == pytest.approx(theirs.sample.mean(axis=0), abs=0.005)
    for index, place in enumerate(("worse", "rope", "better")):
        prior = (1.5, index)
        theirs = baycomp.SignTest(0 * z, z, rope, prior=prior, nsamples=N_DRAWS, random_state=1)
        ours = bayesian_sign_test(z, rope, prior_strength=1.5, prior_place=place)
        assert ours == pytest.approx(theirs.probs(), abs=ONE)
