"""Ledger: filled in blocks, read as scikit-learn lists outcomes, empty cells in the same shape."""

import numpy as np
import pytest

from sklearn_stats_compare.search.ledger._ledger import Ledger


def outcome(score, error=None):
    return {"fit_error": error, "test_scores": score, "fit_time": 1.0, "score_time": 2.0}


def test_blocks_land_in_their_cells_and_come_back_in_rows():
    ledger = Ledger(3, 4)
    ledger.fill([2, 0], [3, 1], [outcome(s) for s in (0.23, 0.21, 0.03, 0.01)])
    assert ledger.ran.sum() == 4
    assert ledger.scores([0, 2], [1, 3], "score").tolist() == [[0.01, 0.03], [0.21, 0.23]]
    rows = ledger.rows()
    assert len(rows) == 12
    assert rows[1]["test_scores"] == 0.01
    assert rows[11]["test_scores"] == 0.23


def test_cells_not_run_are_nan_in_the_shape_of_run_ones():
    ledger = Ledger(1, 2)
    scores = {"a": 0.5, "b": 0.6}
    ledger.fill([0], [1], [{**outcome(scores), "train_scores": scores}])
    empty = ledger.rows()[0]
    assert list(empty["test_scores"]) == list(empty["train_scores"]) == ["a", "b"]
    assert np.isnan([*empty["test_scores"].values(), empty["fit_time"]]).all()
    assert empty["fit_error"] is None
    assert ledger.metrics() == ["a", "b"]
    assert ledger.scores([0], [1], "b").tolist() == [[0.6]]


def test_candidates_with_scores_that_are_not_finite_among_what_was_run():
    ledger = Ledger(4, 2)
    scores = (0.5, 0.6, np.nan, 0.5, 0.5, np.inf)
    ledger.fill([0, 1, 2], [0, 1], [outcome({"a": 1.0, "b": score}) for score in scores])
    # Candidate 3 was not run: its cells are NaN, and no score.
    assert ledger.non_finite("test_scores").tolist() == [False, True, True, False]
    assert not ledger.non_finite("train_scores").any()


def test_a_failed_block_has_the_error_score():
    ledger = Ledger(2, 2)
    ledger.fill([0, 1], [0], [outcome(0.5), outcome(0.6)])
    ledger.fail([0, 1], [1], np.nan, "no convergence")
    assert ledger.ran.all()
    assert np.isnan(ledger.scores([0, 1], [1], "score")).all()
    assert ledger.rows()[1]["fit_error"]


def test_what_was_run_cannot_be_edited_from_outside():
    ledger = Ledger(1, 2)
    ledger.ran[:] = True
    assert not ledger.ran.any()
    with pytest.raises(IndexError):
        ledger.fill([1], [0], [outcome(1.0)])


def test_a_wider_ledger_keeps_what_there_is():
    ledger = Ledger(2, 1)
    ledger.fill([0, 1], [0], [outcome(0.5), outcome(0.6, "no")])
    wider = ledger.widened(2)
    assert wider.ran.tolist() == [[True, False, False]] * 2
    assert wider.scores([0, 1], [0], "score").tolist() == [[0.5], [0.6]]
    assert wider.rows()[3]["fit_error"] == "no"
    assert ledger.n_splits == 1


def test_a_part_of_a_ledger_has_forgotten_the_rest():
    ledger = Ledger(2, 2)
    ledger.fill([0, 1], [0, 1], [outcome(k / 10, "no" if k > 1 else None) for k in range(4)])
    part = ledger.only(np.array([[True, False], [False, True]]))
    assert part.ran.tolist() == [[True, False], [False, True]]
    assert part.errors == {"no": 1}
    scores = [row["test_scores"] for row in part.rows()]
    np.testing.assert_array_equal(scores, [0.0, np.nan, np.nan, 0.3])
    assert ledger.n_ran == 4


def test_what_is_lacking_complete_and_failed():
    ledger = Ledger(3, 2)
    ledger.fill([0, 2], [0], [outcome(0.1), outcome(0.2, "no")])
    ledger.fill([0], [1], [outcome(0.3)])
    assert ledger.lacks([1, 2], [0, 1]).tolist() == [[True, True], [False, True]]
    assert ledger.complete.tolist() == [True, False, False]
    assert ledger.failed[:, 0].tolist() == [False, False, True]
    assert not ledger.failed[:, 1].any()
