"""Tables that look like scores of models and are not: refused with the name, or read as they say.

Each was once read silently: folds as models, a cost as a score, a mean as one more split.
"""

import re
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.linear_model import LinearRegression, PoissonRegressor
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    LeaveOneGroupOut,
    ShuffleSplit,
    StratifiedKFold,
    cross_val_score,
)
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline
from sklearn.svm import SVC

import sklearn_stats_compare as ssc
from sklearn_stats_compare import compare, compare_datasets, compare_predictions
from sklearn_stats_compare.reports import report

pytestmark = pytest.mark.filterwarnings("ignore::sklearn_stats_compare.ComparisonWarning")

rng = np.random.default_rng(0)
TEN = {"test_train_ratio": 1 / 9}
GOOD, BAD = 0.8 + 0.01 * rng.standard_normal(10), 0.7 + 0.01 * rng.standard_normal(10)

FOLDS = [(model, str(fold), score) for model, scores in
         {"svm": (0.91, 0.88, 0.93), "forest": (0.84, 0.86, 0.85)}.items()
         for fold, score in enumerate(scores, 1)]  # fmt: skip


def result(scores):
    """A frame of cross_validate, with the two rows that are usually put below it."""
    frame = pd.DataFrame({"fit_time": 1.0, "test_score": scores})
    frame.loc["mean"] = frame.mean()
    frame.loc["std"] = frame.iloc[:10].std()
    return frame


def long(name="score", **columns):
    """A row for each of the models a, the better one by higher scores, and b on ten splits."""
    rows = [
        {"model": m, "fold": k, name: s[k]} for m, s in (("a", GOOD), ("b", BAD)) for k in range(10)
    ]
    return pd.DataFrame(rows).assign(**columns)


A, B = result(GOOD), result(BAD)
CURVE, SPREAD = np.linspace(0.6, 0.3, 20), np.linspace(0.02, 0.01, 20)
SEEDS = pd.DataFrame({"test_score": GOOD, "seed": range(10)})


@pytest.mark.parametrize(
    ("obj", "arguments", "words"),
    {
        "folds": ({f"fold_{k}": GOOD for k in range(5)}, TEN, "'fold_0', which names a split"),
        "lightgbm": (
            {"valid binary_logloss-mean": CURVE, "valid binary_logloss-stdv": SPREAD},
            TEN,
            "binary_logloss-mean",
        ),
        "xgboost": (
            {"test-logloss-mean": CURVE, "test-logloss-std": SPREAD},
            TEN,
            "'test-logloss-mean'",
        ),
        "keras": ({"loss": CURVE, "val_loss": CURVE, "learning_rate": SPREAD}, TEN, "'loss'"),
        "h2o": (
            pd.DataFrame({f"cv_{k}_valid": [0.8, 0.81] for k in range(5)}),
            TEN,
            "'cv_0_valid'",
        ),
        "seeds": (
            pd.DataFrame({f"run{k}": [0.8, 0.81] for k in range(5)}),
            TEN,
            "'run0', which may be a model or",
        ),
        "parameter": (
            pd.DataFrame({"C": [0.1, 1], "fold0": [0.8, 0.7], "fold1": [0.9, 0.6]}),
            {"orient": "models in rows", **TEN},
            "'C', which is no split",
        ),
        "means of frames": ({"a": A, "b": B}, TEN, "'(mean|std)', which sums up"),
        "means of Series": (
            {"a": A["test_score"], "b": B["test_score"]},
            TEN,
            "'(mean|std)', which sums up",
        ),
        "means in a long table": (
            pd.concat([long(), pd.DataFrame({"model": ["a", "b"], "fold": "mean", "score": 0.8})]),
            TEN,
            "'mean', which sums up",
        ),
        "two scores": (
            long(auc=0.5),
            {"value": "score", "metric": "auc", **TEN},
            "`metric` must be left out",
        ),
        "data sets": (
            long(task_id=[*["iris"] * 10, *["wine"] * 10]),
            TEN,
            "column 'task_id' names 2: iris, wine",
        ),
        "seed beside scores": (
            {"a": SEEDS, "b": SEEDS},
            TEN,
            "as cross_validate returns them.*'seed'",
        ),
        "sizes of other splits": (
            {"a": GOOD, "b": BAD},
            {"n_train": [90] * 6, "n_test": [10] * 6},
            "one for each split, 10; got 6",
        ),
        "two directions": (
            long(greater_is_better=[True, False] * 10),
            TEN,
            "one direction.*false, true",
        ),
        "against its table": (
            long(greater_is_better=True),
            {"lower_is_better": True, **TEN},
            "or agree with the table",
        ),
    }.values(),
)
def test_a_table_that_says_something_else_is_refused(obj, arguments, words):
    with pytest.raises(ValueError, match=words):
        compare(obj, **arguments)


@pytest.mark.parametrize(
    "name",
    ["metrics.brier_score", "val_brier_score", "rmse_mean", "balanced_error_rate", "metrics.mmce",
     "RMSE_1", "top_1_error", "pinball_loss_0.9", "fit_time",
     "time_train", "Elapsed_Time_training"],
)  # fmt: skip
def test_a_loss_or_a_time_is_known_whatever_a_program_writes_around_its_name(name):
    found = compare(long(name), value=name, **TEN)
    assert (found.leader, found.metric) == ("b", f"neg_{name}")
    assert "is lower for better models" in found.note


@pytest.mark.parametrize("name", ["explained_deviance", "d2_log_loss_score", "f1", "auc"])
def test_scores_made_of_losses_keep_their_direction(name):
    assert compare(long(name), value=name, **TEN).leader == "a"


def test_a_table_says_which_scores_are_better():
    """As those of skore and of `to_long`, whatever the metric is called."""
    assert compare(long(greater_is_better=False), **TEN).leader == "b"
    own = compare({"a": GOOD, "b": BAD}, metric="cost", lower_is_better=False, **TEN)
    assert own.leader == compare(own.to_long()).leader == "a"
    table = pd.DataFrame(rng.random((8, 3)), columns=list("abc"), index=list("stuvwxyz"))
    several = compare_datasets(table, metric="cost", lower_is_better=False)
    assert compare_datasets(several.to_long()).ranking().equals(several.ranking())


def test_files_of_losses_are_turned_before_the_best_of_each_is_chosen(tmp_path):
    for name, offset in (("a", 0.0), ("b", 0.05)):
        errors = {
            f"split{k}_test_rmse": np.array([0.2, 0.3, 0.4]) + offset + 0.01 * rng.random(3)
            for k in range(10)
        }
        pd.DataFrame({"params_C": [1.0, 2.0, 3.0], **errors}).to_csv(
            tmp_path / f"{name}.csv", index=False
        )
    assert compare(tmp_path / "a.csv", **TEN).labels == ("1.0", "2.0", "3.0")
    found = compare({name: tmp_path / f"{name}.csv" for name in "ab"}, **TEN)
    assert found.leader == "a"
    assert found.scores.means == pytest.approx([-0.205, -0.255], abs=0.01)


def test_rows_are_paired_by_their_columns_whatever_the_old_index():
    a = pd.DataFrame({"test_score": GOOD, "repeat": np.repeat([0, 1], 5), "fold": [*range(5)] * 2})
    b = a.assign(test_score=BAD)
    found = compare({"a": a, "b": b.sort_values("test_score")}, test_train_ratio=1 / 4)
    assert np.array_equal(found.scores.values, [GOOD, BAD])


def test_columns_that_no_one_asked_for_may_hold_anything():
    plain = compare(long(), **TEN).scores.values
    assert np.array_equal(compare(long(params=[{"C": 1}] * 20), **TEN).scores.values, plain)


def test_a_saved_comparison_may_have_been_saved_again_by_a_spreadsheet(tmp_path):
    own = compare({"a": GOOD, "b": BAD}, **TEN)
    own.to_csv(tmp_path / "plain.csv")
    text = (tmp_path / "plain.csv").read_text(encoding="utf-8")
    (tmp_path / "marked.csv").write_text(text, encoding="utf-8-sig")
    assert compare(tmp_path / "marked.csv").against().equals(own.against())


def test_the_number_of_samples_gives_the_sizes_of_folds():
    X, y = load_iris(return_X_y=True)
    search = GridSearchCV(SVC(), {"C": [1, 2]}, cv=KFold(4, shuffle=True, random_state=0)).fit(X, y)
    assert compare(search, n_samples=150).scores.design.n_test.tolist() == [38, 38, 37, 37]
    assert compare(search, n_samples=150).against().equals(compare(search, X=X, y=y).against())
    with pytest.raises(ValueError, match="`n_samples` must be at least the number of folds, 4"):
        compare(search, n_samples=3)


WIDE = pd.DataFrame(rng.random((8, 2)), columns=["a", "b"], index=list("stuvwxyz"))
IRIS, WINE = load_iris(return_X_y=True), load_wine(return_X_y=True)


def grid(model, **grid):
    return GridSearchCV(model, grid, cv=5)


@pytest.mark.parametrize(
    ("obj", "arguments", "words"),
    {
        "transposed": (
            WIDE.T.rename_axis(index="model", columns="dataset"),
            {},
            "rows called 'model'.*table.T",
        ),
        "features": (WIDE.assign(n_features=4), {}, "a column 'n_features'"),
        "ranks": (pd.concat([WIDE, WIDE.rank().mean().to_frame("Rank").T]), {}, "a row 'Rank'"),
        "mean accuracies": (
            pd.concat([WIDE, WIDE.mean().to_frame("Average accuracy").T]),
            {},
            "a row 'Average accuracy'",
        ),
        "numbered folds": (WIDE.set_axis(pd.RangeIndex(8, name="fold")), {}, "names a split"),
        "folds as data sets": (long(), {"dataset": "fold"}, "names a split"),
        "a mean as a data set": (
            pd.DataFrame(
                [
                    {"dataset": d, "model": m, "score": rng.random()}
                    for d in [*"abcdef", "mean"]
                    for m in "xy"
                ]
            ),
            {},
            "'mean', which sums up",
        ),
        "other grids": (
            {
                "iris": grid(SVC(), C=[1, 10]).fit(*IRIS),
                "wine": grid(KNeighborsClassifier(), n_neighbors=[1, 10]).fit(*WINE),
            },
            {},
            r"'1' is 'SVC\(C=1\)' on 'iris', and",
        ),
        "other constants": (
            {
                "iris": grid(SVC(), C=[1, 10], gamma=[0.1]).fit(*IRIS),
                "wine": grid(SVC(), C=[1, 10], gamma=[5]).fit(*WINE),
            },
            {},
            "gamma=0.1.*gamma=5",
        ),
        "twice the same": (
            {"iris": {"a": GOOD, "b": BAD}, "again": {"b": BAD[::-1], "a": GOOD[::-1]}},
            TEN,
            "the same scores",
        ),
    }.values(),
)
def test_a_table_over_data_sets_that_says_something_else_is_refused(obj, arguments, words):
    with pytest.raises(ValueError, match=words):
        compare_datasets(obj, **arguments)


def test_sizes_are_named_by_data_sets_that_are_numbers():
    table = pd.concat([long(dataset=number) for number in (31, 37)])
    table["score"] += 0.01 * rng.random(40)
    found = compare_datasets(table, test_train_ratio={31: 1 / 9, 37: 1 / 9})
    assert len(found.comparisons) == 2


def test_a_long_table_of_several_data_sets_is_read_back_whatever_is_known_of_each():
    models = {"svm": SVC(), "knn": KNeighborsClassifier()}
    folds = ssc.cross_validate_models(models, *IRIS, cv=KFold(10, shuffle=True, random_state=0))
    drawn = ssc.cross_validate_models(models, *WINE, cv=ShuffleSplit(10, random_state=0))
    given = compare({"svm": GOOD, "knn": BAD}, metric="accuracy", **TEN)
    for first in (folds, given):
        own = compare_datasets({"iris": first, "wine": drawn})
        assert np.allclose(compare_datasets(own.to_long()).values, own.values, rtol=1e-15)


def test_models_of_one_grid_that_score_themselves_by_different_metrics_are_said_to_be_so():
    X = np.random.default_rng(0).normal(size=(100, 2))
    y = np.random.default_rng(1).poisson(np.exp(X[:, 0]))
    candidates = {"model": [LinearRegression(), PoissonRegressor()]}
    model = Pipeline([("model", LinearRegression())])
    for kind in (ssc.StatisticalGridSearchCV, GridSearchCV):
        search = kind(model, candidates, cv=KFold(10)).fit(X, y)
        with pytest.warns(ssc.ComparisonWarning, match="by the r2, d2 of their own `score`"):
            found = compare(search)
        assert found.metric == "score"
        assert "set `scoring`" in found.note
        one = kind(model, candidates, cv=KFold(10), scoring="r2").fit(X, y)
        assert compare(one).metric == "r2"
    nested = ssc.nested_score(search, X, y, cv=KFold(5))
    assert "gap" not in nested.scores


@pytest.mark.parametrize(
    "name",
    [
        "validation error",
        "log loss (mean)",
        "MSE[test]",
        "top-5 error rate",
        "hamming_loss",
        "zero_one_loss",
        "NRMSE",
        "UserCPU_Time_training",
        "train time (s)",
    ],
)
def test_a_name_of_a_loss_and_nothing_more_is_one(name):
    found = compare({"low": BAD, "high": GOOD}, metric=name, **TEN)
    assert (found.metric, found.leader) == (f"neg_{name}", "low")


@pytest.mark.parametrize(
    "name",
    ["rmse_usd", "RMSE (kWh)", "mean_error_abs", "Genauigkeit", "coverage", "my_metric", "test",
     "1-MAPE", "1 - error_rate", "1-log_loss", "1 - own loss", "neg_accuracy", "accuracy_std",
     "1_-_AUC", "100% - accuracy", "1.00-AUC", "1,0-AUC", "1 — AUC", "1‑AUC", "one-AUC", "-AUC",
     "hamming score", "rank_1", "quantile_score", "log_score", "survival_time", "on_time",
     "ProfitLoss", "AUC (1 - own)"],
)  # fmt: skip
def test_a_name_that_is_not_known_asks_for_the_direction(name):
    scores = {"low": BAD, "high": GOOD}
    with pytest.raises(ValueError, match="`lower_is_better` must be given for"):
        compare(scores, metric=name, **TEN)
    for lower in (True, False):
        found = compare(scores, metric=name, lower_is_better=lower, **TEN)
        assert np.sign(found.scores.values).max() == (-1 if lower else 1)


def long_form(value="score", **columns):
    rows = {"model": ["low"] * 10 + ["high"] * 10, "fold": [*range(10)] * 2}
    return pd.DataFrame({**rows, value: [*BAD, *GOOD], **columns})


@pytest.mark.parametrize("cells", ["Error rate", "err", "classif.ce", "hamming_loss", "rmse"])
@pytest.mark.parametrize("value", ["score", "test_score", "metric_value", "Score"])
@pytest.mark.parametrize("column", ["metric", "Metric", "measure", "scoring", "metric_name"])
def test_a_column_of_metrics_is_read_whatever_it_is_called(column, value, cells):
    found = compare(long_form(value, **{column: cells}), value=value, **TEN)
    assert (found.metric, found.leader) == (f"neg_{cells}", "low")
    with pytest.raises(ValueError, match="`lower_is_better` must be given for 'HD95'"):
        compare(long_form(value, **{column: "HD95"}), value=value, **TEN)


@pytest.mark.parametrize("name", ["err", "Error rate", "fpr", "mmce", "perplexity", "RMSE"])
def test_series_called_after_a_loss_are_turned(name):
    for form in (
        {"low": pd.Series(BAD, name=name), "high": pd.Series(GOOD, name=name)},
        {"low": pl.Series(name, BAD), "high": pl.Series(name, GOOD)},
    ):
        assert compare(form, **TEN).leader == "low"
    listed = compare([pd.Series(BAD, name=name), pd.Series(GOOD, name=name)], **TEN)
    assert listed.metric == f"neg_{name}"


@pytest.mark.parametrize("name", ["Error rate", "cost", "fp", "train_loss", "l2 loss"])
def test_an_axis_may_be_called_after_a_metric_or_a_parameter(name):
    frame = pd.DataFrame({"low": BAD, "high": GOOD}, [f"fold {k}" for k in range(10)])
    wide = frame.set_axis([f"set {k}" for k in range(10)])
    for read, form in (
        (partial(compare, **TEN), frame.rename_axis(columns=name)),
        (compare_datasets, wide.rename_axis(index=name)),
        (compare_datasets, wide.rename_axis(columns=name)),
    ):
        with pytest.raises(ValueError, match="`metric` must be given for an axis called"):
            read(form)
        assert read(form, metric="accuracy").leader == "high"
        assert (
            read(form.rename_axis(index=None, columns=None).rename_axis(columns="RMSE")).leader
            == "low"
        )
    costs = frame.set_axis([0.1, 10.0], axis=1).rename_axis(columns="cost")
    assert compare(costs, orient="models in columns", **TEN).metric == "score"


@pytest.mark.parametrize("name", ["error_rate", "cost", "fit_time", "train_loss"])
def test_numbered_folds_and_data_sets_are_no_values_of_a_parameter(name):
    frame = pd.DataFrame([BAD, GOOD], ["low", "high"])
    with pytest.raises(ValueError, match="`metric` must be given for an axis called"):
        compare(frame.rename_axis(columns=name), orient="models in rows", **TEN)
    with pytest.raises(ValueError, match="`metric` must be given for an axis called"):
        compare_datasets(frame.T.rename_axis(index=name))


@pytest.mark.parametrize("metric", ["RMSE", "mean squared error", "MAE"])
def test_negated_scores_under_another_name_are_not_turned_again(metric):
    losses = long_form("rmse")  # lower for "low"
    found = compare(losses, value="rmse", metric=metric, **TEN)
    assert (found.leader, found.metric) == ("low", f"neg_{metric}")
    assert "lower for better models" in found.note
    negated = losses.assign(rmse=-losses["rmse"])
    for table in (negated, negated.assign(metric=metric)):
        found = compare(table, value="rmse", metric=metric, **TEN)
        assert (found.leader, found.metric) == ("low", metric)
        assert "negated already" in found.note


def test_two_studies_in_one_frame_are_two_models():
    frames = {}
    for name, own in (("rf", GOOD), ("xgb", BAD)):
        scores = {f"split{k}_test_score": [own[k], own[k] - 0.1] for k in range(10)}
        frames[name] = pd.DataFrame(
            {"number": [0, 1], "params_depth": [2, 3], **scores, "state": "COMPLETE"}
        )
    found = compare(pd.concat([own.assign(study=name) for name, own in frames.items()]), **TEN)
    assert found.labels == ("rf_2", "rf_3", "xgb_2", "xgb_3")
    assert compare(pd.concat(frames, names=["study", None]), **TEN).labels == found.labels


def test_a_frame_of_trials_with_equal_parameters_needs_equal_scores():
    scores = {f"split{k}_test_score": [GOOD[k], BAD[k], GOOD[k]] for k in range(10)}
    about = {"number": [0, 1, 2], "value": [GOOD.mean(), BAD.mean(), GOOD.mean()]}
    frame = pd.DataFrame({**about, "params_depth": [3, 2, 3], **scores, "state": "COMPLETE"})
    found = compare(frame, **TEN)
    assert set(map(len, found.params)) == {1}
    assert not any("value" in label for label in found.labels)
    # The same of a random search, with a column that someone added.
    drawn = frame.drop(columns=["number", "state", "value"]).assign(seconds=[1.2, 3.4, 1.3])
    own = compare(drawn, **TEN)
    assert set(map(len, own.params)) == {1}
    frame.loc[2, "split4_test_score"] -= 0.1
    with pytest.raises(ValueError, match="trials 0 and 2 have the same parameters, and scores of"):
        compare(frame, **TEN)


@pytest.mark.parametrize(
    ("levels", "metric"),
    [({"lower_is_better": True}, "neg_score"), ({"direction": "minimize"}, "neg_score"),
     ({"metric": "rmse"}, "neg_rmse"), ({"measure": "mae"}, "neg_mae")],
)  # fmt: skip
def test_levels_say_what_columns_say(levels, metric):
    name, cell = next(iter(levels.items()))
    wide = pd.DataFrame([BAD, GOOD], columns=[f"fold {k}" for k in range(10)])
    wide.index = pd.MultiIndex.from_arrays([["low", "high"], [cell] * 2], names=["model", name])
    found = compare(wide, **TEN)
    assert (found.leader, found.metric) == ("low", metric)


def test_an_error_under_the_name_of_a_gain_is_an_error():
    table = long_form("metric_error")
    assert compare(table, value="metric_error", metric="roc_auc", **TEN).leader == "low"
    frames = {name: own.assign(metric="f1") for name, own in long_form().groupby("model")}
    with pytest.raises(ValueError, match="must"):
        compare(frames, **TEN)


@pytest.mark.parametrize(
    "column", [{"penalty": "l1"}, {"splitrule": "gini"}, {"fs_method": "correlation"},
               {"weighting": "cost"}, {"calibration": "map"}],
)  # fmt: skip
def test_parameters_called_after_metrics_name_no_metric(column):
    table = long_form(**column)
    assert compare(table, **TEN).metric == "score"
    assert compare(table, metric="accuracy", value="score", **TEN).metric == "accuracy"
    trained = long_form(rf__criterion="log_loss")
    with pytest.raises(ValueError, match="by which models may only have been trained"):
        compare(trained, **TEN)
    assert compare(trained, metric="accuracy", value="score", **TEN).leader == "high"


def test_text_beside_lists_in_a_column_is_no_error():
    cells = ["all", ["a", "b"], {"c": 1}, np.array([1, 2])] * 5
    table = long_form().assign(features=pd.Series(cells, dtype=object))
    for options in ({}, {"metric": "score"}):
        assert compare(table, **options, **TEN).leader == "high"


def test_models_may_be_called_after_losses_where_the_metric_is_given():
    named = {f"{name} loss": pd.Series(own, name=f"{name}_error") for name, own in
             (("squared", GOOD), ("absolute", BAD))}  # fmt: skip
    assert compare(named, metric="accuracy", **TEN).leader == "squared loss"


@pytest.mark.parametrize(
    "says",
    [{"lower_is_better": True}, {"higher_is_better": False}, {"Greater_is_better": "no"},
     {"direction": "minimize"}, {"minimize": 1}, {"direction": "min"}, {"smaller_is_better": "t"},
     {"direction": "StudyDirection.MINIMIZE"}, {"objective_direction": "lower is better"}],
)  # fmt: skip
def test_the_direction_is_read_under_any_of_its_names(says):
    assert compare(long_form(**says), **TEN).leader == "low"
    for other in ("north", 1, -1):
        assert compare(long_form(direction=other), **TEN).leader == "high"
    # Limits of each fold, and parameters of callbacks, vectorizers and scalers.
    others = long_form(lower=True, upper=0.9, min=1, max=0, less="no", mode="min", goal="min")
    assert compare(others, **TEN).leader == "high"


@pytest.mark.parametrize("sep", [";", "\t"])
def test_files_without_commas_are_refused_with_a_remedy(sep, tmp_path):
    pd.DataFrame({"a": GOOD, "b": BAD}).to_csv(tmp_path / "table.csv", sep=sep, index=False)
    with pytest.raises(ValueError, match=r"Pass the table of other files, as of pandas.read_csv"):
        compare(tmp_path / "table.csv", **TEN)


def test_no_accuracy_is_negative_for_all_models():
    # As of an objective that was minimized.
    for metric in ("accuracy", "test_roc_auc"):
        with pytest.raises(ValueError, match="`lower_is_better` must be given for"):
            compare({"a": -GOOD, "b": -BAD}, metric=metric, **TEN)
    assert compare({"a": GOOD - 2, "b": BAD - 2}, metric="r2", **TEN).leader == "a"


@pytest.mark.parametrize("metric", ["accuracy", "Macro F1"])
def test_percentages_of_one_model_beside_shares_of_another_are_refused(metric):
    scores = {"a": GOOD, "b": 100 * BAD}
    with pytest.raises(ValueError, match=r"in one unit.*Divide them by 100"):
        compare(scores, metric=metric, **TEN)
    table = pd.DataFrame(scores, [f"set {k}" for k in range(10)])
    with pytest.raises(ValueError, match="in one unit"):
        compare_datasets(table, metric=metric)
    for known in ({"metric": "rmse"}, {"metric": "score"}):  # may differ so much
        assert compare(scores, **known, **TEN).labels == ("a", "b")


def test_a_table_of_results_without_ranks_may_hold_losses():
    errors = pd.DataFrame({"params": [{"depth": depth} for depth in (2, 4, 8)]})
    for k in range(10):
        errors[f"split{k}_test_rmse"] = [9.0 + k, 5.0 + k, 7.1 + k]
    found = compare(errors, **TEN)
    assert (found.leader, found.metric) == ("4", "neg_rmse")
    assert "lower for better models" in found.note
    # A search of scikit-learn ranks what it maximizes.
    ranked = errors.assign(rank_test_rmse=[1, 3, 2])
    assert compare(ranked, **TEN).leader == "2"


@pytest.mark.parametrize("form", ["{:.4f}", "{:.2e}", "{:g}"])
def test_parameters_are_numbers_however_a_file_writes_them(form, tmp_path):
    values = [2.0, 5.0, 10.0]
    rows = [(C, "rbf", k, 0.85 + 0.01 * k) for C in values for k in range(10)]
    table = pd.DataFrame(rows, columns=["C", "kernel", "fold", "score"])
    table["score"] += 1e-4 * np.random.default_rng(0).normal(size=len(table))
    table.assign(C=table["C"].map(form.format)).to_csv(tmp_path / "long.csv", index=False)
    found = compare(tmp_path / "long.csv", model=["C", "kernel"], **TEN)
    assert [own["C"] for own in found.params] == values
    assert found.recommend("C").params["C"] == 2


def test_two_texts_of_one_number_are_two_values(tmp_path):
    rows = [(version, "rbf", k, k / 10) for version in ("1", "1.0", "007") for k in range(10)]
    table = pd.DataFrame(rows, columns=["version", "kernel", "fold", "score"])
    found = compare(table, model=["version", "kernel"], **TEN)
    assert len({str(own["version"]) for own in found.params}) == 3


def test_results_by_metric_are_named_after_their_metrics():
    rng = np.random.default_rng(0)
    sets = {
        f"set {k}": {
            model: compare(
                {"C=1": rng.uniform(size=10), "C=9": rng.uniform(size=10)}, metric="accuracy", **TEN
            )
            for model in ("svm", "logistic")
        }
        for k in range(6)
    }
    assert compare_datasets(sets).labels == compare(sets["set 0"]).labels


@pytest.mark.parametrize("entry", [10, "StratifiedKFold(10)", KFold(10), None])
def test_an_entry_that_is_no_list_names_no_splits(entry):
    found = {name: {"test_score": own, "cv": entry} for name, own in (("a", GOOD), ("b", BAD))}
    assert compare(found, **TEN).scores.values.shape == (2, 10)


def test_growing_training_sets_of_a_long_table_are_recognised():
    sizes = {"n_train": [*range(60, 600, 54)] * 2, "n_test": 54}
    found = compare(long(**sizes)).scores.design
    assert found.expanding
    assert found.n_samples == 600


def test_candidates_that_an_extension_left_out_did_not_fail():
    results = {f"split{k}_test_score": np.array([GOOD[k], BAD[k], 0.5]) for k in range(10)}
    results["split9_test_score"][2] = np.nan
    results |= {"params": [{"C": k} for k in range(3)], "rank_test_score": [1, 2, 3]}
    results["n_splits_evaluated"] = np.array([10, 10, 9])
    found = compare(results, **TEN)
    assert found.labels == ("0", "1")
    assert found.note.startswith("1 of 3 candidates ")


@pytest.mark.parametrize("first", [(80, 81), (81, 80)])
def test_a_first_row_of_counts_is_no_header(first, tmp_path):
    counts = np.c_[80 + np.arange(20) % 5, 80 + np.arange(20) % 3]
    counts[0] = first
    np.savetxt(tmp_path / "counts.csv", counts, fmt="%d", delimiter=",")
    with pytest.raises(ValueError, match="must have a first row, or columns, that are names"):
        compare(tmp_path / "counts.csv", orient="models in columns", **TEN)


@pytest.mark.parametrize("name", ["seed", "n_train", "epoch", "weight"])
def test_vectors_that_are_bookkeeping_are_refused(name):
    with pytest.raises(ValueError, match=f"'{name}', which holds no scores"):
        compare({"a": GOOD, "b": BAD, name: np.arange(10.0)}, **TEN)


@pytest.mark.parametrize("name", ["best", "worst", "difference", "p_val"])
def test_columns_made_of_the_models_are_no_models(name):
    table = pd.DataFrame({"a": [0.81, 0.93, 0.72, 0.66, 0.9], "b": [0.8, 0.9, 0.75, 0.6, 0.85]})
    table[name] = {
        "best": table.max(axis=1), "worst": table.min(axis=1), "p_val": [0.1, 0.5, 0.03, 0.2, 0.6],
        "difference": table["a"] - table["b"],
    }[name]  # fmt: skip
    with pytest.raises(ValueError, match=name):
        compare_datasets(table)


def test_a_negative_log_likelihood_is_a_loss():
    # −log p is positive: values that are called negated must not all be above zero.
    losses = {"a": 1 - GOOD, "b": 1 - BAD}
    for metric in ("negative_log_likelihood", "neg_log_likelihood", "negative log-likelihood"):
        for options in ({}, {"lower_is_better": True}):
            assert compare(losses, metric=metric, **options, **TEN).leader == "a"
    with pytest.raises(ValueError, match="`lower_is_better` must be given for 'neg_log_loss'"):
        compare(losses, metric="neg_log_loss", **TEN)
    assert compare(losses, metric="neg_log_loss", lower_is_better=True, **TEN).leader == "a"
    with pytest.raises(ValueError, match="scores that have been negated"):
        compare({"a": GOOD - 1, "b": BAD - 1}, metric="neg_log_loss", lower_is_better=True, **TEN)


def test_a_frame_is_no_vector_of_sizes():
    sizes = pd.DataFrame([[900] * 10], columns=range(2014, 2024))
    with pytest.raises(ValueError, match="one for each split in order"):
        compare({"a": GOOD, "b": BAD}, n_train=sizes, n_test=100)


def test_sorted_results_keep_the_numbers_of_their_candidates():
    grid = {"n_neighbors": [1, 3, 9, 25, 75]}
    search = GridSearchCV(KNeighborsClassifier(), grid, cv=10).fit(*load_iris(return_X_y=True))
    table = pd.DataFrame(search.cv_results_).sort_values("rank_test_score")
    names = "knn " + table["param_n_neighbors"].astype(str)
    assert names.index.tolist() != [0, 1, 2, 3, 4]
    for labels in (names, names.tolist()):  # of the rows of the frame
        found = compare(table, labels=labels, **TEN)
        for k, label in found.ranking()["label"].items():
            assert label == f"knn {search.cv_results_['params'][k]['n_neighbors']}"
        assert found.ranking().index[0] == search.best_index_
        assert search.cv_results_["params"][found.recommend("n_neighbors").index] == (
            found.recommend("n_neighbors").params
        )
    # Of a search they go by the numbers of its candidates. Rows of an array have none.
    assert compare(search, labels=names).labels == tuple(names.sort_index())
    with pytest.raises(ValueError, match="`labels` must be in the order of the candidates"):
        compare(table.filter(regex="^split").to_numpy(), labels=names, **TEN)


def test_a_file_that_a_spreadsheet_saved_is_called_edited(tmp_path):
    compare({"a": GOOD, "b": BAD}, n_train=180, n_test=20).to_csv(tmp_path / "saved.csv")
    lines = (tmp_path / "saved.csv").read_text().splitlines()
    quoted = ['"' + lines[0].replace('"', '""') + '"', *lines[1:]]
    (tmp_path / "edited.csv").write_text("\n".join(quoted), encoding="utf-8-sig")
    with pytest.raises(ValueError, match=r"as Comparison\.to_csv wrote it, which may have been"):
        compare(tmp_path / "edited.csv")


def test_a_word_beside_numbers_leaves_these_numbers(tmp_path):
    gammas = [("linear", "n/a"), ("rbf", "2.00"), ("rbf", "5.00"), ("rbf", "10.00")]
    rows = [(*own, k, GOOD[k]) for own in gammas for k in range(10)]
    table = pd.DataFrame(rows, columns=["kernel", "gamma", "fold", "score"])
    table.to_csv(tmp_path / "gamma.csv", index=False)
    found = compare(tmp_path / "gamma.csv", model=["kernel", "gamma"], **TEN)
    assert [own["gamma"] for own in found.params] == ["n/a", 2.0, 5.0, 10.0]
    with pytest.raises(ValueError, match="values that can be ordered"):
        found.recommend("gamma")


OTHERS = {"n_test": [15] * 10, "seed": [7, 13, 0, 1, 99, 21, 42, 123, 1234, 2024],
          "fold_no": range(10), "weight": [0.1] * 10, "svm_std": [0.02] * 10}  # fmt: skip


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("form", ["columns", "rows", "mapping", "long"])
def test_every_form_refuses_what_holds_no_scores(name, form):
    frame = pd.DataFrame({"svm": GOOD, "rf": BAD, name: OTHERS[name]})
    obj = {
        "columns": frame,
        "rows": frame.T,
        "mapping": frame.to_dict("list"),
        "long": frame.rename_axis("fold").reset_index().melt("fold", None, "model", "score"),
    }[form]
    with pytest.raises(ValueError, match=name):
        compare(obj, **TEN)


def test_melted_sizes_of_data_sets_are_no_models():
    sets = pd.DataFrame({"dataset": list("uvwxyz"), "svm": GOOD[:6], "rf": BAD[:6]})
    sets["n_features"] = [4, 59, 12, 30, 7, 21]
    for table in (sets.set_index("dataset"), sets.melt("dataset", None, "model", "score")):
        with pytest.raises(ValueError, match="n_features"):
            compare_datasets(table)


@pytest.mark.parametrize("name", ["repeat", "fold", "seed"])
def test_repeats_in_a_mapping_are_no_data_sets(name):
    by_repeat = {f"{name} {r}": {"a": GOOD + r / 99, "b": BAD + r / 98} for r in range(6)}
    with pytest.raises(ValueError, match=f"'{name} 0', which names a split"):
        compare_datasets(by_repeat)


def test_a_log_that_was_appended_twice_is_refused(tmp_path):
    wide = pd.DataFrame({"svm": GOOD, "rf": BAD}, index=[f"fold{k}" for k in range(10)])
    twice = pd.concat([wide, wide])
    twice.to_csv(tmp_path / "twice.csv")
    for obj in (twice, tmp_path / "twice.csv"):
        with pytest.raises(ValueError, match="'fold0', which occurs twice, with the same scores"):
            compare(obj, **TEN)
    # Two repeats may be called so.
    two = pd.concat([wide, wide + 0.001 * np.arange(20).reshape(10, 2)])
    assert compare(two, **TEN).scores.n_splits == 20


def test_a_data_set_under_two_names_is_refused():
    rng = np.random.default_rng(2)
    wide = pd.DataFrame({"svm": rng.random(8), "rf": rng.random(8)}, index=list("abcdefgh"))
    again = pd.concat([wide, wide.loc[["a", "b"]].rename({"a": "A.csv", "b": "B.csv"})])
    long = again.reset_index(names="dataset").melt("dataset", None, "model", "score")
    for table in (again, long):
        with pytest.raises(ValueError, match=r"different data sets; 'A\.csv' has the same"):
            compare_datasets(table)
    assert (
        compare_datasets(
            wide.round(2).iloc[[0, 1, 2, 3, 4, 5, 6, 7, 0]].set_axis(list("abcdefghi"))
        ).n_datasets
        == 9
    )


def test_training_scores_in_names_are_no_models():
    wide = {"deep_test": BAD, "deep_train": np.ones(10), "flat_test": GOOD, "flat_train": GOOD}
    frame = pd.DataFrame(wide, index=pd.RangeIndex(10, name="fold"))
    for obj in (frame, wide, frame.reset_index().melt("fold", None, "model", "score")):
        with pytest.raises(ValueError, match="the scores of training samples"):
            compare(obj, **TEN)


def test_a_loss_in_the_names_of_series_or_columns_is_read_or_asked_for():
    runs = {"good": pd.Series(1 - GOOD, name="rmse"), "bad": pd.Series(1 - BAD, name="rmse")}
    found = compare(runs, **TEN)
    assert (found.leader, found.metric) == ("good", "neg_rmse")
    wide = pd.DataFrame({f"{name}_rmse": own for name, own in runs.items()})
    for obj, options in ((wide, {"orient": "models in columns"}), (wide.to_dict("list"), {})):
        with pytest.raises(ValueError, match="`metric` or `lower_is_better` must be given"):
            compare(obj, **options, **TEN)
        assert compare(obj, metric="rmse", **options, **TEN).leader == "good_rmse"
        assert compare(obj, lower_is_better=True, **options, **TEN).leader == "good_rmse"


@pytest.mark.parametrize("name", ["All sites", "Keskiarvo", "Ø"])
def test_a_row_of_means_is_recognised_by_its_numbers(name):
    wide = pd.DataFrame({"svm": GOOD, "rf": BAD}, index=[f"site {c}" for c in "ABCDEFGHIJ"])
    full = pd.concat([wide, wide.mean().to_frame(name).T])
    with pytest.raises(ValueError, match=f"{name}', with the means of all others"):
        compare(full, orient="models in columns", **TEN)
    assert compare(wide, orient="models in columns", **TEN).scores.n_splits == 10


def test_an_orientation_may_not_contradict_the_names():
    rows = pd.Index([f"depth={k + 1}" for k in range(12)], name="model")
    scores = pd.DataFrame(rng.random((12, 10)), rows, [f"fold{k}" for k in range(10)])
    assert compare(scores, **TEN).labels == tuple(rows)
    numbered = scores.set_axis(range(10), axis=1)
    for frame in (scores, numbered, numbered.rename_axis(index=None, columns="fold")):
        with pytest.raises(ValueError, match=r"contradicts orient|names a split"):
            compare(frame, orient="models in columns", **TEN)


def test_one_model_is_the_reference_of_all_metrics():
    models = dict(zip("abc", rng.random((3, 10)), strict=True))
    auc = compare(models, metric="auc", **TEN)
    recall = compare({name: models[name] for name in "cab"}, metric="recall", **TEN)
    text = " ".join(report({"auc": auc, "recall": recall}, reference=0).split())
    assert re.findall(r"\b(\w) was named before", text) == ["a", "a"]


def test_other_columns_of_a_frame_of_predictions_are_no_models():
    y = rng.integers(0, 2, 200)
    frame = pd.DataFrame({"fold": np.arange(200) % 5, "a": rng.random(200), "b": rng.random(200)})
    with pytest.raises(ValueError, match="must be of models; got 'fold'"):
        compare_predictions(y, frame, metric="roc_auc", folds=frame["fold"])


STRATEGIES = {"mean": GOOD, "median": GOOD + 0.01, "most_frequent": BAD}


def test_strategies_called_mean_and_median_are_models(tmp_path):
    long = compare(STRATEGIES, **TEN).to_long()
    long.to_csv(tmp_path / "long.csv", index=False)
    for obj in (STRATEGIES, long, tmp_path / "long.csv"):
        assert compare(obj, **({} if obj is not STRATEGIES else TEN)).labels == (*STRATEGIES,)
    two = {"a": GOOD, "b": BAD, "mean": (GOOD + BAD) / 2}
    for decimals in (2, 3, 12):
        with pytest.raises(ValueError, match="'mean', which is made of the others"):
            compare({**two, "mean": two["mean"].round(decimals)}, **TEN)


@pytest.mark.parametrize(
    "names", [("resnet", "se_resnet"), ("svm", "rank_svm"), ("lasso", "lasso_var")]
)
def test_a_model_beside_its_stem_is_no_spread(names):
    frame = pd.DataFrame(dict(zip(names, (GOOD, BAD), strict=True)), index=range(10))
    for obj in (
        frame,
        frame.to_dict("list"),
        frame.rename_axis("fold").reset_index().melt("fold", None, "model", "score"),
    ):
        assert compare(obj, **TEN).labels == names


@pytest.mark.parametrize(
    "names", [("hinge", "log_loss"), ("squared_error", "absolute_error"), ("gini", "log_loss")]
)
def test_parameters_that_are_called_like_metrics_need_the_metric(names):
    scores = dict(zip(names, (GOOD, BAD), strict=True))
    with pytest.raises(ValueError, match="give `metric`"):
        compare(scores, **TEN)
    assert compare(scores, metric="accuracy", **TEN).labels == names
    wide = pd.DataFrame(scores, index=list("abcdefghij"))
    assert compare_datasets(wide, metric="accuracy").labels == names
    found = compare(wide, metric="accuracy", orient="models in columns", **TEN)
    assert found.labels == names


def test_coarse_scores_may_be_the_mean_or_the_best_of_others_by_chance():
    # Of 60 shuffled five-fold accuracies of iris, in 4 a fold has the mean of all others.
    X, y = load_iris(return_X_y=True)
    for seed in (15, 24, 46, 57):
        cv = StratifiedKFold(5, shuffle=True, random_state=seed)
        scores = {
            name: cross_val_score(model, X, y, cv=cv)
            for name, model in (("svm", SVC()), ("knn", KNeighborsClassifier()))
        }
        frame = pd.DataFrame(scores, index=[f"fold {k}" for k in range(5)])
        assert compare(frame, **TEN).scores.n_splits == 5
        assert compare(compare(scores, **TEN).to_long()).scores.n_splits == 5
    third = [[1.0, 0.9], [0.8, 0.8], [0.9, 0.85]]
    named = pd.DataFrame(
        [*third, np.mean(third, axis=0)], [f"site {k}" for k in "ABCD"], list("ab")
    )
    assert compare(named, orient="models in columns", **TEN).scores.n_splits == 4
    best = pd.DataFrame(
        {"lr": [0.81, 0.76, 0.93, 0.88, 0.79], "rf": [0.84, 0.78, 0.97, 0.86, 0.83]}
    )
    best["gb"] = best.max(axis=1)
    assert compare_datasets(best).n_models == 3
    with pytest.raises(ValueError, match="'best', which is made of the others"):
        compare_datasets(best.rename(columns={"gb": "best"}))
    easy = pd.DataFrame(
        {"a": [1.0] * 10, "b": [1, 0.967, 1, 1, 1] * 2}, [f"fold {k}" for k in range(5)] * 2
    )
    assert compare(easy, **TEN).scores.n_splits == 10


def test_data_sets_may_be_called_after_times_and_averages():
    names = ["nyc-taxi-duration", "average_localization_error", "flight time", "credit"]
    wide = pd.DataFrame({"a": GOOD[:4], "b": BAD[:4]}, names)
    assert compare_datasets(wide).n_datasets == 4
    mapping = {name: {"a": GOOD + k / 97, "b": BAD + k / 89} for k, name in enumerate(names)}
    assert compare_datasets(mapping).n_datasets == 4


def test_a_parameter_called_split_names_no_splits():
    rows = pd.DataFrame([GOOD, BAD], pd.Index([2, 20], name="min_samples_split"), range(10))
    assert compare(rows, orient="models in rows", **TEN).labels == ("2", "20")


def test_series_that_keep_the_name_of_a_negated_metric_are_asked_for_their_direction():
    # mae = -cv["test_neg_mean_absolute_error"] keeps its name.
    name = "test_neg_mean_absolute_error"
    mae = {"a": pd.Series(1 - GOOD, name=name), "b": pd.Series(1 - BAD, name=name)}
    with pytest.raises(ValueError, match="`lower_is_better` must be given"):
        compare(mae, **TEN)
    assert compare(mae, lower_is_better=True, **TEN).leader == "a"
    assert compare({k: -own for k, own in mae.items()}, **TEN).leader == "a"
    with pytest.raises(ValueError, match="have been negated"):
        compare({k: -own for k, own in mae.items()}, lower_is_better=True, **TEN)


def test_whole_errors_and_chance_levels_are_scores():
    # The median error of a median on a target of whole numbers is whole.
    errors = {"usual": -np.arange(15.0, 25), "ridge": GOOD - 2, "boosting": BAD - 2}
    scored = compare(errors, metric="neg_median_absolute_error", **TEN)
    assert compare(scored.to_long()).labels == scored.labels
    chance = pd.DataFrame({"chance": [10.0, 10, 1, 1, 10], "a": 90 + GOOD[:5], "b": 80 + BAD[:5]})
    assert compare_datasets(chance).n_models == 3


def test_labels_as_a_series_go_by_the_index_of_the_frame_or_by_names():
    values = pd.DataFrame([BAD, GOOD, (GOOD + BAD) / 2], columns=[f"fold{k}" for k in range(10)])
    top = values.loc[[1, 2, 0]]
    own = pd.Series(["best", "mid", "worst"], index=top.index)
    assert compare(top, labels=own, orient="models in rows", **TEN).leader == "best"
    by_name = pd.Series({"b": "best", "m": "mid", "w": "worst"})
    named = compare(values.set_axis(list("wbm")), labels=by_name, **TEN)
    assert named.ranking()["label"].tolist() == ["best", "mid", "worst"]
    with pytest.raises(ValueError, match="`labels` must be in the order of the candidates"):
        compare(values.to_numpy(), labels=own, **TEN)


def test_a_file_keeps_the_number_of_independent_samples(tmp_path):
    X, y = load_wine(return_X_y=True)
    search = ssc.StatisticalGridSearchCV(
        KNeighborsClassifier(),
        {"weights": ["uniform", "distance"]},
        cv=LeaveOneGroupOut(),
        rope=0.1,
    ).fit(X[:, :3], y, groups=np.arange(len(y)) % 9)
    search.comparison_.to_csv(tmp_path / "g.csv")
    table = search.comparison_.frequentist()
    assert table["verdict"].tolist() == ["undecided"]
    for obj, options in ((tmp_path / "g.csv", {}), (search.comparison_.to_long(), {"rope": 0.1})):
        pd.testing.assert_frame_equal(compare(obj, **options).frequentist(), table)


def test_subjects_may_have_the_same_accuracies():
    draws = np.random.default_rng(0)
    shares = draws.binomial(30, draws.uniform(0.6, 0.95, (40, 1)), (40, 2)) / 30
    table = pd.DataFrame(shares, [f"subject {k}" for k in range(40)], ["csp", "riemann"])
    assert table.duplicated().any()
    assert compare_datasets(table).n_datasets == 40


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_scores_that_failed_do_not_break_the_checks(bad):
    frame = pd.DataFrame({"a": GOOD, "b": BAD, "c": BAD}, [f"site {c}" for c in "ABCDEFGHIJ"])
    frame.iloc[3, 1] = frame.iloc[-1, 2] = bad
    assert compare(frame, orient="models in columns", **TEN).scores.n_available == 1


MADE = {
    "gain": lambda a, b, c: a - b,
    "a − b": lambda a, b, c: a - b,
    "best": lambda a, b, c: np.max([a, b, c], axis=0),
    "Genomsnitt": lambda a, b, c: np.mean([a, b, c], axis=0),
}


@pytest.mark.parametrize("form", ["rows", "mapping", "long", "datasets"])
@pytest.mark.parametrize("name", MADE)
def test_a_difference_or_a_mean_of_models_is_no_model(form, name):
    a, b, c = np.random.default_rng(0).uniform(0.7, 0.9, (3, 10))
    scores = {"forest": a, "svm": b, "knn": c, name: MADE[name](a, b, c)}
    with pytest.raises(ValueError, match=f"{name}', which is made of the others"):
        read_as(form, scores)
    scores[name] = scores[name] + 1e-4 * np.random.default_rng(1).normal(size=10)
    read_as(form, scores)


def read_as(form, scores):
    frame = pd.DataFrame(scores).rename(
        index="fold{}".format if form != "datasets" else "set {}".format
    )
    if form == "datasets":
        return compare_datasets(frame)
    long = frame.rename_axis("fold").rename_axis("model", axis=1).stack().rename("score")
    obj = {"rows": frame.T, "mapping": scores, "long": long.reset_index()}[form]
    return compare(obj, **TEN)


def test_coarse_scores_that_are_the_best_or_a_mean_by_chance_are_models():
    draws = np.random.default_rng(0)
    for n, n_splits in ((20, 5), (50, 3), (50, 10), (150, 5)):
        for _ in range(50):
            of_split = draws.normal(0.8, 0.03, n_splits)
            shares = np.round(n * (of_split + draws.normal(0, 0.02, (8, n_splits)))) / n
            for scores in (shares, np.vstack([shares, shares.max(axis=0)])):
                compare(dict(zip("abcdefghi", scores, strict=False)), test_train_ratio=0.25)


def test_a_row_of_means_in_per_cent_with_one_decimal_is_no_split():
    percent = np.random.default_rng(0).uniform(70, 90, (4, 6)).round(1)
    frame = pd.DataFrame(percent, list("abcd"), [f"part {c}" for c in "ABCDEF"])
    frame["Summa"] = percent.mean(axis=1).round(1)
    with pytest.raises(ValueError, match="'Summa', with the means of all others"):
        compare(frame, orient="models in rows", test_train_ratio=0.25)


@pytest.mark.parametrize("where", ["index", "model", "label", "name", "Algorithm"])
def test_rows_of_results_keep_the_names_of_their_models(where):
    columns = [f"split{k}_test_score" for k in range(10)]
    table = pd.DataFrame([BAD, GOOD, (GOOD + BAD) / 2], ["rf", "svm", "knn"], columns)
    found = compare(table if where == "index" else table.reset_index(names=where), **TEN)
    assert found.labels == ("rf", "svm", "knn")
    assert found.leader == "svm"


def test_a_saved_comparison_that_pandas_reads_keeps_its_names(tmp_path):
    saved = compare({"svm": GOOD, "rf": BAD}, **TEN)
    saved.to_csv(tmp_path / "saved.csv")
    assert compare(pd.read_csv(tmp_path / "saved.csv", comment="#"), **TEN).labels == ("svm", "rf")


NAMED = {
    "All": lambda body: body.mean(),
    "Keskiarvo": lambda body: body.mean(),
    "99": lambda body: body.mean(),
    "Yhteensä": lambda body: body.sum(),
    "Rangmittel": lambda body: (-body).rank(axis=1).mean(),
}


@pytest.mark.parametrize("form", ["frame", "mapping", "arrays", "long", "datasets", "of results"])
@pytest.mark.parametrize("name", NAMED)
def test_a_row_that_sums_up_the_others_is_no_split_whatever_its_name(form, name):
    scores = np.random.default_rng(0).uniform(0.7, 0.9, (3, 10))
    body = pd.DataFrame(scores.T, columns=["forest", "svm", "knn"])
    with pytest.raises(ValueError, match=r"with the means of all others|which is no split"):
        read_splits(form, pd.concat([body, NAMED[name](body).to_frame(name).T]))
    read_splits(form, body)


def read_splits(form, table):
    if form == "datasets":
        return compare_datasets(table.rename(index="set {}".format))
    if form == "frame":
        return compare(table, orient="models in columns", **TEN)
    if form == "long":
        long = table.rename_axis("fold").rename_axis("model", axis=1).stack().rename("score")
        return compare(long.reset_index(), **TEN)
    of_models = {name: column.to_numpy() for name, column in table.items()}
    if form == "of results":
        return compare({name: {"test_score": own} for name, own in of_models.items()}, **TEN)
    return compare(of_models if form == "mapping" else list(of_models.values()), **TEN)


def test_rows_of_a_mean_and_a_standard_deviation_are_no_splits():
    body = pd.DataFrame(np.random.default_rng(0).uniform(0.7, 0.9, (10, 3)), columns=list("abc"))
    body.index = [f"part {k}" for k in "ABCDEFGHIJ"]
    summed = pd.concat([body, body.agg(["mean", "std"]).set_axis(["Medelv", "Keskihajonta"])])
    with pytest.raises(ValueError, match="'Medelv', with the means of all others"):
        compare(summed, orient="models in columns", **TEN)
    # Known by name where two decimals hide what they are.
    for name in ("Mittelwert", "Standardabweichung", "Écart-type", "Media", "Rango medio", "Moy.",
                 "Desv. est.", "Dev. std.", "Moyenne générale", "Gesamt"):  # fmt: skip
        rounded = summed.round(2).iloc[:11].set_axis([*body.index, name])
        with pytest.raises(ValueError, match=name):
            ssc.compare_datasets(rounded, metric="auc")


def test_splits_are_never_taken_for_the_means_of_others_by_chance():
    draws = np.random.default_rng(0)
    for n, n_splits, digits in ((20, 5, 3), (30, 10, 3), (97, 5, 4), (150, 4, 2)):
        for _ in range(30):
            shares = draws.binomial(n, 0.8, (draws.integers(1, 12), n_splits)) / n
            for scores in (shares, shares.round(digits), (100 * shares).round(1)):
                compare(list(scores), test_train_ratio=0.25)


TRAINING = [f"split{k}_{part}_score" for part in ("test", "train") for k in range(5)]


@pytest.mark.parametrize("names", [TRAINING, [name.replace("_score", "") for name in TRAINING]])
def test_splits_that_are_called_training_are_refused(names):
    table = pd.DataFrame(np.random.default_rng(0).uniform(size=(2, 10)), ["a", "b"], names)
    long = table.rename_axis("model").melt(ignore_index=False, var_name="fold", value_name="score")
    with pytest.raises(ValueError, match="the scores of training samples"):
        compare(long.reset_index(), **TEN)


def test_splits_of_two_metrics_are_refused():
    names = [f"split{k}_test_{metric}" for metric in ("accuracy", "f1") for k in range(5)]
    table = pd.DataFrame(np.random.default_rng(0).uniform(size=(2, 10)), ["a", "b"], names)
    long = table.rename_axis("model").melt(ignore_index=False, var_name="fold", value_name="score")
    with pytest.raises(ValueError, match="one of split_test_accuracy, split_test_f"):
        compare(long.reset_index(), **TEN)


@pytest.mark.parametrize(
    ("names", "why"),
    [
        (("fit_time", "fit_time"), "must map names of models"),
        (("train_score", "train_score"), "must map names of models"),
        (("mean_test_score", "std_test_score"), "must map names of models"),
        (("test_rmse", "test_mae"), "must hold the same metric"),
    ],
)
def test_names_of_series_say_what_they_are(names, why):
    runs = zip(("good", "bad"), names, (GOOD, BAD), strict=True)
    with pytest.raises(ValueError, match=why):
        compare({model: pd.Series(own, name=name) for model, name, own in runs}, **TEN)


@pytest.mark.parametrize("form", ["rows", "mapping", "long", "datasets"])
@pytest.mark.parametrize("name", ["{}_rmse", "rmse_{}", "test rmse {}"])
def test_a_loss_in_the_names_of_all_models_asks_for_the_direction(form, name):
    scores = {name.format("good"): 1 - GOOD, name.format("bad"): 1 - BAD}
    with pytest.raises(ValueError, match="`metric` or `lower_is_better` must be given where 'rmse"):
        read_as(form, scores)


def test_models_of_different_metrics_are_refused():
    for names in (("RF~RMSE", "SVM~MAE"), ("rf_rmse", "svm_mae")):
        with pytest.raises(ValueError, match="several models by one metric"):
            compare(dict(zip(names, (GOOD, BAD), strict=True)), **TEN)


def test_information_criteria_may_be_negative_for_every_model():
    with pytest.raises(ValueError, match="`lower_is_better` must be given for 'aic'"):
        compare({"good": -100 - GOOD, "bad": -100 - BAD}, metric="aic", **TEN)
    scores = {"good": -100 - GOOD, "bad": -100 - BAD}
    assert compare(scores, metric="aic", lower_is_better=True, **TEN).leader == "good"


def test_one_minus_a_score_asks_for_the_direction():
    with pytest.raises(ValueError, match="`lower_is_better` must be given for '1 - accuracy'"):
        compare({"good": 1 - GOOD, "bad": 1 - BAD}, metric="1 - accuracy", **TEN)
    rows = [(model, fold, 1 - score) for model, fold, score in FOLDS]
    table = pd.DataFrame(rows, columns=["model", "fold", "1 - AUC"])
    options = {"value": "1 - AUC", "metric": "auc", "test_train_ratio": 1 / 2}
    for named in (table, table.assign(metric="auc")):
        with pytest.raises(ValueError, match="`lower_is_better` must be given for '1 - AUC'"):
            compare(named, **options)
        assert compare(named, **options, lower_is_better=True).leader == "svm"


@pytest.mark.parametrize(
    "name",
    ["1-step RMSE", "1-day-ahead MAE", "1-NN error", "1-week log loss", "negative RMSE",
     "RMSE (neg)", "price_reduction_mae", "inverse kinematics MAE", "negative_class_error",
     "reading skill MAE", "1 - RMSE", "d2_log_loss", "accuracy (log loss)", "r2_mae",
     "AUC over time", "d2_rmse", "D2 MAE", "2-step RMSE"],
)  # fmt: skip
def test_words_that_may_turn_a_loss_ask_for_the_direction(name):
    # Errors of 3 to 6 units: no skill, and no 1 − RMSE, is above 1.
    with pytest.raises(ValueError, match="`lower_is_better` must be given for"):
        compare({"good": 3 + GOOD, "bad": 5 + BAD}, metric=name, **TEN)


@pytest.mark.parametrize(
    ("value", "metric"),
    [("roc_auc", "accuracy"), ("rmse", "mae"), ("auc", "pr_auc"), ("rmse", "1 - rmse")],
)
def test_scores_are_not_named_after_another_metric(value, metric):
    table = pd.DataFrame(FOLDS, columns=["model", "fold", value]).assign(metric=metric)
    options = {"value": value, "test_train_ratio": 1 / 2}
    with pytest.raises(ValueError, match="`metric` must be given for scores in a column"):
        compare(table, **options)
    # Trained by it, or scored by it.
    assert compare(table, metric=value, **options).metric.removeprefix("neg_") == value
    table["metric"] = value
    assert compare(table, **options).metric.removeprefix("neg_") == value


@pytest.mark.parametrize("name", ["{}", "{} mean", "{}_all", "Total {}"])
def test_rows_of_each_repeat_are_no_splits(name):
    rng = np.random.default_rng(0)
    folds = [f"Rep{r}.Fold{f}" for r in range(1, 5) for f in range(1, 4)]
    scores = dict(zip(folds, rng.random((12, 2)), strict=True))
    for r in range(1, 5):
        own = [score for fold, score in scores.items() if fold.startswith(f"Rep{r}.")]
        scores[name.format(f"Rep{r}")] = np.mean(own, axis=0)
    rows = [(m, fold, own[k]) for fold, own in scores.items() for k, m in enumerate("ab")]
    table = pd.DataFrame(rows, columns=["model", "fold", "auc"])
    with pytest.raises(ValueError, match=r"which (sums|may sum) up the others"):
        compare(table, value="auc", test_train_ratio=1 / 2)


def test_the_column_of_scores_is_no_metric_beside_one():
    rows = [(model, fold, 9 - score) for model, fold, score in FOLDS]
    table = pd.DataFrame(rows, columns=["model", "fold", "score"]).assign(metric="rmse")
    assert compare(table, test_train_ratio=1 / 2).leader == "svm"
    with pytest.raises(ValueError, match="`metric` must be one of 'rmse'"):
        compare(table, metric="score", test_train_ratio=1 / 2)


def test_negated_scores_beside_their_loss_in_a_long_table():
    rows = [(model, fold, score - 2) for model, fold, score in FOLDS]
    table = pd.DataFrame(rows, columns=["model", "fold", "log_loss"]).assign(metric="neg_log_loss")
    options = {"value": "log_loss", "metric": "neg_log_loss", "test_train_ratio": 1 / 2}
    assert compare(table, **options).leader == "svm"


def test_rows_of_results_called_mean_and_std_are_no_candidates():
    columns = [f"split{k}_test_score" for k in range(10)]
    table = pd.DataFrame([GOOD, BAD], ["svm", "rf"], columns)
    summed = pd.concat([table, table.agg(["mean", "std"])])
    with pytest.raises(ValueError, match="which sums up the others"):
        compare(summed, **TEN)


def test_labels_of_sorted_results_go_by_their_rows():
    columns = [f"split{k}_test_score" for k in range(10)]
    table = pd.DataFrame([BAD, GOOD], columns=columns)
    labels = pd.Series(["bad", "good"])
    assert compare(table[::-1], labels=labels, **TEN).leader == "good"
    by_models = pd.DataFrame(np.array([BAD, GOOD]).T[:, ::-1], columns=[1, 0])
    found = compare(by_models, orient="models in columns", labels=labels, **TEN)
    assert found.leader == "good"


def test_sizes_that_differ_by_model_are_refused_beside_given_sizes():
    long = pd.DataFrame(
        {"model": ["a"] * 10 + ["b"] * 10, "fold": [*range(10)] * 2, "score": [*GOOD, *BAD]}
    )
    long["n_train"], long["n_test"] = [90] * 10 + [80] * 10, 10
    with pytest.raises(ValueError, match="differ within a split"):
        compare(long, **TEN)


def test_files_with_splits_in_another_order_are_refused(tmp_path):
    names = [f"Fold{k + 1}" for k in range(10)]
    frame = pd.DataFrame({"svm": GOOD, "mlp": GOOD + 0.01}, names)
    frame.to_csv(tmp_path / "one.csv")
    frame[::-1].to_csv(tmp_path / "two.csv")
    with pytest.raises(ValueError, match="the same splits, in the same order"):
        compare({"a": tmp_path / "one.csv", "b": tmp_path / "two.csv"}, **TEN)


def test_flags_of_databases_are_flags():
    saved = compare({"svm": GOOD, "rf": BAD}, **TEN).to_long()
    as_numbers = saved.assign(greater_is_better=1)
    pd.testing.assert_frame_equal(compare(as_numbers).frequentist(), compare(saved).frequentist())


def test_a_frame_whose_names_contradict_the_labels_is_refused():
    frame = pd.DataFrame(np.random.default_rng(0).uniform(size=(2, 8)), ["b", "a"])
    with pytest.raises(ValueError, match="`labels` must be those of the DataFrame, in its order"):
        ssc.DatasetsComparison(frame, ["a", "b"], [f"set {k}" for k in range(8)])
    with pytest.raises(ValueError, match="columns in the order of the splits"):
        ssc.SplitScores(frame.iloc[:, ::-1], ssc.SplitDesign.from_ratio(0.25, 8))


def test_sizes_without_dimensions_and_splits_that_are_flags_are_read():
    found = compare({"svm": GOOD, "rf": BAD}, n_train=np.array(90), n_test=np.array(10))
    assert found.scores.design.n_train.tolist() == [90] * 10
    frame = pd.DataFrame({"svm": GOOD, "rf": BAD}, pd.Index([True, False] * 5, name="fold"))
    assert compare(frame, **TEN).leader == "svm"


@pytest.mark.parametrize("name", ["mean", "Summa", "all"])
def test_a_missing_score_hides_no_mean_of_others(name):
    draws = np.random.default_rng(0).uniform(0.7, 0.9, (10, 4))
    table = pd.DataFrame(draws, [f"p{k}" for k in "abcdefghij"], list("abcd"))
    table.loc["pc", "c"] = np.nan
    options = {"orient": "models in columns", **TEN}
    with pytest.raises(ValueError, match=r"sums up the others|means of all others"):
        compare(pd.concat([table, table.mean().to_frame(name).T]), **options)
    with pytest.raises(ValueError, match=r"made of the others|sums up the others"):
        compare(table.assign(best=table.max(axis=1)), **options)


def test_a_fold_on_which_all_models_are_right_is_a_fold():
    # 1.0 rounds 0.97 if it has no decimals: then every last fold of 1.0 were a mean of the others.
    draws = np.random.default_rng(0)
    for _ in range(20):
        table = np.column_stack([draws.integers(27, 31, (6, 4)) / 30, np.ones(6)])
        assert compare(list(table), test_train_ratio=0.25).scores.n_splits == 5
    errors = pd.DataFrame(draws.uniform(0.5, 100, (5, 3)), columns=list("abc")) / [1, 10, 100]
    errors.loc[5] = 1.0
    assert compare_datasets(errors.rename("set {}".format), metric="mae").n_datasets == 6


def test_labels_go_by_rows_where_models_have_names_and_for_lists_of_scores():
    table = pd.DataFrame(
        {"model": ["x", "y"]} | {f"split{k}_test_score": [BAD[k], GOOD[k]] for k in range(10)}
    )
    labels = pd.Series(["bad", "good"])
    assert compare(table[::-1], labels=labels, **TEN).leader == "good"
    for obj in ([BAD.tolist(), GOOD.tolist()], (BAD, GOOD)):
        assert compare(obj, labels=labels, **TEN).leader == "good"


def test_sorted_results_of_a_race_keep_their_labels_and_survivors():
    X, y = load_wine(return_X_y=True)
    search = ssc.RacingGridSearchCV(
        KNeighborsClassifier(), {"n_neighbors": [1, 60, 5, 90, 3]}, cv=5, random_state=0
    ).fit(X, y)
    results = pd.DataFrame(search.cv_results_)
    ratio = {"test_train_ratio": 0.25}
    of_rows = [f"k={k}" for k in results["param_n_neighbors"]]
    for table in (results, results.sort_values("param_n_neighbors"), results[::-1]):
        own = [f"k={k}" for k in table["param_n_neighbors"]]
        found = compare(table, labels=own, **ratio)
        assert [f"k={p['n_neighbors']}" for p in found.params] == [*found.labels]
        by_index = compare(table, labels=pd.Series(of_rows), **ratio)
        assert by_index.ranking()["label"].tolist() == found.ranking()["label"].tolist()
        assert compare(dict(table), **ratio).scores.n_candidates == found.scores.n_candidates


@pytest.mark.parametrize("name", ["mean", 3])
def test_rows_of_means_of_results_are_no_candidates(name):
    columns = [f"split{k}_test_score" for k in range(10)]
    draws = np.random.default_rng(0)
    table = pd.DataFrame(draws.uniform(size=(3, 10)), columns=columns).assign(param_C=[1, 2, 3])
    table.loc[name] = table.mean()
    with pytest.raises(ValueError, match=r"sums up the others|made of the others"):
        compare(table, **TEN)


def test_the_name_of_an_axis_may_be_the_metric():
    table = pd.DataFrame({"good": 1 - GOOD, "bad": 1 - BAD}).rename_axis("rmse", axis=1)
    assert compare(table, orient="models in columns", **TEN).leader == "good"
    assert compare_datasets(table.rename("set {}".format)).leader == "good"


def test_training_scores_and_deviations_beside_models_are_no_models():
    for name, own in (("svm_train", GOOD), ("svm_train_score", GOOD), ("svm_std_dev", GOOD / 50)):
        with pytest.raises(ValueError, match=r"training samples|sums up another"):
            compare({"svm": BAD, "rf": GOOD, name: own}, **TEN)


def test_a_column_of_errors_beside_one_of_metrics_is_lower_for_better_models():
    runs = {"good": 1 - GOOD, "bad": 1 - BAD}
    long = pd.DataFrame(
        [(m, k, own[k], "roc_auc") for m, own in runs.items() for k in range(10)],
        columns=["model", "fold", "metric_error", "metric"],
    )
    assert compare(long, model="model", split="fold", value="metric_error", **TEN).leader == "good"


def test_models_by_several_metrics_are_refused_where_one_is_asked_for():
    names = ("svm_accuracy", "svm_f1", "rf_accuracy", "rf_f1")
    scores = dict(zip(names, (GOOD, BAD, BAD, GOOD), strict=True))
    with pytest.raises(ValueError, match="Keep those by f1, svm_f1, rf_f1"):
        compare(scores, metric="f1", **TEN)


def test_durations_and_unknown_flags_are_refused():
    with pytest.raises(ValueError, match="must hold numbers as scores"):
        compare(
            pd.DataFrame({"a": pd.to_timedelta(GOOD, "s"), "b": pd.to_timedelta(BAD, "s")}), **TEN
        )
    saved = compare({"svm": GOOD, "rf": BAD}, **TEN).to_long().assign(tests_training="Y!")
    with pytest.raises(ValueError, match="must have True or False in column 'tests_training'"):
        compare(saved)


@pytest.mark.parametrize(
    "word", ["pooled", "all", "OOF", "Test set", "95% CI", "pooled (5 folds)", "Fold 1-5", "OOF_5"]
)
@pytest.mark.parametrize("form", ["long", "wide", "datasets"])
def test_a_word_beside_numbered_folds_names_no_split(word, form):
    rows = [*FOLDS, ("svm", word, 0.9), ("forest", word, 0.84)]
    table = pd.DataFrame(rows, columns=["model", "fold", "auc"])
    message = f"a split '{word}', beside '1', which may sum up the others"
    sets = [table.assign(dataset=f"d{k}", auc=table["auc"] + 0.01 * k) for k in range(6)]
    read = {
        "long": lambda: compare(table, value="auc", test_train_ratio=1 / 2),
        "wide": lambda: compare(
            table.pivot(index="fold", columns="model", values="auc"), test_train_ratio=1 / 2
        ),
        "datasets": lambda: compare_datasets(pd.concat(sets), value="auc"),
    }
    with pytest.raises(ValueError, match=re.escape(message)):
        read[form]()


@pytest.mark.parametrize("names", ["1 2 3b", "1 2 X", "chr1 chr2 chrX", "Paris1 Paris2 Berlin"])
def test_houses_chromosomes_and_towns_are_splits(names):
    # Each left out once.
    table = pd.DataFrame(FOLDS, columns=["model", "site", "auc"])
    table["site"] = table["site"].replace(dict(zip("123", names.split(), strict=True)))
    assert compare(table, split="site", value="auc", test_train_ratio=1 / 2).scores.n_splits == 3


@pytest.mark.parametrize("name", ["Run {}", "iter{}", "f{}", "#{}", "{}/3", "split{}_test_score"])
def test_a_pooled_row_is_no_split_whatever_others_are_called(name):
    rows = [(model, name.format(fold), score) for model, fold, score in FOLDS]
    rows += [("svm", "pooled", 0.9), ("forest", "pooled", 0.84)]
    table = pd.DataFrame(rows, columns=["model", "fold", "auc"])
    with pytest.raises(ValueError, match="'pooled', beside"):
        compare(table, value="auc", test_train_ratio=1 / 2)


def test_lightgbm_means_and_deviations_of_l2_are_no_models():
    found = {"valid l2-mean": [5900.0, 5400, 4900], "valid l2-stdv": [310.0, 300, 290]}
    with pytest.raises(ValueError, match="'valid l2-stdv', which sums up another"):
        compare(found, test_train_ratio=0.25)
