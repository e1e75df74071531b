"""The interval of the leader's expected score that allows for its choice from the same scores."""

from collections.abc import Sequence

import numpy as np
from scipy import stats

_SHARE_FOR_PLAUSIBLE = 0.1
"""Share of a tail that finds who could have led; a tenth, as Zrnic and Fithian (2024) suggest."""


def interval_after_choice(
    mean: float, std_err: float, df: int, leads: Sequence[float], tail: float
) -> tuple[float, float]:
    """Interval of the expected score of the candidate with the highest mean.

    Two steps of the argument take estimates for known: the standard errors that tell who could have
    led, and copies, which count once. In simulations neither cost coverage.

    The lower limit holds for all candidates at once that could have led (Bonferroni's inequality).
    The upper limit is that of a candidate fixed in advance, because the choice cannot make a mean
    too low: the leader's mean is at least that of the truly best candidate, whose expected score is
    at least the leader's.

    Parameters
    ----------
    mean, std_err : float
        The leader's mean and its standard error, in score units.
    df : int
        Degrees of freedom.
    leads : sequence of float, shape (n_candidates − 1,)
        How far the leader's mean is above that of each other candidate, in standard errors of their
        difference.
    tail : float
        Probability on either side, half of alpha.

    Returns
    -------
    low, high : float
        In score units; the mean itself if the standard error is 0.
    """
    if std_err == 0:  # at a level close to 1 a critical value is infinite, and 0·∞ would be NaN
        return mean, mean
    below = tail
    if leads:
        # With probability 1 − spent, no difference is above its expectation by more than `within`
        # standard errors. Then whoever might lead is at most twice that behind the leader.
        m = len(leads) + 1
        spent = _SHARE_FOR_PLAUSIBLE * tail
        within = stats.t.isf(spent / (m * (m - 1)), df)
        plausible = 1 + np.count_nonzero(np.asarray(leads) <= 2 * within)
        below = (tail - spent) / plausible
    reach, above = std_err * stats.t.isf([below, tail], df)
    return float(mean - reach), float(mean + above)
