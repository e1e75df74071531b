"""What benchmarks.evidence measures: a function for each group of tables that share their runs.

Each takes a share of the data sets, 1 for all, and returns {table: rows of figures}, in the order
of the rows of docs/evidence/data/<table>.json and without their names.
"""

import contextlib
import importlib.util
import itertools
import statistics
import time
import warnings
from dataclasses import replace
from pathlib import Path
from unittest import mock

import numpy as np
import pandas as pd
from sklearn.model_selection import GridSearchCV, ParameterGrid

from benchmarks import (
    calibration,
    datasets,
    growth,
    halving,
    hard_cells,
    looks,
    nested,
    optimism,
    overhead,
    pairwise,
    pareto,
    probes,
    racing,
    samples,
    scale,
    simultaneous,
    stream,
)
from benchmarks._adversarial import ADVERSARIAL, OUT_OF_REACH, adversarial_table
from benchmarks._cells import CELLS, MAIN
from benchmarks._nested_cells import NESTED_CELLS
from benchmarks._race_grids import Replay, grids, replay_of
from benchmarks._race_rules import RULES, ours
from benchmarks._sample_cells import N_LARGE, of_accuracy, of_log_loss
from sklearn_stats_compare import (
    Comparison,
    ComparisonWarning,
    RacingGridSearchCV,
    SplitDesign,
    SplitScores,
    StatisticalGridSearchCV,
)
from sklearn_stats_compare.stats import SampleScores, _best, _corrected_t, _family
from sklearn_stats_compare.stats._family import PAIR_TESTS, Family, Settings
from sklearn_stats_compare.stats._nested import OPTIMISM_METHODS
from sklearn_stats_compare.stats.datasets._bayesian import bayesian_signed_rank_pairs
from sklearn_stats_compare.stats.datasets._rank_tests import friedman_test
from sklearn_stats_compare.stats.datasets._signed_rank import wilcoxon_pairs

ALPHA = 0.05


def number(share, n):
    """How many of `n` data sets."""
    return max(2, round(share * n))


def percent(rate, error, digits=1):
    """A rate with its standard error; alone if it has none."""
    if np.isnan(rate):
        return ""
    shown = f"{100 * rate:.{digits}f}".replace("-", "−")
    return f"{shown} ± {100 * error:.{digits}f}" if error > 0 else shown


def counted(count, n, digits=1):
    """The rate of an event that happened `count` times of `n`."""
    rate = count / n
    return percent(rate, np.sqrt(rate * (1 - rate) / n), digits)


def mean_of(values, digits=1):
    """The mean of values between 0 and 1, with its standard error."""
    values = np.asarray(values, dtype=float)
    return percent(values.mean(), values.std(ddof=1) / np.sqrt(len(values)), digits)


def row_of(frame, what):
    """One rate of a table with the columns ``rate`` and ``se``."""
    return percent(frame.loc[what, "rate"], frame.loc[what, "se"])


# Levels


def levels(share):
    exceeded = _of_sets(hard_cells.BEYOND, share)
    further = []
    for name, test in {
        "thresholds, 5 × 1": None, "thresholds, 5 × 2": None, "thresholds, 10 × 10": None,
        "average precision, two positives a fold, 5 × 1": None,
        "average precision, two positives a fold, 5 × 2": None,
        "areas, 10 of 300 positive, 5 × 1": None, "areas, 10 of 300 positive, 5 × 2": None,
        "areas, 40 of 300 positive, 5 × 2": None,
        "perceptrons, n = 1,000": None, "perceptrons, n = 5,000": None,
        "macro F1 of 50 alike, n = 100": None, "macro F1 of 50 alike, n = 1,000": None,
        "Matthews of 50 alike, n = 500": None,
        "rows twice, 5 × 2": None, "rows three times, 5 × 2": None,
        "given predictions, n = 30": "samples", "given predictions, n = 60": "samples",
        "given predictions, n = 100": "samples",
        "given predictions, n = 30, agree on 80 %": "samples",
        "given predictions, n = 100, agree on 80 %": "samples",
        "looks by samples, accuracy, n = 100": "until decided",
        "looks by samples, log loss, n = 100": "until decided",
        "looks by samples, ten candidates, n = 100": "until decided",
    }.items():  # fmt: skip
        one, n = hard_cells.EQUAL[name]
        found = hard_cells.measured(one, number(share, n))
        by_splits = row_of(found, "corrected_t") if test is None else ""
        further.append([f"{number(share, n):,}", by_splits, row_of(found, test or "samples")])
    rare = []
    for name in hard_cells.RARE_LOSSES:
        found = hard_cells.rare_loss_rates(name, number(share, 2000))
        with mock.patch.object(SampleScores, "tails", _without_heavy_tails):
            before = hard_cells.rare_loss_rates(name, number(share, 2000))
        rare.append([
            f"{100 * (1 - found.loc['seen', 'rate']):.1f}", row_of(found, "corrected_t"),
            row_of(found, "samples"), row_of(before, "samples, some seen"),
            row_of(found, "samples, some seen"),
        ])  # fmt: skip
    return {"levels-exceeded": exceeded, "more-cases": further, "rare-losses": rare}


def hard(share):
    return {"hard-cells": _of_sets(hard_cells.CELLS, share)}


def _of_sets(cells, share):
    rows = []
    for name, (_, n) in cells.items():
        found = hard_cells.rates(name, share)
        rows.append([f"{number(share, n):,}", *(percent(r.rate, r.se) for r in found.itertuples())])
    return rows


def _without_heavy_tails(self, first, second):
    return np.full(len(first), self.n_samples - 1.0), np.ones(len(first))


@contextlib.contextmanager
def without_the_bound(*, equivalence=False):
    """Claims about a margin by the t-test alone.

    Of equivalence only the binomial bound is left out, and the rule for pairs that agree.
    """

    def alone(function):
        return lambda d, error, a, b, n=np.inf, weight=0.0: function(
            d, error, a, b, np.inf, weight if equivalence else 0.0
        )

    with contextlib.ExitStack() as stack:
        if equivalence:
            stack.enter_context(mock.patch.object(SplitScores, "n_agreed", np.inf))
        for module, name in itertools.product(
            (_best, _corrected_t, _family), ("limit_pvalue", "upper_limit")
        ):
            if hasattr(module, name):
                own = getattr(module, name)
                stack.enter_context(mock.patch.object(module, name, alone(own)))
        yield


# (samples, half-width of the ROPE, folds, repeats, share on which either model alone is right)
AGREEMENT = (
    (50, 0.02, 5, 1, 0), (50, 0.02, 10, 10, 0), (100, 0.02, 10, 10, 0), (100, 0.05, 5, 1, 0),
    (100, 0.05, 10, 10, 0), (100, 0.05, 10, 10, 0.01), (300, 0.01, 5, 1, 0),
    (300, 0.01, 10, 10, 0), (300, 0.02, 10, 10, 0), (1000, 0.01, 10, 10, 0),
    (1000, 0.02, 10, 10, 0),
)  # fmt: skip


def agreement(share):
    rows = []
    for n_samples, half_width, n_folds, n_repeats, swapped in AGREEMENT:
        rng, n = np.random.default_rng(5), number(share, 20_000)
        claims = np.zeros(4)
        for _ in range(n):
            scores = hard_cells.right_and_further_right(
                rng, n_samples, half_width, n_folds, n_repeats, swapped=swapped
            )
            for k, name in enumerate(("corrected_t", "samples")):
                with without_the_bound(equivalence=True):  # numbers are cached in the scores
                    own = replace(scores)
                    claims[2 * k] += _equivalent(own, half_width, PAIR_TESTS[name])
                claims[2 * k + 1] += _equivalent(scores, half_width, PAIR_TESTS[name])
        rows.append([counted(count, n) for count in claims])
    return {"agreement": rows, "margins": _margins(share)}


def units(share):
    rows = []
    for case in hard_cells.UNITS:
        rng, n = np.random.default_rng(5), number(share, 4_000)
        claims = np.zeros(2)
        for _ in range(n):
            scores = hard_cells.agreeing_units(rng, *case)
            of_all = replace(scores, n_independent=np.inf, sample_range=np.inf)
            claims += [
                _equivalent(own, case[-1], PAIR_TESTS["corrected_t"]) for own in (of_all, scores)
            ]
        rows.append([f"{scores.n_agreed:.0f}", *(counted(count, n) for count in claims)])
    return {"agreement-units": rows}


def with_groups(share):
    rows, n = [], number(share, 20_000)
    for cell in (*hard_cells.GROUPS, *hard_cells.GROUPS_BEYOND):
        found = hard_cells.rates_with_groups(np.random.default_rng(5), *cell, n=n)
        missed = [counted(n * found[f"missed{own}"], n) for own in (" of t", " of groups", "")]
        widths = [f"{found[f'width{own}']:.3f}" for own in (" of t", " of groups", "")]
        claims = [counted(n * found[f"claimed{own}"], n) for own in (" of t", "")]
        rows.append([*missed, *widths, *claims])
    return {"groups": rows}


def _equivalent(scores, half_width, test):
    settings = Settings("two-sided", None, (-half_width, half_width), ALPHA, test)
    tests = test.against(scores, 0, np.array([1]))
    family = Family(scores, tests, settings, n_tests=1)
    return family.decisions(tests.rope_probabilities(settings.rope)).equivalent[0]


def _margins(share):
    first, second, third, last = hard_cells.MARGINS
    rows = []
    for name, test in (
        (first, "corrected_t"), (first, "samples"), (second, "samples"), (third, "corrected_t"),
        (last, "corrected_t"), (last, "samples"),
    ):  # fmt: skip
        n = number(share, 1500)
        found = hard_cells.margin_rates(name, PAIR_TESTS[test], n)
        with without_the_bound():
            alone = hard_cells.margin_rates(name, PAIR_TESTS[test], n)
        rows.append(
            [row_of(frame, what) for what in ("shortfall", "dominates", "satisfies", "interval")
             for frame in (alone, found)]
        )  # fmt: skip
    return rows


# Real learners

EQUAL_MODELS = (
    MAIN, "N = 100", "near chance (accuracy 0.57)", "near-duplicates", "unpruned trees",
    "ridge regression, R²", "ROC AUC, 10 % positives", "10×1", "5×5", "10×3", "30 × 70/30", "5×2",
)  # fmt: skip


def real_learners(share):
    def simulated(name):
        return calibration.simulated(name, number(share, CELLS[name].n_data_sets))

    equal = {name: simulated(name)[0] for name in EQUAL_MODELS}
    (ten, bins), (one, bins_of_one) = map(simulated, ("differing blocks", "differing blocks, 10×1"))
    power = (
        "95 % interval covers", *(f"true differences found, {m}" for m in ADJUSTED),
        "wrong direction, any, bonferroni", "possibly-best set holds the best",
    )  # fmt: skip
    probable = [
        [f"{bins_of['P(better)'].loc[between, what]:.2f}" for bins_of in (bins, bins_of_one)
         for what in ("predicted", "happened")]
        for between in ("0.80 to 0.95", "0.95 to 1.00")
    ]  # fmt: skip
    for between in ("0.40 to 0.60", "0.80 to 0.95"):
        known = bins["P(best)"].reindex([between])
        probable.append([*(f"{known[w].iloc[0]:.2f}" for w in ("predicted", "happened")), "", ""])
    return {
        "error-rates": [
            [f"{number(share, CELLS[name].n_data_sets):,}"]
            + [row_of(found, what) for what in (
                "uncorrected t, two-sided", "corrected t, two-sided",
                "corrected t, one-sided after ranking", "any of all pairs, bonferroni",
                "possibly-best set leaves out",
            )]
            for name, found in equal.items()
        ],
        "five-by-two": [[row_of(equal["5×2"], what)] for what in ("5×2cv t", "5×2cv F")],
        "power": [[row_of(ten, what), row_of(one, what)] for what in power],
        "adjustments": [
            [row_of(ten, f"true differences found, {method}"),
             row_of(equal[MAIN], f"any of all pairs, {method}")]
            for method in (*ADJUSTED, "holm")
        ],
        "rules": [
            ["{:.4f} ± {:.4f}".format(*ten.loc[f"regret, {rule}"]),
             "{:.1f} ± {:.1f}".format(*ten.loc[f"complexity, {rule}"])]
            for rule in ("best mean", "at most 0.05", "1%", "1se", "rope", "possibly_best")
        ],
        "probabilities": probable,
    }  # fmt: skip


ADJUSTED = (None, "bh", "maxt", "bonferroni")


def statements(share):
    n = number(share, 500)
    named = []
    for m, n_splits, coarse in (
        (6, 5, False), (30, 5, False), (30, 10, False), (30, 5, True), (30, 10, True),
    ):  # fmt: skip
        rng = np.random.default_rng(1)
        tables = np.sqrt(0.2) * rng.standard_normal((n, m, 1))
        tables = tables + np.sqrt(0.8) * rng.standard_normal((n, m, n_splits))
        design = SplitDesign([4] * n_splits, [1] * n_splits)
        named.append(_named(np.round(tables / 2) if coarse else tables, design))
    named.append(_named(simultaneous.equal_trees(n), SplitDesign([80] * 5, [20] * 5)))
    found = [simultaneous.rates(name, number(share, 400)) for name in simultaneous.CELLS]
    return {
        "named-reference": named,
        "statements": [[percent(r.rate, r.se) for r in frame.itertuples()] for frame in found],
    }


def _named(tables, design):
    """How often the first candidate differs from any other, by two adjustments."""
    cells = []
    for p_adjust in ("bonferroni", "maxt"):
        with mock.patch.object(_family, "N_DRAWS", 500):  # (1 + count)/(1 + draws) keeps the level
            claims = [
                Comparison(SplitScores(values, design), p_adjust=p_adjust, warn=False)
                .against(0)["p_val"].min() < ALPHA
                for values in tables
            ]  # fmt: skip
        rate = np.mean(claims)
        error = np.sqrt(max(rate, 1 / len(claims)) * (1 - rate) / len(claims))
        cells.append(f"{100 * rate:.1f} ± {100 * error:.1f}")
    return cells


def while_extended(share):
    rows = []
    for name in looks.SEARCHES:
        if name.endswith("max-t"):
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ComparisonWarning)
            found = looks.rates(name, number(share, 500))
        rows.append(
            [row_of(found, what) for what in (
                "1 repeats, fixed", "20 repeats, fixed", "looks at the whole level",
                "until decided",
            )] + ["{:.1f} ± {:.1f}".format(*found.loc["repeats"])]
        )  # fmt: skip
    return {"looks": rows}


def several_metrics(share):
    n, rng = number(share, pareto.N_TABLES), np.random.default_rng(20)
    found = {
        (n_splits, correlation, kind, m): pareto.missed(kind, m, n_splits, correlation, n, rng)
        for n_splits, correlation, kind, m in itertools.product(
            (5, 30), (0.0, 0.9), pareto.KINDS, (2, 8, 30)
        )
    }
    means = pd.Series(found).groupby(level=[2, 3]).mean()
    rng = np.random.default_rng(21)
    return {
        "pareto": [
            [f"{100 * means[kind, m]:.1f}" for m in (2, 8, 30)] for kind in pareto.KINDS
        ],
        "pareto-learners": [
            [percent(*both, 2), percent(*timed)]
            for both, timed in (
                pareto.missed_of_learners(n_folds, n_repeats, n, rng)
                for n_folds, n_repeats in ((5, 1), (10, 1), (10, 10))
            )
        ],
    }  # fmt: skip


# Samples


def of_samples(share):
    sizes = {}

    def size(name, n_folds, n_repeats, n):
        key = name, n_folds, n_repeats
        if key not in sizes:
            sizes[key] = samples.size(*key, number(share, n))
        return sizes[key]

    rates, ratios, assumed = [], [], []
    for name in (
        "logistic, accuracy, n = 100", "logistic, accuracy, n = 300",
        "logistic, log loss, n = 100", "logistic, ROC AUC, n = 100",
        "near-duplicates, accuracy, n = 300", "trees, accuracy, n = 100",
        "1-NN, accuracy, n = 100", "noise, ROC AUC, n = 100",
        "logistic, F1, 10 % positives, n = 300",
    ):  # fmt: skip
        one, five, ten = (size(name, *design, 600) for design in ((5, 1), (5, 2), (10, 2)))
        rates.append([
            *(percent(*one[what]) for what in (
                "splits", "samples, instability 1", "samples, instability 0")),
            *(percent(*found[what]) for found in (five, ten) for what in ("splits", "samples")),
            f"{five['ê²/s̄²'][0]:.2f}, {ten['ê²/s̄²'][0]:.2f}",
        ])  # fmt: skip
    for name in (
        "F1, 10 % positives, n = 300", "F1, 20 % positives, n = 300",
        "precision, 20 % positives, n = 300", "recall, 20 % positives, n = 300",
        "recall, 20 % positives, n = 1,000",
    ):  # fmt: skip
        both = (size(f"logistic, {name}", *design, 300) for design in ((5, 2), (10, 2)))
        ratios.append([percent(*found[w]) for found in both for w in ("splits", "samples")])
    for name in (
        "logistic, accuracy, n = 100", "logistic, accuracy, n = 300",
        "logistic, log loss, n = 100", "logistic, log loss, n = 300",
        "logistic, ROC AUC, n = 100", "noise, ROC AUC, n = 100",
        "logistic, F1, 10 % positives, n = 300", "logistic, F1, 20 % positives, n = 300",
        "logistic, recall, 20 % positives, n = 300", "logistic, recall, 20 % positives, n = 1,000",
        "near-duplicates, accuracy, n = 300", "trees, accuracy, n = 100",
        "trees, accuracy, n = 300", "1-NN, accuracy, n = 100",
    ):  # fmt: skip
        found = size(name, 5, 1, 300)
        assumed.append([percent(*found[what]) for what in (
            "splits", "samples, instability 0", "samples", "samples, instability 1")])  # fmt: skip
    families = [
        samples.families(name, n_folds, 2, number(share, 200))
        for name, n_folds in (
            ("logistic, accuracy, n = 100", 10), ("30 logistic, accuracy, n = 100", 5),
            ("30 logistic, log loss, n = 100", 5),
        )
    ]  # fmt: skip
    kinds = [f"{what}, {method}"
             for what in ("any of all pairs", "possibly-best set leaves out")
             for method in ("bonferroni", "maxt")]  # fmt: skip
    return {
        "sample-rates": rates,
        "sample-ratios": ratios,
        "sample-instability": assumed,
        "sample-families": [
            [percent(*found[what]) for what in (*kinds, "model confidence set leaves out")]
            for found in families
        ],
    }


DESIGNS = (*samples.DESIGNS, (10, 3), (10, 10))


def power_of_samples(share):
    level, found, adjusted = {}, {}, {}
    for n_folds, n_repeats in DESIGNS:
        for score, values in (("accuracy", of_accuracy), ("log loss", of_log_loss)):
            key = score, n_folds, n_repeats
            name = f"logistic, {score}, n = 300"
            level[key] = samples.size(name, n_folds, n_repeats, number(share, 1000))
            found[key] = samples.power(n_folds, n_repeats, number(share, 3000), values=values)
        adjusted[n_folds, n_repeats] = samples.power(
            n_folds, n_repeats, number(share, 3000), shifts=samples.PLAIN, alpha=ALPHA / 45
        )

    def test(name, n_repeats):
        return "samples, instability 1" if (name, n_repeats) == ("samples", 1) else name

    def power(score, name):
        return [percent(*found[score, *d][test(name, d[1])]) for d in DESIGNS]

    stable = [
        percent(*found["accuracy", *d]["samples, instability 0"]) if d[1] == 1 else ""
        for d in DESIGNS
    ]
    price = []
    for name, designs in (
        ("splits", ((5, 1), (10, 1), (10, 3), (10, 10))), ("samples", samples.DESIGNS)
    ):  # fmt: skip
        for design in designs:
            own = test(name, design[1])
            tables = [level["accuracy", *design], level["log loss", *design],
                      found["accuracy", *design], found["log loss", *design],
                      adjusted[design]]  # fmt: skip
            price.append([percent(*table[own]) for table in tables])
    intervals = []
    for C in ((1.0, 1.0), (0.01, 0.01)):
        missed = samples.coverage(C, 10, 2, number(share, 1000))
        intervals.append([percent(*missed[f"{name}, {target} missed"])
                          for name in ("samples", "splits")
                          for target in ("fitted models", "algorithms")])  # fmt: skip
    return {
        "sample-power": [
            power("accuracy", "splits"), power("accuracy", "samples"), stable,
            power("log loss", "splits"), power("log loss", "samples"),
        ],
        "fits-for-equal-power": price,
        "sample-intervals": intervals,
    }  # fmt: skip


PROBED = (
    "1-NN, accuracy, n = 100", "ridge and 1-NN, heavy tails, n = 100",
    "logistic and 1-NN, n = 100", "depth 2 and unpruned, n = 100", "groups, accuracy, 60 groups",
    "logistic, log loss, n = 60", "logistic, accuracy, n = 60",
    "near-duplicates, log loss, n = 100", "rare large losses, n = 100",
    "100 logistic, accuracy, n = 100", "logistic, accuracy, n = 1,000",
    "thresholds (class_weight), n = 300", "ROC AUC, n = 100",
)  # fmt: skip
PROBED_POWER = tuple(f"power, {of}, n = 300" for of in (
    "logistic, accuracy", "logistic, log loss", "trees, accuracy",
))  # fmt: skip


def of_probes(share):
    ways = "assumed 0.5", "best 3, used", "5×2"

    def row(cell, *what):
        found = probes.rates(probes.CELLS[cell], share)
        each = [[percent(*found.loc[(kind, way), ["rate", "se"]]) for kind in what] for way in ways]
        return [" / ".join(rates) for rates in each]

    return {
        "probe-levels": [row(cell, "pair", "set") for cell in PROBED],
        "probe-power": [row(cell, "power") for cell in PROBED_POWER],
    }


def many_samples(share):
    equal, differ = (
        {d: samples.power(*d, number(share, 500), n_samples=N_LARGE, shifts=shifts)
         for d in samples.DESIGNS}
        for shifts in ((0.4, 0.4), samples.DIFFERENT_IF_LARGE)
    )  # fmt: skip
    rows = []
    for name in ("samples", "samples, instability 0", "splits"):

        def cell(d, found, what="", name=name):
            own = "samples, instability 1" if (name, d[1]) == ("samples", 1) else name
            return found[d].get(own + what)

        rows += [
            [percent(*rate) if (rate := cell(d, equal)) else "" for d in samples.DESIGNS],
            [f"{half[0]:.4f}" if (half := cell(d, differ, ", half-width")) else ""
             for d in samples.DESIGNS],
            [percent(*rate) if (rate := cell(d, differ)) else "" for d in samples.DESIGNS],
        ]  # fmt: skip
    return {"one-repeat": rows}


# Races


def some_of(grid, share):
    """The grid, or every sixth of its candidates for a part of the measurement."""
    if share == 1:
        return grid
    return [{name: [value] for name, value in p.items()} for p in list(ParameterGrid(grid))[::6]]


def first_of(data, share):
    """The data, or the first 1,000 samples for a part of the measurement."""
    return data if share == 1 else tuple(part[:1000] for part in data)


def race_grids(share):
    rows = []
    for model, grid, data, cv, scoring, bounds, _ in grids().values():
        data = first_of(data, share)
        full = StatisticalGridSearchCV(
            model, some_of(grid, share), cv=cv, scoring=scoring, refit=False,
            return_predictions="values",
        ).fit(*data)  # fmt: skip
        replay = replay_of(full, scoring, bounds)
        found = racing.replayed(replay, max(3, round(200 * share)))
        too_few = "refused" if replay.table.shape[1] < 10 else ""
        order = (
            "samples, pooled", "samples, strict", f"samples, tolerance {racing.TOLERANCE}",
            "samples, inferior", "splits, pooled", "splits, strict", *list(RULES)[-3:],
        )  # fmt: skip
        rows.append([
            f"{100 * found[rule][0]:.1f} ({100 * found[rule][1]:.0f})" if rule in found
            else too_few if rule.startswith("splits") else ""
            for rule in order
        ])  # fmt: skip
    return {"race-grids": rows}


SHAPES = ((60, 3, 10), (20, 1, 5), (4, 1, 10), (2, 1, 10), (2, 1, 5))
MISLEADING = (
    "equal", "heavy tails", "unstable winner", "all very unstable", "collapses in 10 %",
    "costly errors", "log losses", "cancelling effects", "very unstable winner",
    "very unstable rivals", "sorted samples", "bold rival",
)  # fmt: skip


def race_tables(share):
    misleading = []
    for kind in MISLEADING:
        n, row = number(share, 200), []
        for shape in SHAPES:
            lost = racing.lost_by_values(kind, n, *shape)
            words = counted(n * lost["pooled"][0], n)
            if kind in racing.NOT_POOLED_CELLS and shape[0] > 2:
                words += f" (strict {counted(n * lost['strict'][0], n)})"
            row.append(words)
        misleading.append(row)
    n, of_splits = number(share, 1000), []
    for kind in ADVERSARIAL + OUT_OF_REACH:
        row = []
        for strategy in ("pooled", "strict"):
            rng, lost = np.random.default_rng(11), 0
            for _ in range(n):
                table = adversarial_table(kind, rng)
                rule = ours(by_samples=False, strategy=strategy)
                alive, _ = rule(Replay(table, None, []), rng.permutation(30))
                lost += not alive[np.argmax(table.mean(axis=1))]
            row.append(counted(lost, n))
        of_splits.append(row)
    sets = []
    for missed, sizes, n_tables in (
        (racing.missed, (5, 10, 20, 50), 1000), (racing.missed_by_samples, (5, 50), 400)
    ):  # fmt: skip
        n = number(share, n_tables)
        for m in sizes:
            found = missed(m, n)
            sets.append([counted(n * found[k], n) for k in ("full", "hopeless", "inferior")])
    tolerated = []
    for one, _ in hard_cells.RACES.values():
        n = number(share, 300)
        found = hard_cells.measured(one, n)
        tolerated.append([f"{n}", row_of(found, "beyond"),
                          f"{100 * found.loc['fits', 'rate']:.0f}"])  # fmt: skip
    return {"race-misleading": misleading, "race-split-scores": of_splits, "race-sets": sets,
            "race-tolerance": tolerated}  # fmt: skip


def race_clock(share):
    rows = []
    for name in ("SVC, breast cancer", "boosting, 10,000 samples"):
        model, grid, data, cv, scoring, *_ = grids()[name]
        grid, data = some_of(grid, share), first_of(data, share)
        for n_jobs in (1, 2):
            ratios = []
            for _ in range(3 if share == 1 else 1):  # by turns: a machine has slow minutes
                race = RacingGridSearchCV(
                    model, grid, cv=cv, n_jobs=n_jobs, scoring=scoring, refit=False, random_state=0
                )
                full = GridSearchCV(model, grid, cv=cv, n_jobs=n_jobs, scoring=scoring, refit=False)
                ratios.append(_seconds(race.fit, *data) / _seconds(full.fit, *data))
            fits = race.n_fits_ / race.n_fits_full_
            rows.append([f"{statistics.median(ratios):.2f}", f"{fits:.2f}"])
    return {"race-clock": rows}


def _seconds(function, *arguments):
    start = time.perf_counter()
    function(*arguments)
    return time.perf_counter() - start


def by_halving(share):
    costs = {rule: [] for rule in halving.RACES}
    differences = {rule: [] for rule in halving.RACES}
    for _, models, X, y, first in halving.cases():
        rungs = halving.rungs_of(len(y), first)
        tables = [halving.table_of(models, X, y, rungs, seed) for seed in range(number(share, 60))]
        rules = {s: halving.fixed(s) for s in halving.SHARES} | halving.RACES
        found = {
            rule: np.array([halving.replayed(table, rungs, keeps) for table in tables])
            for rule, keeps in rules.items()
        }
        for rule in halving.RACES:
            costs[rule].append(found[rule][:, 0].mean())
            differences[rule].append(halving.against(found, rule))
    rows = []
    for rule in (
        "race, samples, 0.05", "race, samples, 0.05, at least 1/3", "race, splits, 0.05",
        "race, samples, 0.5", "race, samples, 0.5, at most 1/2", "race, samples, 2",
        "race, samples, 4", "race, samples, 8",
    ):  # fmt: skip
        lost, behind, regret = np.concatenate(differences[rule]).T
        low, high = 100 * min(costs[rule]), 100 * max(costs[rule])
        rows.append([f"{low:.0f} to {high:.0f}", mean_of(lost), mean_of(behind),
                     mean_of(regret, 2)])  # fmt: skip
    return {"halving": rows}


# The winner's score, and that of a procedure


def of_the_winner(share):
    cells = list(itertools.product(optimism.SIZES, optimism.NUMBERS, optimism.DESIGNS,
                                   optimism.SCORES))  # fmt: skip
    names = ("naive", *OPTIMISM_METHODS)
    bias = {name: [] for name in ("naive", "fold_bootstrap", "cross_selection", "tibshirani")}
    for regime in ("noise", "smooth grid"):
        rng = np.random.default_rng(4)
        n = max(1, round(720 * share) // len(cells))
        errors = np.array([
            optimism.one_data_set(rng, regime, n_samples, m, *design, score)[0]
            for (n_samples, m, design, score), _ in itertools.product(cells, range(n))
        ])  # fmt: skip
        for name, row in bias.items():
            own = errors[:, names.index(name)]
            row += [f"{own.mean():+.3f}".replace("-", "−"), f"{np.sqrt((own**2).mean()):.3f}"]
    shown = [optimism.INTERVALS.index(name) for name in (
        "usual", "fold_bootstrap", "conditional", "hybrid", "projection", "package's")]  # fmt: skip
    coverage, by_lead = [], []
    for regime in optimism.REGIMES:
        thirds = []
        for n_samples, m in itertools.product(optimism.SIZES, (10, 200)):
            rng, n = np.random.default_rng(7), max(3, number(share, 240))
            found = [optimism.one_data_set(rng, regime, n_samples, m, 10, 1, "accuracy")
                     for _ in range(n)]  # fmt: skip
            holds = np.array([each[1] for each in found])[:, shown]
            order = np.argsort([each[3] for each in found], kind="stable")
            thirds.append(np.array_split(holds[order], 3))
            coverage.append([f"{100 * covered:.1f}" for covered in holds.mean(axis=0)])
        for third in zip(*thirds, strict=True):
            own = np.concatenate(third)
            error = np.sqrt(own.mean(axis=0) * (1 - own.mean(axis=0)) / len(own))
            by_lead.append([f"{100 * rate:.1f} ({100 * e:.1f})"
                            for rate, e in zip(own.mean(axis=0), error, strict=True)])  # fmt: skip
    return {
        "optimism-bias": list(bias.values()),
        "optimism-coverage": coverage,
        "optimism-by-lead": by_lead,
    }


def of_the_chosen(share):
    rows = []
    for name in (
        "60 samples near chance, 10 candidates, 10 × 10",
        "60 samples, 2 candidates at .79, 10 × 10",
        "60 samples near chance, 10 candidates, 10 × 1",
        "ROC AUC, 60 samples near chance, 10 candidates, 10 × 10",
        "ROC AUC, 60 samples, 2 candidates at .87, 10 × 10",
        "ROC AUC, 60 samples near chance, 10 candidates, 10 × 1",
    ):
        one, n = hard_cells.SELECTED[name]
        rows.append([row_of(hard_cells.measured(one, number(share, n)), "covered")])
    return {"optimism-many-repeats": rows}


INTERVALS = (
    ("naive", 5, 1), ("naive", 10, 1), ("naive", 10, 10), ("corrected t", 5, 1),
    ("corrected t", 10, 1), ("corrected t", 5, 5), ("corrected t", 10, 10), ("samples", 5, 1),
    ("samples", 10, 1), ("samples", 5, 5), ("samples", 10, 10), ("nested", 5, 1),
    ("nested", 5, 10), ("nested, outer mean", 5, 10), ("nested", 10, 10),
    ("nested, outer mean", 10, 10),
)  # fmt: skip
BY_CELL = (
    ("naive", 10, 1), ("corrected t", 5, 1), ("corrected t", 10, 1), ("corrected t", 10, 10),
    ("samples", 5, 1), ("samples", 10, 1), ("samples", 10, 10), ("nested", 5, 10),
)  # fmt: skip
TARGETS = ("fitted model", "procedure")


def of_one_procedure(share):
    tables = [
        nested.coverage(name, n_samples, number(share, 400 if cell.pairs_of_ten else 200))
        for name, cell in NESTED_CELLS.items()
        for n_samples in cell.sizes
    ]
    overall = []
    for interval in INTERVALS:
        found = [table[interval] for table in tables if interval in table]
        row = []
        for target in TARGETS:
            rates, errors = np.array([own[target] for own in found]).T
            low = rates.argmin()
            row += [percent(rates.mean(), np.sqrt((errors**2).sum()) / len(rates)),
                    percent(rates[low], errors[low])]  # fmt: skip
        width = np.mean([
            table[interval]["width"][0] / table["naive", 10, 1]["width"][0]
            for table in tables if interval in table
        ])  # fmt: skip
        part = "" if len(found) == len(tables) else f" ({len(found)} cells)"
        overall.append([*row, f"{width:.2f}{part}"])
    by_cell = [
        [" / ".join(f"{100 * table[interval][target][0]:.1f}" for target in TARGETS)
         for interval in BY_CELL]
        for table in tables
    ]  # fmt: skip
    return {"nested-intervals": overall, "nested-cells": by_cell}


def of_hard_procedures(share):
    rows = []
    for one, n in hard_cells.INTERVALS.values():
        found = hard_cells.measured(one, number(share, n))
        error = "{:.3f} ± {:.3f}".format(*found.loc["error"]).replace("-", "−")
        rows.append([row_of(found, "corrected_t"), row_of(found, "samples"),
                     row_of(found, "bates") if "bates" in found.index else "", error])  # fmt: skip
    return {"nested-hard": rows}


# Several data sets


def several_datasets(share):
    folds = {}
    for cell, n in ((MAIN, 400), ("unpruned trees", 40)):
        rng, rates = np.random.default_rng(0), []
        for _ in range(number(share, n)):
            values = CELLS[cell].scores(rng)[0].values
            rates.append([
                np.mean(wilcoxon_pairs(values[:, :10]).pvalue < ALPHA),
                np.mean(wilcoxon_pairs(values).pvalue < ALPHA),
                friedman_test(values).f_pvalue < ALPHA,
            ])  # fmt: skip
        folds[cell] = [mean_of(own) for own in zip(*rates, strict=True)]
    equal = []
    for n_datasets in (5, 10, 100):
        rng, n, above = np.random.default_rng(0), number(share, 400), 0
        for _ in range(n):
            values = [rng.standard_normal(n_datasets), np.zeros(n_datasets)]
            found = bayesian_signed_rank_pairs(values, n_draws=1000, rng=rng)
            above += max(found.better[0], 1 - found.better[0]) > 0.95
        equal.append([counted(above, n, 0)])
    unequal = []
    for one, n in hard_cells.DATASETS.values():
        found = hard_cells.measured(one, number(share, n))
        unequal.append([row_of(found, w) for w in ("signed rank", "hierarchical", "δ₀ in 95 %")])
    return {
        "folds-as-datasets": [
            [folds[MAIN][0]], [folds["unpruned trees"][0]], [folds[MAIN][1]], [folds[MAIN][2]],
        ],
        "bayes-equal": equal,
        "unequal-variances": unequal,
    }  # fmt: skip


def hierarchical(share):
    path = Path(__file__).parent.parent / "tests/validity/test_hierarchical_calibration.py"
    spec = importlib.util.spec_from_file_location("hierarchical_calibration", path)
    tests = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tests)
    rows = []
    for n_datasets, n_splits, rho, n in (
        (3, 10, 0.1, 200), (5, 10, 0.1, 200), (10, 10, 0.1, 200), (10, 100, 0.1, 200),
        (20, 100, 0.1, 200), (50, 100, 0.1, 80), (10, 100, 0.3, 100),
    ):  # fmt: skip
        cell = tests.Cell(n_datasets, n_splits, rho=rho, n_times=number(share, n))
        found = tests.simulated(cell)
        rows.append([percent(*found["δ₀ in 95 %"]), percent(*found["δᵢ in 95 %"]),
                     f"{found['mse'][0] / found['mse raw'][0]:.2f}"])  # fmt: skip
    return {"hierarchical": rows}


# Cost


def cost(share):
    return {
        "cost-of-fit": _cost_of_fit(share),
        "cost-growth": _cost_growth(share),
        "cost-scale": _cost_scale(share),
        "cost-datasets": _cost_datasets(share),
    }


def _cost_of_fit(share):
    kinds = {"plain": overhead.plain, "fit": overhead.fit, "tables": overhead.fit_and_tables}
    times = {name: [] for name in kinds}
    for _ in range(max(2, round(41 * share))):
        for name, function in kinds.items():  # in turn: a slow moment of the machine hits all
            times[name].append(_seconds(function))
    fit = {name: statistics.median(found) for name, found in times.items()}
    many, few = pairwise.scores_of(pairwise.M), pairwise.scores_of(25)
    of_many = {
        f: statistics.median(pairwise.seconds(f, many) for _ in range(max(2, round(7 * share))))
        for f in (pairwise.our_tables, pairwise.floor)
    }
    ours = of_many[pairwise.our_tables] / pairwise.N_PAIRS
    loop = pairwise.seconds(pairwise.worked_example_loop, few) / 300
    theirs = pairwise.seconds(pairwise.baycomp_loop, few) / 300 if pairwise.baycomp else np.nan
    return [
        ["``GridSearchCV``", f"{fit['fit'] / fit['plain']:.3f}", "≤ 1.02"],
        ["``GridSearchCV``", f"{fit['tables'] / fit['plain']:.3f}", "≤ 1.05"],
        ["the arithmetic that any implementation needs",
         f"{of_many[pairwise.our_tables] / of_many[pairwise.floor]:.2f}", "≤ 2"],
        ["our tables", f"{loop / ours:.0f}", "≥ 300"],
        ["our tables", f"{theirs / ours:.0f}", "≥ 45"],
    ]  # fmt: skip


def _cost_growth(share):
    sizes = [*((m, 100) for m in growth.CANDIDATES), (100, 10), (100, 1_000)]
    rows = []
    for what, (floor, answer) in growth.ANSWERS.items():
        row = []
        for m, j in sizes:
            if (what.startswith("report") and m > 1_000) or (m > 1_000 and share < 1):
                row.append("")
                continue
            took = growth.seconds(answer, m, j)
            shown = f"{1000 * took:.2g} ms" if took < 0.1 else f"{took:.1f} s"
            row.append(f"{took / growth.seconds(floor, m, j):,.1f} ({shown})")
        rows.append(row)
    return rows


def _cost_scale(share):
    rows = []
    for m in (100, 1_000, 3_000, 10_000):
        if m > 1_000 and share < 1:
            rows.append([""] * 4)
            continue
        found = scale.in_a_process_of_its_own(m)
        together = sum(found[what] for what in scale.ANSWERS)
        rows.append([f"{together:.2f} s", f"{found['answers']:.0f} MB", f"{found['stream']:.2f} s",
                     f"{found['end']:.0f} MB"])  # fmt: skip
    return rows


def _cost_datasets(share):
    rng = np.random.default_rng(23)
    if share < 1:
        datasets.M, datasets.N, datasets.N_PAIRS = 10, 50, 45
    values = datasets.scores(rng)
    everything = statistics.median(sum(datasets.everything(values).values()) for _ in range(3))
    m, n = values.shape
    own = datasets.DatasetsComparison(
        values, [f"m{i}" for i in range(m)], [f"d{j}" for j in range(n)]
    )
    bayesian = _seconds(lambda: own.bayesian(rope=datasets.ROPE))
    drawn, each = datasets.floor(values, rng)
    n_pairs = m * (m - 1) // 2
    theirs = datasets.peer(values) if datasets.baycomp else np.nan
    model = statistics.median(datasets.hierarchical(rng)[0] for _ in range(3))
    return [
        [f"{everything:.1f} s", "2 s"],
        [f"{bayesian:.0f} s, {1000 * bayesian / n_pairs:.1f} ms for each pair", "60 s"],
        [f"{bayesian / (drawn + n_pairs * each):.2f}", ""],
        [f"{theirs:.1f} s, about {theirs * n_pairs / bayesian:,.0f} times as long", ""],
        [f"{model:.1f} s", "1 s"],
    ]


def streams(share):
    n_runs = max(1, round(5 * share))
    found = [stream.on_threads(n, n_runs) for n in (16, 64, 100)]
    # A part may do without dask.
    has_dask = share == 1 or importlib.util.find_spec("distributed") is not None
    found += [stream.on_dask(n_runs)] if has_dask else []
    rows = [
        [*(f"{own:.2f}" for own in ratios.values()), f"{part:.2f}"] for ratios, _, part in found
    ]
    rows += [] if has_dask else [[""] * len(rows[0])]
    for n_jobs in (1, 2):
        ratios, *_ = stream.of_short_fits(n_jobs, max(20, round(200 * n_jobs * share)), n_runs)
        rows.append([*(f"{own:.2f}" for own in ratios.values()), "", "", "", ""])
    overruns = stream.overruns(3 if share == 1 else 1)
    limits = [[f"{over:.2f} s", f"{longest:.2f} s"] for *_, over, longest in overruns]
    return {"cost-stream": rows, "cost-limit": limits}


# Name of the command's argument: what is measured, and the share of a quick run.
GROUPS = {
    "levels": (levels, 0.02),
    "hard-cells": (hard, 0.01),
    "agreement": (agreement, 0.005),
    "units": (units, 0.01),
    "groups": (with_groups, 0.02),
    "calibration": (real_learners, 0.01),
    "statements": (statements, 0.02),
    "looks": (while_extended, 0.01),
    "pareto": (several_metrics, 0.01),
    "samples": (of_samples, 0.01),
    "power": (power_of_samples, 0.01),
    "probes": (of_probes, 0.005),
    "large": (many_samples, 0.01),
    "race-grids": (race_grids, 0.015),
    "race-tables": (race_tables, 0.02),
    "race-clock": (race_clock, 0.05),
    "halving": (by_halving, 0.05),
    "optimism": (of_the_winner, 0.01),
    "selected": (of_the_chosen, 0.01),
    "nested": (of_one_procedure, 0.005),
    "nested-hard": (of_hard_procedures, 0.01),
    "datasets": (several_datasets, 0.02),
    "hierarchical": (hierarchical, 0.02),
    "cost": (cost, 0.1),
    "stream": (streams, 0.2),
}
