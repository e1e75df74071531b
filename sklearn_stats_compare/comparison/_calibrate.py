"""How often verdicts like those of a comparison would be right; a method of `Comparison`."""

from typing import Any

import numpy as np
import pandas as pd

from sklearn_stats_compare._messages import check_count, check_rng
from sklearn_stats_compare.comparison._compared import Compared
from sklearn_stats_compare.comparison._stream import check_n_pairs
from sklearn_stats_compare.comparison._tables import calibration_table
from sklearn_stats_compare.stats import calibration

_MOST_SIMULATIONS = 10**7


def calibrate(self: Compared, *, n_simulations: int = 1000, rng: Any = None) -> pd.DataFrame:
    """How often verdicts like these would be right, by simulation from the scores' covariance.

    Candidates are simulated with the covariance that these scores have between candidates,
    once all equally good and once with the differences observed here, and the verdicts are
    made as in `pairwise_frequentist`: the same family, adjustment, ROPE and level.

    Parameters
    ----------
    n_simulations : int, default=1000
        Number of simulated tables for each row. Each costs what `frequentist` costs: with
        `p_adjust="maxt"`, or with hundreds of candidates, take fewer.
    rng : None, int or numpy.random.Generator, optional
        Source of the draws. Default: fresh entropy.

    Returns
    -------
    DataFrame
        Four rows, with the columns

        - ``truth``: "equal" candidates, or differences "as observed";
        - ``dependence``: "corrected", splits correlated as the correction has it, or "naive",
          splits independent, for which the correction is too cautious; with ``test="samples"``
          bootstraps of the samples, with or without what training sets add to the variance;
        - ``any_false``: share of the tables with any false verdict: better or worse of a pair
          that is not so, or equivalent of a pair whose true difference is outside the ROPE.
          This is what an adjustment for the family is to bound by `alpha`;
        - ``claimed``, ``equivalent``, ``undecided``: mean shares of the pairs. ``claimed``,
          better or worse, is a rate of false claims where candidates are equal and the power
          where they differ as observed;
        - ``any_false_se`` and so on: their standard errors.

    Raises
    ------
    ValueError
        If `n_simulations` is not a whole number ≥ 2, `rng` is no source of draws, there are
        fewer than two candidates that did not fail or fewer than two splits, nothing was
        trained on, or there are more than 20 million pairs.

    Notes
    -----
    ``any_false`` of equal candidates under "corrected" is the level that the adjustment really
    has with this many candidates and splits: here one would see that an adjustment such as
    "maxt" errs more often than it says.

    Valid as far as its two assumptions go: normal scores, and a correlation between splits of
    n_test/(n_train + n_test). Whether learners keep to the second it cannot tell; for that see
    the measured error rates in the user guide. The power is of differences as large as those
    seen, which are exaggerated where the leader was lucky.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_stats_compare import Comparison, SplitDesign, SplitScores
    >>> scores = np.random.default_rng(0).normal([[0.9], [0.9], [0.8]], 0.03, (3, 50))
    >>> comparison = Comparison(SplitScores(scores, SplitDesign([80] * 50, [20] * 50)))
    >>> found = comparison.calibrate(rng=0)
    >>> found[["truth", "dependence", "any_false", "claimed"]].round(2)
             truth dependence  any_false  claimed
    0        equal  corrected       0.05     0.02
    1        equal      naive       0.00     0.00
    2  as observed  corrected       0.00     0.66
    3  as observed      naive       0.00     0.67

    Of three equal candidates some pair would be told apart in 5 % of cases; the differences
    seen here would be found again.
    """
    check_count("n_simulations", n_simulations, least=2, limit=_MOST_SIMULATIONS)
    check_rng(rng)
    self.settings.check_has_std_err("calibrate")
    scores = self.scores
    available = np.flatnonzero(~scores.missing)
    if available.size < 2 or scores.n_splits < 2:
        raise ValueError(
            "`scores` must be of at least two candidates that did not fail, on at least two "
            f"splits; got {available.size} and {scores.n_splits}."
        )
    if self.settings.test.of_splits and not np.isfinite(scores.design.overlap_ratio):
        raise ValueError("`scores` must come from splits that train on something; got none.")
    check_n_pairs(scores, self.settings.p_adjust)
    known = scores.subset(available)
    return calibration_table(calibration(known, self.settings, int(n_simulations), rng))
