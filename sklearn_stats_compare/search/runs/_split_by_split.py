"""SplitBySplit: the plan of a full search with `max_time`."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from sklearn_stats_compare.search.runs._block_sizes import stages
from sklearn_stats_compare.search.runs._looking import Looked
from sklearn_stats_compare.search.runs._plan import (
    Chosen,
    Given,
    PlanResult,
    PlanRun,
    count_new,
)
from sklearn_stats_compare.search.runs._time_limit import Cut
from sklearn_stats_compare.stats import SplitDesign, pair_test


class SplitBySplit:
    """Every candidate on the first splits, then on the next ones, until the time is over.

    All candidates have the same splits whenever it stops.

    Parameters
    ----------
    given : Given
        What ``fit`` was given.
    """

    looked: Looked | None = None
    rows: Chosen | None = None
    settings: Mapping[str, Any] | None = None

    def __init__(self, given: Given) -> None:
        self._given = given
        self._stages: list[Chosen] = []
        self.n_fits = 0

    def size(self, run: PlanRun) -> tuple[int, int, int | None]:
        """All candidates, on all splits."""
        return len(run.candidates), len(run.split_keys), None

    def begin(self, run: PlanRun) -> int:
        """Take all splits; a block has few of them."""
        columns = run.take(self._given.cv)
        lacks = run.ledger.lacks(np.arange(len(run.candidates)), columns)
        self.n_fits = int(lacks.sum())
        block, self._stages = stages(lacks, self._given.options)
        return block

    def evaluate(self, run: PlanRun) -> PlanResult:
        """Fit the cells that the ledger does not have, until the time is over."""
        limit, rows = self._given.limit, np.arange(len(run.candidates))
        for columns in self._stages:
            if limit.refuses(int(run.ledger.lacks(rows, columns).sum())):
                break
            n_new = count_new(run, rows, columns)
            run.run_all(rows, columns)
            limit.add(n_new)
        else:
            return PlanResult({}, {})
        return PlanResult({}, {}, self._cut(run, rows))

    def _cut(self, run: PlanRun, rows: Chosen) -> Cut | None:
        lacks = run.ledger.lacks(rows, np.arange(len(run.split_keys)))
        done = np.flatnonzero(~lacks.any(axis=0))
        if not done.size:
            if self._given.limit.has_begun and not run.ledger.n_ran:
                return None  # all fits failed, which the run says
            raise self._given.limit.too_short()
        assert run.design is not None
        if not pair_test(self._given.options.settings["test"]).of_splits:
            done = _whole_repeats(run.design, done)
        run.run_all(rows, done)  # fits nothing: the file may have more than the stages so far
        return Cut(
            splits=done,
            n_splits=len(run.split_keys),
            n_fits=rows.size * done.size,
            n_fits_full=lacks.size,
            n_left=int(lacks.sum()),
        )


def _whole_repeats(design: SplitDesign, splits: Chosen) -> Chosen:
    """Splits of the repeats that are complete, which a test of samples needs; else all."""
    repeat = design.repeat
    complete = [
        number
        for number in range(int(repeat.max()) + 1)
        if np.isin(np.flatnonzero(repeat == number), splits).all()
    ]
    whole = splits[np.isin(repeat[splits], complete)]
    return whole if whole.size else splits
