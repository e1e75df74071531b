"""Family: p-values, equivalence tests and intervals adjusted for the same number of tests."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from sklearn_stats_compare.stats._agreed_samples import agreement_pvalue, agreement_reach
from sklearn_stats_compare.stats._corrected_t import PairedTTests
from sklearn_stats_compare.stats._maxt import MaxT
from sklearn_stats_compare.stats._multiplicity import ADJUSTMENTS, adjust_pvalues, critical_value
from sklearn_stats_compare.stats._posterior import RopeProbabilities
from sklearn_stats_compare.stats._scores import SplitScores
from sklearn_stats_compare.stats._settings import Settings
from sklearn_stats_compare.stats._student import standardise


class Decisions(NamedTuple):
    """The decision on each pair; at most one of the three is True."""

    better: NDArray[np.bool_]
    worse: NDArray[np.bool_]
    equivalent: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Family:
    """Tests of pairs of candidates that share one error rate.

    Parameters
    ----------
    scores : SplitScores
        The scores of `tests`. The family is all their pairs, even if fewer are shown, unless
        `n_tests` is given.
    tests : PairedTTests
        The requested pairs: all of them, or fewer if `p_adjust` allows it.
    settings : Settings
        The test, the adjustment, the ROPE and the level.
    rng : None, int or numpy.random.Generator
        Source of the draws of "maxt".
    n_tests : int, optional
        Number of tests in the family, if it was fixed before the scores were seen and is not the
        number of all pairs. "maxt" then draws maxima over `tests` only.
    """

    scores: SplitScores
    tests: PairedTTests
    settings: Settings
    rng: Any = 0
    n_tests: int | None = None

    @property
    def _size(self) -> int:
        return self.scores.n_pairs if self.n_tests is None else self.n_tests

    def pvalue(self, alternative: str) -> NDArray[np.float64]:
        """Adjusted p-values for an alternative, shape (n_pairs,)."""
        if self.settings.adjustment.joint:
            return self._maxt.pvalue(alternative)
        return self._adjust(self.tests.pvalue(alternative))

    def equivalence_pvalue(self, outside: RopeProbabilities) -> NDArray[np.float64]:
        """Adjusted p-values of the two one-sided tests (TOST) for equivalence within the ROPE.

        Parameters
        ----------
        outside : RopeProbabilities
            Probabilities of every pair for the same ROPE. The two outer ones are the one-sided
            p-values.
        """
        # Both one-sided tests must reject, so that the larger p-value counts (Schuirmann, 1987).
        single = np.maximum(outside.worse, outside.better)
        tests, settings = self.tests, self.settings
        few = self._shown_by_few_samples(single)
        if settings.test.of_splits and not settings.adjustment.joint:
            return self._adjust(np.maximum(single, few, out=single))
        low, high = settings.rope
        margin = np.minimum(tests.mean_diff - low, high - tests.mean_diff)
        nearer = standardise(margin, tests.std_err)
        if not settings.test.of_splits:
            # Only for pairs that would be equivalent, because the weight of a sample is costly.
            close = np.flatnonzero((single < settings.alpha) & (tests.std_err > 0))
            weight = settings.test.weight_of_a_sample(self.scores, tests, close)
            nearer[close] = _with_rare_differences(margin[close], tests.std_err[close], weight)
            df = np.broadcast_to(tests.df, single.shape)
            single[close] = stats.t.sf(nearer[close], df[close])
        np.maximum(single, few, out=single)
        if not settings.adjustment.joint:
            return self._adjust(single)
        # t with the p-value of few samples, for the same maxima. Pairs without spread have none.
        nearer = np.minimum(nearer, stats.t.isf(few, tests.df))
        outside_the_family = np.minimum(self._size * single, 1.0)
        return np.where(tests.std > 0, self._maxt.single_step(nearer), outside_the_family)

    def _shown_by_few_samples(self, single: NDArray[np.float64]) -> NDArray[np.float64]:
        """Smallest p-values that so few samples can give; 0 for pairs that are not equivalent.

        Rare differences on single samples may all be outside the sample, and the spread of the
        splits does not show this. If scores are counts, such as accuracies, this concerns all
        pairs, and otherwise those that agree on every split.
        """
        tests, settings = self.tests, self.settings
        found = np.zeros_like(single)
        if np.isinf(tests.n_agreed):
            return found
        # Others are not equivalent in any case: a larger p-value never adds a rejection.
        closed = settings.adjustment.closed_form
        concerned = (self._adjust(single) if closed else single) < settings.alpha
        if not self.scores.are_counts:
            # A difference that is not 0 on all splits has the p-value of as many equal signs.
            concerned &= tests.std == 0
        which = np.flatnonzero(concerned)
        found[which] = agreement_pvalue(tests.mean_diff[which], tests.n_agreed, settings.rope)
        return found

    def decisions(
        self,
        outside: RopeProbabilities | None,
        two_sided: NDArray[np.float64] | None = None,
    ) -> Decisions:
        """The decision on each pair, first against second.

        Decisions are two-sided for every alternative, because the ranking chose the direction. A
        difference that is significantly inside the ROPE is `equivalent`, even if it is not zero.

        Parameters
        ----------
        outside : RopeProbabilities or None
            Probabilities of every pair for the same ROPE. None if the test has none; then no pair
            is equivalent.
        two_sided : ndarray of float, shape (n_pairs,), optional
            ``pvalue("two-sided")``, if already computed.
        """
        if two_sided is None:
            two_sided = self.pvalue("two-sided")
        alpha = self.settings.alpha
        # Equivalence has priority: a significant difference may be too small to matter.
        equivalent = np.zeros(len(two_sided), dtype=bool)
        if outside is not None:
            equivalent = self.equivalence_pvalue(outside) < alpha
        differs = (two_sided < alpha) & ~equivalent
        difference = self.tests.direction
        return Decisions(differs & (difference > 0), differs & (difference < 0), equivalent)

    def half_width(self) -> NDArray[np.float64]:
        """Half-widths of the 1 − alpha intervals, simultaneous if the adjustment provides them."""
        settings, tests = self.settings, self.tests
        if not settings.test.has_std_err:
            return np.full_like(tests.mean_diff, np.nan)
        if settings.adjustment.joint:
            critical = self._maxt.critical_value(settings.alpha)
        else:
            critical = critical_value(
                settings.p_adjust, alpha=settings.alpha, n_tests=self._size, df=tests.df
            )
        # Where the standard error is 0, the critical value need not be finite.
        half_width = np.zeros_like(tests.std_err)
        np.multiply(critical, tests.std_err, out=half_width, where=tests.std_err != 0)
        same = tests.std_err == 0
        if np.isfinite(tests.n_agreed) and same.any():
            half_width[same] = agreement_reach(self._tail(), tests.n_agreed)
        return half_width

    def _tail(self) -> float:
        """Probability on each side of an interval, of which max-t has Bonferroni's."""
        method = "bonferroni" if self.settings.adjustment.joint else self.settings.p_adjust
        return ADJUSTMENTS[method].level(self.settings.alpha, max(self._size, 1)) / 2

    @cached_property
    def _maxt(self) -> MaxT:
        of_these = self.n_tests is not None
        return MaxT(self.scores, self.tests, self.rng, self.settings.test, of_these)

    def _adjust(self, pvalues: NDArray[np.float64]) -> NDArray[np.float64]:
        # Missing pairs are not in the family. If no pair can be tested (one split), it is empty;
        # a family named beforehand consists of its known p-values.
        all_pairs = self.n_tests is None and np.all(self.tests.df > 0)
        n_tests = self.scores.n_pairs if all_pairs else None
        return adjust_pvalues(pvalues, self.settings.p_adjust, n_tests=n_tests)


def _with_rare_differences(
    margin: NDArray[np.float64], std_err: NDArray[np.float64], weight: NDArray[np.float64]
) -> NDArray[np.float64]:
    """z with `margin` = z·√(std_err² + z²·weight²), where margin is the distance to a limit.

    Differences on few samples are counts of rare events. If such a count is too small, so is its
    estimated variance; a count of 0 has variance 0. Adding z² samples to the variance gives a limit
    like Wilson's: for k = 0 differences among n it is z²/n, and Poisson's exact 97.5 % limit is
    3.7/n.
    """
    squared = std_err**2
    # The root of z⁴·w² + z²·SE² = margin², in a form that loses no digits if w is small.
    root = np.sqrt(squared**2 + 4 * weight**2 * margin**2)
    z = np.sqrt(2 * margin**2 / (squared + root))
    return np.copysign(z, margin)
