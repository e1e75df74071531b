"""Tables of shortfalls and intervals of ranks: columns, order, levels, refusals, warnings."""

from functools import partial

import numpy as np
import pytest

from sklearn_stats_compare import Comparison, ComparisonWarning, SplitDesign, SplitScores
from sklearn_stats_compare.comparison import _tables
from sklearn_stats_compare.stats._best import rank_limits, regret_bounds


def rank_intervals(comparison, alpha=None, method="holm", **options):
    own = comparison if alpha is None else comparison.with_settings(alpha=alpha)
    return own.ranking(rank_intervals=method, **options)


TABLES = {
    "shortfall": (Comparison.shortfall, "at_most"),
    "rank_intervals": (rank_intervals, "rank_high"),
}
REFUSED = {"shortfall": "method", "rank_intervals": "rank_intervals"}


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


@pytest.mark.parametrize(("call", "column"), TABLES.values(), ids=TABLES)
def test_the_level_is_the_comparisons_unless_given(values, call, column):
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
    with pytest.raises(ValueError, match=f"`{REFUSED[name]}` must be one of"):
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
