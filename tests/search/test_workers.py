"""Fits are handed to workers as these are free: none waits, whichever ends first."""

import threading
import time

import joblib
import numpy as np
import pytest
from counted import assert_same_results
from race_cases import assert_same_race
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_classification
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import sklearn_stats_compare as ssc
from sklearn_stats_compare.predictions import _responses
from sklearn_stats_compare.search.runs._run import _fit_cells

X, y = make_classification(n_samples=120, n_features=6, flip_y=0.2, random_state=0)
FOLDS = KFold(5, shuffle=True, random_state=0)
FEW = pytest.mark.filterwarnings("ignore:There are only")


class Waits(ClassifierMixin, BaseEstimator):
    """The first fit of all ends only when `after` others have ended."""

    lock = threading.Lock()
    begun = 0
    ended = 0
    met = threading.Event()

    def __init__(self, number=0, *, after=0):
        self.number, self.after = number, after

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        with Waits.lock:
            Waits.begun += 1
            is_first = Waits.begun == 1
        if is_first:
            if not Waits.met.wait(60):
                raise TimeoutError("a worker waits for this fit")
            return self
        with Waits.lock:
            Waits.ended += 1
            if Waits.ended >= self.after:
                Waits.met.set()
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[self.number % 2])


@pytest.fixture(autouse=True)
def nothing_was_fitted():
    Waits.begun = Waits.ended = 0
    Waits.met.clear()


@FEW
@pytest.mark.parametrize("options", [{}, {"verbose": 1}, {"max_time": 600}, {"ledger": "a.sqlite"}])
def test_no_worker_waits_for_a_slow_fit(options, tmp_path):
    if "ledger" in options:
        options = {"ledger": tmp_path / options["ledger"]}
    # All other fits end, of every split, while one runs. A block of splits would never end.
    search = ssc.StatisticalGridSearchCV(
        Waits(after=6 * 5 - 1), {"number": range(6)}, cv=FOLDS, refit=False, **options
    )
    with joblib.parallel_config("threading", n_jobs=2):
        search.fit(X, y)
    assert Waits.ended == 6 * 5 - 1


@FEW
def test_in_a_race_no_worker_waits_for_the_last_fit_of_a_split():
    # The first analysis needs three splits of all six. Fits of the last two run meanwhile.
    search = ssc.RacingGridSearchCV(Waits(after=20), {"number": range(6)}, cv=FOLDS, refit=False)
    with joblib.parallel_config("threading", n_jobs=2):
        search.fit(X, y)
    assert Waits.ended >= 20


class Delayed(DecisionTreeClassifier):
    """A tree whose fit takes up to 4 ms, by a generator of its own."""

    random = np.random.default_rng(0)
    lock = threading.Lock()

    def fit(self, X, y, sample_weight=None, check_input=True):
        with Delayed.lock:
            seconds = Delayed.random.exponential(0.001)
        time.sleep(min(seconds, 0.004))
        return super().fit(X, y)


@FEW
@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(1, 20))]
)
@pytest.mark.parametrize("interim", ["samples", "splits"])
def test_a_race_is_the_same_for_any_number_of_workers_and_any_delays(interim, seed):
    Delayed.random = np.random.default_rng(seed)
    races = []
    for n_jobs in (1, 2, 16):
        search = ssc.RacingGridSearchCV(
            Delayed(random_state=0),
            {"max_depth": range(1, 9)},
            cv=KFold(10, shuffle=True, random_state=seed),
            random_state=seed,
            interim=interim,
        )
        with joblib.parallel_config("threading", n_jobs=n_jobs):
            races.append(search.fit(X, y))
    for other in races[1:]:
        assert_same_race(races[0], other)
        assert races[0].n_fits_ == other.n_fits_
        assert races[0].best_index_ == other.best_index_
    assert races[0].n_fits_speculative_ == 0


class Wrong(ClassifierMixin, BaseEstimator):
    """The higher `number`, the more samples it has wrong; a fit takes up to 20 ms."""

    def __init__(self, number=0):
        self.number = number

    def fit(self, X, y):
        self.classes_ = np.array([0, 1])
        with Delayed.lock:
            seconds = Delayed.random.exponential(0.005)
        time.sleep(min(seconds, 0.02))
        return self

    def predict(self, X):
        wrong = abs(X[:, 1]) < self.number / 20
        return np.where(wrong, 1 - X[:, 0], X[:, 0]).astype(int)


class DownAtFirst(Delayed):
    """Fails to fit where the test samples are of one of the first splits of a race."""

    def fit(self, X, y, sample_weight=None, check_input=True):
        super().fit(X, y)
        if DownAtFirst.bad & {*range(12)} - {*X[:, -1].astype(int).tolist()}:
            raise ValueError("down")
        return self


@FEW
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning")
def test_fits_ahead_of_a_look_name_no_metric_where_all_before_it_failed():
    # Of all the fits that a look reads none has a score, but one ahead of it may have one.
    Delayed.random = np.random.default_rng(0)
    DownAtFirst.bad = {*np.random.RandomState(0).permutation(12)[:8].tolist()}
    data = np.c_[X[:120], np.repeat(np.arange(12), 10)]
    races = []
    for n_jobs in (1, 16, 16):
        search = ssc.RacingGridSearchCV(
            DownAtFirst(random_state=0), {"max_depth": [1, 4]}, cv=KFold(12), scoring="accuracy",
            error_score=0.0, tolerance=0.01, random_state=0,
        )  # fmt: skip
        with joblib.parallel_config("threading", n_jobs=n_jobs):
            races.append(search.fit(data, y[:120]))
    for other in races[1:]:
        assert_same_race(races[0], other)


@FEW
def test_fits_ahead_do_not_decide_whether_predictions_are_kept(monkeypatch):
    # By default they are kept up to a size, which those of fits ahead do not count towards.
    monkeypatch.setattr(_responses, "_BYTES_OF_A_CELL", 0)
    kept = []
    for size in (None, 0, 1):
        if size is not None:  # exactly what the race keeps, and one byte less
            monkeypatch.setattr(_responses, "_SMALL_SIZE", kept[0] - size)
        Delayed.random = np.random.default_rng(0)
        search = ssc.RacingGridSearchCV(
            Delayed(random_state=0), {"max_depth": range(1, 9)}, random_state=0,
            cv=KFold(10, shuffle=True, random_state=0), interim="splits", scoring="neg_log_loss",
        )  # fmt: skip
        with joblib.parallel_config("threading", n_jobs=1 if size is None else 16):
            responses = search.fit(X, y)._record.evaluated.ledger.responses
        kept.append(None if responses is None else responses._n_bytes)
    assert kept == [kept[0], kept[0], None]


def test_workers_that_would_wait_fit_only_candidates_that_are_likely_to_be_left():
    truth = np.arange(500) % 2
    data = np.c_[truth, np.random.default_rng(0).standard_normal(500)]
    search = ssc.RacingGridSearchCV(
        Wrong(), {"number": range(40)}, cv=KFold(5), random_state=0, refit=False
    )
    with joblib.parallel_config("threading", n_jobs=32):
        search.fit(data, truth)
    assert search.race_history_["alive"][0] <= 4
    # Four candidates on three splits each; all 40 on two splits are needed in any case.
    assert search.n_fits_speculative_ <= 12


def test_no_fit_of_a_task_begins_after_the_deadline():
    made = {"train": np.arange(60), "test": np.arange(60, 120), "parameters": {}}
    fits = [(GaussianNB(), made)] * 2
    given = {
        "scorer": lambda model, X, y: 0.5, "verbose": 0, "fit_params": {}, "score_params": {},
        "error_score": np.nan,
    }  # fmt: skip
    _, outcomes, _ = _fit_cells(X, y, [(0, 0), (0, 1)], fits, time.time() - 1, given)
    assert outcomes == [None, None]
    _, outcomes, _ = _fit_cells(X, y, [(0, 0), (0, 1)], fits, time.time() + 60, given)
    assert [outcome["test_scores"] for outcome in outcomes] == [0.5, 0.5]


@FEW
def test_a_backend_that_returns_all_outcomes_together(tmp_path):
    grid = {"var_smoothing": [1e-9, 1e-2, 1.0]}
    plain = GridSearchCV(GaussianNB(), grid, cv=FOLDS).fit(X, y)
    with joblib.parallel_config("multiprocessing", n_jobs=2):
        for options in ({}, {"ledger": tmp_path / "a.sqlite"}, {"max_time": 600}):
            search = ssc.StatisticalGridSearchCV(GaussianNB(), grid, cv=FOLDS, **options)
            assert_same_results(search.fit(X, y), plain)


@FEW
@pytest.mark.parametrize("backend", ["threading", pytest.param("loky", marks=pytest.mark.slow)])
def test_jobs_within_jobs(backend):
    def scores(n_jobs):
        search = ssc.StatisticalGridSearchCV(
            GaussianNB(), {"var_smoothing": [1e-9, 1.0]}, cv=3, n_jobs=n_jobs, test="samples"
        )
        return cross_val_score(search, X, y, cv=2, n_jobs=n_jobs)

    alone = scores(None)
    with joblib.parallel_config(backend):
        np.testing.assert_array_equal(scores(2), alone)
