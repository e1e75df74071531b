"""Heat maps over two hyper-parameters: cells, marks, and where there are none."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from readable import assert_within
from sklearn.svm import SVC

from sklearn_stats_compare import Comparison, SplitDesign, SplitScores, StatisticalGridSearchCV
from sklearn_stats_compare.displays import ParameterHeatmapDisplay, _base
from sklearn_stats_compare.reports import report

GRID = [{"C": c, "kernel": k} for c in (10, 0.1, 1.0) for k in ("rbf", "linear")]
# Rows as GRID: the leader is C=1, rbf; C=10, rbf is far behind it, and C=10, linear is its twin.
MEANS = [0.7, 0.9, 0.86, 0.84, 0.9, 0.85]


def comparison_of(params, means, failed=(), **settings):
    noise = np.random.default_rng(0).normal(0, 0.02, (len(means), 20))
    if len(means) > 4:
        noise[1] = noise[4] - 1e-4
    values = np.array(means)[:, None] + noise
    values[list(failed), 3] = np.nan
    scores = SplitScores(values, SplitDesign([90] * 20, [10] * 20))
    return Comparison(scores, params=params, **settings)


def test_a_cell_is_the_mean_and_the_verdict_of_its_candidate():
    comparison = comparison_of(GRID, MEANS)
    display = ParameterHeatmapDisplay.from_comparison(comparison)
    # Numbers ascend, 1 and 1.0 are one place; the kernels keep the grid's order.
    assert display.means.columns.tolist() == ["0.1", "1.0", "10"]
    assert display.means.index.tolist() == ["rbf", "linear"]
    frame = display.frame().set_index("label")
    ranking = comparison.ranking().set_index("label")
    assert frame["mean"].to_dict() == ranking["mean"].to_dict()
    verdicts = comparison.against().set_index("model_2")["verdict"].astype(str).to_dict()
    assert frame["verdict"].to_dict() == {**verdicts, "1.0_rbf": "leader"}
    assert frame.loc["10_rbf", "verdict"] == "better"
    assert frame.loc["10_linear", "verdict"] == "equivalent"
    words = {text.get_text().split(" ")[-1] for text in display.ax_.texts}
    assert {"★", "=", "−"} <= words
    title = display.ax_.get_title(loc="left")
    assert "★ leader" in title
    assert "− worse" in title
    assert "×" not in title


def test_numbers_of_both_axes_ascend_from_the_lower_left():
    params = [{"C": c, "gamma": g} for c in (1, 100) for g in (0.1, 10)]
    display = ParameterHeatmapDisplay.from_comparison(comparison_of(params, [0.9, 0.8, 0.7, 0.6]))
    assert display.means.index.tolist() == ["10", "0.1"]
    assert display.means.columns.tolist() == ["1", "100"]
    assert display.means.iloc[1, 0] == display.means.to_numpy().max()


def test_the_best_of_several_candidates_is_shown_and_said_so():
    params = [{**candidate, "shrinking": s} for s in (True, False) for candidate in GRID]
    comparison = comparison_of(params, [*MEANS, *(mean - 0.05 for mean in MEANS)])
    display = ParameterHeatmapDisplay.from_comparison(comparison, "C", "kernel")
    assert len(display.frame()) == 6
    assert display.frame()["label"].str.endswith("True").all()
    assert "the best candidate of each cell" in display.ax_.get_title(loc="left")


def test_failed_candidates_and_pairs_that_were_not_tried_have_no_colour():
    display = ParameterHeatmapDisplay.from_comparison(comparison_of(GRID[:-1], MEANS[:-1], [2]))
    assert display.means.isna().to_numpy().sum() == 2
    assert (display.verdicts == "").to_numpy().sum() == 1
    assert (display.verdicts == "missing").to_numpy().sum() == 1
    assert "× failed" in display.ax_.get_title(loc="left")
    assert len(display.frame()) == 5


def test_a_search_and_given_axes_are_drawn_on(moons_data):
    search = StatisticalGridSearchCV(SVC(), {"C": [0.1, 1], "gamma": [0.1, 1]}, cv=10)
    search.fit(*moons_data)
    _, axes = plt.subplots()
    display = ParameterHeatmapDisplay.from_search(search, ax=axes, image_kw={"cmap": "magma"})
    assert display.ax_ is axes
    assert axes.images[0].get_cmap().name == "magma"
    assert display.plot() is display


def test_a_test_without_standard_errors_has_marks_too():
    values = np.random.default_rng(0).random((6, 10))
    design = SplitDesign([50] * 10, [50] * 10, np.arange(10) // 2, complementary_halves=True)
    comparison = Comparison(SplitScores(values, design), params=GRID, test="5x2cv_f")
    display = ParameterHeatmapDisplay.from_comparison(comparison)
    assert set(display.frame()["verdict"]) <= {"leader", "undecided", "better"}


def test_a_large_grid_has_only_marks_within_the_plot():
    params = [{"a": a, "b" * 90: f"value {b} " * 9} for a in range(20) for b in range(12)]
    means = np.random.default_rng(0).uniform(0.5, 0.9, 240).tolist()
    display = ParameterHeatmapDisplay.from_comparison(comparison_of(params, means))
    display.figure_.canvas.draw()
    axes = display.ax_
    texts = [*axes.get_xticklabels(), *axes.get_yticklabels(), axes.yaxis.label, *axes.texts]
    assert_within(display.figure_, [text.get_window_extent() for text in texts])
    assert {text.get_text() for text in axes.texts} <= {"★", "−", "=", "+"}


SIX = comparison_of(GRID, MEANS)
APART = comparison_of([{"C": 1}, {"C": 2}, {"d": 1}, {"d": 2}], [0.9, 0.8, 0.7, 0.6])


@pytest.mark.parametrize(
    ("comparison", "options", "error", "words"),
    [
        (SIX, {"x": "gamma", "y": "C"}, ValueError, "`x` must be one of C, kernel; got 'gamma'"),
        (SIX, {"x": "C", "y": "C"}, ValueError, "`y` must be another parameter than `x`; got 'C'"),
        (Comparison(SIX.scores), {}, ValueError, "knows no parameters"),
        (comparison_of([{**row, "s": i} for i, row in enumerate(GRID)], MEANS), {}, ValueError,
         r"`x` and `y` must be named where .*; got C, kernel, s"),
        (comparison_of([{"C": 1}] * 2, [0.9, 0.8]), {}, ValueError, "got none to choose from"),
        (APART, {"x": "C", "y": "d"}, ValueError, "No candidate has a value of both 'C' and 'd'"),
        (comparison_of(GRID, MEANS, range(6)), {}, ValueError, "all failed"),
        ([1], {}, TypeError, "`comparison` must be a Comparison"),
        (SIX, {"image_kw": 3}, TypeError, "`image_kw` must be a mapping"),
    ],
)  # fmt: skip
def test_bad_input_is_refused(comparison, options, error, words):
    with pytest.raises(error, match=words):
        ParameterHeatmapDisplay.from_comparison(comparison, **options)


def test_the_page_has_a_heat_map_if_two_parameters_vary(monkeypatch):
    comparison = comparison_of(GRID, MEANS)
    page = report(comparison, "html")
    assert "Means over two parameters" in page
    heat_map = page.partition("<svg")[2].partition("</svg>")[0]
    for mean in comparison.ranking()["mean"]:
        assert f">{mean:.3f}" in heat_map
    assert "★ leader" in heat_map
    monkeypatch.setattr(_base, "as_svg", lambda draw, words: "")  # headings stay
    three = [{**candidate, "s": i % 2} for i, candidate in enumerate(GRID)]
    one = [{"C": c} for c in range(6)]
    # As of a random search: every value once.
    sparse = [{"C": c, "d": c / 7} for c in range(6)]
    for params in (three, one, sparse):
        assert "Means over two parameters" not in report(comparison_of(params, MEANS), "html")
    assert "Means over" not in report(comparison_of(GRID, MEANS), "html", parts=["prose"])


def test_the_heat_map_of_the_page_escapes_names_and_values():
    params = [{"<i>": "<b>", "&": a, "c": 1} for a in ("x", "</svg>")]
    params += [{"<i>": "y", "&": a, "c": 1} for a in ("x", "</svg>")]
    page = report(comparison_of(params, [0.9, 0.8, 0.7, 0.6]), "html")
    assert "Means over two parameters" in page
    assert "<b>" not in page
    assert "<i>" not in page
    assert page.count("<svg") == page.count("</svg>")
