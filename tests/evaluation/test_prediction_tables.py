"""Long tables of predictions are read as the arrays that they were made of."""

import functools
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from sklearn_stats_compare import compare_predictions, cross_validate_models

X, truth = (array[:120] for array in load_breast_cancer(return_X_y=True))
CLASSES = np.array(["benign", "malignant"])
y = CLASSES[truth]
MODELS = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3, random_state=0)}
# Twelve folds a repeat: Fold10 sorts before Fold2 as text.
CV = RepeatedStratifiedKFold(n_splits=12, n_repeats=2, random_state=0)
pytestmark = pytest.mark.filterwarnings(
    "ignore:A class has as few:sklearn_stats_compare.ComparisonWarning"
)


METRICS = ["accuracy", "neg_log_loss", "roc_auc"]


@functools.cache
def expected_of_all():
    options = {"scoring": METRICS, "cv": CV, "test": "samples", "return_predictions": True}
    return cross_validate_models(MODELS, X, y, **options)


def expected(metric="accuracy"):
    return expected_of_all()[metric]


def tidymodels():
    """The columns of collect_predictions(workflow_set, summarize = FALSE), R's rows from 1."""
    parts = []
    for name, model in MODELS.items():
        for k, (train, test) in enumerate(CV.split(X, y)):
            p = model.fit(X[train], y[train]).predict_proba(X[test])
            columns = {
                "wflow_id": f"recipe_{name}",
                ".config": "Preprocessor1_Model1",
                "preproc": "recipe",
                "model": name,
                "id": f"Repeat{k // 12 + 1}",
                "id2": f"Fold{k % 12 + 1}",
                ".pred_class": model.predict(X[test]),
                ".row": test + 1,
                # R's order of levels, here that of the alphabet reversed
                ".pred_malignant": p[:, 1],
                ".pred_benign": p[:, 0],
                "diagnosis": y[test],
            }
            parts.append(pd.DataFrame(columns))
    return pd.concat(parts, ignore_index=True)


TABLE = tidymodels()
TIDY_NAMES = {
    "model": "wflow_id", "row": ".row", "fold": "id2", "repeat": "id", "truth": "diagnosis"
}  # fmt: skip
MLR3 = pd.DataFrame(
    {
        "learner_id": "classif." + TABLE["model"],
        "iteration": (TABLE["id"] == "Repeat2") * 12 + TABLE["id2"].str[4:].astype(int),
        "row_ids": TABLE[".row"],
        "truth": TABLE["diagnosis"],
        "response": TABLE[".pred_class"],
        "prob.benign": TABLE[".pred_benign"],
        "prob.malignant": TABLE[".pred_malignant"],
    }
)
OWN = TABLE.rename(
    columns={
        "wflow_id": "who", "id": "run", "id2": "part", ".row": "case", ".pred_class": "said",
        ".pred_benign": "p0", ".pred_malignant": "p1", "diagnosis": "is",
    }
).drop(columns=[".config", "preproc", "model"])  # fmt: skip
OWN_NAMES = {"model": "who", "row": "case", "fold": "part", "repeat": "run", "truth": "is"}


MLR3_NAMES = {"model": "learner_id", "row": "row_ids", "fold": "iteration", "truth": "truth"}


def responses(metric, values, of_classes):
    """The columns that a metric takes."""
    if metric == "accuracy":
        return values
    return {name: of_classes.format(name) for name in ("benign", "malignant")}


def compare_tidy(table, metric="accuracy", **names):
    response = responses(metric, ".pred_class", ".pred_{}")
    names = {**TIDY_NAMES, "response": response, **names}
    return compare_predictions(table, metric=metric, **names)


def assert_same_numbers(found, reference):
    columns = [name for name in reference.against() if not name.startswith("model_")]
    tables = (one.against()[columns] for one in (found, reference))
    pd.testing.assert_frame_equal(*tables, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize(
    ("metric", "shuffled"), [("accuracy", False), *((metric, True) for metric in METRICS)]
)
def test_tables_have_the_numbers_of_cross_validate_models(metric, shuffled):
    reference = expected(metric)
    order = np.random.default_rng(0).permutation(len(TABLE)) if shuffled else slice(None)
    found = compare_tidy(TABLE.iloc[order], metric)
    assert_same_numbers(found, reference)
    assert found.leader == f"recipe_{reference.leader}"
    response = responses(metric, "response", "prob.{}")
    mlr3 = compare_predictions(MLR3.iloc[order], metric=metric, response=response, **MLR3_NAMES)
    assert_same_numbers(mlr3, reference)
    response = "said" if metric == "accuracy" else {"benign": "p0", "malignant": "p1"}
    own = compare_predictions(OWN.iloc[order], metric=metric, response=response, **OWN_NAMES)
    assert_same_numbers(own, reference)


def test_several_columns_name_a_model_and_one_that_adds_nothing_does_not():
    # A tuned workflow: its candidates differ in .config alone.
    tuned = TABLE.assign(**{".config": "pre0_" + TABLE["model"], "wflow_id": "one"})
    for columns, expected in (
        (["wflow_id", ".config"], ["one pre0_bayes", "one pre0_tree"]),
        # `.config` alone would do, but `model` has told them apart already.
        (["wflow_id", "model", ".config"], ["one bayes", "one tree"]),
    ):
        assert sorted(compare_tidy(tuned, model=columns).ranking()["label"]) == expected


def test_samples_are_named_by_their_rows_and_grouped_by_a_column():
    early = pd.Series(np.arange(1, 121) <= 50, index=np.arange(1, 121))
    assert compare_tidy(TABLE).by(early).table["n_samples"].tolist() == [70, 50]
    found = compare_tidy(TABLE.assign(patient=(TABLE[".row"] - 1) // 3), groups="patient")
    assert found.scores.samples.n_samples == 40  # 120 / 3


def test_polars_tables():
    assert_same_numbers(compare_tidy(pl.DataFrame(TABLE.to_dict("list"))), expected())


def without(table, rows):
    return table.drop(index=table.index[rows])


@pytest.mark.parametrize(
    ("table", "arguments", "message"),
    [
        (OWN, OWN_NAMES | {"repeat": None, "response": "said"}, "`repeat` must name the column of"),
        (TABLE, {"fold": None}, "`fold` must be the name of a column of the table"),
        (TABLE, {"model": None}, "`model` must be the name of a column of the table, which has wf"),
        (TABLE, {"truth": None}, "`truth` must be the name of a column of the table, which has wf"),
        (TABLE, {"response": None}, "`response` must be the name of a"),
        (
            TABLE,
            {"metric": "neg_log_loss", "response": {"malignant": ".pred_malignant"}},
            "a column of probabilities of each class of 'diagnosis' for 'neg_log_loss', benign, "
            "malignant; got '.pred_malignant' of malignant",
        ),
        (without(TABLE, [3]), {}, "those of 'recipe_bayes' and 'recipe_tree' differ, first at"),
        (without(TABLE, [3, 3 + len(TABLE) // 2]), {}, "overlap or leave samples out"),
        (pd.concat([TABLE, TABLE[:1]]), {}, "must have one row per model, fold and sample; got"),
        (TABLE.assign(diagnosis=[*TABLE["diagnosis"][:-1], "benign"]), {}, "`y` must have"),
        (TABLE.assign(**{".row": TABLE[".row"].where(TABLE[".row"] > 1)}), {}, "missing values in"),
        (TABLE.assign(**{".case_weights": 1.0}), {}, "without weights"),
        (TABLE[TABLE["id2"] == "Fold1"], {}, "or one test set"),
        (TABLE.assign(id2=[[1]] * len(TABLE)), {}, "`y` must hold labels of one kind in 'id2'"),
        (TABLE, {"row": "rows"}, "`row` must be a column of the table, one of wflow_id"),
        (TABLE, {"row": "id2"}, "`fold` must be another column than `row`; got 'id2'"),
        (TABLE, {"folds": [0, 1]}, "`folds` and `classes` must be left out for a table"),
        (TABLE, {"groups": "patient"}, "`groups` must be a column of the table"),
        (TABLE[["id", "id"]], {}, "`y` must be a table without repeated columns; got id"),
        (TABLE, {"response": [".pred_benign"]}, "`response` must be the name of a column, or a di"),
    ],
)
def test_what_a_table_does_not_say_is_asked_for(table, arguments, message):
    with pytest.raises((TypeError, ValueError), match=re.escape(message)):
        compare_tidy(table, **arguments)


def test_samples_of_a_table_are_known_by_name_and_not_by_place():
    """Rows are sorted by name, p0, p1, p10, so that an array would pair other samples."""
    rng = np.random.default_rng(0)
    n = 400
    data = pd.DataFrame({"id": [f"p{k}" for k in range(n)], "sex": rng.choice(["f", "m"], n)})
    truth = rng.integers(0, 2, n)
    first = np.where(data["sex"] == "f", truth, rng.integers(0, 2, n))  # always right for one sex
    rows = {"id": data["id"], "fold": np.arange(n) % 5, "truth": truth}
    table = pd.concat(
        [pd.DataFrame({"model": m, "pred": p, **rows}) for m, p in (("a", first), ("b", 1 - truth))]
    )
    names = {"model": "model", "fold": "fold", "truth": "truth", "response": "pred"}
    comparison = compare_predictions(table, metric="accuracy", row="id", **names)
    for groups in (data["sex"].to_numpy(), list(data["sex"])):
        with pytest.raises(ValueError, match="must be a pandas Series whose index has the names"):
            comparison.by(groups)
    found = comparison.by(data.set_index("id")["sex"]).table.set_index("group")["mean_diff"]
    assert found["f"] == 1
    numbered = table.assign(row=[*range(n)] * 2)
    by_place = compare_predictions(numbered, metric="accuracy", row="row", **names)
    assert by_place.by(data["sex"].to_numpy()).table.set_index("group")["mean_diff"]["f"] == 1


def test_names_of_samples_may_be_categories_of_a_larger_table():
    table = pd.DataFrame(
        {"row": [*range(20)] * 2, "fold": [*range(10)] * 4, "truth": [0, 0, 1, 1] * 10}
    )
    table = table.assign(model=np.repeat(["a", "b"], 20), pred=1)
    names = {"model": "model", "fold": "fold", "truth": "truth", "response": "pred", "row": "row"}
    plain = compare_predictions(table, metric="accuracy", test="corrected_t", **names)
    table["row"] = table["row"].astype("category").cat.add_categories([99])
    again = compare_predictions(table, metric="accuracy", test="corrected_t", **names)
    assert np.array_equal(again.scores.values, plain.scores.values)
