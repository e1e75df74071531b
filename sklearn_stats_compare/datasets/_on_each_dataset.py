"""Pairs of models on each data set: differences, tests of split scores, wins, ties and losses.

Each public function is a method of `DatasetsComparison`.
"""

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sklearn_stats_compare.comparison import VERDICTS, Comparison
from sklearn_stats_compare.stats import sign_test_pairs

_MIRRORED = {"better": "worse", "worse": "better"}
_COLUMNS = ("mean_diff", "std_err", "p_val", "ci_low", "ci_high", "verdict")


def on_each(self: Any, i: int | str, j: int | str) -> pd.DataFrame:
    """Differences of two models on each data set.

    Parameters
    ----------
    i, j : int or str
        Rows or labels of two models.

    Returns
    -------
    DataFrame
        A row per data set with the columns ``dataset``; ``mean_diff``, model `i` minus model `j`,
        in score units; and ``std_err``, two-sided ``p_val``, ``ci_low``, ``ci_high`` and
        ``verdict``. These come from the test of the data set's own comparison, at the `alpha` and
        `rope` of this comparison. They are not adjusted for the number of data sets. Without split
        scores they are NaN, and the verdict is ``missing``.

    Raises
    ------
    ValueError
        If there is no such model.
    """
    first, second = self._names.row(i, "i"), self._names.row(j, "j")
    rows = []
    for name in self.datasets:
        own = self.comparisons.get(name)
        rows.append({"verdict": "missing"} if own is None else _test(self, own, first, second))
    table = pd.DataFrame(rows, columns=list(_COLUMNS))
    table["mean_diff"] = self.values[first] - self.values[second]
    table["verdict"] = pd.Categorical(table["verdict"], categories=list(VERDICTS))
    table.insert(0, "dataset", list(self.datasets))
    return table


def win_tie_loss(self: Any) -> pd.DataFrame:
    """On how many data sets each model is better than each other.

    Returns
    -------
    DataFrame
        A row per pair, in the order of `frequentist`, with the columns ``model_1``, ``model_2``;
        ``wins``, ``ties``, ``losses`` of model_1 by mean scores; and, if split scores are known,
        ``better``, ``worse``, ``equivalent``, ``undecided`` and ``missing``: on how many data sets
        the test of split scores gives this verdict, not adjusted for the number of pairs or data
        sets.

    Notes
    -----
    A count of "significant wins" is not a test. It depends on how many splits each data set has and
    ignores the sizes of differences (Demšar, 2006, section 3.1.4). Use `frequentist`.
    """
    first, second = self._pairs
    # With the tolerance of the tests: means of the same folds in another order are tied.
    counts = sign_test_pairs(self.values[self.order])
    table = pd.DataFrame(self._pair_labels)
    table["wins"], table["ties"], table["losses"] = counts.wins, counts.n_ties, counts.losses
    if self.comparisons:
        of_verdicts = _verdicts(self, first, second)
        for k, word in enumerate(VERDICTS):
            table[word] = of_verdicts[:, k]
    return table


def _test(self: Any, own: Comparison, first: int, second: int) -> dict[str, Any]:
    """The test of the two models on one data set."""
    labels = list(own.labels or ())
    names = [str(self.labels[row]) for row in (first, second)]
    if not set(names) <= set(labels):
        return {"verdict": "missing"}
    with_two = _of_pair(self, own)
    table = with_two.against(names[0], alternative="two-sided", p_adjust=None)
    row = table[table["model_2"].astype(str) == names[1]].iloc[0]
    return {name: row[name] for name in _COLUMNS}


def _of_pair(self: Any, own: Comparison) -> Comparison:
    return own.with_settings(
        alpha=self.alpha, rope=self.rope, p_adjust=None, alternative="two-sided"
    )


def _verdicts(self: Any, first: NDArray[np.intp], second: NDArray[np.intp]) -> NDArray[np.intp]:
    """How often each verdict occurs for each pair, shape (n_pairs, 5)."""
    n, row_of = self.n_models, {str(label): row for row, label in enumerate(self.labels)}
    # Pair of two rows, or minus that for the reverse order; from 1, because 0 has no sign.
    pair = np.zeros((n, n), dtype=np.intp)
    pair[first, second] = np.arange(1, len(first) + 1)
    pair[second, first] = -pair[first, second]
    mirrored = np.array([VERDICTS.index(_MIRRORED.get(word, word)) for word in VERDICTS])
    counts = np.zeros((len(first), len(VERDICTS)), dtype=np.intp)
    for own in self.comparisons.values():
        table = _of_pair(self, own).pairwise_frequentist
        one, other = (
            np.array([row_of.get(str(label), -1) for label in names.cat.categories])[
                names.cat.codes
            ]
            for names in (table["model_1"], table["model_2"])
        )
        kept = (one >= 0) & (other >= 0)  # a model may have been left out
        code = table["verdict"].cat.codes.to_numpy()[kept].astype(np.intp)
        which = pair[one[kept], other[kept]]
        np.add.at(counts, (abs(which) - 1, np.where(which < 0, mirrored[code], code)), 1)
    # Data sets without split scores, and models that are not among those of a data set.
    counts[:, VERDICTS.index("missing")] += self.n_datasets - counts.sum(axis=1)
    return counts
