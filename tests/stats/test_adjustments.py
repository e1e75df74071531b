"""The table of adjustments: the attributes of its rows are correct."""

import numpy as np
import pytest
from scipy import stats

from sklearn_stats_compare.stats import ADJUSTMENTS, CLOSED_FORM, P_ADJUST, adjust_pvalues
from sklearn_stats_compare.stats._multiplicity import critical_value

P = np.array([0.2, 0.001, 0.04, 0.03, 0.9, 0.012])
FROM_PVALUES = [name for name, row in ADJUSTMENTS.items() if not row.joint]


def test_list_of_adjustments():
    assert P_ADJUST == (None, "bonferroni", "sidak", "holm", "hochberg", "bh", "by", "maxt")
    assert CLOSED_FORM == (None, "bonferroni", "sidak")
    assert [name for name, row in ADJUSTMENTS.items() if row.joint] == ["maxt"]
    assert all(row.name == name for name, row in ADJUSTMENTS.items())


@pytest.mark.parametrize("name", FROM_PVALUES)
def test_closed_form_adjustments_do_not_depend_on_other_p_values(name):
    row = ADJUSTMENTS[name]
    if row.closed_form:
        alone = [row.adjust(P[i : i + 1], len(P))[0] for i in range(len(P))]
        np.testing.assert_allclose(np.minimum(alone, 1), adjust_pvalues(P, name), rtol=1e-12)
    else:
        with pytest.raises(ValueError, match="`method` must be"):
            adjust_pvalues(P[:1], name, n_tests=len(P))


@pytest.mark.parametrize("name", CLOSED_FORM)
def test_adjusted_p_value_is_alpha_if_the_interval_touches_zero(name):
    beyond = critical_value(name, alpha=0.05, n_tests=15, df=19)
    p = 2 * stats.t.sf(beyond, 19)
    assert adjust_pvalues([p], name, n_tests=15) == pytest.approx([0.05], rel=1e-9)


@pytest.mark.parametrize("name", FROM_PVALUES)
def test_simultaneous_intervals_are_wider_than_marginal_ones(name):
    wider = critical_value(name, alpha=0.05, n_tests=15, df=19)
    marginal = stats.t.isf(0.025, 19)
    assert (wider > marginal) == ADJUSTMENTS[name].simultaneous


def test_only_drawn_adjustments_are_replaced_in_the_limit():
    for name, row in ADJUSTMENTS.items():
        assert (row.in_the_limit != name) == row.joint
        assert not ADJUSTMENTS[row.in_the_limit].joint


def test_every_adjustment_has_a_description():
    sentences = {row.sentence("6 pairs") for row in ADJUSTMENTS.values()}
    assert len(sentences) == len(ADJUSTMENTS)
    assert ADJUSTMENTS["holm"].sentence("6 pairs") == (
        "p-values were adjusted for 6 pairs by Holm's method"
    )
    assert [ADJUSTMENTS[name].line for name in (None, "by")] == ["not adjusted", "adjusted by by"]
