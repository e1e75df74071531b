"""The ROPE in each form that users write it."""

import pytest

from sklearn_stats_compare.comparison._tables import resolve_rope


@pytest.mark.parametrize(
    ("rope", "leader_mean", "expected"),
    [
        (0.01, 0.9, (-0.01, 0.01)),
        (0, 0.9, (0, 0)),
        ((-0.02, 0.01), 0.9, (-0.02, 0.01)),
        ([0.0, 0.0], 0.9, (0, 0)),
        ("1%", 0.9, (-0.009, 0.009)),
        (" 2.5 % ", -3000.0, (-75, 75)),
        ("0%", 0.9, (0, 0)),
    ],
)
def test_every_form_becomes_low_and_high_in_score_units(rope, leader_mean, expected):
    assert resolve_rope(rope, leader_mean) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("rope", "message"),
    [
        ((0.01, -0.01), r"`rope` must be \(low, high\) with low ≤ high; got \(0.01, -0.01\)"),
        (-0.01, "`rope` must be a finite half-width ≥ 0; got -0.01"),
        (float("nan"), "`rope` must be a finite half-width ≥ 0; got nan"),
        (float("inf"), "`rope` must be a finite half-width ≥ 0; got inf"),
        ((0.1, float("nan")), "low ≤ high"),
        ("1", "such as '1%'; got '1'"),
        ("-1%", "such as '1%'; got '-1%'"),
        ("one %", "such as '1%'; got 'one %'"),
        ("nan%", "such as '1%'; got 'nan%'"),
        (None, "`rope` must be a half-width ≥ 0 or"),
        ((0.1,), "`rope` must be a half-width ≥ 0 or"),
        (("a", "b"), "`rope` must be a half-width ≥ 0 or"),
        (True, "`rope` must be a half-width ≥ 0 or"),
    ],
)
def test_other_forms_raise_with_the_rule_and_the_value(rope, message):
    with pytest.raises(ValueError, match=message):
        resolve_rope(rope, 1.0)
