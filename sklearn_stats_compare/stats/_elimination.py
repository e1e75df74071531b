"""Racing: which candidates may be dropped after the splits seen so far, and a race from end to end.

The question is not which candidate is better on new data but which one the full table of scores
would name: the splits seen are a simple random sample, without replacement, of its J columns. So
the standard error of a mean difference is s·√(1/n − 1/J); the overlap of training sets has no part
in it, and how splits depend on each other does not matter.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare.stats._corrected_t import PairedTTests
from sklearn_stats_compare.stats._limits import LARGEST
from sklearn_stats_compare.stats._scores import SplitScores
from sklearn_stats_compare.stats._splits import SplitDesign
from sklearn_stats_compare.stats._student import small_tail, standardise

STRATEGIES = ("pooled", "strict")
FEWEST_SPLITS = 10
_LOOKS = 6
_FIRST_LOOK = 5

Evaluate = Callable[[NDArray[np.intp], NDArray[np.intp]], NDArray[np.float64]]


@dataclass(frozen=True)
class Schedule:
    """When a race over `n_splits` splits evaluates and when it looks.

    Attributes
    ----------
    block : int
        Number of splits that are evaluated at a time.
    looks : tuple of int
        Numbers of splits after which candidates may be dropped.
    """

    block: int
    looks: tuple[int, ...]

    @classmethod
    def of(cls, n_splits: int) -> "Schedule":
        """About six steps, the first of at least five splits.

        Raises
        ------
        ValueError
            If there are fewer than 10 splits: too few to drop anything on.
        """
        if n_splits < FEWEST_SPLITS:
            raise ValueError(
                f"`cv` must make at least {FEWEST_SPLITS} splits for a race; got {n_splits}. Use "
                "for example RepeatedStratifiedKFold(n_splits=10, n_repeats=3), or a search that "
                "does not race."
            )
        step = -(-n_splits // _LOOKS)
        first = max(_FIRST_LOOK, step)
        block = max(b for b in range(1, first + 1) if n_splits % b == 0)
        looks: list[int] = []
        for n in range(block, n_splits, block):
            if n >= (looks[-1] + step if looks else first):
                looks.append(n)
        return cls(block, tuple(looks))


@dataclass(frozen=True, eq=False)
class RaceStep:
    """What a race knew and did after one block.

    Attributes
    ----------
    look : int or None
        Number of the look, from 1; None for the finish, and where only failures were dropped.
    n_splits : int
        Splits evaluated so far.
    n_alive : int
        Candidates that are left.
    dropped : ndarray of int
        Candidates dropped here.
    leader : int or None
        Candidate with the best mean so far of those left; None if none is left.
    n_fits : int
        Candidate × split evaluations so far.
    """

    look: int | None
    n_splits: int
    n_alive: int
    dropped: NDArray[np.intp]
    leader: int | None
    n_fits: int


@dataclass(frozen=True, eq=False)
class RaceResult:
    """Who finished a race, and how it went.

    Attributes
    ----------
    n_evaluated : ndarray of int, shape (n_candidates,)
        Splits on which each candidate was evaluated.
    alive : ndarray of bool, shape (n_candidates,)
        Whether it finished.
    pvalue : ndarray of float, shape (n_candidates,)
        Adjusted p-value by which it was dropped, below alpha; NaN for those that finished or
        failed, 0 for those that could not catch up any more.
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
    alpha: float = 0.05,
    strategy: str = "pooled",
    bounds: tuple[float, float] | None = None,
    columns: NDArray[np.intp] | None = None,
    after_step: Callable[[RaceStep], object] | None = None,
) -> RaceResult:
    """Evaluate candidates on more and more splits, and drop those that cannot win.

    Parameters
    ----------
    evaluate : callable
        ``evaluate(candidates, positions)`` returns the scores of these candidates on these splits,
        (n_candidates, n_positions). Positions count splits in an order that was drawn without
        looking at scores. A split on which no candidate has a finite score says nothing about any
        of them and is left out of looks; a candidate that alone has none there is dropped.
    n_candidates, n_splits : int
        Size of the full table.
    alpha : float, default=0.05
        Level: about the highest probability to drop the candidate with the best mean over all
        splits, as far as the splits seen can speak for the rest. No rule on a few splits knows of
        a rival that will crash on one to come.
    strategy : {"pooled", "strict"}, default="pooled"
        As for `elimination_pvalues`.
    bounds : (float, float), optional
        Lowest and highest score there can be, where that is known.
    columns : ndarray of int, shape (n_splits,), optional
        Column of the full table that each position is. The leader at the finish is named from
        means in that order, so that rounding breaks ties as it does in the table.
    after_step : callable, optional
        Called with every `RaceStep`.

    Returns
    -------
    RaceResult
    """
    schedule = Schedule.of(n_splits)
    values = np.full((n_candidates, n_splits), np.nan)
    speaks = np.ones(n_splits, dtype=bool)
    alive = np.ones(n_candidates, dtype=bool)
    n_evaluated = np.zeros(n_candidates, dtype=np.intp)
    pvalue = np.full(n_candidates, np.nan)
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
        dropped = failed if n < n_splits else failed[:0]
        alive[dropped] = False
        is_look = n in schedule.looks
        if is_look and alive.any():
            rows = np.flatnonzero(alive)
            seen = values[np.ix_(rows, np.flatnonzero(speaks[:n]))]
            n_telling = int(n_splits - n + seen.shape[1])
            found = elimination_pvalues(
                seen, n_telling, n_candidates, len(schedule.looks), strategy
            )
            if bounds is not None:
                found[_beaten(seen, n_telling, bounds)] = 0.0
            out = rows[found < alpha]
            pvalue[out] = found[found < alpha]
            alive[out] = False
            dropped = np.sort(np.concatenate([dropped, out]))
        if is_look or dropped.size or n == n_splits:
            complete = np.flatnonzero(alive & ~np.isin(np.arange(n_candidates), failed))
            order = np.argsort(columns) if columns is not None and n == n_splits else np.arange(n)
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
        if not alive.any():
            break
    return RaceResult(n_evaluated, alive, pvalue, steps)


def elimination_pvalues(
    values: NDArray[np.float64],
    n_splits: int,
    n_candidates: int,
    n_looks: int,
    strategy: str = "pooled",
) -> NDArray[np.float64]:
    """Adjusted p-value of each candidate against having the best mean over all `n_splits` splits.

    Parameters
    ----------
    values : ndarray of float, shape (n_alive, n)
        Finite scores of the candidates that are left on the splits so far, n < `n_splits`.
    n_splits : int
        Number of splits of the full table, J.
    n_candidates : int
        Number of candidates that the race began with, m.
    n_looks : int
        Number of looks of the whole race, L.
    strategy : {"pooled", "strict"}, default="pooled"
        "strict": L·(m − 1)·p, p the one-sided p-value from the candidate's own differences from the
        leader, with n − 1 degrees of freedom. "pooled": L·max((m − 1)·p_pool, p), where p_pool has
        the residual variance of the additive model candidate + split, (n − 1)(a − 1) degrees of
        freedom. The second condition guards against candidates that vary more than the pool says,
        on whose account pooled variance alone drops the winner.

    Returns
    -------
    ndarray of float, shape (n_alive,)
        1 for the leader and its exact ties. Dropping what is below alpha at each look drops the
        full table's winner with probability of about alpha at most ("strict": as far as Student's t
        holds for means of n splits; "pooled": as measured, see benchmarks/racing.py).
    """
    n_alive, n = values.shape
    pvalues = np.ones(n_alive)
    if n_alive < 2 or n < 2:
        return pvalues
    left = 1 / n - 1 / n_splits  # what of the full mean is not known yet
    scores = SplitScores(values, SplitDesign.from_ratio(1.0, n))
    tests = PairedTTests.against(scores, int(np.argmax(values.mean(axis=1))), np.arange(n_alive))
    behind = tests.mean_diff
    own = small_tail(standardise(behind, tests.std * np.sqrt(left)), n - 1)
    # Nothing varies: n equal differences are as unlikely as n equal signs, and no more is known.
    own = np.where(tests.constant & (behind > 0), 2.0 ** (1 - n), own)
    if strategy == "strict":
        adjusted = (n_candidates - 1) * own
    else:
        residual = values - values.mean(axis=1, keepdims=True) - values.mean(axis=0) + values.mean()
        df = (n - 1) * (n_alive - 1)
        std_err = np.full(n_alive, np.sqrt(2 * (residual**2).sum() / df * left))
        pooled = small_tail(standardise(behind, std_err), df)
        adjusted = np.maximum((n_candidates - 1) * pooled, own)
    return np.where(behind > 0, np.minimum(1.0, n_looks * adjusted), 1.0)


def _beaten(
    values: NDArray[np.float64], n_splits: int, bounds: tuple[float, float]
) -> NDArray[np.bool_]:
    """Who cannot reach the leader's sum any more, were all splits to come at the bounds."""
    lowest, highest = bounds
    sums = values.sum(axis=1)
    open_splits = n_splits - values.shape[1]
    best = sums.max() + open_splits * lowest
    rounding = 1e-9 * max(abs(lowest), abs(highest)) * n_splits
    beaten: NDArray[np.bool_] = sums + open_splits * highest < best - rounding
    return beaten
