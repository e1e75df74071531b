"""Whole random searches: ours beside GridSearchCV, and every statistic that can be asked of them.

An ordinary run takes the same few examples each time. To hunt, with fresh ones, for an hour:

    HYPOTHESIS_PROFILE=long pytest tests/search/test_whole_searches.py

Data are small, estimators cheap. A `Case` is built twice, once for our search and once for
scikit-learn's, so that nothing is shared: a one-shot generator of splits is made anew for each.
"""

import html
import os
import pickle
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from types import GeneratorType
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn import model_selection as ms
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, is_classifier
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import sklearn_stats_compare as ssc
from sklearn_stats_compare import Comparison, SplitDesign, SplitScores
from sklearn_stats_compare.reports import report
from sklearn_stats_compare.reports._document import Document, Options
from sklearn_stats_compare.reports._report import _FORMATS
from sklearn_stats_compare.search._selection import SelectionRule

LONG = os.environ.get("HYPOTHESIS_PROFILE") == "long"
ROUNDING = 8 * np.finfo(float).eps
# The interval is a quantile and the verdict a tail probability; SciPy's quantiles of t hold ten
# digits (1.11) or more. Where p is alpha to seven digits, the two may fall on different sides.
BOUNDARY = 1e-7
pytestmark = pytest.mark.filterwarnings("ignore::sklearn_stats_compare.ComparisonWarning")
SCORES = np.random.default_rng(0).random((3, 12))


@dataclass(frozen=True)
class Case:
    """What one search is made of."""

    estimator: Any
    grid: Any
    X: Any
    y: Any
    groups: Any
    make_cv: Callable[[], Any]
    arguments: dict[str, Any]
    statistics: dict[str, Any]

    def fit(self, kind: Any, **more: Any) -> Any:
        """Fit a search of this kind."""
        search = kind(self.estimator, self.grid, cv=self.make_cv(), **{**self.arguments, **more})
        return search.fit(self.X, self.y, groups=self.groups)


ODD = {
    "tiny": 1e-200, "subnormal": 5e-324, "large": 1e149, "beyond": 1e200,
    "nan": np.nan, "inf": np.inf, "low": -np.inf,
}  # fmt: skip


class _Moody(BaseEstimator):
    """Scores by a formula, and fails in the way that `mood` says where `unlucky` is tested on.

    Column 0 of X holds the samples' numbers. `unlucky` None means everywhere.
    """

    def __init__(self, mood="calm", level=0.0, unlucky=None):
        self.mood, self.level, self.unlucky = mood, level, unlucky

    def fit(self, X, y=None):
        self.seen_ = np.asarray(X)[:, 0]
        self.classes_ = np.unique(y)
        self._fail("fit", self.unlucky is None or self.unlucky not in self.seen_)
        return self

    def predict(self, X):
        samples = np.asarray(X)[:, 0]
        hit = self.unlucky is None or self.unlucky in samples
        self._fail("predict", hit)
        predicted = np.resize(self.classes_, len(samples))
        return predicted.astype(float) * ODD[self.mood] if self._odd(hit) else predicted

    def score(self, X, y=None):
        samples = np.asarray(X)[:, 0].astype(float)
        hit = self.unlucky is None or self.unlucky in samples
        self._fail("score", hit)
        if self.mood == "text" and hit:
            return "good"
        if self.mood == "vector" and hit:
            return np.array([1.0, 2.0])
        size = ODD[self.mood] if self._odd(hit) else 1.0
        if self.mood == "noisy":  # tells candidates apart on every split
            return float(self.level + 0.1 * np.sin(samples.sum() * (1 + self.level)))
        return size * (1.0 if self.mood == "constant" else float(self.level + np.cos(samples[0])))

    def _odd(self, hit):
        return self.mood in ODD and hit

    def _fail(self, step, hit):
        if self.mood == step and hit:
            raise ZeroDivisionError(f"{step} fails")


class MoodyClassifier(ClassifierMixin, _Moody):
    """With a classifier's tags, so that splits are stratified."""

    score = _Moody.score


class MoodyRegressor(RegressorMixin, _Moody):
    """With a regressor's tags."""

    score = _Moody.score


def scored_by_half(estimator, X, y):
    """A scorer as a function."""
    return 0.5 * estimator.score(X, y)


def scored_twice(estimator, X, y):
    """A scorer that returns two metrics."""
    score = estimator.score(X, y)
    return {"one": score, "two": -2 * score}


def first_one(results):
    """A `refit` as a function."""
    return 0


def sixth(results):
    """A `refit` that often points beyond the candidates."""
    return 5


MOODS = [
    "calm", "noisy", "noisy", "constant", "fit", "predict", "score", "text", "vector", *ODD,
]  # fmt: skip


@st.composite
def _grids(draw, names):
    """One to six candidates, some of them twice, of values for each name."""
    if draw(st.booleans()):
        chosen = draw(st.lists(st.sampled_from(sorted(names)), max_size=2, unique=True))
        grid = {name: draw(st.lists(names[name], min_size=1, max_size=3)) for name in chosen}
        while np.prod([len(values) for values in grid.values()]) > 6:
            grid.popitem()
        return grid
    which = st.sampled_from(sorted(names))
    grids = st.dictionaries(which, st.none(), max_size=len(names))
    return [
        {name: [draw(names[name])] for name in chosen}
        for chosen in draw(st.lists(grids, min_size=1, max_size=6))
    ]


def _moody_names():
    return {
        "mood": st.sampled_from(MOODS),
        "level": st.sampled_from([0.0, 0.1, 0.1, 0.101, -3.0, 1]),
        "unlucky": st.sampled_from([None, 0, 3, 5]),
    }


def _estimators(classification):
    neighbours = KNeighborsClassifier if classification else KNeighborsRegressor
    tree = DecisionTreeClassifier if classification else DecisionTreeRegressor
    near = {
        "n_neighbors": st.sampled_from([1, 1, 2, 3, 200, 0, "many"]),
        "weights": st.sampled_from(["uniform", "distance", None]),
    }
    deep = {"max_depth": st.sampled_from([None, 1, 2, 3]), "min_samples_leaf": st.just(1)}
    inner = st.sampled_from([neighbours(1), neighbours(2), tree(max_depth=1, random_state=0)])
    piped = {"last": inner, "scale": st.sampled_from([None, "passthrough", StandardScaler()])}
    pipe = Pipeline([("scale", StandardScaler()), ("last", neighbours(1))])
    moody = MoodyClassifier() if classification else MoodyRegressor()
    found = [
        (moody, _moody_names()),
        (moody, _moody_names()),
        (neighbours(), near),
        (tree(random_state=0), deep),
        (pipe, piped),
    ]
    if classification:
        kinds = st.sampled_from(["most_frequent", "prior", "uniform", "stratified", "?"])
        dummy = {"strategy": kinds, "random_state": st.sampled_from([0, 1])}
        smooth = {"var_smoothing": st.sampled_from([1e-9, 1e-3, 1, 1.0, -1])}
        return [*found, (DummyClassifier(random_state=0), dummy), (GaussianNB(), smooth)]
    flat = {"strategy": st.sampled_from(["mean", "median"])}
    stiff = {"alpha": st.sampled_from([1e-3, 1.0, 1, 10.0, -1.0])}
    return [*found, (DummyRegressor(), flat), (Ridge(), stiff)]


def _data(draw, classification):
    n = draw(st.integers(8, 60))
    rng = np.random.default_rng(draw(st.integers(0, 9)))
    dtype = draw(st.sampled_from([np.float64, np.float32, np.int64]))
    X = np.column_stack([np.arange(n), rng.normal(0, 3, (n, 2))]).astype(dtype)
    if classification:
        y = rng.integers(0, draw(st.integers(2, 3)), n)
        y = (y + (X[:, 1] > 0)) % (y.max() + 1)
    else:
        y = (X[:, 1] + rng.normal(0, 1, n)).astype(draw(st.sampled_from([np.float64, np.float32])))
    form = draw(st.sampled_from(["numpy", "pandas", "lists"]))
    if form == "pandas":
        index = rng.permutation(n)
        X, y = pd.DataFrame(X, columns=["n", "a", "b"], index=index), pd.Series(y, index=index)
    elif form == "lists":
        X, y = X.tolist(), y.tolist()
    return X, y, n, np.arange(n) % draw(st.integers(2, 12))


def _splitters(draw, n, classification, many):
    """A function that makes a `cv`; of at least 10 splits where `many`."""
    least = 10 if many else 2
    k = draw(st.integers(least, 12))
    seed = draw(st.integers(0, 3))
    folds = ms.KFold(min(k, n), shuffle=True, random_state=seed)
    repeats = {"n_splits": 2, "n_repeats": max(k // 2, 1), "random_state": seed}
    made = {
        "int": lambda: k,
        "k-fold": lambda: ms.KFold(k),
        "stratified": lambda: ms.StratifiedKFold(k) if classification else ms.KFold(k),
        "repeated": lambda: ms.RepeatedKFold(**repeats),
        "repeated, stratified": lambda: (
            ms.RepeatedStratifiedKFold if classification else ms.RepeatedKFold
        )(**repeats),
        "shuffled": lambda: ms.ShuffleSplit(k, test_size=0.3, random_state=seed),
        "grouped": lambda: ms.GroupKFold(k),
        "list": lambda: list(folds.split(np.zeros(n))),
        "one-shot": lambda: (split for split in folds.split(np.zeros(n))),
        "masks": lambda: [
            (np.isin(np.arange(n), train), np.isin(np.arange(n), test))
            for train, test in folds.split(np.zeros(n))
        ],
        "in time": lambda: ms.TimeSeriesSplit(k),
        "one by one": ms.LeaveOneOut,
    }
    if not many:
        made |= {
            "default": lambda: None,
            "single": lambda: [(np.arange(n // 2), np.arange(n // 2, n))],
            "single shuffle": lambda: ms.ShuffleSplit(1, random_state=seed),
            "twice the same": lambda: 2 * [(list(range(n // 2)), list(range(n // 2, n)))],
            "empty": lambda: [],
            "a test of nothing": lambda: [(np.arange(n), np.arange(0)), *folds.split(np.zeros(n))],
            "a training of nothing": lambda: 3 * [(np.arange(0), np.arange(n))],
            "off by one": lambda: [(np.arange(n), np.array([n]))],
            "backwards": lambda: [(np.arange(n - 3), np.array([-3, -2, -1])), ([0, 1], [2, 3])],
        }
    if n > 24:
        del made["one by one"]
    return made[draw(st.sampled_from(sorted(made)))]


_ROPES = [0.01, 0, 0.5, (-0.02, 0.05), (0.0, 0.0), [-0.1, 0.1], "1%", "0%", "250 %"]
_ROPES += [(-np.inf, 0.1), 1e300]
STATISTICS = {
    "p_adjust": st.sampled_from(
        [None, "bonferroni", "sidak", "holm", "hochberg", "bh", "by", "maxt"]
    ),
    "alternative": st.sampled_from(["greater", "less", "two-sided"]),
    "rope": st.sampled_from(_ROPES),
    "alpha": st.sampled_from([0.05, 0.05, 0.2, 0.5, 0.9, 1e-3, 1e-12]),
}


def _rules(grid, metric):
    """Rules for `refit` that order by a parameter, or by what every search has."""
    names = sorted({name for part in (grid if isinstance(grid, list) else [grid]) for name in part})
    by = st.sampled_from([*names, "mean_fit_time_", "mean_test_score", len])
    return st.one_of(
        st.builds(ssc.Simplest, by, metric=metric),
        st.builds(ssc.Simplest, by, st.just("1se"), metric=metric),
        st.builds(ssc.Simplest, by, st.just("rope"), metric=metric, rope=st.just(0.05)),
        st.builds(ssc.Simplest, by, st.just("5%"), metric=metric),
    )


@st.composite
def cases(draw, many_splits=False):
    """A whole search; with `many_splits` one that may race."""
    classification = draw(st.booleans())
    estimator, names = draw(st.sampled_from(_estimators(classification)))
    grid = draw(_grids(names))
    X, y, n, groups = _data(draw, classification)
    one = "balanced_accuracy" if classification else "r2"
    other = "accuracy" if classification else "neg_mean_absolute_error"
    several = st.sampled_from([[one, other], (other,), {"a": one, "b": other}, scored_twice])
    single = st.sampled_from([None, None, one, other, scored_by_half, "roc_auc"])
    if draw(st.booleans()):
        scoring = draw(several)
        known = ["one", "two"] if callable(scoring) else list(scoring)
        metric = st.sampled_from(known)
        refit = draw(st.one_of(metric, st.just(False), st.just("no metric"), st.just(True),
                               _rules(grid, metric)))  # fmt: skip
    else:
        scoring = draw(single)
        callables = st.sampled_from([first_one, sixth])
        refit = draw(
            st.one_of(st.booleans(), st.just(True), st.just("score"),
                      _rules(grid, st.none()), *([] if many_splits else [callables]))
        )  # fmt: skip
    return Case(
        estimator, grid, X, y, groups, _splitters(draw, n, classification, many_splits),
        {
            "scoring": scoring,
            "refit": refit,
            "error_score": draw(st.sampled_from([np.nan, np.nan, 0, 0.25, -1, "raise"])),
            "return_train_score": draw(st.booleans()),
        },
        {name: draw(values) for name, values in STATISTICS.items()},
    )  # fmt: skip


_SIZES = [1e-200, 5e-324, 1e-12, 1.0, 1.0, 1.0, -1.0, 1e6, 1e149]


@st.composite
def comparisons(draw):
    """A comparison of up to five candidates: twins, shifted, rounded, constant, tiny, failed."""
    m, n_splits = draw(st.integers(1, 5)), draw(st.integers(1, 13))
    rng = np.random.default_rng(draw(st.integers(0, 99)))
    values = rng.normal(0, 1, (m, n_splits)) * draw(st.sampled_from([0.1, 0, 1e-9]))
    for i in range(m):
        values[i] += draw(st.sampled_from([0.5, 0.0, 0.1, -1.0]))
        kind = draw(st.sampled_from(
            ["as it is", "as it is", "twin", "shifted", "constant", "sized", "failed", "rounded"]
        ))  # fmt: skip
        if kind == "twin":
            values[i] = values[0]
        elif kind == "shifted":
            values[i] = values[0] + draw(st.sampled_from([1e-17, 1e-3, 0.01]))
        elif kind == "constant":
            values[i] = draw(st.sampled_from([-1.0, 0.0, 0.25, 1.0]))
        elif kind == "sized":
            values[i] *= draw(st.sampled_from(_SIZES))
        elif kind == "failed":
            values[i, -1] = draw(st.sampled_from([np.nan, np.inf, 1e200]))
        elif kind == "rounded":
            values[i] = values[i].round(1)
    ones = np.ones(n_splits, dtype=int)
    n_train = draw(st.sampled_from([90 * ones, 90 * ones, 0 * ones, ones.cumsum()]))
    n_test = draw(st.sampled_from([10 * ones, ones, rng.integers(0, 50, n_splits)]))
    repeat = draw(st.sampled_from([None, np.arange(n_splits) // max(1, n_splits // 2)]))
    statistics = {name: draw(kinds) for name, kinds in STATISTICS.items()}
    scores = SplitScores(values, SplitDesign(n_train, n_test, repeat=repeat))
    return Comparison(scores, **statistics, warn=False)


def examples(n, n_long):
    return settings(
        max_examples=n_long if LONG else n,
        derandomize=not LONG,
        deadline=None,
        print_blob=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


@examples(10, 1500)
@given(cases())
def test_a_search_is_grid_searchs_and_its_statistics_hold(case):
    ours, theirs = both(case, ssc.StatisticalGridSearchCV)
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


@examples(6, 700)
@given(cases(many_splits=True))
def test_a_race_runs_cells_of_grid_searchs_and_its_statistics_hold(case):
    scoring, refit = case.arguments["scoring"], case.arguments["refit"]
    more = {"random_state": 0}
    if refit is False and not isinstance(scoring, str | None):
        more["race_metric"] = "one" if callable(scoring) else next(iter(scoring))
    ours, theirs = both(case, ssc.RacingGridSearchCV, **more)
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


@examples(6, 6000)
@given(comparisons())
def test_statistics_of_any_scores_hold(comparison):
    """Without a fit, so of many more and of stranger scores."""
    check_comparison(comparison)


def both(case, kind, **more):
    """Ours and scikit-learn's, fitted; twice None where both are refused, with the same error."""
    has_rule = isinstance(case.arguments["refit"], SelectionRule)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-learn's, of failed fits and infinite scores
        theirs, expected = attempt(case, ms.GridSearchCV, **({"refit": False} if has_rule else {}))
        ours, found = attempt(case, kind, **case.statistics, **more)
    if kind is ssc.RacingGridSearchCV:
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
        words = (*words, "`by`", "cannot choose", "A percentage", "`metric`")
        if not isinstance(error, ValueError) or "parameter of" in str(error):
            return
    assert isinstance(error, ValueError), repr(error)
    assert any(word in str(error) for word in words), repr(error)


def check_statistics(search, case):
    """All that can be asked of a fitted search, without any warning but our own."""
    check_sizes(search, case)
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
    check_verdicts(comparison)
    check_reversed(comparison)
    check_the_best(comparison)
    check_words(comparison)
    check_pickled(comparison)


def check_sizes(search, case):
    n = len(case.y)
    cv = ms.check_cv(case.make_cv(), case.y, classifier=is_classifier(case.estimator))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that groups are ignored
        splits = list(cv.split(case.X, case.y, case.groups))
    sizes = [[len(np.unique(np.arange(n)[part])) for part in split] for split in splits]
    assert np.column_stack([search.n_train_, search.n_test_]).tolist() == sizes


def check_tables(comparison, search, metric):
    """Against a straightforward computation, pair by pair."""
    n_splits, rows = search.n_splits_, list(comparison._candidates)
    scores = np.array([search.cv_results_[f"split{k}_test_{metric}"] for k in range(n_splits)]).T
    known = {i: (np.abs(scores[i]) <= 1e150).all() for i in rows}
    ratio = overlap_of(search, comparison.scores.design)
    index = dict(zip(comparison.labels, rows, strict=True))
    frequentist = comparison.frequentist(alternative="two-sided")
    bayesian = comparison.bayesian()
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
    leader = comparison.against().drop(columns=["verdict"])
    first = comparison.frequentist().head(len(leader))
    pd.testing.assert_frame_equal(leader[list(first.columns[:-1])], first.iloc[:, :-1])


def overlap_of(search, design):
    """Σ n_test / Σ n_train, where a split that uses a part of the pool counts as using the rest."""
    n_train, n_test = search.n_train_, search.n_test_
    if design.n_samples is not None and not (design.expanding or design.sliding):
        n_train = np.where(n_train > 0, np.maximum(n_train, design.n_samples - n_test), 0)
    return n_test.sum() / n_train.sum() if n_train.any() else np.inf


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
    low, high = comparison._settings.rope
    for i in range(len(labels) - 1):
        there = comparison.posterior(labels[i], labels[i + 1])
        back = comparison.posterior(labels[i + 1], labels[i])
        mirrored = back.probabilities((-high, -low)) if low == low else back.probabilities()
        np.testing.assert_allclose(there.probabilities(), mirrored[::-1], atol=1e-14)
        np.testing.assert_array_equal(there.loc, -back.loc)
    same = {name: getattr(comparison, name) for name in STATISTICS}
    reversed_scores = SplitScores(scores.values[::-1], scores.design)
    backwards = Comparison(reversed_scores, labels[::-1], warn=False, **same)
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
    probability = comparison.possibly_best(method="bayes", everyone=True, rng=0)
    known = probability["best_prob"].dropna()
    if n_known and n_splits > 1 and np.isfinite(comparison.scores.design.variance_factor):
        np.testing.assert_allclose(known.sum(), 1, atol=1e-12)
        assert len(known) == n_known
        assert known.between(0, 1).all()
        assert (probability["within_rope_prob"].dropna() >= known - 1e-12).all()
    for method in ("mcb", "maxt"):
        possible = comparison.possibly_best(method=method)
        assert (comparison.leader in set(possible["label"])) == (n_known > 0)
    p_val = comparison.possibly_best(method="mcs", everyone=True)["p_val"]
    assert p_val.dropna().between(0, 1).all()


def check_words(comparison):
    assert comparison.metric in repr(comparison)
    assert comparison.ranking()["label"].tolist()[0] in html.unescape(comparison._repr_html_())
    options = Options(None, "", None, None, None, "booktabs", "column", None)
    document = Document.of(comparison, options)  # once, for all formats
    for format, write in _FORMATS.items():
        assert write(document) or format == "bibtex"  # one candidate is tested by no method


def check_pickled(comparison):
    again = pickle.loads(pickle.dumps(comparison))
    for name in ("frequentist", "bayesian", "against", "ranking"):
        pd.testing.assert_frame_equal(getattr(comparison, name)(), getattr(again, name)())


@pytest.mark.parametrize("p_adjust", [None, "bonferroni", "sidak"])
def test_just_beside_p_the_interval_and_the_verdict_agree(p_adjust):
    """At alpha = p exactly rounding decides; a millionth to either side it must not."""
    values = np.random.default_rng(0).normal([[0.9], [0.85], [0.8]], 0.03, (3, 12))
    scores = SplitScores(values, SplitDesign([90] * 12, [10] * 12))
    comparison = Comparison(scores, alternative="two-sided", p_adjust=p_adjust, rope=0)
    for row, p in enumerate(comparison.frequentist()["p_val"]):
        assert 0 < p < 0.5
        for alpha, expected in ((p * (1 + 1e-6), True), (p * (1 - 1e-6), False)):
            pair = comparison.with_settings(alpha=alpha).frequentist().iloc[row]
            assert (pair["verdict"] == "better") == expected
            assert (pair["ci_low"] > 0) == expected


@pytest.mark.usefixtures("no_pictures")
@pytest.mark.parametrize("alpha", [0.8, pytest.param(0.9, marks=pytest.mark.slow), 0.999])
def test_a_level_above_the_usual_power_is_reported(alpha):
    design = SplitDesign([90] * 12, [10] * 12, repeat=[0] * 12)
    comparison = Comparison(SplitScores(SCORES, design), alpha=alpha, warn=False)
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


# What the first has is in the third, too.
@pytest.mark.parametrize(
    "case", [pytest.param(next(iter(STRANGE)), marks=pytest.mark.slow), *list(STRANGE)[1:]]
)
def test_strange_scores_are_reported_without_a_warning(case):
    scores, n_train, rope = STRANGE[case]
    design = SplitDesign([n_train] * 12, [9] * 12)
    comparison = Comparison(SplitScores(scores, design), rope=rope, warn=False)
    check_comparison(comparison)
    if n_train == 0:  # nobody is said to be the best
        best = comparison.possibly_best(method="bayes", everyone=True)
        assert best[["best_prob", "within_rope_prob"]].isna().all(axis=None)
