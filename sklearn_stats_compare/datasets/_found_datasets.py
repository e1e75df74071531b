"""What compare_datasets() reads from an object: scores of models × data sets, and split scores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sklearn_stats_compare._messages import check_option, shown, shown_list
from sklearn_stats_compare.comparison import Comparison

MISSING = ("raise", "drop_datasets", "drop_models")
_SHOWN_CELLS = 5


@dataclass(frozen=True, eq=False)
class FoundDatasets:
    """Scores of models on data sets, as they were read.

    Attributes
    ----------
    values : ndarray of float, shape (n_models, n_datasets)
        Mean scores, higher is better; NaN where a model has none.
    models : sequence of str
        Names of the models.
    datasets : sequence of str
        Names of the data sets.
    metric : str
        Name of the score.
    comparisons : mapping of str to Comparison
        The comparison on each data set, where split scores are known.
    note : str, default=""
        A sentence on the scores for the user.
    """

    values: NDArray[np.float64]
    models: Sequence[str]
    datasets: Sequence[str]
    metric: str
    comparisons: Mapping[str, Comparison] = field(default_factory=dict)
    note: str = ""

    def complete(self, missing: str) -> "FoundDatasets":
        """The same without missing cells, as `missing` says, with a note on what was left out.

        Raises
        ------
        ValueError
            If cells are missing and `missing` is "raise", or if too little would be left.
        """
        check_option("missing", missing, MISSING)
        absent = ~np.isfinite(self.values)
        if not absent.any():
            return self
        if missing == "raise":
            raise ValueError(
                f"`obj` must hold a score of each model on each data set; {self._cells(absent)}. "
                'Leave out data sets with missing="drop_datasets" or models with '
                'missing="drop_models".'
            )
        by_dataset = missing == "drop_datasets"
        dropped: NDArray[np.bool_] = np.any(absent, axis=0 if by_dataset else 1)
        what, names = ("data set", self.datasets) if by_dataset else ("model", self.models)
        left_out = [name for name, drop in zip(names, dropped, strict=True) if drop]
        if len(left_out) == len(names):
            raise ValueError(
                f"`missing` {missing!r} would leave out every {what}; {self._cells(absent)}."
            )
        kept = np.flatnonzero(~dropped)
        note = (
            f"{len(left_out)} of {len(names)} {what}s left out, because scores are missing: "
            f"{shown_list(left_out)}."
        )
        return FoundDatasets(
            self.values[:, kept] if by_dataset else self.values[kept],
            self.models if by_dataset else [self.models[int(k)] for k in kept],
            [self.datasets[int(k)] for k in kept] if by_dataset else self.datasets,
            self.metric,
            # A comparison of all models has pairs that are not asked for; none is lost.
            {name: own for name, own in self.comparisons.items() if name not in left_out},
            f"{self.note} {note}".strip(),
        )

    def _cells(self, absent: NDArray[np.bool_]) -> str:
        cells = [f"{shown(self.models[i])} on {shown(self.datasets[j])}"
                 for i, j in np.argwhere(absent)[:_SHOWN_CELLS]]  # fmt: skip
        n = int(absent.sum())
        more = f" and {n - len(cells):,} more" if n > len(cells) else ""
        return f"{n:,} of {absent.size:,} are missing: {', '.join(cells)}{more}"
