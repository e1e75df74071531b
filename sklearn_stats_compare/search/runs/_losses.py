"""Losses: blocks whose workers died, and how the search continues."""

import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import BrokenExecutor, CancelledError
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from joblib import Parallel, delayed

from sklearn_stats_compare._messages import count, outside_level, shown
from sklearn_stats_compare.search.runs._options import Options

Block = tuple[bytes, bytes]
"""Candidates and splits of a block, as bytes."""


@dataclass
class Losses:
    """Blocks that were lost with the workers that fitted them, in one call of ``fit``.

    If a block is lost twice, its candidates are fitted one at a time. If a candidate is lost twice
    when fitted alone, it is given up, provided that workers still run other tasks.

    Attributes
    ----------
    n : int
        Number of losses.
    of_block : Counter
        Number of losses of each block.
    suspects : set of int
        Candidates that are fitted alone.
    given_up : dict
        Blocks that are no longer fitted, and the error recorded for their fits.
    """

    n: int = 0
    of_block: Counter[Block] = field(default_factory=Counter)
    suspects: set[int] = field(default_factory=set)
    given_up: dict[Block, str] = field(default_factory=dict)

    def should_continue(
        self,
        error: BaseException,
        block: Block,
        candidates: Sequence[Mapping[str, Any]],
        options: Options,
        n_saved: int,
    ) -> bool:
        """Record that an error lost a block; return whether the search should continue."""
        if not is_loss(error):
            return False
        # The bytes of two arrays can be counted and compared; arrays have no hash.
        rows = np.frombuffer(block[0], dtype=np.intp).tolist()
        self.n += 1
        self.of_block[block] += 1
        name = type(error).__name__
        message = (
            f"A worker was lost ({name}), and with it the block that was being fitted. The search "
            f"goes on from its `ledger`, with {count(n_saved, 'fit')}."
        )
        if self.of_block[block] > 1:
            # "raise" requires the error itself, not a score instead of the fits.
            if options.error_score == "raise":
                return False
            # The first loss may be the fault of the machine; the second is blamed on a candidate.
            if len(rows) > 1:
                self.suspects.update(rows)
            # If even a trivial task kills its worker, the fault is not the candidate's.
            elif not _workers_work(options.n_jobs):
                return False
            else:
                n_splits = np.frombuffer(block[1], dtype=np.intp).size
                self.given_up[block] = f"{name}: the worker of this candidate was lost, twice."
                params = candidates[rows[0]].items()
                message = (
                    f"Candidate {rows[0]} ({', '.join(f'{k}={shown(v)}' for k, v in params)}) "
                    f"ended its worker twice ({name}). Its fits on {count(n_splits, 'split')} are "
                    "marked as failed, and the search goes on."
                )
        warnings.warn(message, UserWarning, stacklevel=outside_level())
        return True


def is_loss(error: BaseException) -> bool:
    """Whether joblib says that a worker of loky or dask died."""
    # loky's TerminatedWorkerError is a BrokenExecutor of the standard library. dask raises
    # CancelledError if the worker alone held data, and KilledWorker if a task ended several of
    # them; that goes by name, because dask need not be installed.
    return isinstance(error, BrokenExecutor | CancelledError) or (
        type(error).__name__ == "KilledWorker"
    )


def _workers_work(n_jobs: int | None) -> bool:
    """Whether workers run a trivial task."""
    try:
        return Parallel(n_jobs=n_jobs)(delayed(abs)(-k) for k in range(2)) == [0, 1]
    except Exception as error:
        if is_loss(error):
            return False
        raise
