"""Tables such as ``cv_results_`` that people made: what their other columns say of the rows."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.model_selection import HalvingGridSearchCV
from sklearn.tree import DecisionTreeClassifier

from sklearn_stats_compare import RacingGridSearchCV, compare, compare_datasets

TEN = {"test_train_ratio": 1 / 9}
BY_QUALITY = np.array([0.7, 0.75, 0.8, 0.85])  # of the models 1, 2, 3, 4


def results(order=(0, 1, 2, 3), seed=0):
    """Scores of the four models in this order, and their numbers."""
    draws = np.random.default_rng(seed).normal(0, 0.001, (4, 10))
    scores = (BY_QUALITY[:, np.newaxis] + draws)[list(order)]
    table = pd.DataFrame(scores, columns=[f"split{k}_test_score" for k in range(10)])
    return table, np.array(order) + 1


def means_by_label(comparison):
    return dict(zip(comparison.labels, comparison.scores.means.round(2), strict=True))


FORMS = {
    "a column of numbers": lambda table, names: table.assign(model=names),
    "a column of text": lambda table, names: table.assign(regressor=[f"m{n}" for n in names]),
    "an index of numbers": lambda table, names: table.set_axis(pd.Index(names, name="model")),
    "an index without a name": lambda table, names: table.set_axis(names * 1),
    "two columns": lambda table, names: table.assign(model="svm", scaling=[f"s{n}" for n in names]),
    "two levels": lambda table, names: table.set_axis(
        pd.MultiIndex.from_arrays([["svm"] * 4, [f"s{n}" for n in names]])
    ),
    "parameters": lambda table, names: table.assign(param_C=names),
    "a model and a parameter": lambda table, names: table.assign(
        model=np.where(names < 3, "svm", "knn"), param_C=names % 2
    ),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("to_file", [False, True])
def test_names_in_any_column_pair_the_models_of_data_sets(form, to_file, tmp_path):
    of_datasets, first = {}, None
    for seed in range(6):
        order = np.random.default_rng(seed).permutation(4)
        table = FORMS[form](*results(order, seed))
        if to_file:
            table.to_csv(tmp_path / f"{seed}.csv")
            table = tmp_path / f"{seed}.csv"
        of_datasets[f"set {seed}"] = table
        own = means_by_label(compare(table, **TEN))
        first = first or own
        assert own == first
    assert sorted(first.values()) == BY_QUALITY.tolist()
    found = compare_datasets(of_datasets, warn=False)
    means = found.values.mean(axis=1).round(2)
    assert dict(zip(found.labels, means, strict=True)) == first


def test_tables_whose_models_have_no_names_are_refused_for_data_sets():
    table, names = results((3, 2, 1, 0))
    unnamed = table.assign(C=names)
    found = compare(unnamed, **TEN)
    assert "named after the rows of the table" in repr(found)
    with pytest.raises(ValueError, match=r"must name the models of each data set.*'first'"):
        compare_datasets({"first": unnamed, "second": results(seed=1)[0].assign(C=names)})


def test_models_must_have_a_name_in_each_row_and_another_in_each():
    table, _ = results()
    with pytest.raises(ValueError, match="column 'model' is empty in row 1"):
        compare(table.assign(model=["a", None, "b", "c"]), **TEN)
    with pytest.raises(ValueError, match="another name in each row; got 'a' in several"):
        compare(table.assign(model=["a", "a", "b", "c"], C=[1, 2, 1, 1]), **TEN)


@pytest.mark.parametrize("index", [False, True])
def test_rows_of_several_data_sets_are_refused(index):
    table, _ = results()
    table = table.assign(model=list("abab"), dataset=["iris", "iris", "wine", "wine"])
    table = table.set_index(["dataset", "model"]) if index else table
    with pytest.raises(ValueError, match="column 'dataset' names 2: iris, wine"):
        compare(table, **TEN)


def test_a_table_of_results_on_several_data_sets_is_split_by_the_caller():
    parts = [
        results(seed=seed)[0].assign(model=list("abcd"), dataset=f"{seed}") for seed in range(6)
    ]
    table = pd.concat(parts)
    with pytest.raises(ValueError, match="a mapping of data sets to tables of results"):
        compare_datasets(table)
    found = compare_datasets(dict(list(table.groupby("dataset"))), warn=False)
    assert found.labels == ("a", "b", "c", "d")


def test_a_column_of_metrics_is_read():
    table, _ = results()
    with pytest.raises(ValueError, match="column 'metric' names 2: f1, recall"):
        compare(table.assign(metric=["f1", "f1", "recall", "recall"]), **TEN)
    found = compare(table.assign(model=list("abcd"), metric="rmse"), **TEN)
    assert found.metric == "neg_rmse"
    assert found.ranking()["label"].iloc[0] == "a"  # with the smallest error
    assert compare(table.assign(metric="f1"), metric="f1", **TEN).metric == "f1"


def test_the_direction_that_a_table_gives_is_read():
    table, _ = results()
    table = table.assign(model=list("abcd"), greater_is_better=False)
    assert compare(table, **TEN).ranking()["label"].iloc[0] == "a"


def test_an_index_of_text_is_kept_in_a_file(tmp_path):
    table, _ = results()
    table.set_axis(["lr", "svm", "rf", "knn"]).to_csv(tmp_path / "results.csv")
    assert compare(tmp_path / "results.csv", **TEN).labels == ("lr", "svm", "rf", "knn")


GRID = {"max_depth": [1, 2, 3, 4, 5, 6]}
NAMES = ["one", "two", "three", "four", "five", "six"]


def test_labels_of_a_race_may_be_a_series_or_an_index():
    X, y = load_iris(return_X_y=True)
    race = RacingGridSearchCV(DecisionTreeClassifier(random_state=0), GRID, random_state=0, cv=10)
    race.fit(X, y)
    expected = race.compare(labels=NAMES).labels
    assert len(expected) < len(NAMES)  # some were dropped
    for labels in (np.array(NAMES), pd.Series(NAMES), pd.Index(NAMES)):
        assert race.compare(labels=labels).labels == expected
        assert compare(race, labels=labels).labels == expected
        assert compare(race.cv_results_, labels=labels, test_train_ratio=1 / 9).labels == expected


@pytest.mark.filterwarnings("ignore:Only the last iteration")
def test_labels_of_halving_may_be_those_of_all_rows():
    X, y = load_iris(return_X_y=True)
    search = HalvingGridSearchCV(
        DecisionTreeClassifier(random_state=0), GRID, cv=10, random_state=0
    )
    search.fit(X, y)
    frame = pd.DataFrame(search.cv_results_)
    names = [f"{i}: {params['max_depth']}" for i, params in enumerate(frame["params"])]
    last = frame.index[frame["iter"] == frame["iter"].max()]
    expected = tuple(names[i] for i in last)
    for labels in (names, pd.Series(names)):
        assert compare(search, labels=labels).labels == expected
        assert compare(frame, labels=labels, **TEN).labels == expected
    assert compare(frame, labels=pd.Series(names)[last], **TEN).labels == expected
