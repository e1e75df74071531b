"""Error rates of the tests over several data sets: equal models, one better model, folds.

A family-wise error is any rejected pair of equal models. Bands fail only if the rate ± 2 standard
errors lies wholly outside.
"""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from benchmarks._cells import CELLS, MAIN
from sklearn_stats_compare import DatasetsComparison
from sklearn_stats_compare.stats._multitest import adjust_pvalues
from sklearn_stats_compare.stats.datasets._rank_tests import (
    friedman_test,
    nemenyi_pvalues,
    rank_pairs,
    shaffer_pvalues,
)
from sklearn_stats_compare.stats.datasets._signed_rank import sign_test_pairs, wilcoxon_pairs

ALPHA = 0.05
SIZES = [(m, n) for m in (2, 5, 10) for n in (10, 20, 50)]


def continuous(rng, m, n):
    """Scores that vary more on some data sets than on others."""
    return rng.uniform(0.5, 0.9, n) + 0.03 * rng.gamma(2, 0.5, n) * rng.standard_normal((m, n))


def coarse(rng, m, n):
    """Accuracies on 30 test samples: 14 % of differences are 0, and most sizes are tied."""
    return rng.binomial(30, rng.uniform(0.6, 1, n), (m, n)) / 30


def alike(rng, m, n):
    """The same of models that mostly agree: 40 % of differences are 0."""
    errors = rng.binomial(30, rng.uniform(0.1, 0.4, n))
    own = rng.binomial(2, 0.2, (m, n)) - rng.binomial(2, 0.2, (m, n))
    return (30 - errors + own) / 30


def opposed(rng, m, n):
    """Models 0 and 1 are equal: one is the best and the other the worst, either way by chance."""
    values = rng.uniform(0.4, 0.6, (m, n))
    values[:2] = 0.5 + 0.4 * np.array([[1], [-1]]) * rng.choice([-1, 1], n)
    return values


def holm(pvalues):
    return adjust_pvalues(pvalues, "holm")


PAIRWISE = {
    "Nemenyi": lambda v: nemenyi_pvalues(friedman_test(v).mean_ranks, v.shape[1]),
    "mean ranks, Shaffer": lambda v: shaffer_pvalues(
        rank_pairs(friedman_test(v).mean_ranks, v.shape[1]).pvalue, len(v)
    ),
    "Wilcoxon, Holm": lambda v: holm(wilcoxon_pairs(v).pvalue),
    "Wilcoxon, Shaffer": lambda v: shaffer_pvalues(wilcoxon_pairs(v).pvalue, len(v)),
    "Wilcoxon z, Holm": lambda v: holm(wilcoxon_pairs(v, method="approx").pvalue),
    "sign, Holm": lambda v: holm(sign_test_pairs(v).pvalue),
}
GLOBAL = {
    "Friedman χ²": lambda v: np.array([friedman_test(v).pvalue]),
    "χ² without tie correction": lambda v: np.array(
        [friedman_test(v, tie_correction=False).pvalue]
    ),
    "Iman–Davenport F": lambda v: np.array([friedman_test(v).f_pvalue]),
}


def error_rates(draw, m, n, n_tables, *, tests=None, equal=slice(None), seed=0):
    """{test: share of tables with a rejection among the pairs `equal`}."""
    rng = np.random.default_rng([seed, m, n])
    tests = {**GLOBAL, **PAIRWISE} if tests is None else tests
    found = dict.fromkeys(tests, 0)
    for _ in range(n_tables):
        values = draw(rng, m, n)
        for name, test in tests.items():
            found[name] += bool((test(values)[equal] < ALPHA).any())
    return {name: count / n_tables for name, count in found.items()}


def above(found, bounds, n_tables):
    """Names of the rates that are above their bound by more than 3 standard errors of the bound.

    Three, because there are hundreds of rates.
    """
    reach = {name: bound + 3 * (bound / n_tables) ** 0.5 for name, bound in bounds.items()}
    return [name for name in bounds if found[name] > reach[name]]


EXACT = dict.fromkeys(["Wilcoxon, Holm", "Wilcoxon, Shaffer", "sign, Holm"], 0.05)
# χ² and F approximate the distribution of few ranks; of 2 models they are a sign test without
# correction for continuity, of level 6.5 % for 50 data sets (below).
APPROXIMATE = {
    "Friedman χ²": 0.07,
    "χ² without tie correction": 0.07,
    "Iman–Davenport F": 0.075,
    "Nemenyi": 0.07,
    "mean ranks, Shaffer": 0.07,
    "Wilcoxon z, Holm": 0.055,
}


@pytest.fixture
def show_rates(show):
    """Function that shows rates by the numbers of models and data sets."""

    def show_rates(what, table):
        rates = (100 * pd.DataFrame(table)).round(1).to_string()
        show(f"{what}: models × data sets, in %, standard error at most 0.8", rates)

    return show_rates


@pytest.mark.parametrize("draw", [continuous, coarse, alike])
def test_a_few_tables_of_equal_models_do_not_contradict_the_levels(draw):
    assert not above(error_rates(draw, 5, 20, 40), {**EXACT, **APPROXIMATE}, 40)


@pytest.mark.slow
@pytest.mark.parametrize("draw", [continuous, coarse, alike])
def test_levels_of_equal_models(draw, show_rates):
    table = {}
    for m, n in SIZES:
        found = table[f"{m} × {n}"] = error_rates(draw, m, n, 1000)
        assert not above(found, {**EXACT, **APPROXIMATE}, 1000)
    show_rates(draw.__name__, table)


def test_of_two_models_friedmans_level_is_that_of_uncorrected_signs():
    # (wins − losses)²/50 > 3.84 if one has at most 18 wins: 2·P(X ≤ 18) = 6.5 % of 50 data sets.
    level = 2 * stats.binom.cdf(18, 50, 0.5)
    assert round(level, 3) == 0.065
    signs = np.where(np.arange(50) < 18, 1.0, -1.0)
    assert friedman_test([signs, np.zeros(50)]).pvalue < 0.05
    assert sign_test_pairs([signs, np.zeros(50)]).pvalue[0] == pytest.approx(level)


@pytest.mark.slow
@pytest.mark.parametrize("draw", [continuous, coarse])
def test_equal_models_beside_a_better_one(draw, show_rates):
    def one_better(rng, m, n):
        values = draw(rng, m, n)
        values[0] += 0.2
        return values

    table = {}
    for m, n in [(5, 10), (5, 20), (5, 50), (10, 20), (10, 50)]:
        equal = np.triu_indices(m, 1)[0] > 0
        found = error_rates(one_better, m, n, 1500, tests=PAIRWISE, equal=equal)
        table[f"{m} × {n}"] = found
        assert not above(found, {**EXACT, "Nemenyi": 0.05, "mean ranks, Shaffer": 0.05}, 1500)
    show_rates(f"{draw.__name__}, one better", table)


@pytest.mark.parametrize("n_tables", [80, pytest.param(300, marks=pytest.mark.slow)])
def test_mean_ranks_do_not_keep_their_level_if_equal_models_are_best_or_worst(n_tables):
    # Of 10 models on 50 data sets CD = 1.92. The two ranks differ by 9·|wins − losses|/50, more if
    # |wins − losses| ≥ 12: 2·P(X ≥ 31) = 11.9 %. Wilcoxon's test uses only the two.
    expected = 2 * stats.binom.sf(30, 50, 0.5)
    assert round(expected, 3) == 0.119
    tests = {name: PAIRWISE[name] for name in ("Nemenyi", *EXACT)}
    found = error_rates(opposed, 10, 50, n_tables, tests=tests, equal=slice(0, 1))
    error = (expected * (1 - expected) / n_tables) ** 0.5
    assert found["Nemenyi"] == pytest.approx(expected, abs=4 * error)
    assert not above(found, EXACT, n_tables)


def test_many_differences_of_one_size_make_z_a_sign_test_without_continuity_correction():
    # So do the nearly equal ranks of a few differences among many zeros. Of 26, z exceeds 1.96 if
    # one model has at most 8: 2·P(X ≤ 8) = 7.6 %. "auto" is exact up to 25.
    level = 2 * stats.binom.cdf(8, 26, 0.5)
    assert round(level, 3) == 0.076
    values = np.zeros((2, 500))
    values[0, :26] = np.where(np.arange(26) < 8, 1, -1)
    assert 0.045 < wilcoxon_pairs(values).pvalue[0] < 0.05
    assert wilcoxon_pairs(values, method="exact").pvalue[0] == pytest.approx(level)


FOLDS = {
    "Wilcoxon": lambda v: wilcoxon_pairs(v).pvalue,
    "sign": lambda v: sign_test_pairs(v).pvalue,
    "Friedman": lambda v: np.array([friedman_test(v).f_pvalue]),
}


def folds_as_data_sets(cell, n_data_sets, seed=0):
    """{(test, splits): (share rejected, standard error)} of equal learners on one data set each."""
    rng, found = np.random.default_rng(seed), []
    for _ in range(n_data_sets):
        values = CELLS[cell].scores(rng)[0].values
        found.append(
            {
                (name, splits): np.mean(test(values[:, :splits]) < ALPHA)
                for splits in (10, 100)
                for name, test in FOLDS.items()
            }
        )
    found = pd.DataFrame(found)
    errors = found.std() / n_data_sets**0.5
    return {key: (found[key].mean(), errors[key]) for key in found}


def test_folds_taken_for_data_sets_reject_equal_learners():
    found = folds_as_data_sets(MAIN, 12)
    rate, error = found["Wilcoxon", 100]
    assert rate - 2 * error > 0.3


@pytest.mark.slow
@pytest.mark.parametrize(("cell", "n_data_sets"), [(MAIN, 400), ("unpruned trees", 40)])
def test_how_often_folds_taken_for_data_sets_reject_equal_learners(cell, n_data_sets, show):
    found = folds_as_data_sets(cell, n_data_sets)
    for (name, splits), (rate, error) in found.items():
        show(f"{cell}: {name}, {splits} splits: {100 * rate:.1f} ± {100 * error:.1f} %")
    assert found["Wilcoxon", 100][0] > 0.4
    assert found["Friedman", 100][0] > 0.5


VERDICTS = {
    "default": {},
    "Shaffer": {"p_adjust": "shaffer"},
    "sign": {"test": "sign"},
    "Nemenyi": {"test": "nemenyi"},
}


# As PAIRWISE: only Nemenyi's test is approximate.
VERDICT_BOUNDS = {
    **{(name, "pair"): 0.07 if name == "Nemenyi" else 0.05 for name in VERDICTS},
    ("default", "against"): 0.05,
    ("default", "left out"): 0.05,
}


@pytest.mark.slow
@pytest.mark.parametrize("n", [10, 20, 50])
@pytest.mark.parametrize("draw", [continuous, coarse, alike])
def test_false_verdicts_on_equal_models(draw, n, show):
    # A better or worse pair; a verdict against model 0, named beforehand; model 0, which is among
    # the best, left out of the possibly best.
    rng, n_tables = np.random.default_rng([1, 5, n]), 500
    labels, names = [f"m{k}" for k in range(5)], [f"d{k}" for k in range(n)]
    found = dict.fromkeys(VERDICT_BOUNDS, 0.0)
    for _ in range(n_tables):
        comparison = DatasetsComparison(draw(rng, 5, n), labels, names, rope=0.0, warn=False)
        tables = {
            (name, "pair"): comparison.frequentist(intervals=False, **settings)
            for name, settings in VERDICTS.items()
        } | {("default", "against"): comparison.against(0)}
        for key, table in tables.items():
            found[key] += (table["verdict"] != "undecided").any() / n_tables
        found["default", "left out"] += (0 not in comparison.possibly_best().index) / n_tables
    show(f"{draw.__name__}, 5 models on {n} data sets", pd.Series(found).to_string())
    assert not above(found, VERDICT_BOUNDS, n_tables)


# Models 0 and 1, and 1 and 2, differ symmetrically about 0; models 0 and 2 do not: their
# differences are −1, −1, 4 and −2.
NOT_TRANSITIVE = np.array([[1, -2, 2, -1], [0, 0, 0, 0], [2, -1, -2, 1]])


def intransitive(rng, m, n):
    return NOT_TRANSITIVE[:, rng.integers(0, 4, n)] + rng.uniform(5, 6, n)


@pytest.mark.slow
def test_holm_keeps_its_level_where_equality_is_not_transitive_and_shaffer_does_not():
    # Of three models Shaffer takes only one pair as equal once one differs; here two are, with
    # independent signs: up to 1 − 0.95² = 9.8 %, less because signs are coarse.
    equal = [0, 2]
    tests = {
        "Holm": lambda v: holm(sign_test_pairs(v).pvalue),
        "Shaffer": lambda v: shaffer_pvalues(sign_test_pairs(v).pvalue, 3),
    }
    found = error_rates(intransitive, 3, 100, 4000, tests=tests, equal=equal)
    assert not above({"Holm": found["Holm"]}, {"Holm": 0.05}, 4000)
    error = (0.05 * 0.95 / 4000) ** 0.5
    assert 0.05 + 3 * error < found["Shaffer"] < 0.0975 + 3 * error
