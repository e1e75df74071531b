"""compare_predictions: the numbers of cross_validate_models, from arrays and from long tables."""

import re

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import fbeta_score, make_scorer
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_val_predict,
)
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from sklearn_stats_compare import (
    ComparisonWarning,
    compare_predictions,
    cross_validate_models,
)

# Uneven folds: 190 samples do not divide by 4.
X, y = (array[:190] for array in load_breast_cancer(return_X_y=True))
MODELS = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "knn": make_pipeline(StandardScaler(), KNeighborsClassifier(9)),
    "tree": DecisionTreeClassifier(max_depth=3, random_state=0),
}
REGRESSORS = {
    "ridge": Ridge(),
    "knn": KNeighborsRegressor(9),
}
FOLDS = StratifiedKFold(4, shuffle=True, random_state=0)


def by_repeat(models, X, y, cv, groups=None, method="predict"):
    """Predictions of each repeat, as cross_val_predict makes them on the folds of that repeat."""
    splits = list(cv.split(X, y, groups))
    per_repeat = cv.get_n_splits(X, y, groups) // getattr(cv, "n_repeats", 1)
    parts = [splits[i : i + per_repeat] for i in range(0, len(splits), per_repeat)]
    return {
        name: [cross_val_predict(clone(model), X, y, cv=part, method=method) for part in parts]
        for name, model in models.items()
    }


def assert_same(found, expected):
    np.testing.assert_allclose(found.scores.values, expected.scores.values, rtol=0, atol=1e-12)
    # cross_validate_models keeps values in double precision where predictions are kept.
    pd.testing.assert_frame_equal(
        found.pairwise_frequentist, expected.pairwise_frequentist, rtol=1e-12, atol=1e-12
    )
    pd.testing.assert_frame_equal(
        found.pairwise_bayesian, expected.pairwise_bayesian, rtol=1e-11, atol=1e-12
    )


@pytest.mark.parametrize("repeated", [False, True])
@pytest.mark.parametrize("test", ["samples", "corrected_t"])
@pytest.mark.parametrize(
    ("metric", "method"),
    [
        ("accuracy", "predict"),
        ("f1_macro", "predict"),
        ("neg_log_loss", "predict_proba"),
        ("neg_brier_score", "predict_proba"),
        ("roc_auc", "predict_proba"),
    ],
)
@pytest.mark.filterwarnings("ignore:There are only:sklearn_stats_compare.ComparisonWarning")
@pytest.mark.filterwarnings("ignore:A class has as few:sklearn_stats_compare.ComparisonWarning")
def test_numbers_are_those_of_cross_validate_models(metric, method, test, repeated):
    cv = RepeatedStratifiedKFold(n_splits=4, n_repeats=3, random_state=0) if repeated else FOLDS
    expected = cross_validate_models(
        MODELS, X, y, scoring=metric, cv=cv, test=test, return_predictions=True
    )["score"]
    predictions = by_repeat(MODELS, X, y, cv, method=method)
    assert_same(compare_predictions(y, predictions, metric=metric, folds=cv, test=test), expected)
    if not repeated:
        predictions = {name: parts[0] for name, parts in predictions.items()}
        assert_same(
            compare_predictions(y, predictions, metric=metric, folds=cv, test=test), expected
        )


@pytest.mark.parametrize("metric", ["r2", "neg_mean_squared_error", "neg_mean_absolute_error"])
def test_numbers_of_regressors(metric):
    X, y = load_diabetes(return_X_y=True)
    cv = RepeatedKFold(n_splits=5, n_repeats=2, random_state=0)
    expected = cross_validate_models(
        REGRESSORS, X, y, scoring=metric, cv=cv, test="samples", return_predictions=True
    )["score"]
    predictions = by_repeat(REGRESSORS, X, y, cv)
    assert_same(compare_predictions(y, predictions, metric=metric, folds=cv), expected)


def test_groups_are_the_units():
    groups = np.arange(len(y)) // 4
    cv = GroupKFold(5)
    expected = cross_validate_models(
        MODELS, X, y, groups=groups, scoring="accuracy", cv=cv, test="samples",
        return_predictions=True,
    )["score"]  # fmt: skip
    predictions = by_repeat(MODELS, X, y, cv, groups)
    found = compare_predictions(y, predictions, metric="accuracy", folds=cv, groups=groups)
    assert_same(found, expected)
    assert found.scores.samples.n_samples == 48  # ⌈190 / 4⌉ groups


def test_classes_of_text_and_areas_of_three_classes():
    X, y = load_iris(return_X_y=True)
    y = np.array(["setosa", "versicolor", "virginica"], dtype=object)[y]
    models = {"logistic": LogisticRegression(max_iter=1000), "knn": KNeighborsClassifier(9)}
    for metric in ("roc_auc_ovr", "neg_log_loss", "accuracy"):
        expected = cross_validate_models(
            models, X, y, scoring=metric, cv=FOLDS, test="samples", return_predictions=True
        )["score"]
        method = "predict" if metric == "accuracy" else "predict_proba"
        predictions = by_repeat(models, X, y, FOLDS, method=method)
        assert_same(compare_predictions(y, predictions, metric=metric, folds=FOLDS), expected)


# The same predictions in every form that says the same.
PREDICTED = {name: parts[0] for name, parts in by_repeat(MODELS, X, y, FOLDS).items()}
PROBABILITIES = {
    name: parts[0] for name, parts in by_repeat(MODELS, X, y, FOLDS, method="predict_proba").items()
}
NUMBERS = np.empty(len(y), dtype=int)
for k, (_, test) in enumerate(FOLDS.split(X, y)):
    NUMBERS[test] = k


@pytest.mark.parametrize(
    "folds",
    [
        NUMBERS,
        NUMBERS[None],
        NUMBERS.astype(float),
        NUMBERS.tolist(),
        np.array(["a", "b", "c", "d"])[NUMBERS],
        pd.Series(NUMBERS),
        list(FOLDS.split(X, y)),
        FOLDS.split(X, y),
        [(train.tolist(), test.tolist()) for train, test in FOLDS.split(X, y)],
    ],
)
def test_folds_in_any_form(folds):
    expected = compare_predictions(y, PREDICTED, metric="accuracy", folds=FOLDS)
    assert_same(compare_predictions(y, PREDICTED, metric="accuracy", folds=folds), expected)


def test_probabilities_in_any_form():
    expected = compare_predictions(y, PROBABILITIES, metric="neg_log_loss", folds=FOLDS)

    def same(metric="neg_log_loss", **changed):
        return {"metric": metric, "folds": FOLDS, **changed}

    of_second = {name: p[:, 1] for name, p in PROBABILITIES.items()}
    assert_same(compare_predictions(y, of_second, **same()), expected)
    backwards = {name: p[:, ::-1] for name, p in PROBABILITIES.items()}
    assert_same(compare_predictions(y, backwards, **same(classes=[1, 0])), expected)
    of_first = {name: p[:, 0] for name, p in PROBABILITIES.items()}
    assert_same(compare_predictions(y, of_first, **same(classes=[1, 0])), expected)
    # Columns with names are found by name, in any order.
    frames = {name: pd.DataFrame(p[:, ::-1], columns=[1, 0]) for name, p in PROBABILITIES.items()}
    assert_same(compare_predictions(y, frames, **same()), expected)
    # Areas depend on the ranks alone: any increasing function of the probability is a score.
    areas = compare_predictions(y, PROBABILITIES, **same("roc_auc"))
    ranks = {name: np.log(p[:, 1] + 1e-9) for name, p in PROBABILITIES.items()}
    assert_same(compare_predictions(y, ranks, **same("roc_auc")), areas)
    reversed_ranks = {name: -rank for name, rank in ranks.items()}
    assert_same(compare_predictions(y, reversed_ranks, **same("roc_auc", classes=[1, 0])), areas)


def test_a_frame_of_models_is_a_mapping():
    expected = compare_predictions(y, PREDICTED, metric="accuracy", folds=FOLDS)
    found = compare_predictions(y, pd.DataFrame(PREDICTED), metric="accuracy", folds=FOLDS)
    assert_same(found, expected)


@pytest.mark.filterwarnings(
    "ignore:There are only 4 splits:sklearn_stats_compare.ComparisonWarning"
)
def test_a_scorer_with_options():
    scorer = make_scorer(fbeta_score, beta=2, pos_label=0)
    expected = cross_validate_models(MODELS, X, y, scoring=scorer, cv=FOLDS)["score"]
    found = compare_predictions(y, PREDICTED, metric=scorer, folds=FOLDS, test="corrected_t")
    assert_same(found, expected)
    assert found.metric == "fbeta_score"


@pytest.mark.parametrize("shift", [0, 3])
def test_the_order_of_samples_and_of_models_does_not_matter(shift):
    order = np.random.default_rng(shift).permutation(len(y))
    expected = compare_predictions(y, PREDICTED, metric="accuracy", folds=NUMBERS)
    shuffled = {name: PREDICTED[name][order] for name in reversed(PREDICTED)}
    found = compare_predictions(y[order], shuffled, metric="accuracy", folds=NUMBERS[order])
    by_name = [c.ranking.set_index("label")[["mean", "std_err"]] for c in (found, expected)]
    pd.testing.assert_frame_equal(by_name[0].loc[list(PREDICTED)], by_name[1].loc[list(PREDICTED)])


def test_further_methods_of_the_comparison():
    found = compare_predictions(
        pd.Series(y, index=np.arange(len(y)) + 7),
        PROBABILITIES,
        metric="neg_log_loss",
        folds=FOLDS,
    )
    half = pd.Series(np.arange(len(y)) % 2, index=np.arange(len(y)) + 7)
    assert set(found.by(half).table["n_samples"]) == {95}
    areas = found.with_metric("roc_auc")
    assert_same(areas, compare_predictions(y, PROBABILITIES, metric="roc_auc", folds=FOLDS))
    assert areas.delong("logistic", "tree").pvalue > 0
    by_class = compare_predictions(y, PREDICTED, metric="accuracy", folds=FOLDS)
    with pytest.warns(ComparisonWarning, match="pooled over folds"):
        pooled = by_class.mcnemar("logistic", "tree")
    right, other = (PREDICTED[name] == y for name in ("logistic", "tree"))
    assert pooled.n_only_1_right == (right & ~other).sum()


ONE = "compare these fitted models with `mcnemar` or `cochrans_q` (classes) or `delong`"


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"folds": None}, "`folds` must be the fold of each sample"),
        ({"folds": None}, ONE),
        ({"folds": np.zeros(190, dtype=int)}, ONE),
        (
            {"folds": np.zeros((2, 190), dtype=int), "test": "corrected_t"},
            "`folds` must be at least two folds in each repeat; got one",
        ),
        ({"folds": 4}, "`folds` must be the fold of each sample"),
        ({"folds": NUMBERS[:-1]}, "of 190 samples; got shape (189,)"),
        ({"folds": np.where(NUMBERS == 0, -1, NUMBERS)}, "got none (−1 or a missing value) for 48"),
        ({"folds": KFold(4, shuffle=True)}, "`folds` must be a splitter with the same splits"),
        ({"folds": ShuffleSplit(4, random_state=0)}, "must test every sample once in each repeat"),
        ({"folds": TimeSeriesSplit(4)}, "must test every sample once in each repeat"),
        ({"metric": "acc"}, "`metric` must be one of sklearn.metrics.get_scorer_names()"),
        ({"metric": None}, "`metric` must be a name such as 'accuracy'"),
        ({"metric": lambda model, X, y: 0.0}, "`metric` must be computed from predictions alone"),
        ({"predictions": [1, 2]}, "`predictions` must map names of models to arrays"),
        ({"predictions": {}}, "`predictions` must be of at least one model"),
        ({"predictions": {1: y, "1": y}}, "with different names as text; got [1, '1']"),
        (
            {"predictions": PREDICTED | {"tree": y[:-1]}},
            "`predictions['tree']` must have the shape",
        ),
        (
            {"predictions": PREDICTED | {"tree": np.where(NUMBERS == 0, np.nan, y)}},
            "`predictions['tree']` must have no missing values; got NaN for 48 of 190 samples",
        ),
        (
            {"predictions": PROBABILITIES},
            "must have the predicted class of each sample, shape (190,), for 'accuracy'",
        ),
        (
            {"predictions": {"a": PROBABILITIES["tree"][:, 1]}},
            "`predictions['a']` must be classes for 'accuracy', one of 0, 1; got 0.",
        ),
        ({"predictions": {"a": y + 1}}, "must be classes for 'accuracy', one of 0, 1; got 2"),
        (
            {"metric": "roc_auc"},
            "must be scores or probabilities for 'roc_auc'; got only classes. Predict with method=",
        ),
        (
            {"metric": "neg_log_loss", "predictions": {"a": 7 * PROBABILITIES["knn"]}},
            "must be probabilities for 'neg_log_loss'",
        ),
        (
            {"metric": "neg_log_loss", "predictions": {"a": PROBABILITIES["knn"] / 2}},
            "got a row with the sum 0.5",
        ),
        ({"classes": [0, 2]}, "`classes` must contain every class of `y`; got [0, 2], without 1"),
        ({"groups": np.zeros(3)}, "`groups` must be the group of each of 190 samples"),
        ({"row": "row"}, "`row` must be left out unless `y` is a table"),
        ({"y": np.where(NUMBERS == 0, np.nan, y)}, "`y` must have no missing values; got 48"),
        (
            {"y": pd.Series(y), "predictions": {"a": pd.Series(y)[::-1]}},
            "`predictions['a']` must have the index of `y`",
        ),
        (
            {"y": pd.Series(y), "folds": pd.Series(NUMBERS)[::-1]},
            "`folds` must have the index of `y`",
        ),
        # Arrays have no index, but two pandas objects of different order are not paired.
        (
            {"predictions": {"a": pd.Series(y), "b": pd.Series(y)[::-1]}},
            "`predictions['b']` must have the index of `predictions['a']`",
        ),
        (
            {"predictions": pd.DataFrame(PREDICTED), "folds": pd.Series(NUMBERS)[::-1]},
            "`folds` must have the index of `predictions['logistic']`",
        ),
        ({"y": np.ma.array(y, mask=NUMBERS == 0)}, "`y` must have no missing values; got masked"),
        (
            {"folds": np.ma.array(NUMBERS, mask=NUMBERS == 0)},
            "`folds` must have no missing values; got masked",
        ),
        (
            {"groups": np.ma.array(NUMBERS, mask=NUMBERS == 0)},
            "`groups` must have no missing values; got masked",
        ),
    ],
)
def test_what_cannot_be_compared_is_refused(changed, message):
    arguments = {"y": y, "predictions": PREDICTED, "metric": "accuracy", "folds": FOLDS}
    with pytest.raises((TypeError, ValueError), match=re.escape(message)):
        compare_predictions(**(arguments | changed))


def test_columns_of_a_polars_frame_are_classes_and_models_by_name():
    pl = pytest.importorskip("polars", reason="polars is not a dependency")
    both = pd.DataFrame(PROBABILITIES["knn"], columns=["0", "1"])
    swapped = pl.DataFrame({name: both[name].to_numpy() for name in ("1", "0")})
    areas = compare_predictions(
        y, {"frame": swapped, "array": PROBABILITIES["knn"]}, metric="roc_auc", folds=FOLDS
    )
    np.testing.assert_array_equal(*areas.scores.values)
    frame = pl.DataFrame(PREDICTED)
    found = compare_predictions(y, frame, metric="accuracy", folds=FOLDS)
    assert_same(found, compare_predictions(y, PREDICTED, metric="accuracy", folds=FOLDS))


def test_a_repeat_is_needed_for_each_set_of_folds():
    cv = RepeatedStratifiedKFold(n_splits=4, n_repeats=2, random_state=0)
    with pytest.raises(ValueError, match=re.escape("the shape (2, 190, …), repeats × samples")):
        compare_predictions(y, PREDICTED, metric="accuracy", folds=cv)


def test_regression_of_whole_numbers_is_not_taken_for_classes():
    # Counts as truth, fractions as predictions: squared errors take both.
    truth, guess = np.arange(40) % 5, np.arange(40) % 5 + 0.5
    found = compare_predictions(
        truth,
        {"a": guess, "b": guess + 0.5},
        metric="neg_mean_squared_error",
        folds=np.arange(40) // 4,
    )
    np.testing.assert_allclose(found.scores.values, [[-0.25] * 10, [-1.0] * 10])  # 0.5² and 1²
