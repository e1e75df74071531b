"""recommend(): one candidate by one rule, with the bounds of shortfall() as prices."""

import dataclasses
import re

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_digits, make_regression
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import PredefinedSplit, StratifiedKFold
from sklearn.pipeline import Pipeline
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier

import sklearn_stats_compare as ssc
from sklearn_stats_compare.displays import RecommendationDisplay
from sklearn_stats_compare.evaluation import Recommendation
from sklearn_stats_compare.search._selection import default_order

X, y = load_digits(return_X_y=True)
TREE = DecisionTreeClassifier(random_state=0)

pytestmark = pytest.mark.filterwarnings("ignore:There are only")


def of_splits(means, spread=0.01, *, n=20, seed=0, **options):
    noise = np.random.default_rng(seed).standard_normal((len(means), n))
    values, design = np.array(means)[:, None] + spread * noise, ssc.SplitDesign([90] * n, [10] * n)
    return ssc.Comparison(ssc.SplitScores(values, design), warn=False, **options)


def searched(grid, data=None, model=TREE, **options):
    data = (X[:900], y[:900]) if data is None else data
    return ssc.StatisticalGridSearchCV(model, grid, **{"cv": 5, **options}).fit(*data)


@pytest.fixture(scope="module")
def search():
    return searched({"max_depth": [2, 6, 9, 12, None], "criterion": ["gini"]})


def test_it_is_the_simplest_of_those_whose_bound_is_within_the_rope():
    params = [{"C": c} for c in (0.1, 1.0, 10.0, 100.0)]
    comparison = of_splits([0.7, 0.9, 0.9, 0.9], params=params, rope=0.05)
    bounds = comparison.shortfall()["at_most"]
    found = comparison.recommend()
    assert isinstance(found, Recommendation)
    assert (bounds <= 0.05).sort_index().tolist() == [False, True, True, True]
    assert (found.index, found.label, found.params) == (1, "1.0", {"C": 1.0})
    assert found.at_most == bounds[1]
    pd.testing.assert_series_equal(found.candidates["at_most"], bounds)
    lines = str(found).splitlines()
    says = "Deploy C=1.0: the smallest C of the 3 shown to be within the ROPE of the best."
    assert lines[0] == says
    assert 2 <= len(lines) <= 4
    price = re.fullmatch(r"Simpler: C=0.1 may cost up to (\S+)\.", lines[-1])[1]
    assert bounds[0] <= float(price) <= 1.1 * bounds[0]  # two digits, rounded up


def test_without_a_small_bound_it_is_the_leader_and_says_so():
    comparison = of_splits([0.9, 0.895], 0.05, params=[{"C": 1}, {"C": 2}])
    found = comparison.recommend()
    assert found.label == comparison.leader
    says = "the best mean, whatever its C; no candidate is shown to be within the ROPE"
    assert says in " ".join(str(found).split())


@pytest.mark.parametrize("within", ["possibly_best", "rope", "1se", "5%", 0.03, None])
def test_it_chooses_what_the_rule_of_refit_chooses(within):
    params = [{"C": c} for c in (0.1, 1.0, 10.0, 100.0)]
    comparison = of_splits([0.87, 0.89, 0.9, 0.9], params=params, rope=0.02)
    chosen = comparison.choose(ssc.Simplest("C", within)).index
    assert comparison.recommend("C", within=within).index == chosen
    assert comparison.recommend(within=within).index == chosen


def test_refit_takes_the_same_candidate_by_the_same_samples(search):
    found = search.recommend()
    assert "By samples: mean accuracy" in " ".join(str(found).split())
    assert found.index == search.compare(test="samples").recommend().index
    uses = "predict() of this search uses"  # said where it is another candidate
    assert (uses in str(found)) == (search.best_index_ != found.index)
    assert f"{uses} max_depth=" in str(searched({"max_depth": [6, 9, 12]}, rope=0.15).recommend())
    again = searched(search.param_grid, refit=ssc.Simplest(within=None))
    assert again.best_params_ == found.params
    assert uses not in str(again.recommend())
    n_kept = again.selection_report_["kept"].sum()
    # By the splits alone, as without values of samples, no candidate is shown to be good enough.
    lean = again.set_params(return_predictions=False).fit(X[:900], y[:900])
    assert lean.selection_report_["kept"].sum() <= n_kept + 1


def test_the_frontier_has_no_member_that_another_beats(search):
    table = search.recommend().candidates
    for row in table.itertuples():
        beaten = (
            (table["cost"] <= row.cost)
            & (table["at_most"] <= row.at_most)
            & ((table["cost"] < row.cost) | (table["at_most"] < row.at_most))
        ).any()
        assert row.frontier == (not beaten)


@pytest.mark.parametrize(
    ("params", "order"),
    [
        ([{"C": 1}, {"C": 2}], {"C": "ascending"}),
        ([{"nb__alpha": 1, "k": "a"}, {"nb__alpha": 2, "k": "a"}], {"nb__alpha": "descending"}),
        ([{"max_depth": 3}, {"max_depth": None}], {"max_depth": "ascending"}),
        ([{"C": 1, "max_depth": 2}, {"C": 2, "max_depth": 3}],
         {"max_depth": "ascending", "C": "ascending"}),
        ([{"C": 1, "kernel": "rbf"}, {"C": 2, "kernel": "linear"}], "time"),
        ([{"m": SVC(), "m__C": 1}, {"m": LogisticRegression(), "m__C": 1}], "time"),
        ([{"C": 1}, {}], "time"),
        # 0.2 is a fifth of the samples, which are more than 5.
        ([{"min_samples_leaf": 5}, {"min_samples_leaf": 0.2}], "time"),
        ([{"n_components": 0.95}, {"n_components": 2}], "time"),
        ([{"n_components": 0.95}, {"n_components": 0.8}], {"n_components": "ascending"}),
    ],
)  # fmt: skip
def test_parameters_order_candidates_only_where_these_differ_in_nothing_else(params, order):
    times = {name: [0.1] * len(params) for name in ("mean_fit_time", "mean_score_time")}
    assert default_order({"params": params, **times}) == order


@pytest.mark.parametrize("unlimited", [None, -1, 0])
def test_no_limit_in_the_words_of_any_package_is_the_largest_depth(unlimited):
    """scikit-learn has None, and LightGBM and XGBoost read −1 and 0 so."""
    params = [{"max_depth": unlimited}, {"max_depth": 3}]
    comparison = of_splits([0.9, 0.9], 0.001, params=params)
    found = comparison.recommend()
    assert found.params == {"max_depth": 3}
    assert found.candidates["cost"].to_dict() == {0: np.inf, 1: 3}
    assert comparison.choose(ssc.Simplest("max_depth")).params == {"max_depth": 3}


@pytest.mark.parametrize("by", ["a", {"a": "descending"}, lambda params: params["a"]])
def test_nan_has_no_place_in_an_order(by):
    comparison = of_splits([0.9, 0.9], 0.001, params=[{"a": np.nan}, {"a": 3}])
    with pytest.raises(ValueError, match=r"`by` must have values that can be ordered; .* NaN"):
        comparison.recommend(by)


def test_counts_and_shares_have_no_order_that_a_name_could_ask_for():
    params = [{"min_samples_leaf": 5}, {"min_samples_leaf": 0.2}]
    with pytest.raises(ValueError, match=r"`by` must .* 'min_samples_leaf' has counts and shares"):
        of_splits([0.9, 0.9], 0.001, params=params).recommend("min_samples_leaf")


def test_a_duplicate_is_not_said_to_be_worse():
    data = make_regression(60, 5, noise=30, random_state=0)
    scoring = "neg_mean_squared_error"
    found = searched({"alpha": [1, 1, 50]}, data, Ridge(), scoring=scoring).recommend()
    assert found.candidates["at_most"].eq(0).tolist() == [True, True, False]
    assert "it and its equals may be the best of 3" in " ".join(str(found).split())


def with_times(times, means):
    params = [{"a": k} for k in range(len(times))]
    results = {"mean_fit_time": np.array(times), "mean_score_time": np.zeros(len(times))}
    return of_splits(means, 0.001, params=params, _results=results)


def test_times_less_than_twice_the_shortest_count_as_equal():
    # Times of such fits differ as much from run to run; the better mean goes first.
    comparison = with_times([1.0, 1.9, 4.0], [0.898, 0.9, 0.9])
    assert comparison.recommend().index == 1
    said = " ".join(str(with_times([1.0, 4.0], [0.5, 0.9]).recommend()).split())
    assert "Cheaper in seconds to fit and score: a=0 is 4 × faster and may cost up to " in said
    # A column is one wish in both spellings.
    of_column = "mean_fit_time", {"mean_fit_time": "ascending"}
    assert [comparison.recommend(by).index for by in of_column] == [1, 1]


def test_of_equal_means_the_cheapest_is_deployed_even_if_less_than_twice_as_fast():
    # No bound is within the ROPE. Rounding must not decide: the means are 259/300 in any order.
    right = np.array([[49, 57, 55, 44, 54], [54, 55, 44, 49, 57], [30, 30, 30, 31, 30]])
    times = {"mean_fit_time": np.array([1.9, 1.5, 1.0]), "mean_score_time": np.zeros(3)}
    scores = ssc.SplitScores(right / 60, ssc.SplitDesign([240] * 5, [60] * 5))
    params = [{"a": k} for k in range(3)]
    found = ssc.Comparison(scores, params=params, _results=times, warn=False).recommend()
    assert found.index == 1
    assert "the fastest of the 2 with the best mean; no candidate is shown" in str(found)


def test_models_without_parameters_or_times_are_compared_by_their_means():
    comparison = ssc.compare({"svm": [0.9, 0.8] * 6, "knn": [0.7, 0.6] * 6}, n_train=90, n_test=10)
    found = comparison.recommend()
    assert (found.label, found.params, found.by) == ("svm", {}, "")


def test_a_parameter_of_two_kinds_of_estimators_is_no_order():
    params = [{"m": SVC(), "m__C": 1.0}, {"m": LogisticRegression(), "m__C": 1.0}]
    comparison = of_splits([0.9, 0.8], params=params)
    for call in (comparison.recommend, lambda by: comparison.choose(ssc.Simplest(by))):
        with pytest.raises(ValueError, match="estimators of one kind; got 'm__C', of Logistic"):
            call("m__C")
    pipeline = Pipeline([("m", SVC())])
    grid = [{"m": [SVC()], "m__C": [1.0]}, {"m": [LogisticRegression()], "m__C": [1.0]}]
    with pytest.raises(ValueError, match="estimators of one kind"):
        ssc.StatisticalGridSearchCV(pipeline, grid, refit=ssc.Simplest("m__C")).fit(X, y)


def test_invalid_arguments_raise(search):
    with pytest.raises(ValueError, match="`within` must be"):
        search.recommend(within="best")
    with pytest.raises(ValueError, match="`by` must name a parameter"):
        search.recommend("depth")


def test_one_split_gives_no_bound():
    found = of_splits([0.9, 0.8], n=1, params=[{"C": 1}, {"C": 2}]).recommend()
    assert "one split gives no bound" in str(found)
    with pytest.raises(ValueError, match="nothing to draw"):
        found.plot()


def test_the_picture_marks_the_frontier_and_the_candidate(search):
    found = search.recommend()
    display = found.plot()
    assert isinstance(display, RecommendationDisplay)
    pd.testing.assert_frame_equal(display.frame(), found.candidates)
    table = found.candidates
    (frontier,) = [line for line in display.ax_.lines if line.get_label() == "frontier"]
    assert sorted(frontier.get_ydata()) == sorted(table["at_most"][table["frontier"]])
    legend = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert "recommended" in legend
    numbered = [text for text in legend if re.match(r"\d+  ", text)]
    assert len(numbered) == table["frontier"].sum()
    with pytest.raises(TypeError, match="what recommend"):
        RecommendationDisplay.from_recommendation(search)


def test_a_candidate_without_a_score_by_another_metric_is_not_left_out():
    def other(model, X, y):
        return np.nan if model.max_depth == 9 else 0.5

    grid = {"max_depth": [2, 6, 9]}
    with pytest.warns(UserWarning, match="non-finite"):
        search = searched(grid, scoring={"acc": "accuracy", "other": other}, refit="acc")
    expected = searched(grid).recommend().candidates["at_most"]
    for found in (search, search.compare(test="samples")):
        np.testing.assert_array_equal(found.recommend().candidates["at_most"], expected)


def test_refit_by_samples_uses_the_rope_of_the_search():
    options = {"test": "samples", "rope": 0.2, "refit": ssc.Simplest(within=None)}
    search = searched({"max_depth": [2, 4, 6, 9]}, **options)
    assert search.best_params_ == search.recommend().params == {"max_depth": 6}


@pytest.mark.parametrize(
    ("n", "options", "strain"),
    [
        (300, {"cv": PredefinedSplit(np.r_[np.zeros(260, int), np.repeat([1, 2, 3, 4], 10)])}, ""),
        (25, {"cv": StratifiedKFold(5)}, ""),
        (300, {"cv": 5, "scoring": "f1"}, "rare"),
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_samples_decide_only_where_their_test_is_suited(n, options, strain):
    target = (y == 0)[:n] if strain else (y < 5)[:n]
    search = searched({"max_depth": [1, 2, 4]}, (X[:n], target), **options)
    assert search.compare(test="samples").scores.samples is not None
    assert "By 5 splits" in str(search.recommend())
    search.set_params(refit=ssc.Simplest(within=None)).fit(X[:n], target)
    assert search.best_params_ == search.recommend().params


def test_costs_may_be_lists():
    sizes = [[4, 4], [2], [4]]
    comparison = of_splits([0.9] * 3, params=[{"layers": size} for size in sizes], rope=0.1)
    assert comparison.recommend("layers").params == {"layers": [2]}
    assert comparison.recommend(lambda own: np.array(sum(own["layers"]))).params == {"layers": [2]}


def test_nan_in_a_tuple_has_no_place_in_an_order_and_in_a_column_it_is_last():
    params = [{"C": c} for c in (1.0, 2.0, 3.0)]
    comparison = of_splits([0.9] * 3, params=params, rope=0.1)
    with pytest.raises(ValueError, match="can be ordered; the function gave NaN for candidate 1"):
        comparison.recommend(lambda own: (np.nan if own["C"] == 2 else own["C"], 1))
    for direction, best in (("ascending", 2), ("descending", 1)):
        columns = {"mean_test_other": [np.nan, 0.3, 0.2]}
        found = dataclasses.replace(comparison, _results={**columns, "params": params})
        assert found.recommend({"mean_test_other": direction}).index == best


def test_params_are_copies_that_another_fit_does_not_change():
    data = make_regression(60, 3, noise=5.0, random_state=0)
    grid = {"model": [Ridge()], "model__alpha": [1.0, 30.0]}
    search = searched(grid, data, Pipeline([("model", Ridge())]))
    choice = search.recommend()
    assert choice.params["model"] is not search.cv_results_["params"][choice.index]["model"]
    fitted = clone(search.estimator).set_params(**choice.params).fit(*data)
    clone(search.estimator).set_params(**search.recommend().params | {"model__alpha": 9.0})
    assert fitted["model"].alpha == choice.params["model__alpha"]


def test_a_column_of_times_is_an_order_like_the_time_of_all():
    design = ssc.SplitDesign.from_ratio(1 / 9, 10)
    scores = ssc.SplitScores(np.tile([[0.9], [0.899], [0.898]], 10), design)
    results = {f"split{k}_test_score": scores.values[:, k] for k in range(10)}
    results |= {"params": [{"C": c} for c in (1, 2, 3)], "mean_score_time": [3.0, 1.9, 1.0]}
    chosen, _ = ssc.Simplest("mean_score_time", within=0.05).choose(results, scores)
    assert chosen == 1  # the better of those that take less than twice as long as the fastest
    with pytest.raises(ValueError, match="`by` must be the name of a parameter"):
        ssc.Simplest(np.array(["C", "mean_score_time"]), within=0.05).choose(results, scores)


def test_orders_of_parameters_that_are_known():
    def ordered(name, values):
        return default_order({"params": [{name: value} for value in values]})

    for name in ("min_impurity_decrease", "tree__min_weight_fraction_leaf", "alpha"):
        assert ordered(name, [0.0, 0.1]) == {name: "descending"}
    assert ordered("lasso__alpha", [0.01, 0.5]) == {"lasso__alpha": "descending"}
    # The level of a test: more features pass a larger one.
    for name in ("selectfpr__alpha", "anova__alpha", "selectfrommodel__estimator__alpha"):
        assert callable(ordered(name, [0.01, 0.5]))
        with pytest.raises(ValueError, match="must say whether a larger 'a"):
            ssc.Simplest("anova__alpha").check(
                [{"anova__alpha": 1}, {"anova__alpha": 2}], scoring=None
            )


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("max_features", [2, 0.9]),
        ("max_samples", [60, 0.9]),
        ("layers", [(10, 200, 200), (50,)]),
        ("layers", [(5, 200), (20, 5)]),
    ],
)
def test_values_without_a_common_order_are_refused(name, values):
    comparison = of_splits([0.9, 0.9], params=[{name: value} for value in values], rope=0.1)
    with pytest.raises(ValueError, match="`by` must have values that can be ordered"):
        comparison.recommend(name)


def test_the_best_of_several_searches_have_no_common_order():
    searches = {
        "tree": searched({"max_depth": [2, 3]}),
        "extra": searched({"max_depth": [4, 5]}, model=ExtraTreeClassifier(random_state=0)),
    }
    found = ssc.compare(searches, rope=0.5)
    assert found.params[0].keys() == {"max_depth"}
    assert "smallest" not in str(found.recommend())


def test_candidates_that_were_left_out_are_not_called_worse():
    values = np.vstack([[0.9] * 10, [0.7] * 10]) + np.random.default_rng(0).normal(0, 0.01, (2, 10))
    scores = ssc.SplitScores(values, ssc.SplitDesign([90] * 10, [10] * 10))
    found = ssc.Comparison(scores, ["a", "b"], metric="recall", _n_entered=5)
    said = found.next_step()
    assert said.startswith("Decided among 2 of 5 candidates, a first.")
    assert "not shown to be worse by recall" in said
    whole = ssc.Comparison(scores, ["a", "b"], _n_entered=5, _dropped_pvalue=0.01)
    assert "better than every other candidate" in whole.next_step()


def test_a_rule_is_no_order():
    with pytest.raises(TypeError, match=r"got the rule BestSubjectTo.*Pass it to `choose`"):
        of_splits([0.8, 0.9], params=[{"C": 1}, {"C": 2}]).recommend(
            ssc.BestSubjectTo("score", {"mean_fit_time": 1.0})
        )
