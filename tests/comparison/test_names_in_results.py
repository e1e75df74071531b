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


def test_rows_go_by_the_numbers_of_a_sorted_table(tmp_path):
    table, _ = results()
    turned = table.iloc[::-1]  # the index is 3, 2, 1, 0
    turned.to_csv(tmp_path / "sorted.csv")
    expected = {"3": 0.85, "2": 0.8, "1": 0.75, "0": 0.7}
    for form in (turned, tmp_path / "sorted.csv", turned.set_axis([3.0, 2.0, 1.0, 0.0])):
        assert means_by_label(compare(form, **TEN)) == expected
    first = compare(turned, **TEN)
    assert first.posterior(0, 3).loc == first.posterior("0", "3").loc
    of_datasets = {str(k): results(seed=k)[0].iloc[:: (-1) ** k] for k in range(6)}
    found = compare_datasets(of_datasets, warn=False)
    assert dict(zip(found.labels, found.values.mean(axis=1).round(2), strict=True)) == expected


@pytest.mark.parametrize("kind", [list, np.array, pd.Series])
def test_labels_of_a_sorted_file_go_by_its_rows(kind, tmp_path):
    table, names = results((2, 0, 3, 1))
    table = table.assign(param_C=names).set_axis([2, 0, 3, 1])
    table.to_csv(tmp_path / "sorted.csv")
    labels = kind([f"C={name}" for name in names])
    labels = labels.set_axis(table.index) if kind is pd.Series else labels
    expected = {"C=4": 0.85, "C=3": 0.8, "C=2": 0.75, "C=1": 0.7}
    found = compare(tmp_path / "sorted.csv", labels=labels, **TEN)
    assert means_by_label(found) == expected
    found.to_csv(tmp_path / "own.csv")
    own = compare(tmp_path / "own.csv", labels=labels if kind is pd.Series else list(labels))
    assert means_by_label(own) == expected


def test_names_that_look_like_numbers_or_gaps_are_kept(tmp_path):
    table, _ = results()
    table.set_axis(["007", "None", "NA", "1"]).to_csv(tmp_path / "names.csv")
    assert compare(tmp_path / "names.csv", **TEN).labels == ("007", "None", "NA", "1")


GRIDS = {
    "an index": lambda table, names, params: table.assign(params=params).set_axis(names),
    "a level": lambda table, names, params: table.assign(params=params).set_axis(
        pd.MultiIndex.from_arrays([names, [0, 1, 0, 1]])
    ),
    "a column": lambda table, names, params: table.assign(params=params, clf=names),
    "another parameter": lambda table, names, params: table.assign(params=params, param_clf=names),
}


@pytest.mark.parametrize("form", GRIDS)
def test_models_beside_parameters_are_no_smaller_c(form):
    table, _ = results()
    params = [{"C": C} for C in (1, 10, 1, 10)]
    found = compare(GRIDS[form](table, ["svm", "svm", "lr", "lr"], params), rope=0.5, **TEN)
    assert {*found.labels} in (
        {"svm_1", "svm_10", "lr_1", "lr_10"},
        {"1_svm", "10_svm", "1_lr", "10_lr"},
    )
    assert "smallest C" not in str(found.recommend())


@pytest.mark.parametrize(
    ("names", "why"),
    [
        (["svm", "rf", "lr", "std"], "which sums up the others"),
        (["svm", "rf", "lr", "fit_time"], "which is a time"),
        (["svm", "svm_train", "rf", "rf_train"], "the scores of training samples"),
        (["svm_accuracy", "svm_f1", "rf_accuracy", "rf_f1"], "several models by one metric"),
        (["fold1", "fold2", "fold3", "fold4"], "which names a split"),
    ],
)
def test_names_beside_parameters_are_checked(names, why):
    with pytest.raises(ValueError, match=why):
        compare(results()[0].assign(model=names, param_C=range(4)), **TEN)


def test_the_metric_in_the_names_of_models_beside_parameters_decides():
    names = [f"{name}~RMSE" for name in ("a", "b", "c", "d")]
    found = compare(results()[0].assign(model=names, param_C=range(4)), **TEN)
    assert found.metric == "neg_RMSE"
    assert found.ranking()["mean"].iloc[0] == pytest.approx(-0.7, abs=0.01)


ONE_IS_LOWEST = [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("columns", "metric"),
    [
        ({"measure": "rmse"}, "neg_rmse"),
        ({"score_name": "mae"}, "neg_mae"),
        ({"metric": "rmse", "rank_test_score": ONE_IS_LOWEST}, "neg_rmse"),
        ({"rank_test_score": ONE_IS_LOWEST}, "neg_score"),
        ({"rank_test_score": ONE_IS_LOWEST, "greater_is_better": False}, "neg_score"),
        ({"rank_test_score": ONE_IS_LOWEST[::-1]}, "score"),
    ],
)
@pytest.mark.parametrize("form", [pd.DataFrame, lambda table: table.to_dict("list")])
def test_what_a_table_says_of_its_direction_is_read(columns, metric, form):
    table = results()[0].assign(model=list("abcd"), **columns)
    found = compare(form(table), **TEN)
    assert found.metric == metric
    assert found.leader == ("a" if metric.startswith("neg_") else "d")


@pytest.mark.parametrize(
    ("name", "cells"),
    [("repeat", [1, 2, 1, 2]), ("Repeat", ["Repeat1", "Repeat2"] * 2), ("fold", [0, 1, 0, 1])],
)
@pytest.mark.parametrize("index", [False, True])
def test_rows_of_repeats_are_no_candidates(name, cells, index):
    table = results()[0].assign(model=list("aabb"), **{name: cells})
    with pytest.raises(ValueError, match="names several in rows"):
        compare(table.set_index(["model", name]) if index else table, **TEN)


@pytest.mark.parametrize("form", [pd.DataFrame, dict])
@pytest.mark.parametrize("named", [False, True])
def test_summaries_are_found_whether_rows_have_names_or_not(form, named):
    table = results()[0]
    means = table.assign(split10_test_score=table.mean(axis=1))
    means = means.assign(model=list("abcd")) if named else means
    with pytest.raises(ValueError, match="with the means of all others"):
        compare(form(means), **TEN)
    rows = pd.concat([table, table.mean().to_frame().T], ignore_index=True)
    rows = rows.assign(model=list("abcde")) if named else rows
    with pytest.raises(ValueError, match="which is made of the others"):
        compare(form(rows), **TEN)


@pytest.mark.parametrize("n_equal", [3, 4, 5])
def test_equal_candidates_are_no_summaries(n_equal):
    draws = np.random.default_rng(0)
    scores = np.vstack([draws.uniform(size=10), np.tile(draws.uniform(size=10), (n_equal, 1))])
    table = pd.DataFrame(scores, columns=[f"split{k}_test_score" for k in range(10)])
    for form in (table, dict(table), {f"tree {k}": own for k, own in enumerate(scores)}):
        assert compare(form, **TEN).scores.n_candidates == n_equal + 1
    named = pd.DataFrame(scores.T, [f"set {k}" for k in range(10)], list("abcdef"[: n_equal + 1]))
    assert compare_datasets(named, warn=False).n_models == n_equal + 1


BY = {
    "data sets": (pd.Index(list("abcdefghij"), name="dataset"), "compare_datasets"),
    "metrics": (["accuracy", "f1", "roc_auc", "recall", "precision", "mcc", "r2", "mae", "mse",
                 "rmse"],
                "one for each metric"),
    "training": ([f"split{k}_{part}_score" for k in range(5) for part in ("test", "train")],
                 "the scores of training samples"),
    "two metrics": ([f"split{k}_test_{m}" for k in range(5) for m in ("accuracy", "f1")],
                    "one of split_test_accuracy"),
    "models": (pd.Index(list("abcdefghij"), name="model"), "which may be models"),
}  # fmt: skip


@pytest.mark.parametrize("what", BY)
def test_the_index_of_series_says_whether_they_are_by_split(what):
    index, why = BY[what]
    vectors = {k: pd.Series(own.to_numpy(), index) for k, own in results()[0].iterrows()}
    with pytest.raises(ValueError, match=why):
        compare({f"m{k}": own for k, own in vectors.items()}, **TEN)
    if what in ("data sets", "models"):
        with pytest.raises(ValueError, match=r"which may be models|compare_datasets"):
            compare(vectors, **TEN)


@pytest.mark.parametrize("loss", ["loss", "criterion", "tuned_by"])
def test_a_parameter_is_no_metric(loss):
    table = results()[0].set_axis(list("abcd")).rename_axis("model")
    long = table.melt(ignore_index=False, var_name="fold", value_name="accuracy").reset_index()
    found = compare(long.assign(**{loss: "log_loss"}), value="accuracy", split="fold", **TEN)
    assert (found.metric, found.leader) == ("accuracy", "d")
    named = results()[0].assign(model=list("abcd"), **{loss: "log_loss"})
    assert compare(named, **TEN).leader == "d"


def test_columns_of_models_may_be_called_splitter():
    scores = results()[0].to_numpy()[2:].T
    frame = pd.DataFrame(scores, columns=pd.Index(["best", "random"], name="splitter"))
    assert compare(frame, **TEN).labels == ("best", "random")


def test_the_metric_in_the_corner_of_a_file_of_data_sets_is_read(tmp_path):
    draws = np.random.default_rng(0).uniform(0.1, 0.2, (8, 1))
    index = pd.Index([f"set {k}" for k in range(8)], name="RMSE")
    frame = pd.DataFrame(draws + np.array([0.3, 0.2, 0.1]), index, list("abc"))
    frame.to_csv(tmp_path / "errors.csv")
    for form in (frame, tmp_path / "errors.csv"):
        found = compare_datasets(form, warn=False)
        assert (found.metric, found.leader) == ("neg_RMSE", "c")


def test_an_array_called_cv_results_is_none():
    from sklearn.linear_model import RidgeCV

    X, y = load_iris(return_X_y=True)
    model = RidgeCV(store_cv_results=True).fit(X, y)
    for obj in (model, {"a": model, "b": model}):
        with pytest.raises(ValueError, match="RidgeCV has none"):
            compare(obj, **TEN)


def test_ranks_that_contradict_each_other_say_nothing():
    table = results()[0].assign(model=list("abcd"))
    for ranks in ([1, 2, 1, 2], [2, 1, 2, 1], [1, 1, 1, 1], [np.nan] * 4):
        assert compare(table.assign(rank_test_score=ranks), **TEN).leader == "d"
    # Beside those, the name of a loss decides.
    errors = table.rename(columns=lambda name: name.replace("_score", "_rmse"))
    found = compare(errors.assign(rank_test_rmse=1), **TEN)
    assert (found.metric, found.leader) == ("neg_rmse", "a")
    assert compare(errors.assign(rank_test_rmse=1), lower_is_better=True, **TEN).leader == "a"


def test_ranks_of_scores_that_were_rounded_later_may_contradict_the_means():
    scores = np.vstack([np.full(10, 0.979), np.r_[[0.978] * 5, [0.98] * 5]])
    scores[1, 0] = 0.977  # the mean of the second was higher before the rounding
    table = pd.DataFrame(scores, columns=[f"split{k}_test_score" for k in range(10)])
    assert compare(table.assign(rank_test_score=[2, 1]), **TEN).metric == "score"


@pytest.mark.parametrize("to", [dict, lambda table: table.to_dict("series")])
def test_names_and_ranks_of_a_mapping_go_by_the_index_of_its_columns(to):
    table = results()[0].assign(model=list("abcd"), rank_test_score=[4, 3, 2, 1])
    found = compare(to(table.iloc[[2, 0, 3, 1]]), **TEN)
    assert means_by_label(found) == {"a": 0.7, "b": 0.75, "c": 0.8, "d": 0.85}


@pytest.mark.parametrize("name", ["candidate", "params", "param"])
def test_names_may_be_in_columns_that_searches_write_otherwise(name):
    assert compare(results()[0].assign(**{name: list("abcd")}), **TEN).labels == tuple("abcd")


@pytest.mark.parametrize("levels", [["model", "greater_is_better"], ["greater_is_better", "model"]])
def test_the_direction_may_be_a_level(levels):
    table = results()[0].assign(model=list("abcd"), greater_is_better=False)
    matrix = table.rename(columns=lambda name: name.removesuffix("_test_score"))
    for form in (table, matrix):
        found = compare(form.set_index(levels), **TEN)
        assert (found.leader, found.labels) == ("a", tuple("abcd"))


def test_one_series_may_name_the_metric_of_all_vectors():
    errors = results()[0].to_numpy()
    vectors = {"a": pd.Series(errors[0], name="rmse"), "b": errors[1], "c": list(errors[2])}
    found = compare(vectors, **TEN)
    assert (found.metric, found.leader) == ("neg_rmse", "a")


@pytest.mark.parametrize("column", ["clf", "name", "wflow_id", "level_0"])
def test_text_beside_parameters_names_the_rows(column):
    table, _ = results()
    named = table.assign(**{column: ["svm", "svm", "lr", "lr"]}, param_C=[0.1, 1, 10, 100])
    assert set(compare(named, **TEN).labels) == {"svm_0.1", "svm_1.0", "lr_10.0", "lr_100.0"}


def test_a_level_and_a_parameter_called_model_both_name_the_rows():
    table, _ = results()
    params = [{"model": "svc"}, {"model": "tree"}] * 2
    index = pd.MultiIndex.from_arrays([["scaled", "scaled", "raw", "raw"], [0, 1, 0, 1]])
    found = compare(table.assign(params=params).set_axis(index), **TEN)
    assert means_by_label(found) == {
        "scaled_svc": 0.7, "scaled_tree": 0.75, "raw_svc": 0.8, "raw_tree": 0.85
    }  # fmt: skip


@pytest.mark.parametrize("values", [[True, False], [5, 50], ["pca", None], [0.5, np.nan]])
def test_any_column_tells_equal_parameters_apart_over_data_sets(values):
    of_datasets = {}
    for seed in range(6):
        order = np.random.default_rng(seed).permutation(4)
        table, names = results(order, seed)
        of_datasets[f"set {seed}"] = table.assign(
            param_C=np.where(names < 3, 1, 10), other=[values[n % 2] for n in names]
        )
    found = compare_datasets(of_datasets, warn=False).ranking()
    assert found["mean_rank"].tolist() == [1, 2, 3, 4]
    assert found["mean"].round(2).tolist() == sorted(BY_QUALITY, reverse=True)


def test_numbers_of_rows_are_no_names_of_models():
    # As of R's row names, of a ranking with places from 1, or of rows from a larger table.
    table, _ = results()
    numbered = table.set_axis([12, 15, 13, 14])
    assert compare(numbered, **TEN).labels == ("12", "15", "13", "14")
    with pytest.raises(ValueError, match="must name the models of each data set"):
        compare_datasets({f"set {seed}": numbered + seed / 1e4 for seed in range(6)}, warn=False)
    named = numbered.assign(algo=["svm", "rf", "lr", "knn"])
    assert compare(named, **TEN).labels == ("svm", "rf", "lr", "knn")


@pytest.mark.parametrize(
    ("column", "texts"),
    [
        ("fit_time", ["1.2s", "0.9s", "2s", "3s"]), ("significance", ["***", "", "*", "**"]),
        ("status", ["FINISHED", "FAILED"] * 2), ("place", ["1st", "2nd", "3rd", "4th"]),
    ],
)  # fmt: skip
def test_text_that_is_no_name_stands_beside_parameters(column, texts):
    table = results()[0].assign(**{column: texts}, param_C=[0.1, 1, 10, 100])
    assert set(compare(table, **TEN).labels) == {"0.1", "1.0", "10.0", "100.0"}


@pytest.mark.parametrize(
    "names",
    [
        ["1-NN", "3-NN", "5-NN", "10-NN"],
        ["7B", "13B", "_x", "(a) y"],
        ["5min", "1 day", "2x", "1/2"],
    ],
)
def test_names_need_not_begin_with_a_letter(names):
    table = results()[0].assign(clf=names, param_weight=[1, 2, 3, 4])
    assert compare(table, **TEN).labels == tuple(f"{own}_{k + 1}" for k, own in enumerate(names))


@pytest.mark.parametrize(
    ("column", "cells", "labels"),
    [
        ("run", ["run 1", "run 2", "run 3", "run 4"], "run 1 a,run 2 b,run 3 c,run 4 d"),
        ("place", ["1st", "2nd", "3rd", "4th"], "a,b,c,d"),
        ("summary", ["0.70 ± 0.01", "0.75 ± 0.01", "0.80 ± 0.02", "0.85"], "a,b,c,d"),
        ("label", [1, 2, 3, 4], "a,b,c,d"),
    ],
)
def test_which_of_several_texts_names_the_models_is_not_guessed(column, cells, labels):
    table = results()[0].assign(**{column: cells}, algo=list("abcd"))
    assert ",".join(compare(table, **TEN).labels) == labels


def test_all_columns_name_rows_whose_text_is_the_same():
    of_datasets, found = {}, None
    for seed in range(6):
        order = np.random.default_rng(seed).permutation(4)
        table, names = results(order, seed)
        columns = {"clf": np.where(names < 3, "svm", "rf"), "size": names % 2}
        of_datasets[f"set {seed}"] = compare(table.assign(**columns), **TEN)
    found = compare_datasets(of_datasets, warn=False).ranking()
    assert found["label"].tolist() == ["rf 0", "rf 1", "svm 0", "svm 1"]


def test_a_comparison_of_rows_without_names_is_refused_for_data_sets():
    table = results()[0].assign(C=[1, 2, 3, 4])
    by_set = {f"set {k}": compare(table + k / 1e4, **TEN) for k in range(6)}
    with pytest.raises(ValueError, match="must name the models of each data set"):
        compare_datasets(by_set)


@pytest.mark.parametrize("keys", [(3, 12), (0.1, 0.5), ("3m", "12m")])
def test_keys_of_concat_tell_equal_parameters_apart(keys):
    table = results()[0].assign(param_C=[1, 10, 1, 10])
    found = compare(pd.concat({keys[0]: table[:2], keys[1]: table[2:]}), **TEN)
    assert found.labels == tuple(f"{key}_{C}" for key in keys for C in (1, 10))


def test_a_row_without_a_name_beside_parameters_has_its_parameters():
    table = results()[0].assign(scaler=["standard", "minmax", None, "robust"], param_C=[1, 2, 3, 4])
    assert compare(table, **TEN).labels == ("standard_1", "minmax_2", "3", "robust_4")


@pytest.mark.parametrize("column", ["loss_function", "inner_metric", "refit_by", "eval_metric"])
def test_a_trained_loss_is_not_the_metric_of_the_scores(column):
    table = results()[0].assign(model=list("abcd"), **{column: "RMSE"})
    with pytest.raises(ValueError, match=f"'{column}' names 'RMSE', by which models may only"):
        compare(table, **TEN)
    named = table.rename(columns=lambda name: name.replace("_test_score", "_test_r2"))
    assert compare(named, **TEN).leader == "d"


def test_a_gap_in_one_of_two_names_is_an_empty_name():
    table = results()[0].assign(clf=["svm", "svm", "rf", "rf"], scaler=["standard", None] * 2)
    labels = ("svm standard", "svm", "rf standard", "rf")
    assert compare(table.assign(place=[1, 2, 3, 4]), **TEN).labels == labels


@pytest.mark.parametrize("places", [["1st", "2nd", "3rd", "4th"], [1, 2, 3, 4]])
def test_places_pair_no_models(places):
    table = results()[0].assign(place=places, C=[0.1, 1, 10, 100])
    with pytest.raises(ValueError, match="must name the models of each data set"):
        compare_datasets({f"set {k}": table for k in range(6)})


def test_true_and_false_name_rows_beside_parameters():
    table = results()[0].assign(scaled=[True, False] * 2, param_C=[1, 1, 10, 10])
    assert compare(table, **TEN).labels == ("True_1", "False_1", "True_10", "False_10")


def test_people_may_call_columns_candidate_and_label():
    table = results()[0].assign(candidate=["svm", "rf", "lr", "knn"], label=list("ABCD"))
    assert compare(table, **TEN).labels == ("svm", "rf", "lr", "knn")
    with_params = compare(table.assign(params="{}"), **TEN)
    assert with_params.labels == ("svm_A", "rf_B", "lr_C", "knn_D")


@pytest.mark.parametrize(
    "metric",
    [
        "100 - MAPE",
        "accuracy (1-error)",
        "profit_and_loss",
        "gain_in_logloss",
        "1/rmse",
        "rmse_without_outliers",
        "profit_mae",
        "no_show_error",
        "RMSE (no outliers)",
    ],
)
def test_gains_in_terms_of_a_loss_need_a_direction(metric):
    vectors = dict(zip("abcd", results()[0].to_numpy(), strict=True))
    with pytest.raises(ValueError, match="`lower_is_better` must be given"):
        compare(vectors, metric=metric, **TEN)
    for lower, leader in ((True, "a"), (False, "d")):
        assert compare(vectors, metric=metric, lower_is_better=lower, **TEN).leader == leader
