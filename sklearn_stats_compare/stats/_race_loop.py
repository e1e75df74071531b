"""A race: candidates are evaluated split by split, and a rule drops those that cannot win."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare.stats._limits import LARGEST

FEWEST_SPLITS = 10
FEWEST_SPLITS_BY_SAMPLES = 3
_LOOKS = 6
_FIRST_LOOK = 5
# A single split cannot show how much scores vary with the training set.
_FIRST_LOOK_BY_SAMPLES = 2

Evaluate = Callable[[NDArray[np.intp], NDArray[np.intp]], NDArray[np.float64]]


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
    def of(cls, n_splits: int) -> "Schedule":
        """Return a schedule of about six steps, the first with at least five splits.

        Raises
        ------
        ValueError
            If there are fewer than 10 splits, which are too few to drop candidates by their scores.
        """
        if n_splits < FEWEST_SPLITS:
            raise ValueError(
                f"`cv` must make at least {FEWEST_SPLITS} splits for a race by the scores of "
                f'splits; got {n_splits}. Use look="samples", which needs '
                f"{FEWEST_SPLITS_BY_SAMPLES}, RepeatedStratifiedKFold(n_splits=10, n_repeats=3), "
                "or a search that does not race."
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
    def by_samples(cls, n_splits: int) -> "Schedule":
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


class Elimination(Protocol):
    """A rule that drops candidates."""

    def pvalues(self, look: Look) -> NDArray[np.float64]:
        """p-value of each remaining candidate, adjusted for its rivals; 1 for the leader."""


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
    """Result of `race`: the candidates that finished, and every step.

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


def race(
    evaluate: Evaluate,
    n_candidates: int,
    n_splits: int,
    *,
    schedule: Schedule,
    elimination: Elimination,
    alpha: float = 0.05,
    tolerance: float = 0.0,
    bounds: tuple[float, float] | None = None,
    columns: NDArray[np.intp] | None = None,
    is_over: Callable[[NDArray[np.intp], int], bool] | None = None,
    after_step: Callable[[RaceStep], object] | None = None,
) -> RaceResult:
    """Evaluate candidates on more and more splits, and drop those that are unlikely to win.

    Parameters
    ----------
    evaluate : callable
        ``evaluate(candidates, positions)`` returns the scores of these candidates on these splits,
        (n_candidates, n_positions). Positions number the splits in an order that was drawn without
        looking at scores. Looks ignore a split on which no candidate has a finite score. On any
        other split, a candidate without a finite score is dropped.
    n_candidates, n_splits : int
        Size of the full table.
    schedule : Schedule
        When splits are evaluated, and when candidates may be dropped.
    elimination : Elimination
        The rule.
    alpha : float, default=0.05
        Level: approximate upper bound on the probability that the chosen mean is more than
        `tolerance` below the best mean of the full table. It assumes that the splits evaluated so
        far represent the rest; for example, it cannot foresee that another candidate will fail on a
        later split.
    tolerance : float, default=0.0
        Also drop candidates that cannot beat the leader by more than this, in score units.
    bounds : (float, float), optional
        Lowest and highest possible score, if known.
    columns : ndarray of int, shape (n_splits,), optional
        Column of the full table for each position. Means at the finish are computed in that order,
        so that rounding breaks ties as in the table.
    is_over : callable, optional
        ``is_over(candidates, n)`` returns whether the race ends after `n` splits. Nothing is
        dropped at the end, as after the last split.
    after_step : callable, optional
        Called with every `RaceStep`.

    Returns
    -------
    RaceResult
    """
    values = np.full((n_candidates, n_splits), np.nan)
    speaks = np.ones(n_splits, dtype=bool)
    alive = np.ones(n_candidates, dtype=bool)
    n_evaluated = np.zeros(n_candidates, dtype=np.intp)
    pvalue = np.full(n_candidates, np.nan)
    slack = np.full(n_candidates, float(tolerance))
    steps = []
    for start in range(0, n_splits, schedule.block):
        n = start + schedule.block
        rows = np.flatnonzero(alive)
        values[rows, start:n] = evaluate(rows, np.arange(start, n))
        n_evaluated[rows] = n
        with np.errstate(invalid="ignore"):
            fails = ~(np.abs(values[rows, start:n]) <= LARGEST)
        if rows.size > 1:
            speaks[start:n] = ~fails.all(axis=0)
        failed = rows[(fails & speaks[start:n]).any(axis=1)]
        is_last = n == n_splits or (is_over is not None and is_over(rows, n))
        dropped = failed[:0] if is_last else failed
        alive[dropped] = False
        is_look = n in schedule.looks and not is_last
        if is_look and alive.any():
            rows, positions = np.flatnonzero(alive), np.flatnonzero(speaks[:n])
            seen = values[np.ix_(rows, positions)]
            n_telling = n_splits - n + positions.size
            look = Look(rows, positions, seen, n_telling, slack[rows])
            found = elimination.pvalues(look) * len(schedule.looks)
            if bounds is not None:
                found[_out_of_reach(seen, n_telling, bounds)] = 0.0
            out = rows[found < alpha]
            pvalue[out] = found[found < alpha]
            alive[out] = False
            dropped = np.sort(np.concatenate([dropped, out]))
            if out.size and positions.size:
                # A candidate dropped by tolerance may be that much better than this leader. If
                # another leader dropped this one by tolerance too, the two would add up.
                slack[rows[np.argmax(seen.mean(axis=1))]] = 0.0
        if is_look or dropped.size or is_last:
            complete = np.flatnonzero(alive & ~np.isin(np.arange(n_candidates), failed))
            order = np.argsort(columns[:n]) if columns is not None and is_last else np.arange(n)
            telling = order[speaks[order]]
            leader = None
            if complete.size and telling.size:
                means = values[np.ix_(complete, telling)].mean(axis=1)
                leader = int(complete[np.argmax(means)])
            step = RaceStep(
                look=schedule.looks.index(n) + 1 if is_look else None,
                n_splits=n,
                n_alive=int(alive.sum()),
                dropped=dropped,
                leader=leader,
                n_fits=int(n_evaluated.sum()),
            )
            steps.append(step)
            if after_step is not None:
                after_step(step)
        if is_last or not alive.any():
            break
    return RaceResult(n_evaluated, alive, pvalue, steps)


def _out_of_reach(
    values: NDArray[np.float64], n_splits: int, bounds: tuple[float, float]
) -> NDArray[np.bool_]:
    """Which candidates cannot reach the leader's sum, whatever the remaining scores are."""
    lowest, highest = bounds
    sums = values.sum(axis=1)
    open_splits = n_splits - values.shape[1]
    best = sums.max() + open_splits * lowest
    rounding = 1e-9 * max(abs(lowest), abs(highest)) * n_splits
    beaten: NDArray[np.bool_] = sums + open_splits * highest < best - rounding
    return beaten
