"""What a pickle of a search holds: of a fitted one all, of one that is sent to workers little."""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
from quick import Votes
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import make_moons
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import GridSearchCV, RepeatedStratifiedKFold
from sklearn.svm import SVC

import sklearn_stats_compare as ssc
from sklearn_stats_compare.search._search import Fitting
from sklearn_stats_compare.search.ledger._ledger import Outcomes
from sklearn_stats_compare.stats import _family

X, y = make_moons(noise=0.352, random_state=1, n_samples=100)
CV = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
GRID = {"gamma": [1e-6, 0.1, 1.0, 10.0]}
KINDS = {
    "whole": ssc.StatisticalGridSearchCV(
        Votes(), GRID, cv=CV, refit=ssc.Simplest("gamma"), return_train_score=True
    ),
    "max-t": ssc.StatisticalGridSearchCV(
        SVC(),
        {"C": [1e-3, 0.1, 1.0, 10.0]},
        cv=CV,
        scoring=["accuracy", "roc_auc"],
        refit="roc_auc",
        p_adjust="maxt",
    ),
    "failed": ssc.StatisticalGridSearchCV(Votes(), {"gamma": [-1, 0.1, 1]}, cv=CV),
    "race": ssc.RacingGridSearchCV(Votes(), GRID, cv=CV, random_state=0),
}
FRAMES = (
    "pairwise_frequentist_", "pairwise_bayesian_", "selection_report_", "race_history_",
    "extension_history_",
)  # fmt: skip

pytestmark = pytest.mark.filterwarnings(
    "ignore::sklearn.exceptions.FitFailedWarning",
    "ignore:One or more of the test scores are non-finite",
)


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
def test_a_copy_answers_the_same_to_the_last_bit_and_is_extended_alike(kind, monkeypatch):
    monkeypatch.setattr(_family, "N_DRAWS", 2_000)  # it draws for each of many tables
    search = clone(KINDS[kind])
    if search.return_predictions == "auto":  # no copy has the values that no one asked for
        search.set_params(return_predictions=False)
    search.fit(X, y)
    # All go through `__getstate__`, whose state depends on the kind and not on who asks.
    copiers = (pickled, copy.copy, copy.deepcopy) if kind == "whole" else (pickled,)
    copies = [copied(search) for copied in copiers]
    for again in copies:
        assert_same(again, search)
    for one in (search, *copies):
        one.extend(X, y, until="decided", max_fits=20)
        if kind == "race":  # whose survivors are decided from the start
            one.extend(X, y, n_repeats=1)
    assert search.n_splits_ > 10
    for again, copied in zip(copies, copiers, strict=True):
        assert_same(again, search)
        for name, values in search.cv_results_.items():
            if name.startswith(("split", "mean_test", "std_test", "mean_train", "rank")):
                np.testing.assert_array_equal(again.cv_results_[name], values, err_msg=name)
        assert_same(copied(again), search)


@pytest.mark.parametrize("kind", KINDS)
def test_a_look_at_tables_changes_no_size(kind):
    search = KINDS[kind].fit(X, y)
    comparison = search.comparison_
    sizes = []
    for _ in range(2):
        sizes.append((len(pickle.dumps(search)), len(pickle.dumps(comparison))))
        for table in ("frequentist", "bayesian", "against", "ranking"):
            len(getattr(comparison, table)())
        comparison.leader  # noqa: B018
        comparison.scores.n_tested  # noqa: B018
    assert sizes[0] == sizes[1]


def test_it_takes_at_most_half_as_much_again_as_that_of_grid_search():
    grid = {"strategy": ["prior", "uniform", "stratified", "most_frequent"]}
    grid["random_state"] = range(10)
    plain, ours = (
        len(pickle.dumps(kind(DummyClassifier(), grid, cv=5).fit(X, y)))
        for kind in (GridSearchCV, ssc.StatisticalGridSearchCV)
    )
    assert ours <= 1.5 * plain


def test_scores_that_a_user_changed_are_kept():
    search = ssc.StatisticalGridSearchCV(Votes(), {"gamma": [0.1, 1]}, cv=CV).fit(X, y)
    before = search._record.evaluated.ledger.scores([0, 1], range(10), "score")
    search.cv_results_["split3_test_score"] = np.array([0.0, 1.0])
    again = pickled(search)
    np.testing.assert_array_equal(
        again._record.evaluated.ledger.scores([0, 1], range(10), "score"), before
    )
    del search.cv_results_["split3_test_score"]
    pickled(search)
    search.cv_results_ = None
    pickled(search)


@pytest.mark.parametrize("n_splits", [1, 2, 5, 10])
def test_times_keep_their_mean_and_standard_deviation(n_splits):
    """More is not in ``cv_results_``, and of more splits both follow from these."""
    rng = np.random.default_rng(0)
    ledger = Outcomes(3, n_splits)
    outcomes = [
        {"fit_error": None, "test_scores": 0.5, "fit_time": rng.exponential(), "score_time": 0.1}
        for _ in range(2 * n_splits)
    ]
    # And a candidate that was not run.
    cells = [(row, column) for row in (0, 2) for column in range(n_splits)]
    for cell, outcome in zip(cells, outcomes, strict=True):
        ledger.enter(cell, outcome)
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
    search = ssc.StatisticalGridSearchCV(Votes(), {"gamma": [0.1, 1]}, cv=CV).fit(frame, y)
    assert b"a long name" not in pickle.dumps(search.set_params(estimator=None))


MANY = np.random.default_rng(0).standard_normal((2000, 1))
CLASSES = np.arange(2000) % 2
N_FITS = 300  # of the longest: 15 candidates on 10 splits, extended by 10
# scikit-learn's own tree of contexts, from 1.9 on, has about 82 bytes a fit.
MOST = 2_000 + 100 * N_FITS
FITTING = []
SIZES = []


class Watched(ClassifierMixin, BaseEstimator):
    """Pickles, while it is fitted, the search that it is fitted by."""

    def __init__(self, number=0):
        self.number = number

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        for search in FITTING if self.number % 5 == 4 else ():
            sent = pickle.dumps(search)
            SIZES.append(len(sent))
            # No `assert`, which pytest rewrites: a ledger must be able to read this method.
            if any(word in sent for word in (b"sqlite3", b"LedgerFile", b"cv_results_")):
                raise AssertionError("more was sent than a worker needs")
        return self

    def predict(self, X):
        return np.where(X[:, 0] > self.number / 10, 1, 0)


@pytest.fixture
def watched(monkeypatch):
    """Watches the copies that searches are fitted on, which scikit-learn sends."""
    SIZES.clear()
    run = Fitting._run

    def watched_run(fitting, search, given):
        FITTING[:] = [search]
        return run(fitting, search, given)

    monkeypatch.setattr(Fitting, "_run", watched_run)
    yield
    FITTING.clear()


@pytest.mark.parametrize(
    ("kind", "cv", "saved"),
    [
        pytest.param(ssc.StatisticalGridSearchCV, CV, False, marks=pytest.mark.slow),
        (ssc.StatisticalGridSearchCV, list(CV.split(MANY, CLASSES)), True),
        (ssc.RacingGridSearchCV, CV, True),
        pytest.param(
            ssc.RacingGridSearchCV, list(CV.split(MANY, CLASSES)), False, marks=pytest.mark.slow
        ),
    ],
    ids=["whole", "whole with indices and a ledger", "race with a ledger", "race with indices"],
)
def test_workers_get_neither_splits_nor_earlier_fits_nor_the_ledger(
    kind, cv, saved, watched, tmp_path
):
    arguments = {"ledger": tmp_path / "search.sqlite"} if saved else {}
    if kind is ssc.RacingGridSearchCV:
        arguments["random_state"] = 0
    search = kind(Watched(), {"number": range(15)}, cv=cv, refit=False, **arguments)
    search.fit(MANY, CLASSES)
    assert SIZES
    assert max(SIZES) < MOST < 0.5 * 8 * MANY.size * 10  # half of the indices of ten splits
    len(search.pairwise_frequentist_), len(search.pairwise_bayesian_)
    if saved:
        (tmp_path / "search.sqlite").unlink()
    SIZES.clear()
    search.fit(MANY, CLASSES)
    if cv is CV:
        search.extend(MANY, CLASSES, n_repeats=1)
    assert max(SIZES) < MOST
