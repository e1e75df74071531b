"""The nested cross-validation interval: the paper's algorithm, learning curves, and noise."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from sklearn_stats_compare.stats._nested import nested_cv_interval


def squared_errors(X, y, train, test):
    """Least squares through the origin, one feature."""
    slope = (X[train] @ y[train]) / (X[train] @ X[train])
    return (y[test] - slope * X[test]) ** 2


def lists_of(X, y, labels):
    """Outer and inner values of repeats with these fold labels, every model fitted once."""
    outer, inner = [], []
    for label in labels:
        folds = np.unique(label)
        for k in folds:
            outer.append(squared_errors(X, y, label != k, label == k))
            inner.append(
                np.concatenate([
                    squared_errors(X, y, (label != k) & (label != fold), label == fold)
                    for fold in folds
                    if fold != k
                ])
            )  # fmt: skip
    return outer, inner


def algorithm_1(X, y, labels, level):
    """Algorithm 1 of Bates, Hastie and Tibshirani (2024) in plain loops, with their remarks.

    Their remarks: the mean squared error is scaled to n samples by (K − 1)/K, its root is kept
    between the naive standard error and √K times that, and the bias is (1 + (K − 2)/K) times the
    difference of the two cross-validated errors.
    """
    a, b, es, cv = [], [], [], []
    n, n_folds = len(y), len(set(labels[0]))

    def errors(label, fold, *left_out):
        training = [i for i in range(n) if label[i] not in (fold, *left_out)]
        slope = sum(X[i] * y[i] for i in training) / sum(X[i] ** 2 for i in training)
        return [(y[i] - slope * X[i]) ** 2 for i in range(n) if label[i] == fold]

    for label in labels:
        for k in range(n_folds):
            e_in = [e for j in range(n_folds) if j != k for e in errors(label, j, k)]
            e_out = errors(label, k)
            mean_in, mean_out = sum(e_in) / len(e_in), sum(e_out) / len(e_out)
            a.append((mean_in - mean_out) ** 2)
            b.append(sum((e - mean_out) ** 2 for e in e_out) / (len(e_out) - 1) / len(e_out))
            es += e_in
            cv += e_out
    mse = (sum(a) / len(a) - sum(b) / len(b)) * (n_folds - 1) / n_folds
    error = sum(es) / len(es)
    naive = sqrt(sum((e - error) ** 2 for e in es) / (len(es) - 1)) / sqrt(n)
    std_err = max(naive, min(sqrt(max(mse, 0)), naive * sqrt(n_folds)))
    bias = (1 + (n_folds - 2) / n_folds) * (error - sum(cv) / len(cv))
    z = stats.norm.ppf((1 + level) / 2)
    return error - bias, bias, mse, std_err, error - bias - z * std_err, error - bias + z * std_err


@pytest.mark.parametrize(("n_folds", "n"), [(3, 8), (4, 12), (5, 13), (3, 12)])
def test_agrees_with_the_papers_algorithm_in_plain_loops(n_folds, n):
    inflations = []
    for seed in range(12 if n_folds == 3 else 4):
        rng = np.random.default_rng(seed)
        n_repeats = 1 + seed % 4
        X = rng.normal(size=n)
        y = 0.5 * X + rng.standard_t(3, size=n)
        labels = [rng.permutation(np.arange(n) % n_folds) for _ in range(n_repeats)]
        found = nested_cv_interval(*lists_of(X, y, labels), n_folds)
        expected = algorithm_1(X, y, labels, 0.95)
        got = found.mean, found.bias, found.mse, found.std_err, found.lower, found.upper
        np.testing.assert_allclose(got, expected, rtol=1e-10, atol=1e-14)
        assert found.inflation == pytest.approx(found.std_err / found.naive_std_err)
        assert (found.n_samples, found.n_folds, found.n_repeats) == (n, n_folds, n_repeats)
        inflations.append(found.inflation)
    if n_folds == 3:  # below, between and at the limits
        inflations = np.array(inflations)
        assert (inflations == 1).any()
        assert ((inflations > 1) & (inflations < sqrt(3) - 1e-9)).any()
        assert (inflations <= sqrt(3) + 1e-9).all()


def constant(level, n_folds, fold_size, n_repeats=1):
    """Values that depend on the number of training samples only."""
    n = n_folds * fold_size
    outer = [np.full(fold_size, level(n - fold_size))] * (n_folds * n_repeats)
    inner = [np.full(n - fold_size, level(n - 2 * fold_size))] * (n_folds * n_repeats)
    return outer, inner, n


def test_factors_of_the_bias():
    # The score 0.9 − 2/m of m training samples: extrapolation to n is exact in the paper. K = 10:
    # 1 + 8/10; 1 + (8/9)^1.5 = 1.838052; and 1.
    outer, inner, n = constant(lambda m: 0.9 - 2 / m, 10, 6)
    difference = 2 / 54 - 2 / 48
    for bias, factor in (("paper", 1.8), ("r_package", 1.838052), ("outer", 1)):
        found = nested_cv_interval(outer, inner, 10, bias=bias)
        assert found.bias == pytest.approx(difference * factor, abs=1e-7)
        assert found.mean == pytest.approx(0.9 - 2 / 48 - difference * factor, abs=1e-7)
        assert bias != "paper" or found.mean == pytest.approx(0.9 - 2 / n, abs=1e-14)


def test_equal_values_give_an_interval_of_width_zero():
    outer, inner, _ = constant(lambda m: 0.1, 5, 4, n_repeats=3)  # 0.1: its mean may round
    found = nested_cv_interval(outer, inner, 5)
    assert found.mean == pytest.approx(0.1, abs=1e-15)
    assert (found.std_err, found.inflation) == (0.0, 1.0)
    assert found.lower == found.upper == found.mean
    assert found.confidence_interval(1 - 1e-16) == (found.mean, found.mean)


def random_lists(seed):
    """Three repeats of four folds of 16 samples."""
    rng = np.random.default_rng(seed)
    sizes = (5, 4, 4, 3) * 3
    outer = [rng.normal(size=size) for size in sizes]
    inner = [rng.normal(size=16 - size) for size in sizes]
    return outer, inner, 4


@given(
    st.integers(0, 1000), st.floats(-1e3, 1e3), st.floats(0.01, 100), st.sampled_from([1.0, -1.0]),
    st.permutations(range(3)), st.permutations(range(4)),
)  # fmt: skip
def test_shift_and_scale_move_the_interval_alike_and_order_does_not_matter(
    seed, shift, scale, sign, repeats, folds
):
    outer, inner, k = random_lists(seed)
    one = nested_cv_interval(outer, inner, k)
    factor = sign * scale
    changed = ([factor * values + shift for values in lists] for lists in (outer, inner))
    other = nested_cv_interval(*changed, k)
    assert other.mean == pytest.approx(factor * one.mean + shift, abs=1e-9)
    assert other.bias == pytest.approx(factor * one.bias, abs=1e-9)
    assert other.std_err == pytest.approx(scale * one.std_err, rel=1e-6)
    assert other.inflation == pytest.approx(one.inflation, rel=1e-6)
    # Losses instead of scores mirror the interval.
    limit = one.lower if sign > 0 else one.upper
    assert other.lower == pytest.approx(factor * limit + shift, abs=1e-8)
    order = [k * repeat + fold for repeat in repeats for fold in folds]
    other = nested_cv_interval(*([lists[i][::-1] for i in order] for lists in (outer, inner)), k)
    assert (other.lower, other.upper) == pytest.approx((one.lower, one.upper), abs=1e-12)


def test_variation_between_training_sets_inflates_the_interval():
    # All values from one training set share an error of their own: fold k is far from the rest.
    # a = (mean of 4 errors − another error)² is (1/4 + 1) times their variance, σ² = 1, and the
    # values themselves hardly vary (0.1²): mse is near its upper limit, √5 times the naive error.
    rng = np.random.default_rng(0)
    outer, inner = [], []
    for _ in range(20):
        shift = rng.normal(size=5)
        own = [shift[k] + 0.1 * rng.normal(size=6) for k in range(5)]
        outer += own
        inner += [np.concatenate(own[:k] + own[k + 1 :]) for k in range(5)]
    found = nested_cv_interval(outer, inner, 5)
    assert found.inflation == pytest.approx(sqrt(5), abs=1e-12)


def test_levels_of_the_interval_are_those_of_the_normal_distribution():
    outer, inner, k = random_lists(1)
    found = nested_cv_interval(outer, inner, k)
    low, high = found.confidence_interval(0.9)
    assert high - found.mean == pytest.approx(1.6448536269514722 * found.std_err)
    assert found.mean - low == pytest.approx(high - found.mean)
    assert found.upper - found.mean == pytest.approx(1.959963984540054 * found.std_err)
    with pytest.raises(ValueError, match="`confidence_level` must be in"):
        found.confidence_interval(95)
