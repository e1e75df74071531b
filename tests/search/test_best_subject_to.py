"""BestSubjectTo: SciPy's one-sample tests, what is kept, the fallback, guarantees, in searches."""

import pickle
import warnings

import numpy as np
import pytest
from scipy import stats
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

from sklearn_stats_compare import (
    BestSubjectTo,
    ComparisonWarning,
    RacingGridSearchCV,
    SplitDesign,
    StatisticalGridSearchCV,
)
from sklearn_stats_compare.comparison import split_scores
from sklearn_stats_compare.stats import ScoreCriterion, SplitScores

X, y = make_classification(n_samples=150, n_features=8, flip_y=0.2, random_state=0)
DEPTHS = {"max_depth": [8, 5, 3, 2, 1]}
SIZES = [80] * 20, [20] * 20
FACTOR = np.sqrt(1 / 20 + 1 / 4)  # of the standard deviation of a split, 4 × 5 folds


def results_of(**metrics):
    """A cv_results_ of scores, candidates × splits; keywords of "mean_" are columns."""
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


def exact(means, std, n=20, seed=0):
    """Scores with exactly these means and this standard deviation."""
    noise = np.random.default_rng(seed).standard_normal((len(means), n))
    noise = (noise - noise.mean(axis=1, keepdims=True)) / noise.std(axis=1, ddof=1, keepdims=True)
    return np.asarray(means)[:, None] + std * noise


def choice(rule, results):
    scores = split_scores(results, rule.metric, SplitDesign(*SIZES))
    return rule.choose(results, scores)


# t of recall below 0.8: 2.0, 1.6 and −1.6; P(T > t) = 0.030, 0.063 and 0.937 with 19 degrees.
T = np.array([2.0, 1.6, -1.6])
AUC = exact([0.9, 0.8, 0.7], 0.01)
RECALL = exact(0.8 - T * 0.02 * FACTOR, 0.02, seed=1)


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
    chosen, report = choice(
        BestSubjectTo("auc", {"recall": 0.8}, **options), results_of(auc=AUC, recall=RECALL)
    )
    assert report.sort_index()["kept"].tolist() == kept
    assert chosen == np.flatnonzero(kept)[0]
    assert report.index[report["chosen"]].tolist() == [chosen]
    np.testing.assert_allclose(report.sort_index()["recall"], RECALL.mean(axis=1))


def test_p_values_are_those_of_scipy_where_splits_do_not_overlap():
    values = np.random.default_rng(0).normal(0.8, 0.05, (3, 20))
    results = results_of(auc=AUC, recall=values)
    for shown, alternative in ((False, "less"), (True, "greater")):
        rule = BestSubjectTo(
            "auc", {"recall": 0.8}, alpha=0.99 if shown else 0.001, shown_to_satisfy=shown
        )
        scores = split_scores(results, "auc", SplitDesign.from_ratio(1e-12, 20))
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
    results = results_of(auc=AUC, recall=RECALL, precision=other)
    assert choice(BestSubjectTo("auc", bounds), results)[1]["kept"].all()
    # The second takes too long: t = 0.5/(0.1·√(20/19)·FACTOR) = 8.9.
    timed = results_of(auc=AUC, recall=RECALL, mean_score_time=[0.1, 0.9, 0.2],
                       std_score_time=[0.1] * 3)  # fmt: skip
    chosen, report = choice(BestSubjectTo("auc", {"mean_score_time": 0.4}), timed)
    assert report.sort_index()["kept"].tolist() == [True, False, True]
    assert report.sort_index()["mean_score_time"].tolist() == [0.1, 0.9, 0.2]
    t = 0.5 / (0.1 * np.sqrt(20 / 19) * FACTOR)
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
    with pytest.warns(ComparisonWarning, match=f"{words}.*comes closest to the bounds"):
        chosen, report = choice(rule, results_of(auc=AUC, recall=RECALL))
    assert chosen == 2
    assert report.sort_index()["kept"].tolist() == [False, False, True]


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
        warnings.simplefilter("ignore", ComparisonWarning)
        report = choice(rule, results_of(auc=AUC[:1], recall=same))[1]
    assert float(report["why"][0].split()[2]) == pytest.approx(expected, rel=5e-3)


def test_perfect_recalls_of_few_positives_do_not_break_the_level():
    """Recall 0.97 of four positives a fold is 1 on all of five folds in half of the data sets."""
    rng = np.random.default_rng(0)
    recalls = rng.binomial(4, 0.97, size=(400, 5)) / 4
    assert (recalls == 1).all(axis=1).mean() > 0.4
    design = SplitDesign([40] * 5, [10] * 5, repeat=[0] * 5)
    p = ScoreCriterion(SplitScores(recalls, design)).pvalue_of_bound(0.975, "greater")
    assert (p < 0.05).mean() <= 0.05


@pytest.mark.parametrize("shown", [False, True])
def test_failed_candidates_are_never_taken(shown):
    recall = RECALL + 0.1
    recall[0, 3] = np.nan
    auc = AUC.copy()
    auc[1, 3] = np.nan
    rule = BestSubjectTo("auc", {"recall": 0.8}, shown_to_satisfy=shown)
    chosen, report = choice(rule, results_of(auc=auc, recall=recall))
    assert chosen == 2
    assert report.sort_index()["kept"].tolist() == [False, False, True]


def test_a_candidate_that_satisfies_is_rarely_left_out_and_one_that_violates_rarely_kept():
    # On the bound itself, the hardest place; splits share a variance of q beside their own, 1.
    rng, n_tables, m = np.random.default_rng(3), 400, 6
    lost = wrong = 0
    for _ in range(n_tables):
        noise = 0.5 * rng.standard_normal((m, 1)) + rng.standard_normal((m, 20))
        results = results_of(auc=np.arange(m)[:, None] + AUC[:1], recall=noise)
        lenient = choice(BestSubjectTo("auc", {"recall": 0.0}), results)[1]
        lost += not lenient.loc[0, "kept"]
        scores = split_scores(results, "auc", SplitDesign(*SIZES))
        strict = BestSubjectTo("auc", {"recall": 0.0}, shown_to_satisfy=True)
        criterion, bound = next(strict._bounded(scores, results))
        wrong += (m * criterion.pvalue_of_bound(bound, "greater")).min() < 0.05
    error = np.sqrt(0.05 * 0.95 / n_tables)
    assert lost / n_tables <= 0.05 + 2.5 * error
    assert wrong / n_tables <= 0.05 + 2.5 * error


@pytest.mark.parametrize("shown", [False, True])
def test_in_searches(shown):
    rule = BestSubjectTo("roc_auc", {"recall": 0.6}, shown_to_satisfy=shown)
    search = StatisticalGridSearchCV(
        DecisionTreeClassifier(random_state=0), DEPTHS, cv=10, scoring=["roc_auc", "recall"],
        refit=rule,
    ).fit(X, y)  # fmt: skip
    report = search.selection_report_
    assert report.loc[search.best_index_, "chosen"]
    assert search.best_index_ == report[report["kept"]].index[0]  # in rank order
    assert search.best_score_ == search.cv_results_["mean_test_roc_auc"][search.best_index_]
    assert search.comparison_.metric == "roc_auc"
    assert clone(search).refit == rule
    assert pickle.loads(pickle.dumps(search)).selection_report_.equals(report)
    ratio = search.test_train_ratio_
    plain_rule = BestSubjectTo(
        "roc_auc", {"recall": 0.6}, shown_to_satisfy=shown, test_train_ratio=ratio
    )
    plain = GridSearchCV(
        DecisionTreeClassifier(random_state=0), DEPTHS, cv=10, scoring=["roc_auc", "recall"],
        refit=plain_rule,
    ).fit(X, y)  # fmt: skip
    assert plain.best_index_ == search.best_index_ == plain_rule(search.cv_results_)


def test_a_comparison_has_one_metric():
    search = StatisticalGridSearchCV(
        DecisionTreeClassifier(random_state=0), DEPTHS, cv=10, scoring=["roc_auc", "recall"],
        refit="roc_auc",
    ).fit(X, y)  # fmt: skip
    with pytest.raises(ValueError, match=r"got 'recall'. A comparison has one metric.*cv_results_"):
        search.comparison_.choose(BestSubjectTo("roc_auc", {"recall": 0.6}))
    own = search.comparison_.choose(BestSubjectTo("roc_auc", {"roc_auc": 0.1}))
    assert own.index == search.best_index_


def test_in_a_race_it_says_that_candidates_are_left_out():
    race = RacingGridSearchCV(
        DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2, 3, 5, 8]}, cv=20,
        scoring=["roc_auc", "recall"], refit=BestSubjectTo("roc_auc", {"recall": 0.1}),
    )  # fmt: skip
    with pytest.warns(ComparisonWarning) as caught:
        race.fit(np.c_[y + np.random.default_rng(0).normal(0, 0.4, len(y)), X], y)
    assert any("The choice of BestSubjectTo" in str(one.message) for one in caught)
    assert race.selection_report_.loc[race.best_index_, "kept"]


class Unfitted(DecisionTreeClassifier):
    def fit(self, X, y):
        raise AssertionError


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
        (
            BestSubjectTo("recall", {"roc_auc": 1}, shown_to_satisfy="yes"),
            ValueError, "`shown_to_satisfy` must be True or False; got 'yes'",
        ),
        (BestSubjectTo, TypeError, r"such as BestSubjectTo\('roc_auc', {'recall': 0.9}\); got the"),
    ],
)  # fmt: skip
def test_an_impossible_rule_is_refused_before_the_first_fit(rule, error, message):
    search = StatisticalGridSearchCV(
        Unfitted(), DEPTHS, cv=10, scoring=["roc_auc", "recall"], refit=rule
    )
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
    search.set_params(refit=rule, estimator=DecisionTreeClassifier(random_state=0)).fit(X, y)
    assert search.selection_report_["kept"].all()
    assert search.best_index_ == search.comparison_.leader_index


def test_a_function_may_score_several_metrics():
    def both(estimator, X, y):
        accuracy = estimator.score(X, y)
        return {"accuracy": accuracy, "error": accuracy - 1}

    search = StatisticalGridSearchCV(
        DecisionTreeClassifier(random_state=0), DEPTHS, cv=10, scoring=both,
        refit=BestSubjectTo("accuracy", {"error": -0.9}),
    ).fit(X, y)  # fmt: skip
    assert search.selection_report_["kept"].all()
