"""t-tests of split differences: the corrected test, and the uncorrected one for teaching."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare._messages import count
from sklearn_stats_compare.stats._corrected_t import PairedTTests
from sklearn_stats_compare.stats._pair_test import PairTest
from sklearn_stats_compare.stats._scores import SplitScores
from sklearn_stats_compare.stats._splits import SplitDesign


@dataclass(frozen=True)
class SplitTTest(PairTest):
    """Student's t of the split differences, with the variance factor 1/J + q.

    A subclass may override `overlap_ratio`, which is q.
    """

    def in_chunks(self, scores: SplitScores, chunk_size: int) -> Iterator[PairedTTests]:
        """Yield every pair in rank order, better minus worse, in chunks."""
        for tests in PairedTTests.in_chunks(scores, chunk_size):
            yield self._with_own_factor(tests, scores.design)

    def against(self, scores: SplitScores, i: int, others: NDArray[np.intp]) -> PairedTTests:
        """Candidate `i` minus each of `others`."""
        return self._with_own_factor(PairedTTests.against(scores, i, others), scores.design)

    def std_errs(self, scores: SplitScores) -> NDArray[np.float64]:
        """Standard error of each candidate's mean, s·√(1/J + q)."""
        factor = self._variance_factor(scores.design)
        # The scores cache the corrected standard errors.
        own = factor == scores.design.variance_factor
        return scores.std_errs if own else scores.std_errs_by(factor)

    def line(self, scores: SplitScores) -> str:
        """The test and its q."""
        return f"{self.words}, q = {self.overlap_ratio(scores.design):.4g}"

    def methods(self, scores: SplitScores) -> str:
        """The test, its degrees of freedom and its variance factor."""
        return f"the {self.words}, with {self._factor_in_words(scores)}"

    def _factor_in_words(self, scores: SplitScores) -> str:
        q = self.overlap_ratio(scores.design)
        return (
            f"{count(self.df(scores), 'degree')} of freedom and the variance factor "
            f"1/{scores.n_splits} + {q:.4g} for the overlap of the splits"
        )

    def _variance_factor(self, design: SplitDesign) -> float:
        return 1 / design.n_splits + self.overlap_ratio(design)

    def _with_own_factor(self, tests: PairedTTests, design: SplitDesign) -> PairedTTests:
        # `tests` already have the corrected factor. Arrays are not copied: all pairs of 6,000
        # candidates take 0.6 GB.
        factor = self._variance_factor(design)
        return tests if factor == tests.variance_factor else tests.with_variance_factor(factor)


@dataclass(frozen=True)
class CorrectedT(SplitTTest):
    """The corrected paired t-test of Nadeau and Bengio (2003)."""

    name: str = "corrected_t"
    works: tuple[str, ...] = ("nadeau2003inference",)
    words: str = "corrected t-test"

    def line(self, scores: SplitScores) -> str:
        """The test and its ratio."""
        design = scores.design
        ratio = "n_test/(n − n_test)" if design.draws_part else "n_test/n_train"
        return f"{self.words}, {ratio} = {self.overlap_ratio(design):.4g}"

    def methods(self, scores: SplitScores) -> str:
        """The test, its degrees of freedom and its variance factor."""
        part = ""
        if scores.design.draws_part:
            part = ", n_test/(n − n_test), because each of them uses only a part of the n samples"
        return (
            "the corrected paired t-test of Nadeau and Bengio (2003), with "
            f"{self._factor_in_words(scores)}{part}"
        )


@dataclass(frozen=True)
class UncorrectedT(SplitTTest):
    """The ordinary paired t-test, which assumes independent splits and rejects far too often."""

    name: str = "uncorrected_t"
    words: str = "uncorrected t-test"
    std_err_words: str = "uncorrected standard error"

    def overlap_ratio(self, design: SplitDesign) -> float:
        """Return 0 for every design."""
        return 0.0

    def line(self, scores: SplitScores) -> str:
        """The test and its ratio."""
        return f"{self.words}, as if splits were independent (for teaching)"

    def methods(self, scores: SplitScores) -> str:
        """The test, its degrees of freedom and its variance factor."""
        return (
            f"the ordinary paired t-test, with {count(self.df(scores), 'degree')} of freedom, as "
            "if splits were independent, which they are not: it rejects far too often"
        )


CORRECTED_T = CorrectedT()
UNCORRECTED_T = UncorrectedT()
