"""LearningCurveComparisonDisplay: what it plots is what was computed."""

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression

from sklearn_stats_compare import ComparisonWarning, compare_learning_curves

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402

from sklearn_stats_compare.displays import LearningCurveComparisonDisplay  # noqa: E402

X, y = make_classification(n_samples=300, n_features=5, random_state=0)
MODELS = {"logistic": LogisticRegression(), "never_$": DummyClassifier()}


@pytest.fixture(scope="module")
def compared():
    return compare_learning_curves(MODELS, X, y, cv=10, random_state=0)


def test_lines_bands_and_points_are_the_tables(compared):
    display = LearningCurveComparisonDisplay.from_learning_curves(compared)
    frame = display.frame()
    np.testing.assert_array_equal(
        frame[compared.curves.columns].to_numpy(dtype=object),
        compared.curves.to_numpy(dtype=object),
    )
    lines = [line for line in display.ax_.lines if line.get_linestyle() == "-"]
    own = frame[frame["model"] == "logistic"]
    np.testing.assert_array_equal(lines[0].get_xdata(), own["n_train"])
    np.testing.assert_array_equal(lines[0].get_ydata(), own["mean"])
    assert len(display.ax_.collections) == 2
    full = compared.comparisons[270]
    last = frame[frame["n_train"] == 270].set_index("model")["may_be_best"]
    assert set(last[last].index) == set(full.possibly_best()["label"])
    assert display.ax_.get_xscale() == "log"
    assert [text.get_text() for text in display.ax_.get_xticklabels()] == [
        "16", "33", "67", "135", "270",
    ]  # fmt: skip
    assert "95 % intervals" in display.ax_.get_title(loc="left")


def test_sizes_without_scores_are_named_and_equal_steps_are_linear():
    rare = np.r_[np.ones(12, dtype=int), np.zeros(288, dtype=int)]
    with pytest.warns(ComparisonWarning, match="a class is missing"):
        compared = compare_learning_curves(
            MODELS, X, rare, cv=10, schedule=[5, 100, 200, 270], random_state=0
        )
    display = LearningCurveComparisonDisplay.from_learning_curves(compared)
    assert display.ax_.get_xscale() == "linear"
    assert display.ax_.get_title(loc="left").endswith("no scores with 5 training samples")


def test_many_models_have_different_styles_and_axes_are_accepted(compared):
    frame = LearningCurveComparisonDisplay.from_learning_curves(compared).frame()
    several = [frame.assign(model=f"model {k}") for k in range(8)]
    import pandas as pd

    _, ax = plt.subplots()
    display = LearningCurveComparisonDisplay(pd.concat(several)).plot(ax=ax, line_kw={"alpha": 0.5})
    assert display.ax_ is ax
    legend = ax.get_legend()
    looks = {(h.get_color(), h.get_marker()) for h in legend.legend_handles}
    assert len(looks) == 8
    assert len(ax.containers) == 8  # bars in place of bands
