"""All pairs as a stream of tables, and where one table of them is refused."""

import itertools
import tracemalloc

import numpy as np
import pandas as pd
import pytest

from sklearn_stats_compare import Comparison, SplitDesign, SplitScores
from sklearn_stats_compare.comparison import _tables
from sklearn_stats_compare.comparison._tables import MOST_PAIRS, VERDICTS, check_n_pairs
from sklearn_stats_compare.evaluation import calibrate
from sklearn_stats_compare.stats._multitest import CLOSED_FORM, P_ADJUST

N_SPLITS = 20
AT_NIGHT = {(size, side) for size in (1, 66, 1_000) for side in ("less", "greater")}
TOO_MANY = 6_326  # 6,326 × 6,325 / 2 = 20,005,975 pairs


def awkward_scores(n_candidates=12):
    """Candidates of which some are the same, some tie, differ by a constant, or failed."""
    rng = np.random.default_rng(0)
    values = 0.8 + 0.05 * rng.standard_normal((n_candidates, N_SPLITS))
    values[3] = values[5]
    values[6] = values[5][::-1]  # the same mean, up to rounding
    values[8] = values[2] + 0.25
    values[7, 4] = np.nan
    values[9, 0] = np.inf
    return values


def comparison_of(values, **settings):
    n_splits = values.shape[1]
    design = SplitDesign([90] * n_splits, [10] * n_splits)
    return Comparison(SplitScores(values, design), **settings)


@pytest.fixture(scope="module")
def many():
    """One candidate more than a table of all pairs is made for."""
    return comparison_of(np.random.default_rng(0).normal(0.8, 0.02, (TOO_MANY, 10)))


@pytest.mark.parametrize("p_adjust", CLOSED_FORM)
@pytest.mark.parametrize(
    ("chunk_size", "alternative"),
    [
        pytest.param(size, side, marks=pytest.mark.slow if (size, side) in AT_NIGHT else ())
        for size in (1, 7, 66, 1_000)
        for side in ("greater", "less", "two-sided")
    ],
)
def test_chunks_put_together_are_both_tables_to_the_last_bit(chunk_size, p_adjust, alternative):
    comparison = comparison_of(awkward_scores(), p_adjust=p_adjust, alternative=alternative)
    chunks = list(comparison.frequentist(chunk_size=chunk_size))
    # 12 × 11 / 2 = 66 pairs
    sizes = [chunk_size] * (66 // chunk_size) + [66 % chunk_size] * (66 % chunk_size > 0)
    assert [len(chunk) for chunk in chunks] == sizes
    whole = pd.concat(chunks)
    frequentist, bayesian = comparison.frequentist(), comparison.bayesian()
    assert set(frequentist["verdict"]) >= {"better", "undecided", "equivalent", "missing"}
    pd.testing.assert_frame_equal(whole[list(frequentist)], frequentist, check_exact=True)
    whole["verdict"] = whole["bayesian_verdict"]
    pd.testing.assert_frame_equal(whole[list(bayesian)], bayesian, check_exact=True)


def test_pairs_come_in_rank_order():
    values = np.arange(5.0)[:, None] + np.random.default_rng(0).normal(0, 0.1, (5, N_SPLITS))
    names = ["e", "d", "c", "b", "a"]  # the last has the best mean
    chunks = comparison_of(values, labels=names).frequentist(chunk_size=3)
    pairs = [pair for c in chunks for pair in zip(c["model_1"], c["model_2"], strict=True)]
    assert pairs == list(itertools.combinations("abcde", 2))


def test_every_chunk_fits_one_file():
    comparison = comparison_of(awkward_scores())
    chunks = list(comparison.frequentist(chunk_size=10))
    names = [*comparison.frequentist(), "worse_prob", "better_prob", "rope_prob"]
    assert list(chunks[0]) == [*names, "bayesian_verdict"]
    for k, chunk in enumerate(chunks):
        assert chunk.dtypes.equals(chunks[0].dtypes)  # of categoricals the categories as well
        assert chunk.index.equals(pd.RangeIndex(10 * k, min(10 * k + 10, 66)))
        assert isinstance(chunk.index, pd.RangeIndex)
    ranked = comparison.ranking()["label"].tolist()
    for name, dtype in chunks[0].dtypes.items():
        if name.startswith("model_"):
            assert dtype.categories.tolist() == ranked
        elif name.endswith("verdict"):
            assert dtype.categories.tolist() == list(VERDICTS)
        else:
            assert dtype == np.float64


def test_one_split_streams_nan_and_one_candidate_an_empty_table(make_comparison):
    comparison = make_comparison([[0.9], [0.8], [0.7]])
    whole = pd.concat(comparison.frequentist(chunk_size=2))
    assert whole["t_stat"].isna().all()
    table = comparison.frequentist()
    pd.testing.assert_frame_equal(whole[list(table)], table, check_exact=True)
    (only,) = comparison_of(awkward_scores()[:1]).frequentist(chunk_size=100_000)
    assert only.empty
    assert only.dtypes["mean_diff"] == np.float64


def test_a_stream_never_holds_a_number_for_each_pair():
    comparison = comparison_of(np.random.default_rng(0).normal(0.8, 0.02, (300, 10)))
    next(comparison.frequentist(chunk_size=100_000))  # what is made once: labels, ranks, imports
    tracemalloc.start()
    n_pairs = sum(len(pairs) for pairs in comparison.frequentist(chunk_size=500))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert n_pairs == 44_850  # 300 × 299 / 2
    assert peak < n_pairs * 8


@pytest.mark.parametrize("p_adjust", [name for name in P_ADJUST if name not in CLOSED_FORM])
def test_adjustments_that_need_every_p_value_are_not_streamed(p_adjust):
    comparison = comparison_of(awkward_scores(), p_adjust=p_adjust)
    words = rf"^`p_adjust` must be one of None, .*; got '{p_adjust}.*with_settings\(p_adjust=\"bonf"
    with pytest.raises(ValueError, match=words):
        comparison.frequentist(chunk_size=100_000)  # at once, not when the first table is asked for


@pytest.mark.parametrize("chunk_size", [0, -1, 2.5, True, "7"])
def test_a_chunk_size_is_a_whole_number(chunk_size):
    with pytest.raises(ValueError, match="`chunk_size` must be a whole number ≥ 1"):
        comparison_of(awkward_scores()).frequentist(chunk_size=chunk_size)


TOO_MUCH = {
    "frequentist": lambda c: c.frequentist(),
    "bayesian": lambda c: c.bayesian(),
    "uncorrected": lambda c: c.frequentist(test="uncorrected_t"),
    "holm": lambda c: c.frequentist(p_adjust="holm"),
    "rope": lambda c: c.bayesian(rope=0.02),
    "calibrate": lambda c: calibrate(c, n_simulations=2),
    "confidence set": lambda c: c.possibly_best(method="mcs", everyone=True),
    "maxt": lambda c: c.possibly_best(method="maxt"),
}


@pytest.mark.parametrize("asked", TOO_MUCH)
def test_too_many_pairs_raise_before_they_are_computed(many, asked):
    with pytest.raises(ValueError, match="20,005,975, of 6,326 candidates") as refused:
        TOO_MUCH[asked](many)
    for instead in ("`against()`", "`frequentist(chunk_size=…)`", "`possibly_best()`"):
        assert instead in str(refused.value)
    assert "with_settings" not in str(refused.value)


def test_the_largest_table_does_not_raise():
    values = np.random.default_rng(0).normal(size=(TOO_MANY - 1, 2))
    check_n_pairs(SplitScores(values, SplitDesign([90, 90], [10, 10])))
    assert MOST_PAIRS >= 6_325 * 6_324 // 2


def test_many_candidates_have_a_leader_table_a_first_chunk_and_a_glance(many):
    leader_table = many.against()
    assert len(leader_table) == TOO_MANY - 1
    first = next(many.frequentist(chunk_size=TOO_MANY - 1))
    pd.testing.assert_frame_equal(first[list(leader_table)], leader_table, check_exact=True)
    assert "… and 6,314 more: " in repr(many)
    page = many._repr_html_()
    assert page.count("<tr") < 2 * 70
    assert "… and 6,266 more: " in page


def test_for_adjustments_of_all_p_values_the_advice_is_to_change_them(many):
    holm = many.with_settings(p_adjust="holm")
    with pytest.raises(ValueError, match=r'\'holm\'.* with_settings\(p_adjust="bonferroni"\)'):
        holm.against()
    for shown in (repr(holm), holm._repr_html_().replace("&quot;", '"')):
        assert 'with_settings(p_adjust="bonferroni")' in shown
        assert "too many pairs for holm" in shown


def test_tables_of_a_search_raise_too(moons_search, monkeypatch):
    monkeypatch.setattr(_tables, "MOST_PAIRS", 5)  # there are 6
    fresh = moons_search.compare(alpha=0.04)
    for name in ("frequentist", "bayesian"):
        with pytest.raises(ValueError, match="at most 5 pairs"):
            getattr(fresh, name)()
    monkeypatch.setitem(moons_search._record._comparisons, ("score", False), fresh)
    for name in ("pairwise_frequentist_", "pairwise_bayesian_"):
        with pytest.raises(ValueError, match="at most 5 pairs"):
            hasattr(moons_search, name)
    assert len(moons_search.possibly_best_)
