"""How often a candidate named beforehand seems to differ from one of its equals (`against`).

The figures are in docs/guide/real.rst.
"""

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import ExtraTreeClassifier

from sklearn_stats_compare import Comparison, SplitDesign, SplitScores
from sklearn_stats_compare.stats import _maxt

pytestmark = pytest.mark.slow
ADJUSTMENTS = ("bonferroni", "maxt")
N_TABLES = 500


def rates_of(tables, design):
    """Share of tables in which the first candidate differs from any other."""
    rejected = dict.fromkeys(ADJUSTMENTS, 0)
    for values in tables:
        scores = SplitScores(values, design)
        for p_adjust in ADJUSTMENTS:
            table = Comparison(scores, p_adjust=p_adjust, warn=False).against(0)
            rejected[p_adjust] += table["p_val"].min() < 0.05
    return {p_adjust: count / N_TABLES for p_adjust, count in rejected.items()}


def check(rates, what):
    for p_adjust, rate in rates.items():
        error = np.sqrt(max(rate, 1 / N_TABLES) * (1 - rate) / N_TABLES)
        print(f"{what}, {p_adjust}: {100 * rate:.1f} ± {100 * error:.1f} %")
        assert rate <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / N_TABLES)


@pytest.mark.parametrize("coarse", [False, True])
@pytest.mark.parametrize(("m", "n_splits"), [(6, 5), (30, 5), (30, 10)])
def test_equal_candidates_with_the_dependence_that_the_correction_assumes(
    m, n_splits, coarse, monkeypatch
):
    monkeypatch.setattr(_maxt, "N_DRAWS", 500)  # (1 + count)/(1 + draws) keeps the level
    rng = np.random.default_rng(1)
    tables = np.sqrt(0.2) * rng.standard_normal((N_TABLES, m, 1))
    tables = tables + np.sqrt(0.8) * rng.standard_normal((N_TABLES, m, n_splits))
    if coarse:  # as the accuracy of a handful of samples is
        tables = np.round(tables / 2)
    design = SplitDesign([4] * n_splits, [1] * n_splits)
    check(rates_of(tables, design), f"{m} candidates, {n_splits} splits, coarse: {coarse}")


def test_equal_unpruned_trees_on_five_folds(monkeypatch):
    monkeypatch.setattr(_maxt, "N_DRAWS", 500)
    rng = np.random.default_rng(2)
    tables = np.empty((N_TABLES, 6, 5))
    for values in tables:
        y = rng.permutation(np.repeat([0, 1], 50))
        X = rng.normal(size=(100, 5)) + 0.5 * y[:, None]
        for k, (train, test) in enumerate(StratifiedKFold(5).split(X, y)):
            for tree in range(6):  # equal but for the seed of their random thresholds
                fitted = ExtraTreeClassifier(random_state=tree).fit(X[train], y[train])
                values[tree, k] = fitted.score(X[test], y[test])
    check(rates_of(tables, SplitDesign([80] * 5, [20] * 5)), "6 random trees, 5 folds")
