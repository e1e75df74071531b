"""Kept predictions with unusual estimators, scorers, splitters or fits."""

import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, get_scorer, make_scorer
from sklearn.model_selection import GridSearchCV, GroupKFold, RepeatedStratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn_stats_compare import (
    ComparisonWarning,
    SplitScores,
    StatisticalGridSearchCV,
    cross_validate_models,
)
from sklearn_stats_compare.predictions._memory import _bytes_per_sample

X, y = make_classification(200, random_state=0)
CV = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
C = {"C": [0.01, 1.0]}


@pytest.mark.parametrize(
    ("model", "grid"),
    [
        (make_pipeline(StandardScaler(), KNeighborsClassifier()), "kneighborsclassifier__weights"),
        (
            make_pipeline(make_pipeline(StandardScaler(), KNeighborsClassifier())),
            "pipeline__kneighborsclassifier__weights",
        ),
        (make_pipeline(StandardScaler(), DummyClassifier()), "standardscaler__with_mean"),
    ],
)
def test_pipelines_with_a_custom_score_in_the_last_step(model, grid):
    values = [True, False] if grid.endswith("mean") else ["uniform", "distance"]
    arguments = {"cv": CV, "refit": False}
    plain = GridSearchCV(model, {grid: values}, **arguments).fit(X, y).cv_results_
    search = StatisticalGridSearchCV(model, {grid: values}, test="samples", **arguments).fit(X, y)
    np.testing.assert_array_equal(search.cv_results_["mean_test_score"], plain["mean_test_score"])
    assert search.compare(metric="score").scores.samples.n_samples == 200


def of_type(estimator, X, y):
    assert type(estimator) is LogisticRegression
    return accuracy_score(y, estimator.predict(X))


def of_class(estimator, X, y):
    return accuracy_score(y, type(estimator).predict(estimator, X))


@pytest.mark.parametrize("keeps", [True, "values"])
@pytest.mark.parametrize("scoring", [of_type, of_class, {"one": of_type, "other": "accuracy"}])
def test_scorers_that_check_the_type_give_the_same_scores(scoring, keeps):
    arguments = {"scoring": scoring, "cv": 5, "refit": False, "error_score": "raise"}
    plain = GridSearchCV(LogisticRegression(), C, **arguments).fit(X, y).cv_results_
    search = StatisticalGridSearchCV(
        LogisticRegression(), C, **arguments, return_predictions=keeps
    ).fit(X, y)
    for name in plain:
        if name.startswith("split"):
            np.testing.assert_array_equal(search.cv_results_[name], plain[name])
    if isinstance(scoring, dict):
        assert search.scorer_["one"] is of_type
        assert search.compare(metric="other", test="samples").scores.samples.n_samples == 200
    else:
        assert search.scorer_ is of_type or search.scorer_ is of_class


def test_groups_are_found_under_any_name():
    families = np.arange(200) // 4
    plain = StatisticalGridSearchCV(LogisticRegression(), C, cv=GroupKFold(5), test="samples")
    plain.fit(X, y, groups=families)
    with config_context(enable_metadata_routing=True):
        cv = GroupKFold(5).set_split_request(groups="family")
        routed = StatisticalGridSearchCV(LogisticRegression(), C, cv=cv, test="samples")
        routed.fit(X, y, family=families)
    assert routed.comparison_.samples.n_samples == plain.comparison_.samples.n_samples == 50
    np.testing.assert_array_equal(
        routed.comparison_.samples.values, plain.comparison_.samples.values
    )


def test_groups_are_those_passed_to_fit():
    families = np.arange(200) // 4
    search = StatisticalGridSearchCV(LogisticRegression(), C, cv=GroupKFold(5), test="samples")
    search.fit(X, y, groups=families)
    families[:] = 0
    assert search.comparison_.samples.n_samples == 50


class FailsOnce(LogisticRegression):
    def fit(self, X, y):
        if self.C == 7.0:
            raise ValueError("no")
        return super().fit(X, y)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning")
def test_failed_fit_is_missing_for_any_error_score():
    search = StatisticalGridSearchCV(
        FailsOnce(), {"C": [1.0, 7.0, 0.01]}, cv=CV, error_score=0.0, test="samples",
        return_predictions=True,
    ).fit(X, y)  # fmt: skip
    scores = search.comparison_.scores
    assert isinstance(scores, SplitScores)
    assert scores.missing.tolist() == [False, True, False]
    assert search.comparison_.by(np.arange(200) % 2).table["verdict"].eq("missing").sum() == 2
    models = {"one": LogisticRegression(), "fails": FailsOnce(C=7.0), "other": FailsOnce()}
    found = cross_validate_models(models, X, y, cv=CV, error_score=0.0, test="samples")["score"]
    assert found.scores.missing.tolist() == [False, True, False]


def test_models_without_values_are_compared_by_splits():
    def paid(estimator, X, y):
        return float(np.mean(estimator.predict(X) == y))

    models = {"one": LogisticRegression(), "other": LogisticRegression(C=0.01)}
    with pytest.warns(ComparisonWarning, match="compared by the corrected t-test of splits"):
        found = cross_validate_models(models, X, y, scoring=paid, cv=CV, test="samples")["score"]
    assert found.settings.test.name == "corrected_t"


@pytest.mark.parametrize("keeps", [True, "values"])
def test_weighted_scores_are_reweighted_within_subgroups(keeps):
    weights = np.where(np.arange(200) % 4 == 0, 9.0, 1.0)
    with config_context(enable_metadata_routing=True):
        scorer = get_scorer("accuracy").set_score_request(sample_weight=True)
        model = LogisticRegression().set_fit_request(sample_weight=False)
        search = StatisticalGridSearchCV(
            model, {"C": [1e-4, 1.0]}, scoring=scorer, cv=CV, test="samples",
            return_predictions=keeps,
        ).fit(X, y, sample_weight=weights)  # fmt: skip
    heavy = np.where(weights > 1, "heavy", "light")
    if keeps == "values":
        with pytest.raises(ValueError, match="is weighted, and within a subgroup"):
            search.comparison_.by(heavy)
        return
    table = search.comparison_.by(heavy).table
    for row in table.itertuples():
        # Weights are constant within each subgroup, so that its score is the plain accuracy.
        inside = heavy == row.group
        one, other = (
            (search.predictions(str(label)).to_numpy()[inside] == y[inside, None])
            for label in (row.model_1, row.model_2)
        )
        assert row.mean_diff == pytest.approx(one.mean() - other.mean(), abs=1e-9)


def test_scorer_that_overrides_scoring_has_no_values():
    Scorer = type(make_scorer(accuracy_score))

    class Halved(Scorer):
        def _score(self, method_caller, estimator, X, y_true, **kwargs):
            return super()._score(method_caller, estimator, X, y_true, **kwargs) / 2

    halved = Halved(accuracy_score, 1, {}, "predict")
    search = StatisticalGridSearchCV(
        LogisticRegression(), C, scoring=halved, cv=CV, return_predictions=True
    ).fit(X, y)
    plain = GridSearchCV(LogisticRegression(), C, scoring=halved, cv=CV).fit(X, y)
    np.testing.assert_array_equal(
        search.cv_results_["mean_test_score"], plain.cv_results_["mean_test_score"]
    )
    with pytest.raises(ValueError, match="from predictions alone"):
        search.comparison_.with_metric(halved)


def test_memory_estimate_uses_outputs_and_classes():
    many = np.zeros((10, 50))
    model = LogisticRegression()
    scorers = {"score": get_scorer("neg_mean_squared_error")}
    assert _bytes_per_sample(scorers, model, many, True) == 50 * 8
    assert _bytes_per_sample({"score": of_type}, model, np.arange(10) % 2, True) == 1 + 16
    assert _bytes_per_sample(scorers, clone(model), many, "values") == 4


def test_subgroup_with_fewer_groups_than_folds_is_too_small():
    families = np.arange(200) // 4
    search = StatisticalGridSearchCV(LogisticRegression(), C, cv=GroupKFold(5), test="samples")
    search.fit(X, y, groups=families)
    few = np.where(families < 3, "few", "many")
    table = search.comparison_.by(few, min_samples=2).table.set_index("group")
    assert table.loc["few", "verdict"] == "too few"
    assert table.loc["many", "verdict"] != "too few"


def test_subgroup_may_have_any_name():
    search = StatisticalGridSearchCV(LogisticRegression(), C, cv=CV, test="samples").fit(X, y)
    groups = np.array(["<NA>", None, "all samples", "b"] * 50, dtype=object)
    assert set(search.comparison_.by(groups).table["group"]) == {
        "<NA>",
        "<<NA>>",
        "all samples",
        "b",
    }
