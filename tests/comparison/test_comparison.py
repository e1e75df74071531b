"""Comparison: the published tables, verdicts, families, degenerate scores."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold

import sklearn_stats_compare as ssc
from sklearn_stats_compare.stats._multitest import P_ADJUST

NUMBERS = ["mean_diff", "std_err", "t_stat", "p_unadjusted", "p_val", "ci_low", "ci_high"]


@pytest.mark.parametrize(
    ("cv", "test", "scoring", "warned"),
    [
        (StratifiedKFold(10), "corrected_t", "accuracy", True),
        (10, "corrected_t", "f1", True),
        (10, "corrected_t", "roc_auc", False),
        (10, "samples", "accuracy", False),
        (KFold(10, shuffle=True, random_state=0), "corrected_t", "accuracy", False),
    ],
)
def test_candidates_that_favour_a_class_are_warned_of_on_stratified_splits(
    cv, test, scoring, warned
):
    X, y = make_classification(120, random_state=0)
    grid = {"class_weight": [None, {0: 1, 1: 4}]}
    for kind in (ssc.StatisticalGridSearchCV, GridSearchCV):
        if kind is GridSearchCV and test == "samples":
            continue  # it keeps no values
        options = {"test": test} if kind is ssc.StatisticalGridSearchCV else {}
        search = kind(LogisticRegression(), grid, cv=cv, scoring=scoring, **options).fit(X, y)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found = ssc.compare(search)
        text = " ".join(str(each.message) for each in caught)
        assert ("Candidates differ in class_weight and the splits are" in text) == warned
        assert ("Candidates differ in class_weight" in str(found)) == warned


def weighted(**options):
    """A search whose candidates differ in the weights of classes."""
    grid = {"class_weight": [None, "balanced"]}
    search = ssc.StatisticalGridSearchCV(LogisticRegression(), grid, **options)
    return search.fit(*make_classification(120, random_state=0))


def test_ledgers_files_and_long_tables_know_that_splits_are_stratified(tmp_path):
    path = tmp_path / "ledger.sqlite"
    search = weighted(cv=10, ledger=path)
    with pytest.warns(UserWarning, match="splits are stratified"):
        comparison = search.comparison_
    comparison.to_csv(tmp_path / "scores.csv")
    for saved in (path, tmp_path / "scores.csv"):
        with pytest.warns(UserWarning, match="splits are stratified"):
            assert ssc.compare(saved).scores.design.stratified
    assert ssc.compare(comparison.to_long()).scores.design.stratified  # without parameters


def test_few_stratified_splits_of_such_candidates_are_not_to_become_more_stratified_ones():
    search = weighted(cv=5)
    with pytest.warns(UserWarning, match="only 5 splits") as caught:
        _ = search.comparison_
    text = str(caught[0].message)
    assert "RepeatedStratifiedKFold" not in text
    assert 'test="samples"' in text


def test_the_published_frequentist_table_to_the_last_digit(moons, moons_comparison):
    table = moons_comparison.frequentist()
    assert list(table.columns) == [
        *["model_1", "model_2", "mean_diff", "std_err", "t_stat", "p_unadjusted", "p_val"],
        *["ci_low", "ci_high", "verdict"],
    ]
    for row, pair in zip(table.itertuples(), moons["pairs"], strict=True):
        assert (row.model_1, row.model_2) == (pair["model_1"], pair["model_2"])
        assert row.mean_diff == pytest.approx(pair["mean_diff"], rel=1e-12)
        assert row.std_err == pytest.approx(pair["corrected_sd"], rel=1e-12)
        assert row.t_stat == pytest.approx(pair["t_stat"], rel=1e-12)
        assert row.p_unadjusted == pytest.approx(pair["p_right_abs_as_in_example"], rel=1e-10)
        assert row.p_val == pytest.approx(pair["p_right_bonferroni_as_in_example"], rel=1e-10)
    assert table["p_val"].round(3).tolist() == [1.0, 0.302, 0.0, 0.807, 0.0, 0.001]


def test_the_published_bayesian_table_to_the_last_digit(moons, moons_comparison):
    table = moons_comparison.bayesian()
    assert list(table.columns) == [
        *["model_1", "model_2", "mean_diff", "worse_prob", "better_prob", "rope_prob", "verdict"]
    ]
    for row, pair in zip(table.itertuples(), moons["pairs"], strict=True):
        assert row.worse_prob == pytest.approx(pair["p_left_rope"], abs=1e-13)
        assert row.better_prob == pytest.approx(pair["p_right_rope"], abs=1e-13)
        assert row.rope_prob == pytest.approx(pair["rope_prob"], abs=1e-13)


def test_two_sided_and_uncorrected_versions_of_the_published_example(moons, moons_comparison):
    two_sided = moons_comparison.frequentist(alternative="two-sided", p_adjust=None)
    uncorrected = moons_comparison.frequentist(test="uncorrected_t", p_adjust=None)
    for k, pair in enumerate(moons["pairs"]):
        assert two_sided.p_val[k] == pytest.approx(pair["p_two_sided"], rel=1e-10)
        # SciPy 1.11 has ten digits of a quantile of t, newer ones all.
        assert two_sided.ci_low[k] == pytest.approx(pair["ci95_lo"], rel=1e-9)
        assert two_sided.ci_high[k] == pytest.approx(pair["ci95_hi"], rel=1e-9)
        assert uncorrected.t_stat[k] == pytest.approx(pair["t_uncorrected"], rel=1e-12)
        assert uncorrected.p_val[k] == pytest.approx(pair["p_right_uncorrected"], rel=1e-10)


def test_published_correlations_and_ranking(moons, moons_comparison):
    correlation = moons_comparison.scores.correlation()
    np.testing.assert_allclose(correlation, moons["corr"], rtol=1e-12)
    assert correlation[0, 1] == pytest.approx(0.882561, abs=5e-7)
    ranking = moons_comparison.ranking()
    assert ranking["label"].tolist() == moons["order_by_rank"]
    assert ranking.index.tolist() == [3, 0, 2, 1]  # rows of cv_results_
    for row in ranking.itertuples():
        assert row.mean == pytest.approx(moons["mean"][row.label], rel=1e-12)
        # The reference's std has ddof=0 over 100 splits.
        std = moons["std_ddof0"][row.label] * np.sqrt(100 / 99)
        assert row.std_err == pytest.approx(std * np.sqrt(1 / 100 + 1 / 9), rel=1e-10)
        half_width = stats.t.ppf(0.975, 99) * row.std_err
        assert (row.ci_low, row.ci_high) == pytest.approx(
            (row.mean - half_width, row.mean + half_width)
        )
    assert (moons_comparison.leader, moons_comparison.ranking().index[0]) == ("rbf", 3)


def test_published_credible_intervals(moons, moons_comparison):
    posterior = moons_comparison.posterior("rbf", "linear")
    expected = moons["credible_intervals_first_vs_second"]
    intervals = zip(*posterior.interval([0.5, 0.75, 0.95]), strict=True)
    for found, bounds in zip(intervals, expected.values(), strict=True):
        assert found == pytest.approx(bounds, rel=1e-9)
    assert posterior.interval() == posterior.interval(0.95)
    with pytest.raises(ValueError, match=r"`confidence` must be in \[0, 1\]; got \[95\]"):
        posterior.interval([95])


def test_the_second_reference_in_every_adjustment(multi, multi_scores):
    comparison = ssc.Comparison(multi_scores, alternative="two-sided")
    names = {
        **{"bonferroni": "bonferroni", "holm": "holm", "hochberg": "simes-hochberg"},
        **{"bh": "fdr_bh", "by": "fdr_by", None: "p"},
    }
    for method, name in names.items():
        table = comparison.frequentist(p_adjust=method)
        np.testing.assert_allclose(table["p_val"], multi[name], rtol=1e-10, err_msg=name)
        np.testing.assert_allclose(table["t_stat"], multi["t"], rtol=1e-12)
    rope = comparison.bayesian()[["worse_prob", "rope_prob", "better_prob"]]
    np.testing.assert_allclose(rope, multi["rope01"], rtol=1e-6, atol=1e-14)


def test_posterior_by_label_by_index_and_in_both_directions(moons_comparison):
    by_label = moons_comparison.posterior("rbf", "linear")
    assert by_label == moons_comparison.posterior(3, 0) == moons_comparison.posterior(3, "linear")
    assert by_label.loc == pytest.approx(0.01)
    assert moons_comparison.posterior(0, 3).loc == -by_label.loc
    assert moons_comparison.posterior(np.int64(3), 0) == by_label
    assert moons_comparison.posterior("rbf", "rbf").probabilities() == (0, 1, 0)
    assert by_label.probabilities() == pytest.approx((0.068, 0.432, 0.5), abs=5e-4)


@pytest.mark.parametrize("unknown", ["sigmoid", 4, -1, 1.0, True, None])
def test_an_unknown_candidate_raises_with_a_list_of_candidates(moons_comparison, unknown):
    words = r"`j` must be .* 0 to 3, .*'2_poly', '3_poly', 'rbf'; got"
    with pytest.raises(ValueError, match=words):
        moons_comparison.posterior("rbf", unknown)


def test_the_list_of_candidates_in_an_error_stays_short(make_comparison):
    comparison = make_comparison(np.random.default_rng(0).random((50, 12)))
    with pytest.raises(ValueError, match="'19' and 30 more; got 'x'"):
        comparison.posterior("x", 0)


def test_verdicts_are_two_sided_if_the_data_chose_the_direction(make_comparison):
    # t between the two critical values: one-sided p < 0.05 < two-sided p.
    rng = np.random.default_rng(0)
    noise = rng.standard_normal(100)
    noise = (noise - noise.mean()) / noise.std(ddof=1)
    t = 1.8
    a = np.full(100, 0.5)
    comparison = make_comparison([a, a - noise * 0.01 - t * 0.01 * np.sqrt(1 / 100 + 1 / 9)])
    row = comparison.frequentist().iloc[0]
    assert row.t_stat == pytest.approx(1.8)
    assert row.p_val == pytest.approx(stats.t.sf(1.8, 99))
    assert row.p_val < 0.05
    assert row.verdict == "undecided"
    assert row.ci_low < 0
    # The printed table has no such column.
    assert "p_val" not in repr(comparison)


@pytest.mark.parametrize("p_adjust", [None, "bonferroni"])
def test_alternatives_change_p_values_and_neither_verdicts_nor_intervals(multi_scores, p_adjust):
    greater, less, two_sided = (
        ssc.Comparison(multi_scores, p_adjust=p_adjust, alternative=name).frequentist()
        for name in ("greater", "less", "two-sided")
    )
    if p_adjust is None:
        np.testing.assert_allclose(greater["p_val"] + less["p_val"], 1, rtol=1e-12)
    for column in ("verdict", "ci_low", "ci_high", "t_stat"):
        assert less[column].equals(greater[column])
        assert two_sided[column].equals(greater[column])


def test_equivalence_is_two_one_sided_tests_adjusted_alike(multi_scores):
    # Pair (0, 1) lies outside ±0.02 with a probability between 0.05/15 and 0.05.
    comparison = ssc.Comparison(multi_scores, rope=0.02)
    outside = comparison.posterior(0, 1).probabilities()
    assert 0.05 / 15 < max(outside.worse, outside.better) < 0.05
    assert comparison.frequentist()["verdict"][0] == "undecided"  # 15 · single > 0.05
    assert comparison.frequentist(p_adjust=None)["verdict"][0] == "equivalent"
    wider = comparison.with_settings(rope=0.05)
    outside = wider.posterior(0, 1).probabilities()
    assert 15 * max(outside.worse, outside.better) < 0.05
    assert wider.frequentist()["verdict"][0] == "equivalent"


def test_equivalence_takes_precedence_over_a_small_significant_difference(make_comparison):
    rng = np.random.default_rng(0)
    a = rng.normal(0.9, 0.02, 50)
    scores = [a, a - 0.002 - rng.normal(0, 1e-4, 50)]
    comparison = make_comparison(scores, n_train=90_000, n_test=10_000)
    row = comparison.frequentist().iloc[0]
    assert row.p_val < 1e-6
    assert row.ci_low > 0
    assert row.verdict == "equivalent"
    assert comparison.with_settings(rope=0.001).frequentist()["verdict"][0] == "better"


def test_an_asymmetric_rope_is_of_model_1_minus_model_2(multi_scores):
    comparison = ssc.Comparison(multi_scores, rope=(-0.02, 0.06))
    row = comparison.bayesian().iloc[0]
    there = comparison.posterior(row.model_1, row.model_2).probabilities()
    back = comparison.posterior(row.model_2, row.model_1).probabilities((-0.06, 0.02))
    assert (row.worse_prob, row.rope_prob, row.better_prob) == there
    assert there == pytest.approx(back[::-1], rel=1e-12)


def test_the_order_and_the_sign_of_scores_change_the_order_of_pairs_alone(multi_scores):
    names, order = np.array(list("abcdef")), [4, 2, 0, 5, 1, 3]
    table = ssc.Comparison(multi_scores, names).frequentist()
    scores = ssc.SplitScores(multi_scores.values[order], multi_scores.design)
    pd.testing.assert_frame_equal(ssc.Comparison(scores, names[order]).frequentist(), table)
    # (−b) − (−a) = a − b: the pair (a, b) is found again as (b, a), with the same numbers.
    negated = ssc.SplitScores(-multi_scores.values, multi_scores.design)
    numbers = table.set_index(["model_1", "model_2"])["t_stat"]
    for row in ssc.Comparison(negated, names).frequentist().itertuples():
        assert row.t_stat == numbers[row.model_2, row.model_1]


@pytest.mark.parametrize("method", P_ADJUST)
def test_intervals_and_verdicts_do_not_contradict_each_other(multi_scores, method):
    comparison = ssc.Comparison(multi_scores, rope=0.0, p_adjust=method)
    table = comparison.frequentist()
    differs = table["verdict"].isin(["better", "worse"])
    excludes_zero = (table["ci_low"] > 0) | (table["ci_high"] < 0)
    if method in (None, "bonferroni", "sidak"):
        assert (differs == excludes_zero).all()
    elif method in ("holm", "maxt"):  # step-down: the interval may include 0, never the reverse
        assert (differs | ~excludes_zero).all()
    assert differs.any()
    assert not differs.all()


def test_maxt_equivalence_is_single_step(multi_scores):
    maxt, bonferroni = (
        ssc.Comparison(multi_scores, rope=0.06, p_adjust=name).frequentist()["verdict"]
        for name in ("maxt", "bonferroni")
    )
    assert maxt[0] == "equivalent"
    # Max-t decides at least what Bonferroni decides.
    assert (maxt[bonferroni != "undecided"] != "undecided").all()


def test_bayesian_verdicts_need_one_minus_alpha(moons_comparison):
    table = moons_comparison.bayesian(rope=0.2)
    enough = table[["worse_prob", "better_prob", "rope_prob"]].max(axis=1) >= 0.95
    assert ((table["verdict"] != "undecided") == enough).all()
    assert "equivalent" in table["verdict"].tolist()
    assert moons_comparison.bayesian(rope="50%")["rope_prob"][0] == pytest.approx(1)


@pytest.mark.parametrize("method", P_ADJUST)
def test_the_leader_table_is_the_first_rows_of_the_pairwise_tables(multi_scores, method):
    comparison = ssc.Comparison(multi_scores, p_adjust=method)
    leader = comparison.against()
    assert (leader["model_1"] == comparison.leader).all()
    frequentist = comparison.frequentist().iloc[:5]
    pd.testing.assert_frame_equal(leader[frequentist.columns], frequentist)
    bayesian = comparison.bayesian().iloc[:5].drop(columns="verdict")
    pd.testing.assert_frame_equal(leader[bayesian.columns], bayesian)


def test_the_leader_table_needs_no_other_pair(monkeypatch, make_comparison):
    comparison = make_comparison(np.random.default_rng(0).random((300, 12)))
    monkeypatch.setattr(
        ssc.Comparison, "_all_pairs", property(lambda self: pytest.fail("all pairs"))
    )
    assert len(comparison.against()) == 299
    assert len(repr(comparison)) > 0


@pytest.fixture
def with_failures(multi_scores):
    values = multi_scores.values.copy()
    values[1, 3] = np.nan
    values[4] = np.nan
    return ssc.SplitScores(values, multi_scores.design)


@pytest.mark.parametrize("method", P_ADJUST)
def test_failed_candidates_are_missing_and_in_no_family(with_failures, multi_scores, method):
    table = ssc.Comparison(with_failures, p_adjust=method).frequentist()
    assert len(table) == 15
    failed = table["model_1"].isin(["1", "4"]) | table["model_2"].isin(["1", "4"])
    assert failed.sum() == 9
    assert (table.loc[failed, "verdict"] == "missing").all()
    assert table.loc[failed, NUMBERS].isna().all(axis=None)
    # The others are as if the failed had not been there.
    kept = ssc.SplitScores(multi_scores.values[[0, 2, 3, 5]], multi_scores.design)
    alone = ssc.Comparison(kept, ["0", "2", "3", "5"], p_adjust=method).frequentist()
    names = {"model_1": str, "model_2": str}
    others = table.loc[~failed].reset_index(drop=True)
    pd.testing.assert_frame_equal(others.astype(names), alone.astype(names))
    # A huge number is no score either.
    values = np.where(np.isnan(with_failures.values), -np.finfo(float).max, with_failures.values)
    huge = ssc.Comparison(ssc.SplitScores(values, multi_scores.design), p_adjust=method)
    assert (huge.frequentist()["verdict"] == "missing").sum() == 9


def test_failed_candidates_rank_last_and_have_nan_everywhere(with_failures):
    comparison = ssc.Comparison(with_failures)
    ranking = comparison.ranking()
    assert ranking["label"].tolist() == ["0", "2", "3", "5", "1", "4"]
    assert ranking["rank"].isna().tolist() == [False] * 4 + [True] * 2
    assert ranking.loc[[1, 4], ["mean", "std_err", "ci_low", "ci_high"]].isna().all(axis=None)
    assert np.isnan(comparison.posterior(0, 1).probabilities()).all()
    assert (comparison.bayesian()["verdict"] == "missing").sum() == 9
    assert np.isnan(comparison.scores.correlation()[4]).all()
    assert "2 candidates missing: a score is not a finite number." in repr(comparison)


def test_all_candidates_failed(make_comparison):
    comparison = make_comparison(np.full((3, 12), np.nan), rope="1%")
    assert comparison.leader is None
    for table in (comparison.frequentist(), comparison.against()):
        assert (table["verdict"] == "missing").all()
    assert comparison.ranking()["rank"].isna().all()
    assert np.isnan(comparison.posterior(0, 1).probabilities()).all()
    assert "3 candidates missing" in repr(comparison)


@pytest.mark.parametrize("method", P_ADJUST)
def test_identical_candidates_are_equivalent_if_their_samples_suffice(make_comparison, method):
    scores = np.random.default_rng(0).normal(0.8, 0.05, 12)
    table = [scores, scores, scores - 0.3]
    # 120 samples agree with probability 0.99^120 = 0.3 if the true difference is 0.01, and with
    # 0.95^120 = 0.002 if it is 0.05, which is below 0.05 for three pairs too.
    for rope in (0.0, 0.01):
        few = make_comparison(table, n_train=110, rope=rope, p_adjust=method)
        assert few.frequentist()["verdict"].tolist() == ["undecided", "better", "better"]
        assert few.bayesian()["verdict"].tolist() == ["undecided", "better", "better"]
    comparison = make_comparison(table, n_train=110, rope=0.05, p_adjust=method)
    frequentist, bayesian = comparison.frequentist(), comparison.bayesian()
    first = frequentist.iloc[0]
    assert (first.mean_diff, first.std_err, first.t_stat) == (0, 0, 0)
    level = 0.05 if method in (None, "hochberg", "bh", "by") else 0.05 / 3
    level = 1 - 0.95 ** (1 / 3) if method == "sidak" else level
    assert first.ci_high == -first.ci_low == pytest.approx(1 - (level / 2) ** (1 / 120))
    assert first.p_unadjusted == 0.5
    assert tuple(bayesian[["worse_prob", "rope_prob", "better_prob"]].iloc[0]) == pytest.approx(
        (0.95**121 / 2, 1 - 0.95**121, 0.95**121 / 2)
    )
    assert comparison.posterior(0, 1).probabilities().rope == pytest.approx(1 - 0.95**121)
    assert frequentist["verdict"].tolist() == ["equivalent", "better", "better"]
    assert bayesian["verdict"].tolist() == ["equivalent", "better", "better"]
    assert not frequentist[NUMBERS].isna().any(axis=None)
    # A constant difference is worth 12 equal signs, and its interval has a width.
    assert frequentist["p_unadjusted"].tolist()[1:] == pytest.approx([2**-12, 2**-12])
    assert (frequentist["ci_low"] < frequentist["mean_diff"])[1:].all()
    assert comparison.posterior(0, 2).cdf(0) == pytest.approx(2**-12)
    assert comparison.leader == "0"  # the first of ties
    assert comparison.ranking()["rank"].tolist() == [1, 1, 3]


@pytest.mark.parametrize("level", [1 - 1e-6, -1e8])
def test_scores_near_one_and_large_negative_scores(make_comparison, level):
    rng = np.random.default_rng(0)
    spread = 1e-9 if level > 0 else 1e3
    scores = level + spread * (rng.standard_normal((3, 20)) - [[0], [5], [0.1]])
    table = make_comparison(scores, rope=spread / 100).frequentist()
    assert table["verdict"].tolist() == ["undecided", "better", "better"]
    pair = table[table["model_2"] == "1"].iloc[0]
    d = scores[int(str(pair.model_1))] - scores[1]
    expected = d.mean() / (d.std(ddof=1) * np.sqrt(1 / 20 + 1 / 9))
    assert pair.t_stat == pytest.approx(expected, rel=1e-12)


def test_one_candidate_has_empty_tables_with_all_columns(make_comparison):
    comparison = make_comparison(np.random.default_rng(0).random((1, 12)))
    adjusted = (comparison.frequentist(p_adjust=p_adjust) for p_adjust in P_ADJUST)
    for table in (comparison.bayesian(), comparison.against(), *adjusted):
        assert len(table) == 0
        assert "verdict" in table
    assert comparison.leader == "0"
    assert len(comparison.ranking()) == 1
    assert "1 candidate on 12 splits" in repr(comparison)


def test_one_split_gives_nan_and_one_warning_that_says_why():
    scores = ssc.SplitScores([[0.9], [0.8], [0.7]], ssc.SplitDesign([9], [1]))
    with pytest.warns(ssc.ComparisonWarning, match="only 1 split.*at least 2") as caught:
        comparison = ssc.Comparison(scores)
    assert len(caught) == 1
    for method in P_ADJUST:
        table = comparison.frequentist(p_adjust=method)
        assert table[NUMBERS].isna().all(axis=None)
        assert (table["verdict"] == "undecided").all()
    assert comparison.bayesian()["rope_prob"].isna().all()
    assert comparison.ranking()["std_err"].isna().all()
    assert np.isnan(comparison.posterior(0, 1).break_even_rope())
    assert np.isnan(comparison.scores.correlation()).all()
    assert len(repr(comparison)) > 0


@pytest.mark.parametrize(
    ("sizes", "options", "message"),
    [
        # Whether splits are repeats of folds is unknown here, and test="samples" asks for those.
        (([90] * 9, [10] * 9), {}, "only 9 spl.*each other.*RepeatedS.*for regression. \\[troub"),
        (([80] * 5, [20] * 5), {"repeat": [0] * 5}, 'only 5 splits.*fit with test="samples"'),
        ((np.arange(50, 62), [10] * 12), {"expanding": True}, "training sets grow.*heuristic"),
        (([5, 6], [3, 3]), {"expanding": True}, "only 2 splits.*two splits cannot tell.* The tra"),
        (([90] * 12, [10] * 11 + [21]), {}, "more than twofold.*10 to 21.*heuristic"),
    ],
)
def test_strained_assumptions_give_one_warning(sizes, options, message):
    design = ssc.SplitDesign(*sizes, **options)
    scores = np.random.default_rng(0).random((2, design.n_splits))
    with pytest.warns(ssc.ComparisonWarning, match=message) as caught:
        comparison = ssc.Comparison(ssc.SplitScores(scores, design))
    assert len(caught) == 1
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # the same scores under other settings: no second warning
        comparison.with_settings(p_adjust="holm").frequentist()
        assert comparison.frequentist()[NUMBERS].notna().all(axis=None)


def test_ten_equal_splits_do_not_warn():
    design = ssc.SplitDesign([91] * 10, [11, 10, 20, *[10] * 7])
    ssc.Comparison(ssc.SplitScores(np.random.default_rng(0).random((2, 10)), design))


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"alpha": 1.5}, ValueError, r"`alpha` must be in \(0, 1\); got 1.5"),
        ({"test": "welch"}, ValueError, r"`test` must be .*uncorrected_t.*; got 'welch'"),
        ({"alternative": "larger"}, ValueError, "`alternative` must be one of 'greater'.*'larger'"),
        ({"p_adjust": "tukey"}, ValueError, "`p_adjust` must be one of None, 'bonf.*got 'tukey'"),
        ({"p_adjust": ["holm"]}, ValueError, r"`p_adjust` must be one of None.*got \['holm'\]"),
        ({"rope": (0.01, -0.01)}, ValueError, "`rope` must be .*low ≤ high"),
        ({"labels": list("aabcde")}, ValueError, "`labels` must be unique; got more than one 'a'"),
        ({"labels": ["a"]}, ValueError, "`labels` must name each of the 6 candidates; got 1"),
        ({"labels": 5}, TypeError, "`labels` must be a sequence, one per candidate"),
        ({"params": [{}]}, ValueError, "`params` must have one entry per candidate, 6; got 1"),
        ({"params": 5}, TypeError, "`params` must be a sequence, one per candidate"),
        ({"scores": [[0.1]]}, TypeError, r"`scores` must be SplitScores\(values, .*; got list"),
    ],
)
def test_impossible_settings_raise(multi_scores, settings, error, message):
    with pytest.raises(error, match=message):
        ssc.Comparison(**{"scores": multi_scores, **settings})


@pytest.mark.parametrize(
    ("method", "options", "error", "words"),
    [
        ("frequentist", {"test": "wilcoxon"}, ValueError, "`test` must be one of 'corrected_t', "),
        ("frequentist", {"alternative": "both"}, ValueError, "`alternative` must be one of"),
        ("frequentist", {"p_adjust": "hsu"}, ValueError, "`p_adjust` must be one of"),
        ("bayesian", {"rope": -1}, ValueError, "`rope` must be"),
        ("with_settings", {"metrik": "x"}, TypeError, r"A setting must be one of .*got 'metrik'"),
    ],
)
def test_unknown_options_of_methods_raise(multi_scores, method, options, error, words):
    with pytest.raises(error, match=words):
        getattr(ssc.Comparison(multi_scores), method)(**options)


@pytest.mark.parametrize("setting", [{"p_adjust": None}, {"alternative": "greater"}])
def test_settings_of_a_call_override_those_of_the_comparison(multi_scores, setting):
    comparison = ssc.Comparison(multi_scores, p_adjust="holm", alternative="two-sided")
    expected = comparison.with_settings(**setting).frequentist()
    assert comparison.frequentist(**setting)["p_val"].equals(expected["p_val"])


def test_tables_are_computed_once_and_survive_pickling_and_seeds_repeat(multi_scores):
    comparison = ssc.Comparison(multi_scores, p_adjust="maxt")
    assert comparison._pairwise_frequentist is comparison._pairwise_frequentist
    copy = pickle.loads(pickle.dumps(comparison))
    pd.testing.assert_frame_equal(copy.frequentist(), comparison.frequentist())
    assert repr(copy) == repr(comparison)
    pd.testing.assert_frame_equal(comparison.frequentist(), comparison.frequentist(rng=0))
    assert (comparison.frequentist(rng=1)["p_val"] != comparison.frequentist()["p_val"]).any()


def test_labels_are_categoricals_that_compare_with_strings(multi_scores):
    table = ssc.Comparison(multi_scores, list("abcdef")).frequentist()
    assert len(table.query("model_1 == 'a'")) == 5
    assert list(table["model_2"].cat.categories) == list("abcdef")
    verdicts = ["better", "worse", "equivalent", "undecided", "missing"]
    assert list(table["verdict"].cat.categories) == verdicts


def test_an_edited_list_changes_no_rope(multi_scores):
    rope = [-0.01, 0.01]
    comparison = ssc.Comparison(multi_scores, rope=rope)
    rope[1] = 0.5
    assert comparison._settings.rope == (-0.01, 0.01)


def test_an_alpha_too_small_for_the_draws_decides_nothing(make_comparison):
    a, b = np.random.default_rng(0).random((2, 12))
    table = make_comparison([a, b, a], p_adjust="maxt", alpha=1e-6).frequentist()
    assert set(table["verdict"]) == {"undecided"}  # 100 samples show 0.13 at most at this level
    assert np.isinf(table["ci_high"]).sum() == 2


def test_constant_scores_have_a_standard_error_of_zero(make_comparison):
    ranking = make_comparison([[0.2] * 13, [0.1] * 13]).ranking()
    assert ranking["std_err"].tolist() == [0, 0]
    correlation = make_comparison(np.tile(np.random.default_rng(6).random(13), (2, 1)))
    assert (correlation.scores.correlation() <= 1).all()


@pytest.mark.parametrize("asked", ["frequentist", "bayesian", "against", "ranking"])
def test_editing_a_table_changes_no_other(multi_scores, asked):
    # Kept tables are made of the arrays that they come from, and share them with each other.
    comparison, untouched = (ssc.Comparison(multi_scores, p_adjust="holm") for _ in range(2))
    before = repr(comparison)
    table = getattr(comparison, asked)()
    for column in table.select_dtypes("float"):
        table.loc[:, column] = -7.0
        table.iloc[0, table.columns.get_loc(column)] = 7.0
        assert (table[column].iloc[1:] == -7).all()
    table["label" if asked == "ranking" else "verdict"] = "changed"
    for name in ("ranking", "frequentist", "bayesian", "against"):
        pd.testing.assert_frame_equal(getattr(comparison, name)(), getattr(untouched, name)())
    for options in ({"alternative": "less"}, {"p_adjust": "bh"}):
        tables = (own.frequentist(**options) for own in (comparison, untouched))
        pd.testing.assert_frame_equal(*tables)
    assert comparison.posterior(0, 1) == untouched.posterior(0, 1)
    assert repr(comparison) == before


@pytest.mark.parametrize("metric", ["accuracy", "r2", "neg_pred_value"])
def test_scores_beyond_the_range_that_a_name_suggests_have_no_range(metric):
    # Accuracies in per cent; a value that begins with "neg" and is positive.
    scores = np.random.default_rng(0).normal([[93], [95]], 2, (2, 10))
    design = ssc.SplitDesign([90] * 10, [10] * 10, [0] * 10)
    found = [
        ssc.Comparison(ssc.SplitScores(scores, design), metric=name, warn=False)
        for name in (metric, "score")
    ]
    pd.testing.assert_frame_equal(*(each.ranking() for each in found))
    ends = [each.optimism().confidence_interval() for each in found]
    assert ends[0] == ends[1]
