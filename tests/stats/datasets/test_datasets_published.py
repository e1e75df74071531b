"""Numbers of Demšar (2006) and of García and Herrera (2008).

Demšar's areas under the ROC curve are in tests/reference. García and Herrera's table is not, but
their mean ranks on 30 data sets are: 63/30, 97.5/30, 66/30, 130/30 and 93.5/30, which add up to
5·6/2 as they must.
"""

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from sklearn_stats_compare.stats._multitest import adjust_pvalues
from sklearn_stats_compare.stats.datasets._rank_tests import (
    average_ranks,
    bonferroni_dunn_critical_difference,
    friedman_test,
    nemenyi_critical_difference,
    nemenyi_pvalues,
    rank_pairs,
    shaffer_pvalues,
)
from sklearn_stats_compare.stats.datasets._signed_rank import sign_test_pairs, wilcoxon_pairs

TABLE = Path(__file__).parents[2] / "reference" / "demsar_2006_auc.csv"
NAMES = ["C4.5", "1-NN", "naive Bayes", "kernel", "CN2"]
RANKS = np.array([63, 97.5, 66, 130, 93.5]) / 30


@pytest.fixture(scope="module")
def areas():
    """Of C4.5, C4.5+m, C4.5+cf and C4.5+m+cf on 14 data sets."""
    return np.loadtxt(TABLE, delimiter=",", skiprows=1, usecols=(1, 2, 3, 4)).T


def test_mean_ranks_and_friedmans_test_are_demsars(areas):
    assert average_ranks(areas).round(3).tolist() == [3.143, 2.000, 2.893, 1.964]
    result = friedman_test(areas, tie_correction=False)
    assert (round(result.statistic, 2), round(result.f_statistic, 2)) == (9.28, 3.69)
    assert (result.df, result.f_df) == (3, (3, 39))
    # "The critical value of F(3,39) for α = 0.05 is 2.85, so we reject the null-hypothesis."
    assert result.f_pvalue < 0.05
    assert result.f_pvalue == pytest.approx(stats.f.sf(result.f_statistic, 3, 39))
    corrected = friedman_test(areas)
    assert round(corrected.statistic, 2) == 10.23
    assert corrected.kendalls_w == pytest.approx(corrected.statistic / (14 * 3))


# Table 5: q of Nemenyi's test (a) and of Bonferroni–Dunn's (b) for 2, 3, …, 10 classifiers. 2.724,
# printed in (b) for 9, is a misprint: the normal quantile of 1 − 0.05/16 is 2.734.
NEMENYI = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]
DUNN = [1.960, 2.241, 2.394, 2.498, 2.576, 2.638, 2.690, 2.734, 2.773]


@pytest.mark.parametrize(
    ("critical_difference", "q", "of_four"),
    [
        (nemenyi_critical_difference, NEMENYI, [1.25, 1.12]),
        (bonferroni_dunn_critical_difference, DUNN, [1.17, 1.04]),
    ],
)
def test_critical_differences_are_demsars(critical_difference, q, of_four):
    assert [round(critical_difference(4, 14, alpha), 2) for alpha in (0.05, 0.10)] == of_four
    for m, printed in zip(range(2, 11), q, strict=True):
        # q·√(m(m + 1)/(6n)) with n such that the root is 1.
        found = critical_difference(m, m * (m + 1), 0.05) * 6**0.5
        assert found == pytest.approx(printed, abs=0.0011)  # printed digits, not all rounded


def test_wilcoxon_is_demsars(areas):
    pairs = wilcoxon_pairs(areas[:2], zeros="zsplit", method="approx")
    # C4.5 minus C4.5+m: Demšar's R+ of 93 is for the second.
    assert (pairs.r_minus[0], pairs.r_plus[0], pairs.n_zeros[0]) == (93, 12, 2)
    # Printed without a correction for ties: (12 − 14·15/4) / √(14·15·29/24) = −2.542.
    assert -2.545 < pairs.z[0] < -2.542
    assert pairs.pvalue[0].round(3) == 0.011
    # 0.005 and −0.005 are tied; as floating-point numbers they differ.
    assert pairs.n_ties[0] == 2


def test_wins_ties_and_losses_counted_by_hand(areas):
    pairs = sign_test_pairs(areas)
    counts = np.stack([pairs.wins, pairs.n_ties, pairs.losses], axis=1)
    # C4.5 against C4.5+m: better on breast cancer and iris, tied on lung cancer and mushroom.
    assert counts[0].tolist() == [2, 2, 10]
    # C4.5+m against C4.5+m+cf: better on the two of breast cancer, cmc, voting and wine; tied on
    # iris, mushroom and primary tumor.
    assert counts[4].tolist() == [5, 3, 6]
    assert pairs.pvalue[0] == pytest.approx(stats.binomtest(2, 12).pvalue)


def test_all_pairs_are_garcia_and_herreras():
    # Their Table 4: z and p of all pairs, best first.
    printed = {
        ("C4.5", "kernel"): (5.471, 4.487e-8),
        ("naive Bayes", "kernel"): (5.226, 1.736e-7),
        ("kernel", "CN2"): (2.98, 0.0029),
        ("C4.5", "1-NN"): (2.817, 0.0048),
        ("1-NN", "kernel"): (2.654, 0.008),
        ("1-NN", "naive Bayes"): (2.572, 0.0101),
        ("C4.5", "CN2"): (2.49, 0.0128),
        ("naive Bayes", "CN2"): (2.245, 0.0247),
        ("1-NN", "CN2"): (0.327, 0.744),
        ("C4.5", "naive Bayes"): (0.245, 0.8065),
    }
    pairs = rank_pairs(RANKS, 30)
    for i, j, z, p in zip(pairs.first, pairs.second, pairs.z, pairs.pvalue, strict=True):
        expected = printed[NAMES[i], NAMES[j]]
        assert abs(z) == pytest.approx(expected[0], abs=0.0011)
        assert p == pytest.approx(expected[1], rel=2e-3, abs=6e-5)
    assert (pairs.z[:4] > 0).all()  # C4.5, the first, has the best mean rank


def test_shaffer_rejects_a_pair_of_garcia_and_herreras_that_holm_does_not():
    pvalues = rank_pairs(RANKS, 30).pvalue
    k = 4  # 1-NN against naive Bayes, of (0, 1), (0, 2), (0, 3), (0, 4), (1, 2), …
    assert adjust_pvalues(pvalues, "holm")[k].round(4) == 0.0506  # 5 · 0.0101
    assert shaffer_pvalues(pvalues, 5)[k].round(4) == 0.0478  # 6 · 0.00796, of the pair before it


def test_nemenyi_of_garcia_and_herreras_pairs_agrees_with_its_critical_difference():
    # CD 2.728·√(5·6/(6·30)) = 1.114: four differences are larger.
    critical = nemenyi_critical_difference(5, 30, 0.05)
    assert round(critical, 3) == 1.114
    pairs = rank_pairs(RANKS, 30)
    larger = np.abs(pairs.rank_difference) > critical
    assert larger.sum() == 4
    assert ((nemenyi_pvalues(RANKS, 30) < 0.05) == larger).all()
