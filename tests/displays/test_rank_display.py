"""RankDisplay: it draws the table of rank_intervals."""

import numpy as np
import pytest

pytest.importorskip("matplotlib")

from sklearn_stats_compare import Comparison, SplitDesign, SplitScores
from sklearn_stats_compare.displays import RankDisplay


def comparison_of(values, **settings):
    n = np.shape(values)[1]
    return Comparison(SplitScores(values, SplitDesign([90] * n, [10] * n)), **settings)


def test_it_draws_ranks_and_intervals():
    rng = np.random.default_rng(0)
    values = np.array([[0.80], [0.83], [0.70], [0.82]]) + 0.02 * rng.standard_normal((4, 30))
    comparison = comparison_of(values, labels=["a", "b", "c", "d"])
    display = RankDisplay.from_comparison(comparison)
    table = comparison.rank_intervals()
    bars = display.ax_.collections[0].get_segments()
    drawn = [(bar[:, 0].min(), bar[:, 0].max()) for bar in bars]
    assert drawn == list(zip(table["rank_low"], table["rank_high"], strict=True))
    (points,) = (line for line in display.ax_.lines if line.get_label() == "by the mean")
    assert points.get_xdata().tolist() == [1, 2, 3, 4]
    assert [text.get_text() for text in display.ax_.get_yticklabels()] == ["b", "d", "a", "c"]
    assert display.frame().equals(table)
    assert display.ax_.get_xticks().tolist() == [1, 2, 3, 4]


def test_the_others_are_counted_and_failed_candidates_left_out():
    values = np.random.default_rng(1).normal(size=(30, 10))
    values[3, 2] = np.nan
    display = comparison_of(values).plot("ranks", top=10, errorbar_kw={"color": "black"})
    assert display.ax_.get_title(loc="left") == "and 19 not shown"
    assert len(display.ax_.get_yticks()) == 10
    assert "1 is the best of 29" in display.ax_.get_xlabel()
    assert display.ax_.get_xticks()[0] == 1


def test_level_and_method_are_those_of_the_table():
    values = np.linspace(0, 0.1, 6)[:, None] + 0.03 * np.random.default_rng(2).normal(size=(6, 20))
    comparison = comparison_of(values)
    display = RankDisplay.from_comparison(comparison, alpha=0.3, method="bonferroni")
    assert display.frame().equals(comparison.rank_intervals(0.3, method="bonferroni"))
    labels = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert "joint 70 % interval" in labels


def test_draws_are_those_of_the_given_source():
    values = np.linspace(0, 0.1, 6)[:, None] + 0.03 * np.random.default_rng(2).normal(size=(6, 20))
    comparison = comparison_of(values)
    display = RankDisplay.from_comparison(comparison, method="maxt", rng=5)
    assert display.frame().equals(comparison.rank_intervals(method="maxt", rng=5))


def test_nothing_to_draw():
    with pytest.raises(ValueError, match="no ranks to draw: every candidate failed"):
        RankDisplay.from_comparison(comparison_of(np.full((2, 10), np.nan)))
