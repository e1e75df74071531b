"""What newcomers stumbled over, on a search: cuts, drawn candidates, words and numbers."""

import inspect

import numpy as np
import pytest
from counted import Stops
from scipy.stats import loguniform
from sklearn.datasets import load_iris, make_classification
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.tree import DecisionTreeClassifier

import sklearn_stats_compare as ssc
from sklearn_stats_compare.displays import LeaderDisplay, RaceDisplay
from sklearn_stats_compare.reports import report

X, y = load_iris(return_X_y=True)
DEPTHS = {"max_depth": [1, 2, 3, 4]}
TREE = DecisionTreeClassifier(random_state=0)

pytestmark = pytest.mark.filterwarnings(
    "ignore:There (are|is) only", "ignore:Only 1 of 4 candidates ran"
)


def test_a_randomized_search_without_seed_reuses_what_its_ledger_has(tmp_path, monkeypatch):
    def search(path):
        return ssc.StatisticalRandomizedSearchCV(
            Stops(), {"gamma": loguniform(1e-3, 1)}, n_iter=4, cv=5, ledger=path, refit=False
        )

    path = tmp_path / "night.sqlite"
    monkeypatch.setattr(Stops, "n_left", 8)
    with pytest.raises(KeyboardInterrupt) as caught:
        search(path).fit(X, y)
    assert "8 fits of this search are in its `ledger`" in caught.value.__notes__[0]
    monkeypatch.setattr(Stops, "n_left", 100)
    resumed = search(path).fit(X, y)
    assert resumed.n_reused_ == 8
    other = search(tmp_path / "other.sqlite").fit(X, y)
    assert other.cv_results_["params"] != resumed.cv_results_["params"]


@pytest.fixture(scope="module")
def cut():
    return ssc.StatisticalGridSearchCV(TREE, DEPTHS, cv=5, max_time=1e-9).fit(X, y)


def test_after_a_cut_the_next_step_is_to_finish(cut):
    assert cut.stopped_
    assert cut.comparison_.next_step().startswith("Finish the search: call `fit` again")
    assert str(cut.recommend()).splitlines()[-1].startswith("Finish the search")


def test_one_split_excludes_no_candidate(cut):
    assert len(cut.possibly_best_) == cut.comparison_.scores.n_candidates > 0


def test_the_cut_is_named_where_samples_cannot_be_tested(cut):
    with pytest.raises(ValueError, match=r"whole repeats\. The search was cut: max_time") as caught:
        cut.compare(test="samples")
    assert "overlap" not in str(caught.value)


def test_the_picture_of_a_race_that_was_cut_says_so():
    cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
    race = ssc.RacingGridSearchCV(TREE, DEPTHS, cv=cv, random_state=0, max_time=1e-9).fit(X, y)
    display = RaceDisplay.from_search(race)
    title = display.ax_.get_title(loc="left")
    assert "max_time=1e-09 s was over" in title
    assert "100%" not in title
    drawn = [line for line in display.ax_.lines if np.isfinite(line.get_ydata()).any()]
    assert any(line.get_marker() == "o" for line in drawn)


@pytest.fixture(scope="module")
def many():
    data = make_classification(300, random_state=0)
    grid = {
        "max_leaf_nodes": [4, 8, 16, 32, 64, 128, 256],
        "min_samples_leaf": [1, 5, 20],
        "min_impurity_decrease": [0.0, 0.00001],
    }
    search = ssc.StatisticalGridSearchCV(
        TREE, grid, cv=5, scoring=["accuracy", "roc_auc"], refit="accuracy"
    )
    return search.fit(*data)


def test_42_long_names_are_told_apart_with_their_values_in_100_columns(many):
    comparison = many.compare(labels="name=value")
    lines = str(comparison).splitlines()
    rows = lines[lines.index("") + 2 :][:12]
    assert max(map(len, rows)) <= 100
    values = [
        "_".join(str(value) for value in many.cv_results_["params"][i].values())
        for i in comparison.ranking().index[:12]
    ]
    for row, of in zip(rows, values, strict=True):
        assert all(f"={value}" in row for value in of.split("_"))
    display = LeaderDisplay.from_comparison(comparison, top=42)
    names = [text.get_text() for text in display.ax_.get_yticklabels()]
    assert len(set(names)) == 41
    short = LeaderDisplay.from_comparison(comparison, label_width=20).ax_.get_yticklabels()
    assert max(len(text.get_text().removeprefix("★ ")) for text in short) <= 20


def test_prose_names_three_candidates_and_points_to_the_table(many):
    text = report({name: many.compare(metric=name) for name in ("accuracy", "roc_auc")})
    beginnings = ("42 candidates", "By ", "The leader's mean")
    prose = [part for part in text.split("\n\n") if part.startswith(beginnings)]
    assert len(prose) == 5  # methods, and two paragraphs for each metric
    assert (
        sum(part.count("more in the table") for part in map(" ".join, map(str.split, prose))) == 4
    )
    assert sum(len(part.split()) for part in prose) <= 500


def test_results_print_sentences():
    comparison = ssc.StatisticalGridSearchCV(TREE, DEPTHS, cv=10).fit(X, y).comparison_
    assert str(comparison.optimism(rng=0)).startswith("The leader's mean of 0.9")
    said = str(comparison.posterior("3", "1"))
    assert said.startswith("3 − 1: 0.")
    assert "worse with probability" in said


def test_help_shows_the_name_of_the_default_test():
    for thing in (ssc.Comparison, ssc.cross_validate_models):
        assert inspect.signature(thing).parameters["test"].default == "corrected_t"


def test_two_splits_cannot_tell():
    search = ssc.StatisticalGridSearchCV(TREE, DEPTHS, cv=2).fit(X, y)
    assert "two splits cannot tell" in " ".join(str(search.comparison_).split())


def test_means_that_differ_by_rounding_are_tied():
    values = np.array([[0.1] * 3 + [0.2] * 9, [0.2] * 9 + [0.1] * 3])
    scores = ssc.SplitScores(values, ssc.SplitDesign([90] * 12, [10] * 12))
    assert ssc.Comparison(scores).shortfall()["behind"].tolist() == [0.0, 0.0]
