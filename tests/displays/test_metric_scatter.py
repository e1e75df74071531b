"""MetricScatterDisplay: it draws the means and the possibly-Pareto set; names do not collide."""

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from readable import assert_apart, assert_within, boxes_of, slow
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB

import sklearn_stats_compare as ssc
from sklearn_stats_compare.displays import MetricScatterDisplay
from sklearn_stats_compare.displays._base import spread


def comparisons_of(m, label="C={}", n=20, noise=0.03):
    rng = np.random.default_rng(0)
    at = rng.random(m)
    means = {"roc_auc": 0.9 - 0.1 * at**2, "recall": 0.7 + 0.1 * at - 0.15 * rng.random(m)}
    design = ssc.SplitDesign([90] * n, [10] * n)
    return {
        name: ssc.Comparison(
            ssc.SplitScores(own[:, None] + noise * rng.standard_normal((m, n)), design),
            [label.format(i) for i in range(m)],
            metric=name,
        )
        for name, own in means.items()
    }


SHORT, LONG = "C={}", "C={}, gamma=0.001, kernel=rbf, class_weight=balanced"


@pytest.mark.parametrize(
    ("n_candidates", "label"),
    [
        *((1, LONG), (5, SHORT), (200, LONG)),
        *(slow(n, SHORT) for n in (1, 2, 60, 200)),
        *(slow(n, LONG) for n in (2, 5, 60)),
    ],
)
def test_names_neither_overlap_nor_leave_the_picture(n_candidates, label):
    comparisons = comparisons_of(n_candidates, label)
    display = MetricScatterDisplay.from_comparisons(comparisons, "roc_auc", "recall")
    display.figure_.canvas.draw()
    boxes = boxes_of(display.ax_.texts)
    assert len(boxes) == min(8, len(ssc.possibly_pareto(comparisons, ["roc_auc", "recall"])))
    assert_within(display.figure_, [*boxes, display.ax_.get_legend().get_window_extent()], "x")
    assert_apart(boxes)


def test_names_have_room_in_axes_of_your_own():
    figure, axes = plt.subplots(1, 2, figsize=(9, 3), layout="constrained")
    before = dict(matplotlib.rcParams)
    draw, options = MetricScatterDisplay.from_comparisons, {"ax": axes[1], "top": 8}
    display = draw(comparisons_of(60), "roc_auc", "recall", **options)
    assert dict(matplotlib.rcParams) == before
    assert display.ax_ is axes[1]
    figure.canvas.draw()
    boxes = boxes_of(display.ax_.texts)
    assert len(boxes) == 8
    assert all(box.x1 <= figure.bbox.width for box in boxes)
    assert_apart(boxes)


def test_it_draws_the_means_their_intervals_and_the_set():
    comparisons = comparisons_of(30, noise=0.01)
    display = MetricScatterDisplay.from_comparisons(comparisons, "roc_auc", "recall", rope=0.01)
    frame = display.frame()
    members = ssc.possibly_pareto(comparisons, ["roc_auc", "recall"], rope=0.01)
    assert frame[frame["in_set"]].index.tolist() == members.index.tolist()
    for axis, name in (("x", "roc_auc"), ("y", "recall")):
        own = comparisons[name].ranking().loc[frame.index]
        np.testing.assert_allclose(frame[name], own["mean"])
        np.testing.assert_allclose(frame[f"{axis}_low"], own["ci_low"])
        np.testing.assert_allclose(frame[f"{axis}_high"], own["ci_high"])
    out = frame[~frame["in_set"]]
    assert len(out)
    assert set(out["rival"]) <= set(members["label"])
    drawn = np.vstack([line.get_xydata() for line in display.ax_.lines if len(line.get_xydata())])
    expected = frame[["roc_auc", "recall"]].to_numpy()
    np.testing.assert_allclose(drawn[np.lexsort(drawn.T)], expected[np.lexsort(expected.T)])
    named = {text.get_text() for text in display.ax_.texts if text.get_text()}
    assert named <= set(members["label"])


def test_times_of_searches_and_wide_ranges():
    scoring = ["accuracy", "neg_log_loss"]
    search, theirs = (
        kind(
            GaussianNB(), {"var_smoothing": [1e-9, 1e-2, 1.0]}, cv=10, scoring=scoring, refit=False
        )
        for kind in (ssc.StatisticalGridSearchCV, GridSearchCV)
    )
    search.fit(*load_iris(return_X_y=True)).cv_results_["mean_fit_time"] = np.array(
        [0.001, 0.02, 1]
    )
    search.cv_results_["std_fit_time"] = np.array([0.01, 0.001, 0.1])
    display = MetricScatterDisplay.from_search(search, "mean_fit_time", "accuracy")
    assert display.ax_.get_xscale() == "log"
    assert display.ax_.get_yscale() == "linear"
    assert display.ax_.get_xlim()[0] == pytest.approx(0.0005)
    assert "in seconds (lower is better)" in display.ax_.get_xlabel()
    assert "accuracy (higher is better)" in display.ax_.get_ylabel()
    assert display.frame()["x_low"].min() == 0
    assert display.plot() is display
    theirs.fit(*load_iris(return_X_y=True))
    other = MetricScatterDisplay.from_search(theirs, "accuracy", "neg_log_loss", alpha=0.2)
    assert "80 % intervals" in other.ax_.get_xlabel()


def test_nothing_to_draw_and_what_to_call(moons_search):
    design = ssc.SplitDesign([90] * 10, [10] * 10)
    failed = {
        name: ssc.Comparison(ssc.SplitScores(np.full((2, 10), np.nan), design), metric=name)
        for name in ("a", "b")
    }
    with pytest.raises(ValueError, match="nothing to draw: every candidate failed"):
        MetricScatterDisplay.from_comparisons(failed, "a", "b")
    with pytest.raises(TypeError, match=r"draw MetricScatterDisplay\.from_search\(search\)"):
        MetricScatterDisplay(moons_search)
    with pytest.raises(TypeError, match="`obj` must be a fitted search, or a mapping"):
        MetricScatterDisplay.from_search(3, "a", "b")
    with pytest.raises(ValueError, match="`top` must be a whole number"):
        MetricScatterDisplay.from_comparisons(comparisons_of(3), "roc_auc", "recall", top=0)


@given(st.lists(st.floats(-0.5, 1.5), min_size=1, max_size=30), st.floats(0.01, 0.2))
def test_places_of_names_keep_the_order_and_the_gap(heights, gap):
    heights = np.array(heights)
    places = spread(heights, gap)
    assert places.min() >= -1e-9
    assert places.max() <= 1 + 1e-9
    gap = min(gap, 1 / max(len(heights) - 1, 1))
    ordered = places[np.argsort(heights, kind="stable")]
    assert (np.diff(ordered) >= gap - 1e-9).all()


def test_places_that_have_room_are_those_of_the_points():
    heights = np.array([0.9, 0.1, 0.5])
    np.testing.assert_allclose(spread(heights, 0.2), heights)
    # Two at one height move apart by half a gap each.
    np.testing.assert_allclose(spread(np.array([0.5, 0.5]), 0.2), [0.4, 0.6])
