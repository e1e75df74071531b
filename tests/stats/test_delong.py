"""DeLong's test: R's pROC, the definition in loops, scipy's rank sum, and how often it rejects."""

import json
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats
from sklearn.metrics import roc_auc_score, roc_curve

from sklearn_stats_compare import delong

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
def test_matches_the_definition(truth, scores):
    assume(2 <= truth.sum() <= 22)
    result = delong(truth, *scores)
    areas, covariance = by_definition(truth, scores)
    assert (result.auc1, result.auc2) == pytest.approx(tuple(areas))
    found = [[result.var1, result.cov], [result.cov, result.var2]]
    np.testing.assert_allclose(found, covariance, atol=1e-14)
    variance = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
    assert result.variance == pytest.approx(variance, abs=1e-14)


@given(LABELS, SCORES)
def test_areas_match_rank_sums_and_curves_match_scikit_learn(truth, scores):
    assume(2 <= truth.sum() <= 22)
    result = delong(truth, *scores)
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


def test_identical_rankings_have_zero_difference():
    rng = np.random.default_rng(0)
    truth, score = rng.integers(0, 2, 50), rng.normal(size=50)
    assert tuple(delong(truth, score, score)) == (0, 1)
    assert tuple(delong(truth, score, np.exp(score))) == (0, 1)


def test_perfect_separation_has_zero_variance():
    truth = np.repeat([0, 1], 10)
    perfect, turned = np.arange(20.0), -np.arange(20.0)
    assert tuple(delong(truth, perfect, truth)) == (0, 1)
    assert tuple(delong(truth, perfect, turned)) == (np.inf, 0)
    result = delong(truth, perfect, np.random.default_rng(0).normal(size=20))
    assert (result.auc1, result.var1, result.cov) == (1, 0, 0)
    assert result.variance == pytest.approx(result.var2)


def test_text_classes_and_pos_label():
    truth = ["sick", "well", "sick", "well", "well"]
    score = [3, 1, 2, 2.5, 0]
    assert delong(truth, score, score, pos_label="sick").auc1 == pytest.approx(5 / 6)
    assert delong(truth, score, score).auc1 == pytest.approx(1 / 6)  # "well" is the greater


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


def test_error_rate_and_coverage():
    rng = np.random.default_rng(1)
    truth = np.repeat([0, 1], [60, 40])
    rejected, covered = [], []
    for _ in range(2000):
        common = truth * 1.2 + rng.normal(size=100)
        scores = common + 0.7 * rng.normal(size=(2, 100))
        rejected.append(delong(truth, *scores).pvalue < 0.05)
        worse = common + 2 * rng.normal(size=100)
        low, high = delong(truth, scores[0], worse).confidence_interval()
        # Areas of normal scores: Φ(1.2/√(2·(1 + 0.7²))) and Φ(1.2/√(2·(1 + 2²)))
        areas = stats.norm.cdf(1.2 / np.sqrt(2 * (1 + np.array([0.7, 2]) ** 2)))
        covered.append(low <= areas[0] - areas[1] <= high)
    # Standard error 0.0049 each.
    assert np.mean(rejected) == pytest.approx(0.05, abs=0.015)
    assert np.mean(covered) == pytest.approx(0.95, abs=0.015)


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
        (([0, 1, 0, 1], [1, 2, 3, 4], [1, 2, 3, 4]), {"pos_label": 2}, "`pos_label` must be one"),
        (([0, 1, 0, 1], [1, 2, 3, 4], [1, 2, 3, 4]), {"alternative": "x"}, "`alternative` must be"),
        (
            ([0, 1, 0, 1], [1, 2, 3, 4], [1, 2, 3, 4]),
            {"pooled_over_folds": True},
            "not on one scale",
        ),
    ],
)
def test_invalid_scores_raise(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        delong(*arguments, **options)


def test_interval_of_areas_is_clipped():
    # One model ranks all pairs but one correctly, the other almost none: 0.94 − 0.06 ± z·s > 1.
    found = delong([0, 0, 0, 0, 1, 1, 1, 1], [1, 2, 3, 5, 4, 6, 7, 8], [8, 7, 6, 4, 5, 3, 2, 1])
    assert found.difference == 14 / 16
    assert found.difference + stats.norm.isf(0.025) * found.variance**0.5 > 1
    low, high = found.confidence_interval()
    assert high == 1
    assert low == pytest.approx(found.difference - stats.norm.isf(0.025) * found.variance**0.5)
