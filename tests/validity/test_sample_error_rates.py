"""Error rates, power and coverage of the test of per-sample values on real learners.

The cells are benchmarks/_sample_cells.py's. A band fails only if the rate ± 2 standard errors lies
wholly outside. Small simulations run always, those behind the documentation's tables are slow.
"""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, roc_auc_score
from sklearn.neighbors import KNeighborsClassifier

from benchmarks import samples
from benchmarks._cells import folds
from benchmarks._logistic import equal_blocks, masks
from benchmarks._sample_cells import SAMPLE_CELLS, with_samples
from sklearn_stats_compare.stats._family import PAIR_TESTS

SAMPLES = PAIR_TESTS["samples"]
# (cell, folds, repeats): {test: (lowest, highest) share of pairs rejected at a nominal 5 %}
BANDS = {
    ("logistic, accuracy, n = 100", 5, 2): {"samples": (0.017, 0.03)},
    ("logistic, accuracy, n = 100", 10, 2): {"samples": (0.028, 0.044)},
    ("logistic, accuracy, n = 300", 10, 1): {
        "samples": (0.0, 0.015),
        "samples, instability 0": (0.035, 0.052),
    },
    ("logistic, log loss, n = 100", 10, 2): {"samples": (0.035, 0.05)},
    ("logistic, ROC AUC, n = 100", 10, 2): {"samples": (0.03, 0.055)},
    ("near-duplicates, accuracy, n = 300", 10, 2): {"samples": (0.0, 0.02)},
    ("trees, accuracy, n = 100", 5, 2): {"samples": (0.01, 0.03)},
    ("trees, accuracy, n = 100", 10, 1): {"samples, instability 0": (0.06, 0.12)},
    # If the corrected t exceeds its level, so does this test.
    ("noise, ROC AUC, n = 100", 10, 2): {"samples": (0.09, 0.17), "splits": (0.07, 0.15)},
    ("1-NN, accuracy, n = 100", 10, 2): {"samples": (0.07, 0.12)},
    # Folds with three positives: influences no longer approximate the score.
    ("logistic, F1, 10 % positives, n = 300", 10, 2): {"samples": (0.13, 0.2)},
    ("logistic, F1, 20 % positives, n = 300", 5, 2): {"samples": (0.03, 0.06)},
    ("logistic, recall, 20 % positives, n = 300", 10, 2): {"samples": (0.055, 0.09)},
}


@pytest.mark.parametrize(
    "cell",
    [
        "logistic, accuracy, n = 100",
        "logistic, log loss, n = 100",
        "near-duplicates, accuracy, n = 300",
    ],
)
def test_equal_models_are_rejected_at_most_at_the_nominal_rate(cell):
    found = samples.size(cell, 10, 2, 15)
    rate, error = found["samples"]
    assert rate - 2 * error < 0.05


@pytest.mark.slow
@pytest.mark.parametrize(("cell", "n_folds", "n_repeats"), BANDS)
def test_rejection_rates_are_within_their_bands(cell, n_folds, n_repeats, contradicted, show):
    found = samples.size(cell, n_folds, n_repeats, 600)
    show(f"{cell}, {n_folds}×{n_repeats}: {found}")
    assert not contradicted(found, BANDS[cell, n_folds, n_repeats])


@pytest.mark.slow
def test_families_and_sets_keep_their_level(contradicted, show):
    found = samples.families("logistic, accuracy, n = 100", 10, 2, 300)
    show(f"{found}")
    assert not contradicted(found, dict.fromkeys(found, (0.0, 0.05)))


@pytest.mark.slow
def test_twenty_fits_have_the_power_of_a_hundred_splits(show):
    found = {design: samples.power(*design, 1500) for design in ((5, 1), (10, 2), (10, 10))}
    show(f"{found}")
    few, many = found[10, 2]["samples"], found[10, 10]["splits"]
    assert few[0] > many[0] - 2 * np.hypot(few[1], many[1])
    assert found[5, 1]["samples"][0] > found[5, 1]["splits"][0]


@pytest.mark.slow
def test_ten_fits_have_more_power_than_thirty_splits_for_ten_candidates(show):
    adjusted = {"shifts": samples.PLAIN, "alpha": 0.05 / 45}
    found = {design: samples.power(*design, 1500, **adjusted) for design in ((5, 2), (10, 3))}
    show(f"{found}")
    few, more = found[5, 2]["samples"], found[10, 3]["splits"]
    assert few[0] > more[0] + 2 * np.hypot(few[1], more[1])


@pytest.mark.slow
def test_one_repeat_of_ten_thousand_samples_detects_two_hundredths(contradicted, show):
    one, two = (
        samples.power(5, n_repeats, 200, n_samples=10_000, shifts=samples.DIFFERENT_IF_LARGE)
        for n_repeats in (1, 2)
    )
    show(f"{one}\n{two}")
    assert not contradicted(one, {"samples, instability 1": (0.7, 0.85)})
    assert not contradicted(one, {"samples, instability 0": (0.9, 0.98)})
    rates = [
        one[name][0] for name in ("samples, instability 1", "samples", "samples, instability 0")
    ]
    assert rates == sorted(rates)
    # √((½ + K/(K − 1)) / (K/(K − 1))) = 1.18: the cost of the default instability.
    ratio = one["samples, half-width"][0] / two["samples, half-width"][0]
    assert ratio == pytest.approx((1.75 / 1.25) ** 0.5, rel=0.02)


@pytest.mark.slow
def test_trees_on_ten_thousand_samples_remain_unstable():
    found = samples.size("trees, accuracy, n = 10,000", 5, 2, 3)
    assert 0.55 < found["ê²/s̄²"][0] < 0.75


@pytest.mark.slow
def test_intervals_cover_the_fitted_models(contradicted, show):
    found = samples.coverage((0.01, 0.01), 10, 2, 1000)
    show(f"{found}")
    assert not contradicted(found, {"samples, fitted models missed": (0.03, 0.07)})
    # But not the algorithm if it varies more between training sets than between samples.
    assert found["samples, algorithms missed"][0] > 0.15


@pytest.mark.parametrize(
    ("cell", "metric"),
    [
        ("logistic, ROC AUC, n = 100", roc_auc_score),
        ("logistic, F1, 10 % positives, n = 300", f1_score),
    ],
)
def test_values_of_the_cells_have_scikit_learns_scores_as_means(cell, metric):
    cell = SAMPLE_CELLS[cell]
    scores = cell.scores(np.random.default_rng(0), 5, 2)
    rng = np.random.default_rng(0)
    X, y = cell.data(rng)
    train, test = masks(folds(rng, 5, 2), y)
    for model in (0, 9):
        for k in (0, 7):
            fitted = LogisticRegression(tol=1e-10, solver="newton-cholesky")
            fitted.fit(X[model][train[k]], y[train[k]])
            tested = X[model][test[k]]
            asked = fitted.decision_function if metric is roc_auc_score else fitted.predict
            assert scores.values[model, k] == pytest.approx(metric(y[test[k]], asked(tested)))


def test_nearest_neighbour_of_the_cells_matches_scikit_learn():
    X, y = equal_blocks(np.random.default_rng(1), n_samples=60, n_models=2)
    train, test = masks(folds(np.random.default_rng(1), 5, 1), y)
    right = SAMPLE_CELLS["1-NN, accuracy, n = 100"].values(X, y, train, test)
    for k in range(5):
        fitted = KNeighborsClassifier(1).fit(X[1][train[k]], y[train[k]])
        assert_array_equal(right[1, test[k], k], fitted.predict(X[1][test[k]]) == y[test[k]])


@pytest.mark.parametrize("n", [60, pytest.param(200, marks=pytest.mark.slow)])
def test_constant_classifiers_on_stratified_folds_keep_the_level(n):
    # Split scores hardly vary there, and the corrected t rejects for two constant classifiers in
    # every second data set. Samples vary: for ±1 on 300 coin tosses t is normal, too small by
    # √(10/9), so that |t| > 1.968 in P(|Z| > 2.07) = 3.8 % of data sets.
    rng = np.random.default_rng(0)
    rejected = []
    for _ in range(n):
        y = rng.random(300) < 0.5
        train, test = masks(folds(rng, 10, 2), y)
        right = np.stack([y, ~y]).astype(float)[:, :, None] * np.ones(20)
        found = SAMPLES.all_pairs(with_samples(right, train, test, 10))
        rejected.append(found.pvalue("two-sided")[0] < 0.05)
    assert np.mean(rejected) == pytest.approx(0.038, abs=4 * (0.038 * 0.962 / n) ** 0.5)
