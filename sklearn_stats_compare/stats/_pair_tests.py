"""PairTest, the interface of a test of two candidates, and the tests of split scores.

To add a test, write a subclass and add a line to `PAIR_TESTS` in `_family`.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy import special

from sklearn_stats_compare._utils._formatting import count
from sklearn_stats_compare.stats import _power
from sklearn_stats_compare.stats._corrected_t import PairedTTests
from sklearn_stats_compare.stats._joint_null import JointNull
from sklearn_stats_compare.stats._numeric import ROUNDING, Numbers, Places, standardise
from sklearn_stats_compare.stats._scores import SplitDesign, SplitScores, are_constant

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
    best_method : {"mcb", "maxt"}, default="mcb"
        Default adjustment of the possibly-best set of up to 100 candidates.
    """

    name: str
    words: str
    has_std_err: bool = True
    has_joint_null: bool = True
    std_err_words: str = "corrected standard error"
    of_splits: bool = True
    works: tuple[str, ...] = ()
    best_method: str = "mcb"

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
    def against(self, scores: SplitScores, i: int, others: Places) -> PairedTTests:
        """Candidate `i` minus each of `others`; no other pair is computed."""

    def all_pairs(self, scores: SplitScores) -> PairedTTests:
        """Every pair of candidates in rank order: (1st, 2nd), (1st, 3rd), …, (2nd, 3rd), …."""
        m = scores.n_candidates
        return next(iter(self.in_chunks(scores, max(m * (m - 1) // 2, 1))))

    def against_leader(self, scores: SplitScores) -> PairedTTests:
        """The leader minus every other candidate, in rank order."""
        return self.against(scores, int(scores.order[0]), scores.order[1:])

    def weight_of_a_sample(
        self, scores: SplitScores, tests: PairedTTests, which: Places
    ) -> Numbers:
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

    def std_errs(self, scores: SplitScores) -> Numbers:
        """Standard error of each candidate's mean, shape (n_candidates,)."""
        return scores.std_errs

    def share_factor(self, scores: SplitScores) -> float:
        """Variance of the mean of a share of samples over its binomial variance."""
        design = scores.design
        return float(design.splits_per_repeat * (1 / design.n_splits + self.overlap_ratio(design)))

    def simulator(self, scores: SplitScores, dependence: str) -> _power.Simulator:
        """Return a function that draws scores like these with other true means."""
        return _power.split_simulator(scores, dependence)

    def in_the_limit(
        self, scores: SplitScores, tests: PairedTTests
    ) -> tuple[PairedTTests, Numbers]:
        """Return all pairs in the limit of infinitely many repeats, and how far means may move.

        The limit differs from the mean of J splits by about s/√J; means may move by twice that.
        """
        limit = replace(tests, df=_INFINITE_DF, variance_factor=self.overlap_ratio(scores.design))
        return limit, 2 * tests.std / np.sqrt(scores.n_splits)

    def detectable(
        self, scores: SplitScores, tests: PairedTTests, times: float, *, power: float, alpha: float
    ) -> Numbers:
        """True differences detected with `power` and `times` as many repeats."""
        n_splits, ratio = times * scores.n_splits, self.overlap_ratio(scores.design)
        in_std = _power.detectable_difference(n_splits, ratio, power=power, alpha=alpha)
        # If the scores never vary, 0 × ∞ would be NaN.
        nothing = np.where(np.isnan(in_std), np.nan, np.zeros_like(tests.std))
        with np.errstate(over="ignore"):
            return np.multiply(tests.std, in_std, out=nothing, where=tests.std != 0)

    def repeats_needed(
        self,
        scores: SplitScores,
        tests: PairedTTests,
        difference: float | Numbers,
        *,
        power: float,
        alpha: float,
    ) -> Numbers:
        """Smallest number of repeats that detects a true difference with `power`; inf if none."""
        n_folds = scores.design.splits_per_repeat
        # Without a spread a difference is detected with any number of splits, and none never.
        std = np.where(np.equal(difference, 0), 1.0, tests.std)
        with np.errstate(divide="ignore", over="ignore"):
            in_std = difference / std
        ratio = self.overlap_ratio(scores.design)
        return _power.repeats_needed(in_std, n_folds, ratio, power=power, alpha=alpha)

    @abstractmethod
    def line(self, scores: SplitScores) -> str:
        """The test and its assumptions on the splits, in half a line."""

    @abstractmethod
    def methods(self, scores: SplitScores) -> str:
        """Text for the methods section of a paper, to follow "compared pair by pair with"."""


@dataclass(frozen=True)
class SplitTTest(PairTest):
    """Student's t of the split differences, with the variance factor 1/J + q.

    A subclass may override `overlap_ratio`, which is q.
    """

    def in_chunks(self, scores: SplitScores, chunk_size: int) -> Iterator[PairedTTests]:
        """Yield every pair in rank order, better minus worse, in chunks."""
        for tests in PairedTTests.in_chunks(scores, chunk_size):
            yield self._with_own_factor(tests, scores.design)

    def against(self, scores: SplitScores, i: int, others: Places) -> PairedTTests:
        """Candidate `i` minus each of `others`."""
        return self._with_own_factor(PairedTTests.against(scores, i, others), scores.design)

    def std_errs(self, scores: SplitScores) -> Numbers:
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

    def against(self, scores: SplitScores, i: int, others: Places) -> PairedTTests:
        """Candidate `i` minus each of `others`."""
        return self._of(scores, np.full(len(others), i), np.asarray(others))

    def line(self, scores: SplitScores) -> str:
        """The test's name."""
        return self.words

    @abstractmethod
    def _of(self, scores: SplitScores, first: Places, second: Places) -> PairedTTests:
        """The tests of candidates `first` against `second`."""


@dataclass(frozen=True)
class DietterichT(FiveByTwoTest):
    """Dietterich's t (1998, section 3.5), with 5 degrees of freedom."""

    name: str = "5x2cv_t"
    words: str = "5×2cv paired t-test"

    def methods(self, scores: SplitScores) -> str:
        """The test and its degrees of freedom."""
        return "Dietterich's 5×2cv paired t-test (1998), with 5 degrees of freedom"

    def _of(self, scores: SplitScores, first: Places, second: Places) -> PairedTTests:
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

    def _of(self, scores: SplitScores, first: Places, second: Places) -> PairedTTests:
        found = FiveByTwo.of(scores, first, second)
        nothing, never = np.full(len(first), np.nan), np.zeros(len(first), dtype=bool)
        return _AlpaydinTests(first, second, found.mean_diff, nothing, never, N_REPEATS, 1.0, found)


@dataclass(frozen=True, eq=False)
class _DietterichTests(PairedTTests):
    found: "FiveByTwo"

    @cached_property
    def statistic(self) -> Numbers:
        """The difference on the first split over its standard deviation."""
        return self.found.t_statistic

    @property
    def direction(self) -> Numbers:
        """Direction of the mean; 0 if the first split, which t uses, has the opposite sign."""
        agrees = np.sign(self.statistic) == np.sign(self.mean_diff)
        return np.where(agrees, self.mean_diff, 0.0)


@dataclass(frozen=True, eq=False)
class _AlpaydinTests(PairedTTests):
    found: "FiveByTwo"

    @cached_property
    def statistic(self) -> Numbers:
        """F."""
        return self.found.f_statistic

    @cached_property
    def tail(self) -> Numbers:
        """Half of the p-value."""
        return self.pvalue("two-sided") / 2

    def pvalue(self, alternative: str) -> Numbers:
        """p-values, which are the same for every alternative because F has no direction."""
        return self.found.f_pvalue()


DIETTERICH_T = DietterichT()

ALPAYDIN_F = AlpaydinF()

N_REPEATS = 5

_F_DF = (10, 5)


@dataclass(frozen=True, eq=False)
class FiveByTwo:
    """Both tests for many pairs of candidates at once, each as first − second.

    Attributes
    ----------
    mean_diff : ndarray of float, shape (n_pairs,)
        Mean of the ten differences.
    first_diff : ndarray of float, shape (n_pairs,)
        Difference on the first split, the numerator of the t-test.
    std : ndarray of float, shape (n_pairs,)
        Root of the mean of the five variances, one for the two differences of each repeat.
    f_statistic : ndarray of float, shape (n_pairs,)
        Alpaydın's F with 10 and 5 degrees of freedom.

    Notes
    -----
    If the two differences of every repeat are equal, also as counts in halves of n and n + 1
    samples, their spread is unknown. They count as two equal signs, with a two-sided p-value of
    1/2.
    """

    mean_diff: Numbers
    first_diff: Numbers
    std: Numbers
    f_statistic: Numbers

    @classmethod
    def of(cls, scores: SplitScores, first: Places, second: Places) -> "FiveByTwo":
        """The tests of candidates `first` against `second` on five complementary halvings."""
        one, other = scores.comparable(first), scores.comparable(second)
        differences = one - other
        # Rounding error of scores that are equal.
        rounding = ROUNDING * np.maximum(np.abs(one), np.abs(other)).max(axis=1, keepdims=True)
        differences[np.abs(differences) <= rounding] = 0.0
        halves = differences.reshape(-1, N_REPEATS, 2)
        # (d1 − mean)² + (d2 − mean)² is half the squared difference of the two.
        within = halves[:, :, 0] - halves[:, :, 1]
        within[np.abs(within) <= rounding] = 0.0
        variances = within**2 / 2
        squares = (differences**2).sum(axis=1)
        std = np.sqrt(variances.mean(axis=1))
        f_statistic = standardise(squares, 2 * variances.sum(axis=1))
        # Equal counts in halves of n and n + 1 samples are the same difference, too.
        shares, unit = scores.as_shares
        counts = np.ones(2) if shares.count_values is None else shares.count_values
        relative = np.sqrt(((counts[::2] - counts[1::2]) ** 2).mean() / 2 / (counts**2).mean())
        size = np.sqrt(squares / (2 * N_REPEATS))
        limits = relative, shares.n_tested, 2**0.5 * unit * shares.rounding_of_shares
        constant = are_constant(size, std, *limits) & (squares > 0)
        t_of_two_signs = float(special.stdtrit(N_REPEATS, 0.75))
        std = np.where(constant, np.abs(differences[:, 0]) / t_of_two_signs, std)
        f_statistic = np.where(constant, special.fdtri(*_F_DF, 0.5), f_statistic)
        return cls(
            mean_diff=differences.mean(axis=1),
            first_diff=differences[:, 0],
            std=std,
            f_statistic=f_statistic,
        )

    @property
    def t_statistic(self) -> Numbers:
        """Dietterich's t with 5 degrees of freedom; 0 if there is no difference."""
        return standardise(self.first_diff, self.std)

    def f_pvalue(self) -> Numbers:
        """p-values of the F-test, which has no direction."""
        return special.fdtrc(*_F_DF, self.f_statistic)


def is_five_by_two(design: SplitDesign) -> bool:
    """Whether the splits are five pairs that swap two halves of the data."""
    return design.complementary_halves and design.n_splits == 2 * N_REPEATS
