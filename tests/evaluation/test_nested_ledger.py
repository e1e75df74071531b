"""The ledger of a nested cross-validation: what is saved, found again and refused."""

import shutil
import warnings

import numpy as np
import pandas as pd
import pytest
from quick import Votes
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, KFold, RepeatedStratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from sklearn_stats_compare import RacingGridSearchCV, StatisticalGridSearchCV, compare, nested_score
from sklearn_stats_compare.search._outer_ledger import OuterLedger

pytestmark = pytest.mark.filterwarnings("ignore:There are only")

X, y = load_iris(return_X_y=True)
CV = RepeatedStratifiedKFold(n_splits=5, n_repeats=1, random_state=0)
GRID = {"gamma": [0.1, 1.0, 10.0]}
FITS = []


class Counted(Votes):
    """Writes down its fits."""

    def fit(self, X, y):
        FITS.append(len(X))
        return super().fit(X, y)


class Stops(ClassifierMixin, BaseEstimator):
    """Cannot be fitted on the first call."""

    tried = 0

    def fit(self, X, y):
        Stops.tried += 1
        if Stops.tried == 1:
            raise ValueError("not yet")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.zeros(len(X), dtype=int)


TREE = Counted()
THEIRS = GridSearchCV(TREE, GRID, cv=3)
OURS = StatisticalGridSearchCV(TREE, GRID, cv=3)


def fits_of(call):
    FITS.clear()
    return call(), len(FITS)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """What a first run of OURS gave, and its folder, which no test may change."""
    folder = tmp_path_factory.mktemp("finished")
    first, n_fits = fits_of(lambda: nested_score(OURS, X, y, cv=CV, ledger=folder))
    assert n_fits == 5 * 10
    return first, folder


@pytest.fixture
def folder(finished, tmp_path):
    """The folder of a finished run of OURS."""
    return shutil.copytree(finished[1], tmp_path / "run")


@pytest.mark.parametrize("procedure", [THEIRS, OURS, make_pipeline(StandardScaler(), OURS)])
def test_a_finished_run_is_read_from_its_folder(tmp_path, procedure):
    first, n_fits = fits_of(lambda: nested_score(procedure, X, y, cv=CV, ledger=tmp_path))
    assert n_fits == 5 * 10
    again, n_fits = fits_of(lambda: nested_score(procedure, X, y, cv=CV, ledger=tmp_path))
    assert (n_fits, again.n_reused, first.n_reused) == (0, 5, 0)
    pd.testing.assert_frame_equal(again.scores, first.scores)
    intervals = [found.confidence_interval(method="samples") for found in (first, again)]
    assert intervals[0] == intervals[1]
    assert str(again) == str(first)
    np.testing.assert_array_equal(first.scores["accuracy"], cross_val_score(procedure, X, y, cv=CV))


def test_a_search_within_goes_on_where_it_was(folder):
    """Its outer fit was not saved, but its own fits were: only the refit is missing."""
    (folder / "outer.sqlite").unlink()
    found, n_fits = fits_of(lambda: nested_score(OURS, X, y, cv=CV, ledger=folder))
    assert found.n_reused == 0
    # Each search fits at most four saved cells again, to see that they are reproducible.
    assert n_fits <= 5 * (1 + 4)
    within = [path for path in folder.iterdir() if path.name != "outer.sqlite"]
    assert len(within) == 5
    # They are ledgers like others.
    assert compare(within[0]).scores.n_candidates == 3


def test_a_ledger_of_the_users_own_stays(tmp_path):
    own = StatisticalGridSearchCV(TREE, GRID, cv=3, ledger=tmp_path / "own.sqlite")
    nested_score(own, X, y, cv=CV, ledger=tmp_path / "run")
    assert [path.name for path in (tmp_path / "run").iterdir()] == ["outer.sqlite"]


def test_a_race_within(tmp_path):
    race = RacingGridSearchCV(TREE, GRID, cv=4, random_state=0)
    first, again = (nested_score(race, X, y, cv=CV, ledger=tmp_path) for _ in range(2))
    pd.testing.assert_frame_equal(again.scores, first.scores)


def test_further_procedures_and_intervals_fit_only_what_is_missing(folder):
    both = {"line": LogisticRegression(max_iter=500), "ours": OURS}
    found, n_fits = fits_of(lambda: nested_score(both, X, y, cv=CV, ledger=folder))
    assert n_fits == 0
    assert found.results["line"].n_reused == 0
    assert found.results["ours"].n_reused == 5
    intervals = []
    for expected in ((10 * 10, 5), (0, 15)):  # a search without each pair of folds
        found, n_fits = fits_of(
            lambda: nested_score(OURS, X, y, cv=CV, ledger=folder, interval="bates")
        )
        assert (n_fits, found.n_reused) == expected
        intervals.append(found.confidence_interval())
    assert intervals[0] == intervals[1]


def test_unseeded_splits_are_those_of_the_first_run(tmp_path):
    cv = KFold(4, shuffle=True)
    first = nested_score(OURS, X, y, cv=cv, ledger=tmp_path)
    again, n_fits = fits_of(lambda: nested_score(OURS, X, y, cv=cv, ledger=tmp_path))
    assert n_fits == 0
    pd.testing.assert_frame_equal(again.scores, first.scores)
    with pytest.raises(ValueError, match="4 splits that are not the 5 of this `cv`"):
        nested_score(OURS, X, y, cv=KFold(5, shuffle=True), ledger=tmp_path)


def test_a_failed_fit_is_tried_again(tmp_path):
    Stops.tried = 0
    with pytest.warns(match="1 of 5 fits failed"):
        nested_score(Stops(), X, y, cv=CV, ledger=tmp_path)
    found = nested_score(Stops(), X, y, cv=CV, ledger=tmp_path)
    assert (found.n_reused, Stops.tried) == (4, 6)
    assert np.isfinite(found.score)


def test_other_data_get_their_own_section_and_other_settings_are_refused(finished, folder):
    other, n_fits = fits_of(lambda: nested_score(OURS, X + 1, y, cv=CV, ledger=folder))
    assert n_fits > 0
    assert other.n_reused == 0
    with pytest.raises(ValueError, match=r"`ledger` must belong to this search.*`scoring`"):
        nested_score(OURS, X, y, cv=CV, ledger=folder, scoring="balanced_accuracy")
    again, n_fits = fits_of(lambda: nested_score(OURS, X, y, cv=CV, ledger=folder))
    assert n_fits == 0
    pd.testing.assert_frame_equal(again.scores, finished[0].scores)


def test_what_is_no_folder_of_a_run_is_refused(tmp_path):
    file = tmp_path / "outer.sqlite"
    file.write_text("not a ledger")
    for ledger, message in (
        ("", "`ledger` must be the path of a folder"),
        (3, "`ledger` must be the path of a folder"),
        (file, "must be the path of a folder; got"),
        (tmp_path, r"outer\.sqlite"),
    ):
        with pytest.raises(ValueError, match=message):
            nested_score(OURS, X, y, cv=CV, ledger=ledger)


def test_a_folder_in_use(tmp_path):
    given = {"groups": None}
    book = OuterLedger(tmp_path, {"a": OURS}, X, y, given, scoring="accuracy", error_score=np.nan)
    try:
        with pytest.raises(RuntimeError, match=r"using it|in use"):
            nested_score(OURS, X, y, cv=CV, ledger=tmp_path)
    finally:
        book.close()


def test_a_search_whose_ledger_is_in_use_runs_without_it(tmp_path, monkeypatch):
    """A worker of a killed run may hold it until its fit ends."""
    monkeypatch.setattr(OuterLedger, "is_in_use", staticmethod(lambda path: True))
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        warnings.filterwarnings("ignore", message="There are only")
        found = nested_score(OURS, X, y, cv=CV, ledger=tmp_path)
    assert np.isfinite(found.score)
    assert [path.name for path in tmp_path.iterdir()] == ["outer.sqlite"]


def test_verbose_shows_one_line_of_all_outer_fits(tmp_path, capsys):
    nested_score({"a": OURS, "b": THEIRS}, X, y, cv=CV, ledger=tmp_path, verbose=1)
    said = capsys.readouterr().out
    assert "Fitting 2 procedures on 5 outer splits" in said
    assert "nested_score - fit" in said
    assert "(10 of 10 fits)" in said


class ScoresNothing(DecisionTreeClassifier):
    """Its predictions fail on the first calls."""

    tried = 0

    def predict(self, X, check_input=True):
        ScoresNothing.tried += 1
        if ScoresNothing.tried <= 5:
            raise MemoryError("no memory")
        return super().predict(X, check_input)


def test_a_score_that_failed_is_tried_again(tmp_path):
    ScoresNothing.tried = 0
    with pytest.warns(UserWarning, match="Scoring failed"):
        first = nested_score(ScoresNothing(random_state=0), X, y, cv=CV, ledger=tmp_path)
    assert np.isnan(first.score)
    again = nested_score(ScoresNothing(random_state=0), X, y, cv=CV, ledger=tmp_path)
    assert again.n_reused == 0
    assert np.isfinite(again.score)


def test_numbers_of_jobs_are_no_other_procedure(folder):
    other = StatisticalGridSearchCV(TREE, GRID, cv=3, n_jobs=1, verbose=0, pre_dispatch=3)
    assert nested_score(other, X, y, cv=CV, ledger=folder).n_reused == 5
