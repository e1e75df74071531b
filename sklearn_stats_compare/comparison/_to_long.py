"""A comparison → a long table, a row for each candidate and split, which `compare` reads back."""

from typing import Any

import numpy as np
import pandas as pd

from sklearn_stats_compare.comparison._compared import Compared
from sklearn_stats_compare.comparison._long_sizes import POOL, RATIO, STRUCTURE


def to_long(self: Compared) -> pd.DataFrame:
    """Table of all scores, a row for each candidate and split.

    ``compare(comparison.to_long())`` makes the same tables, and so does the CSV file of
    ``to_long().to_csv(path, index=False)``. Rows of models that were scored elsewhere on the same
    splits can be added.

    Returns
    -------
    DataFrame
        With the columns

        - ``model``: the candidate's label;
        - ``split``: number of the split, from 0;
        - ``repeat``, ``fold``: numbers of the repeat and of the split in it, from 0, if the splits
          are known to be repeats of a partition;
        - ``metric``, ``score``: higher is better, NaN where a candidate failed;
        - ``n_train``, ``n_test``: numbers of samples of the split; or ``test_train_ratio``, the
          same in all rows, if only that is known;
        - ``n_samples``, ``complementary_halves``, ``expanding``, ``sliding``, ``resampled``: as in
          `SplitDesign`, the same in all rows, if the number is known or the structure applies.

    Notes
    -----
    Parameters, settings, notes, and values of single samples are not in the table. `to_csv` saves
    all but the last. Tables of several metrics can be joined by `pandas.concat`:
    ``compare(table, metric=…)`` takes one of them.

    Examples
    --------
    >>> from sklearn_stats_compare import compare
    >>> comparison = compare({"svm": [0.91, 0.89, 0.93] * 4, "tree": [0.71, 0.66, 0.74] * 4},
    ...                      n_train=90, n_test=10)
    >>> comparison.to_long().head(2)
      model  split metric  score  n_train  n_test
    0   svm      0  score   0.91       90      10
    1   svm      1  score   0.89       90      10
    >>> compare(comparison.to_long()).leader
    'svm'
    """
    scores, design = self.scores, self.scores.design
    split = np.arange(scores.n_splits)
    of_splits: dict[str, Any] = {"split": split}
    if (design.repeat >= 0).all():
        first = {repeat: k for k, repeat in reversed(list(enumerate(design.repeat.tolist())))}
        of_splits["repeat"] = design.repeat
        of_splits["fold"] = split - np.array([first[repeat] for repeat in design.repeat.tolist()])
    sizes: dict[str, Any] = {RATIO: np.full(split.size, design.test_train_ratio)}
    if design.sizes_known:
        sizes = {"n_train": design.n_train, "n_test": design.n_test}
    if design.n_samples is not None:
        sizes[POOL] = np.full(split.size, design.n_samples)
    sizes |= {name: np.full(split.size, True) for name in STRUCTURE if getattr(design, name)}
    n = scores.n_candidates
    return pd.DataFrame(
        {
            "model": np.repeat(np.array(self._candidate_names.labels, dtype=object), split.size),
            **{name: np.tile(column, n) for name, column in of_splits.items()},
            "metric": self.metric,
            "score": scores.values.ravel(),
            **{name: np.tile(column, n) for name, column in sizes.items()},
        }
    )
