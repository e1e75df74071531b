"""BlockSplitter: serves scikit-learn the splits of one block at a time."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

Splits = Sequence[tuple[Any, Any]]


class BlockSplitter:
    """Replaces a search's `cv` during a fit that goes block by block.

    scikit-learn reads the number of splits once, calls `split` for every set of candidates, and
    requires that number each time. So it is the number of a block, and the run sets which splits
    come next.

    Parameters
    ----------
    cv : int, splitter, iterable or None
        The user's own, for its metadata requests.
    begin : callable
        Called once with X, y and routed metadata; returns the number of splits of a block.

    Attributes
    ----------
    block : int
        Number of splits of a block.
    served : sequence of (train, test)
        The splits that `split` yields next.
    """

    def __init__(self, cv: Any, begin: Callable[[Any, Any, Mapping[str, Any]], int]) -> None:
        self._begin: Callable[[Any, Any, Mapping[str, Any]], int] | None = begin
        self.served: Splits = ()
        self.block = 0
        # scikit-learn calls it on the search's `cv` to find out whether it needs `groups`.
        if hasattr(cv, "get_metadata_routing"):
            self.get_metadata_routing = cv.get_metadata_routing

    def __getstate__(self) -> dict[str, Any]:
        # From 1.9 on scikit-learn sends the search, and with it its cv, to the workers with every
        # task (`caller=self`). They split nothing, and splits may be larger than the data.
        return {"served": (), "block": self.block, "_begin": None}

    def get_n_splits(self, X: Any = None, y: Any = None, **params: Any) -> int:
        """Number of splits of a block."""
        # `fit` passes the data, and what is routed to the splitter, before it evaluates anything.
        if self._begin is not None:
            # Dropped: scikit-learn 1.9 keeps its cv, and so would keep the run and the data.
            begin, self._begin = self._begin, None
            self.block = begin(X, y, params)
        return self.block

    def split(self, X: Any, y: Any = None, **params: Any) -> Iterator[tuple[Any, Any]]:
        """Yield the chosen splits."""
        if not self.served:
            raise ValueError(
                "`ledger` and `max_time` must be None if a subclass overrides `_run_search`, "
                "because the candidates must be known beforehand."
            )
        return iter(self.served)
