"""What compare_datasets reads: the same scores in every form, and what it refuses."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

from sklearn_stats_compare import (
    Comparison,
    ComparisonWarning,
    SplitDesign,
    SplitScores,
    StatisticalGridSearchCV,
    compare,
    compare_datasets,
    cross_validate_models,
)

MODELS, DATASETS = ["a", "b", "c"], [f"data {k}" for k in range(12)]


def split_scores(seed=0, n_splits=10):
    """Scores of data sets × models × splits."""
    rng = np.random.default_rng(seed)
    level = rng.uniform(0.6, 0.9, (12, 1, 1))
    return level + 0.02 * np.arange(3)[:, None] + 0.05 * rng.standard_normal((12, 3, n_splits))


def long_table(values):
    rows = [
        {"dataset": DATASETS[d], "model": MODELS[m], "fold": k, "score": values[d, m, k]}
        for d in range(12)
        for m in range(3)
        for k in range(values.shape[2])
    ]
    return pd.DataFrame(rows)


def wide_table(values):
    return pd.DataFrame(values.mean(axis=2), DATASETS, MODELS)


def comparisons(values):
    design = SplitDesign([90] * values.shape[2], [10] * values.shape[2])
    return {
        name: Comparison(SplitScores(own, design), MODELS, warn=False)
        for name, own in zip(DATASETS, values, strict=True)
    }


def test_every_form_of_the_same_scores_has_the_same_tables(tmp_path):
    values = split_scores()
    wide, long = wide_table(values), long_table(values)
    means = long.groupby(["dataset", "model"], sort=False)["score"].mean().reset_index()
    wide.to_csv(tmp_path / "wide.csv")
    long.to_csv(tmp_path / "long.csv", index=False)
    forms = [
        wide,
        long,
        means,
        comparisons(values),
        {name: pd.DataFrame(own, MODELS) for name, own in zip(DATASETS, values, strict=True)},
        dict(zip(DATASETS, (dict(zip(MODELS, own, strict=True)) for own in values), strict=True)),
        tmp_path / "wide.csv",
        tmp_path / "long.csv",
        compare_datasets(comparisons(values)).to_long(),
        compare_datasets(wide).to_long(),
    ]  # fmt: skip
    expected = compare_datasets(wide).pairwise_frequentist
    for form in forms:
        found = compare_datasets(form)
        assert list(found.labels) == MODELS
        assert list(found.datasets) == DATASETS
        np.testing.assert_allclose(found.values, wide.to_numpy().T, rtol=1e-12)
        pd.testing.assert_frame_equal(found.pairwise_frequentist, expected)


@given(seed=st.integers(0, 100))
def test_the_order_of_the_rows_changes_nothing(seed):
    long = long_table(split_scores(n_splits=2))
    shuffled = long.sample(frac=1, random_state=seed)
    one, other = (compare_datasets(table).leader_table for table in (long, shuffled))
    pd.testing.assert_frame_equal(one, other, check_categorical=False)


def test_split_scores_are_kept_where_sizes_are_known():
    values = split_scores()
    assert not compare_datasets(long_table(values)).comparisons
    assert list(compare_datasets(comparisons(values)).comparisons) == DATASETS
    sized = compare_datasets(long_table(values), test_train_ratio=1 / 9)
    assert list(sized.comparisons) == DATASETS
    of_one = sized.on_each("b", "a").iloc[3]
    expected = compare(values[3], test_train_ratio=1 / 9, labels=MODELS).against("b", p_adjust=None)
    row = expected[expected["model_2"] == "a"].iloc[0]
    assert of_one["p_val"] == pytest.approx(row["p_val"], rel=1e-9)
    assert of_one["verdict"] == row["verdict"]


def test_sizes_may_differ_between_data_sets():
    values = split_scores()
    ratios = dict(zip(DATASETS, np.linspace(0.1, 0.5, 12), strict=True))
    found = compare_datasets(long_table(values), test_train_ratio=ratios)
    designs = [found.comparisons[name].scores.design for name in DATASETS]
    assert [d.test_train_ratio for d in designs] == pytest.approx(list(ratios.values()))
    with pytest.raises(ValueError, match="`test_train_ratio` must name every data set"):
        compare_datasets(long_table(values), test_train_ratio={"data 0": 0.1})


@pytest.mark.parametrize(
    "names",
    [
        ("task_id", "learner_id", "classif.acc"),  # mlr3
        ("dataset", "pipeline", "score"),  # MOABB
        ("data_name", "flow_name", "value"),  # OpenML
        ("dataset", "wflow_id", "estimate"),  # tidymodels, workflow sets
    ],
)
def test_spellings_of_other_tools_are_recognised(names):
    values = split_scores()
    means = long_table(values).groupby(["dataset", "model"], sort=False)["score"].mean()
    table = means.reset_index().set_axis(list(names), axis=1)
    np.testing.assert_allclose(compare_datasets(table).values, values.mean(axis=2).T, rtol=1e-12)


def test_columns_may_be_named():
    values = split_scores()
    table = long_table(values).rename(
        columns={"dataset": "where", "model": "who", "fold": "draw", "score": "points"}
    )
    with pytest.raises(ValueError, match=r"table of numbers"):
        compare_datasets(table)
    found = compare_datasets(table, dataset="where", model="who", split="draw", value="points")
    np.testing.assert_allclose(found.values, values.mean(axis=2).T, rtol=1e-12)
    with pytest.raises(ValueError, match="`dataset` must be one of the columns"):
        compare_datasets(table, dataset="nowhere")


def test_known_losses_are_negated_and_the_note_says_so():
    means = long_table(split_scores()).groupby(["dataset", "model"], sort=False)["score"].mean()
    table = means.reset_index().rename(columns={"score": "rmse"})
    found = compare_datasets(table)
    assert found.metric == "neg_rmse"
    assert "rmse is lower for better models" in found.note
    assert found.leader == "a"  # the lowest
    assert compare_datasets(table, lower_is_better=False).leader == "c"
    assert compare_datasets(wide_table(split_scores()), lower_is_better=True).leader == "a"


def test_missing_cells_are_refused_or_counted():
    table = wide_table(split_scores())
    table.iloc[2, 1] = np.nan
    table.iloc[5, 0] = np.nan
    with pytest.raises(ValueError, match="2 of 36 are missing: 'a' on 'data 5', 'b' on 'data 2'"):
        compare_datasets(table)
    without = compare_datasets(table, missing="drop_datasets")
    assert without.n_datasets == 10
    assert "2 of 12 data sets left out" in without.note
    assert "data 2, data 5" in without.note
    fewer = compare_datasets(table.drop(columns="c").assign(d=0.5), missing="drop_datasets")
    assert fewer.n_models == 3
    with pytest.raises(ValueError, match="`values` must be scores of at least 2 models"):
        compare_datasets(table, missing="drop_models")
    with pytest.raises(ValueError, match="`missing` must be one of"):
        compare_datasets(table, missing="ignore")
    absent = long_table(split_scores()).iloc[10:]  # model a on the first data set
    with pytest.raises(ValueError, match="'a' on 'data 0'"):
        compare_datasets(absent)


@pytest.mark.parametrize("name", ["split{}", "Fold {}", "fold_{}", "cv {}"])
def test_splits_passed_as_data_sets_are_refused(name):
    values = split_scores()
    table = wide_table(values).set_axis([name.format(k) for k in range(12)], axis=0)
    with pytest.raises(ValueError, match="names a split"):
        compare_datasets(table)
    long = table.rename_axis("dataset").reset_index().melt("dataset", var_name="model")
    with pytest.raises(ValueError, match="names a split"):
        compare_datasets(long)


def test_searches_on_the_same_data_are_refused():
    X, y = make_classification(random_state=0)
    search = StatisticalGridSearchCV(
        DecisionTreeClassifier(random_state=0), {"max_depth": [1, 3]}, cv=5
    )
    first = search.fit(X, y)
    again = StatisticalGridSearchCV(
        DecisionTreeClassifier(random_state=0), {"max_depth": [1, 3]}, cv=4
    ).fit(X, y)
    with pytest.raises(ValueError, match="'one' and 'other' have the same X"):
        compare_datasets({"one": first, "other": again})


def test_searches_of_this_package_and_of_scikit_learn_are_read():
    searches, means = {}, []
    for seed in range(6):
        X, y = make_classification(random_state=seed)
        kind = GridSearchCV if seed % 2 else StatisticalGridSearchCV
        own = kind(DecisionTreeClassifier(random_state=0), {"max_depth": [1, 3]}, cv=5).fit(X, y)
        searches[f"seed {seed}"] = own
        means.append(own.cv_results_["mean_test_score"])
    with pytest.warns(ComparisonWarning):  # few data sets, few splits
        found = compare_datasets(searches)
    np.testing.assert_allclose(found.values, np.transpose(means), rtol=1e-12)
    assert list(found.labels) == ["1", "3"]
    assert len(found.comparisons) == 6


def test_results_by_metric_need_a_metric():
    X, y = make_classification(random_state=0)
    both = {"tree": DecisionTreeClassifier(), "dummy": DummyClassifier(strategy="uniform")}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)
        results = {
            f"part {k}": cross_validate_models(
                both, X[k::3], y[k::3], cv=3, scoring=["accuracy", "f1"]
            )
            for k in range(3)
        }  # fmt: skip
        with pytest.raises(ValueError, match="`metric` must be one of accuracy, f1; got None"):
            compare_datasets(results)
        assert compare_datasets(results, metric="f1").metric == "f1"
        with pytest.raises(ValueError, match="`metric` must be one of 'accuracy', 'f1'"):
            compare_datasets(results, metric="recall")


@pytest.mark.parametrize(
    ("obj", "error", "message"),
    [
        (np.zeros((3, 4)), TypeError, "must name its models and data sets"),
        ([1, 2], TypeError, "must name its models and data sets"),
        ({}, TypeError, "must be a mapping of data sets"),
        (7, TypeError, "must be a mapping of data sets"),
        ({1: [[1, 2]], "1": [[1, 2]]}, ValueError, "different names of data sets"),
        (pd.DataFrame({"accuracy": [0.1, 0.2], "f1": [1, 2]}), ValueError, "which is a metric"),
        (pd.DataFrame([[1, 2], [3, 4]], ["x", "x"], ["a", "b"]), ValueError, "'x' more than once"),
        (pd.DataFrame({"a": ["good", "bad"], "b": [1, 2]}), ValueError, "table of numbers"),
        ({"x": {"a": [1, 2], "b": [1, 3]}, "y": {"c": [1, 2], "d": [2, 3]}}, ValueError,
         "must hold the same models"),
    ],
)  # fmt: skip
def test_bad_input_has_a_clear_error(obj, error, message):
    with pytest.raises(error, match=message):
        compare_datasets(obj)


def test_columns_are_refused_where_there_are_none():
    with pytest.raises(ValueError, match="`split` must be left out where `obj` is no long table"):
        compare_datasets(comparisons(split_scores()), split="fold")


def test_several_rows_of_a_pair_ask_for_the_column_of_splits():
    table = long_table(split_scores()).rename(columns={"fold": "subject"})
    with pytest.raises(ValueError, match="`split` must name the column of the splits"):
        compare_datasets(table)
    found = compare_datasets(table, split="subject")
    np.testing.assert_allclose(found.values, split_scores().mean(axis=2).T, rtol=1e-12)


def test_names_of_data_sets_may_be_in_any_column_that_is_spelled_so(tmp_path):
    frame = wide_table(split_scores())
    expected = compare_datasets(frame, warn=False)
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
        found = compare_datasets(form, warn=False)
        assert (found.datasets, found.labels) == (expected.datasets, expected.labels)
        np.testing.assert_allclose(found.values, expected.values, rtol=1e-12)


def test_a_model_is_not_taken_for_the_names_of_data_sets(tmp_path):
    wide_table(split_scores()).to_csv(tmp_path / "scores.csv", index=False)
    with pytest.raises(ValueError, match=r"must name its data sets in its first column; .* 'a'"):
        compare_datasets(tmp_path / "scores.csv")


def test_words_for_absent_values_are_names_too(tmp_path):
    frame = wide_table(split_scores()).rename(index={"data 0": "NA"}, columns={"a": "None"})
    frame.to_csv(tmp_path / "wide.csv")
    long = frame.rename_axis("dataset").reset_index().melt("dataset", var_name="model")
    long.to_csv(tmp_path / "long.csv", index=False)
    for name in ("wide.csv", "long.csv"):
        found = compare_datasets(tmp_path / name, warn=False)
        assert found.datasets[0] == "NA"
        assert found.labels[0] == "None"


def test_one_data_set_under_two_names_is_refused():
    values = split_scores()
    values[3] = values[7]
    with pytest.raises(ValueError, match="'data 3' and 'data 7' have the same scores"):
        compare_datasets(comparisons(values))
    # A few coarse scores may be the same by chance.
    coarse = comparisons(np.round(split_scores() * 0 + 0.5, 1))
    assert compare_datasets(coarse, warn=False).n_datasets == 12


def test_models_in_another_order_are_found_by_their_names():
    values = split_scores()
    plain = {
        name: dict(zip(MODELS, own, strict=True))
        for name, own in zip(DATASETS, values, strict=True)
    }
    turned = {
        name: {model: own[model] for model in (reversed(MODELS) if k % 2 else MODELS)}
        for k, (name, own) in enumerate(plain.items())
    }
    one, other = (
        compare_datasets(own, test_train_ratio=1 / 9, warn=False) for own in (plain, turned)
    )
    pd.testing.assert_frame_equal(one.pairwise_frequentist, other.pairwise_frequentist)
    pd.testing.assert_frame_equal(one.win_tie_loss(), other.win_tie_loss())
    pd.testing.assert_frame_equal(one.on_each("a", "c"), other.on_each("a", "c"))
    np.testing.assert_array_equal(
        one.hierarchical("a", "b").shrunken, other.hierarchical("a", "b").shrunken
    )
