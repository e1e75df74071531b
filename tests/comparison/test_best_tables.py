"""Tables of the best, of shortfalls and of intervals of ranks: columns, order, levels, refusals."""

from functools import partial

import numpy as np
import pytest

from sklearn_stats_compare import Comparison, ComparisonWarning, SplitDesign, SplitScores
from sklearn_stats_compare.comparison import _tables
from sklearn_stats_compare.reports import shared_by
from sklearn_stats_compare.stats._best import rank_limits, regret_bounds


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


def rank_intervals(comparison, alpha=None, method="holm", **options):
    own = comparison if alpha is None else comparison.with_settings(alpha=alpha)
    return own.ranking(rank_intervals=method, **options)


TABLES = {
    "shortfall": (Comparison.shortfall, "at_most", "method"),
    "rank_intervals": (rank_intervals, "rank_high", "rank_intervals"),
}


def comparison_of(values, **settings):
    n = np.shape(values)[1]
    return Comparison(SplitScores(values, SplitDesign([90] * n, [10] * n)), **settings)


@pytest.fixture
def values():
    rng = np.random.default_rng(0)
    values = np.array([[0.80], [0.83], [0.70], [0.82]]) + 0.02 * rng.standard_normal((4, 30))
    values[0, 3] = np.nan
    return values


def test_rows_are_in_rank_order_with_the_numbers_of_the_statistics(values):
    comparison = comparison_of(values, labels=["a", "b", "c", "d"], _candidates=[7, 5, 3, 1])
    order = [1, 3, 2, 0]
    table = comparison.shortfall(0.1)
    assert table.index.tolist() == [5, 1, 3, 7]
    assert table["label"].tolist() == ["b", "d", "c", "a"]
    bounds = regret_bounds(comparison.scores, alpha=0.1)
    np.testing.assert_array_equal(table["at_most"], bounds[order])
    np.testing.assert_allclose(table["behind"], table["mean"].iloc[0] - table["mean"])
    ranks = rank_intervals(comparison, 0.1, method="maxt", rng=1)
    assert ranks.index.tolist() == table.index.tolist()
    low, high = rank_limits(comparison.scores, alpha=0.1, method="maxt", rng=1)
    assert ranks["rank_low"].tolist()[:3] == low[order][:3].tolist()
    assert ranks["rank_high"].tolist()[:3] == high[order][:3].tolist()
    assert ranks.iloc[3][["rank", "rank_low", "rank_high"]].isna().all()


@pytest.mark.parametrize(("call", "column", "_"), TABLES.values(), ids=TABLES)
def test_the_level_is_the_comparisons_unless_given(values, call, column, _):
    cautious = comparison_of(values, alpha=1e-6)
    table = partial(call, cautious)
    assert table()[column].equals(table(1e-6)[column])
    assert not table()[column].equals(table(0.45)[column])
    assert (table()[column].dropna() >= table(0.45)[column].dropna()).all()


@pytest.mark.parametrize("name", TABLES)
def test_bad_arguments_and_too_many_pairs_are_refused(values, name, monkeypatch):
    table = partial(TABLES[name][0], comparison_of(values))
    with pytest.raises(ValueError, match=r"`alpha` must be in \(0, 1\); got 1"):
        table(1)
    with pytest.raises(ValueError, match=f"`{TABLES[name][2]}` must be one of"):
        table(method="tukey")
    with pytest.raises(ValueError, match="rng"):
        table(rng="seed")
    monkeypatch.setattr(_tables, "MOST_PAIRS", 3)
    with pytest.raises(ValueError, match="pairs"):
        table(method="maxt")


@pytest.mark.parametrize("name", TABLES)
def test_tests_without_standard_error_are_refused(name):
    halves = np.repeat(range(5), 2)
    design = SplitDesign([50] * 10, [50] * 10, halves, complementary_halves=True)
    scores = SplitScores(np.random.default_rng(1).normal(size=(3, 10)), design)
    comparison = Comparison(scores, test="5x2cv_f", warn=False)
    with pytest.raises(ValueError, match=f"for {name}, which needs the standard error"):
        TABLES[name][0](comparison)


@pytest.mark.parametrize("name", TABLES)
def test_after_a_race_they_are_of_the_survivors(values, name):
    comparison = comparison_of(values, _n_entered=9)
    with pytest.warns(ComparisonWarning, match=r"Only 4 of 9 candidates .* refers to these only"):
        TABLES[name][0](comparison)


def test_one_split_and_all_failed():
    one = Comparison(SplitScores([[0.1], [0.2]], SplitDesign([4], [1])), warn=False)
    assert one.shortfall()["at_most"].isna().all()
    assert one.ranking(rank_intervals="holm")["rank_high"].tolist() == [2, 2]
    none = comparison_of(np.full((2, 10), np.nan))
    assert none.shortfall()["at_most"].isna().all()
    assert none.ranking(rank_intervals="holm")["rank_low"].isna().all()


def test_one_split_excludes_no_candidate_by_any_method():
    scores = SplitScores([[0.9], [0.8], [0.1]], SplitDesign([80], [20]))
    comparison = Comparison(scores, warn=False)
    for method in ("mcb", "maxt", "mcs", "bayes"):
        assert len(comparison.possibly_best(method=method)) == 3
