"""parameter_profile: which candidates stand for a value, and whose numbers are shown."""

import numpy as np
import pytest

from sklearn_stats_compare import Comparison, SplitDesign, SplitScores
from sklearn_stats_compare.comparison._parameters import fits_number_axis, parameter_profile

SCORES = np.array([[0.8, 0.9], [0.6, 0.7], [0.7, 0.7], [np.nan, 0.9]])
PARAMS = [{"C": 1, "k": "a"}, {"C": 1.0, "k": "b"}, {"C": 10, "k": "b"}, {"C": 10, "k": "a"}]


@pytest.fixture
def comparison():
    scores = SplitScores(SCORES, SplitDesign([50, 50], [50, 50]))
    return Comparison(scores, params=PARAMS, warn=False)


def test_candidates_with_equal_values_share_a_row_without_failed_ones(comparison):
    best = parameter_profile(comparison, "C", "best")
    assert (best.candidates, best.others) == (((0, 1), (2,)), "best")
    assert best.table["value"].tolist() == [1, 10]
    assert best.table["mean"].tolist() == pytest.approx([0.85, 0.7])
    averaged = parameter_profile(comparison, "C", "averaged")  # of the scores of each split
    assert averaged.table["mean"].tolist() == pytest.approx([0.75, 0.7])  # (0.8+0.6+0.9+0.7)/4
    assert averaged.table["label"].tolist() == ["mean of 2", "mean of 1"]
    held = parameter_profile(comparison, "C", "held")  # one candidate per value
    assert (held.candidates, held.others) == (((0,), (3,)), "none")
    assert held.table["mean"].isna().tolist() == [False, True]  # all with 10 failed


def test_only_numbers_fit_a_numeric_axis():
    assert fits_number_axis(1)
    assert fits_number_axis(np.float64(0.5))
    others = [True, np.bool_(True), "1", None, 10**400, np.inf, np.nan]
    assert not any(map(fits_number_axis, others))


def test_a_parameter_is_found_by_its_last_part_if_that_is_unique():
    scores = SplitScores(SCORES, SplitDesign([50, 50], [50, 50]))
    params = [{"svc__C": p["C"], "svc__k": p["k"], "pca__k": 1} for p in PARAMS]
    comparison = Comparison(scores, params=params, warn=False)
    short, whole = (parameter_profile(comparison, name, "best") for name in ("C", "svc__C"))
    assert short.table.equals(whole.table)
    with pytest.raises(ValueError, match=r"`parameter` must be one of pca__k, svc__C, svc__k"):
        parameter_profile(comparison, "k", "best")


def test_one_feature_and_all_features_are_two_values():
    params = [{"max_features": value} for value in (1, "sqrt", 1.0)]
    scores = SplitScores(SCORES[[0, 1, 2]], SplitDesign([50, 50], [50, 50]))
    found = parameter_profile(Comparison(scores, params=params, warn=False), "max_features", "best")
    assert found.candidates == ((0,), (1,), (2,))
    assert found.table["mean"].tolist() == pytest.approx([0.85, 0.65, 0.7])
