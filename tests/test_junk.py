"""Junk is refused in words that name the parameter, and extreme numbers give right answers."""

import warnings

import numpy as np
import pytest

import sklearn_stats_compare as ssc
from sklearn_stats_compare.reports import report

DESIGN = ssc.SplitDesign.from_ratio(0.25, 10)
SCORES = np.random.default_rng(0).normal(0.8, 0.02, (4, 10))
FORMATS = ("text", "markdown", "latex", "html", "json")


def comparison(values=SCORES, labels=None, **settings):
    return ssc.Comparison(ssc.SplitScores(values, DESIGN), labels, warn=False, **settings)


@pytest.mark.parametrize(
    "splits",
    [
        None, "abc", {"a": 1}, [], [(0, 1)], [("a", "b")], [([0.5], [1])], [([0, 99], [1])],
        [([-11], [1])], [([True, False], [1])], [([[0, 1]], [1])], [([0], [1], [2])],
    ],
)  # fmt: skip
def test_splits_that_are_none_are_refused(splits):
    with pytest.raises(ValueError, match="`splits` must be"):
        ssc.SplitDesign.from_indices(splits, 10)


@pytest.mark.parametrize("n_samples", [0, -1, 1.5, "x", None])
def test_a_number_of_samples_is_a_whole_one(n_samples):
    with pytest.raises(ValueError, match="`n_samples` must be a whole number ≥ 1"):
        ssc.SplitDesign.from_indices([([0], [1])], n_samples)


@pytest.mark.parametrize("rng", ["x", -1, 1.5, [1, "a"], object()])
@pytest.mark.parametrize("method", ["probability_best", "optimism", "calibrate"])
def test_a_source_of_random_numbers_is_a_seed_or_a_generator(method, rng):
    with pytest.raises(ValueError, match="`rng` must be None, a whole number ≥ 0 or a numpy"):
        getattr(comparison(), method)(rng=rng)


@pytest.mark.parametrize(
    "values",
    [SCORES * 1j, np.array(1.0), SCORES[None], [[1, 2], [3]], SCORES.astype("M8[s]")],
    ids=["complex", "0-d", "3-d", "ragged", "dates"],
)
def test_scores_are_a_matrix_of_real_numbers(values):
    with pytest.raises(ValueError, match="`values` must be"):
        ssc.SplitScores(values, DESIGN)


@pytest.mark.parametrize("alpha", [1e-300, 5e-324])
def test_levels_near_nothing_go_through_all_tables_and_reports(alpha):
    small = comparison(alpha=alpha)
    table = small.leader_table
    assert (table["verdict"] == "undecided").all()
    assert table["mean_diff"].between(table["ci_low"], table["ci_high"]).all()
    assert (small.pairwise_frequentist["verdict"] == "undecided").all()
    assert len(small.possibly_best()) == 4
    assert len(small.resolution()) == 3
    for kind in FORMATS:
        assert report(small, kind)


def test_resolution_returns_at_two_splits_and_a_tiny_level():
    design = ssc.SplitDesign.from_ratio(0.25, 2)
    few = ssc.Comparison(ssc.SplitScores(SCORES[:, :2], design), alpha=1e-7, warn=False)
    assert len(few.resolution()) == 3


@pytest.mark.parametrize("scale", [5e-324, 1e-300, 1e308])
@pytest.mark.parametrize("rope", [0.01, 1e308])
def test_scores_at_the_ends_of_the_numbers_are_reported_without_warnings(scale, rope):
    values = SCORES * scale  # of the smallest number 0 or 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for kind in FORMATS:
            assert report(comparison(values, rope=rope), kind)


def test_labels_of_any_characters_can_be_printed():
    assert str(comparison(labels=["\ud800", "a\x00b", "$x", "a\nb"])).encode()
