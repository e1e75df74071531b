"""compare() of models under names: vectors of scores, results and their frames, and searches."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import make_classification
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import f1_score, make_scorer
from sklearn.model_selection import (
    GridSearchCV,
    HalvingGridSearchCV,
    KFold,
    PredefinedSplit,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_val_score,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from sklearn_stats_compare import (
    ComparisonWarning,
    RacingGridSearchCV,
    SimplestPossiblyBest,
    StatisticalGridSearchCV,
    compare,
)
from sklearn_stats_compare.reports import report

X, y = make_classification(n_samples=103, n_features=6, flip_y=0.1, random_state=0)
CV = StratifiedKFold(10, shuffle=True, random_state=0)
MODELS = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
VECTORS = {name: cross_val_score(model, X, y, cv=CV) for name, model in MODELS.items()}
SCORES = np.stack(list(VECTORS.values()))
DEPTHS, WIDTHS = {"max_depth": [1, 3, 6]}, {"var_smoothing": [1e-9, 0.1]}


def assert_reads(obj, scores=SCORES, labels=tuple(MODELS), **arguments):
    found = compare(obj, **{"test_train_ratio": 1 / 9, **arguments})
    np.testing.assert_array_equal(found.scores.values, scores)
    assert tuple(found.labels) == tuple(labels)
    return found


@pytest.mark.parametrize("made", [np.asarray, list, tuple, pd.Series, pl.Series, iter])
def test_vectors_of_scores_by_name(made):
    found = assert_reads({name: made(vector) for name, vector in VECTORS.items()}, metric="acc")
    assert found.metric == "acc"
    sizes = compare(VECTORS, n_train=93, n_test=10).scores.design
    assert sizes.n_train.tolist() == [93] * 10
    assert_reads({1: VECTORS["bayes"], "b": VECTORS["tree"]}, labels=("1", "b"))


def test_unknown_sizes_raise_an_error_that_mentions_indices():
    results = {name: cross_validate(model, X, y, cv=CV) for name, model in MODELS.items()}
    frames = {name: pd.DataFrame(result) for name, result in results.items()}
    for obj in (VECTORS, results, frames):
        with pytest.raises(ValueError, match=r"`test_train_ratio` must be.*return_indices=True"):
            compare(obj)


@pytest.mark.parametrize("made", [pd.DataFrame, lambda result: pl.DataFrame(dict(result))])
def test_frames_of_cross_validate_by_name(made):
    frames = {
        name: made(cross_validate(model, X, y, cv=CV)) for name, model in MODELS.items()
    }  # fmt: skip
    assert_reads(frames)
    scoring = ["accuracy", "roc_auc"]
    several = {
        name: made(cross_validate(model, X, y, cv=CV, scoring=scoring, return_train_score=True))
        for name, model in MODELS.items()
    }
    assert assert_reads(several, metric="accuracy").metric == "accuracy"
    with pytest.raises(ValueError, match="`metric` must be one of accuracy, roc_auc; got None"):
        compare(several, test_train_ratio=1 / 9)


@pytest.mark.parametrize(
    ("obj", "error", "words"),
    [
        ({"a": [1.0, 2.0], "b": [1.0]}, ValueError, r"same splits for every model; got .*: 1, 2"),
        ({"a": []}, ValueError, "scores of at least one split; got none"),
        ({"a": [[1.0, 2.0]]}, ValueError, "numbers as scores; 'a' does not"),
        ({"a": ["x"]}, ValueError, "numbers as scores; 'a' does not: got 'x'"),
        ({"a": 0.5}, TypeError, "or to a fitted search, its Comparison or .*; 'a' is mapped to f"),
        ({"a": "0.5"}, TypeError, "'a' is mapped to str, and there is no such file"),
        ({"a": "last.csv"}, FileNotFoundError, r"last\.csv"),
        ({"a": None}, TypeError, "'a' is mapped to NoneType"),
        (
            {"a": [0.5], "b": {"test_score": [0.5]}}, TypeError,
            "every name to the same kind of value; got vectors of scores, results of cross_validate"
        ),
        ({"a": pd.DataFrame({"x": [0.5]})}, ValueError, "test scores of every model; 'a' has none"),
        (cross_validate(GaussianNB(), X, y, cv=CV), ValueError, "got 'fit_time', as in the"),
        ({"accuracy": [0.5, 0.6], "f1": [0.4, 0.5]}, ValueError, "by one metric; got 'accuracy'"),
        ({"test_score": [0.5, 0.6]}, ValueError, "Name the models: {'svm': cross_validate"),
        ({"a": [0.5, 0.6], "mean": [0.5, 0.6]}, ValueError, "got 'mean'"),
        ({"a": GridSearchCV(GaussianNB(), WIDTHS)}, TypeError, "GridSearchCV, which is not fitted"),
        ({"a": {0.5, 0.6}}, TypeError, "'a' is mapped to set"),
        ({"a": np.ones((5, 2))}, ValueError, "vector, one score per split; 'a' has 2 dimensions"),
        (
            {"a": {f"split{k}_test_score": [0.5] for k in range(3)}}, ValueError,
            "scores of one model under each name; 'a' is a cv_results_, of many"
        ),
        ([cross_validate(GaussianNB(), X, y, cv=CV)], TypeError, "got a list with dict"),
        ([pd.DataFrame({"test_score": [0.5]})], TypeError, "got a list with DataFrame"),
    ],
)  # fmt: skip
def test_invalid_models_raise_an_error_that_explains_why(obj, error, words):
    with pytest.raises(error, match=words):
        compare(obj, test_train_ratio=1 / 9)


def searches(kind=GridSearchCV, **options):
    options = {"cv": CV, "scoring": "accuracy", **options}
    return {
        "tree": kind(DecisionTreeClassifier(random_state=0), DEPTHS, **options).fit(X, y),
        "bayes": kind(GaussianNB(), WIDTHS, **options).fit(X, y),
    }


def best_scores(search, metric="score"):
    columns = [f"split{k}_test_{metric}" for k in range(search.n_splits_)]
    return [search.cv_results_[column][search.best_index_] for column in columns]


@pytest.fixture(scope="module")
def fitted():
    return searches()


def test_the_best_of_each_search_is_compared_and_the_note_states_the_effect(fitted):
    found = compare(fitted)
    expected = np.stack([best_scores(search) for search in fitted.values()])
    np.testing.assert_array_equal(found.scores.values, expected)
    assert found.labels == ("tree", "bayes")
    assert [dict(p) for p in found.params] == [s.best_params_ for s in fitted.values()]
    assert found.metric == "accuracy"
    assert found.scores.design.test_train_ratio == pytest.approx(1 / 9)
    assert "tree of 3 candidates, bayes of 2 candidates" in found.note
    for words in ("chosen by these very scores", "flatters every mean", "no longer hold"):
        assert words in found.note
        assert words in " ".join(repr(found).split())
        assert words in " ".join(report(found).split())


def test_a_list_of_searches_is_named_by_what_they_searched(fitted):
    for listed in (list(fitted.values()), tuple(fitted.values())):
        found = compare(listed)
        assert found.labels == ("DecisionTreeClassifier", "GaussianNB")
        np.testing.assert_array_equal(found.scores.values, compare(fitted).scores.values)
        assert compare(listed, labels=["a", "b"]).labels == ("a", "b")
    twice = compare([fitted["tree"], fitted["tree"]])
    assert len(set(twice.labels)) == 2
    assert np.ptp(twice.scores.values, axis=0).max() == 0
    scaled = [
        GridSearchCV(make_pipeline(StandardScaler(), model), {}, cv=CV).fit(X, y)
        for model in (GaussianNB(), KNeighborsClassifier())
    ]
    assert compare(scaled).labels == ("GaussianNB", "KNeighborsClassifier")


def test_searches_of_one_candidate_each_were_not_chosen():
    found = compare([
        GridSearchCV(GaussianNB(), {"var_smoothing": [0.1]}, cv=CV).fit(X, y),
        GridSearchCV(DecisionTreeClassifier(random_state=0), {}, cv=CV).fit(X, y),
    ])  # fmt: skip
    # Equal splitters, of which scikit-learn's searches do not tell on what data.
    assert found.note == "That all were scored on the same data could not be checked."


def test_searches_of_ours_supply_sizes_and_repeats_to_the_others():
    cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
    ours = searches(StatisticalGridSearchCV, cv=cv)
    plain = searches(cv=cv)
    assert compare(plain).scores.design.repeat.tolist() == [0] * 5 + [1] * 5
    for mixed in (ours, {"tree": plain["tree"], "bayes": ours["bayes"]}):
        found = compare(mixed)
        design = found.scores.design
        assert design.n_train.tolist() == ours["tree"].n_train_.tolist()
        assert design.repeat.tolist() == [0] * 5 + [1] * 5
        np.testing.assert_array_equal(found.scores.values, compare(plain).scores.values)
    shuffled = ShuffleSplit(12, random_state=0)
    mixed = {
        "tree": searches(cv=shuffled)["tree"],
        "bayes": searches(StatisticalGridSearchCV, cv=shuffled)["bayes"],
    }
    assert compare(mixed).scores.design.n_test.tolist() == [11] * 12
    with pytest.raises(ValueError, match="`test_train_ratio` must be given"):
        compare(searches(cv=shuffled))


def test_few_splits_are_warned_of_once():
    ours = searches(StatisticalGridSearchCV, cv=5)
    with warnings.catch_warnings(record=True) as record:
        warnings.simplefilter("always")
        compare(ours)
    assert [(w.category, w.filename) for w in record] == [(ComparisonWarning, __file__)]


def test_the_candidate_that_a_rule_chose_is_the_best_of_its_search():
    ours = StatisticalGridSearchCV(
        DecisionTreeClassifier(random_state=0), DEPTHS, cv=CV,
        refit=SimplestPossiblyBest("max_depth"),
    ).fit(X, y)  # fmt: skip
    found = compare({"tree": ours})
    assert found.params[0] == ours.best_params_
    np.testing.assert_array_equal(found.scores.values[0], best_scores(ours))


def test_the_best_of_a_race_is_compared_under_its_own_parameters():
    cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=2, random_state=0)
    race = RacingGridSearchCV(
        KNeighborsClassifier(), {"n_neighbors": [1, 5, 90]}, cv=cv, random_state=0
    ).fit(X, y)
    found = compare({"race": race, "bayes": searches(StatisticalGridSearchCV, cv=cv, scoring=None)
                     ["bayes"]})  # fmt: skip
    assert found.params[0] == race.best_params_
    assert "race of 3 candidates" in found.note


def test_another_metric_takes_the_best_candidate_by_that_metric():
    several = searches(scoring=["accuracy", "roc_auc"], refit="accuracy")
    by_area = compare(several, metric="roc_auc")
    assert by_area.metric == "roc_auc"
    for search, scores in zip(several.values(), by_area.scores.values, strict=True):
        assert scores.mean() == pytest.approx(search.cv_results_["mean_test_roc_auc"].max())
    assert compare(several).metric == "accuracy"
    np.testing.assert_array_equal(
        compare(several).scores.values,
        [best_scores(search, "accuracy") for search in several.values()],
    )


EQUAL = [
    (None, 5),
    (10, 10),
    (StratifiedKFold(10), StratifiedKFold(10)),
    (KFold(10, shuffle=True, random_state=1), KFold(10, shuffle=True, random_state=1)),
    (PredefinedSplit(np.arange(103) % 10), PredefinedSplit(np.arange(103) % 10)),
    (list(KFold(10).split(X)), list(KFold(10).split(X))),
]


@pytest.mark.parametrize("cvs", EQUAL, ids=str)
@pytest.mark.filterwarnings("ignore:There are only 5")
def test_equal_splitters_are_recognised_by_their_attributes(cvs):
    one, other = (searches(cv=cv) for cv in cvs)
    mixed = {"tree": one["tree"], "bayes": other["bayes"]}
    assert len(compare(mixed, test_train_ratio=1 / 9).labels) == 2


UNEQUAL = [
    (5, 10),
    (10, StratifiedKFold(10)),
    (StratifiedKFold(10), KFold(10)),
    (KFold(10, shuffle=True), KFold(10, shuffle=True)),
    (KFold(10, shuffle=True, random_state=1), KFold(10, shuffle=True, random_state=2)),
    (KFold(10), iter(list(KFold(10).split(X)))),
    (list(KFold(10).split(X)), list(KFold(10).split(X))[::-1]),
    (PredefinedSplit(np.arange(103) % 10), PredefinedSplit(np.arange(103) // 11)),
]


@pytest.mark.parametrize("cvs", UNEQUAL, ids=lambda cvs: type(cvs[1]).__name__)
def test_searches_that_may_have_split_differently_raise(cvs):
    one, other = (searches(cv=cv, refit=False) if not hasattr(cv, "__next__") else
                  {"bayes": GridSearchCV(GaussianNB(), WIDTHS, cv=cv).fit(X, y)}
                  for cv in cvs)  # fmt: skip
    mixed = {"tree": one["tree"], "bayes": other["bayes"]}
    with pytest.raises(ValueError, match=r"searches on the same splits; .*(may dif|5 and 10)"):
        compare(mixed, test_train_ratio=1 / 9)


def test_one_splitter_without_a_seed_splits_each_search_anew():
    cv = KFold(10, shuffle=True)
    with pytest.raises(ValueError, match="same splitter with an integer `random_state`"):
        compare(searches(cv=cv))


def test_a_classifier_and_a_regressor_have_neither_splits_nor_scores_in_common():
    ridge = GridSearchCV(Ridge(), {"alpha": [1, 2]}, cv=10).fit(X, y)
    logistic = GridSearchCV(LogisticRegression(), {"C": [1, 2]}, cv=10).fit(X, y)
    with pytest.raises(ValueError, match="same splits"):
        compare([ridge, logistic])
    ridge, logistic = (search.set_params(cv=KFold(10)).fit(X, y) for search in (ridge, logistic))
    with pytest.raises(ValueError, match=r"same metric; .*have scoring=None and scoring=None"):
        compare([ridge, logistic])


def test_searches_by_different_metrics_raise(fitted):
    other = searches(scoring="roc_auc")
    with pytest.raises(ValueError, match=r"same metric; .*'accuracy' and scoring='roc_auc'"):
        compare({"tree": fitted["tree"], "bayes": other["bayes"]})
    scorers = [make_scorer(f1_score), make_scorer(f1_score, pos_label=0)]
    by_f1 = [searches(scoring=scorer)["tree"] for scorer in scorers]
    assert len(compare([by_f1[0], by_f1[0]]).labels) == 2
    with pytest.raises(ValueError, match="same metric"):
        compare(by_f1)
    with pytest.raises(ValueError, match="same metric"):
        compare([fitted["tree"], by_f1[0]])


def test_different_data_raise_as_far_as_known():
    ours = searches(StatisticalGridSearchCV)
    smaller = StatisticalGridSearchCV(GaussianNB(), WIDTHS, cv=CV, scoring="accuracy")
    with pytest.raises(ValueError, match=r"same splits of the same data; .* 103 × 6, nda.* 80 × 6"):
        compare({"a": ours["tree"], "b": smaller.fit(X[:80], y[:80])})
    plain = GridSearchCV(GaussianNB(), WIDTHS, cv=CV, scoring="accuracy").fit(X[:80], y[:80])
    saved = {"a": ours["tree"].comparison_, "b": smaller.comparison_}
    with pytest.raises(ValueError, match="same splits of the same data; those of a, b have other"):
        compare(saved)
    assert "same data could not be checked" in compare({"a": ours["tree"], "b": plain}).note


def test_halving_searches_among_others_raise(fitted):
    halving = HalvingGridSearchCV(GaussianNB(), WIDTHS, cv=CV, random_state=0).fit(X, y)
    with pytest.raises(ValueError, match="'b' is a HalvingGridSearchCV, which drew samples for"):
        compare({"a": fitted["tree"], "b": halving})


def test_a_list_of_other_objects_raises(fitted):
    with pytest.raises(TypeError, match=r"list of fitted searches, .*; got a list with str"):
        compare([fitted["tree"], "bayes"])
    with pytest.raises(ValueError, match=r"`orient` must be left out"):
        compare(list(fitted.values()), orient="models in rows")
    with pytest.raises(TypeError, match="same kind of value; got fitted searches, vectors of sco"):
        compare({"a": fitted["tree"], "b": [0.5] * 10})
