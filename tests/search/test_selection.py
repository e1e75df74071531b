"""Rules for refit: which candidates will do, and the simplest of them, in both kinds of search."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, KFold, RandomizedSearchCV
from sklearn.pipeline import Pipeline
from sklearn.tree import DecisionTreeClassifier

from sklearn_stats_compare import (
    SimplestNotPracticallyWorse,
    SimplestPossiblyBest,
    SimplestWithin,
    SimplestWithinOneStandardError,
    SimplestWithinPercentLoss,
    SplitDesign,
    SplitScores,
    StatisticalGridSearchCV,
    StatisticalRandomizedSearchCV,
)
from sklearn_stats_compare.comparison import split_scores
from sklearn_stats_compare.stats import shortfall_bounds

X, y = make_classification(n_samples=150, n_features=8, flip_y=0.2, random_state=0)
DEPTHS = {"max_depth": [8, 5, 3, 2, 1]}
RULES = [
    SimplestPossiblyBest("max_depth"),
    SimplestWithinOneStandardError("max_depth"),
    SimplestNotPracticallyWorse("max_depth", 0.01),
    SimplestWithin("max_depth", 0.1),
    SimplestWithinPercentLoss("max_depth", 2),
]


def results_of(scores, params, **columns):
    """A cv_results_ of these scores, candidates × splits."""
    scores = np.asarray(scores, dtype=float)
    splits = {f"split{k}_test_score": scores[:, k] for k in range(scores.shape[1])}
    return {"params": params, "mean_test_score": scores.mean(axis=1), **splits, **columns}


def noisy(means, spread, n=20, seed=0):
    """Split scores whose differences to the first have mean exactly as given and std `spread`."""
    rng = np.random.default_rng(seed)
    noise = rng.standard_normal((len(means), n))
    noise = (noise - noise.mean(axis=1, keepdims=True)) / noise.std(axis=1, ddof=1, keepdims=True)
    base = 0.5 + 0.1 * rng.standard_normal(n)
    base += -base.mean() + 0.5
    rows = [base] + [
        base + (m - means[0]) + spread * e for m, e in zip(means[1:], noise, strict=False)
    ]
    return np.array(rows) + means[0] - 0.5


SE = np.sqrt(1 / 20 + 1 / 4)  # of a paired difference with std 1, 4 × 5 folds
DESIGN = SplitDesign([80] * 20, [20] * 20)


def choice(rule, results):
    """What a rule chooses by the scores of these results, and its report."""
    return rule.choose(results, split_scores(results, "score", DESIGN))


@pytest.mark.parametrize(
    ("rule", "behind", "kept"),
    [
        # (m − 1)·P(T > t) with m = 3, df = 19: t = 2.4 gives 0.027, t = 2.0 gives 0.060.
        (SimplestPossiblyBest("C"), [2.0, 2.4], [True, True, False]),
        (SimplestPossiblyBest("C", alpha=0.01), [2.0, 2.4], [True, True, True]),
        (SimplestWithinOneStandardError("C"), [0.99, 1.01], [True, True, False]),
        # P(T > t − rope/SE): with the rope 0.5 SE, t = 2.22 is 1.72 past it, P(T > −1.72) = 0.949.
        (SimplestNotPracticallyWorse("C", 0.5 * 0.01 * SE), [2.22, 2.24], [True, True, False]),
        # P(T > 2.093) = 0.025 = 0.05/2: a bound is (t + 2.093)·SE. That of the leader is
        # (−1 + 2.093)·SE, because the second may be the best.
        (SimplestWithin("C", 0.01 * SE * 3.2), [1.0, 1.2], [True, True, False]),
        (SimplestWithin("C", 0.01 * SE * 3.4), [1.0, 1.2], [True, True, True]),
        (SimplestWithin("C", 0.0), [1.0, 1.2], [True, False, False]),
    ],
)
def test_a_rule_keeps_just_what_it_says(rule, behind, kept):
    means = [0.9, *(0.9 - t * 0.01 * SE for t in behind)]
    results = results_of(noisy(means, 0.01), [{"C": 3}, {"C": 2}, {"C": 1}])
    chosen, report = choice(rule, results)
    assert report.sort_index()["kept"].tolist() == kept
    # The simplest of those kept is the last of them.
    assert chosen == np.flatnonzero(kept)[-1]
    assert report.loc[report["chosen"]].index.tolist() == [chosen]
    assert report["why"].str.len().min() > 5


def test_percent_loss_looks_at_means_alone():
    results = results_of(noisy([0.9, 0.892, 0.88], 0.01), [{"C": 3}, {"C": 2}, {"C": 1}])
    assert SimplestWithinPercentLoss("C", 1)(results) == 1
    assert SimplestWithinPercentLoss("C", 3)(results) == 2
    assert SimplestWithinPercentLoss("C", 0)(results) == 0
    negative = results_of(-noisy([0.9, 0.908, 0.92], 0.01), [{"C": 3}, {"C": 2}, {"C": 1}])
    assert SimplestWithinPercentLoss("C", 1)(negative) == 1  # −0.908 is 0.9 % behind −0.9
    mixed = results_of([[0.1, 0.2], [-0.1, -0.2]], [{"C": 2}, {"C": 1}])
    with pytest.raises(ValueError, match="A percentage of the leader's mean has no meaning"):
        SimplestWithinPercentLoss("C", 1)(mixed)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("kind", [StatisticalGridSearchCV, StatisticalRandomizedSearchCV])
def test_in_our_searches_the_recorded_sizes_are_read(rule, kind):
    search = kind(DecisionTreeClassifier(random_state=0), DEPTHS, cv=KFold(10), refit=rule)
    if kind is StatisticalRandomizedSearchCV:
        search.set_params(n_iter=5, random_state=0)
    search.fit(X, y)
    report = search.selection_report_
    assert report.loc[search.best_index_, "chosen"]
    assert report["kept"].sum() >= 1
    kept = report[report["kept"]]
    assert report.loc[search.best_index_, "complexity"] == kept["complexity"].min()
    assert search.best_score_ == search.cv_results_["mean_test_score"][search.best_index_]
    assert search.best_estimator_.max_depth == search.best_params_["max_depth"]
    assert search.comparison_.leader_index == report.index[0]
    assert clone(search).refit == rule
    copy = pickle.loads(pickle.dumps(search))
    pd.testing.assert_frame_equal(copy.selection_report_, report)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("kind", [GridSearchCV, RandomizedSearchCV])
def test_in_plain_searches_they_choose_the_same_given_the_ratio(rule, kind):
    import dataclasses

    with_ratio = dataclasses.replace(rule, test_train_ratio=1 / 9)
    arguments = {"n_iter": 5, "random_state": 0} if kind is RandomizedSearchCV else {}
    plain = kind(
        DecisionTreeClassifier(random_state=0), DEPTHS, cv=KFold(10), refit=with_ratio, **arguments
    ).fit(X, y)
    ours = {GridSearchCV: StatisticalGridSearchCV}.get(kind, StatisticalRandomizedSearchCV)(
        DecisionTreeClassifier(random_state=0), DEPTHS, cv=KFold(10), refit=rule, **arguments
    ).fit(X, y)
    assert plain.best_params_ == ours.best_params_


def test_without_the_ratio_the_error_names_it_and_who_knows_it():
    search = GridSearchCV(
        DecisionTreeClassifier(), DEPTHS, cv=10, refit=SimplestPossiblyBest("max_depth")
    )
    with pytest.raises(
        ValueError, match=r"`test_train_ratio` must be given.*searches of this package"
    ):
        search.fit(X, y)
    for ratio in (0, -1, np.inf, "1/9", True):
        rule = SimplestPossiblyBest("max_depth", test_train_ratio=ratio)
        with pytest.raises(ValueError, match="`test_train_ratio` must be a number > 0"):
            search.set_params(refit=rule).fit(X, y)


def test_several_metrics_need_one_by_name():
    search = StatisticalGridSearchCV(
        LogisticRegression(), {"C": [0.001, 0.1, 10]}, scoring=["accuracy", "roc_auc"], cv=10
    )
    rule = SimplestPossiblyBest("C", metric="roc_auc")
    search.set_params(refit=rule).fit(X, y)
    assert search.comparison_.metric == "roc_auc"
    assert search.best_score_ == search.cv_results_["mean_test_roc_auc"][search.best_index_]
    with pytest.raises(ValueError, match="`metric` must name one of accuracy, roc_auc"):
        search.set_params(refit=SimplestPossiblyBest("C")).fit(X, y)
    with pytest.raises(ValueError, match="`metric` must be one of 'accuracy', 'roc_auc'; got 'f1'"):
        search.set_params(refit=SimplestPossiblyBest("C", metric="f1")).fit(X, y)


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
        ("mean_score_time", 3),
        (lambda params: -ord(params["k"]), 3),
        ("k", 0),
    ],
)
def test_what_makes_a_candidate_complex(complexity, chosen):
    scores = EQUAL.copy()
    scores[1:] = scores[0]  # all identical
    results = results_of(scores, PARAMS, mean_score_time=np.array([4.0, 3.0, 2.0, 1.0]))
    assert choice(SimplestPossiblyBest(complexity), results)[0] == chosen


@pytest.mark.parametrize(
    ("complexity", "message"),
    [
        ("D", "`complexity` must name a parameter, one of C, k, n, or a numeric column.*got 'D'"),
        ("mixed", "`complexity` must name a parameter"),
        ({"C": "up"}, r"`complexity\['C'\]` must be one of 'ascending', 'descending'; got 'up'"),
        ({"k": "descending"}, "numbers to be 'descending'"),
        (lambda params: None if params["C"] == 3 else 1, "can be ordered.*NoneType, int"),
        ([], "`complexity` must be the name of a parameter"),
        (3, "`complexity` must be the name of a parameter"),
        ("only_some", "which candidate 0 does not have"),
    ],
)
def test_complexities_without_an_order_are_refused(complexity, message):
    params = [dict(p) for p in PARAMS]
    if complexity == "only_some":
        params[1]["only_some"] = 1
    results = results_of(EQUAL, params, mixed=np.array(["a", "b", "c", "d"]))
    with pytest.raises(ValueError, match=message):
        choice(SimplestPossiblyBest(complexity), results)


def test_the_leader_is_not_kept_if_only_another_is_shown_to_be_good_enough():
    # The middle candidate is near both others, which are far from each other.
    rng = np.random.default_rng(0)
    one, noise = 0.8 + 0.01 * rng.normal(size=20), rng.normal(size=20)
    noise -= noise.mean()
    scores = [one + 0.02 * noise + 0.0005, one, one - 0.02 * noise]
    results = results_of(scores, [{"C": 1}, {"C": 2}, {"C": 3}])
    bounds = shortfall_bounds(SplitScores(scores, DESIGN))
    assert bounds[1] < bounds[[0, 2]].min()
    chosen, report = choice(SimplestWithin("C", float(bounds[1]) * 1.01), results)
    assert chosen == 1
    assert report.sort_index()["kept"].tolist() == [False, True, False]


def test_a_leader_that_is_taken_for_want_of_a_small_bound_is_reported_as_such():
    results = results_of(noisy([0.9, 0.899], 0.01), [{"C": 2}, {"C": 1}])
    chosen, report = choice(SimplestWithin("C", 0.0), results)
    assert chosen == 0
    assert report.loc[0, "why"].endswith("; the leader, as no bound is small enough")
    assert "leader" not in report.loc[1, "why"]
    one_split = results_of([[0.9], [0.8]], [{"C": 2}, {"C": 1}])
    scores = SplitScores([[0.9], [0.8]], SplitDesign([4], [1]))
    chosen, report = SimplestWithin("C", 0.5).choose(one_split, scores)
    assert chosen == 0
    assert report["why"].tolist() == [
        "one split gives no bound; the leader, as no bound is small enough",
        "one split gives no bound",
    ]


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (SimplestPossiblyBest("C", alpha=2), r"`alpha` must be in \(0, 1\); got 2"),
        (SimplestNotPracticallyWorse("C", -1), "`rope` must be a half-width ≥ 0; got -1"),
        (SimplestNotPracticallyWorse("C", 0.1, 1.5), r"`probability` must be in \(0, 1\); got 1.5"),
        (SimplestWithin("C", -1), "`at_most` must be a number ≥ 0; got -1"),
        (SimplestWithin("C", True), "`at_most` must be a number ≥ 0; got True"),
        (SimplestWithin("C", 0.1, 0), r"`alpha` must be in \(0, 1\); got 0"),
        (SimplestWithinPercentLoss("C", -1), "`percent` must be a number ≥ 0; got -1"),
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


def test_without_a_rule_there_is_no_report():
    search = StatisticalGridSearchCV(DecisionTreeClassifier(), DEPTHS, cv=10).fit(X, y)
    assert not hasattr(search, "selection_report_")
    with pytest.raises(AttributeError, match="`refit` was not a rule such as SimplestPossiblyBest"):
        search.selection_report_  # noqa: B018


def test_a_rule_reads_well():
    assert repr(SimplestPossiblyBest("C")) == (
        "SimplestPossiblyBest(complexity='C', metric=None, test_train_ratio=None, alpha=0.05)"
    )


def test_a_fit_without_a_rule_leaves_no_report_of_the_last_one():
    search = StatisticalGridSearchCV(
        DecisionTreeClassifier(random_state=0),
        DEPTHS,
        cv=10,
        scoring=["accuracy", "roc_auc"],
        refit=SimplestPossiblyBest("max_depth", metric="roc_auc"),
    ).fit(X, y)
    assert len(search.selection_report_) == 5
    search.set_params(refit=False).fit(X, y)
    assert not hasattr(search, "selection_report_")


class Counted(DecisionTreeClassifier):
    n_fits = 0

    def fit(self, X, y):
        Counted.n_fits += 1
        return super().fit(X, y)


STEP = {"tree__max_depth": [1, 2], "tree__min_samples_leaf": [1, 5]}


@pytest.mark.parametrize("with_ledger", [False, True])
@pytest.mark.parametrize(
    ("rule", "error", "message"),
    [
        (
            SimplestPossiblyBest("max_depth"), ValueError,
            "`complexity` must name a parameter.*got 'max_depth'. Did you mean 'tree__max_depth'",
        ),
        (
            SimplestPossiblyBest("only_some"), ValueError,
            r"which candidate 0 does not have.*lambda params: params.get\('only_some', 0\)",
        ),
        (SimplestPossiblyBest({"tree__max_depth": "up"}), ValueError, "must be one of 'ascending'"),
        (SimplestPossiblyBest("tree__max_depth", alpha=5), ValueError, "`alpha` must be in"),
        (SimplestPossiblyBest(lambda params: params["C"]), KeyError, "C"),
        (SimplestNotPracticallyWorse("tree__max_depth", rope=-1), ValueError, "`rope` must be"),
        (SimplestWithinPercentLoss("tree__max_depth", percent=-1), ValueError, "`percent` must be"),
        (SimplestPossiblyBest, TypeError, r"`refit` must be a rule, such as Simplest.*the class"),
    ],
)  # fmt: skip
def test_a_rule_that_cannot_choose_is_refused_before_the_first_fit(
    rule, error, message, with_ledger, tmp_path
):
    grids = [STEP, {**STEP, "only_some": [1]}] if "only_some" in repr(rule) else STEP
    search = StatisticalGridSearchCV(
        Pipeline([("tree", Counted())]), grids, cv=3, refit=rule,
        ledger=tmp_path / "search.sqlite" if with_ledger else None,
    )  # fmt: skip
    Counted.n_fits = 0
    X = np.arange(60.0)[:, None]
    with pytest.raises(error, match=message):
        search.fit(X, np.arange(60) % 2)
    assert Counted.n_fits == 0


def test_a_rule_may_go_by_a_column_that_only_fits_make():
    X = np.arange(60.0)[:, None]
    rule = SimplestPossiblyBest(["mean_score_time", "max_depth"])
    search = StatisticalGridSearchCV(
        DecisionTreeClassifier(), {"max_depth": [1, 2]}, cv=3, refit=rule
    )
    search.fit(X, np.arange(60) % 2)
    assert search.best_index_ in (0, 1)


def test_results_without_mean_scores_raise():
    with pytest.raises(ValueError, match=r"a column mean_test_score .*; got a, params"):
        SimplestPossiblyBest("k")({"a": [1], "params": [{"k": 1}]})
