"""to_long(): a row per model and data set, or per split; a method of `DatasetsComparison`."""

from typing import Any

import pandas as pd


def to_long(self: Any) -> pd.DataFrame:
    """The scores as a long table, which `compare_datasets` reads.

    Returns
    -------
    DataFrame
        With the columns of `Comparison.to_long` after ``dataset``, if split scores are known for
        every data set; else a row per model and data set with the columns ``dataset``, ``model``,
        ``metric`` and ``score``.
    """
    if len(self.comparisons) == self.n_datasets:
        parts = [own.to_long() for own in self.comparisons.values()]
        table = pd.concat(parts, keys=list(self.comparisons), names=["dataset"])
        table = table.reset_index(level="dataset").reset_index(drop=True)
        # A model that was left out here may still be in the comparisons.
        return table[table["model"].astype(str).isin(self.labels)].reset_index(drop=True)
    rows = [
        {"dataset": name, "model": label, "metric": self.metric, "score": self.values[i, j]}
        for j, name in enumerate(self.datasets)
        for i, label in enumerate(self.labels)
    ]
    return pd.DataFrame(rows)
