"""One progress line for a whole search by blocks, and one bar of scikit-learn's ProgressBar."""

import io
import re
import sys

import pytest
import sklearn
from counted import CV, X, assert_same_results, y
from quick import Votes
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC
from sklearn.utils.fixes import parse_version

import sklearn_stats_compare as ssc
from sklearn_stats_compare._utils._progress import Progress

HAS_CALLBACKS = parse_version(sklearn.__version__) >= parse_version("1.9")
GRID = {"C": [0.1, 1.0, 10.0, 100.0]}
MANY = {"gamma": [k / 10 for k in range(1, 21)]}
LINE = re.compile(r"(\w+) - fit [━╺]{40} +(\d+)% \d:\d\d:\d\d \(([\d,]+) of ([\d,]+) fits\)")


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self):
        return True


def lines(capsys):
    return capsys.readouterr().out.splitlines()


def shown(said):
    return [
        (int(found[2]), int(found[3].replace(",", "")), int(found[4].replace(",", "")))
        for found in map(LINE.fullmatch, said)
        if found
    ]


def assert_a_line_for_each_tenth(said):
    assert said[0] == "Fitting 10 folds for each of 20 candidates, totalling 200 fits"
    assert [share for share, _, _ in shown(said)] == list(range(10, 101, 10))
    assert len(said) == 11


def test_a_search_with_a_ledger_has_a_line_for_each_tenth(path, capsys):
    search = ssc.StatisticalGridSearchCV(Votes(), MANY, cv=CV, ledger=path, verbose=1)
    search.fit(X, y)
    said = lines(capsys)
    assert_a_line_for_each_tenth(said)
    assert said[1].startswith("StatisticalGridSearchCV - fit ")
    assert search.verbose == 1
    # Of what is lacking only; the rest was counted by the line before.
    search.set_params(param_grid={"gamma": [0.1, 0.2, 4.0]}).fit(X, y)
    said = lines(capsys)
    assert said[0] == "[ledger] 20 of 30 fits are done already"
    assert shown(said) == [(10 * n, n, 10) for n in range(1, 11)]
    search.set_params(param_grid={"gamma": [6.0]}).fit(X, y)
    assert lines(capsys)[0].startswith("[ledger] none of the saved fits is used: they are of other")
    search.set_params(verbose=0, param_grid={"gamma": [5.0]}).fit(X, y)
    assert not lines(capsys)


@pytest.mark.parametrize(
    ("kind", "drawn", "n_jobs"),
    [
        (ssc.StatisticalGridSearchCV, {}, 1),
        pytest.param(ssc.StatisticalGridSearchCV, {}, 2, marks=pytest.mark.slow),
        pytest.param(
            ssc.StatisticalRandomizedSearchCV,
            {"n_iter": 20, "random_state": 0},
            1,
            marks=pytest.mark.slow,
        ),
    ],
)
def test_a_plain_search_has_the_same_line_and_scores_like_one_that_prints_nothing(
    kind, drawn, n_jobs, capsys
):
    silent, telling = (
        kind(Votes(), MANY, cv=CV, n_jobs=n_jobs, verbose=verbose, return_train_score=True, **drawn)
        for verbose in (0, 1)
    )
    silent.fit(X, y)
    assert not lines(capsys)
    telling.fit(X, y)
    assert_a_line_for_each_tenth(lines(capsys))
    assert_same_results(silent, telling)
    assert silent.best_params_ == telling.best_params_
    assert repr(silent.comparison_) == repr(telling.comparison_)


@pytest.mark.parametrize("saved", [False, True])
def test_lines_of_single_fits_are_scikit_learns(saved, path, capsys):
    search = ssc.StatisticalGridSearchCV(SVC(), {"C": [1.0, 2.0]}, cv=3, verbose=2, refit=False)
    search.set_params(ledger=path if saved else None).fit(X, y)
    said = lines(capsys)
    assert len(said) == 7
    assert not shown(said)
    assert sum(line.startswith("[CV] END") for line in said) == 6
    assert sum(line.startswith("Fitting") for line in said) == 1


def test_a_race_counts_on_those_who_are_left(capsys):
    grid = {"C": [1e-7, 1e-6, 1e-5, 1.0, 1.5]}
    race = ssc.RacingGridSearchCV(SVC(), grid, cv=CV, random_state=0, verbose=1).fit(X, y)
    said = lines(capsys)
    assert said[0] == "Fitting 10 folds for each of 5 candidates, totalling 50 fits"
    assert any(line.startswith("[race] after 5 of 10 splits") for line in said)
    found = shown(said)
    assert found[-1] == (100, race.n_fits_, race.n_fits_)
    assert [done for _, done, _ in found] == sorted(done for _, done, _ in found)
    assert found[0][2] == 50


def test_a_search_that_fails_keeps_its_verbose_and_ends_its_line(path, monkeypatch):
    class Fails(SVC):
        def fit(self, X, y):
            if self.C > 1:
                raise KeyboardInterrupt
            return super().fit(X, y)

    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    search = ssc.StatisticalGridSearchCV(Fails(), GRID, cv=CV, ledger=path, verbose=1)
    with pytest.raises(KeyboardInterrupt):
        search.fit(X, y)
    assert search.verbose == 1
    assert terminal.getvalue().endswith("(20 of 40 fits)\n")
    assert "100%" not in terminal.getvalue()


def test_on_a_terminal_the_line_is_redrawn_and_others_stand_above(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    with Progress("SVC", 4, shown=True) as progress:
        progress.begin(2, 2)
        progress.add(1)
        progress.add(1)
        progress.say("[race] …")
        progress.expect(1)
        progress.add(1)
    drawn = [line.split("\r") for line in terminal.getvalue().split("\n")]
    assert [len(parts) for parts in drawn] == [1, 3, 1, 3, 1]
    assert "(2 of 4 fits)" in drawn[1][-1]
    assert drawn[2] == ["[race] …"]
    assert "100%" in drawn[3][-1]


def test_a_terminal_without_lines_has_signs_that_all_have(monkeypatch):
    class Old(Terminal):
        encoding = "cp1252"

    terminal = Old()
    monkeypatch.setattr(sys, "stdout", terminal)
    progress = Progress("SVC", 2, shown=True)
    progress.add(1)
    assert "#" * 20 + "-" * 20 in terminal.getvalue()
    terminal.getvalue().encode("cp1252")


@pytest.mark.skipif(not HAS_CALLBACKS, reason="scikit-learn has callbacks from 1.9 on")
@pytest.mark.parametrize(
    ("kind", "arguments"),
    [
        (ssc.StatisticalGridSearchCV, {}),
        (ssc.StatisticalGridSearchCV, {"max_time": 1e-9}),
        (ssc.RacingGridSearchCV, {"random_state": 0}),
        (ssc.RacingGridSearchCV, {"random_state": 0, "max_time": 1e-9}),
    ],
)
def test_the_progress_bar_has_one_bar_for_all_blocks(kind, arguments, path, capsys):
    from sklearn.callback import ProgressBar

    arguments = {"ledger": path, "refit": False, **arguments}
    # SVC supports no callbacks, of which scikit-learn warns; with a depth each fit has a bar.
    search = kind(LogisticRegression(), GRID, cv=CV, **arguments).set_callbacks(
        ProgressBar(max_propagation_depth=0)
    )
    search.fit(X, y)
    said = capsys.readouterr().out
    assert "block" not in said
    assert set(re.findall(r"#\d+", said)) == {"#0"}  # the search; fits are its leaves
    if "max_time" in arguments:
        assert search.stopped_
    else:
        search.fit(X, y)  # everything is there already
        assert "100%" in capsys.readouterr().out
