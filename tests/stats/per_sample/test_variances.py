"""The variance of a score over test sets is the variance of its values over n."""

import numpy as np
import pytest
from sklearn.metrics import median_absolute_error

from sklearn_stats_compare.predictions._influence import jackknife_values, sample_values

N, DRAWS = 300, 250


def two_classes(rng):
    truth = (rng.random(N) < 0.3).astype(int)
    return truth, rng.normal(size=N) + truth


def said(rng):
    truth, scores = two_classes(rng)
    return truth, (scores > 0.7).astype(int)


def numbers(rng):
    truth = rng.gamma(3, 1, N)
    return truth, truth * np.exp(rng.normal(0, 0.3, N))


# Values of all metrics are checked as derivatives, in test_influences.py.
@pytest.mark.parametrize(
    ("name", "draw"),
    [
        ("roc_auc_score", two_classes),
        ("average_precision_score", two_classes),
        ("f1_score", said),
        ("root_mean_squared_error", numbers),
    ],
)
def test_variance_of_a_score_over_test_sets_matches_its_values(name, draw):
    rng = np.random.default_rng(0)
    values = np.array([sample_values(name, *draw(rng)) for _ in range(DRAWS)])
    scores, variances = values.mean(axis=1), values.var(axis=1, ddof=1) / N
    # The variance of 250 scores has a relative standard error of √(2/250) = 0.09.
    assert np.var(scores, ddof=1) / np.mean(variances) == pytest.approx(1, abs=0.25)


def test_jackknife_variance_of_a_median_error():
    rng = np.random.default_rng(1)
    scores, variances = [], []
    for _ in range(DRAWS):
        truth, response = numbers(rng)
        errors = np.abs(truth - response)
        values = jackknife_values(lambda places, e=errors: float(np.median(e[places])), N)
        scores.append(median_absolute_error(truth, response))
        variances.append(values.var(ddof=1) / N)
    # Groups of 6 of 300, fewer than √300: for a median the jackknife is only approximate.
    assert np.var(scores, ddof=1) / np.mean(variances) == pytest.approx(1, abs=0.5)


@pytest.mark.parametrize(
    "factors",
    [(0.7, 0.7), pytest.param((0.6, 0.8), marks=pytest.mark.slow), (0.3, 0.9), (0.3, None)],
)
def test_standard_errors_of_r2_differences(factors):
    # Over the standard deviation of differences. The last is from the mean target, whose R² is 0.
    rng = np.random.default_rng(2)
    found, errors = [], []
    for _ in range(1000):
        truth, common = rng.normal(size=200), 0.5 * rng.normal(size=200)
        one, other = (
            sample_values(
                "r2_score",
                truth,
                np.zeros(200)
                if factor is None
                else truth - factor * (common + rng.normal(size=200)),
            )
            for factor in factors
        )
        found.append(np.mean(one - other))
        errors.append(np.std(one - other, ddof=1) / np.sqrt(200))
    assert np.mean(errors) / np.std(found) == pytest.approx(1, abs=0.06)
