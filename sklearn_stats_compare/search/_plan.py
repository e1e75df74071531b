"""Plan: what a fit by blocks evaluates; Given: what it is given; FitRecord: what any fit leaves."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from sklearn_stats_compare.search._identity import Identity
from sklearn_stats_compare.search._ledger import Ledger
from sklearn_stats_compare.search._outline import Outline
from sklearn_stats_compare.stats import SplitDesign

if TYPE_CHECKING:
    from sklearn_stats_compare.search._block_run import BlockRun


@dataclass(frozen=True, eq=False)
class FitRecord:
    """What a fit leaves for its tables, and to be extended.

    Attributes
    ----------
    design : SplitDesign
        Of the splits that were used.
    split_keys : tuple of str
        Of the same splits.
    ledger : Ledger
        The outcomes, candidates × splits.
    outline : Outline
        Marks of what ``fit`` was given.
    identity : Identity or None
        With a ledger, what the outcomes belong to.
    n_batches : int
        Number of times that splits were taken: by ``fit``, and by each extension.
    """

    design: SplitDesign
    split_keys: tuple[str, ...]
    ledger: Ledger
    outline: Outline
    identity: Identity | None = None
    n_batches: int = 1


@dataclass(frozen=True, eq=False)
class Given:
    """What a fit by blocks is given.

    Attributes
    ----------
    X, y, params : object
        As ``fit`` was.
    outline : Outline
        Marks of them.
    ledger : str or path-like
        Path of the file, where there is an identity.
    identity : Identity or None
        What the file must belong to; None without one.
    known : FitRecord or None
        Of the fit that is extended.
    candidates : sequence of dict or None
        Of the fit that is extended, or drawn before. None: the search's own.
    """

    X: Any
    y: Any
    params: Mapping[str, Any]
    outline: Outline
    ledger: Any
    identity: Identity | None
    known: FitRecord | None
    candidates: Sequence[dict[str, Any]] | None


class Plan(Protocol):
    """Which candidates are evaluated on which splits, and in what order."""

    def begin(self, run: "BlockRun") -> int:
        """Take the splits; return how many of them make a block."""

    def evaluate(self, run: "BlockRun") -> dict[str, Any]:
        """Evaluate block by block; return further columns of ``cv_results_``."""

    def left(self, run: "BlockRun") -> dict[str, Any]:
        """Fitted attributes, beside those of scikit-learn's searches."""


class EveryCandidate:
    """Every candidate on every split of `cv`, as scikit-learn's searches do, in blocks."""

    def __init__(self, cv: Any) -> None:
        self._cv = cv

    def begin(self, run: "BlockRun") -> int:
        """Take all splits; a block has them all, or as many as are lacking everywhere."""
        columns = run.take(self._cv)
        return run.block_size(np.arange(len(run.candidates)), columns)

    def evaluate(self, run: "BlockRun") -> dict[str, Any]:
        """Fit whatever is lacking."""
        run.run_all(np.arange(len(run.candidates)), np.arange(run.n_splits))
        return {}

    def left(self, run: "BlockRun") -> dict[str, Any]:
        """Nothing of its own."""
        return {}
