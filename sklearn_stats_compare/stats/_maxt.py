"""The max-t adjustment, from the joint null distribution of the t statistics of a family."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from sklearn_stats_compare.stats._corrected_t import PairedTTests
from sklearn_stats_compare.stats._joint_null import JointNull, count, critical_value
from sklearn_stats_compare.stats._pair_test import PairTest
from sklearn_stats_compare.stats._scores import SplitScores
from sklearn_stats_compare.stats._split_t import CORRECTED_T

N_DRAWS = 20_000
MOST_STEPPED_DOWN = 20_000
"""Largest number of pairs for the step-down, which needs all pairs of every draw."""


@dataclass(frozen=True, eq=False)
class MaxT:
    """Adjusted p-values of the family of all pairs, by Monte Carlo from the joint null of their t.

    The single-step p-value of a statistic is the probability that the largest statistic of the
    family reaches it (see `JointNull`). A pair whose difference is constant cannot be drawn; its
    own tail is added to that probability. Westfall and Young's free step-down removes the more
    extreme pairs from the family of the less extreme ones. A family of more than 20,000 pairs (200
    candidates) is not stepped down, which is conservative.

    Missing pairs and pairs of identical candidates are not in the family.

    Parameters
    ----------
    scores : SplitScores
        The scores of `tests`.
    tests : PairedTTests
        All pairs, all better minus worse or all worse minus better; any pairs with `of_these`.
    rng : None, int or numpy.random.Generator
        Source of the draws; the same int gives the same numbers.
    test : PairTest, default=CORRECTED_T
        The test of the pairs, which draws from their joint null.
    of_these : bool, default=False
        Whether `tests` are the whole family, such as one candidate against the others. Maxima are
        then taken over them only.

    References
    ----------
    Westfall, P. H. and Young, S. S. (1993). Resampling-Based Multiple Testing. Wiley.

    Romano, J. P. and Wolf, M. (2005). Exact and approximate stepdown methods for multiple
    hypothesis testing. JASA 100, 94–108. https://doi.org/10.1198/016214504000000539
    """

    scores: SplitScores
    tests: PairedTTests
    rng: Any = 0
    test: PairTest = CORRECTED_T
    of_these: bool = False

    def pvalue(self, alternative: str) -> NDArray[np.float64]:
        """Adjusted p-values for an alternative, shape (n_pairs,).

        A pair outside the family keeps its p-value. No adjusted p-value is below the unadjusted
        one.
        """
        own = self.tests.pvalue(alternative)
        adjusted = own.copy()
        family = self._family
        if family.size > MOST_STEPPED_DOWN:
            statistic = self.tests.statistic[family]
            if alternative != "two-sided":
                turned = 1 if alternative == "greater" else -1
                adjusted[family] = self._reached(turned * statistic, alternative)
            else:
                adjusted[family] = self.single_step(np.abs(statistic))
        elif family.size:
            adjusted[family] = self._stepped_down(alternative)
        # For one pair, or pairs that almost coincide, draws scatter around the unadjusted value.
        return np.fmax(adjusted, own)

    def single_step(self, statistic: NDArray[np.float64]) -> NDArray[np.float64]:
        """P(max |T*| ≥ statistic) over the family, shape (n_pairs,)."""
        return self._reached(statistic, "two-sided")

    def critical_value(self, alpha: float) -> float:
        """|t| above which the single-step p-value is below `alpha`."""
        if not self._family.size:
            return float("nan")
        # Bracket: Bonferroni's value for twice the pairs, or above the largest draw.
        beyond = float(stats.t.isf(alpha / 4 / self._family.size, np.min(self.tests.df)))
        high = max(beyond, 2 * float(self._maxima["two-sided"].max(initial=0.0)))
        return critical_value(lambda t: float(self.single_step(np.array([t]))[0]), alpha, high)

    @cached_property
    def _family(self) -> NDArray[np.intp]:
        """Positions of the pairs whose difference is not zero."""
        # NaN > 0 is False: missing pairs are left out too.
        return np.flatnonzero(self.tests.std > 0)

    @cached_property
    def _null(self) -> JointNull:
        """One source of draws with a fixed seed, so that all tails share the draws."""
        seed = int(np.random.default_rng(self.rng).integers(2**63))
        return self.test.joint_null(self.scores, seed, N_DRAWS)

    @cached_property
    def _positions(self) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.bool_]]:
        """For each pair of the family, ranks of first and second and whether it is not drawn."""
        rank = np.empty_like(self.scores.order)
        rank[self.scores.order] = np.arange(len(rank))
        first = rank[self.tests.first[self._family]]
        second = rank[self.tests.second[self._family]]
        if not self._family.size:
            return first, second, np.empty(0, dtype=bool)
        return first, second, self._null.excluded[first, second]

    @cached_property
    def _maxima(self) -> dict[str, NDArray[np.float64]]:
        """The largest statistic of each draw, sorted; empty if no pair can be drawn."""
        lowest, highest = self._extremes()
        return {
            "two-sided": np.sort(np.maximum(-lowest, highest)),
            "greater": np.sort(highest),
            "less": np.sort(-lowest),
        }

    def _extremes(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Lowest and highest statistic of each draw, each pair as first minus second."""
        first, second, excluded = self._positions
        if excluded.all():
            return np.empty(0), np.empty(0)
        if self.of_these:
            return self._extremes_of_these()
        chunks = [
            (lowest.min(axis=1), highest.max(axis=1))
            for lowest, highest in self._null.row_extremes(np.arange(self.scores.n_available))
        ]
        lowest, highest = (np.concatenate(part) for part in zip(*chunks, strict=True))
        # Draws are in the direction of the ranking, better minus worse.
        return (lowest, highest) if first[0] < second[0] else (-highest, -lowest)

    def _extremes_of_these(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The same over the pairs of `tests`, in their own directions."""
        first, second, _ = self._positions
        lowest, highest = [], []
        for squares in self._null.squares():  # 0 for excluded pairs, which is never an extreme
            signed = squares[:, first, second]
            lowest.append(signed.min(axis=1, initial=0.0))
            highest.append(signed.max(axis=1, initial=0.0))
        return -np.sqrt(-np.concatenate(lowest)), np.sqrt(np.concatenate(highest))

    def _reached(self, statistic: NDArray[np.float64], alternative: str) -> NDArray[np.float64]:
        """Single-step p-values of statistics; larger is more extreme."""
        if not self._family.size:
            return np.where(np.isnan(statistic), np.nan, 1.0)
        excluded, maxima = self._positions[2], self._maxima[alternative]
        p = self._null.pvalue(
            statistic,
            maxima.size - np.searchsorted(maxima, statistic, side="left"),
            drawn=maxima.size > 0,
            n_undrawn=np.count_nonzero(excluded),
            df=self.tests.df,
            two_sided=alternative == "two-sided",
        )
        return np.where(np.isnan(statistic), np.nan, p)

    def _stepped_down(self, alternative: str) -> NDArray[np.float64]:
        """Westfall and Young's free step-down over the family.

        Algorithm 4.1 of their book (1993, pp. 116–117), with draws instead of permutations.
        """
        turn = {"two-sided": np.abs, "greater": np.positive, "less": np.negative}[alternative]
        statistic = turn(self.tests.statistic[self._family])
        first, second, excluded = self._positions
        # Sorted from the least extreme pair: the running maximum at a pair is the maximum over all
        # pairs that are at most as extreme.
        ascending = np.argsort(statistic)
        statistic, excluded = statistic[ascending], excluded[ascending]
        first, second = first[ascending], second[ascending]
        # Comparing signed squares saves the square roots of 20,000 × pairs draws.
        threshold = statistic * np.abs(statistic)

        def reached() -> Iterator[NDArray[np.bool_]]:
            for squares in self._null.squares():
                running = turn(squares[:, first, second])
                np.maximum.accumulate(running, axis=1, out=running)
                yield running >= threshold

        stepped = self._null.pvalue(
            statistic,
            count(reached(), statistic.size),
            drawn=np.cumsum(~excluded) > 0,
            n_undrawn=np.cumsum(excluded),
            df=self.tests.df,
            two_sided=alternative == "two-sided",
        )
        # p-values must not decrease from more to less extreme pairs.
        pvalues = np.empty_like(stepped)
        pvalues[ascending] = np.maximum.accumulate(stepped[::-1])[::-1]
        return pvalues
