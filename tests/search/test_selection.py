"""Rules for refit: which candidates will do, and the simplest of them, or the best within bounds.

In both kinds of search, and beside SciPy's one-sample tests.
"""

import dataclasses
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris, make_classification
from sklearn.metrics import get_scorer
from sklearn.model_selection import GridSearchCV, KFold, RandomizedSearchCV, StratifiedKFold
from sklearn.pipeline import Pipeline
from sklearn.tree import DecisionTreeClassifier

import sklearn_stats_compare as ssc
from sklearn_stats_compare import BestSubjectTo, Simplest, StatisticalGridSearchCV
from sklearn_stats_compare.comparison.readers._searches import split_scores
from sklearn_stats_compare.stats._best import ScoreCriterion, regret_bounds

X, y = make_classification(n_samples=150, n_features=8, flip_y=0.2, random_state=0)
TREE = DecisionTreeClassifier(random_state=0)
DEPTHS = {"max_depth": [8, 5, 3, 2, 1]}
RULES = [
    Simplest("max_depth"),
    ssc.Simplest("max_depth", within="1se"),
    ssc.Simplest("max_depth", within="rope", rope=0.01),
    ssc.Simplest("max_depth", 0.1),
    ssc.Simplest("max_depth", within="2%"),
]


def results_with(**metrics):
    """A cv_results_ of scores, candidates × splits; other columns are of one value a candidate."""
    results = {}
    for name, values in metrics.items():
        values = np.asarray(values, dtype=float)
        if values.ndim == 1:
            results[name] = values
            continue
        results[f"mean_test_{name}"] = values.mean(axis=1)
        results |= {f"split{k}_test_{name}": column for k, column in enumerate(values.T)}
    n = len(next(iter(results.values())))
    return {"params": [{"k": i} for i in range(n)], **results}


def results_of(scores, params, **columns):
    """A cv_results_ of one metric."""
    return {**results_with(score=scores), "params": params, **columns}


def exact(means, std, n=20, seed=0):
    """Scores with exactly these means and this standard deviation."""
    noise = np.random.default_rng(seed).standard_normal((len(means), n))
    noise = (noise - noise.mean(axis=1, keepdims=True)) / noise.std(axis=1, ddof=1, keepdims=True)
    return np.asarray(means)[:, None] + std * noise


def noisy(means, spread):
    """Split scores whose differences to the first have mean exactly as given and std `spread`."""
    base = exact([means[0]], 0.1, seed=1)
    return np.concatenate([base, base + exact(np.subtract(means[1:], means[0]), spread)])


SE = np.sqrt(1 / 20 + 1 / 4)  # of a paired difference with std 1, 4 × 5 folds
DESIGN = ssc.SplitDesign([80] * 20, [20] * 20)


def choice(rule, results):
    """What a rule chooses by the scores of these results, and its report."""
    return rule.choose(results, split_scores(results, rule.metric or "score", DESIGN))


@pytest.mark.parametrize(
    ("rule", "behind", "kept"),
    [
        # (m − 1)·P(T > t) with m = 3, df = 19: t = 2.4 gives 0.027, t = 2.0 gives 0.060.
        (Simplest("C"), [2.0, 2.4], [True, True, False]),
        (Simplest("C", alpha=0.01), [2.0, 2.4], [True, True, True]),
        (ssc.Simplest("C", within="1se"), [0.99, 1.01], [True, True, False]),
        # P(T > t − rope/SE): with the rope 0.5 SE, t = 2.22 is 1.72 past it, P(T > −1.72) = 0.949.
        (ssc.Simplest("C", within="rope", rope=0.5 * 0.01 * SE), [2.22, 2.24], [True, True, False]),
        # P(T > 2.093) = 0.025 = 0.05/2: a bound is (t + 2.093)·SE. That of the leader is
        # (−1 + 2.093)·SE, because the second may be the best.
        (ssc.Simplest("C", 0.01 * SE * 3.2), [1.0, 1.2], [True, True, False]),
        (ssc.Simplest("C", 0.01 * SE * 3.4), [1.0, 1.2], [True, True, True]),
        (ssc.Simplest("C", 0.0), [1.0, 1.2], [False, False, False]),  # so it takes the leader
    ],
)
def test_a_rule_keeps_just_what_it_says(rule, behind, kept):
    means = [0.9, *(0.9 - t * 0.01 * SE for t in behind)]
    results = results_of(noisy(means, 0.01), [{"C": 3}, {"C": 2}, {"C": 1}])
    chosen, report = choice(rule, results)
    assert report.sort_index()["kept"].tolist() == kept
    # The simplest of those kept is the last of them.
    assert chosen == (np.flatnonzero(kept)[-1] if any(kept) else 0)
    assert report.loc[report["chosen"]].index.tolist() == [chosen]
    assert report["why"].str.len().min() > 5


def test_percent_loss_looks_at_means_alone():
    results = results_of(noisy([0.9, 0.892, 0.88], 0.01), [{"C": 3}, {"C": 2}, {"C": 1}])
    assert ssc.Simplest("C", within="1%")(results) == 1
    assert ssc.Simplest("C", within="3%")(results) == 2
    assert ssc.Simplest("C", within="0%")(results) == 0
    negative = results_of(-noisy([0.9, 0.908, 0.92], 0.01), [{"C": 3}, {"C": 2}, {"C": 1}])
    assert ssc.Simplest("C", within="1%")(negative) == 1  # −0.908 is 0.9 % behind −0.9
    mixed = results_of([[0.1, 0.2], [-0.1, -0.2]], [{"C": 2}, {"C": 1}])
    with pytest.raises(ValueError, match="A percentage of the leader's mean has no meaning"):
        ssc.Simplest("C", within="1%")(mixed)


def test_a_bound_that_no_score_can_reach_is_refused():
    rule = BestSubjectTo("r2", {"neg_root_mean_squared_error": 60})
    with pytest.raises(ValueError, match="neg_root_mean_squared_error is at most 0, and higher is"):
        rule.choose(
            results_of(np.ones((2, 20)), [{}] * 2), ssc.SplitScores(np.ones((2, 20)), DESIGN)
        )


@pytest.mark.filterwarnings("ignore:A candidate has the `error_score`")
def test_a_percentage_is_of_scores_of_fits_that_did_not_fail():
    values = noisy([0.9, 0.892, 0.88], 0.01)
    values[2, 3] = -999.0
    results = results_of(values, [{"C": 3}, {"C": 2}, {"C": 1}])
    scores = ssc.SplitScores(values, DESIGN, error_score=-999.0)
    assert ssc.Simplest("C", within="1%").choose(results, scores)[0] == 1


@pytest.mark.parametrize(
    ("rule", "kind", "plain"),
    [
        (RULES[0], ssc.StatisticalRandomizedSearchCV, RandomizedSearchCV),
        (RULES[2], StatisticalGridSearchCV, GridSearchCV),
        *(  # test_choice.py has each of them
            pytest.param(rule, StatisticalGridSearchCV, GridSearchCV, marks=pytest.mark.slow)
            for rule in (*RULES[:2], *RULES[3:])
        ),
    ],
)
def test_our_searches_know_the_ratio_and_plain_ones_choose_the_same_given_it(rule, kind, plain):
    arguments = {"n_iter": 5, "random_state": 0} if plain is RandomizedSearchCV else {}
    search = kind(TREE, DEPTHS, cv=KFold(10), refit=rule, **arguments).fit(X, y)
    report = search.selection_report_
    assert report.loc[search.best_index_, "chosen"]
    assert report["kept"].sum() >= 1
    kept = report[report["kept"]]
    assert report.loc[search.best_index_, "complexity"] == kept["complexity"].min()
    assert search.best_score_ == search.cv_results_["mean_test_score"][search.best_index_]
    assert search.best_estimator_.max_depth == search.best_params_["max_depth"]
    assert search.comparison_.ranking().index[0] == report.index[0]
    assert clone(search).refit == rule
    copy = pickle.loads(pickle.dumps(search))
    pd.testing.assert_frame_equal(copy.selection_report_, report)
    with_ratio = dataclasses.replace(rule, test_train_ratio=1 / 9)
    theirs = plain(TREE, DEPTHS, cv=KFold(10), refit=with_ratio, **arguments).fit(X, y)
    assert theirs.best_params_ == search.best_params_


def test_without_the_ratio_the_error_names_it_and_who_knows_it():
    search = GridSearchCV(TREE, {"max_depth": [1, 2]}, cv=3, refit=RULES[0])
    with pytest.raises(
        ValueError, match=r"`test_train_ratio` must be given.*searches of this package"
    ):
        search.fit(X, y)
    for ratio in (0, -1, np.inf, "1/9", True):
        rule = Simplest("max_depth", test_train_ratio=ratio)
        with pytest.raises(ValueError, match="`test_train_ratio` must be a number > 0"):
            search.set_params(refit=rule).fit(X, y)


def test_several_metrics_need_one_by_name():
    search = StatisticalGridSearchCV(TREE, DEPTHS, scoring=["accuracy", "roc_auc"], cv=10)
    rule = Simplest("max_depth", metric="roc_auc")
    search.set_params(refit=rule).fit(X, y)
    assert search.comparison_.metric == "roc_auc"
    assert len(search.selection_report_) == 5
    assert search.best_score_ == search.cv_results_["mean_test_roc_auc"][search.best_index_]
    with pytest.raises(ValueError, match="`metric` must name one of accuracy, roc_auc"):
        search.set_params(refit=Simplest("max_depth")).fit(X, y)
    with pytest.raises(ValueError, match="`metric` must be one of 'accuracy', 'roc_auc'; got 'f1'"):
        search.set_params(refit=Simplest("max_depth", metric="f1")).fit(X, y)
    # A fit without a rule leaves no report of the last one.
    search.set_params(refit=False, cv=2).fit(X, y)
    assert not hasattr(search, "selection_report_")
    search.set_params(refit="accuracy").fit(X, y)
    assert not hasattr(search, "selection_report_")
    with pytest.raises(AttributeError, match="`refit` was not a rule such as Simplest"):
        search.selection_report_  # noqa: B018


EQUAL = noisy([0.9, 0.9, 0.9, 0.9], 0.01)
PARAMS = [
    {"C": 3, "k": "a", "n": 1},
    {"C": 1, "k": "b", "n": 2},
    {"C": 1, "k": "c", "n": 1},
    {"C": 1, "k": "d", "n": 1},
]


@pytest.mark.parametrize(
    ("complexity", "chosen"),
    [
        ("C", 1),  # ties fall to the better mean, then to the lower index
        (["C", "n"], 2),
        ({"C": "descending"}, 0),
        ({"C": "ascending", "n": "descending"}, 1),
        ("mean_score_time", 3),  # of equal means the fastest
        (lambda params: -ord(params["k"]), 3),
    ],
)
def test_what_makes_a_candidate_complex(complexity, chosen):
    scores = EQUAL.copy()
    scores[1:] = scores[0]  # all identical
    results = results_of(scores, PARAMS, mean_score_time=np.array([4.0, 3.0, 2.0, 1.0]))
    assert choice(Simplest(complexity), results)[0] == chosen


@pytest.mark.parametrize(
    ("complexity", "message"),
    [
        ("D", "`by` must name a parameter, one of C, k, n, or a numeric column.*got 'D'"),
        ("mixed", "`by` must name a parameter"),
        ({"C": "up"}, r"`by\['C'\]` must be one of 'ascending', 'descending'; got 'up'"),
        # Solvers, and estimators in a file, have no order.
        ("k", "must have values that can be ordered; 'k' has text: 'a', 'b', 'c', 'd'"),
        ({"k": "descending"}, "'k' has text"),
        (lambda params: None if params["C"] == 3 else 1, "can be ordered.*NoneType, int"),
        ([], "`by` must be the name of a parameter"),
        (3, "`by` must be the name of a parameter"),
        ("only_some", "which candidate 0 does not have"),
    ],
)
def test_complexities_without_an_order_are_refused(complexity, message):
    params = [dict(p) for p in PARAMS]
    if complexity == "only_some":
        params[1]["only_some"] = 1
    results = results_of(EQUAL, params, mixed=np.array(["a", "b", "c", "d"]))
    with pytest.raises(ValueError, match=message):
        choice(Simplest(complexity), results)


def test_the_leader_is_not_kept_if_only_another_is_shown_to_be_good_enough():
    # The middle candidate is near both others, which are far from each other.
    rng = np.random.default_rng(0)
    one, noise = 0.8 + 0.01 * rng.normal(size=20), rng.normal(size=20)
    noise -= noise.mean()
    scores = [one + 0.02 * noise + 0.0005, one, one - 0.02 * noise]
    results = results_of(scores, [{"C": 1}, {"C": 2}, {"C": 3}])
    bounds = regret_bounds(ssc.SplitScores(scores, DESIGN))
    assert bounds[1] < bounds[[0, 2]].min()
    chosen, report = choice(ssc.Simplest("C", float(bounds[1]) * 1.01), results)
    assert chosen == 1
    assert report.sort_index()["kept"].tolist() == [False, True, False]


def test_a_leader_that_is_taken_for_want_of_a_small_bound_is_reported_as_such():
    results = results_of(noisy([0.9, 0.899], 0.01), [{"C": 2}, {"C": 1}])
    chosen, report = choice(ssc.Simplest("C", 0.0), results)
    assert chosen == 0
    assert report.loc[0, "why"].endswith("; the leader, as no bound is small enough")
    assert "leader" not in report.loc[1, "why"]
    one_split = results_of([[0.9], [0.8]], [{"C": 2}, {"C": 1}])
    scores = ssc.SplitScores([[0.9], [0.8]], ssc.SplitDesign([4], [1]))
    chosen, report = ssc.Simplest("C", 0.5).choose(one_split, scores)
    assert chosen == 0
    assert report["why"].tolist() == [
        "one split gives no bound; the leader, as no bound is small enough",
        "one split gives no bound",
    ]


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (Simplest("C", alpha=2), r"`alpha` must be in \(0, 1\); got 2"),
        (ssc.Simplest("C", "rope", rope=-1), "`rope` must be a finite half-width ≥ 0; got -1"),
        (ssc.Simplest("C", "rope", rope=0.1, alpha=1.5), r"`alpha` must be in \(0, 1\); got 1.5"),
        (ssc.Simplest("C", "posibly_best"), "Did you mean 'possibly_best'"),
        (ssc.Simplest("C", -1), "`within` must be one of .*, a number ≥ 0.*; got -1"),
        (ssc.Simplest("C", True), "`within` must be one of .*; got True"),
        (ssc.Simplest("C", 0.1, alpha=0), r"`alpha` must be in \(0, 1\); got 0"),
        (ssc.Simplest("C", "-1%"), "`within` must be one of 'possibly_best'"),
    ],
)
def test_impossible_settings_of_rules_are_refused(rule, message):
    with pytest.raises(ValueError, match=message):
        choice(rule, results_of(EQUAL, PARAMS))


@pytest.mark.parametrize(
    "rule", [r.__class__("C", *([0.01] * (k > 1))) for k, r in enumerate(RULES)]
)
def test_one_candidate_failures_and_identical_ones(rule):
    one = results_of(EQUAL[:1], PARAMS[:1])
    assert choice(rule, one)[0] == 0
    failed = EQUAL.copy()
    failed[1, 3] = np.nan
    chosen, report = choice(rule, results_of(failed, PARAMS))
    assert chosen != 1
    assert report.loc[1, "why"] == "failed on some split"
    assert not report.loc[1, "kept"]
    identical = np.tile(EQUAL[0], (4, 1))
    assert choice(rule, results_of(identical, PARAMS))[0] == 1
    with pytest.raises(ValueError, match="cannot choose: every candidate failed"):
        choice(rule, results_of(np.full((4, 20), np.nan), PARAMS))


class Unfitted(DecisionTreeClassifier):
    def fit(self, X, y):
        pytest.fail("fitted")


STEP = {"tree__max_depth": [1, 2], "tree__min_samples_leaf": [1, 5]}


@pytest.mark.parametrize(
    ("rule", "error", "message"),
    [
        (Simplest("max_depth"), ValueError,
         "`by` must name a parameter.*got 'max_depth'. Did you mean 'tree__max_depth'"),
        (Simplest("only_some"), ValueError,
         r"which candidate 0 does not have.*lambda params: params.get\('only_some', math.inf\)"),
        (Simplest("tree__max_depth", alpha=5), ValueError, "`alpha` must be in"),
        (Simplest(lambda params: params["C"]), KeyError, "C"),
        (Simplest, TypeError, r"`refit` must be a rule, such as Simplest.*the class"),
    ],
)  # fmt: skip
def test_a_rule_that_cannot_choose_is_refused_before_the_first_fit(rule, error, message, tmp_path):
    grids = [STEP, {**STEP, "only_some": [1]}] if "only_some" in repr(rule) else STEP
    search = StatisticalGridSearchCV(Pipeline([("tree", Unfitted())]), grids, cv=3, refit=rule)
    X = np.arange(60.0)[:, None]
    for ledger in (None, tmp_path / "search.sqlite"):
        with pytest.raises(error, match=message):
            search.set_params(ledger=ledger).fit(X, np.arange(60) % 2)


def test_it_may_go_by_a_column_that_only_fits_make():
    X = np.arange(60.0)[:, None]
    search = StatisticalGridSearchCV(Pipeline([("tree", TREE)]), STEP, cv=3)
    search.set_params(refit=Simplest(["mean_score_time", "tree__max_depth"]))
    assert search.fit(X, np.arange(60) % 2).best_index_ in range(5)


def test_results_without_mean_scores_raise():
    with pytest.raises(ValueError, match=r"a column mean_test_score .*; got a, params"):
        Simplest("k")({"a": [1], "params": [{"k": 1}]})


# The best within bounds of other metrics


# t of recall below 0.8: 2.0, 1.6 and −1.6; P(T > t) = 0.030, 0.063 and 0.937 with 19 degrees.
T = np.array([2.0, 1.6, -1.6])
AUC = exact([0.9, 0.8, 0.7], 0.01)
RECALL = exact(0.8 - T * 0.02 * SE, 0.02, seed=1)


@pytest.mark.parametrize(
    ("options", "kept"),
    [
        ({}, [False, True, True]),
        ({"alpha": 0.02}, [True, True, True]),
        ({"alpha": 0.1}, [False, False, True]),
        # Shown to satisfy: p = 0.063 of the third, times three by Holm's method.
        ({"alpha": 0.2, "shown_to_satisfy": True}, [False, False, True]),
    ],
)
def test_it_keeps_just_what_it_says_and_takes_the_best_mean(options, kept):
    rule = BestSubjectTo("auc", {"recall": 0.8}, **options)
    chosen, report = choice(rule, results_with(auc=AUC, recall=RECALL))
    assert report.sort_index()["kept"].tolist() == kept
    assert chosen == np.flatnonzero(kept)[0]
    assert report.index[report["chosen"]].tolist() == [chosen]
    np.testing.assert_allclose(report.sort_index()["recall"], RECALL.mean(axis=1))


def test_p_values_are_those_of_scipy_where_splits_do_not_overlap():
    values = np.random.default_rng(0).normal(0.8, 0.05, (3, 20))
    results = results_with(auc=AUC, recall=values)
    for shown, alternative in ((False, "less"), (True, "greater")):
        rule = BestSubjectTo(
            "auc", {"recall": 0.8}, alpha=0.99 if shown else 0.001, shown_to_satisfy=shown
        )
        scores = split_scores(results, "auc", ssc.SplitDesign.from_ratio(1e-12, 20))
        report = rule.choose(results, scores)[1].sort_index()
        p = stats.ttest_1samp(values, 0.8, axis=1, alternative=alternative).pvalue
        if shown:  # Holm's method of three
            order = np.argsort(p)
            p[order] = np.minimum(1, np.maximum.accumulate(p[order] * [3, 2, 1]))
        assert [why.split()[2] for why in report["why"]] == [f"{value:.3g}" for value in p]


def test_several_bounds_and_times():
    # Twice the smallest p-value of two bounds: 2 · 0.030 = 0.060 is no violation at 0.05.
    other = exact([0.9] * 3, 0.02, seed=2)
    bounds = {"recall": 0.8, "precision": 0.5}
    results = results_with(auc=AUC, recall=RECALL, precision=other)
    assert choice(BestSubjectTo("auc", bounds), results)[1]["kept"].all()
    # The second takes too long: t = 0.5/(0.1·√(20/19)·SE) = 8.9.
    timed = results_with(auc=AUC, recall=RECALL, mean_score_time=[0.1, 0.9, 0.2],
                       std_score_time=[0.1] * 3)  # fmt: skip
    chosen, report = choice(BestSubjectTo("auc", {"mean_score_time": 0.4}), timed)
    assert report.sort_index()["kept"].tolist() == [True, False, True]
    assert report.sort_index()["mean_score_time"].tolist() == [0.1, 0.9, 0.2]
    t = 0.5 / (0.1 * np.sqrt(20 / 19) * SE)
    assert report.loc[1, "why"].startswith(f"p = {stats.t.sf(t, 19):.3g} ")
    assert chosen == 0


@pytest.mark.parametrize(
    ("bound", "shown", "words"),
    [
        (0.95, False, "Every candidate is shown to violate a bound"),
        (0.82, True, "No candidate is shown to satisfy all bounds"),
    ],
)
def test_without_a_candidate_it_takes_the_closest_with_a_warning(bound, shown, words):
    # The third has the best recall and the worst AUC.
    rule = BestSubjectTo("auc", {"recall": bound}, shown_to_satisfy=shown)
    with pytest.warns(ssc.ComparisonWarning, match=f"{words}.*comes closest to the bounds"):
        chosen, report = choice(rule, results_with(auc=AUC, recall=RECALL))
    assert chosen == 2
    assert not report["kept"].any()
    assert report.sort_index()["chosen"].tolist() == [False, False, True]
    # A recall of 0 on every split has no standard error, and is no closer for that.
    none = np.vstack([RECALL[:2] * 0, RECALL[2:]])
    with pytest.warns(ssc.ComparisonWarning, match="comes closest to the bounds"):
        assert choice(rule, results_with(auc=AUC, recall=none))[0] == 2


@pytest.mark.parametrize(
    ("score", "bound", "shown", "expected"),
    [
        # Markov: a fold of 1 has probability 0.9 at most if the mean is 0.9.
        (1.0, 0.9, True, 0.9**5),
        # At least that of equal signs.
        (1.0, 0.1, True, 0.5**5),
        # A fold of 0 has a shortfall of 1 from 1, whose mean is 0.3 on the bound.
        (0.5, 0.7, False, (0.3 / 0.5) ** 5),
        (0.0, 0.9, False, 0.5**5),
        # On the other side of the bound, nothing is shown.
        (0.8, 0.9, True, 1.0),
        (0.95, 0.9, False, 1.0),
        # Negative losses have no lowest value, and at most 0.
        (-0.5, -1.0, True, 1.0),
        (-2.0, -1.0, False, 0.5**5),
        (-1.25, -1.0, False, 0.8**5),
    ],
)
def test_the_same_score_on_all_splits_shows_what_markovs_inequality_says(
    score, bound, shown, expected
):
    same = np.full((1, 20), score)  # four repeats of five folds
    rule = BestSubjectTo("auc", {"recall": bound}, shown_to_satisfy=shown, alpha=1e-6)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ssc.ComparisonWarning)
        report = choice(rule, results_with(auc=AUC[:1], recall=same))[1]
    assert float(report["why"][0].split()[2]) == pytest.approx(expected, rel=5e-3)


def test_perfect_recalls_of_few_positives_do_not_break_the_level():
    """Recall 0.97 of four positives a fold is 1 on all of five folds in half of the data sets."""
    rng = np.random.default_rng(0)
    recalls = rng.binomial(4, 0.97, size=(400, 5)) / 4
    assert (recalls == 1).all(axis=1).mean() > 0.4
    design = ssc.SplitDesign([40] * 5, [10] * 5, repeat=[0] * 5)
    p = ScoreCriterion(ssc.SplitScores(recalls, design)).pvalue_of_bound(0.975, "greater")
    # Neither a candidate that fails nor weights that are nearly equal make it smaller.
    failing = ssc.SplitScores(
        np.vstack([recalls, recalls[:1] * 0 - 999.0]), design, error_score=-999.0
    )
    again = ScoreCriterion(failing, metric="recall").pvalue_of_bound(0.975, "greater")
    np.testing.assert_allclose(again[:-1], p)
    weights = 1 - 1e-9 * rng.random(recalls.shape)
    n = ssc.SplitScores(recalls, design).n_shared
    weighted = ssc.SplitScores(recalls * weights, design, n_independent=n)
    again = ScoreCriterion(weighted, metric="recall").pvalue_of_bound(0.975, "greater")
    assert (again < 0.05).mean() <= 0.05
    # Areas under the curve are no shares of positives, and their p-values are those of the t-test.
    values = 0.85 + 0.15 * rng.random((3, 5))
    of_areas, alone = (
        ScoreCriterion(ssc.SplitScores(values, design, n_independent=n), metric="roc_auc")
        for n in (20, np.inf)
    )
    np.testing.assert_array_equal(
        of_areas.pvalue_of_bound(0.8, "greater"), alone.pvalue_of_bound(0.8, "greater")
    )
    assert of_areas.pvalue_of_bound(0.8, "greater").min() < 0.8**20
    assert (p < 0.05).mean() <= 0.05


@pytest.mark.parametrize("shown", [False, True])
def test_failed_candidates_are_never_taken(shown):
    recall = RECALL + 0.1
    recall[0, 3] = np.nan
    auc = AUC.copy()
    auc[1, 3] = np.nan
    rule = BestSubjectTo("auc", {"recall": 0.8}, shown_to_satisfy=shown)
    chosen, report = choice(rule, results_with(auc=auc, recall=recall))
    assert chosen == 2
    assert report.sort_index()["kept"].tolist() == [False, False, True]


# With 150 tables the allowance is wider only by their larger standard error.
@pytest.mark.parametrize("n_tables", [150, pytest.param(400, marks=pytest.mark.slow)])
def test_a_candidate_that_satisfies_is_rarely_left_out_and_one_that_violates_rarely_kept(n_tables):
    # On the bound itself, the hardest place; splits share a variance of q beside their own, 1.
    rng, m = np.random.default_rng(3), 6
    lost = wrong = 0
    for _ in range(n_tables):
        noise = 0.5 * rng.standard_normal((m, 1)) + rng.standard_normal((m, 20))
        results = results_with(auc=np.arange(m)[:, None] + AUC[:1], recall=noise)
        lenient = choice(BestSubjectTo("auc", {"recall": 0.0}), results)[1]
        lost += not lenient.loc[0, "kept"]
        scores = split_scores(results, "auc", DESIGN)
        strict = BestSubjectTo("auc", {"recall": 0.0}, shown_to_satisfy=True)
        criterion, bound = next(strict._bounded(scores, results))
        wrong += (m * criterion.pvalue_of_bound(bound, "greater")).min() < 0.05
    error = np.sqrt(0.05 * 0.95 / n_tables)
    assert lost / n_tables <= 0.05 + 2.5 * error
    assert wrong / n_tables <= 0.05 + 2.5 * error


METRICS = {"cv": 10, "scoring": ["roc_auc", "recall"]}


@pytest.mark.parametrize("shown", [pytest.param(False, marks=pytest.mark.slow), True])
def test_bounds_in_searches(shown):
    rule = BestSubjectTo("roc_auc", {"recall": 0.6}, shown_to_satisfy=shown)
    search = StatisticalGridSearchCV(TREE, DEPTHS, refit=rule, **METRICS).fit(X, y)
    report = search.selection_report_
    assert report.loc[search.best_index_, "chosen"]
    assert search.best_index_ == report[report["kept"]].index[0]  # in rank order
    assert search.best_score_ == search.cv_results_["mean_test_roc_auc"][search.best_index_]
    assert search.comparison_.metric == "roc_auc"
    assert clone(search).refit == rule
    assert pickle.loads(pickle.dumps(search)).selection_report_.equals(report)
    plain_rule = dataclasses.replace(rule, test_train_ratio=search.test_train_ratio_)
    plain = GridSearchCV(TREE, DEPTHS, refit=plain_rule, **METRICS).fit(X, y)
    assert plain.best_index_ == search.best_index_ == plain_rule(search.cv_results_)
    halving = search.cv_results_ | {"iter": [0, 1], "n_resources": [10, 30]}
    with pytest.raises(ValueError, match="a row per candidate; got those of a halving search"):
        plain_rule(halving)
    assert search.comparison_.choose(rule).index == search.best_index_
    own = search.comparison_.choose(BestSubjectTo("roc_auc", {"roc_auc": 0.1}))
    assert own.index == search.best_index_


def test_in_a_race_it_says_that_candidates_are_left_out():
    race = ssc.RacingGridSearchCV(
        TREE, DEPTHS, cv=20, scoring=["roc_auc", "recall"],
        refit=BestSubjectTo("roc_auc", {"recall": 0.1}),
    )  # fmt: skip
    with pytest.warns(ssc.ComparisonWarning) as caught:
        race.fit(np.c_[y + np.random.default_rng(0).normal(0, 0.4, len(y)), X], y)
    assert any("The choice of BestSubjectTo" in str(one.message) for one in caught)
    assert race.selection_report_.loc[race.best_index_, "kept"]


@pytest.mark.parametrize(
    ("rule", "error", "message"),
    [
        (BestSubjectTo("f1", {"recall": 0.5}), ValueError, "`metric` must be one of 'roc_auc', 'r"),
        (BestSubjectTo("recall", {"f1": 0.5}), ValueError, "`bounds` must be one of .*; got 'f1'"),
        (BestSubjectTo("recall", {}), ValueError, r"`bounds` must be a mapping.*got {}"),
        (BestSubjectTo("recall", 0.9), ValueError, r"`bounds` must be a mapping.*got 0.9"),
        (BestSubjectTo("recall", {"roc_auc": "0.9"}), ValueError, "`bounds` must be a mapping"),
        (BestSubjectTo("recall", {"roc_auc": np.nan}), ValueError, "`bounds` must be a mapping"),
        (BestSubjectTo(None, {"recall": 0.9}), TypeError, "`metric` must be text; got None"),
        (BestSubjectTo("recall", {"roc_auc": 1}, alpha=1), ValueError, r"`alpha` must be in \(0"),
        (BestSubjectTo("recall", {"roc_auc": 1}, shown_to_satisfy="yes"), ValueError,
         "`shown_to_satisfy` must be True or False; got 'yes'"),
        (BestSubjectTo, TypeError, r"such as BestSubjectTo\('roc_auc', {'recall': 0.9}\); got the"),
    ],
)  # fmt: skip
def test_an_impossible_rule_is_refused_before_the_first_fit(rule, error, message):
    search = StatisticalGridSearchCV(Unfitted(), DEPTHS, refit=rule, **METRICS)
    with pytest.raises(error, match=message):
        search.fit(X, y)


def test_a_search_of_one_metric_calls_it_score():
    search = StatisticalGridSearchCV(
        Unfitted(), DEPTHS, cv=10, scoring="roc_auc",
        refit=BestSubjectTo("roc_auc", {"mean_score_time": 10.0}),
    )  # fmt: skip
    with pytest.raises(ValueError, match="`metric` must be one of 'score'; got 'roc_auc'"):
        search.fit(X, y)
    rule = BestSubjectTo("score", {"mean_score_time": 10.0}, shown_to_satisfy=True)
    search.set_params(refit=rule, estimator=TREE).fit(X, y)
    assert search.selection_report_["kept"].all()
    assert search.best_index_ == search.comparison_.ranking().index[0]


def test_a_function_may_score_several_metrics():
    def both(estimator, X, y):
        accuracy = estimator.score(X, y)
        return {"accuracy": accuracy, "error": accuracy - 1}

    rule = BestSubjectTo("accuracy", {"error": -0.9})
    search = StatisticalGridSearchCV(TREE, DEPTHS, cv=10, scoring=both, refit=rule).fit(X, y)
    assert search.selection_report_["kept"].all()


@pytest.mark.parametrize("times", [[0.99, 1.0], [1.0, 0.99]])
def test_times_that_differ_by_noise_are_equal_in_any_form_of_by(times):
    rng = np.random.default_rng(0)
    scores = rng.normal(0.8, 0.02, 10) + rng.normal(0, 0.005, (2, 10))
    results = {
        "params": [{"max_depth": 1}, {"max_depth": 9}],
        "mean_fit_time": np.array(times),
        "mean_score_time": np.zeros(2),
        "mean_test_score": scores.mean(axis=1),
        **{f"split{k}_test_score": scores[:, k] for k in range(10)},
    }
    better = int(scores.mean(axis=1).argmax())
    for by, expected in (
        ("mean_fit_time", better),
        (["mean_fit_time"], better),
        ({"mean_fit_time": "ascending"}, better),
        (["mean_fit_time", "max_depth"], 0),
    ):
        assert Simplest(by, within="50%", test_train_ratio=1 / 9)(results) == expected


@pytest.mark.parametrize(
    ("rule", "scoring", "said"),
    [
        (Simplest("max_depth", metric="roc_acu"), ["roc_auc", "recall"], "`metric` must be one of"),
        (Simplest("max_depth"), ["roc_auc", "recall"], "`metric` must name one of"),
        (Simplest("mean_fit_tme"), "roc_auc", "`by`"),
        (Simplest(["max_depth", "mean_test_recal"]), ["roc_auc", "recall"], "must name one of"),
    ],
)
def test_a_rule_is_refused_before_the_first_fit(rule, scoring, said):
    search = StatisticalGridSearchCV(NeverFits(), DEPTHS, scoring=scoring, refit=rule)
    with pytest.raises(ValueError, match=said):
        search.fit(X, y)


class NeverFits(DecisionTreeClassifier):
    def fit(self, X, y):
        raise AssertionError


def test_times_may_follow_a_parameter():
    rule = Simplest(["max_depth", "time"], rope=0.5)
    search = StatisticalGridSearchCV(TREE, DEPTHS, cv=KFold(5), refit=rule).fit(X, y)
    assert search.best_params_ == {"max_depth": 1}


@pytest.mark.filterwarnings("ignore::sklearn_stats_compare.ComparisonWarning")
def test_a_rule_after_looks_has_the_level_of_one():
    data, target = load_breast_cancer(return_X_y=True)
    search = StatisticalGridSearchCV(
        TREE, DEPTHS, cv=StratifiedKFold(5, shuffle=True, random_state=0), scoring="roc_auc",
        refit=Simplest("max_depth", within=0.04),
    ).fit(data, target)  # fmt: skip
    search.extend(data, target, until="decided", max_fits=100)
    assert search.comparison_.alpha < 0.05
    first = search.selection_report_["why"].iloc[0]
    bound = search.comparison_.shortfall()["at_most"].iloc[0]
    assert first.startswith(f"at most {bound:.3g} worse")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("rope", [0.01, "2%"])
def test_no_choice_among_failed_candidates(rope):
    order = np.argsort(y, kind="stable")  # no fold has both classes
    search = StatisticalGridSearchCV(
        TREE, DEPTHS, cv=KFold(5), scoring="roc_auc", rope=rope
    ).fit(X[order], y[order])  # fmt: skip
    for ask in (
        search.recommend,
        lambda: search.comparison_.choose(Simplest("max_depth")),
        lambda: search.extend(X[order], y[order], until="decided"),
    ):
        with pytest.raises(ValueError, match="every candidate failed on some"):
            ask()


@pytest.mark.filterwarnings("ignore::sklearn_stats_compare.ComparisonWarning")
def test_a_search_by_a_rule_scores_new_data_by_its_metric():
    X, y = load_iris(return_X_y=True)
    options = {"scoring": ["accuracy", "neg_log_loss"], "cv": 3}
    grid = {"max_depth": [1, 2]}
    tree = DecisionTreeClassifier(random_state=0)
    rule = BestSubjectTo("neg_log_loss", {"accuracy": 0.5})
    search = StatisticalGridSearchCV(tree, grid, refit=rule, **options).fit(X, y)
    expected = get_scorer("neg_log_loss")(search.best_estimator_, X, y)
    assert search.score(X, y) == expected
    assert search.refit is rule
    named = StatisticalGridSearchCV(tree, grid, refit="neg_log_loss", **options).fit(X, y)
    assert named.score(X, y) == get_scorer("neg_log_loss")(named.best_estimator_, X, y)
    search.set_params(refit=lambda results: 0).fit(X, y)
    with pytest.raises(ValueError, match="`refit` must be a metric, or a rule with a `metric`"):
        search.score(X, y)
