"""The 5×2cv tests as pair tests: only p-values, for five repeats of 2-fold cross-validation."""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare.stats._corrected_t import PairedTTests
from sklearn_stats_compare.stats._five_by_two import N_REPEATS, FiveByTwo, is_five_by_two
from sklearn_stats_compare.stats._pair_test import PairTest
from sklearn_stats_compare.stats._scores import SplitScores
from sklearn_stats_compare.stats._splits import SplitDesign


@dataclass(frozen=True)
class FiveByTwoTest(PairTest):
    """Base class of both tests, which use the ten differences of a pair in different ways."""

    has_std_err: bool = False
    has_joint_null: bool = False

    def check(self, design: SplitDesign) -> None:
        """Raise ValueError unless the splits are five pairs that swap two halves of the data."""
        if is_five_by_two(design):
            return
        raise ValueError(
            f"`test` must be 'corrected_t' for these splits; got {self.name!r}, which needs five "
            "pairs of splits that swap two halves of the data, such as those of "
            "RepeatedStratifiedKFold(n_splits=2, n_repeats=5)."
        )

    def in_chunks(self, scores: SplitScores, chunk_size: int) -> Iterator[PairedTTests]:
        """Yield every pair in rank order, better minus worse, in chunks."""
        order = scores.order
        # The same order of pairs as in `PairedTTests.in_chunks`: row by row.
        i, j = np.triu_indices(len(order), 1)
        for start in range(0, max(i.size, 1), chunk_size):
            part = slice(start, start + chunk_size)
            yield self._of(scores, order[i[part]], order[j[part]])

    def against(self, scores: SplitScores, i: int, others: NDArray[np.intp]) -> PairedTTests:
        """Candidate `i` minus each of `others`."""
        return self._of(scores, np.full(len(others), i), np.asarray(others))

    def line(self, scores: SplitScores) -> str:
        """The test's name."""
        return self.words

    @abstractmethod
    def _of(
        self, scores: SplitScores, first: NDArray[np.intp], second: NDArray[np.intp]
    ) -> PairedTTests:
        """The tests of candidates `first` against `second`."""


@dataclass(frozen=True)
class DietterichT(FiveByTwoTest):
    """Dietterich's t (1998, section 3.5), with 5 degrees of freedom."""

    name: str = "5x2cv_t"
    words: str = "5×2cv paired t-test"

    def methods(self, scores: SplitScores) -> str:
        """The test and its degrees of freedom."""
        return "Dietterich's 5×2cv paired t-test (1998), with 5 degrees of freedom"

    def _of(
        self, scores: SplitScores, first: NDArray[np.intp], second: NDArray[np.intp]
    ) -> PairedTTests:
        found = FiveByTwo.of(scores, first, second)
        never = np.zeros(len(first), dtype=bool)
        return _DietterichTests(
            first, second, found.mean_diff, found.std, never, N_REPEATS, 1.0, found
        )


@dataclass(frozen=True)
class AlpaydinF(FiveByTwoTest):
    """Alpaydın's F (1999), with 10 and 5 degrees of freedom, which has no direction."""

    name: str = "5x2cv_f"
    words: str = "combined 5×2cv F-test"

    def methods(self, scores: SplitScores) -> str:
        """The test and its degrees of freedom."""
        return "Alpaydın's combined 5×2cv F-test (1999), with 10 and 5 degrees of freedom"

    def _of(
        self, scores: SplitScores, first: NDArray[np.intp], second: NDArray[np.intp]
    ) -> PairedTTests:
        found = FiveByTwo.of(scores, first, second)
        nothing, never = np.full(len(first), np.nan), np.zeros(len(first), dtype=bool)
        return _AlpaydinTests(first, second, found.mean_diff, nothing, never, N_REPEATS, 1.0, found)


@dataclass(frozen=True, eq=False)
class _DietterichTests(PairedTTests):
    found: FiveByTwo

    @cached_property
    def statistic(self) -> NDArray[np.float64]:
        """The difference on the first split over its standard deviation."""
        return self.found.t_statistic

    @property
    def direction(self) -> NDArray[np.float64]:
        """Direction of the mean; 0 if the first split, which t uses, has the opposite sign."""
        agrees = np.sign(self.statistic) == np.sign(self.mean_diff)
        return np.where(agrees, self.mean_diff, 0.0)


@dataclass(frozen=True, eq=False)
class _AlpaydinTests(PairedTTests):
    found: FiveByTwo

    @cached_property
    def statistic(self) -> NDArray[np.float64]:
        """F."""
        return self.found.f_statistic

    @cached_property
    def tail(self) -> NDArray[np.float64]:
        """Half of the p-value."""
        return self.pvalue("two-sided") / 2

    def pvalue(self, alternative: str) -> NDArray[np.float64]:
        """p-values, which are the same for every alternative because F has no direction."""
        return self.found.f_pvalue()


DIETTERICH_T = DietterichT()
ALPAYDIN_F = AlpaydinF()
