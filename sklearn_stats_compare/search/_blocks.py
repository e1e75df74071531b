"""BlockSplitter: serves the splits of another splitter a block at a time."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare.search._splitters import SplitRecorder
from sklearn_stats_compare.stats import SplitDesign
from sklearn_stats_compare.stats._elimination import Schedule


class BlockSplitter:
    """Stands in for a search's `cv` during a race.

    scikit-learn asks for the number of splits once, splits anew for every set of candidates, and
    wants that number each time. So the number is that of a block; the other's splits are read once,
    when it is asked for, and `serve` chooses which of them come next.

    Parameters
    ----------
    cv : int, splitter, iterable or None
        As for scikit-learn's searches.
    classifier : bool
        Whether the estimator is a classifier, for which scikit-learn stratifies.

    Attributes
    ----------
    design : SplitDesign
        Of all splits, once `get_n_splits` has read them.
    block : int
        Number of splits that are served at a time.
    """

    def __init__(self, cv: Any, *, classifier: bool) -> None:
        self._recorder = SplitRecorder(cv, classifier=classifier)
        self._splits: list[tuple[Any, Any]] = []
        self._served: Sequence[int] | NDArray[np.intp] = ()
        self.block = 0
        if hasattr(cv, "get_metadata_routing"):  # so that what `cv` asks for is routed to it
            self.get_metadata_routing = cv.get_metadata_routing

    def __getstate__(self) -> dict[str, Any]:
        # scikit-learn sends the search, and with it its cv, to the workers, who split nothing; the
        # user's cv may be a generator, which cannot be sent.
        return {"_splits": [], "_served": (), "block": self.block}

    def forget(self) -> None:
        """Let go of the splits: scikit-learn keeps its cv, and they may be larger than the data."""
        self._splits = []

    @property
    def design(self) -> SplitDesign:
        """Sizes and structure of all splits."""
        design = self._recorder.design
        assert design is not None  # get_n_splits has seen to it
        return design

    def get_n_splits(self, X: Any = None, y: Any = None, **params: Any) -> int:
        """Number of splits of a block; reads all splits, with what routing brings."""
        self._splits = list(self._recorder.split(X, y, **params))
        if not self._splits:
            raise ValueError(
                "No fits were performed. Was the CV iterator empty? Were there no candidates?"
            )
        self.block = Schedule.of(len(self._splits)).block
        if self._recorder.design is None:
            raise ValueError("`cv` must hand out (train, test) indices of samples.")
        return self.block

    def serve(self, splits: Sequence[int] | NDArray[np.intp]) -> None:
        """Choose the splits that `split` hands out next."""
        self._served = splits

    def split(self, X: Any, y: Any = None, **params: Any) -> Iterator[tuple[Any, Any]]:
        """Hand out the chosen splits."""
        return iter([self._splits[k] for k in self._served])
