"""The delete-a-group jackknife and values of groups: means, known special cases, variances."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sklearn_stats_compare.predictions._influence import (
    group_values,
    jackknife_values,
)

NUMBERS = arrays(float, 12, elements=st.floats(-10, 10).map(lambda x: round(x, 3)))


@given(NUMBERS)
def test_mean_over_few_samples_returns_their_values(numbers):
    values = jackknife_values(lambda places: numbers[places].mean(), 12)
    np.testing.assert_allclose(values, numbers, atol=1e-9)


def test_matches_the_definition_of_pseudo_values():
    # Tukey's pseudo-values n·T − (n − 1)·T_i, centred at T.
    numbers = np.array([1.0, 2, 4, 8, 16])
    without = [np.std(np.delete(numbers, i)) for i in range(5)]
    pseudo = 5 * np.std(numbers) - 4 * np.array(without)
    values = jackknife_values(lambda places: np.std(numbers[places]), 5)
    np.testing.assert_allclose(values, pseudo - pseudo.mean() + np.std(numbers), rtol=1e-12)


@pytest.mark.parametrize("n", [2, 50, 51, 120, 1001])
def test_mean_of_values_is_the_score(n):
    numbers = np.random.default_rng(n).gamma(1, 1, n)
    score = np.median(numbers)
    calls = []

    def median(places):
        calls.append(len(places))
        return np.median(numbers[places])

    values = jackknife_values(median, n, whole=score)
    assert values.mean() == pytest.approx(score, rel=1e-12)
    assert len(calls) == min(n, 50)
    assert len(set(values)) <= 50


def test_samples_of_a_group_share_its_deviation():
    numbers = np.random.default_rng(1).normal(size=200)
    values = jackknife_values(lambda places: numbers[places].mean(), 200)
    # 50 groups of 4: each value is the score plus √4 times the deviation of the group's mean.
    for value in set(values):
        group = values == value
        assert group.sum() == 4
        expected = numbers.mean() + 2 * (numbers[group].mean() - numbers.mean())
        assert value == pytest.approx(expected)


def test_groups_of_sorted_data_are_random():
    numbers = np.sort(np.random.default_rng(3).normal(size=500))
    values = jackknife_values(lambda places: numbers[places].mean(), 500)
    assert 0.5 < values.var(ddof=1) / numbers.var(ddof=1) < 2


def test_units_are_left_out_as_a_whole():
    numbers = np.arange(6.0)
    seen = []

    def mean(places):
        seen.append(places.tolist())
        return numbers[places].mean()

    units = ["a", "a", "b", "b", "c", "c"]
    values = jackknife_values(mean, 6, units=units)
    assert sorted(seen) == [[0, 1, 2, 3], [0, 1, 2, 3, 4, 5], [0, 1, 4, 5], [2, 3, 4, 5]]
    np.testing.assert_allclose(values, [0.5, 0.5, 2.5, 2.5, 4.5, 4.5])
    np.testing.assert_allclose(group_values(values, units)[0], [0.5, 2.5, 4.5])


def test_values_are_nan_if_any_score_is_nan():
    assert np.isnan(jackknife_values(lambda places: np.nan, 4)).all()
    assert np.isnan(jackknife_values(lambda p: 1.0 if 0 in p else np.nan, 4)).all()
    assert np.isnan(jackknife_values(lambda p: 1.0, 4, units=[1, 1, 1, 1])).all()


@given(NUMBERS, arrays(int, 12, elements=st.integers(0, 4)), st.permutations(range(12)))
def test_group_values_have_the_score_as_their_mean(numbers, groups, order):
    values, names = group_values(numbers, groups)
    assert values.mean() == pytest.approx(numbers.mean(), abs=1e-12)
    assert names.tolist() == sorted(set(groups.tolist()))
    for value, name in zip(values, names, strict=True):
        expected = len(names) / 12 * numbers[groups == name].sum()
        assert value == pytest.approx(expected, abs=1e-12)
    order = list(order)
    np.testing.assert_allclose(group_values(numbers[order], groups[order])[0], values, atol=1e-12)
    # Several models at once.
    both = group_values([numbers, 2 * numbers], groups)[0]
    np.testing.assert_allclose(both, [values, 2 * values], atol=1e-12)


def test_groups_of_single_samples_change_nothing():
    values, _ = group_values([3.0, 1.0, 2.0], [0, 1, 2])
    assert values.tolist() == [3, 1, 2]
    with pytest.raises(ValueError, match=r"`groups` must have one entry per sample, 3; got 2"):
        group_values([3.0, 1.0, 2.0], [0, 1])
