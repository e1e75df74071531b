"""The effective number of tests: special cases that have an exact answer."""

import numpy as np
import pytest

from sklearn_stats_compare.stats._effective_number import effective_number

RNG = np.random.default_rng(0)


def uncorrelated(n_tests, n_values=64):
    """Rows of a Hadamard-like matrix: mean 0, correlation 0."""
    k = np.arange(1, n_tests + 1)[:, None]
    return np.cos(np.pi * k * (np.arange(n_values) + 0.5) / n_values)


def test_uncorrelated_tests_count_in_full():
    assert effective_number(uncorrelated(12)) == pytest.approx(12)


def test_identical_tests_count_once():
    row = RNG.normal(size=50)
    assert effective_number(np.tile(row, (7, 1))) == pytest.approx(1)
    assert effective_number(np.stack([row, 3 * row + 1, -row])) == pytest.approx(1)


def test_groups_of_identical_tests_count_once_each():
    rows = uncorrelated(5)
    assert effective_number(np.repeat(rows, 4, axis=0)) == pytest.approx(5)


def test_two_correlated_tests_count_as_the_fractional_eigenvalue_says():
    # Eigenvalues 1 + r and 1 − r: 1 + (r) + (1 − r) = 2 for any r < 1; Li and Ji count whole units.
    a, b = uncorrelated(2)
    assert effective_number(np.stack([a, a + b])) == pytest.approx(2)


def test_rows_without_variation_count_as_one_test_each():
    assert effective_number(np.ones((3, 10))) == 3
    assert effective_number(np.vstack([uncorrelated(2), np.zeros((2, 64))])) == pytest.approx(4)


def test_more_tests_than_values_give_the_same_number_by_the_smaller_matrix():
    rows = RNG.normal(size=(30, 8))
    centred = (rows - rows.mean(axis=1, keepdims=True)) / rows.std(axis=1)[:, None]
    eigenvalues = np.linalg.eigvalsh(centred @ centred.T / 8)
    eigenvalues = np.round(eigenvalues[eigenvalues > 1e-9], 9)
    expected = ((eigenvalues >= 1) + eigenvalues % 1).sum()
    assert effective_number(rows) == pytest.approx(expected)
