"""A search with each of scikit-learn's splitters: the recorded design, and the answer or warning.

The rows are those of the table in docs/api.rst, "Splitters and their correction".
"""

from pathlib import Path

import numpy as np
import pytest
from quick import Votes
from sklearn import model_selection as ms
from sklearn.datasets import make_classification

from sklearn_stats_compare import ComparisonWarning, StatisticalGridSearchCV
from sklearn_stats_compare.evaluation import BootstrapSplit

PAGE = Path(__file__).parents[2] / "docs" / "api.rst"
X, y = make_classification(n_samples=60, n_features=4, flip_y=0.2, random_state=0)
GROUPS = np.arange(60) % 12
FEW, HEURISTIC = "There are only", "for which the variance correction is a heuristic"
# Splitter, its splits, Σ n_test / Σ n_train, whether its repeats are known, what is warned of.
SPLITTERS = [
    (ms.ShuffleSplit(1, test_size=0.25, random_state=0), 1, 15 / 45, False, "only 1 split"),
    (ms.ShuffleSplit(20, test_size=0.25, random_state=0), 20, 15 / 45, False, None),
    (ms.StratifiedShuffleSplit(20, test_size=0.25, random_state=0), 20, 15 / 45, False, None),
    (ms.KFold(5), 5, 1 / 4, True, FEW),
    (ms.KFold(10), 10, 1 / 9, True, None),
    (ms.StratifiedKFold(10), 10, 1 / 9, True, None),
    (ms.RepeatedKFold(n_splits=5, n_repeats=4, random_state=0), 20, 1 / 4, True, None),
    (ms.RepeatedStratifiedKFold(n_splits=10, n_repeats=2, random_state=0), 20, 1 / 9, True, None),
    (ms.LeaveOneOut(), 60, 1 / 59, True, None),
    (ms.LeavePOut(2), 66, 2 / 10, False, None),  # of 12 samples
    (ms.GroupKFold(12), 12, 1 / 11, True, None),
    (ms.StratifiedGroupKFold(12), 12, 1 / 11, True, None),
    (ms.LeaveOneGroupOut(), 12, 1 / 11, True, None),
    (ms.LeavePGroupsOut(2), 66, 10 / 50, False, None),
    (ms.GroupShuffleSplit(20, test_size=0.25, random_state=0), 20, 15 / 45, False, None),
    (ms.PredefinedSplit(np.where(np.arange(60) < 15, 0, -1)), 1, 15 / 45, False, "only 1 split"),
    (ms.PredefinedSplit(np.arange(60) % 10), 10, 1 / 9, True, None),
    (ms.TimeSeriesSplit(12), 12, None, False, HEURISTIC),
    (ms.TimeSeriesSplit(12, max_train_size=12), 12, None, False, HEURISTIC),
    (BootstrapSplit(20, random_state=0), 20, None, False, HEURISTIC),
]


@pytest.mark.parametrize(
    ("cv", "n_splits", "ratio", "known", "warned"), SPLITTERS, ids=lambda value: str(value)[:40]
)
def test_a_search_with_each_splitter(cv, n_splits, ratio, known, warned):
    n = 12 if isinstance(cv, ms.LeavePOut) else 60
    search = StatisticalGridSearchCV(Votes(), {"gamma": [0.1, 10.0]}, cv=cv)
    search.fit(X[:n], y[:n], groups=GROUPS if "Group" in type(cv).__name__ else None)
    assert search.n_splits_ == n_splits == len(search.n_train_)
    if ratio is not None:
        assert search.test_train_ratio_ == pytest.approx(ratio, rel=1e-12)
    if warned is None:
        table = search.pairwise_frequentist_
    else:
        with pytest.warns(ComparisonWarning, match=warned) as record:
            table = search.pairwise_frequentist_
        assert len(record) == 1
    design = search.comparison_.scores.design
    assert (design.repeat >= 0).all() == known
    answered = table["verdict"].isin(["better", "worse", "equivalent", "undecided"]).all()
    assert answered
    assert np.isfinite(table["p_val"]).all() == (n_splits > 1)


def test_the_table_has_every_splitter_of_scikit_learn():
    tested = {type(cv).__name__ for cv, *_ in SPLITTERS}
    splitters = {
        name
        for name in ms.__all__
        if not name.startswith(("Base", "Halving")) and hasattr(getattr(ms, name), "split")
    }
    assert splitters <= tested
    text = PAGE.read_text()
    table = text[text.index("Splitters and their correction") :]
    for name in tested:
        assert f"``{name}" in table
