"""The published example, from the data to the tables, and the mistakes that it cannot notice."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold, LeaveOneOut, ShuffleSplit

from sklearn_stats_compare import ComparisonWarning, StatisticalGridSearchCV


def test_the_published_example_from_its_data(moons, moons_search):
    for row, pair in zip(
        moons_search.pairwise_frequentist_.itertuples(), moons["pairs"], strict=True
    ):
        assert (row.model_1, row.model_2) == (pair["model_1"], pair["model_2"])
        assert row.t_stat == pytest.approx(pair["t_stat"], rel=1e-9)
        assert row.p_val == pytest.approx(pair["p_right_bonferroni_as_in_example"], rel=1e-8)
    table = moons_search.pairwise_bayesian_
    for row, pair in zip(table.itertuples(), moons["pairs"], strict=True):
        assert row.worse_prob == pytest.approx(pair["p_left_rope"], abs=1e-10)
        assert row.better_prob == pytest.approx(pair["p_right_rope"], abs=1e-10)
        assert row.rope_prob == pytest.approx(pair["rope_prob"], abs=1e-10)


def test_the_digits_that_the_published_example_prints(moons_search):
    frequentist, bayesian = moons_search.pairwise_frequentist_, moons_search.pairwise_bayesian_
    assert frequentist["t_stat"].round(3).tolist() == [0.75, 1.657, 4.565, 1.111, 4.276, 3.851]
    assert frequentist["p_val"].round(3).tolist() == [1.0, 0.302, 0.0, 0.807, 0.0, 0.001]
    assert bayesian["worse_prob"].round(3).tolist() == [0.068, 0.018, 0.0, 0.063, 0.0, 0.0]
    assert bayesian["better_prob"].round(3).tolist() == [0.5, 0.882, 1.0, 0.75, 1.0, 1.0]
    assert bayesian["rope_prob"].round(3).tolist() == [0.432, 0.1, 0.0, 0.187, 0.0, 0.0]
    ranking = moons_search.comparison_.ranking
    assert ranking["label"].tolist() == ["rbf", "linear", "3_poly", "2_poly"]
    assert ranking["mean"].round(4).tolist() == [0.94, 0.93, 0.9044, 0.6852]
    uncorrected = moons_search.comparison_.frequentist(test="uncorrected_t", p_adjust=None)
    assert uncorrected["t_stat"].round(3)[0] == 2.611
    assert uncorrected["p_val"].round(3)[0] == 0.005
    posterior = moons_search.posterior("rbf", "linear")
    assert round(posterior.sf(0), 3) == 0.773
    assert round(posterior.break_even_rope(0.95), 6) == 0.032264
    intervals = moons_search.comparison_.credible_intervals("rbf", "linear").round(6)
    assert intervals[["low", "high"]].to_numpy().tolist() == [
        [0.000977, 0.019023],
        [-0.005422, 0.025422],
        [-0.016445, 0.036445],
    ]


def fitted(cv, n_samples=103):
    X, y = make_classification(n_samples=n_samples, random_state=0)
    return StatisticalGridSearchCV(
        LogisticRegression(max_iter=500), {"C": [1e-3, 1.0]}, cv=cv, p_adjust=None
    ).fit(X, y)


@pytest.mark.parametrize(
    ("cv", "ratio", "n_splits"),
    [
        (KFold(10), 1 / 9, 10),  # uneven: 11/92 = 0.1196 first, 10/93 = 0.1075 last
        (ShuffleSplit(30, test_size=0.3, random_state=0), 31 / 72, 30),
        (LeaveOneOut(), 1 / 102, 103),
    ],
)
def test_t_is_that_of_the_splits_that_were_used(cv, ratio, n_splits):
    search = fitted(cv)
    assert search.test_train_ratio_ == ratio
    assert len(search.n_train_) == len(search.n_test_) == n_splits
    assert (search.n_train_ + search.n_test_ == 103).all()
    scores = np.array([search.cv_results_[f"split{k}_test_score"] for k in range(n_splits)])
    row = search.pairwise_frequentist_.iloc[0]
    d = scores[:, search.best_index_] - scores[:, 1 - search.best_index_]
    expected = d.mean() / (d.std(ddof=1) * np.sqrt(1 / n_splits + ratio))
    assert row.t_stat == pytest.approx(expected, rel=1e-9)


def test_leave_one_out_is_computed_without_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error", ComparisonWarning)
        assert fitted(LeaveOneOut(), 40).pairwise_frequentist_["p_val"].notna().all()
