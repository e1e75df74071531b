"""Searches that take turns with one ledger: fits, races and extensions, in every order."""

import itertools

import numpy as np
import pytest
from counted import Counted
from sklearn.datasets import make_moons
from sklearn.model_selection import RepeatedStratifiedKFold

import sklearn_stats_compare as ssc

X, y = make_moons(noise=0.352, random_state=1, n_samples=100)
CV = RepeatedStratifiedKFold(n_splits=10, n_repeats=2, random_state=0)
GRID = {"number": [30, 40, 0, 0.2, 0.4]}  # a race drops two
KINDS = {
    "grid": (ssc.StatisticalGridSearchCV, {}),
    "race": (ssc.RacingGridSearchCV, {"random_state": 0}),
    "other race": (ssc.RacingGridSearchCV, {"random_state": 7}),
    "random": (ssc.StatisticalRandomizedSearchCV, {"n_iter": 3, "random_state": 0}),
    "random race": (ssc.RacingRandomizedSearchCV, {"n_iter": 4, "random_state": 3}),
}


def search_of(name, ledger=None, grid=GRID):
    kind, own = KINDS[name]
    return kind(Counted(), grid, cv=CV, ledger=ledger, **own)


def scores_of(search):
    results = search.cv_results_
    return {
        key: values for key, values in results.items() if "score" in key and "time" not in key
    } | {key: results[key] for key in results if key == "n_splits_evaluated"}


@pytest.fixture(scope="module")
def alone():
    """Scores of each kind of search without a ledger, fitted and extended."""
    found = {}
    for name in KINDS:
        search = search_of(name).fit(X, y)
        found[name] = scores_of(search), scores_of(search.extend(X, y, n_repeats=1))
    return found


ORDERS = list(itertools.permutations(KINDS, 2))
# By default each kind is there, and a plain search and a race in both orders.
BY_DEFAULT = [("grid", "race"), ("race", "random"), ("random race", "other race")]


@pytest.mark.parametrize(
    ("first", "between"),
    [
        pytest.param(*order, marks=[] if order in BY_DEFAULT else pytest.mark.slow)
        for order in ORDERS
    ],
)
def test_an_extension_is_the_same_whoever_used_the_ledger_in_between(first, between, alone, path):
    searches = {name: search_of(name, path) for name in (first, between)}
    for name in (first, between):
        np.testing.assert_equal(scores_of(searches[name].fit(X, y)), alone[name][0])
    for name in (first, between):
        np.testing.assert_equal(scores_of(searches[name].extend(X, y, n_repeats=1)), alone[name][1])
    # compare() reads the last one, with the sizes of its splits; of candidates that a race dropped
    # and the other search ran, too.
    own = searches[between].comparison_.ranking().set_index("label")["std_err"]
    found = ssc.compare(path).ranking().set_index("label")["std_err"]
    np.testing.assert_array_equal(found[own.index], own)


def test_extensions_of_different_length_take_turns(path):
    few = {"number": [30, 0, 0.4]}
    race, grid = (search_of(name, path, few).fit(X, y) for name in ("race", "grid"))
    race.extend(X, y, n_repeats=1)
    grid.extend(X, y, n_repeats=2)
    assert (race.n_splits_, grid.n_splits_) == (30, 40)
    expected = search_of("grid", grid=few).fit(X, y).extend(X, y, n_repeats=2)
    np.testing.assert_equal(scores_of(grid), scores_of(expected))
    found = ssc.compare(path)  # its first ten further splits are the race's
    assert found.scores.design.splits_per_repeat == 10
    np.testing.assert_array_equal(found.ranking()["std_err"], grid.comparison_.ranking()["std_err"])


def test_a_ledger_keeps_the_level_of_an_extension_that_looked(path):
    search = search_of("grid", path, {"number": [0, 2]})
    search.fit(X, y).extend(X, y, until="decided", max_fits=60)
    assert search.n_splits_ > 20
    assert ssc.compare(search.ledger).alpha == search.comparison_.alpha < 0.05
    search.extend(X, y, n_repeats=1)
    assert ssc.compare(search.ledger).alpha == search.comparison_.alpha < 0.05


def test_what_is_printed_of_an_extension_counts_its_own_fits(path, capsys):
    search = search_of("grid", path, {"number": [0, 1, 2]}).set_params(verbose=1).fit(X, y)
    capsys.readouterr()
    search.extend(X, y, n_repeats=1)
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "Fitting 10 folds for each of 3 candidates, totalling 30 fits"
    assert said[-1].endswith("(30 of 30 fits)")
    again = search.fit(X, y)
    capsys.readouterr()
    again.extend(X, y, n_repeats=1)
    assert capsys.readouterr().out == "[ledger] 30 of 30 fits are done already\n"
    search.extend(X, y, until="decided", max_fits=60)
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "Fitting 10 folds for each of 3 candidates at a time, at most 60 fits"


def test_a_race_that_is_complete_draws_no_line(path, capsys):
    race = search_of("race", path).fit(X, y).set_params(verbose=1)
    race.fit(X, y)
    said = capsys.readouterr().out
    assert "[ledger]" in said
    assert " - fit " not in said
    assert "%" not in said
