"""How many independent samples, groups or weights equal candidates agree on, by every path."""

import pickle
import warnings
from inspect import signature

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import (
    accuracy_score,
    cohen_kappa_score,
    get_scorer,
    make_scorer,
    precision_score,
    recall_score,
    zero_one_loss,
)
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    PredefinedSplit,
    RepeatedStratifiedKFold,
    StratifiedGroupKFold,
    StratifiedKFold,
)
from sklearn.neighbors import KNeighborsClassifier

import sklearn_stats_compare as ssc
from sklearn_stats_compare import StatisticalGridSearchCV, compare, cross_validate_models
from sklearn_stats_compare.evaluation import make_cost_scorer, mcnemar_of

pytestmark = [
    pytest.mark.filterwarnings("ignore:There are only"),
    pytest.mark.filterwarnings("ignore:A class has as few as 10 samples in a fold"),
]


class Same(ClassifierMixin, BaseEstimator):
    """A model whose parameter has no effect; it knows the class of each sample by a column."""

    def __init__(self, tag=0):
        self.tag = tag

    def fit(self, X, y):
        if self.tag == "fails":
            raise RuntimeError
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.asarray(X)[:, 0].astype(int)


GRID = {"tag": [1, 2]}


def agreed(comparison):
    """Number of units on which the first two candidates agree, by their interval."""
    row = comparison.frequentist(alternative="two-sided").iloc[0]
    level = comparison.alpha / 2 / comparison.scores.n_pairs
    assert row["mean_diff"] == 0
    return np.log(level) / np.log1p(-row["ci_high"] / comparison.scores.unit)


def searched(y, scoring="accuracy", cv=None, wrong=0, fit=None, **options):
    X = np.column_stack([y, y])
    X[:wrong, 0] = 1 - X[:wrong, 0]
    search = options.pop("kind", StatisticalGridSearchCV)(
        options.pop("estimator", Same()), options.pop("grid", GRID), scoring=scoring,
        cv=cv or KFold(5), **options,
    )  # fmt: skip
    return search.fit(X, y, **(fit or {}))


@pytest.mark.parametrize("test", ["corrected_t", "samples"])
@pytest.mark.parametrize("metric", ["recall", "balanced_accuracy", "f1", "roc_auc_ovr"])
def test_recall_with_groups_depends_on_the_groups_of_the_class(metric, test):
    # Of 40 patients with ten samples, five are ill, and no sample of the others has a part in it.
    ill = np.arange(40) % 8 == 0
    y, groups = np.repeat(ill, 10).astype(int), np.repeat(np.arange(40), 10)
    if metric == "roc_auc_ovr":
        metric = make_scorer(accuracy_score) if test == "samples" else "accuracy"
        expected = 40
    else:
        expected = 5
    fit = {"groups": groups}
    search = searched(y, metric, StratifiedGroupKFold(5), fit=fit)
    assert agreed(search.compare(test=test)) == pytest.approx(expected)


@pytest.mark.filterwarnings("ignore:A class has as few as")
@pytest.mark.parametrize("n_wrong", [0, 1])
@pytest.mark.parametrize("average", ["binary", "macro"])
def test_precision_depends_on_what_is_predicted(average, n_wrong, tmp_path):
    # Three of the ten positives of a fold are found, and a negative with them or none.
    y, cv = (np.arange(200) % 4 == 0).astype(int), StratifiedKFold(5)
    X = np.zeros((200, 2))
    for _, test in cv.split(X, y):
        X[test[y[test] == 1][:3], 0] = 1
        X[test[y[test] == 0][:n_wrong], 0] = 1
    scoring = make_scorer(precision_score, average=average)

    def fitted(**options):
        return StatisticalGridSearchCV(Same(), GRID, scoring=scoring, cv=cv, **options).fit(X, y)

    path, expected = tmp_path / "search.sqlite", 5 * (3 + n_wrong)
    kept = fitted(return_predictions=True, ledger=path)
    for test in ("corrected_t", "samples"):
        assert agreed(kept.compare(test=test)) == pytest.approx(expected)
    models = {"a": Same(1), "b": Same(2)}
    of_models = cross_validate_models(models, X, y, cv=cv, scoring=scoring, test="samples")
    for found in (fitted(return_predictions="values").comparison_, of_models):
        assert agreed(found) == pytest.approx(expected)
    kept.drop_predictions()
    without = pickle.loads(pickle.dumps(kept))
    assert agreed(without.comparison_) == pytest.approx(expected)
    assert agreed(compare(path)) == pytest.approx(5)  # a ledger has splits alone


@pytest.mark.parametrize("average", ["binary", "macro"])
def test_precision_of_a_search_of_scikit_learn_counts_splits(average):
    y = (np.arange(200) % 4 == 0).astype(int)
    scoring = make_scorer(precision_score, average=average)
    search = searched(y, scoring, StratifiedKFold(5), kind=GridSearchCV)
    sizes = {"n_train": 160, "n_test": 40}
    for options in (sizes, {"test_train_ratio": 0.25}, {"X": np.column_stack([y, y]), "y": y}):
        assert agreed(compare(search, **options)) == pytest.approx(5)


def test_a_precision_of_no_prediction_is_said_to_be_none():
    y = (np.arange(200) % 4 == 0).astype(int)
    grid = {"tag": [1, 2], "C": [1.0]}, {"tag": [3], "C": [0.0]}

    class Scaled(Same):
        def __init__(self, tag=0, C=1.0):
            super().__init__(tag)
            self.C = C

        def predict(self, X):
            return (super().predict(X) * self.C).astype(int)

    options = {"estimator": Scaled(), "grid": list(grid), "return_predictions": True}
    search = searched(y, make_scorer(precision_score, zero_division=0.0), **options)
    with pytest.warns(ssc.ComparisonWarning, match="puts no sample into a class, so that its prec"):
        found = search.comparison_
    assert agreed(found) == pytest.approx(50)  # of the others
    alone = searched(
        y, make_scorer(precision_score, zero_division=0.0), **options | {"grid": grid[1]}
    )
    with pytest.warns(ssc.ComparisonWarning, match="puts no sample into a class"):
        assert alone.comparison_.scores.n_independent == 5


def weighted(name="accuracy"):
    return get_scorer(name).set_score_request(sample_weight=True)


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


@pytest.mark.usefixtures("routing")
@pytest.mark.parametrize(("metric", "expected"), [("accuracy", 20), ("recall", 10)])
def test_weights_count_by_every_path(metric, expected, tmp_path):
    y = np.arange(200) % 2
    weights = (np.arange(200) % 20 < 2).astype(float)  # ten of each class
    fit, path = {"sample_weight": weights}, tmp_path / "search.sqlite"
    options = {"ledger": path, "return_predictions": True}
    search = searched(y, weighted(metric), StratifiedKFold(5), fit=fit, **options)
    X = np.column_stack([y, y])
    models = cross_validate_models(
        {"a": Same(1), "b": Same(2)}, X, y, cv=StratifiedKFold(5), scoring=weighted(metric),
        params=fit,
    )  # fmt: skip
    again = search.comparison_.with_settings(metric="accuracy")  # whose scores have no weights
    assert agreed(again) == pytest.approx(200)
    search.drop_predictions()
    without = pickle.loads(pickle.dumps(search))
    for found in (search.comparison_, without.comparison_, compare(path), models):
        assert agreed(found) == pytest.approx(expected)


@pytest.mark.usefixtures("routing")
def test_weights_count_within_the_class():
    y = np.repeat([0, 1], 100)
    weights = np.where(y == 1, np.arange(200) % 20 == 10, 1.0)  # one in each fold
    search = searched(y, weighted("recall"), StratifiedKFold(5), fit={"sample_weight": weights})
    assert agreed(search.comparison_) == pytest.approx(5)
    kept = searched(
        y, weighted("recall"), StratifiedKFold(5), fit={"sample_weight": weights},
        return_predictions=True,
    )  # fmt: skip
    with (
        pytest.warns(ssc.ComparisonWarning, match="pooled over folds"),
        pytest.warns(ssc.ComparisonWarning, match="samples have weights, which this test ignores"),
    ):
        mcnemar_of(kept.comparison_, 0, 1)


@pytest.mark.usefixtures("routing")
def test_weights_of_one_do_not_change_the_number_of_unequal_groups():
    y, groups = np.arange(200) % 2, np.concatenate([np.zeros(80, int), 1 + np.arange(120) // 3])
    cv = GroupKFold(5).set_split_request(groups=True)
    for weights in (None, np.ones(200), np.full(200, 7.0)):
        fit = {"groups": groups, "sample_weight": weights}
        assert agreed(searched(y, weighted(), cv, fit=fit).comparison_) == pytest.approx(41)


@pytest.mark.parametrize("hold_outs", [1, 2])
def test_a_test_set_counts_once(hold_outs):
    y, rng = np.arange(300) % 2, np.random.default_rng(0)
    tests = [np.arange(30 * (k % hold_outs), 30 * (k % hold_outs + 1)) for k in range(10)]
    cv = [(rng.choice(np.arange(60, 300), 150, replace=False), test) for test in tests]
    search = searched(y, cv=cv)
    with pytest.warns(ssc.ComparisonWarning, match="or test the same samples"):
        found = search.comparison_
    assert agreed(found) == pytest.approx(30 * hold_outs)


def test_windows_that_overlap_count_their_different_samples():
    cv = [(np.arange(5 * k + 100), np.arange(5 * k + 100, 5 * k + 150)) for k in range(10)]
    search = searched(np.arange(300) % 2, cv=cv)
    with pytest.warns(ssc.ComparisonWarning, match="training sets grow"):
        assert agreed(search.comparison_) == pytest.approx(95)


def stopping(n_left):
    """A model whose fit is interrupted after so many fits."""

    class Stops(Same):
        n_done = 0

        def fit(self, X, y):
            Stops.n_done += 1
            if Stops.n_done > n_left:
                raise KeyboardInterrupt
            return super().fit(X, y)

    return Stops()


def test_a_ledger_of_some_folds_counts_their_share(tmp_path):
    y, path = (np.arange(200) % 5 == 0).astype(int), tmp_path / "search.sqlite"
    with pytest.raises(KeyboardInterrupt):
        searched(y, "recall", StratifiedKFold(5), estimator=stopping(9), ledger=path)
    found = compare(path)
    assert found.scores.n_splits == 4
    assert agreed(found) == pytest.approx(32)


def test_learning_curves_count_groups():
    y, groups = np.arange(200) % 2, np.arange(200) // 10
    found = ssc.evaluation.compare_learning_curves(
        {"a": Same(1), "b": Same(2)}, np.column_stack([y, y]), y, schedule=[1.0], groups=groups,
        cv=GroupKFold(5), random_state=0,
    )  # fmt: skip
    assert agreed(next(iter(found.comparisons.values()))) == pytest.approx(20)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning")
@pytest.mark.filterwarnings("ignore:One or more of the test scores are non-finite")
@pytest.mark.parametrize("error_score", [0.0, -1.0, -999.0])
def test_the_score_of_failed_fits_says_nothing_of_the_others(error_score):
    y = np.arange(100) % 2
    options = {"grid": {"tag": [1, 2, "fails"]}, "wrong": 1}
    own, usual = (
        searched(y, error_score=each, **options).comparison_ for each in (error_score, np.nan)
    )
    assert agreed(own) == pytest.approx(100)
    columns = ["mean", "ci_low", "ci_high"]
    pd.testing.assert_frame_equal(own.ranking()[columns][:2], usual.ranking()[columns][:2])


@pytest.mark.parametrize(
    ("scorer", "expected"),
    [
        ("accuracy", 300), ("recall_micro", 300), ("recall_weighted", 300), ("f1_micro", 300),
        ("recall_macro", 15), ("f1_weighted", 15),
        (make_scorer(recall_score, labels=[2], average="micro"), 15),
        (make_scorer(recall_score, labels=[0, 1, 2], average="micro"), 300),
        (make_scorer(recall_score, labels=[0], average="macro"), 185),
    ],
)  # fmt: skip
def test_averages_that_are_the_accuracy_count_all_samples(scorer, expected):
    y = np.repeat([0, 1, 2], [185, 100, 15])
    found = searched(y, scorer, StratifiedKFold(5)).comparison_
    assert agreed(found) == pytest.approx(expected)


def test_recall_counts_the_class_that_it_is_of():
    y = (np.arange(300) % 10 > 0).astype(int)
    for scorer, n in (("recall", 270), (make_scorer(recall_score, pos_label=0), 30), ("f1", 30)):
        assert agreed(searched(y, scorer, StratifiedKFold(5)).comparison_) == pytest.approx(n)


COSTS = [[0, 1], [5, 0]]


@pytest.mark.parametrize("normalize", [True, False])
def test_a_search_of_scikit_learn_knows_its_costs(normalize):
    y, scorer = np.arange(200) % 2, make_cost_scorer(COSTS, normalize=normalize)
    own = searched(y, scorer, wrong=10)
    X = np.column_stack([y, y])
    X[:10, 0] = 1 - X[:10, 0]
    other = GridSearchCV(Same(), GRID, scoring=scorer, cv=KFold(5)).fit(X, y)
    unit = 5 if normalize else 5 * 40
    alone = compare(other, X=X, y=y)
    for found in (own.comparison_, alone, compare({"p": own, "q": other})):
        assert found.scores.unit == unit
        assert agreed(found) == pytest.approx(200)


def test_a_search_of_scikit_learn_counts_the_groups_of_its_data():
    y, groups = np.arange(200) % 2, np.arange(200) // 10
    X = np.column_stack([y, y])
    search = GridSearchCV(Same(), GRID, cv=GroupKFold(5)).fit(X, y, groups=groups)
    assert agreed(compare(search, X=X, y=y, groups=groups)) == pytest.approx(20)


def test_groups_of_two_columns_are_their_rows():
    y, patient = np.arange(200) % 2, np.arange(200) // 4
    cv = [*PredefinedSplit(patient % 5).split()]
    columns = pd.DataFrame({"site": patient // 10, "patient": patient % 10})
    for groups in (columns, patient):
        assert agreed(searched(y, cv=cv, fit={"groups": groups}).comparison_) == pytest.approx(50)


def test_a_long_table_of_several_metrics_has_the_units_of_each():
    y = (np.arange(200) % 5 == 0).astype(int)
    models, X = {"a": Same(1), "b": Same(2)}, np.column_stack([y, y])
    found = cross_validate_models(
        models, X, y, cv=StratifiedKFold(5), scoring=["accuracy", "recall"]
    )
    table = pd.concat([each.to_long() for each in found.values()])
    for metric, expected in (("accuracy", 200), ("recall", 40)):
        assert agreed(compare(table, metric=metric)) == pytest.approx(expected)
    with pytest.raises(ValueError, match=r"those by accuracy, recall.*'accuracy'"):
        compare(found)


NO_ERROR = {
    "error rate": (make_scorer(zero_one_loss, greater_is_better=False), -1.0),
    "cost": (make_cost_scorer(COSTS), -5.0),
    "costs": (make_cost_scorer(COSTS, normalize=False), -5.0 * 20),
    "number of errors": (make_scorer(zero_one_loss, greater_is_better=False, normalize=False), -20),
}


@pytest.mark.parametrize("metric", NO_ERROR)
def test_limits_of_no_error_are_those_of_the_accuracy_in_its_unit(metric):
    scorer, most = NO_ERROR[metric]
    y = np.arange(100) % 2
    best = searched(y).comparison_.ranking().iloc[0]
    found = searched(y, scorer).comparison_
    row = found.ranking().iloc[0]
    expected = most * (1 - best["ci_low"]), 0
    assert (row["ci_low"], row["ci_high"]) == pytest.approx(expected)
    assert found.optimism().confidence_interval() == pytest.approx(expected)


def test_equal_scores_by_one_metric_dominate_by_another():
    # Not worse by more than 0.05 by the first: (1 − 0.05)^1000; better by the second.
    rng, design = np.random.default_rng(0), ssc.SplitDesign([900] * 10, [100] * 10, [0] * 10)
    accuracy = np.round(0.8 + rng.normal(0, 0.02, (1, 10)), 2).repeat(2, axis=0)
    brier = np.array([[-0.1], [-0.25]]) + rng.normal(0, 0.002, (2, 10))
    by_metric = {
        name: ssc.Comparison(ssc.SplitScores(values, design), metric=name)
        for name, values in (("accuracy", accuracy), ("neg_brier_score", brier))
    }
    found = ssc.possibly_pareto(by_metric, [*by_metric], rope=dict.fromkeys(by_metric, 0.05))
    assert found["label"].tolist() == ["0"]


def test_subgroups_of_sums_are_refused_and_tuples_name_subgroups():
    y = np.arange(200) % 2
    options = {"return_predictions": True, "wrong": 5}
    groups = pd.Series([("f", k % 2) for k in range(200)])
    sums = searched(y, make_cost_scorer(COSTS, normalize=False), **options)
    with pytest.raises(ValueError, match=r"no sum for subgroups.*normalize=True"):
        sums.compare(test="samples").by(groups)
    table = searched(y, **options).compare(test="samples").by(groups).table
    assert table["group"].tolist() == ["('f', 0)", "('f', 1)"]
    assert table["n_samples"].tolist() == [100, 100]


@pytest.mark.parametrize(("scorer", "n"), [("accuracy", 100), ("roc_auc", 5), ("f1", 5)])
def test_without_sizes_only_shares_show_a_number_of_samples(scorer, n):
    y = np.arange(100) % 2
    X = np.column_stack([y, y])
    X[::7, 0] = 1 - X[::7, 0]
    search = GridSearchCV(Same(), GRID, scoring=scorer, cv=KFold(5))
    if scorer == "roc_auc":
        search.set_params(estimator=LogisticRegression(), param_grid={"verbose": [0, 1]})
    assert agreed(compare(search.fit(X, y))) == pytest.approx(n)
    scores = [search.cv_results_[f"split{k}_test_score"][0] for k in range(5)]
    named = compare({"a": scores, "b": scores}, metric=scorer, test_train_ratio=0.25)
    assert agreed(named) == pytest.approx(n)


def test_a_sum_without_sizes_is_refused():
    y = np.arange(100) % 2
    scorer = make_cost_scorer(COSTS, normalize=False)
    search = GridSearchCV(Same(), GRID, scoring=scorer).fit(np.column_stack([y, y]), y)
    with pytest.raises(ValueError, match="`X` must be given for a sum"):
        compare(search)


def test_a_search_of_scikit_learn_counts_the_rows_that_it_tests():
    y, fold = np.arange(300) % 2, np.where(np.arange(300) < 30, np.arange(300) % 5, -1)
    X = np.column_stack([y, y])
    search = GridSearchCV(Same(), GRID, scoring="recall", cv=PredefinedSplit(fold)).fit(X, y)
    assert agreed(compare(search, X=X, y=y)) == pytest.approx(15)


def test_values_with_an_unknown_option_are_still_of_classes():
    y = (np.arange(200) % 10 == 0).astype(int)
    for options in ({}, {"replace_undefined_by": 0.0}):
        if options and "replace_undefined_by" not in signature(cohen_kappa_score).parameters:
            continue  # before scikit-learn 1.9
        scorer = make_scorer(cohen_kappa_score, **options)
        found = searched(y, scorer, StratifiedKFold(5), wrong=4).comparison_
        assert agreed(found) == pytest.approx(20)


@pytest.mark.parametrize("metric", ["recall_samples", "f1_samples", "jaccard_samples"])
def test_averages_over_samples_count_all_samples(metric):
    class Labels(Same):
        def predict(self, X):
            return np.asarray(X)[:, :3].astype(int)

    y = np.column_stack([np.ones(100), np.arange(100) % 2, np.arange(100) < 5]).astype(int)
    search = StatisticalGridSearchCV(Labels(), GRID, scoring=metric, cv=KFold(5, shuffle=True))
    assert agreed(search.fit(y, y).comparison_) == pytest.approx(100)


def test_jaccard_counts_the_rarest_class():
    y = np.repeat([0, 1, 2], [185, 100, 15])
    found = searched(y, "jaccard_micro", StratifiedKFold(5)).comparison_
    assert agreed(found) == pytest.approx(15)


def test_weighted_and_unweighted_scores_are_not_paired(routing):
    y = np.arange(100) % 2
    plain, with_weights = (
        searched(y, weighted(), fit=fit) for fit in ({}, {"sample_weight": 1.0 + y})
    )
    with pytest.raises(ValueError, match=r"differ in the scores \(not weighted, weighted\)"):
        compare({"plain": plain, "weighted": with_weights})


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("weights", [np.ones(90), 2.0, "balanced"])
def test_weights_that_do_not_fit_the_data_lose_no_fit(routing, weights):
    y = np.arange(100) % 2
    search = searched(y, weighted(), fit={"sample_weight": weights}, refit=False)
    assert np.isnan(search.cv_results_["mean_test_score"]).all()


@pytest.mark.parametrize("n_test", [1, 2, 3])
def test_small_folds_count_their_samples(n_test):
    y = np.arange(36) % 2
    X = np.column_stack([y, y])
    search = StatisticalGridSearchCV(
        KNeighborsClassifier(4), {"n_jobs": [1, None]}, scoring="neg_brier_score",
        cv=KFold(36 // n_test, shuffle=True, random_state=0),
    )  # fmt: skip
    X = X + np.random.default_rng(0).normal(0, 1, X.shape)
    assert agreed(search.fit(X, y).comparison_) == pytest.approx(36)


class FailsOnce(Same):
    """It fails without the sample that has 2 in its second column."""

    def fit(self, X, y):
        if not np.asarray(X)[:, 1].max() > 1:
            raise RuntimeError
        return super().fit(X, y)


def data_of_one_failure():
    y = np.arange(100) % 2
    return np.column_stack([y, np.where(np.arange(100) == 7, 2, 0)]), y


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning")
def test_a_split_on_which_all_fits_failed_says_nothing_of_the_range():
    X, y = data_of_one_failure()
    search = StatisticalGridSearchCV(FailsOnce(), GRID, cv=KFold(5), error_score=-999.0)
    assert agreed(search.fit(X, y).comparison_) == pytest.approx(100)


def test_a_ledger_of_the_first_splits_counts_their_classes(tmp_path):
    # Twenty positives in the first three folds, and all of them in the third.
    y, path = (np.arange(200) >= 100).astype(int), tmp_path / "search.sqlite"
    with pytest.raises(KeyboardInterrupt), warnings.catch_warnings(action="ignore"):
        searched(y, "recall", KFold(5), estimator=stopping(8), ledger=path)
    found = compare(path)
    assert found.scores.n_splits == 3
    assert found.scores.n_independent == 20


@pytest.mark.parametrize("n_fits", [11, 24])
def test_a_ledger_of_a_stopped_extension_counts_whole_repeats(tmp_path, n_fits):
    y, path = (np.arange(100) % 5 == 0).astype(int), tmp_path / "search.sqlite"
    cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=1, random_state=0)
    options = {"ledger": path, "refit": False}
    search = searched(y, "recall", cv, estimator=stopping(n_fits), **options)
    with pytest.raises(KeyboardInterrupt):
        search.extend(np.column_stack([y, y]), y, n_repeats=2)
    found = compare(path)
    assert (found.scores.n_splits > 5) == (n_fits > 20)
    assert agreed(found) == pytest.approx(20)


@pytest.mark.parametrize("seed", range(4))
def test_a_ledger_of_a_race_counts_the_splits_that_it_took(tmp_path, seed):
    # A race takes them in a random order, and folds have from 4 to 40 positives.
    path = tmp_path / "race.sqlite"
    y = np.concatenate([np.arange(40) < 4 * (k + 1) for k in range(10)]).astype(int)
    options = {"kind": ssc.RacingGridSearchCV, "random_state": seed, "ledger": path}
    with pytest.raises(KeyboardInterrupt), warnings.catch_warnings(action="ignore"):
        searched(y, "recall", KFold(10), estimator=stopping(11), **options)
    found = compare(path)
    done = np.random.RandomState(seed).permutation(10)[:5]
    assert found.scores.n_splits == 5
    assert found.scores.n_independent == 4 * (done + 1).sum()


def test_a_mapping_of_searches_knows_the_score_of_failed_fits():
    X, y = data_of_one_failure()
    searches = {}
    for tag in (1, 2):
        search = StatisticalGridSearchCV(
            FailsOnce(), {"tag": [tag]}, cv=KFold(5), error_score=-999.0
        )
        with warnings.catch_warnings(action="ignore"):
            searches[str(tag)] = search.fit(X, y)
    assert agreed(compare(searches)) == pytest.approx(100)


@pytest.mark.parametrize("n", [495, 500])
def test_folds_of_a_hundred_samples_show_their_number(n):
    y = np.arange(n) % 2
    X = np.column_stack([y, y])
    wrong = np.random.default_rng(0).random(n) < 0.2
    X[wrong, 0] = 1 - X[wrong, 0]
    found = compare(GridSearchCV(Same(), GRID, cv=KFold(5)).fit(X, y))
    assert agreed(found) == pytest.approx(n)


@pytest.mark.parametrize(("decimals", "n"), [(8, 5), (3, 5), (2, 5)])
def test_rounding_adds_no_samples(decimals, n):
    scores = np.round(
        [0.8312345678, 0.7923456781, 0.8712345671, 0.8412345679, 0.8098765432], decimals
    )
    found = compare({"a": scores, "b": scores}, test_train_ratio=0.25)
    assert agreed(found) == pytest.approx(n)


@pytest.mark.parametrize(
    "metric",
    [
        "recall_macro",
        "macro sensitivity",
        "recall@10",
        "ROC AUC",
        "macro F1",
        "Cohen's kappa",
        "UAR",
        "score",
        None,
    ],
)
def test_products_of_class_sizes_are_no_numbers_of_samples(metric):
    scores = np.array([63, 71, 80, 95, 101]) / 126  # of classes of 21, 6 and 3 samples
    found = compare({"a": scores, "b": scores}, metric=metric, test_train_ratio=0.25)
    assert agreed(found) == pytest.approx(5)
    # That nothing is known of the samples does not widen intervals of others.
    values = {"a": scores, "c": scores[::-1] - 0.125}
    by_ratio, by_sizes = (
        compare(values, metric=metric, **sizes).against()[["ci_low", "ci_high"]]
        for sizes in ({"test_train_ratio": 0.25}, {"n_train": 4000, "n_test": 1000})
    )
    pd.testing.assert_frame_equal(by_ratio, by_sizes)


@pytest.mark.parametrize(
    "metric",
    ["acc", "test_acc", "classif.acc", "classif.ce", "metrics.accuracy", "categorical_accuracy",
     "merror", "val_error", "Top-5 error", "test_zero_one_loss", "recall_micro", "error rate"],
)  # fmt: skip
def test_accuracies_by_any_usual_name_show_the_number_of_samples(metric):
    rng = np.random.default_rng(0)
    scores = rng.binomial(40, 0.3, 10) / 40
    found = compare({"a": scores, "b": scores}, metric=metric, test_train_ratio=1 / 9)
    assert agreed(found) == pytest.approx(400)


@pytest.mark.parametrize("sizes", [{}, {"n_train": 160, "n_test": 40}])
@pytest.mark.parametrize(("metric", "n"), [("recall", 20), ("roc_auc", 5), ("accuracy", 200)])
def test_searches_without_data_count_no_more_than_scores_show(metric, n, sizes):
    # Recalls of 8 positives in a fold are here multiples of 1/4.
    y = np.arange(200) % 5 == 0
    rng = np.random.default_rng(0)
    X = np.column_stack([np.where(rng.random(200) < 0.9, y, ~y), rng.random(200)])
    grid = {"n_jobs": [None, 1], "n_neighbors": [5]}
    search = GridSearchCV(KNeighborsClassifier(), grid, scoring=metric, cv=StratifiedKFold(5))
    assert agreed(compare(search.fit(X, y.astype(int)), **sizes)) == pytest.approx(n, rel=0.01)


def test_sizes_that_come_later_show_the_number_of_samples(tmp_path):
    scores = [0.9, 0.8, 0.85, 0.95, 0.7, 0.9, 0.8, 1.0, 0.9, 0.6]
    found = compare({"a": scores, "b": scores}, test_train_ratio=1 / 9)
    found.to_csv(tmp_path / "scores.csv")
    for saved in (tmp_path / "scores.csv", found.to_long()):
        assert agreed(compare(saved)) == pytest.approx(10)
        assert agreed(compare(saved, n_train=180, n_test=20)) == pytest.approx(200)


@pytest.mark.parametrize("unit", [1, 100])
@pytest.mark.parametrize("metric", ["accuracy", "acc", "sensitivity"])
def test_no_error_and_no_size_has_an_interval(metric, unit):
    row = compare({"a": [unit] * 10}, metric=metric, test_train_ratio=1 / 9).ranking().iloc[0]
    assert (row["ci_low"], row["ci_high"]) == pytest.approx((unit * 0.48069, unit), rel=1e-4)
