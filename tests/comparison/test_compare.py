"""compare(): each kind of result that exists already, and several of them under names."""

import re
from copy import copy

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn import model_selection as ms
from sklearn.datasets import make_classification
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.linear_model import LogisticRegression, LogisticRegressionCV, Ridge
from sklearn.metrics import accuracy_score, f1_score, make_scorer
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import sklearn_stats_compare as ssc
from sklearn_stats_compare import StatisticalGridSearchCV, compare
from sklearn_stats_compare.reports import report

X, y = make_classification(n_samples=103, n_features=6, flip_y=0.1, random_state=0)
CV = ms.StratifiedKFold(10, shuffle=True, random_state=0)
MODELS = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
VECTORS = {name: ms.cross_val_score(model, X, y, cv=CV) for name, model in MODELS.items()}
SCORES = np.stack(list(VECTORS.values()))
GRID = [{"kernel": ["linear"]}, {"kernel": ["poly"], "degree": [2, 3]}, {"kernel": ["rbf"]}]
REPEATED = ms.RepeatedStratifiedKFold(n_splits=5, n_repeats=3, random_state=0)
DEPTHS, WIDTHS = {"max_depth": [1, 3, 6]}, {"var_smoothing": [1e-9, 0.1]}
ONE, UNFITTED = [[1.0, 2.0]], ms.GridSearchCV(GaussianNB(), {})
SIZES = {"n_train": 9, "n_test": 1}


@pytest.fixture(scope="module")
def ours():
    return StatisticalGridSearchCV(SVC(random_state=0), GRID, cv=REPEATED).fit(X, y)


@pytest.fixture(scope="module")
def plain():
    return ms.GridSearchCV(SVC(random_state=0), GRID, cv=REPEATED).fit(X, y)


def search(name, kind=ms.GridSearchCV, grid=None, **options):
    grid = {"tree": DEPTHS, "bayes": WIDTHS}[name] if grid is None else grid
    return kind(MODELS[name], grid, **{"cv": CV, "scoring": "accuracy", **options}).fit(X, y)


def searches(kind=ms.GridSearchCV, **options):
    return {name: search(name, kind, **options) for name in ("tree", "bayes")}


def assert_same_tables(comparison, search):
    nearly = {"rtol": 1e-12, "atol": 1e-14, "check_dtype": False}
    for name in ("frequentist", "bayesian", "against", "ranking"):
        one, other = getattr(comparison, name)(), getattr(search.comparison_, name)()
        # Ends of intervals depend on the number of samples of which scores are shares, and not all
        # of these results have it.
        ends = [column for column in ("ci_low", "ci_high") if column in one]
        pd.testing.assert_frame_equal(one.drop(columns=ends), other.drop(columns=ends), **nearly)


def test_a_search_of_ours_is_its_own_comparison(ours):
    assert_same_tables(compare(ours), ours)
    assert compare(ours, p_adjust="holm").p_adjust == "holm"


def test_a_plain_search_is_read_with_its_splitter(ours, plain):
    assert_same_tables(compare(plain), ours)
    assert compare(plain).scores.design.repeat.tolist() == np.repeat([0, 1, 2], 5).tolist()
    random = ms.RandomizedSearchCV(SVC(random_state=0), GRID, n_iter=4, cv=REPEATED, random_state=0)
    found = compare(random.fit(X, y)).against()
    expected = ours.comparison_.against()
    numbers = ["mean_diff", "t_stat", "p_val", "rope_prob"]
    np.testing.assert_allclose(found[numbers], expected[numbers], rtol=1e-12)


def test_results_as_mapping_frame_and_csv(ours, plain, tmp_path):
    frame, path = pd.DataFrame(plain.cv_results_), tmp_path / "results.csv"
    frame.to_csv(path, index=False)
    for obj in (plain.cv_results_, frame, path):
        assert_same_tables(compare(obj, test_train_ratio=1 / 4), ours)
    assert_same_tables(compare(str(path), n_train=80, n_test=20), ours)
    without = tmp_path / "without.csv"
    frame.drop(columns="params").to_csv(without, index=False)
    labels = compare(without, test_train_ratio=1 / 4).labels
    assert labels == ("linear", "poly_2.0", "poly_3.0", "rbf")  # a CSV column knows no integers


def test_results_of_cross_validate_supply_their_sizes(ours):
    results = {
        label: ms.cross_validate(SVC(**given), X, y, cv=REPEATED, return_indices=True)
        for label, given in zip(ours.comparison_.labels, ours.comparison_.params, strict=True)
    }
    comparison = compare(results)
    assert_same_tables(comparison, ours)
    assert comparison.scores.design.n_train.tolist() == ours.n_train_.tolist()
    for result in results.values():
        del result["indices"]
    with pytest.raises(ValueError, match=r"must be given.*do not contain.*return_indices=True"):
        compare(results)
    assert_same_tables(compare(results, test_train_ratio=0.25), ours)


def test_results_on_different_splits_raise():
    results = {}
    for seed in (0, 1):
        cv = ms.KFold(5, shuffle=True, random_state=seed)
        results[str(seed)] = ms.cross_validate(GaussianNB(), X, y, cv=cv, return_indices=True)
    with pytest.raises(ValueError, match=r"`obj` must hold the same splits .* of 0, 1 differ"):
        compare(results)
    shorter = {"a": {"test_score": [1, 2, 3]}, "b": {"test_score": [1, 2]}}
    with pytest.raises(ValueError, match=r"same splits for every model; got .*: 2, 3"):
        compare(shorter, test_train_ratio=1)


def test_plain_scores_as_frame_and_array(ours):
    scores, labels = ours.comparison_.scores.values, ours.comparison_.labels
    assert_same_tables(compare(pd.DataFrame(scores, labels), test_train_ratio=0.25), ours)
    assert_same_tables(compare(scores, test_train_ratio=0.25, labels=labels), ours)
    with pytest.raises(ValueError, match="`test_train_ratio` must be given"):
        compare(scores)


def test_a_search_keeps_its_settings():
    given = {"rope": 0.05, "p_adjust": "holm", "alpha": 0.1, "alternative": "two-sided"}
    own = search("bayes", StatisticalGridSearchCV, **given)
    assert_same_tables(compare(own), own)
    assert (compare(own).alpha, compare(own).rope) == (0.1, 0.05)
    assert (compare(own, alpha=0.05).alpha, compare(own, alpha=0.05).rope) == (0.05, 0.05)
    assert compare(own, p_adjust=None).p_adjust is None
    # So do comparisons, beside a search of scikit-learn too, which has none; the advice stays.
    for other in (search("tree", StatisticalGridSearchCV, **given).comparison_, search("tree")):
        found = compare({"bayes": own.comparison_, "tree": other})
        assert (found.alpha, found.rope, found.p_adjust) == (0.1, 0.05, "holm")
        assert "settings are the search's: " in found.note
        assert found.next_step().startswith("These scores chose the models.")


def test_the_pool_is_known_where_the_number_of_samples_is():
    cv = ms.ShuffleSplit(12, train_size=0.2, test_size=0.1, random_state=0)
    recorded, plain = search("bayes", StatisticalGridSearchCV, cv=cv), search("bayes", cv=cv)
    found = compare(plain, n_samples=103)
    given = compare(plain, n_train=20, n_test=11, n_samples=103)
    for comparison in (recorded.comparison_, found, given):
        design = comparison.scores.design
        assert (design.test_train_ratio, design.overlap_ratio) == (11 / 20, 11 / 92)
    assert_same_tables(found, recorded)
    limit = found.plan()["detectable_limit"] / found.plan()["std"]
    # (z_{0.975} + z_{0.8})·√q: 1.95996 + 0.84162
    np.testing.assert_allclose(limit, 2.80159 * np.sqrt(11 / 92), rtol=1e-5)
    assert "corrected t-test, n_test/(n − n_test) = 0.1196" in repr(found)
    reason = "1/12 + 0.1196 for the overlap of the splits, n_test/(n − n_test), because"
    assert reason in " ".join(report(found).split())


@pytest.mark.parametrize(
    ("obj", "arguments", "error", "message"),
    [
        (3, {}, TypeError, "`obj` must be a fitted search.*got int"),
        ([1, 2, 3], {"test_train_ratio": 1}, ValueError, "candidates × splits; got 1 dim"),
        ({}, {}, ValueError, "at least one model; it is empty"),
        ({"a": 3}, {}, TypeError, "mapping that cross_validate returns.*; 'a' is mapped to int"),
        (ONE, {"test_train_ratio": 0}, ValueError, "`test_train_ratio` must be a number"),
        (ONE, {"n_train": 9}, ValueError, "`n_train` and `n_test` must be given together"),
        (ONE, {**SIZES, "test_train_ratio": 1}, ValueError, "`test_train_ratio` must be left out"),
        (ONE, {"n_train": [9] * 3, "n_test": [1] * 3}, ValueError, "one for each split, 2; got 3"),
        (UNFITTED, {}, ValueError, "got a GridSearchCV that is not fitted"),
        # An estimator that tunes itself is no search, fitted or not.
        (LogisticRegressionCV(), {}, TypeError, "a fitted search, .*; got LogisticRegressionCV"),
    ],
)
def test_unreadable_objects_raise_an_error_that_explains_why(obj, arguments, error, message):
    with pytest.raises(error, match=message):
        compare(obj, **arguments)


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


@pytest.fixture(scope="module")
def results():
    return {name: ms.cross_validate(model, X, y, cv=CV) for name, model in MODELS.items()}


def test_unknown_sizes_raise_an_error_that_mentions_indices(results):
    frames = {name: pd.DataFrame(result) for name, result in results.items()}
    for obj in (VECTORS, results, frames):
        with pytest.raises(ValueError, match=r"`test_train_ratio` must be.*return_indices=True"):
            compare(obj)


@pytest.mark.parametrize("made", [pd.DataFrame, lambda result: pl.DataFrame(dict(result))])
def test_frames_of_cross_validate_by_name(made, results):
    assert_reads({name: made(result) for name, result in results.items()})
    # As with scoring=["accuracy", "roc_auc"] and return_train_score=True.
    several = {
        name: made({
            "fit_time": result["fit_time"],
            "test_accuracy": result["test_score"], "train_accuracy": result["test_score"] / 2,
            "test_roc_auc": result["test_score"] / 3, "train_roc_auc": result["test_score"] / 4,
        })
        for name, result in results.items()
    }  # fmt: skip
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
        (ms.cross_validate(GaussianNB(), X, y, cv=CV), ValueError, "got 'fit_time', as in the"),
        ({"accuracy": [0.5, 0.6], "f1": [0.4, 0.5]}, ValueError, "by one metric; got 'accuracy'"),
        ({"test_score": [0.5, 0.6]}, ValueError, "Name the models: {'svm': cross_validate"),
        ({"a": [0.5, 0.6], "b": [0.4, 0.9], "mean": [0.45, 0.75]}, ValueError, "a model 'mean'"),
        ({"a": UNFITTED}, TypeError, "GridSearchCV, which is not fitted"),
        ({"a": {0.5, 0.6}}, TypeError, "'a' is mapped to set"),
        ({"a": np.ones((5, 2))}, ValueError, "vector, one score per split; 'a' has 2 dimensions"),
        (
            {"a": {f"split{k}_test_score": [0.5] for k in range(3)}}, ValueError,
            "scores of one model under each name; 'a' is a cv_results_, of many"
        ),
        ([ms.cross_validate(GaussianNB(), X, y, cv=CV)], TypeError, "got a list with dict"),
        ([pd.DataFrame({"test_score": [0.5]})], TypeError, "got a list with DataFrame"),
    ],
)  # fmt: skip
def test_invalid_models_raise_an_error_that_explains_why(obj, error, words):
    with pytest.raises(error, match=words):
        compare(obj, test_train_ratio=1 / 9)


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
    for text in (found.note, repr(found), report(found)):
        for words in ("made by these very scores", "flatters every mean", "no longer hold"):
            assert words in " ".join(text.split())


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
        ms.GridSearchCV(make_pipeline(StandardScaler(), model), {}, cv=CV).fit(X, y)
        for model in (GaussianNB(), KNeighborsClassifier())
    ]
    assert compare(scaled).labels == ("GaussianNB", "KNeighborsClassifier")


def test_searches_of_one_candidate_each_were_not_chosen():
    found = compare([search("bayes", grid={}), search("tree", grid={})])
    # Equal splitters, of which scikit-learn's searches do not tell on what data.
    assert found.note == "That all were scored on the same data could not be checked."


def test_searches_of_ours_supply_sizes_and_repeats_to_the_others():
    cv = ms.RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
    ours = searches(StatisticalGridSearchCV, cv=cv)
    plain = searches(cv=cv)
    assert compare(plain).scores.design.repeat.tolist() == [0] * 5 + [1] * 5
    for mixed in (ours, {"tree": plain["tree"], "bayes": ours["bayes"]}):
        found = compare(mixed)
        design = found.scores.design
        assert design.n_train.tolist() == ours["tree"].n_train_.tolist()
        assert design.repeat.tolist() == [0] * 5 + [1] * 5
        np.testing.assert_array_equal(found.scores.values, compare(plain).scores.values)
    shuffled = ms.ShuffleSplit(12, random_state=0)
    tree = search("tree", grid={}, cv=shuffled)
    mixed = [tree, search("bayes", StatisticalGridSearchCV, grid={}, cv=shuffled)]
    assert compare(mixed).scores.design.n_test.tolist() == [11] * 12
    with pytest.raises(ValueError, match="`test_train_ratio` must be given"):
        compare([tree, search("bayes", grid={}, cv=shuffled)])


def test_the_candidate_that_a_rule_chose_is_the_best_of_its_search():
    ours = search("tree", StatisticalGridSearchCV, refit=ssc.Simplest("max_depth"))
    found = compare({"tree": ours})
    assert found.params[0] == ours.best_params_
    np.testing.assert_array_equal(found.scores.values[0], best_scores(ours))


def test_the_best_of_a_race_is_compared_under_its_own_parameters():
    cv = ms.RepeatedStratifiedKFold(n_splits=10, n_repeats=2, random_state=0)
    grid = {"n_neighbors": [1, 5, 90]}
    race = ssc.RacingGridSearchCV(KNeighborsClassifier(), grid, cv=cv, random_state=0).fit(X, y)
    bayes = search("bayes", StatisticalGridSearchCV, cv=cv, scoring=None)
    found = compare({"race": race, "bayes": bayes})
    assert found.params[0] == race.best_params_
    assert "race of 3 candidates" in found.note


def test_another_metric_takes_the_best_candidate_by_that_metric():
    several = searches(scoring=["accuracy", "roc_auc"], refit="accuracy")
    by_area = compare(several, metric="roc_auc")
    assert by_area.metric == "roc_auc"
    for one, scores in zip(several.values(), by_area.scores.values, strict=True):
        assert scores.mean() == pytest.approx(one.cv_results_["mean_test_roc_auc"].max())
    assert compare(several).metric == "accuracy"
    expected = [best_scores(search, "accuracy") for search in several.values()]
    np.testing.assert_array_equal(compare(several).scores.values, expected)


TENTHS = list(ms.KFold(10).split(X))
FOLDS = ms.KFold(10, shuffle=True, random_state=1)


def by_cv(*cvs):
    return {name: search(name, grid={}, cv=cv) for name, cv in zip(MODELS, cvs, strict=True)}


@pytest.mark.parametrize(
    "cvs",
    [
        (None, 5),
        (10, 10),
        (ms.StratifiedKFold(10), ms.StratifiedKFold(10)),
        (FOLDS, copy(FOLDS)),
        (ms.PredefinedSplit(np.arange(103) % 10), ms.PredefinedSplit(np.arange(103) % 10)),
        (TENTHS, list(ms.KFold(10).split(X))),
    ],
    ids=str,
)
@pytest.mark.filterwarnings("ignore:There are only 5")
def test_equal_splitters_are_recognised_by_their_attributes(cvs):
    ratio = 1 / 4 if 5 in cvs else 1 / 9
    assert len(compare(by_cv(*cvs), test_train_ratio=ratio).labels) == 2


@pytest.mark.parametrize(
    "cvs",
    [
        (5, 10),
        (10, ms.StratifiedKFold(10)),
        (ms.StratifiedKFold(10), ms.KFold(10)),
        (ms.KFold(10, shuffle=True), ms.KFold(10, shuffle=True)),
        (FOLDS, ms.KFold(10, shuffle=True, random_state=2)),
        (ms.KFold(10), iter(TENTHS)),
        (TENTHS, TENTHS[::-1]),
        (ms.PredefinedSplit(np.arange(103) % 10), ms.PredefinedSplit(np.arange(103) // 11)),
    ],
    ids=lambda cvs: type(cvs[1]).__name__,
)
def test_searches_that_may_have_split_differently_raise(cvs):
    with pytest.raises(ValueError, match=r"searches on the same splits; .*(may dif|5 and 10)"):
        compare(by_cv(*cvs), test_train_ratio=1 / 9)


def test_a_classifier_and_a_regressor_have_neither_splits_nor_scores_in_common():
    ridge = ms.GridSearchCV(Ridge(), {"alpha": [1, 2]}, cv=10).fit(X, y)
    logistic = ms.GridSearchCV(LogisticRegression(), {"C": [1, 2]}, cv=10).fit(X, y)
    with pytest.raises(ValueError, match="same splits"):
        compare([ridge, logistic])
    ridge, logistic = (search.set_params(cv=ms.KFold(10)).fit(X, y) for search in (ridge, logistic))
    with pytest.raises(ValueError, match=r"same metric; .*have scoring=None and scoring=None"):
        compare([ridge, logistic])


def test_searches_by_different_metrics_raise(fitted):
    with pytest.raises(ValueError, match=r"same metric; .*'accuracy' and scoring='roc_auc'"):
        compare({"tree": fitted["tree"], "bayes": search("bayes", grid={}, scoring="roc_auc")})
    scorers = [make_scorer(f1_score), make_scorer(f1_score, pos_label=0)]
    by_f1 = [search("tree", grid={}, scoring=scorer) for scorer in scorers]
    assert len(compare([by_f1[0], by_f1[0]]).labels) == 2
    with pytest.raises(ValueError, match="same metric"):
        compare(by_f1)
    with pytest.raises(ValueError, match="same metric"):
        compare([fitted["tree"], by_f1[0]])


def test_metrics_of_one_name_are_compared_by_what_computes_them():
    several = [{"s": "accuracy", "f": "f1"}, {"s": "f1", "f": "f1"}]
    one, other = (search("tree", grid={}, scoring=scoring, refit="s") for scoring in several)
    with pytest.raises(ValueError, match=r"same metric; .*scoring='accuracy' and scoring='f1'"):
        compare([one, other])
    assert len(compare([one, other], metric="f").labels) == 2
    # Two functions may show the same name.
    scorers = [
        make_scorer(lambda true, said, score=score: score(true, said))
        for score in (accuracy_score, f1_score)
    ]
    with pytest.raises(ValueError, match="same metric"):
        compare([search("tree", grid={}, scoring=scorer) for scorer in scorers])
    assert len(compare([search("tree", grid={}, scoring=scorers[0])] * 2).labels) == 2
    # What returns several scores computes each.
    both = [lambda m, X, y: {"s": m.score(X, y)}, lambda m, X, y: {"s": 0.5}]
    with pytest.raises(ValueError, match="same metric"):
        compare([search("tree", grid={}, scoring=scorer, refit="s") for scorer in both])


def test_different_data_raise_as_far_as_known():
    tree = search("tree", StatisticalGridSearchCV)
    smaller, plain = (
        kind(GaussianNB(), WIDTHS, cv=CV, scoring="accuracy").fit(X[:80], y[:80])
        for kind in (StatisticalGridSearchCV, ms.GridSearchCV)
    )
    with pytest.raises(ValueError, match=r"same splits of the same data; .* 103 × 6, nda.* 80 × 6"):
        compare({"a": tree, "b": smaller})
    with pytest.raises(ValueError, match="same splits of the same data; those of a, b have other"):
        compare({"a": tree.comparison_, "b": smaller.comparison_})
    assert "same data could not be checked" in compare({"a": tree, "b": plain}).note


def test_other_objects_among_searches_raise(fitted):
    tree = fitted["tree"]
    halving = ms.HalvingGridSearchCV(GaussianNB(), WIDTHS, cv=CV, random_state=0).fit(X, y)
    with pytest.raises(ValueError, match="'b' is a HalvingGridSearchCV, which drew samples for"):
        compare({"a": tree, "b": halving})
    with pytest.raises(ValueError, match="same splitter with an integer `random_state`"):
        compare(searches(grid={}, cv=ms.KFold(10, shuffle=True)))
    with pytest.raises(TypeError, match=r"list of fitted searches, .*; got a list with str"):
        compare([tree, "bayes"])
    with pytest.raises(ValueError, match=r"`orient` must be left out"):
        compare(list(fitted.values()), orient="models in rows")
    with pytest.raises(TypeError, match="same kind of value; got fitted searches, vectors of sco"):
        compare({"a": tree, "b": [0.5] * 10})


# Ten splits on which b is better by about 0.01. Paired by position after a shuffle, the spread of
# the differences would be that of the scores, seven times as large.
A = pd.Series(np.random.default_rng(0).normal(0.8, 0.02, 10))
B = A + np.random.default_rng(1).normal(0.01, 0.003, 10)


@pytest.mark.parametrize("names", [range(10), "qwertyuiop", pd.date_range("2020", periods=10)])
@pytest.mark.parametrize(
    "form",
    [
        lambda a, b: {"a": a, "b": b},
        lambda a, b: [a, b],
        lambda a, b: {"a": a.to_frame("test_score"), "b": b.to_frame("test_score")},
        lambda a, b: {"a": {"test_score": a}, "b": {"test_score": b}},
    ],
    ids=["vectors", "rows", "frames", "mappings"],
)
def test_an_index_pairs_the_splits_in_whatever_order(form, names):
    a, b = (scores.set_axis(pd.Index(list(names))) for scores in (A, B))
    mixed = b.sample(frac=1, random_state=0)
    expected = compare(form(a, b), test_train_ratio=1 / 9)
    found = compare(form(a, mixed), test_train_ratio=1 / 9)
    np.testing.assert_array_equal(found.scores.values, expected.scores.values)
    data = {"one": form(a, mixed), "two": form(a + 0.1, b)}
    over = ssc.compare_datasets(data, test_train_ratio=1 / 9, warn=False)
    np.testing.assert_array_equal(over.comparisons["one"].scores.values, expected.scores.values)
    for other in (b.set_axis(range(1, 11)), mixed.set_axis(["q", *range(9)])):
        with pytest.raises(ValueError, match=r"`obj` must have the same labels in every index, .*"):
            compare(form(a, other), test_train_ratio=1 / 9)


def test_what_has_no_index_is_numbered_from_0():
    expected = compare({"a": A, "b": B}, test_train_ratio=1 / 9).scores.values
    for a in (A.to_numpy(), A.to_list(), tuple(A)):
        found = compare({"a": a, "b": B[::-1]}, test_train_ratio=1 / 9)
        np.testing.assert_array_equal(found.scores.values, expected)
        found = compare({"b": B[::-1], "a": a}, test_train_ratio=1 / 9)
        np.testing.assert_array_equal(found.scores.values, expected[::-1])
        with pytest.raises(ValueError, match=r"'a' has 0, 1, .*, and 'b' has 'q', 'w'.*to_numpy"):
            compare({"a": a, "b": B.set_axis(list("qwertyuiop"))}, test_train_ratio=1 / 9)


@pytest.mark.filterwarnings("ignore::sklearn_stats_compare.ComparisonWarning")
def test_sizes_and_repeats_are_those_of_the_splits_that_an_index_names():
    # cross_validate's indices are in the order 0, 1, 2, …, and so are sizes of splits.
    splits = [(np.arange(20 - k), np.arange(20 - k, 20)) for k in (5, 10, 2)]
    train, test = (tuple(part) for part in zip(*splits, strict=True))
    indices = {"train": train, "test": test}
    turned = [pd.Series([0.7, 0.8, 0.9])[[2, 0, 1]], pd.Series([0.5, 0.6, 0.4])[[1, 2, 0]]]
    for sizes in ({}, {"n_train": [15, 10, 18], "n_test": [5, 10, 2]}):
        inside = {} if sizes else {"indices": indices}
        found = compare(
            {k: {"test_score": own, **inside} for k, own in enumerate(turned)}, **sizes
        ).scores
        np.testing.assert_array_equal(found.values, [[0.7, 0.8, 0.9], [0.5, 0.6, 0.4]])
        assert found.design.n_test.tolist() == [5, 10, 2]
        assert found.design.n_samples == (20 if inside else None)
    # Splits that leave samples out, drawn from more samples than they hold.
    drawn = [(np.arange(k, k + 8), np.arange(k + 10, k + 15)) for k in range(3)]
    train, test = (tuple(part) for part in zip(*drawn, strict=True))
    same = {"a": {"test_score": turned[0], "indices": {"train": train, "test": test}}}
    assert compare(same, n_samples=50).scores.design.n_samples == 50
    for n_samples in (16, 7):
        with pytest.raises(ValueError, match=rf"`n_samples` must be at least 17.* got {n_samples}"):
            compare(same, n_samples=n_samples)


@pytest.mark.filterwarnings("ignore::sklearn_stats_compare.ComparisonWarning")
def test_levels_of_an_index_are_paired_by_their_names():
    levels = pd.MultiIndex.from_product([range(2), range(2)], names=["repeat", "fold"])
    a = pd.Series([0.1, 0.2, 0.3, 0.4], levels)
    b = (a + 0.1).reorder_levels(["fold", "repeat"]).sort_index()
    found = compare({"a": a, "b": b}, test_train_ratio=1).scores.values
    np.testing.assert_allclose(found[1] - found[0], 0.1)
    for names in (["fold", "rep"], ["Fold", "Repeat"], ["fold", None]):
        with pytest.raises(ValueError, match="must have the same names of levels in every index"):
            compare({"a": a, "b": b.rename_axis(names)}, test_train_ratio=1)


@pytest.mark.filterwarnings("ignore::sklearn_stats_compare.ComparisonWarning")
@pytest.mark.parametrize("form", [dict, pd.DataFrame, pl.DataFrame])
@pytest.mark.parametrize("last", ["fold", "test_score"])
def test_columns_of_repeats_and_folds_pair_the_rows_of_a_model(form, last):
    a = {"repeat": [0, 0, 1, 1], "fold": [0, 1, 0, 1], "test_score": [0.1, 0.2, 0.3, 0.4]}
    a[last] = a.pop(last)  # in whatever order the columns stand
    b = {name: [column[k] for k in (1, 0, 3, 2)] for name, column in a.items()}
    found = compare({"a": form(a), "b": form(b)}, test_train_ratio=1).scores.values
    np.testing.assert_array_equal(found, [[0.1, 0.2, 0.3, 0.4]] * 2)


def test_labels_that_occur_twice_pair_only_in_the_same_order():
    a, b = (scores.set_axis([0, 1, 2, 3, 4] * 2) for scores in (A, B))
    found = compare({"a": a, "b": b}, test_train_ratio=1 / 9)
    np.testing.assert_array_equal(found.scores.values, [A, B])
    with pytest.raises(ValueError, match="same labels in every index"):
        compare({"a": a, "b": b.sample(frac=1, random_state=0)}, test_train_ratio=1 / 9)
    for pair in ({"a": a, "b": B}, {"b": B, "a": a}):  # whichever has them, nothing is repeated
        with pytest.raises(ValueError, match="same labels in every index"):
            compare(pair, test_train_ratio=1 / 9)


def test_an_index_pairs_the_candidates_of_a_mapping_of_columns():
    columns = {f"split{k}_test_score": pd.Series([A[k], B[k]], ["a", "b"]) for k in range(10)}
    expected = compare(columns, test_train_ratio=1 / 9)
    columns["split3_test_score"] = columns["split3_test_score"][::-1]
    # These are not read.
    columns |= {"notes": ["other"], "split0_train_score": np.zeros(5), "split_note": ["x"]}
    found = compare({**columns, "param_C": pd.Series([2, 1], ["b", "a"])}, test_train_ratio=1 / 9)
    np.testing.assert_array_equal(found.scores.values, expected.scores.values)
    assert found.labels == ("a_1", "b_2")


TRUTH = pd.Series([0, 1, 0, 1, 1, 0])


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("scores_2", lambda: ssc.stats.corrected_ttest(A, B[::-1], n_train=9, n_test=1)),
        ("n_test", lambda: ssc.SplitDesign(A.astype(int) + 9, A.astype(int)[::-1] + 1)),
        ("pred2", lambda: ssc.stats.mcnemar(TRUTH, TRUTH, TRUTH[::-1])),
        ("preds[1]", lambda: ssc.stats.cochrans_q(TRUTH, TRUTH, TRUTH[::-1])),
        ("score1", lambda: ssc.stats.delong(TRUTH, TRUTH[::-1], TRUTH)),
        ("y_pred", lambda: ssc.evaluation.misclassification_cost(TRUTH, TRUTH[::-1], np.eye(2))),
    ],
)
def test_arguments_whose_entries_are_paired_by_position_have_one_index(name, call):
    with pytest.raises(ValueError, match=rf"`{re.escape(name)}` must have the index of `"):
        call()


@pytest.mark.filterwarnings("ignore::sklearn_stats_compare.ComparisonWarning")
def test_a_first_column_of_folds_pairs_the_rows_of_frames():
    frames, by_score = {}, {}
    for name, scores in {"a": [0.7, 0.9, 0.8, 0.6], "b": [0.8, 0.7, 0.9, 0.5]}.items():
        frames[name] = pd.DataFrame({"test_accuracy": scores}).rename_axis("fold")
        by_score[name] = frames[name].sort_values("test_accuracy").reset_index()
    expected, found = (compare(own, test_train_ratio=1 / 3) for own in (frames, by_score))
    pd.testing.assert_frame_equal(found.frequentist(), expected.frequentist())
