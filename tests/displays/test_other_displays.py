"""Displays of races, learning curves, ROC curves and subgroups: they plot what was computed."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from readable import boxes_of
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score, roc_curve
from sklearn.model_selection import RepeatedStratifiedKFold, ShuffleSplit
from sklearn.svm import SVC

import sklearn_stats_compare as ssc
from sklearn_stats_compare.displays import (
    LearningCurveComparisonDisplay,
    RaceDisplay,
    RocComparisonDisplay,
    SubgroupDisplay,
)
from sklearn_stats_compare.evaluation import compare_learning_curves
from sklearn_stats_compare.stats import SampleScores, delong


@pytest.fixture(scope="module")
def raced(moons_data):
    cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=3, random_state=0)
    grid = {"gamma": [1e-9, 1e-8, 0.1, 0.5, 1, 2, 5, 1e5], "C": [1, 10]}
    return ssc.RacingGridSearchCV(SVC(), grid, cv=cv, interim="splits", random_state=0).fit(
        *moons_data
    )


def test_the_legend_of_a_race_says_what_labels_are_made_of(raced):
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


def test_the_title_of_a_race_counts_and_its_looks_are_marked(raced):
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


def test_a_race_is_drawn_on_given_axes_and_again(raced):
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
        RaceDisplay.from_search(ssc.RacingGridSearchCV(SVC(), {}))


def test_few_candidates_are_shown_whole_and_the_scorer_is_named(moons_data):
    options = {"cv": ShuffleSplit(30, random_state=0), "scoring": "roc_auc", "random_state": 0}
    race = ssc.RacingGridSearchCV(SVC(), {"gamma": [1e-9, 0.5, 1e5]}, **options).fit(*moons_data)
    for metric in (None, "roc_auc"):
        display = RaceDisplay.from_search(race, metric=metric)
        assert display.ax_.get_ylabel() == "mean roc_auc so far"
    assert "below the picture" not in display.ax_.get_title(loc="left")


def test_a_race_without_a_finite_score_says_so():
    means = pd.DataFrame(np.full((2, 10), np.nan), index=["a", "b"], columns=range(1, 11))
    display = RaceDisplay(means, [True, True], looks=[5], n_fits=20, n_fits_full=20).plot()
    assert display.ax_.texts[0].get_text() == "no finite score"
    assert display.ax_.get_yticks().size == 0


X, y = make_classification(n_samples=300, n_features=5, random_state=0)
MODELS = {"logistic": LogisticRegression(), "never_$": DummyClassifier()}


@pytest.fixture(scope="module")
def compared():
    return compare_learning_curves(MODELS, X, y, cv=10, random_state=0)


def test_lines_bands_and_points_are_the_tables(compared):
    display = LearningCurveComparisonDisplay.from_learning_curves(compared)
    frame = display.frame()
    own = frame[compared.curves.columns]
    pd.testing.assert_frame_equal(own, compared.curves, check_exact=True)
    line = next(line for line in display.ax_.lines if line.get_linestyle() == "-")
    own = frame.loc[frame["model"] == "logistic", ["n_train", "mean"]]
    np.testing.assert_array_equal(line.get_xydata(), own)
    assert len(display.ax_.collections) == 2
    full = compared.comparisons[270]
    last = frame[frame["n_train"] == 270].set_index("model")["may_be_best"]
    assert set(last[last].index) == set(full.possibly_best()["label"])
    assert display.ax_.get_xscale() == "log"
    ticks = [text.get_text() for text in display.ax_.get_xticklabels()]
    assert ticks == ["16", "33", "67", "135", "270"]
    assert "95 % intervals" in display.ax_.get_title(loc="left")


def test_sizes_without_scores_are_named_and_equal_steps_are_linear():
    rare = np.r_[np.ones(12, dtype=int), np.zeros(288, dtype=int)]
    with pytest.warns(ssc.ComparisonWarning, match="a class is missing"):
        compared = compare_learning_curves(
            MODELS, X, rare, cv=10, schedule=[5, 100, 200, 270], random_state=0
        )
    display = LearningCurveComparisonDisplay.from_learning_curves(compared)
    assert display.ax_.get_xscale() == "linear"
    assert display.ax_.get_title(loc="left").endswith("no scores with 5 training samples")


def test_many_models_have_different_styles_and_axes_are_accepted(compared):
    frame = LearningCurveComparisonDisplay.from_learning_curves(compared).frame()
    several = [frame.assign(model=f"model {k}") for k in range(8)]
    _, ax = plt.subplots()
    display = LearningCurveComparisonDisplay(pd.concat(several)).plot(ax=ax, line_kw={"alpha": 0.5})
    assert display.ax_ is ax
    legend = ax.get_legend()
    looks = {(h.get_color(), h.get_marker()) for h in legend.legend_handles}
    assert len(looks) == 8
    assert len(ax.containers) == 8  # bars in place of bands


TRUTH = np.repeat([0, 1], [60, 40])
SCORES = TRUTH + np.random.default_rng(0).normal(size=(2, 100)) * np.array([[0.6], [1.5]])


def test_both_curves_both_areas_and_the_difference():
    display = RocComparisonDisplay.from_predictions(TRUTH, *SCORES, names=["svm", "knn"])
    found = delong(TRUTH, *SCORES)
    legend = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert legend == [
        f"svm: AUC {roc_auc_score(TRUTH, SCORES[0]):.3f}",
        f"knn: AUC {roc_auc_score(TRUTH, SCORES[1]):.3f}",
    ]
    low, high = found.confidence_interval()
    assert display.ax_.get_title(loc="left") == (
        f"AUC difference {found.difference:+.3f}, p = {found.pvalue:.3f}\n"
        f"95 % interval {low:+.3f} to {high:+.3f}"
    )
    drawn = {line.get_label(): line.get_xydata() for line in display.ax_.lines}
    expected = roc_curve(TRUTH, SCORES[0], drop_intermediate=False)[:2]
    np.testing.assert_allclose(drawn[legend[0]].T, expected, atol=1e-12)


def test_the_frame_holds_the_points_of_roc_curves():
    with pytest.raises(ValueError, match="`result` must be what `delong` returned; got None"):
        RocComparisonDisplay.from_result(None)
    display = RocComparisonDisplay.from_result(delong(TRUTH, *SCORES))
    frame = display.frame()
    assert list(frame.columns) == ["model", "false_positive_rate", "true_positive_rate"]
    second = frame[frame["model"] == "model 2"]
    assert second["true_positive_rate"].is_monotonic_increasing
    assert second.iloc[-1].tolist() == ["model 2", 1, 1]


@pytest.mark.parametrize("size", [8, 18])
def test_nothing_of_roc_curves_is_cut_off(size):
    names = ["a very long name of a first model, longer than the picture", "$second_"]
    options = {"names": names, "confidence_level": 0.9}
    with plt.rc_context({"font.size": size}):
        display = RocComparisonDisplay.from_predictions(TRUTH, *SCORES, **options)
        display.figure_.canvas.draw()
        assert "90 % interval" in display.ax_.get_title(loc="left")
        for box in boxes_of([display.ax_._left_title, *display.ax_.get_legend().get_texts()]):
            assert box.x0 >= 0
            assert box.x1 <= display.figure_.bbox.x1
            assert box.y1 <= display.figure_.bbox.y1


def test_given_axes_style_and_refusals_of_roc_curves():
    certain = RocComparisonDisplay.from_predictions(TRUTH, TRUTH, SCORES[1])
    assert "p < 0.001" in certain.ax_.get_title(loc="left")
    _, ax = plt.subplots()
    display = RocComparisonDisplay.from_predictions(TRUTH, *SCORES, ax=ax, confidence_level=0.5)
    assert display.ax_ is ax
    assert display.plot(line_kw={"linewidth": 5}).ax_.lines[-1].get_linewidth() == 5
    with pytest.raises(ValueError, match="`confidence_level`"):
        RocComparisonDisplay(display.result, confidence_level=95).plot()
    with pytest.raises(ValueError, match="`y_true` must have two classes"):
        RocComparisonDisplay.from_predictions(np.ones(100), *SCORES)


GROUPS = np.repeat(["small", "large", "rare"], [90, 100, 10])  # 10 < min_samples = 30


@pytest.fixture
def make_subgrouped():
    """Comparison of m candidates on 200 samples in five folds, each 0.3 behind the one before."""

    def of(m):
        noise = np.random.default_rng(0).normal(size=(m, 1, 200))
        values = noise - 0.3 * np.arange(m)[:, None, None]
        design = ssc.SplitDesign([160] * 5, [40] * 5, [0] * 5)
        splits = values.reshape(m, 5, 40).mean(axis=2)
        scores = ssc.SplitScores(splits, design, SampleScores(values, 5))
        return ssc.Comparison(scores, list("abc"[:m]), test="samples", rope=0.1)

    return of


def test_the_frame_of_subgroups_is_the_table_after_the_rows_of_all_samples(make_subgrouped):
    subgroups = make_subgrouped(3).by(GROUPS)
    frame = SubgroupDisplay(subgroups).frame()
    assert frame["group"].isna().tolist() == [True] * 2 + [False] * 6
    assert frame["n_samples"].tolist() == [200] * 2 + subgroups.table["n_samples"].tolist()
    np.testing.assert_array_equal(frame["mean_diff"][:2], subgroups.overall["mean_diff"])
    np.testing.assert_array_equal(frame["mean_diff"][2:], subgroups.table["mean_diff"])


def test_every_difference_that_was_tested_is_drawn_at_its_label(make_subgrouped):
    display = SubgroupDisplay.from_comparison(make_subgrouped(3), GROUPS)
    labels = [tick.get_text() for tick in display.ax_.get_yticklabels()]
    sizes = {"small": "90", "large": "100", "rare": "10, too few"}
    order = [f"{name} ({sizes[name]})" for name in display.subgroups.table["group"].unique()]
    assert labels == ["b: all samples (200)", *order, "c: all samples (200)", *order]
    at = dict(zip(labels[:4], display.ax_.get_yticks(), strict=False))
    points = {
        float(y): float(x)
        for bar in display.ax_.containers
        for x, y in zip(*bar.lines[0].get_data(), strict=True)
    }
    assert len(points) == 6  # two rivals × (all samples, small, large)
    overall = display.subgroups.overall.iloc[0]
    assert points[at["b: all samples (200)"]] == pytest.approx(overall["mean_diff"])
    assert at["rare (10, too few)"] not in points


def test_rivals_left_out_are_counted(make_subgrouped):
    display = SubgroupDisplay.from_comparison(make_subgrouped(3), GROUPS, top=1)
    assert display.ax_.get_title(loc="left") == "and 1 other not shown"
    assert len(display.ax_.get_yticks()) == 4


def test_subgroups_are_drawn_on_given_axes_and_raise_without_a_rival(make_subgrouped):
    _, ax = plt.subplots()
    assert SubgroupDisplay.from_comparison(make_subgrouped(2), GROUPS, ax=ax).ax_ is ax
    with pytest.raises(ValueError, match="The leader needs another candidate"):
        SubgroupDisplay.from_comparison(make_subgrouped(1), GROUPS)
