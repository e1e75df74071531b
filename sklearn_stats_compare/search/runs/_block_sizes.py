"""Sizes of blocks: how many candidates, and how many splits, scikit-learn is given at a time."""

import math

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray

from sklearn_stats_compare.search.runs._options import Options

_STEPS = 50
"""Most moves of a progress line for one call of `run` where nothing is saved between."""
_FITS_PER_WORKER = 4
"""Fits of a block for each worker: all wait for the slowest fit before the next block begins."""


def candidates_at_once(
    options: Options, n_candidates: int, n_splits: int, *, saves: bool, shown: bool
) -> int:
    """Candidates of a block: enough for all workers, which wait at its end, to be busy."""
    if not saves and not shown:
        return n_candidates
    if saves and options.ledger_block is not None:
        return int(options.ledger_block)
    enough = math.ceil(_enough_fits(options) / n_splits)
    # A progress line alone need not move more often than this, and blocks of fast fits cost.
    return enough if saves else max(enough, math.ceil(n_candidates / _STEPS))


def stages(lacks: NDArray[np.bool_], options: Options) -> tuple[int, list[NDArray[np.intp]]]:
    """Split the columns into stages that can be evaluated one after the other.

    Parameters
    ----------
    lacks : ndarray of bool, shape (n_candidates, n_splits)
        Whether each cell is empty.
    options : Options
        Of the search.

    Returns
    -------
    block : int
        Number of splits that scikit-learn is given at a time, the same for all stages: its `fit`
        compares it with ``get_n_splits``, which it asks once. It is the smallest number that keeps
        all workers busy and allows at least two stages, or else the largest that allows them.
    stages : list of ndarray of int
        Columns of each stage, in order.
    """
    n_lacking = np.count_nonzero(lacks.any(axis=1))
    found = 1, list(np.arange(lacks.shape[1])[:, np.newaxis])
    # What each candidate lacks of a stage must be whole blocks, and so must what it lacks in all.
    whole = math.gcd(*lacks.sum(axis=1).tolist())
    for block in range(1, whole + 1):
        if whole % block:
            continue
        # A stage may end where every candidate lacks whole blocks of the columns so far.
        ends = 1 + np.flatnonzero((np.cumsum(lacks, axis=1) % block == 0).all(axis=0))
        columns = np.split(np.arange(lacks.shape[1]), ends[:-1])
        if sum(bool(lacks[:, stage].any()) for stage in columns) < 2:
            continue
        found = block, columns
        if n_lacking * block >= _enough_fits(options):
            break
    return found


def _enough_fits(options: Options) -> int:
    return _FITS_PER_WORKER * effective_n_jobs(options.n_jobs)
