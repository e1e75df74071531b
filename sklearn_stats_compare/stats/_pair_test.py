"""PairTest: what a test of two candidates knows, so that nothing that reads it asks for its name.

A new test is a subclass in a file of its own, and a line in `_pair_tests`.
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

_ENDLESS = 10_000_000
"""Degrees of freedom that stand for ∞: quantiles differ from the normal ones by about 1e-7."""


@dataclass(frozen=True)
class PairTest(ABC):
    """From the scores of candidates to a test of each pair, and to their joint null distribution.

    Tables, verdicts, sets, probabilities, displays and reports read these alone. Whatever a test
    needs beside split scores, such as a value per sample, it finds in the scores it is given.

    Parameters
    ----------
    name : str
        Its key, unique; what ``test=`` takes.
    words : str
        What people read, such as "corrected t-test".
    has_std_err : bool, default=True
        Whether it estimates the standard error of a mean difference. Intervals, equivalence,
        posteriors, sets of the best and plans are made of that; without it there are p-values only.
    has_joint_null : bool, default=True
        Whether the statistics of all pairs can be drawn together.
    std_err_words : str, default="corrected standard error"
        What a report calls the standard error of a mean.
    of_splits : bool, default=True
        Whether its degrees of freedom are counted in splits, so that few of them strain it.
    works : tuple of str, default=()
        Keys of the works to cite for it, as a report's bibliography has them.
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
        """Raise ValueError where splits of this design cannot be tested."""
        return

    def check_scores(self, scores: SplitScores) -> None:
        """Raise ValueError where these scores cannot be tested."""
        self.check(scores.design)

    def strained(self, scores: SplitScores) -> list[str]:
        """Sentences on what strains a test that is not `of_splits`; empty where all is well."""
        return []

    @abstractmethod
    def in_chunks(self, scores: SplitScores, chunk_size: int) -> Iterator[PairedTTests]:
        """Every pair in rank order, better minus worse, some at a time; at least one chunk."""

    @abstractmethod
    def against(self, scores: SplitScores, i: int, others: NDArray[np.intp]) -> PairedTTests:
        """Candidate `i` minus each of `others`, without looking at any other pair."""

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
        """How far one sample more on which two candidates differ would move their mean difference.

        Of some pairs, for their equivalence, where the test is not `of_splits`; else 0.
        """
        return np.zeros(len(which))

    def joint_null(self, scores: SplitScores, rng: Any, n_draws: int) -> JointNull:
        """Draws of the statistics of all pairs, were all means equal."""
        return JointNull(scores, rng, n_draws)

    def overlap_ratio(self, design: SplitDesign) -> float:
        """q of the variance factor 1/J + q: what infinitely many repeats would leave of it."""
        return design.overlap_ratio

    def df(self, scores: SplitScores) -> int:
        """Degrees of freedom of a single candidate's mean."""
        return scores.n_splits - 1

    def std_errs(self, scores: SplitScores) -> NDArray[np.float64]:
        """Standard error of each candidate's mean, shape (n_candidates,)."""
        return scores.std_errs

    def simulator(self, scores: SplitScores, dependence: str) -> Simulator:
        """Draws of scores like these with other true means, on which the test can be tried."""
        return split_simulator(scores, dependence)

    def in_the_limit(
        self, scores: SplitScores, tests: PairedTTests
    ) -> tuple[PairedTTests, NDArray[np.float64]]:
        """What infinitely many repeats would leave of all pairs, and how far means may move.

        The mean of J splits is within s/√J of where all repeats would bring it; two of these.
        """
        limit = replace(tests, df=_ENDLESS, variance_factor=self.overlap_ratio(scores.design))
        return limit, 2 * tests.std / np.sqrt(scores.n_splits)

    def detectable(
        self, scores: SplitScores, tests: PairedTTests, times: float, *, power: float, alpha: float
    ) -> NDArray[np.float64]:
        """True differences that are found with `power`, with so many times the repeats."""
        n_splits, ratio = times * scores.n_splits, self.overlap_ratio(scores.design)
        in_std = detectable_difference(n_splits, ratio, power=power, alpha=alpha)
        # 0 × ∞ would be NaN where the scores never vary.
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
        """Smallest number of repeats that finds a true difference with `power`; inf if none."""
        n_folds = scores.design.splits_per_repeat
        # Scores that never differ have a std of 0: any difference is found, however few splits.
        with np.errstate(divide="ignore", over="ignore"):
            in_std = difference / tests.std
        ratio = self.overlap_ratio(scores.design)
        return repeats_needed(in_std, n_folds, ratio, power=power, alpha=alpha)

    @abstractmethod
    def line(self, scores: SplitScores) -> str:
        """The test and what it assumes of the splits, in half a line of a terminal."""

    @abstractmethod
    def methods(self, scores: SplitScores) -> str:
        """The same for the methods of a paper, after "compared pair by pair with"."""
