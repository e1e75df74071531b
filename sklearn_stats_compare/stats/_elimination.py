"""Racing: tests that drop candidates after the splits evaluated so far, and the whole race.

A race predicts which candidate has the best mean in the full table of scores, not which one is
better on new data. The splits evaluated so far are a simple random sample, without replacement, of
the J columns of that table. The standard error of a mean difference is therefore s·√(1/n − 1/J). It
does not depend on the overlap of training sets or on other dependence between splits.
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
    """The schedule of evaluations and looks of a race over `n_splits` splits.

    Attributes
    ----------
    block : int
        Number of splits evaluated at a time.
    looks : tuple of int
        Numbers of splits after which candidates may be dropped.
    """

    block: int
    looks: tuple[int, ...]

    @classmethod
    def of(cls, n_splits: int) -> "Schedule":
        """Return a schedule of about six steps, the first with at least five splits.

        Raises
        ------
        ValueError
            If there are fewer than 10 splits, which are too few to drop candidates.
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
    alpha: float = 0.05,
    strategy: str = "pooled",
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
    alpha : float, default=0.05
        Level: approximate upper bound on the probability to drop the candidate with the best mean
        over all splits. It assumes that the splits evaluated so far represent the rest; for
        example, it cannot foresee that another candidate will fail on a later split.
    strategy : {"pooled", "strict"}, default="pooled"
        As for `elimination_pvalues`.
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
        is_last = n == n_splits or (is_over is not None and is_over(rows, n))
        dropped = failed[:0] if is_last else failed
        alive[dropped] = False
        is_look = n in schedule.looks and not is_last
        if is_look and alive.any():
            rows = np.flatnonzero(alive)
            seen = values[np.ix_(rows, np.flatnonzero(speaks[:n]))]
            n_telling = int(n_splits - n + seen.shape[1])
            found = elimination_pvalues(
                seen, n_telling, n_candidates, len(schedule.looks), strategy
            )
            if bounds is not None:
                found[_out_of_reach(seen, n_telling, bounds)] = 0.0
            out = rows[found < alpha]
            pvalue[out] = found[found < alpha]
            alive[out] = False
            dropped = np.sort(np.concatenate([dropped, out]))
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
        Finite scores of the remaining candidates on the splits so far, n < `n_splits`.
    n_splits : int
        Number of splits of the full table, J.
    n_candidates : int
        Number of candidates at the start of the race, m.
    n_looks : int
        Number of looks of the whole race, L.
    strategy : {"pooled", "strict"}, default="pooled"
        "strict" returns L·(m − 1)·p. Here p is the one-sided p-value of the candidate's differences
        from the leader, with n − 1 degrees of freedom. "pooled" returns L·max((m − 1)·p_pool, p).
        Here p_pool uses the residual variance of the additive model candidate + split, with
        (n − 1)(a − 1) degrees of freedom for a remaining candidates. The condition on p protects
        candidates that vary more than the pooled variance, which alone may drop the winner.

    Returns
    -------
    ndarray of float, shape (n_alive,)
        1 for the leader and its exact ties. Dropping candidates below alpha at each look drops the
        winner of the full table with probability at most about alpha. For "strict" this assumes
        that means of n splits follow Student's t; for "pooled" it is measured in
        benchmarks/racing.py.
    """
    n_alive, n = values.shape
    pvalues = np.ones(n_alive)
    if n_alive < 2 or n < 2:
        return pvalues
    left = 1 / n - 1 / n_splits  # variance factor of the unknown part of the full mean
    scores = SplitScores(values, SplitDesign.from_ratio(1.0, n))
    tests = PairedTTests.against(scores, int(np.argmax(values.mean(axis=1))), np.arange(n_alive))
    behind = tests.mean_diff
    own = small_tail(standardise(behind, tests.std * np.sqrt(left)), n - 1)
    # Without variation, n equal differences count as n equal signs.
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
