"""PairTest: the interface of a test of two candidates, so that no caller depends on its name.

To add a test, write a subclass in its own file and add a line to `_pair_tests`.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare.stats._corrected_t import PairedTTests
from sklearn_stats_compare.stats._detectable import detectable_difference, repeats_needed
from sklearn_stats_compare.stats._joint_null import JointNull
from sklearn_stats_compare.stats._scores import SplitScores
from sklearn_stats_compare.stats._simulated import Simulator, split_simulator
from sklearn_stats_compare.stats._splits import SplitDesign

_INFINITE_DF = 10_000_000
"""Degrees of freedom that replace ∞: quantiles differ from the normal ones by about 1e-7."""


@dataclass(frozen=True)
class PairTest(ABC):
    """Tests of each pair of candidates, and their joint null distribution.

    Tables, verdicts, sets, probabilities, displays and reports use only this interface. A test
    takes all its data, such as values of samples, from the scores that it is given.

    Parameters
    ----------
    name : str
        Its unique key, the value of ``test=``.
    words : str
        Its name in text, such as "corrected t-test".
    has_std_err : bool, default=True
        Whether it estimates the standard error of a mean difference. Intervals, equivalence,
        posteriors, sets of the best and plans require it; without it there are only p-values.
    has_joint_null : bool, default=True
        Whether the statistics of all pairs can be drawn jointly.
    std_err_words : str, default="corrected standard error"
        Name of the standard error of a mean in reports.
    of_splits : bool, default=True
        Whether its degrees of freedom depend on the number of splits. If so, few splits cause a
        warning.
    works : tuple of str, default=()
        Keys of the works to cite, as in a report's bibliography.
    """

    name: str
    words: str
    has_std_err: bool = True
    has_joint_null: bool = True
    std_err_words: str = "corrected standard error"
    of_splits: bool = True
    works: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.name

    def check(self, design: SplitDesign) -> None:
        """Raise ValueError if splits of this design cannot be tested."""
        return

    def check_scores(self, scores: SplitScores) -> None:
        """Raise ValueError if these scores cannot be tested."""
        self.check(scores.design)

    def strained(self, scores: SplitScores) -> list[str]:
        """Sentences of warning for a test that is not `of_splits`; empty if there are none."""
        return []

    @abstractmethod
    def in_chunks(self, scores: SplitScores, chunk_size: int) -> Iterator[PairedTTests]:
        """Yield every pair in rank order, better minus worse, in at least one chunk."""

    @abstractmethod
    def against(self, scores: SplitScores, i: int, others: NDArray[np.intp]) -> PairedTTests:
        """Candidate `i` minus each of `others`; no other pair is computed."""

    def all_pairs(self, scores: SplitScores) -> PairedTTests:
        """Every pair of candidates in rank order: (1st, 2nd), (1st, 3rd), …, (2nd, 3rd), …."""
        m = scores.n_candidates
        return next(iter(self.in_chunks(scores, max(m * (m - 1) // 2, 1))))

    def against_leader(self, scores: SplitScores) -> PairedTTests:
        """The leader minus every other candidate, in rank order."""
        return self.against(scores, int(scores.order[0]), scores.order[1:])

    def weight_of_a_sample(
        self, scores: SplitScores, tests: PairedTTests, which: NDArray[np.intp]
    ) -> NDArray[np.float64]:
        """Change of the mean difference if two candidates differed on one more sample.

        Equivalence tests use it if the test is not `of_splits`; otherwise it is 0.
        """
        return np.zeros(len(which))

    def joint_null(self, scores: SplitScores, rng: Any, n_draws: int) -> JointNull:
        """Draws of the statistics of all pairs under the hypothesis of equal means."""
        return JointNull(scores, rng, n_draws)

    def overlap_ratio(self, design: SplitDesign) -> float:
        """q of the variance factor 1/J + q: its limit for infinitely many repeats."""
        return design.overlap_ratio

    def df(self, scores: SplitScores) -> int:
        """Degrees of freedom of the mean of one candidate."""
        return scores.n_splits - 1

    def std_errs(self, scores: SplitScores) -> NDArray[np.float64]:
        """Standard error of each candidate's mean, shape (n_candidates,)."""
        return scores.std_errs

    def simulator(self, scores: SplitScores, dependence: str) -> Simulator:
        """Return a function that draws scores like these with other true means."""
        return split_simulator(scores, dependence)

    def in_the_limit(
        self, scores: SplitScores, tests: PairedTTests
    ) -> tuple[PairedTTests, NDArray[np.float64]]:
        """Return all pairs in the limit of infinitely many repeats, and how far means may move.

        The limit differs from the mean of J splits by about s/√J; means may move by twice that.
        """
        limit = replace(tests, df=_INFINITE_DF, variance_factor=self.overlap_ratio(scores.design))
        return limit, 2 * tests.std / np.sqrt(scores.n_splits)

    def detectable(
        self, scores: SplitScores, tests: PairedTTests, times: float, *, power: float, alpha: float
    ) -> NDArray[np.float64]:
        """True differences detected with `power` and `times` as many repeats."""
        n_splits, ratio = times * scores.n_splits, self.overlap_ratio(scores.design)
        in_std = detectable_difference(n_splits, ratio, power=power, alpha=alpha)
        # If the scores never vary, 0 × ∞ would be NaN.
        nothing = np.where(np.isnan(in_std), np.nan, np.zeros_like(tests.std))
        with np.errstate(over="ignore"):
            return np.multiply(tests.std, in_std, out=nothing, where=tests.std != 0)

    def repeats_needed(
        self,
        scores: SplitScores,
        tests: PairedTTests,
        difference: float | NDArray[np.float64],
        *,
        power: float,
        alpha: float,
    ) -> NDArray[np.float64]:
        """Smallest number of repeats that detects a true difference with `power`; inf if none."""
        n_folds = scores.design.splits_per_repeat
        # Without a spread a difference is detected with any number of splits, and none never.
        std = np.where(np.equal(difference, 0), 1.0, tests.std)
        with np.errstate(divide="ignore", over="ignore"):
            in_std = difference / std
        ratio = self.overlap_ratio(scores.design)
        return repeats_needed(in_std, n_folds, ratio, power=power, alpha=alpha)

    @abstractmethod
    def line(self, scores: SplitScores) -> str:
        """The test and its assumptions on the splits, in half a line."""

    @abstractmethod
    def methods(self, scores: SplitScores) -> str:
        """Text for the methods section of a paper, to follow "compared pair by pair with"."""
