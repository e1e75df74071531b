"""The batched models of the simulations agree with scikit-learn's."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score

from benchmarks import _cells
from benchmarks._logistic import accuracies, areas, decisions, equal_blocks, masks


def test_batched_solver_matches_logistic_regression():
    rng = np.random.default_rng(0)
    X, y = equal_blocks(rng, n_samples=300, n_models=3)
    cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
    train, test = masks(cv, y)
    penalties = np.array([0.01, 1.0, 100.0])
    value = decisions(X, y, train, penalties)
    for model, C in enumerate(penalties):
        theirs = LogisticRegression(C=C, tol=1e-10, solver="newton-cholesky")
        for scoring, scores in (("accuracy", accuracies), ("roc_auc", areas)):
            expected = cross_val_score(theirs, X[model], y, cv=cv, scoring=scoring)
            np.testing.assert_allclose(scores(value, y, test)[model], expected, rtol=1e-12)
        # Also with scikit-learn's defaults, with which the solver stops slightly earlier.
        default = cross_val_score(LogisticRegression(C=C), X[model], y, cv=cv)
        assert np.mean(default == accuracies(value, y, test)[model]) >= 0.95


def test_ridge_regressions_match_scikit_learn(monkeypatch):
    made = {}

    class Recorded(_cells.RepeatedKFold):
        def split(self, X, y=None, groups=None):
            made["splits"], made["y"] = list(super().split(X, y, groups)), np.array(y)
            return iter(made["splits"])

    monkeypatch.setattr(_cells, "RepeatedKFold", Recorded)
    scores, _ = _cells.ridge(np.random.default_rng(3))
    X = np.random.default_rng(3).standard_normal((10, 300, 5))  # the first data that it draws
    for model in (0, 9):
        expected = cross_val_score(Ridge(), X[model], made["y"], cv=made["splits"], scoring="r2")
        np.testing.assert_allclose(scores.values[model], expected, rtol=1e-9)


@pytest.mark.slow
def test_true_accuracies_increase_with_the_shift():
    found = _cells.true_accuracy(np.linspace(0.1, 0.65, 12))
    assert (np.diff(found) > 0).all()
    assert 0.55 < found[0] < 0.6
    # The best classifier reaches Φ(shift·√5); 270 samples are close to it.
    assert found[-1] < 0.927
