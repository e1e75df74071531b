"""Moments of many pairs: matrix products agree with explicit differences."""

import numpy as np
import pytest

from sklearn_stats_compare import SplitDesign, SplitScores
from sklearn_stats_compare.stats import _scores
from sklearn_stats_compare.stats._corrected_t import PairedTTests


def scores_of(values, n_test=100):
    n_splits = values.shape[1]
    return SplitScores(values, SplitDesign([900] * n_splits, [n_test] * n_splits))


def plain(m, n_splits):
    rng = np.random.default_rng(0)
    shared = 0.8 + 0.03 * rng.standard_normal(n_splits)
    return shared + 0.03 * rng.standard_normal((m, 1)) + 0.03 * rng.standard_normal((m, n_splits))


CASES = {
    "plain": lambda v: v,
    "negative losses": lambda v: -1e4 * v,
    "0.999999": lambda v: 0.999999 + 1e-9 * v,
    "tiny": lambda v: 1e-140 * v,
    "huge": lambda v: 1e140 * v,
    # Many ties of means, and differences that are the same on all splits.
    "counts": lambda v: np.round(10 * v) / 10,
    "copies": lambda v: np.concatenate([v, v[:5], v[:5] + 0.1]),
    # A near-duplicate differs by far less than the level that centring subtracts.
    "near-duplicates": lambda v: np.concatenate([v, v[:9] + 1e-9 * v[9:18], v[9:18] - 1e-14]),
    "levels": lambda v: np.concatenate([v, v[:9] - 1e4, v[:9] - 1e4 + 1e-3 * v[9:18]]),
    # Means that differ clearly, with spreads that are small relative to those of the candidates or
    # to the difference: beyond ±1 such differences do not count as constant.
    "parallel": lambda v: -1e4 * np.concatenate([v, v[:20] + 0.1 + 1e-5 * v[20:]]),
    "far off": lambda v: -1e4 * np.arange(len(v))[:, None] + 1e-5 * v,
    "failed": lambda v: np.where(np.arange(len(v))[:, None] % 7 == 3, np.nan, v),
    "all failed": lambda v: np.full_like(v, np.nan),
}


def both_ways(monkeypatch, scores, chunk_size=10**9):
    found = []
    for few in (0, np.inf):
        monkeypatch.setattr(_scores, "_FEW_DIFFERENCES", few)
        chunks = list(PairedTTests.in_chunks(scores, chunk_size))
        found.append({
            name: np.concatenate([getattr(chunk, name) for chunk in chunks])
            for name in ("first", "second", "mean_diff", "std", "constant")
        })  # fmt: skip
    return found


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("n_test", [10, 100])
# With fewer splits than candidates points are stored; with more, their products.
@pytest.mark.parametrize("n_splits", [10, 90])
def test_products_match_explicit_differences(monkeypatch, case, n_test, n_splits):
    scores = scores_of(CASES[case](plain(40, n_splits)), n_test)
    products, explicit = both_ways(monkeypatch, scores)
    for name in ("first", "second", "constant"):
        np.testing.assert_array_equal(products[name], explicit[name])
    for name in ("mean_diff", "std"):
        # No absolute tolerance: both ways give exactly the same zeros.
        np.testing.assert_allclose(products[name], explicit[name], rtol=1e-9, atol=0)


def test_products_agree_at_the_limit_of_constant_differences(monkeypatch):
    # ±0.75 on half of the splits around a mean of 5: a spread of exactly 1.5/n_test of it (n_test =
    # 10) except for ddof=1. Every such pair is close to the limit of constant differences.
    halves = np.tile([0.75, -0.75], 8) * np.sqrt(15 / 16)
    values = np.stack([np.zeros(16), *(-5.0 * k + k * halves for k in range(1, 30))]) / 200
    products, explicit = both_ways(monkeypatch, scores_of(values, 10))
    np.testing.assert_array_equal(products["constant"], explicit["constant"])
    # Accuracies on folds of 10 and 11 samples: many pairs differ by equal counts.
    n_test = np.array([10, 11] * 8)
    right = np.round(7 + np.random.default_rng(0).standard_normal((8, 16)))
    right = np.concatenate([right, right + 1, right - 2])
    scores = SplitScores(right / n_test, SplitDesign(168 - n_test, n_test))
    products, explicit = both_ways(monkeypatch, scores)
    assert explicit["constant"].sum() >= 24
    np.testing.assert_array_equal(products["constant"], explicit["constant"])


def test_one_split_has_no_standard_deviation(monkeypatch):
    products, explicit = both_ways(monkeypatch, scores_of(plain(30, 1)))
    assert np.isnan(products["std"]).all()
    np.testing.assert_array_equal(products["std"], explicit["std"])


@pytest.mark.parametrize("chunk_size", [1, 17, 1000])
def test_chunks_and_rows_of_the_leader_are_bit_identical(monkeypatch, chunk_size):
    # 150 rows are more than one block of them.
    scores = scores_of(CASES["failed"](plain(150 if chunk_size > 1 else 40, 20)))
    chunks, _ = both_ways(monkeypatch, scores, chunk_size)
    at_once, _ = both_ways(monkeypatch, scores)
    for name, values in chunks.items():
        np.testing.assert_array_equal(values, at_once[name])
    order = scores.order
    leader = PairedTTests.against(scores, int(order[0]), order[1:])
    for name in ("mean_diff", "std", "constant"):
        np.testing.assert_array_equal(getattr(leader, name), at_once[name][: len(order) - 1])
