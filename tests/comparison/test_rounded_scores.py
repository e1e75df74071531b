"""Accuracies that were rounded have the bounds of those that were not."""

import re

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from sklearn_stats_compare import Comparison, SplitDesign, SplitScores, compare

pytestmark = pytest.mark.filterwarnings("ignore::sklearn_stats_compare.ComparisonWarning")

SIZES = [{"n_train": 270, "n_test": 30}, {"test_train_ratio": 1 / 9}]


def accuracies(seed):
    rng = np.random.default_rng(seed)
    first = rng.binomial(30, 0.8, 10)
    return {"a": first / 30, "b": (first - rng.choice([0, 1, 0], 10)) / 30}


def rounded(scores, digits):
    if digits is np.float32:  # as Keras and torchmetrics return them
        return {name: own.astype(np.float32) for name, own in scores.items()}
    return {name: own.round(digits) for name, own in scores.items()}


@pytest.mark.parametrize("sizes", SIZES, ids=["sizes", "ratio"])
@pytest.mark.parametrize("digits", [3, 4, 6, np.float32])
def test_rounding_shows_no_equivalence(digits, sizes):
    for seed in range(25):
        exact = accuracies(seed)
        found = [
            compare(scores, metric="Accuracy", rope=0.02, **sizes)
            for scores in (exact, rounded(exact, digits))
        ]
        assert [own.scores.n_shared for own in found] == [300, 300]
        rows = [own.against().iloc[0] for own in found]
        # P(Bin(300, 0.02) ≤ 300·difference) bounds every p-value of equivalence from below.
        difference = abs(exact["a"] - exact["b"]).mean()
        if stats.binom.cdf(round(300 * difference), 300, 0.02) > 0.05:
            assert rows[1]["verdict"] != "equivalent"
        assert rows[0]["verdict"] == rows[1]["verdict"]
        assert rows[1]["ci_high"] == pytest.approx(rows[0]["ci_high"], abs=2e-3)


@pytest.mark.parametrize("digits", [4, 5, np.float32])
def test_a_lead_of_one_answer_in_every_fold_has_the_p_value_of_a_sign_test(digits):
    n_test = np.arange(30, 42)
    right = np.random.default_rng(1).binomial(n_test, 0.8)
    scores = rounded({"a": right / n_test, "b": (right - 1) / n_test}, digits)
    for sizes in ({"n_train": n_test.sum() - n_test, "n_test": n_test},):
        found = compare(scores, metric="Accuracy", **sizes).frequentist()
        assert found["p_val"][0] == pytest.approx(2.0**-12)


def test_few_decimals_of_other_scores_are_seldom_taken_for_accuracies():
    design = SplitDesign([270] * 10, [30] * 10)
    taken = 0
    for seed in range(200):
        areas = np.random.default_rng(seed).uniform(0.7, 0.99, (3, 10)).round(4)
        taken += np.isfinite(SplitScores(areas, design).n_shared)
        taken += np.isfinite(SplitScores(areas, SplitDesign.from_ratio(1 / 9, 10)).n_shared)
    assert taken == 0


@pytest.mark.parametrize("ratio", [1 / 9, 0.111, 0.11, 0.112])
def test_the_interval_of_a_perfect_mean_does_not_depend_on_how_the_ratio_was_rounded(ratio):
    scores = {"perfect": np.ones(10), "good": 1 - np.linspace(0, 0.02, 10)}
    rows = [
        compare(scores, metric="roc_auc", test_train_ratio=own).ranking().iloc[0]
        for own in (1 / 9, ratio)
    ]
    assert rows[1]["ci_low"] == pytest.approx(rows[0]["ci_low"], abs=0.003)


def test_rounded_differences_that_vary_are_not_called_constant():
    # Leads of 1, 2 and 3 of 80 samples: "the same on all splits" has p = 2^(1 − 10), whatever t is.
    rng = np.random.default_rng(0)
    first = rng.binomial(80, 0.8, 100)
    second = first - 2 - rng.choice([-1, 0, 0, 1], 100)
    scores = {"a": (first / 80).round(2), "b": (second / 80).round(2)}
    row = compare(scores, metric="accuracy", n_train=720, n_test=80).against().iloc[0]
    lead = scores["a"] - scores["b"]
    t = lead.mean() / (lead.std(ddof=1) * np.sqrt(1 / 100 + 1 / 9))
    assert row["t_stat"] == pytest.approx(t)


@pytest.mark.parametrize("n", [40, 60, 80])  # shares of 40 are halfway between two decimals
def test_a_constant_lead_is_constant_after_rounding(n):
    rng = np.random.default_rng(1)
    for lead in range(1, 6):
        first = rng.binomial(n, 0.8, 10)
        scores = {"a": (first / n).round(2), "b": ((first - lead) / n).round(2)}
        found = compare(scores, metric="accuracy", n_train=9 * n, n_test=n, alternative="two-sided")
        assert found.against()["p_unadjusted"].iloc[0] >= 0.9 * 2**-9


@pytest.mark.parametrize("size", [1, 2, 3, 10])
def test_small_folds_have_the_bound_of_equivalence(size):
    # One more error in 300 samples: P(Bin(300, 0.015) ≤ 1) = 0.06.
    right = np.ones(300)
    right[::10] = 0
    less = right.copy()
    less[1] = 0
    scores = {name: own.reshape(-1, size).mean(axis=1) for name, own in (("a", right), ("b", less))}
    found = compare(scores, metric="accuracy", n_train=300 - size, n_test=size, rope=0.015)
    row = found.against().iloc[0]
    assert row["verdict"] == "undecided"
    assert row["ci_high"] >= stats.beta.ppf(0.975, 2, 299) - 1e-4


def test_sizes_of_few_samples_are_counted():
    right = (np.random.default_rng(0).random(300) < 0.9).astype(float)
    for sizes in (np.full(60, 5), np.array([1, 2] * 100)):
        parts = np.split(right, np.cumsum(sizes)[:-1])
        own = [part.mean() for part in parts]
        found = compare({"a": own, "b": own}, metric="accuracy", n_train=300 - sizes, n_test=sizes)
        assert found.scores.n_agreed == 300
    # A ratio of 9 to 1 in ten folds is none of 10 samples.
    ratio = compare(accuracies(0), metric="accuracy", n_train=9, n_test=1)
    assert ratio.scores.n_agreed == 300


@pytest.mark.parametrize("digits", [None, 3, 2, 1, np.float32])
def test_one_answer_more_on_every_split_is_one_difference_in_per_cent_too(digits):
    # 2^(1 − 5) = 0.0625 by a sign test of five folds; in per cent the t statistic was 1e8.
    right = np.array([25, 28, 26, 29, 27])
    first, second = 100 * right / 30, 100 * (right - 1) / 30
    scores = {"a": first, "b": second}
    if digits is not None:
        scores = rounded(scores, digits)
    found = compare(scores, n_train=120, n_test=30, rope=1)
    row = found.frequentist(alternative="two-sided").iloc[0]
    assert row["p_val"] == pytest.approx(0.0625, abs=1e-3)
    assert row["verdict"] == "undecided"


@pytest.mark.parametrize("digits", [9, 11, 13])
def test_shares_with_many_decimals_are_shares(digits):
    right = np.array([25, 28, 26, 29, 27])
    scores = {"a": (right / 30).round(digits), "b": ((right - 1) / 30).round(digits)}
    row = compare(scores, n_train=120, n_test=30).frequentist(alternative="two-sided").iloc[0]
    assert row["p_val"] == pytest.approx(0.0625, abs=1e-6)


def test_equal_counts_on_uneven_folds_are_one_difference_in_per_cent_too():
    n_test = np.array([11, 11, 11, 10, 10])
    right = np.array([9, 10, 8, 9, 8])
    sizes = {"n_train": 53 - n_test, "n_test": n_test}
    tables = [
        compare({"a": unit * right / n_test, "b": unit * (right - 1) / n_test}, rope=rope, **sizes)
        for unit, rope in ((1, 0.01), (100, 1))
    ]
    first, second = (table.frequentist() for table in tables)
    np.testing.assert_allclose(first["p_val"], second["p_val"], rtol=1e-9)
    np.testing.assert_allclose(100 * first["std_err"], second["std_err"], rtol=1e-9)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("unit", [2.0**-30, 2.0**-45, 2.0**-60, 2.0**-100, 2.0**60])
def test_losses_in_a_small_unit_are_no_rounded_shares(unit, dtype):
    # Powers of 2 change no digit. Squared errors of a rate of 1e-7 are below 1e-13: all round to 0.
    losses = np.random.default_rng(0).gamma(20, 0.05, (3, 10)) * [[1.0], [1.1], [1.5]]
    losses = losses.astype(dtype)
    plain, scaled = (
        Comparison(
            SplitScores(-losses * own, SplitDesign([90] * 10, [10] * 10)),
            rope="1%", metric="neg_mean_squared_error",
        )
        for own in (1.0, unit)
    )  # fmt: skip
    pd.testing.assert_series_equal(plain.against()["p_val"], scaled.against()["p_val"])
    for name in ("std_err", "ci_low", "ci_high"):
        found = scaled.against()[name] / unit
        pd.testing.assert_series_equal(plain.against()[name], found, rtol=1e-9)
    bounds = plain.shortfall()["at_most"], scaled.shortfall()["at_most"] / unit
    pd.testing.assert_series_equal(*bounds, rtol=1e-9)
    assert not re.search(r"\D0\.0+\s", str(scaled))


@pytest.mark.parametrize("sizes", SIZES, ids=["sizes", "ratio"])
@pytest.mark.parametrize("digits", [3, 4, 5])
def test_rounded_scores_of_single_precision_are_those_of_double(digits, sizes):
    for seed in range(10):
        scores = rounded(accuracies(seed), digits)
        single = rounded(scores, np.float32)
        found = [compare(own, metric="Accuracy", rope=0.02, **sizes) for own in (scores, single)]
        pd.testing.assert_frame_equal(*(own.against() for own in found), rtol=1e-4, atol=1e-6)
        pd.testing.assert_frame_equal(*(own.ranking() for own in found), rtol=1e-4, atol=1e-6)
