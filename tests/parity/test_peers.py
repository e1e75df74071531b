"""Parity with other packages on random input, to 1e-10 if they have the same statistic."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats
from sklearn.model_selection import KFold, RepeatedStratifiedKFold, cross_val_score
from sklearn.svm import SVC

from sklearn_stats_compare import Comparison, SplitDesign, SplitScores
from sklearn_stats_compare.stats import (
    accuracy_interval,
    cochrans_q,
    compare_error_rates,
    corrected_ttest,
    mcnemar,
)

CLOSE = {"rel": 1e-10, "abs": 1e-10}
# Scores with four digits, as accuracies have: differences that vary, or not at all.
TWO_MODELS = arrays(int, (2, 20), elements=st.integers(5000, 10_000))


@pytest.fixture(scope="module")
def statsmodels():
    pytest.importorskip("statsmodels")
    from statsmodels.stats import contingency_tables, proportion

    return contingency_tables, proportion


@given(scores=TWO_MODELS, rope=st.sampled_from([0.001, 0.01, 0.1]), runs=st.sampled_from([1, 2, 4]))
def test_matches_baycomp_two_on_single(baycomp, scores, rope, runs):
    x, y = scores / 10_000
    assume(np.std(x - y) > 1e-6)
    n_folds = 20 // runs
    left, inside, right = baycomp.two_on_single(x, y, rope=rope, runs=runs)
    design = SplitDesign([n_folds - 1] * 20, [1] * 20)
    posterior = Comparison(SplitScores([x, y], design), rope=rope, warn=False).posterior(0, 1)
    ours = posterior.probabilities()
    # baycomp's difference is y − x: its left tail is our `better`.
    assert (ours.better, ours.rope, ours.worse) == pytest.approx((left, inside, right), **CLOSE)


@given(TWO_MODELS)
def test_matches_scipys_paired_t_without_correction(scores):
    x, y = scores / 10_000
    assume(np.std(x - y) > 1e-6)
    theirs = stats.ttest_rel(x, y)
    comparison = Comparison(SplitScores([x, y], SplitDesign([9] * 20, [1] * 20)), ["x", "y"])
    table = comparison.frequentist(test="uncorrected_t", alternative="two-sided")
    sign = 1 if table["model_1"].iloc[0] == "x" else -1
    assert sign * table["t_stat"].iloc[0] == pytest.approx(theirs.statistic, **CLOSE)
    assert table["p_unadjusted"].iloc[0] == pytest.approx(theirs.pvalue, **CLOSE)
    # q tends to 0 with the share of test samples.
    for alternative in ("two-sided", "greater", "less"):
        found = corrected_ttest(x, y, n_train=10**16, n_test=1, alternative=alternative)
        expected = stats.ttest_rel(x, y, alternative=alternative)
        assert found.pvalue == pytest.approx(expected.pvalue, rel=1e-10, abs=1e-10)


@given(arrays(int, (4, 25), elements=st.integers(0, 1)))
def test_matches_statsmodels_mcnemar_and_cochran(statsmodels, correct):
    truth = np.ones(25, dtype=int)
    only_1 = int(np.sum((correct[0] == 1) & (correct[1] == 0)))
    only_2 = int(np.sum((correct[0] == 0) & (correct[1] == 1)))
    if only_1 != only_2:  # statsmodels divides by 0 or applies the correction to equal counts
        for method, options in [
            ("exact", {"exact": True}),
            ("chi2", {"exact": False, "correction": False}),
            ("chi2_corrected", {"exact": False, "correction": True}),
        ]:
            theirs = statsmodels[0].mcnemar([[0, only_1], [only_2, 0]], **options)
            found = mcnemar(truth, correct[0], correct[1], method=method)
            assert tuple(found) == pytest.approx((theirs.statistic, theirs.pvalue), **CLOSE)
    assume((correct.sum(axis=0) % 4 != 0).any())
    theirs = statsmodels[0].cochrans_q(correct.T)
    found = cochrans_q(truth, *correct)
    assert tuple(found) == pytest.approx((theirs.statistic, theirs.pvalue), **CLOSE)


@given(st.integers(1, 60), st.integers(1, 60), st.data())
def test_matches_statsmodels_proportions(statsmodels, n1, n2, data):
    k1, k2 = data.draw(st.integers(0, n1)), data.draw(st.integers(0, n2))
    for ours, theirs in [("wilson", "wilson"), ("exact", "beta"), ("jeffreys", "jeffreys")]:
        if ours == "jeffreys" and k1 in (0, n1):
            continue  # our interval ends at 0 or 1 there, as Brown, Cai and DasGupta (2001) advise
        low, high = statsmodels[1].proportion_confint(k1, n1, method=theirs)
        expected = max(low, 0.0), min(high, 1.0)
        assert accuracy_interval(k1, n1, method=ours) == pytest.approx(expected, abs=1e-9)
    result = compare_error_rates(k1 / n1, n1, k2 / n2, n2, method="pooled")
    limits = statsmodels[1].confint_proportions_2indep(k1, n1, k2, n2, method="newcomb")
    assert result.confidence_interval(method="newcombe") == pytest.approx(limits, abs=1e-10)
    if 0 < k1 + k2 < n1 + n2:
        theirs = statsmodels[1].proportions_ztest([k1, k2], [n1, n2])
        assert tuple(result) == pytest.approx(theirs, **CLOSE)


def worked_example(differences, n_train, n_test):
    """Corrected t and p as scikit-learn's worked example computes them, with plain numbers."""
    n = len(differences)
    std = np.std(differences, ddof=1) * np.sqrt(1 / n + n_test / n_train)
    t = np.mean(differences) / std
    return t, stats.t.sf(np.abs(t), n - 1)


def test_matches_scikit_learns_worked_example_on_other_scores():
    for seed in range(3):
        rng = np.random.default_rng(seed)
        values = 0.8 + 0.05 * rng.normal(size=100) + 0.03 * rng.normal(size=(4, 100))
        comparison = Comparison(SplitScores(values, SplitDesign([90] * 100, [10] * 100)))
        order = np.argsort(-values.mean(axis=1), kind="stable")
        pairs = combinations(order, 2)
        for row, (i, j) in zip(comparison.frequentist().itertuples(), pairs, strict=True):
            t, p = worked_example(values[i] - values[j], 90, 10)
            assert (row.model_1, row.model_2) == (str(i), str(j))
            assert row.t_stat == pytest.approx(t, **CLOSE)
            assert row.p_val == pytest.approx(min(1, 6 * p), **CLOSE)


def test_uncorrected_t_matches_mlxtends_k_fold_test(moons_data):
    evaluate = pytest.importorskip("mlxtend.evaluate")
    X, y = moons_data
    one, other = SVC(kernel="linear"), SVC(kernel="rbf")
    t, p = evaluate.paired_ttest_kfold_cv(one, other, X, y, cv=10, shuffle=True, random_seed=3)
    folds = KFold(10, shuffle=True, random_state=3)
    scores = [cross_val_score(model, X, y, cv=folds) for model in (one, other)]
    comparison = Comparison(SplitScores(scores, SplitDesign([90] * 10, [10] * 10)), ["a", "b"])
    row = comparison.frequentist(test="uncorrected_t", alternative="two-sided").iloc[0]
    sign = 1 if row["model_1"] == "a" else -1
    assert (sign * row["t_stat"], row["p_unadjusted"]) == pytest.approx((t, p), **CLOSE)


def test_baycomp_matches_the_published_data(baycomp, moons_data):
    X, y = moons_data
    cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)
    scores = [
        cross_val_score(SVC(kernel=kernel, random_state=0), X, y, cv=cv, scoring="roc_auc")
        for kernel in ("rbf", "linear")
    ]
    left, inside, right = baycomp.two_on_single(*scores, rope=0.01, runs=10)
    found = Comparison(
        SplitScores(scores, SplitDesign([90] * 100, [10] * 100)), ["rbf", "linear"]
    ).posterior("rbf", "linear")
    ours = found.probabilities()
    assert (ours.better, ours.rope, ours.worse) == pytest.approx((left, inside, right), **CLOSE)
    # As published: 0.068 worse, 0.5 better, 0.432 equivalent.
    assert [round(p, 3) for p in (ours.worse, ours.better, ours.rope)] == [0.068, 0.5, 0.432]
