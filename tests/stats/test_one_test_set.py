"""McNemar's test and Cochran's Q: published numbers, R, statsmodels, and how often they reject."""

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats
from statsmodels.stats import contingency_tables

from sklearn_stats_compare import ComparisonWarning
from sklearn_stats_compare.stats import cochrans_q, mcnemar

R = json.loads((Path(__file__).parents[1] / "reference" / "r_one_test_set.json").read_text())
METHODS = ["exact", "mid-p", "chi2", "chi2_corrected"]


def of_counts(both, only_1, only_2, neither, **options):
    """McNemar's test of two models, from the numbers of samples that each predicts correctly."""
    right = np.repeat([[1, 1, 0, 0], [1, 0, 1, 0]], [both, only_1, only_2, neither], axis=1)
    return mcnemar(np.ones(right.shape[1]), *right, **options)


def test_matches_published_airway_hyper_responsiveness_data():
    # Fagerland, Lydersen and Laake (2013), tables 1 and 4: 1 and 7 discordant pairs of 21.
    # Exact 2·(1 + 8)/2⁸ = 0.0703; mid-p 0.0703 − 8/2⁸ = 0.0391; χ² 6²/8 = 4.5; 5²/8 = 3.125.
    found = {method: of_counts(1, 1, 7, 12, method=method) for method in METHODS}
    assert found["exact"].pvalue == pytest.approx(18 / 256)
    assert found["mid-p"].pvalue == pytest.approx(10 / 256)
    assert tuple(found["chi2"]) == pytest.approx((4.5, stats.chi2.sf(4.5, 1)))
    assert tuple(found["chi2_corrected"]) == pytest.approx((3.125, stats.chi2.sf(3.125, 1)))
    assert [round(result.pvalue, 3) for result in found.values()] == [0.070, 0.039, 0.034, 0.077]
    assert found["exact"].statistic == 1


def test_matches_r():
    preds = [np.array(R[name]) > 0.5 for name in ("score1", "score2")]
    found = {method: mcnemar(R["truth"], *preds, method=method) for method in METHODS}
    assert tuple(found["chi2"]) == pytest.approx(R["mcnemar_chi2"])
    assert tuple(found["chi2_corrected"]) == pytest.approx(R["mcnemar_chi2_corrected"])
    assert found["exact"].pvalue == pytest.approx(R["mcnemar_exact"])


def test_mid_p_is_that_of_less_likely_and_half_of_equally_likely_counts():
    # The observed count and its mirror image are equally likely; only n/2 is its own mirror image.
    for only_1, only_2 in [(5, 5), (1, 7), (3, 4), (1, 1)]:
        n = only_1 + only_2
        pmf = stats.binom.pmf(np.arange(n + 1), n, 0.5)
        likely = np.isclose(pmf, pmf[only_1])
        by_hand = pmf[(pmf < pmf[only_1]) & ~likely].sum() + pmf[likely].sum() / 2
        found = of_counts(0, only_1, only_2, 0, method="mid-p")
        assert found.pvalue == pytest.approx(by_hand)


@given(*[st.integers(0, 40)] * 4)
def test_matches_statsmodels_and_scipy(both, only_1, only_2, neither):
    if both + only_1 + only_2 + neither == 0:
        return
    table = [[both, only_1], [only_2, neither]]
    for method, options in [
        ("exact", {"exact": True}),
        ("chi2", {"exact": False, "correction": False}),
        ("chi2_corrected", {"exact": False, "correction": True}),
    ]:
        found = of_counts(both, only_1, only_2, neither, method=method)
        if only_1 == only_2:  # statsmodels divides by 0, or applies the correction to equal counts
            assert found.pvalue == 1
            continue
        theirs = contingency_tables.mcnemar(table, **options)
        assert tuple(found) == pytest.approx((theirs.statistic, theirs.pvalue), rel=1e-10)
    if only_1 + only_2:
        exact = stats.binomtest(only_1, only_1 + only_2).pvalue
        assert of_counts(both, only_1, only_2, neither).pvalue == pytest.approx(exact)


@given(*[st.integers(0, 30)] * 4, st.sampled_from(METHODS))
def test_swapping_the_models_and_adding_agreement(both, only_1, only_2, neither, method):
    both += 1
    one = of_counts(both, only_1, only_2, neither, method=method)
    other = of_counts(both, only_2, only_1, neither, method=method)
    assert tuple(other) == tuple(one)
    assert other.difference == -one.difference
    low, high = one.confidence_interval()
    assert other.confidence_interval() == pytest.approx((-high, -low))
    assert low <= one.difference <= high
    assert tuple(of_counts(both + 50, only_1, only_2, neither, method=method)) == tuple(one)
    assert 0 <= one.pvalue <= 1
    none = of_counts(both, 0, 0, neither, method=method)  # no discordant samples
    assert (*none, none.difference) == (0, 1, 0)
    low, high = none.confidence_interval()
    assert low < 0 < high


def exact_rate(method, n_discordant):
    """Probability to reject at 5 % under equality, given the number of discordant samples."""
    counts = range(n_discordant + 1)
    rejected = [of_counts(1, k, n_discordant - k, 0, method=method).pvalue < 0.05 for k in counts]
    return np.array(rejected) @ stats.binom.pmf(counts, n_discordant, 0.5)


def test_exact_error_rates_summed_over_all_counts():
    rates = {method: [exact_rate(method, n) for n in range(1, 60)] for method in METHODS}
    assert max(rates["exact"]) <= 0.05
    assert max(rates["chi2_corrected"]) <= 0.05
    # Averaged over the numbers of discordant samples in a test set, mid-p keeps its level.
    spread = stats.binom.pmf(np.arange(1, 60), 100, 0.25)
    assert 0.03 < spread @ np.array(rates["mid-p"]) <= 0.05
    assert spread @ np.array(rates["exact"]) < spread @ np.array(rates["mid-p"])


@pytest.mark.parametrize("n", [1000, pytest.param(4000, marks=pytest.mark.slow)])
def test_interval_has_nominal_coverage(n):
    rng = np.random.default_rng(0)
    covered = []
    for counts in rng.multinomial(60, [0.6, 0.2, 0.1, 0.1], size=n):  # difference 0.1
        low, high = of_counts(*counts).confidence_interval()
        covered.append(low <= 0.1 <= high)
    # Standard error √(0.95·0.05/n), 0.0034 of 4,000, twice that of 1,000; Bonett and Price report
    # slightly above 0.95: 0.955 ± 0.015.
    reach = 0.015 * np.sqrt(4000 / n)
    assert 0.955 - reach <= np.mean(covered) <= 0.955 + reach


def test_cochrans_q_matches_hand_computation():
    # Right: model 0 on 12, 1 on 8, 2 on 6 of 12. Q = 2·(3·(144 + 64 + 36) − 26²)/(3·26 − Σ L²).
    # Samples by the number of models right: four with 3, six with 2, two with 1:
    # Σ L(3 − L) = 6·2 + 2·2 = 16, so Q = 2·(732 − 676)/16 = 7.
    preds = [[1] * 12, [1] * 8 + [0] * 4, [0, 1] * 6]
    result = cochrans_q([1] * 12, *preds)
    assert tuple(result) == pytest.approx((7, stats.chi2.sf(7, 2)))
    assert result.df == 2
    assert result.accuracies.tolist() == [1, 8 / 12, 0.5]


@given(
    st.tuples(st.integers(2, 6), st.integers(1, 40)).flatmap(
        lambda shape: arrays(int, shape, elements=st.integers(0, 1))
    )
)
def test_cochrans_q_matches_statsmodels_and_mcnemar_for_two_models(correct):
    truth = np.ones(correct.shape[1], dtype=int)
    result = cochrans_q(truth, *correct)
    if (correct.sum(axis=0) % len(correct) == 0).all():  # statsmodels divides by 0
        assert tuple(result) == (0, 1)
    else:
        theirs = contingency_tables.cochrans_q(correct.T)
        expected = theirs.statistic, theirs.pvalue
        assert tuple(result) == pytest.approx(expected, rel=1e-9, abs=1e-12)
    two = cochrans_q(truth, *correct[:2])
    expected = tuple(mcnemar(truth, *correct[:2], method="chi2"))
    assert tuple(two) == pytest.approx(expected, abs=1e-12)
    assert tuple(cochrans_q(truth, *correct[::-1])) == pytest.approx(tuple(result))


def test_cochrans_q_pairwise_equals_mcnemar_also_for_many_models_and_samples():
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 3, 80)
    preds = [np.where(rng.random(80) < p, truth, (truth + 1) % 3) for p in (0.9, 0.7, 0.6, 0.85)]
    pairs = cochrans_q(truth, *preds).pairwise(method="mid-p", p_adjust="bonferroni")
    assert list(zip(pairs.first, pairs.second, strict=True)) == [*combinations(range(4), 2)]
    for k, (i, j) in enumerate(zip(pairs.first, pairs.second, strict=True)):
        expected = mcnemar(truth, preds[i], preds[j], method="mid-p")
        assert (pairs.statistic[k], pairs.pvalue[k]) == pytest.approx(tuple(expected))
        assert pairs.difference[k] == pytest.approx(expected.difference)
    np.testing.assert_allclose(pairs.pvalue_adjusted, np.minimum(1, 6 * pairs.pvalue))
    right = rng.random((30, 20_000)) < 0.7
    pairs = cochrans_q(np.ones(20_000, dtype=bool), *right).pairwise()
    assert len(pairs.pvalue) == 435
    k = [*zip(pairs.first, pairs.second, strict=True)].index((3, 17))
    assert pairs.pvalue[k] == pytest.approx(mcnemar(np.ones(20_000), right[3], right[17]).pvalue)


def test_whole_floats_booleans_and_text_are_valid_classes():
    assert mcnemar([1, 0, 1], [1.0, 0.0, 0.0], [True, False, True]).n_only_2_right == 1
    assert mcnemar(np.array([[1], [0]]), [1, 0], [1, 1]).n_only_1_right == 1
    truth, one, other = ["a", "b", "b"], ["a", "b", "a"], ["a", "a", "a"]
    assert mcnemar(truth, one, other).n_only_1_right == 1
    assert mcnemar(np.array(truth, dtype=object), one, np.array(other)).n_both_wrong == 1


def test_predictions_pooled_over_folds_warn():
    truth = [0, 1, 0, 1]
    with pytest.warns(ComparisonWarning, match="ignores how the models vary") as caught:
        mcnemar(truth, [0, 1, 0, 0], truth, pooled_over_folds=True)
    assert caught[0].filename == __file__
    with pytest.warns(ComparisonWarning, match="ignores how the models vary"):
        cochrans_q(truth, [0, 1, 0, 0], truth, pooled_over_folds=True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([0, 1], [0, 1, 1], [0, 1]), "`pred1` must have one prediction per entry of `y_true`, 2"),
        (([0, 1], [0, 1], [[0, 1]]), r"`pred2` must be a vector, not empty; got shape \(1, 2\)"),
        (([], [], []), "`y_true` must be a vector, not empty"),
        (([0, np.nan], [0, 1], [0, 1]), "missing values or NaN; got 1 of them"),
        ((pd.Series(["a", None], dtype="string"), ["a", "b"], ["a", "b"]), "got 1 of them"),
        ((np.array(["2020", "NaT"], "M8[D]"), [0, 1], [0, 1]), "missing values or NaN"),
        (([1, 0], ["1", "0"], [1, 0]), "`pred1` must be classes like .* are numbers; got text"),
        ((["a", "b"], ["a", "b"], [1, 0]), "`pred2` must be classes like .* are text; got numb"),
        (([1, 0], [1, 0], [0.9, 0.2]), "`pred2` must be classes, not scores .*; got 0.9"),
        ((["a", None], ["a", "b"], ["a", "b"]), "`y_true` must not hold missing values"),
    ],
)
def test_invalid_predictions_raise(arguments, message):
    with pytest.raises(ValueError, match=message):
        mcnemar(*arguments)


def test_invalid_options_raise():
    with pytest.raises(ValueError, match="`method` must be one of 'exact', 'mid-p', 'chi2'"):
        mcnemar([0, 1], [0, 1], [1, 1], method="midp")
    with pytest.raises(ValueError, match="`preds` must be predictions of at least two"):
        cochrans_q([0, 1], [0, 1])
    with pytest.raises(ValueError, match=r"`preds\[1\]` must have one prediction"):
        cochrans_q([0, 1], [0, 1], [0])
    with pytest.raises(ValueError, match="`p_adjust` must be one of"):
        cochrans_q([0, 1], [0, 1], [1, 1]).pairwise(p_adjust="maxt")


@pytest.mark.parametrize("coding", [lambda p: 2 * p - 1, lambda p: np.array(["No", "Yes"])[p]])
def test_predictions_in_another_coding_are_refused(coding):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    first, second = (np.where(rng.random(200) < 0.8, y, 1 - y) for _ in range(2))
    truth = y if coding(y).dtype.kind == "i" else np.array(["no", "yes"])[y]
    own = first if truth is y else np.array(["no", "yes"])[first]
    for test in (mcnemar, cochrans_q):
        with pytest.raises(
            ValueError, match=r"must be classes of `y_true`, which are (0, 1|no, yes)"
        ):
            test(truth, own, own, coding(second)) if test is cochrans_q else test(
                truth, own, coding(second)
            )
    # A class that a small test set lacks may be predicted.
    labels = np.array([0, 1, 1, 2, 2] * 8)
    assert mcnemar(labels, labels, np.where(labels == 0, 3, labels)).n_only_1_right == 8
