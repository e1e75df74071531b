"""Coverage of the intervals of one procedure's score on real learners.

The cells are benchmarks/_nested_cells.py's. A band fails only if the share ± 2 standard errors lies
wholly outside. Bands are those of docs/evidence: where an interval is said to
cover, 95 % less 3; where it is said to fail, the failure.
"""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV, PredefinedSplit
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from benchmarks import nested
from benchmarks._nested_cells import (
    INNER_FOLDS,
    NESTED_CELLS,
    PENALTIES,
    labels,
    least_squares,
    linear,
    nearest,
    sparse,
    tree,
)

COVERS = {
    ("samples", 5, 1): (0.95, 1.0),
    ("samples", 5, 5): (0.92, 0.99),
    ("corrected t", 5, 1): (0.93, 1.0),
    ("corrected t", 10, 1): (0.93, 1.0),
    ("nested", 5, 10): (0.92, 0.99),
}
# (cell, samples, data sets): {interval: (lowest, highest) share that contains the fitted model}
BANDS = {
    ("logistic, accuracy", 100, 400): {**COVERS, ("naive", 10, 1): (0.87, 0.94)},
    # The more repeats, the narrower; the variation between training sets remains.
    ("least squares, squared error", 100, 400): {
        **COVERS,
        ("samples", 5, 5): (0.9, 0.96),
        ("corrected t", 10, 10): (0.86, 0.93),
        ("naive", 10, 1): (0.85, 0.92),
    },
    ("tree, accuracy", 100, 120): {
        **COVERS,
        # K estimates of the error, whose mean is often negative.
        ("nested", 5, 1): (0.82, 0.93),
        ("naive", 10, 1): (0.83, 0.93),
    },
    ("tuned, accuracy", 100, 120): {**COVERS, ("nested", 5, 1): (0.82, 0.93)},
}
NEAR_NOMINAL = {
    ("samples", 5, 1): (0.93, 1.0),
    ("samples", 5, 5): (0.9, 1.0),
    ("corrected t", 10, 1): (0.92, 1.0),
    ("nested", 5, 10): (0.9, 1.0),
    ("naive", 10, 1): (0.82, 0.95),
}


def of_fitted_model(table):
    """Shares of the intervals that contain the score of the fitted model, and standard errors."""
    return {key: row["fitted model"] for key, row in table.items()}


@pytest.mark.parametrize(
    ("cell", "n_samples"),
    [
        ("logistic, log loss", 60),
        pytest.param("nearest neighbour, accuracy", 60, marks=pytest.mark.slow),
        ("least squares, squared error", 100),
    ],
)
def test_coverage_in_a_few_data_sets_does_not_contradict_the_nominal_level(
    cell, n_samples, contradicted
):
    assert not contradicted(of_fitted_model(nested.coverage(cell, n_samples, 20)), NEAR_NOMINAL)


@pytest.mark.slow
@pytest.mark.parametrize(("cell", "n_samples", "n_data_sets"), BANDS)
def test_coverage_is_within_its_bands(cell, n_samples, n_data_sets, contradicted, show):
    shares = of_fitted_model(nested.coverage(cell, n_samples, n_data_sets, seed=1))
    show(f"{cell}, {n_samples}", *(f"{key}: {100 * share[0]:.1f}" for key, share in shares.items()))
    assert not contradicted(shares, BANDS[cell, n_samples, n_data_sets])


def training_sets(rng, y, n_folds=5):
    return nested.splits_of(labels(rng, y, n_folds), n_folds, with_pairs=True)


def right(model, X, y):
    return model.predict(X) == y


def log_likelihood(model, X, y):
    return model.predict_log_proba(X)[np.arange(len(y)), y.astype(int)]


def minus_squared_error(model, X, y):
    return -((y - model.predict(X)) ** 2)


LOGISTIC = LogisticRegression(tol=1e-12, solver="newton-cholesky")
ACCURACY, LOG_LOSS, NEAREST = (
    NESTED_CELLS[name]
    for name in ("logistic, accuracy", "logistic, log loss", "nearest neighbour, accuracy")
)


@pytest.mark.parametrize(
    ("data", "values", "model", "value"),
    [
        (ACCURACY.data, ACCURACY.values, LOGISTIC, right),
        (LOG_LOSS.data, LOG_LOSS.values, LOGISTIC, log_likelihood),
        (NEAREST.data, nearest, KNeighborsClassifier(1), right),
        (NEAREST.data, tree, DecisionTreeClassifier(random_state=0), right),
        (linear, least_squares, LinearRegression(), minus_squared_error),
    ],
)
def test_models_of_the_cells_match_scikit_learn(data, values, model, value):
    rng = np.random.default_rng(2)
    (X, y), (X_new, y_new) = data(rng, 60), data(rng, 40)
    train = training_sets(rng, y)
    found = values(X, y, train, X_new, y_new)
    for k in (0, 4, 5, 14):
        expected = value(model.fit(X[train[k]], y[train[k]]), X_new, y_new)
        np.testing.assert_allclose(found[:, k], expected, rtol=1e-7, atol=1e-9)


def test_tuned_procedure_of_the_cells_matches_a_grid_search():
    rng = np.random.default_rng(1)
    (X, y), (X_new, y_new) = sparse(rng, 60), sparse(rng, 40)
    train = training_sets(rng, y)[[2]]
    found = NESTED_CELLS["tuned, accuracy"].values(X, y, train, X_new, y_new)
    own = train[0]
    cv = PredefinedSplit(labels(np.random.default_rng(0), y[own], INNER_FOLDS))
    search = GridSearchCV(LOGISTIC, {"C": list(PENALTIES)}, scoring="neg_log_loss", cv=cv)
    search.fit(X[own], y[own])
    np.testing.assert_array_equal(found[:, 0], search.predict(X_new) == y_new)


def test_lists_of_a_repeat_hold_the_values_of_the_models_that_the_paper_names():
    # The value of sample i from split s is 100·s + i, so that each value tells where it is from.
    # Four folds: splits 0 to 3 leave one out, and 4 to 9 leave out 01, 02, 03, 12, 13 and 23.
    label = np.array([0, 1, 2, 3, 0, 1, 2, 3])
    values = 100.0 * np.arange(10) + np.arange(8)[:, None]
    outer, inner = nested.nested_lists(values, label, 4)
    np.testing.assert_array_equal(outer[2], [202, 206])
    np.testing.assert_array_equal(sorted(inner[2]), [500, 504, 701, 705, 903, 907])
    train = nested.splits_of(label, 4, with_pairs=True)
    np.testing.assert_array_equal(train[7], (label == 0) | (label == 3))
