"""max_time: a search that is cut has the results of one with fewer splits, and can be resumed.

The clock is the test's: every fit takes one second, in workers too, and nothing else takes any.
"""

import math
import pickle
import re
import time
import warnings
from functools import partial
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import race_cases
from counted import assert_same_search, assert_same_tables
from quick import Votes
from race_cases import Fails
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.exceptions import FitFailedWarning
from sklearn.model_selection import RepeatedStratifiedKFold, ShuffleSplit, StratifiedKFold

import sklearn_stats_compare as ssc
from sklearn_stats_compare.displays import RaceDisplay
from sklearn_stats_compare.reports import report
from sklearn_stats_compare.search.runs import _plans
from sklearn_stats_compare.search.runs._plans import TimeLimit

X, y = make_classification(n_samples=120, n_features=6, flip_y=0.2, random_state=0)
CV = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
GRID = {"gamma": [0.02, 0.05, 0.2, 10.0]}
# From hopeless to good: a race by splits over 15 of them looks after 5 and after 10. One by samples
# looks after every split from the second on.
GAMMAS = {"gamma": [1e-6, 1e-5, 0.02, 0.03, 0.05, 30.0, 100.0], "power": [2]}
LONG = RepeatedStratifiedKFold(n_splits=5, n_repeats=3, random_state=0)
pytestmark = pytest.mark.filterwarnings(
    "ignore:There (are only|is only 1 split):sklearn_stats_compare.ComparisonWarning"
)


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    clock = SimpleNamespace(now=1000.0)
    counted = TimeLimit.count

    def ticking(self):
        clock.now += 1
        counted(self)

    monkeypatch.setattr(_plans, "monotonic", lambda: clock.now)
    # Workers have a clock of their own: on a busy machine they are started after `max_time`.
    later = SimpleNamespace(time=lambda: time.time() + 3600, monotonic=time.monotonic)
    monkeypatch.setattr(_plans, "time", later)
    monkeypatch.setattr(TimeLimit, "count", ticking)
    return clock


def splits(cv=CV):
    return list(cv.split(X, y))


def assert_same_race(one, other):
    assert_same_search(one, other)
    race_cases.assert_same_race(one, other)
    for name in ("race_labels_", "race_metric_", "n_fits_", "n_fits_full_", "best_params_"):
        assert getattr(one, name) == getattr(other, name)
    assert_same_tables(one, other)
    assert repr(one.comparison_) == repr(other.comparison_)


def failing(grid, **arguments):
    model = Fails(at=0, from_mean=True)
    return ssc.StatisticalGridSearchCV(model, grid, **{"cv": CV, "refit": False, **arguments})


def full(max_time, **arguments):
    arguments = {"cv": CV, **arguments}
    return ssc.StatisticalGridSearchCV(Votes(), GRID, max_time=max_time, **arguments)


def race(max_time, **arguments):
    arguments = {
        "estimator": Votes(), "param_grid": GAMMAS, "cv": LONG, "random_state": 0,
        "interim": "splits",
        **arguments,
    }  # fmt: skip
    return ssc.RacingGridSearchCV(max_time=max_time, **arguments)


@pytest.fixture(scope="module")
def whole():
    return full(None).fit(X, y)


@pytest.fixture(scope="module")
def uncut():
    """Races without a limit, by what they look at."""
    return {look: race(None, interim=look).fit(X, y) for look in ("splits", "samples")}


# Which fits begin


@pytest.mark.parametrize(
    # The fifth fit would begin at 4 s, which is not before the end.
    ("max_time", "n_splits"), [(4, 1), (4.001, 1), (8, 2), (10, 2), (36, 9)],
)  # fmt: skip
def test_no_fit_begins_after_max_time(max_time, n_splits):
    search = full(max_time).fit(X, y)
    expected = full(None, cv=splits()[:n_splits]).fit(X, y)
    assert_same_search(search, expected)
    assert search.best_params_ == expected.best_params_
    assert search.best_score_ == expected.best_score_
    np.testing.assert_array_equal(search.predict(X), expected.predict(X))
    left = 10 - n_splits
    are = "s, about {} s, are" if left > 1 else ", about {} s, is"
    n_left = 40 - math.ceil(max_time)  # fits of 1 s each, begun at 0, 1, … s
    assert search.stopped_.startswith(
        f"max_time={max_time:g} s was over after {n_splits} of 10 splits ({4 * n_splits} of 40 "
        f"fits); {left} split{are.format(n_left)} left. The refit on all samples takes about "
    )
    assert expected.stopped_ is None


@pytest.mark.parametrize("kind", ["full", "race"])
@pytest.mark.parametrize("n", [1, pytest.param(2, marks=pytest.mark.slow), 3])
def test_within_the_first_split_those_that_have_it_are_compared(kind, n):
    make = {"full": full, "race": partial(race, param_grid=GRID, estimator=Votes())}[kind]
    search = make(n).fit(X, y)
    first = 0 if kind == "full" else race(None).fit(X, y).race_order_[0]
    cv = CV if kind == "full" else LONG
    column = full(None, cv=cv).fit(X, y).cv_results_[f"split{first}_test_score"]
    found = search.cv_results_["split0_test_score"]
    assert search.n_splits_ == 1
    assert np.isfinite(found).tolist() == [True] * n + [False] * (4 - n)
    np.testing.assert_array_equal(found[:n], column[:n])
    np.testing.assert_array_equal(search.cv_results_["n_splits_evaluated"], np.isfinite(found))
    assert search.best_index_ < n
    at_most = "at most " if kind == "race" else ""
    n_full = 40 if kind == "full" else 60
    candidates = "1 candidate" if n == 1 else f"{n} candidates"
    assert search.stopped_.startswith(
        f"max_time={n} s was over within the first split, after {candidates} ({n} of {at_most}"
        f"{n_full} fits); {n_full - n} fits, {at_most}about {n_full - n} s, are left."
    )
    if n > 1:
        assert search.comparison_.scores.n_candidates == n
        note = search.comparison_.note
        assert note.startswith(f"{4 - n} of 4 candidates were not evaluated, and are not compared.")


@pytest.mark.parametrize("max_time", [39.001, 1e6])
def test_a_search_that_finishes_in_time_is_the_search_without_a_limit(max_time, whole):
    search = full(max_time).fit(X, y)
    assert search.stopped_ is None
    assert_same_search(search, whole)
    assert not search.comparison_.note


def test_a_generator_of_splits_is_read_once():
    search = full(12, cv=iter(splits())).fit(X, y)
    assert_same_search(search, full(None, cv=splits()[:3]).fit(X, y))


# What a cut search has


@pytest.mark.parametrize("n_splits", [1, 5])
@pytest.mark.parametrize(
    "arguments",
    [
        {"scoring": "roc_auc", "return_train_score": True},
        {"scoring": ["accuracy", "roc_auc"], "refit": "roc_auc", "return_train_score": True},
        {"scoring": lambda e, X, y: {"a": e.score(X, y), "b": -1.0}, "refit": "a"},
        {"refit": False},
        {"refit": ssc.Simplest("gamma")},
        {"refit": lambda results: int(np.argmax(results["mean_test_score"]))},
        {"scoring": ["accuracy", "f1"], "refit": False},
    ],
    ids=["train", "several", "callable scoring", "no refit", "rule", "callable", "no metric"],
)
def test_it_has_what_a_search_over_its_splits_has(arguments, n_splits):
    several = isinstance(arguments.get("scoring"), list) and arguments["refit"] is False
    search = full(4 * n_splits, **arguments).fit(X, y)
    expected = full(None, cv=splits()[:n_splits], **arguments).fit(X, y)
    if several:
        assert list(search.cv_results_) == list(expected.cv_results_)
        assert not hasattr(search, "best_index_")
        search.compare(metric="f1")
        return
    assert_same_search(search, expected)
    assert ("refit" in search.stopped_) == (arguments.get("refit", True) is not False)
    assert search.best_index_ == expected.best_index_
    if "refit" in arguments and isinstance(arguments["refit"], ssc.Simplest):
        pd.testing.assert_frame_equal(search.selection_report_, expected.selection_report_)
    if n_splits > 1:
        assert_same_tables(search, expected)


@pytest.mark.parametrize("error_score", [np.nan, 0.0])
def test_fits_that_failed(error_score):
    # Sample 0 is in all training sets but one of the first repeat.
    tested = next(k for k, (_, test) in enumerate(splits()) if 0 in test)
    grid = {"on": [None, X[0, 0]], "shift": [0.0, 0.3]}
    found = []
    for given in ({"cv": CV, "max_time": 4 * 4}, {"cv": splits()[:4]}):
        search = failing(grid, error_score=error_score, **given)
        with pytest.warns() as record:
            search.fit(X, y)
        failed = next(str(w.message) for w in record if w.category is FitFailedWarning)
        found.append((search, failed.split("\n")[1]))
    (search, said), (expected, also) = found
    assert said == also == f"{2 * (4 - (tested < 4))} fits failed out of a total of 16."
    assert_same_search(search, expected)


def test_a_block_that_failed_whole_is_of_the_results():
    """Its fits have no metrics of their own: those of the next block tell."""
    on = X[splits()[0][0][0], 0]
    rest = [k for k, (train, _) in enumerate(splits()) if X[train, 0].tolist().count(on) == 0]
    order = [0, *rest, *[k for k in range(1, 10) if k not in rest]]
    cv = [splits()[k] for k in order]
    grid = {"on": [on], "shift": [0.0, 0.1, 0.2, 0.3]}
    search = failing(grid, cv=cv, max_time=8)
    with pytest.warns() as record:
        search.fit(X, y)
    assert any("4 fits failed out of a total of 8" in str(w.message) for w in record)
    assert search.n_splits_ == 2
    assert np.isnan(search.cv_results_["split0_test_score"]).all()
    assert np.isfinite(search.cv_results_["split1_test_score"]).all()


def test_errors_are_raised_as_without_a_limit():
    search = failing({"on": ["all"], "shift": [0.0, 1.0, 2.0, 3.0]}, max_time=5)
    with pytest.raises(ValueError, match="All the 4 fits failed"):
        search.fit(X, y)
    search = failing({"on": [X[0, 0]]}, max_time=5, error_score="raise")
    with pytest.raises(ValueError, match="cannot learn"):
        search.fit(X, y)


@pytest.mark.parametrize("keeps", [True, "values"])
def test_predictions_are_kept_of_these_splits(keeps):
    search = full(25, return_predictions=keeps).fit(X, y)
    expected = full(None, cv=splits()[:6], return_predictions=keeps).fit(X, y)
    assert_same_search(search, expected)
    if keeps is True:
        for k in range(4):
            pd.testing.assert_frame_equal(search.predictions(k), expected.predictions(k))
    again = pickle.loads(pickle.dumps(search))
    assert repr(again.comparison_) == repr(search.comparison_)
    assert again.stopped_ == search.stopped_


def test_a_test_of_samples_keeps_whole_repeats():
    # 7 splits are run: the first repeat, which can be tested, and 2 of the 5 of the second.
    search = full(28, test="samples").fit(X, y)
    expected = full(None, cv=splits()[:5], test="samples").fit(X, y)
    assert_same_search(search, expected)
    pd.testing.assert_frame_equal(search.pairwise_frequentist_, expected.pairwise_frequentist_)
    # Of 40 fits 28 are done, each took 1 s.
    assert "5 of 10 splits (20 of 40 fits); 5 splits, about 12 s, are left" in search.stopped_


@pytest.mark.parametrize("refit", [True, ssc.Simplest("gamma")])
def test_a_test_of_samples_within_the_first_repeat_says_what_to_do(refit):
    search = full(12, test="samples", refit=refit)
    with pytest.warns(ssc.ComparisonWarning) as record:
        search.fit(X, y)
    said = str(record[0].message)
    assert 'within a repeat, after 3 of 10 splits, and `test` "samples" needs whole' in said
    assert record[0].filename == __file__
    with pytest.raises(ValueError, match=r"needs whole repeats\. The search was cut"):
        _ = search.comparison_
    expected = full(None, cv=splits()[:3]).fit(X, y)
    pd.testing.assert_frame_equal(
        search.compare(test="corrected_t").frequentist(), expected.pairwise_frequentist_
    )


def test_splits_that_no_test_of_samples_takes_are_warned_of_once():
    cv = ShuffleSplit(6, random_state=0)
    with pytest.warns(ssc.ComparisonWarning) as record:
        full(8, cv=cv, test="samples").fit(X, y)
    assert len(record) == 1
    assert "The fits continue" in str(record[0].message)


def test_tables_and_reports_say_that_it_was_cut():
    search = full(20).fit(X, y)  # a cut alone is no reason to warn
    note = "The search was cut: max_time=20 s was over after 5 of 10 splits (20 of 40 fits)."
    assert search.comparison_.note == note
    assert note in " ".join(repr(search.comparison_).split())
    assert "The search was cut" in report(search)
    assert search.compare(alpha=0.1).note == note
    # The next fit forgets it.
    search.set_params(max_time=None).fit(X, y)
    assert search.stopped_ is None
    assert search.n_splits_ == 10
    assert not search.comparison_.note


@pytest.mark.parametrize("fit_time", [2.0, 0.5])
def test_the_refit_is_estimated_by_its_number_of_samples(fit_time, monkeypatch, capsys):
    # scikit-learn's own clock measures fits; 120 samples are 120/96 of a training set.
    asked, own_words = [], _plans.refit_words

    def words(mean_fit_time, design, n_samples):
        asked.append((mean_fit_time, n_samples))
        return own_words(fit_time, design, n_samples)

    monkeypatch.setattr(_plans, "refit_words", words)
    search = full(20, verbose=1).fit(X, y)
    assert asked == [(search.cv_results_["mean_fit_time"][search.best_index_], 120)]
    takes = "2.5" if fit_time == 2.0 else "0.62"  # 0.625, rounded to even
    said = f"The refit on all samples takes about {takes} s more."
    assert search.stopped_.endswith(f" are left. {said}")
    assert capsys.readouterr().out.endswith(f"\n[refit] {said}\n")


# Races


@pytest.mark.parametrize(
    ("n_splits", "look"),
    [
        (10, "splits"), (2, "samples"), (3, "samples"),
        *(
            pytest.param(*case, marks=pytest.mark.slow)
            for case in ((5, "splits"), (15, "splits"), (1, "samples"), (15, "samples"))
        ),
    ],
)  # fmt: skip
def test_a_race_stops_after_whole_splits(n_splits, look, uncut):
    uncut = uncut[look]
    # The time is over when the last fit of these splits ends.
    n_fits = np.minimum(uncut.cv_results_["n_splits_evaluated"], n_splits).sum()
    search = race(1e6 if n_splits == 15 else n_fits, interim=look).fit(X, y)
    if n_splits == 15:
        assert search.stopped_ is None
        assert_same_race(search, uncut)
        return
    # The columns are those of the splits that were run, in the order of `cv`.
    columns = np.sort(uncut.race_order_[:n_splits])
    np.testing.assert_array_equal(columns[search.race_order_], uncut.race_order_[:n_splits])
    assert search.n_splits_ == n_splits
    assert f"split{n_splits}_test_score" not in search.cv_results_
    np.testing.assert_array_equal(search.n_test_, uncut.n_test_[columns])
    of_all = ssc.StatisticalGridSearchCV(Votes(), GAMMAS, cv=[splits(LONG)[k] for k in columns])
    of_all.fit(X, y)
    names = [f"split{k}_test_score" for k in range(n_splits)]
    scores, reference = (
        np.column_stack([one.cv_results_[name] for name in names]) for one in (search, of_all)
    )
    ran = np.isfinite(scores)
    np.testing.assert_array_equal(scores[ran], reference[ran])
    survives = np.isnan(search.cv_results_["eliminated_at"])
    np.testing.assert_array_equal(ran.all(axis=1), survives)
    means = search.cv_results_["mean_test_score"]
    np.testing.assert_array_equal(means[survives], of_all.cv_results_["mean_test_score"][survives])
    assert np.isnan(means[~survives]).all()
    assert means[search.best_index_] == np.nanmax(means)
    assert search.best_score_ == np.nanmax(means)
    # The looks before the end are those of the uncut race, and the end is none.
    before = search.race_history_.iloc[:-1]
    pd.testing.assert_frame_equal(before, uncut.race_history_.iloc[: len(before)])
    last = search.race_history_.iloc[-1]
    assert last["look"] is pd.NA
    assert (last["n_splits"], last["alive"], last["dropped"]) == (n_splits, survives.sum(), 0)
    assert search.n_fits_ == ran.sum()
    assert search.n_fits_full_ == 7 * n_splits
    assert search.comparison_.scores.n_candidates == survives.sum()
    assert (search.cv_results_["elimination"] == "").tolist() == survives.tolist()
    pytest.importorskip("matplotlib")
    RaceDisplay.from_search(search)


def test_a_race_says_how_much_is_left_at_most(uncut):
    # The first five splits take 35 s, the next ones less: some candidates were dropped.
    n_alive = uncut["splits"].race_history_["alive"].iloc[0]
    n_fits = 35 + 5 * n_alive
    assert n_alive < 7
    search = race(n_fits, refit=False).fit(X, y)
    assert search.comparison_.scores.n_candidates == n_alive
    assert search.stopped_ == (
        f"max_time={n_fits} s was over after 10 of 15 splits ({n_fits} of at most "
        f"{n_fits + 5 * n_alive} fits); 5 splits, at most about {5 * n_alive} s, are left."
    )
    note = search.comparison_.note
    assert note.startswith("These are the survivors of a race among 7 candidates")
    assert note.endswith(f"({n_fits} of at most {n_fits + 5 * n_alive} fits).")


def test_a_race_by_samples():
    # The order is that of a simple random sample, so the splits so far may contain no whole repeat.
    tens = RepeatedStratifiedKFold(n_splits=10, n_repeats=2, random_state=0)
    for cv, n in ((LONG, 15), (tens, 20)):
        with pytest.warns(ssc.ComparisonWarning, match=f"within a repeat, after 5 of {n} splits"):
            search = race(35, test="samples", cv=cv).fit(X, y)
        assert len(search.compare(test="corrected_t").frequentist()) == 21
    # A single repeat is whole after its last split only.
    fives = StratifiedKFold(5)
    search = race(1e6, test="samples", interim="samples", cv=fives).fit(X, y)
    assert search.stopped_ is None
    assert search.comparison_.scores.samples is not None
    with pytest.warns(ssc.ComparisonWarning, match="within a repeat, after 1 of 5 splits"):
        race(7, test="samples", interim="samples", cv=fives).fit(X, y)


@pytest.mark.parametrize(
    ("seed", "look"),
    [
        (0, "samples"),
        ("generator", "splits"),
        (None, "samples"),
        pytest.param(0, "splits", marks=pytest.mark.slow),
        pytest.param("generator", "samples", marks=pytest.mark.slow),
        pytest.param(None, "splits", marks=pytest.mark.slow),
    ],
)
def test_a_race_that_is_cut_twice_ends_as_one_that_was_not(path, seed, look):
    def seeded():
        return np.random.RandomState(3) if seed == "generator" else seed

    cut = []
    block = 5 if look == "splits" else 1
    for max_time in (7 * block, 1, None):
        search = race(max_time, ledger=path, random_state=seeded(), interim=look).fit(X, y)
        cut.append(search)
    # The second start makes a single fit of the next splits.
    assert [search.n_splits_ for search in cut] == [block, block, 15]
    assert cut[-1].stopped_ is None
    # An uncut race with that order: without a seed only the ledger has it.
    with_order = race(None, ledger=path, random_state=seeded(), interim=look).fit(X, y)
    assert_same_race(cut[-1], with_order)
    if seed is not None:
        assert_same_race(cut[-1], race(None, random_state=seeded(), interim=look).fit(X, y))
    assert [search.n_reused_ for search in cut] == [0, 7 * block, 7 * block + 1]
    assert ssc.Ledger(path).status().finished


def test_a_candidate_that_fails_in_the_last_block_is_missing_as_at_the_end(uncut):
    """In the uncut race it is dropped there; a race never drops after its last block."""
    order = uncut["splits"].race_order_
    # The first split tests on this sample, and up to two more of the first five: the others fail.
    sample = splits(LONG)[order[0]][1][0]
    on = X[sample, 0]
    n_failed = sum(sample in splits(LONG)[k][0] for k in order[:5])
    assert n_failed >= 2  # it is tested once in each of three repeats
    grid = {"on": [None, on], "shift": [0.0, 0.2]}
    search = race(20).set_params(estimator=Fails(at=0, from_mean=True), param_grid=grid)
    with pytest.warns() as record:
        search.fit(X, y)
    said = f"{2 * n_failed} fits failed out of a total of 20"
    assert any(said in str(w.message) for w in record)
    assert np.isnan(search.cv_results_["eliminated_at"]).all()
    assert (search.cv_results_["n_splits_evaluated"] == 5).all()
    np.testing.assert_array_equal(
        np.isnan(search.cv_results_["mean_test_score"]), [False, False, True, True]
    )
    assert search.best_index_ in (0, 1)


# With a ledger


@pytest.mark.usefixtures("unchecked")
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_search_that_is_cut_twice_ends_as_one_that_was_not(path, n_jobs, clock, whole):
    n_splits, n_fits = [], []
    for max_time in (9, 4, None):
        before = clock.now
        search = full(max_time, ledger=path, n_jobs=n_jobs).fit(X, y)
        n_splits.append(search.n_splits_)
        n_fits.append(int(clock.now - before))
        status = ssc.Ledger(path).status()
        assert status.n_done == sum(n_fits)
        assert status.n_fits == 40
        assert status.finished == (search.stopped_ is None)
    if n_jobs == 1:  # with two, fits are under way when the time is over
        assert n_fits[:2] == [9, 4]
        assert n_splits == [2, 3, 10]
    assert sum(n_fits) == 40
    assert search.n_reused_ == sum(n_fits[:2])
    assert_same_search(search, whole)
    pd.testing.assert_frame_equal(search.pairwise_frequentist_, whole.pairwise_frequentist_)


def test_every_start_makes_progress(path, clock):
    class LateSplits(StratifiedKFold):
        """As if the ledger took an hour to read."""

        def split(self, X, y, groups=None):
            clock.now += 3600
            return super().split(X, y)

    arguments = {"cv": LateSplits(4), "ledger": path}
    searches = [full(60, **arguments).fit(X, y) for _ in range(5)]
    n_evaluated = [np.isfinite(s.cv_results_["split0_test_score"]).sum() for s in searches]
    assert n_evaluated == [1, 2, 3, 4, 4]
    assert ssc.Ledger(path).status().n_done == 5
    # Without a ledger, too, there is something to compare.
    for search in (full(60, cv=LateSplits(4)), race(60, cv=LateSplits(12))):
        assert "within the first split, after 1 candidate" in search.fit(X, y).stopped_


def test_what_the_ledger_has_takes_no_time(path):
    full(None, ledger=path).fit(X, y)
    search = full(0.001, ledger=path).fit(X, y)
    assert search.stopped_ is None
    assert search.n_reused_ == 40
    # Candidates that are added to it do.
    grid = {"gamma": [*GRID["gamma"], 100.0, 200.0]}
    search = ssc.StatisticalGridSearchCV(Votes(), grid, cv=CV, ledger=path, max_time=4).fit(X, y)
    # Two candidates lack 10 splits, and four fits begin in 4 s: splits 0 to 1.
    assert search.n_splits_ == 2
    assert search.n_reused_ == 8
    expected = ssc.StatisticalGridSearchCV(Votes(), grid, cv=splits()[:2]).fit(X, y)
    assert_same_search(search, expected)


def test_a_candidate_that_always_fails_does_not_stop_the_progress(path):
    """What failed is tried again, which may take all the time of every start."""
    grid = {"on": [None, "all"], "shift": [0.0, 0.1]}
    n_done, n_retried = [], []
    for max_time in (9, 1, 1):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            search = failing(grid, ledger=path, max_time=max_time).fit(X, y)
        n_done.append(ssc.Ledger(path).status().n_done)
        n_retried.append(search.n_retried_)
    # Two candidates on two splits are tried again, and one more fit is made by each start.
    assert n_done == [9, 10, 11]
    assert n_retried == [0, 4, 4]


def test_the_ledger_of_a_cut_search_can_be_compared(path):
    search = full(20, ledger=path).fit(X, y)
    found = ssc.compare(path)
    assert found.scores.n_splits == 5
    np.testing.assert_array_equal(found.scores.values, search.comparison_.scores.values)
    assert "of a search that is stopped" in found.note
    assert "stopped" in str(ssc.Ledger(path).status())
    # One of other data warns of nothing: the folds of a nested cross-validation are cut in turn.
    full(20, ledger=path).fit(X[:100], y[:100])


# Around it


@pytest.mark.parametrize(
    "kind",
    [
        ssc.StatisticalGridSearchCV,
        ssc.StatisticalRandomizedSearchCV,
        ssc.RacingGridSearchCV,
        ssc.RacingRandomizedSearchCV,
    ],
)
def test_every_search_has_it(kind):
    drawn = {"n_iter": 4, "random_state": 0} if "Randomized" in kind.__name__ else {}
    search = clone(kind(Votes(), GRID, cv=LONG, max_time=4, **drawn)).fit(X, y)
    assert search.stopped_.startswith("max_time=4 s was over after ")
    assert search.n_splits_ == 1  # 4 candidates on a split
    again = pickle.loads(pickle.dumps(search))
    assert again.stopped_ == search.stopped_
    assert again.comparison_.note.startswith(search.comparison_.note)
    for value in (0, -1, np.inf, np.nan, "600", (1,)):
        with pytest.raises(ValueError, match="'max_time' parameter of"):
            search.set_params(max_time=value).fit(X, y)


@pytest.mark.parametrize("search", [full(20), race(40)], ids=["full", "race"])
def test_a_cut_search_is_not_extended(search):
    search = clone(search).fit(X, y)
    with pytest.raises(ValueError, match="`extend` must follow a search that finished") as cut:
        search.extend(X, y, n_repeats=1)
    assert search.comparison_.note.split("The search was cut")[-1] in str(cut.value)
    # One that finished is, whatever the limit.
    search = full(1000).fit(X, y).set_params(max_time=0.001)
    assert search.extend(X, y, n_repeats=1).n_splits_ == 15
    assert search.stopped_ is None


@pytest.mark.parametrize("search", [full(20, verbose=1), race(35, verbose=1)], ids=["full", "race"])
def test_the_progress_line_ends_where_the_search_does(search, capsys):
    search = clone(search).fit(X, y)
    said = capsys.readouterr().out.splitlines()
    assert said[-2] == f"[stopped] {search.stopped_[: search.stopped_.index(' The refit')]}"
    assert said[-1].startswith("[refit] The refit on all samples takes about ")
    lines = [line for line in said if " - fit " in line]
    assert len(lines) == len(set(re.sub(r"\d:\d\d:\d\d", "", line) for line in lines))
    n_fits = re.search(r"\((\d+) of ", search.stopped_)[1]
    assert f"({n_fits} of " in lines[-1]
    assert "100%" not in "".join(said)
