"""compare() of long tables: the same as of the matrix read by hand, and refusals that say why.

The files in long_tables/ have the columns and names of splits that the R packages write:
tidymodels' ``collect_metrics(summarize = FALSE)`` of a workflow set and of ``tune_grid``, caret's
``write.csv(resamples(…)$values)``, and mlr3's ``bmr$score()`` without its columns of objects.
"""

import csv
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats

from sklearn_stats_compare import Comparison, ComparisonWarning, SplitDesign, SplitScores, compare
from sklearn_stats_compare.comparison._saving import FLAGS

FILES = Path(__file__).parent / "long_tables"
RNG = np.random.default_rng(22)
SCORES = RNG.uniform(0.7, 0.9, (3, 10))  # three models, ten splits
MODELS = ["svm", "forest", "bayes"]
TEN = {"test_train_ratio": 1 / 9}
FOLDS = [f"Fold{k:02}" for k in range(1, 11)]
WORKFLOWS = ["recipe_logistic_reg", "recipe_rand_forest", "recipe_svm_rbf"]


def long_frame(**columns):
    """SCORES as a row for each model and split."""
    frame = {"model": np.repeat(MODELS, 10), "split": np.tile(np.arange(10), 3)}
    return pd.DataFrame({**frame, "score": SCORES.ravel(), **columns})


def cells(name, models, splits, value, **kept):
    """Scores of a file by model and split, found by the standard library alone."""
    with open(FILES / name, newline="") as file:
        rows = [row for row in csv.DictReader(file) if all(row[k] == v for k, v in kept.items())]
    names = [tuple(tuple(row[key] for key in keys) for keys in (models, splits)) for row in rows]
    return dict(zip(names, (float(row[value]) for row in rows), strict=True))


def matrix(found, models, splits):
    return np.array([[found[model, split] for split in splits] for model in models])


def assert_reads(obj, scores=SCORES, **arguments):
    found = compare(obj, **{**TEN, **arguments})
    np.testing.assert_array_equal(found.scores.values, scores)
    return found


def assert_same_tables(one, other):
    """Every table, cell by cell; the order of the candidates may differ."""
    assert one.metric == other.metric
    for name in ("frequentist", "bayesian", "against"):
        pd.testing.assert_frame_equal(getattr(one, name)(), getattr(other, name)())
    ranked = (found.ranking().reset_index(drop=True) for found in (one, other))
    pd.testing.assert_frame_equal(*ranked)
    assert one.leader == other.leader


def test_a_workflow_set_of_tidymodels():
    file = "tidymodels_workflow_set.csv"
    found = cells(file, ["wflow_id"], ["id"], ".estimate", **{".metric": "accuracy"})
    by_hand = matrix(found, [(name,) for name in WORKFLOWS], [(fold,) for fold in FOLDS])
    expected = compare(by_hand, labels=WORKFLOWS, metric="accuracy", **TEN)
    names = {"model": "wflow_id", "split": "id", "value": ".estimate"}
    read = compare(FILES / file, metric="accuracy", **names, **TEN)
    assert_same_tables(read, expected)
    # Ten folds, of which each is 1/9 of the others: one partition.
    assert read.scores.design.repeat.tolist() == [0] * 10


def test_the_only_metric_of_tidymodels_says_which_scores_are_better():
    table = long_frame().assign(**{".metric": "rmse"})
    assert_reads(table, -SCORES)
    assert compare(table, test_train_ratio=1 / 9).metric == "neg_rmse"


def test_a_tuned_grid_of_tidymodels_has_parameters_and_repeats():
    file, sizes = "tidymodels_tune_grid.csv", {"test_train_ratio": 1 / 4}
    splits = [(f"Repeat{r}", f"Fold{k}") for r in (1, 2) for k in range(1, 6)]
    configs = [(f"pre0_mod{k}_post0",) for k in (1, 2, 3)]
    found = cells(file, [".config"], ["id", "id2"], ".estimate", **{".metric": "rmse"})
    by_hand = -matrix(found, configs, splits)
    labels = ["1e-10 0.05", "0.001 0.5", "0.1 1"]
    expected = compare(by_hand, labels=labels, metric="neg_rmse", **sizes)
    names = {"model": ["penalty", "mixture"], "split": ["id", "id2"], "value": ".estimate"}
    read = compare(FILES / file, metric="rmse", **names, **sizes)
    assert_same_tables(read, expected)
    assert read.params[1] == {"penalty": 0.001, "mixture": 0.5}
    assert read.scores.design.repeat.tolist() == [0] * 5 + [1] * 5
    assert "rmse is lower for better models" in read.note
    # R² is higher for better models; its name is yardstick's.
    rsq = compare(FILES / file, metric="rsq", **names, **sizes)
    assert (rsq.metric, rsq.note) == ("rsq", "")
    assert (rsq.scores.values > 0).all()


def test_the_resamples_of_caret():
    splits = [f"Fold{k:02}.Rep{r}" for r in (1, 2, 3) for k in range(1, 11)]
    with open(FILES / "caret_resamples.csv", newline="") as file:
        rows = {row["Resample"]: row for row in csv.DictReader(file)}
    models = ["RF", "GBM", "SVM"]
    by_hand = [[float(rows[split][f"{model}~Kappa"]) for split in splits] for model in models]
    values = pd.read_csv(FILES / "caret_resamples.csv", index_col="Resample").filter(like="~Kappa")
    kappa = values.rename(columns=lambda name: name.removesuffix("~Kappa"))
    expected = compare(np.array(by_hand), labels=models, metric="Kappa", **TEN)
    assert_same_tables(compare(kappa, metric="Kappa", **TEN), expected)


def test_the_resamples_of_one_model_of_caret_each():
    """``fit$resample`` of each model has its metrics as columns."""
    tables = {
        model: pd.DataFrame({"Accuracy": own, "Kappa": own - 0.2, "Resample": FOLDS})
        for model, own in zip(MODELS, SCORES, strict=True)
    }
    names = {"split": "Resample", "value": "Accuracy"}
    expected = compare(SCORES, labels=MODELS, metric="Accuracy", **TEN)
    for order in (1, -1):  # rows in another order are matched by the resample, not by position
        tables["forest"] = tables["forest"][::order]
        read = compare(pd.concat(tables, names=["model"]), **names, **TEN)
        assert_same_tables(read, expected)


def test_the_scores_of_a_benchmark_of_mlr3():
    file, learners = "mlr3_score.csv", ["classif.featureless", "classif.rpart", "classif.ranger"]
    found = cells(file, ["learner_id"], ["iteration"], "classif.ce")
    by_hand = matrix(found, [(name,) for name in learners], [(str(k),) for k in range(1, 11)])
    expected = compare(-by_hand, labels=learners, metric="neg_classif.ce", **TEN)
    names = {"model": "learner_id", "split": "iteration", **TEN}
    for column in ("value", "metric"):
        read = compare(FILES / file, **{column: "classif.ce"}, **names)
        assert_same_tables(read, expected)
    assert read.leader == "classif.ranger"  # the lowest error
    # 16 % is better than 46 % only for an error.
    higher = compare(FILES / file, lower_is_better=False, value="classif.ce", **names)
    assert (higher.leader, higher.metric) == ("classif.featureless", "classif.ce")


@pytest.mark.parametrize(
    "spelling",
    [
        *(("model", "split", "score"), ("Model", "Fold", "Value")),
        *(("learner_id", "iteration", "classif.acc"), ("wflow_id", "id", ".estimate")),
    ],
)
def test_the_order_of_rows_and_columns_and_their_names_change_nothing(spelling):
    frame = long_frame(n_train=90, n_test=10)
    expected = compare(frame).frequentist()
    names = dict(zip(("model", "split", "value"), spelling, strict=True))
    frame = frame.rename(columns=dict(zip(("model", "split", "score"), spelling, strict=True)))
    for seed in range(5):
        shuffled = frame.sample(frac=1, random_state=seed)
        found = compare(shuffled.sample(frac=1, random_state=seed, axis=1), **names).frequentist()
        assert found[["model_1", "model_2"]].equals(expected[["model_1", "model_2"]])
        numbers = expected.columns.drop(["model_1", "model_2", "verdict"])
        np.testing.assert_allclose(found[numbers], expected[numbers], rtol=1e-12)


@pytest.mark.parametrize("unnamed", ["model", "split", "score"])
def test_other_columns_than_those_of_to_long_must_be_named(unnamed, tmp_path):
    frame = long_frame(n_train=90, n_test=10).rename(columns={unnamed: "other"})
    frame.to_csv(tmp_path / "scores.csv", index=False)
    columns = "got None, and columns " + ", ".join(map(repr, frame))
    words = "`model`, `split` and `value` must name the columns of the models, the splits and the"
    # A polars frame and a file have no index: their first column may be one.
    for table in (frame, tmp_path / "scores.csv", pl.DataFrame(frame.to_dict("list"))):
        refused(table, words, test_train_ratio=None)
        refused(table, columns, test_train_ratio=None)
        argument = "value" if unnamed == "score" else unnamed
        found = compare(table, **{argument: "other"}, lower_is_better=False)
        assert found.scores.values.tolist() == SCORES.tolist()
    indexed = frame.set_index([own for own in ("model", "split", "other") if own in frame][:2])
    refused(indexed, "must name the columns of the models", test_train_ratio=None)


def test_splits_are_in_the_order_of_their_names():
    """Sizes that are given as arrays belong to Fold1, Fold2, …, Fold10, not to Fold1, Fold10."""
    frame = long_frame(split=np.tile([f"Fold{k}" for k in range(1, 11)], 3))
    sizes = {"n_train": range(90, 100), "n_test": range(10, 20)}
    for rows in (frame, frame[::-1]):
        found = compare(rows, labels=None, **sizes)
        order = [list(found.labels).index(name) for name in MODELS]
        np.testing.assert_array_equal(found.scores.values[order], SCORES)


def test_every_container_of_a_table_is_read_alike(tmp_path):
    frame = long_frame(n_train=90, n_test=10)
    expected = compare(frame)
    frame.to_csv(tmp_path / "scores.csv", index=False)
    indexed = frame.set_index(["model", "split"])
    for table in (tmp_path / "scores.csv", pl.DataFrame(frame.to_dict("list")), indexed,
                  frame.astype({"model": "category"})):  # fmt: skip
        assert_same_tables(compare(table), expected)


def test_repeats_and_folds_name_a_split_together():
    repeat, fold = np.tile(np.repeat([1, 2], 5), 3), np.tile(np.arange(5), 6)
    frame = long_frame(repeat=repeat, fold=fold).drop(columns="split")
    found = assert_reads(frame, test_train_ratio=1 / 4)
    assert found.scores.design.repeat.tolist() == [0] * 5 + [1] * 5
    # At 1/9 the five test sets are half of the data: no partition, so no repeats.
    assert compare(frame, **TEN).scores.design.repeat.tolist() == [-1] * 10
    named = frame.rename(columns={"repeat": "a", "fold": "b"})
    assert_reads(named, split=["a", "b"])


def test_an_empty_score_is_a_failed_run(tmp_path):
    frame = long_frame()
    frame.loc[3, "score"] = np.nan
    assert compare(frame, **TEN).scores.missing.tolist() == [True, False, False]
    for word in ("", "NA", "NaN", "None"):
        frame.to_csv(tmp_path / "scores.csv", index=False, na_rep=word)
        assert compare(tmp_path / "scores.csv", **TEN).scores.missing.tolist() == [1, 0, 0]


def test_names_that_mean_an_absent_value_elsewhere_are_names(tmp_path):
    """``max_depth=None`` labels a candidate "None"."""
    frame = long_frame(model=np.repeat(["None", "NA", "nan"], 10))
    frame.to_csv(tmp_path / "scores.csv", index=False)
    assert list(compare(tmp_path / "scores.csv", **TEN).labels) == ["None", "NA", "nan"]


def test_bootstraps_are_known_by_name():
    frame = long_frame(split=np.tile([f"Bootstrap{k:02}" for k in range(1, 11)], 3))
    with pytest.warns(ComparisonWarning, match="samples more than once"):
        found = compare(frame, test_train_ratio=0.5)
    assert found.scores.design.resampled
    frame.loc[frame["split"] == "Bootstrap10", "split"] = "Apparent"
    refused(frame, "split 'Apparent', which tests the training samples", test_train_ratio=0.5)


@pytest.mark.parametrize(
    "obj", [SCORES, SCORES.tolist(), dict(zip(MODELS, SCORES, strict=True)), long_frame(),
            {name: {"test_score": own} for name, own in zip(MODELS, SCORES, strict=True)}]
)  # fmt: skip
def test_lower_is_better_is_the_comparison_of_the_negatives(obj):
    found = assert_reads(obj, -SCORES, lower_is_better=True)
    assert (found.metric, found.note) == ("neg_score", "")  # the caller knows
    assert_reads(obj)


@pytest.mark.parametrize(
    "metric",
    ["rmse", "RMSE", "mae", "mn_log_loss", "brier_class", "classif.ce", "regr.mse", "logLoss",
     "log_loss", "mean_squared_error", "regr.maxae", "classif.bbrier", "mape", "huber_loss",
     "binary_logloss", "mlogloss", "merror", "val_loss", "rmse_test", "cost", "cv_rmse",
     "categorical_cross_entropy"],
)  # fmt: skip
def test_known_losses_are_negated_and_the_note_says_so(metric):
    for obj in (long_frame(metric=metric), SCORES):
        found = assert_reads(obj, -SCORES, metric=metric)
        assert found.metric == f"neg_{metric}"
        assert f"{metric} is lower for better models" in found.note
    if metric in ("cost", "val_loss"):  # of gains and of densities they may be negative
        with pytest.raises(ValueError, match="`lower_is_better` must be given for"):
            compare(-SCORES, metric=metric, **TEN)
        return
    # Scores that are all negative have been negated by hand.
    negated = assert_reads(-SCORES, -SCORES, metric=metric)
    assert negated.metric == metric
    assert negated.note.endswith("but the scores are negated already.")
    assert_reads(SCORES, SCORES, metric=metric, lower_is_better=False)


@pytest.mark.parametrize(
    "metric",
    ["accuracy", "roc_auc", "kap", "rsq", "classif.acc", "classif.auc", "f_meas", "ccc", "mcc",
     "classif.bacc", "Accuracy", "Kappa", "ROC", "Rsquared", "score", "r2", "d2_log_loss",
     "D2 Poisson deviance", "D2: log loss",
     "brier skill score", "explained deviance", "Cohen's kappa", "F1-Score", "precision@10"],
)  # fmt: skip
def test_other_metrics_keep_their_sign(metric):
    found = assert_reads(long_frame(metric=metric))
    assert (found.metric, found.note) == (metric, "")


def test_a_zero_error_is_no_negative_zero():
    values = compare(np.zeros((2, 10)), lower_is_better=True, **TEN).scores.values
    assert not np.signbit(values).any()


def test_the_direction_of_a_search_is_known(tmp_path):
    results = {f"split{k}_test_score": SCORES[:, k] for k in range(10)}
    compare(SCORES, **TEN).to_csv(tmp_path / "saved.csv")
    ranks = stats.rankdata(-SCORES.mean(axis=1))
    ranked = {**results, "rank_test_score": ranks}
    for obj in (ranked, pd.DataFrame(ranked), tmp_path / "saved.csv"):
        for direction in (True, False):
            with pytest.raises(ValueError, match="`lower_is_better` must be left out where"):
                compare(obj, lower_is_better=direction, **TEN)
    # Without a rank they may come from anywhere.
    assert_reads(results, -SCORES, lower_is_better=True)
    for wrong in (1, "yes", "rmse"):
        with pytest.raises(ValueError, match="`lower_is_better` must be True, False or None; got"):
            compare(SCORES, lower_is_better=wrong, **TEN)
    with pytest.raises(ValueError, match="negated, as the metric's name says; got True for 'neg_r"):
        compare(-SCORES, metric="neg_rmse", lower_is_better=True, **TEN)
    with pytest.raises(ValueError, match="`lower_is_better` must be given for 'loss'"):
        compare(SCORES - 0.8, metric="loss", **TEN)


def attempt(obj):
    """The comparison, or the message of the error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)
        try:
            return compare(obj, **TEN)
        except ValueError as error:
            return str(error)


def refused(obj, words, **arguments):
    with pytest.raises((ValueError, TypeError)) as error:
        compare(obj, **{**TEN, **arguments})
    message = str(error.value)
    assert message.startswith("`"), message
    assert " must " in message, message
    assert len(message) <= 1200, len(message)
    assert words in message, message


LONG, AUC, UNKNOWN = long_frame(), long_frame(metric="auc"), {"test_train_ratio": None}
TWICE = pd.concat([long_frame(seed=0), long_frame(seed=1)])
OTHER_SPLITS = long_frame()
OTHER_SPLITS.loc[OTHER_SPLITS["model"] == "bayes", "split"] += 1
DIFFERENT_SIZES = long_frame(n_train=90, n_test=10)
DIFFERENT_SIZES.loc[25, "n_test"] = 11


@pytest.mark.parametrize(
    ("frame", "arguments", "words"),
    {
        "absent": (LONG.drop(index=[3, 12]), {}, "absent are 'svm' on '3', 'forest' on '2'. Add"),
        "many absent": (LONG.query("model != 'svm' or split < 5"), {}, "'svm' on '7' and 2 more"),
        "other splits": (OTHER_SPLITS, {}, "only 'bayes' of these two has '10', and only 'svm'"),
        "twice": (TWICE, {}, "got 2 for 'svm' on '0'. These rows differ in 'seed': add the colum"),
        "the same row twice": (pd.concat([LONG, LONG.head(1)]), {}, "on '0'. Keep one of them"),
        "several data sets": (
            pd.concat([long_frame(dataset="iris"), long_frame(dataset="wine")]), {},
            "column 'dataset' names 2: iris, wine. Keep the rows of one, or compare over several",
        ),
        "sizes that differ": (DIFFERENT_SIZES, UNKNOWN, "'n_test' differ withi"),
        "no test samples": (long_frame(n_train=90, n_test=0), UNKNOWN, "numbers ≥ 1 of samples in"),
        "sizes in parts": (long_frame(n_train=90.5, n_test=10), UNKNOWN, "got 90.5"),
        "no sizes": (
            long_frame(split=np.tile(FOLDS, 3)), UNKNOWN,
            "If the 10 folds partition the data, pass test_train_ratio=1 / 9.",
        ),
        "several metrics": (
            pd.concat([AUC, long_frame(metric="f1")]), {},
            "`metric` must be one of auc, f1; got None",
        ),
        "no metric": (long_frame(metric=["auc"] * 29 + [None]), {}, "'metric' does not in row 29"),
        "a model without the metric": (
            pd.concat([AUC, long_frame(metric="f1").iloc[:20]]),
            {"metric": "f1"},
            "must have scores by 'f1' of every model; 'bayes' has none",
        ),
        "scores of training samples": (
            pd.concat([long_frame(subset="train"), long_frame(subset="test")]), {},
            "got a column 'subset' with test, train",
        ),
        "training alone": (long_frame(part="Training"), {}, "got a column 'part' with training"),
        "an unknown metric": (AUC, {"metric": "f1"}, "`metric` must be one of 'auc'; got 'f1'"),
        "parts of the data": (
            long_frame(fold=np.tile(range(10), 3), split=["train", "test"] * 15), {},
            "column 'split' with test, train. Keep the rows of the test samples",
        ),
        "an unknown column": (LONG, {"split": "fold"}, "`split` must be one of the columns model,"),
        "no name": (LONG, {"model": 3}, "`model` must be the name of a column, or a list; got 3"),
        "a model without a name": (
            long_frame(model=["svm"] * 29 + [None]), {},
            "`obj` must name the model of every row; column 'model' is empty in row 29",
        ),
        "words": (long_frame(score="good"), {"value": "score"}, "score does not: got 'good'"),
        "no column of splits": (
            long_frame().rename(columns={"split": "seed"}), {"value": "score"},
            "`split` must name the column of the splits in a long table; got None, and columns 'mo",
        ),
        "nothing": (LONG.head(0), {"model": "model"}, "at least one model and split"),
        "names for a matrix": (SCORES, {"model": "model"}, "`model` must be left out where `obj`"),
        "names for vectors": ({"a": SCORES[0]}, {"value": "x"}, "`value` must be left out where"),
        "orient": (LONG, {"model": "model", "orient": "index"}, "`orient` must be left"),
        "a column twice": (
            pd.concat([long_frame(), long_frame()[["score"]]], axis=1), {"model": "model"},
            "different names in a long table; got 'score' twice",
        ),
    }.values(),
)  # fmt: skip
def test_what_cannot_be_paired_is_refused(frame, arguments, words):
    refused(frame, words, **arguments)


def test_a_column_that_tells_rows_apart_makes_them_splits():
    """Two seeds of each of ten splits are twenty pairs of scores, once `split` names both."""
    assert_reads(TWICE, np.hstack([SCORES, SCORES]), split=["seed", "split"])
    assert list(compare(TWICE, model=["model", "seed"], **TEN).labels)[:2] == ["svm 0", "forest 0"]


def test_metric_may_name_its_column():
    frame = long_frame(kind="auc")
    assert compare(frame, metric="kind", **TEN).metric == "auc"
    assert compare(long_frame(f1=SCORES.ravel() / 2), metric="f1", **TEN).metric == "f1"
    assert compare(long_frame(), metric="auc", **TEN).metric == "auc"  # a name for the score
    both = pd.concat([frame, long_frame(kind="f1", score=SCORES.ravel() / 2)])
    assert assert_reads(both, SCORES / 2, metric="f1").metric == "f1"  # a name in its column
    refused(both, "`metric` must be one of auc, f1; got None", metric="kind")


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame(SCORES.T, columns=["pipeline", "score", "svm"]).assign(fold=FOLDS),
        pd.DataFrame(SCORES.T, columns=MODELS, index=pd.Index(FOLDS, name="fold")),
        pd.DataFrame(SCORES, index=pd.Index(MODELS, name="model"), columns=FOLDS),
        pd.DataFrame(SCORES.T, columns=["model", "method", "score"], index=pd.Index(FOLDS)),
    ],
)
def test_a_matrix_is_not_taken_for_a_long_table(frame):
    """Models may be called "pipeline" or "score": their columns hold scores, not names."""
    found = attempt(frame)
    if isinstance(found, str):
        assert found.startswith("`obj` must be a matrix of scores")
    else:
        assert sorted(found.scores.values.ravel()) == sorted(SCORES.ravel())


DESIGNS = {
    "sizes": SplitDesign([90] * 10, [10] * 10),
    "uneven sizes": SplitDesign(range(90, 100), range(1, 11), n_samples=200),
    "a partition": SplitDesign([90] * 10, [10] * 10, [0] * 10, n_samples=100),
    "repeats": SplitDesign([80] * 10, [20] * 10, [0] * 5 + [1] * 5, n_samples=100),
    "a ratio": SplitDesign.from_ratio(1 / 9, 10),
    "a ratio with repeats": SplitDesign.from_ratio(1 / 4, 10, [0] * 5 + [1] * 5),
    "halves": SplitDesign([50] * 10, [50] * 10, np.arange(10) // 2, complementary_halves=True),
    "an expanding window": SplitDesign(range(10, 110, 10), [10] * 10, expanding=True),
    "bootstraps": SplitDesign([63] * 10, [37] * 10, resampled=True, n_samples=100),
    "spoilt": SplitDesign([90] * 10, [10] * 10, repeated=True, tests_training=True, n_samples=100),
}


@pytest.mark.parametrize("design", DESIGNS.values(), ids=DESIGNS)
@pytest.mark.filterwarnings("ignore::sklearn_stats_compare.ComparisonWarning")
def test_a_comparison_is_read_back_from_its_long_table(design, tmp_path):
    comparison = Comparison(SplitScores(SCORES, design), MODELS, metric="roc_auc")
    table = comparison.to_long()
    assert len(table) == 30
    table.to_csv(tmp_path / "long.csv", index=False)
    for obj in (table, tmp_path / "long.csv", table.sample(frac=1, random_state=0)):
        again = compare(obj)
        own = again.scores.design
        for name in ("n_train", "n_test", "repeat"):
            np.testing.assert_array_equal(getattr(own, name), getattr(design, name))
        for name in (*FLAGS, "n_samples"):
            assert getattr(own, name) == getattr(design, name)
        order = [list(again.labels).index(name) for name in MODELS]
        np.testing.assert_array_equal(again.scores.values[order], SCORES)
    for obj in (table, tmp_path / "long.csv"):
        assert_same_tables(compare(obj), comparison)


def test_candidates_named_by_fractions_are_read_back_from_a_file(tmp_path):
    # A grid of C: the column of models holds numbers with a fraction, as a matrix of scores does.
    labels = ["0.1", "1", "10"]
    comparison = Comparison(SplitScores(SCORES, DESIGNS["sizes"]), labels)
    comparison.to_long().to_csv(tmp_path / "long.csv", index=False)
    again = compare(tmp_path / "long.csv")
    assert list(again.labels) == labels
    assert_same_tables(again, comparison)
    # A matrix with a row for each split, and scores of a model called "model".
    matrix = pd.DataFrame({"fold": range(10), "model": SCORES[0], "test_score": SCORES[1]})
    with pytest.raises(ValueError, match="must be a matrix of scores"):
        compare(matrix, **TEN)


def test_failed_candidates_are_in_the_long_table():
    scores = SCORES.copy()
    scores[1, 4] = np.nan
    comparison = Comparison(SplitScores(scores, DESIGNS["sizes"]), MODELS)
    assert_same_tables(compare(comparison.to_long()), comparison)
    assert comparison.to_long()["score"].isna().sum() == 1


def test_tables_of_several_metrics_can_be_joined():
    values = {"roc_auc": SCORES, "neg_log_loss": -SCORES}
    own = {
        metric: Comparison(SplitScores(scores, DESIGNS["sizes"]), MODELS, metric=metric)
        for metric, scores in values.items()
    }
    table = pd.concat([comparison.to_long() for comparison in own.values()])
    for metric, comparison in own.items():
        assert_same_tables(compare(table, metric=metric), comparison)
    refused(table, "`metric` must be one of roc_auc, neg_log_loss; got None")


def test_models_scored_elsewhere_are_added_as_rows():
    two = Comparison(SplitScores(SCORES[:2], DESIGNS["sizes"]), MODELS[:2])
    third = long_frame(metric="score", n_train=90, n_test=10).query("model == 'bayes'")
    whole = Comparison(SplitScores(SCORES, DESIGNS["sizes"]), MODELS)
    assert_same_tables(compare(pd.concat([two.to_long(), third])), whole)


@pytest.mark.parametrize("seed", range(3))
def test_a_damaged_table_is_read_right_or_refused(seed):
    """Any rows dropped, doubled or moved to another model or split: never another pairing."""
    rng = np.random.default_rng(seed)
    truth = {(row.model, row.split): row.score for row in long_frame().itertuples()}
    for _ in range(60):
        frame = long_frame()
        for _ in range(rng.integers(1, 4)):
            kind, k = rng.integers(4), rng.integers(len(frame))
            if kind == 0:
                frame = frame.drop(index=frame.index[k])
            elif kind == 1:
                frame = pd.concat([frame, frame.iloc[[k]]], ignore_index=True)
            elif kind == 2:
                frame = frame[frame["model"] != rng.choice(MODELS)]
            else:
                frame = frame[frame["split"] != rng.integers(10)]
            if len(frame) < 2:
                break
        found = attempt(frame)
        if isinstance(found, str):
            assert found.startswith("`obj` must ")
            continue
        splits = sorted(set(frame["split"]))
        for label, values in zip(found.labels, found.scores.values, strict=True):
            assert values.tolist() == [truth[label, split] for split in splits]


@pytest.mark.parametrize("column", ["eval_metric", "early_stopping_metric", "monitor"])
def test_a_booster_s_own_metric_is_not_that_of_the_scores(column):
    table = long_frame().assign(**{column: "rmse"})
    named = table.rename(columns={"score": "r2"})
    assert compare(named, model="model", split="split", value="r2", **TEN).metric == "r2"
    with pytest.raises(ValueError, match=f"{column}' names 'rmse', by which models may only have"):
        compare(table, **TEN)
