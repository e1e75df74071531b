"""Displays: what they plot is what was computed; nothing overlaps, leaks or changes the style."""

import io
from functools import cache

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgba
from readable import assert_apart, assert_within, boxes_of, slow
from scipy import stats
from sklearn.linear_model import LogisticRegression

from sklearn_stats_compare import Comparison, SplitDesign, SplitScores, StatisticalGridSearchCV
from sklearn_stats_compare.comparison import _tables
from sklearn_stats_compare.displays import (
    LeaderDisplay,
    PairwiseDisplay,
    ParameterProfileDisplay,
    PosteriorDisplay,
    RankDisplay,
    RopeSensitivityDisplay,
    SplitScoresDisplay,
)

OF_A_COMPARISON = [LeaderDisplay, PairwiseDisplay, PosteriorDisplay, RankDisplay]
OF_A_COMPARISON += [RopeSensitivityDisplay, SplitScoresDisplay]

each_display = pytest.mark.parametrize("display", OF_A_COMPARISON)
# What is checked is what all displays share, and two that differ most have it by default.
two_displays = pytest.mark.parametrize(
    "display", [LeaderDisplay, PairwiseDisplay, *map(slow, OF_A_COMPARISON[2:])]
)
TWELVE = SplitDesign([9] * 12, [1] * 12)
TWENTY = SplitDesign([80] * 20, [20] * 20)


def random_scores(m, design=TWENTY):
    return SplitScores(np.random.default_rng(0).random((m, design.n_splits)), design)


@cache
def comparison_of(n_candidates, label="C={}", **settings):
    design = SplitDesign([80] * 20, [20] * 20, np.arange(20) // 5)
    rng = np.random.default_rng(0)
    noise = rng.normal(0, 0.04, 20) + rng.normal(0, 0.03, (n_candidates, 20))
    values = np.linspace(0.94, 0.7, n_candidates)[:, None] + noise
    labels = [label.format(i) for i in range(n_candidates)]
    return Comparison(SplitScores(values, design), labels, **settings)


LONG = "C={}, gamma=0.001, kernel=rbf, class_weight=balanced"


@each_display
@pytest.mark.parametrize("n_candidates", [2, 100, *map(slow, (4, 12, 40))])
@pytest.mark.parametrize("label", [LONG, slow("C={}")])
def test_labels_neither_overlap_nor_leave_the_picture(display, n_candidates, label):
    drawn = display.from_comparison(comparison_of(n_candidates, label))
    drawn.figure_.canvas.draw()
    axis = drawn.ax_
    for labels in (axis.get_xticklabels(), axis.get_yticklabels(), axis.texts[:3]):
        assert_apart(boxes_of(labels))
    texts = [*axis.get_yticklabels(), *axis.texts, axis.xaxis.label, axis.yaxis.label]
    assert_within(drawn.figure_, [text.get_window_extent() for text in texts], "x")
    title = max((axis._left_title, axis.title), key=lambda t: len(t.get_text()))
    assert title.get_window_extent().x1 <= drawn.figure_.bbox.padded(1).x1


@pytest.mark.parametrize("kind", ["leader", "pairwise"])
def test_labels_have_room_in_constrained_axes_of_your_own(kind, make_comparison):
    labels = [f"LogisticRegression_{k}_median" for k in range(5)]
    figure, ax = plt.subplots(figsize=(6.4, 4.8), layout="constrained")
    make_comparison(np.random.default_rng(0).random((5, 12)), labels=labels).plot(kind, ax=ax)
    figure.canvas.draw()
    for tick in [*ax.get_yticklabels(), *ax.get_xticklabels()]:
        box = tick.get_window_extent()
        assert min(box.x0, box.y0) >= 0


@pytest.mark.parametrize("names", [slow(["C", "gamma"]), [x * 60 for x in "abcdef"], []])
@pytest.mark.parametrize(
    ("display", "options"),
    [(display, {}) for display in OF_A_COMPARISON] + [(PosteriorDisplay, {"ridge": 3})],
)
def test_labels_of_values_say_what_they_are_made_of(display, options, names):
    rows = np.random.default_rng(0).random((6, len(names))).round(3)
    params = [dict(zip(names, row, strict=True)) for row in rows]
    given = comparison_of(6)
    comparison = Comparison(given.scores, params=params) if names else given
    drawn = display.from_comparison(comparison, **options)
    drawn.figure_.canvas.draw()
    legend = drawn.ax_.get_legend()
    texts = [drawn.ax_.xaxis.label, *([legend.get_title()] if legend else [])]
    about = [text for text in texts if "candidates are named" in text.get_text()]
    assert len(about) == bool(names)
    for text in about:
        assert len(text.get_text().splitlines()) <= 5
        box = text.get_window_extent()
        assert min(box.x0, box.y0) >= 0
        assert box.x1 <= drawn.figure_.bbox.width
        assert box.y1 <= drawn.figure_.bbox.height


@each_display
def test_a_display_draws_on_given_axes_changes_no_style_and_returns_itself(display):
    before = dict(matplotlib.rcParams)
    figure, axes = plt.subplots(1, 2, figsize=(10, 4))
    drawn = display.from_comparison(comparison_of(4), ax=axes[1])
    assert isinstance(drawn, display)
    assert drawn.ax_ is axes[1]
    assert drawn.figure_ is figure
    assert dict(matplotlib.rcParams) == before
    assert drawn.plot() is drawn
    assert drawn.ax_ is not axes[1]


@two_displays
def test_a_search_is_drawn_as_its_comparison(display, moons_search):
    drawn = display.from_search(moons_search)
    of_comparison = display.from_comparison(moons_search.comparison_)
    assert drawn.frame().equals(of_comparison.frame())


@each_display
def test_frames_hold_labels_in_full(display):
    long = "C={}, " + "x" * 80
    frame = display.from_comparison(comparison_of(4, long)).frame()
    if display is not RopeSensitivityDisplay:
        assert any(long.format(1) in str(value) for value in frame.reset_index().to_numpy().ravel())


def test_a_metric_is_chosen_by_name(moons_data):
    search = StatisticalGridSearchCV(
        LogisticRegression(), {"C": [0.01, 1]}, scoring=["accuracy", "roc_auc"], refit=False, cv=10
    ).fit(*moons_data)
    drawn = LeaderDisplay.from_search(search, metric="roc_auc")
    assert "roc_auc" in drawn.ax_.get_xlabel()


def test_split_scores_are_the_first_splits_with_the_correlation_of_all(moons, moons_comparison):
    display = SplitScoresDisplay.from_comparison(moons_comparison, n_splits=10)
    frame = display.frame()
    assert frame.index.tolist() == moons["order_by_rank"]
    assert frame["correlation_with_leader"].tolist() == pytest.approx(moons["corr"][0])
    np.testing.assert_array_equal(frame.loc["rbf"].iloc[1:], moons_comparison.scores.values[3, :10])
    assert len(display.ax_.lines) == 4
    draw = SplitScoresDisplay.from_comparison
    assert draw(moons_comparison).ax_.get_xlabel() == "split (the first 25 of 100)"
    assert draw(moons_comparison, n_splits=100).ax_.get_xlabel() == "split"
    many = SplitScoresDisplay.from_comparison(comparison_of(40))
    assert many.ax_.get_legend().get_title().get_text() == "and 34 more, grey"


def test_the_posterior_plot_shows_the_published_probabilities(moons_comparison):
    display = PosteriorDisplay.from_comparison(moons_comparison, interval=0.95)
    written = [text.get_text() for text in display.ax_.texts]
    assert written == ["linear better\n0.068", "equivalent\n0.432", "rbf better\n0.500"]
    assert "rbf − linear" in display.ax_.get_xlabel()
    frame = display.frame()
    assert frame["better_prob"].tolist() == pytest.approx([0.5], abs=1e-3)
    turned = PosteriorDisplay.from_comparison(moons_comparison, "linear", "rbf").frame()
    assert turned["worse_prob"].tolist() == frame["better_prob"].tolist()


def test_a_ridge_is_the_leader_against_the_best_others(moons_comparison):
    frame = PosteriorDisplay.from_comparison(moons_comparison, ridge=2).frame()
    assert frame["model_1"].tolist() == ["rbf", "rbf"]
    assert frame["model_2"].tolist() == ["linear", "3_poly"]


def test_identical_candidates_have_the_posterior_of_their_samples():
    values = np.tile(np.random.default_rng(0).random(12), (2, 1))
    twins = Comparison(SplitScores(values, SplitDesign([220] * 12, [20] * 12)))
    display = PosteriorDisplay.from_comparison(twins)
    # 240 samples: P(|difference| ≤ 0.01) = 1 − 0.99^241, and the density at 0 is 241/2.
    assert display.frame()["rope_prob"].tolist() == pytest.approx([1 - 0.99**241])
    (line,) = (each for each in display.ax_.lines if len(each.get_xdata()) > 50)
    assert max(line.get_ydata()) == pytest.approx(120.5)


def test_identical_losses_are_a_spike():
    # Beyond ±1 the contribution of a sample is unknown, and the posterior is a point mass.
    values = np.tile(-2 - np.random.default_rng(0).random(12), (2, 1))
    twins = Comparison(SplitScores(values, TWELVE))
    assert PosteriorDisplay.from_comparison(twins).frame()["rope_prob"].tolist() == [1]
    assert RopeSensitivityDisplay.from_comparison(twins).frame()["rope_prob"].eq(1).all()


def test_the_leader_plot_counts_candidates_not_shown():
    comparison = comparison_of(100)
    first, *_, fourth = comparison.ranking().index[:4]
    frame = LeaderDisplay.from_comparison(comparison, marked=[first, fourth]).frame()
    assert len(frame) == 99
    assert frame["marked"].sum() == 1  # the leader has no row of its own
    display = LeaderDisplay.from_comparison(comparison)
    by_default, members = display.frame(), comparison.possibly_best()["label"].tolist()
    assert by_default.loc[by_default["marked"], "model_2"].tolist() == members[1:]
    rest = comparison.against()["verdict"].iloc[25:].value_counts()
    title = display.ax_.get_title(loc="left")
    assert f"and 74 not shown: {rest['better']} leader better" in title
    assert len(display.ax_.get_yticks()) == 25
    assert LeaderDisplay.from_comparison(comparison, top=3).ax_.get_yticklabels()[0].get_text()


def test_the_heat_map_is_reversed_below_the_diagonal(moons_comparison):
    for value, column in [("difference", "mean_diff"), ("p_val", "p_val")]:
        frame = PairwiseDisplay.from_comparison(moons_comparison, value=value).frame()
        assert len(frame) == 12
        cells = frame.set_index(["model_1", "model_2"])
        # p-values are two-sided, as the marks are, whatever the comparison's own are.
        expected = moons_comparison.frequentist(alternative="two-sided")
        expected = expected.set_index(["model_1", "model_2"])
        there, back = cells.loc[("rbf", "2_poly")], cells.loc[("2_poly", "rbf")]
        assert there[value] == expected.loc[("rbf", "2_poly"), column]
        assert back[value] == (-there[value] if value == "difference" else there[value])
        assert (there["verdict"], back["verdict"]) == ("better", "worse")
    cells = PairwiseDisplay.from_comparison(moons_comparison, value="better_prob").frame()
    cells = cells.set_index(["model_1", "model_2"])["better_prob"]
    row = moons_comparison.bayesian().iloc[0]
    assert cells["rbf", "linear"] == row["better_prob"]
    assert cells["linear", "rbf"] == row["worse_prob"]


def test_the_heat_map_says_that_it_shows_the_best_forty():
    display = PairwiseDisplay.from_comparison(comparison_of(60))
    assert "the best 40 of 60 candidates" in display.ax_.get_title(loc="left")
    assert display.values.shape == (40, 40)


fresh_comparison_of = comparison_of.__wrapped__  # nothing of it is computed yet


@pytest.mark.parametrize("value", ["difference", "p_val", "better_prob"])
def test_the_heat_map_of_more_pairs_than_a_table_holds_is_the_same(value, monkeypatch):
    whole = PairwiseDisplay.from_comparison(fresh_comparison_of(60), value=value, top=20)
    monkeypatch.setattr(_tables, "MOST_PAIRS", 1_000)  # there are 60 × 59 / 2 = 1,770
    monkeypatch.setattr(Comparison, "_all_pairs", None)
    streamed = PairwiseDisplay.from_comparison(fresh_comparison_of(60), value=value, top=20)
    pd.testing.assert_frame_equal(streamed.frame(), whole.frame(), check_exact=True)
    with pytest.raises(ValueError, match="`p_adjust` must be one of None, 'bonferroni', 'sidak'"):
        PairwiseDisplay.from_comparison(fresh_comparison_of(60, p_adjust="holm"), value=value)


def test_split_scores_of_many_candidates_need_no_matrix_of_candidates(monkeypatch):
    comparison = fresh_comparison_of(60)
    expected = comparison.scores.correlation()[0]
    monkeypatch.setattr(_tables, "MOST_PAIRS", 1_000)
    found = SplitScoresDisplay.from_comparison(comparison).correlations
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_the_break_even_width_is_marked(moons_comparison):
    display = RopeSensitivityDisplay.from_comparison(moons_comparison)
    assert display.ax_.texts[0].get_text() == "±0.0323"
    lines = [line.get_xdata() for line in display.ax_.lines]
    (at,) = [x[0] for x in lines if len(set(x)) == 1 < len(x)]  # the upright one
    assert at == pytest.approx(0.0323, abs=5e-5)
    frame = display.frame()
    assert frame["rope_prob"].is_monotonic_increasing
    total = frame[["worse_prob", "rope_prob", "better_prob"]].sum(axis=1)
    np.testing.assert_allclose(total, 1)


PARAMS = [{"C": c, "kernel": k} for c in (0.01, 1, 100) for k in ("rbf", "linear")]
MEANS = np.array([0.70, 0.75, 0.90, 0.80, 0.85, 0.88, 0.6])
NOISE = np.random.default_rng(0).normal(0, 0.01, (7, 12))
WITH_PARAMETERS = Comparison(
    SplitScores(MEANS[:, None] + NOISE, TWELVE), params=[*PARAMS, {"kernel": "poly"}]
)
NONE = Comparison(SplitScores(np.full((3, 12), np.nan), TWELVE), params=PARAMS[::2])
ONE = Comparison(SplitScores(np.ones((1, 12)), TWELVE))


def test_a_profile_takes_the_best_holds_or_averages_the_others():
    means, draw = WITH_PARAMETERS.scores.means, ParameterProfileDisplay.from_comparison
    best = draw(WITH_PARAMETERS, "C").frame()
    assert best["mean"].tolist() == pytest.approx([means[1], means[2], means[5]])
    held = draw(WITH_PARAMETERS, "C", others="held").frame()
    assert held["mean"].tolist() == pytest.approx(means[[0, 2, 4]])  # the leader has kernel=rbf
    frame = draw(WITH_PARAMETERS, "C", others="averaged").frame()
    assert frame["mean"].tolist() == pytest.approx(means[:6].reshape(3, 2).mean(axis=1))
    assert frame["label"].tolist() == ["mean of 2"] * 3
    # The interval of an average is that of the averaged split scores, not an average of intervals.
    row = WITH_PARAMETERS.scores.values[:2].mean(axis=0)
    std_err = row.std(ddof=1) * np.sqrt(1 / 12 + 1 / 9)
    assert frame["ci_high"][0] - frame["mean"][0] == pytest.approx(stats.t.ppf(0.975, 11) * std_err)


def test_a_profile_has_the_scale_that_fits_its_values():
    profile = ParameterProfileDisplay.from_comparison(WITH_PARAMETERS, "C")
    assert profile.ax_.get_xscale() == "log"
    assert profile.plot(scale="linear").ax_.get_xscale() == "linear"
    categorical = ParameterProfileDisplay.from_comparison(WITH_PARAMETERS, "kernel")
    labels = [text.get_text() for text in categorical.ax_.get_xticklabels()]
    assert labels == ["rbf", "linear", "poly"]
    with pytest.raises(ValueError, match="`scale` must be 'categorical' where values are not all"):
        categorical.plot(scale="log")


@pytest.mark.parametrize(
    ("display", "comparison", "options", "message"),
    [
        *((PosteriorDisplay, comparison, {}, "did not") for comparison in (NONE, ONE)),
        *((RopeSensitivityDisplay, comparison, {}, "did not") for comparison in (NONE, ONE)),
        *((LeaderDisplay, comparison, {}, "did not") for comparison in (NONE, ONE)),
        (ParameterProfileDisplay, NONE, {"parameter": "C"}, "all failed"),
        (PairwiseDisplay, ONE, {}, "there is only 1"),
        (PairwiseDisplay, NONE, {}, "did not fail; there are 0"),
        (ParameterProfileDisplay, ONE, {"parameter": "C"}, "knows no parameters"),
        (
            ParameterProfileDisplay,
            WITH_PARAMETERS,
            {"parameter": "degree"},
            "`parameter` must be o",
        ),
        (ParameterProfileDisplay, WITH_PARAMETERS, {"parameter": "degree"}, "C, kernel; got 'deg"),
        (
            *(ParameterProfileDisplay, WITH_PARAMETERS, {"parameter": "C", "others": "fixed"}),
            "`others` must be one of 'best'",
        ),
        (PairwiseDisplay, WITH_PARAMETERS, {"value": "t"}, "`value` must be one of 'difference'"),
        (PosteriorDisplay, WITH_PARAMETERS, {"i": "tree", "j": 0}, "`i` must be a candidate's ind"),
        (LeaderDisplay, WITH_PARAMETERS, {"marked": ["tree"]}, "`marked` must be a candidate's in"),
        (LeaderDisplay, WITH_PARAMETERS, {"reference": "e"}, "`reference` must be"),
        (PosteriorDisplay, WITH_PARAMETERS, {"ridge": 0}, "`ridge` must be .* from 1 to 40"),
        (PosteriorDisplay, WITH_PARAMETERS, {"ridge": 999}, "from 1 to 40; got 999"),
        (PairwiseDisplay, WITH_PARAMETERS, {"top": 0}, "`top` must be a whole number ≥ 1"),
        (LeaderDisplay, WITH_PARAMETERS, {"top": -1}, "`top` must be a whole number ≥ 1"),
        (SplitScoresDisplay, WITH_PARAMETERS, {"n_splits": 1.5}, "`n_splits` must be"),
        (RankDisplay, NONE, {}, "no ranks to draw: every candidate failed"),
    ],
)
def test_what_cannot_be_drawn_raises_an_error_that_explains_why(
    display, comparison, options, message
):
    with pytest.raises(ValueError, match=message):
        display.from_comparison(comparison, **options)


def test_a_failed_candidate_is_left_out_or_blank(moons_comparison):
    values = moons_comparison.scores.values.copy()
    values[1, 0] = np.nan
    scores = SplitScores(values, moons_comparison.scores.design)
    comparison = Comparison(scores, moons_comparison.labels)
    leader = LeaderDisplay.from_comparison(comparison)
    assert "and 1 not shown: 1 missing" in leader.ax_.get_title(loc="left")
    heat = PairwiseDisplay.from_comparison(comparison).frame()
    assert heat.loc[heat["model_2"] == "2_poly", "difference"].isna().all()
    with pytest.raises(ValueError, match="'rbf' and '2_poly': one of them failed"):
        PosteriorDisplay.from_comparison(comparison, "rbf", "2_poly")
    SplitScoresDisplay.from_comparison(comparison)


HOSTILE = ["$\\frac{$", "a$\\x", "b$", "$x", "_hidden", "cost=$5", "a_b^c", "two\nlines", "%",
           "\ud800", "a\x00b"]  # fmt: skip


@two_displays
def test_labels_are_drawn_and_saved_unchanged(display):
    comparison = Comparison(random_scores(len(HOSTILE)), HOSTILE, metric="$x_")
    drawn = display.from_comparison(comparison)
    # The same texts for each; what a format cannot encode shows in one display.
    for kind in ("png", "svg", "pdf") if display is LeaderDisplay else ("svg",):
        drawn.figure_.savefig(io.BytesIO(), format=kind)  # bad mathematics would raise here
    ticks = [text.get_text() for text in drawn.ax_.get_yticklabels()]
    assert all("$" not in text.replace(r"\$", "") for text in ticks)


def test_no_name_is_left_out_of_a_legend():
    comparison = Comparison(random_scores(4), ["_a", "_b", "_c", "_d"])
    for display, n in ((SplitScoresDisplay, 4), (RopeSensitivityDisplay, 3)):
        legend = display.from_comparison(comparison).ax_.get_legend()
        assert len(legend.get_texts()) == n


@each_display
def test_everything_is_visible_on_a_dark_background(display):
    with plt.style.context("dark_background"):
        ax = display.from_comparison(comparison_of(4)).ax_
        colours = {to_rgba(artist.get_color()) for artist in [*ax.lines, *ax.texts]}
        on_cells = display is PairwiseDisplay  # whose marks stand on colours of their own
        assert on_cells or to_rgba("black") not in colours


@each_display
def test_everything_is_within_given_axes(display):
    figure, ax = plt.subplots(figsize=(6.4, 4.8))
    display.from_comparison(comparison_of(4), ax=ax)
    figure.canvas.draw()
    legend = ax.get_legend()
    artists = [*ax.texts, *([legend] if legend else [])]
    assert_within(figure, [artist.get_window_extent() for artist in artists], "x")
    boxes = [text.get_window_extent() for text in ax.texts[:3]]
    if display is PosteriorDisplay:
        assert not any(a.overlaps(b) for k, a in enumerate(boxes) for b in boxes[k + 1 :])


@two_displays
def test_figures_grow_with_the_users_text(display):
    usual = display.from_comparison(comparison_of(12)).figure_.get_size_inches()
    with plt.rc_context({"font.size": 20}):
        drawn = display.from_comparison(comparison_of(12))
        drawn.figure_.canvas.draw()  # a warning would say that the axes collapsed
        assert (drawn.figure_.get_size_inches() >= 2 * usual - 1e-9).all()


@pytest.mark.parametrize("rope", [(-np.inf, 0.01), (-0.01, np.inf)])
@pytest.mark.parametrize("display", [LeaderDisplay, PosteriorDisplay])
def test_a_one_sided_rope_is_shaded_up_to_the_limits_of_the_axes(display, rope):
    drawn = display.from_comparison(comparison_of(4, rope=rope))
    drawn.figure_.canvas.draw()
    wanted = np.clip(rope, *drawn.ax_.get_xlim())
    back = drawn.ax_.transData.inverted()
    spans = [patch.get_extents().transformed(back).intervalx for patch in drawn.ax_.patches]
    assert any(np.abs(span - wanted).max() < 1e-6 for span in spans)


def test_a_narrow_posterior_is_drawn_in_its_shape():
    rng = np.random.default_rng(0)
    base = rng.random(20)
    scores = SplitScores([base, base - 1e-6 * rng.random(20)], TWENTY)
    curve = PosteriorDisplay.from_comparison(Comparison(scores, rope=0.05)).ax_.lines[0]
    x, density = curve.get_data()
    area = (np.diff(x) * (density[1:] + density[:-1]) / 2).sum()
    assert area == pytest.approx(1, abs=0.01)


def test_failed_candidates_are_named_as_such():
    values = comparison_of(3).scores.values.copy()
    values[1, 0] = np.nan
    params = [{"C": 1}, {"C": 2}, {"C": 1.0}]
    comparison = Comparison(SplitScores(values, TWENTY), params=params)
    legend = SplitScoresDisplay.from_comparison(comparison).ax_.get_legend()
    assert sum("(failed)" in text.get_text() for text in legend.get_texts()) == 1
    profile = ParameterProfileDisplay.from_comparison(comparison, "C").frame()
    assert profile["value"].tolist() == [1, 2]  # 1 and 1.0 are one place
    assert profile["mean"].isna().tolist() == [False, True]


def test_a_profile_of_many_numbers_keeps_its_width():
    values = np.random.default_rng(1).random(60)
    comparison = Comparison(random_scores(60, TWELVE), params=[{"C": float(c)} for c in values])
    assert ParameterProfileDisplay.from_comparison(comparison, "C").figure_.get_figwidth() == 6.4


@pytest.mark.parametrize(
    ("size", "given"), [(18, False), (10, True), slow(10, False), slow(18, True)]
)
def test_the_columns_of_a_ridge_are_aligned_with_its_densities(size, given):
    with matplotlib.rc_context({"font.size": size}):
        axes = plt.subplots(figsize=(12, 5))[1] if given else None
        display = PosteriorDisplay.from_comparison(
            comparison_of(6), ridge=4, interval=0.975, ax=axes
        )
        display.figure_.canvas.draw()
    ax = display.ax_
    middles = np.array([np.mean(t.get_window_extent().intervalx) for t in ax.texts])
    columns = middles.reshape(5, 3)  # four rows and their heads
    assert np.ptp(columns, axis=0).max() < 1.0
    assert_apart(boxes_of(ax.texts))
    # The densities end before the first column begins.
    ends = [ax.transData.transform((line.get_xdata()[-1], 0))[0] for line in ax.lines[:1]]
    assert max(ends) < min(text.get_window_extent().x0 for text in ax.texts)
    words = [text.get_text() for text in ax.get_legend().get_texts()]
    assert words == ["97.5 % interval, not adjusted", "ROPE"]
    without = PosteriorDisplay.from_comparison(comparison_of(6), ridge=4).ax_.get_legend()
    assert [text.get_text() for text in without.get_texts()] == ["ROPE"]


def test_a_reference_replaces_the_leader(make_comparison):
    scores = 0.8 + 0.02 * np.random.default_rng(0).standard_normal((4, 30))
    comparison = make_comparison(scores, labels=["a", "b", "c", "d"])
    reference = comparison.ranking()["label"].iloc[2]
    display = LeaderDisplay.from_comparison(comparison, reference=reference)
    pd.testing.assert_frame_equal(display.table, comparison.against(reference))
    assert f"{reference} − the other" in display.ax_.get_xlabel()
    best = make_comparison(scores + 0.1 * np.arange(4)[:, None], labels=["a", "b", "c", "d"])
    for role, given in (("leader", None), ("reference", "c")):
        drawn = LeaderDisplay.from_comparison(best, reference=given).ax_
        words = set(drawn.get_legend_handles_labels()[1])
        assert f"{role} better" in words
        assert ("reference worse" in words) == (role == "reference")


TREES = [f"DecisionTreeClassifier_{d}_20_{s}" for d in (3, 5, 10) for s in ("mean", "median")]


@pytest.mark.parametrize("labels", [TREES, [f"{'x' * 40}{k:03}{'y' * 40}" for k in range(6)]])
@pytest.mark.parametrize("kind", ["leader", "pairwise", "posterior", "split_scores"])
def test_labels_of_one_plot_are_different(labels, kind, make_comparison):
    scores = np.random.default_rng(0).random((6, 12))
    ax = make_comparison(scores, labels=labels).plot(kind).ax_
    if kind == "posterior":  # of one pair: the areas above the curve
        shown = [text.get_text().split(" better")[0] for text in ax.texts]
    elif kind == "split_scores":
        shown = ax.get_legend_handles_labels()[1]
    else:
        shown = [tick.get_text() for tick in ax.get_yticklabels()]
    shown = [words.replace("★ ", "") for words in shown]
    assert len(shown) >= 3
    assert len(set(shown)) == len(shown)


RANK_COLUMNS = ["label", "mean", "rank", "rank_low", "rank_high"]


def test_ranks_and_intervals_are_the_tables(make_comparison):
    rng = np.random.default_rng(0)
    values = np.array([[0.80], [0.83], [0.70], [0.82]]) + 0.02 * rng.standard_normal((4, 30))
    comparison = make_comparison(values, labels=["a", "b", "c", "d"])
    display = RankDisplay.from_comparison(comparison)
    table = comparison.ranking(rank_intervals="holm")[RANK_COLUMNS]
    bars = display.ax_.collections[0].get_segments()
    drawn = [(bar[:, 0].min(), bar[:, 0].max()) for bar in bars]
    assert drawn == list(zip(table["rank_low"], table["rank_high"], strict=True))
    (points,) = (line for line in display.ax_.lines if line.get_label() == "by the mean")
    assert points.get_xdata().tolist() == [1, 2, 3, 4]
    assert [text.get_text() for text in display.ax_.get_yticklabels()] == ["b", "d", "a", "c"]
    assert display.frame().equals(table)
    assert display.ax_.get_xticks().tolist() == [1, 2, 3, 4]


def test_ranks_not_shown_are_counted_and_failed_candidates_left_out(make_comparison):
    values = np.random.default_rng(1).normal(size=(30, 10))
    values[3, 2] = np.nan
    display = make_comparison(values).plot("ranks", top=10, errorbar_kw={"color": "black"})
    words = "the ranks are open: each candidate may have any of them"
    assert display.ax_.get_title(loc="left") == f"{words}\nand 19 not shown"
    spread = np.linspace(0, 10, 29)[:, None] + 0.1 * values[np.arange(30) != 3]
    assert make_comparison(spread).plot("ranks").ax_.get_title(loc="left") == "and 4 not shown"
    assert len(display.ax_.get_yticks()) == 10
    assert "1 is the best of 29" in display.ax_.get_xlabel()
    assert display.ax_.get_xticks()[0] == 1


def test_level_method_and_draws_are_those_of_the_table_of_ranks(make_comparison):
    values = np.linspace(0, 0.1, 6)[:, None] + 0.03 * np.random.default_rng(2).normal(size=(6, 20))
    comparison = make_comparison(values)
    display = RankDisplay.from_comparison(comparison, alpha=0.3, method="bonferroni")
    expected = comparison.with_settings(alpha=0.3).ranking(rank_intervals="bonferroni")
    assert display.frame().equals(expected[RANK_COLUMNS])
    labels = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert "joint 70 % interval" in labels
    drawn = RankDisplay.from_comparison(comparison, method="maxt", rng=5)
    assert drawn.frame().equals(comparison.ranking(rank_intervals="maxt", rng=5)[RANK_COLUMNS])


def test_long_names_do_not_squeeze_the_intervals(make_comparison):
    values = np.random.default_rng(0).normal(0.8, 0.02, (12, 10))
    labels = [f"LogisticRegression, StandardScaler, C={k}" for k in range(12)]
    display = make_comparison(values, labels=labels).plot("leader")
    display.figure_.draw_without_rendering()
    assert display.ax_.get_window_extent().width > display.figure_.bbox.width / 4
