"""A race: its schedule, and the rules that drop candidates that cannot win.

The statistics are those of the scores, or of the values of samples, of the splits so far. An
interim analysis reads whole splits only, those so far in the order of the race. So the outcome does
not depend on the number of workers, nor on which fits ended first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from sklearn_stats_compare.stats._corrected_t import PairedTTests
from sklearn_stats_compare.stats._design import SplitDesign
from sklearn_stats_compare.stats._numeric import LARGEST, effective_number, small_tail, standardise
from sklearn_stats_compare.stats._scores import SplitScores

# A fit of a candidate that is dropped meanwhile keeps a worker from those that are left. So only a
# few candidates get further splits before the first look.
_SHARE_LEFT = 1 / 16

_FEWEST_AHEAD = 4

FEWEST_SPLITS = 10

FEWEST_SPLITS_BY_SAMPLES = 3

_LOOKS = 6

_FIRST_LOOK = 5

# A single split cannot show how much scores vary with the training set.
_FIRST_LOOK_BY_SAMPLES = 2


@dataclass(frozen=True)
class Schedule:
    """The schedule of evaluations and looks of a race over `n_splits` splits.

    Attributes
    ----------
    block : int
        Number of splits evaluated at a time.
    looks : tuple of int
        Numbers of splits after which candidates may be dropped, each at an equal share of the
        level.
    """

    block: int
    looks: tuple[int, ...]

    @classmethod
    def of(cls, n_splits: int) -> Schedule:
        """Return a schedule of about six steps, the first with at least five splits.

        Raises
        ------
        ValueError
            If there are fewer than 10 splits, which are too few to drop candidates by their scores.
        """
        if n_splits < FEWEST_SPLITS:
            raise ValueError(
                f"`cv` must make at least {FEWEST_SPLITS} splits for a race by the scores of "
                f"splits; got {n_splits}. Use RepeatedStratifiedKFold(n_splits=10, n_repeats=3), "
                "with groups GroupKFold(10), or a search that does not race."
            )
        step = -(-n_splits // _LOOKS)
        first = max(_FIRST_LOOK, step)
        block = max(b for b in range(1, first + 1) if n_splits % b == 0)
        looks: list[int] = []
        for n in range(block, n_splits, block):
            if n >= (looks[-1] + step if looks else first):
                looks.append(n)
        return cls(block, tuple(looks))

    @classmethod
    def by_samples(cls, n_splits: int) -> Schedule:
        """Return a schedule that looks after every split from the second on.

        Raises
        ------
        ValueError
            If there are fewer than 3 splits.
        """
        if n_splits < FEWEST_SPLITS_BY_SAMPLES:
            raise ValueError(
                f"`cv` must make at least {FEWEST_SPLITS_BY_SAMPLES} splits for a race by the "
                f"values of samples; got {n_splits}."
            )
        return cls(1, tuple(range(_FIRST_LOOK_BY_SAMPLES, n_splits)))


@dataclass(frozen=True, eq=False)
class Look:
    """What is known at a look.

    Attributes
    ----------
    rows : ndarray of int, shape (n_alive,)
        The remaining candidates.
    positions : ndarray of int, shape (n,)
        The splits so far that count, as positions in the order of the race.
    values : ndarray of float, shape (n_alive, n)
        Their scores, all finite.
    n_splits : int
        Number of splits of the full table that count, J.
    tolerance : ndarray of float, shape (n_alive,)
        How far below the leader's mean a candidate may be to be dropped nevertheless.
    """

    rows: NDArray[np.intp]
    positions: NDArray[np.intp]
    values: NDArray[np.float64]
    n_splits: int
    tolerance: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RaceStep:
    """State of a race after one block.

    Attributes
    ----------
    look : int or None
        Number of the look, from 1; None for the finish, or if only failures were dropped.
    n_splits : int
        Splits evaluated so far.
    n_alive : int
        Number of remaining candidates.
    dropped : ndarray of int
        Candidates dropped here.
    leader : int or None
        Remaining candidate with the best mean so far; None if none remains.
    n_fits : int
        Number of candidate × split evaluations so far.
    """

    look: int | None
    n_splits: int
    n_alive: int
    dropped: NDArray[np.intp]
    leader: int | None
    n_fits: int


@dataclass(frozen=True, eq=False)
class RaceResult:
    """Result of a race: the candidates that finished, and every step.

    Attributes
    ----------
    n_evaluated : ndarray of int, shape (n_candidates,)
        Number of splits on which each candidate was evaluated.
    alive : ndarray of bool, shape (n_candidates,)
        Whether each candidate finished.
    pvalue : ndarray of float, shape (n_candidates,)
        Adjusted p-value, below alpha, at which a candidate was dropped. NaN for candidates that
        finished or failed, 0 for those that could no longer reach the leader.
    steps : list of RaceStep
        Every look, every block after which a failure was dropped, and the finish.
    """

    n_evaluated: NDArray[np.intp]
    alive: NDArray[np.bool_]
    pvalue: NDArray[np.float64]
    steps: list[RaceStep]


class RaceState:
    """A race that is advanced block by block.

    Looks ignore a split on which no candidate has a finite score. On any other split, a candidate
    without a finite score is dropped.

    Parameters
    ----------
    n_candidates, n_splits : int
        Size of the full table.
    schedule : Schedule
        When splits are evaluated, and when candidates may be dropped.
    pvalues : callable
        Returns the p-value of each remaining candidate at a `Look`, adjusted for its rivals; 1 for
        the leader.
    alpha : float
        Level: approximate upper bound on the probability that the chosen mean is more than
        `tolerance` below the best mean of the full table. It assumes that the splits evaluated so
        far represent the rest; for example, it cannot foresee that another candidate will fail on a
        later split.
    tolerance : float
        Also drop candidates that cannot beat the leader by more than this, in score units.
    bounds : (float, float) or None
        Lowest and highest possible score, if known.
    columns : ndarray of int, shape (n_splits,), or None
        Column of the full table for each position in the order of the race. Means at the finish are
        computed in that order, so that rounding breaks ties as in the table.

    Attributes
    ----------
    demand : (ndarray of int, ndarray of int) or None
        The candidates, and the positions of splits, whose scores `advance` takes; None at the end.
    n_splits_run : int
        Number of splits so far.
    """

    def __init__(
        self,
        n_candidates: int,
        n_splits: int,
        *,
        schedule: Schedule,
        pvalues: Callable[[Look], NDArray[np.float64]],
        alpha: float,
        tolerance: float,
        bounds: tuple[float, float] | None,
        columns: NDArray[np.intp] | None,
    ) -> None:
        self._schedule, self._pvalues = schedule, pvalues
        self._alpha, self._bounds, self._columns = alpha, bounds, columns
        self._values = np.full((n_candidates, n_splits), np.nan)
        self._speaks = np.ones(n_splits, dtype=bool)
        self._alive = np.ones(n_candidates, dtype=bool)
        self._n_evaluated = np.zeros(n_candidates, dtype=np.intp)
        self._dropped_at = np.full(n_candidates, np.nan)
        self._slack = np.full(n_candidates, float(tolerance))
        self._steps: list[RaceStep] = []
        self.n_splits_run = 0
        self.demand: tuple[NDArray[np.intp], NDArray[np.intp]] | None
        self.demand = np.arange(n_candidates), np.arange(schedule.block)

    @property
    def next_look(self) -> int:
        """Number of splits after which candidates may be dropped next."""
        looks = (n for n in self._schedule.looks if n > self.n_splits_run)
        return next(looks, self._speaks.size)

    @property
    def n_expected(self) -> int:
        """Number of candidates that may be left then, by the share that the last look left."""
        looks = [step for step in self._steps if step.look is not None]
        share = _SHARE_LEFT
        if looks:
            share = looks[-1].n_alive / (looks[-1].n_alive + looks[-1].dropped.size)
        return max(_FEWEST_AHEAD, math.ceil(share * int(self._alive.sum())))

    def advance(
        self, scores: NDArray[np.float64], is_over: Callable[[int], bool] | None = None
    ) -> RaceStep | None:
        """Take the scores of `demand`; return the step if there was an analysis, or the end.

        ``is_over(n)`` returns whether the race ends after `n` splits. Nothing is dropped at the
        end, as after the last split.
        """
        assert self.demand is not None
        rows, positions = self.demand
        values, speaks, alive, schedule = self._values, self._speaks, self._alive, self._schedule
        n_splits = speaks.size
        start = self.n_splits_run
        n = self.n_splits_run = start + positions.size
        values[rows, start:n] = scores
        self._n_evaluated[rows] = n
        with np.errstate(invalid="ignore"):
            fails = ~(np.abs(values[rows, start:n]) <= LARGEST)
        if rows.size > 1:
            speaks[start:n] = ~fails.all(axis=0)
        failed = rows[(fails & speaks[start:n]).any(axis=1)]
        is_last = n == n_splits or (is_over is not None and is_over(n))
        dropped = failed[:0] if is_last else failed
        alive[dropped] = False
        is_look = n in schedule.looks and not is_last
        if is_look and alive.any():
            rows, positions = np.flatnonzero(alive), np.flatnonzero(speaks[:n])
            seen = values[np.ix_(rows, positions)]
            n_telling = n_splits - n + positions.size
            look = Look(rows, positions, seen, n_telling, self._slack[rows])
            found = self._pvalues(look) * len(schedule.looks)
            if self._bounds is not None:
                found[_out_of_reach(seen, n_telling, self._bounds)] = 0.0
            out = rows[found < self._alpha]
            self._dropped_at[out] = found[found < self._alpha]
            alive[out] = False
            dropped = np.sort(np.concatenate([dropped, out]))
            if out.size and positions.size:
                # A candidate dropped by tolerance may be that much better than this leader. If
                # another leader dropped this one by tolerance too, the two would add up.
                self._slack[rows[np.argmax(seen.mean(axis=1))]] = 0.0
        step: RaceStep | None = None
        if is_look or dropped.size or is_last:
            look_number = schedule.looks.index(n) + 1 if is_look else None
            complete = np.flatnonzero(alive & ~np.isin(np.arange(alive.size), failed))
            step = self._step(look_number, dropped, complete, in_table_order=is_last)
        if is_last or not alive.any():
            self.demand = None
        else:
            self.demand = np.flatnonzero(alive), np.arange(n, n + schedule.block)
        return step

    def result(self) -> RaceResult:
        """The result so far, whose last step is the last split that was run."""
        if not self._steps or self._steps[-1].n_splits != self.n_splits_run:
            self._step(None, np.arange(0), np.flatnonzero(self._alive), in_table_order=True)
        return RaceResult(self._n_evaluated, self._alive, self._dropped_at, self._steps)

    def _step(
        self,
        look: int | None,
        dropped: NDArray[np.intp],
        complete: NDArray[np.intp],
        *,
        in_table_order: bool,
    ) -> RaceStep:
        n = self.n_splits_run
        ordered = self._columns is not None and in_table_order
        order = np.argsort(self._columns[:n]) if ordered else np.arange(n)  # type: ignore[index]
        telling = order[self._speaks[order]]
        leader = None
        if complete.size and telling.size:
            means = self._values[np.ix_(complete, telling)].mean(axis=1)
            leader = int(complete[np.argmax(means)])
        step = RaceStep(
            look, n, int(self._alive.sum()), dropped, leader, int(self._n_evaluated.sum())
        )
        self._steps.append(step)
        return step


def _out_of_reach(
    values: NDArray[np.float64], n_splits: int, bounds: tuple[float, float]
) -> NDArray[np.bool_]:
    """Which candidates cannot reach the leader's sum, whatever the remaining scores are."""
    lowest, highest = bounds
    sums = values.sum(axis=1)
    open_splits = n_splits - values.shape[1]
    best = sums.max() + open_splits * lowest
    rounding = 1e-9 * max(abs(lowest), abs(highest)) * n_splits
    return sums + open_splits * highest < best - rounding


# A race predicts which candidate has the best mean in the full table of scores, not which one is
# better on new data. The splits evaluated so far are a simple random sample, without replacement,
# of the J columns of that table. The standard error of a mean difference is therefore s·√(1/n −
# 1/J). It does not depend on the overlap of training sets or on other dependence between splits.
#
# About new data, the variance factor is instead 1/n + n_test/n_train, as in the corrected t-test.

STRATEGIES = ("pooled", "strict")

ELIMINATE = {"futility": "hopeless", "inferiority": "inferior"}
"""Why candidates are dropped, and what those dropped are called."""


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


# The score of a split is the mean of a value per test sample (`SampleScores`). The splits so far
# are a simple random sample of the J columns of the table of scores, as for `SplitElimination`, and
# a mean difference after n splits has the standard error τ·√(1/n − 1/J). Few splits estimate τ²
# badly, but their many samples estimate the part of it that the choice of test samples causes: the
# variance of a value within splits, over the size of a test set. The scores of the splits then show
# how much larger τ² is, because all values of a split share a training set. This factor is the
# dispersion. The variance over all samples would hold a part of it, and that a rival's own.

_LEVEL_OF_DISPERSION = 0.05
"""If the dispersion of a rival is significant, it has the few degrees of freedom of its splits."""

_ASSUMED_DISPERSION = 5.0
"""One degree of freedom of the dispersion is assumed: the first splits of few candidates may agree
by chance. With 0, races of two unstable models dropped the winner in 6 %, with 5 in 1 to 3 %."""

_ROUNDING = 8 * float(np.finfo(np.float32).eps)
"""Values are kept in single precision: smaller differences between them are rounding errors."""

_VALUES_AT_ONCE = 2_000_000
"""Numbers in double precision in memory at a time."""

_MOST_VALUES = 2000
"""Values per candidate from which the correlation of rivals is computed."""


@dataclass(frozen=True, eq=False)
class SampleElimination:
    """Drops candidates by the values of the samples tested so far.

    Parameters
    ----------
    values : callable
        ``values(candidate, position)`` returns the values of a candidate on the test samples of the
        split at this position of the race, in the order of `tests`.
    tests : sequence of ndarray of int
        Test samples of every split of the race, by position.
    n_candidates : int
        Number of candidates at the start of the race, m.
    strategy : {"pooled", "strict"}, default="pooled"
        With "pooled" the dispersion is the mean over all rivals, as if they were independent, or a
        rival's own if that is larger. With "strict" its degrees of freedom are those of one rival:
        if the leader is the unstable one, all rivals show the same few differences.
    overlap_ratio : float, optional
        Share n_test/n_train with which the race drops candidates that are worse on new data,
        instead of those that cannot win.
    """

    values: Callable[[int, int], NDArray[np.floating]]
    tests: Sequence[NDArray[np.intp]]
    n_candidates: int
    strategy: str = "pooled"
    overlap_ratio: float | None = None

    def pvalues(self, look: Look) -> NDArray[np.float64]:
        """p-value of each remaining candidate against having the best mean.

        Raises
        ------
        ValueError
            If a value is not finite although the score is.
        """
        n_alive, n = look.values.shape
        if n_alive < 2 or n < 2:
            return np.ones(n_alive)
        means = look.values.mean(axis=1)
        leader = int(np.argmax(means))
        rivals = np.delete(np.arange(n_alive), leader)
        of_samples, df_of_samples, thinned = self._variances(look, leader, rivals)
        n_tests = min(self.n_candidates - 1.0, effective_number(thinned))
        dispersion, df_of_splits = _dispersion(
            look.values[leader] - look.values[rivals],
            of_samples,
            n_tests if self.strategy == "pooled" else 1.0,
        )
        unknown = self._unknown(look)
        behind = means[leader] - means[rivals] + look.tolerance[rivals]
        std_err = np.sqrt(dispersion * of_samples * unknown)
        excess = 1 - 1 / dispersion  # the part of the variance that only scores of splits show
        df = 1 / (excess**2 / df_of_splits + (1 - excess) ** 2 / df_of_samples)
        adjusted = n_tests * small_tail(standardise(behind, std_err), df)
        # Without variation, n equal differences count as n equal signs.
        adjusted = np.where(of_samples == 0, n_tests * 2.0**-n, adjusted)
        found = np.ones(n_alive)
        # Who is behind by rounding alone may be the winner.
        is_behind = behind > _ROUNDING * np.abs(means).max()
        found[rivals] = np.where(is_behind, np.minimum(1.0, adjusted), 1.0)
        return found

    def _unknown(self, look: Look) -> float:
        """Variance of what is unknown of a mean, over that of the score of a split."""
        n, n_splits = look.positions.size, look.n_splits
        if self.overlap_ratio is not None:
            return 1 / n + self.overlap_ratio
        # The rest of the full mean; 1/n − 1/J if all test sets have the same size.
        seen = 1 / np.array([self.tests[p].size for p in look.positions])
        rest = 1 / np.array([test.size for test in self.tests[len(self.tests) - (n_splits - n) :]])
        variance = (1 / n - 1 / n_splits) ** 2 * seen.sum() + rest.sum() / n_splits**2
        return float(variance / seen.mean())

    def _variances(
        self, look: Look, leader: int, rivals: NDArray[np.intp]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Variance of the score of a split that its samples cause, its df, and values of rivals."""
        n_seen = np.unique(np.concatenate([self.tests[p] for p in look.positions])).size
        sizes = np.array([self.tests[p].size for p in look.positions])
        n_values, firsts = int(sizes.sum()), np.cumsum(sizes) - sizes
        best = self._values_of(int(look.rows[leader]), look.positions)
        low, high = best.copy(), best.copy()
        variance, fourth, largest = np.empty((3, rivals.size))
        thinned = []  # of all values, those of many candidates would not fit into memory
        step = max(1, _VALUES_AT_ONCE // n_values)
        for start in range(0, rivals.size, step):
            part = slice(start, start + step)
            rows = np.stack(
                [self._values_of(int(row), look.positions) for row in look.rows[rivals[part]]]
            )
            low, high = np.minimum(low, rows.min(axis=0)), np.maximum(high, rows.max(axis=0))
            differences = best - rows
            mean = differences.mean(axis=1, keepdims=True)
            rounding = _ROUNDING * np.maximum(np.abs(best), np.abs(rows))
            constant = (np.abs(differences - mean) <= rounding).all(axis=1)
            differences[constant] = mean[constant]
            thinned.append(differences[:, :: max(1, n_values // _MOST_VALUES)])
            # Within splits: what splits differ by is the dispersion. Single samples have no within.
            of_splits = np.add.reduceat(differences, firsts, axis=1) / sizes
            within = differences - np.repeat(of_splits, sizes, axis=1)
            lack = (within**2).sum(axis=1) <= 1e-18 * (differences**2).sum(axis=1)
            lack |= n_values < 2 * sizes.size
            residuals = np.where(lack[:, np.newaxis], differences - mean, within)
            per_df = n_values / (n_values - np.where(lack, 1, sizes.size))
            variance[part] = np.where(constant, 0.0, (residuals**2).mean(axis=1) * per_df)
            fourth[part] = (residuals**4).mean(axis=1) * per_df**2
            largest[part] = np.abs(differences).max(axis=1)
        # A larger difference than those seen, such as a costly error, counts as seen once more.
        widest = (high - low).max()
        unseen = (variance > 0) & (largest < (1 - _ROUNDING) * widest)
        variance += np.where(unseen, widest**2 - largest**2, 0.0) / n_values
        fourth += np.where(unseen, widest**4, 0.0) / n_values
        # Satterthwaite: the variance of a variance is (κ − 1)·σ⁴/n, where κ is the kurtosis. If few
        # samples decide, n values say little.
        kurtosis = np.divide(fourth, variance**2, out=np.ones_like(fourth), where=variance > 0)
        df = 2 * n_values / np.maximum(kurtosis - 1, 2 / n_values)
        return (
            variance * (1 / sizes).mean(),
            np.clip(df, 1, max(1, n_seen - 1)),
            np.concatenate(thinned),
        )

    def _values_of(self, row: int, positions: NDArray[np.intp]) -> NDArray[np.float64]:
        found = np.concatenate([self.values(row, int(p)) for p in positions]).astype(np.float64)
        if not np.isfinite(found).all():
            raise ValueError(f"`values` must be finite; got others for candidate {row}.")
        return found


def _dispersion(
    differences: NDArray[np.float64], expected: NDArray[np.float64], n_rivals: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How many times the variance of independent samples the scores of splits have, at least 1.

    It is the mean over all rivals, or a rival's own if that is larger.

    Parameters
    ----------
    differences : ndarray of float, shape (n_rivals, n_splits)
        Differences of scores.
    expected : ndarray of float, shape (n_rivals,)
        Their variances if samples were independent.
    n_rivals : float
        Number of independent rivals that the mean counts for.

    Returns
    -------
    dispersion, df : ndarray of float, shape (n_rivals,)
        The dispersion and its degrees of freedom.
    """
    n = differences.shape[1]
    found = differences.var(axis=1, ddof=1)
    ratio = np.divide(found, expected, out=np.ones_like(found), where=expected > 0)
    df = (n - 1) * n_rivals
    pooled = max(1.0, float(df * ratio.mean() + _ASSUMED_DISPERSION) / (df + 1))
    own = (ratio > pooled) & (special.chdtrc(n - 1, ratio * (n - 1)) < _LEVEL_OF_DISPERSION)
    return np.maximum(ratio, pooled), np.where(own, n - 1.0, df + 1)
