"""A fit of ours stands what a fit of GridSearchCV stands."""

import copy
import itertools
import os
import subprocess
import sys
import threading
import warnings

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import make_moons
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    RepeatedStratifiedKFold,
    cross_val_score,
)
from sklearn.svm import SVC

from sklearn_stats_compare import RacingGridSearchCV, StatisticalGridSearchCV, ledger_status
from sklearn_stats_compare.search.ledger import Ledger, _keys
from sklearn_stats_compare.search.runs._block_run import BlockRun

X, y = make_moons(n_samples=60, noise=0.35, random_state=1)
CV = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
GRID = {"C": [0.1, 1, 10]}


class Fails(ClassifierMixin, BaseEstimator):
    """Fails where a file is missing, and can be told to have a bad repr."""

    def __init__(self, number=0, unless="", how="fit"):
        self.number = number
        self.unless = unless
        self.how = how

    def fit(self, X, y):
        if self.how == "fit" and self.number == 1 and not os.path.exists(self.unless):
            raise MemoryError("for the moment")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        if self.how == "score" and self.number == 1 and not os.path.exists(self.unless):
            raise MemoryError("for the moment")
        return (X[:, 0] > self.number / 10).astype(int)


class NoRepr(Fails):
    def __repr__(self):
        raise RuntimeError("no repr")


@pytest.mark.parametrize("kind", [StatisticalGridSearchCV, RacingGridSearchCV])
@pytest.mark.parametrize("saved", [False, True])
def test_threads_can_fit_one_search_and_clone_it_meanwhile(kind, saved, tmp_path):
    if saved and kind is RacingGridSearchCV:
        pytest.skip("one is enough")
    arguments = {"random_state": 0} if kind is RacingGridSearchCV else {}
    search = kind(SVC(random_state=0), GRID, cv=CV, refit=False, **arguments)
    expected = clone(search).fit(X, y).cv_results_["mean_test_score"]
    if saved:
        search.set_params(ledger=tmp_path / "search.sqlite")
    problems = []
    done = threading.Event()

    def fit():
        try:
            for _ in range(3):
                search.fit(X, y)
        except RuntimeError as error:  # one at a time may use the file
            if "in use" not in str(error):
                problems.append(error)
        except Exception as error:
            problems.append(error)

    def look():
        while not done.is_set():
            if clone(search).cv is not search.cv and repr(clone(search).cv) != repr(CV):
                problems.append(search.cv)

    threads = [threading.Thread(target=fit) for _ in range(4)]
    looker = threading.Thread(target=look)
    for thread in [*threads, looker]:
        thread.start()
    for thread in threads:
        thread.join()
    done.set()
    looker.join()
    assert not problems
    assert search.cv is CV
    np.testing.assert_array_equal(search.cv_results_["mean_test_score"], expected)


def test_parameters_are_the_users_during_a_fit(monkeypatch, tmp_path):
    search = StatisticalGridSearchCV(SVC(), GRID, cv=CV, ledger=tmp_path / "search.sqlite")
    seen = []
    run = BlockRun._fit

    def watched(self, rows, columns):
        seen.append((search.cv, sorted(vars(search))))
        return run(self, rows, columns)

    monkeypatch.setattr(BlockRun, "_fit", watched)
    search.fit(X, y)
    assert len(seen) == 3
    own = set(search.get_params(deep=False))
    assert all(cv is CV and set(names) == own for cv, names in seen)


def test_a_fit_without_a_ledger_hashes_no_data_and_asks_for_no_repr(monkeypatch):
    sizes = []
    hashed = _keys.hashed

    def watched(thing):
        sizes.append(np.size(thing[0]) if isinstance(thing, tuple) else np.size(thing))
        return hashed(thing)

    monkeypatch.setattr(_keys, "hashed", watched)
    many = np.asfortranarray(np.random.default_rng(0).normal(size=(20_000, 3)))
    splits = [(np.arange(50), np.arange(50, 80)), (np.arange(50, 80), np.arange(50))]
    labels = (many[:, 0] > 0).astype(int)
    search = StatisticalGridSearchCV(NoRepr(), {"number": [0, 2]}, cv=splits, refit=False)
    search.fit(many, labels)
    assert max(sizes) <= 64 * 3
    other = many.copy()
    other[:, 1] += 1
    with pytest.raises(ValueError, match="they differ in the data"):
        search.extend(other, labels, cv=[(np.arange(100, 150), np.arange(150, 180))])
    search.extend(many, labels, cv=[(np.arange(100, 150), np.arange(150, 180))])
    assert search.n_splits_ == 3


def test_settings_that_cannot_be_pickled_are_the_same_if_they_are_the_same_objects():
    scoring = {"a": SVC.score, "b": lambda e, X, y, lock=threading.Lock(): e.score(X, y)}  # noqa: B008
    search = StatisticalGridSearchCV(SVC(), GRID, cv=CV, scoring=scoring, refit=False).fit(X, y)
    search.extend(X, y, n_repeats=1)
    assert search.n_splits_ == 15


class OneShot:
    """A splitter that cannot be copied: it holds a generator."""

    def __init__(self):
        self.splits = KFold(3).split(X)

    def get_n_splits(self, X=None, y=None, groups=None):
        return 3

    def split(self, X, y=None, groups=None):
        return list(KFold(3).split(X))


def test_a_splitter_that_cannot_be_copied_is_refused_in_words(tmp_path):
    search = StatisticalGridSearchCV(SVC(), GRID, cv=OneShot(), refit=False)
    search.fit(X, y)
    with pytest.raises(ValueError, match="`cv` must be picklable, so that the ledger can recogni"):
        search.set_params(ledger=tmp_path / "search.sqlite").fit(X, y)


@pytest.mark.parametrize("saved", [False, True])
def test_all_failed_fits_are_counted(saved, tmp_path):
    cls = StatisticalGridSearchCV if saved else RacingGridSearchCV
    arguments = {"ledger": tmp_path / "search.sqlite"} if saved else {}
    search = cls(Fails(number=1), {"unless": ["/nix", "/no", "/none"]}, cv=CV, **arguments)
    with pytest.raises(ValueError, match=r"All the 30 fits failed(.|\n)*for the moment"):
        search.fit(X, y)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning")
@pytest.mark.filterwarnings("ignore:One or more of the test scores are non-finite")
@pytest.mark.filterwarnings("ignore:Scoring failed")
@pytest.mark.parametrize("how", ["fit", "score"])
def test_a_passing_failure_is_not_kept_for_good(how, tmp_path):
    mended = tmp_path / "mended"
    search = StatisticalGridSearchCV(
        Fails(unless=str(mended), how=how), {"number": [0, 1]}, cv=CV, refit=False,
        ledger=tmp_path / "search.sqlite",
    )  # fmt: skip
    first = copy.copy(search).fit(X, y)
    assert np.isnan(first.cv_results_["mean_test_score"]).tolist() == [False, True]
    assert ledger_status(search.ledger).n_failed == 10  # a NaN counts, as in `n_retried_`
    mended.touch()
    with pytest.warns(UserWarning, match="10 fits that failed before will be repeated") as record:
        again = search.fit(X, y)
    assert len(record) == 1
    assert (again.n_reused_, again.n_retried_) == (10, 10)
    assert np.isfinite(again.cv_results_["mean_test_score"]).all()
    assert ledger_status(search.ledger).n_failed == 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert search.fit(X, y).n_retried_ == 0


def changed_scores(change, path, **arguments):
    """A search on a ledger whose scores were changed, as if other code had made them."""
    model = SVC(random_state=0)
    search = StatisticalGridSearchCV(model, GRID, cv=CV, refit=False, ledger=path, **arguments)
    fill = Ledger.fill
    with pytest.MonkeyPatch.context() as patched:

        def other(self, rows, columns, outcomes):
            for outcome in outcomes:
                outcome["test_scores"] = change(outcome["test_scores"])
            fill(self, rows, columns, outcomes)

        patched.setattr(Ledger, "fill", other)
        clone(search).fit(X, y)
    return search


def test_stored_scores_that_the_same_fits_do_not_have_are_refused(tmp_path):
    path = tmp_path / "search.sqlite"
    search = changed_scores(lambda score: score - 0.01, path)
    before = path.read_bytes()
    with pytest.raises(
        ValueError, match=r"candidate \d \(C=.*\) on split \d has score = 0\."
    ) as no:
        search.fit(X, y)
    assert "`ledger` must belong to this search" in str(no.value)
    assert path.read_bytes() == before
    with pytest.warns(UserWarning, match="They are kept, because `ledger_strict` is False"):
        kept = search.set_params(ledger_strict=False).fit(X, y)
    assert kept.n_reused_ == 30


def test_stored_scores_may_differ_by_rounding(tmp_path):
    search = changed_scores(lambda score: score * (1 + 1e-12), tmp_path / "search.sqlite")
    assert search.fit(X, y).n_reused_ == 30


def test_one_start_of_many_with_other_code_is_found(tmp_path):
    """Of each start of the search a cell is fitted again, as far as three allow."""
    path = tmp_path / "search.sqlite"
    search = changed_scores(lambda score: score - 0.01, path)
    with pytest.warns(UserWarning, match="They are kept"):
        clone(search).set_params(param_grid={"C": [0.1, 1, 10, 20, 30]}, ledger_strict=False).fit(
            X, y
        )
    for _ in range(5):
        with pytest.raises(ValueError, match=r"candidate [012] "):
            clone(search).set_params(param_grid={"C": [0.1, 1, 10, 20, 30]}).fit(X, y)


def test_a_ledger_inside_of_a_cross_validation_has_a_section_for_each_fold(tmp_path):
    path = tmp_path / "search.sqlite"
    search = StatisticalGridSearchCV(SVC(random_state=0), GRID, cv=3)
    expected = cross_val_score(search, X, y, cv=4)
    for _ in range(2):
        found = cross_val_score(clone(search).set_params(ledger=path), X, y, cv=4)
        np.testing.assert_array_equal(found, expected)
    status = ledger_status(path)
    assert (status.n_data, status.n_done) == (4, 9)
    assert "finished, the last of 4 data sets" in str(status)


def test_a_relative_path_is_fixed_at_the_first_fit(tmp_path, monkeypatch):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "one")
    search = StatisticalGridSearchCV(SVC(), GRID, cv=CV, ledger="search.sqlite").fit(X, y)
    monkeypatch.chdir(tmp_path / "two")
    search.extend(X, y, n_repeats=1)
    assert search.fit(X, y).n_reused_ == 30
    assert not list((tmp_path / "two").iterdir())
    assert not [name for name in search.__getstate__() if name.startswith("_ledger")]


def test_an_interrupted_first_fit_fixes_a_relative_path_too(tmp_path, monkeypatch):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "one")
    grid = {"number": [0, 3]}
    search = StatisticalGridSearchCV(
        Stops(how="stop"), grid, cv=[(range(30), range(30, 60))] * 10, ledger="search.sqlite"
    )
    with pytest.raises(KeyboardInterrupt):
        search.fit(X, y)
    assert not hasattr(search, "comparison_")
    monkeypatch.chdir(tmp_path / "two")
    assert search.set_params(param_grid={"number": [0]}).fit(X, y).n_reused_ == 10
    assert not list((tmp_path / "two").iterdir())
    assert clone(search).fit(X, y).n_reused_ == 0
    assert [file.name for file in (tmp_path / "two").iterdir()] == ["search.sqlite"]


class Stops(Fails):
    """Does something to the ledger after some fits, or stops."""

    def fit(self, X, y):
        if self.number == 2 and self.how == "delete":
            os.unlink(self.unless)
        if self.number == 3 and self.how in ("delete", "stop"):
            raise KeyboardInterrupt
        return super().fit(X, y)


@pytest.mark.parametrize(("how", "n_safe"), [("stop", "30 fits"), ("delete", "0 fits")])
def test_the_note_on_an_interrupt_states_how_much_is_safe(how, n_safe, tmp_path):
    path = tmp_path / "search.sqlite"
    grid = {"number": [0, 2, 4, 3]} if how == "stop" else {"number": [0, 4, 5, 2, 3]}
    search = StatisticalGridSearchCV(
        Stops(unless=str(path), how=how), grid, cv=[(range(30), range(30, 60))] * 10, ledger=path,
        refit=False,
    )  # fmt: skip
    with warnings.catch_warnings(record=True) as record:
        warnings.simplefilter("always")
        with pytest.raises((KeyboardInterrupt, FileNotFoundError)) as stopped:
            search.set_params(error_score="raise").fit(X, y)
    assert f"{n_safe} of this search are in its `ledger`" in stopped.value.__notes__[0]
    gone = [w for w in record if "it was deleted, moved or replaced" in str(w.message)]
    assert len(gone) <= 1


READER = """
import sys
from sklearn_stats_compare import ledger_status
for _ in range(40):
    print(ledger_status(sys.argv[1]).n_done, flush=True)
"""


class Slow(Fails):
    def fit(self, X, y):
        import time

        time.sleep(0.005)
        return super().fit(X, y)


def test_others_can_read_while_a_search_writes(tmp_path):
    path = tmp_path / "search.sqlite"
    search = StatisticalGridSearchCV(Slow(), {"number": range(2, 100)}, cv=CV, ledger=path)
    thread = threading.Thread(target=search.fit, args=(X, y))
    thread.start()
    while not path.exists() or not ledger_status(path).n_done:
        pass
    now = ledger_status(path)
    assert now.running
    assert (now.n_candidates, now.n_splits, now.finished) == (98, 10, False)
    assert now.rate > 0
    assert now.time_left > 0
    assert " left" in str(now)
    reader = subprocess.run([sys.executable, "-c", READER, path], capture_output=True, text=True)
    assert not reader.stderr
    counts = list(map(int, reader.stdout.split()))
    assert counts == sorted(counts)
    thread.join()
    end = ledger_status(path)
    assert (end.n_done, end.n_failed, end.running, end.finished) == (980, 0, False, True)
    assert end.time_left == 0


def test_the_status_of_what_is_no_ledger_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError, match="`path` must be a ledger that exists"):
        ledger_status(tmp_path / "nix.sqlite")
    (tmp_path / "text").write_text("text" * 100)
    with pytest.raises(ValueError, match="must be a file that a search wrote"):
        ledger_status(tmp_path / "text")
    (tmp_path / "empty").touch()
    assert ledger_status(tmp_path / "empty").n_fits == 0


def test_frames_of_several_kinds_are_outlined():
    frame = pd.DataFrame({"a": X[:, 0], "b": X[:, 1]})
    search = StatisticalGridSearchCV(SVC(), GRID, cv=CV, refit=False).fit(frame, y)
    search.extend(frame.copy(), y.copy(), n_repeats=1)
    for other in (frame.astype(np.float32), frame[["b", "a"]], frame.iloc[::-1]):
        with pytest.raises(ValueError, match="differ in the data"):
            search.extend(other, y, n_repeats=1)


def test_the_results_are_those_of_grid_search_whoever_fits():
    ours = StatisticalGridSearchCV(SVC(), GRID, cv=CV).fit(X, y)
    theirs = GridSearchCV(SVC(), GRID, cv=CV).fit(X, y)
    assert set(vars(theirs)) - set(vars(ours)) == set()


COUNT = itertools.count()
GENERATOR = np.random.default_rng(0)


def counting_score(estimator, X, y):
    next(COUNT)
    return estimator.score(X, y) + 0 * GENERATOR.random()


def test_values_that_fits_change_do_not_count_afterwards(tmp_path):
    """In a nested cross-validation, and in a notebook where a cell is run again."""
    path = tmp_path / "search.sqlite"
    search = StatisticalGridSearchCV(
        SVC(random_state=0), GRID, cv=CV, scoring=counting_score, ledger=path, error_score="raise"
    )
    assert np.isfinite(cross_val_score(search, X, y, cv=2, error_score="raise")).all()
    search.fit(X, y).extend(X, y, n_repeats=1)
    assert search.fit(X, y).n_reused_ == 30


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_a_ledger_of_an_unseeded_estimator_in_a_parallel_config(backend, tmp_path):
    """joblib shares one backend in such a context, and a second `Parallel` would end it."""
    search = StatisticalGridSearchCV(
        SVC(), {"C": list(range(1, 12))}, cv=3, ledger=tmp_path / "search.sqlite", ledger_block=4
    )
    with joblib.parallel_config(backend, n_jobs=2):
        search.fit(X, y)
        assert search.fit(X, y).n_reused_ == 33
        search.extend(X, y, cv=[(np.arange(40), np.arange(40, 60))])


class Own(StatisticalGridSearchCV):
    def fit(self, X, y=None, **params):
        self.columns_in_ = X.shape[1]
        return super().fit(X, y, **params)


def test_attributes_of_the_user_stay():
    search = Own(SVC(), GRID, cv=CV, refit=False)
    search.note_, search.n_scored = "mine", 0

    def scoring(estimator, X, y):
        search.n_scored += 1
        return estimator.score(X, y)

    search.set_params(scoring=scoring)
    for n in (30, 60):
        search.fit(X, y)
        assert (search.note_, search.columns_in_, search.n_scored) == ("mine", 2, n)
    assert not hasattr(search.extend(X, y, n_repeats=1), "extension_stop_")
    assert search.extend(X, y, until="decided", max_fits=1000).extension_stop_
    assert not hasattr(search.fit(X, y), "extension_stop_")


class WithCode:
    """A splitter without a seed, whose code can be changed."""

    def get_n_splits(self, X=None, y=None, groups=None):
        return 2

    def split(self, X, y=None, groups=None):
        for _ in range(2):
            shuffled = np.random.default_rng().permutation(60)
            yield shuffled[:30], shuffled[30:]


def test_splits_of_a_splitter_that_was_edited_are_not_replayed(tmp_path, monkeypatch):
    path = tmp_path / "search.sqlite"
    search = StatisticalGridSearchCV(SVC(random_state=0), GRID, cv=WithCode(), ledger=path)
    search.fit(X, y)
    assert search.fit(X, y).n_reused_ == 6

    def split(self, X, y=None, groups=None):
        yield from [(np.arange(40), np.arange(40, 60))] * 2

    monkeypatch.setattr(WithCode, "split", split)
    with pytest.raises(ValueError, match="splits that are not the 2 of this `cv`"):
        search.fit(X, y)


def test_the_status_counts_the_splits_of_the_last_start(tmp_path):
    path = tmp_path / "search.sqlite"
    search = StatisticalGridSearchCV(SVC(random_state=0), GRID, cv=CV, ledger=path)
    search.fit(X, y).extend(X, y, n_repeats=1)
    assert ledger_status(path).n_done == ledger_status(path).n_fits == 45
    search.fit(X, y)
    assert ledger_status(path).n_done == ledger_status(path).n_fits == 30


KINDS = {
    "plain": lambda tmp_path, **how: StatisticalGridSearchCV(SVC(), **how),
    "ledger": lambda tmp_path, **how: StatisticalGridSearchCV(
        SVC(random_state=0), ledger=tmp_path / "search.sqlite", **how
    ),
    "race": lambda tmp_path, **how: RacingGridSearchCV(SVC(), random_state=0, **how),
}


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize("grid", [[], {}], ids=["no grid", "no parameters"])
def test_without_candidates_it_is_scikit_learns_error(kind, grid, tmp_path):
    search = kind(tmp_path, param_grid=grid, cv=CV)
    if grid == {}:
        assert len(search.fit(X, y).cv_results_["params"]) == 1
        return
    with pytest.raises(ValueError, match="No fits were performed"):
        search.fit(X, y)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize(
    ("score", "expected"),
    [
        ({}, "`scoring` must return at least one score; got {}"),
        (1j, "`scoring` must return real numbers; got 1j"),
        ({"a": 1j}, "`scoring` must return real numbers; got 1j"),
        (None, "scoring must return a number"),
        ([1.0], "scoring must return a number"),
    ],
)
def test_scorers_that_return_no_scores_are_refused(kind, score, expected, tmp_path):
    search = kind(
        tmp_path, param_grid=GRID, cv=CV, scoring=lambda estimator, X, y: score, refit=False
    )
    if kind is KINDS["plain"] and score == {}:
        assert "mean_test_score" not in search.fit(X, y).cv_results_  # as in GridSearchCV
        return
    with pytest.raises(ValueError, match=expected):
        search.fit(X, y)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_a_scorer_must_return_the_same_metrics_each_time(kind, tmp_path):
    names = itertools.count()
    search = kind(
        tmp_path, param_grid=GRID, cv=CV, refit=False, race_metric="m0",
        scoring=lambda estimator, X, y: {f"m{next(names)}": 1.0},
    ) if kind is KINDS["race"] else kind(
        tmp_path, param_grid=GRID, cv=CV, refit=False,
        scoring=lambda estimator, X, y: {f"m{next(names)}": 1.0},
    )  # fmt: skip
    with pytest.raises(ValueError, match="`scoring` must return the same metrics for every fit; '"):
        search.fit(X, y)


def test_what_a_subclass_keeps_in_slots_is_there_during_a_fit():
    class Slotted(StatisticalGridSearchCV):
        __slots__ = ("mine",)

        def _format_results(self, *arguments):
            seen.append(self.mine)
            return super()._format_results(*arguments)

    seen = []
    search = Slotted(SVC(), GRID, cv=CV)
    search.mine = 7
    search.fit(X, y)
    assert seen == [7]
    assert search.mine == 7
