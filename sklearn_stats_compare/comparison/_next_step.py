"""next_step(): what to do about what a comparison found, in a sentence or two."""

import numpy as np
import pandas as pd

from sklearn_stats_compare._messages import count, one_line
from sklearn_stats_compare.comparison._best import possibly_best_members
from sklearn_stats_compare.comparison._by_predictions import ByPredictions
from sklearn_stats_compare.stats import SampleTTest

_MOST_REPEATS = 5
"""Times the repeats so far; beyond that other samples cost less than more fits."""
_FEW_SPLITS = 100
"""Over ten times ten folds the test of splits finds what that of samples does."""
_POWER = 0.5
"""A difference as large as the one seen would be found every other time."""


def next_step(self: ByPredictions) -> str:
    """What to do next, in a sentence or two; empty where there is no leader or no rival.

    Notes
    -----
    Of the rivals that are undecided the best one counts. In this order: values of single samples in
    place of few splits, which need no further fit if predictions were kept; further repeats, if at
    most five times as many would find a true difference as large as the one seen with probability
    0.5 (see `Comparison.plan`); more samples, where no number of repeats would. Beside that there
    is always the simplest of the candidates that may be the best.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from sklearn_stats_compare import StatisticalGridSearchCV
    >>> search = StatisticalGridSearchCV(
    ...     make_pipeline(StandardScaler(), LogisticRegression()),
    ...     {"logisticregression__C": [0.001, 1.0, 10.0]},
    ...     scoring="neg_log_loss", cv=5, test="samples",
    ... ).fit(*load_breast_cancer(return_X_y=True))
    >>> print(search.comparison_.next_step())
    Undecided against 10.0: more samples would decide, or take the simpler of the two.
    """
    scores, settings = self.scores, self.settings
    if scores.n_available < 2 or not settings.test.has_std_err:
        return ""
    table: pd.DataFrame = self._leader_table
    # By place: pandas hashes the labels of a part of a table, and fails with half a surrogate pair.
    open_rows = np.flatnonzero(table["verdict"].to_numpy() == "undecided")
    n_best = int(possibly_best_members(self).sum())
    if not open_rows.size:
        return _decided(table, n_best)
    simplest = f"the simplest of the {n_best:,} that may be the best"
    if n_best <= 2:
        simplest = "the leader" if n_best == 1 else "the simpler of the two"
    against = _against(_label(table, "model_2", open_rows[0]), open_rows.size - 1)
    return f"{against}: {_what_would_decide(self, table, open_rows[0])}, or take {simplest}."


def _decided(table: pd.DataFrame, n_best: int) -> str:
    leader = _label(table, "model_1", 0)
    n_equivalent = int((table["verdict"] == "equivalent").sum())
    if not n_equivalent:
        return f"Decided: refit {leader}, the only one that may be the best."
    others = count(n_equivalent, "equivalent candidate")
    return f"Decided: {leader} has {others}; take the simplest or the cheapest of them."


def _against(first: str, n_others: int) -> str:
    others = f" and {count(n_others, 'other')}" if n_others else ""
    return f"Undecided against {first}{others}"


def _label(table: pd.DataFrame, column: str, row: int) -> str:
    return one_line(str(table[column].iloc[row]), 40)


def _what_would_decide(self: ByPredictions, table: pd.DataFrame, row: int) -> str:
    scores, test = self.scores, self.settings.test
    if test.of_splits and scores.n_splits < _FEW_SPLITS and _may_go_by_samples(self):
        if self.predicted is not None:
            return 'compare by samples in place of splits, with_settings(test="samples")'
        return 'search with test="samples", which decides more with the same fits'
    difference = abs(float(table["mean_diff"].iloc[row]))
    n_now = int(scores.design.repeat.max()) + 1
    if difference > 0 and n_now > 0:
        # The rows of the table are the rivals in rank order.
        tests = test.against(scores, int(scores.order[0]), scores.order[[row + 1]])
        # A power is above the level, which may be as high as anybody likes.
        level = min(self.settings.alpha / max(scores.n_available - 1, 1), _POWER / 2)
        needed = test.repeats_needed(scores, tests, difference, power=_POWER, alpha=level)[0]
        if n_now < needed <= _MOST_REPEATS * n_now:
            return (
                f"{int(needed):,} repeats in place of {n_now:,} would find a difference like that "
                f"seen, {difference:.3g}, every other time, extend(n_repeats={int(needed) - n_now})"
            )
    return "more samples would decide"


def _may_go_by_samples(self: ByPredictions) -> bool:
    try:
        SampleTTest().check(self.scores.design)
    except ValueError:
        return False
    return True
