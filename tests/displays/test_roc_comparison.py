"""RocComparisonDisplay: scikit-learn's curves, DeLong's numbers, and nothing cut off."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score, roc_curve

from sklearn_stats_compare import delong

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402

from sklearn_stats_compare.displays import RocComparisonDisplay  # noqa: E402

RNG = np.random.default_rng(0)
TRUTH = np.repeat([0, 1], [60, 40])
SCORES = TRUTH + RNG.normal(size=(2, 100)) * np.array([[0.6], [1.5]])


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


def test_the_frame_holds_the_points():
    display = RocComparisonDisplay.from_result(delong(TRUTH, *SCORES))
    frame = display.frame()
    assert list(frame.columns) == ["model", "false_positive_rate", "true_positive_rate"]
    second = frame[frame["model"] == "model 2"]
    assert second["true_positive_rate"].is_monotonic_increasing
    assert second.iloc[-1].tolist() == ["model 2", 1, 1]


@pytest.mark.parametrize("size", [8, 18])
def test_nothing_is_cut_off(size):
    names = ["a very long name of a first model, longer than the picture", "$second_"]
    with plt.rc_context({"font.size": size}):
        display = RocComparisonDisplay.from_predictions(
            TRUTH, *SCORES, names=names, confidence_level=0.9
        )
        figure = display.figure_
        figure.canvas.draw()
        assert "90 % interval" in display.ax_.get_title(loc="left")
        renderer = figure.canvas.get_renderer()
        parts = [display.ax_._left_title, *display.ax_.get_legend().get_texts()]
        for part in parts:
            box = part.get_window_extent(renderer)
            assert box.x0 >= 0
            assert box.x1 <= figure.bbox.x1
            assert box.y1 <= figure.bbox.y1


def test_given_axes_style_and_refusals():
    certain = RocComparisonDisplay.from_predictions(TRUTH, TRUTH, SCORES[1])
    assert "p < 0.001" in certain.ax_.get_title(loc="left")
    _, ax = plt.subplots()
    display = RocComparisonDisplay.from_predictions(TRUTH, *SCORES, ax=ax, confidence_level=0.5)
    assert display.ax_ is ax
    assert display.plot(line_kw={"linewidth": 5}).ax_.lines[-1].get_linewidth() == 5
    with pytest.raises(ValueError, match=r"`names` must be two names; got \['a'\]"):
        RocComparisonDisplay(display.result, names=["a"])
    with pytest.raises(ValueError, match="`confidence_level`"):
        RocComparisonDisplay(display.result, confidence_level=95)
    with pytest.raises(ValueError, match="`y_true` must have two classes"):
        RocComparisonDisplay.from_predictions(np.ones(100), *SCORES)
