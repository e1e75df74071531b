"""Criteria of which several measure the same candidates: scores, and times (less is better)."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from sklearn_stats_compare.stats._corrected_t import PairedTTests
from sklearn_stats_compare.stats._pair_test import PairTest
from sklearn_stats_compare.stats._scores import SplitScores
from sklearn_stats_compare.stats._split_t import CORRECTED_T
from sklearn_stats_compare.stats._splits import SplitDesign


class Criterion(Protocol):
    """One of several measures of the same candidates, tested so that a positive gain is better."""

    @property
    def n_splits(self) -> int:
        """Number of splits, J."""

    @property
    def means(self) -> NDArray[np.float64]:
        """Mean of each candidate in the criterion's own units, NaN where missing."""

    @property
    def gains(self) -> NDArray[np.float64]:
        """The means, signed so that higher is better."""

    def against(self, i: int, others: NDArray[np.intp]) -> PairedTTests:
        """Gain of candidate `i` over each of `others`."""

    def against_bound(self, bound: float) -> PairedTTests:
        """Gain of each candidate over a bound that its mean must reach."""

    def pvalue_of_bound(self, bound: float, alternative: str) -> NDArray[np.float64]:
        """One-sided p-value of each candidate; "greater" shows that it reaches the bound."""

    def limits(self, confidence_level: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Two-sided confidence limits of each mean."""


@dataclass(frozen=True, eq=False)
class ScoreCriterion:
    """Scores on splits, higher is better.

    Parameters
    ----------
    scores : SplitScores
        Scores of the candidates.
    test : PairTest, default=CORRECTED_T
        The test of a pair.
    """

    scores: SplitScores
    test: PairTest = CORRECTED_T

    @property
    def n_splits(self) -> int:
        """Number of splits, J."""
        return self.scores.n_splits

    @property
    def means(self) -> NDArray[np.float64]:
        """Mean score of each candidate, NaN where missing."""
        return self.scores.means

    @property
    def gains(self) -> NDArray[np.float64]:
        """The means: higher is better."""
        return self.scores.means

    def against(self, i: int, others: NDArray[np.intp]) -> PairedTTests:
        """Score of candidate `i` minus that of each of `others`."""
        return self.test.against(self.scores, i, others)

    def against_bound(self, bound: float) -> PairedTTests:
        """Score of each candidate minus the bound, by the corrected t-test of one mean.

        The bound stands for a candidate that has it on every split, so that scores without any
        variation are treated as in a pair.
        """
        values = self.scores.values
        with_bound = np.vstack([values, np.full(values.shape[1], bound)])
        n = len(values)
        scores = SplitScores(with_bound, self.scores.design)
        return _swapped(CORRECTED_T.against(scores, n, np.arange(n)))

    def pvalue_of_bound(self, bound: float, alternative: str) -> NDArray[np.float64]:
        """One-sided p-value of each candidate; "greater" shows that it reaches the bound."""
        values, tests = self.scores.values, self.against_bound(bound)
        known = values[~np.isnan(values)]
        least = 0.0 if (known >= 0).all() and bound >= 0 else -np.inf
        most = np.inf if (known > 1).any() or bound > 1 else 1.0
        most = 0.0 if (known <= 0).all() and bound <= 0 else most
        return _with_constants(
            tests, tests.constant, alternative, self.means, bound, least, most, self.scores.design
        )

    def limits(self, confidence_level: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Two-sided confidence limits of each mean."""
        errors, df = self.test.std_errs(self.scores), self.test.df(self.scores)
        return _limits(self.means, errors, df, confidence_level)


@dataclass(frozen=True, eq=False)
class TimeCriterion:
    """Mean times over splits, lower is better, of which only the standard deviation is known.

    The standard deviation of a difference is at most the sum of the two, whatever the times of the
    single splits are. The sum replaces it, so that a difference in favour of a candidate is never
    more significant than the corrected t-test of the times of the splits would say.

    Parameters
    ----------
    means : ndarray of float, shape (n_candidates,)
        Mean time of each candidate over the splits, in seconds.
    stds : ndarray of float, shape (n_candidates,)
        Its standard deviation over the splits (ddof=1), in seconds.
    design : SplitDesign
        Sizes of the splits.
    """

    means: NDArray[np.float64]
    stds: NDArray[np.float64]
    design: SplitDesign

    @property
    def n_splits(self) -> int:
        """Number of splits, J."""
        return self.design.n_splits

    @property
    def gains(self) -> NDArray[np.float64]:
        """The negative means."""
        return -self.means

    def against(self, i: int, others: NDArray[np.intp]) -> PairedTTests:
        """Time of each of `others` minus that of candidate `i`."""
        return self._tests(i, others, self.means[others] - self.means[i],
                           self.stds[others] + self.stds[i])  # fmt: skip

    def against_bound(self, bound: float) -> PairedTTests:
        """The bound, which the time must not exceed, minus the time of each candidate."""
        return self._tests(0, np.arange(len(self.means)), bound - self.means, self.stds)

    def pvalue_of_bound(self, bound: float, alternative: str) -> NDArray[np.float64]:
        """One-sided p-value of each candidate; "greater" shows that it keeps to the bound."""
        tests = self.against_bound(bound)
        # Of gains, whose least is −∞ and whose most is 0: no time is negative.
        return _with_constants(
            tests, tests.std == 0, alternative, self.gains, -bound, -np.inf, 0.0, self.design
        )

    def limits(self, confidence_level: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Two-sided confidence limits of each mean; the lower one is not below 0."""
        errors = self.stds * np.sqrt(self.design.variance_factor)
        low, high = _limits(self.means, errors, self.n_splits - 1, confidence_level)
        return np.maximum(low, 0.0), high

    def _tests(
        self,
        i: int,
        others: NDArray[np.intp],
        mean_diff: NDArray[np.float64],
        std: NDArray[np.float64],
    ) -> PairedTTests:
        constant = np.zeros(len(others), dtype=bool)
        factor = self.design.variance_factor
        first = np.full(len(others), i)
        return PairedTTests(first, others, mean_diff, std, constant, self.n_splits - 1, factor)


def _with_constants(
    tests: PairedTTests,
    constant: NDArray[np.bool_],
    alternative: str,
    gains: NDArray[np.float64],
    bound: float,
    least: float,
    most: float,
    design: SplitDesign,
) -> NDArray[np.float64]:
    """p-values; of scores that are the same on all splits those of Markov's inequality.

    K equal scores are no K equal signs here, as they are for a pair: proportions near 1 are often
    all 1 (recall 0.97 of 20 positives in more than half of all data sets). For scores ≥ `least`, a
    fold is at or above c > bound with probability (bound − least)/(c − least) at most, and likewise
    from above.
    """
    found = np.asarray(tests.pvalue(alternative))
    if alternative == "greater":
        reach, wanted, is_known = bound - least, gains - least, np.isfinite(least)
    else:
        reach, wanted, is_known = most - bound, most - gains, np.isfinite(most)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.clip(np.divide(reach, wanted), 0.0, 1.0) if is_known else np.ones(len(found))
    folds = design.splits_per_repeat
    # No smaller than that of equal signs.
    markov = np.maximum(0.5, np.where(wanted > reach, share, 1.0)) ** folds
    markov = np.where(wanted > reach, markov, 1.0)
    return np.where(constant & ~np.isnan(found), markov, found)


def _swapped(tests: PairedTTests) -> PairedTTests:
    """The same pairs as second − first."""
    return PairedTTests(
        tests.second,
        tests.first,
        -tests.mean_diff,
        tests.std,
        tests.constant,
        tests.df,
        tests.variance_factor,
    )


def _limits(
    means: NDArray[np.float64],
    std_errs: NDArray[np.float64],
    df: int,
    confidence_level: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    reach = stats.t.isf((1 - confidence_level) / 2, df) * std_errs
    return means - reach, means + reach
