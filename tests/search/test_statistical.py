"""What a search gains: attributes, when they are there, and what they say when they are not."""

import warnings

import numpy as np
import pandas as pd
import pytest
from race_cases import Fails
from sklearn import model_selection as ms
from sklearn.datasets import make_classification
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import sklearn_stats_compare as ssc

X, y = make_classification(n_samples=90, n_features=6, random_state=0)
GRID = {"max_depth": [1, 2, 3]}
ATTRIBUTES = ("comparison_", "pairwise_frequentist_", "pairwise_bayesian_", "possibly_best_")
SIZES = ("n_train_", "n_test_", "test_train_ratio_")


def search_of(**arguments):
    arguments = {"cv": ms.KFold(10), **arguments}
    return ssc.StatisticalGridSearchCV(DecisionTreeClassifier(random_state=0), GRID, **arguments)


def test_before_fit_nothing_is_there_and_after_fit_all_that_is_computed_once():
    search = search_of()
    for name in (*ATTRIBUTES, *SIZES):
        assert not hasattr(search, name)
        with pytest.raises(NotFittedError, match="is not fitted yet"):
            getattr(search, name)
    for call in (
        search.compare, search.drop_predictions,
        lambda: search.posterior(0, 1), lambda: search.extend(X, y, n_repeats=1),
    ):  # fmt: skip
        with pytest.raises(NotFittedError, match="is not fitted yet"):
            call()
    search.fit(X, y)
    for name in ATTRIBUTES:
        assert hasattr(search, name)
    assert search.comparison_ is search.comparison_
    assert search.comparison_._pairwise_frequentist is search.comparison_._pairwise_frequentist
    assert search.n_train_.dtype.kind == search.n_test_.dtype.kind == "i"


def test_fit_computes_nothing_statistical(monkeypatch):
    from sklearn_stats_compare.search import _record

    monkeypatch.setattr(_record, "Comparison", lambda *a, **k: pytest.fail("compared in fit"))
    search_of(cv=2).fit(X, y)


def test_compare_and_posterior_are_other_views_and_fit_nothing(monkeypatch):
    search = search_of().fit(X, y)
    monkeypatch.setattr(DecisionTreeClassifier, "fit", lambda *a, **k: pytest.fail("refitted"))
    assert search.posterior(0, 2) == search.posterior("1", "3")
    with pytest.raises(ValueError, match="one of '1', '2', '3'; got 'rbf'"):
        search.posterior("rbf", 0)
    view = search.compare(p_adjust="holm", alternative="two-sided", alpha=0.2, rope="2%")
    assert (view.p_adjust, view.alternative, view.alpha) == ("holm", "two-sided", 0.2)
    assert search.comparison_.p_adjust == "bonferroni"
    assert search.compare() is search.comparison_
    assert search.compare(labels=["a", "b", "c"]).ranking()["label"].isin(list("abc")).all()
    with pytest.raises(TypeError, match=r"must be one of metric, alternative, .*got 'padjust'"):
        search.compare(padjust="holm")
    with pytest.raises(ValueError, match="`alpha` must be in"):
        search.compare(alpha=2)


def test_with_several_metrics_the_tables_are_of_the_refit_metric():
    search = search_of(scoring=["accuracy", "roc_auc"], refit="roc_auc").fit(X, y)
    assert search.comparison_.metric == "roc_auc"
    assert set(ATTRIBUTES) <= set(dir(search))
    mean = search.cv_results_["mean_test_roc_auc"][search.best_index_]
    assert search.comparison_.ranking()["mean"].iloc[0] == pytest.approx(mean)
    by_accuracy = search.compare(metric="accuracy", p_adjust=None)
    assert by_accuracy.metric == "accuracy"
    with pytest.raises(ValueError, match="`metric` must be one of 'accuracy', 'roc_auc'; got 'f1'"):
        search.compare(metric="f1")


@pytest.mark.parametrize("refit", [False, lambda results: 0])
def test_without_one_metric_the_attributes_say_which_call_to_use(refit):
    search = search_of(scoring=["accuracy", "roc_auc"], refit=refit).fit(X, y)
    assert not set(ATTRIBUTES) & set(dir(search))
    for name in ATTRIBUTES:
        assert not hasattr(search, name)
        with pytest.raises(AttributeError, match=r"use `search.compare\(metric='accuracy'\)"):
            getattr(search, name)
    with pytest.raises(
        AttributeError, match=r"`search.compare\(metric='accuracy'\).posterior\(i, j\)`"
    ):
        search.posterior(0, 1)
    assert len(search.compare(metric="roc_auc").frequentist()) == 3


def test_settings_changed_after_fit_wait_for_the_next_fit():
    search = search_of(rope=0.5).fit(X, y)
    assert search.pairwise_frequentist_["verdict"].eq("equivalent").all()
    search.set_params(rope=0.0, alpha=0.2)
    assert search.comparison_.alpha == 0.05
    assert search.compare(p_adjust=None).rope == 0.5
    search.fit(X, y)
    assert (search.comparison_.rope, search.comparison_.alpha) == (0.0, 0.2)


def test_a_fit_that_fails_leaves_the_last_one_whole():
    search = search_of(error_score="raise").fit(X, y)
    table = search.pairwise_frequentist_.copy()
    bad = X.copy()
    bad[:] = np.inf
    search.set_params(cv=ms.KFold(12))
    with pytest.raises(ValueError, match="infinity"):
        search.fit(bad, y)
    assert len(search.n_test_) == 10
    pd.testing.assert_frame_equal(search.pairwise_frequentist_, table)


@pytest.mark.parametrize(
    ("parameter", "value", "message"),
    [
        ("alpha", 1.5, r"'alpha' parameter .* range \(0.0, 1.0\). Got 1.5"),
        ("alpha", "0.05", "'alpha' parameter"),
        ("alternative", "bigger", "'alternative' parameter .* Got 'bigger'"),
        ("p_adjust", "tukey", "'p_adjust' parameter .* Got 'tukey'"),
        ("rope", -0.01, "'rope' parameter .* Got -0.01"),
        ("rope", (0.01, -0.01), r"`rope` must be \(low, high\) with low ≤ high"),
        ("rope", "1", "`rope` must be .* such as '1%'; got '1'"),
        ("rope", None, "'rope' parameter"),
    ],
)
def test_impossible_parameters_are_refused_before_anything_is_fitted(
    monkeypatch, parameter, value, message
):
    monkeypatch.setattr(DecisionTreeClassifier, "fit", lambda *a, **k: pytest.fail("fitted"))
    with pytest.raises(ValueError, match=message):
        search_of(**{parameter: value}).fit(X, y)


def test_statistical_parameters_are_keyword_only():
    for kind in (ssc.StatisticalGridSearchCV, ssc.StatisticalRandomizedSearchCV):
        with pytest.raises(TypeError, match="positional"):
            kind(SVC(), {"C": [1]}, "greater")


def test_one_candidate_has_empty_tables():
    search = search_of().set_params(param_grid={"max_depth": [2]}).fit(X, y)
    assert len(search.pairwise_frequentist_) == len(search.pairwise_bayesian_) == 0
    assert search.comparison_.leader == "2"


@pytest.mark.parametrize(
    ("cv", "groups", "message"),
    [
        (None, None, "only 5 splits.*By samples the same fits may decide more"),
        (ms.ShuffleSplit(5), None, "only 5 splits.*independent of.*for regression. \\[trouble"),
        (ms.TimeSeriesSplit(12), None, "training sets grow"),
        (ms.GroupKFold(10), np.repeat(np.arange(10), [45, *[5] * 9]), "more than twofold.*5 to 45"),
    ],
)
def test_strained_assumptions_warn_once_and_never_in_fit(cv, groups, message):
    search = search_of(cv=cv).fit(X, y, groups=groups)
    with pytest.warns(ssc.ComparisonWarning, match=message) as caught:
        table = search.pairwise_frequentist_
    assert len(caught) == 1
    assert caught[0].filename == __file__  # it points at the user's line
    assert table["t_stat"].notna().all()
    against = search.compare(p_adjust="holm").against()
    assert len(search.pairwise_bayesian_) == len(against) + 1
    search.posterior(0, 1)


def test_candidates_that_favour_a_class_are_warned_of_where_splits_are_stratified():
    search = search_of(cv=10).set_params(param_grid={"class_weight": [None, "balanced"]}).fit(X, y)
    with pytest.warns(ssc.ComparisonWarning, match="differ in class_weight and the splits are str"):
        search.comparison_  # noqa: B018


def test_structure_of_the_splits_is_recorded():
    cv = ms.RepeatedStratifiedKFold(n_splits=2, n_repeats=5, random_state=0)
    design = search_of(cv=cv).fit(X, y).comparison_.scores.design
    assert design.repeat.tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert design.complementary_halves
    assert not design.expanding


def test_candidates_drawn_twice_have_the_same_scores_and_distinct_labels():
    twice = [{"C": [1.0]}, {"C": [1.0]}]
    search = ssc.StatisticalRandomizedSearchCV(LogisticRegression(), twice, n_iter=2, cv=10)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        search.fit(X, y)
    table = search.pairwise_frequentist_
    assert set(table["mean_diff"]) <= {0}
    assert len(set(search.comparison_.labels)) == len(search.cv_results_["params"])


def test_looking_at_a_search_computes_nothing(monkeypatch):
    search = search_of(cv=2).fit(X, y)
    for name in ("_all_pairs", "_leader_table", "_ranking", "_probabilities"):
        unasked = property(lambda self: pytest.fail("compared unasked"))
        monkeypatch.setattr(ssc.Comparison, name, unasked)
    assert {"best_estimator_", "n_test_", "posterior", *ATTRIBUTES} <= set(dir(search))
    assert search._repr_html_()
    assert repr(search)
    assert search._record._comparisons == {}
    assert not set(ATTRIBUTES) & set(dir(search_of()))


def test_models_that_train_on_nothing_are_searched_and_explained():
    cv = [(np.array([], dtype=int), np.arange(k, 90, 12)) for k in range(12)]
    grid = {"shift": [0, 1]}
    search = ssc.StatisticalGridSearchCV(Fails(at=0), grid, cv=cv).fit(X, y)
    reference = ms.GridSearchCV(Fails(at=0), grid, cv=cv).fit(X, y)
    assert search.best_score_ == reference.best_score_
    with pytest.warns(ssc.ComparisonWarning, match="The training sets are empty"):
        table = search.pairwise_frequentist_
    assert table["verdict"].tolist() == ["undecided"]


def test_a_subclass_with_a_search_of_its_own_fits_and_says_what_it_lacks():
    class Own(ssc.StatisticalGridSearchCV):
        def _run_search(self, evaluate_candidates, **context):
            evaluate_candidates([{"max_depth": 1}, {"max_depth": 2}])

    search = Own(DecisionTreeClassifier(random_state=0), GRID, cv=10).fit(X, y)
    assert len(search.cv_results_["params"]) == 2
    assert not hasattr(search, "comparison_")
    with pytest.raises(AttributeError, match="sizes of the splits were not recorded"):
        search.pairwise_frequentist_  # noqa: B018


def test_metric_and_name_are_those_that_fit_saw():
    search = search_of(scoring="roc_auc").fit(X, y)
    search.set_params(scoring="accuracy")
    assert search.comparison_.metric == "roc_auc"
    assert search.compare(metric="roc_auc") is search.compare(metric="score") is search.comparison_
    several = search_of(scoring=["accuracy", "roc_auc"], refit="roc_auc").fit(X, y)
    several.set_params(refit=False)
    assert several.comparison_.metric == "roc_auc"


def test_several_metrics_of_the_same_splits_warn_once():
    search = search_of(cv=3, scoring=["accuracy", "roc_auc"], refit="roc_auc").fit(X, y)
    with pytest.warns(ssc.ComparisonWarning, match="only 3 splits"):
        search.compare(metric="accuracy")
    search.compare(metric="roc_auc")


def test_a_refused_parameter_leaves_a_generator_unread():
    search = search_of(cv=ms.KFold(10).split(X), alpha=2.0)
    with pytest.raises(ValueError, match="'alpha' parameter"):
        search.fit(X, y)
    assert len(search.set_params(alpha=0.05).fit(X, y).n_test_) == 10


def test_edited_attributes_change_no_later_answer():
    search = search_of(rope=[-0.01, 0.01]).fit(X, y)
    with pytest.raises(ValueError, match="read-only"):
        search.n_test_[:] = 1000
    search.rope[1] = 0.5
    assert search.comparison_._settings.rope == (-0.01, 0.01)
    table = search.pairwise_frequentist_
    table["verdict"] = "changed"
    assert "changed" not in search.pairwise_frequentist_["verdict"].tolist()


# The published example, from the data to the tables, and the mistakes it cannot notice


def test_the_published_example_from_its_data(moons, moons_search):
    for row, pair in zip(
        moons_search.pairwise_frequentist_.itertuples(), moons["pairs"], strict=True
    ):
        assert (row.model_1, row.model_2) == (pair["model_1"], pair["model_2"])
        assert row.t_stat == pytest.approx(pair["t_stat"], rel=1e-9)
        assert row.p_val == pytest.approx(pair["p_right_bonferroni_as_in_example"], rel=1e-8)
    table = moons_search.pairwise_bayesian_
    for row, pair in zip(table.itertuples(), moons["pairs"], strict=True):
        assert row.worse_prob == pytest.approx(pair["p_left_rope"], abs=1e-10)
        assert row.better_prob == pytest.approx(pair["p_right_rope"], abs=1e-10)
        assert row.rope_prob == pytest.approx(pair["rope_prob"], abs=1e-10)


def test_the_digits_that_the_published_example_prints(moons_search):
    frequentist, bayesian = moons_search.pairwise_frequentist_, moons_search.pairwise_bayesian_
    assert frequentist["t_stat"].round(3).tolist() == [0.75, 1.657, 4.565, 1.111, 4.276, 3.851]
    assert frequentist["p_val"].round(3).tolist() == [1.0, 0.302, 0.0, 0.807, 0.0, 0.001]
    assert bayesian["worse_prob"].round(3).tolist() == [0.068, 0.018, 0.0, 0.063, 0.0, 0.0]
    assert bayesian["better_prob"].round(3).tolist() == [0.5, 0.882, 1.0, 0.75, 1.0, 1.0]
    assert bayesian["rope_prob"].round(3).tolist() == [0.432, 0.1, 0.0, 0.187, 0.0, 0.0]
    ranking = moons_search.comparison_.ranking()
    assert ranking["label"].tolist() == ["rbf", "linear", "3_poly", "2_poly"]
    assert ranking["mean"].round(4).tolist() == [0.94, 0.93, 0.9044, 0.6852]
    uncorrected = moons_search.comparison_.frequentist(test="uncorrected_t", p_adjust=None)
    assert uncorrected["t_stat"].round(3)[0] == 2.611
    assert uncorrected["p_val"].round(3)[0] == 0.005
    posterior = moons_search.posterior("rbf", "linear")
    assert round(posterior.sf(0), 3) == 0.773
    assert round(posterior.break_even_rope(0.95), 6) == 0.032264
    intervals = np.transpose(posterior.interval([0.5, 0.75, 0.95]))
    assert intervals.round(6).tolist() == [
        [0.000977, 0.019023],
        [-0.005422, 0.025422],
        [-0.016445, 0.036445],
    ]


@pytest.mark.parametrize(
    ("cv", "ratio", "n_splits"),
    [
        (ms.KFold(10), 1 / 9, 10),  # uneven: 11/92 = 0.1196 first, 10/93 = 0.1075 last
        (ms.ShuffleSplit(30, test_size=0.3, random_state=0), 31 / 72, 30),
        (ms.LeaveOneOut(), 1 / 102, 103),
    ],
)
def test_t_is_that_of_the_splits_that_were_used(cv, ratio, n_splits):
    data = make_classification(n_samples=103, random_state=0)
    grid = {"var_smoothing": [1e-9, 1.0]}
    search = ssc.StatisticalGridSearchCV(GaussianNB(), grid, cv=cv, p_adjust=None).fit(*data)
    assert search.test_train_ratio_ == ratio
    assert len(search.n_train_) == len(search.n_test_) == n_splits
    assert (search.n_train_ + search.n_test_ == 103).all()
    scores = np.array([search.cv_results_[f"split{k}_test_score"] for k in range(n_splits)])
    row = search.pairwise_frequentist_.iloc[0]
    d = scores[:, search.best_index_] - scores[:, 1 - search.best_index_]
    expected = d.mean() / (d.std(ddof=1) * np.sqrt(1 / n_splits + ratio))
    assert row.t_stat == pytest.approx(expected, rel=1e-9)
