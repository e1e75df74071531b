"""by(): within each subgroup the same test of its samples, and a family of subgroups × pairs."""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
from scipy import sparse, stats
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.tree import ExtraTreeClassifier
from statsmodels.stats.multitest import multipletests

from sklearn_stats_compare import (
    Comparison,
    SplitDesign,
    SplitScores,
    StatisticalGridSearchCV,
    compare_predictions,
    cross_validate_models,
)
from sklearn_stats_compare.stats import SampleScores


def scores_of(values, n_folds=5):
    """Scores of folds of equal size, from values of samples, candidates × repeats × samples."""
    m, repeats, n = values.shape
    n_test = np.full(n_folds * repeats, n // n_folds)
    design = SplitDesign(n - n_test, n_test, np.repeat(np.arange(repeats), n_folds))
    splits = values.reshape(m, repeats, n_folds, -1).mean(axis=3).reshape(m, -1)
    return SplitScores(splits, design, SampleScores(values, n_folds))


def drawn(m=3, repeats=1, n=200, gap=0.3, seed=0):
    rng = np.random.default_rng(seed)
    noise = rng.normal(size=(m, 1, n)) + 0.3 * rng.normal(size=(m, repeats, n))
    return noise - gap * np.arange(m)[:, None, None]


def of(values, **options):
    return Comparison(scores_of(values), ["a", "b", "c"][: len(values)], test="samples", **options)


HALVES = np.repeat(["first", "second"], 100)


@pytest.mark.parametrize("p_adjust", [None, "bonferroni", "holm"])
def test_numbers_are_those_of_the_formula_on_the_samples_of_the_subgroup(p_adjust):
    values = drawn(repeats=2)
    table = of(values, p_adjust=p_adjust).by(HALVES).table
    assert table[["group", "n_samples", "model_1", "model_2"]].values.tolist() == [
        ["first", 100, "a", "b"], ["first", 100, "a", "c"],
        ["second", 100, "a", "b"], ["second", 100, "a", "c"],
    ]  # fmt: skip
    for group, part in (("first", slice(0, 100)), ("second", slice(100, 200))):
        d, std_err = [], []
        for one, two in ((0, 1), (0, 2), (1, 2)):
            difference = values[one, :, part] - values[two, :, part]
            spread = difference.var(axis=1, ddof=1).mean()
            refits = difference.var(axis=0, ddof=1).mean()
            d.append(difference.mean())
            std_err.append(np.sqrt((spread * 5 / 4 + refits / 2) / 100))  # K = 5 folds, R = 2
        p = 2 * stats.t.sf(np.abs(np.divide(d, std_err)), 99)
        adjusted = p if p_adjust is None else multipletests(p, method=p_adjust)[1]
        rows = table[table["group"] == group]  # of the pairs with the leader
        np.testing.assert_allclose(rows["mean_diff"], d[:2], rtol=1e-12)
        np.testing.assert_allclose(rows["std_err"], std_err[:2], rtol=1e-9)
        np.testing.assert_allclose(rows["p_unadjusted"], p[:2], rtol=1e-6)
        np.testing.assert_allclose(rows["p_val"], np.minimum(1, 2 * adjusted[:2]), rtol=1e-6)
        pairs = 1 if p_adjust is None else 3
        t = stats.t.isf(0.05 / 2 / 2 / pairs, 99)  # two tails, two subgroups
        half_width = t * np.array(std_err[:2])
        np.testing.assert_allclose(rows["ci_high"] - rows["mean_diff"], half_width, rtol=1e-6)


def test_one_subgroup_of_all_samples_is_the_leader_table():
    comparison = of(drawn(), alternative="two-sided", rope=0.05)
    found = comparison.by(np.zeros(200, dtype=int)).table
    table = comparison.against().astype({"verdict": str})
    for column in ("mean_diff", "std_err", "p_val", "ci_low", "ci_high"):
        np.testing.assert_allclose(found[column], table[column], rtol=1e-9)
    assert found["verdict"].tolist() == table["verdict"].tolist()


def test_the_order_of_samples_does_not_matter():
    values, order = drawn(repeats=2), np.random.default_rng(1).permutation(200)
    scores = scores_of(values)
    turned = SplitScores(scores.values, scores.design, SampleScores(values[:, :, order], 5))
    shuffled = Comparison(turned, ["a", "b", "c"], test="samples").by(HALVES[order]).table
    pd.testing.assert_frame_equal(shuffled, of(values).by(HALVES).table, rtol=1e-9)


def test_every_sample_is_in_a_subgroup_and_small_ones_are_reported():
    groups = np.array(["x"] * 120 + ["small"] * 20 + [None] * 60, dtype=object)
    found = of(drawn()).by(groups)
    sizes = found.table.drop_duplicates("group").set_index("group")["n_samples"]
    assert sizes.to_dict() == {"small": 20, "x": 120, "<NA>": 60}
    small = found.table[found.table["group"] == "small"]
    assert small["verdict"].tolist() == ["too few", "too few"]
    assert small["p_val"].isna().all()
    # Two subgroups are tested, and share the level.
    x = found.table[found.table["group"] == "x"].iloc[0]
    half_width = stats.t.isf(0.05 / 2 / 2 / 3, 119) * x["std_err"]
    assert x["ci_high"] - x["mean_diff"] == pytest.approx(half_width, rel=1e-6)
    assert "too few samples in small" in found.sentences["b"]
    assert of(drawn()).by(groups, min_samples=20).table["verdict"].ne("too few").all()


@pytest.mark.filterwarnings("ignore:Scores vary more between splits")  # rows are in an order
def test_sentences_name_the_subgroups_that_differ():
    values = drawn(m=2, gap=0.0)
    values[0, 0, :100] += 1.5  # better in the first half alone
    values[0] += 0.01
    found = of(values).by(HALVES)
    assert found.sentences.to_dict() == {"b": "better overall, undecided in second"}
    assert repr(found).splitlines() == [
        "a by score, within first (100), second (100):",
        "- against b: better overall, undecided in second",
    ]
    alike = of(drawn(m=2, gap=2.0)).by(HALVES)
    assert alike.sentences["b"] == "better overall and in each subgroup"


@pytest.mark.filterwarnings("ignore:Scores vary more between splits")  # rows are in an order
def test_no_difference_on_few_samples_does_not_show_equivalence():
    # (1 − d)^n < 0.05/2 for d = 0.01 needs n ≥ 368 samples of accuracies, in two subgroups.
    rng = np.random.default_rng(0)
    right = (rng.random((1, 1, 2000)) < 0.8).astype(float)
    values = np.repeat(right, 2, axis=0)
    values[1, 0, :50] = 1 - values[1, 0, :50]  # they differ, in the second subgroup
    for n, verdict in ((360, "undecided"), (380, "equivalent")):
        groups = np.repeat(["other", "same"], [2000 - n, n])
        comparison = Comparison(scores_of(values), test="samples", rope=0.01)
        table = comparison.by(groups).table.set_index("group")
        assert table.loc["same", "verdict"] == verdict
        assert table.loc["same", "ci_high"] == pytest.approx(1 - (0.025 / 2) ** (1 / n))
    # Doublets of a grid are the same everywhere.
    doublets = Comparison(scores_of(np.repeat(right, 2, axis=0)), test="samples", rope=0.01)
    assert doublets.by(HALVES.repeat(10)).table["verdict"].tolist() == ["equivalent"] * 2


@pytest.mark.parametrize(
    ("groups", "options", "message"),
    [
        ([1, 2, 3], {}, r"one entry per row of the data, 200; got 3"),
        (np.linspace(0, 1, 200), {}, "at most 100 different subgroups; got 200"),
        ("column", {}, "one subgroup per row"),
        ([1, "1"] * 100, {}, "different names, also as text"),
        (pd.DataFrame({"a": HALVES}), {}, "one subgroup per row"),
        (pd.Series(HALVES)[::-1], {}, "`groups` must have its labels 0, 1, 2, … in order"),
        (HALVES, {"min_samples": 0}, "`min_samples` must be"),
    ],
)
def test_invalid_subgroups_raise_an_error_that_explains_why(groups, options, message):
    with pytest.raises(ValueError, match=message):
        of(drawn()).by(groups, **options)


def test_another_test_raises_with_the_remedy():
    with pytest.raises(ValueError, match=r'compare\(test="samples"\)'):
        Comparison(scores_of(drawn()), warn=False).by(HALVES)


def test_a_failed_candidate_stays_missing():
    values = drawn()
    values[1, 0, 7] = np.nan
    scores = scores_of(np.nan_to_num(values))
    splits = scores.values.copy()
    splits[1] = np.nan
    failed = SplitScores(splits, scores.design, SampleScores(values, 5))
    table = Comparison(failed, ["a", "b", "c"], test="samples").by(HALVES).table
    assert (table["verdict"] == "missing").tolist() == (table["model_2"] == "b").tolist()


@pytest.mark.parametrize("metric", ["accuracy", "recall", "roc_auc", "f1", "neg_log_loss"])
@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.filterwarnings("ignore:A class has as few:sklearn_stats_compare.ComparisonWarning")
def test_a_subgroup_of_all_samples_has_the_numbers_of_the_table(metric, grouped):
    """Also where candidates agree on all but a few samples, of which a class or group is rare."""
    rng = np.random.default_rng(0)
    n = 1500
    groups = np.arange(n) // 2
    y = (groups % 10 == groups // 10 % 10).astype(int)  # 10 % of each fold
    first = np.clip(y + 0.4 * rng.standard_normal(n), 0.05, 0.95)
    second = first.copy()
    second[np.flatnonzero(y == 0)[:3]] = 0.9
    given = {"first": first, "second": second}
    if metric in ("accuracy", "recall", "f1"):
        given = {name: (own > 0.5).astype(int) for name, own in given.items()}
    kept = {"folds": groups % 5, "groups": groups if grouped else None}
    comparison = compare_predictions(y, given, metric=metric, **kept)
    found = comparison.by(np.full(n, "all"))
    numbers = ["mean_diff", "std_err", "ci_low", "ci_high", "verdict"]
    assert found.table[numbers].equals(found.overall[numbers])
    # Half of the samples show less.
    halves = comparison.by(np.where(groups % 2, "odd", "even")).table
    known = halves[~halves["verdict"].isin(["too few", "undefined"])]
    width = known["ci_high"] - known["ci_low"]
    assert (width > (found.overall["ci_high"] - found.overall["ci_low"]).iloc[0]).all()


def test_what_probes_measured_holds_within_subgroups_and_by_the_same_metric():
    X, y = make_classification(n_samples=400, n_features=8, flip_y=0.2, random_state=16)
    cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=1, random_state=0)
    search = StatisticalGridSearchCV(
        ExtraTreeClassifier(random_state=0), {"max_depth": [4, 8, 30]}, cv=cv,
        scoring=["accuracy", "neg_brier_score"], refit="accuracy", test="samples",
        return_predictions=True,
    ).fit(X, y)  # fmt: skip
    search.extend(X, y, n_repeats=1, candidates=3)
    own = search.comparison_
    found = own.by(np.full(len(y), "all"))
    assert found.table["std_err"].tolist() == found.overall["std_err"].tolist()
    assert own.by(np.arange(len(y)) % 2).table["verdict"].notna().all()
    same = own.with_settings(metric="accuracy")
    assert same.frequentist()["std_err"].tolist() == own.frequentist()["std_err"].tolist()
    assert "By neg_brier_score the instability was not measured" in (
        own.with_settings(metric="neg_brier_score").note
    )


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix, pd.DataFrame])
def test_the_index_of_y_names_the_samples_where_x_has_none(form):
    data, target = make_classification(300, 6, flip_y=0.2, random_state=0)
    ids = np.random.default_rng(0).permutation(np.arange(1000, 1300))
    X = pd.DataFrame(data, index=ids) if form is pd.DataFrame else form(data)
    y = pd.Series(target, index=ids)
    region = pd.Series(np.where(data[:, 0] > 0, "north", "south"), index=ids)
    model, grid = LogisticRegression(), {"C": [0.001, 1]}
    search = StatisticalGridSearchCV(model, grid, scoring="accuracy", cv=5, test="samples")
    found = search.fit(X, y).comparison_
    models = {"a": LogisticRegression(C=0.001), "b": LogisticRegression(C=1)}
    several = cross_validate_models(models, X, y, scoring="accuracy", cv=5, test="samples")
    for own in (found, several):
        expected = own.by(region.to_numpy()).table
        pd.testing.assert_frame_equal(own.by(region.sort_index()).table, expected)


@pytest.mark.filterwarnings("ignore::sklearn_stats_compare.ComparisonWarning")
@pytest.mark.parametrize("again", [copy.deepcopy, lambda own: pickle.loads(pickle.dumps(own))])
@pytest.mark.parametrize("metric", ["accuracy", "roc_auc"])
def test_a_copy_without_what_was_predicted_has_no_subgroups(again, metric):
    X, y = make_classification(300, 6, flip_y=0.2, random_state=0)
    search = StatisticalGridSearchCV(LogisticRegression(), {"C": [0.001, 1]}, scoring=metric, cv=5)
    found = again(search.fit(X, y).comparison_.with_settings(test="samples"))
    for own in (found, found.with_settings(alpha=0.01)):
        with pytest.raises(ValueError, match="`by` needs what candidates predicted"):
            own.by(X[:, 0] > 0)
