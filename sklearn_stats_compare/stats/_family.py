"""Family: p-values, equivalence tests and intervals, adjusted for the same number of tests."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
from scipy import stats

from sklearn_stats_compare._utils._validation import ALTERNATIVES, check_option, check_probability
from sklearn_stats_compare.stats._corrected_t import (
    PairedTTests,
    RopeProbabilities,
    limit_pvalue,
    upper_limit,
)
from sklearn_stats_compare.stats._joint_null import JointNull, count, critical_value_of_draws
from sklearn_stats_compare.stats._multitest import (
    ADJUSTMENTS,
    Adjustment,
    adjust_pvalues,
    critical_value,
)
from sklearn_stats_compare.stats._multitest import PAdjust as PAdjust
from sklearn_stats_compare.stats._numeric import Flags, Numbers, Places, same_tail
from sklearn_stats_compare.stats._pair_tests import (
    ALPAYDIN_F,
    CORRECTED_T,
    DIETTERICH_T,
    UNCORRECTED_T,
)
from sklearn_stats_compare.stats._pair_tests import PairTest as PairTest
from sklearn_stats_compare.stats._power import DEPENDENCE
from sklearn_stats_compare.stats._sample_t import SAMPLES
from sklearn_stats_compare.stats._scores import SplitScores


class Decisions(NamedTuple):
    """The decision on each pair; at most one of the three is True."""

    better: Flags
    worse: Flags
    equivalent: Flags


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
    settings: "Settings"
    rng: Any = 0
    n_tests: int | None = None

    @property
    def _size(self) -> int:
        return self.scores.n_pairs if self.n_tests is None else self.n_tests

    def pvalue(self, alternative: str) -> Numbers:
        """Adjusted p-values for an alternative, shape (n_pairs,)."""
        if self.settings.adjustment.joint:
            return self._maxt.pvalue(alternative)
        return self._adjust(self.tests.pvalue(alternative))

    def equivalence_pvalue(self, outside: RopeProbabilities) -> Numbers:
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
        closed = settings.adjustment.closed_form
        # Others are not equivalent in any case: a larger p-value never adds a rejection.
        which = np.flatnonzero((self._adjust(single) if closed else single) < settings.alpha)
        difference, std_err = tests.mean_diff[which], tests.std_err[which]
        df = tests.df[which] if np.ndim(tests.df) else tests.df
        n_counted = tests.n_counted[which]
        weight = settings.test.weight_of_a_sample(self.scores, tests, which)
        low, high = settings.rope
        single[which] = np.maximum(
            limit_pvalue(difference, std_err, df, high, n_counted, weight, tests.unit),
            limit_pvalue(-difference, std_err, df, -low, n_counted, weight, tests.unit),
        )
        if not settings.adjustment.joint:
            return self._adjust(single)
        # t with this p-value, for the same maxima. Pairs without spread have none.
        outside_the_family = np.minimum(self._size * single, 1.0)
        nearer = stats.t.isf(single, settings.test.df(self.scores))
        return np.where(tests.std > 0, self._maxt.single_step(nearer), outside_the_family)

    def decisions(
        self, outside: RopeProbabilities | None, two_sided: Numbers | None = None
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

    def interval(self) -> tuple[Numbers, Numbers]:
        """The 1 − alpha intervals, simultaneous if the adjustment provides them."""
        settings, tests = self.settings, self.tests
        if not settings.test.has_std_err:
            nothing = np.full_like(tests.mean_diff, np.nan)
            return nothing, nothing.copy()
        if settings.adjustment.joint:
            joint = self._maxt.critical_value(settings.alpha)
            critical = same_tail(np.array(joint), settings.test.df(self.scores), tests.df)
        else:
            critical = critical_value(
                settings.p_adjust, alpha=settings.alpha, n_tests=self._size, df=tests.df
            )
        weight = settings.test.weight_of_a_sample(self.scores, tests, np.arange(len(tests.first)))
        own = tests.std_err, critical, self._tail(), tests.n_counted, weight, tests.unit
        low = upper_limit(-tests.mean_diff, *own)
        return np.negative(low, out=low), upper_limit(tests.mean_diff, *own)

    def _tail(self) -> float:
        """Probability on each side of an interval, of which max-t has Bonferroni's."""
        method = "bonferroni" if self.settings.adjustment.joint else self.settings.p_adjust
        return ADJUSTMENTS[method].level(self.settings.alpha, max(self._size, 1)) / 2

    @cached_property
    def _maxt(self) -> "MaxT":
        of_these = self.n_tests is not None
        return MaxT(self.scores, self.tests, self.rng, self.settings.test, of_these)

    def _adjust(self, pvalues: Numbers) -> Numbers:
        # Missing pairs are not in the family. If no pair can be tested (one split), it is empty;
        # a family named beforehand consists of its known p-values.
        all_pairs = self.n_tests is None and np.all(self.tests.df > 0)
        n_tests = self.scores.n_pairs if all_pairs else None
        return adjust_pvalues(pvalues, self.settings.p_adjust, n_tests=n_tests)


@dataclass(frozen=True)
class Settings:
    """Test, adjustment, ROPE and level for decisions on pairs.

    Parameters
    ----------
    alternative : {"greater", "less", "two-sided"}
        Alternative of the reported p-values; verdicts are two-sided.
    p_adjust : str or None
        A key of `ADJUSTMENTS`.
    rope : (float, float)
        Limits of the region of practical equivalence, in score units; NaN if it is relative to a
        mean that is unknown.
    alpha : float
        Level, in (0, 1).
    test : str or PairTest, default=CORRECTED_T
        A key of `PAIR_TESTS`, or a test.

    Raises
    ------
    ValueError
        If a value is unknown or out of range, or the adjustment needs a joint null distribution
        and the test has none.
    """

    alternative: str
    p_adjust: str | None
    rope: tuple[float, float]
    alpha: float
    test: PairTest = CORRECTED_T

    def __post_init__(self) -> None:
        check_option("alternative", self.alternative, ALTERNATIVES)
        check_option("p_adjust", self.p_adjust, ADJUSTMENTS)
        # The caller checks the ROPE: users may not pass NaN, but a relative ROPE is NaN if all
        # scores are missing.
        object.__setattr__(self, "alpha", check_probability("alpha", self.alpha))
        object.__setattr__(self, "test", pair_test(self.test))
        if self.adjustment.joint and not self.test.has_joint_null:
            raise ValueError(
                f"`p_adjust` must not be {self.p_adjust!r} with a {self.test.words}: its joint "
                "null distribution is that of corrected t statistics."
            )

    @property
    def adjustment(self) -> Adjustment:
        """The row of `p_adjust`."""
        return ADJUSTMENTS[self.p_adjust]

    def check_has_std_err(self, asked: str) -> None:
        """Raise ValueError if the test has no standard error, which `asked` needs."""
        check_has_std_err(self.test, asked)


PairTestName = Literal["corrected_t", "uncorrected_t", "samples", "5x2cv_t", "5x2cv_f"]
"""The names in `PAIR_TESTS`, which editors complete."""

PAIR_TESTS: dict[str, PairTest] = {
    test.name: test
    for test in (
        CORRECTED_T,
        UNCORRECTED_T,
        SAMPLES,
        DIETTERICH_T,
        ALPAYDIN_F,
    )
}


def pair_test(test: Any) -> PairTest:
    """Return the test of this name, or `test` itself; a ValueError lists the known names."""
    if isinstance(test, PairTest):
        return test
    return PAIR_TESTS[check_option("test", test, tuple(PAIR_TESTS))]


def check_has_std_err(test: PairTest, asked: str) -> None:
    """Raise ValueError if the test has no standard error, which `asked` needs."""
    if test.has_std_err:
        return
    having = " or ".join(repr(name) for name, known in PAIR_TESTS.items() if known.has_std_err)
    raise ValueError(
        f"`test` must be {having} for {asked}, which needs the standard error of a mean "
        f"difference; got {test.name!r}, which estimates none. Use "
        'with_settings(test="corrected_t").'
    )


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

    def pvalue(self, alternative: str) -> Numbers:
        """Adjusted p-values for an alternative, shape (n_pairs,).

        A pair outside the family keeps its p-value. No adjusted p-value is below the unadjusted
        one.
        """
        own = self.tests.pvalue(alternative)
        adjusted = own.copy()
        family = self._family
        if family.size > MOST_STEPPED_DOWN:
            statistic = self._statistic[family]
            if alternative != "two-sided":
                turned = 1 if alternative == "greater" else -1
                adjusted[family] = self._reached(turned * statistic, alternative)
            else:
                adjusted[family] = self.single_step(np.abs(statistic))
        elif family.size:
            adjusted[family] = self._stepped_down(alternative)
        # For one pair, or pairs that almost coincide, draws scatter around the unadjusted value.
        return np.fmax(adjusted, own)

    def single_step(self, statistic: Numbers) -> Numbers:
        """P(max |T*| ≥ statistic) over the family, shape (n_pairs,)."""
        return self._reached(statistic, "two-sided")

    def critical_value(self, alpha: float) -> float:
        """|t| above which the single-step p-value is below `alpha`."""
        if not self._family.size:
            return float("nan")
        # Bracket: Bonferroni's value for twice the pairs, or above the largest draw.
        beyond = float(stats.t.isf(alpha / 4 / self._family.size, np.min(self.tests.df)))
        high = max(beyond, 2 * float(self._maxima["two-sided"].max(initial=0.0)))
        return critical_value_of_draws(
            lambda t: float(self.single_step(np.array([t]))[0]), alpha, high
        )

    @cached_property
    def _statistic(self) -> Numbers:
        """Statistics with the degrees of freedom of the draws."""
        return self.tests.statistic_at(self.test.df(self.scores))

    @cached_property
    def _family(self) -> Places:
        """Positions of the pairs whose difference is not zero."""
        # NaN > 0 is False: missing pairs are left out too.
        return np.flatnonzero(self.tests.std > 0)

    @cached_property
    def _null(self) -> JointNull:
        """One source of draws with a fixed seed, so that all tails share the draws."""
        seed = int(np.random.default_rng(self.rng).integers(2**63))
        return self.test.joint_null(self.scores, seed, N_DRAWS)

    @cached_property
    def _positions(self) -> tuple[Places, Places, Flags]:
        """For each pair of the family, ranks of first and second and whether it is not drawn."""
        rank = np.empty_like(self.scores.order)
        rank[self.scores.order] = np.arange(len(rank))
        first = rank[self.tests.first[self._family]]
        second = rank[self.tests.second[self._family]]
        if not self._family.size:
            return first, second, np.empty(0, dtype=bool)
        return first, second, self._null.excluded[first, second]

    @cached_property
    def _maxima(self) -> dict[str, Numbers]:
        """The largest statistic of each draw, sorted; empty if no pair can be drawn."""
        lowest, highest = self._extremes()
        return {
            "two-sided": np.sort(np.maximum(-lowest, highest)),
            "greater": np.sort(highest),
            "less": np.sort(-lowest),
        }

    def _extremes(self) -> tuple[Numbers, Numbers]:
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

    def _extremes_of_these(self) -> tuple[Numbers, Numbers]:
        """The same over the pairs of `tests`, in their own directions."""
        first, second, _ = self._positions
        lowest, highest = [], []
        for squares in self._null.squares():  # 0 for excluded pairs, which is never an extreme
            signed = squares[:, first, second]
            lowest.append(signed.min(axis=1, initial=0.0))
            highest.append(signed.max(axis=1, initial=0.0))
        return -np.sqrt(-np.concatenate(lowest)), np.sqrt(np.concatenate(highest))

    def _reached(self, statistic: Numbers, alternative: str) -> Numbers:
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

    def _stepped_down(self, alternative: str) -> Numbers:
        """Westfall and Young's free step-down over the family.

        Algorithm 4.1 of their book (1993, pp. 116–117), with draws instead of permutations.
        """
        turn = {"two-sided": np.abs, "greater": np.positive, "less": np.negative}[alternative]
        statistic = turn(self._statistic[self._family])
        first, second, excluded = self._positions
        # Sorted from the least extreme pair: the running maximum at a pair is the maximum over all
        # pairs that are at most as extreme.
        ascending = np.argsort(statistic)
        statistic, excluded = statistic[ascending], excluded[ascending]
        first, second = first[ascending], second[ascending]
        # Comparing signed squares saves the square roots of 20,000 × pairs draws.
        threshold = statistic * np.abs(statistic)

        def reached() -> Iterator[Flags]:
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


def verdict_rates(
    scores: SplitScores,
    means: Numbers,
    dependence: str,
    settings: Settings,
    n_simulations: int,
    rng: np.random.Generator,
) -> Numbers:
    """Rates of the verdicts on simulated scores, one row per simulation.

    Returns
    -------
    ndarray of float, shape (n_simulations, 4)
        Whether any verdict is false, and the shares of pairs that are called better or worse,
        equivalent, and undecided. False verdicts are "better" or "worse" in the wrong direction or
        for equal means, and "equivalent" for a true difference outside the ROPE.
    """
    outcomes = np.empty((n_simulations, 4))
    draw = settings.test.simulator(scores, dependence)
    for k in range(n_simulations):
        drawn = draw(means, rng)
        tests = settings.test.all_pairs(drawn)
        family = Family(drawn, tests, settings, rng)
        decided = family.decisions(tests.rope_probabilities(settings.rope))
        truth = means[tests.first] - means[tests.second]
        low, high = settings.rope
        false = (decided.better & (truth <= 0)) | (decided.worse & (truth >= 0))
        false |= decided.equivalent & ((truth < low) | (truth > high))
        claimed, equivalent = decided.better | decided.worse, decided.equivalent
        outcomes[k] = (
            false.any(),
            claimed.mean(),
            equivalent.mean(),
            1 - claimed.mean() - equivalent.mean(),
        )
    return outcomes


def calibration(
    scores: SplitScores, settings: Settings, n_simulations: int, rng: Any
) -> list[tuple[str, str, Numbers, Numbers]]:
    """Rates with standard errors for each truth and dependence: (truth, dependence, rates, errors).

    The truths are equal candidates and the observed differences.
    """
    generator = np.random.default_rng(rng)
    rows = []
    for truth, means in (("equal", np.zeros(scores.n_candidates)), ("as observed", scores.means)):
        for dependence in DEPENDENCE:
            found = verdict_rates(scores, means, dependence, settings, n_simulations, generator)
            error = found.std(axis=0, ddof=1) / np.sqrt(n_simulations)
            rows.append((truth, dependence, found.mean(axis=0), error))
    return rows
