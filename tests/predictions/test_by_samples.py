"""test="samples": predictions of a search become values of samples, which are tested."""

import numpy as np
import pytest
from pandas.testing import assert_frame_equal
from sklearn import config_context
from sklearn import model_selection as ms
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_breast_cancer
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import get_scorer, log_loss, make_scorer, mean_squared_error
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import sklearn_stats_compare as ssc
from sklearn_stats_compare import ComparisonWarning, Simplest, StatisticalGridSearchCV
from sklearn_stats_compare.stats._sample_scores import SampleVariance, standard_errors

X, y = load_breast_cancer(return_X_y=True)
X, y = X[:200, :5], y[:200]
SCALED = StandardScaler().fit_transform(X)
MODEL = make_pipeline(StandardScaler(), LogisticRegression(solver="liblinear"))  # the fastest
GRID = {"logisticregression__C": [0.001, 0.1, 10.0]}
TWO = ms.RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)


def searched(cv=TWO, **options):
    return StatisticalGridSearchCV(MODEL, GRID, cv=cv, **options).fit(X, y)


# No test may change this.
@pytest.fixture(scope="module")
def by_values():
    return searched(test="samples")


@pytest.fixture(scope="module")
def probabilities():
    """From scikit-learn's own predictions, of each candidate and repeat."""
    splits = list(TWO.split(X, y))

    def of(C, cv):
        model = clone(MODEL).set_params(logisticregression__C=C)
        return ms.cross_val_predict(model, X, y, cv=cv, method="predict_proba")

    return [[of(C, splits[:5]), of(C, splits[5:])] for C in GRID["logisticregression__C"]]


def by_hand(probabilities, metric):
    """Values of samples: candidates × repeats × samples."""
    return np.array([[LOSSES[metric](p) for p in repeats] for repeats in probabilities])


LOSSES = {
    "accuracy": lambda p: (p.argmax(axis=1) == y).astype(float),
    "neg_log_loss": lambda p: np.log(p[np.arange(len(y)), y]),
    "neg_brier_score": lambda p: -((p[:, 1] - y) ** 2),
}


@pytest.mark.parametrize(
    "metric", ["accuracy", "neg_log_loss", pytest.param("neg_brier_score", marks=pytest.mark.slow)]
)
def test_tables_match_values_computed_by_hand(metric, probabilities):
    arguments = {"scoring": metric, "test": "samples"}
    search = searched(**arguments, return_predictions=True)
    scores = search.comparison_.scores
    expected = by_hand(probabilities, metric)
    np.testing.assert_allclose(scores.samples.values, expected, rtol=0, atol=1e-12)
    samples, labels = ssc.stats.SampleScores(expected, 5), list(search.comparison_.labels)
    by_samples = ssc.SplitScores(scores.values, scores.design, samples=samples)
    there = ssc.Comparison(by_samples, labels, test="samples", warn=False).frequentist()
    assert_frame_equal(search.pairwise_frequentist_, there, rtol=1e-9)
    d = (expected[0] - expected[2]).mean(axis=0)
    square, largest = np.mean((d - d.mean()) ** 2), np.max((d - d.mean()) ** 2)
    fourth, n = np.mean((d - d.mean()) ** 4), len(y)
    df = n - 1.0
    # Heavy tails, of log loss alone: right and wrong have none. By Satterthwaite's approximation.
    if metric != "accuracy" and fourth > 9 * square**2:
        df = 2 * n / ((fourth + largest**2 / n) / (square + largest / n) ** 2 - 1)
    assert search.posterior(0, 2).df == pytest.approx(df)
    # If only values are kept, they are in single precision; whole numbers take one byte.
    small = searched(**arguments)
    found = small.comparison_.scores.samples.values
    assert found.dtype == (np.int8 if np.array_equal(found, np.rint(found)) else np.float32)
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-9)
    assert_frame_equal(small.pairwise_frequentist_, there, rtol=1e-4, atol=1e-7)
    with pytest.raises(AttributeError, match="only the value of each metric"):
        small.predictions(0)


def test_five_folds_do_not_warn_and_describe_the_samples():
    search = searched(cv=5, test="samples")
    text = str(search.comparison_)  # a warning would be an error
    assert "paired per-sample losses of 5 folds, 200 samples" in text
    with pytest.warns(UserWarning, match="only 5 splits"):
        by_splits = search.compare(test="corrected_t")
    assert "corrected t-test" in str(by_splits)
    assert by_splits.scores.samples is None
    assert search.comparison_.scores.samples is not None
    later = searched(cv=5, return_predictions=True)
    assert_frame_equal(later.compare(test="samples").frequentist(), search.pairwise_frequentist_)
    with pytest.warns(UserWarning, match="only 5 splits"):
        _ = later.comparison_


def test_kept_predictions_can_be_tested_later(by_values):
    search, plain = (searched(return_predictions=keeps) for keeps in (True, False))
    assert search.comparison_._settings.test.name == "corrected_t"
    assert ssc.compare(search, test="samples")._settings.test.name == "samples"
    assert ssc.compare(by_values)._settings.test.name == "samples"
    with pytest.raises(ValueError, match="must not be 'samples'"):
        ssc.compare(search.cv_results_, test_train_ratio=0.25, test="samples")
    assert_frame_equal(
        search.compare(test="samples").frequentist(), by_values.pairwise_frequentist_
    )
    search.drop_predictions()
    for without in (search, plain):
        with pytest.raises(ValueError, match="return_predictions"):
            without.compare(test="samples")


def test_every_metric_has_its_own_values():
    metrics = ["accuracy", "roc_auc", "f1", "balanced_accuracy", "neg_log_loss"]
    options = {"test": "samples", "return_predictions": True, "n_jobs": 2}
    search = searched(scoring=metrics, refit="roc_auc", **options)
    for metric in metrics:
        scores = search.compare(metric=metric).scores
        assert scores.samples.form == ("auc" if metric == "roc_auc" else "mean")
        # The mean over the samples of a split is its score, to the last digits.
        for k, (_, test) in enumerate(TWO.split(X, y)):
            means = scores.samples.values[:, k // 5, test].mean(axis=1)
            np.testing.assert_allclose(means, scores.values[:, k], rtol=0, atol=1e-10)


def test_regression_and_text_labels():
    target = X[:, 0] + X[:, 1]
    grid, errors = {"alpha": [0.1, 10.0]}, "neg_mean_squared_error"
    search = StatisticalGridSearchCV(Ridge(), grid, cv=5, scoring=errors, test="samples")
    search.fit(X, target)
    # An exact fit but for the penalty: three unusual samples have 57 % of the squared differences.
    with pytest.warns(ComparisonWarning, match="Three samples make up over half"):
        assert search.comparison_.scores.samples.n_samples == 200
    names = np.where(y == 1, "yes", "no")
    grid = {"logisticregression__C": [0.1]}
    for scoring in ("accuracy", "roc_auc", "neg_log_loss"):
        search = StatisticalGridSearchCV(MODEL, grid, cv=5, scoring=scoring, test="samples")
        numbers, texts = (clone(search).fit(X, labels).comparison_ for labels in (y, names))
        np.testing.assert_array_equal(numbers.scores.samples.values, texts.scores.samples.values)


FAMILIES = np.arange(200) // 4


@pytest.fixture(scope="module")
def by_families():
    search = StatisticalGridSearchCV(MODEL, GRID, cv=ms.GroupKFold(5), test="samples")
    families = FAMILIES.copy()
    search.fit(X, y, groups=families)
    families[:] = 0  # must not change the search
    return search


def test_groups_are_the_units_if_the_splitter_keeps_them_together(by_families):
    samples = by_families.comparison_.scores.samples
    assert samples.n_samples == 50
    assert "5 folds, 50 groups of 200 samples" in str(by_families.comparison_)
    assert by_families.posterior(0, 1).df == 49
    # They are found under any name.
    with config_context(enable_metadata_routing=True):
        cv = ms.GroupKFold(5).set_split_request(groups="family")
        routed = StatisticalGridSearchCV(MODEL, GRID, cv=cv, test="samples")
        routed.fit(X, y, family=FAMILIES)
    np.testing.assert_array_equal(routed.comparison_.scores.samples.values, samples.values)


def test_subgroup_with_fewer_groups_than_folds_is_too_small(by_families):
    few = np.where(FAMILIES < 3, "few", "many")
    table = by_families.comparison_.by(few, min_samples=2).table.set_index("group")
    assert table.loc["few", "verdict"].eq("too few").all()
    assert table.loc["many", "verdict"].ne("too few").all()


def test_subgroup_may_have_any_name(by_values):
    groups = np.array(["<NA>", None, "all samples", "b"] * 50, dtype=object)
    names = {"<NA>", "<<NA>>", "all samples", "b"}
    assert set(by_values.comparison_.by(groups).table["group"]) == names


def test_races_and_extensions_give_the_same_test(by_values):
    once = ms.RepeatedStratifiedKFold(n_splits=5, n_repeats=1, random_state=0)
    grown = searched(cv=once, test="samples").extend(X, y, n_repeats=1)
    assert_frame_equal(grown.pairwise_frequentist_, by_values.pairwise_frequentist_)
    race = ssc.RacingGridSearchCV(
        MODEL, {"logisticregression__C": [1e-6, 1e-5, 1.0, 3.0]}, random_state=0, test="samples",
        cv=ms.RepeatedStratifiedKFold(n_splits=5, n_repeats=3, random_state=0),
    ).fit(X, y)  # fmt: skip
    n = int(np.isnan(race.cv_results_["eliminated_at"]).sum())
    assert race.comparison_.scores.samples.n_candidates == n < 4


class Fails(LogisticRegression):
    def fit(self, X, y):
        if self.C == 7.0:
            raise ValueError("no")
        return super().fit(X, y)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning", "ignore:One or more")
@pytest.mark.parametrize("error_score", [np.nan, 0.0])
@pytest.mark.filterwarnings("ignore:Of . fits? that failed")
def test_failed_fits_are_missing_unless_a_number_is_their_score(error_score):
    options = {"cv": 5, "error_score": error_score, "test": "samples", "return_predictions": True}
    search = StatisticalGridSearchCV(Fails(), {"C": [1.0, 7.0, 0.01]}, **options)
    comparison = search.fit(SCALED, y).comparison_
    assert isinstance(comparison.scores, ssc.SplitScores)
    n_missing = int(np.isnan(error_score))
    failed = [params["C"] == 7.0 for params in search.cv_results_["params"]]
    assert comparison.scores.missing.tolist() == (failed if n_missing else [False] * 3)
    assert (comparison.against()["verdict"] == "missing").sum() == n_missing
    means = comparison.ranking()["mean"].sort_index()
    np.testing.assert_allclose(means, search.cv_results_["mean_test_score"], rtol=1e-6)
    assert comparison.by(np.arange(200) % 2).table["verdict"].eq("missing").sum() == 2 * n_missing
    models = {"one": LogisticRegression(), "fails": Fails(C=7.0), "other": Fails()}
    found = ssc.cross_validate_models(models, SCALED, y, **options)
    assert found.scores.missing.tolist() == [False, n_missing == 1, False]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning")
@pytest.mark.filterwarnings("ignore:A candidate has the `error_score`")
def test_a_leader_of_which_a_fit_failed_is_the_recommended_one():
    # Accuracies of about 0.5 and 0.9; the better one fails on one of ten folds, and scores 0 there.
    class FailsOnce(LogisticRegression):
        def fit(self, X, y):
            if self.C == 1 and not np.any(X[:, 0] == SCALED[0, 0]):
                raise RuntimeError
            return super().fit(X, y)

    grid, options = {"C": [1e-9, 1]}, {"cv": ms.KFold(10), "error_score": 0.0}
    search = StatisticalGridSearchCV(FailsOnce(), grid, **options).fit(SCALED, y)
    assert search.comparison_.leader == "1"
    assert search.recommend().params == {"C": 1}
    rule = ssc.Simplest("C", within=None)
    chosen = StatisticalGridSearchCV(FailsOnce(), grid, refit=rule, **options).fit(SCALED, y)
    assert chosen.best_params_ == {"C": 1}
    assert "By samples the same fits decide" not in str(search.comparison_)
    with pytest.warns(ComparisonWarning, match="Of 1 fit that failed, all samples count as"):
        by_samples = search.compare(test="samples")
    np.testing.assert_allclose(by_samples.scores.means, search.comparison_.scores.means)


def test_models_without_values_are_compared_by_splits():
    def paid(estimator, X, y):
        return float(np.mean(estimator.predict(X) == y))

    models = {"one": LogisticRegression(), "other": LogisticRegression(C=0.01)}
    with pytest.warns(ComparisonWarning, match="compared by the corrected t-test of splits"):
        found = ssc.cross_validate_models(models, SCALED, y, scoring=paid, cv=TWO, test="samples")
    assert found._settings.test.name == "corrected_t"


def test_untestable_searches_warn_and_raise_with_the_reason():
    # The warning comes before the first fit, and the fits can be compared by the other test.
    cv = ms.ShuffleSplit(10, random_state=0)
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
        DummyClassifier(), {"strategy": ["prior", "most_frequent"]}, cv=ms.StratifiedKFold(5),
        scoring="accuracy", test="samples",
    ).fit(X, y)  # fmt: skip
    # They agree on every sample, which are too few to show a difference below 0.01.
    assert set(constant.pairwise_frequentist_["mean_diff"]) == {0}
    assert set(constant.compare(rope=0.1).frequentist()["verdict"]) == {"equivalent"}


VALUES = {"test": "samples", "cv": TWO}


@pytest.mark.parametrize(("scoring", "n_jobs"), [("roc_auc", 2), (["accuracy", "neg_log_loss"], 1)])
def test_values_are_restored_from_a_ledger_and_extended(scoring, n_jobs, tmp_path):
    metric = scoring if isinstance(scoring, str) else "neg_log_loss"
    cv = ms.RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0)
    options = {"cv": cv, "scoring": scoring, "refit": metric, "n_jobs": n_jobs, "test": "samples"}
    plain = searched(**options)
    options["ledger"] = str(tmp_path / "values.ledger")
    first = searched(**options)
    again = searched(**options)
    assert again.n_reused_ == 18
    expected = plain.comparison_.scores.samples.values
    # Values do not contain predictions: the cells must be refitted.
    assert searched(**options, return_predictions=True).n_reused_ == 0
    fewer = searched(**options)
    assert fewer.n_reused_ == 18
    for search in (first, again, fewer):
        np.testing.assert_array_equal(search.comparison_.scores.samples.values, expected)
        assert_frame_equal(search.pairwise_frequentist_, plain.pairwise_frequentist_)
    plain.extend(X, y, n_repeats=1)
    assert plain.comparison_.scores.samples.n_repeats == 3


def test_looks_of_an_extension_use_the_test_of_samples():
    cv = ms.StratifiedKFold(5, shuffle=True, random_state=0)
    grid = {"logisticregression__C": [0.001, 0.01, 10.0]}
    search = StatisticalGridSearchCV(MODEL, grid, scoring="accuracy", test="samples", cv=cv)
    search.fit(X, y).extend(X, y, until="decided", max_fits=15)
    assert len(search.extension_history_) == 1
    comparison = search.comparison_
    assert comparison.scores.samples.n_repeats == 2
    # The look agrees with the comparison, which has the same level and test.
    among = comparison.possibly_best()["label"]
    table = comparison.frequentist()
    among_table = table[table["model_1"].isin(among) & table["model_2"].isin(among)]
    undecided = int((among_table["verdict"] == "undecided").sum())
    assert search.extension_history_["undecided"].tolist() == [undecided]


def test_rules_use_the_test_of_samples():
    rule = Simplest("logisticregression__C")
    search, by_splits = (searched(refit=rule, test=test) for test in ("samples", "corrected_t"))
    kept = search.selection_report_["kept"]
    assert set(kept.index[kept]) == set(search.possibly_best_.index)
    assert search.selection_report_["why"].tolist() != by_splits.selection_report_["why"].tolist()


def test_rules_fall_back_to_the_test_of_splits():
    rule = Simplest("logisticregression__C")
    cv = ms.ShuffleSplit(12, random_state=0)
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


def weighted_search(weights, scoring, keeps):
    with config_context(enable_metadata_routing=True):
        model = LogisticRegression().set_fit_request(sample_weight=False)
        scorer = get_scorer(scoring).set_score_request(sample_weight=True)
        return StatisticalGridSearchCV(
            model, {"C": [0.001, 1.0]}, scoring=scorer, return_predictions=keeps, **VALUES
        ).fit(SCALED, y, sample_weight=weights)


def test_another_metric_of_a_weighted_search_says_that_it_has_no_weights():
    weights = np.random.default_rng(0).uniform(0.5, 2, len(y))
    found = weighted_search(weights, "accuracy", True).comparison_.with_settings(metric="recall")
    assert "By recall the scores are of the predictions, without weights." in found.note


@pytest.mark.parametrize(
    ("keeps", "scoring"), [("values", "accuracy"), ("values", "neg_log_loss"), (True, "accuracy")]
)
def test_weighted_scores_are_means_of_weighted_values(keeps, scoring):
    # The score of a split is s = Σ w·φ / Σ w, the mean of s + (φ − s)·w/w̄.
    weights = np.random.default_rng(0).uniform(0.5, 2, len(y))
    samples = weighted_search(weights, scoring, keeps).comparison_.scores.samples
    first = list(TWO.split(X, y))[:5]
    p = ms.cross_val_predict(LogisticRegression(C=1.0), SCALED, y, cv=first, method="predict_proba")
    plain = LOSSES[scoring](p)
    for _, test in first:
        score = np.average(plain[test], weights=weights[test])
        expected = score + (plain[test] - score) * weights[test] / weights[test].mean()
        np.testing.assert_allclose(samples.values[1, 0, test], expected, atol=1e-5)


def test_weighted_scores_are_reweighted_within_subgroups():
    weights = np.where(np.arange(200) % 4 == 0, 9.0, 1.0)
    heavy = np.where(weights > 1, "heavy", "light")
    with pytest.raises(ValueError, match="is weighted, and within a subgroup"):
        weighted_search(weights, "accuracy", "values").comparison_.by(heavy)
    search = weighted_search(weights, "accuracy", True)
    for row in search.comparison_.by(heavy).table.itertuples():
        # Weights are constant within each subgroup, so that its score is the plain accuracy.
        inside = heavy == row.group
        one, other = (
            (search.predictions(str(label)).to_numpy()[inside] == y[inside, None])
            for label in (row.model_1, row.model_2)
        )
        assert row.mean_diff == pytest.approx(one.mean() - other.mean(), abs=1e-9)


def test_error_names_the_candidate_without_predictions():
    class Hides(LogisticRegression):
        def predict(self, X):
            found = super().predict(X)
            return found if self.C > 1 else np.ma.MaskedArray(found)

    search = StatisticalGridSearchCV(Hides(), {"C": [0.1, 10.0]}, **VALUES).fit(SCALED, y)
    with pytest.raises(ValueError, match="candidate 0: no response of `predict` was kept"):
        _ = search.comparison_


def test_values_use_a_copy_of_the_target(probabilities):
    target = y.copy()
    search = StatisticalGridSearchCV(MODEL, GRID, return_predictions=True, **VALUES)
    search.fit(X, target)
    target[:] = 1 - target  # must not change the search
    values = search.comparison_.scores.samples.values
    np.testing.assert_allclose(values, by_hand(probabilities, "accuracy"))


def test_repeats_with_the_same_folds_raise():
    folds = list(ms.StratifiedKFold(5).split(X, y))
    search = searched(cv=folds * 2, test="samples")
    with pytest.raises(ValueError, match="two repeats of this `cv` have the same folds"):
        _ = search.comparison_


def test_jackknife_values_are_reported_as_approximate():
    rough = make_scorer(lambda y_true, y_pred: np.median(y_true == y_pred) + np.mean(y_pred))
    comparison = searched(scoring=rough, test="samples").comparison_
    line = "paired per-sample losses of 2 × 5 folds, 200 samples, approximated by a jackknife"
    assert line in str(comparison)
    assert "jackknife" not in str(comparison.with_settings(test="corrected_t"))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("keeps", ["values", True])
def test_weights_count_in_any_unit(dtype, keeps):
    """Squared errors of daily returns are small numbers: a tolerance of 1e-8 dropped the weights.

    The variance of a weighted mean of losses, within folds, is that of n·w·(loss − mean)/Σw.
    """
    rng = np.random.default_rng(4)
    n = 400
    data, weights = rng.normal(size=(n, 5)), np.exp(1.5 * rng.normal(size=n))
    returns = 0.01 * (rng.normal(size=n) + 0.3 * data[:, 0])
    found = []
    with config_context(enable_metadata_routing=True):
        scorers = {
            "weighted": make_scorer(mean_squared_error, greater_is_better=False),
            "plain": make_scorer(mean_squared_error, greater_is_better=False),
        }
        scorers["weighted"].set_score_request(sample_weight=True)
        scorers["plain"].set_score_request(sample_weight=False)
        model = Ridge().set_fit_request(sample_weight=True)
        for unit in (1, 100):
            search = StatisticalGridSearchCV(
                model, {"alpha": [1, 1e3]}, scoring=scorers, refit="plain", cv=ms.KFold(5), rope=0,
                return_predictions=keeps,
            )  # fmt: skip
            search.fit(data.astype(dtype), (unit * returns).astype(dtype), sample_weight=weights)
            for metric in ("weighted", "plain"):
                samples = search.compare(metric=metric, test="samples").scores.samples
                found.append(samples.values[:, 0].astype(float) / unit**2)
        splits = list(ms.KFold(5).split(data))
        expected = np.empty((2, n))
        for k, alpha in enumerate([1, 1e3]):
            for train, test in splits:
                fitted = Ridge(alpha=alpha).fit(data[train], returns[train], weights[train])
                losses = (returns[test] - fitted.predict(data[test])) ** 2
                share = weights[test] / weights[test].sum()
                mean = share @ losses
                expected[k, test] = -(mean + test.size * share * (losses - mean))
    weighted, plain, weighted_again, plain_again = found
    tolerance = 1e-9 if dtype is np.float64 and keeps is True else 1e-3
    size = np.abs(expected).mean()
    assert np.allclose(weighted, expected, rtol=0, atol=tolerance * size)
    assert np.allclose(weighted, weighted_again, rtol=0, atol=tolerance * size)
    assert np.allclose(plain, plain_again, rtol=0, atol=tolerance * size)
    assert not np.allclose(weighted, plain, rtol=0, atol=0.1 * size)


def test_a_callable_that_names_its_metrics_is_compared_by_splits():
    def scores(estimator, X, y):
        right = estimator.predict(X) == y
        return {"acc": float(right.mean()), "err": -float(1 - right.mean())}

    plain = searched(scoring=scores, refit="acc", return_predictions=False).comparison_
    for keeps in (True, "values"):
        options = {"scoring": scores, "return_predictions": keeps}
        assert_frame_equal(searched(refit="acc", **options).comparison_.against(), plain.against())
        chosen = searched(refit=Simplest("logisticregression__C", None, metric="acc"), **options)
        assert chosen.recommend().params in chosen.cv_results_["params"]
    with pytest.warns(ComparisonWarning, match="no per-sample values for score"):
        search = searched(scoring=scores, refit="acc", test="samples")
    with pytest.raises(ValueError, match="cannot exist, as of metrics that a callable names"):
        _ = search.comparison_


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning")
@pytest.mark.filterwarnings("ignore:A candidate has the `error_score`")
def test_another_metric_keeps_the_error_score_of_a_fit_that_failed():
    class FailsOnce(LogisticRegression):
        def fit(self, X, y):
            if self.C == 1 and not np.any(X[:, 0] == SCALED[0, 0]):
                raise RuntimeError
            return super().fit(X, y)

    grid = {"C": [1e-9, 1]}
    options = {"cv": ms.KFold(10), "error_score": 0.0, "return_predictions": True}
    search = StatisticalGridSearchCV(FailsOnce(), grid, scoring="accuracy", **options)
    other = StatisticalGridSearchCV(FailsOnce(), grid, scoring="balanced_accuracy", **options)
    found = search.fit(SCALED, y).comparison_.with_settings(metric="balanced_accuracy")
    expected = other.fit(SCALED, y).comparison_
    np.testing.assert_allclose(found.scores.values, expected.scores.values)
    with pytest.raises(ValueError, match="`i` must be a candidate that did not fail"):
        ssc.evaluation.mcnemar_of(search.comparison_, 1, 0)


class Fixed(ClassifierMixin, BaseEstimator):
    """A rule that no refit changes."""

    def __init__(self, cut=0.0):
        self.cut = cut

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return (X[:, 0] > self.cut).astype(int)


@pytest.mark.parametrize("how", ["two repeats", "probes"])
def test_repeats_of_a_jackknife_of_groups_show_no_instability(how):
    # In another repeat a sample is in a group with others, so that its value changes anyway.
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 1))
    y = (X[:, 0] + rng.normal(size=600) > 0).astype(int)
    own = make_scorer(lambda truth, said: np.mean(truth == said))
    cv = ms.RepeatedStratifiedKFold(
        n_splits=5, n_repeats=1 + (how == "two repeats"), random_state=0
    )
    found = {}
    for name, scoring in (("exact", "accuracy"), ("jackknife", own)):
        search = StatisticalGridSearchCV(
            Fixed(), {"cut": [0.0, 0.4, 0.8]}, cv=cv, scoring=scoring, test="samples"
        ).fit(X, y)
        if how == "probes":
            search.extend(X, y, n_repeats=1, candidates=3)
        found[name] = search.comparison_
    exact, other = (own.scores.samples for own in found.values())
    assert other.are_of_groups
    assert not exact.are_of_groups
    assert other.measured is None
    # Without refits the exact variance has K/(K − 1) = 1.25, the other half of a variance more.
    ratio = found["jackknife"].against()["std_err"] / found["exact"].against()["std_err"]
    expected = np.sqrt((1.25 + 0.5 / (2 if how == "two repeats" else 1)) / 1.25)
    assert ratio.to_numpy() == pytest.approx(expected, rel=0.12)
    variance = SampleVariance.of(other, 0.5)
    coordinates = variance.coordinates(other.values.astype(float))
    first = standard_errors(other, variance, np.array([0]), np.array([1]))
    assert np.linalg.norm(coordinates[0] - coordinates[1]) == pytest.approx(first[0], rel=1e-5)
