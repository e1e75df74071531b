"""Random whole searches for Hypothesis: small data, cheap estimators, everything that `fit` takes.

A `Case` is built twice, once for our search and once for scikit-learn's, so that nothing is shared:
a one-shot generator of splits is made anew for each.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import Ridge
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneOut,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from sklearn_stats_compare import (
    Comparison,
    SimplestNotPracticallyWorse,
    SimplestPossiblyBest,
    SimplestWithinOneStandardError,
    SimplestWithinPercentLoss,
    SplitDesign,
    SplitScores,
)


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


SCORES = {
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
        return predicted.astype(float) * SCORES[self.mood] if self._odd(hit) else predicted

    def score(self, X, y=None):
        samples = np.asarray(X)[:, 0].astype(float)
        hit = self.unlucky is None or self.unlucky in samples
        self._fail("score", hit)
        if self.mood == "text" and hit:
            return "good"
        if self.mood == "vector" and hit:
            return np.array([1.0, 2.0])
        size = SCORES[self.mood] if self._odd(hit) else 1.0
        if self.mood == "noisy":  # tells candidates apart on every split
            return float(self.level + 0.1 * np.sin(samples.sum() * (1 + self.level)))
        return size * (1.0 if self.mood == "constant" else float(self.level + np.cos(samples[0])))

    def _odd(self, hit):
        return self.mood in SCORES and hit

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
    "calm", "noisy", "noisy", "constant", "fit", "predict", "score", "text", "vector", *SCORES,
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
    grids = st.dictionaries(
        st.sampled_from(sorted(names)), st.none(), max_size=len(names)
    )  # which names
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
    folds = KFold(min(k, n), shuffle=True, random_state=seed)
    made = {
        "int": lambda: k,
        "k-fold": lambda: KFold(k),
        "stratified": lambda: StratifiedKFold(k) if classification else KFold(k),
        "repeated": lambda: RepeatedKFold(n_splits=2, n_repeats=max(k // 2, 1), random_state=seed),
        "repeated, stratified": lambda: (
            RepeatedStratifiedKFold if classification else RepeatedKFold
        )(n_splits=2, n_repeats=max(k // 2, 1), random_state=seed),
        "shuffled": lambda: ShuffleSplit(k, test_size=0.3, random_state=seed),
        "grouped": lambda: GroupKFold(k),
        "list": lambda: list(folds.split(np.zeros(n))),
        "one-shot": lambda: (split for split in folds.split(np.zeros(n))),
        "masks": lambda: [
            (np.isin(np.arange(n), train), np.isin(np.arange(n), test))
            for train, test in folds.split(np.zeros(n))
        ],
        "in time": lambda: TimeSeriesSplit(k),
        "one by one": LeaveOneOut,
    }
    if not many:
        made |= {
            "default": lambda: None,
            "single": lambda: [(np.arange(n // 2), np.arange(n // 2, n))],
            "single shuffle": lambda: ShuffleSplit(1, random_state=seed),
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


_ROPES = [
    0.01,
    0,
    0.5,
    (-0.02, 0.05),
    (0.0, 0.0),
    [-0.1, 0.1],
    "1%",
    "0%",
    "250 %",
    (-np.inf, 0.1),
    1e300,
]
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
        st.builds(SimplestPossiblyBest, by, metric=metric),
        st.builds(SimplestWithinOneStandardError, by, metric=metric),
        st.builds(SimplestNotPracticallyWorse, by, metric=metric, rope=st.just(0.05)),
        st.builds(SimplestWithinPercentLoss, by, metric=metric, percent=st.just(5)),
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
