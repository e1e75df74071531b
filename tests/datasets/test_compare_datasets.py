"""What compare_datasets reads: the same scores in every form, and what it refuses."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

import sklearn_stats_compare as ssc

MODELS, DATASETS = ["a", "b", "c"], [f"data {k}" for k in range(12)]


def split_scores(seed=0, n_splits=10):
    """Scores of data sets × models × splits."""
    rng = np.random.default_rng(seed)
    level = rng.uniform(0.6, 0.9, (12, 1, 1))
    return level + 0.02 * np.arange(3)[:, None] + 0.05 * rng.standard_normal((12, 3, n_splits))


def long_table(values):
    places = np.ndindex(values.shape)
    rows = [(DATASETS[d], MODELS[m], fold, values[d, m, fold]) for d, m, fold in places]
    return pd.DataFrame(rows, columns=["dataset", "model", "fold", "score"])


def means_table(values):
    groups = long_table(values).groupby(["dataset", "model"], sort=False)
    return groups["score"].mean().reset_index()


def wide_table(values):
    return pd.DataFrame(values.mean(axis=2), DATASETS, MODELS)


def by_model(values):
    """{data set: {model: scores of its splits}}."""
    pairs = zip(DATASETS, values, strict=True)
    return {name: dict(zip(MODELS, own, strict=True)) for name, own in pairs}


def comparisons(values):
    design = ssc.SplitDesign([90] * values.shape[2], [10] * values.shape[2])
    return {
        name: ssc.Comparison(ssc.SplitScores(list(own.values()), design), MODELS, warn=False)
        for name, own in by_model(values).items()
    }


def test_every_form_of_the_same_scores_has_the_same_tables(tmp_path):
    values = split_scores()
    wide, long = wide_table(values), long_table(values)
    wide.to_csv(tmp_path / "wide.csv")
    long.to_csv(tmp_path / "long.csv", index=False)
    forms = [
        *(wide, long, means_table(values), comparisons(values), by_model(values)),
        {name: pd.DataFrame(own).T for name, own in by_model(values).items()},
        *(tmp_path / "wide.csv", tmp_path / "long.csv"),
        ssc.compare_datasets(comparisons(values)).to_long(),
        ssc.compare_datasets(wide).to_long(),
    ]
    expected = ssc.compare_datasets(wide).frequentist()
    for form in forms:
        found = ssc.compare_datasets(form)
        assert list(found.labels) == MODELS
        assert list(found.datasets) == DATASETS
        np.testing.assert_allclose(found.values, wide.to_numpy().T, rtol=1e-12)
        pd.testing.assert_frame_equal(found.frequentist(), expected)


def test_the_order_of_the_rows_changes_nothing():
    long = long_table(split_scores(n_splits=2))
    expected = ssc.compare_datasets(long).against()
    for seed in range(3):
        found = ssc.compare_datasets(long.sample(frac=1, random_state=seed)).against()
        pd.testing.assert_frame_equal(found, expected, check_categorical=False)


def test_split_scores_are_kept_where_sizes_are_known():
    values = split_scores()
    assert not ssc.compare_datasets(long_table(values)).comparisons
    sized = ssc.compare_datasets(long_table(values), test_train_ratio=1 / 9)
    assert list(sized.comparisons) == DATASETS
    of_one = sized.on_each("b", "a").iloc[3]
    one = ssc.compare(values[3], test_train_ratio=1 / 9, labels=MODELS)
    row = one.against("b", p_adjust=None).set_index("model_2").loc["a"]
    assert of_one["p_val"] == pytest.approx(row["p_val"], rel=1e-9)
    assert of_one["verdict"] == row["verdict"]


def test_sizes_may_differ_between_data_sets():
    values = split_scores()
    ratios = dict(zip(DATASETS, np.linspace(0.1, 0.5, 12), strict=True))
    found = ssc.compare_datasets(long_table(values), test_train_ratio=ratios)
    designs = [found.comparisons[name].scores.design for name in DATASETS]
    assert [d.test_train_ratio for d in designs] == pytest.approx(list(ratios.values()))
    with pytest.raises(ValueError, match="`test_train_ratio` must name every data set"):
        ssc.compare_datasets(long_table(values), test_train_ratio={"data 0": 0.1})


@pytest.mark.parametrize(
    "names",
    [
        ("task_id", "learner_id", "classif.acc"),  # mlr3
        ("dataset", "pipeline", "score"),  # MOABB
        ("data_name", "flow_name", "value"),  # OpenML
        ("dataset", "wflow_id", "estimate"),  # tidymodels, workflow sets
    ],
)
def test_the_columns_of_other_tools_are_named(names):
    values = split_scores()
    named = dict(zip(("dataset", "model", "value"), names, strict=True))
    found = ssc.compare_datasets(means_table(values).set_axis(list(names), axis=1), **named)
    np.testing.assert_allclose(found.values, values.mean(axis=2).T, rtol=1e-12)


def test_columns_may_be_named():
    values = split_scores()
    names = {"dataset": "where", "model": "who", "split": "draw", "value": "points"}
    table = long_table(values).set_axis(list(names.values()), axis=1)
    with pytest.raises(ValueError, match=r"must hold numbers as scores"):
        ssc.compare_datasets(table)
    with pytest.raises(ValueError, match="`lower_is_better` must be given for 'points'"):
        ssc.compare_datasets(table, **names)
    found = ssc.compare_datasets(table, **names, lower_is_better=False)
    np.testing.assert_allclose(found.values, values.mean(axis=2).T, rtol=1e-12)
    with pytest.raises(ValueError, match="`dataset` must be one of the columns"):
        ssc.compare_datasets(table, dataset="nowhere")


def test_known_losses_are_negated_and_the_note_says_so():
    wide = wide_table(split_scores())
    table = means_table(split_scores()).rename(columns={"score": "rmse"})
    for obj, named in ((table, {"value": "rmse"}), (wide, {"metric": "rmse"})):
        found = ssc.compare_datasets(obj, **named)
        assert found.metric == "neg_rmse"
        assert "rmse is lower for better models" in found.note
        assert found.leader == "a"  # the lowest
        assert ssc.compare_datasets(obj, **named, lower_is_better=False).leader == "c"
    assert ssc.compare_datasets(wide, lower_is_better=True).leader == "a"


def test_missing_cells_are_refused_or_counted():
    table = wide_table(split_scores())
    table.iloc[2, 1] = np.nan
    table.iloc[5, 0] = np.nan
    with pytest.raises(ValueError, match="2 of 36 are missing: 'a' on 'data 5', 'b' on 'data 2'"):
        ssc.compare_datasets(table)
    without = ssc.compare_datasets(table, missing="drop_datasets")
    assert without.n_datasets == 10
    assert "2 of 12 data sets left out" in without.note
    assert "data 2, data 5" in without.note
    fewer = ssc.compare_datasets(table.drop(columns="c").assign(d=0.5), missing="drop_datasets")
    assert fewer.n_models == 3
    with pytest.raises(ValueError, match="`missing` 'drop_models' would leave 1 model"):
        ssc.compare_datasets(table, missing="drop_models")
    with pytest.raises(ValueError, match="`missing` must be one of"):
        ssc.compare_datasets(table, missing="ignore")
    absent = long_table(split_scores()).iloc[10:]  # model a on the first data set
    with pytest.raises(ValueError, match="'a' on 'data 0'"):
        ssc.compare_datasets(absent)


@pytest.mark.parametrize("names", [("b_mean", "b_std"), ("b", "b std"), ("b_mean", "b SEM")])
def test_columns_of_standard_deviations_are_no_models(names):
    table = wide_table(split_scores()).set_axis(["a", *names], axis=1)
    table[names[1]] *= 0.1
    with pytest.raises(ValueError, match=f"got a model '{names[1]}', which sums up another"):
        ssc.compare_datasets(table)
    # The numbers decide: forest_var may be a forest on other features.
    table[names[1]] *= 10
    assert list(ssc.compare_datasets(table).labels) == ["a", *names]
    # A model may have such a name where no other has its stem.
    alone = table.set_axis(["a", "b", "c_std"], axis=1)
    assert list(ssc.compare_datasets(alone).labels) == ["a", "b", "c_std"]


@pytest.mark.parametrize("name", ["split{}", "Fold {}", "fold_{}", "cv {}"])
def test_splits_passed_as_data_sets_are_refused(name):
    values = split_scores()
    table = wide_table(values).set_axis([name.format(k) for k in range(12)], axis=0)
    with pytest.raises(ValueError, match="names a split"):
        ssc.compare_datasets(table)
    long = table.rename_axis("dataset").reset_index().melt("dataset", var_name="model")
    with pytest.raises(ValueError, match="names a split"):
        ssc.compare_datasets(long)


def test_searches_on_the_same_data_are_refused():
    tree = DecisionTreeClassifier(random_state=0)
    X, y = make_classification(random_state=0)
    grid = {"max_depth": [1, 3]}
    one, other = (ssc.StatisticalGridSearchCV(tree, grid, cv=cv).fit(X, y) for cv in (5, 4))
    with pytest.raises(ValueError, match="'one' and 'other' have the same X"):
        ssc.compare_datasets({"one": one, "other": other})


def test_searches_of_this_package_and_of_scikit_learn_are_read():
    searches, means = {}, []
    for seed in range(6):
        X, y = make_classification(random_state=seed)
        kind = GridSearchCV if seed % 2 else ssc.StatisticalGridSearchCV
        own = kind(DecisionTreeClassifier(random_state=0), {"max_depth": [1, 3]}, cv=5).fit(X, y)
        searches[f"data {seed}"] = own
        means.append(own.cv_results_["mean_test_score"])
    with pytest.warns(ssc.ComparisonWarning):  # few data sets, few splits
        found = ssc.compare_datasets(searches)
    np.testing.assert_allclose(found.values, np.transpose(means), rtol=1e-12)
    assert list(found.labels) == ["1", "3"]
    assert len(found.comparisons) == 6


@pytest.mark.filterwarnings("ignore::sklearn_stats_compare.ComparisonWarning")
def test_results_by_metric_need_a_metric():
    X, y = make_classification(random_state=0)
    both = {"tree": DecisionTreeClassifier(), "dummy": DummyClassifier(strategy="uniform")}
    options = {"cv": 3, "scoring": ["accuracy", "f1"]}
    results = {
        f"part {k}": ssc.cross_validate_models(both, X[k::3], y[k::3], **options) for k in range(3)
    }
    with pytest.raises(ValueError, match="`metric` must be one of accuracy, f1; got None"):
        ssc.compare_datasets(results)
    assert ssc.compare_datasets(results, metric="f1").metric == "f1"
    with pytest.raises(ValueError, match="`metric` must be one of 'accuracy', 'f1'"):
        ssc.compare_datasets(results, metric="recall")


@pytest.mark.parametrize(
    ("obj", "error", "message"),
    [
        (np.zeros((3, 4)), TypeError, "Of an array make a"),
        ([1, 2], TypeError, "Of an array make a"),
        ({}, TypeError, "must be a mapping of data sets"),
        (7, TypeError, "must be a mapping of data sets"),
        ({1: [[1, 2]], "1": [[1, 2]]}, ValueError, "different names of data sets"),
        (pd.DataFrame({"accuracy": [0.1, 0.2], "f1": [1, 2]}), ValueError, "which is a metric"),
        (pd.DataFrame(np.eye(2), ["x", "Avg. rank"], ["a", "b"]), ValueError, "a row 'Avg. rank'"),
        (pd.DataFrame({"index": [0, 1], "a": [1, 2]}), ValueError, "got a column 'index'"),
        (pd.DataFrame([[1, 2], [3, 4]], ["x", "x"], ["a", "b"]), ValueError, "'x' more than once"),
        (pd.DataFrame({"a": ["good", "bad"], "b": [1, 2]}), ValueError, "must hold numbers"),
        ({"x": {"a": [1, 2], "b": [1, 3]}, "y": {"c": [1, 2], "d": [2, 3]}}, ValueError,
         "must hold the same models"),
    ],
)  # fmt: skip
def test_bad_input_has_a_clear_error(obj, error, message):
    with pytest.raises(error, match=message):
        ssc.compare_datasets(obj)


def test_a_column_of_splits_is_asked_for_where_it_is_needed_and_refused_elsewhere():
    with pytest.raises(ValueError, match="`split` must be left out where `obj` is not a long"):
        ssc.compare_datasets(comparisons(split_scores()), split="fold")
    table = long_table(split_scores()).rename(columns={"fold": "subject"})
    with pytest.raises(ValueError, match="`split` must name the column of the splits"):
        ssc.compare_datasets(table)
    found = ssc.compare_datasets(table, split="subject")
    np.testing.assert_allclose(found.values, split_scores().mean(axis=2).T, rtol=1e-12)


def test_names_of_data_sets_may_be_in_any_column_that_is_spelled_so(tmp_path):
    frame = wide_table(split_scores())
    expected = ssc.compare_datasets(frame, warn=False)
    with_column = frame.reset_index(names="dataset")
    files = {
        "index": frame,
        "column": with_column.set_index("dataset"),
        "numbered": with_column,  # pandas' index of row numbers in front
        "last": with_column[[*MODELS, "dataset"]].set_index("a"),
    }
    forms = [with_column, with_column[[*MODELS, "dataset"]]]
    for name, own in files.items():
        own.to_csv(tmp_path / name)
        forms.append(tmp_path / name)
    for form in forms:
        found = ssc.compare_datasets(form, warn=False)
        assert (found.datasets, found.labels) == (expected.datasets, expected.labels)
        np.testing.assert_allclose(found.values, expected.values, rtol=1e-12)


def test_a_data_set_without_any_error_is_one_of_the_same_metric():
    errors = {f"d{k}": {"a": [0.1, 0.2, 0.3], "b": [0.2, 0.3, 0.4]} for k in range(6)}
    errors["none"] = {"a": [0.0] * 3, "b": [0.0] * 3}
    found = ssc.compare_datasets(errors, metric="rmse", test_train_ratio=0.5, warn=False)
    assert found.metric == "neg_rmse"
    assert found.values[:, -1].tolist() == [0, 0]


def test_a_row_without_a_name_and_a_file_without_a_header_are_refused(tmp_path):
    table, path = wide_table(split_scores()), tmp_path / "scores.csv"
    table.to_csv(path)
    with path.open("a") as file:
        file.write("," + ",".join(["0.5"] * table.shape[1]) + "\n")
    for form in (path, table.rename({table.index[-1]: None})):
        with pytest.raises(ValueError, match="must have a name of each data set; got none in row"):
            ssc.compare_datasets(form)
    table.to_csv(path, header=False)
    with pytest.raises(ValueError, match="names and not scores"):
        ssc.compare_datasets(path)


@pytest.mark.parametrize("gap", [False, True])
def test_a_model_is_not_taken_for_the_names_of_data_sets(tmp_path, gap):
    table = wide_table(split_scores())
    if gap:
        table.iloc[0, 0] = np.nan
    table.to_csv(tmp_path / "scores.csv", index=False)
    with pytest.raises(ValueError, match=r"must name its data sets in its first column; .* 'a'"):
        ssc.compare_datasets(tmp_path / "scores.csv")


def test_words_for_absent_values_are_names_too(tmp_path):
    frame = wide_table(split_scores()).rename(index={"data 0": "NA"}, columns={"a": "None"})
    frame.to_csv(tmp_path / "wide.csv")
    long = frame.rename_axis("dataset").reset_index()
    long = long.melt("dataset", var_name="model", value_name="score")
    long.to_csv(tmp_path / "long.csv", index=False)
    for name in ("wide.csv", "long.csv"):
        found = ssc.compare_datasets(tmp_path / name, warn=False)
        assert found.datasets[0] == "NA"
        assert found.labels[0] == "None"


def test_one_data_set_under_two_names_is_refused():
    values = split_scores()
    values[3] = values[7]
    with pytest.raises(ValueError, match="'data 3' and 'data 7' have the same scores"):
        ssc.compare_datasets(comparisons(values))
    # A few coarse scores may be the same by chance.
    coarse = comparisons(np.round(split_scores() * 0 + 0.5, 1))
    assert ssc.compare_datasets(coarse, warn=False).n_datasets == 12


def test_models_in_another_order_are_found_by_their_names():
    plain = by_model(split_scores())
    turned = {
        name: {model: own[model] for model in (reversed(MODELS) if k % 2 else MODELS)}
        for k, (name, own) in enumerate(plain.items())
    }
    options = {"test_train_ratio": 1 / 9, "warn": False}
    one, other = (ssc.compare_datasets(own, **options) for own in (plain, turned))
    pd.testing.assert_frame_equal(one.frequentist(), other.frequentist())
    pd.testing.assert_frame_equal(one.win_tie_loss(), other.win_tie_loss())
    pd.testing.assert_frame_equal(one.on_each("a", "c"), other.on_each("a", "c"))
    shrunken = [own.hierarchical("a", "b", n_draws=200).shrunken for own in (one, other)]
    np.testing.assert_array_equal(*shrunken)


def test_searches_by_other_metrics_of_one_name_are_refused():
    X, y = make_classification(60, random_state=0)
    grid = {"strategy": ["prior", "uniform"]}
    searches = {
        str(start): GridSearchCV(DummyClassifier(), grid, scoring={"s": metric}, refit="s").fit(
            X[start:], y[start:]
        )
        for metric, start in (("accuracy", 0), ("f1", 5))
    }
    with pytest.raises(ValueError, match=r"same metric; .*scoring='accuracy' and scoring='f1'"):
        ssc.compare_datasets(searches)


def test_comparisons_must_be_of_the_models():
    own = comparisons(split_scores())
    for strange in ({DATASETS[0]: 1}, own):
        with pytest.raises(ValueError, match="`comparisons` must be of models"):
            ssc.DatasetsComparison(np.zeros((2, 12)), ["p", "q"], DATASETS, comparisons=strange)


@pytest.mark.parametrize("lower", [True, False])
def test_a_comparison_has_its_direction(lower):
    with pytest.raises(
        ValueError, match="`lower_is_better` must be left out where `obj` is a Comp"
    ):
        ssc.compare_datasets(comparisons(split_scores()), lower_is_better=lower)


def test_the_name_of_a_column_of_metrics_is_no_metric():
    draws = np.random.default_rng(0)
    rows = [
        (f"set {k}", model, "rmse", error + 0.01 * draws.normal())
        for k in range(12)
        for model, error in (("good", 0.1), ("bad", 0.3))
    ]
    long = pd.DataFrame(rows, columns=["dataset", "model", "metric", "score"])
    found = ssc.compare_datasets(long, metric="metric")
    assert (found.leader, found.metric) == ("good", "neg_rmse")
