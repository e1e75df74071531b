"""The .632 and .632+ rules of Efron and Tibshirani (1997)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sklearn_stats_compare.stats._nested import out_of_bag, point_632, point_632_plus

SHARES = st.floats(0, 1)


def test_matches_hand_computations():
    # R = (0.3 − 0.1)/(0.5 − 0.1) = 0.5; w = 0.632/(1 − 0.368·0.5) = 0.77451;
    # 0.22549·0.1 + 0.77451·0.3 = 0.25490.
    result = point_632_plus(0.1, 0.3, 0.5)
    found = result.error, result.overfitting, result.weight
    assert found == pytest.approx((0.2549020, 0.5, 0.632 / 0.816))
    assert point_632(0.1, 0.3).error == pytest.approx(0.0368 + 0.1896)
    assert out_of_bag(0.3).error == 0.3
    # Their section 3: one nearest neighbour, two classes, random labels. Apparent error 0,
    # out-of-bag error 0.5, γ = 0.5: .632 gives 0.316, .632+ with R = 1 gives 0.5.
    assert point_632(0, 0.5).error == pytest.approx(0.316)
    result = point_632_plus(0, 0.5, 0.5)
    assert (result.error, result.overfitting, result.weight) == pytest.approx((0.5, 1, 1))
    # The out-of-bag error is above γ: R = 1, 0.632·0.55 + (0.5 − 0)·0.368 = 0.5316.
    result = point_632_plus(0, 0.55, 0.5)
    assert (result.error, result.overfitting) == (pytest.approx(0.5316), 1)


@given(SHARES, SHARES, SHARES)
def test_matches_equation_32_and_its_limits(apparent, oob, gamma):
    result = point_632_plus(apparent, oob, gamma)
    # Err.632+ = Err.632 + (Err′ − err)·0.368·0.632·R′/(1 − 0.368·R′), Err′ = min(Err, γ);
    # Err.632 itself uses the error that is not capped.
    capped = min(oob, gamma)
    r = result.overfitting
    expected = 0.368 * apparent + 0.632 * oob
    expected += (capped - apparent) * 0.368 * 0.632 * r / (1 - 0.368 * r)
    assert result.error == pytest.approx(expected)
    assert 0 <= r <= 1
    assert min(apparent, oob) - 1e-12 <= result.error <= max(apparent, oob) + 1e-12
    if oob <= apparent or gamma <= apparent:
        assert r == 0
        assert result.error == pytest.approx(point_632(apparent, oob).error)


def test_weight_of_the_out_of_bag_error_grows_with_overfitting():
    weights = [point_632_plus(0.0, oob, 0.5).weight for oob in np.linspace(0, 0.6, 13)]
    assert weights[0] == pytest.approx(0.632)
    assert weights[-1] == 1  # clipped
    assert (np.diff(weights) >= 0).all()
