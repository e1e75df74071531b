"""The test of per-sample values: hand computations, SciPy's case, invariances, all uses."""

import dataclasses
import json
import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from benchmarks import hard_cells
from sklearn_stats_compare import Comparison, SplitDesign, SplitScores
from sklearn_stats_compare.comparison._tables import check_assumptions
from sklearn_stats_compare.stats import SampleScores, SampleTTest
from sklearn_stats_compare.stats._best import (
    model_confidence_set_pvalues,
    possibly_best_pvalues,
    probability_best,
)
from sklearn_stats_compare.stats._corrected_t import Posterior, rope_probabilities
from sklearn_stats_compare.stats._family import PAIR_TESTS, Family, Settings
from sklearn_stats_compare.stats._pair_tests import CORRECTED_T
from sklearn_stats_compare.stats._power import two_sided_power
from sklearn_stats_compare.stats._sample_scores import (
    MeasuredInstability,
    SampleSums,
    SampleVariance,
    standard_errors,
)

SAMPLES = PAIR_TESTS["samples"]
GOLDEN = json.loads((Path(__file__).parents[1] / "reference" / "samples.json").read_text())
FORMS = ["mean", "auc"]


def scores_of(values, n_folds=5, form="mean", **options):
    """Scores on equal folds; the first fold tests the first samples."""
    values = np.asarray(values)
    m, repeats, n = values.shape
    splits = values.reshape(m, repeats, n_folds, n // n_folds).mean(axis=3).reshape(m, -1)
    n_test = np.full(repeats * n_folds, n // n_folds)
    design = SplitDesign(n - n_test, n_test, np.arange(len(n_test)) // n_folds)
    return SplitScores(splits, design, SampleScores(values, n_folds, form, **options))


def random_values(m=6, repeats=2, n=60, seed=0):
    """Values with a common difficulty of samples and independent variation of refits."""
    rng = np.random.default_rng(seed)
    common = rng.normal(size=(1, 1, n))
    own = 0.5 * rng.normal(size=(m, 1, n)) + 0.1 * np.arange(m)[:, None, None]
    return common + own + 0.2 * rng.normal(size=(m, repeats, n))


def family_of(scores, adjust="maxt", rope=0.01, test=SAMPLES):
    settings = Settings("two-sided", adjust, (-rope, rope), 0.05, test)
    return Family(scores, test.all_pairs(scores), settings)


def detectable(scores, times, power=0.5):
    tests = SAMPLES.against_leader(scores)
    return SAMPLES.detectable(scores, tests, times, power=power, alpha=0.05)


def with_missing(values, rows):
    """Scores of values of which these rows are unknown."""
    splits = scores_of(np.nan_to_num(values))
    known = splits.values.copy()
    known[rows] = values[rows] = np.nan
    return SplitScores(known, splits.design, SampleScores(values, 5))


@pytest.mark.parametrize(
    "case", GOLDEN["cases"], ids=lambda c: f"{c['form']}-{c['n_repeats']}-{c['instability']}"
)
def test_standard_errors_match_plain_loops(case):
    repeats, n_folds = case["n_repeats"], GOLDEN["n_folds"]
    values = np.array(GOLDEN["values"])[:, :repeats]
    splits = np.array(GOLDEN["splits"])[:, : repeats * n_folds]
    n_test = np.tile([5, 5, 5, 4, 4], repeats)  # uneven folds of 23 samples
    design = SplitDesign(23 - n_test, n_test, np.arange(len(n_test)) // n_folds)
    scores = SplitScores(splits, design, SampleScores(values, n_folds, case["form"]))
    test = SampleTTest(instability=case["instability"])
    for pair in case["pairs"]:
        found = test.against(scores, pair["i"], np.array([pair["j"]]))
        assert found.mean_diff == pytest.approx([pair["mean_diff"]], rel=1e-12)
        assert found.std_err == pytest.approx([pair["std_err"]], rel=1e-12)
        assert found.pvalue("two-sided") == pytest.approx([pair["p_two_sided"]], rel=1e-9)
        assert found.df == 22
    assert test.std_errs(scores) == pytest.approx(case["own_std_errs"], rel=1e-12)
    assert test.df(scores) == 22


def test_one_stable_repeat_of_leave_one_out_matches_scipys_paired_t():
    # Leave-one-out without variance between refits: the remaining correction is n/(n − 1).
    values = random_values(2, repeats=1, n=40)
    scores = scores_of(values, n_folds=40)
    best, other = values[scores.order, 0]
    found = SampleTTest(instability=0.0).all_pairs(scores)
    expected = stats.ttest_rel(best, other)
    assert found.statistic == pytest.approx([expected.statistic / np.sqrt(40 / 39)], rel=1e-12)
    assert found.df == expected.df


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("repeats", [1, 2, 5])
@given(st.integers(0, 1000), st.sampled_from([-3.0, 0.5, 100.0]), st.sampled_from([1e-3, 4.0]))
def test_invariance_to_shift_scale_and_order(form, repeats, seed, shift, scale):
    rng = np.random.default_rng(seed)
    values = random_values(3, repeats, 30, seed)
    one = np.array([1, 2])

    def found(values, i=0, others=one):
        return SAMPLES.against(scores_of(values, form=form), i, others)

    before = found(values)
    samples_moved, repeats_moved = rng.permutation(30), rng.permutation(repeats)
    for same in (values[:, :, samples_moved], values[:, repeats_moved], values + shift):
        tests = found(same)
        assert tests.std_err == pytest.approx(before.std_err, rel=1e-9)
        assert tests.mean_diff == pytest.approx(before.mean_diff, rel=1e-6, abs=1e-9)
    assert found(scale * values).statistic == pytest.approx(before.statistic, rel=1e-9)
    turned = found(values, 1, np.array([0]))
    assert turned.mean_diff == pytest.approx(-before.mean_diff[:1])
    assert turned.std_err == pytest.approx(before.std_err[:1], rel=1e-12)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("repeats", [1, 2, 3])
@pytest.mark.parametrize(
    "change",
    [
        lambda v: v,
        lambda v: v.astype(np.float32),
        lambda v: 0.999999 + 1e-9 * v,
        lambda v: 1e-200 * v,
        lambda v: 1e140 * v,
        lambda v: (v > 0.3).astype(float),
        # Levels that differ by far more than near-duplicates do.
        lambda v: np.concatenate([v, v[:2] + 1e-7 * v[2:4], v[2:] + 1e4]),
        lambda v: np.concatenate([v, v[:2], v[:1] + 0.5]),
    ],
    ids=["plain", "single", "0.999999", "tiny", "huge", "counts", "levels", "copies"],
)
@pytest.mark.parametrize("n", [20, 400], ids=["points", "products"])
def test_products_match_explicit_differences(form, repeats, change, n):
    values = change(random_values(7, repeats, n))
    samples = SampleScores(values, 5, form)
    every = np.arange(len(values))
    # The reduction by repeats for areas is a difference of sums, computed only pair by pair.
    for times in (1.0, np.inf) if form == "mean" else (1.0,):
        variance = SampleVariance.of(samples, 1.0, times)
        sums = SampleSums(samples, variance, every)
        found = sums.standard_errors(slice(None), slice(None))
        for i in every:
            expected = standard_errors(samples, variance, np.full(len(every), i), every)
            assert_allclose(found[i], expected, rtol=1e-9, atol=0)


def test_chunks_and_rows_of_the_leader_are_bit_identical():
    scores = with_missing(random_values(150, 2, 40), [3, 77])
    pairs, leader = SAMPLES.all_pairs(scores), SAMPLES.against_leader(scores)
    chunks = list(SAMPLES.in_chunks(scores, 1000))
    for name in ("first", "second", "mean_diff", "std_err", "statistic"):
        joined = np.concatenate([getattr(chunk, name) for chunk in chunks])
        assert_array_equal(joined, getattr(pairs, name))
        assert_array_equal(getattr(leader, name), getattr(pairs, name)[:149])
    assert np.isnan(pairs.std_err).sum() == 148 + 149
    # The estimate is bit-identical to that of the tests of splits, so that rankings agree.
    assert_array_equal(pairs.mean_diff, PAIR_TESTS["corrected_t"].all_pairs(scores).mean_diff)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("repeats", [1, 2])
def test_constant_difference_counts_as_one_sign_per_sample(dtype, repeats):
    values = random_values(1, repeats, 40)
    values = np.concatenate([values, values, values + 0.1]).astype(dtype)
    scores = scores_of(values)
    same = SAMPLES.against(scores, 0, np.array([1]))
    assert (same.mean_diff, same.std_err, same.statistic) == (0, 0, 0)
    found = SAMPLES.against(scores, 2, np.array([0]))
    assert found.constant.all()
    assert found.pvalue("two-sided") == pytest.approx([2.0**-39], rel=1e-6)  # 2^(1 − 40)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("m", "n"), [(8, 60), (8, 5), (40, 20)])
@pytest.mark.parametrize("repeats", [1, 2, 3])
def test_joint_null_has_the_standard_errors_of_the_pairs(form, m, n, repeats):
    scores = scores_of(random_values(m, repeats, n), form=form)
    null = SAMPLES.joint_null(scores, 0, 10)
    root, copy_of = null._root
    rows = root[copy_of]
    drawn = np.sqrt(((rows[:, None] - rows[None]) ** 2).sum(axis=2))
    pairs = SAMPLES.all_pairs(scores)
    rank = np.argsort(scores.order)
    ordinary = np.broadcast_to(pairs.df == n - 1, pairs.std_err.shape)
    assert ordinary.mean() > 0.99  # heavy tails, in which the largest counts twice, are rare
    assert_allclose(
        drawn[rank[pairs.first], rank[pairs.second]][ordinary], pairs.std_err[ordinary], rtol=1e-9
    )


def test_drawn_extremes_match_the_drawn_squares():
    scores = scores_of(random_values(6)[[0, 1, 2, 3, 4, 5, 0]])  # 6 is a copy of 0
    null = SAMPLES.joint_null(scores, 3, 500)
    squares = np.concatenate(list(null.squares()))
    t = np.copysign(np.sqrt(np.abs(squares)), squares)
    order = np.random.default_rng(0).permutation(7)
    for everyone in (False, True):
        parts = list(null.row_extremes(order, everyone=everyone))
        low, high = (np.concatenate(part) for part in zip(*parts, strict=True))
        for k in range(7):
            others = order[:k] if not everyone else np.delete(order, k)
            expected = np.concatenate([t[:, others, order[k]], np.zeros((500, 1))], axis=1)
            assert_allclose(low[:, k], expected.min(axis=1), rtol=1e-9, atol=1e-12)
            assert_allclose(high[:, k], expected.max(axis=1), rtol=1e-9, atol=1e-12)
    assert null.excluded.sum() == 7 + 2  # the diagonal, and the copy both ways


@pytest.mark.parametrize("df", [3, 8, 29, 500])
def test_normal_draws_convert_to_t_with_the_same_tail(df):
    null = SAMPLES.joint_null(scores_of(random_values(2, 1, 10)), 0, 10)
    null._df = df
    z = np.array([0.1, 1.0, 2.0, 3.0, 4.0])
    expected = stats.t.isf(stats.norm.sf(z), df)
    # Gaver and Kafadar's approximation: 0.1 % where it is used for 30 samples and more.
    tolerance = 1e-9 if df < 9 else 1e-3
    assert_allclose(np.sqrt(null._squared_t(z)), expected, rtol=tolerance)


def test_of_two_candidates_every_probability_is_that_of_the_pair():
    values = random_values(2, 2, 30)
    values[1] += values[0].mean() - values[1].mean() + 0.35
    scores = scores_of(values)
    tests, family = SAMPLES.all_pairs(scores), family_of(scores)
    expected = tests.pvalue("two-sided")
    assert 0.01 < expected[0] < 0.5
    assert family.pvalue("two-sided") == pytest.approx(expected, abs=4 * 0.5 / 20_000**0.5)
    high = family.interval()[1]
    half_width = stats.t.isf(0.025, 29) * tests.std_err
    assert high - tests.mean_diff == pytest.approx(half_width, rel=0.03)
    better = stats.t.cdf(0.35 / tests.std_err[0], 29)
    found = probability_best(scores, most_behind=0.0, n_draws=100_000, rng=0, test=SAMPLES)
    assert found.best[1] == pytest.approx(better, abs=4 * 0.5 / 100_000**0.5)
    assert found.best.sum() == pytest.approx(1)
    posterior = Posterior(29, tests.mean_diff[0], tests.std_err[0])
    assert posterior.probabilities(0.0).better == pytest.approx(better)
    assert tests.pvalue("greater")[0] == pytest.approx(1 - better)


def test_copies_share_the_probability_of_being_best():
    values = random_values(4, 2, 300)
    scores = scores_of(np.concatenate([values, values[3:]]))
    found = probability_best(scores, most_behind=0.0, n_draws=4000, rng=0, test=SAMPLES)
    assert found.best[3] == found.best[4] > 0


@pytest.mark.parametrize("repeats", [1, 2])
def test_more_repeats_divide_the_variance_of_refits(repeats):
    values = random_values(3, repeats, 60)
    scores = scores_of(values)
    tests, options = SAMPLES.against_leader(scores), {"power": 0.8, "alpha": 0.05}
    d = values[scores.order[0]] - values[scores.order[1]]
    s2 = np.var(d, axis=1, ddof=1).mean()
    e2 = np.var(d, axis=0, ddof=1).mean() if repeats > 1 else s2 / 2
    found = {}
    for times in (1.0, 2.0, 3.0, 5.0, np.inf):
        found[times] = detectable(scores, times, 0.8)[0]
        std_err = np.sqrt((s2 * 5 / 4 + e2 / repeats / times) / 60)
        assert two_sided_power(found[times] / std_err, 59, 0.05) == pytest.approx(0.8, abs=1e-6)
    needed = SAMPLES.repeats_needed(scores, tests, found[3.0] * 1.0001, **options)
    assert needed[0] == 3 * repeats
    never = SAMPLES.repeats_needed(scores, tests, 0.99 * found[np.inf], **options)
    assert never[0] == np.inf
    endless, step = SAMPLES.in_the_limit(scores, SAMPLES.all_pairs(scores))
    assert endless.std_err[0] ** 2 == pytest.approx(s2 * 5 / 4 / 60)
    assert step[0] == pytest.approx(2 * np.sqrt(e2 / repeats / 60))


@pytest.mark.parametrize("n", [1500, pytest.param(4000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("repeats", [1, 2])
def test_simulated_scores_have_the_variance_of_the_test(repeats, n):
    scores = scores_of(random_values(3, repeats, 60))
    rng = np.random.default_rng(0)
    expected = SAMPLES.against(scores, 0, np.array([1])).std_err[0]
    draw = SAMPLES.simulator(scores, "corrected")
    means = np.array([1.0, 2.0, 3.0])
    drawn = np.array([draw(means, rng).means for _ in range(n)])
    # 4 standard errors: of a mean expected/√n, of a deviation 1/√(2n) of it.
    assert np.diff(drawn.mean(axis=0)) == pytest.approx([1, 1], abs=4 * expected / n**0.5)
    assert np.std(drawn[:, 0] - drawn[:, 1]) == pytest.approx(expected, rel=4 / (2 * n) ** 0.5)


@pytest.mark.parametrize(
    ("design", "named"),
    [
        (SplitDesign([80] * 10, [20] * 10), "shuffle splits"),
        (SplitDesign(np.arange(20, 120, 10), [10] * 10, expanding=True), "time series"),
        (SplitDesign([20] * 10, [10] * 10, sliding=True), "time series"),
        (SplitDesign([63] * 10, [37] * 10, resampled=True), "bootstraps"),
    ],
)
def test_invalid_designs_raise_and_are_named(design, named):
    with pytest.raises(ValueError, match=f"`test` must be 'corrected_t' for these splits.*{named}"):
        SAMPLES.check(design)
    SAMPLES.check(SplitDesign([80] * 5, [20] * 5, np.zeros(5, dtype=int)))


@pytest.mark.parametrize("instability", [-0.1, np.nan, np.inf, "1", True])
def test_invalid_instability_raises(instability):
    with pytest.raises(ValueError, match="`instability` must be a finite number ≥ 0"):
        SampleTTest(instability=instability)


VALUES = random_values(3, 2, 20)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"values": np.zeros((3, 20))}, "candidates × repeats × samples"),
        ({"values": np.zeros((3, 0, 20))}, "at least one of each"),
        ({"values": [[["a"]]]}, "`values` must be numbers"),
        ({"n_folds": 1}, "`n_folds` must be a whole number from 2 to 20; got 1"),
        ({"n_folds": 21}, "`n_folds` must be"),
        ({"form": "f1"}, "`form` must be one of 'mean', 'auc'"),
    ],
)
def test_invalid_values_raise(options, message):
    with pytest.raises(ValueError, match=message):
        SampleScores(**{"values": VALUES, "n_folds": 5, **options})


def test_values_are_read_only():
    given_values = VALUES.astype(np.float32)
    samples = SampleScores(given_values, 5)
    given_values[:] = 0
    assert samples.values.dtype == np.float32
    assert samples.values.any()
    with pytest.raises(ValueError, match="read-only"):
        samples.values[0, 0, 0] = 1


def test_any_nan_value_makes_a_candidate_missing():
    values, known = VALUES.copy(), scores_of(VALUES)
    values[1, 1, 3] = np.nan
    scores = SplitScores(known.values, known.design, SampleScores(values, 5))
    assert_array_equal(scores.missing, [False, True, False])
    assert np.isnan(scores.means[1])
    assert np.isnan(SAMPLES.std_errs(scores)).tolist() == [False, True, False]


@pytest.mark.parametrize(
    ("samples", "message"),
    [
        *(
            (SampleScores(wrong, 5), "`samples` must have the scores as means")
            for wrong in (VALUES[[1, 0, 2]], -VALUES, VALUES + 1e-5)
        ),
        (SampleScores(VALUES[:2], 5), "same 3 candidates"),
        (SampleScores(VALUES, 4), "n_folds × n_repeats = 10"),
        (VALUES, "`samples` must be SampleScores"),
    ],
)
def test_samples_that_do_not_belong_to_the_scores_raise(samples, message):
    scores = scores_of(VALUES)
    error = ValueError if isinstance(samples, SampleScores) else TypeError
    with pytest.raises(error, match=message):
        SplitScores(scores.values, scores.design, samples)


def test_samples_follow_subsets_of_scores():
    scores = scores_of(VALUES, words="5 folds, 20 groups")
    some = scores.subset(np.array([2, 0]))
    assert_array_equal(some.samples.values, VALUES[[2, 0]])
    assert some.samples.words == "5 folds, 20 groups"
    again = pickle.loads(pickle.dumps(scores))
    assert_array_equal(again.samples.values, VALUES)
    assert dataclasses.replace(scores).samples is scores.samples


@pytest.mark.parametrize("n_missing", [0, 1, 2, 3])
@pytest.mark.parametrize("m", [1, 2, 3])
def test_all_results_are_defined_for_few_available_candidates(m, n_missing):
    scores = with_missing(random_values(m, 2, 20), slice(n_missing))
    left = max(m - n_missing, 0)
    tests = SAMPLES.all_pairs(scores)
    assert np.count_nonzero(~np.isnan(tests.std_err)) == left * (left - 1) // 2
    for method, p_adjust in (("mcb", "bonferroni"), ("maxt", "maxt")):
        pvalues = possibly_best_pvalues(scores, method=method, test=SAMPLES)
        assert np.count_nonzero(~np.isnan(pvalues)) == left
        found = family_of(scores, p_adjust).pvalue("two-sided")
        assert np.count_nonzero(~np.isnan(found)) == left * (left - 1) // 2
    assert np.count_nonzero(~np.isnan(model_confidence_set_pvalues(scores, test=SAMPLES))) == left
    best = probability_best(scores, most_behind=0.0, n_draws=100, rng=0, test=SAMPLES).best
    assert np.nansum(best) == pytest.approx(min(left, 1))


def test_pairs_with_a_constant_difference_are_not_drawn():
    values = random_values(4, 2, 40)
    values[3] = values[0] + 0.25
    scores = scores_of(values)
    null = SAMPLES.joint_null(scores, 0, 200)
    where = [list(null.candidates).index(k) for k in (0, 3)]
    assert null.excluded[where[0], where[1]]
    constant = SAMPLES.all_pairs(scores).constant
    assert constant.sum() == 1
    # Its own 2^(1 − 40), plus the probability for the other pairs: less than 1/20,000 draws.
    assert family_of(scores).pvalue("two-sided")[constant] < 1e-4
    best = probability_best(scores, most_behind=0.0, n_draws=2000, rng=0, test=SAMPLES).best
    assert best[0] == 0


def test_single_precision_draws_of_many_candidates_agree():
    values = random_values(6, 2, 40)
    rng = np.random.default_rng(1)
    many = np.concatenate([values, random_values(240, 2, 40, seed=2)])
    many += 1e-3 * rng.normal(size=many.shape)
    scores = scores_of(many)
    order = rng.permutation(246)

    def extremes(dtype=None):
        null = SAMPLES.joint_null(scores, 5, 200)
        assert null._dtype == np.float32
        null._dtype = dtype or null._dtype
        return [np.concatenate(part) for part in zip(*null.row_extremes(order), strict=True)]

    assert_allclose(extremes(), extremes(np.float64), atol=1e-3)


def equivalent(scores, rope):
    family = family_of(scores, None, rope, SampleTTest())
    tests = family.tests
    outside = rope_probabilities(tests.mean_diff, tests.std_err, tests.df, (-rope, rope))
    return bool(family.decisions(outside).equivalent[0])


@pytest.mark.parametrize("n", [400, 1000, 3000])
@pytest.mark.parametrize("n_differing", [1, 2, 5, 10])
def test_rare_differences_are_equivalent_only_if_poissons_limit_is_inside(n, n_differing):
    # Both are wrong on every fifth sample, the second on a few more, in random folds.
    values = np.ones((2, 1, n))
    values[:, :, ::5] = 0
    values[1, :, np.flatnonzero(values[0, 0])[:n_differing]] = 0
    scores = scores_of(values[:, :, np.random.default_rng(0).permutation(n)])
    # Exact 95 % limit of a Poisson mean for k observed events, widened like the variance with five
    # folds and one repeat, K/(K − 1) + 1 = 2.25. The ROPE is 40 % above and below this limit.
    limit = stats.chi2.isf(0.05, 2 * (n_differing + 1)) / 2
    half_width = (limit - n_differing) * 2.25**0.5
    for factor, expected in ((0.6, False), (1.4, True)):
        assert equivalent(scores, factor * (n_differing + half_width) / n) == expected


def test_common_differences_are_hardly_affected():
    # z²·w² against SE²: with 100 differing samples of 2,000 it adds 4 % to the variance.
    scores = scores_of(np.random.default_rng(0).normal(size=(2, 1, 2000)))
    tests = SampleTTest().all_pairs(scores)
    for width in (0.9, 1.1):
        t = stats.t.isf(0.05, 1999)  # two one-sided tests at 5 %
        rope = abs(tests.mean_diff[0]) + width * t * tests.std_err[0]
        assert equivalent(scores, rope) == (width > 1)


@pytest.mark.parametrize("repeats", [2, 4, 16])
def test_limit_of_areas_does_not_depend_on_the_number_of_repeats(repeats):
    # d_ir = s_i + e_ir with variances 1 and 0.8. With infinitely many repeats only s_i remains,
    # with variance K/(K − 1)/n. With R repeats the sample variance of the means is larger by 0.8/R.
    rng = np.random.default_rng(repeats)
    n, n_folds = 4000, 5
    values = rng.normal(size=n) + np.sqrt(0.8) * rng.normal(size=(repeats, n))
    scores = scores_of(np.stack([values, np.zeros((repeats, n))]), n_folds, "auc")
    steps = [detectable(scores, times)[0] for times in (1.0, 2.0, 8.0, np.inf)]
    assert steps == sorted(steps, reverse=True)
    # The power is one half if the shift is the critical value, 1.96 standard errors.
    expected = stats.norm.isf(0.025) * np.sqrt(n_folds / (n_folds - 1) / n)
    assert steps[-1] == pytest.approx(expected, rel=0.06)
    # All pairs have the same limit, and more repeats approach it.
    limit, _ = SAMPLES.in_the_limit(scores, SAMPLES.all_pairs(scores))
    assert stats.norm.isf(0.025) * limit.std_err[0] == pytest.approx(steps[-1], rel=1e-3)


def test_limit_of_areas_is_unknown_with_one_repeat():
    scores = scores_of(np.random.default_rng(0).normal(size=(3, 1, 60)), form="auc")
    tests, pairs = SAMPLES.against_leader(scores), SAMPLES.all_pairs(scores)
    for times in (2.0, np.inf):
        assert np.isnan(detectable(scores, times, 0.8)).all()
    assert np.isnan(SAMPLES.repeats_needed(scores, tests, 0.5, power=0.8, alpha=0.05)).all()
    comparison = Comparison(scores, test="samples", warn=False)
    answers = comparison.plan(0.5)["answer"].str
    assert answers.startswith("not known: one repeat does not show the limit").all()
    assert comparison.plan()["detectable"].notna().all()
    # An unknown limit must not exclude any difference.
    assert (SAMPLES.in_the_limit(scores, pairs)[0].std_err < 0.1 * pairs.std_err).all()


@pytest.mark.parametrize("repeats", [2, 5])
def test_what_all_samples_of_a_repeat_share_is_not_taken_off_the_samples(repeats):
    # d_ir = a_i + b_r exactly: infinitely many repeats leave K/(K - 1)·Var(a)/n, and no b.
    rng = np.random.default_rng(repeats)
    own = 0.3 * rng.normal(size=200)
    values = own + rng.normal(size=(repeats, 1))
    scores = scores_of(np.stack([values, np.zeros_like(values)]), form="auc")
    expected = stats.t.isf(0.025, 199) * np.sqrt(5 / 4 * own.var(ddof=1) / 200)
    assert detectable(scores, np.inf)[0] == pytest.approx(expected, rel=0.01)


@pytest.mark.parametrize("repeats", [2, 5])
def test_refits_alone_leave_nothing_in_the_limit_whatever_the_difference(repeats):
    # Nothing of the samples lasts, so repeats find any difference, and how many is consistent.
    rng = np.random.default_rng(7)
    values = 0.2 * rng.normal(size=(2, repeats, 40))
    values[0] += 0.25
    scores = scores_of(values, form="auc")
    limits = [detectable(scores, times, 0.8)[0] for times in (1, 10, 100, 1e4, np.inf)]
    assert limits == sorted(limits, reverse=True)
    if limits[-1] == 0:
        tests, found = SAMPLES.against_leader(scores), detectable(scores, 20 / repeats, 0.8)
        assert SAMPLES.repeats_needed(scores, tests, found, power=0.8, alpha=0.05)[0] == 20


def test_rare_large_losses_have_about_two_degrees_of_freedom_each():
    # 98 differences of ±1 and two of −30: the variance is that of two samples. With the mean
    # removed, Satterthwaite's degrees of freedom are 2n/(κ − 1), and the largest counts once more.
    n = 100
    d = np.append(np.tile([1.0, -1.0], 49), [-30.0, -30.0])
    base = np.random.default_rng(0).standard_normal(n)
    scores = scores_of(np.stack([base, base - d])[:, None])
    tests = SampleTTest(instability=0).against(scores, 0, np.array([1]))
    square, fourth = (d - d.mean()) ** 2, (d - d.mean()) ** 4
    wider = square.mean() + square.max() / n
    kurtosis = (fourth.mean() + fourth.max() / n) / wider**2
    assert tests.df[0] == pytest.approx(2 * n / (kurtosis - 1))
    assert 4 < tests.df[0] < 7  # twice three, the two seen and the one more
    variance = square.sum() / (n - 1) * wider / square.mean() * 5 / 4
    assert tests.std_err[0] == pytest.approx(np.sqrt(variance / n))
    # Max-t compares statistics of the same tails.
    expected = stats.t.isf(tests.tail, n - 1)
    assert_allclose(np.abs(tests.statistic_at(n - 1)), expected)


def test_a_comparison_of_heavy_tails_says_what_to_do_next():
    losses = np.random.default_rng(0).exponential(size=(3, 2, 100))
    losses[1:, :, 0] += 8.0
    losses[2] += 0.1
    found = Comparison(scores_of(-losses), test="samples", warn=False, rope=0.001)
    assert found.posterior(0, 1).df < 99
    assert "Next:" in str(found)


def test_three_samples_that_decide_cause_a_warning_for_every_test():
    (scores, _), *_ = hard_cells.rare_losses(300, 0.01, 1)
    assert scores.samples.few_decide
    for test in (SAMPLES, CORRECTED_T):
        assert any("Three samples" in line for line in check_assumptions(scores, test))
    # Ordinary losses, and right and wrong, do not.
    plain = np.random.default_rng(0).exponential(size=(5, 1, 100))
    assert not SampleScores(plain, 5).few_decide
    assert not SampleScores((plain > 3).astype(float), 5).few_decide
    # Nor does half of Σd² on three of 40 groups: d is 1.6 on them and 0.4 elsewhere, κ = 3.7.
    of_groups = np.stack([np.zeros(40), np.r_[[1.6] * 3, [0.4, -0.4] * 18, 0.4]])[:, None]
    assert not SampleScores(of_groups - 1, 5).few_decide


def test_a_costly_loss_that_was_seen_does_not_make_its_candidate_worse_or_better():
    # Equal candidates, of which one has losses of 10 to 20 on 3 % of samples: in 6.0 ± 0.5 % of the
    # tables that show any, the test with n − 1 degrees of freedom rejected.
    rate = hard_cells.rare_loss_rates("100 samples, losses of 10 to 20 on 3.0%", 400)["rate"]
    assert rate["samples, some seen"] <= 0.02


@pytest.mark.slow
@pytest.mark.parametrize("name", hard_cells.RARE_LOSSES)
def test_rare_large_losses_keep_the_level_if_some_are_seen(name):
    found = hard_cells.rare_loss_rates(name, 4000).loc["samples, some seen"]
    assert found["rate"] <= 0.05 + 2 * (0.05 * 0.95 / 4000) ** 0.5


def measured_of(values, n_folds=5, **options):
    return MeasuredInstability.of(SampleScores(values, n_folds, **options))


def test_measured_instability_is_the_pooled_ratio_of_all_pairs():
    values = random_values(4, 3, 60)
    refits = spread = 0.0
    for i in range(4):
        for j in range(i):
            d = values[i] - values[j]
            refits += d.var(axis=0, ddof=1).mean()
            spread += d.var(axis=1, ddof=1).mean()
    found = measured_of(values)
    assert found.pooled == pytest.approx(refits / spread, rel=1e-12)
    assert (found.n_candidates, found.n_fits) == (4, 40)  # 4 candidates · 5 folds · 2 more repeats


def test_measured_instability_of_five_samples_by_hand():
    # d = (1, 0, 0, 0, 0) and (0, 0, 0, 0, 1): ê² = (1/2 + 1/2)/5 = 1/5, and in each repeat
    # s² = (1 − 1/5)/4 = 1/5.
    first = [[1, 0, 0, 0, 0], [0, 0, 0, 0, 1]]
    assert measured_of([first, np.zeros((2, 5))]).pooled == pytest.approx(1.0)


def test_limit_of_measured_instability_is_that_of_the_bootstrap():
    rng = np.random.default_rng(1)
    values = random_values(3, 2, 400)
    found = measured_of(values)
    assert found.ratio < 0.2
    drawn = [measured_of(values[:, :, rng.integers(0, 400, 400)]).pooled for _ in range(2000)]
    # The standard deviation of 2,000 draws is known to 1.6 %; 6 % is for the delta method too.
    assert (found.ratio - found.pooled) / 1.645 == pytest.approx(np.std(drawn), rel=0.06)


@pytest.mark.parametrize(
    ("noise", "low", "high"), [(0.1, 0, 0.2), (0.3, 0.5, 0.5), (0.9, 0.7, 0.9)]
)
def test_a_limit_above_a_fifth_gives_the_ratio_or_one_half(noise, low, high):
    rng = np.random.default_rng(0)
    values = 0.5 * rng.normal(size=(3, 1, 2000)) + noise * rng.normal(size=(3, 2, 2000))
    # ê²/s̄² = noise²/(noise² + 0.25): 0.04, 0.26, 0.76.
    assert measured_of(values).pooled == pytest.approx(noise**2 / (noise**2 + 0.25), rel=0.1)
    assert low <= measured_of(values).ratio <= high
    assert (measured_of(values).ratio == measured_of(values).pooled) == (noise == 0.9)


@pytest.mark.parametrize(("n_differ", "ratio"), [(2, 0.5), (10, 0.5), (11, 0.197), (100, 0.026)])
def test_no_change_on_few_samples_is_no_proof_of_stability(n_differ, ratio):
    # Two candidates differ on some samples, and on the same in both repeats. Wilson's limit of the
    # share that changes, of which none was seen, is z²/(m + z²); more than 0.2 is not used. Around
    # the mean a difference on m of n samples amounts to m·(1 + O(m/n)) of them.
    from statsmodels.stats.proportion import proportion_confint

    values = np.zeros((2, 2, 1_000_000))
    values[0, :, :n_differ] = 1
    found = measured_of(values)
    limit = proportion_confint(0, n_differ, alpha=0.1, method="wilson")[1]
    assert found.pooled == 0
    assert found.ratio == pytest.approx(limit if limit <= 0.2 else 0.5, rel=1e-3)
    assert found.ratio == pytest.approx(ratio, rel=0.02)


def test_measured_instability_ignores_order_units_and_a_common_part():
    values = random_values(3, 2, 60)
    found = measured_of(values)
    for same in (values[::-1], 1e3 * values, values + 5, values[:, ::-1], values[:, :, ::-1]):
        assert measured_of(same).ratio == pytest.approx(found.ratio, rel=1e-9)


def test_candidates_that_never_differ_measure_nothing():
    values = np.repeat(random_values(1, 2, 60), 3, axis=0)
    assert measured_of(values) is None
    assert measured_of(random_values(3, 1, 60)) is None  # one repeat
    one = random_values(2, 2, 60)
    one[1, 0, 0] = np.nan
    assert measured_of(one) is None  # one candidate


def test_areas_and_counts_keep_at_least_the_assumed_instability():
    values = random_values(3, 2, 3000)
    stable = values.mean(axis=1, keepdims=True) + 1e-3 * values
    assert measured_of(stable).ratio < 0.01
    assert measured_of(stable, form="auc").ratio == 0.5
    assert measured_of(stable, fewest=30).ratio == 0.5


def with_measured(scores, ratio, pooled=None):
    measured = MeasuredInstability(ratio, pooled or ratio, 3, 15)
    samples = dataclasses.replace(scores.samples, measured=measured)
    return dataclasses.replace(scores, samples=samples)


@pytest.mark.parametrize("form", FORMS)
def test_a_measured_ratio_gives_the_statistics_of_that_number(form):
    plain = scores_of(random_values(5, 1), form=form)
    measured = with_measured(plain, 0.2)
    known, assumed = SampleTTest(instability=0.2), SampleTTest(instability=0.5)
    expected = possibly_best_pvalues(plain, test=known)
    for test in (SAMPLES, SampleTTest(instability="measured")):
        found = test.all_pairs(measured).std_err
        assert_array_equal(found, known.all_pairs(plain).std_err)
        assert_array_equal(possibly_best_pvalues(measured, test=test), expected)
        assert test.share_factor(measured) == pytest.approx(5 / 4 + 0.2)
        assert_array_equal(test.all_pairs(plain).std_err, assumed.all_pairs(plain).std_err)


@pytest.mark.parametrize(("test", "repeats"), [(SampleTTest(instability=1), 1), (SAMPLES, 2)])
def test_a_given_number_and_repeats_of_all_candidates_go_before_the_measured_ratio(test, repeats):
    plain = scores_of(random_values(5, repeats))
    measured = with_measured(plain, 0.2)
    assert_array_equal(test.all_pairs(measured).std_err, test.all_pairs(plain).std_err)
    assert "measured" not in test.line(measured)


def test_line_and_methods_say_what_was_measured_or_what_is_assumed_though_it_was_asked_for():
    plain = scores_of(random_values(5, 1))
    said = SampleTTest(instability="measured").line(plain)
    assert said == f"{SAMPLES.line(plain)}, instability 0.5, as none could be measured"
    least = SAMPLES.line(with_measured(plain, 0.5, 0.38))
    assert least.endswith(", instability 0.5, assumed although 15 further fits show 0.38")
    scores = with_measured(plain, 0.0912)
    assert SAMPLES.line(scores).endswith(", instability 0.091, measured by 15 further fits")
    words = "0.091 times the variance between samples, as 15 further fits of 3 candidates showed"
    assert words in SAMPLES.methods(scores)


def rates_of_warnings(fold_effect, n=500, n_tables=200):
    """How often the test doubts folds whose models have a random shift of accuracy in common."""
    rng, said = np.random.default_rng(0), []
    for _ in range(n_tables):
        rate = 0.7 + fold_effect * rng.standard_normal((2, 5, 1))
        values = (rng.random((2, 5, n)) < rate).astype(float)
        design = SplitDesign([4 * n] * 5, [n] * 5, [0] * 5)
        samples = SampleScores(values.reshape(2, 1, -1), 5)
        sentences = SampleTTest().strained(SplitScores(values.mean(axis=2), design, samples))
        said.append(any("vary more between splits" in sentence for sentence in sentences))
    return np.mean(said)


def test_folds_that_vary_more_than_their_samples_are_doubted_and_no_others():
    # The variance of a split difference of two models is 2·0.7·0.3/500, and the test allows for
    # 1.75 times that; shifts of 0.12 make it 35 times as large.
    assert rates_of_warnings(0.0) == 0
    assert rates_of_warnings(0.12) > 0.9
