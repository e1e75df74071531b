"""Levels where they are most likely to fail: few splits, coarse scores, many candidates, noise.

python -m benchmarks.hard_cells [share of the tables, default 1]

Every cell has equal candidates, so that every claim of a difference is false; in the last ones an
assumption does not hold. Prints, at a nominal
5 %, the share of tables with a false claim and the share of candidates that a set leaves out. Races
are in benchmarks/racing.py, looks in benchmarks/looks.py; all are in docs/evidence.
"""

import sys
import time
import warnings

import numpy as np
import pandas as pd
from scipy.stats import norm
from scipy.stats import t as student
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression, LogisticRegression, Perceptron
from sklearn.metrics import get_scorer
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from benchmarks._cells import folds
from benchmarks._logistic import accuracies, areas, decisions, equal_blocks, log_losses, masks
from benchmarks._nested_cells import block
from benchmarks._race_rules import race
from benchmarks._sample_cells import of_accuracy, of_log_loss, with_samples
from benchmarks.looks import any_difference
from sklearn_stats_compare import (
    Comparison,
    ComparisonWarning,
    SplitDesign,
    SplitScores,
    compare_predictions,
    nested_score,
)
from sklearn_stats_compare.comparison._planning import Undecided
from sklearn_stats_compare.evaluation import make_cost_scorer
from sklearn_stats_compare.predictions._influence import sample_values
from sklearn_stats_compare.stats import SampleScores, _best, _family
from sklearn_stats_compare.stats._best import (
    ScoreCriterion,
    TimeCriterion,
    model_confidence_set_pvalues,
    possibly_best_pvalues,
    possibly_pareto_pvalues,
    regret_bounds,
)
from sklearn_stats_compare.stats._corrected_t import PairedTTests, limit_pvalue
from sklearn_stats_compare.stats._family import PAIR_TESTS, Family, Settings
from sklearn_stats_compare.stats._nested import selection_optimism
from sklearn_stats_compare.stats._power import level_of_interim_analysis
from sklearn_stats_compare.stats._race import SampleElimination, Schedule
from sklearn_stats_compare.stats._score_range import ScoreRange, mean_limits
from sklearn_stats_compare.stats.datasets._bayesian import bayesian_signed_rank_pairs
from sklearn_stats_compare.stats.datasets._hierarchical import bayesian_hierarchical

ALPHA = 0.05
# With p = (1 + count)/(1 + draws) the level does not depend on the number of draws.
N_DRAWS = 1000


def normal(n_candidates, n_splits, n_folds, *, structured=False):
    """Normal scores of exactly the dependence that the correction assumes.

    Candidates are independent, or of very different variances and in correlated groups.
    """

    def table(rng):
        mix = np.eye(n_candidates)
        if structured:
            mix = rng.standard_normal((n_candidates, 3)) @ rng.standard_normal((3, n_candidates))
            mix = mix / 2 + np.diag(rng.uniform(0.3, 2, n_candidates))
        shared = np.sqrt(1 / (n_folds - 1)) * rng.standard_normal((n_candidates, 1))
        values = mix @ (shared + rng.standard_normal((n_candidates, n_splits)))
        sizes = [100 * (n_folds - 1)] * n_splits, [100] * n_splits
        return SplitScores(values, SplitDesign(*sizes, np.arange(n_splits) // n_folds))

    return table


def binomial(n_candidates, n_splits, n_test, *, uneven=0, alike=0.8):
    """Shares of right answers, of which candidates give a part alike; folds of two sizes."""
    n = np.full(n_splits, n_test)
    n[: n_splits // 2] += uneven
    design = SplitDesign(n.sum() - n, n, np.zeros(n_splits, dtype=int))

    def table(rng):
        columns = []
        for size in n:
            own = rng.random((n_candidates, size)) < 0.8
            same = rng.random((n_candidates, size)) < alike
            columns.append(np.where(same, rng.random(size) < 0.8, own).mean(axis=1))
        return SplitScores(np.column_stack(columns), design)

    return table


def log_loss_of_blocks(n_candidates, n_samples, shift):
    """Logistic regressions on features of their own, five folds, log loss."""

    def table(rng):
        X, y = equal_blocks(rng, n_samples=n_samples, n_models=n_candidates, shift=shift)
        train, test = masks(StratifiedKFold(5), y)
        values = -log_losses(decisions(X, y, train), y, test)
        return SplitScores(
            values, SplitDesign(train.sum(axis=1), test.sum(axis=1), np.zeros(5, dtype=int))
        )

    return table


def trees_on_noise(n_candidates, n_samples):
    """Trees that see other features of pure noise each, five folds, accuracy."""

    def table(rng):
        X, y = rng.standard_normal((n_samples, 8)), rng.permutation(np.arange(n_samples) % 2)
        splits = list(StratifiedKFold(5).split(X, y))
        trees = [
            DecisionTreeClassifier(max_features=1, random_state=k) for k in range(n_candidates)
        ]
        values = [
            [tree.fit(X[train], y[train]).score(X[test], y[test]) for train, test in splits]
            for tree in trees
        ]
        design = SplitDesign.from_indices(splits, n_samples)
        return SplitScores(values, design)

    return table


def constant_classifiers(n_samples, splitter):
    """Always the one class and always the other, of two that are equally frequent."""

    def table(rng):
        y = rng.random(n_samples) < 0.5
        splits = list(splitter.split(np.zeros(n_samples), y))
        shares = np.array([y[test].mean() for _, test in splits])
        return SplitScores([shares, 1 - shares], SplitDesign.from_indices(splits, n_samples))

    return table


def naive_bayes_with_priors(n_samples, splitter):
    """Two naive Bayes classifiers that prefer the one class and the other alike."""

    def table(rng):
        y = rng.random(n_samples) < 0.5
        X = rng.standard_normal((n_samples, 2)) + 0.7 * y[:, None]
        splits = list(splitter(rng).split(X, y))
        values = [
            [
                GaussianNB(priors=priors).fit(X[train], y[train]).score(X[test], y[test])
                for train, test in splits
            ]
            for priors in ([0.8, 0.2], [0.2, 0.8])
        ]
        return SplitScores(values, SplitDesign.from_indices(splits, n_samples))

    return table


def few_groups(n_candidates, n_groups, n_splits):
    """Many splits that draw the test groups from a few; candidates are stable."""

    def table(rng):
        of_group = rng.standard_normal((n_candidates, n_groups))
        tests = [rng.choice(n_groups, 2, replace=False) for _ in range(n_splits)]
        values = np.column_stack([of_group[:, test].mean(axis=1) for test in tests])
        return SplitScores(values, SplitDesign([20 * (n_groups - 2)] * n_splits, [40] * n_splits))

    return table


def near_chance(n_candidates, n_samples, shift):
    """Nearest centroids on one feature each, 10×10 folds."""

    def table(rng):
        X, y = equal_blocks(
            rng, n_samples=n_samples, n_models=n_candidates, n_features=1, shift=shift
        )
        train, test = masks(folds(rng, 10, 10), y)
        X, columns = X[:, :, 0], []
        for k in range(len(train)):
            one, other = X[:, train[k] & y].mean(axis=1), X[:, train[k] & ~y].mean(axis=1)
            middle = ((one + other) / 2)[:, None]
            predicted = (X[:, test[k]] > middle) == (one > other)[:, None]
            columns.append((predicted == y[test[k]]).mean(axis=1))
        design = SplitDesign(train.sum(axis=1), test.sum(axis=1), np.arange(100) // 10)
        return SplitScores(np.column_stack(columns), design)

    return table


CELLS = {
    "normal, 10 candidates, 1 × 2 folds": (normal(10, 2, 2), 800),
    "normal, 10 candidates, 1 × 3 folds": (normal(10, 3, 3), 800),
    "normal, 10 candidates, 1 × 5 folds": (normal(10, 5, 5), 1500),
    "normal, 30 candidates, 1 × 5 folds": (normal(30, 5, 5), 1000),
    "normal, 100 candidates, 1 × 5 folds": (normal(100, 5, 5), 200),
    "normal, 10 candidates, 1 × 10 folds": (normal(10, 10, 10), 1500),
    "normal, 30 candidates, 1 × 10 folds": (normal(30, 10, 10), 1000),
    "normal, 100 candidates, 1 × 10 folds": (normal(100, 10, 10), 200),
    "normal, 30 candidates, 4 × 5 folds": (normal(30, 20, 5), 2500),
    "normal, 30 candidates, 3 × 10 folds": (normal(30, 30, 10), 1000),
    "normal, 100 candidates, 3 × 10 folds": (normal(100, 30, 10), 200),
    "unlike variances, 30 candidates, 1 × 5 folds": (normal(30, 5, 5, structured=True), 1000),
    "unlike variances, 30 candidates, 3 × 10 folds": (normal(30, 30, 10, structured=True), 1000),
    "coarse, 50 candidates, 5 folds of 10 samples": (binomial(50, 5, 10), 500),
    "coarse, 50 candidates, 5 folds of 10 or 11": (binomial(50, 5, 10, uneven=1), 500),
    "coarse, 50 candidates, 5 folds of 50 or 51": (binomial(50, 5, 50, uneven=1), 500),
    "coarse, 100 candidates, 2 folds of 20": (binomial(100, 2, 20), 200),
    "log loss, 10 candidates, 5 folds of 60": (log_loss_of_blocks(10, 300, 0.4), 500),
    "log loss, 30 candidates, 5 folds of 60": (log_loss_of_blocks(30, 300, 0.4), 300),
    "log loss near chance, 30 candidates, 5 folds of 20": (log_loss_of_blocks(30, 100, 0.1), 300),
    "trees on noise, 40 candidates, 5 folds of 12": (trees_on_noise(40, 60), 200),
    "trees on noise, 40 candidates, 5 folds of 60": (trees_on_noise(40, 300), 200),
}


BEYOND = {
    "two constant classifiers, 10 folds of 30": (
        constant_classifiers(300, KFold(10)), 500,
    ),
    "the same, stratified": (constant_classifiers(300, StratifiedKFold(10)), 500),
    "two mirrored priors, stratified 3 × 10 of 200": (
        naive_bayes_with_priors(200, lambda rng: folds(rng, 10, 3)), 200,
    ),
    "10 candidates, 50 splits of 2 of 8 groups": (few_groups(10, 8, 50), 500),
    "10 candidates, 50 splits of 2 of 40 groups": (few_groups(10, 40, 50), 500),
    "one feature near chance, 10 candidates, 10×10": (near_chance(10, 300, 0.06), 200),
}  # fmt: skip
"""Where the assumptions do not hold: what happens there is recorded, without a bound."""


def by(p_adjust):
    """Two-sided settings under an adjustment."""
    return Settings("two-sided", p_adjust, (-0.01, 0.01), ALPHA)


def of_table(scores, rng):
    """False claims of one table, and the share of candidates that each set leaves out."""
    tests = PairedTTests.all_pairs(scores)
    confidence = model_confidence_set_pvalues(scores, rng=rng)
    by_bonferroni = Family(scores, tests, by("bonferroni"))
    return {
        "Bonferroni, any": by_bonferroni.pvalue("two-sided").min() < ALPHA,
        "max-t, any": Family(scores, tests, by("maxt"), rng).pvalue("two-sided").min() < ALPHA,
        "confidence set, any": confidence.min() < ALPHA,
        "possibly best, each": np.mean(possibly_best_pvalues(scores) < ALPHA),
        "by max-t, each": np.mean(possibly_best_pvalues(scores, method="maxt", rng=rng) < ALPHA),
    }


def rates(name, share=1.0, seed=3):
    """Means and standard errors over the tables of a cell."""
    table, n_tables = (CELLS | BEYOND)[name]
    n_tables = max(2, round(share * n_tables))
    rng = np.random.default_rng(seed)
    draws = _family.N_DRAWS
    _family.N_DRAWS = _best.N_DRAWS = N_DRAWS
    try:
        found = pd.DataFrame([of_table(table(rng), rng) for _ in range(n_tables)]).astype(float)
    finally:
        _family.N_DRAWS = _best.N_DRAWS = draws
    return pd.DataFrame({"rate": found.mean(), "se": found.std(ddof=1) / np.sqrt(n_tables)})


def right_and_further_right(rng, n_samples, share, n_folds, n_repeats, *, swapped=0.0):
    """Two stable models: the first is right wherever the second is, and on a share more.

    With `swapped`, each is also right on such a share on which the other is wrong. Predictions do
    not change between repeats.
    """
    uniform = rng.random(n_samples)
    first = uniform >= swapped
    second = (uniform < swapped) | (uniform >= 2 * swapped + share)
    return two_models(np.stack([first, second]).astype(float), n_folds, n_repeats, rng)


def two_models(right, n_folds, n_repeats, rng=0):
    """Scores of models that are right (1) or wrong (0) on samples, alike in every repeat."""
    rng, n_samples = np.random.default_rng(rng), right.shape[1]
    orders = [rng.permutation(n_samples) for _ in range(n_repeats)]
    repeats = [right[:, order].reshape(2, n_folds, -1).mean(axis=2) for order in orders]
    values = np.concatenate(repeats, axis=1)
    n_test = np.full(values.shape[1], n_samples // n_folds)
    design = SplitDesign(n_samples - n_test, n_test, np.repeat(np.arange(n_repeats), n_folds))
    samples = SampleScores(np.repeat(right[:, None], n_repeats, axis=1), n_folds)
    return SplitScores(values, design, samples)


# (metric, units of the class, samples in each, half-width of the ROPE), of 300 samples
UNITS = (
    ("recall", 30, 1, 0.05), ("recall", 30, 1, 0.1),
    ("recall", 12, 10, 0.1), ("recall", 12, 10, 0.25),
    ("roc_auc", 30, 1, 0.05), ("roc_auc", 12, 10, 0.1),
    ("balanced_accuracy", 30, 1, 0.03), ("f1", 30, 1, 0.03), ("accuracy", 12, 10, 0.05),
    ("weighted accuracy", 30, 1, 0.03), ("weighted accuracy", 30, 1, 0.06),
    ("cost", 30, 1, 0.05), ("cost", 30, 1, 0.1),
    ("precision", 15, 1, 0.05), ("precision", 15, 1, 0.2),
)  # fmt: skip
"""Two models that agree but for units of one class, or the heavy ones, which only one predicts."""


def agreeing_units(rng, metric, n_units, size, margin, n_samples=300):
    """Scores of a model that is always right, and of one that is worse by `margin`; five folds.

    The second misses whole units, groups of `size` samples: of the class, of all for accuracy, or
    of those with a weight, or a cost, of ten. By precision both predict `n_units` of 100 positives,
    and the second puts a negative in place of those that it loses.
    """
    n_positive = n_units * size
    y = (np.arange(n_samples) < n_positive).astype(int)
    groups = np.arange(n_samples) // size
    share = n_positive / n_samples
    # By how much a lost share of the units reduces the score.
    loss = {"balanced_accuracy": 2 * margin, "f1": 2 * margin / (1 + margin)}.get(metric, margin)
    costs_more = {"weighted accuracy": 1 + (1 - share) / (10 * share), "cost": 1 / (10 * share)}
    loss *= costs_more.get(metric, 1.0)
    lost = np.repeat(rng.random(groups.max() + 1) < loss, size)[:n_samples]
    if metric != "accuracy":
        lost &= y == 1
    said = {"first": y, "second": np.where(lost, 1 - y, y)}
    if metric == "roc_auc":  # scores, of which those that are lost are below all others
        said = {"first": y + 0.5, "second": np.where(lost, -0.5, y + 0.5)}
    if metric == "precision":
        y, rows = (np.arange(n_samples) < 100).astype(int), np.arange(n_units)
        said = {name: np.zeros(n_samples, dtype=int) for name in said}
        said["first"][rows] = 1
        said["second"][np.where(lost[rows], 200 + rows, rows)] = 1
    fold = groups % 5
    if metric == "weighted accuracy":
        return _weighted(np.array([*said.values()]) == y, np.where(y, 10, 1), fold)
    if metric == "cost":
        metric = make_cost_scorer([[0, 1], [10, 0]])
    of_groups = {} if size == 1 else {"groups": groups}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)
        own = compare_predictions(
            y, said, metric=metric, folds=fold, test="corrected_t", **of_groups
        )
    return own.scores


def _weighted(right, weights, fold):
    tests = [fold == k for k in range(5)]
    values = [np.average(right[:, test], axis=1, weights=weights[test]) for test in tests]
    n_test = np.array([test.sum() for test in tests])
    design = SplitDesign(len(fold) - n_test, n_test, np.zeros(5, dtype=int))
    return SplitScores(np.transpose(values), design, n_independent=weights.sum() / weights.max())


# (groups, samples in each, share of errors, correlation within a group)
GROUPS = (
    (20, 50, 0.2, 0.0), (20, 50, 0.1, 0.2), (20, 10, 0.03, 0.05), (20, 50, 0.01, 0.2),
    (10, 20, 0.1, 0.5), (50, 5, 0.03, 0.5), (20, 50, 0.1, 0.5), (20, 50, 0.1, 0.0),
    (10, 50, 0.2, 0.1), (20, 50, 0.05, 1.0),
)  # fmt: skip
"""Errors of a model, or of one model alone, that are more or less alike within groups."""

# The same, and a share of scattered errors.
GROUPS_BEYOND = ((20, 25, 0.08, 1.0, 0.05), (40, 25, 0.05, 1.0, 0.05), (40, 100, 0.03, 0.4, 0.05))
"""Where whole kinds of groups fail beside errors that hide how few of them were seen."""


def rates_with_groups(rng, n_groups, size, error, alike, scattered=0.0, *, n):
    """How often intervals of an accuracy miss it, and false claims that a difference is less.

    Error rates of groups are beta distributed. "Groups" counts each group as one sample.
    """
    shape = (n, n_groups)
    rates = np.full(shape, error) if alike == 0 else (rng.random(shape) < error) * 1.0
    if 0 < alike < 1:
        scale = (1 - alike) / alike
        rates = rng.beta(error * scale, (1 - error) * scale, shape)
    rates, error = (1 - (1 - own) * (1 - scattered) for own in (rates, error))
    wrong = rng.binomial(size, rates) / size
    lead, std = wrong.mean(axis=1), wrong.std(axis=1, ddof=1)
    std_err, t = std / n_groups**0.5, student.isf(0.025, n_groups - 1)
    found = {}
    for name, n_rows in (("", n_groups * size), (" of groups", 0.0)):
        within = ScoreRange(0, 1, n_groups, 1.0, are_shares=True, n_rows=n_rows)
        low, high = mean_limits(1 - lead, std_err, t, within)
        found[f"missed{name}"] = np.mean((low > 1 - error) | (high < 1 - error))
        found[f"width{name}"] = np.mean(high - low)
    found["missed of t"] = np.mean(np.abs(lead - error) > t * std_err)
    found["width of t"] = np.mean(2 * t * std_err)
    none = np.zeros(n, dtype=bool)
    pairs = PairedTTests(
        none.astype(int), none.astype(int), lead, std, none, n_groups - 1, 1 / n_groups,
        n_agreed=n_groups, n_shared=n_groups, n_rows=n_groups * size,
    )  # fmt: skip
    for name, margin, counted in (
        ("claimed", error, pairs.n_counted),
        ("claimed of t", error, np.inf),
        ("twice excluded", 2 * error, pairs.n_counted),
    ):
        p = limit_pvalue(lead, pairs.std_err, pairs.df, margin, counted)
        found[name] = np.mean(p < ALPHA)
    return pd.Series(found)


def claims_of_a_margin(scores, margin, test):
    """Claims on two models of which the first is better by `margin`: all are false."""
    settings = Settings("two-sided", None, (-margin, margin), ALPHA, test)
    tests = test.against(scores, 0, np.array([1]))
    family = Family(scores, tests, settings, n_tests=1)
    low, high = family.interval()
    # The second model takes a second less, so that it would dominate the first one.
    times = TimeCriterion(np.array([2.0, 1.0]), np.full(2, 0.01), scores.design)
    of_accuracy = ScoreCriterion(scores, test, "accuracy")
    return {
        "shortfall": regret_bounds(scores, alpha=ALPHA, test=test)[1] < margin - 1e-9,
        "dominates": possibly_pareto_pvalues([of_accuracy, times], [margin, 0.1])[0][0] < ALPHA,
        "satisfies": of_accuracy.pvalue_of_bound(1 - margin, "greater")[1] < ALPHA,
        "interval": not low[0] - 1e-9 <= margin <= high[0] + 1e-9,
        "equivalent": family.decisions(tests.rope_probabilities(settings.rope)).equivalent[0],
    }


MARGINS = {
    "100 samples, margin .03, 10 × 10": dict(n_samples=100, share=0.03, n_folds=10, n_repeats=10),
    "300 samples, margin .01, 5 × 2": dict(n_samples=300, share=0.01, n_folds=5, n_repeats=2),
    "300 samples, margin .02, 5 × 1": dict(n_samples=300, share=0.02, n_folds=5, n_repeats=1),
    "100 samples, margin .05, .01 swapped, 10 × 2": dict(
        n_samples=100, share=0.05, n_folds=10, n_repeats=2, swapped=0.01
    ),
}
"""Two models that differ by exactly the margin of the claims, on few samples."""


def rare_losses(n_samples, share, n_tables=4000, seed=3):
    """Scores of two equal candidates, of which one has rare losses of 10 to 20, as SplitScores.

    The other one loses as much everywhere. 5 × 2 folds; values are those of stable models.
    """
    rng = np.random.default_rng(seed)
    n_test = np.full(10, n_samples // 5)
    design = SplitDesign(n_samples - n_test, n_test, np.arange(10) // 5)
    for _ in range(n_tables):
        costly = rng.random(n_samples) < share
        loss = np.where(costly, rng.uniform(10, 20, n_samples), 0.0)
        common = 0.3 * rng.standard_normal((2, n_samples))
        values = -common - np.stack([loss, np.full(n_samples, 15 * share)])
        orders = [rng.permutation(n_samples) for _ in range(2)]
        splits = [values[:, order].reshape(2, 5, -1).mean(axis=2) for order in orders]
        samples = SampleScores(np.repeat(values[:, None], 2, axis=1), 5)
        yield SplitScores(np.concatenate(splits, axis=1), design, samples), costly.any()


RARE_LOSSES = {
    f"{n} samples, losses of 10 to 20 on {share:.1%}": (n, share)
    for n, share in ((100, 0.005), (100, 0.01), (100, 0.03), (300, 0.01), (1000, 0.005))
}
"""Losses of an overconfident candidate: if all costly samples are missed, no test can see them."""


def rare_loss_rates(name, n_tables=4000):
    """Shares of tables with a claim by each test, over all and over those with a costly sample."""
    rows = [
        {
            test: PAIR_TESTS[test].all_pairs(scores).pvalue("two-sided")[0] < ALPHA
            for test in ("corrected_t", "samples")
        }
        | {"warned": scores.samples.few_decide, "seen": seen}
        for scores, seen in rare_losses(*RARE_LOSSES[name], n_tables)
    ]
    table = pd.DataFrame(rows)
    seen = table[table["seen"]].drop(columns="seen").add_suffix(", some seen")
    found = pd.concat([table.mean(), seen.mean()])
    sizes = np.repeat([len(table), len(seen)], [table.shape[1], seen.shape[1]])
    return pd.DataFrame({"rate": found, "se": np.sqrt(found * (1 - found) / sizes)})


def measured(one, n_tables, seed=3):
    """Means over tables of what `one(rng)` returns, and their standard errors."""
    rng = np.random.default_rng(seed)
    found = pd.DataFrame([one(rng) for _ in range(n_tables)]).astype(float)
    return pd.DataFrame({"rate": found.mean(), "se": found.std(ddof=1) / np.sqrt(found.count())})


def of_tests(scores):
    """Shares of the pairs of equal candidates that each test calls different."""
    return {
        test: np.mean(PAIR_TESTS[test].all_pairs(scores).pvalue("two-sided") < ALPHA)
        for test in ("corrected_t", "samples")
    }


# Intervals of one score


def nested_interval(data, n_samples, model, scoring, n_folds, methods=("corrected_t", "samples")):
    """Whether 95 % intervals of `nested_score` contain the score of the fitted model, and widths.

    The model of all samples is scored on 20,000 new ones.
    """

    def one(rng):
        X, y = data(rng, n_samples)
        kind = StratifiedKFold if y.dtype == bool else KFold
        cv = kind(n_folds, shuffle=True, random_state=int(rng.integers(2**31)))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ComparisonWarning)
            nested = nested_score(model, X, y, cv=cv, scoring=scoring, interval=methods[-1])
            truth = get_scorer(scoring)(model.fit(X, y), *data(rng, 20_000))
            ends = {name: nested.confidence_interval(method=name) for name in methods}
        found = {}
        for name, (low, high) in ends.items():
            found |= {name: low <= truth <= high, f"{name}, width": high - low}
        return found | {"error": nested.score - truth}

    return one


def skewed(rng, n_samples):
    """Log-normal targets of a linear model of their logarithm."""
    X, y = linear_of_five(rng, n_samples)
    return X, np.exp(y)


def linear_of_five(rng, n_samples):
    """A target that depends on five features, with an R² of one half."""
    X = rng.standard_normal((n_samples, 5))
    return X, X.sum(axis=1) / np.sqrt(5) + rng.standard_normal(n_samples)


def rare_positives(rng, n_samples):
    """Two classes, of which one has a tenth of the samples."""
    X, y = equal_blocks(rng, n_samples=n_samples, n_models=1, share=0.1)
    return X[0], y


EVERY = ("corrected_t", "samples", "bates")
INTERVALS = {
    "accuracy .976, n = 60": (
        nested_interval(block(0.886), 60, LogisticRegression(), "accuracy", 5, EVERY), 400
    ),
    "accuracy .990, n = 100": (
        nested_interval(block(1.04), 100, LogisticRegression(), "accuracy", 5, EVERY), 400
    ),
    "accuracy .991, n = 200": (
        nested_interval(block(1.058), 200, LogisticRegression(), "accuracy", 5, EVERY), 400
    ),
    "accuracy .81, n = 100": (
        nested_interval(block(), 100, LogisticRegression(), "accuracy", 5, EVERY), 400
    ),
    "ROC AUC .997, n = 60": (
        nested_interval(block(0.886), 60, LogisticRegression(), "roc_auc", 5), 400
    ),
    "R², n = 60, 10 folds": (
        nested_interval(linear_of_five, 60, LinearRegression(), "r2", 10), 400
    ),
    "R², n = 300, 5 folds": (
        nested_interval(linear_of_five, 300, LinearRegression(), "r2", 5), 400
    ),
    "R², log-normal, n = 100, 5 folds": (
        nested_interval(skewed, 100, LinearRegression(), "r2", 5), 400
    ),
    "F1, 10 % positives, n = 200": (
        nested_interval(rare_positives, 200, GaussianNB(), "f1", 5), 400
    ),
    "average precision, 10 % positives, n = 200": (
        nested_interval(rare_positives, 200, GaussianNB(), "average_precision", 5), 400
    ),
}  # fmt: skip
"""Coverage of 95 % intervals of `nested_score`, over tables."""


def selected_interval(n_samples, m, shift, n_repeats, score=accuracies):
    """Whether `optimism`'s 95 % interval contains the leader's score; equal regressions."""
    truth = []

    def table(rng):
        X, y = equal_blocks(rng, n_samples=n_samples, n_models=m, shift=shift)
        train, test = masks(folds(rng, 10, n_repeats), y)
        values = score(decisions(X, y, train), y, test)
        sizes = train.sum(axis=1), test.sum(axis=1)
        return SplitScores(values, SplitDesign(*sizes, np.arange(len(train)) // 10))

    def one(rng):
        if not truth:  # all candidates are equal
            truth.append(np.mean([table(rng).means.mean() for _ in range(300)]))
        scores = table(rng)
        metric = "accuracy" if score is accuracies else ""
        low, high = selection_optimism(scores, rng=rng, metric=metric).limits(0.025)
        return {"covered": low <= truth[0] <= high, "too high": low > truth[0], "width": high - low}

    return one


SELECTED = {
    "60 samples near chance, 10 candidates, 10 × 10": (selected_interval(60, 10, 0.05, 10), 400),
    "60 samples, 2 candidates at .79, 10 × 10": (selected_interval(60, 2, 0.4, 10), 400),
    "60 samples near chance, 10 candidates, 10 × 1": (selected_interval(60, 10, 0.05, 1), 400),
    "ROC AUC, 60 samples near chance, 10 candidates, 10 × 10": (
        selected_interval(60, 10, 0.05, 10, areas),
        400,
    ),
    "ROC AUC, 60 samples, 2 candidates at .87, 10 × 10": (
        selected_interval(60, 2, 0.4, 10, areas),
        400,
    ),
    "ROC AUC, 60 samples near chance, 10 candidates, 10 × 1": (
        selected_interval(60, 10, 0.05, 1, areas),
        400,
    ),
}
"""Coverage of the interval of `optimism`, over tables."""


# Equal candidates


def mirrored_thresholds(n_folds, n_repeats, n_samples=300):
    """Weak logistic regressions with weights of 4 to 1 for either class, on stratified folds."""

    def one(rng):
        X, y = equal_blocks(rng, n_samples=n_samples, n_models=1, shift=0.15)
        train, test = masks(folds(rng, n_folds, n_repeats), y)
        value = decisions(X, y, train)[0]
        right = np.stack([(value > threshold) == y[:, None] for threshold in np.log([4, 1 / 4])])
        return of_tests(with_samples(right.astype(float), train, test, n_folds))

    return one


def precision_of_two_positives(n_folds, n_repeats):
    """Average precision of equal logistic regressions; a fold has two positives of 20 samples."""

    def one(rng):
        X, y = equal_blocks(rng, n_samples=20 * n_folds, n_models=4)
        y[:] = np.arange(len(y)) % 10 == 0
        X = rng.standard_normal(X.shape) + 0.4 * np.where(y, 1.0, -1.0)[:, None]
        train, test = masks(folds(rng, n_folds, n_repeats), y)
        value, found = decisions(X, y, train), np.zeros((4, len(y), len(train)))
        for k, some in enumerate(test):
            for i in range(4):
                own = sample_values("average_precision_score", y[some], value[i, some, k])
                found[i, some, k] = own
        return of_tests(with_samples(found, train, test, n_folds))

    return one


def by_both_tests(y, predictions, metric, cv):
    """Whether equal models are called different, and whether the test of samples has doubts."""
    found = {}
    for test in ("corrected_t", "samples"):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            own = compare_predictions(y, predictions, metric=metric, folds=cv, test=test)
        found[test] = any_difference(own)
    return found | {"warned": bool(caught)}


def classes_alike(metric, n_samples):
    """50 classifiers, right on 80 % of two classes, that differ on few samples; five folds."""

    def one(rng):
        y, cv = np.arange(n_samples) % 2, np.arange(n_samples) // 2 % 5
        same = rng.random(n_samples) < 0.8
        predictions = {}
        for k in range(50):
            is_own = rng.random(n_samples) < 0.02
            right = np.where(is_own, rng.random(n_samples) < 0.8, same)
            predictions[k] = np.where(right, y, 1 - y)
        return by_both_tests(y, predictions, metric, cv)

    return one


def areas_of_few_positives(n_positive, n_samples, n_repeats):
    """Linear discriminants on features of their own, with one area under the ROC curve."""

    def one(rng):
        y = (np.arange(n_samples) < n_positive).astype(int)
        X = rng.standard_normal((n_samples, 10)) + 0.67 * y[:, None]
        cv = list(folds(rng, 5, n_repeats).split(X, y))
        value = {name: np.zeros((n_repeats, n_samples)) for name in "ab"}
        for k, (train, test) in enumerate(cv):
            for name, own in (("a", X[:, :5]), ("b", X[:, 5:])):
                model = LinearDiscriminantAnalysis().fit(own[train], y[train])
                value[name][k // 5, test] = model.decision_function(own[test])
        return by_both_tests(y, value, "roc_auc", cv)

    return one


def reseeded_perceptrons(n_samples):
    """Two perceptrons that differ in their seed: a whole fit varies from training to training."""

    def one(rng):
        X = rng.standard_normal((n_samples, 10))
        y = (0.7 * X[:, :5].sum(axis=1) + rng.logistic(size=n_samples) > 0).astype(int)
        cv = list(folds(rng, 5, 1).split(X, y))
        said = {
            name: cross_val_predict(Perceptron(random_state=int(rng.integers(1e9))), X, y, cv=cv)
            for name in "ab"
        }
        return by_both_tests(y, said, "accuracy", cv)

    return one


def copied_rows(n_copies, n_folds, n_repeats, n_different=100):
    """Two stable models, of which each is right on some samples; every row occurs several times."""

    def one(rng):
        right = (rng.random((2, n_different)) < 0.8).astype(float)
        right = np.repeat(right, n_copies, axis=1)[:, rng.permutation(n_copies * n_different)]
        return of_tests(two_models(right, n_folds, n_repeats, rng))

    return one


def given_predictions(n_samples, agree):
    """Two equal models that agree on a share of samples, by the default of compare_predictions."""

    def one(rng):
        y = rng.random(n_samples) < 0.5
        both = rng.random(n_samples) < agree
        right = np.where(both, rng.random(n_samples) < 0.8, rng.random((2, n_samples)) < 0.8)
        predictions = dict(zip("ab", np.where(right, y, ~y), strict=True))
        fold = rng.permutation(n_samples) % 5
        found = compare_predictions(y, predictions, metric="accuracy", folds=fold)
        table = found.frequentist()
        return {"samples": table["verdict"].isin(["better", "worse"]).any()}

    return one


def looks_by_samples(n_models, n_samples, score, most=10):
    """``extend(until="decided", test="samples")``: a look after every repeat of five folds."""

    def one(rng):
        X, y = equal_blocks(rng, n_samples=n_samples, n_models=n_models)
        train, test = masks(folds(rng, 5, most), y)
        whole = with_samples(score(X, y, train, test), train, test, 5)
        level = level_of_interim_analysis(
            part_of(whole, 1).design,
            range(5, 5 * most + 1, 5),
            ALPHA,
            n_models * (n_models - 1) // 2,
        )
        fixed = Comparison(whole, test="samples", warn=False)
        for n_repeats in range(1, most + 1):
            part = Comparison(part_of(whole, n_repeats), test="samples", alpha=level, warn=False)
            if Undecided.of(part).stop_reason is not None:
                break
        return {"until decided": any_difference(part), "fixed": any_difference(fixed),
                "repeats": n_repeats}  # fmt: skip

    return one


def part_of(scores, n_repeats):
    """The first repeats of five folds, with their values of samples."""
    design, kept = scores.design, slice(0, 5 * n_repeats)
    part = SplitDesign(design.n_train[kept], design.n_test[kept], design.repeat[kept])
    samples = SampleScores(scores.samples.values[:, :n_repeats], 5)
    return SplitScores(scores.values[:, kept], part, samples)


EQUAL = {
    "thresholds, 5 × 1": (mirrored_thresholds(5, 1), 1000),
    "thresholds, 5 × 2": (mirrored_thresholds(5, 2), 1000),
    "thresholds, 10 × 10": (mirrored_thresholds(10, 10), 300),
    "average precision, two positives a fold, 5 × 1": (precision_of_two_positives(5, 1), 500),
    "average precision, two positives a fold, 5 × 2": (precision_of_two_positives(5, 2), 500),
    "areas, 10 of 300 positive, 5 × 1": (areas_of_few_positives(10, 300, 1), 500),
    "areas, 10 of 300 positive, 5 × 2": (areas_of_few_positives(10, 300, 2), 500),
    "areas, 40 of 300 positive, 5 × 2": (areas_of_few_positives(40, 300, 2), 500),
    "perceptrons, n = 1,000": (reseeded_perceptrons(1000), 500),
    "perceptrons, n = 5,000": (reseeded_perceptrons(5000), 200),
    "macro F1 of 50 alike, n = 100": (classes_alike("f1_macro", 100), 100),
    "macro F1 of 50 alike, n = 1,000": (classes_alike("f1_macro", 1000), 100),
    "Matthews of 50 alike, n = 500": (classes_alike("matthews_corrcoef", 500), 100),
    "rows twice, 5 × 2": (copied_rows(2, 5, 2), 2000),
    "rows three times, 5 × 2": (copied_rows(3, 5, 2), 2000),
    "given predictions, n = 30": (given_predictions(30, 0.0), 1000),
    "given predictions, n = 60": (given_predictions(60, 0.0), 1000),
    "given predictions, n = 100": (given_predictions(100, 0.0), 1000),
    "given predictions, n = 30, agree on 80 %": (given_predictions(30, 0.8), 1000),
    "given predictions, n = 100, agree on 80 %": (given_predictions(100, 0.8), 1000),
    "looks by samples, accuracy, n = 100": (looks_by_samples(2, 100, of_accuracy), 400),
    "looks by samples, log loss, n = 100": (looks_by_samples(2, 100, of_log_loss), 400),
    "looks by samples, ten candidates, n = 100": (looks_by_samples(10, 100, of_accuracy), 200),
}
"""Claims of a difference between equal candidates, over tables."""


# Several data sets of unequal variances


def unequal_datasets(n_datasets, ratio, *, by_size=False):
    """Ten folds on data sets without a true difference, on one of which scores vary more.

    With `by_size`, the true differences of data sets vary too, with a mean of 0, and noisier data
    sets have the larger ones.
    """

    def one(rng):
        noise = np.full(n_datasets, 0.01)
        noise[: max(1, n_datasets // 5)] *= ratio
        delta = rng.standard_normal(n_datasets) * (noise if by_size else 0.0)
        shared = np.sqrt(0.1) * rng.standard_normal((n_datasets, 1))
        own = np.sqrt(0.9) * rng.standard_normal((n_datasets, 10))
        d = delta[:, None] + noise[:, None] * (shared + own)
        means = d.mean(axis=1)
        squares = ((d - means[:, None]) ** 2).sum(axis=1)
        signed = bayesian_signed_rank_pairs([means, np.zeros(n_datasets)], n_draws=1000, rng=rng)
        model = bayesian_hierarchical(
            means, squares, 10, 0.1, n_chains=4, n_draws=100, n_warmup=60, rng=rng
        )
        better = signed.better[0]
        positive = np.mean(model.delta0 > 0)
        low, high = model.average_interval(0.95)
        return {
            "signed rank": max(better, 1 - better) > 0.95,
            "hierarchical": max(positive, 1 - positive) > 0.95,
            "δ₀ in 95 %": low <= 0 <= high,
        }

    return one


DATASETS = {
    "10 data sets, equal": (unequal_datasets(10, 1), 300),
    "10 data sets, two with 10 times the deviation": (unequal_datasets(10, 10), 300),
    "20 data sets, four with 10 times the deviation": (unequal_datasets(20, 10), 300),
    "10 data sets, two with 10 times, differences too": (
        unequal_datasets(10, 10, by_size=True), 300
    ),
}  # fmt: skip
"""Probabilities above 0.95 that one of two models is better; there is no difference on average."""


# Races with a tolerance


def tolerated(n_candidates, n_samples, spread, tolerance, n_splits=30):
    """Whether a race chooses a mean more than `tolerance` below the best of the full table."""

    def one(rng):
        # Candidates that are right on samples as their own probability says, refitted a little.
        skill = 0.8 + spread * rng.standard_normal(n_candidates)
        hard = rng.standard_normal(n_samples)
        own = rng.standard_normal((n_candidates, n_samples))
        repeats = n_splits // 5
        orders = np.stack([rng.permutation(n_samples) for _ in range(repeats)])
        refit = rng.standard_normal((n_candidates, repeats, n_samples))
        value = np.sqrt(0.6) * hard + np.sqrt(0.3) * own[:, None] + np.sqrt(0.1) * refit
        right = (value < norm.ppf(np.clip(skill, 0.01, 0.99))[:, None, None]).astype(float)
        tests = list(orders.reshape(n_splits, -1))
        values = np.stack(
            [right[:, k // 5, test] for k, test in enumerate(tests)], axis=1
        )  # candidates × splits × samples of a fold
        table = values.mean(axis=2)
        order = rng.permutation(n_splits)
        rule = SampleElimination(
            lambda i, at: values[i, order[at]], [tests[k] for k in order], n_candidates, "pooled",
            None,
        )  # fmt: skip
        result = race(
            lambda rows, at: table[np.ix_(rows, order[at])], n_candidates, n_splits,
            schedule=Schedule.by_samples(n_splits), elimination=rule, tolerance=tolerance,
            alpha=ALPHA, bounds=(0, 1),
        )  # fmt: skip
        means = table.mean(axis=1)
        behind = means.max() - means[result.alive].max()
        return {"beyond": behind > tolerance + 1e-12, "fits": result.n_evaluated.sum() / table.size}

    return one


RACES = {
    "10 candidates, n = 100, tolerance .01": (tolerated(10, 100, 0.03, 0.01), 400),
    "40 candidates, n = 100, tolerance .01": (tolerated(40, 100, 0.03, 0.01), 300),
    "40 equal candidates, n = 100, tolerance .01": (tolerated(40, 100, 0.0, 0.01), 300),
    "40 equal candidates, n = 300, tolerance .005": (tolerated(40, 300, 0.0, 0.005), 300),
}
"""Choices further behind the best mean of the full table than the tolerance: at most 5 %."""

FURTHER = INTERVALS | SELECTED | EQUAL | DATASETS | RACES


def margin_rates(name, test, n_tables=1000, seed=3):
    """Shares of false claims of a margin, with their standard errors."""
    rng, cell = np.random.default_rng(seed), MARGINS[name]
    found = pd.DataFrame(
        [
            claims_of_a_margin(right_and_further_right(rng, **cell), cell["share"], test)
            for _ in range(n_tables)
        ]
    ).astype(float)
    rate = found.mean()
    return pd.DataFrame({"rate": rate, "se": np.sqrt(rate * (1 - rate) / n_tables)})


def main(share):
    start = time.perf_counter()
    for name, (_, n_tables) in (CELLS | BEYOND).items():
        found = rates(name, share)
        cells = "  ".join(
            f"{100 * row.rate:5.1f} ± {100 * row.se:.1f}" for row in found.itertuples()
        )
        if name == next(iter(CELLS)):
            print(f"{'':52}" + "  ".join(found.index))
        print(f"{name:52}{cells}   ({round(share * n_tables):,})", flush=True)
    for test in ("corrected_t", "samples"):
        for name in MARGINS:
            found = margin_rates(name, PAIR_TESTS[test], max(2, round(share * 1000)))
            cells = "  ".join(
                f"{what} {100 * row.rate:.1f} ± {100 * row.se:.1f}"
                for what, row in found.iterrows()
            )
            print(f"{name + ', ' + test:60}{cells}", flush=True)
    for name in RARE_LOSSES:
        found = rare_loss_rates(name, max(2, round(share * 4000)))
        cells = "  ".join(
            f"{what} {100 * row.rate:.1f} ± {100 * row.se:.1f}" for what, row in found.iterrows()
        )
        print(f"{name:60}{cells}", flush=True)
    for name, (one, n_tables) in FURTHER.items():
        found = measured(one, max(2, round(share * n_tables)))
        cells = "  ".join(f"{what} {row.rate:.4f} ± {row.se:.4f}" for what, row in found.iterrows())
        print(f"{name:60}{cells}", flush=True)
    print(f"\n{time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0)
