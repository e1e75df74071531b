"""Labels have room in axes of your own, where the figure makes it as the docs say."""

import numpy as np
import pytest

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402


@pytest.mark.parametrize("kind", ["leader", "pairwise"])
def test_labels_stay_within_a_constrained_figure_of_the_usual_size(kind, make_comparison):
    labels = [f"LogisticRegression_{k}_median" for k in range(5)]
    figure, ax = plt.subplots(figsize=(6.4, 4.8), layout="constrained")
    comparison = make_comparison(np.random.default_rng(0).random((5, 12)), labels=labels)
    comparison.plot(kind, ax=ax)
    figure.canvas.draw()
    for tick in [*ax.get_yticklabels(), *ax.get_xticklabels()]:
        box = tick.get_window_extent()
        assert box.x0 >= 0
        assert box.y0 >= 0
    plt.close(figure)
