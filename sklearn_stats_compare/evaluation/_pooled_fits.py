"""Fits in one parallel pool, handed out as they end: each can be saved at once."""

import time
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from joblib import effective_n_jobs
from sklearn.utils.parallel import Parallel, delayed

from sklearn_stats_compare.evaluation._model_fits import Outcome, outcome_of
from sklearn_stats_compare.evaluation._procedures import choice_of, for_one_split
from sklearn_stats_compare.search import OuterLedger

Cell = tuple[int, int, int]
"""Which fit: of a data set, a model on a split."""


class Fit(NamedTuple):
    """A fit that is to be made.

    Attributes
    ----------
    cell : (int, int, int)
        Data set, model and split.
    model : estimator
        Not fitted.
    path : str or None
        The ledger of a search of this package within the model.
    X, y : object
        The data.
    split : (array, array)
        Training and test samples.
    options : dict
        Options of ``cross_validate``.
    of_values : bool or None
        As for `outcome_of`.
    name : str
        Name of the model, for messages.
    """

    cell: Cell
    model: Any
    path: str | None
    X: Any
    y: Any
    split: Any
    options: dict[str, Any]
    of_values: bool | None
    name: str


def pooled(
    fits: Iterable[Fit], n_jobs: int | None, pre_dispatch: int | str
) -> Iterator[tuple[Cell, Outcome, float]]:
    """Make the fits; yield which, its outcome and its seconds, as they end.

    Everything inside a fit runs with one job if the pool has more.
    """
    is_parallel = effective_n_jobs(n_jobs) > 1
    options = {"n_jobs": n_jobs, "pre_dispatch": pre_dispatch}
    try:
        pool = Parallel(return_as="generator_unordered", **options)
    except (TypeError, ValueError):
        # joblib has it from 1.4 on, and not for multiprocessing: all outcomes come at the end.
        pool = Parallel(**options)
    yield from pool(delayed(_made)(fit, is_parallel) for fit in fits)


def _made(fit: Fit, one_job: bool) -> tuple[Cell, Outcome, float]:
    """A fit, in a worker."""
    start = time.perf_counter()
    # Without its ledger rather than not at all.
    path = None if fit.path is None or OuterLedger.is_in_use(fit.path) else fit.path
    own = for_one_split(fit.model, one_job=one_job, ledger=path)
    outcome = outcome_of(
        own, fit.X, fit.y, fit.split, fit.options, fit.of_values, fit.name, choice_of
    )
    return fit.cell, outcome, time.perf_counter() - start
