"""Optimism, resolution, plan and what is undecided: on a real search, and where they cannot be."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import LeaveOneOut, ShuffleSplit
from sklearn.svm import SVC

import sklearn_stats_compare as ssc
from sklearn_stats_compare.comparison._planning import Undecided
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
    for share in (0.5, 1):
        assert "not with this data" in comparison.plan(share * limits.iloc[0])["answer"].iloc[0]
    assert "too few" in comparison.plan(1.01 * limits.iloc[0])["answer"].iloc[0]
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
    # A thousand samples may miss a difference of 0.001: equal scores do not show what is found.
    assert table.loc[2, ["detectable", "detectable_limit"]].isna().all()
    assert table.loc[2, "note"] == "equal scores show no spread"
    assert comparison.plan(0.1).loc[2, "answer"] == "not known: equal scores show no spread"
    assert comparison.plan(0.1).loc[1, "answer"] == "not known: a score is not a finite number"
    assert len(make_comparison(rows[:1]).plan()) == 0
    assert len(make_comparison(rows[:1]).plan(0.1)) == 0
    failed = make_comparison(np.full((2, 10), np.nan))
    assert failed.plan()["detectable"].isna().all()
    assert failed.plan(1)["answer"].tolist() == ["not known: a score is not a finite number"]


def test_one_split_and_too_small_a_level_are_explained(make_comparison):
    one = make_comparison([[0.1], [0.2]])
    assert one.plan()["note"].tolist() == ["there is only one split"]
    alternating = np.tile([0.0, 1.0], 5)
    varied = make_comparison([alternating, 1 - alternating])  # sizes alone, no repeats
    assert varied.plan()["detectable"].notna().all()
    assert varied.plan()["detectable_2x"].isna().all()
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


J = 100
DESIGN = ssc.SplitDesign([90] * J, [10] * J, np.arange(J) // 10)
# Mean 0 and standard deviation 1 (ddof=1), exactly.
NOISE = np.tile([1.0, -1.0], J // 2) * np.sqrt((J - 1) / J)


def beside_flat(*means, **settings):
    """Candidates of which every one but the first is flat, so that s is 1 against the first."""
    values = np.repeat(np.array(means)[:, None], J, axis=1)
    values[0] += NOISE
    settings = {"p_adjust": None, "rope": 0.0, **settings}
    return ssc.Comparison(ssc.SplitScores(values, DESIGN), warn=False, **settings)


@pytest.mark.parametrize(
    ("difference", "rope", "expected"),
    [
        # s = 1, q = 1/9. Decided now above t(0.975, 99)·√(1/100 + 1/9) = 1.984 · 0.348 = 0.690;
        # in the limit above 1.960 / 3 = 0.653, and two standard errors of 100 splits are 0.2.
        # Above 1.660 · 0.348 = 0.58 the other is not possibly the best, and there is no pair.
        (0.70, 0.0, Undecided(1, 0, 0, 0)),
        (0.68, 0.0, Undecided(1, 0, 0, 0)),
        (0.46, 0.0, Undecided(2, 1, 1, 0)),
        (0.44, 0.0, Undecided(2, 1, 1, 1)),
        (0.00, 0.0, Undecided(2, 1, 1, 1)),
        # At difference 0 the limit is equivalent where rope · 3 > 1.645: 0.548.
        (0.00, 0.54, Undecided(2, 1, 1, 1)),
        (0.00, 0.56, Undecided(2, 1, 1, 0)),
    ],
)
def test_a_pair_is_out_of_reach_if_its_limit_is_undecided(difference, rope, expected):
    assert Undecided.of(beside_flat(difference, 0.0, rope=rope)) == expected


@pytest.mark.parametrize(
    ("difference", "rope", "out_of_reach"),
    [
        # 0.25 moves to 0.05, and (0.62 − 0.05) · 3 = 1.71 > 1.645; for 0.58 it is 1.59.
        (0.25, 0.62, 0),
        (0.25, 0.58, 1),
        # The middle of this one is 0.3: equivalence is nearer from 0.3 than from 0.
        (0.1, (-0.26, 0.86), 0),
        (0.1, (-0.40, 0.56), 1),
    ],
)
def test_equivalence_may_come_within_reach_by_two_standard_errors(difference, rope, out_of_reach):
    assert Undecided.of(beside_flat(difference, 0.0, rope=rope)).n_out_of_reach == out_of_reach


@pytest.mark.parametrize("p_adjust", [None, "bonferroni", "sidak", "holm", "by", "maxt"])
def test_only_pairs_of_the_possibly_best_count_and_failures_do_not(p_adjust):
    values = 0.8 + 0.02 * np.random.default_rng(0).standard_normal((5, J))
    values[3] -= 0.5
    values[4, 7] = np.nan
    scores = ssc.SplitScores(values, DESIGN)
    of_five = ssc.Comparison(scores, p_adjust=p_adjust, rope=0.0, warn=False)
    found = Undecided.of(of_five)
    assert (found.n_candidates, found.n_pairs, found.n_open) == (3, 3, 3)
    pairs = of_five.frequentist()
    among = pairs["model_1"].isin(["0", "1", "2"]) & pairs["model_2"].isin(["0", "1", "2"])
    assert (pairs["verdict"][among] == "undecided").sum() == 3


def test_a_single_candidate_that_may_be_the_best_leaves_nothing_open():
    assert Undecided.of(beside_flat(5.0, 0.0, 0.1)) == Undecided(1, 0, 0, 0)


@pytest.mark.parametrize("rope", [(-np.inf, 0.1), (-0.1, np.inf), (-np.inf, np.inf)])
@pytest.mark.parametrize("difference", [0.0, 0.3])
def test_a_one_sided_rope_is_treated_like_a_very_wide_one(rope, difference):
    wide = tuple(np.clip(rope, -1e6, 1e6))
    found, expected = (Undecided.of(beside_flat(difference, 0.0, rope=r)) for r in (rope, wide))
    assert found == expected
