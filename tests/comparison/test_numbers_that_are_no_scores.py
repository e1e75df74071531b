"""Numbers, names and rows of a table that are no scores are refused, whatever they are called."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from sklearn_stats_compare import compare, compare_datasets

pytestmark = pytest.mark.filterwarnings("ignore::sklearn_stats_compare.ComparisonWarning")

RNG = np.random.default_rng(4)
FOLDS = pd.DataFrame({"svm": RNG.uniform(0.7, 0.9, 10), "forest": RNG.uniform(0.7, 0.9, 10)})
NAMES = [f"set {letter}" for letter in "abcdefghijklmn"]
PERCENT = RNG.uniform(70, 92, 14).round(1)
LEADS = np.array([0.9, 1.1, -0.4, 2.0, 0.7, -0.5, 1.4, 0.3, 0.8, -0.6, 1.2, -1.0, 0.2, 1.3])
SETS = pd.DataFrame({"svm": PERCENT, "forest": PERCENT + LEADS}, index=NAMES)
TENTH = {"test_train_ratio": 1 / 9}


@pytest.mark.parametrize(
    "values", [np.arange(10), np.arange(1, 11), np.tile(np.arange(5), 2), 42 + np.arange(10)]
)
@pytest.mark.parametrize("scale", [1, 100])
def test_a_column_that_counts_is_no_model(values, scale, tmp_path):
    table = (FOLDS * scale).assign(anything=values)
    with pytest.raises(ValueError, match="a column 'anything', which counts"):
        compare(table, **TENTH)
    table.to_csv(tmp_path / "scores.csv", index=False)
    with pytest.raises(ValueError, match="a column 'anything', which counts"):
        compare(tmp_path / "scores.csv", **TENTH)
    with pytest.raises(ValueError, match="a model 'anything', which counts"):
        compare({name: column.to_numpy() for name, column in table.items()}, **TENTH)


def test_whole_numbers_beside_shares_are_no_model():
    with pytest.raises(ValueError, match="'anything', which has whole numbers beside fractions"):
        compare(FOLDS.assign(anything=30), **TENTH)
    # A model that is always right, or on every second fold, has whole numbers too.
    for scores in (1.0, np.tile([0.0, 1.0], 5)):
        assert compare(FOLDS.assign(always=scores), **TENTH).labels == ("svm", "forest", "always")
    # So have models on a hundred samples, in per cent.
    assert compare((FOLDS * 100).round(), **TENTH).labels == ("svm", "forest")


@pytest.mark.parametrize("name", ["cv_mean", "cv_std", "mean of all folds", "Arithmetic mean"])
def test_a_summary_among_numbered_splits_is_no_split(name):
    table = FOLDS.T.assign(**{name: FOLDS.mean()})
    for orient in (None, "models in rows"):
        with pytest.raises(ValueError, match=r"which (sums up the others|is no split)"):
            compare(table, orient=orient, **TENTH)


@pytest.mark.parametrize("as_file", [False, True])
def test_values_of_a_parameter_beside_numbered_splits_are_no_split(as_file, tmp_path):
    table = FOLDS.T.set_axis(pd.Index([5, 20], name="n_neighbors")).reset_index()
    if as_file:
        table.to_csv(tmp_path / "scores.csv", index=False)
        table = tmp_path / "scores.csv"
    with pytest.raises(ValueError, match="'n_neighbors', which is no split"):
        compare(table, orient="models in rows", **TENTH)


@pytest.mark.parametrize(
    "name", ["mean (all)", "Geometric mean", "Friedman rank", "avg", "mean rank of all"]
)
def test_a_summary_is_no_data_set(name):
    with pytest.raises(ValueError, match="on data sets alone"):
        compare_datasets(pd.concat([SETS, SETS.mean().to_frame(name).T]))


@pytest.mark.parametrize("decimals", [3, 5, 17])
def test_the_mean_of_all_others_is_no_data_set_whatever_its_name(decimals):
    mean = (SETS / 100).mean().round(decimals).to_frame("summary").T
    with pytest.raises(ValueError, match="data set 'summary', with the means of all others"):
        compare_datasets(pd.concat([SETS / 100, mean]))
    with pytest.raises(ValueError, match="data set 'summary', with the means of all others"):
        compare_datasets(pd.concat([mean, SETS / 100]))


@pytest.mark.parametrize("name", ["features", "openml_id", "std_svm", "svm_ci", "imbalance"])
def test_properties_of_data_sets_are_no_models(name):
    values = RNG.uniform(1, 3, 14) if "svm" in name or name == "imbalance" else range(3, 143, 10)
    with pytest.raises(ValueError, match=f"got a (column|model) '{name}'"):
        compare_datasets(SETS.assign(**{name: list(values)}))


@pytest.mark.parametrize("change", [lambda t: t.sort_values("svm"), lambda t: t.drop(index=[])])
def test_the_column_of_data_sets_names_them_also_in_a_sorted_frame(change):
    expected = stats.wilcoxon(SETS["forest"] - SETS["svm"]).pvalue
    for names in (NAMES, [3, 15, 29, 31, 37, 38, 44, 50, 54, 151, 1049, 1050, 1063, 1464]):
        table = change(SETS.reset_index(drop=True).assign(dataset=names))
        found = compare_datasets(table)
        assert found.labels == ("svm", "forest")
        assert found.frequentist()["p_val"][0] == pytest.approx(expected)


def test_a_saved_index_is_no_model(tmp_path):
    path = tmp_path / "sets.csv"
    SETS.rename_axis("dataset").reset_index().sort_values("svm").to_csv(path)
    for table in (path, pd.read_csv(path)):
        with pytest.raises(ValueError, match="as an index that was saved to a file"):
            compare_datasets(table)


def test_a_file_of_models_in_rows_is_transposed_by_the_user(tmp_path):
    SETS.T.rename_axis("model").to_csv(tmp_path / "models.csv")
    with pytest.raises(ValueError, match="got a first column 'model'"):
        compare_datasets(tmp_path / "models.csv")


def test_data_sets_are_no_splits():
    wide = SETS.rename_axis("dataset")
    with pytest.raises(ValueError, match="'dataset' names several"):
        compare(wide, orient="models in columns", **TENTH)
    long = wide.stack().rename_axis(["dataset", "model"]).rename("score").reset_index()
    with pytest.raises(ValueError, match="'dataset' names several"):
        compare(long, split="dataset", **TENTH)


def test_a_file_without_a_header_loses_no_row(tmp_path):
    counts = RNG.permuted(np.tile(np.arange(60, 84), (3, 1)), axis=1)[:, :10]
    frame = pd.DataFrame(counts, index=["svm", "forest", "tree"])
    for name, header in (("named.csv", frame), ("plain.csv", frame.reset_index(drop=True))):
        header.to_csv(tmp_path / name, header=False, index=name == "named.csv")
        for orient in ("models in rows", None):
            with pytest.raises(ValueError, match="names and not scores"):
                compare(tmp_path / name, orient=orient, **TENTH)
    SETS.to_csv(tmp_path / "sets.csv", header=False)
    for table in (tmp_path / "sets.csv", pd.read_csv(tmp_path / "sets.csv", index_col=0)):
        with pytest.raises(ValueError, match="names and not scores"):
            compare_datasets(table)
    # Numbers of splits, and values of a parameter, are names.
    frame.to_csv(tmp_path / "folds.csv")
    assert compare(tmp_path / "folds.csv", **TENTH).labels == ("svm", "forest", "tree")
    FOLDS.set_axis(["1", "5"], axis=1).to_csv(tmp_path / "k.csv", index=False)
    found = compare(tmp_path / "k.csv", orient="models in columns", **TENTH)
    assert found.labels == ("1", "5")


def test_parts_of_the_data_are_no_splits():
    rows = [
        (model, fold, part, RNG.uniform())
        for model in ("svm", "forest")
        for fold in range(10)
        for part in ("val", "test")
    ]
    table = pd.DataFrame(rows, columns=["model", "fold", "split", "score"])
    with pytest.raises(ValueError, match="scores of test samples alone; got a column 'split'"):
        compare(table, **TENTH)
    assert compare(table[table["split"] == "test"], **TENTH).scores.n_splits == 10


def test_flags_and_ratios_of_added_rows_may_be_left_out():
    kept = compare(FOLDS, **TENTH).to_long().assign(expanding=True)
    new = kept[kept["model"] == "svm"][["split", "metric", "score"]].assign(model="tree")
    found = compare(pd.concat([kept, new]))
    assert found.scores.design.expanding
    assert found.scores.design.test_train_ratio == pytest.approx(1 / 9)
    mixed = pd.concat([kept, new.assign(expanding=False)])
    with pytest.raises(ValueError, match="one value in column 'expanding'"):
        compare(mixed)


def test_flags_beside_scores_are_no_model():
    for table in (FOLDS.assign(converged=True), FOLDS.assign(converged=[True, False] * 5)):
        with pytest.raises(ValueError, match="'converged', which holds True and False"):
            compare(table, **TENTH)
    with pytest.raises(ValueError, match="'binary', which holds True and False"):
        compare_datasets(SETS.assign(binary=True))
    # Right and wrong answers to single samples are scores.
    right = pd.DataFrame({"svm": [True, False] * 5, "forest": [True] * 10})
    assert compare(right, **TENTH).scores.means.tolist() == [0.5, 1.0]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("anything", [0, 1, 7, 13, 21, 42, 99, 123, 1234, 2024]),
        ("random_state", [0.0] * 10),
        ("elapsed", np.linspace(1, 2, 10)),
        ("latency_ms", np.linspace(100, 102, 10)),
        ("learning_rate", [0.1, 0.01] * 5),
    ],
)
def test_seeds_times_and_parameters_beside_percentages_are_no_models(name, values):
    with pytest.raises(ValueError, match=f"got a column '{name}', which"):
        compare((100 * FOLDS).assign(**{name: values}), **TENTH)


@pytest.mark.parametrize("name", ["metric", ".metric", "Metric", "measure", "what"])
def test_a_column_of_metrics_names_them_whatever_it_is_called(name):
    rows = [
        (model, fold, "rmse", level + fold / 10)
        for model, level in (("good", 10.0), ("bad", 12.1))
        for fold in range(10)
    ]
    table = pd.DataFrame(rows, columns=["model", "fold", name, "score"])
    found = compare(table, **TENTH)
    assert (found.leader, found.metric) == ("good", "neg_rmse")
    if name == "what":  # perhaps of something else
        assert compare(table, metric="roc_auc", **TENTH).leader == "bad"
        return
    with pytest.raises(ValueError, match="`metric` must be one of 'rmse'; got 'roc_auc'"):
        compare(table, metric="roc_auc", **TENTH)
