"""Numbered: a callback context whose subtasks are numbered through, over several blocks."""

import itertools
from typing import Any, Self


class Numbered:
    """What scikit-learn 1.9 makes the contexts of the fits of all blocks of.

    `evaluate_candidates` numbers them from 0 at every call, and siblings must differ. A context for
    each block, as BaseSuccessiveHalving has one for each iteration, would have a progress bar each,
    and a search with a ledger has hundreds of blocks.

    Parameters
    ----------
    context : CallbackContext
        Of all fits.
    """

    def __init__(self, context: Any) -> None:
        self._context, self._numbers = context, itertools.count()

    @classmethod
    def begun(cls, context: Any, search: Any, n_fits: int, n_again: int) -> Self | None:
        """Begin a subtask of so many fits at most, and `n_again` more; None before 1.9."""
        if context is None:
            return None
        # A context refuses more. Where nothing was lacking, or all that was failed, one candidate
        # is fitted on a block again.
        most = n_fits + n_again
        sub = context.subcontext(task_name="search", max_subtasks=most, sequential_subtasks=False)
        return cls(sub.call_on_fit_task_begin(estimator=search))

    def subcontext(self, task_name: str = "", task_id: int | None = None) -> Any:
        """A context for the next fit."""
        return self._context.subcontext(task_name=task_name, task_id=next(self._numbers))

    def end(self, search: Any) -> None:
        """Say that the subtask has ended."""
        self._context.call_on_fit_task_end(estimator=search)
