"""The recorded reference numbers follow from the recorded scores."""

import numpy as np
import pytest
from recompute import moons, multi, stored
from sample_numbers import numbers


def test_moons_numbers_follow_from_the_scores():
    recorded = stored("sklearn_moons.json")["pairs"]
    for made, kept in zip(moons()["pairs"], recorded, strict=True):
        for name, value in made.items():
            # SciPy 1.11 has ten digits of a quantile of t, newer ones all.
            is_text = isinstance(value, str)
            assert value == (kept[name] if is_text else pytest.approx(kept[name], rel=1e-9)), name


def test_multi_numbers_follow_from_the_scores():
    recorded = stored("multi_6x20.json")
    for name, values in multi().items():
        np.testing.assert_allclose(values, recorded[name], rtol=1e-9, atol=1e-14, err_msg=name)


def test_sample_numbers_follow_from_the_loops():
    made, recorded = numbers(), stored("samples.json")
    assert made["values"] == recorded["values"]
    for case, kept in zip(made["cases"], recorded["cases"], strict=True):
        assert case["own_std_errs"] == pytest.approx(kept["own_std_errs"], rel=1e-12)
        for pair, other in zip(case["pairs"], kept["pairs"], strict=True):
            assert pair == pytest.approx(other, rel=1e-9)
