"""compare() of DataFrames: what says what it is is read so, and all else is refused in words."""

import re

import numpy as np
import pandas as pd
import polars as pl
import pytest

from sklearn_stats_compare import ComparisonWarning, compare, compare_datasets
from sklearn_stats_compare.comparison.readers._names import kind_of

RNG = np.random.default_rng(0)
SCORES = RNG.uniform(0.7, 0.9, (3, 10))  # three models, ten splits
MODELS = ["svm", "forest", "bayes"]
FOLDS, LETTERS = [f"Fold{k:02}" for k in range(1, 11)], list("abcdefghij")


def read(frame, **arguments):
    return compare(frame, **{"test_train_ratio": 1 / 9, **arguments})


def assert_reads(frame, scores=SCORES, labels=MODELS, **arguments):
    found = read(frame, **arguments)
    np.testing.assert_array_equal(found.scores.values, scores)
    assert list(found.labels) == list(labels)


def optuna_trials():
    """As study.trials_dataframe(attrs=("params", "user_attrs")) after an OptunaSearchCV.

    Columns and index are those that Optuna 5.0 and optuna-integration 5.0 give.
    """
    splits = {f"split{k}_test_score": SCORES[:, k] for k in range(10)}
    means = {"mean_fit_time": [0.004, 0.005, 0.004], "mean_test_score": SCORES.mean(axis=1)}
    columns = {**means, **splits, "std_test_score": SCORES.std(axis=1)}
    params = pd.DataFrame({"params_C": [0.013, 96.4, 2.2]})
    return params.join(pd.DataFrame(columns).add_prefix("user_attrs_"))


def skore_levels():
    """As comparison_report.metrics.accuracy(aggregate=None) of skore 0.28: one row, two levels."""
    splits = [f"Split #{k}" for k in range(10)]
    names = ["Estimator", "Split"]
    columns = pd.MultiIndex.from_product([["svm", "forest"], splits], names=names)
    index = pd.Index(["Accuracy"], name="Metric")
    return pd.DataFrame(SCORES[:2].reshape(1, 20), index=index, columns=columns)


def skore_flat():
    """As comparison_report.metrics.summarize().frame(aggregate=None) of skore 0.28."""
    columns = [f"{model}_split_{k}" for model in ("svm", "forest") for k in range(10)]
    rows = ["default_score", "accuracy", "precision_0", "roc_auc", "log_loss", "fit_time"]
    return pd.DataFrame(RNG.random((6, 20)), index=rows, columns=columns)


def caret_resamples():
    """As R's ``resamples(list(RF = …, GBM = …))$values``, ten folds of two metrics."""
    columns = {"Resample": [f"Fold{k:02}" for k in range(1, 11)]}
    for model, scores in zip(("RF", "GBM"), SCORES[:2], strict=True):
        columns[f"{model}~Accuracy"], columns[f"{model}~Kappa"] = scores, scores - 0.2
    return pd.DataFrame(columns)


def pycaret_grid():
    """As pycaret's pull() after create_model: metrics of one model by fold, and their sums."""
    metrics = ["Accuracy", "AUC", "Recall", "Prec.", "F1", "Kappa", "MCC"]
    folds = pd.DataFrame(RNG.random((10, 7)), columns=metrics)
    sums = pd.DataFrame([folds.mean(), folds.std()], index=["Mean", "Std"])
    return pd.concat([folds, sums]).rename_axis("Fold")


def autogluon_leaderboard():
    """As TabularPredictor.leaderboard(test_data) of AutoGluon, with columns of each kind."""
    columns = ["model", "score_test", "score_val", "eval_metric", "fit_time", "can_infer"]
    rows = [
        ["LightGBM", 0.87, 0.88, "accuracy", 1.5, True],
        ["CatBoost", 0.86, 0.87, "accuracy", 12.7, True],
        ["WeightedEnsemble_L2", 0.88, 0.89, "accuracy", 15.1, True],
    ]
    return pd.DataFrame(rows, columns=columns)


def long_frame():
    return pd.DataFrame({"split": np.tile(np.arange(10), 3), "value": SCORES.ravel()})


def cross_validate_frame():
    """As pd.DataFrame(cross_validate(…)): times and scores of one model by split."""
    return pd.DataFrame({"fit_time": 0.01, "score_time": 0.002, "test_score": SCORES[0]})


CARET, PYCARET = caret_resamples().set_index("Resample"), pycaret_grid()
BY_MODEL = autogluon_leaderboard().set_index("model")
TABLES = {
    "Optuna's trials": (optuna_trials(), ["'params_C'", "removeprefix('user_attrs_')"]),
    "its scores alone": (optuna_trials().filter(regex="split"), ["'user_attrs_split0_test_score'"]),
    "skore, two levels": (skore_levels(), ["('svm', 'Split #0'), which has several levels"]),
    "skore, one level": (skore_flat(), ["row 'fit_time', which is a time"]),
    "skore, two models": (skore_flat().drop("fit_time"), ["'svm_split_0', which may be a split"]),
    "levels of numbers": (
        pd.DataFrame([[1.0, 2.0]], columns=pd.MultiIndex.from_product([[0], [0, 1]])),
        ["which has several levels"],
    ),
    "caret, with the index": (CARET, ["'RF~Accuracy', which may be a split"]),
    "caret, one metric": (CARET.filter(like="~Accuracy"), ["'RF~Accuracy'", "'models in columns'"]),
    "pycaret": (PYCARET, ["row 'Mean', which sums up the others. Drop it"]),
    "pycaret, without its sums": (
        PYCARET.drop(["Mean", "Std"]), ["column 'Accuracy', which may be a split"]
    ),
    "pycaret, one metric": (PYCARET[["Accuracy"]].drop(["Mean", "Std"]), ["column 'Accuracy'"]),
    "AutoGluon": (autogluon_leaderboard(), ["column 'model', which holds no scores"]),
    "AutoGluon, by model": (
        BY_MODEL[["score_val", "fit_time"]],
        ["column 'fit_time', which is a time and no score. Drop it"],
    ),
    "AutoGluon, scores": (BY_MODEL[["score_test", "score_val"]], ["'score_test', which may be a "]),
    "rows counted": (caret_resamples().reset_index(drop=True).reset_index(), ["column 'index'"]),
    "long": (long_frame(), ["column 'split'"]),
    "cross_validate": (cross_validate_frame(), ["column 'fit_time'"]),
    "cross_validate, on its side": (cross_validate_frame().T, ["row 'fit_time'"]),
    "cross_validate, without times": (
        cross_validate_frame()[["test_score"]], ["column 'test_score', which may be a split"]
    ),
    "metrics by fold": (
        pd.DataFrame(SCORES, index=["accuracy", "f1_macro", "roc_auc"], columns=FOLDS),
        ["row 'accuracy', which is a metric", "orient='models in rows'"],
    ),
    "folds beside numbers": (
        pd.DataFrame(SCORES.T, index=FOLDS),
        ["row 'Fold01', which names a split", "orient='models in columns'"],
    ),
    "folds on both sides": (
        pd.DataFrame(SCORES.T, index=FOLDS, columns=["fold1", "fold2", "fold3"]),
        ["row 'Fold01', which names a split"],
    ),
    "folds of metrics": (
        pd.DataFrame(SCORES.T, index=FOLDS, columns=["accuracy", "f1", "auc"]),
        ["column 'accuracy', which may be a split", "orient='models in columns'"],
    ),
    "no names": (pd.DataFrame(SCORES.T), ["rows such as 0 and columns such as 0, which could be"]),
    "no names, as text": (pd.DataFrame(SCORES, columns=list("0123456789")), ["could be either"]),
    "folds with a mean": (
        pd.DataFrame(SCORES, columns=[*FOLDS[:9], "SD"]), ["column 'SD', which sums up"]
    ),
    "folds with a parameter": (
        pd.DataFrame(SCORES, columns=[*FOLDS[:9], "C"]),
        ["column 'C', which is no split, beside 'Fold01'"],
    ),
    "names on both sides": (
        pd.DataFrame(SCORES, index=MODELS, columns=LETTERS),
        ["rows such as 'svm' and columns such as 'a'", "'models in rows'", "'models in columns'"],
    ),
    "columns with a point": (pd.DataFrame(SCORES.T, columns=[0.1, 0.5, 1.0]), ["could be either"]),
    "the same as text": (pd.DataFrame(SCORES.T, columns=["0.1", "0.5", "1"]), ["not scores"]),
    "columns of one name": (pd.DataFrame(SCORES.T, columns=list("aab")), ["'a', which occurs twi"]),
}  # fmt: skip


@pytest.mark.parametrize(("frame", "words"), TABLES.values(), ids=TABLES)
@pytest.mark.filterwarnings("ignore::sklearn_stats_compare.ComparisonWarning")
def test_a_table_that_is_not_a_matrix_of_scores_raises(frame, words):
    """Each was compared before: a leader with a mean of 47.9, or Std, or a run time."""
    with pytest.raises(ValueError, match=r"^`obj` must ") as error:
        read(frame)
    for word in words:
        assert word in str(error.value)


@pytest.mark.parametrize(
    "columns",
    [
        None, range(1, 11), [str(k) for k in range(10)], [f"split{k}" for k in range(10)],
        [f"fold_{k}" for k in range(10)], [f"Fold {k}" for k in range(10)],
        [f"cv{k}" for k in range(10)], [f"Split #{k}" for k in range(10)], FOLDS,
        [f"rep{k // 5}_fold{k % 5}" for k in range(10)],
        [f"Fold{k % 5:02}.Rep{k // 5}" for k in range(10)],
        [f"Resample{k:02}" for k in range(10)],
        pd.RangeIndex(10, name="fold"), pd.Index(LETTERS, name="split"),
    ],
)  # fmt: skip
def test_split_columns_mean_that_rows_are_models(columns):
    assert_reads(pd.DataFrame(SCORES, index=MODELS, columns=columns))
    numbered = pd.DataFrame(SCORES, columns=columns)
    orients = [None] if kind_of(numbered.columns) == "splits" else []
    for orient in ("models in rows", "index", *orients):
        assert_reads(numbered, labels="012", orient=orient)


def test_named_columns_are_models_if_rows_have_no_names():
    """Folds × models was read the other way round: ten candidates on three splits."""
    frame = pd.DataFrame(SCORES.T, columns=MODELS)
    assert_reads(frame)
    assert_reads(frame, orient="models in columns")
    assert_reads(frame, orient="columns")
    assert_reads(pd.DataFrame({"svm": SCORES[0]}), SCORES[:1], ["svm"])


@pytest.mark.parametrize("rows", [None, FOLDS, list("0123456789"), pd.RangeIndex(10, name="fold")])
def test_text_columns_are_models_if_rows_are_splits(rows):
    assert_reads(pd.DataFrame(SCORES.T, columns=MODELS, index=rows))
    numbers = pd.Index([3, 4, 5], name="model")
    assert_reads(pd.DataFrame(SCORES.T, columns=numbers, index=rows), labels="345")


def test_rows_of_an_array_are_models_and_a_frame_must_say_which_axis():
    assert_reads(SCORES, labels="012")
    for orient in ("models in columns", "columns"):
        assert_reads(pd.DataFrame(SCORES.T), labels="012", orient=orient)


def test_orient_says_which_axis_holds_the_models():
    frame = pd.DataFrame(SCORES, index=MODELS, columns=LETTERS)
    assert_reads(frame, orient="index")
    assert_reads(frame.T, orient="columns")
    assert_reads(pd.DataFrame(SCORES.T, index=FOLDS, columns=MODELS), orient="columns")
    caret = CARET.filter(like="~Accuracy")
    assert_reads(caret, SCORES[:2], ["RF~Accuracy", "GBM~Accuracy"], orient="columns")
    errors = caret.set_axis(["RF~RMSE", "GBM~RMSE"], axis=1)
    found = compare(errors, n_train=90, n_test=10, orient="columns")
    assert found.metric == "neg_RMSE"  # the name of the columns tells that lower is better
    skore = skore_levels().loc["Accuracy"]  # its names are sorted: forest, svm
    assert_reads(skore.unstack("Split"), SCORES[[1, 0]], ["forest", "svm"])
    assert_reads(skore.unstack("Estimator"), SCORES[[1, 0]], ["forest", "svm"], orient="columns")
    for matrix in (SCORES.T, SCORES.T.tolist(), tuple(SCORES.T)):
        assert_reads(matrix, labels="012", orient="columns")
        with pytest.warns(ComparisonWarning, match="only 3 splits"):
            assert_reads(matrix, SCORES.T, "0123456789", orient="index")


def test_orient_allows_models_named_like_metrics():
    for names in (["auc_tuned", "f1_loss", "plain"], ["time_forest", "svm_split_1", "plain"]):
        frame = pd.DataFrame(SCORES.T, columns=names)
        with pytest.raises(ValueError, match=r"orient='models in columns'"):
            read(frame)
        assert_reads(frame, labels=names, orient="columns")
    criteria = ["gini", "entropy", "log_loss"]
    frame = pd.DataFrame(SCORES, index=criteria, columns=FOLDS)
    with pytest.raises(ValueError, match=r"'log_loss', which is a metric.*orient='models in rows'"):
        read(frame)
    assert_reads(frame, labels=criteria, orient="index")


@pytest.mark.parametrize("orient", ["index", "columns"])
@pytest.mark.parametrize(
    "name",
    ["Optuna's trials", "skore, two levels", "skore, one level", "caret", "pycaret", "AutoGluon",
     "pycaret, without its sums", "long", "cross_validate", "cross_validate, without times"],
)  # fmt: skip
def test_columns_that_are_not_scores_raise_for_every_orient(name, orient):
    frame, words = {**TABLES, "caret": (caret_resamples(), ["column 'Resample'"])}[name]
    with pytest.raises(ValueError, match=r"^`obj` must be a matrix of scores by") as error:
        read(frame, orient=orient)
    assert words[0].partition(" may be")[0] in str(error.value)  # it is one, here


def test_scores_of_several_metrics_or_models_are_not_mixed():
    with pytest.raises(ValueError, match="'RF~Accuracy', which is of one of Accuracy, Kappa"):
        read(CARET, orient="columns")
    with pytest.raises(ValueError, match="'svm_split_0', which is of one of "):
        read(skore_flat().loc[["accuracy"]], orient="index")


def test_orient_has_two_values_and_is_for_matrices_only(tmp_path):
    results = {f"split{k}_test_score": SCORES[:, k] for k in range(10)}
    known = "`orient` must be one of None, 'models in rows', 'models in columns', 'i"
    for wrong in (1, "rows", "models"):
        with pytest.raises(ValueError, match=known):
            read(SCORES, orient=wrong)
    path = tmp_path / "results.csv"
    pd.DataFrame(results).to_csv(path, index=False)
    named = {"a": {"test_score": SCORES[0]}}
    for obj in (results, pd.DataFrame(results), path, named, {"a": SCORES[0]}):
        with pytest.raises(ValueError, match=r"must be left out .*; got 'models in columns'"):
            read(obj, orient="columns")


@pytest.mark.parametrize("orient", [None, "columns"])
@pytest.mark.parametrize("index", [[], pd.Index([], name="fold"), MODELS])
def test_empty_frames_raise(index, orient):
    for columns in ([], ["a", "b"]) if len(index) == 0 else ([],):
        with pytest.raises(ValueError, match="at least one candidate and one split"):
            read(pd.DataFrame(index=index, columns=columns), orient=orient)


FORMS = {
    "models × numbered splits": (pd.DataFrame(SCORES, index=MODELS), {}),
    "models × named splits": (pd.DataFrame(SCORES, index=MODELS, columns=FOLDS), {}),
    "numbered splits × models": (pd.DataFrame(SCORES.T, columns=MODELS), {}),
    "named splits × models": (pd.DataFrame(SCORES.T, columns=MODELS, index=FOLDS), {}),
    "an index with a name": (
        pd.DataFrame(SCORES.T, columns=MODELS, index=pd.RangeIndex(10, name="fold")), {}
    ),
    "models with a name": (pd.DataFrame(SCORES, index=pd.Index(MODELS, name="model")), {}),
    "names on both sides": (
        pd.DataFrame(SCORES, index=MODELS, columns=LETTERS), {"orient": "models in rows"}
    ),
}  # fmt: skip


@pytest.mark.parametrize(("frame", "arguments"), FORMS.values(), ids=FORMS)
def test_the_csv_file_of_a_frame_is_read_like_the_frame(frame, arguments, tmp_path):
    assert_reads(frame, **arguments)
    frame.to_csv(tmp_path / "scores.csv")
    assert_reads(tmp_path / "scores.csv", **arguments)
    assert_reads(str(tmp_path / "scores.csv"), **arguments)


def test_a_row_without_a_name_is_no_split(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("fold,a,b\n0,.9,.8\n1,.8,.7\n,.85,.75\n")
    with pytest.raises(ValueError, match="`obj` must have a name in each row; got none in row 2"):
        compare(path, test_train_ratio=1)


def test_columns_of_a_csv_file_without_an_index_are_models(tmp_path):
    path = tmp_path / "scores.csv"
    pd.DataFrame(SCORES.T, columns=MODELS).to_csv(path, index=False)
    assert_reads(path)
    gaps = pd.DataFrame(SCORES.T, columns=MODELS).copy()
    gaps.iloc[3, 0] = np.nan
    gaps.to_csv(path, index=False)
    assert_reads(path, gaps.to_numpy().T)


def test_an_ambiguous_csv_file_raises(tmp_path):
    path = tmp_path / "scores.csv"
    either = r"could be either\. Say orient='models in rows'"
    for frame, options, words in [
        (pd.DataFrame(SCORES), {}, either),
        (pd.DataFrame(SCORES), {"index": False}, either),
        (pd.DataFrame(SCORES, index=MODELS, columns=LETTERS), {}, either),
        (PYCARET, {}, "row 'Mean', which sums up the others"),
        (pd.DataFrame({"svm": ["good"], "b": [0.1]}), {}, "row 0 does not: got 'good'"),
    ]:
        frame.to_csv(path, **options)
        with pytest.raises(ValueError, match=words):
            read(path)
    np.savetxt(path, SCORES, delimiter=",")
    for orient in (None, "models in rows", "models in columns"):
        with pytest.raises(ValueError, match="names and not scores"):
            read(path, orient=orient)


@pytest.mark.parametrize(
    "first",
    [
        "0.637,,0.041",
        "NA,0.2,0.3",
        "None,nan,0.3",
        "1,0,1",
        "1,,1",
        "svm,0.2,0.3",
        "svm,failed,0.3",
    ],
)
def test_a_first_row_of_scores_is_no_header_if_some_are_missing_or_whole(tmp_path, first):
    path = tmp_path / "scores.csv"
    path.write_text(f"{first}\n0.017,0.813,0.913\n0.607,0.729,0.544\n")
    for orient in ("models in rows", "models in columns"):
        with pytest.raises(ValueError, match="names and not scores"):
            read(path, orient=orient)


@pytest.mark.parametrize(
    ("form", "column"),
    [
        *(("numbered splits × models", None), ("named splits × models", "fold")),
        *(("an index with a name", "fold"), ("models × named splits", "model")),
        ("models × named splits", "x"),
    ],
)
def test_polars_frames_are_read_like_pandas_frames(form, column):
    frame, _ = FORMS[form]
    if column is not None:  # polars has no index
        frame = frame.rename_axis(column).reset_index()
    frame = pl.DataFrame({name: frame[name].tolist() for name in frame})
    assert_reads(frame)
    assert_reads(frame.lazy())


def test_polars_frames_of_results_are_read_and_ambiguous_ones_raise():
    results = {f"split{k}_test_score": SCORES[:, k] for k in range(10)}
    params = [{"C": 1}, {"C": 2}, {"C": 3}]
    assert_reads(pl.DataFrame({"params": params, **results}), labels="123")
    gaps = pl.DataFrame({"svm": [0.5, None, *SCORES[0, 2:]], "forest": SCORES[1]})
    with_gap = np.array([[0.5, np.nan, *SCORES[0, 2:]], SCORES[1]])
    assert_reads(gaps, with_gap, ["svm", "forest"])
    with pytest.raises(ValueError, match="could be either"):
        read(pl.DataFrame({str(k): SCORES[:, k] for k in range(10)}))
    with pytest.raises(ValueError, match="`obj` must hold numbers as scores"):
        read(pl.DataFrame({"svm": [0.5, 0.6], "forest": ["a", "b"]}))


def test_another_packages_frame_is_converted_by_its_own_method():
    class Other:
        columns = ("svm", "forest", "bayes")

        def to_pandas(self):
            return pd.DataFrame(SCORES.T, columns=MODELS)

    assert_reads(Other())


def test_the_trials_of_a_study_that_minimizes():
    # The frame does not say that the study minimizes; a search says that it maximizes.
    frame = optuna_trials().rename(columns=lambda name: name.removeprefix("user_attrs_"))
    found = read(frame, lower_is_better=True)
    np.testing.assert_array_equal(found.scores.values, -SCORES)
    assert found.metric == "neg_score"
    np.testing.assert_array_equal(read(frame).scores.values, SCORES)
    losses = frame.rename(columns=lambda name: name.replace("test_score", "test_rmse"))
    assert "rmse is lower for better models" in read(losses, metric="rmse").note


def test_a_model_may_be_called_none(tmp_path):
    frame = pd.DataFrame(np.random.default_rng(0).random((10, 3)), columns=["None", "l1", "NA"])
    frame.to_csv(tmp_path / "scores.csv", index=False)
    found = read(tmp_path / "scores.csv", orient="models in columns")
    assert found.labels == ("None", "l1", "NA")
    np.testing.assert_array_equal(found.scores.values, frame.to_numpy().T)


@pytest.mark.parametrize("cell", ["failed", "?", "50%", "0,5"])
def test_text_among_the_scores_of_the_first_model_is_refused(tmp_path, cell):
    path = tmp_path / "scores.csv"
    path.write_text(f'svm,nb,rf\n0.6,0.2,0.3\n"{cell}",0.4,0.6\n0.5,0.7,0.2\n')
    message = rf"names or scores in its first column, not both; got '{re.escape(cell)}' in row 1 of"
    for table in (path, pl.read_csv(path)):
        for orient in (None, "models in columns"):
            with pytest.raises(ValueError, match=message):
                compare(table, n_train=2, n_test=1, orient=orient)
        with pytest.raises(ValueError, match=message):
            compare_datasets(table)


def test_a_saved_index_among_the_columns_of_a_model_is_refused(tmp_path):
    path = tmp_path / "scores.csv"
    pd.DataFrame({"test_score": [0.1, 0.3, 0.2]}, index=[0, 2, 1]).to_csv(path)
    with pytest.raises(ValueError, match="column 'Unnamed: 0', as an index that was saved"):
        compare({name: pd.read_csv(path) for name in "ab"}, n_train=2, n_test=1)
