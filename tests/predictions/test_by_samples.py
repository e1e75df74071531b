"""test="samples": predictions of a search become values of samples, which are tested."""

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import get_scorer, log_loss, make_scorer
from sklearn.model_selection import (
    GroupKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_val_predict,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_stats_compare import (
    Comparison,
    ComparisonWarning,
    RacingGridSearchCV,
    SampleScores,
    SimplestPossiblyBest,
    SplitScores,
    StatisticalGridSearchCV,
    StatisticalRandomizedSearchCV,
    compare,
)

X, y = load_breast_cancer(return_X_y=True)
X, y = X[:200, :5], y[:200]
SCALED = StandardScaler().fit_transform(X)
MODEL = make_pipeline(StandardScaler(), LogisticRegression())
GRID = {"logisticregression__C": [0.001, 0.1, 10.0]}
TWO = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)


def by_hand(cv, loss):
    """Values of samples from scikit-learn's own predictions: candidates × repeats × samples."""
    splits = list(cv.split(X, y))
    values = np.full((3, len(splits) // 5, len(y)), np.nan)
    for i, C in enumerate(GRID["logisticregression__C"]):
        for r in range(values.shape[1]):
            model = make_pipeline(StandardScaler(), LogisticRegression(C=C))
            own = splits[5 * r : 5 * r + 5]
            p = cross_val_predict(model, X, y, cv=own, method="predict_proba")
            values[i, r] = loss(p)
    return values


LOSSES = {
    "accuracy": lambda p: (p.argmax(axis=1) == y).astype(float),
    "neg_log_loss": lambda p: np.log(p[np.arange(len(y)), y]),
    "neg_brier_score": lambda p: -((p[:, 1] - y) ** 2),
}


@pytest.mark.parametrize("metric", LOSSES)
def test_tables_match_values_computed_by_hand(metric):
    arguments = {"scoring": metric, "cv": TWO, "test": "samples"}
    search = StatisticalGridSearchCV(MODEL, GRID, **arguments, return_predictions=True).fit(X, y)
    found = search.comparison_.scores.samples
    expected = by_hand(TWO, LOSSES[metric])
    np.testing.assert_allclose(found.values, expected, rtol=0, atol=1e-12)
    scores = SplitScores(
        search.comparison_.scores.values, search.comparison_.scores.design,
        samples=SampleScores(expected, 5),
    )  # fmt: skip
    there = Comparison(scores, list(search.comparison_.labels), test="samples", warn=False)
    pd.testing.assert_frame_equal(
        search.pairwise_frequentist_, there.pairwise_frequentist, rtol=1e-9
    )
    assert search.posterior(0, 2).df == len(y) - 1
    # If only values are kept, they are in single precision.
    small = StatisticalGridSearchCV(MODEL, GRID, **arguments).fit(X, y)
    assert small.comparison_.scores.samples.values.dtype == np.float32
    found = small.comparison_.scores.samples.values
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-9)
    pd.testing.assert_frame_equal(
        small.pairwise_frequentist_, there.pairwise_frequentist, rtol=1e-4, atol=1e-7
    )
    with pytest.raises(AttributeError, match="only the value of each metric"):
        small.predictions(0)


def test_five_folds_do_not_warn_and_describe_the_samples():
    search = StatisticalGridSearchCV(MODEL, GRID, cv=5, test="samples").fit(X, y)
    text = str(search.comparison_)
    assert "paired per-sample losses of 5 folds, 200 samples" in text
    with pytest.warns(UserWarning, match="only 5 splits"):
        by_splits = search.compare(test="corrected_t")
    assert "corrected t-test" in str(by_splits)
    assert by_splits.scores.samples is None
    assert search.comparison_.scores.samples is not None


def test_few_splits_do_not_warn_with_the_test_of_samples():
    search = StatisticalGridSearchCV(MODEL, GRID, cv=5, return_predictions=True).fit(X, y)
    by_samples = search.compare(test="samples")  # a warning would be an error
    now = StatisticalGridSearchCV(MODEL, GRID, cv=5, test="samples").fit(X, y)
    pd.testing.assert_frame_equal(by_samples.pairwise_frequentist, now.pairwise_frequentist_)
    with pytest.warns(UserWarning, match="only 5 splits"):
        _ = search.comparison_


def test_kept_predictions_can_be_tested_later():
    search = StatisticalGridSearchCV(MODEL, GRID, cv=TWO, return_predictions=True).fit(X, y)
    now = StatisticalGridSearchCV(MODEL, GRID, cv=TWO, test="samples").fit(X, y)
    assert search.comparison_.settings.test.name == "corrected_t"
    pd.testing.assert_frame_equal(
        search.compare(test="samples").pairwise_frequentist, now.pairwise_frequentist_
    )
    search.drop_predictions()
    with pytest.raises(ValueError, match="return_predictions"):
        search.compare(test="samples")
    without = StatisticalGridSearchCV(MODEL, GRID, cv=TWO).fit(X, y)
    with pytest.raises(ValueError, match="return_predictions=True"):
        without.compare(test="samples")


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_every_metric_has_its_own_values(n_jobs):
    metrics = ["accuracy", "roc_auc", "f1", "balanced_accuracy", "neg_log_loss"]
    search = StatisticalGridSearchCV(
        MODEL,
        GRID,
        scoring=metrics,
        refit="roc_auc",
        cv=TWO,
        n_jobs=n_jobs,
        test="samples",
        return_predictions=True,
    ).fit(X, y)
    for metric in metrics:
        scores = search.compare(metric=metric).scores
        assert scores.samples.form == ("auc" if metric == "roc_auc" else "mean")
        # The mean over the samples of a split is its score, to the last digits.
        tests = [test for _, test in TWO.split(X, y)]
        for k, test in enumerate(tests):
            means = scores.samples.values[:, k // 5, test].mean(axis=1)
            np.testing.assert_allclose(means, scores.values[:, k], rtol=0, atol=1e-10)


def test_regression_and_text_labels():
    target = X[:, 0] + X[:, 1]
    search = StatisticalGridSearchCV(Ridge(), {"alpha": [0.1, 10.0]}, cv=5, test="samples")
    assert search.fit(X, target).comparison_.scores.samples.n_samples == 200
    names = np.where(y == 1, "yes", "no")
    for scoring in ("accuracy", "roc_auc", "neg_log_loss"):
        numbers, texts = (
            StatisticalGridSearchCV(MODEL, GRID, cv=5, scoring=scoring, test="samples")
            .fit(X, labels)
            .comparison_.scores.samples.values
            for labels in (y, names)
        )
        np.testing.assert_array_equal(numbers, texts)


def test_groups_are_the_units_if_the_splitter_keeps_them_together():
    groups = np.arange(200) // 4
    search = StatisticalGridSearchCV(MODEL, GRID, cv=GroupKFold(5), test="samples")
    comparison = search.fit(X, y, groups=groups).comparison_
    assert comparison.scores.samples.n_samples == 50
    assert "5 folds, 50 groups of 200 samples" in str(comparison)
    assert search.posterior(0, 1).df == 49


def test_uneven_group_sizes_add_no_variance():
    sizes = [2] * 30 + [14] * 10
    groups = np.repeat(np.arange(40), sizes)
    rng = np.random.default_rng(0)
    order = rng.permutation(200)
    search = StatisticalGridSearchCV(
        Ridge(), {"alpha": [0.1, 1e6]}, scoring="neg_mean_absolute_error", cv=GroupKFold(5),
        test="samples",
    ).fit(X[order], X[order, 0], groups=groups)  # fmt: skip
    by_groups = search.pairwise_frequentist_["std_err"][0]
    alone = search.set_params(cv=5).fit(X[order], X[order, 0])
    # Samples do not depend on their groups here, and so groups act like random samples.
    assert 0.5 < by_groups / alone.pairwise_frequentist_["std_err"][0] < 2


def test_races_extensions_and_ledgers_give_the_same_test(tmp_path):
    arguments = {"cv": TWO, "test": "samples", "ledger": tmp_path / "search.sqlite"}
    first = StatisticalGridSearchCV(MODEL, GRID, **arguments).fit(X, y)
    again = StatisticalGridSearchCV(MODEL, GRID, **arguments).fit(X, y)
    assert again.n_reused_ == 30
    pd.testing.assert_frame_equal(first.pairwise_frequentist_, again.pairwise_frequentist_)
    once = RepeatedStratifiedKFold(n_splits=5, n_repeats=1, random_state=0)
    grown = StatisticalGridSearchCV(MODEL, GRID, cv=once, test="samples").fit(X, y)
    grown.extend(X, y, n_repeats=1)
    pd.testing.assert_frame_equal(grown.pairwise_frequentist_, first.pairwise_frequentist_)
    race = RacingGridSearchCV(
        MODEL, {"logisticregression__C": [1e-6, 1e-5, 1.0, 3.0]}, random_state=0, test="samples",
        cv=RepeatedStratifiedKFold(n_splits=5, n_repeats=3, random_state=0),
    ).fit(X, y)  # fmt: skip
    n = int(np.isnan(race.cv_results_["eliminated_at"]).sum())
    assert race.comparison_.scores.samples.n_candidates == n < 4


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning", "ignore:One or more")
def test_failed_candidate_is_missing():
    grid = {"logisticregression__C": [0.1, -1.0, 10.0]}
    search = StatisticalRandomizedSearchCV(
        MODEL, grid, n_iter=3, random_state=0, cv=5, test="samples"
    )
    search.fit(X, y)
    assert (search.comparison_.leader_table["verdict"] == "missing").sum() == 1


def test_untestable_searches_warn_and_raise_with_the_reason():
    # The warning comes before the first fit, and the fits can be compared by the other test.
    cv = ShuffleSplit(10, random_state=0)
    search = StatisticalGridSearchCV(MODEL, GRID, cv=cv, test="samples")
    with pytest.warns(ComparisonWarning, match=r"test on every sample once.*The fits continue"):
        search.fit(X, y)
    assert search.compare(test="corrected_t").leader is not None
    with pytest.raises(ValueError, match="test on every sample once"):
        _ = search.comparison_
    own = StatisticalGridSearchCV(
        MODEL, GRID, cv=5, scoring=lambda e, X, y: -log_loss(y, e.predict_proba(X)), test="samples"
    )
    with pytest.warns(ComparisonWarning, match="no per-sample values for score: the scorer is a"):
        own.fit(X, y)
    with pytest.raises(ValueError, match="no per-sample values here"):
        _ = own.comparison_
    with pytest.raises(ValueError, match="'test' parameter of StatisticalGridSearchCV"):
        StatisticalGridSearchCV(MODEL, GRID, test="student").fit(X, y)
    constant = StatisticalGridSearchCV(
        DummyClassifier(), {"strategy": ["prior", "most_frequent"]}, cv=StratifiedKFold(5),
        scoring="accuracy", test="samples",
    ).fit(X, y)  # fmt: skip
    # They agree on every sample, which are too few to show a difference below 0.01.
    assert set(constant.pairwise_frequentist_["mean_diff"]) == {0}
    assert set(constant.compare(rope=0.1).pairwise_frequentist["verdict"]) == {"equivalent"}


VALUES = {"test": "samples", "cv": TWO}


def equal_samples(one, other):
    np.testing.assert_array_equal(
        one.comparison_.scores.samples.values, other.comparison_.scores.samples.values
    )


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("scoring", ["roc_auc", ["accuracy", "neg_log_loss"]])
def test_values_are_restored_from_a_ledger_and_extended(scoring, n_jobs, tmp_path):
    metric = scoring if isinstance(scoring, str) else "neg_log_loss"
    options = {"scoring": scoring, "refit": metric, "n_jobs": n_jobs, **VALUES}
    plain = StatisticalGridSearchCV(MODEL, GRID, **options).fit(X, y)
    path = str(tmp_path / "values.ledger")
    first = StatisticalGridSearchCV(MODEL, GRID, **options, ledger=path).fit(X, y)
    again = StatisticalGridSearchCV(MODEL, GRID, **options, ledger=path).fit(X, y)
    assert again.n_reused_ == 30
    for search in (first, again):
        equal_samples(search, plain)
    # Values do not contain predictions: the cells must be refitted.
    more = StatisticalGridSearchCV(MODEL, GRID, **options, ledger=path, return_predictions=True)
    assert more.fit(X, y).n_reused_ == 0
    fewer = StatisticalGridSearchCV(MODEL, GRID, **options, ledger=path).fit(X, y)
    assert fewer.n_reused_ == 30
    np.testing.assert_allclose(
        fewer.comparison_.scores.samples.values,
        plain.comparison_.scores.samples.values,
        atol=1e-6,
    )
    plain.extend(X, y, n_repeats=1)
    assert plain.comparison_.scores.samples.n_repeats == 3


def test_looks_of_an_extension_use_the_test_of_samples():
    cv = StratifiedKFold(5, shuffle=True, random_state=0)
    search = StatisticalGridSearchCV(
        MODEL,
        {**GRID, "logisticregression__C": [0.001, 0.02, 10.0]},
        scoring="accuracy",
        test="samples",
        cv=cv,
    )
    search.fit(X, y).extend(X, y, until="decided", max_fits=15)
    assert len(search.extension_history_) == 1
    comparison = search.comparison_
    assert comparison.scores.samples.n_repeats == 2
    # The look agrees with the comparison, which has the same level and test.
    among = comparison.possibly_best()["label"]
    table = comparison.pairwise_frequentist
    among_table = table[table["model_1"].isin(among) & table["model_2"].isin(among)]
    undecided = int((among_table["verdict"] == "undecided").sum())
    assert search.extension_history_["undecided"].tolist() == [undecided]


def test_rules_use_the_test_of_samples():
    rule = SimplestPossiblyBest("logisticregression__C")
    search = StatisticalGridSearchCV(MODEL, GRID, refit=rule, **VALUES).fit(X, y)
    kept = search.selection_report_["kept"]
    assert set(kept.index[kept]) == set(search.possibly_best_.index)
    by_splits = StatisticalGridSearchCV(MODEL, GRID, refit=rule, cv=TWO).fit(X, y)
    assert search.selection_report_["why"].tolist() != by_splits.selection_report_["why"].tolist()


def test_rules_fall_back_to_the_test_of_splits():
    rule = SimplestPossiblyBest("logisticregression__C")
    cv = ShuffleSplit(12, random_state=0)
    search = StatisticalGridSearchCV(MODEL, GRID, refit=rule, cv=cv, test="samples")
    with (
        pytest.warns(ComparisonWarning, match="The fits continue"),
        pytest.warns(ComparisonWarning, match="`refit` chooses by the corrected t-test of splits"),
    ):
        search.fit(X, y)
    plain = StatisticalGridSearchCV(MODEL, GRID, refit=rule, cv=cv).fit(X, y)
    assert search.best_index_ == plain.best_index_
    with pytest.raises(ValueError, match="test sets that overlap"):
        _ = search.comparison_


@pytest.mark.parametrize("keeps", ["values", True])
@pytest.mark.parametrize("scoring", ["accuracy", "neg_log_loss"])
def test_weighted_scores_are_means_of_weighted_values(keeps, scoring):
    # The score of a split is Σ w·φ / Σ w, the mean of φ·w/w̄.
    weights = np.random.default_rng(0).uniform(0.5, 2, len(y))
    model = LogisticRegression()
    with config_context(enable_metadata_routing=True):
        model = model.set_fit_request(sample_weight=False)
        scorer = get_scorer(scoring).set_score_request(sample_weight=True)
        search = StatisticalGridSearchCV(
            model, {"C": [0.01, 1.0]}, scoring=scorer, return_predictions=keeps, **VALUES
        ).fit(SCALED, y, sample_weight=weights)
    samples = search.comparison_.scores.samples
    tests = [test for _, test in TWO.split(X, y)]
    p = cross_val_predict(
        LogisticRegression(C=1.0), SCALED, y, cv=splits_of(tests[:5]), method="predict_proba"
    )
    plain = LOSSES[scoring](p)
    for test in tests[:5]:
        expected = plain[test] * weights[test] / weights[test].mean()
        np.testing.assert_allclose(samples.values[1, 0, test], expected, atol=1e-5)


def splits_of(tests):
    everything = np.arange(len(y))
    return [(np.setdiff1d(everything, test), test) for test in tests]


def test_error_names_the_candidate_without_predictions():
    class Hides(LogisticRegression):
        def predict(self, X):
            found = super().predict(X)
            return found if self.C > 1 else np.ma.MaskedArray(found)

    search = StatisticalGridSearchCV(Hides(), {"C": [0.1, 10.0]}, **VALUES).fit(SCALED, y)
    with pytest.raises(ValueError, match="candidate 0: no response of `predict` was kept"):
        _ = search.comparison_


def test_values_use_a_copy_of_the_target():
    target = y.copy()
    search = StatisticalGridSearchCV(MODEL, GRID, return_predictions=True, **VALUES)
    search.fit(X, target)
    target[:] = 1 - target  # must not change the search
    values = search.comparison_.scores.samples.values
    np.testing.assert_allclose(values, by_hand(TWO, LOSSES["accuracy"]))


def test_repeats_with_the_same_folds_raise():
    folds = list(StratifiedKFold(5).split(X, y))
    search = StatisticalGridSearchCV(MODEL, GRID, cv=folds * 2, test="samples").fit(X, y)
    with pytest.raises(ValueError, match="two repeats of this `cv` have the same folds"):
        _ = search.comparison_


def test_compare_uses_the_test_of_the_search():
    search = StatisticalGridSearchCV(MODEL, GRID, cv=TWO, return_predictions=True).fit(X, y)
    by_samples = compare(search, test="samples")
    assert by_samples.settings.test.name == "samples"
    again = clone(search).set_params(test="samples").fit(X, y)
    assert compare(again).settings.test.name == "samples"
    with pytest.raises(ValueError, match="must not be 'samples'"):
        compare(search.cv_results_, test_train_ratio=0.25, test="samples")


def test_jackknife_values_are_reported_as_approximate():
    rough = make_scorer(lambda y_true, y_pred: np.median(y_true == y_pred) + np.mean(y_pred))
    search = StatisticalGridSearchCV(MODEL, GRID, scoring=rough, cv=TWO, test="samples").fit(X, y)
    line = "paired per-sample losses of 2 × 5 folds, 200 samples, approximated by a jackknife"
    assert line in str(search.comparison_)
    assert "jackknife" not in str(search.comparison_.with_settings(test="corrected_t"))
