"""Displays made in a way that looks right and is not: the error says which call is."""

import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB

from sklearn_stats_compare import RacingGridSearchCV, StatisticalGridSearchCV, compare
from sklearn_stats_compare.displays import (
    PICTURES,
    LeaderDisplay,
    LearningCurveComparisonDisplay,
    RaceDisplay,
)

NEEDED = {"parameter_profile": {"parameter": "kernel"}}
GRID = {"var_smoothing": [1e-9, 1e-2]}


@pytest.fixture(scope="module")
def theirs():
    return GridSearchCV(GaussianNB(), GRID, cv=10).fit(*load_iris(return_X_y=True))


@pytest.mark.parametrize("kind", PICTURES)
def test_a_search_of_scikit_learn_is_compared_first(theirs, kind):
    display = PICTURES[kind]
    advice = rf"{display.__name__}\.from_comparison\(compare\(search\)\)"
    for call in (display.from_search, display):
        with pytest.raises(TypeError, match=f"got GridSearchCV.*{advice}"):
            call(theirs)
    with pytest.raises(TypeError, match=r"got GridSearchCV.*from_comparison\(compare\(search\)\)"):
        display.from_comparison(theirs, **NEEDED.get(kind, {}))


def test_the_advice_of_the_error_works(theirs):
    assert LeaderDisplay.from_comparison(compare(theirs)).figure_


@pytest.mark.parametrize("kind", PICTURES)
def test_a_comparison_is_drawn_by_from_comparison(moons_comparison, kind):
    display = PICTURES[kind]
    advice = rf"got Comparison\. Of a comparison draw {display.__name__}\.from_comparison"
    for call in (display.from_search, display):
        with pytest.raises(TypeError, match=advice):
            call(moons_comparison)


@pytest.mark.parametrize("kind", PICTURES)
def test_a_search_is_drawn_by_from_search(moons_search, kind):
    display = PICTURES[kind]
    advice = rf"Of a search draw {display.__name__}\.from_search\(search\)"
    with pytest.raises(TypeError, match=advice):
        display(moons_search)
    with pytest.raises(TypeError, match=advice):  # also before its fit, which comes first
        display(StatisticalGridSearchCV(GaussianNB(), GRID))
    with pytest.raises(TypeError, match=advice):
        display(table=moons_search)
    with pytest.raises(TypeError, match=r"`comparison` must be a Comparison.*with from_search"):
        display.from_comparison(moons_search, **NEEDED.get(kind, {}))


def test_a_race_has_its_own_display(theirs):
    with pytest.raises(TypeError, match=r"draw RaceDisplay\.from_search\(search\)"):
        RaceDisplay(RacingGridSearchCV(GaussianNB(), GRID))
    with pytest.raises(TypeError, match="must be a fitted race, such as RacingGridSearchCV"):
        RaceDisplay.from_search(theirs)


@pytest.mark.parametrize("obj", [None, 3, "search", [1], {"a": 1}, GridSearchCV, GaussianNB()])
def test_other_objects_get_no_advice_that_fails(obj):
    with pytest.raises(TypeError) as error:
        LeaderDisplay.from_search(obj)
    assert str(error.value).endswith(f"got {type(obj).__name__}.")
    with pytest.raises(TypeError, match="rope"):  # Python's own
        LeaderDisplay(obj)


def test_data_with_columns_of_these_names_are_data():
    frame = pd.DataFrame({"comparison_": [1.0], "cv_results_": 2.0, "estimator": 3.0, "cv": 4.0})
    assert LearningCurveComparisonDisplay(frame).curves is frame


def test_a_display_that_reads_no_comparison_gives_no_such_advice(moons_comparison):
    display = LearningCurveComparisonDisplay(moons_comparison)  # as before: it looks when it draws
    assert display.curves is moons_comparison
