"""rank_intervals(): which ranks each candidate may have."""

from typing import Any

import pandas as pd

from sklearn_stats_compare._messages import check_option, check_probability, check_rng
from sklearn_stats_compare.comparison._assumptions import warn_of_survivors
from sklearn_stats_compare.comparison._compared import Compared
from sklearn_stats_compare.comparison._stream import check_n_pairs
from sklearn_stats_compare.stats import RANK_METHODS, rank_limits


def rank_intervals(
    self: Compared, alpha: float | None = None, *, method: str = "holm", rng: Any = 0
) -> pd.DataFrame:
    """Which ranks each candidate may have by its true mean: intervals that hold all at once.

    With probability at least 1 − alpha, the intervals contain the true ranks of all candidates.
    They show how little a ranking by means may say: often the leader's interval reaches far down.

    Parameters
    ----------
    alpha : float, optional
        Level, in (0, 1). Default: the comparison's.
    method : {"holm", "bonferroni", "maxt"}, default="holm"
        Adjustment for the m(m − 1) one-sided tests of all ordered pairs. "maxt" uses their joint
        null distribution in a single step and takes longer.
    rng : None, int or numpy.random.Generator, default=0
        Source of the 20,000 draws of "maxt".

    Returns
    -------
    DataFrame
        All candidates in rank order, indexed by candidate, with the columns ``label``, ``mean``,
        ``rank`` (by the observed means; <NA> for a failed candidate), ``rank_low`` and
        ``rank_high`` (1 is the best; <NA> for a failed candidate).

    Raises
    ------
    ValueError
        If `alpha`, `method` or `rng` is invalid, if the test knows no standard error, or there are
        more than 20 million pairs.

    Warns
    -----
    ComparisonWarning
        After a race, or an extension of some candidates: ranks are among those compared.

    Notes
    -----
    The rank of a candidate is 1 plus the number of candidates with a higher true mean. Its interval
    goes from 1 plus the number of candidates shown to be better to m minus the number shown to be
    worse. The sets are valid under the assumptions of the comparison's test.

    References
    ----------
    Mogstad, M., Romano, J. P., Shaikh, A. M. and Wilhelm, D. (2024). Inference for ranks with
    applications to mobility across neighbourhoods and academic achievement across countries. Review
    of Economic Studies 91, 476–518. https://doi.org/10.1093/restud/rdad006

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
    >>> table = comparison.rank_intervals()[["label", "rank", "rank_low", "rank_high"]]
    >>> print(table.to_string(index=False))
       label  rank  rank_low  rank_high
         new     1         1          2
        tree     2         1          3
    baseline     3         2          3
         old     4         4          4
    """
    check_option("method", method, RANK_METHODS)
    check_rng(rng)
    level = self.settings.alpha if alpha is None else check_probability("alpha", alpha)
    self.settings.check_has_std_err("rank_intervals")  # 5×2cv tests have no direction
    check_n_pairs(self.scores)
    low, high = rank_limits(
        self.scores, alpha=level, method=method, rng=rng, test=self.settings.test
    )
    order = self.scores.order
    warn_of_survivors(
        self.n_entered, len(order), "The interval of a rank", self.dropped_pvalue, level
    )
    ranking = self._ranking
    return pd.DataFrame(
        {
            "label": ranking["label"],
            "mean": ranking["mean"],
            "rank": ranking["rank"],
            "rank_low": pd.Series(low[order], ranking.index).astype("Int64"),
            "rank_high": pd.Series(high[order], ranking.index).astype("Int64"),
        },
        index=ranking.index,
    )
