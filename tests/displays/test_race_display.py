"""RaceDisplay: the means that the race saw, and crosses where candidates were dropped."""

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import RepeatedStratifiedKFold, ShuffleSplit
from sklearn.svm import SVC

from sklearn_stats_compare import RacingGridSearchCV

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402

from sklearn_stats_compare.displays import RaceDisplay  # noqa: E402


@pytest.fixture(scope="module")
def raced(moons_data):
    cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=3, random_state=0)
    grid = {"gamma": [1e-9, 1e-8, 0.1, 0.5, 1, 2, 5, 1e5], "C": [1, 10]}
    return RacingGridSearchCV(SVC(), grid, cv=cv, look="splits", random_state=0).fit(*moons_data)


def test_the_legend_says_what_labels_are_made_of(raced):
    title = RaceDisplay.from_search(raced).ax_.get_legend().get_title().get_text()
    assert " ".join(title.split()).endswith("candidates are named C_gamma")


def test_lines_end_at_the_means_of_survivors_and_where_others_were_dropped(raced):
    frame = RaceDisplay.from_search(raced).frame()
    assert frame.shape == (16, 30)
    results = raced.cv_results_
    by_label = dict(zip(raced.race_labels_, range(16), strict=True))
    for label, row in frame.iterrows():
        candidate = by_label[label]
        assert row.notna().sum() == results["n_splits_evaluated"][candidate]
        assert row.notna().to_numpy()[: row.notna().sum()].all()
        if np.isnan(results["eliminated_at"][candidate]):
            assert row.iloc[-1] == pytest.approx(results["mean_test_score"][candidate])
    assert frame.index[0] == raced.comparison_.leader
    first = [results[f"split{raced.race_order_[0]}_test_score"][by_label[i]] for i in frame.index]
    np.testing.assert_array_equal(frame[1], first)


def test_the_title_counts_and_the_looks_are_marked(raced):
    display = RaceDisplay.from_search(raced)
    dropped = int((~np.isnan(raced.cv_results_["eliminated_at"])).sum())
    title = display.ax_.get_title(loc="left")
    assert title.startswith(f"{dropped} of 16 candidates dropped (×), ")
    assert f"{raced.n_fits_ / 480:.0%} of the fits" in title
    markers = [line.get_marker() for line in display.ax_.lines]
    n_below = markers.count("v")  # an arrow stands for a cross below the picture
    assert markers.count("x") + n_below == dropped
    assert ("below the picture" in title) == (n_below > 0)
    assert display.looks == [5, 10, 15, 20, 25]


def test_it_draws_on_given_axes_and_again(raced):
    _, axes = plt.subplots(1, 2)
    display = RaceDisplay.from_search(raced, ax=axes[1], line_kw={"linewidth": 4})
    assert display.ax_ is axes[1]
    assert display.plot() is display
    assert display.ax_ is not axes[1]


def test_a_search_that_is_not_a_race_raises_an_error_that_explains_why(raced, moons_search):
    with pytest.raises(TypeError, match=r"`search` must be a fitted race.*StatisticalGridSearchCV"):
        RaceDisplay.from_search(moons_search)
    with pytest.raises(ValueError, match="`metric` must be one that was scored; got 'f1'"):
        RaceDisplay.from_search(raced, metric="f1")
    with pytest.raises(ValueError, match="`search` must be fitted"):
        RaceDisplay.from_search(RacingGridSearchCV(SVC(), {}))


def test_few_candidates_are_shown_whole_and_the_scorer_is_named(moons_data):
    race = RacingGridSearchCV(
        SVC(), {"gamma": [1e-9, 0.5, 1e5]}, cv=ShuffleSplit(30, random_state=0), scoring="roc_auc",
        random_state=0,
    ).fit(*moons_data)  # fmt: skip
    for metric in (None, "roc_auc"):
        display = RaceDisplay.from_search(race, metric=metric)
        assert display.ax_.get_ylabel() == "mean roc_auc so far"
    assert "below the picture" not in display.ax_.get_title(loc="left")


def test_a_race_without_a_finite_score_says_so():
    means = pd.DataFrame(np.full((2, 10), np.nan), index=["a", "b"], columns=range(1, 11))
    display = RaceDisplay(means, [True, True], looks=[5], n_fits=20, n_fits_full=20).plot()
    assert display.ax_.texts[0].get_text() == "no finite score"
