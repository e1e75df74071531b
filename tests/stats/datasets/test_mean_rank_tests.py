"""z of mean ranks, Nemenyi's and Bonferroni–Dunn's tests: distributions by other means."""

import numpy as np
import pytest
from scipy import stats

from sklearn_stats_compare.stats import (
    adjust_pvalues,
    bonferroni_dunn,
    bonferroni_dunn_critical_difference,
    nemenyi_critical_difference,
    nemenyi_pvalues,
    rank_pairs,
)


def test_two_models_need_no_adjustment():
    # The range of two normals is √2·|z|.
    pairs = rank_pairs([1.2, 1.8], 25)
    assert pairs.z[0] == pytest.approx(0.6 / (6 / 150) ** 0.5)
    assert nemenyi_pvalues([1.2, 1.8], 25)[0] == pytest.approx(2 * stats.norm.sf(pairs.z[0]))
    critical = nemenyi_critical_difference(2, 25, 0.05)
    assert critical == pytest.approx(bonferroni_dunn_critical_difference(2, 25, 0.05))
    assert critical == pytest.approx(stats.norm.isf(0.025) * (6 / 150) ** 0.5)


def test_nemenyi_is_the_range_of_independent_normals():
    rng = np.random.default_rng(0)
    spans = np.ptp(rng.standard_normal((200_000, 6)), axis=1)
    ranks = np.array([1.5, 2.5, 3.0, 3.9, 4.6, 5.5])
    found = nemenyi_pvalues(ranks, 12)
    pairs = rank_pairs(ranks, 12)
    simulated = [(spans > abs(z) * 2**0.5).mean() for z in pairs.z]
    # Standard error at most 0.0011.
    np.testing.assert_allclose(found, simulated, atol=0.0045)


@pytest.mark.parametrize("m", [3, 10, 100])
@pytest.mark.parametrize("alpha", [0.1, 0.05, 0.001])
def test_a_difference_of_the_critical_one_has_p_alpha(m, alpha):
    n = 5000
    ranks = np.full(m, (m + 1) / 2)
    half = nemenyi_critical_difference(m, n, alpha) / 2
    ranks[:2] = (m + 1) / 2 - half, (m + 1) / 2 + half
    assert nemenyi_pvalues(ranks, n)[0] == pytest.approx(alpha, rel=1e-6)


def test_small_p_values_keep_their_digits():
    # Of z = 15 Bonferroni's bound for 3 pairs, 3·2Φ(−15) = 2.2e-50, is the tail of the range.
    # 15 = 2/√(12/(6·112.5))
    pairs, found = rank_pairs([1, 2, 3], 113), nemenyi_pvalues([1, 2, 3], 113)
    assert found[1] == pytest.approx(3 * pairs.pvalue[1])
    assert 0 < found[1] < 1e-49
    # Where one gives way to the other, the p-value still falls with z.
    n = np.arange(10, 40)
    z = [rank_pairs([1.0, 2.0, 3.0], int(k)).z[1] for k in n]
    p = [nemenyi_pvalues([1.0, 2.0, 3.0], int(k))[1] for k in n]
    assert (np.diff(z) > 0).all()
    assert (np.diff(p) < 0).all()
    assert max(p) > 1e-9 > min(p)


def test_nemenyi_is_between_no_adjustment_and_bonferroni():
    ranks = [2.1, 3.25, 2.2, 4.35, 3.1]
    raw = rank_pairs(ranks, 17).pvalue
    found = nemenyi_pvalues(ranks, 17)
    assert (found > raw).all()
    assert (found <= adjust_pvalues(raw, "bonferroni")).all()


def test_bonferroni_dunn_has_the_pairs_of_the_control_and_fewer_of_them():
    ranks = [2.1, 3.25, 2.2, 4.35, 3.1]
    result, pairs = bonferroni_dunn(ranks, 17, 2), rank_pairs(ranks, 17)
    assert result.others.tolist() == [0, 1, 3, 4]
    own = (pairs.first == 2) | (pairs.second == 2)
    sign = np.where(pairs.first[own] == 2, -1, 1)  # positive if the other is better
    np.testing.assert_allclose(result.z, sign * pairs.z[own])
    np.testing.assert_allclose(result.pvalue, pairs.pvalue[own])
    np.testing.assert_allclose(result.pvalue_adjusted, np.minimum(1, 4 * result.pvalue))
    critical = bonferroni_dunn_critical_difference(5, 17, 0.05)
    larger = np.abs(result.rank_difference) > critical
    assert ((result.pvalue_adjusted < 0.05) == larger).all()


@pytest.mark.parametrize("ranks", [[1.0], [[1.0, 2.0]], [0.5, 2.5], [1, 3.5, 2], [1, np.nan], []])
def test_what_cannot_be_mean_ranks_is_refused(ranks):
    with pytest.raises(ValueError, match="`mean_ranks` must be a vector of at least 2 numbers"):
        rank_pairs(ranks, 10)


def test_numbers_are_checked():
    with pytest.raises(ValueError, match="`n_datasets` must be a whole number ≥ 1; got 0"):
        rank_pairs([1, 2], 0)
    with pytest.raises(ValueError, match="`control` must be a whole number from 0 to 1; got 2"):
        bonferroni_dunn([1, 2], 5, 2)
    with pytest.raises(ValueError, match="`n_models` must be a whole number ≥ 2; got 1"):
        nemenyi_critical_difference(1, 5, 0.05)
    with pytest.raises(ValueError, match=r"`alpha` must be in \(0, 1\); got 0"):
        bonferroni_dunn_critical_difference(3, 5, 0)
