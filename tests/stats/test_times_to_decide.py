"""times_to_decide(): how many times the samples give a verdict every other time."""

import numpy as np
import pytest
from scipy import stats

from sklearn_stats_compare.stats._power import times_to_decide

DF, ALPHA = 30, 0.01


def test_a_difference_at_the_critical_value_needs_what_there_is():
    critical = stats.t.isf(ALPHA / 2, DF)
    assert times_to_decide(critical, 1.0, DF, alpha=ALPHA) == pytest.approx(1)
    # Half the difference: a quarter of the variance, so four times the samples.
    assert times_to_decide(critical / 2, 1.0, DF, alpha=ALPHA) == pytest.approx(4)


def test_scaling_scores_changes_nothing_and_nothing_is_never_decided():
    a = times_to_decide(0.02, 0.03, DF, alpha=ALPHA)
    b = times_to_decide(2.0, 3.0, DF, alpha=ALPHA)
    assert a == pytest.approx(b)
    assert times_to_decide(0.0, 1.0, DF, alpha=ALPHA) == np.inf
    assert np.isnan(times_to_decide(0.1, np.nan, DF, alpha=ALPHA))
