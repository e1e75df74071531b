"""Spot checks: some fits that a ledger has, made again by scikit-learn and compared."""

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare._messages import outside_level, shown
from sklearn_stats_compare.search._sklearn_private import BaseSearchCV
from sklearn_stats_compare.search.ledger import Indices, Ledger
from sklearn_stats_compare.search.runs._block_splitter import BlockSplitter
from sklearn_stats_compare.search.runs._failures import says_that_all_failed
from sklearn_stats_compare.search.runs._options import Options
from sklearn_stats_compare.search.runs._plan import Given

SPOT_CHECKS = 3
_SHARE = 0.01
_MOST_SPLITS = 3
# With another number of threads BLAS adds in another order, which changes the last digits.
_RELATIVE, _ABSOLUTE = 1e-6, 1e-9

_TRIES = 4
"""How often fits are made again before differing scores are put down to something that changed."""

Cell = tuple[int, int]
Scores = dict[str, float]
Splits = Mapping[int, tuple[Any, Any]]


class CellSearch(BaseSearchCV):
    """scikit-learn's own search over some candidates on one split, for their outcomes."""

    def __init__(self, options: Options, candidates: Sequence[Mapping[str, Any]], cv: Any) -> None:
        super().__init__(
            estimator=options.estimator,
            scoring=options.scoring,
            n_jobs=options.n_jobs,
            refit=False,  # the outcomes are all that is wanted
            cv=cv,
            pre_dispatch=options.pre_dispatch,
            # A check must see a failure as a failure, and not end the search with it.
            error_score=np.nan if options.error_score == "raise" else options.error_score,
        )
        self.options = options
        self.candidates = candidates
        self.outcomes: list[dict[str, Any]] = []

    def _run_search(self, evaluate_candidates: Any) -> None:
        evaluate_candidates(self.candidates)

    def _format_results(
        self, candidate_params: Any, n_splits: int, out: Any, more_results: Any = None
    ) -> Any:
        self.outcomes = out
        return super()._format_results(candidate_params, n_splits, out, more_results)

    def __getstate__(self) -> dict[str, Any]:
        # From 1.9 on scikit-learn sends the search with every task (`caller=self`); workers do not
        # need these.
        unwanted = {"options": None, "candidates": (), "cv": None}
        return {**super().__getstate__(), **unwanted}


class SpotChecks:
    """Makes some fits of a search again, and compares their scores with its ledger.

    Parameters
    ----------
    given : Given
        What ``fit`` was given.
    candidates : sequence of dict
        All of the search.
    """

    def __init__(self, given: Given, candidates: Sequence[Mapping[str, Any]]) -> None:
        self._given = given
        self._candidates = candidates

    def compare(
        self,
        ledger: Ledger,
        splits: Splits,
        eligible: NDArray[np.bool_],
        starts: NDArray[np.int64],
        name: str,
    ) -> None:
        """Compare some of the eligible cells of a ledger, before anything of it is used.

        Parameters
        ----------
        ledger : Ledger
            The stored scores.
        splits : mapping of int to (train, test)
            Its splits.
        eligible : ndarray of bool, shape (n_candidates, n_splits)
            Cells to choose from.
        starts : ndarray of int, shape (n_candidates, n_splits)
            Number of the start of the search that saved each.
        name : str
            The file, as messages have it.

        Raises
        ------
        ValueError
            If a cell has another score, the same one each time it is fitted; a warning comes
            instead where `ledger_strict` is False, or the scores are random.
        """
        # Unseeded, and not NumPy's global generator: each start checks other cells, and the user's
        # random numbers stay as they were.
        cells = _chosen_cells(eligible, starts, np.random.default_rng())
        now = self._scores_again(splits, cells)
        for cell in cells:
            then = _scores_of(ledger, cell)
            metric = _differing_metric(then, now[cell])
            if metric is None:
                continue
            if self._are_random(splits, cells, now):
                self._warn_of_randomness(cell, metric, then[metric], now[cell].get(metric))
            else:
                self._refuse(name, cell, metric, then[metric], now[cell].get(metric))
            return

    def warn_if_random(
        self, ledger: Ledger, splits: Splits, rows: Indices, columns: Indices
    ) -> bool:
        """Make fits of a block again, and warn if they are random; False if there is none."""
        cells = [(int(i), int(j)) for i in rows for j in columns if not ledger.failed[i, j]]
        now = self._scores_again(splits, cells[:SPOT_CHECKS])
        if any(_differing_metric(_scores_of(ledger, cell), now[cell]) for cell in now):
            warnings.warn(
                "If this search is killed and started again, its `cv_results_` may differ: "
                "`random_state` of the estimator is None, and a repeated fit had other scores. Set "
                "it to an int.",
                UserWarning,
                stacklevel=outside_level(),
            )
        return bool(now)

    def _are_random(
        self, splits: Splits, cells: Sequence[Cell], now: Mapping[Cell, Scores]
    ) -> bool:
        """Whether the same fits have other scores each time they are made."""
        for _ in range(_TRIES):  # scores such as 9 of 10 right may agree by chance
            again = self._scores_again(splits, cells)
            if any(_differing_metric(now[cell], again[cell]) for cell in cells):
                return True
        return False

    def _refuse(self, name: str, cell: Cell, metric: str, then: float, now: float | None) -> None:
        params = ", ".join(f"{k}={shown(v)}" for k, v in self._candidates[cell[0]].items())
        message = (
            f"{name} has scores that the same fits no longer give: candidate {cell[0]} "
            f"({params}) on split {cell[1]} has {metric} = {then:.10g} in the ledger, and "
            f"{'fails' if now is None else f'{now:.10g}'} when it is fitted again. "
        )
        if self._given.options.ledger_strict:
            raise ValueError(
                f"`ledger` must belong to this search; {message}Something that the ledger cannot "
                "see has changed, such as a file that the estimator reads or a library that "
                "another library calls. Use another file, or delete it to start again. With "
                "`ledger_strict=False` the stored scores are accepted."
            )
        warnings.warn(
            f"The ledger {message}They are kept, because `ledger_strict` is False.",
            UserWarning,
            stacklevel=outside_level(),
        )

    def _warn_of_randomness(self, cell: Cell, metric: str, then: float, now: float | None) -> None:
        difference = abs(then - (np.nan if now is None else now))
        warnings.warn(
            f"This search is not deterministic: the scores of candidate {cell[0]}, fitted again, "
            f"differ from those in the `ledger`, by {difference:.3g} in {metric}. The scores in "
            "the ledger were kept. Set `random_state` to an int, so that a restarted search gives "
            "the same `cv_results_`.",
            UserWarning,
            stacklevel=outside_level(),
        )

    def _scores_again(self, splits: Splits, cells: Sequence[Cell]) -> dict[Cell, Scores]:
        """Test scores of cells that are fitted now; none of those that fail."""
        found: dict[Cell, Scores] = {}
        options = self._given.options
        for split in dict.fromkeys(j for _, j in cells):
            rows = [i for i, j in cells if j == split]
            # One call for each split: `evaluate_candidates` fits all candidates on all splits.
            splitter = BlockSplitter(options.cv, lambda *_: 1)
            splitter.served = [splits[split]]
            again = CellSearch(options, [self._candidates[row] for row in rows], splitter)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # the same fits gave the same warnings before
                try:
                    again.fit(self._given.X, self._given.y, **self._given.params)
                except ValueError as error:
                    if not says_that_all_failed(error):
                        raise
            # If all fits failed, scikit-learn raised before it called `_format_results`.
            outcomes = again.outcomes or [{"fit_error": "all"}] * len(rows)
            for row, outcome in zip(rows, outcomes, strict=True):
                failed = outcome["fit_error"] is not None
                found[row, split] = {} if failed else _by_metric(outcome["test_scores"])
        return found


def _chosen_cells(
    eligible: NDArray[np.bool_], starts: NDArray[np.int64], rng: np.random.Generator
) -> list[Cell]:
    """Cells to fit again: three, or one in a hundred where that is more.

    They lie on three splits at most, as the candidates of one split are fitted in parallel, and are
    of as many starts of the search as can be: each may have been with other code.
    """
    splits = rng.permutation(np.flatnonzero(eligible.any(axis=0)))[:_MOST_SPLITS]
    cells = [(int(i), int(j)) for j in splits for i in np.flatnonzero(eligible[:, j])]
    size = min(len(cells), max(SPOT_CHECKS, int(_SHARE * np.count_nonzero(eligible))))
    seen: dict[int, int] = {}
    ranked = []
    for place in rng.permutation(len(cells)):
        start = int(starts[cells[place]])
        seen[start] = seen.get(start, 0) + 1
        # First one cell of each start, the latest start first, then a second one of each.
        ranked.append((seen[start], -start, cells[place]))
    return [cell for _, _, cell in sorted(ranked)[:size]]


def _scores_of(ledger: Ledger, cell: Cell) -> Scores:
    i, j = cell
    return {metric: float(ledger.scores([i], [j], metric)[0, 0]) for metric in ledger.metrics()}


def _differing_metric(then: Scores, now: Scores) -> str | None:
    """The metric in which the scores of a cell differ by more than rounding, or None."""
    # Of a fit that fails now, `now` is empty, and the first metric differs.
    for metric, score in then.items():
        if not np.isclose(
            score, now.get(metric, np.nan), rtol=_RELATIVE, atol=_ABSOLUTE, equal_nan=True
        ):
            return metric
    return None


def _by_metric(scores: Any) -> Scores:
    return dict(scores) if isinstance(scores, dict) else {"score": float(scores)}
