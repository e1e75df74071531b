"""The score matrix: missing candidates and their order."""

import numpy as np
import pytest

from sklearn_stats_compare import SplitDesign, SplitScores

DESIGN = SplitDesign([90] * 3, [10] * 3)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_any_score_that_is_not_finite_makes_a_candidate_missing(bad):
    scores = SplitScores([[0.9, bad, 0.9], [0.5, 0.5, 0.5]], DESIGN)
    assert scores.missing.tolist() == [True, False]
    # The partial mean of the first, 0.9, would beat the second's 0.5.
    assert scores.order.tolist() == [1, 0]
    assert np.isnan(scores.means[0])
    assert (scores.n_available, scores.n_pairs) == (1, 0)


def test_ties_are_in_the_order_of_candidates():
    scores = SplitScores([[0.1] * 3, [0.7] * 3, [0.2] * 3, [0.7] * 3], DESIGN)
    assert scores.order.tolist() == [1, 3, 2, 0]


def test_higher_is_better_for_negative_scores():
    scores = SplitScores([[-10.0] * 3, [-2.0] * 3, [-5.0] * 3], DESIGN)
    assert scores.order.tolist() == [1, 2, 0]


def test_scores_are_copied():
    values = np.full((2, 3), 0.5)
    scores = SplitScores(values, DESIGN)
    values[:] = 0
    assert (scores.values == 0.5).all()


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([0.1, 0.2, 0.3], "must be a matrix"),
        (np.empty((0, 3)), "must be a matrix"),
        ([[0.1, 0.2]], "one column per split of `design`, 3; got 2"),
        ([["a", "b", "c"]], "must be numbers"),
        ([[0.1, 0.2, 0.3], [0.1]], "must be numbers"),
    ],
)
def test_invalid_score_matrices_raise(values, message):
    with pytest.raises(ValueError, match=message):
        SplitScores(values, DESIGN)


def test_scores_too_large_to_be_squared_are_missing():
    scores = SplitScores([[0.9, -1.8e308, 0.9], [0.5, 1e150, 0.5]], DESIGN)
    assert scores.missing.tolist() == [True, False]


def test_scores_are_read_only():
    with pytest.raises(ValueError, match="read-only"):
        SplitScores([[0.5, 0.5, 0.5]], DESIGN).values[0, 0] = 1
