"""compare_predictions: the numbers of cross_validate_models, from arrays and from long tables."""

import re
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn import model_selection as ms
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import fbeta_score, make_scorer
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import sklearn_stats_compare as ssc
from sklearn_stats_compare import evaluation

# Uneven folds: 190 samples do not divide by 4.
X, y = (array[:190] for array in load_breast_cancer(return_X_y=True))
MODELS = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
    "knn": make_pipeline(StandardScaler(), KNeighborsClassifier(9)),
    "tree": DecisionTreeClassifier(max_depth=3, random_state=0),
}
REGRESSORS = {"ridge": Ridge(), "knn": KNeighborsRegressor(9)}
FOLDS = ms.StratifiedKFold(4, shuffle=True, random_state=0)
REPEATED = ms.RepeatedStratifiedKFold(n_splits=4, n_repeats=2, random_state=0)
METHODS = dict.fromkeys(["accuracy", "f1_macro"], "predict") | dict.fromkeys(
    ["neg_log_loss", "neg_brier_score", "roc_auc"], "predict_proba"
)


def by_repeat(models, X, y, cv, groups=None, method="predict"):
    """Predictions of each repeat, as cross_val_predict makes them on the folds of that repeat."""
    splits = list(cv.split(X, y, groups))
    per_repeat = cv.get_n_splits(X, y, groups) // getattr(cv, "n_repeats", 1)
    parts = [splits[i : i + per_repeat] for i in range(0, len(splits), per_repeat)]
    return {
        name: [ms.cross_val_predict(clone(model), X, y, cv=part, method=method) for part in parts]
        for name, model in models.items()
    }


def assert_same(found, expected):
    np.testing.assert_allclose(found.scores.values, expected.scores.values, rtol=0, atol=1e-12)
    # cross_validate_models keeps values in double precision where predictions are kept.
    for table, rtol in (("frequentist", 1e-12), ("bayesian", 1e-11)):
        tables = (getattr(one, table)() for one in (found, expected))
        pd.testing.assert_frame_equal(*tables, rtol=rtol, atol=1e-12)


@pytest.fixture(scope="module", params=[FOLDS, REPEATED], ids=["folds", "repeated"])
def evaluated(request):
    """Splits, what cross_validate_models finds on them by each metric, and the predictions."""
    cv = request.param
    expected = ssc.cross_validate_models(
        MODELS, X, y, scoring=list(METHODS), cv=cv, test="samples", return_predictions=True
    )
    methods = ("predict", "predict_proba")
    return cv, expected, {name: by_repeat(MODELS, X, y, cv, method=name) for name in methods}


@pytest.mark.parametrize("test", ["samples", "corrected_t"])
@pytest.mark.parametrize("metric", METHODS)
@pytest.mark.filterwarnings("ignore:There are only:sklearn_stats_compare.ComparisonWarning")
@pytest.mark.filterwarnings("ignore:A class has as few:sklearn_stats_compare.ComparisonWarning")
def test_numbers_are_those_of_cross_validate_models(metric, test, evaluated):
    cv, comparisons, predictions = evaluated
    expected = comparisons[metric].with_settings(test=test)
    forms = [predictions[METHODS[metric]]]
    if cv is FOLDS:  # one repeat, which needs no dimension of its own
        forms.append({name: parts[0] for name, parts in forms[0].items()})
    for form in forms:
        found = ssc.compare_predictions(y, form, metric=metric, folds=cv, test=test)
        assert_same(found, expected)


def test_numbers_of_regressors():
    X, y = load_diabetes(return_X_y=True)
    cv = ms.RepeatedKFold(n_splits=5, n_repeats=2, random_state=0)
    metrics = ["r2", "neg_mean_squared_error", "neg_mean_absolute_error"]
    options = {"scoring": metrics, "cv": cv, "test": "samples", "return_predictions": True}
    expected = ssc.cross_validate_models(REGRESSORS, X, y, **options)
    predictions = by_repeat(REGRESSORS, X, y, cv)
    for metric in metrics:
        found = ssc.compare_predictions(y, predictions, metric=metric, folds=cv)
        assert_same(found, expected[metric])


# Of 48 groups, three may hold half of the squared differences between two of these models.
@pytest.mark.filterwarnings("ignore:Three samples make:sklearn_stats_compare.ComparisonWarning")
def test_groups_are_the_units():
    groups = np.arange(len(y)) // 4
    cv = ms.GroupKFold(5)
    expected = ssc.cross_validate_models(
        MODELS, X, y, groups=groups, scoring="accuracy", cv=cv, test="samples",
        return_predictions=True,
    )  # fmt: skip
    predictions = by_repeat(MODELS, X, y, cv, groups)
    found = ssc.compare_predictions(y, predictions, metric="accuracy", folds=cv, groups=groups)
    assert_same(found, expected)
    assert found.scores.samples.n_samples == 48  # ⌈190 / 4⌉ groups
    # Tests of single samples do not know them.
    with (
        pytest.warns(ssc.ComparisonWarning, match="pooled over folds"),
        pytest.warns(ssc.ComparisonWarning, match="The samples have groups, which this test"),
    ):
        evaluation.mcnemar_of(found, "logistic", "tree")


def test_folds_that_divide_groups_are_noted():
    within = NUMBERS * 50 + np.arange(len(y)) % 12
    for groups, divides in ((np.arange(len(y)) // 4, True), (within, False), (None, False)):
        found = compared(folds=NUMBERS, groups=groups)
        assert (
            "Samples of one group are in the training and in the test set" in found.note
        ) is divides
        assert found.with_settings(metric="f1").note.count("Samples of one group") == divides


# Some probabilities of the neighbours are 0, at a log loss of 36.
@pytest.mark.filterwarnings("ignore:Three samples make:sklearn_stats_compare.ComparisonWarning")
def test_classes_of_text_and_areas_of_three_classes():
    X, y = load_iris(return_X_y=True)
    y = np.array(["setosa", "versicolor", "virginica"], dtype=object)[y]
    models = {"bayes": GaussianNB(), "knn": KNeighborsClassifier(9)}
    methods = dict.fromkeys(["roc_auc_ovr", "neg_log_loss"], "predict_proba")
    methods["accuracy"] = "predict"
    expected = ssc.cross_validate_models(
        models, X, y, scoring=list(methods), cv=FOLDS, test="samples", return_predictions=True
    )
    for metric, method in methods.items():
        predictions = by_repeat(models, X, y, FOLDS, method=method)
        found = ssc.compare_predictions(y, predictions, metric=metric, folds=FOLDS)
        assert_same(found, expected[metric])


PREDICTED, PROBABILITIES = (
    {name: parts[0] for name, parts in by_repeat(MODELS, X, y, FOLDS, method=method).items()}
    for method in ("predict", "predict_proba")
)
NUMBERS = np.empty(len(y), dtype=int)
for k, (_, test) in enumerate(FOLDS.split(X, y)):
    NUMBERS[test] = k


def compared(predictions=PREDICTED, metric="accuracy", folds=FOLDS, **options):
    return ssc.compare_predictions(y, predictions, metric=metric, folds=folds, **options)


@pytest.mark.parametrize(
    "folds",
    [
        *(NUMBERS, NUMBERS[None], NUMBERS.astype(float), NUMBERS.tolist(), pd.Series(NUMBERS)),
        np.array(["a", "b", "c", "d"])[NUMBERS],
        list(FOLDS.split(X, y)),
        FOLDS.split(X, y),
        [(train.tolist(), test.tolist()) for train, test in FOLDS.split(X, y)],
    ],
)
def test_folds_in_any_form(folds):
    assert_same(compared(folds=folds), compared())


def test_probabilities_in_any_form():
    expected = compared(PROBABILITIES, "neg_log_loss")

    def each(change):
        return {name: change(p) for name, p in PROBABILITIES.items()}

    for predictions, options in (
        (each(lambda p: p[:, 1]), {}),
        (each(lambda p: p[:, ::-1]), {"classes": [1, 0]}),
        (each(lambda p: p[:, 0]), {"classes": [1, 0]}),
        # Columns with names are found by name, in any order.
        (each(lambda p: pd.DataFrame(p[:, ::-1], columns=[1, 0])), {}),
    ):
        assert_same(compared(predictions, "neg_log_loss", **options), expected)
    # Areas depend on the ranks alone: any increasing function of the probability is a score.
    areas = compared(PROBABILITIES, "roc_auc")
    ranks = each(lambda p: np.log(p[:, 1] + 1e-9))
    assert_same(compared(ranks, "roc_auc"), areas)
    reversed_ranks = {name: -rank for name, rank in ranks.items()}
    assert_same(compared(reversed_ranks, "roc_auc", classes=[1, 0]), areas)


@pytest.mark.filterwarnings("ignore:There are only 4:sklearn_stats_compare.ComparisonWarning")
def test_a_scorer_with_options():
    scorer = make_scorer(fbeta_score, beta=2, pos_label=0)
    expected = ssc.cross_validate_models(MODELS, X, y, scoring=scorer, cv=FOLDS)
    found = compared(metric=scorer, test="corrected_t")
    assert_same(found, expected)
    assert found.metric == "fbeta_score(beta=2, pos_label=0)"


def test_the_order_of_samples_and_of_models_does_not_matter():
    order = np.random.default_rng(0).permutation(len(y))
    shuffled = {name: PREDICTED[name][order] for name in reversed(PREDICTED)}
    found = ssc.compare_predictions(y[order], shuffled, metric="accuracy", folds=NUMBERS[order])
    by_name = [
        each.ranking().set_index("label").loc[list(PREDICTED), ["mean", "std_err"]]
        for each in (found, compared(folds=NUMBERS))
    ]
    pd.testing.assert_frame_equal(*by_name)


def test_further_methods_of_the_comparison():
    index = np.arange(len(y)) + 7
    found = ssc.compare_predictions(
        pd.Series(y, index=index), PROBABILITIES, metric="neg_log_loss", folds=FOLDS
    )
    half = pd.Series(np.arange(len(y)) % 2, index=index)
    assert set(found.by(half).table["n_samples"]) == {95}
    areas = found.with_settings(metric="roc_auc")
    assert_same(areas, compared(PROBABILITIES, "roc_auc"))
    assert evaluation.delong_of(areas, "logistic", "tree").pvalue > 0
    with pytest.warns(ssc.ComparisonWarning, match="pooled over folds"):
        pooled = evaluation.mcnemar_of(compared(), "logistic", "tree")
    right, other = (PREDICTED[name] == y for name in ("logistic", "tree"))
    assert pooled.n_only_1_right == (right & ~other).sum()


ONE = "compare these fitted models with `mcnemar` or `cochrans_q` (classes) or `delong`"
BESIDE = "must have its labels 0, 1, 2, … in order beside an array"
MASKED = "must have no missing values; got masked"
TURNED = pd.Series(y)[::-1]
TWO_KINDS = [k if k % 2 else str(k) for k in range(len(y))]
OTHERS = np.where(NUMBERS == 0, -1, NUMBERS)  # none for 48 samples
GAPS = np.where(NUMBERS == 0, np.nan, y)
MASK = np.ma.array(NUMBERS, mask=NUMBERS == 0)
ONE_FOLD = {"folds": np.zeros((2, 190), dtype=int), "test": "corrected_t"}
BY_VISIT = pd.Series(y, pd.MultiIndex.from_product([range(19), range(10)], names=["who", "visit"]))
TWO_ORDERS = {"predictions": {"a": pd.Series(y), "b": TURNED}}
AREA = {"metric": "roc_auc"}
TWO_LABELS = np.column_stack([y, 1 - y])


def of(own, **more):
    return {"predictions": {"a": own}, **more}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"folds": None}, "`folds` must be the fold of each sample"),
        ({"folds": None}, ONE),
        ({"folds": np.zeros(190, dtype=int)}, ONE),
        (ONE_FOLD, "`folds` must be at least two folds in each repeat; got one"),
        ({"folds": 4}, "`folds` must be the fold of each sample"),
        ({"folds": NUMBERS[:-1]}, "of 190 samples; got shape (189,)"),
        ({"folds": OTHERS}, "got none (−1 or a missing value) for 48"),
        ({"folds": ms.KFold(4, shuffle=True)}, "`folds` must be a splitter with the same splits"),
        ({"folds": ms.ShuffleSplit(4, random_state=0)}, "must test every sample once in each rep"),
        ({"folds": ms.TimeSeriesSplit(4)}, "must test every sample once in each repeat"),
        ({"metric": "acc"}, "`metric` must be one of sklearn.metrics.get_scorer_names()"),
        ({"metric": None}, "`metric` must be a name such as 'accuracy'"),
        ({"metric": lambda model, X, y: 0.0}, "`metric` must be computed from predictions alone"),
        ({"predictions": [1, 2]}, "`predictions` must map names of models to arrays"),
        ({"predictions": {}}, "`predictions` must be of at least one model"),
        ({"predictions": {1: y, "1": y}}, "with different names as text; got [1, '1']"),
        (of(y[:-1]), "`predictions['a']` must have the shape"),
        (of(GAPS), "`predictions['a']` must have no missing values; got NaN for 48 of 190 samples"),
        (of(PROBABILITIES["knn"]), "the predicted class of each sample, shape (190,), for 'accura"),
        (of(PROBABILITIES["tree"][:, 1]), "`predictions['a']` must be classes for 'accuracy', one"),
        (of(PROBABILITIES["tree"][:, 1]), "one of 0, 1; got 0."),
        (of(y + 1), "must be classes for 'accuracy', one of 0, 1; got 2"),
        (AREA, "scores or probabilities for 'roc_auc'; got only classes. Predict with method="),
        (of(TWO_LABELS, y=TWO_LABELS, folds=NUMBERS, **AREA), "for 'roc_auc'; got only classes."),
        (of(7 * PROBABILITIES["knn"], metric="neg_log_loss"), "must be probabilities for 'neg_log"),
        (of(PROBABILITIES["knn"] / 2, metric="neg_log_loss"), "got a row with the sum 0.5"),
        ({"classes": [0, 2]}, "`classes` must contain every class of `y`; got [0, 2], without 1"),
        ({"groups": np.zeros(3)}, "`groups` must be the group of each of 190 samples"),
        ({"folds": REPEATED}, "the shape (2, 190, …), repeats × samples"),
        ({"row": "row"}, "`row` must be left out unless `y` is a table"),
        ({"y": GAPS}, "`y` must have no missing values; got 48"),
        (of(TURNED, y=pd.Series(y)), "`predictions['a']` must have the index of `y`"),
        ({"y": pd.Series(y), "folds": TURNED}, "`folds` must have the index of `y`"),
        (
            {"y": pd.Series(y), "folds": pd.DataFrame([NUMBERS])[TURNED.index]},
            "`folds` must have the index of `y`",
        ),
        (of(TURNED, y=TURNED, folds=NUMBERS), f"`y` {BESIDE}"),
        (
            of(TURNED, y=TURNED, folds=pd.Series(NUMBERS, TURNED.index), groups=NUMBERS),
            f"`y` {BESIDE}",
        ),
        ({"folds": np.array(TWO_KINDS, dtype=object)}, "`folds` must hold labels of one kind"),
        ({"groups": np.array(TWO_KINDS, dtype=object)}, "such as text; got int, str."),
        ({"predictions": {"a": y, "b": TURNED}}, f"`predictions['b']` {BESIDE}"),
        (of(TURNED, y=y.tolist()), f"`predictions['a']` {BESIDE}"),
        (of(y.tolist(), y=TURNED), f"`y` {BESIDE}"),
        # Arrays have no index, but two pandas objects of different order are not paired.
        (of(BY_VISIT.rename_axis(["visit", "who"]), y=BY_VISIT), "`predictions['a']` must have th"),
        (TWO_ORDERS, "`predictions['b']` must have the index of `predictions['a']`"),
        (
            {"predictions": pd.DataFrame(PREDICTED), "folds": TURNED},
            "`folds` must have the index of `predictions['logistic']`",
        ),
        ({"y": np.ma.array(y, mask=NUMBERS == 0)}, f"`y` {MASKED}"),
        ({"folds": MASK}, f"`folds` {MASKED}"),
        ({"groups": MASK}, f"`groups` {MASKED}"),
        (
            {"folds": NUMBERS, "groups": np.arange(190) // 95, "test": "samples"},
            '`groups` must be at least 4 for `test` "samples", one per fold; got 2',
        ),
    ],
)
def test_what_cannot_be_compared_is_refused(changed, message):
    arguments = {"y": y, "predictions": PREDICTED, "metric": "accuracy", "folds": FOLDS}
    with pytest.raises((TypeError, ValueError), match=re.escape(message)):
        ssc.compare_predictions(**(arguments | changed))


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame])
def test_columns_of_frames_are_models_and_classes_by_name(kind):
    assert_same(compared(kind(PREDICTED)), compared())
    knn = PROBABILITIES["knn"]
    swapped = kind({"1": knn[:, 1], "0": knn[:, 0]})
    areas = compared({"frame": swapped, "array": knn}, "roc_auc")
    np.testing.assert_array_equal(*areas.scores.values)


def test_regression_of_whole_numbers_is_not_taken_for_classes():
    # Counts as truth, fractions as predictions: squared errors take both.
    truth = np.arange(40) % 5
    predictions = {"a": truth + 0.5, "b": truth + 1.0}
    how = {"metric": "neg_mean_squared_error", "folds": np.arange(40) // 4}
    found = ssc.compare_predictions(truth, predictions, **how)
    np.testing.assert_allclose(found.scores.values, [[-0.25] * 10, [-1.0] * 10])  # 0.5² and 1²


def test_columns_of_several_outputs_are_those_of_the_truth_by_name():
    truth = pd.DataFrame({"p": X[:, 0], "q": X[:, 1]})
    how = {"metric": "neg_mean_absolute_error", "folds": NUMBERS}
    swapped = ssc.compare_predictions(truth, {"a": truth[["q", "p"]]}, **how)
    assert not swapped.scores.values.any()
    with pytest.raises(ValueError, match="a column named after each column of `y`, p, q; got q, r"):
        ssc.compare_predictions(truth, {"a": truth.set_axis(["q", "r"], axis=1)}, **how)


@pytest.mark.parametrize("test", ["corrected_t", "samples"])
@pytest.mark.parametrize(
    ("metric", "groups", "n"),
    [("recall", None, 30), ("roc_auc", None, 30), ("accuracy", 25, 25), ("accuracy", None, 300)],
)
def test_agreement_shows_as_much_as_the_positives_or_groups_can(metric, groups, n, test):
    # Two perfect models: a true difference of h stays unseen with probability (1 − h)^n.
    y = np.repeat([1, 0], [30, 270])
    cv = ms.StratifiedKFold(5)
    if groups is not None:
        groups, cv = np.arange(300) % groups, ms.GroupKFold(5)
    shown = 1 - 0.05 ** (1 / n)
    said = 0.5 * y if metric == "roc_auc" else y
    for h, verdict in ((1.01 * shown, "equivalent"), (0.99 * shown, "undecided")):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ssc.ComparisonWarning)
            found = ssc.compare_predictions(
                y, {"a": said, "b": said}, metric=metric, folds=cv, groups=groups, rope=h, test=test
            )
        assert found.frequentist()["verdict"].tolist() == [verdict]


def test_what_a_caller_changes_afterwards_changes_nothing():
    y, predictions = np.arange(40) % 2, {"a": np.arange(40) % 2, "b": np.arange(40) // 5 % 2}
    found = ssc.compare_predictions(y, predictions, metric="accuracy", folds=np.arange(40) // 4)
    before = found.with_settings(metric="f1").scores.values
    y[:] = 1 - y
    np.testing.assert_array_equal(found.with_settings(metric="f1").scores.values, before)
    params = [{"C": 1}, {"C": 2}]
    own = ssc.Comparison(found.scores, params=params, warn=False)
    params[0]["C"] = 100
    assert own.params[0] == {"C": 1}


def test_columns_of_probabilities_that_were_chosen_by_number_keep_their_classes():
    # pandas gives both orders a RangeIndex.
    y, folds = np.arange(40) % 2, np.arange(40) // 4
    right = pd.DataFrame(np.column_stack([0.8 - 0.6 * y, 0.2 + 0.6 * y]))
    how = {"metric": "neg_log_loss", "folds": folds}
    in_order = ssc.compare_predictions(y, {"a": right}, **how).scores.values
    reversed_ = ssc.compare_predictions(y, {"a": right[[1, 0]]}, **how).scores.values
    np.testing.assert_array_equal(reversed_, in_order)
    np.testing.assert_allclose(in_order, np.log(0.8))


@pytest.mark.parametrize("form", [np.asarray, pd.DataFrame])
def test_columns_of_outputs_that_were_chosen_by_number_keep_their_outputs(form):
    truth = np.random.default_rng(0).normal(size=(40, 2)) * [1, 10]
    right = pd.DataFrame(truth + 0.1)
    found = ssc.compare_predictions(
        form(truth), {"a": right, "b": right[[1, 0]]}, metric="r2", folds=np.arange(40) // 4
    )
    np.testing.assert_array_equal(*found.scores.values)


TEXT = np.array(["neg", "pos"])
COSTS = {("neg", "neg"): 0, ("neg", "pos"): 1, ("pos", "neg"): 10, ("pos", "pos"): 0}


@pytest.mark.parametrize(
    ("function", "is_text"),
    [
        (lambda t, p: np.mean(t != p), True),
        (lambda t, p: np.mean([COSTS[pair] for pair in zip(t, p, strict=True)]), True),
        (lambda t, p: np.array([[0, 1], [10, 0]])[t, p].mean(), False),
    ],
)
def test_own_metrics_of_classes_take_classes(function, is_text):
    """They were asked about fractions, which no table of costs has."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 100)
    given = {
        name: np.where(rng.random(100) < q, truth, 1 - truth)
        for name, q in (("a", 0.8), ("b", 0.6))
    }
    classes = TEXT if is_text else np.arange(2)
    folds = np.arange(100) % 5
    found = ssc.compare_predictions(
        classes[truth], {name: classes[own] for name, own in given.items()},
        metric=make_scorer(function, greater_is_better=False), folds=folds,
    )  # fmt: skip
    expected = -function(classes[truth[folds == 0]], classes[given["a"][folds == 0]])
    assert found.scores.values[0, 0] == pytest.approx(expected)


@pytest.mark.filterwarnings("ignore:A class has as few:sklearn_stats_compare.ComparisonWarning")
def test_folds_of_every_repeat_are_aligned_or_refused():
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"y": rng.integers(0, 2, 60), "one": np.arange(60) % 3})
    table["two"] = rng.permutation(table["one"])
    given = {"a": [table["y"], table["y"]], "b": [1 - table["y"], table["y"]]}
    ssc.compare_predictions(table["y"], given, metric="f1", folds=[table["one"], table["two"]])
    other = table.sample(frac=1, random_state=0)
    for folds in (
        [other["one"], other["two"]],
        [(other["one"] != k, other["one"] == k) for k in range(3)],
    ):
        with pytest.raises(ValueError, match="`folds` must have the index"):
            ssc.compare_predictions(table["y"], given, metric="f1", folds=folds)


def test_mcnemars_test_takes_no_values_of_a_regression():
    X, target = load_diabetes(return_X_y=True)
    kept = ssc.cross_validate_models(
        REGRESSORS, X, target, cv=5, test="samples", return_predictions=True
    )
    with pytest.raises(ValueError, match=r"must be classes, as those of `y_true`; got [0-9.]+"):
        evaluation.mcnemar_of(kept, "ridge", "knn")


def test_masks_are_splits_as_indices_are():
    splits = list(FOLDS.split(X, y))
    masks = [tuple(np.isin(np.arange(len(y)), part) for part in split) for split in splits]
    options = {"test": "samples", "return_predictions": True, "scoring": "accuracy"}
    found, expected = (
        ssc.cross_validate_models(MODELS, X, y, cv=cv, **options) for cv in (masks, splits)
    )
    assert found.frequentist().equals(expected.frequentist())
    again = found.with_settings(metric="f1").frequentist()
    assert again.equals(expected.with_settings(metric="f1").frequentist())


def long_probabilities(columns):
    rng = np.random.default_rng(0)
    target = rng.integers(0, 2, 60)
    parts = []
    for model in "ab":
        share = np.clip(0.5 + (target - 0.5) * 0.4 + 0.3 * rng.normal(size=60), 0.01, 0.99)
        own = pd.DataFrame(np.c_[1 - share, share], columns=columns)
        parts.append(
            own.assign(model=model, row=np.arange(60), fold=np.arange(60) % 5, truth=target)
        )
    return pd.concat(parts)


def test_columns_of_probabilities_may_be_numbers():
    names = {"model": "model", "row": "row", "fold": "fold", "truth": "truth"}
    expected = ssc.compare_predictions(
        long_probabilities(["no", "yes"]),
        metric="neg_log_loss",
        response={0: "no", 1: "yes"},
        **names,
    )
    for response in ({0: 0, 1: 1}, {0: "0", 1: "1"}, {0: np.int64(0), 1: np.int64(1)}):
        found = ssc.compare_predictions(
            long_probabilities([0, 1]), metric="neg_log_loss", response=response, **names
        )
        assert found.against().equals(expected.against())


def test_folds_are_in_repeats_whatever_comes_first_in_their_names():
    rng = np.random.default_rng(0)
    target, rows = rng.integers(0, 2, 100), []
    cv = ms.RepeatedKFold(n_splits=10, n_repeats=2, random_state=0)
    for k, (_, test) in enumerate(cv.split(target)):
        for model in "ab":
            part = {"model": model, "row": test, "truth": target[test]}
            wrong = rng.random(test.size) < 0.2
            part |= {"fold": f"Fold{k % 10 + 1:02d}.Rep{k // 10 + 1}", "pred": target[test] ^ wrong}
            rows.append(pd.DataFrame(part))
    table = pd.concat(rows)
    names = {"model": "model", "row": "row", "fold": "fold", "truth": "truth", "response": "pred"}
    found = ssc.compare_predictions(table, metric="accuracy", **names)
    swapped = table["fold"].str.split(".").str[::-1].str.join(".")
    again = ssc.compare_predictions(table.assign(fold=swapped), metric="accuracy", **names)
    assert found.against().equals(again.against())
    assert found.scores.n_splits == 20


def test_classes_may_be_an_index():
    rng = np.random.default_rng(0)
    target = pd.Categorical(np.array(["low", "mid", "high"])[rng.integers(0, 3, 100)])
    share = rng.dirichlet([1, 1, 1], 100)
    given = {"metric": "neg_log_loss", "folds": ms.KFold(5)}
    predictions = {"a": share, "b": share[::-1]}
    found = [
        ssc.compare_predictions(target, predictions, classes=classes, **given).against()
        for classes in (list(target.categories), target.categories, pd.Series(target.categories))
    ]
    assert found[0].equals(found[1])
    assert found[0].equals(found[2])


def test_subgroups_of_lists_are_refused():
    target = np.random.default_rng(0).integers(0, 2, 100)
    found = ssc.compare_predictions(
        target, {"a": target, "b": 1 - target}, metric="accuracy", folds=ms.KFold(5)
    )
    with pytest.raises(ValueError, match="`groups` must be one subgroup per row"):
        found.by(pd.Series([["new", "vip"] if label else ["new"] for label in target]))


def test_lists_in_a_column_of_predictions_are_no_classes():
    table = pd.DataFrame(
        {"model": ["a"] * 8, "fold": [0, 1] * 4, "row": range(8), "y": [0, 0, 1, 1] * 2}
    )
    table["predicted"] = [[1]] * 8
    columns = {"model": "model", "fold": "fold", "row": "row", "truth": "y"}
    with pytest.raises(ValueError, match=r"must be classes for 'accuracy', one of 0, 1; got \[1\]"):
        ssc.compare_predictions(table, metric="accuracy", response="predicted", **columns)


def test_predictions_on_several_data_sets_are_refused():
    table = pd.DataFrame(
        {"model": ["a"] * 8, "fold": [0, 1] * 4, "row": range(8), "y": [0, 0, 1, 1] * 2}
    )
    table = table.assign(predicted=table["y"], dataset=["iris"] * 4 + ["wine"] * 4)
    columns = {"model": "model", "fold": "fold", "row": "row", "truth": "y"}
    with pytest.raises(ValueError, match="`y` must hold scores on one data set at a time"):
        ssc.compare_predictions(table, metric="accuracy", response="predicted", **columns)


def test_classes_of_bytes_and_vectors_in_cells_are_refused():
    y, fold = np.array([b"no", b"yes"] * 20), np.arange(40) % 5
    with pytest.raises(ValueError, match=r"`y` must have classes of text or numbers; got .*b'no'"):
        ssc.compare_predictions(y, {"a": np.arange(40.0)}, metric="roc_auc", folds=fold)
    cells = np.empty(40, dtype=object)
    cells[:] = [np.array([0.2, 0.8])] * 40
    with pytest.raises(ValueError, match="must be classes for 'accuracy'"):
        ssc.compare_predictions(y.astype(str), {"a": cells}, metric="accuracy", folds=fold)


def test_probabilities_of_the_first_class_by_their_name_are_refused():
    # tidymodels' event is the first class: by .pred_bad areas and leader would be turned round.
    rng = np.random.default_rng(0)
    y = np.where(rng.random(60) < 0.5, "bad", "good")
    bad = np.where(y == "bad", 0.7, 0.3) + 0.2 * rng.standard_normal(60)
    fold = np.arange(60) % 5
    table = pd.DataFrame({"m": "lr", "i": range(60), "fold": fold, "y": y, ".pred_bad": bad})
    names = {"model": "m", "row": "i", "fold": "fold", "truth": "y", "metric": "roc_auc"}
    options = {"metric": "roc_auc", "folds": fold, "test": "corrected_t"}
    message = "must be scores or probabilities of the second class, 'good'; got a column"
    with pytest.raises(ValueError, match=f"`response` {message} '.pred_bad'"):
        ssc.compare_predictions(table, response=".pred_bad", **names)
    with pytest.raises(ValueError, match=message):
        ssc.compare_predictions(y, {"lr": pd.Series(bad, name="bad")}, **options)
    for column in ("bad_prob", "P(bad)", "prediction_score_bad", "confidence(bad)", "bad"):
        named = pl.Series(column, bad)
        with pytest.raises(ValueError, match="of the second class, 'good'"):
            ssc.compare_predictions(y, {"lr": named}, **options)
    predicted = pd.Series(np.maximum(bad, 1 - bad), name="prediction_score")
    with pytest.raises(ValueError, match="has those of the predicted one"):
        ssc.compare_predictions(y, {"lr": predicted}, **options)
    good = pd.Series(1 - bad, name="good")
    with pytest.warns(ssc.ComparisonWarning, match="only 5 splits"):
        found = ssc.compare_predictions(y, {"lr": good}, **options)
    assert found.scores.means[0] > 0.5
