"""scikit-optimize's BayesSearchCV with statistics; skipped without scikit-optimize."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import KFold, ShuffleSplit
from sklearn.svm import SVC

from sklearn_stats_compare import Simplest, StatisticalSearchMixin

skopt = pytest.importorskip("skopt", reason="scikit-optimize is not a dependency")
# scikit-optimize 0.10.2 uses deprecated parts of NumPy and scikit-learn, and repeats points.
pytestmark = pytest.mark.filterwarnings("ignore")

X, y = load_iris(return_X_y=True)
FOLDS = KFold(10, shuffle=True, random_state=0)
GIVEN = {"n_iter": 6, "cv": FOLDS, "random_state": 0}
SPACE = {"C": (1e-3, 1e3, "log-uniform")}


class StatisticalBayesSearchCV(StatisticalSearchMixin, skopt.BayesSearchCV):
    """As the guide makes it."""

    rope = 0.02


@pytest.fixture(scope="module")
def search():
    return StatisticalBayesSearchCV(SVC(), SPACE, **GIVEN).fit(X, y)


def test_it_is_the_same_search(search):
    own = skopt.BayesSearchCV(SVC(), SPACE, **GIVEN).fit(X, y)
    for column in ("mean_test_score", "split3_test_score"):
        np.testing.assert_array_equal(own.cv_results_[column], search.cv_results_[column])
    assert own.best_params_ == search.best_params_
    assert search.total_iterations == 6
    assert len(search.optimizer_results_[0].x_iters) == 6


def test_all_candidates_are_compared_and_the_note_says_that_scores_chose_them(search):
    assert search.comparison_.scores.n_candidates == 6
    assert search.test_train_ratio_ == pytest.approx(1 / 9)
    assert "StatisticalBayesSearchCV chose candidates after it had" in search.comparison_.note
    assert len(search.pairwise_frequentist_) == 15
    rule = Simplest("C")
    assert search.comparison_.choose(rule).index in range(6)


def test_its_callbacks_and_its_refusals(search):
    counts = []
    again = clone(search).fit(X, y, callback=lambda result: counts.append(len(result.x_iters)))
    assert counts == [1, 2, 3, 4, 5, 6]
    with pytest.raises(ValueError, match="support a callable refit"):
        clone(again).set_params(refit=Simplest("C")).fit(X, y)
    with pytest.raises(ValueError, match="`cv` must make the same splits"):
        clone(again).set_params(cv=ShuffleSplit(10)).fit(X, y)


def test_it_can_be_pickled(search):
    copy = pickle.loads(pickle.dumps(search))
    assert copy.pairwise_frequentist_.equals(search.pairwise_frequentist_)
    np.testing.assert_array_equal(copy.predict(X), search.predict(X))
