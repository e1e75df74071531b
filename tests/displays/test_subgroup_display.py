"""SubgroupDisplay: the rows of by(), a block per rival, and what is not tested said so."""

import numpy as np
import pytest

from sklearn_stats_compare import Comparison, SampleScores, SplitDesign, SplitScores

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402

from sklearn_stats_compare.displays import SubgroupDisplay  # noqa: E402

GROUPS = np.repeat(["small", "large", "rare"], [90, 100, 10])  # 10 < min_samples = 30


@pytest.fixture
def make():
    """Comparison of m candidates on 200 samples in five folds, each 0.3 behind the one before."""

    def of(m):
        noise = np.random.default_rng(0).normal(size=(m, 1, 200))
        values = noise - 0.3 * np.arange(m)[:, None, None]
        design = SplitDesign([160] * 5, [40] * 5, [0] * 5)
        splits = values.reshape(m, 5, 40).mean(axis=2)
        scores = SplitScores(splits, design, SampleScores(values, 5))
        return Comparison(scores, list("abc"[:m]), test="samples", rope=0.1)

    return of


def test_the_frame_is_the_table_after_the_rows_of_all_samples(make):
    subgroups = make(3).by(GROUPS)
    frame = SubgroupDisplay(subgroups).frame()
    assert frame["group"].isna().tolist() == [True] * 2 + [False] * 6
    assert frame["n_samples"].tolist() == [200] * 2 + subgroups.table["n_samples"].tolist()
    np.testing.assert_array_equal(frame["mean_diff"][:2], subgroups.overall["mean_diff"])
    np.testing.assert_array_equal(frame["mean_diff"][2:], subgroups.table["mean_diff"])


def test_every_difference_that_was_tested_is_drawn_at_its_label(make):
    display = SubgroupDisplay.from_comparison(make(3), GROUPS)
    labels = [tick.get_text() for tick in display.ax_.get_yticklabels()]
    order = [str(name) for name in display.subgroups.table["group"].unique()]
    sizes = {"small": "90", "large": "100", "rare": "10, too few"}
    expected = []
    for rival in "bc":
        expected.append(f"{rival}: all samples (200)")
        expected += [f"{name} ({sizes[name]})" for name in order]
    assert labels == expected
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


def test_rivals_left_out_are_counted(make):
    display = SubgroupDisplay.from_comparison(make(3), GROUPS, top=1)
    assert display.ax_.get_title(loc="left") == "and 1 other not shown"
    assert len(display.ax_.get_yticks()) == 4


def test_it_draws_on_given_axes_and_raises_without_a_rival(make):
    _, ax = plt.subplots()
    assert SubgroupDisplay.from_comparison(make(2), GROUPS, ax=ax).ax_ is ax
    with pytest.raises(ValueError, match="The leader needs another candidate"):
        SubgroupDisplay.from_comparison(make(1), GROUPS)
