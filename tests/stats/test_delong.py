"""DeLong's test, also fold by fold: R's pROC, the definition in loops, and how often it rejects."""

import json
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats
from sklearn.metrics import auc, roc_auc_score, roc_curve

from sklearn_stats_compare.stats import delong
from sklearn_stats_compare.stats.test_set._classifiers import delong_of_folds

R = json.loads((Path(__file__).parents[1] / "reference" / "r_one_test_set.json").read_text())
LABELS = arrays(int, 24, elements=st.integers(0, 1))
SCORES = arrays(int, (2, 24), elements=st.integers(-4, 4))  # many ties


def by_definition(truth, scores):
    """Areas and their covariance, sample by sample as DeLong et al. (1988) write them."""
    positives, negatives = np.flatnonzero(truth == 1), np.flatnonzero(truth == 0)

    def kernel(score, i, j):
        return 1.0 if score[i] > score[j] else 0.5 if score[i] == score[j] else 0.0

    of_positives = [
        [np.mean([kernel(s, i, j) for j in negatives]) for i in positives] for s in scores
    ]
    of_negatives = [
        [np.mean([kernel(s, i, j) for i in positives]) for j in negatives] for s in scores
    ]
    return np.mean(of_positives, axis=1), (
        np.cov(of_positives) / len(positives) + np.cov(of_negatives) / len(negatives)
    )


def test_matches_r():
    result = delong(R["truth"], R["score1"], R["score2"])
    assert (result.auc1, result.auc2) == pytest.approx(R["auc"])
    assert (result.var1, result.var2) == pytest.approx(R["var"])
    assert result.cov == pytest.approx(R["cov"])
    assert tuple(result) == pytest.approx((R["z"], R["pvalue"]))
    assert result.confidence_interval() == pytest.approx(R["conf_int"])


@given(LABELS, SCORES)
def test_matches_the_definition_rank_sums_and_curves_of_scikit_learn(truth, scores):
    assume(2 <= truth.sum() <= 22)
    result = delong(truth, *scores)
    areas, covariance = by_definition(truth, scores)
    assert (result.auc1, result.auc2) == pytest.approx(tuple(areas))
    found = [[result.var1, result.cov], [result.cov, result.var2]]
    np.testing.assert_allclose(found, covariance, atol=1e-14)
    variance = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    assert result.variance == pytest.approx(variance, abs=1e-14)
    u = stats.mannwhitneyu(scores[0][truth == 1], scores[0][truth == 0]).statistic
    assert result.auc1 == pytest.approx(u / (truth.sum() * (24 - truth.sum())))
    assert result.auc2 == pytest.approx(roc_auc_score(truth, scores[1]))
    expected = roc_curve(truth, scores[0], drop_intermediate=False)[:2]
    np.testing.assert_allclose(result.curve1, expected, atol=1e-15)


@given(LABELS, SCORES, st.permutations(range(24)))
def test_result_is_invariant_to_order_and_monotone_transforms(truth, scores, order):
    assume(2 <= truth.sum() <= 22)
    one = delong(truth, *scores)
    swapped = delong(truth, scores[1], scores[0])
    assert tuple(swapped) == pytest.approx((-one.statistic, one.pvalue))
    moved = delong(truth, np.exp(scores[0] / 8), 3 + 2 * scores[1])  # the ranks are unchanged
    assert tuple(moved) == pytest.approx(tuple(one))
    shuffled = delong(truth[list(order)], *scores[:, list(order)])
    assert tuple(shuffled) == pytest.approx(tuple(one))
    # With the other class positive and negated scores the areas are the same.
    turned = delong(truth, *(-scores), pos_label=0)
    assert (turned.auc1, turned.pvalue) == pytest.approx((one.auc1, one.pvalue))
    greater = delong(truth, *scores, alternative="greater").pvalue
    less = delong(truth, *scores, alternative="less").pvalue
    assert greater + less == pytest.approx(1)
    assert one.pvalue == pytest.approx(2 * min(greater, less))


def test_identical_rankings_have_zero_difference_and_perfect_separation_zero_variance():
    rng = np.random.default_rng(0)
    truth, score = rng.integers(0, 2, 50), rng.normal(size=50)
    assert tuple(delong(truth, score, score)) == (0, 1)
    assert tuple(delong(truth, score, np.exp(score))) == (0, 1)
    truth = np.repeat([0, 1], 10)
    perfect, turned = np.arange(20.0), -np.arange(20.0)
    assert tuple(delong(truth, perfect, truth)) == (0, 1)
    # Nothing varies, so nothing says how surprising that is; of 4 samples it would be p = 1/3.
    extreme = delong(truth, perfect, turned)
    assert extreme.statistic == np.inf
    assert np.isnan([extreme.pvalue, *extreme.confidence_interval()]).all()
    result = delong(truth, perfect, np.random.default_rng(0).normal(size=20))
    assert (result.auc1, result.var1, result.cov) == (1, 0, 0)
    assert result.variance == pytest.approx(result.var2)


def test_time_grows_like_sorting():
    rng = np.random.default_rng(0)

    def seconds(n):
        truth, scores = rng.integers(0, 2, n), rng.normal(size=(2, n))
        start = time.perf_counter()
        delong(truth, *scores)
        return time.perf_counter() - start

    seconds(1000)
    few, many = min(seconds(20_000) for _ in range(3)), min(seconds(200_000) for _ in range(3))
    # Ten times the samples: ×12 for sorting, ×100 for all pairs. The limit is half way in logs.
    assert many < 40 * few


FOUR = [0, 1, 0, 1], [1, 2, 3, 4], [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([1, 1, 1], [1, 2, 3], [1, 2, 3]), {}, r"`y_true` must have two classes; got 1: \[1\]"),
        (([0, 1, 2], [1, 2, 3], [1, 2, 3]), {}, "`y_true` must have two classes; got 3"),
        (([0, 1, 1], [1, 2, 3], [1, 2, 3]), {}, "at least two samples of each class"),
        (([0, 1, np.nan], [1, 2, 3], [1, 2, 3]), {}, "`y_true` must not hold missing values"),
        (([0, None, 1], [1, 2, 3], [1, 2, 3]), {}, "`y_true` must not hold missing values"),
        (([0, 1, 0, 1], [1, 2, 3], [1, 2, 3, 4]), {}, "`score1` must have one score per entry"),
        (([0, 1, 0, 1], [1, 2, 3, 4], np.ones((4, 2))), {}, "column of the positive class"),
        (([0, 1, 0, 1], [1, 2, 3, np.nan], [1, 2, 3, 4]), {}, "`score1` must be finite; got 1"),
        (([0, 1, 0, 1], list("abcd"), [1, 2, 3, 4]), {}, "`score1` must be numbers"),
        (FOUR, {"pos_label": 2}, "`pos_label` must be one"),
        (FOUR, {"alternative": "x"}, "`alternative` must be"),
        (FOUR, {"pooled_over_folds": True}, "not on one scale"),
    ],
)
def test_invalid_scores_raise(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        delong(*arguments, **options)


def test_interval_of_areas_is_clipped_and_classes_may_be_text():
    # One model ranks all pairs but one correctly, the other almost none: 0.94 − 0.06 ± z·s > 1.
    found = delong([0, 0, 0, 0, 1, 1, 1, 1], [1, 2, 3, 5, 4, 6, 7, 8], [8, 7, 6, 4, 5, 3, 2, 1])
    assert found.difference == 14 / 16
    half = stats.norm.isf(0.025) * found.variance**0.5
    assert found.difference + half > 1
    low, high = found.confidence_interval()
    assert high == 1
    assert low == pytest.approx(found.difference - half)
    truth, score = ["sick", "well", "sick", "well", "well"], [3, 1, 2, 2.5, 0]
    assert delong(truth, score, score, pos_label="sick").auc1 == pytest.approx(5 / 6)
    assert delong(truth, score, score).auc1 == pytest.approx(1 / 6)  # "well" is the greater


def folds_of(n_folds, n=60, seed=0):
    rng = np.random.default_rng(seed)
    folds = []
    for k in range(n_folds):
        truth = np.r_[[0, 0, 1, 1], rng.integers(0, 2, n + k - 4)]
        signal = truth + rng.normal(size=truth.size)
        folds.append((truth, np.round(signal, 1), signal + rng.normal(size=truth.size)))
    return folds


def test_one_fold_equals_delongs_test():
    (fold,) = folds_of(1)
    one, whole = delong_of_folds([fold]), delong(*fold)
    for name in ("statistic", "pvalue", "auc1", "auc2", "var1", "var2", "cov", "variance"):
        assert getattr(one, name) == pytest.approx(getattr(whole, name), rel=1e-12)
    one_positive = np.arange(10) == 0, np.arange(10.0), np.arange(10.0)
    with pytest.raises(ValueError, match="at least two samples of each class"):
        delong_of_folds([fold, one_positive])


def test_areas_and_variances_are_those_of_means_and_curves_have_the_mean_area():
    folds = folds_of(4)
    found, each = delong_of_folds(folds), [delong(*fold) for fold in folds]
    areas = [roc_auc_score(truth, score) for truth, score, _ in folds]
    assert found.auc1 == pytest.approx(np.mean(areas), rel=1e-12)  # scikit-learn's mean over folds
    assert found.variance == pytest.approx(sum(one.variance for one in each) / 16, rel=1e-12)
    assert found.statistic == pytest.approx(found.difference / found.variance**0.5, rel=1e-12)
    for (false, true), area in ((found.curve1, found.auc1), (found.curve2, found.auc2)):
        assert auc(false, true) == pytest.approx(area, rel=1e-12)
        assert (np.diff(false) >= 0).all()
        assert (np.diff(true) >= 0).all()
        assert (false[0], true[-1]) == (0, 1)
    turned = delong_of_folds([(truth, two, one) for truth, one, two in folds])
    assert turned.statistic == pytest.approx(-found.statistic)


@pytest.mark.parametrize("n", [100, pytest.param(1000, marks=pytest.mark.slow)])
def test_equal_models_differ_as_often_as_stated_over_folds(n):
    # z of sums over 5 folds of 40: 5 %. The standard error is √(0.05·0.95/n): 0.7 % of 1,000,
    # 2.2 % of 100.
    rng = np.random.default_rng(0)
    rejected = 0
    for _ in range(n):
        folds = []
        for _ in range(5):
            truth = np.repeat([0, 1], 20)
            common = truth + rng.normal(size=40)
            folds.append((truth, common + rng.normal(size=40), common + rng.normal(size=40)))
        rejected += delong_of_folds(folds).pvalue < 0.05
    wider = np.sqrt(1000 / n)
    assert 0.05 - 0.02 * wider < rejected / n < 0.05 + 0.025 * wider
