"""A fit of ours stands what a fit of GridSearchCV stands."""

import contextlib
import copy
import itertools
import json
import multiprocessing
import os
import threading
import time
import warnings

import joblib
import numpy as np
import pytest
from counted import CV, X, y
from quick import Votes
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler

from sklearn_stats_compare import Ledger, RacingGridSearchCV, StatisticalGridSearchCV
from sklearn_stats_compare.search.ledger import _fingerprint
from sklearn_stats_compare.search.ledger._ledger import Outcomes

GRID = {"gamma": [0.1, 1, 10]}


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


@pytest.mark.parametrize(
    ("kind", "saved"),
    [
        pytest.param(StatisticalGridSearchCV, False, marks=pytest.mark.slow),
        (StatisticalGridSearchCV, True),
        pytest.param(RacingGridSearchCV, False, marks=pytest.mark.slow),
    ],
)
def test_threads_can_fit_one_search_and_clone_it_meanwhile(kind, saved, path):
    arguments = {"random_state": 0} if kind is RacingGridSearchCV else {}
    search = kind(Votes(), GRID, cv=CV, refit=False, **arguments)
    expected = clone(search).fit(X, y).cv_results_["mean_test_score"]
    if saved:
        search.set_params(ledger=path)
    problems = []
    done = threading.Event()

    def fit():
        try:
            for _ in range(2):
                search.fit(X, y)
        except RuntimeError as error:  # one at a time may use the file
            if "in use" not in str(error):
                problems.append(error)
        except Exception as error:
            problems.append(error)

    def look():
        while not done.wait(0.001):
            if clone(search).cv is not search.cv and repr(clone(search).cv) != repr(CV):
                problems.append(search.cv)

    threads = [threading.Thread(target=fit) for _ in range(3)]
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


def test_a_fit_without_a_ledger_hashes_no_data_and_asks_for_no_repr(monkeypatch):
    sizes = []
    hashed = _fingerprint.hashed

    def watched(thing):
        sizes.append(np.size(thing[0]) if isinstance(thing, tuple) else np.size(thing))
        return hashed(thing)

    monkeypatch.setattr(_fingerprint, "hashed", watched)
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
    scoring = {"a": Votes.score, "b": lambda e, X, y, lock=threading.Lock(): e.score(X, y)}  # noqa: B008
    search = StatisticalGridSearchCV(Votes(), GRID, cv=CV, scoring=scoring, refit=False).fit(X, y)
    search.extend(X, y, n_repeats=1)
    assert search.n_splits_ == 15


@pytest.mark.filterwarnings(
    "ignore::sklearn.exceptions.FitFailedWarning",
    "ignore:One or more of the test scores are non-finite",
    "ignore:Scoring failed",
)
@pytest.mark.parametrize("how", ["fit", "score"])
def test_a_passing_failure_is_not_kept_for_good(how, path, tmp_path):
    mended = tmp_path / "mended"
    model = Fails(unless=str(mended), how=how)
    search = StatisticalGridSearchCV(model, {"number": [0, 1]}, cv=CV, refit=False, ledger=path)
    first = copy.copy(search).fit(X, y)
    assert np.isnan(first.cv_results_["mean_test_score"]).tolist() == [False, True]
    assert Ledger(search.ledger).status().n_failed == 10  # a NaN counts, as in `n_retried_`
    mended.touch()
    with pytest.warns(UserWarning, match="10 fits that failed before will be repeated") as record:
        again = search.fit(X, y)
    assert len(record) == 1
    assert (again.n_reused_, again.n_retried_) == (10, 10)
    assert np.isfinite(again.cv_results_["mean_test_score"]).all()
    assert Ledger(search.ledger).status().n_failed == 0
    assert search.fit(X, y).n_retried_ == 0


def changed_scores(change, path, **arguments):
    """A search on a ledger whose scores were changed, as if other code had made them."""
    model = Votes()
    search = StatisticalGridSearchCV(model, GRID, cv=CV, refit=False, ledger=path, **arguments)
    enter = Outcomes.enter
    with pytest.MonkeyPatch.context() as patched:

        def other(self, cell, outcome):
            enter(self, cell, {**outcome, "test_scores": change(outcome["test_scores"])})

        patched.setattr(Outcomes, "enter", other)
        clone(search).fit(X, y)
    return search


def test_stored_scores_that_the_same_fits_do_not_have_are_refused(path):
    search = changed_scores(lambda score: score - 0.01, path)
    before = path.read_bytes()
    differs = r"candidate \d \(gamma=.*\) on split \d has score = 0\."
    with pytest.raises(ValueError, match=differs) as no:
        search.fit(X, y)
    assert "`ledger` must belong to this search" in str(no.value)
    assert path.read_bytes() == before
    with pytest.warns(UserWarning, match="They are kept, because `strict` is False"):
        kept = search.set_params(ledger=Ledger(path, strict=False)).fit(X, y)
    assert kept.n_reused_ == 30
    path.unlink()
    by_rounding = changed_scores(lambda score: score * (1 + 1e-12), path)
    assert by_rounding.fit(X, y).n_reused_ == 30


def tiny(estimator, X, y):
    return 2.0**-40 * (estimator.score(X, y) - 1.5)


def test_a_change_is_seen_in_a_small_unit(path):
    search = changed_scores(lambda score: 1.1 * score, path, scoring=tiny)
    with pytest.raises(ValueError, match=r"on split \d has score = -\d.*e-1\d"):
        search.fit(X, y)


def test_one_start_of_many_with_other_code_is_found(path):
    """Of each start of the search a cell is fitted again, as far as three allow."""
    search = changed_scores(lambda score: score - 0.01, path)
    search.set_params(param_grid={"gamma": [0.1, 1, 10, 20, 30]})
    with pytest.warns(UserWarning, match="They are kept"):
        clone(search).set_params(ledger=Ledger(path, strict=False)).fit(X, y)
    for _ in range(5):
        with pytest.raises(ValueError, match=r"candidate [012] "):
            clone(search).fit(X, y)


def test_a_ledger_inside_of_a_cross_validation_has_a_section_for_each_fold(path):
    search = StatisticalGridSearchCV(Votes(), GRID, cv=3)
    expected = cross_val_score(search, X, y, cv=4)
    for _ in range(2):
        found = cross_val_score(clone(search).set_params(ledger=path), X, y, cv=4)
        np.testing.assert_array_equal(found, expected)
    status = Ledger(path).status()
    assert (status.n_data, status.n_done) == (4, 9)
    assert "finished, the last of 4 data sets" in str(status)


@pytest.mark.parametrize("interrupted", [False, True])
def test_a_relative_path_is_fixed_at_the_first_fit(interrupted, tmp_path, monkeypatch):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "one")
    grid = {"number": [0, 3] if interrupted else [0]}
    ledger = "here: 100%?.sqlite"
    search = StatisticalGridSearchCV(Stops(how="stop"), grid, cv=CV, ledger=ledger)
    if interrupted:
        with pytest.raises(KeyboardInterrupt):
            search.fit(X, y)
        assert not hasattr(search, "comparison_")
        search.set_params(param_grid={"number": [0]})
    else:
        search.fit(X, y)
    assert [file.name for file in (tmp_path / "one").iterdir()] == [ledger]
    monkeypatch.chdir(tmp_path / "two")
    if not interrupted:
        search.extend(X, y, n_repeats=1)
    assert search.fit(X, y).n_reused_ == 10
    assert not list((tmp_path / "two").iterdir())
    assert not [name for name in search.__getstate__() if name.startswith("_ledger")]
    assert clone(search).fit(X, y).n_reused_ == 0
    assert [file.name for file in (tmp_path / "two").iterdir()] == [ledger]


class Stops(Fails):
    """Does something to the ledger after some fits, or stops."""

    def fit(self, X, y):
        if self.number == 2 and self.how == "delete":
            os.unlink(self.unless)
        if self.number == 2 and self.how == "rename" and os.path.exists(self.unless):
            os.rename(self.unless, f"{self.unless}.moved")
        if self.number == 2 and self.how == "truncate":
            os.truncate(self.unless, 2048)
        if self.number == 3 and self.how in ("delete", "stop"):
            raise KeyboardInterrupt
        return super().fit(X, y)


def test_the_note_on_an_interrupt_states_how_much_is_safe(path):
    search = StatisticalGridSearchCV(
        Stops(unless=str(path), how="delete"), {"number": [0, 4, 5, 2, 3]},
        cv=[(range(30), range(30, 60))] * 10, ledger=path, refit=False, error_score="raise",
    )  # fmt: skip
    with warnings.catch_warnings(record=True) as record:
        warnings.simplefilter("always")
        with pytest.raises((KeyboardInterrupt, FileNotFoundError)) as stopped:
            search.fit(X, y)
    assert stopped.value.__notes__ == [
        "How many fits of this search are in its `ledger` is not known: it was deleted, moved or "
        "replaced."
    ]
    gone = [w for w in record if "it was deleted, moved or replaced" in str(w.message)]
    assert len(gone) <= 1


@pytest.mark.parametrize("how", ["rename", "truncate"])
def test_a_search_goes_on_when_its_file_is_spoilt_meanwhile(how, path):
    grid = {"number": [0, 1, 4, 5, 2, 6]}
    search = StatisticalGridSearchCV(Stops(unless=str(path), how=how), grid, cv=5, ledger=path)
    with warnings.catch_warnings(record=True) as record:
        warnings.simplefilter("always")
        search.fit(X, y)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    (said,) = {str(w.message) for w in record if "no longer saved" in str(w.message)}
    assert "How many fits of this search it has is not known" in said


def test_a_ledger_that_candidates_of_another_search_would_share(path):
    inner = StatisticalGridSearchCV(Votes(), {"gamma": [0.1, 1.0]}, cv=3, ledger=path)
    refused = r"`ledger` must be None in a search that is a candidate .* it sets estimator__gamma\."
    outer = GridSearchCV(inner, {"estimator__gamma": [0.1, 1.0]}, cv=2)
    with pytest.raises(ValueError, match=refused):
        outer.fit(X, y)
    piped = GridSearchCV(
        make_pipeline(inner), {f"{type(inner).__name__.lower()}__estimator__gamma": [0.1]}, cv=2
    )
    with pytest.raises(ValueError, match="`ledger` must be None in a search that is a candidate"):
        piped.fit(X, y)
    assert not path.exists()
    # Without parameters, and with a file for each candidate, it is as ever.
    cross_val_score(inner, X, y, cv=2)
    files = [path.with_name("a.sqlite"), path.with_name("b.sqlite")]
    GridSearchCV(inner, {"ledger": files}, cv=2, refit=False).fit(X, y)
    assert all(file.exists() for file in (path, *files))


IS_READ = threading.Event()


def read_until_finished(path, answers):
    """In another process: say again and again how many fits are done."""
    warnings.simplefilter("error")
    status = None
    while status is None or not status.finished:
        status = Ledger(path).status()
        answers.send(status.n_done)


class Waits(Fails):
    """Goes on after its first candidates when another process reads the ledger."""

    def fit(self, X, y):
        if self.number >= 4:
            IS_READ.wait(600)
        return super().fit(X, y)


def test_others_can_read_while_a_search_writes(path):
    IS_READ.clear()
    search = StatisticalGridSearchCV(Waits(), {"number": range(2, 14)}, cv=CV, ledger=path)
    thread = threading.Thread(target=search.fit, args=(X, y))
    thread.start()
    try:
        while not path.exists() or not (now := Ledger(path).status()).n_done:
            time.sleep(0.01)
        assert now.running
        assert (now.n_candidates, now.n_splits, now.finished) == (12, 10, False)
        assert now.rate > 0
        assert now.time_left > 0
        assert " left" in str(now)
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["sklearn_stats_compare"])
        answers, theirs = context.Pipe(duplex=False)
        reader = context.Process(target=read_until_finished, args=(path, theirs))
        reader.start()
        theirs.close()  # so that the end of the other process is the end of its answers
        assert answers.poll(600)
        counts = [answers.recv()]
    finally:
        IS_READ.set()
        thread.join()
    with contextlib.suppress(EOFError):
        while answers.poll(600):
            counts.append(answers.recv())
    reader.join(600)
    assert reader.exitcode == 0
    assert counts == sorted(counts)
    assert counts[0] <= 20 < counts[-1] == 120
    end = Ledger(path).status()
    assert (end.n_done, end.n_failed, end.running, end.finished) == (120, 0, False, True)
    assert end.time_left == 0


def test_the_status_of_what_is_no_ledger_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError, match="`path` must be a ledger that exists"):
        Ledger(tmp_path / "nix.sqlite").status()
    (tmp_path / "text").write_text("text" * 100)
    with pytest.raises(ValueError, match="must be a file that a search wrote"):
        Ledger(tmp_path / "text").status()
    (tmp_path / "empty").touch()
    assert Ledger(tmp_path / "empty").status().n_fits == 0


COUNT = itertools.count()
GENERATOR = np.random.default_rng(0)


def counting_score(estimator, X, y):
    next(COUNT)
    return estimator.score(X, y) + 0 * GENERATOR.random()


def test_values_that_fits_change_do_not_count_afterwards(path):
    """In a nested cross-validation, and in a notebook where a cell is run again."""
    search = StatisticalGridSearchCV(
        Votes(), GRID, cv=CV, scoring=counting_score, ledger=path, error_score="raise"
    )
    assert np.isfinite(cross_val_score(search, X, y, cv=2, error_score="raise")).all()
    search.fit(X, y).extend(X, y, n_repeats=1)
    assert search.fit(X, y).n_reused_ == 30


@pytest.mark.parametrize("backend", [pytest.param("loky", marks=pytest.mark.slow), "threading"])
def test_a_ledger_of_an_unseeded_estimator_in_a_parallel_config(backend, path):
    """joblib shares one backend in such a context, and a second `Parallel` would end it."""
    search = StatisticalGridSearchCV(Votes(), {"gamma": list(range(1, 12))}, cv=3, ledger=path)
    with joblib.parallel_config(backend, n_jobs=2):
        search.fit(X, y)
        assert search.fit(X, y).n_reused_ == 33
        search.extend(X, y, cv=[(np.arange(40), np.arange(40, 60))])


SEEN = []


class Own(StatisticalGridSearchCV):
    __slots__ = ("mine",)

    def fit(self, X, y=None, **params):
        self.columns_in_ = X.shape[1]
        return super().fit(X, y, **params)

    def _format_results(self, *arguments):
        SEEN.append(self.mine)
        return super()._format_results(*arguments)


def test_attributes_of_the_user_stay_and_are_there_during_a_fit():
    search = Own(Votes(), GRID, cv=CV, refit=False)
    search.note_, search.n_scored, search.mine = "mine", 0, 7
    SEEN.clear()

    def scoring(estimator, X, y):
        search.n_scored += 1
        return estimator.score(X, y)

    search.set_params(scoring=scoring)
    for n in (30, 60):
        search.fit(X, y)
        assert (search.note_, search.columns_in_, search.n_scored) == ("mine", 2, n)
        assert [search.mine] * (n // 30) == [7] * (n // 30) == SEEN
    assert not hasattr(search.extend(X, y, n_repeats=1), "extension_stop_")
    assert search.extend(X, y, until="decided", max_fits=30).extension_stop_
    assert not hasattr(search.fit(X, y), "extension_stop_")


class WithCode:
    """A splitter without a seed, whose code can be changed."""

    def get_n_splits(self, X=None, y=None, groups=None):
        return 2

    def split(self, X, y=None, groups=None):
        for _ in range(2):
            shuffled = np.random.default_rng().permutation(60)
            yield shuffled[:30], shuffled[30:]


def test_splits_of_a_splitter_that_was_edited_are_not_replayed(path, monkeypatch):
    search = StatisticalGridSearchCV(Votes(), GRID, cv=WithCode(), ledger=path)
    search.fit(X, y)
    assert search.fit(X, y).n_reused_ == 6

    def split(self, X, y=None, groups=None):
        yield from [(np.arange(40), np.arange(40, 60))] * 2

    monkeypatch.setattr(WithCode, "split", split)
    with pytest.raises(ValueError, match="splits that are not the 2 of this `cv`"):
        search.fit(X, y)


def test_the_status_counts_the_splits_of_the_last_start_and_is_ready_for_json(path):
    search = StatisticalGridSearchCV(Votes(), GRID, cv=CV, ledger=path)
    for fit, n_fits in ((lambda: search.fit(X, y).extend(X, y, n_repeats=1), 45),
                        (lambda: search.fit(X, y), 30)):  # fmt: skip
        fit()
        status = json.loads(json.dumps(Ledger(path).status().to_dict()))
        assert status["path"] == str(path)
        assert (status["n_done"], status["n_fits"], status["finished"]) == (n_fits, n_fits, True)


KINDS = {
    "plain": lambda path, **how: StatisticalGridSearchCV(Votes(), cv=CV, **how),
    "ledger": lambda path, **how: StatisticalGridSearchCV(Votes(), cv=CV, ledger=path, **how),
    "race": lambda path, **how: RacingGridSearchCV(Votes(), cv=CV, random_state=0, **how),
}


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_without_candidates_it_is_scikit_learns_error(kind, path):
    assert len(kind(path, param_grid={}).fit(X, y).cv_results_["params"]) == 1
    with pytest.raises(ValueError, match="No fits were performed"):
        kind(path, param_grid=[]).fit(X, y)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
@pytest.mark.parametrize(
    ("score", "expected"),
    [
        (lambda: {}, "`scoring` must return at least one score; got {}"),
        (lambda: 1j, "`scoring` must return real numbers; got 1j"),
        (lambda: {"a": 1j}, "`scoring` must return real numbers; got 1j"),
        (lambda: None, "scoring must return a number"),
        (lambda: [1.0], "scoring must return a number"),
        (lambda: {f"m{next(COUNT)}": 1.0, "m": 1.0}, "the same metrics for every fit; '"),
    ],
)
def test_scorers_that_return_no_scores_or_other_metrics_are_refused(kind, score, expected, path):
    search = kind(path, param_grid=GRID, scoring=lambda estimator, X, y: score(), refit=False)
    if kind is KINDS["race"] and "metrics" in expected:
        search.set_params(race_metric="m")
    with pytest.raises(ValueError, match=expected):
        search.fit(X, y)


def test_a_tuple_among_the_parameters_may_be_set_to_an_equal_one():
    model = make_pipeline(MinMaxScaler(feature_range=(0, 1)), Votes())
    search = StatisticalGridSearchCV(model, {"votes__gamma": [1, 2]}, cv=CV).fit(X, y)
    search.set_params(estimator__minmaxscaler__feature_range=tuple([0, 1]))
    assert search.extend(X, y, n_repeats=1).n_splits_ == 15
    search.set_params(estimator__minmaxscaler__feature_range=(0, 2))
    with pytest.raises(ValueError, match="they differ in `estimator`"):
        search.extend(X, y, n_repeats=1)
