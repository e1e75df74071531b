"""A search with a ledger: what is finished is not fitted again, and the results are the same."""

import json
import os
import signal
import sqlite3
import warnings
from collections import Counter
from typing import ClassVar

import numpy as np
import pytest
from joblib.externals.loky.process_executor import TerminatedWorkerError
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import make_moons
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

import sklearn_stats_compare
from sklearn_stats_compare import (
    RacingGridSearchCV,
    SimplestPossiblyBest,
    StatisticalGridSearchCV,
    StatisticalRandomizedSearchCV,
)
from sklearn_stats_compare.search.runs import _losses

# `os.kill` on Windows, which has no SIGKILL, ends a process at once for any signal.
KILL = getattr(signal, "SIGKILL", signal.SIGTERM)
X, y = make_moons(n_samples=60, noise=0.35, random_state=1)
CV = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
GRID = {"C": [0.1, 1, 10], "kernel": ["linear", "rbf"]}


class Counted(ClassifierMixin, BaseEstimator):
    """Remembers each fit, and does what it is told for some parameters."""

    fits: ClassVar[Counter] = Counter()

    def __init__(self, number=0, does="learn"):
        self.number = number
        self.does = does

    def fit(self, X, y):
        type(self).fits[self.number] += 1
        if self.does == "fail" or (self.does == "fail on some" and X[0, 0] > 0.5):
            raise ValueError("cannot learn")
        if self.does == "interrupt":
            raise KeyboardInterrupt
        if os.getpid() != PARENT and self.does == "die":
            os.kill(os.getpid(), KILL)
        if str(self.does).startswith("die once") and not os.path.exists(self.does.split(": ")[1]):
            with open(self.does.split(": ")[1], "x"):
                os.kill(os.getpid(), KILL)
        self.classes_ = np.unique(y)
        self.at_ = X[:, 0].mean() + self.number / 10
        return self

    def predict(self, X):
        return (X[:, 0] > self.at_).astype(int)


# Inherited by the workers.
PARENT = int(os.environ.setdefault("TEST_RESUME_PARENT", str(os.getpid())))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "search.sqlite"


@pytest.fixture(autouse=True)
def nothing_fitted():
    Counted.fits.clear()


def assert_same_results(one, other):
    assert list(one.cv_results_) == list(other.cv_results_)
    for name, values in one.cv_results_.items():
        if not name.endswith("_time"):
            np.testing.assert_array_equal(values, other.cv_results_[name], err_msg=name)


def counted(path, numbers=4, cv=CV, **arguments):
    grid = {"number": range(numbers)} if isinstance(numbers, int) else numbers
    arguments = {"refit": False, **arguments}
    return StatisticalGridSearchCV(Counted(), grid, cv=cv, ledger=path, **arguments)


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"scoring": "roc_auc", "return_train_score": True},
        {"scoring": ["accuracy", "roc_auc"], "refit": "roc_auc", "return_train_score": True},
        {"scoring": lambda e, X, y: {"a": e.score(X, y), "b": -1.0}, "refit": "a"},
        {"refit": SimplestPossiblyBest("C")},
        {"refit": False},
        {"cv": 3},
        {"ledger_block": 4},
        {"ledger_block": 100, "n_jobs": 2},
    ],
    ids=["plain", "train", "several", "callable", "rule", "no refit", "3", "block", "jobs"],
)
def test_the_results_are_grid_searchs_from_scratch_and_from_the_file(arguments, path):
    arguments = {"cv": CV, **arguments}
    plain = {name: value for name, value in arguments.items() if name != "ledger_block"}
    expected = StatisticalGridSearchCV(SVC(random_state=0), GRID, **plain).fit(X, y)
    for n_reused in (0, 6 * expected.n_splits_):
        found = StatisticalGridSearchCV(SVC(random_state=0), GRID, ledger=path, **arguments)
        found.fit(X, y)
        assert_same_results(found, expected)
        assert found.n_reused_ == n_reused
        assert found.n_splits_ == expected.n_splits_
        np.testing.assert_array_equal(found.n_test_, expected.n_test_)
        if arguments.get("refit", True):
            assert found.best_params_ == expected.best_params_
            assert found.best_score_ == expected.best_score_
            np.testing.assert_array_equal(found.predict(X), expected.predict(X))


def test_the_name_of_the_file_may_be_relative(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    counted("here: 100%?.sqlite").fit(X, y)
    assert [file.name for file in tmp_path.iterdir()] == ["here: 100%?.sqlite"]


@pytest.mark.usefixtures("unchecked")
def test_a_complete_ledger_costs_one_fit(path):
    counted(path).fit(X, y)
    Counted.fits.clear()
    again = counted(path).fit(X, y)
    assert Counted.fits == {0: 1}
    assert again.n_reused_ == 40


@pytest.mark.usefixtures("unchecked")
def test_a_search_that_is_interrupted_goes_on_where_it_was(path):
    grid = [{"number": [0, 1]}, {"number": [2], "does": ["interrupt"]}, {"number": [3]}]
    with pytest.raises(KeyboardInterrupt) as stopped:
        counted(path, grid, ledger_block=1).fit(X, y)
    assert "20 fits of this search are in its `ledger`" in stopped.value.__notes__[0]
    Counted.fits.clear()
    grid[1]["does"] = ["learn"]
    counted(path, grid).fit(X, y)
    assert Counted.fits == {2: 10, 3: 10}


def sizes_of_blocks(path):
    with sqlite3.connect(path) as db:
        bodies = db.execute("SELECT body FROM entries WHERE kind = 'block' ORDER BY id").fetchall()
    db.close()
    return [len(json.loads(body)["candidates"]) for (body,) in bodies]


def test_blocks_are_of_as_many_candidates_as_said(path):
    counted(path, 5, ledger_block=2).fit(X, y)
    assert sizes_of_blocks(path) == [2, 2, 1]


@pytest.mark.parametrize(("cv", "n_candidates"), [(CV, 1), (3, 2)])
def test_the_default_block_gives_each_worker_four_fits(cv, n_candidates, path):
    counted(path, 5, cv=cv).fit(X, y)  # ⌈4 · 1 worker / J⌉ candidates
    assert sizes_of_blocks(path)[0] == n_candidates


@pytest.mark.usefixtures("unchecked")
def test_candidates_that_are_added_later_reuse_what_is_there(path):
    counted(path, 3).fit(X, y)
    Counted.fits.clear()
    grown = counted(path, {"number": [4, 1, 0, 2]}).fit(X, y)
    assert Counted.fits == {4: 10}
    expected = counted(None, {"number": [4, 1, 0, 2]}).fit(X, y)
    assert_same_results(grown, expected)


@pytest.mark.usefixtures("unchecked")
def test_a_candidate_that_comes_twice_is_two(path):
    first = counted(path, {"number": [1, 2, 1]}).fit(X, y)
    assert Counted.fits == {1: 20, 2: 10}
    Counted.fits.clear()
    again = counted(path, {"number": [1, 2, 1]}).fit(X, y)
    assert Counted.fits == {1: 1}  # the one fit that is always made
    assert_same_results(again, first)


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
            found = counted(path, grid, retry_failed=False).fit(X, y)
        assert_same_results(found, expected)
        of_fits = [str(w.message) for w in record if w.category is FitFailedWarning]
        assert len(of_fits) == 1
        assert f"{n_failed} fits failed out of a total of 40" in of_fits[0]
        assert "cannot learn" in of_fits[0]
        assert "non-finite, those of 2 candidates: 2, 3" in str(record[-1].message)
    assert Counted.fits == {0: 11, 1: 10, 2: 10, 3: 10}
    assert found.comparison_.scores.missing.tolist() == [False, False, True, True]


def test_a_search_of_which_every_fit_fails_says_so_each_time(path):
    for _ in range(2):
        with pytest.raises(ValueError, match="All the 10 fits failed"):
            counted(path, {"does": ["fail"]}).fit(X, y)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning")
@pytest.mark.filterwarnings("ignore:One or more of the test scores are non-finite")
def test_where_all_that_was_left_fails_the_search_still_ends(path):
    with pytest.raises(KeyboardInterrupt):
        counted(path, [{"number": [0]}, {"number": [1], "does": ["interrupt"]}]).fit(X, y)
    found = counted(path, [{"number": [0]}, {"number": [1], "does": ["fail"]}]).fit(X, y)
    assert np.isnan(found.cv_results_["mean_test_score"]).tolist() == [False, True]


def bad_scores(estimator, X, y):
    if estimator.number == 1:
        return float("nan")
    if estimator.number == 2:
        return float("inf")
    if estimator.number == 3:
        raise ZeroDivisionError("no score")
    return estimator.score(X, y)


@pytest.mark.filterwarnings("ignore:Scoring failed")
@pytest.mark.filterwarnings("ignore:invalid value encountered")
@pytest.mark.filterwarnings("ignore:One or more of the test scores are non-finite")
@pytest.mark.parametrize("error_score", [np.nan, -1.0])
def test_scores_that_are_no_numbers_and_scorers_that_raise(error_score, path):
    arguments = {"scoring": bad_scores, "error_score": error_score, "refit": False, "cv": CV}
    expected = GridSearchCV(Counted(), {"number": range(4)}, **arguments).fit(X, y)
    for _ in range(2):
        own = {k: v for k, v in arguments.items() if k != "cv"} | {"retry_failed": False}
        found = counted(path, 4, **own).fit(X, y)
        assert_same_results(found, expected)


@pytest.mark.usefixtures("unchecked")
def test_a_failure_that_is_to_be_raised_is_and_what_came_before_is_kept(path):
    grid = [{"number": [0, 1]}, {"number": [2], "does": ["fail"]}]
    with pytest.raises(ValueError, match="cannot learn"):
        counted(path, grid, error_score="raise").fit(X, y)
    Counted.fits.clear()
    counted(path, {"number": [0, 1]}, error_score="raise").fit(X, y)
    assert Counted.fits == {0: 1}


@pytest.mark.parametrize("kind", [StatisticalGridSearchCV, RacingGridSearchCV])
@pytest.mark.parametrize("seed", [0, None])
def test_a_search_whose_worker_dies_goes_on_by_itself(kind, seed, path, tmp_path):
    does = [f"die once: {tmp_path / 'first'}", f"die once: {tmp_path / 'second'}"]
    grid = [{"number": [0, 1]}, {"number": [2, 3], "does": does}]
    cv = ShuffleSplit(10, test_size=0.3, random_state=seed)
    arguments = {"random_state": seed} if kind is RacingGridSearchCV else {}
    search = kind(Counted(), grid, cv=cv, refit=False, n_jobs=2, ledger=path, **arguments)
    with pytest.warns(UserWarning, match=r"A worker was lost \(TerminatedWorkerError\)") as record:
        search.fit(X, y)
    lost = [str(w.message) for w in record if "A worker was lost" in str(w.message)]
    assert 1 <= len(lost) <= 2
    again = clone(search).set_params(n_jobs=1).fit(X, y)  # all of it is in the file
    assert (
        again.n_reused_
        == np.isfinite([again.cv_results_[f"split{k}_test_score"] for k in range(10)]).sum()
    )
    assert_same_results(search, again)
    if seed == 0:
        assert_same_results(search, clone(search).set_params(ledger=None, n_jobs=1).fit(X, y))


def test_a_worker_that_dies_without_a_ledger_ends_the_search(tmp_path):
    grid = {"does": ["learn", f"die once: {tmp_path / 'dead'}"]}
    with pytest.raises(TerminatedWorkerError):
        RacingGridSearchCV(Counted(), grid, cv=CV, refit=False, n_jobs=2).fit(X, y)


@pytest.mark.filterwarnings("ignore:A worker was lost")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning")
@pytest.mark.filterwarnings("ignore:One or more of the test scores are non-finite")
@pytest.mark.parametrize("block", [1, 3])
def test_a_candidate_that_ends_its_worker_is_named_and_marked_failed(block, path):
    grid = [{"number": [0, 1]}, {"number": [2], "does": ["die"]}, {"number": [3]}]
    with pytest.warns(UserWarning, match=r"Candidate 2 \(does='die', number=2\) ended its worker"):
        found = counted(path, grid, n_jobs=2, ledger_block=block).fit(X, y)
    scores = found.cv_results_["mean_test_score"]
    assert np.isnan(scores).tolist() == [False, False, True, False]
    kept = counted(path, grid, retry_failed=False).fit(X, y)
    np.testing.assert_array_equal(kept.cv_results_["mean_test_score"], scores)
    with pytest.warns(UserWarning, match="10 fits that failed before will be repeated"):
        again = counted(path, grid).fit(X, y)  # in this process, which it leaves alone
    assert again.n_retried_ == 10
    assert_same_results(again, counted(None, grid).fit(X, y))


@pytest.mark.filterwarnings("ignore:A worker was lost")
def test_a_candidate_that_ends_its_worker_ends_the_search_where_errors_are_raised(path):
    grid = [{"number": [0, 1]}, {"number": [2], "does": ["die"]}, {"number": [3]}]
    with pytest.raises(TerminatedWorkerError) as died:
        counted(path, grid, n_jobs=2, error_score="raise").fit(X, y)
    assert "20 fits of this search are in its `ledger`" in "".join(died.value.__notes__)


@pytest.mark.filterwarnings("ignore:A worker was lost")
def test_where_no_worker_works_no_candidate_is_blamed(path, monkeypatch):
    monkeypatch.setattr(_losses, "_workers_work", lambda n_jobs: False)
    with pytest.raises(TerminatedWorkerError):
        counted(path, {"does": ["learn", "die"]}, n_jobs=2).fit(X, y)


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
    def fit(X=X, y=y, estimator=SVC(random_state=0), cv=CV, **arguments):  # noqa: B008
        grid = {"random_state": [0]}
        StatisticalGridSearchCV(estimator, grid, cv=cv, ledger=path, **arguments).fit(X, y)

    fit()
    before = path.read_bytes()
    with pytest.raises(ValueError, match=f"`ledger` must belong to this search.*{expected}"):
        fit(**change)
    assert path.read_bytes() == before


@pytest.mark.parametrize("module", ["sklearn", "numpy", "scipy"])
def test_another_version_is_refused_unless_it_is_accepted(module, path, monkeypatch):
    first = counted(path).fit(X, y)
    monkeypatch.setattr(f"{module}.__version__", "99.0")
    with pytest.raises(ValueError, match=r"differs in [a-z-]* [0-9.]* → 99\.0\. .*ledger_strict"):
        counted(path).fit(X, y)
    with pytest.warns(UserWarning, match="→ 99.0. Its scores are kept, because `ledger_str"):
        again = counted(path, ledger_strict=False).fit(X, y)
    assert again.n_reused_ == 40
    assert_same_results(again, first)


def test_a_scorer_that_was_edited_is_another(path):
    def edited(value):
        return lambda estimator, X, y: value

    counted(path, scoring=edited(1)).fit(X, y)
    with pytest.raises(ValueError, match=r"`value` in `.*<lambda>` \(1 there, 2 here\)"):
        counted(path, scoring=edited(2)).fit(X, y)


def test_what_cannot_be_known_again_is_refused_by_name(path):
    with pytest.raises(ValueError, match="`scoring` must be picklable, so that the ledger"):
        counted(path, scoring={"a": (n for n in [1])}).fit(X, y)
    assert not path.exists()


def test_bad_parameters_are_refused_before_there_is_a_file(path):
    for bad in ({"ledger": 3}, {"ledger_block": 0}, {"alpha": 2}):
        with pytest.raises(ValueError, match=f"The '{next(iter(bad))}' parameter"):
            counted(path).set_params(**bad).fit(X, y)
    assert not path.exists()


class Nested(Counted):
    def fit(self, X, y):
        if self.number == 1:
            counted(self.does).fit(X, y)
        return super().fit(X, y)


def test_two_searches_on_one_file(path):
    search = StatisticalGridSearchCV(
        Nested(does=path), {"number": range(2)}, cv=CV, ledger=path, error_score="raise"
    )
    with pytest.raises(RuntimeError, match="used by one search at a time"):
        search.fit(X, y)


@pytest.mark.parametrize(
    "cv",
    [
        KFold(5, shuffle=True),
        ShuffleSplit(4),
        StratifiedKFold(5, shuffle=True, random_state=np.random.RandomState(0)),
    ],
)
@pytest.mark.usefixtures("unchecked")
def test_splits_that_do_not_repeat_are_replayed(cv, path):
    first = counted(path, 2, cv=cv).fit(X, y)
    Counted.fits.clear()
    again = counted(path, 3, cv=cv).fit(X, y)
    assert Counted.fits == {2: first.n_splits_}
    for k in range(first.n_splits_):
        split = f"split{k}_test_score"
        np.testing.assert_array_equal(again.cv_results_[split][:2], first.cv_results_[split])
    np.testing.assert_array_equal(again.n_test_, first.n_test_)


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


class Masks:
    """Draws masks of samples, other ones each time."""

    def get_n_splits(self, X=None, y=None, groups=None):
        return 3

    def split(self, X, y=None, groups=None):
        for _ in range(3):
            test = np.zeros(len(X), dtype=bool)
            test[np.random.default_rng().permutation(len(X))[:20]] = True
            yield ~test, test


def test_masks_that_do_not_repeat_are_replayed(path):
    first = counted(path, 1, cv=Masks()).fit(X, y)
    again = counted(path, 1, cv=Masks()).fit(X, y)
    assert again.n_reused_ == 3
    np.testing.assert_array_equal(again.n_train_, [40] * 3)
    np.testing.assert_array_equal(again.n_test_, first.n_test_)


@pytest.mark.usefixtures("unchecked")
def test_a_list_and_a_generator_of_splits_are_known_again(path):
    splits = list(KFold(4, shuffle=True, random_state=3).split(X))
    counted(path, 2, cv=splits).fit(X, y)
    Counted.fits.clear()
    counted(path, 3, cv=(split for split in splits)).fit(X, y)
    assert Counted.fits == {2: 4}


@pytest.mark.usefixtures("unchecked")
def test_a_split_that_comes_twice_is_two(path):
    splits = list(KFold(4).split(X)) * 2
    counted(path, 2, cv=splits).fit(X, y)
    Counted.fits.clear()
    assert counted(path, 2, cv=splits).fit(X, y).n_reused_ == 16
    assert Counted.fits == {0: 1}


@pytest.mark.usefixtures("unchecked")
def test_groups_belong_to_the_data(path):
    groups = np.arange(60) % 6
    search = counted(path, 2, cv=GroupKFold(3))
    search.fit(X, y, groups=groups)
    Counted.fits.clear()
    search.fit(X, y, groups=groups)
    assert Counted.fits == {0: 1}
    assert search.fit(X, y, groups=groups[::-1]).n_reused_ == 0


@pytest.mark.usefixtures("unchecked")
def test_a_seeded_randomized_search_goes_on_where_it_was(path):
    search = StatisticalRandomizedSearchCV(
        Counted(), {"number": range(30)}, n_iter=3, cv=CV, random_state=1, refit=False
    )
    expected = dict(search.fit(X, y).cv_results_)
    search.set_params(ledger=path).fit(X, y)
    Counted.fits.clear()
    again = search.set_params(n_iter=4).fit(X, y)  # the first three are the same
    assert again.n_reused_ == 30
    assert list(Counted.fits.values()) == [10]
    np.testing.assert_array_equal(
        again.cv_results_["mean_test_score"][:3], expected["mean_test_score"]
    )


@pytest.mark.parametrize("kind", ["grid", "randomized"])
@pytest.mark.parametrize("seed", [0, None])
def test_a_race_goes_on_where_it_was(kind, seed, path):
    ours = {"grid": "RacingGridSearchCV", "randomized": "RacingRandomizedSearchCV"}[kind]
    grid = {"C": np.logspace(-3, 3, 7).tolist()}
    arguments = {"cv": CV, "random_state": 0 if kind == "randomized" else seed, "ledger": path}
    if kind == "randomized":
        arguments["n_iter"] = 7
    race = getattr(sklearn_stats_compare, ours)(SVC(random_state=0), grid, **arguments)
    first = race.fit(X, y)
    expected, order = dict(first.cv_results_), first.race_order_
    again = race.fit(X, y)
    assert again.n_reused_ == again.n_fits_
    np.testing.assert_array_equal(again.race_order_, order)
    for name, values in expected.items():
        if not name.endswith("_time"):
            np.testing.assert_array_equal(again.cv_results_[name], values)


@pytest.mark.usefixtures("unchecked")
def test_a_race_in_the_file_of_a_whole_search_shows_only_what_it_asked_for(path):
    numbers = {"number": [0, 1, 2, 30, 40, 50]}
    counted(path, numbers).fit(X, y)
    Counted.fits.clear()
    # Looks at samples would need values that the file does not have.
    arguments = {"cv": CV, "random_state": 0, "refit": False, "look": "splits"}
    race = RacingGridSearchCV(Counted(), numbers, ledger=path, **arguments).fit(X, y)
    assert sum(Counted.fits.values()) == 5  # one candidate on one block of splits
    alone = RacingGridSearchCV(Counted(), numbers, **arguments).fit(X, y)
    assert alone.n_fits_ < alone.n_fits_full_
    assert_same_results(race, alone)


def by_chance(estimator, X, y):
    return np.random.default_rng().random()


def test_a_search_that_is_not_deterministic_warns(path):
    search = counted(path, 2, scoring=by_chance)
    first = dict(search.fit(X, y).cv_results_)
    with pytest.warns(UserWarning, match="the scores of candidate [01], fitted again, differ"):
        search.fit(X, y)
    np.testing.assert_array_equal(search.cv_results_["split0_test_score"],
                                  first["split0_test_score"])  # fmt: skip


FOREST = ExtraTreesClassifier(n_estimators=2, max_features=1, max_depth=1)


@pytest.mark.parametrize(
    ("estimator", "grid", "n_warnings"),
    [
        (FOREST, {"min_samples_leaf": [1, 2]}, 1),
        (clone(FOREST).set_params(random_state=0), {"max_depth": [1]}, 0),
        (FOREST, {"random_state": [0, 1]}, 0),
        (LogisticRegression(), {"C": [1]}, 0),  # lbfgs draws nothing
        (SVC(), {"C": [1]}, 0),
        (Counted(), {"number": [1]}, 0),
        (Pipeline([("model", SVC())]), {"model": [FOREST]}, 1),
    ],
)
def test_an_estimator_that_draws_numbers_warns_once(estimator, grid, n_warnings, path):
    arguments = {"cv": CV, "ledger": path, "refit": False, "scoring": "neg_log_loss"}
    if isinstance(estimator, SVC | Counted):  # these give no probabilities
        del arguments["scoring"]
    search = StatisticalGridSearchCV(estimator, grid, **arguments)
    with warnings.catch_warnings(record=True) as record:
        warnings.simplefilter("always")
        search.fit(X, y)
    messages = [str(w.message) for w in record if "random_state" in str(w.message)]
    assert len(messages) == n_warnings
    assert all("its `cv_results_` may differ" in text for text in messages)


def test_a_randomized_search_without_a_seed_warns(path):
    search = StatisticalRandomizedSearchCV(
        Counted(), {"number": range(30)}, n_iter=2, cv=CV, ledger=path, refit=False
    )
    with pytest.warns(UserWarning, match="a restart draws other candidates"):
        search.fit(X, y)


@pytest.mark.skipif(not os.path.exists("/proc/self"), reason="root can write to other folders")
def test_a_file_that_cannot_be_made_is_an_error_before_anything_is_fitted():
    with pytest.raises(OSError, match=r"`ledger` must be a file that can be read and written"):
        counted("/proc/self/l.sqlite").fit(X, y)
    assert not Counted.fits


def test_a_search_by_a_subclass_that_finds_its_own_candidates_is_refused(path):
    class Own(StatisticalGridSearchCV):
        def _run_search(self, evaluate_candidates, **context):
            evaluate_candidates([{"number": 1}])

    with pytest.raises(ValueError, match="must be None if a subclass overrides"):
        Own(Counted(), {}, cv=CV, ledger=path).fit(X, y)
