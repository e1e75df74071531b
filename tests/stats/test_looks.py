"""The level of a look: Pocock's table, limits, and the error rate of a search that looks."""

import numpy as np
import pytest

from sklearn_stats_compare import SplitDesign, SplitScores
from sklearn_stats_compare.stats._corrected_t import PairedTTests
from sklearn_stats_compare.stats._looks import level_of_a_look


def folds(n_splits, n_train, n_test):
    return SplitDesign([n_train] * n_splits, [n_test] * n_splits, np.zeros(n_splits, dtype=int))


@pytest.mark.parametrize(("n_looks", "level"), [(2, 0.0294), (3, 0.0221), (5, 0.0158)])
def test_independent_increments_match_pococks_levels(n_looks, level):
    # Pocock (1977), table 1: two-sided 0.05, groups of equal size, variance known. Here 10,000
    # splits at a time, for which the shared component is negligible.
    design = folds(10_000, 10**12, 1)
    found = level_of_a_look(design, 10_000, n_looks, 0.05, 1)
    # 10,000 of 200,000 draws reach the boundary: 1 % standard error.
    assert found == pytest.approx(level, rel=0.04)


def test_looks_at_the_same_information_keep_the_full_level():
    # Ten thousand splits of the same data determine the shared component at the first look.
    assert level_of_a_look(folds(10_000, 1, 1), 10_000, 5, 0.05, 1) == pytest.approx(0.05, rel=0.05)
    assert level_of_a_look(folds(5, 400, 100), 5, 1, 0.05, 1) == 0.05
    assert level_of_a_look(SplitDesign([0] * 5, [100] * 5), 5, 9, 0.05, 1) == 0.05


def test_level_of_a_look_decreases_with_looks_and_pairs():
    design = folds(5, 400, 100)
    levels = [level_of_a_look(design, 5, n, 0.05, 1) for n in (1, 2, 5, 20)]
    assert levels == sorted(levels, reverse=True)
    assert levels[-1] > 0.05 / 20
    assert level_of_a_look(design, 5, 5, 0.05, 45) < level_of_a_look(design, 5, 5, 0.05, 1)


def test_all_looks_together_keep_the_level_for_two_equal_candidates():
    # Ten looks, a repeat of five folds each, under the correction's own dependence: 5 % of 4,000
    # searches, standard error 0.34 %. At 5 % a look it would be 12 %.
    rng = np.random.default_rng(0)
    k, n_looks, n_searches = 5, 10, 4000
    level = level_of_a_look(folds(k, 400, 100), k, n_looks, 0.05, 1)
    shared = np.sqrt(1 / (k - 1)) * rng.standard_normal((n_searches, 1))
    values = shared + rng.standard_normal((n_searches, k * n_looks))
    found = np.zeros(n_searches, dtype=bool)
    for look in range(1, n_looks + 1):
        n = k * look
        table = np.vstack([values[:, :n], np.zeros(n)])
        scores = SplitScores(table, SplitDesign([400] * n, [100] * n))
        tests = PairedTTests.against(scores, n_searches, np.arange(n_searches))
        found |= tests.pvalue("two-sided") < level
    assert found.mean() == pytest.approx(0.05, abs=4 * 0.0034)
