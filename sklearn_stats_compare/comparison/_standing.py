"""The ranking of candidates before any test, and how their scores correlate."""

import pandas as pd

from sklearn_stats_compare.comparison._compared import Compared
from sklearn_stats_compare.comparison._stream import check_n_pairs
from sklearn_stats_compare.comparison._tables import ranking_table


def standing(comparison: Compared) -> pd.DataFrame:
    """The ranking; see `Comparison.ranking`."""
    order, names = comparison.scores.order, comparison._candidate_names
    labels = [names.label(row) for row in order]
    table = ranking_table(comparison.scores, labels, comparison.settings)
    return table.set_axis(pd.Index(names.indices_of(order), name="candidate"))


def split_correlation(self: Compared) -> pd.DataFrame:
    """Correlation of split scores, candidates × candidates in rank order.

    High correlations are the fold effect: an easy split is easy for all candidates. NaN for a
    candidate that failed, or that has the same score on all splits. Raises ValueError if there are
    more than 20 million pairs.
    """
    check_n_pairs(self.scores)
    labels = [self._candidate_names.label(i) for i in self.scores.order]
    correlation = self.scores.correlation(self.scores.order)
    return pd.DataFrame(correlation, index=labels, columns=labels)
