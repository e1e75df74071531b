"""Optimism, resolution and plan of a comparison: on a real search, and where they cannot be."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import LeaveOneOut, ShuffleSplit
from sklearn.svm import SVC

import sklearn_stats_compare as ssc
from sklearn_stats_compare.reports import report

PLAN_COLUMNS = ["label", "mean_diff", "std", "n_repeats", "n_splits", "detectable_limit", "answer"]


@pytest.fixture(scope="module")
def comparison(moons_search):
    return moons_search.comparison_


def searched(moons_data, cv):
    """Of 40 samples, for leave-one-out fits as often."""
    search = ssc.StatisticalGridSearchCV(SVC(), {"C": [0.1, 1, 10]}, cv=cv)
    return search.fit(*(part[:40] for part in moons_data)).comparison_


def test_optimism_of_a_search_is_its_leaders(comparison, moons_search):
    found = comparison.optimism("cross_selection")
    assert isinstance(found, ssc.stats.OptimismResult)
    assert found.mean == moons_search.best_score_ == pytest.approx(0.94)
    assert comparison.optimism("tibshirani").corrected_mean == pytest.approx(0.93)
    boot = comparison.optimism(rng=0)
    assert boot.method == "fold_bootstrap"
    assert 0.93 < boot.corrected_mean < 0.94
    assert comparison.optimism(rng=0) == boot
    assert moons_search.best_score_ == found.mean  # stays scikit-learn's


def test_shuffle_splits_offer_tibshirani_alone_with_a_warning(moons_data):
    comparison = searched(moons_data, ShuffleSplit(20, random_state=0))
    with pytest.warns(ssc.ComparisonWarning, match="usually corrects too much") as record:
        found = comparison.optimism("tibshirani")
    assert record[0].filename == __file__
    assert found.optimism >= 0
    with pytest.raises(ValueError, match="`method` must be 'tibshirani' here; got 'fold_boot"):
        comparison.optimism()


def test_no_candidate_is_reported_left_out_if_all_are_compared():
    scores = np.random.default_rng(0).normal(0.8, 0.02, (3, 20))
    repeats = ssc.SplitDesign([90] * 20, [10] * 20, repeat=np.arange(20) // 10)
    found = ssc.Comparison(ssc.SplitScores(scores, repeats), _n_entered=3)
    found.optimism(rng=0)
    found.possibly_best()
    assert "chosen as the highest of 3, which flatters it" in " ".join(report(found).split())


def test_resolution_is_a_row_per_candidate_against_the_leader(comparison):
    table = comparison.plan()
    assert table["label"].tolist() == ["linear", "3_poly", "2_poly"]
    assert table.index.tolist() == [0, 2, 1]
    assert table["mean_diff"].tolist() == pytest.approx([0.01, 0.0356, 0.2548], abs=1e-6)
    # (1.959964 + 0.841621) · s · √(1/9)
    assert table["detectable_limit"].tolist() == pytest.approx(table["std"] * 2.801585 / 3)
    shrinking = table[["detectable", "detectable_2x", "detectable_5x", "detectable_limit"]]
    assert (np.diff(shrinking.to_numpy(), axis=1) < 0).all()
    assert (table["note"] == "").all()
    # The level is per test unless p_adjust says otherwise.
    one = comparison.plan(alpha=0.05 / 3)
    for method in ("bonferroni", "holm"):
        pd.testing.assert_frame_equal(comparison.plan(p_adjust=method), one)
    assert (table["detectable"] < one["detectable"]).all()


def test_twice_the_repeats_are_what_a_search_of_twice_the_repeats_has(comparison, make_comparison):
    row = comparison.plan().iloc[0]
    s = row["std"]
    longer = make_comparison([np.tile([s, -s], 100) * np.sqrt(199 / 200), np.zeros(200)])
    assert longer.plan().iloc[0]["std"] == pytest.approx(s)
    assert longer.plan().iloc[0]["detectable"] == pytest.approx(row["detectable_2x"])


def test_plan_reports_repeats_or_the_limit(comparison):
    table = comparison.plan(0.05)
    assert list(table.columns) == PLAN_COLUMNS
    assert table["answer"].tolist() == [
        "2 × 10 folds in one test (now 10: enough)",
        "not with this data: the limit is 0.0576",
        "not with this data: the limit is 0.15",
    ]
    assert table["n_repeats"].iloc[0] == 2
    assert table["n_splits"].iloc[0] == 20
    assert table["n_repeats"].isna().tolist() == [False, True, True]
    # "Enough" refers to one test, because verdicts require more: 0.05 / 3.
    adjusted = comparison.plan(0.05, p_adjust="bonferroni")["answer"].iloc[0]
    assert "at level 0.017 (now" in adjusted
    assert "one test" not in adjusted


def test_no_number_of_repeats_is_given_below_and_at_the_limit(comparison):
    limits = comparison.plan()["detectable_limit"]
    # s·√q < difference ≤ 2.80·s·√q: the limit is what counts.
    for share, answer in (
        (0.5, "not with this data"),
        (1, "not with this data"),
        (1.01, "too few"),
    ):
        assert answer in comparison.plan(share * limits.iloc[0])["answer"].iloc[0]
    for limit in limits:
        for difference in (np.nextafter(limit, 0), limit, np.nextafter(limit, 1)):
            assert len(comparison.plan(difference)) == 3
    table = comparison.plan(limits.iloc[0] - 1e-6)
    assert table["answer"].iloc[0] == "not with this data: the limit is 0.0358"
    assert table["n_repeats"].isna().iloc[0]


def test_unknown_repeats_are_explained(moons_data):
    for cv, reason in (
        (ShuffleSplit(20, random_state=0), "the repeats of the splits are not known"),
        (LeaveOneOut(), "leave-one-out cannot be repeated: its splits are always the same"),
    ):
        comparison = searched(moons_data, cv)
        table = comparison.plan()
        assert table[["detectable_2x", "detectable_5x"]].isna().all(axis=None)
        assert table[["detectable", "detectable_limit"]].notna().all(axis=None)
        assert (table["note"] == reason).all()
        plan = comparison.plan(0.9)
        assert plan["n_repeats"].isna().all()
        assert (plan["answer"] == f"not known: {reason}").all()
        # What no number of repeats finds needs none to be known.
        assert "not with this data" in comparison.plan(1e-6)["answer"].iloc[-1]


def test_missing_single_and_identical_candidates(make_comparison):
    rows = np.random.default_rng(0).normal(size=(3, 10))
    rows[1, 2] = np.nan
    rows[2] = rows[0]
    comparison = make_comparison(rows)
    table = comparison.plan()
    assert table.loc[1, "note"] == "a score is not a finite number"
    assert np.isnan(table.loc[1, "detectable"])
    assert table.loc[2, ["detectable", "detectable_limit"]].tolist() == [0, 0]
    assert comparison.plan(0.1).loc[1, "answer"] == "not known: a score is not a finite number"
    assert len(make_comparison(rows[:1]).plan()) == 0
    assert len(make_comparison(rows[:1]).plan(0.1)) == 0
    failed = make_comparison(np.full((2, 10), np.nan))
    assert failed.plan()["detectable"].isna().all()
    assert failed.plan(1)["answer"].tolist() == ["not known: a score is not a finite number"]


def test_one_split_and_too_small_a_level_are_explained(make_comparison):
    one = make_comparison([[0.1], [0.2]])
    assert one.plan()["note"].tolist() == ["there is only one split"]
    same = make_comparison(np.ones((2, 10)))  # sizes alone, no repeats
    assert same.plan()["detectable"].tolist() == [0]
    assert same.plan()["detectable_2x"].isna().all()
    two = make_comparison([[0.1, 0.2], [0.3, 0.5]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        table = two.plan(alpha=1e-9)
    assert table["note"].tolist() == ["too few splits for so small a level"]


@pytest.mark.parametrize(
    ("settings", "match"),
    [
        ({"power": 1.5}, r"`power` must be in \(0, 1\); got 1.5"),
        ({"power": 0.01}, "`power` must be above `alpha`, 0.05; got 0.01"),
        ({"alpha": 0}, r"`alpha` must be in \(0, 1\); got 0"),
        ({"p_adjust": "tukey"}, "`p_adjust` must be one of"),
    ],
)
def test_bad_settings_are_refused(comparison, settings, match):
    with pytest.raises(ValueError, match=match):
        comparison.plan(**settings)
    with pytest.raises(ValueError, match=match):
        comparison.plan(0.1, **settings)


@pytest.mark.parametrize("difference", [0, -0.1, np.inf, np.nan, "0.1", True])
def test_a_difference_to_plan_for_must_be_a_positive_number(comparison, difference):
    wanted = r"`difference` must be a finite number > 0, at most 1e\+150; got"
    with pytest.raises(ValueError, match=wanted):
        comparison.plan(difference)
