"""Uses of kept predictions: other metrics, subgroups, McNemar's and DeLong's test."""

import numpy as np
import pandas as pd
import pytest
from sklearn import model_selection as ms
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, f1_score, make_scorer, roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import sklearn_stats_compare as ssc
from sklearn_stats_compare import evaluation

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
X, y = X.iloc[::2, :4], y.iloc[::2]  # 285 rows with a custom index
MODEL = make_pipeline(StandardScaler(), LogisticRegression())
GRID = {"logisticregression__C": [0.001, 0.1, 10.0]}
CV = ms.RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
METRICS = ["accuracy", "neg_log_loss"]


def searched(cv=CV, data=(X, y), groups=None, **options):
    return ssc.StatisticalGridSearchCV(MODEL, GRID, cv=cv, **options).fit(*data, groups=groups)


@pytest.fixture(scope="module")
def search():
    return searched(scoring=METRICS, refit="neg_log_loss", test="samples", return_predictions=True)


@pytest.fixture
def kept():
    """One whose predictions may be dropped."""
    return searched(cv=5, return_predictions=True)


@pytest.mark.parametrize(
    "metric",
    [
        "roc_auc",
        make_scorer(f1_score),
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("f1", "neg_brier_score")),
    ],
)
def test_with_metric_equals_a_search_with_that_metric(search, metric):
    scored = searched(scoring=metric, test="samples", return_predictions=True)
    for test in ("samples", "corrected_t"):
        expected = scored.compare(test=test)
        found = search.compare(test=test).with_settings(metric=metric)
        np.testing.assert_array_equal(found.scores.values, expected.scores.values)
        pd.testing.assert_frame_equal(found.frequentist(), expected.frequentist(), rtol=1e-9)
        assert found.metric == (metric if isinstance(metric, str) else "f1")
        assert found.with_settings(metric="accuracy").with_settings(rope=0.02).rope == 0.02


@pytest.mark.filterwarnings("ignore:There are only 5 splits")
def test_scoring_what_was_not_kept_raises(search, kept):
    with pytest.raises(ValueError, match="needs the predictions"):
        searched(cv=5, test="samples").comparison_.with_settings(metric="f1")
    with pytest.raises(ValueError, match=r"'roc_auc' cannot be .* only of `predict`"):
        kept.comparison_.with_settings(metric="roc_auc")
    with pytest.raises(ValueError, match="computed from predictions alone"):
        search.comparison_.with_settings(metric=lambda estimator, X, y: 0.5)
    plain = searched(cv=5, return_predictions=False)
    with pytest.raises(ValueError, match="tables and ledgers have none"):
        plain.comparison_.with_settings(metric="f1")
    with pytest.raises(ValueError, match="no predictions"):
        evaluation.mcnemar_of(plain.comparison_, 0, 1)
    with pytest.raises(ValueError, match="`by` needs the test of per-sample values"):
        plain.comparison_.by(y)


@pytest.mark.filterwarnings("ignore:There are only 5 splits")
def test_dropped_predictions_are_removed_from_comparisons(kept):
    assert kept.comparison_._predicted is not None
    assert kept.comparison_.with_settings(test="samples").scores.samples.n_samples == len(y)
    kept.drop_predictions()
    assert kept.comparison_._predicted is None


def out_of_fold(C, method):
    return ms.cross_val_predict(
        make_pipeline(StandardScaler(), LogisticRegression(C=C)), X, y,
        cv=list(CV.split(X, y))[:5], method=method,
    )  # fmt: skip


def test_mcnemar_pools_the_folds_of_a_repeat_and_warns(search):
    with pytest.warns(ssc.ComparisonWarning, match="pooled over folds"):
        found = evaluation.mcnemar_of(search.comparison_, 0, 2)
    expected = ssc.stats.mcnemar(y, out_of_fold(0.001, "predict"), out_of_fold(10.0, "predict"))
    assert (found.statistic, found.pvalue) == (expected.statistic, expected.pvalue)
    assert found.n == len(y)
    assert "labels=('0.001', '10.0')" in repr(found)
    with pytest.raises(ValueError, match="`repeat` must be"):
        evaluation.mcnemar_of(search.comparison_, 0, 2, repeat=2)
    with pytest.raises(ValueError, match="`i` must be a candidate"):
        evaluation.mcnemar_of(search.comparison_, "nobody", 2)


def test_delong_averages_the_areas_of_the_folds(search):
    found = evaluation.delong_of(search.comparison_, "0.001", "10.0")
    p1, p2 = (out_of_fold(C, "predict_proba")[:, 1] for C in (0.001, 10.0))
    tests = [test for _, test in list(CV.split(X, y))[:5]]
    truth = y.to_numpy()
    assert found.auc1 == pytest.approx(np.mean([roc_auc_score(truth[t], p1[t]) for t in tests]))
    each = [ssc.stats.delong(truth[t], p1[t], p2[t]) for t in tests]
    assert found.variance == pytest.approx(sum(one.variance for one in each) / 25)


def test_subgroups_refer_to_rows_of_the_data(search):
    area = pd.cut(X["mean radius"], [0, 12, 15, 40], labels=["small", "medium", "large"])
    found = search.comparison_.by(area).table
    # The same as averaging the log loss of each sample by hand.
    values = search.comparison_.scores.samples.values
    order = search.comparison_.scores.order
    for group, rows in found.groupby("group", observed=True):
        members = (area == group).to_numpy()
        means = values[:, :, members].mean(axis=(1, 2))
        np.testing.assert_allclose(rows["mean_diff"], means[order[0]] - means[order[1:]])
        assert (rows["n_samples"] == members.sum()).all()
    # Aligned by the index, whatever the order of the rows.
    turned = search.comparison_.by(area.iloc[::-1]).table
    pd.testing.assert_frame_equal(turned, found)
    with pytest.raises(ValueError, match="must have the index of the data"):
        search.comparison_.by(area.reset_index(drop=True))


def test_subgroups_of_other_levels_are_refused():
    rows = pd.MultiIndex.from_product([range(10), range(10)], names=["patient", "visit"])
    data = pd.DataFrame(np.random.default_rng(0).random((100, 2)), rows)
    models = {"a": LogisticRegression(), "b": LogisticRegression(C=1e-3)}
    target = (data[0] > 0.5).to_numpy()
    found = ssc.cross_validate_models(models, data, target, cv=5, test="samples")
    groups = pd.Series(np.arange(100) // 50, rows)
    assert len(found.by(groups).table) == 2
    with pytest.raises(ValueError, match="must have the index of the data"):
        found.by(groups.rename_axis(["visit", "patient"]))


def test_scores_that_are_not_means_are_computed_within_subgroups():
    whole, target = load_breast_cancer(return_X_y=True)
    whole = whole[:, :4]
    groups = np.arange(len(target)) % 2
    halves = ms.RepeatedStratifiedKFold(n_splits=2, n_repeats=2, random_state=0)
    options = {"data": (whole, target), "scoring": "f1", "cv": halves, "test": "samples"}
    full = searched(**options, return_predictions=True)
    expected = {}
    for C in GRID["logisticregression__C"]:
        predicted = full.predictions(str(C)).to_numpy()
        for group in (0, 1):
            scores, sizes = [], []
            for k, (_, test) in enumerate(halves.split(whole, target)):
                own = test[groups[test] == group]
                scores.append(f1_score(target[own], predicted[own, k // 2]))
                sizes.append(own.size)
            expected[C, group] = np.average(scores, weights=sizes)
    for row in full.comparison_.by(groups).table.itertuples():
        leader, rival = expected[float(row.model_1), row.group], float(row.model_2)
        difference = leader - expected[rival, row.group]
        assert row.mean_diff == pytest.approx(difference, abs=1e-9)
    with pytest.raises(ValueError, match="f1_score is not a mean over samples"):
        searched(**options).comparison_.by(groups)


def test_ratios_of_few_counts_warn(search):
    # 57 samples in a fold, 28 of them in a subgroup, about ten of the rarer class.
    table = search.comparison_.with_settings(metric="f1").by(np.arange(len(y)) % 2).table
    assert table["verdict"].eq("too few").all()
    by_f1 = searched(scoring="f1", cv=ms.StratifiedKFold(10), test="samples")
    with pytest.warns(ssc.ComparisonWarning, match=r"as few as 1\d samples in a fold.*as often as"):
        _ = by_f1.comparison_


@pytest.mark.filterwarnings("ignore:There are only 5 splits")
def test_probabilities_used_as_decisions_are_noted(search):
    assert "asked" not in search.comparison_.with_settings(metric="neg_brier_score").note
    by_area = search.comparison_.with_settings(metric="roc_auc")
    assert "a search would use `decision_function`" in by_area.note
    options = {"scoring": "neg_log_loss", "return_predictions": True}
    of_three = searched(cv=5, data=load_iris(return_X_y=True), **options)
    with pytest.raises(ValueError, match="no response of `decision_function` was kept"):
        of_three.comparison_.with_settings(metric="average_precision")


def test_what_is_not_defined_is_reported(search):
    scorer = make_scorer(
        brier_score_loss, response_method="predict_proba", pos_label="no", greater_is_better=False
    )
    with pytest.raises(ValueError, match=r"`pos_label` must be one of the classes .*; got 'no'"):
        search.comparison_.with_settings(metric=scorer)
    groups = np.where(y == 1, "benign", "malignant")  # one class each: no area
    found = search.comparison_.with_settings(metric="roc_auc").by(groups)
    assert found.table["verdict"].eq("undefined").all()
    assert "not defined in benign, malignant" in repr(found)


def test_groups_of_samples_are_the_units_of_a_subgroup():
    patients = np.arange(len(y)) // 3
    options = {"test": "samples", "return_predictions": True}
    grouped = searched(cv=ms.GroupKFold(5), groups=patients, **options).comparison_
    assert grouped.scores.samples.n_samples == patients.max() + 1
    halves = np.where(patients < 48, "early", "late")
    assert grouped.by(halves).table["verdict"].ne("too few").all()
    # 144 samples, and 48 patients: fewer than 50.
    assert grouped.by(halves, min_samples=50).table["verdict"].eq("too few").any()


def test_a_metric_of_the_search_is_that_of_its_own_scorer():
    own = {"f1": make_scorer(f1_score, average="macro"), "accuracy": "accuracy", "mine": "roc_auc"}
    search = searched(scoring=own, refit="f1", return_predictions=True)
    for name in own:
        found = search.comparison_.with_settings(metric=name)
        assert found.metric == name
        np.testing.assert_array_equal(
            found.scores.values, search.compare(metric=name).scores.values
        )
    assert search.comparison_.scores.scorer_name == "f1_macro"
    assert search.compare(metric="mine").scores.scorer_name == "roc_auc"
    assert search.compare(metric="accuracy").scores.scorer_name == ""
