"""Ranges of metrics, and the limits of means that stay in them."""

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import get_scorer_names

import sklearn_stats_compare as ssc
from benchmarks import hard_cells
from sklearn_stats_compare.displays import MetricScatterDisplay
from sklearn_stats_compare.stats._score_range import metric_range

pytestmark = pytest.mark.filterwarnings("ignore:There are only 5 splits", "ignore:The splits form")

INF = np.inf


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("accuracy", (0, 1)), ("accuracy_score", (0, 1)), ("f1_macro", (0, 1)), ("roc_auc", (0, 1)),
        ("roc_auc_ovr_weighted", (0, 1)), ("jaccard_samples", (0, 1)), ("recall", (0, 1)),
        ("r2", (-INF, 1)), ("d2_absolute_error_score", (-INF, 1)), ("matthews_corrcoef", (-1, 1)),
        ("neg_log_loss", (-INF, 0)), ("neg_brier_score", (-INF, 0)), ("neg_rmse", (-INF, 0)),
        # A user's own: recall of women minus that of men, and minus a mean error.
        ("recall_gap", (-INF, INF)), ("f1_gap", (-INF, INF)), ("accuracy_lift", (-INF, INF)),
        ("r2_gain", (-INF, INF)), ("neg_bias", (-INF, INF)), ("neg_mean_error", (-INF, INF)),
        ("score", (-INF, INF)), ("", (-INF, INF)),
    ],
)  # fmt: skip
def test_the_range_is_that_of_a_metric_of_this_very_name(metric, expected):
    assert metric_range(metric) == expected


def test_losses_of_scikit_learn_are_never_positive():
    negated = [name for name in get_scorer_names() if name.startswith("neg_")]
    assert {metric_range(name) for name in negated} == {(-INF, 0)}


def folds(values, n_test=20):
    n_splits = np.shape(values)[1]
    n_train = [n_test * (n_splits - 1)] * n_splits
    design = ssc.SplitDesign(n_train, [n_test] * n_splits, [0] * n_splits)
    return ssc.SplitScores(values, design)


def limits(values, metric, **options):
    row = ssc.Comparison(folds(values), metric=metric, **options).ranking().iloc[0]
    return row["ci_low"], row["ci_high"]


SHARES = np.array([[0.95, 1.0, 1.0, 0.9, 1.0]])


@pytest.mark.parametrize(
    ("metric", "names"),
    [
        ("accuracy", ["Accuracy", "acc", "classif.acc", "val_accuracy", "Percent_correct"]),
        ("roc_auc", ["ROC", "AUC", "classif.auc", "Area_under_ROC", "mean_roc_auc"]),
        ("recall", ["Recall", "Sens", "sensitivity", "classif.recall"]),
        ("precision", ["Precision", "ppv"]),
        ("average_precision", ["PR AUC", "pr_auc"]),
        ("f1_macro", ["macro_f1", "F1 (macro)", "weighted_f1"]),
        ("recall_macro", ["Mean_Sensitivity", "Mean_Recall", "macro recall"]),
        ("precision_macro", ["macro_precision"]),
        ("r2", ["R²", "regr.rsq", "Rsquared"]),
    ],
)
def test_metrics_by_their_names_in_other_programs_have_the_same_limits(metric, names):
    expected = limits(SHARES, metric)
    assert expected[1] <= 1
    for name in names:
        assert limits(SHARES, name) == expected


@pytest.mark.parametrize("name", ["RMSE", "regr.mae", "logLoss", "mn_log_loss", "Brier", "MAPE"])
def test_losses_by_their_names_in_other_programs_are_never_positive(name):
    losses = {"a": [0.01, 0.2, 0.02, 0.4, 0.01], "b": [0.3, 0.2, 0.4, 0.5, 0.3]}
    found = ssc.compare(losses, metric=name, test_train_ratio=0.25)
    assert found.metric == f"neg_{name}"
    assert found.ranking()["ci_high"].iloc[0] == 0


@pytest.mark.parametrize("own", ["AUC", "mine", "recall", "Precision"])
def test_scores_with_a_name_of_their_own_have_the_range_of_their_scorer(own):
    design = folds(SHARES).design
    by = {
        name: ssc.Comparison(ssc.SplitScores(SHARES, design, scorer_name=name), metric=own)
        for name in ("", "roc_auc", "precision_micro")
    }
    found = {name: comparison.ranking().iloc[0] for name, comparison in by.items()}
    for name in ("roc_auc", "precision_micro"):
        assert (found[name]["ci_low"], found[name]["ci_high"]) == limits(SHARES, name)
    # The name stays in a saved table.
    long = by["roc_auc"].to_long()
    assert ssc.compare(long).scores.scorer_name == "roc_auc"
    with pytest.raises(ValueError, match="`scorer_name` must be text; got 3"):
        ssc.SplitScores(SHARES, design, scorer_name=3)


NET = np.array([[0.1, 0.0, 0.1, 0.0, 0.1]])  # right minus wrong of 20 samples, over 20


def test_scores_that_may_only_look_like_shares_have_the_wider_of_two_limits():
    # Right minus wrong, and kappa of balanced classes, are 2·accuracy − 1: their limits must not
    # exclude 0 where those of accuracy contain ½.
    low, high = limits(NET, "kappa")
    std_err = NET.std(ddof=1) * np.sqrt(1 / 5 + 1 / 4)
    assert low == pytest.approx(NET.mean() - stats.t.isf(0.025, 4) * std_err)
    assert low < 0
    share_low, share_high = limits(NET, "accuracy")
    assert 0 < share_low < NET.mean() < share_high
    assert high == pytest.approx(max(share_high, 2 * NET.mean() - low))
    # A profit may be above 1 where it was not in these splits.
    assert limits(1 - NET, "profit") == pytest.approx((1 - high, 1 - low))


def test_f1_by_another_name_has_no_narrower_limits():
    values = np.array([[0.0, 0.25, 0.5, 0.0, 0.4]])
    (low, high), (known_low, known_high) = limits(values, "my_f1"), limits(values, "f1")
    assert low <= known_low <= known_high <= high


def test_limits_of_precision_do_not_depend_on_the_other_candidates():
    # A candidate that predicts few positives has small denominators.
    own = [[0.5, 0.75, 0.8, 0.5, 0.6]]
    other = [[0.517, 0.3, 0.2, 0.4, 0.1]]
    assert limits(own, "precision") == limits([*own, *other], "precision")


@pytest.mark.parametrize("metric", ["accuracy", "f1", "jaccard", "roc_auc", "kappa", "score"])
def test_tables_and_pictures_have_the_same_limits(metric):
    values = np.array([[0.9, 0.95, 1.0, 0.9, 1.0]])
    one = ssc.Comparison(folds(values), metric=metric)
    expected = limits(values, metric)
    assert one.optimism().confidence_interval() == pytest.approx(expected)
    two = {metric: one, "r2": ssc.Comparison(one.scores, metric="r2")}
    drawn = MetricScatterDisplay.from_comparisons(two, metric, "r2").frame().iloc[0]
    assert (drawn["x_low"], drawn["x_high"]) == pytest.approx(expected)


def test_limits_of_accuracy_do_not_depend_on_its_unit():
    values = np.array([[0.9, 0.95, 1.0, 0.9, 1.0]])
    expected = limits(values, "accuracy")
    assert limits(100 * values, "accuracy") == pytest.approx([100 * end for end in expected])
    low, high = limits(np.full((1, 5), 100.0), "accuracy")
    assert (low, high) == pytest.approx((100 * limits(np.ones((1, 5)), "accuracy")[0], 100))
    assert low < 100


def test_recall_stays_in_its_range_where_a_score_is_no_share():
    # A mean recall of unequal classes, with weights: mean ± t·SE would end above 1.
    low, high = limits(np.array([[0.7, 1.0, 1.0, 0.98123, 1.0]]), "balanced_accuracy")
    mean, std = np.mean([0.7, 1.0, 1.0, 0.98123, 1.0]), np.std([0.7, 1, 1, 0.98123, 1], ddof=1)
    assert mean + stats.t.isf(0.025, 4) * std * np.sqrt(1 / 5 + 1 / 4) > 1 > high
    assert low < mean - stats.t.isf(0.025, 4) * std * np.sqrt(1 / 5 + 1 / 4)


def test_adjusted_balanced_accuracy_below_chance_is_no_error():
    values = np.array([[-0.1, -0.2, -0.3, 0.0, 0.0]])
    low, high = limits(values, "balanced_accuracy")
    std_err = values.std(ddof=1) * np.sqrt(1 / 5 + 1 / 4)
    assert high == pytest.approx(values.mean() + stats.t.isf(0.025, 4) * std_err)
    assert low == pytest.approx(values.mean() - stats.t.isf(0.025, 4) * std_err)


@pytest.mark.parametrize("cell", hard_cells.GROUPS)
def test_groups_that_are_partly_right_count_as_their_spread_shows(cell, show):
    # t intervals miss in up to 34 % (the rare errors); Wilson's of whole groups never, and are up
    # to six times as wide as need be. One model of a pair is right wherever the other is; the true
    # difference is at the margin of the claim.
    found = hard_cells.rates_with_groups(np.random.default_rng(0), *cell, n=4000)
    show(f"{cell}: {found.round(3).to_dict()}")
    # Ten groups of many errors each have t intervals, which miss in 6 %.
    assert found["missed"] < max(0.055, found["missed of t"])
    assert found["claimed"] < 0.055
    if cell[-1] == 0:
        assert found["width"] < 1.2 * found["width of t"]
        # Twice the difference is excluded nearly as often as by t.
        assert found["twice excluded"] > 0.7


@pytest.mark.parametrize(
    "name", ["precision", "Precision_macro", "test_precision", "precision_score", "Prec.", "ppv"]
)
def test_perfect_precision_has_no_more_predictions_than_splits(name):
    # Ten right of ten that were predicted positive, of 200 samples with 60 positives.
    scores = ssc.SplitScores(np.ones((1, 5)), ssc.SplitDesign([160] * 5, [40] * 5))
    row = ssc.Comparison(scores, metric=name, warn=False).ranking().iloc[0]
    assert row["ci_low"] < 0.692  # the exact limit of ten
