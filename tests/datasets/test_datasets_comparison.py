"""Tables of a comparison over data sets: published numbers, SciPy, invariances, levels."""

import json
import pickle

import numpy as np
import pandas as pd
import pytest
import scipy
from scipy import stats

import sklearn_stats_compare as ssc
from sklearn_stats_compare.datasets import _comparison
from sklearn_stats_compare.reports import report
from sklearn_stats_compare.stats._multitest import adjust_pvalues
from sklearn_stats_compare.stats.datasets import _signed_rank
from sklearn_stats_compare.stats.datasets._bayesian import bayesian_sign_test

# Demšar (2006), Table 6: AUC of C4.5 and three variants on 14 data sets. "voting" of C4.5+cf is
# 0.9751, which the printed ranks need.
DEMSAR = pd.DataFrame(
    {
        "C4.5": [0.763, 0.599, 0.954, 0.628, 0.882, 0.936, 0.661,
                 0.583, 0.775, 1.000, 0.940, 0.619, 0.972, 0.957],
        "C4.5+m": [0.768, 0.591, 0.971, 0.661, 0.888, 0.931, 0.668,
                   0.583, 0.838, 1.000, 0.962, 0.666, 0.981, 0.978],
        "C4.5+cf": [0.771, 0.590, 0.968, 0.654, 0.886, 0.916, 0.609,
                    0.563, 0.866, 1.000, 0.965, 0.614, 0.9751, 0.946],
        "C4.5+m+cf": [0.798, 0.569, 0.967, 0.657, 0.898, 0.931, 0.685,
                      0.625, 0.875, 1.000, 0.962, 0.669, 0.975, 0.970],
    },
    index=["adult", "breast", "wisconsin", "cmc", "ionosphere", "iris", "bupa", "lung",
           "lymphography", "mushrooms", "tumor", "rheum", "voting", "wine"],
)  # fmt: skip


def of(values, **settings):
    values = np.asarray(values)
    labels = [f"m{k}" for k in range(len(values))]
    datasets = [f"d{k}" for k in range(values.shape[1])]
    return ssc.DatasetsComparison(values, labels, datasets, warn=False, **settings)


def with_splits(n_datasets=12, n_splits=10, seed=0, shift=0.03):
    noise = np.random.default_rng(seed).standard_normal((n_datasets, 3, n_splits))
    values = 0.7 + shift * np.arange(3)[::-1, None] + 0.05 * noise
    design = ssc.SplitDesign([90] * n_splits, [10] * n_splits)
    own = {
        f"d{k}": ssc.Comparison(ssc.SplitScores(v, design), ["x", "y", "z"], warn=False)
        for k, v in enumerate(values)
    }
    return ssc.compare_datasets(own, warn=False), values


def test_demsars_example_has_the_published_numbers():
    found = ssc.compare_datasets(DEMSAR, metric="AUC")
    ranks = found.ranking().set_index("label")["mean_rank"]
    assert ranks.reindex(DEMSAR.columns).round(3).tolist() == [3.143, 2.0, 2.893, 1.964]
    friedman = found.friedman(tie_correction=False)
    assert round(friedman.statistic, 2) == 9.28
    assert round(friedman.f_statistic, 2) == 3.69
    assert round(found.critical_difference(), 2) == 1.25
    assert round(found.critical_difference(alpha=0.10), 2) == 1.12
    # Page 13: Bonferroni–Dunn against C4.5.
    dunn = found.with_settings(test="nemenyi").against("C4.5", p_adjust=None)
    dunn = dunn.set_index("model_2").loc[DEMSAR.columns[1:]]
    # Computed there from mean ranks of three digits.
    assert (-dunn["statistic"]).tolist() == pytest.approx([2.342, 0.512, 2.416], abs=1e-3)
    assert dunn["p_val"].tolist() == pytest.approx([0.019, 0.607, 0.016], abs=2e-3)


SCIPY = tuple(map(int, scipy.__version__.split(".")[:2]))


@pytest.mark.skipif(SCIPY < (1, 13), reason="`wilcoxon` takes a PermutationMethod from 1.13 on")
def test_p_values_are_those_of_scipy_adjusted_by_holm():
    # Eight data sets, for SciPy's permutations double with each; ties and zeros are among them.
    scores = DEMSAR.iloc[5:13]
    table = ssc.compare_datasets(scores, warn=False).frequentist()
    method = stats.PermutationMethod(n_resamples=np.inf)
    expected = []
    for one, other in zip(table["model_1"], table["model_2"], strict=True):
        difference = (scores[one] - scores[other]).round(10)
        expected.append(stats.wilcoxon(difference, zero_method="pratt", method=method).pvalue)
    np.testing.assert_allclose(table["p_unadjusted"], expected, rtol=1e-9)
    np.testing.assert_allclose(table["p_val"], adjust_pvalues(expected, "holm"), rtol=1e-9)


def test_shaffer_is_between_none_and_holm():
    holm, shaffer, none = (
        ssc.compare_datasets(DEMSAR, p_adjust=name).frequentist()["p_val"]
        for name in ("holm", "shaffer", None)
    )
    assert (shaffer <= holm).all()
    assert (none <= shaffer).all()
    # Six pairs of four models: after the first rejection three pairs can be equal, not five.
    second = np.argsort(none)[1]
    assert shaffer[second] == pytest.approx(max(3 * none[second], shaffer.min()))


def test_the_interval_of_the_pseudo_median_inverts_the_test():
    # The two-sided test of a shift is significant exactly outside the interval.
    rng = np.random.default_rng(3)
    values = rng.normal(size=(2, 15)) + np.array([[0.4], [0.0]])
    row = of(values, p_adjust=None, rope=0).against().iloc[0]
    order = [int(row["model_1"][1]), int(row["model_2"][1])]
    difference = values[order[0]] - values[order[1]]
    for end, inward in ((row["ci_low"], 1e-9), (row["ci_high"], -1e-9)):
        inside = stats.wilcoxon(difference - end - inward, method="exact").pvalue
        outside = stats.wilcoxon(difference - end + inward, method="exact").pvalue
        assert outside < 0.05 <= inside
    walsh = [(a + b) / 2 for k, a in enumerate(difference) for b in difference[: k + 1]]
    assert row["median_diff"] == pytest.approx(np.median(walsh))


@pytest.mark.parametrize("tail", [0.025, 0.05])
def test_beyond_the_counted_sizes_an_interval_begins_within_one_walsh_average(tail):
    n = _signed_rank._MOST_COUNTED + 1
    chance = np.ones(1)  # of each sum of positive ranks: every rank counts or not
    for rank in range(1, n + 1):
        chance = np.convolve(chance, np.r_[0.5, np.zeros(rank - 1), 0.5])
    # The largest k with P(T < k) ≤ tail; the normal curve with its correction for continuity.
    k = np.flatnonzero(np.cumsum(chance) <= tail).max() + 1
    assert abs(_signed_rank._cutoff(n, tail) - k) <= 1


def test_too_few_data_sets_have_no_interval_and_say_so():
    values = np.random.default_rng(0).normal(size=(3, 5))
    with pytest.warns(ssc.ComparisonWarning, match="5 data sets cannot show any difference"):
        found = ssc.DatasetsComparison(values, list("abc"), list("vwxyz"))
    assert np.isinf(found.against()[["ci_low", "ci_high"]]).all().all()
    assert "cannot show any difference" in repr(found)


def test_equivalence_needs_evidence():
    rng = np.random.default_rng(1)
    near = 0.8 + 0.001 * rng.standard_normal((2, 20))
    assert of(near, rope=0.01).against()["verdict"].tolist() == ["equivalent"]
    assert of(near, rope=0).against()["verdict"].tolist() != ["equivalent"]
    assert of(near[:, :4], rope=0.01).against()["verdict"].tolist() == ["undecided"]
    # All data sets tie: no difference anywhere is what the ROPE's tests reject on 20 data sets.
    same = np.tile(near[:1], (2, 1))
    assert of(same, rope=0.01).against()["verdict"].tolist() == ["equivalent"]


def test_equivalence_is_two_one_sided_tests_of_scipy():
    values = 0.8 + 0.004 * np.random.default_rng(2).standard_normal((2, 12))
    found = of(values, rope=(-0.005, 0.006), p_adjust=None)
    difference = np.subtract(*values[list(found.order)])
    above = stats.wilcoxon(difference + 0.005, alternative="greater", method="exact").pvalue
    below = stats.wilcoxon(difference - 0.006, alternative="less", method="exact").pvalue
    assert max(above, below) < 0.05
    assert found.against()["verdict"].tolist() == ["equivalent"]


def test_alternatives_add_up_and_flip():
    rng = np.random.default_rng(4)
    values = rng.normal(size=(3, 9))
    two, greater, less = (
        of(values, alternative=name, p_adjust=None).frequentist()["p_unadjusted"]
        for name in ("two-sided", "greater", "less")
    )
    np.testing.assert_allclose(two, np.minimum(1, 2 * np.minimum(greater, less)), rtol=1e-12)
    # P(T ≥ t) + P(T ≤ t) = 1 + P(T = t)
    assert (greater + less > 1).all()


def test_negated_scores_swap_better_and_worse():
    values = np.random.default_rng(5).normal(size=(4, 25)) + np.arange(4)[:, None]
    one, other = of(values, rope=0.1), of(-values, rope=0.1)
    assert list(one.order) == list(other.order)[::-1]
    first = one.frequentist().astype({"model_1": str, "model_2": str})
    first = first.set_index(["model_1", "model_2"])["p_unadjusted"]
    for r in other.frequentist().itertuples():
        assert r.p_unadjusted == pytest.approx(first[str(r.model_2), str(r.model_1)], rel=1e-12)


def test_wins_ties_losses_and_verdicts_count_data_sets():
    found, values = with_splits()
    table = found.win_tie_loss()
    assert (table[["wins", "ties", "losses"]].sum(axis=1) == 12).all()
    verdicts = ["better", "worse", "equivalent", "undecided", "missing"]
    assert (table[verdicts].sum(axis=1) == 12).all()
    # The same by the table of each data set.
    for row in table.itertuples():
        own = found.on_each(row.model_1, row.model_2)["verdict"]
        assert [(own == word).sum() for word in verdicts] == [getattr(row, w) for w in verdicts]
    means = values.mean(axis=2)
    row = table[(table["model_1"] == "x") & (table["model_2"] == "y")].iloc[0]
    assert row["wins"] == (means[:, 0] > means[:, 1]).sum()


def test_possibly_best_is_a_union_of_one_sided_tests():
    values = np.random.default_rng(6).normal(size=(4, 15)) + np.array([[0], [0], [0], [3]])
    found = of(values)
    assert found.possibly_best()["label"].tolist() == ["m3"]
    equal = of(np.random.default_rng(7).normal(size=(4, 15)))
    assert len(equal.possibly_best()) == 4
    with pytest.raises(ValueError, match="`test` must not be 'nemenyi'"):
        found.with_settings(test="nemenyi").possibly_best()


def test_equal_models_rarely_differ_and_a_given_one_is_rarely_left_out():
    # Equal models: each is a best one. At most 5 % of data leave a given one out, and at most 5 %
    # have any verdict. 60 draws, with a standard error of 2.8 %.
    rng = np.random.default_rng(8)
    n = 60
    for n_datasets in (10, 20):
        left_out = false = 0
        for _ in range(n):
            found = of(rng.normal(size=(5, n_datasets)), rope=0)
            left_out += "m0" not in set(found.possibly_best()["label"])
            verdicts = found.frequentist(intervals=False)["verdict"]
            false += verdicts.isin(["better", "worse"]).any()
        assert max(left_out, false) / n < 0.05 + 2.6 * np.sqrt(0.05 * 0.95 / n)


def test_the_hierarchical_model_uses_all_splits():
    found, values = with_splits(shift=0.05)
    pair = found.hierarchical("x", "z")
    assert pair.average.better > 0.99
    table = pair.table
    np.testing.assert_allclose(table["mean_diff"], (values[:, 0] - values[:, 2]).mean(axis=1))
    # Shrinkage: closer to each other than the raw differences.
    assert table["shrunken"].std() < table["mean_diff"].std()
    back = found.hierarchical("z", "x")
    assert back.average.worse == pytest.approx(pair.average.better, abs=0.01)
    assert "next data set" in repr(pair)
    assert pair.summary["dataset"].tolist() == ["average", "next data set"]
    inner = pair.summary.set_index("dataset")
    assert inner.loc["next data set", "ci_low"] < inner.loc["average", "ci_low"]
    with pytest.raises(ValueError, match="split scores of every data set"):
        ssc.compare_datasets(DEMSAR).hierarchical(0, 1)
    with pytest.raises(ValueError, match="`i` and `j` must be two models"):
        found.hierarchical("x", "x")


def test_draws_have_the_probabilities_of_the_table():
    found = ssc.compare_datasets(DEMSAR)
    draws = found.posterior_draws("C4.5+m", "C4.5", n_draws=20_000)
    assert draws.sum(axis=1) == pytest.approx(1)
    largest = np.bincount(draws.argmax(axis=1), minlength=3) / len(draws)
    table = found.bayesian()
    row = table[(table["model_1"] == "C4.5+m") & (table["model_2"] == "C4.5")].iloc[0]
    expected = row[["worse_prob", "rope_prob", "better_prob"]].to_numpy(dtype=float)
    np.testing.assert_allclose(largest, expected, atol=0.02)


def test_tables_of_many_models_are_in_rank_order():
    found = of(np.random.default_rng(10).normal(size=(30, 40)))
    table, ranking = found.frequentist(), found.ranking()
    assert len(table) == 435
    assert ranking["mean_rank"].is_monotonic_increasing
    assert table["model_1"].iloc[0] == ranking["label"].iloc[0]
    assert list(table["model_1"].cat.categories) == ranking["label"].tolist()
    assert len(repr(found).splitlines()) <= 24


def test_large_tables_leave_intervals_to_those_who_ask(monkeypatch):
    # 435 pairs of 320 data sets are too many; here 45 pairs of 12, with 45 · 78 Walsh averages.
    assert _comparison._MOST_WALSH < 435 * 320 * 321 // 2
    monkeypatch.setattr(_comparison, "_MOST_WALSH", 45 * 78)
    ten, found = (of(np.random.default_rng(11).normal(size=(m, 12))) for m in (10, 11))
    assert ten.frequentist()["ci_low"].notna().all()
    assert found.frequentist()["ci_low"].isna().all()
    assert found.against()["ci_low"].notna().all()
    some = found.with_settings(alpha=0.1)
    intervals = some.frequentist(intervals=True)["ci_low"].iloc[:10]
    np.testing.assert_allclose(intervals, some.against()["ci_low"])


def hostile():
    """Models with names that are markup, and move a terminal's cursor."""
    values = np.random.default_rng(0).normal(size=(2, 12))
    return ssc.DatasetsComparison(values, ["<b>_&%", "$x$\x1b[31m"], list("abcdefghijkl"))


def test_settings_pickles_and_text():
    found, _ = with_splits()
    again = pickle.loads(pickle.dumps(found))
    pd.testing.assert_frame_equal(again.against(), found.against())
    assert again.with_settings(alpha=0.01).alpha == 0.01
    with pytest.raises(TypeError, match="A setting must be one of"):
        found.with_settings(labels=["a"])
    assert "<b>" not in hostile()._repr_html_()
    assert "\x1b" not in repr(hostile())


@pytest.mark.parametrize("format", ["text", "markdown", "latex", "html", "json", "bibtex"])
def test_reports_name_the_leader_and_escape(format):
    found, _ = with_splits()
    parts = ["prose", "remarks", "ranking", "leader", "reference", "pairs"]
    text = found.report(format, reference="z", parts=parts)
    assert ("x" if format != "bibtex" else "demsar2006statistical") in text
    if format == "json":
        assert json.loads(text)["settings"]["n_pairs"] == len(found.frequentist()) == 3
    if format == "text":  # a sentence for the verdict that the pairs have, and for no other
        assert set(found.against()["verdict"]) == {"better"}
        assert "It is better than y" in " ".join(text.split())
        assert "do not separate it" not in " ".join(text.split())
    shown = hostile().report(format)
    assert format != "html" or "<b>" not in shown
    assert format != "latex" or r"\&" in shown


SCORES = np.random.default_rng(0).normal(size=(3, 12))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: of(SCORES, test="t"), "`test` must be one of"),
        (lambda: of(SCORES, zeros="drop"), "`zeros` must be one of"),
        (lambda: of(SCORES, p_adjust="maxt"), "`p_adjust` must be one of"),
        (lambda: of(SCORES, alternative="better"), "`alternative` must be one of"),
        (lambda: of(SCORES, test="nemenyi", alternative="less"), "`alternative` must be 'two-si"),
        (lambda: of(SCORES, rope=-1), "`rope` must be a finite half-width"),
        (lambda: of(SCORES, alpha=1), "`alpha` must be in"),
        (lambda: ssc.DatasetsComparison([[1.0, 2]], ["a"], ["x", "y"]), "at least 2 models"),
        (lambda: ssc.DatasetsComparison([[1.0], [2]], ["a", "b"], ["x"]), "at least 2 data sets"),
        (lambda: of([[1.0, np.nan], [1, 2]]), "finite"),
        (lambda: ssc.DatasetsComparison(np.eye(2), ["a", "a"], ["x", "y"]), "unique"),
        (lambda: ssc.DatasetsComparison(np.eye(2), ["a", "b"], ["x", "x"]), "different names"),
    ],
)
def test_bad_settings_and_scores_have_a_clear_error(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_ties_are_those_of_the_tests():
    # 0.1 + 0.2 is 0.30000000000000004: a rounding error is no win.
    comparison = of([[0.1 + 0.2, 0.5, 0.7] * 4, [0.3, 0.4, 0.7] * 4], test="sign")
    row = comparison.win_tie_loss().iloc[0]
    assert (row["wins"], row["ties"], row["losses"]) == (4, 8, 0)
    assert comparison.frequentist()["statistic"].tolist() == [row["wins"] - row["losses"]]


def ahead_by_little():
    """m0 is better by 0.001 on 16 data sets and worse by 0.2 on 14: the better mean rank."""
    difference = np.r_[np.full(16, 0.001), np.full(14, -0.2)] * np.linspace(1, 1.1, 30)
    return np.vstack([0.8 + difference / 2, 0.8 - difference / 2])


def test_the_advice_does_not_call_a_leader_better_that_the_test_finds_worse():
    comparison = of(ahead_by_little(), rope=0.0)
    # R+ = 16·17/2 = 136 of 465.
    d = np.diff(ahead_by_little(), axis=0)[0]
    assert stats.wilcoxon(d, method="approx").pvalue < 0.05
    assert comparison.leader == "m0"
    assert comparison.against()["verdict"].tolist() == ["worse"]
    assert "is worse than m1 by the test of the pair" in comparison.next_step()
    assert "Decided" not in str(comparison)


def test_the_advice_for_nemenyis_test_counts_pairs_once():
    # Mean ranks 1.4, 1.6 and 3 of 10 data sets: CD = 2.344·√(3·4/60) = 1.048, five times 0.2, so
    # 10·(1.048/0.2)² = 275 data sets. If m1 were ahead by 0.6: 10·(1.048/0.6)² = 30.5, so 31.
    first = np.r_[np.full(8, 2.0), np.full(2, 1.0)]
    values = np.vstack([first, 3 - first, np.zeros(10)])
    comparison = of(values, test="nemenyi")
    assert comparison.ranking()["mean_rank"].tolist() == [1.2, 1.8, 3.0]
    assert "About 31 data sets in all" in comparison.next_step()
    assert "adjusted by the test itself" in str(comparison)


def test_nemenyis_test_of_very_few_data_sets_is_said_to_show_nothing():
    # CD of 10 models on 2 data sets: 3.164·√(10·11/12) = 9.6, more than 10 − 1.
    values = np.random.default_rng(0).standard_normal((10, 2))
    with pytest.warns(ssc.ComparisonWarning, match="2 data sets cannot show any difference"):
        ssc.compare_datasets(pd.DataFrame(values.T), test="nemenyi")
    assert of(values, test="nemenyi").critical_difference() > 9


def test_shaffers_method_refuses_one_sided_tests():
    words = "`alternative` must be 'two-sided' with p_adjust='sha"
    with pytest.raises(ValueError, match=words):
        of(DEMSAR.T, p_adjust="shaffer", alternative="greater")
    comparison = of(DEMSAR.T, p_adjust="shaffer")
    with pytest.raises(ValueError, match=words):
        comparison.frequentist(alternative="less")
    # One model against the others has Holm's, which is for one-sided tests too.
    holm = of(DEMSAR.T, p_adjust="holm").against(0, alternative="less")
    pd.testing.assert_frame_equal(comparison.against(0, alternative="less"), holm)


def test_the_report_says_which_p_values_are_one_sided():
    text = " ".join(of(DEMSAR.T, alternative="greater").report().split())
    assert "p-values are one-sided (greater), and verdicts are two-sided" in text
    assert "one-sided (greater) p-value of Wilcoxon" in text
    assert "All p-values and verdicts are two-sided" not in text


@pytest.mark.parametrize("test", ["wilcoxon", "sign"])
def test_one_model_against_others_has_the_rows_of_all_pairs(test):
    # Without an adjustment, the tests of a pair do not depend on the family.
    rng = np.random.default_rng(3)
    comparison = of(rng.integers(0, 30, (6, 14)) / 30, test=test, p_adjust=None, rope=0.1)
    pairs = {(row.model_1, row.model_2): row for row in comparison.frequentist().itertuples()}
    mirrored = {"better": "worse", "worse": "better"}
    for reference in comparison.labels:
        for row in comparison.against(reference).itertuples():
            own = pairs.get((reference, row.model_2))
            if own is not None:
                assert (row.statistic, row.verdict) == (own.statistic, own.verdict)
            else:
                own = pairs[row.model_2, reference]
                assert row.statistic == -own.statistic
                assert row.verdict == mirrored.get(own.verdict, own.verdict)
            assert row.p_val == own.p_val


def test_equivalence_is_of_the_pseudo_median_and_not_of_the_mean():
    # 29 data sets alike, and one far worse: the mean difference is −0.03, beyond the ROPE.
    rng = np.random.default_rng(0)
    difference = rng.uniform(-0.001, 0.001, 30)
    difference[0] = -0.9
    table = of([0.9 + difference, np.full(30, 0.9)]).frequentist()
    assert table["verdict"].tolist() == ["equivalent"]
    assert abs(table["mean_diff"].iloc[0]) > 0.029


@pytest.mark.parametrize("draws", [120, pytest.param(2000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("n", [10, 20])
def test_equivalence_at_the_edge_of_the_rope_is_claimed_at_its_level(n, draws):
    # Coarse: differences are 1/100 ± 0, 1 or 2 hundredths, so that shifted ones are often 0.
    rng = np.random.default_rng(n)
    steps = rng.binomial(2, 0.5, (draws, n)) - rng.binomial(2, 0.5, (draws, n))
    found = sum(
        of([(81 + own) / 100, np.full(n, 0.8)]).frequentist(intervals=False)["verdict"].iloc[0]
        == "equivalent"
        for own in steps
    )
    # The fewer draws, the wider the three standard errors.
    assert found / draws < 0.05 + 3 * (0.05 * 0.95 / draws) ** 0.5


@pytest.mark.parametrize("p_adjust", ["hochberg", "bh"])
def test_step_up_methods_can_show_what_holms_cannot(p_adjust):
    # Three strictly ordered models on six data sets: p = 2/2⁶ for all three pairs, below 0.05, and
    # a step-up method rejects all of them together. Holm's multiplies the smallest by three.
    values = np.arange(3)[:, None] + np.linspace(0, 0.1, 6) * np.array([[0], [1], [3]])
    given = values, list("abc"), list("uvwxyz")
    with pytest.warns(ssc.ComparisonWarning, match="6 data sets are few"):
        found = ssc.DatasetsComparison(*given, p_adjust=p_adjust)
    assert (found.frequentist()["verdict"] == "better").all()
    with pytest.warns(ssc.ComparisonWarning, match="6 data sets cannot show any difference"):
        ssc.DatasetsComparison(*given)


def test_the_table_of_the_sign_test_has_that_of_each_pair_and_a_report_has_its_reference():
    values = DEMSAR.to_numpy().T
    comparison = of(values)
    table = comparison.bayesian(test="sign", rope=0.01)
    for row in table.itertuples():
        i, j = (int(name[1:]) for name in (row.model_1, row.model_2))
        found = bayesian_sign_test(values[i] - values[j], rope=0.01)
        assert (row.worse_prob, row.rope_prob, row.better_prob) == tuple(found)
    text = report(comparison, reference="m2", parts=["prose", "reference"])
    assert "m2, which was named beforehand, against every other model" in " ".join(text.split())
