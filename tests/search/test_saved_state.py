"""What a pickle of a fitted search holds, and that nothing is lost by what it leaves out."""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_moons
from sklearn.model_selection import GridSearchCV, RepeatedStratifiedKFold
from sklearn.svm import SVC

from sklearn_stats_compare import (
    RacingGridSearchCV,
    SimplestPossiblyBest,
    StatisticalGridSearchCV,
)
from sklearn_stats_compare.search.ledger import Ledger

X, y = make_moons(noise=0.352, random_state=1, n_samples=100)
CV = RepeatedStratifiedKFold(n_splits=10, n_repeats=2, random_state=0)
GRID = {"C": np.logspace(-3, 3, 7).tolist()}
KINDS = {
    "whole": lambda: StatisticalGridSearchCV(
        SVC(), GRID, cv=CV, refit=SimplestPossiblyBest("C"), return_train_score=True
    ),
    "max-t": lambda: StatisticalGridSearchCV(
        SVC(), GRID, cv=CV, scoring=["accuracy", "roc_auc"], refit="roc_auc", p_adjust="maxt"
    ),
    "failed": lambda: StatisticalGridSearchCV(SVC(), {"C": [-1, 0.1, 1]}, cv=CV),
    "race": lambda: RacingGridSearchCV(SVC(), GRID, cv=CV, random_state=0),
}
FRAMES = (
    "pairwise_frequentist_", "pairwise_bayesian_", "selection_report_", "race_history_",
    "extension_history_",
)  # fmt: skip

pytestmark = [
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning"),
    pytest.mark.filterwarnings("ignore:One or more of the test scores are non-finite"),
]


def pickled(value):
    return pickle.loads(pickle.dumps(value))


def assert_same(again, search):
    for name in FRAMES:
        assert hasattr(again, name) == hasattr(search, name), name
        if hasattr(search, name):
            pd.testing.assert_frame_equal(
                getattr(again, name), getattr(search, name), check_exact=True
            )
    assert repr(again.comparison_) == repr(search.comparison_)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("copied", [pickled, copy.copy, copy.deepcopy])
def test_a_copy_answers_the_same_to_the_last_bit_and_is_extended_alike(kind, copied):
    search = KINDS[kind]().fit(X, y)
    again = copied(search)
    assert_same(again, search)
    for one in (search, again):
        one.extend(X, y, until="decided", max_fits=200)
    assert_same(again, search)
    for name, values in search.cv_results_.items():
        if name.startswith(("split", "mean_test", "std_test", "mean_train", "rank")):
            np.testing.assert_array_equal(again.cv_results_[name], values, err_msg=name)
    assert_same(copied(again), search)


@pytest.mark.parametrize("kind", KINDS)
def test_a_look_at_tables_changes_no_size(kind):
    search = KINDS[kind]().fit(X, y)
    comparison = search.comparison_
    sizes = []
    for _ in range(2):
        sizes.append((len(pickle.dumps(search)), len(pickle.dumps(comparison))))
        for table in ("pairwise_frequentist", "pairwise_bayesian", "leader_table", "ranking"):
            len(getattr(comparison, table))
        comparison.leader  # noqa: B018
        comparison.scores.n_tested  # noqa: B018
    assert sizes[0] == sizes[1]


def test_it_takes_at_most_half_as_much_again_as_that_of_grid_search():
    grid = {"C": np.logspace(-3, 3, 50).tolist(), "gamma": [0.1, 1, 10, 100]}
    plain, ours = (
        len(pickle.dumps(kind(SVC(), grid, cv=5).fit(X, y)))
        for kind in (GridSearchCV, StatisticalGridSearchCV)
    )
    assert ours <= 1.5 * plain


def test_scores_that_a_user_changed_are_kept():
    search = StatisticalGridSearchCV(SVC(), {"C": [0.1, 1]}, cv=CV).fit(X, y)
    before = search._record.evaluated.ledger.scores([0, 1], range(20), "score")
    search.cv_results_["split3_test_score"] = np.array([0.0, 1.0])
    again = pickled(search)
    np.testing.assert_array_equal(
        again._record.evaluated.ledger.scores([0, 1], range(20), "score"), before
    )
    del search.cv_results_["split3_test_score"]
    pickled(search)
    search.cv_results_ = None
    pickled(search)


@pytest.mark.parametrize("n_splits", [1, 2, 5, 10])
def test_times_keep_their_mean_and_standard_deviation(n_splits):
    """More is not in ``cv_results_``, and of more splits both follow from these."""
    rng = np.random.default_rng(0)
    ledger = Ledger(3, n_splits)
    outcomes = [
        {"fit_error": None, "test_scores": 0.5, "fit_time": rng.exponential(), "score_time": 0.1}
        for _ in range(2 * n_splits)
    ]
    ledger.fill([0, 2], range(n_splits), outcomes)  # and a candidate that was not run
    again = pickled(ledger)
    times, others = (
        np.array([row["fit_time"] for row in one.rows()]).reshape(3, n_splits)
        for one in (ledger, again)
    )
    np.testing.assert_allclose(others.mean(axis=1), times.mean(axis=1), rtol=1e-12)
    np.testing.assert_allclose(others.std(axis=1), times.std(axis=1), rtol=1e-9, atol=1e-15)
    np.testing.assert_array_equal(again.ran, ledger.ran)
    assert np.isnan(others[1]).all()


def test_rows_of_a_frame_are_not_in_it():
    frame = pd.DataFrame(X, index=[f"a long name of row {i}" for i in range(len(X))])
    search = StatisticalGridSearchCV(SVC(), {"C": [0.1, 1]}, cv=CV).fit(frame, y)
    assert b"a long name" not in pickle.dumps(search.set_params(estimator=None))
