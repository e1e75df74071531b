"""Displays over data sets: they draw the given numbers; texts and bars do not collide."""

from itertools import combinations
from types import SimpleNamespace

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgba
from readable import assert_apart, assert_within, boxes_of, slow
from scipy.stats import rankdata

from sklearn_stats_compare.displays import (
    DATASETS_PICTURES,
    CriticalDifferenceDisplay,
    DatasetDifferencesDisplay,
    DatasetRanksDisplay,
    SimplexDisplay,
)
from sklearn_stats_compare.stats._best import groups_not_different

LONG = "model {}: gamma=0.001, kernel=rbf, class_weight=balanced"


class FakeComparison:
    """The attributes that displays read, of models that are made up."""

    def __init__(self, m=8, n=20, label="model {}", distance=2.0, with_splits=True):
        rng = np.random.default_rng(0)
        self.values = 0.8 + 0.005 * np.arange(m)[::-1, None] + 0.01 * rng.normal(size=(m, n))
        self.labels = tuple(label.format(k) for k in range(m))
        self.datasets = tuple(f"data {k}" for k in range(n))
        self.ranks = rankdata(-self.values, axis=0)
        self.order = np.argsort(self.ranks.mean(axis=1), kind="stable")
        self.metric, self.alpha = "accuracy", 0.05
        self._settings = SimpleNamespace(rope=(-0.01, 0.01))
        self.test_words = "Wilcoxon's signed-rank test, adjusted by holm, at alpha = 0.05"
        self.comparisons = dict.fromkeys(self.datasets) if with_splits else {}
        self.distance = distance

    def ranking(self):
        mean = self.ranks.mean(axis=1)[self.order]
        return pd.DataFrame({"label": [self.labels[k] for k in self.order], "mean_rank": mean})

    def frequentist(self):
        rng = np.random.default_rng(1)
        rows = []
        for (_, a), (_, b) in combinations(self.ranking().iterrows(), 2):
            # Mostly by distance, as verdicts are, and not only.
            apart = b["mean_rank"] - a["mean_rank"] + 0.3 * rng.normal() > self.distance
            rows.append((a["label"], b["label"], "better" if apart else "undecided"))
        return pd.DataFrame(rows, columns=["model_1", "model_2", "verdict"])

    def on_each(self, i, j):
        difference = self.values[i] - self.values[j]
        half = 0.01 if self.comparisons else np.nan
        table = of_datasets(difference, ci_low=difference - half, ci_high=difference + half)
        return table.assign(dataset=self.datasets)

    def hierarchical(self, i, j):
        difference = self.values[i] - self.values[j]
        shrunken = (difference + difference.mean()) / 2
        mean, half = difference.mean(), np.array([0.01, 0.03])
        summary = of_datasets([mean, mean], ci_low=mean - half, ci_high=mean + half)
        summary["dataset"] = ["mean over data sets", "next data set"]
        low, high = shrunken - 0.008, shrunken + 0.008
        found = {"shrunken": shrunken, "shrunken_low": low, "shrunken_high": high}
        return SimpleNamespace(summary=summary, **found)

    def posterior_draws(self, i, j):
        return np.random.default_rng(2).dirichlet([2, 5, 9], 1000)


def of_datasets(difference, **more):
    names = [f"data {k}" for k in range(len(difference))]
    return pd.DataFrame({"dataset": names, "mean_diff": difference, **more})


def written_on(ax):
    title = [ax.title, ax._left_title]
    low, high = ax.get_xlim()
    ticks = zip(ax.get_xticks(), ax.get_xticklabels(), strict=True)
    drawn = [text for at, text in ticks if low <= at <= high]
    return [*ax.texts, *drawn, *ax.get_yticklabels(), ax.xaxis.label, *title]


def assert_readable(figure):
    figure.canvas.draw()
    for ax in figure.axes:
        legend = ax.get_legend()
        texts = written_on(ax) if ax.axison else [*ax.texts, ax.title]
        boxes = boxes_of(texts) + ([legend.get_window_extent()] if legend else [])
        assert_within(figure, boxes)
        assert_apart(boxes)


each_kind = pytest.mark.parametrize("kind", DATASETS_PICTURES)


@each_kind
@pytest.mark.parametrize("m", [2, 30, *map(slow, (3, 8))])
@pytest.mark.parametrize("label", [LONG, slow("model {}")])
def test_texts_neither_overlap_nor_leave_the_picture(kind, label, m):
    comparison = FakeComparison(m, label=label, distance=m / 4)
    drawn = DATASETS_PICTURES[kind].from_comparison(comparison)
    assert_readable(drawn.figure_)


@each_kind
@pytest.mark.parametrize("m", [slow(3), 8])
def test_texts_have_room_in_small_axes_of_your_own(kind, m):
    figure, ax = plt.subplots(figsize=(4, 3), layout="constrained")
    before = dict(matplotlib.rcParams)
    comparison = FakeComparison(m, n=8, label=LONG, distance=m / 4)
    drawn = DATASETS_PICTURES[kind].from_comparison(comparison, ax=ax)
    assert drawn.ax_ is ax
    assert drawn.figure_ is figure
    assert dict(matplotlib.rcParams) == before
    assert_readable(figure)
    assert drawn.plot() is drawn
    assert drawn.ax_ is not ax


@each_kind
def test_everything_is_visible_on_a_dark_background(kind):
    with plt.style.context("dark_background"):
        ax = DATASETS_PICTURES[kind].from_comparison(FakeComparison()).ax_
        colours = {to_rgba(artist.get_color()) for artist in [*ax.lines, *ax.texts]}
        assert to_rgba("black") not in colours


@each_kind
def test_names_are_drawn_unchanged(kind):
    comparison = FakeComparison(4, n=4)
    comparison.labels = ("$\\frac{$", "_hidden", "cost=$5", "two\nlines")
    comparison.datasets = ("a$\\x", "_b", "%", "b$")
    comparison.metric = "$x_"
    comparison.comparisons = dict.fromkeys(comparison.datasets)
    # Mathematics that does not parse would raise here.
    DATASETS_PICTURES[kind].from_comparison(comparison).figure_.canvas.draw()


@each_kind
def test_a_comparison_of_another_kind_is_refused(kind, moons_comparison):
    display = DATASETS_PICTURES[kind]
    with pytest.raises(TypeError, match=r"must be a comparison over data sets.*got Comparison"):
        display.from_comparison(moons_comparison)
    with pytest.raises(TypeError, match=rf"draw {display.__name__}\.from_comparison\(comparison"):
        display(FakeComparison())


def bars_of(display):
    """Left end, right end and height of each thick bar."""
    lines = [line for line in display.ax_.lines if line.get_solid_capstyle() == "butt"]
    ends = [(*line.get_xdata()[[0, -1]], line.get_ydata()[0]) for line in lines]
    return [end for end, line in zip(ends, lines, strict=True) if line.get_linewidth() > 2]


def table_of(*mean_ranks):
    labels = [chr(ord("a") + k) for k in range(len(mean_ranks))]
    return pd.DataFrame({"label": labels, "mean_rank": mean_ranks})


def test_lines_go_from_the_mean_rank_to_the_label():
    table = table_of(3.5, 1.0, 2.0, 3.6)
    display = CriticalDifferenceDisplay(table, [["a", "d"]]).plot()
    written = [text.get_text().split() for text in display.ax_.texts]
    # The two best on the left, label before rank; the others on the right.
    assert written == [["b", "1.00"], ["c", "2.00"], ["3.50", "a"], ["3.60", "d"]]
    lines = [line.get_xdata() for line in display.ax_.lines[:4]]
    assert [line[0] for line in lines] == pytest.approx([1, 2, 3.5, 3.6], abs=1e-9)
    assert [line[-1] < 1 for line in lines] == [True, True, False, False]
    heights = [text.get_position()[1] for text in display.ax_.texts]
    assert heights[0] < heights[1]  # the y axis grows downwards: the best is on top
    assert heights[3] < heights[2]  # as is the worst
    (bar,) = bars_of(display)
    assert bar[:2] == pytest.approx((3.5, 3.6), abs=0.05)


@pytest.mark.parametrize("m", [3, 8, 30])
@pytest.mark.parametrize("n", [5, 20])
def test_bars_collide_neither_with_one_another_nor_with_the_lines_of_labels(m, n):
    comparison = FakeComparison(m, n, distance=m / 4)
    display = CriticalDifferenceDisplay.from_comparison(comparison)
    bars = bars_of(display)
    groups = {tuple(each) for each in display.frame()["groups"]}
    assert bars
    assert groups
    # Thin parts and dots are within the ends of a bar: the whole of each, by its height.
    drawn = [line for line in display.ax_.lines[m:] if len(set(line.get_ydata())) == 1]
    lowest = max(line.get_ydata()[0] for line in drawn)
    rows = [line.get_ydata()[-1] for line in display.ax_.lines[:m]]
    assert lowest < min(rows)
    low, high = display.ax_.spines["top"].get_bounds()
    by_height = {}
    for start, end, height in sorted(bars):
        last = by_height.get(height, -np.inf)
        assert start > last
        by_height[height] = end
    heights = sorted(by_height)
    assert (np.diff(heights) > 0.3).all()
    assert all(low - 0.1 <= start and end <= high + 0.1 for start, end, _ in bars)


def test_bars_that_have_room_share_a_level():
    table = table_of(1, 2, 5, 6)
    display = CriticalDifferenceDisplay(table, [["a", "b"], ["c", "d"]]).plot()
    assert len({height for *_, height in bars_of(display)}) == 1
    display = CriticalDifferenceDisplay(table, [["a", "b", "c"], ["c", "d"]]).plot()
    assert len({height for *_, height in bars_of(display)}) == 2


def test_a_bar_marks_its_members_where_it_passes_others():
    table = table_of(1, 2, 3, 4)
    display = CriticalDifferenceDisplay(table, [["a", "b", "d"]]).plot()
    (dots,) = (line for line in display.ax_.lines if line.get_marker() == "o")
    assert dots.get_xdata().tolist() == pytest.approx([1, 2, 4])
    (bar,) = bars_of(display)  # thick between neighbours only
    assert bar[:2] == pytest.approx((1, 2), abs=0.05)
    assert "dots mark" in display.ax_.get_xlabel()
    whole = CriticalDifferenceDisplay(table, [["a", "b", "c"]]).plot()
    assert not [line for line in whole.ax_.lines if line.get_marker() == "o"]
    assert "dots mark" not in whole.ax_.get_xlabel()


def test_models_that_tie_have_lines_of_their_own():
    display = CriticalDifferenceDisplay(table_of(2.5, 2.5, 2.5, 2.5), [list("abcd")]).plot()
    at = sorted(line.get_xdata()[0] for line in display.ax_.lines[:4])
    assert (np.diff(at) > 0).all()
    assert at == pytest.approx([2.5] * 4, abs=0.1)
    assert [text.get_text().split()[0] for text in display.ax_.texts[:2]] == ["a", "b"]
    assert_readable(display.figure_)


def test_the_critical_difference_has_its_length():
    table = table_of(1.5, 2.0, 2.5)
    display = CriticalDifferenceDisplay(table, [list("abc")], critical_difference=2.3437).plot()
    (bar,) = (line for line in display.ax_.lines if line.get_marker() == "|")
    assert np.ptp(bar.get_xdata()) == pytest.approx(2.3437)
    assert "critical difference 2.34" in [text.get_text() for text in display.ax_.texts]
    # It may be longer than the axis, whose last rank is that of the last model.
    assert display.ax_.spines["top"].get_bounds()[1] <= 3
    assert_readable(display.figure_)


def test_the_frame_names_the_bars_of_each_model():
    table = table_of(3, 1, 2)
    groups = [["c", "a"], ["b"], ["b", "c"]]  # a group of one needs no bar
    frame = CriticalDifferenceDisplay(table, groups).frame()
    assert frame["label"].tolist() == ["b", "c", "a"]
    assert frame["groups"].tolist() == [(1,), (1, 2), (2,)]
    alone = CriticalDifferenceDisplay(table, []).plot()
    assert "every pair of models was found different" in alone.ax_.get_xlabel()
    assert not bars_of(alone)


def test_groups_follow_from_the_verdicts():
    comparison = FakeComparison(12)
    frame = CriticalDifferenceDisplay.from_comparison(comparison).frame().set_index("label")
    for _, row in comparison.frequentist().iterrows():
        share = set(frame["groups"][row["model_1"]]) & set(frame["groups"][row["model_2"]])
        assert bool(share) == (row["verdict"] == "undecided")


def test_too_many_groups_are_refused():
    comparison = FakeComparison(14)
    place = {label: k for k, label in enumerate(comparison.ranking()["label"])}
    pairs = comparison.frequentist()
    # 0 differs from 1 only, 2 from 3, …: 2⁷ = 128 groups.
    first, second = pairs["model_1"].map(place), pairs["model_2"].map(place)
    differ = (second == first + 1) & (first % 2 == 0)
    assert groups_not_different(14, [(2 * k, 2 * k + 1) for k in range(7)]) is None
    pairs["verdict"] = np.where(differ, "worse", "undecided")

    class Given(FakeComparison):
        def frequentist(self):
            return pairs

    with pytest.raises(ValueError, match="more than 60 groups"):
        CriticalDifferenceDisplay.from_comparison(Given(14))


def test_ranks_are_described_by_their_mean_and_quartiles():
    ranks = pd.DataFrame([[2, 3, 2, 2], [1, 1, 3, 1], [3, 2, 1, 3]], list("abc"))
    display = DatasetRanksDisplay(ranks).plot()
    frame = display.frame()
    assert frame["label"].tolist() == ["b", "a", "c"]
    assert frame["mean_rank"].tolist() == [1.5, 2.25, 2.25]  # 6/4, 9/4, 9/4: a tie stays in order
    assert frame["rank_q1"].tolist() == [1, 2, 1.75]
    assert frame["rank_median"].tolist() == [1, 2, 2.5]
    assert frame["rank_q3"].tolist() == [1.5, 2.25, 3]
    assert [text.get_text() for text in display.ax_.get_yticklabels()] == ["b", "a", "c"]
    (dots,) = (c for c in display.ax_.collections if hasattr(c, "get_sizes") and len(c.get_sizes()))
    at = np.asarray(dots.get_offsets())
    areas = {tuple(place): size for place, size in zip(at, dots.get_sizes(), strict=True)}
    # b has rank 1 three times, in the upper row, and rank 3 once: a third of the area.
    assert areas[1.0, 2.0] == pytest.approx(3 * areas[3.0, 2.0])
    assert len(areas) == 2 + 2 + 3


def test_models_not_shown_are_counted():
    display = DatasetRanksDisplay.from_comparison(FakeComparison(12), top=5)
    assert display.ax_.get_title(loc="left") == "and 7 not shown"
    assert len(display.ax_.get_yticks()) == 5
    assert len(display.frame()) == 12
    with pytest.raises(ValueError, match="`top` must be a whole number"):
        display.plot(top=0)


@pytest.mark.parametrize("n", [1, 20, *map(slow, (5, 54, 90))])
@pytest.mark.parametrize("with_splits", [True, False])
def test_forest_plots_of_many_data_sets_are_readable(n, with_splits):
    comparison = FakeComparison(3, n, with_splits=with_splits)
    display = DatasetDifferencesDisplay.from_comparison(comparison)
    assert_readable(display.figure_)


def test_the_rows_are_the_differences_from_the_largest_then_the_summary():
    comparison = FakeComparison(3, 6)
    display = DatasetDifferencesDisplay.from_comparison(comparison, "model 0", "model 2")
    frame = display.frame()
    difference = comparison.values[0] - comparison.values[2]
    assert frame["mean_diff"][:6].tolist() == sorted(difference, reverse=True)
    labels = [text.get_text() for text in display.ax_.get_yticklabels()]
    assert labels == frame["dataset"].tolist()
    assert labels[-2:] == ["mean over data sets", "next data set"]
    assert "model 0 − model 2" in display.ax_.get_xlabel()
    containers = {bars.get_label(): bars for bars in display.ax_.containers}
    assert set(containers) == {"measured", "shrunken", "over data sets"}
    for words, column, rows in (
        ("measured", "mean_diff", slice(0, 6)),
        ("shrunken", "shrunken", slice(0, 6)),
        ("over data sets", "mean_diff", slice(6, 8)),
    ):
        points, _, (bars,) = containers[words].lines
        np.testing.assert_allclose(points.get_xdata(), frame[column][rows])
        ends = np.array([segment[:, 0] for segment in bars.get_segments()])
        prefix = "ci" if column == "mean_diff" else column
        np.testing.assert_allclose(ends, frame[[f"{prefix}_low", f"{prefix}_high"]][rows])
    reverse = DatasetDifferencesDisplay.from_comparison(comparison, 2, 0).frame()
    np.testing.assert_allclose(reverse["mean_diff"][:6], -frame["mean_diff"][:6][::-1])


def test_without_split_scores_there_are_points_alone():
    comparison = FakeComparison(3, 6, with_splits=False)
    display = DatasetDifferencesDisplay.from_comparison(comparison)
    assert [bars.get_label() for bars in display.ax_.containers] == ["measured"]
    assert "intervals" not in display.ax_.get_xlabel()
    alone = DatasetDifferencesDisplay(of_datasets([0.1, 0.2]), ["a", "b"], rope=0.01).plot()
    assert "intervals" not in alone.ax_.get_xlabel()


def test_the_largest_and_the_smallest_differences_are_shown_and_the_others_counted():
    table = of_datasets(np.arange(10) / 10)
    display = DatasetDifferencesDisplay(table, ["a", "b"], rope=0.01).plot(top=5)
    assert display.ax_.get_title(loc="left") == "and 5 data sets between these not shown"
    labels = [text.get_text() for text in display.ax_.get_yticklabels()]
    assert labels == ["data 9", "data 8", "data 7", "data 1", "data 0", "⋮"]
    heights = dict(zip(labels, display.ax_.get_yticks(), strict=True))
    assert heights["data 7"] > heights["⋮"] > heights["data 1"]
    assert len(display.frame()) == 10


def test_corners_and_centre_are_where_the_probabilities_are():
    draws = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1 / 3, 1 / 3, 1 / 3]]
    display = SimplexDisplay(draws, ["forest", "tree"]).plot()
    at = np.vstack([np.asarray(points.get_offsets()) for points in display.ax_.collections])
    height = np.sqrt(3) / 2
    # Worse on the left, better on the right, equivalent on top; the centre is at a third.
    expected = [(0, 0), (0.5, height), (1, 0), (0.5, height / 3)]
    for place in expected:
        assert np.isclose(at, place).all(axis=1).any()
    # The lines between the regions end where two corners are equally far.
    ends = {tuple(line.get_xydata()[1].round(9)) for line in display.ax_.lines[1:4]}
    assert ends == {(0.25, round(height / 2, 9)), (0.75, round(height / 2, 9)), (0.5, 0.0)}
    written = [text.get_text() for text in display.ax_.texts]
    # One draw of four each, and a third of the tie: 1/4 + 1/12.
    assert written == ["tree\nbetter\n33.3 %", "equivalent\n33.3 %", "forest\nbetter\n33.3 %"]
    assert display.frame().columns.tolist() == ["worse_prob", "rope_prob", "better_prob"]


def test_shares_count_the_largest_probability_and_turn_with_the_models():
    draws = np.random.default_rng(0).dirichlet([1, 2, 4], 500)
    shares = SimplexDisplay(draws, ["a", "b"]).shares()
    counts = np.bincount(draws.argmax(axis=1), minlength=3) / 500
    assert shares.tolist() == pytest.approx(counts)
    turned = SimplexDisplay(draws[:, ::-1], ["b", "a"]).shares()
    assert turned.tolist() == pytest.approx(shares[::-1].tolist())


def test_shares_are_not_rounded_to_certainty():
    draws = np.tile([0.1, 0.1, 0.8], (5000, 1))
    draws[0] = [0.8, 0.1, 0.1]
    display = SimplexDisplay(draws, ["a", "b"]).plot()
    written = [text.get_text().split("\n")[-1] for text in display.ax_.texts]
    assert written == ["< 0.1 %", "0.0 %", "> 99.9 %"]


def test_a_pair_needs_two_models():
    with pytest.raises(ValueError, match="`i` and `j` must be two models; got 'model 1' twice"):
        SimplexDisplay.from_comparison(FakeComparison(), "model 1", 1)
    with pytest.raises(ValueError, match="`j` must be a candidate's index, from 0 to 7"):
        SimplexDisplay.from_comparison(FakeComparison(), 0, "tree")
