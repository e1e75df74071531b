"""Whole random searches: ours beside GridSearchCV, and every statistic that can be asked of them.

An ordinary run takes the same few examples each time. To hunt, with fresh ones, for an hour:

    HYPOTHESIS_PROFILE=long pytest tests/search/test_whole_searches.py
"""

import os
import pickle
import warnings
from types import GeneratorType

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from scipy import stats
from sklearn.base import is_classifier
from sklearn.model_selection import GridSearchCV, check_cv
from whole_searches import cases, comparisons

from sklearn_stats_compare import (
    Comparison,
    ComparisonWarning,
    RacingGridSearchCV,
    SplitDesign,
    SplitScores,
    StatisticalGridSearchCV,
)
from sklearn_stats_compare.reports import report
from sklearn_stats_compare.reports._document import Document
from sklearn_stats_compare.reports._report import _FORMATS
from sklearn_stats_compare.reports._report_options import Options
from sklearn_stats_compare.search.selection import SelectionRule

LONG = os.environ.get("HYPOTHESIS_PROFILE") == "long"
ROUNDING = 8 * np.finfo(float).eps
# The interval is a quantile and the verdict a tail probability; SciPy's quantiles of t hold ten
# digits (1.11) or more. Where p is alpha to seven digits, the two may fall on different sides.
BOUNDARY = 1e-7
SCORES = np.random.default_rng(0).random((3, 12))


def examples(n, n_long):
    return settings(
        max_examples=n_long if LONG else n,
        derandomize=not LONG,
        deadline=None,
        print_blob=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


@examples(40, 1500)
@given(cases())
def test_a_search_is_grid_searchs_and_its_statistics_hold(case):
    ours, theirs = both(case, StatisticalGridSearchCV)
    if ours is None:
        return
    assert list(ours.cv_results_) == list(theirs.cv_results_)
    for key, values in theirs.cv_results_.items():
        if "_time" not in key:
            np.testing.assert_array_equal(ours.cv_results_[key], values, err_msg=key)
    if not isinstance(ours.refit, SelectionRule):
        for name in ("best_index_", "best_params_", "best_score_", "n_splits_", "multimetric_"):
            assert hasattr(ours, name) == hasattr(theirs, name)
            np.testing.assert_equal(getattr(ours, name, None), getattr(theirs, name, None))
    check_statistics(ours, case)


@examples(20, 700)
@given(cases(many_splits=True))
def test_a_race_runs_cells_of_grid_searchs_and_its_statistics_hold(case):
    scoring, refit = case.arguments["scoring"], case.arguments["refit"]
    more = {"random_state": 0}
    if refit is False and not isinstance(scoring, str | None):
        more["race_metric"] = "one" if callable(scoring) else next(iter(scoring))
    ours, theirs = both(case, RacingGridSearchCV, **more)
    if ours is None:
        return
    n_run = ours.cv_results_["n_splits_evaluated"]
    whole = n_run == theirs.n_splits_
    assert ours.n_splits_ == theirs.n_splits_
    for key, full in theirs.cv_results_.items():
        raced = ours.cv_results_[key]
        if key.startswith("param"):
            np.testing.assert_array_equal(raced, full)
        elif key.startswith("split"):
            np.testing.assert_array_equal(raced[whole], full[whole])
            np.testing.assert_array_equal(raced, np.where(np.isnan(raced), np.nan, full))
    cells = [
        np.isfinite(scores)
        for key, scores in ours.cv_results_.items()
        if key.startswith("split") and key.endswith(f"_test_{ours.race_metric_}")
    ]
    assert (np.sum(cells, axis=0) <= n_run).all()
    if hasattr(ours, "best_index_") and whole.any():
        assert whole[ours.best_index_]
    check_statistics(ours, case)


@examples(150, 6000)
@given(comparisons())
def test_statistics_of_any_scores_hold(comparison):
    """Without a fit, so of many more and of stranger scores."""
    check_comparison(comparison)


def both(case, kind, **more):
    """Ours and scikit-learn's, fitted; twice None where both are refused, with the same error."""
    has_rule = isinstance(case.arguments["refit"], SelectionRule)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-learn's, of failed fits and infinite scores
        theirs, expected = attempt(case, GridSearchCV, **({"refit": False} if has_rule else {}))
        ours, found = attempt(case, kind, **case.statistics, **more)
    if kind is RacingGridSearchCV:
        # A race may drop a candidate before the split on which it would have stopped the search.
        if expected is not None:
            return None, None
        if found is not None:
            assert_refused_in_words(found, "race_metric", "at least 10 splits", has_rule=has_rule)
    elif has_rule and expected is None and found is not None:
        assert_refused_in_words(found, has_rule=True)
    else:
        assert type(found) is type(expected), (found, expected)
    return (None, None) if found is not None else (ours, theirs)


def attempt(case, kind, **more):
    try:
        return case.fit(kind, **more), None
    except Exception as error:
        return None, error


def assert_refused_in_words(error, *words, has_rule):
    """A refusal of ours, or the last refit of a candidate that a rule chose and that fails."""
    if has_rule:
        words = (*words, "`complexity`", "cannot choose", "A percentage", "`metric`")
        if not isinstance(error, ValueError) or "parameter of" in str(error):
            return
    assert isinstance(error, ValueError), repr(error)
    assert any(word in str(error) for word in words), repr(error)


def check_statistics(search, case):
    """All that can be asked of a fitted search, without any warning but our own."""
    check_sizes(search, case)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ComparisonWarning)
        metrics = [key[10:] for key in search.cv_results_ if key.startswith("mean_test_")]
        for metric in metrics:
            comparison = search.compare(metric=metric if search.multimetric_ else None)
            check_tables(comparison, search, metric)
            check_comparison(comparison)
        if search._record.metric is not None and not isinstance(search.cv, GeneratorType):
            again = pickle.loads(pickle.dumps(search))
            pd.testing.assert_frame_equal(search.pairwise_bayesian_, again.pairwise_bayesian_)
            assert repr(again.comparison_) == repr(search.comparison_)


def check_comparison(comparison):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ComparisonWarning)
        check_verdicts(comparison)
        check_reversed(comparison)
        check_the_best(comparison)
        check_words(comparison)
        check_pickled(comparison)


def check_sizes(search, case):
    n = len(case.y)
    cv = check_cv(case.make_cv(), case.y, classifier=is_classifier(case.estimator))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that groups are ignored
        splits = list(cv.split(case.X, case.y, case.groups))
    sizes = [[len(np.unique(np.arange(n)[part])) for part in split] for split in splits]
    assert np.column_stack([search.n_train_, search.n_test_]).tolist() == sizes


def check_tables(comparison, search, metric):
    """Against a straightforward computation, pair by pair."""
    n_splits, rows = search.n_splits_, list(comparison.candidates)
    scores = np.array([search.cv_results_[f"split{k}_test_{metric}"] for k in range(n_splits)]).T
    known = {i: (np.abs(scores[i]) <= 1e150).all() for i in rows}
    n_train, n_test = int(search.n_train_.sum()), int(search.n_test_.sum())
    ratio = n_test / n_train if n_train else np.inf
    index = dict(zip(comparison.labels, rows, strict=True))
    frequentist = comparison.frequentist(alternative="two-sided")
    bayesian = comparison.pairwise_bayesian
    assert len(frequentist) == len(bayesian) == len(rows) * (len(rows) - 1) // 2
    for row, other in zip(frequentist.itertuples(), bayesian.itertuples(), strict=True):
        i, j = index[row.model_1], index[row.model_2]
        assert (row.verdict == "missing") == (not (known[i] and known[j]))
        numbers = [row.mean_diff, row.std_err, row.p_val, other.better_prob]
        if row.verdict == "missing" or n_splits < 2:
            assert np.isnan(numbers).all()
            continue
        largest = max(np.abs(scores[[i, j]]).max(), np.finfo(float).tiny)
        d = scores[i] / largest - scores[j] / largest
        noise = d.std(ddof=1) <= ROUNDING
        std_err = 0.0 if noise else d.std(ddof=1) * np.sqrt(1 / n_splits + ratio)
        np.testing.assert_allclose(row.std_err / largest, std_err, rtol=1e-6, atol=1e-14)
        np.testing.assert_allclose(row.mean_diff / largest, d.mean(), atol=1e-14)
        if not noise:
            p = 2 * stats.t.sf(abs(d.mean() / std_err), n_splits - 1)
            np.testing.assert_allclose(row.p_unadjusted, p, rtol=1e-6)
        three = [other.worse_prob, other.rope_prob, other.better_prob]
        assert min(three) >= 0
        assert max(three) <= 1
        np.testing.assert_allclose(sum(three), 1, atol=1e-12)
    leader = comparison.leader_table.drop(columns=["verdict"])
    first = comparison.pairwise_frequentist.head(len(leader))
    pd.testing.assert_frame_equal(leader[list(first.columns[:-1])], first.iloc[:, :-1])


def check_verdicts(comparison):
    """A verdict beside the interval that it is read with."""
    table = comparison.frequentist(alternative="two-sided")
    alpha, verdict = comparison.alpha, table["verdict"]
    excludes = (table["ci_low"] > 0) | (table["ci_high"] < 0)
    decided = verdict.isin(["better", "worse"])
    assert ((table["p_val"] < alpha) | ~decided).all()
    settled = (table["p_val"] / alpha - 1).abs() > BOUNDARY
    checked = settled & (verdict != "equivalent")
    if comparison.p_adjust in (None, "bonferroni", "sidak"):
        assert (excludes == decided)[checked].all(), table
    elif comparison.p_adjust in ("holm", "maxt"):
        assert (decided | ~excludes)[checked].all(), table
    right_way = np.sign(table["mean_diff"]) == verdict.map({"better": 1, "worse": -1}).astype(float)
    assert right_way[decided].all()


def check_reversed(comparison):
    """Candidates in reverse order give the same pairs, and j − i is minus i − j."""
    scores, labels = comparison.scores, comparison.labels
    low, high = comparison.rope_bounds
    for i in range(len(labels) - 1):
        there = comparison.posterior(labels[i], labels[i + 1])
        back = comparison.posterior(labels[i + 1], labels[i])
        mirrored = back.probabilities((-high, -low)) if low == low else back.probabilities()
        np.testing.assert_allclose(there.probabilities(), mirrored[::-1], atol=1e-14)
        np.testing.assert_array_equal(there.loc, -back.loc)
    backwards = Comparison(
        SplitScores(scores.values[::-1], scores.design),
        labels[::-1],
        warn=False,
        **{
            name: getattr(comparison, name) for name in ("alternative", "p_adjust", "rope", "alpha")
        },
    )
    tables = [
        c.frequentist(alternative="two-sided").astype({"model_1": str, "model_2": str})
        for c in (comparison, backwards)
    ]
    pairs = [
        {frozenset((row.model_1, row.model_2)): row for row in table.itertuples()}
        for table in tables
    ]
    assert set(pairs[0]) == set(pairs[1])
    # The draws are the same, but meet sums in another order.
    tolerance = {"rtol": 1e-9, "atol": 1e-3 if comparison.p_adjust == "maxt" else 1e-14}
    for pair, row in pairs[0].items():
        other = pairs[1][pair]
        sign = 1 if row.model_1 == other.model_1 else -1  # ties rank by index
        np.testing.assert_array_equal(row.mean_diff, sign * other.mean_diff)
        np.testing.assert_allclose(row.std_err, other.std_err, rtol=1e-12)
        np.testing.assert_allclose(row.p_val, other.p_val, **tolerance)
        if sign == 1 and comparison.p_adjust != "maxt":
            assert row.verdict == other.verdict


def check_the_best(comparison):
    n_known, n_splits = comparison.scores.n_available, comparison.scores.n_splits
    probability = comparison.probability_best(200, rng=0)
    known = probability["best_prob"].dropna()
    if n_known and n_splits > 1 and np.isfinite(comparison.scores.design.variance_factor):
        np.testing.assert_allclose(known.sum(), 1, atol=1e-12)
        assert len(known) == n_known
        assert known.between(0, 1).all()
        assert (probability["within_rope_prob"].dropna() >= known - 1e-12).all()
    for method in ("bonferroni", "maxt"):
        possible = comparison.possibly_best(method=method)
        assert (comparison.leader in set(possible["label"])) == (n_known > 0 and n_splits > 1)
    assert comparison.model_confidence_set()["p_val"].dropna().between(0, 1).all()


def check_words(comparison):
    assert comparison.metric in repr(comparison)
    assert comparison.ranking["label"].tolist()[0] in comparison._repr_html_().replace(
        "&#x27;", "'"
    )
    document = Document.of(comparison, Options())  # once, for all formats
    for format, write in _FORMATS.items():
        assert write(document) or format == "bibtex"  # one candidate is tested by no method


def check_pickled(comparison):
    again = pickle.loads(pickle.dumps(comparison))
    for name in ("pairwise_frequentist", "pairwise_bayesian", "leader_table", "ranking"):
        pd.testing.assert_frame_equal(getattr(comparison, name), getattr(again, name))


@pytest.mark.parametrize("p_adjust", [None, "bonferroni", "sidak"])
def test_just_beside_p_the_interval_and_the_verdict_agree(p_adjust):
    """At alpha = p exactly rounding decides; a millionth to either side it must not."""
    rng = np.random.default_rng(0)
    scores = SplitScores(
        rng.normal([[0.9], [0.85], [0.8]], 0.03, (3, 12)), SplitDesign([90] * 12, [10] * 12)
    )
    comparison = Comparison(scores, alternative="two-sided", p_adjust=p_adjust, rope=0)
    for row, p in enumerate(comparison.pairwise_frequentist["p_val"]):
        assert 0 < p < 0.5
        for alpha, expected in ((p * (1 + 1e-6), True), (p * (1 - 1e-6), False)):
            pair = comparison.with_settings(alpha=alpha).pairwise_frequentist.iloc[row]
            assert (pair["verdict"] == "better") == expected
            assert (pair["ci_low"] > 0) == expected


def test_where_nothing_was_trained_on_nobody_is_said_to_be_the_best():
    design = SplitDesign([0] * 12, [9] * 12)
    scores = SplitScores(np.random.default_rng(0).random((3, 12)), design)
    comparison = Comparison(scores, warn=False)
    assert comparison.probability_best()[["best_prob", "within_rope_prob"]].isna().all(axis=None)


@pytest.mark.parametrize("alpha", [0.8, 0.9, 0.999])
def test_a_level_above_the_usual_power_is_reported(alpha):
    scores = np.random.default_rng(0).random((3, 12))
    design = SplitDesign([90] * 12, [10] * 12, repeat=[0] * 12)
    comparison = Comparison(SplitScores(scores, design), alpha=alpha, warn=False)
    for format in ("text", "markdown", "latex", "html", "json"):
        found = " ".join(report(comparison, format).replace("\\,", " ").split()).replace("\\", "")
        assert f"probability of {50 * (1 + alpha):g} % (in a single test" in found


STRANGE = {
    "nothing trained on": (SCORES, 0, 0.01),
    "nothing trained on, and no spread": ([[0.1] * 12, [0.1] * 12], 0, 0.01),
    "nothing trained on, and a ROPE without an end": (SCORES, 0, (-np.inf, 0.1)),
    "a ROPE of 1e200 standard errors": (SCORES * 1e-200, 90, 0.1),
    "a ROPE beyond all numbers": (SCORES * 1e-12, 90, 1e300),
}


@pytest.mark.parametrize("case", STRANGE)
def test_strange_scores_are_reported_without_a_warning(case):
    scores, n_train, rope = STRANGE[case]
    design = SplitDesign([n_train] * 12, [9] * 12)
    check_comparison(Comparison(SplitScores(scores, design), rope=rope, warn=False))
