"""Possibly-Pareto set: SciPy's tests, the possibly-best set, invariances, guarantee."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from sklearn_stats_compare import SplitDesign, SplitScores
from sklearn_stats_compare.stats._best import (
    ScoreCriterion,
    TimeCriterion,
    _domination_pvalues,
    observed_front,
    possibly_best_pvalues,
    possibly_pareto_pvalues,
)
from sklearn_stats_compare.stats._family import PAIR_TESTS
from sklearn_stats_compare.stats._pair_tests import CORRECTED_T

UNCORRECTED = PAIR_TESTS["uncorrected_t"]


def criterion(values, k=5, test=CORRECTED_T):
    n = np.shape(values)[1]
    return ScoreCriterion(SplitScores(values, SplitDesign([k - 1] * n, [1] * n)), test)


def pvalues(tables, ropes=None, **options):
    criteria = [criterion(values) for values in tables]
    return possibly_pareto_pvalues(criteria, ropes or [0.0] * len(criteria), **options)[0]


def test_with_one_metric_it_is_the_possibly_best_set(multi_scores):
    found = possibly_pareto_pvalues([ScoreCriterion(multi_scores)], [0.0])[0]
    np.testing.assert_array_equal(found, possibly_best_pvalues(multi_scores))


def test_of_several_with_the_best_mean_the_smallest_p_value_counts():
    # Two leaders with one mean and different scores: the third is tested against both.
    one = np.array([0.5, 0.75, 0.5, 0.75, 0.5, 0.75, 0.5, 0.75])
    values = np.array([one, one[::-1], one - 0.25 + 0.125 * (np.arange(8) == 3)])
    found = pvalues([values])
    against = [possibly_best_pvalues(criterion(values[[k, 2]]).scores)[1] for k in (0, 1)]
    assert against[0] != against[1]
    assert found.tolist() == [1, 1, pytest.approx(2 * min(against))]


def test_with_one_metric_and_a_rope_it_contains_the_possibly_best_set():
    rng = np.random.default_rng(0)
    values = np.linspace(0, 0.06, 6)[:, None] + 0.03 * rng.standard_normal((6, 10))
    best = possibly_best_pvalues(criterion(values).scores)
    found = pvalues([values], [0.01])
    assert (found >= best).all()
    worse = found < 1
    assert worse.any()
    # Worse than the leader by more than the ROPE, by SciPy on splits that do not overlap.
    plain = criterion(values, test=UNCORRECTED)
    leader = values.mean(axis=1).argmax()
    expected = [
        stats.ttest_1samp(values[leader] - own, 0.01, alternative="greater").pvalue
        for own in values
        if (values[leader] - own).mean() > 0.01
    ]
    alone = possibly_pareto_pvalues([plain], [0.01])[0]
    np.testing.assert_allclose(alone[alone < 1], [5 * p for p in expected if 5 * p < 1])


@pytest.mark.parametrize(
    "ropes", [(0.0, 0.0), (0.02, 0.0), (0.0, 0.02), (0.01, 0.02), (0.001, 0.001)]
)
def test_of_two_candidates_it_is_scipys_tests(ropes):
    rng = np.random.default_rng(1)
    tables = [rng.normal(means, 0.04, (2, 20)) for means in ([[0.85], [0.80]], [[0.73], [0.70]])]
    criteria = [criterion(values, test=UNCORRECTED) for values in tables]
    found = possibly_pareto_pvalues(criteria, ropes)[0]
    differences = [values[0] - values[1] for values in tables]

    def at_most(k, value):
        return stats.ttest_1samp(differences[k], value, alternative="greater").pvalue

    expected = max(at_most(k, -ropes[k]) for k in range(2))
    if min(ropes) > 0:
        expected = max(expected, 2 * min(at_most(k, ropes[k]) for k in range(2)))
    assert found[0] == 1
    assert found[1] == pytest.approx(expected, rel=1e-9)


def test_a_rope_lets_a_rival_be_a_little_worse_somewhere():
    # 0.1 better in one metric, 0.005 worse in the other: nothing with ROPE 0.
    rng = np.random.default_rng(2)
    noise = 0.003 * rng.standard_normal((2, 2, 10))
    tables = [np.array([[0.9], [0.8]]) + noise[0], np.array([[0.7], [0.705]]) + noise[1]]
    assert pvalues(tables).tolist() == [1, 1]
    assert pvalues(tables, [0.02, 0.02])[1] < 0.001
    assert pvalues(tables, [0.0, 0.02])[1] < 0.001
    assert pvalues(tables, [0.2, 0.02])[1] == 1  # 0.1 is no longer a difference that matters


@pytest.mark.parametrize("ropes", [[0.0, 0.0], [0.01, 0.01], [0.0, 0.01]])
def test_identical_candidates_stay(ropes):
    row = np.random.default_rng(0).normal(0.8, 0.02, 12)
    assert pvalues([[row] * 4, [row] * 4], ropes).tolist() == [1] * 4
    # A copy of a member, beside one that is dominated.
    other = row - 0.1 + 0.01 * np.random.default_rng(1).standard_normal(12)
    found = pvalues([[row, row, other], [row, row, other]], ropes)
    assert found[:2].tolist() == [1, 1]
    assert found[2] < 0.05


@given(seed=st.integers(0, 1000), roped=st.sampled_from([0, 1, 2]))
def test_order_of_candidates_and_metrics_and_units_do_not_matter(seed, roped):
    rng = np.random.default_rng(seed)
    tables = 0.03 * rng.standard_normal((2, 7, 8)) + 0.06 * rng.random((2, 7, 1))
    ropes = [0.02 * (roped > 0), 0.01 * (roped > 1)]
    found = pvalues(tables, ropes)
    order = rng.permutation(7)
    np.testing.assert_allclose(pvalues(tables[:, order], ropes), found[order])
    np.testing.assert_allclose(pvalues(tables[::-1], ropes[::-1]), found)
    scaled = pvalues([1000 * tables[0] - 30, tables[1] / 7 + 2], [1000 * ropes[0], ropes[1] / 7])
    np.testing.assert_allclose(scaled, found, rtol=1e-6)


@given(st.integers(0, 1000), st.sampled_from([1, 2, 3]), st.sampled_from([0.0, 1.0]))
def test_whoever_is_left_out_is_dominated_by_a_member(seed, n_metrics, rope):
    rng = np.random.default_rng(seed)
    tables = 3 * rng.random((n_metrics, 8, 1)) + 0.2 * rng.standard_normal((n_metrics, 8, 6))
    criteria = [criterion(values) for values in tables]
    found, rivals = possibly_pareto_pvalues(criteria, [rope] * n_metrics)
    out = found < 0.05
    assert not out.all()
    assert not out[rivals[out]].any()
    gains = tables.mean(axis=2).T
    for i in np.flatnonzero(out):
        ahead = gains[rivals[i]] - gains[i]
        assert (ahead > -rope).all()
        assert (ahead > rope).any()
    if rope == 0:
        assert (found[observed_front(gains)] == 1).all()


def test_three_that_dominate_each_other_in_a_circle_are_not_all_left_out():
    # Each is 1.1 ahead of the next in one metric and 0.55 behind in two: within a ROPE of 1 each
    # would drop the next, though their gains cancel out.
    means = np.array([[0, -1.1, -0.55], [-0.55, 0, -1.1], [-1.1, -0.55, 0]])
    noise = 1e-4 * np.random.default_rng(3).standard_normal((3, 3, 10))
    tables = means[:, :, None] + noise
    criteria, ropes = [criterion(values) for values in tables], np.ones(3)
    for rival in range(3):
        following = np.array([(rival + 1) % 3])
        assert _domination_pvalues(criteria, ropes, rival, following)[0] < 1e-6
    found, rivals = possibly_pareto_pvalues(criteria, ropes)
    out = found < 0.05
    assert 0 < out.sum() < 3
    assert not out[rivals[out]].any()


def test_missing_candidates_and_one_split():
    rng = np.random.default_rng(5)
    tables = rng.normal(size=(2, 5, 10)) + 5 * np.arange(5)[:, None]
    tables[0, 1, 3] = tables[1, 2, 3] = np.nan
    found = pvalues(tables)
    assert np.isnan(found).tolist() == [False, True, True, False, False]
    np.testing.assert_allclose(found[[0, 3, 4]], pvalues(tables[:, [0, 3, 4]]))
    assert pvalues(tables[:, :1]).tolist() == [1]
    assert np.isnan(pvalues(np.full((2, 2, 10), np.nan))).all()
    single = ScoreCriterion(SplitScores([[0.1], [0.2]], SplitDesign([4], [1])))
    assert np.isnan(possibly_pareto_pvalues([single], [0.0])[0]).all()


def test_times_are_tested_with_the_sum_of_the_standard_deviations():
    design = SplitDesign([90] * 10, [10] * 10)
    times = TimeCriterion(np.array([2.0, 1.0, np.nan]), np.array([0.5, 0.3, 0.1]), design)
    found, rivals = possibly_pareto_pvalues([times], [0.0])
    t = 1.0 / ((0.5 + 0.3) * np.sqrt(1 / 10 + 1 / 9))  # 2.719
    assert found[0] == pytest.approx(stats.t.sf(t, 9))
    assert found[1] == 1  # the faster one
    assert np.isnan(found[2])
    assert rivals.tolist() == [1, -1, -1]


@given(seed=st.integers(0, 1000))
def test_times_claim_no_more_than_those_of_the_splits_would(seed):
    rng = np.random.default_rng(seed)
    seconds = rng.gamma(3, 1, (2, 10)) + rng.normal(0, 3) * rng.random(10)
    seconds[1] += 1.5
    design = SplitDesign([90] * 10, [10] * 10)
    times = TimeCriterion(seconds.mean(axis=1), seconds.std(axis=1, ddof=1), design)
    by_split = ScoreCriterion(SplitScores(-seconds, design))
    found, alone = (possibly_pareto_pvalues([each], [0.0])[0] for each in (times, by_split))
    assert (found >= alone * (1 - 1e-9)).all()


def truths(kind, m):
    """True means, metrics × candidates, in standard deviations of a split, and the ROPE.

    No rival dominates the first candidate. With "one decides", it equals all others in one metric
    and is far worse in the other: the hardest case, in which only one test protects it. With a ROPE
    the others are better by just the ROPE in both metrics, or far better in one metric and worse by
    just the ROPE in the other.
    """
    rest = 1.0 * (np.arange(m) > 0)
    return {
        "equal": (np.zeros((2, m)), 0.0),
        "close": (np.array([np.linspace(0, 0.5, m), np.linspace(0, -0.5, m)]), 0.0),
        "spread": (np.array([np.linspace(0, 4, m), np.linspace(0, -4, m)]), 0.0),
        "one decides": (np.array([0 * rest, 6 * rest]), 0.0),
        "at the ROPE": (np.array([0.5 * rest, 0.5 * rest]), 0.5),
        "at its other end": (np.array([-0.5 * rest, 6 * rest]), 0.5),
    }[kind]


@pytest.mark.parametrize(
    "kind", ["equal", "close", "spread", "one decides", "at the ROPE", "at its other end"]
)
@pytest.mark.parametrize(
    ("m", "n_splits", "n_tables", "correlation"),
    # The bound is wider for fewer tables only by their standard error.
    [(2, 5, 60, 0.9), (8, 10, 60, 0.0)]
    + [
        pytest.param(m, n_splits, 300, correlation, marks=pytest.mark.slow)
        for m, n_splits in ((2, 5), (2, 30), (8, 10), (30, 5))
        for correlation in (0.0, 0.9)
    ],
)
def test_a_candidate_that_none_dominates_is_rarely_left_out(
    kind, m, n_splits, n_tables, correlation
):
    # The model of the correction: splits of a candidate share a variance of q beside their own, 1.
    rng, missed = np.random.default_rng(6), 0
    true, rope = truths(kind, m)
    for _ in range(n_tables):
        noise = 0.5 * rng.standard_normal((2, m, 1)) + rng.standard_normal((2, m, n_splits))
        noise[1] = correlation * noise[0] + np.sqrt(1 - correlation**2) * noise[1]
        missed += pvalues(true[:, :, None] + noise, [rope] * 2)[0] < 0.05
    assert missed / n_tables <= 0.05 + 2.5 * np.sqrt(0.05 * 0.95 / n_tables)
