"""Spot checks: some fits that a ledger has, made again by scikit-learn and compared."""

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection._search import BaseSearchCV

from sklearn_stats_compare.search._blocks import BlockSplitter

SPOT_CHECKS = 3
_SHARE = 0.01
_MOST_SPLITS = 3
# Another number of threads changes a score by rounding alone.
_RELATIVE, _ABSOLUTE = 1e-6, 1e-9

Cell = tuple[int, int]
Scores = dict[str, float]


class CellSearch(BaseSearchCV):
    """scikit-learn's own search over some candidates on one split, for their outcomes."""

    def __init__(self, search: Any, candidates: Sequence[Mapping[str, Any]], cv: Any) -> None:
        super().__init__(
            estimator=search.estimator,
            scoring=search.scoring,
            n_jobs=search.n_jobs,
            refit=False,
            cv=cv,
            pre_dispatch=search.pre_dispatch,
            error_score=np.nan if search.error_score == "raise" else search.error_score,
        )
        self.search = search
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
        # It is sent with every task from scikit-learn 1.9 on; workers need nothing of it.
        unwanted = {"search": None, "candidates": (), "cv": None}
        return {**super().__getstate__(), **unwanted}


def chosen_cells(
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
        ranked.append((seen[start], -start, cells[place]))
    return [cell for _, _, cell in sorted(ranked)[:size]]


def scores_again(
    search: Any,
    candidates: Sequence[Mapping[str, Any]],
    splits: Mapping[int, Any],
    cells: Sequence[Cell],
    given: tuple[Any, Any, Mapping[str, Any]],
) -> dict[Cell, Scores]:
    """Test scores of cells that are fitted now; none of those that fail.

    Parameters
    ----------
    search : BaseSearchCV
        Whose fits they are.
    candidates : sequence of dict
        All of the search.
    splits : mapping of int to (train, test)
        Of the cells, at least.
    cells : sequence of (int, int)
        Candidate and split of each.
    given : (X, y, dict)
        What ``fit`` was given.
    """
    X, y, params = given
    found: dict[Cell, Scores] = {}
    for split in dict.fromkeys(j for _, j in cells):
        rows = [i for i, j in cells if j == split]
        splitter = BlockSplitter(search.cv, lambda *_: 1)
        splitter.serve([splits[split]])
        again = CellSearch(search, [candidates[row] for row in rows], splitter)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # whatever such fits warn of was said before
            try:
                again.fit(X, y, **params)
            except ValueError as error:
                if "fits failed" not in str(error):
                    raise
        outcomes = again.outcomes or [{"fit_error": "all"}] * len(rows)
        for row, outcome in zip(rows, outcomes, strict=True):
            failed = outcome["fit_error"] is not None
            found[row, split] = {} if failed else _by_metric(outcome["test_scores"])
    return found


def differing_metric(then: Scores, now: Scores) -> str | None:
    """The metric in which the scores of a cell differ by more than rounding, if there is one."""
    for metric, score in then.items():
        if not np.isclose(
            score, now.get(metric, np.nan), rtol=_RELATIVE, atol=_ABSOLUTE, equal_nan=True
        ):
            return metric
    return None


def _by_metric(scores: Any) -> Scores:
    return dict(scores) if isinstance(scores, dict) else {"score": float(scores)}
