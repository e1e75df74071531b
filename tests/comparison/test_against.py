"""One candidate that was named beforehand against every other: a family of m − 1 tests."""

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from sklearn_stats_compare import Comparison, SplitDesign, SplitScores
from sklearn_stats_compare.stats import _family

ADJUSTMENTS = {
    None: None, "bonferroni": "bonferroni", "sidak": "sidak", "holm": "holm",
    "hochberg": "simes-hochberg", "bh": "fdr_bh", "by": "fdr_by",
}  # fmt: skip
LABELS = ["a", "b", "c", "d", "e"]


def scores_of(seed=0, m=5, n=30, spread=0.02):
    rng = np.random.default_rng(seed)
    values = 0.8 + spread * (rng.normal(size=(m, 1)) + rng.normal(size=(m, n)))
    return values + 0.02 * rng.normal(size=n)


def by_hand(values, i, j):
    """Difference, corrected standard error and two-sided p of ten-fold splits (1/J + 1/9)."""
    differences = values[i] - values[j]
    n = differences.size
    std_err = differences.std(ddof=1) * np.sqrt(1 / n + 1 / 9)
    return differences.mean(), std_err, 2 * stats.t.sf(abs(differences.mean() / std_err), n - 1)


@pytest.mark.parametrize("p_adjust", ADJUSTMENTS)
@pytest.mark.parametrize("reference", ["c", 4])
def test_numbers_are_those_by_hand_and_statsmodels_of_the_others_alone(
    make_comparison, reference, p_adjust
):
    values = scores_of()
    comparison = make_comparison(values, labels=LABELS, p_adjust=p_adjust)
    table = comparison.against(reference)
    i = LABELS.index(reference) if isinstance(reference, str) else reference
    others = [j for j in np.argsort(-values.mean(axis=1)) if j != i]
    assert list(table.columns) == list(comparison.against().columns)
    assert table["model_1"].tolist() == [LABELS[i]] * 4
    assert table["model_2"].tolist() == [LABELS[j] for j in others]
    expected = np.array([by_hand(values, i, j) for j in others])
    np.testing.assert_allclose(table[["mean_diff", "std_err", "p_unadjusted"]], expected, rtol=1e-9)
    p = expected[:, 2]
    adjusted = p if p_adjust is None else multipletests(p, method=ADJUSTMENTS[p_adjust])[1]
    np.testing.assert_allclose(table["p_val"], adjusted, rtol=1e-9)
    # Tukey's rule for one test and Bonferroni's interval for four.
    if p_adjust in (None, "bonferroni"):
        level = 0.05 if p_adjust is None else 0.05 / 4
        half = stats.t.isf(level / 2, 29) * expected[:, 1]
        np.testing.assert_allclose(table["ci_high"], expected[:, 0] + half, rtol=1e-9)
    decided = np.where(adjusted < 0.05, np.where(expected[:, 0] > 0, "better", "worse"), "")
    found = table["verdict"].astype(str).replace({"undecided": "", "equivalent": ""})
    assert found.tolist() == decided.tolist()


def test_finds_differences_that_all_pairs_do_not(make_comparison):
    # p of the only difference between 0.05/6 and 0.05/3, so that the families decide.
    rng = np.random.default_rng(1)
    noise = rng.normal(size=(4, 30))
    values = noise - noise.mean(axis=1, keepdims=True)
    n, target = 30, 0.012
    t = stats.t.isf(target / 2, n - 1)
    differences = values[1] - values[0]
    values[1] += t * differences.std(ddof=1) * np.sqrt(1 / n + 1 / 9)
    comparison = make_comparison(values, labels=["base", "new", "x", "y"], rope=0)
    row = comparison.against("base").set_index("model_2").loc["new"]
    assert row["p_val"] == pytest.approx(3 * target)
    assert row["verdict"] == "worse"
    pairs = comparison.frequentist(alternative="two-sided")
    both = pairs[(pairs["model_1"] == "new") & (pairs["model_2"] == "base")].iloc[0]
    assert both["p_val"] == pytest.approx(6 * target)
    assert both["verdict"] == "undecided"


def test_directions_of_the_alternative(make_comparison):
    comparison = make_comparison(scores_of(2), labels=LABELS, p_adjust=None)
    two, greater, less = (
        comparison.against("b", alternative=alternative)
        for alternative in ("two-sided", "greater", "less")
    )
    # The reference better: p of "greater" is half of the two-sided one; else the rest of it.
    half = np.where(two["t_stat"] > 0, two["p_val"] / 2, 1 - two["p_val"] / 2)
    np.testing.assert_allclose(greater["p_val"], half)
    np.testing.assert_allclose(greater["p_val"] + less["p_val"], 1)
    assert two["verdict"].tolist() == greater["verdict"].tolist() == less["verdict"].tolist()


def test_two_candidates_are_one_test_whatever_the_adjustment(make_comparison):
    values = scores_of(3, m=2)
    p = by_hand(values, 0, 1)[2]
    for p_adjust in [*ADJUSTMENTS, "maxt"]:
        found = make_comparison(values, p_adjust=p_adjust).against(0)["p_val"].iloc[0]
        # Of "maxt" the share of 20,000 draws: a standard error of at most 0.0035.
        closeness = {"abs": 0.015} if p_adjust == "maxt" else {"rel": 1e-9}
        assert found == pytest.approx(p, **closeness)


def test_maxt_with_independent_equal_variances_is_dunnetts(make_comparison):
    # Many independent splits, no common part: correlations of one half, as Dunnett assumes.
    rng = np.random.default_rng(4)
    m, n = 5, 2000
    values = rng.normal(size=(m, n)) + 0.035 * np.arange(m)[:, None]
    comparison = make_comparison(values, p_adjust="maxt", n_train=10**9, n_test=1)
    table = comparison.against(0).sort_values("model_2", key=lambda names: names.astype(int))
    expected = stats.dunnett(*values[1:], control=values[0]).pvalue
    # Single step there, step-down here: the smallest p-value is in both that of the whole family.
    smallest = int(np.argmin(expected))
    assert table["p_val"].iloc[smallest] == pytest.approx(expected[smallest], abs=0.01)
    assert (table["p_val"].to_numpy() <= expected + 0.015).all()


def test_maxt_is_between_no_adjustment_and_bonferroni(make_comparison):
    comparison = make_comparison(scores_of(5), labels=LABELS)
    tables = [comparison.against("a", p_adjust=name) for name in (None, "maxt", "bonferroni")]
    none, maxt, bonferroni = tables
    assert (none["p_val"] <= maxt["p_val"] + 1e-12).all()
    assert (maxt["p_val"] <= bonferroni["p_val"] + 0.015).all()
    width = [(table["ci_high"] - table["ci_low"]).to_numpy() for table in tables]
    assert (width[0] < width[1]).all()
    assert (width[1] <= 1.02 * width[2]).all()


@pytest.mark.parametrize("n_families", [70, pytest.param(600, marks=pytest.mark.slow)])
def test_equal_candidates_differ_from_the_reference_as_often_as_stated(n_families, monkeypatch):
    # Six equal candidates and the correlation 1/5 between splits that the correction assumes, on
    # ten splits only. 5 % of 600 families: a standard error of 0.9 %, of 70 one of 2.6 %.
    # Bonferroni, whose smallest p-value Holm's is, is at most at the level, for statistics are
    # correlated.
    monkeypatch.setattr(_family, "N_DRAWS", 500)
    rng, error = np.random.default_rng(6), (0.05 * 0.95 / n_families) ** 0.5
    rejections = {"bonferroni": 0, "maxt": 0}
    for _ in range(n_families):
        common = rng.standard_normal((6, 1))
        values = np.sqrt(0.2) * common + np.sqrt(0.8) * rng.standard_normal((6, 10))
        comparison = Comparison(SplitScores(values, SplitDesign([4] * 10, [1] * 10)), warn=False)
        for p_adjust in rejections:
            table = comparison.against(0, p_adjust=p_adjust)
            rejections[p_adjust] += table["p_val"].min() < 0.05
    assert max(rejections.values()) / n_families <= 0.05 + 3 * error
    # At least one of 70, of which none has a probability of 0.95⁷⁰ = 3 %.
    assert rejections["maxt"] / n_families >= max(0.05 - 3.5 * error, 0.01)


def test_failed_candidates_are_missing_and_not_in_the_family(make_comparison):
    values = scores_of()
    values[2, 3] = np.nan
    comparison = make_comparison(values, labels=LABELS)
    table = comparison.against("a").set_index("model_2")
    assert table.loc["c", "verdict"] == "missing"
    assert np.isnan(table.loc["c", "p_val"])
    alone = by_hand(values, 0, 1)[2]
    assert table.loc["b", "p_val"] == pytest.approx(min(1, 3 * alone))
    failed = comparison.against("c")
    assert (failed["verdict"] == "missing").all()
    assert failed["p_val"].isna().all()


@pytest.mark.parametrize("p_adjust", [*ADJUSTMENTS, "maxt"])
@pytest.mark.parametrize("failed", [[2], [0, 1, 3, 4]])
def test_everything_is_missing_if_nothing_can_be_tested(make_comparison, failed, p_adjust):
    values = scores_of()
    values[failed, 0] = np.nan
    table = make_comparison(values, labels=LABELS, p_adjust=p_adjust).against("c")
    assert (table["verdict"] == "missing").all()
    assert table["p_val"].isna().all()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"reference": "f"}, "`reference` must be"),
        ({"reference": 5}, "`reference` must be"),
        ({"reference": "a", "alternative": "better"}, "`alternative` must be one of"),
        ({"reference": "a", "p_adjust": "fdr"}, "`p_adjust` must be"),
    ],
)
def test_bad_arguments_are_named(make_comparison, arguments, words):
    with pytest.raises(ValueError, match=words):
        make_comparison(scores_of(), labels=LABELS).against(**arguments)


def test_maxt_raises_for_too_many_candidates(make_comparison):
    comparison = make_comparison(scores_of(m=201), p_adjust="maxt")
    with pytest.raises(ValueError, match=r'"maxt" must have at most 200 candidates.*got 201'):
        comparison.against(0)
    assert len(comparison.against(0, p_adjust="holm")) == 200
