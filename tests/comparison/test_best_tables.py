"""The best on a comparison: tables of members, probabilities, and what members share."""

import numpy as np
import pytest

from sklearn_stats_compare.reports import shared_by


def test_possibly_best_is_a_table_of_its_members(moons_comparison, moons):
    members = moons_comparison.possibly_best()
    assert members["label"].tolist() == ["rbf", "linear", "3_poly"]
    assert members.index.tolist() == [3, 0, 2]
    assert members["behind"].tolist() == pytest.approx([0, 0.01, 0.0356])
    one_sided = [pair["p_right_abs_as_in_example"] for pair in moons["pairs"][:2]]
    assert members["p_val"].tolist() == pytest.approx([1, 3 * one_sided[0], 3 * one_sided[1]])
    assert moons_comparison.possibly_best(0.5)["label"].tolist() == ["rbf", "linear"]
    assert len(moons_comparison.possibly_best(method="maxt")) == 3
    with pytest.raises(ValueError, match=r"`alpha` must be in \(0, 1\); got 2"):
        moons_comparison.possibly_best(2)


def test_the_confidence_set_and_the_probabilities_are_tables_of_all(moons_comparison):
    table = moons_comparison.possibly_best(method="mcs", everyone=True)
    assert table["in_set"].tolist() == [True, True, True, False]
    assert table["label"].tolist() == ["rbf", "linear", "3_poly", "2_poly"]
    found = moons_comparison.possibly_best(method="bayes", everyone=True, rng=0)
    assert found["best_prob"].round(2).tolist() == [0.74, 0.22, 0.04, 0.0]
    # 0.74 + 0.22 ≥ 1 − 0.05
    assert found["in_set"].tolist() == [True, True, False, False]
    assert moons_comparison.possibly_best(method="bayes")["label"].tolist() == ["rbf", "linear"]
    assert len(moons_comparison.possibly_best(0.3, method="bayes")) == 1
    assert len(moons_comparison.possibly_best(1e-9, method="bayes")) == 3
    columns = ["label", "mean", "behind", "best_prob", "within_rope_prob", "in_set"]
    assert list(found.columns) == columns


def test_a_fitted_search_has_a_possibly_best_table(moons_search):
    assert moons_search.possibly_best_["label"].tolist() == ["rbf", "linear", "3_poly"]
    assert len(moons_search.compare(alpha=1e-6).possibly_best()) == 4


def test_shared_parameters_of_members_are_listed(make_comparison):
    params = [{"kernel": k, "gamma": g, "C": 1} for k in ("rbf", "poly") for g in (0.01, 0.1, 1)]
    comparison = make_comparison(np.random.default_rng(0).random((6, 12)), params=params)
    for asked, expected in (
        ([0, 1, 2], "kernel=rbf in all; every value of gamma occurs: 0.01, 0.1, 1"),
        (["rbf_0.01", 4], "every value of kernel occurs: rbf, poly; gamma is one of 0.01, 0.1"),
    ):
        assert shared_by(comparison, asked) == expected
    assert "kernel" in shared_by(comparison, comparison.possibly_best())
    with pytest.raises(ValueError, match="`candidates` must be a candidate's index"):
        shared_by(comparison, ["sigmoid"])
    with pytest.raises(ValueError, match="at least one candidate"):
        shared_by(comparison, [])
    with pytest.raises(ValueError, match="knows no parameters"):
        shared_by(make_comparison(comparison.scores.values), [0])
    # Parameters that some lack, and many values.
    params = [{"a": i} for i in range(9)] + [{"b": 1}]
    comparison = make_comparison(np.random.default_rng(0).random((10, 12)), params=params)
    assert shared_by(comparison, range(9)) == "a is one of 0, …, 8 (9 values); b unset in all"


def test_possibly_best_is_empty_if_all_failed(make_comparison):
    comparison = make_comparison(np.full((3, 12), np.nan))
    assert comparison.possibly_best().empty
    assert not comparison.possibly_best(method="mcs", everyone=True)["in_set"].any()
    assert comparison.possibly_best(method="bayes", everyone=True)["best_prob"].isna().all()
