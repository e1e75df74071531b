"""Misclassification costs: by hand, what scikit-learn's metrics are of them, and their scorer."""

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn import config_context
from sklearn import model_selection as ms
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, balanced_accuracy_score, make_scorer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import sklearn_stats_compare as ssc
from sklearn_stats_compare.evaluation import make_cost_scorer, misclassification_cost

COSTS = [[0.0, 1.0], [10.0, 0.0]]
X, y = make_classification(
    n_samples=300, n_features=5, weights=[0.9], class_sep=0.8, flip_y=0.05, random_state=0
)
MODEL = LogisticRegression()
# Weight of the rare class: few errors with 1, few of the dear ones with 10.
WEIGHTS = {"class_weight": [{0: 1, 1: 1}, {0: 1, 1: 3}, {0: 1, 1: 10}]}
CLASSES = arrays(int, 30, elements=st.integers(0, 2))


def _weight(params):
    return params["class_weight"][1]


@pytest.fixture(scope="module")
def fitted():
    return clone(MODEL).fit(X, y)


def test_by_hand():
    # One false alarm at 1, two misses at 10: 21 in all, 21/6 a sample.
    pair = [0, 0, 0, 1, 1, 1], [0, 1, 0, 1, 0, 0]
    assert misclassification_cost(*pair, COSTS, normalize=False) == 21
    assert misclassification_cost(*pair, COSTS) == 3.5
    # Weights 1, 1, 1, 1, 2, 0: 1 + 2·10 over a weight of 6.
    assert misclassification_cost(*pair, COSTS, sample_weight=[1, 1, 1, 1, 2, 0]) == 21 / 6
    assert misclassification_cost(*pair, COSTS, [1, 0]) == 12 / 6  # 2·1 + 1·10


@settings(deadline=None)
@given(CLASSES, CLASSES, st.permutations(range(3)), st.floats(0.1, 5))
def test_accuracy_and_invariances(truth, predicted, order, scale):
    def cost(costs, labels=(0, 1, 2), pair=(truth, predicted), **options):
        return misclassification_cost(*pair, costs, list(labels), **options)

    unit = 1 - np.eye(3)
    assert cost(unit) == pytest.approx(1 - accuracy_score(truth, predicted))
    costs = np.arange(9.0).reshape(3, 3)
    one = cost(costs)
    assert cost(costs[np.ix_(order, order)], order) == pytest.approx(one)
    assert cost(scale * costs) == pytest.approx(scale * one)
    assert cost(costs.T) == pytest.approx(cost(costs, pair=(predicted, truth)))
    assert cost(costs, normalize=False) == pytest.approx(30 * one)
    # With errors of each class at 1 over its share, the mean cost is 1 − balanced accuracy.
    shares = np.bincount(truth, minlength=3) / 30
    if (shares > 0).all():
        balanced = cost(unit / (3 * shares[:, None]))
        assert balanced == pytest.approx(1 - balanced_accuracy_score(truth, predicted))


def test_the_scorer_is_minus_the_cost(fitted):
    costs = np.array(COSTS)
    scorer = make_cost_scorer(costs)
    costs[0, 1] = 999  # must not change the scorer
    predicted = fitted.predict(X)
    expected = -misclassification_cost(y, predicted, COSTS)
    assert scorer(fitted, X, y) == scorer(fitted, X, y[:, None]) == expected
    total = make_cost_scorer(COSTS, normalize=False)(fitted, X, y)
    assert total == pytest.approx(300 * expected)
    weights = np.linspace(0, 1, 300)
    weighted = -misclassification_cost(y, predicted, COSTS, sample_weight=weights)
    assert scorer(fitted, X, y, sample_weight=weights) == weighted


def test_a_search_is_ranked_tested_and_selected_by_cost():
    cv = ms.RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
    search = ssc.StatisticalGridSearchCV(
        MODEL, WEIGHTS, cv=cv, refit="cost", rope=0.05, test="samples",
        scoring={"accuracy": "accuracy", "cost": make_cost_scorer(COSTS)},
    ).fit(X, y)  # fmt: skip
    assert search.best_params_ == {"class_weight": {0: 1, 1: 10}}
    assert search.comparison_.ranking().index[0] == 2
    # Accuracy would have chosen another.
    assert search.compare(metric="accuracy").ranking().index[0] != 2
    assert (search.pairwise_frequentist_["mean_diff"] >= 0).all()
    rule = clone(search).set_params(refit=ssc.Simplest(_weight, metric="cost"))
    assert rule.fit(X, y).best_score_ <= 0
    options = {"cv": cv, "scoring": make_cost_scorer(COSTS), "random_state": 0}
    race = ssc.RacingGridSearchCV(MODEL, WEIGHTS, **options).fit(X, y)
    assert race.best_params_ == search.best_params_


def test_pipelines_models_and_two_jobs():
    scorer, pipeline = make_cost_scorer(COSTS), make_pipeline(StandardScaler(), MODEL)
    found = ssc.cross_validate_models(
        {"pipeline": pipeline, "never": DummyClassifier()}, X, y, cv=10,
        scoring={"cost": scorer, "accuracy": "accuracy"},
    )  # fmt: skip
    assert found["cost"].scores.values.max() <= 0
    options = {"cv": 4, "scoring": scorer}
    one, two = (ms.cross_val_score(pipeline, X, y, n_jobs=n, **options) for n in (1, 2))
    assert one.tolist() == two.tolist()


def test_weights_are_routed():
    weights, folds = np.linspace(0.1, 1, 300), ms.KFold(3)
    with config_context(enable_metadata_routing=True):
        scorer = make_cost_scorer(COSTS).set_score_request(sample_weight=True)
        model = LogisticRegression().set_fit_request(sample_weight=False)
        given = {"cv": folds, "scoring": scorer, "params": {"sample_weight": weights}}
        scores = ms.cross_validate(model, X, y, **given)["test_score"]
        search = ssc.StatisticalGridSearchCV(model, WEIGHTS, cv=folds, scoring=scorer)
        assert search.fit(X, y, sample_weight=weights).n_splits_ == 3
    expected = []
    for train, test in folds.split(X):
        pair = y[test], clone(MODEL).fit(X[train], y[train]).predict(X[test])
        expected.append(-misclassification_cost(*pair, COSTS, sample_weight=weights[test]))
    np.testing.assert_allclose(scores, expected)


def test_a_test_fold_may_lack_a_class():
    # Of sorted labels the last fold holds class 1 alone: costs stay those of the model's classes.
    fold = np.argsort(y, kind="stable")[-10:]
    assert set(y[fold]) == {1}
    model = clone(MODEL).fit(np.delete(X, fold, 0), np.delete(y, fold))
    missed = model.predict(X[fold]) == 0
    assert make_cost_scorer(COSTS)(model, X[fold], y[fold]) == -10 * np.mean(missed)


def test_a_threshold_is_tuned_by_cost(fitted):
    scorer = make_cost_scorer(COSTS)
    tuned = ms.TunedThresholdClassifierCV(MODEL, scoring=scorer, cv=5).fit(X, y)
    assert tuned.best_threshold_ < 0.5  # a miss is dear
    assert scorer(tuned, X, y) > scorer(fitted, X, y)
    assert tuned.best_score_ < 0


def test_words_pickling_cloning_and_repr(fitted):
    words = np.array(["healthy", "sick"])[y]
    scorer = make_cost_scorer(COSTS, ["healthy", "sick"])
    model = clone(MODEL).fit(X, words)
    assert scorer(model, X, words) == make_cost_scorer(COSTS)(fitted, X, y)
    assert pickle.loads(pickle.dumps(scorer))(model, X, words) == scorer(model, X, words)
    search = ssc.StatisticalGridSearchCV(MODEL, WEIGHTS, cv=ms.StratifiedKFold(3), scoring=scorer)
    assert clone(search).scoring is not scorer
    assert repr(scorer) == (
        "make_cost_scorer([[0.0, 1.0], [10.0, 0.0]], labels=['healthy', 'sick'], normalize=True)"
    )


@pytest.mark.parametrize(
    ("costs", "labels", "message"),
    [
        ([[0, 1]], None, r"`cost_matrix` must be square.*got shape \(1, 2\)"),
        ([[0]], None, r"at least 2; got shape \(1, 1\)"),
        ([0, 1], None, r"`cost_matrix` must be square.*got shape \(2,\)"),
        ([[0, np.nan], [1, 0]], None, "`cost_matrix` must be finite"),
        ([[0, "a"], [1, 0]], None, "`cost_matrix` must be a matrix of numbers"),
        (COSTS, [0, 1, 2], "`labels` must name each of the 2 classes .* got 3: 0, 1, 2"),
        (COSTS, [1, 1], r"`labels` must be different classes, .* got \[1, 1\]"),
        (COSTS, "ab", "`labels` must be different classes, in a sequence; got 'ab'"),
        (COSTS, 5, "`labels` must be different classes, in a sequence; got 5"),
        (COSTS, [[0], [1]], "`labels` must be different classes, in a sequence"),
    ],
)
def test_invalid_costs_raise_immediately(costs, labels, message):
    with pytest.raises(ValueError, match=message):
        make_cost_scorer(costs, labels)
    with pytest.raises(ValueError, match=message):
        misclassification_cost([0, 1], [0, 1], costs, labels)


@pytest.mark.parametrize(
    ("truth", "predicted", "options", "message"),
    [
        ([0, 1, 2], [0, 1, 1], {"labels": [0, 1]}, "`labels` must name every class; .* without 2"),
        ([0, 0], [0, 0], {}, r"`labels` must be given where not every class .* 1: 0"),
        ([0, 1], [[0, 1]], {}, "`y_pred` must be a vector"),
        ([0, None], [1, 1], {"labels": [0, 1]}, "`y_true` must not hold missing values"),
        ([0, 1], [1, 1], {"sample_weight": [1, -1]}, "`sample_weight` must have a sum > 0"),
        ([0, 1], [0, 1, 1], {}, "must have one prediction per entry of `y_true`, 2; got 3"),
    ],
)
def test_invalid_classes_raise(truth, predicted, options, message):
    with pytest.raises(ValueError, match=message):
        misclassification_cost(truth, predicted, COSTS, **options)


def test_classes_of_a_model_without_costs_are_named():
    three = clone(MODEL).fit(X, np.arange(300) % 3)
    with pytest.raises(ValueError, match="rows, 2; it knows 3: 0, 1, 2"):
        make_cost_scorer(COSTS)(three, X, np.arange(300) % 3)


def test_names_in_a_table_of_costs_must_be_the_labels():
    names = ["ill", "healthy"]
    table = pd.DataFrame([[0, 10], [1, 0]], index=names, columns=names)
    truth, said = ["healthy", "ill"], ["healthy", "healthy"]
    assert misclassification_cost(truth, said, table, names, normalize=False) == 10
    for labels in (None, names[::-1]):
        with pytest.raises(ValueError, match="`labels` must be the names of rows and of columns"):
            misclassification_cost(truth, said, table, labels)


def twins(miss, test, rope):
    """Verdict on two models with the same predictions of 300 samples."""
    models = {"one": MODEL, "other": clone(MODEL)}
    scoring = make_cost_scorer([[0, 1], [miss, 0]])
    found = ssc.cross_validate_models(models, X, y, cv=5, scoring=scoring, test=test, rope=rope)
    return found.against().iloc[0]


@pytest.mark.filterwarnings("ignore:There are only 5 splits")
@pytest.mark.parametrize("test", ["samples", "corrected_t"])
@pytest.mark.parametrize("miss", [1, 2, 10, 1000])
def test_agreement_shows_no_more_of_dear_errors_than_of_cheap_ones(test, miss):
    # 300 samples without disagreement leave a probability of 0.025 if models disagree on a share
    # 1 − 0.025^(1/300) of samples, each of which may cost `miss`.
    row = twins(miss, test, rope=0.01 * miss)
    assert row["ci_high"] == pytest.approx(miss * (1 - 0.025 ** (1 / 300)))
    assert row["rope_prob"] == pytest.approx(1 - 0.99**301)


@pytest.mark.filterwarnings("ignore:There are only 5 splits")
@pytest.mark.parametrize("normalize", [True, False])
def test_what_an_error_may_cost_is_kept_in_files_tables_and_pickles(normalize, tmp_path):
    scoring = make_cost_scorer([[0, 1], [1000, 0]], normalize=normalize)
    search = ssc.StatisticalGridSearchCV(MODEL, {"tol": [1e-4, 1.1e-4]}, cv=5, scoring=scoring)
    own = search.fit(X, y).comparison_
    # Of sums over the 60 samples of a fold, a sample changes the score by 60 times as much.
    reach = 1000 * (1 if normalize else 60) * (1 - 0.025 ** (1 / 300))
    assert own.against()["ci_high"].tolist() == pytest.approx([reach])
    own.to_csv(tmp_path / "own.csv")
    again = [
        ssc.compare(tmp_path / "own.csv"), ssc.compare(own.to_long(), metric=own.metric),
        pickle.loads(pickle.dumps(own)), pickle.loads(pickle.dumps(search)).comparison_,
        own.with_settings(test="samples", alpha=0.05),
    ]  # fmt: skip
    for other in again:
        assert other.against()["ci_high"].tolist() == pytest.approx([reach])
        assert other.posterior(0, 1).interval() == pytest.approx(own.posterior(0, 1).interval())


@pytest.mark.parametrize("test", ["samples", "corrected_t"])
def test_samples_of_weight_0_are_no_evidence_of_agreement(test):
    weights = (np.arange(300) % 3 == 0).astype(float)
    with config_context(enable_metadata_routing=True):
        model = LogisticRegression().set_fit_request(sample_weight=False)
        scoring = make_scorer(accuracy_score).set_score_request(sample_weight=True)
        search = ssc.StatisticalGridSearchCV(
            model, {"tol": [1e-4, 1.1e-4]}, cv=10, scoring=scoring, test=test, rope=0.02
        ).fit(X, y, sample_weight=weights)
        row = search.comparison_.against().iloc[0]
    # As of the hundred samples with weight 1 alone.
    assert row["ci_high"] == pytest.approx(1 - 0.025 ** (1 / 100))
    assert row["rope_prob"] == pytest.approx(1 - 0.98**101)


@pytest.mark.filterwarnings("ignore:There are only 5 splits")
@pytest.mark.parametrize("keeps", ["auto", False])
@pytest.mark.parametrize("scoring", [make_cost_scorer(COSTS), "recall", "accuracy"])
def test_a_ledger_knows_what_agreement_shows(scoring, keeps, tmp_path):
    groups = np.arange(300) // 10
    search = ssc.StatisticalGridSearchCV(
        MODEL, {"tol": [1e-4, 1.1e-4]}, cv=ms.StratifiedGroupKFold(5), scoring=scoring,
        ledger=tmp_path / "own.sqlite", return_predictions=keeps,
    )  # fmt: skip
    own = search.fit(X, y, groups=groups).comparison_.against()
    read = ssc.compare(tmp_path / "own.sqlite").against()
    assert own["ci_high"][0] > 0.09
    pd.testing.assert_frame_equal(own.reset_index(drop=True), read.reset_index(drop=True))


@pytest.mark.filterwarnings("ignore:Candidates differ in class_weight")
@pytest.mark.parametrize("test", ["samples", "corrected_t"])
@pytest.mark.parametrize("costs", [[[0, 1], [1, 0]], [[0, 1], [3, 0]], [[5, 6], [6, 5]]])
def test_nothing_depends_on_the_unit_of_costs(costs, test):
    tables = []
    for unit in (0.1, 1, 7, 1000):
        search = ssc.StatisticalGridSearchCV(
            MODEL, WEIGHTS, cv=10, scoring=make_cost_scorer(unit * np.array(costs)), test=test,
            rope=0.05 * unit,
        ).fit(X, y)  # fmt: skip
        own = search.comparison_
        numbers = own.against()[["mean_diff", "ci_low", "ci_high"]] / unit
        probabilities = own.bayesian()[["worse_prob", "rope_prob", "better_prob"]]
        bounds = own.shortfall()["at_most"] / unit
        tables.append(np.hstack([np.ravel(numbers), np.ravel(probabilities), bounds]))
    for other in tables[1:]:
        # Values of samples are kept in single precision.
        np.testing.assert_allclose(other, tables[0], rtol=1e-4, atol=1e-7)
