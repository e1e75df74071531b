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

    Candidates are simulated with the covariance that these scores have between candidates, once all
    equally good and once with the observed differences. The verdicts are those of
    `pairwise_frequentist`, with the same family, adjustment, ROPE and level.

    Parameters
    ----------
    n_simulations : int, default=1000
        Number of simulated tables for each row. Each costs as much as `frequentist`: use fewer with
        `p_adjust="maxt"` or hundreds of candidates.
    rng : None, int or numpy.random.Generator, optional
        Source of the draws. Default: fresh entropy.

    Returns
    -------
    DataFrame
        Four rows, with the columns

        - ``truth``: "equal" candidates, or differences "as observed";
        - ``dependence``: "corrected", splits correlated as the correction assumes, or "naive",
          independent splits, for which the correction is conservative; with ``test="samples"``
          bootstraps of the samples, with or without what training sets add to the variance;
        - ``any_false``: share of the tables with any false verdict: "better" or "worse" for a pair
          without that difference, or "equivalent" for a pair with a true difference outside the
          ROPE. An adjustment for the family should bound this share by `alpha`;
        - ``claimed``, ``equivalent``, ``undecided``: mean shares of the pairs. ``claimed``,
          better or worse, is a rate of false claims where candidates are equal and the power
          where they differ as observed;
        - ``any_false_se`` and so on: their standard errors.

    Raises
    ------
    ValueError
        If `n_simulations` is not a whole number ≥ 2, `rng` is not a valid source of draws, there
        are fewer than two candidates that did not fail or fewer than two splits, nothing was
        trained on, or there are more than 20 million pairs.

    Notes
    -----
    ``any_false`` of equal candidates under "corrected" is the true level of the adjustment with
    this many candidates and splits. It shows, for example, whether "maxt" exceeds its nominal
    level.

    Valid under two assumptions: scores are normal, and splits correlate by n_test/(n_train +
    n_test). The simulation cannot check the second; see the measured error rates in the user guide.
    The power is for differences as large as those observed, which are exaggerated if the leader was
    lucky.

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

    Among three equal candidates, some pair would be found different in 5 % of cases. The
    differences observed here would be found again.
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
