"""A search with a ledger: what is finished is not fitted again, and the results are the same."""

import os
import time
import warnings
from concurrent.futures import CancelledError

import numpy as np
import pandas as pd
import pytest
from counted import CV, Counted, X, assert_same_results, counted, y
from joblib import parallel_config
from joblib.externals.loky.process_executor import TerminatedWorkerError
from quick import Votes
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
)
from sklearn.pipeline import Pipeline
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import sklearn_stats_compare as ssc
from sklearn_stats_compare.search.ledger import _saving
from sklearn_stats_compare.search.ledger._file import LedgerFile
from sklearn_stats_compare.search.runs import _run

failures_are_expected = pytest.mark.filterwarnings(
    "ignore::sklearn.exceptions.FitFailedWarning",
    "ignore:One or more of the test scores are non-finite",
)


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"scoring": "roc_auc", "return_train_score": True},
        {"scoring": ["accuracy", "roc_auc"], "refit": "roc_auc", "return_train_score": True},
        {"scoring": lambda e, X, y: {"a": e.score(X, y), "b": -1.0}, "refit": "a"},
        {"refit": ssc.Simplest("gamma")},
        {"refit": False},
        {"cv": 3},
        {"n_jobs": 2},
    ],
    ids=["plain", "train", "several", "callable", "rule", "no refit", "3", "jobs"],
)
def test_the_results_are_grid_searchs_from_scratch_and_from_the_file(arguments, path):
    grid = [{"gamma": [0.1], "power": [1]}, {"gamma": [10], "power": [2]}]
    arguments = {"cv": CV, **arguments}
    expected = ssc.StatisticalGridSearchCV(Votes(), grid, **arguments).fit(X, y)
    for n_reused in (0, 2 * expected.n_splits_):
        found = ssc.StatisticalGridSearchCV(Votes(), grid, ledger=path, **arguments)
        found.fit(X, y)
        assert_same_results(found, expected)
        assert found.n_reused_ == n_reused
        assert found.n_splits_ == expected.n_splits_
        np.testing.assert_array_equal(found.n_test_, expected.n_test_)
        if arguments.get("refit", True):
            assert found.best_params_ == expected.best_params_
            assert found.best_score_ == expected.best_score_
            np.testing.assert_array_equal(found.predict(X), expected.predict(X))


SPLITS = list(KFold(4, shuffle=True, random_state=3).split(X))


@pytest.mark.usefixtures("unchecked")
@pytest.mark.parametrize(
    ("first", "then", "fits"),
    [
        ({}, {}, {}),
        ({"numbers": 3}, {"numbers": {"number": [4, 1, 0, 2]}}, {4: 10}),
        ({"numbers": {"number": [1, 2, 1]}}, {"numbers": {"number": [1, 2, 1]}}, {}),
        ({"numbers": 2, "cv": SPLITS}, {"numbers": 3, "cv": (s for s in SPLITS)}, {2: 4}),
        ({"numbers": 2, "cv": SPLITS * 2}, {"numbers": 2, "cv": SPLITS * 2}, {}),
    ],
    ids=["complete", "more candidates", "a candidate twice", "a generator", "splits twice"],
)
def test_only_what_the_file_lacks_is_fitted(first, then, fits, path):
    before = counted(path, **first).fit(X, y)
    n_splits, n_candidates = before.n_splits_, len(before.cv_results_["params"])
    numbers = [params["number"] for params in before.cv_results_["params"]]
    assert Counted.fits == {number: numbers.count(number) * n_splits for number in numbers}
    Counted.fits.clear()
    again = counted(path, **then).fit(X, y)
    assert Counted.fits == fits
    assert again.n_reused_ == n_candidates * n_splits
    if not isinstance(then.get("cv", CV), list | RepeatedStratifiedKFold):
        then = {**then, "cv": SPLITS}  # a generator is used up
    assert_same_results(again, counted(None, **then).fit(X, y))


@pytest.mark.usefixtures("unchecked")
def test_a_search_that_is_interrupted_goes_on_where_it_was(path):
    grid = [{"number": [0, 1]}, {"number": [2], "does": ["interrupt"]}, {"number": [3]}]
    with pytest.raises(KeyboardInterrupt) as stopped:
        counted(path, grid).fit(X, y)
    assert "20 fits of this search are in its `ledger`" in stopped.value.__notes__[0]
    Counted.fits.clear()
    grid[1]["does"] = ["learn"]
    counted(path, grid).fit(X, y)
    assert Counted.fits == {2: 10, 3: 10}


@pytest.mark.parametrize(("pause", "sizes"), [(0.0, [1] * 40), (600.0, [1, 39])])
def test_outcomes_that_end_one_after_the_other_are_saved_together(pause, sizes, path, monkeypatch):
    monkeypatch.setattr(_saving, "_PAUSE", pause)
    monkeypatch.setattr(_saving, "_LATEST", 600.0)
    save, found = LedgerFile.save, []
    monkeypatch.setattr(
        LedgerFile, "save", lambda self, of: found.append(len(of)) or save(self, of)
    )
    counted(path).fit(X, y)
    assert found == sizes


class WaitsForTheFile(Counted):
    """Waits, as candidate 1, until the file has all fits of candidate 0."""

    def fit(self, X, y):
        end = time.monotonic() + 600
        # No `assert`, which pytest rewrites: a ledger must be able to read this code.
        first = self.number == 1 and not self.fits[1]  # to read a file in use takes half a second
        while first and ssc.Ledger(self.does).status().n_done < 10:
            if time.monotonic() > end:
                raise TimeoutError
        return super().fit(X, y)


@pytest.mark.usefixtures("unchecked")
def test_an_outcome_is_saved_though_no_other_comes(path, monkeypatch):
    monkeypatch.setattr(_saving, "_PAUSE", 600.0)
    search = counted(path, 2, error_score="raise")
    search.set_params(estimator=WaitsForTheFile(does=path)).fit(X, y)
    assert ssc.Ledger(path).status().n_done == 20


@pytest.mark.usefixtures("unchecked")
def test_failures_are_kept_as_such(path):
    grid = [{"number": [0, 1]}, {"number": [2], "does": ["fail"]},
            {"number": [3], "does": ["fail on some"]}]  # fmt: skip
    with pytest.warns() as told_by_sklearn:
        expected = GridSearchCV(Counted(), grid, cv=CV, refit=False).fit(X, y)
    failed = [w for w in told_by_sklearn if w.category is FitFailedWarning]
    n_failed = str(failed[0].message).split()[0]
    Counted.fits.clear()
    for _ in range(2):
        with pytest.warns() as record:
            found = counted(ssc.Ledger(path, retry_failed=False), grid).fit(X, y)
        assert_same_results(found, expected)
        of_fits = [str(w.message) for w in record if w.category is FitFailedWarning]
        assert len(of_fits) == 1
        assert f"{n_failed} fits failed out of a total of 40" in of_fits[0]
        assert "cannot learn" in of_fits[0]
        assert "test scores are non-finite: [" in str(record[-1].message)
    assert Counted.fits == {0: 10, 1: 10, 2: 10, 3: 10}
    assert found.comparison_.scores.missing.tolist() == [False, False, True, True]


@pytest.mark.parametrize("saved", [False, True])
def test_a_search_of_which_every_fit_fails_says_so_each_time(saved, path):
    grid = {"does": ["fail"], "number": [1, 2, 3]}
    search = counted(path, grid) if saved else ssc.RacingGridSearchCV(Counted(), grid, cv=CV)
    for _ in range(2):
        with pytest.raises(ValueError, match=r"All the 30 fits failed(.|\n)*cannot learn"):
            search.fit(X, y)


@failures_are_expected
def test_where_all_that_was_left_fails_the_search_still_ends(path):
    with pytest.raises(KeyboardInterrupt):
        counted(path, [{"number": [0]}, {"number": [1], "does": ["interrupt"]}]).fit(X, y)
    found = counted(path, [{"number": [0]}, {"number": [1], "does": ["fail"]}]).fit(X, y)
    assert np.isnan(found.cv_results_["mean_test_score"]).tolist() == [False, True]


def bad_scores(estimator, X, y):
    if estimator.number == 3:
        raise ZeroDivisionError("no score")
    return {1: float("nan"), 2: float("inf")}.get(estimator.number, estimator.score(X, y))


@pytest.mark.filterwarnings("ignore:Scoring failed")
@pytest.mark.filterwarnings("ignore:invalid value encountered")
@pytest.mark.filterwarnings("ignore:One or more of the test scores are non-finite")
@pytest.mark.parametrize("error_score", [np.nan, -1.0])
def test_scores_that_are_no_numbers_and_scorers_that_raise(error_score, path):
    arguments = {"scoring": bad_scores, "error_score": error_score, "refit": False}
    expected = GridSearchCV(Counted(), {"number": range(4)}, cv=CV, **arguments).fit(X, y)
    for _ in range(2):
        found = counted(ssc.Ledger(path, retry_failed=False), 4, **arguments).fit(X, y)
        assert_same_results(found, expected)


@pytest.mark.usefixtures("unchecked")
def test_a_failure_that_is_to_be_raised_is_and_what_came_before_is_kept(path):
    grid = [{"number": [0, 1]}, {"number": [2], "does": ["fail"]}]
    with pytest.raises(ValueError, match="cannot learn"):
        counted(path, grid, error_score="raise").fit(X, y)
    Counted.fits.clear()
    counted(path, {"number": [0, 1]}, error_score="raise").fit(X, y)
    assert not Counted.fits


@pytest.mark.parametrize(
    ("kind", "seed"),
    [
        pytest.param(ssc.StatisticalGridSearchCV, 0, marks=pytest.mark.slow),
        pytest.param(ssc.StatisticalGridSearchCV, None, marks=pytest.mark.slow),
        (ssc.RacingGridSearchCV, 0),
        pytest.param(ssc.RacingGridSearchCV, None, marks=pytest.mark.slow),
    ],
)
def test_a_search_whose_worker_dies_goes_on_by_itself(kind, seed, path, tmp_path):
    grid = [{"number": [0, 1]}, {"number": [2, 3], "does": [f"die once: {tmp_path / 'dead'}"]}]
    cv = ShuffleSplit(10, test_size=0.3, random_state=seed)
    arguments = {"random_state": seed} if kind is ssc.RacingGridSearchCV else {}
    search = kind(Counted(), grid, cv=cv, refit=False, n_jobs=2, ledger=path, **arguments)
    with pytest.warns(UserWarning, match=r"A worker was lost \(TerminatedWorkerError\)") as record:
        search.fit(X, y)
    assert sum("A worker was lost" in str(w.message) for w in record) == 1
    again = clone(search).set_params(n_jobs=1).fit(X, y)  # all of it is in the file
    scores = [again.cv_results_[f"split{k}_test_score"] for k in range(10)]
    assert again.n_reused_ == np.isfinite(scores).sum()
    assert_same_results(search, again)
    if seed == 0:
        assert_same_results(search, clone(search).set_params(ledger=None, n_jobs=1).fit(X, y))


@pytest.mark.slow
def test_a_worker_that_dies_without_a_ledger_ends_the_search(tmp_path):
    grid = {"does": ["learn", f"die once: {tmp_path / 'dead'}"]}
    with pytest.raises(TerminatedWorkerError):
        ssc.RacingGridSearchCV(Counted(), grid, cv=CV, refit=False, n_jobs=2).fit(X, y)


DEADLY = [{"number": [0, 1]}, {"number": [2], "does": ["die"]}, {"number": [3]}]
GUILTY = r"Candidate 2 \(does='die', number=2\) ended its worker"


@pytest.mark.filterwarnings("ignore:A worker was lost")
@failures_are_expected
@pytest.mark.slow  # by default fits are lost without a process, below
@pytest.mark.parametrize("n_jobs", [2, 3])
def test_a_candidate_that_ends_its_worker_is_named_and_marked_failed(n_jobs, path):
    with pytest.warns(UserWarning, match=GUILTY):
        found = counted(path, DEADLY, n_jobs=n_jobs).fit(X, y)
    scores = found.cv_results_["mean_test_score"]
    assert np.isnan(scores).tolist() == [False, False, True, False]
    kept = counted(ssc.Ledger(path, retry_failed=False), DEADLY).fit(X, y)
    np.testing.assert_array_equal(kept.cv_results_["mean_test_score"], scores)
    with pytest.warns(UserWarning, match="10 fits that failed before will be repeated"):
        again = counted(path, DEADLY).fit(X, y)  # in this process, which it leaves alone
    assert again.n_retried_ == 10
    assert_same_results(again, counted(None, DEADLY).fit(X, y))


class KilledWorker(Exception):  # noqa: N818
    """As dask calls it, which need not be installed."""


@pytest.fixture
def losing(monkeypatch):
    """Fits of candidate 2 are lost, as if their worker had died, which takes seconds."""
    fit = _run.fit_and_score

    def set_error(error):
        def fit_or_lose(*arguments, **keywords):
            if keywords["parameters"]["number"] == 2:
                raise error("lost")
            return fit(*arguments, **keywords)

        monkeypatch.setattr(_run, "fit_and_score", fit_or_lose)

    return set_error


@pytest.mark.filterwarnings("ignore:A worker was lost")
@failures_are_expected
@pytest.mark.parametrize("error", [TerminatedWorkerError, CancelledError, KilledWorker])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_the_guilty_is_found_after_few_losses_of_any_kind(n_jobs, error, losing, path):
    losing(error)
    with (
        parallel_config("threading", n_jobs=n_jobs),
        pytest.warns(UserWarning, match=GUILTY) as record,
    ):
        found = counted(path, DEADLY).fit(X, y)
    said = [str(w.message) for w in record]
    lost = [text for text in said if f"A worker was lost ({error.__name__})" in text]
    # Twice among others, once alone; the second time alone it is given up. With several workers
    # another of its fits may be the first to be lost.
    assert len(lost) == 3 if n_jobs == 1 else 3 <= len(lost) <= 5
    assert sum("ended its worker twice" in text for text in said) == 1
    assert np.isnan(found.cv_results_["mean_test_score"]).tolist() == [False, False, True, False]
    assert ssc.Ledger(path).status().n_failed == 10


@pytest.mark.usefixtures("unchecked")
@pytest.mark.filterwarnings("ignore:A worker was lost")
@failures_are_expected
def test_a_candidate_that_is_given_up_is_kept_as_failed_and_no_other_is_fitted_again(losing, path):
    losing(TerminatedWorkerError)
    with pytest.warns(UserWarning, match=GUILTY):
        found = counted(path, DEADLY).fit(X, y)
    # With one worker no fit but the guilty candidate's is under way in a loss.
    assert Counted.fits == {0: 10, 1: 10, 3: 10}
    kept = counted(ssc.Ledger(path, retry_failed=False), DEADLY).fit(X, y)
    assert_same_results(kept, found)


@pytest.mark.filterwarnings("ignore:A worker was lost")
@pytest.mark.parametrize("n_jobs", [None, pytest.param(2, marks=pytest.mark.slow)])
def test_a_candidate_that_ends_its_worker_ends_the_search_where_errors_are_raised(
    n_jobs, losing, path
):
    if n_jobs is None:
        losing(TerminatedWorkerError)
    with pytest.raises(TerminatedWorkerError) as died:
        counted(path, DEADLY, n_jobs=n_jobs, error_score="raise").fit(X, y)
    # Two workers may lose the last fits of candidate 1 with the first of candidate 2.
    n_saved = 20 if n_jobs is None else ssc.Ledger(path).status().n_done
    assert f"{n_saved} fits of this search are in its `ledger`" in "".join(died.value.__notes__)


@pytest.mark.filterwarnings("ignore:A worker was lost")
def test_where_no_worker_works_no_candidate_is_blamed(losing, path, monkeypatch):
    losing(TerminatedWorkerError)
    monkeypatch.setattr(_run, "_workers_work", lambda n_jobs: False)
    with pytest.raises(TerminatedWorkerError):
        counted(path, DEADLY).fit(X, y)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"estimator": DecisionTreeClassifier(random_state=0)}, r"`estimator` \(SVC.*Decision"),
        ({"estimator": SVC(gamma=2, random_state=0)}, r"`estimator` \(SVC.*gamma=2"),
        ({"scoring": "roc_auc"}, r"`scoring` \(None there, 'roc_auc' here\)"),
        ({"error_score": 0}, r"`error_score` \(nan there, 0 here\)"),
        ({"return_train_score": True}, r"`return_train_score` \(False there, True here\)"),
        ({"cv": StratifiedKFold(5)}, "10 splits that are not the 5 of this `cv`"),
        ({"cv": RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=1)}, "not the 10"),
        ({"cv": list(KFold(2).split(X))}, "not the 2"),
    ],
)
def test_the_file_of_another_search_is_refused(change, expected, path):
    def fit(estimator=SVC(random_state=0), cv=CV, **arguments):  # noqa: B008
        grid = {"random_state": [0]}
        ssc.StatisticalGridSearchCV(estimator, grid, cv=cv, ledger=path, **arguments).fit(X, y)

    fit()
    before = path.read_bytes()
    with pytest.raises(ValueError, match=f"`ledger` must belong to this search.*{expected}") as no:
        fit(**change)
    assert "search.sqlite" in str(no.value) or "cv" in change
    assert path.read_bytes() == before


@pytest.mark.parametrize("module", ["sklearn", "numpy", "scipy"])
def test_another_version_is_refused_unless_it_is_accepted(module, path, monkeypatch):
    first = counted(path).fit(X, y)
    monkeypatch.setattr(f"{module}.__version__", "99.0")
    with pytest.raises(ValueError, match=r"differs in [a-z-]* [0-9.]* → 99\.0\. .*strict=False"):
        counted(path).fit(X, y)
    with pytest.warns(UserWarning, match="→ 99.0. Its scores are kept, because `strict` is False"):
        again = counted(ssc.Ledger(path, strict=False)).fit(X, y)
    assert again.n_reused_ == 40
    assert_same_results(again, first)


def test_a_scorer_that_was_edited_is_another(path):
    def edited(value):
        return lambda estimator, X, y: value

    counted(path, scoring=edited(1)).fit(X, y)
    with pytest.raises(ValueError, match=r"`value` in `.*<lambda>` \(1 there, 2 here\)"):
        counted(path, scoring=edited(2)).fit(X, y)


def test_variables_with_the_names_of_attributes_are_not_used(path):
    def scorer(estimator, X, y):
        return np.mean(estimator.predict(X) == y)

    counted(path, scoring=scorer).fit(X, y)
    scorer.__globals__["mean"] = 0.5  # as a notebook may call its results
    try:
        assert counted(path, scoring=scorer).fit(X, y).n_reused_ > 0
    finally:
        del scorer.__globals__["mean"]


HOLDS_A_GENERATOR = KFold(3)
HOLDS_A_GENERATOR.splits = (n for n in range(3))


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"scoring": {"a": (n for n in [1])}}, "`scoring` must be picklable, so .*genera"),
        ({"cv": HOLDS_A_GENERATOR}, "`cv` must be picklable, so that the ledger can recogni"),
        ({"X": pd.DataFrame({"a": X[:, 0], "b": [(n for n in range(3)) for _ in y]})},
         r"`X`, column 'b', must be picklable, so that the ledger"),
        ({"alpha": 2}, "The 'alpha' parameter"),
    ],
)  # fmt: skip
def test_what_cannot_be_known_again_and_bad_parameters_are_refused_by_name(change, expected, path):
    data = change.get("X", X)
    with pytest.raises(ValueError, match=expected):
        counted(path, **{k: v for k, v in change.items() if k != "X"}).fit(data, y)
    assert not path.exists() or "cv" in change  # which is looked at last
    with pytest.raises(ValueError, match="The 'ledger' parameter"):
        counted(3).fit(X, y)


class Masks:
    """Draws masks of samples, other ones each time."""

    def get_n_splits(self, X=None, y=None, groups=None):
        return 3

    def split(self, X, y=None, groups=None):
        for _ in range(3):
            test = np.zeros(len(X), dtype=bool)
            test[np.random.default_rng().permutation(len(X))[:20]] = True
            yield ~test, test


@pytest.mark.parametrize(
    "cv",
    [
        KFold(5, shuffle=True),
        ShuffleSplit(4),
        StratifiedKFold(5, shuffle=True, random_state=np.random.RandomState(0)),
        Masks(),
    ],
)
@pytest.mark.usefixtures("unchecked")
def test_splits_that_do_not_repeat_are_replayed(cv, path):
    first = counted(path, 2, cv=cv).fit(X, y)
    Counted.fits.clear()
    again = counted(path, 3, cv=cv).fit(X, y)
    assert Counted.fits == {2: first.n_splits_}
    assert again.n_reused_ == 2 * first.n_splits_
    for k in range(first.n_splits_):
        split = f"split{k}_test_score"
        np.testing.assert_array_equal(again.cv_results_[split][:2], first.cv_results_[split])
    np.testing.assert_array_equal(again.n_test_, first.n_test_)
    np.testing.assert_array_equal(again.n_train_, 60 - first.n_test_)


@pytest.mark.parametrize(
    "other", [KFold(4, shuffle=True), ShuffleSplit(5), StratifiedKFold(5, shuffle=True), KFold(5)]
)
def test_splits_that_are_drawn_otherwise_are_not_replaced_by_those_of_the_file(other, path):
    counted(path, 1, cv=KFold(5, shuffle=True)).fit(X, y)
    with pytest.raises(ValueError, match="the file has 5 splits that are not the"):
        counted(path, 1, cv=other).fit(X, y)


def test_further_splits_that_are_drawn_otherwise_are_taken(path):
    def fitted():
        return counted(path, 1, cv=KFold(5)).fit(X, y)

    first = fitted().extend(X, y, cv=ShuffleSplit(5, test_size=0.2))
    assert first.n_test_.tolist() == [12] * 10
    second = fitted().extend(X, y, cv=ShuffleSplit(7, test_size=13))
    assert second.n_test_.tolist() == [12] * 5 + [13] * 7


@pytest.mark.usefixtures("unchecked")
def test_groups_belong_to_the_data(path):
    groups = np.arange(60) % 6
    search = counted(path, 2, cv=GroupKFold(3))
    search.fit(X, y, groups=groups)
    Counted.fits.clear()
    search.fit(X, y, groups=groups)
    assert not Counted.fits
    assert search.fit(X, y, groups=groups[::-1]).n_reused_ == 0


@pytest.mark.parametrize(
    ("kind", "arguments"),
    [
        (ssc.RacingGridSearchCV, {"random_state": 0}),
        (ssc.RacingGridSearchCV, {"random_state": None}),
        (ssc.RacingRandomizedSearchCV, {"random_state": 0, "n_iter": 7}),
    ],
)
def test_a_race_goes_on_where_it_was(kind, arguments, path):
    grid = {"C": np.logspace(-3, 3, 7).tolist()}
    race = kind(SVC(random_state=0), grid, cv=CV, ledger=path, **arguments)
    first = clone(race).fit(X, y)
    again = race.fit(X, y)
    assert again.n_reused_ == again.n_fits_
    np.testing.assert_array_equal(again.race_order_, first.race_order_)
    assert_same_results(again, first)


def test_a_search_that_is_not_deterministic_warns(path):
    search = counted(path, 2, scoring=lambda estimator, X, y: np.random.default_rng().random())
    first = clone(search).fit(X, y).cv_results_
    with pytest.warns(UserWarning, match="the scores of candidate [01], fitted again, differ"):
        again = search.fit(X, y).cv_results_
    np.testing.assert_array_equal(again["split0_test_score"], first["split0_test_score"])


FOREST = ExtraTreesClassifier(n_estimators=2, max_features=1, max_depth=1)
DRAWS = "its `cv_results_` may differ"


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_fits_that_draw_without_a_seed_are_no_change_that_cannot_be_seen(path, n_jobs):
    search = ssc.StatisticalGridSearchCV(
        FOREST, {"max_depth": [1, 2]}, cv=CV, scoring="neg_log_loss", ledger=path, n_jobs=n_jobs
    )
    with pytest.warns(UserWarning, match=DRAWS):
        first = clone(search).fit(X, y)
    with pytest.warns(UserWarning, match="fitted again, differ from those in the `ledger`"):
        again = search.fit(X, y)
    assert_same_results(again, first)


@pytest.mark.parametrize(
    ("estimator", "grid", "expected"),
    [
        (FOREST, {"min_samples_leaf": [1, 2]}, [DRAWS]),
        (clone(FOREST).set_params(random_state=0), {"max_depth": [1]}, []),
        (FOREST, {"random_state": [0, 1]}, []),
        (LogisticRegression(), {"C": [1]}, []),  # lbfgs draws nothing
        (SVC(), {"C": [1]}, []),
        (Counted(), {"number": [1]}, []),
        (Pipeline([("model", SVC())]), {"model": [FOREST]}, [DRAWS]),
        # The name of the file is the seed.
        (Counted(), {"n_iter": 2, "number": range(30)}, []),
    ],
)
def test_what_draws_numbers_without_a_seed_warns_once(estimator, grid, expected, path):
    arguments = {"cv": CV, "ledger": path, "refit": False, "scoring": "neg_log_loss"}
    if isinstance(estimator, SVC | Counted):  # these give no probabilities
        del arguments["scoring"]
    if "n_iter" in grid:
        drawn = {name: values for name, values in grid.items() if name != "n_iter"}
        search = ssc.StatisticalRandomizedSearchCV(estimator, drawn, n_iter=2, **arguments)
    else:
        search = ssc.StatisticalGridSearchCV(estimator, grid, **arguments)
    with warnings.catch_warnings(record=True) as record:
        warnings.simplefilter("always")
        search.fit(X, y)
    messages = [str(w.message) for w in record if "random_state" in str(w.message)]
    assert all(words in text for words, text in zip(expected, messages, strict=True))


@pytest.mark.usefixtures("unchecked")
@pytest.mark.skipif(not os.path.exists("/proc/self"), reason="root can write to other folders")
def test_a_file_that_cannot_be_made_is_an_error_before_anything_is_fitted():
    with pytest.raises(OSError, match=r"`ledger` must be a file that can be read and written; 'l"):
        counted("/proc/self/l.sqlite").fit(X, y)
    assert not Counted.fits


def test_a_search_by_a_subclass_that_finds_its_own_candidates_is_refused(path):
    class Own(ssc.StatisticalGridSearchCV):
        def _run_search(self, evaluate_candidates, **context):
            evaluate_candidates([{"number": 1}])

    for plan in ({"ledger": path}, {"max_time": 10}):
        with pytest.raises(ValueError, match="`ledger` and `max_time` must be None if a sub"):
            Own(Counted(), {}, cv=CV, **plan).fit(X, y)


class Busy(DummyClassifier):
    """Cannot predict while the machine is short of memory."""

    def predict(self, X):
        if os.environ.get("SHORT_OF_MEMORY"):
            raise MemoryError
        return super().predict(X)


@pytest.mark.filterwarnings("ignore:Scoring failed")
@pytest.mark.filterwarnings("ignore:One or more of the test scores are non-finite")
@pytest.mark.parametrize("error_score", [np.nan, 0.0])
def test_scoring_that_failed_is_repeated_whatever_score_stands_for_it(error_score, path, tmp_path):
    options = {"cv": 10, "scoring": "accuracy", "error_score": error_score}
    grid = {"strategy": ["most_frequent", "prior"]}

    def search():
        return ssc.StatisticalGridSearchCV(Busy(), grid, ledger=path, **options).fit(X, y)

    def models():
        return ssc.cross_validate_models(
            {"a": Busy(), "b": DummyClassifier()}, X, y, ledger=tmp_path / "models", **options
        )

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SHORT_OF_MEMORY", "1")
        search()
        models()
    with pytest.warns(UserWarning, match="20 fits that failed before will be repeated"):
        again = search()
    assert again.n_retried_ == 20
    assert again.cv_results_["mean_test_score"].min() > 0.4
    assert models().scores.means.min() > 0.4
