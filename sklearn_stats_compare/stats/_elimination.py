"""Elimination by the scores of splits: which candidates of a race are unlikely to win.

A race predicts which candidate has the best mean in the full table of scores, not which one is
better on new data. The splits evaluated so far are a simple random sample, without replacement, of
the J columns of that table. The standard error of a mean difference is therefore s·√(1/n − 1/J). It
does not depend on the overlap of training sets or on other dependence between splits.

About new data, the variance factor is instead 1/n + n_test/n_train, as in the corrected t-test.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare.stats._corrected_t import PairedTTests
from sklearn_stats_compare.stats._race_loop import Look
from sklearn_stats_compare.stats._scores import SplitScores
from sklearn_stats_compare.stats._splits import SplitDesign
from sklearn_stats_compare.stats._student import small_tail, standardise

STRATEGIES = ("pooled", "strict")
ELIMINATE = ("hopeless", "inferior")


@dataclass(frozen=True)
class SplitElimination:
    """Drops candidates by the scores of the splits so far.

    Parameters
    ----------
    n_candidates : int
        Number of candidates at the start of the race, m.
    strategy : {"pooled", "strict"}, default="pooled"
        With "strict" the p-value is (m − 1)·p. Here p is the one-sided p-value of the candidate's
        differences from the leader, with n − 1 degrees of freedom. With "pooled" it is
        max((m − 1)·p_pool, p). Here p_pool uses the residual variance of the additive model
        candidate + split, with (n − 1)(a − 1) degrees of freedom for a remaining candidates. The
        condition on p protects candidates that vary more than the pooled variance, which alone may
        drop the winner.
    overlap_ratio : float, optional
        Share n_test/n_train with which the race drops candidates that are worse on new data,
        instead of those that cannot win.
    """

    n_candidates: int
    strategy: str = "pooled"
    overlap_ratio: float | None = None

    def pvalues(self, look: Look) -> NDArray[np.float64]:
        """p-value of each remaining candidate against having the best mean.

        1 for the leader and, without tolerance, for its exact ties. Dropping candidates below alpha
        drops the winner with probability at most about alpha. For "strict" this assumes that means
        of n splits follow Student's t; for "pooled" it is measured in benchmarks/racing.py.
        """
        values = look.values
        n_alive, n = values.shape
        if n_alive < 2 or n < 2:
            return np.ones(n_alive)
        unknown = 1 / n - 1 / look.n_splits  # variance factor of the rest of the full mean
        if self.overlap_ratio is not None:
            unknown = 1 / n + self.overlap_ratio
        scores = SplitScores(values, SplitDesign.from_ratio(1.0, n))
        leader = int(np.argmax(values.mean(axis=1)))
        tests = PairedTTests.against(scores, leader, np.arange(n_alive))
        behind = tests.mean_diff + look.tolerance
        own = small_tail(standardise(behind, tests.std * np.sqrt(unknown)), n - 1)
        # Without variation, n equal differences count as n equal signs.
        own = np.where(tests.constant & (behind > 0), 2.0 ** (1 - n), own)
        n_rivals = self.n_candidates - 1
        if self.strategy == "strict":
            adjusted = n_rivals * own
        else:
            residual = (
                values - values.mean(axis=1, keepdims=True) - values.mean(axis=0) + values.mean()
            )
            df = (n - 1) * (n_alive - 1)
            std_err = np.full(n_alive, np.sqrt(2 * (residual**2).sum() / df * unknown))
            adjusted = np.maximum(n_rivals * small_tail(standardise(behind, std_err), df), own)
        found = np.where(behind > 0, np.minimum(1.0, adjusted), 1.0)
        found[leader] = 1.0
        return found
