"""shortfall(): how much worse than the best each candidate may be."""

from typing import Any

import pandas as pd

from sklearn_stats_compare._messages import check_option, check_probability, check_rng
from sklearn_stats_compare.comparison._assumptions import warn_of_survivors
from sklearn_stats_compare.comparison._best import ranked_with
from sklearn_stats_compare.comparison._compared import Compared
from sklearn_stats_compare.comparison._stream import check_n_pairs
from sklearn_stats_compare.stats import BEST_METHODS, shortfall_bounds


def shortfall(
    self: Compared, alpha: float | None = None, *, method: str = "bonferroni", rng: Any = 0
) -> pd.DataFrame:
    """How much worse than the best each candidate may be: upper bounds that hold all at once.

    With probability at least 1 − alpha, the true mean of no candidate is further below that of the
    best than its bound. The bounds hold together. You may therefore look at all of them, deploy the
    candidate that you like, and say that it is at most so much worse than the best.

    Parameters
    ----------
    alpha : float, optional
        Level, in (0, 1). Default: the comparison's.
    method : {"bonferroni", "maxt"}, default="bonferroni"
        Adjustment of the critical values, as for `possibly_best`. "maxt" usually gives smaller
        bounds and takes longer.
    rng : None, int or numpy.random.Generator, default=0
        Source of the 20,000 draws of "maxt".

    Returns
    -------
    DataFrame
        All candidates in rank order, indexed by candidate, with the columns ``label``, ``mean``,
        ``behind`` (the leader's mean minus its own) and ``at_most`` (the bound), in score units.
        ``at_most`` is 0 only for a candidate that is alone in the possibly-best set (and its
        copies), and NaN for candidates that failed and with one split.

    Raises
    ------
    ValueError
        If `alpha`, `method` or `rng` is invalid, or if the test knows no standard error. If
        `method` is "maxt" and there are more than 20 million pairs, or `alpha` is not above
        1/20,001, the smallest p-value of its draws.

    Warns
    -----
    ComparisonWarning
        After a race, or an extension of some candidates: others are not compared, and the best of
        them may be better.

    Notes
    -----
    The bounds are limits in the manner of Hsu's constrained intervals, with the critical values of
    `possibly_best`. They are valid under the assumptions of the comparison's test. The cost is that
    of the pairs of all members of the possibly-best set with all candidates.

    References
    ----------
    Hsu, J. C. (1981). Simultaneous confidence intervals for all distances from the "best".
    Annals of Statistics 9, 1026–1034. https://doi.org/10.1214/aos/1176345582

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn_stats_compare import Comparison, SplitDesign, SplitScores
    >>> means = np.array([[0.80], [0.83], [0.70], [0.82]])
    >>> scores = means + 0.02 * np.random.default_rng(0).standard_normal((4, 30))
    >>> comparison = Comparison(
    ...     SplitScores(scores, SplitDesign([90] * 30, [10] * 30)),
    ...     labels=["baseline", "new", "old", "tree"],
    ... )
    >>> table = comparison.shortfall()[["label", "behind", "at_most"]]
    >>> print(table.round(3).to_string(index=False))
       label  behind  at_most
         new   0.000    0.010
        tree   0.016    0.042
    baseline   0.038    0.063
         old   0.132    0.155
    """
    if check_option("method", method, BEST_METHODS) == "maxt":
        check_n_pairs(self.scores)
    check_rng(rng)
    level = self.settings.alpha if alpha is None else check_probability("alpha", alpha)
    self.settings.check_has_std_err("shortfall")
    bounds = shortfall_bounds(
        self.scores, alpha=level, method=method, rng=rng, test=self.settings.test
    )
    table = ranked_with(self, at_most=bounds)
    warn_of_survivors(
        self.n_entered, len(table), "The bound of the shortfall", self.dropped_pvalue, level
    )
    return table
